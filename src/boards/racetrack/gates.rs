//! The checkpoints: a disc with the number stands beside each.

use super::road::is_road;
use crate::app::match_screen::middle;
use bevy::math::Vec2;
use outwit_core::grid::{Cell, EIGHT, FOUR, Grid, UNREACHED, distances};
use outwit_racetrack::level::Surface;

/// Connected cells of one checkpoint.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gate {
    /// Its number.
    pub number: u8,
    /// Where it meets the edge of the road; its middle where it meets none.
    pub edge: Vec2,
    /// The direction from there away from the road, of length 1 or 0.
    pub out: Vec2,
}

/// All checkpoints of a track.
pub fn gates(surfaces: &Grid<Surface>) -> Vec<Gate> {
    let mut seen = surfaces.map(|_| false);
    let mut gates = Vec::new();
    for (cell, &surface) in surfaces.iter() {
        let Surface::Checkpoint(number) = surface else { continue };
        if seen[cell] {
            continue;
        }
        let reach = distances(surfaces, [cell], &EIGHT, |_, &s| s == surface);
        let cells: Vec<Cell> =
            reach.iter().filter(|&(_, &far)| far != UNREACHED).map(|(cell, _)| cell).collect();
        for &cell in &cells {
            seen[cell] = true;
        }
        gates.push(gate(surfaces, number, &cells));
    }
    gates
}

fn gate(surfaces: &Grid<Surface>, number: u8, cells: &[Cell]) -> Gate {
    let ends = cells.iter().flat_map(|&cell| FOUR.map(|side| (cell, side)));
    let free = |&(cell, side): &(Cell, Cell)| {
        let at = cell + side;
        let near = EIGHT.iter().map(|&step| at + step).chain([at + side + side]);
        near.filter(|&near| surfaces.contains(near) && !is_road(surfaces, near)).count()
    };
    let beside = ends.filter(|&(cell, side)| !is_road(surfaces, cell + side));
    // Where there is most room, then the uppermost.
    let best = beside.max_by_key(|end| (free(end), -(end.0 + end.1).y, -(end.0 + end.1).x));
    match best {
        Some((cell, side)) => {
            let out = Vec2::new(side.x as f32, side.y as f32);
            Gate { number, edge: middle(cell) + out / 2.0, out }
        }
        None => {
            let sum: Vec2 = cells.iter().map(|&cell| middle(cell)).sum();
            Gate { number, edge: sum / cells.len().max(1) as f32, out: Vec2::ZERO }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(rows: &[&str]) -> Grid<Surface> {
        Grid::from_fn(rows[0].len(), rows.len(), |cell| {
            let symbol = char::from(rows[cell.y as usize].as_bytes()[cell.x as usize]);
            Surface::from_char(symbol).unwrap_or(Surface::Off)
        })
    }

    #[test]
    fn a_disc_stands_beside_the_road() {
        let track =
            track(&["########", "########", ".....1..", ".....1..", "########", "......2."]);
        let gates = gates(&track);
        assert_eq!(gates.len(), 2);
        assert_eq!(
            (gates[0].number, gates[0].edge, gates[0].out),
            (1, Vec2::new(5.5, 2.0), Vec2::NEG_Y)
        );
        assert_eq!(gates[1].number, 2);
    }

    #[test]
    fn where_there_is_no_room_it_stands_on_the_road() {
        let rows = ["...", ".3.", "..."];
        assert_eq!(
            gates(&track(&rows)),
            [Gate { number: 3, edge: Vec2::splat(1.5), out: Vec2::ZERO }]
        );
    }
}
