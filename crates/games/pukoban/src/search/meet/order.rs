//! Which side goes next and by what estimates, where the sides meet, and when the search ends.

use super::{BACKWARD, EXPANDED, Entry, FORWARD, Meet, Meeting, NONE, key};
use crate::Objective;
use crate::search::boards::{Mask, and, bits, count, insert, without};
use crate::search::estimate::FAR;
use crate::search::freeze::frozen;
use crate::search::moves::Move;
use crate::search::puzzle::Square;
use crate::search::queue::Queue;
use crate::search::space::combination;
use crate::search::zones::Sides;
use outwit_core::search::Status;

/// Sets of boxes that the backward side takes in per step.
const SETS_PER_STEP: u64 = 4;
/// Entries that are sorted by new priorities per step.
const ENTRIES_PER_STEP: usize = 64;

impl<const W: usize> Meet<W> {
    pub(super) fn is_two_sided(&self) -> bool {
        self.listed > 0 && self.listed == self.goal_sets
    }

    /// Once a side has expanded all of one priority, the one with fewer entries goes on.
    pub(super) fn choose_side(&mut self) {
        let least = |at: usize| self.sides[at].queue.priority();
        let (at, priority) = self.turn;
        if self.is_two_sided() && least(at) != priority {
            let fewer = self.sides[BACKWARD].queue.len() < self.sides[FORWARD].queue.len();
            let at = if fewer { BACKWARD } else { FORWARD };
            self.turn = (at, least(at));
        }
    }

    /// Whether a side has nothing left to expand.
    #[inline]
    fn is_exhausted(&self) -> bool {
        let [forward, backward] = &self.sides;
        forward.queue.is_empty() || self.is_two_sided() && backward.queue.is_empty()
    }

    /// What no path costs less than that is still to be found.
    fn bound(&self) -> u32 {
        let [forward, backward] = &self.sides;
        if self.is_exhausted() {
            u32::MAX
        } else if self.is_two_sided() {
            let both = (forward.queue.priority() + backward.queue.priority()).div_ceil(2);
            // Without estimates the queues are in the order of costs.
            let last = u32::from(self.tilt.is_none());
            let costs = forward.queue.least_cost() + backward.queue.least_cost() + last;
            both.max(forward.queue.least_f()).max(backward.queue.least_f()).max(costs)
        } else {
            // That is the cost so far and the estimate.
            forward.queue.priority()
        }
    }

    /// Sets where the sides met, if that is cheaper than what is to be undercut.
    pub(super) fn set_meeting(&mut self, meeting: Option<Meeting>) {
        let ceiling = self.ceiling.saturating_add_signed(self.surplus());
        self.meeting = meeting.filter(|meeting| meeting.cost() < ceiling);
        self.least = self.meeting.map_or(ceiling, |meeting| meeting.cost());
    }

    /// The end of the search, if nothing better can be found any more.
    pub(super) fn end(&mut self) -> Option<Status<Move>> {
        if self.least == u32::MAX && !self.is_exhausted() {
            return None;
        }
        self.proved = self.bound();
        if self.proved < self.least {
            return None;
        }
        let Some(meeting) = self.meeting else { return Some(Status::Exhausted) };
        let cost = meeting.cost();
        let mut path = self.path(FORWARD, meeting);
        path.extend(self.path(BACKWARD, meeting));
        let cost = self.steps(cost);
        Some(Status::Found { path, cost })
    }

    /// Lets the backward side begin with some more sets of boxes that fill the goals.
    pub(super) fn list_goals(&mut self) {
        let is_first = self.listed == 0;
        if is_first && self.is_informed {
            self.sides[BACKWARD].queue = Queue::new(true);
            self.measure(BACKWARD);
        }
        let spare = self.puzzle.boxes() - self.puzzle.goals().len();
        self.completed = None;
        for number in self.listed..self.goal_sets.min(self.listed + SETS_PER_STEP) {
            let mut boxes = self.goals;
            for at in combination(self.others.len() as u64, spare as u64, number) {
                insert(&mut boxes, self.boards.bit(self.others[at as usize]));
            }
            self.listed += 1;
            for (around, free) in self.by_sides(&boxes) {
                self.list_goal(&boxes, around, &free);
            }
        }
        if is_first {
            self.requeue(FORWARD);
        }
    }

