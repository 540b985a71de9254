//! How each game looks and is handled at the board, one folder a game.

pub mod cops;
pub mod racetrack;

use bevy::prelude::App;

/// The games that can be played in the window, with the plugin that adds each.
pub static BOARDS: &[(&str, fn(&mut App))] =
    &[("racetrack", racetrack::plugin), ("cops", cops::plugin)];

/// Whether the game of this id has a board.
pub fn has_board(game: &str) -> bool {
    BOARDS.iter().any(|(id, _)| *id == game)
}
