//! The stones on wood, and the crosses and noughts on paper.

use super::colours::{CHALK, Paper};
use super::terrain::is_wood;
use super::{pen, row};
use crate::app::drawing::{Detail, Sketch, faded, grain, mixed, opaque};
use crate::app::match_screen::{
    BoardPiece, Brush, Ink, PieceKey, PieceKind, PieceLook, Pose, Tweens, middle,
};
use crate::app::shell::theme::{DARK, INK, Rgb};
use bevy::math::Vec2;
use bevy::prelude::{Component, Reflect, ReflectComponent};
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use outwit_mnk::{Mnk, MnkEvent, MnkState, Stone};

/// A stone that lies where two lines of a wooden board cross.
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(opaque, Component, Debug)]
pub struct PlacedStone(pub Stone);

/// A cross or a nought on paper.
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(opaque, Component, Debug)]
pub struct PenMark(pub Stone);

/// Names of the silhouettes of the stones, first X, then O.
pub const SHAPES: [&str; 2] = ["stone-x", "stone-o"];

/// Radius of a stone, in cells.
const STONE: f32 = 0.45;

/// The seat whose colour a stone has: that of the side that begins with it, even after a swap.
pub fn colour(stone: Stone) -> Seat {
    match stone {
        Stone::X => Seat(0),
        Stone::O => Seat(1),
    }
}

/// Whether a match is played on wood.
pub fn on_wood(game: &Mnk) -> bool {
    is_wood(game.width(), game.height(), game.k())
}

/// The colour of the mark that is cut into a stone.
pub fn deep(stone: Rgb) -> Rgb {
    mixed(stone, INK, 0.62)
}

fn key(wood: bool, index: usize) -> PieceKey {
    PieceKey(if wood { "stone" } else { "mark" }, index as u32)
}

/// How the cross or the nought of a cell is drawn: not all alike.
pub fn hand(cell: Cell) -> u16 {
    (grain(cell.x, cell.y, 51) * f32::from(pen::HANDS)) as u16
}

/// One entity for each stone.
pub fn pieces(game: &Mnk, state: &MnkState) -> Vec<BoardPiece> {
    let wood = on_wood(game);
    let piece = |index: usize, stone: Stone| {
        let cell = game.cell_at(index);
        let (kind, look) = if wood {
            (PieceKind::of(PlacedStone(stone)), stone_look(stone))
        } else {
            (PieceKind::of(PenMark(stone)), mark_look(stone, hand(cell)))
        };
        BoardPiece {
            key: key(wood, index),
            kind,
            look,
            seat: None,
            pose: Pose::at(middle(cell)),
            size: 1.0,
            least: 4.0,
            // Shadows fall to the lower right, below the stones there.
            layer: 10.0 + index as f32 * 0.001,
        }
    };
    let stones = state.stones.iter().enumerate();
    stones.filter_map(|(index, stone)| Some(piece(index, (*stone)?))).collect()
}

/// A stone settles where it is put down. A mark on paper is drawn stroke by stroke, and is there when that
/// is done.
pub fn tweens(game: &Mnk, events: &[MnkEvent], tweens: &mut Tweens) {
    let wood = on_wood(game);
    let Some(key) = events
        .iter()
        .find_map(|event| match event {
            MnkEvent::Placed { cell, .. } => game.index_of(*cell),
            _ => None,
        })
        .map(|index| key(wood, index))
    else {
        return;
    };
    let Some((_, rest)) = tweens.ends(key) else { return };
    let end = row::PLACING / row::turn_seconds(events);
    let frames = if wood {
        vec![(0.0, rest.scaled(0.3)), (0.6 * end, rest.scaled(1.08)), (end, rest)]
    } else {
        vec![(end, rest.scaled(0.0)), (end, rest)]
    };
    tweens.set(key, frames);
}

/// A stone, as it lies on wood.
pub fn stone_look(stone: Stone) -> PieceLook {
    PieceLook {
        body: Ink::Side(colour(stone)),
        lasting: false,
        ..PieceLook::drawn("stone", stone, |stone, _| draw_stone(stone))
    }
}

fn mark_look(stone: Stone, hand: u16) -> PieceLook {
    PieceLook::drawn("pen mark", (stone, hand), draw_mark)
}

/// A stone like a lens, with a mark cut into it: a cross or a ring.
fn draw_stone(stone: Stone) -> Sketch {
    const R: f32 = STONE;
    let side = DARK.side(colour(stone));
    let mut sketch = Sketch::default();
    for step in 0..4_u8 {
        let step = f32::from(step);
        let at = R * Vec2::new(0.06 + 0.06 * step, 0.12 + 0.09 * step);
        sketch.disc(at, R * (0.97 + 0.02 * step), faded(Rgb(18, 10, 4), 0.15));
    }
    sketch.disc(Vec2::ZERO, R, opaque(INK));
    sketch.disc(Vec2::ZERO, 0.92 * R, opaque(mixed(side, INK, 0.38)));
    sketch.disc(R * Vec2::new(-0.04, -0.07), 0.83 * R, opaque(side));
    let shine: Vec<Vec2> = (0..=8_u8)
        .map(|step| (-170.0 + 9.0 * f32::from(step)).to_radians())
        .map(|angle| R * (Vec2::new(0.03, -0.03) + 0.72 * Vec2::from_angle(angle)))
        .collect();
    sketch.line(&shine, 0.12 * R, opaque(mixed(side, Rgb(255, 255, 255), 0.62)));
    let cut = opaque(deep(side));
    let inlay = opaque(CHALK);
    carve(&mut sketch, stone, R, cut, inlay);
    sketch
}

