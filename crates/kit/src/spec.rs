//! What a game brings beside its rules.

use super::batch::NumberedPlay;
use super::commentary::CommentarySpec;
use super::csv::flat_columns;
use super::game_tree::GameTreeSpec;
use super::maps::MapSpec;
use super::planes::PlaneSpec;
use super::search_name::SearchNameError;
use super::solving::{Solution, SolveOptions};
use super::tiles::TileStyle;
use super::tournament::rows;
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::{LevelFile, RuleSet, rule_to_text};
use outwit_core::platform::time::Duration;
use outwit_core::play::{
    Budget, CheckedLevel, Game, MakePlanner, Match, Outcome, Planner, PlannerContext, PlannerSpec,
    Review, ScoreSpec, Seat, StopFlag,
};
use outwit_core::search::{EventSink, Recording, RecordingSummary};
use outwit_core::tournament::Scoreboard;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{Read, Write};
use std::sync::Arc;

/// A level in another format.
pub struct Converted {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// What could not be kept, if anything.
    pub lost: Vec<String>,
}

/// A level of a file that may hold several.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CollectionEntry {
    /// Its title.
    pub name: String,
    /// Its level file, which need not be playable.
    pub text: String,
}

/// A match that a file of another program records: a solution, or a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedMatch {
    /// The number of its level in the file, counted from 1.
    pub number: usize,
    /// The name of its level.
    pub level: String,
    /// What the file calls it.
    pub title: String,
    /// The line where its moves begin, counted from 1.
    pub line: usize,
    /// The match as a replay, or why its moves cannot be played.
    pub replay: Result<String, String>,
    /// Whether it reaches what has a record: see [`Tables::results`].
    pub is_solved: bool,
}

/// What each search of a comparison may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// Memory in bytes.
    pub memory: usize,
    /// Processor time of a run, as [`SearchFigures::cpu`] counts it.
    pub time: Duration,
    /// How often to run it; the processor time is the mean of the runs.
    pub runs: u32,
}

/// How a search of a comparison ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchEnd {
    /// It found a solution.
    Solved,
    /// It proved that there is none.
    Unsolvable,
    /// It reached its limit of memory or depth.
    GaveUp,
    /// It reached its limit of time, or was stopped.
    TimedOut,
}

/// What one search took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchFigures {
    /// How it ended.
    pub end: SearchEnd,
    /// The score of the solution.
    pub length: Option<f64>,
    /// Whether no better solution exists.
    pub proved: bool,
    /// Processor time, everything that is made for the level included.
    pub cpu: Duration,
    /// States expanded.
    pub expanded: u64,
    /// How many of these had been expanded before.
    pub expanded_again: u64,
    /// Successors generated.
    pub generated: u64,
    /// The most states that were in the open list after an expansion.
    pub largest_frontier: usize,
    /// Memory of the search at its end, where it is largest, in bytes.
    pub bytes: usize,
}

/// A planner as lists show it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlannerInfo {
    /// Its name.
    pub name: &'static str,
    /// How it thinks.
    pub about: &'static str,
    /// The seats it can take, by name.
    pub seats: Vec<String>,
}

/// What can be said of a level without playing it.
#[derive(Clone, PartialEq, Debug)]
pub struct LevelInfo {
    /// What people call it.
    pub name: String,
    /// Who made it.
    pub author: String,
    /// A sentence or two about it.
    pub about: String,
    /// How its cells look.
    pub looks: Grid<TileStyle>,
    /// The value of each rule, in the order of [`properties`](crate::GameFacts::properties).
    pub rules: Vec<String>,
    /// See [`LevelFile::digest`].
    pub digest: u64,
}

/// Which position to analyse, and how.
#[derive(Clone, Debug)]
pub struct AnalyseOptions {
    /// After how many turns; the last position without a number.
    pub turn: Option<usize>,
    /// The name of the planner; the strongest one without a name.
    pub planner: Option<String>,
    /// The name of the seat; the first that is to move and fits the planner without a name.
    pub seat: Option<String>,
    /// How much the planner may spend.
    pub budget: Budget,
    /// The seed of the match, where a level is analysed.
    pub seed: u64,
}

