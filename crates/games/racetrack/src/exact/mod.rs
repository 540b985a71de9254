//! The time to the finish of every state of a race, exact and proved: the fewest turns, then the
//! least fraction of the last one.
//!
//! A state is a cell, a velocity and what has been crossed. Layer k holds the states from which the
//! race can be finished within k turns; it follows from layer k-1 by retrograde analysis. Sets of
//! positions are bitsets, one a velocity, so that one machine word serves a tile of 8 by 8
//! positions: the positions from which a velocity may be driven are a mask made by moving the track
//! along the cells that the move crosses, and the predecessors of a layer are that layer moved back
//! by the velocity and masked. Only the tiles that the last layer added to are looked at. The table
//! keeps what each layer added; the turns of a state are the layer that added it.

mod fraction;
mod layers;
mod moves;
mod sweep;
#[cfg(test)]
mod tests;
mod tiles;

use super::time::RaceTime;
use super::track::{GatesPassed, Track, Walk};
use fraction::Fractions;
use outwit_core::grid::Cell;
use outwit_core::platform::task::lock;
use outwit_core::play::Clock;
use std::sync::{Arc, Mutex};
pub use sweep::SweepStage;
use tiles::Tiles;

/// Most memory that building a table may take if nobody says otherwise, in bytes.
pub const MOST_BYTES: usize = 2 << 30;

/// Why there is no table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExactError {
    /// It would take more memory than it may.
    #[error(
        "the exact table of this track needs {} MiB or more, and it may take {} MiB: lower \
         rules.max_speed or rules.laps, or let another planner drive",
        needed >> 20, most >> 20
    )]
    TooLarge {
        /// Bytes.
        needed: usize,
        /// The limit in bytes.
        most: usize,
    },
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MoveOutlook {
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

impl MoveOutlook {
    /// Turns to the finish counting the move itself (and a penalty); `None` if it never comes.
    pub fn total(self, penalty: Option<u32>) -> Option<u32> {
        match self {
            MoveOutlook::Finishes => Some(1),
            MoveOutlook::Leads(turns) => Some(turns + 1),
            MoveOutlook::Crashes(Some(turns)) => Some(turns + 1 + penalty.unwrap_or(0)),
            MoveOutlook::Doomed | MoveOutlook::Crashes(None) => None,
        }
    }
}

/// The exact time to the finish of every state.
pub struct ExactTable {
    velocities: Velocities,
    tiles: Tiles,
    /// What the layers added, in their order: positions of a tile for one velocity. The first is empty.
    additions: Vec<u64>,
    /// By addition: the one before it to the same tile and velocity; 0 if it was the first.
    earlier: Vec<u32>,
    /// By layer: its first addition.
    layer_starts: Vec<u32>,
    /// By progress, tile and place of the velocity: the latest addition.
    latest: Vec<u32>,
    /// By progress, tile and cell: the least turns at any velocity, or 0.
    least: Vec<u32>,
    fractions: Fractions,
    /// Bytes that building it took at most.
    peak: usize,
}

/// The table of a race, computed when somebody first asks for it: planners, board and review of a race
/// need the same. Clones share it.
#[derive(Clone, Default)]
pub(super) struct SharedTable(Arc<Mutex<Option<Arc<ExactTable>>>>);

impl SharedTable {
    /// The table of this track, which must always be the same one.
    pub fn get(
        &self,
        track: &Track,
        stop: &dyn Fn() -> bool,
    ) -> Result<Arc<ExactTable>, ExactError> {
        // Held while the table is built, so that two who want it do not both build it.
        let mut table = lock(&self.0);
        if let Some(table) = &*table {
            return Ok(Arc::clone(table));
        }
        let built = Arc::new(ExactTable::build(track, stop)?);
        // What people and planners ask in a race is then mostly known.
        for &start in track.starts() {
            built.time(track, start, Cell::default(), 0);
        }
        *table = Some(Arc::clone(&built));
        Ok(built)
    }
}

/// A move of a fastest race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineMove {
    /// The change of the velocity.
    pub acceleration: Cell,
    /// The velocity that is driven.
    pub driven: Cell,
    /// Where the car stands then: behind the line if it finishes, on the edge of the road if it crashes, which may be
    /// the fastest way to stop.
    pub cell: Cell,
}

/// A state from which the finish can be reached.
#[derive(Clone, Copy)]
struct State {
    turns: u32,
    /// The addition that holds it.
    addition: u32,
    /// Its bit there.
    bit: u32,
}

impl ExactTable {
    /// Computes the table of a track.
    ///
    /// # Errors
    /// If it would take more than [`MOST_BYTES`], or `stop` says so.
    pub fn build(track: &Track, stop: &dyn Fn() -> bool) -> Result<Self, ExactError> {
        layers::build(track, MOST_BYTES, &mut |_| !stop())
    }

    /// The same in at most so many bytes, as long as the clock allows; one unit of work is one state.
    ///
    /// # Errors
    /// If it would take more memory, or the clock refuses.
    pub fn build_within(track: &Track, bytes: usize, clock: &Clock) -> Result<Self, ExactError> {
        layers::build(track, bytes, &mut |states| clock.take(states))
    }

    /// A table without states.
    fn new(track: &Track, velocities: Velocities, tiles: Tiles) -> Self {
        let gates = usize::from(track.gates());
        Self {
            additions: vec![0],
            earlier: vec![0],
            layer_starts: vec![0],
            latest: vec![0; gates * tiles.len() * velocities.places()],
            least: vec![0; gates * tiles.len() * 64],
            fractions: Fractions::new(velocities.reach),
            velocities,
            tiles,
            peak: 0,
        }
    }

