//! The review over the board: the worst moves, and at the turn of a move what was chosen beside what was best.

use crate::app::match_screen::canvas::{Canvas, middle};
use crate::app::match_screen::session::Session;
use crate::app::match_screen::state::Tab;
use crate::app::shell::theme::Rgb;
use bevy_egui::egui::{Align2, FontId, Stroke, vec2};
use outwit_core::grid::Cell;
use outwit_core::play::{MoveReview, ReviewedChoice};

/// Moves that are marked as the worst.
const WORST: usize = 3;

/// Paints the moves that cost most over the board, or the one of the viewed turn beside a better one; returns the
/// turn of the move under the pointer.
pub fn paint(canvas: &mut Canvas, session: &Session) -> Option<usize> {
    let away = session.outcome().is_none() && session.tab != Tab::Review;
    if away || session.tab == Tab::Analysis {
        return None;
    }
    let view = session.playback.view;
    if session.tab == Tab::Review
        && session.animation().is_none()
        && let Some(made) = session.review.move_of(view).filter(|made| made.is_mistake())
        && made.made.is_some()
    {
        compare(canvas, made);
        return None;
    }
    let mut under = None;
    for (rank, made) in session.review.moves()?.worst(WORST).iter().enumerate() {
        let at = canvas.at(made.cell);
        let radius = canvas.scale().clamp(14.0, 40.0) * 0.75;
        let colour = canvas.palette.bad.egui();
        let ground = canvas.palette.board.egui_alpha(0.35);
        canvas.painter.circle(at, radius, ground, Stroke::new(2.0, colour));
        let near = canvas
            .pointer
            .is_some_and(|pointer| pointer.distance(middle(made.cell)) * canvas.scale() < radius);
        if near && view != made.turn {
            under = Some(made.turn);
            canvas.tooltip = Some(format!("{}: click to look at it", made.words()));
        }
        let tag = canvas.view.to_board(at + vec2(radius * 0.9, -radius * 0.9));
        canvas.label(tag, &(rank + 1).to_string(), 13.0, canvas.palette.on_accent.egui(), colour);
    }
    under
}

/// What was chosen and what was best, each with what it leads to.
fn compare(canvas: &Canvas, made: &MoveReview) {
    let palette = &canvas.palette;
    // The better one last: where both go the same way, it is the one to see.
    let both = [(&made.made, palette.bad), (&made.better, palette.good)];
    let mut both: Vec<_> =
        both.into_iter().filter_map(|(choice, colour)| Some((choice.as_ref()?, colour))).collect();
    for (choice, colour) in &both {
        ways(canvas, choice, *colour);
    }
    // Words stand away from what is compared: of the upper end above it, of the lower one below.
    both.sort_by_key(|(choice, _)| end(choice).map(|cell| cell.y));
    for ((choice, colour), side) in both.into_iter().zip([-1.0, 1.0]) {
        words(canvas, choice, colour, side);
    }
}

/// Where the first piece of a choice ends.
fn end(choice: &ReviewedChoice) -> Option<Cell> {
    choice.ways.first()?.last().copied()
}

/// Where the pieces go by a choice.
fn ways(canvas: &Canvas, choice: &ReviewedChoice, colour: Rgb) {
    let radius = (canvas.scale() * 0.42).max(6.0);
    for way in &choice.ways {
        canvas.line(way.iter().map(|&cell| middle(cell)), 2.5, colour.egui());
        if let Some(&end) = way.last() {
            canvas.ring(end, radius, 3.0, colour.egui());
        }
    }
}

/// What a choice is called and leads to, below its end, or above it where `side` is negative; within the board's
/// area.
fn words(canvas: &Canvas, choice: &ReviewedChoice, colour: Rgb, side: f32) {
    /// Share of the area's width from which on words are too wide: what the choice is called stands above the
    /// board as well.
    const WIDE: f32 = 0.4;
    let Some(end) = end(choice) else { return };
    let ink = canvas.palette.on_accent.egui();
    let laid_out =
        |text: String| canvas.painter.layout_no_wrap(text, FontId::proportional(13.0), ink);
    let mut galley = laid_out(format!("{}: {}", choice.words, choice.leads_to));
    if galley.size().x > WIDE * canvas.view.area.width() {
        galley = laid_out(choice.leads_to.clone());
    }
    let size = galley.size() + vec2(12.0, 6.0);
    let away = (canvas.scale() * 0.5).max(8.0) + size.y / 2.0 + 4.0;
    let centre = canvas.at(end) + vec2(0.0, side * away);
    let rect = Align2::CENTER_CENTER.anchor_size(centre, size);
    let area = canvas.view.area.shrink(4.0);
    let by = |low: f32, high: f32, least: f32, most: f32| {
        (least - low).max(0.0) + (most - high).min(0.0)
    };
    let rect = rect.translate(vec2(
        by(rect.left(), rect.right(), area.left(), area.right()),
        by(rect.top(), rect.bottom(), area.top(), area.bottom()),
    ));
    canvas.painter.rect_filled(rect, 4.0, colour.egui());
    canvas.painter.galley(rect.min + vec2(6.0, 3.0), galley, ink);
}
