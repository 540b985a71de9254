//! The basis of every screen: window, navigation, theme, widgets, sound, settings, records.

pub mod activity;
pub mod fonts;
pub mod input;
pub mod keys;
pub mod load;
pub mod modal;
pub mod navigation;
pub mod notice;
pub mod pieces;
pub mod preview;
pub mod records;
pub mod screens;
pub mod settings;
pub mod sound;
pub mod store;
pub mod theme;
pub mod typing;
pub mod widgets;
pub mod window;

pub use screens::{Frame, Pass, Screen};
