//! A match as its board sees it.

use super::state::{Animation, SessionState};
use outwit_core::play::{Game, Insight, Match, Seat, SeatReview, Turn};
use std::collections::VecDeque;
use std::sync::Arc;

/// A planner's picture, and the turn in which it was made.
pub(super) struct Picture {
    pub turn: usize,
    pub insight: Arc<Insight>,
}

/// What a planner saw, if that belongs to the state after `view` turns.
pub(super) fn picture_of<'a, G: Game>(
    pictures: &'a [Option<Picture>],
    played: &Match<G>,
    view: usize,
    seat: Seat,
) -> Option<&'a Insight> {
    let picture = pictures.get(seat.index())?.as_ref()?;
    // Between its turn and the present the seat had nothing else to choose: each time it does, it
    // gets another picture.
    let asked_again =
        view == played.len() && view > picture.turn && played.to_move().contains(&seat);
    (picture.turn <= view && !asked_again).then_some(&picture.insight)
}

/// A match at the turn that is shown, read-only.
pub struct Shown<'a, G: Game> {
    /// What a person has chosen and is not played yet, the oldest first.
    pub queue: &'a VecDeque<G::Action>,
    /// The whole match so far.
    pub played: &'a Match<G>,
    /// What all games share: who plays, which turn is shown, which overlays are on.
    pub session: &'a SessionState,
    /// The person who may choose in the state that is shown.
    pub person: Option<Seat>,
    /// The earlier match with the best result, to be shown as a ghost.
    pub ghost: Option<&'a Match<G>>,
    /// Changes whenever the match does; with the shown turn it tells whether a cache still holds.
    pub revision: u64,
    pub(super) hint: Option<&'a (usize, G::Action, String)>,
    pub(super) pictures: &'a [Option<Picture>],
    pub(super) over: bool,
}

impl<'a, G: Game> Shown<'a, G> {
    /// The game of the match: its rules on its level.
    pub fn game(&self) -> &'a Arc<G> {
        self.played.game()
    }

    /// The state that is shown; while a turn moves, the one before it.
    pub fn state(&self) -> &'a G::State {
        self.played.state_at(self.session.playback.view).unwrap_or_else(|| self.played.state())
    }

    /// The states from the start to the shown one.
    pub fn states(&self) -> &'a [G::State] {
        let states = self.played.states();
        &states[..states.len().min(self.session.playback.view + 1)]
    }

    /// The state after the shown one, if it was played.
    pub fn next_state(&self) -> Option<&'a G::State> {
        self.played.state_at(self.session.playback.view + 1)
    }

    /// The state in which what is chosen now will be played: nobody chooses while a turn is in motion,
    /// so what is typed then follows it.
    pub fn arriving_state(&self) -> &'a G::State {
        self.next_state().filter(|_| self.person.is_none()).unwrap_or(self.state())
    }

    /// The turn that follows the shown state, if it was played.
    pub fn turn(&self) -> Option<&'a Turn<G>> {
        self.played.turns().get(self.session.playback.view)
    }

    /// Whether the latest state is shown.
    pub fn is_at_present(&self) -> bool {
        self.session.playback.view == self.played.len()
    }

    /// Whether the match is over, whichever turn is shown.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Whether the end of the match is shown.
    pub fn is_at_end(&self) -> bool {
        self.over && self.is_at_present()
    }

    /// The turn in motion.
    pub fn animation(&self) -> Option<Animation> {
        self.session.playback.animation(self.played.len())
    }

    /// The hint for the shown state: an action and what to say of it.
    pub fn hint(&self) -> Option<(&'a G::Action, &'a str)> {
        let (turn, action, words) = self.hint?;
        (*turn == self.session.playback.view).then_some((action, words))
    }

    /// What a planner saw when it chose its present or last action, if that belongs to the shown
    /// turn: an older or a later position has another picture.
    pub fn insight(&self, seat: Seat) -> Option<&'a Insight> {
        picture_of(self.pictures, self.played, self.session.playback.view, seat)
    }

    /// The review of the seat that is looked at, once it is there.
    pub fn review(&self) -> Option<&'a SeatReview> {
        self.session.review.moves()
    }

    /// The seat that overlays speak of: the person to move, a person's, or the reviewed one.
    pub fn subject(&self) -> Seat {
        let session = self.session;
        self.person.or(session.humans.first().copied()).unwrap_or(session.review.seat)
    }
}
