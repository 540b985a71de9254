//! The thief, the guards with their lanterns, and the chest.

use super::{STEP_SECONDS, fog};
use crate::app::drawing::{Detail, Sketch, faded, from_hex, opaque};
use crate::app::match_screen::{
    BoardDetail, BoardPiece, Brush, Ink, Keyframe, MatchSet, PieceKey, PieceKind, PieceLook, Pose,
    Session, Tweens, middle,
};
use crate::app::shell::settings::{Motion, Settings};
use crate::app::shell::theme::{DARK, INK, LIGHT, Rgb};
use bevy::prelude::*;
use bevy::sprite_render::AlphaMode2d;
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use outwit_stealth::fog::Seen;
use outwit_stealth::{Heist, RouteEnd, Stealth, StealthEvent};
use std::f32::consts::{FRAC_PI_2, PI};

/// The one who sneaks.
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(Component)]
pub struct Thief;

/// Somebody who watches.
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(Component)]
pub struct Guard {
    /// Whether it walks its rounds, and does not stand still.
    pub on_patrol: bool,
}

/// Where the thief wants to go.
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(Component)]
pub struct Loot {
    /// Whether the thief has it.
    pub is_taken: bool,
}

/// What shines around a piece, as its child.
#[derive(Component, Default, Clone, Copy, Debug)]
struct Glow;

/// Names of the silhouettes of the thief, of a guard and of the chest.
pub const SHAPES: [&str; 4] = ["thief", "guard", "chest", "chest-open"];

const THIEF: PieceKey = PieceKey("thief", 0);

/// How far a glow lies below its piece.
const BELOW: f32 = -1.5;
/// How high somebody bounces at a step, in cells.
const BOUNCE: f32 = 0.07;

/// Longest time that a whole path is shown at normal speed, in seconds.
const LONGEST: f32 = 8.0;

/// What the thief wants, open once the thief is there.
fn chest_look(open: bool) -> PieceLook {
    let shape = if open { "chest-open" } else { "chest" };
    PieceLook { body: Ink::Goal, lasting: true, ..PieceLook::person(shape, Seat(0)) }
}

/// What the editor shows for a tile. Terrain is there already; signposts are drawn for nobody else.
pub fn tile_look(symbol: char) -> Option<PieceLook> {
    Some(match symbol {
        'O' => PieceLook::person("thief", Seat(0)),
        'Y' => chest_look(false),
        'Z' | 'N' | 'E' | 'S' | 'W' => PieceLook::person("guard", Seat(1)),
        '.' | 'X' | 'T' => PieceLook::drawn("terrain", (), |_, _| Sketch::default()),
        '^' => PieceLook::drawn("signpost", 0, signpost),
        '>' => PieceLook::drawn("signpost", 1, signpost),
        'v' => PieceLook::drawn("signpost", 2, signpost),
        '<' => PieceLook::drawn("signpost", 3, signpost),
        _ => return None,
    })
}

/// An arrow in a ring, turned clockwise by so many quarters.
fn signpost(quarters: u8, brush: Brush) -> Sketch {
    let palette = if brush.dark { &DARK } else { &LIGHT };
    let mut sketch = Sketch::default();
    sketch.disc(Vec2::ZERO, 0.36, opaque(palette.casing));
    let way = Vec2::from_angle(f32::from(quarters) * FRAC_PI_2);
    let arrow = [(0.0, -0.26), (0.24, 0.04), (0.1, 0.04), (0.1, 0.26), (-0.1, 0.26), (-0.1, 0.04)];
    let mut arrow: Vec<Vec2> = arrow.into_iter().map(|at| way.rotate(Vec2::from(at))).collect();
    arrow.push(way.rotate(Vec2::new(-0.24, 0.04)));
    sketch.area(&[arrow], opaque(palette.line(Seat(1))));
    sketch
}

