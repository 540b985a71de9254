//! Recorded matches.

use super::arguments;
use super::document::{plain, to_python};
use super::guard::{guarded, interruptible};
use super::level::{Level, Origin};
use super::state::State;
use super::{error, faulty, picture};
use outwit_core::levels::{Fault, read_file, write};
use outwit_core::play::{AnalysisStep, MoveReview, Review, StopFlag};
use outwit_headless::find;
use outwit_kit::{AnalyseOptions, BoardPlanes, DynGame, DynPosition, replay_game};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::{Map, Value, json, to_value};
use std::path::PathBuf;
use std::sync::Arc;

/// A recorded match, which was played again when it was read. It can be pickled.
#[pyclass(frozen, module = "outwit")]
pub struct Replay {
    kind: &'static dyn DynGame,
    origin: Arc<Origin>,
    text: String,
    players: Vec<String>,
    /// At least one.
    positions: Vec<Arc<dyn DynPosition>>,
}

impl Replay {
    /// Reads a replay that messages call `name`.
    pub fn of_text(text: String, name: &str, origin: Arc<Origin>) -> PyResult<Self> {
        let refused = |fault: Fault| faulty(name, &[fault]);
        let game = replay_game(text.as_bytes())
            .ok_or_else(|| refused(Fault::whole("not an Outwit replay (no game field)")))?;
        let kind = find(&game).map_err(|why| refused(Fault::whole(why.to_string())))?;
        let (positions, info) = guarded(|| {
            let positions = kind.positions(text.as_bytes())?;
            Ok((positions, kind.replay_info(text.as_bytes())?))
        })?
        .map_err(refused)?;
        Ok(Self { kind, origin, text, players: info.seats, positions })
    }

    /// The last position.
    pub fn last_state(&self) -> PyResult<State> {
        Ok(State::new(self.kind, Arc::clone(self.last()?), Arc::clone(&self.origin)))
    }

    fn last(&self) -> PyResult<&Arc<dyn DynPosition>> {
        self.positions.last().ok_or_else(|| error("the match has no start"))
    }
}

#[pymethods]
impl Replay {
    /// Opens a replay file. A match that differs from its recording is refused.
    #[staticmethod]
    fn open(path: PathBuf) -> PyResult<Self> {
        let bytes = read_file(&path).map_err(error)?;
        let name = path.display().to_string();
        let text = String::from_utf8(bytes).map_err(|why| error(format!("{name}: {why}")))?;
        Self::of_text(text, &name, Arc::default())
    }

    /// Reads the text of a replay file.
    #[staticmethod]
    fn read(text: String) -> PyResult<Self> {
        Self::of_text(text, "the text", Arc::default())
    }

    #[staticmethod]
    fn _read(text: String, id: String) -> PyResult<Self> {
        Self::of_text(text, "the text", Origin::new(id))
    }

