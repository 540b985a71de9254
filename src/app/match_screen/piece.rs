//! Pieces as a board describes them, and how they move during a turn.

use crate::app::shell::theme::{Palette, Rgb};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use outwit_core::play::Seat;

/// What a piece is called in its match: a name and a number, the same from turn to turn.
///
/// Every piece on the board is one entity with this component.
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PieceKey(pub &'static str, pub u32);

/// A colour by what it stands for, so that a change of theme needs no board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ink {
    /// The colour of a seat.
    Side(Seat),
    /// The drawing board behind everything.
    Board,
    /// Where one can go.
    Ground,
    /// Marks of the terrain, loose walls.
    Mark,
    /// The goal.
    Goal,
    /// Text.
    Text,
}

impl Ink {
    /// The colour in a theme.
    pub fn of(self, palette: &Palette) -> Rgb {
        match self {
            Ink::Side(seat) => palette.side(seat),
            Ink::Board => palette.board,
            Ink::Ground => palette.ground,
            Ink::Mark => palette.mark,
            Ink::Goal => palette.goal,
            Ink::Text => palette.text,
        }
    }
}

/// What a piece looks like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PieceLook {
    /// The silhouette, by file name under `assets/pieces`.
    pub shape: &'static str,
    /// The colour of the body.
    pub body: Ink,
    /// The colour of the details on it.
    pub mark: Ink,
    /// Width of the rim in the board's colour, as a multiple of the body's; 0 for none. It keeps
    /// pieces apart from the ground and from each other.
    pub rim: f32,
    /// A translucent square of a whole cell below the piece.
    pub tile: Option<Ink>,
}

/// Where a piece is and how it lies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pose {
    /// Its middle in board coordinates: cells, y downwards.
    pub place: Vec2,
    /// How far it stands beside its place, in widths of the piece, y downwards.
    pub offset: Vec2,
    /// How far it is turned, in radians counter-clockwise as seen on the screen.
    pub angle: f32,
    /// A factor on the piece's size.
    pub scale: f32,
}

impl Pose {
    /// Upright at a place, at the piece's own size.
    pub fn at(place: Vec2) -> Self {
        Self { place, offset: Vec2::ZERO, angle: 0.0, scale: 1.0 }
    }

