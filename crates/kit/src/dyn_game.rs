//! A game without its types.

use super::batch::{DynBatch, RewardKind};
use super::commentary::Commentary;
use super::comparison::ComparisonError;
use super::dyn_position::DynPosition;
use super::dyn_referee::DynReferee;
use super::editing::Editing;
use super::exploit::ExploitError;
use super::facts::GameFacts;
use super::programs::{AskedPosition, Trial, TrialOptions};
use super::reading::{AnyLevel, FaultyLevel};
use super::solving::{Solution, SolveOptions};
use super::spec::{
    AnalyseOptions, AnalysedPosition, CollectionEntry, Converted, LevelInfo, PlannerInfo,
    PlayedMoves, RecordedMatch, ReplayInfo, ReplaySummary, SearchFigures, SearchLimits,
};
use outwit_core::levels::{Fault, Property};
use outwit_core::play::protocol::ExampleMessage;
use outwit_core::play::{
    AllowedProgram, AnalysisStep, EngineInfo, MatchSetup, Player, ProgramKind, Review, Seat,
    SeatSpec, StopFlag,
};
use outwit_core::search::{Recording, RecordingSummary, TraceFormat, TraceMap};
use outwit_core::tournament::{
    Contest, FinishedGame, GameChoice, Scoreboard, Share, TournamentError,
};
use serde_json::Value;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// A game without its types, for whatever treats all games alike.
pub trait DynGame: Editing {
    /// What it is called, and what it can do.
    fn facts(&self) -> &'static GameFacts;
    /// A replay in the foreign format with this extension, with what each move cost if `review` is asked for; that may
    /// take minutes.
    ///
    /// # Errors
    /// What is wrong with the file, which must be faithful, or what the format has no place for.
    fn write_match(&self, bytes: &[u8], ending: &str, review: bool) -> Result<Converted, Fault>;
    /// Reads a level in any format that the game knows, and checks it.
    ///
    /// # Errors
    /// Every fault of the level.
    fn read(&self, bytes: &[u8], name: &str) -> Result<AnyLevel, Vec<Fault>>;
    /// The levels of a file in any format that the game knows, each as a level file. Most formats
    /// hold one level. Whether they can be played is not looked at.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read_collection(&self, bytes: &[u8], name: &str)
    -> Result<Vec<CollectionEntry>, Vec<Fault>>;
    /// The title of a file of several levels, if it names one.
    fn collection_title(&self, bytes: &[u8]) -> Option<String>;
    /// The matches that a file of another program records, such as solutions of its levels.
    fn recorded(&self, bytes: &[u8], name: &str) -> Vec<RecordedMatch>;
    /// What [`read_collection`](Self::read_collection) does not keep of a file, with its lines.
    fn skipped(&self, bytes: &[u8]) -> Vec<String>;
    /// What can be said of a level without playing it.
    ///
    /// # Errors
    /// If it is of another game.
    fn info(&self, level: &AnyLevel) -> Result<LevelInfo, Vec<Fault>>;
    /// The seat that a level is a problem for, where one is set up for whoever is to move; `None` if it is not.
    fn problem_for(&self, level: &AnyLevel) -> Option<usize>;
    /// The level with some rules changed, each given as its key and the text of its value.
    ///
    /// # Errors
    /// Every fault of the changed level.
    fn with_rules(
        &self,
        level: &AnyLevel,
        sets: &[(String, String)],
    ) -> Result<AnyLevel, Vec<Fault>>;
    /// The level in the format of this ending; `ron` is the program's own.
    ///
    /// # Errors
    /// If the format is unknown or cannot hold the level.
    fn write(&self, level: &AnyLevel, ending: &str) -> Result<Converted, Vec<Fault>>;
    /// Solves a level.
    ///
    /// # Errors
    /// If the options do not fit, the level is too large, or `stop` is raised.
    fn solve_level(
        &self,
        level: &AnyLevel,
        options: &SolveOptions,
        stop: &StopFlag,
    ) -> Result<Solution, Vec<Fault>>;
    /// How much the bytes look like a level of this game, own or foreign format: from 0, not at
    /// all, to 1, where they say so themselves.
    fn format_score(&self, bytes: &[u8], name: &str) -> f32;
    /// Plays a share of a contest; see [`run_share`](outwit_core::tournament::run_share). In one of
    /// [`with_responder`](super::with_responder) the game's responder plays too.
    ///
    /// # Errors
    /// If the level is faulty or a responder cannot play, or as
    /// [`run_share`](outwit_core::tournament::run_share).
    fn run_share(
        &self,
        contest: &Contest,
        share: Share,
        done: Vec<FinishedGame>,
        stop: &StopFlag,
        finished: &(dyn Fn(&FinishedGame) -> Result<(), String> + Sync),
    ) -> Result<Vec<FinishedGame>, TournamentError>;
    /// Plays chosen games of a contest in which no responder plays; see
    /// [`run_chosen`](outwit_core::tournament::run_chosen).
    ///
    /// # Errors
    /// If the level is faulty, or as [`run_chosen`](outwit_core::tournament::run_chosen).
    fn run_chosen(
        &self,
        contest: &Contest,
        choice: GameChoice<'_>,
        done: Vec<FinishedGame>,
        stop: &StopFlag,
        finished: &(dyn Fn(&FinishedGame) -> Result<(), String> + Sync),
    ) -> Result<Vec<FinishedGame>, TournamentError>;
    /// Whether the game finds openings for tournaments on a level.
    fn finds_openings(&self, level: &AnyLevel) -> bool;
    /// Checks that the games of a tournament on a level can begin with these moves.
    ///
    /// # Errors
    /// If the game has no openings, or the first move that breaks a rule.
    fn check_opening(&self, level: &AnyLevel, opening: &str) -> Result<(), String>;
    /// The rows of a tournament's table: flat objects with the same keys.
    ///
    /// # Errors
    /// If the level is faulty.
    fn summary(&self, board: &Scoreboard) -> Result<Vec<Value>, FaultyLevel>;
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
    /// What a replay file says of its match, without playing it. Its level is checked.
    ///
    /// # Errors
    /// Why this program cannot read it.
    fn replay_info(&self, bytes: &[u8]) -> Result<ReplayInfo, Fault>;
    /// Plays a replay again.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn replay(&self, bytes: &[u8]) -> Result<ReplaySummary, Fault>;
    /// Plays a replay again and gives all its positions, the start first.
    ///
    /// # Errors
    /// What is wrong with the file, which must be faithful.
    fn positions(&self, bytes: &[u8]) -> Result<Vec<Arc<dyn DynPosition>>, Fault>;
    /// Plays a replay again and says what every move cost; `None` where no perfect play is known or `stop` was raised.
    ///
    /// # Errors
    /// What is wrong with the file, which must be faithful.
    fn review(&self, bytes: &[u8], stop: &StopFlag) -> Result<Option<Review>, Fault>;
    /// Plays a replay again and gives every turn as a row: see
    /// [`trace_rows`](super::trace::trace_rows). With `values` the match is reviewed, which takes a
    /// while; the same match has the same values on every machine.
    ///
    /// # Errors
    /// What is wrong with the file, which must be faithful, or that the match cannot be reviewed.
    fn trace(&self, bytes: &[u8], values: bool) -> Result<Vec<Value>, Fault>;
    /// Plays a replay again and gives all that can be said of the match; the same match has the same
    /// commentary on every machine.
    ///
    /// # Errors
    /// What is wrong with the file, which must be faithful, or that the game has no commentary.
    fn commentary(&self, bytes: &[u8]) -> Result<Commentary, Fault>;
    /// The level as a document, as programs get it: see the [protocol](outwit_core::play::protocol).
    ///
    /// # Errors
    /// If it is of another game.
    fn document(&self, level: &AnyLevel) -> Result<Value, Vec<Fault>>;
    /// The start of a match on a level, for whoever chooses the actions itself.
    ///
    /// # Errors
    /// If the level is of another game, cannot be played by so many, or has no start with this seed.
    fn start(
        &self,
        level: &AnyLevel,
        seats: usize,
        seed: u64,
    ) -> Result<Arc<dyn DynPosition>, String>;
    /// Matches on a level that are played by numbers, none of them begun; `stop` ends the computation of perfect play
    /// where the rewards want it.
    ///
    /// # Errors
    /// If the level is of another game, cannot be played by so many or by numbers, or if perfect play is not known.
    fn batch(
        &self,
        level: &AnyLevel,
        seats: usize,
        rewards: RewardKind,
        stop: &StopFlag,
    ) -> Result<Box<dyn DynBatch>, String>;
    /// A match on a level that is played by planners, programs and people.
    ///
    /// # Errors
    /// If the level is of another game, or as [`Referee::new`](outwit_core::play::Referee::new).
    fn referee(&self, level: &AnyLevel, setup: MatchSetup) -> Result<Box<dyn DynReferee>, String>;
    /// Plays moves, written in the game's notation, from the start of a level.
    ///
    /// # Errors
    /// If the game has no notation, or the first move that breaks a rule.
    fn play_moves(&self, level: &AnyLevel, moves: &str) -> Result<PlayedMoves, Vec<Fault>>;
    /// Lets a planner think about a position of a replay or a level, and shows what it found at
    /// growing amounts of work, with the best action in words.
    ///
    /// # Errors
    /// If the file is faulty, the position or planner does not exist, or the planner panics.
    fn analyse(
        &self,
        bytes: &[u8],
        name: &str,
        options: &AnalyseOptions,
        stop: &StopFlag,
        step: &mut dyn FnMut(AnalysisStep, String),
    ) -> Result<AnalysedPosition, Vec<Fault>>;
    /// An action that is written as in replay files, as a document.
    ///
    /// # Errors
    /// If it is none of this game.
    fn action_document(&self, text: &str) -> Result<Value, String>;
    /// Lets a planner solve a level and measures it.
    ///
    /// # Errors
    /// If the level is of another game or the planner is no search.
    fn measure_search(
        &self,
        level: &AnyLevel,
        planner: &str,
        limits: SearchLimits,
        stop: &StopFlag,
    ) -> Result<SearchFigures, ComparisonError>;
    /// The factor of the least cost that no solution of a [search](super::SearchName), which may have settings,
    /// exceeds; `None` if nothing is promised.
    ///
    /// # Errors
    /// If the game has no such search, or the search no such settings.
    fn search_bound(&self, search: &str) -> Result<Option<u32>, ComparisonError>;
    /// The first events of a planner's search, at most `events`, from a position of a replay or a
    /// level; of the options turn, planner and seed count.
    ///
    /// # Errors
    /// If the file is faulty, the position does not exist, or the planner has no such events.
    fn record_search(
        &self,
        bytes: &[u8],
        name: &str,
        options: &AnalyseOptions,
        events: usize,
        stop: &StopFlag,
    ) -> Result<Recording, Vec<Fault>>;
    /// The same from the start of a level, written as a search trace in a format, for the Posthoc visualiser; see
    /// [`TraceWriter`](outwit_core::search::TraceWriter). It is written while the search goes on, and never held in
    /// memory.
    ///
    /// # Errors
    /// As [`record_search`](Self::record_search), with nothing written, or if the trace cannot be written.
    fn search_trace(
        &self,
        bytes: &[u8],
        name: &str,
        planner: &str,
        events: (usize, TraceFormat),
        out: &mut dyn Write,
        stop: &StopFlag,
    ) -> Result<RecordingSummary, Vec<Fault>>;
    /// What pictures of a search show of a level: walls and goals.
    ///
    /// # Errors
    /// If it is of another game.
    fn search_map(&self, level: &AnyLevel) -> Result<TraceMap, Vec<Fault>>;
    /// A conversation with a program, from the start of a match on a level to its end.
    ///
    /// # Errors
    /// If the level is of another game or cannot be played.
    fn protocol_example(&self, level: &AnyLevel) -> Result<Vec<ExampleMessage>, String>;
    /// The JSON Schema of all messages to and from programs.
    fn protocol_schema(&self) -> Value;
    /// Tries a program on a level.
    ///
    /// # Errors
    /// If the level is of another game or cannot be played by so many, or `stop` is raised.
    fn try_program(
        &self,
        level: &AnyLevel,
        options: &TrialOptions,
        stop: &StopFlag,
    ) -> Result<Trial, String>;
    /// Asks a program about a position of a replay or a level, without a clock if there is no limit; of the options
    /// turn, seat and seed count.
    ///
    /// # Errors
    /// If the file is faulty, the position does not exist, or the program fails.
    fn ask_about(
        &self,
        bytes: &[u8],
        name: &str,
        options: &AnalyseOptions,
        program: &AllowedProgram,
        limit: Option<Duration>,
        stop: &StopFlag,
    ) -> Result<AskedPosition, Vec<Fault>>;
    /// Starts a program for a seat, asks what it is and whether it can play a level, and ends it. Takes little longer
    /// than [`ENGINE_START`](outwit_core::play::ENGINE_START) at most.
    ///
    /// # Errors
    /// If it cannot be started, or cannot play this level, or `stop` is raised.
    fn ask_program(
        &self,
        level: &AnyLevel,
        kind: ProgramKind,
        seat: usize,
        program: &AllowedProgram,
        stop: &StopFlag,
    ) -> Result<EngineInfo, String>;
}

