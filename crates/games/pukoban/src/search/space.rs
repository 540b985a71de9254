//! A puzzle as a graph for the generic searches.

use super::estimate::{Estimates, Heuristic};
use super::matching::Matcher;
use super::moves::{Kind, Kinds, Move, opposite};
use super::packed::Packed;
use super::puzzle::{Puzzle, Square, WALL};
use crate::{Objective, PukobanStep};
use outwit_core::search::{Edge, Reversible, Space};
use std::cell::RefCell;
use std::sync::Arc;

/// The states of a puzzle. Each edge costs 1: a step, or with [`Objective::BoxMoves`] a box move
/// with the walk before it, where a state's player stands for its whole region by its first cell.
pub struct PackedSpace<P> {
    puzzle: Arc<Puzzle>,
    estimates: Estimates,
    matcher: RefCell<Matcher>,
    objective: Objective,
    goal_sets: u64,
    /// The cells without a goal, where spare boxes may end.
    others: Vec<Square>,
    floods: RefCell<[Flood; 2]>,
    memory: RefCell<Memory<P>>,
}

/// Estimates of sets of boxes that were seen lately, the player left out: a table in which the new
/// replaces the old. It is as large as a level has sets of boxes, so that easy levels need not pay for
/// more, and grows where it is too small to begin with.
struct Memory<P> {
    entries: Vec<(P, Option<u32>)>,
    first: usize,
    misses: usize,
}

impl<P: Packed> Memory<P> {
    const LEAST: usize = 16;
    const FIRST: usize = 1 << 12;
    const MOST: usize = 1 << 16;

    /// A memory for a level with this number of sets of boxes.
    fn new(sets: u64) -> Self {
        let first = usize::try_from(sets).unwrap_or(usize::MAX).clamp(Self::LEAST, Self::FIRST);
        Self { entries: Vec::new(), first: first.next_power_of_two(), misses: 0 }
    }

    #[inline]
    fn get(&mut self, boxes: P, key: u64, estimate: impl FnOnce() -> Option<u32>) -> Option<u32> {
        let place = (key >> 32) as usize & self.entries.len().wrapping_sub(1);
        match self.entries.get(place) {
            Some(&(known, estimate)) if known == boxes => estimate,
            _ => self.learn(boxes, key, estimate()),
        }
    }

    fn learn(&mut self, boxes: P, key: u64, estimate: Option<u32>) -> Option<u32> {
        self.misses += 1;
        let entries = self.entries.len();
        if entries == 0 || (Self::FIRST..Self::MOST).contains(&entries) && self.misses > entries {
            // No state of a level that can be played has no box.
            let nothing = (P::pack(0, &[]), None);
            self.entries = vec![nothing; self.first.max(entries * 4)];
            self.misses = 0;
        }
        let place = (key >> 32) as usize & (self.entries.len() - 1);
        self.entries[place] = (boxes, estimate);
        estimate
    }
}

impl<P: Packed> PackedSpace<P> {
    /// The states of a puzzle, with the estimate that a search uses.
    pub fn new(puzzle: Arc<Puzzle>, estimate: Heuristic, objective: Objective) -> Self {
        let estimates = Estimates::new(&puzzle, estimate);
        let cells = puzzle.cells().len();
        let others: Vec<Square> =
            (0..cells as Square).filter(|spot| !puzzle.goals().contains(spot)).collect();
        let spare = puzzle.boxes().saturating_sub(puzzle.goals().len());
        let goal_sets = if puzzle.is_solvable_at_first_sight() {
            binomial(others.len() as u64, spare as u64)
        } else {
            0
        };
        let floods = RefCell::new([Flood::new(cells), Flood::new(cells)]);
        let memory = RefCell::new(Memory::new(binomial(cells as u64, puzzle.boxes() as u64)));
        let matcher = RefCell::default();
        Self { puzzle, estimates, matcher, objective, goal_sets, others, floods, memory }
    }

    /// The state with the player and the boxes on these cells.
    pub fn state(&self, player: Square, boxes: &[Square]) -> P {
        self.normal(P::pack(player, boxes))
    }

    /// The steps of a path from the player and the boxes on these cells, walks filled in.
    pub fn steps(
        &self,
        player: Square,
        boxes: &[Square],
        path: &[Move],
    ) -> Option<Vec<PukobanStep>> {
        steps::<P>(&self.puzzle, player, boxes, path)
    }

    /// The state with its player on the cell that stands for all that are as good.
    fn normal(&self, state: P) -> P {
        match self.objective {
            Objective::Steps => state,
            Objective::BoxMoves => {
                let first = self.floods.borrow_mut()[1].run(&self.puzzle, &state);
                state.with_player(first)
            }
        }
    }

