//! What the editor's screen holds, and what its actions do. It knows panels but no world around
//! them: what concerns the rest of the program leaves through the [`EditorEvents`].

use super::actions::Action;
use super::canvas::point_at;
use super::dialogs::Dialog;
use super::open_document::{OpenDocument, read_level};
use crate::app::match_screen::MatchConfig;
use crate::app::setup;
use crate::app::shell::Screen;
use crate::app::shell::notice::Notice;
use crate::editor::{
    Abandoned, Brush, EditorModel, Field, LevelPath, NotSaved, QuarterTurn, RecoveredDraft,
    SolverStatus, remove_old, save, stem,
};
use crate::games::DynGame;
use crate::levels::{self, Entry, Source, user_folder};
use crate::platform::store;
use crate::play::{Budget, Player, digest_of};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which list stands beside the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Side {
    /// What the level says of itself.
    #[default]
    Level,
    /// What was done.
    History,
}

/// Where to go from here.
#[derive(Clone, PartialEq, Debug)]
pub enum Go {
    /// To the screen before.
    GoBack,
    /// To a match on the level.
    Play(Box<MatchConfig>),
    /// To the level browser.
    Browse,
}

/// What the rest of the program is asked for.
#[derive(Default)]
pub struct EditorEvents {
    /// Things to say.
    pub notices: Vec<Notice>,
    /// Where to go.
    pub go: Option<Go>,
    /// Text for the clipboard.
    pub copied: Option<String>,
    /// A level file that was opened or saved, for the list of recent ones.
    pub recent: Option<PathBuf>,
    /// Whether the text of the system's clipboard is wanted as [`EditorScreen::pasted`].
    pub paste: bool,
}

/// A draft that was left behind, as it is offered.
pub struct Recovered {
    /// The draft.
    pub draft: Abandoned,
    /// Which level it is and when it was written, or why it cannot be read.
    pub label: String,
}

impl Recovered {
    /// Reads of a draft what is to be said of it.
    pub fn new(draft: Abandoned) -> Self {
        let age = draft.when.and_then(|when| when.elapsed().ok()).map(ago).unwrap_or_default();
        let label = match draft.draft.clone().and_then(|draft| open_draft(&draft)) {
            Ok((model, _)) => {
                let name = match model.draft().name.trim() {
                    "" => "no name",
                    name => name,
                };
                format!("{name} ({}){age}", model.kind().name())
            }
            Err(why) => format!("It cannot be read: {why}"),
        };
        Self { draft, label }
    }

    /// Whether it can be gone on with.
    pub fn is_readable(&self) -> bool {
        self.draft.draft.is_ok()
    }
}

/// How long ago something was, in words.
fn ago(age: std::time::Duration) -> String {
    let minutes = age.as_secs() / 60;
    let (number, unit) = match minutes {
        0 => return ", just now".into(),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!(", {number} {unit}{} ago", if number == 1 { "" } else { "s" })
}

impl EditorEvents {
    /// Says something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notices.push(Notice::info(text));
    }

    /// Says that something failed.
    pub fn fail(&mut self, text: impl Into<String>) {
        self.notices.push(Notice::error(text));
    }
}

/// What to do once the level on the model is safe or not wanted.
#[derive(Clone, PartialEq, Debug)]
pub enum Next {
    /// Put this dialog in front.
    Dialog(Box<Dialog>),
    /// Open a level of the catalogue.
    Entry(Entry),
    /// Open a file.
    File(PathBuf),
    /// Go on with the n-th draft that was left behind.
    Recover(usize),
    /// Put this level on the model.
    Text {
        /// The file's content.
        bytes: Arc<[u8]>,
        /// A name that tells its format.
        name: String,
    },
    /// To the level browser.
    Browse,
}

/// The editor.
#[derive(bevy::prelude::Resource, Default)]
pub struct EditorScreen {
    /// The level on the model.
    pub work: Option<OpenDocument>,
    /// What lies over the map.
    pub dialog: Option<Dialog>,
    /// What comes once the level has got a name and is saved.
    pub then: Option<Box<Next>>,
    /// Which list is shown.
    pub side: Side,
    /// For the rest of the program.
    pub events: EditorEvents,
    /// The data folder.
    pub folder: Option<PathBuf>,
    /// Level files that were open lately, the last one first.
    pub recent: Vec<PathBuf>,
    /// Drafts that were left behind.
    pub found: Vec<Recovered>,
    /// Whether they are to be offered over the menu.
    pub offer: bool,
    /// What a planner may spend on a turn when the level is tried.
    pub budget: Budget,
    /// How long the last frame took to lay out and to act on.
    pub took: std::time::Duration,
    /// Text of the system's clipboard, when it was pasted.
    pub pasted: Option<String>,
}

