//! `outwit bench` on collections, and the limits of `outwit solve`.

use super::cli::Desk;

const BOARD: &str = "######\n#@$.-#\n######\n";

#[test]
fn a_comparison_is_saved_as_it_comes_and_goes_on() {
    let desk = Desk::new();
    // The second level has no player, and the fourth cannot be read.
    let (bad, spoilt) = (BOARD.replace('@', "-"), BOARD.replace('-', "?"));
    let set = format!("One\n\n{BOARD}\nTwo\n\n{bad}\nThree\n\n{BOARD}\n{spoilt}\n");
    desk.put("set.xsb", set);
    let bench = |more: &[&str]| {
        let args =
            ["bench", "pukoban", "--level", "set.xsb", "--planner", "best", "--save", "a.csv"];
        desk.run(&[&args[..], more].concat())
    };
    let said = bench(&[]).is(0);
    assert!(said.err.contains("skipped: set.xsb#2: "), "{said:?}");
    assert!(said.err.contains("skipped: set.xsb#4: cell (4,1): "), "{said:?}");
    assert!(said.err.contains("set.xsb: skipped a board (lines 19 to 21): line 20,"), "{said:?}");
    let whole = std::fs::read_to_string(desk.path("a.csv")).unwrap();
    let rows: Vec<&str> = whole.lines().collect();
    assert_eq!(rows.len(), 3, "{whole}");
    assert!(rows[1].starts_with("set.xsb#1,best,solved,1,true,"), "{whole}");
    assert!(rows[2].starts_with("set.xsb#3,best,"), "{whole}");
    // Torn in the last row, as by a power cut.
    desk.put("a.csv", &whole[..whole.len() - 10]);
    let said = bench(&[]).is(0);
    assert!(said.err.contains("a.csv holds 1 rows already"), "{said:?}");
    assert!(!said.out.contains("set.xsb#1") && said.out.contains("set.xsb#3"), "{said:?}");
    let again = std::fs::read_to_string(desk.path("a.csv")).unwrap();
    assert_eq!(again.lines().count(), 3);
    assert_eq!(again.lines().nth(1), whole.lines().nth(1));
    // Nothing is left to do.
    bench(&[]).is(0);
    assert_eq!(std::fs::read_to_string(desk.path("a.csv")).unwrap(), again);
    for other in [&["--seconds", "5"][..], &["--memory", "1GB"], &["--set", "objective=box_moves"]]
    {
        let said = bench(other).is(2);
        assert!(said.err.contains("use the same settings, or another file"), "{said:?}");
    }
    assert_eq!(std::fs::read_to_string(desk.path("a.csv")).unwrap(), again);
    bench(&["--planner", "greedy"]).is(0);
    let more = std::fs::read_to_string(desk.path("a.csv")).unwrap();
    assert!(more.starts_with(&again) && more.lines().count() == 5, "{more}");
    desk.put("a.csv", "my diary\n");
    assert!(bench(&[]).is(2).err.contains("not a comparison of searches"));
    assert_eq!(std::fs::read_to_string(desk.path("a.csv")).unwrap(), "my diary\n");
}

#[test]
fn bench_refuses_a_file_in_which_no_level_can_be_played() {
    let desk = Desk::new();
    desk.put("bad.xsb", BOARD.replace('@', "-"));
    let said = desk.run(&["bench", "pukoban", "--level", "bad.xsb", "--planner", "best"]).is(2);
    assert!(said.err.contains("bad.xsb"), "{said:?}");
    let csv =
        ["bench", "pukoban", "--level", "pukoban/01-first-push", "--csv", "--planner", "best"];
    let said = desk.run(&csv).is(0);
    let rows: Vec<Vec<&str>> = said.out.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!((rows.len(), rows[0][10], rows[1][10]), (2, "ratio", ""));
    let said = desk.run(&[&csv[..], &["--ratio"]].concat()).is(0);
    let ratio = said.out.lines().nth(1).unwrap().split(',').nth(10).unwrap().parse::<f64>();
    assert!(ratio.unwrap() > 0.0);
}

