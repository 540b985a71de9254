//! What every game must keep to. A game says with [`Subject`] what the checks cannot guess, and
//! [`suite!`] makes a test of each check:
//!
//! ```ignore
//! struct Samples;
//! impl outwit_conformance::Subject for Samples { /* the game, levels, an illegal action */ }
//! outwit_conformance::suite!(Samples);
//! ```
//!
//! This stands in `conformance.rs` beside the game and is compiled in `tests/suite.rs` here: in the game's own
//! crate, all that the suite instantiates would be optimised as planners are, which takes long.

#![allow(clippy::unwrap_used, clippy::expect_used)]

pub mod faulty;
pub mod files;
pub mod matches;
mod memory;
pub mod planners;
pub mod tournaments;

pub use memory::peak;

use outwit_core::play::{CheckedLevel, Game, Match, PlannerSpec, Seat};
use outwit_kit::{GameSpec, read_level};
use outwit_levels::built_in;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// What the suite cannot guess of a game.
pub trait Subject {
    /// The game.
    type Game: GameSpec;

    /// Levels on which every planner is quick, the smallest first.
    fn samples() -> Vec<<Self::Game as Game>::Level>;

    /// A random legal action: by default one of [`Game::actions`], which a game must list that does
    /// not give this.
    fn any_action(
        game: &Self::Game,
        state: &<Self::Game as Game>::State,
        seat: Seat,
        dice: &mut ChaCha8Rng,
    ) -> <Self::Game as Game>::Action {
        let mut actions = game.actions(state, seat).expect("the game lists its actions");
        actions.swap_remove(dice.random_range(0..actions.len()))
    }

    /// An action that is not legal where this is seen; `None` if all that can be written are legal.
    fn illegal_action(
        _seen: &<Self::Game as Game>::Observation,
    ) -> Option<<Self::Game as Game>::Action> {
        None
    }

    /// The same state with something else in what the seats do not see, if there is such a thing.
    fn disguised(state: &<Self::Game as Game>::State) -> <Self::Game as Game>::State {
        state.clone()
    }

    /// Work per turn that is enough to think.
    const WORK: u64 = 1500;

    /// Whether the seat with the better score ranks before the others. Not so where all seats have the
    /// same score, which some want high and others low.
    const BETTER_SCORE_RANKS_FIRST: bool = true;
}

/// One test for each check, so that a failure is named.
#[macro_export]
macro_rules! suite {
    ($subject:ty) => {
        $crate::suite! {
            $subject;
            files::rules_at_their_limits
            files::faulty_levels_are_refused
            files::any_bytes
            files::spoilt_files
            files::formats_are_identities
            files::journals_are_identities
            matches::null_actions_are_legal_and_outcomes_complete
            matches::undo_redo_and_jumps_give_the_same_states
            matches::replays_give_the_same_states
            matches::reviews_add_up
            matches::worths_follow_from_the_rules
            matches::commentaries_add_up
            planners::drivers_agree
            planners::slicing_changes_nothing
            planners::chance_cannot_be_foreseen
            planners::hidden_things_stay_hidden
            planners::analysis_agrees_with_the_referee
            faulty::panics_are_named
            faulty::illegal_actions_are_replaced
            faulty::hangs_are_not_waited_for
            faulty::a_failing_picture_changes_nothing
            faulty::giving_up_is_a_result
            tournaments::contests_repeat_and_resume
            tournaments::giving_up_is_recorded
            tournaments::late_planners_lose_strict_games
        }
    };
    ($subject:ty; $($group:ident::$check:ident)*) => {
        $(#[test]
        fn $check() {
            $crate::$group::$check::<<$subject as $crate::Subject>::Game, $subject>();
        })*
    };
}

/// Levels that the program ships, by their ids.
///
/// # Panics
/// If there is no such level, or it cannot be played.
pub fn shipped<G: GameSpec>(ids: &[&str]) -> Vec<G::Level> {
    ids.iter()
        .map(|id| read_level::<G>(&built_in(id).unwrap().bytes().unwrap(), id).unwrap())
        .map(CheckedLevel::into_inner)
        .collect()
}

/// A sample, which has no faults.
fn checked<G: Game>(level: &G::Level) -> CheckedLevel<G> {
    CheckedLevel::new(level.clone()).unwrap()
}

/// The rules of a level for as few seats as it takes.
fn game<G: Game>(level: &G::Level) -> Arc<G> {
    Arc::new(G::new(&checked(level), *G::SEATS.allowed.start()).unwrap())
}

fn seats<G: Game>() -> impl Iterator<Item = Seat> {
    (0..*G::SEATS.allowed.start() as u8).map(Seat)
}

/// Who can sit there.
fn planners_of<G: GameSpec>(seat: Seat) -> Vec<&'static PlannerSpec<G>> {
    G::planners().iter().filter(|spec| (spec.seats)(seat)).collect()
}

/// A match of random actions, of at most so many turns.
fn random_match<G: GameSpec, S: Subject<Game = G>>(
    level: &G::Level,
    seed: u64,
    turns: usize,
) -> Match<G> {
    let mut played = Match::new(game::<G>(level), seed).unwrap();
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    play_on::<G, S>(&mut played, turns, &mut dice);
    played
}

fn play_on<G: GameSpec, S: Subject<Game = G>>(
    played: &mut Match<G>,
    turns: usize,
    dice: &mut ChaCha8Rng,
) {
    while played.outcome().is_none() && played.len() < turns {
        let actions = played
            .to_move()
            .into_iter()
            .map(|seat| (seat, S::any_action(played.game(), played.state(), seat, dice)))
            .collect();
        played.advance(actions).unwrap();
    }
}
