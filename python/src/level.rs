//! Games, levels and their solutions.

use super::arguments::{self, short};
use super::document::{plain, to_python};
use super::guard::{guarded, watched};
use super::state::State;
use super::{error, faulty, seats};
use outwit_core::grid::Cell;
use outwit_core::levels::{Fault, write};
use outwit_core::platform::store::{exists, is_file};
use outwit_core::play::StopFlag;
use outwit_headless::cli::open_level;
use outwit_headless::{GAMES, find, recognise_or_say};
use outwit_kit::{AnyLevel, DynGame, DynPosition, Solution, SolveOptions};
use outwit_levels::list;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// No path is longer, in bytes.
const LONGEST_PATH: usize = 4096;

/// The ids of all games.
///
/// >>> games()
/// ['racetrack', 'cops', 'pukoban', 'stealth', 'mnk']
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    GAMES.iter().map(|kind| kind.id()).collect()
}

/// The ids of all levels, or of those of one game: the built-in ones, then your own.
///
/// >>> levels("mnk")[:2]
/// ['mnk/3x3x3', 'mnk/4x3x3']
#[pyfunction]
#[pyo3(signature = (game=None))]
pub fn levels(game: Option<&str>) -> PyResult<Vec<String>> {
    let kinds = match game {
        Some(id) => vec![find(id).map_err(error)?],
        None => GAMES.to_vec(),
    };
    Ok(kinds.iter().flat_map(|kind| list(kind.id())).map(|entry| entry.id).collect())
}

/// The planners of a game, the simplest first, each with a sentence on how it thinks; with a seat, those that can
/// take it.
///
/// >>> list(planners("cops", "thief"))
/// ['random', 'novice', 'runner', 'casual', 'evader', 'expert', 'optimal', 'schemer']
#[pyfunction]
#[pyo3(signature = (game, seat=None))]
pub fn planners<'py>(
    py: Python<'py>,
    game: &str,
    seat: Option<&str>,
) -> PyResult<Bound<'py, PyDict>> {
    let kind = find(game).map_err(error)?;
    if let Some(seat) = seat {
        seats::find(kind, *kind.facts().seats.allowed.end(), seat)?;
    }
    let found = PyDict::new(py);
    for planner in kind.planners() {
        if seat.is_none_or(|seat| planner.seats.iter().any(|own| own == seat)) {
            found.set_item(planner.name, planner.about)?;
        }
    }
    if let Some(graded) = kind.facts().graded {
        found.set_item(graded.name, graded.about)?;
    }
    Ok(found)
}

/// What the characters in the maps of a game stand for, in a fixed order.
///
/// >>> tiles("mnk")
/// {'.': 'Empty', 'X': 'X', 'O': 'O'}
#[pyfunction]
pub fn tiles<'py>(py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for tile in find(game).map_err(error)?.facts().palette {
        found.set_item(tile.symbol, tile.name)?;
    }
    Ok(found)
}

/// Where a level is from: states and replays share that of theirs.
#[derive(Default)]
pub struct Origin {
    /// An id or a path, for messages; empty if it was given as text.
    pub id: String,
    /// The text of the level file, once it is known.
    text: OnceLock<String>,
}

impl Origin {
    pub fn new(id: String) -> Arc<Self> {
        Arc::new(Self { id, text: OnceLock::new() })
    }

    /// The text of the level, which is made only once.
    pub fn text(
        &self,
        kind: &dyn DynGame,
        level: impl FnOnce() -> Result<AnyLevel, Vec<Fault>>,
    ) -> PyResult<&str> {
        if let Some(text) = self.text.get() {
            return Ok(text);
        }
        let written = level().and_then(|level| kind.write(&level, "ron"));
        let written = written.map_err(|faults| faulty(&self.id, &faults))?;
        let text = String::from_utf8(written.bytes).map_err(error)?;
        Ok(self.text.get_or_init(|| text))
    }
}

/// A level that can be played. It can be pickled.
#[pyclass(frozen, module = "outwit")]
pub struct Level {
    kind: &'static dyn DynGame,
    level: AnyLevel,
    origin: Arc<Origin>,
    /// Starts of matches, one for each number of seats that was asked for: others share what the rules have worked out.
    starts: Mutex<BTreeMap<usize, Arc<dyn DynPosition>>>,
}

