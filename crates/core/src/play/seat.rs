//! The sides of a match, and what they are called.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// One side of a match, counted from 0.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
pub struct Seat(pub u8);

impl Seat {
    /// As an index into a list with one entry a seat.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A seat as people and files know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatSpec {
    /// Its name in files and on the command line, as in `--seat ID=PLANNER`.
    pub id: String,
    /// Its name for people, such as `Car 1`.
    pub title: String,
    /// The silhouette of its piece, by file name under `assets/pieces`.
    pub piece: &'static str,
}

/// The seats of a game.
#[derive(Clone, Debug)]
pub struct Seats {
    /// How many a match may have.
    pub allowed: RangeInclusive<usize>,
    /// A seat as people and files know it.
    pub spec: fn(Seat) -> SeatSpec,
}

impl Seats {
    /// The name of a seat in files and on the command line.
    pub fn id(&self, seat: Seat) -> String {
        (self.spec)(seat).id
    }

    /// The name of a seat for people.
    pub fn title(&self, seat: Seat) -> String {
        (self.spec)(seat).title
    }
}
