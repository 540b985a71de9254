//! The list of all levels: built in and the user's own.

use crate::platform::store;
use std::path::{Path, PathBuf};
use std::sync::Arc;

include!(concat!(env!("OUT_DIR"), "/built_in_levels.rs"));

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
            Source::File(path) => store::read(path),
        }
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
    BUILT_IN
        .iter()
        .find(|(known, _)| *known == id)
        .map(|(id, text)| Entry { id: (*id).into(), source: Source::BuiltIn(text) })
}

/// The folder of the user's own levels of a game; `None` where the system has no data folder.
pub fn user_folder(game: &str) -> Option<PathBuf> {
    user_levels().map(|folder| folder.join(game))
}

/// The folder of the user's own levels, with a folder in it for each game.
pub fn user_levels() -> Option<PathBuf> {
    data_folder().map(|folder| folder.join("levels"))
}

/// The folder of everything that Outwit stores for the user. `OUTWIT_DATA` overrides the system's
/// choice, unless it is empty.
pub fn data_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("OUTWIT_DATA").filter(|folder| !folder.is_empty()) {
        return Some(folder.into());
    }
    directories::ProjectDirs::from("", "", "outwit").map(|dirs| dirs.data_dir().to_owned())
}

/// The levels of a game: the built-in ones and then the user's, each group sorted by name.
pub fn list(game: &str) -> Vec<Entry> {
    list_with(user_levels().as_deref(), game)
}

/// Like [`list`], with another folder than [`user_levels`].
pub fn list_with(user_levels: Option<&Path>, game: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = BUILT_IN
        .iter()
        .filter(|(id, _)| id.split_once('/').is_some_and(|(of, _)| of == game))
        .map(|(id, text)| Entry { id: (*id).into(), source: Source::BuiltIn(text) })
        .collect();
    sort(&mut entries);
    if let Some(folder) = user_levels {
        entries.append(&mut in_folder(&folder.join(game), game));
    }
    entries
}

/// The level files in a folder, sorted by name.
pub(super) fn in_folder(folder: &Path, game: &str) -> Vec<Entry> {
    let files = store::list(folder).unwrap_or_default();
    let mut entries: Vec<Entry> = files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
        .filter_map(|path| {
            let id = format!("{game}/{}", path.file_stem()?.to_str()?);
            Some(Entry { id, source: Source::File(path) })
        })
        .collect();
    sort(&mut entries);
    entries
}

/// By name, with numbers by their value: 3x3x3 comes before 10x10x5.
fn sort(entries: &mut [Entry]) {
    entries.sort_by(|a, b| natord::compare(&a.id, &b.id).then_with(|| a.id.cmp(&b.id)));
}
