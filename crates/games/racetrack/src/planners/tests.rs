//! The drivers on every built-in track.

#![allow(clippy::unwrap_used)]

mod corridors;
mod rivals;

use super::*;
use crate::{Accelerate, Contact, Crash, RaceRules, RaceView, Steering, Track, TrackFile, Walk};
use corridors::{corridors, with_sand};
use outwit_core::grid::Cell;
use outwit_core::levels::read_ron;
use outwit_core::platform::time::Duration;
use outwit_core::play::{
    Budget, Chance, CheckedLevel, Clock, Game, Match, Planner, PlannerContext, PlannerSpec,
    Progress, Review, Seat, StopFlag, Value, analyse,
};
use outwit_core::tournament::{GameRecord, Lineup, play_games};
use outwit_kit::{GameSpec, SearchEnd, SearchLimits};
use outwit_levels::list_with;
use proptest::prelude::*;
use std::sync::Arc;

fn built_in_tracks() -> Vec<(String, TrackFile)> {
    list_with(None, Racetrack::ID)
        .into_iter()
        .map(|entry| (entry.id.clone(), read_ron(&entry.bytes().unwrap()).unwrap()))
        .collect()
}

/// The races of these line-ups, each with each seed.
fn races(level: &TrackFile, players: &[&[&str]], seeds: &[u64]) -> Vec<GameRecord<Racetrack>> {
    let lineups: Vec<Lineup> = players
        .iter()
        .flat_map(|names| {
            let players: Vec<_> = names.iter().map(|&name| name.into()).collect();
            seeds.iter().map(move |&seed| Lineup { players: players.clone(), seed })
        })
        .collect();
    let stop = StopFlag::default();
    let level = CheckedLevel::new(level.clone()).unwrap();
    play_games(&level, ALL, &lineups, Budget::Work(20_000), &stop, |_| {}).unwrap()
}

const NAMES: [&str; 5] = ["greedy", "novice", "clubman", "ace", "optimal"];

/// The searches against the exact table on fifty tracks with all rules.
#[test]
fn searches_find_what_they_promise() {
    let limits = SearchLimits { memory: 1 << 30, time: Duration::MAX, runs: 1 };
    let (mut fewer, mut worse, mut again) = (0, 0, 0);
    for seed in 0..50 {
        let level = corridors(1 + seed as usize % 4, Contact::Ghost, 70_000 + seed);
        let has_penalty = matches!(level.rules.crash, Crash::Penalty(_));
        let level = CheckedLevel::new(level).unwrap();
        let game = Racetrack::new(&level, 1).unwrap();
        let table = game.exact_table(&|| false).unwrap();
        let start = game.track().starts()[0];
        let least = table.time(game.track(), start, Cell::default(), 0).unwrap();
        let of = |name: &str| {
            let found = measure(&level, name, limits, &StopFlag::default()).unwrap();
            assert_eq!((found.end, found.proved), (SearchEnd::Solved, false), "{name} {seed}");
            // Whole turns, the last one counted in full.
            (found.length.unwrap().floor() as u32 + 1, found)
        };
        let turns = least.turns;
        let (uniform, astar) = (of("uniform-cost"), of("astar-turns"));
        assert_eq!((uniform.0, astar.0), (turns, turns), "{seed}");
        assert!(astar.1.expanded <= uniform.1.expanded, "{seed}");
        for (settings, most) in [
            ("ties=fifo", turns),
            ("ties=lifo", turns),
            ("weight=2", 2 * turns),
            ("weight=10,ties=fifo", 10 * turns),
        ] {
            let found = of(&format!("astar-turns:{settings}")).0;
            assert!((turns..=most).contains(&found), "{seed}, {settings}: {found}, {turns}");
        }
        fewer += usize::from(2 * astar.1.expanded < uniform.1.expanded);
        let breadth = of("breadth-first");
        assert!(
            breadth.0 >= turns && (has_penalty || breadth.0 == turns),
            "{seed}: {breadth:?}, {turns}"
        );
        for found in [uniform.1, astar.1, breadth.1, of("greedy").1] {
            assert_eq!(found.expanded_again, 0, "{seed}");
        }
        let cells = of("astar-cells");
        worse += usize::from(cells.0 > turns);
        again += cells.1.expanded_again;
    }
    println!(
        "A* expands less than half on {fewer} tracks; by cells it is slower on {worse}, {again} again"
    );
    assert!(fewer > 10 && worse > 10, "{fewer} {worse}");
}

