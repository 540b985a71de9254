//! What the tournament screen holds, and what can be done with it.

use super::TournamentConfig;
use super::config::TournamentSetup;
use super::results_view::ResultsState;
use super::run::{End, Run};
use super::saved_runs::{self, SavedRun};
use crate::games::{DynGame, GAMES};
use crate::platform::store;
use crate::platform::task::Task;
use crate::tournament::{Contest, FinishedGame, Journal, Scoreboard};
use bevy::prelude::Resource;
use std::path::{Path, PathBuf};

/// A game whose replay is being made.
pub struct Watched {
    /// Who plays, and on which seed.
    pub game: FinishedGame,
    replay: Task<Result<String, String>>,
}

/// A contest and its games, from a file.
type Reading = Task<Result<(Contest, Vec<FinishedGame>), String>>;

/// What the screen should say or do.
pub enum Event {
    /// Something worth knowing.
    Told(String),
    /// Something failed.
    Failed(String),
    /// The replay of this game is there.
    Watch(Box<(Contest, FinishedGame, String)>),
}

/// All that the screen holds.
#[derive(Resource)]
pub struct TournamentScreen {
    /// The game.
    pub kind: &'static dyn DynGame,
    /// What is chosen for the next tournament.
    pub plan: TournamentSetup,
    /// The tournament that is being played.
    pub run: Option<Run>,
    /// The results that are shown.
    pub shown: Option<ResultsState>,
    /// Earlier tournaments, once they are found.
    pub saved: Task<Vec<SavedRun>>,
    /// The game whose replay is being made.
    pub watched: Option<Watched>,
    /// Whether playing all games again was asked for once.
    pub sure: bool,
    /// On small windows: whether the results are shown, not the plan.
    pub results_in_front: bool,
    /// A saved tournament that is being read.
    reading: Option<Reading>,
    /// The plan's contest and its file, or what is missing.
    ready: Option<(TournamentSetup, Result<Ready, String>)>,
}

/// A plan that can be begun.
#[derive(Clone, PartialEq, Debug)]
pub struct Ready {
    /// What would be played.
    pub contest: Contest,
    /// Where it is saved.
    pub file: Option<PathBuf>,
    /// Games that are finished already.
    pub done: usize,
}

impl TournamentScreen {
    /// A screen for this game and level.
    ///
    /// # Errors
    /// What is wrong with the level.
    pub fn new(config: &TournamentConfig) -> Result<Self, String> {
        let kind = GAMES
            .iter()
            .map(|game| game.kind)
            .find(|kind| kind.id() == config.game)
            .ok_or("there is no such game")?;
        let bytes = config.level.bytes().map_err(|error| error.to_string())?;
        let text = kind
            .convert(&bytes, config.level.stem(), &config.rules, "ron")
            .map_err(|faults| {
                faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
            })?
            .bytes;
        let text = String::from_utf8(text).map_err(|error| error.to_string())?;
        let id = kind.id();
        Ok(Self {
            kind,
            plan: TournamentSetup::new(kind, config.level.id.clone(), text),
            run: None,
            shown: None,
            saved: Task::begin(move |_| saved_runs::list(id)),
            watched: None,
            sure: false,
            results_in_front: false,
            reading: None,
            ready: None,
        })
    }

    /// What would be played, or what is missing.
    pub fn ready(&mut self) -> Result<Ready, String> {
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
        let ready = self.plan.contest(self.kind).map(|contest| Ready {
            file: saved_runs::file_of(&contest),
            contest,
            done: 0,
        });
        self.ready = Some((self.plan.clone(), ready));
        self.sure = false;
        self.ready()
    }

    /// Whether results are being read or made.
    pub fn is_busy(&self) -> bool {
        self.run.is_some() || self.reading.is_some() || self.watched.is_some()
    }

    /// Begins the tournament of the plan, or goes on with it.
    pub fn start(&mut self) {
        if self.run.is_some() {
            return;
        }
        let Ok(ready) = self.ready() else { return };
        self.reading = None;
        self.sure = false;
        self.show(Scoreboard::new(ready.contest.clone(), []));
        self.run = Some(Run::begin(self.kind, ready.contest, ready.file));
    }

    /// Puts what is saved of the plan's tournament aside and begins it anew.
    ///
    /// # Errors
    /// If the file cannot be put aside.
    pub fn start_afresh(&mut self) -> Result<(), String> {
        if let Ok(Ready { file: Some(file), .. }) = self.ready()
            && store::exists(&file)
        {
            saved_runs::put_aside(&file)?;
            self.shown = None;
        }
        self.start();
        Ok(())
    }

    /// Reads a saved tournament to show it, and makes it the plan.
    pub fn open(&mut self, path: &Path) {
        let path = path.to_owned();
        self.reading =
            Some(Task::begin(move |_| Journal::read(&path).map_err(|error| error.to_string())));
    }

    /// Takes a saved tournament out of the list.
    ///
    /// # Errors
    /// If its file cannot be put aside.
    pub fn forget(&mut self, path: &Path) -> Result<PathBuf, String> {
        let aside = saved_runs::put_aside(path)?;
        self.look_again();
        Ok(aside)
    }

    fn look_again(&mut self) {
        let id = self.kind.id();
        self.saved = Task::begin(move |_| saved_runs::list(id));
    }

    fn show(&mut self, board: Scoreboard) {
        let mut shown = ResultsState::new(board);
        // The same contest is looked at as before.
        if let Some(old) = &self.shown
            && old.board.contest() == shown.board.contest()
        {
            (shown.choice, shown.cell, shown.order) = (old.choice, old.cell, old.order);
        }
        self.shown = Some(shown);
        self.results_in_front = true;
    }

    /// Begins to make the replay of a game.
    pub fn watch(&mut self, game: FinishedGame) {
        let Some(shown) = &self.shown else { return };
        let (kind, contest, wanted) = (self.kind, shown.board.contest().clone(), game.clone());
        let replay =
            Task::begin(move |context| kind.replay_text(&contest, &wanted, context.stop()));
        self.watched = Some(Watched { game, replay });
    }

    /// Takes in what threads have done.
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
                    End::Finished => {}
                    End::Cancelled => events.push(Event::Told(format!(
                        "Cancelled. {finished} of {all} games are saved; it can be resumed."
                    ))),
                    End::Failed(why) => events.push(Event::Failed(why)),
                }
                self.run = None;
                if let Some(shown) = &mut self.shown {
                    shown.forget_sums();
                }
                self.look_again();
            }
        }
        if let Some(read) = self.reading.as_ref().and_then(Task::get) {
            match read.clone() {
                Ok((contest, games)) => {
                    self.plan = TournamentSetup::of(self.kind, &contest);
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
                    text,
                )))),
                (Err(why), _) => events.push(Event::Failed(format!("No replay: {why}"))),
                (Ok(_), None) => {}
            }
            self.watched = None;
        }
        if let Some(shown) = &mut self.shown {
            shown.add_up(self.kind);
        }
        events
    }
}
