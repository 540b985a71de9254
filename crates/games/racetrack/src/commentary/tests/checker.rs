//! Checks sentences on races from the raw states. Shares no code with the remarks and none with the exact
//! table: the least time of a state is found by letting a car drive everywhere, turn by turn.

use crate::{Accelerate, Car, CarStatus, OutReason, Race, Racetrack, Walk};
use outwit_core::grid::Cell;
use outwit_core::play::Match;
use outwit_kit::Remark;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

type State = (Cell, Cell, u16);

pub struct Checker<'a> {
    played: &'a Match<Racetrack>,
    known: HashMap<State, Option<f64>>,
    moves: HashMap<State, Vec<Move>>,
}

/// Where a move leads: to a state after so many turns, or over the finish in a part of one.
#[derive(Clone, Copy)]
enum Move {
    To(State, u32),
    Finish(f64),
}

/// What a sentence says is not so.
fn so(what: &str, holds: bool) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

fn count(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.as_str() {
        "0.0" => "less than 0.1 turns".into(),
        "1.0" => "1 turn".into(),
        text => format!("{} turns", text.trim_end_matches(".0")),
    }
}

/// Whether a text says so many turns; sums in another order may round to another tenth.
fn says(text: &str, value: f64) -> bool {
    [value, value - 1e-9, value + 1e-9].iter().any(|&value| count(value) == text)
}

impl<'a> Checker<'a> {
    pub fn new(played: &'a Match<Racetrack>) -> Self {
        Self { played, known: HashMap::new(), moves: HashMap::new() }
    }

    /// The least time from a state to the finish in turns; `None` if it never comes.
    fn left(&mut self, start: State) -> Option<f64> {
        if let Some(&known) = self.known.get(&start) {
            return known;
        }
        // By number of turns: a crash costs several.
        let mut levels: BTreeMap<u32, Vec<State>> = [(0, vec![start])].into();
        let mut seen: HashSet<State> = HashSet::new();
        let mut found = None;
        while let Some((turns, states)) = levels.pop_first() {
            let mut best: Option<f64> = None;
            for state in states {
                if !seen.insert(state) {
                    continue;
                }
                for &made in self.moves(state) {
                    match made {
                        Move::To(next, more) => {
                            levels.entry(turns + more).or_default().push(next);
                        }
                        Move::Finish(part) => {
                            best = Some(best.map_or(part, |best: f64| best.min(part)));
                        }
                    }
                }
            }
            if let Some(part) = best {
                found = Some(f64::from(turns) + part);
                break;
            }
        }
        self.known.insert(start, found);
        found
    }

    /// All moves of a car in a state.
    fn moves(&mut self, state: State) -> &[Move] {
        let track = self.played.game().track();
        self.moves.entry(state).or_insert_with(|| {
            let (cell, velocity, progress) = state;
            let changes = (-1..=1).flat_map(|y| (-1..=1).map(move |x| Cell::new(x, y)));
            let is_known = |a: &Cell| track.accelerations().any(|known| known == *a);
            let driven = changes.filter(is_known).map(|a| velocity + a);
            let allowed = driven.filter(|&driven| track.allows(driven));
            let made = allowed.filter_map(|driven| match track.walk(cell, driven, progress) {
                Walk::Lands(progress) => Some(Move::To((cell + driven, driven, progress), 1)),
                Walk::Finishes { num, den } => Some(Move::Finish(f64::from(num) / f64::from(den))),
                Walk::Crashes { last, progress } => {
                    let penalty = track.penalty()?;
                    Some(Move::To((last, Cell::default(), progress), 1 + penalty))
                }
            });
            made.collect()
        })
    }

    /// The time of a car that goes on perfectly.
    fn time(&mut self, car: &Car) -> Option<f64> {
        match car.standing {
            CarStatus::Racing => {
                let left = self.left((car.cell, car.velocity, car.progress))?;
                Some(f64::from(car.turns) + left)
            }
            CarStatus::Finished { num, den } => {
                Some(f64::from(car.turns) - 1.0 + f64::from(num) / f64::from(den))
            }
            CarStatus::Out(_) => None,
        }
    }

    /// The same after so many turns of the match.
    pub fn expected(&mut self, turn: usize, seat: usize) -> Option<f64> {
        let played = self.played;
        self.time(&played.states()[turn].cars[seat])
    }

