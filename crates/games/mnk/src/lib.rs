//! The (m,n,k)-game: two players place stones in turn, k in a row wins. Tic-tac-toe is (3,3,3), gomoku
//! (15,15,5).
//!
//! Planners go from the original program's alpha-beta to a search with threats and proofs that is
//! generic in the size of the board and in k.

mod bench;
#[cfg(test)]
mod conformance;
mod drawing;
mod generator;
pub mod gomocup;
pub mod level;
pub mod lines;
pub mod notation;
pub mod piskvork;
pub mod planners;
#[cfg(test)]
mod problems;
mod review;
pub mod rules;
pub mod search;
mod solve;
#[cfg(test)]
mod tests;

pub use level::{MnkFile, MnkRules, Opening, Stone};
pub use rules::{CROSSES, Mnk, MnkAction, MnkEvent, MnkPhase, MnkState, NOUGHTS};

use outwit_core::levels::Fault;
use outwit_core::play::{Better, Match, PlannerSpec, Review, ScoreSpec, Seat, StopFlag, Unit};
use outwit_kit::TileKind;
use outwit_kit::{
    BenchRow, EngineProtocol, ForeignFormats, GameSpec, Generator, MapSpec, Notation, Solution,
    SolveOptions,
};

/// What results are counted in: 1 for a win, half for a draw.
pub const GAME_POINTS: Unit = Unit { one: "point", many: "points" };

impl GameSpec for Mnk {
    type Rules = MnkRules;
    const NAME: &'static str = "k in a row";
    const ABOUT: &'static str =
        "From tic-tac-toe to gomoku: any board, any k, against planners from novice to best.";
    const FORMAT: &'static str = level::FORMAT;
    const FIRST_LEVEL: &'static str = "3x3x3";
    const PALETTE: &'static [TileKind] = drawing::PALETTE;
    const MAPS: MapSpec<Self> = drawing::MAPS;
    const GENERATOR: Option<Generator<Self>> = Some(Generator::of::<generator::ProblemOptions>());

    const FOREIGN_FORMATS: Option<ForeignFormats<Self>> = Some(piskvork::FORMATS);
    const NOTATION: Option<Notation<Self>> =
        Some(Notation { write: notation::write, read: notation::read });
    const BRAIN: Option<EngineProtocol> =
        Some(EngineProtocol { name: gomocup::NAME, serve: gomocup::serve });

    fn faults(level: &MnkFile) -> Vec<Fault> {
        level::faults(level)
    }

    fn warnings(level: &MnkFile) -> Vec<Fault> {
        drawing::warnings(level)
    }

    fn planners() -> &'static [PlannerSpec<Self>] {
        planners::ALL
    }

    fn solve(level: &MnkFile, options: &SolveOptions, stop: &StopFlag) -> Result<Solution, String> {
        solve::solve(level, options, stop)
    }

    fn review(played: &Match<Self>, stop: &StopFlag) -> Option<Review> {
        review::review(played, stop)
    }

    const SCORE: ScoreSpec =
        ScoreSpec { name: "result", unit: GAME_POINTS, better: Better::Higher };

    /// A loss is no record, and no more is a match that the other gave up.
    fn results(played: &Match<Self>, seat: Seat) -> Vec<(ScoreSpec, f64)> {
        if played.closing().is_some() {
            return Vec::new();
        }
        let place = played.outcome().and_then(|over| over.places.get(seat.index()).cloned());
        let score = place.and_then(|place| place.score).filter(|&score| score > 0.0);
        score.map(|score| (Self::SCORE, score)).into_iter().collect()
    }

    fn bench(row: &mut dyn FnMut(BenchRow)) {
        bench::bench(row);
    }
}
