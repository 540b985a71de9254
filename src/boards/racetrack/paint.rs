//! What is drawn over the track: numbers, trails, choices, overlays.

use super::colours::{CASING, Circuit, SIGNS, outlook_colour};
use super::trails::{marks_of_move, stations, trails};
use super::{RaceUi, asked, crash, keys, outlook, overlay, ready};
use crate::app::drawing::faded;
use crate::app::match_screen::{AnalysisView, Animation, Canvas, Shown, middle};
use crate::app::shell::activity::POLL;
use crate::app::shell::fonts;
use crate::app::shell::keyboard::Printed;
use crate::app::shell::theme::Palette;
use crate::app::shell::widgets::counted;
use bevy::math::Vec2;
use bevy_egui::egui::{Align2, FontFamily, FontId, Id, Shape, Stroke, vec2};
use outwit_core::grid::{Cell, crossings};
use outwit_core::play::{Game, Heat, Seat};
use outwit_racetrack::exact::{ExactTable, LineMove, MoveOutlook};
use outwit_racetrack::rules::{Accelerate, CarStatus, Racetrack};
use std::iter;

/// How far from a choice a click still means it: so many cells, or points seen from afar.
const REACH: (f32, f32) = (0.75, 9.0);

/// Seconds in which the winner's run is drawn once more.
const RUN_SECONDS: f32 = 1.6;

/// Points a cell below which letters beside the choices would cover them.
const LEAST_FOR_LETTERS: f32 = 16.0;

/// Draws the overlays that are on, the trails of the cars and the moves to choose from.
pub fn paint(canvas: &mut Canvas, shown: &Shown<Racetrack>, ui: &mut RaceUi) {
    let session = shown.session;
    let theme = canvas.palette;
    canvas.palette = Palette { dark: theme.dark, ..SIGNS };
    ui.reach = REACH.0.max(REACH.1 / canvas.scale());
    if !ui.table.is_done() {
        canvas.painter.ctx().request_repaint_after(POLL);
    }
    if session.shows(overlay::HEAT) {
        heat(canvas, shown, ui);
    }
    searched(canvas, shown);
    driven_ways(canvas, shown, ui);
    numbers(canvas, ui);
    if session.shows(overlay::GHOST) {
        ghosts(canvas, shown, ui);
    }
    intents(canvas, shown);
    if session.shows(overlay::LINE) {
        best_line(canvas, shown, ui);
    }
    velocities(canvas, shown);
    winning_run(canvas, shown);
    if let Some(seat) = shown.person {
        choices(canvas, shown, ui, seat);
    }
    canvas.palette = theme;
}

/// The numbers of the checkpoints, on discs beside the road.
fn numbers(canvas: &Canvas, ui: &RaceUi) {
    if canvas.scale() < 3.0 {
        return;
    }
    let fill = Circuit::of(canvas.palette.dark).mark.egui();
    let radius = (canvas.scale() * 0.42).clamp(7.5, 15.0);
    for gate in &ui.checkpoints {
        let at = canvas.point(gate.edge) + vec2(gate.out.x, gate.out.y) * (radius + 5.0);
        canvas.painter.circle(at, radius, fill, Stroke::new(1.6, CASING.egui()));
        let font = FontId::new(radius * 1.3, FontFamily::Name(fonts::SEMI_BOLD.into()));
        let words = gate.number.to_string();
        canvas.painter.text(at, Align2::CENTER_CENTER, words, font, CASING.egui());
    }
}

