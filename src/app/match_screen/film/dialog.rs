//! The dialog that saves a match, or a turn of it, as pictures.

use super::export::{FilmPart, export};
use super::{Film, FilmLook, layout};
use crate::app::match_screen::board_list::BoardList;
use crate::app::match_screen::matches::FocusedMatch;
use crate::app::match_screen::session::Session;
use crate::app::requests::{MatchConfig, Screen};
use crate::app::shell::file_choice;
use crate::app::shell::fonts::Fonts;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::replay_files;
use crate::app::shell::settings::Settings;
use crate::app::shell::theme::{Palette, palette, space};
use crate::app::shell::widgets::{self, counted};
use bevy::ecs::system::SystemParam;
use bevy::prelude::{InMut, Res, ResMut, Resource};
use bevy_egui::egui::{self, RichText};
use outwit_core::levels::write_new;
use outwit_core::platform::task::Task;
use outwit_core::platform::video::{VideoKind, ffmpeg};
use outwit_headless::cli::FilmKind;
use outwit_levels::data_folder;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// The kinds of files, with their names and endings.
const KINDS: [(FilmKind, &str, &str); 7] = [
    (FilmKind::Gif, "Animated GIF", "gif"),
    (FilmKind::Apng, "Animated PNG", "png"),
    (FilmKind::Video(VideoKind::Mp4), "Video (MP4)", "mp4"),
    (FilmKind::Video(VideoKind::WebM), "Video (WebM)", "webm"),
    (FilmKind::MovingSvg, "Animated drawing (SVG)", "svg"),
    (FilmKind::Png, "Picture (PNG)", "png"),
    (FilmKind::Svg, "Drawing (SVG)", "svg"),
];
/// The widths to choose from, in pixels.
const WIDTHS: [u16; 4] = [480, 720, 1080, 1440];
/// Size of the dialog, in points.
const SIZE: egui::Vec2 = egui::vec2(380.0, 196.0);

/// The dialog; closed as long as there is nothing in it.
#[derive(Resource, Default)]
pub struct FilmDialog(Option<Choice>);

/// What was chosen, and what became of it.
struct Choice {
    kind: FilmKind,
    /// Whether ffmpeg is there to make videos.
    has_video: bool,
    from: usize,
    to: usize,
    /// The stretches around the turning points; none where none are known.
    highlights: Vec<RangeInclusive<usize>>,
    /// Whether only those are shown.
    only_highlights: bool,
    /// The turn of a picture.
    turn: usize,
    width: u16,
    stage: Stage,
}

enum Stage {
    Choosing,
    Saving(Task<Result<PathBuf, String>>),
    Done(Result<PathBuf, String>),
}

/// What a match is drawn with.
#[derive(SystemParam)]
pub struct FilmAssets<'w> {
    boards: Res<'w, BoardList>,
    pieces: Res<'w, Pieces>,
    fonts: Option<Res<'w, Fonts>>,
    palette: Res<'w, Palette>,
}

/// Opens the dialog for the match that has the focus.
pub fn open(session: FocusedMatch, mut dialog: ResMut<FilmDialog>) {
    dialog.open(&session);
}

/// Shows the dialog if it is open.
pub fn section(
    InMut(root): InMut<egui::Ui>,
    session: FocusedMatch,
    mut dialog: ResMut<FilmDialog>,
    film_assets: FilmAssets,
    settings: Res<Settings>,
) {
    dialog.show(root.ctx(), &session, &film_assets, settings.grid);
}

impl FilmDialog {
    /// Opens it for a match, with the whole of it and the turn that is shown.
    fn open(&mut self, session: &Session) {
        self.0 = Some(Choice {
            kind: FilmKind::Gif,
            has_video: ffmpeg().is_some(),
            from: 0,
            to: session.live.turns(),
            highlights: if session.has_highlights() { session.highlights() } else { Vec::new() },
            only_highlights: false,
            turn: session.playback.view,
            width: WIDTHS[1],
            stage: Stage::Choosing,
        });
    }

