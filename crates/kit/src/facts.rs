//! What a game is called and what it can do, as plain data.

use super::spec::{EngineProtocol, PlannerInfo};
use super::tiles::TileKind;
use outwit_core::levels::Property;
use outwit_core::play::{GradedInfo, ScoreSpec, Seat, Seats};
use std::ops::RangeInclusive;

/// What a game is called and what it can do: all that is the same for every level and match of it.
pub struct GameFacts {
    /// Short lower-case name.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// A sentence for the menu.
    pub about: &'static str,
    /// The level to begin with, without the game's id.
    pub first_level: &'static str,
    /// What one turn of a match is called where those of all seats are counted: see [`GameSpec::TURN`](super::GameSpec).
    pub turn: &'static str,
    /// Changes whenever the same actions may lead to other states.
    pub rules_version: u32,
    /// The rules that a level or the set-up may change.
    pub properties: fn() -> &'static [Property],
    /// The seats.
    pub seats: Seats,
    /// What the scores of its seats mean.
    pub score: ScoreSpec,
    /// The words for how a seat may end, in the order in which tables show them.
    pub endings: fn(Seat) -> &'static [&'static str],
    /// All planners.
    pub planners: fn() -> Vec<PlannerInfo>,
    /// The planners that are there to be studied.
    pub studies: &'static [&'static str],
    /// The planner whose strength is a number, which is not among the others; `None` if the game has none.
    pub graded: Option<GradedInfo>,
    /// The planners that can be compared, the yardstick for the others first; `None` if no searches can be.
    pub searches: Option<fn() -> Vec<&'static str>>,
    /// How the game's best responder works; `None` if the game has none.
    pub responder: Option<&'static str>,
    /// Whether anything is said of its matches.
    pub has_commentary: bool,
    /// How other programs use the game's planners as engines, if they can.
    pub brain: Option<EngineProtocol>,
    /// What the protocol of the game's own is called by which engines can take a seat; `None` if it has none.
    pub engine_protocol: Option<&'static str>,
    /// First field of its level files: id and version.
    pub format: &'static str,
    /// Extensions of foreign formats that it writes.
    pub exports: fn() -> Vec<&'static str>,
    /// Extensions of foreign formats that hold whole matches.
    pub match_exports: &'static [&'static str],
    /// The tiles.
    pub palette: &'static [TileKind],
    /// The allowed width and height of a map, in cells.
    pub sides: RangeInclusive<usize>,
    /// Columns and rows of a new map.
    pub new_size: (usize, usize),
    /// Rules whose value follows from the map; they cannot be set.
    pub derived_rules: &'static [&'static str],
    /// Whether it has random levels.
    pub has_generator: bool,
}
