//! The levels of the browser, with filter and order.

use crate::app::requests::{Browse, LevelOrder};
use crate::app::shell::level::Level;
use crate::app::shell::records;
use crate::app::shell::records::{BestResult, Results};
use outwit_core::platform::store;
use outwit_core::platform::time::{Duration, Instant, SystemTime};
use outwit_headless::GAMES;
use outwit_kit::DynGame;
use outwit_levels::{Collections, Entry, Source};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

/// The time for reading levels per frame.
const READING: Duration = Duration::from_millis(8);

/// A level with its game.
pub struct Item {
    /// Its game.
    pub kind: &'static dyn DynGame,
    /// The level itself.
    pub level: Level,
    /// Whether it is in the bin.
    pub binned: bool,
    /// When its file was last written; `None` for built-in levels.
    changed: Option<SystemTime>,
    /// The best result with its own rules.
    pub best: Option<BestResult>,
    /// Who can be met on it with its own rules, and whether each was beaten there.
    pub rivals: Vec<(&'static str, bool)>,
}

impl Item {
    fn new(
        kind: &'static dyn DynGame,
        entry: Entry,
        binned: bool,
        collections: &Collections,
    ) -> Self {
        let changed = match &entry.source {
            Source::File(path) => store::modified(path),
            _ => None,
        };
        let best = None;
        let rivals = Vec::new();
        Self { kind, level: Level::unread(entry, collections), binned, changed, best, rivals }
    }

    /// Its file, if it is the user's own.
    pub fn file(&self) -> Option<&Path> {
        match &self.level.entry.source {
            Source::File(path) => Some(path),
            _ => None,
        }
    }

    /// Whether it is playable.
    pub fn playable(&self) -> bool {
        !self.binned && matches!(self.level.info, Some(Ok(_)))
    }

    fn cells(&self) -> usize {
        match &self.level.info {
            Some(Ok(info)) => info.looks.width() * info.looks.height(),
            _ => 0,
        }
    }

    fn holds(&self, wanted: &str) -> bool {
        let info = self.level.info.as_ref().and_then(|info| info.as_ref().ok());
        [self.level.name(), self.level.entry.stem(), self.kind.name()]
            .into_iter()
            .chain(info.into_iter().flat_map(|info| [info.author.as_str(), info.about.as_str()]))
            .chain(self.level.group.as_deref())
            .any(|text| text.to_lowercase().contains(wanted))
    }
}

/// All levels of all games, including those in the bin, as [`outwit_levels::list`] orders them.
#[derive(Default)]
pub struct LevelList {
    items: Vec<Item>,
    /// The folder of the user's levels; see [`outwit_levels::user_levels`].
    pub folder: Option<PathBuf>,
}

impl LevelList {
    /// Reloads the folders. Unchanged files are not read again.
    pub fn list(&mut self) {
        let mut known = std::mem::take(&mut self.items);
        let collections = Collections::of(self.folder.as_deref());
        for &kind in GAMES {
            let folder = self.folder.as_deref();
            let out = outwit_levels::list_with(folder, kind.id());
            let binned = folder.map_or_else(Vec::new, |at| outwit_levels::list_bin(at, kind.id()));
            let out = out.into_iter().map(|entry| (entry, false));
            for (entry, binned) in out.chain(binned.into_iter().map(|entry| (entry, true))) {
                let fresh = Item::new(kind, entry, binned, &collections);
                let same = |old: &Item| {
                    let is_listed_alike = old.level.group == fresh.level.group;
                    old.level.entry == fresh.level.entry
                        && old.changed == fresh.changed
                        && is_listed_alike
                };
                match known.iter().position(same) {
                    Some(at) => self.items.push(known.swap_remove(at)),
                    None => self.items.push(fresh),
                }
            }
        }
    }

    /// Reads unread levels, as long as a frame allows. Returns whether all have been read.
    pub fn read_some(&mut self, results: &Results) -> bool {
        let begun = Instant::now();
        for item in self.items.iter_mut().filter(|item| item.level.info.is_none()) {
            if begun.elapsed() > READING {
                return false;
            }
            item.level.read(item.kind);
            if let Some(Ok(info)) = &item.level.info {
                item.best = records::key(item.kind, &item.level.entry, info.digest, &[])
                    .and_then(|key| results.best(&key).cloned());
                let key = records::level_key(item.kind, &item.level.entry, info.digest, &[]);
                let rivals = key.map(|key| results.rivals.of(item.kind, &key));
                item.rivals = rivals.unwrap_or_default();
            }
        }
        true
    }

    /// The level at an index of [`LevelList::shown`].
    pub fn get(&self, index: usize) -> Option<&Item> {
        self.items.get(index)
    }

