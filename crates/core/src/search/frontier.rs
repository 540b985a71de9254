//! The open lists of graph search: a queue, a stack and priority queues of node indices.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which node of a frontier is expanded first, and so which of several paths to a node is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The one that was found first. The first path to it is kept.
    FirstFound,
    /// The one that was found last, again or for the first time. As long as it waits, the last path to
    /// it is kept.
    LastFound,
    /// One with the least evaluation. A path that lowers it is kept, also if the node was expanded
    /// before.
    LeastEvaluation,
}

/// The open list of a graph search. The order depends on nothing but the pushes and pops.
pub trait Frontier: Default {
    /// Which node is taken first. By the order in which they were found, every edge counts 1 and no
    /// estimate is asked for.
    const ORDER: Order = Order::LeastEvaluation;

    /// Adds a node with its evaluation, estimate and cost so far.
    fn push(&mut self, f: u64, h: u32, index: u32, g: u32);
    /// Takes the node that comes first.
    fn pop(&mut self) -> Option<u32>;
    /// Number of entries.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Memory taken, in bytes.
    fn bytes(&self) -> usize;
}

/// First in, first out. Nodes join in the order of their indices and each only once, so it holds no
/// more than where it begins and ends.
#[derive(Default)]
pub struct Queue {
    next: u32,
    end: u32,
}

impl Frontier for Queue {
    const ORDER: Order = Order::FirstFound;

    #[inline]
    fn push(&mut self, _f: u64, _h: u32, index: u32, _g: u32) {
        debug_assert_eq!(index, self.end);
        self.end = index + 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let index = self.next;
        (index < self.end).then(|| {
            self.next += 1;
            index
        })
    }

    fn len(&self) -> usize {
        (self.end - self.next) as usize
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// Last in, first out.
#[derive(Default)]
pub struct Stack(Vec<u32>);

impl Frontier for Stack {
    const ORDER: Order = Order::LastFound;

    #[inline]
    fn push(&mut self, _f: u64, _h: u32, index: u32, _g: u32) {
        self.0.push(index);
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        self.0.pop()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u32>()
    }
}

/// A binary heap for evaluations of any size: among equal ones the smaller estimate and then the
/// earlier node comes first. O(log n).
#[derive(Default)]
pub struct Heap(BinaryHeap<Reverse<(u64, u32, u32, u32)>>);

impl Frontier for Heap {
    fn push(&mut self, f: u64, h: u32, index: u32, g: u32) {
        self.0.push(Reverse((f, h, index, g)));
    }

    fn pop(&mut self) -> Option<u32> {
        self.0.pop().map(|Reverse((_, _, index, _))| index)
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Reverse<(u64, u32, u32, u32)>>()
    }
}

/// Which of several nodes of the same evaluation comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ties {
    /// The one that waits longest.
    Fifo,
    /// The one that has waited least.
    Lifo,
    /// One with the least estimate, and of these the one that was found first.
    LeastEstimate,
}

impl Ties {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Fifo, Self::Lifo, Self::LeastEstimate];

    /// Its name in the settings of searches.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::Lifo => "lifo",
            Self::LeastEstimate => "least-h",
        }
    }
}

/// A binary heap for evaluations of any size that breaks ties as it is told. O(log n).
///
/// A node whose evaluation decreases is pushed again, and counts as pushed then.
pub struct TieHeap {
    heap: BinaryHeap<Reverse<(u64, u64, u32)>>,
    ties: Ties,
    pushes: u64,
}

impl TieHeap {
    /// An empty one that breaks ties so.
    pub fn new(ties: Ties) -> Self {
        Self { heap: BinaryHeap::new(), ties, pushes: 0 }
    }
}

impl Default for TieHeap {
    /// One that breaks ties as [`Heap`] does.
    fn default() -> Self {
        Self::new(Ties::LeastEstimate)
    }
}

impl Frontier for TieHeap {
    fn push(&mut self, f: u64, h: u32, index: u32, _g: u32) {
        self.pushes += 1;
        let rank = match self.ties {
            Ties::Fifo => self.pushes,
            Ties::Lifo => u64::MAX - self.pushes,
            Ties::LeastEstimate => h.into(),
        };
        self.heap.push(Reverse((f, rank, index)));
    }

    fn pop(&mut self) -> Option<u32> {
        self.heap.pop().map(|Reverse((_, _, index))| index)
    }

    fn len(&self) -> usize {
        self.heap.len()
    }

    fn bytes(&self) -> usize {
        self.heap.capacity() * size_of::<Reverse<(u64, u64, u32)>>()
    }
}

/// A bucket for each evaluation below [`MOST`](Self::MOST), where larger ones share the last; among
/// equal ones the latest node comes first. O(1) as long as evaluations hardly fall (Dial 1969).
#[derive(Default)]
pub struct Buckets {
    buckets: Vec<Vec<u32>>,
    /// No bucket before this one holds anything.
    least: usize,
    len: usize,
    capacity: usize,
}

impl Buckets {
    /// Evaluations from here on are not distinguished. A search that needs more must use [`Heap`].
    pub const MOST: u64 = 1 << 20;
}

impl Frontier for Buckets {
    #[inline]
    fn push(&mut self, f: u64, _h: u32, index: u32, _g: u32) {
        let at = f.min(Self::MOST) as usize;
        if at >= self.buckets.len() {
            self.buckets.resize_with(at + 1, Vec::new);
        }
        let bucket = &mut self.buckets[at];
        if bucket.len() == bucket.capacity() {
            let before = bucket.capacity();
            bucket.reserve(1);
            self.capacity += bucket.capacity() - before;
        }
        bucket.push(index);
        self.least = self.least.min(at);
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        while let Some(bucket) = self.buckets.get_mut(self.least) {
            if let Some(index) = bucket.pop() {
                self.len -= 1;
                return Some(index);
            }
            self.capacity -= bucket.capacity();
            *bucket = Vec::new();
            self.least += 1;
        }
        self.least = self.buckets.len();
        None
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        self.capacity * size_of::<u32>() + self.buckets.capacity() * size_of::<Vec<u32>>()
    }
}

