//! Many games at once, headless, on all cores.

mod contest;
mod entrant;
mod finished;
mod journal;
mod merging;
mod openings;
mod ratings;
mod scoreboard;
mod sequential;
mod share;
mod statistics;

pub use contest::{
    Contest, ContestLevel, Entrants, GameChoice, MOST_ENTRANTS, MOST_GAMES, replay_of, run_chosen,
    run_contest, run_share,
};
pub use entrant::Entrant;
pub use finished::FinishedGame;
pub use journal::{Journal, JournalError, Saved, game_from_line, game_to_line};
pub use merging::{Merged, merge};
pub use openings::OpeningSource;
pub use ratings::{Meeting, PlayerRating, Rating, WHAT_WINS, player_ratings, ratings};
pub use scoreboard::{MatrixCell, Scoreboard, SeatFigures};
pub use sequential::SequentialTest;
pub use share::Share;
pub use statistics::{Estimate, quantile, student_t};

use crate::platform::parallel::{self, Workers};
use crate::platform::task::cores;
use crate::platform::time::Duration;
use crate::play::{
    AllowedPrograms, BANK, Budget, CheckedLevel, Game, KeptPrograms, MatchSetup, Outcome, Place,
    PlannerSpec, Player, Referee, Replay, Salt, Seat, SeatStats, StopFlag, Thinking, TimeControl,
};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Who plays against whom on which seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lineup {
    /// One entry a seat.
    pub players: Vec<Entrant>,
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
}

/// How every seat of a game ends that was broken off as endless, in a word.
pub const UNFINISHED: &str = "unfinished";

/// Planners whose preparation did not end in an earlier game of the same tournament. They get little
/// time for it in later ones, so that the tournament ends.
#[derive(Default)]
struct Preparations(Mutex<BTreeSet<(usize, String)>>);

impl Preparations {
    fn limits(&self, players: &[Entrant]) -> Vec<Duration> {
        let failed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        players
            .iter()
            .enumerate()
            .map(|(seat, player)| {
                let known = failed.contains(&(seat, player.name().to_owned()));
                if known { Duration::from_millis(100) } else { player.player().preparation_limit() }
            })
            .collect()
    }

    fn note(&self, players: &[Entrant], referee_failed: impl Fn(Seat) -> bool) {
        for (seat, player) in players.iter().enumerate() {
            if referee_failed(Seat(seat as u8)) {
                let mut failed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                failed.insert((seat, player.name().to_owned()));
            }
        }
    }
}

/// Plays every line-up, all with the same number of players, on the level and returns the games in the given order.
///
/// Work budgets think on the game's own thread, so all cores play; time budgets give each seat a
/// thread and play no more games at once than there are cores for all seats. `finished` is called
/// after each game, from any thread. No other programs are started.
///
/// # Errors
/// If a game cannot begin or `stop` is raised.
pub fn play_games<G: Game>(
    level: &CheckedLevel<G>,
    specs: &[PlannerSpec<G>],
    lineups: &[Lineup],
    budget: Budget,
    stop: &StopFlag,
    finished: impl Fn(&GameRecord<G>) + Sync,
) -> Result<Vec<GameRecord<G>>, TournamentError> {
    let seats = lineups.first().map_or(1, |lineup| lineup.players.len());
    let game = rules::<G>(level, seats)?;
    let preparations = Preparations::default();
    let terms = Terms {
        budget: budget.into(),
        strict: false,
        salt: None,
        programs: AllowedPrograms::default(),
        bank: BANK,
        kept: KeptPrograms::default(),
    };
    let is_timed = !matches!(budget, Budget::Work(_));
    on_all_cores(is_timed, seats)?.run(|| {
        parallel::map(lineups, |lineup: &Lineup| {
            let record = play_one(&game, specs, lineup, &terms, &preparations, stop)?;
            finished(&record);
            Ok(record)
        })
    })
}

/// Threads for games that play at the same time. With a time budget each seat thinks on a thread of
/// its own, and games that had to share cores would measure each other.
pub fn on_all_cores(is_timed: bool, seats: usize) -> Result<Workers, TournamentError> {
    let games = if is_timed { (cores() / seats.max(1)).max(1) } else { cores() };
    Workers::new(games).map_err(|error| TournamentError::Setup(error.to_string()))
}

/// The rules on a level, made once for all games: what they work out of it is shared.
fn rules<G: Game>(level: &CheckedLevel<G>, seats: usize) -> Result<Arc<G>, TournamentError> {
    let game = G::new(level, seats).map_err(|error| TournamentError::Setup(error.to_string()))?;
    Ok(Arc::new(game))
}

/// What holds for all games of a tournament.
struct Terms {
    /// What those may spend that have no budget of their own.
    budget: TimeControl,
    /// See [`MatchSetup::strict`].
    strict: bool,
    salt: Option<Salt>,
    programs: AllowedPrograms,
    /// See [`MatchSetup::bank`].
    bank: Duration,
    /// Programs that go on from game to game.
    kept: KeptPrograms,
}

fn play_one<G: Game>(
    game: &Arc<G>,
    specs: &[PlannerSpec<G>],
    lineup: &Lineup,
    terms: &Terms,
    preparations: &Preparations,
    stop: &StopFlag,
) -> Result<GameRecord<G>, TournamentError> {
    if stop.is_raised() {
        return Err(TournamentError::Cancelled);
    }
    let most_turns = (G::MATCH_RULES.most_turns)(game);
    let players: Vec<Player> =
        lineup.players.iter().map(|entrant| entrant.player().clone()).collect();
    let controls: Vec<TimeControl> =
        lineup.players.iter().map(|entrant| entrant.budget().unwrap_or(terms.budget)).collect();
    let is_work = controls.iter().all(|control| control.is_work());
    let thinking = if is_work { Thinking::Inline } else { Thinking::Threads };
    let seats = MatchSetup {
        preparation: preparations.limits(&lineup.players),
        controls,
        strict: terms.strict,
        salt: terms.salt,
        programs: terms.programs.clone(),
        bank: terms.bank,
        kept: terms.kept.clone(),
        stop: stop.clone(),
        ..MatchSetup::new(&players, terms.budget, lineup.seed).thinking(thinking)
    };
    let mut referee = Referee::new(Arc::clone(game), specs, seats)
        .map_err(|error| TournamentError::Setup(error.to_string()))?;
    if let Some(seat) = players.iter().position(|player| *player == Player::Human) {
        let seat = G::SEATS.id(Seat(seat as u8));
        return Err(TournamentError::Setup(format!("{seat} must be a planner, not a human")));
    }
    referee.run(most_turns);
    if stop.is_raised() {
        return Err(TournamentError::Cancelled);
    }
    preparations.note(&lineup.players, |seat| {
        referee.preparation(seat).is_none() && referee.stats(seat).asked == 0
    });
    let outcome = referee.outcome().unwrap_or_else(|| Outcome {
        headline: format!("not over after {most_turns} turns"),
        places: lineup
            .players
            .iter()
            .map(|_| Place { rank: 1, score: None, ending: UNFINISHED.into() })
            .collect(),
    });
    let stats = (0..lineup.players.len()).map(|s| referee.stats(Seat(s as u8))).collect();
    Ok(GameRecord { lineup: lineup.clone(), outcome, stats, replay: referee.replay() })
}
