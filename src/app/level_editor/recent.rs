//! The list of recent levels, in a file that all copies of the program share.

use super::screen::EditorScreen;
use crate::app::shell::notice::Notice;
use crate::app::shell::store::{Loaded, load_file, update_in};
use bevy::prelude::Commands;
use std::path::{Path, PathBuf};

/// Name of the file in the data folder.
const FILE: &str = "recent.ron";
/// The number of levels in the list.
const MOST: usize = 12;

/// Loads the list, latest first.
pub fn load() -> Loaded<Vec<PathBuf>> {
    load_file(FILE, "The list of recent levels")
}

impl EditorScreen {
    /// Puts a level file that was opened or saved at the top of the list.
    pub(super) fn remember(&mut self, path: &Path, commands: &mut Commands) {
        self.recent.retain(|known| known != path);
        self.recent.insert(0, path.into());
        self.recent.truncate(MOST);
        self.gallery.forget_files();
        if let Some(folder) = &self.folder
            && let Err(why) = update_in(folder, FILE, |there| merge(&self.recent, there))
        {
            let text = format!("Could not save the list of recent levels. {why}");
            commands.write_message(Notice::error(text));
        }
    }
}

/// Puts the recent files of this copy of the program before those that another copy added.
fn merge(mine: &[PathBuf], there: &mut Vec<PathBuf>) {
    // RON holds no path that is not text.
    let mine = mine.iter().filter(|path| path.to_str().is_some());
    there.retain(|path| !mine.clone().any(|other| other == path));
    there.splice(0..0, mine.cloned());
    there.truncate(MOST);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_files_of_another_copy_stay() {
        let path = |number: usize| PathBuf::from(format!("{number}.ron"));
        let mine = [path(1), path(2)];
        let mut there = vec![path(3), path(2), path(4)];
        merge(&mine, &mut there);
        assert_eq!(there, [1, 2, 3, 4].map(path));
        let mut there: Vec<PathBuf> = (3..40).map(path).collect();
        merge(&mine, &mut there);
        assert_eq!(there, (1..=MOST).map(path).collect::<Vec<_>>());
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStringExt;
            let odd = PathBuf::from(std::ffi::OsString::from_vec(b"\xff.ron".to_vec()));
            let mut there = vec![path(3)];
            merge(&[odd, path(1)], &mut there);
            assert_eq!(there, [1, 3].map(path));
        }
    }
}
