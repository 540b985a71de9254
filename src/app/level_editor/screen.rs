//! The state of the editor's screen, and what its actions do.

use super::actions::{Action, generated_game};
use super::canvas::point_at;
use super::dialogs::Dialog;
use super::gallery::Gallery;
use super::imported::ImportedPicture;
use super::open_document::{OpenDocument, read_level};
use super::recovered::Recovered;
use crate::app::requests::{MatchConfig, Screen};
use crate::app::shell::links;
use crate::app::shell::notice::Notice;
use bevy::prelude::{Commands, CommandsStatesExt, Resource};
use bevy_egui::egui;
use outwit_core::play::Budget;
use outwit_headless::editor::{BlockTransform, Brush, EditorModel, LevelPath, SolverStatus, stem};
use outwit_headless::link;
use outwit_levels::{Entry, Source};
use std::path::PathBuf;
use std::sync::Arc;

/// The tab of the panel beside the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SideTab {
    /// Texts and rules of the level.
    #[default]
    Level,
    /// The history of changes.
    History,
}

/// What to do once the open level is saved or discarded.
#[derive(Clone, PartialEq, Debug)]
pub enum NextStep {
    /// Open this dialog.
    Dialog(Box<Dialog>),
    /// Open a level of the catalogue.
    Entry(Entry),
    /// Open a file.
    File(PathBuf),
    /// Recover the draft with this index.
    Recover(usize),
    /// Open this level.
    Text {
        /// The file's content.
        bytes: Arc<[u8]>,
        /// A file name, whose extension may tell the format.
        name: String,
    },
    /// The level browser.
    Browse,
}

/// The state of the editor.
#[derive(Resource, Default)]
pub struct EditorScreen {
    /// The open level.
    pub work: Option<OpenDocument>,
    /// The open dialog.
    pub dialog: Option<Dialog>,
    /// The picture that is being imported.
    pub picture: Option<ImportedPicture>,
    /// What to do once the level has a name and is saved.
    pub then: Option<Box<NextStep>>,
    /// The tab of the side panel.
    pub side: SideTab,
    /// The data folder.
    pub folder: Option<PathBuf>,
    /// Recently opened level files, latest first.
    pub recent: Vec<PathBuf>,
    /// Unsaved work from earlier sessions.
    pub found: Vec<Recovered>,
    /// Whether to offer it over the menu.
    pub offer: bool,
    /// How much a planner may think per turn in a play-test.
    pub budget: Budget,
    /// CPU time of the last frame.
    pub took: std::time::Duration,
    /// Text that was pasted from the clipboard.
    pub pasted: Option<String>,
    /// Levels to choose from.
    pub gallery: Gallery,
}

impl EditorScreen {
    /// Performs an action of menu, toolbar or keyboard. One that would close an unsaved level asks
    /// first.
    pub fn act(&mut self, action: Action, ctx: &egui::Context, commands: &mut Commands) {
        match action {
            Action::New => {
                self.ask_then(NextStep::Dialog(Box::new(Dialog::begin(self))), commands);
            }
            Action::Open => self.dialog = Some(Dialog::Open { search: String::new() }),
            Action::Generate => match generated_game(self) {
                Ok(kind) => {
                    self.ask_then(NextStep::Dialog(Box::new(Dialog::generate(kind))), commands);
                }
                Err(why) => {
                    commands.write_message(Notice::info(why));
                }
            },
            Action::Import => self.dialog = Dialog::import(self.folder.as_deref()),
            _ => self.act_on_work(action, ctx, commands),
        }
    }

    fn act_on_work(&mut self, action: Action, ctx: &egui::Context, commands: &mut Commands) {
        let Some(work) = &mut self.work else { return };
        let model = &mut work.model;
        match action {
            Action::Save => {
                self.save(commands);
            }
            Action::SaveAs => self.dialog = Some(Dialog::save_as(model)),
            Action::Rename => self.dialog = Some(Dialog::rename(model)),
            Action::Duplicate => self.duplicate(commands),
            Action::Bin => match &work.origin {
                Some(origin) => self.dialog = Some(Dialog::Bin { path: origin.path.clone() }),
                None => {
                    commands.write_message(Notice::info("The level has no file yet."));
                }
            },
            Action::Export => self.dialog = Some(Dialog::Export),
            Action::CopyLink => {
                let id = format!("{}/{}", model.kind().id(), stem(&model.draft().name));
                let level = Entry { id, source: Source::Draft(model.text().into()) };
                commands
                    .write_message(links::copy(link::of_level(&level), |text| ctx.copy_text(text)));
            }
            Action::CopyLevel => {
                ctx.copy_text(model.text());
                commands.write_message(Notice::info(
                    "The level was copied as text. New… can start from it.",
                ));
            }
            Action::Undo => {
                if !model.undo() {
                    commands.write_message(Notice::info("There is nothing to undo."));
                }
            }
            Action::Redo => {
                if !model.redo() {
                    commands.write_message(Notice::info("There is nothing to redo."));
                }
            }
            Action::Cut | Action::Copy => {
                let text = if action == Action::Cut { model.cut() } else { model.copy() };
                match text {
                    Some(text) => ctx.copy_text(text),
                    None => {
                        commands.write_message(Notice::info("Select a region first (S)."));
                    }
                }
            }
            Action::Paste => {
                if let Err(why) = model.paste(self.pasted.take().as_deref()) {
                    commands.write_message(Notice::error(format!("Could not paste: {why}.")));
                }
            }
            Action::Delete if model.selection().is_some() => model.delete(),
            Action::Delete => {
                commands.write_message(Notice::info("Select a region first (S)."));
            }
            Action::SelectAll => {
                model.tool = outwit_headless::editor::Tool::Select;
                model.select_all();
            }
            Action::Rotate => model.turn(BlockTransform::Clockwise),
            Action::MirrorX => model.turn(BlockTransform::LeftRight),
            Action::MirrorY => model.turn(BlockTransform::TopBottom),
            Action::Resize => self.dialog = Some(Dialog::resize(model)),
            Action::Crop => {
                if let Err(why) = model.crop() {
                    commands.write_message(Notice::info(format!("Could not crop: {why}.")));
                }
                work.view.zoom = None;
            }
            Action::Play => self.play(commands),
            Action::Fit => work.view.zoom = None,
            Action::ZoomIn | Action::ZoomOut => {
                let by = if action == Action::ZoomIn { 1.25 } else { 0.8 };
                let zoom = work.view.zoom.unwrap_or(16.0) * by;
                work.view.zoom = Some(zoom.clamp(0.25, 96.0));
            }
            Action::Symmetry => model.symmetry = model.symmetry.next(),
            Action::Wider => model.brush.size = (model.brush.size + 1).min(Brush::MOST),
            Action::Narrower => model.brush.size = model.brush.size.saturating_sub(1).max(1),
            Action::Round => model.brush.round = !model.brush.round,
            Action::Filled => model.filled = !model.filled,
            Action::NextFault => match work.next_fault() {
                Some(cell) => point_at(work, cell, ctx.input(|input| input.time)),
                None => {
                    commands.write_message(Notice::info("No problem has a location."));
                }
            },
            Action::Solver => match work.report.answer {
                SolverStatus::Solving | SolverStatus::Waiting => work.checker.cancel(),
                _ => work.ask_again(),
            },
            Action::Tool(tool) => {
                model.release();
                model.tool = tool;
            }
            Action::Tile(key) => {
                let offered = &work.tiles;
                if let Some(&(tile, _)) = offered.iter().find(|(_, own)| *own == Some(key)) {
                    model.select_tile(tile.symbol);
                }
            }
            Action::New | Action::Open | Action::Generate | Action::Import => {}
        }
    }

