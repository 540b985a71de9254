//! The search against plain computations that share no code with it.

use super::proof::{NEVER, Proof, ProofSearch};
use super::pvs::{MnkSearch, SearchOptions};
use super::*;
use outwit_core::play::Clock;
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// The result for whoever is to move: 1, 0 or -1, and after how many plies.
type Result = (i32, u32);

/// Every position is searched to its end; rows are found by walking over the board.
pub(crate) struct Exhaustive {
    width: usize,
    height: usize,
    k: usize,
    exact: bool,
    known: HashMap<Vec<u8>, Result>,
}

impl Exhaustive {
    pub(crate) fn new(width: usize, height: usize, k: usize, exact: bool) -> Self {
        Self { width, height, k, exact, known: HashMap::new() }
    }

    pub(crate) fn wins(&self, cells: &[u8], at: usize) -> bool {
        let (x, y) = ((at % self.width) as i32, (at / self.width) as i32);
        let run = |dx: i32, dy: i32| {
            let own = |n: &i32| {
                let (x, y) = (x + n * dx, y + n * dy);
                x >= 0
                    && y >= 0
                    && x < self.width as i32
                    && y < self.height as i32
                    && cells[y as usize * self.width + x as usize] == cells[at]
            };
            (1..).take_while(own).count()
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| {
            let length = 1 + run(dx, dy) + run(-dx, -dy);
            if self.exact { length == self.k } else { length >= self.k }
        })
    }

    /// 0 and 1 are stones, 2 is empty; the result for `own`, which is to move.
    pub(crate) fn value(&mut self, cells: &mut Vec<u8>, own: u8) -> Result {
        let mut key = cells.clone();
        key.push(own);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut best: Option<Result> = None;
        for at in 0..cells.len() {
            if cells[at] != 2 {
                continue;
            }
            cells[at] = own;
            let result = if self.wins(cells, at) {
                (1, 1)
            } else {
                let (value, plies) = self.value(cells, 1 - own);
                (-value, plies + 1)
            };
            cells[at] = 2;
            // Quick wins and slow losses are better.
            let rank = |(value, plies): Result| (value, -(plies as i32) * value);
            if best.is_none_or(|best| rank(result) > rank(best)) {
                best = Some(result);
            }
        }
        let best = best.unwrap_or((0, 0));
        self.known.insert(key, best);
        best
    }
}

/// A board without stones, where longer rows win too.
pub(crate) fn empty_board(width: usize, height: usize, k: usize) -> SearchBoard {
    SearchBoard::new(Arc::new(Geometry::new(width, height, k, false)))
}

/// A board after random moves, none of which wins, and its cells.
pub(crate) fn random_board(
    (width, height, k, exact): (usize, usize, usize, bool),
    mut seed: u64,
    stones: usize,
) -> (SearchBoard, Vec<u8>) {
    let plain = Exhaustive::new(width, height, k, exact);
    let mut board = SearchBoard::new(Arc::new(Geometry::new(width, height, k, exact)));
    let mut cells = vec![2; width * height];
    let mut own = 0;
    for _ in 0..20 * stones {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (seed >> 33) as usize % cells.len();
        if cells.iter().filter(|&&cell| cell != 2).count() == stones {
            break;
        }
        if cells[at] != 2 {
            continue;
        }
        cells[at] = own;
        if plain.wins(&cells, at) {
            cells[at] = 2;
            continue;
        }
        board.play(at);
        own = 1 - own;
    }
    (board, cells)
}

fn boards() -> impl Strategy<Value = (usize, usize, usize, bool)> {
    (1..9_usize, 1..9_usize, 1..7_usize, any::<bool>())
}

/// All that a board says, in an order that does not depend on its past.
fn facts(board: &SearchBoard) -> impl PartialEq + std::fmt::Debug + use<> {
    let cells = board.geometry().cells();
    let list = |kind: usize, missing: usize| {
        let mut list = board.lacking(kind, missing).to_vec();
        list.sort_unstable();
        list
    };
    let mut near = board.near_cells().to_vec();
    near.sort_unstable();
    (
        (board.score(), board.alive(), board.empty(), board.to_move(), board.canonical()),
        [0, 1].map(|kind| (board.can_be_stopped(kind), [1, 2, 3].map(|n| list(kind, n)))),
        [0, 1].map(|kind| (0..cells).map(|at| board.heat(kind, at)).collect::<Vec<_>>()),
        near,
    )
}