#[test]
fn searches_with_settings_are_measured_too() {
    let desk = Desk::new();
    let search = "astar-h1:ties=lifo,weight=3";
    let base = ["bench", "pukoban", "--level", "pukoban/01-first-push", "--planner"];
    let said = desk.run(&[&base[..], &[search, "--planner", "astar-h1", "--csv"]].concat()).is(0);
    let rows: Vec<&str> = said.out.lines().skip(1).collect();
    assert!(rows[0].contains(&format!(",\"{search}\",solved,")), "{}", said.out);
    assert!(rows[1].contains(",astar-h1,solved,"), "{}", said.out);
    let wrong = desk.run(&[&base[..], &["astar-h1:weight=11"]].concat()).is(2);
    assert!(wrong.err.contains("weight=1 to weight=10"), "{}", wrong.err);
    assert!(desk.run(&[&base[..], &["breadth"]].concat()).is(2).err.contains("unknown search"));
}

#[test]
fn solve_keeps_its_limits() {
    let desk = Desk::new();
    let hall = "pukoban/42-great-hall";
    let said = desk.run(&["solve", hall, "--planner", "uniform-cost", "--budget", "2000w"]).is(1);
    assert!(said.out.contains("uniform-cost: not solved within 2000w"), "{said:?}");
    assert!(said.out.contains("states expanded: 2000"), "{said:?}");
    let slow = ["solve", hall, "--planner", "uniform-cost", "--seconds", "0.2", "--json"];
    let said = desk.run(&slow).is(1).json();
    assert_eq!((said["value"].is_null(), &said["proved"]), (true, &false.into()));
    assert_eq!(said["message"], "not solved within 0.2 s");
    let said = desk.run(&["solve", hall, "--memory", "1MB"]).is(1);
    assert!(said.out.contains("gave up at its limit of 1 MiB"), "{said:?}");
    for wrong in [["--memory", "2TB"], ["--memory", "0"], ["--seconds", "0"], ["--seconds", "-1"]] {
        desk.run(&["solve", hall, wrong[0], wrong[1]]).is(2);
    }
    let said = desk.run(&["solve", "stealth/tavern", "--memory", "1GB"]).is(2);
    assert!(said.err.contains("cannot be limited"), "{said:?}");
    let push = "pukoban/01-first-push";
    desk.run(&["solve", push, "--seconds", "60", "--memory", "64MiB"]).is(0);
    let trace =
        |name| desk.run(&["solve", push, "--planner", "bidirectional", "--search-trace", name]);
    trace("a.trace.yaml").is(0);
    trace("a.trace.json").is(0);
    let text = std::fs::read_to_string(desk.path("a.trace.json")).unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(&text).unwrap()["events"].is_array());
    assert!(std::fs::read_to_string(desk.path("a.trace.yaml")).unwrap().starts_with("version: "));
    assert!(trace("a.csv").is(2).err.contains("must end in .yaml or .json"));
    assert!(!desk.path("a.csv").exists());
}

