//! What is drawn over the track: trails, choices, overlays, review marks.

use super::{outlook, overlay, table};
use crate::app::match_screen::{Canvas, Session, middle};
use crate::app::shell::activity::POLL;
use crate::app::shell::theme::Rgb;
use crate::app::shell::widgets::counted;
use crate::games::racetrack::exact::Outlook;
use crate::games::racetrack::rules::{Accelerate, CarStatus, Race, Racetrack};
use crate::grid::{Cell, crossings};
use crate::play::{Game, Heat, Insight, Player, Seat};
use bevy_egui::egui::{Color32, Shape, Stroke, vec2};

/// Turns of a trail that are shown.
const TRAIL: usize = 400;

fn side(canvas: &Canvas, seat: Seat) -> Rgb {
    canvas.palette.sides[seat.index() % canvas.palette.sides.len()]
}

/// Paints everything; returns the choice under the pointer.
pub fn paint(canvas: &mut Canvas, session: &Session<Racetrack>) -> Option<Accelerate> {
    if !session.cache.table.is_done() {
        canvas.painter.ctx().request_repaint_after(POLL);
    }
    let seat = session.human_to_move();
    if session.shows(overlay::HEAT) {
        heat(canvas, session, seat);
    }
    numbers(canvas, session);
    trails(canvas, session);
    if session.shows(overlay::GHOST) {
        ghosts(canvas, session);
    }
    intents(canvas, session);
    if session.shows(overlay::LINE) {
        best_line(canvas, session, seat);
    }
    worst_moves(canvas, session);
    velocities(canvas, session);
    choices(canvas, session, seat?)
}

