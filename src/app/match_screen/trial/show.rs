//! What is said of a move that was tried in a problem, on the board and beside it.

use super::TrialKind;
use crate::app::match_screen::canvas::Canvas;
use crate::app::match_screen::command_table::{MatchCommand, labelled};
use crate::app::match_screen::session::Session;
use crate::app::match_screen::state::Tab;
use crate::app::shell::fonts;
use crate::app::shell::theme::{palette, space, text};
use bevy_egui::egui::text::{LayoutJob, TextFormat};
use bevy_egui::egui::{self, Align2, FontFamily, FontId, RichText, Ui, vec2};
use egui_phosphor::regular as icon;

/// Free room round the words, in points.
const INSET: egui::Vec2 = vec2(18.0, 12.0);
/// Width at which the words wrap, in points.
const WIDEST: f32 = 440.0;

/// Paints a wrong move's card over the board.
pub fn paint(canvas: &Canvas, session: &Session) {
    if session.tab != Tab::Match || session.animation().is_some() {
        return;
    }
    let Some(trial) = session.live.trial(&session.state) else { return };
    if trial.kind != TrialKind::Wrong {
        return;
    }
    let palette = &canvas.palette;
    let strong = FontId::new(18.0, FontFamily::Name(fonts::SEMI_BOLD.into()));
    let plain = FontId::proportional(15.0);
    let area = canvas.view.area.shrink(space::MEDIUM);
    let wrap = (area.width() - 2.0 * INSET.x).clamp(0.0, WIDEST);
    let mut keys = LayoutJob::default();
    let asks =
        [(MatchCommand::Undo, "takes it back"), (MatchCommand::ShowRest, "shows the answer")];
    for (command, does) in asks.into_iter().take(1 + usize::from(trial.offers_answer)) {
        let gap = if keys.is_empty() { 0.0 } else { space::LARGE };
        let key = TextFormat::simple(plain.clone(), palette.accent.egui());
        keys.append(&command.first_key(), gap, key);
        keys.append(does, space::SMALL, TextFormat::simple(plain.clone(), palette.faint.egui()));
    }
    let words = LayoutJob::simple(trial.words, strong, palette.text.egui(), wrap);
    let lines = [words, keys].map(|line| canvas.painter.layout_job(line));
    let width = lines.iter().map(|line| line.size().x).fold(0.0, f32::max);
    let height: f32 = lines.iter().map(|line| line.size().y).sum::<f32>() + space::SMALL;
    let size = vec2(width, height) + 2.0 * INSET;
    let at_side = |align: Align2| align.align_size_within_rect(size, area);
    let (rect, painter) =
        canvas.card_aside([at_side(Align2::CENTER_TOP), at_side(Align2::CENTER_BOTTOM)]);
    let mut at = rect.min + INSET;
    for line in lines {
        let step = line.size().y;
        let place = at + vec2((width - line.size().x) / 2.0, 0.0);
        painter.galley(place, line, palette.text.egui());
        at.y += step + space::SMALL;
    }
}

/// Says it in the panel, with the buttons to go on.
pub fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    let Some(trial) = session.live.trial(&session.state) else { return };
    let palette = palette(ui);
    let (sign, ink) = match trial.kind {
        TrialKind::Task => (icon::PUZZLE_PIECE, palette.accent),
        TrialKind::Right => (icon::CHECK_CIRCLE, palette.good),
        TrialKind::Wrong => (icon::X_CIRCLE, palette.warn),
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(sign).color(ink.egui()));
        ui.label(RichText::new(trial.words).text_style(text::strong()));
    });
    if trial.kind != TrialKind::Wrong && !trial.offers_answer {
        ui.separator();
        return;
    }
    ui.horizontal_wrapped(|ui| {
        if trial.kind == TrialKind::Wrong {
            MatchCommand::Undo.button(ui, session, labelled, commands);
        }
        if trial.offers_answer {
            let answer = |_: &_| egui::Button::new("Show the answer");
            let tip = "Show the moves that win; a win after that does not count";
            MatchCommand::ShowRest.button_saying(ui, session, answer, tip, commands);
        }
    });
    ui.separator();
}
