//! The open level with its file, its backup file, its checks and its view.

use super::canvas::{CanvasView, DrawnMap, MapTexture};
use super::swatches::Swatches;
use crate::app::shell::activity::POLL;
use outwit_core::grid::Cell;
use outwit_core::levels::{Fault, StoreError, capitalised};
use outwit_headless::editor::{
    Autosave, CheckReport, Checker, EditorModel, LevelPath, ModifierKeys, SolverStatus, Tool,
};
use outwit_headless::{NoLevel, find, recognise_or_say};
use outwit_kit::{DynGame, TileKind, blank, offered_tiles, tile_key};
use std::path::Path;
use std::time::Duration;

/// Seconds between two writes of the backup file.
const AUTOSAVE_EVERY: f64 = 2.0;

/// The level being edited with its file, its view and its autosave.
pub struct OpenDocument {
    /// The level, and the selected tool and tile.
    pub model: EditorModel,
    /// Its file, if it has one.
    pub origin: Option<LevelPath>,
    /// The visible part of the map.
    pub view: CanvasView,
    /// The map as a texture.
    pub sheet: MapTexture,
    /// The map as the board shows it.
    pub drawn: DrawnMap,
    /// The cell under the pointer.
    pub hover: Option<Cell>,
    /// Whether the pointer was pressed on the map and not yet released.
    pub pressing: bool,
    /// The tool that comes back once the right button, which erases, is released.
    pub resting: Option<Tool>,
    /// Why the last press did nothing.
    pub refused: Option<String>,
    /// Faults and solution, as far as known.
    pub report: CheckReport,
    /// Checks and solves the level.
    pub checker: Checker,
    /// The tiles to choose from, each with its key.
    pub tiles: Vec<(&'static TileKind, Option<char>)>,
    /// Their pictures.
    pub swatches: Swatches,
    /// Whether nothing is drawn on the map.
    pub is_empty: bool,
    /// The revision of the level that [`Self::tiles`] and [`Self::is_empty`] belong to.
    listed: Option<u64>,
    /// Whether to draw the solution.
    pub line: bool,
    /// The highlighted cell, and since when.
    pub pointed: Option<(Cell, f64)>,
    /// The problem that was shown last.
    pub fault: Option<usize>,
    autosave: Option<Autosave>,
    /// The revision that was written last or needs no backup, and since when.
    noted: (Option<u64>, f64),
    /// The revision that was checked last.
    asked: Option<u64>,
    wanted: bool,
    /// The revision at which the user discarded the work.
    given_up: Option<u64>,
    /// The last reported error of the backup file.
    reported: Option<String>,
}

impl OpenDocument {
    /// Presses the pointer on a cell.
    pub fn press(&mut self, cell: Cell, held: ModifierKeys) {
        self.refused = self.model.press(cell, held).err().map(Into::into);
        self.pressing = true;
    }

    /// Takes note that the pointer is not pressed any more.
    pub fn let_go(&mut self) {
        self.pressing = false;
        if let Some(tool) = self.resting.take() {
            self.model.tool = tool;
        }
    }

    /// Opens a level; `folder` is where backup files go.
    pub fn new(
        model: EditorModel,
        origin: Option<LevelPath>,
        folder: Option<&Path>,
    ) -> (Self, Option<String>) {
        let (autosave, error) = match folder.map(|folder| Autosave::begin(&folder.join("drafts"))) {
            Some(Ok(autosave)) => (Some(autosave), None),
            Some(Err(error)) => (
                None,
                Some(format!("Automatic backup does not work: {error}. Save the level yourself.")),
            ),
            None => {
                (None, Some("Automatic backup does not work: no data folder available.".into()))
            }
        };
        (Self::with(model, origin, autosave), error)
    }

