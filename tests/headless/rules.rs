//! Each rule of a race on a position made by hand.

use super::tracks::{circuit, drive, game, race, race_of_seed, refused, straight, track};
use outwit_core::grid::Cell;
use outwit_core::play::{CheckedLevel, Game};
use outwit_racetrack::{
    CarStatus, Contact, Crash, OutReason, RaceEvent, RaceRules, Racetrack, Steering, TrackFile,
};

fn nine() -> RaceRules {
    RaceRules { steering: Steering::Nine, ..RaceRules::default() }
}

fn level(rows: &[&str], rules: RaceRules) -> TrackFile {
    let level = track(rows, rules);
    game(&level, 1);
    level
}

#[test]
fn a_turn_adds_the_acceleration_and_moves() {
    let mut race = race(&straight(), 1);
    drive(&mut race, 1, 0);
    let state = drive(&mut race, 1, -1);
    assert_eq!((state.cars[0].cell, state.cars[0].velocity), (Cell::new(4, 1), Cell::new(2, -1)));
    assert_eq!(state.cars[0].turns, 2);
}

#[test]
fn steering_eight_forbids_coasting_and_nine_allows_it() {
    assert!(refused(&race(&straight(), 1), 0, 0).unwrap().contains("steering"));
    let classic = TrackFile { rules: nine(), ..straight() };
    assert_eq!(refused(&race(&classic, 1), 0, 0), None);
    assert!(refused(&race(&classic, 1), 2, 0).is_some());
}

#[test]
fn a_car_may_stop() {
    let mut race = race(&straight(), 1);
    drive(&mut race, 1, 0);
    let state = drive(&mut race, -1, 0);
    assert_eq!((state.cars[0].cell, state.cars[0].velocity), (Cell::new(2, 2), Cell::default()));
    assert_eq!(state.cars[0].standing, CarStatus::Racing);
}

#[test]
fn the_speed_limit_is_a_length() {
    let limited = |max_speed| {
        let field = [
            "................",
            ".S..............",
            "................",
            "................",
            "................",
            "................",
            "..............F.",
        ];
        let mut race = race(&level(&field, RaceRules { max_speed, ..nine() }), 1);
        drive(&mut race, 1, 1);
        race
    };
    // (2,2) is longer than 2 though neither part is; (2,1) is longer than 2 as well.
    let two = limited(Some(2));
    assert!(refused(&two, 1, 1).unwrap().contains("speed"));
    assert!(refused(&two, 1, 0).is_some());
    assert_eq!(refused(&two, 1, -1), None);
    assert_eq!(refused(&limited(Some(3)), 1, 1), None);
    assert_eq!(refused(&limited(None), 1, 1), None);
}

#[test]
fn passing_through_a_corner_touches_neither_neighbour() {
    let pinched = ["S#...", "#....", "....F"];
    // Diagonal steps pass exactly between the two walls.
    let mut race = race(&level(&pinched, RaceRules::default()), 1);
    let state = drive(&mut race, 1, 1);
    assert_eq!(state.cars[0].cell, Cell::new(1, 1));
    assert_eq!(state.cars[0].standing, CarStatus::Racing);
}

#[test]
fn a_move_crosses_the_cells_between() {
    // From (0,0) by (2,1): crossed are (1,0), (1,1), (2,1); (1,1) is a wall.
    let walled = ["S...F", "S#...", "....."];
    let at_top = |seed| race_of_seed(&level(&walled, nine()), 1, seed);
    let seed = (0..20).find(|&s| at_top(s).state().cars[0].cell == Cell::new(0, 0)).unwrap();
    let mut race = at_top(seed);
    drive(&mut race, 1, 0);
    // Now at (1,0) with (1,0): (2,1) lands on (3,1) through (2,0) and (2,1): free.
    let state = drive(&mut race, 1, 1);
    assert_eq!(state.cars[0].cell, Cell::new(3, 1));
    let mut race = at_top(seed);
    drive(&mut race, 0, 0);
    drive(&mut race, 1, 0);
    race.rewind(0);
    drive(&mut race, 1, 0);
    // Braking and going down lands on the wall itself.
    let state = drive(&mut race, -1, 1);
    assert_eq!(state.cars[0].standing, CarStatus::Out(OutReason::Crashed));
    assert_eq!(state.cars[0].cell, Cell::new(1, 0));
}

