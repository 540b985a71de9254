//! What is drawn over the map: the grid, axes of symmetry, the solution, problems and the selection.

use super::super::open_document::OpenDocument;
use super::Frame;
use crate::app::shell::theme::Palette;
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Painter, Pos2, Rect, Shape, Stroke, StrokeKind};
use outwit_core::grid::Cell;
use outwit_core::levels::Fault;
use outwit_headless::editor::{Region, SolverStatus, Symmetry};

/// Lines between cells, every tenth a stronger one.
pub(super) fn draw_grid(painter: &Painter, frame: Frame, seen: Region, palette: &Palette) {
    let area = frame.rect(seen);
    let line = |strong: bool| {
        let strength = if strong { 0.7 } else { 0.35 };
        Stroke::new(1.0, palette.edge.egui_alpha(strength))
    };
    let max = seen.max();
    for x in seen.min.x + 1..=max.x {
        let at = frame.place(Cell::new(x, 0)).x;
        painter.vline(at, area.y_range(), line(x % 10 == 0));
    }
    for y in seen.min.y + 1..=max.y {
        let at = frame.place(Cell::new(0, y)).y;
        painter.hline(area.x_range(), at, line(y % 10 == 0));
    }
}

/// The axes or the centre by which drawing is repeated.
pub(super) fn draw_mirrors(painter: &Painter, map: Rect, symmetry: Symmetry, palette: &Palette) {
    let stroke = Stroke::new(1.5, palette.sides[5].egui_alpha(0.8));
    let dashed = |a: Pos2, b: Pos2| painter.extend(Shape::dashed_line(&[a, b], stroke, 6.0, 5.0));
    if matches!(symmetry, Symmetry::LeftRight | Symmetry::Both) {
        dashed(map.center_top(), map.center_bottom());
    }
    if matches!(symmetry, Symmetry::TopBottom | Symmetry::Both) {
        dashed(map.left_center(), map.right_center());
    }
    if symmetry == Symmetry::HalfTurn {
        painter.circle_stroke(map.center(), 9.0, stroke);
        painter.circle_filled(map.center(), 2.5, stroke.color);
    }
}

/// Draws the solution as a line.
pub(super) fn draw_solution(
    painter: &Painter,
    frame: Frame,
    work: &OpenDocument,
    palette: &Palette,
) {
    if !work.line || work.report.revision != work.model.revision() {
        return;
    }
    let SolverStatus::Solved(solution) = &work.report.answer else { return };
    let points: Vec<Pos2> = solution.line.iter().map(|&cell| frame.cell(cell).center()).collect();
    let dot = (frame.zoom * 0.16).clamp(1.5, 4.0);
    painter.add(Shape::line(points.clone(), Stroke::new(2.0, palette.accent.egui())));
    for point in points {
        painter.circle_filled(point, dot, palette.accent.egui());
    }
}

/// Frames the cells that have a problem.
pub(super) fn draw_faults(
    painter: &Painter,
    frame: Frame,
    work: &OpenDocument,
    palette: &Palette,
    now: f64,
) {
    const MOST: usize = 400;
    let verdict = &work.report.verdict;
    let kinds = [
        (&verdict.remarks, palette.faint),
        (&verdict.warnings, palette.warn),
        (&verdict.faults, palette.bad),
    ];
    for (faults, colour) in kinds {
        let stroke = Stroke::new(2.0, colour.egui());
        for cell in faults.iter().flat_map(Fault::cells).take(MOST) {
            painter.rect_stroke(frame.cell(cell).expand(1.0), 2.0, stroke, StrokeKind::Outside);
        }
    }
    // The one that the user asked for is circled for a while.
    if let Some((cell, since)) = work.pointed
        && now - since < 4.0
    {
        let radius = (frame.zoom * 0.9).max(14.0);
        let centre = frame.cell(cell).center();
        painter.circle_stroke(centre, radius, Stroke::new(3.0, palette.bad.egui()));
        painter.circle_stroke(centre, radius + 3.0, Stroke::new(1.0, palette.text.egui()));
        painter.ctx().request_repaint_after(std::time::Duration::from_millis(500));
    }
}

/// The selected region.
pub(super) fn draw_selection(
    painter: &Painter,
    frame: Frame,
    work: &OpenDocument,
    palette: &Palette,
) {
    if let Some(region) = work.model.selection() {
        let rect = frame.rect(region);
        painter.rect_filled(rect, 0.0, palette.accent.egui_alpha(0.12));
        widgets::dashed_frame(painter, rect, Stroke::new(1.5, palette.text.egui()));
    }
}
