//! A match as pictures, without a window or a graphics device: the same terrain, pieces and overlays as on the
//! board, with who plays and how far the match is below.

mod dialog;
mod encode;
mod export;
mod overlay;
mod svg;
#[cfg(test)]
mod tests;

pub use dialog::FilmDialog;
pub use encode::png;
pub use export::{FilmPart, export};

use super::canvas::Canvas;
use super::command_table::{FeatureCommand, MatchCommand, MatchEntry};
use super::feature::Feature;
use super::layout::{AddSection, Region};
use super::piece::{BoardPiece, Brush, Pose, Tweens};
use super::session::Session;
use super::view::BoardView;
use crate::app::drawing::{Detail, Sketch, Terrain, picture, sprite};
use crate::app::shell::commands::{command, key, shift};
use crate::app::shell::fonts::{self, Fonts};
use crate::app::shell::pieces::Pieces;
use crate::app::shell::settings::Motion;
use crate::app::shell::theme::{DARK, LIGHT, Palette, style};
use bevy::prelude::{App, KeyCode, Vec2};
use bevy_egui::egui::{
    self, Align2, Color32, ColorImage, FontFamily, FontId, Pos2, Rect, Rgba, Stroke, TextWrapMode,
    pos2, vec2,
};
use outwit_core::play::Seat;
use overlay::EguiLayer;
use std::cell::Cell;
use std::cmp::Ordering;

/// Opens the dialog.
static SAVE_PICTURES: FeatureCommand = FeatureCommand {
    entry: &ENTRY,
    is_play: false,
    run: |commands| commands.run_system_cached(dialog::open),
};

static ENTRY: MatchEntry = command(
    MatchCommand::Feature(&SAVE_PICTURES),
    &[key(KeyCode::F6)],
    "Save pictures: an animation or one turn",
)
.in_browser(&[shift(KeyCode::KeyI)])
.label("Pictures…")
.tip("Save the match as an animation, or a turn of it as a picture");

/// Saves matches as pictures.
pub(super) const FEATURE: Feature = Feature { plugin, commands: &[&ENTRY] };

fn plugin(app: &mut App) {
    app.init_resource::<FilmDialog>().add_section(Region::Dialogs, dialog::section);
}

/// Width of a picture, in pixels, for which overlays are drawn as on the screen.
const USUAL_WIDTH: f32 = 720.0;
/// Height of the line below the board, in points.
const LINE: f32 = 34.0;
/// The highest a board is shown, as a share of the width.
const HIGHEST: f32 = 1.0;
/// Ground around the board, in cells.
const MARGIN: f32 = 0.4;
/// Most points that show a cell.
const LARGEST_CELL: f32 = 96.0;

/// A match that is drawn turn by turn.
pub struct Film {
    session: Session,
    palette: &'static Palette,
    pieces: Pieces,
    view: BoardView,
    points: f32,
    size: [usize; 2],
    detail: Detail,
    terrain: Terrain,
    grid: bool,
    caption: Option<String>,
    overlay: EguiLayer,
    ground: Option<ColorImage>,
    /// What was drawn on the floor last, and the board with it and without pieces.
    board: Option<(Sketch, ColorImage)>,
}

/// What pictures of a match look like.
#[derive(Clone)]
pub struct FilmLook {
    /// Silhouettes.
    pub pieces: Pieces,
    /// Fonts.
    pub fonts: Fonts,
    /// Width in pixels.
    pub width: u16,
    /// Whether the theme is the dark one.
    pub dark: bool,
    /// Whether lines between the cells are drawn.
    pub grid: bool,
    /// What is said of the match on the board, if anything.
    pub caption: Option<String>,
}

/// What a moment of a match is drawn of, the lowest first.
struct Layers {
    floor: Sketch,
    pieces: Vec<BoardPiece>,
    shapes: Vec<egui::epaint::ClippedShape>,
}

/// How many pixels show a point in a picture of this width.
fn pixels_per_point(width: u16) -> f32 {
    (f32::from(width) / USUAL_WIDTH).max(1.0)
}