#[test]
fn a_finish_before_a_wall_finishes() {
    // The move from (3,0) by (3,0) crosses the finish at (5,0) and would land outside.
    let short = level(&["S....F"], RaceRules::default());
    let mut race = race(&short, 1);
    drive(&mut race, 1, 0);
    drive(&mut race, 1, 0);
    let state = drive(&mut race, 1, 0);
    // Three cells from (3,0): the finish cell is entered after one and a half of them.
    assert_eq!(state.cars[0].standing, CarStatus::Finished { num: 3, den: 6 });
    assert_eq!(Racetrack::time(&state.cars[0]), Some(2.5));
    let outcome = race.outcome().unwrap();
    assert_eq!((outcome.places[0].rank, outcome.places[0].score), (1, Some(2.5)));
}

#[test]
fn a_wall_before_the_finish_crashes() {
    let mut race = race(&level(&["S.#.F", "....."], RaceRules::default()), 1);
    drive(&mut race, 1, 0);
    let state = drive(&mut race, 1, 0);
    assert_eq!(state.cars[0].standing, CarStatus::Out(OutReason::Crashed));
    assert_eq!(race.outcome().unwrap().places[0].ending, "crashed");
    assert_eq!(race.outcome().unwrap().places[0].score, None);
}

#[test]
fn the_edge_of_the_world_is_a_crash() {
    let mut race = race(&straight(), 1);
    for _ in 0..3 {
        if race.outcome().is_none() {
            drive(&mut race, -1, 0);
        }
    }
    assert_eq!(race.state().cars[0].standing, CarStatus::Out(OutReason::Crashed));
}

#[test]
fn a_penalty_puts_back_at_rest_and_costs_turns() {
    let rules = RaceRules { crash: Crash::Penalty(2), ..RaceRules::default() };
    let mut race = race(&TrackFile { rules, ..circuit(RaceRules::default()) }, 2);
    let start = race.state().cars[0].cell;
    drive(&mut race, 0, -1);
    if race.state().cars[0].cell != start {
        drive(&mut race, 1, 0);
        drive(&mut race, 0, -1);
    }
    let crashed = race.state().cars[0];
    assert_eq!(crashed.standing, CarStatus::Racing);
    assert_eq!(crashed.velocity, Cell::default());
    assert_eq!(crashed.waiting, 2);
    assert_eq!(crashed.cell.y, 1, "the last row of the track");
    assert!(
        race.turns()
            .last()
            .unwrap()
            .events
            .iter()
            .any(|event| matches!(event, RaceEvent::Crashed { at, .. } if *at == crashed.cell))
    );
    // Twice the other car drives while this one waits, and once more before its own turn.
    let before = crashed.turns;
    for (x, y) in [(1, 0), (-1, 0), (1, 0)] {
        assert_eq!(race.to_move(), [outwit_core::play::Seat(1)]);
        drive(&mut race, x, y);
    }
    assert_eq!(race.to_move(), [outwit_core::play::Seat(0)]);
    assert_eq!(race.state().cars[0].turns, before);
}

