//! What Outwit's games are built on. No game and no window is known here.
//!
//! - [`escape`]: text from outside, so that nothing of it passes raw
//! - [`grid`]: cells, directions, lines, distances: plain geometry
//! - [`search`]: generic search on graphs
//! - [`platform`]: threads, clocks, files, other programs: the only place that knows them
//! - [`play`]: the contract: games, planners, clocks, referees, matches, replays
//! - [`levels`]: level files, their problems, where they are kept
//! - [`tournament`]: planners on levels and seeds: contests, journals, ratings
//!
//! Rules are pure functions over plain data: same level, same seed, same actions, same states, on every
//! machine.

mod digest;
pub mod escape;
pub mod grid;
pub mod levels;
pub mod platform;
pub mod play;
pub mod search;
pub mod tournament;
