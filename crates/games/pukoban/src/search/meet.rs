//! Bidirectional heuristic search over whole sets of player's cells at a time.
//!
//! All states with the same boxes share a slot. What a search holds is not states but entries: a
//! slot, a cost so far and the set of player's cells that are reached at that cost. A walk of all of
//! them is four shifts of a bit mask, and which boxes can be pushed or pulled in a direction follows
//! from a few more, so that a state costs a few machine instructions instead of a hash lookup.
//!
//! The order of expansion is that of BAE* (Sadhukhan 2012; as DIBBS by Sewell and Jacobson 2021): each
//! side expands what has the least `2g + h - h'`, where `h'` estimates the way back to where the side began.
//! What is left of a path that goes through open states of both sides costs at least half of the sum of
//! their least priorities. The estimate is the minimum-cost matching of boxes with goals, and on the way
//! back with the boxes of the start; it is consistent, so a state is expanded once and at its least cost.
//! While there are more ways to fill the goals than entries expanded, the forward side goes alone, as A*.
//!
//! Where the fewest steps are looked for, steps then cost 0 or 2 by a potential of the player's cell: see
//! [`potential`].
//!
//! Where boxes can only be pushed, the backward side pulls. Then a slot is of one set of boxes and one side of each
//! box that stands in a door (see [`zones`](super::zones)), since the estimates tell these apart. What is
//! [frozen](super::freeze) is left out, and where pushes alone count some pushes are
//! [left for later](super::corral).
//!
//! The first states are expanded without estimates, by which both are breadth-first search: easy levels
//! need no tables.

mod answers;
mod order;
mod path;
mod slots;
mod tilt;

use super::boards::{
    Boards, Mask, and, bits, contains, count, insert, is_empty, or, remove, without,
};
use super::corral::{Pushes, Yard};
use super::estimate::FAR;
use super::moves::{Kinds, Move, opposite};
use super::potential::{self, Choice};
use super::puzzle::{Puzzle, Square};
use super::space::binomial;
use super::zones::{Sides, Zones};
use crate::Objective;
use outwit_core::search::{Counters, IndexTable, MemoryLimit, Pages, Status};
use slots::{EXPANDED, Entry, NONE, Side, Slot, SlotSide, key};
use std::sync::Arc;
use tilt::Tilt;

/// The two sides.
const FORWARD: usize = 0;
const BACKWARD: usize = 1;

/// A box move of an entry.
#[derive(Clone, Copy)]
struct BoxMove<const W: usize> {
    /// The boxes after it and the sides of them on which the player is then, and the key of both.
    boxes: Mask<W>,
    around: Sides,
    key: u64,
    /// Where the player is then, and where the box is.
    player: usize,
    to: usize,
    /// What it costs to have come there.
    cost: u32,
    /// The slot of the boxes; [`NONE`] until it is known.
    slot: u32,
}

/// Where both sides met.
#[derive(Clone, Copy)]
struct Meeting {
    slot: u32,
    bit: usize,
    costs: [u32; 2],
}

impl Meeting {
    /// What the whole path costs.
    fn cost(&self) -> u32 {
        self.costs[0] + self.costs[1]
    }
}

/// The search; it goes in steps of one entry.
pub struct Meet<const W: usize> {
    puzzle: Arc<Puzzle>,
    boards: Boards<W>,
    zones: Arc<Zones>,
    /// The cells where a box parts the floor.
    doors: Mask<W>,
    objective: Objective,
    /// The box moves of each side.
    kinds: [Kinds; 2],
    goals: Mask<W>,
    slots: Pages<Slot<W>>,
    table: IndexTable,
    sides: [Side<W>; 2],
    /// Box moves of the entry that is expanded.
    moves: Vec<BoxMove<W>>,
    /// Sets of boxes that fill the goals, and how many of them the backward side has.
    goal_sets: u64,
    listed: u64,
    others: Vec<Square>,
    /// Whether there are estimates yet, and whether a potential was looked for.
    is_informed: bool,
    is_tilted: bool,
    /// Among which potentials one is being chosen.
    choice: Option<Choice>,
    /// By what potential steps are counted, if by any.
    tilt: Option<Tilt<W>>,
    /// For each side the first entry that is still to be sorted by new priorities, if any is.
    unsorted: [Option<usize>; 2],
    /// The side and the entry that comes next, if it holds all cells to which it leads at no cost.
    completed: Option<(usize, u32)>,
    /// Where the player can be after the last move of a box.
    ends: Mask<W>,
    /// The player at the start.
    player: Square,
    /// The side that expands now, and its least priority when it began.
    turn: (usize, u32),
    /// The boxes at the start, as spots and as bits.
    start: Vec<Square>,
    begin: Mask<W>,
    meeting: Option<Meeting>,
    /// Only solutions of fewer steps or box moves are looked for.
    ceiling: u32,
    /// The cost on both sides from which on a path is of no use.
    least: u32,
    /// What no path that is still to be found cost less than when the last step began.
    proved: u32,
    entries_expanded: u64,
    counters: Counters,
    limit: usize,
    full: bool,
    heat: Vec<u32>,
    nearest: Option<(u32, u32, Meeting)>,
}