/// Narrow and wide, with all rules: everybody finishes, and nobody before the optimum.
#[test]
fn everybody_finishes_every_track() {
    let alone: Vec<[&str; 1]> = NAMES.map(|name| [name]).to_vec();
    let alone: Vec<&[&str]> = alone.iter().map(|names| names.as_slice()).collect();
    for width in [1, 2, 4] {
        for seed in 0..12 {
            let mut level = corridors(width, Contact::Ghost, 40_000 + seed);
            if seed % 3 == 0 {
                level = with_sand(level, seed);
            }
            let records = races(&level, &alone, &[seed]);
            let time = |at: usize| records[at].outcome.places[0].score;
            for (at, name) in NAMES.iter().enumerate() {
                assert!(time(at).is_some(), "{name}, width {width}, seed {seed}");
                assert!(time(at) >= time(4), "{name}, width {width}, seed {seed}");
            }
        }
    }
}

/// Under the same lights, from the same grid: nobody is ahead of the optimum from the same cell.
#[test]
fn nobody_beats_optimal_on_time() {
    for (id, level) in built_in_tracks() {
        let mut level = level;
        level.set_cells(&one_start(&level));
        for rival in ["greedy", "novice", "clubman", "ace"] {
            for record in races(&level, &[&["optimal", rival]], &[20_001]) {
                let places = &record.outcome.places;
                assert_eq!(places[0].rank, 1, "{rival} on {id}: {places:?}");
            }
        }
    }
}

/// The cells of a level of whose starts only the first is left, so that nobody starts ahead.
fn one_start(level: &TrackFile) -> outwit_core::grid::Grid<char> {
    let mut cells = level.cells('#');
    for symbol in cells.as_mut_slice().iter_mut().filter(|symbol| **symbol == 'S').skip(1) {
        *symbol = '.';
    }
    cells
}

/// Three cars in a maze of one lane once stood in each other's way for ever.
#[test]
fn a_deadlock_is_broken() {
    let level = TrackFile {
        rules: RaceRules {
            steering: Steering::Nine,
            max_speed: Some(1),
            crash: Crash::Penalty(0),
            laps: 1,
            contact: Contact::Block,
            ..RaceRules::default()
        },
        map: ["F#31", ".#1S", ".2SS", "S.F."].map(str::to_owned).to_vec(),
        ..corridors(1, Contact::Block, 0)
    };
    let seeds: Vec<u64> = (0..20).collect();
    for record in races(&level, &[&["optimal"; 3], &["optimal", "ace", "greedy"]], &seeds) {
        assert_finished(&record, "deadlock");
    }
}

fn assert_finished(record: &GameRecord<Racetrack>, what: &str) {
    for (place, player) in record.outcome.places.iter().zip(&record.lineup.players) {
        assert!(
            place.score.is_some(),
            "{what}, seed {}: {} {}",
            record.lineup.seed,
            player.name(),
            place.ending
        );
    }
}

/// Nobody is forced off the track and nobody waits for ever, in corridors or at full speed.
#[test]
fn cars_that_block_each_other_all_finish() {
    let lineups: [&[&str]; 2] = [&["optimal", "optimal"], &["ace", "optimal"]];
    for width in [1, 2, 4] {
        for seed in 0..12 {
            let mut level = corridors(width, Contact::Block, 60_000 + seed);
            if seed % 3 == 0 {
                level = with_sand(level, seed);
            }
            for record in races(&level, &lineups, &[1, 2]) {
                assert_finished(&record, &format!("width {width}, track {seed}"));
            }
        }
    }
    for (id, mut level) in built_in_tracks() {
        level.rules.contact = Contact::Block;
        let cars = ["optimal"; 4];
        let starts = Track::new(&level).starts().len();
        let cars = cars.get(..starts).unwrap_or(&cars);
        // With these seeds some cars start with others in all their ways.
        for record in races(&level, &[cars], &[3, 300, 301, 302, 303]) {
            assert_finished(&record, &id);
        }
    }
}

