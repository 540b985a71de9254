//! The cars, and how they crash.

use crate::app::match_screen::{BoardPiece, Ink, PieceKey, PieceLook, Pose, Tweens, middle};
use bevy::math::Vec2;
use outwit_core::grid::{Cell, crossings};
use outwit_core::play::Seat;
use outwit_racetrack::rules::{CarStatus, Race, RaceEvent};

/// The silhouette of each car.
pub const CARS: [&str; 6] = ["car", "car-2", "car-3", "car-4", "car-5", "car-6"];

/// Width of a car in cells.
const SIZE: f32 = 1.35;
/// Least width of a car in points.
const LEAST: f32 = 15.0;

fn key(seat: Seat) -> PieceKey {
    PieceKey("car", u32::from(seat.0))
}

/// Where a car heads: its velocity, or after a stop where it came from.
fn heading(past: &[Race], race: &Race, seat: Seat) -> Cell {
    let car = race.cars[seat.index()];
    let before = past.iter().rev().map(|race| race.cars[seat.index()]);
    let came = |from: Cell| car.cell - from;
    std::iter::once(car.velocity)
        .chain(before.flat_map(|old| [came(old.cell), old.velocity]))
        .find(|way| *way != Cell::default())
        .unwrap_or_default()
}

fn angle(way: Cell) -> f32 {
    (-way.y as f32).atan2(way.x as f32)
}

/// One car a seat.
pub fn pieces(past: &[Race], race: &Race) -> Vec<BoardPiece> {
    let car = |(index, car): (usize, &outwit_racetrack::Car)| {
        let seat = Seat(index as u8);
        let out = matches!(car.standing, CarStatus::Out(_));
        BoardPiece {
            key: key(seat),
            look: PieceLook {
                shape: CARS[index % CARS.len()],
                body: Ink::Side(seat),
                mark: Ink::Board,
                rim: 1.19,
                tile: None,
            },
            seat: Some(seat),
            pose: Pose {
                angle: angle(heading(past, race, seat)),
                ..Pose::at(middle(car.cell)).scaled(if out { 0.8 } else { 1.0 })
            },
            size: SIZE,
            least: LEAST,
            layer: 10.0 + index as f32 * 0.1,
        }
    };
    race.cars.iter().enumerate().map(car).collect()
}

/// A car that crashes runs a little off the track, to the border of the cell beyond, and shakes.
pub fn crash(events: &[RaceEvent], tweens: &mut Tweens) {
    for event in events {
        let RaceEvent::Crashed { seat, at } = event else { continue };
        let moved = events.iter().find_map(|event| match event {
            RaceEvent::Moved { seat: mover, from, to } if mover == seat => Some((*from, *to)),
            _ => None,
        });
        let (Some((from, to)), Some((start, _))) = (moved, tweens.ends(key(*seat))) else {
            continue;
        };
        let beyond = crossings(from, to).skip_while(|crossing| crossing.cell != *at).nth(1);
        let share = beyond.map_or(1.0, |crossing| crossing.num as f32 / crossing.den as f32 + 0.02);
        let place = middle(from).lerp(middle(to), share);
        let off = Pose { place, angle: angle(to - from), ..start };
        let mut frames = vec![(0.0, start), (0.55, off)];
        for (step, by) in [(1.0_f32, 0.06_f32), (2.0, -0.05), (3.0, 0.04), (4.0, -0.02)] {
            let shaken = off.moved(Vec2::splat(by)).scaled(1.0 - 0.08 * step);
            frames.push((0.55 + 0.1 * step, shaken));
        }
        frames.push((1.0, off.scaled(0.65)));
        tweens.set(key(*seat), frames);
    }
}
