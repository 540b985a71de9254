//! The replays of the user: those that were saved, and the last matches, which are kept by themselves.

use crate::app::shell::file_drop::replay_text;
use crate::app::shell::replay_files::RECENT;
use crate::app::shell::seats::seat_title;
use outwit_core::levels::capitalised;
use outwit_core::platform::store;
use outwit_core::platform::time::SystemTime;
use outwit_core::play::Player;
use outwit_kit::{DynGame, ReplayHead, replay_game};
use outwit_levels::{Entry, Source};
use std::path::{Path, PathBuf};

/// More files than this are not read.
const MOST: usize = 1000;

/// A file in the list.
#[derive(Clone)]
pub struct ReplayItem {
    /// The file.
    pub file: PathBuf,
    /// Whether it is one of the last matches, which will go by itself.
    pub is_recent: bool,
    /// When it was written.
    pub when: Option<SystemTime>,
    /// What it holds, or why nobody can tell.
    pub content: Result<ReplayContent, String>,
}

/// What a replay holds.
#[derive(Clone)]
pub struct ReplayContent {
    /// Its game.
    pub kind: &'static dyn DynGame,
    /// What it says of the match.
    pub head: ReplayHead,
    /// Where its picture comes from.
    pub entry: Entry,
}

impl ReplayItem {
    /// What it is called: one that was saved has the name of its file, a recent one that of its level.
    pub fn title(&self) -> String {
        match &self.content {
            Ok(content) if self.is_recent => content.head.level.clone(),
            // File names have no spaces.
            _ => self.file.file_stem().unwrap_or_default().to_string_lossy().replace('-', " "),
        }
    }

    /// Whether a search for this text, in lower case, finds it.
    pub fn matches(&self, search: &str) -> bool {
        let (level, players) = match &self.content {
            Ok(content) => (content.head.level.as_str(), content.players()),
            Err(_) => ("", String::new()),
        };
        [self.title().as_str(), level, &players].join("\n").to_lowercase().contains(search)
    }
}

impl ReplayContent {
    /// Who played, each by name.
    pub fn players(&self) -> String {
        let name = |name: &String| match Player::from(name.as_str()) {
            Player::Human => "Player".to_owned(),
            Player::Planner(name) => seat_title(&name),
        };
        self.head.seats.iter().map(name).collect::<Vec<_>>().join(" – ")
    }

    /// How the match ended, or that it did not.
    pub fn result(&self) -> String {
        match &self.head.outcome {
            Some(outcome) => capitalised(&outcome.headline),
            None => format!("Left after {} turns", self.head.turns),
        }
    }
}

/// All replays in a folder and in its folder of the last matches, the latest first.
pub fn list(folder: &Path) -> Vec<ReplayItem> {
    let files = |folder: &Path, is_recent: bool| {
        let files = store::list_if_there(folder).unwrap_or_default();
        let files = files.into_iter().filter(|file| {
            file.extension().is_some_and(|ending| ending == "ron") && store::is_file(file)
        });
        files.map(move |file| (store::modified(&file), file, is_recent))
    };
    let mut all: Vec<_> = files(folder, false).chain(files(&folder.join(RECENT), true)).collect();
    all.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    all.truncate(MOST);
    let item = |(when, file, is_recent): (Option<SystemTime>, PathBuf, bool)| {
        let content = content(&file);
        ReplayItem { file, is_recent, when, content }
    };
    all.into_iter().map(item).collect()
}

fn content(file: &Path) -> Result<ReplayContent, String> {
    let text = replay_text(file).map_err(|why| why.to_string())?;
    let id = replay_game(text.as_bytes()).unwrap_or_default();
    let kind = outwit_headless::find(&id).map_err(|why| why.to_string())?;
    let head = kind.replay_head(text.as_bytes()).map_err(|fault| fault.to_string())?;
    let source = Source::File(file.to_owned());
    Ok(ReplayContent { kind, head, entry: Entry { id: format!("{id}/replay"), source } })
}
