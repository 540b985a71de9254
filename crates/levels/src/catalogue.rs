//! The list of all levels: built in and the user's own.

use super::collections::Collections;
use outwit_core::platform::store;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

include!(concat!(env!("OUT_DIR"), "/built_in_levels.rs"));

/// A level that is part of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuiltIn {
    /// Game and name, such as `racetrack/first-lap`.
    pub id: &'static str,
    /// The text of its file.
    pub text: &'static str,
    /// The title of the group that it is listed in, if there are several.
    pub group: Option<&'static str>,
}

impl From<&BuiltIn> for Entry {
    fn from(level: &BuiltIn) -> Self {
        Self { id: level.id.into(), source: Source::BuiltIn(level.text) }
    }
}

/// Where a level comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Part of the program.
    BuiltIn(&'static str),
    /// One of the user's files.
    File(PathBuf),
    /// Unsaved text, such as a draft that is being play-tested.
    Draft(Arc<str>),
}

/// A level in the catalogue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Game and name, such as `racetrack/first-lap`.
    pub id: String,
    /// Where it comes from.
    pub source: Source,
}

impl Entry {
    /// The bytes of the level file.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn bytes(&self) -> Result<Vec<u8>, store::StoreError> {
        match &self.source {
            Source::BuiltIn(text) => Ok(text.as_bytes().to_vec()),
            Source::Draft(text) => Ok(text.as_bytes().to_vec()),
            Source::File(path) => store::read_file(path),
        }
    }

    /// The id of its game.
    pub fn game(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The title of the group that it is listed in; `None` for the user's own levels, and where a game has no
    /// groups.
    pub fn group(&self) -> Option<&'static str> {
        let Source::BuiltIn(_) = self.source else { return None };
        BUILT_IN.iter().find(|level| level.id == self.id)?.group
    }

    /// The name without the game or the folder.
    pub fn stem(&self) -> &str {
        if let Source::File(path) = &self.source
            && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
        {
            return stem;
        }
        self.id.rsplit(['/', '\\']).next().unwrap_or(&self.id)
    }
}

/// The built-in level with this id.
pub fn built_in(id: &str) -> Option<Entry> {
    BUILT_IN.iter().find(|level| level.id == id).map(Entry::from)
}

/// The folder of the user's own levels of a game; `None` where the system has no data folder.
pub fn user_folder(game: &str) -> Option<PathBuf> {
    user_levels().map(|folder| folder.join(game))
}

/// The folder of the user's own levels, with a folder in it for each game.
pub fn user_levels() -> Option<PathBuf> {
    data_folder().map(|folder| folder.join("levels"))
}

/// Whether this process leaves the user's data alone.
static KEEPS_NOTHING: AtomicBool = AtomicBool::new(false);

/// From now on this process neither reads nor writes what Outwit stores for the user: for measurements.
pub fn keep_nothing() {
    KEEPS_NOTHING.store(true, Ordering::Relaxed);
}

/// The folder of everything that Outwit stores for the user. `OUTWIT_DATA` overrides the system's
/// choice, unless it is empty. `None` where the system has none, and after [`keep_nothing`].
pub fn data_folder() -> Option<PathBuf> {
    if KEEPS_NOTHING.load(Ordering::Relaxed) {
        return None;
    }
    if let Some(folder) = std::env::var_os("OUTWIT_DATA").filter(|folder| !folder.is_empty()) {
        return Some(folder.into());
    }
    // The storage of a browser holds nothing else.
    if cfg!(target_arch = "wasm32") {
        return Some("outwit".into());
    }
    directories::ProjectDirs::from("", "", "outwit").map(|dirs| dirs.data_dir().to_owned())
}

/// The levels of a game: the built-in ones in the order in which people meet them, then the user's, sorted by
/// name, and after them those of each [collection](Collections) in its order. Each has an id of its own: a file that is
/// called like a built-in level has `-own` added to its id.
pub fn list(game: &str) -> Vec<Entry> {
    list_with(user_levels().as_deref(), game)
}