/// On every track, who sees more and errs less is faster on the mean of some seeds that nobody was
/// tuned on.
#[test]
fn the_ladder_holds() {
    for (id, level) in built_in_tracks() {
        // At full speed down a straight a late reaction costs most, so times vary most there. On a
        // long road they vary least, and races take longest.
        let races_each = match id.as_str() {
            "racetrack/drag-strip" => 40,
            "racetrack/grand-tour" | "racetrack/winding" => 6,
            _ => 10,
        };
        let seeds: Vec<u64> = (20_001..20_001 + races_each).collect();
        let mean = |name: &str| {
            let records = races(&level, &[&[name]], &seeds);
            records.iter().map(|r| r.outcome.places[0].score.unwrap()).sum::<f64>()
        };
        let [novice, clubman, ace] = ["novice", "clubman", "ace"].map(mean);
        assert!(novice > clubman && clubman > ace, "{id}: {novice} {clubman} {ace}");
    }
}

/// Under low speed limits too, ace is ahead of greedy, who never brakes in time but never reacts late either.
#[test]
fn ace_stays_ahead_of_greedy_under_speed_limits() {
    for (limit, ids) in
        [(2, ["switchback", "spiral"]), (3, ["pretzel", "switchback"]), (5, ["spiral", "harbour"])]
    {
        for (id, mut level) in built_in_tracks() {
            if !ids.iter().any(|name| id.ends_with(name)) {
                continue;
            }
            level.rules.max_speed = Some(limit);
            let time = |name: &str| {
                let records = races(&level, &[&[name]], &[20_001, 20_002]);
                records.iter().map(|r| r.outcome.places[0].score.unwrap()).sum::<f64>()
            };
            let [ace, greedy] = ["ace", "greedy"].map(time);
            assert!(ace < greedy, "{id} at {limit}: {ace} {greedy}");
        }
    }
}

/// Where a track is narrow and slow at once, there is little to gain by looking ahead and greedy is never
/// late, so it beats novice and even clubman. The others keep their order.
#[test]
fn on_slow_narrow_tracks_greedy_beats_novice_and_clubman() {
    let mut sums = [0.0; 5];
    for track in 0..24 {
        let mut level = corridors(1 + track as usize % 3, Contact::Ghost, 70_000 + track);
        level.rules.max_speed = Some(2);
        level.set_cells(&one_start(&level));
        for (sum, name) in sums.iter_mut().zip(NAMES) {
            let records = races(&level, &[&[name]], &[20_001, 20_002]);
            *sum += records.iter().map(|r| r.outcome.places[0].score.unwrap()).sum::<f64>();
        }
    }
    let [greedy, novice, clubman, ace, optimal] = sums;
    let order = [novice, clubman, greedy, ace, optimal];
    assert!(order.is_sorted_by(|slower, faster| slower > faster), "{order:?}");
}

/// Prints how the drivers compare on random tracks of all kinds; the manual has the figures in a table.
#[test]
#[ignore = "prints measures"]
fn drivers_on_random_tracks() {
    // Those that never err drive each track once.
    let races_each = [1, 24, 24, 1, 1];
    for width in 1..=6 {
        for track in 0..10 {
            let mut level = corridors(width, Contact::Ghost, 190_000 + 100 * width as u64 + track);
            level.rules.max_speed = level.rules.max_speed.map(|limit| limit.max(2));
            level.set_cells(&one_start(&level));
            let mean = |(name, races_each): (&str, u64)| {
                let seeds: Vec<u64> = (30_001..30_001 + races_each).collect();
                let records = races(&level, &[&[name]], &seeds);
                let times = records.iter().map(|r| r.outcome.places[0].score.unwrap());
                times.sum::<f64>() / races_each as f64
            };
            let means: Vec<f64> = NAMES.into_iter().zip(races_each).map(mean).collect();
            let [_, drivers @ ..] = &means[..] else { continue };
            let order = if drivers.is_sorted_by(|a, b| a >= b) { "in order" } else { "not" };
            println!("width {width} {:?} {NAMES:?} {means:.2?} {order}", level.rules);
        }
    }
}

