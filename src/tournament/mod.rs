//! Many games at once, headless, on all cores.

mod contest;
mod journal;
mod ratings;
mod scoreboard;
mod statistics;

pub use contest::{
    Contest, ContestLevel, Entrants, FinishedGame, MOST_GAMES, replay_of, run_contest,
};
pub use journal::{Journal, JournalError};
pub use ratings::{Rating, ratings};
pub use scoreboard::{MatrixCell, Scoreboard, SeatFigures};
pub use statistics::{Estimate, quantile, student_t};

use crate::play::{
    Budget, Game, Outcome, PlannerSpec, Player, Referee, Replay, Seat, SeatStats, StopFlag,
};
use rayon::prelude::*;
use std::sync::Arc;

/// Who plays against whom on which seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lineup {
    /// One entry a seat.
    pub players: Vec<Player>,
    /// The seed of the match.
    pub seed: u64,
}

/// One finished game.
#[derive(Clone, Debug)]
pub struct GameRecord<G: Game> {
    /// Who played and on which seed.
    pub lineup: Lineup,
    /// The result.
    pub outcome: Outcome,
    /// How each seat behaved.
    pub stats: Vec<SeatStats>,
    /// The game itself.
    pub replay: Replay<G>,
}

/// Why a tournament stopped.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TournamentError {
    /// A game could not begin.
    #[error("{0}")]
    Setup(String),
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A finished game could not be kept.
    #[error("{0}")]
    Journal(String),
    /// A game did not end.
    #[error("the game with seed {seed} has not ended after {turns} turns")]
    Endless {
        /// Its seed.
        seed: u64,
        /// How long it went on.
        turns: usize,
    },
}

/// Longer games than this are taken for endless.
const MOST_TURNS: usize = 100_000;

/// Plays every line-up on the level and returns the games in the given order.
///
/// Work budgets think on the game's own thread, so all cores play; time budgets give each seat a
/// thread and play no more games at once than there are cores for all seats. `finished` is called
/// after each game, from any thread.
///
/// # Errors
/// If a game cannot begin, does not end, or `stop` is raised.
pub fn play_games<G: Game>(
    level: &G::Level,
    specs: &[PlannerSpec<G>],
    lineups: &[Lineup],
    budget: Budget,
    stop: &StopFlag,
    finished: impl Fn(&GameRecord<G>) + Sync,
) -> Result<Vec<GameRecord<G>>, TournamentError> {
    let one = |lineup: &Lineup| {
        let record = play_one(level, specs, lineup, budget, stop)?;
        finished(&record);
        Ok(record)
    };
    let seats = lineups.first().map_or(1, |lineup| lineup.players.len());
    on_all_cores(budget, seats)?.install(|| lineups.par_iter().map(one).collect())
}

/// Threads for games that play at the same time. With a time budget each seat thinks on a thread of
/// its own, and games that had to share cores would measure each other.
fn on_all_cores(budget: Budget, seats: usize) -> Result<rayon::ThreadPool, TournamentError> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let games = match budget {
        Budget::Work(_) => cores,
        Budget::Time(_) => (cores / seats.max(1)).max(1),
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(games)
        .build()
        .map_err(|error| TournamentError::Setup(error.to_string()))
}

fn play_one<G: Game>(
    level: &G::Level,
    specs: &[PlannerSpec<G>],
    lineup: &Lineup,
    budget: Budget,
    stop: &StopFlag,
) -> Result<GameRecord<G>, TournamentError> {
    if stop.is_raised() {
        return Err(TournamentError::Cancelled);
    }
    let setup = |error: crate::play::SetupError| TournamentError::Setup(error.to_string());
    let game = Arc::new(G::new(level, lineup.players.len(), lineup.seed).map_err(setup)?);
    let mut referee = match budget {
        Budget::Work(_) => Referee::inline(game, specs, &lineup.players, budget),
        Budget::Time(_) => Referee::new(game, specs, &lineup.players, budget),
    }
    .map_err(setup)?;
    if let Some(seat) = lineup.players.iter().position(|player| *player == Player::Human) {
        let seat = G::seat_name(Seat(seat as u8));
        return Err(TournamentError::Setup(format!("{seat} must be a planner, not a human")));
    }
    referee.set_stop_flag(stop.clone());
    referee.run(MOST_TURNS);
    if stop.is_raised() {
        return Err(TournamentError::Cancelled);
    }
    let Some(outcome) = referee.outcome() else {
        return Err(TournamentError::Endless { seed: lineup.seed, turns: MOST_TURNS });
    };
    let stats = (0..lineup.players.len()).map(|s| referee.stats(Seat(s as u8)).clone()).collect();
    Ok(GameRecord { lineup: lineup.clone(), outcome, stats, replay: referee.replay() })
}
