//! Who is ahead, and what was said, beside the board.

use crate::app::match_screen::canvas::Visuals;
use crate::app::match_screen::command_table::{MatchCommand, labelled};
use crate::app::match_screen::figures::{counted, figure};
use crate::app::match_screen::session::Session;
use crate::app::shell::seats::with_verb;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Sense, Ui, pos2};
use outwit_core::levels::capitalised;
use outwit_core::play::{Seat, Unit};
use outwit_kit::{Expectation, Outlook, Remark};
use std::sync::Arc;

/// Height of the room for remarks, in points.
const REMARKS: f32 = 92.0;
/// Height of the bar, in points.
const BAR: f32 = 14.0;
/// Size of the coloured dot before a remark, in points.
const DOT: f32 = 6.0;

/// Shows how things stand at the shown turn, unless the match is over there, the last remarks, and at the end the
/// turning points. Returns the turn to look at, if one was chosen.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    look: &Visuals,
    commands: &mut Vec<MatchCommand>,
) -> Option<usize> {
    let told = session.live.commentary()?;
    let turn = session.playback.view;
    let over = session.outcome().is_some();
    // The result says it then, and after a resignation or a draw by agreement says something else.
    if !over {
        ui.add_space(space::MEDIUM);
        widgets::section(ui, "Who is ahead");
        match told.outlook(turn) {
            Some((_, outlook)) => standing(ui, session, look, outlook),
            None => {
                ui.horizontal(|ui| {
                    ui.spinner();
                    widgets::hint(ui, "Working it out");
                });
            }
        }
    }
    ui.add_space(space::SMALL);
    let mut jump = remarks(ui, session, told.said(turn), look);
    if over && !told.swings.is_empty() {
        ui.add_space(space::SMALL);
        widgets::section(ui, "Turning points");
        MatchCommand::Highlights.button(ui, session, labelled, commands);
        for swing in &told.swings {
            let from = 100.0 * swing.from;
            let to = 100.0 * swing.to;
            let name = session.name(swing.seat);
            let moment = capitalised(&session.moment(swing.turn));
            let words = format!("{moment}: {name} from {from:.0} to {to:.0} %");
            let button = egui::Button::new(words).min_size(egui::vec2(ui.available_width(), 0.0));
            if ui.add(button).on_hover_text("Watch from shortly before").clicked() {
                jump = Some(swing.since);
            }
        }
    }
    jump
}

/// The bar, and what each seat can expect.
fn standing(ui: &mut Ui, session: &Session, look: &Visuals, outlook: &Outlook) {
    let size = egui::vec2(ui.available_width(), BAR);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter().with_clip_rect(rect);
    let mut left = rect.left();
    for (share, seat) in outlook.shares.iter().zip(0_u8..) {
        let right = left + rect.width() * (*share as f32).clamp(0.0, 1.0);
        let part = egui::Rect::from_min_max(pos2(left, rect.top()), pos2(right, rect.bottom()));
        painter.rect_filled(part, 0.0, look.palette.side(session.pieces_of(Seat(seat))).egui());
        left = right;
    }
    let shares = outlook.shares.iter().zip(0_u8..);
    let words: Vec<String> = shares
        .map(|(share, seat)| format!("{}: {:.0} %", session.name(Seat(seat)), 100.0 * share))
        .chain(["If both sides play as well as they can from here on".into()])
        .collect();
    response.on_hover_text(words.join("\n"));
    // What one of two seats loses, the other gains: one figure says both.
    let opposed = match outlook.seats.as_slice() {
        [one, other] => one.value.zip(other.value).is_some_and(|(one, other)| one == -other),
        _ => false,
    };
    let told = if opposed { 1 } else { outlook.seats.len() };
    for (expected, seat) in outlook.seats.iter().zip(0_u8..).take(told) {
        ui.horizontal(|ui| {
            ui.label(with_verb(&session.name(Seat(seat)), ["expect", "expects"]));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                widgets::hint(ui, expectation(expected, session.info.score.unit));
            });
        });
    }
}

fn expectation(expected: &Expectation, unit: Unit) -> String {
    match expected.value {
        None => "no hope".into(),
        Some(value) if expected.margin == 0.0 => counted(value, unit),
        Some(value) => {
            // No more digits than the margin bears.
            let digits = if expected.margin >= 1.0 { 0 } else { 2 };
            format!("{value:.digits$} ± {:.digits$} {}", expected.margin, unit.many)
        }
    }
}

/// The last remarks, the newest on top, as many as have room. The room is always there, so that no remark moves what
/// lies below. Returns the turn of the one that was clicked.
fn remarks(ui: &mut Ui, session: &Session, said: &[Remark], look: &Visuals) -> Option<usize> {
    let size = egui::vec2(ui.available_width(), REMARKS);
    let (room, _) = ui.allocate_exact_size(size, Sense::hover());
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(room));
    let width = room.width() - DOT - ui.spacing().item_spacing.x;
    let font = egui::TextStyle::Body.resolve(ui.style());
    let mut jump = None;
    for remark in said.iter().rev() {
        let is_new = remark.turn + 1 == session.playback.view;
        let ink = if is_new { look.palette.text } else { look.palette.faint };
        let words = remark.words.clone();
        let words = ui.painter().layout(words, font.clone(), ink.egui(), width);
        if ui.cursor().top() + words.size().y > room.bottom() {
            break;
        }
        if line(&mut ui, session, (remark, words), look) {
            jump = Some(remark.turn + 1);
        }
    }
    jump
}

/// A remark with its figures under the pointer; returns whether it was clicked.
fn line(
    ui: &mut Ui,
    session: &Session,
    (remark, words): (&Remark, Arc<egui::Galley>),
    look: &Visuals,
) -> bool {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(DOT, 14.0), Sense::hover());
        let side = remark
            .seat
            .map_or(look.palette.line, |seat| look.palette.side(session.pieces_of(seat)));
        ui.painter().circle_filled(rect.center(), DOT / 2.0, side.egui());
        let label = ui.add(egui::Label::new(words).sense(Sense::click()));
        let label = label.on_hover_ui(|ui| {
            ui.label(capitalised(&session.moment(remark.turn + 1)));
            for (name, value) in &remark.figures {
                ui.label(format!("{name}: {}", figure(*value)));
            }
        });
        label.clicked()
    })
    .inner
}
