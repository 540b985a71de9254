//! What a game brings beside its rules.

use super::editing::{TileKind, map_faults};
use super::tournament::rows;
use super::trace::flat_columns;
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::{Fault, LevelFile, Property, RuleSet};
use outwit_core::platform::time::Duration;
use outwit_core::play::{
    Budget, Game, MakePlanner, Match, Outcome, Planner, PlannerContext, PlannerSpec, Review,
    ScoreSpec, Seat, StopFlag, Unit,
};
use outwit_core::search::Recording;
use outwit_core::tournament::Scoreboard;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{Read, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// How a cell of a level looks in small pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TileStyle {
    /// Outside, rock, water.
    Void,
    /// Where one can go.
    Ground,
    /// What stops.
    Wall,
    /// Where play begins.
    Start,
    /// Where it wants to end.
    Goal,
    /// Something else to notice.
    Mark,
}

/// What to solve and how.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// Which planner; the game's exact one without a name.
    pub planner: Option<String>,
    /// How much a planner may spend on a turn.
    pub budget: Budget,
    /// Where to begin, if not where the level says.
    pub start: Option<Cell>,
    /// The seed of the match in which a planner is tried.
    pub seed: u64,
}

/// The answer to a level.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Solution {
    /// The value of the level, such as its least number of turns; `None` if it has no solution.
    pub value: Option<f64>,
    /// What the value counts.
    pub unit: Unit,
    /// Whether no better value exists.
    pub proved: bool,
    /// The solution as cells, to be drawn.
    pub line: Vec<Cell>,
    /// The solution in the game's notation of moves, if it has one.
    pub moves: Option<String>,
    /// One sentence for people.
    pub message: String,
    /// What it took.
    pub counters: Vec<(&'static str, f64)>,
}

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

/// What each search of a comparison may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// Memory in bytes.
    pub memory: usize,
    /// Wall-clock time of a run.
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
    /// Successors generated.
    pub generated: u64,
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
    /// The value of each rule, in the order of [`properties`](crate::DynGame::properties).
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
    /// Whether they reach what has a record: see [`GameSpec::results`].
    pub is_solved: bool,
}

/// A game with all that surrounds its rules.
pub trait GameSpec: Game<Level = LevelFile<Self::Rules>> {
    /// The rules that a level may change.
    type Rules: RuleSet;
    /// What people call the game.
    const NAME: &'static str;
    /// A sentence for the menu.
    const ABOUT: &'static str;
    /// First field of its level files: id and version.
    const FORMAT: &'static str;
    /// The level to begin with, without the game's id.
    const FIRST_LEVEL: &'static str;
    /// What can be laid on a map. The first that may lie on a cell is what an empty cell holds.
    const PALETTE: &'static [TileKind];
    /// What maps it has.
    const MAPS: MapSpec<Self>;
    /// What the scores of its seats mean.
    const SCORE: ScoreSpec;

    /// The level formats of other programs for this game; `None` if it has only pictures and texts.
    const FOREIGN_FORMATS: Option<ForeignFormats<Self>> = None;

    /// All planners, the plainest first.
    fn planners() -> &'static [PlannerSpec<Self>];

    /// What is wrong with a level beyond [`LevelFile::general_faults`]; empty if it can be played. By
    /// default [`map_faults`], with which a game may begin its own list.
    fn faults(level: &Self::Level) -> Vec<Fault> {
        map_faults::<Self>(level)
    }

    /// Probable mistakes in a playable level.
    fn warnings(_level: &Self::Level) -> Vec<Fault> {
        Vec::new()
    }

    /// How the cells look in small pictures. By default as the tiles say.
    fn looks(level: &Self::Level) -> Grid<TileStyle> {
        let tile = |symbol: char| Self::PALETTE.iter().find(|tile| tile.symbol == symbol);
        level.cells('\0').map(|&symbol| tile(symbol).map_or(TileStyle::Void, |tile| tile.look))
    }

    /// Solves a level.
    ///
    /// # Errors
    /// If the options do not fit or the level is too large, with what to do about it; by default
    /// always.
    fn solve(
        _level: &Self::Level,
        _options: &SolveOptions,
        _stop: &StopFlag,
    ) -> Result<Solution, String> {
        Err(format!("there is no exact solver for {}", Self::NAME))
    }

    /// What every move of a match cost; `None` where no perfect play is known or `stop` was raised.
    fn review(_played: &Match<Self>, _stop: &StopFlag) -> Option<Review> {
        None
    }

    /// Its planners that search a graph of states; `None` if no search can be compared or recorded.
    const SEARCHES: Option<Searches<Self>> = None;

    /// What the scores mean on a level, where its rules choose what counts.
    fn score_on(_level: &Self::Level) -> ScoreSpec {
        Self::SCORE
    }

    /// The results of a finished match that have a record each: the score that ranks first, then
    /// other figures that a game keeps records of. Empty if the seat has no result.
    fn results(played: &Match<Self>, seat: Seat) -> Vec<(ScoreSpec, f64)> {
        let place = played.outcome().and_then(|over| over.places.get(seat.index()).cloned());
        place
            .and_then(|place| place.score)
            .map(|score| (Self::score_on(played.game().level()), score))
            .into_iter()
            .collect()
    }

    /// The notation of moves that it shares with other programs; `None` if there is none.
    const NOTATION: Option<Notation<Self>> = None;

