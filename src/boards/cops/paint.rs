//! What is painted over the board: planned ways, cover, forecast, planners' pictures, and a
//! person's plan in the making.

use super::draft::{self, PlanDraft, players, towards, walk};
use super::pieces::{walked, width};
use super::{PursuitUi, SEATS, is_hidden, overlay};
use crate::app::drawing::{Ink4, faded};
use crate::app::match_screen::{Canvas, Shown, middle};
use crate::app::shell::activity::POLL;
use bevy::math::Vec2;
use bevy_egui::egui::{self, Align2, Color32, FontId, Pos2, Shape, Stroke};
use outwit_cops::forecast::Forecast;
use outwit_cops::rules::{COPS, Cops, PursuitStatus, Step, THIEF};
use outwit_cops::{FAR, key_gate, runs_to_gates};
use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use outwit_core::play::Seat;

/// Paints everything but the ending.
pub fn paint(canvas: &mut Canvas, shown: &Shown<Cops>, ui: &mut PursuitUi) {
    if !ui.distances.is_done() {
        canvas.painter.ctx().request_repaint_after(POLL);
    }
    if shown.state().standing != PursuitStatus::Running {
        return;
    }
    let session = shown.session;
    if session.shows(overlay::COVER) {
        cover(canvas, shown, ui);
    }
    if session.shows(overlay::FORECAST) {
        forecast(canvas, shown, ui);
    }
    if session.shows(overlay::INSIGHT) {
        insights(canvas, shown, ui);
    }
    if session.shows(overlay::PLANS) {
        plans(canvas, shown, ui);
    }
    if session.shows(overlay::GATES) {
        gates(canvas, shown);
    }
    hint(canvas, shown);
    let plans_cops = draft::current(shown, &mut ui.draft).is_some_and(|draft| draft.seat == COPS);
    if session.commented || plans_cops {
        numbers(canvas, shown);
    }
    if let Some(draft) = draft::current(shown, &mut ui.draft) {
        drafting(canvas, shown, draft);
    }
}

/// Translucent cells on the ground.
fn tint(canvas: &mut Canvas, cells: impl Iterator<Item = (Cell, Ink4)>) {
    for (cell, colour) in cells {
        let low = Vec2::new(cell.x as f32, cell.y as f32);
        canvas.floor.rect(low, low + 1.0, colour);
    }
}

/// A dashed way with a ring at its end.
fn dashed(canvas: &Canvas, cells: &[Cell], colour: Color32) {
    canvas.dashed(cells.iter().map(|&cell| middle(cell)), 2.0, colour);
    if let Some(&end) = cells.last() {
        mark(canvas, THIEF, canvas.at(end), 5.0, colour);
    }
}

/// The end of a way: a ring for the thief, a square for a cop.
fn mark(canvas: &Canvas, seat: Seat, at: Pos2, radius: f32, colour: Color32) {
    let casing = canvas.palette.casing.egui();
    let stroke = Stroke::new(2.0, colour);
    if seat == THIEF {
        canvas.painter.circle(at, radius + 2.5, casing, Stroke::NONE);
        canvas.painter.circle(at, radius, casing, stroke);
    } else {
        let square =
            |radius: f32| egui::Rect::from_center_size(at, egui::Vec2::splat(2.0 * radius));
        let radius = radius * 0.9;
        canvas.painter.rect_filled(square(radius + 2.5), 1.0, casing);
        canvas.painter.rect_stroke(square(radius), 0.0, stroke, egui::StrokeKind::Middle);
    }
}

/// Who reaches each cell first past the walls as they stand.
pub struct Cover {
    /// Cells that somebody reaches, and whether the thief is first; cops win ties.
    cells: Vec<(Cell, bool)>,
    /// The ends of the lines between the two, in board coordinates.
    front: Vec<[Vec2; 2]>,
}

impl Cover {
    fn new(shown: &Shown<Cops>) -> Self {
        let board = shown.game().board();
        let position = &shown.state().position;
        let open = Grid::from_fn(board.width(), board.height(), |cell| {
            board.is_floor(cell) && !board.is_walled(&position.walls, cell)
        });
        let thief = distances(&open, [position.thief], &FOUR, |_, &open| open);
        let cops = distances(&open, position.cops.iter().copied(), &FOUR, |_, &open| open);
        let mine = |cell: Cell| thief[cell] != UNREACHED && thief[cell] < cops[cell];
        let mut cells = Vec::new();
        let mut front = Vec::new();
        for (cell, _) in open.iter().filter(|&(_, &open)| open) {
            if thief[cell] & cops[cell] != UNREACHED {
                cells.push((cell, mine(cell)));
            }
            for &by in FOUR.iter().filter(|_| mine(cell)) {
                let other = cell + by;
                if open.get(other).is_some_and(|&open| open) && !mine(other) {
                    let towards = Vec2::new(by.x as f32, by.y as f32) * 0.5;
                    let along = Vec2::new(-towards.y, towards.x);
                    let at = middle(cell) + towards;
                    front.push([at - along, at + along]);
                }
            }
        }
        Self { cells, front }
    }
}

