//! Matches of planners, programs and Python functions.

use super::arguments;
use super::document::{from_python, to_python};
use super::guard::{guarded, interruptible};
use super::level::{Level, Origin};
use super::replay::Replay;
use super::{error, seats};
use outwit_core::play::{
    AllowedPrograms, Closing, Isolation, MatchSetup, Player, SeatStats, StopFlag, Thinking,
    TimeControl,
};
use outwit_core::tournament::Entrant;
use outwit_headless::cli::check_seats;
use outwit_kit::{DynGame, DynReferee};
use pyo3::prelude::*;
use serde_json::{Map, Value, from_value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A running match. Python functions are its people: they are asked by whoever holds it.
#[pyclass(frozen, module = "outwit._outwit")]
pub struct Referee {
    kind: &'static dyn DynGame,
    origin: Arc<Origin>,
    seats: usize,
    stop: StopFlag,
    referee: Mutex<Box<dyn DynReferee>>,
}

impl Referee {
    fn referee(&self) -> MutexGuard<'_, Box<dyn DynReferee>> {
        self.referee.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A player and what it may spend: a budget of its own if its name holds one. A function is not limited.
fn seated(player: Option<String>, budget: &str) -> PyResult<(Player, TimeControl)> {
    let Some(name) = player else { return Ok((Player::Human, TimeControl::Unlimited)) };
    let entrant = Entrant::from(name);
    let control = match entrant.budget() {
        Some(own) => own,
        None => TimeControl::limited(budget).map_err(error)?,
    };
    Ok((Player::Planner(entrant.player().name().into()), control))
}

#[pymethods]
impl Referee {
    /// Seats planners and programs by the names of their seats; `None` stands for a function. Programs are started
    /// only here, because the caller has named their commands.
    #[new]
    fn new(
        py: Python<'_>,
        level: &Bound<'_, Level>,
        players: BTreeMap<String, Option<String>>,
        budget: &str,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
    ) -> PyResult<Self> {
        let origin = Arc::clone(level.get().origin());
        let kind = level.get().kind();
        let level = level.get().level();
        let seated = players.into_iter().map(|(seat, player)| Ok((seat, seated(player, budget)?)));
        let seated = seated.collect::<PyResult<BTreeMap<_, _>>>()?;
        let named: Vec<(String, Player)> =
            seated.iter().map(|(seat, (player, _))| (seat.clone(), player.clone())).collect();
        check_seats(kind, &named).map_err(error)?;
        let (least, most) = kind.facts().seats.allowed.clone().into_inner();
        let of_seat = |seat: usize| seated.get(&kind.seat(seat).id).cloned();
        let last = (0..most).rfind(|&seat| of_seat(seat).is_some());
        let seats = last.map_or(0, |seat| seat + 1).max(least);
        let seated = (0..seats)
            .map(|seat| {
                of_seat(seat).ok_or_else(|| {
                    error(format!("nobody sits at {}: name a player for it", kind.seat(seat).id))
                })
            })
            .collect::<PyResult<Vec<_>>>()?;
        let (players, controls): (Vec<Player>, Vec<TimeControl>) = seated.into_iter().unzip();
        let commands = players.iter().filter_map(Player::program).map(|program| program.command);
        let stop = StopFlag::default();
        let is_inline =
            controls.iter().all(|control| control.is_work() || *control == TimeControl::Unlimited);
        let mut setup = MatchSetup::new(&players, TimeControl::Unlimited, seed);
        setup.programs = AllowedPrograms::chosen_by_person(commands, &Isolation::Limits);
        setup.controls = controls;
        setup.thinking = if is_inline { Thinking::Inline } else { Thinking::Threads };
        setup.stop = stop.clone();
        // Planners prepare meanwhile.
        let referee = interruptible(py, &stop, || kind.referee(level, setup))?.map_err(error)?;
        Ok(Self { kind, origin, seats, stop, referee: Mutex::new(referee) })
    }

    /// Plays until functions have to choose or the match is over; the names of the seats that have to choose.
    fn run(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let asked = interruptible(py, &self.stop, || {
            let mut referee = self.referee();
            referee.run();
            referee.people_to_move()
        })?;
        Ok(asked.into_iter().map(|seat| self.kind.seat(seat).id).collect())
    }

    /// What a seat is told before the first turn.
    fn start<'py>(&self, py: Python<'py>, seat: &str) -> PyResult<Bound<'py, PyAny>> {
        let seat = seats::find(self.kind, self.seats, seat)?;
        let start = guarded(|| self.referee().start(seat))?;
        to_python(py, &start.unwrap_or_default())
    }

    /// What a seat is asked.
    fn question<'py>(&self, py: Python<'py>, seat: &str) -> PyResult<Bound<'py, PyAny>> {
        let seat = seats::find(self.kind, self.seats, seat)?;
        let question = guarded(|| self.referee().question(seat))?;
        to_python(py, &question.unwrap_or_default())
    }

    /// What a seat chooses.
    fn choose(&self, seat: &str, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let seat = seats::find(self.kind, self.seats, seat)?;
        let action = from_python(action)?;
        guarded(|| self.referee().choose(seat, action))?.map_err(error)
    }

    /// A seat stops: it has `failed`, or its plan has not solved the problem, which is `unsolved`.
    fn close(&self, seat: &str, closing: &str) -> PyResult<()> {
        let seat = seats::find(self.kind, self.seats, seat)?;
        let closing: Closing = from_value(closing.into()).map_err(error)?;
        guarded(|| self.referee().close(seat, closing))
    }

    /// How each seat behaved.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let referee = self.referee();
        let stats = |seat| Some((self.kind.seat(seat).id, document(&referee.stats(seat)?)));
        let stats: Map<String, Value> = (0..self.seats).filter_map(stats).collect();
        to_python(py, &Value::Object(stats))
    }

    /// The match so far.
    fn replay(&self) -> PyResult<Replay> {
        let text = guarded(|| self.referee().replay_text())?.map_err(error)?;
        Replay::of_text(text, "the match", Arc::clone(&self.origin))
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(error(
            "a running match cannot be copied; search from its state instead, with state.step()",
        ))
    }
}

fn document(stats: &SeatStats) -> Value {
    json!({
        "asked": stats.asked,
        "overruns": stats.overruns,
        "illegal": stats.illegal,
        "silent": stats.silent,
        "broken": stats.broken,
        "panic": stats.panic,
        "fault": stats.fault,
        "preparation": stats.preparation.as_secs_f64(),
        "thought": stats.thought.iter().map(|time| time.as_secs_f64()).collect::<Vec<f64>>(),
        "work": stats.work,
    })
}
