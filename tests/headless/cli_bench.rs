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
