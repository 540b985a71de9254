//! The panel beside the board after a match: what every move cost against perfect play.

pub mod board;
mod graph;

pub use board::paint;

use super::canvas::Visuals;
use super::command_table::{MatchCommand, labelled, symbol};
use super::feature::Feature;
use super::figures::{counted, figure};
use super::layout::{AddSection, PanelContext, Region, Row};
use super::lecture;
use super::panel::{again, daily, head, headline, main_button, plot};
use super::session::Session;
use super::state::Tab;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::egui::{self, RichText, Ui};
use outwit_core::levels::capitalised;
use outwit_core::play::{Better, Seat, SeatReview, Unit};

/// Reviews matches that are over.
pub(super) const FEATURE: Feature = Feature { plugin, commands: &[] };

fn plugin(app: &mut App) {
    app.add_section(Region::Side(Tab::Review), show)
        .add_section(Region::Bottom(Row::Graph), graph_row);
}

/// The costs of all moves above the timeline, where no commentary has its graph there.
fn graph_row(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    if context.other.is_none() && !context.session.commented {
        graph::show(ui, &mut context.session, &context.look);
    }
}

/// Draws the panel and begins the review if nobody has yet.
fn show(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    let PanelContext { session, look, given, .. } = &mut context;
    let session = &mut ***session;
    let commands = &mut given.commands;
    head(ui, session, commands);
    session.begin_review();
    let mut jump = None;
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        outcome(ui, session);
        daily(ui, session, commands);
        main_button(ui, session, commands);
        ui.horizontal_wrapped(|ui| {
            let board = ui.button("Back to the board");
            if board.on_hover_text("Back to the panel of the match").clicked() {
                session.tab = Tab::Match;
            }
            MatchCommand::TryAgain.button(ui, session, labelled, commands);
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
        jump = moves(ui, session, look, commands);
        session.live.review_panel(ui, &session.state);
        jump = lecture::edit(ui, session, commands).or(jump);
    });
    if let Some(turn) = jump {
        session.jump(turn);
    }
}

fn outcome(ui: &mut Ui, session: &Session) {
    let Some(outcome) = session.live.outcome() else { return };
    headline(ui, session);
    for first in session.result.firsts() {
        ui.label(first);
    }
    if let (None, Some(label)) = (&session.result.beaten, &session.result.best_label) {
        widgets::hint(ui, format!("Your best on this level: {label}"));
    }
    if let Some(why) = session.why_no_record().filter(|_| session.board.records) {
        widgets::hint(ui, why);
    }
    if outcome.places.len() > 1 {
        egui::Grid::new("places").num_columns(3).show(ui, |ui| {
            let mut order: Vec<usize> = (0..outcome.places.len()).collect();
            order.sort_by_key(|&seat| outcome.places[seat].rank);
            for seat in order {
                let place = &outcome.places[seat];
                ui.label(format!("{}.", place.rank));
                ui.label(session.name(Seat(seat as u8)));
                let score = place.score.map_or_else(
                    || place.ending.clone(),
                    |score| {
                        format!("{} ({})", place.ending, counted(score, session.info.score.unit))
                    },
                );
                widgets::hint(ui, score);
                ui.end_row();
            }
        });
    }
    ui.add_space(space::SMALL);
}

/// The reviewed seat's moves; returns the turn to look at.
fn moves(
    ui: &mut Ui,
    session: &mut Session,
    look: &Visuals,
    commands: &mut Vec<MatchCommand>,
) -> Option<usize> {
    match session.review.task.as_ref().and_then(|review| review.get()) {
        None => {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label("Comparing every move");
            });
            return None;
        }
        Some(None) => {
            let words =
                "Perfect play on this level is unknown, so there is nothing to compare with.";
            widgets::hint(ui, words);
            return None;
        }
        Some(Some(review)) => {
            let seat = session.review.moves()?;
            let words = seat.summary.clone();
            ui.label(words.unwrap_or_else(|| result(seat, review.unit, review.better)));
        }
    }
    ui.add_space(space::SMALL);
    let seat = session.review.moves()?;
    let is_single = seat.moves.len() == 1;
    let jump = if is_single {
        ui.add(egui::Label::new(capitalised(&seat.moves[0].note) + ".").wrap());
        None
    } else {
        list(ui, session, look, commands)
    };
    let seat = session.review.moves()?;
    let has_line = seat.series.iter().any(|series| series.points.len() > 1);
    if has_line {
        ui.add_space(space::SMALL);
        widgets::section(ui, "Move by move");
        let own = seat.moves.iter().position(|made| made.turn >= session.playback.view);
        let cursor = own.filter(|_| !is_single).map(|turn| turn as f64);
        plot(ui, "profile", &seat.series, 150.0, cursor);
    }
    jump
}

