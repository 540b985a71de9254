//! What the tournament screen holds, and what can be done with it.

use super::TournamentConfig;
use super::kept::{self, Kept};
use super::run::{End, Run};
use crate::app::table::Learned;
use crate::games::{GAMES, GameKind, tournament};
use crate::play::{Budget, Contest, Estimate, FinishedGame, Journal, Rating, Scoreboard, ratings};
use bevy::prelude::Resource;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What the table shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum View {
    /// Means with intervals.
    #[default]
    Payoff,
    /// Shares of an ending.
    Outcomes,
    /// Turns in which time was up.
    Overruns,
    /// How long planners thought.
    Time,
    /// One planner minus another on the same seeds.
    Differences,
    /// One figure a planner.
    Ratings,
}

/// All views with their names.
pub const VIEWS: [(View, &str); 6] = [
    (View::Payoff, "Payoff"),
    (View::Outcomes, "Outcomes"),
    (View::Overruns, "Overruns"),
    (View::Time, "Planning time"),
    (View::Differences, "Differences"),
    (View::Ratings, "Ratings"),
];

/// By what the games of a cell are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Their seeds.
    #[default]
    Seed,
    /// What the first seat got.
    Payoff,
    /// How long they are.
    Turns,
}

/// What is chosen for the next tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Id of the level.
    pub level: String,
    /// What people call it.
    pub name: String,
    /// Its rules and their values.
    pub rules: Vec<(&'static str, String)>,
    /// The level in the game's own format, changed rules included.
    pub text: String,
    /// Seat by seat, the planners that can sit there and whether they are chosen.
    pub seats: Vec<(String, Vec<(String, bool)>)>,
    /// Games of each cell.
    pub seeds: u32,
    /// The first seed.
    pub first_seed: u64,
    /// What a planner may spend on a turn.
    pub budget: Budget,
}

impl Plan {
    /// All planners of the game on as few seats as it needs.
    pub fn new(kind: &dyn GameKind, level: String, text: String) -> Self {
        let (name, rules) = told(kind, &level, &text);
        let mut plan = Self {
            level,
            name,
            rules,
            text,
            seats: Vec::new(),
            seeds: 40,
            first_seed: 1,
            budget: Budget::Work(20_000),
        };
        for _ in 0..*kind.seats_allowed().start() {
            plan.add_seat(kind);
        }
        plan
    }

    /// One more seat, if the game has one, with all planners.
    pub fn add_seat(&mut self, kind: &dyn GameKind) {
        if self.seats.len() < *kind.seats_allowed().end() {
            let seat = kind.seat_name(self.seats.len());
            let planners = tournament::planners(kind, &seat);
            let all = planners.into_iter().map(|name| (name.to_owned(), true)).collect();
            self.seats.push((seat, all));
        }
    }

    fn of(kind: &dyn GameKind, contest: &Contest) -> Self {
        let chosen = |seat: &crate::play::Entrants| {
            let planners = tournament::planners(kind, &seat.seat).into_iter();
            let planners = planners
                .map(|name| (name.to_owned(), seat.planners.iter().any(|chosen| chosen == name)));
            (seat.seat.clone(), planners.collect())
        };
        let (name, rules) = told(kind, &contest.level.id, &contest.level.text);
        Self {
            level: contest.level.id.clone(),
            name,
            rules,
            text: contest.level.text.clone(),
            seats: contest.seats.iter().map(chosen).collect(),
            seeds: contest.seeds,
            first_seed: contest.first_seed,
            budget: contest.budget,
        }
    }

    /// The contest that is chosen.
    ///
    /// # Errors
    /// What is missing.
    pub fn contest(&self, kind: &dyn GameKind) -> Result<Contest, String> {
        let mut named = Vec::new();
        for (seat, planners) in &self.seats {
            let chosen: Vec<String> =
                planners.iter().filter(|(_, on)| *on).map(|(name, _)| name.clone()).collect();
            if chosen.is_empty() {
                return Err(format!("Choose a planner for {seat}"));
            }
            named.push((seat.clone(), chosen));
        }
        let seeds = (self.first_seed, self.seeds);
        tournament::contest(kind, &self.level, self.text.clone(), &named, seeds, self.budget)
    }
}