/// Entries that the forward side expands at least before the other one joins.
const ALONE: u64 = 16;
/// States that are expanded without estimates.
const BLIND: u64 = 4_000;
/// States that are expanded before a potential is looked for, which takes as long as some thousands.
const PLAIN: u64 = 64_000;

impl<const W: usize> Meet<W> {
    /// A search from the player and the boxes on these cells; `None` if the map needs more words.
    pub fn new(
        puzzle: Arc<Puzzle>,
        player: Square,
        boxes: &[Square],
        objective: Objective,
        limit: MemoryLimit,
    ) -> Option<Self> {
        let boards = Boards::new(&puzzle)?;
        let zones = Arc::new(Zones::new(&puzzle));
        let others: Vec<Square> = (0..puzzle.cells().len() as Square)
            .filter(|spot| !puzzle.goals().contains(spot))
            .collect();
        let spare = puzzle.boxes().saturating_sub(puzzle.goals().len());
        let goal_sets = if puzzle.is_solvable_at_first_sight() {
            binomial(others.len() as u64, spare as u64)
        } else {
            0
        };
        let mut search = Self {
            kinds: [puzzle.kinds(), puzzle.kinds().reversed()],
            doors: zones.doors(&boards),
            zones,
            goals: boards.mask(puzzle.goals()),
            sides: [Side::new(puzzle.goals().len()), Side::new(boxes.len())],
            start: boxes.to_vec(),
            begin: boards.mask(boxes),
            heat: vec![0; puzzle.cells().len()],
            slots: Pages::default(),
            table: IndexTable::default(),
            moves: Vec::new(),
            listed: 0,
            is_informed: false,
            is_tilted: false,
            choice: None,
            tilt: None,
            unsorted: [None; 2],
            completed: None,
            ends: boards.mask(&potential::ends(&puzzle).collect::<Vec<_>>()),
            player,
            turn: (FORWARD, 0),
            meeting: None,
            ceiling: u32::MAX,
            least: u32::MAX,
            proved: 0,
            entries_expanded: 0,
            counters: Counters::default(),
            limit: limit.0,
            full: false,
            nearest: None,
            goal_sets,
            others,
            boards,
            objective,
            puzzle,
        };
        let start = search.boards.mask(boxes);
        let mut cells = search.boards.mask(&[player]);
        if objective == Objective::BoxMoves {
            cells = search.boards.flood(cells, &without(search.boards.floor(), &start));
        }
        let around = search.around(&start, search.boards.bit(player));
        if let Some(slot) = search.slot(&start, around, key(&start, around)) {
            search.reach(FORWARD, slot, 0, cells);
            // Only here a solution does not end beside a goal.
            if without(&search.goals, &start) == [0; W] {
                let bit = search.boards.bit(player);
                search.set_meeting(Some(Meeting { slot, bit, costs: [0; 2] }));
            }
        }
        Some(search)
    }

    /// The states that the next step will expand at most, as units of work.
    pub fn next_work(&self) -> u64 {
        if self.unsorted != [None; 2] {
            return 1;
        }
        let side = &self.sides[self.turn.0];
        let cells = |entry: u32| count(&side.entries[entry as usize].cells);
        side.queue.peek().map_or(1, |entry| u64::from(cells(entry)).max(1))
    }