/// Like [`list`], with another folder than [`user_levels`].
pub fn list_with(user_levels: Option<&Path>, game: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = BUILT_IN
        .iter()
        .filter(|level| level.id.split_once('/').is_some_and(|(of, _)| of == game))
        .map(Entry::from)
        .collect();
    if let Some(folder) = user_levels {
        let built_in = entries.len();
        let mut own = in_folder(&folder.join(game), game).unwrap_or_default();
        Collections::of(user_levels).sort(&mut own);
        entries.append(&mut own);
        tell_apart(&mut entries, built_in);
    }
    entries
}

/// The id under which [`list_with`] lists one of the user's files; `None` if it does not.
pub fn id_of(user_levels: Option<&Path>, game: &str, file: &Path) -> Option<String> {
    let mut entries = list_with(user_levels, game).into_iter();
    Some(entries.find(|entry| entry.source == Source::File(file.into()))?.id)
}

/// A sentence about an id that is not the name of its file, after a space; else nothing.
pub fn id_note(id: &str, file: &Path) -> String {
    match id.split_once('/') {
        Some((_, name)) if file.file_stem().is_some_and(|stem| stem != name) => {
            format!(" A built-in level has this name too, so the id of this one is {id}.")
        }
        _ => String::new(),
    }
}

/// Adds `-own` to the ids of those entries, from `first` on, that share theirs with an earlier one.
fn tell_apart(entries: &mut [Entry], first: usize) {
    let ids_of = |entries: &[Entry]| -> HashSet<String> {
        entries.iter().map(|entry| entry.id.clone()).collect()
    };
    let mut ids = ids_of(entries);
    let mut earlier = ids_of(&entries[..first]);
    for entry in &mut entries[first..] {
        if earlier.contains(&entry.id) {
            while ids.contains(&entry.id) {
                entry.id.push_str("-own");
            }
            ids.insert(entry.id.clone());
        }
        earlier.insert(entry.id.clone());
    }
}

/// Why the folders of the user's levels cannot be read, of each of these games; [`list_with`] leaves
/// their levels out.
pub fn unreadable<'a>(
    user_levels: Option<&Path>,
    games: impl IntoIterator<Item = &'a str>,
) -> Vec<store::StoreError> {
    games.into_iter().filter_map(|game| in_folder(&user_levels?.join(game), game).err()).collect()
}

/// The level files in a folder, sorted by name; none if it is not there.
///
/// # Errors
/// If it is no folder or cannot be read.
pub(super) fn in_folder(folder: &Path, game: &str) -> Result<Vec<Entry>, store::StoreError> {
    let files = store::list_if_there(folder)?;
    let mut entries: Vec<Entry> = files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
        .filter_map(|path| {
            let id = format!("{game}/{}", path.file_stem()?.to_string_lossy());
            Some(Entry { id, source: Source::File(path) })
        })
        .collect();
    sort(&mut entries);
    Ok(entries)
}

