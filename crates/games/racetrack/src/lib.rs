//! Racetrack: vector racing on a grid, as on squared paper since the sixties.
//!
//! The rules and the plain planner follow the original program's report; the exact planner and the
//! review are this program's own.

mod bench;
mod drawing;
pub mod exact;
mod hashed;
pub mod level;
pub mod planners;
mod review;
pub mod rules;
mod solve;
mod summary;
mod time;
mod trace;
mod track;

pub use level::{Contact, Crash, RaceRules, Steering, Surface, TrackFile};
pub use rules::{Accelerate, Car, CarStatus, OutReason, Race, RaceEvent, RaceView, Racetrack};
pub use time::RaceTime;
pub use track::{GatesPassed, Track, Walk};

use outwit_core::grid::Grid;
use outwit_core::levels::Fault;
use outwit_core::play::{
    Better, Game, Match, PlannerSpec, Review, ScoreSpec, Seat, StopFlag, Unit,
};
use outwit_core::tournament::Scoreboard;
use outwit_kit::TileKind;
use outwit_kit::{BenchRow, Formats, GameSpec, Searches, Solution, SolveOptions, TileStyle};
use serde_json::{Map, Value};

/// What races are counted in.
pub const TURNS: Unit = Unit { one: "turn", many: "turns" };

impl GameSpec for Racetrack {
    type Rules = RaceRules;
    const NAME: &'static str = "Racetrack";
    const ABOUT: &'static str =
        "Race cars that keep their momentum, then see how close to perfect you were.";
    const FORMAT: &'static str = level::FORMAT;
    const FIRST_LEVEL: &'static str = "first-lap";
    const PALETTE: &'static [TileKind] = drawing::PALETTE;
    const FORMATS: Option<Formats<Self>> = Some(Formats::maps(&["track"]));
    /// Only `greedy` searches a graph of states one by one.
    const SEARCHES: Option<Searches<Self>> = Some(Searches {
        compared: Vec::new,
        measure: |_, _, _, _| None,
        recorded: || vec!["greedy"],
        record: |game, race, planner, events, stop| {
            let seat = game.to_move(race).first().copied().unwrap_or(Seat(0));
            (planner == "greedy")
                .then(|| Ok(planners::record_greedy(game, race, seat, events, stop)))
        },
    });

    fn faults(level: &TrackFile) -> Vec<Fault> {
        level::faults(level)
    }

    fn planners() -> &'static [PlannerSpec<Self>] {
        planners::ALL
    }

    fn looks(level: &TrackFile) -> Grid<TileStyle> {
        level::surfaces(level).map(|surface| match surface {
            Surface::Off => TileStyle::Void,
            Surface::Road => TileStyle::Ground,
            Surface::Start => TileStyle::Start,
            Surface::Checkpoint(_) => TileStyle::Mark,
            Surface::Finish => TileStyle::Goal,
        })
    }

    fn solve(
        level: &TrackFile,
        options: &SolveOptions,
        stop: &StopFlag,
    ) -> Result<Solution, String> {
        solve::solve(level, options, stop)
    }

    fn review(played: &Match<Self>, stop: &StopFlag) -> Option<Review> {
        review::review(played, stop)
    }

    const SCORE: ScoreSpec = ScoreSpec { name: "time", unit: TURNS, better: Better::Lower };

    fn endings(_seat: Seat) -> &'static [&'static str] {
        &["finished", "crashed", "timed out"]
    }

    fn trace_columns(&self, race: &Race) -> Map<String, Value> {
        trace::columns(race)
    }

    fn summary(level: &TrackFile, board: &Scoreboard) -> Vec<Value> {
        summary::summary(level, board)
    }

    fn bench(row: &mut dyn FnMut(BenchRow)) {
        bench::bench(row);
    }
}
