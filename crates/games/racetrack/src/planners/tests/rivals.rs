//! The rival loses what it is told, by the review.

use super::*;
use outwit_core::play::PlannerMaker;

/// Turns lost and moves made in races of a player alone, by the review.
fn lost(level: &TrackFile, player: &str, seeds: &[u64]) -> (f64, usize) {
    let records = races(level, &[&[player]], seeds);
    records.iter().fold((0.0, 0), |(lost, moves), record| {
        assert_finished(record, player);
        let seat = review_of(&record.replay.play().unwrap()).seats.remove(0);
        let costs = seat.moves.iter().map(|made| made.cost.unwrap()).sum::<f64>();
        (lost + costs, moves + seat.moves.len())
    })
}

/// Over many races on tracks of all kinds, the loss per move is the one asked for.
#[test]
fn a_rival_loses_what_it_is_told() {
    for asked in [0.0, 0.05, 0.2, 0.5] {
        let (mut lost_turns, mut moves) = (0.0, 0);
        // Each race has a seed of its own: the same dice on all tracks would err at the same turns.
        let mut seeds = (50_000..).step_by(8).map(|first| (first..first + 8).collect::<Vec<u64>>());
        for width in 1..=5 {
            for track in 0..6 {
                let level = corridors(width, Contact::Ghost, 230_000 + 100 * width as u64 + track);
                let seeds = seeds.next().unwrap();
                let (lost, made) = lost(&level, &format!("rival:{asked}"), &seeds);
                (lost_turns, moves) = (lost_turns + lost, moves + made);
            }
        }
        let measured = lost_turns / moves as f64;
        assert!((measured - asked).abs() <= 0.1 * asked, "{asked}: {measured} of {moves} moves");
    }
}

/// Prints the loss of rivals by track; the manual has the figures.
#[test]
#[ignore = "prints measures"]
fn loss_of_rivals() {
    let mut first = 60_001;
    let mut print = |name: &str, level: &TrackFile| {
        let seeds: Vec<u64> = (first..first + 20).collect();
        first += 20;
        let row = [0.02, 0.05, 0.1, 0.2, 0.4, 0.75].map(|asked| {
            let (lost, moves) = lost(level, &format!("rival:{asked}"), &seeds);
            (lost, moves)
        });
        let people = ["novice", "clubman", "ace"].map(|name| lost(level, name, &seeds[..10]));
        println!("{name} {row:?} {people:?}");
    };
    for (id, level) in built_in_tracks() {
        print(&id, &level);
    }
    for width in 1..=6 {
        for track in 0..10 {
            let level = corridors(width, Contact::Ghost, 250_000 + 100 * width as u64 + track);
            print(&format!("random {width}"), &level);
        }
    }
}

#[test]
fn without_a_number_a_rival_drives_like_novice() {
    let level = corridors(3, Contact::Ghost, 230_300);
    let driven = |player: &str| {
        let records = races(&level, &[&[player]], &[5, 6, 7]);
        records.iter().map(|r| r.replay.play().unwrap().states().to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(driven("rival"), driven("novice"));
    assert_ne!(driven("rival:0.2"), driven("novice"));
}

/// The same seed gives the same race, and the replay holds who drove and plays as it was driven.
#[test]
fn a_race_of_a_rival_is_reproduced() {
    let level = corridors(4, Contact::Block, 230_401);
    let players: &[&[&str]] = &[&["rival:0.15", "rival:0.4"]];
    let (one, other) = (races(&level, players, &[9]), races(&level, players, &[9]));
    let states =
        |records: &[GameRecord<Racetrack>]| records[0].replay.play().unwrap().states().to_vec();
    assert_eq!(states(&one), states(&other));
    assert_eq!(one[0].replay.seats, ["rival:0.15", "rival:0.4"]);
    assert_ne!(states(&one), states(&races(&level, players, &[10])));
}

#[test]
fn a_strength_out_of_range_is_refused() {
    for (player, words) in [
        ("rival:0.76", "from 0 to 0.75"),
        ("rival:-1", "from 0 to 0.75"),
        ("rival:fast", "from 0 to 0.75"),
        ("rivals", "no planner 'rivals'"),
    ] {
        let error = PlannerMaker::<Racetrack>::of(ALL, player, Seat(0)).err().unwrap().0;
        assert!(error.contains(words), "{player}: {error}");
    }
}
