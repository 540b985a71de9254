//! The state of the editor's screen, and what its actions do. What concerns the rest of the program
//! leaves through [`EditorEvents`].

use super::actions::Action;
use super::canvas::point_at;
use super::dialogs::Dialog;
use super::open_document::{OpenDocument, read_level};
use super::recovered::{Recovered, open_draft};
use crate::app::requests::{MatchConfig, Screen};
use crate::app::shell::notice::Notice;
use outwit_core::levels;
use outwit_core::platform::store;
use outwit_core::play::AllowedPrograms;
use outwit_core::play::{Budget, digest_of};
use outwit_headless::editor::{
    BlockTransform, Brush, EditorModel, Field, LevelPath, SaveError, SolverStatus, remove_old,
    save, stem,
};
use outwit_kit::DynGame;
use outwit_levels::{Entry, Source};
use std::path::{Path, PathBuf};
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

/// Where to go next.
#[derive(Clone, PartialEq, Debug)]
pub enum Destination {
    /// The previous screen.
    Back,
    /// A match on the level.
    Play(Box<MatchConfig>),
    /// The level browser.
    Browse,
}

/// Requests to the rest of the program.
#[derive(Default)]
pub struct EditorEvents {
    /// Messages to show.
    pub notices: Vec<Notice>,
    /// Where to go.
    pub go: Option<Destination>,
    /// Text for the clipboard.
    pub copied: Option<String>,
    /// A level file that was opened or saved, for the list of recent ones.
    pub recent: Option<PathBuf>,
    /// Whether to put the text of the clipboard into [`EditorScreen::pasted`].
    pub paste: bool,
}

impl EditorEvents {
    /// Asks for a notice of success or other information.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notices.push(Notice::info(text));
    }

    /// Asks for a notice of what failed.
    pub fn fail(&mut self, text: impl Into<String>) {
        self.notices.push(Notice::error(text));
    }
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
#[derive(bevy::prelude::Resource, Default)]
pub struct EditorScreen {
    /// The open level.
    pub work: Option<OpenDocument>,
    /// The open dialog.
    pub dialog: Option<Dialog>,
    /// What to do once the level has a name and is saved.
    pub then: Option<Box<NextStep>>,
    /// The tab of the side panel.
    pub side: SideTab,
    /// Requests to the rest of the program.
    pub events: EditorEvents,
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
}

impl EditorScreen {
    /// Performs an action of menu, toolbar or keyboard at `now`, in seconds. One that would close an
    /// unsaved level asks first.
    pub fn act(&mut self, action: Action, now: f64) {
        match action {
            Action::New => self.ask_then(NextStep::Dialog(Box::new(Dialog::begin(self)))),
            Action::Open => self.dialog = Some(Dialog::Open { search: String::new() }),
            Action::Generate => self.ask_then(NextStep::Dialog(Box::new(Dialog::generate(self)))),
            Action::Import => self.dialog = Some(Dialog::import(self.folder.as_deref())),
            _ => self.act_on_work(action, now),
        }
    }

