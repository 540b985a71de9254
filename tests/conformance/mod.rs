//! What every game must keep to. A registered game is checked by being registered, as are three tiny
//! games that live only here and are shaped otherwise: a puzzle, a drawn path, a board game.

mod faulty;
mod files;
mod lights;
mod matches;
mod memory;
mod noughts;
mod path;
mod planners;
#[cfg(feature = "app")]
mod screen;
mod tiny;
mod tournaments;

use outwit_cops::{Cops, CopsView, Orders, Pursuit, STEPS};
use outwit_core::grid::Cell;
use outwit_core::play::{Game, Match, PlannerSpec, Seat};
use outwit_headless::GAMES;
use outwit_kit::{GameSpec, read_level};
use outwit_levels::built_in;
use outwit_mnk::{Mnk, MnkAction, MnkState};
use outwit_pukoban::{Direction, Pukoban, PukobanState, PukobanStep};
use outwit_racetrack::{Accelerate, Race, RaceView, Racetrack};
use outwit_stealth::{Glimpse, Heist, Route, RouteEnd, RouteMove, Stealth};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// A game with what the suite cannot guess.
trait Subject: GameSpec {
    /// Levels on which every planner is quick, the smallest first.
    fn samples() -> Vec<Self::Level>;

    /// A random legal action.
    fn any_action(
        game: &Self,
        state: &Self::State,
        seat: Seat,
        dice: &mut ChaCha8Rng,
    ) -> Self::Action;

    /// An action that is not legal where this is seen.
    fn illegal_action(seen: &Self::Observation) -> Self::Action;

    /// The same state with something else in what the seats do not see, if there is such a thing.
    fn disguised(state: &Self::State) -> Self::State {
        state.clone()
    }

    /// Work per turn that is enough to think.
    const WORK: u64 = 1500;
}

fn shipped<G: GameSpec>(ids: &[&str]) -> Vec<G::Level> {
    let level = |id: &&str| read_level::<G>(&built_in(id).unwrap().bytes().unwrap(), id).unwrap();
    ids.iter().map(level).collect()
}

impl Subject for Racetrack {
    fn samples() -> Vec<Self::Level> {
        shipped::<Self>(&["racetrack/tiny", "racetrack/first-lap"])
    }
    fn any_action(game: &Self, race: &Race, seat: Seat, dice: &mut ChaCha8Rng) -> Accelerate {
        let choices = game.choices(race, seat);
        choices[dice.random_range(0..choices.len())]
    }
    fn illegal_action(_: &RaceView) -> Accelerate {
        Accelerate(Cell::new(9, 9))
    }
}

impl Subject for Cops {
    fn samples() -> Vec<Self::Level> {
        shipped::<Self>(&["cops/tiny", "cops/duel"])
    }
    fn any_action(game: &Self, pursuit: &Pursuit, seat: Seat, dice: &mut ChaCha8Rng) -> Orders {
        let mut orders = game.null_action(pursuit, seat);
        orders.0.iter_mut().flatten().for_each(|step| *step = STEPS[dice.random_range(0..5)]);
        orders
    }
    fn illegal_action(_: &CopsView) -> Orders {
        Orders(Vec::new())
    }
    /// Nobody sees the other's plans.
    fn disguised(pursuit: &Pursuit) -> Pursuit {
        let mut other = pursuit.clone();
        other.plans.iter_mut().for_each(|step| *step = STEPS[4]);
        other
    }
}

impl Subject for Pukoban {
    /// With few steps, so that a random walk ends soon.
    fn samples() -> Vec<Self::Level> {
        let mut levels = shipped::<Self>(&["pukoban/01-first-push", "pukoban/02-first-pull"]);
        levels.iter_mut().for_each(|level| level.rules.max_steps = 300);
        levels
    }
    fn any_action(
        game: &Self,
        position: &PukobanState,
        _: Seat,
        dice: &mut ChaCha8Rng,
    ) -> PukobanStep {
        let steps = game.steps(position);
        steps[dice.random_range(0..steps.len())]
    }
    /// Of a box at one side, at most one of the two pulls along the row is legal.
    fn illegal_action(seen: &PukobanState) -> PukobanStep {
        let right = seen.player + Direction::Right.offset();
        let ahead = seen.box_at(right).is_some();
        PukobanStep::pull(if ahead { Direction::Right } else { Direction::Left })
    }
}

impl Subject for Stealth {
    fn samples() -> Vec<Self::Level> {
        shipped::<Self>(&["stealth/01-way-in", "stealth/report-2", "stealth/18-first-fog"])
    }
    /// A random walk that may give up on its way; in the fog a step of it.
    fn any_action(game: &Self, heist: &Heist, seat: Seat, dice: &mut ChaCha8Rng) -> Route {
        let mut route = Route::default();
        for _ in 0..dice.random_range(0..200) {
            let step = RouteMove::ALL[dice.random_range(0..4)];
            route.0.push(step);
            if game.legal(heist, seat, &route).is_err() {
                route.0.pop();
            }
            if game.ground().check(&route) == Ok(RouteEnd::Goal) {
                break;
            }
        }
        route
    }
    /// No path may go back at once.
    fn illegal_action(_: &Glimpse) -> Route {
        Route(vec![RouteMove::Up, RouteMove::Down, RouteMove::Up])
    }
}

