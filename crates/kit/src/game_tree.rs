//! Game trees of games for two, to be drawn.

use outwit_core::grid::Cell;
use outwit_core::play::{Game, StopFlag};
use outwit_core::search::{TreeOptions, TreeRecording};

/// How a game's trees are searched and read.
pub struct GameTreeSpec<G: Game> {
    /// What the side that maximises and the other one are called.
    pub sides: [&'static str; 2],
    /// Whether a board is small enough for its trees to be drawn.
    pub fits: fn(&G) -> bool,
    /// What values mean, in one or two sentences.
    pub values: &'static str,
    /// Records the search from a state. Fails with why there is no tree.
    pub record: RecordTree<G>,
}

/// Records the search of a game tree.
pub type RecordTree<G> =
    fn(&G, &<G as Game>::State, TreeOptions, &StopFlag) -> Result<GameTree, String>;

/// A recorded search of a game tree, with the board that it began on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTree {
    /// The search.
    pub recording: TreeRecording,
    /// Columns and rows of the board.
    pub size: (usize, usize),
    /// What stands on the board at the root: where, and whether it is of the side that maximises.
    pub pieces: Vec<(Cell, bool)>,
}

impl GameTree {
    /// What stands on the board at a node: where, and whether it is of the side that maximises. What was placed last
    /// comes last.
    pub fn pieces_at(&self, node: u32) -> Vec<(Cell, bool)> {
        let known = |&node: &u32| self.recording.node(node)?.parent;
        let mut way: Vec<u32> = std::iter::successors(Some(node), known).collect();
        way.reverse();
        let placed = way.windows(2).filter_map(|pair| {
            let before = self.recording.node(pair[0])?;
            Some((self.recording.node(pair[1])?.cell?, before.maximises))
        });
        self.pieces.iter().copied().chain(placed).collect()
    }
}
