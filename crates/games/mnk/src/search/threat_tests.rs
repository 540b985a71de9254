//! Lines, boards of patterns and forced wins against plain computations that share no code with them.

use super::attack::{Means, ThreatSearch, answers};
use super::patterns::{FIVE, FOUR, OPEN_FOUR, OPEN_THREE};
use super::tests::{Exhaustive, random_board};
use super::worth::ThreatKind;
use super::*;
use proptest::prelude::*;

/// Whether a row of k is filled at `at`, by walking both ways.
fn is_five(cells: &[u8], at: usize, k: usize, exact: bool) -> bool {
    let after = cells[at..].iter().take_while(|&&cell| cell == cells[at]).count();
    let before = cells[..at].iter().rev().take_while(|&&cell| cell == cells[at]).count();
    if exact { before + after == k } else { before + after >= k }
}

/// The cells of a line on which a stone satisfies `good` once it is placed.
fn cells_where(cells: &[u8], own: u8, good: impl Fn(&[u8], usize) -> bool) -> Vec<usize> {
    let mut cells = cells.to_vec();
    let empty: Vec<usize> = (0..cells.len()).filter(|&at| cells[at] == 2).collect();
    let mut found = Vec::new();
    for at in empty {
        cells[at] = own;
        if good(&cells, at) {
            found.push(at);
        }
        cells[at] = 2;
    }
    found
}

/// A line of cells: 0 and 1 are stones, 2 is empty. Its class by what can follow.
fn plain_class(cells: &[u8], at: usize, own: u8, k: usize, exact: bool) -> u8 {
    let wins = |cells: &[u8], at: usize| is_five(cells, at, k, exact);
    let fives = |cells: &[u8]| cells_where(cells, own, wins).len();
    let mut after = cells.to_vec();
    after[at] = own;
    if wins(&after, at) {
        return FIVE;
    }
    match fives(&after) {
        0 => {}
        1 => return FOUR,
        _ => return OPEN_FOUR,
    }
    let open_fours = |cells: &[u8]| cells_where(cells, own, |cells, _| fives(cells) >= 2).len();
    if open_fours(&after) > 0 { OPEN_THREE } else { 0 }
}

proptest! {
    #[test]
    fn fours_and_threes_are_what_they_promise(
        k in 3..7_usize, contents in proptest::collection::vec(0..6_u8, 1..15), pick: usize,
    ) {
        // Half of the cells are empty; a board of one row is a line with walls at its ends.
        let cells: Vec<u8> = contents.iter().map(|&content| content.min(2)).collect();
        let at = pick % cells.len();
        let exists = |own: u8| !cells_where(&cells, own, |c, at| is_five(c, at, k, false)).is_empty();
        prop_assume!(cells[at] == 2 && !exists(0) && !exists(1));
        prop_assume!(!(0..cells.len()).any(|at| cells[at] != 2 && is_five(&cells, at, k, false)));
        let mut patterns = super::patterns::Patterns::new(k, false);
        let content = |offset: i32| {
            let at = usize::try_from(at as i32 + offset).ok().and_then(|at| cells.get(at));
            at.map_or(3, |&cell| if cell == 2 { 0 } else { cell + 1 })
        };
        let reach = patterns.reach() as i32;
        let offsets = (-reach..=reach).filter(|&offset| offset != 0);
        let packed = offsets.enumerate().fold(0, |line, (place, offset)| {
            line | u64::from(content(offset)) << (2 * place)
        });
        let classes = patterns.of_packed(packed);
        prop_assert_eq!(classes, patterns.of_line(content));
        prop_assert_eq!(classes, patterns.of_packed(packed), "once more, from memory");
        for own in 0..2 {
            let found = classes >> (4 * own) & 15;
            let plain = plain_class(&cells, at, own, k, false);
            if found >= FOUR || plain >= FOUR {
                prop_assert_eq!(found, plain);
            } else if found == OPEN_THREE {
                prop_assert_eq!(plain, OPEN_THREE);
            }
        }
    }
}

/// Everything that a board says, in an order that does not depend on its past.
fn facts(board: &PatternBoard) -> impl PartialEq + std::fmt::Debug + use<> {
    let cells = board.geometry().cells();
    let lists = [0, 1].map(|kind| {
        let threats = [ThreatKind::Three, ThreatKind::Four, ThreatKind::OpenFour, ThreatKind::Five];
        threats.map(|threat| {
            let mut list = board.cells_with(kind, threat).to_vec();
            list.sort_unstable();
            list
        })
    });
    let classes = [0, 1]
        .map(|kind| (0..cells).map(|cell| board.line_classes(kind, cell)).collect::<Vec<_>>());
    let mut near = board.near_cells().to_vec();
    near.sort_unstable();
    (lists, classes, near, board.evaluation(), board.key(), board.empty(), board.to_move())
}

proptest! {
    #[test]
    fn patterns_do_not_depend_on_the_past(
        width in 1..9_usize, height in 1..9_usize, k in 1..20_usize, exact: bool, seed: u64,
        stones in 0..30_usize,
    ) {
        let k = if k > 8 { k + 10 } else { k };
        let (windows, cells) = random_board((width, height, k, exact), seed, stones);
        let mut board = PatternBoard::like(&windows);
        board.set_up(&windows);
        let before = facts(&board);
        let moves: Vec<usize> = (0..cells.len()).filter(|&at| cells[at] == 2).collect();
        moves.iter().for_each(|&at| board.play(at));
        moves.iter().for_each(|_| board.undo());
        prop_assert_eq!(&facts(&board), &before);
        // Cells that win, by walking over the board.
        let plain = Exhaustive::new(width, height, k, exact);
        for kind in 0..2_u8 {
            let mut cells = cells.clone();
            let mut wins = Vec::new();
            for &at in &moves {
                cells[at] = kind;
                if plain.wins(&cells, at) {
                    wins.push(at as u16);
                }
                cells[at] = 2;
            }
            let mut found = board.cells_with(kind.into(), ThreatKind::Five).to_vec();
            found.sort_unstable();
            prop_assert_eq!(found, wins);
        }
    }
}

