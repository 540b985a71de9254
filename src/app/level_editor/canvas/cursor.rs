//! What the next click would draw, under the pointer.

use super::super::open_document::OpenDocument;
use super::{Frame, ink};
use crate::app::shell::theme::{Palette, translucent};
use bevy_egui::egui;
use egui::{Painter, Stroke, StrokeKind};
use outwit_core::grid::Cell;
use outwit_headless::editor::{Region, Tool};
use std::collections::HashSet;

/// A pasted block is drawn cell by cell up to this many cells; a larger one is an outline.
const MAX_PREVIEW_CELLS: usize = 4096;

/// Draws the selected tile under the pointer.
pub(super) fn draw_cursor(painter: &Painter, frame: Frame, work: &OpenDocument, palette: &Palette) {
    let Some(cell) = work.hover else { return };
    let model = &work.model;
    let outline = Stroke::new(1.5, palette.text.egui_alpha(0.9));
    if let (Some(block), Some(corner)) = (model.carried(), model.carried_corner(cell)) {
        let region = Region { min: corner, width: block.0.width(), height: block.0.height() };
        if block.0.len() <= MAX_PREVIEW_CELLS {
            for (at, &symbol) in block.0.iter() {
                let fill = translucent(ink(model.palette(), symbol, palette), 0.75);
                painter.rect_filled(frame.cell(corner + at), 0.0, fill);
            }
        }
        painter.rect_stroke(frame.rect(region), 0.0, outline, StrokeKind::Outside);
        return;
    }
    let cells = &model.draft().cells;
    if !cells.contains(cell) || model.is_drawing() {
        return;
    }
    let under = match model.tool {
        Tool::Paint | Tool::Erase | Tool::Line => model.brush_cells(cell),
        Tool::Pan => return,
        _ => vec![cell],
    };
    let mut images: HashSet<(Cell, bool)> = HashSet::new();
    for at in under {
        let ways = model.symmetry.images(at, cells.width(), cells.height());
        images.extend(ways.enumerate().map(|(way, image)| (image, way == 0)));
    }
    // Only the outer edge of the brush is drawn.
    for &(at, own) in &images {
        let colour = if own { outline } else { Stroke::new(1.0, palette.sides[5].egui_alpha(0.8)) };
        let rect = frame.cell(at);
        let edges = [
            (Cell::new(0, -1), [rect.left_top(), rect.right_top()]),
            (Cell::new(0, 1), [rect.left_bottom(), rect.right_bottom()]),
            (Cell::new(-1, 0), [rect.left_top(), rect.left_bottom()]),
            (Cell::new(1, 0), [rect.right_top(), rect.right_bottom()]),
        ];
        for (step, line) in edges {
            if !images.contains(&(at + step, own)) {
                painter.line_segment(line, colour);
            }
        }
    }
}