    /// The id of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.kind.id()
    }

    /// The level that it was played on.
    #[getter]
    fn level(&self) -> PyResult<Level> {
        let level = self.last()?.level().map_err(|faults| faulty("", &faults))?;
        Ok(Level::new(self.kind, level, Arc::clone(&self.origin)))
    }

    /// Who sat where: `human` or a planner's name.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (seat, player) in self.players.iter().enumerate() {
            dict.set_item(self.kind.seat(seat).id, player)?;
        }
        Ok(dict)
    }

    /// The text of the replay file.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// All positions, the start first: one more than there are turns.
    #[getter]
    fn states(&self) -> Vec<State> {
        let positions = self.positions.iter();
        positions
            .map(|position| State::new(self.kind, Arc::clone(position), Arc::clone(&self.origin)))
            .collect()
    }

    /// What was chosen in each turn, by seat; nothing while the game moved by itself.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let turns = PyList::empty(py);
        for state in self.states() {
            if let Some(actions) = state.last_actions(py)? {
                turns.append(actions)?;
            }
        }
        Ok(turns)
    }

    /// The result if the match was over; see `State.outcome`.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.last()?.outcome())
    }

    /// That of the last position; see `State.digest`.
    #[getter]
    fn digest(&self) -> PyResult<u64> {
        Ok(self.last()?.digest())
    }

    /// Writes the replay file. What was there is kept under the same name with a ~.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        write(&path, self.text.as_bytes()).map_err(error)
    }

    /// What every move cost compared with perfect play: the `unit` of all values, which are `better` if `higher` or
    /// `lower`, and for each of the `seats` its `moves`, what it `reached`, and what was possible with `perfect` play.
    ///
    /// A move has its `turn`, the value `before` and `after` it, and its `cost`, `None` for a move that threw everything
    /// away. Estimates have a `margin`. A notebook shows the review as a chart.
    ///
    /// >>> match = play("mnk/3x3x3", {"x": "best", "o": lambda turn: turn.actions[0]})
    /// >>> [made["note"] for made in match.review()["seats"]["o"]["moves"] if made["cost"]]
    /// ['lost a drawn game, loss in 1']
    fn review<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stop = StopFlag::default();
        let review = interruptible(py, &stop, || self.kind.review(self.text.as_bytes(), &stop))?;
        let review = review.map_err(|fault| faulty("", &[fault]))?.ok_or_else(|| {
            error(format!(
                "this match cannot be reviewed: {} has no exact solver, or the level is too large for it",
                self.kind.name()
            ))
        })?;
        let review = to_python(py, &self.document(&review))?;
        py.import("outwit._review")?.getattr("Review")?.call1((review,))
    }

    /// What a planner thinks of the position after `turn` turns: its `planner`, `algorithm`, `seat`, the `score` that its
    /// values are, and `snapshots` at growing amounts of work.
    ///
    /// A snapshot has the `work` so far, whether the planner was `done`, its `best` action, that in `words`, the `value`
    /// of the position, the `line` of actions that the planner expects to choose, and its `insight`: `heats`, `paths`,
    /// `marks`, `arrows`, `numbers`, `counters`, `series`, `candidates` with lines and values, `walkthroughs` and `notes`.
    /// All are in the form of the protocol, with cells as dictionaries of `x` and `y`. A value is `"draw"`; `{"score": 9.5}`
    /// in the unit of `score`; or `{"win": 3}` or `{"loss": 3}` in so many turns of all players, `None` if that is open.
    /// It is what the position is worth to `seat`, as far as the planner knows.
    ///
    /// Without a planner the strongest one thinks, for `seat`, or for the first that is to move. `budget` is work such as
    /// `20000w` or time such as `500ms`; with work, the snapshots are the same on every machine.
    ///
    /// >>> insight = Level.open("mnk/3x3x3").start().replay().insight(0, "best")
    /// >>> last = insight["snapshots"][-1]
    /// >>> last["words"], last["value"]
    /// ('b2', 'draw')
    #[pyo3(signature = (turn, planner=None, *, seat=None, budget="20000w"))]
    fn insight<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::turn)] turn: usize,
        planner: Option<String>,
        seat: Option<String>,
        budget: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        // Otherwise the strongest planner of all seats would choose the seat.
        let first = || Some(self.kind.seat(*self.positions.get(turn)?.to_move().first()?).id);
        let seat = seat.or_else(|| if planner.is_none() { first() } else { None });
        let options = AnalyseOptions {
            turn: Some(turn),
            planner,
            seat,
            budget: budget.parse().map_err(|why: String| error(why))?,
            // A replay has its own.
            seed: 0,
        };
        let stop = StopFlag::default();
        let mut snapshots = Vec::new();
        let analysed = interruptible(py, &stop, || {
            let mut take = |step: AnalysisStep, words: String| snapshots.push((step, words));
            self.kind.analyse(self.text.as_bytes(), "", &options, &stop, &mut take)
        })?;
        let position = analysed.map_err(|faults| faulty("", &faults))?;
        let snapshots = snapshots.iter().map(|(step, words)| self.snapshot(step, words));
        let snapshots = snapshots.collect::<PyResult<Vec<Value>>>()?;
        let document = json!({
            "turn": position.turn,
            "seat": position.seat,
            "planner": position.planner,
            "algorithm": position.algorithm,
            "score": position.score,
            "snapshots": snapshots,
        });
        to_python(py, &document)
    }

    /// The match as a page of HTML: a drawing of the board, with a slider for the turns.
    fn html(&self) -> PyResult<String> {
        let boards = guarded(|| self.positions.iter().map(|position| position.board()).collect())?;
        let boards: Option<Vec<BoardPlanes>> = boards;
        let headline = match self.last()?.outcome() {
            Some(outcome) => outcome.headline,
            None => format!("{} turns, not over", self.positions.len() - 1),
        };
        let headline = format!("{}: {headline}", self.players.join(" – "));
        let film = boards.and_then(|boards| picture::film(&boards, &headline));
        film.ok_or_else(|| error(format!("{} has no pictures", self.kind.name())))
    }

    fn _repr_html_(&self) -> PyResult<String> {
        self.html()
    }

    fn __repr__(&self) -> String {
        let players = self.players.join(", ");
        format!("<Replay of {}, {} turns: {players}>", self.kind.id(), self.positions.len() - 1)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let replay = slf.get();
        Ok((slf.get_type().getattr("_read")?, (replay.text.clone(), replay.origin.id.clone())))
    }
}

impl Replay {
    fn snapshot(&self, step: &AnalysisStep, words: &str) -> PyResult<Value> {
        let action = |text: &String| self.kind.action_document(text).map_err(error);
        let actions = |line: &[String]| line.iter().map(action).collect::<PyResult<Vec<Value>>>();
        let mut insight = to_value(&*step.insight).map_err(error)?;
        for (at, candidate) in step.insight.candidates.iter().enumerate() {
            if let Some(line) = insight.pointer_mut(&format!("/candidates/{at}/line")) {
                *line = actions(&candidate.line)?.into();
            }
        }
        Ok(json!({
            "work": step.work,
            "done": step.done,
            "best": action(&step.best)?,
            "words": words,
            "value": step.value,
            "line": actions(&step.line)?,
            "insight": insight,
        }))
    }

    fn document(&self, review: &Review) -> Value {
        let seats: Map<String, Value> = review
            .seats
            .iter()
            .map(|seat| {
                let moves: Vec<Value> = seat.moves.iter().map(move_document).collect();
                let document = json!({
                    "perfect": seat.perfect,
                    "reached": seat.reached,
                    "summary": seat.summary,
                    "moves": moves,
                });
                (self.kind.seat(seat.seat.index()).id, document)
            })
            .collect();
        json!({ "unit": review.unit.many, "better": review.better, "seats": seats })
    }
}

fn move_document(made: &MoveReview) -> Value {
    json!({
        "turn": made.turn,
        "cell": [made.cell.x, made.cell.y],
        "before": made.before,
        "after": made.after,
        "cost": made.cost,
        "margin": made.margin,
        "note": made.note,
        "better": made.better.as_ref().map(|better| &better.words),
    })
}