impl Subject for Mnk {
    /// The second with an opening that lets the seats choose.
    fn samples() -> Vec<Self::Level> {
        let mut levels = shipped::<Self>(&["mnk/3x3x3", "mnk/6x6x5"]);
        levels[1].rules.opening = outwit_mnk::Opening::Swap2;
        levels
    }
    fn any_action(game: &Self, state: &MnkState, _: Seat, dice: &mut ChaCha8Rng) -> MnkAction {
        let cells = (0..state.stones.len()).map(|at| MnkAction::Place(game.cell_at(at)));
        let choices = [MnkAction::Swap, MnkAction::Keep, MnkAction::TwoMore];
        let legal = |action: &MnkAction| game.check(state, *action).is_ok();
        // A choice is made as often as a stone is placed instead.
        let choices: Vec<_> = choices.into_iter().filter(legal).collect();
        let cells: Vec<_> = cells.filter(legal).collect();
        let all = if cells.is_empty() || (!choices.is_empty() && dice.random_bool(0.5)) {
            choices
        } else {
            cells
        };
        all[dice.random_range(0..all.len())]
    }
    fn illegal_action(_: &MnkState) -> MnkAction {
        MnkAction::Place(Cell::new(-1, 0))
    }
}

macro_rules! tiny_subject {
    ($game:ty, $illegal:expr, $levels:expr) => {
        impl Subject for $game {
            fn samples() -> Vec<Self::Level> {
                $levels
                    .iter()
                    .map(|map: &&[&str]| tiny::level::<Self>(Default::default(), map))
                    .collect()
            }
            fn any_action(
                game: &Self,
                state: &Self::State,
                seat: Seat,
                dice: &mut ChaCha8Rng,
            ) -> Self::Action {
                let mut choices = tiny::Tiny::choices(game, &game.observe(&[], state, seat));
                choices.swap_remove(dice.random_range(0..choices.len()))
            }
            fn illegal_action(_: &Self::Observation) -> Self::Action {
                $illegal
            }
        }
    };
}
tiny_subject!(
    lights::Lights,
    Some(Cell::new(-1, 0)),
    [&["oo.", "o..", "..."][..], &["o.o", ".o.", "o.o"]]
);
tiny_subject!(path::Walk, vec![], [&["S.o", ".oF"][..], &["S.o.", ".#o.", "oo.F"]]);
tiny_subject!(noughts::Noughts, 9, [&["xo.", ".x.", "o.."][..], &["...", ".x.", "..o"]]);

/// The rules of a level for as few seats as it takes.
fn game<G: Game>(level: &G::Level) -> Arc<G> {
    Arc::new(G::new(level, *G::seats_allowed().start()).unwrap())
}

fn seats<G: Game>() -> impl Iterator<Item = Seat> {
    (0..*G::seats_allowed().start() as u8).map(Seat)
}

/// Who can sit there.
fn planners_of<G: GameSpec>(seat: Seat) -> Vec<&'static PlannerSpec<G>> {
    G::planners().iter().filter(|spec| (spec.seats)(seat)).collect()
}

/// A match of random actions, of at most so many turns.
fn random_match<G: Subject>(level: &G::Level, seed: u64, turns: usize) -> Match<G> {
    let mut played = Match::new(game::<G>(level), seed).unwrap();
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    play_on(&mut played, turns, &mut dice);
    played
}

fn play_on<G: Subject>(played: &mut Match<G>, turns: usize, dice: &mut ChaCha8Rng) {
    while played.outcome().is_none() && played.len() < turns {
        let act = |seat| (seat, G::any_action(played.game(), played.state(), seat, dice));
        let actions = played.to_move().into_iter().map(act).collect();
        played.advance(actions).unwrap();
    }
}

macro_rules! tests {
    ($game:ty; $($group:ident::$check:ident)*) => {
        $(#[test] fn $check() { $group::$check::<$game>() })*
    };
}

/// One test for each check and game, so that a failure names both.
macro_rules! conformance {
    ($($name:ident: $game:ty;)*) => {
        /// The games of the suite.
        const CHECKED: &[&str] = &[$(<$game as Game>::ID),*];
        $(mod $name {
            use super::*;
            tests! {
                $game;
                files::rules_at_their_limits
                files::any_bytes
                files::spoilt_files
                files::formats_are_identities
                files::journals_are_identities
                matches::null_actions_are_legal_and_outcomes_complete
                matches::undo_redo_and_jumps_give_the_same_states
                matches::replays_give_the_same_states
                matches::reviews_add_up
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
                tournaments::a_hanging_planner_ends_no_tournament
            }
        })*
    };
}

conformance! {
    racetrack: Racetrack;
    cops: Cops;
    pukoban: Pukoban;
    stealth: Stealth;
    mnk: Mnk;
    tiny_lights: lights::Lights;
    tiny_walk: path::Walk;
    tiny_noughts: noughts::Noughts;
}

#[test]
fn every_registered_game_is_checked() {
    for game in GAMES {
        assert!(CHECKED.contains(&game.id()), "add {} to this suite", game.id());
    }
}
