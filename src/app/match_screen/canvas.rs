//! Drawing over the board with thin crisp lines, in board coordinates.

use super::view::BoardView;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::theme::{Palette, Rgb, heat_colour};
use bevy::math::Vec2;
use bevy::prelude::Res;
use bevy_egui::egui::{self, Align2, Color32, FontId, Pos2, Shape, Stroke};
use outwit_core::grid::Cell;
use outwit_core::play::{Heat, Insight, MarkKind, Tone};

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

    /// The side of a cell on the screen, in points.
    pub fn scale(&self) -> f32 {
        self.view.scale
    }

    /// The cell under the pointer.
    pub fn hovered(&self) -> Option<Cell> {
        self.pointer.map(cell_at)
    }

    /// Whether a place is in the visible area, with a cell to spare.
    pub fn is_visible(&self, cell: Cell) -> bool {
        self.view.area.expand(self.view.scale).contains(self.at(cell))
    }

    /// A line through places of the board.
    pub fn line(&self, places: impl IntoIterator<Item = Vec2>, width: f32, colour: Color32) {
        let points: Vec<Pos2> = places.into_iter().map(|place| self.point(place)).collect();
        self.painter.add(Shape::line(points, Stroke::new(width, colour)));
    }

    /// A dashed line through places of the board.
    pub fn dashed(&self, places: impl IntoIterator<Item = Vec2>, width: f32, colour: Color32) {
        let points: Vec<Pos2> = places.into_iter().map(|place| self.point(place)).collect();
        self.painter.extend(Shape::dashed_line(&points, Stroke::new(width, colour), 6.0, 4.0));
    }

    /// Fills a cell with a colour, translucent if the colour is.
    pub fn tint(&self, cell: Cell, colour: Color32) {
        let (x, y) = (cell.x as f32, cell.y as f32);
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
        let (a, b) = (self.point(from), self.point(to));
        let along = b - a;
        if along.length() < 2.0 {
            return;
        }
        let direction = along.normalized();
        let head = (width * 3.5).min(along.length());
        let neck = b - direction * head;
        self.painter.line_segment([a, neck], Stroke::new(width, colour));
        let side = direction.rot90() * head * 0.5;
        self.painter.add(Shape::convex_polygon(
            vec![b, neck + side, neck - side],
            colour,
            Stroke::NONE,
        ));
    }

    /// A planner's own picture but for its heat; `side` is the colour of its seat.
    pub fn insight(&self, insight: &Insight, side: Rgb) {
        let colour = |tone: Tone| match tone {
            Tone::Wanted => side.egui(),
            Tone::Searched => side.egui_alpha(0.45),
            Tone::Feared => self.palette.bad.egui(),
        };
        for path in &insight.paths {
            let places = path.cells.iter().map(|&cell| middle(cell));
            match path.tone {
                Tone::Wanted => self.line(places, 1.5, colour(path.tone)),
                _ => self.dashed(places, 1.0, colour(path.tone)),
            }
        }
        for arrow in &insight.arrows {
            self.arrow(middle(arrow.from), middle(arrow.to), 1.5, colour(arrow.tone));
        }
        for mark in &insight.marks {
            let (at, radius) = (self.at(mark.cell), self.scale() * 0.32);
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
                let (text_colour, ground) = (self.palette.text, self.palette.board.egui_alpha(0.6));
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

    /// Translucent heat over cells, one mesh.
    pub fn heat(&self, heat: &Heat) {
        let values = || heat.cells.iter().map(|(_, value)| *value);
        let (least, most) =
            values().fold((f32::MAX, f32::MIN), |(l, m), value| (l.min(value), m.max(value)));
        let mut mesh = egui::Mesh::default();
        for &(cell, value) in heat.cells.iter().filter(|(cell, _)| self.is_visible(*cell)) {
            let share = if most > least { (value - least) / (most - least) } else { 0.0 };
            let corner = self.point(Vec2::new(cell.x as f32, cell.y as f32));
            let rect = egui::Rect::from_min_size(corner, egui::Vec2::splat(self.view.scale));
            mesh.add_colored_rect(rect, heat_colour(&self.palette, share));
        }
        self.painter.add(mesh);
    }
}
