//! Levels that can be played.

use super::Game;
use crate::levels::Fault;
use std::fmt;
use std::ops::Deref;

/// A level on which its game found no [faults](Game::faults). [`Game::new`] takes no other, so rules
/// never check a level, and what has been checked once is passed on as such.
///
/// ```
/// use outwit_core::play::{CheckedLevel, Game};
/// use outwit_racetrack::{Racetrack, TrackFile};
///
/// let text = br#"(format: "racetrack 1", name: "Straight", map: ["S...F"])"#;
/// let level: TrackFile = outwit_core::levels::read_ron(text).unwrap();
/// let nowhere = TrackFile { map: vec!["S....".into()], ..level.clone() };
/// assert!(CheckedLevel::<Racetrack>::new(nowhere).is_err());
///
/// let level = CheckedLevel::<Racetrack>::new(level).unwrap();
/// assert!(Racetrack::new(&level, 1).is_ok());
/// ```
///
/// Rules are not made of a level that nobody has checked:
///
/// ```compile_fail
/// # use outwit_core::play::{CheckedLevel, Game};
/// # use outwit_racetrack::{Racetrack, TrackFile};
/// # let text = br#"(format: "racetrack 1", name: "Straight", map: ["S...F"])"#;
/// let level: TrackFile = outwit_core::levels::read_ron(text).unwrap();
/// assert!(Racetrack::new(&level, 1).is_ok());
/// ```
pub struct CheckedLevel<G: Game>(G::Level);

impl<G: Game> CheckedLevel<G> {
    /// Checks a level. Nothing else makes a checked one.
    ///
    /// # Errors
    /// Every fault of the level.
    pub fn new(level: G::Level) -> Result<Self, Vec<Fault>> {
        let faults = G::faults(&level);
        if faults.is_empty() { Ok(Self(level)) } else { Err(faults) }
    }

    /// The level itself, to be changed: it must be checked again then.
    pub fn into_inner(self) -> G::Level {
        self.0
    }
}

impl<G: Game> Deref for CheckedLevel<G> {
    type Target = G::Level;

    fn deref(&self) -> &G::Level {
        &self.0
    }
}

// Derived, all would ask the same of the rules.
impl<G: Game> Clone for CheckedLevel<G> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<G: Game> PartialEq for CheckedLevel<G> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<G: Game> fmt::Debug for CheckedLevel<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
