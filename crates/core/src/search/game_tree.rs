//! Minimax and alpha-beta, recorded event by event, so that the tree can be drawn as it grows.
//!
//! The textbook algorithms, without a transposition table: D. E. Knuth, R. W. Moore, An analysis of alpha-beta
//! pruning, Artificial Intelligence 6 (1975). Values are fail-soft: a node that was cut off returns the best value that
//! it had found.

use crate::grid::Cell;
use crate::play::StopFlag;
use std::ops::Range;

/// A game for two, seen from the side that maximises.
pub trait TreeGame {
    /// A position.
    type Position;

    /// Where the side to move may play, each with the position after it. Not called where the game is over.
    fn moves(&self, position: &Self::Position) -> Vec<(Cell, Self::Position)>;

    /// Whether the side to move maximises.
    fn maximises(&self, position: &Self::Position) -> bool;

    /// The value of a position in which the game is over; `None` elsewhere.
    fn value(&self, position: &Self::Position) -> Option<i32>;

    /// What a position is taken to be worth at the depth limit, and by which moves are ordered.
    fn estimate(&self, position: &Self::Position) -> i32;

    /// The least and the greatest value that a position can have; estimates lie between them.
    fn extremes(&self) -> [i32; 2];
}

/// How a tree is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeOptions {
    /// Whether it is alpha-beta, which leaves out what cannot change the result.
    pub prunes: bool,
    /// Whether moves are tried in the order of what they seem to be worth.
    pub orders: bool,
    /// The number of plies after which positions are estimated; to the end of the game without one.
    pub depth: Option<u8>,
    /// The number of nodes after which the recording is cut off.
    pub nodes: usize,
}

/// Why a node has no moves in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// The game is over.
    Over,
    /// The depth limit.
    Limit,
}

/// What the value that a node returned says of its true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the true value.
    Exact,
    /// The true value is not less: the node was cut off, or a child was.
    AtLeast,
    /// The true value is not greater.
    AtMost,
}

/// A node of a game tree: the position after a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeNode {
    /// The node before; `None` for the root.
    pub parent: Option<u32>,
    /// Where was played; `None` for the root.
    pub cell: Option<Cell>,
    /// Whether the side to move maximises.
    pub maximises: bool,
    /// Why it has no children, if it has none.
    pub leaf: Option<Leaf>,
    /// Its children, in the order in which they are tried; also those that are cut off.
    pub children: Range<u32>,
    /// The numbers of the events with which it was entered and left; `None` if it never was.
    pub entered: Option<u32>,
    /// See `entered`.
    pub left: Option<u32>,
    /// What it returned, and what that says; meaningful once it was left.
    pub value: i32,
    /// See `value`.
    pub bound: Bound,
    /// Whether estimates went into it, so that it need not be true of the game.
    pub estimated: bool,
}

/// What happens in the search of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeEventKind {
    /// A node is looked at for the first time.
    Enter,
    /// A leaf returns its value.
    Evaluate,
    /// A child has returned a value that is better for the node than all before.
    Improve,
    /// A child has returned a value that is not better.
    Keep,
    /// The node has a value that the side to move before would not allow, so its other children are left out.
    Cut,
    /// All children have returned: the node returns its value.
    Return,
}

/// One event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeEvent {
    /// What happened.
    pub kind: TreeEventKind,
    /// To which node.
    pub node: u32,
}

/// A recorded search of a game tree. The root is node 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreeRecording {
    /// All nodes, also those that are cut off.
    pub nodes: Vec<TreeNode>,
    /// In the order in which they happened.
    pub events: Vec<TreeEvent>,
    /// Whether it is whole: neither stopped nor cut off at the limit of nodes.
    pub is_whole: bool,
}

/// What was done until an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TreeCounts {
    /// Nodes that were looked at.
    pub entered: usize,
    /// Those of them that returned a value of their own.
    pub leaves: usize,
    /// Nodes whose other children were left out.
    pub cuts: usize,
    /// Children that were left out. What would have come below them is not known.
    pub left_out: usize,
}

