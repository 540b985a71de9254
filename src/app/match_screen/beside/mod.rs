//! Two matches side by side: planners on one level with one seed, shown turn by turn with each other.
//!
//! One of the two leads: what runs, steps or jumps is its [`Playback`], and the other follows. The match that has
//! the focus leads until it is over; then the other one does as long as it has more turns.

mod dialog;
mod view;

pub use dialog::LineUpDialog;
pub use view::{Split, closest, look};

use super::board_list::BoardEntry;
use super::canvas::Visuals;
use super::command_table::{FeatureCommand, MatchCommand, MatchEntry, able};
use super::commands::CommandContext;
use super::feature::Feature;
use super::layout::{AddSection, Place, Region};
use super::matches::{FocusedMatch, FocusedMatchMut};
use super::session::{MatchStatus, Session, StatusKind};
use super::state::{Playback, Tab};
use crate::app::requests::MatchConfig;
use crate::app::shell::commands::{command, shift};
use bevy::prelude::*;
use bevy_egui::egui::Ui;
use outwit_core::play::{Player, Ruling};

/// Chooses the planners of a match beside this one.
pub const BESIDE: MatchCommand = MatchCommand::Feature(&CHOOSE);

static CHOOSE: FeatureCommand = FeatureCommand {
    entry: &ENTRY,
    is_play: false,
    run: |commands| commands.run_system_cached(open),
};

static ENTRY: MatchEntry = command(
    MatchCommand::Feature(&CHOOSE),
    &[shift(KeyCode::KeyB)],
    "A second match beside a match of planners: others on the same level and seed",
)
.label("Beside it…")
.tip("Show a second match beside this one: other planners on the same level with the same seed")
.when(|session| {
    let watched = session.humans.is_empty() && !session.is_replay();
    able(watched && session.lesson.is_none() && session.series.series.is_none())
});

/// Shows two matches side by side.
pub(super) const FEATURE: Feature = Feature { plugin, commands: &[&ENTRY] };

fn open(session: FocusedMatch, mut dialog: ResMut<LineUpDialog>) {
    dialog.open(&session);
}

fn plugin(app: &mut App) {
    app.init_resource::<LineUpDialog>()
        .add_section(Region::Match(Place::Seats), view::seats)
        .add_section(Region::Dialogs, choose_line_up);
}

/// The dialog in which the planners of the other match are chosen.
fn choose_line_up(
    InMut(root): InMut<Ui>,
    session: FocusedMatchMut,
    look: Visuals,
    mut dialog: ResMut<LineUpDialog>,
    mut context: CommandContext,
) {
    if let Some(players) = dialog.show(root.ctx(), &look.pieces) {
        context.show_beside(&session, players);
    }
}

/// Sets up the match of these players beside the one that `config` asks for.
///
/// # Errors
/// What is wrong with it.
pub fn begin(
    board: &BoardEntry,
    config: &MatchConfig,
    players: &[Player],
    overlays: bool,
) -> Result<Session, String> {
    if config.replay.is_some() || players.contains(&Player::Human) {
        return Err("only a match of planners can be shown beside another one".into());
    }
    if config.players.contains(&Player::Human) {
        return Err("nothing is shown beside a match that a person plays".into());
    }
    let config = MatchConfig { players: players.to_vec(), beside: None, ..config.clone() };
    let mut session = (board.begin)(config, overlays)?;
    session.goes_on_beside = true;
    Ok(session)
}

/// The match that leads.
pub fn leader<'a>(focused: &'a Session, other: &'a Session) -> &'a Session {
    if outlasts(other, focused) { other } else { focused }
}

/// The match that leads and the one that follows.
pub fn in_order<'a>(focused: &'a mut Session, other: &'a mut Session) -> [&'a mut Session; 2] {
    if outlasts(other, focused) { [other, focused] } else { [focused, other] }
}

/// Lets the one that follows show what the one that leads shows. To be called after every command.
pub fn keep_together(focused: &mut Session, other: &mut Session) {
    let [leader, follower] = in_order(focused, other);
    follow(leader, follower);
    if other.overlays.on != focused.overlays.on {
        other.overlays.on.clone_from(&focused.overlays.on);
    }
    other.tab = focused.tab;
    focused.goes_on_beside = !is_at_end(other);
    // When both ends are shown for the first time, both boards are seen whole.
    let ended = is_at_end(focused) && is_at_end(other);
    if ended && !std::mem::replace(&mut other.overlays.widened, true) {
        focused.overlays.framed = false;
    }
}

/// What the two matches are doing.
pub fn status(focused: &Session, other: &Session) -> MatchStatus {
    // Review and analysis are about one match.
    if focused.tab != Tab::Match {
        return focused.status();
    }
    let mut status = leader(focused, other).status();
    if status.kind == StatusKind::Other {
        let over = is_at_end(focused) && is_at_end(other);
        status.words = if over { "Both matches are over" } else { "Playing" }.to_owned();
    }
    status
}

/// Number of turns of the longer match so far.
pub fn turns(one: &Session, other: &Session) -> usize {
    one.live.turns().max(other.live.turns())
}

/// Whether the end of a match is shown.
fn is_at_end(session: &Session) -> bool {
    session.live.is_over() && session.is_at_present()
}

/// Whether a match goes on, or went on, after the end of another one.
pub fn outlasts(one: &Session, other: &Session) -> bool {
    other.live.is_over() && (!one.live.is_over() || one.live.turns() > other.live.turns())
}

/// Brings a match to the turn that another one shows. One that is not over can go no further than it was played, and
/// the other one waits for it.
pub fn follow(leader: &mut Session, follower: &mut Session) {
    let turns = follower.live.turns();
    if !follower.live.is_over() && leader.playback.view > turns {
        leader.playback.show(turns);
    }
    let Playback { view, .. } = leader.playback;
    let ends = follower.live.is_over() && view >= turns;
    follower.playback = Playback { view: view.min(turns), ..leader.playback };
    if view >= turns {
        follower.playback.moving = 0.0;
    }
    if ends {
        follower.playback.stop();
        follower.note_end();
    }
}

/// Lets a match that follows play its next turn; returns whether the turn after `view` turns can be shown of it.
pub fn is_ready(follower: &mut Session, view: usize) -> bool {
    let ready = |session: &Session| session.live.is_over() || session.live.turns() > view;
    if !ready(follower) && follower.live.poll() == Ruling::Played {
        follower.live.take_pictures();
    }
    ready(follower)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
