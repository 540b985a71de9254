//! Where the replays of the user are.

use outwit_levels::data_folder;
use std::path::PathBuf;

/// The folder of the matches that are kept by themselves, within [`folder`].
pub const RECENT: &str = "recent";

/// The folder of the replays; `None` where the system has no data folder.
pub fn folder() -> Option<PathBuf> {
    data_folder().map(|folder| folder.join("replays"))
}
