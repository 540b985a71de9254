//! Pictures of tiles as the board draws them, for the list of tiles.

use crate::app::drawing::{Detail, egui_colour};
use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview::MapPainter;
use bevy_egui::egui;
use egui::{Color32, Mesh, Painter, Pos2, Rect, Vec2, pos2, vec2};
use outwit_core::grid::Cell;
use outwit_headless::editor::EditorModel;
use outwit_kit::{Footprint, LevelDraft, Placement, TileKind, TileStyle};

/// The longest side of the map on which a tile is drawn for its picture, in cells.
const MOST: usize = 11;

/// One tile as the board draws it, its corners as shares of the side of its square.
struct Swatch {
    symbol: char,
    corners: Vec<(Pos2, Color32)>,
}

/// The pictures of a game's tiles in one theme.
#[derive(Default)]
pub struct Swatches {
    /// Whether they are for the dark theme; `None` before they were drawn.
    dark: Option<bool>,
    all: Vec<Swatch>,
}

impl Swatches {
    /// Draws the pictures unless they are there for this theme.
    pub fn refresh(
        &mut self,
        model: &EditorModel,
        board: Option<&MapPainter>,
        pieces: &Pieces,
        dark: bool,
    ) {
        let Some(board) = board.filter(|_| self.dark != Some(dark)) else { return };
        self.dark = Some(dark);
        self.all =
            model.palette().iter().map(|tile| swatch(model, tile, board, pieces, dark)).collect();
    }

    /// Paints a tile into a square; returns whether there is a picture of it.
    pub fn paint(&self, painter: &Painter, square: Rect, symbol: char) -> bool {
        let Some(swatch) = self.all.iter().find(|swatch| swatch.symbol == symbol) else {
            return false;
        };
        let mut mesh = Mesh::default();
        for &(at, colour) in &swatch.corners {
            mesh.colored_vertex(square.min + at.to_vec2() * square.width(), colour);
        }
        mesh.indices = (0..swatch.corners.len() as u32).collect();
        painter.with_clip_rect(square.intersect(painter.clip_rect())).add(mesh);
        !swatch.corners.is_empty()
    }
}

fn swatch(
    model: &EditorModel,
    tile: &TileKind,
    board: &MapPainter,
    pieces: &Pieces,
    dark: bool,
) -> Swatch {
    let kind = model.kind();
    let (width, height) = kind.facts().new_size;
    let sample = EditorModel::blank(kind, width.min(MOST), height.min(MOST));
    let (width, height) = sample.size();
    let middle = width as i32 / 2;
    let row = height as i32 / 2;
    let cell = match tile.place {
        Placement::Border => Cell::new(0, row),
        Placement::Anywhere | Placement::Inside => Cell::new(middle, row),
    };
    let mut draft: LevelDraft = sample.draft().clone();
    // Ground is seen best among its like, a long piece with its neighbours, all else alone.
    let (across, down) = match tile.piece {
        None if tile.look != TileStyle::Wall => (1, 1),
        Some(Footprint::Row(_)) => (1, 0),
        Some(Footprint::Column(_)) => (0, 1),
        None | Some(Footprint::One | Footprint::Border(_)) => (0, 0),
    };
    for at in draft.cells.cells() {
        let near = (at.x - cell.x).abs() <= across && (at.y - cell.y).abs() <= down;
        if near && tile.place.holds(at, width, height) {
            draft.cells[at] = tile.symbol;
        }
    }
    let sketch = (board.sketch)(&draft, dark, Detail::Near, pieces);
    // A long piece is shown whole.
    let around = if across == down { 0 } else { 1 };
    let corner = vec2((cell.x - around) as f32, (cell.y - around) as f32);
    let side = (1 + 2 * around) as f32;
    let own = Rect::from_min_size(Pos2::ZERO, Vec2::splat(1.0));
    let corners = sketch
        .triangles()
        .map(|triangle| {
            triangle.map(|(at, ink)| ((pos2(at.x, at.y) - corner) / side, egui_colour(ink)))
        })
        .filter(|triangle| Rect::from_points(&triangle.map(|(at, _)| at)).intersects(own))
        .flatten()
        .collect();
    Swatch { symbol: tile.symbol, corners }
}