    /// Shows it if it is open; `grid` says whether the board shows the lines between cells.
    fn show(
        &mut self,
        ctx: &egui::Context,
        session: &Session,
        film_assets: &FilmAssets,
        grid: bool,
    ) {
        let Some(choice) = &mut self.0 else { return };
        if let Stage::Saving(task) = &choice.stage
            && task.is_done()
        {
            choice.stage = Stage::Done(
                task.get()
                    .cloned()
                    .unwrap_or_else(|| Err(task.failure().unwrap_or("it was stopped").to_owned())),
            );
        }
        let frame = egui::Frame::window(&ctx.global_style()).inner_margin(20);
        let mut close = false;
        let checked = choice.check(session);
        let modal = egui::Modal::new("film".into()).frame(frame).show(ctx, |ui| {
            ui.set_width(SIZE.x);
            let which = session.letter().map_or_else(String::new, |which| which + " ");
            ui.heading(format!("Save {which}as pictures"));
            ui.add_space(space::MEDIUM);
            let body = egui::vec2(SIZE.x, SIZE.y);
            ui.allocate_ui(body, |ui| {
                ui.set_min_size(body);
                choice.body(ui, session, &checked);
            });
            ui.horizontal(|ui| {
                close = choice.buttons(ui, session, film_assets, (grid, checked.is_ok()))
            });
        });
        // Whoever waits for the file stops it with the button.
        let waits = matches!(choice.stage, Stage::Saving(_));
        if close || modal.should_close() && !waits {
            self.0 = None;
        } else if waits {
            ctx.request_repaint_after(std::time::Duration::from_millis(100));
        }
    }
}

impl Choice {
    fn part(&self) -> FilmPart {
        let stretches = match (self.kind.moves(), self.only_highlights) {
            (true, true) => self.highlights.clone(),
            (true, false) => vec![self.from..=self.to],
            (false, _) => vec![self.turn..=self.turn],
        };
        FilmPart { kind: self.kind, stretches, turn_seconds: None }
    }

    fn body(&mut self, ui: &mut egui::Ui, session: &Session, checked: &Result<usize, String>) {
        match &self.stage {
            Stage::Choosing => self.choose(ui, session, checked),
            Stage::Saving(task) => {
                widgets::hint(ui, "Drawing the frames");
                ui.add(egui::ProgressBar::new(task.progress()).show_percentage());
            }
            Stage::Done(Ok(path)) => {
                ui.label("Saved as");
                ui.add(egui::Label::new(RichText::new(path.display().to_string()).monospace()));
            }
            Stage::Done(Err(why)) => {
                let bad = palette(ui).bad.egui();
                ui.colored_label(bad, format!("Nothing was saved: {why}."));
            }
        }
    }

    fn choose(&mut self, ui: &mut egui::Ui, session: &Session, checked: &Result<usize, String>) {
        let turns = session.live.turns();
        let known = |kind| KINDS.iter().find(|(known, ..)| *known == kind);
        egui::Grid::new("film").num_columns(2).spacing(egui::vec2(16.0, 10.0)).show(ui, |ui| {
            ui.label("Kind");
            let name = known(self.kind).map_or("", |(_, name, _)| name);
            let kinds = egui::ComboBox::from_id_salt("kind").width(200.0).height(240.0);
            kinds.selected_text(name).show_ui(ui, |ui| {
                let has_video = self.has_video;
                let offered = |kind| has_video || !matches!(kind, FilmKind::Video(_));
                for (kind, name, _) in KINDS.into_iter().filter(|(kind, ..)| offered(*kind)) {
                    ui.selectable_value(&mut self.kind, kind, name);
                }
            });
            ui.end_row();
            ui.label(if self.kind.moves() { "Steps" } else { "Step" });
            ui.horizontal(|ui| {
                if self.kind.moves() {
                    if !self.highlights.is_empty() {
                        ui.checkbox(&mut self.only_highlights, "Highlights");
                    }
                    if self.only_highlights {
                        return;
                    }
                    ui.add(egui::DragValue::new(&mut self.from).range(0..=self.to));
                    ui.label("to");
                    ui.add(egui::DragValue::new(&mut self.to).range(self.from..=turns));
                } else {
                    ui.add(egui::DragValue::new(&mut self.turn).range(0..=turns));
                }
                widgets::hint(ui, format!("of {turns}"));
            });
            ui.end_row();
            ui.label("Width");
            let pixels = |width: u16| format!("{width} pixels");
            egui::ComboBox::from_id_salt("width")
                .width(200.0)
                .selected_text(pixels(self.width))
                .show_ui(ui, |ui| {
                    for width in WIDTHS {
                        ui.selectable_value(&mut self.width, width, pixels(width));
                    }
                });
            ui.end_row();
        });
        ui.add_space(space::SMALL);
        let (_, [width, height]) = layout(session, self.width);
        match checked {
            Ok(frames) => {
                let frames = counted(*frames as u64, "frame");
                widgets::hint(ui, format!("{frames} of {width} × {height} pixels"));
            }
            Err(why) => {
                widgets::fault(ui, why);
            }
        }
        widgets::hint(ui, "Theme, grid and overlays are those of the board.");
    }

