//! What is painted over the board: planned ways, cover, forecast, planners' pictures, and a
//! person's plan in the making.

use super::draft::{self, PlanDraft, players, towards, walk};
use super::pieces::{walked, width};
use super::{SEATS, is_hidden, overlay, pictures, side};
use crate::app::match_screen::{Canvas, Session, middle};
use crate::app::shell::activity::POLL;
use crate::games::cops::forecast::Forecast;
use crate::games::cops::rules::{COPS, Cops, PursuitStatus, Step, THIEF};
use crate::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use crate::play::Seat;
use bevy::math::Vec2;
use bevy_egui::egui::{self, Color32, Stroke};
use std::sync::{Arc, PoisonError};

/// Paints everything but the ending.
pub fn paint(canvas: &mut Canvas, session: &Session<Cops>) {
    if !session.cache.atlas.is_done() {
        canvas.painter.ctx().request_repaint_after(POLL);
    }
    if session.state().standing != PursuitStatus::Running {
        return;
    }
    if session.shows(overlay::COVER) {
        cover(canvas, session);
    }
    if session.shows(overlay::FORECAST) {
        forecast(canvas, session);
    }
    if session.shows(overlay::INSIGHT) {
        insights(canvas, session);
    }
    if session.shows(overlay::PLANS) {
        plans(canvas, session);
    }
    hint(canvas, session);
    drafting(canvas, session);
}

/// Many translucent cells as one mesh.
fn tint(canvas: &Canvas, cells: impl Iterator<Item = (Cell, Color32)>) {
    let mut mesh = egui::Mesh::default();
    for (cell, colour) in cells {
        let corner = canvas.point(Vec2::new(cell.x as f32, cell.y as f32));
        let rect = egui::Rect::from_min_size(corner, egui::Vec2::splat(canvas.scale()));
        mesh.add_colored_rect(rect, colour);
    }
    canvas.painter.add(mesh);
}

/// Who reaches each cell first past the walls as they stand, the cops winning ties.
fn cover(canvas: &Canvas, session: &Session<Cops>) {
    let (board, position) = (session.game().board(), &session.state().position);
    let open = Grid::from_fn(board.width(), board.height(), |cell| {
        board.is_floor(cell) && !board.is_walled(&position.walls, cell)
    });
    let thief = distances(&open, [position.thief], &FOUR, |_, &open| open);
    let cops = distances(&open, position.cops.iter().copied(), &FOUR, |_, &open| open);
    let (orange, blue) = (side(&canvas.palette, THIEF), side(&canvas.palette, COPS));
    let mine = |cell: Cell| thief[cell] != UNREACHED && thief[cell] < cops[cell];
    let cells = open.iter().filter(|&(cell, &open)| open && thief[cell] & cops[cell] != UNREACHED);
    tint(
        canvas,
        cells.map(|(cell, _)| {
            (cell, if mine(cell) { orange.egui_alpha(0.30) } else { blue.egui_alpha(0.17) })
        }),
    );
    // The front between the two.
    for (cell, _) in open.iter().filter(|&(cell, &open)| open && mine(cell)) {
        for &by in &FOUR {
            let other = cell + by;
            if open.get(other).is_some_and(|&open| open) && !mine(other) {
                let towards = Vec2::new(by.x as f32, by.y as f32) * 0.5;
                let along = Vec2::new(-towards.y, towards.x);
                let at = middle(cell) + towards;
                canvas.line([at - along, at + along], 1.5, orange.egui_alpha(0.9));
            }
        }
    }
}

/// The forecast from the shown turn on, k ticks ahead.
fn seen_ahead(session: &Session<Cops>) -> Option<Arc<Forecast>> {
    let atlas = session.cache.atlas.get()?;
    let mut kept = session.cache.forecast.lock().unwrap_or_else(PoisonError::into_inner);
    let now = &session.state().position;
    if let Some((from, forecast)) = &*kept
        && from == now
    {
        return Some(Arc::clone(forecast));
    }
    let board = session.game().board();
    let ticks = board.rules().k as usize + 1;
    let forecast = Arc::new(Forecast::new(board, atlas, now, ticks, ticks));
    *kept = Some((now.clone(), Arc::clone(&forecast)));
    Some(forecast)
}

fn forecast(canvas: &Canvas, session: &Session<Cops>) {
    let (Some(forecast), Some(atlas)) = (seen_ahead(session), session.cache.atlas.get()) else {
        return;
    };
    let board = session.game().board();
    let k = board.rules().k as usize;
    let (wall, gate) = (canvas.palette.sides[5], canvas.palette.goal);
    let walls = atlas
        .floor()
        .iter()
        .map(|&spot| (atlas.cell(spot), forecast.walled(k, spot)))
        .filter(|(_, p)| *p > 0.01)
        .map(|(cell, p)| (cell, wall.egui_alpha(0.08 + 0.6 * p)));
    tint(canvas, walls);
    let gates = (0..board.ring().len())
        .map(|place| (board.ring().cell(place), forecast.gated(k, place)))
        .filter(|(_, p)| *p > 0.01)
        .map(|(cell, p)| (cell, gate.egui_alpha(0.08 + 0.6 * p)));
    tint(canvas, gates);
}