    /// Calls `visit` with each box move of these kinds of a player on `from`.
    #[inline]
    fn box_moves(
        &self,
        kinds: Kinds,
        state: &P,
        from: Square,
        visit: &mut impl FnMut(Move, Square, Square, Square),
    ) {
        for direction in 0..4 {
            let to = self.puzzle.next(from, direction);
            if to == WALL {
                continue;
            }
            if state.has_box(to) {
                if !kinds.pushes {
                    continue;
                }
                let beyond = self.puzzle.next(to, direction);
                if beyond != WALL && !state.has_box(beyond) {
                    visit(Move::new(from, direction, Kind::Push), to, to, beyond);
                }
            } else if kinds.pulls {
                let behind = self.puzzle.next(from, opposite(direction));
                if behind != WALL && state.has_box(behind) {
                    visit(Move::new(from, direction, Kind::Pull), to, behind, from);
                }
            }
        }
    }

    #[inline]
    fn expand_steps(
        &self,
        kinds: Kinds,
        state: &P,
        key: u64,
        visit: &mut impl FnMut(Edge<Self>, u64),
    ) {
        let puzzle = &*self.puzzle;
        let from = state.player();
        let key = key ^ puzzle.player_key(from);
        for direction in 0..4 {
            let to = puzzle.next(from, direction);
            if to != WALL && !state.has_box(to) {
                let walk = Move::new(from, direction, Kind::Walk);
                visit((walk, state.with_player(to), 1), key ^ puzzle.player_key(to));
            }
        }
        self.box_moves(kinds, state, from, &mut |action, player, box_from, box_to| {
            let next = state.with_box_moved(box_from, box_to).with_player(player);
            let boxes = puzzle.box_key(box_from) ^ puzzle.box_key(box_to);
            visit((action, next, 1), key ^ puzzle.player_key(player) ^ boxes);
        });
    }

    fn expand_regions(
        &self,
        kinds: Kinds,
        state: &P,
        key: u64,
        visit: &mut impl FnMut(Edge<Self>, u64),
    ) {
        let puzzle = &*self.puzzle;
        let [here, there] = &mut *self.floods.borrow_mut();
        here.run(puzzle, state);
        let key = key ^ puzzle.player_key(state.player());
        for &from in &here.reached {
            self.box_moves(kinds, state, from, &mut |action, player, box_from, box_to| {
                let next = state.with_box_moved(box_from, box_to).with_player(player);
                let next = next.with_player(there.run(puzzle, &next));
                let boxes = puzzle.box_key(box_from) ^ puzzle.box_key(box_to);
                visit((action, next, 1), key ^ puzzle.player_key(next.player()) ^ boxes);
            });
        }
    }

    /// Calls `visit` with each edge that moves boxes in these ways.
    #[inline]
    fn expand_by(
        &self,
        kinds: Kinds,
        state: &P,
        key: u64,
        visit: &mut impl FnMut(Edge<Self>, u64),
    ) {
        match self.objective {
            Objective::Steps => self.expand_steps(kinds, state, key, visit),
            Objective::BoxMoves => self.expand_regions(kinds, state, key, visit),
        }
    }
}

impl<P: Packed> Space for PackedSpace<P> {
    type State = P;
    type Action = Move;

    fn successors(&self, state: &P, out: &mut Vec<Edge<Self>>) {
        self.expand(state, self.key(state), &mut Vec::new(), &mut |edge, _| out.push(edge));
    }

    fn is_goal(&self, state: &P) -> bool {
        self.puzzle.is_solvable_at_first_sight()
            && self.puzzle.goals().iter().all(|&goal| state.has_box(goal))
    }

    /// Where there is an estimate, it is 0 only if every goal holds a box.
    #[inline]
    fn is_goal_of(&self, state: &P, estimate: u32) -> bool {
        estimate == 0 && self.is_goal(state)
    }

    fn heuristic(&self, state: &P) -> Option<u32> {
        self.estimates.of(state, &mut self.matcher.borrow_mut())
    }

    /// A walk changes no estimate, and that of boxes that were seen a moment ago is remembered.
    #[inline]
    fn heuristic_after(&self, estimate: u32, action: &Move, state: &P, key: u64) -> Option<u32> {
        match (self.estimates.kind(), action.kind()) {
            (Heuristic::None, _) => Some(0),
            (_, Kind::Walk) => Some(estimate),
            (_, Kind::Push | Kind::Pull) => {
                let key = key ^ self.puzzle.player_key(state.player());
                self.memory.borrow_mut().get(state.with_player(0), key, || self.heuristic(state))
            }
        }
    }

    #[inline]
    fn key(&self, state: &P) -> u64 {
        let mut key = self.puzzle.player_key(state.player());
        state.for_each_box(|spot| key ^= self.puzzle.box_key(spot));
        key
    }

    #[inline]
    fn expand(
        &self,
        state: &P,
        key: u64,
        _buffer: &mut Vec<Edge<Self>>,
        visit: &mut impl FnMut(Edge<Self>, u64),
    ) {
        self.expand_by(self.puzzle.kinds(), state, key, visit);
    }
}

