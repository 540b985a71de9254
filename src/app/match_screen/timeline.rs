//! The bar below the board: play controls and every turn of the match.

use super::beside;
use super::board::MarkerKind;
use super::canvas::Visuals;
use super::command_table::{MatchCommand, labelled, symbol, symbol_of};
use super::focus::MatchSlot;
use super::layout::{AddSection, PanelContext, Region, Row};
use super::session::Session;
use super::side;
use super::state::{SPEEDS, Tab};
use super::turn_axis::{TurnAxis, chosen_turn, pointed};
use crate::app::shell::screen_reader;
use crate::app::shell::theme::{Palette, palette, space, text};
use bevy::prelude::{App, InMut};
use bevy_egui::egui::{self, Rect, Sense, Stroke, Ui, pos2};
use egui_phosphor::regular as icon;
use outwit_core::levels::capitalised;

/// Width below which the controls take two rows, in points.
const ONE_ROW: f32 = 660.0;

/// Height of the strip of turns, in points.
const STRIP: f32 = 26.0;
/// Width of the name of a match on its strip, in points.
const NAME: f32 = 14.0;

/// Shows the turns of every match.
pub(super) fn plugin(app: &mut App) {
    app.add_section(Region::Bottom(Row::Timeline), show);
}

/// Draws the bar. The match beside it has a strip of its own, and one row of controls drives both.
fn show(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    let PanelContext { session, other, look, settings, given } = &mut context;
    let session = &mut ***session;
    let mut other = other.as_deref_mut().map(|other| &mut **other);
    let commands = &mut given.commands;
    match other.as_deref_mut() {
        Some(other) => {
            let turns = beside::turns(session, other);
            let matches = [&mut *session, &mut *other].into_iter().enumerate();
            let chosen = matches.filter_map(|(at, session)| {
                strip(ui, session, (Some(MatchSlot(at).name()), turns), look)
            });
            if let Some(turn) = chosen.last() {
                let [leader, _] = beside::in_order(session, other);
                leader.jump(turn);
                beside::keep_together(session, other);
            }
        }
        None if session.overlays.is_low => {
            let has_panel = side::is_shown(session, settings);
            return in_one_row(ui, session, has_panel, look, commands);
        }
        None => {
            let turns = session.live.turns();
            if let Some(turn) = strip(ui, session, (None, turns), look) {
                session.jump(turn);
            }
        }
    }
    let session = other.map_or(&*session, |other| beside::leader(session, other));
    // The analysis has buttons of its own, and one row of them is enough.
    let runs = session.tab != Tab::Analysis;
    // Where there is no room for one row, the controls take two.
    if runs && ui.available_width() < ONE_ROW {
        ui.horizontal(|ui| run(ui, session, commands));
        ui.horizontal(|ui| {
            speed(ui, session, commands);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                sight(ui, session, commands);
                turns(ui, session, egui::TextStyle::Small);
            });
        });
    } else {
        ui.horizontal(|ui| {
            if runs {
                run(ui, session, commands);
                ui.add_space(space::MEDIUM);
                speed(ui, session, commands);
                ui.add_space(space::MEDIUM);
            }
            turns(ui, session, egui::TextStyle::Body);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                sight(ui, session, commands);
                if !side::is_shown(session, settings) {
                    play_on(ui, session, commands);
                }
            });
        });
    }
}

/// Draws the bar of a low window: what is needed most, beside the turns. Where there is no panel, what stands in it
/// otherwise too.
fn in_one_row(
    ui: &mut Ui,
    session: &mut Session,
    has_panel: bool,
    look: &Visuals,
    commands: &mut Vec<MatchCommand>,
) {
    ui.horizontal(|ui| {
        if !has_panel {
            MatchCommand::Leave.button(ui, session, symbol, commands);
        }
        if session.tab != Tab::Analysis {
            MatchCommand::StepBack.button(ui, session, symbol, commands);
            play(ui, session, commands);
            MatchCommand::Step.button(ui, session, symbol, commands);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            sight(ui, session, commands);
            if !has_panel {
                play_on(ui, session, commands);
            }
            let turns = session.live.turns();
            if let Some(turn) = strip(ui, session, (None, turns), look) {
                session.jump(turn);
            }
        });
    });
}

/// What a person needs to play on where there is no panel, from right to left.
fn play_on(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    if session.humans.is_empty() || session.is_replay() {
        return;
    }
    MatchCommand::Undo.button(ui, session, labelled, commands);
    MatchCommand::Hint.button(ui, session, labelled, commands);
    if session.board.plans {
        MatchCommand::CarryOut.button(ui, session, labelled, commands);
    }
}

/// What lets the match run.
fn run(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    MatchCommand::First.button(ui, session, symbol, commands);
    MatchCommand::StepBack.button(ui, session, symbol, commands);
    play(ui, session, commands);
    MatchCommand::Step.button(ui, session, symbol, commands);
    let last = if session.live.is_over() { "To the end" } else { "To the present" };
    MatchCommand::Last.button_saying(ui, session, symbol, last, commands);
}

/// Play or pause.
fn play(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    let (icon, words) =
        if session.playback.playing { (icon::PAUSE, "Pause") } else { (icon::PLAY, "Play") };
    MatchCommand::Play.button_saying(ui, session, |_| symbol_of(icon), words, commands);
}

