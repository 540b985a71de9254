//! The game: one thief who draws a whole path, which is rated once, or in the fog goes step by step.

use super::faults::faults;
use super::fog::{Seen, as_known};
use super::ground::{Ground, RouteEnd};
use super::level::{self, StealthFile};
use super::patrol::patrols;
use super::route::Route;
use outwit_core::grid::Cell;
use outwit_core::levels::Fault;
use outwit_core::play::{
    Chance, CheckedLevel, Closing, Game, MatchRules, Outcome, Place, Seat, SeatSpec, Seats,
    SetupError,
};
use outwit_kit::level_faults;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// The game on one level.
#[derive(Clone, Debug)]
pub struct Stealth {
    level: StealthFile,
    ground: Ground,
}

/// What the thief did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Heist {
    /// The path so far.
    pub walked: Route,
    /// Whether it ends here.
    pub is_over: bool,
    /// What the thief has seen, in the fog.
    pub seen: Option<Seen>,
}

impl Heist {
    /// The path that was taken; `None` before it ends.
    pub fn taken(&self) -> Option<&Route> {
        self.is_over.then_some(&self.walked)
    }
}

/// What the thief knows.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Glimpse {
    /// The moves so far.
    pub moves: usize,
    /// Where the thief is.
    pub thief: Cell,
    /// The cells that the thief has walked so far, from the start to where it is.
    pub path: Vec<Cell>,
    /// The loop of each guard on patrol that the thief knows of: its cell after 0, 1, 2, … moves, after which it
    /// begins again.
    pub patrols: Vec<Vec<Cell>>,
    /// In the fog, the house as far as the thief knows it, from where it stands now and without fog; as a
    /// level where it is written.
    #[serde(serialize_with = "as_level")]
    #[schemars(with = "Option<StealthFile>")]
    pub known: Option<Arc<Stealth>>,
}

fn as_level<S: Serializer>(known: &Option<Arc<Stealth>>, to: S) -> Result<S::Ok, S::Error> {
    known.as_ref().map(|known| &known.level).serialize(to)
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
        /// With how many moves of this turn.
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
        self.ground.check(heist.taken()?).ok()
    }

    /// Whether the thief knows only what it has seen.
    pub fn is_foggy(&self) -> bool {
        self.level.rules.sight.is_some()
    }

    /// In the fog the game as the thief knows it, from where it stands now and without fog: unseen cells
    /// are free ground.
    pub fn known(&self, heist: &Heist) -> Option<Self> {
        let seen = heist.seen.as_ref()?;
        let (level, ground) = as_known(&self.level, &self.ground, &heist.walked, seen);
        Some(Self { level, ground })
    }
}

impl Game for Stealth {
    const ID: &'static str = "stealth";
    const RULES_VERSION: u32 = 1;
    const SEATS: Seats = Seats {
        allowed: 1..=1,
        spec: |_| SeatSpec { id: "thief".into(), title: "Thief".into(), piece: "thief" },
    };
    const MATCH_RULES: MatchRules<Self> = MatchRules { closed, ..MatchRules::USUAL };

    type Level = StealthFile;
    type State = Heist;
    type Action = Route;
    type Observation = Glimpse;
    type Event = StealthEvent;

    fn faults(level: &StealthFile) -> Vec<Fault> {
        level_faults::<Self>(level, faults)
    }

    fn new(level: &CheckedLevel<Self>, seats: usize) -> Result<Self, SetupError> {
        if seats != 1 {
            return Err(SetupError(format!("Stealth is for one thief, not {seats}")));
        }
        let patrols = patrols(level).unwrap_or_default();
        Ok(Self {
            ground: Ground::new(level::tiles(level), patrols, &level.rules),
            level: level.clone().into_inner(),
        })
    }

    fn level(&self) -> &StealthFile {
        &self.level
    }

    /// In the fog what the thief sees before its first move.
    fn public_level(&self) -> StealthFile {
        let seen = self.level.rules.sight.map(|sight| Seen::at_the_start(&self.ground, sight));
        let heist = Heist { seen, ..Heist::default() };
        match self.known(&heist) {
            None => self.level.clone(),
            Some(known) => {
                let mut level = known.level;
                level.rules.sight = self.level.rules.sight;
                level
            }
        }
    }

