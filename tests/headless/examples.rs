//! The programs in `examples` run, and show what they are there to show.

#[path = "../../examples/own_level.rs"]
#[allow(dead_code)]
mod own_level;
#[path = "../../examples/own_planner.rs"]
#[allow(dead_code)]
mod own_planner;
#[path = "../../examples/own_search.rs"]
#[allow(dead_code)]
mod own_search;
#[path = "../../examples/play_match.rs"]
#[allow(dead_code)]
mod play_match;

use outwit_core::levels::read_ron;
use outwit_core::play::CheckedLevel;
use outwit_racetrack::{Racetrack, TrackFile};

/// The first number in each line.
fn numbers(report: &str) -> Vec<f64> {
    let number = |line: &str| line.split_whitespace().find_map(|word| word.parse().ok());
    report.lines().filter_map(number).collect()
}

#[test]
fn a_match_between_planners() {
    let report = play_match::report().unwrap();
    let lines: Vec<&str> = report.lines().collect();
    let [headline, ace, optimal] = lines[..] else { panic!("{report}") };
    assert!(headline.starts_with("car2 won"), "{report}");
    assert!(ace.starts_with("2. ace: finished") && optimal.starts_with("1. optimal: finished"));
}

#[test]
fn a_planner_of_ones_own() {
    let report = own_planner::report().unwrap();
    assert!(report.ends_with("in 10 games"), "{report}");
    assert!(numbers(&report)[0] > 5.0, "{report}");
}

#[test]
fn a_search_of_ones_own() {
    let report = own_search::report().unwrap();
    let [cheapest, a_star, greedy] = numbers(&report)[..] else { panic!("{report}") };
    assert!(cheapest == 31.0 && a_star == 31.0 && greedy >= 31.0, "{report}");
}

#[test]
fn a_level_of_ones_own() {
    let (file, report) = own_level::report().unwrap();
    let level: TrackFile = read_ron(file.as_bytes()).unwrap();
    assert!(CheckedLevel::<Racetrack>::new(level).is_ok());
    assert_eq!(report.matches("optimum").count(), 2, "{report}");
}

/// The first line says what it does, and the second what to type.
#[test]
fn every_example_is_run_here() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(include_str!("examples.rs").contains(&format!("{name}::report()")), "{name}");
        let text = std::fs::read_to_string(&path).unwrap();
        let command = format!("`cargo run --locked --no-default-features --example {name}");
        assert!(text.contains(&command), "{name}");
        count += 1;
    }
    assert_eq!(count, 4);
}
