//! What a track file says: rules, surfaces, start, finish, checkpoints.

use outwit_core::grid::{Cell, EIGHT, FOUR, Grid};
use outwit_core::levels::LevelFile;
use outwit_core::rule_set;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which accelerations a driver may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Steering {
    /// All but (0,0): the car always pushes somewhere.
    Eight,
    /// All nine, coasting included: the classic game.
    Nine,
}

/// What happens to a car that leaves the track.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Crash {
    /// Its race is over.
    Out,
    /// It stands at rest on the last cell of the track and loses so many turns.
    Penalty(u32),
}

/// What cars do to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Contact {
    /// Nothing.
    Ghost,
    /// A move must not end on another car.
    Block,
}

rule_set! {
    /// The rules of a race.
    pub struct RaceRules {
        /// Whether a car may keep its velocity: nine allows it, as in the classic game; eight does not.
        steering: Steering = Steering::Eight, Choice(&["eight", "nine"]), "Coasting",
            ("eight", "No"), ("nine", "Yes");
        /// The highest speed: the length of the velocity in cells per turn.
        max_speed: Option<u32> = Some(10), Whole { min: 1, max: 30, optional: true }, "Maximum speed",
            ("none", "No limit");
        /// What happens off the track: the race ends, or the car stops there and loses some turns.
        crash: Crash = Crash::Out, Choice(&[
            "out", "penalty(0)", "penalty(1)", "penalty(2)", "penalty(3)", "penalty(4)", "penalty(5)",
            "penalty(6)", "penalty(7)", "penalty(8)", "penalty(9)",
        ]), "Crash",
            ("out", "Ends the race"),
            ("penalty(0)", "Costs the speed"),
            ("penalty(1)", "Costs 1 turn"),
            ("penalty(2)", "Costs 2 turns"),
            ("penalty(3)", "Costs 3 turns"),
            ("penalty(4)", "Costs 4 turns"),
            ("penalty(5)", "Costs 5 turns"),
            ("penalty(6)", "Costs 6 turns"),
            ("penalty(7)", "Costs 7 turns"),
            ("penalty(8)", "Costs 8 turns"),
            ("penalty(9)", "Costs 9 turns");
        /// How many times to cross the finish, each time after all checkpoints in order.
        laps: u32 = 1, Whole { min: 1, max: 9, optional: false }, "Laps";
        /// Whether cars collide: on, a move must not end on another car; off, cars share cells.
        contact: Contact = Contact::Ghost, Choice(&["ghost", "block"]), "Collisions",
            ("ghost", "Off"), ("block", "On");
        /// The highest speed over sand: a faster car gets no farther than to the edge of the sand, as at the edge of the
        /// track.
        sand_speed: u32 = 2, Whole { min: 2, max: 30, optional: false }, "Speed on sand";
    }
}

/// A track as a file says it.
pub type TrackFile = LevelFile<RaceRules>;

/// First field of track files.
pub const FORMAT: &str = "racetrack 1";

/// What a cell of the track is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surface {
    /// Not part of the track.
    Off,
    /// Plain road.
    Road,
    /// Road where cars may start.
    Start,
    /// Checkpoint 1 to 9.
    Checkpoint(u8),
    /// The finish.
    Finish,
    /// Road for slow cars only.
    Sand,
}

impl Surface {
    /// What a character of the map stands for.
    pub fn from_char(symbol: char) -> Option<Self> {
        match symbol {
            '#' => Some(Surface::Off),
            '.' => Some(Surface::Road),
            'S' => Some(Surface::Start),
            'F' => Some(Surface::Finish),
            '~' => Some(Surface::Sand),
            '1'..='9' => Some(Surface::Checkpoint(symbol as u8 - b'0')),
            _ => None,
        }
    }

    /// The character for the map.
    pub fn to_char(self) -> char {
        match self {
            Surface::Off => '#',
            Surface::Road => '.',
            Surface::Start => 'S',
            Surface::Checkpoint(n) => (b'0' + n) as char,
            Surface::Finish => 'F',
            Surface::Sand => '~',
        }
    }
}

/// The surfaces of a map; unknown characters count as off track.
pub fn surfaces(level: &TrackFile) -> Grid<Surface> {
    level.cells('#').map(|&symbol| Surface::from_char(symbol).unwrap_or(Surface::Off))
}

/// The steps to a neighbouring cell that a car can make from rest, and stop again: at a speed limit
/// of 1 none is diagonal. Every way of a car leads from cell to cell by such steps.
pub fn single_steps(rules: &RaceRules) -> &'static [Cell] {
    if rules.max_speed == Some(1) { &FOUR } else { &EIGHT }
}

/// The start cells, row by row.
pub fn starts(track: &Grid<Surface>) -> Vec<Cell> {
    track.iter().filter(|&(_, &s)| s == Surface::Start).map(|(cell, _)| cell).collect()
}
