//! The open list of one side of the bidirectional search.

/// No entry.
const NONE: u32 = u32::MAX;

/// Entries by priority, and among equal ones by cost so far, the smaller first, so that all states
/// of a slot with the same cost come together; the latest of a list comes first.
///
/// The lists are linked through the entries, which their owner keeps: [`push`](Self::push) gives the
/// link to keep with an entry, and [`pop`](Self::pop) asks for it.
pub struct Queue {
    /// By priority.
    buckets: Vec<Bucket>,
    priority: usize,
    cost: u32,
    len: usize,
    /// Entries by cost and by cost plus estimate, if they are counted.
    tallies: Option<[Tally; 2]>,
    /// Memory of the lists in the buckets.
    bytes: usize,
}

/// The latest entries of one priority, by cost. Without estimates there is only one cost, which takes no
/// memory of its own.
struct Bucket {
    /// The cost of the first list; [`NONE`] until there is one.
    cost: u32,
    first: u32,
    others: Vec<u32>,
}

impl Bucket {
    const EMPTY: Self = Self { cost: NONE, first: NONE, others: Vec::new() };

    /// The list of a cost, which is made if need be.
    #[inline]
    fn list_of(&mut self, cost: u32) -> &mut u32 {
        if self.cost == NONE {
            self.cost = cost;
        }
        if cost == self.cost {
            return &mut self.first;
        }
        self.other_list_of(cost)
    }

    fn other_list_of(&mut self, cost: u32) -> &mut u32 {
        if cost < self.cost {
            let missing = (self.cost - cost - 1) as usize;
            let moved = std::iter::repeat_n(NONE, missing).chain([self.first]);
            self.others.splice(0..0, moved);
            (self.cost, self.first) = (cost, NONE);
            return &mut self.first;
        }
        let at = (cost - self.cost - 1) as usize;
        if at >= self.others.len() {
            self.others.resize(at + 1, NONE);
        }
        &mut self.others[at]
    }

    /// The least cost from this one on of which there is an entry.
    #[inline]
    fn next_cost(&self, from: u32) -> Option<u32> {
        if self.cost == NONE {
            return None;
        }
        if from <= self.cost && self.first != NONE {
            return Some(self.cost);
        }
        let skipped = from.saturating_sub(self.cost + 1) as usize;
        let mut others = self.others.iter().skip(skipped);
        Some(self.cost + 1 + (skipped + others.position(|&entry| entry != NONE)?) as u32)
    }
}

/// How many entries have each value.
#[derive(Default)]
struct Tally {
    counts: Vec<u32>,
    least: usize,
}

impl Tally {
    fn add(&mut self, value: usize) {
        if value >= self.counts.len() {
            self.counts.resize(value + 1, 0);
        }
        // Nothing below the least is counted, and past the end nothing at all.
        if self.counts.get(self.least).is_none_or(|&count| count == 0) {
            self.least = value;
        }
        self.counts[value] += 1;
        self.least = self.least.min(value);
    }

    fn remove(&mut self, value: usize) {
        self.counts[value] -= 1;
        while self.counts.get(self.least) == Some(&0) {
            self.least += 1;
        }
    }

    fn least(&self) -> u32 {
        if self.least < self.counts.len() { self.least as u32 } else { NEVER }
    }
}

/// Larger than any cost; two of them and one still fit.
const NEVER: u32 = 1 << 30;
/// Priorities for which there is room from the beginning.
const ROOM: usize = 64;

impl Queue {
    /// An empty queue. Only one that counts knows its [`least_cost`](Self::least_cost) and
    /// [`least_f`](Self::least_f) whatever the priorities are.
    pub fn new(counts: bool) -> Self {
        Self {
            buckets: Vec::with_capacity(ROOM),
            priority: 0,
            cost: 0,
            len: 0,
            tallies: counts.then(Default::default),
            bytes: 0,
        }
    }

