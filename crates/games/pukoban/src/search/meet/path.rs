//! How a state was reached: back along costs that fall by one with each move.

use super::{FORWARD, Meet, Meeting, key};
use crate::Objective;
use crate::search::boards::{Mask, bits, contains, insert, or, remove, without};
use crate::search::moves::{Kind, Move, opposite};
use crate::search::puzzle::WALL;
use crate::search::zones::Sides;

impl<const W: usize> Meet<W> {
    /// The moves between a state and where its side began, in the order in which they are played.
    pub(super) fn path(&self, at: usize, meeting: Meeting) -> Vec<Move> {
        let mut path = Vec::new();
        let mut slot = meeting.slot;
        let mut bit = meeting.bit;
        let mut cost = meeting.costs[at];
        while i64::from(cost) > i64::from(self.height(at, bit)) {
            let Some((before, player, action)) = self.towards(at, slot, bit, cost) else { break };
            cost = self.cost_before(at, bit, player, cost);
            // `action` leads from here to the state before.
            path.push(if at == FORWARD { action.reversed(&self.puzzle) } else { action });
            (slot, bit) = (before, player);
        }
        if at == FORWARD {
            path.reverse();
        }
        path
    }

    /// The cost of a state with the player on `before` from which one with the player on `bit` was reached
    /// at this cost.
    fn cost_before(&self, at: usize, bit: usize, before: usize, cost: u32) -> u32 {
        let climb = self.height(at, bit) - self.height(at, before);
        cost.wrapping_sub((1 + climb) as u32)
    }

    /// The neighbour from which a state was reached at this cost, and the move that leads back to it.
    fn towards(&self, at: usize, slot: u32, bit: usize, cost: u32) -> Option<(u32, usize, Move)> {
        let boxes = self.slots[slot as usize].boxes;
        let free = without(self.boards.floor(), &boxes);
        let kinds = self.kinds[at].reversed();
        let mut cells = [0; W];
        insert(&mut cells, bit);
        if self.objective == Objective::BoxMoves {
            cells = self.boards.flood(cells, &free);
        }
        for player in bits(cells) {
            let from = self.boards.spot(player);
            for direction in 0..4 {
                let to = self.puzzle.next(from, direction);
                if to == WALL {
                    continue;
                }
                let ahead = self.boards.bit(to);
                let cost = self.cost_before(at, player, ahead, cost);
                if self.objective == Objective::Steps
                    && contains(&free, ahead)
                    && self.has(at, slot, ahead, cost)
                {
                    return Some((slot, ahead, Move::new(from, direction, Kind::Walk)));
                }
                // A box ahead can be pushed; else one behind can be pulled.
                let (kind, is_made, box_from, box_to) = if contains(&boxes, ahead) {
                    (Kind::Push, kinds.pushes, to, self.puzzle.next(to, direction))
                } else {
                    (Kind::Pull, kinds.pulls, self.puzzle.next(from, opposite(direction)), from)
                };
                if !is_made || box_from == WALL || box_to == WALL {
                    continue;
                }
                let box_from = self.boards.bit(box_from);
                let box_to = self.boards.bit(box_to);
                if !contains(&boxes, box_from) || contains(&boxes, box_to) {
                    continue;
                }
                let mut moved = boxes;
                remove(&mut moved, box_from);
                insert(&mut moved, box_to);
                let found = self.find(&moved, self.around(&moved, ahead));
                if let Some(other) = found.filter(|&other| self.has(at, other, ahead, cost)) {
                    return Some((other, ahead, Move::new(from, direction, kind)));
                }
            }
        }
        None
    }

    /// The slot of these boxes with the player on these sides of them.
    fn find(&self, boxes: &Mask<W>, around: Sides) -> Option<u32> {
        self.table.find(key(boxes, around), |slot| {
            let slot = &self.slots[slot as usize];
            slot.boxes == *boxes && slot.around == around
        })
    }

    /// Whether a side reached a state at this cost.
    fn has(&self, at: usize, slot: u32, bit: usize, cost: u32) -> bool {
        contains(&self.cells_at(at, slot, cost), bit)
    }

    /// The player's cells of a slot that a side reached at this cost.
    fn cells_at(&self, at: usize, slot: u32, cost: u32) -> Mask<W> {
        let mut cells = [0; W];
        let mut next = self.slots[slot as usize].sides[at].last;
        while let Some(entry) = self.sides[at].entries.get(next as usize) {
            if entry.cost == cost {
                cells = or(&cells, &entry.cells);
            }
            next = entry.before;
        }
        cells
    }
}
