//! Ratings and mean scores with their intervals, on one scale each.

use super::matrix::plus_minus;
use super::results_view::ResultsState;
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Align2, Color32, Painter, Pos2, Rect, Sense, Stroke, TextStyle, Ui, pos2, vec2};
use outwit_core::levels::capitalised;
use outwit_core::play::Better;
use outwit_core::tournament::{Estimate, Rating, WHAT_WINS};
use outwit_headless::report::ticks;

/// Height of a row, in points.
const ROW: f32 = 28.0;
/// Width of the names, in points.
const NAMES: f32 = 140.0;
/// Width of the figures, in points.
const FIGURES: f32 = 104.0;

/// Shows the ratings, best first on each seat.
pub fn show(ui: &mut Ui, shown: &ResultsState) {
    let ratings = &shown.figures.ratings;
    if ratings.iter().all(|rating| rating.games == 0) {
        let words = if ratings.is_empty() {
            "No ratings for single-player games."
        } else {
            "No games yet."
        };
        widgets::hint(ui, words);
        return;
    }
    let (low, high) = ratings.iter().fold((1500.0, 1500.0), |(low, high): (f64, f64), rating| {
        (low.min(rating.rating - rating.ci95), high.max(rating.rating + rating.ci95))
    });
    for (at, entrants) in shown.board.contest().seats.iter().enumerate() {
        widgets::section(ui, &seat_title(&entrants.seat));
        let mut rated: Vec<&Rating> =
            ratings.iter().filter(|rating| rating.seat == entrants.seat).collect();
        rated.sort_by(|a, b| b.rating.total_cmp(&a.rating));
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for rating in rated {
                let title = shown.title(&rating.planner);
                row(ui, title, rating, at, (low, high));
            }
        });
        ui.add_space(space::MEDIUM);
    }
    widgets::hint(
        ui,
        format!(
            "Bradley-Terry on the Elo scale with 95 % intervals, one scale for all seats; 1500 is \
             the mean. {}.",
            capitalised(WHAT_WINS)
        ),
    );
}

/// Width of the names of opponents, in points, and height of the scale.
const OPPONENTS: f32 = 190.0;
const SCALE: f32 = 22.0;

/// A mean score: of which pairing, who plays, and the figures.
struct PayoffRow<'a> {
    cell: usize,
    name: String,
    payoff: &'a Estimate,
    mean: f64,
}

impl PayoffRow<'_> {
    fn ends(&self) -> [f64; 2] {
        let half = self.payoff.ci95.unwrap_or_default();
        [self.mean - half, self.mean + half]
    }
}

/// Shows the mean scores of a seat, a row for each line-up, by planner. Returns a pairing that was clicked.
pub fn payoffs(ui: &mut Ui, shown: &ResultsState, score: &str, better: Better) -> Option<usize> {
    let contest = shown.board.contest();
    let seat = shown.options.seat;
    let row = |cell: usize| {
        let payoff = &shown.figures.cells.get(cell)?.seats.get(seat)?.payoff;
        let players = contest.players(cell);
        let others = players.iter().enumerate().filter(|(other, _)| *other != seat);
        let names: Vec<_> = others.map(|(_, name)| shown.title(name)).collect();
        let name =
            if names.is_empty() { shown.title(players.get(seat)?) } else { names.join(" – ") };
        Some((*players.get(seat)?, PayoffRow { cell, name, payoff, mean: payoff.mean? }))
    };
    let rows: Vec<_> = (0..contest.cells()).filter_map(row).collect();
    let ends = || rows.iter().flat_map(|(_, row)| row.ends()).filter(|end| end.is_finite());
    let low = ends().fold(f64::INFINITY, f64::min);
    let high = ends().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        widgets::hint(ui, "No games yet.");
        return None;
    }
    let room = if high > low { (high - low) * 0.06 } else { high.abs().max(1.0) * 0.5 };
    let range = (low - room, high + room);
    let mut clicked = None;
    let mut last = "";
    let has_opponents = contest.seats.len() > 1;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        scale(ui, range);
        for (planner, row) in &rows {
            if has_opponents && last != *planner {
                last = planner;
                ui.add_space(space::SMALL);
                widgets::section(ui, &shown.title(planner));
            }
            if payoff_row(ui, row, seat, range).clicked() {
                clicked = Some(row.cell);
            }
        }
        scale(ui, range);
    });
    ui.add_space(space::SMALL);
    let which = if better == Better::Lower { "less" } else { "more" };
    let against = if has_opponents { ", against each of the others" } else { "" };
    let words =
        format!("Mean {} with 95 % intervals{against}; {which} is better.", score.to_lowercase());
    widgets::hint(ui, words);
    clicked
}

/// Where the plot of a row is.
fn plot_of(rect: Rect) -> Rect {
    Rect::from_min_max(pos2(rect.left() + OPPONENTS + FIGURES, rect.top()), rect.max)
}

