//! How other programs take a seat.

use super::{
    AllowedProgram, Budget, Game, Planner, PlannerContext, SetupError, StopFlag, TimeControl,
};
use crate::platform::time::Duration;

/// How other programs play a game: the protocol that they speak, and the planner that speaks it with one
/// of them.
pub struct EngineSpec<G: Game> {
    /// What the protocol is called.
    pub protocol: &'static str,
    /// Fails where the protocol cannot express the level or its rules, with the reason.
    pub fits: fn(&G) -> Result<(), String>,
    /// Starts a program, asks what it is and whether it plays this level, and ends it; takes little longer
    /// than [`ENGINE_START`](super::ENGINE_START) at most. Fails with what is wrong with the program.
    pub ask: fn(&G, &AllowedProgram, &StopFlag) -> Result<EngineInfo, String>,
    /// Makes the planner that starts the program and speaks for it.
    pub make: fn(PlannerContext<G>, EngineSeat) -> Box<dyn Planner<G>>,
}

impl<G: Game> Clone for EngineSpec<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for EngineSpec<G> {}

impl<G: Game> EngineSpec<G> {
    /// How programs play this game with so much time.
    ///
    /// # Errors
    /// If they cannot play it, or not within an amount of work or of processor time.
    pub fn of(game: &G, control: TimeControl) -> Result<Self, SetupError> {
        let spec =
            G::PROGRAMS.ok_or_else(|| SetupError(format!("no engines can play {}", G::ID)))?;
        check_engine_budget(control).map_err(|why| SetupError(why.into()))?;
        (spec.fits)(game).map_err(SetupError)?;
        Ok(spec)
    }
}

/// Whether a program can play with this budget.
///
/// # Errors
/// Why not, and what to do about it.
pub fn check_engine_budget(budget: TimeControl) -> Result<(), &'static str> {
    match budget {
        TimeControl::Turn(Budget::Cpu(_)) => Err(
            "the processor time of a program is not measured: give it a time per turn, such as 1s",
        ),
        TimeControl::Turn(Budget::Work(_)) => {
            Err("the work of a program cannot be counted: give it a time per turn, such as 1s")
        }
        _ => Ok(()),
    }
}

/// What a program says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineInfo {
    /// Its name, or that of its file if it has no other.
    pub name: String,
    /// All that it says, on one line; empty if nothing.
    pub about: String,
    /// How long it took to start.
    pub start: Duration,
}

/// Which program takes a seat, and on what terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSeat {
    /// The program.
    pub program: AllowedProgram,
    /// How much time the seat has.
    pub control: TimeControl,
    /// Whether a person plays too.
    pub against_people: bool,
}
