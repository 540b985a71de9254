//! Outwit: grid games against planners.
//!
//! The map of the house; arrows point one way, from the bottom of this list to its top:
//!
//! - [`grid`]: cells, directions, lines, distances: plain geometry
//! - [`search`]: generic search on graphs
//! - [`play`]: the contract: games, planners, clocks, referees, matches, replays
//! - [`levels`]: level files, their faults, where they are kept
//! - [`games`]: one folder a game, and the registry
//! - [`editor`]: drawing levels of any game
//! - [`cli`]: the sub-commands
//! - `app` (feature `app`): the window; nothing above it names Bevy or egui
//!
//! The rules of every game are pure functions over plain data: same level, same seed, same actions,
//! same states, on every machine.

#[cfg(feature = "app")]
pub mod app;
pub mod cli;
pub mod editor;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod games;
pub mod grid;
pub mod levels;
pub mod platform;
pub mod play;
pub mod search;
pub mod tournament;
