//! What a game brings beside its rules, and the same without its types.

use super::editing::{EditableGame, Editing, TileKind};
use super::formats;
use super::tournament::rows;
use crate::grid::{Cell, Grid};
use crate::levels::{Fault, LevelFile, Property, RuleSet, read_ron, write_ron};
use crate::play::{
    AnalysisStep, Budget, Game, Match, Outcome, PlannerContext, PlannerSpec, Player, Replay,
    Review, ScoreSpec, Seat, SeatSpec, StopFlag, Unit, analyse, find_planner,
};
use crate::tournament::{
    Contest, FinishedGame, Scoreboard, TournamentError, replay_of, run_contest,
};
use serde::Serialize;
use serde_json::Value;
use std::marker::PhantomData;
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
    /// The solution as cells, to be derived_rules.
    pub line: Vec<Cell>,
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

/// One measure of `bench`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BenchRow {
    /// What was measured.
    pub measure: String,
    /// The figure.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
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
    /// The value of each rule, in the order of [`DynGame::properties`].
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
    /// Number of turns.
    pub turns: usize,
    /// Who sat where.
    pub seats: Vec<String>,
    /// The result, if the match was over.
    pub outcome: Option<Outcome>,
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
    /// Endings of formats level formats that it writes, without the dot.
    const EXPORTS: &'static [&'static str] = &["png", "txt"];
    /// What can be laid on a map. The first that may lie on a cell is what an empty cell holds.
    const PALETTE: &'static [TileKind];

    /// What is wrong with a level beyond [`LevelFile::general_faults`]; empty if it can be played.
    fn faults(level: &Self::Level) -> Vec<Fault>;

    /// All planners, the plainest first.
    fn planners() -> &'static [PlannerSpec<Self>];

    /// How the cells look in small pictures.
    fn looks(level: &Self::Level) -> Grid<TileStyle>;

    /// Solves a level.
    ///
    /// # Errors
    /// If the options do not fit or the level is too large, with what to do about it.
    fn solve(
        level: &Self::Level,
        options: &SolveOptions,
        stop: &StopFlag,
    ) -> Result<Solution, String>;

    /// What every move of a match cost; `None` where no perfect play is known or `stop` was raised.
    fn review(played: &Match<Self>, stop: &StopFlag) -> Option<Review>;

    /// What the scores of its seats mean.
    const SCORE: ScoreSpec;

    /// The words for how a seat may end, in the order in which tables show them.
    fn endings(seat: Seat) -> &'static [&'static str];

    /// The players of a match when some seats are named and the rest are not; with none named the
    /// usual line-up, a person against the machine.
    ///
    /// # Errors
    /// If a name is no seat or no planner of the game.
    fn seat_players(named: &[(String, Player)]) -> Result<Vec<Player>, String>;

    /// The rows of a tournament's table: flat objects with the same keys.
    fn summary(_level: &Self::Level, board: &Scoreboard) -> Vec<Value> {
        rows(board, &|seat| Self::endings(Seat(seat as u8)))
    }

    /// Measures the game's own speed.
    fn bench(row: &mut dyn FnMut(BenchRow));
}

