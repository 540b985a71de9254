//! Positions of a match.

use super::arguments::{self, cut, short};
use super::document::{from_python, plain, to_python};
use super::guard::guarded;
use super::level::{Level, Origin};
use super::replay::Replay;
use super::{error, faulty, need_numpy, picture, seats};
use numpy::PyArray1;
use outwit_kit::{BoardPlanes, DynGame, DynPosition};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use std::sync::Arc;

/// The largest side of a cell in pixels.
const MOST_PIXELS: usize = 128;

/// A position of a match. It never changes; a step leads to another one. It can be pickled.
///
/// Equal positions of the same level are equal, whatever the turns that led there, and whatever seed decides what comes:
/// a search can keep them in a set or as keys of a dictionary.
///
/// >>> start = Level.open("racetrack/tiny").start()
/// >>> start == Level.open("racetrack/tiny").start(), start == start.step(start.default_action())
/// (True, False)
///
/// Where a seat is asked for and none is named, it is the only one that chooses now.
#[pyclass(frozen, module = "outwit")]
pub struct State {
    kind: &'static dyn DynGame,
    position: Arc<dyn DynPosition>,
    origin: Arc<Origin>,
}

impl State {
    pub fn new(
        kind: &'static dyn DynGame,
        position: Arc<dyn DynPosition>,
        origin: Arc<Origin>,
    ) -> Self {
        Self { kind, position, origin }
    }

    /// Another position of the same match.
    fn beside(&self, position: Arc<dyn DynPosition>) -> Self {
        Self::new(self.kind, position, Arc::clone(&self.origin))
    }

    fn level_text(&self) -> PyResult<&str> {
        self.origin.text(self.kind, || self.position.level())
    }

    fn is_on_level_of(&self, other: &Self) -> PyResult<bool> {
        Ok(Arc::ptr_eq(&self.origin, &other.origin) || self.level_text()? == other.level_text()?)
    }

    fn seat_id(&self, seat: usize) -> String {
        self.kind.seat(seat).id
    }

    /// The seat of this name; without one, the only one that chooses now.
    fn seat(&self, name: Option<&str>) -> PyResult<usize> {
        if let Some(name) = name {
            return seats::find(self.kind, self.position.seats(), name);
        }
        match self.position.to_move()[..] {
            [seat] => Ok(seat),
            [] if self.position.seats() == 1 => Ok(0),
            [] => Err(error("nobody chooses now: name a seat")),
            _ => Err(error(format!(
                "name a seat: {} choose at the same time",
                self.to_move().join(", ")
            ))),
        }
    }

    /// The board as planes.
    fn planes(&self) -> PyResult<BoardPlanes> {
        let board = guarded(|| self.position.board())?;
        board.ok_or_else(|| error(format!("{} has no pictures", self.kind.name())))
    }

    /// What each seat chooses: an action of the only one, or actions by the names of seats.
    fn choices(&self, actions: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(usize, Value)>> {
        let Some(actions) = actions else { return Ok(Vec::new()) };
        let to_move = self.position.to_move();
        let by_seat = actions.cast::<PyDict>().ok();
        if let [seat] = to_move[..] {
            let id = self.seat_id(seat);
            if !by_seat.is_some_and(|dict| dict.contains(id).unwrap_or(false)) {
                return Ok(vec![(seat, from_python(actions)?)]);
            }
        }
        let Some(by_seat) = by_seat else {
            let names = self.to_move();
            return Err(error(match names.is_empty() {
                true => "nobody chooses now: step() without actions".into(),
                false => format!("give a dict with the actions of {}", names.join(", ")),
            }));
        };
        let mut choices = Vec::new();
        for (name, action) in by_seat {
            let name: String = name.extract()?;
            let seat = seats::find(self.kind, self.position.seats(), &name)?;
            choices.push((seat, from_python(&action)?));
        }
        Ok(choices)
    }

    /// Actions by the names of their seats.
    fn by_seat<'py>(
        &self,
        py: Python<'py>,
        actions: &[(usize, Value)],
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (seat, action) in actions {
            dict.set_item(self.seat_id(*seat), to_python(py, action)?)?;
        }
        Ok(dict)
    }
}

/// Why a step is refused, with what was given for the action if that is no action of the game.
fn unreadable(why: String, actions: Option<&Bound<'_, PyAny>>) -> PyErr {
    match actions.and_then(|actions| actions.repr().ok()) {
        Some(given) if why.contains("cannot be read") => {
            error(format!("{}, in {}", cut(&why, 200), short(&given.to_string())))
        }
        _ => error(why),
    }
}

