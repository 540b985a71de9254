//! Levels to choose from as pictures with their names, and the picture of a level that is being generated.

use super::imported::Made;
use super::open_document::game;
use crate::app::shell::level::Level;
use crate::app::shell::preview::{Pictures, Thumbnail};
use crate::app::shell::theme::palette_of;
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Align2, Rect, Response, RichText, TextStyle, Ui, pos2, vec2};
use egui_phosphor::regular as icon;
use outwit_core::levels::read;
use outwit_core::platform::task::Task;
use outwit_core::platform::time::Duration;
use outwit_headless::editor::EditorModel;
use outwit_headless::recognise;
use outwit_kit::{DynGame, LevelDraft};
use outwit_levels::{Collections, Entry, Source, list};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Size of a card and of the picture in it, in points.
const CARD: egui::Vec2 = vec2(132.0, 112.0);
const PICTURE: f32 = 80.0;
/// Levels that are read in one frame.
const AT_ONCE: usize = 2;
/// How soon to look again at what is in progress.
const SOON: Duration = Duration::from_millis(60);

/// What the editor shows of levels to choose from.
#[derive(Default)]
pub struct Gallery {
    pictures: Pictures,
    /// By game.
    lists: HashMap<&'static str, Vec<Level>>,
    /// Recent files; `None` for those that are no levels, or not any more.
    recent: HashMap<PathBuf, Option<Level>>,
    generated: Option<Generated>,
}

/// A game, the values of its generator's options by key, and a seed.
pub type GeneratorRequest = (&'static str, Vec<(String, String)>, u64);

/// A level that is being generated, or was.
struct Generated {
    wanted: GeneratorRequest,
    task: Task<Result<(LevelDraft, Level), String>>,
}

impl Gallery {
    /// A gallery that draws with these pictures.
    pub fn new(pictures: Pictures) -> Self {
        Self { pictures, ..Self::default() }
    }

    /// Forgets what a dialog showed, because levels may change until the next one.
    pub fn close(&mut self) {
        self.lists.clear();
        self.generated = None;
    }

    /// Forgets what was in recent files.
    pub fn forget_files(&mut self) {
        self.recent.clear();
    }

    /// Shows the levels of a game whose name or file contains a text, in lower case. Returns the one that was clicked.
    pub fn levels(
        &mut self,
        ui: &mut Ui,
        kind: &'static dyn DynGame,
        search: &str,
    ) -> Option<Entry> {
        let levels = self.lists.entry(kind.id()).or_insert_with(|| {
            list(kind.id())
                .into_iter()
                .map(|entry| Level::unread(entry, &Collections::default()))
                .collect()
        });
        let mut clicked = None;
        let mut left = AT_ONCE;
        ui.horizontal_wrapped(|ui| {
            for level in levels {
                let fits = |text: &str| text.to_lowercase().contains(search);
                if !fits(level.name()) && !fits(level.entry.stem()) {
                    continue;
                }
                let (mark, hover) = match level.is_own() {
                    true => (icon::USER, "Your own"),
                    false => (icon::LOCK_SIMPLE, "Built in: opens as a copy"),
                };
                let card = card(ui, level, mark, &mut self.pictures);
                if ui.is_rect_visible(card.rect) && level.info.is_none() {
                    if left > 0 {
                        level.read(kind);
                        left -= 1;
                    }
                    ui.ctx().request_repaint_after(SOON);
                }
                if card.on_hover_text(hover).clicked() {
                    clicked = Some(level.entry.clone());
                }
            }
        });
        clicked
    }

    /// Shows files that were opened or saved before. Returns the one that was clicked.
    pub fn files<'a>(
        &mut self,
        ui: &mut Ui,
        paths: impl Iterator<Item = &'a PathBuf>,
    ) -> Option<PathBuf> {
        let mut clicked = None;
        ui.horizontal_wrapped(|ui| {
            for path in paths {
                let known = self.recent.entry(path.clone()).or_insert_with(|| level_in(path));
                let shown = path.display().to_string();
                let card = match known {
                    Some(level) => card(ui, level, "", &mut self.pictures),
                    None => {
                        let name = path.file_stem().unwrap_or_default().to_string_lossy();
                        ui.button(name)
                    }
                };
                if card.on_hover_text(shown).clicked() {
                    clicked = Some(path.clone());
                }
            }
        });
        clicked
    }

    /// Shows a level that a picture would be.
    pub fn made(&mut self, ui: &Ui, room: Rect, made: &Made) {
        let palette = palette_of(ui.ctx(), made.entry.game());
        let thumbnail = Thumbnail::of(&made.name, &made.entry, &made.looks);
        self.pictures.paint(ui.painter(), room, &thumbnail, palette);
    }

    /// Forgets the pictures of levels that were made.
    pub fn forget_made(&mut self) {
        self.pictures.clear();
    }

    /// Shows what a generator makes, as large as there is room. Returns the level once it is there.
    ///
    /// # Errors
    /// Why there is none, and what to change.
    pub fn generated(
        &mut self,
        ui: &Ui,
        room: Rect,
        wanted: GeneratorRequest,
    ) -> Result<Option<&LevelDraft>, String> {
        let palette = palette_of(ui.ctx(), wanted.0);
        ui.painter().rect_filled(room, widgets::CORNER, palette.board.egui());
        let is_other = |known: &Generated| known.wanted != wanted;
        // One at a time: what is being made cannot be stopped.
        let is_over = |known: &Generated| known.task.is_done();
        if self.generated.as_ref().is_none_or(|known| is_other(known) && is_over(known)) {
            self.pictures.clear();
            self.generated = Some(Generated::begin(wanted.clone()));
        }
        let waits = self.generated.as_ref().is_none_or(|known| is_other(known) || !is_over(known));
        if waits {
            ui.ctx().request_repaint_after(SOON);
        }
        let Some(known) = self.generated.as_ref() else { return Ok(None) };
        if let Some(why) = known.task.failure() {
            return Err(why.to_owned());
        }
        match known.task.get() {
            Some(Ok((draft, level))) => {
                if let Some(Ok(info)) = &level.info {
                    let name = format!("generated {:016x}", info.digest);
                    let thumbnail = Thumbnail::of(&name, &level.entry, &info.looks);
                    self.pictures.paint(ui.painter(), room.shrink(8.0), &thumbnail, palette);
                }
                Ok((!waits).then_some(draft))
            }
            Some(Err(why)) if !waits => Err(why.clone()),
            _ => {
                let font = TextStyle::Body.resolve(ui.style());
                let ink = palette.faint.egui();
                ui.painter().text(room.center(), Align2::CENTER_CENTER, "Generating…", font, ink);
                Ok(None)
            }
        }
    }
}

