//! The game: one thief who draws a whole path, which is rated once.

use super::ground::{Ground, RouteEnd};
use super::level::{self, StealthFile};
use super::patrol::patrols;
use super::route::Route;
use crate::grid::Cell;
use crate::play::{Chance, Closing, Game, Outcome, Place, Seat, SeatSpec, SetupError};
use serde::Serialize;
use std::ops::RangeInclusive;

/// The game on one level.
#[derive(Clone, Debug)]
pub struct Stealth {
    level: StealthFile,
    ground: Ground,
}

/// What the thief did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Heist {
    /// The path that was taken; `None` before.
    pub route: Option<Route>,
}

/// Something that happened on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StealthEvent {
    /// The thief moved one cell.
    Moved {
        /// Where it stood.
        from: Cell,
        /// Where it stands now.
        to: Cell,
        /// Whether a guard sees it there.
        seen: bool,
    },
    /// The path ended here.
    Ended {
        /// The last cell.
        at: Cell,
        /// How.
        end: RouteEnd,
        /// After how many moves.
        moves: usize,
    },
}

impl RouteEnd {
    /// The ending in a few words, as in results and tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Goal => "reached the goal",
            Self::Stuck => "stuck",
            Self::GaveUp => "gave up",
        }
    }
}

impl Stealth {
    /// The board with its costs.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// How the path of a finished match ends.
    pub fn end(&self, heist: &Heist) -> Option<RouteEnd> {
        self.ground.check(heist.route.as_ref()?).ok()
    }
}

impl Game for Stealth {
    const ID: &'static str = "stealth";
    const RULES_VERSION: u32 = 1;

    type Level = StealthFile;
    type State = Heist;
    type Action = Route;
    /// Everything is seen.
    type Observation = Heist;
    type Event = StealthEvent;

    fn new(level: &StealthFile, seats: usize) -> Result<Self, SetupError> {
        if seats != 1 {
            return Err(SetupError(format!("Stealth is for one thief, not {seats}")));
        }
        let mut faults = level.general_faults(level::FORMAT);
        if faults.is_empty() {
            faults = level::faults(level);
        }
        match faults.first() {
            Some(fault) => Err(SetupError(fault.to_string())),
            None => Ok(Self {
                ground: Ground::new(
                    level::tiles(level),
                    patrols(level).unwrap_or_default(),
                    &level.rules,
                ),
                level: level.clone(),
            }),
        }
    }

    fn level(&self) -> &StealthFile {
        &self.level
    }

    fn seats(&self) -> usize {
        1
    }

    fn seats_allowed() -> RangeInclusive<usize> {
        1..=1
    }

    fn seat_spec(_seat: Seat) -> SeatSpec {
        SeatSpec { id: "thief".into(), title: "Thief".into(), piece: "thief" }
    }

    fn start(&self, _chance: &Chance) -> Result<Heist, SetupError> {
        Ok(Heist::default())
    }

    fn to_move(&self, heist: &Heist) -> Vec<Seat> {
        if heist.route.is_some() { Vec::new() } else { vec![Seat(0)] }
    }

    fn observe(&self, _past: &[Heist], heist: &Heist, _seat: Seat) -> Heist {
        heist.clone()
    }

    fn legal(&self, _heist: &Heist, _seat: Seat, route: &Route) -> Result<(), String> {
        self.ground.check(route).map(|_| ())
    }

    /// Giving up at the start.
    fn null_action(&self, _heist: &Heist, _seat: Seat) -> Route {
        Route::default()
    }

    fn advance(
        &self,
        heist: &mut Heist,
        actions: &[(Seat, Route)],
        _chance: &Chance,
        events: &mut Vec<StealthEvent>,
    ) {
        for (_, route) in actions {
            let cells = route.cells(self.ground.start());
            events.extend(cells.windows(2).zip(1..).map(|(pair, time)| StealthEvent::Moved {
                from: pair[0],
                to: pair[1],
                seen: self.ground.exposure_at(pair[1], time) > 0,
            }));
            if let (Some(&at), Ok(end)) = (cells.last(), self.ground.check(route)) {
                events.push(StealthEvent::Ended { at, end, moves: route.0.len() });
            }
            heist.route = Some(route.clone());
        }
    }

    fn outcome(&self, heist: &Heist) -> Option<Outcome> {
        let (route, end) = (heist.route.as_ref()?, self.end(heist)?);
        let fitness = self.ground.amount(self.ground.fitness(route));
        let moves = route.0.len();
        let moves = format!("{moves} {}", if moves == 1 { "move" } else { "moves" });
        let headline = match end {
            RouteEnd::Goal => format!("Reached the goal in {moves}: fitness {fitness}"),
            RouteEnd::Stuck => format!("Stuck after {moves}: fitness {fitness}"),
            RouteEnd::GaveUp => format!("Gave up after {moves}: fitness {fitness}"),
        };
        let place = Place { rank: 1, score: Some(fitness.to_f64()), ending: end.word().into() };
        Some(Outcome { headline, places: vec![place] })
    }

    fn closed(&self, _heist: &Heist, _seat: Seat, closing: Closing) -> Outcome {
        let headline = match closing {
            Closing::Resigned => "The thief never set out",
            Closing::Unsolved => "No path was found",
            Closing::Failed => "The engine failed",
        };
        let ending = closing.word().into();
        Outcome { headline: headline.into(), places: vec![Place { rank: 1, score: None, ending }] }
    }
}
