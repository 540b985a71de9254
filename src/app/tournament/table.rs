//! The results as a matrix: a row per planner of one seat, a column per opponents on the others.

use super::chart;
use super::commands::{COMMANDS, TournamentCommand};
use super::highlights;
use super::matrix::{Matrix, milliseconds, plus_minus};
use super::results_view::{ResultsState, ResultsTab, player_title};
use super::scale::text_colour_on;
use super::screen::TournamentScreen;
use crate::app::shell::controls::control_words;
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Align2, Color32, Rect, Sense, Stroke, StrokeKind, TextStyle, Ui, pos2, vec2};
use egui_phosphor::regular as icon;
use outwit_core::play::Better;

/// Height of a row, in points.
const ROW: f32 = 44.0;
/// Widths of the columns, in points.
const WIDTH: std::ops::RangeInclusive<f32> = 84.0..=132.0;

/// The preferred height of the results, in points.
pub fn height(shown: &ResultsState) -> f32 {
    let rows = shown.board.contest().seats.first().map_or(1, |seat| seat.planners.len());
    ROW * rows as f32 + 210.0
}

/// Shows the results in the chosen view.
pub fn show(ui: &mut Ui, screen: &mut TournamentScreen) {
    let kind = screen.kind;
    let state = (screen.run.is_some(), screen.watched.is_some());
    let Some(shown) = &mut screen.shown else { return };
    let mut watched = None;
    let score = seat_title(kind.facts().score.name);
    let better = kind.facts().score.better;
    let clicked = egui::ScrollArea::both()
        .auto_shrink(false)
        .show(ui, |ui| {
            head(ui, shown);
            ui.add_space(space::SMALL);
            views(ui, shown, &score);
            options(ui, shown, &score, &|seat| kind.endings(seat));
            ui.add_space(space::MEDIUM);
            match shown.options.view {
                ResultsTab::Ratings => {
                    chart::show(ui, shown);
                    return None;
                }
                ResultsTab::Chart => return chart::payoffs(ui, shown, &score, better),
                ResultsTab::Highlights => {
                    watched = highlights::show(ui, kind, shown, state);
                    return None;
                }
                _ => {}
            }
            let matrix = Matrix::new(shown, &score, better);
            let clicked = matrix.show(ui, shown);
            ui.add_space(space::MEDIUM);
            matrix.legend(ui, few_games(shown));
            clicked
        })
        .inner;
    if let Some(cell) = clicked {
        shown.cell = if shown.cell == Some(cell) { None } else { Some(cell) };
    }
    if let Some((game, turn)) = watched {
        screen.watch(game, turn);
    }
}

fn head(ui: &mut Ui, shown: &ResultsState) {
    let contest = shown.board.contest();
    let all = contest.games();
    ui.horizontal_wrapped(|ui| {
        let name = egui::RichText::new(&shown.level_name).text_style(text::section());
        ui.label(name).on_hover_text(&contest.level.id);
        let games = match shown.board.finished() {
            finished if finished < all => format!("{finished} of {all} games"),
            _ => format!("{all} games"),
        };
        let last = contest.seed((contest.seeds as usize).saturating_sub(1));
        let seeds = format!("seeds {} to {last}", contest.first_seed);
        let strict = if contest.strict { ", strict" } else { "" };
        let budget = control_words(contest.budget);
        widgets::hint(ui, format!("{games}, {seeds}, {budget}{strict}"));
    });
}

/// Games of a pairing below which little can be said of it.
const FEW: u32 = 10;
const FEW_GAMES: &str = "Fewer than 10 games per pairing: many of the differences may be chance.";

/// Whether some pairing has been played, but only a few times; where all its games were equal, more would not
/// help.
fn few_games(shown: &ResultsState) -> bool {
    shown.board.contest().seeds < FEW
        && shown.figures.cells.iter().any(|cell| {
            let varies = cell.seats.iter().any(|seat| !seat.payoff.all_equal);
            cell.games > 0 && varies
        })
}

fn views(ui: &mut Ui, shown: &mut ResultsState, score: &str) {
    let palette = palette(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::SMALL, space::SMALL);
        for entry in COMMANDS {
            let TournamentCommand::Show(view) = entry.id else { continue };
            let chosen = shown.options.view == view;
            let name = if view == ResultsTab::Payoff { score } else { entry.label };
            let ink = if chosen { palette.on_accent } else { palette.text };
            let mut button = egui::Button::new(egui::RichText::new(name).color(ink.egui()));
            if chosen {
                button = button.fill(palette.accent.egui());
            }
            if entry.button(ui, Ok(()), button) {
                shown.options.view = view;
            }
        }
    });
}

