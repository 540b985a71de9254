//! Level files: their content, their faults, and how they are written.

mod dialect;
mod fault;
mod file;
mod file_ops;
mod foreign;
mod rules;
mod text;

pub use crate::platform::store::{
    MAX_BYTES, StoreError, read, read_file, remove_leftovers, write, write_new, write_readable,
};
pub use dialect::{read_ron, to_ron};
pub use fault::{Fault, Spot, UnknownCharacter, count_characters, unknown_characters};
pub use file::{LevelData, LevelFile, MAX_ABOUT, MAX_AUTHOR, MAX_NAME, MAX_SIDE, cut, write_ron};
pub use file_ops::rename;
pub use foreign::{foreign_file, no_level};
pub use rules::{
    Property, PropertyKind, RuleError, RuleSet, capitalised, from_text as rule_from_text,
    to_text as rule_to_text,
};
pub use text::{Encoding, decoded, decoded_as, encoding_of, text_lines};
