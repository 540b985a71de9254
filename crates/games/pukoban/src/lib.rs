//! Pukoban: a puzzle like Sokoban in which boxes can be pulled as well as pushed, and Sokoban proper.
//!
//! The rules are those that all known Pukoban programs share. Since every move can be undone, no
//! position is dead: the puzzle is to find a way, and then the shortest. A level with the rule
//! [`Moves::Push`] is one of Sokoban: boxes can only be pushed, and a position can be dead.

pub mod deadlock;
mod drawing;
mod generator;
pub mod level;
mod planes;
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

pub use level::{Moves, Objective, PukobanFile, PukobanRules, Tile};
pub use rules::{Effect, IllegalStep, Pukoban, PukobanEvent, PukobanState};
pub use step::{Direction, PukobanStep};

use outwit_core::play::{Better, Match, PlannerSpec, ScoreSpec, Seat, Unit};
use outwit_kit::{
    GameInfo, GameSpec, MapSpec, Notation, NumberedPlay, PlaneSpec, Searches, SolverSpec, Tables,
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

/// The record for the fewest pushes where boxes can only be pushed.
pub const PUSHES: ScoreSpec =
    ScoreSpec { name: "pushes", unit: Unit { one: "push", many: "pushes" }, better: Better::Lower };

/// The record that an objective ranks by.
pub fn score_of(objective: Objective, moves: Moves) -> ScoreSpec {
    match (objective, moves) {
        (Objective::Steps, _) => STEPS,
        (Objective::BoxMoves, Moves::PushAndPull) => BOX_MOVES,
        (Objective::BoxMoves, Moves::Push) => PUSHES,
    }
}

/// Both figures of a solution, first the one that the objective counts.
fn results(played: &Match<Pukoban>, _seat: Seat) -> Vec<(ScoreSpec, f64)> {
    let position = played.state();
    if !played.game().is_solved(position) {
        return Vec::new();
    }
    let moves = played.game().moves();
    let steps = (STEPS, f64::from(position.steps));
    let box_moves = (score_of(Objective::BoxMoves, moves), f64::from(position.box_moves));
    match played.game().objective() {
        Objective::Steps => vec![steps, box_moves],
        Objective::BoxMoves => vec![box_moves, steps],
    }
}

impl GameSpec for Pukoban {
    type Rules = PukobanRules;
    const INFO: GameInfo = GameInfo {
        name: "Pukoban",
        about: "Push and pull boxes onto goals, in as few moves as you can.",
        format: level::FORMAT,
        first_level: "01-first-push",
    };
    const MAPS: MapSpec<Self> = drawing::MAPS;
    const PLANES: Option<PlaneSpec<Self>> = Some(planes::PLANES);
    const NUMBERED_PLAY: Option<NumberedPlay<Self>> = Some(planes::NUMBERED_PLAY);
    /// Steps or box moves, as the level's objective says.
    const TABLES: Tables<Self> = Tables {
        score_on: |level| score_of(level.rules.objective, level.rules.moves),
        results,
        endings: |_| &["solved", "out of steps"],
        ..Tables::new(ScoreSpec { name: "length", unit: MOVES, better: Better::Lower })
    };
    const SOLVER: Option<SolverSpec<Self>> =
        Some(SolverSpec { solve: solve::solve, review: review::review });
    const NOTATION: Option<Notation<Self>> =
        Some(Notation { write: solution::write, read: solution::read });
    const SEARCHES: Option<Searches<Self>> = Some(Searches {
        compared: planners::compared,
        measure: solve::measure,
        bound: |search| Ok(planners::search_of(search)?.bound),
        recorded: planners::compared,
        stream: |game, position, planner, events, stop| {
            solve::stream(game, position, planner, events, stop)
        },
    });

    fn action_words(&self, step: &PukobanStep) -> String {
        let verb = if step.pull { "pull" } else { "go" };
        format!("{verb} {}", step.direction)
    }

    fn planners() -> &'static [PlannerSpec<Self>] {
        planners::ALL
    }
}