/// How fast it runs.
fn speed(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    MatchCommand::Slower.button(ui, session, symbol, commands);
    let speed = SPEEDS[session.playback.speed];
    ui.add_sized([44.0, 20.0], egui::Label::new(format!("{speed}x")))
        .on_hover_text("Speed of the match");
    MatchCommand::Faster.button(ui, session, symbol, commands);
}

/// Which turn is shown.
fn turns(ui: &mut Ui, session: &Session, style: egui::TextStyle) {
    let words = capitalised(&session.moment_of_all(session.playback.view));
    let words = egui::RichText::new(words).text_style(style).color(palette(ui).faint.egui());
    ui.add(egui::Label::new(words).extend());
}

/// What changes the view.
fn sight(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    if side::may_hide(session) {
        MatchCommand::Panel.button(ui, session, symbol, commands);
    }
    MatchCommand::Fit.button(ui, session, symbol, commands);
    MatchCommand::Follow.button(ui, session, symbol, commands);
}

/// Every turn of a match with its events, on an axis of so many turns. Returns the turn that is clicked.
fn strip(
    ui: &mut Ui,
    session: &mut Session,
    (name, all): (Option<&str>, usize),
    look: &Visuals,
) -> Option<usize> {
    let palette = &look.palette;
    let (rect, response) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), STRIP), Sense::click_and_drag());
    let turns = session.live.turns();
    screen_reader::describe(&response, |node| {
        node.set_label("Timeline");
        node.set_value(format!("Turn {} of {turns}", session.playback.view));
    });
    let mut inner = rect.shrink2(egui::vec2(8.0, 0.0));
    let painter = ui.painter();
    let y = rect.bottom() - 8.0;
    if let Some(name) = name {
        let font = text::strong().resolve(ui.style());
        let ink = palette.accent.egui();
        painter.text(pos2(rect.left(), y), egui::Align2::LEFT_CENTER, name, font, ink);
        inner.min.x += NAME;
    }
    let axis = TurnAxis { inner, turns: all };
    let end = if turns == all { inner.right() } else { axis.x(turns as f32) };
    painter.hline(inner.left()..=end, y, Stroke::new(3.0, palette.line.egui()));
    let shown = session.playback.view as f32 + session.playback.moving;
    let so_far = if turns == 0 { inner.left() } else { axis.x(shown) };
    painter.hline(inner.left()..=so_far, y, Stroke::new(3.0, palette.accent.egui()));

    let pointer = response.hover_pos();
    // The mark under the pointer: how far away, and of which turn.
    let mut near: Option<(f32, usize)> = None;
    let told = session.told_turns();
    let marks = session.live.marks(&session.state);
    for event in marks.iter().filter(|event| event.turn < told) {
        let x = axis.x(event.turn as f32 + 1.0);
        mark(painter, palette, event.kind, x, y);
        let Some(at) = pointer else { continue };
        let quiet = event.kind == MarkerKind::Quiet;
        let distance = (at.x - x).abs() + if quiet { QUIETER } else { 0.0 };
        if distance < REACH && near.is_none_or(|(least, _)| distance < least) {
            near = Some((distance, event.turn));
        }
    }
    painter.circle(
        pos2(so_far, y),
        6.0,
        palette.accent.egui(),
        Stroke::new(2.0, palette.panel.egui()),
    );
    let at = pointed(&response)?;
    let turn = near.map_or_else(|| axis.turn(at), |(_, turn)| turn + 1);
    let words = match near {
        Some((_, turn)) => {
            let events = marks.iter().filter(|event| event.turn == turn);
            let words: Vec<&str> = events.map(|event| event.words.as_str()).collect();
            let words = words.join(", ");
            format!("{}: {words}", capitalised(&session.moment(turn + 1)))
        }
        None => capitalised(&session.moment(turn.min(turns))),
    };
    chosen_turn(response, turn, words)
}

/// Points around a mark in which the pointer means it.
const REACH: f32 = 6.0;
/// By how many points a quiet mark stands back.
const QUIETER: f32 = 3.0;

/// The mark of an event; shape tells the kinds apart as well as colour.
fn mark(painter: &egui::Painter, palette: &Palette, kind: MarkerKind, x: f32, y: f32) {
    let at = pos2(x, y - 10.0);
    match kind {
        MarkerKind::Quiet => {
            let stroke = Stroke::new(1.0, palette.faint.egui_alpha(0.7));
            painter.vline(x, y - 6.0..=y - 2.0, stroke);
        }
        MarkerKind::Good => {
            painter.circle_filled(at, 3.5, palette.good.egui());
        }
        MarkerKind::Plain => {
            let square = Rect::from_center_size(at, egui::vec2(4.0, 7.0));
            painter.rect_filled(square, 1.0, palette.mark.egui());
        }
        MarkerKind::Close => {
            let corners = [(0.0, -4.5), (3.5, 0.0), (0.0, 4.5), (-3.5, 0.0)];
            let points = corners.iter().map(|&(x, y)| at + egui::vec2(x, y)).collect();
            painter.add(egui::Shape::convex_polygon(points, palette.warn.egui(), Stroke::NONE));
        }
        MarkerKind::Bad => {
            for (dx, dy) in [(3.5, 3.5), (3.5, -3.5)] {
                let half = egui::vec2(dx, dy);
                painter.line_segment([at - half, at + half], Stroke::new(2.0, palette.bad.egui()));
            }
        }
    }
}
