//! Outwit's window: screens, theme, match screen, boards, sound and settings. Without the feature `app`
//! there is nothing here; the rest of Outwit is in the crates that this one builds on.
//!
//! - `app`: the window itself, its screens, theme, sound and settings
//! - `boards`: how each game looks and is handled

#![cfg(feature = "app")]

pub mod app;
pub mod boards;
