//! Driving among cars that block each other.

use super::roadcraft::{Roadcraft, stays};
use crate::level::single_steps;
use crate::{Accelerate, Car, CarStatus, GatesPassed, RaceView, Racetrack, Steering, Track, Walk};
use outwit_core::grid::{Cell, Grid, UNREACHED, distances};
use outwit_core::play::Seat;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// What to do among other cars.
pub enum Advice {
    /// Choose among these.
    Any(Vec<Accelerate>),
    /// Make room: the way ahead has been blocked for some time.
    Dodge(Accelerate),
}

/// Keeps a car from states in which being blocked would be fatal, and out of deadlocks.
///
/// Of every car it is known how it would brake and stand still. As long as no two of these motions
/// meet, nobody is ever forced off the track: each car can always follow its own. So only moves
/// after which that still holds are advised. If all cars drive like that, it holds for the whole race.
///
/// A car that comes to a state for the third time is stuck behind others. It then goes to a cell
/// drawn at random, each time further away, and waits there a while, so that somebody gets through.
pub struct Traffic {
    seed: u64,
    road: Roadcraft,
    visits: HashMap<(Cell, Cell, GatesPassed), u32>,
    /// How often it has made room since it last passed a gate, and how much it had passed.
    dodges: u32,
    progress: GatesPassed,
    dodge: Option<Dodge>,
}

/// A way out of the way.
struct Dodge {
    /// Steps to the cell it goes to.
    steps: Grid<u32>,
    /// Turns that are left of it.
    turns: u32,
}

/// How a car brakes and stands still: where it is after each of its turns.
struct Motion {
    /// Turns of a penalty before it moves.
    waiting: u32,
    /// Until it is at rest.
    braking: Vec<Cell>,
    /// From then on, over and over; nothing if it is over the finish.
    parked: Vec<Cell>,
}

impl Motion {
    /// Where the car is after so many turns; `None` if it is off the board.
    fn at(&self, turn: u32) -> Option<Cell> {
        let turn = turn.saturating_sub(self.waiting) as usize;
        match self.braking.get(turn) {
            Some(&cell) => Some(cell),
            None if self.parked.is_empty() => None,
            None => Some(self.parked[(turn - self.braking.len()) % self.parked.len()]),
        }
    }

    fn turns(&self) -> u32 {
        self.waiting + (self.braking.len() + self.parked.len()) as u32
    }
}