/// One entity for the thief, one for the chest and one for each guard that the thief can know of.
pub fn pieces(game: &Stealth, heist: &Heist) -> Vec<BoardPiece> {
    let ground = game.ground();
    let has_escaped = game.end(heist) == Some(RouteEnd::Goal);
    let piece = |key, kind, look, cell, layer| BoardPiece {
        key,
        kind,
        look,
        seat: (key == THIEF).then_some(Seat(0)),
        pose: Pose::at(middle(cell)),
        size: 0.92,
        least: 9.0,
        layer,
    };
    let mut thief = piece(
        THIEF,
        PieceKind::of(Thief),
        PieceLook::person("thief", Seat(0)),
        fog::position(game, heist),
        20.0,
    );
    let look = chest_look(has_escaped);
    let loot = PieceKind::of(Loot { is_taken: has_escaped });
    let mut chest = piece(PieceKey("chest", 0), loot, look, ground.goal(), 5.0);
    chest.size = 0.84;
    if has_escaped {
        // Both are seen, side by side.
        thief.pose = Pose { offset: Vec2::new(-0.27, 0.1), scale: 0.74, ..thief.pose };
        chest.pose = Pose { offset: Vec2::new(0.24, -0.1), scale: 0.74, ..chest.pose };
    }
    // Guards that never move are covered by the fog like their cells, but a guard on patrol may pass
    // where the thief has looked before.
    let still = ground.guards().len() - ground.patrols().len();
    let seen = heist.seen.as_ref().filter(|_| !heist.is_over).map(Seen::patrols);
    let is_hidden = |guard: usize| {
        let patrol = guard.checked_sub(still).and_then(|patrol| seen?.get(patrol));
        patrol == Some(&false)
    };
    let guards = ground.guards_at(heist.walked.0.len()).into_iter().enumerate();
    let guards = guards.filter(|&(guard, _)| !is_hidden(guard)).map(|(guard, cell)| {
        let layer = 10.0 + guard as f32 * 0.01;
        piece(
            PieceKey("guard", guard as u32),
            PieceKind::of(Guard { on_patrol: guard >= still }),
            PieceLook::person("guard", Seat(1)),
            cell,
            layer,
        )
    });
    [thief, chest].into_iter().chain(guards).collect()
}

/// How long a path of so many moves is shown, in seconds.
pub fn seconds(moves: usize) -> f32 {
    (moves as f32 * STEP_SECONDS).clamp(STEP_SECONDS, LONGEST)
}

/// The thief walks along its path, and guards on patrol along their loops.
pub fn tweens(game: &Stealth, before: &Heist, events: &[StealthEvent], tweens: &mut Tweens) {
    let mut cells: Vec<Cell> = Vec::new();
    for event in events {
        if let StealthEvent::Moved { from, to, .. } = event {
            if cells.is_empty() {
                cells.push(*from);
            }
            cells.push(*to);
        }
    }
    let last = cells.len().saturating_sub(1).max(1) as f32;
    let frames = |cells: &mut dyn Iterator<Item = Cell>| -> Vec<Keyframe> {
        cells.zip(0_u32..).map(|(cell, n)| (n as f32 / last, Pose::at(middle(cell)))).collect()
    };
    if cells.is_empty() {
        return;
    }
    let ground = game.ground();
    let still = ground.guards().len() - ground.patrols().len();
    let ahead = |patrol: &[Cell]| {
        let cells = patrol.to_vec();
        let first = before.walked.0.len() % cells.len().max(1);
        cells.into_iter().cycle().skip(first)
    };
    for (patrol, index) in ground.patrols().iter().zip(still as u32..) {
        let walked = frames(&mut ahead(patrol).take(cells.len()));
        tweens.set(PieceKey("guard", index), walked);
    }
    let mut walked = frames(&mut cells.into_iter());
    if let (Some((_, arrived)), Some(last)) = (tweens.ends(THIEF), walked.last_mut()) {
        last.1 = arrived;
    }
    tweens.set(THIEF, walked);
}

/// Everybody who walks bounces a little from cell to cell.
#[allow(clippy::type_complexity)]
fn bounce(
    matches: Query<&Session>,
    settings: Res<Settings>,
    mut walkers: Query<
        (&mut Transform, &ChildOf),
        (Changed<Transform>, Or<(With<Thief>, With<Guard>)>),
    >,
) {
    if settings.motion != Motion::Full {
        return;
    }
    for (mut transform, of) in &mut walkers {
        if matches.get(of.parent()).ok().and_then(Session::animation).is_none() {
            continue;
        }
        // How far it has come from the middle of a cell to that of the next one.
        let share = |at: f32| Some((at + 0.5).rem_euclid(1.0)).filter(|share| *share < 0.99);
        let Vec3 { x, y, .. } = transform.translation;
        let share = share(x).unwrap_or(0.0).max(share(y).unwrap_or(0.0));
        transform.translation.y += BOUNCE * (share * PI).sin();
    }
}

