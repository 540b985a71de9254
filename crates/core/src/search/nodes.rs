//! The store of nodes that all searches share.

use super::{EventKind, IndexTable, MemoryLimit, NodeEvent, Pages, Space};

/// No parent: a root.
pub(super) const NONE: u32 = u32::MAX;
/// The bit of [`Node::g`] that says that the node is closed.
const CLOSED: u32 = 1 << 31;
/// The bit of [`Node::g`] that says that the node was expanded, even if it waits again.
const EXPANDED: u32 = 1 << 30;
/// Costs are kept below this; larger ones stay here.
const MOST_COST: u32 = EXPANDED - 1;

pub(super) struct Node<S: Space> {
    pub state: S::State,
    g: u32,
    pub h: u32,
    pub parent: u32,
    /// What led here; `None` for a root.
    pub action: Option<S::Action>,
}

impl<S: Space> Node<S> {
    #[inline]
    pub fn g(&self) -> u32 {
        self.g & MOST_COST
    }

    #[inline]
    pub fn is_closed(&self) -> bool {
        self.g & CLOSED != 0
    }

    #[inline]
    pub fn close(&mut self) {
        self.g |= CLOSED;
    }

    /// Sets the cost and opens the node.
    #[inline]
    pub fn reopen(&mut self, g: u32) {
        self.g = g.min(MOST_COST) | self.g & EXPANDED;
    }

    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.g & EXPANDED != 0
    }

    #[inline]
    pub fn set_expanded(&mut self) {
        self.g |= EXPANDED;
    }

    pub fn event(
        &self,
        kind: EventKind,
        id: u32,
        f: u64,
        backward: bool,
    ) -> NodeEvent<'_, S::State, S::Action> {
        NodeEvent {
            kind,
            id,
            parent: (self.parent != NONE).then_some(self.parent),
            f,
            g: self.g(),
            h: self.h,
            backward,
            state: &self.state,
            action: self.action.as_ref(),
        }
    }
}

/// Nodes in one arena with a table to find them by state.
pub(super) struct Nodes<S: Space> {
    arena: Pages<Node<S>>,
    table: IndexTable,
    limit: usize,
}

/// There is no room for another node.
pub(super) struct Full;

impl<S: Space> Nodes<S> {
    pub fn new(limit: MemoryLimit) -> Self {
        Self { arena: Pages::default(), table: IndexTable::default(), limit: limit.0 }
    }

    pub fn len(&self) -> usize {
        self.arena.len()
    }

    pub fn bytes(&self) -> usize {
        self.arena.bytes() + self.table.bytes()
    }

    #[inline]
    pub fn at(&self, index: u32) -> &Node<S> {
        &self.arena[index as usize]
    }

    #[inline]
    pub fn at_mut(&mut self, index: u32) -> &mut Node<S> {
        &mut self.arena[index as usize]
    }

    #[inline]
    pub fn find(&self, key: u64, state: &S::State) -> Option<u32> {
        self.table.find(key, |index| self.arena[index as usize].state == *state)
    }

    /// Adds a state that is not there yet. `beside` is the memory that the search takes beside this
    /// store.
    #[inline]
    pub fn add(
        &mut self,
        key: u64,
        state: S::State,
        (g, h): (u32, u32),
        parent: Option<(u32, S::Action)>,
        beside: impl Fn() -> usize,
    ) -> Result<u32, Full> {
        if !self.arena.has_room() && !self.grow_arena(beside()) {
            return Err(Full);
        }
        let table = self.table.bytes_to_grow(key);
        if table > 0
            && (table.saturating_add(self.bytes() + beside()) > self.limit || !self.table.grow(key))
        {
            return Err(Full);
        }
        let index = self.arena.len() as u32;
        let (parent, action) = match parent {
            Some((parent, action)) => (parent, Some(action)),
            None => (NONE, None),
        };
        self.arena.push(Node { state, g: g.min(MOST_COST), h, parent, action });
        self.table.insert(key, index);
        Ok(index)
    }

    #[cold]
    fn grow_arena(&mut self, beside: usize) -> bool {
        self.arena.grow(self.limit.saturating_sub(self.bytes() + beside))
    }

    /// The actions from a root to this node; none if there is no such node.
    pub fn path_to(&self, mut index: u32) -> Vec<S::Action> {
        if index as usize >= self.len() {
            return Vec::new();
        }
        let mut path = Vec::new();
        while let Some(action) = &self.at(index).action {
            path.push(action.clone());
            index = self.at(index).parent;
        }
        path.reverse();
        path
    }
}
