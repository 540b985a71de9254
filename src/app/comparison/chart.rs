//! The rows of a comparison as bars on a logarithmic scale, level by level.

use super::units::{memory, seconds};
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::{palette, space};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Align2, Rect, Sense, Stroke, TextStyle, Ui, pos2, vec2};
use outwit_kit::ComparisonRow;

/// Width of the names and of the figures, and height of a bar, in points.
const NAMES: f32 = 150.0;
const FIGURES: f32 = 90.0;
const ROW: f32 = 22.0;

/// What the bars measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    Expanded,
    Time,
    Memory,
}

impl Quantity {
    fn of(self, row: &ComparisonRow) -> f64 {
        match self {
            Self::Expanded => row.expanded as f64,
            Self::Time => row.seconds,
            Self::Memory => row.bytes as f64,
        }
    }

    fn words(self, value: f64) -> String {
        match self {
            Self::Expanded => format!("{value:.0}"),
            Self::Time => seconds(value),
            Self::Memory => memory(value as usize),
        }
    }
}

/// The powers of ten between which all positive values lie, at least one apart.
fn powers(values: impl Iterator<Item = f64>) -> Option<(i32, i32)> {
    let logs = values.filter(|value| *value > 0.0 && value.is_finite()).map(f64::log10);
    let (low, high) = logs
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), log| (low.min(log), high.max(log)));
    let from = low.floor() as i32;
    (low <= high).then(|| (from, (high.ceil() as i32).max(from + 1)))
}

/// Shows the bars and the choice of what they measure.
pub fn show(ui: &mut Ui, rows: &[ComparisonRow], measure: &mut Quantity) {
    let Some((from, to)) = powers(rows.iter().map(|row| measure.of(row))) else {
        widgets::hint(ui, "Choose solvers and levels, then press Compare.");
        return;
    };
    let measures = [
        (Quantity::Expanded, "States expanded"),
        (Quantity::Time, "Processor time"),
        (Quantity::Memory, "Memory"),
    ];
    widgets::choice(ui, measure, &measures);
    widgets::hint(
        ui,
        "The scale is logarithmic. Hollow bars: no solution found within the limits.",
    );
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut last = "";
        for row in rows {
            if last != row.level {
                last = &row.level;
                ui.add_space(space::MEDIUM);
                widgets::section(ui, last);
            }
            bar(ui, row, *measure, (from, to));
        }
    });
}

fn bar(ui: &mut Ui, row: &ComparisonRow, measure: Quantity, (from, to): (i32, i32)) {
    let own = palette(ui);
    let size = vec2(ui.available_width().min(860.0), ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let value = measure.of(row);
    let name = seat_title(&row.planner);
    let figure = measure.words(value);
    let said = format!("{name}: {figure}");
    let kind = egui::WidgetType::Label;
    response.widget_info(|| egui::WidgetInfo::labeled(kind, true, &said));
    let painter = ui.painter();
    let middle = rect.center().y;
    let body = TextStyle::Body.resolve(ui.style());
    let ink = own.text.egui();
    painter.text(pos2(rect.left(), middle), Align2::LEFT_CENTER, name, body.clone(), ink);
    let plot = Rect::from_min_max(
        pos2(rect.left() + NAMES, rect.top() + 4.0),
        pos2(rect.right() - FIGURES, rect.bottom() - 4.0),
    );
    for power in from..=to {
        let x = plot.left() + plot.width() * (power - from) as f32 / (to - from) as f32;
        painter.vline(x, rect.y_range(), Stroke::new(1.0, own.edge.egui()));
    }
    let share = ((value.log10() - f64::from(from)) / f64::from(to - from)).clamp(0.0, 1.0) as f32;
    if value > 0.0 {
        let mut filled = plot;
        filled.set_width((plot.width() * share).max(2.0));
        let colour = own.accent.egui();
        match row.length {
            Some(_) => painter.rect_filled(filled, 2.0, colour),
            None => {
                painter.rect_stroke(filled, 2.0, Stroke::new(1.5, colour), egui::StrokeKind::Inside)
            }
        };
    }
    let at = pos2(rect.right(), middle);
    painter.text(at, Align2::RIGHT_CENTER, figure, body, own.faint.egui());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_holds_all_positive_values() {
        let of = |values: &[f64]| powers(values.iter().copied());
        assert_eq!(of(&[5.0, 2000.0, 0.0]), Some((0, 4)));
        assert_eq!(of(&[100.0]), Some((2, 3)), "a bar of no width would say nothing");
        assert_eq!(of(&[0.002, 0.03]), Some((-3, -1)));
        assert_eq!(of(&[0.0, f64::NAN]), None);
        assert_eq!(of(&[]), None);
    }
}
