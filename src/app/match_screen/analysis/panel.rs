//! The panel of the analysis: what to analyse, what the planner had found, and what it all means.

use super::state::{Analysis, AnalysisSubject, BUDGETS, PlannerSummary, WalkthroughView};
use super::task::{AnalysisProgress, ShownStep};
use super::{events, tree};
use crate::app::match_screen::analysis::Analysed;
use crate::app::match_screen::command_table::{MatchCommand, labelled, symbol_of};
use crate::app::match_screen::figures::{grouped_figure, work_units};
use crate::app::match_screen::focus::Focused;
use crate::app::match_screen::layout::PanelContext;
use crate::app::match_screen::panel::{head, plot};
use crate::app::shell::seats::{seat_title, whose};
use crate::app::shell::theme::{heat_colour, palette, space, text};
use crate::app::shell::widgets;
use bevy::prelude::{InMut, Single, With};
use bevy_egui::egui::{self, Rect, RichText, Stroke, Ui, pos2, vec2};
use egui_phosphor::regular as icon;
use outwit_core::play::{Counter, Heat, ScoreSpec, Value};
use std::sync::Arc;

/// The whole side panel.
pub fn section(
    InMut(ui): InMut<Ui>,
    mut context: PanelContext,
    mut analysis: Single<&mut Analysis, With<Focused>>,
) {
    let PanelContext { session, given, .. } = &mut context;
    let mut session = Analysed { session, analysis: &mut analysis };
    show(ui, &mut session, &mut given.commands);
    session.tell_shown();
}

/// Draws the panel; what a click asks of the match goes to `commands`.
pub fn show(ui: &mut Ui, session: &mut Analysed, commands: &mut Vec<MatchCommand>) {
    head(ui, session, commands);
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        let subject = session.analysis_subject();
        if let Some(subject) = &subject {
            let turn = subject.turn;
            let seat = subject.seat;
            let planner = subject.planner.name;
            match choose_view(ui, session, planner, commands) {
                Shown::Snapshots => choose(ui, session, subject),
                Shown::Events => {
                    events::follow(session, turn, planner);
                    if !session.analysis.is_exercise() {
                        choose(ui, session, subject);
                    }
                    events::show(ui, session, (turn, seat), commands);
                    return;
                }
                Shown::Tree => {
                    tree::follow(session, turn);
                    tree::show(ui, session, turn, commands);
                    return;
                }
            }
        }
        if let Some(problem) = &session.analysis.problem {
            widgets::hint(ui, problem.as_str());
        }
        progress(ui, session);
        if let Some(step) = session.analysis.step() {
            ui.scope(|ui| answer(ui, session, &step, commands));
            heat(ui, session, &step);
            ui.scope(|ui| figures(ui, session, &step.step.insight.counters));
            walkthroughs(ui, session, &step);
            candidates(ui, session, &step, commands);
            plots(ui, session, &step);
        }
        if let Some(subject) = &subject {
            explain(ui, &subject.planner);
        }
    });
}

/// What of a search is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// What the planner had found after growing amounts of work.
    Snapshots,
    /// The events of its search.
    Events,
    /// The game tree, which belongs to no planner.
    Tree,
}

/// The choice of what is shown, where there is one.
fn choose_view(
    ui: &mut Ui,
    session: &mut Analysed,
    planner: &str,
    commands: &mut Vec<MatchCommand>,
) -> Shown {
    let is_exercise = session.analysis.is_exercise();
    let is_recorded = session.info.recorded.iter().any(|recorded| recorded.planner == planner);
    let mut views = vec![(Shown::Snapshots, "Snapshots")];
    views.extend(is_recorded.then_some((Shown::Events, "Event by event")));
    views.extend(session.info.game_tree.map(|_| (Shown::Tree, "Game tree")));
    if is_exercise {
        views.clear();
    }
    let mut shown = match &session.analysis {
        analysis if analysis.tree.is_some() => Shown::Tree,
        analysis if analysis.events.is_some() && (is_recorded || is_exercise) => Shown::Events,
        _ => Shown::Snapshots,
    };
    ui.horizontal(|ui| {
        if views.len() > 1 {
            widgets::choice(ui, &mut shown, &views);
        }
        let tip = "Show it large and without panels; arrow keys lead from step to step";
        MatchCommand::Lecture.button_saying(
            ui,
            session,
            |_: &_| symbol_of(icon::PROJECTOR_SCREEN),
            tip,
            commands,
        );
    });
    ui.add_space(space::SMALL);
    if shown != Shown::Events {
        session.analysis.events = None;
    }
    if shown != Shown::Tree {
        session.analysis.tree = None;
    }
    shown
}