/// Heights and meshes, and their material.
type Lights = (Vec<(f32, Handle<Mesh>)>, Handle<ColorMaterial>);

/// What hanging lights on pieces needs, and the lights that were made for the first piece.
#[allow(clippy::type_complexity)]
#[derive(bevy::ecs::system::SystemParam)]
struct Lighting<'w, 's> {
    commands: Commands<'w, 's>,
    detail: Res<'w, BoardDetail>,
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<ColorMaterial>>,
    made: Local<'s, Option<Lights>>,
}

impl Lighting<'_, '_> {
    /// Hangs sketches on a piece, each so far above it.
    fn hang<const N: usize>(&mut self, piece: Entity, draw: fn() -> [(f32, Sketch); N]) {
        let meshes = &mut self.meshes;
        let materials = &mut self.materials;
        let (lights, material) = self.made.get_or_insert_with(|| {
            let lights = draw().map(|(height, sketch)| (height, meshes.add(sketch.mesh())));
            let material = ColorMaterial { alpha_mode: AlphaMode2d::Blend, ..default() };
            (lights.to_vec(), materials.add(material))
        });
        for (height, mesh) in lights {
            self.commands.spawn((
                Name::new("glow"),
                Glow,
                ChildOf(piece),
                Mesh2d(mesh.clone()),
                MeshMaterial2d(material.clone()),
                Transform::from_xyz(0.0, 0.0, *height),
                glow_visibility(&self.detail),
            ));
        }
    }
}

fn glow_visibility(detail: &BoardDetail) -> Visibility {
    if detail.0 == Detail::Far { Visibility::Hidden } else { Visibility::Inherited }
}

/// Light around a guard, and the lantern in its hand. It reaches no other cell: what a guard sees is the
/// light on the floor.
fn lantern() -> [(f32, Sketch); 2] {
    const FLAME: Rgb = from_hex(0xffe9a0);
    let mut glow = Sketch::default();
    let mut lantern = Sketch::default();
    glow.glow(Vec2::ZERO, 0.6, faded(FLAME, 0.75), faded(FLAME, 0.0));
    let low = Vec2::new(0.24, 0.06);
    let high = Vec2::new(0.46, 0.34);
    lantern.ring(Vec2::new(0.35, 0.06), 0.06, 0.03, opaque(INK));
    lantern.rounded(low, high, 0.04, opaque(INK));
    lantern.rounded(low + 0.04, high - 0.04, 0.02, opaque(FLAME));
    [(BELOW, glow), (0.005, lantern)]
}

/// The gleam of what the thief wants.
fn gleam() -> [(f32, Sketch); 1] {
    const GOLD: Rgb = from_hex(0xf0e442);
    let mut glow = Sketch::default();
    glow.glow(Vec2::ZERO, 1.0, faded(GOLD, 0.6), faded(GOLD, 0.0));
    [(BELOW, glow)]
}

fn light_lantern(added: On<Add, Guard>, mut lighting: Lighting) {
    lighting.hang(added.entity, lantern);
}

fn light_loot(added: On<Add, Loot>, mut lighting: Lighting) {
    lighting.hang(added.entity, gleam);
}

/// Nothing glows on a board that is seen from afar.
fn dim(detail: Res<BoardDetail>, mut glows: Query<&mut Visibility, With<Glow>>) {
    for mut visibility in &mut glows {
        visibility.set_if_neq(glow_visibility(&detail));
    }
}

/// Lights, and steps that bounce.
pub fn plugin(app: &mut App) {
    app.register_type::<Thief>()
        .register_type::<Guard>()
        .register_type::<Loot>()
        .add_observer(light_lantern)
        .add_observer(light_loot)
        .add_systems(Update, bounce.after(MatchSet::Draw))
        .add_systems(
            Update,
            dim.after(MatchSet::Draw).run_if(resource_exists_and_changed::<BoardDetail>),
        );
}
