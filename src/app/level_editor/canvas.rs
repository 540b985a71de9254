//! The map on the screen: a texture with one texel per cell, with pieces, grid, selection and faults
//! drawn over it. Passes pointer input to the model.

mod cursor;
mod overlays;

use self::cursor::draw_cursor;
use self::overlays::{draw_faults, draw_grid, draw_mirrors, draw_selection, draw_solution};
use super::open_document::OpenDocument;
use crate::app::drawing::{Detail, egui_colour};

use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview::{MapPainter, MapPainters};
use crate::app::shell::theme::{Palette, palette};
use bevy_egui::egui;
use egui::{
    Align2, Color32, ColorImage, FontId, Painter, PointerButton, Pos2, Rect, Sense, Stroke,
    StrokeKind, TextureHandle, TextureOptions, Vec2, pos2, vec2,
};
use outwit_core::grid::{Cell, Grid};
use outwit_headless::editor::{ModifierKeys, Region, Tool};
use outwit_kit::TileKind;

/// From this many points per cell on, pieces are drawn as silhouettes.
const PIECES_FROM: f32 = 9.0;
/// From this many points per cell on, the grid is drawn.
const GRID_FROM: f32 = 7.0;
/// The highest zoom, in points per cell.
const MAX_ZOOM: f32 = 96.0;
/// Maps of at most so many cells are drawn as the board shows them, and in full detail where a cell is large.
const MOST_DRAWN: usize = 20_000;
/// The same for full detail: every change draws the whole map again.
const MOST_DETAILED: usize = 2_000;

/// How much of the plain map is seen below the board's drawing, of 255.
const HINT: u8 = 60;

/// The map as the board shows it.
#[derive(Default)]
pub struct DrawnMap {
    /// What it shows: revision, theme and detail. `None` where a change is under way.
    of: Option<(u64, bool, Detail)>,
    points: Vec<bevy::math::Vec2>,
    colours: Vec<Color32>,
    indices: Vec<u32>,
}

/// The visible part of the map.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CanvasView {
    /// Points per cell; `None` until the map is fitted to the window.
    pub zoom: Option<f32>,
    /// The middle of the view, in cells.
    pub centre: Vec2,
}

impl Default for CanvasView {
    fn default() -> Self {
        Self { zoom: None, centre: Vec2::ZERO }
    }
}

/// The mapping from cells to points on the screen.
#[derive(Clone, Copy)]
struct Frame {
    corner: Pos2,
    zoom: f32,
}

impl Frame {
    fn place(self, cell: Cell) -> Pos2 {
        self.corner + vec2(cell.x as f32, cell.y as f32) * self.zoom
    }

    fn rect(self, region: Region) -> Rect {
        let size = vec2(region.width as f32, region.height as f32) * self.zoom;
        Rect::from_min_size(self.place(region.min), size)
    }

    fn cell(self, cell: Cell) -> Rect {
        Rect::from_min_size(self.place(cell), Vec2::splat(self.zoom))
    }

    fn at(self, pos: Pos2) -> Cell {
        let way = (pos - self.corner) / self.zoom;
        Cell::new(way.x.floor() as i32, way.y.floor() as i32)
    }
}

/// The map as a texture.
#[derive(Default)]
pub struct MapTexture {
    texture: Option<TextureHandle>,
    size: (usize, usize),
    dark: bool,
}

const NEAREST: TextureOptions = TextureOptions::NEAREST;

fn ink(tiles: &[TileKind], symbol: char, palette: &Palette) -> Color32 {
    let tile = tiles.iter().find(|tile| tile.symbol == symbol);
    tile.map_or(palette.bad.egui(), |tile| palette.look(tile.look).egui())
}

fn image(cells: &Grid<char>, region: Region, work: &OpenDocument, palette: &Palette) -> ColorImage {
    let tiles = work.model.palette();
    let pixels = region.cells().map(|cell| ink(tiles, cells[cell], palette)).collect();
    ColorImage::new([region.width, region.height], pixels)
}

