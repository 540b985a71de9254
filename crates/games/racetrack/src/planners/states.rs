//! The states of a car as a graph with an estimate, as the searches see it.

use super::sight::{Leg, legs};
use super::space::{State, StateSpace};
use crate::{RaceTime, Racetrack, Walk};
use outwit_core::grid::{Cell, Grid, UNREACHED};
use outwit_core::play::Heat;
use outwit_core::search::{Evaluation, Space};
use std::sync::Arc;

/// In which order a search takes states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// As they were found: breadth-first.
    Breadth,
    /// By the turns so far: uniform cost.
    UniformCost,
    /// By the turns so far and the way left in cells (A*). A turn may cover many cells, so this exceeds the truth.
    AStarCells,
    /// By the turns so far and the fewest turns in which the way left could be driven, faster by a cell with each turn
    /// (A*).
    ///
    /// Admissible and consistent: a turn covers at most as many single steps as the larger part of the velocity, and
    /// this rises by at most 1 a turn, up to the limit.
    AStarTurns,
    /// By the evaluation of the original program alone, which never leaves the track.
    Sight,
}

impl Method {
    /// What orders the frontier; `None` for the order in which states are found.
    pub fn evaluation(self) -> Option<Evaluation> {
        match self {
            Method::Breadth => None,
            Method::UniformCost => Some(Evaluation::UniformCost),
            Method::AStarCells | Method::AStarTurns => Some(Evaluation::AStar),
            Method::Sight => Some(Evaluation::Greedy),
        }
    }
}

/// What a search knows of the way left.
enum Measure {
    /// Nothing.
    Nothing,
    /// By gates passed, the least single steps to the finish.
    Ways(Vec<Grid<u32>>),
    /// By gates passed, the original evaluation.
    Legs(Vec<Leg>),
}

/// The states of a car with a method's estimate.
pub struct SearchSpace {
    game: Arc<Racetrack>,
    method: Method,
    measure: Measure,
}

impl SearchSpace {
    /// States of which nothing is [measured](Self::measure_from) yet.
    pub fn new(game: Arc<Racetrack>, method: Method) -> Self {
        Self { game, method, measure: Measure::Nothing }
    }

    /// The method that takes them.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The race.
    pub fn game(&self) -> &Arc<Racetrack> {
        &self.game
    }

    /// Measures the track once, from the cell where the car stands.
    pub fn measure_from(&mut self, start: Cell) {
        let track = self.game.track();
        if let Measure::Nothing = self.measure {
            self.measure = match self.method {
                Method::Breadth | Method::UniformCost => Measure::Nothing,
                Method::AStarCells | Method::AStarTurns => Measure::Ways(track.ways()),
                Method::Sight => Measure::Legs(legs(track, start)),
            };
        }
    }

    /// Where an acceleration leads; `None` for the finish, and off the track where a crash ends the race.
    pub fn after(&self, state: State, a: Cell) -> State {
        let (cell, velocity, progress) = state?;
        let driven = velocity + a;
        match self.game.track().walk(cell, driven, progress) {
            Walk::Lands(progress) => Some((cell + driven, driven, progress)),
            Walk::Crashes { last, progress } if self.game.track().penalty().is_some() => {
                Some((last, Cell::default(), progress))
            }
            Walk::Finishes { .. } | Walk::Crashes { .. } => None,
        }
    }

    /// The time of a race in turns, given its accelerations.
    pub fn time(&self, start: State, path: &[Cell]) -> f64 {
        let mut state = start;
        let mut turns = 0;
        for &a in path {
            turns += 1;
            let Some((cell, velocity, progress)) = state else { break };
            match self.game.track().walk(cell, velocity + a, progress) {
                Walk::Finishes { num, den } => return RaceTime { turns, num, den }.in_turns(),
                Walk::Crashes { .. } => turns += self.game.track().penalty().unwrap_or_default(),
                Walk::Lands(_) => {}
            }
            state = self.after(state, a);
        }
        f64::from(turns)
    }

