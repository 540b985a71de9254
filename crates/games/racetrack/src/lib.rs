//! Racetrack: vector racing on a grid, as on squared paper since the sixties.
//!
//! The rules and the plain planner follow the original program's report; the exact planner and the
//! review are this program's own.

mod commentary;
mod drawing;
pub mod exact;
mod faults;
pub mod level;
pub mod notation;
mod planes;
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

use outwit_core::grid::Cell;
use outwit_core::play::{Better, Game, PlannerSpec, ScoreSpec, Seat, Unit};
use outwit_kit::{
    CommentarySpec, GameInfo, GameSpec, MapSpec, Notation, NumberedPlay, PlaneSpec, Searches,
    SolverSpec, Tables,
};

/// What races are counted in.
pub const TURNS: Unit = Unit { one: "turn", many: "turns" };

/// A velocity or an acceleration in words, if it is not zero.
pub fn vector_words(vector: Cell) -> Option<String> {
    let part = |cells: i32, more, less| match cells {
        0 => None,
        1.. => Some(format!("{cells} {more}")),
        _ => Some(format!("{} {less}", -cells)),
    };
    let parts = [part(vector.x, "right", "left"), part(vector.y, "down", "up")];
    let words: Vec<_> = parts.into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
}

impl GameSpec for Racetrack {
    type Rules = RaceRules;
    const INFO: GameInfo = GameInfo {
        name: "Racetrack",
        about: "Race cars with momentum, as near to perfect as you can.",
        format: level::FORMAT,
        first_level: "first-drive",
    };
    const MAPS: MapSpec<Self> = drawing::MAPS;
    const PLANES: Option<PlaneSpec<Self>> = Some(planes::PLANES);
    const NUMBERED_PLAY: Option<NumberedPlay<Self>> = Some(planes::NUMBERED_PLAY);
    const TABLES: Tables<Self> = Tables {
        endings: |_| &["finished", "crashed", "timed out"],
        summary: summary::summary,
        trace_columns: |_, race| trace::columns(race),
        ..Tables::new(ScoreSpec { name: "time", unit: TURNS, better: Better::Lower })
    };
    const SOLVER: Option<SolverSpec<Self>> =
        Some(SolverSpec { solve: solve::solve, review: review::review });
    const COMMENTARY: Option<CommentarySpec<Self>> = Some(commentary::SPEC);
    const TURN: &'static str = "move";
    const SEARCHES: Option<Searches<Self>> = Some(Searches {
        compared: || planners::searches().collect(),
        measure: planners::measure,
        bound: |search| Ok(planners::search_of(search)?.bound()),
        recorded: || planners::searches().collect(),
        stream: |game, race, planner, events, stop| {
            let seat = game.to_move(race).first().copied().unwrap_or(Seat(0));
            let search = planners::search_of(planner).ok()?;
            Some(Ok(planners::stream(game, race, seat, search, events, stop)))
        },
    });
    const NOTATION: Option<Notation<Self>> =
        Some(Notation { write: notation::write, read: notation::read });
    const STUDIES: &'static [&'static str] = planners::STUDIES;

    fn action_words(&self, action: &Accelerate) -> String {
        match vector_words(action.0) {
            None => "coast".into(),
            Some(words) => format!("accelerate {words}"),
        }
    }

    fn planners() -> &'static [PlannerSpec<Self>] {
        planners::ALL
    }
}
