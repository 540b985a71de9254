//! The result of a match, and what comes after it.

use crate::app::match_screen::command_table::{MatchCommand, labelled};
use crate::app::match_screen::layout::PanelContext;
use crate::app::match_screen::series_panel;
use crate::app::match_screen::session::Session;
use crate::app::match_screen::state::Tab;
use crate::app::shell::theme::text;
use crate::app::shell::widgets;
use bevy::prelude::InMut;
use bevy_egui::egui::{self, RichText, Ui};

/// How it ended, or that a person has nothing more to choose.
pub fn section(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    if !context.is_full() {
        return;
    }
    let PanelContext { session, given, .. } = &mut context;
    if session.outcome().is_some() {
        show(ui, session, &mut given.commands);
    } else if session.is_out() {
        out(ui, session, &mut given.commands);
    }
}

/// The result, and what can be done after it.
fn show(ui: &mut Ui, session: &mut Session, commands: &mut Vec<MatchCommand>) {
    headline(ui, session);
    if let Some(series) = &session.series.series {
        series_panel::ending(ui, session, series, commands);
        ui.separator();
        return;
    }
    daily(ui, session, commands);
    main_button(ui, session, commands);
    ui.horizontal_wrapped(|ui| {
        if session.info.has_review && ui.button("Review").clicked() {
            session.begin_review();
            session.tab = Tab::Review;
        }
        again(ui, session, commands);
    });
    ui.separator();
}

/// The result on a level of the day, to be copied.
pub fn daily(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    let Some(line) = session.daily_line() else { return };
    ui.label(line);
    MatchCommand::CopyResult.button(ui, session, labelled, commands);
}

/// What a person may do who has nothing more to choose.
fn out(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    widgets::hint(ui, "You have no more moves. The others go on.");
    ui.horizontal_wrapped(|ui| {
        MatchCommand::Undo.button(ui, session, labelled, commands);
        if session.playback.skips() {
            MatchCommand::Play.button_saying(
                ui,
                session,
                |_: &_| egui::Button::new("Stop skipping"),
                "Show each turn again",
                commands,
            );
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

/// The button for what most people do next.
pub fn main_button(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    if let Some((command, words)) = session.what_next()
        && let Some((entry, go_on)) = command.entry().zip(MatchCommand::GoOn.entry())
    {
        let button = widgets::primary_button(ui, words);
        if go_on.explain(button, entry.tip).clicked() {
            commands.push(MatchCommand::GoOn);
        }
    }
}

/// What else can be played or watched after a match.
pub fn again(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    if session.is_replay() {
        let tip = "The replay from its start";
        MatchCommand::Restart.button_saying(
            ui,
            session,
            |_: &_| egui::Button::new("Watch again"),
            tip,
            commands,
        );
        return;
    }
    let main = session.what_next().map(|(command, _)| command);
    let mut offer = |ui: &mut Ui, command: MatchCommand| {
        if Some(command) != main && command.allowed(session).is_ok() {
            command.button(ui, session, labelled, commands);
        }
    };
    if session.board.solver.is_some() {
        if session.result.level_follows {
            offer(ui, MatchCommand::OtherLevel(1));
        }
    } else {
        offer(ui, MatchCommand::NextMatch);
    }
    offer(ui, MatchCommand::Restart);
    if session.humans.is_empty() {
        offer(ui, MatchCommand::BestOfFive);
        offer(ui, MatchCommand::LastPlan);
    }
}
