//! The league that is set up and watched: its next match, its table, and what is told of both.

use super::saved;
use crate::app::requests::{MatchConfig, Screen, Series, SeriesLine};
use crate::app::shell::notice::Notice;
use crate::app::shell::programs::ProgramChoice;
use crate::app::shell::seats::seat_title;
use bevy::prelude::Resource;
use bevy_egui::egui;
use outwit_core::levels::capitalised;
use outwit_core::platform::task::Task;
use outwit_core::play::{Place, Player, ProgramName};
use outwit_core::tournament::FinishedGame;
use outwit_kit::DynGame;
use outwit_kit::league::{
    FEW, Fixture, League, MOST_PLANNERS, NoFixture, Roster, Standing, UnplayedFixture, play,
};
use outwit_levels::{Entry, Source, list};
use std::collections::BTreeMap;

/// Levels of a league unless somebody chooses others.
const USUAL_LEVELS: usize = 4;
/// How far the seeds of two leagues of a game lie apart.
const SEEDS: u64 = 1000;
/// Matches in a row that may be impossible before one gives up.
const MOST_FAILURES: u32 = 5;

/// A match that is played without anybody watching.
type Unseen = (Fixture, Task<Result<FinishedGame, UnplayedFixture>>);

/// The league that is set up and watched.
#[derive(Resource)]
pub struct LeagueState {
    /// The game.
    pub kind: &'static dyn DynGame,
    /// Who can sit where.
    pub roster: Roster,
    /// All levels of the game.
    pub levels: Vec<Entry>,
    /// What the levels call themselves, by id; read in the background, as there may be many.
    names: Task<BTreeMap<String, String>>,
    /// The league.
    pub league: League,
    /// The programs of other people that a person lets play, and the choice of one more.
    pub programs: ProgramChoice,
    /// The programs that take part or have taken part, whether they may be started or not.
    pub known_programs: Vec<String>,
    /// What the file holds.
    saved: League,
    /// The match on the match screen, until its result is entered.
    current: Option<Fixture>,
    /// Matches that were skipped, to be played later.
    put_off: Vec<Fixture>,
    unseen: Vec<Unseen>,
    /// Matches in a row that could not be played.
    failures: u32,
    /// The order of the table before the last match.
    before: Vec<(Option<usize>, String)>,
    /// Whether the narrow screen shows the choices instead of the table.
    pub shows_choices: bool,
    /// Whether a new league was asked for once, when it would set results aside.
    pub confirmed: bool,
}

impl LeagueState {
    /// The saved league of a game, or a new one, and a message for the user if it cannot be read.
    pub fn of(
        kind: &'static dyn DynGame,
        budget: outwit_core::play::Budget,
        programs: ProgramChoice,
    ) -> (Self, Option<String>) {
        let roster = Roster::of(kind);
        let levels = list(kind.id());
        let (saved, message) = saved::load(kind.id());
        let league = saved.unwrap_or_else(|| {
            let first = kind.first_level();
            let built_in = levels.iter().filter(|it| matches!(it.source, Source::BuiltIn(_)));
            let others = built_in.map(|it| it.id.clone()).filter(|id| *id != first);
            let chosen = std::iter::once(first.clone()).chain(others).take(USUAL_LEVELS);
            let mut league = League::new(kind.id(), roster.usual(), chosen.collect(), 1);
            league.set_budget(budget);
            league
        });
        let mut state = Self {
            kind,
            roster,
            names: read_names(kind, levels.clone()),
            levels,
            saved: league.clone(),
            league,
            programs,
            known_programs: Vec::new(),
            current: None,
            put_off: Vec::new(),
            unseen: Vec::new(),
            failures: 0,
            before: Vec::new(),
            shows_choices: false,
            confirmed: false,
        };
        state.admit_programs();
        (state, message)
    }

    /// Takes note of levels that were added or removed meanwhile.
    pub fn refresh(&mut self) {
        let levels = list(self.kind.id());
        if levels != self.levels {
            self.names = read_names(self.kind, levels.clone());
            self.levels = levels;
        }
        self.confirmed = false;
        self.admit_programs();
    }