/// What was analysed.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysedPosition {
    /// Id of the game.
    pub game: &'static str,
    /// Name of the level.
    pub level: String,
    /// After how many turns.
    pub turn: usize,
    /// The name of the seat.
    pub seat: String,
    /// The name of the planner.
    pub planner: &'static str,
    /// The name of its algorithm.
    pub algorithm: &'static str,
    /// What values mean.
    pub score: ScoreSpec,
}

/// What a replay file says of its match, which was not played to judge it.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayInfo {
    /// What people call the level.
    pub level: String,
    /// How the cells of the level look.
    pub looks: Grid<TileStyle>,
    /// Who sat where: `human` or a planner's name.
    pub seats: Vec<String>,
    /// What programs and people are called, seat by seat, where the file says so.
    pub names: Vec<Option<String>>,
    /// Number of turns.
    pub turns: usize,
    /// The result, if the match was over.
    pub outcome: Option<Outcome>,
}

/// What playing a replay again showed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReplaySummary {
    /// Whether the states came out as recorded.
    pub faithful: bool,
    /// Whether the file holds a digest of all that was agreed, so that alterations are noticed; those
    /// of earlier versions do not.
    pub sealed: bool,
    /// See [`LevelFile::digest`].
    #[serde(skip)]
    pub level: u64,
    /// Number of turns.
    pub turns: usize,
    /// Who sat where.
    pub seats: Vec<String>,
    /// What programs and people are called, seat by seat, where the file says so.
    pub names: Vec<Option<String>>,
    /// The result, if the match was over.
    pub outcome: Option<Outcome>,
    /// The moves in the game's notation, if it has one.
    pub moves: Option<String>,
}

/// A match that was played from a text of moves.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMoves {
    /// Number of turns.
    pub turns: usize,
    /// The result, if the moves end the match.
    pub outcome: Option<Outcome>,
    /// Whether they reach what has a record: see [`Tables::results`].
    pub is_solved: bool,
}

/// A game as menus and files name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// What people call the game.
    pub name: &'static str,
    /// A sentence for the menu.
    pub about: &'static str,
    /// First field of its level files: id and version.
    pub format: &'static str,
    /// The level to begin with, without the game's id.
    pub first_level: &'static str,
}

/// A game with all that surrounds its rules: data, then what only some games can do.
pub trait GameSpec: Game<Level = LevelFile<Self::Rules>> {
    /// The rules that a level may change.
    type Rules: RuleSet;
    /// What it is called.
    const INFO: GameInfo;
    /// Its tiles, and what maps of them it has.
    const MAPS: MapSpec<Self>;
    /// What its scores mean, and what tables show of its matches.
    const TABLES: Tables<Self>;

    /// All planners, the plainest first.
    fn planners() -> &'static [PlannerSpec<Self>];

    /// An action in words; by default as it stands in replays.
    fn action_words(&self, action: &Self::Action) -> String {
        rule_to_text(action)
    }

    /// Its positions as planes of cells; `None` if nobody has said what those are.
    const PLANES: Option<PlaneSpec<Self>> = None;

    /// How it is played by numbers; `None` where that cannot be done.
    const NUMBERED_PLAY: Option<NumberedPlay<Self>> = None;

    /// What each state is worth, from which a solver, a review and [a planner](super::one_ply_planner)
    /// follow; `None` where that cannot be said at once.
    const WORTH: Option<WorthSpec<Self>> = None;

    /// What one turn of a match is called where those of all seats are counted. In races a turn is that of a single
    /// car, so they count moves.
    const TURN: &'static str = "turn";

    /// Perfect play found in another way; `None` where it follows from [`WORTH`](Self::WORTH), or nobody
    /// knows it.
    const SOLVER: Option<SolverSpec<Self>> = None;