#[test]
fn checkpoints_and_laps_count_in_order_only() {
    // To and fro on one line: 1 and 2 and the finish.
    let line = |laps| level(&["F.1.S.2."], RaceRules { laps, crash: Crash::Penalty(0), ..nine() });
    let mut race = race(&line(2), 1);
    let mut step = |x: i32| {
        // One cell a turn: get going, and stop.
        drive(&mut race, x, 0);
        drive(&mut race, -x, 0).cars[0]
    };
    assert_eq!((step(1).progress, step(1).progress), (0, 0), "2 before 1 does not count");
    for _ in 0..3 {
        step(-1);
    }
    assert_eq!(step(-1).progress, 1, "checkpoint 1");
    step(-1);
    assert_eq!(step(-1).progress, 1, "the finish before 2 does not count");
    for _ in 0..5 {
        step(1);
    }
    assert_eq!(step(1).progress, 2, "checkpoint 2");
    for _ in 0..5 {
        step(-1);
    }
    let first_lap = step(-1);
    assert_eq!((first_lap.progress, first_lap.standing), (3, CarStatus::Racing), "one lap done");
    for _ in 0..6 {
        step(1);
    }
    for _ in 0..5 {
        step(-1);
    }
    assert_eq!(race.state().cars[0].progress, 5);
    let state = drive(&mut race, -1, 0);
    assert_eq!(state.cars[0].standing, CarStatus::Finished { num: 1, den: 2 });
}

/// Two cars on two lanes of this kind.
fn duel(upper: &str, lower: &str) -> outwit_core::play::Match<Racetrack> {
    let two = level(&[upper, lower], RaceRules::default());
    let seed = (0..50)
        .find(|&seed| race_of_seed(&two, 2, seed).state().cars[0].cell.y == 0)
        .expect("some seed puts car1 above");
    race_of_seed(&two, 2, seed)
}

#[test]
fn equal_fractions_share_the_place() {
    let mut race = duel("S...F.", "S...F.");
    for _ in 0..3 {
        if race.outcome().is_none() {
            drive(&mut race, 1, 0);
            drive(&mut race, 1, 0);
        }
    }
    let outcome = race.outcome().unwrap();
    assert_eq!([outcome.places[0].rank, outcome.places[1].rank], [1, 1]);
    assert!(outcome.headline.contains("share"), "{}", outcome.headline);
}

#[test]
fn the_smaller_fraction_of_the_same_turn_wins() {
    // The second move, two cells long, enters the finish after half a cell or after one and a half.
    let mut race = duel("S..F....", "S.F.....");
    for _ in 0..2 {
        drive(&mut race, 1, 0);
        drive(&mut race, 1, 0);
    }
    let outcome = race.outcome().unwrap();
    assert_eq!([outcome.places[0].score, outcome.places[1].score], [Some(1.75), Some(1.25)]);
    assert_eq!([outcome.places[0].rank, outcome.places[1].rank], [2, 1]);
    assert!(outcome.headline.contains("car2"), "{}", outcome.headline);
}

#[test]
fn who_finishes_is_ahead_of_who_crashes() {
    let mut race = duel("S..F....", "S.F.....");
    drive(&mut race, 1, 0);
    drive(&mut race, -1, 0);
    drive(&mut race, 1, 0);
    let outcome = race.outcome().unwrap();
    assert_eq!([outcome.places[0].rank, outcome.places[1].rank], [1, 2]);
}

#[test]
fn blocking_cars_do_not_land_on_each_other() {
    let rules = RaceRules { contact: Contact::Block, ..nine() };
    let row = level(&["SS......F"], rules.clone());
    let seed = (0..50)
        .find(|&seed| race_of_seed(&row, 2, seed).state().cars[0].cell.x == 0)
        .expect("some seed puts car1 behind");
    let race = race_of_seed(&row, 2, seed);
    assert!(refused(&race, 1, 0).unwrap().contains("another car"));
    assert_eq!(refused(&race, 0, 0), None);
    let ghosts = TrackFile { rules: nine(), ..row };
    assert_eq!(refused(&race_of_seed(&ghosts, 2, seed), 1, 0), None);
    let crowd = CheckedLevel::new(TrackFile { rules, ..straight() }).unwrap();
    assert!(Racetrack::new(&crowd, 2).is_err(), "one start cell is not enough for two");
}

