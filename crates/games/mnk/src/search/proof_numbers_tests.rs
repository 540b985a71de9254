//! Proofs by numbers against plain computations that share no code with them.

use super::super::tests::{Exhaustive, empty_board, random_board};
use super::super::{Geometry, SearchBoard};
use super::{NEVER, NumberSearch, Proof};
use outwit_core::play::Clock;
use proptest::prelude::*;
use std::sync::Arc;

/// Columns, rows and stones in a row, and the stones that lie at least.
const BOARDS: [((usize, usize, usize), usize); 7] = [
    ((3, 3, 3), 0),
    ((3, 4, 3), 2),
    ((4, 4, 3), 6),
    ((4, 4, 4), 6),
    ((5, 3, 3), 5),
    ((5, 4, 4), 9),
    ((6, 2, 4), 2),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn answers_agree_with_trying_everything(
        which in 0..BOARDS.len(), seed: u64, more in 0..6_usize, slice in 1..40_u64, bits in 2..14_u32,
    ) {
        let ((width, height, k), least) = BOARDS[which];
        let (board, mut cells) = random_board((width, height, k, false), seed, least + more);
        let own = board.to_move() as u8;
        let mut plain = Exhaustive::new(width, height, k, false);
        let (value, plies) = plain.value(&mut cells, own);
        for attacker in 0..2_u8 {
            let wins = if attacker == own { value > 0 } else { value < 0 };
            let search = NumberSearch::new(board.clone(), attacker.into(), bits).unwrap();
            let mut whole = search.clone();
            let mut parts = search;
            let found = whole.run(&Clock::unlimited()).unwrap();
            let clock = Clock::unlimited();
            let in_parts = loop {
                clock.slice_of_work(slice);
                if let Some(proof) = parts.run(&clock) {
                    break proof;
                }
            };
            prop_assert_eq!(in_parts, found, "it goes on where it stopped");
            prop_assert_eq!(parts.nodes, whole.nodes);
            let Proof::Win(most) = found else {
                prop_assert!(!wins && found == Proof::No(NEVER));
                continue;
            };
            prop_assert!(wins && u32::from(most) >= plies);
            // Its line is played on the plain board, as far as it goes.
            let mut mover = own;
            let mut after = cells.clone();
            let line = whole.line();
            prop_assert!(line.len() <= usize::from(most));
            for (number, &at) in line.iter().enumerate() {
                let at = usize::from(at);
                prop_assert_eq!(after[at], 2);
                after[at] = mover;
                let has_won = plain.wins(&after, at);
                prop_assert!(!has_won || number + 1 == line.len() && mover == attacker);
                prop_assert!(has_won || number + 1 < line.len() || bits < 12, "it breaks off");
                mover = 1 - mover;
            }
        }
    }
}

#[test]
fn known_values_are_proved() {
    for (width, height, k, wins) in [
        (3, 3, 3, false),
        (3, 4, 3, true),
        (4, 4, 3, true),
        (5, 4, 4, false),
        (5, 5, 4, false),
        (6, 5, 4, true),
        (6, 6, 4, true),
        (7, 5, 4, true),
        (6, 6, 6, false),
    ] {
        let mut search = NumberSearch::new(empty_board(width, height, k), 0, 16).unwrap();
        let found = search.run(&Clock::work(5_000_000)).unwrap();
        assert_eq!(matches!(found, Proof::Win(_)), wins, "({width},{height},{k}): {found:?}");
    }
}

#[test]
#[ignore = "proves for seconds"]
fn a_long_win_on_a_low_board_is_proved() {
    let board = empty_board(9, 4, 4);
    let found = crate::solve::prove(&board, 22, &Clock::work(100_000_000)).unwrap();
    assert!(matches!(found.value, outwit_core::play::Value::Win(_)), "{found:?}");
    assert!(!found.is_shortest);
}

#[test]
fn what_does_not_fit_is_not_searched() {
    assert!(NumberSearch::new(empty_board(9, 8, 5), 0, 8).is_none());
    let exact = SearchBoard::new(Arc::new(Geometry::new(6, 6, 5, true)));
    assert!(NumberSearch::new(exact, 0, 8).is_none());
}