/// What is analysed.
fn choose(ui: &mut Ui, session: &mut Analysed, subject: &AnalysisSubject) {
    if subject.turn != session.playback.view {
        let view = session.moment(session.playback.view);
        let moment = session.moment(subject.turn);
        let whose = whose(&session.name(subject.seat));
        ui.horizontal_wrapped(|ui| {
            widgets::hint(
                ui,
                format!(
                    "Nobody chooses at {view}, so nothing is drawn there. The figures are of {whose} \
                     choice at {moment}."
                ),
            );
            if ui.small_button(format!("Go to {moment}")).clicked() {
                session.jump(subject.turn);
            }
        });
    }
    let analysis = &*session.analysis;
    let mut seat = subject.seat;
    let mut planner = subject.planner.name;
    let mut budget = analysis.budget;
    egui::Grid::new("analyse").num_columns(2).spacing(vec2(12.0, 6.0)).show(ui, |ui| {
        widgets::hint(ui, "Seat");
        ui.horizontal_wrapped(|ui| {
            for &other in &subject.seats {
                ui.selectable_value(&mut seat, other, session.name(other));
            }
        });
        ui.end_row();
        widgets::hint(ui, "Planner");
        egui::ComboBox::from_id_salt("planner")
            .width(180.0)
            .height(440.0)
            .selected_text(seat_title(planner))
            .show_ui(ui, |ui| {
                for other in &subject.planners {
                    ui.selectable_value(&mut planner, other.name, seat_title(other.name))
                        .on_hover_text(other.about);
                }
            });
        ui.end_row();
        // The events of a search do not depend on it.
        if analysis.events.is_some() {
            return;
        }
        widgets::hint(ui, "Work").on_hover_text(
            "How many units it may spend. One unit is one state, rollout or evaluation.",
        );
        egui::ComboBox::from_id_salt("budget")
            .width(180.0)
            .selected_text(work_units(budget))
            .show_ui(ui, |ui| {
                for other in BUDGETS {
                    ui.selectable_value(&mut budget, other, work_units(other));
                }
            });
        ui.end_row();
    });
    let analysis = &mut session.analysis;
    analysis.budget = budget;
    if seat != subject.seat {
        analysis.seat = Some(seat);
    }
    if planner != subject.planner.name {
        analysis.planner = Some(planner);
    }
}

/// How far the planner is.
fn progress(ui: &mut Ui, session: &mut Analysed) {
    let Some(run) = session.analysis.run() else { return };
    let planner = run.request.planner;
    let progress = run.progress();
    let last = run.steps().last().cloned();
    let work = work_units(last.as_ref().map_or(0, |last| last.step.work));
    let mut cancel = false;
    let mut restart = false;
    ui.horizontal_wrapped(|ui| match &progress {
        AnalysisProgress::Running(done) => {
            let words = if last.is_none() { "preparing" } else { &work };
            let bar = egui::ProgressBar::new(*done).desired_width(ui.available_width() - 84.0);
            ui.add(bar.text(words));
            cancel = ui.button("Cancel").clicked();
        }
        AnalysisProgress::Done if last.is_some_and(|last| last.step.done) => {
            widgets::hint(ui, format!("Final answer after {work}."));
        }
        AnalysisProgress::Done => {
            widgets::hint(ui, format!("Budget spent: {work}. More could change the answer."));
        }
        AnalysisProgress::Cancelled => {
            widgets::hint(ui, format!("Cancelled after {work}."));
            restart = ui.button("Analyse again").clicked();
        }
        AnalysisProgress::Failed(why) => {
            ui.add(
                egui::Label::new(
                    RichText::new(format!("{} crashed: {why}", seat_title(planner)))
                        .color(palette(ui).bad.egui()),
                )
                .wrap(),
            );
        }
    });
    if cancel {
        session.analysis.cancel();
    }
    if restart {
        session.analysis.restart();
    }
}

