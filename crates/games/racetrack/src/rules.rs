//! The race: cars with inertia, moving in seat order.

use super::exact::{ExactError, ExactTable, SharedTable};
use super::faults::faults;
use super::level::TrackFile;
use super::time::RaceTime;
use super::track::{GatesPassed, Track, Walk};
use outwit_core::grid::Cell;
use outwit_core::levels::Fault;
use outwit_core::play::{
    Chance, CheckedLevel, Game, GradedPlanner, MatchRules, Outcome, Place, Seat, SeatSpec, Seats,
    SetupError,
};
use outwit_kit::level_faults;
use rand::seq::SliceRandom;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::sync::Arc;

/// A race on one track.
#[derive(Clone)]
pub struct Racetrack {
    level: TrackFile,
    track: Track,
    cars: usize,
    table: SharedTable,
}

/// An acceleration, each component -1, 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Accelerate(pub Cell);

/// How a car stands in the race.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub enum CarStatus {
    /// On the track.
    Racing,
    /// Over the finish, entered at `num / den` of the last move.
    Finished {
        /// Numerator.
        num: i32,
        /// Denominator.
        den: i32,
    },
    /// Its race has ended without finishing.
    Out(OutReason),
}

/// Why a car is out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub enum OutReason {
    /// It left the track.
    Crashed,
    /// It took as many turns as [`Track::turn_limit`] allows and had not finished.
    TimedOut,
}

/// One car.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Car {
    /// Where it stands: after a crash the last cell on the track, after the finish the end of the
    /// move that crossed it, which may lie off the track or the map.
    pub cell: Cell,
    /// Cells a turn.
    pub velocity: Cell,
    /// What it has crossed.
    pub progress: GatesPassed,
    /// Turns spent, penalties included.
    pub turns: u32,
    /// Turns of a penalty still to be sat out.
    pub waiting: u32,
    /// How it stands.
    pub standing: CarStatus,
}

/// All cars and whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Race {
    /// One entry a seat.
    pub cars: Vec<Car>,
    /// The seat that moves next; one past the last when the race is over.
    pub mover: u8,
}

/// What a driver sees: everything.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RaceView {
    /// All cars.
    pub race: Race,
    /// Its own seat.
    pub seat: Seat,
}

impl RaceView {
    /// The driver's own car.
    pub fn car(&self) -> &Car {
        &self.race.cars[self.seat.index()]
    }

    /// The velocity of the driver's own car.
    pub fn velocity(&self) -> Cell {
        self.race.cars.get(self.seat.index()).map_or(Cell::default(), |car| car.velocity)
    }
}

/// Something that happened in a race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RaceEvent {
    /// A car moved from one cell centre towards another.
    Moved {
        /// Whose car.
        seat: Seat,
        /// Where it stood.
        from: Cell,
        /// Where the whole move would lead.
        to: Cell,
    },
    /// It crossed this checkpoint, or the finish in a lap before the last.
    Passed {
        /// Whose car.
        seat: Seat,
        /// What it has crossed in all.
        progress: GatesPassed,
    },
    /// It crossed the finish for the last time.
    Finished {
        /// Whose car.
        seat: Seat,
    },
    /// It left the track behind this cell.
    Crashed {
        /// Whose car.
        seat: Seat,
        /// The last cell on the track.
        at: Cell,
    },
    /// Other cars were in all its ways, so it stopped.
    BoxedIn {
        /// Whose car.
        seat: Seat,
    },
    /// It used up all its turns.
    TimedOut {
        /// Whose car.
        seat: Seat,
    },
}

/// Why an acceleration is illegal.
pub(super) enum Refusal {
    /// The steering does not allow this acceleration.
    Steering(Cell),
    /// This velocity would be too high.
    Speed(Cell),
    /// Another car stands where the move would end.
    Blocked,
}

/// Most cars in a race.
pub const MOST_CARS: usize = 6;

impl Racetrack {
    /// The track with its rules, the same for the whole race.
    pub fn track(&self) -> &Track {
        &self.track
    }

    /// The exact table of the track, computed once, by whoever asks first.
    ///
    /// # Errors
    /// As [`ExactTable::build`].
    pub fn exact_table(&self, stop: &dyn Fn() -> bool) -> Result<Arc<ExactTable>, ExactError> {
        self.table.get(&self.track, stop)
    }

