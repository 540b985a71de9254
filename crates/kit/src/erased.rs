//! [`DynGame`] for every game.

mod editing;

use super::batch::{DynBatch, RewardKind, no_batch};
use super::commentary::{Commentary, commentary};
use super::comparison::ComparisonError;
use super::dyn_game::DynGame;
use super::dyn_position::{DynPosition, Position, document};
use super::dyn_referee::DynReferee;
use super::exploit::{exploit_share, responder_seat};
use super::facts::GameFacts;
use super::formats;
use super::maps::MatchRecord;
use super::perfect_play::{review, solve};
use super::programs::{AskedPosition, Trial, TrialOptions, ask_about, try_program};
use super::reading::{
    AnyLevel, FaultyLevel, match_of, match_on, play_moves, read_collection, read_level,
    read_replay, recorded_matches, thinker, whole, with_rules,
};
use super::search_name::SearchNameError;
use super::solving::{Solution, SolveOptions};
use super::spec::{
    AnalyseOptions, AnalysedPosition, CollectionEntry, Converted, GameSpec, LevelInfo, PlannerInfo,
    PlayedMoves, RecordedMatch, ReplayInfo, ReplaySummary, SearchFigures, SearchLimits,
};
use super::trace::{no_recording, search_map, trace_rows};
use outwit_core::levels::{Fault, RuleSet, write_ron};
use outwit_core::play::protocol::{ExampleMessage, ask_program, example, schema};
use outwit_core::play::{
    AllowedProgram, AnalysisStep, CheckedLevel, EngineInfo, Match, MatchSetup, PlannerContext,
    Player, ProgramKind, Referee, ReplayError, Review, Seat, SetupError, StopFlag, analyse,
};
use outwit_core::search::{
    EventSink, Recording, RecordingSummary, TraceFormat, TraceMap, TraceWriter,
};
use outwit_core::tournament::{
    Contest, FinishedGame, GameChoice, Scoreboard, Share, TournamentError, replay_of, run_chosen,
    run_share,
};
use serde_json::Value;
use std::io::Write;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// The [`DynGame`] of a game.
pub struct Erased<G>(PhantomData<fn() -> G>);

/// The level with its type.
fn own<G: GameSpec>(level: &AnyLevel) -> Result<&CheckedLevel<G>, Vec<Fault>> {
    level_of(level).map_err(|why| vec![Fault::whole(why)])
}

/// The level with its type, where there is room for one sentence.
fn level_of<G: GameSpec>(level: &AnyLevel) -> Result<&CheckedLevel<G>, String> {
    level.get().ok_or_else(|| format!("this is not a level of {}", G::INFO.name))
}

/// The level that a contest is played on.
fn arena<G: GameSpec>(contest: &Contest) -> Result<CheckedLevel<G>, FaultyLevel> {
    read_level::<G>(contest.level.text.as_bytes(), "").map_err(FaultyLevel)
}

/// Hands the first events of a planner's search from the position after `turn` turns to a sink.
fn stream<G: GameSpec>(
    played: &Match<G>,
    turn: usize,
    planner: &str,
    events: (usize, &mut dyn EventSink),
    stop: &StopFlag,
) -> Result<RecordingSummary, String> {
    let Some(state) = played.state_at(turn) else {
        return Err(format!("there is no turn {turn}; it has {} turns", played.len()));
    };
    G::SEARCHES
        .and_then(|searches| (searches.stream)(played.game(), state, planner, events, stop))
        .unwrap_or_else(|| Err(no_recording::<G>()))
        .map_err(|why| format!("the search of '{planner}' cannot be recorded: {why}"))
}

impl<G: GameSpec> Erased<G> {
    /// The game, for the registry.
    pub const GAME: &'static dyn DynGame = &Self(PhantomData);