    /// Removes the backup of work that was discarded and stayed on screen until now.
    pub(super) fn let_go(&mut self) {
        if let Some(work) = &mut self.work
            && work.is_given_up()
        {
            work.discard();
        }
    }

    /// Opens a level in place of the current one.
    pub fn put(&mut self, model: EditorModel, origin: Option<LevelPath>, commands: &mut Commands) {
        let (work, failure) = OpenDocument::new(model, origin, self.folder.as_deref());
        self.let_go();
        self.work = Some(work);
        self.dialog = None;
        if let Some(failure) = failure {
            commands.write_message(Notice::error(failure));
        }
    }

    /// Does this, after asking whether to save unsaved changes.
    pub fn ask_then(&mut self, next: NextStep, commands: &mut Commands) {
        match &self.work {
            Some(work) if !work.model.is_saved() => {
                self.dialog = Some(Dialog::Unsaved { next: Box::new(next) });
            }
            _ => self.proceed(next, commands),
        }
    }

    /// Does this without asking. It may replace the open level.
    pub fn proceed(&mut self, next: NextStep, commands: &mut Commands) {
        self.dialog = None;
        match next {
            NextStep::Dialog(dialog) => self.dialog = Some(*dialog),
            NextStep::Browse => commands.set_state(Screen::Levels),
            NextStep::Entry(entry) => self.open_entry(&entry, commands),
            NextStep::File(path) => self.open_file(&path, commands),
            NextStep::Recover(index) => self.recover(index, commands),
            NextStep::Text { bytes, name } => match read_level(&bytes, &name) {
                Ok(model) => {
                    let draft = model.draft().clone();
                    self.put(EditorModel::unsaved(model.kind(), draft), None, commands);
                }
                Err(why) => {
                    commands.write_message(Notice::error(why));
                }
            },
        }
    }

    fn duplicate(&mut self, commands: &mut Commands) {
        let Some(work) = &mut self.work else { return };
        let mut draft = work.model.draft().clone();
        draft.name = format!("{} copy", draft.name);
        let model = EditorModel::unsaved(work.model.kind(), draft);
        if work.model.is_saved() {
            self.put(model, None, commands);
            commands.write_message(Notice::info("You are now editing the copy."));
        } else {
            commands.write_message(Notice::info(
                "Save the level first: the copy replaces it in the editor.",
            ));
        }
    }

    /// Starts a play-test of the level.
    fn play(&mut self, commands: &mut Commands) {
        let Some(work) = &mut self.work else { return };
        work.model.release();
        let kind = work.model.kind();
        let faults = kind.check_draft(work.model.draft()).faults;
        if let Some(first) = faults.first() {
            let more = match faults.len() {
                1 => String::new(),
                n => format!(" (and {} more)", n - 1),
            };
            commands.write_message(Notice::error(format!("Not playable yet: {first}{more}.")));
            return;
        }
        let name = stem(&work.model.draft().name);
        let text = work.model.text();
        let checked = kind.read(text.as_bytes(), &name).ok();
        let level =
            Entry { id: format!("{}/{name}", kind.id()), source: Source::Draft(text.into()) };
        commands.insert_resource(MatchConfig {
            players: kind.line_up(&[], checked.as_ref()),
            budget: self.budget,
            back: Screen::Editor,
            ..MatchConfig::new(kind.id(), level)
        });
        commands.set_state(Screen::Match);
    }

    /// Does the work of each frame.
    pub fn tick(&mut self, now: f64, commands: &mut Commands) {
        if let Some(work) = &mut self.work
            && let Some(failure) = work.tick(now)
        {
            commands.write_message(Notice::error(failure));
        }
    }
}
