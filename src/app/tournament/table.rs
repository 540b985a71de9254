//! The results as a matrix: a row per planner of one seat, a column per opponents on the others.

use super::chart;
use super::commands::{COMMANDS, TournamentCommand};
use super::results_view::{ResultsState, ResultsTab};
use super::scale::{Scale, text_colour_on};
use super::screen::TournamentScreen;
use crate::app::shell::controls::control_words;
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Align2, Color32, Rect, Sense, Stroke, StrokeKind, TextStyle, Ui, pos2, vec2};
use outwit_core::tournament::{Entrant, Estimate, MatrixCell};
use std::cmp::Ordering;

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
    let Some(shown) = &mut screen.shown else { return };
    let score = seat_title(kind.score().name);
    let clicked = egui::ScrollArea::both()
        .auto_shrink(false)
        .show(ui, |ui| {
            head(ui, shown);
            ui.add_space(space::SMALL);
            views(ui, shown, &score);
            options(ui, shown, &score, &|seat| kind.endings(seat));
            ui.add_space(space::MEDIUM);
            if shown.options.view == ResultsTab::Ratings {
                chart::show(ui, shown);
                return None;
            }
            let matrix = Matrix::new(shown, &score);
            let clicked = matrix.show(ui, shown);
            ui.add_space(space::MEDIUM);
            matrix.legend(ui);
            clicked
        })
        .inner;
    if let Some(cell) = clicked {
        shown.cell = if shown.cell == Some(cell) { None } else { Some(cell) };
    }
}