    const FACTS: &'static GameFacts = &GameFacts {
        id: G::ID,
        name: G::INFO.name,
        about: G::INFO.about,
        first_level: G::INFO.first_level,
        turn: G::TURN,
        rules_version: G::RULES_VERSION,
        properties: G::Rules::properties,
        seats: G::SEATS,
        score: G::TABLES.score,
        endings: G::TABLES.endings,
        planners: planners::<G>,
        studies: G::STUDIES,
        graded: match G::GRADED {
            Some(graded) => Some(graded.info),
            None => None,
        },
        searches: match G::SEARCHES {
            Some(searches) => Some(searches.compared),
            None => None,
        },
        responder: match G::RESPONDER {
            Some(responder) => Some(responder.method),
            None => None,
        },
        has_commentary: G::COMMENTARY.is_some(),
        brain: G::BRAIN,
        engine_protocol: match G::PROGRAMS {
            Some(programs) => Some(programs.protocol),
            None => None,
        },
        format: G::INFO.format,
        exports: formats::endings::<G>,
        match_exports: match G::MAPS.foreign_formats {
            Some(formats) => formats.match_endings,
            None => &[],
        },
        palette: G::MAPS.palette,
        sides: G::MAPS.sides,
        new_size: G::MAPS.new_size,
        derived_rules: G::MAPS.derived_rules,
        has_generator: G::MAPS.generator.is_some(),
    };
}

/// All planners as lists show them.
fn planners<G: GameSpec>() -> Vec<PlannerInfo> {
    let seats = *G::SEATS.allowed.end();
    G::planners()
        .iter()
        .map(|spec| PlannerInfo {
            name: spec.name,
            about: spec.about,
            seats: (0..seats as u8)
                .map(Seat)
                .filter(|&seat| (spec.seats)(seat))
                .map(|seat| G::SEATS.id(seat))
                .collect(),
        })
        .collect()
}

