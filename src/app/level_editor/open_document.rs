//! The level on the model with all that surrounds it: its file, its side file, its checks, its view.

use super::canvas::{CanvasView, Sheet};
use crate::app::shell::activity::POLL;
use crate::editor::{Autosave, CheckReport, Checker, EditorModel, LevelPath};
use crate::games::{DynGame, find, recognise};
use crate::grid::Cell;
use crate::levels::{Fault, Spot};
use std::path::Path;
use std::time::Duration;

/// Seconds between two writings of the side file.
const AUTOSAVE_EVERY: f64 = 2.0;

/// A level on the model.
pub struct OpenDocument {
    /// The level and what is in the hand.
    pub model: EditorModel,
    /// Its file, if it has one.
    pub origin: Option<LevelPath>,
    /// Which part of it is seen.
    pub view: CanvasView,
    /// Its picture.
    pub sheet: Sheet,
    /// The cell under the pointer.
    pub hover: Option<Cell>,
    /// Whether the pointer was pressed on the map and not yet released.
    pub pressing: bool,
    /// Why the last press did nothing.
    pub refused: Option<String>,
    /// What is known of faults and solution.
    pub report: CheckReport,
    /// Finds that out.
    pub checker: Checker,
    /// Whether the solution is derived_rules.
    pub line: bool,
    /// A cell that is pointed at, and since when.
    pub pointed: Option<(Cell, f64)>,
    /// Which fault was shown last.
    pub fault: Option<usize>,
    autosave: Option<Autosave>,
    /// The state that was written last, and when.
    noted: (u64, f64),
    /// The state that was asked about last.
    asked: Option<u64>,
    wanted: bool,
    /// What was last said to be wrong with the side file.
    told: Option<String>,
}

impl OpenDocument {
    /// A level on the model; `folder` is where side files go.
    pub fn new(
        model: EditorModel,
        origin: Option<LevelPath>,
        folder: Option<&Path>,
    ) -> (Self, Option<String>) {
        let (autosave, trouble) = match folder.map(|folder| Autosave::begin(&folder.join("drafts")))
        {
            Some(Ok(autosave)) => (Some(autosave), None),
            Some(Err(error)) => {
                (None, Some(format!("Autosave does not work: {error}. Save the level yourself.")))
            }
            None => (None, Some("Autosave does not work: the system names no data folder.".into())),
        };
        (Self::with(model, origin, autosave), trouble)
    }

    /// A level on the model that goes on with a side file.
    pub fn with(model: EditorModel, origin: Option<LevelPath>, autosave: Option<Autosave>) -> Self {
        Self {
            noted: (model.revision(), 0.0),
            model,
            origin,
            view: CanvasView::default(),
            sheet: Sheet::default(),
            hover: None,
            pressing: false,
            refused: None,
            report: CheckReport::default(),
            checker: Checker::default(),
            line: true,
            pointed: None,
            fault: None,
            autosave,
            asked: None,
            wanted: true,
            told: None,
        }
    }

    /// Does what is due: asks about the newest state, hears answers, writes the side file. Returns
    /// what went wrong.
    pub fn tick(&mut self, now: f64) -> Option<String> {
        let revision = self.model.revision();
        if self.asked != Some(revision) && self.checker.is_free() {
            self.checker.ask(self.model.kind(), self.model.draft(), revision);
            self.asked = Some(revision);
        }
        self.report = self.checker.report();
        let autosave = self.autosave.as_ref()?;
        if self.noted.0 != revision {
            if self.model.is_saved() {
                autosave.forget();
                self.noted = (revision, now);
            } else if now - self.noted.1 >= AUTOSAVE_EVERY {
                autosave.note(self.model.kind(), self.model.draft(), self.origin.as_ref());
                self.noted = (revision, now);
                // Who goes on drawing wants it after all.
                self.wanted = true;
            }
        }
        // Once is enough, however often it fails.
        let trouble = autosave.trouble()?;
        (self.told.as_ref() != Some(&trouble)).then(|| self.told.insert(trouble).clone())
    }

    /// Whether something is under way that the screen must look at again soon.
    pub fn is_busy(&self) -> bool {
        use crate::editor::SolverStatus::{Solving, Waiting};
        self.report.revision != self.model.revision()
            || matches!(self.report.answer, Waiting | Solving)
    }

    /// How soon the screen must look at this again though nothing is touched: for the checker's
    /// answer, or to write the side file.
    pub fn due(&self, now: f64) -> Option<Duration> {
        let unwritten = self.autosave.is_some() && self.noted.0 != self.model.revision();
        let write = (self.noted.1 + AUTOSAVE_EVERY - now).max(0.0);
        let write = unwritten.then(|| Duration::from_secs_f64(write));
        self.is_busy().then_some(POLL).into_iter().chain(write).min()
    }

    /// Asks the checker again about the same state.
    pub fn ask_again(&mut self) {
        self.asked = None;
    }

    /// Notes that the level is safe in its file.
    pub fn saved(&mut self, origin: LevelPath) {
        self.origin = Some(origin);
        self.model.mark_saved();
        if let Some(autosave) = &self.autosave {
            autosave.forget();
        }
        self.noted.0 = self.model.revision();
    }

    /// The work is not wanted: its side file goes with it.
    pub fn throw_away(&mut self) {
        self.wanted = false;
        if let Some(autosave) = &self.autosave {
            autosave.forget();
        }
    }

    /// The file's name, or that there is none.
    pub fn file_name(&self) -> String {
        let name = self.origin.as_ref().and_then(|origin| origin.path.file_name());
        name.map_or_else(|| "not saved yet".into(), |name| name.to_string_lossy().into_owned())
    }

    /// The cell of the next fault or warning that has one.
    pub fn next_fault(&mut self) -> Option<Cell> {
        let verdict = &self.report.verdict;
        let spots: Vec<Cell> = verdict
            .faults
            .iter()
            .chain(&verdict.warnings)
            .filter_map(|fault| match fault.spot {
                Spot::Cell(cell) => Some(cell),
                _ => None,
            })
            .collect();
        let next = self.fault.map_or(0, |fault| fault + 1);
        let next = if next < spots.len() { next } else { 0 };
        self.fault = Some(next);
        spots.get(next).copied()
    }
}

impl Drop for OpenDocument {
    /// On close and on a panic, what is on the model goes into the side file.
    fn drop(&mut self) {
        if self.wanted
            && !self.model.is_saved()
            && let Some(autosave) = &self.autosave
        {
            autosave.note(self.model.kind(), self.model.draft(), self.origin.as_ref());
        }
    }
}

/// The game whose level these bytes are, and the level for the model.
///
/// # Errors
/// What is wrong with the file, in sentences.
pub fn read_level(bytes: &[u8], name: &str) -> Result<EditorModel, String> {
    let kind =
        recognise(bytes, name).ok_or_else(|| format!("{name} is no level of any game here."))?;
    let draft = kind.open(bytes, name).map_err(|faults| listed(&faults, name))?;
    Ok(EditorModel::open(kind, draft))
}

/// A registered game by its id.
pub fn game(id: &str) -> Option<&'static dyn DynGame> {
    find(id).ok().map(|game| game.kind)
}

fn listed(faults: &[Fault], name: &str) -> String {
    const MOST: usize = 4;
    let mut lines: Vec<String> = faults.iter().take(MOST).map(|f| f.in_file(name)).collect();
    if faults.len() > MOST {
        lines.push(format!("and {} more", faults.len() - MOST));
    }
    format!("The level cannot be opened.\n{}", lines.join("\n"))
}
