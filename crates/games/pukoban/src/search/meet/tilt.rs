//! Steps that cost 0 or 2 by a potential of the player's cell.

use super::{BACKWARD, Entry, FORWARD, Meet, Meeting, NONE, Side};
use crate::Objective;
use crate::search::boards::{Boards, Mask, and, bits, count, insert, is_empty, or, without};
use crate::search::potential::{Choice, Potential, Sample, ends};
use crate::search::puzzle::{Puzzle, Square, WALL};
use std::sync::Arc;

/// States of each side by which a potential is chosen.
const SAMPLES: usize = 16;

/// A potential as both sides see it: the backward side goes the other way, so up is down.
pub(super) struct Tilt<const W: usize> {
    /// By spot.
    pub(super) potentials: [Potential; 2],
    /// What a side's costs are more than steps, by the bit of the player's cell.
    heights: [Vec<i32>; 2],
    /// The cells into which a step in each direction leads up.
    pub(super) rising: [[Mask<W>; 4]; 2],
    /// What the costs of both sides are more than the steps of a whole path.
    surplus: i32,
}

impl<const W: usize> Tilt<W> {
    pub(super) fn new(
        puzzle: &Puzzle,
        boards: &Boards<W>,
        player: Square,
        potential: Potential,
    ) -> Option<Self> {
        let highest = ends(puzzle).map(|spot| potential[usize::from(spot)]).max()?;
        let start = potential[usize::from(player)];
        let mut heights = [vec![0; 64 * W], vec![0; 64 * W]];
        let mut rising = [[[0; W]; 4]; 2];
        for (spot, &here) in potential.iter().enumerate() {
            let bit = boards.bit(spot as Square);
            heights[FORWARD][bit] = here - start;
            heights[BACKWARD][bit] = highest - here;
            for direction in [0, 1, 2, 3] {
                let to = puzzle.next(spot as Square, direction);
                if to != WALL {
                    let up = potential[usize::from(to)] > here;
                    let side = if up { FORWARD } else { BACKWARD };
                    insert(&mut rising[side][direction], boards.bit(to));
                }
            }
        }
        let backward = potential.iter().map(|value| -value).collect();
        Some(Self { potentials: [potential, backward], heights, rising, surplus: highest - start })
    }
}

impl<const W: usize> Meet<W> {
    /// What a side's cost of a state is more than its steps.
    #[inline]
    pub(super) fn height(&self, at: usize, bit: usize) -> i32 {
        self.tilt.as_ref().map_or(0, |tilt| tilt.heights[at][bit])
    }

    /// The steps of a whole path whose costs on both sides add up to this.
    pub(super) fn steps(&self, cost: u32) -> u32 {
        (i64::from(cost) - i64::from(self.surplus())).max(0) as u32
    }

    /// By how much the costs of a whole path on both sides exceed its steps.
    #[inline]
    pub(super) fn surplus(&self) -> i32 {
        self.tilt.as_ref().map_or(0, |tilt| tilt.surplus)
    }

    /// Whether the backward side takes in the sets of boxes with which it begins.
    pub(in crate::search) fn is_beginning(&self) -> bool {
        self.listed > 0 && !self.is_two_sided()
    }

    /// Begins to look for a potential that sharpens the estimates.
    pub(in crate::search) fn tilt(&mut self) {
        if !self.is_informed || self.is_beginning() {
            return;
        }
        self.is_tilted = true;
        if self.objective == Objective::BoxMoves {
            return;
        }
        let mut samples = self.samples(FORWARD);
        if self.is_two_sided() {
            samples.extend(self.samples(BACKWARD));
        }
        let of = (Arc::clone(&self.puzzle), Arc::clone(&self.zones));
        self.choice = Choice::new(of, self.player, self.start.clone(), samples);
    }

