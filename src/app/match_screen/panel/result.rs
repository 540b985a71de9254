//! The result of a match, and what comes after it.

use crate::app::match_screen::command_table::{MatchCommand, MatchEntry, labelled};
use crate::app::match_screen::series_panel;
use crate::app::match_screen::session::Session;
use crate::app::match_screen::state::Tab;
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::text;
use crate::app::shell::widgets;
use bevy_egui::egui::{self, RichText, Ui};

/// The result, and what can be done after it.
pub fn show(ui: &mut Ui, session: &mut Session, commands: &mut Vec<MatchCommand>) {
    headline(ui, session);
    if let Some(series) = &session.series.series {
        series_panel::ending(ui, session, series, commands);
        ui.separator();
        return;
    }
    ui.horizontal_wrapped(|ui| {
        // One button is the main one: what comes next, if something does.
        let goes_on = session.result.next_rival.is_some() || session.board.solver.is_some();
        let review = |ui: &mut Ui| match goes_on {
            true => ui.button("Review"),
            false => widgets::primary_button(ui, "Review"),
        };
        if session.live.has_review() && review(ui).clicked() {
            session.begin_review();
            session.tab = Tab::Review;
        }
        again(ui, session, commands);
    });
    ui.separator();
}

/// What a person may do who has nothing more to choose.
pub fn out(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    widgets::hint(ui, "You have no more moves. The others go on.");
    ui.horizontal_wrapped(|ui| {
        MatchCommand::Undo.button(ui, session, labelled, commands);
        if session.playback.skips() {
            let stop = |_: &_| egui::Button::new("Stop skipping");
            MatchCommand::Play.button_saying(ui, session, stop, "Show each turn again", commands);
            ui.spinner();
        } else {
            MatchCommand::Skip.button(ui, session, labelled, commands);
        }
    });
    ui.separator();
}

/// The result in one sentence.
pub fn headline(ui: &mut Ui, session: &Session) {
    if let Some(words) = session.live.headline(&session.state) {
        ui.label(RichText::new(words).text_style(text::section()));
    }
}

const SAME_SEED: &str = "The same players and the same seed";

/// What can be played or watched after a match.
pub fn again(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    if session.is_replay() {
        let watch = |_: &_| egui::Button::new("Watch again");
        let tip = "The replay from its start";
        MatchCommand::Restart.button_saying(ui, session, watch, tip, commands);
    } else if session.board.solver.is_some() {
        main_button(ui, MatchCommand::OtherLevel(1), |entry| entry.label.into(), commands);
        let tip = "The same level from its start";
        MatchCommand::Restart.button_saying(ui, session, labelled, tip, commands);
    } else if session.humans.is_empty() {
        let again = |_: &_| egui::Button::new("Again, new seed");
        let tip = "The same players, a new seed";
        MatchCommand::NextMatch.button_saying(ui, session, again, tip, commands);
        MatchCommand::Restart.button_saying(ui, session, labelled, SAME_SEED, commands);
        for command in [MatchCommand::BestOfFive, MatchCommand::LastPlan] {
            if command.allowed(session).is_ok() {
                command.button(ui, session, labelled, commands);
            }
        }
    } else {
        if let Some((_, rival)) = &session.result.next_rival {
            let words = |_: &_| format!("Next rival: {}", seat_title(rival.name()));
            main_button(ui, MatchCommand::NextRival, words, commands);
        }
        MatchCommand::NextMatch.button(ui, session, labelled, commands);
        MatchCommand::Restart.button_saying(ui, session, labelled, SAME_SEED, commands);
    }
}

/// The button for what most people do next.
fn main_button(
    ui: &mut Ui,
    command: MatchCommand,
    words: impl FnOnce(&MatchEntry) -> String,
    commands: &mut Vec<MatchCommand>,
) {
    let Some(entry) = command.entry() else { return };
    let button = widgets::primary_button(ui, words(entry));
    if entry.explain(button, entry.tip).clicked() {
        commands.push(command);
    }
}