/// The mark on a stone.
fn carve(sketch: &mut Sketch, stone: Stone, r: f32, cut: [f32; 4], inlay: [f32; 4]) {
    match stone {
        Stone::X => {
            let q = 0.33 * r;
            for way in [Vec2::new(q, q), Vec2::new(q, -q)] {
                sketch.line(&[-way, way], 0.19 * r, cut);
            }
        }
        Stone::O => {
            sketch.ring(Vec2::ZERO, 0.36 * r, 0.32 * r, cut);
            sketch.ring(Vec2::ZERO, 0.36 * r, 0.17 * r, inlay);
        }
    }
}

fn draw_mark((stone, hand): (Stone, u16), brush: Brush) -> Sketch {
    let ink = opaque(Paper::of(brush.dark).pens[stone.index()]);
    if brush.detail != Detail::Far {
        return pen::mark(stone, hand, 1.0, ink);
    }
    let mut sketch = Sketch::default();
    match stone {
        Stone::X => {
            for way in [Vec2::new(0.32, 0.32), Vec2::new(0.32, -0.32)] {
                sketch.line(&[-way, way], 0.2, ink);
            }
        }
        Stone::O => sketch.ring(Vec2::ZERO, 0.3, 0.2, ink),
    }
    sketch
}

/// The stone or the mark that a click would leave at a cell.
pub fn ghost(game: &Mnk, cell: Cell, stone: Stone, dark: bool) -> Sketch {
    if !on_wood(game) {
        let ink = faded(Paper::of(dark).pens[stone.index()], 0.5);
        return pen::mark(stone, hand(cell), 1.0, ink);
    }
    let r = STONE;
    let ink = faded(INK, 0.6);
    let mut sketch = Sketch::default();
    sketch.disc(Vec2::ZERO, r, faded(DARK.side(colour(stone)), 0.6));
    sketch.ring(Vec2::ZERO, 0.97 * r, 0.06 * r, ink);
    carve(&mut sketch, stone, r, ink, faded(CHALK, 0.6));
    sketch
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::match_screen::Tweens;
    use crate::boards::tests::kinds_follow_the_match;
    use outwit_core::play::Game;
    use outwit_kit::read_level;

    fn game(side: usize, k: u32) -> Mnk {
        let rows = vec![format!("{:?}", ".".repeat(side)); side];
        let text = format!(
            "(format: \"mnk 1\", name: \"Test\", rules: (k: {k}), map: [{}])",
            rows.join(", ")
        );
        Mnk::new(&read_level::<Mnk>(text.as_bytes(), "test").unwrap(), 2).unwrap()
    }

    /// The size of a new stone at times of its turn, from 0 to 1.
    fn sizes(game: &Mnk, times: [f32; 3]) -> [f32; 3] {
        let (before, mut after) = (game.opening(), game.opening());
        let (cell, mut events) = (Cell::new(1, 1), Vec::new());
        game.take(&mut after, outwit_mnk::MnkAction::Place(cell), &mut events);
        let mut moving = Tweens::between(&pieces(game, &before), &pieces(game, &after));
        tweens(game, &events, &mut moving);
        let key = key(on_wood(game), game.index_of(cell).unwrap());
        times.map(|time| moving.pose(key, time).unwrap().scale)
    }

    #[test]
    fn a_match_on_paper_has_marks_and_no_stones() {
        kinds_follow_the_match::<(PenMark, PlacedStone)>("mnk", &["mark", "stone"]);
    }

    #[test]
    fn stones_settle_and_marks_wait_for_the_pen() {
        let [begin, middle, end] = sizes(&game(9, 5), [0.0, 0.6, 1.0]);
        assert!(begin < 1.0 && middle > 1.0 && end == 1.0);
        assert_eq!(sizes(&game(3, 3), [0.0, 0.9, 1.0]), [0.0, 0.0, 1.0]);
        // When the stone wins the turn is longer, and the stone is there before the row is marked.
        let [_, middle, end] = sizes(&game(9, 1), [0.0, 0.5, 1.0]);
        assert_eq!((middle, end), (1.0, 1.0));
    }

    #[test]
    fn stones_and_marks_differ_in_shape_everywhere() {
        for wood in [true, false] {
            for detail in [Detail::Far, Detail::Middle, Detail::Near] {
                let brush = Brush { dark: true, detail };
                let [x, o] = [Stone::X, Stone::O].map(|stone| {
                    let look = if wood { stone_look(stone) } else { mark_look(stone, 0) };
                    look.sketch(brush, None).unwrap()
                });
                assert_ne!(x.triangles().count(), o.triangles().count());
            }
        }
    }
}
