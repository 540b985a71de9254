//! The level of the day: the same for everybody who has this version, and the best results on it, stored in a RON
//! file. Days begin at midnight UTC.

use crate::app::shell::notice::Notice;
use crate::app::shell::store::{Loaded, UpdateError, load_file, update_file};
use crate::app::shell::when;
use bevy::prelude::*;
use outwit_core::platform::time::unix_seconds;
use outwit_core::play::{Better, digest_of};
use outwit_headless::GAMES;
use outwit_kit::DynGame;
use outwit_levels::{Entry, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name of the file in the data folder.
pub const FILE: &str = "daily.ron";
/// Seconds of a day.
const DAY: u64 = 86_400;
/// Seeds that are tried before there is no level.
const TRIES: u64 = 50;
/// Most results that are kept, the latest.
const MOST_KEPT: usize = 2000;

/// Today, in days since 1970.
pub fn today() -> u64 {
    unix_seconds() / DAY
}

/// Seconds until the next day begins.
pub fn seconds_left() -> u64 {
    DAY - unix_seconds() % DAY
}

/// The games that have a level of the day: those that generate levels and can be played alone, so that results
/// can be compared.
pub fn games() -> impl Iterator<Item = &'static dyn DynGame> {
    GAMES
        .iter()
        .copied()
        .filter(|kind| kind.facts().has_generator && *kind.facts().seats.allowed.start() == 1)
}

/// The level of a game on a day. It takes a moment.
///
/// # Errors
/// If the game generates none.
pub fn level(kind: &dyn DynGame, day: u64) -> Result<Entry, String> {
    let date = when::day(day);
    let seed = digest_of(format!("{date} {}", kind.id()).as_bytes()) >> 32;
    let mut why = String::new();
    for seed in seed..seed + TRIES {
        match kind.generate(&[], seed) {
            Ok(mut draft) => {
                draft.name = format!("Level of the day, {date}");
                let id = format!("{}/level-of-the-day-{date}", kind.id());
                return Ok(Entry { id, source: Source::Draft(kind.text(&draft).into()) });
            }
            Err(error) => why = error,
        }
    }
    Err(why)
}

/// The best result on a level of the day.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DailyResult {
    /// The score, such as the number of steps.
    pub score: f64,
    /// The same in words, such as `37 steps`.
    pub label: String,
    /// The proved optimum as a number in words, once it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimum: Option<String>,
}

impl DailyResult {
    /// The result in words, such as `37 steps (optimum 35)`.
    pub fn words(&self) -> String {
        match &self.optimum {
            Some(optimum) => format!("{} (optimum {optimum})", self.label),
            None => self.label.clone(),
        }
    }

    /// A line to be passed on to others, such as `Outwit 2026-11-24, Pukoban: 37 steps (optimum 35)`.
    pub fn line(&self, kind: &dyn DynGame, day: u64) -> String {
        format!("Outwit {}, {}: {}", when::day(day), kind.name(), self.words())
    }
}

/// The results by date and game.
type ByDate = BTreeMap<String, DailyResult>;

/// The best results on the levels of the day.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct DailyResults {
    best: ByDate,
    /// Those that are not saved yet, each with which scores are better.
    unsaved: BTreeMap<String, (DailyResult, Better)>,
}

fn key(game: &str, day: u64) -> String {
    format!("{} {game}", when::day(day))
}

impl DailyResults {
    /// Loads them from the data folder, with a message for the user if that fails.
    pub fn load() -> (Self, Option<String>) {
        let Loaded { value, message } = load_file(FILE, "Your results on levels of the day");
        (Self { best: value, unsaved: BTreeMap::new() }, message)
    }

    /// The best result on the level of a game on a day.
    pub fn best(&self, game: &str, day: u64) -> Option<&DailyResult> {
        self.best.get(&key(game, day))
    }

    /// Keeps a result if it is the best, or as good and with an optimum that was not known.
    pub fn submit(&mut self, game: &str, day: u64, result: DailyResult, better: Better) {
        let key = key(game, day);
        if result.score.is_finite()
            && self.best.get(&key).is_none_or(|old| beats(&result, old, better))
        {
            self.best.insert(key.clone(), result.clone());
            self.unsaved.insert(key, (result, better));
        }
    }

    fn save(&mut self) -> Result<(), UpdateError> {
        let fresh = std::mem::take(&mut self.unsaved);
        update_file(FILE, |there: &mut ByDate| {
            for (key, (result, better)) in &fresh {
                if there.get(key).is_none_or(|old| beats(result, old, *better)) {
                    there.insert(key.clone(), result.clone());
                }
            }
            while there.len() > MOST_KEPT {
                there.pop_first();
            }
        })
    }
}

fn beats(result: &DailyResult, old: &DailyResult, better: Better) -> bool {
    let tells_more = result.score == old.score && old.optimum.is_none();
    better.is_better(result.score, old.score) || tells_more && result.optimum.is_some()
}

fn save(mut results: ResMut<DailyResults>, mut notices: MessageWriter<Notice>) {
    if results.unsaved.is_empty() {
        return;
    }
    if let Err(error) = results.save() {
        let what = "Could not save your result on the level of the day";
        notices.write(Notice::error(format!("{what}. {error}")));
    }
}

/// Saves results when they change.
pub fn plugin(app: &mut App) {
    app.init_resource::<DailyResults>().add_systems(PostUpdate, save);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_one_level_for_everybody() {
        let games: Vec<_> = games().collect();
        assert!(games.iter().any(|kind| kind.id() == "racetrack"));
        assert!(games.iter().any(|kind| kind.id() == "pukoban"));
        for kind in games {
            let text = |day| {
                let bytes = level(kind, day).unwrap().bytes().unwrap();
                kind.describe(&bytes, "level").unwrap().digest
            };
            assert_eq!(text(20_781), text(20_781), "{}", kind.id());
            assert_ne!(text(20_781), text(20_782), "{}", kind.id());
        }
    }

    #[test]
    fn the_best_result_of_a_day_is_kept() {
        let result = |score: f64, optimum: Option<&str>| DailyResult {
            score,
            label: format!("{score} steps"),
            optimum: optimum.map(str::to_owned),
        };
        let mut results = DailyResults::default();
        let mut submit = |new: DailyResult| {
            results.submit("pukoban", 20_781, new, Better::Lower);
            results.best("pukoban", 20_781).unwrap().words()
        };
        assert_eq!(submit(result(40.0, None)), "40 steps");
        assert_eq!(submit(result(40.0, Some("35"))), "40 steps (optimum 35)");
        assert_eq!(submit(result(41.0, Some("35"))), "40 steps (optimum 35)");
        assert_eq!(submit(result(40.0, None)), "40 steps (optimum 35)");
        assert_eq!(submit(result(f64::NAN, None)), "40 steps (optimum 35)");
        assert_eq!(submit(result(37.0, Some("35"))), "37 steps (optimum 35)");
        assert_eq!(results.best("pukoban", 20_782), None, "another day");
        assert_eq!(results.best("stealth", 20_781), None, "another game");
        let line = results.best("pukoban", 20_781).unwrap();
        let pukoban = outwit_headless::find("pukoban").unwrap();
        let said = "Outwit 2026-11-24, Pukoban: 37 steps (optimum 35)";
        assert_eq!(line.line(pukoban, 20_781), said);
    }
}
