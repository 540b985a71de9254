//! Changes of a level that can be undone.

use outwit_core::levels::{MAX_ABOUT, MAX_AUTHOR, MAX_NAME};
use outwit_kit::LevelDraft;

/// A text about a level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// Its title.
    Name,
    /// Who made it.
    Author,
    /// A sentence or two about it.
    About,
}

impl Field {
    /// All fields, in the order of the form.
    pub const ALL: [Field; 3] = [Field::Name, Field::Author, Field::About];

    /// Its label in a form.
    pub fn label(self) -> &'static str {
        match self {
            Field::Name => "Name",
            Field::Author => "Author",
            Field::About => "About",
        }
    }

    /// Its maximum length in characters.
    pub fn max_length(self) -> usize {
        match self {
            Field::Name => MAX_NAME,
            Field::Author => MAX_AUTHOR,
            Field::About => MAX_ABOUT,
        }
    }

    /// Its text in a draft.
    pub fn of(self, draft: &LevelDraft) -> &str {
        match self {
            Field::Name => &draft.name,
            Field::Author => &draft.author,
            Field::About => &draft.about,
        }
    }

    fn of_mut(self, draft: &mut LevelDraft) -> &mut String {
        match self {
            Field::Name => &mut draft.name,
            Field::Author => &mut draft.author,
            Field::About => &mut draft.about,
        }
    }
}

/// One cell before and after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellChange {
    /// Row-major index of the cell.
    pub index: u32,
    /// What it held.
    pub old: char,
    /// What it holds.
    pub new: char,
}

/// A change of a draft, with the values before and after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Some cells, each at most once.
    Cells(Vec<CellChange>),
    /// A text about the level.
    Text {
        /// Which.
        field: Field,
        /// What it was.
        old: String,
        /// What it is.
        new: String,
    },
    /// A rule.
    Rule {
        /// Its place among the game's properties.
        index: usize,
        /// Its value before, as text.
        old: String,
        /// Its value after.
        new: String,
    },
    /// The whole level, such as a change of size.
    Whole {
        /// The level before.
        old: Box<LevelDraft>,
        /// The level after.
        new: Box<LevelDraft>,
    },
}

impl Change {
    /// Makes the change in a draft that has the old values.
    pub fn apply(&self, draft: &mut LevelDraft) {
        self.go(draft, true);
    }

    /// Undoes the change in a draft that has the new values.
    pub fn revert(&self, draft: &mut LevelDraft) {
        self.go(draft, false);
    }

    fn go(&self, draft: &mut LevelDraft, on: bool) {
        match self {
            Change::Cells(changes) => {
                let cells = draft.cells.as_mut_slice();
                for change in changes {
                    cells[change.index as usize] = if on { change.new } else { change.old };
                }
            }
            Change::Text { field, old, new } => {
                field.of_mut(draft).clone_from(if on { new } else { old });
            }
            Change::Rule { index, old, new } => {
                draft.rules[*index].clone_from(if on { new } else { old });
            }
            Change::Whole { old, new } => draft.clone_from(if on { new } else { old }),
        }
    }

    /// Merges a later change of the same text or rule into this one. Returns `false`, and does
    /// nothing, if the changes concern different things.
    pub fn merge(&mut self, later: &Change) -> bool {
        match (self, later) {
            (
                Change::Text { field, new, .. },
                Change::Text { field: of, old: before, new: after },
            ) if field == of && new == before => {
                new.clone_from(after);
                true
            }
            (
                Change::Rule { index, new, .. },
                Change::Rule { index: of, old: before, new: after },
            ) if index == of && new == before => {
                new.clone_from(after);
                true
            }
            _ => false,
        }
    }

    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let of_draft = |draft: &LevelDraft| {
            let texts = [&draft.name, &draft.author, &draft.about].into_iter().chain(&draft.rules);
            texts.map(String::len).sum::<usize>() + size_of_val(draft.cells.as_slice())
        };
        size_of::<Self>()
            + match self {
                Change::Cells(changes) => size_of_val(changes.as_slice()),
                Change::Text { old, new, .. } | Change::Rule { old, new, .. } => {
                    old.len() + new.len()
                }
                Change::Whole { old, new } => of_draft(old) + of_draft(new),
            }
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        match self {
            Change::Cells(changes) => changes.is_empty(),
            Change::Text { old, new, .. } | Change::Rule { old, new, .. } => old == new,
            Change::Whole { old, new } => old == new,
        }
    }
}