/// What is known of a node while the search is within it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TreeBounds {
    /// The best value so far, for the side to move; `None` before the first child has returned.
    pub value: Option<i32>,
    /// What the maximising side can already be sure of, on the way from the root to here.
    pub alpha: Option<i32>,
    /// What the minimising side can already be sure of.
    pub beta: Option<i32>,
}

impl TreeRecording {
    /// Searches a tree and records it. Raising `stop` cuts it off.
    pub fn of<G: TreeGame>(
        game: &G,
        root: G::Position,
        options: TreeOptions,
        stop: &StopFlag,
    ) -> Self {
        let mut recorder = Recorder { game, options, stop, tree: Self::default() };
        recorder.tree.nodes.push(recorder.node(None, None, &root));
        let whole = recorder.search(0, root, 0, [None, None]).is_some();
        Self { is_whole: whole, ..recorder.tree }
    }

    /// The nodes from the root to the node of an event.
    pub fn path(&self, event: usize) -> Vec<u32> {
        let node = self.events.get(event).map(|event| event.node);
        let parent = |&node: &u32| self.node(node)?.parent;
        let mut path: Vec<u32> = std::iter::successors(node, parent).collect();
        path.reverse();
        path
    }

    /// A node.
    pub fn node(&self, node: u32) -> Option<&TreeNode> {
        self.nodes.get(node as usize)
    }

    /// A node that had returned its value by an event; `None` if it had not.
    pub fn returned(&self, node: u32, event: usize) -> Option<&TreeNode> {
        self.node(node).filter(|node| node.left.is_some_and(|left| left as usize <= event))
    }

    /// Whether a node was left out for good by an event.
    pub fn is_left_out(&self, node: u32, event: usize) -> bool {
        let never = self.node(node).filter(|node| node.entered.is_none());
        never.and_then(|node| self.returned(node.parent?, event)).is_some()
    }

    /// What is known of each node of a path at an event.
    pub fn bounds(&self, path: &[u32], event: usize) -> Vec<TreeBounds> {
        let mut alpha = None;
        let mut beta = None;
        path.iter()
            .map(|&node| {
                let value = self.best_of(node, event);
                let bounds = TreeBounds { value, alpha, beta };
                let maximises = self.node(node).is_some_and(|node| node.maximises);
                // What the node is sure of bounds those below it.
                let own = if maximises { &mut alpha } else { &mut beta };
                *own = better(maximises, *own, value);
                TreeBounds { alpha, beta, ..bounds }
            })
            .collect()
    }

    /// The best value that a node had at an event: what it returned, or the best of its children.
    fn best_of(&self, node: u32, event: usize) -> Option<i32> {
        let known = self.node(node)?;
        // It takes up the value of a child one event after the child returns it.
        let children = known.children.clone();
        let values =
            children.filter_map(|child| Some(self.returned(child, event.checked_sub(1)?)?.value));
        let returned = self.returned(node, event).map(|node| node.value);
        returned.or(values.fold(None, |best, value| better(known.maximises, best, Some(value))))
    }

    /// What was done until an event.
    pub fn counts(&self, event: usize) -> TreeCounts {
        let mut counts = TreeCounts::default();
        for event in self.events.iter().take(event + 1) {
            match event.kind {
                TreeEventKind::Enter => counts.entered += 1,
                TreeEventKind::Evaluate => counts.leaves += 1,
                TreeEventKind::Cut => {
                    counts.cuts += 1;
                    counts.left_out += self.left_out(event.node);
                }
                _ => {}
            }
        }
        counts
    }

    /// How many children of a node were never looked at.
    pub fn left_out(&self, node: u32) -> usize {
        let children = self.node(node).map_or(0..0, |node| node.children.clone());
        children
            .filter(|&child| self.node(child).is_some_and(|child| child.entered.is_none()))
            .count()
    }
}