/// Updates the texture and returns its id.
fn refresh(ctx: &egui::Context, work: &mut OpenDocument, palette: &Palette) -> egui::TextureId {
    let changed = work.model.take_changed();
    if changed.is_some() {
        work.drawn.of = None;
    }
    let cells = &work.model.draft().cells;
    let size = (cells.width(), cells.height());
    let whole = Region { min: Cell::new(0, 0), width: size.0, height: size.1 };
    let stale = work.sheet.size != size || work.sheet.dark != palette.dark;
    match &mut work.sheet.texture {
        Some(texture) if !stale => {
            let id = texture.id();
            if let Some(region) = changed {
                let part = image(cells, region, work, palette);
                let at = [region.min.x as usize, region.min.y as usize];
                if let Some(texture) = &mut work.sheet.texture {
                    texture.set_partial(at, part, NEAREST);
                }
            }
            id
        }
        _ => {
            let picture = image(cells, whole, work, palette);
            let texture = ctx.load_texture("edited map", picture, NEAREST);
            let id = texture.id();
            work.sheet = MapTexture { texture: Some(texture), size, dark: palette.dark };
            id
        }
    }
}

/// Shows the map in the available space, and lets the pointer draw on it. `mute` ignores the pointer,
/// as while a dialog is open. Returns where the map is.
pub fn show(
    ui: &mut egui::Ui,
    work: &mut OpenDocument,
    pieces: Option<&Pieces>,
    painters: Option<&MapPainters>,
    mute: bool,
) -> Rect {
    let palette = palette(ui);
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "Map"));
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 0.0, palette.board.mixed(palette.grid, 0.35));
    move_view(ui, rect, &response, work);
    let frame = frame(rect, work, ui.pixels_per_point());
    work.hover = None;
    if !mute {
        point(ui, &response, frame, work);
    }
    let texture = refresh(ui.ctx(), work, palette);
    let painter_of = painters.and_then(|painters| painters.0.get(work.model.kind().id()));
    let pixels = frame.zoom * ui.pixels_per_point();
    let cells = &work.model.draft().cells;
    let whole = Region { min: Cell::new(0, 0), width: cells.width(), height: cells.height() };
    let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let board = painter_of.zip(pieces).filter(|_| cells.width() * cells.height() <= MOST_DRAWN);
    // Below the board's drawing it only hints at walls that the board leaves out.
    let tint = if board.is_some() { Color32::from_white_alpha(HINT) } else { Color32::WHITE };
    painter.image(texture, frame.rect(whole), all, tint);
    let shows = |symbol: char| board.is_some_and(|(board, _)| (board.draws)(symbol));
    if let Some((board, pieces)) = board {
        draw_map(&painter, frame, work, (board, pieces), palette, pixels);
    }
    let seen = visible(rect, frame, whole);
    if let Some(seen) = seen {
        draw_pieces(&painter, frame, seen, work, pieces, palette, &shows);
        if frame.zoom >= GRID_FROM {
            draw_grid(&painter, frame, seen, palette);
        }
    }
    let edge = Stroke::new(1.0, palette.edge.egui());
    painter.rect_stroke(frame.rect(whole), 0.0, edge, StrokeKind::Outside);
    draw_mirrors(&painter, frame.rect(whole), work.model.symmetry, palette);
    draw_solution(&painter, frame, work, palette);
    draw_faults(&painter, frame, work, palette, ui.input(|input| input.time));
    draw_selection(&painter, frame, work, palette);
    draw_cursor(&painter, frame, work, palette);
    rect
}

/// Draws the map as the board shows it.
fn draw_map(
    painter: &Painter,
    frame: Frame,
    work: &mut OpenDocument,
    (board, pieces): (&MapPainter, &Pieces),
    palette: &Palette,
    pixels: f32,
) {
    let cells = work.model.draft().cells.len();
    let most = if cells > MOST_DETAILED { Detail::Middle } else { Detail::Near };
    let detail = Detail::at(pixels, cells).min(most);
    let of = Some((work.model.revision(), palette.dark, detail));
    if work.drawn.of != of {
        let sketch = (board.sketch)(work.model.draft(), palette.dark, detail, pieces);
        let (points, colours, indices) = sketch.parts();
        let colours = colours.iter().map(|&ink| egui_colour(ink)).collect();
        work.drawn = DrawnMap { of, points: points.to_vec(), colours, indices: indices.to_vec() };
    }
    let mut mesh = egui::Mesh::default();
    for (at, &colour) in work.drawn.points.iter().zip(&work.drawn.colours) {
        mesh.colored_vertex(frame.corner + vec2(at.x, at.y) * frame.zoom, colour);
    }
    mesh.indices.clone_from(&work.drawn.indices);
    painter.add(mesh);
}