/// A game without its types, for whatever treats all games alike.
pub trait DynGame: Editing {
    /// Short lower-case name.
    fn id(&self) -> &'static str;
    /// What people call it.
    fn name(&self) -> &'static str;
    /// A sentence for the menu.
    fn about(&self) -> &'static str;
    /// The level to begin with.
    fn first_level(&self) -> String;
    /// First field of its level files.
    fn format(&self) -> &'static str;
    /// Endings of formats formats that it writes.
    fn exports(&self) -> &'static [&'static str];
    /// How many may play.
    fn seats_allowed(&self) -> RangeInclusive<usize>;
    /// All planners.
    fn planners(&self) -> Vec<PlannerInfo>;
    /// A seat as people and files know it.
    fn seat(&self, seat: usize) -> SeatSpec;
    /// The rules that a level or the set-up may change.
    fn properties(&self) -> &'static [Property];
    /// What can be said of a level without playing it.
    ///
    /// # Errors
    /// Every fault of the level.
    fn describe(&self, bytes: &[u8], name: &str) -> Result<LevelInfo, Vec<Fault>>;
    /// Every fault of a level file, own or formats format; empty if it can be played.
    fn check(&self, bytes: &[u8], name: &str) -> Vec<Fault>;
    /// How much the bytes look like a level of this game, own or formats format: from 0, not at
    /// all, to 1, where they say so themselves.
    fn format_score(&self, bytes: &[u8], name: &str) -> f32;
    /// Reads any format, sets rules, writes the format of this ending.
    ///
    /// # Errors
    /// All that is wrong.
    fn convert(
        &self,
        bytes: &[u8],
        name: &str,
        sets: &[(String, String)],
        ending: &str,
    ) -> Result<Converted, Vec<Fault>>;
    /// Solves a level.
    ///
    /// # Errors
    /// All that is wrong with level or options.
    fn solve(
        &self,
        bytes: &[u8],
        name: &str,
        options: &SolveOptions,
    ) -> Result<Solution, Vec<Fault>>;
    /// Changes whenever the same actions may lead to other states.
    fn rules_version(&self) -> u32;
    /// What the scores of its seats mean.
    fn score(&self) -> ScoreSpec;
    /// The words for how a seat may end, in the order in which tables show them.
    fn endings(&self, seat: usize) -> &'static [&'static str];
    /// Plays a contest; see [`run_contest`].
    ///
    /// # Errors
    /// If the level is faulty, or as [`run_contest`].
    fn run_contest(
        &self,
        contest: &Contest,
        done: Vec<FinishedGame>,
        stop: &StopFlag,
        finished: &(dyn Fn(&FinishedGame) -> Result<(), String> + Sync),
    ) -> Result<Vec<FinishedGame>, TournamentError>;
    /// The rows of a tournament's table: flat objects with the same keys.
    ///
    /// # Errors
    /// If the level is faulty.
    fn summary(&self, board: &Scoreboard) -> Result<Vec<Value>, String>;
    /// A finished game of a contest as the text of a replay file.
    ///
    /// # Errors
    /// If it comes out otherwise than it did, or `stop` is raised.
    fn replay_text(
        &self,
        contest: &Contest,
        game: &FinishedGame,
        stop: &StopFlag,
    ) -> Result<String, String>;
    /// The players of a match when some seats are named and the rest are not; with none named the
    /// usual line-up, a person against the machine.
    ///
    /// # Errors
    /// If a name is no seat or no planner of the game.
    fn seat_players(&self, named: &[(String, Player)]) -> Result<Vec<Player>, String>;
    /// Plays a replay again.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn replay(&self, bytes: &[u8]) -> Result<ReplaySummary, Fault>;
    /// Lets a planner think about a position of a replay or a level, and shows what it found at
    /// growing amounts of work.
    ///
    /// # Errors
    /// If the file is faulty, the position or planner does not exist, or the planner panics.
    fn analyse(
        &self,
        bytes: &[u8],
        name: &str,
        options: &AnalyseOptions,
        stop: &StopFlag,
        step: &mut dyn FnMut(AnalysisStep),
    ) -> Result<AnalysedPosition, Vec<Fault>>;
    /// Measures the game's own speed.
    fn bench(&self, row: &mut dyn FnMut(BenchRow));
}

/// The [`DynGame`] of a game.
pub struct Erased<G>(PhantomData<fn() -> G>);

impl<G> Erased<G> {
    /// The only value.
    pub const NEW: Self = Self(PhantomData);
}

/// Reads a level in any format that the game knows; whether it can be played is not looked at.
///
/// # Errors
/// Why it cannot be read.
pub fn read_any<G: GameSpec>(bytes: &[u8], name: &str) -> Result<G::Level, Vec<Fault>> {
    match formats::read::<G>(bytes, name) {
        Some(level) => level,
        None => read_ron(bytes).map_err(|fault| vec![fault]),
    }
}

/// Reads a level in any format that the game knows, and checks it.
///
/// # Errors
/// Every fault.
pub fn read_level<G: GameSpec>(bytes: &[u8], name: &str) -> Result<G::Level, Vec<Fault>> {
    let level = read_any::<G>(bytes, name)?;
    let faults = level_faults::<G>(&level);
    if faults.is_empty() { Ok(level) } else { Err(faults) }
}

/// Every fault of a level. A game may rely on it that its rules are in their ranges and its map is
/// a rectangle: it is not asked about any other level.
pub(super) fn level_faults<G: GameSpec>(level: &G::Level) -> Vec<Fault> {
    let mut faults = level.general_faults(G::FORMAT);
    if level.rules.faults().is_empty() && level.shape_faults().is_empty() {
        faults.extend(G::faults(level));
    }
    faults
}

/// Reads a level and sets rules, each as `KEY` and the text of its value.
///
/// # Errors
/// Every fault of the level, before or after.
pub fn read_level_with<G: GameSpec>(
    bytes: &[u8],
    name: &str,
    sets: &[(String, String)],
) -> Result<G::Level, Vec<Fault>> {
    let mut level = read_level::<G>(bytes, name)?;
    for (key, value) in sets {
        level.rules.set(key, value).map_err(|why| vec![Fault::whole(why)])?;
    }
    let faults = G::faults(&level);
    if faults.is_empty() { Ok(level) } else { Err(faults) }
}

