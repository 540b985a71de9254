//! The state of the league in the window, and its operations.

use crate::app::requests::{MatchConfig, Screen};
use crate::app::shell::level::Level;
use crate::app::shell::seats::seat_title;
use crate::app::shell::store::{put_aside, to_text};
use bevy::prelude::Resource;
use outwit_core::platform::store;
use outwit_core::platform::time::{SystemTime, UNIX_EPOCH};
use outwit_core::play::{AllowedPrograms, Budget, Place, Player};
use outwit_headless::{GAMES, find};
use outwit_kit::DynGame;
use outwit_kit::league::{Fixture, League, MOST_LEVELS, Roster, Standing};
use outwit_levels::{Entry, Source, data_folder};

/// The file of the league in the data folder.
pub const FILE: &str = "league.ron";
/// The game of the first league.
const FIRST_GAME: &str = "cops";
/// How much a planner may think about a turn: work, so that the same match is the same everywhere.
const BUDGET: Budget = Budget::Work(20_000);
/// Seconds in which the end of a match is shown.
pub const END: f32 = 4.0;
/// Seconds between two matches.
pub const PAUSE: f32 = 6.0;
/// Seconds without any input after which the league stops.
pub const UNATTENDED: f32 = 2.0 * 60.0 * 60.0;

/// The match that is on the match screen.
pub struct Playing {
    /// Which one.
    pub fixture: Fixture,
    /// Whether it was played before and is watched again.
    pub again: bool,
    /// Whether its session has been seen; it takes over the speed of the one before.
    pub begun: bool,
    /// Whether its end was shown and its result noted.
    pub ended: bool,
    /// Whether its result counts.
    pub counts: bool,
    /// Seconds that its end was shown.
    pub shown: f32,
    /// Whether the user wants to stay at its end.
    pub held: bool,
}

/// What the league does.
pub enum Phase {
    /// Nothing runs; says why it stopped.
    Stopped(Option<String>),
    /// A match is on the match screen.
    Playing(Playing),
    /// So many seconds are left until the next match.
    Between(f32),
}

/// The match that was played last.
pub struct LastMatch {
    /// Which one.
    pub fixture: Fixture,
    /// Its result in a sentence.
    pub words: String,
    /// The match as a replay file; `None` if it could not be played.
    pub replay: Option<String>,
}

/// The league in the window.
#[derive(Resource)]
pub struct LeagueScreen {
    /// Its game.
    pub kind: &'static dyn DynGame,
    /// Who can sit where.
    pub roster: Roster,
    /// The league.
    pub league: League,
    /// The levels of the game.
    pub levels: Vec<Level>,
    /// What it does.
    pub phase: Phase,
    /// The match that was played last.
    pub last: Option<LastMatch>,
    /// The planners in the order of the table before that match.
    pub before: Vec<String>,
    /// The speed of the matches, once one was watched.
    pub speed: Option<usize>,
    /// Seconds since the last input.
    pub idle: f32,
    /// Whether the user was asked if the table may be cleared.
    pub asks_to_clear: bool,
    /// In small windows: whether to show the table instead of the choices.
    pub show_table: bool,
    /// The league as it was saved last.
    saved: Option<League>,
}

impl LeagueScreen {
    /// The saved league, or else one of this game with usual choices; and a message for the user, if
    /// something went wrong.
    pub fn load(game: Option<&str>) -> (Self, Option<String>) {
        let (saved, mut message) = read();
        let league = saved.clone().unwrap_or_else(|| usual(kind_of(game.unwrap_or(FIRST_GAME))));
        let kind = kind_of(&league.game);
        let mut screen = Self {
            kind,
            roster: Roster::of(kind),
            league,
            levels: Vec::new(),
            phase: Phase::Stopped(None),
            last: None,
            before: Vec::new(),
            speed: None,
            idle: 0.0,
            asks_to_clear: false,
            show_table: false,
            saved,
        };
        screen.show_table = !screen.league.results().is_empty();
        let missing = screen.list_levels();
        if !missing.is_empty() {
            message = message.or(Some(format!(
                "The league goes on without levels that no longer exist: {}.",
                missing.join(", ")
            )));
        }
        (screen, message)
    }

    /// Lists the levels as they are now; returns the ids of chosen ones that are gone.
    fn list_levels(&mut self) -> Vec<String> {
        self.levels = outwit_levels::list(self.kind.id()).into_iter().map(Level::unread).collect();
        let levels = &self.levels;
        let is_there = |id: &String| levels.iter().any(|level| level.entry.id == *id);
        let (chosen, gone) =
            std::mem::take(&mut self.league.levels).into_iter().partition(is_there);
        self.league.levels = chosen;
        gone
    }