    /// The start cell of each seat, as the chance draws it.
    pub fn grid(&self, chance: &Chance) -> Vec<Cell> {
        let mut grid = self.track.starts().to_vec();
        grid.shuffle(&mut chance.stream(0));
        grid.into_iter().cycle().take(self.cars).collect()
    }

    /// Time of a car that has finished.
    pub fn race_time(car: &Car) -> Option<RaceTime> {
        match car.standing {
            CarStatus::Finished { num, den } => Some(RaceTime { turns: car.turns, num, den }),
            _ => None,
        }
    }

    /// Time of a car that has finished, in turns: whole turns before the last and the fraction of
    /// the last move at which the finish was entered.
    pub fn time(car: &Car) -> Option<f64> {
        Self::race_time(car).map(RaceTime::in_turns)
    }

    /// Whether another car that still races stands on the cell.
    fn occupied(race: &Race, seat: Seat, cell: Cell) -> bool {
        race.cars.iter().enumerate().any(|(other, car)| {
            other != seat.index() && car.standing == CarStatus::Racing && car.cell == cell
        })
    }

    /// Whether the move is blocked by another car where it would land.
    fn is_blocked(&self, race: &Race, seat: Seat, velocity: Cell) -> bool {
        let car = &race.cars[seat.index()];
        self.track.blocks()
            && Self::occupied(race, seat, car.cell + velocity)
            && matches!(self.track.walk(car.cell, velocity, car.progress), Walk::Lands(_))
    }

    /// Whether the car has to stop where it is, whatever it chooses: every move would end on another
    /// car. At rest it also stays where the only other moves lead off the track.
    fn is_boxed_in(&self, race: &Race, seat: Seat) -> bool {
        let car = &race.cars[seat.index()];
        if !self.track.blocks() {
            return false;
        }
        let at_rest = car.velocity == Cell::default();
        let crashes =
            |w: Cell| matches!(self.track.walk(car.cell, w, car.progress), Walk::Crashes { .. });
        let mut any_blocked = false;
        let boxed_in = self
            .track
            .accelerations()
            .map(|a| car.velocity + a)
            .filter(|&w| self.track.allows(w))
            .all(|w| {
                let blocked = self.is_blocked(race, seat, w);
                any_blocked |= blocked;
                blocked || at_rest && crashes(w)
            });
        boxed_in && any_blocked
    }

    /// The accelerations that a seat may choose now.
    pub fn choices(&self, race: &Race, seat: Seat) -> Vec<Accelerate> {
        let mut choices: Vec<_> = self.track.accelerations().map(Accelerate).collect();
        choices.retain(|&action| self.refusal(race, seat, action).is_none());
        choices
    }

    /// Which rule forbids a seat to choose this now, if one does.
    pub(super) fn refusal(&self, race: &Race, seat: Seat, action: Accelerate) -> Option<Refusal> {
        let Accelerate(a) = action;
        if !self.track.steers(a) {
            return Some(Refusal::Steering(a));
        }
        let velocity = race.cars[seat.index()].velocity + a;
        if !self.track.allows(velocity) {
            return Some(Refusal::Speed(velocity));
        }
        let is_blocked = self.is_blocked(race, seat, velocity) && !self.is_boxed_in(race, seat);
        is_blocked.then_some(Refusal::Blocked)
    }

    /// Ranks finished cars before all others by exact time; equal times share a rank.
    fn compare(a: &Car, b: &Car) -> Ordering {
        match (Self::race_time(a), Self::race_time(b)) {
            (Some(a), Some(b)) => a.cmp(&b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            // Of those who did not finish, who got further is ahead.
            (None, None) => b.progress.cmp(&a.progress),
        }
    }

    /// Hands the turn to the next car that can move; penalties are sat out on the way.
    fn pass_turn(race: &mut Race) {
        let seats = race.cars.len();
        if race.cars.iter().all(|car| car.standing != CarStatus::Racing) {
            race.mover = seats as u8;
            return;
        }
        loop {
            race.mover = ((usize::from(race.mover) + 1) % seats) as u8;
            let car = &mut race.cars[usize::from(race.mover)];
            if car.standing != CarStatus::Racing {
                continue;
            }
            if car.waiting == 0 {
                return;
            }
            car.waiting -= 1;
        }
    }
}

impl Game for Racetrack {
    const ID: &'static str = "racetrack";
    const RULES_VERSION: u32 = 1;
    const GRADED: Option<GradedPlanner<Self>> = Some(super::planners::RIVAL);
    const SEATS: Seats = Seats {
        allowed: 1..=MOST_CARS,
        spec: |seat| {
            const PIECES: [&str; MOST_CARS] = ["car", "car-2", "car-3", "car-4", "car-5", "car-6"];
            let number = seat.0 + 1;
            SeatSpec {
                id: format!("car{number}"),
                title: format!("Car {number}"),
                piece: PIECES[seat.index() % MOST_CARS],
            }
        },
    };