fn visible(rect: Rect, frame: Frame, whole: Region) -> Option<Region> {
    Region::between(frame.at(rect.min), frame.at(rect.max)).clipped(whole.width, whole.height)
}

/// The zoom at which the whole map is visible.
fn fitting(rect: Rect, cells: &Grid<char>) -> f32 {
    let sides = vec2(cells.width().max(1) as f32, cells.height().max(1) as f32);
    ((rect.size() - Vec2::splat(32.0)).max(Vec2::splat(32.0)) / sides).min_elem().min(48.0)
}

fn frame(rect: Rect, work: &mut OpenDocument, scale: f32) -> Frame {
    let cells = &work.model.draft().cells;
    let fit = fitting(rect, cells);
    if work.view.zoom.is_none() {
        work.view.centre = vec2(cells.width() as f32, cells.height() as f32) / 2.0;
    }
    let zoom = *work.view.zoom.get_or_insert(fit);
    // A whole number of pixels per cell keeps the grid even, where cells are large enough.
    let pixels = zoom * scale;
    let zoom = if pixels >= 6.0 { pixels.round() / scale } else { zoom };
    let corner = rect.center() - work.view.centre * zoom;
    Frame {
        corner: pos2((corner.x * scale).round() / scale, (corner.y * scale).round() / scale),
        zoom,
    }
}

/// Whether Space is held to pan, not to type.
fn space_held(ui: &egui::Ui) -> bool {
    // Asked first: `input` locks the context, and a question to it from in there would never return.
    let typing = ui.ctx().text_edit_focused();
    !typing && ui.input(|input| input.key_down(egui::Key::Space))
}

fn move_view(ui: &egui::Ui, rect: Rect, response: &egui::Response, work: &mut OpenDocument) {
    let cells = &work.model.draft().cells;
    let least = fitting(rect, cells).min(2.0) / 2.0;
    let size = vec2(cells.width() as f32, cells.height() as f32);
    let Some(zoom) = work.view.zoom else { return };
    let space = space_held(ui);
    let (by_wheel, by_pinch, dragged) =
        ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta(), input.pointer.delta()));
    let fingers = ui.input(egui::InputState::multi_touch);
    let dragged = fingers.map_or(dragged, |fingers| fingers.translation_delta);
    let pans = fingers.is_some()
        || response.dragged_by(PointerButton::Middle)
        || response.dragged_by(PointerButton::Primary) && (space || work.model.tool == Tool::Pan);
    if pans {
        work.view.centre -= dragged / zoom;
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    } else if response.hovered() && (space || work.model.tool == Tool::Pan) {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
    }
    if let Some(at) = response.hover_pos() {
        let closer = (by_wheel / 200.0).exp() * by_pinch;
        let new = (zoom * closer).clamp(least.max(0.25), MAX_ZOOM);
        if new != zoom {
            // Keep the cell under the pointer in place.
            let way = at - rect.center();
            work.view.centre += way / zoom - way / new;
            work.view.zoom = Some(new);
        }
    }
    work.view.centre = work.view.centre.clamp(Vec2::ZERO, size);
}

