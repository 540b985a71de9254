//! The contract of play: what a game is, who sits at it, and how a match is run and kept.

mod analysis;
mod budget;
mod chance;
mod checked_level;
mod clock;
mod driver;
mod engine_spec;
mod game;
mod graded;
mod insight;
mod line;
mod match_;
mod match_error;
mod match_setup;
mod notes;
mod opening_spec;
mod outcome;
mod planner;
mod planner_maker;
mod planner_thread;
pub mod protocol;
mod referee;
mod replay;
mod review;
mod salt;
mod seat;
mod seat_slot;
mod seat_stats;
mod setup_error;
mod snapshot;
mod spent;
mod time_control;
mod value;

pub use crate::digest::{digest, digest_of};
pub use crate::platform::program::{
    AllowedProgram, AllowedPrograms, Isolation, LogLine, LogSource, ProgramLog,
};
pub use crate::platform::task::StopFlag;
pub use analysis::analyse;
pub use budget::Budget;
pub use chance::Chance;
pub use checked_level::CheckedLevel;
pub use clock::Clock;
pub use engine_spec::{EngineInfo, EngineSeat, EngineSpec, check_engine_budget};
pub use game::{Game, MatchRules};
pub use graded::GradedInfo;
pub use insight::{
    Arrow, Candidate, Counter, Heat, Insight, Mark, MarkKind, Path, Series, Tone, Walkthrough,
    WalkthroughStep,
};
pub use line::Line;
pub use match_::{Actions, MOST_VARIATIONS, Match, Turn, Variation, next_state};
pub use match_error::MatchError;
pub use match_setup::{
    BANK, ENGINE_START, MatchSetup, PREPARATION, Player, ProgramKind, ProgramName, Thinking,
};
pub use notes::{MAX_NOTE, MOST_NOTES, TurnNote, plain_notes};
pub use opening_spec::{BeginOpening, OpeningSpec};
pub use outcome::{Closing, Outcome, Place};
pub use planner::{
    GradedPlanner, MakeGraded, MakePlanner, Planner, PlannerContext, PlannerSpec, Progress,
    find_planner,
};
pub use planner_maker::PlannerMaker;
pub use planner_thread::{PlannerReport, PlannerThread, Preparation};
pub use protocol::KeptPrograms;
pub use referee::{Referee, Ruling};
pub use replay::{REPLAY_FORMAT, Replay, ReplayError, SavedLine, newer_version, replay_format};
pub use review::{MoveReview, Review, ReviewedChoice, SeatReview};
pub use salt::{Salt, SaltSyntax};
pub use seat::{Seat, SeatSpec, Seats};
pub use seat_stats::{SeatStats, TurnStats};
pub use setup_error::SetupError;
pub use snapshot::{AnalysisStep, Snapshot, action_text};
pub use spent::{GRACE, Spent};
pub use time_control::TimeControl;
pub use value::{Better, ScoreSpec, Unit, Value};
