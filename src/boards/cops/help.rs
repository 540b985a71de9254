//! How to play cops and robber, for the help.

use super::keys;
use crate::app::shell::game_guide::HowToPlay;

/// The rules of cops and robber and the keys of its board, for the help page.
pub const HOW_TO_PLAY: HowToPlay = HowToPlay {
    text: &[
        "The thief and the cops plan a few steps ahead, all at the same time and without seeing \
         the other side's plans. Then the plans are carried out, one step per tick, and everybody \
         plans again.",
        "The cops catch the thief when one of them reaches its cell. The thief escapes when it \
         leaves the board through a gate; cops cannot.",
        "Walls and gates move by themselves from tick to tick. A wall, a block or the border stops \
         whoever runs into it; the step is lost.",
        "The thief earns more the later it is caught, and most by an early escape. The cops pay \
         what it earns.",
    ],
    picture: None,
    keys: keys::rows,
};
