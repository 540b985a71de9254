//! The turns of a match along a strip, from left to right: the timeline and the graphs above it.

use super::session::Session;
use crate::app::shell::theme::Rgb;
use bevy_egui::egui::{Painter, Pos2, Rect, Response, Shape, Stroke, pos2, vec2};

/// A strip on which each turn has its place.
pub struct TurnAxis {
    /// Where the first and the last turn lie at the sides, in points.
    pub inner: Rect,
    /// Number of turns.
    pub turns: usize,
}

impl TurnAxis {
    /// Where a turn lies, in points from the left of the window; a part of a turn lies between two.
    pub fn x(&self, turn: f32) -> f32 {
        self.inner.left() + self.inner.width() * turn / self.turns.max(1) as f32
    }

    /// The turn that is nearest to a point.
    pub fn turn(&self, at: Pos2) -> usize {
        let share = ((at.x - self.inner.left()) / self.inner.width().max(1.0)).clamp(0.0, 1.0);
        (share * self.turns as f32).round() as usize
    }

    /// Marks a turn below the strip with a triangle that points at it.
    pub fn notch(&self, painter: &Painter, turn: usize, colour: Rgb) {
        let at = pos2(self.x(turn as f32), self.inner.bottom());
        let points = vec![at, at + vec2(-4.0, 6.0), at + vec2(4.0, 6.0)];
        painter.add(Shape::convex_polygon(points, colour.egui(), Stroke::NONE));
    }
}

/// Where the pointer is on a strip, if it is there or drags it.
pub fn pointed(response: &Response) -> Option<Pos2> {
    response.hover_pos().or(response.interact_pointer_pos())
}

/// Says what a turn of a strip is, and returns it on a click or a drag.
pub fn chosen_turn(response: Response, turn: usize, words: String) -> Option<usize> {
    let chosen = (response.clicked() || response.dragged()).then_some(turn);
    response.on_hover_text_at_pointer(words);
    chosen
}

/// Says what a turn of a strip is, and goes there on a click or a drag.
pub fn point_at(response: Response, session: &mut Session, turn: usize, words: String) {
    if let Some(turn) = chosen_turn(response, turn, words) {
        session.jump(turn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_and_points_agree() {
        for turns in [0, 1, 7, 400] {
            let inner = Rect::from_min_max(pos2(8.0, 0.0), pos2(808.0, 30.0));
            let axis = TurnAxis { inner, turns };
            for turn in 0..=turns {
                assert_eq!(axis.turn(pos2(axis.x(turn as f32), 5.0)), turn);
            }
            assert_eq!(axis.turn(pos2(-50.0, 5.0)), 0);
            assert_eq!(axis.turn(pos2(5000.0, 5.0)), turns);
        }
    }
}