/// Trails of the cars, and what crashes leave behind.
fn driven_ways(canvas: &mut Canvas, shown: &Shown<Racetrack>, ui: &mut RaceUi) {
    let scale = canvas.scale();
    let palette = canvas.palette;
    let key = (shown.revision, shown.session.playback.view, scale);
    let driven = ui.trails.get(key, || trails(shown, scale, |seat| palette.side(seat)));
    canvas.floor.add(&driven.floor, |at| at);
    for crash in &driven.crashes {
        crash::cross(canvas, crash);
    }
    if let (Some(animation), Some(turn)) = (shown.animation(), shown.turn()) {
        let crashes = crash::crashes(&turn.events);
        moving(canvas, shown, animation, &crashes);
        // Whoever asked for less motion sees only the end of it.
        if canvas.moves() {
            for crash in &crashes {
                crash::dust(&mut canvas.floor, crash, animation.time, palette.dark);
                crash::splinters(canvas, crash, animation.time);
            }
        }
    }
}

/// The trail of the turn in motion, up to the cars.
fn moving(
    canvas: &mut Canvas,
    shown: &Shown<Racetrack>,
    animation: Animation,
    crashes: &[crash::CrashSite],
) {
    let Some(next) = shown.next_state() else { return };
    for (seat, (car, after)) in (0..).map(Seat).zip(shown.state().cars.iter().zip(&next.cars)) {
        let from = middle(car.cell);
        let to = middle(after.cell);
        let place = match crashes.iter().find(|crash| crash.seat == seat) {
            Some(crash) => crash.place(animation.time),
            None => from.lerp(to, animation.done),
        };
        if place != from {
            let side = canvas.palette.side(seat);
            marks_of_move(&mut canvas.floor, canvas.view.scale, from, place, side);
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
        let colour = SIGNS.text;
        canvas.line(cells.iter().map(|&cell| middle(cell)), 1.0, colour.egui_alpha(0.8));
        if let Some(&cell) = cells.get(turn).or(cells.last()) {
            canvas.ring(cell, canvas.scale().max(8.0) * 0.5, 2.0, colour.egui());
        }
    }
    let Some(table) = ready(&ui.table) else { return };
    let game = shown.game();
    let cells = ui.perfect.get(seat, || {
        let start = shown.played.states()[0].cars[seat.index()].cell;
        driven(start, &table.line(game.track(), start, Cell::default(), 0))
    });
    let colour = SIGNS.good.egui();
    let places = cells.iter().map(|&cell| middle(cell));
    canvas.dashed(places, 1.2, colour);
    if let Some(&cell) = cells.get(turn).or(cells.last()) {
        canvas.ring(cell, canvas.scale().max(8.0) * 0.42, 2.0, colour);
    }
}

fn driven(from: Cell, line: &[LineMove]) -> Vec<Cell> {
    iter::once(from).chain(line.iter().map(|made| made.cell)).collect()
}

/// What a planner of a racing car looked at: one heat at a time is enough to look at.
fn searched(canvas: &mut Canvas, shown: &Shown<Racetrack>) {
    let session = shown.session;
    if !session.shows(overlay::SEARCH) || session.shows(overlay::HEAT) {
        return;
    }
    let mut insights = session
        .seats()
        .filter(|seat| shown.state().cars[seat.index()].standing == CarStatus::Racing)
        .filter_map(|seat| shown.insight(seat));
    if let Some(heat) = insights.find_map(|insight| insight.heats.first()) {
        canvas.heat(heat);
    }
}

/// Where the planners mean to go from the shown turn.
fn intents(canvas: &Canvas, shown: &Shown<Racetrack>) {
    if !shown.session.shows(overlay::INTENT) {
        return;
    }
    for seat in shown.session.seats() {
        let racing = shown.state().cars[seat.index()].standing == CarStatus::Racing;
        let Some(insight) = shown.insight(seat).filter(|_| racing) else { continue };
        canvas.insight(insight, canvas.palette.side(seat));
    }
}

fn heat(canvas: &mut Canvas, shown: &Shown<Racetrack>, ui: &mut RaceUi) {
    let Some(table) = ready(&ui.table) else { return };
    let car = shown.state().cars[shown.subject().index()];
    let track = shown.game().track();
    let progress = car.progress.min(track.gates().saturating_sub(1));
    let heat = ui.heat.get(progress, || {
        let cells = track.surfaces().cells();
        Heat {
            label: "Turns to the finish".into(),
            about: "The least number of turns to the finish from each cell, at any speed.".into(),
            cells: cells
                .filter_map(|cell| Some((cell, table.least_turns(cell, progress)? as f32)))
                .collect(),
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
        driven(car.cell, &table.line(track, car.cell, car.velocity, car.progress))
    });
    let colour = SIGNS.good.egui();
    canvas.line(cells.iter().map(|&cell| middle(cell)), 1.5, colour);
    for &cell in &cells[1..] {
        canvas.ring(cell, (canvas.scale() * 0.16).clamp(2.0, 4.5), 1.5, colour);
    }
}

/// The winner's run once more, from its start to the finish, as soon as the end is shown.
fn winning_run(canvas: &Canvas, shown: &Shown<Racetrack>) {
    let is_over = shown.is_at_end();
    let seconds = if is_over && canvas.moves() { RUN_SECONDS } else { 0.0 };
    let id = Id::new(("winning run", shown.session.config.seed));
    let driven = canvas.painter.ctx().animate_bool_with_time(id, is_over, seconds);
    if !is_over || driven >= 1.0 {
        return;
    }
    let Some(outcome) = shown.played.outcome() else { return };
    let mut places = outcome.places.iter().zip((0..).map(Seat));
    let winner = places.find(|(place, _)| place.rank == 1 && place.score.is_some());
    let Some((_, seat)) = winner else { return };
    let cells = stations(shown.states(), seat);
    let way: Vec<Vec2> = cells.iter().map(|&cell| middle(cell)).collect();
    // A car that was fast then is fast now.
    let at = driven * way.len().saturating_sub(1) as f32;
    let passed = at as usize;
    let Some((&from, &to)) = way.get(passed).zip(way.get(passed + 1)) else { return };
    let head = from.lerp(to, at.fract());
    let points = || way[..=passed].iter().copied().chain([head]);
    canvas.line(points(), 6.0, CASING.egui());
    canvas.line(points(), 3.5, canvas.palette.side(seat).egui());
    let radius = (canvas.scale() * 0.3).clamp(4.0, 9.0);
    canvas.painter.circle(
        canvas.point(head),
        radius,
        canvas.palette.side(seat).egui(),
        Stroke::new(2.0, CASING.egui()),
    );
}

fn velocities(canvas: &Canvas, shown: &Shown<Racetrack>) {
    if shown.animation().is_some()
        || shown.is_at_end()
        || shown.session.analysis_view() == AnalysisView::Event
    {
        return;
    }
    for (car, seat) in shown.state().cars.iter().zip((0..).map(Seat)) {
        if car.standing == CarStatus::Racing && car.velocity != Cell::default() {
            let colour = canvas.palette.side(seat).egui();
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
    let game = shown.game();
    let race = shown.state();
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
        if shown.session.is_new_to_game && legal.is_ok() {
            letter(canvas, to, action);
        }
        if asked(shown, ui) == Some(action) {
            canvas.ring(to, (scale * 0.5).max(9.0), 2.5, SIGNS.bad.egui());
        }
        if shown.hint() == Some(&action) {
            canvas.ring(to, (scale * 0.5).max(9.0), 2.5, SIGNS.warn.egui());
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

/// The key of a choice, beside its dot.
fn letter(canvas: &Canvas, to: Cell, action: Accelerate) {
    let scale = canvas.scale();
    let printed = Printed::of(canvas.painter.ctx());
    let Some(letter) = keys::letter(action, &printed).filter(|_| scale >= LEAST_FOR_LETTERS) else {
        return;
    };
    let at = canvas.at(to) + vec2(0.4, -0.4) * scale;
    let size = (scale * 0.42).clamp(9.0, 15.0);
    let font = FontId::new(size, FontFamily::Name(fonts::SEMI_BOLD.into()));
    canvas.painter.circle_filled(at, size * 0.62, CASING.egui_alpha(0.75));
    canvas.painter.text(at, Align2::CENTER_CENTER, letter, font, SIGNS.text.egui());
}

/// What driving this velocity leads to, in words.
fn words(
    shown: &Shown<Racetrack>,
    table: Option<&ExactTable>,
    seat: Seat,
    driven: Cell,
    outlook: Option<MoveOutlook>,
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
        Some(MoveOutlook::Finishes) => format!("Over the finish{cost}"),
        Some(MoveOutlook::Leads(turns)) => {
            format!("{} to the finish from there at best{cost}", counted(turns, "turn"))
        }
        Some(MoveOutlook::Doomed) => "A crash is unavoidable from there".into(),
        Some(MoveOutlook::Crashes(after)) => {
            let what = match track.meets_sand(car.cell, driven) {
                true => "Too fast for the sand",
                false => "Off the track",
            };
            match after {
                None => format!("{what}: the race is over"),
                Some(_) => format!("{what}: stops and waits{cost}"),
            }
        }
    }
}

/// The crossed cells and the segment of a choice.
fn way(canvas: &mut Canvas, game: &Racetrack, from: Cell, to: Cell, outlook: Option<MoveOutlook>) {
    let colour = outlook_colour(outlook);
    for crossing in crossings(from, to) {
        let road = game.track().is_road(crossing.cell);
        let tint = if road { colour } else { SIGNS.bad };
        let low = Vec2::new(crossing.cell.x as f32, crossing.cell.y as f32);
        canvas.floor.rect(low, low + 1.0, faded(tint, 0.3));
        if !road {
            break;
        }
    }
    canvas.line([middle(from), middle(to)], 1.5, colour.egui());
}

/// A landing cell: a dot for fine, a triangle for doomed, a cross for a crash, a flag for the finish.
pub fn mark(canvas: &Canvas, cell: Cell, outlook: Option<MoveOutlook>, legal: bool, hovered: bool) {
    let at = canvas.at(cell);
    let size = (canvas.scale() * 0.30).clamp(4.0, 13.0) * if hovered { 1.3 } else { 1.0 };
    if !legal {
        canvas.ring(cell, size * 0.5, 1.0, SIGNS.faint.egui());
        return;
    }
    glyph(&canvas.painter, at, size, outlook);
}

/// The sign of an outlook, for the board and the legend.
pub fn glyph(
    painter: &bevy_egui::egui::Painter,
    at: bevy_egui::egui::Pos2,
    size: f32,
    outlook: Option<MoveOutlook>,
) {
    let colour = outlook_colour(outlook).egui();
    let ground = CASING.egui();
    let rim = Stroke::new(4.0, ground);
    let stroke = Stroke::new(2.0, colour);
    match outlook {
        Some(MoveOutlook::Leads(_)) | None => {
            painter.circle(at, size * 0.75, colour, Stroke::new(1.5, ground));
        }
        Some(MoveOutlook::Doomed) => {
            let corners = [vec2(0.0, -1.0), vec2(0.9, 0.7), vec2(-0.9, 0.7)];
            let points: Vec<_> = corners.iter().map(|&corner| at + corner * size).collect();
            painter.add(Shape::closed_line(points.clone(), rim));
            painter.add(Shape::closed_line(points, stroke));
        }
        Some(MoveOutlook::Crashes(_)) => {
            for style in [rim, stroke] {
                for (x, y) in [(0.75, 0.75), (0.75, -0.75)] {
                    let half = vec2(x, y) * size;
                    painter.line_segment([at - half, at + half], style);
                }
            }
        }
        Some(MoveOutlook::Finishes) => {
            let foot = at + vec2(-0.6, 1.0) * size;
            let top = at + vec2(-0.6, -1.0) * size;
            let flag = vec![top, top + vec2(1.5, 0.45) * size, top + vec2(0.0, 0.95) * size];
            painter.line_segment([foot, top], rim);
            painter.line_segment([foot, top], stroke);
            painter.add(Shape::convex_polygon(flag, colour, Stroke::new(1.0, ground)));
        }
    }
}
