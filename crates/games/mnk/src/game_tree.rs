//! The game tree of small boards, by minimax and alpha-beta.

use super::level::Stone;
use super::lines::DIRECTIONS;
use super::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use outwit_core::grid::Cell;
use outwit_core::play::StopFlag;
use outwit_core::search::{TreeGame, TreeOptions, TreeRecording};
use outwit_kit::{GameTree, GameTreeSpec};

/// What a win of X is worth.
const WIN: i32 = 100;
/// Larger boards have more moves than can be drawn side by side.
const MOST_CELLS: usize = 25;

/// X maximises.
pub const SPEC: GameTreeSpec<Mnk> = GameTreeSpec {
    sides: ["X", "O"],
    fits: |game| game.width() * game.height() <= MOST_CELLS,
    values: "100 is a win of X, -100 a win of O, and 0 a draw. At the depth limit a position is worth the number \
             of lines that X can still fill minus those that O can.",
    record,
};

fn record(
    game: &Mnk,
    state: &MnkState,
    options: TreeOptions,
    stop: &StopFlag,
) -> Result<GameTree, String> {
    if state.phase != MnkPhase::Play {
        return Err("the tree begins after the opening".into());
    }
    Ok(GameTree {
        pieces: state
            .stones
            .iter()
            .enumerate()
            .filter_map(|(at, stone)| stone.map(|stone| (game.cell_at(at), stone == Stone::X)))
            .collect(),
        size: (game.width(), game.height()),
        recording: TreeRecording::of(game, state.clone(), options, stop),
    })
}

impl TreeGame for Mnk {
    type Position = MnkState;

    /// The empty cells, row by row.
    fn moves(&self, position: &MnkState) -> Vec<(Cell, MnkState)> {
        let stones = position.stones.iter().enumerate();
        let empty = stones.filter(|(_, stone)| stone.is_none()).map(|(at, _)| self.cell_at(at));
        empty
            .map(|cell| {
                let mut after = position.clone();
                self.take(&mut after, MnkAction::Place(cell), &mut Vec::new());
                (cell, after)
            })
            .collect()
    }

    fn maximises(&self, position: &MnkState) -> bool {
        position.to_move == Stone::X
    }

    fn value(&self, position: &MnkState) -> Option<i32> {
        match position.winner() {
            Some(Stone::X) => Some(WIN),
            Some(Stone::O) => Some(-WIN),
            None => (position.empty == 0).then_some(0),
        }
    }

    /// The lines that each side can still fill: N. J. Nilsson, Problem-Solving Methods in Artificial Intelligence
    /// (1971), for tic-tac-toe.
    fn estimate(&self, position: &MnkState) -> i32 {
        let k = self.k() as i32;
        let mut open = 0;
        for at in 0..position.stones.len() {
            let from = self.cell_at(at);
            for step in DIRECTIONS {
                let line = (0..k).map(|number| from + Cell::new(number * step.x, number * step.y));
                if line.clone().any(|cell| self.index_of(cell).is_none()) {
                    continue;
                }
                let free_of =
                    |stone| line.clone().all(|cell| self.stone(position, cell) != Some(stone));
                open += i32::from(free_of(Stone::O)) - i32::from(free_of(Stone::X));
            }
        }
        open.clamp(1 - WIN, WIN - 1)
    }

