//! The colours of the wooden board, of the paper, and of what lies on them.

use crate::app::drawing::from_hex;
use crate::app::shell::theme::Rgb;

/// All colours of a wooden board in one theme.
#[derive(Clone, Copy, Debug)]
pub struct Wood {
    /// The wood: plain, lit, in shade.
    pub ground: [Rgb; 3],
    /// Joints between planks.
    pub joint: Rgb,
    /// Lines, star points and coordinates.
    pub lines: Rgb,
    /// The edge that faces the viewer, and what is below it.
    pub side: [Rgb; 2],
    /// What it throws on the table.
    pub shadow: Rgb,
}

/// All colours of a sheet of paper in one theme.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// The sheet.
    pub sheet: Rgb,
    /// Its squared rule.
    pub rule: Rgb,
    /// The pen that drew the grid.
    pub grid: Rgb,
    /// The pen that strikes a row through.
    pub strike: Rgb,
    /// The pens of X and O.
    pub pens: [Rgb; 2],
    /// What it throws on the table.
    pub shadow: Rgb,
}

/// What marks stones on wood: bands, rings and brackets, with ink around them.
pub const CHALK: Rgb = from_hex(0xfffbef);

impl Wood {
    /// The colours of a theme.
    pub const fn of(dark: bool) -> Self {
        if dark { DARK_WOOD } else { LIGHT_WOOD }
    }
}

impl Paper {
    /// The colours of a theme.
    pub const fn of(dark: bool) -> Self {
        if dark { DARK_PAPER } else { LIGHT_PAPER }
    }
}

const DARK_WOOD: Wood = Wood {
    ground: [from_hex(0x5b4434), from_hex(0x6a503d), from_hex(0x4c372a)],
    joint: from_hex(0x2b1e16),
    lines: from_hex(0xc9a77e),
    side: [from_hex(0x33241a), from_hex(0x291c14)],
    shadow: from_hex(0x05070d),
};

const LIGHT_WOOD: Wood = Wood {
    ground: [from_hex(0xead8b5), from_hex(0xf2e5ca), from_hex(0xdec79d)],
    joint: from_hex(0xa98a5b),
    lines: from_hex(0x7a5e3a),
    side: [from_hex(0xb08f5e), from_hex(0x9a7b4d)],
    shadow: from_hex(0x4a3a1c),
};

const DARK_PAPER: Paper = Paper {
    sheet: from_hex(0x22304e),
    rule: from_hex(0x4a618f),
    grid: from_hex(0xc2c1bc),
    strike: from_hex(0xf7f1e1),
    pens: [from_hex(0xe69f00), from_hex(0x56b4e9)],
    shadow: from_hex(0x04070e),
};

const LIGHT_PAPER: Paper = Paper {
    sheet: from_hex(0xfffcf3),
    rule: from_hex(0x9fb4cf),
    grid: from_hex(0x2b2a33),
    strike: from_hex(0x2b2a33),
    pens: [from_hex(0xc77700), from_hex(0x1b7db8)],
    shadow: from_hex(0x4a3a1c),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shell::theme::tests::contrast;
    use crate::app::shell::theme::{DARK, INK, LIGHT};
    use outwit_core::play::Seat;

    #[test]
    fn everything_can_be_told_from_its_ground() {
        for (palette, dark) in [(DARK, true), (LIGHT, false)] {
            let (wood, paper) = (Wood::of(dark), Paper::of(dark));
            for ground in wood.ground {
                assert!(contrast(wood.lines, ground) >= 3.0, "lines on {ground:?}");
                assert!(contrast(CHALK, ground).max(contrast(INK, ground)) >= 3.0);
                for seat in [Seat(0), Seat(1)] {
                    let side = palette.side(seat);
                    let best = contrast(side, ground).max(contrast(INK, ground));
                    assert!(best >= 3.0, "a stone of {side:?} on {ground:?}");
                    let line = palette.line(seat);
                    let best = contrast(line, ground).max(contrast(palette.casing, ground));
                    assert!(best >= 3.0, "a line of {line:?} on {ground:?}");
                }
            }
            for ink in [paper.grid, paper.strike, paper.pens[0], paper.pens[1]] {
                assert!(contrast(ink, paper.sheet) >= 3.0, "{ink:?} on paper");
            }
        }
    }

    #[test]
    fn marks_on_stones_can_be_seen() {
        for seat in [Seat(0), Seat(1)] {
            let side = DARK.side(seat);
            assert!(contrast(super::super::pieces::deep(side), side) >= 3.0);
        }
    }
}
