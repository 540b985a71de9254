//! How to play Stealth, for the help.

use super::keys;
use crate::app::shell::game_guide::HowToPlay;

/// The rules of Stealth and the keys of its board, for the help page.
pub const HOW_TO_PLAY: HowToPlay = HowToPlay {
    text: &[
        "Draw a path for the thief from where it stands to the chest. It goes up, down, left or right, \
         never through walls or guards, and enters no cell twice.",
        "Every cell costs something to enter: 1.5 on free ground, 3 on difficult terrain, 4.5 over an \
         obstacle. Each guard that sees a cell adds to its cost, most of all close by: a third from \
         afar, four thirds right beside it. Only walls block its sight.",
        "Of two paths to the chest, the cheaper one is better. Planners rate every path, also one that \
         ends before the chest, by its fitness: what the cells cost, less a reward for every cell that \
         it gets away from the start, with a bonus at the goal; lower is better.",
        "On levels with fog the thief knows only the goal and what it has seen, and goes step by step. \
         Cells in its sight stay known, and so does the loop of a guard on patrol.",
        "Then compare your path with what evolution found and with the best path there is.",
    ],
    picture: None,
    keys: keys::rows,
};