    /// The time to come after driving a velocity from where a car is.
    fn after(&mut self, car: &Car, driven: Cell) -> Option<f64> {
        let track = self.played.game().track();
        match track.walk(car.cell, driven, car.progress) {
            Walk::Lands(progress) => Some(1.0 + self.left((car.cell + driven, driven, progress))?),
            Walk::Finishes { num, den } => Some(f64::from(num) / f64::from(den)),
            Walk::Crashes { last, progress } => {
                let penalty = f64::from(track.penalty()?);
                Some(1.0 + penalty + self.left((last, Cell::default(), progress))?)
            }
        }
    }

    /// Checks a sentence; what is wrong with it otherwise.
    pub fn check(&mut self, remark: &Remark) -> Result<(), String> {
        let played = self.played;
        let words = remark.words.as_str();
        let states = played.states();
        let (before, after): (&Race, &Race) = (&states[remark.turn], &states[remark.turn + 1]);
        let seat = usize::from(before.mover);
        so("another seat", remark.seat.is_some_and(|own| own.index() == seat))?;
        so("long", words.chars().count() <= 60)?;
        let rest = words.strip_prefix(&format!("Car {} ", seat + 1)).ok_or("another car")?;
        let (was, is) = (before.cars[seat], after.cars[seat]);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let (then, now) = (self.time(&was), self.time(&is));
        let moved = is.velocity;
        if let Some(rest) = rest.strip_prefix("leaves the track") {
            let Accelerate(a) = played.turns()[remark.turn].actions[0].1;
            let walk = played.game().track().walk(was.cell, was.velocity + a, was.progress);
            so("it stays on", matches!(walk, Walk::Crashes { .. }))?;
            let out = is.standing == CarStatus::Out(OutReason::Crashed);
            let said = match out {
                true => " and is out".to_owned(),
                false => format!(", which takes {}", count(f64::from(is.turns - was.turns))),
            };
            return so("what it costs", rest == said);
        }
        if rest == "can no longer avoid a crash" {
            return so(
                "it can",
                then.is_some() && now.is_none() && is.standing == CarStatus::Racing,
            );
        }
        if let Some((how, lost)) = rest.split_once(" and loses ") {
            let (Some(then), Some(now)) = (then, now) else { return Err("no time".into()) };
            let choices = played.game().choices(before, played.to_move_at(remark.turn));
            let mut times: Vec<(Cell, f64)> = Vec::new();
            for Accelerate(a) in choices {
                let driven = was.velocity + a;
                times.extend(self.after(&was, driven).map(|time| (driven, time)));
            }
            let best = times.iter().map(|found| found.1).fold(f64::INFINITY, f64::min);
            let cost = now - then - (best - (then - f64::from(was.turns)));
            if how == "is held up" || how == "is boxed in" {
                let others = before
                    .cars
                    .iter()
                    .enumerate()
                    .any(|(other, car)| other != seat && car.standing == CarStatus::Racing);
                so("alone", others)?;
                so("boxed in", how == "is held up" || moved == Cell::default())?;
                so("no loss", says(lost, now - then))?;
                return so("its own doing", how == "is boxed in" || cost < 1e-9);
            }
            so("another loss", says(lost, cost))?;
            let size = |v: &Cell| v.x * v.x + v.y * v.y;
            let fast: BTreeSet<i32> = times
                .iter()
                .filter(|found| near(found.1, best))
                .map(|found| size(&found.0))
                .collect();
            let slower = fast.iter().all(|speed| *speed < size(&moved));
            let faster = fast.iter().all(|speed| *speed > size(&moved));
            let braking = fast.iter().all(|speed| *speed < size(&was.velocity));
            let said = match how {
                "brakes too late" => slower && braking,
                "is too fast here" => slower && !braking,
                "is too slow here" => faster,
                "drives a worse line" => !slower && !faster,
                _ => false,
            };
            return so(how, said);
        }
        let other = |text: &str| {
            let number = text.rsplit(' ').next().and_then(|number| number.parse::<usize>().ok());
            number.map(|number| number - 1).ok_or_else(|| format!("no car in {text}"))
        };
        if rest.starts_with("loses the lead to ") || rest.starts_with("falls behind ") {
            let other = other(rest)?;
            let theirs = [self.expected(remark.turn, other), self.expected(remark.turn + 1, other)];
            let ([Some(a), Some(b)], Some(then), Some(now)) = (theirs, then, now) else {
                return Err("no time".into());
            };
            so("was behind", then <= a)?;
            so("is ahead", now >= b + 0.25)?;
            let mut led = true;
            for car in (0..before.cars.len()).filter(|car| *car != seat) {
                led &= self.expected(remark.turn, car).is_none_or(|time| then < time);
            }
            return so("the lead", led == rest.starts_with("loses"));
        }
        if rest.starts_with("drives the fastest ") {
            return self.check_sector(remark, seat, rest);
        }
        if let Some(rest) = rest.strip_prefix("leads by ") {
            let others = (0..after.cars.len()).filter(|car| *car != seat);
            let others: Vec<f64> =
                others.filter_map(|car| self.expected(remark.turn + 1, car)).collect();
            let second = others.into_iter().fold(f64::INFINITY, f64::min);
            let lead = second - now.ok_or("no time")?;
            let per_lap = played.game().track().gates_per_lap();
            let place = match is.progress % per_lap {
                0 => format!("after lap {}", is.progress / per_lap),
                number => format!("at checkpoint {number}"),
            };
            so("not first", before.cars.iter().all(|car| car.progress < is.progress))?;
            return so("the lead", lead > 0.0 && rest == format!("{} {place}", count(lead)));
        }
        let time = now.ok_or("no time")?;
        so("not over the finish", matches!(is.standing, CarStatus::Finished { .. }))?;
        let others = after.cars.iter().enumerate().filter(|(car, _)| *car != seat);
        let finished = others.filter(|(_, car)| matches!(car.standing, CarStatus::Finished { .. }));
        let mut best: Option<(f64, usize)> = None;
        for (car, _) in finished {
            let theirs = self.expected(remark.turn + 1, car).ok_or("no time")?;
            best = Some(best.filter(|best| best.0 <= theirs).unwrap_or((theirs, car)));
        }
        let said = match best {
            None => format!("is over the finish after {}", count(time)),
            Some((first, _)) if time < first => "is over the finish and fastest so far".into(),
            Some((first, car)) if time == first => format!("finishes level with car {}", car + 1),
            Some((first, car)) => {
                format!("finishes {} behind car {}", count(time - first), car + 1)
            }
        };
        so("the finish", rest == said)
    }

