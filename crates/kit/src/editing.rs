//! What the level editor asks of a game, and the levels that it edits.

use super::formats::ExportError;
use super::solving::Solution;
use super::spec::{Converted, GameSpec};
use outwit_core::grid::Grid;
use outwit_core::levels::{Fault, LevelFile, Property, RuleSet};
use outwit_core::play::StopFlag;

/// A level that is being edited, which need not be playable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelDraft {
    /// Its title.
    pub name: String,
    /// Who made it.
    pub author: String,
    /// A sentence or two about it.
    pub about: String,
    /// The value of each rule as text, in the order of the game's properties.
    pub rules: Vec<String>,
    /// One character per cell.
    pub cells: Grid<char>,
}

impl LevelDraft {
    /// Whether it differs at most in its texts.
    pub fn plays_like(&self, other: &Self) -> bool {
        self.rules == other.rules && self.cells == other.cells
    }
}

/// What the level editor asks of a game, without its types.
pub trait Editing: Sync {
    /// The default value of each rule as text.
    fn default_rules(&self) -> Vec<String>;
    /// Checks a rule's value and returns it as files spell it.
    ///
    /// # Errors
    /// If the rule is unknown, follows from the map, or cannot have this value.
    fn rule(&self, key: &str, value: &str) -> Result<String, String>;
    /// The options of the generator, with their default values; empty without one.
    fn generator_options(&self) -> Vec<(&'static Property, String)>;
    /// Generates a random, playable level. The same options and seed give the same level.
    ///
    /// # Errors
    /// If an option is invalid or there is no such level; the message says what to change.
    fn generate(
        &self,
        generator_options: &[(String, String)],
        seed: u64,
    ) -> Result<LevelDraft, String>;
    /// The level file of a draft; [`Editing::open`] gives back the same draft.
    fn text(&self, draft: &LevelDraft) -> String;
    /// A draft in another format, chosen by file extension; `ron` is the level file.
    ///
    /// # Errors
    /// If the format is unknown or cannot hold the level.
    fn export_draft(&self, draft: &LevelDraft, ending: &str) -> Result<Converted, ExportError>;
    /// Reads a level in any format that the game knows, playable or not.
    ///
    /// # Errors
    /// If it cannot be read at all.
    fn open(&self, bytes: &[u8], name: &str) -> Result<LevelDraft, Vec<Fault>>;
    /// The level file of the same level under another name.
    ///
    /// # Errors
    /// If the level cannot be read at all.
    fn renamed(&self, bytes: &[u8], file: &str, name: &str) -> Result<String, Vec<Fault>> {
        Ok(self.text(&LevelDraft { name: name.into(), ..self.open(bytes, file)? }))
    }
    /// The faults and warnings of a draft.
    fn check_draft(&self, draft: &LevelDraft) -> Verdict;
    /// Solves a draft.
    ///
    /// # Errors
    /// If it cannot be solved or `stop` was raised.
    fn solve_draft(&self, draft: &LevelDraft, stop: &StopFlag) -> Result<Solution, String>;
}

/// The result of checking a draft.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// Problems that make it unplayable.
    pub faults: Vec<Fault>,
    /// Probable mistakes.
    pub warnings: Vec<Fault>,
    /// What is good to know of it and is no mistake.
    pub remarks: Vec<Fault>,
}

/// The level that a draft stands for, checked or not.
pub fn level_of<G: GameSpec>(draft: &LevelDraft) -> LevelFile<G::Rules> {
    let mut rules = G::Rules::default();
    for (property, value) in G::Rules::properties().iter().zip(&draft.rules) {
        // An invalid value leaves the default; the editor does not allow any.
        let _ = rules.set_unchecked(property.key, value);
    }
    let mut level = LevelFile {
        format: G::INFO.format.into(),
        name: draft.name.clone(),
        author: draft.author.clone(),
        about: draft.about.clone(),
        rules,
        map: Vec::new(),
    };
    level.set_cells(&draft.cells);
    level
}
