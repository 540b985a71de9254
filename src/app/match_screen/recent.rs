//! Keeps the last matches by themselves, so that each can be watched again.

use super::session::Session;
use super::unfinished;
use crate::app::shell::replay_files::RECENT;
use outwit_core::levels::StoreError;
use outwit_core::platform::file_name::file_stem;
use outwit_core::platform::store;
use outwit_core::platform::time::unix_seconds;
use std::path::{Path, PathBuf};

/// How many are kept.
const MOST: usize = 20;
/// Turns below which a match that was left is not worth it.
const LEAST_TURNS: usize = 4;
/// Digits of the time in a file's name.
const DIGITS: usize = 12;

/// Keeps a match among the last ones in the folder of the replays. One that can be resumed
/// waits for its end.
///
/// # Errors
/// If the file cannot be written.
pub fn keep(session: &Session, replays: &Path) -> Result<(), StoreError> {
    let apart = session.is_replay()
        || session.is_play_test()
        || session.lesson.is_some()
        || session.series.series.is_some();
    let over = session.live.is_over();
    let waits = !over && unfinished::key(session).is_some();
    if apart || waits || !over && session.live.turns() < LEAST_TURNS {
        return Ok(());
    }
    let folder = replays.join(RECENT);
    store::create_folder(&folder)?;
    let level = file_stem(session.config.level.stem(), "level");
    let name = format!("{:0DIGITS$}-{}-{level}.ron", unix_seconds(), session.config.game);
    store::write_new(&folder.join(name), session.live.replay_text().as_bytes())?;
    prune(&folder);
    Ok(())
}

/// Whether a file has a name that [`keep`] gave it.
fn is_ours(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let time = name.get(..DIGITS).unwrap_or_default();
    let digits = time.len() == DIGITS && time.bytes().all(|digit| digit.is_ascii_digit());
    digits && name[DIGITS..].starts_with('-') && name.ends_with(".ron")
}

/// Removes the oldest matches beyond [`MOST`]; nothing else in the folder is touched.
fn prune(folder: &Path) {
    let Ok(files) = store::list(folder) else { return };
    let mut ours: Vec<PathBuf> = files.into_iter().filter(|file| is_ours(file)).collect();
    // The time comes first in their names.
    ours.sort();
    let surplus = ours.len().saturating_sub(MOST);
    for file in &ours[..surplus] {
        if let Err(why) = store::remove(file) {
            bevy::log::warn!("{why}");
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_the_oldest_of_our_own_files_go() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| std::fs::write(folder.path().join(name), "x").unwrap();
        for time in 0..MOST + 3 {
            write(&format!("{time:012}-cops-tiny.ron"));
        }
        let foreign = ["notes.txt", "000000000000.ron", "12-cops-tiny.ron", "00000000000a-x.ron"];
        foreign.iter().for_each(|name| write(name));
        prune(folder.path());
        let mut left: Vec<String> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left.len(), MOST + foreign.len());
        assert!(foreign.iter().all(|name| left.iter().any(|there| there == name)));
        assert!(!left.contains(&"000000000002-cops-tiny.ron".to_owned()));
        assert!(left.contains(&"000000000003-cops-tiny.ron".to_owned()));
    }
}