    /// Adds positions of a tile (`home` counts progress and tile) at a velocity to the newest layer.
    fn add(&mut self, home: usize, place: usize, cells: u64) {
        let latest = &mut self.latest[home * self.velocities.places() + place];
        self.earlier.push(std::mem::replace(latest, self.additions.len() as u32));
        self.additions.push(cells);
    }

    /// Notes the turns of positions of which no state was known before.
    fn reach(&mut self, home: usize, cells: u64, turns: u32) {
        for bit in tiles::bits(cells) {
            self.least[home * 64 + bit as usize] = turns;
        }
    }

    /// Turns to the finish, at least 1; `None` if the finish cannot be reached any more (or the
    /// state is not one of the race: off the track, or faster than is possible).
    pub fn turns(&self, cell: Cell, velocity: Cell, progress: GatesPassed) -> Option<u32> {
        Some(self.state(cell, velocity, progress)?.turns)
    }

    fn state(&self, cell: Cell, velocity: Cell, progress: GatesPassed) -> Option<State> {
        let (tile, bit) = self.tiles.locate(cell)?;
        let home = usize::from(progress) * self.tiles.len() + tile;
        let place = self.velocities.place(velocity)?;
        let mut addition = *self.latest.get(home * self.velocities.places() + place)?;
        while addition != 0 {
            if self.additions[addition as usize] >> bit & 1 == 1 {
                return Some(State { turns: self.layer_of(addition), addition, bit });
            }
            addition = self.earlier[addition as usize];
        }
        None
    }

    /// The layer that an addition belongs to; 0 for the empty one.
    fn layer_of(&self, addition: u32) -> u32 {
        self.layer_starts.partition_point(|&start| start <= addition) as u32 - 1
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
        let (tile, bit) = self.tiles.locate(cell)?;
        let home = usize::from(progress) * self.tiles.len() + tile;
        self.least.get(home * 64 + bit as usize).copied().filter(|&turns| turns > 0)
    }

    /// What driving `velocity` from a cell leads to.
    pub fn outlook(
        &self,
        track: &Track,
        from: Cell,
        velocity: Cell,
        progress: GatesPassed,
    ) -> MoveOutlook {
        match track.walk(from, velocity, progress) {
            Walk::Finishes { .. } => MoveOutlook::Finishes,
            Walk::Lands(progress) => self
                .turns(from + velocity, velocity, progress)
                .map_or(MoveOutlook::Doomed, MoveOutlook::Leads),
            Walk::Crashes { last, progress } => MoveOutlook::Crashes(
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
    ) -> Option<(Cell, MoveOutlook)> {
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
    ) -> Option<(Cell, MoveOutlook)> {
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

    /// A race of the least time from a state, as its moves; empty if there is none.
    pub fn line(
        &self,
        track: &Track,
        cell: Cell,
        velocity: Cell,
        progress: GatesPassed,
    ) -> Vec<LineMove> {
        let mut cell = cell;
        let mut velocity = velocity;
        let mut progress = progress;
        let mut line = Vec::new();
        while self.turns(cell, velocity, progress).is_some() {
            let Some((acceleration, _)) = self.best(track, cell, velocity, progress) else { break };
            let driven = velocity + acceleration;
            (cell, velocity, progress) = track.drive(cell, driven, progress);
            line.push(LineMove { acceleration, driven, cell });
        }
        line
    }

    /// Number of states from which the finish can be reached.
    pub fn states(&self) -> usize {
        self.additions.iter().map(|cells| cells.count_ones() as usize).sum()
    }

    /// Bytes that the finished table holds, the fractions that were asked for included.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.additions[..])
            + size_of_val(&self.earlier[..])
            + (self.layer_starts.len() + self.latest.len() + self.least.len()) * size_of::<u32>()
            + self.tiles.bytes()
            + self.fractions.bytes()
    }

    /// Bytes that building it took at most.
    pub fn bytes_at_peak(&self) -> usize {
        self.peak
    }

    /// The greatest number of turns of any state.
    pub fn layers(&self) -> u32 {
        self.layer_of(self.additions.len() as u32 - 1)
    }
}

/// The velocities that can occur on a track, each with a place in a square that has one more row
/// and column on every side, so that each has neighbours all around.
struct Velocities {
    /// Those that the speed limit allows.
    list: Vec<Cell>,
    /// The greatest component.
    reach: i32,
}

impl Velocities {
    fn new(track: &Track) -> Self {
        let reach = track.fastest_component();
        let square = (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| Cell::new(x, y)));
        Self { list: square.filter(|&v| track.allows(v)).collect(), reach }
    }

    /// Places in a row.
    fn side(&self) -> usize {
        2 * self.reach as usize + 3
    }

    fn places(&self) -> usize {
        self.side() * self.side()
    }

    /// The place of a velocity; `None` if one of its components is too great.
    fn place(&self, velocity: Cell) -> Option<usize> {
        if velocity.x.abs() > self.reach || velocity.y.abs() > self.reach {
            return None;
        }
        let along = |component: i32| (component + self.reach + 1) as usize;
        Some(along(velocity.y) * self.side() + along(velocity.x))
    }

    /// The velocity at a place.
    fn at(&self, place: usize) -> Cell {
        let component = |along: usize| along as i32 - self.reach - 1;
        Cell::new(component(place % self.side()), component(place / self.side()))
    }
}
