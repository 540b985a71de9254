//! The table of a comparison, in any order.

use super::Comparison;
use super::export::ComparisonFile;
use super::units::{memory, seconds};
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::palette;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy_egui::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;
use outwit_kit::{ComparisonRow, SearchEnd, comparison_csv};
use std::cmp::Ordering;

/// A column of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Level,
    Solver,
    Length,
    Time,
    Expanded,
    ExpandedAgain,
    Generated,
    Memory,
    Ratio,
}

/// By which column the rows are sorted, and whether the greatest come first; as they came in without one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Order {
    column: Option<Column>,
    reversed: bool,
}

impl Order {
    /// The order after a click on the head of a column: by it, then reversed, then as the rows came in.
    fn clicked(self, column: Column) -> Self {
        match (self.column == Some(column), self.reversed) {
            (false, _) => Self { column: Some(column), reversed: false },
            (true, false) => Self { column: Some(column), reversed: true },
            (true, true) => Self::default(),
        }
    }

    /// The rows in this order. What is not known comes last.
    fn of(self, rows: &[ComparisonRow]) -> Vec<&ComparisonRow> {
        let mut sorted: Vec<&ComparisonRow> = rows.iter().collect();
        let Some(column) = self.column else { return sorted };
        let turned = |order: Ordering| if self.reversed { order.reverse() } else { order };
        sorted.sort_by(|a, b| match column {
            Column::Level => turned(natord::compare_ignore_case(&a.level, &b.level)),
            Column::Solver => turned(a.planner.cmp(&b.planner)),
            _ => match (value(a, column), value(b, column)) {
                (Some(a), Some(b)) => turned(a.total_cmp(&b)),
                (a, b) => b.is_some().cmp(&a.is_some()),
            },
        });
        sorted
    }
}

/// The figure of a row in a column of figures, if there is one.
fn value(row: &ComparisonRow, column: Column) -> Option<f64> {
    match column {
        Column::Level | Column::Solver => None,
        Column::Length => row.length,
        Column::Time => Some(row.seconds),
        Column::Expanded => Some(row.expanded as f64),
        Column::ExpandedAgain => Some(row.expanded_again as f64),
        Column::Generated => Some(row.generated as f64),
        Column::Memory => Some(row.bytes as f64),
        Column::Ratio => row.ratio,
    }
}

/// Shows the table; returns as what it should be saved.
pub fn results(ui: &mut Ui, state: &mut Comparison) -> Option<ComparisonFile> {
    if state.rows.is_empty() {
        widgets::hint(
            ui,
            "Choose solvers and levels, then press Compare. Each solver runs alone on each level; \
             its processor time is also given relative to one of them.",
        );
        return None;
    }
    let mut exported = None;
    ui.horizontal(|ui| {
        if ui.button("Copy as CSV").clicked() {
            ui.ctx().copy_text(comparison_csv(&state.rows));
        }
        for (what, words, about) in [
            (ComparisonFile::Table, "Save as CSV…", "One row per level and solver"),
            (ComparisonFile::Page, "Save as HTML…", "A report on one page, with tables and plots"),
        ] {
            if ui.button(words).on_hover_text(about).clicked() {
                exported = Some(what);
            }
        }
    });
    ui.add_space(space::SMALL);
    let yardstick = state.rows.iter().find_map(|row| row.yardstick);
    let ratio =
        yardstick.map_or_else(|| "Ratio".into(), |name| format!("Time / {}", seat_title(name)));
    let mut order = state.order;
    egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        let grid = egui::Grid::new("comparison").num_columns(9).striped(true);
        grid.spacing([18.0, 5.0]).show(ui, |ui| {
            for (column, words) in [
                (Column::Level, "Level"),
                (Column::Solver, "Solver"),
                (Column::Length, "Length"),
                (Column::Time, "Time"),
                (Column::Expanded, "Expanded"),
                (Column::ExpandedAgain, "Again"),
                (Column::Generated, "Generated"),
                (Column::Memory, "Memory"),
                (Column::Ratio, ratio.as_str()),
            ] {
                if head(ui, words, state.order, column) {
                    order = state.order.clicked(column);
                }
            }
            ui.end_row();
            let mut last = "";
            for row in state.order.of(&state.rows) {
                // In the order of the levels, each is named once.
                let is_repeated =
                    row.level == last && matches!(state.order.column, None | Some(Column::Level));
                ui.label(if is_repeated { "" } else { &row.level });
                last = &row.level;
                table_row(ui, row);
                ui.end_row();
            }
        });
        if let Some(name) = yardstick {
            let words = format!(
                "Last column: processor time divided by that of {} on the same level.",
                seat_title(name)
            );
            widgets::hint(ui, words);
        }
    });
    state.order = order;
    exported
}

