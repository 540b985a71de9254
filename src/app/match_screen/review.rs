//! The panel beside the board after a match: what every move cost against perfect play.

use super::canvas::{Canvas, Visuals, middle};
use super::command_table::{MatchCommand, labelled};
use super::figures::{counted, figure};
use super::panel::{again, head, headline, plot};
use super::session::Session;
use super::state::Tab;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy_egui::egui::{self, RichText, Stroke, Ui};
use outwit_core::levels::capitalised;
use outwit_core::play::{Better, MoveReview, Seat, Unit};

/// Moves that are marked as the worst.
pub const WORST: usize = 3;

/// Draws the panel and begins the review if nobody has yet; what a click asks of the match goes to
/// `commands`.
pub fn show(ui: &mut Ui, session: &mut Session, look: &Visuals, commands: &mut Vec<MatchCommand>) {
    head(ui, session, commands);
    session.begin_review();
    let mut jump = None;
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        outcome(ui, session);
        ui.horizontal_wrapped(|ui| {
            let board = widgets::primary_button(ui, "Back to the board");
            if board.on_hover_text("Back to the panel of the match").clicked() {
                session.tab = Tab::Match;
            }
            again(ui, session, commands);
            MatchCommand::Save.button(ui, session, labelled, commands);
        });
        ui.separator();
        if session.config.players.len() > 1 {
            ui.horizontal_wrapped(|ui| {
                for seat in session.seats() {
                    let label = session.name(seat);
                    ui.selectable_value(&mut session.review.seat, seat, label);
                }
            });
        }
        jump = moves(ui, session, look);
        session.live.review_panel(ui, &session.state);
    });
    if let Some(turn) = jump {
        session.jump(turn);
    }
}

fn outcome(ui: &mut Ui, session: &Session) {
    let Some(outcome) = session.live.outcome() else { return };
    headline(ui, session);
    if let Some(label) = &session.result.beaten {
        ui.label(format!("A new best result on this level: {label}"));
    } else if let Some(label) = &session.result.best_label {
        widgets::hint(ui, format!("Your best on this level: {label}"));
    }
    if session.result.assisted.is_some() {
        widgets::hint(ui, "A planner played a part of it, so this sets no record.");
    } else if session.result.used_undo {
        widgets::hint(ui, "You took back moves, so this sets no record.");
    }
    if outcome.places.len() > 1 {
        egui::Grid::new("places").num_columns(3).striped(true).show(ui, |ui| {
            let mut order: Vec<usize> = (0..outcome.places.len()).collect();
            order.sort_by_key(|&seat| outcome.places[seat].rank);
            for seat in order {
                let place = &outcome.places[seat];
                ui.label(format!("{}.", place.rank));
                ui.label(session.name(Seat(seat as u8)));
                let score = place.score.map_or_else(
                    || place.ending.clone(),
                    |score| format!("{} ({score:.2})", place.ending),
                );
                widgets::hint(ui, score);
                ui.end_row();
            }
        });
    }
    ui.add_space(space::SMALL);
}