    /// Opens a level that continues a backup file.
    pub fn with(model: EditorModel, origin: Option<LevelPath>, autosave: Option<Autosave>) -> Self {
        Self {
            // What lies in no file is backed up though it was not changed here.
            noted: (model.is_saved().then(|| model.revision()), 0.0),
            model,
            origin,
            view: CanvasView::default(),
            sheet: MapTexture::default(),
            drawn: DrawnMap::default(),
            hover: None,
            pressing: false,
            resting: None,
            refused: None,
            report: CheckReport::default(),
            checker: Checker::default(),
            tiles: Vec::new(),
            swatches: Swatches::default(),
            is_empty: false,
            listed: None,
            line: true,
            pointed: None,
            fault: None,
            autosave,
            asked: None,
            wanted: true,
            given_up: None,
            reported: None,
        }
    }

    /// Starts checks of the newest state, takes their results and writes the backup file. Returns an
    /// error to show.
    pub fn tick(&mut self, now: f64) -> Option<String> {
        let revision = self.model.revision();
        if self.listed != Some(revision) {
            self.tiles = listed_tiles(&self.model);
            let (width, height) = self.model.size();
            self.is_empty = self.model.draft().cells == blank(self.model.palette(), width, height);
            self.listed = Some(revision);
        }
        self.check();
        let autosave = self.autosave.as_ref()?;
        if !self.wanted && !self.model.is_saved() {
            // It was discarded for a level that was not opened after all: it is still worked on.
            autosave.note(&self.model, self.origin.as_ref());
            self.wanted = true;
        }
        if self.noted.0 != Some(revision) {
            if self.model.is_saved() {
                autosave.forget();
                self.noted = (Some(revision), now);
            } else if now - self.noted.1 >= AUTOSAVE_EVERY {
                autosave.note(&self.model, self.origin.as_ref());
                self.noted = (Some(revision), now);
                // The user keeps editing, so back up again.
                self.wanted = true;
            }
        }
        // Report the same error only once.
        let error = autosave.failure()?;
        (self.reported.as_ref() != Some(&error)).then(|| self.reported.insert(error).clone())
    }

    /// Starts checks of the newest state and takes their results.
    pub fn check(&mut self) {
        let revision = self.model.revision();
        if self.asked != Some(revision) && self.checker.is_free() {
            self.checker.ask(self.model.kind(), self.model.draft(), revision);
            self.asked = Some(revision);
        }
        self.report = self.checker.report();
    }

    /// Whether a check is running whose result the screen must show.
    pub fn is_busy(&self) -> bool {
        self.report.revision != self.model.revision()
            || matches!(self.report.answer, SolverStatus::Waiting | SolverStatus::Solving)
    }

    /// What is proved to be the best result on the level as it is now, in words.
    pub fn best_known(&self) -> Option<String> {
        let report = &self.report;
        match &report.answer {
            SolverStatus::Solved(solution)
                if report.revision == self.model.revision()
                    && solution.proved
                    && solution.value.is_some() =>
            {
                Some(capitalised(&solution.message))
            }
            _ => None,
        }
    }

    /// How soon the screen must look at this again though nothing is touched: for the checker's
    /// answer, or to write the backup file.
    pub fn due(&self, now: f64) -> Option<Duration> {
        let unwritten = self.autosave.is_some() && self.noted.0 != Some(self.model.revision());
        let write = (self.noted.1 + AUTOSAVE_EVERY - now).max(0.0);
        let write = unwritten.then(|| Duration::from_secs_f64(write));
        self.is_busy().then_some(POLL).into_iter().chain(write).min()
    }

    /// Checks the same state again.
    pub fn ask_again(&mut self) {
        self.asked = None;
    }

    /// Records that the level was saved to its file.
    pub fn saved(&mut self, origin: LevelPath) {
        self.origin = Some(origin);
        self.model.mark_saved();
        if let Some(autosave) = &self.autosave {
            autosave.forget();
        }
        self.noted.0 = Some(self.model.revision());
    }

    /// Discards the work and its backup file.
    pub fn discard(&mut self) {
        self.wanted = false;
        self.given_up = Some(self.model.revision());
        if let Some(autosave) = &self.autosave {
            autosave.forget();
        }
    }

    /// Whether the user discarded the work and has not changed it since.
    pub fn is_given_up(&self) -> bool {
        self.given_up == Some(self.model.revision())
    }

