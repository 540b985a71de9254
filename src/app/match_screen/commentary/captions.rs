//! The last remark: its words below the board, and rings on it.

use crate::app::match_screen::canvas::Canvas;
use crate::app::match_screen::session::Session;
use crate::app::match_screen::state::Tab;
use crate::app::match_screen::strip::{Said, add};
use crate::app::shell::theme::Palette;
use bevy_egui::egui::Stroke;
use bevy_egui::egui::text::LayoutJob;
use outwit_kit::Remark;

/// Turns for which a caption stays.
const STAYS: usize = 6;
/// Turns for which the cells that it is about are marked.
const RINGS: usize = 2;
/// Remarks that matter less are only in the panel.
const LEAST: f32 = 0.3;

/// The remark to show when so many turns are shown.
fn current(said: &[Remark], turn: usize) -> Option<&Remark> {
    let fresh = said.iter().filter(|remark| remark.turn + STAYS >= turn && remark.weight >= LEAST);
    // Of the last turn that has one, the heaviest.
    fresh.max_by(|a, b| a.turn.cmp(&b.turn).then(a.weight.total_cmp(&b.weight)))
}

/// The remark to show now.
fn latest(session: &Session) -> Option<&Remark> {
    let turn = session.playback.view;
    if !session.commented || session.tab != Tab::Match {
        return None;
    }
    current(session.live.commentary()?.said(turn), turn)
}

/// The remark, as it stands below the board.
pub fn said(session: &Session, palette: &Palette) -> Option<Said> {
    let remark = latest(session)?;
    let mut words = LayoutJob::default();
    add(&mut words, &remark.words, 0.0, palette.text);
    let ink = remark.seat.map_or(palette.line, |seat| palette.line(seat));
    Some(Said { mark: Some(ink), words, ..Said::default() })
}

/// Paints rings round the cells that the remark is about.
pub fn paint_rings(canvas: &Canvas, session: &Session) {
    // Who was there has soon gone on.
    let is_fresh = |remark: &&Remark| remark.turn + RINGS >= session.playback.view;
    let Some(remark) = latest(session).filter(is_fresh) else { return };
    let palette = &canvas.palette;
    let ink = remark.seat.map_or(palette.text, |seat| palette.line(seat));
    for &cell in remark.cells.iter().filter(|&&cell| canvas.is_visible(cell)) {
        let radius = (canvas.scale() * 0.62).max(9.0);
        let at = canvas.at(cell);
        canvas.painter.circle_stroke(at, radius, Stroke::new(4.0, palette.casing.egui_alpha(0.6)));
        canvas.painter.circle_stroke(at, radius, Stroke::new(1.5, ink.egui()));
    }
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