    /// Counts costs by this potential from now on. What is known stays known: of each state its cost changes
    /// by the height of its cell.
    pub(in crate::search) fn tilt_by(&mut self, potential: Potential) {
        let tilt = Tilt::new(&self.puzzle, &self.boards, self.player, potential);
        let Some(tilt) = tilt else { return };
        self.tilt = Some(tilt);
        let entries = |side: &Side<W>, at: usize| {
            side.entries.iter().map(|entry| self.by_height(at, entry.cells).len()).sum::<usize>()
        };
        let [forward, backward] = &self.sides;
        let more = entries(forward, FORWARD) + entries(backward, BACKWARD);
        if self.bytes() + more * size_of::<Entry<W>>() > self.limit {
            self.tilt = None;
            return;
        }
        // The backward side pays for the cells at which solutions end, as if it had come from the highest.
        for slot in self.slots.iter_mut() {
            for side in &mut slot.sides {
                (side.last, side.estimate) = (NONE, NONE);
            }
        }
        for at in [FORWARD, BACKWARD] {
            let entries = std::mem::take(&mut self.sides[at].entries);
            for entry in entries.iter() {
                for (height, cells) in self.by_height(at, entry.cells) {
                    let split = &mut self.sides[at].entries;
                    self.full |= !split.has_room() && !split.grow(usize::MAX);
                    let last = &mut self.slots[entry.slot as usize].sides[at].last;
                    let cost = entry.cost.wrapping_add(height as u32);
                    let before = std::mem::replace(last, self.sides[at].entries.len() as u32);
                    self.sides[at].entries.push(Entry { cells, cost, before, ..*entry });
                }
            }
        }
        let moved = |at: &mut Meeting, side: usize| {
            let height = self.height(side, at.bit);
            at.costs[side] = at.costs[side].wrapping_add(height as u32);
        };
        let mut meeting = self.meeting;
        if let Some(meeting) = &mut meeting {
            moved(meeting, FORWARD);
            moved(meeting, BACKWARD);
        }
        let mut nearest = self.nearest;
        if let Some((_, cost, at)) = &mut nearest {
            moved(at, FORWARD);
            *cost = at.costs[FORWARD];
        }
        self.nearest = nearest;
        self.proved = self.proved.saturating_add_signed(self.surplus());
        self.set_meeting(meeting);
        self.inform();
    }

    /// Some of the states that wait on a side.
    fn samples(&self, at: usize) -> Vec<Sample> {
        let waiting = || self.sides[at].entries.iter().filter(|entry| entry.waits());
        let stride = (waiting().count() / SAMPLES).max(1);
        let spot = |bit: usize| self.boards.spot(bit);
        waiting()
            .step_by(stride)
            .filter_map(|entry| {
                let boxes = bits(self.slots[entry.slot as usize].boxes).map(spot).collect();
                Some(Sample {
                    player: spot(bits(entry.cells).next()?),
                    boxes,
                    forward: at == FORWARD,
                })
            })
            .collect()
    }

    /// The cells of a set by the height that a side sees them at.
    pub(super) fn by_height(&self, at: usize, cells: Mask<W>) -> Vec<(i32, Mask<W>)> {
        let mut sets: Vec<(i32, Mask<W>)> = Vec::new();
        if self.tilt.is_none() {
            return vec![(0, cells)];
        }
        for bit in bits(cells) {
            let height = self.height(at, bit);
            let at = sets.iter().position(|set| set.0 == height).unwrap_or_else(|| {
                sets.push((height, [0; W]));
                sets.len() - 1
            });
            insert(&mut sets[at].1, bit);
        }
        sets
    }

    /// The steps that a forward state needs at least, by the estimate of its slot.
    pub(super) fn steps_ahead(&self, estimate: u32, bit: usize) -> u32 {
        self.steps(estimate.saturating_add_signed(self.height(FORWARD, bit)))
    }

    /// Adds to the entry that comes next all cells to which walks lead that cost nothing.
    ///
    /// They are no cheaper to reach in any other way, because what comes next is known at its least cost.
    pub(super) fn complete_next(&mut self) {
        let at = self.turn.0;
        let Some(tilt) = &self.tilt else { return };
        let Some(index) = self.sides[at].queue.peek() else { return };
        if self.completed == Some((at, index)) {
            return;
        }
        self.completed = Some((at, index));
        let entry = self.sides[at].entries[index as usize];
        let state = &self.slots[entry.slot as usize];
        let own = state.sides[at];
        let other = state.sides[1 - at];
        let free = without(&without(self.boards.floor(), &state.boxes), &own.closed);
        let before = and(&entry.cells, &free);
        let mut all = before;
        let mut edge = without(&all, &other.closed);
        while !is_empty(&edge) {
            let mut next = [0; W];
            for direction in 0..4 {
                let to = self.boards.shifted(&edge, direction);
                next = or(&next, &without(&to, &tilt.rising[at][direction]));
            }
            let next = without(&and(&next, &free), &all);
            all = or(&all, &next);
            edge = without(&next, &other.closed);
        }
        let more = without(&all, &before);
        if is_empty(&more) {
            return;
        }
        self.sides[at].open += u64::from(count(&without(&more, &own.known)));
        self.sides[at].entries[index as usize].cells = or(&entry.cells, &more);
        let known = &mut self.slots[entry.slot as usize].sides[at].known;
        *known = or(known, &more);
        let common = and(&more, &other.known);
        if !is_empty(&common) {
            self.meet(at, entry.slot, entry.cost, &common);
        }
    }

    /// Of the player's cells of a solved state the one with which a solution can end at the least cost of the
    /// backward side, and that cost.
    pub(super) fn best_end(&self, cells: &Mask<W>) -> Option<(usize, u32)> {
        let cost = |bit: usize| self.height(BACKWARD, bit) as u32;
        bits(and(cells, &self.ends)).map(|bit| (bit, cost(bit))).min_by_key(|&(_, cost)| cost)
    }
}