    /// Sectors from the states alone: which car had crossed how much after which of its turns.
    fn check_sector(&self, remark: &Remark, seat: usize, rest: &str) -> Result<(), String> {
        let per_lap = self.played.game().track().gates_per_lap();
        let states = self.played.states();
        // By car and gate: its turns when it had crossed it, and the turn of the match.
        let mut crossed: BTreeMap<(usize, u16), (u32, usize)> = BTreeMap::new();
        for turn in 0..=remark.turn {
            let cars = states[turn].cars.iter().zip(&states[turn + 1].cars).enumerate();
            for (car, (was, is)) in cars {
                for gate in was.progress + 1..=is.progress {
                    crossed.insert((car, gate), (is.turns, turn));
                }
            }
        }
        let spent = |car: usize, gate: u16| {
            let begins = if gate == 1 { Some(0) } else { Some(crossed.get(&(car, gate - 1))?.0) };
            Some(crossed.get(&(car, gate))?.0 - begins?)
        };
        let ends =
            crossed.iter().filter(|((car, _), (_, turn))| *car == seat && *turn == remark.turn);
        let mut held = false;
        for ((_, gate), _) in ends {
            let own = spent(seat, *gate).ok_or("no sector")?;
            let number = (gate - 1) % per_lap + 1;
            let earlier = crossed.iter().filter(|((_, other), (_, turn))| {
                *turn < remark.turn
                    && (*other - 1) % per_lap + 1 == number
                    && (*other == 1) == (*gate == 1)
            });
            let best = earlier.filter_map(|((car, gate), _)| spent(*car, *gate)).min();
            let said = format!("drives the fastest sector {number} so far: {}", count(own.into()));
            held |= best.is_some_and(|best| own < best) && rest == said;
        }
        so("the sector", held)
    }
}

/// Who moved in a turn.
trait MoverAt {
    fn to_move_at(&self, turn: usize) -> outwit_core::play::Seat;
}

impl MoverAt for Match<Racetrack> {
    fn to_move_at(&self, turn: usize) -> outwit_core::play::Seat {
        outwit_core::play::Seat(self.states()[turn].mover)
    }
}
