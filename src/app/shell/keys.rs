//! All keys in one table, so that help and tooltips agree.

use bevy::prelude::*;

/// Keys that do the same thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyInfo {
    /// The keys, those of one press joined by `+`, alternatives parted by a space.
    pub keys: &'static str,
    /// What they do.
    pub what: &'static str,
    /// Under which head the help lists them.
    pub group: &'static str,
}

const fn key(group: &'static str, keys: &'static str, what: &'static str) -> KeyInfo {
    KeyInfo { keys, what, group }
}

const EVERYWHERE: &str = "Everywhere";
const MENU: &str = "At the menu and the set-up";
const LEVELS: &str = "In the level browser";
const MATCH: &str = "In a match";
const VIEW: &str = "The board";

/// The keys that are the same in all games.
pub const GENERAL: &[KeyInfo] = &[
    key(EVERYWHERE, "? F1", "Help"),
    key(EVERYWHERE, "Esc", "Back, or close what lies on top"),
    key(EVERYWHERE, "Tab", "The next control"),
    key(EVERYWHERE, "M", "Sound on or off"),
    key(EVERYWHERE, "F11", "Full screen"),
    key(EVERYWHERE, "Ctrl+Q", "Quit"),
    key(MENU, "1 2 3 4 5", "Set up a game"),
    key(MENU, "E", "The level editor; at the set-up, with the chosen level"),
    key(MENU, "L", "All levels with their pictures"),
    key(MENU, "Enter", "Begin"),
    key(LEVELS, "Arrows", "Choose a level"),
    key(LEVELS, "Enter", "Play it"),
    key(LEVELS, "E", "Open it in the editor"),
    key(LEVELS, "Ctrl+D", "Duplicate it"),
    key(LEVELS, "F2", "Rename it"),
    key(LEVELS, "Delete", "Move it to the bin"),
    key(LEVELS, "Ctrl+Z", "Bring back what went into the bin last"),
    key(LEVELS, "/ Ctrl+F", "Search"),
    key(MATCH, "Space", "Play or pause"),
    key(MATCH, ".", "Next turn"),
    key(MATCH, ",", "Previous turn"),
    key(MATCH, "Home End", "The first or the last turn"),
    key(MATCH, "+ -", "Faster or slower"),
    key(MATCH, "R", "Restart with the same seed"),
    key(MATCH, "Shift+R", "Next match: the same players, a new seed"),
    key(MATCH, "U Backspace", "Take back your last move"),
    key(MATCH, "H", "A hint"),
    key(MATCH, "F5", "Save the replay"),
    key(VIEW, "O", "All overlays on or off"),
    key(VIEW, "1 2 3 4 5", "One overlay on or off"),
    key(VIEW, "G", "The ghosts of your best match and of perfect play"),
    key(VIEW, "F", "Follow the piece that moves"),
    key(VIEW, "0", "The whole board"),
    key(VIEW, "Arrows", "Move the view"),
    key(VIEW, "Wheel", "Zoom in or out"),
];

/// All keys that help lists; a game adds its own.
#[derive(Resource, Clone, Debug)]
pub struct KeyList(pub Vec<KeyInfo>);

impl Default for KeyList {
    fn default() -> Self {
        Self(GENERAL.to_vec())
    }
}

impl KeyList {
    /// The groups in the order in which they came, each with its keys.
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

/// Makes the list; games add to it in their plugins with
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
