//! Pukoban: a puzzle like Sokoban in which boxes can be pulled as well as pushed.
//!
//! The rules are those that all known Pukoban programs share. Since every move can be undone, no
//! position is dead: the puzzle is to find a way, and then the shortest.

mod bench;
#[cfg(test)]
mod conformance;
mod drawing;
mod generator;
pub mod level;
pub mod planners;
pub mod reach;
mod review;
pub mod rules;
mod run_length;
pub mod search;
pub mod solution;
mod solve;
pub mod step;
#[cfg(test)]
mod tests;
mod xsb;

pub use level::{Objective, PukobanFile, PukobanRules, Tile};
pub use rules::{Effect, Pukoban, PukobanEvent, PukobanState};
pub use step::{Direction, PukobanStep};

use level::cells_of;
use outwit_core::grid::{FOUR, Grid, UNREACHED, distances};
use outwit_core::levels::Fault;
use outwit_core::play::{Better, Match, PlannerSpec, Review, ScoreSpec, Seat, StopFlag, Unit};
use outwit_kit::TileKind;
use outwit_kit::{
    BenchRow, ForeignFormats, GameSpec, Generator, MapSpec, Notation, Searches, Solution,
    SolveOptions, TileStyle,
};

/// What solutions are counted in, whatever the objective.
pub const MOVES: Unit = Unit { one: "move", many: "moves" };

/// The record for the fewest steps.
pub const STEPS: ScoreSpec =
    ScoreSpec { name: "steps", unit: Unit { one: "step", many: "steps" }, better: Better::Lower };

/// The record for the fewest pushes and pulls.
pub const BOX_MOVES: ScoreSpec = ScoreSpec {
    name: "box moves",
    unit: Unit { one: "box move", many: "box moves" },
    better: Better::Lower,
};

impl GameSpec for Pukoban {
    type Rules = PukobanRules;
    const NAME: &'static str = "Pukoban";
    const ABOUT: &'static str =
        "Push and pull boxes onto goals, and watch searches find the shortest way.";
    const FORMAT: &'static str = level::FORMAT;
    const FIRST_LEVEL: &'static str = "01-first-push";
    const PALETTE: &'static [TileKind] = drawing::PALETTE;
    const MAPS: MapSpec<Self> = drawing::MAPS;
    const GENERATOR: Option<Generator<Self>> = Some(Generator::of::<generator::PuzzleOptions>());

    const FOREIGN_FORMATS: Option<ForeignFormats<Self>> = Some(ForeignFormats {
        endings: &["xsb", "sok"],
        read: xsb::read,
        score: xsb::score,
        skipped: xsb::skipped,
        write: |level, _| Some(xsb::write(level)),
    });
    const NOTATION: Option<Notation<Self>> =
        Some(Notation { write: solution::write, read: solution::read });
    const SEARCHES: Option<Searches<Self>> = Some(Searches {
        compared: planners::compared,
        measure: solve::measure,
        recorded: planners::compared,
        record: |game, position, planner, events, stop| {
            solve::record(game, position, planner, events, stop)
        },
    });

    fn faults(level: &PukobanFile) -> Vec<Fault> {
        level::faults(level)
    }

    fn warnings(level: &PukobanFile) -> Vec<Fault> {
        drawing::warnings(level)
    }

    fn planners() -> &'static [PlannerSpec<Self>] {
        planners::ALL
    }

    /// Floor that neither the player nor a box can get to is shown as outside.
    fn looks(level: &PukobanFile) -> Grid<TileStyle> {
        let tiles = level::tiles(level);
        let pieces = cells_of(&tiles, |tile| tile.is_player() || tile.is_box());
        let reach = distances(&tiles, pieces, &FOUR, |_, &tile| tile != Tile::Wall);
        Grid::from_fn(tiles.width(), tiles.height(), |cell| match tiles[cell] {
            Tile::Floor if reach[cell] == UNREACHED => TileStyle::Void,
            Tile::Floor => TileStyle::Ground,
            Tile::Wall => TileStyle::Wall,
            Tile::Goal => TileStyle::Goal,
            Tile::Box | Tile::BoxOnGoal => TileStyle::Mark,
            Tile::Player | Tile::PlayerOnGoal => TileStyle::Start,
        })
    }

    fn solve(
        level: &PukobanFile,
        options: &SolveOptions,
        stop: &StopFlag,
    ) -> Result<Solution, String> {
        solve::solve(level, options, stop)
    }

    fn review(played: &Match<Self>, stop: &StopFlag) -> Option<Review> {
        review::review(played, stop)
    }

    /// Steps or box moves, as the level's objective says.
    const SCORE: ScoreSpec = ScoreSpec { name: "length", unit: MOVES, better: Better::Lower };

    fn score_on(level: &PukobanFile) -> ScoreSpec {
        match level.rules.objective {
            Objective::Steps => STEPS,
            Objective::BoxMoves => BOX_MOVES,
        }
    }

    fn results(played: &Match<Self>, _seat: Seat) -> Vec<(ScoreSpec, f64)> {
        let position = played.state();
        if !played.game().is_solved(position) {
            return Vec::new();
        }
        let steps = (STEPS, f64::from(position.steps));
        let box_moves = (BOX_MOVES, f64::from(position.box_moves));
        match played.game().objective() {
            Objective::Steps => vec![steps, box_moves],
            Objective::BoxMoves => vec![box_moves, steps],
        }
    }

    fn endings(_seat: Seat) -> &'static [&'static str] {
        &["solved", "out of steps"]
    }

    fn bench(row: &mut dyn FnMut(BenchRow)) {
        bench::bench(row);
    }
}
