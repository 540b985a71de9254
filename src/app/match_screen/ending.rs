//! The result of a match on the board: how it ended, how good that is, and what comes next.

use super::canvas::Canvas;
use super::command_table::MatchCommand;
use super::review::{reached_and_perfect, verdict};
use super::session::Session;
use super::state::Tab;
use crate::app::shell::fonts;
use crate::app::shell::medals::{self, Medal};
use crate::app::shell::theme::{Rgb, space};
use bevy_egui::egui::text::{LayoutJob, TextFormat};
use bevy_egui::egui::{self, Align2, FontFamily, FontId, vec2};

/// Free room round the words, in points.
const INSET: egui::Vec2 = vec2(20.0, 14.0);
/// Room for a medal on the left, and as much on the right, in points.
const MEDAL: f32 = 18.0;
/// Height of what is said below the board, in points.
const CAPTIONS: f32 = 56.0;
/// Width at which the words wrap, in points.
const WIDEST: f32 = 640.0;

/// Paints the result while the end of the match is shown.
pub fn paint(canvas: &Canvas, session: &Session) {
    let hidden =
        session.tab == Tab::Analysis || session.lesson.is_some() || session.notes.in_lecture;
    if hidden || session.outcome().is_none() || !session.playback.rests() {
        return;
    }
    let Some(headline) = session.live.headline(&session.state) else { return };
    let palette = &canvas.palette;
    let strong = |size| FontId::new(size, FontFamily::Name(fonts::SEMI_BOLD.into()));
    let plain = FontId::proportional(15.0);
    let line = |words: String, font: &FontId, ink: Rgb| {
        LayoutJob::simple(words, font.clone(), ink.egui(), f32::INFINITY)
    };
    // Beside another match there is little room.
    let beside = session.config.beside.is_some() || session.goes_on_beside;
    let size = if beside { 17.0 } else { 24.0 };
    let mut lines = vec![line(headline, &strong(size), palette.text)];
    if let Some(won) = session.series.series.as_ref().and_then(|series| series.verdict.clone()) {
        lines.push(line(won, &strong(16.0), palette.accent));
    }
    if let Some((words, optimal)) = verdict(session) {
        let ink = if optimal { palette.good } else { palette.text };
        lines.push(line(words, &strong(16.0), ink));
    }
    let medal = reached_and_perfect(session)
        .filter(|_| session.result.counts())
        .and_then(|(reached, perfect)| Medal::of(medals::distance(reached, perfect)));
    let firsts = session.result.firsts();
    lines.extend(firsts.into_iter().map(|words| line(words, &plain, palette.text)));
    if let Some((_, words)) = session.what_next().filter(|_| !beside) {
        let key = MatchCommand::GoOn.first_key();
        let mut both = line(key, &plain, palette.accent);
        both.append(&words, space::MEDIUM, TextFormat::simple(plain, palette.faint.egui()));
        lines.push(both);
    }
    let area = canvas.view.area.shrink(space::MEDIUM);
    let wrap = (area.width() - 2.0 * INSET.x).clamp(0.0, WIDEST);
    let lines: Vec<_> = lines
        .into_iter()
        .map(|mut line| {
            line.wrap.max_width = wrap;
            canvas.painter.layout_job(line)
        })
        .collect();
    let width = lines.iter().map(|line| line.size().x).fold(0.0, f32::max);
    let height: f32 = lines.iter().map(|line| line.size().y + space::SMALL).sum();
    let width = width + medal.map_or(0.0, |_| 2.0 * MEDAL);
    let size = vec2(width, height - space::SMALL) + 2.0 * INSET;
    // Away from what matters; captions stand below.
    let focus = session.live.focus(session.playback.view).map(|(low, high)| (low + high) / 2.0);
    let is_high = focus.is_some_and(|place| canvas.point(place).y < area.center().y);
    let above = Align2::CENTER_TOP.align_size_within_rect(size, area);
    let below = Align2::CENTER_BOTTOM.align_size_within_rect(size, area);
    let below = below.translate(vec2(0.0, -CAPTIONS));
    let places = if is_high { [below, above] } else { [above, below] };
    let (rect, painter) = canvas.card_aside(places);
    if let Some(medal) = medal {
        medal.paint(&painter, rect.min + INSET + vec2(0.0, 14.0));
    }
    let mut at = rect.min + INSET;
    for line in lines {
        let (place, step) = (at + vec2((width - line.size().x) / 2.0, 0.0), line.size().y);
        painter.galley(place, line, palette.text.egui());
        at.y += step + space::SMALL;
    }
}
