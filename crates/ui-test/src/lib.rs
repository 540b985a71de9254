//! Finds and uses the widgets of a panel by name, as a person would. A crate of its own because a
//! dependency of tests cannot be optional.

#[cfg(feature = "egui")]
pub use egui_kittest::*;