fn cover(canvas: &mut Canvas, shown: &Shown<Cops>, ui: &mut PursuitUi) {
    let now = (shown.revision, shown.session.playback.view);
    let Cover { cells, front } = ui.cover.get(now, || Cover::new(shown));
    let [orange, blue] =
        [(THIEF, 0.34), (COPS, 0.26)].map(|(seat, share)| faded(canvas.palette.side(seat), share));
    tint(canvas, cells.iter().map(|&(cell, thief)| (cell, if thief { orange } else { blue })));
    let line = canvas.palette.line(THIEF).egui();
    for &ends in front {
        canvas.line(ends, 1.5, line);
    }
}

/// Where walls and gates are likely to be, k ticks from the shown turn.
fn forecast(canvas: &mut Canvas, shown: &Shown<Cops>, ui: &mut PursuitUi) {
    let Some(distances) = ui.distances.get() else { return };
    let board = shown.game().board();
    let k = board.rules().k as usize;
    let forecast = ui.forecast.get((shown.revision, shown.session.playback.view), || {
        Forecast::new(board, distances, &shown.state().position, k + 1, k + 1)
    });
    let wall = canvas.palette.sides[5];
    let walls = distances
        .floor()
        .iter()
        .map(|&cell_index| (distances.cell(cell_index), forecast.walled(k, cell_index)))
        .filter(|(_, p)| *p > 0.01)
        .map(|(cell, p)| (cell, faded(wall, 0.1 + 0.65 * p)));
    tint(canvas, walls);
    // The border stands above the ground, so gates are told by a bar along its inner edge.
    let gate = canvas.palette.goal;
    for place in 0..board.ring().len() {
        let p = forecast.gated(k, place);
        let cell = board.ring().cell(place);
        if p <= 0.01 || !canvas.is_visible(cell) {
            continue;
        }
        let Some(front) = board.ring().front(place) else { continue };
        let inwards = (middle(front) - middle(cell)) * 0.5;
        let along = inwards.perp() * 0.94;
        let edge = middle(cell) + inwards * 0.8;
        let ends = [edge - along, edge + along];
        canvas.line(ends, 4.0, gate.egui_alpha(0.2 + 0.8 * p));
    }
}

/// Steps of the thief and of the nearest cop to each gate, and a ring at the one that matters most.
fn gates(canvas: &Canvas, shown: &Shown<Cops>) {
    /// Points a cell below which two numbers do not fit.
    const LEAST: f32 = 14.0;
    let board = shown.game().board();
    let runs = runs_to_gates(board, &shown.state().position);
    let key = key_gate(board, &runs);
    for (index, run) in runs.iter().enumerate() {
        let Some(run) = run else { continue };
        let first = if run.is_clear(board) { THIEF } else { COPS };
        if Some(index) == key {
            let radius = (canvas.scale() * 0.42).max(5.0);
            canvas.ring(run.front, radius, 2.5, canvas.palette.line(first).egui());
        }
        if canvas.scale() < LEAST || !canvas.is_visible(run.gate) {
            continue;
        }
        let steps = |steps: u32| if steps == FAR { "–".to_owned() } else { steps.to_string() };
        let words = format!("{} : {}", steps(run.thief), steps(run.cop));
        let size = (canvas.scale() * 0.42).clamp(11.0, 15.0);
        let ink = canvas.palette.text.egui();
        let ground = canvas.palette.panel.egui();
        // One cell inside: captions often cover the lower edge.
        let inwards = middle(run.front) - middle(run.gate);
        canvas.label(middle(run.front) + inwards, &words, size, ink, ground);
    }
}

/// What the planners saw when they made the plans that are being carried out.
fn insights(canvas: &mut Canvas, shown: &Shown<Cops>, ui: &PursuitUi) {
    for seat in SEATS {
        let hidden = is_hidden(shown, ui, seat);
        let Some(insight) = shown.insight(seat).filter(|_| !hidden) else { continue };
        if let Some(heat) = insight.heats.first() {
            canvas.heat(heat);
        }
        canvas.insight(insight, canvas.palette.line(seat));
    }
}

