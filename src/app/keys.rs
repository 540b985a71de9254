//! The keys of all screens and games, as help and manual list them.

use super::{level_browser, level_editor, match_screen, menu, setup, tournament};
use crate::app::shell::commands::KeyGroup;
use crate::app::shell::everywhere;
use crate::boards;

/// All groups, in the order of the help.
pub fn groups() -> Vec<KeyGroup> {
    let mut groups = vec![
        everywhere::key_group(),
        menu::key_group(),
        setup::key_group(),
        level_browser::key_group(),
    ];
    groups.extend(match_screen::key_groups());
    groups.extend([level_editor::actions::key_group(), tournament::commands::key_group()]);
    groups.extend(boards::key_groups());
    groups
}
