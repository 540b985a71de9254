//! Pieces as a board describes them, and how they move during a turn.

use crate::app::drawing::{Detail, Sketch, faded, opaque};
use crate::app::shell::pieces::Pieces;
use crate::app::shell::theme::{DARK, INK, LIGHT, PALE, Palette, Rgb};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use outwit_core::play::Seat;
use std::any::Any;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// What a piece is called in its match: a name and a number, the same from turn to turn.
///
/// Every piece on the board is one entity with this component.
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Reflect)]
#[reflect(Component)]
pub struct PieceKey(pub &'static str, pub u32);

/// The colour of who is out of the match: grey in both themes.
const OUT: Rgb = Rgb(0x9a, 0x9a, 0xa2);

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
    /// Who has lost and stays where it is.
    Out,
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
            Ink::Out => OUT,
        }
    }
}

/// What a figure is drawn for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Brush {
    /// Whether in the dark theme.
    pub dark: bool,
    /// How much of it.
    pub detail: Detail,
}

/// A drawing around the origin, one cell wide.
#[derive(Clone)]
pub struct Drawing {
    /// What it is called.
    pub name: &'static str,
    /// Tells drawings of one name apart, such as walls by their lengths.
    pub form: u64,
    draw: Arc<dyn Fn(Brush) -> Sketch + Send + Sync>,
}

impl Drawing {
    /// A drawing that is made from data.
    pub fn new<T>(name: &'static str, data: T, draw: fn(T, Brush) -> Sketch) -> Self
    where
        T: Hash + Copy + Send + Sync + 'static,
    {
        // Always with the same keys.
        let mut form = DefaultHasher::new();
        data.hash(&mut form);
        Self { name, form: form.finish(), draw: Arc::new(move |brush| draw(data, brush)) }
    }

    /// Draws it.
    pub fn sketch(&self, brush: Brush) -> Sketch {
        (self.draw)(brush)
    }
}

/// What a piece is drawn by.
#[derive(Clone)]
pub enum Figure {
    /// A silhouette in the colour of a side, by file name under `assets/pieces`.
    Silhouette(&'static str),
    /// A drawing of its own.
    Drawn(Drawing),
}

impl Figure {
    /// The name, and what tells figures of one name apart.
    pub fn id(&self) -> (&'static str, u64) {
        match self {
            Figure::Silhouette(name) => (name, 0),
            Figure::Drawn(drawing) => (drawing.name, drawing.form),
        }
    }
}

impl PartialEq for Figure {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl fmt::Debug for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Figure").field(&self.id()).finish()
    }
}

/// What lies below a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shade {
    /// Nothing, or what the figure draws itself.
    None,
    /// The shadow of somebody who stands there.
    Standing,
    /// The shadow of what may lie in any direction.
    Lying,
}

/// What a piece looks like; a component of its entity.
#[derive(Component, Clone, PartialEq, Debug, Reflect)]
#[reflect(opaque, Component, Debug)]
pub struct PieceLook {
    /// What it is drawn by.
    pub figure: Figure,
    /// The colour of a silhouette's body.
    pub body: Ink,
    /// Whether a pale rim keeps it apart from its ground.
    pub rim: bool,
    /// Its shadow.
    pub shade: Shade,
    /// Whether its shape matters even from afar. Otherwise a plain mark stands there for it.
    pub lasting: bool,
}

impl PieceLook {
    /// Somebody who stands on the board, in the colour of a seat.
    pub const fn person(shape: &'static str, seat: Seat) -> Self {
        Self {
            figure: Figure::Silhouette(shape),
            body: Ink::Side(seat),
            rim: false,
            shade: Shade::Standing,
            lasting: false,
        }
    }