/// The shown snapshot in a sentence.
pub fn sentence(session: &Analysed, step: &ShownStep) -> String {
    let value = step.step.value.map(|value| format!(": {}", value.text(session.info.score)));
    format!("After {}{}", work_units(step.step.work), value.unwrap_or_default())
}

/// Most actions of a line that are listed.
const MOST_LISTED: usize = 12;
/// Height of a row of a list, in points.
const ROW: f32 = 20.0;

/// What it would do.
fn answer(ui: &mut Ui, session: &Analysed, step: &ShownStep, commands: &mut Vec<MatchCommand>) {
    for note in &step.step.insight.notes {
        ui.add(egui::Label::new(format!("{}  {note}", icon::INFO)).wrap());
    }
    ui.add_space(space::SMALL);
    widgets::section(ui, &format!("Answer after {}", work_units(step.step.work)));
    let words = step.step.value.map_or_else(
        || if step.step.done { "This planner gives no value." } else { "No value yet." }.to_owned(),
        |value| format!("Value of the position: {}", value.text(session.info.score)),
    );
    widgets::hint(ui, words)
        .on_hover_text("What the position is worth to this seat, as far as the planner knows.");
    ui.spacing_mut().interact_size.y = ROW;
    egui::Grid::new("line").num_columns(2).spacing(vec2(12.0, 2.0)).show(ui, |ui| {
        for (number, words) in (1..).zip(&step.words).take(MOST_LISTED) {
            widgets::hint(ui, format!("{number}."));
            ui.add(egui::Label::new(words).wrap());
            ui.end_row();
        }
    });
    if step.words.len() > MOST_LISTED {
        widgets::hint(ui, format!("and {} more", step.words.len() - MOST_LISTED));
    }
    MatchCommand::PlayLine.button(ui, session, labelled, commands);
}

/// The scale of the heat, and which heat is drawn.
fn heat(ui: &mut Ui, session: &mut Analysed, step: &ShownStep) {
    let heats = &step.step.insight.heats;
    let analysis = &mut session.analysis;
    let chosen = if analysis.heat < heats.len() { analysis.heat } else { 0 };
    let Some(heat) = heats.get(chosen) else { return };
    ui.add_space(space::SMALL);
    ui.label(RichText::new(heat.label.as_ref()).text_style(text::section()))
        .on_hover_text(heat.about.as_ref());
    if heats.len() > 1 {
        ui.horizontal_wrapped(|ui| {
            for (index, heat) in heats.iter().enumerate() {
                let label = ui.selectable_label(index == chosen, heat.label.as_ref());
                if label.on_hover_text(heat.about.as_ref()).clicked() {
                    analysis.heat = index;
                }
            }
        });
    }
    let pointed = analysis.pointed.and_then(|cell| heat.at(cell));
    legend(ui, heat, pointed);
    if analysis.explained {
        ui.add(egui::Label::new(RichText::new(heat.about.as_ref()).small()).wrap());
    }
}

