//! What is drawn over the room: where a click leads, where a box can go, and what a solver thinks.

use super::{PuzzleUi, overlay};
use crate::app::match_screen::{Canvas, Shown, middle};
use crate::app::shell::widgets::counted;
use bevy::math::Vec2;
use bevy_egui::egui::Stroke;
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use outwit_pukoban::reach::walk;
use outwit_pukoban::{Pukoban, PukobanState};

/// Draws everything, the farthest first.
pub fn paint(canvas: &mut Canvas, shown: &Shown<Pukoban>, ui: &mut PuzzleUi) {
    let session = shown.session;
    let own = canvas.palette.line(Seat(0));
    if let Some(insight) = shown.insight(Seat(0)) {
        if session.shows(overlay::HEAT)
            && let Some(heat) = insight.heats.first()
        {
            canvas.heat(heat);
        }
        if session.shows(overlay::SEARCH) {
            canvas.insight(insight, own);
        }
    }
    if session.shows(overlay::TRAIL) {
        trail(canvas, shown.states(), own.egui_alpha(0.7), 2.0);
    }
    if session.shows(overlay::GHOST)
        && let Some(ghost) = shown.ghost
    {
        trail(canvas, ghost.states(), canvas.palette.faint.egui(), 1.0);
    }
    let ring = Stroke::new(2.5, canvas.palette.warn.egui());
    for &cell in ui.stuck(shown).0 {
        canvas.painter.circle_stroke(canvas.at(cell), canvas.scale() * 0.52, ring);
    }
    let here = shown.state();
    if let Some(step) = shown.hint() {
        let to = here.player + step.direction.offset();
        let colour = canvas.palette.warn.egui();
        canvas.arrow(middle(here.player), middle(to), 3.0, colour);
    }
    if shown.person.is_none() || shown.animation().is_some() {
        return;
    }
    if ui.pull_mode && shown.game().moves().has_pulls() {
        let stroke = Stroke::new(2.0, own.egui());
        canvas.painter.circle_stroke(canvas.at(here.player), canvas.scale() * 0.47, stroke);
    }
    pointed(canvas, shown, ui);
}

/// A line through the cells of the player.
fn trail(canvas: &Canvas, states: &[PukobanState], colour: bevy_egui::egui::Color32, width: f32) {
    canvas.line(states.iter().map(|position| middle(position.player)), width, colour);
}

/// What a click on the cell under the pointer would do.
fn pointed(canvas: &mut Canvas, shown: &Shown<Pukoban>, ui: &mut PuzzleUi) {
    let here = shown.state();
    let accent = canvas.palette.accent;
    let hovered = canvas.hovered();
    if let Some(selected) = ui.selected_for(shown) {
        let reach = &selected.reach;
        for cell in reach.cells() {
            canvas.tint(cell, accent.egui_alpha(0.28));
        }
        if let Some(&at) = here.boxes.get(selected.index) {
            let stroke = Stroke::new(2.5, accent.egui());
            canvas.painter.circle_stroke(canvas.at(at), canvas.scale() * 0.52, stroke);
        }
        let way = hovered.and_then(|cell| reach.way(cell));
        if let Some(way) = way.filter(|way| !way.is_empty()) {
            let mut at = here.player;
            let places = way.iter().map(|step| {
                at = at + step.direction.offset();
                at
            });
            let cells: Vec<Cell> = std::iter::once(here.player).chain(places).collect();
            line(canvas, &cells);
            canvas.clickable = true;
            canvas.tooltip =
                Some(format!("The box comes here in {}.", counted(way.len() as u64, "step")));
        } else if reach.cells().next().is_some() {
            canvas.tooltip = Some("Click a tinted cell, or drag the box there.".into());
        } else {
            canvas.tooltip = Some("You cannot move this box from where you are.".into());
        }
        return;
    }
    let Some(cell) = hovered else { return };
    if here.box_at(cell).is_some() {
        canvas.clickable = true;
        canvas.tooltip = Some("Click the box to see where it can go, or drag it there.".into());
        return;
    }
    let game = shown.game();
    let path = ui.path.get((shown.revision, shown.session.playback.view, cell), || {
        let steps = walk(game, here, cell)?;
        let mut at = here.player;
        let mut cells = vec![at];
        cells.extend(steps.iter().map(|step| {
            at = at + step.direction.offset();
            at
        }));
        Some(cells)
    });
    if let Some(cells) = path
        && cells.len() > 1
    {
        let steps = cells.len() as u64 - 1;
        line(canvas, cells);
        canvas.clickable = true;
        canvas.tooltip = Some(format!("Click to walk here: {}.", counted(steps, "step")));
    }
}

/// The way of the player, dashed, with a dot at its end.
fn line(canvas: &Canvas, cells: &[Cell]) {
    let colour = canvas.palette.accent.egui();
    let places: Vec<Vec2> = cells.iter().map(|&cell| middle(cell)).collect();
    canvas.dashed(places.iter().copied(), 2.0, colour);
    if let Some(&end) = places.last() {
        canvas.painter.circle_filled(canvas.point(end), (canvas.scale() * 0.1).max(3.0), colour);
    }
}