    /// Expands one entry of the side that comes next, or does some of what has to be done before.
    pub fn step(&mut self) -> Status<Move> {
        if self.full {
            return Status::LimitReached;
        }
        if !self.puzzle.is_solvable_at_first_sight() {
            return Status::Exhausted;
        }
        if self.sort_some() {
            return Status::Running;
        }
        let due = self.goal_sets.max(ALONE);
        if self.listed < self.goal_sets && self.entries_expanded >= due {
            self.list_goals();
            return Status::Running;
        }
        if !self.is_informed && self.counters.expanded >= BLIND {
            self.inform();
            return Status::Running;
        }
        if !self.is_tilted && self.counters.expanded >= PLAIN {
            self.tilt();
        }
        if let Some(choice) = &mut self.choice {
            let Some(potential) = choice.step() else { return Status::Running };
            self.choice = None;
            if let Some(potential) = potential {
                self.tilt_by(potential);
                return Status::Running;
            }
        }
        if let Some(end) = self.end() {
            return end;
        }
        if self.tilt.is_none() {
            let status = self.expand::<false>(self.turn.0);
            self.choose_side();
            return status;
        }
        self.complete_next();
        let status = self.expand::<true>(self.turn.0);
        self.choose_side();
        // So that it is known what work comes next.
        self.complete_next();
        status
    }

    fn expand<const TILTED: bool>(&mut self, at: usize) -> Status<Move> {
        let side = &mut self.sides[at];
        let slots = &self.slots;
        let is_informed = self.is_informed;
        let values = |index: u32| {
            let entry = &side.entries[index as usize];
            let estimate = slots[entry.slot as usize].sides[at].estimate;
            (entry.cost, if is_informed { estimate } else { 0 }, entry.link)
        };
        let Some(index) = side.queue.pop(values) else { return Status::Exhausted };
        let entry = &mut self.sides[at].entries[index as usize];
        entry.link = EXPANDED;
        let slot = entry.slot;
        let cost = entry.cost;
        let state = &mut self.slots[slot as usize];
        let cells = without(&entry.cells, &state.sides[at].closed);
        state.sides[at].closed = or(&state.sides[at].closed, &cells);
        self.sides[at].open -= u64::from(count(&cells));
        // The best path through what the other side has expanded is known.
        let cells = without(&cells, &state.sides[1 - at].closed);
        let least = self.least;
        let state = &self.slots[slot as usize];
        let estimate = if self.is_informed { state.sides[at].estimate } else { 0 };
        if is_empty(&cells) || cost + estimate >= least {
            return Status::Running;
        }
        let boxes = state.boxes;
        if !self.is_two_sided() && without(&self.goals, &boxes) == [0; W] {
            // A* takes a goal from its queue at the least cost.
            if let Some((bit, rest)) = self.best_end(&cells)
                && cost + rest < least
            {
                self.set_meeting(Some(Meeting { slot, bit, costs: [cost, rest] }));
            }
            return Status::Running;
        }
        let states = u64::from(count(&cells));
        self.entries_expanded += 1;
        self.counters.expanded += states;
        self.counters.closed += states;
        let waiting = (self.sides[0].open + self.sides[1].open) as usize;
        self.counters.largest_frontier = self.counters.largest_frontier.max(waiting);
        let height =
            if TILTED { bits(cells).next().map_or(0, |bit| self.height(at, bit)) } else { 0 };
        self.counters.depth = cost.wrapping_sub(height as u32);
        let least = cost + estimate;
        self.counters.f = u64::from(if TILTED { self.steps(least) } else { least });
        let free = without(self.boards.floor(), &boxes);
        if self.objective == Objective::Steps {
            let (walked, cost) = match &self.tilt {
                Some(tilt) if TILTED => (self.boards.up(&cells, &tilt.rising[at]), cost + 2),
                _ => (self.boards.beside(&cells), cost + 1),
            };
            self.reach(at, slot, cost, and(&walked, &free));
        }
        let kinds = self.kinds[at];
        let pushes = self.pushes(at, &cells, &boxes);
        for direction in 0..4 {
            let back = opposite(direction);
            // Cells with a free cell after them.
            let open = self.boards.shifted(&free, back);
            if kinds.pushes {
                let mut pushed = and(&and(&self.boards.shifted(&cells, direction), &boxes), &open);
                if let Some(pushes) = &pushes {
                    pushed = and(&pushed, &pushes[direction]);
                }
                for bit in bits(pushed) {
                    let to = self.after(bit, direction);
                    let cost = cost + self.step_cost::<TILTED>(at, direction, bit);
                    self.add_move(&boxes, (bit, to), bit, cost);
                }
            }
            if !kinds.pulls {
                continue;
            }
            let pulling = and(&and(&cells, &open), &self.boards.shifted(&boxes, direction));
            for bit in bits(pulling) {
                let player = self.after(bit, direction);
                let from = self.after(bit, back);
                let cost = cost + self.step_cost::<TILTED>(at, direction, player);
                self.add_move(&boxes, (from, bit), player, cost);
            }
        }
        self.look_up_moves();
        for index in 0..self.moves.len() {
            let moved = self.moves[index];
            self.move_box(at, moved, if TILTED { moved.cost } else { cost + 1 });
        }
        self.moves.clear();
        if self.full { Status::LimitReached } else { Status::Running }
    }