    /// A thing with a drawing of its own, made from data.
    pub fn drawn<T>(name: &'static str, data: T, draw: fn(T, Brush) -> Sketch) -> Self
    where
        T: Hash + Copy + Send + Sync + 'static,
    {
        Self {
            figure: Figure::Drawn(Drawing::new(name, data, draw)),
            body: Ink::Mark,
            rim: false,
            shade: Shade::None,
            lasting: true,
        }
    }

    /// Its drawing, one cell wide around the origin. `None` while its silhouette is not there yet.
    pub fn sketch(&self, brush: Brush, pieces: Option<&Pieces>) -> Option<Sketch> {
        let palette = if brush.dark { &DARK } else { &LIGHT };
        let body = self.body.of(palette);
        if brush.detail == Detail::Far && !self.lasting {
            return Some(plain_mark(self.body, body));
        }
        let mut sketch = Sketch::default();
        let shadow = |alpha: f32| faded(Rgb(4, 5, 12), alpha);
        if brush.detail != Detail::Far {
            match self.shade {
                Shade::None => {}
                Shade::Standing => {
                    for step in 0..4_u8 {
                        let step = f32::from(step);
                        let at = Vec2::new(0.05 + 0.02 * step, 0.44);
                        let radii = Vec2::new(0.30 + 0.05 * step, 0.085 + 0.02 * step);
                        sketch.ellipse(at, radii, shadow(0.15));
                    }
                }
                Shade::Lying => sketch.glow(Vec2::ZERO, 0.62, shadow(0.5), shadow(0.0)),
            }
        }
        let figure = match &self.figure {
            Figure::Silhouette(shape) => pieces?.get(shape)?.sketch(body, self.rim),
            Figure::Drawn(drawing) => drawing.sketch(brush),
        };
        sketch.add(&figure, |at| at);
        Some(sketch)
    }
}

/// What stands for a piece that is seen from afar: every seat has a shape of its own.
fn plain_mark(ink: Ink, colour: Rgb) -> Sketch {
    let corners = match ink {
        Ink::Side(seat) => match seat.index() % 6 {
            0 => 24,
            1 => 4,
            2 => 3,
            3 => 5,
            4 => 6,
            _ => 8,
        },
        _ => 24,
    };
    let mut sketch = Sketch::default();
    for (radius, colour) in [(0.58, PALE), (0.5, INK), (0.35, colour)] {
        let turn = std::f32::consts::PI / corners as f32 - std::f32::consts::FRAC_PI_2;
        let points: Vec<Vec2> = (0..corners)
            .map(|n| {
                Vec2::from_angle(turn + n as f32 / corners as f32 * std::f32::consts::TAU) * radius
            })
            .collect();
        sketch.fan(&points, opaque(colour));
    }
    sketch
}

/// The component of a piece's kind, with what the state says of it: the heading of a wall, the velocity of a car. A
/// board's own systems and observers take care of it.
#[derive(Clone)]
pub struct PieceKind(Arc<dyn KindData>);

impl PieceKind {
    /// The kind with this component.
    pub fn of(component: impl Component + Clone + PartialEq + fmt::Debug) -> Self {
        Self(Arc::new(component))
    }

    /// Gives an entity the component, in place of an earlier one of the kind.
    pub fn insert(&self, entity: &mut EntityCommands) {
        self.0.insert(entity);
    }
}

impl PartialEq for PieceKind {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(other.0.as_ref())
    }
}

impl fmt::Debug for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A component whose type is known to its board only.
trait KindData: Any + fmt::Debug + Send + Sync {
    fn insert(&self, entity: &mut EntityCommands);
    fn is_same(&self, other: &dyn Any) -> bool;
}

impl<C: Component + Clone + PartialEq + fmt::Debug> KindData for C {
    fn insert(&self, entity: &mut EntityCommands) {
        entity.insert(self.clone());
    }

    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
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
#[derive(Clone, Debug)]
pub struct BoardPiece {
    /// What it is called.
    pub key: PieceKey,
    /// Its kind.
    pub kind: PieceKind,
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
    /// Draws it in its place on the board, where `cell` pixels show a cell; not while its silhouette is not there
    /// yet.
    pub fn draw(&self, sketch: &mut Sketch, brush: Brush, pieces: &Pieces, cell: f32) {
        let Some(figure) = self.look.sketch(brush, Some(pieces)) else { return };
        let place = self.transform(self.pose, cell);
        let scale = place.scale.x;
        let at = place.translation;
        let turn = Vec2::from_angle(-self.pose.angle);
        sketch.add(&figure, |point| Vec2::new(at.x, -at.y) + turn.rotate(point) * scale);
    }

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

    #[derive(Component, Clone, PartialEq, Debug)]
    struct Stone;

    fn piece(number: u32, x: f32) -> BoardPiece {
        BoardPiece {
            key: PieceKey("stone", number),
            kind: PieceKind::of(Stone),
            look: PieceLook::person("stone-x", Seat(0)),
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