/// The colours from the least to the greatest value, with the one under the pointer.
fn legend(ui: &mut Ui, heat: &Heat, pointed: Option<f32>) {
    let Some((least, most)) = heat.range() else { return };
    let palette = palette(ui);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), 14.0), egui::Sense::hover());
    ui.painter().rect_filled(rect, 0.0, palette.ground.egui());
    let mut mesh = egui::Mesh::default();
    const PARTS: u32 = 32;
    for part in 0..=PARTS {
        let share = part as f32 / PARTS as f32;
        let x = egui::lerp(rect.x_range(), share);
        let colour = heat_colour((least, most), least + (most - least) * share).egui();
        mesh.colored_vertex(pos2(x, rect.top()), colour);
        mesh.colored_vertex(pos2(x, rect.bottom()), colour);
        if part > 0 {
            let index = 2 * part;
            mesh.add_triangle(index - 2, index - 1, index);
            mesh.add_triangle(index - 1, index, index + 1);
        }
    }
    ui.painter().add(mesh);
    if let Some(value) = pointed {
        let share = if most > least { (value - least) / (most - least) } else { 0.0 };
        let x = egui::lerp(rect.x_range(), share);
        let mark = Rect::from_center_size(pos2(x, rect.center().y), vec2(4.0, rect.height() + 4.0));
        let rim = Stroke::new(1.0, palette.board.egui());
        ui.painter().rect(mark, 1.0, palette.text.egui(), rim, egui::StrokeKind::Outside);
    }
    response.on_hover_text(heat.about.as_ref());
    ui.horizontal(|ui| {
        widgets::hint(ui, grouped_figure(least.into()));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            widgets::hint(ui, grouped_figure(most.into()));
            if let Some(value) = pointed {
                let words = format!("under the pointer {}", grouped_figure(value.into()));
                ui.centered_and_justified(|ui| ui.label(words));
            }
        });
    });
}

/// Every figure with its sentence.
fn figures(ui: &mut Ui, session: &mut Analysed, counters: &[Counter]) {
    let explained = &mut session.analysis.explained;
    ui.add_space(space::SMALL);
    ui.horizontal(|ui| {
        ui.label(RichText::new("Figures").text_style(text::section()));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.toggle_value(explained, icon::QUESTION)
                .on_hover_text("Explain heat and figures in full");
        });
    });
    if counters.is_empty() {
        widgets::hint(ui, "This planner gives none.");
    }
    ui.spacing_mut().interact_size.y = ROW;
    for counter in counters {
        ui.horizontal(|ui| {
            widgets::hint(ui, counter.name.as_ref()).on_hover_text(counter.about.as_ref());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(grouped_figure(counter.value)).on_hover_text(counter.about.as_ref());
            });
        });
        if *explained {
            ui.add(egui::Label::new(RichText::new(counter.about.as_ref()).small()).wrap());
        }
    }
}

/// The operations that can be followed step by step.
fn walkthroughs(ui: &mut Ui, session: &mut Analysed, step: &ShownStep) {
    let walkthroughs = &step.step.insight.walkthroughs;
    let view = &mut session.analysis.walkthrough;
    if walkthroughs.is_empty() {
        return;
    }
    ui.add_space(space::SMALL);
    widgets::section(ui, "Step by step")
        .on_hover_text("An operation of the planner at this moment, shown on the board.");
    ui.horizontal_wrapped(|ui| {
        for (index, walkthrough) in walkthroughs.iter().enumerate() {
            let is_shown = view.is_some_and(|view| view.index == index);
            if ui.selectable_label(is_shown, walkthrough.name).clicked() {
                *view = (!is_shown).then(|| WalkthroughView::begin(index));
            }
        }
        if let Some(view) = view {
            let (symbol, help) =
                if view.playing { (icon::PAUSE, "Stop") } else { (icon::PLAY, "Play") };
            if ui.button(symbol).on_hover_text(help).clicked() {
                view.playing = !view.playing;
            }
        }
    });
    let Some(view) = view else { return };
    let Some(walkthrough) = walkthroughs.get(view.index) else { return };
    for (number, step) in walkthrough.steps.iter().enumerate() {
        let words = format!("{}. {}", number + 1, step.words);
        let button = egui::Button::selectable(view.step == number, words).wrap();
        if ui.add(button).clicked() {
            view.step = number;
            view.playing = false;
        }
    }
}

