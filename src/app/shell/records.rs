//! The best results of human players, stored in a RON file.

use crate::app::shell::notice::Notice;
use crate::app::shell::store::{Loaded, load_file, update_file};
use crate::levels::{self, Entry, Source, data_folder};
use crate::platform::time::unix_seconds;
use crate::play::{Better, digest_of};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Name of the file in the data folder.
pub const FILE: &str = "results.ron";

/// The best result on a level.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BestResult {
    /// The score, such as the number of turns.
    pub score: f64,
    /// The score as text, such as `42.3 turns`.
    #[serde(default)]
    pub label: String,
    /// The player's name.
    #[serde(default)]
    pub player: String,
    /// When, in seconds since 1970.
    #[serde(default)]
    pub when: u64,
    /// The match as a replay file; empty if it lies in a file of its own, see [`ghost`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub replay_text: String,
}

/// The key under which a level's record is stored, given the game's id, the level and its digest, and
/// the rules that differ from the level's own, as key and value.
///
/// A built-in level is identified by its id, a level of the user's by its digest, so renaming it
/// keeps the record. Drafts have no records.
pub fn key(game: &str, level: &Entry, digest: u64, rules: &[(String, String)]) -> Option<String> {
    let level = match level.source {
        Source::BuiltIn(_) => level.id.clone(),
        Source::File(_) => format!("{game}/#{digest:016x}"),
        Source::Draft(_) => return None,
    };
    if rules.is_empty() {
        return Some(level);
    }
    let mut rules: Vec<_> = rules.iter().map(|(key, value)| format!("{key}={value}")).collect();
    rules.sort();
    Some(format!("{level}?{}", rules.join("&")))
}

/// The key of one of several records of a level: the score that ranks has the level's own.
pub fn key_of(level: &str, place: usize, name: &str) -> String {
    if place == 0 { level.to_owned() } else { format!("{level}#{name}") }
}

/// The best result of each level and rules; see [`key`].
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Results {
    best: BTreeMap<String, BestResult>,
    /// Results that are not saved yet.
    unsaved: BTreeMap<String, (BestResult, Better)>,
}

impl Results {
    /// The best result.
    pub fn best(&self, key: &str) -> Option<&BestResult> {
        self.best.get(key)
    }

    /// All results under a key in words, the score that ranks first; see [`key_of`].
    pub fn labels(&self, key: &str) -> Vec<&str> {
        let more = format!("{key}#");
        let others = self.best.iter().filter(|(other, _)| other.starts_with(&more));
        self.best
            .get(key)
            .into_iter()
            .chain(others.map(|(_, best)| best))
            .map(|b| &*b.label)
            .collect()
    }

    /// Stores a result if it beats the current one; returns whether it does.
    pub fn submit(&mut self, key: &str, result: BestResult, better: Better) -> bool {
        let beats = self.best.get(key).is_none_or(|old| better.is_better(result.score, old.score));
        if beats && result.score.is_finite() {
            self.unsaved.insert(key.to_owned(), (result.clone(), better));
            self.best.insert(key.to_owned(), result);
            return true;
        }
        false
    }
}

impl BestResult {
    /// A result that was achieved now.
    pub fn now(score: f64, label: String, player: String, replay_text: String) -> Self {
        Self { score, label, player, when: unix_seconds(), replay_text }
    }
}

/// The file of the match of a record.
fn ghost_file(key: &str) -> Option<PathBuf> {
    let name = format!("{:016x}.ron", digest_of(key.as_bytes()));
    data_folder().map(|folder| folder.join("ghosts").join(name))
}

