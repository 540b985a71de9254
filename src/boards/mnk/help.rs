//! How to play, for the help.

use super::keys;
use crate::app::shell::game_guide::HowToPlay;

/// The rules of m,n,k-games and the keys of their board, for the help page.
pub const HOW_TO_PLAY: HowToPlay = HowToPlay {
    text: &[
        "Two players place stones in turn. The first to get the required number of stones in a row wins: across, down or diagonally. A full board without such a row is a draw.",
        "Some levels ask for exactly that many: a longer row does not win. Others begin with a swap, \
         to make up for the advantage of the first stone: one player places the first three stones, \
         and the other chooses which stones to play.",
        "Look for moves that threaten two things at once; the overlay Threats shows where a row can \
         be completed.",
    ],
    picture: None,
    keys: keys::rows,
};
