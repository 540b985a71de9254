//! The list of games of a pairing.

use super::commands::{TournamentCommand, entry_of};
use super::results_view::{ResultsState, SortOrder};
use super::screen::TournamentScreen;
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Align, Align2, Layout, Rect, RichText, Sense, TextStyle, Ui, pos2, vec2};
use egui_phosphor::regular as icon;
use outwit_core::tournament::FinishedGame;

/// Height of a row, in points.
const ROW: f32 = 30.0;
/// Widths of the columns before the outcome, in points.
const SEED: f32 = 84.0;
const PAYOFF: f32 = 84.0;
const TURNS: f32 = 72.0;
/// Width of the button, in points.
const WATCH: f32 = 96.0;

/// Shows the games of a pairing.
pub fn show(ui: &mut Ui, screen: &mut TournamentScreen, cell: usize) {
    let making =
        screen.watched.as_ref().map(|watched| (watched.game.seed, watched.game.players.clone()));
    let score = seat_title(screen.kind.facts().score.name);
    let Some(shown) = &mut screen.shown else { return };
    let players: Vec<String> =
        shown.board.contest().players(cell).into_iter().map(|name| shown.title(name)).collect();
    let mut close = false;
    ui.horizontal(|ui| {
        let words = players.join(" vs ");
        ui.label(RichText::new(words).text_style(text::section()));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let cross = egui::Button::new(icon::X);
            close = entry_of(TournamentCommand::Close).button(ui, Ok(()), cross);
            if making.is_some() {
                widgets::hint(ui, "Preparing the replay…");
                ui.spinner();
            }
        });
    });
    heads(ui, shown, &score);
    let mut watch = None;
    let shown = &*shown;
    let games = shown.games(cell);
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical().auto_shrink(false).show_rows(ui, ROW, games.len(), |ui, rows| {
        for game in &games[rows] {
            let mine = making
                .as_ref()
                .is_some_and(|(seed, players)| *seed == game.seed && *players == game.players);
            if row(ui, game, making.is_some(), mine) {
                watch = Some((*game).clone());
            }
        }
    });
    if games.is_empty() {
        ui.add_space(space::MEDIUM);
        widgets::hint(ui, "No game of this pairing is finished yet.");
    }
    if let Some(game) = watch {
        screen.watch(game, 0);
    }
    if close && let Some(shown) = &mut screen.shown {
        shown.cell = None;
    }
}

/// Shows the column headers, which sort the list.
fn heads(ui: &mut Ui, shown: &mut ResultsState, score: &str) {
    let palette = palette(ui);
    let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let font = TextStyle::Body.resolve(ui.style());
    let mut left = line.left();
    for (order, name, width) in [
        (SortOrder::Seed, "Seed", SEED),
        (SortOrder::Payoff, score, PAYOFF),
        (SortOrder::Turns, "Turns", TURNS),
    ] {
        let place = Rect::from_min_size(pos2(left, line.top()), vec2(width, line.height()));
        left += width;
        let response = ui.interact(place, ui.id().with(name), Sense::click());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::WidgetType::Button, ui.is_enabled(), name)
        });
        let mark = match shown.order {
            (by, false) if by == order => icon::CARET_UP,
            (by, true) if by == order => icon::CARET_DOWN,
            _ => "",
        };
        let lit = response.hovered() || response.has_focus();
        let ink = if lit { palette.text } else { palette.faint };
        let at = place.left_center();
        let words = format!("{name} {mark}");
        ui.painter().text(at, Align2::LEFT_CENTER, words, font.clone(), ink.egui());
        let response = response.on_hover_cursor(egui::CursorIcon::PointingHand);
        if response.on_hover_text("Sort; click again to reverse").clicked() {
            shown.order = (order, shown.order.0 == order && !shown.order.1);
        }
    }
    let at = pos2(left, line.center().y);
    ui.painter().text(at, Align2::LEFT_CENTER, "Outcome", font, palette.faint.egui());
}

/// Shows a game; returns whether the user wants to watch it.
fn row(ui: &mut Ui, game: &FinishedGame, busy: bool, making: bool) -> bool {
    let palette = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    if response.hovered() || making {
        ui.painter().rect_filled(rect, 4, palette.raised.egui());
    }
    ui.painter().hline(rect.x_range(), rect.bottom(), egui::Stroke::new(1.0, palette.line.egui()));
    let mut watch = response.double_clicked() && !busy;
    let line = ui.new_child(
        egui::UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)),
    );
    let mut ui = line;
    ui.spacing_mut().item_spacing.x = 0.0;
    let cell = |ui: &mut Ui, width: f32, words: String| {
        ui.allocate_ui_with_layout(vec2(width, ROW), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(width);
            ui.add(egui::Label::new(words).truncate());
        });
    };
    cell(&mut ui, SEED, game.seed.to_string());
    cell(&mut ui, PAYOFF, game.score(0).map_or_else(|| "–".into(), figure));
    cell(&mut ui, TURNS, game.turns.to_string());
    let mut words = game.outcome.headline.clone();
    let overruns: u32 = game.stats.iter().map(|stats| stats.overruns).sum();
    if overruns > 0 {
        words += &format!(", {overruns} overruns");
        let starved: u32 = game.stats.iter().map(|stats| stats.starved).sum();
        if starved > 0 {
            words += &format!(" (processor busy in {starved})");
        }
    }
    let rest = (ui.available_width() - WATCH).max(40.0);
    cell(&mut ui, rest, words);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let button = egui::Button::new(format!("{}  Watch", icon::EYE)).small();
        watch |=
            ui.add_enabled(!busy, button).on_hover_text("Watch the replay of this game").clicked();
    });
    watch
}

/// A number without decimals if it is whole, else with one.
fn figure(score: f64) -> String {
    if score.fract() == 0.0 { format!("{score:.0}") } else { format!("{score:.1}") }
}