/// The head of a column, which sorts by it; returns whether it was clicked.
fn head(ui: &mut Ui, words: &str, order: Order, column: Column) -> bool {
    let sign = match (order.column == Some(column), order.reversed) {
        (false, _) => "",
        (true, false) => icon::CARET_UP,
        (true, true) => icon::CARET_DOWN,
    };
    let words = RichText::new(format!("{words} {sign}")).color(palette(ui).faint.egui());
    let button = egui::Button::new(words.text_style(egui::TextStyle::Small)).frame(false);
    let about = match column {
        Column::ExpandedAgain => "States expanded again, by a cheaper path. Click to sort",
        _ => "Sort by this column",
    };
    ui.add(button).on_hover_text(about).clicked()
}

fn table_row(ui: &mut Ui, row: &ComparisonRow) {
    let own = palette(ui);
    ui.label(seat_title(&row.planner));
    let length = match (row.end, row.length) {
        (_, Some(length)) if row.proved => RichText::new(format!("{length} (proved)")),
        (_, Some(length)) => RichText::new(format!("{length}")),
        (SearchEnd::Unsolvable, _) => RichText::new("no solution (proved)"),
        (SearchEnd::TimedOut, _) => RichText::new("out of time").color(own.warn.egui()),
        _ => RichText::new("out of memory").color(own.warn.egui()),
    };
    ui.label(length);
    let right = |ui: &mut Ui, words: String| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| ui.label(words));
    };
    right(ui, seconds(row.seconds));
    right(ui, row.expanded.to_string());
    right(ui, row.expanded_again.to_string());
    right(ui, row.generated.to_string());
    right(ui, memory(row.bytes));
    // The last column would take all the width that is left.
    ui.label(row.ratio.map_or_else(|| "-".into(), |ratio| format!("{ratio:.2}")));
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn row(
        level: &str,
        planner: &'static str,
        expanded: u64,
        length: Option<f64>,
    ) -> ComparisonRow {
        ComparisonRow {
            level: level.into(),
            planner: planner.to_owned(),
            end: if length.is_some() { SearchEnd::Solved } else { SearchEnd::TimedOut },
            length,
            proved: false,
            seconds: expanded as f64 / 1000.0,
            expanded,
            expanded_again: 0,
            generated: expanded * 2,
            bytes: 1 << 20,
            ratio: None,
            yardstick: Some("uniform-cost"),
            digest: String::new(),
            limit_seconds: 1.0,
            limit_bytes: 1 << 30,
        }
    }

    #[test]
    fn rows_are_sorted_by_the_column_that_was_clicked() {
        let rows = [
            row("B 10", "best", 30, Some(7.0)),
            row("B 2", "greedy", 10, None),
            row("A", "best", 20, Some(5.0)),
        ];
        let by = |order: Order| order.of(&rows).iter().map(|row| row.expanded).collect::<Vec<_>>();
        let none = Order::default();
        assert_eq!(by(none), [30, 10, 20]);
        let expanded = none.clicked(Column::Expanded);
        assert_eq!(by(expanded), [10, 20, 30]);
        assert_eq!(by(expanded.clicked(Column::Expanded)), [30, 20, 10]);
        assert_eq!(expanded.clicked(Column::Expanded).clicked(Column::Expanded), none);
        assert_eq!(by(expanded.clicked(Column::Level)), [20, 10, 30], "2 comes before 10");
        let length = none.clicked(Column::Length);
        assert_eq!(
            (by(length), by(length.clicked(Column::Length))),
            (vec![20, 30, 10], vec![30, 20, 10])
        );
    }
}