    /// Lets the backward side begin with these boxes and the player on one of these cells, all on the same sides.
    fn list_goal(&mut self, boxes: &Mask<W>, around: Sides, free: &Mask<W>) {
        let Some(slot) = self.slot(boxes, around, key(boxes, around)) else { return };
        if self.objective == Objective::BoxMoves {
            self.reach(BACKWARD, slot, 0, *free);
            return;
        }
        // Nothing comes after the last move of a box.
        let ends = and(&self.ends, free);
        self.slots[slot as usize].sides[BACKWARD].closed = without(free, &ends);
        for (height, cells) in self.by_height(BACKWARD, ends) {
            self.reach(BACKWARD, slot, height as u32, cells);
        }
    }

    /// The cells without a box by the sides of boxes on which a player there is.
    fn by_sides(&self, boxes: &Mask<W>) -> Vec<(Sides, Mask<W>)> {
        let free = without(self.boards.floor(), boxes);
        let mut sets: Vec<(Sides, Mask<W>)> = Vec::new();
        for bit in bits(free) {
            let around = self.around(boxes, bit);
            let at = sets.iter().position(|set| set.0 == around).unwrap_or_else(|| {
                sets.push((around, [0; W]));
                sets.len() - 1
            });
            insert(&mut sets[at].1, bit);
        }
        sets
    }

    /// Makes the estimates, by which both sides go from now on.
    pub(in crate::search) fn inform(&mut self) {
        self.is_informed = true;
        self.completed = None;
        self.measure(FORWARD);
        if self.is_two_sided() {
            self.measure(BACKWARD);
            self.requeue(BACKWARD);
        }
        self.requeue(FORWARD);
        if let Some((_, cost, at)) = self.nearest {
            let estimate = self.estimate(FORWARD, at.slot);
            self.nearest = estimate.map(|estimate| (self.steps_ahead(estimate, at.bit), cost, at));
        }
    }

    /// Makes the table of a side's estimates.
    fn measure(&mut self, at: usize) {
        let targets = if at == FORWARD { self.puzzle.goals() } else { &self.start };
        let potential = self.tilt.as_ref().map_or(&[][..], |tilt| &tilt.potentials[at]);
        let kinds = self.kinds[at];
        self.sides[at].distances = self.zones.distances_to(&self.puzzle, kinds, targets, potential);
        // Boxes that are not needed may die.
        if self.sides[at].targets == self.puzzle.boxes() {
            let side = &mut self.sides[at];
            side.dead = [0; W];
            for spot in 0..self.puzzle.cells().len() as Square {
                let rows = self.zones.rows_of(spot);
                let far = &side.distances[rows.start * side.targets..rows.end * side.targets];
                if far.iter().all(|&far| far >= FAR) {
                    insert(&mut side.dead, self.boards.bit(spot));
                }
            }
        }
    }

    /// Whether boxes stand fast for ever on cells where they are not wanted, so that too few are left for the others.
    fn is_frozen(&self, at: usize, boxes: &Mask<W>) -> bool {
        if self.kinds[at].are_all() {
            return false;
        }
        let frozen = frozen(&self.boards, self.kinds[at], boxes, &self.sides[at].dead);
        let targets = if at == FORWARD { &self.goals } else { &self.begin };
        let spare = self.puzzle.boxes().saturating_sub(self.sides[at].targets);
        count(&without(&frozen, targets)) as usize > spare
    }

    /// Begins to sort the open entries of a side by new priorities.
    fn requeue(&mut self, at: usize) {
        self.sides[at].queue = Queue::new(self.listed > 0 && self.is_informed);
        self.unsorted[at] = Some(0);
    }