/// Shows the options of the chosen view.
fn options(
    ui: &mut Ui,
    shown: &mut ResultsState,
    score: &str,
    endings: &dyn Fn(usize) -> &'static [&'static str],
) {
    let contest = shown.board.contest();
    let title = |name: &str| player_title(&shown.board, name);
    let choice = &mut shown.options;
    let titles: Vec<String> = contest.seats.iter().map(|seat| seat_title(&seat.seat)).collect();
    let seats: Vec<(usize, &str)> = titles.iter().map(String::as_str).enumerate().collect();
    choice.seat = choice.seat.min(seats.len().saturating_sub(1));
    ui.horizontal_wrapped(|ui| {
        if seats.len() > 1 && !matches!(choice.view, ResultsTab::Ratings | ResultsTab::Highlights) {
            let about = match choice.view {
                ResultsTab::Payoff | ResultsTab::Chart => format!("{score} of"),
                ResultsTab::Outcomes => "Outcome for".into(),
                _ => "Planners of".into(),
            };
            widgets::hint(ui, about);
            widgets::choice(ui, &mut choice.seat, &seats);
        }
        match choice.view {
            ResultsTab::Outcomes => {
                let endings = endings(choice.seat);
                let titles: Vec<String> = endings.iter().map(|word| seat_title(word)).collect();
                let words: Vec<(usize, &str)> =
                    titles.iter().map(String::as_str).enumerate().collect();
                choice.ending = choice.ending.min(words.len().saturating_sub(1));
                widgets::choice(ui, &mut choice.ending, &words);
            }
            ResultsTab::Time => {
                let words = [(false, "Median"), (true, "Slowest 1 %")];
                widgets::choice(ui, &mut choice.slowest, &words);
            }
            ResultsTab::Differences => {
                let planners = &contest.seats[choice.seat].planners;
                choice.baseline = choice.baseline.min(planners.len().saturating_sub(1));
                widgets::hint(ui, "minus");
                egui::ComboBox::from_id_salt("baseline")
                    .selected_text(title(planners[choice.baseline].name()))
                    .show_ui(ui, |ui| {
                        for (at, planner) in planners.iter().enumerate() {
                            let words = title(planner.name());
                            ui.selectable_value(&mut choice.baseline, at, words);
                        }
                    });
            }
            _ => {}
        }
    });
}

impl Matrix {
    /// Draws it; returns the pairing that was clicked.
    fn show(&self, ui: &mut Ui, shown: &ResultsState) -> Option<usize> {
        let palette = palette(ui);
        if self.rows.is_empty() {
            widgets::hint(ui, "Only one planner on this seat: nothing to compare.");
            return None;
        }
        let strong = text::strong().resolve(ui.style());
        let body = TextStyle::Body.resolve(ui.style());
        let small = TextStyle::Small.resolve(ui.style());
        let wide = |words: &String, font: &egui::FontId| {
            ui.painter().layout_no_wrap(words.clone(), font.clone(), Color32::WHITE).size().x
        };
        let names = self.rows.iter().chain([&self.corner]).map(|name| wide(name, &body));
        let names = names.fold(60.0, f32::max) + 16.0;
        let heads = self.columns.iter().map(|name| wide(name, &body)).fold(0.0, f32::max) + 16.0;
        let count = self.columns.len() as f32;
        let width = ((ui.available_width() - names - 4.0) / count)
            .clamp(WIDTH.start().max(heads.min(*WIDTH.end())), *WIDTH.end())
            .floor();
        let size = vec2(names + width * count, 28.0 + ROW * self.rows.len() as f32);
        let (rect, _) = ui.allocate_exact_size(size + vec2(2.0, 2.0), Sense::hover());
        let origin = rect.min + vec2(1.0, 1.0);
        let faint = palette.faint.egui();
        let at = pos2(origin.x + 4.0, origin.y + 14.0);
        ui.painter().text(at, Align2::LEFT_CENTER, &self.corner, small.clone(), faint);
        for (column, name) in self.columns.iter().enumerate() {
            let left = origin.x + names + width * column as f32;
            let place = Rect::from_min_size(pos2(left, origin.y), vec2(width, 28.0)).shrink(3.0);
            widgets::inside(ui, place, |ui| {
                ui.with_layout(egui::Layout::top_down(egui::Align::Center), |ui| {
                    ui.add(egui::Label::new(name).truncate()).on_hover_text(name);
                });
            });
        }
        let mut pressed = None;
        for (row, (name, figures)) in self.rows.iter().zip(&self.figures).enumerate() {
            let top = origin.y + 28.0 + ROW * row as f32;
            let at = pos2(origin.x + 4.0, top + ROW / 2.0);
            ui.painter().text(at, Align2::LEFT_CENTER, name, body.clone(), palette.text.egui());
            for (column, figure) in figures.iter().enumerate() {
                let left = origin.x + names + width * column as f32;
                let place = Rect::from_min_size(pos2(left, top), vec2(width, ROW)).shrink(1.0);
                let sense = if figure.cell.is_some() { Sense::click() } else { Sense::hover() };
                let response = ui.interact(place, ui.id().with(("figure", row, column)), sense);
                let label = format!("{name}, {}: {}", self.columns[column], figure.words);
                let is_open = figure.cell.is_some() && figure.cell == shown.cell;
                response.widget_info(|| {
                    let kind = egui::WidgetType::Button;
                    egui::WidgetInfo::selected(kind, ui.is_enabled(), is_open, &label)
                });
                let fill = figure
                    .value
                    .map_or(palette.panel.egui(), |value| self.scale.colour(value, palette));
                let ink = text_colour_on(fill);
                let lit = response.hovered() || response.has_focus();
                let line = if is_open {
                    Stroke::new(2.0, palette.text.egui())
                } else if lit && figure.cell.is_some() {
                    Stroke::new(2.0, palette.accent.egui())
                } else {
                    Stroke::new(1.0, palette.line.egui())
                };
                ui.painter().rect(place, 4, fill, line, StrokeKind::Inside);
                let middle = place.center();
                let alone = figure.below.is_empty();
                let lift = if alone { 0.0 } else { 8.0 };
                ui.painter().text(
                    middle - vec2(0.0, lift),
                    Align2::CENTER_CENTER,
                    &figure.words,
                    strong.clone(),
                    ink,
                );
                let below = pos2(middle.x, middle.y + 9.0);
                ui.painter().text(below, Align2::CENTER_CENTER, &figure.below, small.clone(), ink);
                let Some(cell) = figure.cell else { continue };
                let response = response.on_hover_cursor(egui::CursorIcon::PointingHand);
                if response.clicked() {
                    pressed = Some(cell);
                }
                response.on_hover_ui(|ui| about(ui, shown, cell));
            }
        }
        pressed
    }