/// Where the board of a session lies in a picture of this width, in points, and the picture's size in pixels.
pub fn layout(session: &Session, width: u16) -> (BoardView, [usize; 2]) {
    let points = pixels_per_point(width);
    let (columns, rows) = session.info.extent;
    let board = Vec2::new(columns as f32, rows as f32);
    let whole = board + 2.0 * (session.board.margin + MARGIN);
    let wide = f32::from(width) / points;
    let scale = (wide / whole.x).min(wide * HIGHEST / whole.y).min(LARGEST_CELL);
    let high = ((scale * whole.y * points).round() / points).max(1.0);
    let area = Rect::from_min_size(Pos2::ZERO, vec2(wide, high));
    let view = BoardView { centre: board / 2.0, scale, area, ..BoardView::default() };
    (view, [usize::from(width), ((high + LINE) * points).round() as usize])
}

impl Film {
    /// The match of a session in pictures.
    pub fn new(mut session: Session, look: FilmLook) -> Self {
        let FilmLook { pieces, fonts, width, dark, grid, caption } = look;
        session.playback.stop();
        let (view, size) = layout(&session, width);
        let points = pixels_per_point(width);
        let palette = if dark { &DARK } else { &LIGHT };
        let (columns, rows) = session.info.extent;
        let detail = Detail::at(view.scale * points, columns * rows);
        let terrain = session.live.terrain(dark, detail);
        let overlay = EguiLayer::new(&fonts, &style(palette, Motion::Off), points);
        let ground = None;
        let board = None;
        Self {
            session,
            palette,
            pieces,
            view,
            points,
            size,
            detail,
            terrain,
            grid,
            caption,
            overlay,
            ground,
            board,
        }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Number of turns of the match.
    pub fn turns(&self) -> usize {
        self.session.live.turns()
    }

    /// Seconds that a turn takes on the screen.
    pub fn seconds(&self, turn: usize) -> f32 {
        self.session.live.cues(&self.session.state, turn).seconds
    }

    /// The match after `turn` turns and a share of the next one, from 0 to below 1.
    pub fn frame(&mut self, turn: usize, time: f32) -> ColorImage {
        let layers = self.layers(turn, time);
        let mut image = ColorImage::filled(self.size, self.palette.panel.egui());
        let (low, size) = self.shown();
        let cell = self.view.scale * self.points;
        if self.board.as_ref().is_none_or(|(floor, _)| *floor != layers.floor) {
            let ground = self.ground.get_or_insert_with(|| {
                picture(&[&self.terrain.ground], self.palette.board, low, size, cell)
            });
            let mut board = ground.clone();
            lay(&mut board, &layers.floor, low, cell);
            lay(&mut board, &self.terrain.standing, low, cell);
            self.board = Some((layers.floor, board));
        }
        if let Some((_, board)) = &self.board {
            let kept = board.pixels.len().min(image.pixels.len());
            image.pixels[..kept].copy_from_slice(&board.pixels[..kept]);
        }
        let brush = Brush { dark: self.palette.dark, detail: self.detail };
        for piece in &layers.pieces {
            let mut figure = Sketch::default();
            piece.draw(&mut figure, brush, &self.pieces, self.view.scale);
            lay(&mut image, &figure, low, cell);
        }
        self.overlay.paint(&mut image, layers.shapes);
        image
    }

    /// The match after `turn` turns as an SVG document.
    pub fn svg(&mut self, turn: usize) -> String {
        let mut page = self.svg_page();
        let layers = self.layers(turn, 0.0);
        let pieces = self.figures(&layers.pieces);
        let low = self.shown().0;
        let scale = self.view.scale;
        page.clipped(self.view.area, |page| {
            let floor = [&self.terrain.ground, &layers.floor, &self.terrain.standing];
            for sketch in floor.into_iter().chain(&pieces) {
                page.sketch(sketch, |at| (at - low) * scale);
            }
        });
        page.shapes(layers.shapes);
        page.finish(self.size)
    }

    /// The match after `turn` turns as a frame of an SVG document.
    fn svg_frame(&mut self, page: &mut svg::MovingSvg, turn: usize, seconds: f32) {
        let layers = self.layers(turn, 0.0);
        let low = self.shown().0;
        let scale = self.view.scale;
        page.frame(seconds);
        for sketch in [&self.terrain.ground, &layers.floor, &self.terrain.standing] {
            page.on_board(Vec2::ZERO, |page| page.sketch(sketch, |at| (at - low) * scale));
        }
        // Drawn around the origin, a piece is the same drawing wherever it goes.
        let still = |piece: &BoardPiece| {
            let pose = Pose { place: Vec2::ZERO, ..piece.pose };
            BoardPiece { pose, ..piece.clone() }
        };
        let figures = self.figures(&layers.pieces.iter().map(still).collect::<Vec<_>>());
        for (piece, figure) in layers.pieces.iter().zip(&figures) {
            let at = (piece.pose.place - low) * scale;
            page.on_board(at, |page| page.sketch(figure, |at| at * scale));
        }
        for shape in layers.shapes {
            page.above(|page| page.shapes(vec![shape]));
        }
    }

    /// An empty page with the ground of board and line.
    fn svg_page(&self) -> svg::SvgPage {
        let mut page =
            svg::SvgPage::new(vec2(self.view.area.width(), self.view.area.height() + LINE));
        page.rect(page.area(), self.palette.panel.egui());
        page.rect(self.view.area, self.palette.board.egui());
        page
    }

    /// Each piece as a sketch of its own.
    fn figures(&self, pieces: &[BoardPiece]) -> Vec<Sketch> {
        let brush = Brush { dark: self.palette.dark, detail: self.detail };
        pieces
            .iter()
            .map(|piece| {
                let mut figure = Sketch::default();
                piece.draw(&mut figure, brush, &self.pieces, self.view.scale);
                figure
            })
            .collect()
    }

    /// The corner of what is shown, and its size, in cells.
    fn shown(&self) -> (Vec2, Vec2) {
        let size = Vec2::new(self.view.area.width(), self.view.area.height()) / self.view.scale;
        (self.view.centre - size / 2.0, size)
    }

    fn layers(&mut self, turn: usize, time: f32) -> Layers {
        let turn = turn.min(self.turns());
        self.session.playback.show(turn);
        self.session.playback.moving = time;
        let pieces = self.posed(turn, time);
        let Self { session, overlay, view, palette, pieces: silhouettes, grid, caption, .. } = self;
        let mut floor = Sketch::default();
        // Between turns everything is shown as it ends.
        overlay.animate(time > 0.0);
        let shapes = overlay.draw(view.area, LINE, |painter| {
            let mut canvas = Canvas {
                painter: painter.with_clip_rect(view.area),
                view: *view,
                palette: **palette,
                pointer: None,
                tooltip: None,
                clickable: false,
                pieces: silhouettes,
                floor: Sketch::default(),
                legend: None,
            };
            if *grid && !session.board.has_lines {
                canvas.grid(&session.info.inside);
            }
            session.live.paint(&mut canvas, &session.state);
            floor = std::mem::take(&mut canvas.floor);
            if let Some(words) = caption {
                say(&canvas, words);
            }
            line(painter, session, palette, view.area);
        });
        Layers { floor, pieces, shapes }
    }

    /// The pieces at a moment, the lowest first.
    fn posed(&self, turn: usize, time: f32) -> Vec<BoardPiece> {
        let live = &self.session.live;
        let mut shown = live.pieces(turn);
        let mut tweens = Tweens::default();
        if time > 0.0 && turn < live.turns() {
            let after = live.pieces(turn + 1);
            tweens = live.tweens(turn, &shown, &after);
            let fresh = after.iter().filter(|piece| shown.iter().all(|old| old.key != piece.key));
            let fresh: Vec<BoardPiece> = fresh.cloned().collect();
            shown.extend(fresh);
        }
        shown.sort_by(|one, two| one.layer.partial_cmp(&two.layer).unwrap_or(Ordering::Equal));
        for piece in &mut shown {
            piece.pose = tweens.pose(piece.key, time).unwrap_or(piece.pose);
        }
        shown
    }
}

/// Draws a figure over a picture of which a corner and the pixels per cell are known.
fn lay(image: &mut ColorImage, figure: &Sketch, low: Vec2, cell: f32) {
    let (points, ..) = figure.parts();
    let mut from = Vec2::INFINITY;
    let mut to = Vec2::NEG_INFINITY;
    for &point in points {
        let at = (point - low) * cell;
        (from, to) = (from.min(at), to.max(at));
    }
    let room = Vec2::new(image.size[0] as f32, image.size[1] as f32);
    let from = from.floor().clamp(Vec2::ZERO, room);
    let size = to.ceil().clamp(Vec2::ZERO, room) - from;
    if size.min_element() < 1.0 || !size.is_finite() {
        return;
    }
    let drawn = sprite(figure, low + from / cell, size / cell, cell);
    let left = from.x as usize;
    let top = from.y as usize;
    let width = drawn.size[0].min(image.size[0] - left);
    let height = drawn.size[1].min(image.size[1] - top);
    for y in 0..height {
        for x in 0..width {
            let above = drawn.pixels[y * drawn.size[0] + x];
            if above.a() > 0 {
                let below = &mut image.pixels[(top + y) * image.size[0] + left + x];
                let over = Rgba::from(above);
                let under = Rgba::from(*below);
                *below = Color32::from(over + under * (1.0 - over.a()));
            }
        }
    }
}

/// What is said of the match, in the upper left corner of the board.
fn say(canvas: &Canvas, words: &str) {
    const ROOM: egui::Vec2 = vec2(10.0, 5.0);
    let area = canvas.view.area.shrink(8.0);
    let font = FontId::proportional(15.0);
    let ink = canvas.palette.text.egui();
    let words =
        canvas.painter.layout(words.to_owned(), font, ink, (area.width() - 2.0 * ROOM.x).max(1.0));
    let card = canvas.card(Rect::from_min_size(area.min, words.size() + 2.0 * ROOM), 0.9);
    card.galley(area.min + ROOM, words, ink);
}

/// The line below the board: who plays, and how far the match is, or how it ended.
fn line(painter: &egui::Painter, session: &Session, palette: &Palette, board: Rect) {
    const INSET: f32 = 12.0;
    const DISC: f32 = 4.5;
    const GAP: f32 = 6.0;
    /// Where less room is left, a name says nothing.
    const LEAST: f32 = 30.0;
    let rect = Rect::from_min_size(board.left_bottom(), vec2(board.width(), LINE));
    painter.rect_filled(rect, 0.0, palette.panel.egui());
    let middle = rect.center().y;
    let plain = FontId::proportional(14.0);
    let strong = FontId::new(14.0, FontFamily::Name(fonts::SEMI_BOLD.into()));
    let ended = session.outcome().and_then(|_| session.live.headline(&session.state));
    let moment = || match session.live.turns() {
        // A path that is drawn in one turn.
        0 | 1 => String::new(),
        _ => session.moment_of_all(session.playback.view),
    };
    let words = ended.unwrap_or_else(moment);
    let words = painter.layout_no_wrap(words, plain.clone(), palette.faint.egui());
    let at = Cell::new(rect.left() + INSET);
    let right = rect.right() - INSET - words.size().x;
    painter.galley(pos2(right, middle - words.size().y / 2.0), words, palette.faint.egui());
    let say = |words: String, font: &FontId| {
        let ink = palette.text.egui();
        let job = egui::text::LayoutJob::simple_singleline(words, font.clone(), ink);
        let job = egui::text::LayoutJob {
            wrap: egui::text::TextWrapping::from_wrap_mode_and_width(
                TextWrapMode::Truncate,
                (right - INSET - at.get()).max(1.0),
            ),
            ..job
        };
        let galley = painter.layout_job(job);
        let place = Align2::LEFT_CENTER.anchor_size(pos2(at.get(), middle), galley.size());
        at.set(place.right() + INSET);
        painter.galley(place.min, galley, ink);
    };
    let has_room = |before: f32| at.get() + before + LEAST < right - INSET;
    if has_room(0.0) {
        say(session.level_name.clone(), &strong);
    }
    for seat in (0..session.config.players.len() as u8).map(Seat) {
        if !has_room(2.0 * DISC + GAP) {
            break;
        }
        let side = palette.side(session.pieces_of(seat));
        let disc = side.egui();
        let rim = Stroke::new(1.0, palette.text.egui());
        painter.circle(pos2(at.get() + DISC, middle), DISC, disc, rim);
        at.set(at.get() + 2.0 * DISC + GAP);
        say(session.name(seat), &plain);
    }
}