    fn seats(&self) -> usize {
        1
    }

    fn start(&self, _chance: &Chance) -> Result<Heist, SetupError> {
        let sight = self.level.rules.sight;
        let seen = sight.map(|sight| Seen::at_the_start(&self.ground, sight));
        Ok(Heist { seen, ..Heist::default() })
    }

    fn to_move(&self, heist: &Heist) -> Vec<Seat> {
        if heist.is_over { Vec::new() } else { vec![Seat(0)] }
    }

    fn observe(&self, _past: &[Heist], heist: &Heist, _seat: Seat) -> Glimpse {
        let ground = &self.ground;
        let known = |at: usize| heist.seen.as_ref().is_none_or(|seen| seen.patrols()[at]);
        let patrols = ground.patrols().iter().enumerate().filter(|&(at, _)| known(at));
        let path = heist.walked.cells(ground.start());
        Glimpse {
            moves: heist.walked.0.len(),
            thief: path.last().copied().unwrap_or(ground.start()),
            path,
            patrols: patrols.map(|(_, cells)| cells.clone()).collect(),
            known: self.known(heist).map(Arc::new),
        }
    }

    /// A whole path; in the fog one move, or none to stop there.
    fn legal(&self, heist: &Heist, _seat: Seat, route: &Route) -> Result<(), String> {
        if heist.seen.is_some() && route.0.len() > 1 {
            return Err("in the fog the thief goes step by step".into());
        }
        self.ground.check(&heist.walked.and(route)).map(|_| ())
    }

    /// Stopping here.
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
            let before = heist.walked.0.len();
            heist.walked.0.extend(&route.0);
            let cells = heist.walked.cells(self.ground.start());
            let steps = cells.windows(2).enumerate().skip(before);
            for (pair, time) in steps.map(|(before, pair)| (pair, before + 1)) {
                let seen = self.ground.exposure_at(pair[1], time) > 0;
                events.push(StealthEvent::Moved { from: pair[0], to: pair[1], seen });
                if let (Some(known), Some(sight)) = (&mut heist.seen, self.level.rules.sight) {
                    known.look(&self.ground, pair[1], time, sight);
                }
            }
            if let (Some(&at), Ok(end)) = (cells.last(), self.ground.check(&heist.walked)) {
                heist.is_over =
                    heist.seen.is_none() || route.0.is_empty() || end != RouteEnd::GaveUp;
                if heist.is_over {
                    events.push(StealthEvent::Ended { at, end, moves: route.0.len() });
                }
            }
        }
    }

    fn outcome(&self, heist: &Heist) -> Option<Outcome> {
        let route = heist.taken()?;
        let end = self.end(heist)?;
        let fitness = self.ground.amount(self.ground.fitness(route));
        let moves = route.0.len();
        let moves = format!("{moves} {}", if moves == 1 { "move" } else { "moves" });
        let headline = match end {
            RouteEnd::Goal => {
                let cost = self.ground.amount(self.ground.route_cost(route));
                format!("Reached the goal in {moves} at a cost of {cost} (less is better)")
            }
            RouteEnd::Stuck => format!("Stuck after {moves}: fitness {fitness} (less is better)"),
            RouteEnd::GaveUp => {
                format!("Gave up after {moves}: fitness {fitness} (less is better)")
            }
        };
        let place = Place { rank: 1, score: Some(fitness.to_f64()), ending: end.word().into() };
        Some(Outcome { headline, places: vec![place] })
    }
}

fn closed(_: &Stealth, _heist: &Heist, _seat: Seat, closing: Closing) -> Outcome {
    let headline = match closing {
        Closing::Resigned => "The thief gave up",
        Closing::Unsolved => "No path was found",
        Closing::Failed => "The engine failed",
        Closing::TimeOver | Closing::Agreed => "Out of time",
    };
    let ending = closing.word().into();
    Outcome { headline: headline.into(), places: vec![Place { rank: 1, score: None, ending }] }
}
