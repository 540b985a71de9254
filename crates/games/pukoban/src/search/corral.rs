//! Pushes that can be left for later without a longer solution, where boxes can only be pushed.
//!
//! A corral is an area that the player cannot enter, with the boxes beside it. Where its boxes can only be pushed
//! into it at first, and the player can make all of these pushes at once, it is a PI-corral (Damgaard and Meger in
//! their solvers YASC and JSoko). If the level cannot be solved without a move of one of its boxes, then one of
//! these pushes can come first: what a solution does before that push lies outside, where the push is in nobody's
//! way. So no other push need be tried, and the number of pushes stays the least. That of steps need not.

use super::boards::{Boards, Mask, and, bits, count, insert, is_empty, or, without};
use super::moves::opposite;

/// For each direction the boxes to be pushed.
pub type Pushes<const W: usize> = [Mask<W>; 4];

/// What corrals are looked for in.
pub struct Yard<'a, const W: usize> {
    /// The boards of the puzzle.
    pub boards: &'a Boards<W>,
    /// Where boxes are.
    pub boxes: &'a Mask<W>,
    /// Where boxes are wanted.
    pub goals: &'a Mask<W>,
    /// Whether there are as many goals as boxes.
    pub needs_all: bool,
    /// Cells from which a box can come to no goal; none if not all boxes are needed.
    pub dead: &'a Mask<W>,
}

impl<const W: usize> Yard<'_, W> {
    /// The pushes that suffice for a player who stands somewhere in `cells`; `None` if all have to be tried.
    pub fn pushes(&self, cells: &Mask<W>) -> Option<Pushes<W>> {
        let free = without(self.boards.floor(), self.boxes);
        let mut all = [[0; W]; 4];
        let mut rest = *cells;
        while let Some(bit) = bits(rest).next() {
            let mut region = [0; W];
            insert(&mut region, bit);
            let region = self.boards.flood(region, &free);
            rest = without(&rest, &region);
            let pushes = self.pushes_of(&region, &free)?;
            for (all, pushes) in all.iter_mut().zip(&pushes) {
                *all = or(all, pushes);
            }
        }
        Some(all)
    }

    /// The pushes of the corral with the fewest around the region of a player.
    fn pushes_of(&self, region: &Mask<W>, free: &Mask<W>) -> Option<Pushes<W>> {
        let mut best = None;
        let mut rest = without(free, region);
        while let Some(bit) = bits(rest).next() {
            let mut area = [0; W];
            insert(&mut area, bit);
            let area = self.boards.flood(area, free);
            rest = without(&rest, &area);
            let Some(pushes) = self.pushes_into(&area, region, free) else { continue };
            let many: u32 = pushes.iter().map(count).sum();
            if best.is_none_or(|(fewest, _)| many < fewest) {
                best = Some((many, pushes));
            }
        }
        best.map(|(_, pushes)| pushes)
    }

    /// The pushes into the corral around an area, if it is a PI-corral that a solution has to do with.
    ///
    /// Other areas that the player cannot enter, and other boxes, join it where pushes of its boxes depend on them.
    fn pushes_into(&self, area: &Mask<W>, region: &Mask<W>, free: &Mask<W>) -> Option<Pushes<W>> {
        let boards = self.boards;
        let mut area = *area;
        let mut barrier = [0; W];
        let (pushes, barrier) = loop {
            barrier = or(&barrier, &and(&boards.beside(&area), self.boxes));
            // Boxes there may go away until the first push.
            let outside = without(&without(boards.floor(), &area), &barrier);
            let alive = without(&outside, self.dead);
            let inside = without(&area, self.dead);
            let mut pushes = [[0; W]; 4];
            let mut joining = [0; W];
            for (direction, pushes) in pushes.iter_mut().enumerate() {
                let back = opposite(direction);
                let pushed = and(&barrier, &boards.shifted(&outside, direction));
                let outwards = and(&pushed, &boards.shifted(&alive, back));
                let inwards = and(&pushed, &boards.shifted(&inside, back));
                let reached = boards.shifted(region, direction);
                if !is_empty(&and(&and(&outwards, &reached), &boards.shifted(region, back))) {
                    return None;
                }
                let players = boards.shifted(&or(&outwards, &without(&inwards, &reached)), back);
                joining = or(&joining, &or(&players, &boards.shifted(&outwards, direction)));
                *pushes = inwards;
            }
            let joining = without(&joining, region);
            if is_empty(&joining) {
                break (pushes, barrier);
            }
            barrier = or(&barrier, &and(&joining, self.boxes));
            area = boards.flood(or(&area, &and(&joining, free)), free);
        };
        let is_needed = !is_empty(&and(&area, self.goals))
            || self.needs_all && !is_empty(&without(&barrier, self.goals));
        is_needed.then_some(pushes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Moves;
    use crate::search::boards::remove;
    use crate::search::puzzle::{Puzzle, Square};
    use outwit_core::grid::{Cell, Grid};

    /// The pushes that suffice in two rooms with a door between them at (3,1), which takes a box, and goals in the right
    /// one; the player is in the upper left corner.
    fn in_two_rooms(others: &[Cell], moved: Option<(Cell, Cell)>) -> Option<Pushes<1>> {
        let walls = Grid::from_fn(7, 3, |cell| cell.x == 3 && cell.y != 1);
        let door = Cell::new(3, 1);
        let boxes: Vec<Cell> = others.iter().copied().chain([door]).collect();
        let goals: Vec<Cell> = (0..boxes.len() as i32).map(|y| Cell::new(6, y)).collect();
        let puzzle = Puzzle::new(Moves::Push, &walls, &boxes, &goals, Cell::new(0, 0));
        let boards = Boards::<1>::new(&puzzle).unwrap();
        let mask = |cells: &[Cell]| {
            let spots: Vec<Square> = cells.iter().map(|&cell| puzzle.spot(cell).unwrap()).collect();
            boards.mask(&spots)
        };
        let mut all = mask(&boxes);
        if let Some((from, to)) = moved {
            remove(&mut all, bits(mask(&[from])).next().unwrap());
            all = or(&all, &mask(&[to]));
        }
        let (goals, player) = (mask(&goals), mask(&[Cell::new(0, 0)]));
        let region = boards.flood(player, &without(boards.floor(), &all));
        let yard =
            Yard { boards: &boards, boxes: &all, goals: &goals, needs_all: true, dead: &[0] };
        let found = yard.pushes(&region)?;
        Some(found.map(|pushed| {
            let is_door = pushed == mask(&[door]);
            assert!(is_door || pushed == [0], "{pushed:?}");
            [u64::from(is_door)]
        }))
    }

    #[test]
    fn a_box_in_a_door_is_pushed_first() {
        let right = Some([[0], [1], [0], [0]]);
        assert_eq!(in_two_rooms(&[], None), right);
        assert_eq!(in_two_rooms(&[Cell::new(1, 1)], None), right);
    }

    #[test]
    fn other_boxes_come_first_where_they_stand_in_the_way() {
        // Where the player would have to stand is a box that can go elsewhere.
        assert_eq!(in_two_rooms(&[Cell::new(2, 1)], None), None);
        // The box is through: there is nothing that the player cannot enter.
        assert_eq!(in_two_rooms(&[], Some((Cell::new(3, 1), Cell::new(5, 1)))), None);
    }
}
