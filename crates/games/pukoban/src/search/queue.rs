//! The open list of one side of the bidirectional search.

/// Entries by priority, and among equal ones by cost so far, the smaller first, so that all states
/// of a slot with the same cost come together.
#[derive(Default)]
pub struct Queue {
    /// By priority.
    buckets: Vec<Bucket>,
    priority: usize,
    cost: usize,
    len: usize,
    /// Entries by cost and by cost plus estimate.
    by_cost: Tally,
    by_f: Tally,
    bytes: usize,
}

/// The entries of one priority by cost.
#[derive(Default)]
struct Bucket {
    /// The cost of the first list.
    first: usize,
    lists: Vec<Vec<u32>>,
}

impl Bucket {
    /// The list of a cost, which is made if need be.
    #[inline]
    fn list_of(&mut self, cost: usize) -> &mut Vec<u32> {
        if self.lists.is_empty() {
            self.first = cost;
        }
        if cost < self.first {
            let missing = std::iter::repeat_with(Vec::new).take(self.first - cost);
            self.lists.splice(0..0, missing);
            self.first = cost;
        }
        let at = cost - self.first;
        if at >= self.lists.len() {
            self.lists.resize_with(at + 1, Vec::new);
        }
        &mut self.lists[at]
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

impl Queue {
    /// Adds an entry with its priority, cost and estimate.
    #[inline]
    pub fn push(&mut self, priority: u32, cost: u32, estimate: u32, index: u32) {
        let (priority, g, f) = (priority as usize, cost as usize, (cost + estimate) as usize);
        if priority >= self.buckets.len() {
            self.buckets.resize_with(priority + 1, Bucket::default);
        }
        let list = self.buckets[priority].list_of(g);
        let capacity = list.capacity();
        list.push(index);
        self.bytes += (list.capacity() - capacity) * size_of::<u32>();
        if self.len == 0 || (priority, g) < (self.priority, self.cost) {
            (self.priority, self.cost) = (priority, g);
        }
        self.len += 1;
        self.by_cost.add(g);
        self.by_f.add(f);
    }

    /// The entry that comes next.
    pub fn peek(&self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let bucket = self.buckets.get(self.priority)?;
        bucket.lists.get(self.cost.checked_sub(bucket.first)?)?.last().copied()
    }

    /// Takes the entry that comes next; `values` gives its cost and its estimate.
    #[inline]
    pub fn pop(&mut self, values: impl FnOnce(u32) -> (u32, u32)) -> Option<u32> {
        let index = self.peek()?;
        let (cost, estimate) = values(index);
        self.by_cost.remove(cost as usize);
        self.by_f.remove((cost + estimate) as usize);
        self.buckets[self.priority].list_of(self.cost).pop();
        self.len -= 1;
        if self.len > 0 {
            self.advance();
        }
        Some(index)
    }

    /// Goes on to the next bucket that holds something; there must be one.
    fn advance(&mut self) {
        while let Some(bucket) = self.buckets.get_mut(self.priority) {
            self.cost = self.cost.max(bucket.first);
            while let Some(list) = bucket.lists.get_mut(self.cost - bucket.first) {
                if !list.is_empty() {
                    return;
                }
                self.bytes -= list.capacity() * size_of::<u32>();
                *list = Vec::new();
                self.cost += 1;
            }
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

    /// The least cost so far of an entry.
    pub fn least_cost(&self) -> u32 {
        self.by_cost.least()
    }

    /// The least sum of cost and estimate of an entry.
    pub fn least_f(&self) -> u32 {
        self.by_f.least()
    }

    /// Memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
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
            let mut queue = Queue::default();
            let mut waiting: Vec<usize> = Vec::new();
            let priority = |&i: &usize| {
                let (g, _, priority) = entries[i];
                (priority, g)
            };
            for (index, &(g, h, first)) in entries.iter().enumerate() {
                queue.push(first, g, h, index as u32);
                waiting.push(index);
                if index % 3 == 2 {
                    let least = waiting.iter().map(priority).min();
                    let values = |i: u32| (entries[i as usize].0, entries[i as usize].1);
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