/// Who cannot do once more what it did last, since that would be too fast, does not brake instead.
#[test]
fn a_late_reaction_at_full_speed_is_to_go_on() {
    let edge = "#".repeat(30);
    let level = TrackFile {
        rules: RaceRules { max_speed: Some(2), steering: Steering::Nine, ..RaceRules::default() },
        map: vec![edge.clone(), format!("#S{}F#", ".".repeat(26)), edge],
        ..corridors(1, Contact::Ghost, 0)
    };
    let level = CheckedLevel::new(level).unwrap();
    let game = Arc::new(Racetrack::new(&level, 1).unwrap());
    let chance = Chance::new(1);
    let mut race = game.start(&chance).unwrap();
    let context = PlannerContext { game: Arc::clone(&game), seat: Seat(0), seed: 1 };
    let habits = ahead::Habits { lapses: 100, ..ahead::NOVICE };
    let mut driver = ahead::Ahead::new(context, habits);
    for (driven, wanted) in [(Cell::new(1, 0), 1), (Cell::new(1, 0), 0), (Cell::new(0, 0), 0)] {
        driver.observe(&RaceView { race: race.clone(), seat: Seat(0) });
        game.advance(&mut race, &[(Seat(0), Accelerate(driven))], &chance, &mut Vec::new());
        driver.observe(&RaceView { race: race.clone(), seat: Seat(0) });
        assert_eq!(driver.best(), Accelerate(Cell::new(wanted, 0)), "after {driven}");
    }
}

fn review_of(played: &Match<Racetrack>) -> Review {
    outwit_kit::review(played, &StopFlag::default()).unwrap()
}

/// Nobody crashes, nobody beats the optimum, and the review adds up to what was driven.
#[test]
fn everybody_finishes_on_an_empty_track() {
    for (id, level) in built_in_tracks() {
        let lineups: Vec<Lineup> =
            ALL.iter().map(|spec| Lineup { players: vec![spec.name.into()], seed: 7 }).collect();
        let budget = Budget::Work(100_000);
        let stop = StopFlag::default();
        let level = CheckedLevel::new(level).unwrap();
        let records = play_games(&level, ALL, &lineups, budget, &stop, |_| {}).unwrap();
        for record in records {
            let name = record.lineup.players[0].name();
            assert_eq!(record.outcome.places[0].ending, "finished", "{name} on {id}");
            assert_eq!(record.stats[0].illegal, 0, "{name} on {id}");
            let review = review_of(&record.replay.play().unwrap());
            let seat = &review.seats[0];
            let (perfect, reached) = (seat.perfect.unwrap(), seat.reached.unwrap());
            let lost: f64 = seat.moves.iter().map(|m| m.cost.unwrap()).sum();
            assert!((reached - perfect - lost).abs() < 1e-9, "{name} on {id}");
            assert!(seat.moves.iter().all(|m| m.cost.unwrap() >= 0.0), "{name} on {id}");
            if name == "optimal" {
                assert!(lost == 0.0, "{id}: optimal lost {lost} turns");
            }
        }
    }
}

/// A driver of the first car, ready to race.
fn driver(
    spec: &PlannerSpec<Racetrack>,
    game: &Arc<Racetrack>,
    seed: u64,
) -> Box<dyn Planner<Racetrack>> {
    let context = PlannerContext { game: Arc::clone(game), seat: Seat(0), seed };
    let mut driver = (spec.make)(context);
    assert_eq!(driver.prepare(&Clock::unlimited()), Progress::Done);
    driver
}

