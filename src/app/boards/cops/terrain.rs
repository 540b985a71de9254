//! The board as one mesh: the ring on which gates live, the ground, blocks and fine lines.

use crate::app::match_screen::{BoardView, MatchSet, MeshBuilder, Session, linear};
use crate::app::shell::Screen;
use crate::app::shell::theme::Palette;
use crate::games::cops::rules::Cops;
use crate::grid::Cell;
use bevy::prelude::*;

#[derive(Component)]
struct Terrain;

/// The fine lines, hidden where they would run together.
#[derive(Component)]
struct FineGrid;

/// Width of the fine lines, in cells.
const HAIR: f32 = 0.035;
/// Width of the line between the board and its ring, in cells.
const BORDER: f32 = 0.1;
/// Below this many points a cell the fine lines are hidden.
const LEAST_SCALE: f32 = 7.0;
/// Width of the edge of a block, in cells.
const BEVEL: f32 = 0.1;

/// Ring, ground and blocks.
fn sheet(game: &Cops, palette: &Palette) -> MeshBuilder {
    let board = game.board();
    let mut builder = MeshBuilder::default();
    let size = Vec2::new(board.width() as f32, board.height() as f32);
    builder.rect(Vec2::splat(-0.06), size + 0.06, 0.0, linear(palette.edge, 0.45));
    builder.rect(Vec2::ZERO, size, 0.2, linear(palette.board, 1.0));
    builder.rect(Vec2::ZERO, size, 0.3, linear(palette.grid, 0.75));
    builder.rect(Vec2::splat(1.0 - BORDER), size - 1.0 + BORDER, 0.4, linear(palette.edge, 0.8));
    builder.rect(Vec2::ONE, size - 1.0, 0.5, linear(palette.ground, 1.0));
    let is_block = |cell: Cell| board.is_inside(cell) && !board.is_floor(cell);
    for y in 1..board.height() as i32 - 1 {
        for x in 1..board.width() as i32 - 1 {
            let cell = Cell::new(x, y);
            if !is_block(cell) {
                continue;
            }
            let low = Vec2::new(x as f32, y as f32);
            // The edge runs round blocks that lie together.
            let inset = |dx, dy| if is_block(cell + Cell::new(dx, dy)) { 0.0 } else { BEVEL };
            let inner = low + Vec2::new(inset(-1, 0), inset(0, -1));
            let outer = low + 1.0 - Vec2::new(inset(1, 0), inset(0, 1));
            builder.rect(low, low + 1.0, 1.0, linear(palette.edge, 1.0));
            builder.rect(inner, outer, 1.1, linear(palette.board, 1.0));
        }
    }
    builder
}

fn hairlines(game: &Cops, palette: &Palette) -> MeshBuilder {
    let mut builder = MeshBuilder::default();
    let (width, height) = (game.board().width() as f32, game.board().height() as f32);
    let colour = linear(palette.edge, 0.3);
    for x in 1..game.board().width() {
        let x = x as f32;
        builder.rect(
            Vec2::new(x - HAIR / 2.0, 0.0),
            Vec2::new(x + HAIR / 2.0, height),
            0.0,
            colour,
        );
    }
    for y in 1..game.board().height() {
        let y = y as f32;
        builder.rect(Vec2::new(0.0, y - HAIR / 2.0), Vec2::new(width, y + HAIR / 2.0), 0.0, colour);
    }
    builder
}

fn spawn(
    mut commands: Commands,
    session: Res<Session<Cops>>,
    palette: Res<Palette>,
    old: Query<Entity, With<Terrain>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
    commands.spawn((
        Name::new("board of the pursuit"),
        Terrain,
        DespawnOnExit(Screen::Match),
        Mesh2d(meshes.add(sheet(session.game(), &palette).mesh())),
        MeshMaterial2d(materials.add(Color::WHITE)),
    ));
    commands.spawn((
        Name::new("fine grid"),
        Terrain,
        FineGrid,
        DespawnOnExit(Screen::Match),
        Mesh2d(meshes.add(hairlines(session.game(), &palette).mesh())),
        MeshMaterial2d(materials.add(Color::WHITE.with_alpha(0.99))),
        Transform::from_xyz(0.0, 0.0, 2.0),
    ));
}

fn hide_fine_grid(view: Res<BoardView>, mut grids: Query<&mut Visibility, With<FineGrid>>) {
    for mut visibility in &mut grids {
        let wanted =
            if view.scale < LEAST_SCALE { Visibility::Hidden } else { Visibility::Inherited };
        visibility.set_if_neq(wanted);
    }
}

/// Spawns the board, anew when the theme changes.
pub fn plugin(app: &mut App) {
    let fresh = resource_added::<Session<Cops>>.or_else(resource_changed::<Palette>);
    app.add_systems(
        Update,
        (spawn.run_if(fresh), hide_fine_grid)
            .chain()
            .in_set(MatchSet::Draw)
            .run_if(resource_exists::<Session<Cops>>),
    );
}