#[test]
fn a_boxed_in_car_stays_where_it_is() {
    // Speed at most 1 and no coasting: from rest every move ends on one of the four neighbours.
    let rules = RaceRules { contact: Contact::Block, max_speed: Some(1), ..RaceRules::default() };
    let plus = level(&["..S..", ".SSS.", "..S.F"], rules);
    let middle = Cell::new(2, 1);
    let seed = (0..200)
        .find(|&seed| race_of_seed(&plus, 5, seed).state().cars[0].cell == middle)
        .expect("some seed puts car1 into the middle");
    let mut race = race_of_seed(&plus, 5, seed);
    let state = drive(&mut race, 1, 0);
    assert_eq!((state.cars[0].cell, state.cars[0].velocity), (middle, Cell::default()));
    assert_eq!((state.cars[0].turns, state.cars[0].standing), (1, CarStatus::Racing));
    assert_eq!(race.turns()[0].events, [RaceEvent::BoxedIn { seat: outwit_core::play::Seat(0) }]);
}

#[test]
fn a_car_at_rest_is_not_forced_off_the_track() {
    let rules = RaceRules { contact: Contact::Block, ..RaceRules::default() };
    let corner = level(&["SS..", "#S.F"], rules);
    let in_the_corner = |cars: usize| {
        (0..50)
            .map(|seed| race_of_seed(&corner, cars, seed))
            .find(|race| race.state().cars[0].cell == Cell::new(0, 0))
            .expect("some seed puts car1 into the corner")
    };
    let mut race = in_the_corner(3);
    // Two moves would end on the other cars, all others leave the track.
    let state = drive(&mut race, -1, 0);
    assert_eq!((state.cars[0].cell, state.cars[0].velocity), (Cell::new(0, 0), Cell::default()));
    assert_eq!((state.cars[0].turns, state.cars[0].standing), (1, CarStatus::Racing));
    // Where one move is free it has to choose, and may choose badly.
    let mut race = in_the_corner(2);
    let state = drive(&mut race, 0, -1);
    assert_eq!(state.cars[0].standing, CarStatus::Out(OutReason::Crashed));
}

#[test]
fn the_seed_draws_the_start() {
    let level = circuit(RaceRules { laps: 1, ..RaceRules::default() });
    let cells = |seed| {
        race_of_seed(&level, 2, seed).state().cars.iter().map(|c| c.cell).collect::<Vec<_>>()
    };
    for seed in 0..20 {
        assert_eq!(cells(seed), cells(seed));
        assert_ne!(cells(seed)[0], cells(seed)[1], "as long as there are enough start cells");
    }
    assert!((0..20).any(|seed| cells(seed) != cells(0)));
}

#[test]
fn cars_start_at_rest_and_one_to_six_may_race() {
    let level = straight();
    assert!(race(&level, 6).state().cars.iter().all(|car| car.velocity == Cell::default()));
    let level = CheckedLevel::new(level).unwrap();
    assert!(Racetrack::new(&level, 0).is_err());
    assert!(Racetrack::new(&level, 7).is_err());
}

#[test]
fn faulty_tracks_are_refused() {
    let refuse = |rows: &[&str], rules: RaceRules, says: &str| {
        let faults = CheckedLevel::<Racetrack>::new(track(rows, rules)).unwrap_err();
        assert!(faults[0].to_string().contains(says), "{faults:?}: {says}");
    };
    let usual = RaceRules::default;
    refuse(&["...F"], usual(), "no start");
    refuse(&["S..."], usual(), "no finish");
    refuse(&["S.#F"], usual(), "reached");
    refuse(&["S.2F"], usual(), "checkpoint 1");
    refuse(&["S.?F"], usual(), "'?'");
    refuse(&["S..F", ".."], usual(), "row 1");
    refuse(&[], usual(), "empty");
    refuse(&["S..F"], RaceRules { laps: 2, ..usual() }, "checkpoint");
    refuse(&["S..F"], RaceRules { max_speed: Some(0), ..usual() }, "max_speed");
    refuse(&["S..F"], RaceRules { crash: Crash::Penalty(100), ..usual() }, "crash");
    let wide = "S".repeat(600) + "F";
    refuse(&[&wide], usual(), "512");
}
