//! The colours of the warehouse.

use crate::app::drawing::{WallColours, from_hex};
use crate::app::shell::theme::Rgb;

/// All colours of the warehouse in one theme.
#[derive(Clone, Copy, Debug)]
pub struct Warehouse {
    /// Two shades of the floor's slabs.
    pub ground: [Rgb; 2],
    /// Joints of the floor.
    pub grid: Rgb,
    /// Walls.
    pub walls: WallColours,
    /// The shadow of the building.
    pub outside: Rgb,
    /// Paint that marks goals.
    pub paint: Rgb,
    /// Wood: body, lit, in shade, lines.
    pub crates: [Rgb; 4],
    /// The seal of a crate on its goal, and the tick on it.
    pub done: [Rgb; 2],
}

impl Warehouse {
    /// The colours of a theme.
    pub const fn of(dark: bool) -> Self {
        if dark { DARK } else { LIGHT }
    }
}

const DARK: Warehouse = Warehouse {
    ground: [from_hex(0x3a4252), from_hex(0x3e4657)],
    grid: from_hex(0x4b5468),
    walls: WallColours {
        top: [from_hex(0x8792a6), from_hex(0x939eb1)],
        side: [from_hex(0x545e72), from_hex(0x475063)],
        edge: from_hex(0x1c2230),
        shadow: from_hex(0x0a0e18),
        line: from_hex(0xb2b9c6),
    },
    outside: from_hex(0x04070e),
    paint: from_hex(0xf0e442),
    crates: [from_hex(0xc49a66), from_hex(0xd9b27e), from_hex(0xa77e4e), from_hex(0x7a5833)],
    done: [from_hex(0x5bc79a), from_hex(0x131726)],
};

const LIGHT: Warehouse = Warehouse {
    ground: [from_hex(0xe9dfc9), from_hex(0xeee5d1)],
    grid: from_hex(0xd3c6a9),
    walls: WallColours {
        top: [from_hex(0x978d79), from_hex(0xa39985)],
        side: [from_hex(0x655e51), from_hex(0x595246)],
        edge: from_hex(0x6e6250),
        shadow: from_hex(0x4b3c22),
        line: from_hex(0x595246),
    },
    outside: from_hex(0x4a3a1c),
    paint: from_hex(0xa06e00),
    crates: [from_hex(0xc79457), from_hex(0xddae73), from_hex(0xa97841), from_hex(0x70491f)],
    done: [from_hex(0x0e8f68), from_hex(0xffffff)],
};
