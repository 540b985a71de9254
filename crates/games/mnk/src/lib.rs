//! The (m,n,k)-game: two players place stones in turn, k in a row wins. Tic-tac-toe is (3,3,3), gomoku
//! (15,15,5).
//!
//! Planners go from the original program's alpha-beta to a search with threats and proofs that is
//! generic in the size of the board and in k.

mod commentary;
mod drawing;
mod formats;
mod game;
mod game_tree;
mod generator;
pub mod gomocup;
pub mod level;
pub mod lines;
pub mod notation;
mod opening_file;
mod openings;
pub mod piskvork;
mod planes;
pub mod planners;
mod pos_file;
pub mod problems;
mod renlib;
mod review;
pub mod rules;
pub mod search;
mod sgf;
mod sgf_match;
mod solve;
#[cfg(test)]
mod tests;

pub use level::{MnkFile, MnkRules, Opening, Stone};
pub use rules::{CROSSES, Mnk, MnkAction, MnkEvent, MnkPhase, MnkState, NOUGHTS};

use outwit_core::play::{Better, Match, PlannerSpec, ScoreSpec, Seat, Unit};
use outwit_kit::{
    CommentarySpec, EngineProtocol, GameInfo, GameSpec, GameTreeSpec, MapSpec, Notation,
    NumberedPlay, PlaneSpec, SolverSpec, Tables,
};

/// What results are counted in: 1 for a win, half for a draw.
pub const GAME_POINTS: Unit = Unit { one: "point", many: "points" };

/// A loss is no record, and no more is a match that the other gave up.
fn results(played: &Match<Mnk>, seat: Seat) -> Vec<(ScoreSpec, f64)> {
    if played.closing().is_some() {
        return Vec::new();
    }
    let outcome = played.outcome();
    let score = outcome.and_then(|over| over.places.get(seat.index())?.score);
    let won = score.filter(|&score| score > 0.0);
    won.map(|score| (Mnk::TABLES.score, score)).into_iter().collect()
}

impl GameSpec for Mnk {
    type Rules = MnkRules;
    const INFO: GameInfo = GameInfo {
        name: "k in a row",
        about: "From tic-tac-toe to gomoku: any board, any k.",
        format: level::FORMAT,
        first_level: "3x3x3",
    };
    const MAPS: MapSpec<Self> = drawing::MAPS;
    const PLANES: Option<PlaneSpec<Self>> = Some(planes::PLANES);
    const NUMBERED_PLAY: Option<NumberedPlay<Self>> = Some(planes::NUMBERED_PLAY);
    const TABLES: Tables<Self> = Tables {
        results,
        ..Tables::new(ScoreSpec { name: "result", unit: GAME_POINTS, better: Better::Higher })
    };
    const SOLVER: Option<SolverSpec<Self>> =
        Some(SolverSpec { solve: solve::solve, review: review::review });
    const COMMENTARY: Option<CommentarySpec<Self>> = Some(commentary::SPEC);
    const GAME_TREE: Option<GameTreeSpec<Self>> = Some(game_tree::SPEC);
    const NOTATION: Option<Notation<Self>> =
        Some(Notation { write: notation::write, read: notation::read });
    const BRAIN: Option<EngineProtocol> =
        Some(EngineProtocol { name: gomocup::NAME, serve: gomocup::serve });

    fn action_words(&self, action: &MnkAction) -> String {
        match action {
            MnkAction::Place(cell) => notation::cell_name(*cell, self.height()),
            MnkAction::Swap => "swap".into(),
            MnkAction::Keep => "keep the stones".into(),
            MnkAction::TwoMore => "place two more stones".into(),
        }
    }

    fn planners() -> &'static [PlannerSpec<Self>] {
        planners::ALL
    }
}
