//! The strip below a board, in which stands why a move in a problem was wrong, how the match ended, or the last remark.
//! It is there from the first frame, so that nothing of this hides the board or moves it.

use super::session::Session;
use super::state::Tab;
use super::{commentary, ending, review, trial};
use crate::app::shell::fonts;
use crate::app::shell::laurel;
use crate::app::shell::medals::Medal;
use crate::app::shell::theme::{Palette, Rgb, space};
use bevy_egui::egui::text::{LayoutJob, TextFormat};
use bevy_egui::egui::{self, Align2, FontFamily, FontId, Rect, pos2, vec2};
use egui_phosphor::regular as icon;
use std::sync::Arc;

/// Height of the strip, in points: two lines.
pub const HEIGHT: f32 = 48.0;
/// Sizes of a headline, in points: the largest that fits is taken.
const HEADLINES: [f32; 3] = [20.0, 17.0, 14.0];
/// Size of other words, in points.
const PLAIN: f32 = 14.0;
/// Room for a medal or a coloured mark on the left, and as much on the right, in points.
const SIGN: f32 = 24.0;
/// The same for a wreath, with how large it and what is in it are from their middle.
const WREATH_ROOM: f32 = 56.0;
const WREATH: f32 = 17.0;
const MEDAL: f32 = 10.5;

/// What stands in a strip.
#[derive(Default)]
pub struct Said {
    /// The sign of a result that a person won.
    pub won: Option<Won>,
    /// The colour of whom it is about.
    pub mark: Option<Rgb>,
    /// The first line, large.
    pub headline: String,
    /// What stands below it, or alone on two lines.
    pub words: LayoutJob,
}

/// What a person won.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Won {
    /// The medal, if the result is near the optimum.
    pub medal: Option<Medal>,
    /// The colour of the side that won.
    pub colour: Rgb,
    /// From 0 to 1: how far its sign has come down to its place.
    pub landed: f32,
}

impl Won {
    /// Paints the medal, or a flag where there is none, in a wreath. It falls from nearer by, and lies still.
    fn paint(self, painter: &egui::Painter, at: egui::Pos2, palette: &Palette) {
        let size = 1.0 + 1.4 * (1.0 - self.landed);
        let at = at - vec2(0.0, 26.0 * (1.0 - self.landed));
        laurel::paint(painter, at, WREATH * size, palette.good, self.landed);
        match self.medal {
            Some(medal) => medal.paint(painter, at, MEDAL * size),
            None => {
                let font = FontId::proportional(1.7 * MEDAL * size);
                let ink = self.colour.egui_alpha(self.landed.max(0.2));
                painter.text(at, Align2::CENTER_CENTER, icon::FLAG_CHECKERED, font, ink);
            }
        }
    }
}

/// Adds words to a line.
pub fn add(line: &mut LayoutJob, words: &str, gap: f32, ink: Rgb) {
    let gap = if line.is_empty() { 0.0 } else { gap };
    line.append(words, gap, TextFormat::simple(FontId::proportional(PLAIN), ink.egui()));
}

/// Whether a match has a strip. A lesson and a lecture have a place of their own for words.
pub fn is_shown(session: &Session) -> bool {
    session.tab != Tab::Analysis && session.lesson.is_none() && !session.notes.in_lecture
}

/// Cuts the strip from below an area.
pub fn cut(area: &mut Rect) -> Rect {
    let top = (area.bottom() - HEIGHT).max(area.top());
    let strip = area.with_min_y(top);
    area.max.y = top;
    strip
}

/// Fills the strip of a match.
pub fn show(painter: &egui::Painter, strip: Rect, session: &Session, palette: &Palette) {
    painter.rect_filled(strip, 0.0, palette.board.egui());
    let room = strip.width() - 2.0 * (space::MEDIUM + WREATH_ROOM);
    let said = trial::said(session, palette)
        .or_else(|| review::board::said(session, palette))
        .or_else(|| ending::said(painter, session, palette, room))
        .or_else(|| commentary::said(session, palette));
    let Some(said) = said else { return };
    let painter = painter.with_clip_rect(strip);
    let sides = match (said.won, said.mark) {
        (Some(_), _) => WREATH_ROOM,
        (None, Some(_)) => SIGN,
        (None, None) => 0.0,
    };
    let width = (strip.width() - 2.0 * (space::MEDIUM + sides)).max(0.0);
    let mut lines = Vec::new();
    if !said.headline.is_empty() {
        lines.push(headline(&painter, &said.headline, width, palette));
    }
    if !said.words.is_empty() {
        let mut words = said.words;
        words.wrap.max_width = width;
        words.wrap.max_rows = 2 - lines.len();
        words.halign = egui::Align::Center;
        lines.push(painter.layout_job(words));
    }
    let size = lines
        .iter()
        .fold(egui::Vec2::ZERO, |all, line| vec2(all.x.max(line.size().x), all.y + line.size().y));
    let block = Align2::CENTER_CENTER.align_size_within_rect(size, strip);
    let sign = pos2(block.left() - sides / 2.0, strip.center().y);
    if let Some(won) = said.won {
        won.paint(&painter.with_clip_rect(painter.ctx().content_rect()), sign, palette);
    } else if let Some(mark) = said.mark {
        painter.circle_filled(sign, 4.0, mark.egui());
    }
    let mut top = block.top();
    for line in lines {
        let step = line.size().y;
        let corner = Align2::CENTER_TOP.align_size_within_rect(line.size(), block.with_min_y(top));
        // Of words that are centred, the place is their middle.
        let left =
            if line.job.halign == egui::Align::Center { block.center().x } else { corner.left() };
        painter.galley(pos2(left, top), line, palette.text.egui());
        top += step;
    }
}

/// The headline on one line, as large as there is room for.
fn headline(
    painter: &egui::Painter,
    words: &str,
    width: f32,
    palette: &Palette,
) -> Arc<egui::Galley> {
    let line = |size: f32| {
        let font = FontId::new(size, FontFamily::Name(fonts::SEMI_BOLD.into()));
        let mut job = LayoutJob::simple(words.to_owned(), font, palette.text.egui(), width);
        job.wrap.max_rows = 1;
        painter.layout_job(job)
    };
    let mut sizes = HEADLINES.into_iter().map(line);
    let smallest = line(HEADLINES[HEADLINES.len() - 1]);
    sizes.find(|line| !line.elided).unwrap_or(smallest)
}
