//! The table against a plain search over hashed states.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::games::racetrack::level::{Contact, Crash, RaceRules, Steering, TrackFile};
use crate::games::racetrack::planners::StateSpace;
use crate::search::{BestFirst, Evaluation, Status};
use proptest::prelude::*;

fn track_of(map: &[&str], rules: RaceRules) -> Track {
    let level = TrackFile {
        format: crate::games::racetrack::level::FORMAT.into(),
        name: "test".into(),
        author: String::new(),
        about: String::new(),
        rules,
        map: map.iter().map(|row| (*row).to_owned()).collect(),
    };
    Track::new(&level)
}

fn brute_force(track: &Track, start: Cell) -> Option<u32> {
    let space = StateSpace::new(track);
    match BestFirst::new(&space, space.at_rest(start), Evaluation::UniformCost).run(&space) {
        Status::Found { cost, .. } => Some(cost),
        _ => None,
    }
}

#[test]
fn a_straight() {
    // From rest: 1, 3 and 6 cells are behind after 1, 2 and 3 turns; the finish is 5 away.
    let track = track_of(&["S....F......"], RaceRules::default());
    let table = ExactTable::build(&track, &|| false).unwrap();
    assert_eq!(table.turns(Cell::new(0, 0), Cell::default(), 0), Some(3));
    assert_eq!(table.turns(Cell::new(4, 0), Cell::new(1, 0), 0), Some(1));
    assert_eq!(table.turns(Cell::new(0, 0), Cell::new(-2, 0), 0), None, "cannot stop in time");
    assert_eq!(table.line(&track, Cell::new(0, 0), Cell::default(), 0).len(), 3);
}

#[test]
fn stops_when_asked() {
    let track = track_of(&["S....F......"], RaceRules::default());
    assert_eq!(ExactTable::build(&track, &|| true).err(), Some(ExactError::Stopped));
}

prop_compose! {
    fn rules()(
        nine: bool,
        max_speed in prop::option::of(1_u32..5),
        penalty in prop::option::of(0_u32..4),
        laps in 1_u32..3,
    ) -> RaceRules {
        RaceRules {
            steering: if nine { Steering::Nine } else { Steering::Eight },
            max_speed,
            crash: penalty.map_or(Crash::Out, Crash::Penalty),
            laps,
            contact: Contact::Ghost,
        }
    }
}

fn maps() -> impl Strategy<Value = Vec<String>> {
    // Wide ones cross the border between machine words.
    let sizes = prop_oneof![4 => (3_usize..11, 2_usize..8), 1 => (62_usize..68, 2_usize..4)];
    (sizes, 0_u8..3).prop_flat_map(|((width, height), checkpoints)| {
        let symbol = prop_oneof![3 => Just('#'), 9 => Just('.'), 1 => Just('F'), 1 => Just('1')];
        let row = prop::collection::vec(symbol, width);
        let rows = prop::collection::vec(row, height);
        let spots = prop::collection::vec((0..width, 0..height), 4);
        (rows, spots, Just(checkpoints)).prop_map(|(mut rows, spots, checkpoints)| {
            for row in &mut rows {
                for symbol in row.iter_mut().filter(|s| **s == '1' && checkpoints == 0) {
                    *symbol = '.';
                }
            }
            let named = [(0, 'S'), (1, 'F'), (2, '1'), (3, '2')];
            for &(i, symbol) in
                named.iter().rev().filter(|(i, _)| *i < 2 + usize::from(checkpoints))
            {
                let (x, y) = spots[i];
                rows[y][x] = symbol;
            }
            rows.into_iter().map(|row| row.into_iter().collect()).collect()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    /// For every start, with both steerings, speed limits, penalties, checkpoints and laps.
    #[test]
    fn agrees_with_brute_force(map in maps(), mut rules in rules()) {
        let rows: Vec<&str> = map.iter().map(String::as_str).collect();
        if !map.iter().any(|row| row.contains('1')) {
            rules.laps = 1;
        }
        let track = track_of(&rows, rules);
        prop_assume!(track.gates_per_lap() == 1 || map.iter().any(|row| row.contains('1')));
        let table = ExactTable::build(&track, &|| false).unwrap();
        let step = 1 + track.surfaces().len() / 50;
        for cell in track.surfaces().cells().filter(|&cell| track.is_road(cell)).step_by(step) {
            prop_assert_eq!(
                table.turns(cell, Cell::default(), 0),
                brute_force(&track, cell),
                "from {}", cell
            );
        }
    }

    /// Driving the line takes the number of turns that the table says.
    #[test]
    fn the_line_keeps_the_promise(map in maps(), mut rules in rules()) {
        let rows: Vec<&str> = map.iter().map(String::as_str).collect();
        if !map.iter().any(|row| row.contains('1')) {
            rules.laps = 1;
        }
        rules.crash = Crash::Out;
        let track = track_of(&rows, rules);
        let table = ExactTable::build(&track, &|| false).unwrap();
        for cell in track.surfaces().cells().filter(|&cell| track.is_road(cell)) {
            let promised = table.turns(cell, Cell::default(), 0).unwrap_or(0);
            let line = table.line(&track, cell, Cell::default(), 0);
            prop_assert_eq!(line.len() as u32, promised);
        }
    }
}
