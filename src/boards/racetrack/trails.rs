//! Where cars have been: two tyre marks that fade backwards, and a dot for each turn.

use super::colours::{CASING, Circuit};
use super::crash::{CrashSite, crashes};
use crate::app::drawing::{Sketch, faded, opaque};
use crate::app::match_screen::{Shown, middle};
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use outwit_racetrack::rules::{Race, Racetrack};

/// Turns of a trail that are shown.
const MOST: usize = 400;
/// Turns over which tyre marks fade.
const FADE: usize = 14;
/// Opacity of the newest and of old tyre marks.
const ALPHA: (f32, f32) = (0.85, 0.25);
/// Cells of fewer points are too small for tyre marks: a line in the colour of the side runs there.
const LEAST: f32 = 12.0;

/// The trails of all cars up to a turn.
#[derive(Default)]
pub struct Trails {
    /// What lies on the floor.
    pub floor: Sketch,
    /// Where cars left the road.
    pub crashes: Vec<CrashSite>,
}

/// The cells where a car stood at the beginning and after each of its moves.
pub fn stations(states: &[Race], seat: Seat) -> Vec<Cell> {
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

/// The trails up to the shown turn, where `scale` points show a cell.
pub fn trails(shown: &Shown<Racetrack>, scale: f32, side: impl Fn(Seat) -> Rgb) -> Trails {
    let colours = Circuit::of(true);
    let mut floor = Sketch::default();
    let ways: Vec<(Seat, Vec<Vec2>)> = shown
        .session
        .seats()
        .map(|seat| {
            let cells = stations(shown.states(), seat);
            let last = &cells[cells.len().saturating_sub(MOST)..];
            (seat, last.iter().map(|&cell| middle(cell)).collect())
        })
        .collect();
    for (seat, way) in &ways {
        if scale < LEAST {
            floor.line(way, 4.0 / scale, faded(CASING, 0.75));
            floor.line(way, 2.0 / scale, opaque(side(*seat)));
            continue;
        }
        for (age, pair) in way.windows(2).rev().enumerate() {
            marks(&mut floor, pair[0], pair[1], (fading(age + 1), fading(age)), &colours);
        }
    }
    if scale >= LEAST {
        for (seat, way) in &ways {
            let radius = (scale * 0.115).clamp(1.8, 3.6) / scale;
            for &at in way.iter().rev().skip(1) {
                floor.disc(at, radius + 1.3 / scale, opaque(CASING));
                floor.disc(at, radius, opaque(side(*seat)));
            }
        }
    }
    let turns = &shown.played.turns()[..shown.session.playback.view.min(shown.played.len())];
    let crashes = turns.iter().flat_map(|turn| crashes(&turn.events)).collect();
    Trails { floor, crashes }
}

/// Opacity of a mark that is so many turns old.
fn fading(age: usize) -> f32 {
    let share = (age as f32 / FADE as f32).min(1.0);
    ALPHA.0 + (ALPHA.1 - ALPHA.0) * share
}

/// What a move in motion leaves behind, up to where the car is.
pub fn marks_of_move(floor: &mut Sketch, scale: f32, from: Vec2, to: Vec2, side: Rgb) {
    if scale < LEAST {
        floor.line(&[from, to], 4.0 / scale, faded(CASING, 0.75));
        floor.line(&[from, to], 2.0 / scale, opaque(side));
    } else {
        marks(floor, from, to, (fading(0), fading(0)), &Circuit::of(true));
    }
}

/// Two tyre marks, with an opacity at the beginning and at the end.
fn marks(floor: &mut Sketch, from: Vec2, to: Vec2, (begin, end): (f32, f32), colours: &Circuit) {
    const APART: f32 = 0.15;
    const HALF: f32 = 0.055;
    let across = (to - from).normalize_or_zero().perp();
    let old = faded(colours.tyre, begin);
    let new = faded(colours.tyre, end);
    for side in [-APART, APART] {
        let left = across * (side - HALF);
        let right = across * (side + HALF);
        floor.shaded(&[
            (from + left, old),
            (to + left, new),
            (to + right, new),
            (from + right, old),
        ]);
    }
}
