//! On which side of a box the player is, where boxes can only be pushed.
//!
//! A box alone on the board may part its floor into up to four zones, as in a door or a corridor. Walking never
//! leads from one into another, and how many pushes the box needs depends on the zone that the player is in.

use super::boards::{Boards, Mask, and, bits, contains, is_empty};
use super::estimate::{FAR, distances_to};
use super::moves::{Kinds, opposite};
use super::puzzle::{Puzzle, Square, WALL};
use std::collections::VecDeque;

/// For each box on a cell that parts the floor, in the order of bits, the zone that the player is in: two bits each.
pub type Sides = u64;

/// The most boxes whose zones fit.
const MOST_BOXES: usize = Sides::BITS as usize / 2;

/// The zones of a puzzle's cells. Where boxes can be pulled each cell counts as having one: its box can be moved from
/// anywhere, if not at once.
#[derive(Clone, Debug)]
pub struct Zones {
    cells: usize,
    /// The row of a cell's first zone in tables; the others follow.
    rows: Vec<u32>,
    /// By the cell of a box and that of the player, if any cell has several zones.
    zones: Vec<u8>,
}

impl Zones {
    /// The zones of a puzzle.
    pub fn new(puzzle: &Puzzle) -> Self {
        let cells = puzzle.cells().len();
        let rows = (0..=cells as u32).collect();
        let mut zones = Self { cells, rows, zones: Vec::new() };
        if puzzle.kinds().pulls || puzzle.boxes() > MOST_BOXES {
            return zones;
        }
        zones.zones = vec![0; cells * cells];
        let mut row = 0;
        for spot in 0..cells as Square {
            zones.rows[usize::from(spot)] = row;
            // A board of one cell has a row too.
            row += u32::from(zones.part(puzzle, spot).max(1));
        }
        zones.rows[cells] = row;
        zones
    }

    /// Numbers the zones around a box on this cell; how many there are.
    fn part(&mut self, puzzle: &Puzzle, spot: Square) -> u8 {
        let first = usize::from(spot) * self.cells;
        let of = &mut self.zones[first..first + self.cells];
        const UNSEEN: u8 = u8::MAX;
        of.fill(UNSEEN);
        of[usize::from(spot)] = 0;
        let mut count = 0;
        for direction in 0..4 {
            let beside = puzzle.next(spot, direction);
            if beside == WALL || of[usize::from(beside)] != UNSEEN {
                continue;
            }
            of[usize::from(beside)] = count;
            let mut open = vec![beside];
            while let Some(from) = open.pop() {
                for to in (0..4).map(|direction| puzzle.next(from, direction)) {
                    if to != WALL && of[usize::from(to)] == UNSEEN {
                        of[usize::from(to)] = count;
                        open.push(to);
                    }
                }
            }
            count += 1;
        }
        count
    }

    /// The rows of tables with one for each zone of each cell.
    pub fn rows(&self) -> usize {
        self.rows[self.cells] as usize
    }

    /// The rows of a cell.
    pub fn rows_of(&self, spot: Square) -> std::ops::Range<usize> {
        let spot = usize::from(spot);
        self.rows[spot] as usize..self.rows[spot + 1] as usize
    }

    /// The row of a box on a cell with the player on another one.
    #[inline]
    pub fn row(&self, spot: Square, player: Square) -> usize {
        let zone = self.zones.get(usize::from(spot) * self.cells + usize::from(player));
        self.rows[usize::from(spot)] as usize + usize::from(zone.copied().unwrap_or(0))
    }

    /// The cells with several zones.
    pub fn doors<const W: usize>(&self, boards: &Boards<W>) -> Mask<W> {
        let spots = 0..self.cells as Square;
        let doors: Vec<Square> = spots.filter(|&spot| self.rows_of(spot).len() > 1).collect();
        boards.mask(&doors)
    }

    /// On which sides of the boxes in doors the player is.
    #[inline]
    pub fn sides<const W: usize>(
        &self,
        boards: &Boards<W>,
        doors: &Mask<W>,
        boxes: &Mask<W>,
        player: Square,
    ) -> Sides {
        let mut sides = 0;
        for (bit, at) in bits(and(boxes, doors)).zip((0..).step_by(2)) {
            let zone = self.zones[usize::from(boards.spot(bit)) * self.cells + usize::from(player)];
            sides |= Sides::from(zone) << at;
        }
        sides
    }

    /// Writes where the row of each box begins in a table of `columns` columns into `places`, in the order of bits.
    /// Returns the number of boxes.
    #[inline]
    pub fn fill_places<const W: usize>(
        &self,
        boards: &Boards<W>,
        doors: &Mask<W>,
        (boxes, mut sides): (&Mask<W>, Sides),
        columns: usize,
        places: &mut [usize],
    ) -> usize {
        let mut count = 0;
        // Without doors the row of a cell is its number.
        let has_doors = !is_empty(doors);
        for (place, bit) in places.iter_mut().zip(bits(*boxes)) {
            let mut row = usize::from(boards.spot(bit));
            if has_doors {
                row = self.rows[row] as usize;
                if contains(doors, bit) {
                    row += (sides & 3) as usize;
                    sides >>= 2;
                }
            }
            *place = row * columns;
            count += 1;
        }
        count
    }

