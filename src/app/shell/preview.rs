//! Thumbnails of levels.

use crate::app::drawing::{Detail, Sketch};
use crate::app::shell::pieces::Pieces;
use crate::app::shell::theme::Palette;
use bevy::ecs::system::SystemParam;
use bevy::prelude::{Res, Resource};
use bevy_egui::egui::{self, Color32, ColorImage, TextureOptions};
use outwit_core::grid::{Cell, Grid};
use outwit_core::platform::task::Task;
use outwit_core::platform::time::Duration;
use outwit_kit::{LevelDraft, TileStyle};
use outwit_levels::Entry;
use std::collections::HashMap;

/// Draws a level as an image whose longer side is about `pixels` long. Every cell is a whole number of
/// pixels wide, and a line separates ground from the outside.
pub fn image(looks: &Grid<TileStyle>, palette: &Palette, pixels: usize) -> ColorImage {
    let width = looks.width().max(1);
    let height = looks.height().max(1);
    let size = (pixels / width.max(height)).clamp(1, 48);
    let mut image = ColorImage::filled([width * size, height * size], palette.board.egui());
    let edge = palette.edge.egui();
    let soft = palette.board.mixed(palette.edge, 0.6);
    let thick = (size / 6).clamp(1, 3);
    let grid = palette.board.mixed(palette.ground, 0.72);
    for (cell, &look) in looks.iter() {
        let inside = |x: i32, y: i32| {
            looks.get(Cell::new(cell.x + x, cell.y + y)).is_some_and(|&l| l != TileStyle::Void)
        };
        let fill = palette.look(look).egui();
        let beside = [(-1, 0), (1, 0), (0, -1), (0, 1)].iter().any(|&(x, y)| inside(x, y));
        for y in 0..size {
            for x in 0..size {
                let at_edge = (x < thick && !inside(-1, 0))
                    || (x >= size - thick && !inside(1, 0))
                    || (y < thick && !inside(0, -1))
                    || (y >= size - thick && !inside(0, 1));
                let on_grid = size >= 6 && (x == 0 || y == 0) && look == TileStyle::Ground;
                let ink = match look {
                    // Cells too small for a line colour the outside cell beside them instead.
                    TileStyle::Void if size < 3 && beside => soft,
                    TileStyle::Void => continue,
                    _ if at_edge && size >= 3 => edge,
                    _ if on_grid => grid,
                    _ => fill,
                };
                let pixel = [cell.x as usize * size + x, cell.y as usize * size + y];
                image.pixels[pixel[1] * width * size + pixel[0]] = ink;
            }
        }
    }
    image
}

/// Ground that a [`LevelPainter`] draws around the place, in cells: for shadows and rims.
pub const MARGIN: f32 = 0.4;

/// Draws a level, given its file and the file's name, as the board shows it: in the dark or the light theme,
/// as large as fits into so many pixels.
pub type LevelPainter = fn(&[u8], &str, &PictureSpec) -> Result<ColorImage, String>;

/// What a picture of a level is to be like.
#[derive(Clone)]
pub struct PictureSpec {
    /// Whether in the dark theme.
    pub dark: bool,
    /// The room that it may fill, in pixels.
    pub room: egui::Vec2,
    /// The most pixels a cell may have.
    pub most: f32,
    /// Silhouettes.
    pub pieces: Pieces,
}

/// The painters of all games by id. Boards name theirs.
#[derive(Resource, Clone, Default)]
pub struct LevelPainters(pub HashMap<&'static str, LevelPainter>);

/// How a game's maps look while they are edited.
#[derive(Clone, Copy)]
pub struct MapPainter {
    /// Draws a level, playable or not, in the dark or the light theme: its terrain and those of its tiles for
    /// which `draws` holds, in cells.
    pub sketch: fn(&LevelDraft, bool, Detail, &Pieces) -> Sketch,
    /// Whether the sketch shows a tile as the board does, so that nothing else need be drawn there.
    pub draws: fn(char) -> bool,
}

/// The painters of all games' maps by id. Boards name theirs.
#[derive(Resource, Clone, Default)]
pub struct MapPainters(pub HashMap<&'static str, MapPainter>);

/// A level to be shown.
#[derive(Clone, Copy)]
pub struct Thumbnail<'a> {
    /// What tells it from other levels.
    pub name: &'a str,
    /// The id of its game.
    pub game: &'a str,
    /// Where it is, to be drawn as the board shows it; without it, plain cells are shown.
    pub entry: Option<&'a Entry>,
    /// How its cells look, until it is drawn.
    pub looks: &'a Grid<TileStyle>,
}

impl<'a> Thumbnail<'a> {
    /// A level of the catalogue, under a name of its own.
    pub fn of(name: &'a str, entry: &'a Entry, looks: &'a Grid<TileStyle>) -> Self {
        Self { name, game: entry.game(), entry: Some(entry), looks }
    }
}

/// What pictures are made with.
#[derive(SystemParam)]
pub struct PictureMaker<'w> {
    painters: Option<Res<'w, LevelPainters>>,
    pieces: Option<Res<'w, Pieces>>,
}

