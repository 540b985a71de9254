//! Small tracks made by hand.

use outwit_core::grid::Cell;
use outwit_core::play::{CheckedLevel, Game, Match, Seat};
use outwit_racetrack::{Accelerate, Race, RaceRules, Racetrack, TrackFile};
use std::sync::Arc;

/// A track of these rows.
pub fn track(rows: &[&str], rules: RaceRules) -> TrackFile {
    TrackFile {
        format: "racetrack 1".into(),
        name: "Test".into(),
        author: String::new(),
        about: String::new(),
        rules,
        map: rows.iter().map(|&row| row.to_owned()).collect(),
    }
}

/// A straight road with one start, wide enough for three.
pub fn straight() -> TrackFile {
    track(
        &[
            "####################",
            "#..................#",
            "#S...............F.#",
            "####################",
        ],
        RaceRules::default(),
    )
}

/// A closed circuit with two checkpoints and four starts.
pub fn circuit(rules: RaceRules) -> TrackFile {
    track(
        &[
            "############",
            "#..S.F.....#",
            "#..S.F.....#",
            "#..######..#",
            "#22######11#",
            "#..######..#",
            "#..........#",
            "#..........#",
            "############",
        ],
        rules,
    )
}

/// A race of so many cars before its first turn.
pub fn race(level: &TrackFile, cars: usize) -> Match<Racetrack> {
    race_of_seed(level, cars, 1)
}

/// The same with a seed.
pub fn race_of_seed(level: &TrackFile, cars: usize, seed: u64) -> Match<Racetrack> {
    Match::new(game(level, cars), seed).unwrap()
}

/// The rules of a race of so many cars.
pub fn game(level: &TrackFile, cars: usize) -> Arc<Racetrack> {
    let level = CheckedLevel::new(level.clone()).unwrap();
    Arc::new(Racetrack::new(&level, cars).unwrap())
}

/// An acceleration.
pub fn push(x: i32, y: i32) -> Accelerate {
    Accelerate(Cell::new(x, y))
}

/// Drives the car whose turn it is.
pub fn drive(race: &mut Match<Racetrack>, x: i32, y: i32) -> Race {
    let seat = race.to_move()[0];
    race.advance(vec![(seat, push(x, y))]).unwrap();
    race.state().clone()
}

/// Why the car whose turn it is may not do this, if it may not.
pub fn refused(race: &Match<Racetrack>, x: i32, y: i32) -> Option<String> {
    race.game().legal(race.state(), race.to_move()[0], &push(x, y)).err()
}

/// The seat of car `number`, counted from 1.
pub fn car(number: u8) -> Seat {
    Seat(number - 1)
}
