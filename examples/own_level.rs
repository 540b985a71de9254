//! A track that a program draws, checked, solved, and printed as a level file.
//!
//! `cargo run --locked --no-default-features --example own_level > ring.ron`, then `outwit play racetrack ring.ron`

use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::{LevelFile, write_ron};
use outwit_core::play::{CheckedLevel, SetupError, StopFlag};
use outwit_kit::{GameSpec, SolveOptions};
use outwit_racetrack::{RaceRules, Racetrack, Surface, TrackFile};
use std::error::Error;

/// A road of this width around a block, to be driven clockwise.
fn ring(width: usize, height: usize, road: i32) -> TrackFile {
    let right = width as i32 - 1;
    let bottom = height as i32 - 1;
    let middle = width as i32 / 2;
    let cells = Grid::from_fn(width, height, |Cell { x, y }| {
        let from_edge = x.min(y).min(right - x).min(bottom - y);
        let is_top = y < height as i32 / 2;
        let surface = match (x - middle, is_top) {
            _ if from_edge == 0 || from_edge > road => Surface::Off,
            (0, true) => Surface::Finish,
            (1, true) => Surface::Start,
            // Without it, the shortest lap would be to turn round and cross the finish backwards.
            (0, false) => Surface::Checkpoint(1),
            _ => Surface::Road,
        };
        surface.to_char()
    });
    let mut level = LevelFile {
        format: Racetrack::INFO.format.into(),
        name: "Ring".into(),
        author: String::new(),
        about: String::new(),
        rules: RaceRules::default(),
        map: Vec::new(),
    };
    level.set_cells(&cells);
    level
}

/// The level as a file, and the least number of turns on it at two speed limits.
pub fn report() -> Result<(String, String), Box<dyn Error>> {
    let solver = Racetrack::SOLVER.ok_or("races have a solver")?;
    let mut level = ring(30, 16, 4);
    let mut report = String::new();
    for max_speed in [3, 10] {
        level.rules.max_speed = Some(max_speed);
        // Checking tells every problem at once. Only a checked level can be played or solved.
        let checked = CheckedLevel::new(level.clone()).map_err(SetupError::from)?;
        let solution = (solver.solve)(&checked, &SolveOptions::default(), &StopFlag::default())?;
        report += &format!("At most {max_speed} cells per turn: {}\n", solution.message);
    }
    Ok((write_ron(&level), report))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (file, report) = report()?;
    eprint!("{report}");
    print!("{file}");
    Ok(())
}