    fn extremes(&self) -> [i32; 2] {
        [-WIN, WIN]
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::tests::{game, level_of, rules_of};
    use outwit_core::search::{TreeCounts, TreeEventKind};
    use proptest::prelude::*;

    const WHOLE: TreeOptions =
        TreeOptions { prunes: false, orders: false, depth: None, nodes: 600_000 };

    fn tree(rows: &[&str], k: u32, options: TreeOptions) -> GameTree {
        let game = game(&level_of(rows, rules_of(k)));
        record(&game, &game.opening(), options, &StopFlag::default()).unwrap()
    }

    /// The value and what was done in all.
    fn result(tree: &GameTree) -> (i32, TreeCounts) {
        assert!(tree.recording.is_whole);
        (tree.recording.nodes[0].value, tree.recording.counts(tree.recording.events.len() - 1))
    }

    /// Published: tic-tac-toe has 549,946 nodes, 255,168 games, and is a draw.
    #[test]
    fn the_whole_tree_of_tic_tac_toe_has_the_known_size() {
        let (value, counts) = result(&tree(&["..."; 3], 3, WHOLE));
        assert_eq!((value, counts.entered, counts.leaves), (0, 549_946, 255_168));
        let (value, pruned) = result(&tree(&["..."; 3], 3, TreeOptions { prunes: true, ..WHOLE }));
        assert_eq!(value, 0);
        let ordered = TreeOptions { prunes: true, orders: true, ..WHOLE };
        let (value, ordered) = result(&tree(&["..."; 3], 3, ordered));
        assert_eq!(value, 0);
        assert!(ordered.entered < pruned.entered && pruned.entered < counts.entered / 10);
    }

    /// Nilsson's example: with X in the centre, O on an edge leaves X two more open lines than O, in a corner one.
    #[test]
    fn positions_at_the_limit_are_worth_their_open_lines() {
        let rows = ["...", ".X.", "..."];
        let o_moves = |rows: &[&str]| {
            let rules = crate::MnkRules { to_move: Stone::O, ..rules_of(3) };
            let game = game(&level_of(rows, rules));
            let options = TreeOptions { depth: Some(1), ..WHOLE };
            record(&game, &game.opening(), options, &StopFlag::default()).unwrap().recording
        };
        let tree = o_moves(&rows);
        let value_of = |x, y| {
            let found = tree.nodes.iter().find(|node| node.cell == Some(Cell::new(x, y)));
            found.unwrap().value
        };
        assert_eq!((value_of(1, 0), value_of(0, 0)), (2, 1));
        assert_eq!(tree.nodes[0].value, 1);
        let left: Vec<_> = tree.events.iter().filter(|it| it.kind == TreeEventKind::Cut).collect();
        assert!(left.is_empty());
    }

    #[test]
    fn only_small_boards_fit_and_trees_begin_after_the_opening() {
        assert!((SPEC.fits)(&game(&level_of(&["....."; 5], rules_of(4)))));
        assert!(!(SPEC.fits)(&game(&level_of(&["......"; 5], rules_of(4)))));
        let rules = crate::MnkRules { opening: crate::Opening::Swap, ..rules_of(4) };
        let swap = game(&level_of(&["....."; 5], rules));
        let why = record(&swap, &swap.opening(), WHOLE, &StopFlag::default()).unwrap_err();
        assert!(why.contains("after the opening"), "{why}");
    }

    /// The value by the definition, without a tree.
    fn minimax(game: &Mnk, state: &MnkState) -> i32 {
        if let Some(winner) = state.winner() {
            return if winner == Stone::X { 100 } else { -100 };
        }
        let after = (0..state.stones.len()).filter(|&at| state.stones[at].is_none()).map(|at| {
            let mut after = state.clone();
            game.take(&mut after, MnkAction::Place(game.cell_at(at)), &mut Vec::new());
            minimax(game, &after)
        });
        match state.to_move {
            Stone::X => after.max().unwrap_or(0),
            Stone::O => after.min().unwrap_or(0),
        }
    }

    proptest! {
        #[test]
        fn every_way_to_search_finds_the_value(
            order in Just((0..12).collect::<Vec<usize>>()).prop_shuffle(),
            placed in 4_usize..8,
            prunes: bool,
            orders: bool,
        ) {
            let game = game(&level_of(&["...."; 3], rules_of(3)));
            let mut state = game.opening();
            for at in order.into_iter().take(placed) {
                if state.mover().is_some() {
                    game.take(&mut state, MnkAction::Place(game.cell_at(at)), &mut Vec::new());
                }
            }
            let options = TreeOptions { prunes, orders, ..WHOLE };
            let tree = record(&game, &state, options, &StopFlag::default()).unwrap();
            let (value, counts) = result(&tree);
            prop_assert_eq!(value, minimax(&game, &state));
            prop_assert!(counts.cuts == 0 || prunes);
            let last = tree.recording.nodes.len() as u32 - 1;
            let stones = state.stones.iter().flatten().count();
            prop_assert_eq!(tree.pieces.len(), stones);
            prop_assert!(tree.pieces_at(last).len() >= stones);
        }
    }
}
