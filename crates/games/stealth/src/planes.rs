//! Positions as planes.

use super::level::GroundTile;
use super::rules::Stealth;
use outwit_core::play::Seat;
use outwit_kit::{Plane, PlaneSpec};

const WALL: Plane = Plane::new("Wall", '#', [64, 64, 64]);
const DIFFICULT: Plane = Plane::new("Difficult", 'X', [220, 200, 150]);
const OBSTACLE: Plane = Plane::new("Obstacle", 'T', [160, 100, 40]);
const GOAL: Plane = Plane::new("Goal", 'Y', [230, 159, 0]).drawn_as("chest");
const PATH: Plane = Plane::new("Path", '+', [86, 180, 233]);
const GUARD: Plane = Plane::new("Guard", 'Z', [213, 94, 0]).drawn_as("guard");
const THIEF: Plane = Plane::new("Thief", '@', [0, 114, 178]).drawn_as("thief");

pub(super) const PLANES: PlaneSpec<Stealth> = PlaneSpec {
    fixed: |_| vec![WALL, DIFFICULT, OBSTACLE, GOAL],
    mark_fixed: |game, canvas| {
        for (cell, tile) in game.ground().tiles().iter() {
            match tile {
                GroundTile::Wall => canvas.mark(0, cell),
                GroundTile::Difficult => canvas.mark(1, cell),
                GroundTile::Obstacle => canvas.mark(2, cell),
                GroundTile::Goal => canvas.mark(3, cell),
                GroundTile::Free | GroundTile::Guard | GroundTile::Start => {}
            }
        }
    },
    moving: |_| vec![PATH, GUARD, THIEF],
    mark_moving: |game, heist, _, canvas| {
        let cells = heist.walked.cells(game.ground().start());
        cells.iter().for_each(|&cell| canvas.mark(0, cell));
        let guards = game.ground().guards_at(cells.len() - 1);
        guards.into_iter().for_each(|cell| canvas.mark(1, cell));
        if let Some(&at) = cells.last() {
            canvas.mark(2, at);
        }
    },
    shown_to: |_, _| Seat(0),
};
