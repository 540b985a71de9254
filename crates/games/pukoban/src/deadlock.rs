//! Boxes that can never reach a goal again, where boxes can only be pushed.
//!
//! What is said here is certain, but not all: a level may have no solution left for other reasons, which only a search
//! finds.

use super::rules::{Pukoban, PukobanState};
use outwit_core::grid::{Cell, FOUR, Grid};

/// The boxes without which the level cannot be solved, and which can never reach a goal from a position; none where
/// boxes can be pulled, or where enough other boxes are left.
///
/// These are boxes on cells from which not even a box alone could be pushed to a goal, and boxes that block each other
/// for ever together with walls.
pub fn stuck_boxes(game: &Pukoban, position: &PukobanState) -> Vec<Cell> {
    if game.moves().has_pulls() {
        return Vec::new();
    }
    let live = live_cells(game);
    let spare = position.boxes.len().saturating_sub(game.goals().len());
    // A box that is not needed may give way to others for good.
    let is_open = |cell: Cell| !game.is_wall(cell) && (spare > 0 || live[cell]);
    let frozen = frozen(game, &position.boxes, is_open);
    let mut stuck = position.boxes.clone();
    stuck.retain(|cell| !live[*cell] || frozen.contains(cell) && !game.goals().contains(cell));
    if stuck.len() <= spare {
        stuck.clear();
    }
    stuck
}

/// The cells from which a box alone can be pushed to a goal by a player who may be anywhere.
fn live_cells(game: &Pukoban) -> Grid<bool> {
    let mut live = game.walls().map(|_| false);
    let mut open = game.goals().to_vec();
    while let Some(cell) = open.pop() {
        if std::mem::replace(&mut live[cell], true) {
            continue;
        }
        // It was pushed here from the cell before, by a player behind that.
        let before = FOUR.into_iter().map(|way| (cell - way, cell - way - way));
        let before = before.filter(|&(from, player)| !game.is_wall(from) && !game.is_wall(player));
        open.extend(before.map(|(from, _)| from));
    }
    live
}

/// The largest set of boxes of which none can be pushed to an open cell as long as the others stay.
fn frozen(game: &Pukoban, boxes: &[Cell], is_open: impl Fn(Cell) -> bool) -> Vec<Cell> {
    let mut frozen = boxes.to_vec();
    loop {
        let is_free = |cell: Cell| !game.is_wall(cell) && !frozen.contains(&cell);
        let can_move = |cell: Cell| {
            FOUR.into_iter()
                .any(|way| is_free(cell + way) && is_open(cell + way) && is_free(cell - way))
        };
        let left: Vec<Cell> = frozen.iter().copied().filter(|&cell| !can_move(cell)).collect();
        if left.len() == frozen.len() {
            return left;
        }
        frozen = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{FORMAT, Moves, PukobanRules};
    use crate::{PukobanFile, PukobanStep};
    use outwit_core::play::{CheckedLevel, Game};
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn game(map: &[&str], moves: Moves) -> Option<Pukoban> {
        let level = PukobanFile {
            format: FORMAT.into(),
            name: "test".into(),
            author: String::new(),
            about: String::new(),
            rules: PukobanRules { moves, ..PukobanRules::default() },
            map: map.iter().map(|&row| row.into()).collect(),
        };
        Pukoban::new(&CheckedLevel::new(level).ok()?, 1).ok()
    }

    fn stuck(map: &[&str]) -> Vec<(i32, i32)> {
        let game = game(map, Moves::Push).unwrap();
        let mut stuck: Vec<_> =
            stuck_boxes(&game, game.opening()).iter().map(|cell| (cell.x, cell.y)).collect();
        stuck.sort_unstable();
        stuck
    }

    #[test]
    fn corners_edges_and_squares() {
        assert_eq!(stuck(&["######", "#$-@.#", "#----#", "######"]), [(1, 1)]);
        // Along this edge there is no goal.
        assert_eq!(stuck(&["######", "#-$-@#", "#---.#", "######"]), [(2, 1)]);
        assert_eq!(stuck(&["######", "#-$.@#", "#----#", "######"]), []);
        // Two boxes beside a wall block each other; with one of them free to go they do not.
        let wall = ["#######", "#--$$-#", "#..---#", "#--@--#", "#######"];
        assert_eq!(stuck(&wall), [(3, 1), (4, 1)]);
        // A box more than there are goals may stay where it is.
        assert_eq!(stuck(&["#######", "#$-$.@#", "#-----#", "#######"]), []);
        // One that stays on its goal for ever is no loss.
        assert_eq!(stuck(&["######", "#*@$.#", "######"]), []);
        let pulls = game(&["######", "#$-@.#", "#----#", "######"], Moves::PushAndPull).unwrap();
        assert_eq!(stuck_boxes(&pulls, pulls.opening()), []);
    }

    /// Whether any sequence of steps solves the level.
    fn is_solvable(game: &Pukoban) -> bool {
        let mut known = HashSet::new();
        let mut open = vec![game.opening().clone()];
        while let Some(position) = open.pop() {
            if game.is_solved(&position) {
                return true;
            }
            for step in PukobanStep::all() {
                let mut next = position.clone();
                if game.take(&mut next, step).is_ok() {
                    next.boxes.sort_unstable();
                    if known.insert((next.player, next.boxes.clone())) {
                        open.push(next);
                    }
                }
            }
        }
        false
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        /// What is said to be lost is lost.
        #[test]
        fn a_level_with_stuck_boxes_has_no_solution(
            cells in prop::collection::vec(
                prop::sample::select(vec!['-', '-', '-', '#', '$', '$', '.', '*']), 20,
            ),
        ) {
            let rows: Vec<String> = cells.chunks(5).map(|row| row.iter().collect()).collect();
            let mut map: Vec<&str> = rows.iter().map(String::as_str).collect();
            map.push("--@--");
            let Some(game) = game(&map, Moves::Push) else { return Ok(()) };
            if !stuck_boxes(&game, game.opening()).is_empty() {
                prop_assert!(!is_solvable(&game), "{map:?}");
            }
        }
    }
}