#[test]
fn searches_are_compared_up_to_their_first_difference() {
    let desk = Desk::new();
    let compare = |more: &[&str]| {
        let args = ["compare", "pukoban/11-closet", "--search", "astar-h1"];
        desk.run(&[&args[..], more].concat())
    };
    let weighted = ["--search", "astar-matching:weight=2", "--search", "best"];
    let said = compare(&weighted).is(0);
    assert!(
        said.out.contains("astar-h1 and astar-matching:weight=2 differ first at expansion"),
        "{said:?}"
    );
    assert!(said.out.contains("expands node") && said.out.contains("others at"), "{said:?}");
    assert!(said.out.contains("astar-h1 and best: where they differ is not known"), "{said:?}");
    let found = compare(&[&weighted[..], &["--json"]].concat()).is(0).json();
    let searches = found["searches"].as_array().unwrap();
    let at_most: Vec<_> = searches.iter().map(|search| search["at_most"].as_u64()).collect();
    assert_eq!(at_most, [Some(1), Some(2), Some(1)]);
    assert!(searches.iter().all(|search| search["largest_frontier"].as_u64() > Some(0)), "{found}");
    let difference = &found["differences"][0];
    assert!(difference["expansion"].as_u64() > Some(1), "{found}");
    for side in [0, 1] {
        assert_eq!(difference["expands"][side]["event"]["kind"], "Expand", "{found}");
    }
    // The same search does the same, with the ties that it breaks so anyway.
    let same = ["--search", "uniform-cost", "--search", "uniform-cost:ties=lifo"];
    let said = desk.run(&[&["compare", "pukoban/11-closet"], &same[..]].concat()).is(0);
    assert!(said.out.contains("both expand the same states in the same order\n"), "{said:?}");
    let said =
        compare(&["--search", "greedy", "--csv", "--trace", "out.yaml", "--trace-events", "9"])
            .is(0);
    assert_eq!(said.out.lines().count(), 3, "{said:?}");
    for name in ["out-astar-h1.yaml", "out-greedy.yaml"] {
        let trace = std::fs::read_to_string(desk.path(name)).unwrap();
        assert!(trace.ends_with("# cut after 9 events\n"), "{trace}");
    }
    for (more, why) in [
        (&[][..], "at least twice"),
        (&["--search", "nosuch"], "unknown search 'nosuch'; choose from"),
        (&["--search", "astar-h1:weight=11"], "weight=1 to weight=10"),
        (&["--search", "greedy:weight=2"], "only A* does"),
        (&["--search", "breadth-first:ties=fifo"], "no ties to break"),
        (&["--search", "greedy", "--trace", "out.txt"], "must end in .yaml or .json"),
        (&["--search", "greedy", "--events", "0"], "1 to 10000000 events"),
    ] {
        let said = compare(more).is(2);
        assert!(said.err.contains(why), "{more:?}: {said:?}");
    }
}

#[test]
fn rules_are_set_alike_everywhere() {
    let desk = Desk::new();
    for command in [
        &["convert", "racetrack/tiny", "out.ron"][..],
        &["solve", "racetrack/tiny"],
        &["match", "racetrack", "tiny", "--games", "1", "--planner", "greedy"],
        &["bench", "racetrack", "--level", "racetrack/tiny", "--planner", "greedy"],
        &["compare", "racetrack/tiny", "--search", "greedy", "--search", "astar-turns"],
        &["exercise", "racetrack/tiny", "--search", "greedy"],
    ] {
        let run = |set: &str| desk.run(&[command, &["--set", set]].concat());
        for set in ["max_speed=2", "rules.max_speed=2", " max_speed = 2 "] {
            run(set).is(0);
        }
        for (set, why) in [
            ("max_speed", "--set max_speed: write KEY=VALUE"),
            ("max_sped=2", "unknown rule 'max_sped'; did you mean 'max_speed'?"),
            ("max_speed=fast", "rules.max_speed: 'fast' is not allowed"),
        ] {
            let said = run(set).is(2);
            assert!(said.err.contains(why), "{command:?} {set}: {said:?}");
        }
    }
    let length = |set: &[&str]| {
        let said = desk.run(&[&["solve", "racetrack/tiny", "--json"], set].concat()).is(0);
        said.json()["value"].as_f64()
    };
    assert!(length(&["--set", "max_speed=2"]) > length(&[]));
}

#[test]
fn races_are_written_and_read_as_digits() {
    let desk = Desk::new();
    for level in ["racetrack/first-drive", "racetrack/hairpins"] {
        let solved = desk.run(&["solve", level, "--json"]).is(0).json();
        let moves = solved["moves"].as_str().unwrap();
        let said = desk.run(&["solve", level, "--moves", moves]).is(0);
        assert!(said.out.contains("finished"), "{said:?}");
    }
    let said = desk.run(&["solve", "racetrack/tiny", "--moves", "6\n0"]).is(1);
    assert!(said.err.contains("line 2, column 1: unknown character '0'"), "{said:?}");
    let weighted = ["solve", "racetrack/first-drive", "--planner", "astar-turns:weight=2"];
    let said = desk.run(&weighted).is(0);
    assert!(said.out.contains("at most 2 times the fewest turns"), "{said:?}");
    let said = desk.run(&["solve", "racetrack/tiny", "--planner", "astar-turns:weight=0"]).is(2);
    assert!(said.err.contains("weight=1 to weight=10"), "{said:?}");
}
