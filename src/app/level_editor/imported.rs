//! A picture that becomes a map: the picture beside what is understood of it, where its cells are, and which tile each
//! colour is.

use crate::app::shell::theme::palette;
use crate::app::shell::widgets::{self, counted};
use bevy_egui::egui;
use egui::{
    Align2, Color32, ColorImage, DragValue, Rect, Response, Sense, Stroke, TextureOptions, Ui,
    pos2, vec2,
};
use outwit_core::grid::{Cell, Grid};
use outwit_headless::editor::{Lattice, MOST_CELL, PictureMap};
use outwit_kit::{TileStyle, look_of, offered_tiles};
use outwit_levels::{Entry, Source};

/// Points of a cell from which the lines between cells are drawn.
const SEEN: f32 = 4.0;
/// Width and height of a colour's sign, in points.
const SWATCH: egui::Vec2 = vec2(30.0, 20.0);

/// A picture that is being imported.
pub struct ImportedPicture {
    /// What is understood of it.
    pub map: PictureMap,
    /// The name of the level.
    pub name: String,
    texture: Option<egui::TextureHandle>,
    /// The colour that was clicked last.
    pub chosen: Option<usize>,
    /// The level that it would be; `None` after a change.
    pub made: Option<Result<Made, String>>,
    /// How often it was made.
    number: u64,
}

/// The level that a picture would be.
pub struct Made {
    /// The level, to be drawn.
    pub entry: Entry,
    /// What tells it from those before.
    pub name: String,
    /// How its cells look.
    pub looks: Grid<TileStyle>,
    /// How many of them have each tile, in words.
    pub counts: String,
}

impl ImportedPicture {
    /// A picture from a file of this name.
    pub fn new(map: PictureMap, name: String) -> Self {
        Self { map, name, texture: None, chosen: None, made: None, number: 0 }
    }

    /// The level that it would be.
    ///
    /// # Errors
    /// If the game allows no map of this size.
    pub fn make(&mut self) -> Result<Made, String> {
        self.number += 1;
        let kind = self.map.kind();
        let draft = self.map.draft(&self.name)?;
        let looks = draft.cells.map(|&symbol| look_of(kind.facts().palette, symbol));
        let source = Source::Draft(kind.text(&draft).into());
        let entry = Entry { id: format!("{}/picture", kind.id()), source };
        let counts = self.counts();
        Ok(Made { entry, name: format!("picture {}", self.number), looks, counts })
    }

    /// Shows the picture with the lines between its cells, and which cells have the chosen colour. Returns the cell that
    /// is clicked.
    pub fn show(&mut self, ui: &mut Ui, room: Rect) -> Option<Cell> {
        let pixels = self.map.pixels();
        let (width, height) = (pixels.width(), pixels.height());
        let texture = self.texture.get_or_insert_with(|| {
            let colours = pixels.as_slice().iter().map(|&[red, green, blue, alpha]| {
                Color32::from_rgba_unmultiplied(red, green, blue, alpha)
            });
            let image = ColorImage::new([width, height], colours.collect());
            ui.ctx().load_texture("imported picture", image, TextureOptions::NEAREST)
        });
        let size = vec2(width as f32, height as f32);
        let scale = (room.size() / size).min_elem();
        let place = Rect::from_center_size(room.center(), size * scale);
        let response = ui.interact(place, ui.id().with("picture"), Sense::click());
        let all = Rect::from_min_max(egui::Pos2::ZERO, pos2(1.0, 1.0));
        let painter = ui.painter_at(room);
        painter.image(texture.id(), place, all, Color32::WHITE);
        let Lattice { cell, left, top } = self.map.lattice();
        let (columns, rows) = self.map.lattice().size((width, height));
        let side = cell as f32 * scale;
        let corner = place.min + vec2(left as f32, top as f32) * scale;
        let far = corner + vec2(columns as f32, rows as f32) * side;
        if side >= SEEN {
            let ink = Stroke::new(1.0, palette(ui).accent.egui_alpha(0.4));
            (0..=columns).for_each(|n| {
                painter.vline(corner.x + n as f32 * side, corner.y..=far.y, ink);
            });
            (0..=rows).for_each(|n| {
                painter.hline(corner.x..=far.x, corner.y + n as f32 * side, ink);
            });
        }
        let at = response.interact_pointer_pos().filter(|_| response.clicked())?;
        let cell = (at - corner) / side;
        Some(Cell::new(cell.x.floor() as i32, cell.y.floor() as i32))
    }