    /// As many turns as all cars have; each is a turn of one car.
    const MATCH_RULES: MatchRules<Self> = MatchRules {
        most_turns: |race| (race.track.turn_limit() as usize).saturating_mul(race.cars),
        ..MatchRules::USUAL
    };

    type Level = TrackFile;
    type State = Race;
    type Action = Accelerate;
    type Observation = RaceView;
    type Event = RaceEvent;

    fn faults(level: &TrackFile) -> Vec<Fault> {
        level_faults::<Self>(level, faults)
    }

    fn new(level: &CheckedLevel<Self>, seats: usize) -> Result<Self, SetupError> {
        if !Self::SEATS.allowed.contains(&seats) {
            return Err(SetupError(format!("a race has 1 to {MOST_CARS} cars, not {seats}")));
        }
        let track = Track::new(level);
        let starts = track.starts().len();
        if track.blocks() && starts < seats {
            return Err(SetupError(format!(
                "{seats} cars that block each other need as many start cells; the track has {}",
                starts
            )));
        }
        Ok(Self {
            level: level.clone().into_inner(),
            track,
            cars: seats,
            table: SharedTable::default(),
        })
    }

    fn level(&self) -> &TrackFile {
        &self.level
    }

    fn seats(&self) -> usize {
        self.cars
    }

    fn start(&self, chance: &Chance) -> Result<Race, SetupError> {
        let cars = self
            .grid(chance)
            .into_iter()
            .map(|cell| Car {
                cell,
                velocity: Cell::default(),
                progress: 0,
                turns: 0,
                waiting: 0,
                standing: CarStatus::Racing,
            })
            .collect();
        Ok(Race { cars, mover: 0 })
    }

    fn to_move(&self, race: &Race) -> Vec<Seat> {
        if usize::from(race.mover) < race.cars.len() { vec![Seat(race.mover)] } else { Vec::new() }
    }

    fn observe(&self, _past: &[Race], race: &Race, seat: Seat) -> RaceView {
        RaceView { race: race.clone(), seat }
    }

    /// All accelerations that the rules allow, the null action first.
    fn actions(&self, race: &Race, seat: Seat) -> Option<Vec<Accelerate>> {
        let null = self.null_action(race, seat);
        let others = self.choices(race, seat).into_iter().filter(|choice| *choice != null);
        Some(std::iter::once(null).chain(others).collect())
    }

    fn legal(&self, race: &Race, seat: Seat, action: &Accelerate) -> Result<(), String> {
        match self.refusal(race, seat, *action) {
            None => Ok(()),
            Some(Refusal::Steering(a)) => {
                Err(format!("{a} is no acceleration that the steering allows"))
            }
            Some(Refusal::Speed(velocity)) => {
                Err(format!("velocity {velocity} is over the speed limit"))
            }
            Some(Refusal::Blocked) => Err("another car stands where this move ends".into()),
        }
    }

    /// Brakes if it can, and otherwise prefers what does not crash.
    fn null_action(&self, race: &Race, seat: Seat) -> Accelerate {
        let car = &race.cars[seat.index()];
        let brake = -Cell::new(car.velocity.x.signum(), car.velocity.y.signum());
        let crashes = |a: Cell| {
            matches!(
                self.track.walk(car.cell, car.velocity + a, car.progress),
                Walk::Crashes { .. }
            )
        };
        self.choices(race, seat)
            .into_iter()
            .min_by_key(|&Accelerate(a)| {
                (crashes(a), a != brake, (car.velocity + a).norm_squared())
            })
            .unwrap_or(Accelerate(brake))
    }