fn along(plot: Rect, (low, high): (f64, f64), value: f64) -> f32 {
    plot.left() + ((value - low) / (high - low)) as f32 * plot.width()
}

fn payoff_row(ui: &mut Ui, row: &PayoffRow, seat: usize, range: (f64, f64)) -> egui::Response {
    let palette = palette(ui);
    let size = vec2(ui.available_width().min(860.0), ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let (mean, off) = plus_minus(row.payoff);
    let said = format!("{}: {mean} {off}", row.name);
    let kind = egui::WidgetType::Button;
    response.widget_info(|| egui::WidgetInfo::labeled(kind, true, &said));
    if response.hovered() {
        ui.painter().rect_filled(rect, 4, palette.raised.egui());
    }
    let middle = rect.center().y;
    let body = TextStyle::Body.resolve(ui.style());
    let painter = ui.painter();
    let ink = palette.text.egui();
    let name = row.name.clone();
    player_name(painter, pos2(rect.left(), middle), name, OPPONENTS - 8.0, &body, ink);
    let strong = text::strong().resolve(ui.style());
    let at = rect.left() + OPPONENTS + 44.0;
    painter.text(pos2(at, middle), Align2::RIGHT_CENTER, mean, strong, ink);
    let faint = palette.faint.egui();
    painter.text(pos2(at + 6.0, middle), Align2::LEFT_CENTER, off, body, faint);
    let plot = plot_of(rect);
    for tick in ticks(range.0, range.1) {
        let x = along(plot, range, tick);
        painter.vline(x, plot.y_range(), Stroke::new(1.0, palette.edge.egui()));
    }
    let side = palette.sides[seat % palette.sides.len()];
    let [from, to] = row.ends().map(|end| along(plot, range, end));
    painter.hline(from..=to, middle, Stroke::new(3.0, palette.panel.mixed(side, 0.6)));
    painter.circle_filled(pos2(along(plot, range, row.mean), middle), 6.0, side.egui());
    response.on_hover_text("List the games of this line-up")
}

/// The scale below the rows.
fn scale(ui: &mut Ui, range: (f64, f64)) {
    let palette = palette(ui);
    let size = vec2(ui.available_width().min(860.0), SCALE);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let plot = plot_of(rect);
    let small = TextStyle::Small.resolve(ui.style());
    for tick in ticks(range.0, range.1) {
        let at = pos2(along(plot, range, tick), rect.center().y);
        let words = if tick.fract() == 0.0 { format!("{tick:.0}") } else { format!("{tick}") };
        ui.painter().text(at, Align2::CENTER_CENTER, words, small.clone(), palette.faint.egui());
    }
}

/// Draws a name right of a point, cut where it is wider than `width` points.
fn player_name(
    painter: &Painter,
    at: Pos2,
    name: String,
    width: f32,
    font: &egui::FontId,
    ink: Color32,
) {
    let mut name = egui::text::LayoutJob::simple_singleline(name, font.clone(), ink);
    name.wrap = egui::text::TextWrapping::truncate_at_width(width);
    let name = painter.layout_job(name);
    painter.galley(pos2(at.x, at.y - name.size().y / 2.0), name, ink);
}

fn row(ui: &mut Ui, name: String, rating: &Rating, seat: usize, (low, high): (f64, f64)) {
    let palette = palette(ui);
    let size = vec2(ui.available_width().min(720.0), ROW);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let body = TextStyle::Body.resolve(ui.style());
    let strong = text::strong().resolve(ui.style());
    let middle = rect.center().y;
    let painter = ui.painter();
    player_name(painter, pos2(rect.left(), middle), name, NAMES - 8.0, &body, palette.text.egui());
    let figure = pos2(rect.left() + NAMES + 44.0, middle);
    painter.text(
        figure,
        Align2::RIGHT_CENTER,
        format!("{:.0}", rating.rating),
        strong,
        palette.text.egui(),
    );
    let off = pos2(rect.left() + NAMES + 50.0, middle);
    painter.text(
        off,
        Align2::LEFT_CENTER,
        format!("± {:.0}", rating.ci95),
        body,
        palette.faint.egui(),
    );
    let plot = Rect::from_min_max(pos2(rect.left() + NAMES + FIGURES, rect.top()), rect.max);
    let x = |value: f64| {
        plot.left() + 8.0 + ((value - low) / (high - low).max(1.0)) as f32 * (plot.width() - 16.0)
    };
    let colour = palette.sides[seat % palette.sides.len()].egui();
    painter.vline(x(1500.0), plot.y_range(), Stroke::new(1.0, palette.edge.egui()));
    let span = x(rating.rating - rating.ci95)..=x(rating.rating + rating.ci95);
    painter.hline(
        span,
        middle,
        Stroke::new(3.0, palette.panel.mixed(palette.sides[seat % palette.sides.len()], 0.6)),
    );
    painter.circle_filled(pos2(x(rating.rating), middle), 6.0, colour);
}