#[pymethods]
impl State {
    /// The id of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.kind.id()
    }

    /// The level of the match.
    #[getter]
    fn level(&self) -> PyResult<Level> {
        let level = self.position.level().map_err(|faults| faulty("", &faults))?;
        Ok(Level::new(self.kind, level, Arc::clone(&self.origin)))
    }

    /// The names of the seats of this match.
    #[getter]
    fn seats(&self) -> Vec<String> {
        seats::names(self.kind, self.position.seats())
    }

    /// How many turns were played.
    #[getter]
    fn turn(&self) -> usize {
        self.position.turn()
    }

    /// The seats that choose now, all at the same time. Empty while the game moves by itself, and when it is over.
    ///
    /// >>> Level.open("cops/tiny").start().to_move
    /// ['thief', 'cops']
    #[getter]
    pub fn to_move(&self) -> Vec<String> {
        self.position.to_move().into_iter().map(|seat| self.seat_id(seat)).collect()
    }

    /// Whether the match is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.position.outcome().is_some()
    }

    /// The result once the match is over: a `headline`, and for each seat in `places` its `rank`, `score` and `ending`.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.position.outcome())
    }

    /// A number that equal states share, and different ones hardly ever do.
    #[getter]
    fn digest(&self) -> u64 {
        self.position.digest()
    }

    /// The position before the last turn; `None` at the start.
    #[getter]
    fn previous(&self) -> Option<Self> {
        Some(self.beside(self.position.before()?))
    }

    /// What was chosen in the last turn, by seat; `None` at the start.
    #[getter]
    pub fn last_actions<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let last = self.position.last_actions();
        last.map(|actions| self.by_seat(py, &actions)).transpose()
    }

    /// The whole state as plain objects.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.position.state())
    }

    /// What a seat knows, as in the protocol for programs.
    ///
    /// >>> Level.open("pukoban/01-first-push").start().observe()["boxes"]
    /// [{'x': 2, 'y': 2}]
    #[pyo3(signature = (seat=None))]
    fn observe<'py>(&self, py: Python<'py>, seat: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat(seat)?;
        to_python(py, &guarded(|| self.position.observation(seat))?)
    }

    /// All that a seat may choose now, the action that does least first; `None` where the game does not list them, as in
    /// Cops and robber, Pukoban and Stealth. Empty if the seat does not choose.
    ///
    /// >>> Level.open("mnk/3x3x3").start().actions()[0]
    /// {'Place': {'x': 0, 'y': 0}}
    #[pyo3(signature = (seat=None))]
    fn actions<'py>(&self, py: Python<'py>, seat: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat(seat)?;
        match guarded(|| self.position.actions(seat))? {
            Some(actions) => to_python(py, &Value::Array(actions)),
            None => Ok(py.None().into_bound(py)),
        }
    }

    /// A legal action that does as little as possible.
    ///
    /// >>> Level.open("cops/tiny").start().default_action("thief")
    /// ['...']
    #[pyo3(signature = (seat=None))]
    fn default_action<'py>(
        &self,
        py: Python<'py>,
        seat: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat(seat)?;
        let action = guarded(|| self.position.null_action(seat))?;
        let action =
            action.ok_or_else(|| error(format!("{} does not choose now", self.seat_id(seat))))?;
        to_python(py, &action)
    }

    /// Whether a seat may choose an action now.
    ///
    /// >>> state = Level.open("pukoban/01-first-push").start()
    /// >>> [step for step in "lrud<>^v" if state.is_legal(step)]
    /// ['l', 'r', 'u', 'd', '>']
    #[pyo3(signature = (action, seat=None))]
    fn is_legal(&self, action: &Bound<'_, PyAny>, seat: Option<&str>) -> PyResult<bool> {
        let seat = self.seat(seat)?;
        let action = from_python(action)?;
        Ok(guarded(|| self.position.legal(seat, action))?.is_ok())
    }

    /// The position after one more turn: with the action of the only seat that chooses, with a dictionary of the actions
    /// of all that do, or without one while the game moves by itself.
    ///
    /// | game | an action |
    /// |---|---|
    /// | racetrack | the acceleration: `{"x": 1, "y": -1}` |
    /// | cops | a list with the steps `RDLU.` of each piece: `["RRD"]` for the thief, `["LL.", "UUU"]` for two cops |
    /// | pukoban | a step: `l`, `r`, `u`, `d`, which push too, or `<`, `>`, `^`, `v` to pull |
    /// | stealth | the whole path as a string of `u`, `d`, `l`, `r`; in the fog one of them; empty to stop |
    /// | mnk | `{"Place": {"x": 1, "y": 0}}`; where the level has such an opening `"Keep"`, `"Swap"` or `"TwoMore"` |
    ///
    /// >>> state = Level.open("mnk/3x3x3").start().step({"Place": {"x": 1, "y": 1}})
    /// >>> state.step({"o": {"Place": {"x": 0, "y": 0}}})
    /// <State of mnk, turn 2: x to move>
    /// >>> state.step({"Place": {"x": 1, "y": 1}})
    /// Traceback (most recent call last):
    /// outwit.Error: turn 1, o: b2 is not empty
    #[pyo3(signature = (actions=None))]
    fn step(&self, actions: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        if let Some(outcome) = self.position.outcome() {
            return Err(error(format!("the match is over: {}", outcome.headline)));
        }
        let choices = self.choices(actions)?;
        let next = guarded(|| Arc::clone(&self.position).step(choices))?;
        Ok(self.beside(next.map_err(|why| unreadable(why, actions))?))
    }

    /// The match up to here. `players` names who sat where; without it, all are called `human`.
    ///
    /// >>> Level.open("mnk/3x3x3").start().replay()
    /// <Replay of mnk, 0 turns: human, human>
    #[pyo3(signature = (players=None))]
    fn replay(&self, players: Option<Vec<String>>) -> PyResult<Replay> {
        let players = players.unwrap_or_else(|| vec!["human".into(); self.position.seats()]);
        let text = guarded(|| self.position.replay_text(players))?.map_err(error)?;
        Replay::of_text(text, "the match", Arc::clone(&self.origin))
    }

    /// The board as text, one character per cell.
    ///
    /// >>> Level.open("mnk/3x3x3").start().step({"Place": {"x": 1, "y": 1}}).board.splitlines()
    /// ['...', '.X.', '...']
    #[getter]
    fn board(&self) -> PyResult<String> {
        Ok(self.planes()?.text())
    }

    /// The board as an array of pixels, rows × columns × 3 for red, green and blue. A cell is a square of `side` pixels.
    ///
    /// >>> Level.open("mnk/3x3x3").start().pixels(8).shape
    /// (24, 24, 3)
    #[pyo3(signature = (side=16))]
    fn pixels<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::side)] side: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        need_numpy(py)?;
        if !(1..=MOST_PIXELS).contains(&side) {
            return Err(error(format!("a cell is 1 to {MOST_PIXELS} pixels wide, not {side}")));
        }
        let board = self.planes()?;
        let pixels = guarded(|| picture::pixels(&board, side))?;
        let shape = (board.rows * side, board.columns * side, 3);
        PyArray1::from_vec(py, pixels).call_method1("reshape", (shape,))
    }

    /// The board as a drawing in SVG, as a notebook shows it.
    fn svg(&self) -> PyResult<String> {
        Ok(picture::svg(&self.planes()?, &self.__repr__()))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg()
    }

    fn __eq__(&self, other: &Self) -> PyResult<bool> {
        let one = &self.position;
        let another = &other.position;
        let is_same = one.digest() == another.digest()
            && one.state() == another.state()
            && one.outcome() == another.outcome();
        Ok(is_same && self.kind.id() == other.kind.id() && self.is_on_level_of(other)?)
    }

    fn __hash__(&self) -> u64 {
        self.position.digest()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Replay,))> {
        let replay = slf.get().replay(None)?;
        Ok((slf.get_type().getattr("_last")?, (replay,)))
    }

    /// The last position of a match.
    #[staticmethod]
    fn _last(replay: &Bound<'_, Replay>) -> PyResult<Self> {
        replay.get().last_state()
    }

    fn __repr__(&self) -> String {
        let now = match self.position.outcome() {
            Some(outcome) => outcome.headline,
            None if self.to_move().is_empty() => "nobody chooses".into(),
            None => format!("{} to move", self.to_move().join(", ")),
        };
        format!("<State of {}, turn {}: {now}>", self.kind.id(), self.turn())
    }
}
