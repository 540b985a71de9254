//! A championship of a person against rivals of about the same strength: four tracks, points for each place.

use crate::app::requests::{MatchConfig, OpenChampionship, Screen, Series, SeriesLine};
use crate::app::shell::rivals::fitting;
use crate::app::shell::rivals::{BeatenRivals, CHAMPIONSHIP_RIVALS as RIVALS, next_rival};
use crate::app::shell::seats::{YOU, seat_title};
use outwit_core::play::{Place, Player};
use outwit_kit::league::Championship;
use outwit_kit::{DynGame, TileStyle};
use outwit_levels::{Entry, list};

/// Races of a championship.
pub const RACES: usize = 4;

/// A championship that was begun.
pub struct ChampionshipRun {
    championship: Championship,
    tracks: Vec<Entry>,
    names: Vec<String>,
    config: MatchConfig,
    /// Whether the result of the present race is to come.
    open: bool,
    /// The order of the table before the last race.
    before: Vec<usize>,
}

/// Rivals around the weakest planner that was not beaten yet: it, a weaker and a stronger one where there are.
fn rivals(kind: &dyn DynGame, beaten: &BeatenRivals) -> Vec<String> {
    let planners = kind.rivals();
    let fitting: Vec<&str> = fitting(kind, &planners, 1).map(|planner| planner.name).collect();
    let next = next_rival(kind, 1, beaten);
    let at = fitting.iter().position(|name| *name == next.name()).unwrap_or(0);
    let first = at.saturating_sub(1).min(fitting.len().saturating_sub(RIVALS));
    let names =
        fitting.iter().cycle().skip(first).take(if fitting.is_empty() { 0 } else { RIVALS });
    names.map(|&name| name.to_owned()).collect()
}

/// The name of a level with room for so many cars at its start.
fn name_with_room(kind: &dyn DynGame, entry: &Entry, cars: usize) -> Option<String> {
    let info = kind.describe(&entry.bytes().ok()?, entry.stem()).ok()?;
    let starts = info.looks.iter().filter(|(_, look)| **look == TileStyle::Start).count();
    (starts >= cars).then_some(info.name)
}

impl ChampionshipRun {
    /// A championship on the level of a match and those that follow it in the list, from the first one on again.
    ///
    /// # Errors
    /// If there are too few rivals or levels.
    pub fn new(
        kind: &'static dyn DynGame,
        config: &MatchConfig,
        beaten: &BeatenRivals,
    ) -> Result<Self, String> {
        let rivals = rivals(kind, beaten);
        if rivals.len() < RIVALS {
            return Err(format!("{} has too few planners for a championship.", kind.name()));
        }
        let levels = list(kind.id());
        let from = levels.iter().position(|entry| *entry == config.level).unwrap_or(0);
        let order = levels[from..].iter().chain(&levels[..from]);
        let fitting =
            order.filter_map(|entry| Some((entry, name_with_room(kind, entry, RIVALS + 1)?)));
        let (tracks, names): (Vec<Entry>, Vec<String>) =
            fitting.take(RACES).map(|(entry, name)| (entry.clone(), name)).unzip();
        if tracks.len() < RACES {
            let cars = RIVALS + 1;
            return Err(format!("A championship needs {RACES} levels with room for {cars} cars."));
        }
        let players: Vec<String> =
            std::iter::once(Player::Human.name().to_owned()).chain(rivals).collect();
        let config = MatchConfig {
            rules: Vec::new(),
            replay: None,
            lesson: None,
            daily: None,
            beside: None,
            back: Screen::Setup,
            ..config.clone()
        };
        let championship = Championship::new(players, RACES);
        Ok(Self { championship, tracks, names, config, open: false, before: Vec::new() })
    }

    /// One of which some races are over, at least one; `earlier` is the same before the last of them.
    ///
    /// # Errors
    /// If a track cannot be raced on any more.
    pub fn resumed(
        kind: &dyn DynGame,
        championship: Championship,
        earlier: &Championship,
        tracks: Vec<Entry>,
        config: MatchConfig,
    ) -> Result<Self, String> {
        let names = tracks
            .iter()
            .map(|track| {
                name_with_room(kind, track, RIVALS + 1)
                    .ok_or_else(|| format!("'{}' cannot be raced on", track.stem()))
            })
            .collect::<Result<_, _>>()?;
        let before = order(earlier);
        Ok(Self { championship, tracks, names, config, open: false, before })
    }

    /// The results so far.
    pub fn championship(&self) -> &Championship {
        &self.championship
    }

    /// The levels, in the order of the races.
    pub fn tracks(&self) -> &[Entry] {
        &self.tracks
    }

    /// The present race, or the last one.
    pub fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// Whether it is to go on where a championship on the level of this match is asked for: one with results is not
    /// lost for another.
    pub fn goes_on(&self, config: &MatchConfig) -> bool {
        let is_begun = self.championship.raced() > 0 || self.tracks.contains(&config.level);
        is_begun && !self.championship.is_over()
    }

    /// What to say of it where it can be resumed; `None` before the end of the first race and after the last.
    pub fn offer(&self) -> Option<OpenChampionship> {
        let raced = self.championship.raced();
        let name = self.names.get(raced).filter(|_| raced > 0)?;
        let table = self.championship.table();
        let own = table.iter().position(|line| line.player == 0)?;
        Some(OpenChampionship {
            game: self.config.game,
            next: format!("Race {} of {RACES}: {name}", raced + 1),
            standing: format!("You are {} with {} points.", place(own), table[own].points),
        })
    }

    /// Which race comes next or is raced, in words.
    pub fn race(&self) -> String {
        let race = self.championship.raced() + 1;
        format!("race {} of {}", race.min(RACES), RACES)
    }

