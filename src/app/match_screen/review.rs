//! The panel beside the board after a match: what every move cost against perfect play.

use super::commands::MatchCommand;
use super::panel::{figure, head, headline, name, plot};
use super::session::Tab;
use super::{GameView, Session, Visuals};
use crate::app::shell::theme::{space, text};
use crate::app::shell::widgets;
use crate::play::{MoveReview, Seat};
use bevy_egui::egui::{self, RichText, Ui};

/// Moves that are marked as the worst.
pub const WORST: usize = 3;

/// Shows the panel.
pub fn show<G: GameView>(
    ui: &mut Ui,
    session: &mut Session<G>,
    look: &Visuals,
    commands: &mut Vec<MatchCommand>,
) {
    head(ui, session, commands);
    session.begin_review();
    let mut jump = None;
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        outcome(ui, session);
        ui.horizontal_wrapped(|ui| {
            let again = if session.is_replay() { "Watch again" } else { "Race again" };
            if widgets::primary_button(ui, again).on_hover_text("The same seed").clicked() {
                commands.push(MatchCommand::Restart);
            }
            if !session.is_replay()
                && ui.button("New seed").on_hover_text("Another start").clicked()
            {
                commands.push(MatchCommand::NewSeed);
            }
            if ui.button("Save").on_hover_text("Save the replay").clicked() {
                commands.push(MatchCommand::Save);
            }
            if ui.button("GameView").on_hover_text("Back to the panel of the match").clicked() {
                session.tab = Tab::Match;
            }
        });
        ui.separator();
        if session.config.players.len() > 1 {
            ui.horizontal_wrapped(|ui| {
                for seat in (0..session.config.players.len() as u8).map(Seat) {
                    let label = name(session, seat);
                    ui.selectable_value(&mut session.reviewed, seat, label);
                }
            });
        }
        jump = moves(ui, session, look);
    });
    if let Some(turn) = jump {
        session.jump(turn);
    }
}

fn outcome<G: GameView>(ui: &mut Ui, session: &Session<G>) {
    let Some(outcome) = session.referee.outcome() else { return };
    ui.label(RichText::new(headline(session, &outcome.headline)).text_style(text::section()));
    if let Some(label) = &session.beaten {
        ui.label(format!("A new best on this level: {label}"));
    } else if let Some(label) = &session.best_label {
        widgets::hint(ui, format!("Your best on this level: {label}"));
    }
    if session.used_undo {
        widgets::hint(ui, "Moves were taken back, so this result is practice and sets no record.");
    }
    if outcome.places.len() > 1 {
        egui::Grid::new("places").num_columns(3).striped(true).show(ui, |ui| {
            let mut order: Vec<usize> = (0..outcome.places.len()).collect();
            order.sort_by_key(|&seat| outcome.places[seat].rank);
            for seat in order {
                let place = &outcome.places[seat];
                ui.label(format!("{}.", place.rank));
                ui.label(name(session, Seat(seat as u8)));
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
fn moves<G: GameView>(ui: &mut Ui, session: &Session<G>, look: &Visuals) -> Option<usize> {
    let palette = &look.palette;
    let unit = match session.review.as_ref().and_then(|review| review.get()) {
        None => {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label("Comparing every move with perfect play");
            });
            return None;
        }
        Some(None) => {
            widgets::hint(ui, "There is no perfect play to compare with on this level.");
            return None;
        }
        Some(Some(review)) => review.unit,
    };
    let seat = session.reviewed_moves()?;
    let lost: f64 = seat.moves.iter().filter_map(|m| m.cost).sum();
    ui.label(match (seat.reached, seat.perfect) {
        (Some(reached), Some(perfect)) if reached > perfect => format!(
            "{} {unit}, {} over the optimum of {}",
            figure(reached),
            figure(reached - perfect),
            figure(perfect)
        ),
        (Some(reached), Some(_)) => format!("{} {unit}: nobody can do better", figure(reached)),
        (None, Some(perfect)) => {
            format!("Not finished; the optimum is {} {unit}", figure(perfect))
        }
        _ => format!("{} {unit} lost", figure(lost)),
    });
    ui.add_space(space::SMALL);
    let mut jump = None;
    let worst = seat.worst(WORST);
    if !worst.is_empty() {
        widgets::section(ui, "What cost most");
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
        widgets::section(ui, "Profile by move");
        let own = seat.moves.iter().position(|made| made.turn >= session.view);
        plot(ui, "profile", &seat.series, 150.0, own.map(|turn| turn as f64));
    }
    ui.add_space(space::SMALL);
    widgets::section(ui, "Every move");
    let grid = egui::Grid::new("moves").num_columns(4).min_col_width(60.0).striped(true);
    grid.show(ui, |ui| {
        for head in ["move", "to go", "after", "cost"] {
            widgets::hint(ui, head);
        }
        ui.end_row();
        for (own, made) in seat.moves.iter().enumerate() {
            let value = |v: Option<f64>| v.map_or_else(|| "never".into(), figure);
            let here = session.view == made.turn;
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

fn cost(made: &MoveReview, unit: &str) -> String {
    match made.cost {
        Some(1.0) => format!("1 {} lost", unit.trim_end_matches('s')),
        Some(cost) => format!("{} {unit} lost", figure(cost)),
        None => made.note.clone(),
    }
}
