//! Seats by their names.

use super::arguments::short;
use super::error;
use outwit_kit::DynGame;
use pyo3::PyResult;

/// The names of the first seats of a game.
pub fn names(kind: &dyn DynGame, seats: usize) -> Vec<String> {
    (0..seats).map(|seat| kind.seat(seat).id).collect()
}

/// The seat of this name among the first seats of a game.
pub fn find(kind: &dyn DynGame, seats: usize, name: &str) -> PyResult<usize> {
    position(&names(kind, seats), name)
}

/// The seat of this name among others.
pub fn position(names: &[String], name: &str) -> PyResult<usize> {
    let found = names.iter().position(|known| known == name);
    found.ok_or_else(|| {
        error(format!("there is no seat '{}'; choose from {}", short(name), names.join(", ")))
    })
}
