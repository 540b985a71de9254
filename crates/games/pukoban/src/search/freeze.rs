//! Boxes that can never move again, where a search only pushes or only pulls.
//!
//! A box is frozen if along both axes something stands beside it that never moves: a wall, or a box that is
//! frozen for the same reason (freeze deadlocks, as Sokoban programs have long known them). Backwards it is
//! one that no player can get away from with it.

use super::boards::{Boards, Mask, and, is_empty, or, without};
use super::moves::{Kinds, opposite};

/// The boxes that no moves of these kinds, which are not both, can ever move. Moves to `dead` cells do not count.
///
/// It is the largest set of boxes of which none can move as long as the others stay: whichever moved first would
/// have to move in spite of all others.
pub fn frozen<const W: usize>(
    boards: &Boards<W>,
    kinds: Kinds,
    boxes: &Mask<W>,
    dead: &Mask<W>,
) -> Mask<W> {
    let mut frozen = *boxes;
    loop {
        let open = without(boards.floor(), &frozen);
        let alive = without(&open, dead);
        let mut movable = [0; W];
        for direction in 0..4 {
            let back = opposite(direction);
            // Where a box can go on in this direction.
            let to = boards.shifted(&alive, back);
            // Where a player can stand to push it, or to have pulled it.
            let player = if kinds.pushes {
                boards.shifted(&open, direction)
            } else {
                boards.shifted(&boards.shifted(&open, back), back)
            };
            movable = or(&movable, &and(&to, &player));
        }
        let left = without(&frozen, &movable);
        if left == frozen || is_empty(&left) {
            return left;
        }
        frozen = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Moves;
    use crate::search::boards::contains;
    use crate::search::puzzle::{Puzzle, Square, WALL};
    use outwit_core::grid::{Cell, Grid};
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// The boxes that stand where they are in all sets of boxes that moves of a player who may be anywhere
    /// lead to.
    fn never_moved(puzzle: &Puzzle, kinds: Kinds, boxes: &[Square]) -> HashSet<Square> {
        let mut known = HashSet::from([boxes.to_vec()]);
        let mut open = vec![boxes.to_vec()];
        let mut still: HashSet<Square> = boxes.iter().copied().collect();
        while let Some(boxes) = open.pop() {
            still.retain(|spot| boxes.contains(spot));
            for (at, &spot) in boxes.iter().enumerate() {
                for direction in 0..4 {
                    let is_free = |spot: Square| spot != WALL && !boxes.contains(&spot);
                    let to = puzzle.next(spot, direction);
                    let player = match (kinds.pushes, is_free(to)) {
                        (true, _) => puzzle.next(spot, opposite(direction)),
                        (false, true) => puzzle.next(to, direction),
                        (false, false) => WALL,
                    };
                    if is_free(to) && is_free(player) {
                        let mut next = boxes.clone();
                        next[at] = to;
                        next.sort_unstable();
                        if known.insert(next.clone()) {
                            open.push(next);
                        }
                    }
                }
            }
        }
        still
    }

    proptest! {
        #[test]
        fn what_is_frozen_never_moves(
            walls in prop::collection::vec(prop::bool::weighted(0.3), 20),
            spots in prop::collection::vec(0_usize..20, 1..5),
            is_push in any::<bool>(),
        ) {
            let mut walls = Grid::from_fn(5, 4, |c| walls[(c.y * 5 + c.x) as usize]);
            let player = Cell::new(2, 2);
            walls[player] = false;
            let puzzle = Puzzle::new(Moves::Push, &walls, &[], &[], player);
            let kinds = Kinds::of(Moves::Push);
            let kinds = if is_push { kinds } else { kinds.reversed() };
            let cells = puzzle.cells().len();
            let mut boxes: Vec<Square> = spots.iter().map(|spot| (spot % cells) as Square).collect();
            boxes.sort_unstable();
            boxes.dedup();
            let boards = Boards::<1>::new(&puzzle).unwrap();
            let found = frozen(&boards, kinds, &boards.mask(&boxes), &[0]);
            let still = never_moved(&puzzle, kinds, &boxes);
            for &spot in &boxes {
                let is_frozen = contains(&found, boards.bit(spot));
                // One box alone is frozen exactly if it never moves.
                prop_assert!(!is_frozen || still.contains(&spot));
                prop_assert!(is_frozen || boxes.len() > 1 || !still.contains(&spot));
            }
        }

        /// With dead cells more is frozen, and where all are dead everything.
        #[test]
        fn dead_cells_freeze_more(
            spots in prop::collection::vec(0_u16..20, 1..5), dead in prop::collection::vec(0_u16..20, 0..8),
        ) {
            let walls = Grid::from_fn(5, 4, |_| false);
            let puzzle = Puzzle::new(Moves::Push, &walls, &[], &[], Cell::new(0, 0));
            let boards = Boards::<1>::new(&puzzle).unwrap();
            let (boxes, dead) = (boards.mask(&spots), boards.mask(&dead));
            for kinds in [Kinds::of(Moves::Push), Kinds::of(Moves::Push).reversed()] {
                let some = frozen(&boards, kinds, &boxes, &[0]);
                let more = frozen(&boards, kinds, &boxes, &dead);
                prop_assert_eq!(without(&some, &more), [0]);
                prop_assert_eq!(frozen(&boards, kinds, &boxes, boards.floor()), boxes);
            }
        }
    }
}
