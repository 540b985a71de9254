//! The game tree of a position by minimax or alpha-beta, drawn as it grows, event by event.

mod paint;
mod panel;
pub mod state;

pub use paint::paint;
pub use panel::{follow, sentence, show};