    fn advance(
        &self,
        race: &mut Race,
        actions: &[(Seat, Accelerate)],
        _chance: &Chance,
        events: &mut Vec<RaceEvent>,
    ) {
        for &(seat, Accelerate(a)) in actions {
            let boxed_in = self.is_boxed_in(race, seat);
            let car = &mut race.cars[seat.index()];
            car.turns += 1;
            if boxed_in {
                car.velocity = Cell::default();
                events.push(RaceEvent::BoxedIn { seat });
            } else {
                let from = car.cell;
                let velocity = car.velocity + a;
                let to = from + velocity;
                events.push(RaceEvent::Moved { seat, from, to });
                let before = car.progress;
                match self.track.walk(from, velocity, before) {
                    Walk::Lands(progress) => {
                        (car.cell, car.velocity, car.progress) = (to, velocity, progress);
                    }
                    Walk::Finishes { num, den } => {
                        (car.cell, car.velocity, car.progress) = (to, velocity, self.track.gates());
                        car.standing = CarStatus::Finished { num, den };
                    }
                    Walk::Crashes { last, progress } => {
                        (car.cell, car.velocity, car.progress) = (last, Cell::default(), progress);
                        match self.track.penalty() {
                            Some(turns) => {
                                car.waiting = turns;
                                car.turns += turns;
                            }
                            None => car.standing = CarStatus::Out(OutReason::Crashed),
                        }
                        events.push(RaceEvent::Crashed { seat, at: last });
                    }
                }
                let finished = matches!(car.standing, CarStatus::Finished { .. });
                for progress in before + 1..=car.progress - u16::from(finished) {
                    events.push(RaceEvent::Passed { seat, progress });
                }
                if finished {
                    events.push(RaceEvent::Finished { seat });
                }
            }
            if car.standing == CarStatus::Racing && car.turns >= self.track.turn_limit() {
                car.standing = CarStatus::Out(OutReason::TimedOut);
                events.push(RaceEvent::TimedOut { seat });
            }
        }
        Self::pass_turn(race);
    }

    fn outcome(&self, race: &Race) -> Option<Outcome> {
        if usize::from(race.mover) < race.cars.len() {
            return None;
        }
        let places: Vec<Place> = race
            .cars
            .iter()
            .map(|car| Place {
                rank: 1 + race
                    .cars
                    .iter()
                    .filter(|other| Self::compare(other, car) == Ordering::Less)
                    .count() as u32,
                score: Self::time(car),
                ending: match car.standing {
                    CarStatus::Finished { .. } => "finished",
                    CarStatus::Out(OutReason::TimedOut) => "timed out",
                    CarStatus::Out(OutReason::Crashed) | CarStatus::Racing => "crashed",
                }
                .into(),
            })
            .collect();
        let winners: Vec<String> = places
            .iter()
            .zip(0..)
            .filter(|(place, _)| place.rank == 1 && place.score.is_some())
            .map(|(_, seat)| Self::SEATS.id(Seat(seat)))
            .collect();
        let timed_out = |car: &Car| car.standing == CarStatus::Out(OutReason::TimedOut);
        let best = race.cars.iter().zip(&places).find(|(_, place)| place.rank == 1);
        let time = |place: &Place| time_in_words(place.score.unwrap_or_default());
        let headline = match (winners.as_slice(), best) {
            ([], _) if race.cars.iter().any(timed_out) => {
                format!("nobody finished; the limit is {} turns", self.track.turn_limit())
            }
            ([], _) => "nobody finished".to_owned(),
            ([only], Some((_, place))) if places.len() == 1 => {
                format!("{only} finished in {}", time(place))
            }
            ([only], Some((_, place))) => format!("{only} won in {}", time(place)),
            (many, Some((_, place))) => {
                format!("{} share the win in {}", many.join(" and "), time(place))
            }
            (_, None) => "nobody raced".to_owned(),
        };
        Some(Outcome { headline, places })
    }
}

/// A time in turns as people read it, to a hundredth: `17.79 turns`.
pub fn time_in_words(turns: f64) -> String {
    let text = format!("{turns:.2}");
    let turns = text.trim_end_matches('0').trim_end_matches('.');
    format!("{turns} {}", if turns == "1" { "turn" } else { "turns" })
}
