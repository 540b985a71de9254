//! The state of the tournament screen, and its operations.

use super::config::{NotReady, TournamentSetup};
use super::highlights::Highlights;
use super::results_view::ResultsState;
use super::run::{Run, RunEnd};
use super::saved_runs::{self, SavedRun};
use crate::app::requests::TournamentConfig;
use crate::app::shell::notice::Notice;
use crate::app::shell::programs::ProgramChoice;
use bevy::prelude::Resource;
use bevy_egui::egui;
use outwit_core::platform::store::{self, StoreError};
use outwit_core::platform::task::Task;
use outwit_core::play::Player;
use outwit_core::tournament::{Contest, ContestLevel, FinishedGame, Journal, Saved, Scoreboard};
use outwit_headless::GAMES;
use outwit_kit::tournament::check_seats;
use outwit_kit::{DynGame, FaultyLevel};
use std::path::{Path, PathBuf};

/// A game whose replay is being prepared.
pub struct ReplayRequest {
    /// The game.
    pub game: FinishedGame,
    /// The turn to begin with.
    turn: usize,
    replay: Task<Result<String, String>>,
}

/// Loads a contest and its games from a file.
type LoadingContest = Task<Result<(Contest, Vec<FinishedGame>), String>>;

/// What the screen should show or do next.
pub enum Event {
    /// Show a message.
    Info(String),
    /// Show an error.
    Failed(String),
    /// Open the replay of this game at a turn.
    Watch(Box<(Contest, FinishedGame, usize, String)>),
}

