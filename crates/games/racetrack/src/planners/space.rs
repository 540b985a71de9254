//! A race of one car as a graph, for plain searches over hashed states.

use crate::track::{GatesPassed, Track, Walk};
use outwit_core::grid::Cell;
use outwit_core::search::Space;

/// Cell, velocity and what has been crossed; `None` for the finish.
pub type State = Option<(Cell, Cell, GatesPassed)>;

/// All states of one car on a track; an edge is a turn, and a crash with a penalty costs more.
pub struct StateSpace<'a> {
    track: &'a Track,
}

impl<'a> StateSpace<'a> {
    /// The states of a car on a track.
    pub fn new(track: &'a Track) -> Self {
        Self { track }
    }

    /// A car at rest at the start of a race.
    pub fn at_rest(&self, cell: Cell) -> State {
        Some((cell, Cell::default(), 0))
    }
}

impl Space for StateSpace<'_> {
    type State = State;
    type Action = Cell;

    fn successors(&self, state: &State, out: &mut Vec<(Cell, State, u32)>) {
        let Some((cell, velocity, progress)) = *state else { return };
        for a in self.track.accelerations() {
            let driven = velocity + a;
            if !self.track.allows(driven) {
                continue;
            }
            match self.track.walk(cell, driven, progress) {
                Walk::Finishes { .. } => out.push((a, None, 1)),
                Walk::Lands(progress) => out.push((a, Some((cell + driven, driven, progress)), 1)),
                Walk::Crashes { last, progress } => {
                    if let Some(penalty) = self.track.penalty() {
                        out.push((a, Some((last, Cell::default(), progress)), 1 + penalty));
                    }
                }
            }
        }
    }

    fn is_goal(&self, state: &State) -> bool {
        state.is_none()
    }
}