    /// The file's name, or a note that there is none.
    pub fn file_name(&self) -> String {
        let name = self.origin.as_ref().and_then(|origin| origin.path.file_name());
        name.map_or_else(|| "not saved yet".into(), |name| name.to_string_lossy().into_owned())
    }

    /// The cell of the next problem or warning that has one.
    pub fn next_fault(&mut self) -> Option<Cell> {
        let verdict = &self.report.verdict;
        let spots: Vec<Cell> =
            verdict.faults.iter().chain(&verdict.warnings).flat_map(Fault::cells).collect();
        let next = self.fault.map_or(0, |fault| fault + 1);
        let next = if next < spots.len() { next } else { 0 };
        self.fault = Some(next);
        spots.get(next).copied()
    }
}

impl Drop for OpenDocument {
    /// On close and on a panic, the work is written to the backup file.
    fn drop(&mut self) {
        if self.wanted
            && !self.model.is_saved()
            && let Some(autosave) = &self.autosave
        {
            autosave.note(&self.model, self.origin.as_ref());
        }
    }
}

/// Why a level cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] StoreError),
    /// It is not a level.
    #[error(transparent)]
    NoLevel(#[from] NoLevel),
    /// It is a level that its game cannot read.
    #[error("The level cannot be opened.\n{}", listed(faults, name))]
    Faulty {
        /// The name of the file.
        name: String,
        /// All that is wrong with it.
        faults: Vec<Fault>,
    },
    /// It is a draft from an earlier session that cannot be read.
    #[error("The draft cannot be read: {0}")]
    BrokenDraft(String),
}

/// Reads a level of any known game.
///
/// # Errors
/// If the file is not a level.
pub fn read_level(bytes: &[u8], name: &str) -> Result<EditorModel, OpenError> {
    let kind = recognise_or_say(bytes, name)?;
    let draft = kind.open(bytes, name);
    let draft = draft.map_err(|faults| OpenError::Faulty { name: name.into(), faults })?;
    Ok(EditorModel::open(kind, draft))
}

/// The game with this id.
pub fn game(id: &str) -> Option<&'static dyn DynGame> {
    find(id).ok()
}

/// The tiles to choose from, each with its key.
fn listed_tiles(model: &EditorModel) -> Vec<(&'static TileKind, Option<char>)> {
    let palette = model.palette();
    let offered = offered_tiles(palette, &model.draft().cells);
    let keyed = palette.iter().enumerate().map(|(index, tile)| (tile, tile_key(palette, index)));
    keyed.filter(|(tile, _)| offered.contains(tile)).collect()
}

fn listed(faults: &[Fault], name: &str) -> String {
    const MOST: usize = 4;
    let mut lines: Vec<String> = faults.iter().take(MOST).map(|f| f.in_file(name)).collect();
    if faults.len() > MOST {
        lines.push(format!("and {} more", faults.len() - MOST));
    }
    lines.join("\n")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A program that is killed writes nothing any more.
    #[test]
    fn a_level_that_lies_in_no_file_is_backed_up_unchanged() {
        let blank = EditorModel::blank(game("racetrack").unwrap(), 12, 8);
        let made = EditorModel::unsaved(blank.kind(), blank.draft().clone());
        for (model, expected) in [(made, 1), (blank, 0)] {
            let folder = tempfile::tempdir().unwrap();
            let name = model.draft().name.clone();
            let (mut work, error) = OpenDocument::new(model, None, Some(folder.path()));
            assert_eq!(error, None);
            assert_eq!(work.due(1e6).is_some_and(|wait| wait.is_zero()), expected == 1);
            work.tick(1e6);
            work.autosave.as_ref().unwrap().flush();
            let files = std::fs::read_dir(folder.path().join("drafts")).unwrap();
            let texts = files.filter_map(|file| std::fs::read_to_string(file.unwrap().path()).ok());
            assert_eq!(texts.filter(|text| text.contains(&name)).count(), expected);
        }
    }
}
