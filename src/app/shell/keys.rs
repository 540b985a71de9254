//! All keys in one table, so that help and tooltips agree.

use bevy::prelude::*;

/// Keys with the same action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyInfo {
    /// The keys: keys of one press are joined by `+`, alternatives are separated by a space.
    pub keys: &'static str,
    /// What they do.
    pub what: &'static str,
    /// Their group in the help.
    pub group: &'static str,
}

const fn key(group: &'static str, keys: &'static str, what: &'static str) -> KeyInfo {
    KeyInfo { keys, what, group }
}

const EVERYWHERE: &str = "Everywhere";
const MENU: &str = "Menu and set-up";
const LEVELS: &str = "Level browser";
const MATCH: &str = "Match";
const VIEW: &str = "Board";

/// The keys that are the same in all games.
pub const GENERAL: &[KeyInfo] = &[
    key(EVERYWHERE, "? F1", "Help"),
    key(EVERYWHERE, "Esc", "Go back, or close the topmost window"),
    key(EVERYWHERE, "Tab", "Next control"),
    key(EVERYWHERE, "M", "Sound on or off"),
    key(EVERYWHERE, "F11", "Full screen"),
    key(EVERYWHERE, "Ctrl+Q", "Quit"),
    key(MENU, "1 2 3 4 5", "Set up a game"),
    key(MENU, "E", "Level editor; in the set-up, with the selected level"),
    key(MENU, "L", "Level browser"),
    key(MENU, "Enter", "Start"),
    key(MENU, "W", "Watch the strongest planners, at the set-up"),
    key(MENU, "T", "Tournament, or comparison of solvers, at the set-up"),
    key(LEVELS, "Arrows", "Select a level"),
    key(LEVELS, "Enter", "Play it"),
    key(LEVELS, "E", "Open it in the editor"),
    key(LEVELS, "Ctrl+D", "Duplicate it"),
    key(LEVELS, "F2", "Rename it"),
    key(LEVELS, "Delete", "Move it to the bin"),
    key(LEVELS, "Ctrl+Z", "Restore the level moved to the bin last"),
    key(LEVELS, "/ Ctrl+F", "Search"),
    key(LEVELS, "Ctrl+V", "Add the levels in the text on the clipboard"),
    key(MATCH, "Space", "Play or pause"),
    key(MATCH, ".", "One turn forward"),
    key(MATCH, ",", "One turn back"),
    key(MATCH, "Home End", "First or last turn"),
    key(MATCH, "+ -", "Faster or slower"),
    key(MATCH, "R", "Restart with the same seed"),
    key(MATCH, "Shift+R", "Next match: the same players, a new seed"),
    key(MATCH, "U Backspace Ctrl+Z", "Take back your last move"),
    key(MATCH, "Shift+U Ctrl+Y", "Play again what you took back"),
    key(MATCH, "H", "Hint"),
    key(MATCH, "Shift+H", "Show the rest, in puzzles"),
    key(MATCH, "Ctrl+C Ctrl+V", "Copy or paste the moves as text, in puzzles"),
    key(MATCH, "PageDown PageUp", "Next or previous level"),
    key(MATCH, "F5", "Save the replay"),
    key(MATCH, "T", "Analysis: how planners think about the viewed turn"),
    key(MATCH, "J L", "Analysis: snapshot before, next snapshot"),
    key(MATCH, "Shift+J Shift+L", "Analysis: first or last snapshot"),
    key(MATCH, "K", "Analysis: play the thinking"),
    key(VIEW, "O", "All overlays on or off"),
    key(VIEW, "1 2 3 4 5", "Switch an overlay on or off"),
    key(VIEW, "G", "Ghosts of your best match and of perfect play"),
    key(VIEW, "F", "Follow the moving piece"),
    key(VIEW, "0", "Fit board to window"),
    key(VIEW, "Arrows", "Pan"),
    key(VIEW, "Wheel", "Zoom in or out"),
];

/// All keys in the help; games add their own.
#[derive(Resource, Clone, Debug)]
pub struct KeyList(pub Vec<KeyInfo>);

impl Default for KeyList {
    fn default() -> Self {
        Self(GENERAL.to_vec())
    }
}

impl KeyList {
    /// The groups in the order in which they were added, with their keys.
    pub fn groups(&self) -> Vec<(&'static str, Vec<&KeyInfo>)> {
        let mut groups: Vec<(&'static str, Vec<&KeyInfo>)> = Vec::new();
        for key in &self.0 {
            match groups.iter_mut().find(|(name, _)| *name == key.group) {
                Some((_, keys)) => keys.push(key),
                None => groups.push((key.group, vec![key])),
            }
        }
        groups
    }

    /// The keys that do this, as help names them, for a tooltip.
    pub fn of(&self, what: &str) -> Option<&'static str> {
        self.0.iter().find(|key| key.what == what).map(|key| key.keys)
    }
}

/// Adds the list; games add their keys to it in their plugins with
/// `app.world_mut().get_resource_or_init::<KeyList>()`.
pub fn plugin(app: &mut App) {
    app.init_resource::<KeyList>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things() {
        // The menu, the level browser and a match never listen at the same time.
        let part = |group| [MENU, LEVELS].iter().position(|other| *other == group);
        let mut seen = std::collections::BTreeSet::new();
        for key in GENERAL {
            for press in key.keys.split(' ') {
                assert!(seen.insert((part(key.group), press)), "{press}");
            }
        }
    }
}
