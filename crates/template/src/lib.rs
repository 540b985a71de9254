//! The smallest game: a walker steps from `S` to `G`. Copy this crate to `crates/games/NAME` to begin a
//! new one, then add it to the list of games in `crates/headless/src/registry.rs`, give it a board in
//! `src/boards`, and put [`FIRST_LEVEL`] into a file of `levels/NAME`.

use outwit_core::grid::{Cell, FOUR, Grid};
use outwit_core::levels::{Fault, LevelFile};
use outwit_core::play::{
    Better, Chance, CheckedLevel, Game, Outcome, Place, PlannerSpec, ScoreSpec, Seat, SeatSpec,
    Seats, SetupError, Unit,
};
use outwit_core::{perfect_information, rule_set};
use outwit_kit::{
    GameInfo, GameSpec, MapSpec, Placement, Tables, TileKind, TileStyle, WorthSpec, level_faults,
    map_faults, one_ply_planner, random_planner,
};

/// The level to begin with.
pub const FIRST_LEVEL: &str = r#"(format: "walker 1", name: "First steps", map: ["S.", ".G"])"#;

rule_set! {
    /// The rules that a level may change: none.
    pub struct WalkerRules {}
}

/// The game on one level.
pub struct Walker {
    level: LevelFile<WalkerRules>,
    cells: Grid<char>,
}

fn find(cells: &Grid<char>, symbol: char) -> Option<Cell> {
    cells.iter().find(|(_, found)| **found == symbol).map(|(cell, _)| cell)
}

impl Game for Walker {
    const ID: &'static str = "walker";
    const RULES_VERSION: u32 = 1;
    const SEATS: Seats = Seats {
        allowed: 1..=1,
        spec: |_| SeatSpec { id: "walker".into(), title: "Walker".into(), piece: "thief" },
    };
    type Level = LevelFile<WalkerRules>;
    /// Where the walker is, and how many steps it took.
    type State = (Cell, u32);
    /// The cell to step to.
    type Action = Cell;
    type Event = Cell;
    perfect_information! {}

    fn faults(level: &Self::Level) -> Vec<Fault> {
        level_faults::<Self>(level, own_faults)
    }

    fn new(level: &CheckedLevel<Self>, _seats: usize) -> Result<Self, SetupError> {
        Ok(Self { cells: level.cells('.'), level: level.clone().into_inner() })
    }

    fn level(&self) -> &Self::Level {
        &self.level
    }

    fn seats(&self) -> usize {
        1
    }

    fn start(&self, _chance: &Chance) -> Result<Self::State, SetupError> {
        let start = find(&self.cells, 'S').ok_or_else(|| SetupError("there is no start".into()))?;
        Ok((start, 0))
    }

    fn to_move(&self, state: &Self::State) -> Vec<Seat> {
        if self.outcome(state).is_some() { Vec::new() } else { vec![Seat(0)] }
    }

    fn actions(&self, &(cell, _): &Self::State, _seat: Seat) -> Option<Vec<Cell>> {
        let steps = FOUR.iter().map(|&step| cell + step);
        Some(steps.filter(|&cell| self.cells.contains(cell)).collect())
    }

    fn advance(
        &self,
        state: &mut Self::State,
        actions: &[(Seat, Cell)],
        _chance: &Chance,
        events: &mut Vec<Cell>,
    ) {
        for &(_, cell) in actions {
            *state = (cell, state.1 + 1);
            events.push(cell);
        }
    }

    fn outcome(&self, &(cell, steps): &Self::State) -> Option<Outcome> {
        let place = Place { rank: 1, score: Some(f64::from(steps)), ending: "arrived".into() };
        (self.cells.get(cell) == Some(&'G'))
            .then(|| Outcome { headline: format!("Arrived in {steps} steps"), places: vec![place] })
    }
}

const fn tile(symbol: char, name: &'static str, look: TileStyle) -> TileKind {
    TileKind::terrain(symbol, name, name, look, Placement::Anywhere)
}

const PALETTE: &[TileKind] = &[
    tile('.', "Floor", TileStyle::Ground),
    tile('S', "Start", TileStyle::Start),
    tile('G', "Goal", TileStyle::Goal),
];

/// What scores are counted in.
const STEPS: Unit = Unit { one: "step", many: "steps" };

/// Everything that keeps a well-formed level from being played.
fn own_faults(level: &LevelFile<WalkerRules>) -> Vec<Fault> {
    let mut faults = map_faults::<Walker>(level);
    let missing = ['S', 'G'].into_iter().filter(|&tile| find(&level.cells('.'), tile).is_none());
    faults.extend(missing.map(|tile| Fault::whole(format!("put one {tile} on the map"))));
    faults
}

impl GameSpec for Walker {
    type Rules = WalkerRules;
    const INFO: GameInfo = GameInfo {
        name: "Walker",
        about: "Walk from the start to the goal.",
        format: "walker 1",
        first_level: "first-steps",
    };
    const MAPS: MapSpec<Self> = MapSpec::new(PALETTE, 2..=64, (8, 8));
    const TABLES: Tables<Self> = Tables {
        endings: |_| &["arrived"],
        ..Tables::new(ScoreSpec { name: "steps", unit: STEPS, better: Better::Lower })
    };

    /// The steps so far and those to the nearest goal, since nothing stands in the way.
    const WORTH: Option<WorthSpec<Self>> = Some(WorthSpec {
        value: |game, &(cell, steps), _| {
            let goals = game.cells.iter().filter(|(_, symbol)| **symbol == 'G');
            let nearest = goals.map(|(goal, _)| cell.manhattan(goal)).min()?;
            Some(f64::from(steps) + f64::from(nearest))
        },
        cell: |_, _, &cell| cell,
    });

    fn planners() -> &'static [PlannerSpec<Self>] {
        const { &[random_planner(), one_ply_planner()] }
    }
}

#[cfg(test)]
mod tests;
