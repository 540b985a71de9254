//! The championships that were begun: at most one of each game, kept in the data folder while it is not over.

use super::championship::{ChampionshipRun, RACES};
use crate::app::requests::{MatchConfig, MatchTime, OpenChampionships};
use crate::app::shell::notice::Notice;
use crate::app::shell::rivals::{CHAMPIONSHIP_RIVALS, has_championship};
use crate::app::shell::store::{Loaded, load_from, put_aside, to_text};
use bevy::prelude::*;
use outwit_core::platform::store::{self, StoreError};
use outwit_core::play::{Budget, Player};
use outwit_headless::GAMES;
use outwit_kit::DynGame;
use outwit_kit::league::Championship;
use outwit_levels::{Entry, data_folder, list};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The format of a file.
const FORMAT: &str = "championship 1";
/// Most seconds that a person may have for a move, and most minutes and seconds of a match clock.
const MOST_TIME: u32 = 600;

/// The championships that were begun, by the id of their game.
#[derive(Resource, Default)]
pub struct Championships {
    runs: BTreeMap<&'static str, ChampionshipRun>,
    /// Whether the data folder was looked at.
    loaded: bool,
}

/// The file of a championship.
#[derive(Serialize, Deserialize, Default)]
struct Saved {
    format: String,
    game: String,
    /// The ids of the levels, in the order of the races.
    tracks: Vec<String>,
    /// The names of the players, the person first.
    players: Vec<String>,
    /// The rank of each player in each race so far.
    ranks: Vec<Vec<u32>>,
    /// The seed of the last race.
    seed: u64,
    budget: Budget,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    match_time: Option<MatchTime>,
}

fn file_of(folder: &Path, game: &str) -> PathBuf {
    folder.join("championships").join(format!("{game}.ron"))
}

impl Saved {
    fn of(run: &ChampionshipRun) -> Self {
        let championship = run.championship();
        let config = run.config();
        Self {
            format: FORMAT.into(),
            game: config.game.into(),
            tracks: run.tracks().iter().map(|track| track.id.clone()).collect(),
            players: championship.players().to_vec(),
            ranks: championship.results().to_vec(),
            seed: config.seed,
            budget: config.budget,
            clock: config.clock,
            match_time: config.match_time,
        }
    }

    /// The championship, if it can go on: with the planners and levels that there are now.
    fn resumed(self, kind: &'static dyn DynGame) -> Result<ChampionshipRun, String> {
        if self.format != FORMAT || self.game != kind.id() {
            return Err(format!("it is not a championship of {}", kind.name()));
        }
        let [person, rivals @ ..] = &self.players[..] else { return Err("nobody plays".into()) };
        if Player::from(person.as_str()) != Player::Human || rivals.len() != CHAMPIONSHIP_RIVALS {
            return Err("its players are not a person and three rivals".into());
        }
        let planners = kind.planners();
        let is_known = |name: &&String| planners.iter().any(|planner| planner.name == **name);
        if rivals.iter().any(|name| !is_known(&name)) {
            return Err("one of the rivals is unknown".into());
        }
        let levels = list(kind.id());
        let tracks: Option<Vec<Entry>> = self
            .tracks
            .iter()
            .map(|id| levels.iter().find(|entry| entry.id == *id).cloned())
            .collect();
        let tracks = tracks.ok_or("one of its tracks is missing")?;
        if tracks.len() != RACES || self.ranks.is_empty() || self.ranks.len() >= RACES {
            return Err("it has the wrong number of races".into());
        }
        let is_timed = self.match_time.is_none_or(|time| {
            (1..=MOST_TIME).contains(&time.minutes) && time.increment <= MOST_TIME
        });
        let is_clocked = self.clock.is_none_or(|seconds| (1..=MOST_TIME).contains(&seconds));
        if !is_timed || !is_clocked || self.budget.check().is_err() {
            return Err("its time limits are impossible".into());
        }
        let first = tracks.first().ok_or("it has no level")?;
        let config = MatchConfig {
            players: Vec::new(),
            seed: self.seed,
            budget: self.budget,
            clock: self.clock,
            match_time: self.match_time,
            ..MatchConfig::new(kind.id(), first.clone())
        };
        let championship = |results: &[Vec<u32>]| {
            Championship::resumed(self.players.clone(), RACES, results.to_vec())
                .map_err(|why| why.to_string())
        };
        let (_, earlier) = self.ranks.split_last().ok_or("it has no race")?;
        ChampionshipRun::resumed(
            kind,
            championship(&self.ranks)?,
            &championship(earlier)?,
            tracks,
            config,
        )
    }
}

