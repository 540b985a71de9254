//! The best results of human players, stored in a RON file.

use crate::app::shell::level_rivals::LevelRivals;
use crate::app::shell::losses::Losses;
use crate::app::shell::medals::Medal;
use crate::app::shell::notice::Notice;
use crate::app::shell::store::{Loaded, UpdateError, load_file, update_file};
use bevy::prelude::*;
use outwit_core::levels;
use outwit_core::levels::{Fault, read_ron};
use outwit_core::platform::store;
use outwit_core::platform::time::unix_seconds;
use outwit_core::play::{Better, digest_of};
use outwit_headless::find;
use outwit_kit::DynGame;
use outwit_levels::{Entry, Source, data_folder};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
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
    /// How much worse than the optimum the results on the level were at best, see
    /// [`distance`](crate::app::shell::medals::distance); `None` where no optimum is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closest: Option<f64>,
    /// The match as a replay file; empty if it lies in a file of its own, see [`ghost`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub replay_text: String,
    /// The digest of the match, after which its own file is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay_digest: Option<u64>,
}

/// The key under which a level's record is stored, given the game, the level and its digest, and the
/// rules that differ from the level's own, as key and value.
///
/// A level is identified by its digest, so renaming it keeps the record and changing it does not. A
/// record holds for one version of the game's rules. Drafts have no records.
pub fn key(
    game: &dyn DynGame,
    level: &Entry,
    digest: u64,
    rules: &[(String, String)],
) -> Option<String> {
    if matches!(level.source, Source::Draft(_)) {
        return None;
    }
    Some(name(game, digest, rules))
}

/// The key of a level for what holds with any version of the game's rules; see [`key`].
pub fn level_key(
    game: &dyn DynGame,
    level: &Entry,
    digest: u64,
    rules: &[(String, String)],
) -> Option<String> {
    let key = key(game, level, digest, rules)?;
    let (_, level) = key.split_once('/')?;
    Some(format!("{}/{level}", game.id()))
}

fn name(game: &dyn DynGame, digest: u64, rules: &[(String, String)]) -> String {
    let level = format!("{} {}/#{digest:016x}", game.id(), game.facts().rules_version);
    if rules.is_empty() {
        return level;
    }
    let mut rules: Vec<_> = rules.iter().map(|(key, value)| format!("{key}={value}")).collect();
    rules.sort();
    format!("{level}?{}", rules.join("&"))
}

/// The key of one of several records of a level: the score that ranks has the level's own.
pub fn key_of(level: &str, place: usize, name: &str) -> String {
    if place == 0 { level.to_owned() } else { format!("{level}#{name}") }
}

/// The best result of each level and rules; see [`key`].
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Results {
    /// The planners that were beaten on each level.
    pub rivals: LevelRivals,
    /// What the last matches lost by the review.
    pub losses: Losses,
    best: BTreeMap<String, BestResult>,
    /// Results that are not saved yet.
    unsaved: BTreeMap<String, (BestResult, Better)>,
    /// Distances from the optimum that are not saved yet.
    nearer: BTreeMap<String, f64>,
    /// The names of earlier versions and of today of results that are not saved under the latter yet.
    renamed: Vec<(String, String)>,
}

impl Results {
    /// The best result under a key that [`key`] or [`key_of`] made, if there is one.
    pub fn best(&self, key: &str) -> Option<&BestResult> {
        self.best.get(key)
    }

    /// The number of levels of a game with a result, by any rules and any version of the game's.
    pub fn levels(&self, game: &str) -> usize {
        let keys = self.best.keys().filter_map(|key| key.split_once(" "));
        let own = keys.filter(|(of, _)| *of == game).filter_map(|(_, key)| key.split_once("/#"));
        let digests: BTreeSet<_> =
            own.filter_map(|(_, level)| level.split(['?', '#']).next()).collect();
        digests.len()
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
            let old = self.best.get(key).and_then(|old| old.closest);
            let result = BestResult { closest: nearer(old, result.closest), ..result };
            self.unsaved.insert(key.to_owned(), (result.clone(), better));
            self.best.insert(key.to_owned(), result);
            return true;
        }
        false
    }

    /// Notes that a result under a key was so much worse than the optimum.
    pub fn note_distance(&mut self, key: &str, distance: f64) {
        let Some(best) = self.best.get_mut(key).filter(|_| distance.is_finite()) else { return };
        if best.closest.is_none_or(|closest| distance < closest) {
            best.closest = Some(distance);
            self.nearer.insert(key.to_owned(), distance);
        }
    }
}

