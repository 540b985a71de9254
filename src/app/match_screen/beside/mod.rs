//! A second match beside the one on the screen: other planners on the same level with the same seed, shown turn by
//! turn with it.
//!
//! One of the two leads: what runs, steps or jumps is its [`Playback`], and the other follows. The match on the left
//! leads until it is over; then the other one does as long as it has more turns.

mod dialog;
mod view;

pub use dialog::LineUpDialog;
pub use view::{Split, show_seats};

use super::board_list::BoardEntry;
use super::session::{MatchStatus, Session, StatusKind};
use super::state::{Playback, Tab};
use super::view::BoardView;
use crate::app::requests::MatchConfig;
use bevy::prelude::Resource;
use outwit_core::play::{Player, Ruling};

/// What the two matches are called.
pub const NAMES: [&str; 2] = ["A", "B"];

/// The match beside the one on the screen.
#[derive(Resource)]
pub struct Beside {
    /// The match.
    pub session: Session,
    /// Which part of its board is seen and where, while it is.
    pub view: Option<BoardView>,
    /// Whether the ends of both matches were shown.
    ended: bool,
}

impl Beside {
    /// Sets up the match of these players beside the one that `config` asks for.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(
        board: &BoardEntry,
        config: &MatchConfig,
        players: &[Player],
        overlays: bool,
    ) -> Result<Self, String> {
        if config.replay.is_some() || players.contains(&Player::Human) {
            return Err("only a match of planners can be shown beside another one".into());
        }
        if config.players.contains(&Player::Human) {
            return Err("nothing is shown beside a match that a person plays".into());
        }
        let config = MatchConfig { players: players.to_vec(), beside: None, ..config.clone() };
        let mut session = (board.begin)(config, overlays)?;
        session.goes_on_beside = true;
        Ok(Self { session, view: None, ended: false })
    }

    /// Whether this match leads, not the one on the screen.
    pub fn leads(&self, main: &Session) -> bool {
        outlasts(&self.session, main)
    }

    /// The match that leads.
    pub fn leader<'a>(&'a self, main: &'a Session) -> &'a Session {
        if self.leads(main) { &self.session } else { main }
    }

    /// The match that leads and the one that follows.
    pub fn in_order<'a>(&'a mut self, main: &'a mut Session) -> [&'a mut Session; 2] {
        if self.leads(main) { [&mut self.session, main] } else { [main, &mut self.session] }
    }

    /// Lets the one that follows show what the one that leads shows. To be called after every command.
    pub fn follow(&mut self, main: &mut Session) {
        let [leader, follower] = self.in_order(main);
        follow(leader, follower);
        let other = &mut self.session;
        if other.overlays.on != main.overlays.on {
            other.overlays.on.clone_from(&main.overlays.on);
        }
        other.tab = main.tab;
        main.goes_on_beside = !is_at_end(other);
        if is_at_end(main) && !main.goes_on_beside && !std::mem::replace(&mut self.ended, true) {
            main.overlays.framed = false;
        }
    }

    /// What the two matches are doing.
    pub fn status(&self, main: &Session) -> MatchStatus {
        // Review and analysis show the match on the left alone.
        if main.tab != Tab::Match {
            return main.status();
        }
        let mut status = self.leader(main).status();
        if status.kind == StatusKind::Other {
            let over = is_at_end(main) && is_at_end(&self.session);
            status.words = if over { "Both matches are over" } else { "Playing" }.to_owned();
        }
        status
    }

    /// Number of turns of the longer match so far.
    pub fn turns(&self, main: &Session) -> usize {
        self.session.live.turns().max(main.live.turns())
    }
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
