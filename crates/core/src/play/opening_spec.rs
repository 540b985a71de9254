//! How the games of a tournament begin, so that they differ.

use super::{CheckedLevel, Game, StopFlag};

/// Openings of a game: without them, planners without chance would play the same game on every seed.
///
/// An opening is a text of moves in the game's notation, played from the start of a level.
pub struct OpeningSpec<G: Game> {
    /// Whether openings of this level can be found.
    pub suits: fn(&G::Level) -> bool,
    /// A near-even opening for a seed, the same one on every machine. Empty if none is found or the flag
    /// is raised.
    pub find: fn(&CheckedLevel<G>, u64, &StopFlag) -> String,
    /// The level that begins after an opening. The sides are moved on by so many seats: with 1, the
    /// second seat has what the first had. Fails with the first move that breaks a rule, or if the
    /// match cannot go on.
    pub begin: BeginOpening<G>,
}

/// Gives the level that begins after an opening.
pub type BeginOpening<G> = fn(&CheckedLevel<G>, &str, usize) -> Result<<G as Game>::Level, String>;

impl<G: Game> Clone for OpeningSpec<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for OpeningSpec<G> {}