    /// Whether an acceleration ends off the track.
    fn crashes(&self, state: State, a: Cell) -> bool {
        state.is_some_and(|(cell, velocity, progress)| {
            let walk = self.game.track().walk(cell, velocity + a, progress);
            matches!(walk, Walk::Crashes { .. })
        })
    }

    /// The route that the estimate of a state looks at.
    pub fn route(&self, state: State) -> Option<&[Cell]> {
        let (_, _, progress) = state?;
        match &self.measure {
            Measure::Legs(legs) => legs.get(usize::from(progress)).map(|leg| leg.route.as_slice()),
            Measure::Nothing | Measure::Ways(_) => None,
        }
    }

    /// The estimates of cells with as many gates passed as in a state; for a car at rest, where speed counts.
    pub fn heat(&self, state: State) -> Option<Heat> {
        let (_, _, progress) = state?;
        let progress = usize::from(progress);
        let (about, cells) = match &self.measure {
            Measure::Nothing => return None,
            Measure::Legs(legs) => (
                "Estimated way to the finish from each cell, in thousandths of a cell, by \
                 sight of a shortest route. Lower is better; speed does not count.",
                legs.get(progress)?
                    .value
                    .iter()
                    .filter_map(|(cell, value)| Some((cell, (*value)?)))
                    .collect::<Vec<_>>(),
            ),
            Measure::Ways(ways) => {
                let ways = ways.get(progress)?.iter();
                let known = ways.filter(|&(_, &way)| way != UNREACHED);
                let value = |way| match self.method {
                    Method::AStarTurns => self.turns(way, Cell::default()),
                    _ => way,
                };
                let about = match self.method {
                    Method::AStarTurns => {
                        "The fewest turns in which a car at rest could drive the shortest way \
                         left from each cell, if it never had to brake."
                    }
                    _ => "The shortest way left from each cell, in cells.",
                };
                (about, known.map(|(cell, &way)| (cell, value(way))).collect())
            }
        };
        let cells = cells.into_iter().map(|(cell, value)| (cell, value as f32)).collect();
        Some(Heat { label: "Evaluation".into(), about: about.into(), cells })
    }

    /// The fewest turns for so many single steps at this velocity, faster by one with each turn.
    fn turns(&self, way: u32, velocity: Cell) -> u32 {
        let fastest = self.game.track().fastest_component();
        let mut left = i64::from(way);
        let mut turns = 0;
        let mut speed = velocity.x.abs().max(velocity.y.abs());
        while left > 0 {
            speed = (speed + 1).min(fastest);
            left -= i64::from(speed.max(1));
            turns += 1;
        }
        turns
    }
}

impl Space for SearchSpace {
    type State = State;
    type Action = Cell;

    fn successors(&self, state: &State, out: &mut Vec<(Cell, State, u32)>) {
        StateSpace::new(self.game.track()).successors(state, out);
        if self.method == Method::Sight {
            // With penalties a crash leads on as well; the original never leaves the track.
            out.retain(|(a, _, _)| !self.crashes(*state, *a));
        }
    }

    fn is_goal(&self, state: &State) -> bool {
        state.is_none()
    }

    fn heuristic(&self, state: &State) -> Option<u32> {
        let Some((cell, velocity, progress)) = *state else { return Some(0) };
        let progress = usize::from(progress);
        match &self.measure {
            Measure::Nothing => Some(0),
            // Out of sight of the route is worse than anything in sight.
            Measure::Legs(legs) => {
                Some(legs.get(progress)?.value.get(cell).copied()?.unwrap_or(u32::MAX / 2))
            }
            Measure::Ways(ways) => {
                let way = *ways.get(progress)?.get(cell)?;
                (way != UNREACHED).then(|| match self.method {
                    Method::AStarTurns => self.turns(way, velocity),
                    _ => way,
                })
            }
        }
    }
}