/// The name of a level and the values of its rules.
fn told(kind: &dyn GameKind, id: &str, text: &str) -> (String, Vec<(&'static str, String)>) {
    match kind.describe(text.as_bytes(), id) {
        Ok(info) => {
            let rules = kind.properties().iter().map(|property| property.key).zip(info.rules);
            (info.name, rules.collect())
        }
        Err(_) => (id.to_owned(), Vec::new()),
    }
}

/// Figures of a board, kept until it or the choice of figures changes.
#[derive(Default)]
pub struct Figures {
    /// All cells.
    pub cells: Vec<crate::play::Cell>,
    /// All planners.
    pub ratings: Vec<Rating>,
    /// For [`Choice::seat`]: planner by planner, against each opponent and then all of them.
    pub differences: Vec<Vec<Estimate>>,
}

/// What of the results is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// Which table.
    pub view: View,
    /// Whose payoff, endings, times or differences.
    pub seat: usize,
    /// Which of its endings.
    pub ending: usize,
    /// Whether the slowest of a hundred plans counts, not the median.
    pub slowest: bool,
    /// From whom the others' differences are taken.
    pub baseline: usize,
}

/// Results that are shown.
pub struct Shown {
    /// The games.
    pub board: Scoreboard,
    /// What they add up to.
    pub figures: Figures,
    /// What of it is looked at.
    pub choice: Choice,
    /// The cell whose games are listed.
    pub cell: Option<usize>,
    /// How they are sorted, and whether the other way round.
    pub order: (Order, bool),
    computed: Option<(Choice, usize, Instant)>,
}

/// Figures of a running tournament are added up this often.
const ANEW: Duration = Duration::from_millis(700);

impl Shown {
    fn new(board: Scoreboard) -> Self {
        Self {
            board,
            figures: Figures::default(),
            choice: Choice::default(),
            cell: None,
            order: Default::default(),
            computed: None,
        }
    }

    /// Adds the games up if something has changed.
    fn add_up(&mut self, kind: &dyn GameKind) {
        let (now, finished) = (self.choice, self.board.finished());
        if let Some((choice, games, at)) = self.computed
            && choice == now
            && (games == finished || at.elapsed() < ANEW)
        {
            return;
        }
        let contest = self.board.contest();
        let last = self.computed;
        if last.is_none_or(|(_, games, _)| games != finished) {
            self.figures.cells = (0..contest.cells())
                .map(|cell| self.board.cell(cell, |seat| kind.endings(seat)))
                .collect();
            self.figures.ratings = ratings(&self.board);
        }
        if now.view == View::Differences
            && let Some(entrants) = contest.seats.get(now.seat)
            && let Some(baseline) = entrants.planners.get(now.baseline)
        {
            let opponents = self.board.opponents(now.seat);
            let against = |planner: &String| {
                let each = opponents.iter().map(|players| Some(players.as_slice()));
                each.chain([None])
                    .map(|players| self.board.difference(now.seat, planner, baseline, players))
                    .collect()
            };
            self.figures.differences = entrants.planners.iter().map(against).collect();
        }
        self.computed = Some((now, finished, Instant::now()));
    }

    /// The games of a cell in the chosen order.
    pub fn games(&self, cell: usize) -> Vec<&FinishedGame> {
        let mut games: Vec<&FinishedGame> = self.board.games(cell).collect();
        match self.order.0 {
            Order::Seed => {}
            Order::Payoff => games.sort_by(|a, b| {
                let score = |game: &FinishedGame| game.score(0).unwrap_or(f64::NEG_INFINITY);
                score(a).total_cmp(&score(b))
            }),
            Order::Turns => games.sort_by_key(|game| game.turns),
        }
        if self.order.1 {
            games.reverse();
        }
        games
    }
}

/// A game whose replay is being made.
pub struct Watched {
    /// Who plays, and on which seed.
    pub game: FinishedGame,
    replay: Learned<Result<String, String>>,
}

