//! Perfect play: by a game's own solver, or by the worth of its states.

use super::solving::{Solution, SolveOptions};
use super::spec::GameSpec;
use super::worth;
use outwit_core::play::{CheckedLevel, Match, Review, StopFlag};

/// Whether something is known of perfect play.
pub const fn is_solvable<G: GameSpec>() -> bool {
    G::SOLVER.is_some() || G::WORTH.is_some()
}

/// Solves a level with the game's [`SolverSpec`](super::SolverSpec) or by the worth of its states.
///
/// # Errors
/// If it has neither, or as [`SolverSpec::solve`](super::SolverSpec::solve).
pub(super) fn solve<G: GameSpec>(
    level: &CheckedLevel<G>,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    match (G::SOLVER, G::WORTH) {
        (Some(solver), _) => (solver.solve)(level, options, stop),
        (None, Some(worth)) => worth::solve(&worth, level, options, stop),
        (None, None) => Err(format!("there is no exact solver for {}", G::INFO.name)),
    }
}

/// What every move of a match cost; `None` where no perfect play is known or `stop` was raised.
pub fn review<G: GameSpec>(played: &Match<G>, stop: &StopFlag) -> Option<Review> {
    match G::SOLVER {
        Some(solver) => (solver.review)(played, stop),
        None => worth::review(&G::WORTH?, played, stop),
    }
}
