//! Where replays are: those that the user saved, and those of the latest matches, which are kept by
//! themselves.

use outwit_core::escape::escaped;
use outwit_core::levels::capitalised;
use outwit_core::platform::file_name::file_stem;
use outwit_core::platform::store::{self, StoreError};
use outwit_core::platform::time::{SystemTime, UNIX_EPOCH};
use std::path::{Path, PathBuf};

/// How many of the latest matches are kept.
pub const MOST_RECENT: usize = 20;
/// How many of the latest matches of leagues and other series are kept.
pub const MOST_OF_SERIES: usize = 60;

/// The names of the folders of the latest matches, and of those of series.
const RECENT: &str = "recent";
const SERIES: &str = "series";
/// What the names of their files begin with, before the time at which the match was first kept. It orders them,
/// so it is later than that of all others even where the clock was set back.
const PREFIX: &str = "recent-";

/// The folder of the replays that the user saved, in the data folder.
pub fn saved(data: &Path) -> PathBuf {
    data.join("replays")
}

/// The folder of the latest matches, in that of the saved replays.
pub fn recent(saved: &Path) -> PathBuf {
    saved.join(RECENT)
}

/// The folder of the matches of leagues and other series, in that of the saved replays.
pub fn of_series(saved: &Path) -> PathBuf {
    saved.join(SERIES)
}

/// The name of the replay of a match of a series, given what the series is called, the game and the name of the level.
pub fn name_in_series(title: &str, game: &str, level: &str) -> String {
    format!("{}-{}", file_stem(title, "series"), name(game, level))
}

/// What the series is called of whose match this is the name, given its game.
pub fn series_of(name: &str, game: &str) -> Option<String> {
    let (title, _) = name.split_once(&format!("-{game}-"))?;
    Some(capitalised(&title.replace('-', " ")))
}

/// The name of a replay's file, given the game and the name of the level.
pub fn name(game: &str, level: &str) -> String {
    format!("{game}-{}.ron", file_stem(level, "level"))
}

/// When a match was first kept, in seconds since 1970, and the [`name`] of its replay, if this is a
/// file that [`keep`] named.
pub fn recent_name(file: &Path) -> Option<(u64, &str)> {
    let name = file.file_name()?.to_str().filter(|name| name.ends_with(".ron"))?;
    let (seconds, name) = name.strip_prefix(PREFIX)?.split_once('-')?;
    let is_time = seconds.len() >= 10 && seconds.bytes().all(|digit| digit.is_ascii_digit());
    Some((seconds.parse().ok().filter(|_| is_time)?, name))
}

/// Keeps a match in the folder of the latest matches or of those of series, in a file of its own or in the one that it
/// was kept in before. Those that are more than `most` are removed, the oldest first. Returns the file.
///
/// # Errors
/// If the file cannot be written.
pub fn keep(
    (folder, most): (&Path, usize),
    before: Option<&Path>,
    name: &str,
    replay: &str,
) -> Result<PathBuf, StoreError> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let latest = listed(folder)?.last().map_or(0, |(seconds, _)| seconds.saturating_add(1));
    let fresh = folder.join(format!("{PREFIX}{:010}-{name}", now.max(latest)));
    let fresh = store::write_new(&fresh, replay.as_bytes())?;
    let file = match before {
        // A backup of what stood there would never be removed.
        Some(file) => store::rename(&fresh, file).map(|()| file.to_owned())?,
        None => fresh,
    };
    if let Err(why) = prune(folder, most, &file) {
        // The next one that is kept tries it again.
        bevy::log::warn!("{}", escaped(&why.to_string()));
    }
    Ok(file)
}

/// The files of the latest matches with their times, the oldest first.
fn listed(folder: &Path) -> Result<Vec<(u64, PathBuf)>, StoreError> {
    let mut kept: Vec<_> = store::list_if_there(folder)?
        .into_iter()
        .filter(|file| store::is_file(file))
        .filter_map(|file| Some((recent_name(&file)?.0, file)))
        .collect();
    kept.sort();
    Ok(kept)
}

/// Removes the oldest of the kept matches that are more than so many, but never `newest` nor a file of
/// another kind of name.
fn prune(folder: &Path, most: usize, newest: &Path) -> Result<(), StoreError> {
    let mut kept = listed(folder)?;
    kept.retain(|(_, file)| file != newest);
    for (_, file) in &kept[..(kept.len() + 1).saturating_sub(most).min(kept.len())] {
        store::remove(file)?;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_matches_replace_the_oldest_but_no_other_file() {
        let data = tempfile::tempdir().unwrap();
        let saved = saved(data.path());
        let folder = recent(&saved);
        let old = |seconds: u64| folder.join(format!("recent-{seconds:010}-mnk-3x3x3.ron"));
        let others = ["mine.ron", "recent-mine.ron", "recent-12-x.ron", "recent-0000000001-x.txt"];
        for name in others {
            store::write(&folder.join(name), b"x").unwrap();
        }
        for seconds in 1..=25 {
            store::write(&old(seconds), b"x").unwrap();
        }
        let here = (folder.as_path(), MOST_RECENT);
        let newest = keep(here, None, "cops-duel.ron", "a match").unwrap();
        assert_eq!(recent_name(&newest).unwrap().1, "cops-duel.ron");
        let there = |seconds| store::exists(&old(seconds));
        assert!((1..=6).all(|seconds| !there(seconds)), "the oldest are gone");
        assert!((7..=25).all(there), "the others stay");
        assert!(others.iter().all(|name| store::exists(&folder.join(name))));

        let again = keep(here, Some(&newest), "cops-duel.ron", "more of it").unwrap();
        assert_eq!(again, newest);
        assert_eq!(store::read(&newest).unwrap(), b"more of it");
        assert_eq!(store::list(&folder).unwrap().len(), MOST_RECENT + others.len());
        let second = keep(here, None, "cops-duel.ron", "another").unwrap();
        assert_ne!(second, newest, "each match has a file of its own");
    }

    #[test]
    fn the_name_of_a_match_says_of_which_series_it_is() {
        let name = name_in_series("Best of five", "mnk", "6x5x4");
        assert_eq!(name, "Best-of-five-mnk-6x5x4.ron");
        assert_eq!(series_of(&name, "mnk").as_deref(), Some("Best of five"));
        assert_eq!(series_of("mnk-6x5x4.ron", "mnk"), None);
    }

    #[test]
    fn after_the_clock_was_set_back_the_newest_matches_stay() {
        let data = tempfile::tempdir().unwrap();
        let saved = saved(data.path());
        let folder = recent(&saved);
        // From the year 2200.
        let old = |n: u64| folder.join(format!("recent-{}-mnk-3x3x3.ron", 7_258_118_400 + n));
        for n in 0..MOST_RECENT as u64 {
            store::write(&old(n), b"x").unwrap();
        }
        let here = (folder.as_path(), MOST_RECENT);
        let fresh: Vec<_> =
            (0..3).map(|_| keep(here, None, "cops-duel.ron", "a match").unwrap()).collect();
        assert!(fresh.iter().all(|file| store::exists(file)), "{fresh:?}");
        assert!((0..3).all(|n| !store::exists(&old(n))), "the oldest are gone");
        assert_eq!(store::list(&folder).unwrap().len(), MOST_RECENT);
    }
}