    /// Lets the programs of the league play that a person has allowed: its file alone starts none.
    fn admit_programs(&mut self) {
        let results = self.league.results().iter().flat_map(|result| &result.fixture.players);
        for name in self.league.planners.iter().chain(results) {
            if ProgramName::of(name).is_some() && !self.known_programs.contains(name) {
                self.known_programs.push(name.clone());
            }
        }
        self.roster.programs = self
            .known_programs
            .iter()
            .filter(|name| {
                let program = ProgramName::of(name);
                program.is_some_and(|it| self.programs.chosen.allowed.find(it.command).is_ok())
            })
            .cloned()
            .collect();
    }

    /// Shows the choice of a program, and lets one that was chosen take part.
    pub fn choose_program(&mut self, ctx: &egui::Context) -> Option<Notice> {
        let kind = self.kind;
        let entry =
            self.league.levels.first().and_then(|id| self.levels.iter().find(|it| it.id == *id));
        let others: Vec<Player> =
            (0..self.roster.seats.len()).map(|seat| kind.opponent(seat)).collect();
        let (_, player) = self.programs.update(
            ctx,
            kind,
            || {
                let entry = entry?;
                kind.read(&entry.bytes().ok()?, &entry.id).ok()
            },
            &others,
        )?;
        let name = player.name().to_owned();
        let title = self.title(&name);
        if !self.league.planners.contains(&name) {
            if self.league.planners.len() >= MOST_PLANNERS {
                let words = format!("A league has at most {MOST_PLANNERS} players.");
                return Some(Notice::error(words));
            }
            self.league.planners.push(name);
        }
        self.admit_programs();
        Some(Notice::info(format!("{title} plays too.")))
    }

    /// What to call a planner or a program.
    pub fn title(&self, name: &str) -> String {
        let own = self.programs.name(&Player::from(name));
        own.map_or_else(|| seat_title(name), str::to_owned)
    }

    /// The table, the best first.
    pub fn table(&self) -> Vec<Standing> {
        self.league.table(&self.roster, self.kind.facts().score.better)
    }

    /// The next match.
    ///
    /// # Errors
    /// Why there is none.
    pub fn upcoming(&self) -> Result<Fixture, NoFixture> {
        let unseen: Vec<Fixture> = self.unseen.iter().map(|(fixture, _)| fixture.clone()).collect();
        let busy =
            |fixture: &Fixture| unseen.contains(fixture) || self.current.as_ref() == Some(fixture);
        let (_, left) = self.league.remaining(&self.roster)?;
        let mut left = left.into_iter().filter(|fixture| !busy(fixture)).peekable();
        let first = left.peek().cloned();
        // Those that were put off come last in their round.
        match left.find(|fixture| !self.put_off.contains(fixture)).or(first) {
            Some(fixture) => Ok(fixture),
            None => {
                let not: Vec<_> = unseen.iter().chain(&self.current).cloned().collect();
                self.league.next_but(&self.roster, &not)
            }
        }
    }

    /// Sets up the next match; the one before must have ended or been skipped.
    ///
    /// # Errors
    /// Why there is none.
    pub fn begin_next(&mut self) -> Result<MatchConfig, String> {
        for _ in 0..self.league.levels.len().max(1) * 64 {
            let fixture = self.upcoming().map_err(|why| why.to_string())?;
            let level = self.levels.iter().find(|entry| entry.id == fixture.level).cloned();
            let Some(level) = level else {
                self.league.skip(fixture);
                continue;
            };
            self.put_off.retain(|other| *other != fixture);
            let players = fixture.players.iter().map(|name| Player::from(name.as_str())).collect();
            let config = MatchConfig {
                players,
                programs: self.programs.chosen.allowed.clone(),
                seed: fixture.seed,
                budget: self.league.budget(),
                back: Screen::League,
                ..MatchConfig::new(self.kind.id(), level)
            };
            self.current = Some(fixture);
            return Ok(config);
        }
        Err("None of the levels can be played.".into())
    }