/// The smaller of two distances that may be unknown.
fn nearer(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).min_by(f64::total_cmp)
}

impl BestResult {
    /// The medal for the nearest that the results on the level came to the optimum.
    pub fn medal(&self) -> Option<Medal> {
        Medal::of(self.closest?)
    }

    /// A result that was achieved now.
    pub fn now(score: f64, label: String, player: String, replay_text: String) -> Self {
        let closest = None;
        let replay_digest = None;
        Self { score, label, player, when: unix_seconds(), closest, replay_text, replay_digest }
    }
}

/// The file of a match. It is called after the match and not after the record, so that a copy of the
/// program whose result is not the best cannot put its match in place of another one's.
fn ghost_file(digest: u64) -> Option<PathBuf> {
    data_folder().map(|folder| folder.join("ghosts").join(format!("{digest:016x}.ron")))
}

/// The match of a record as a replay file; empty if there is none.
pub fn ghost(key: &str, best: &BestResult) -> String {
    if !best.replay_text.is_empty() {
        return best.replay_text.clone();
    }
    // Earlier versions called the file after the record.
    let name = best.replay_digest.unwrap_or_else(|| digest_of(key.as_bytes()));
    let bytes = ghost_file(name).and_then(|file| levels::read_file(&file).ok());
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Moves the matches into files of their own: all together would outgrow what can be read.
fn set_ghosts_apart(best: &mut BTreeMap<String, BestResult>) {
    for result in best.values_mut().filter(|result| !result.replay_text.is_empty()) {
        let text = result.replay_text.as_bytes();
        let digest = digest_of(text);
        let Some(file) = ghost_file(digest) else { continue };
        let is_there = levels::read_file(&file).is_ok_and(|there| there == text);
        if is_there || levels::write_readable(&file, text).is_ok() {
            result.replay_text.clear();
            result.replay_digest = Some(digest);
        }
    }
}

/// Loads the records from the data folder, with a message for the user if that fails.
pub fn load() -> (Results, Option<String>) {
    let Loaded { value, message } = load_file(FILE, "Your records");
    let (rivals, about_rivals) = LevelRivals::load();
    let (losses, about_losses) = Losses::load();
    let results = Results { rivals, losses, ..Results::of(value) };
    (results, message.or(about_rivals).or(about_losses))
}

impl Results {
    /// The records in the content of a file.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn read(bytes: &[u8]) -> Result<Self, Fault> {
        read_ron(bytes).map(Self::of)
    }

    /// The content of a file, under the names of today.
    fn of(best: BTreeMap<String, BestResult>) -> Self {
        let mut results = Self { best, ..Self::default() };
        results.rename_old();
        results
    }

    /// Gives the records of earlier versions of the rules, and of the program, which named built-in
    /// levels by their ids, the names of today if their matches still play the same on the same level.
    /// Others stay as they are.
    fn rename_old(&mut self) {
        let old: Vec<String> = self.best.keys().cloned().collect();
        for old in old {
            let Some(best) = self.best.get(&old) else { continue };
            let Some((new, replay)) = name_of_today(&old, || ghost(&old, best)) else { continue };
            if !self.best.contains_key(&new)
                && let Some(best) = self.best.remove(&old)
            {
                self.best.insert(new.clone(), BestResult { replay_text: replay, ..best });
                self.renamed.push((old, new));
            }
        }
    }

    /// Whether the file holds all that is known.
    fn is_saved(&self) -> bool {
        let is_best_saved =
            self.unsaved.is_empty() && self.renamed.is_empty() && self.nearer.is_empty();
        is_best_saved && self.rivals.is_saved() && self.losses.is_saved()
    }

    /// Writes what is not saved yet.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&mut self) -> Result<(), UpdateError> {
        if self.is_saved() {
            return Ok(());
        }
        if !self.rivals.is_saved() {
            self.rivals.save()?;
        }
        if !self.losses.is_saved() {
            self.losses.save()?;
        }
        let fresh = std::mem::take(&mut self.unsaved);
        let distances = std::mem::take(&mut self.nearer);
        let renamed = std::mem::take(&mut self.renamed);
        let mut beaten = Vec::new();
        // Another copy of the program may have saved better ones.
        update_file(FILE, |best: &mut BTreeMap<String, BestResult>| {
            beaten.clear();
            for (old, new) in &renamed {
                if let (Some(_), Some(result)) = (best.remove(old), self.best.get(new)) {
                    best.entry(new.clone()).or_insert_with(|| result.clone());
                }
            }
            for (key, (result, better)) in &fresh {
                let old = best.get(key);
                if old.is_none_or(|old| better.is_better(result.score, old.score)) {
                    let closest = nearer(old.and_then(|old| old.closest), result.closest);
                    let result = BestResult { closest, ..result.clone() };
                    beaten.extend(best.insert(key.clone(), result));
                }
            }
            for (key, &distance) in &distances {
                if let Some(there) = best.get_mut(key) {
                    there.closest = nearer(there.closest, Some(distance));
                }
            }
            set_ghosts_apart(best);
            let used: BTreeSet<u64> = best.values().filter_map(|b| b.replay_digest).collect();
            beaten.retain(|old| old.replay_digest.is_some_and(|digest| !used.contains(&digest)));
        })?;
        for file in beaten.iter().filter_map(|old| ghost_file(old.replay_digest?)) {
            // One that stays is in nobody's way.
            let _ = store::remove(&file);
        }
        Ok(())
    }
}