impl Traffic {
    /// For a car whose random choices this seed feeds.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            road: Roadcraft::default(),
            visits: HashMap::new(),
            dodges: 0,
            progress: 0,
            dodge: None,
        }
    }

    /// What to do now; every action is legal, and there is one.
    pub fn advise(&mut self, game: &Racetrack, seen: &RaceView) -> Advice {
        let choices = game.choices(&seen.race, seen.seat);
        if !game.track().blocks()
            || seen.race.cars.iter().filter(|car| car.standing == CarStatus::Racing).count() < 2
        {
            return Advice::Any(choices);
        }
        let safe = self.safe(game.track(), seen, choices);
        let car = *seen.car();
        if car.progress != self.progress {
            (self.progress, self.dodges, self.dodge) = (car.progress, 0, None);
            self.visits.clear();
        }
        let visits = self.visits.entry((car.cell, car.velocity, car.progress)).or_default();
        *visits += 1;
        if *visits > 2 && self.dodge.is_none() {
            self.dodge = self.begin_dodge(game.track(), seen);
        }
        self.follow_dodge(&safe, car).map_or(Advice::Any(safe), Advice::Dodge)
    }

    /// The choices after which the car could brake and stand still in nobody's way; if there are
    /// none, those that put off the longest that cars meet.
    fn safe(
        &mut self,
        track: &Track,
        seen: &RaceView,
        choices: Vec<Accelerate>,
    ) -> Vec<Accelerate> {
        let others: Vec<Motion> = (0..)
            .map(Seat)
            .zip(&seen.race.cars)
            .filter(|(seat, car)| *seat != seen.seat && car.standing == CarStatus::Racing)
            .map(|(_, car)| self.motion(track, car))
            .collect();
        let peace: Vec<(Option<u32>, Accelerate)> = choices
            .into_iter()
            .map(|choice| (self.peace(track, seen, choice, &others), choice))
            .collect();
        let best = peace.iter().map(|&(turns, _)| turns).max().flatten();
        peace.into_iter().filter(|&(turns, _)| turns == best).map(|(_, a)| a).collect()
    }

    /// For how many turns a choice keeps the car out of everybody's way if all brake from then on;
    /// `None` if it leads off the track for good.
    fn peace(
        &mut self,
        track: &Track,
        seen: &RaceView,
        choice: Accelerate,
        others: &[Motion],
    ) -> Option<u32> {
        let car = seen.car();
        let driven = car.velocity + choice.0;
        let mut after = *car;
        match track.walk(car.cell, driven, car.progress) {
            Walk::Finishes { .. } => return Some(u32::MAX),
            Walk::Lands(progress) => {
                (after.cell, after.velocity, after.progress) =
                    (car.cell + driven, driven, progress);
            }
            Walk::Crashes { last, progress } => {
                (after.cell, after.velocity, after.progress) = (last, Cell::default(), progress);
                after.waiting = track.penalty()?;
            }
        }
        if !self.road.can_stop(track, after.cell, after.velocity) && !finishes_next(track, &after) {
            return Some(0);
        }
        let own = self.motion(track, &after);
        let turns = others.iter().map(Motion::turns).max().unwrap_or(0);
        for turn in 0..own.turns().max(turns) + 4 {
            for other in others {
                // Everybody else moves once while this car stands; then it moves itself.
                let (Some(mine), comes) = (own.at(turn), other.at(turn + 1)) else { continue };
                if comes.is_some_and(|comes| comes == mine || own.at(turn + 1) == Some(comes)) {
                    return Some(1 + turn);
                }
            }
        }
        Some(u32::MAX)
    }

    /// How a car would brake and stand still.
    fn motion(&mut self, track: &Track, car: &Car) -> Motion {
        let mut cell = car.cell;
        let mut velocity = car.velocity;
        let mut braking = vec![cell];
        while velocity != Cell::default() {
            let slower = track
                .accelerations()
                .map(|a| velocity + a)
                .filter(|w| w.norm_squared() < velocity.norm_squared() && stays(track, cell, *w))
                .filter(|&w| self.road.can_stop(track, cell + w, w))
                .min_by_key(|w| (w.norm_squared(), *w));
            let Some(slower) = slower else {
                // Over the finish, or off the track.
                return Motion { waiting: car.waiting, braking, parked: Vec::new() };
            };
            (cell, velocity) = (cell + slower, slower);
            braking.push(cell);
        }
        let step = single_steps(track.rules()).iter().find(|&&step| track.is_road(cell + step));
        let parked = match (track.rules().steering, step) {
            // Who must accelerate every turn steps aside and comes back.
            (Steering::Eight, Some(&step)) => vec![cell + step, cell + step, cell, cell],
            _ => vec![cell],
        };
        Motion { waiting: car.waiting, braking, parked }
    }

    /// Draws a cell to go to, within reach without passing through another car.
    fn begin_dodge(&mut self, track: &Track, seen: &RaceView) -> Option<Dodge> {
        let car = seen.car();
        let mut dice = ChaCha8Rng::seed_from_u64(self.seed);
        dice.set_stream(u64::from(car.turns));
        self.visits.clear();
        self.dodges += 1;
        // Sometimes it stays, so that the others have a turn.
        if dice.random_bool(0.3) {
            return None;
        }
        let taken = |cell: Cell| {
            (0..).map(Seat).zip(&seen.race.cars).any(|(seat, other)| {
                seat != seen.seat && other.standing == CarStatus::Racing && other.cell == cell
            })
        };
        let steps = single_steps(track.rules());
        let reach = distances(track.surfaces(), [car.cell], steps, |cell: Cell, _: &_| {
            track.is_road(cell) && !taken(cell)
        });
        let furthest = 1_u32 << self.dodges.min(12);
        let cells: Vec<Cell> =
            reach.iter().filter(|&(_, &d)| d <= furthest).map(|(cell, _)| cell).collect();
        let target = *cells.get(dice.random_range(0..cells.len().max(1)))?;
        let turns = 2 * reach[target] + dice.random_range(0..=2 * furthest.min(8));
        Some(Dodge {
            steps: distances(track.surfaces(), [target], steps, |cell, _: &_| track.is_road(cell)),
            turns,
        })
    }

    /// The slow move that comes nearest to where it makes room.
    fn follow_dodge(&mut self, safe: &[Accelerate], car: Car) -> Option<Accelerate> {
        let dodge = self.dodge.as_mut()?;
        let left = dodge.turns.checked_sub(1);
        dodge.turns = left.unwrap_or(0);
        let steps = &dodge.steps;
        let best = safe
            .iter()
            .copied()
            .filter(|action| {
                let driven = car.velocity + action.0;
                let slow = driven.x.abs().max(driven.y.abs()) <= 1;
                slow || driven.norm_squared() < car.velocity.norm_squared()
            })
            .min_by_key(|action| {
                let driven = car.velocity + action.0;
                let to = steps.get(car.cell + driven).copied().unwrap_or(UNREACHED);
                (to, driven.norm_squared())
            });
        if left.is_none() || best.is_none() {
            self.dodge = None;
        }
        left.and(best)
    }
}

/// Whether a car can cross the finish in its next move.
fn finishes_next(track: &Track, car: &Car) -> bool {
    track.accelerations().map(|a| car.velocity + a).any(|w| {
        track.allows(w) && matches!(track.walk(car.cell, w, car.progress), Walk::Finishes { .. })
    })
}