proptest! {
    #[test]
    fn a_stone_is_judged_without_being_placed(
        width in 1..9_usize, height in 1..9_usize, k in 1..20_usize, exact: bool, seed: u64,
        stones in 0..30_usize,
    ) {
        let (windows, cells) = random_board((width, height, k, exact), seed, stones);
        let mut board = PatternBoard::like(&windows);
        board.set_up(&windows);
        let before = facts(&board);
        let wins = |board: &PatternBoard, kind: usize, threats: &[ThreatKind]| {
            threats.iter().any(|&threat| !board.cells_with(kind, threat).is_empty())
        };
        let soon = [ThreatKind::Five, ThreatKind::OpenFour];
        let own = board.to_move();
        let is_calm = !wins(&board, 0, &soon) && !wins(&board, 1, &soon);
        for at in (0..cells.len()).filter(|&at| cells[at] == 2) {
            let key = board.key_after(at);
            let evaluation = if is_calm { board.quiet_evaluation(at) } else { None };
            let counts = !wins(&board, own, &soon[..1]) && board.threat(own, at) < ThreatKind::Five;
            let (number, gaps) = if counts { board.gaps_after(own, at) } else { (0, [NO_CELL; 2]) };
            prop_assert_eq!(&facts(&board), &before);
            board.play(at);
            prop_assert_eq!(key, board.key());
            if is_calm {
                let is_quiet = !wins(&board, own, &soon);
                prop_assert_eq!(evaluation, is_quiet.then(|| board.evaluation()));
            }
            if counts {
                let fives = board.cells_with(own, ThreatKind::Five);
                prop_assert_eq!(number, fives.len());
                let listed: Vec<u16> = gaps.into_iter().filter(|&gap| gap != NO_CELL).collect();
                prop_assert_eq!(listed.len(), number.min(2));
                prop_assert!(listed.iter().all(|gap| fives.contains(gap)));
            }
            board.undo();
        }
    }
}

/// Rows, columns, stones in a row, and whether exactly so many.
type SmallBoard = (usize, usize, usize, bool);

/// Boards whose positions can be searched to the end, and the stones from which on.
const SMALL: &[(SmallBoard, usize)] = &[
    ((4, 4, 3, false), 4),
    ((4, 4, 3, true), 5),
    ((5, 4, 4, false), 9),
    ((5, 3, 3, true), 3),
    ((5, 3, 3, false), 3),
    ((9, 1, 3, false), 0),
    ((7, 2, 4, true), 2),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn wins_by_threats_are_wins(
        which in 0..SMALL.len(), seed: u64, more in 0..6_usize, means in 0..3_usize,
        stones in 1..7_u32,
    ) {
        let (kind, least) = SMALL[which];
        let (windows, mut cells) = random_board(kind, seed, least + more);
        let mut board = PatternBoard::like(&windows);
        board.set_up(&windows);
        let before = facts(&board);
        let own = board.to_move() as u8;
        let mut plain = Exhaustive::new(kind.0, kind.1, kind.2, kind.3);
        let (value, plies) = plain.value(&mut cells, own);
        let means = [Means::Fours, Means::LinkedFours, Means::Threes][means];
        let mut search = ThreatSearch::new(means);
        if search.wins(&mut board, stones, 100_000) {
            prop_assert_eq!(value, 1);
            prop_assert!(search.line().len() as u32 >= plies);
            // Its line is played on the plain board.
            let mut mover = own;
            for (number, &at) in search.line().iter().enumerate() {
                let at = usize::from(at);
                prop_assert_eq!(cells[at], 2);
                cells[at] = mover;
                let is_last = number + 1 == search.line().len();
                prop_assert_eq!(plain.wins(&cells, at), is_last);
                mover = 1 - mover;
            }
        } else if value == 1 && plies == 1 {
            prop_assert!(false, "a win at once is missed");
        }
        prop_assert_eq!(&facts(&board), &before);
    }

    #[test]
    fn whatever_is_no_answer_to_an_open_four_loses(
        which in 0..SMALL.len(), seed: u64, more in 0..6_usize,
    ) {
        let (kind, least) = SMALL[which];
        let (windows, mut cells) = random_board(kind, seed, least + more);
        let mut board = PatternBoard::like(&windows);
        board.set_up(&windows);
        let own = board.to_move();
        let other = 1 - board.to_move();
        let is_calm = [own, other].iter().all(|&kind| board.cells_with(kind, ThreatKind::Five).is_empty());
        if !is_calm || board.cells_with(other, ThreatKind::OpenFour).is_empty() {
            return Ok(());
        }
        let mut found = Vec::new();
        answers(&mut board, &mut found);
        let mut plain = Exhaustive::new(kind.0, kind.1, kind.2, kind.3);
        for at in (0..cells.len()).filter(|&at| cells[at] == 2).collect::<Vec<_>>() {
            if found.contains(&(at as u16)) {
                continue;
            }
            cells[at] = own as u8;
            prop_assert!(!plain.wins(&cells, at));
            let (value, plies) = plain.value(&mut cells, other as u8);
            prop_assert!(value == 1 && plies <= 3, "{at} holds");
            cells[at] = 2;
        }
    }
}