impl Level {
    pub fn new(kind: &'static dyn DynGame, level: AnyLevel, origin: Arc<Origin>) -> Self {
        Self { kind, level, origin, starts: Mutex::default() }
    }

    pub fn kind(&self) -> &'static dyn DynGame {
        self.kind
    }

    pub fn level(&self) -> &AnyLevel {
        &self.level
    }

    pub fn origin(&self) -> &Arc<Origin> {
        &self.origin
    }

    fn read(kind: &'static dyn DynGame, bytes: &[u8], name: &str, id: String) -> PyResult<Self> {
        let level = guarded(|| kind.read(bytes, name))?.map_err(|faults| faulty(&id, &faults))?;
        Ok(Self::new(kind, level, Origin::new(id)))
    }

    /// A solution as documents of actions; `None` if it is not one from the start of the level on.
    fn actions(&self, solved: &Solution) -> Option<Vec<Value>> {
        let moves = solved.moves.as_ref()?;
        let letters = |text: &str| text.chars().map(|letter| json!(letter)).collect();
        let candidates: [Vec<Value>; 3] = [
            // All at once, as in Stealth without fog; step by step; or on the cells of the line.
            vec![json!(moves)],
            letters(&moves.to_lowercase()),
            solved
                .line
                .iter()
                .map(|cell| json!({ "Place": { "x": cell.x, "y": cell.y } }))
                .collect(),
        ];
        let start =
            self.kind.start(&self.level, *self.kind.facts().seats.allowed.start(), 1).ok()?;
        candidates.into_iter().find(|actions| {
            actions
                .iter()
                .try_fold(Arc::clone(&start), |position: Arc<dyn DynPosition>, action: &Value| {
                    let &[seat] = &position.to_move()[..] else { return None };
                    position.step(vec![(seat, action.clone())]).ok()
                })
                .is_some()
        })
    }

    /// A field of the level as a document.
    fn field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let document =
            self.kind.document(&self.level).map_err(|faults| faulty(self.id(), &faults))?;
        to_python(py, document.get(name).unwrap_or_default())
    }
}

#[pymethods]
impl Level {
    /// Opens a level by its id or by the path of a file in any format that Outwit reads, or reads it from a text of more
    /// than one line. `file.xsb#3` is the third level of a file that holds several.
    ///
    /// >>> Level.open("racetrack/tiny")
    /// <Level racetrack/tiny>
    /// >>> Level.open("#####\n#@$.#\n#####\n").game
    /// 'pukoban'
    #[staticmethod]
    fn open(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = source.cast::<PyString>() {
            let text = text.to_str()?;
            if text.contains('\n') {
                let kind = recognise_or_say(text.as_bytes(), "the text").map_err(error)?;
                return Self::read(kind, text.as_bytes(), "", String::new());
            }
        }
        let path = source.extract::<PathBuf>()?;
        let text = path.to_string_lossy().into_owned();
        let shown = short(&text);
        if text.len() > LONGEST_PATH {
            return Err(error(format!(
                "'{shown}' is too long for an id or a path: the text of a level has several lines"
            )));
        }
        if path == Path::new("-") || exists(&path) && !is_file(&path) {
            return Err(error(format!("{shown}: this is not a regular file")));
        }
        let named: OsString = path.into();
        let found = guarded(|| open_level(&named))?;
        let found = found.map_err(|why| error(why.replace(&text, &shown)))?;
        Self::read(found.kind, &found.bytes, &found.name(), found.entry.id.clone())
    }

    #[staticmethod]
    fn _read(text: &str, id: String) -> PyResult<Self> {
        let kind = recognise_or_say(text.as_bytes(), "the text").map_err(error)?;
        Self::read(kind, text.as_bytes(), "", id)
    }

    /// Its id or its path; empty if it was read from a text.
    #[getter]
    fn id(&self) -> &str {
        &self.origin.id
    }