/// Passes pointer input to the model.
fn point(ui: &egui::Ui, response: &egui::Response, frame: Frame, work: &mut OpenDocument) {
    // A finger may be gone again within a frame.
    let over = response.contains_pointer() || response.clicked();
    let (modifiers, events) = ui.input(|input| (input.modifiers, input.events.clone()));
    let held = ModifierKeys { shift: modifiers.shift, alt: modifiers.alt };
    if let Some(at) = response.hover_pos().filter(|_| over) {
        work.hover = Some(frame.at(at));
    }
    let fingers = ui.input(|input| input.multi_touch().is_some());
    if (fingers || response.long_touched()) && (work.pressing || work.model.carried().is_some()) {
        work.model.cancel();
        work.let_go();
    }
    let pans = work.model.tool == Tool::Pan || space_held(ui) || fingers;
    for event in events {
        match event {
            egui::Event::PointerButton { pos, button: PointerButton::Primary, pressed, .. } => {
                if pressed && !work.pressing && over && response.rect.contains(pos) && !pans {
                    work.press(frame.at(pos), held);
                } else if !pressed && work.pressing && work.resting.is_none() {
                    work.model.release();
                    work.let_go();
                }
            }
            // Use every pointer position, not just one per frame.
            egui::Event::PointerMoved(pos) if work.pressing => {
                work.model.drag(frame.at(pos), held);
            }
            // The right button takes back what the left one is at; otherwise it erases.
            egui::Event::PointerButton {
                pos,
                button: PointerButton::Secondary,
                pressed: true,
                ..
            } if over => {
                if work.pressing || work.model.carried().is_some() {
                    work.model.cancel();
                    work.let_go();
                } else if response.rect.contains(pos) && !pans {
                    work.resting = Some(std::mem::replace(&mut work.model.tool, Tool::Erase));
                    work.press(frame.at(pos), held);
                }
            }
            egui::Event::PointerButton {
                button: PointerButton::Secondary, pressed: false, ..
            } if work.resting.is_some() => {
                work.model.release();
                work.let_go();
            }
            _ => {}
        }
    }
    if over && !pans && work.hover.is_some() {
        ui.ctx().set_cursor_icon(match work.model.tool {
            Tool::Move => egui::CursorIcon::Move,
            _ => egui::CursorIcon::Crosshair,
        });
    }
}

fn draw_pieces(
    painter: &Painter,
    frame: Frame,
    seen: Region,
    work: &OpenDocument,
    pieces: Option<&Pieces>,
    palette: &Palette,
    shows: &dyn Fn(char) -> bool,
) {
    if frame.zoom < PIECES_FROM {
        return;
    }
    let cells = &work.model.draft().cells;
    let tiles = work.model.palette();
    let font = FontId::proportional((frame.zoom * 0.55).clamp(8.0, 20.0));
    for cell in seen.cells() {
        let Some(tile) = tiles.iter().find(|tile| tile.symbol == cells[cell]) else {
            painter.text(
                frame.cell(cell).center(),
                Align2::CENTER_CENTER,
                cells[cell],
                font.clone(),
                palette.on_accent.egui(),
            );
            continue;
        };
        if shows(tile.symbol) {
            if let Some(number) = tile.label.filter(|_| tile.in_series) {
                draw_number(painter, frame.cell(cell), number, palette, &font);
            }
            continue;
        }
        if tile.silhouette.is_none() && tile.label.is_none() {
            continue;
        }
        draw_tile(painter, frame.cell(cell), tile, pieces, palette, &font);
    }
}

/// Draws the number of a tile of a series over the board's drawing of it.
pub fn draw_number(painter: &Painter, rect: Rect, number: char, palette: &Palette, font: &FontId) {
    painter.circle_filled(rect.center(), rect.width() * 0.4, palette.panel.egui());
    let ink = palette.text.egui();
    painter.text(rect.center(), Align2::CENTER_CENTER, number, font.clone(), ink);
}

/// Draws a tile on a cell.
pub fn draw_tile(
    painter: &Painter,
    rect: Rect,
    tile: &TileKind,
    pieces: Option<&Pieces>,
    palette: &Palette,
    font: &FontId,
) {
    let fill = palette.look(tile.look);
    let shape = tile.silhouette.and_then(|name| pieces?.get(name));
    match (shape, tile.label) {
        (Some(shape), _) => {
            painter.rect_filled(rect, 0.0, palette.ground.egui());
            shape.paint(painter, rect.center(), rect.width() * 0.92, fill, 1.0);
        }
        (None, Some(label)) => {
            painter.rect_filled(rect, 0.0, fill.egui());
            if rect.width() >= 12.0 {
                let ink = palette.on_accent.egui();
                painter.text(rect.center(), Align2::CENTER_CENTER, label, font.clone(), ink);
            }
        }
        (None, None) => {
            painter.rect_filled(rect, 0.0, fill.egui());
        }
    }
}

/// Centres a cell and highlights it.
pub fn point_at(work: &mut OpenDocument, cell: Cell, now: f64) {
    work.pointed = Some((cell, now));
    work.view.centre = vec2(cell.x as f32 + 0.5, cell.y as f32 + 0.5);
    work.view.zoom = Some(work.view.zoom.unwrap_or(16.0).max(12.0));
}