/// What it weighs against each other.
fn candidates(
    ui: &mut Ui,
    session: &mut Analysed,
    step: &ShownStep,
    commands: &mut Vec<MatchCommand>,
) {
    let candidates = &step.step.insight.candidates;
    let mut picked = session.analysis.picked.filter(|&index| index < candidates.len());
    session.analysis.candidate = picked;
    if candidates.is_empty() {
        return;
    }
    ui.add_space(space::SMALL);
    widgets::section(ui, "Choices").on_hover_text(
        "What it weighs against each other, the best first. Click to keep one on the board.",
    );
    for (index, candidate) in candidates.iter().enumerate() {
        let value =
            candidate.value.map_or_else(|| "-".to_owned(), |value| value.text(session.info.score));
        let response = ui.horizontal(|ui| {
            if ui.selectable_label(picked == Some(index), &candidate.name).clicked() {
                picked = (picked != Some(index)).then_some(index);
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                widgets::hint(ui, value);
            });
        });
        if response.response.contains_pointer() {
            session.analysis.candidate = Some(index);
        }
    }
    session.analysis.picked = picked;
    let has_line = |&index: &usize| candidates.get(index).is_some_and(|it| !it.line.is_empty());
    if let Some(choice) = picked.filter(has_line) {
        let help =
            "Plays the chosen line on the board. What was played from here stays as a variation.";
        if ui.button("Play this choice").on_hover_text(help).clicked() {
            commands.push(MatchCommand::PlayChoice(choice));
        }
    }
}

/// The value over the work, and the planner's own series.
fn plots(ui: &mut Ui, session: &Analysed, step: &ShownStep) {
    let Some(run) = session.analysis.run() else { return };
    let steps = run.steps();
    if let Some(points) = values(&steps) {
        ui.add_space(space::SMALL);
        value_plot(ui, points, along(step.step.work), session.info.score);
    }
    let series = &step.step.insight.series;
    if !series.is_empty() {
        ui.add_space(space::SMALL);
        plot(ui, "series", series, 110.0, None);
    }
}

/// Where an amount of work stands on a logarithmic axis.
fn along(work: u64) -> f64 {
    (work as f64 + 1.0).log10()
}

/// The values that are scores, over the work; `None` if all belong to the same work.
fn values(steps: &[Arc<ShownStep>]) -> Option<Vec<[f64; 2]>> {
    let point = |step: &Arc<ShownStep>| match step.step.value {
        Some(Value::Score(value)) => Some([along(step.step.work), value]),
        _ => None,
    };
    let points: Vec<_> = steps.iter().filter_map(point).collect();
    let first = points.first()?;
    let last = points.last()?;
    (first[0] < last[0]).then_some(points)
}

fn value_plot(ui: &mut Ui, points: Vec<[f64; 2]>, shown: f64, score: ScoreSpec) {
    let palette = palette(ui);
    widgets::section(ui, "Value by work (logarithmic)").on_hover_text(format!(
        "The value of the position in {} after each amount of work, on a logarithmic scale of work.",
        score.unit.many
    ));
    let words = |mark: egui_plot::GridMark| match 10_f64.powf(mark.value).round() {
        thousands if thousands >= 1000.0 => format!("{:.0}k", thousands / 1000.0),
        units => format!("{units:.0}"),
    };
    widgets::still_plot("value", 110.0)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
        .x_grid_spacer(egui_plot::uniform_grid_spacer(|_| [1.0, 10.0, 100.0]))
        .custom_x_axes(vec![
            egui_plot::AxisHints::new_x()
                .formatter(move |mark, _| words(mark))
                .label_spacing(egui::Rangef::new(16.0, 24.0)),
        ])
        .custom_y_axes(vec![
            egui_plot::AxisHints::new_y().label_spacing(egui::Rangef::new(10.0, 14.0)),
        ])
        .show(ui, |plot| {
            let here = points.iter().rfind(|point| point[0] <= shown).copied();
            let line = egui_plot::Line::new("value", points);
            plot.line(line.stroke(Stroke::new(1.5, palette.accent.egui())).allow_hover(false));
            if let Some(here) = here {
                let dot = egui_plot::Points::new("shown", vec![here]).radius(4.0);
                plot.points(dot.color(palette.text.egui()).allow_hover(false));
            }
        });
}

/// How the planner works.
fn explain(ui: &mut Ui, planner: &PlannerSummary) {
    ui.add_space(space::MEDIUM);
    ui.separator();
    widgets::section(ui, &format!("How {} thinks", seat_title(planner.name)));
    let accent = palette(ui).accent.egui();
    let algorithm = RichText::new(planner.algorithm).color(accent);
    ui.add(egui::Label::new(algorithm).wrap());
    for words in [planner.about, planner.method] {
        ui.add(egui::Label::new(words).wrap());
    }
}