/// A contest and its games, from a file.
type Reading = Learned<Result<(Contest, Vec<FinishedGame>), String>>;

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
pub struct Hall {
    /// The game.
    pub kind: &'static dyn GameKind,
    /// What is chosen for the next tournament.
    pub plan: Plan,
    /// The tournament that is being played.
    pub run: Option<Run>,
    /// The results that are shown.
    pub shown: Option<Shown>,
    /// Earlier tournaments, once they are found.
    pub kept: Learned<Vec<Kept>>,
    /// The game whose replay is being made.
    pub watched: Option<Watched>,
    /// Whether playing all games again was asked for once.
    pub sure: bool,
    /// On small windows: whether the results are shown, not the plan.
    pub results_in_front: bool,
    /// A kept tournament that is being read.
    reading: Option<Reading>,
    /// The plan's contest and its file, or what is missing.
    ready: Option<(Plan, Result<Ready, String>)>,
}

/// A plan that can be begun.
#[derive(Clone, PartialEq, Debug)]
pub struct Ready {
    /// What would be played.
    pub contest: Contest,
    /// Where it is kept.
    pub file: Option<PathBuf>,
    /// Games that are finished already.
    pub done: usize,
}

impl Hall {
    /// A hall for this game and level.
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
            plan: Plan::new(kind, config.level.id.clone(), text),
            run: None,
            shown: None,
            kept: Learned::begin(move |_| kept::list(id)),
            watched: None,
            sure: false,
            results_in_front: false,
            reading: None,
            ready: None,
        })
    }

    /// What would be played, or what is missing.
    pub fn ready(&mut self) -> Result<Ready, String> {
        let kept = self.kept.get();
        if let Some((plan, ready)) = &self.ready
            && *plan == self.plan
        {
            let mut ready = ready.clone();
            if let Ok(ready) = &mut ready {
                let file = ready.file.as_ref();
                let mine = kept.and_then(|kept| kept.iter().find(|kept| Some(&kept.path) == file));
                ready.done = mine.map_or(0, |kept| kept.done.min(ready.contest.games()));
            }
            return ready;
        }
        let ready = self.plan.contest(self.kind).map(|contest| Ready {
            file: kept::file_of(&contest),
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

    /// Puts what is kept of the plan's tournament aside and begins it anew.
    ///
    /// # Errors
    /// If the file cannot be put aside.
    pub fn start_afresh(&mut self) -> Result<(), String> {
        if let Ok(Ready { file: Some(file), .. }) = self.ready()
            && file.exists()
        {
            kept::put_aside(&file)?;
            self.shown = None;
        }
        self.start();
        Ok(())
    }

    /// Reads a kept tournament to show it, and makes it the plan.
    pub fn open(&mut self, path: &Path) {
        let path = path.to_owned();
        self.reading =
            Some(Learned::begin(move |_| Journal::read(&path).map_err(|error| error.to_string())));
    }

    /// Takes a kept tournament out of the list.
    ///
    /// # Errors
    /// If its file cannot be put aside.
    pub fn forget(&mut self, path: &Path) -> Result<PathBuf, String> {
        let aside = kept::put_aside(path)?;
        self.look_again();
        Ok(aside)
    }

    fn look_again(&mut self) {
        let id = self.kind.id();
        self.kept = Learned::begin(move |_| kept::list(id));
    }

    fn show(&mut self, board: Scoreboard) {
        let mut shown = Shown::new(board);
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
        let replay = Learned::begin(move |stop| kind.replay_text(&contest, &wanted, stop));
        self.watched = Some(Watched { game, replay });
    }

    /// Takes in what threads have done.
    pub fn advance(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        if let Some(run) = &mut self.run {
            let (games, end) = run.news();
            if let Some(shown) = &mut self.shown {
                games.into_iter().for_each(|game| shown.board.enter(game));
            }
            if let Some(end) = end {
                let (finished, all) = run.progress();
                match end {
                    End::Finished => {}
                    End::Cancelled => events.push(Event::Told(format!(
                        "Cancelled. {finished} of {all} games are kept; it can be resumed."
                    ))),
                    End::Failed(why) => events.push(Event::Failed(why)),
                }
                self.run = None;
                if let Some(shown) = &mut self.shown {
                    shown.computed = None;
                }
                self.look_again();
            }
        }
        if let Some(read) = self.reading.as_ref().and_then(Learned::get) {
            match read.clone() {
                Ok((contest, games)) => {
                    self.plan = Plan::of(self.kind, &contest);
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