impl EditorScreen {
    /// Does what was asked for.
    pub fn act(&mut self, action: Action, now: f64) {
        match action {
            Action::New => self.ask_then(Next::Dialog(Box::new(Dialog::begin(self)))),
            Action::Open => self.dialog = Some(Dialog::Open { search: String::new() }),
            Action::Generate => self.ask_then(Next::Dialog(Box::new(Dialog::generate(self)))),
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
                None => self.events.say("The level has no file yet; there is nothing to bin."),
            },
            Action::Export => self.dialog = Some(Dialog::Export),
            Action::CopyLevel => {
                self.events.copied = Some(model.text());
                self.events.say("The level was copied as text; New… can begin from it.");
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
                    self.events.fail(format!("Nothing was pasted: {why}."));
                }
            }
            Action::Delete if model.selection().is_some() => model.delete(),
            Action::Delete => self.events.say("Select a region first (S)."),
            Action::SelectAll => {
                model.tool = crate::editor::Tool::Select;
                model.select_all();
            }
            Action::Rotate => model.turn(QuarterTurn::Clockwise),
            Action::MirrorX => model.turn(QuarterTurn::LeftRight),
            Action::MirrorY => model.turn(QuarterTurn::TopBottom),
            Action::Resize => self.dialog = Some(Dialog::resize(model)),
            Action::Crop => {
                if let Err(why) = model.crop() {
                    self.events.say(format!("Not cropped: {why}."));
                }
                work.view.zoom = None;
            }
            Action::Play => self.play(),
            Action::Fit => work.view.zoom = None,
            Action::Closer | Action::Farther => {
                let by = if action == Action::Closer { 1.25 } else { 0.8 };
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
                None => self.events.say("No fault names a cell."),
            },
            Action::Solver => match work.report.answer {
                SolverStatus::Solving | SolverStatus::Waiting => work.checker.cancel(),
                _ => work.ask_again(),
            },
            Action::Tool(tool) => {
                model.release();
                model.tool = tool;
            }
            Action::New | Action::Open | Action::Generate | Action::Import => {}
        }
    }

    /// Puts a level on the model in the place of the one there.
    pub fn put(&mut self, model: EditorModel, origin: Option<LevelPath>) {
        let (work, trouble) = OpenDocument::new(model, origin, self.folder.as_deref());
        self.work = Some(work);
        self.dialog = None;
        if let Some(trouble) = trouble {
            self.events.fail(trouble);
        }
    }

    /// Goes on with this, after asking what shall become of changes that no file holds.
    pub fn ask_then(&mut self, next: Next) {
        match &self.work {
            Some(work) if !work.model.is_saved() => {
                self.dialog = Some(Dialog::Unsaved { next: Box::new(next) });
            }
            _ => self.go_on(next),
        }
    }

    /// Does what was to be done next; the work on the model may be replaced.
    pub fn go_on(&mut self, next: Next) {
        self.dialog = None;
        match next {
            Next::Dialog(dialog) => self.dialog = Some(*dialog),
            Next::Browse => self.events.go = Some(Go::Browse),
            Next::Entry(entry) => self.open_entry(&entry),
            Next::File(path) => self.open_file(&path),
            Next::Recover(index) => self.recover(index),
            Next::Text { bytes, name } => match read_level(&bytes, &name) {
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
                        self.events.say("This is a copy: a built-in level stays as it is.");
                        self.put(EditorModel::open(model.kind(), model.draft().clone()), None);
                    }
                    Err(why) => self.events.fail(why),
                }
            }
        }
    }

    /// Opens a file: one of our own to be saved where it is, one of another format as a new level.
    pub fn open_file(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let read = levels::read(path).map_err(|error| error.to_string());
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
                self.work = Some(OpenDocument::with(model, origin, Some(found.draft.adopt())));
                self.events.say("The work was recovered. It is not saved yet.");
            }
            Err(why) => {
                self.found.insert(index, found);
                self.events.fail(why);
            }
        }
    }

    /// Saves the level where it is, or asks for a name.
    pub fn save(&mut self, anyway: bool) -> bool {
        let Some(work) = &mut self.work else { return false };
        work.model.release();
        let Some(origin) = work.origin.clone() else {
            self.dialog = Some(Dialog::save_as(&work.model));
            return false;
        };
        self.save_to(&origin.path, Some(origin.known), anyway)
    }

    /// Saves the level under a name among the user's own.
    pub fn save_as(&mut self, name: &str, anyway: bool) -> bool {
        let Some(work) = &self.work else { return false };
        let Some(folder) = self.levels_of(work.model.kind()) else {
            self.events.fail("The system names no folder for your levels; set OUTWIT_DATA.");
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
        let folder = self.folder.as_ref().map(|folder| folder.join("levels").join(kind.id()));
        folder.or_else(|| user_folder(kind.id()))
    }

    fn save_to(&mut self, path: &Path, known: Option<u64>, anyway: bool) -> bool {
        let Some(work) = &mut self.work else { return false };
        match save(path, &work.model.text(), known, anyway) {
            Ok(origin) => {
                let faults = work.model.kind().check_draft(work.model.draft()).faults.len();
                let file = origin.path.display();
                let word = if faults == 1 { "fault" } else { "faults" };
                self.events.say(match faults {
                    0 => format!("Saved as {file}."),
                    n => format!(
                        "Saved as a draft, {file}: it has {n} {word} and is not offered for play."
                    ),
                });
                self.events.recent = Some(origin.path.clone());
                work.saved(origin);
                self.dialog = None;
                if let Some(next) = self.then.take() {
                    self.go_on(*next);
                }
                true
            }
            Err(NotSaved::Failed(why)) => {
                self.events.fail(why);
                false
            }
            Err(why) => {
                self.dialog = Some(Dialog::Conflict { path: path.into(), why });
                false
            }
        }
    }

    /// Writes over what is in a file, after the user said so.
    pub fn overwrite(&mut self, path: &Path) {
        self.save_to(path, None, true);
    }

    /// Gives level and file another name.
    pub fn rename(&mut self, name: &str) -> Result<(), String> {
        let Some(work) = &mut self.work else { return Ok(()) };
        let Some(origin) = work.origin.clone() else {
            work.model.set_text(Field::Name, name.trim());
            work.model.seal();
            return Ok(());
        };
        let path = origin.path.with_file_name(format!("{}.ron", stem(name)));
        if path != origin.path && store::exists(&path) {
            return Err(format!(
                "There is a file {} already; choose another name.",
                path.display()
            ));
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
            self.events.say("This is the copy; the level itself is closed.");
        } else {
            self.events.say("Save the level first: the copy takes its place on the model.");
        }
    }

    /// Writes the level in another format.
    pub fn export(&mut self, path: &Path) {
        let Some(work) = &self.work else { return };
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let ending = ending.unwrap_or_default();
        let converted = work.model.kind().export_draft(work.model.draft(), &ending);
        let written = converted.and_then(|converted| {
            levels::write(path, &converted.bytes).map_err(|error| error.to_string())?;
            Ok(converted.lost)
        });
        match written {
            Ok(lost) => {
                let lost = match lost.as_slice() {
                    [] => String::new(),
                    lost => format!(" Not kept: {}.", lost.join(", ")),
                };
                self.events.say(format!("Exported as {}.{lost}", path.display()));
                self.dialog = None;
            }
            Err(why) => self.events.fail(format!("Not exported: {why}")),
        }
    }

    /// Tries the level.
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
            self.events.fail(format!("The level cannot be played yet: {first}{more}."));
            return;
        }
        let name = stem(&work.model.draft().name);
        let players: Vec<Player> = setup::usual_players(kind);
        self.events.go = Some(Go::Play(Box::new(MatchConfig {
            game: kind.id(),
            level: Entry {
                id: format!("{}/{name}", kind.id()),
                source: Source::Draft(work.model.text().into()),
            },
            rules: Vec::new(),
            players,
            seed: 1,
            budget: self.budget,
            clock: None,
            replay: None,
            back: Screen::Editor,
        })));
    }

    /// Does what is due in every frame.
    pub fn tick(&mut self, now: f64) {
        if let Some(work) = &mut self.work
            && let Some(trouble) = work.tick(now)
        {
            self.events.fail(trouble);
        }
    }
}

/// What a draft holds, for the model: not saved, whatever its file says.
fn open_draft(draft: &RecoveredDraft) -> Result<(EditorModel, Option<LevelPath>), String> {
    let model = read_level(draft.level.as_bytes(), "draft.ron")?;
    Ok((EditorModel::unsaved(model.kind(), model.draft().clone()), draft.origin()))
}
