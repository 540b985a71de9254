//! The contract of play: what a game is, who sits at it, and how a match is run and kept.

mod clock;
mod game;
mod host;
mod insight;

mod matches;
mod planner;
mod referee;
mod replay;
mod review;
mod tournament;

pub use clock::{Budget, Clock, StopFlag};
pub use game::{Game, Outcome, Place, Seat, SetupError};
pub use host::{Host, Report};
pub use insight::{Arrow, Heat, Insight, Mark, MarkKind, Path, Series, Tone};

pub use matches::{Match, Turn};
pub use planner::{Planner, PlannerSpec, Progress, find_planner};
pub use referee::{Conduct, Player, Referee, Ruling};
pub use replay::{REPLAY_FORMAT, Replay, ReplayError, digest, digest_of};
pub use review::{MoveReview, Review, SeatReview};
pub use tournament::{
    Arena, Cell, Contest, Entrants, Estimate, FinishedGame, GameRecord, Journal, JournalError,
    Lineup, MOST_GAMES, Rating, Scoreboard, SeatFigures, TournamentError, hold, play_games,
    quantile, ratings, replay_of, student_t,
};
