//! A track made ready for racing, and how one move goes over it.

use super::level::{
    Contact, Crash, RaceRules, Steering, Surface, TrackFile, single_steps, starts, surfaces,
};
use outwit_core::grid::{Cell, Grid, STRAIGHT, UNREACHED, crossings, distances, path_lengths};

/// The next thing that a car must cross, counted from the start of the race.
///
/// In every lap come checkpoint 1, 2, … and then the finish; the race is over when all are crossed.
pub type GatesPassed = u16;

/// Turns that every car has, however short its way.
const BASE_TURNS: u32 = 1000;
/// Turns that a car has for each step of its way.
const TURNS_PER_STEP: u32 = 4;

/// Whether a velocity is at most so many cells a turn.
fn is_within(velocity: Cell, limit: u32) -> bool {
    i64::from(velocity.x).pow(2) + i64::from(velocity.y).pow(2) <= i64::from(limit).pow(2)
}

/// A track with its rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Track {
    surfaces: Grid<Surface>,
    starts: Vec<Cell>,
    checkpoints: u8,
    has_sand: bool,
    rules: RaceRules,
    turn_limit: u32,
}

/// How one move ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walk {
    /// On the track, with this much behind it.
    Lands(GatesPassed),
    /// Over the finish, entered at `num / den` of the move.
    Finishes {
        /// Numerator.
        num: i32,
        /// Denominator, greater than 0.
        den: i32,
    },
    /// Off the track, or onto sand too fast.
    Crashes {
        /// The last cell on the track.
        last: Cell,
        /// What was crossed before.
        progress: GatesPassed,
    },
}

impl Track {
    /// A track from a level without faults.
    pub fn new(level: &TrackFile) -> Self {
        let surfaces = surfaces(level);
        let checkpoints = surfaces
            .as_slice()
            .iter()
            .map(|surface| if let Surface::Checkpoint(n) = surface { *n } else { 0 })
            .max()
            .unwrap_or(0);
        let starts = starts(&surfaces);
        let rules = level.rules.clone();
        let has_sand = surfaces.as_slice().contains(&Surface::Sand);
        let mut track = Self { surfaces, starts, checkpoints, has_sand, rules, turn_limit: 0 };
        track.turn_limit = BASE_TURNS.saturating_add(track.steps().saturating_mul(TURNS_PER_STEP));
        track
    }

    /// Turns, penalties included, after which a car that has not finished is out: 1000 and 4 for
    /// each step of a way over all gates.
    ///
    /// From rest a car moves to a neighbouring cell and stops there in 2 turns, so whoever can
    /// finish at all needs at most half of it.
    pub fn turn_limit(&self) -> u32 {
        self.turn_limit
    }

    /// Steps of the way that takes the cars of any start from each gate to the nearest cell of the
    /// next one, in all laps.
    fn steps(&self) -> u32 {
        let mut from = self.starts.clone();
        let mut steps = 0_u32;
        let mut lap = Vec::new();
        // The legs of the second lap are those of every later one.
        for progress in 0..self.gates().min(2 * self.gates_per_lap()) {
            let gate = self.gate_cells(progress);
            let directions = single_steps(&self.rules);
            let reach =
                distances(&self.surfaces, gate.iter().copied(), directions, |cell, _: &Surface| {
                    self.is_road(cell)
                });
            let reached = from.iter().map(|&cell| reach[cell]).filter(|&d| d != UNREACHED);
            let leg = reached.max().unwrap_or(0);
            steps = steps.saturating_add(leg);
            lap.push(leg);
            from = gate;
        }
        let later = lap.get(usize::from(self.gates_per_lap())..).unwrap_or_default();
        let laps = self.rules.laps.saturating_sub(2);
        steps.saturating_add(later.iter().sum::<u32>().saturating_mul(laps))
    }

    /// The cells of what has to be crossed next; none once all is.
    fn gate_cells(&self, progress: GatesPassed) -> Vec<Cell> {
        let next = self.next_gate(progress);
        let cells = self.surfaces.iter().filter(|&(_, &surface)| next == Some(surface));
        cells.map(|(cell, _)| cell).collect()
    }

    /// For each number of gates passed the length of the shortest way from each cell over the other ones in their order,
    /// in steps to a neighbouring cell; [`UNREACHED`] where there is none.
    pub fn ways(&self) -> Vec<Grid<u32>> {
        let is_road = |cell, _: &Surface| self.is_road(cell);
        let mut ways: Vec<Grid<u32>> = Vec::new();
        for progress in (0..self.gates()).rev() {
            let beyond = |cell: &Cell| ways.last().map_or(0, |way| way[*cell]);
            let gate = self.gate_cells(progress).into_iter().map(|cell| (cell, beyond(&cell)));
            let gate: Vec<(Cell, u32)> = gate.filter(|&(_, beyond)| beyond != UNREACHED).collect();
            let steps = single_steps(&self.rules);
            ways.push(path_lengths(&self.surfaces, gate, steps, STRAIGHT, is_road));
        }
        ways.reverse();
        ways.iter()
            .map(|way| {
                way.map(|&length| if length == UNREACHED { UNREACHED } else { length / STRAIGHT })
            })
            .collect()
    }

    /// What each cell is.
    pub fn surfaces(&self) -> &Grid<Surface> {
        &self.surfaces
    }

    /// The rules of the level, in their ranges.
    pub fn rules(&self) -> &RaceRules {
        &self.rules
    }

    /// Where cars may start.
    pub fn starts(&self) -> &[Cell] {
        &self.starts
    }