fn think_in_slices(spec: &PlannerSpec<Racetrack>, game: &Arc<Racetrack>, slice: u64) -> Vec<Cell> {
    let mut planner = driver(spec, game, 1);
    let chance = Chance::new(3);
    let mut race = game.start(&chance).unwrap();
    let mut driven = Vec::new();
    while game.outcome(&race).is_none() && driven.len() < 12 {
        planner.observe(&RaceView { race: race.clone(), seat: Seat(0) });
        assert!(game.legal(&race, Seat(0), &planner.best()).is_ok(), "{}", spec.name);
        let clock = Clock::work(3_000);
        loop {
            clock.slice_of_work(slice);
            let progress = planner.think(&clock);
            assert!(game.legal(&race, Seat(0), &planner.best()).is_ok(), "{}", spec.name);
            if progress == Progress::Done || clock.is_over() {
                break;
            }
        }
        let action = planner.best();
        driven.push(action.0);
        game.advance(&mut race, &[(Seat(0), action)], &chance, &mut Vec::new());
    }
    driven
}

#[test]
fn slicing_changes_nothing() {
    let (_, level) =
        built_in_tracks().into_iter().find(|(id, _)| id.ends_with("first-lap")).unwrap();
    let game = Arc::new(Racetrack::new(&CheckedLevel::new(level).unwrap(), 1).unwrap());
    for spec in ALL {
        let whole = think_in_slices(spec, &game, u64::MAX);
        for slice in [1, 7, 100] {
            assert_eq!(think_in_slices(spec, &game, slice), whole, "{}", spec.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// Asked about any state at all, even a hopeless one, every driver answers legally.
    #[test]
    fn any_state_gets_a_legal_answer(
        seed in 0_u64..50, steps in prop::collection::vec(0_usize..8, 0..25),
    ) {
        let (_, level) =
            built_in_tracks().into_iter().find(|(id, _)| id.ends_with("islands")).unwrap();
        let game = Arc::new(Racetrack::new(&CheckedLevel::new(level).unwrap(), 1).unwrap());
        let chance = Chance::new(seed);
        let mut race = game.start(&chance).unwrap();
        for step in steps {
            let choices = game.choices(&race, Seat(0));
            let action = choices[step % choices.len()];
            let car = race.cars[0];
            if !matches!(
                game.track().walk(car.cell, car.velocity + action.0, car.progress),
                Walk::Lands(_)
            ) {
                break;
            }
            game.advance(&mut race, &[(Seat(0), action)], &chance, &mut Vec::new());
        }
        for spec in ALL {
            let mut planner = driver(spec, &game, seed);
            planner.observe(&RaceView { race: race.clone(), seat: Seat(0) });
            prop_assert!(game.legal(&race, Seat(0), &planner.best()).is_ok());
            let _ = planner.think(&Clock::work(500));
            prop_assert!(game.legal(&race, Seat(0), &planner.best()).is_ok());
            let _ = planner.insight();
        }
    }
}

/// A track drawn by hand on which drivers once went to and fro for ever: after the checkpoint the
/// shortest way leads back, so that crossing it a turn later looked just as good, every turn.
#[rustfmt::skip]
const PUT_OFF: &[&str] = &[
    "######################1#########################",
    "################......1.......##################",
    "##########............1..............###########",
    "########..............1................#########",
    "#######...............1...................######",
    "#####.................1.....................####",
    "####..................1......................###",
    "###................########..................###",
    "###..........#####################............##",
    "###........#########################..........##",
    "###.......#############################.......##",
    "###......###############################......##",
    "###......###############################.......#",
    "###......###############################.......#",
    "###......###############################.......#",
    "###......###############################.......#",
    "###......###############################.......#",
    "###......###############################.......#",
    "###......###############################......##",
    "###......##############################.......##",
    "###......##############################.......##",
    "###......#############################........##",
    "###......############################........###",
    "###......##########################..........###",
    "###.............F............................###",
    "###.............F.S.........................####",
    "###.............F..........................#####",
    "###.............F.S......................#######",
    "####............F.......................########",
    "#####...........F.....................##########",
];

#[test]
fn nobody_puts_off_what_is_near() {
    let map = PUT_OFF.iter().map(|&row| row.to_owned()).collect();
    let level = TrackFile { map, ..built_in_tracks().remove(0).1 };
    let game = Arc::new(Racetrack::new(&CheckedLevel::new(level).unwrap(), 1).unwrap());
    for spec in Racetrack::planners() {
        let mut played = Match::new(Arc::clone(&game), 1).unwrap();
        let mut driver = driver(spec, &game, 1);
        while played.outcome().is_none() && played.len() < 40 {
            driver.observe(&game.observe(&[], played.state(), Seat(0)));
            driver.think(&Clock::work(20_000));
            played.advance(vec![(Seat(0), driver.best())]).unwrap();
        }
        assert!(played.outcome().is_some(), "{} still drives, the optimum is 26", spec.name);
    }
}

/// The analysis follows the sweep back from the finish, and knows a position from its own turns on.
#[test]
fn an_analysis_of_optimal_shows_how_the_table_was_made() {
    let level = corridors(2, Contact::Ghost, 40_000);
    let level = CheckedLevel::new(level).unwrap();
    let game = Arc::new(Racetrack::new(&level, 1).unwrap());
    let chance = Chance::new(0);
    let seat = Seat(0);
    let seen = RaceView { race: game.start(&chance).unwrap(), seat };
    let spec = ALL.iter().find(|spec| spec.name == "optimal").unwrap();
    let context = PlannerContext { game: Arc::clone(&game), seat, seed: 0 };
    let mut snapshots = Vec::new();
    let stop = StopFlag::default();
    analyse(spec, context, &seen, Budget::Work(1), &stop, |one| snapshots.push(one)).unwrap();
    let table = game.exact_table(&|| false).unwrap();
    let (car, track) = (*seen.car(), game.track());
    let time = table.time(track, car.cell, car.velocity, car.progress).unwrap();
    let (last, sweep) = snapshots.split_last().unwrap();
    assert!(last.done && last.work == table.states() as u64, "{}", last.work);
    assert_eq!(sweep.len(), table.layers() as usize + 1);
    for (turns, stage) in (0..).zip(sweep) {
        let known = turns >= time.turns;
        assert!(!stage.done);
        assert_eq!(stage.line.value, known.then(|| Value::Score(time.in_turns())), "{turns}");
        assert_eq!(stage.insight.notes.is_empty(), known);
        assert_eq!(stage.insight.paths.is_empty(), !known);
        assert_eq!(stage.insight.counters[0].value, f64::from(turns));
        if known {
            assert_eq!((stage.best, &stage.line.actions), (last.best, &last.line.actions));
        }
    }
    assert!(sweep.windows(2).all(|pair| pair[0].work < pair[1].work));
}

/// On the first track a crash is the fastest way to stop, and stands in the line of optimal as it is driven.
#[test]
fn the_line_of_optimal_can_be_driven() {
    for name in ["first-drive", "tiny"] {
        let id = format!("racetrack/{name}");
        let (_, level) = built_in_tracks().into_iter().find(|(other, _)| *other == id).unwrap();
        let game = Arc::new(Racetrack::new(&CheckedLevel::new(level).unwrap(), 1).unwrap());
        let mut planner = driver(ALL.last().unwrap(), &game, 1);
        let chance = Chance::new(3);
        let mut race = game.start(&chance).unwrap();
        planner.observe(&RaceView { race: race.clone(), seat: Seat(0) });
        let line = planner.line();
        for action in line.actions {
            while game.to_move(&race).is_empty() {
                game.advance(&mut race, &[], &chance, &mut Vec::new());
            }
            assert_eq!(game.legal(&race, Seat(0), &action), Ok(()), "{name}");
            game.advance(&mut race, &[(Seat(0), action)], &chance, &mut Vec::new());
        }
        let place = game.outcome(&race).unwrap().places.remove(0);
        assert_eq!(place.score.map(Value::Score), line.value, "{name}");
    }
}
