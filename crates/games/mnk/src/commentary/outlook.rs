//! Who is likely to win, by the review's method with less work.

use super::super::review::{Effort, worth};
use super::super::rules::{Mnk, MnkPhase};
use super::super::search::SearchBoard;
use super::super::solve::side_to_move;
use outwit_core::play::{Match, Seat, StopFlag};
use outwit_kit::{Expectation, Outlook};

/// Positions that may be looked at.
const EFFORT: Effort = Effort { proof: 6_000, search: 3_000 };

/// What an estimate may be off by. Of 95 % of the positions of matches in which this effort proves nothing,
/// the value is that near to the one that the review finds with more: measured by the test
/// `estimates_are_as_near_to_the_review_as_they_say`.
pub const MARGIN: f64 = 0.4;

/// How things stand after so many turns; `None` in an opening in which seats may still exchange their
/// stones, if there were not so many turns, or if `stop` was raised.
///
/// The value is the result to expect, from 0 for a loss to 1 for a win; it and its share are the same
/// figure. Where it is proved the margin is 0.
pub fn outlook(played: &Match<Mnk>, turns: usize, stop: &StopFlag) -> Option<Outlook> {
    let state = played.state_at(turns)?;
    if stop.is_raised() || !matches!(state.phase, MnkPhase::Play) {
        return None;
    }
    // To the side that is to move; that side has lost if the other has won.
    let (points, is_proved) = match state.winner() {
        Some(_) => (0.0, true),
        None if state.empty == 0 => (0.5, true),
        None => {
            let found = worth(&SearchBoard::of(played.game(), state), EFFORT, stop);
            (found.points(), found.is_proved)
        }
    };
    let mover = side_to_move(state);
    let shares = [Seat(0), Seat(1)].map(|seat| if seat == mover { points } else { 1.0 - points });
    let margin = if is_proved { 0.0 } else { MARGIN };
    let seats = shares.map(|value| Expectation::within(Some(value), margin));
    (!stop.is_raised()).then(|| Outlook { seats: seats.into(), shares: shares.into() })
}
