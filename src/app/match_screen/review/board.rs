//! The review over the board: the worst moves, and at the turn of a move what was chosen beside what was best.

use crate::app::match_screen::canvas::{Canvas, middle};
use crate::app::match_screen::session::Session;
use crate::app::match_screen::state::Tab;
use crate::app::match_screen::strip::{self, Said};
use crate::app::shell::theme::{Palette, Rgb};
use bevy_egui::egui::text::LayoutJob;
use bevy_egui::egui::{Stroke, vec2};
use egui_phosphor::regular as icon;
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
    if let Some(made) = compared(session) {
        for (choice, colour) in choices(made, &canvas.palette) {
            ways(canvas, choice, colour);
        }
        return None;
    }
    let view = session.playback.view;
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

/// The mistake of the viewed turn, which is shown beside what was better.
fn compared(session: &Session) -> Option<&MoveReview> {
    if session.tab != Tab::Review || session.animation().is_some() {
        return None;
    }
    let made = session.review.move_of(session.playback.view)?;
    (made.is_mistake() && made.made.is_some()).then_some(made)
}

/// What was chosen and what was best, in their colours. The better one is last: where both go the same way, it is the
/// one to see.
fn choices<'a>(
    made: &'a MoveReview,
    palette: &Palette,
) -> impl Iterator<Item = (&'a ReviewedChoice, Rgb)> {
    let both = [(&made.made, palette.bad), (&made.better, palette.good)];
    both.into_iter().filter_map(|(choice, colour)| Some((choice.as_ref()?, colour)))
}

/// What was chosen and what was best, each with what it leads to, on a line of its own.
pub fn said(session: &Session, palette: &Palette) -> Option<Said> {
    let mut words = LayoutJob::default();
    for (choice, colour) in choices(compared(session)?, palette) {
        if !words.is_empty() {
            strip::add(&mut words, "\n", 0.0, palette.text);
        }
        strip::add(&mut words, icon::CIRCLE, 0.0, colour);
        let text = format!("{}: {}", choice.words, choice.leads_to);
        strip::add(&mut words, &text, 6.0, palette.text);
    }
    Some(Said { words, ..Said::default() })
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
