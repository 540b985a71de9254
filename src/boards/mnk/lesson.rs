//! The lesson of k in a row: completing a row, blocking one, a double threat, and a win.

use crate::app::match_screen::{LessonStatus, LessonStep};
use outwit_core::play::Match;
use outwit_mnk::{Mnk, MnkAction, MnkState, Stone};

/// The steps, the easiest first.
pub const LESSON: &[LessonStep<Mnk>] = &[
    LessonStep {
        title: "Complete a row",
        task: "Four in a row win here: across, down or diagonally. You play X and have three. Click the \
               cell that completes the row, or go there with the arrow keys and press Enter.",
        praise: "Four in a row! Each level says how many it takes.",
        rules: "(k: 4)",
        map: THREE_IN_A_ROW,
        players: PLAYERS,
        status: |game| after_stone(game, |_, state| state.winner() == Some(Stone::X), MISSED),
    },
    LessonStep {
        title: "Block",
        task: "O has three in a row and one end is free. Place your X there, or O wins with the next stone.",
        praise: "Blocked in time. Look for such threats before every stone of yours.",
        rules: "(k: 4)",
        map: ROW_OF_THE_OTHER,
        players: PLAYERS,
        status: |game| {
            after_stone(game, |game, state| winning(game, state, Stone::O) == 0, NOT_BLOCKED)
        },
    },
    LessonStep {
        title: "Make two threats",
        task: "One threat is easy to block; two at once are not. Place an X after which you could complete a \
               row in two places.",
        praise: "Two threats! O can block only one of them.",
        rules: "(k: 4)",
        map: TWO_LINES,
        players: PLAYERS,
        status: |game| {
            after_stone(game, |game, state| winning(game, state, Stone::X) >= 2, ONE_THREAT)
        },
    },
    LessonStep {
        title: "Win",
        task: "Now win: make two threats with one X. Then complete the row that O has left open.",
        praise: "Won! Good players build such double threats many stones ahead.",
        rules: "(k: 4)",
        map: LINES_THAT_CROSS,
        // Unlike the planner of the other steps it defends a lost position.
        players: &["human", "club"],
        status: |game| match (game.outcome(), game.state().winner()) {
            (_, Some(Stone::X)) => LessonStatus::Done,
            (Some(_), _) => LessonStatus::Failed(LOST),
            (None, _) => LessonStatus::Open,
        },
    },
];

/// The person has X, a planner O.
const PLAYERS: &[&str] = &["human", "classic"];

/// X has three in a row, and one end is free.
#[rustfmt::skip]
const THREE_IN_A_ROW: &[&str] = &[
    "......",
    "......",
    "OXXX..",
    "..O...",
    "...O..",
    "......",
];

/// O has three in a row, and one end is free.
#[rustfmt::skip]
const ROW_OF_THE_OTHER: &[&str] = &[
    "......",
    ".X....",
    ".OOOX.",
    "..X...",
    "......",
    "......",
];

/// A column and a row of X that meet in an empty cell.
#[rustfmt::skip]
const TWO_LINES: &[&str] = &[
    "O.O...",
    "..X...",
    "..X...",
    "...XXO",
    "......",
    "....O.",
];

/// A diagonal and a column of X that meet in an empty cell.
#[rustfmt::skip]
const LINES_THAT_CROSS: &[&str] = &[
    "O.....",
    ".X...O",
    "..X..O",
    "......",
    "O..X..",
    "...X..",
];

const MISSED: &str = "That did not complete the row. Look at both ends of your three.";
const NOT_BLOCKED: &str = "O can still complete its row, and wins.";
const ONE_THREAT: &str =
    "That is not two threats at once, so O can defend. Look for a cell on two of your lines.";
const LOST: &str = "That is not won. Look for a cell on two of your lines.";

/// How a step stands that is about the person's first stone: whether it does what it should.
fn after_stone(
    played: &Match<Mnk>,
    does: fn(&Mnk, &MnkState) -> bool,
    otherwise: &'static str,
) -> LessonStatus {
    match played.state_at(1) {
        None => LessonStatus::Open,
        Some(state) if does(played.game(), state) => LessonStatus::Done,
        Some(_) => LessonStatus::Failed(otherwise),
    }
}

/// In how many cells a stone of this kind would win at once.
fn winning(game: &Mnk, state: &MnkState, stone: Stone) -> usize {
    (0..state.stones.len())
        .filter(|at| {
            let action = MnkAction::Place(game.cell_at(*at));
            let mut after = MnkState { to_move: stone, ..state.clone() };
            if game.check(&after, action).is_ok() {
                game.take(&mut after, action, &mut Vec::new());
            }
            after.winner() == Some(stone)
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::match_screen::lesson_tests::{goes_wrong, is_learnt};
    use outwit_core::grid::Cell;

    fn stones(cells: &[(i32, i32)]) -> Vec<MnkAction> {
        cells.iter().map(|&(x, y)| MnkAction::Place(Cell::new(x, y))).collect()
    }

    #[test]
    fn the_lesson_is_learnt() {
        is_learnt::<Mnk>(&[
            stones(&[(4, 2)]),
            stones(&[(0, 2)]),
            stones(&[(2, 3)]),
            stones(&[(3, 3), (4, 4)]),
        ]);
    }

    #[test]
    fn what_goes_wrong_is_told() {
        for (step, cell, why) in
            [(0, (4, 3), MISSED), (1, (0, 0), NOT_BLOCKED), (2, (5, 5), ONE_THREAT)]
        {
            goes_wrong::<Mnk>(step, stones(&[cell]), why);
        }
    }
}
