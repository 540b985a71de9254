//! A list that grows without being copied.

use std::ops::{Index, IndexMut};

/// The items of a page, as a power of two.
const PAGE_BITS: usize = 14;
const PAGE: usize = 1 << PAGE_BITS;

/// The items for which a list first makes room.
const FIRST: usize = 64;

/// At this length, 32 bits are not enough for the indices of another page, with some to spare for "none".
const MOST: usize = 0xffff_0000;

/// A list in pages of the same length. What it holds stays where it is, so that growing takes neither the time of a
/// copy nor the memory for the old and the new block at once.
#[derive(Clone, Debug)]
pub struct Pages<T> {
    /// As quick as a vector as long as there is no other page. Until then it may have less room than those.
    first: Vec<T>,
    /// All are full but the last.
    rest: Vec<Vec<T>>,
    /// Items for which there is room.
    capacity: usize,
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self { first: Vec::new(), rest: Vec::new(), capacity: 0 }
    }
}

impl<T> Pages<T> {
    /// Number of items.
    #[inline]
    pub fn len(&self) -> usize {
        match self.rest.last() {
            None => self.first.len(),
            Some(last) => self.rest.len() * PAGE + last.len(),
        }
    }

    /// Whether it holds no item.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Memory taken, in bytes.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.capacity * size_of::<T>()
    }

    /// Whether there is room for another item.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.len() < self.capacity
    }

    /// Makes room for more items, within so many bytes; `false` if that is not enough, the machine has no memory, or
    /// indices would need more than 32 bits.
    #[cold]
    pub fn grow(&mut self, bytes: usize) -> bool {
        let more = match self.capacity {
            0 => FIRST,
            capacity if capacity < PAGE => capacity.min(PAGE - capacity),
            _ => PAGE,
        };
        if more * size_of::<T>() > bytes || self.capacity >= MOST {
            return false;
        }
        let has_memory = if self.capacity < PAGE {
            self.first.try_reserve_exact(more).is_ok()
        } else {
            let mut page = Vec::new();
            let has_memory = page.try_reserve_exact(more).is_ok();
            self.rest.extend(has_memory.then_some(page));
            has_memory
        };
        self.capacity += if has_memory { more } else { 0 };
        has_memory
    }

    /// Adds an item. Without [room](Self::has_room) nothing is added.
    #[inline]
    pub fn push(&mut self, item: T) {
        if self.has_room() {
            self.rest.last_mut().unwrap_or(&mut self.first).push(item);
        }
    }

    /// The item at an index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        match self.first.get(index) {
            None => self.later(index),
            item => item,
        }
    }

    /// The item at an index, to change it.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index < self.first.len() { self.first.get_mut(index) } else { self.later_mut(index) }
    }

    /// The item at an index that is not on the first page.
    fn later(&self, index: usize) -> Option<&T> {
        self.rest.get((index >> PAGE_BITS).wrapping_sub(1))?.get(index % PAGE)
    }

    fn later_mut(&mut self, index: usize) -> Option<&mut T> {
        self.rest.get_mut((index >> PAGE_BITS).wrapping_sub(1))?.get_mut(index % PAGE)
    }

    /// All items in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first).chain(&self.rest).flatten()
    }

    /// All items in order, to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        std::iter::once(&mut self.first).chain(&mut self.rest).flatten()
    }
}

impl<T> Index<usize> for Pages<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        match self.get(index) {
            Some(item) => item,
            None => outside(index, self.len()),
        }
    }
}

impl<T> IndexMut<usize> for Pages<T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        let len = self.len();
        match self.get_mut(index) {
            Some(item) => item,
            None => outside(index, len),
        }
    }
}

#[cold]
#[inline(never)]
fn outside(index: usize, len: usize) -> ! {
    panic!("there is no item {index} in a list of {len}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_stays_at_its_index_through_all_growth() {
        let mut list = Pages::default();
        assert!(list.is_empty() && list.get(0).is_none() && !list.has_room());
        for item in 0..3 * PAGE + 5 {
            if !list.has_room() {
                assert_eq!(list.bytes(), item * size_of::<usize>());
                assert!(!list.grow(0), "there is no room within no bytes");
                assert!(!list.has_room() && list.len() == item);
                list.push(item);
                assert_eq!(list.len(), item, "nothing is added without room");
                assert!(list.grow(usize::MAX));
            }
            list.push(item);
        }
        assert_eq!(list.len(), 3 * PAGE + 5);
        assert_eq!(list.bytes(), 4 * PAGE * size_of::<usize>());
        list[PAGE] += 1;
        list.iter_mut().take(2).for_each(|item| *item += 7);
        let expected = |at: usize| at + if at < 2 { 7 } else { usize::from(at == PAGE) };
        assert!((0..list.len()).all(|at| list[at] == expected(at)));
        assert!(list.iter().enumerate().all(|(at, &item)| item == expected(at)));
        assert_eq!(list.get(list.len()), None);
    }
}