    /// The number of frames, if the choice can be saved.
    fn check(&self, session: &Session) -> Result<usize, String> {
        let (_, size) = layout(session, self.width);
        self.part().check(session.live.turns(), size, |turn| {
            session.live.cues(&session.state, turn).seconds
        })
    }

    /// Returns whether the dialog is to be closed.
    fn buttons(
        &mut self,
        ui: &mut egui::Ui,
        session: &Session,
        film_assets: &FilmAssets,
        (grid, possible): (bool, bool),
    ) -> bool {
        let large = egui::vec2(0.0, 36.0);
        let plain = |ui: &mut egui::Ui, words: &str| {
            ui.add(egui::Button::new(words).min_size(large)).clicked()
        };
        match &self.stage {
            Stage::Choosing => {
                let save = ui.add_enabled_ui(possible, |ui| widgets::primary_button(ui, "Save"));
                if save.inner.clicked() {
                    self.stage = match self.begin(session, film_assets, grid) {
                        Ok(task) => Stage::Saving(task),
                        Err(why) => Stage::Done(Err(why)),
                    };
                    return false;
                }
                plain(ui, "Cancel")
            }
            // Dropping the task stops it.
            Stage::Saving(_) => {
                if plain(ui, "Stop") {
                    self.stage = Stage::Choosing;
                }
                false
            }
            Stage::Done(result) => {
                let close = widgets::primary_button(ui, "Close").clicked();
                if let Ok(path) = result
                    && plain(ui, "Copy path")
                {
                    ui.ctx().copy_text(path.display().to_string());
                }
                close
            }
        }
    }

    /// Begins to draw and save what was chosen.
    fn begin(
        &self,
        session: &Session,
        film_assets: &FilmAssets,
        grid: bool,
    ) -> Result<Task<Result<PathBuf, String>>, String> {
        let folder = data_folder().ok_or("there is no data folder; set OUTWIT_DATA to a folder")?;
        let part = self.part();
        let text = session.replay_text();
        let config = MatchConfig::watching(&text, session.config.level.stem(), Screen::Menu)
            .map_err(|why| why.to_string())?;
        let board = film_assets.boards.0.iter().find(|board| board.id == config.game);
        let begin = board.ok_or("the game has no board")?.begin;
        let fonts = film_assets.fonts.as_deref().ok_or("the fonts are not loaded yet")?.clone();
        let look = FilmLook {
            pieces: film_assets.pieces.clone(),
            fonts,
            width: self.width,
            dark: film_assets.palette.dark,
            grid,
            caption: None,
        };
        let overlays = session.overlays.on.clone();
        let ending =
            KINDS.iter().find(|(kind, ..)| *kind == part.kind).map_or("png", |kind| kind.2);
        let name = replay_files::name(session.config.game, &session.level_name);
        let file = file_choice::exports(&folder, "pictures").join(name).with_extension(ending);
        Ok(Task::begin(move |context| {
            let mut session = begin(config, true)?;
            session.overlays.on = overlays;
            let film = Film::new(session, look);
            let bytes = export(&mut [(film, part)], context.stop(), &mut |step| {
                context.progress(step.frame as f32 / step.frames as f32);
            })?;
            if context.stop().is_raised() {
                return Err("stopped".into());
            }
            write_new(&file, &bytes).map_err(|error| error.to_string())
        }))
    }
}
