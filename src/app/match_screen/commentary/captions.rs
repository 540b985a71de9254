//! The last remark, below the board.

use crate::app::match_screen::canvas::Canvas;
use crate::app::match_screen::session::Session;
use crate::app::shell::theme::{space, translucent};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Align2, FontId, Stroke, StrokeKind, vec2};
use outwit_kit::Remark;

/// Turns for which a caption stays.
const STAYS: usize = 6;
/// Turns for which the cells that it is about are marked.
const RINGS: usize = 2;
/// Width of the board's area below which the caption is smaller, in points.
const NARROW: f32 = 400.0;
/// Remarks that matter less are only in the panel.
const LEAST: f32 = 0.3;

/// The remark to show when so many turns are shown.
fn current(said: &[Remark], turn: usize) -> Option<&Remark> {
    let fresh = said.iter().filter(|remark| remark.turn + STAYS >= turn && remark.weight >= LEAST);
    // Of the last turn that has one, the heaviest.
    fresh.max_by(|a, b| a.turn.cmp(&b.turn).then(a.weight.total_cmp(&b.weight)))
}

/// Paints the caption, and rings round the cells that it is about.
pub fn paint(canvas: &Canvas, session: &Session) {
    let turn = session.playback.view;
    let Some(remark) = session.live.commentary().and_then(|told| current(told.said(turn), turn))
    else {
        return;
    };
    let palette = &canvas.palette;
    let ink = remark.seat.map_or(palette.text, |seat| palette.line(seat));
    // Who was there has soon gone on.
    let here = remark.turn + RINGS >= turn;
    for &cell in remark.cells.iter().filter(|_| here).filter(|&&cell| canvas.is_visible(cell)) {
        let radius = (canvas.scale() * 0.62).max(9.0);
        let at = canvas.at(cell);
        canvas.painter.circle_stroke(at, radius, Stroke::new(4.0, palette.casing.egui_alpha(0.6)));
        canvas.painter.circle_stroke(at, radius, Stroke::new(1.5, ink.egui()));
    }
    let area = canvas.view.area.shrink(space::MEDIUM);
    let font = FontId::proportional(if area.width() < NARROW { 14.0 } else { 17.0 });
    let width = (area.width() - 32.0).min(560.0);
    let words = canvas.painter.layout(remark.words.clone(), font, palette.text.egui(), width);
    let size = words.size() + vec2(28.0, 14.0);
    let rect = Align2::CENTER_BOTTOM.align_size_within_rect(size, area);
    let line = Stroke::new(1.0, translucent(palette.line.egui(), 0.9));
    canvas.painter.rect(
        rect,
        widgets::CORNER,
        palette.panel.egui_alpha(0.93),
        line,
        StrokeKind::Inside,
    );
    let stripe = egui::Rect::from_min_size(rect.min, vec2(4.0, rect.height()));
    canvas.painter.rect_filled(stripe, 2.0, ink.egui());
    canvas.painter.galley(rect.min + vec2(16.0, 7.0), words, palette.text.egui());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remark(turn: usize, words: &str, weight: f32) -> Remark {
        let (figures, cells) = (Vec::new(), Vec::new());
        Remark { turn, seat: None, words: words.into(), figures, cells, weight }
    }

    #[test]
    fn the_heaviest_remark_of_the_last_turns_is_shown() {
        let said = [
            remark(3, "early", 0.9),
            remark(5, "small", 0.1),
            remark(6, "a", 0.4),
            remark(6, "b", 0.8),
        ];
        assert_eq!(current(&said, 7).map(|remark| remark.words.as_str()), Some("b"));
        assert_eq!(current(&said[..2], 6).map(|remark| remark.words.as_str()), Some("early"));
        assert_eq!(current(&said, 40), None);
        assert_eq!(current(&[], 0), None);
    }
}
