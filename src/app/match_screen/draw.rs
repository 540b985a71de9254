//! The board's entities: pieces and terrain follow the match, and rest when it does.

use super::focus::{Focused, MatchSlot};
use super::piece::{BoardPiece, Brush, Ink, PieceKey, PieceLook, Shade, Tweens};
use super::session::Session;
use super::sets::MatchSet;
use super::state::AnalysisView;
use super::view::BoardView;
use crate::app::drawing::{Detail, Sketch};
use crate::app::shell::Screen;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::theme::Palette;
use bevy::camera::visibility::RenderLayers;
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use bevy::sprite_render::AlphaMode2d;
use bevy_egui::EguiPrimaryContextPass;
use outwit_core::play::Seat;

/// How often the board was asked and entities were moved, for tests and measurements.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DrawStats {
    /// Times that a board was asked for its pieces.
    pub pieces_asked: u64,
    /// Transforms of pieces that were written.
    pub transforms_written: u64,
}

/// What is drawn of a match at present.
#[derive(Component, Default)]
pub(super) struct DrawnBoard {
    pieces: HashMap<PieceKey, (Entity, BoardPiece)>,
    tweens: Tweens,
    /// Revision, shown turn and whether it moves, when the board was asked last.
    asked: Option<(u64, usize, bool)>,
    /// Time of the turn and points a cell, when entities were moved last.
    posed: Option<(f32, f32)>,
}

/// How much of the board is drawn.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardDetail(pub Detail);

impl Default for BoardDetail {
    fn default() -> Self {
        Self(Detail::Middle)
    }
}

/// What tells the mesh of a figure from that of another one.
type FigureKey = ((&'static str, u64), Ink, bool, Shade, bool, Brush);

/// The meshes of figures and their one material: the colours are in the meshes.
#[derive(Resource, Default)]
pub(super) struct Figures {
    meshes: HashMap<FigureKey, Handle<Mesh>>,
    material: Option<Handle<ColorMaterial>>,
}

/// The material of everything that is drawn with colours of its own.
fn material(materials: &mut Assets<ColorMaterial>) -> Handle<ColorMaterial> {
    materials.add(ColorMaterial { alpha_mode: AlphaMode2d::Blend, ..default() })
}

/// What spawning pieces needs.
#[derive(bevy::ecs::system::SystemParam)]
pub(super) struct Studio<'w, 's> {
    commands: Commands<'w, 's>,
    shapes: Option<Res<'w, Pieces>>,
    palette: Res<'w, Palette>,
    detail: Res<'w, BoardDetail>,
    figures: ResMut<'w, Figures>,
    materials: ResMut<'w, Assets<ColorMaterial>>,
    meshes: ResMut<'w, Assets<Mesh>>,
}

impl Studio<'_, '_> {
    fn brush(&self) -> Brush {
        Brush { dark: self.palette.dark, detail: self.detail.0 }
    }

    /// The mesh of a figure; `None` while its silhouette is not there yet.
    fn mesh(&mut self, look: &PieceLook) -> Option<Handle<Mesh>> {
        let brush = self.brush();
        let key = (look.figure.id(), look.body, look.rim, look.shade, look.lasting, brush);
        if let Some(mesh) = self.figures.meshes.get(&key) {
            return Some(mesh.clone());
        }
        let mesh = self.meshes.add(look.sketch(brush, self.shapes.as_deref())?.mesh());
        self.figures.meshes.insert(key, mesh.clone());
        Some(mesh)
    }

    fn spawn(&mut self, piece: &BoardPiece, of: Entity, layer: usize) -> Entity {
        let mesh = self.mesh(&piece.look);
        let materials = &mut self.materials;
        let ink = self.figures.material.get_or_insert_with(|| material(materials)).clone();
        let mut entity = self.commands.spawn((
            Name::new(piece.key.0),
            piece.key,
            piece.look.clone(),
            ChildOf(of),
            // Until it is moved to its place in the same frame.
            Transform::from_scale(Vec3::ZERO),
            Visibility::default(),
            MeshMaterial2d(ink),
            RenderLayers::layer(layer),
        ));
        if let Some(mesh) = mesh {
            entity.insert(Mesh2d(mesh));
        }
        piece.kind.insert(&mut entity);
        entity.id()
    }
}

/// Chooses how much of the board is drawn, by the size of its cells on the screen.
pub(super) fn choose_detail(
    shown: Single<(&Session, &BoardView), With<Focused>>,
    window: Query<&Window>,
    mut detail: ResMut<BoardDetail>,
) {
    let (session, view) = *shown;
    let (columns, rows) = session.info.extent;
    let factor = window.single().map_or(1.0, Window::scale_factor);
    let wanted = detail.0.following(view.scale * factor, columns * rows);
    detail.set_if_neq(BoardDetail(wanted));
}

/// What hangs on a piece is drawn where the piece is.
fn layer_of_piece(
    added: On<Add, ChildOf>,
    children: Query<&ChildOf>,
    pieces: Query<&RenderLayers, With<PieceKey>>,
    mut commands: Commands,
) {
    let piece = children.get(added.entity).map(ChildOf::parent);
    if let Some(layer) = piece.ok().and_then(|piece| pieces.get(piece).ok()) {
        commands.entity(added.entity).insert(layer.clone());
    }
}

/// Asks each board for its pieces when its shown turn or its match changes, and spawns and despawns
/// the difference.
pub(super) fn sync(
    mut matches: Query<(Entity, &mut Session, &MatchSlot, &mut DrawnBoard)>,
    mut stats: ResMut<DrawStats>,
    mut studio: Studio,
) {
    for (entity, mut session, slot, mut drawn) in &mut matches {
        sync_board(&mut session, (entity, slot.layer()), &mut drawn, &mut stats, &mut studio);
    }
}

fn sync_board(
    session: &mut Session,
    (of, layer): (Entity, usize),
    drawn: &mut DrawnBoard,
    stats: &mut DrawStats,
    studio: &mut Studio,
) {
    let moves = session.animation().is_some();
    let wanted = Some((session.live.revision(), session.playback.view, moves));
    if drawn.asked == wanted {
        return;
    }
    drawn.asked = wanted;
    drawn.posed = None;
    stats.pieces_asked += 1;
    let mut shown = session.live.pieces(session.playback.view);
    let subject = session.human_to_move().or(session.humans.first().copied()).unwrap_or(Seat(0));
    let followed = shown.iter().find(|piece| piece.seat == Some(subject));
    session.overlays.followed = followed.map(|piece| piece.pose.place);
    session.overlays.focus = session.live.focus(session.playback.view);
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
            Some((entity, old)) => {
                if old.look != piece.look
                    && let Some(mesh) = studio.mesh(&piece.look)
                {
                    studio.commands.entity(entity).insert((Mesh2d(mesh), piece.look.clone()));
                }
                if old.kind != piece.kind {
                    piece.kind.insert(&mut studio.commands.entity(entity));
                }
                entity
            }
            None => studio.spawn(&piece, of, layer),
        };
        drawn.pieces.insert(piece.key, (entity, piece));
    }
    for (entity, _) in before.into_values() {
        studio.commands.entity(entity).despawn();
    }
}

