//! The worker and the crates.

use super::colours::Warehouse;
use crate::app::drawing::{Detail, Sketch, faded, mixed, opaque};
use crate::app::match_screen::{
    BoardPiece, Brush, PieceKey, PieceKind, PieceLook, Pose, Shade, Tweens, middle,
};
use crate::app::shell::theme::INK;
use bevy::math::Vec2;
use bevy::prelude::{Component, Reflect, ReflectComponent};
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use outwit_pukoban::{Pukoban, PukobanEvent, PukobanState};
use std::f32::consts::FRAC_PI_2;

/// The one who pushes and pulls.
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(Component)]
pub struct Worker;

/// What is pushed and pulled.
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(Component)]
pub struct Crate {
    /// Whether it stands on a goal.
    pub is_home: bool,
}

/// Names of the silhouettes.
pub const SHAPES: [&str; 1] = ["worker"];

const WORKER: PieceKey = PieceKey("worker", 0);

/// A crate, by whether it stands on a goal.
pub fn crate_look(home: bool) -> PieceLook {
    PieceLook::drawn("crate", home, draw_crate)
}

/// How the worker looks, who is the only seat.
pub fn worker_look() -> PieceLook {
    PieceLook { shade: Shade::Lying, ..PieceLook::person("worker", Seat(0)) }
}

/// How far the worker is turned to face a direction: the silhouette looks right.
fn facing(way: Cell) -> f32 {
    (-way.y as f32).atan2(way.x as f32)
}

/// The worker looks where the last step went, or where a pulled crate is.
fn look(past: &[PukobanState], position: &PukobanState) -> f32 {
    let Some(before) = past.last() else { return -FRAC_PI_2 };
    let way = position.player - before.player;
    let pulled = before
        .boxes
        .iter()
        .zip(&position.boxes)
        .any(|(old, new)| old != new && *new == before.player);
    if way == Cell::default() {
        return -FRAC_PI_2;
    }
    facing(if pulled { Cell::default() - way } else { way })
}

/// One entity for each crate, and the worker above them.
pub fn pieces(game: &Pukoban, past: &[PukobanState], position: &PukobanState) -> Vec<BoardPiece> {
    let worker = BoardPiece {
        key: WORKER,
        kind: PieceKind::of(Worker),
        look: worker_look(),
        seat: Some(Seat(0)),
        pose: Pose { angle: look(past, position), ..Pose::at(middle(position.player)) },
        size: 0.92,
        least: 9.0,
        layer: 20.0,
    };
    let crates = position.boxes.iter().zip(0u32..).map(|(&cell, index)| {
        let is_home = game.goals().contains(&cell);
        BoardPiece {
            key: PieceKey("box", index),
            kind: PieceKind::of(Crate { is_home }),
            look: crate_look(is_home),
            seat: None,
            pose: Pose::at(middle(cell)),
            size: 1.0,
            least: 6.0,
            layer: 10.0 + index as f32 * 0.01,
        }
    });
    std::iter::once(worker).chain(crates).collect()
}

/// A crate that comes to its goal settles there.
pub fn tweens(game: &Pukoban, events: &[PukobanEvent], tweens: &mut Tweens) {
    for event in events {
        let (PukobanEvent::Pushed { index, to, .. } | PukobanEvent::Pulled { index, to, .. }) =
            event
        else {
            continue;
        };
        let key = PieceKey("box", *index as u32);
        if let (true, Some((from, to))) = (game.goals().contains(to), tweens.ends(key)) {
            tweens.set(key, vec![(0.0, from), (0.75, to.scaled(1.06)), (1.0, to)]);
        }
    }
}

/// A crate seen from above and a little from the south; on its goal it bears a seal.
fn draw_crate(home: bool, brush: Brush) -> Sketch {
    let colours = Warehouse::of(brush.dark);
    let [body, lit, deep, line] = colours.crates;
    let mut sketch = Sketch::default();
    if brush.detail == Detail::Far {
        let fill = if home { colours.done[0] } else { lit };
        sketch.rect(Vec2::splat(-0.42), Vec2::splat(0.42), opaque(INK));
        sketch.rect(Vec2::splat(-0.33), Vec2::splat(0.33), opaque(fill));
        return sketch;
    }
    const SIDE: f32 = 0.82;
    const FRONT: f32 = 0.15;
    let low = Vec2::new(-0.41, -0.455);
    let top = SIDE - FRONT * 0.45;
    let at = |x: f32, y: f32| low + Vec2::new(x, y);
    for step in 1..=4_u8 {
        let by = Vec2::new(0.03, 0.035) * f32::from(step);
        let high = at(SIDE, SIDE + FRONT * 0.6);
        sketch.rounded(low + by, high + by, 0.06, faded(colours.walls.shadow, 0.13));
    }
    sketch.rounded(low - 0.03, at(SIDE, SIDE + FRONT * 0.55) + 0.03, 0.06, opaque(INK));
    sketch.rounded(at(0.0, SIDE * 0.5), at(SIDE, SIDE + FRONT * 0.55), 0.05, opaque(line));
    sketch.rounded(low, at(SIDE, top), 0.05, opaque(deep));
    let frame = SIDE * 0.15;
    let plank = (SIDE - 2.0 * frame) / 4.0;
    for n in 0..4_u8 {
        let x = frame + f32::from(n) * plank;
        let wood = mixed(body, deep, if n % 2 == 1 { 0.3 } else { 0.0 });
        sketch.rect(at(x + 0.012, frame), at(x + plank - 0.012, top - frame), opaque(wood));
    }
    let band = frame * 0.95;
    sketch.fan(
        &[
            at(frame, top - frame),
            at(frame, top - frame - band),
            at(SIDE - frame - band, frame),
            at(SIDE - frame, frame),
            at(SIDE - frame, frame + band),
            at(frame + band, top - frame),
        ],
        opaque(lit),
    );
    for (from, to) in [
        (at(frame + band, top - frame), at(SIDE - frame, frame + band)),
        (at(frame, top - frame - band), at(SIDE - frame - band, frame)),
    ] {
        sketch.cut_line(&[from, to], 0.018, opaque(line));
    }
    let square = |inset: f32| {
        vec![
            at(inset, inset),
            at(SIDE - inset, inset),
            at(SIDE - inset, top - inset),
            at(inset, top - inset),
        ]
    };
    sketch.area(&[square(0.0), square(frame)], opaque(lit));
    if brush.detail == Detail::Near {
        sketch.outline(&square(frame), 0.018, opaque(line));
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let nail = at(frame / 2.0 + x * (SIDE - frame), frame / 2.0 + y * (top - frame));
            sketch.disc(nail, 0.02, opaque(line));
        }
    }
    if home {
        seal(&mut sketch, at(SIDE / 2.0, top / 2.0), &colours);
    }
    sketch
}

/// A round seal with a tick.
fn seal(sketch: &mut Sketch, centre: Vec2, colours: &Warehouse) {
    const RADIUS: f32 = 0.235;
    sketch.disc(centre, RADIUS + 0.03, opaque(INK));
    sketch.disc(centre, RADIUS, opaque(colours.done[0]));
    let tick = [(-0.48, 0.02), (-0.1, 0.4), (0.52, -0.38)];
    let points = tick.map(|(x, y)| centre + Vec2::new(x, y) * RADIUS);
    sketch.line(&points, 0.07, opaque(colours.done[1]));
}
