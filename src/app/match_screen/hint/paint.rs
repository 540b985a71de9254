//! The cells that a hint says to look at.

use crate::app::match_screen::canvas::Canvas;
use crate::app::match_screen::session::Session;
use crate::app::match_screen::state::Tab;

/// Rings the cells to look at.
pub fn paint(canvas: &Canvas, session: &Session) {
    if session.tab != Tab::Match || session.animation().is_some() {
        return;
    }
    let radius = (canvas.scale() * 0.8).max(12.0);
    let Some(hint) = session.live.hint(&session.state) else { return };
    for &cell in hint.look {
        canvas.ring(cell, radius, 2.5, canvas.palette.warn.egui());
    }
}