proptest! {
    #[test]
    fn a_board_does_not_depend_on_its_past(kind in boards(), seed: u64, stones in 0..30_usize) {
        let (mut board, cells) = random_board(kind, seed, stones);
        let before = facts(&board);
        // There and back again.
        let moves: Vec<usize> = (0..cells.len()).filter(|&at| cells[at] == 2).collect();
        moves.iter().for_each(|&at| board.play(at));
        moves.iter().for_each(|_| board.undo());
        prop_assert_eq!(&facts(&board), &before);
        // The same stones in another order.
        let mut again = SearchBoard::new(Arc::new(board.geometry().clone()));
        let mut by_kind: [Vec<usize>; 2] = [0, 1].map(|stone| {
            (0..cells.len()).rev().filter(|&at| cells[at] == stone).collect()
        });
        while let Some(at) = by_kind[again.to_move()].pop() {
            again.play(at);
        }
        prop_assert_eq!(&facts(&again), &before);
    }

    #[test]
    fn symmetries_have_one_hash(kind in boards(), seed: u64, stones in 0..20_usize, pick: usize) {
        let (board, cells) = random_board(kind, seed, stones);
        let geometry = Arc::new(board.geometry().clone());
        let moved = &geometry.symmetries[pick % geometry.symmetries.len()];
        let mut by_kind: [Vec<usize>; 2] = [0, 1].map(|stone| {
            (0..cells.len()).filter(|&at| cells[at] == stone).map(|at| moved[at].into()).collect()
        });
        let mut mirrored = SearchBoard::new(Arc::clone(&geometry));
        while let Some(at) = by_kind[mirrored.to_move()].pop() {
            mirrored.play(at);
        }
        prop_assert_eq!(board.canonical().0, mirrored.canonical().0);
    }
}

/// Boards whose positions can be searched to the end, and the stones from which on.
/// Columns, rows, k and whether exactly k win.
type Board = (usize, usize, usize, bool);

