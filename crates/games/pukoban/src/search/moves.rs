//! A step of the player with where it begins, in two bytes.

use super::puzzle::{Puzzle, Square};
use crate::{Direction, Moves, PukobanStep};
use std::num::NonZeroU16;

/// What a move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The player walks.
    Walk,
    /// The player pushes the box ahead.
    Push,
    /// The player pulls the box behind.
    Pull,
}

/// The kinds of box moves with which a search goes one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds {
    /// Whether it pushes.
    pub pushes: bool,
    /// Whether it pulls.
    pub pulls: bool,
}

impl Kinds {
    /// Those of the player.
    pub const fn of(moves: Moves) -> Self {
        Self { pushes: true, pulls: matches!(moves, Moves::PushAndPull) }
    }

    /// Whether moves can be undone by others of these kinds.
    pub const fn are_all(self) -> bool {
        self.pushes && self.pulls
    }

    /// Those with which the same way is gone back.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { pushes: self.pulls, pulls: self.pushes }
    }
}

/// A step with the cell it begins on: 12 bits of cell, 2 of direction, 2 of kind.
///
/// Where walking is free, the step need not begin where the one before ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move from `from`, which must be below 4096, in the direction of this index.
    #[inline]
    pub fn new(from: Square, direction: usize, kind: Kind) -> Self {
        let kind = match kind {
            Kind::Walk => 1,
            Kind::Push => 2,
            Kind::Pull => 3,
        };
        let bits = (from << 4) | ((direction as u16 & 3) << 2) | kind;
        Self(NonZeroU16::new(bits).unwrap_or(NonZeroU16::MIN))
    }

    /// Where the player stands before.
    #[inline]
    pub fn from(self) -> Square {
        self.0.get() >> 4
    }

    /// The index of the direction in [`Direction::ALL`].
    #[inline]
    pub fn direction(self) -> usize {
        usize::from(self.0.get() >> 2 & 3)
    }

    /// What it does.
    #[inline]
    pub fn kind(self) -> Kind {
        match self.0.get() & 3 {
            2 => Kind::Push,
            3 => Kind::Pull,
            _ => Kind::Walk,
        }
    }

    /// The step as the rules know it.
    pub fn step(self) -> PukobanStep {
        let direction = Direction::ALL[self.direction()];
        PukobanStep { direction, pull: self.kind() == Kind::Pull }
    }

    /// Where the player stands after.
    pub fn to(self, puzzle: &Puzzle) -> Square {
        puzzle.next(self.from(), self.direction())
    }

    /// Where the box comes from and goes to, if one moves.
    #[inline]
    pub fn box_move(self, puzzle: &Puzzle) -> Option<(Square, Square)> {
        let from = self.from();
        match self.kind() {
            Kind::Walk => None,
            Kind::Push => {
                let at = self.to(puzzle);
                Some((at, puzzle.next(at, self.direction())))
            }
            Kind::Pull => Some((puzzle.next(from, opposite(self.direction())), from)),
        }
    }

    /// The same move backwards. It undoes this one, where the rules of the level have it.
    pub fn reversed(self, puzzle: &Puzzle) -> Self {
        let kind = match self.kind() {
            Kind::Walk => Kind::Walk,
            Kind::Push => Kind::Pull,
            Kind::Pull => Kind::Push,
        };
        Self::new(self.to(puzzle), opposite(self.direction()), kind)
    }
}

/// The index of the direction back: [`Direction::ALL`] is left, right, up, down.
#[inline]
pub fn opposite(direction: usize) -> usize {
    direction ^ 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_and_bits() {
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            assert_eq!(Direction::ALL[opposite(index)], direction.opposite());
            for kind in [Kind::Walk, Kind::Push, Kind::Pull] {
                for from in [0, 1, 63, 4095] {
                    let made = Move::new(from, index, kind);
                    assert_eq!((made.from(), made.direction(), made.kind()), (from, index, kind));
                }
            }
        }
        assert_eq!(size_of::<Option<Move>>(), 2);
    }
}
