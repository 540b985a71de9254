//! Strokes of a broad pen, which swell and thin out, whole or in the making.

use crate::app::drawing::{Ink4, Sketch};
use bevy::math::Vec2;
use outwit_mnk::Stone;
use std::f32::consts::{PI, TAU};

/// Points along a stroke, each with half the stroke's width there.
pub type Stroke = Vec<(Vec2, f32)>;

/// How many ways there are to draw a cross or a nought.
pub const HANDS: u16 = 4;

/// Half the height of a cross, in cells.
const CROSS: f32 = 0.29;
/// Radius of a nought, in cells.
const NOUGHT: f32 = 0.29;

/// A stroke from one place to another: bowed by so many cells to the right, at its thickest so wide at its
/// beginning and at its end, and drawn as far as `part` says.
pub fn straight(from: Vec2, to: Vec2, bow: f32, widths: [f32; 2], part: f32) -> Stroke {
    const STEPS: u8 = 14;
    let aside = (to - from).perp().normalize_or_zero() * bow;
    if part <= 0.0 {
        Vec::new()
    } else {
        (0..=STEPS)
            .map(|step| {
                let t = f32::from(step) / f32::from(STEPS) * part;
                let swell = 0.55 + 0.45 * (PI * (t * 1.15 + 0.08).min(1.0)).sin();
                let width = widths[0] + (widths[1] - widths[0]) * t;
                (from.lerp(to, t) + aside * (PI * t).sin(), width / 2.0 * swell)
            })
            .collect()
    }
}

/// Draws a stroke of the pen through these places.
pub fn draw(sketch: &mut Sketch, stroke: &[(Vec2, f32)], ink: Ink4) {
    let (left, right) = borders(stroke);
    let points: Vec<Vec2> = left.into_iter().zip(right).flat_map(|(a, b)| [a, b]).collect();
    let pairs = (points.len() / 2).saturating_sub(1) as u32;
    let indices: Vec<u32> =
        (0..pairs).map(|n| 2 * n).flat_map(|n| [n, n + 1, n + 2, n + 2, n + 1, n + 3]).collect();
    sketch.triangles_of(&points, &indices, ink);
}

/// The outline of a stroke.
pub fn outline(stroke: &[(Vec2, f32)]) -> Vec<Vec2> {
    let (mut points, right) = borders(stroke);
    points.extend(right.into_iter().rev());
    points
}

/// Both borders of a stroke, from its beginning to its end.
fn borders(stroke: &[(Vec2, f32)]) -> (Vec<Vec2>, Vec<Vec2>) {
    let border = |side: f32| {
        (0..stroke.len())
            .map(|n| {
                let before = stroke[n.saturating_sub(1)].0;
                let after = stroke[(n + 1).min(last(stroke))].0;
                stroke[n].0 + (after - before).perp().normalize_or_zero() * stroke[n].1 * side
            })
            .collect()
    };
    (border(1.0), border(-1.0))
}

fn last(stroke: &[(Vec2, f32)]) -> usize {
    stroke.len().saturating_sub(1)
}

/// A cross or a nought around the origin, drawn as far as `part` says by one of the [hands](HANDS).
pub fn mark(stone: Stone, hand: u16, part: f32, ink: Ink4) -> Sketch {
    let mut sketch = Sketch::default();
    let whim = f32::from(hand % HANDS) / f32::from(HANDS - 1) - 0.5;
    for stroke in match stone {
        Stone::X => cross(whim, part).to_vec(),
        Stone::O => vec![nought(whim, part)],
    } {
        draw(&mut sketch, &stroke, ink);
    }
    sketch
}

fn cross(whim: f32, part: f32) -> [Stroke; 2] {
    // The pen is lifted between the two strokes.
    let share = |from: f32| ((part - from) / 0.45).clamp(0.0, 1.0);
    let r = CROSS;
    let tilt = whim * 0.14 * CROSS;
    let falling = Vec2::new(r, r);
    let rising = Vec2::new(-r, r);
    let widths = [0.5 * r, 0.38 * r];
    [
        straight(Vec2::new(0.0, tilt) - falling, falling, 0.07 * r, widths, share(0.0)),
        straight(-rising, rising - Vec2::new(0.0, tilt), -0.06 * r, widths, share(0.55)),
    ]
}

fn nought(whim: f32, part: f32) -> Stroke {
    const STEPS: u8 = 48;
    // The end runs past the beginning.
    let sweep = TAU + 0.42;
    if part <= 0.0 {
        Vec::new()
    } else {
        (0..=STEPS)
            .map(|step| {
                let t = f32::from(step) / f32::from(STEPS) * part;
                let angle = -2.1 + whim + t * sweep;
                let radius = NOUGHT * (1.04 - 0.06 * t + 0.03 * (2.0 * angle + 6.0 * whim).sin());
                let swell = 0.5 + 0.5 * (PI * (t * 1.02 + 0.06).min(1.0)).sin().max(0.0).powf(0.6);
                (Vec2::from_angle(angle) * radius, NOUGHT * 0.17 * swell)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_grow_and_stay_inside_their_cell() {
        for stone in [Stone::X, Stone::O] {
            for hand in 0..HANDS {
                let size = |part: f32| {
                    let sketch = mark(stone, hand, part, [1.0; 4]);
                    let corners = sketch.triangles().flatten().map(|(at, _)| at);
                    assert!(corners.into_iter().all(|at| at.abs().max_element() < 0.45));
                    let double =
                        |[a, b, c]: [(Vec2, Ink4); 3]| (b.0 - a.0).perp_dot(c.0 - a.0).abs();
                    mark(stone, hand, part, [1.0; 4]).triangles().map(double).sum::<f32>()
                };
                assert_eq!(size(0.0), 0.0);
                let sizes = [0.1, 0.4, 0.7, 1.0].map(size);
                assert!(sizes.is_sorted() && sizes[0] > 0.0, "{sizes:?}");
            }
        }
    }

    #[test]
    fn an_outline_is_as_wide_as_its_stroke() {
        let stroke = straight(Vec2::ZERO, Vec2::new(2.0, 0.0), 0.0, [0.2, 0.2], 1.0);
        let outline = outline(&stroke);
        assert_eq!(outline.len(), 2 * stroke.len());
        let most = outline.iter().map(|at| at.y.abs()).fold(0.0, f32::max);
        assert!((0.09..0.101).contains(&most), "{most}");
        assert!(super::outline(&[]).is_empty());
    }
}
