//! Turns to finish of every state of a race, exact and proved.
//!
//! A state is a cell, a velocity and what has been crossed. Layer k holds the states from which the
//! race can be finished within k turns; it follows from layer k-1 by retrograde analysis. Sets of
//! positions are bitsets, one a velocity, so that one machine word serves 64 positions: the
//! positions from which a velocity may be driven are a mask made by shifting the track along the
//! cells that the move crosses, and the predecessors of a layer are that layer shifted back by the
//! velocity and masked. Only what the last layer added is looked at, and only its rows.

mod layers;
mod moves;
#[cfg(test)]
mod tests;

use super::track::{GatesPassed, Track, Walk};
use crate::grid::{Cell, Grid};
use std::sync::{Arc, Mutex, PoisonError};

/// Most memory that building a table may take, in bytes.
pub const MOST_BYTES: usize = 2 << 30;

/// Why there is no table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExactError {
    /// It would not fit into [`MOST_BYTES`].
    #[error(
        "the exact table of this track needs {} MiB, more than the {} MiB it may take: lower \
         rules.max_speed or rules.laps, or let another planner drive",
        needed >> 20, MOST_BYTES >> 20
    )]
    TooLarge {
        /// Bytes.
        needed: usize,
    },
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

/// The value of a state that cannot reach the finish.
const NEVER: u16 = u16::MAX;

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outlook {
    /// Over the finish.
    Finishes,
    /// The race can be finished in so many turns after this one.
    Leads(u32),
    /// On the track, but every way from there ends in a crash.
    Doomed,
    /// Off the track; with penalties the race can be finished in so many turns after this one and
    /// those of the penalty.
    Crashes(Option<u32>),
}

impl Outlook {
    /// Turns to the finish counting the move itself (and a penalty); `None` if it never comes.
    pub fn total(self, penalty: Option<u32>) -> Option<u32> {
        match self {
            Outlook::Finishes => Some(1),
            Outlook::Leads(turns) => Some(turns + 1),
            Outlook::Crashes(Some(turns)) => Some(turns + 1 + penalty.unwrap_or(0)),
            Outlook::Doomed | Outlook::Crashes(None) => None,
        }
    }
}

/// The exact number of turns to the finish of every state.
pub struct ExactTable {
    velocities: Velocities,
    /// Place of a road cell among the road cells; [`NO_ROAD`] for others.
    rank: Grid<u32>,
    road: usize,
    gates: usize,
    /// By progress, velocity and road cell.
    turns: Vec<u16>,
    layers: u32,
}

const NO_ROAD: u32 = u32::MAX;

impl ExactTable {
    /// Computes the table of a track.
    ///
    /// # Errors
    /// If it would take more than [`MOST_BYTES`], or `stop` says so.
    pub fn build(track: &Track, stop: &dyn Fn() -> bool) -> Result<Self, ExactError> {
        let needed = Self::bytes_to_build(track);
        if needed > MOST_BYTES {
            return Err(ExactError::TooLarge { needed });
        }
        layers::build(track, stop)
    }

    /// The table of a track, shared with whoever else has asked for it lately: planner, board and
    /// review of one race need the same.
    ///
    /// # Errors
    /// As [`ExactTable::build`].
    pub fn shared(track: &Track, stop: &dyn Fn() -> bool) -> Result<Arc<Self>, ExactError> {
        /// A track and its table, once somebody has finished it.
        type Entry = (Track, Arc<Mutex<Option<Arc<ExactTable>>>>);
        static LATEST: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
        const KEPT: usize = 3;
        let slot = {
            let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
            let known = latest.iter().position(|(known, _)| known == track);
            let entry = match known {
                Some(at) => latest.remove(at),
                None => (track.clone(), Arc::default()),
            };
            latest.insert(0, entry.clone());
            latest.truncate(KEPT);
            entry.1
        };
        // Only this track is held while its table is built: two who want the same one do not both
        // build it, and who wants another one does not wait.
        let mut table = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = &*table {
            return Ok(Arc::clone(table));
        }
        let built = Arc::new(Self::build(track, stop)?);
        *table = Some(Arc::clone(&built));
        Ok(built)
    }

    /// Bytes that building the table of a track takes at its peak.
    pub fn bytes_to_build(track: &Track) -> usize {
        let velocities = Velocities::new(track).len();
        let gates = usize::from(track.gates());
        let surfaces = track.surfaces();
        let set = surfaces.width().div_ceil(64) * 8 * surfaces.height();
        let values = gates * velocities * track.road_cells() * 2;
        // Known, newest and next layer for each progress; moves and predecessors once.
        values + (3 * gates + 2) * velocities * set
    }

    fn new(track: &Track, velocities: Velocities) -> Self {
        let mut road = 0;
        let rank = track.surfaces().map(|&surface| {
            if surface == super::level::Surface::Off {
                return NO_ROAD;
            }
            road += 1;
            road - 1
        });
        let (road, gates) = (road as usize, usize::from(track.gates()));
        let turns = vec![NEVER; gates * velocities.len() * road];
        Self { velocities, rank, road, gates, turns, layers: 0 }
    }

