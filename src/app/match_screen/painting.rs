//! What is painted over the pieces of a match, in its order from below to above.

use super::analysis::Analysed;
use super::analysis::state::Analysis;
use super::canvas::{Canvas, HeatLegend};
use super::session::Session;
use super::{analysis, commentary, ending, hint, minimap, opening, review};
use bevy_egui::egui::Rect;

/// What a person can click that was painted, and what is told beside it.
pub struct Painted {
    /// The turn of the reviewed move under the pointer.
    pub jump: Option<usize>,
    /// Where the minimap is.
    pub map: Option<Rect>,
    /// What the legend of a heat says.
    pub heat: Option<HeatLegend>,
}

/// Paints over the pieces of a match, and its analysis if there is one; `grid` says whether lines between the cells are wanted.
pub fn paint(
    canvas: &mut Canvas,
    session: &mut Session,
    analysis: Option<&mut Analysis>,
    grid: bool,
) -> Painted {
    if grid && !session.board.has_lines {
        canvas.grid(&session.info.inside);
    }
    if let Some(analysis) = analysis {
        analysis::paint(canvas, &mut Analysed { session: &mut *session, analysis });
    }
    session.live.paint(canvas, &session.state);
    ending::paint(canvas, session);
    let jump = review::paint(canvas, session);
    hint::paint(canvas, session);
    opening::paint(canvas, session);
    commentary::paint_rings(canvas, session);
    let map = minimap::paint(canvas, session);
    Painted { jump, map, heat: canvas.legend.take() }
}