    fn legend(&self, ui: &mut Ui, few_games: bool) {
        let palette = palette(ui);
        if self.rows.is_empty() {
            return;
        }
        ui.horizontal(|ui| {
            if self.scale.low.is_finite() && self.scale.high > self.scale.low {
                const STEPS: usize = 24;
                widgets::hint(ui, (self.scale.write)(self.scale.low));
                let (rect, _) = ui.allocate_exact_size(vec2(144.0, 12.0), Sense::hover());
                for step in 0..STEPS {
                    let part = step as f64 / (STEPS - 1) as f64;
                    let value = self.scale.low + part * (self.scale.high - self.scale.low);
                    let width = rect.width() / STEPS as f32;
                    let left = rect.left() + width * step as f32;
                    let place =
                        Rect::from_min_size(pos2(left, rect.top()), vec2(width + 0.5, 12.0));
                    ui.painter().rect_filled(place, 0.0, self.scale.colour(value, palette));
                }
                widgets::hint(ui, (self.scale.write)(self.scale.high));
                ui.add_space(space::LARGE);
            }
            let better = match (self.scale.better, self.scale.both_sides) {
                (None, _) => "",
                (Some(Better::Lower), false) => "Lower is better. ",
                (Some(Better::Higher), false) => "Higher is better. ",
                (Some(Better::Lower), true) => "Below 0 is better. ",
                (Some(Better::Higher), true) => "Above 0 is better. ",
            };
            let words = if self.scale.both_sides {
                "On the same seeds. Uncoloured: not statistically significant."
            } else {
                "Click a cell to see its games."
            };
            widgets::hint(ui, format!("{better}{words}"));
        });
        if few_games {
            ui.horizontal(|ui| {
                ui.label(egui::RichText::new(icon::WARNING).color(palette.warn.egui()));
                widgets::hint(ui, FEW_GAMES);
            });
        }
    }
}

/// Shows all statistics of a pairing.
fn about(ui: &mut Ui, shown: &ResultsState, at: usize) {
    let Some(cell) = shown.figures.cells.get(at) else { return };
    // While games are played, the words grow under the pointer.
    ui.set_min_width(ui.spacing().tooltip_width * 0.8);
    let contest = shown.board.contest();
    let players: Vec<String> = cell.players.iter().map(|name| shown.title(name)).collect();
    ui.label(egui::RichText::new(players.join(" vs ")).text_style(text::strong()));
    ui.label(widgets::counted(cell.games as u64, "game"));
    if cell.seats.iter().any(|seat| seat.payoff.all_equal) {
        widgets::hint(ui, "All games were equal, so together they say no more than one game.");
    }
    for (entrants, seat) in contest.seats.iter().zip(&cell.seats) {
        let (mean, ci95) = plus_minus(&seat.payoff);
        let name = seat_title(&entrants.seat);
        let endings: Vec<String> = seat
            .endings
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(ending, count)| format!("{ending} {count}"))
            .collect();
        ui.label(format!("{name}: {mean} {ci95}; {}", endings.join(", ")));
        if let (Some(median), Some(slow)) = (seat.plan_ms_p50, seat.plan_ms_p99) {
            widgets::hint(
                ui,
                format!(
                    "{name} planning: median {}, slowest 1 % {}, {} overruns",
                    milliseconds(median),
                    milliseconds(slow),
                    seat.overruns
                ),
            );
        }
    }
}