/// The level that a contest is played on.
fn arena<G: GameSpec>(contest: &Contest) -> Result<G::Level, String> {
    read_level::<G>(contest.level.text.as_bytes(), "")
        .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

impl<G: EditableGame> DynGame for Erased<G> {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn first_level(&self) -> String {
        format!("{}/{}", G::ID, G::FIRST_LEVEL)
    }

    fn format(&self) -> &'static str {
        G::FORMAT
    }

    fn exports(&self) -> &'static [&'static str] {
        G::EXPORTS
    }

    fn seats_allowed(&self) -> RangeInclusive<usize> {
        G::seats_allowed()
    }

    fn planners(&self) -> Vec<PlannerInfo> {
        let seats = *G::seats_allowed().end();
        G::planners()
            .iter()
            .map(|spec| PlannerInfo {
                name: spec.name,
                about: spec.about,
                seats: (0..seats as u8)
                    .map(Seat)
                    .filter(|&seat| (spec.seats)(seat))
                    .map(G::seat_id)
                    .collect(),
            })
            .collect()
    }

    fn seat(&self, seat: usize) -> SeatSpec {
        G::seat_spec(Seat(seat as u8))
    }

    fn properties(&self) -> &'static [Property] {
        G::Rules::properties()
    }

    fn describe(&self, bytes: &[u8], name: &str) -> Result<LevelInfo, Vec<Fault>> {
        let level = read_level::<G>(bytes, name)?;
        Ok(LevelInfo {
            looks: G::looks(&level),
            digest: level.digest(),
            rules: G::Rules::properties()
                .iter()
                .map(|property| level.rules.value(property.key).unwrap_or_default())
                .collect(),
            name: level.name,
            author: level.author,
            about: level.about,
        })
    }

    fn check(&self, bytes: &[u8], name: &str) -> Vec<Fault> {
        read_level::<G>(bytes, name).err().unwrap_or_default()
    }

    fn format_score(&self, bytes: &[u8], name: &str) -> f32 {
        formats::format_score::<G>(bytes, name)
    }

    fn convert(
        &self,
        bytes: &[u8],
        name: &str,
        sets: &[(String, String)],
        ending: &str,
    ) -> Result<Converted, Vec<Fault>> {
        let level = read_level_with::<G>(bytes, name, sets)?;
        if ending == "ron" {
            return Ok(Converted { bytes: write_ron(&level).into_bytes(), lost: Vec::new() });
        }
        formats::write::<G>(&level, ending).map_err(|why| vec![Fault::whole(why)])
    }

    fn solve(
        &self,
        bytes: &[u8],
        name: &str,
        options: &SolveOptions,
    ) -> Result<Solution, Vec<Fault>> {
        let level = read_level::<G>(bytes, name)?;
        G::solve(&level, options, &StopFlag::default()).map_err(|why| vec![Fault::whole(why)])
    }

    fn rules_version(&self) -> u32 {
        G::RULES_VERSION
    }

    fn score(&self) -> ScoreSpec {
        G::SCORE
    }

    fn endings(&self, seat: usize) -> &'static [&'static str] {
        G::endings(Seat(seat as u8))
    }

    fn run_contest(
        &self,
        contest: &Contest,
        done: Vec<FinishedGame>,
        stop: &StopFlag,
        finished: &(dyn Fn(&FinishedGame) -> Result<(), String> + Sync),
    ) -> Result<Vec<FinishedGame>, TournamentError> {
        let level = arena::<G>(contest).map_err(TournamentError::Setup)?;
        run_contest::<G>(&level, G::planners(), contest, done, stop, finished)
    }

    fn summary(&self, board: &Scoreboard) -> Result<Vec<Value>, String> {
        Ok(G::summary(&arena::<G>(board.contest())?, board))
    }

    fn replay_text(
        &self,
        contest: &Contest,
        game: &FinishedGame,
        stop: &StopFlag,
    ) -> Result<String, String> {
        let level = arena::<G>(contest)?;
        let replay = replay_of::<G>(&level, G::planners(), contest, game, stop)?;
        ron::ser::to_string(&replay).map_err(|error| error.to_string())
    }

    fn seat_players(&self, named: &[(String, Player)]) -> Result<Vec<Player>, String> {
        G::seat_players(named)
    }

    fn replay(&self, bytes: &[u8]) -> Result<ReplaySummary, Fault> {
        let replay: Replay<G> = read_ron(bytes)?;
        let mut summary = ReplaySummary {
            faithful: true,
            turns: replay.turns.len(),
            seats: replay.seats.clone(),
            outcome: replay.outcome.clone(),
        };
        match replay.play() {
            Ok(played) => summary.outcome = played.outcome(),
            Err(crate::play::ReplayError::Unfaithful) => summary.faithful = false,
            Err(error) => return Err(Fault::whole(error.to_string())),
        }
        Ok(summary)
    }

    fn analyse(
        &self,
        bytes: &[u8],
        name: &str,
        options: &AnalyseOptions,
        stop: &StopFlag,
        step: &mut dyn FnMut(AnalysisStep),
    ) -> Result<AnalysedPosition, Vec<Fault>> {
        let played = match_of::<G>(bytes, name, options.seed)?;
        let whole = |why: String| vec![Fault::whole(why)];
        let turn = options.turn.unwrap_or(played.len());
        let Some(state) = played.state_at(turn) else {
            return Err(whole(format!("there is no turn {turn}; it has {} turns", played.len())));
        };
        let over = turn == played.len() && played.outcome().is_some();
        let to_move = if over { Vec::new() } else { played.game().to_move(state) };
        let (seat, spec) = thinker::<G>(&to_move, turn, options).map_err(whole)?;
        let context = PlannerContext { game: Arc::clone(played.game()), seat, seed: options.seed };
        let Some(seen) = played.observation(turn, seat) else {
            return Err(whole(format!("there is no turn {turn}")));
        };
        analyse(spec, context, &seen, options.budget, stop, |snapshot| step(snapshot.into()))
            .map_err(|why| whole(format!("{} crashed: {why}", spec.name)))?;
        Ok(AnalysedPosition {
            game: G::ID,
            level: played.game().level().name.clone(),
            turn,
            seat: G::seat_id(seat),
            planner: spec.name,
            algorithm: spec.algorithm,
            score: G::SCORE,
        })
    }

    fn bench(&self, row: &mut dyn FnMut(BenchRow)) {
        G::bench(row);
    }
}

