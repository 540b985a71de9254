//! A level in a list, read when there is time for it.

use outwit_kit::{AnyLevel, DynGame, LevelInfo};
use outwit_levels::{Collections, Entry, Source};

/// A level of the list.
pub struct Level {
    /// Its catalogue entry.
    pub entry: Entry,
    /// The title of the group that it is listed in: see [`Entry::group`], and for the user's own the title of the
    /// collection that it came with.
    pub group: Option<String>,
    /// Its description, or its problems; `None` until it has been read.
    pub info: Option<Result<LevelInfo, Vec<String>>>,
    /// The level itself, once it has been read and is playable.
    pub level: Option<AnyLevel>,
}

impl Level {
    /// A level that has not been read yet.
    pub fn unread(entry: Entry, collections: &Collections) -> Self {
        let group = entry.group().or_else(|| collections.title(&entry)).map(str::to_owned);
        Self { group, entry, info: None, level: None }
    }

    /// Its name, or that of its file until it has been read.
    pub fn name(&self) -> &str {
        match &self.info {
            Some(Ok(info)) => &info.name,
            _ => self.entry.stem(),
        }
    }

    /// Reads the level from its file and fills `info` and `level`.
    pub fn read(&mut self, kind: &dyn DynGame) {
        let read = self.entry.bytes().map_err(|error| vec![error.to_string()]).and_then(|bytes| {
            kind.read(&bytes, self.entry.stem())
                .and_then(|level| Ok((kind.info(&level)?, level)))
                .map_err(|faults| faults.iter().map(ToString::to_string).collect())
        });
        let (info, level) = match read {
            Ok((info, level)) => (Ok(info), Some(level)),
            Err(problems) => (Err(problems), None),
        };
        (self.info, self.level) = (Some(info), level);
    }

    /// Whether it is the user's own.
    pub fn is_own(&self) -> bool {
        matches!(self.entry.source, Source::File(_))
    }
}