/// The name of today of a record that an earlier version named by its game, perhaps with the version
/// of the rules, and digest, or by the id of a built-in level; nothing if its match does not play, or
/// was played on another level. `replay` is asked only about old names.
fn name_of_today(old: &str, replay: impl FnOnce() -> String) -> Option<(String, String)> {
    let (head, rest) = old.split_once('/')?;
    let (game, version) = head.split_once(' ').map_or((head, None), |(g, v)| (g, Some(v)));
    let kind = find(game).ok()?;
    if version == Some(kind.facts().rules_version.to_string().as_str()) {
        return None;
    }
    let replay = replay();
    let own = rest.strip_prefix('#');
    let rest = own.unwrap_or(rest);
    let (rest, score) = match rest.split_once('#') {
        Some((rest, score)) => (rest, format!("#{score}")),
        None => (rest, String::new()),
    };
    let (level, rules) = rest.split_once('?').unwrap_or((rest, ""));
    let rules = rules.split('&').filter_map(|rule| rule.split_once('='));
    let rules: Vec<_> = rules.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let played = kind.replay(replay.as_bytes()).ok().filter(|played| played.faithful)?;
    let digest = if own.is_some() {
        u64::from_str_radix(level, 16).ok()?
    } else {
        let bytes = outwit_levels::built_in(&format!("{game}/{level}"))?.bytes().ok()?;
        let level = kind.read(&bytes, level).ok()?;
        let changed = kind.with_rules(&level, &rules).ok()?;
        let digest = |level| kind.info(level).ok().map(|info| info.digest);
        digest(&changed).filter(|&changed| changed == played.level)?;
        digest(&level)?
    };
    Some((name(kind, digest, &rules) + &score, replay))
}

