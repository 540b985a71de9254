//! The best results of people, kept in a RON file between sessions.

use crate::app::shell::notice::Notice;
use crate::app::shell::store::{Loaded, load_file, save_file};
use crate::levels::{Entry, Source};
use crate::platform::time::unix_seconds;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name of the file in the data folder.
pub const FILE: &str = "results.ron";

/// A result to beat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BestResult {
    /// The figure that ranks, such as the time of a race.
    pub score: f64,
    /// The result in words, such as `42.3 turns`.
    #[serde(default)]
    pub label: String,
    /// Who reached it.
    #[serde(default)]
    pub player: String,
    /// When, in seconds since 1970.
    #[serde(default)]
    pub when: u64,
    /// The match as a replay file.
    #[serde(default)]
    pub replay_text: String,
}

/// Which result is the better one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Better {
    /// The lower score, as in a race.
    #[default]
    Lower,
    /// The higher score.
    Higher,
}

impl Better {
    /// Whether `new` beats `old`.
    pub fn beats(self, new: f64, old: f64) -> bool {
        match self {
            Self::Lower => new < old,
            Self::Higher => new > old,
        }
    }
}

/// Under which name results on a level are kept, given the game's id, the level with its digest, and
/// the rules that differ from the level's own, as key and text of the value.
///
/// A level of the user's goes by what is in it: drawn anew it is another level, by another name it
/// is the same one. On a draft there is no result to save_file.
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

/// The best result of each level and rules; see [`key`].
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Results {
    best: BTreeMap<String, BestResult>,
    unsaved: bool,
}

impl Results {
    /// The result to beat.
    pub fn best(&self, key: &str) -> Option<&BestResult> {
        self.best.get(key)
    }

    /// Takes a result if it beats the one there is; returns whether it does.
    pub fn submit(&mut self, key: &str, result: BestResult, better: Better) -> bool {
        let beats = self.best.get(key).is_none_or(|old| better.beats(result.score, old.score));
        if beats && result.score.is_finite() {
            self.best.insert(key.to_owned(), result);
            self.unsaved = true;
            return true;
        }
        false
    }
}

impl BestResult {
    /// A result reached now.
    pub fn now(score: f64, label: String, player: String, replay_text: String) -> Self {
        Self { score, label, player, when: unix_seconds(), replay_text }
    }
}

/// Reads the results of the data folder, with what to tell the user about it.
pub fn load() -> (Results, Option<String>) {
    let Loaded { value, message } = load_file(FILE, "The best results");
    (Results { best: value, unsaved: false }, message)
}

fn save(mut results: ResMut<Results>, mut notices: MessageWriter<Notice>) {
    if !results.unsaved {
        return;
    }
    results.unsaved = false;
    if let Err(error) = save_file(FILE, &results.best) {
        notices.write(Notice::error(format!("The best results were not saved. {error}")));
    }
}

/// Keeps the results as they come.
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
    fn only_a_better_result_is_taken() {
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
    fn other_rules_and_other_maps_are_another_result() {
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