    /// Whether entries have to be sorted by new priorities; then it sorts some of them.
    pub(super) fn sort_some(&mut self) -> bool {
        let side = (0..2).find_map(|at| Some((at, self.unsorted[at]?)));
        let Some((at, from)) = side else { return false };
        let to = self.sides[at].entries.len().min(from + ENTRIES_PER_STEP);
        for index in from..to {
            let entry = self.sides[at].entries[index];
            if !entry.waits() {
                continue;
            }
            let Entry { slot, cost, cells, .. } = entry;
            match self.estimate(at, slot) {
                Some(estimate) => {
                    let priority = self.priority(at, slot, (cost, estimate), self.listed > 0);
                    let side = &mut self.sides[at];
                    side.entries[index].link =
                        side.queue.push(priority, cost, estimate, index as u32);
                }
                None => {
                    let closed = self.slots[slot as usize].sides[at].closed;
                    self.sides[at].entries[index].link = EXPANDED;
                    self.sides[at].open -= u64::from(count(&without(&cells, &closed)));
                }
            }
        }
        self.unsorted[at] = (to < self.sides[at].entries.len()).then_some(to);
        true
    }

    /// The priority of what a side reached at this cost and with this estimate: the less, the sooner.
    #[inline]
    pub(super) fn priority(
        &mut self,
        at: usize,
        slot: u32,
        (cost, estimate): (u32, u32),
        two_sided: bool,
    ) -> u32 {
        if !two_sided {
            return cost + estimate;
        }
        if !self.is_informed {
            return 2 * cost;
        }
        // The way there was no shorter than its estimate.
        let back = self.estimate(1 - at, slot).unwrap_or(0);
        (2 * cost + estimate).saturating_sub(back)
    }

    /// Looks for the cheapest path through cells that both sides have reached.
    pub(super) fn meet(&mut self, at: usize, slot: u32, cost: u32, common: &Mask<W>) {
        let other = 1 - at;
        let mut next = self.slots[slot as usize].sides[other].last;
        while let Some(&Entry { cells, cost: rest, before, .. }) =
            self.sides[other].entries.get(next as usize)
        {
            if cost + rest < self.least
                && let Some(bit) = bits(and(&cells, common)).next()
            {
                let mut costs = [rest; 2];
                costs[at] = cost;
                self.set_meeting(Some(Meeting { slot, bit, costs }));
            }
            next = before;
        }
    }

    /// The estimate of a slot, 0 as long as there are none; `None` where nothing can be reached.
    #[inline]
    pub(super) fn estimate(&mut self, at: usize, slot: u32) -> Option<u32> {
        if !self.is_informed {
            return Some(0);
        }
        if self.slots[slot as usize].sides[at].estimate == NONE {
            self.make_estimate(at, slot);
        }
        let estimate = self.slots[slot as usize].sides[at].estimate;
        (estimate < FAR).then_some(estimate)
    }

    fn make_estimate(&mut self, at: usize, slot: u32) {
        if self.is_frozen(at, &self.slots[slot as usize].boxes) {
            self.slots[slot as usize].sides[at].estimate = FAR;
            return;
        }
        let state = &mut self.slots[slot as usize];
        let side = &mut self.sides[at];
        let mut rows = [0; crate::level::MAX_BOXES];
        let boards = &self.boards;
        let doors = &self.doors;
        let of = (&state.boxes, state.around);
        let boxes = self.zones.fill_places(boards, doors, of, side.targets, &mut rows);
        let estimate = side.matcher.of_rows(&side.distances, side.targets, &rows[..boxes]);
        state.sides[at].estimate = estimate.unwrap_or(FAR);
    }

    /// Notes states if they look nearest to a goal so far: by the estimate, or the goals without a box.
    #[inline]
    pub(super) fn note_nearest(&mut self, slot: u32, cost: u32, estimate: u32, fresh: &Mask<W>) {
        let boxes = &self.slots[slot as usize].boxes;
        let bit = bits(*fresh).next().unwrap_or(0);
        let distance = match (self.is_informed, &self.tilt) {
            (false, _) => count(&without(&self.goals, boxes)),
            (true, None) => estimate,
            (true, Some(_)) => self.steps_ahead(estimate, bit),
        };
        if self.nearest.is_none_or(|(least, ..)| distance < least) {
            self.nearest = Some((distance, cost, Meeting { slot, bit, costs: [cost, 0] }));
        }
    }
}
