//! What is drawn over the track: trails, choices, overlays, review marks.

use super::{RaceUi, outlook, overlay, ready};
use crate::app::match_screen::{Canvas, Shown, middle};
use crate::app::shell::activity::POLL;
use crate::app::shell::theme::translucent;
use crate::app::shell::widgets::counted;
use bevy::math::Vec2;
use bevy_egui::egui::{Color32, Shape, Stroke, vec2};
use outwit_core::grid::{Cell, crossings};
use outwit_core::play::{Game, Heat, Seat};
use outwit_racetrack::exact::{ExactTable, Outlook};
use outwit_racetrack::rules::{Accelerate, CarStatus, Race, Racetrack};

/// How far from a choice a click still means it: so many cells, or points seen from afar.
const REACH: (f32, f32) = (0.75, 9.0);
/// Turns of a trail that are shown.
const TRAIL: usize = 400;

/// Draws the overlays that are on, the trails of the cars and the moves to choose from.
pub fn paint(canvas: &mut Canvas, shown: &Shown<Racetrack>, ui: &mut RaceUi) {
    let session = shown.session;
    ui.reach = REACH.0.max(REACH.1 / canvas.scale());
    if !ui.table.is_done() {
        canvas.painter.ctx().request_repaint_after(POLL);
    }
    if session.shows(overlay::HEAT) {
        heat(canvas, shown, ui);
    }
    numbers(canvas, ui);
    trails(canvas, shown, ui);
    if session.shows(overlay::GHOST) {
        ghosts(canvas, shown, ui);
    }
    intents(canvas, shown);
    if session.shows(overlay::LINE) {
        best_line(canvas, shown, ui);
    }
    velocities(canvas, shown);
    if let Some(seat) = shown.person {
        choices(canvas, shown, ui, seat);
    }
}

/// The numbers of the checkpoints.
fn numbers(canvas: &Canvas, ui: &RaceUi) {
    if canvas.scale() < 3.0 {
        return;
    }
    for (number, at) in &ui.checkpoints {
        let size = (canvas.scale() * 1.1).clamp(11.0, 22.0);
        let (text, ground) = (canvas.palette.text.egui(), canvas.palette.ground.egui_alpha(0.55));
        canvas.label(*at, &number.to_string(), size, text, ground);
    }
}

/// The cells where a car stood at the beginning and after each of its moves.
fn stations(states: &[Race], seat: Seat) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut turns = u32::MAX;
    for race in states {
        let car = race.cars[seat.index()];
        if car.turns != turns {
            turns = car.turns;
            cells.push(car.cell);
        }
    }
    cells
}

fn trails(canvas: &Canvas, shown: &Shown<Racetrack>, ui: &mut RaceUi) {
    let trails = ui.trails.get((shown.revision, shown.session.playback.view), || {
        let stations = |seat| {
            let cells = stations(shown.states(), seat);
            cells[cells.len().saturating_sub(TRAIL)..].to_vec()
        };
        shown.session.seats().map(stations).collect()
    });
    for (cells, seat) in trails.iter().zip((0..).map(Seat)) {
        let colour = canvas.palette.side(seat);
        canvas.line(cells.iter().map(|&cell| middle(cell)), 1.5, colour.egui_alpha(0.75));
        let radius = (canvas.scale() * 0.13).clamp(1.5, 3.5);
        for &cell in cells {
            if canvas.is_visible(cell) {
                canvas.painter.circle_filled(canvas.at(cell), radius, colour.egui());
            }
        }
    }
}

fn ghosts(canvas: &Canvas, shown: &Shown<Racetrack>, ui: &mut RaceUi) {
    let seat = shown.subject();
    // As far along as the race is now.
    let turn = shown.state().cars[seat.index()].turns as usize;
    if let Some(ghost) = shown.ghost
        && ghost.game().seats() > seat.index()
    {
        let cells = ui.ghost.get(seat, || stations(ghost.states(), seat));
        let colour = canvas.palette.text;
        canvas.line(cells.iter().map(|&cell| middle(cell)), 1.0, colour.egui_alpha(0.5));
        if let Some(&cell) = cells.get(turn).or(cells.last()) {
            let radius = canvas.scale().max(8.0) * 0.5;
            let stroke = Stroke::new(2.0, colour.egui());
            canvas.painter.circle_stroke(canvas.at(cell), radius, stroke);
        }
    }
    let Some(table) = ready(&ui.table) else { return };
    let game = shown.game();
    let cells = ui.perfect.get(seat, || {
        let start = shown.played.states()[0].cars[seat.index()].cell;
        driven(start, table.line(game.track(), start, Cell::default(), 0))
    });
    let colour = canvas.palette.good.egui();
    canvas.dashed(cells.iter().map(|&cell| middle(cell)), 1.0, colour);
    if let Some(&cell) = cells.get(turn).or(cells.last()) {
        let radius = canvas.scale().max(8.0) * 0.42;
        canvas.painter.circle_stroke(canvas.at(cell), radius, Stroke::new(2.0, colour));
    }
}