    /// For each row and each of `targets` the least cost at which a box alone comes from the one to the other by
    /// moves of these kinds; [`FAR`] where there is no way. A move costs 1, or with a potential of the player's
    /// cell 1 plus what it changes.
    ///
    /// These costs never exceed the truth. They are consistent too: other boxes only make ways longer, the player
    /// stays on the same side of those that do not move, and a move of a box is one of a box alone.
    pub fn distances_to(
        &self,
        puzzle: &Puzzle,
        kinds: Kinds,
        targets: &[Square],
        potential: &[i32],
    ) -> Vec<u32> {
        if kinds.are_all() {
            return distances_to(puzzle, targets, potential);
        }
        let cost = |from: Square, to: Square| match potential {
            [] => 1,
            _ => (1 + potential[usize::from(to)] - potential[usize::from(from)]) as u32,
        };
        let mut table = vec![FAR; self.rows() * targets.len()];
        for (column, &target) in targets.iter().enumerate() {
            let at = |row: usize| row * targets.len() + column;
            let mut queue: VecDeque<(Square, usize, u32)> = VecDeque::new();
            for row in self.rows_of(target) {
                table[at(row)] = 0;
                queue.push_back((target, row, 0));
            }
            while let Some((spot, row, spent)) = queue.pop_front() {
                if spent > table[at(row)] {
                    continue;
                }
                for direction in 0..4 {
                    // The box comes from `near`, so it goes the other way.
                    let near = puzzle.next(spot, direction);
                    if near == WALL {
                        continue;
                    }
                    // Where the player is before and after.
                    let (before, after) = if kinds.pushes {
                        (puzzle.next(near, direction), near)
                    } else {
                        (spot, puzzle.next(spot, opposite(direction)))
                    };
                    if before == WALL || after == WALL || self.row(spot, after) != row {
                        continue;
                    }
                    let cost = cost(before, after);
                    let from = self.row(near, before);
                    let next = spent + cost;
                    if next < table[at(from)] {
                        table[at(from)] = next;
                        if cost == 0 {
                            queue.push_front((near, from, next));
                        } else {
                            queue.push_back((near, from, next));
                        }
                    }
                }
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Moves;
    use outwit_core::grid::{Cell, Grid};
    use proptest::prelude::*;

    /// The fewest moves of a box alone from one cell to another, whether pushes or pulls, by search over the cells of
    /// box and player.
    fn fewest(puzzle: &Puzzle, kinds: Kinds, from: (Square, Square), to: Square) -> u32 {
        let cells = puzzle.cells().len();
        let place = |(at, player): (Square, Square)| usize::from(at) * cells + usize::from(player);
        let mut least = vec![FAR; cells * cells];
        let mut queue = VecDeque::from([from]);
        least[place(from)] = 0;
        while let Some(state) = queue.pop_front() {
            let spent = least[place(state)];
            if state.0 == to {
                return spent;
            }
            for direction in 0..4 {
                let (at, player) = state;
                let ahead = puzzle.next(player, direction);
                if ahead == WALL {
                    continue;
                }
                let is_behind = puzzle.next(player, opposite(direction)) == at;
                let beyond = puzzle.next(ahead, direction);
                let mut visit = |next, cost: u32| {
                    if spent + cost < least[place(next)] {
                        least[place(next)] = spent + cost;
                        if cost == 0 { queue.push_front(next) } else { queue.push_back(next) }
                    }
                };
                if ahead == at {
                    if kinds.pushes && beyond != WALL {
                        visit((beyond, ahead), 1);
                    }
                    continue;
                }
                visit((at, ahead), 0);
                if kinds.pulls && is_behind {
                    visit((player, ahead), 1);
                }
            }
        }
        FAR
    }

    proptest! {
        #[test]
        fn distances_are_those_of_a_box_alone(
            walls in prop::collection::vec(prop::bool::weighted(0.35), 30),
            player in 0_usize..30, target in any::<prop::sample::Index>(),
        ) {
            let mut walls = Grid::from_fn(6, 5, |c| walls[(c.y * 6 + c.x) as usize]);
            let player = Cell::new((player % 6) as i32, (player / 6) as i32);
            walls[player] = false;
            let puzzle = Puzzle::new(Moves::Push, &walls, &[], &[], player);
            let zones = Zones::new(&puzzle);
            let spots = 0..puzzle.cells().len() as Square;
            let target = target.index(spots.len()) as Square;
            let pushes = Kinds { pushes: true, pulls: false };
            for kinds in [pushes, pushes.reversed()] {
                let table = zones.distances_to(&puzzle, kinds, &[target], &[]);
                for at in spots.clone() {
                    for player in spots.clone().filter(|&player| player != at) {
                        let truth = fewest(&puzzle, kinds, (at, player), target);
                        prop_assert_eq!(table[zones.row(at, player)], truth, "{:?} {}", kinds, at);
                    }
                }
            }
        }
    }
}
