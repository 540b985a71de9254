//! The contract of play: what a game is, who sits at it, and how a match is run and kept.

mod clock;
mod game;
mod insight;
mod planner_thread;

mod match_;
mod planner;
mod referee;
mod replay;
mod review;

pub use crate::platform::task::StopFlag;
pub use clock::{Budget, Clock};
pub use game::{Game, Outcome, Place, Seat, SetupError};
pub use insight::{Arrow, Heat, Insight, Mark, MarkKind, Path, Series, Tone};
pub use planner_thread::{PlannerReport, PlannerThread};

pub use match_::{Match, Turn};
pub use planner::{Planner, PlannerSpec, Progress, find_planner};
pub use referee::{Player, Referee, Ruling, SeatStats};
pub use replay::{REPLAY_FORMAT, Replay, ReplayError, digest, digest_of};
pub use review::{MoveReview, Review, SeatReview, Unit};
