//! A search, event by event: which node was generated, expanded, updated and closed, and its state; and
//! two searches side by side, expansion by expansion.

mod exercise;
mod paint;
mod panel;
pub mod quiz;
pub mod state;

pub use paint::paint;
pub use panel::{follow, record, sentences, show, show_large};

use crate::app::shell::theme::{Palette, Rgb};
use outwit_core::play::Seat;

/// The colours of a seat's search and of the one that it is compared with.
fn colours(palette: &Palette, seat: Seat) -> [Rgb; 2] {
    [palette.line(seat), palette.line(Seat(seat.0.wrapping_add(1)))]
}
