//! The colours of the town.

use crate::app::drawing::{WallColours, from_hex};
use crate::app::shell::theme::Rgb;
use outwit_cops::Place;

/// All colours of the town in one theme.
#[derive(Clone, Copy, Debug)]
pub struct Town {
    /// The ground between cobbles, and the brightest cobbles.
    pub ground: [Rgb; 2],
    /// Lines between cells.
    pub grid: Rgb,
    /// The town wall and blocks.
    pub walls: WallColours,
    /// The shadow of the town on the drawing board.
    pub outside: Rgb,
    /// Bricks on top of moving walls, in two shades.
    pub brick: [Rgb; 2],
    /// Joints between bricks.
    pub mortar: Rgb,
    /// The face of brick walls and its lower half.
    pub brick_face: [Rgb; 2],
    /// Slopes of a roof: north, west, south, east.
    pub roof: [Rgb; 4],
    /// What roofs are tinted with, house by house.
    pub tiles: [Rgb; 3],
    /// Lit windows.
    pub window: Rgb,
    /// The opening of a gate and its middle.
    pub opening: [Rgb; 2],
    /// Light on the ground, and how strong it is.
    pub glow: (Rgb, f32),
    /// Water and its ripples.
    pub water: [Rgb; 2],
    /// The embankment of water and the parapets of bridges.
    pub bank: Rgb,
    /// The boards of bridges and counters.
    pub deck: Rgb,
    /// Leaves in the shade and in the light.
    pub leaves: [Rgb; 2],
    /// The line around leaves.
    pub leaf_line: Rgb,
}

impl Town {
    /// The colours of a theme.
    pub const fn of(dark: bool) -> Self {
        if dark { DARK } else { LIGHT }
    }

    /// The colours of a place in a theme.
    pub const fn of_place(dark: bool, place: Place) -> Self {
        let town = Self::of(dark);
        let [low, high, grid] = match (place, dark) {
            (Place::Town, _) => return town,
            (Place::City, true) => [0x2a2f37, 0x3a414c, 0x4b535f],
            (Place::City, false) => [0xcdcfcc, 0xdfe0dc, 0xb2b5b0],
            (Place::Market, true) => [0x33282b, 0x4b3b3e, 0x5c494d],
            (Place::Market, false) => [0xe4d0b4, 0xf1e4cc, 0xcab18d],
            (Place::Station, true) => [0x2b2927, 0x423d39, 0x4d4843],
            (Place::Station, false) => [0xcbc4b8, 0xdcd5ca, 0xaca598],
            (Place::Harbour, true) => [0x2f2923, 0x43392e, 0x554a3d],
            (Place::Harbour, false) => [0xd6c4a4, 0xe7d8bb, 0xb7a17c],
            (Place::River, true) => [0x252e38, 0x384654, 0x465666],
            (Place::River, false) => [0xd3d4c6, 0xe6e7da, 0xb3b5a2],
            (Place::Park, true) => [0x1c3026, 0x2a4536, 0x375344],
            (Place::Park, false) => [0xc0d0a2, 0xd2dfb8, 0x9fb283],
            (Place::Garden, true) => [0x332f28, 0x423d33, 0x524d41],
            (Place::Garden, false) => [0xe5dbbf, 0xf2ead5, 0xc8bb99],
        };
        Self { ground: [from_hex(low), from_hex(high)], grid: from_hex(grid), ..town }
    }
}

const DARK: Town = Town {
    ground: [from_hex(0x2a2b40), from_hex(0x40405e)],
    grid: from_hex(0x4c4d74),
    walls: WallColours {
        top: [from_hex(0x837e9b), from_hex(0x8d88a4)],
        side: [from_hex(0x464260), from_hex(0x3a3652)],
        edge: from_hex(0x17182a),
        shadow: from_hex(0x0b0b18),
        line: from_hex(0xb0acc0),
    },
    outside: from_hex(0x04070e),
    brick: [from_hex(0xb56a55), from_hex(0xa35b49)],
    mortar: from_hex(0x7a4038),
    brick_face: [from_hex(0x6e3a36), from_hex(0x592d2c)],
    roof: [from_hex(0x6e6889), from_hex(0x5c5678), from_hex(0x4c4764), from_hex(0x403c57)],
    tiles: [from_hex(0x8a4e4a), from_hex(0x5c5678), from_hex(0x3f6b74)],
    window: from_hex(0xffd585),
    opening: [from_hex(0xffd585), from_hex(0xfff7df)],
    glow: (from_hex(0xffc765), 0.6),
    water: [from_hex(0x12303a), from_hex(0x24505c)],
    bank: from_hex(0x9aa3a6),
    deck: from_hex(0x51453a),
    leaves: [from_hex(0x33624a), from_hex(0x447a5d)],
    leaf_line: from_hex(0x9bc2a6),
};