impl<P: Packed> Reversible for PackedSpace<P> {
    /// Each set of boxes that fills the goals, with the player on each cell; those where the player
    /// would stand on a box are listed as their neighbours in this order.
    fn goals(&self) -> u64 {
        let free = self.puzzle.cells().len().saturating_sub(self.puzzle.boxes()) as u64;
        self.goal_sets.saturating_mul(free)
    }

    fn goal(&self, index: u64) -> P {
        let free = self.puzzle.cells().len().saturating_sub(self.puzzle.boxes()).max(1) as u64;
        let spare = self.puzzle.boxes().saturating_sub(self.puzzle.goals().len());
        let mut boxes = self.puzzle.goals().to_vec();
        boxes.extend(
            combination(self.others.len() as u64, spare as u64, index / free)
                .into_iter()
                .map(|at| self.others[at as usize]),
        );
        let empty = (0..self.puzzle.cells().len() as Square).filter(|spot| !boxes.contains(spot));
        let player = empty.clone().nth((index % free) as usize).unwrap_or(0);
        self.state(player, &boxes)
    }

    fn reverse(&self, action: &Move) -> Move {
        action.reversed(&self.puzzle)
    }

    #[inline]
    fn expand_backward(
        &self,
        state: &P,
        key: u64,
        _buffer: &mut Vec<Edge<Self>>,
        visit: &mut impl FnMut(Edge<Self>, u64),
    ) {
        self.expand_by(self.puzzle.kinds().reversed(), state, key, visit);
    }
}

/// The steps of a path from the player and the boxes on these cells, walks filled in; `None` if a
/// move of it cannot be walked to.
pub fn steps<P: Packed>(
    puzzle: &Puzzle,
    player: Square,
    boxes: &[Square],
    path: &[Move],
) -> Option<Vec<PukobanStep>> {
    let mut state = P::pack(player, boxes);
    let mut steps = Vec::with_capacity(path.len());
    for action in path {
        let from = action.from();
        if from != state.player() {
            steps.extend(puzzle.walk(state.player(), from, |spot| state.has_box(spot))?);
        }
        steps.push(action.step());
        if let Some((from, to)) = action.box_move(puzzle) {
            state = state.with_box_moved(from, to);
        }
        state = state.with_player(action.to(puzzle));
    }
    Some(steps)
}

/// How many sets of `chosen` out of `all` there are, at most 2⁶⁴−1.
pub fn binomial(all: u64, chosen: u64) -> u64 {
    if chosen > all {
        return 0;
    }
    let mut count: u128 = 1;
    for i in 0..chosen.min(all - chosen) {
        count = count * u128::from(all - i) / u128::from(i + 1);
        if count > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    count as u64
}

/// The set with this number among those of `chosen` out of `all`, in rising order of sets.
pub fn combination(all: u64, chosen: u64, mut number: u64) -> Vec<u64> {
    let mut members = Vec::new();
    let mut next = 0;
    for left in (0..chosen).rev() {
        loop {
            // Sets that continue with `next`.
            let with = binomial(all.saturating_sub(next + 1), left);
            if number < with || next + 1 >= all {
                break;
            }
            number -= with;
            next += 1;
        }
        members.push(next);
        next += 1;
    }
    members
}

/// Scratch space to find where the player can walk.
struct Flood {
    reached: Vec<Square>,
    seen: Vec<u32>,
    stamp: u32,
}

impl Flood {
    fn new(cells: usize) -> Self {
        Self { reached: Vec::with_capacity(cells), seen: vec![0; cells], stamp: 0 }
    }

    /// Fills `reached` and returns the first of its cells in the order of numbers.
    fn run(&mut self, puzzle: &Puzzle, state: &impl Packed) -> Square {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.seen.fill(0);
            self.stamp = 1;
        }
        let player = state.player();
        let mut first = player;
        self.reached.clear();
        self.reached.push(player);
        self.seen[usize::from(player)] = self.stamp;
        let mut done = 0;
        while let Some(&spot) = self.reached.get(done) {
            done += 1;
            for direction in 0..4 {
                let near = puzzle.next(spot, direction);
                if near != WALL
                    && self.seen[usize::from(near)] != self.stamp
                    && !state.has_box(near)
                {
                    self.seen[usize::from(near)] = self.stamp;
                    first = first.min(near);
                    self.reached.push(near);
                }
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_once_each() {
        for (all, chosen) in [(5, 0), (5, 1), (6, 3), (7, 7), (8, 2)] {
            let sets: std::collections::BTreeSet<Vec<u64>> =
                (0..binomial(all, chosen)).map(|n| combination(all, chosen, n)).collect();
            assert_eq!(sets.len() as u64, binomial(all, chosen));
            for set in sets {
                assert_eq!(set.len() as u64, chosen);
                assert!(set.windows(2).all(|pair| pair[0] < pair[1]));
                assert!(set.iter().all(|&member| member < all));
            }
        }
        assert_eq!((binomial(4, 5), binomial(300, 150)), (0, u64::MAX));
    }
}
