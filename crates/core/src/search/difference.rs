//! Two recorded searches of one problem: which states one expands and the other does not.

use super::{Recording, SearchEvent};
use crate::grid::Cell;
use std::collections::HashSet;

/// How two recorded searches of one problem differ in the states that they expand. The expansions of each
/// are counted from 0, so that both can be looked at after equal work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchDifference {
    /// For each search, which of its events are expansions.
    expansions: [Vec<usize>; 2],
    /// For each of these, whether the other search expands the state too, sooner or later.
    shared: [Vec<bool>; 2],
    first: Option<usize>,
}

/// What tells the state of an event from others: the side of the search, and all that is seen of it but
/// the action that led there.
type StateKey<'a> = (bool, Cell, &'a [Cell], &'a [(&'static str, i64)]);

fn key(event: &SearchEvent) -> StateKey<'_> {
    let state = &event.state;
    (event.backward, state.cell, &state.others, &state.values)
}

impl SearchDifference {
    /// Compares two searches as far as they were recorded.
    pub fn new(searches: [&Recording; 2]) -> Self {
        let expansions = searches.map(Recording::expansions);
        let states = [0, 1].map(|side: usize| -> Vec<StateKey<'_>> {
            expansions[side].iter().map(|&at| key(&searches[side].events[at])).collect()
        });
        let shared = [0, 1].map(|side: usize| {
            let others: HashSet<_> = states[1 - side].iter().collect();
            states[side].iter().map(|state| others.contains(state)).collect()
        });
        let [one, other] = &states;
        let differ = one.iter().zip(other).position(|(one, other)| one != other);
        let ended = (one.len() != other.len()).then_some(one.len().min(other.len()));
        Self { first: differ.or(ended), expansions, shared }
    }

    /// The number of expansions of the search that has more of them.
    pub fn len(&self) -> usize {
        self.expansions.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Whether neither search expands anything.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of expansions of a search.
    pub fn expanded(&self, side: usize) -> usize {
        self.expansions[side].len()
    }

    /// The event with which a search expands its `number`th state, or its last one if it has fewer.
    pub fn event(&self, side: usize, number: usize) -> Option<usize> {
        let expansions = &self.expansions[side];
        expansions.get(number).or(expansions.last()).copied()
    }

    /// The number of the expansion that is shown at an event of a search: the last one up to there.
    pub fn number(&self, side: usize, event: usize) -> usize {
        self.expansions[side].partition_point(|&at| at <= event).saturating_sub(1)
    }

    /// The first expansion for which the searches take different states, or that only one of them has;
    /// `None` if they are the same from beginning to end.
    pub fn first(&self) -> Option<usize> {
        self.first
    }

    /// The first expansion of a search after `number` whose state the other search never expands.
    pub fn next_own(&self, side: usize, number: Option<usize>) -> Option<usize> {
        let from = number.map_or(0, |number| number + 1);
        let later = self.shared[side].iter().enumerate().skip(from);
        later.into_iter().find(|(_, shared)| !**shared).map(|(number, _)| number)
    }

    /// The number of expansions of a search whose states the other search never expands.
    pub fn own(&self, side: usize) -> usize {
        self.shared[side].iter().filter(|shared| !**shared).count()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Counters, EventKind, RecordingEnd, RecordingSummary, StateView};
    use super::*;

    /// A recording that expands cells of a row, each after it was generated.
    fn expanding(row: &[i32]) -> Recording {
        let event = |kind, &x: &i32| SearchEvent {
            kind,
            id: x as u32,
            parent: None,
            f: 0,
            g: 0,
            h: 0,
            backward: false,
            state: StateView { cell: Cell::new(x, 0), ..StateView::default() },
        };
        let both = |x| [event(EventKind::Generate, x), event(EventKind::Expand, x)];
        let summary =
            RecordingSummary { end: RecordingEnd::Exhausted, counters: Counters::default() };
        Recording::new(row.iter().flat_map(both).collect(), summary)
    }

    #[test]
    fn what_only_one_search_expands_is_found() {
        let searches = [expanding(&[0, 1, 2, 3]), expanding(&[0, 1, 5, 2, 6, 7])];
        let difference = SearchDifference::new([&searches[0], &searches[1]]);
        assert_eq!(difference.first(), Some(2));
        assert_eq!((difference.len(), difference.expanded(0), difference.expanded(1)), (6, 4, 6));
        assert_eq!((difference.own(0), difference.own(1)), (1, 3));
        assert_eq!(difference.next_own(0, None), Some(3));
        assert_eq!(difference.next_own(0, Some(3)), None);
        let own: Vec<_> = std::iter::successors(difference.next_own(1, None), |&at| {
            difference.next_own(1, Some(at))
        })
        .collect();
        assert_eq!(own, [2, 4, 5]);
        // A search that has ended stays at its last expansion.
        assert_eq!(difference.event(0, 5), Some(7));
        assert_eq!(
            (difference.number(0, 6), difference.number(0, 7), difference.number(0, 0)),
            (2, 3, 0)
        );
    }

    #[test]
    fn equal_searches_never_differ_and_a_longer_one_differs_where_the_other_ends() {
        let one = expanding(&[4, 5, 6]);
        let difference = SearchDifference::new([&one, &one]);
        assert_eq!((difference.first(), difference.own(0), difference.own(1)), (None, 0, 0));
        let difference = SearchDifference::new([&one, &expanding(&[4, 5])]);
        assert_eq!((difference.first(), difference.own(0), difference.own(1)), (Some(2), 1, 0));
        assert!(SearchDifference::new([&expanding(&[]), &expanding(&[])]).is_empty());
    }
}