const LIGHT: Town = Town {
    ground: [from_hex(0xdacdb2), from_hex(0xece2cd)],
    grid: from_hex(0xc3b290),
    walls: WallColours {
        top: [from_hex(0xa99c8c), from_hex(0xb5a999)],
        side: [from_hex(0x7c6f62), from_hex(0x6c6055)],
        edge: from_hex(0x8c7a5a),
        shadow: from_hex(0x4a3a28),
        line: from_hex(0x6c6055),
    },
    outside: from_hex(0x4a3a1c),
    brick: [from_hex(0xc77f66), from_hex(0xb87058)],
    mortar: from_hex(0x8f5342),
    brick_face: [from_hex(0x8a4c3c), from_hex(0x743e31)],
    roof: [from_hex(0xbf8b76), from_hex(0xb07a66), from_hex(0xa06c5a), from_hex(0x8e5e4e)],
    tiles: [from_hex(0x9a5a4c), from_hex(0xb07a66), from_hex(0x7d7f7c)],
    window: from_hex(0xffe7a8),
    opening: [from_hex(0xffd98a), from_hex(0xfff7df)],
    glow: (from_hex(0xffc24a), 0.5),
    water: [from_hex(0x93b5b4), from_hex(0xb5cfcb)],
    bank: from_hex(0x646b62),
    deck: from_hex(0xdbc7a4),
    leaves: [from_hex(0x76995a), from_hex(0x8fae70)],
    leaf_line: from_hex(0x435c35),
};

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::app::drawing::mixed;
    use crate::app::shell::theme::tests::contrast;
    use crate::app::shell::theme::{DARK as PANEL_DARK, INK, LIGHT as PANEL_LIGHT, Palette};
    use outwit_cops::rules::{COPS, THIEF};

    const WHITE: Rgb = Rgb(255, 255, 255);

    /// The least contrast of any of these colours with each ground, where the best one counts.
    fn stands_out(colours: &[Rgb], grounds: &[Rgb]) -> f32 {
        let best = |&ground: &Rgb| {
            colours.iter().map(|&colour| contrast(colour, ground)).fold(0.0, f32::max)
        };
        grounds.iter().map(best).fold(f32::MAX, f32::min)
    }

    pub const PLACES: [Place; 8] = [
        Place::Town,
        Place::City,
        Place::Market,
        Place::Station,
        Place::Harbour,
        Place::River,
        Place::Park,
        Place::Garden,
    ];

    /// All places in both themes.
    fn places() -> impl Iterator<Item = (Place, Town, Palette)> {
        PLACES.into_iter().flat_map(|place| {
            [(true, PANEL_DARK), (false, PANEL_LIGHT)]
                .map(|(dark, palette)| (place, Town::of_place(dark, place), palette))
        })
    }

    #[test]
    fn what_stops_people_stands_out_from_the_ground() {
        for (place, town, _) in places() {
            let rim = mixed(town.walls.top[0], WHITE, 0.36);
            let wall = [rim, town.walls.top[0], town.walls.side[0], town.walls.side[1]];
            assert!(stands_out(&wall, &town.ground) >= 3.0, "walls: {place:?}");
            let house = [super::super::houses::eaves(&town), town.walls.side[1]];
            assert!(stands_out(&house, &town.ground) >= 3.0, "houses: {place:?}");
            for (what, line) in [("water", town.bank), ("leaves", town.leaf_line)] {
                assert!(stands_out(&[line], &town.ground) >= 3.0, "{what}: {place:?}");
            }
        }
    }

    #[test]
    fn pieces_or_their_rims_stand_out_from_their_ground() {
        for (place, town, palette) in places() {
            let lit = mixed(town.brick[0], WHITE, 0.3);
            assert!(stands_out(&[INK, lit], &town.ground) >= 3.0, "walls: {place:?}");
            // A gate has an outline of ink on the town wall, and a bright opening on ink.
            assert!(stands_out(&[INK, town.opening[0]], &[town.walls.top[0]]) >= 3.0);
            assert!(contrast(town.opening[0], town.walls.side[1]) >= 3.0);
            for seat in [THIEF, COPS] {
                let piece = stands_out(&[INK, palette.side(seat)], &town.ground);
                assert!(piece >= 3.0, "seat {seat:?}: {place:?}");
                let line = palette.line(seat);
                assert!(stands_out(&[line, palette.casing], &town.ground) >= 3.0, "{place:?}");
                assert!(contrast(line, palette.casing) >= 3.0);
            }
        }
    }
}
