//! What is said of a move that was tried in a problem, below the board and beside it.

use super::TrialKind;
use crate::app::match_screen::command_table::{MatchCommand, labelled};
use crate::app::match_screen::feature::Feature;
use crate::app::match_screen::layout::{AddSection, PanelContext, Place, Region};
use crate::app::match_screen::session::Session;
use crate::app::match_screen::state::Tab;
use crate::app::match_screen::strip::{Said, add};
use crate::app::shell::theme::{Palette, palette, space, text};
use bevy::prelude::{App, InMut};
use bevy_egui::egui::text::LayoutJob;
use bevy_egui::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;

/// Says it in the panel of the match.
pub const FEATURE: Feature = Feature { plugin, commands: &[] };

fn plugin(app: &mut App) {
    app.add_section(Region::Match(Place::Result), section);
}

/// Why the move that was tried is wrong, and what to do.
pub fn said(session: &Session, palette: &Palette) -> Option<Said> {
    if session.tab != Tab::Match || session.animation().is_some() {
        return None;
    }
    let trial =
        session.live.trial(&session.state).filter(|trial| trial.kind == TrialKind::Wrong)?;
    let mut words = LayoutJob::default();
    let asks =
        [(MatchCommand::Undo, "takes it back"), (MatchCommand::ShowRest, "shows the answer")];
    for (command, does) in asks.into_iter().take(1 + usize::from(trial.offers_answer)) {
        add(&mut words, &command.first_key(), space::LARGE, palette.accent);
        add(&mut words, does, space::SMALL, palette.faint);
    }
    Some(Said { headline: trial.words, words, mark: Some(palette.warn), ..Said::default() })
}

/// Says it in the panel, with the buttons to go on.
fn section(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    if !context.is_full() {
        return;
    }
    let PanelContext { session, given, .. } = &mut context;
    let commands = &mut given.commands;
    let Some(trial) = session.live.trial(&session.state) else { return };
    let palette = palette(ui);
    let (sign, ink) = match trial.kind {
        TrialKind::Task => (icon::PUZZLE_PIECE, palette.accent),
        TrialKind::Right => (icon::CHECK_CIRCLE, palette.good),
        TrialKind::Wrong => (icon::X_CIRCLE, palette.warn),
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(sign).color(ink.egui()));
        ui.label(RichText::new(trial.words).text_style(text::strong()));
    });
    if trial.kind != TrialKind::Wrong && !trial.offers_answer {
        ui.separator();
        return;
    }
    ui.horizontal_wrapped(|ui| {
        if trial.kind == TrialKind::Wrong {
            MatchCommand::Undo.button(ui, session, labelled, commands);
        }
        if trial.offers_answer {
            let tip = "Show the moves that win; a win after that does not count";
            MatchCommand::ShowRest.button_saying(
                ui,
                session,
                |_: &_| egui::Button::new("Show the answer"),
                tip,
                commands,
            );
        }
    });
    ui.separator();
}
