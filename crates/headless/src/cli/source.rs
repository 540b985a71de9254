//! Finds the level that an argument names.

use super::Failure;
use super::input::{is_input, is_standard_input, read};
use super::names::nearest;
use crate::{GAMES, find};
use outwit_core::levels::no_level;
use outwit_core::platform::store;
use outwit_kit::DynGame;
use outwit_levels::{Entry, Source, built_in, list, unreadable, user_levels};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A level with its game.
#[derive(Clone)]
pub struct FoundLevel {
    /// The game.
    pub kind: &'static dyn DynGame,
    /// Id or path, for messages.
    pub entry: Entry,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

impl FoundLevel {
    /// The file name, for formats that are recognised by their extension.
    pub fn name(&self) -> String {
        match &self.entry.source {
            Source::BuiltIn(_) | Source::Draft(_) => self.entry.id.clone(),
            Source::File(path) => path.display().to_string(),
        }
    }
}

/// The level that `text` names: an id such as `racetrack/first-lap`, its second half if the game is
/// known, or a path. `PATH#3` is the third level of a file that holds several.
pub fn find_level(
    named: impl AsRef<OsStr>,
    game: Option<&'static dyn DynGame>,
) -> Result<FoundLevel, Failure> {
    let path = Path::new(named.as_ref());
    if is_standard_input(path) {
        return level_in(path, &path.to_string_lossy(), game);
    }
    let Some(text) = path.to_str() else {
        // No id is like this, but a path may be.
        let shown = path.to_string_lossy();
        return match store::exists(path) {
            true => level_in(path, &shown, game),
            false => find_numbered(path, game)?
                .ok_or_else(|| Failure::usage(format!("there is no file '{shown}'"))),
        };
    };
    let with_game = game.map(|kind| format!("{}/{text}", kind.id()));
    for id in [Some(text.to_owned()), with_game].into_iter().flatten() {
        if let Some((of, _)) = id.split_once('/')
            && let Ok(registered) = find(of)
            && let Some(entry) =
                built_in(&id).or_else(|| list(of).into_iter().find(|entry| entry.id == id))
        {
            if let Some(kind) = game
                && kind.id() != of
            {
                return Err(Failure::usage(format!(
                    "{id} is a level of {of}, not of {}",
                    kind.id()
                )));
            }
            let bytes = entry.bytes()?;
            return Ok(FoundLevel { kind: registered, entry, bytes });
        }
    }
    if !store::exists(path) && game.is_none() && !text.contains('/') {
        let named: Vec<Entry> = all_entries(None).filter(|entry| entry.stem() == text).collect();
        match named.as_slice() {
            [] => {}
            [only] => return find_level(&only.id, None),
            several => {
                let ids: Vec<&str> = several.iter().map(|entry| entry.id.as_str()).collect();
                let ids = ids.join(", ");
                return Err(Failure::usage(format!("several levels are called '{text}': {ids}")));
            }
        }
    }
    if !store::exists(path) {
        let numbered = find_numbered(text, game)?;
        return numbered.ok_or_else(|| Failure::usage(unknown(text, game)));
    }
    level_in(path, text, game)
}

/// The level in a file, which messages call `shown`.
pub fn level_in(
    file: &Path,
    shown: &str,
    game: Option<&'static dyn DynGame>,
) -> Result<FoundLevel, Failure> {
    let bytes = read(file)?;
    let kind = match game {
        Some(kind) => kind,
        None => recognise(&bytes, shown)?,
    };
    let source = match is_standard_input(file) {
        // Nobody can read it again, so the entry holds the level itself.
        true => Source::Draft(match kind.read_collection(&bytes, shown) {
            Ok(levels) if levels.len() == 1 => levels[0].text.as_str().into(),
            _ => String::from_utf8_lossy(&bytes).into(),
        }),
        false => Source::File(file.into()),
    };
    let entry = Entry { id: shown.into(), source };
    Ok(FoundLevel { kind, entry, bytes })
}

/// The level that `PATH#3` names, counted from 1; `None` if `PATH` is not a file.
pub fn find_numbered(
    named: impl AsRef<OsStr>,
    game: Option<&'static dyn DynGame>,
) -> Result<Option<FoundLevel>, Failure> {
    let Some((path, number)) = numbered(Path::new(named.as_ref())) else { return Ok(None) };
    let bytes = read(&path)?;
    let text = named.as_ref().to_string_lossy();
    let file = &*path.to_string_lossy();
    let kind = match game {
        Some(kind) => kind,
        None => recognise(&bytes, file)?,
    };
    let levels = kind
        .read_collection(&bytes, file)
        .map_err(|faults| Failure::faults(file, &faults).into_usage())?;
    let Some(level) = number.checked_sub(1).and_then(|index| levels.get(index)) else {
        let last = levels.len();
        return Err(Failure::usage(format!("{file} has no level {number}; the last is #{last}")));
    };
    let source = Source::Draft(level.text.as_str().into());
    let entry = Entry { id: text.into_owned(), source };
    Ok(Some(FoundLevel { kind, entry, bytes: level.text.clone().into_bytes() }))
}

/// The file and the number of `PATH#3`, if there is such a file and none that is called so as a whole.
pub fn numbered(path: &Path) -> Option<(PathBuf, usize)> {
    split_number(path).filter(|(file, _)| !store::exists(path) && is_input(file))
}

/// The file and the number of `PATH#3`. The path need not be UTF-8 where the system's own are not.
fn split_number(path: &Path) -> Option<(PathBuf, usize)> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let bytes = path.as_os_str().as_bytes();
        let at = bytes.iter().rposition(|&byte| byte == b'#')?;
        let number = str::from_utf8(&bytes[at + 1..]).ok()?.parse().ok()?;
        Some((OsStr::from_bytes(&bytes[..at]).into(), number))
    }
    #[cfg(not(unix))]
    {
        let (file, number) = path.to_str()?.rsplit_once('#')?;
        Some((file.into(), number.parse().ok()?))
    }
}

