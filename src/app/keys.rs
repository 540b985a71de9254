//! The keys of all screens and games, as help and manual list them.

use super::{
    comparison, daily, league, level_browser, level_editor, match_screen, menu, replays, setup,
    tournament,
};
use crate::app::shell::commands::KeyGroup;
use crate::app::shell::everywhere;
use crate::boards;

/// All groups, in the order of the help.
pub fn groups() -> Vec<KeyGroup> {
    let mut groups = vec![
        everywhere::key_group(),
        menu::key_group(),
        setup::commands::key_group(),
        level_browser::key_group(),
        replays::key_group(),
        daily::key_group(),
    ];
    groups.extend(match_screen::key_groups());
    groups.extend([level_editor::actions::key_group(), tournament::commands::key_group()]);
    groups.extend([comparison::commands::key_group(), league::commands::key_group()]);
    groups.extend(boards::key_groups());
    groups
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::shell::commands::{Chord, key, names};
    use crate::app::shell::keyboard::Printed;
    use bevy::prelude::KeyCode;
    use std::collections::BTreeSet;

    /// The groups that are heard on the same screen, without the boards.
    const SCREENS: [&[&str]; 10] = [
        &["Menu"],
        &["Comparison of solvers"],
        &["Set-up"],
        &["Level browser"],
        &["Replays"],
        &["Level of the day"],
        &["Match", "Board"],
        &["Level editor"],
        &["Tournament"],
        &["League"],
    ];

    /// What screens do themselves, as they may have something to cancel or to confirm first.
    const OF_SCREENS: [Chord; 1] = [key(KeyCode::Escape)];

    /// Keys of the match that boards take over: with nothing left to erase Backspace takes back a whole
    /// action, and Esc leaves the match once no box is selected. Enter goes on after a match or a step of a
    /// lesson, when nothing is left to choose. What a board does not want of the arrows pans.
    const TAKEN_OVER: [KeyCode; 4] =
        [KeyCode::Backspace, KeyCode::Escape, KeyCode::Enter, KeyCode::NumpadEnter];

    fn chords(groups: &[KeyGroup], titles: &[&str]) -> Vec<Chord> {
        let chosen = groups.iter().filter(|group| titles.contains(&group.title));
        let chords: Vec<_> =
            chosen.flat_map(|group| &group.rows).flat_map(|row| &row.keys).collect();
        assert!(!chords.is_empty(), "{titles:?}");
        chords.into_iter().copied().collect()
    }

    #[test]
    fn no_key_means_two_things() {
        let groups = groups();
        let everywhere = chords(&groups, &["Everywhere"]);
        for titles in SCREENS {
            let own = chords(&groups, titles);
            for (at, chord) in own.iter().enumerate() {
                assert!(!own[..at].contains(chord), "{titles:?}: {}", chord.name());
                let is_free = !everywhere.contains(chord) || OF_SCREENS.contains(chord);
                assert!(is_free, "{titles:?}: {} is a key of every screen", chord.name());
            }
        }
        let titles = SCREENS.concat().len() + 1 + boards::BOARDS.len();
        assert_eq!(groups.len(), titles, "a group was not looked at");
    }

    /// A board has its keys before the match, with Shift or without, but not with Ctrl.
    #[test]
    fn boards_take_over_only_what_they_may() {
        let groups = groups();
        let taken =
            [chords(&groups, &["Everywhere"]), chords(&groups, &["Match", "Board"])].concat();
        for board in boards::BOARDS {
            let own = chords(&groups, &[board.name]);
            for (at, chord) in own.iter().enumerate() {
                assert!(!own[..at].contains(chord), "{}: {}", board.id, chord.name());
                assert!(!chord.ctrl && !chord.shift, "{}: {}", board.id, chord.name());
                let taken = taken.iter().any(|other| other.key == chord.key && !other.ctrl);
                let may = !taken || TAKEN_OVER.contains(&chord.key);
                assert!(may, "{}: {} is a key of every match", board.id, chord.name());
            }
        }
    }

    /// Digits of the number pad have no names of their own in the help.
    #[test]
    fn boards_tell_of_the_number_pad() {
        for group in groups() {
            let hidden = group.rows.iter().any(|row| row.names(&Printed::default()).is_empty());
            assert!(!hidden, "{}: a row without names", group.title);
            let is_digit = |chord: &Chord| chord.name().starts_with("Numpad");
            let hears = group.rows.iter().flat_map(|row| &row.keys).any(is_digit);
            let tells = group.rows.iter().any(|row| row.other == "Numpad");
            assert_eq!(hears, tells, "{}", group.title);
        }
    }

    /// What a browser does itself with a key, and cannot be kept from or should not.
    fn is_of_browser(chord: &Chord) -> bool {
        use KeyCode::*;
        match (chord.ctrl, chord.shift) {
            (true, true) => !matches!(chord.key, KeyS | KeyZ | KeyL),
            (true, false) => matches!(chord.key, KeyL | KeyN | KeyP | KeyQ | KeyR | KeyT | KeyW),
            _ => matches!(chord.key, F3 | F5 | F6 | F7 | F12),
        }
    }

    /// The letters of a list in the page's script, given what stands before them.
    fn letters_of<'a>(script: &'a str, before: &str) -> BTreeSet<&'a str> {
        let (_, list) = script.split_once(before).unwrap();
        let (list, _) = list.split_once('"').unwrap();
        list.split("").filter(|letter| !letter.is_empty()).collect()
    }

    #[test]
    fn the_page_keeps_back_the_keys_that_the_game_has_with_ctrl() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("web/page.js");
        let script = std::fs::read_to_string(path).unwrap();
        let groups = groups();
        let chords = || groups.iter().flat_map(|group| &group.rows).flat_map(|row| &row.in_browser);
        for (shift, before) in
            [(false, "[\"delete\", ...\""), (true, "OWN_WITH_CTRL_AND_SHIFT = new Set(\"")]
        {
            let with_ctrl = chords().filter(|chord| chord.ctrl && chord.shift == shift);
            let names = with_ctrl.map(|chord| chord.key).filter_map(|key| {
                let name = format!("{key:?}").strip_prefix("Key")?.to_lowercase();
                // The browser tells of the clipboard in events of their own.
                (!["c", "v", "x"].contains(&name.as_str())).then_some(name)
            });
            let names: BTreeSet<String> = names.collect();
            let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
            assert_eq!(letters_of(&script, before), names, "with Shift: {shift}");
        }
    }

    #[test]
    fn browsers_keep_their_keys() {
        let groups = groups();
        for group in &groups {
            for chord in group.rows.iter().flat_map(|row| &row.in_browser) {
                assert!(!is_of_browser(chord), "{}: {}", group.title, chord.name());
            }
        }
        for titles in SCREENS {
            let rows = groups.iter().filter(|group| titles.contains(&group.title));
            let own: Vec<_> =
                rows.flat_map(|group| &group.rows).flat_map(|row| &row.in_browser).collect();
            for (at, chord) in own.iter().enumerate() {
                assert!(!own[..at].contains(chord), "{titles:?}: {}", chord.name());
            }
        }
    }

    /// The rows whose keys are others in a browser, as a table in Markdown.
    fn browser_markdown(groups: &[KeyGroup]) -> String {
        let rows = groups.iter().flat_map(|group| group.rows.iter().map(move |row| (group, row)));
        let others = rows.filter(|(_, row)| row.in_browser != row.keys);
        let others = others.map(|(group, row)| {
            let cell = |keys: &[Chord]| {
                let names = names(keys, &Printed::default());
                let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                if names.is_empty() { "none".to_owned() } else { names.join(" ") }
            };
            let (title, what) = (group.title, row.what);
            format!("| {title} | {what} | {} | {} |\n", cell(&row.keys), cell(&row.in_browser))
        });
        let head = "| Screen | What | Window | Browser |\n|---|---|---|---|\n";
        head.to_owned() + &others.collect::<String>()
    }

    /// A group as a table in Markdown.
    fn markdown(group: &KeyGroup) -> String {
        let row = |keys: Vec<String>, what| {
            let keys: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
            format!("| {} | {what} |\n", keys.join(" "))
        };
        let rows: String =
            group.rows.iter().map(|it| row(it.names(&Printed::default()), it.what)).collect();
        format!("| Key | {} |\n|---|---|\n{rows}", group.title)
    }

    const IN_BROWSER: &str =
        "Some of these keys belong to browsers. There, others take their place:";

    #[test]
    fn the_manual_lists_all_keys() {
        let tables = groups().iter().map(markdown).collect::<Vec<_>>().join("\n");
        let expected = format!("{tables}\n{IN_BROWSER}\n\n{}", browser_markdown(&groups()));
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/manual/src/keys.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (_, rest) =
            page.split_once("<!-- keys: a test compares them with the program -->").unwrap();
        let (section, _) = rest.split_once("<!-- end of keys -->").unwrap();
        assert!(
            section.trim().lines().eq(expected.trim().lines()),
            "the keys in docs/manual/src/keys.md are not those of the program, which are:\n\n{expected}"
        );
    }
}