    /// Adds an entry with its priority, cost and estimate; gives its link.
    #[inline]
    pub fn push(&mut self, priority: u32, cost: u32, estimate: u32, index: u32) -> u32 {
        let at = priority as usize;
        if at >= self.buckets.len() {
            self.buckets.resize_with(at + 1, || Bucket::EMPTY);
        }
        let bucket = &mut self.buckets[at];
        let before = bucket.others.capacity();
        let link = std::mem::replace(bucket.list_of(cost), index);
        self.bytes += (bucket.others.capacity() - before) * size_of::<u32>();
        if self.len == 0 || (at, cost) < (self.priority, self.cost) {
            (self.priority, self.cost) = (at, cost);
        }
        self.len += 1;
        if let Some([by_cost, by_f]) = &mut self.tallies {
            by_cost.add(cost as usize);
            by_f.add((cost + estimate) as usize);
        }
        link
    }

    /// The entry that comes next.
    #[inline]
    pub fn peek(&self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let bucket = self.buckets.get(self.priority)?;
        let latest = match self.cost.checked_sub(bucket.cost)? {
            0 => bucket.first,
            more => *bucket.others.get(more as usize - 1)?,
        };
        (latest != NONE).then_some(latest)
    }

    /// Takes the entry that comes next; `values` gives its cost, its estimate and its link.
    #[inline]
    pub fn pop(&mut self, values: impl FnOnce(u32) -> (u32, u32, u32)) -> Option<u32> {
        let index = self.peek()?;
        let (cost, estimate, link) = values(index);
        if let Some([by_cost, by_f]) = &mut self.tallies {
            by_cost.remove(cost as usize);
            by_f.remove((cost + estimate) as usize);
        }
        *self.buckets[self.priority].list_of(self.cost) = link;
        self.len -= 1;
        if link == NONE && self.len > 0 {
            self.advance();
        }
        Some(index)
    }

    /// Goes on to the next list that holds something; there must be one.
    fn advance(&mut self) {
        while let Some(bucket) = self.buckets.get_mut(self.priority) {
            if let Some(cost) = bucket.next_cost(self.cost) {
                self.cost = cost;
                return;
            }
            self.bytes -= bucket.others.capacity() * size_of::<u32>();
            *bucket = Bucket::EMPTY;
            self.priority += 1;
            self.cost = 0;
        }
    }

    /// Number of entries that wait.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the queue holds no entry.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The least priority; very large if nothing waits.
    pub fn priority(&self) -> u32 {
        if self.len == 0 { NEVER } else { self.priority as u32 }
    }

    /// The least cost so far of an entry; without counting, that of the entry that comes next.
    pub fn least_cost(&self) -> u32 {
        match &self.tallies {
            Some([by_cost, _]) => by_cost.least(),
            None if self.len == 0 => NEVER,
            None => self.cost,
        }
    }

    /// The least sum of cost and estimate of an entry; 0, which is no more, without counting.
    pub fn least_f(&self) -> u32 {
        self.tallies.as_ref().map_or(0, |[_, by_f]| by_f.least())
    }

    /// Memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes + self.buckets.capacity() * size_of::<Bucket>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_least_priority_comes_first(
            entries in prop::collection::vec((0_u32..30, 0_u32..30, 0_u32..60), 1..200),
        ) {
            let mut queue = Queue::new(true);
            let mut waiting: Vec<usize> = Vec::new();
            let mut links = Vec::new();
            let priority = |&i: &usize| {
                let (g, _, priority) = entries[i];
                (priority, g)
            };
            for (index, &(g, h, first)) in entries.iter().enumerate() {
                links.push(queue.push(first, g, h, index as u32));
                waiting.push(index);
                if index % 3 == 2 {
                    let least = waiting.iter().map(priority).min();
                    let values = |i: u32| {
                        let (g, h, _) = entries[i as usize];
                        (g, h, links[i as usize])
                    };
                    let taken = queue.pop(values).map(|i| i as usize);
                    prop_assert_eq!(taken.as_ref().map(priority), least);
                    waiting.retain(|&i| Some(i) != taken);
                }
                let of = |value: fn((u32, u32)) -> u32| {
                    let values = |&i: &usize| value((entries[i].0, entries[i].1));
                    waiting.iter().map(values).min().unwrap_or(NEVER)
                };
                prop_assert_eq!(queue.least_cost(), of(|(g, _)| g));
                prop_assert_eq!(queue.least_f(), of(|(g, h)| g + h));
                let least = waiting.iter().map(|i| priority(i).0).min().unwrap_or(NEVER);
                prop_assert_eq!(queue.priority(), least);
                prop_assert_eq!(queue.is_empty(), waiting.is_empty());
            }
        }
    }
}