    /// The words for how a seat may end, in the order in which tables show them.
    fn endings(_seat: Seat) -> &'static [&'static str] {
        &["won", "drawn", "lost"]
    }

    /// What the tables of its matches show.
    const TABLES: Tables<Self> = Tables::USUAL;

    /// How random levels are made; `None` if they cannot be.
    const GENERATOR: Option<Generator<Self>> = None;

    /// How a best responder to a given planner is made, which measures how far the planner can be
    /// exploited; `None` where the game has no such instrument.
    const RESPONDER: Option<ResponderSpec<Self>> = None;

    /// How other programs use the planners of this game as engines (`outwit brain`); `None` where there
    /// is no protocol for it. The other way round is [`Game::PROGRAMS`].
    const BRAIN: Option<EngineProtocol> = None;
}

/// The level formats of other programs for a game. All games have pictures (`png`) and texts (`txt`).
pub struct ForeignFormats<G: GameSpec> {
    /// Extensions of the formats that it writes, without the dot.
    pub endings: &'static [&'static str],
    /// Reads the levels of a file in a text format, given its bytes and its name without extension.
    /// `None` if the bytes are in no such format.
    pub read: ReadFormat<G>,
    /// How likely the bytes are in such a format, from 0 to 1, given also the file's extension.
    pub score: fn(&[u8], &str) -> f32,
    /// What reading skips of these bytes though it could be part of a level, with its lines.
    pub skipped: fn(&[u8]) -> Vec<String>,
    /// Writes a level in the format with this extension; `None` writes only its map as text.
    pub write: fn(&G::Level, &str) -> Option<Converted>,
}

/// Reads the levels of a file that may be in a format of a game.
pub type ReadFormat<G> = fn(&[u8], &str) -> Option<Result<Vec<<G as Game>::Level>, Vec<Fault>>>;

impl<G: GameSpec> ForeignFormats<G> {
    /// Formats with these extensions that hold only the map as text.
    pub const fn maps(endings: &'static [&'static str]) -> Self {
        Self {
            endings,
            read: |_, _| None,
            score: |_, _| 0.0,
            skipped: |_| Vec::new(),
            write: |_, _| None,
        }
    }
}

/// What maps a game has.
pub struct MapSpec<G: GameSpec> {
    /// The allowed width and height of a map, in cells.
    pub sides: RangeInclusive<usize>,
    /// Columns and rows of a new map.
    pub new_size: (usize, usize),
    /// Rules whose value follows from the map, such as its size.
    pub derived_rules: &'static [&'static str],
    /// Moves what rules say about the map of a level into the map.
    pub unfold: fn(G::Level) -> G::Level,
}

impl<G: GameSpec> MapSpec<G> {
    /// Maps that say everything themselves, given the allowed width and height and the columns and
    /// rows of a new one.
    pub const fn new(sides: RangeInclusive<usize>, new_size: (usize, usize)) -> Self {
        Self { sides, new_size, derived_rules: &[], unfold: |level| level }
    }
}

/// What the tables of matches show.
pub struct Tables<G: GameSpec> {
    /// The rows of a tournament's table: flat objects with the same keys.
    pub summary: fn(&G::Level, &Scoreboard) -> Vec<Value>,
    /// What stands where in a state, as columns of a trace: see
    /// [`trace_rows`](super::trace::trace_rows).
    pub trace_columns: fn(&G, &G::State) -> Map<String, Value>,
}

impl<G: GameSpec> Tables<G> {
    /// The share of every ending, and all fields of the serialised state.
    pub const USUAL: Self = Self {
        summary: |_, board| rows(board, &|seat| G::endings(Seat(seat as u8))),
        trace_columns: |_, state| flat_columns(state),
    };
}

/// The options of a generator of random levels, and the generator itself.
pub trait GeneratorOptions<G: GameSpec>: RuleSet {
    /// Generates a random level. The same options and seed give the same level.
    ///
    /// # Errors
    /// If there is no such level; the message says what to change.
    fn generate(&self, seed: u64) -> Result<G::Level, String>;
}

/// A generator of random levels without the type of its options.
pub struct Generator<G: GameSpec> {
    /// The options with their default values.
    pub options: fn() -> Vec<(&'static Property, String)>,
    /// Generates a random level, given the options that differ from the default and a seed. Fails if
    /// an option is invalid, or as [`GeneratorOptions::generate`].
    pub generate: GenerateLevel<G>,
}

impl<G: GameSpec> Generator<G> {
    /// The generator with these options.
    pub const fn of<O: GeneratorOptions<G>>() -> Self {
        Self {
            options: || {
                let usual = O::default();
                let value = |key| usual.value(key).unwrap_or_default();
                O::properties().iter().map(|property| (property, value(property.key))).collect()
            },
            generate: |options, seed| {
                let mut asked = O::default();
                for (key, value) in options {
                    asked.set(key, value)?;
                }
                asked.generate(seed)
            },
        }
    }
}

/// The planners of a game that search a graph of states for a solution. They can be compared, and
/// some of them recorded.
pub struct Searches<G: GameSpec> {
    /// Those that can be compared, the yardstick for the others first.
    pub compared: fn() -> Vec<&'static str>,
    /// Lets one of them solve a level and measures it; `None` if it is not among them.
    pub measure: fn(&G::Level, &str, SearchLimits, &StopFlag) -> Option<SearchFigures>,
    /// Those whose search has events for `record`.
    pub recorded: fn() -> Vec<&'static str>,
    /// The first events of a planner's search from a state, at most so many; `None` if the planner
    /// does not search a graph of states. Fails if its search has no events of single states.
    pub record: RecordSearch<G>,
}

/// Records the first events of a planner's search.
pub type RecordSearch<G> =
    fn(&Arc<G>, &<G as Game>::State, &str, usize, &StopFlag) -> Option<Result<Recording, String>>;

/// Generates a level from options, as keys with the text of their values, and a seed.
pub type GenerateLevel<G> = fn(&[(String, String)], u64) -> Result<<G as Game>::Level, String>;

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