    /// Enters how the present match ended; returns whether it was not entered before.
    pub fn enter(&mut self, places: Vec<Place>) -> bool {
        let Some(fixture) = self.current.take() else { return false };
        self.failures = 0;
        self.note_order();
        self.league.enter(fixture, places);
        true
    }

    /// Leaves the present match out. Unless results are to be hidden, it is played in the background.
    pub fn skip(&mut self) {
        let Some(fixture) = self.current.take() else { return };
        if self.league.hide_results {
            self.put_off.push(fixture);
            return;
        }
        let kind = self.kind;
        let budget = self.league.budget();
        let wanted = fixture.clone();
        let level = self.levels.iter().find(|entry| entry.id == fixture.level).cloned();
        let programs = self.programs.chosen.allowed.clone();
        let task = Task::begin(move |context| {
            let bytes = level.and_then(|level| level.bytes().ok()).unwrap_or_default();
            play(kind, &wanted, &bytes, budget, &programs, context.stop())
        });
        self.unseen.push((fixture, task));
    }

    /// Notes that the present match cannot be played.
    ///
    /// # Errors
    /// If that happened too often.
    pub fn fail(&mut self, why: &str) -> Result<(), String> {
        if let Some(fixture) = self.current.take() {
            self.league.skip(fixture);
        }
        self.failures += 1;
        if self.failures < MOST_FAILURES { Ok(()) } else { Err(why.to_owned()) }
    }

    /// Leaves the match that is watched, and what is played in the background: they come again.
    pub fn leave(&mut self) {
        self.current = None;
        self.failures = 0;
        for (_, task) in self.unseen.drain(..) {
            task.cancel();
        }
    }

    /// Takes the results of matches that nobody watched; returns whether there were any.
    pub fn poll(&mut self) -> bool {
        let mut found = false;
        let mut at = 0;
        while let Some((fixture, task)) = self.unseen.get(at) {
            if !task.is_done() {
                at += 1;
                continue;
            }
            let places = task.get().and_then(|result| result.as_ref().ok());
            let places = places.map(|game| game.outcome.places.clone()).unwrap_or_default();
            self.league.enter(fixture.clone(), places);
            self.unseen.remove(at);
            found = true;
        }
        found
    }

    /// Whether matches are played that nobody watches.
    pub fn is_busy(&self) -> bool {
        !self.unseen.is_empty()
    }

    fn note_order(&mut self) {
        self.before = self.table().into_iter().map(|line| (line.seat, line.planner)).collect();
    }

    /// Whether there is anything that the file does not hold.
    pub fn is_unsaved(&self) -> bool {
        self.league != self.saved
    }

