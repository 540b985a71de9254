//! The table against plain searches over hashed states.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::level::{Contact, Crash, RaceRules, Steering, TrackFile};
use crate::planners::StateSpace;
use crate::{Accelerate, Car, CarStatus, Race, Racetrack};
use outwit_core::levels::Spot;
use outwit_core::play::{Chance, CheckedLevel, Game, Seat};
use outwit_core::search::{Evaluation, GraphSearch, Status};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

fn level_of(map: &[&str], rules: RaceRules) -> TrackFile {
    TrackFile {
        format: crate::level::FORMAT.into(),
        name: "test".into(),
        author: String::new(),
        about: String::new(),
        rules,
        map: map.iter().map(|row| (*row).to_owned()).collect(),
    }
}

fn track_of(map: &[&str], rules: RaceRules) -> Track {
    Track::new(&level_of(map, rules))
}

fn after(game: &Racetrack, car: Car, a: Cell) -> Car {
    let mut race = Race { cars: vec![car], mover: 0 };
    game.advance(&mut race, &[(Seat(0), Accelerate(a))], &Chance::new(0), &mut Vec::new());
    race.cars[0]
}

/// The least turns, and the least fraction of the last of them, by Dijkstra's algorithm over what
/// the rules make of each acceleration. It shares nothing with the table but those rules.
fn least_time(game: &Racetrack, car: Car) -> Option<(u32, f64)> {
    let key = |car: &Car| (car.cell, car.velocity, car.progress);
    let mut cars = vec![car];
    let mut turns = HashMap::from([(key(&car), car.turns)]);
    let mut frontier = BinaryHeap::from([Reverse((car.turns, 0))]);
    let mut best: Option<(u32, f64)> = None;
    while let Some(Reverse((so_far, at))) = frontier.pop() {
        if best.is_some_and(|(least, _)| so_far >= least) {
            break;
        }
        let here: Car = cars[at];
        if turns[&key(&here)] < so_far {
            continue;
        }
        let race = Race { cars: vec![here], mover: 0 };
        for Accelerate(a) in game.choices(&race, Seat(0)) {
            let next = after(game, here, a);
            match next.standing {
                CarStatus::Finished { num, den } => {
                    let time = (next.turns, f64::from(num) / f64::from(den));
                    best = Some(best.map_or(time, |best| if time < best { time } else { best }));
                }
                CarStatus::Racing => {
                    let known = turns.entry(key(&next)).or_insert(u32::MAX);
                    if next.turns < *known {
                        *known = next.turns;
                        frontier.push(Reverse((next.turns, cars.len())));
                        cars.push(next);
                    }
                }
                CarStatus::Out(_) => {}
            }
        }
    }
    best
}