    /// The index of a level.
    pub fn find(&self, entry: &Entry) -> Option<usize> {
        self.items.iter().position(|item| item.level.entry == *entry)
    }

    /// The index of the level in a file.
    pub fn find_file(&self, file: &Path) -> Option<usize> {
        self.items.iter().position(|item| item.file() == Some(file))
    }

    /// The number of levels in the bin.
    pub fn in_bin(&self) -> usize {
        self.items.iter().filter(|item| item.binned).count()
    }

    /// The indices of the levels that match filter and search, in the chosen order.
    pub fn shown(&self, browse: &Browse, search: &str) -> Vec<usize> {
        let wanted = search.trim().to_lowercase();
        let fits = |item: &Item| {
            item.binned == browse.bin
                && browse.game.is_none_or(|game| item.kind.id() == game)
                && (wanted.is_empty() || item.holds(&wanted))
        };
        let mut shown: Vec<usize> =
            (0..self.items.len()).filter(|&index| fits(&self.items[index])).collect();
        let item = |index: &usize| &self.items[*index];
        let name = |index: &usize| item(index).level.name();
        // They are listed from easy to hard already; among equals, the other orders go by name.
        if browse.order != LevelOrder::Difficulty {
            shown.sort_by(|a, b| natord::compare_ignore_case(name(a), name(b)));
        }
        match browse.order {
            LevelOrder::Difficulty | LevelOrder::Name => {}
            LevelOrder::Size => shown.sort_by_key(|index| Reverse(item(index).cells())),
            LevelOrder::Newest => shown.sort_by_key(|index| Reverse(item(index).changed)),
            LevelOrder::Best => shown.sort_by(|a, b| {
                let a = item(a);
                let b = item(b);
                let score =
                    |item: &Item| item.best.as_ref().map_or(f64::INFINITY, |best| best.score);
                // Scores of different games cannot be compared.
                (a.best.is_none(), a.kind.id())
                    .cmp(&(b.best.is_none(), b.kind.id()))
                    .then(score(a).total_cmp(&score(b)))
            }),
        }
        shown
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::play::Better;
    use outwit_headless::find;
    use outwit_levels::built_in;

    fn list() -> LevelList {
        let mut list = LevelList::default();
        list.list();
        let mut results = Results::default();
        for (id, score) in [("racetrack/tiny", 5.0), ("racetrack/first-lap", 3.0)] {
            let best = BestResult::now(score, String::new(), String::new(), String::new());
            let (kind, level) = (find("racetrack").unwrap(), built_in(id).unwrap());
            let digest = kind.describe(&level.bytes().unwrap(), id).unwrap().digest;
            let key = records::key(kind, &level, digest, &[]).unwrap();
            results.submit(&key, best, Better::Lower);
        }
        while !list.read_some(&results) {}
        list
    }

    fn ids(list: &LevelList, browse: &Browse, search: &str) -> Vec<String> {
        let shown = list.shown(browse, search);
        shown.iter().map(|&index| list.get(index).unwrap().level.entry.id.clone()).collect()
    }

    #[test]
    fn filter_and_search_select_levels() {
        let list = list();
        let all = Browse::default();
        assert_eq!(ids(&list, &all, "").len(), list.items.len());
        let cops = Browse { game: Some("cops"), ..all.clone() };
        assert!(ids(&list, &cops, "").iter().all(|id| id.starts_with("cops/")));
        assert_eq!(ids(&list, &cops, "  DUEL "), ["cops/duel"]);
        assert!(ids(&list, &all, "no such level anywhere").is_empty());
        assert!(ids(&list, &Browse { bin: true, ..all }, "").is_empty());
    }

    #[test]
    fn levels_are_sorted() {
        let list = list();
        let by = |order| {
            let browse = Browse { order, game: Some("racetrack"), ..Browse::default() };
            list.shown(&browse, "")
        };
        let names: Vec<String> = by(LevelOrder::Name)
            .iter()
            .map(|&index| list.get(index).unwrap().level.name().to_lowercase())
            .collect();
        assert!(names.is_sorted() && names.len() > 5);
        let cells: Vec<usize> =
            by(LevelOrder::Size).iter().map(|&i| list.items[i].cells()).collect();
        assert!(cells.is_sorted_by(|a, b| a >= b) && cells[0] > cells[1]);
        let easy = by(LevelOrder::Difficulty);
        assert_eq!(list.items[easy[0]].level.entry.id, "racetrack/first-drive");
        let best = by(LevelOrder::Best);
        let id = |at: usize| list.items[best[at]].level.entry.id.as_str();
        assert_eq!([id(0), id(1)], ["racetrack/first-lap", "racetrack/tiny"]);
    }
}