    fn act_on_work(&mut self, action: Action, now: f64) {
        let Some(work) = &mut self.work else { return };
        let model = &mut work.model;
        match action {
            Action::Save => {
                self.save(false);
            }
            Action::SaveAs => self.dialog = Some(Dialog::save_as(model)),
            Action::Rename => self.dialog = Some(Dialog::rename(model)),
            Action::Duplicate => self.duplicate(),
            Action::Bin => match &work.origin {
                Some(origin) => self.dialog = Some(Dialog::Bin { path: origin.path.clone() }),
                None => self.events.say("The level has no file yet."),
            },
            Action::Export => self.dialog = Some(Dialog::Export),
            Action::CopyLevel => {
                self.events.copied = Some(model.text());
                self.events.say("The level was copied as text. New… can start from it.");
            }
            Action::Undo => {
                if !model.undo() {
                    self.events.say("There is nothing to undo.");
                }
            }
            Action::Redo => {
                if !model.redo() {
                    self.events.say("There is nothing to redo.");
                }
            }
            Action::Cut | Action::Copy => {
                let text = if action == Action::Cut { model.cut() } else { model.copy() };
                match text {
                    Some(text) => self.events.copied = Some(text),
                    None => self.events.say("Select a region first (S)."),
                }
            }
            Action::Paste => {
                if let Err(why) = model.paste(self.pasted.take().as_deref()) {
                    self.events.fail(format!("Could not paste: {why}."));
                }
            }
            Action::Delete if model.selection().is_some() => model.delete(),
            Action::Delete => self.events.say("Select a region first (S)."),
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
                    self.events.say(format!("Could not crop: {why}."));
                }
                work.view.zoom = None;
            }
            Action::Play => self.play(),
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
                Some(cell) => point_at(work, cell, now),
                None => self.events.say("No problem has a location."),
            },
            Action::Solver => match work.report.answer {
                SolverStatus::Solving | SolverStatus::Waiting => work.checker.cancel(),
                _ => work.ask_again(),
            },
            Action::Tool(tool) => {
                model.release();
                model.tool = tool;
            }
            Action::Tile(index) => {
                if let Some(symbol) = model.palette().get(index).map(|tile| tile.symbol) {
                    model.select_tile(symbol);
                }
            }
            Action::New | Action::Open | Action::Generate | Action::Import => {}
        }
    }

    /// Removes the backup of work that was discarded and stayed on screen until now.
    fn let_go(&mut self) {
        if let Some(work) = &mut self.work
            && work.is_given_up()
        {
            work.discard();
        }
    }

    /// Opens a level in place of the current one.
    pub fn put(&mut self, model: EditorModel, origin: Option<LevelPath>) {
        let (work, failure) = OpenDocument::new(model, origin, self.folder.as_deref());
        self.let_go();
        self.work = Some(work);
        self.dialog = None;
        if let Some(failure) = failure {
            self.events.fail(failure);
        }
    }

    /// Does this, after asking whether to save unsaved changes.
    pub fn ask_then(&mut self, next: NextStep) {
        match &self.work {
            Some(work) if !work.model.is_saved() => {
                self.dialog = Some(Dialog::Unsaved { next: Box::new(next) });
            }
            _ => self.proceed(next),
        }
    }

    /// Does this without asking. It may replace the open level.
    pub fn proceed(&mut self, next: NextStep) {
        self.dialog = None;
        match next {
            NextStep::Dialog(dialog) => self.dialog = Some(*dialog),
            NextStep::Browse => self.events.go = Some(Destination::Browse),
            NextStep::Entry(entry) => self.open_entry(&entry),
            NextStep::File(path) => self.open_file(&path),
            NextStep::Recover(index) => self.recover(index),
            NextStep::Text { bytes, name } => match read_level(&bytes, &name) {
                Ok(model) => {
                    let draft = model.draft().clone();
                    self.put(EditorModel::unsaved(model.kind(), draft), None);
                }
                Err(why) => self.events.fail(why),
            },
        }
    }

    fn open_entry(&mut self, entry: &Entry) {
        match &entry.source {
            Source::File(path) => self.open_file(path),
            Source::BuiltIn(_) | Source::Draft(_) => {
                let read = entry.bytes().map_err(|error| error.to_string());
                match read.and_then(|bytes| read_level(&bytes, entry.stem())) {
                    Ok(model) => {
                        self.events.say("This is a copy. Built-in levels cannot be changed.");
                        self.put(EditorModel::open(model.kind(), model.draft().clone()), None);
                    }
                    Err(why) => self.events.fail(why),
                }
            }
        }
    }

    /// Opens a file: a level file for editing in place, any other format as a new level.
    pub fn open_file(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let read = levels::read_file(path).map_err(|error| error.to_string());
        let read = read.and_then(|bytes| Ok((read_level(&bytes, &name)?, bytes)));
        match read {
            Ok((model, bytes)) if path.extension().is_some_and(|ending| ending == "ron") => {
                self.events.recent = Some(path.into());
                self.put(model, Some(LevelPath { path: path.into(), known: digest_of(&bytes) }));
            }
            Ok((model, _)) => {
                self.put(EditorModel::unsaved(model.kind(), model.draft().clone()), None)
            }
            Err(why) => self.events.fail(why),
        }
    }

    fn recover(&mut self, index: usize) {
        if index >= self.found.len() {
            return;
        }
        let found = self.found.remove(index);
        let opened = match &found.draft.draft {
            Ok(draft) => open_draft(draft),
            Err(why) => Err(format!("The draft cannot be read: {why}")),
        };
        match opened {
            Ok((model, origin)) => {
                self.let_go();
                self.work = Some(OpenDocument::with(model, origin, Some(found.draft.adopt())));
                self.events.say("Recovered, not saved yet.");
            }
            Err(why) => {
                self.found.insert(index, found);
                self.events.fail(why);
            }
        }
    }

    /// Saves the level to its file, or asks for a name.
    pub fn save(&mut self, anyway: bool) -> bool {
        let Some(work) = &mut self.work else { return false };
        work.model.release();
        let Some(origin) = work.origin.clone() else {
            self.dialog = Some(Dialog::save_as(&work.model));
            return false;
        };
        self.save_to(&origin.path, Some(origin.known), anyway)
    }

    /// Saves the level under a name in the user's folder.
    pub fn save_as(&mut self, name: &str, anyway: bool) -> bool {
        let Some(work) = &self.work else { return false };
        let Some(folder) = self.levels_of(work.model.kind()) else {
            self.events.fail("No data folder available. Set OUTWIT_DATA to choose one.");
            return false;
        };
        let Some(work) = &mut self.work else { return false };
        work.model.set_text(Field::Name, name.trim());
        work.model.seal();
        let path = folder.join(format!("{}.ron", stem(name)));
        let own = work.origin.as_ref().filter(|origin| origin.path == path);
        let known = own.map(|origin| origin.known);
        self.save_to(&path, known, anyway)
    }

    /// The folder of the user's own levels of a game.
    fn levels_of(&self, kind: &dyn DynGame) -> Option<PathBuf> {
        self.user_levels().map(|folder| folder.join(kind.id()))
    }

    /// The folder of the user's own levels, with a folder in it for each game.
    fn user_levels(&self) -> Option<PathBuf> {
        let folder = self.folder.as_ref().map(|folder| folder.join("levels"));
        folder.or_else(outwit_levels::user_levels)
    }

    fn save_to(&mut self, path: &Path, known: Option<u64>, anyway: bool) -> bool {
        let user_levels = self.user_levels();
        let Some(work) = &mut self.work else { return false };
        match save(path, &work.model.text(), known, anyway) {
            Ok(origin) => {
                let faults = work.model.kind().check_draft(work.model.draft()).faults.len();
                let file = origin.path.display();
                let word = if faults == 1 { "problem" } else { "problems" };
                let game = work.model.kind().id();
                let id = outwit_levels::id_of(user_levels.as_deref(), game, &origin.path);
                let note = id.map_or(String::new(), |id| outwit_levels::id_note(&id, &origin.path));
                self.events.say(match faults {
                    0 => format!("Saved to {file}.{note}"),
                    n => format!("Saved to {file}. Not playable yet: {n} {word}.{note}"),
                });
                self.events.recent = Some(origin.path.clone());
                work.saved(origin);
                self.dialog = None;
                if let Some(next) = self.then.take() {
                    self.proceed(*next);
                }
                true
            }
            Err(SaveError::Failed(why)) => {
                self.events.fail(why);
                false
            }
            Err(why) => {
                self.dialog = Some(Dialog::Conflict { path: path.into(), why });
                false
            }
        }
    }

    /// Overwrites a file, after the user confirmed it.
    pub fn overwrite(&mut self, path: &Path) {
        self.save_to(path, None, true);
    }

    /// Gives level and file another name. What has to be asked first becomes the dialog.
    ///
    /// # Errors
    /// If another level has this name.
    pub fn rename(&mut self, name: &str) -> Result<(), String> {
        let Some(work) = &mut self.work else { return Ok(()) };
        let Some(origin) = work.origin.clone() else {
            work.model.set_text(Field::Name, name.trim());
            work.model.seal();
            self.dialog = None;
            return Ok(());
        };
        let path = origin.path.with_file_name(format!("{}.ron", stem(name)));
        if path != origin.path && store::exists(&path) {
            return Err(format!("{} already exists. Choose another name.", path.display()));
        }
        work.model.set_text(Field::Name, name.trim());
        work.model.seal();
        let known = (path == origin.path).then_some(origin.known);
        if self.save_to(&path, known, false)
            && path != origin.path
            && let Err(why) = remove_old(&origin)
        {
            self.events.fail(why);
        }
        Ok(())
    }

    fn duplicate(&mut self) {
        let Some(work) = &mut self.work else { return };
        let mut draft = work.model.draft().clone();
        draft.name = format!("{} copy", draft.name);
        let model = EditorModel::unsaved(work.model.kind(), draft);
        if work.model.is_saved() {
            self.put(model, None);
            self.events.say("You are now editing the copy.");
        } else {
            self.events.say("Save the level first: the copy replaces it in the editor.");
        }
    }

    /// Writes the level in another format.
    pub fn export(&mut self, path: &Path) {
        let Some(work) = &self.work else { return };
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let ending = ending.unwrap_or_default();
        let converted = work.model.kind().export_draft(work.model.draft(), &ending);
        let written = converted.and_then(|converted| {
            levels::write_readable(path, &converted.bytes).map_err(|error| error.to_string())?;
            Ok(converted.lost)
        });
        match written {
            Ok(lost) => {
                let lost = match lost.as_slice() {
                    [] => String::new(),
                    lost => format!(" Lost: {}.", lost.join(", ")),
                };
                self.events.say(format!("Exported to {}.{lost}", path.display()));
                self.dialog = None;
            }
            Err(why) => self.events.fail(format!("Could not export: {why}")),
        }
    }

    /// Starts a play-test of the level.
    fn play(&mut self) {
        let Some(work) = &mut self.work else { return };
        work.model.release();
        let kind = work.model.kind();
        let faults = kind.check_draft(work.model.draft()).faults;
        if let Some(first) = faults.first() {
            let more = match faults.len() {
                1 => String::new(),
                n => format!(" (and {} more)", n - 1),
            };
            self.events.fail(format!("Not playable yet: {first}{more}."));
            return;
        }
        let name = stem(&work.model.draft().name);
        self.events.go = Some(Destination::Play(Box::new(MatchConfig {
            game: kind.id(),
            level: Entry {
                id: format!("{}/{name}", kind.id()),
                source: Source::Draft(work.model.text().into()),
            },
            rules: Vec::new(),
            players: kind.line_up(&[]),
            programs: AllowedPrograms::default(),
            seed: 1,
            budget: self.budget,
            clock: None,
            match_time: None,
            replay: None,
            back: Screen::Editor,
        })));
    }

    /// Does the work of each frame.
    pub fn tick(&mut self, now: f64) {
        if let Some(work) = &mut self.work
            && let Some(failure) = work.tick(now)
        {
            self.events.fail(failure);
        }
    }
}