/// What follows from the facts, and what is done the same way for all games.
impl dyn DynGame + '_ {
    /// Short lower-case name.
    pub fn id(&self) -> &'static str {
        self.facts().id
    }
    /// What people call it.
    pub fn name(&self) -> &'static str {
        self.facts().name
    }
    /// The level to begin with.
    pub fn first_level(&self) -> String {
        format!("{}/{}", self.id(), self.facts().first_level)
    }
    /// The rules that a level or the set-up may change.
    pub fn properties(&self) -> &'static [Property] {
        (self.facts().properties)()
    }
    /// Extensions of foreign formats that it writes.
    pub fn exports(&self) -> Vec<&'static str> {
        (self.facts().exports)()
    }
    /// All planners.
    pub fn planners(&self) -> Vec<PlannerInfo> {
        (self.facts().planners)()
    }
    /// Those of them that people meet, from the weakest to the strongest.
    pub fn rivals(&self) -> Vec<PlannerInfo> {
        let mut rivals = self.planners();
        rivals.retain(|planner| !self.facts().studies.contains(&planner.name));
        rivals
    }
    /// A seat as people and files know it.
    pub fn seat(&self, seat: usize) -> SeatSpec {
        (self.facts().seats.spec)(Seat(seat as u8))
    }
    /// The words for how a seat may end, in the order in which tables show them.
    pub fn endings(&self, seat: usize) -> &'static [&'static str] {
        (self.facts().endings)(Seat(seat as u8))
    }
    /// The planners that can be compared by [`measure_search`](DynGame::measure_search), the yardstick
    /// for the others first; empty if the game has none.
    pub fn searches(&self) -> Vec<&'static str> {
        self.facts().searches.map_or_else(Vec::new, |names| names())
    }
    /// How its best responder works.
    ///
    /// # Errors
    /// If the game has none.
    pub fn responder(&self) -> Result<&'static str, ExploitError> {
        self.facts().responder.ok_or(ExploitError::NoMethod(self.name()))
    }
    /// What can be said of a level file without playing it.
    ///
    /// # Errors
    /// Every fault of the level.
    pub fn describe(&self, bytes: &[u8], name: &str) -> Result<LevelInfo, Vec<Fault>> {
        self.info(&self.read(bytes, name)?)
    }
    /// Every fault of a level file in any format; empty if it can be played.
    pub fn check(&self, bytes: &[u8], name: &str) -> Vec<Fault> {
        self.read(bytes, name).err().unwrap_or_default()
    }
    /// Reads any format, sets rules, writes the format of this ending.
    ///
    /// # Errors
    /// All that is wrong.
    pub fn convert(
        &self,
        bytes: &[u8],
        name: &str,
        sets: &[(String, String)],
        ending: &str,
    ) -> Result<Converted, Vec<Fault>> {
        let mut converted =
            self.write(&self.with_rules(&self.read(bytes, name)?, sets)?, ending)?;
        converted.lost.extend(self.skipped(bytes));
        Ok(converted)
    }
    /// Solves a level file.
    ///
    /// # Errors
    /// All that is wrong with level or options.
    pub fn solve(
        &self,
        bytes: &[u8],
        name: &str,
        options: &SolveOptions,
    ) -> Result<Solution, Vec<Fault>> {
        self.solve_level(&self.read(bytes, name)?, options, &StopFlag::default())
    }
    /// The players to watch: the two strongest planners, or as many as the game needs.
    pub fn players_to_watch(&self) -> Vec<Player> {
        let seats =
            (*self.facts().seats.allowed.start()).max(2.min(*self.facts().seats.allowed.end()));
        self.without_people(&vec![Player::Human; seats])
    }
    /// The same players with a planner in the place of each person: the strongest one that has no seat
    /// yet, or the strongest one. A person stays where no planner can take the seat.
    pub fn without_people(&self, players: &[Player]) -> Vec<Player> {
        let planners = self.planners();
        let mut watched = players.to_vec();
        for seat in 0..watched.len() {
            if watched[seat] != Player::Human {
                continue;
            }
            let id = self.seat(seat).id;
            // Listed from the plainest to the strongest.
            let mut fitting = planners.iter().rev().filter(|planner| planner.seats.contains(&id));
            let strongest = fitting.clone().next();
            let fresh = fitting.find(|planner| !watched.contains(&Player::from(planner.name)));
            if let Some(planner) = fresh.or(strongest) {
                watched[seat] = planner.name.into();
            }
        }
        watched
    }
    /// Plays a whole contest.
    ///
    /// # Errors
    /// As [`run_share`](DynGame::run_share).
    pub fn run_contest(
        &self,
        contest: &Contest,
        done: Vec<FinishedGame>,
        stop: &StopFlag,
        finished: &(dyn Fn(&FinishedGame) -> Result<(), String> + Sync),
    ) -> Result<Vec<FinishedGame>, TournamentError> {
        self.run_share(contest, Share::ALL, done, stop, finished)
    }
    /// The players of a match in which only some seats are named, by their ids. Unless a person is
    /// among them, a person takes the seat that the level is a [problem for](DynGame::problem_for), or
    /// else the first one that is open; a planner of medium strength takes each other one. With no
    /// seat named there are two, or as many as the game allows; otherwise seats after the last one
    /// named stay empty if the game can do without them. Unknown ids are ignored.
    pub fn line_up(&self, named: &[(String, Player)], level: Option<&AnyLevel>) -> Vec<Player> {
        let least = *self.facts().seats.allowed.start();
        let most = *self.facts().seats.allowed.end();
        let mut chosen: Vec<Option<Player>> = (0..most)
            .map(|seat| {
                let id = self.seat(seat).id;
                named.iter().rfind(|(name, _)| *name == id).map(|(_, player)| player.clone())
            })
            .collect();
        let last = chosen.iter().rposition(Option::is_some);
        let seats = last.map_or(2, |seat| seat + 1).clamp(least, most);
        chosen.truncate(seats);
        if !named.iter().any(|(_, player)| *player == Player::Human) {
            let solver = level.and_then(|level| self.problem_for(level));
            let own = solver
                .filter(|&seat| chosen.get(seat).is_some_and(Option::is_none))
                .or_else(|| chosen.iter().position(Option::is_none));
            if let Some(own) = own {
                chosen[own] = Some(Player::Human);
            }
        }
        let seats = chosen.into_iter().enumerate();
        seats.map(|(seat, player)| player.unwrap_or_else(|| self.opponent(seat))).collect()
    }
    /// A planner of medium strength for a seat; a person where no planner can take it.
    pub fn opponent(&self, seat: usize) -> Player {
        let id = self.seat(seat).id;
        let rivals = self.rivals();
        let fitting: Vec<_> = rivals.iter().filter(|p| p.seats.contains(&id)).collect();
        fitting.get(fitting.len() / 2).map_or(Player::Human, |planner| planner.name.into())
    }
    /// Whether a player of this name is that planner with a strength in its range.
    pub fn is_graded(&self, player: &str) -> bool {
        self.facts().graded.is_some_and(|graded| matches!(graded.loss_of(player), Ok(Some(_))))
    }
}