/// For A* with an estimate that is admissible but not consistent: among all nodes whose evaluation is
/// not above the largest that was taken so far, the one with the least cost comes first, so that few
/// are expanded twice (algorithm B of Martelli, Artificial Intelligence 8, 1977). O(1) like [`Buckets`],
/// with the same bound for evaluations and costs.
#[derive(Default)]
pub struct CheapestFirst {
    /// By evaluation and then by cost.
    buckets: Vec<Vec<Vec<u32>>>,
    /// The largest evaluation that was taken so far; no bucket before this one holds anything.
    level: usize,
    /// In the bucket of this evaluation none of less cost holds anything.
    cost: usize,
    len: usize,
    /// Memory of all buckets.
    bytes: usize,
}

impl Frontier for CheapestFirst {
    #[inline]
    fn push(&mut self, f: u64, _h: u32, index: u32, g: u32) {
        let level = (f.min(Buckets::MOST) as usize).max(self.level);
        let cost = u64::from(g).min(Buckets::MOST) as usize;
        if level >= self.buckets.len() {
            self.buckets.resize_with(level + 1, Vec::new);
        }
        let by_cost = &mut self.buckets[level];
        if cost >= by_cost.len() {
            let before = by_cost.capacity();
            by_cost.resize_with(cost + 1, Vec::new);
            self.bytes += (by_cost.capacity() - before) * size_of::<Vec<u32>>();
        }
        let bucket = &mut by_cost[cost];
        if bucket.len() == bucket.capacity() {
            let before = bucket.capacity();
            bucket.reserve(1);
            self.bytes += (bucket.capacity() - before) * size_of::<u32>();
        }
        bucket.push(index);
        if level == self.level {
            self.cost = self.cost.min(cost);
        }
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        while let Some(by_cost) = self.buckets.get_mut(self.level) {
            while let Some(bucket) = by_cost.get_mut(self.cost) {
                if let Some(index) = bucket.pop() {
                    self.len -= 1;
                    return Some(index);
                }
                self.bytes -= bucket.capacity() * size_of::<u32>();
                *bucket = Vec::new();
                self.cost += 1;
            }
            self.bytes -= by_cost.capacity() * size_of::<Vec<u32>>();
            *by_cost = Vec::new();
            self.level += 1;
            self.cost = 0;
        }
        None
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        self.bytes + self.buckets.capacity() * size_of::<Vec<Vec<u32>>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_queues_give_the_least_first(pushes in prop::collection::vec(0_u64..50, 1..200)) {
            let (mut heap, mut buckets) = (Heap::default(), Buckets::default());
            for (index, &f) in pushes.iter().enumerate() {
                heap.push(f, 0, index as u32, 0);
                buckets.push(f, 0, index as u32, 0);
                if index % 3 == 2 {
                    let a = heap.pop().map(|i| pushes[i as usize]);
                    let b = buckets.pop().map(|i| pushes[i as usize]);
                    prop_assert_eq!(a, b);
                }
            }
            while let Some(index) = heap.pop() {
                let other = buckets.pop().map(|i| pushes[i as usize]);
                prop_assert_eq!(Some(pushes[index as usize]), other);
            }
            prop_assert!(buckets.pop().is_none() && buckets.is_empty());
        }

        /// Against a list of evaluation, estimate and number of the push that is searched for the node to take.
        #[test]
        fn ties_are_broken_as_asked(
            pushes in prop::collection::vec((0_u64..6, 0_u32..4, prop::bool::ANY), 1..200),
        ) {
            for ties in Ties::ALL {
                let mut queue = TieHeap::new(ties);
                let mut list: Vec<(u64, u32, u32)> = Vec::new();
                for (index, &(f, h, pops)) in (0_u32..).zip(&pushes) {
                    queue.push(f, h, index, 0);
                    list.push((f, h, index));
                    if pops {
                        let rank = |&&(f, h, index): &&(u64, u32, u32)| match ties {
                            Ties::Fifo => (f, 0, index),
                            Ties::Lifo => (f, 0, u32::MAX - index),
                            Ties::LeastEstimate => (f, h, index),
                        };
                        let wanted = list.iter().min_by_key(rank).unwrap().2;
                        prop_assert_eq!(queue.pop(), Some(wanted));
                        list.retain(|node| node.2 != wanted);
                    }
                    prop_assert_eq!(queue.len(), list.len());
                }
            }
        }

        /// Against a list that is searched for the node to take.
        #[test]
        fn the_cheapest_of_a_level_comes_first(
            pushes in prop::collection::vec((0_u64..20, 0_u32..20, prop::bool::ANY), 1..200),
        ) {
            let mut queue = CheapestFirst::default();
            let mut list: Vec<(u64, u32)> = Vec::new();
            let mut level = 0;
            for (f, g, pops) in pushes {
                queue.push(f, 0, g, g);
                list.push((f, g));
                if pops {
                    level = level.max(list.iter().map(|node| node.0).min().unwrap_or(0));
                    let allowed = list.iter().enumerate().filter(|(_, node)| node.0 <= level);
                    let at = allowed.min_by_key(|(_, node)| node.1).unwrap().0;
                    prop_assert_eq!(queue.pop(), Some(list.swap_remove(at).1));
                }
                prop_assert_eq!(queue.len(), list.len());
            }
            while queue.pop().is_some() {
                list.pop();
            }
            prop_assert!(list.is_empty());
        }
    }
}
