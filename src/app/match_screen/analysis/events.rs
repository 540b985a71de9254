//! A search, event by event: which node was generated, expanded, updated and closed, and its state.

use super::recorded::{Condition, SearchEvents};
use crate::app::match_screen::canvas::{Canvas, middle};
use crate::app::match_screen::figures::grouped;
use crate::app::match_screen::session::Session;
use crate::app::shell::theme::{Rgb, space};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;
use outwit_core::grid::Cell;
use outwit_core::search::{EventKind, RecordingEnd, SearchEvent};
use std::collections::HashMap;

/// The number of events that are recorded.
const MOST_EVENTS: usize = 20_000;

/// Shows the part of the panel that steps through the search of a planner.
pub fn show(ui: &mut Ui, session: &mut Session, turn: usize, planner: &'static str) {
    if !session.live.recorded().contains(&planner) {
        session.analysis.events = None;
        return;
    }
    ui.add_space(space::SMALL);
    widgets::section(ui, "Event by event");
    let mut on = session.analysis.events.is_some();
    let changed = ui
        .checkbox(&mut on, "Step through the search")
        .on_hover_text("Every node that is generated, expanded, updated and closed, in order")
        .changed();
    if !on {
        session.analysis.events = None;
        return;
    }
    let of = (session.live.position(turn), planner);
    let stale = session.analysis.events.as_ref().is_none_or(|events| events.of != of);
    if changed || stale {
        let task = session.live.record_search(turn, planner, MOST_EVENTS);
        let condition = Condition::Expanded;
        session.analysis.events = Some(SearchEvents { of, task, at: 0, condition });
    }
    let Some(events) = &mut session.analysis.events else { return };
    if events.is_busy() {
        ui.spinner();
        return;
    }
    if let Some(why) = events
        .task
        .failure()
        .map(str::to_owned)
        .or_else(|| events.task.get().and_then(|recorded| recorded.as_ref().err().cloned()))
    {
        widgets::hint(ui, format!("There are no events to step through: {why}."));
        return;
    }
    controls(ui, events);
    if let Some(event) = events.recording().and_then(|known| known.events.get(events.at)) {
        describe(ui, event);
    }
}

fn controls(ui: &mut Ui, events: &mut SearchEvents) {
    let Some(recording) = events.recording() else {
        widgets::hint(ui, "The search had no events.");
        return;
    };
    let last = recording.events.len() - 1;
    let end = match recording.end {
        RecordingEnd::Cut => format!("only the first {} events are kept", grouped(last as u64 + 1)),
        RecordingEnd::Found(cost) => format!("a solution of cost {cost}"),
        RecordingEnd::Exhausted => "there is no solution".into(),
        RecordingEnd::LimitReached => "it reached its limit".into(),
        RecordingEnd::Stopped => "it was stopped".into(),
    };
    let mut at = events.at.min(last);
    ui.horizontal(|ui| {
        let mut button = |icon: &str, help: &str| ui.button(icon).on_hover_text(help).clicked();
        if button(icon::SKIP_BACK, "First event") {
            at = 0;
        }
        if button(icon::CARET_LEFT, "Previous event") {
            at = at.saturating_sub(1);
        }
        if button(icon::CARET_RIGHT, "Next event") {
            at = (at + 1).min(last);
        }
        if button(icon::SKIP_FORWARD, "Last event") {
            at = last;
        }
        ui.label(format!("{} of {}", grouped(at as u64 + 1), grouped(last as u64 + 1)));
    });
    ui.spacing_mut().slider_width = ui.available_width();
    ui.add(egui::Slider::new(&mut at, 0..=last).show_value(false));
    events.at = at;
    ui.horizontal_wrapped(|ui| {
        if ui.button("Run until").clicked() {
            events.run();
        }
        egui::ComboBox::from_id_salt("until")
            .width(150.0)
            .selected_text(events.condition.words())
            .show_ui(ui, |ui| {
                for condition in Condition::ALL {
                    ui.selectable_value(&mut events.condition, condition, condition.words());
                }
            });
    });
    widgets::hint(ui, format!("End of the search: {end}."));
}

fn describe(ui: &mut Ui, event: &SearchEvent) {
    let what = match event.kind {
        EventKind::Generate => "Generated",
        EventKind::Expand => "Expanded",
        EventKind::Update => "Cheaper path found",
        EventKind::Close => "Closed",
        EventKind::Goal => "Goal",
    };
    egui::Grid::new("event").num_columns(2).spacing(vec2(16.0, 4.0)).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            widgets::hint(ui, name);
            ui.label(value);
            ui.end_row();
        };
        row("Event", what.into());
        row("Node", grouped(event.id.into()));
        row("Parent", event.parent.map_or_else(|| "none".into(), |id| grouped(id.into())));
        row("f = g + h", format!("{}, g {}, h {}", event.f, event.g, event.h));
        if event.backward {
            row("Side", "from the goals".into());
        }
        for (name, value) in &event.state.values {
            row(name, value.to_string());
        }
    });
}

/// Draws the state of the shown event and the way to it; returns whether there is one.
pub fn paint(canvas: &Canvas, events: &SearchEvents, side: Rgb) -> bool {
    let Some(recording) = events.recording() else { return false };
    let Some(event) = recording.events.get(events.at) else { return false };
    // The last known parent and cell of each node so far.
    let known: HashMap<(u32, bool), (Option<u32>, Cell)> = recording.events[..=events.at]
        .iter()
        .map(|event| ((event.id, event.backward), (event.parent, event.state.cell)))
        .collect();
    let mut cells = vec![event.state.cell];
    let mut next = event.parent;
    while let Some(&(parent, cell)) = next.and_then(|id| known.get(&(id, event.backward))) {
        cells.push(cell);
        next = parent;
        if cells.len() > known.len() {
            break;
        }
    }
    canvas.line(cells.iter().map(|&cell| middle(cell)), 2.0, side.egui_alpha(0.7));
    let size = canvas.scale();
    let stroke = Stroke::new(2.0, canvas.palette.accent.egui());
    for &other in &event.state.others {
        let rect = egui::Rect::from_center_size(canvas.at(other), vec2(size, size) * 0.8);
        let fill = canvas.palette.accent.egui_alpha(0.25);
        canvas.painter.rect(rect, 3.0, fill, stroke, egui::StrokeKind::Inside);
    }
    if let Some((from, to)) = event.state.moved {
        canvas.arrow(middle(from), middle(to), 3.0, canvas.palette.warn.egui());
    }
    let radius = (size * 0.22).max(4.0);
    canvas.painter.circle(canvas.at(event.state.cell), radius, side.egui(), stroke);
    true
}