    /// What to do when the screen is entered again, from a match or from another screen.
    pub fn enter(&mut self, chosen: Option<&str>) {
        self.idle = 0.0;
        match &self.phase {
            Phase::Playing(playing) if playing.again || playing.ended => {
                self.phase = Phase::Stopped(Some("Stopped.".into()));
            }
            Phase::Playing(_) => {
                let words = "Stopped. The match that you left does not count.";
                self.phase = Phase::Stopped(Some(words.into()));
            }
            Phase::Stopped(_) => {
                let other = chosen.filter(|game| *game != self.league.game);
                match other.filter(|_| self.league.results().is_empty()) {
                    Some(game) => self.choose_game(kind_of(game)),
                    None => drop(self.list_levels()),
                }
            }
            Phase::Between(_) => {}
        }
    }

    /// Stops, for the reason that `words` give.
    pub fn stop(&mut self, words: Option<&str>) {
        self.phase = Phase::Stopped(words.map(str::to_owned));
    }

    /// A league of another game, with usual choices and without results.
    pub fn choose_game(&mut self, kind: &'static dyn DynGame) {
        (self.kind, self.roster, self.league) = (kind, Roster::of(kind), usual(kind));
        (self.last, self.before) = (None, Vec::new());
        self.list_levels();
    }

    /// The same choices without results, on other seeds.
    pub fn clear(&mut self) {
        let old = &self.league;
        let (planners, levels) = (old.planners.clone(), old.levels.clone());
        let favourite = old.favourite.clone();
        self.league =
            League { favourite, ..League::new(self.kind.id(), planners, levels, fresh_seed()) };
        (self.last, self.before) = (None, Vec::new());
        (self.asks_to_clear, self.show_table) = (false, false);
        self.stop(None);
    }

    /// Chooses a planner for the league, or leaves it out.
    pub fn toggle_planner(&mut self, name: &str) {
        toggle(&mut self.league.planners, name);
        if self.league.favourite.as_ref().is_some_and(|it| !self.league.planners.contains(it)) {
            self.league.favourite = None;
        }
    }

    /// Chooses a level for the league, or leaves it out.
    pub fn toggle_level(&mut self, id: &str) {
        let chosen = self.league.levels.iter().any(|level| level == id);
        if chosen || self.league.levels.len() < MOST_LEVELS {
            toggle(&mut self.league.levels, id);
        }
    }

    /// What people call a level.
    pub fn level_name(&mut self, id: &str) -> String {
        let kind = self.kind;
        match self.levels.iter_mut().find(|level| level.entry.id == id) {
            Some(level) => {
                if level.info.is_none() {
                    level.read(kind);
                }
                level.name().to_owned()
            }
            None => id.to_owned(),
        }
    }

    /// Who meets whom, and where.
    pub fn fixture_words(&mut self, fixture: &Fixture) -> String {
        let names: Vec<_> = fixture.players.iter().map(|name| seat_title(name)).collect();
        format!("{} on {}", names.join(" against "), self.level_name(&fixture.level))
    }

    /// The table, the best first.
    pub fn table(&self) -> Vec<Standing> {
        self.league.table(self.kind.score().better)
    }

    /// What the last match has changed at the top of the table, if anything.
    pub fn news(&self) -> Option<String> {
        let first = self.table().into_iter().next().filter(|line| line.played > 0)?.planner;
        let was = self.before.first()?;
        (*was != first).then(|| format!("{} leads the table now.", seat_title(&first)))
    }

    /// How often those who meet have beaten one another, if they have met.
    pub fn meetings(&self, fixture: &Fixture) -> Option<String> {
        let [one, other] = fixture.players.as_slice() else { return None };
        let (won, drawn, lost) = self.league.meetings(one, other);
        let met = won + drawn + lost;
        let times = if met == 1 { "once" } else { "times" };
        let count = if met == 1 { String::new() } else { format!("{met} ") };
        (met > 0).then(|| {
            format!(
                "They have met {count}{times}: {} won {won}, {} won {lost}, {drawn} drawn.",
                seat_title(one),
                seat_title(other)
            )
        })
    }

    /// Begins the next match; returns what to set up.
    ///
    /// # Errors
    /// Why there is none.
    pub fn start(&mut self) -> Result<MatchConfig, String> {
        let fixture = self.league.next(&self.roster).map_err(|why| why.to_string())?;
        let level = self.levels.iter().find(|level| level.entry.id == fixture.level);
        let level = level.ok_or("A chosen level no longer exists.")?.entry.clone();
        if matches!(self.phase, Phase::Stopped(_)) {
            self.idle = 0.0;
        }
        let config = self.config(&fixture, level, None);
        self.play(fixture, false);
        Ok(config)
    }

    /// Shows the last match again; returns what to set up.
    pub fn watch_again(&mut self) -> Option<MatchConfig> {
        let last = self.last.as_ref()?;
        let (fixture, replay) = (last.fixture.clone(), last.replay.clone()?);
        let source = Source::Draft(replay.as_str().into());
        let level = Entry { id: fixture.level.clone(), source };
        let config = self.config(&fixture, level, Some(&replay));
        self.play(fixture, true);
        Some(config)
    }