    /// Turns to the finish, at least 1; `None` if the finish cannot be reached any more (or the
    /// state is not one of the race: off the track, or faster than is possible).
    pub fn turns(&self, cell: Cell, velocity: Cell, progress: GatesPassed) -> Option<u32> {
        let rank = *self.rank.get(cell)?;
        if rank == NO_ROAD || usize::from(progress) >= self.gates {
            return None;
        }
        let velocity = self.velocities.slot(velocity)?;
        let block = usize::from(progress) * self.velocities.len() + velocity;
        let turns = self.turns[block * self.road + rank as usize];
        (turns != NEVER).then_some(u32::from(turns))
    }

    /// The least number of turns to the finish over all velocities at a cell.
    pub fn least_turns(&self, cell: Cell, progress: GatesPassed) -> Option<u32> {
        self.velocities.list.iter().filter_map(|&v| self.turns(cell, v, progress)).min()
    }

    /// What driving `velocity` from a cell leads to.
    pub fn outlook(
        &self,
        track: &Track,
        from: Cell,
        velocity: Cell,
        progress: GatesPassed,
    ) -> Outlook {
        match track.walk(from, velocity, progress) {
            Walk::Finishes { .. } => Outlook::Finishes,
            Walk::Lands(progress) => self
                .turns(from + velocity, velocity, progress)
                .map_or(Outlook::Doomed, Outlook::Leads),
            Walk::Crashes { last, progress } => Outlook::Crashes(
                track.penalty().and_then(|_| self.turns(last, Cell::default(), progress)),
            ),
        }
    }

    /// The best acceleration at a state and what it leads to: fewest turns, then the finish entered
    /// earliest in the last one. `None` if none is left within the speed limit.
    pub fn best(
        &self,
        track: &Track,
        cell: Cell,
        velocity: Cell,
        progress: GatesPassed,
    ) -> Option<(Cell, Outlook)> {
        let never = u32::MAX;
        track
            .accelerations()
            .filter(|&a| track.allows(velocity + a))
            .map(|a| (a, self.outlook(track, cell, velocity + a, progress)))
            .min_by_key(|&(a, outlook)| {
                let entered = match track.walk(cell, velocity + a, progress) {
                    // In millionths: enough to tell any two fractions of moves on a board apart.
                    Walk::Finishes { num, den } => i64::from(num) * 1_000_000 / i64::from(den),
                    _ => 0,
                };
                (
                    outlook.total(track.penalty()).unwrap_or(never),
                    outlook,
                    entered,
                    a.norm_squared(),
                )
            })
    }

    /// A shortest race from a state, as the velocities driven; empty if there is none.
    pub fn line(
        &self,
        track: &Track,
        cell: Cell,
        velocity: Cell,
        progress: GatesPassed,
    ) -> Vec<Cell> {
        let (mut cell, mut velocity, mut progress) = (cell, velocity, progress);
        let mut line = Vec::new();
        while self.turns(cell, velocity, progress).is_some() {
            let Some((a, _)) = self.best(track, cell, velocity, progress) else { break };
            let driven = velocity + a;
            line.push(driven);
            match track.walk(cell, driven, progress) {
                Walk::Lands(next) => (cell, velocity, progress) = (cell + driven, driven, next),
                Walk::Crashes { last, progress: next } => {
                    (cell, velocity, progress) = (last, Cell::default(), next);
                }
                Walk::Finishes { .. } => break,
            }
        }
        line
    }

    /// Number of states from which the finish can be reached.
    pub fn states(&self) -> usize {
        self.turns.iter().filter(|&&turns| turns != NEVER).count()
    }

    /// Bytes that the finished table holds.
    pub fn bytes(&self) -> usize {
        self.turns.len() * 2 + self.rank.len() * 4
    }

    /// The greatest number of turns of any state.
    pub fn layers(&self) -> u32 {
        self.layers
    }
}

/// The velocities that can occur on a track, numbered.
struct Velocities {
    list: Vec<Cell>,
    reach: i32,
    slots: Vec<Option<u16>>,
}

impl Velocities {
    fn new(track: &Track) -> Self {
        let reach = track.fastest_component();
        let square =
            || (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| Cell::new(x, y)));
        let list: Vec<Cell> = square().filter(|&v| track.allows(v)).collect();
        let mut slots = vec![None; square().count()];
        for (slot, v) in list.iter().enumerate() {
            slots[((v.y + reach) * (2 * reach + 1) + v.x + reach) as usize] = Some(slot as u16);
        }
        Self { list, reach, slots }
    }

    fn len(&self) -> usize {
        self.list.len()
    }

    fn slot(&self, velocity: Cell) -> Option<usize> {
        if velocity.x.abs() > self.reach || velocity.y.abs() > self.reach {
            return None;
        }
        let side = 2 * self.reach + 1;
        let place = (velocity.y + self.reach) * side + velocity.x + self.reach;
        self.slots[place as usize].map(usize::from)
    }
}
