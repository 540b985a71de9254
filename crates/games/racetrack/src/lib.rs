//! Racetrack: vector racing on a grid, as on squared paper since the sixties.
//!
//! The rules and the plain planner follow the original program's report; the exact planner and the
//! review are this program's own.

mod bench;
#[cfg(test)]
mod conformance;
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

use outwit_core::levels::Fault;
use outwit_core::play::{
    Better, Game, Match, PlannerSpec, Review, ScoreSpec, Seat, StopFlag, Unit,
};
use outwit_kit::TileKind;
use outwit_kit::{
    BenchRow, ForeignFormats, GameSpec, Generator, MapSpec, Searches, Solution, SolveOptions,
    Tables,
};

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
    const MAPS: MapSpec<Self> = drawing::MAPS;
    const TABLES: Tables<Self> =
        Tables { summary: summary::summary, trace_columns: |_, race| trace::columns(race) };
    const GENERATOR: Option<Generator<Self>> = Some(Generator::of::<drawing::TrackOptions>());
    const FOREIGN_FORMATS: Option<ForeignFormats<Self>> = Some(ForeignFormats::maps(&["track"]));
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

    fn warnings(level: &TrackFile) -> Vec<Fault> {
        drawing::warnings(level)
    }

    fn planners() -> &'static [PlannerSpec<Self>] {
        planners::ALL
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

    fn bench(row: &mut dyn FnMut(BenchRow)) {
        bench::bench(row);
    }
}