fn brute_force(track: &Track, start: Cell) -> Option<u32> {
    let space = StateSpace::new(track);
    match GraphSearch::new(&space, space.at_rest(start), Evaluation::UniformCost).run(&space) {
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
fn sand_is_the_edge_of_the_track_for_fast_cars() {
    let rules = RaceRules { sand_speed: 2, ..RaceRules::default() };
    let track = track_of(&["S..~~..F", "S......F"], rules);
    let from = |x: i32, vx: i32| track.walk(Cell::new(x, 0), Cell::new(vx, 0), 0);
    assert_eq!(from(1, 2), Walk::Lands(0), "as fast as may be");
    let edge = Walk::Crashes { last: Cell::new(2, 0), progress: 0 };
    assert_eq!(from(0, 3), edge, "onto sand too fast");
    assert_eq!(from(1, 5), edge, "over it too fast");
    assert_eq!(from(4, 3), Walk::Finishes { num: 5, den: 6 }, "off it at any speed");
    let within = Walk::Crashes { last: Cell::new(3, 0), progress: 0 };
    assert_eq!(from(3, 3), within, "from sand over sand");
    assert_eq!(track.walk(Cell::new(2, 0), Cell::new(1, 1), 0), Walk::Lands(0));
    assert!(track.meets_sand(Cell::new(0, 0), Cell::new(4, 0)));
    assert!(!track.meets_sand(Cell::new(1, 0), Cell::new(2, 0)), "nothing ends it");
    assert!(!track.meets_sand(Cell::new(4, 0), Cell::new(9, 0)), "the edge comes first");
    // Over sand 1, 3, 5, 6 cells are behind; beside it 1, 3, 6 and the finish in the next turn.
    let table = ExactTable::build(&track, &|| false).unwrap();
    let straight = track_of(&["S..~~..F"], RaceRules { sand_speed: 2, ..RaceRules::default() });
    let sandy = ExactTable::build(&straight, &|| false).unwrap();
    let rest = Cell::default();
    assert_eq!(table.turns(Cell::new(0, 1), rest, 0), brute_force(&track, Cell::new(0, 1)));
    assert_eq!(sandy.turns(Cell::new(0, 0), rest, 0), brute_force(&straight, Cell::new(0, 0)));
    assert!(sandy.turns(Cell::new(0, 0), rest, 0) > table.turns(Cell::new(0, 1), rest, 0));
}

#[test]
fn stops_when_asked() {
    let track = track_of(&["S....F......"], RaceRules::default());
    assert_eq!(ExactTable::build(&track, &|| true).err(), Some(ExactError::Stopped));
}

#[test]
fn a_race_computes_its_table_once() {
    let level = CheckedLevel::new(level_of(&["S....F......"; 2], RaceRules::default())).unwrap();
    let game = Racetrack::new(&level, 1).unwrap();
    assert_eq!(game.exact_table(&|| true).err(), Some(ExactError::Stopped));
    let table = game.exact_table(&|| false).unwrap();
    // Whoever would compute it now would be stopped.
    assert!(Arc::ptr_eq(&table, &game.exact_table(&|| true).unwrap()));
}

prop_compose! {
    fn rules()(
        nine: bool,
        max_speed in prop::option::of(1_u32..5),
        penalty in prop::option::of(0_u32..4),
        laps in 1_u32..3,
        sand_speed in 2_u32..4,
    ) -> RaceRules {
        RaceRules {
            steering: if nine { Steering::Nine } else { Steering::Eight },
            max_speed,
            crash: penalty.map_or(Crash::Out, Crash::Penalty),
            laps,
            contact: Contact::Ghost,
            sand_speed,
        }
    }
}

fn maps() -> impl Strategy<Value = Vec<String>> {
    // Wide ones cross the border between machine words.
    let sizes = prop_oneof![4 => (3_usize..11, 2_usize..8), 1 => (62_usize..68, 2_usize..4)];
    (sizes, 0_u8..3).prop_flat_map(|((width, height), checkpoints)| {
        let symbol = prop_oneof![
            3 => Just('#'), 8 => Just('.'), 2 => Just('~'), 1 => Just('F'), 1 => Just('1'),
        ];
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

    /// Turns and fraction are the least, from the start and from anywhere on a random drive, and
    /// driving the line takes just as long.
    #[test]
    fn no_race_takes_less_time(
        map in maps(), mut rules in rules(), steps in prop::collection::vec(0_usize..9, 0..12),
    ) {
        let rows: Vec<&str> = map.iter().map(String::as_str).collect();
        if !map.iter().any(|row| row.contains('1')) {
            rules.laps = 1;
        }
        let Ok(level) = CheckedLevel::new(level_of(&rows, rules)) else { return Ok(()) };
        let game = Racetrack::new(&level, 1).unwrap();
        let table = ExactTable::build(game.track(), &|| false).unwrap();
        let mut race = game.start(&Chance::new(0)).unwrap();
        for step in steps {
            let choices = game.choices(&race, Seat(0));
            let next = after(&game, race.cars[0], choices[step % choices.len()].0);
            if next.standing == CarStatus::Racing {
                race.cars[0] = next;
            }
        }
        race.cars[0].turns = 0;
        let start = race.cars[0];
        let mut car = start;
        let time = table.time(game.track(), car.cell, car.velocity, car.progress);
        let found = time.map(|time| (time.turns, f64::from(time.num) / f64::from(time.den)));
        prop_assert_eq!(found, least_time(&game, start));
        for made in table.line(game.track(), car.cell, car.velocity, car.progress) {
            car = after(&game, car, made.acceleration);
            prop_assert_eq!(car.cell, made.cell);
        }
        prop_assert_eq!(Racetrack::race_time(&car), time);
    }

    /// A track without problems can be finished from every start, in half the turns that a race may
    /// last; one whose only problem is that something cannot be reached cannot be finished from
    /// that start.
    #[test]
    fn the_limit_leaves_time_to_finish(map in maps(), mut rules in rules()) {
        let rows: Vec<&str> = map.iter().map(String::as_str).collect();
        if !map.iter().any(|row| row.contains('1')) {
            rules.laps = 1;
        }
        let level = level_of(&rows, rules);
        let faults = Racetrack::faults(&level);
        if faults.iter().any(|fault| !matches!(fault.spot, Spot::Cell(_))) {
            return Ok(());
        }
        let track = Track::new(&level);
        let table = ExactTable::build(&track, &|| false).unwrap();
        for &start in track.starts() {
            let turns = table.turns(start, Cell::default(), 0);
            let reaches = faults.iter().all(|fault| fault.spot != Spot::Cell(start));
            prop_assert_eq!(turns.is_some(), reaches, "from {}", start);
            prop_assert!(turns.is_none_or(|turns| 2 * turns < track.turn_limit()));
        }
    }
}

/// Forward and back between two checkpoints at a walking pace, three times.
#[test]
fn more_turns_than_sixteen_bits_hold() {
    let mut map: Vec<String> = Vec::new();
    for row in 0..30 {
        map.push(".".repeat(400));
        let wall = "#".repeat(399);
        map.push(if row % 2 == 0 { format!("{wall}.") } else { format!(".{wall}") });
    }
    map[0].replace_range(0..2, "SF");
    map[58].replace_range(0..1, "1");
    let rows: Vec<&str> = map.iter().map(String::as_str).collect();
    let rules = RaceRules { max_speed: Some(1), laps: 3, ..RaceRules::default() };
    let track = track_of(&rows, rules);
    let table = ExactTable::build(&track, &|| false).unwrap();
    let turns = table.turns(Cell::new(0, 0), Cell::default(), 0).unwrap();
    assert!(turns > u32::from(u16::MAX) && turns < track.turn_limit() / 2, "{turns}");
}

/// Every state is counted once, in the stage of its turns, whatever the number of stages.
#[test]
fn the_sweep_tells_what_each_layer_found() {
    let rules = RaceRules { max_speed: Some(3), ..RaceRules::default() };
    let track = track_of(&["S....", "...#.", "..F.."], rules);
    let table = ExactTable::build(&track, &|| false).unwrap();
    let states: Vec<(Cell, u32)> = (0..3)
        .flat_map(|y| (0..5).map(move |x| Cell::new(x, y)))
        .flat_map(|cell| {
            let table = &table;
            let turns = move |velocity: Cell| Some((cell, table.turns(cell, velocity, 0)?));
            table.velocities.list.clone().into_iter().filter_map(turns)
        })
        .collect();
    assert_eq!(states.len(), table.states());
    let count = |cell: Cell, turns: std::ops::RangeInclusive<u32>| {
        states.iter().filter(|state| state.0 == cell && turns.contains(&state.1)).count() as u64
    };
    for most in [1, 2, 3, 100] {
        let sweep = table.sweep(most);
        assert!(sweep.len() <= most as usize + 1, "{most}");
        assert_eq!((sweep[0].turns, sweep[0].states), (0, 0));
        let last = &sweep[sweep.len() - 1];
        assert_eq!((last.turns, last.states), (table.layers(), table.states() as u64));
        for pair in sweep.windows(2) {
            let [before, stage] = pair else { unreachable!() };
            assert!(before.turns < stage.turns);
            assert_eq!(stage.states, stage.found.iter().map(|(_, count)| count).sum::<u64>());
            for (counts, turns) in
                [(&stage.found, 1..=stage.turns), (&stage.added, before.turns + 1..=stage.turns)]
            {
                assert!(!counts.is_empty());
                let all = counts.iter().map(|(_, count)| count).sum::<u64>();
                let of_these = states.iter().filter(|state| turns.contains(&state.1)).count();
                assert_eq!(all, of_these as u64);
                for &(cell, found) in counts {
                    assert_eq!(found, count(cell, turns.clone()), "{cell:?} {turns:?}");
                }
            }
        }
    }
}
