//! Sentences about positions of a match.

use crate::escape::on_one_line;
use crate::levels::cut;
use serde::{Deserialize, Serialize};

/// The maximum length of a note, in characters; longer ones are cut.
pub const MAX_NOTE: usize = 300;
/// The most notes of a replay; those of later turns are left out.
pub const MOST_NOTES: usize = 200;

/// A sentence about a position of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnNote {
    /// After how many turns the position is.
    pub turn: usize,
    /// The sentence.
    pub text: String,
}

/// Notes as they are shown and saved: in the order of their turns, one for each, on one line and not too long, and
/// none after the last turn. Those without words are left out.
pub fn plain_notes(notes: &[TurnNote], turns: usize) -> Vec<TurnNote> {
    let mut plain: Vec<TurnNote> = notes
        .iter()
        .filter(|note| note.turn <= turns)
        .map(|note| TurnNote { turn: note.turn, text: cut(&on_one_line(&note.text), MAX_NOTE) })
        .filter(|note| !note.text.is_empty())
        .collect();
    plain.sort_by_key(|note| note.turn);
    plain.dedup_by_key(|note| note.turn);
    plain.truncate(MOST_NOTES);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(turn: usize, text: &str) -> TurnNote {
        TurnNote { turn, text: text.into() }
    }

    #[test]
    fn the_position_after_the_last_turn_has_its_note_and_none_has_a_later_one() {
        let notes = [note(3, "beyond"), note(2, "the end"), note(0, "the start")];
        assert_eq!(plain_notes(&notes, 2), [note(0, "the start"), note(2, "the end")]);
        assert_eq!(plain_notes(&notes, 3).len(), 3);
        assert_eq!(plain_notes(&notes, 0), [note(0, "the start")]);
    }

    #[test]
    fn notes_are_short_and_on_one_line_and_one_for_each_turn() {
        let long = "x".repeat(MAX_NOTE + 1);
        let notes = [note(1, " two\n\u{7}lines "), note(1, "again"), note(0, "\t"), note(2, &long)];
        let plain = plain_notes(&notes, 9);
        assert_eq!(plain[0], note(1, "two lines"));
        assert_eq!((plain.len(), plain[1].text.chars().count()), (2, MAX_NOTE));
        let many: Vec<TurnNote> = (0..MOST_NOTES + 5).map(|turn| note(turn, "so")).collect();
        let plain = plain_notes(&many, many.len());
        assert_eq!(plain, many[..MOST_NOTES]);
    }
}
