//! The colours of the manor.

use crate::app::drawing::{WallColours, from_hex};
use crate::app::shell::theme::Rgb;

/// All colours of the manor in one theme.
#[derive(Clone, Copy, Debug)]
pub struct Manor {
    /// Two shades of the floor, between which its boards vary.
    pub ground: [Rgb; 2],
    /// Joints of the floor.
    pub grid: Rgb,
    /// Walls.
    pub walls: WallColours,
    /// The shadow of the building.
    pub outside: Rgb,
    /// Tables: top, lit middle, front.
    pub wood: [Rgb; 3],
    /// Cups and books.
    pub crockery: Rgb,
    /// Covers of books.
    pub leather: Rgb,
    /// Rugs: body and border.
    pub rug: [Rgb; 2],
    /// Creaking boards: two shades, nails and gaps.
    pub creaking: [Rgb; 3],
    /// The doormat at the start.
    pub mat: Rgb,
    /// What guards see, from the faintest step to the brightest.
    pub light: [Rgb; 4],
    /// The border of what guards see.
    pub border: Rgb,
    /// Paper where nothing is drawn yet, and its hatching.
    pub fog: [Rgb; 2],
}

impl Manor {
    /// The colours of a theme.
    pub const fn of(dark: bool) -> Self {
        if dark { DARK } else { LIGHT }
    }
}

const DARK: Manor = Manor {
    ground: [from_hex(0x1c3137), from_hex(0x243d44)],
    grid: from_hex(0x325057),
    walls: WallColours {
        top: [from_hex(0x54757b), from_hex(0x5d7f86)],
        side: [from_hex(0x365258), from_hex(0x2b4349)],
        edge: from_hex(0x0c1a1e),
        shadow: from_hex(0x050e11),
        line: from_hex(0x93adb1),
    },
    outside: from_hex(0x040a0d),
    wood: [from_hex(0x8a6a58), from_hex(0x9d7b66), from_hex(0x64493d)],
    crockery: from_hex(0xe8ddcb),
    leather: from_hex(0xa76882),
    rug: [from_hex(0x4a2f52), from_hex(0x6b4668)],
    creaking: [from_hex(0x4c4a41), from_hex(0x5d594d), from_hex(0x0c1a1e)],
    mat: from_hex(0x8fd3b6),
    light: [from_hex(0x47544d), from_hex(0x6b6a58), from_hex(0x948565), from_hex(0xbda673)],
    border: from_hex(0xffe48a),
    fog: [from_hex(0x0a1519), from_hex(0x234048)],
};

const LIGHT: Manor = Manor {
    ground: [from_hex(0xa9a6bc), from_hex(0xb3b0c6)],
    grid: from_hex(0x9490aa),
    walls: WallColours {
        top: [from_hex(0x6e677d), from_hex(0x787187)],
        side: [from_hex(0x4a4358), from_hex(0x3f394c)],
        edge: from_hex(0x3f394c),
        shadow: from_hex(0x2c2440),
        line: from_hex(0x3f394c),
    },
    outside: from_hex(0x4a3a1c),
    wood: [from_hex(0xa5785a), from_hex(0xb98b6b), from_hex(0x845d44)],
    crockery: from_hex(0xfbf5e8),
    leather: from_hex(0xb06d81),
    rug: [from_hex(0xa98598), from_hex(0x94708a)],
    creaking: [from_hex(0xa79cae), from_hex(0x8b7f95), from_hex(0x3f394c)],
    mat: from_hex(0x0b7a58),
    // The floor is cool and the faintest light warm, because both are about equally bright.
    light: [from_hex(0xccbe98), from_hex(0xddcd84), from_hex(0xefe07c), from_hex(0xfffbc4)],
    border: from_hex(0x6b5000),
    fog: [from_hex(0xece3ce), from_hex(0xc9bb97)],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::drawing::mixed;
    use crate::app::shell::theme::tests::contrast;
    use crate::app::shell::theme::{self, INK};
    use outwit_core::play::Seat;

    /// How different two colours look: the distance in CIELAB.
    fn difference(a: Rgb, b: Rgb) -> f32 {
        let lab = |Rgb(r, g, b): Rgb| {
            let [r, g, b] = [r, g, b].map(|part| {
                let part = f32::from(part) / 255.0;
                if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            });
            let root = |t: f32| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
            let x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
            let y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
            let z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
            [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
        };
        let (a, b) = (lab(a), lab(b));
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()
    }

    /// Everything on which a piece can stand.
    fn floors(manor: &Manor) -> Vec<Rgb> {
        let mut floors = vec![manor.ground[0], manor.ground[1], manor.rug[0]];
        floors.extend(&manor.creaking[..2]);
        floors.extend(&manor.wood[..2]);
        floors.extend(manor.light);
        floors
    }

    #[test]
    fn walls_stand_out_from_every_floor() {
        for manor in [DARK, LIGHT] {
            let rim = mixed(manor.walls.top[0], Rgb(255, 255, 255), 0.36);
            for floor in manor.ground {
                let best = contrast(rim, floor).max(contrast(manor.walls.side[0], floor));
                assert!(best >= 3.0, "{floor:?}: {best}");
            }
        }
    }

    #[test]
    fn pieces_stand_out_from_every_floor_and_light() {
        for (manor, palette) in [(DARK, theme::DARK), (LIGHT, theme::LIGHT)] {
            for body in [palette.side(Seat(0)), palette.side(Seat(1)), palette.goal] {
                for floor in floors(&manor) {
                    let best = contrast(body, floor).max(contrast(INK, floor));
                    assert!(best >= 3.0, "{body:?} on {floor:?}: {best}");
                }
            }
        }
    }

    #[test]
    fn every_step_of_light_differs_from_the_next_and_from_the_floor() {
        for manor in [DARK, LIGHT] {
            let mut steps = vec![manor.ground[1]];
            steps.extend(manor.light);
            for pair in steps.windows(2) {
                assert!(difference(pair[0], pair[1]) >= 9.0, "{pair:?}");
                assert!(contrast(pair[0], pair[1]) >= 1.1, "{pair:?}");
            }
            assert!(contrast(manor.border, manor.ground[0]) >= 3.0);
        }
    }
}
