//! Fog on the board: what the thief has not seen is covered, and it goes step by step.

use super::drawn::DrawnPath;
use super::keys::{COMMANDS, RouteCommand};
use super::{StealthUi, overlay};
use crate::app::match_screen::{Canvas, Reply, Shown, middle};
use crate::app::shell::commands::of_code;
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;
use bevy::prelude::KeyCode;
use bevy_egui::egui;
use outwit_core::grid::Cell;
use outwit_core::play::{Game, Seat};
use outwit_stealth::{Heist, Route, Stealth};
use std::sync::Arc;

/// How far the cover reaches into the cells around it, in cells: the edges of cells are no hint.
const MARGIN: f32 = 0.07;

/// The house as the thief knows it.
pub struct KnownHouse {
    /// From where it stands now.
    pub here: Stealth,
    /// From the start.
    pub whole: Stealth,
}

/// Whether the thief goes step by step.
pub fn is_foggy(heist: &Heist) -> bool {
    heist.seen.is_some() && !heist.is_over
}

/// What the thief knows, if the fog hides the rest: those who do not play may lift it.
pub fn known(shown: &Shown<Stealth>, ui: &mut StealthUi) -> Option<Arc<KnownHouse>> {
    let heist = shown.state();
    let is_on = !shown.session.humans.is_empty() || shown.session.shows(overlay::FOG);
    if !is_foggy(heist) || !is_on {
        return None;
    }
    let known = ui.known.get((shown.revision, shown.session.playback.view), || {
        let game = shown.game();
        let begin = Heist { seen: heist.seen.clone(), ..Heist::default() };
        let (here, whole) = (game.known(heist)?, game.known(&begin)?);
        Some(Arc::new(KnownHouse { here, whole }))
    });
    known.clone()
}

/// Whether the thief has seen a cell.
pub fn is_seen(shown: &Shown<Stealth>, cell: Cell) -> bool {
    let at = shown.game().ground().tiles().index_of(cell);
    shown.state().seen.as_ref().zip(at).is_some_and(|(seen, at)| seen.knows(at))
}

/// The cell where the thief stands.
pub fn position(game: &Stealth, heist: &Heist) -> Cell {
    let cells = heist.walked.cells(game.ground().start());
    cells.last().copied().unwrap_or_default()
}

/// Covers what was not seen.
pub fn cover(canvas: &Canvas, shown: &Shown<Stealth>) {
    let Some(seen) = &shown.state().seen else { return };
    let colour = canvas.palette.board.mixed(canvas.palette.line, 0.25);
    for (at, cell) in shown.game().ground().tiles().cells().enumerate() {
        if !seen.knows(at) && canvas.is_visible(cell) {
            let low = Vec2::new(cell.x as f32, cell.y as f32);
            let rect = egui::Rect::from_two_pos(
                canvas.point(low - MARGIN),
                canvas.point(low + 1.0 + MARGIN),
            );
            canvas.painter.rect_filled(rect, 0.0, colour);
        }
    }
}

/// The steps to a cell over cells that were seen; empty if there is no way.
fn way(shown: &Shown<Stealth>, known: &KnownHouse, target: Cell) -> Vec<Cell> {
    let ground = known.here.ground();
    let walked = shown.state().walked.cells(shown.game().ground().start());
    let is_open = |cell: Cell| is_seen(shown, cell) && !walked.contains(&cell);
    DrawnPath::new(ground).way_to(ground, target, is_open)
}

/// Where a click would lead.
pub fn preview(canvas: &mut Canvas, shown: &Shown<Stealth>, known: &KnownHouse, own: Rgb) {
    let Some(target) = canvas.hovered() else { return };
    let way = way(shown, known, target);
    if !way.is_empty() {
        canvas.clickable = true;
        let here = position(shown.game(), shown.state());
        let places = std::iter::once(here).chain(way).map(middle);
        canvas.dashed(places, 2.0, own.egui_alpha(0.7));
    }
}

/// Goes to a cell by the fewest steps over cells that were seen.
pub fn go_to(shown: &Shown<Stealth>, ui: &mut StealthUi, target: Cell) -> Reply<Route> {
    let (Some(known), true) = (known(shown, ui), shown.queue.is_empty()) else {
        return Reply::Ignored;
    };
    let here = position(shown.game(), shown.state());
    let cells: Vec<Cell> = std::iter::once(here).chain(way(shown, &known, target)).collect();
    match Route::along(&cells) {
        Some(route) if !route.0.is_empty() => Reply::Acts(route.steps().collect()),
        _ => Reply::Ignored,
    }
}

/// A step, after all that were typed before.
pub fn key(shown: &Shown<Stealth>, code: KeyCode) -> Reply<Route> {
    let entry = of_code(COMMANDS, code, false, false);
    let Some(RouteCommand::Step(step)) = entry.map(|entry| entry.id) else { return Reply::Ignored };
    if shown.session.humans.is_empty() {
        return Reply::Ignored;
    }
    let mut heist = shown.arriving_state().clone();
    let route = Route(vec![step]);
    heist.walked.0.extend(shown.queue.iter().flat_map(|queued| &queued.0));
    match shown.game().legal(&heist, Seat(0), &route) {
        Ok(()) if !heist.is_over => Reply::Act(route),
        _ => Reply::Refused,
    }
}