    /// What can be said of a match while it is watched; `None` if nothing is.
    const COMMENTARY: Option<CommentarySpec<Self>> = None;

    /// Its planners that search a graph of states; `None` if no search can be compared or recorded.
    const SEARCHES: Option<Searches<Self>> = None;
    /// Its game tree by minimax and alpha-beta; `None` where none can be drawn.
    const GAME_TREE: Option<GameTreeSpec<Self>> = None;
    /// The planners that are there to be studied: nobody is asked to beat them, and none is the usual opponent.
    const STUDIES: &'static [&'static str] = &[];

    /// The notation of moves that it shares with other programs; `None` if there is none.
    const NOTATION: Option<Notation<Self>> = None;

    /// How a best responder to a given planner is made, which measures how far the planner can be
    /// exploited; `None` where the game has no such instrument.
    const RESPONDER: Option<ResponderSpec<Self>> = None;

    /// How other programs use the planners of this game as engines (`outwit brain`); `None` where there
    /// is no protocol for it. The other way round is [`Game::PROGRAMS`].
    const BRAIN: Option<EngineProtocol> = None;
}

/// What the states of a game without chance are worth.
pub struct WorthSpec<G: GameSpec> {
    /// The score of a seat after perfect play by everybody from a state on; `None` if it gets none. It must
    /// be exact, since what follows from it is said to be proved.
    pub value: fn(&G, &G::State, Seat) -> Option<f64>,
    /// Where on the board an action happens.
    pub cell: fn(&G, &G::State, &G::Action) -> Cell,
}

/// Perfect play, or what is known of it.
pub struct SolverSpec<G: GameSpec> {
    /// Solves a level. Fails if the options do not fit, the level is too large, with what to do about
    /// it, or the flag was raised.
    pub solve: SolveLevel<G>,
    /// What every move of a match cost; `None` where no perfect play is known or the flag was raised.
    pub review: fn(&Match<G>, &StopFlag) -> Option<Review>,
}

/// Solves a level.
pub type SolveLevel<G> = fn(&CheckedLevel<G>, &SolveOptions, &StopFlag) -> Result<Solution, String>;

/// What the scores of a game mean, and what the tables of its matches show.
pub struct Tables<G: GameSpec> {
    /// What scores mean on all levels alike.
    pub score: ScoreSpec,
    /// What they mean on a level, where its rules choose what counts.
    pub score_on: fn(&G::Level) -> ScoreSpec,
    /// The results of a finished match that have a record each: the score that ranks first, then
    /// other figures that a game keeps records of. Empty if the seat has no result.
    pub results: SeatResults<G>,
    /// The words for how a seat may end, in the order in which tables show them.
    pub endings: fn(Seat) -> &'static [&'static str],
    /// The rows of a tournament's table: flat objects with the same keys.
    pub summary: fn(&CheckedLevel<G>, &Scoreboard) -> Vec<Value>,
    /// What stands where in a state, as columns of a trace: see
    /// [`trace_rows`](super::trace::trace_rows).
    pub trace_columns: fn(&G, &G::State) -> Map<String, Value>,
}

/// The results of a seat in a finished match, each with what it means.
pub type SeatResults<G> = fn(&Match<G>, Seat) -> Vec<(ScoreSpec, f64)>;

impl<G: GameSpec> Tables<G> {
    /// This score on all levels and as the only record; won, drawn and lost; the share of every ending,
    /// and all fields of the serialised state.
    pub const fn new(score: ScoreSpec) -> Self {
        Self {
            score,
            score_on: |_| G::TABLES.score,
            results: scored::<G>,
            endings: |_| &["won", "drawn", "lost"],
            summary: |_, board| rows(board, &|seat| (G::TABLES.endings)(Seat(seat as u8))),
            trace_columns: |_, state| flat_columns(state),
        }
    }
}

