//! The replays of the user, read in the background, with filter and search.

use crate::app::shell::replay_files;
use outwit_core::levels::capitalised;
use outwit_core::platform::store;
use outwit_core::platform::task::Task;
use outwit_core::platform::time::SystemTime;
use outwit_core::play::Player;
use outwit_headless::find;
use outwit_kit::{DynGame, ReplayInfo, replay_game};
use outwit_levels::{Entry, Source};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

/// Files that are read at the same time.
const AT_ONCE: usize = 4;

/// What a file says of its match.
pub type ReadReplay = Result<(&'static dyn DynGame, ReplayInfo), String>;

/// Why a replay is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The user saved it.
    Saved,
    /// It is one of the latest matches, until newer ones replace it.
    Recent,
    /// It is one of the latest matches of leagues and other series.
    Series,
}

impl Origin {
    /// All, with what they are called in the list.
    pub const ALL: [(Self, &str); 3] =
        [(Self::Saved, "Saved"), (Self::Recent, "Recent"), (Self::Series, "League and series")];
}

/// A replay of the list.
pub struct ReplayItem {
    /// Its file, under the id that pictures are drawn by.
    pub entry: Entry,
    /// Why it is there.
    pub origin: Origin,
    /// When its file was last written.
    pub changed: Option<SystemTime>,
    /// What it says, or why it cannot be read; `None` until it has been read.
    pub told: Option<ReadReplay>,
    /// What tells its picture from others.
    pub picture: String,
}

impl ReplayItem {
    fn new(file: PathBuf, origin: Origin) -> Self {
        let changed = store::modified(&file);
        let picture = format!("{} {changed:?}", file.display());
        let entry = Entry { id: String::new(), source: Source::File(file) };
        Self { entry, origin, changed, told: None, picture }
    }

    /// Whether it was kept by itself, until newer matches replace it.
    pub fn is_recent(&self) -> bool {
        self.origin != Origin::Saved
    }

    /// What kept it by itself: the series that it is of, or that it is recent.
    pub fn kept_as(&self) -> Option<String> {
        let series = || {
            let (_, name) = replay_files::recent_name(self.file())?;
            replay_files::series_of(name, self.info()?.0.id())
        };
        match self.origin {
            Origin::Saved => None,
            Origin::Recent => Some("Recent".into()),
            Origin::Series => Some(series().unwrap_or_else(|| "Series".into())),
        }
    }

    /// The path of the file that holds it.
    pub fn file(&self) -> &Path {
        match &self.entry.source {
            Source::File(file) => file,
            _ => Path::new(""),
        }
    }

    /// What it is called: a saved one after its file, in whose name hyphens stand for spaces, and one of the
    /// latest matches after its level.
    pub fn name(&self) -> String {
        match &self.told {
            Some(Ok((_, info))) if self.is_recent() => info.level.clone(),
            _ => self.entry.stem().replace('-', " "),
        }
    }

    /// Its game and what it says, if it can be read.
    pub fn info(&self) -> Option<(&'static dyn DynGame, &ReplayInfo)> {
        let (kind, info) = self.told.as_ref()?.as_ref().ok()?;
        Some((*kind, info))
    }

    /// The name of the player on a seat.
    pub fn player(&self, seat: usize) -> String {
        let Some((_, info)) = self.info() else { return String::new() };
        let seats = &info.seats;
        let Some(name) = seats.get(seat) else { return String::new() };
        let own = info.names.get(seat).and_then(Option::as_deref);
        let label = match Player::from(name.as_str()) {
            _ if let Some(own) = own => own.to_owned(),
            Player::Human => "Player".into(),
            planner => capitalised(&planner.label()),
        };
        let is_twin =
            |other: usize| seats[other] == *name && info.names.get(other) == info.names.get(seat);
        let has_twin = (0..seats.len()).filter(|&other| is_twin(other)).count() > 1;
        if has_twin { format!("{label} {}", seat + 1) } else { label }
    }

    /// How the match ended, in words, with the names of the players.
    pub fn result(&self) -> String {
        let told = self.info().and_then(|(kind, info)| Some((kind, info, info.outcome.as_ref()?)));
        let Some((kind, info, outcome)) = told else { return "Unfinished".into() };
        capitalised(
            &outcome
                .headline
                .split(' ')
                .map(|word| {
                    let seat = (0..info.seats.len()).find(|&seat| kind.seat(seat).id == word);
                    seat.map_or_else(|| word.to_owned(), |seat| self.player(seat))
                })
                .collect::<Vec<_>>()
                .join(" "),
        )
    }

    fn holds(&self, wanted: &str) -> bool {
        let (game, info) = self.info().map_or(("", None), |(kind, info)| (kind.name(), Some(info)));
        let seats = info.map_or(0, |info| info.seats.len());
        let kept_as = self.kept_as().unwrap_or_default();
        [
            self.name().as_str(),
            self.entry.stem(),
            &kept_as,
            game,
            info.map_or("", |info| &info.level),
        ]
        .into_iter()
        .map(str::to_lowercase)
        .chain((0..seats).map(|seat| self.player(seat).to_lowercase()))
        .any(|text| text.contains(wanted))
    }
}

