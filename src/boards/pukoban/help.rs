//! How to play Pukoban, for the help.

use super::keys;
use crate::app::shell::game_guide::HowToPlay;

/// The rules of Pukoban and the keys of its board, for the help page.
pub const HOW_TO_PLAY: HowToPlay = HowToPlay {
    text: &[
        "Bring a box onto every goal. Walk into a box to push it; the cell behind it must be free.",
        "To pull a box, stand beside it and step away from it with Shift held, or in pull mode. You \
         move one box at a time, and a step never pushes and pulls at once.",
        "Whatever you push you can pull back, so no position is lost: the puzzle is to find a short \
         way. The level says what counts, steps or box moves (pushes and pulls).",
        "Some levels are of Sokoban: there, boxes can only be pushed, and a push may be for ever. The \
         panel says so, and the rule can be changed in the set-up.",
        "Taking back moves costs nothing, and neither does starting over. When you are done, the \
         review shows what each move cost against the shortest solution.",
    ],
    picture: None,
    keys: keys::rows,
};
