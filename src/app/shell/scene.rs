//! A short match that a small picture shows.

use crate::app::shell::pieces::Pieces;
use crate::app::shell::theme::Palette;
use bevy::math::Vec2;
use bevy::prelude::Resource;
use bevy_egui::egui::{self, Color32, ColorImage, TextureHandle, TextureOptions};
use outwit_core::platform::task::Task;
use outwit_core::platform::time::Duration;
use outwit_core::play::StopFlag;
use outwit_kit::DynGame;
use std::collections::HashMap;
use std::sync::Arc;

/// A piece at a time of a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SceneFigure {
    /// Which of the [`Scene::looks`].
    pub look: usize,
    /// Its middle in cells, y downwards.
    pub at: Vec2,
    /// How far it is turned, in radians counter-clockwise.
    pub angle: f32,
    /// A factor on the size in which its look is drawn, one cell wide.
    pub scale: f32,
}

/// A match that was played, ready to be shown. Places are in cells, y downwards.
pub trait Scene: Send + Sync {
    /// Number of turns.
    fn turns(&self) -> usize;
    /// Which part of the match, by time, is shown where nothing moves.
    fn resting(&self) -> f32;
    /// How long a turn takes.
    fn seconds(&self, turn: usize) -> f32;
    /// Upper left and lower right corner of the board with what lies around it.
    fn extent(&self) -> (Vec2, Vec2);
    /// The board without its pieces, each cell so many pixels wide.
    fn ground(&self, dark: bool, cell: f32) -> ColorImage;
    /// All looks that pieces have on a board whose cells are so many pixels wide, each in the middle of a square, in
    /// which a cell is `fine` pixels wide.
    fn looks(&self, dark: bool, cell: f32, fine: f32, pieces: &Pieces) -> Vec<Option<ColorImage>>;
    /// The pieces at a time of a turn, from 0 to 1, the lowest first, where so many points show a cell.
    fn figures(&self, turn: usize, time: f32, cell: f32) -> Vec<SceneFigure>;
}

/// Plays the match of a game; `None` if that cannot be done or the flag was raised.
pub type PlayScene = fn(&dyn DynGame, &StopFlag) -> Option<Arc<dyn Scene>>;

/// The match that a game's card shows.
#[derive(Clone, Copy)]
pub struct CardMatch {
    /// The text of its level.
    pub level: &'static str,
    /// How it is played.
    pub play: PlayScene,
}