    /// Enters how the present race ended.
    pub fn enter(&mut self, places: &[Place]) {
        if std::mem::take(&mut self.open) {
            self.before = order(&self.championship);
            self.championship.enter(places);
        }
    }

    /// Sets up the next race; `None` after the last. The present one is raced again if it is not over.
    pub fn begin_next(&mut self) -> Option<MatchConfig> {
        let track = self.tracks.get(self.championship.raced())?;
        let names = self.championship.players().iter();
        self.config.players = names.map(|name| Player::from(name.as_str())).collect();
        if !self.open {
            self.config.seed = self.config.seed.wrapping_add(1) % 1_000_000;
        }
        self.config.level = track.clone();
        self.open = true;
        Some(self.config.clone())
    }

    /// What the match screen shows of it.
    pub fn series(&self) -> Series {
        let table = self.championship.table();
        let raced = self.championship.raced();
        let names: Vec<String> =
            self.championship.players().iter().map(|name| title(name)).collect();
        let line = |(at, line): (usize, &outwit_kit::league::Ranking)| {
            let points = |race: usize| line.races.get(race).map_or("–".into(), u32::to_string);
            let was = self.before.iter().position(|&player| player == line.player);
            SeriesLine {
                name: names[line.player].clone(),
                cells: (0..RACES).map(points).chain([line.points.to_string()]).collect(),
                moved: was.filter(|_| raced > 1).map_or(0, |was| was as isize - at as isize),
                plays: line.player == 0,
                ..SeriesLine::default()
            }
        };
        let is_over = self.championship.is_over();
        let next = (!self.open).then(|| self.names.get(raced)).flatten();
        Series {
            title: "Championship",
            about: match is_over {
                true => String::new(),
                false if self.open => self.race(),
                false => format!("{raced} of {RACES} raced"),
            },
            config: self.config.clone(),
            columns: &["1", "2", "3", "4", "Pts"],
            lines: table.iter().enumerate().map(line).collect(),
            note: "Points for the places: 10, 6, 4, 3.".into(),
            next: next
                .map(|name| format!("Race {} of {RACES}: {name}", raced + 1))
                .unwrap_or_default(),
            is_played: true,
            can_skip: false,
            verdict: is_over.then(|| verdict(&table, &names)),
        }
    }
}

/// The players in the order of the table.
fn order(championship: &Championship) -> Vec<usize> {
    championship.table().iter().map(|line| line.player).collect()
}

/// A place in words, counted from 0.
fn place(at: usize) -> &'static str {
    ["first", "second", "third", "fourth"].get(at).unwrap_or(&"last")
}

fn title(name: &str) -> String {
    if Player::from(name) == Player::Human { YOU.into() } else { seat_title(name) }
}

fn verdict(table: &[outwit_kit::league::Ranking], names: &[String]) -> String {
    let Some(first) = table.first() else { return String::new() };
    let own = table.iter().position(|line| line.player == 0).unwrap_or_default();
    match own {
        0 => format!("You win the championship with {} points.", first.points),
        own => format!(
            "{} wins the championship with {} points. You come {} with {}.",
            names[first.player],
            first.points,
            place(own),
            table[own].points
        ),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_headless::find;

    fn places(ranks: &[u32]) -> Vec<Place> {
        let place = |&rank: &u32| Place { rank, score: None, ending: "finished".into() };
        ranks.iter().map(place).collect()
    }

    #[test]
    fn four_races_lead_to_a_verdict() {
        let kind = find("racetrack").unwrap();
        let config = MatchConfig::on_level("racetrack/tiny", &["human", "novice"]);
        let mut run = ChampionshipRun::new(kind, &config, &BeatenRivals::new()).unwrap();
        let mut seen = Vec::new();
        for race in 1..=RACES {
            let config = run.begin_next().unwrap();
            assert_eq!(config.players.len(), RIVALS + 1);
            let mut series = run.series();
            assert_eq!(series.about, format!("race {race} of {RACES}"));
            assert!(series.is_played && series.verdict.is_none() && series.next.is_empty());
            assert_eq!(run.begin_next().unwrap(), config, "left and begun again");
            seen.push(config.level.id.clone());
            let own = config.players.iter().position(|player| *player == Player::Human).unwrap();
            let mut ranks: Vec<u32> = (2..=RIVALS as u32 + 1).collect();
            ranks.insert(own, 1);
            run.enter(&places(&ranks));
            run.enter(&places(&ranks));
            series = run.series();
            assert_eq!(series.next.is_empty(), race == RACES);
            let own = series.lines.iter().find(|line| line.name == YOU).unwrap();
            assert_eq!(*own.cells.last().unwrap(), (10 * race).to_string());
        }
        seen.dedup();
        assert_eq!(seen.len(), RACES);
        assert_eq!(seen[0], "racetrack/tiny");
        assert_eq!(run.begin_next(), None);
        let verdict = run.series().verdict.unwrap();
        assert_eq!(verdict, "You win the championship with 40 points.");
    }

    #[test]
    fn rivals_are_about_as_strong_as_the_person() {
        let kind = find("racetrack").unwrap();
        let names: Vec<_> = kind.rivals().iter().map(|planner| planner.name).collect();
        let mut beaten = BeatenRivals::new();
        assert_eq!(rivals(kind, &beaten), names[..RIVALS]);
        let known = beaten.entry("racetrack".into()).or_default();
        known.extend(names[..2].iter().map(|&name| name.to_owned()));
        assert_eq!(rivals(kind, &beaten), names[1..=RIVALS]);
        let all = names.iter().map(|&name| name.to_owned());
        beaten.insert("racetrack".into(), all.collect());
        assert_eq!(rivals(kind, &beaten), names[names.len() - RIVALS..]);
    }
}