    fn play(&mut self, fixture: Fixture, again: bool) {
        self.phase = Phase::Playing(Playing {
            fixture,
            again,
            begun: false,
            ended: false,
            counts: true,
            shown: 0.0,
            held: false,
        });
    }

    fn config(&self, fixture: &Fixture, level: Entry, replay: Option<&str>) -> MatchConfig {
        MatchConfig {
            game: self.kind.id(),
            level,
            rules: Vec::new(),
            players: fixture.players.iter().map(|name| Player::from(name.as_str())).collect(),
            programs: AllowedPrograms::default(),
            seed: fixture.seed,
            budget: BUDGET,
            clock: None,
            match_time: None,
            replay: replay.map(Into::into),
            back: Screen::League,
        }
    }

    /// Enters how a match ended; with no places it could not be played.
    pub fn enter_result(&mut self, last: LastMatch, places: Vec<Place>) {
        self.before = self.table().into_iter().map(|line| line.planner).collect();
        self.league.enter(last.fixture.clone(), places);
        self.last = Some(last);
        self.show_table = true;
    }

    /// Saves the league if it has changed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&mut self) -> Result<(), String> {
        if self.saved.as_ref() == Some(&self.league) {
            return Ok(());
        }
        if let Some(folder) = data_folder() {
            let failed = |why: String| format!("The league could not be saved. {why}");
            let text = to_text(&self.league).map_err(|error| failed(error.to_string()))?;
            store::write(&folder.join(FILE), text.as_bytes())
                .map_err(|error| failed(error.to_string()))?;
        }
        self.saved = Some(self.league.clone());
        Ok(())
    }
}

fn toggle(names: &mut Vec<String>, name: &str) {
    match names.iter().position(|chosen| chosen == name) {
        Some(at) => drop(names.remove(at)),
        None => names.push(name.to_owned()),
    }
}

/// The game of this id, or else the first one.
fn kind_of(id: &str) -> &'static dyn DynGame {
    find(id).unwrap_or(GAMES[0])
}

/// The league in the data folder, and a message for the user, if it cannot be read.
fn read() -> (Option<League>, Option<String>) {
    let Some(path) = data_folder().map(|folder| folder.join(FILE)) else { return (None, None) };
    if !store::exists(&path) {
        return (None, None);
    }
    let bytes = match store::read_file(&path) {
        Ok(bytes) => bytes,
        Err(why) => return (None, Some(format!("The league could not be read. {why}"))),
    };
    match League::read(&bytes, &|id| find(id).ok().map(Roster::of)) {
        Ok(league) => (Some(league), None),
        Err(why) => {
            let aside = put_aside(&path);
            (None, Some(format!("The league could not be read ({why}). {aside}")))
        }
    }
}

fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |now| now.as_millis() as u64) % 1_000_000
}

/// The strongest planners of each seat, on the first level of the game and on the two built-in ones
/// whose size is nearest to it.
fn usual(kind: &dyn DynGame) -> League {
    let roster = Roster::of(kind);
    let same = roster.seats.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let wanted = if same { 4 } else { 3 };
    let mut planners: Vec<String> = Vec::new();
    for (_, fitting) in &roster.seats {
        for name in &fitting[fitting.len().saturating_sub(wanted)..] {
            if !planners.contains(name) {
                planners.push(name.clone());
            }
        }
    }
    let first = kind.first_level();
    let size = |entry: &Entry| match &entry.source {
        Source::BuiltIn(text) => Some(text.len()),
        Source::File(_) | Source::Draft(_) => None,
    };
    let mut levels: Vec<_> = outwit_levels::list(kind.id())
        .into_iter()
        .filter_map(|entry| Some((size(&entry)?, entry.id)))
        .collect();
    let middle = levels.iter().find(|(_, id)| *id == first).map_or(0, |(size, _)| *size);
    levels.sort_by_key(|(size, id)| (*id != first, size.abs_diff(middle)));
    levels.truncate(3);
    let levels = levels.into_iter().map(|(_, id)| id).collect();
    League::new(kind.id(), planners, levels, fresh_seed())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_league_to_start_at_once() {
        for kind in GAMES {
            let league = usual(*kind);
            let roster = Roster::of(*kind);
            let line_ups = league.line_ups(&roster).unwrap();
            assert!((4..=12).contains(&line_ups.len()), "{}: {line_ups:?}", kind.id());
            assert_eq!(league.levels.len(), 3, "{}", kind.id());
            assert_eq!(league.levels[0], kind.first_level());
            let fixture = league.next(&roster).unwrap();
            assert!(league.levels.contains(&fixture.level));
        }
    }
}