fn save(mut results: ResMut<Results>, mut notices: MessageWriter<Notice>) {
    if results.is_saved() {
        return;
    }
    if let Err(error) = results.save() {
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
    use outwit_fuzzing::read_altered;
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
        let racetrack = find("racetrack").unwrap();
        let version = racetrack.facts().rules_version;
        let key = |level: &Entry, digest, rules| key(racetrack, level, digest, rules);
        let named = |rest: &str| Some(format!("racetrack {version}/#00000000000000{rest}"));
        let own = level(Source::File("a.ron".into()));
        for level in [&level(Source::BuiltIn("")), &own] {
            assert_eq!(key(level, 0xab, &[]), named("ab"));
            assert_eq!(key(level, 1, &rules), named("01?contact=block&laps=3"));
            assert_ne!(key(level, 1, &[]), key(level, 2, &[]));
        }
        assert_eq!(key(&own, 1, &rules), key(&level(Source::File("b.ron".into())), 1, &rules));
        assert_eq!(key(&level(Source::Draft("".into())), 1, &[]), None);
    }

    /// The best result on a built-in level as an earlier version kept it.
    fn old_result(change: impl Fn(String) -> String) -> Results {
        let data = include_bytes!("../../../tests/data/version-0.1/data/results.ron");
        let mut best: BTreeMap<String, BestResult> = read_ron(data).unwrap();
        best.retain(|key, _| key == "racetrack/tiny");
        for result in best.values_mut() {
            result.replay_text = change(std::mem::take(&mut result.replay_text));
        }
        Results { best, ..Results::default() }
    }

    #[test]
    fn levels_are_counted_once_however_often_they_were_done() {
        let mut results = Results::default();
        let result = || BestResult::now(1.0, "1".into(), String::new(), String::new());
        for key in [
            "pukoban 1/#0a",
            "pukoban 1/#0a#box moves",
            "pukoban 1/#0a?moves=push",
            "pukoban 2/#0a",
            "pukoban 2/#0b?moves=push#box moves",
            "stealth 1/#0c",
            "pukoban/0d",
        ] {
            results.submit(key, result(), Better::Lower);
        }
        assert_eq!((results.levels("pukoban"), results.levels("stealth")), (2, 1));
        assert_eq!(results.levels("mnk"), 0);
    }

    #[test]
    fn old_names_are_kept_only_for_what_was_played_on_the_same_level() {
        let racetrack = find("racetrack").unwrap();
        let tiny = outwit_levels::built_in("racetrack/tiny").unwrap().bytes().unwrap();
        let new = name(racetrack, racetrack.describe(&tiny, "tiny.ron").unwrap().digest, &[]);
        let mut results = old_result(|text| text);
        results.rename_old();
        assert_eq!(results.best(&new).unwrap().score, 10.625);
        assert!(results.best("racetrack/tiny").is_none());
        assert!(!results.best(&new).unwrap().replay_text.is_empty());
        let best = results.best.remove(&new).unwrap();
        // The rules have changed since, but not for this match.
        let before = new.replacen(&format!(" {}/", racetrack.facts().rules_version), " 0/", 1);
        results.best.insert(before.clone(), best);
        results.rename_old();
        assert!(results.best(&before).is_none() && results.best(&new).is_some());

        // Another level, and a match that does not play.
        let wider = |text: String| text.replacen("...#\",\"#SS", "..##\",\"#SS", 1);
        for changed in [
            old_result(wider),
            old_result(|text| text.replace("rules_version:1", "rules_version:9")),
        ] {
            let mut results = changed.clone();
            results.rename_old();
            assert_eq!(results, changed);
        }
        assert_ne!(old_result(wider), old_result(|text| text));
    }

    #[test]
    fn the_nearest_to_the_optimum_stays_known() {
        let mut results = Results::default();
        results.note_distance("a", 0.0);
        assert!(results.best("a").is_none(), "a distance is no result");
        results.submit("a", result(20.0), Better::Lower);
        assert_eq!(results.best("a").unwrap().medal(), None);
        for (distance, medal) in [
            (0.2, Medal::Bronze),
            (f64::NAN, Medal::Bronze),
            (0.0, Medal::Gold),
            (0.1, Medal::Gold),
        ] {
            results.note_distance("a", distance);
            assert_eq!(results.best("a").unwrap().medal(), Some(medal), "{distance}");
        }
        // A better result from a better start, where more would have been possible.
        assert!(results.submit("a", result(19.0), Better::Lower));
        assert_eq!(results.best("a").unwrap().medal(), Some(Medal::Gold));
        assert!(!results.is_saved());
    }

    #[test]
    fn what_is_written_is_read() {
        let mut results = Results::default();
        results.submit("a", result(9.25), Better::Lower);
        let text = crate::app::shell::store::to_text(&results.best).unwrap();
        let read: BTreeMap<String, BestResult> = read_ron(text.as_bytes()).unwrap();
        assert_eq!(read, results.best);
    }

    #[test]
    fn altered_records_do_no_harm() {
        let sample = include_bytes!("../../../tests/data/version-0.1/data/results.ron");
        read_altered(sample, |bytes| Results::read(bytes).is_ok());
    }

    proptest! {
        #[test]
        fn any_bytes_are_results_or_an_error(bytes: Vec<u8>) {
            let _ = read_ron::<BTreeMap<String, BestResult>>(&bytes);
        }
    }
}
