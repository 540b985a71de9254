//! A search, event by event: which node was generated, expanded, updated and closed, and its state; and
//! two searches side by side, expansion by expansion.

mod paint;
mod panel;
pub mod state;

pub use paint::paint;
pub use panel::{choose, show};