/// Moves the entities while a turn moves, and when the zoom changes.
pub(super) fn pose(
    mut matches: Query<(&Session, &BoardView, &mut DrawnBoard)>,
    mut stats: ResMut<DrawStats>,
    mut entities: Query<&mut Transform, With<PieceKey>>,
) {
    for (session, view, mut drawn) in &mut matches {
        pose_board(session, view.scale, &mut drawn, &mut stats, &mut entities);
    }
}

fn pose_board(
    session: &Session,
    scale: f32,
    drawn: &mut DrawnBoard,
    stats: &mut DrawStats,
    entities: &mut Query<&mut Transform, With<PieceKey>>,
) {
    let animation = session.animation();
    let wanted = Some((animation.map_or(0.0, |animation| animation.time), scale));
    if drawn.posed == wanted {
        return;
    }
    drawn.posed = wanted;
    for (entity, piece) in drawn.pieces.values() {
        let pose = animation.and_then(|animation| drawn.tweens.pose(piece.key, animation.time));
        let transform = piece.transform(pose.unwrap_or(piece.pose), scale);
        if let Ok(mut now) = entities.get_mut(*entity)
            && now.set_if_neq(transform)
        {
            stats.transforms_written += 1;
        }
    }
}

/// Hides the pieces while the board shows the state of an event of a search instead, which has pieces of its
/// own.
pub(super) fn hide(mut matches: Query<(&Session, &mut Visibility)>) {
    for (session, mut visibility) in &mut matches {
        visibility.set_if_neq(match session.analysis_view() == AnalysisView::Event {
            true => Visibility::Hidden,
            false => Visibility::Inherited,
        });
    }
}

