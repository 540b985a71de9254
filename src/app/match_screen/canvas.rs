//! Drawing over the board with thin crisp lines, in board coordinates.

use super::view::BoardView;
use crate::app::drawing::{Sketch, faded, opaque};
use crate::app::shell::pieces::Pieces;
use crate::app::shell::theme::{self, INK, PALE, Palette, Rgb, heat_colour, heat_veil};
use crate::app::shell::widgets;
use bevy::math::Vec2;
use bevy::prelude::Res;
use bevy_egui::egui::{self, Align2, Color32, FontId, Pos2, Shape, Stroke};
use outwit_core::grid::{Cell, Grid};
use outwit_core::play::{Heat, Insight, MarkKind, Tone};
use std::borrow::Cow;

/// How much wider a line's casing is, in points.
const CASING: f32 = 2.5;

/// A painter over the board.
pub struct Canvas<'a> {
    /// egui's painter, clipped to the board's area.
    pub painter: egui::Painter,
    /// Which part of the board is seen.
    pub view: BoardView,
    /// The colours.
    pub palette: Palette,
    /// The place under the pointer, in cells, if it is over the board.
    pub pointer: Option<Vec2>,
    /// What to say of the place under the pointer.
    pub tooltip: Option<String>,
    /// Whether a click here does something.
    pub clickable: bool,
    /// Silhouettes.
    pub pieces: &'a Pieces,
    /// What is drawn on the floor, below whatever stands on it.
    pub floor: Sketch,
    /// The heat that is drawn, for its legend.
    pub legend: Option<HeatLegend>,
}

/// What the legend of a heat says.
#[derive(Clone, PartialEq, Debug)]
pub struct HeatLegend {
    /// What the values are.
    pub label: Cow<'static, str>,
    /// The least and the greatest value.
    pub range: (f32, f32),
    /// The value under the pointer.
    pub value: Option<f32>,
}

/// The palette and the silhouettes, for panels.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Visuals<'w> {
    /// Colours.
    pub palette: Res<'w, Palette>,
    /// Silhouettes.
    pub pieces: Res<'w, Pieces>,
}

/// The cell at a place in board coordinates.
pub fn cell_at(place: Vec2) -> Cell {
    Cell::new(place.x.floor() as i32, place.y.floor() as i32)
}

/// The middle of a cell in board coordinates.
pub fn middle(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32 + 0.5, cell.y as f32 + 0.5)
}