fn head(ui: &mut Ui, shown: &ResultsState) {
    let contest = shown.board.contest();
    let all = contest.games();
    ui.horizontal_wrapped(|ui| {
        ui.label(egui::RichText::new(&contest.level.id).text_style(text::section()));
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
    let choice = &mut shown.options;
    let titles: Vec<String> = contest.seats.iter().map(|seat| seat_title(&seat.seat)).collect();
    let seats: Vec<(usize, &str)> = titles.iter().map(String::as_str).enumerate().collect();
    choice.seat = choice.seat.min(seats.len().saturating_sub(1));
    ui.horizontal_wrapped(|ui| {
        if seats.len() > 1 && choice.view != ResultsTab::Ratings {
            let about = match choice.view {
                ResultsTab::Payoff => format!("{score} of"),
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
                    .selected_text(seat_title(planners[choice.baseline].name()))
                    .show_ui(ui, |ui| {
                        for (at, planner) in planners.iter().enumerate() {
                            let words = seat_title(planner.name());
                            ui.selectable_value(&mut choice.baseline, at, words);
                        }
                    });
            }
            _ => {}
        }
    });
}

/// A field of the matrix.
struct Figure {
    /// Its pairing; `None` where it sums up several.
    cell: Option<usize>,
    /// The text in large type.
    words: String,
    /// The text in small type below.
    below: String,
    /// Its value on the colour scale, if any.
    value: Option<f64>,
}

struct Matrix {
    corner: String,
    rows: Vec<String>,
    columns: Vec<String>,
    figures: Vec<Vec<Figure>>,
    scale: Scale,
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn tenths(value: f64) -> String {
    format!("{value:.1}")
}

/// A mean, and how far it may be off.
fn plus_minus(estimate: &Estimate) -> (String, String) {
    let below = match estimate.ci95 {
        Some(ci95) => format!("± {ci95:.1}"),
        None if estimate.all_equal => "all equal".into(),
        None => String::new(),
    };
    (estimate.mean.map_or_else(|| "–".into(), tenths), below)
}

impl Matrix {
    fn new(shown: &ResultsState, score: &str) -> Self {
        match shown.options.view {
            ResultsTab::Differences => Self::of_differences(shown, score),
            _ => Self::of_cells(shown, score),
        }
    }

    fn of_cells(shown: &ResultsState, score: &str) -> Self {
        let contest = shown.board.contest();
        let figures: Vec<Figure> = shown
            .figures
            .cells
            .iter()
            .enumerate()
            .map(|(at, cell)| figure(shown, at, cell))
            .collect();
        let values = figures.iter().filter_map(|figure| figure.value);
        let scale = match shown.options.view {
            ResultsTab::Outcomes => Scale::share(percent),
            ResultsTab::Overruns => {
                Scale::over(values.chain([0.0, 1.0]), |count| format!("{count:.0}"))
            }
            ResultsTab::Time => Scale::over(values.chain([0.0]), milliseconds),
            _ => Scale::over(values, tenths),
        };
        let columns = columns(&shown.board.opponents(0), score);
        let mut figures = figures.into_iter();
        let row = |_: &Entrant| figures.by_ref().take(columns.len()).collect();
        Self {
            corner: seat_title(&contest.seats[0].seat),
            rows: contest.seats[0]
                .planners
                .iter()
                .map(|entrant| seat_title(entrant.name()))
                .collect(),
            figures: contest.seats[0].planners.iter().map(row).collect(),
            columns,
            scale,
        }
    }

    fn of_differences(shown: &ResultsState, score: &str) -> Self {
        let (contest, choice) = (shown.board.contest(), shown.options);
        let seat = &contest.seats[choice.seat];
        let opponents = shown.board.opponents(choice.seat);
        let mut columns = columns(&opponents, score);
        if opponents.len() > 1 {
            columns.push("All".into());
        }
        let mut rows = Vec::new();
        let mut figures: Vec<Vec<Figure>> = Vec::new();
        for (at, (planner, row)) in seat.planners.iter().zip(&shown.figures.differences).enumerate()
        {
            if at == choice.baseline {
                continue;
            }
            rows.push(seat_title(planner.name()));
            let figure = |(column, estimate): (usize, &Estimate)| {
                let (mut words, below) = plus_minus(estimate);
                if estimate.mean.is_some_and(|mean| mean > 0.0) {
                    words.insert(0, '+');
                }
                let cell = opponents.get(column).and_then(|players| {
                    let mut players = players.clone();
                    players.insert(choice.seat, planner.name());
                    contest.cell_of(players)
                });
                Figure {
                    cell,
                    words,
                    below,
                    // No colour where the difference is not significant.
                    value: estimate
                        .sign()
                        .filter(|sign| *sign != Ordering::Equal)
                        .and(estimate.mean),
                }
            };
            figures.push(row.iter().take(columns.len()).enumerate().map(figure).collect());
        }
        let most = figures
            .iter()
            .flatten()
            .filter_map(|figure| figure.value)
            .fold(0.0, |most: f64, value| most.max(value.abs()));
        Self {
            corner: format!("minus {}", seat_title(seat.planners[choice.baseline].name())),
            rows,
            columns,
            figures,
            scale: Scale {
                low: -most,
                high: most,
                both_sides: true,
                write: |value| format!("{value:+.1}"),
            },
        }
    }

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

    fn legend(&self, ui: &mut Ui) {
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
            let words = if self.scale.both_sides {
                "On the same seeds. Uncoloured: not statistically significant."
            } else {
                "Click a cell to see its games."
            };
            widgets::hint(ui, words);
        });
    }
}

/// The names of the columns: the players of the other seats, or the score where there are none.
fn columns(opponents: &[Vec<&str>], score: &str) -> Vec<String> {
    let title = |players: &Vec<&str>| {
        if players.is_empty() {
            return score.to_owned();
        }
        players.iter().map(|name| seat_title(name)).collect::<Vec<_>>().join(" + ")
    };
    opponents.iter().map(title).collect()
}

fn milliseconds(ms: f64) -> String {
    match ms {
        ms if ms < 0.01 => "< 0.01 ms".into(),
        ms if ms < 10.0 => format!("{ms:.2} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}

/// The field of a pairing.
fn figure(shown: &ResultsState, at: usize, cell: &MatrixCell) -> Figure {
    let choice = shown.options;
    let seat = &cell.seats[choice.seat.min(cell.seats.len() - 1)];
    let (words, below, value) = match choice.view {
        ResultsTab::Outcomes => {
            let count = seat.endings.get(choice.ending).map_or(0, |(_, count)| *count);
            let share = (cell.games > 0).then(|| count as f64 / cell.games as f64);
            let words = share.map_or_else(|| "–".into(), percent);
            (words, format!("{count} of {}", cell.games), share)
        }
        ResultsTab::Overruns => {
            let mut faults = Vec::new();
            let counts = [
                (seat.starved, "processor busy"),
                (seat.illegal, "illegal"),
                (seat.panics, "panics"),
            ];
            for (count, word) in counts {
                if count > 0 {
                    faults.push(format!("{count} {word}"));
                }
            }
            (seat.overruns.to_string(), faults.join(", "), Some(seat.overruns as f64))
        }
        ResultsTab::Time => {
            let time = if choice.slowest { seat.plan_ms_p99 } else { seat.plan_ms_p50 };
            (time.map_or_else(|| "–".into(), milliseconds), String::new(), time)
        }
        _ => {
            let (words, below) = plus_minus(&seat.payoff);
            (words, below, seat.payoff.mean)
        }
    };
    Figure { cell: Some(at), words, below, value }
}

/// Shows all statistics of a pairing.
fn about(ui: &mut Ui, shown: &ResultsState, at: usize) {
    let Some(cell) = shown.figures.cells.get(at) else { return };
    let contest = shown.board.contest();
    let players: Vec<String> = cell.players.iter().map(|name| seat_title(name)).collect();
    ui.label(egui::RichText::new(players.join(" vs ")).text_style(text::strong()));
    let turns =
        cell.mean_turns.map_or_else(String::new, |turns| format!(", {turns:.1} turns on average"));
    ui.label(format!("{} games{turns}", cell.games));
    if cell.seats.iter().any(|seat| seat.payoff.all_equal) {
        widgets::hint(ui, "All games were equal, so they say no more than one of them.");
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
