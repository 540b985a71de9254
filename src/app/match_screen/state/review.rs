//! The review of a match that is over.

use outwit_core::platform::task::Task;
use outwit_core::play::{MoveReview, Review, Seat, SeatReview};

/// The review of a match that is over.
pub struct ReviewState {
    /// The seat whose review is shown.
    pub seat: Seat,
    /// Whether moves that cost nothing are listed too.
    pub lists_all: bool,
    /// The review, once the match is over and it was asked for.
    pub task: Option<Task<Option<Review>>>,
}

impl ReviewState {
    /// Nothing was asked for yet.
    pub fn of(seat: Seat) -> Self {
        Self { seat, lists_all: false, task: None }
    }

    /// The review of the seat that is looked at, once it is there.
    pub fn moves(&self) -> Option<&SeatReview> {
        let review = self.task.as_ref()?.get()?.as_ref()?;
        review.seats.iter().find(|seat| seat.seat == self.seat)
    }

    /// The reviewed seat's move of a turn.
    pub fn move_of(&self, turn: usize) -> Option<&MoveReview> {
        self.moves()?.moves.iter().find(|made| made.turn == turn)
    }
}