/// The steps of a seat's players that are still to be made before all plan again.
fn to_come(shown: &Shown<Cops>, seat: Seat) -> Vec<(Cell, Vec<Step>)> {
    let pursuit = shown.state();
    let position = &pursuit.position;
    let k = shown.game().board().rules().k as usize;
    let now = position.tick as usize % k;
    // New plans belong to the state after the turn in which they were made.
    let plans = match shown.next_state() {
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

fn plans(canvas: &Canvas, shown: &Shown<Cops>, ui: &PursuitUi) {
    let walked = shown.animation().map_or(0.0, |animation| walked(animation.time));
    for seat in SEATS {
        if is_hidden(shown, ui, seat) {
            continue;
        }
        let colour = canvas.palette.line(seat).egui();
        let ways = to_come(shown, seat);
        for (player, (from, steps)) in ways.iter().enumerate() {
            let shift = lane(player, ways.len());
            let cells = walk(shown.game(), *from, steps);
            let mut places: Vec<Vec2> = cells.iter().map(|&cell| middle(cell) + shift).collect();
            let Some(&end) = places.last() else { continue };
            if places.len() > 1 {
                places[0] = places[0].lerp(places[1], walked);
            }
            // Nothing to show for those who stay, or are nearly there.
            if places.iter().all(|place| place.distance(end) < 0.5) {
                continue;
            }
            canvas.line(places.iter().copied(), 2.0, colour);
            if canvas.scale() >= 12.0 {
                for pair in places.windows(2) {
                    chevron(canvas, pair[0].lerp(pair[1], 0.55), pair[1] - pair[0], colour);
                }
                for &place in &places[1..] {
                    let at = canvas.point(place);
                    canvas.painter.circle_filled(
                        at,
                        (canvas.scale() * 0.07).clamp(1.5, 3.5),
                        colour,
                    );
                }
            }
            let radius = (canvas.scale() * 0.15).clamp(2.5, 6.0);
            mark(canvas, seat, canvas.point(end), radius, colour);
        }
    }
}

/// The numbers by which sentences and plans name the cops, beside them, where there is room.
fn numbers(canvas: &Canvas, shown: &Shown<Cops>) {
    let cops = &shown.state().position.cops;
    if cops.len() < 2 || canvas.scale() < 16.0 {
        return;
    }
    let walked = shown.animation().map_or(0.0, |animation| walked(animation.time));
    let next = shown.next_state().map(|next| &next.position.cops).filter(|_| walked > 0.0);
    let size = (canvas.scale() * 0.4).clamp(10.0, 16.0);
    let palette = &canvas.palette;
    for (cop, &at) in cops.iter().enumerate() {
        let to = next.and_then(|next| next.get(cop)).map_or(at, |&to| to);
        let place = middle(at).lerp(middle(to), walked) + Vec2::new(-0.38, -0.38);
        let ground = palette.panel.egui_alpha(0.85);
        canvas.label(place, &(cop + 1).to_string(), size, palette.line(COPS).egui(), ground);
    }
}

/// A small arrow head on a line.
fn chevron(canvas: &Canvas, place: Vec2, way: Vec2, colour: Color32) {
    let way = way.normalize_or_zero();
    if way == Vec2::ZERO {
        return;
    }
    let size = (canvas.scale() * 0.13).clamp(2.5, 6.0);
    let at = canvas.point(place);
    let corner = |along: f32, across: f32| {
        at + egui::vec2(way.x * along - way.y * across, way.y * along + way.x * across) * size
    };
    let corners = vec![corner(1.0, 0.0), corner(-0.7, 0.9), corner(-0.7, -0.9)];
    let casing = Stroke::new(1.2, canvas.palette.casing.egui());
    canvas.painter.add(Shape::convex_polygon(corners, colour, casing));
}

/// The plan that was asked for as a hint.
fn hint(canvas: &Canvas, shown: &Shown<Cops>) {
    let (Some(orders), Some(seat)) = (shown.hint(), shown.person) else { return };
    let colour = canvas.palette.warn.egui();
    for (&from, steps) in players(&shown.state().position, seat).iter().zip(&orders.0) {
        let cells = walk(shown.game(), from, steps);
        dashed(canvas, &cells, colour);
    }
}

/// The plan in the making, and what a click would add to it.
fn drafting(canvas: &mut Canvas, shown: &Shown<Cops>, draft: &PlanDraft) {
    let own = players(&shown.state().position, draft.seat);
    reach(canvas, shown, draft);
    for (player, &from) in own.iter().enumerate() {
        planned_path(canvas, shown, draft, player, from);
    }
    let Some(cell) = canvas.hovered() else { return };
    let piece = own.iter().position(|&at| at == cell);
    if draft.seat == COPS
        && let Some(cop) = piece.filter(|&cop| cop != draft.chosen)
    {
        canvas.clickable = true;
        canvas.tooltip = Some(format!("Plan for cop {}", cop + 1));
        return;
    }
    preview(canvas, shown, draft, cell);
}

/// The cells that the chosen player can still get to in this plan.
fn reach(canvas: &mut Canvas, shown: &Shown<Cops>, draft: &PlanDraft) {
    let board = shown.game().board();
    let position = &shown.state().position;
    let from = players(position, draft.seat)[draft.chosen];
    let way = &draft.ways[draft.chosen];
    let room = board.rules().k - way.len() as u32;
    let end = walk(shown.game(), from, way).last().copied().unwrap_or(from);
    let floor = Grid::from_fn(board.width(), board.height(), |cell| board.is_floor(cell));
    let steps = distances(&floor, [end], &FOUR, |cell, &floor| {
        floor && !board.is_walled(&position.walls, cell)
    });
    let colour = faded(canvas.palette.text, if canvas.palette.dark { 0.12 } else { 0.09 });
    tint(canvas, steps.iter().filter(|(_, d)| **d <= room).map(|(cell, _)| (cell, colour)));
}

/// A player's planned path.
fn planned_path(
    canvas: &Canvas,
    shown: &Shown<Cops>,
    draft: &PlanDraft,
    player: usize,
    from: Cell,
) {
    let colour = canvas.palette.line(draft.seat).egui();
    let chosen = player == draft.chosen;
    if chosen {
        let radius = canvas.scale() * width(shown.game(), canvas.scale()) * 0.69;
        let at = canvas.at(from);
        let rings = [(5.0, canvas.palette.casing), (2.0, canvas.palette.text)];
        for (width, colour) in rings {
            canvas.painter.circle_stroke(at, radius, Stroke::new(width, colour.egui()));
        }
    }
    let steps = &draft.ways[player];
    if steps.is_empty() {
        return;
    }
    let shift = if draft.seat == THIEF { Vec2::ZERO } else { lane(player, draft.ways.len()) };
    let cells = walk(shown.game(), from, steps);
    let places: Vec<Vec2> = cells.iter().map(|&cell| middle(cell) + shift).collect();
    // The line begins beside the piece.
    let mut line = places.clone();
    line[0] = places[0].lerp(places[1], 0.45);
    let width = if chosen { 3.0 } else { 2.0 };
    canvas.line(line, width, colour);
    for (i, step) in steps.iter().enumerate() {
        if *step != Step::Stay && cells[i] == cells[i + 1] {
            // A push against a gate or the border.
            let out = Vec2::new(step.delta().x as f32, step.delta().y as f32);
            canvas.arrow(places[i], places[i] + out, width, colour);
        }
    }
    let text = canvas.palette.text.egui();
    for (n, &place) in places.iter().enumerate().skip(1) {
        // Whoever stays has several numbers on one cell; the last one counts.
        if places.get(n + 1) == Some(&place) {
            continue;
        }
        let at = canvas.point(place);
        let last = n == steps.len();
        let numbered = last || (chosen && canvas.scale() >= 24.0);
        let share = if last { 0.3 } else { 0.22 };
        let radius = (canvas.scale() * share).clamp(5.0, 11.0);
        if numbered {
            mark(canvas, draft.seat, at, radius, colour);
            let font = FontId::proportional((radius * 1.3).max(9.0));
            canvas.painter.text(at, Align2::CENTER_CENTER, n.to_string(), font, text);
        } else {
            let radius = (canvas.scale() * 0.1).clamp(2.5, 5.0);
            canvas.painter.circle_filled(at, radius, colour);
        }
    }
}

/// What a click on a cell would add.
fn preview(canvas: &mut Canvas, shown: &Shown<Cops>, draft: &PlanDraft, cell: Cell) {
    let board = shown.game().board();
    let steps = towards(shown, draft, cell);
    if steps.is_empty() {
        if draft.ways[draft.chosen].len() == board.rules().k as usize && board.is_floor(cell) {
            canvas.tooltip = Some("The plan is full: Enter carries it out".into());
        }
        return;
    }
    canvas.clickable = true;
    let colour = canvas.palette.line(draft.seat).egui();
    let from = players(&shown.state().position, draft.seat)[draft.chosen];
    let mut way = draft.ways[draft.chosen].clone();
    let planned = way.len();
    way.extend(&steps);
    let cells = walk(shown.game(), from, &way);
    dashed(canvas, &cells[planned..], colour);
    if steps == [Step::Stay] {
        canvas.tooltip = Some("Stay for a tick".into());
    }
}
