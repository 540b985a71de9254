//! Crashes: the car stops at the edge of the road and skids, splinters fly, and a cross stays.

use super::colours::{CASING, SIGNS};
use super::pieces::{angle, key};
use crate::app::drawing::{Sketch, faded, grain};
use crate::app::match_screen::{Canvas, Pose, Tweens, ease, middle};
use crate::app::shell::theme::{PALE, Rgb};
use bevy::math::Vec2;
use bevy_egui::egui::{Shape, Stroke, vec2};
use outwit_core::grid::{Cell, crossings};
use outwit_core::play::Seat;
use outwit_racetrack::rules::RaceEvent;

/// When the car comes to the edge, as a share of the turn.
const STOP: f32 = 0.5;
/// How long splinters fly, as a share of the turn.
const FLIGHT: f32 = 0.48;
/// How far splinters fly, in cells.
const REACH: f32 = 1.4;
/// How far beyond the edge the cross lies, in cells.
const BEYOND: f32 = 0.35;

/// A car that left the road.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CrashSite {
    /// Whose car.
    pub seat: Seat,
    /// The last cell on the road.
    cell: Cell,
    /// Where the car came from.
    from: Vec2,
    /// Where it crossed the border of the last cell.
    edge: Vec2,
}

impl CrashSite {
    fn way(&self) -> Vec2 {
        (self.edge - self.from).normalize_or_zero()
    }

    /// Where the car is at a time of the turn in which it crashes.
    pub fn place(&self, time: f32) -> Vec2 {
        self.from.lerp(self.edge, ease(time / STOP))
    }
}

/// How far a car is turned that came to rest here after a crash.
pub fn skid(cell: Cell) -> f32 {
    if (cell.x + cell.y) % 2 == 0 { 0.7 } else { -0.7 }
}

/// The crashes of a turn.
pub fn crashes(events: &[RaceEvent]) -> Vec<CrashSite> {
    let site = |event: &RaceEvent| {
        let &RaceEvent::Crashed { seat, at } = event else { return None };
        let (from, to) = events.iter().find_map(|event| match event {
            RaceEvent::Moved { seat: mover, from, to } if *mover == seat => Some((*from, *to)),
            _ => None,
        })?;
        let beyond = crossings(from, to).skip_while(|crossing| crossing.cell != at).nth(1);
        let share = beyond.map_or(1.0, |crossing| crossing.num as f32 / crossing.den as f32);
        let edge = middle(from).lerp(middle(to), share);
        Some(CrashSite { seat, cell: at, from: middle(from), edge })
    };
    events.iter().filter_map(site).collect()
}

/// A car that crashes skids at the edge, and ends on the last cell of the road.
pub fn tweens(events: &[RaceEvent], tweens: &mut Tweens) {
    for crash in crashes(events) {
        let Some((start, end)) = tweens.ends(key(crash.seat)) else { continue };
        let way = crash.way();
        let heading = angle(crash.way());
        let along = |share: f32, turn: f32| Pose {
            place: crash.from.lerp(crash.edge, share),
            angle: heading + turn * skid(crash.cell),
            ..start
        };
        let stopped = along(1.0, 0.8);
        let back = Pose { place: crash.edge - way * 0.12, angle: stopped.angle, ..start };
        let frames = vec![
            (0.0, start),
            (STOP * 0.75, along(0.8, 0.0)),
            (STOP, stopped),
            (STOP + 0.1, back),
            (1.0, end),
        ];
        tweens.set(key(crash.seat), frames);
    }
}

/// Dust on the ground, at a time of the turn.
pub fn dust(floor: &mut Sketch, crash: &CrashSite, time: f32, dark: bool) {
    let share = (time - STOP) / FLIGHT;
    if !(0.0..1.0).contains(&share) {
        return;
    }
    let way = crash.way();
    let colour = if dark { PALE } else { CASING };
    for n in 0..6 {
        let of = |purpose| grain(crash.cell.x * 8 + n, crash.cell.y, purpose);
        let out = Vec2::from_angle((of(30) - 0.5) * 2.4).rotate(way);
        let at = crash.edge + out * (0.15 + 0.55 * of(31)) * ease(share);
        let radius = 0.12 + 0.3 * share * (0.5 + of(32));
        floor.disc(at, radius, faded(colour, 0.5 * (1.0 - share)));
    }
}