/// Why there can be no tournament on a level.
#[derive(Debug, thiserror::Error)]
pub enum NoTournament {
    /// There is no such game.
    #[error("unknown game")]
    UnknownGame,
    /// The level cannot be read.
    #[error(transparent)]
    Unreadable(#[from] StoreError),
    /// The level has problems.
    #[error(transparent)]
    Faulty(#[from] FaultyLevel),
}

/// The state of the screen.
#[derive(Resource)]
pub struct TournamentScreen {
    /// The game.
    pub kind: &'static dyn DynGame,
    /// The configuration of the next tournament.
    pub plan: TournamentSetup,
    /// The programs of other people among the players, and the choice of one more.
    pub programs: ProgramChoice,
    /// The running tournament.
    pub run: Option<Run>,
    /// The results that are shown.
    pub shown: Option<ResultsState>,
    /// Saved tournaments, once they are loaded.
    pub saved: Task<Vec<SavedRun>>,
    /// The game whose replay is being prepared.
    pub watched: Option<ReplayRequest>,
    /// Whether the button to replay all games was pressed once.
    pub restart_confirmed: bool,
    /// In small windows: whether to show the results instead of the configuration.
    pub show_results: bool,
    /// Where the results are on the screen, while they are shown.
    pub results_at: Option<bevy_egui::egui::Rect>,
    /// A saved tournament that is being loaded.
    reading: Option<LoadingContest>,
    /// The contest of the configuration and its file, or what is missing.
    ready: Option<(TournamentSetup, Result<PlannedContest, NotReady>)>,
}

/// A contest that can be started.
#[derive(Clone, PartialEq, Debug)]
pub struct PlannedContest {
    /// The contest.
    pub contest: Contest,
    /// The file where it is saved.
    pub file: Option<PathBuf>,
    /// Number of finished games.
    pub done: usize,
}

impl TournamentScreen {
    /// A screen for this game and level.
    ///
    /// # Errors
    /// If the level cannot be read or has problems.
    pub fn new(config: &TournamentConfig, programs: ProgramChoice) -> Result<Self, NoTournament> {
        let kind = GAMES.iter().copied().find(|kind| kind.id() == config.game);
        let kind = kind.ok_or(NoTournament::UnknownGame)?;
        let bytes = config.level.bytes()?;
        let converted = kind.convert(&bytes, config.level.stem(), &config.rules, "ron");
        let text = String::from_utf8_lossy(&converted.map_err(FaultyLevel)?.bytes).into_owned();
        Ok(Self {
            kind,
            plan: TournamentSetup::new(kind, ContestLevel::new(config.level.id.clone(), text)),
            programs,
            run: None,
            shown: None,
            saved: Task::begin(move |_| saved_runs::list(kind)),
            watched: None,
            restart_confirmed: false,
            show_results: false,
            results_at: None,
            reading: None,
            ready: None,
        })
    }

    /// The contest that Start would play, or what is missing.
    ///
    /// # Errors
    /// As [`TournamentSetup::contest`].
    pub fn ready(&mut self) -> Result<PlannedContest, NotReady> {
        let saved = self.saved.get();
        if let Some((plan, ready)) = &self.ready
            && *plan == self.plan
        {
            let mut ready = ready.clone();
            if let Ok(ready) = &mut ready {
                let file = ready.file.as_ref();
                let mine =
                    saved.and_then(|saved| saved.iter().find(|saved| Some(&saved.path) == file));
                ready.done = mine.map_or(0, |saved| saved.done.min(ready.contest.games()));
            }
            return ready;
        }
        let ready = self.plan.contest(self.kind).map(|contest| PlannedContest {
            file: saved_runs::file_of(&contest),
            contest,
            done: 0,
        });
        self.ready = Some((self.plan.clone(), ready));
        self.restart_confirmed = false;
        self.ready()
    }

    /// Whether a tournament is running or something is being loaded.
    pub fn is_busy(&self) -> bool {
        self.run.is_some()
            || self.reading.is_some()
            || self.watched.is_some()
            || self
                .shown
                .as_ref()
                .is_some_and(|shown| shown.highlights.as_ref().is_some_and(Highlights::is_busy))
    }

    /// Shows the choice of a program, and lets one that was chosen take its seat.
    pub fn choose_program(&mut self, ctx: &egui::Context) -> Option<Notice> {
        let kind = self.kind;
        let text = &self.plan.level.text;
        let others: Vec<Player> =
            (0..self.plan.seats.len()).map(|seat| kind.opponent(seat)).collect();
        let (seat, player) =
            self.programs.update(ctx, kind, || kind.read(text.as_bytes(), "").ok(), &others)?;
        self.plan.programs = self.programs.chosen.allowed.clone();
        let seated = self.plan.add_program(seat, &player);
        let why =
            seated.err().map(|error| Notice::error(format!("The dice cannot be sealed: {error}")));
        why.or_else(|| Some(Notice::info(format!("{} plays too.", self.programs.name(&player)?))))
    }

    /// Starts or resumes the configured tournament.
    pub fn start(&mut self) {
        if self.run.is_some() {
            return;
        }
        let Ok(ready) = self.ready() else { return };
        self.reading = None;
        self.restart_confirmed = false;
        self.show(Scoreboard::new(ready.contest.clone(), []));
        self.run = Some(Run::begin(self.kind, ready.contest, ready.file));
    }

    /// Moves the saved results aside and starts the configured tournament from the beginning.
    ///
    /// # Errors
    /// If the file cannot be renamed.
    pub fn restart(&mut self) -> Result<(), StoreError> {
        if let Ok(PlannedContest { file: Some(file), .. }) = self.ready()
            && store::exists(&file)
        {
            saved_runs::move_aside(&file)?;
            self.shown = None;
        }
        self.start();
        Ok(())
    }

    /// Loads a saved tournament, shows it and adopts its configuration.
    pub fn open(&mut self, path: &Path) {
        let kind = self.kind;
        let path = path.to_owned();
        self.reading = Some(Task::begin(move |_| {
            let Saved { contest, games, .. } =
                Journal::read(&path).map_err(|error| error.to_string())?;
            check_seats(kind, &contest).map_err(|why| format!("{}: {why}", path.display()))?;
            Ok((contest, games))
        }));
    }

    /// Removes a saved tournament from the list.
    ///
    /// # Errors
    /// If its file cannot be renamed.
    pub fn forget(&mut self, path: &Path) -> Result<PathBuf, StoreError> {
        let aside = saved_runs::move_aside(path)?;
        self.refresh_saved();
        Ok(aside)
    }

    fn refresh_saved(&mut self) {
        let kind = self.kind;
        self.saved = Task::begin(move |_| saved_runs::list(kind));
    }

    fn show(&mut self, board: Scoreboard) {
        let mut shown = ResultsState::new(self.kind, board);
        // Keep the view of the same contest.
        if let Some(old) = &self.shown
            && old.board.contest() == shown.board.contest()
        {
            (shown.options, shown.cell, shown.order) = (old.options, old.cell, old.order);
        }
        self.shown = Some(shown);
        self.show_results = true;
    }

    /// Starts to prepare the replay of a game, to be shown from a turn on.
    pub fn watch(&mut self, game: FinishedGame, turn: usize) {
        let Some(shown) = &self.shown else { return };
        let kind = self.kind;
        let contest = shown.board.contest().clone();
        let wanted = game.clone();
        let replay =
            Task::begin(move |context| kind.replay_text(&contest, &wanted, context.stop()));
        self.watched = Some(ReplayRequest { game, turn, replay });
    }

    /// Takes the results of background work.
    pub fn advance(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        if let Some(run) = &mut self.run {
            let (games, end) = run.poll();
            if let Some(shown) = &mut self.shown {
                games.into_iter().for_each(|game| shown.board.enter(game));
            }
            if let Some(end) = end {
                let (finished, all) = run.progress();
                match end {
                    RunEnd::Finished => {}
                    RunEnd::Cancelled => events.push(Event::Info(format!(
                        "Cancelled. {finished} of {all} games are saved. You can resume it later."
                    ))),
                    RunEnd::Failed(why) => events.push(Event::Failed(why)),
                }
                self.run = None;
                if let Some(shown) = &mut self.shown {
                    shown.invalidate();
                }
                self.refresh_saved();
            }
        }
        if let Some(read) = self.reading.as_ref().and_then(Task::get) {
            match read.clone() {
                Ok((contest, games)) => {
                    // A file allows no program; what a person has chosen before stays allowed.
                    let programs = self.programs.chosen.allowed.clone();
                    self.plan =
                        TournamentSetup { programs, ..TournamentSetup::of(self.kind, &contest) };
                    self.show(Scoreboard::new(contest, games));
                }
                Err(why) => events.push(Event::Failed(why)),
            }
            self.reading = None;
        }
        if let Some(watched) = &self.watched
            && let Some(replay) = watched.replay.get()
        {
            match (replay.clone(), &self.shown) {
                (Ok(text), Some(shown)) => events.push(Event::Watch(Box::new((
                    shown.board.contest().clone(),
                    watched.game.clone(),
                    watched.turn,
                    text,
                )))),
                (Err(why), _) => {
                    events.push(Event::Failed(format!("Could not prepare the replay: {why}")))
                }
                (Ok(_), None) => {}
            }
            self.watched = None;
        }
        if let Some(shown) = &mut self.shown {
            shown.update(self.kind);
        }
        events
    }
}