/// The reviewed seat's moves; returns the turn to look at.
fn moves(ui: &mut Ui, session: &Session, look: &Visuals) -> Option<usize> {
    let palette = &look.palette;
    let (unit, better) = match session.review.task.as_ref().and_then(|review| review.get()) {
        None => {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label("Comparing every move with the best one");
            });
            return None;
        }
        Some(None) => {
            widgets::hint(ui, "No perfect play is known on this level to compare with.");
            return None;
        }
        Some(Some(review)) => (review.unit, review.better),
    };
    let seat = session.review.moves()?;
    let lost: f64 = seat.moves.iter().filter_map(|m| m.cost).sum();
    let beats = |reached: f64, perfect: f64| match better {
        Better::Lower => reached < perfect,
        Better::Higher => reached > perfect,
    };
    ui.label(match (seat.reached, seat.perfect) {
        // Only where an opponent erred.
        (Some(reached), Some(perfect)) if beats(reached, perfect) => {
            format!("{}; perfect play by all gives {}", counted(reached, unit), figure(perfect))
        }
        (Some(reached), Some(perfect)) if reached != perfect => format!(
            "{}: {} {} than the best possible ({})",
            counted(reached, unit),
            figure((reached - perfect).abs()),
            if reached > perfect { "more" } else { "less" },
            figure(perfect)
        ),
        (Some(reached), Some(_)) => format!("{}, the optimum", counted(reached, unit)),
        (None, Some(perfect)) => format!("Not finished; the optimum is {}", counted(perfect, unit)),
        (_, None) => format!("About {} given up, by estimate", counted(lost, unit)),
    });
    ui.add_space(space::SMALL);
    let mut jump = None;
    let worst = seat.worst(WORST);
    let only = seat.moves.first().filter(|_| seat.moves.len() == 1);
    if let Some(only) = only {
        ui.add(egui::Label::new(capitalised(&only.note) + ".").wrap());
    } else if !worst.is_empty() {
        widgets::section(ui, "Biggest mistakes");
        for (rank, made) in worst.iter().enumerate() {
            // People count their own moves, not those of everybody.
            let own = seat.moves.iter().position(|other| other.turn == made.turn).unwrap_or(0);
            let words = format!("{}.  move {}: {}", rank + 1, own + 1, cost(made, unit));
            let response = ui
                .add(egui::Button::new(words).min_size(egui::vec2(ui.available_width(), 0.0)))
                .on_hover_text(&made.note);
            if response.clicked() {
                jump = Some(made.turn);
            }
        }
    }
    if !seat.series.is_empty() {
        ui.add_space(space::SMALL);
        widgets::section(ui, "Move by move");
        let own = seat.moves.iter().position(|made| made.turn >= session.playback.view);
        let cursor = own.filter(|_| only.is_none()).map(|turn| turn as f64);
        plot(ui, "profile", &seat.series, 150.0, cursor);
    }
    if only.is_some() {
        return jump;
    }
    ui.add_space(space::SMALL);
    widgets::section(ui, "All moves");
    let grid = egui::Grid::new("moves").num_columns(4).min_col_width(60.0).striped(true);
    grid.show(ui, |ui| {
        for head in ["move", "before", "after", "cost"] {
            widgets::hint(ui, head);
        }
        ui.end_row();
        for (own, made) in seat.moves.iter().enumerate() {
            let value = |v: Option<f64>| v.map_or_else(|| "never".into(), figure);
            let here = session.playback.view == made.turn;
            if ui.selectable_label(here, (own + 1).to_string()).clicked() {
                jump = Some(made.turn);
            }
            ui.label(value(made.before));
            ui.label(value(made.after));
            let (words, colour) = match made.cost {
                Some(0.0) => ("·".to_owned(), palette.faint),
                Some(cost) => (format!("+{}", figure(cost)), palette.warn),
                None => ("lost".to_owned(), palette.bad),
            };
            ui.label(RichText::new(words).color(colour.egui())).on_hover_text(&made.note);
            ui.end_row();
        }
    });
    jump
}

/// What a move cost, in words.
fn cost(made: &MoveReview, unit: Unit) -> String {
    match (made.cost, made.margin) {
        (None, _) => made.note.clone(),
        (Some(cost), None) => format!("{} lost", counted(cost, unit)),
        (Some(cost), Some(_)) => format!("{}{} {} lost", figure(cost), margin(made), unit.many),
    }
}

/// How far an estimated cost may be off.
fn margin(made: &MoveReview) -> String {
    made.margin.map_or_else(String::new, |margin| format!(" ±{}", figure(margin)))
}

/// Paints the moves that cost most over the board; returns the turn of the one under the pointer.
pub fn paint(canvas: &mut Canvas, session: &Session) -> Option<usize> {
    let away = session.outcome().is_none() && session.tab != Tab::Review;
    if away || session.tab == Tab::Analysis {
        return None;
    }
    let mut under = None;
    for (rank, made) in session.review.moves()?.worst(WORST).iter().enumerate() {
        let (at, radius) = (canvas.at(made.cell), canvas.scale().clamp(14.0, 40.0) * 0.75);
        let colour = canvas.palette.bad.egui();
        let ground = canvas.palette.board.egui_alpha(0.35);
        canvas.painter.circle(at, radius, ground, Stroke::new(2.0, colour));
        let near = canvas
            .pointer
            .is_some_and(|pointer| pointer.distance(middle(made.cell)) * canvas.scale() < radius);
        if near && session.playback.view != made.turn {
            under = Some(made.turn);
            canvas.tooltip = Some(format!("{}: click to look at it", made.note));
        }
        let tag = canvas.view.to_board(at + egui::vec2(radius * 0.9, -radius * 0.9));
        canvas.label(tag, &(rank + 1).to_string(), 13.0, canvas.palette.on_accent.egui(), colour);
    }
    under
}
