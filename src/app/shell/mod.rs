//! The basis of every screen: window, navigation, theme, widgets, sound, settings, records. It knows no
//! screen.

pub mod activity;
pub mod assets;
pub mod commands;
pub mod controls;
pub mod daily;
pub mod everywhere;
pub mod file_choice;
pub mod file_drop;
pub mod fonts;
pub mod game_guide;
pub mod input;
pub mod keyboard;
pub mod laurel;
pub mod level;
pub mod level_rivals;
pub mod links;
pub mod load;
pub mod losses;
pub mod medals;
pub mod modal;
pub mod navigation;
pub mod notice;
pub mod notice_board;
pub mod pieces;
pub mod preview;
pub mod programs;
pub mod records;
pub mod replay_files;
pub mod rivals;
pub mod scene;
pub mod screen_reader;
pub mod screens;
pub mod seats;
pub mod settings;
pub mod sound;
pub mod store;
pub mod theme;
pub mod typing;
pub mod when;
pub mod widgets;
pub mod window;
pub mod window_picture;

pub use crate::app::requests::Screen;
pub use screens::{Frame, Pass};
