//! The weak game against a plain computation that shares no code with its search.

use super::super::tests::{Exhaustive, empty_board, random_board};
use super::super::{Geometry, SearchBoard};
use super::{Answer, BreakerSearch, bits};
use outwit_core::play::Clock;
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// Columns, rows and stones in a row; the stones that lie at least, so that the plain computation ends soon.
const BOARDS: [((usize, usize, usize), usize); 6] = [
    ((3, 3, 3), 0),
    ((4, 3, 3), 2),
    ((4, 4, 3), 6),
    ((4, 4, 4), 5),
    ((5, 3, 3), 5),
    ((5, 4, 4), 9),
];

/// Who wins the weak game, by trying everything. Cells hold 0 for the Maker, 1 for the Breaker and 2 for none.
struct Plain {
    rules: Exhaustive,
    known: HashMap<(Vec<u8>, bool), bool>,
}

impl Plain {
    fn new((width, height, k): (usize, usize, usize)) -> Self {
        Self { rules: Exhaustive::new(width, height, k, false), known: HashMap::new() }
    }

    fn maker_wins(&mut self, cells: &mut Vec<u8>, is_makers_turn: bool) -> bool {
        let key = (cells.clone(), is_makers_turn);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        // Whoever is to move looks for a cell that is good for it; without any cell the Breaker has won.
        let mut wins = !is_makers_turn && cells.contains(&2);
        for at in (0..cells.len()).filter(|&at| key.0[at] == 2) {
            cells[at] = u8::from(!is_makers_turn);
            let after = is_makers_turn && self.rules.wins(cells, at)
                || self.maker_wins(cells, !is_makers_turn);
            cells[at] = 2;
            if after == is_makers_turn {
                wins = is_makers_turn;
                break;
            }
        }
        self.known.insert(key, wins);
        wins
    }
}

fn answer(search: &mut BreakerSearch) -> Answer {
    let root = search.root.clone();
    let clock = Clock::unlimited();
    if search.is_makers_turn {
        search.glance(&root, &clock).unwrap_or_else(|_| search.make(&root, u64::MAX, &clock))
    } else {
        search.break_up(&root, u64::MAX, &clock)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Who wins is right, and it stays so whatever stones of the loser lie outside of the zone.
    #[test]
    fn answers_and_zones_hold_against_trying_everything(
        which in 0..BOARDS.len(), seed: u64, more in 0..5_usize, maker in 0..2_usize, extra: u64,
    ) {
        let ((width, height, k), least) = BOARDS[which];
        let (board, stones) = random_board((width, height, k, false), seed, least + more);
        let mut cells: Vec<u8> =
            stones.iter().map(|&stone| if stone == 2 { 2 } else { u8::from(usize::from(stone) != maker) }).collect();
        let is_makers_turn = board.to_move() == maker;
        let mut plain = Plain::new((width, height, k));
        let wins = plain.maker_wins(&mut cells, is_makers_turn);
        let mut search = BreakerSearch::new(&board, maker, 8).unwrap();
        let (zone, loser) = match answer(&mut search) {
            Answer::Maker(zone) => {
                prop_assert!(wins);
                (zone, 1)
            }
            Answer::Breaker(zone) => {
                prop_assert!(!wins);
                (zone, 0)
            }
            Answer::Unknown => return Err(TestCaseError::fail("nothing limits it")),
        };
        let mut changed = false;
        for at in 0..cells.len() {
            if cells[at] == 2 && zone >> at & 1 == 0 && extra >> at & 1 == 1 {
                cells[at] = loser;
                changed = true;
                // No row of the Maker may be complete already.
                prop_assert!(loser == 1 || !plain.rules.wins(&cells, at));
            }
        }
        if changed {
            prop_assert_eq!(plain.maker_wins(&mut cells, is_makers_turn), wins, "zone {:b}", zone);
        }
    }

    /// Whoever is stopped in the weak game does not win the real one.
    #[test]
    fn whoever_is_stopped_does_not_win(which in 0..BOARDS.len(), seed: u64, more in 0..5_usize, maker in 0..2_usize) {
        let ((width, height, k), least) = BOARDS[which];
        let (board, mut cells) = random_board((width, height, k, false), seed, least.max(4) + more);
        let own = board.to_move() as u8;
        let (value, _) = Exhaustive::new(width, height, k, false).value(&mut cells, own);
        let wins = if usize::from(own) == maker { value > 0 } else { value < 0 };
        let mut search = BreakerSearch::new(&board, maker, 8).unwrap();
        let stops = search.stops(u64::MAX, &Clock::unlimited());
        prop_assert!(stops.is_some() && !(wins && stops == Some(true)));
    }
}

/// The draws by Hsu, Ko and others (2018), and wins of the Maker that are well known.
#[test]
fn published_results_are_found() {
    for (width, height, k, stops) in [
        (3, 3, 3, false),
        (4, 4, 4, true),
        (5, 5, 4, false),
        (6, 6, 5, true),
        (7, 6, 5, true),
        (7, 7, 5, true),
    ] {
        let mut search = BreakerSearch::new(&empty_board(width, height, k), 0, 16).unwrap();
        assert_eq!(
            search.stops(u64::MAX, &Clock::unlimited()),
            Some(stops),
            "({width},{height},{k})"
        );
    }
}

#[test]
fn what_does_not_fit_is_not_searched() {
    assert!(BreakerSearch::new(&empty_board(9, 8, 5), 0, 8).is_none());
    let exact = SearchBoard::new(Arc::new(Geometry::new(6, 6, 5, true)));
    assert!(BreakerSearch::new(&exact, 0, 8).is_none());
}

#[test]
fn it_ends_with_the_clock_or_its_share_and_says_nothing() {
    let board = empty_board(8, 8, 5);
    for (share, work) in [(u64::MAX, 500), (500, u64::MAX), (0, u64::MAX)] {
        let clock = Clock::work(work);
        let mut search = BreakerSearch::new(&board, 0, 8).unwrap();
        assert_eq!(search.stops(share, &clock), None);
        assert!(clock.used() <= 500 + 4 * 64, "{}", clock.used());
    }
}

#[test]
fn sets_of_cells_are_gone_through_in_order() {
    assert_eq!(bits(0b1010_0001_u64).collect::<Vec<_>>(), [0, 5, 7]);
}
