//! Many runs of a planner on the level, in the background.

use super::skills::percent;
use crate::app::match_screen::Shown;
use crate::app::shell::theme::{palette, space};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Ui, vec2};
use egui_plot::{Bar, BarChart};
use outwit_core::levels::capitalised;
use outwit_core::platform::task::Task;
use outwit_stealth::Stealth;
use outwit_stealth::exact::best_complete;
use outwit_stealth::planners::ALL;
use outwit_stealth::statistics::{Distribution, RunSummary, Runs};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Runs that can be asked for.
const RUNS: RangeInclusive<u64> = 10..=5_000;

/// What was asked for, and what came of it.
pub struct StatisticsView {
    planner: &'static str,
    runs: u64,
    /// The planner and its runs, as far as they were not cancelled.
    task: Option<(&'static str, Task<RunSummary>)>,
}

impl Default for StatisticsView {
    fn default() -> Self {
        Self { planner: "genetic", runs: 200, task: None }
    }
}

impl StatisticsView {
    fn begin(&mut self, game: &Arc<Stealth>) {
        let game = Arc::clone(game);
        let planner = self.planner;
        let runs = self.runs;
        let task = Task::begin(move |task| {
            let mut made = Vec::new();
            let stop = task.stop().clone();
            for run in Runs::new(&game, planner, 1..runs + 1, stop).into_iter().flatten() {
                made.push(run);
                task.progress(made.len() as f32 / runs as f32);
            }
            let best = best_complete(game.ground()).map(|best| best.fitness);
            RunSummary::of(game.ground(), &made, best)
        });
        self.task = Some((planner, task));
    }
}

/// Shows the section of the panel.
pub fn show(panel: &mut Ui, shown: &Shown<Stealth>, view: &mut StatisticsView) {
    widgets::section(panel, "Many runs").on_hover_text(
        "How often a planner finds the best path depends on luck; many runs with other seeds show \
         how much.",
    );
    let running = view.task.as_ref().is_some_and(|(_, task)| !task.is_done());
    panel.horizontal_wrapped(|panel| {
        panel.add_enabled_ui(!running, |panel| {
            egui::ComboBox::from_id_salt("runs of")
                .width(110.0)
                .selected_text(capitalised(view.planner))
                .show_ui(panel, |list| {
                    for spec in ALL {
                        list.selectable_value(&mut view.planner, spec.name, capitalised(spec.name))
                            .on_hover_text(spec.about);
                    }
                });
            let runs = egui::DragValue::new(&mut view.runs).range(RUNS).suffix(" runs");
            panel.add(runs);
        });
        match running {
            true => {
                if panel.button("Cancel").clicked()
                    && let Some((_, task)) = &view.task
                {
                    task.cancel();
                }
            }
            false => {
                if panel.button("Run").clicked() {
                    view.begin(shown.game());
                }
            }
        }
    });
    let Some((planner, task)) = &view.task else { return };
    match task.get() {
        Some(summary) => results(panel, planner, summary),
        None => match task.failure() {
            Some(why) => {
                widgets::fault(panel, format!("The runs failed: {why}"));
            }
            None => {
                panel.add(egui::ProgressBar::new(task.progress()));
                panel.ctx().request_repaint();
            }
        },
    }
}

fn results(panel: &mut Ui, planner: &str, summary: &RunSummary) {
    let share = |share: Option<f64>| share.map_or_else(|| "-".into(), percent);
    let range = |values: &Option<Distribution>, digits: usize| match values {
        None => "-".into(),
        Some(values) => format!(
            "{:.digits$} ({:.digits$} to {:.digits$})",
            values.median, values.lower_quartile, values.upper_quartile
        ),
    };
    let mean = summary.fitness.map_or_else(|| "-".into(), |values| format!("{:.2}", values.mean));
    let rows = [
        ("Planner", "Who ran.", capitalised(planner)),
        ("Runs", "One for each seed from 1 on.", summary.runs.to_string()),
        ("Reach the goal", "The share of paths that end at the goal.", share(summary.complete)),
        ("Best path", "The share that is as good as the best path.", share(summary.optimum)),
        ("Mean fitness", "Of all paths; lower is better.", mean),
        ("Median fitness", "With the quartiles.", range(&summary.fitness, 2)),
        (
            "Generations to best",
            "Until a run first found its best path: the median, with the quartiles.",
            range(&summary.generations_to_best, 0),
        ),
        (
            "Evaluations to best",
            "Until a run first found its best path: the median, with the quartiles.",
            range(&summary.evaluations_to_best, 0),
        ),
    ];
    egui::Grid::new("statistics").num_columns(2).spacing(vec2(16.0, 4.0)).show(panel, |grid| {
        for (name, help, value) in rows {
            widgets::hint(grid, name).on_hover_text(help);
            grid.label(value);
            grid.end_row();
        }
    });
    if summary.histogram.is_empty() {
        return;
    }
    panel.add_space(space::SMALL);
    let own = palette(panel);
    let bars = |count: &dyn Fn(&outwit_stealth::statistics::Bin) -> usize| -> Vec<Bar> {
        summary
            .histogram
            .iter()
            .map(|bin| {
                let width = (bin.to - bin.from).max(0.5);
                Bar::new((bin.from + bin.to) / 2.0, count(bin) as f64).width(width)
            })
            .collect()
    };
    let complete = BarChart::new("reach the goal", bars(&|bin| bin.complete))
        .color(own.good.egui())
        .allow_hover(false);
    let others = BarChart::new("stop short of it", bars(&|bin| bin.incomplete))
        .color(own.bad.egui())
        .allow_hover(false)
        .stack_on(&[&complete]);
    widgets::still_plot("histogram", 110.0).include_y(0.0).show(panel, |plot| {
        plot.bar_chart(complete);
        plot.bar_chart(others);
    });
    panel.horizontal_wrapped(|panel| {
        for (name, colour) in [("reach the goal", own.good), ("stop short of it", own.bad)] {
            let (rect, _) = panel.allocate_exact_size(vec2(12.0, 12.0), egui::Sense::hover());
            panel.painter().rect_filled(rect, 2.0, colour.egui());
            let name = egui::RichText::new(name).color(own.faint.egui());
            panel.add(egui::Label::new(name).extend());
        }
    });
    widgets::hint(panel, "Runs by fitness");
}