    /// The same pose at another size.
    #[must_use]
    pub fn scaled(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    /// The same pose, moved by so many cells.
    #[must_use]
    pub fn moved(self, by: Vec2) -> Self {
        Self { place: self.place + by, ..self }
    }

    /// On the way to another pose. A piece turns before it travels.
    fn towards(self, to: Self, share: f32) -> Self {
        use std::f32::consts::{PI, TAU};
        let turn = (to.angle - self.angle + PI).rem_euclid(TAU) - PI;
        Self {
            place: self.place.lerp(to.place, share),
            offset: self.offset.lerp(to.offset, share),
            angle: self.angle + turn * (3.0 * share).min(1.0),
            scale: self.scale + (to.scale - self.scale) * share,
        }
    }
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoardPiece {
    /// What it is called.
    pub key: PieceKey,
    /// What it looks like.
    pub look: PieceLook,
    /// Whose it is. The camera follows the first piece of a seat.
    pub seat: Option<Seat>,
    /// Where it is.
    pub pose: Pose,
    /// Its width in cells.
    pub size: f32,
    /// Its least width in points, for boards seen from afar.
    pub least: f32,
    /// Pieces of a higher layer lie over those of a lower one; from 3 to 100.
    pub layer: f32,
}

impl BoardPiece {
    /// The transform of its entity where `scale` points show a cell.
    pub fn transform(&self, pose: Pose, scale: f32) -> Transform {
        let width = self.size.max(self.least / scale) * pose.scale;
        let at = pose.place + pose.offset * width;
        Transform {
            translation: Vec3::new(at.x, -at.y, self.layer),
            rotation: Quat::from_rotation_z(pose.angle),
            scale: Vec3::new(width, width, 1.0),
        }
    }
}

/// A pose at a time of the turn, from 0 at its beginning to 1 at its end.
pub type Keyframe = (f32, Pose);

/// How every piece moves during one turn.
#[derive(Default, Debug)]
pub struct Tweens(HashMap<PieceKey, Vec<Keyframe>>);

impl Tweens {
    /// Straight from where each piece is before the turn to where it is after it; new pieces grow
    /// and old ones shrink.
    pub fn between(before: &[BoardPiece], after: &[BoardPiece]) -> Self {
        let mut tweens = HashMap::with_capacity(before.len());
        for piece in before {
            tweens.insert(piece.key, vec![(0.0, piece.pose), (1.0, piece.pose.scaled(0.0))]);
        }
        for piece in after {
            tweens
                .entry(piece.key)
                .and_modify(|frames| frames[1].1 = piece.pose)
                .or_insert_with(|| vec![(0.0, piece.pose.scaled(0.0)), (1.0, piece.pose)]);
        }
        Self(tweens)
    }

    /// The poses of a piece at the beginning and at the end of the turn.
    pub fn ends(&self, key: PieceKey) -> Option<(Pose, Pose)> {
        let frames = self.0.get(&key)?;
        Some((frames.first()?.1, frames.last()?.1))
    }

    /// Moves a piece through these poses, in order of their times; before the first and after the
    /// last it rests.
    pub fn set(&mut self, key: PieceKey, frames: Vec<Keyframe>) {
        self.0.insert(key, frames);
    }

    /// The pose of a piece at a time of the turn.
    pub fn pose(&self, key: PieceKey, time: f32) -> Option<Pose> {
        let frames = self.0.get(&key)?;
        let next = frames.partition_point(|(at, _)| *at <= time);
        let Some(&(end, to)) = frames.get(next) else { return frames.last().map(|last| last.1) };
        let Some(&(begin, from)) = next.checked_sub(1).and_then(|i| frames.get(i)) else {
            return Some(to);
        };
        Some(from.towards(to, ease((time - begin) / (end - begin))))
    }
}

/// Starts and stops softly: smoothstep of a share from 0 to 1.
pub fn ease(share: f32) -> f32 {
    let t = share.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(number: u32, x: f32) -> BoardPiece {
        let ink = Ink::Side(Seat(0));
        BoardPiece {
            key: PieceKey("stone", number),
            look: PieceLook { shape: "stone-x", body: ink, mark: ink, rim: 0.0, tile: None },
            seat: None,
            pose: Pose::at(Vec2::new(x, 0.0)),
            size: 1.0,
            least: 0.0,
            layer: 10.0,
        }
    }

    #[test]
    fn pieces_move_appear_and_vanish() {
        let tweens =
            Tweens::between(&[piece(0, 0.0), piece(1, 5.0)], &[piece(0, 2.0), piece(2, 7.0)]);
        let pose = |number, time| {
            tweens.pose(PieceKey("stone", number), time).map(|pose| (pose.place.x, pose.scale))
        };
        assert_eq!(pose(0, 0.5), Some((1.0, 1.0)));
        assert_eq!((pose(1, 0.0), pose(1, 1.0)), (Some((5.0, 1.0)), Some((5.0, 0.0))));
        assert_eq!((pose(2, 0.0), pose(2, 1.0)), (Some((7.0, 0.0)), Some((7.0, 1.0))));
        assert_eq!(pose(3, 0.5), None);
    }

    #[test]
    fn keyframes_are_passed_and_turns_take_the_short_way() {
        let mut tweens = Tweens::default();
        let key = PieceKey("car", 0);
        let pose = |x: f32, angle: f32| Pose { angle, ..Pose::at(Vec2::new(x, 0.0)) };
        tweens.set(
            key,
            vec![(0.25, pose(0.0, 3.0)), (0.5, pose(8.0, -3.0)), (0.75, pose(4.0, -3.0))],
        );
        let at = |time| tweens.pose(key, time).map(|pose| pose.place.x);
        assert_eq!(
            (at(0.0), at(0.5), at(0.625), at(1.0)),
            (Some(0.0), Some(8.0), Some(6.0), Some(4.0))
        );
        let half = tweens.pose(key, 0.3).map(|pose| pose.angle);
        assert!(half.is_some_and(|angle| angle > 3.0), "{half:?}");
    }
}
