//! The time to the finish of every state of a race, exact and proved: the fewest turns, then the
//! least fraction of the last one.
//!
//! A state is a cell, a velocity and what has been crossed. Layer k holds the states from which the
//! race can be finished within k turns; it follows from layer k-1 by retrograde analysis. Sets of
//! positions are bitsets, one a velocity, so that one machine word serves 64 positions: the
//! positions from which a velocity may be driven are a mask made by shifting the track along the
//! cells that the move crosses, and the predecessors of a layer are that layer shifted back by the
//! velocity and masked. Only what the last layer added is looked at, and only its rows.

mod fraction;
mod layers;
mod moves;
#[cfg(test)]
mod tests;

use super::time::RaceTime;
use super::track::{GatesPassed, Track, Walk};
use crate::grid::{Cell, Grid};
use fraction::Fractions;
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

/// Turns to the finish, one entry a state; the greatest value of the type where it never comes.
///
/// Few tracks need more than 65,534 turns, and half the memory is twice as fast.
enum Turns {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

impl Turns {
    /// The most turns that short entries hold.
    const MOST_SHORT: u32 = u16::MAX as u32 - 1;

    fn get(&self, state: usize) -> Option<u32> {
        match self {
            Turns::Short(turns) => {
                turns.get(state).filter(|&&turns| turns != u16::MAX).map(|&turns| turns.into())
            }
            Turns::Long(turns) => turns.get(state).copied().filter(|&turns| turns != u32::MAX),
        }
    }

    fn len(&self) -> usize {
        match self {
            Turns::Short(turns) => turns.len(),
            Turns::Long(turns) => turns.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Turns::Short(turns) => turns.len() * 2,
            Turns::Long(turns) => turns.len() * 4,
        }
    }

    /// Makes room for more turns than [`Turns::MOST_SHORT`].
    fn lengthen(&mut self) -> Result<(), ExactError> {
        let Turns::Short(short) = self else { return Ok(()) };
        let needed = short.len() * 6;
        if needed > MOST_BYTES {
            return Err(ExactError::TooLarge { needed });
        }
        let long = |&turns: &u16| if turns == u16::MAX { u32::MAX } else { turns.into() };
        *self = Turns::Long(short.iter().map(long).collect());
        Ok(())
    }
}

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

/// The exact time to the finish of every state.
pub struct ExactTable {
    velocities: Velocities,
    /// Place of a road cell among the road cells; [`NO_ROAD`] for others.
    rank: Grid<u32>,
    road: usize,
    gates: usize,
    /// By progress, velocity and road cell.
    turns: Turns,
    fractions: Fractions,
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
        // What people and planners ask in a race is then mostly known.
        for &start in track.starts() {
            built.time(track, start, Cell::default(), 0);
        }
        *table = Some(Arc::clone(&built));
        Ok(built)
    }

    /// Bytes that the table of a track takes at its peak, while it is built or while it is used.
    pub fn bytes_to_build(track: &Track) -> usize {
        let velocities = Velocities::new(track).len();
        let gates = usize::from(track.gates());
        let surfaces = track.surfaces();
        let set = surfaces.width().div_ceil(64) * 8 * surfaces.height();
        let values = gates * velocities * track.road_cells() * 2;
        // Known, newest and next layer for each progress; moves, predecessors and their sums once,
        // the sums for a square of velocities.
        // With penalties also where each velocity leaves the track.
        let fastest = track.fastest_component() as usize;
        let crashes = if track.penalty().is_some() { 2 * fastest } else { 0 };
        let sets = (3 * gates + 4 + crashes) * velocities * set;
        values + sets.max(values)
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
        let turns = Turns::Short(vec![u16::MAX; gates * velocities.len() * road]);
        let fractions = Fractions::new(velocities.reach);
        Self { velocities, rank, road, gates, turns, fractions, layers: 0 }
    }