impl PictureMaker<'_> {
    /// Makes a cache without pictures yet, which draws with the present pieces.
    pub fn make(&self) -> Pictures {
        Pictures {
            painters: self.painters.as_deref().cloned().unwrap_or_default(),
            pieces: self.pieces.as_deref().cloned().unwrap_or_default(),
            ..Pictures::default()
        }
    }
}

/// A cache of pictures of levels, which are drawn in the background.
#[derive(Default)]
pub struct Pictures {
    painters: LevelPainters,
    pieces: Pieces,
    /// Whether plain pictures do for now.
    pub waits: bool,
    plain: HashMap<(String, usize, bool), egui::TextureHandle>,
    drawn: HashMap<(String, bool), Drawn>,
    /// What was shown last where one level follows another.
    before: Option<egui::TextureHandle>,
}

/// A level's picture as a board shows it.
struct Drawn {
    /// The room that it was, or is being, drawn for.
    room: (u32, u32),
    texture: Option<egui::TextureHandle>,
    task: Option<Task<Result<ColorImage, String>>>,
}

/// Room is counted in steps of so many pixels, so that resizing the window does not draw every picture again.
const STEP: f32 = 16.0;
/// The most pixels a cell of a thumbnail has.
const MOST: f32 = 48.0;
/// Pictures that are drawn at the same time.
const AT_ONCE: usize = 2;

impl Pictures {
    /// Clears the cache, because levels may have changed.
    pub fn clear(&mut self) {
        self.plain.clear();
        self.drawn.clear();
    }

    /// The plain picture of a level, with a longer side of `pixels`.
    fn plain(
        &mut self,
        ctx: &egui::Context,
        level: &Thumbnail<'_>,
        palette: &Palette,
        pixels: usize,
    ) -> &egui::TextureHandle {
        self.plain.entry((level.name.to_owned(), pixels, palette.dark)).or_insert_with(|| {
            let options = TextureOptions {
                magnification: egui::TextureFilter::Nearest,
                minification: egui::TextureFilter::Linear,
                ..TextureOptions::default()
            };
            ctx.load_texture(level.name, image(level.looks, palette, pixels), options)
        })
    }

    /// The picture of a level as the board shows it, once it is drawn.
    fn as_board(
        &mut self,
        ctx: &egui::Context,
        level: &Thumbnail<'_>,
        dark: bool,
        room: egui::Vec2,
    ) -> Option<egui::TextureHandle> {
        let painter = *self.painters.0.get(level.game)?;
        let entry = level.entry?;
        // A picture that scrolled away while it was drawn waits for its turn to be shown.
        let draws = |drawn: &&Drawn| drawn.task.as_ref().is_some_and(|task| !task.is_done());
        let busy = self.drawn.values().filter(draws).count();
        let steps = |side: f32| (side / STEP).floor().clamp(1.0, 128.0) as u32;
        let wanted = (steps(room.x), steps(room.y));
        let drawn = self.drawn.entry((level.name.to_owned(), dark)).or_insert(Drawn {
            room: (0, 0),
            texture: None,
            task: None,
        });
        if let Some(done) = drawn.task.as_ref().filter(|task| task.is_done()) {
            if let Some(Ok(image)) = done.get() {
                let texture = ctx.load_texture(level.name, image.clone(), TextureOptions::LINEAR);
                drawn.texture = Some(texture);
            }
            drawn.task = None;
        }
        if drawn.room != wanted && drawn.task.is_none() {
            if busy < AT_ONCE && !self.waits {
                drawn.room = wanted;
                let entry = entry.clone();
                let pieces = self.pieces.clone();
                let most = MOST * ctx.pixels_per_point();
                let room = egui::vec2(wanted.0 as f32, wanted.1 as f32) * STEP;
                drawn.task = Some(Task::begin(move |_| {
                    let bytes = entry.bytes().map_err(|why| why.to_string())?;
                    let spec = PictureSpec { dark, room, most, pieces };
                    painter(&bytes, entry.stem(), &spec)
                }));
            }
            ctx.request_repaint_after(Duration::from_millis(60));
        } else if drawn.task.is_some() {
            ctx.request_repaint_after(Duration::from_millis(60));
        }
        drawn.texture.clone()
    }