/// What the planners saw when they last planned, if that is what is being carried out.
fn insights(canvas: &Canvas, session: &Session<Cops>) {
    for (seat, mut insight) in pictures(session) {
        let colour = side(&canvas.palette, seat);
        // Pieces must stay easy to see below it, so it is drawn fainter than in other games.
        if let Some(heat) = insight.heat.take() {
            let values = || heat.cells.iter().map(|(_, value)| *value);
            let (least, most) = (values().fold(f32::MAX, f32::min), values().fold(0.0, f32::max));
            let part = |value: f32| ((value - least) / (most - least).max(1e-6)).clamp(0.0, 1.0);
            let cells = heat.cells.iter();
            tint(
                canvas,
                cells.map(|&(cell, value)| (cell, colour.egui_alpha(0.03 + 0.32 * part(value)))),
            );
        }
        canvas.insight(&insight, colour);
    }
}

/// The steps of a seat's players that are still to be made before all plan again.
fn to_come(session: &Session<Cops>, seat: Seat) -> Vec<(Cell, Vec<Step>)> {
    let pursuit = session.state();
    let (position, k) = (&pursuit.position, session.game().board().rules().k as usize);
    let now = position.tick as usize % k;
    // New plans belong to the state after the turn in which they were made.
    let plans = match session.played().state_at(session.view + 1) {
        Some(next) if now == 0 => &next.plans,
        None if now == 0 => return Vec::new(),
        _ => &pursuit.plans,
    };
    let first = if seat == THIEF { 0 } else { 1 };
    players(position, seat)
        .iter()
        .enumerate()
        .filter_map(|(i, &from)| {
            let own = plans.get((first + i) * k..(first + i + 1) * k)?;
            Some((from, own[now..].to_vec()))
        })
        .collect()
}

/// Keeps ways apart that run through the same cells.
fn lane(player: usize, count: usize) -> Vec2 {
    let share = if count > 1 { player as f32 / (count - 1) as f32 - 0.5 } else { 0.0 };
    Vec2::splat(share * 0.3)
}

fn plans(canvas: &Canvas, session: &Session<Cops>) {
    let walked = session.animation().map_or(0.0, |animation| walked(animation.done));
    for seat in SEATS {
        if is_hidden(session, seat) {
            continue;
        }
        let colour = side(&canvas.palette, seat);
        let ways = to_come(session, seat);
        for (player, (from, steps)) in ways.iter().enumerate() {
            let shift = lane(player, ways.len());
            let cells = walk(session.game(), *from, steps);
            let mut places: Vec<Vec2> = cells.iter().map(|&cell| middle(cell) + shift).collect();
            let Some(&end) = places.last() else { continue };
            if places.len() > 1 {
                places[0] = places[0].lerp(places[1], walked);
            }
            // Nothing to show for those who stay, or are nearly there.
            if places.iter().all(|place| place.distance(end) < 0.5) {
                continue;
            }
            canvas.line(places, 1.75, colour.egui_alpha(0.8));
            let at = canvas.point(end);
            let radius = (canvas.scale() * 0.14).clamp(2.0, 5.0);
            canvas.painter.circle(
                at,
                radius,
                canvas.palette.ground.egui(),
                Stroke::new(1.5, colour.egui()),
            );
        }
    }
}

/// The plan that was asked for as a hint.
fn hint(canvas: &Canvas, session: &Session<Cops>) {
    let (Some((turn, orders, _)), Some(seat)) = (&session.hint, session.human_to_move()) else {
        return;
    };
    if *turn != session.view {
        return;
    }
    let colour = canvas.palette.warn.egui();
    for (&from, steps) in players(&session.state().position, seat).iter().zip(&orders.0) {
        let cells = walk(session.game(), from, steps);
        canvas.dashed(cells.iter().map(|&cell| middle(cell)), 2.0, colour);
        if let Some(&end) = cells.last() {
            canvas.painter.circle_stroke(canvas.at(end), 5.0, Stroke::new(2.0, colour));
        }
    }
}

/// The plan in the making, what a click would add to it, and clicks.
fn drafting(canvas: &mut Canvas, session: &Session<Cops>) {
    let hovered = canvas.hovered();
    let clicked =
        hovered.is_some() && canvas.painter.ctx().input(|input| input.pointer.primary_clicked());
    draft::with(session, |draft| {
        let position = &session.state().position;
        let others = players(position, draft.seat);
        if clicked && let Some(cell) = hovered {
            click(session, draft, cell);
        }
        reach(canvas, session, draft);
        for (player, &from) in others.iter().enumerate() {
            handles_itself(canvas, session, draft, player, from);
        }
        let Some(cell) = hovered else { return };
        let piece = others.iter().position(|&at| at == cell);
        if draft.seat == COPS
            && let Some(cop) = piece.filter(|&cop| cop != draft.chosen)
        {
            canvas.painter.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
            canvas.tooltip = Some(format!("Plan for cop {}", cop + 1));
            return;
        }
        preview(canvas, session, draft, cell);
    });
}