    /// The pushes that suffice from these states; `None` if all have to be tried.
    fn pushes(&self, at: usize, cells: &Mask<W>, boxes: &Mask<W>) -> Option<Pushes<W>> {
        let kinds = self.kinds[at];
        if self.objective == Objective::Steps || kinds.pulls || !kinds.pushes {
            return None;
        }
        let needs_all = self.puzzle.boxes() == self.puzzle.goals().len();
        let Self { boards, goals, sides, .. } = self;
        Yard { boards, boxes, goals, needs_all, dead: &sides[at].dead }.pushes(cells)
    }

    /// What a step of the player costs a side, in this direction and to this cell.
    #[inline]
    fn step_cost<const TILTED: bool>(&self, at: usize, direction: usize, to: usize) -> u32 {
        if TILTED {
            self.tilt.as_ref().map_or(1, |tilt: &Tilt<W>| {
                2 * u32::from(contains(&tilt.rising[at][direction], to))
            })
        } else {
            1
        }
    }

    /// The bit after this one; there must be floor.
    #[inline]
    fn after(&self, bit: usize, direction: usize) -> usize {
        self.boards.bit(self.puzzle.next(self.boards.spot(bit), direction))
    }

    /// Notes a box move of the entry that is expanded.
    #[inline(always)]
    fn add_move(&mut self, boxes: &Mask<W>, (from, to): (usize, usize), player: usize, cost: u32) {
        let mut boxes = *boxes;
        remove(&mut boxes, from);
        insert(&mut boxes, to);
        let around = self.around(&boxes, player);
        let key = key(&boxes, around);
        self.moves.push(BoxMove { boxes, around, key, player, to, cost, slot: NONE });
    }

    /// Looks for the slots of the noted moves, all at once: most of the time would go into waiting for
    /// the memory of one after the other.
    #[inline(always)]
    fn look_up_moves(&mut self) {
        for moved in &mut self.moves {
            moved.slot = self.table.first(moved.key).unwrap_or(NONE);
        }
        for moved in &mut self.moves {
            let slot = self.slots.get(moved.slot as usize);
            let is_it = |slot: &Slot<W>| slot.boxes == moved.boxes && slot.around == moved.around;
            if !slot.is_some_and(is_it) {
                moved.slot = NONE;
            }
        }
    }

    /// Reaches the states after a box move.
    #[inline(always)]
    fn move_box(&mut self, at: usize, moved: BoxMove<W>, cost: u32) {
        let mut slot = moved.slot;
        if slot == NONE {
            let slots = self.slots.len();
            let found = self.slot(&moved.boxes, moved.around, moved.key);
            let Some(found) = found else { return };
            slot = found;
            if self.slots.len() > slots {
                let heat = &mut self.heat[usize::from(self.boards.spot(moved.to))];
                *heat = heat.saturating_add(1);
            }
        }
        let mut cells = [0; W];
        insert(&mut cells, moved.player);
        if self.objective == Objective::BoxMoves {
            if contains(&self.slots[slot as usize].sides[at].closed, moved.player) {
                self.counters.generated += 1;
                return;
            }
            cells = self.boards.flood(cells, &without(self.boards.floor(), &moved.boxes));
        }
        self.reach(at, slot, cost, cells);
    }

