//! Ratings and their intervals on one scale.

use super::results_view::ResultsState;
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Align2, Rect, Sense, Stroke, TextStyle, Ui, pos2, vec2};
use outwit_core::levels::capitalised;
use outwit_core::tournament::{Rating, WHAT_WINS};

/// Height of a row, in points.
const ROW: f32 = 28.0;
/// Width of the names, in points.
const NAMES: f32 = 96.0;
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
                row(ui, rating, at, (low, high));
            }
        });
        ui.add_space(space::MEDIUM);
    }
    widgets::hint(
        ui,
        format!(
            "Bradley-Terry on the scale of Elo with 95 % intervals, one scale for all seats; 1500 is \
             the mean. {}.",
            capitalised(WHAT_WINS)
        ),
    );
}

fn row(ui: &mut Ui, rating: &Rating, seat: usize, (low, high): (f64, f64)) {
    let palette = palette(ui);
    let size = vec2(ui.available_width().min(720.0), ROW);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let body = TextStyle::Body.resolve(ui.style());
    let strong = text::strong().resolve(ui.style());
    let middle = rect.center().y;
    let name = seat_title(&rating.planner);
    let painter = ui.painter();
    painter.text(
        pos2(rect.left(), middle),
        Align2::LEFT_CENTER,
        name,
        body.clone(),
        palette.text.egui(),
    );
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