/// Reads what a file says of its match.
fn read(file: &Path) -> ReadReplay {
    let bytes = store::read_file(file).map_err(|error| error.what)?;
    let id = replay_game(&bytes).ok_or("This file is not a replay.")?;
    let kind = find(&id)
        .map_err(|_| format!("This is a replay of “{id}”, which is not a game of Outwit."))?;
    let info = kind.replay_info(&bytes).map_err(|fault| capitalised(&fault.to_string()))?;
    Ok((kind, info))
}

/// All replays, the newest first.
#[derive(Default)]
pub struct ReplayList {
    items: Vec<ReplayItem>,
    reading: Vec<(PathBuf, Task<ReadReplay>)>,
    /// The indices of those that are on the screen, which are read first.
    pub visible: Vec<usize>,
    /// The folder of the saved replays.
    pub folder: Option<PathBuf>,
}

impl ReplayList {
    /// Lists the folders. Unchanged files are not read again.
    ///
    /// # Errors
    /// Which folders cannot be read.
    pub fn list(&mut self) -> Result<(), Vec<String>> {
        let mut known = std::mem::take(&mut self.items);
        self.visible.clear();
        let Some(saved) = &self.folder else { return Ok(()) };
        let mut errors = Vec::new();
        let folders = [
            (saved.clone(), Origin::Saved),
            (replay_files::recent(saved), Origin::Recent),
            (replay_files::of_series(saved), Origin::Series),
        ];
        for (folder, origin) in folders {
            let files = store::list_if_there(&folder).unwrap_or_else(|error| {
                errors.push(format!("Your replays cannot be read: {error}"));
                Vec::new()
            });
            let is_listed = |file: &PathBuf| {
                file.extension().is_some_and(|it| it == "ron") && !store::is_folder(file)
            };
            for file in files.into_iter().filter(is_listed) {
                let fresh = ReplayItem::new(file, origin);
                let same =
                    |old: &ReplayItem| (&old.entry, old.changed) == (&fresh.entry, fresh.changed);
                match known.iter().position(same) {
                    Some(at) => self.items.push(known.swap_remove(at)),
                    None => self.items.push(fresh),
                }
            }
        }
        self.items.sort_by_key(|item| Reverse(item.changed));
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Goes on with reading in the background, at first what is visible. Returns whether all have been read.
    pub fn read_some(&mut self) -> bool {
        let items = &mut self.items;
        self.reading.retain(|(file, task)| {
            if !task.is_done() {
                return true;
            }
            let told = task
                .get()
                .cloned()
                .unwrap_or_else(|| Err(task.failure().unwrap_or("it cannot be read").to_owned()));
            if let Some(item) = items.iter_mut().find(|item| item.file() == file) {
                if let Ok((kind, _)) = &told {
                    item.entry.id = format!("{}/{}", kind.id(), item.entry.stem());
                }
                item.told = Some(told);
            }
            false
        });
        let visible = self.visible.iter().filter_map(|&index| items.get(index));
        for item in visible.chain(items.iter()).filter(|item| item.told.is_none()) {
            if self.reading.len() >= AT_ONCE {
                break;
            }
            let file = item.file().to_owned();
            if self.reading.iter().all(|(other, _)| *other != file) {
                let path = file.clone();
                self.reading.push((file, Task::begin(move |_| read(&path))));
            }
        }
        self.reading.is_empty()
    }

    /// Every replay, whether it matches a search or not.
    pub fn items(&self) -> &[ReplayItem] {
        &self.items
    }

    /// The replay in a file.
    pub fn find(&self, file: &Path) -> Option<usize> {
        self.items.iter().position(|item| item.file() == file)
    }

    /// The indices of the replays of a game and an origin that match a search, the newest first.
    pub fn shown(&self, game: Option<&str>, origin: Option<Origin>, search: &str) -> Vec<usize> {
        let wanted = search.trim().to_lowercase();
        let fits = |item: &ReplayItem| {
            let of_game =
                game.is_none_or(|id| item.info().is_some_and(|(kind, _)| kind.id() == id));
            let of_origin = origin.is_none_or(|origin| item.origin == origin);
            of_game && of_origin && (wanted.is_empty() || item.holds(&wanted))
        };
        (0..self.items.len()).filter(|&index| fits(&self.items[index])).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_visible_is_read_first() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..9 {
            store::write(&folder.path().join(format!("{n}.ron")), b"x").unwrap();
        }
        let mut list = ReplayList { folder: Some(folder.path().into()), ..ReplayList::default() };
        list.list().unwrap();
        // What the screen showed before the list became shorter is nothing any more.
        list.visible = vec![8, 99, 7];
        assert!(!list.read_some());
        let begun: Vec<_> = list.reading.iter().map(|(file, _)| list.find(file)).collect();
        assert_eq!(begun, [8, 7, 0, 1].map(Some));
        while !list.read_some() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert!(list.items().iter().all(|item| item.told.is_some()));
    }
}