const SMALL: &[(Board, usize)] = &[
    ((3, 3, 3, false), 0),
    ((3, 4, 3, false), 2),
    ((4, 4, 3, false), 6),
    ((4, 4, 4, false), 6),
    ((5, 3, 3, true), 5),
    ((6, 2, 4, false), 2),
    ((7, 1, 3, true), 0),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn proofs_agree_with_exhaustive_search(
        which in 0..SMALL.len(), seed: u64, more in 0..6_usize, last_depth in 1..20_u8,
        limited in prop_oneof![Just(u64::MAX), 0..300_u64],
    ) {
        let (kind, least) = SMALL[which];
        let (board, mut cells) = random_board(kind, seed, least + more);
        let own = board.to_move() as u8;
        let mut plain = Exhaustive::new(kind.0, kind.1, kind.2, kind.3);
        let (value, plies) = plain.value(&mut cells, own);
        for attacker in 0..2 {
            let mut search =
                ProofSearch::new(board.clone(), attacker, last_depth, 12).limited_for(limited);
            let found = search.run(&Clock::unlimited()).unwrap();
            let wins = if attacker == usize::from(own) { value > 0 } else { value < 0 };
            match found {
                Proof::Win(found) => {
                    prop_assert!(wins);
                    prop_assert!(u32::from(found) >= plies);
                    if search.is_shortest() {
                        prop_assert_eq!(u32::from(found), plies);
                    }
                }
                Proof::No(never) => {
                    prop_assert!(!wins && never == NEVER);
                }
            }
        }
    }

    #[test]
    fn a_search_to_the_last_cell_is_exact(
        which in 0..SMALL.len(), seed: u64, more in 0..6_usize,
        slices in prop_oneof![Just(None), (1..300_u64, 1..300_u64).prop_map(Some)],
    ) {
        let (kind, least) = SMALL[which];
        let (board, mut cells) = random_board(kind, seed, least + more);
        if board.empty() == 0 {
            return Ok(());
        }
        let own = board.to_move() as u8;
        let mut plain = Exhaustive::new(kind.0, kind.1, kind.2, kind.3);
        let (value, _) = plain.value(&mut cells, own);
        let options = SearchOptions { depth: 200, width: 20, fours: 100, threes: 1000, table_bits: 12 };
        let mut search = MnkSearch::new(board, options);
        if let Some((own, others)) = slices {
            run_beside(&mut search, own, others);
        }
        search.run(&Clock::unlimited());
        let best = usize::from(search.best());
        prop_assert_eq!(cells[best], 2);
        let found = match search.value() {
            FORCED.. => 1,
            ..=-900_000 => -1,
            _ => 0,
        };
        prop_assert_eq!(found, value);
        cells[best] = own;
        let after = if plain.wins(&cells, best) { 1 } else { -plain.value(&mut cells, 1 - own).0 };
        prop_assert_eq!(after, value, "its move keeps the value");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Moves that were pruned, reduced or not listed prove nothing.
    #[test]
    fn forced_values_of_a_selective_search_are_true(
        which in 0..SMALL.len(), seed: u64, more in 0..6_usize, width in 2..20_usize,
        fours in prop_oneof![Just(0_u64), Just(20)], others in prop_oneof![Just(0_u64), 1..100_u64],
    ) {
        let (kind, least) = SMALL[which];
        let (board, mut cells) = random_board(kind, seed, least + more);
        if board.empty() == 0 {
            return Ok(());
        }
        let own = board.to_move() as u8;
        let mut plain = Exhaustive::new(kind.0, kind.1, kind.2, kind.3);
        let (value, plies) = plain.value(&mut cells, own);
        let options = SearchOptions { depth: 12, width, fours, threes: 10 * fours, table_bits: 12 };
        let mut search = MnkSearch::new(board, options).always_selective();
        let mut beside = search.beside();
        let mut depth = 0;
        let mut work = 0;
        while !search.is_done() && work < 3_000 {
            beside.run(&Clock::work(others));
            search.run(&Clock::work(50));
            work += 50;
            match search.value() {
                FORCED.. => prop_assert_eq!(value, 1),
                ..=-900_000 => prop_assert_eq!(value, -1),
                _ => {}
            }
            for found in &search.iterations()[depth..] {
                prop_assert!(found.value < FORCED || value == 1);
                prop_assert!(found.value > -FORCED || value == -1);
            }
            depth = search.iterations().len();
            for choice in search.root_moves().iter().filter(|choice| choice.value <= -FORCED) {
                let at = usize::from(choice.cell);
                cells[at] = own;
                let is_lost = !plain.wins(&cells, at) && plain.value(&mut cells, 1 - own).0 == 1;
                cells[at] = 2;
                prop_assert!(is_lost, "{at} does not lose");
            }
        }
        if (value, plies) == (1, 1) {
            prop_assert_eq!(search.value(), WIN - 1, "a win at once is seen");
            cells[usize::from(search.best())] = own;
            prop_assert!(plain.wins(&cells, usize::from(search.best())));
        }
    }
}

/// Lets a search and one beside it take turns until either is done.
fn run_beside(search: &mut MnkSearch, own: u64, others: u64) {
    let mut beside = search.beside();
    while !search.is_done() && !beside.is_done() {
        beside.run(&Clock::work(others));
        search.run(&Clock::work(own));
    }
}

#[test]
fn a_search_beside_another_one_saves_it_work() {
    let options = SearchOptions { depth: 8, width: 20, fours: 20, threes: 0, table_bits: 18 };
    let [alone, helped] = [false, true].map(|helped| {
        let mut board = empty_board(15, 15, 5);
        [112, 97, 128].into_iter().for_each(|cell| board.play(cell));
        let mut search = MnkSearch::new(board, options);
        if helped {
            search.beside().run(&Clock::unlimited());
        }
        search.run(&Clock::unlimited());
        search.nodes()
    });
    assert!(2 * helped < alone, "{helped} of {alone}");
}

#[test]
fn known_values_are_proved() {
    // Rows, columns, k, and whether the first player wins; larger ones are measured by `outwit bench`.
    let known = [
        (3, 3, 3, false),
        (4, 3, 3, true),
        (4, 4, 3, true),
        (4, 4, 4, false),
        (5, 4, 4, false),
        (5, 5, 4, false),
        (5, 5, 5, false),
        (6, 5, 5, false),
        (6, 5, 4, true),
        (6, 6, 4, true),
        (6, 6, 6, false),
        (7, 7, 6, false),
        (7, 7, 7, false),
    ];
    for (height, width, k, wins) in known {
        let board = empty_board(width, height, k);
        let mut search = ProofSearch::new(board, 0, 11, 16);
        let found = search.run(&Clock::unlimited()).unwrap();
        assert_eq!(matches!(found, Proof::Win(_)), wins, "{height},{width},{k}: {found:?}");
        assert_eq!(found == Proof::No(NEVER), !wins, "{height},{width},{k}: {found:?}");
    }
}
