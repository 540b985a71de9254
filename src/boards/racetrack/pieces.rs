//! The cars.

use super::crash::skid;
use crate::app::match_screen::{BoardPiece, PieceKey, PieceKind, PieceLook, Pose, Shade, middle};
use bevy::math::Vec2;
use bevy::prelude::{Component, Reflect, ReflectComponent};
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use outwit_racetrack::rules::{CarStatus, OutReason, Race};

/// A car.
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(opaque, Component, Debug)]
pub struct Car {
    /// Cells a turn, to the right and down.
    pub velocity: Cell,
    /// Whether it no longer races.
    pub is_out: bool,
}

/// The silhouette of each car.
pub const CARS: [&str; 6] = ["car", "car-2", "car-3", "car-4", "car-5", "car-6"];

/// Length of a car in cells.
const SIZE: f32 = 1.45;
/// Least length of a car in points.
const LEAST: f32 = 20.0;

/// The key of a seat's car.
pub fn key(seat: Seat) -> PieceKey {
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

/// How far a car is turned to head in a direction: the silhouettes look right.
pub fn angle(way: Vec2) -> f32 {
    if way == Vec2::ZERO { 0.0 } else { (-way.y).atan2(way.x) }
}

/// One car a seat.
pub fn pieces(past: &[Race], race: &Race) -> Vec<BoardPiece> {
    let car = |(index, car): (usize, &outwit_racetrack::Car)| {
        let seat = Seat(index as u8);
        let out = matches!(car.standing, CarStatus::Out(_));
        let crashed = car.waiting > 0 || car.standing == CarStatus::Out(OutReason::Crashed);
        let way = heading(past, race, seat);
        let heading = angle(Vec2::new(way.x as f32, way.y as f32));
        BoardPiece {
            key: key(seat),
            kind: PieceKind::of(Car { velocity: car.velocity, is_out: out }),
            look: PieceLook {
                rim: true,
                shade: Shade::Lying,
                lasting: true,
                ..PieceLook::person(CARS[index % CARS.len()], seat)
            },
            seat: Some(seat),
            pose: Pose {
                angle: heading + if crashed { skid(car.cell) } else { 0.0 },
                ..Pose::at(middle(car.cell)).scaled(if out { 0.85 } else { 1.0 })
            },
            size: SIZE,
            least: LEAST,
            layer: 10.0 + index as f32 * 0.1,
        }
    };
    race.cars.iter().enumerate().map(car).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::tests::kinds_follow_the_match;

    #[test]
    fn cars_are_found_in_the_world() {
        kinds_follow_the_match::<(Car,)>("racetrack", &["car"]);
    }

    #[test]
    fn cars_head_where_they_go() {
        assert_eq!(angle(Vec2::ZERO), 0.0);
        assert_eq!(angle(Vec2::X), 0.0);
        assert!((angle(Vec2::NEG_Y) - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
    }
}
