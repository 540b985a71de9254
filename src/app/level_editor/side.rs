//! The panel on the right: problems, solver, texts and rules of the level, and history.

use super::actions::{Action, info};
use super::canvas::point_at;
use super::open_document::OpenDocument;
use super::screen::{EditorScreen, SideTab};
use crate::app::shell::controls::rule_control;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{RichText, Ui, vec2};
use egui_phosphor::regular as icon;
use outwit_core::levels::{Fault, Spot, capitalised};
use outwit_headless::editor::{Field, SolverStatus};

/// Width of the names of rules, in points.
const NAMES: f32 = 96.0;

/// Draws the panel and makes the changes that are chosen in it.
pub fn show(ui: &mut Ui, screen: &mut EditorScreen) {
    let Some(work) = &mut screen.work else { return };
    ui.set_max_width(ui.available_width());
    // One widget for the rest of the panel, whatever it holds: a text field below that got another
    // id while someone types would lose the focus.
    ui.push_id("verdict", |ui| verdict(ui, work));
    ui.add_space(space::SMALL);
    ui.separator();
    let steps = work.model.history().done();
    let history = format!("History ({steps})");
    let sides = [(SideTab::Level, "Level"), (SideTab::History, history.as_str())];
    widgets::choice(ui, &mut screen.side, &sides);
    ui.add_space(space::SMALL);
    match screen.side {
        SideTab::Level => level(ui, work),
        SideTab::History => steps_done(ui, work),
    }
}

/// Shows problems, warnings and the state of the solver.
fn verdict(ui: &mut Ui, work: &mut OpenDocument) {
    let known = work.report.revision == work.model.revision();
    let own = palette(ui);
    ui.horizontal(|ui| {
        let (mark, colour, words) = match &work.report.answer {
            _ if !known => (icon::HOURGLASS, own.faint, "Checking…".to_owned()),
            SolverStatus::Faulty => {
                let n = work.report.verdict.faults.len();
                let s = if n == 1 { "" } else { "s" };
                (icon::WARNING, own.bad, format!("Not playable yet: {n} problem{s}"))
            }
            SolverStatus::Waiting => (icon::CHECK, own.good, "Playable".to_owned()),
            SolverStatus::Solving => (icon::HOURGLASS, own.accent, "Playable. Solving…".to_owned()),
            SolverStatus::Solved(solution) if solution.value.is_none() => {
                (icon::WARNING, own.bad, capitalised(&solution.message))
            }
            SolverStatus::Solved(solution) => {
                (icon::CHECK, own.good, capitalised(&solution.message))
            }
            SolverStatus::Unsolved(why) => (icon::CHECK, own.good, format!("Playable. {why}")),
            SolverStatus::Cancelled => {
                (icon::CHECK, own.good, "Playable. The solver was stopped.".to_owned())
            }
        };
        ui.label(RichText::new(mark).color(colour.egui()).size(18.0));
        let words = RichText::new(words).text_style(text::strong());
        ui.add(egui::Label::new(words).wrap());
    });
    let has_line =
        matches!(&work.report.answer, SolverStatus::Solved(solution) if !solution.line.is_empty());
    if has_line || matches!(work.report.answer, SolverStatus::Solving | SolverStatus::Cancelled) {
        ui.horizontal(|ui| {
            if has_line {
                ui.checkbox(&mut work.line, "Show solution");
            }
            match work.report.answer {
                SolverStatus::Solving => {
                    ui.spinner();
                    let stop = egui::Button::new("Stop");
                    if info(Action::Solver).button_saying(ui, Ok(()), stop, "Stop the solver") {
                        work.checker.cancel();
                    }
                }
                SolverStatus::Cancelled if ui.button("Solve").clicked() => work.ask_again(),
                _ => {}
            }
        });
    }
    let verdict = work.report.verdict.clone();
    let kinds = [
        (&verdict.faults, Weight::Problem),
        (&verdict.warnings, Weight::Warning),
        (&verdict.remarks, Weight::Remark),
    ];
    if kinds.iter().all(|(faults, _)| faults.is_empty()) {
        return;
    }
    let most = (ui.ctx().content_rect().height() * 0.24).max(84.0);
    let mut shown = None;
    egui::ScrollArea::vertical().id_salt("faults").max_height(most).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 2.0;
        for (faults, weight) in kinds {
            for fault in faults {
                shown = shown.or(line(ui, fault, weight));
            }
        }
    });
    if let Some(cell) = shown {
        point_at(work, cell, ui.input(|input| input.time));
    }
}

/// How much what is said of a level matters.
#[derive(Clone, Copy)]
enum Weight {
    /// The level is not playable.
    Problem,
    /// A probable mistake.
    Warning,
    /// Good to know.
    Remark,
}

