//! How fast rules and planners are on this machine.
//!
//! A game has a module here if there is more to measure than how quickly it is played and searched.

mod cops;
mod generic;
mod mnk;
mod outlooks;
mod pukoban;
mod racetrack;
mod stealth;

pub use mnk::{PositionRow, search_positions};

use outwit_cops::Cops;
use outwit_core::play::{CheckedLevel, Game};
use outwit_kit::{DynGame, GameSpec, read_level};
use outwit_levels::built_in;
use outwit_mnk::Mnk;
use outwit_pukoban::Pukoban;
use outwit_racetrack::Racetrack;
use outwit_stealth::Stealth;

/// One measure.
#[derive(Clone, PartialEq, Debug)]
pub struct BenchRow {
    /// What was measured.
    pub measure: String,
    /// The figure.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
}

/// Measures the speed of a game, and calls back with each figure as it comes.
pub fn bench(game: &dyn DynGame, row: &mut dyn FnMut(BenchRow)) {
    match game.id() {
        Racetrack::ID => racetrack::bench(row),
        Cops::ID => cops::bench(row),
        Pukoban::ID => pukoban::bench(row),
        Stealth::ID => stealth::bench(row),
        Mnk::ID => mnk::bench(row),
        _ => {
            let id = game.first_level();
            if let Some(bytes) = level_file(&id) {
                generic::bench(game, &id, &bytes, row);
            }
        }
    }
}

fn level_file(id: &str) -> Option<Vec<u8>> {
    built_in(id)?.bytes().ok()
}

/// A built-in level.
fn level<G: GameSpec>(id: &str) -> Option<CheckedLevel<G>> {
    read_level::<G>(&level_file(id)?, id).ok()
}