/// Eight splinters that fly from the edge, at a time of the turn.
pub fn splinters(canvas: &Canvas, crash: &CrashSite, time: f32) {
    let share = (time - STOP) / FLIGHT;
    if !(0.0..1.0).contains(&share) {
        return;
    }
    let flown = 1.0 - (1.0 - share) * (1.0 - share);
    let size = (canvas.scale() * 0.2).max(4.0) * (1.0 - 0.5 * share);
    for n in 0..8 {
        let of = |purpose| grain(crash.cell.x * 8 + n, crash.cell.y, purpose);
        let out = Vec2::from_angle((n as f32 - 3.5) * 0.5 + of(33) - 0.5).rotate(crash.way());
        let at = canvas.point(crash.edge + out * REACH * (0.6 + 0.4 * of(34)) * flown);
        let turn = Vec2::from_angle(of(35) * 6.0 + 5.0 * flown) * size;
        let corners = [Vec2::new(1.0, 0.0), Vec2::new(-0.6, 0.5), Vec2::new(-0.5, -0.6)];
        let body = canvas.palette.side(crash.seat);
        let colour = if n % 3 == 2 { PALE } else { body };
        canvas.painter.add(Shape::convex_polygon(
            corners
                .map(|part| {
                    let by = part.rotate(turn);
                    at + vec2(by.x, by.y)
                })
                .to_vec(),
            colour.egui(),
            Stroke::new(1.0, CASING.egui()),
        ));
    }
}

/// The cross that stays where a car left the road.
pub fn cross(canvas: &Canvas, crash: &CrashSite) {
    let at = canvas.point(crash.edge + crash.way() * BEYOND);
    let half = (canvas.scale() * 0.2).clamp(3.5, 9.0);
    let lines = |width: f32, colour: Rgb| {
        for y in [-half, half] {
            let by = vec2(half, y);
            let stroke = Stroke::new(width, colour.egui());
            canvas.painter.line_segment([at - by, at + by], stroke);
        }
    };
    lines(5.0, CASING);
    lines(2.5, SIGNS.bad);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_car_stops_where_it_leaves_the_last_cell() {
        let seat = Seat(1);
        let (from, to) = (Cell::new(1, 1), Cell::new(5, 1));
        let events = [
            RaceEvent::Moved { seat: Seat(0), from: to, to: from },
            RaceEvent::Moved { seat, from, to },
            RaceEvent::Crashed { seat, at: Cell::new(2, 1) },
        ];
        let crashes = crashes(&events);
        assert_eq!(crashes.len(), 1);
        assert_eq!(crashes[0].edge, Vec2::new(3.0, 1.5));
        assert_eq!(crashes[0].place(0.0), Vec2::new(1.5, 1.5));
        assert_eq!(crashes[0].place(1.0), crashes[0].edge);
        assert!(super::crashes(&events[2..]).is_empty(), "nobody moved");
    }

    #[test]
    fn a_crash_ends_where_the_car_then_stands() {
        let seat = Seat(0);
        let events = [
            RaceEvent::Moved { seat, from: Cell::new(0, 0), to: Cell::new(3, 3) },
            RaceEvent::Crashed { seat, at: Cell::new(1, 1) },
        ];
        let mut moves = Tweens::default();
        let (start, end) = (Pose::at(Vec2::splat(0.5)), Pose::at(Vec2::splat(1.5)).scaled(0.8));
        moves.set(key(seat), vec![(0.0, start), (1.0, end)]);
        tweens(&events, &mut moves);
        assert_eq!(moves.pose(key(seat), 0.0), Some(start));
        assert_eq!(moves.pose(key(seat), 1.0), Some(end));
        let stopped = moves.pose(key(seat), STOP).map(|pose| pose.place);
        assert_eq!(stopped, Some(Vec2::splat(2.0)));
    }
}
