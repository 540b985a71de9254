//! The sentences about positions of a match, and the lecture along them.

use super::Tab;
use outwit_core::play::{TurnNote, plain_notes};

/// The sentences about positions of a match, and the lecture along them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Notes {
    /// In the order of their turns, one for each.
    list: Vec<TurnNote>,
    /// Whether they were changed since the replay was saved.
    pub are_unsaved: bool,
    /// The one that is being typed, as typed, and its turn.
    pub draft: Option<(usize, String)>,
    /// Whether the match is shown large, without panels, from note to note.
    pub in_lecture: bool,
    /// The turn and the panel that were shown before the lecture.
    pub(in crate::app::match_screen) came_from: Option<(usize, Tab)>,
}

impl Notes {
    /// Those of a match of so many turns.
    pub fn of(notes: &[TurnNote], turns: usize) -> Self {
        Self { list: plain_notes(notes, turns), ..Self::default() }
    }

    /// All of them, in the order of their turns.
    pub fn all(&self) -> &[TurnNote] {
        &self.list
    }

    /// The sentence about the position after so many turns; empty if there is none.
    pub fn at(&self, turn: usize) -> &str {
        let note = self.list.iter().find(|note| note.turn == turn);
        note.map_or("", |note| &note.text)
    }

    /// Puts a sentence to the position after `turn` of `turns` turns; without words, takes it away.
    pub fn set(&mut self, turn: usize, text: &str, turns: usize) {
        let mut notes = std::mem::take(&mut self.list);
        notes.retain(|note| note.turn != turn);
        notes.push(TurnNote { turn, text: text.into() });
        self.list = plain_notes(&notes, turns);
        self.are_unsaved = true;
    }
}