    /// Shows the colours with their tiles, in two columns. Returns whether one was changed.
    pub fn colours(&mut self, ui: &mut Ui) -> bool {
        let mut set = None;
        ui.columns(2, |columns| {
            for index in 0..self.map.colours().len() {
                set = columns[index % 2].horizontal(|ui| self.colour(ui, index)).inner.or(set);
            }
        });
        if let Some((index, tile)) = set {
            self.map.set_tile(index, tile);
        }
        set.is_some()
    }

    /// Shows a colour with its tile. Returns which colour is another tile now.
    fn colour(&mut self, ui: &mut Ui, index: usize) -> Option<(usize, char)> {
        let colour = self.map.colours().get(index)?;
        let name = format!("Colour {}", index + 1);
        if swatch(ui, colour.colour, self.chosen == Some(index), &name).clicked() {
            self.chosen = Some(index);
        }
        let tiles = self.map.kind().facts().palette;
        let now = tiles.iter().find(|tile| tile.symbol == colour.tile);
        let mut set = None;
        egui::ComboBox::from_id_salt(("tile of a colour", index))
            .selected_text(now.map_or("", |tile| tile.name))
            .width(150.0)
            .show_ui(ui, |ui| {
                for tile in offered_tiles(tiles, &self.map.cells()) {
                    let chosen = colour.tile == tile.symbol;
                    if ui.selectable_label(chosen, tile.name).clicked() {
                        set = Some((index, tile.symbol));
                    }
                }
            })
            .response
            .on_hover_text(format!("What {} is", name.to_lowercase()));
        widgets::hint(ui, counted(colour.cells as u64, "cell"));
        set
    }

    /// Shows where the cells are. Returns whether that was changed.
    pub fn lattice(&mut self, ui: &mut Ui) -> bool {
        let before = self.map.lattice();
        let mut now = before;
        let number = |ui: &mut Ui, name: &str, value: &mut usize, range| {
            let label = ui.label(name);
            ui.add(DragValue::new(value).range(range).speed(0.1).suffix(" px"))
                .labelled_by(label.id);
        };
        ui.horizontal_wrapped(|ui| {
            number(ui, "Cell", &mut now.cell, 1..=MOST_CELL);
            number(ui, "Left", &mut now.left, 0..=now.cell - 1);
            number(ui, "Top", &mut now.top, 0..=now.cell - 1);
            let pixels = self.map.pixels();
            let (columns, rows) = before.size((pixels.width(), pixels.height()));
            widgets::hint(ui, format!("{columns} × {rows} cells"));
        });
        if now != before {
            self.map.set_lattice(now);
        }
        now != before
    }

    /// How many cells have each tile.
    fn counts(&self) -> String {
        let counts = self.map.counts().into_iter();
        let words: Vec<String> =
            counts.map(|(tile, count)| format!("{}: {count}", tile.name)).collect();
        words.join(", ")
    }
}

/// A field in a colour, which can be chosen.
fn swatch(ui: &mut Ui, colour: [u8; 4], chosen: bool, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(SWATCH, Sense::click());
    let [red, green, blue, alpha] = colour;
    let own = palette(ui);
    let ink = if chosen { own.accent } else { own.line };
    let stroke = Stroke::new(if chosen { 2.5 } else { 1.0 }, ink.egui());
    let fill = Color32::from_rgb(red, green, blue);
    let inside = egui::StrokeKind::Inside;
    if alpha < 128 {
        ui.painter().rect(rect, 3.0, Color32::TRANSPARENT, stroke, inside);
        let font = egui::TextStyle::Small.resolve(ui.style());
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, "clear", font, own.faint.egui());
    } else {
        ui.painter().rect(rect, 3.0, fill, stroke, inside);
    }
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, chosen, name)
    });
    response
}