    /// Turns to the finish, at least 1; `None` if the finish cannot be reached any more (or the
    /// state is not one of the race: off the track, or faster than is possible).
    pub fn turns(&self, cell: Cell, velocity: Cell, progress: GatesPassed) -> Option<u32> {
        self.turns.get(self.index(cell, velocity, progress)?)
    }

    /// Place of a state in the table.
    fn index(&self, cell: Cell, velocity: Cell, progress: GatesPassed) -> Option<usize> {
        let rank = *self.rank.get(cell)?;
        if rank == NO_ROAD || usize::from(progress) >= self.gates {
            return None;
        }
        let velocity = self.velocities.slot(velocity)?;
        let block = usize::from(progress) * self.velocities.len() + velocity;
        Some(block * self.road + rank as usize)
    }

    /// The least time to the finish, whole turns first; `None` where [`ExactTable::turns`] is. The
    /// track must be that of the table.
    pub fn time(
        &self,
        track: &Track,
        cell: Cell,
        velocity: Cell,
        progress: GatesPassed,
    ) -> Option<RaceTime> {
        let turns = self.turns(cell, velocity, progress)?;
        let (num, den) = self.fraction(track, cell, velocity, progress)?;
        Some(RaceTime { turns, num, den })
    }

    /// The least time of a race that goes on by driving `velocity` from a cell, that move and a
    /// penalty included; `None` if the finish never comes.
    pub fn time_by(
        &self,
        track: &Track,
        from: Cell,
        velocity: Cell,
        progress: GatesPassed,
    ) -> Option<RaceTime> {
        match track.walk(from, velocity, progress) {
            Walk::Finishes { num, den } => Some(RaceTime { turns: 1, num, den }),
            Walk::Lands(progress) => {
                Some(self.time(track, from + velocity, velocity, progress)?.after(1))
            }
            Walk::Crashes { last, progress } => {
                let penalty = track.penalty()?;
                Some(self.time(track, last, Cell::default(), progress)?.after(1 + penalty))
            }
        }
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

    /// The best acceleration at a state and what it leads to: the least time, whole turns first.
    /// `None` if none is left within the speed limit.
    pub fn best(
        &self,
        track: &Track,
        cell: Cell,
        velocity: Cell,
        progress: GatesPassed,
    ) -> Option<(Cell, Outlook)> {
        self.best_of(track, cell, velocity, progress, track.accelerations())
    }

    /// The best among these accelerations and what it leads to, as [`ExactTable::best`].
    pub fn best_of(
        &self,
        track: &Track,
        cell: Cell,
        velocity: Cell,
        progress: GatesPassed,
        accelerations: impl IntoIterator<Item = Cell>,
    ) -> Option<(Cell, Outlook)> {
        let outlook = |a| self.outlook(track, cell, velocity + a, progress);
        let time = |a| self.time_by(track, cell, velocity + a, progress);
        accelerations
            .into_iter()
            .filter(|&a| track.allows(velocity + a))
            .map(|a| (a, outlook(a)))
            .min_by_key(|&(a, outlook)| {
                let time = time(a);
                (time.is_none(), time, outlook, a.norm_squared())
            })
    }

    /// A race of the least time from a state, as the velocities driven; empty if there is none.
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
        (0..self.turns.len()).filter(|&state| self.turns.get(state).is_some()).count()
    }

    /// Bytes that the finished table holds, the fractions that were asked for included.
    pub fn bytes(&self) -> usize {
        self.turns.bytes() + self.fractions.bytes() + self.rank.len() * 4
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
        self.slots[self.place(velocity)?].map(usize::from)
    }

    /// Place in the square of all velocities that are no faster in either direction.
    fn place(&self, velocity: Cell) -> Option<usize> {
        if velocity.x.abs() > self.reach || velocity.y.abs() > self.reach {
            return None;
        }
        let side = 2 * self.reach + 1;
        Some(((velocity.y + self.reach) * side + velocity.x + self.reach) as usize)
    }
}