/// By name, with numbers by their value: 3x3x3 comes before 10x10x5.
fn sort(entries: &mut [Entry]) {
    entries.sort_by(|a, b| natord::compare(&a.id, &b.id).then_with(|| a.id.cmp(&b.id)));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// [`tell_apart`] by comparing every entry with all before it.
    fn tell_apart_by_pairs(entries: &mut [Entry], first: usize) {
        let mut ids: Vec<String> = entries.iter().map(|entry| entry.id.clone()).collect();
        for at in first..entries.len() {
            let (earlier, rest) = entries.split_at_mut(at);
            let id = &mut rest[0].id;
            if earlier.iter().any(|other| other.id == *id) {
                while ids.contains(id) {
                    id.push_str("-own");
                }
                ids.push(id.clone());
            }
        }
    }

    proptest! {
        #[test]
        fn ids_are_told_apart_as_if_each_pair_was_compared(
            names in prop::collection::vec("[ab](-own){0,3}", 0..30), first in 0..30_usize,
        ) {
            let draft = |id: &String| Entry { id: id.clone(), source: Source::Draft("".into()) };
            let mut entries: Vec<Entry> = names.iter().map(draft).collect();
            let (mut expected, first) = (entries.clone(), first.min(entries.len()));
            tell_apart_by_pairs(&mut expected, first);
            tell_apart(&mut entries, first);
            prop_assert_eq!(entries, expected);
        }
    }

    #[test]
    fn every_built_in_level_has_a_place_in_the_order_of_its_game() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../levels");
        let mut listed = Vec::new();
        for game in ["racetrack", "cops", "pukoban", "stealth", "mnk"] {
            let text = std::fs::read_to_string(folder.join(game).join("order")).unwrap();
            let names = text.lines().filter(|line| !line.starts_with(['#', '[']));
            listed.extend(names.map(|name| format!("{game}/{name}")));
        }
        let mut built_in: Vec<&str> = BUILT_IN.iter().map(|level| level.id).collect();
        built_in.sort_unstable();
        let shown = list_with(None, "pukoban");
        let order = listed.iter().filter(|id| id.starts_with("pukoban/"));
        assert!(shown.iter().map(|entry| &entry.id).eq(order));
        listed.sort_unstable();
        assert_eq!(listed, built_in);
        let group = |id| super::built_in(id).unwrap().group();
        assert_eq!(group("mnk/problem-01"), Some("Win in 3"));
        assert_eq!(group("racetrack/tiny"), None);
    }

    #[test]
    fn no_two_levels_share_an_id() {
        let levels = tempfile::tempdir().unwrap();
        let folder = levels.path().join("racetrack");
        let built_in = list_with(None, "racetrack");
        let copied = built_in[0].stem().to_owned();
        for name in [&copied, &format!("{copied}-own"), "mine"] {
            let text = built_in[0].bytes().unwrap();
            store::write(&folder.join(format!("{name}.ron")), &text).unwrap();
        }
        let all = list_with(Some(levels.path()), "racetrack");
        let ids: HashSet<&String> = all.iter().map(|entry| &entry.id).collect();
        assert_eq!((all.len(), ids.len()), (built_in.len() + 3, built_in.len() + 3));
        assert_eq!(all[..built_in.len()], built_in, "built-in levels come first under their ids");
        for entry in &all[built_in.len()..] {
            let Source::File(path) = &entry.source else { panic!("{} is no file", entry.id) };
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            let expected = if stem == copied { format!("{copied}-own-own") } else { stem };
            assert_eq!(entry.id, format!("racetrack/{expected}"));
        }
        assert_eq!(list_with(Some(levels.path()), "racetrack"), all, "the same every time");
    }

    #[test]
    fn a_folder_that_cannot_be_read_is_named() {
        let levels = tempfile::tempdir().unwrap();
        let named = |folder: &Path| -> Vec<String> {
            let games = ["racetrack", "cops"];
            unreadable(Some(folder), games).iter().map(ToString::to_string).collect()
        };
        assert!(named(levels.path()).is_empty(), "folders that are not there hold no levels");
        // A file in the place of a folder, since some users may read everything.
        let place = levels.path().join("cops");
        std::fs::write(&place, "").unwrap();
        let found = named(levels.path());
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with(&place.display().to_string()), "{found:?}");
        assert_eq!(named(&place).len(), 2);
        assert_eq!(list_with(Some(levels.path()), "cops"), list_with(None, "cops"));
    }

    #[test]
    fn a_level_is_called_like_its_file() {
        let stem = |id: &str, path: &str| {
            let entry = Entry { id: id.into(), source: Source::File(path.into()) };
            entry.stem().to_owned()
        };
        assert_eq!(stem("./deep/a.ron", "./deep/a.ron"), "a");
        assert_eq!(stem("racetrack/a-own", "levels/racetrack/a.ron"), "a");
        assert_eq!(built_in("racetrack/tiny").unwrap().stem(), "tiny");
        let draft = Entry { id: "./deep/set.xsb#3".into(), source: Source::Draft("".into()) };
        assert_eq!(draft.stem(), "set.xsb#3");
    }
}
