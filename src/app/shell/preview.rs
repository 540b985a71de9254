//! Thumbnails of levels.

use crate::app::shell::theme::Palette;
use bevy_egui::egui::{self, Color32, ColorImage, TextureOptions};
use outwit_core::grid::{Cell, Grid};
use outwit_kit::TileStyle;
use std::collections::HashMap;

/// Draws a level as an image whose longer side is about `pixels` long. Every cell is a whole number of
/// pixels wide, and a line separates ground from the outside.
pub fn image(looks: &Grid<TileStyle>, palette: &Palette, pixels: usize) -> ColorImage {
    let (width, height) = (looks.width().max(1), looks.height().max(1));
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
        let fill = palette.look(look);
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

/// A cache of thumbnails by level, size and theme.
#[derive(Default)]
pub struct Pictures(HashMap<(String, usize, bool), egui::TextureHandle>);

impl Pictures {
    /// Clears the cache, because levels may have changed.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The thumbnail of a level, with a longer side of `pixels`.
    pub fn get(
        &mut self,
        ctx: &egui::Context,
        name: &str,
        looks: &Grid<TileStyle>,
        palette: &Palette,
        pixels: usize,
    ) -> &egui::TextureHandle {
        self.0.entry((name.to_owned(), pixels, palette.dark)).or_insert_with(|| {
            let options = TextureOptions {
                magnification: egui::TextureFilter::Nearest,
                minification: egui::TextureFilter::Linear,
                ..TextureOptions::default()
            };
            ctx.load_texture(name, image(looks, palette, pixels), options)
        })
    }

    /// Paints the thumbnail of a level in the middle of `rect`, as large as fits, aligned with screen
    /// pixels where possible. Returns its rectangle.
    pub fn paint(
        &mut self,
        painter: &egui::Painter,
        rect: egui::Rect,
        name: &str,
        looks: &Grid<TileStyle>,
        palette: &Palette,
    ) -> egui::Rect {
        let ctx = painter.ctx().clone();
        let scale = ctx.pixels_per_point();
        let sides = egui::vec2(looks.width().max(1) as f32, looks.height().max(1) as f32);
        let fit = (rect.size() * scale / sides).min_elem();
        // A whole number of pixels per cell, unless cells are smaller than a pixel.
        let cell = if fit >= 1.0 { fit.floor() } else { fit };
        let pixels = (cell.max(1.0) * sides.max_elem()).round() as usize;
        let texture = self.get(&ctx, name, looks, palette, pixels);
        let size = sides * cell / scale;
        let corner = ((rect.center() - size / 2.0) * scale).round() / scale;
        let place = egui::Rect::from_min_size(corner, size);
        let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        painter.image(texture.id(), place, whole, Color32::WHITE);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shell::theme::{DARK, LIGHT};

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
