//! What needs several games, or a game and what is built on it. One binary.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "across/architecture.rs"]
mod architecture;
#[path = "across/comparison.rs"]
mod comparison;
#[path = "across/editing.rs"]
mod editing;
#[path = "across/exploit.rs"]
mod exploit;
#[path = "across/formats.rs"]
mod formats;
#[path = "across/manual.rs"]
mod manual;
#[cfg(unix)]
#[path = "across/odd_files.rs"]
mod odd_files;
#[path = "across/packaging.rs"]
mod packaging;
#[path = "across/pictures.rs"]
mod pictures;
#[cfg(unix)]
#[path = "across/programs.rs"]
mod programs;
#[path = "across/recognition.rs"]
mod recognition;
#[path = "across/replays.rs"]
mod replays;
#[path = "across/search_order.rs"]
mod search_order;
#[path = "across/search_trace.rs"]
mod search_trace;
#[path = "across/solving.rs"]
mod solving;