/// Shows what is said of the level; returns its cell when clicked.
fn line(ui: &mut Ui, fault: &Fault, weight: Weight) -> Option<outwit_core::grid::Cell> {
    let own = palette(ui);
    let (mark, colour) = match weight {
        Weight::Problem => (icon::X_CIRCLE, own.bad),
        Weight::Warning => (icon::WARNING, own.warn),
        Weight::Remark => (icon::INFO, own.faint),
    };
    let words = format!("{mark}  {fault}");
    match fault.spot {
        Spot::Cell(cell) => {
            let words = RichText::new(words).color(colour.egui());
            let button = egui::Button::new(words).frame(false).wrap();
            let hover = "Show this cell";
            ui.add(button).on_hover_text(hover).clicked().then_some(cell)
        }
        _ => {
            ui.add(egui::Label::new(RichText::new(words).color(colour.egui())).wrap());
            None
        }
    }
}

/// Shows the texts and rules of the level.
fn level(ui: &mut Ui, work: &mut OpenDocument) {
    egui::ScrollArea::vertical().id_salt("level").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::SMALL + 2.0;
        let model = &mut work.model;
        for field in Field::ALL {
            let mut words = field.of(model.draft()).to_owned();
            let width = ui.available_width();
            let label = ui.label(field.label());
            let edit = match field {
                Field::About => egui::TextEdit::multiline(&mut words).desired_rows(2),
                _ => egui::TextEdit::singleline(&mut words),
            };
            let response = ui
                .add(edit.id_salt(field).desired_width(width - 16.0).margin(widgets::FIELD))
                .labelled_by(label.id);
            if response.changed() {
                model.set_text(field, &words);
            }
            if response.lost_focus() {
                model.seal();
            }
        }
        ui.add_space(space::MEDIUM);
        widgets::section(ui, "Rules");
        let kind = model.kind();
        let defaults = kind.default_rules();
        let mut changed = Vec::new();
        for (index, property) in kind.properties().iter().enumerate() {
            if kind.facts().derived_rules.contains(&property.key) {
                continue;
            }
            let now = model.draft().rules[index].clone();
            let mut value = now.clone();
            let narrow = ui.available_width() < NAMES + 150.0;
            if narrow {
                ui.label(property.title).on_hover_text(property.help);
            }
            let (name, help, names) = match narrow {
                true => ("", "", 0.0),
                false => (property.title, property.help, NAMES),
            };
            widgets::row(ui, name, help, names, |ui| {
                ui.spacing_mut().item_spacing.x = space::SMALL;
                let room = ui.available_width() - 34.0;
                ui.allocate_ui_with_layout(
                    vec2(room, ui.spacing().interact_size.y),
                    egui::Layout::left_to_right(egui::Align::Center),
                    |ui| rule_control(ui, property, &mut value),
                );
                if now != defaults[index] {
                    let reset = egui::Button::new(icon::ARROW_COUNTER_CLOCKWISE).small();
                    let hover =
                        format!("Reset to default: {}", property.value_title(&defaults[index]));
                    if widgets::tip(ui.add(reset), &hover).clicked() {
                        value.clone_from(&defaults[index]);
                    }
                }
            });
            if value != now {
                changed.push((index, value));
            }
        }
        for (index, value) in changed {
            if let Err(why) = model.set_rule(index, &value) {
                work.refused = Some(why.into());
            }
        }
        // Dragging a slider is one step.
        if !ui.input(|input| input.pointer.any_down()) && !ui.ctx().text_edit_focused() {
            work.model.seal();
        }
    });
}

/// Shows all steps; a click goes to one.
fn steps_done(ui: &mut Ui, work: &mut OpenDocument) {
    let done = work.model.history().done();
    let count = work.model.history().steps().len();
    let mut go = None;
    let height = ui.text_style_height(&egui::TextStyle::Body) + 8.0;
    egui::ScrollArea::vertical()
        .id_salt("history")
        .auto_shrink(false)
        .stick_to_bottom(true)
        .show_rows(ui, height, count + 1, |ui, rows| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for row in rows {
                let steps = work.model.history().steps();
                let label = match row {
                    0 if work.model.history().dropped() > 0 => "Older changes were dropped",
                    0 => "Level opened",
                    row => steps[row - 1].label.as_str(),
                };
                let faint = palette(ui).faint.egui();
                let words = match row.cmp(&done) {
                    std::cmp::Ordering::Less => RichText::new(label),
                    std::cmp::Ordering::Equal => RichText::new(label).text_style(text::strong()),
                    std::cmp::Ordering::Greater => RichText::new(label).color(faint),
                };
                let mark = if row == done { icon::CARET_RIGHT } else { "  " };
                let words = RichText::new(format!("{mark} {}", words.text()))
                    .color(if row > done { faint } else { ui.visuals().text_color() });
                let button = egui::Button::new(words)
                    .selected(row == done)
                    .frame(row == done)
                    .truncate()
                    .min_size(vec2(ui.available_width(), height));
                if ui.add(button).clicked() {
                    go = Some(row);
                }
            }
        });
    if let Some(row) = go {
        work.model.go_to(row);
    }
}
