//! Collections: which of the user's levels came together in one file, with its title. A file beside the levels lists
//! them; without it, or where it cannot be read, the levels are listed by name as ever.

use super::catalogue::{Entry, Source};
use outwit_core::escape::on_one_line;
use outwit_core::levels::{MAX_NAME, cut, read_ron, rule_to_text};
use outwit_core::platform::store::{self, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Name of the file in the folder of the user's levels.
const FILE: &str = "collections.ron";
/// Most collections of a game, and most levels of one.
const MOST_COLLECTIONS: usize = 500;
const MOST_LEVELS: usize = 10_000;

/// The content of the file: for each game the collections, each with its title and the names of its levels' files
/// without endings, in the order of the collection.
type Lists = BTreeMap<String, Vec<(String, Vec<String>)>>;

/// Which levels came together, and under which title.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Collections {
    /// By game and level: the number of the collection, and the place in it.
    places: BTreeMap<(String, String), (usize, usize)>,
    /// By game: the titles.
    titles: BTreeMap<String, Vec<String>>,
}

fn file(user_levels: &Path) -> PathBuf {
    user_levels.join(FILE)
}

/// A title as it is shown: on one line and not too long.
fn plain(title: &str) -> String {
    cut(&on_one_line(title), MAX_NAME)
}

impl Collections {
    /// The collections of a folder like [`user_levels`](super::user_levels); none where there is no list, or none
    /// that can be read.
    pub fn of(user_levels: Option<&Path>) -> Self {
        let bytes = user_levels.and_then(|folder| store::read_file(&file(folder)).ok());
        let lists = bytes.and_then(|bytes| read_ron::<Lists>(&bytes).ok()).unwrap_or_default();
        let mut collections = Self::default();
        for (game, list) in lists {
            for (number, (title, levels)) in list.into_iter().take(MOST_COLLECTIONS).enumerate() {
                collections.titles.entry(game.clone()).or_default().push(plain(&title));
                for (place, level) in levels.into_iter().take(MOST_LEVELS).enumerate() {
                    let of_level = collections.places.entry((game.clone(), level));
                    of_level.or_insert((number, place));
                }
            }
        }
        collections
    }

    fn place(&self, entry: &Entry) -> Option<(usize, usize)> {
        let Source::File(_) = entry.source else { return None };
        let game = entry.game().to_owned();
        self.places.get(&(game, entry.stem().to_owned())).copied()
    }

    /// The title of the collection that one of the user's levels came with.
    pub fn title(&self, entry: &Entry) -> Option<&str> {
        let (number, _) = self.place(entry)?;
        let titles = self.titles.get(entry.game())?;
        titles.get(number).map(String::as_str).filter(|title| !title.is_empty())
    }

    /// Puts levels that came with no collection first, as they are; then each collection in its order.
    pub(super) fn sort(&self, entries: &mut [Entry]) {
        entries.sort_by_key(|entry| {
            self.place(entry).map_or((0, 0), |(number, place)| (number + 1, place))
        });
    }
}

fn change(user_levels: &Path, change: impl Fn(&mut Lists)) -> Result<(), StoreError> {
    store::update(&file(user_levels), |old| {
        let mut lists: Lists = match old {
            // A list that cannot be read says nothing that is worth keeping.
            Some(bytes) => read_ron(bytes).unwrap_or_default(),
            None => Lists::new(),
        };
        change(&mut lists);
        Ok(rule_to_text(&lists).into_bytes())
    })
}

/// Notes that levels came together under a title, given their files in the order of the collection. The same title
/// goes on with its collection.
///
/// # Errors
/// If the list cannot be written.
pub fn add_collection(
    user_levels: &Path,
    game: &str,
    title: &str,
    files: &[PathBuf],
) -> Result<(), StoreError> {
    let (stems, title): (Vec<String>, _) = (
        files.iter().filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())).collect(),
        plain(title),
    );
    change(user_levels, |lists| {
        let list = lists.entry(game.to_owned()).or_default();
        let named: BTreeSet<&String> = stems.iter().collect();
        for (_, levels) in list.iter_mut() {
            levels.retain(|level| !named.contains(level));
        }
        match list.iter_mut().find(|(known, _)| *known == title) {
            Some((_, levels)) => levels.extend(stems.iter().cloned()),
            None => list.push((title.clone(), stems.clone())),
        }
        list.retain(|(_, levels)| !levels.is_empty());
    })
}

