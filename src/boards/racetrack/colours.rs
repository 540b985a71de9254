//! The colours of the circuit.

use crate::app::drawing::from_hex;
use crate::app::shell::theme::{DARK as BRIGHT, Palette, Rgb};
use outwit_racetrack::exact::MoveOutlook;

/// All colours of the circuit in one theme.
#[derive(Clone, Copy, Debug)]
pub struct Circuit {
    /// Two shades of the mown grass.
    pub verge: [Rgb; 2],
    /// Gravel beside the road.
    pub runoff: Rgb,
    /// Asphalt: fresh, and worn where cars drive.
    pub ground: [Rgb; 2],
    /// Sand on the road: two shades, and those of its grains.
    pub sand: [Rgb; 4],
    /// Lines between cells.
    pub grid: Rgb,
    /// The line along the edge of the road.
    pub edge: Rgb,
    /// The two colours of kerbs.
    pub kerb: [Rgb; 2],
    /// The two colours of the finish.
    pub finish: [Rgb; 2],
    /// Paint of the start boxes.
    pub start: Rgb,
    /// Checkpoints and their numbers.
    pub mark: Rgb,
    /// Trees: crown, and where the light falls on it.
    pub tree: [Rgb; 2],
    /// What tyres leave behind.
    pub tyre: Rgb,
    /// Shadows on the grass.
    pub shadow: Rgb,
    /// The shadow of the whole sheet.
    pub outside: Rgb,
}

impl Circuit {
    /// The colours of a theme.
    pub const fn of(dark: bool) -> Self {
        if dark { DARK } else { LIGHT }
    }
}

/// The colours of lines and signs over the circuit in both themes, because asphalt is dark in both.
pub const SIGNS: Palette = BRIGHT;

/// What lies below lines and signs, so that they stand out from asphalt, grass and heat.
pub const CASING: Rgb = SIGNS.casing;

/// The colour of the sign for what a choice leads to.
pub const fn outlook_colour(outlook: Option<MoveOutlook>) -> Rgb {
    match outlook {
        Some(MoveOutlook::Finishes) => SIGNS.goal,
        Some(MoveOutlook::Doomed) => SIGNS.warn,
        Some(MoveOutlook::Crashes(_)) => SIGNS.bad,
        Some(MoveOutlook::Leads(_)) | None => SIGNS.good,
    }
}

const DARK: Circuit = Circuit {
    verge: [from_hex(0x17312f), from_hex(0x1b3937)],
    runoff: from_hex(0x26443e),
    ground: [from_hex(0x474d5a), from_hex(0x4f5563)],
    sand: [from_hex(0x8a7650), from_hex(0x95805a), from_hex(0x6d5c3d), from_hex(0xb39d72)],
    grid: from_hex(0x6c7486),
    edge: from_hex(0xe6e1d4),
    kerb: [from_hex(0xc4574a), from_hex(0xeee7d8)],
    finish: [from_hex(0xf4efe2), from_hex(0x14171f)],
    start: from_hex(0xe6e1d4),
    mark: from_hex(0x8fa3cc),
    tree: [from_hex(0x2f6355), from_hex(0x3f7b68)],
    tyre: from_hex(0x1b1e26),
    shadow: from_hex(0x0a1616),
    outside: from_hex(0x04070e),
};

const LIGHT: Circuit = Circuit {
    verge: [from_hex(0xc6cfa2), from_hex(0xbeca98)],
    runoff: from_hex(0xd8d3ae),
    ground: [from_hex(0x474c57), from_hex(0x4f5460)],
    sand: [from_hex(0xcdb27a), from_hex(0xd6bd88), from_hex(0xa68c58), from_hex(0xe8d5a8)],
    grid: from_hex(0x737a88),
    edge: from_hex(0xfffbf0),
    kerb: [from_hex(0xc04a3c), from_hex(0xfffbf0)],
    finish: [from_hex(0xfffdf6), from_hex(0x1e222c)],
    start: from_hex(0xfffbf0),
    mark: from_hex(0xa9bbdf),
    tree: [from_hex(0x8da671), from_hex(0xa3b985)],
    tyre: from_hex(0x2a2d36),
    shadow: from_hex(0x5e6b3c),
    outside: from_hex(0x4a3a1c),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shell::theme::tests::contrast;
    use crate::app::shell::theme::{INK, PALE};

    #[test]
    fn the_road_and_what_lies_on_it_can_be_seen() {
        for circuit in [DARK, LIGHT] {
            for ground in circuit.ground {
                for paint in [circuit.edge, circuit.start, circuit.finish[0], circuit.kerb[1]] {
                    assert!(contrast(paint, ground) >= 3.0, "{paint:?} on {ground:?}");
                }
                // Of a car the rim, whatever the colour of its side; of a line the casing or the line.
                assert!(contrast(PALE, ground) >= 3.0, "{ground:?}");
                // Cells are counted on the road.
                assert!(contrast(circuit.grid, ground) >= 1.5, "{ground:?}");
            }
            for ground in [circuit.verge[0], circuit.verge[1], circuit.runoff] {
                let rim = contrast(PALE, ground).max(contrast(INK, ground));
                assert!(rim >= 3.0, "a car that left the road: {rim} on {ground:?}");
            }
            let disc = contrast(circuit.mark, INK);
            assert!(disc >= 4.5, "numbers of checkpoints: {disc}");
            assert!(contrast(circuit.finish[0], circuit.finish[1]) >= 7.0);
        }
    }

    #[test]
    fn signs_stand_out_from_their_casing() {
        let sides = SIGNS.sides.into_iter();
        let signs = [SIGNS.good, SIGNS.warn, SIGNS.bad, SIGNS.goal, SIGNS.text];
        for colour in sides.chain(signs) {
            assert!(contrast(colour, CASING) >= 3.0, "{colour:?}");
        }
    }

    #[test]
    fn trees_are_dull() {
        for circuit in [DARK, LIGHT] {
            for tree in circuit.tree {
                for verge in circuit.verge {
                    let contrast = contrast(tree, verge);
                    assert!(contrast < 3.2, "{tree:?} on {verge:?}: {contrast}");
                }
            }
        }
    }
}