/// The game that a level in any format belongs to.
pub fn recognise(bytes: &[u8], name: &str) -> Result<&'static dyn DynGame, Failure> {
    crate::recognise(bytes, name).ok_or_else(|| {
        if let Some(what) = no_level(bytes) {
            return Failure::usage(format!("{name}: {what}"));
        }
        let formats: Vec<_> =
            GAMES.iter().map(|game| format!("format: \"{}\"", game.facts().format)).collect();
        Failure::usage(format!(
            "{name}: not a level of any known game; a level file begins with ({}, ...",
            formats.join(" or (")
        ))
    })
}

/// The levels of a game, or of all.
fn all_entries(game: Option<&'static dyn DynGame>) -> impl Iterator<Item = Entry> {
    GAMES
        .iter()
        .filter(move |known| game.is_none_or(|kind| kind.id() == known.id()))
        .flat_map(|known| list(known.id()))
}

fn unknown(text: &str, game: Option<&'static dyn DynGame>) -> String {
    let entries: Vec<Entry> = all_entries(game).collect();
    let full: Vec<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    let short: Vec<&str> = entries.iter().map(Entry::stem).collect();
    let near = nearest(text, &full).or_else(|| game.and_then(|_| nearest(text, &short)));
    let hint = match near {
        Some(near) => format!("did you mean '{near}'?"),
        None => "'outwit levels' lists all levels".into(),
    };
    let games = GAMES.iter().filter(|known| game.is_none_or(|kind| kind.id() == known.id()));
    let unreadable = unreadable(user_levels().as_deref(), games.map(|kind| kind.id()));
    let hidden = unreadable.first().map(|error| format!(" (your levels cannot be read: {error})"));
    format!("there is no level or file '{text}'; {hint}{}", hidden.unwrap_or_default())
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn a_path_need_not_be_utf_8() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(OsStr::from_bytes(b"caf\xe9.xsb"));
        std::fs::write(&file, "#####\n#@$.#\n#####\n\n######\n#@-$.#\n######\n").unwrap();
        assert!(file.to_str().is_none());
        let found = find_level(&file, None).unwrap();
        assert_eq!(found.kind.id(), "pukoban");
        assert!(matches!(&found.entry.source, Source::File(path) if *path == file));
        let numbered = |number: &str| {
            let mut named = file.as_os_str().to_owned();
            named.push(number);
            find_level(&named, None)
        };
        assert!(String::from_utf8(numbered("#2").unwrap().bytes).unwrap().contains("#@-$.#"));
        let why = |number| numbered(number).err().unwrap().lines.join(" ");
        assert!(why("#3").contains("the last is #2"), "{}", why("#3"));
        assert!(why("x").contains("there is no file"), "{}", why("x"));
    }
}
