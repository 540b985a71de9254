//! Cops and robber among wandering walls and gates, after the original program's rules.
//!
//! Both sides plan k steps blindly and at once. The plain planners follow the original report and
//! the literature that they cite; `schemer` and `marshal` solve the game of plans as a matrix game.

pub mod board;
mod commentary;
pub mod distance_table;
mod double_double;
mod drawing;
pub mod exact;
pub mod forecast;
mod generator;
mod import;
pub mod level;
#[cfg(test)]
mod matrix;
mod planes;
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
mod tiles;
mod town;
mod trace;

pub use board::{Board, EnvMove, Gate, Heading, Position, Wall, WallMove};
pub use commentary::gate_run::{FAR, GateRun, key_gate, runs_to_gates};
pub use level::{CopsFile, CopsRules, Place};
pub use rules::{
    COPS, Cops, CopsEvent, CopsView, Orders, Piece, Pursuit, PursuitStatus, STEPS, Step, THIEF,
};

use outwit_core::play::{Better, PlannerSpec, ScoreSpec, Unit};
use outwit_kit::{
    CommentarySpec, GameInfo, GameSpec, MapSpec, NumberedPlay, PlaneSpec, ResponderSpec,
    SolverSpec, Tables,
};

/// What pursuits are counted in.
pub const TICKS: Unit = Unit { one: "tick", many: "ticks" };

impl GameSpec for Cops {
    type Rules = CopsRules;
    const INFO: GameInfo = GameInfo {
        name: "Cops and robber",
        about: "A thief and some cops among moving walls and gates.",
        format: level::FORMAT,
        first_level: "default",
    };
    const MAPS: MapSpec<Self> = drawing::MAPS;
    const PLANES: Option<PlaneSpec<Self>> = Some(planes::PLANES);
    const NUMBERED_PLAY: Option<NumberedPlay<Self>> = Some(planes::NUMBERED_PLAY);
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
    const SOLVER: Option<SolverSpec<Self>> =
        Some(SolverSpec { solve: solve::solve, review: review::review });
    const COMMENTARY: Option<CommentarySpec<Self>> = Some(commentary::SPEC);
    const RESPONDER: Option<ResponderSpec<Self>> = Some(planners::RESPONDER);

    /// On most boards it plays like another one.
    const STUDIES: &'static [&'static str] = &["optimal"];

    /// The steps of each piece as arrows.
    fn action_words(&self, Orders(ways): &Orders) -> String {
        let ways: Vec<String> =
            ways.iter().map(|way| way.iter().map(|step| step.arrow()).collect()).collect();
        ways.join("  ")
    }

    fn planners() -> &'static [PlannerSpec<Self>] {
        planners::ALL
    }
}