/// The match of a record as a replay file; empty if there is none.
pub fn ghost(key: &str, best: &BestResult) -> String {
    if !best.replay_text.is_empty() {
        return best.replay_text.clone();
    }
    let bytes = ghost_file(key).and_then(|file| levels::read_file(&file).ok());
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Moves the matches into files of their own: all together would outgrow what can be read.
fn set_ghosts_apart(best: &mut BTreeMap<String, BestResult>) {
    for (key, result) in best.iter_mut().filter(|(_, result)| !result.replay_text.is_empty()) {
        let Some(file) = ghost_file(key) else { continue };
        if levels::write_readable(&file, result.replay_text.as_bytes()).is_ok() {
            result.replay_text.clear();
        }
    }
}

/// Loads the records from the data folder, with a message for the user if that fails.
pub fn load() -> (Results, Option<String>) {
    let Loaded { value, message } = load_file(FILE, "Your records");
    (Results { best: value, unsaved: BTreeMap::new() }, message)
}

fn save(mut results: ResMut<Results>, mut notices: MessageWriter<Notice>) {
    if results.unsaved.is_empty() {
        return;
    }
    let fresh = std::mem::take(&mut results.unsaved);
    // Another copy of the program may have saved better ones.
    let saved = update_file(FILE, |best: &mut BTreeMap<String, BestResult>| {
        for (key, (result, better)) in &fresh {
            let old = best.get(key);
            if old.is_none_or(|old| better.is_better(result.score, old.score)) {
                best.insert(key.clone(), result.clone());
            }
        }
        set_ghosts_apart(best);
    });
    if let Err(error) = saved {
        notices.write(Notice::error(format!("Could not save your records. {error}")));
    }
}

/// Saves records when they change.
pub fn plugin(app: &mut App) {
    app.init_resource::<Results>().add_systems(PostUpdate, save);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::levels::read_ron;
    use proptest::prelude::*;

    fn result(score: f64) -> BestResult {
        BestResult::now(score, format!("{score} turns"), "Ada".into(), "(turns: [])\n\"x\"".into())
    }

    #[test]
    fn only_a_better_result_is_stored() {
        let mut results = Results::default();
        assert!(results.submit("a", result(10.0), Better::Lower));
        assert!(!results.submit("a", result(10.0), Better::Lower));
        assert!(results.submit("a", result(9.5), Better::Lower));
        assert!(!results.submit("a", result(f64::NAN), Better::Lower));
        assert!(results.submit("a", result(20.0), Better::Higher));
        assert_eq!(results.best("a").unwrap().score, 20.0);
        assert!(!results.submit("b", result(f64::NAN), Better::Lower));
        assert!(results.best("b").is_none());
    }

    #[test]
    fn other_rules_and_other_maps_have_their_own_records() {
        let rules = vec![("laps".into(), "3".into()), ("contact".into(), "block".into())];
        let id = String::from("racetrack/a");
        let level = |source| Entry { id: id.clone(), source };
        let built_in = level(Source::BuiltIn(""));
        let key = |level: &Entry, digest, rules| key("racetrack", level, digest, rules);
        assert_eq!(key(&built_in, 1, &rules).unwrap(), "racetrack/a?contact=block&laps=3");
        assert_eq!(key(&built_in, 2, &[]).unwrap(), "racetrack/a");
        let own = level(Source::File("a.ron".into()));
        assert_eq!(key(&own, 0xab, &[]).unwrap(), "racetrack/#00000000000000ab");
        assert_ne!(key(&own, 1, &[]), key(&own, 2, &[]));
        assert_eq!(key(&own, 1, &rules), key(&level(Source::File("b.ron".into())), 1, &rules));
        assert_eq!(key(&level(Source::Draft("".into())), 1, &[]), None);
    }

    #[test]
    fn what_is_written_is_read() {
        let mut results = Results::default();
        results.submit("a", result(9.25), Better::Lower);
        let text = crate::app::shell::store::to_text(&results.best).unwrap();
        let read: BTreeMap<String, BestResult> = read_ron(text.as_bytes()).unwrap();
        assert_eq!(read, results.best);
    }

    proptest! {
        #[test]
        fn any_bytes_are_results_or_an_error(bytes: Vec<u8>) {
            let _ = read_ron::<BTreeMap<String, BestResult>>(&bytes);
        }
    }
}