    /// Number of checkpoints in a lap.
    pub fn checkpoints(&self) -> u8 {
        self.checkpoints
    }

    /// Number of things to cross in a lap: the checkpoints and the finish.
    pub fn gates_per_lap(&self) -> u16 {
        u16::from(self.checkpoints) + 1
    }

    /// Number of things to cross in the whole race.
    pub fn gates(&self) -> GatesPassed {
        self.gates_per_lap() * self.rules.laps as u16
    }

    /// What has to be crossed next; `None` once all is.
    pub fn next_gate(&self, progress: GatesPassed) -> Option<Surface> {
        if progress >= self.gates() {
            return None;
        }
        let place = progress % self.gates_per_lap();
        Some(if place == u16::from(self.checkpoints) {
            Surface::Finish
        } else {
            Surface::Checkpoint(place as u8 + 1)
        })
    }

    /// Whether a cell is part of the track.
    pub fn is_road(&self, cell: Cell) -> bool {
        self.surfaces.get(cell).is_some_and(|&surface| surface != Surface::Off)
    }

    /// Whether any cell of the track is sand.
    pub fn has_sand(&self) -> bool {
        self.has_sand
    }

    /// Number of cells of the track.
    pub fn road_cells(&self) -> usize {
        self.surfaces.as_slice().iter().filter(|&&surface| surface != Surface::Off).count()
    }

    /// Whether a velocity is within the speed limit.
    pub fn allows(&self, velocity: Cell) -> bool {
        self.rules.max_speed.is_none_or(|limit| is_within(velocity, limit))
    }

    /// Whether a surface carries a car of this velocity: sand only a slow one.
    pub fn carries(&self, surface: Surface, velocity: Cell) -> bool {
        match surface {
            Surface::Off => false,
            Surface::Sand => is_within(velocity, self.rules.sand_speed),
            Surface::Road | Surface::Start | Surface::Checkpoint(_) | Surface::Finish => true,
        }
    }

    /// Whether the steering allows an acceleration.
    pub fn steers(&self, acceleration: Cell) -> bool {
        let Cell { x, y } = acceleration;
        (-1..=1).contains(&x)
            && (-1..=1).contains(&y)
            && (self.rules.steering == Steering::Nine || acceleration != Cell::default())
    }

    /// The accelerations that the steering knows, row by row.
    pub fn accelerations(&self) -> impl Iterator<Item = Cell> + use<> {
        let coast = self.rules.steering == Steering::Nine;
        (-1..=1)
            .flat_map(|y| (-1..=1).map(move |x| Cell::new(x, y)))
            .filter(move |&a| coast || a != Cell::default())
    }

    /// Turns that leaving the track costs beside the turn itself; `None` if it ends the race.
    pub fn penalty(&self) -> Option<u32> {
        match self.rules.crash {
            Crash::Out => None,
            Crash::Penalty(turns) => Some(turns),
        }
    }

    /// Whether cars are in each other's way.
    pub fn blocks(&self) -> bool {
        self.rules.contact == Contact::Block
    }

    /// Follows a move from the centre of `from` by `velocity`, cell by cell. Sand ends it like the edge of the track if
    /// it is too fast, also where it begins on sand.
    ///
    /// Crossing nothing but the cell itself, a move of (0,0) always lands.
    pub fn walk(&self, from: Cell, velocity: Cell, mut progress: GatesPassed) -> Walk {
        let mut last = from;
        for crossing in crossings(from, from + velocity).skip(1) {
            match self.surfaces.get(crossing.cell) {
                Some(&surface) if self.carries(surface, velocity) => {
                    if self.next_gate(progress) == Some(surface) {
                        progress += 1;
                        if progress == self.gates() {
                            return Walk::Finishes { num: crossing.num, den: crossing.den };
                        }
                    }
                }
                _ => return Walk::Crashes { last, progress },
            }
            last = crossing.cell;
        }
        Walk::Lands(progress)
    }

    /// Whether what ends a move first, if anything does, is sand.
    pub fn meets_sand(&self, from: Cell, velocity: Cell) -> bool {
        let mut way = crossings(from, from + velocity).skip(1);
        let stop = way.find_map(|crossing| {
            let surface = self.surfaces.get(crossing.cell).copied().unwrap_or(Surface::Off);
            (!self.carries(surface, velocity)).then_some(surface)
        });
        stop == Some(Surface::Sand)
    }

    /// Cell, velocity and gates passed after a move from the centre of `from` by `velocity`: a car that crashes
    /// stands on the last cell of the road that it crossed, one that finishes is behind the line.
    pub fn drive(
        &self,
        from: Cell,
        velocity: Cell,
        progress: GatesPassed,
    ) -> (Cell, Cell, GatesPassed) {
        match self.walk(from, velocity, progress) {
            Walk::Lands(progress) => (from + velocity, velocity, progress),
            Walk::Crashes { last, progress } => (last, Cell::default(), progress),
            Walk::Finishes { .. } => (from + velocity, velocity, self.gates()),
        }
    }

    /// The greatest component that a velocity can have on this track.
    ///
    /// From rest it takes at least 1 + 2 + … + s = s(s+1)/2 cells in one direction to move s cells
    /// in one turn; a start lies on the track, so the way before the last move must fit on it.
    pub fn fastest_component(&self) -> i32 {
        let side = self.surfaces.width().max(self.surfaces.height()) as i32;
        let by_size = (1..).find(|s| s * (s - 1) / 2 >= side).unwrap_or(side);
        self.rules.max_speed.map_or(by_size, |limit| by_size.min(limit as i32))
    }
}