impl<G: GameSpec> DynGame for Erased<G> {
    fn facts(&self) -> &'static GameFacts {
        Self::FACTS
    }

    fn write_match(
        &self,
        bytes: &[u8],
        ending: &str,
        with_review: bool,
    ) -> Result<Converted, Fault> {
        let known = Self::FACTS.match_exports;
        let Some(formats) = G::MAPS.foreign_formats.filter(|_| known.contains(&ending)) else {
            return Err(Fault::whole(format!(
                "a match of {} cannot be written as '{ending}'; choose from {}",
                G::INFO.name,
                known.join(", ")
            )));
        };
        let replay = read_replay::<G>(bytes)?;
        let played = replay.play().map_err(|error| Fault::whole(error.to_string()))?;
        let review = match with_review {
            true => Some(review_of(&played, "--review")?),
            false => None,
        };
        let own_names = replay.own_names().into_iter().zip(&replay.seats);
        let names = own_names.map(|(own, seat)| {
            own.or_else(|| (seat != Player::Human.name()).then(|| Player::from(&**seat).label()))
        });
        let record = MatchRecord {
            played: &played,
            names: names.collect(),
            notes: &replay.notes,
            review: review.as_ref(),
        };
        (formats.write_match)(&record, ending).map_err(Fault::whole)
    }

    fn read(&self, bytes: &[u8], name: &str) -> Result<AnyLevel, Vec<Fault>> {
        read_level::<G>(bytes, name).map(AnyLevel::new)
    }

    fn read_collection(
        &self,
        bytes: &[u8],
        name: &str,
    ) -> Result<Vec<CollectionEntry>, Vec<Fault>> {
        let levels = read_collection::<G>(bytes, name)?.into_iter();
        Ok(levels
            .map(|level| CollectionEntry { text: write_ron(&level), name: level.name })
            .collect())
    }

    fn collection_title(&self, bytes: &[u8]) -> Option<String> {
        formats::title::<G>(bytes)
    }

    fn recorded(&self, bytes: &[u8], name: &str) -> Vec<RecordedMatch> {
        recorded_matches::<G>(bytes, name)
    }

    fn skipped(&self, bytes: &[u8]) -> Vec<String> {
        formats::skipped::<G>(bytes)
    }

    fn info(&self, level: &AnyLevel) -> Result<LevelInfo, Vec<Fault>> {
        let level = own::<G>(level)?;
        Ok(LevelInfo {
            looks: (G::MAPS.looks)(level, Some(level)),
            digest: level.digest(),
            rules: G::Rules::properties()
                .iter()
                .map(|property| level.rules.value(property.key).unwrap_or_default())
                .collect(),
            name: level.name.clone(),
            author: level.author.clone(),
            about: level.about.clone(),
        })
    }

    fn problem_for(&self, level: &AnyLevel) -> Option<usize> {
        let level = own::<G>(level).ok()?;
        Some((G::MAPS.problem_for)(level)?.index())
    }

    fn with_rules(
        &self,
        level: &AnyLevel,
        sets: &[(String, String)],
    ) -> Result<AnyLevel, Vec<Fault>> {
        if sets.is_empty() {
            return Ok(level.clone());
        }
        with_rules(own::<G>(level)?.clone(), sets).map(AnyLevel::new)
    }

    fn write(&self, level: &AnyLevel, ending: &str) -> Result<Converted, Vec<Fault>> {
        let level = own::<G>(level)?;
        if ending == "ron" {
            return Ok(Converted { bytes: write_ron(level).into_bytes(), lost: Vec::new() });
        }
        formats::write::<G>(level, ending).map_err(|why| vec![Fault::whole(why.to_string())])
    }

    fn solve_level(
        &self,
        level: &AnyLevel,
        options: &SolveOptions,
        stop: &StopFlag,
    ) -> Result<Solution, Vec<Fault>> {
        solve::<G>(own::<G>(level)?, options, stop).map_err(|why| vec![Fault::whole(why)])
    }

    fn format_score(&self, bytes: &[u8], name: &str) -> f32 {
        formats::format_score::<G>(bytes, name)
    }

    fn run_share(
        &self,
        contest: &Contest,
        share: Share,
        done: Vec<FinishedGame>,
        stop: &StopFlag,
        finished: &(dyn Fn(&FinishedGame) -> Result<(), String> + Sync),
    ) -> Result<Vec<FinishedGame>, TournamentError> {
        let level =
            arena::<G>(contest).map_err(|error| TournamentError::Setup(error.to_string()))?;
        match responder_seat(contest) {
            Some(responder) => {
                exploit_share::<G>(&level, contest, responder, share, done, stop, finished)
            }
            None => run_share::<G>(&level, G::planners(), contest, share, done, stop, finished),
        }
    }

    fn run_chosen(
        &self,
        contest: &Contest,
        choice: GameChoice<'_>,
        done: Vec<FinishedGame>,
        stop: &StopFlag,
        finished: &(dyn Fn(&FinishedGame) -> Result<(), String> + Sync),
    ) -> Result<Vec<FinishedGame>, TournamentError> {
        let level =
            arena::<G>(contest).map_err(|error| TournamentError::Setup(error.to_string()))?;
        run_chosen::<G>(&level, G::planners(), contest, choice, done, stop, finished)
    }

    fn finds_openings(&self, level: &AnyLevel) -> bool {
        G::MATCH_RULES
            .openings
            .zip(own::<G>(level).ok())
            .is_some_and(|(spec, level)| (spec.suits)(level))
    }

    fn check_opening(&self, level: &AnyLevel, opening: &str) -> Result<(), String> {
        let spec = G::MATCH_RULES
            .openings
            .ok_or_else(|| format!("{} is played without openings", G::INFO.name))?;
        let level = level.get().ok_or("this is a level of another game")?;
        (spec.begin)(level, opening, 0).map(|_| ())
    }

    fn summary(&self, board: &Scoreboard) -> Result<Vec<Value>, FaultyLevel> {
        Ok((G::TABLES.summary)(&arena::<G>(board.contest())?, board))
    }

    fn replay_text(
        &self,
        contest: &Contest,
        game: &FinishedGame,
        stop: &StopFlag,
    ) -> Result<String, String> {
        let level = arena::<G>(contest).map_err(|error| error.to_string())?;
        let replay = replay_of::<G>(&level, G::planners(), contest, game, stop)?;
        ron::ser::to_string(&replay).map_err(|error| error.to_string())
    }

    fn replay_info(&self, bytes: &[u8]) -> Result<ReplayInfo, Fault> {
        let replay = read_replay::<G>(bytes)?;
        if replay.game != G::ID {
            let wrong = ReplayError::WrongGame { found: replay.game, expected: G::ID };
            return Err(Fault::whole(wrong.to_string()));
        }
        let found = replay.rules_version;
        let expected = G::RULES_VERSION;
        if found > expected {
            return Err(Fault::whole(ReplayError::Rules { found, expected }.to_string()));
        }
        if !G::SEATS.allowed.contains(&replay.seats.len()) {
            let why = ReplayError::Level(format!("{} players", replay.seats.len()));
            return Err(Fault::whole(why.to_string()));
        }
        let names = replay.own_names();
        let level = CheckedLevel::<G>::new(replay.level).map_err(|faults| {
            let why = SetupError::from(faults).to_string();
            Fault::whole(ReplayError::Level(why).to_string())
        })?;
        Ok(ReplayInfo {
            level: level.name.clone(),
            looks: (G::MAPS.looks)(&level, Some(&level)),
            names,
            seats: replay.seats,
            turns: replay.turns.len(),
            outcome: replay.outcome,
        })
    }

    fn replay(&self, bytes: &[u8]) -> Result<ReplaySummary, Fault> {
        let replay = read_replay::<G>(bytes)?;
        let mut summary = ReplaySummary {
            faithful: true,
            sealed: replay.seal.is_some(),
            level: replay.level.digest(),
            turns: replay.turns.len(),
            names: replay.own_names(),
            seats: replay.seats.clone(),
            outcome: replay.outcome.clone(),
            moves: None,
        };
        match replay.play() {
            Ok(played) => {
                summary.outcome = played.outcome();
                summary.moves = G::NOTATION.map(|notation| (notation.write)(&played));
            }
            Err(ReplayError::Unfaithful) => summary.faithful = false,
            Err(error) => return Err(Fault::whole(error.to_string())),
        }
        Ok(summary)
    }

    fn positions(&self, bytes: &[u8]) -> Result<Vec<Arc<dyn DynPosition>>, Fault> {
        let replay = read_replay::<G>(bytes)?;
        let played = replay.play().map_err(|error| Fault::whole(error.to_string()))?;
        Ok(Position::of(&played))
    }

    fn review(&self, bytes: &[u8], stop: &StopFlag) -> Result<Option<Review>, Fault> {
        let replay = read_replay::<G>(bytes)?;
        let played = replay.play().map_err(|error| Fault::whole(error.to_string()))?;
        Ok(review::<G>(&played, stop))
    }

    fn trace(&self, bytes: &[u8], values: bool) -> Result<Vec<Value>, Fault> {
        let replay = read_replay::<G>(bytes)?;
        let played = replay.play().map_err(|error| Fault::whole(error.to_string()))?;
        if !values {
            return Ok(trace_rows(&played, None));
        }
        Ok(trace_rows(&played, Some(&review_of(&played, "--values")?)))
    }

    fn commentary(&self, bytes: &[u8]) -> Result<Commentary, Fault> {
        let replay = read_replay::<G>(bytes)?;
        let played = replay.play().map_err(|error| Fault::whole(error.to_string()))?;
        // Outlooks limit their own work, so nothing need stop them.
        commentary::<G>(&played, &StopFlag::default())
            .ok_or_else(|| Fault::whole(format!("there is no commentary on {}", G::INFO.name)))
    }

    fn document(&self, level: &AnyLevel) -> Result<Value, Vec<Fault>> {
        Ok(document(&**own::<G>(level)?))
    }

    fn start(
        &self,
        level: &AnyLevel,
        seats: usize,
        seed: u64,
    ) -> Result<Arc<dyn DynPosition>, String> {
        let game = G::new(level_of::<G>(level)?, seats)?;
        Position::start(Arc::new(game), seed)
    }

    fn batch(
        &self,
        level: &AnyLevel,
        seats: usize,
        rewards: RewardKind,
        stop: &StopFlag,
    ) -> Result<Box<dyn DynBatch>, String> {
        let play = G::NUMBERED_PLAY.ok_or_else(no_batch::<G>)?;
        (play.make_batch)(level_of(level)?, seats, rewards, stop)
    }

    fn referee(&self, level: &AnyLevel, setup: MatchSetup) -> Result<Box<dyn DynReferee>, String> {
        let game = G::new(level_of::<G>(level)?, setup.players.len())?;
        Ok(Box::new(Referee::new(Arc::new(game), G::planners(), setup)?))
    }

    fn play_moves(&self, level: &AnyLevel, moves: &str) -> Result<PlayedMoves, Vec<Fault>> {
        play_moves::<G>(own::<G>(level)?, moves).map_err(|why| vec![Fault::whole(why)])
    }

    fn analyse(
        &self,
        bytes: &[u8],
        name: &str,
        options: &AnalyseOptions,
        stop: &StopFlag,
        step: &mut dyn FnMut(AnalysisStep, String),
    ) -> Result<AnalysedPosition, Vec<Fault>> {
        let played = match_of::<G>(bytes, name, options.seed)?;
        let turn = options.turn.unwrap_or(played.len());
        let Some(state) = played.state_at(turn) else {
            return Err(whole(format!("there is no turn {turn}; it has {} turns", played.len())));
        };
        let over = turn == played.len() && played.outcome().is_some();
        let to_move = if over { Vec::new() } else { played.game().to_move(state) };
        let (seat, spec) = thinker::<G>(&to_move, turn, options).map_err(whole)?;
        let seed = played.chance().planner_seed(seat);
        let context = PlannerContext { game: Arc::clone(played.game()), seat, seed };
        let Some(seen) = played.observation(turn, seat) else {
            return Err(whole(format!("there is no turn {turn}")));
        };
        analyse(spec, context, &seen, options.budget, stop, |snapshot| {
            let words = played.game().action_words(&snapshot.best);
            step(snapshot.into(), words);
        })
        .map_err(|why| whole(format!("{} crashed: {why}", spec.name)))?;
        Ok(AnalysedPosition {
            game: G::ID,
            level: played.game().level().name.clone(),
            turn,
            seat: G::SEATS.id(seat),
            planner: spec.name,
            algorithm: spec.algorithm,
            score: (G::TABLES.score_on)(played.game().level()),
        })
    }

    fn action_document(&self, text: &str) -> Result<Value, String> {
        let action: G::Action = ron::from_str(text).map_err(|why| why.to_string())?;
        Ok(document(&action))
    }

    fn measure_search(
        &self,
        level: &AnyLevel,
        planner: &str,
        limits: SearchLimits,
        stop: &StopFlag,
    ) -> Result<SearchFigures, ComparisonError> {
        let level = own::<G>(level).map_err(FaultyLevel)?;
        let measured =
            G::SEARCHES.and_then(|searches| (searches.measure)(level, planner, limits, stop));
        measured.ok_or_else(|| ComparisonError::UnknownSearch {
            search: planner.into(),
            known: (self as &dyn DynGame).searches(),
        })
    }

    fn search_bound(&self, search: &str) -> Result<Option<u32>, ComparisonError> {
        let Some(searches) = G::SEARCHES else {
            return Err(ComparisonError::NoSearches(G::INFO.name));
        };
        (searches.bound)(search).map_err(|why| match why {
            SearchNameError::Unknown(search) => {
                ComparisonError::UnknownSearch { search, known: (self as &dyn DynGame).searches() }
            }
            why => ComparisonError::Settings(why),
        })
    }

    fn record_search(
        &self,
        bytes: &[u8],
        name: &str,
        options: &AnalyseOptions,
        events: usize,
        stop: &StopFlag,
    ) -> Result<Recording, Vec<Fault>> {
        let played = match_of::<G>(bytes, name, options.seed)?;
        let turn = options.turn.unwrap_or(played.len());
        let planner = options.planner.as_deref().unwrap_or_default();
        let mut kept = Vec::new();
        let summary = stream(&played, turn, planner, (events, &mut kept), stop).map_err(whole)?;
        Ok(Recording::new(kept, summary))
    }

    fn search_trace(
        &self,
        bytes: &[u8],
        name: &str,
        planner: &str,
        (events, format): (usize, TraceFormat),
        out: &mut dyn Write,
        stop: &StopFlag,
    ) -> Result<RecordingSummary, Vec<Fault>> {
        let level = read_level::<G>(bytes, name)?;
        let mut trace = TraceWriter::new(out, search_map(&level), format);
        let summary = match_on(&level, 0)
            .and_then(|begun| stream(&begun, 0, planner, (events, &mut trace), stop))
            .map_err(whole)?;
        trace
            .finish(&summary)
            .map_err(|error| whole(format!("the search trace was not written: {error}")))?;
        Ok(summary)
    }

    fn search_map(&self, level: &AnyLevel) -> Result<TraceMap, Vec<Fault>> {
        Ok(search_map(own::<G>(level)?))
    }

    fn protocol_example(&self, level: &AnyLevel) -> Result<Vec<ExampleMessage>, String> {
        let level = level_of::<G>(level)?;
        let game = G::new(level, 2.clamp(*G::SEATS.allowed.start(), *G::SEATS.allowed.end()))?;
        Ok(example(&game)?)
    }

    fn protocol_schema(&self) -> Value {
        schema::<G>()
    }

    fn try_program(
        &self,
        level: &AnyLevel,
        options: &TrialOptions,
        stop: &StopFlag,
    ) -> Result<Trial, String> {
        let level = level_of::<G>(level)?;
        try_program(level, options, stop)
    }

    fn ask_about(
        &self,
        bytes: &[u8],
        name: &str,
        options: &AnalyseOptions,
        program: &AllowedProgram,
        limit: Option<Duration>,
        stop: &StopFlag,
    ) -> Result<AskedPosition, Vec<Fault>> {
        ask_about::<G>(bytes, name, options, program, limit, stop)
    }

    fn ask_program(
        &self,
        level: &AnyLevel,
        kind: ProgramKind,
        seat: usize,
        program: &AllowedProgram,
        stop: &StopFlag,
    ) -> Result<EngineInfo, String> {
        let level = level_of::<G>(level)?;
        let game = G::new(level, (*G::SEATS.allowed.start()).max(seat + 1))?;
        match kind {
            ProgramKind::Program => ask_program(&Arc::new(game), Seat(seat as u8), program, stop),
            ProgramKind::Engine => {
                let spec = G::PROGRAMS.ok_or_else(|| format!("no engines can play {}", G::ID))?;
                (spec.ask)(&game, program, stop)
            }
        }
    }
}

/// The review of a match that an option of the command line asks for.
fn review_of<G: GameSpec>(played: &Match<G>, option: &str) -> Result<Review, Fault> {
    // Reviews limit their own work, so nothing need stop them.
    review::<G>(played, &StopFlag::default()).ok_or_else(|| {
        Fault::whole(format!(
            "the moves of this match have no values: {} is not reviewed, or the level is too large \
             for a review; leave out {option}",
            G::INFO.name
        ))
    })
}
