//! The open list of one side of the bidirectional search.

/// Entries by priority, and among equal ones by cost so far, the smaller first, so that all states
/// of a slot with the same cost come together.
#[derive(Default)]
pub struct Queue {
    /// By priority and then by cost.
    buckets: Vec<Vec<Vec<u32>>>,
    priority: usize,
    cost: usize,
    len: usize,
    /// Entries by cost and by cost plus estimate.
    by_cost: Tally,
    by_f: Tally,
    bytes: usize,
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
    /// Adds an entry with its cost and estimate: `max(g + h, 2g + 1)` counts if there are two sides,
    /// else `g + h`.
    #[inline]
    pub fn push(&mut self, cost: u32, estimate: u32, two_sided: bool, index: u32) {
        let (g, f) = (cost as usize, (cost + estimate) as usize);
        let priority = if two_sided { f.max(2 * g + 1) } else { f };
        if priority >= self.buckets.len() {
            self.buckets.resize_with(priority + 1, Vec::new);
        }
        let by_cost = &mut self.buckets[priority];
        if g >= by_cost.len() {
            by_cost.resize_with(g + 1, Vec::new);
        }
        let bucket = &mut by_cost[g];
        let capacity = bucket.capacity();
        bucket.push(index);
        self.bytes += (bucket.capacity() - capacity) * size_of::<u32>();
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
        self.buckets.get(self.priority)?.get(self.cost)?.last().copied()
    }

    /// Takes the entry that comes next; `values` gives its cost and its estimate.
    #[inline]
    pub fn pop(&mut self, values: impl FnOnce(u32) -> (u32, u32)) -> Option<u32> {
        let index = self.peek()?;
        let (cost, estimate) = values(index);
        self.by_cost.remove(cost as usize);
        self.by_f.remove((cost + estimate) as usize);
        self.buckets[self.priority][self.cost].pop();
        self.len -= 1;
        if self.len > 0 {
            self.advance();
        }
        Some(index)
    }

    /// Goes on to the next bucket that holds something; there must be one.
    fn advance(&mut self) {
        while let Some(by_cost) = self.buckets.get_mut(self.priority) {
            while let Some(bucket) = by_cost.get_mut(self.cost) {
                if !bucket.is_empty() {
                    return;
                }
                self.bytes -= bucket.capacity() * size_of::<u32>();
                *bucket = Vec::new();
                self.cost += 1;
            }
            self.priority += 1;
            self.cost = 0;
        }
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
            entries in prop::collection::vec((0_u32..30, 0_u32..30), 1..200),
        ) {
            let mut queue = Queue::default();
            let mut waiting: Vec<usize> = Vec::new();
            let priority = |&i: &usize| {
                let (g, h) = entries[i];
                ((g + h).max(2 * g + 1), g)
            };
            for (index, &(g, h)) in entries.iter().enumerate() {
                queue.push(g, h, true, index as u32);
                waiting.push(index);
                if index % 3 == 2 {
                    let least = waiting.iter().map(priority).min();
                    let taken = queue.pop(|i| entries[i as usize]).map(|i| i as usize);
                    prop_assert_eq!(taken.as_ref().map(priority), least);
                    waiting.retain(|&i| Some(i) != taken);
                }
                let of = |value: fn((u32, u32)) -> u32| {
                    waiting.iter().map(|&i| value(entries[i])).min().unwrap_or(NEVER)
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