/// A click chooses a cop, or adds the way to the clicked cell.
fn click(session: &Session<Cops>, draft: &mut PlanDraft, cell: Cell) {
    let own = players(&session.state().position, draft.seat);
    // Several cops on one cell are chosen in turn.
    let next = (1..=own.len()).map(|i| (draft.chosen + i) % own.len()).find(|&i| own[i] == cell);
    if draft.seat == COPS
        && let Some(next) = next
        && next != draft.chosen
    {
        draft.chosen = next;
        return;
    }
    for step in towards(session, draft, cell) {
        draft.push(session, step);
    }
}

/// The cells that the chosen player can still get to in this plan.
fn reach(canvas: &Canvas, session: &Session<Cops>, draft: &PlanDraft) {
    let (board, position) = (session.game().board(), &session.state().position);
    let from = players(position, draft.seat)[draft.chosen];
    let way = &draft.ways[draft.chosen];
    let room = board.rules().k - way.len() as u32;
    let end = walk(session.game(), from, way).last().copied().unwrap_or(from);
    let floor = Grid::from_fn(board.width(), board.height(), |cell| board.is_floor(cell));
    let steps = distances(&floor, [end], &FOUR, |cell, &floor| {
        floor && !board.is_walled(&position.walls, cell)
    });
    let colour = canvas.palette.text.egui_alpha(0.06);
    tint(canvas, steps.iter().filter(|(_, d)| **d <= room).map(|(cell, _)| (cell, colour)));
}

fn handles_itself(
    canvas: &Canvas,
    session: &Session<Cops>,
    draft: &PlanDraft,
    player: usize,
    from: Cell,
) {
    let colour = side(&canvas.palette, draft.seat);
    let chosen = player == draft.chosen;
    if chosen {
        let radius = canvas.scale() * width(session.game(), canvas.scale()) * 0.69;
        let stroke = Stroke::new(2.0, canvas.palette.text.egui());
        canvas.painter.circle_stroke(canvas.at(from), radius, stroke);
    }
    let steps = &draft.ways[player];
    if steps.is_empty() {
        return;
    }
    let shift = if draft.seat == THIEF { Vec2::ZERO } else { lane(player, draft.ways.len()) };
    let cells = walk(session.game(), from, steps);
    let places: Vec<Vec2> = cells.iter().map(|&cell| middle(cell) + shift).collect();
    // The line begins beside the piece.
    let mut line = places.clone();
    line[0] = places[0].lerp(places[1], 0.45);
    let width = if chosen { 3.5 } else { 2.5 };
    canvas.line(line.iter().copied(), width + 2.5, canvas.palette.board.egui_alpha(0.7));
    canvas.line(line, width, colour.egui());
    for (i, step) in steps.iter().enumerate() {
        let (at, to) = (places[i], places[i + 1]);
        if *step != Step::Stay && cells[i] == cells[i + 1] {
            // A push against a gate or the border.
            let out = Vec2::new(step.delta().x as f32, step.delta().y as f32);
            canvas.arrow(at, at + out, width, colour.egui());
        }
        let radius = (canvas.scale() * 0.13).clamp(2.5, 5.0);
        canvas.painter.circle_filled(canvas.point(to), radius, colour.egui());
    }
    if let Some(&end) = places.last() {
        let at = canvas.point(end);
        let radius = (canvas.scale() * 0.3).clamp(5.0, 11.0);
        canvas.painter.circle(
            at,
            radius,
            canvas.palette.board.egui(),
            Stroke::new(2.0, colour.egui()),
        );
        let font = egui::FontId::proportional((radius * 1.3).max(9.0));
        let words = steps.len().to_string();
        let text = canvas.palette.text.egui();
        canvas.painter.text(at, egui::Align2::CENTER_CENTER, words, font, text);
    }
}

/// What a click on a cell would add.
fn preview(canvas: &mut Canvas, session: &Session<Cops>, draft: &PlanDraft, cell: Cell) {
    let board = session.game().board();
    let steps = towards(session, draft, cell);
    if steps.is_empty() {
        if draft.ways[draft.chosen].len() == board.rules().k as usize && board.is_floor(cell) {
            canvas.tooltip = Some("The plan is full: Enter carries it out".into());
        }
        return;
    }
    canvas.painter.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    let colour = side(&canvas.palette, draft.seat).egui();
    let from = players(&session.state().position, draft.seat)[draft.chosen];
    let mut way = draft.ways[draft.chosen].clone();
    let planned = way.len();
    way.extend(&steps);
    let cells = walk(session.game(), from, &way);
    canvas.dashed(cells[planned..].iter().map(|&cell| middle(cell)), 2.0, colour);
    if let Some(&end) = cells.last() {
        canvas.painter.circle_stroke(canvas.at(end), 5.0, Stroke::new(2.0, colour));
    }
    if steps == [Step::Stay] {
        canvas.tooltip = Some("Stay for a tick".into());
    }
}