/// The numbers of the checkpoints.
fn numbers(canvas: &Canvas, session: &Session<Racetrack>) {
    if canvas.scale() < 3.0 {
        return;
    }
    for (number, at) in &session.cache.checkpoints {
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

fn trails(canvas: &Canvas, session: &Session<Racetrack>) {
    let states = &session.played().states()[..=session.view.min(session.played().len())];
    for seat in (0..session.config.players.len() as u8).map(Seat) {
        let cells = stations(states, seat);
        let cells = &cells[cells.len().saturating_sub(TRAIL)..];
        let colour = side(canvas, seat);
        canvas.line(cells.iter().map(|&cell| middle(cell)), 1.5, colour.egui_alpha(0.75));
        let radius = (canvas.scale() * 0.13).clamp(1.5, 3.5);
        for &cell in cells {
            if canvas.is_visible(cell) {
                canvas.painter.circle_filled(canvas.at(cell), radius, colour.egui());
            }
        }
    }
}

fn ghosts(canvas: &Canvas, session: &Session<Racetrack>) {
    if let Some(ghost) = &session.ghost {
        let seat = subject(session, None);
        if ghost.game().seats() > seat.index() {
            let cells = session.cache.ghost.get(seat, || stations(ghost.states(), seat));
            let colour = canvas.palette.text;
            canvas.line(cells.iter().map(|&cell| middle(cell)), 1.0, colour.egui_alpha(0.5));
            // As far along as the race is now.
            let turn = session.state().cars[seat.index()].turns as usize;
            if let Some(&cell) = cells.get(turn).or(cells.last()) {
                let stroke = Stroke::new(2.0, colour.egui());
                canvas.painter.circle_stroke(
                    canvas.at(cell),
                    canvas.scale().max(8.0) * 0.5,
                    stroke,
                );
            }
        }
    }
    let Some(table) = table(session) else { return };
    let (game, seat) = (session.game(), subject(session, None));
    let cells = session.cache.perfect.get(seat, || {
        let start = game.grid()[seat.index()];
        driven(start, table.line(game.track(), start, Cell::default(), 0))
    });
    let colour = canvas.palette.good.egui();
    canvas.dashed(cells.iter().map(|&cell| middle(cell)), 1.0, colour);
    let turn = session.state().cars[seat.index()].turns as usize;
    if let Some(&cell) = cells.get(turn).or(cells.last()) {
        let radius = canvas.scale().max(8.0) * 0.42;
        canvas.painter.circle_stroke(canvas.at(cell), radius, Stroke::new(2.0, colour));
    }
}

/// The cells that a car comes to by these velocities.
fn driven(from: Cell, velocities: Vec<Cell>) -> Vec<Cell> {
    let mut cells = vec![from];
    for velocity in velocities {
        cells.push(cells[cells.len() - 1] + velocity);
    }
    cells
}

fn intents(canvas: &Canvas, session: &Session<Racetrack>) {
    let mut searched = session.shows(overlay::SEARCH) && !session.shows(overlay::HEAT);
    for seat in (0..session.config.players.len() as u8).map(Seat) {
        let racing = session.state().cars[seat.index()].standing == CarStatus::Racing;
        let planner = matches!(session.config.players[seat.index()], Player::Planner(_));
        if racing && planner && session.is_at_present() {
            let mut insight = session.referee.insight(seat);
            if !session.shows(overlay::INTENT) {
                insight = Insight { heat: insight.heat, ..Insight::default() };
            }
            // One heat at a time is enough to look at.
            insight.heat = insight.heat.filter(|_| std::mem::take(&mut searched));
            canvas.insight(&insight, side(canvas, seat));
        }
    }
}

/// The car that overlays speak of: the person's, or the reviewed one.
fn subject(session: &Session<Racetrack>, seat: Option<Seat>) -> Seat {
    seat.or_else(|| session.humans.first().copied()).unwrap_or(session.reviewed)
}

fn heat(canvas: &Canvas, session: &Session<Racetrack>, seat: Option<Seat>) {
    let Some(table) = table(session) else { return };
    let car = session.state().cars[subject(session, seat).index()];
    let track = session.game().track();
    let progress = car.progress.min(track.gates().saturating_sub(1));
    let heat = session.cache.heat.get(progress, || {
        let cells = track.surfaces().cells();
        let turns = |cell| Some((cell, table.least_turns(cell, progress)? as f32));
        Heat { label: "turns to the finish", cells: cells.filter_map(turns).collect() }
    });
    canvas.heat(&heat);
}

fn best_line(canvas: &Canvas, session: &Session<Racetrack>, seat: Option<Seat>) {
    let Some(table) = table(session) else { return };
    let car = session.state().cars[subject(session, seat).index()];
    if car.standing != CarStatus::Racing {
        return;
    }
    let track = session.game().track();
    let cells = session.cache.line.get((car.cell, car.velocity, car.progress), || {
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

/// The moves that cost most, once they are known.
fn worst_moves(canvas: &mut Canvas, session: &Session<Racetrack>) {
    if session.outcome().is_none() && session.tab != crate::app::match_screen::Tab::Review {
        return;
    }
    let Some(review) = session.reviewed_moves() else { return };
    for (rank, made) in review.worst(3).iter().enumerate() {
        let (at, radius) = (canvas.at(made.cell), canvas.scale().max(14.0) * 0.75);
        let colour = canvas.palette.bad.egui();
        canvas.painter.circle(
            at,
            radius,
            canvas.palette.board.egui_alpha(0.35),
            Stroke::new(2.0, colour),
        );
        let near = canvas
            .pointer
            .is_some_and(|pointer| pointer.distance(middle(made.cell)) * canvas.scale() < radius);
        if near && session.view != made.turn {
            canvas.jump = Some(made.turn);
            canvas.tooltip = Some(format!("{}: look at it", made.note));
        }
        let tag = canvas.view.to_board(at + vec2(radius * 0.9, -radius * 0.9));
        canvas.label(tag, &(rank + 1).to_string(), 13.0, canvas.palette.on_accent.egui(), colour);
    }
}

fn velocities(canvas: &Canvas, session: &Session<Racetrack>) {
    if session.animation().is_some() || session.outcome().is_some() {
        return;
    }
    for (index, car) in session.state().cars.iter().enumerate() {
        if car.standing == CarStatus::Racing && car.velocity != Cell::default() {
            let colour = side(canvas, Seat(index as u8)).egui_alpha(0.8);
            canvas.arrow(middle(car.cell), middle(car.cell + car.velocity), 2.0, colour);
        }
    }
}

fn choices(canvas: &mut Canvas, session: &Session<Racetrack>, seat: Seat) -> Option<Accelerate> {
    let (game, race) = (session.game(), session.state());
    let car = race.cars[seat.index()];
    let scale = canvas.scale();
    // The choice whose cell is nearest to the pointer, if it is near.
    let near = canvas.pointer.and_then(|pointer| {
        game.track()
            .accelerations()
            .map(|a| (a, middle(car.cell + car.velocity + a).distance(pointer)))
            .filter(|(_, distance)| *distance < 0.75_f32.max(9.0 / scale))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(a, _)| Accelerate(a))
    });
    let hint = session.hint.as_ref().filter(|(turn, ..)| *turn == session.view);
    for a in game.track().accelerations() {
        let action = Accelerate(a);
        let to = car.cell + car.velocity + a;
        let legal = game.legal(race, seat, &action);
        let outlook = outlook(session, seat, action);
        let hovered = near == Some(action);
        if hovered {
            way(canvas, game, car.cell, to, outlook);
        }
        mark(canvas, to, outlook, legal.is_ok(), hovered);
        if hint.is_some_and(|(_, hinted, _)| *hinted == action) {
            let stroke = Stroke::new(2.5, canvas.palette.warn.egui());
            canvas.painter.circle_stroke(canvas.at(to), (scale * 0.5).max(9.0), stroke);
        }
        if hovered {
            canvas.tooltip = Some(match (&legal, outlook) {
                (Err(why), _) => format!("Not allowed: {why}"),
                (Ok(()), outlook) => words(session, seat, outlook),
            });
        }
    }
    near.filter(|action| game.legal(race, seat, action).is_ok())
}

/// What a choice leads to, in words.
fn words(session: &Session<Racetrack>, seat: Seat, outlook: Option<Outlook>) -> String {
    let penalty = session.game().track().penalty();
    let car = session.state().cars[seat.index()];
    let best = table(session).and_then(|t| t.turns(car.cell, car.velocity, car.progress));
    let cost = |total: u32| match best {
        Some(best) if total > best => format!(", {} more than needed", total - best),
        Some(_) => ", as good as any".into(),
        None => String::new(),
    };
    match outlook {
        None => "On the track".into(),
        Some(Outlook::Finishes) => "Over the finish".into(),
        Some(outlook @ Outlook::Leads(turns)) => {
            let total = outlook.total(penalty).unwrap_or(turns);
            let turns = counted(turns, "turn");
            format!("{turns} to the finish from there at best{}", cost(total))
        }
        Some(Outlook::Doomed) => "From there no way avoids a crash".into(),
        Some(Outlook::Crashes(None)) => "Off the track: the race is over".into(),
        Some(outlook @ Outlook::Crashes(Some(_))) => {
            let total = outlook.total(penalty).unwrap_or(0);
            format!("Off the track: stops and waits{}", cost(total))
        }
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
        canvas.tint(crossing.cell, tint.gamma_multiply(0.22));
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
        let faint = canvas.palette.faint.egui().gamma_multiply(0.5);
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