/// The better of two values for a side; any value is better than none.
fn better(maximises: bool, one: Option<i32>, other: Option<i32>) -> Option<i32> {
    match (one, other, maximises) {
        (Some(one), Some(other), true) => Some(one.max(other)),
        (Some(one), Some(other), false) => Some(one.min(other)),
        (one, other, _) => one.or(other),
    }
}

struct Recorder<'a, G> {
    game: &'a G,
    options: TreeOptions,
    stop: &'a StopFlag,
    tree: TreeRecording,
}

impl<G: TreeGame> Recorder<'_, G> {
    fn node(&self, parent: Option<u32>, cell: Option<Cell>, position: &G::Position) -> TreeNode {
        TreeNode {
            parent,
            cell,
            maximises: self.game.maximises(position),
            leaf: None,
            children: 0..0,
            entered: None,
            left: None,
            value: 0,
            bound: Bound::Exact,
            estimated: false,
        }
    }

    fn at(&mut self, node: u32) -> &mut TreeNode {
        &mut self.tree.nodes[node as usize]
    }

    /// Records an event; returns its number.
    fn event(&mut self, kind: TreeEventKind, node: u32) -> u32 {
        self.tree.events.push(TreeEvent { kind, node });
        self.tree.events.len() as u32 - 1
    }

    /// Ends a node with its last event.
    fn leave(&mut self, node: u32, kind: TreeEventKind, value: i32) -> Option<i32> {
        let event = self.event(kind, node);
        let known = self.at(node);
        (known.left, known.value) = (Some(event), value);
        Some(value)
    }

    /// The value of a node within the bounds alpha and beta; `None` if the search ends here.
    fn search(
        &mut self,
        node: u32,
        position: G::Position,
        depth: u8,
        [mut alpha, mut beta]: [Option<i32>; 2],
    ) -> Option<i32> {
        let entered = self.event(TreeEventKind::Enter, node);
        self.at(node).entered = Some(entered);
        if let Some(value) = self.game.value(&position) {
            self.at(node).leaf = Some(Leaf::Over);
            return self.leave(node, TreeEventKind::Evaluate, value);
        }
        if self.options.depth.is_some_and(|limit| depth >= limit) {
            let known = self.at(node);
            (known.leaf, known.estimated) = (Some(Leaf::Limit), true);
            return self.leave(node, TreeEventKind::Evaluate, self.game.estimate(&position));
        }
        let maximises = self.game.maximises(&position);
        let moves = self.moves(&position);
        let first = self.tree.nodes.len();
        if first + moves.len() > self.options.nodes || self.stop.is_raised() {
            return None;
        }
        let children = first as u32..(first + moves.len()) as u32;
        for (cell, position) in &moves {
            let child = self.node(Some(node), Some(*cell), position);
            self.tree.nodes.push(child);
        }
        self.at(node).children = children.clone();
        let mut best = None;
        for (child, (_, position)) in children.clone().zip(moves) {
            let value = self.search(child, position, depth + 1, [alpha, beta])?;
            let now = better(maximises, best, Some(value));
            let kind = if now == best { TreeEventKind::Keep } else { TreeEventKind::Improve };
            self.event(kind, node);
            best = now;
            let own = if maximises { &mut alpha } else { &mut beta };
            *own = better(maximises, *own, best);
            let is_cut = alpha.zip(beta).is_some_and(|(alpha, beta)| alpha >= beta);
            if self.options.prunes && is_cut && child + 1 < children.end {
                return self.end(node, TreeEventKind::Cut, best);
            }
        }
        self.end(node, TreeEventKind::Return, best)
    }

    /// Ends a node with the best value of its children, and finds what that says.
    fn end(&mut self, node: u32, kind: TreeEventKind, best: Option<i32>) -> Option<i32> {
        let value = best.unwrap_or_default();
        let known = &self.tree.nodes[node as usize];
        let maximises = known.maximises;
        let children = known.children.clone();
        let children = self.tree.nodes.get(children.start as usize..children.end as usize);
        let children = children.unwrap_or_default();
        let (toward, away) = match maximises {
            true => (Bound::AtLeast, Bound::AtMost),
            false => (Bound::AtMost, Bound::AtLeast),
        };
        let mut tried = children.iter().filter(|child| child.left.is_some());
        // One child is enough to be so good; all of them are needed to be no better.
        let best = tried.clone().filter(|child| child.value == value);
        let is_so_good = best.clone().any(|child| child.bound != away);
        let is_no_better = tried.clone().all(|child| child.bound != toward)
            && children.iter().all(|child| child.left.is_some());
        let greatest = self.game.extremes()[usize::from(maximises)];
        let is_proved = value == greatest && best.clone().any(|child| !child.estimated);
        let estimated = !is_proved && tried.any(|child| child.estimated);
        let bound = match (is_so_good, is_no_better) {
            (true, _) if value == greatest => Bound::Exact,
            (true, true) => Bound::Exact,
            (true, false) => toward,
            (false, _) => away,
        };
        let known = self.at(node);
        (known.bound, known.estimated) = (bound, estimated);
        self.leave(node, kind, value)
    }

    /// The moves of a position, in the order in which they are tried.
    fn moves(&self, position: &G::Position) -> Vec<(Cell, G::Position)> {
        let mut moves = self.game.moves(position);
        if self.options.orders {
            let worth = |position: &G::Position| {
                self.game.value(position).unwrap_or_else(|| self.game.estimate(position))
            };
            let sign = if self.game.maximises(position) { -1 } else { 1 };
            moves.sort_by_cached_key(|(_, position)| sign * worth(position));
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A tree given by the values of its leaves, two children a node; the root maximises.
    struct Given(Vec<i32>);

    impl TreeGame for Given {
        /// The number of a node in a heap: the children of n are 2n and 2n + 1.
        type Position = usize;

        fn moves(&self, position: &usize) -> Vec<(Cell, usize)> {
            (0..2).map(|at| (Cell::new(at, 0), 2 * position + at as usize)).collect()
        }

        fn maximises(&self, position: &usize) -> bool {
            position.ilog2().is_multiple_of(2)
        }

        fn value(&self, position: &usize) -> Option<i32> {
            self.0.get(position.checked_sub(self.0.len())?).copied()
        }

        fn estimate(&self, position: &usize) -> i32 {
            *position as i32 % 7
        }

        fn extremes(&self) -> [i32; 2] {
            [-9, 9]
        }
    }

    const WHOLE: TreeOptions =
        TreeOptions { prunes: true, orders: false, depth: None, nodes: 1 << 20 };

    fn recorded(leaves: &[i32], options: TreeOptions) -> TreeRecording {
        TreeRecording::of(&Given(leaves.to_vec()), 1, options, &StopFlag::default())
    }

    /// A node that was not searched whole still says what is true, and what is exact says so.
    #[test]
    fn bounds_are_no_wider_than_they_must_be() {
        // max(min(5, 3), min(3, 1)): the second node returns 3 or less after its first child, and is cut.
        let tree = recorded(&[5, 3, 3, 1], WHOLE);
        assert_eq!((tree.nodes[2].value, tree.nodes[2].bound), (3, Bound::AtMost));
        // max(min(3, 4), min(5, 2)): the second one is looked at whole and is 2, although below alpha.
        let tree = recorded(&[3, 4, 5, 2], WHOLE);
        assert_eq!((tree.nodes[2].value, tree.nodes[2].bound), (2, Bound::Exact));
        // Nothing is less than -9.
        let tree = recorded(&[3, 4, -9, 2], WHOLE);
        assert_eq!((tree.nodes[2].value, tree.nodes[2].bound), (-9, Bound::Exact));
        let tree = recorded(&[3, 4, 5, 2], TreeOptions { depth: Some(1), ..WHOLE });
        assert!(tree.nodes.iter().all(|node| node.estimated));
    }

    /// The value by the definition.
    fn minimax(leaves: &[i32], position: usize) -> i32 {
        match position.checked_sub(leaves.len()) {
            Some(leaf) => leaves[leaf],
            None => {
                let (one, other) =
                    (minimax(leaves, 2 * position), minimax(leaves, 2 * position + 1));
                if position.ilog2().is_multiple_of(2) { one.max(other) } else { one.min(other) }
            }
        }
    }

    #[test]
    fn a_tree_is_cut_where_a_hand_cuts_it() {
        // max(min(3, 17), min(2, 12)): after the 2 the 12 cannot matter.
        let tree = recorded(&[3, 17, 2, 12], WHOLE);
        assert_eq!(tree.nodes[0].value, 3);
        let last = tree.events.len() - 1;
        let counts = TreeCounts { entered: 6, leaves: 3, cuts: 1, left_out: 1 };
        assert_eq!(tree.counts(last), counts);
        let cut = tree.events.iter().position(|event| event.kind == TreeEventKind::Cut).unwrap();
        let path = tree.path(cut);
        assert_eq!(path.len(), 2);
        let bounds = tree.bounds(&path, cut);
        assert_eq!(bounds[0], TreeBounds { value: Some(3), alpha: Some(3), beta: None });
        assert_eq!(bounds[1], TreeBounds { value: Some(2), alpha: Some(3), beta: Some(2) });
        let plain = recorded(&[3, 17, 2, 12], TreeOptions { prunes: false, ..WHOLE });
        assert_eq!(plain.counts(plain.events.len() - 1).entered, 7);
        assert_eq!(plain.nodes[0].value, 3);
    }

    #[test]
    fn a_recording_is_cut_off_at_its_limits() {
        let leaves = [5; 64];
        let few = recorded(&leaves, TreeOptions { nodes: 20, ..WHOLE });
        assert!(!few.is_whole && few.nodes.len() <= 20);
        let flat = recorded(&leaves, TreeOptions { depth: Some(2), ..WHOLE });
        assert!(flat.is_whole);
        assert!(flat.nodes.iter().all(|node| node.leaf != Some(Leaf::Over)));
        let stop = StopFlag::default();
        stop.raise();
        assert!(!TreeRecording::of(&Given(leaves.to_vec()), 1, WHOLE, &stop).is_whole);
    }

    proptest! {
        #[test]
        fn pruning_and_order_never_change_the_value(
            leaves in (0_u32..7).prop_flat_map(|depth| {
                proptest::collection::vec(-9..9, 1_usize << depth)
            }),
            prunes: bool,
            orders: bool,
        ) {
            let tree = recorded(&leaves, TreeOptions { prunes, orders, ..WHOLE });
            prop_assert!(tree.is_whole);
            prop_assert_eq!(tree.nodes[0].value, minimax(&leaves, 1));
            let last = tree.events.len() - 1;
            let counts = tree.counts(last);
            let all = recorded(&leaves, TreeOptions { prunes: false, orders, ..WHOLE });
            prop_assert!(counts.entered <= all.nodes.len());
            for event in 0..=last {
                let path = tree.path(event);
                prop_assert_eq!(path[0], 0);
                prop_assert_eq!(tree.bounds(&path, event).len(), path.len());
                let node = tree.node(tree.events[event].node).unwrap();
                prop_assert!(node.entered.is_some_and(|entered| entered as usize <= event));
            }
            // What is said of a node holds for its true value.
            let mut position_of = vec![1; tree.nodes.len()];
            for (at, node) in tree.nodes.iter().enumerate() {
                let children = node.children.clone();
                let order = children.clone().zip(children.map(|child| tree.nodes[child as usize].cell));
                for (child, cell) in order {
                    position_of[child as usize] = 2 * position_of[at] + cell.unwrap().x as usize;
                }
                let known = minimax(&leaves, position_of[at]);
                let holds = match node.bound {
                    Bound::Exact => known == node.value,
                    Bound::AtLeast => known >= node.value,
                    Bound::AtMost => known <= node.value,
                };
                prop_assert!(node.left.is_none() || holds);
                prop_assert!(node.entered.is_some() || tree.is_left_out(at as u32, last));
            }
        }
    }
}
