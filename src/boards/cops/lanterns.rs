//! The lantern that every cop carries, and its light on the cobbles.

use super::colours::Town;
use super::extras::{Extra, FLOOR};
use super::pieces::{COP_LAYER, Cop};
use crate::app::drawing::{Sketch, faded, from_hex, opaque};
use crate::app::shell::theme::INK;
use bevy::math::Vec2;
use bevy::prelude::*;

/// Where the lantern hangs, in widths of the cop, y downwards.
const HAND: Vec2 = Vec2::new(0.37, 0.2);

fn light(dark: bool) -> Sketch {
    let (colour, strength) = Town::of(dark).glow;
    let mut sketch = Sketch::default();
    for (radius, share) in [(1.7, 0.45), (1.05, 0.5), (0.55, 0.35)] {
        sketch.glow(HAND, radius, faded(colour, strength * share), faded(colour, 0.0));
    }
    sketch
}

fn lantern(_dark: bool) -> Sketch {
    let mut sketch = Sketch::default();
    let handle =
        [HAND - Vec2::new(0.08, 0.1), HAND - Vec2::new(0.0, 0.2), HAND + Vec2::new(0.08, -0.1)];
    sketch.line(&handle, 0.035, opaque(INK));
    sketch.rounded(HAND - 0.14, HAND + Vec2::new(0.14, 0.16), 0.06, opaque(INK));
    sketch.rounded(HAND - 0.09, HAND + Vec2::new(0.09, 0.11), 0.04, opaque(from_hex(0xffe3a0)));
    sketch.disc(HAND + Vec2::new(0.0, 0.01), 0.045, opaque(from_hex(0xffffff)));
    sketch
}

fn give(cop: On<Add, Cop>, mut commands: Commands) {
    commands.entity(cop.entity).with_children(|cop| {
        cop.spawn((
            Extra::new("light of a lantern", light),
            Transform::from_xyz(0.0, 0.0, FLOOR - COP_LAYER),
        ));
        cop.spawn((Extra::new("lantern", lantern), Transform::from_xyz(0.0, 0.0, 0.005)));
    });
}

/// Gives every cop a lantern.
pub fn plugin(app: &mut App) {
    app.add_observer(give);
}