    /// The id of its game.
    #[getter]
    fn game(&self) -> &'static str {
        self.kind.id()
    }

    /// Its title.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "name")
    }

    /// Who made it.
    #[getter]
    fn author<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "author")
    }

    /// A sentence or two about it.
    #[getter]
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "about")
    }

    /// Its rows, one character per cell; see :func:`tiles`.
    #[getter]
    fn map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "map")
    }

    /// All rules of its game, those with default values too.
    ///
    /// >>> Level.open("racetrack/tiny").rules["max_speed"]
    /// 10
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "rules")
    }

    /// The names of the seats that a match of its game can have.
    ///
    /// >>> Level.open("cops/tiny").seats
    /// ['thief', 'cops']
    #[getter]
    fn seats(&self) -> Vec<String> {
        seats::names(self.kind, *self.kind.facts().seats.allowed.end())
    }

    /// The text of its level file.
    #[getter]
    fn text(&self) -> PyResult<&str> {
        self.origin.text(self.kind, || Ok(self.level.clone()))
    }

    /// Writes the level file. What was there is kept under the same name with a ~.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        write(&path, self.text()?.as_bytes()).map_err(error)
    }

    /// The start of a match in which you choose all actions. `seats` is the number of players; without it, it is the
    /// least that the game allows. `seed` decides all that is random.
    ///
    /// >>> Level.open("racetrack/tiny").start(seats=2)
    /// <State of racetrack, turn 0: car1 to move>
    #[pyo3(signature = (seed=1, seats=None))]
    fn start(
        &self,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
        #[pyo3(from_py_with = arguments::seats)] seats: Option<usize>,
    ) -> PyResult<State> {
        let seats = seats.unwrap_or(*self.kind.facts().seats.allowed.start());
        let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        let started = guarded(|| match starts.get(&seats) {
            Some(start) => start.restart(seed),
            None => self.kind.start(&self.level, seats, seed),
        })?
        .map_err(error)?;
        starts.entry(seats).or_insert_with(|| Arc::clone(&started));
        Ok(State::new(self.kind, started, Arc::clone(&self.origin)))
    }

    /// Solves the level by its exact method or by a planner.
    ///
    /// `budget` is work such as `20000w` or time such as `500ms`: per turn for a planner that plays a match, in all for a
    /// search or an exact method. `memory` in bytes limits a search or an exact table. `start` is a cell to start at, and
    /// `seed` that of the match which a planner plays. `progress` shows the states expanded so far; without it, they are
    /// shown in a terminal and in a notebook if tqdm is installed.
    ///
    /// >>> Level.open("pukoban/01-first-push").solve()
    /// <Solution: solved in 4 steps and 2 box moves: the fewest steps, proved>
    #[pyo3(signature = (planner=None, *, budget=None, memory=None, start=None, seed=0, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "all but one are named where it is called")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        planner: Option<String>,
        budget: Option<&str>,
        #[pyo3(from_py_with = arguments::memory)] memory: Option<usize>,
        #[pyo3(from_py_with = arguments::start)] start: Option<(i32, i32)>,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
        progress: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = SolveOptions {
            planner,
            budget: budget.map(str::parse).transpose().map_err(|why: String| error(why))?,
            memory,
            start: start.map(|(x, y)| Cell::new(x, y)),
            seed,
            ..SolveOptions::default()
        };
        let stop = StopFlag::default();
        let bar = py.import("outwit._progress")?.call_method1("Bar", (progress, "states"))?;
        let solved = watched(
            py,
            &stop,
            || bar.call_method1("show", (options.progress.told().0,)).map(drop),
            || self.kind.solve_level(&self.level, &options, &stop),
        );
        bar.call_method0("close")?;
        let solved = solved?.map_err(|faults| faulty(self.id(), &faults))?;
        let counters = PyDict::new(py);
        for (name, value) in &solved.counters {
            counters.set_item(name, value)?;
        }
        let line: Vec<(i32, i32)> = solved.line.iter().map(|cell| (cell.x, cell.y)).collect();
        let actions = guarded(|| self.actions(&solved))?;
        py.import("outwit._solution")?.getattr("Solution")?.call1((
            solved.value,
            solved.unit.many,
            solved.proved,
            line,
            &solved.moves,
            plain(py, &actions)?,
            &solved.message,
            plain(py, &solved.front)?,
            counters,
        ))
    }

    fn __repr__(&self) -> String {
        let id = if self.id().is_empty() { self.kind.id() } else { self.id() };
        format!("<Level {id}>")
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let level = slf.get();
        Ok((slf.get_type().getattr("_read")?, (level.text()?.into(), level.id().into())))
    }
}
