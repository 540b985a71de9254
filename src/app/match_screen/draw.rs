//! The board's entities: pieces and terrain follow the match, and rest when it does.

use super::mesh_builder::MeshBuilder;
use super::piece::{BoardPiece, Ink, PieceKey, PieceLook, Tweens};
use super::session::Session;
use super::sets::MatchSet;
use super::view::BoardView;
use crate::app::shell::Screen;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::theme::Palette;
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use outwit_core::play::Seat;

/// How often the board was asked and entities were moved, for tests and measurements.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DrawStats {
    /// Times that a board was asked for its pieces.
    pub pieces_asked: u64,
    /// Transforms of pieces that were written.
    pub transforms_written: u64,
}

/// What is drawn of the match at present.
#[derive(Resource, Default)]
pub(super) struct Drawn {
    pieces: HashMap<PieceKey, (Entity, BoardPiece)>,
    tweens: Tweens,
    /// Revision, shown turn and whether it moves, when the board was asked last.
    asked: Option<(u64, usize, bool)>,
    /// Time of the turn and points a cell, when entities were moved last.
    posed: Option<(f32, f32)>,
}

/// One material for each colour that pieces have; `true` for the translucent ones.
#[derive(Resource, Default)]
pub(super) struct Inks(HashMap<(Ink, bool), Handle<ColorMaterial>>);

/// How solid the tile below a piece is.
const TILE_ALPHA: f32 = 0.4;
/// Width of the details relative to the body.
const MARK: f32 = 0.97;
/// Below this many points a cell the fine lines are hidden.
const LEAST_SCALE: f32 = 7.0;

fn colour(palette: &Palette, (ink, soft): (Ink, bool)) -> Color {
    ink.of(palette).bevy_alpha(if soft { TILE_ALPHA } else { 1.0 })
}

/// What spawning pieces needs.
#[derive(bevy::ecs::system::SystemParam)]
pub(super) struct Studio<'w, 's> {
    commands: Commands<'w, 's>,
    shapes: Option<Res<'w, Pieces>>,
    palette: Res<'w, Palette>,
    inks: ResMut<'w, Inks>,
    materials: ResMut<'w, Assets<ColorMaterial>>,
    meshes: ResMut<'w, Assets<Mesh>>,
    tile: Local<'s, Option<Handle<Mesh>>>,
}

impl Studio<'_, '_> {
    fn ink(&mut self, ink: Ink, soft: bool) -> MeshMaterial2d<ColorMaterial> {
        let key = (ink, soft);
        let handle = self
            .inks
            .0
            .entry(key)
            .or_insert_with(|| self.materials.add(colour(&self.palette, key)));
        MeshMaterial2d(handle.clone())
    }

    fn spawn(&mut self, piece: &BoardPiece) -> Entity {
        let PieceLook { shape, body, mark, rim, tile } = piece.look;
        let shape = self.shapes.as_ref().and_then(|shapes| shapes.get(shape)).cloned();
        let mut parts = Vec::new();
        if let Some(tile) = tile {
            let square =
                self.tile.get_or_insert_with(|| self.meshes.add(Rectangle::new(1.0, 1.0))).clone();
            let scale = Vec3::new(1.0 / piece.size, 1.0 / piece.size, 1.0);
            parts.push((Mesh2d(square), self.ink(tile, true), Transform::from_scale(scale)));
        }
        if let Some(shape) = shape {
            let mut part = |mesh: Handle<Mesh>, material, scale: f32, z: f32| {
                let transform = Transform::from_xyz(0.0, 0.0, z);
                let scale = Vec3::new(scale, scale, 1.0);
                parts.push((Mesh2d(mesh), material, transform.with_scale(scale)));
            };
            if rim > 0.0 {
                part(shape.body.clone(), self.ink(Ink::Board, false), rim, 0.001);
            }
            part(shape.body.clone(), self.ink(body, false), 1.0, 0.002);
            if let Some(details) = shape.mark {
                part(details, self.ink(mark, false), MARK, 0.003);
            }
        }
        self.commands
            .spawn((
                Name::new(piece.key.0),
                piece.key,
                DespawnOnExit(Screen::Match),
                // Until it is moved to its place in the same frame.
                Transform::from_scale(Vec3::ZERO),
                Visibility::default(),
            ))
            .with_children(|parent| {
                for part in parts {
                    parent.spawn(part);
                }
            })
            .id()
    }
}