/// The cells that a car comes to by these velocities.
pub fn driven(from: Cell, velocities: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
    let mut cells = vec![from];
    for velocity in velocities {
        cells.push(cells[cells.len() - 1] + velocity);
    }
    cells
}

/// The planners' own pictures of the shown turn.
fn intents(canvas: &Canvas, shown: &Shown<Racetrack>) {
    let session = shown.session;
    let mut searched = session.shows(overlay::SEARCH) && !session.shows(overlay::HEAT);
    for seat in session.seats() {
        let racing = shown.state().cars[seat.index()].standing == CarStatus::Racing;
        let Some(insight) = shown.insight(seat).filter(|_| racing) else { continue };
        // One heat at a time is enough to look at.
        if let Some(heat) = insight.heats.first().filter(|_| searched) {
            canvas.heat(heat);
            searched = false;
        }
        if session.shows(overlay::INTENT) {
            canvas.insight(insight, canvas.palette.side(seat));
        }
    }
}

fn heat(canvas: &Canvas, shown: &Shown<Racetrack>, ui: &mut RaceUi) {
    let Some(table) = ready(&ui.table) else { return };
    let car = shown.state().cars[shown.subject().index()];
    let track = shown.game().track();
    let progress = car.progress.min(track.gates().saturating_sub(1));
    let heat = ui.heat.get(progress, || {
        let cells = track.surfaces().cells();
        let turns = |cell| Some((cell, table.least_turns(cell, progress)? as f32));
        Heat {
            label: "Turns to the finish",
            about: "The least number of turns to the finish from each cell, at any speed.",
            cells: cells.filter_map(turns).collect(),
        }
    });
    canvas.heat(heat);
}

fn best_line(canvas: &Canvas, shown: &Shown<Racetrack>, ui: &mut RaceUi) {
    let Some(table) = ready(&ui.table) else { return };
    let car = shown.state().cars[shown.subject().index()];
    if car.standing != CarStatus::Racing {
        return;
    }
    let track = shown.game().track();
    let cells = ui.line.get((car.cell, car.velocity, car.progress), || {
        driven(car.cell, table.line(track, car.cell, car.velocity, car.progress))
    });
    let colour = canvas.palette.good.egui();
    canvas.line(cells.iter().map(|&cell| middle(cell)), 1.5, colour);
    for &cell in &cells[1..] {
        canvas.painter.circle_stroke(
            canvas.at(cell),
            (canvas.scale() * 0.16).clamp(2.0, 4.5),
            Stroke::new(1.5, colour),
        );
    }
}

fn velocities(canvas: &Canvas, shown: &Shown<Racetrack>) {
    if shown.animation().is_some() || shown.is_at_end() {
        return;
    }
    for (car, seat) in shown.state().cars.iter().zip((0..).map(Seat)) {
        if car.standing == CarStatus::Racing && car.velocity != Cell::default() {
            let colour = canvas.palette.side(seat).egui_alpha(0.8);
            canvas.arrow(middle(car.cell), middle(car.cell + car.velocity), 2.0, colour);
        }
    }
}

/// The acceleration whose cell is nearest to a place, if it is within `reach` cells.
fn nearest(shown: &Shown<Racetrack>, seat: Seat, place: Vec2, reach: f32) -> Option<Accelerate> {
    let car = shown.state().cars[seat.index()];
    shown
        .game()
        .track()
        .accelerations()
        .map(|a| (a, middle(car.cell + car.velocity + a).distance(place)))
        .filter(|(_, distance)| *distance < reach)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(a, _)| Accelerate(a))
}

/// The choice that a click on a place means.
pub fn choice_at(
    shown: &Shown<Racetrack>,
    ui: &RaceUi,
    seat: Seat,
    place: Vec2,
) -> Option<Accelerate> {
    nearest(shown, seat, place, ui.reach)
        .filter(|action| shown.game().legal(shown.state(), seat, action).is_ok())
}

fn choices(canvas: &mut Canvas, shown: &Shown<Racetrack>, ui: &RaceUi, seat: Seat) {
    let table = ready(&ui.table);
    let (game, race) = (shown.game(), shown.state());
    let car = race.cars[seat.index()];
    let scale = canvas.scale();
    let near = canvas.pointer.and_then(|pointer| nearest(shown, seat, pointer, ui.reach));
    for a in game.track().accelerations() {
        let action = Accelerate(a);
        let to = car.cell + car.velocity + a;
        let legal = game.legal(race, seat, &action);
        let outlook = outlook(shown, table, seat, action);
        let hovered = near == Some(action);
        if hovered {
            way(canvas, game, car.cell, to, outlook);
        }
        mark(canvas, to, outlook, legal.is_ok(), hovered);
        if shown.hint().is_some_and(|(hinted, _)| *hinted == action) {
            let stroke = Stroke::new(2.5, canvas.palette.warn.egui());
            canvas.painter.circle_stroke(canvas.at(to), (scale * 0.5).max(9.0), stroke);
        }
        if hovered {
            canvas.clickable = legal.is_ok();
            canvas.tooltip = Some(match (&legal, outlook) {
                (Err(why), _) => format!("Not allowed: {why}"),
                (Ok(()), outlook) => words(shown, table, seat, car.velocity + a, outlook),
            });
        }
    }
}