    /// On which sides of boxes in doors a player is.
    #[inline(always)]
    fn around(&self, boxes: &Mask<W>, player: usize) -> Sides {
        if is_empty(&self.doors) {
            return 0;
        }
        self.zones.sides(&self.boards, &self.doors, boxes, self.boards.spot(player))
    }

    /// The slot of these boxes with the player on these sides of them; `None` if there is no room for it.
    #[inline]
    fn slot(&mut self, boxes: &Mask<W>, around: Sides, key: u64) -> Option<u32> {
        let slots = &self.slots;
        let is_it = |slot: u32| {
            let slot = &slots[slot as usize];
            slot.boxes == *boxes && slot.around == around
        };
        if let Some(slot) = self.table.find(key, is_it) {
            return Some(slot);
        }
        let table = self.table.bytes_to_grow(key);
        if table > 0 && (table + self.bytes() > self.limit || !self.table.grow(key)) {
            self.full = true;
            return None;
        }
        if !self.slots.has_room() {
            let bytes = self.free_bytes();
            self.full |= !self.slots.grow(bytes);
        }
        if self.full {
            return None;
        }
        let slot = self.slots.len() as u32;
        self.slots.push(Slot { boxes: *boxes, around, sides: [SlotSide::EMPTY; 2] });
        self.table.insert(key, slot);
        Some(slot)
    }

    /// Notes that player's cells of a slot were reached at this cost.
    #[inline]
    fn reach(&mut self, at: usize, slot: u32, cost: u32, cells: Mask<W>) {
        self.counters.generated += u64::from(count(&cells));
        let own = &self.slots[slot as usize].sides[at];
        let mut fresh = without(&cells, &own.closed);
        if is_empty(&fresh) || own.estimate == FAR {
            return;
        }
        let known = own.known;
        let last = own.last;
        if !is_empty(&and(&fresh, &known)) {
            // Some wait already; here only what is cheaper now counts. Mostly the latest entry has
            // them all.
            let mut next = last;
            while let Some(entry) = self.sides[at].entries.get(next as usize) {
                if entry.cost <= cost {
                    fresh = without(&fresh, &entry.cells);
                    if is_empty(&and(&fresh, &known)) {
                        break;
                    }
                }
                next = entry.before;
            }
            if is_empty(&fresh) {
                return;
            }
        }
        let Some(estimate) = self.estimate(at, slot) else { return };
        let two_sided = self.listed > 0;
        let priority = self.priority(at, slot, (cost, estimate), two_sided);
        self.sides[at].open += u64::from(count(&without(&fresh, &known)));
        if !self.sides[at].entries.has_room() {
            let bytes = self.free_bytes();
            self.full |= !self.sides[at].entries.grow(bytes);
        }
        let side = &mut self.sides[at];
        match side.entries.get_mut(last as usize) {
            Some(entry) if entry.waits() && entry.cost == cost => {
                entry.cells = or(&entry.cells, &fresh);
            }
            _ => {
                if self.full {
                    return;
                }
                let index = side.entries.len() as u32;
                let link = side.queue.push(priority, cost, estimate, index);
                side.entries.push(Entry { cells: fresh, slot, cost, before: last, link });
                self.slots[slot as usize].sides[at].last = index;
            }
        }
        let state = &mut self.slots[slot as usize];
        state.sides[at].known = or(&known, &fresh);
        let common = and(&fresh, &state.sides[1 - at].known);
        if !is_empty(&common) {
            self.meet(at, slot, cost, &common);
        }
        if at == FORWARD {
            self.note_nearest(slot, cost, estimate, &fresh);
        }
    }

    fn bytes(&self) -> usize {
        let side = |side: &Side<W>| side.entries.bytes() + side.queue.bytes();
        self.slots.bytes() + self.table.bytes() + side(&self.sides[0]) + side(&self.sides[1])
    }

    /// What the limit leaves.
    fn free_bytes(&self) -> usize {
        self.limit.saturating_sub(self.bytes())
    }
}