/// The match of a replay file, or a match on a level before its first turn.
fn match_of<G: GameSpec>(bytes: &[u8], name: &str, seed: u64) -> Result<Match<G>, Vec<Fault>> {
    let whole = |why: String| vec![Fault::whole(why)];
    if replay_game(bytes).is_some() {
        let replay: Replay<G> = read_ron(bytes).map_err(|fault| vec![fault])?;
        return replay.play().map_err(|error| whole(error.to_string()));
    }
    let level = read_level::<G>(bytes, name)?;
    let seats = *G::seats_allowed().start();
    G::new(&level, seats)
        .and_then(|game| Match::new(Arc::new(game), seed))
        .map_err(|error| whole(error.to_string()))
}

/// The seat and the planner that the options mean, among the seats that are to move.
fn thinker<G: GameSpec>(
    to_move: &[Seat],
    turn: usize,
    options: &AnalyseOptions,
) -> Result<(Seat, &'static PlannerSpec<G>), String> {
    let ids = || to_move.iter().map(|&seat| G::seat_id(seat)).collect::<Vec<_>>().join(", ");
    let seats: Vec<Seat> = match &options.seat {
        None => to_move.to_vec(),
        Some(id) => to_move.iter().copied().filter(|&seat| G::seat_id(seat) == *id).collect(),
    };
    if to_move.is_empty() {
        return Err(format!("nobody chooses at turn {turn}; take another turn"));
    }
    if let (true, Some(id)) = (seats.is_empty(), &options.seat) {
        return Err(format!("{id} does not choose at turn {turn}; choose from {}", ids()));
    }
    let fits = |name: &str| {
        seats.iter().find_map(|&s| Some((s, find_planner(G::planners(), name, s).ok()?)))
    };
    match &options.planner {
        Some(name) => fits(name).ok_or_else(|| {
            let names: Vec<_> = G::planners()
                .iter()
                .filter(|spec| seats.iter().any(|&seat| (spec.seats)(seat)))
                .map(|spec| spec.name)
                .collect();
            format!("no planner '{name}' for {}; choose from {}", ids(), names.join(", "))
        }),
        None => G::planners()
            .iter()
            .rev()
            .find_map(|spec| fits(spec.name))
            .ok_or_else(|| format!("no planner plays {}", ids())),
    }
}

/// The id of the game that a replay says it is of, however faulty the rest of it is.
pub fn replay_game(bytes: &[u8]) -> Option<String> {
    text_field(bytes, "game")
}

/// The `format` field of one of our own level files, if the bytes are one, however faulty.
pub(super) fn own_format(bytes: &[u8]) -> Option<String> {
    text_field(bytes, "format")
}

/// The first text that stands behind `name:`.
fn text_field(bytes: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    text.match_indices(name).find_map(|(at, _)| {
        let after = text[at + name.len()..].trim_start().strip_prefix(':')?;
        let quoted = after.trim_start().strip_prefix('"')?;
        Some(quoted.split_once('"')?.0.to_owned())
    })
}