/// Draws all pieces again in another theme or detail, and when their silhouettes are loaded.
pub(super) fn redraw(
    boards: Query<&DrawnBoard>,
    mut studio: Studio,
    mut drawn_with: Local<Option<Brush>>,
) {
    let brush = Some(studio.brush());
    if *drawn_with == brush && !studio.shapes.as_ref().is_some_and(|shapes| shapes.is_added()) {
        return;
    }
    *drawn_with = brush;
    for (entity, piece) in boards.iter().flat_map(|board| board.pieces.values()) {
        if let Some(mesh) = studio.mesh(&piece.look) {
            studio.commands.entity(*entity).insert(Mesh2d(mesh));
        }
    }
}

/// The still terrain in one detail.
#[derive(Component)]
pub(super) struct Ground(pub(super) Detail);

/// What is drawn on a floor in this frame, and what was drawn last.
#[derive(Component, Default)]
pub struct FloorSketch {
    /// To be drawn.
    pub next: Sketch,
    shown: Sketch,
    entity: Option<Entity>,
}

/// Height of the ground, of the floor's marks and of what stands on it; pieces are above.
const HEIGHTS: [f32; 3] = [0.0, 1.0, 2.0];

/// Draws the terrain in the wanted detail, and again when the theme changes.
pub(super) fn terrain(
    mut commands: Commands,
    session: Single<Ref<Session>, With<Focused>>,
    palette: Res<Palette>,
    detail: Res<BoardDetail>,
    mut old: Query<(Entity, &Ground, &mut Visibility)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let fresh = session.is_added() || palette.is_changed();
    let mut known = false;
    for (entity, ground, mut visibility) in &mut old {
        if fresh {
            commands.entity(entity).despawn();
            continue;
        }
        let shown = ground.0 == detail.0;
        known |= shown;
        visibility.set_if_neq(if shown { Visibility::Inherited } else { Visibility::Hidden });
    }
    if known {
        return;
    }
    let terrain = session.live.terrain(palette.dark, detail.0);
    let ink = material(&mut materials);
    for (name, sketch, height) in
        [("ground", terrain.ground, HEIGHTS[0]), ("standing", terrain.standing, HEIGHTS[2])]
    {
        if !sketch.is_empty() {
            commands.spawn((
                Name::new(name),
                Ground(detail.0),
                // It is the same for all matches.
                RenderLayers::from_layers(&[0, 1]),
                DespawnOnExit(Screen::Match),
                Mesh2d(meshes.add(sketch.mesh())),
                MeshMaterial2d(ink.clone()),
                Transform::from_xyz(0.0, 0.0, height),
                Visibility::default(),
            ));
        }
    }
}

/// Shows what is drawn on the floors, when it changes.
pub(super) fn floor(
    mut commands: Commands,
    mut matches: Query<(Entity, &MatchSlot, &mut FloorSketch)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut redraw: MessageWriter<bevy::window::RequestRedraw>,
) {
    for (of, slot, mut sketch) in &mut matches {
        let next = std::mem::take(&mut sketch.next);
        if next == sketch.shown {
            continue;
        }
        if let Some(old) = sketch.entity.take() {
            commands.entity(old).despawn();
        }
        if !next.is_empty() {
            let floor = commands.spawn((
                Name::new("floor"),
                ChildOf(of),
                RenderLayers::layer(slot.layer()),
                Mesh2d(meshes.add(next.mesh())),
                MeshMaterial2d(material(&mut materials)),
                Transform::from_xyz(0.0, 0.0, HEIGHTS[1]),
                // Also while the pieces of the match are hidden.
                Visibility::Visible,
            ));
            sketch.entity = Some(floor.id());
        }
        sketch.shown = next;
        // What is spawned after the frame's systems have run is seen in the next one.
        redraw.write(bevy::window::RequestRedraw);
    }
}

/// Whether a match has just come on the screen.
fn match_added(matches: Query<(), Added<Session>>) -> bool {
    !matches.is_empty()
}

/// Draws the board of the match.
pub(super) fn plugin(app: &mut App) {
    let fresh =
        match_added.or_else(resource_changed::<Palette>).or_else(resource_changed::<BoardDetail>);
    app.register_required_components::<Session, DrawnBoard>()
        .register_required_components::<Session, FloorSketch>()
        .init_resource::<DrawStats>()
        .init_resource::<Figures>()
        .init_resource::<BoardDetail>()
        .add_observer(layer_of_piece)
        .add_systems(
            Update,
            (choose_detail, terrain.run_if(fresh), sync, redraw, pose, hide)
                .chain()
                .in_set(MatchSet::Draw),
        )
        .add_systems(
            EguiPrimaryContextPass,
            floor.run_if(in_state(Screen::Match)).after(super::screen::show),
        );
}