/// The championship of a game in this folder, if there is one, and a message for the user if something is wrong
/// with it.
fn load(folder: &Path, kind: &'static dyn DynGame) -> (Option<ChampionshipRun>, Option<String>) {
    let file = file_of(folder, kind.id());
    if !store::exists(&file) {
        return (None, None);
    }
    let Loaded { value, message } = load_from::<Saved>(&file, "The championship");
    if message.is_some() {
        return (None, message);
    }
    match value.resumed(kind) {
        Ok(run) => (Some(run), None),
        Err(why) => {
            let aside = put_aside(&file);
            (None, Some(format!("The championship cannot be resumed: {why}. {aside}")))
        }
    }
}

/// Keeps a championship of which a race was raced; one that is over leaves nothing.
fn save(folder: &Path, run: &ChampionshipRun) -> Result<(), String> {
    let file = file_of(folder, run.config().game);
    if run.championship().is_over() {
        return remove(&file).map_err(|error| error.to_string());
    }
    let text = to_text(&Saved::of(run)).map_err(|error| error.to_string())?;
    store::write(&file, text.as_bytes()).map_err(|error| error.to_string())
}

fn remove(file: &Path) -> Result<(), StoreError> {
    if store::exists(file) { store::remove(file) } else { Ok(()) }
}

impl Championships {
    /// Reads those in the data folder, once. Returns what to tell the user.
    fn load(&mut self) -> Vec<String> {
        if std::mem::replace(&mut self.loaded, true) {
            return Vec::new();
        }
        let Some(folder) = data_folder() else { return Vec::new() };
        let mut messages = Vec::new();
        for kind in GAMES.iter().filter(|kind| has_championship(**kind)) {
            let (run, message) = load(&folder, *kind);
            messages.extend(message);
            if let Some(run) = run {
                self.runs.entry(kind.id()).or_insert(run);
            }
        }
        messages
    }

    /// The championship of a game, over or not.
    pub fn of(&mut self, game: &str) -> Option<&mut ChampionshipRun> {
        self.runs.get_mut(game)
    }

    /// A new championship, in place of the one before.
    pub fn begin(&mut self, run: ChampionshipRun) {
        self.runs.insert(run.config().game, run);
    }

    /// Keeps the championship of a game as it is now.
    ///
    /// # Errors
    /// If its file cannot be written or removed.
    pub fn keep(&self, game: &str) -> Result<(), String> {
        match (data_folder(), self.runs.get(game)) {
            (Some(folder), Some(run)) => save(&folder, run),
            _ => Ok(()),
        }
    }

    /// Forgets the championship of a game.
    ///
    /// # Errors
    /// If its file cannot be removed.
    pub fn discard(&mut self, game: &str) -> Result<(), StoreError> {
        self.runs.remove(game);
        data_folder().map_or(Ok(()), |folder| remove(&file_of(&folder, game)))
    }
}

/// Reads the championships before the first one can be resumed.
pub fn read(mut championships: ResMut<Championships>, mut notices: MessageWriter<Notice>) {
    notices.write_batch(championships.load().into_iter().map(Notice::error));
}

