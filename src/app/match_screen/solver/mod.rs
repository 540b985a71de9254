//! The solver of a board, which answers two commands: a hint, and "Solve from here".
//!
//! A person asks; the request stands in the state of the match until the planner behind it has an answer for the
//! turn that was shown then, or another turn is shown. Meanwhile the panel says so, and the person may take the best
//! line that is known so far. What it thinks with is typed and lives in [`think`].

pub mod request;
pub mod think;

use super::command_table::{MatchCommand, labelled};
use super::feature::Feature;
use super::matches::FocusedMatchMut;
use super::session::Session;
use super::sets::MatchSet;
use super::state::Help;
use crate::app::shell::notice::Notice;
use crate::app::shell::sound::{PlaySound, Sound};
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::egui::Ui;
use outwit_core::play::StopFlag;
use request::{SolverReply, SolverRequest, Wanted};

/// Does what was asked of the solver as soon as it has an answer.
pub(super) const FEATURE: Feature = Feature { plugin, commands: &[] };

fn plugin(app: &mut App) {
    app.add_systems(Update, follow.in_set(MatchSet::Follow));
}

impl Session {
    /// Asks about the shown turn.
    pub(super) fn ask_solver(&mut self, wanted: Wanted) {
        let turn = self.playback.view;
        // The planner that thinks about this turn already heeds the flag that it was given.
        let thinking = self.asked.take().filter(|request| request.turn == turn);
        let enough = thinking.map_or_else(StopFlag::default, |request| request.enough);
        self.asked = Some(SolverRequest { wanted, turn, enough });
    }
}

/// Does what was asked for as soon as there is an answer.
fn follow(
    mut session: FocusedMatchMut,
    mut notices: MessageWriter<Notice>,
    mut sounds: MessageWriter<PlaySound>,
) {
    let session = &mut **session;
    let Some(request) = session.asked.clone() else { return };
    if request.turn != session.playback.view {
        session.asked = None;
        session.live.cancel_solver();
        return;
    }
    let failed = match session.live.solve(&session.state, &request) {
        SolverReply::Thinking => return,
        SolverReply::Failed(why) => Some(why),
        SolverReply::Line(_) if request.wanted == Wanted::Hint => {
            session.note_hint();
            sounds.write(Sound::Hint.into());
            None
        }
        SolverReply::Line(line) => session.play_from_here(&line, Help::Planner).err(),
    };
    session.asked = None;
    if let Some(why) = failed {
        notices.write(Notice::info(format!("The solver found no way from here: {why}.")));
    }
}

/// Says that it thinks, and offers to take what is known.
pub(super) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    let Some(request) = &session.asked else { return };
    ui.horizontal(|ui| {
        ui.spinner();
        let is_hurried = request.enough.is_raised();
        widgets::hint(ui, if is_hurried { "Any path will do" } else { "Searching for a path" });
        let known = "Take the best path found so far, or the first one";
        MatchCommand::MoveNow.button_saying(ui, session, labelled, known, commands);
    });
}