impl Canvas<'_> {
    /// The point of the screen for the middle of a cell.
    pub fn at(&self, cell: Cell) -> Pos2 {
        self.view.to_screen(middle(cell))
    }

    /// The point of the screen for a place in board coordinates.
    pub fn point(&self, place: Vec2) -> Pos2 {
        self.view.to_screen(place)
    }

    /// Paints a card for words over the board, and gives what paints on it as opaquely.
    pub fn card(&self, rect: egui::Rect, opacity: f32) -> egui::Painter {
        let mut painter = self.painter.clone();
        painter.multiply_opacity(opacity);
        let fill = self.palette.panel.egui();
        let line = Stroke::new(1.5, self.palette.line.egui());
        painter.rect(rect, widgets::CORNER, fill, line, egui::StrokeKind::Inside);
        painter
    }

    /// The side of a cell on the screen, in points.
    pub fn scale(&self) -> f32 {
        self.view.scale
    }

    /// Whether effects move. Otherwise they are shown as they end.
    pub fn moves(&self) -> bool {
        theme::moves(self.painter.ctx())
    }

    /// The cell under the pointer.
    pub fn hovered(&self) -> Option<Cell> {
        self.pointer.map(cell_at)
    }

    /// Whether a place is in the visible area, with a cell to spare.
    pub fn is_visible(&self, cell: Cell) -> bool {
        self.view.area.expand(self.view.scale).contains(self.at(cell))
    }

    /// What separates a line of this colour from any ground.
    fn casing(&self, width: f32, colour: Color32) -> Stroke {
        let share = f32::from(colour.a()) / 255.0;
        Stroke::new(width + CASING, self.palette.casing.egui_alpha(0.8 * share))
    }

    /// A line through places of the board, with a casing that separates it from any ground.
    pub fn line(&self, places: impl IntoIterator<Item = Vec2>, width: f32, colour: Color32) {
        let points: Vec<Pos2> = places.into_iter().map(|place| self.point(place)).collect();
        self.painter.add(Shape::line(points.clone(), self.casing(width, colour)));
        self.painter.add(Shape::line(points, Stroke::new(width, colour)));
    }

    /// A dashed line through places of the board, with a casing.
    pub fn dashed(&self, places: impl IntoIterator<Item = Vec2>, width: f32, colour: Color32) {
        let points: Vec<Pos2> = places.into_iter().map(|place| self.point(place)).collect();
        for stroke in [self.casing(width, colour), Stroke::new(width, colour)] {
            self.painter.extend(Shape::dashed_line(&points, stroke, 6.0, 4.0));
        }
    }

    /// Fills a cell with a colour, translucent if the colour is.
    pub fn tint(&self, cell: Cell, colour: Color32) {
        let x = cell.x as f32;
        let y = cell.y as f32;
        let rect = egui::Rect::from_two_pos(
            self.point(Vec2::new(x, y)),
            self.point(Vec2::new(x + 1.0, y + 1.0)),
        );
        self.painter.rect_filled(rect, 0.0, colour);
    }

    /// A short text in the middle of a place, with a soft ground so that it can be read anywhere.
    pub fn label(&self, place: Vec2, text: &str, size: f32, colour: Color32, ground: Color32) {
        let font = FontId::proportional(size);
        let galley = self.painter.layout_no_wrap(text.to_owned(), font, colour);
        let rect = Align2::CENTER_CENTER.anchor_size(self.point(place), galley.size());
        self.painter.rect_filled(rect.expand2(egui::vec2(4.0, 1.0)), 4.0, ground);
        self.painter.galley(rect.min, galley, colour);
    }

    /// An arrow between two places.
    pub fn arrow(&self, from: Vec2, to: Vec2, width: f32, colour: Color32) {
        let a = self.point(from);
        let b = self.point(to);
        let along = b - a;
        if along.length() < 2.0 {
            return;
        }
        let direction = along.normalized();
        let head = (width * 3.5).min(along.length());
        let neck = b - direction * head;
        let side = direction.rot90() * head * 0.5;
        let tip = vec![b, neck + side, neck - side];
        let casing = self.casing(width, colour);
        self.painter.line_segment([a, neck], casing);
        let rim = Stroke::new(CASING, casing.color);
        self.painter.add(Shape::convex_polygon(tip.clone(), casing.color, rim));
        self.painter.line_segment([a, neck], Stroke::new(width, colour));
        self.painter.add(Shape::convex_polygon(tip, colour, Stroke::NONE));
    }

    /// A ring with its casing around the middle of a cell; `radius` and `width` in points.
    pub fn ring(&self, cell: Cell, radius: f32, width: f32, colour: Color32) {
        let at = self.at(cell);
        let casing = self.palette.casing.egui();
        self.painter.circle_stroke(at, radius, Stroke::new(width + CASING, casing));
        self.painter.circle_stroke(at, radius, Stroke::new(width, colour));
    }

    /// A planner's own picture but for its heat; `side` is the colour of its seat.
    pub fn insight(&self, insight: &Insight, side: Rgb) {
        let colour = |tone: Tone| match tone {
            Tone::Wanted => side.egui(),
            Tone::Searched => side.egui_alpha(0.45),
            Tone::Feared => self.palette.bad.egui(),
            Tone::Partner => self.palette.partner().egui(),
            Tone::PartnerUnused => self.palette.partner().egui_alpha(0.45),
        };
        for path in &insight.paths {
            let places = path.cells.iter().map(|&cell| middle(cell));
            match path.tone {
                Tone::Wanted | Tone::Partner => self.line(places, 1.5, colour(path.tone)),
                _ => self.dashed(places, 1.0, colour(path.tone)),
            }
        }
        for arrow in &insight.arrows {
            self.arrow(middle(arrow.from), middle(arrow.to), 1.5, colour(arrow.tone));
        }
        for mark in &insight.marks {
            let at = self.at(mark.cell);
            let radius = self.scale() * 0.32;
            let stroke = Stroke::new(1.5, colour(mark.tone));
            match mark.kind {
                MarkKind::Target => {
                    self.painter.circle_stroke(at, radius, stroke);
                    self.painter.circle_filled(at, 2.0, stroke.color);
                }
                MarkKind::Ring => {
                    self.painter.circle_stroke(at, radius, stroke);
                }
                MarkKind::Cross => {
                    let d = radius * 0.8;
                    for (x, y) in [(d, d), (d, -d)] {
                        let half = egui::vec2(x, y);
                        self.painter.line_segment([at - half, at + half], stroke);
                    }
                }
            }
        }
        for (cell, text) in &insight.numbers {
            if self.scale() >= 14.0 && self.is_visible(*cell) {
                let text_colour = self.palette.text;
                let ground = self.palette.board.egui_alpha(0.6);
                self.label(
                    middle(*cell),
                    text,
                    self.scale().min(28.0) * 0.4,
                    text_colour.egui(),
                    ground,
                );
            }
        }
    }

    /// The lines between cells: two beside each other, one dark and one pale, so that they are seen on any ground.
    /// Where cells are small, every fifth.
    pub fn grid(&mut self, inside: &Grid<bool>) {
        const LEAST: f32 = 7.0;
        let every = if self.scale() < LEAST { 5 } else { 1 };
        let width = 1.0 / self.scale();
        let mut line = |from: Vec2, to: Vec2, across: Vec2| {
            self.floor.rect(from - across * width, to, faded(INK, 0.45));
            self.floor.rect(from, to + across * width, faded(PALE, 0.4));
        };
        let columns = inside.width() as i32;
        let rows = inside.height() as i32;
        let any = |one: (i32, i32), other: (i32, i32)| {
            [one, other].iter().any(|&(x, y)| inside.get(Cell::new(x, y)).is_some_and(|&is| is))
        };
        for x in (0..=columns).step_by(every) {
            for (from, to) in runs(rows, |y| any((x - 1, y), (x, y))) {
                line(Vec2::new(x as f32, from), Vec2::new(x as f32, to), Vec2::X);
            }
        }
        for y in (0..=rows).step_by(every) {
            for (from, to) in runs(columns, |x| any((x, y - 1), (x, y))) {
                line(Vec2::new(from, y as f32), Vec2::new(to, y as f32), Vec2::Y);
            }
        }
    }

    /// Heat on the floor: cells are dimmed and covered with tiles, the brighter the greater the value. Only
    /// the first heat of a frame is drawn.
    pub fn heat(&mut self, heat: &Heat) {
        let Some((least, most)) = heat.range() else { return };
        if self.legend.is_some() {
            return;
        }
        let value = self.hovered().and_then(|cell| heat.at(cell));
        self.legend = Some(HeatLegend { label: heat.label.clone(), range: (least, most), value });
        let (veil, opacity) = heat_veil(self.palette.dark);
        let visible = || heat.cells.iter().filter(|(cell, _)| self.is_visible(*cell));
        let small = self.scale() < 12.0;
        let mut floor = Sketch::default();
        for (cell, _) in visible() {
            let low = Vec2::new(cell.x as f32, cell.y as f32);
            floor.rect(low, low + 1.0, faded(veil, opacity));
        }
        for (cell, value) in visible() {
            let low = Vec2::new(cell.x as f32, cell.y as f32);
            let [red, green, blue, _] = opaque(heat_colour((least, most), *value));
            let ink = [red, green, blue, 0.9];
            if small {
                floor.rect(low, low + 1.0, ink);
            } else {
                floor.rounded(low + 0.03, low + 0.97, 0.1, ink);
            }
        }
        self.floor.add(&floor, |at| at);
    }
}

/// The longest stretches of the first `count` places for which `holds` holds.
fn runs(count: i32, holds: impl Fn(i32) -> bool) -> Vec<(f32, f32)> {
    let mut found = Vec::new();
    let mut from = None;
    for place in 0..=count {
        let inside = place < count && holds(place);
        match from {
            None if inside => from = Some(place),
            Some(begin) if !inside => {
                found.push((begin as f32, place as f32));
                from = None;
            }
            _ => {}
        }
    }
    found
}
