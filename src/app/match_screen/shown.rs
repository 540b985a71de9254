//! A match as its board sees it.

use super::hint::GivenHint;
use super::state::{Animation, SessionState};
use outwit_core::play::protocol::ProgramThought;
use outwit_core::play::{Game, Insight, Match, Seat, SeatReview, Turn};
use outwit_kit::Swing;
use std::collections::VecDeque;
use std::sync::Arc;

/// The pictures of a seat in the order of their turns: of a planner the last one, of a program all.
pub(super) type Pictures = Vec<Picture>;

/// A planner's picture, and the turn in which it was made.
#[derive(Clone)]
pub(super) struct Picture {
    pub turn: usize,
    pub insight: Arc<Insight>,
}

impl Picture {
    /// What a program drew and said in a turn.
    pub fn of_program(thought: &ProgramThought) -> Self {
        let drawn = thought.insight.as_deref().cloned().unwrap_or_default();
        let insight = Insight { notes: thought.notes.clone(), ..drawn };
        Self { turn: thought.turn, insight: Arc::new(insight) }
    }
}

/// What a planner saw when it chose last before `view` turns were played, or chooses then: its figures.
pub(super) fn last_picture<'a, G: Game>(
    pictures: &'a [Pictures],
    answer: Option<&'a (Seat, Picture)>,
    played: &Match<G>,
    view: usize,
    seat: Seat,
) -> Option<&'a Picture> {
    if let Some((of, picture)) = answer
        && (*of, picture.turn) == (seat, view)
    {
        return Some(picture);
    }
    let own = pictures.get(seat.index())?;
    let picture = own.iter().rev().find(|picture| picture.turn <= view)?;
    // Between its turn and the present the seat had nothing else to choose: each time it does, it
    // gets another picture.
    let asked_again =
        view == played.len() && view > picture.turn && played.to_move().contains(&seat);
    (!asked_again).then_some(picture)
}

/// Where to begin to show how a match of `turns` turns ended: before its last plans and the last turning
/// point, if that is not far back.
pub(super) fn last_plan(pictures: &[Pictures], swings: &[Swing], turns: usize) -> usize {
    /// Turns that are worth being shown at least, and how far back a turning point may lie.
    const LEAST: usize = 6;
    const MOST: usize = 30;
    let planned = pictures.iter().filter_map(|own| Some(own.last()?.turn)).min();
    let turning_points = swings.iter().map(|swing| swing.since);
    let turned = turning_points.filter(|since| since + MOST >= turns).max();
    let end = turns.saturating_sub(LEAST);
    [planned, turned].into_iter().flatten().fold(end, usize::min)
}

/// What a planner saw, if that may be drawn over the board after `view` turns. A plan holds until its seat
/// chooses again, but not beyond the end of the match; what was seen of a single position, as where each
/// turn is somebody else's, holds for that one only.
fn picture_over<'a, G: Game>(
    pictures: &'a [Pictures],
    answer: Option<&'a (Seat, Picture)>,
    played: &Match<G>,
    view: usize,
    seat: Seat,
) -> Option<&'a Insight> {
    let picture = last_picture(pictures, answer, played, view, seat)?;
    let is_here = picture.turn == view;
    let holds = !G::MATCH_RULES.joint_lines
        && played.state_at(view).is_some_and(|state| played.game().outcome(state).is_none());
    (is_here || holds).then_some(&picture.insight)
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
    pub(super) hint: Option<&'a GivenHint<G::Action>>,
    pub(super) pictures: &'a [Pictures],
    pub(super) answer: Option<&'a (Seat, Picture)>,
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

    /// The action of the hint for the shown state, once it was given as a whole.
    pub fn hint(&self) -> Option<&'a G::Action> {
        let given = self.hint.filter(|given| given.turn == self.session.playback.view)?;
        given.is_whole().then_some(&given.hint.action)
    }

    /// What a planner saw when it chose its present or last action, if that may be drawn over the shown
    /// turn: an older or a later position has another picture.
    pub fn insight(&self, seat: Seat) -> Option<&'a Insight> {
        picture_over(self.pictures, self.answer, self.played, self.session.playback.view, seat)
    }

    /// What a planner saw when it chose last, for figures beside the board.
    pub fn last_insight(&self, seat: Seat) -> Option<&'a Insight> {
        let view = self.session.playback.view;
        last_picture(self.pictures, self.answer, self.played, view, seat)
            .map(|picture| &*picture.insight)
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::grid::Cell;
    use outwit_mnk::{Mnk, MnkAction};

    fn played(stones: &[(i32, i32)]) -> Match<Mnk> {
        let level = outwit_levels::built_in("mnk/3x3x3").unwrap().bytes().unwrap();
        let level = outwit_kit::read_level::<Mnk>(&level, "3x3x3").unwrap();
        let mut played = Match::new(Arc::new(Mnk::new(&level, 2).unwrap()), 1).unwrap();
        for &(x, y) in stones {
            let seat = played.to_move()[0];
            played.advance(vec![(seat, MnkAction::Place(Cell::new(x, y)))]).unwrap();
        }
        played
    }

    #[test]
    fn a_picture_is_drawn_over_its_own_position_only() {
        let pictures = [Vec::new(), vec![Picture { turn: 3, insight: Arc::default() }]];
        let over = played(&[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]);
        assert!(over.outcome().is_some());
        let drawn = |view| picture_over(&pictures, None, &over, view, Seat(1)).is_some();
        assert_eq!([2, 3, 4, 5].map(drawn), [false, true, false, false]);
        let figures = |view| last_picture(&pictures, None, &over, view, Seat(1)).is_some();
        assert_eq!([2, 3, 4, 5].map(figures), [false, true, true, true]);
    }
}