/// The score of a seat as its only result, if the outcome has one.
fn scored<G: GameSpec>(played: &Match<G>, seat: Seat) -> Vec<(ScoreSpec, f64)> {
    let outcome = played.outcome();
    let score = outcome.and_then(|over| over.places.get(seat.index())?.score);
    let spec = (G::TABLES.score_on)(played.game().level());
    score.map(|score| (spec, score)).into_iter().collect()
}

/// The planners of a game that search a graph of states for a solution. They can be compared, and
/// some of them recorded.
pub struct Searches<G: GameSpec> {
    /// Those that can be compared, the yardstick for the others first.
    pub compared: fn() -> Vec<&'static str>,
    /// Lets one of them solve a level and measures it; `None` if it is not among them.
    pub measure: fn(&CheckedLevel<G>, &str, SearchLimits, &StopFlag) -> Option<SearchFigures>,
    /// The factor of the least cost that no solution of a [search](super::SearchName) exceeds; `None` if nothing is
    /// promised. Fails if there is no such search, or it has no such settings.
    pub bound: fn(&str) -> Result<Option<u32>, SearchNameError>,
    /// Those whose search has events for `stream`.
    pub recorded: fn() -> Vec<&'static str>,
    /// Hands the first events of a planner's search from a state to a sink, at most so many; `None` if the planner
    /// does not search a graph of states. Fails if its search has no events of single states.
    pub stream: StreamSearch<G>,
}

/// Hands the first events of a planner's search to a sink.
pub type StreamSearch<G> = fn(
    &Arc<G>,
    &<G as Game>::State,
    &str,
    (usize, &mut dyn EventSink),
    &StopFlag,
) -> Option<Result<RecordingSummary, String>>;

impl<G: GameSpec> Searches<G> {
    /// The first events of a planner's search, kept: see [`stream`](Self::stream).
    pub fn record(
        &self,
        game: &Arc<G>,
        state: &G::State,
        planner: &str,
        events: usize,
        stop: &StopFlag,
    ) -> Option<Result<Recording, String>> {
        let mut kept = Vec::new();
        let summary = (self.stream)(game, state, planner, (events, &mut kept), stop)?;
        Some(summary.map(|summary| Recording::new(kept, summary)))
    }
}

/// Reads moves that are played from a state on.
pub type ReadMoves<G> =
    fn(&G, &<G as Game>::State, &str) -> Result<Vec<<G as Game>::Action>, String>;

/// A notation of moves that other programs share.
pub struct Notation<G: Game> {
    /// The moves of a match as text.
    pub write: fn(&Match<G>) -> String,
    /// The actions that a text of moves stands for, to be played from a state on. Fails with where in
    /// the text the first problem is, and which rule a move breaks.
    pub read: ReadMoves<G>,
}

/// The planner that a responder answers.
pub struct Opponent<G: Game> {
    /// Makes a copy of it.
    pub make: MakePlanner<G>,
    /// Its seat.
    pub seat: Seat,
    /// What it may spend on a turn.
    pub budget: Budget,
}

/// How a game makes a best responder, for two seats.
///
/// A responder is a planner that may ask copies of its opponent, but knows no more of the match than
/// any planner. It takes the time it needs. The counters of its insight are added up over all games.
pub struct ResponderSpec<G: Game> {
    /// How it works, in a few sentences for people.
    pub method: &'static str,
    /// Makes one, at once.
    pub make: MakeResponder<G>,
}

/// Makes a responder for a seat of a match.
pub type MakeResponder<G> = fn(PlannerContext<G>, Opponent<G>) -> Box<dyn Planner<G>>;

/// A protocol by which other programs use the engines of a game.
#[derive(Clone, Copy)]
pub struct EngineProtocol {
    /// What it is called.
    pub name: &'static str,
    /// Reads commands and writes answers until the command to end or the end of the input; fails if the output
    /// cannot be written.
    pub serve: fn(Box<dyn Read + Send>, &mut dyn Write) -> std::io::Result<()>,
}