    /// Saves the league where it has changed.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub fn save(&mut self) -> Result<(), String> {
        if self.is_unsaved() {
            saved::save(&mut self.league).map_err(|error| error.to_string())?;
            self.saved = self.league.clone();
        }
        Ok(())
    }

    /// Sets the league aside and begins a new one with the same choices and other seeds; returns what to
    /// tell the user.
    ///
    /// # Errors
    /// If its file cannot be renamed.
    pub fn begin_afresh(&mut self) -> Result<String, String> {
        self.save()?;
        let aside = saved::set_aside(self.kind.id()).map_err(|error| error.to_string())?;
        let League { planners, levels, seed, .. } = self.league.clone();
        let mut fresh = League::new(self.kind.id(), planners, levels, seed.wrapping_add(SEEDS));
        fresh.favourite.clone_from(&self.league.favourite);
        fresh.hide_results = self.league.hide_results;
        fresh.set_budget(self.league.budget());
        (self.league, self.confirmed) = (fresh, false);
        self.put_off.clear();
        self.before.clear();
        Ok(match aside {
            Some(file) => format!("A new league. The old one is now {}", file.display()),
            None => "A new league.".into(),
        })
    }

    /// A match in words, such as "Runner – Marshal, Tiny".
    pub fn words(&self, fixture: &Fixture) -> String {
        let names: Vec<_> = fixture.players.iter().map(|name| self.title(name)).collect();
        format!("{} on {}", names.join(" – "), self.level_name(&fixture.level))
    }

    /// What to call a level.
    pub fn level_name(&self, id: &str) -> String {
        if let Some(name) = self.names.get().and_then(|names| names.get(id)) {
            return name.clone();
        }
        let entry = self.levels.iter().find(|entry| entry.id == id);
        capitalised(&entry.map_or(id, Entry::stem).replace('-', " "))
    }

    /// The round that is played, counted from 1, and how many of its matches are over.
    pub fn progress(&self) -> Option<(u64, usize, usize)> {
        let (round, left) = self.league.remaining(&self.roster).ok()?;
        let all = self.league.round(round, &self.roster).ok()?.len();
        Some((round + 1, all - left.len(), all))
    }

    /// What the match screen shows of the league beside this match. The next match is named once this one
    /// is over.
    pub fn series(&self, config: &MatchConfig) -> Series {
        let players: Vec<&str> = config.players.iter().map(Player::name).collect();
        let table = self.table();
        let order: Vec<_> = table.iter().map(|line| (line.seat, line.planner.clone())).collect();
        let mut last_seat = None;
        let lines = table.iter().enumerate().map(|(at, line)| {
            let heading = line.seat.filter(|_| line.seat != last_seat);
            last_seat = line.seat;
            let was = self.before.iter().position(|before| *before == order[at]);
            let plays = players.iter().enumerate().any(|(seat, name)| {
                *name == line.planner && line.seat.is_none_or(|own| own == seat)
            });
            SeriesLine {
                heading: heading.map(|seat| self.seat_title(seat)),
                name: self.title(&line.planner),
                cells: [line.played, line.won, line.drawn, line.lost]
                    .map(|count| count.to_string())
                    .into_iter()
                    .chain([points(line)])
                    .collect(),
                moved: match was.filter(|_| line.played > 0) {
                    Some(was) => was as isize - at as isize,
                    None => 0,
                },
                plays,
                favourite: self.league.favourite.as_ref() == Some(&line.planner),
                few: line.too_few(),
            }
        });
        let lines = lines.collect();
        let about = self.progress().map_or_else(String::new, |(round, done, all)| {
            format!("Round {round}, {done} of {all} played")
        });
        let over = self.current.is_none();
        let next = if over { self.upcoming().ok() } else { None };
        Series {
            title: "League",
            about,
            config: config.clone(),
            columns: &["P", "W", "D", "L", "Pts"],
            lines,
            note: note(&table).unwrap_or_default(),
            next: next.map(|fixture| self.words(&fixture)).unwrap_or_default(),
            is_played: false,
            can_skip: true,
            verdict: None,
        }
    }

    /// What to call a seat.
    pub fn seat_title(&self, seat: usize) -> String {
        self.roster.seats.get(seat).map_or_else(String::new, |(title, _)| capitalised(title))
    }
}

fn read_names(kind: &'static dyn DynGame, levels: Vec<Entry>) -> Task<BTreeMap<String, String>> {
    Task::begin(move |context| {
        let mut names = BTreeMap::new();
        for level in levels {
            if context.stop().is_raised() {
                break;
            }
            let bytes = level.bytes().ok();
            let read = bytes.and_then(|bytes| kind.read(&bytes, &level.id).ok());
            let info = read.and_then(|level| kind.info(&level).ok());
            names.extend(info.map(|info| (level.id, info.name)));
        }
        names
    })
}

/// The points of a line, without a needless fraction.
pub fn points(line: &Standing) -> String {
    let points = line.points();
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

/// What to say of a table that rests on too few matches.
pub fn note(table: &[Standing]) -> Option<String> {
    let few = table.iter().any(Standing::too_few);
    few.then(|| format!("Faint: fewer than {FEW} matches, too few to tell."))
}