    /// Paints a level as [`Pictures::paint`] does, in a place where one level follows another: the picture before stays
    /// until this one is drawn.
    pub fn paint_next(
        &mut self,
        painter: &egui::Painter,
        rect: egui::Rect,
        level: &Thumbnail<'_>,
        palette: &Palette,
    ) {
        let ctx = painter.ctx().clone();
        let scale = ctx.pixels_per_point();
        let texture = self.as_board(&ctx, level, palette.dark, rect.size() * scale);
        let drawn = self.drawn.get(&(level.name.to_owned(), palette.dark));
        let waits = drawn.is_some_and(|drawn| drawn.task.is_some() || drawn.room == (0, 0));
        match self.before.clone().filter(|_| texture.is_none() && waits) {
            Some(before) => {
                image_within(painter, rect, &before);
            }
            None => {
                self.before = texture;
                self.paint(painter, rect, level, palette);
            }
        }
    }

    /// Paints a level in the middle of `rect`, as large as fits, aligned with screen pixels where possible.
    /// Returns the rectangle of the map in it, for boards without a margin of their own.
    pub fn paint(
        &mut self,
        painter: &egui::Painter,
        rect: egui::Rect,
        level: &Thumbnail<'_>,
        palette: &Palette,
    ) -> egui::Rect {
        let ctx = painter.ctx().clone();
        let scale = ctx.pixels_per_point();
        let looks = level.looks;
        let sides = egui::vec2(looks.width().max(1) as f32, looks.height().max(1) as f32);
        if let Some(texture) = self.as_board(&ctx, level, palette.dark, rect.size() * scale) {
            let place = image_within(painter, rect, &texture);
            return place.shrink(MARGIN * place.width() / (sides.x + 2.0 * MARGIN));
        }
        let fit = (rect.size() * scale / sides).min_elem();
        // A whole number of pixels per cell, unless cells are smaller than a pixel.
        let cell = if fit >= 1.0 { fit.floor() } else { fit };
        let pixels = (cell.max(1.0) * sides.max_elem()).round() as usize;
        let place = in_the_middle(rect, sides * cell / scale, scale);
        let texture = self.plain(&ctx, level, palette, pixels);
        painter.image(texture.id(), place, WHOLE, Color32::WHITE);
        place
    }
}

/// All of a texture.
const WHOLE: egui::Rect = egui::Rect { min: egui::Pos2::ZERO, max: egui::pos2(1.0, 1.0) };

/// A rectangle of this size in the middle of another one, aligned with screen pixels.
fn in_the_middle(rect: egui::Rect, size: egui::Vec2, scale: f32) -> egui::Rect {
    let corner = ((rect.center() - size / 2.0) * scale).round() / scale;
    egui::Rect::from_min_size(corner, size)
}

/// Paints a picture in the middle of a rectangle, smaller if it is larger. Returns where.
fn image_within(
    painter: &egui::Painter,
    rect: egui::Rect,
    texture: &egui::TextureHandle,
) -> egui::Rect {
    let scale = painter.ctx().pixels_per_point();
    let size = texture.size_vec2() / scale;
    // While another size is being drawn, the old one fills the room.
    let place = in_the_middle(rect, size * (rect.size() / size).min_elem().min(1.0), scale);
    painter.image(texture.id(), place, WHOLE, Color32::WHITE);
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shell::theme::{DARK, LIGHT};

    #[test]
    fn pictures_that_scrolled_away_hold_up_no_others() {
        let painter: LevelPainter = |_, _, _| Ok(ColorImage::filled([4, 4], Color32::WHITE));
        let painters = LevelPainters(HashMap::from([("a", painter)]));
        let mut pictures = Pictures { painters, ..Pictures::default() };
        let looks = Grid::from_fn(2, 2, |_| TileStyle::Ground);
        let (ctx, room) = (egui::Context::default(), egui::vec2(64.0, 64.0));
        let source = outwit_levels::Source::Draft("".into());
        let entry = Entry { id: "a/level".into(), source };
        let mut show = |name: &str| {
            let level = Thumbnail { name, game: "a", entry: Some(&entry), looks: &looks };
            pictures.as_board(&ctx, &level, true, room).is_some()
        };
        for n in 0..AT_ONCE {
            assert!(!show(&format!("scrolled away {n}")));
        }
        assert!((0..60_000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(2));
            show("still there")
        }));
    }

    #[test]
    fn pictures_have_whole_cells() {
        for (width, height) in [(1, 1), (3, 7), (512, 2)] {
            let looks = Grid::from_fn(width, height, |cell| {
                if cell.x % 2 == 0 { TileStyle::Ground } else { TileStyle::Void }
            });
            for palette in [&DARK, &LIGHT] {
                let image = image(&looks, palette, 100);
                assert_eq!(image.size[0] % width, 0);
                assert_eq!(image.size[1] % height, 0);
            }
        }
    }
}