/// What driving this velocity leads to, in words.
fn words(
    shown: &Shown<Racetrack>,
    table: Option<&ExactTable>,
    seat: Seat,
    driven: Cell,
    outlook: Option<Outlook>,
) -> String {
    let track = shown.game().track();
    let car = shown.state().cars[seat.index()];
    let best = table.and_then(|t| t.time(track, car.cell, car.velocity, car.progress));
    let total = table.and_then(|t| t.time_by(track, car.cell, driven, car.progress));
    let cost = match best.zip(total) {
        Some((best, total)) if total > best => {
            // The least that two decimal places can show, for ever smaller differences.
            let more = (total.in_turns() - best.in_turns()).max(0.01);
            format!(", {more:.2} turns more than needed")
        }
        Some(_) => ", as good as any".into(),
        None => String::new(),
    };
    match outlook {
        None => "On the track".into(),
        Some(Outlook::Finishes) => format!("Over the finish{cost}"),
        Some(Outlook::Leads(turns)) => {
            format!("{} to the finish from there at best{cost}", counted(turns, "turn"))
        }
        Some(Outlook::Doomed) => "A crash is unavoidable from there".into(),
        Some(Outlook::Crashes(None)) => "Off the track: the race is over".into(),
        Some(Outlook::Crashes(Some(_))) => format!("Off the track: stops and waits{cost}"),
    }
}

fn colour_of(canvas: &Canvas, outlook: Option<Outlook>) -> Color32 {
    match outlook {
        Some(Outlook::Finishes) => canvas.palette.goal.egui(),
        Some(Outlook::Doomed) => canvas.palette.warn.egui(),
        Some(Outlook::Crashes(_)) => canvas.palette.bad.egui(),
        Some(Outlook::Leads(_)) | None => canvas.palette.good.egui(),
    }
}

/// The crossed cells and the segment of a choice.
fn way(canvas: &Canvas, game: &Racetrack, from: Cell, to: Cell, outlook: Option<Outlook>) {
    let colour = colour_of(canvas, outlook);
    for crossing in crossings(from, to) {
        let road = game.track().is_road(crossing.cell);
        let tint = if road { colour } else { canvas.palette.bad.egui() };
        canvas.tint(crossing.cell, translucent(tint, 0.22));
        if !road {
            break;
        }
    }
    canvas.line([middle(from), middle(to)], 1.5, colour);
}

/// A landing cell: a dot for fine, a triangle for doomed, a cross for a crash, a flag for the finish.
pub fn mark(canvas: &Canvas, cell: Cell, outlook: Option<Outlook>, legal: bool, hovered: bool) {
    let at = canvas.at(cell);
    let size = (canvas.scale() * 0.30).clamp(4.0, 13.0) * if hovered { 1.3 } else { 1.0 };
    let colour = colour_of(canvas, outlook);
    if !legal {
        let faint = canvas.palette.faint.egui_alpha(0.5);
        canvas.painter.circle_stroke(at, size * 0.5, Stroke::new(1.0, faint));
        return;
    }
    glyph(&canvas.painter, at, size, outlook, colour, canvas.palette.board.egui());
}

/// The sign of an outlook, for the board and the legend.
pub fn glyph(
    painter: &bevy_egui::egui::Painter,
    at: bevy_egui::egui::Pos2,
    size: f32,
    outlook: Option<Outlook>,
    colour: Color32,
    ground: Color32,
) {
    let rim = Stroke::new(3.5, ground);
    let stroke = Stroke::new(2.0, colour);
    match outlook {
        Some(Outlook::Leads(_)) | None => {
            painter.circle(at, size * 0.75, colour, Stroke::new(1.5, ground));
        }
        Some(Outlook::Doomed) => {
            let corners = [vec2(0.0, -1.0), vec2(0.9, 0.7), vec2(-0.9, 0.7)];
            let points: Vec<_> = corners.iter().map(|&corner| at + corner * size).collect();
            painter.add(Shape::closed_line(points.clone(), rim));
            painter.add(Shape::closed_line(points, stroke));
        }
        Some(Outlook::Crashes(_)) => {
            for style in [rim, stroke] {
                for (x, y) in [(0.75, 0.75), (0.75, -0.75)] {
                    let half = vec2(x, y) * size;
                    painter.line_segment([at - half, at + half], style);
                }
            }
        }
        Some(Outlook::Finishes) => {
            let (foot, top) = (at + vec2(-0.6, 1.0) * size, at + vec2(-0.6, -1.0) * size);
            let flag = vec![top, top + vec2(1.5, 0.45) * size, top + vec2(0.0, 0.95) * size];
            painter.line_segment([foot, top], rim);
            painter.line_segment([foot, top], stroke);
            painter.add(Shape::convex_polygon(flag, colour, Stroke::new(1.0, ground)));
        }
    }
}