/// What was reached, beside the best possible.
fn result(seat: &SeatReview, unit: Unit, better: Better) -> String {
    let beats = |reached: f64, perfect: f64| better.is_better(reached, perfect);
    let lost: f64 = seat.moves.iter().filter_map(|made| made.cost).sum();
    match (seat.reached, seat.perfect) {
        // Only where an opponent erred.
        (Some(reached), Some(perfect)) if beats(reached, perfect) => {
            format!("{}; perfect play by all gives {}", counted(reached, unit), figure(perfect))
        }
        (Some(reached), Some(perfect)) if reached != perfect => {
            format!("{}: {}", counted(reached, unit), apart(reached, perfect))
        }
        (Some(reached), Some(_)) => format!("{}, the optimum", counted(reached, unit)),
        (None, Some(perfect)) => format!("Not finished; the optimum is {}", counted(perfect, unit)),
        (_, None) if lost < 0.5 => "Nothing given up (estimated)".to_owned(),
        (_, None) => format!("About {} given up (estimated)", counted(lost, unit)),
    }
}

/// How far a result is from the best possible one.
fn apart(reached: f64, perfect: f64) -> String {
    let more = if reached > perfect { "more" } else { "less" };
    let apart = figure((reached - perfect).abs());
    format!("{apart} {more} than the best possible ({})", figure(perfect))
}

/// The result of the only person and the optimum, once the review knows. Only where the result does not depend on
/// opponents.
pub fn reached_and_perfect(session: &Session) -> Option<(f64, f64)> {
    let [seat] = session.humans.as_slice() else { return None };
    let review = session.review.task.as_ref()?.get()?.as_ref()?;
    let own = review.seats.iter().find(|own| own.seat == *seat)?;
    own.reached.zip(own.perfect).filter(|_| session.board.records)
}

/// How good the result of the only person is by the very quantity that the game ranks by, and whether nothing
/// better was possible; see [`reached_and_perfect`].
pub fn verdict(session: &Session) -> Option<(String, bool)> {
    let (reached, perfect) = reached_and_perfect(session)?;
    let optimal = reached == perfect;
    let words = match optimal {
        true => "Optimal: nothing better is possible.".into(),
        false => apart(reached, perfect),
    };
    // Where others play too, the headline may speak of one of them.
    let is_alone = session.config.players.len() == 1;
    let unit = session.review.task.as_ref()?.get()?.as_ref()?.unit;
    let words = match (is_alone, optimal) {
        (true, _) => words,
        (false, true) => format!("You: {}, the best possible", counted(reached, unit)),
        (false, false) => format!("You: {}, {words}", counted(reached, unit)),
    };
    Some((words, optimal))
}

/// The mistakes, or all moves, with the one of the viewed turn marked; returns the turn to look at.
fn list(
    ui: &mut Ui,
    session: &mut Session,
    look: &Visuals,
    commands: &mut Vec<MatchCommand>,
) -> Option<usize> {
    let view = session.playback.view;
    let mut lists_all = session.review.lists_all;
    let count = session.review.moves()?.moves.iter().filter(|made| made.is_mistake()).count();
    ui.horizontal(|ui| {
        let words = match count {
            0 => "No mistakes".to_owned(),
            count => widgets::counted(count as u64, "mistake"),
        };
        widgets::section(ui, &words);
        MatchCommand::PreviousMistake.button(ui, session, symbol, commands);
        MatchCommand::NextMistake.button(ui, session, symbol, commands);
    });
    ui.checkbox(&mut lists_all, "All moves").on_hover_text("List moves that cost nothing too");
    session.review.lists_all = lists_all;
    let mut jump = None;
    // People count their own moves, not those of everybody.
    let moves = session.review.moves()?.moves.iter().zip(1..);
    for (made, own) in moves.filter(|(made, _)| lists_all || made.is_mistake()) {
        let ink = match made.cost {
            None => look.palette.bad,
            Some(0.0) => look.palette.faint,
            Some(_) => look.palette.text,
        };
        let here = made.turn == view;
        let words = RichText::new(format!("{own}.  {}", made.words()));
        let words = if here { words } else { words.color(ink.egui()) };
        let row = egui::Button::selectable(here, words).wrap();
        let row = ui.add(row.min_size(egui::vec2(ui.available_width(), 0.0)));
        if row.clicked() {
            jump = Some(made.turn);
        }
        // The row of a turn that was come to in another way comes into view, but nothing moves under the pointer.
        let seen = ui.id().with("seen");
        if here && ui.data(|data| data.get_temp::<usize>(seen)) != Some(view) {
            ui.data_mut(|data| data.insert_temp(seen, view));
            if !ui.rect_contains_pointer(ui.clip_rect()) {
                row.scroll_to_me(None);
            }
        }
    }
    jump
}