/// Says to other screens which championships wait.
pub fn offer(championships: Res<Championships>, mut open: ResMut<OpenChampionships>) {
    open.0 = championships.runs.values().filter_map(ChampionshipRun::offer).collect();
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::shell::rivals::BeatenRivals;
    use outwit_core::play::Place;
    use outwit_headless::find;
    use proptest::prelude::*;

    fn racetrack() -> &'static dyn DynGame {
        find("racetrack").unwrap()
    }

    fn run() -> ChampionshipRun {
        let config = MatchConfig::on_level("racetrack/tiny", &["human", "novice"]);
        ChampionshipRun::new(racetrack(), &config, &BeatenRivals::new()).unwrap()
    }

    /// Races once; the person comes first.
    fn race(run: &mut ChampionshipRun) -> MatchConfig {
        let config = run.begin_next().unwrap();
        let mut rank = 1;
        let place = |player: &Player| Place {
            rank: match player {
                Player::Human => 1,
                _ => {
                    rank += 1;
                    rank
                }
            },
            score: None,
            ending: "finished".into(),
        };
        let places: Vec<Place> = config.players.iter().map(place).collect();
        run.enter(&places);
        config
    }

    #[test]
    fn a_championship_is_resumed_where_it_was_left() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert!(matches!(load(folder, racetrack()), (None, None)));
        let mut played = run();
        assert_eq!(played.offer(), None, "nothing was raced");
        for raced in 1..RACES {
            race(&mut played);
            save(folder, &played).unwrap();
            let (resumed, message) = load(folder, racetrack());
            assert_eq!(message, None);
            let mut resumed = resumed.unwrap();
            assert_eq!(resumed.offer(), played.offer());
            let offer = resumed.offer().unwrap();
            assert!(
                offer.next.starts_with(&format!("Race {} of {RACES}: ", raced + 1)),
                "{offer:?}"
            );
            assert_eq!(offer.standing, format!("You are first with {} points.", 10 * raced));
            let (series, whole) = (resumed.series(), played.series());
            assert_eq!((&series.lines, &series.next), (&whole.lines, &whole.next));
            let config = resumed.begin_next();
            assert!(config.is_some());
            // The one who goes on without a break has the same races.
            played.begin_next();
            assert_eq!(config, played.begin_next());
        }
        race(&mut played);
        save(folder, &played).unwrap();
        assert!(!file_of(folder, "racetrack").exists(), "it is over");
        assert_eq!(played.offer(), None);
    }

    #[test]
    fn a_file_that_is_no_championship_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let file = file_of(folder, "racetrack");
        let mut played = run();
        race(&mut played);
        save(folder, &played).unwrap();
        let text = String::from_utf8(store::read_file(&file).unwrap()).unwrap();
        for (from, to, why) in [
            ("championship 1", "championship 9", "not a championship"),
            ("game: \"racetrack\"", "game: \"mnk\"", "not a championship"),
            ("\"human\"", "\"greedy\"", "not a person"),
            ("\"greedy\"", "\"nobody\"", "unknown"),
            ("\"greedy\"", "\"engine:/bin/sh\"", "unknown"),
            ("\"racetrack/tiny\"", "\"racetrack/gone\"", "missing"),
            ("\"racetrack/tiny\",", "", "number of races"),
            ("ranks: [", "ranks: [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4],", "number of races"),
            ("ranks: [", "ranks: [[1, 2, 3, 9],", "impossible"),
            ("ranks: [", "ranks: [[1],", "impossible"),
            ("budget:", "clock: Some(100000), budget:", "time limits"),
            ("seed:", "seeds:", "could not be read"),
        ] {
            assert!(text.contains(from), "{from}\n{text}");
            store::write(&file, text.replacen(from, to, 1).as_bytes()).unwrap();
            let (run, message) = load(folder, racetrack());
            assert!(run.is_none(), "{to}");
            assert!(message.as_ref().is_some_and(|told| told.contains(why)), "{to}: {message:?}");
            assert!(!file.exists(), "{to}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_bytes_are_read_without_harm(bytes: Vec<u8>) {
            let folder = tempfile::tempdir().unwrap();
            store::write(&file_of(folder.path(), "racetrack"), &bytes).unwrap();
            let (run, message) = load(folder.path(), racetrack());
            prop_assert!(run.is_none() && message.is_some());
        }
    }
}