impl Generated {
    fn begin(wanted: GeneratorRequest) -> Self {
        let (id, options, seed) = wanted.clone();
        let task = Task::begin(move |_| {
            let kind = game(id).ok_or("there is no such game")?;
            let draft = kind.generate(&options, seed)?;
            let text = EditorModel::unsaved(kind, draft.clone()).text();
            let source = Source::Draft(text.into());
            let mut level = Level::unread(
                Entry { id: format!("{id}/generated"), source },
                &Collections::default(),
            );
            level.read(kind);
            Ok((draft, level))
        });
        Self { wanted, task }
    }
}

/// The level in a file.
fn level_in(path: &Path) -> Option<Level> {
    let bytes = read(path).ok()?;
    let name = path.file_name()?.to_string_lossy();
    let kind = recognise(&bytes, &name)?;
    let stem = path.file_stem()?.to_string_lossy();
    let entry = Entry { id: format!("{}/{stem}", kind.id()), source: Source::File(path.into()) };
    let mut level = Level::unread(entry, &Collections::default());
    level.read(kind);
    Some(level)
}

/// A level as a picture above its name.
fn card(ui: &mut Ui, level: &Level, mark: &str, pictures: &mut Pictures) -> Response {
    widgets::pressable(ui, CARD, false, level.name(), |ui, rect| {
        let top = Rect::from_min_size(rect.min, vec2(rect.width(), PICTURE)).shrink(4.0);
        let palette = palette_of(ui.ctx(), level.entry.game());
        ui.painter().rect_filled(top, widgets::CORNER, palette.board.egui());
        match &level.info {
            Some(Ok(info)) => {
                let name = format!("{}/{:016x}", level.entry.id, info.digest);
                let thumbnail = Thumbnail::of(&name, &level.entry, &info.looks);
                pictures.paint(ui.painter(), top.shrink(3.0), &thumbnail, palette);
            }
            Some(Err(_)) => {
                let font = egui::FontId::proportional(24.0);
                let ink = palette.bad.egui();
                ui.painter().text(top.center(), Align2::CENTER_CENTER, icon::WARNING, font, ink);
            }
            None => {}
        }
        let words = Rect::from_min_max(pos2(rect.left() + 8.0, top.bottom() + 6.0), rect.max);
        widgets::inside(ui, words.shrink2(vec2(4.0, 0.0)), |ui| {
            let gap = if mark.is_empty() { "" } else { "  " };
            let words = RichText::new(format!("{mark}{gap}{}", level.name()));
            ui.add(egui::Label::new(words.text_style(TextStyle::Small)).truncate());
        });
    })
}
