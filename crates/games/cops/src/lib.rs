//! Cops and robber among wandering walls and gates, after the original program's rules.
//!
//! Both sides plan k steps blindly and at once. The plain planners follow the original report and
//! the literature that they cite; `schemer` and `marshal` solve the game of plans as a matrix game.

mod bench;
pub mod board;
#[cfg(test)]
mod conformance;
pub mod distance_table;
mod drawing;
pub mod exact;
pub mod forecast;
pub mod level;
#[cfg(test)]
mod matrix;
pub mod planners;
mod review;
pub mod ring;
pub mod rules;
mod solve;
mod stage;
mod start;
mod summary;
#[cfg(test)]
mod tests;
mod trace;

pub use board::{Board, EnvMove, Gate, Heading, Position, Wall, WallMove};
pub use level::{CopsFile, CopsRules};
pub use rules::{
    COPS, Cops, CopsEvent, CopsView, Orders, Piece, Pursuit, PursuitStatus, STEPS, Step, THIEF,
};

use level::Symbol;
use outwit_core::grid::Grid;
use outwit_core::play::{Better, Chance, Game, PlannerSpec, ScoreSpec, Unit};
use outwit_kit::{BenchRow, GameInfo, GameSpec, MapSpec, ResponderSpec, Solver, Tables, TileStyle};

/// The seed of the start that small pictures show.
const SAMPLE: u64 = 4;

impl Cops {
    /// Adds everything that stands on the board before the first tick.
    fn show_start(&self, start: &board::Position, looks: &mut Grid<TileStyle>) {
        let rules = self.board().rules();
        let gates = start.gates.iter().flat_map(|&gate| self.board().gate_cells(gate));
        let walls = start.walls.iter().flat_map(|wall| wall.cells(rules.wall_length));
        let cops = start.cops.iter().copied();
        let pieces = gates
            .map(|cell| (cell, TileStyle::Goal))
            .chain(walls.map(|cell| (cell, TileStyle::Wall)))
            .chain(cops.map(|cell| (cell, TileStyle::Mark)))
            .chain([(start.thief, TileStyle::Start)]);
        for (cell, look) in pieces {
            if let Some(shown) = looks.get_mut(cell) {
                *shown = look;
            }
        }
    }
}

/// How a level looks, with what its map leaves to chance as it could come.
fn start_looks(level: &CopsFile) -> Grid<TileStyle> {
    let cells = match level.rules.size {
        Some(side) => {
            let side = side as usize + 2;
            let ring = ring::Ring::new(side, side);
            let symbol = |cell| if ring.place(cell).is_some() { '=' } else { '.' };
            Grid::from_fn(side, side, symbol)
        }
        None => level.cells('.'),
    };
    let mut looks = cells.map(|&symbol| match Symbol::from_char(symbol) {
        Some(Symbol::Ring) | None => TileStyle::Void,
        Some(Symbol::Free) => TileStyle::Ground,
        Some(Symbol::Block | Symbol::Horizontal | Symbol::Vertical) => TileStyle::Wall,
        Some(Symbol::Thief) => TileStyle::Start,
        Some(Symbol::Gate) => TileStyle::Goal,
        Some(Symbol::Cop) => TileStyle::Mark,
    });
    // What the map leaves to chance, as it could come.
    if let Ok(game) = Cops::new(level, 2)
        && let Ok(start) = game.opening(&Chance::new(SAMPLE))
    {
        game.show_start(&start, &mut looks);
    }
    looks
}

/// What pursuits are counted in.
pub const TICKS: Unit = Unit { one: "tick", many: "ticks" };

impl GameSpec for Cops {
    type Rules = CopsRules;
    const INFO: GameInfo = GameInfo {
        name: "Cops and robber",
        about: "A thief and some cops among moving walls and gates. Watch planners outguess each other, or play.",
        format: level::FORMAT,
        first_level: "default",
    };
    const MAPS: MapSpec<Self> = drawing::MAPS;
    /// Every thief against all cops on every seed.
    const TABLES: Tables<Self> = Tables {
        endings: |seat| match seat {
            THIEF => &["caught", "escaped", "survived"],
            _ => &["captured", "outrun", "outlasted"],
        },
        summary: |_, board| summary::summary(board),
        trace_columns: trace::columns,
        ..Tables::new(ScoreSpec { name: "payoff", unit: TICKS, better: Better::Higher })
    };
    const SOLVER: Option<Solver<Self>> =
        Some(Solver { solve: solve::solve, review: review::review });
    const RESPONDER: Option<ResponderSpec<Self>> = Some(planners::RESPONDER);

    /// The steps of each piece as arrows.
    fn action_words(&self, Orders(ways): &Orders) -> String {
        let arrow = |step: &Step| match step {
            Step::Stay => '·',
            Step::Right => '→',
            Step::Down => '↓',
            Step::Left => '←',
            Step::Up => '↑',
        };
        let ways: Vec<String> = ways.iter().map(|way| way.iter().map(arrow).collect()).collect();
        ways.join("  ")
    }

    fn planners() -> &'static [PlannerSpec<Self>] {
        planners::ALL
    }

    fn bench(row: &mut dyn FnMut(BenchRow)) {
        bench::bench(row);
    }
}