/// The matches of all games by id. Boards name theirs.
#[derive(Resource, Clone, Default)]
pub struct Scenes(pub HashMap<&'static str, CardMatch>);

/// The most points a cell has.
const MOST: f32 = 48.0;
/// The fewest pixels of a cell that pieces are drawn with: where cells are smaller, pieces are larger than they.
const FINEST: f32 = 24.0;
/// Seconds that the end is shown.
const END: f32 = 1.6;

/// A board and its pieces as textures, in one theme and size.
struct Painted {
    dark: bool,
    pixels: f32,
    ground: TextureHandle,
    looks: Vec<Option<TextureHandle>>,
}

/// Images on their way to the graphics device.
type Images = (bool, f32, ColorImage, Vec<Option<ColorImage>>);

/// A picture on which a match can run.
pub struct SceneView {
    scene: Task<Option<Arc<dyn Scene>>>,
    images: Option<Task<Images>>,
    painted: Option<Painted>,
    turn: usize,
    time: f32,
    /// Seconds that the end was shown.
    ended: f32,
}

impl SceneView {
    /// Begins to play the match of a game in the background.
    pub fn new(kind: &'static dyn DynGame, play: PlayScene) -> Self {
        Self {
            scene: Task::begin(move |context| play(kind, context.stop())),
            images: None,
            painted: None,
            turn: 0,
            time: 0.0,
            ended: 0.0,
        }
    }

    /// Whether the match was played, or could not be.
    pub fn is_ready(&self) -> bool {
        self.scene.is_done()
    }

    /// Shows the match from its beginning, or at rest.
    pub fn rewind(&mut self, running: bool) {
        (self.turn, self.time, self.ended) = (0, 0.0, 0.0);
        let Some(scene) = self.scene.get().cloned().flatten().filter(|_| !running) else { return };
        let all: f32 = (0..scene.turns()).map(|turn| scene.seconds(turn)).sum();
        self.go_on(scene.as_ref(), all * scene.resting().clamp(0.0, 0.99));
    }

    /// Paints the match, and lets it go on for so many seconds. Returns whether there was anything to paint.
    pub fn paint(
        &mut self,
        painter: &egui::Painter,
        rect: egui::Rect,
        palette: &Palette,
        pieces: &Pieces,
        seconds: f32,
    ) -> bool {
        let ctx = painter.ctx().clone();
        let soon = Duration::from_millis(80);
        let Some(scene) = self.scene.get() else {
            ctx.request_repaint_after(soon);
            return false;
        };
        let Some(scene) = scene.clone() else { return false };
        let (low, high) = scene.extent();
        let board = high - low;
        // All of the board, in whole pixels.
        let scale = ctx.pixels_per_point();
        let fit = (Vec2::new(rect.width(), rect.height()) / board).min_element().min(MOST);
        let pixels = (fit * scale).floor().max(1.0);
        let dark = palette.dark;
        let fits = |painted: &Painted| painted.dark == dark && painted.pixels == pixels;
        if !self.painted.as_ref().is_some_and(fits) {
            let drawn = Arc::clone(&scene);
            let pieces = pieces.clone();
            let images = self.images.get_or_insert_with(|| {
                Task::begin(move |_: &_| {
                    let looks = drawn.looks(dark, pixels, pixels.max(FINEST), &pieces);
                    (dark, pixels, drawn.ground(dark, pixels), looks)
                })
            });
            ctx.request_repaint_after(soon);
            if images.is_done() {
                let load = |image: &ColorImage| {
                    ctx.load_texture("scene", image.clone(), TextureOptions::LINEAR)
                };
                if let Some((dark, pixels, ground, looks)) = images.get() {
                    let looks = looks.iter().map(|look| look.as_ref().map(load)).collect();
                    let first = self.painted.is_none();
                    self.painted =
                        Some(Painted { dark: *dark, pixels: *pixels, ground: load(ground), looks });
                    if first {
                        self.rewind(false);
                    }
                }
                self.images = None;
            }
        }
        if seconds > 0.0 {
            self.go_on(scene.as_ref(), seconds);
            ctx.request_repaint();
        }
        self.draw(painter, rect, scene.as_ref(), pixels / scale)
    }

    fn go_on(&mut self, scene: &dyn Scene, seconds: f32) {
        if self.turn >= scene.turns() {
            self.ended += seconds;
            if self.ended > END {
                self.rewind(true);
            }
            return;
        }
        let mut left = seconds;
        while self.turn < scene.turns() {
            let turn = scene.seconds(self.turn).max(0.01);
            let needed = turn * (1.0 - self.time);
            if needed > left {
                self.time += left / turn;
                return;
            }
            left -= needed;
            self.turn += 1;
            self.time = 0.0;
        }
    }

    fn draw(
        &mut self,
        painter: &egui::Painter,
        rect: egui::Rect,
        scene: &dyn Scene,
        cell: f32,
    ) -> bool {
        let Some(painted) = &self.painted else { return false };
        let (low, high) = scene.extent();
        let size = (high - low) * cell;
        let scale = painter.ctx().pixels_per_point();
        let corner = rect.center() - egui::vec2(size.x, size.y) / 2.0;
        let corner = (corner * scale).round() / scale;
        let point = |at: Vec2| {
            let offset = (at - low) * cell;
            corner + egui::vec2(offset.x, offset.y)
        };
        let painter = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
        let all = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
        let place = egui::Rect::from_min_max(point(low), point(high));
        painter.image(painted.ground.id(), place, all, Color32::WHITE);
        for figure in scene.figures(self.turn, self.time, cell) {
            let Some(Some(texture)) = painted.looks.get(figure.look) else { continue };
            let fine = painted.pixels.max(FINEST);
            let side = texture.size_vec2().x / fine * figure.scale * cell;
            let at = egui::Rect::from_center_size(point(figure.at), egui::Vec2::splat(side));
            let mut mesh = egui::Mesh::with_texture(texture.id());
            mesh.add_rect_with_uv(at, all, Color32::WHITE);
            mesh.rotate(egui::emath::Rot2::from_angle(-figure.angle), at.center());
            painter.add(mesh);
        }
        true
    }
}