/// Notes that the file of one of the user's levels has another name now; it stays in its collection.
///
/// # Errors
/// If the list cannot be written.
pub fn rename_in_collection(from: &Path, to: &Path) -> Result<(), StoreError> {
    let stem = |file: &Path| Some(file.file_stem()?.to_str()?.to_owned());
    let (Some(folder), Some(old), Some(new)) = (from.parent(), stem(from), stem(to)) else {
        return Ok(());
    };
    let (Some(user_levels), Some(game)) = (folder.parent(), folder.file_name()) else {
        return Ok(());
    };
    if old == new || !store::exists(&file(user_levels)) {
        return Ok(());
    }
    let game = game.to_string_lossy();
    change(user_levels, |lists| {
        let levels = lists.get_mut(&*game).into_iter().flatten().flat_map(|(_, levels)| levels);
        for level in levels.filter(|level| **level == old) {
            level.clone_from(&new);
        }
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::list_with;

    fn write(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
        let game = folder.join("pukoban");
        std::fs::create_dir_all(&game).unwrap();
        let write = |name: &&str| {
            let file = game.join(format!("{name}.ron"));
            std::fs::write(&file, "()").unwrap();
            file
        };
        names.iter().map(write).collect()
    }

    /// The user's levels with the titles of their collections.
    fn listed(folder: &Path) -> Vec<(String, Option<String>)> {
        let collections = Collections::of(Some(folder));
        let entries = list_with(Some(folder), "pukoban").into_iter();
        let own = entries.filter(|entry| matches!(entry.source, Source::File(_)));
        own.map(|entry| {
            let title = collections.title(&entry).map(str::to_owned);
            (entry.stem().to_owned(), title)
        })
        .collect()
    }

    #[test]
    fn levels_of_a_collection_stand_together_in_its_order() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        write(folder, &["zebra", "ant"]);
        let files = write(folder, &["second", "first"]);
        assert!(listed(folder).iter().all(|(_, title)| title.is_none()));
        add_collection(folder, "pukoban", "Micro\nban", &files).unwrap();
        let title = || Some(String::from("Micro ban"));
        let expected = [
            ("ant".into(), None),
            ("zebra".into(), None),
            ("second".into(), title()),
            ("first".into(), title()),
        ];
        assert_eq!(listed(folder), expected);
        // More of the same, and one under another name.
        add_collection(folder, "pukoban", "Micro ban", &write(folder, &["third"])).unwrap();
        let renamed = folder.join("pukoban/zero.ron");
        std::fs::rename(&files[0], &renamed).unwrap();
        rename_in_collection(&files[0], &renamed).unwrap();
        let names: Vec<_> = listed(folder).into_iter().skip(2).collect();
        let expected = ["zero", "first", "third"].map(|name| (name.into(), title()));
        assert_eq!(names, expected);
        // Levels that are gone leave no gap.
        std::fs::remove_file(folder.join("pukoban/first.ron")).unwrap();
        assert_eq!(listed(folder).len(), 4);
    }

    #[test]
    fn a_broken_or_odd_list_hides_no_level() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let files = write(folder, &["a", "b"]);
        for text in ["(broken", "{\"pukoban\": [(\"\", [\"../a\", \"a\", \"a\"])]}", "\u{0}"] {
            std::fs::write(file(folder), text).unwrap();
            let names: Vec<_> = listed(folder).into_iter().map(|(name, _)| name).collect();
            assert_eq!(names.len(), 2, "{text}");
            add_collection(folder, "pukoban", "New", &files).unwrap();
            assert_eq!(listed(folder)[0], ("a".into(), Some("New".into())), "{text}");
        }
    }
}
