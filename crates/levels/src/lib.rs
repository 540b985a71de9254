//! The levels that are built into the program, and the catalogue of all levels: the built-in ones, the
//! user's own, and those in the bin.

mod bin;
mod catalogue;
mod collections;

pub use bin::{list_bin, restore, to_bin, to_bin_of};
pub use catalogue::{
    BUILT_IN, BuiltIn, Entry, Source, built_in, data_folder, id_note, id_of, keep_nothing, list,
    list_with, unreadable, user_folder, user_levels,
};
pub use collections::{Collections, add_collection, rename_in_collection};
