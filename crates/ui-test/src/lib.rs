//! Finds and uses the widgets of a panel by name, as a person would. A crate of its own, so
//! that all tests of panels have the same harness.

#[cfg(feature = "egui")]
pub use egui_kittest::*;
