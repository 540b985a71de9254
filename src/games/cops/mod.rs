//! Cops and robber among wandering walls and gates, after the original program's rules.
//!
//! Both sides plan k steps blindly and at once. The plain planners follow the original report and
//! the literature that they cite; `schemer` and `marshal` solve the game of plans as a matrix game.

pub mod atlas;
pub mod board;
pub mod level;
pub mod ring;
pub mod rules;
mod start;
#[cfg(test)]
mod tests;