/// Asks the board for its pieces when the shown turn or the match changes, and spawns and despawns
/// the difference.
pub(super) fn sync(
    mut session: ResMut<Session>,
    mut drawn: ResMut<Drawn>,
    mut stats: ResMut<DrawStats>,
    mut studio: Studio,
) {
    let moves = session.animation().is_some();
    let wanted = Some((session.live.revision(), session.playback.view, moves));
    if drawn.asked == wanted {
        return;
    }
    let drawn = &mut *drawn;
    drawn.asked = wanted;
    drawn.posed = None;
    stats.pieces_asked += 1;
    let mut shown = session.live.pieces(session.playback.view);
    let subject = session.human_to_move().or(session.humans.first().copied()).unwrap_or(Seat(0));
    let followed = shown.iter().find(|piece| piece.seat == Some(subject));
    session.overlays.followed = followed.map(|piece| piece.pose.place);
    drawn.tweens = Tweens::default();
    if moves {
        stats.pieces_asked += 1;
        let after = session.live.pieces(session.playback.view + 1);
        drawn.tweens = session.live.tweens(session.playback.view, &shown, &after);
        let known: HashSet<PieceKey> = shown.iter().map(|piece| piece.key).collect();
        shown.extend(after.into_iter().filter(|piece| !known.contains(&piece.key)));
    }
    let mut before = std::mem::take(&mut drawn.pieces);
    for piece in shown {
        let entity = match before.remove(&piece.key) {
            Some((entity, old)) if (old.look, old.size) == (piece.look, piece.size) => entity,
            Some((entity, _)) => {
                studio.commands.entity(entity).despawn();
                studio.spawn(&piece)
            }
            None => studio.spawn(&piece),
        };
        drawn.pieces.insert(piece.key, (entity, piece));
    }
    for (entity, _) in before.into_values() {
        studio.commands.entity(entity).despawn();
    }
}

/// Moves the entities while a turn moves, and when the zoom changes.
pub(super) fn pose(
    session: Res<Session>,
    view: Res<BoardView>,
    mut drawn: ResMut<Drawn>,
    mut stats: ResMut<DrawStats>,
    mut entities: Query<&mut Transform, With<PieceKey>>,
) {
    let animation = session.animation();
    let wanted = Some((animation.map_or(0.0, |animation| animation.time), view.scale));
    if drawn.posed == wanted {
        return;
    }
    drawn.posed = wanted;
    for (entity, piece) in drawn.pieces.values() {
        let pose = animation.and_then(|animation| drawn.tweens.pose(piece.key, animation.time));
        let transform = piece.transform(pose.unwrap_or(piece.pose), view.scale);
        if let Ok(mut now) = entities.get_mut(*entity)
            && now.set_if_neq(transform)
        {
            stats.transforms_written += 1;
        }
    }
}

/// Gives all pieces the colours of another theme.
pub(super) fn recolour(
    palette: Res<Palette>,
    inks: Res<Inks>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (key, handle) in &inks.0 {
        if let Some(mut material) = materials.get_mut(handle) {
            material.color = colour(&palette, *key);
        }
    }
}

/// The still terrain.
#[derive(Component)]
pub(super) struct Ground;

/// The fine lines, hidden where they would run together.
#[derive(Component)]
pub(super) struct FineLines;

/// Spawns the terrain, again when the theme changes.
pub(super) fn terrain(
    mut commands: Commands,
    session: Res<Session>,
    palette: Res<Palette>,
    old: Query<Entity, With<Ground>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
    let terrain = session.live.terrain(&palette);
    let mut spawn = |name: &'static str, builder: MeshBuilder, z: f32, alpha: f32| {
        let white = Color::WHITE.with_alpha(alpha);
        commands
            .spawn((
                Name::new(name),
                Ground,
                DespawnOnExit(Screen::Match),
                Mesh2d(meshes.add(builder.mesh())),
                MeshMaterial2d(materials.add(white)),
                Transform::from_xyz(0.0, 0.0, z),
                Visibility::default(),
            ))
            .id()
    };
    if !terrain.ground.is_empty() {
        spawn("terrain", terrain.ground, 0.0, 1.0);
    }
    if !terrain.lines.is_empty() {
        // Translucent, or the mesh is not blended at all.
        let lines = spawn("fine lines", terrain.lines, 2.5, 0.99);
        commands.entity(lines).insert(FineLines);
    }
}

/// Hides the fine lines of a board seen from afar.
pub(super) fn hide_lines(view: Res<BoardView>, mut lines: Query<&mut Visibility, With<FineLines>>) {
    for mut visibility in &mut lines {
        let far = view.scale < LEAST_SCALE;
        visibility.set_if_neq(if far { Visibility::Hidden } else { Visibility::Inherited });
    }
}

/// Forgets the entities; they go with the screen.
pub(super) fn forget(mut drawn: ResMut<Drawn>) {
    *drawn = Drawn::default();
}

/// Draws the board of the match.
pub(super) fn plugin(app: &mut App) {
    let fresh = resource_added::<Session>.or_else(resource_changed::<Palette>);
    app.init_resource::<Drawn>()
        .init_resource::<DrawStats>()
        .init_resource::<Inks>()
        .add_systems(OnExit(Screen::Match), forget)
        .add_systems(
            Update,
            (
                recolour.run_if(resource_changed::<Palette>),
                terrain.run_if(fresh),
                sync,
                pose,
                hide_lines,
            )
                .chain()
                .in_set(MatchSet::Draw)
                .run_if(resource_exists::<Session>),
        );
}
