//! Wins by fours on sets of cells against a plain computation that shares no code with them.

use super::super::Geometry;
use super::super::tests::{Exhaustive, random_board};
use super::ForcingSearch;
use proptest::prelude::*;

/// Columns, rows and stones in a row, and the stones that lie at least.
const BOARDS: [((usize, usize, usize), usize); 5] =
    [((4, 4, 3), 5), ((5, 3, 3), 4), ((5, 4, 4), 9), ((6, 3, 3), 8), ((7, 2, 4), 2)];

/// The search for a board, and the sets of stones of both sides.
fn sets((width, height, k): (usize, usize, usize), cells: &[u8]) -> (ForcingSearch, [u64; 2]) {
    let geometry = Geometry::new(width, height, k, false);
    let stones = |own: u8| {
        (0..cells.len()).filter(|&at| cells[at] == own).fold(0, |set, cell| set | 1 << cell)
    };
    (ForcingSearch::new(geometry.window_sets()), [stones(0), stones(1)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// A win is one within its number of plies, and stays so with one more stone of the defender outside of its zone.
    #[test]
    fn wins_and_zones_hold_against_trying_everything(
        which in 0..BOARDS.len(), seed: u64, more in 0..6_usize, attacker in 0..2_u8,
    ) {
        let (kind, least) = BOARDS[which];
        let (width, height, k) = kind;
        let (_, mut cells) = random_board((width, height, k, false), seed, least + more);
        let (mut search, stones) = sets(kind, &cells);
        let stones = [stones[usize::from(attacker)], stones[usize::from(1 - attacker)]];
        let mut plain = Exhaustive::new(width, height, k, false);
        let (value, plies) = plain.value(&mut cells, attacker);
        let (Some(win), _) = search.win(stones, 1_000) else {
            prop_assert!(value < 1 || plies > 3, "nothing but fours wins within three plies");
            return Ok(());
        };
        prop_assert!(value == 1 && plies <= u32::from(win.plies));
        for at in (0..cells.len()).filter(|at| win.zone >> at & 1 == 0) {
            if cells[at] != 2 {
                continue;
            }
            cells[at] = 1 - attacker;
            if plain.wins(&cells, at) {
                // Whoever wins at once does not look at what the other could do.
                prop_assert_eq!(win.plies, 1);
                cells[at] = 2;
                continue;
            }
            let (value, plies) = plain.value(&mut cells, attacker);
            prop_assert!(value == 1 && plies <= u32::from(win.plies), "{at} in {:b}", win.zone);
            cells[at] = 2;
        }
    }
}
