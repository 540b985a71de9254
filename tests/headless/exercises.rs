//! `outwit exercise`: what its sheets ask and its keys say, against what the search does.

use super::cli::Desk;
use outwit_core::play::{Budget, StopFlag};
use outwit_core::search::{EventKind, SearchEvent};
use outwit_headless::find;
use outwit_kit::AnalyseOptions;
use outwit_levels::built_in;
use serde_json::json;
use std::collections::BTreeMap;

/// The events of a search of a built-in level.
fn events(level: &str, search: &str) -> Vec<SearchEvent> {
    let kind = find(level.split('/').next().unwrap()).unwrap();
    let options = AnalyseOptions {
        turn: None,
        planner: Some(search.into()),
        seat: None,
        budget: Budget::default(),
        seed: 0,
    };
    let bytes = built_in(level).unwrap().bytes().unwrap();
    kind.record_search(&bytes, "a.ron", &options, 20_000, &StopFlag::default()).unwrap().events
}

/// What waits before an expansion, by the number of the node, and what is expanded.
fn before(events: &[SearchEvent], stop: usize) -> (BTreeMap<u32, &SearchEvent>, &SearchEvent) {
    let (mut waiting, mut expanded) = (BTreeMap::new(), 0);
    for event in events {
        match event.kind {
            EventKind::Generate | EventKind::Update => {
                waiting.insert(event.id, event);
            }
            EventKind::Expand => {
                expanded += 1;
                if expanded == stop {
                    return (waiting, event);
                }
                waiting.remove(&event.id);
            }
            EventKind::Goal | EventKind::Close => {}
        }
    }
    panic!("there is no expansion {stop}");
}

/// A question as its page shows it.
struct Shown {
    stop: usize,
    /// Cells of the table by the heads of its columns, for each letter.
    rows: BTreeMap<String, BTreeMap<String, String>>,
    /// What stands behind "Expanded next:".
    next: String,
    text: String,
}

/// The texts of all elements of this kind.
fn elements(html: &str, name: &str) -> Vec<String> {
    let open = format!("<{name}");
    let parts = html.split(&open).skip(1);
    let inner = parts.map(|part| part.split_once('>').unwrap().1);
    inner.map(|part| part.split("</").next().unwrap().to_owned()).collect()
}

fn questions(page: &str) -> Vec<Shown> {
    let parts = page.split("<section class=\"question").skip(1);
    let shown = |part: &str| {
        let part = part.split("</section>").next().unwrap();
        let (_, after) = part.split_once(". Expansion ").unwrap();
        let heads = elements(part, "th");
        let rows = part.split("<tr>").filter(|row| row.starts_with("<td"));
        let rows = rows.map(|row| {
            let cells: BTreeMap<String, String> =
                heads.iter().cloned().zip(elements(row, "td")).collect();
            (cells["node"].clone(), cells)
        });
        let (_, next) = part.split_once("Expanded next: ").unwrap();
        Shown {
            stop: after.split(':').next().unwrap().parse().unwrap(),
            rows: rows.collect(),
            next: next.split("</p>").next().unwrap().to_owned(),
            text: part.to_owned(),
        }
    };
    parts.map(shown).collect()
}

/// The letters of `A, C–F or H`.
fn letters(words: &str) -> Vec<String> {
    let parts = words.split(", ").flat_map(|part| part.split(" or "));
    let ends = parts.map(|part| (part.chars().next().unwrap(), part.chars().last().unwrap()));
    ends.flat_map(|(first, last)| (first..=last).map(String::from)).collect()
}

#[test]
fn keys_say_what_is_expanded() {
    let desk = Desk::new();
    let read = |name: &str| std::fs::read_to_string(desk.path(name)).unwrap();
    for (level, search, stops) in [
        ("pukoban/11-closet", "astar-h1:ties=fifo", "3,7,12"),
        ("pukoban/11-closet", "astar-matching:ties=lifo,weight=2", "2,9"),
        ("pukoban/11-closet", "greedy", ""),
        ("pukoban/11-closet", "breadth-first", ""),
        ("pukoban/11-closet", "depth-first", "5,30"),
        ("racetrack/first-drive", "astar-turns:ties=least-h", "2,6,40"),
        ("racetrack/first-drive", "uniform-cost", ""),
    ] {
        let mut args = vec!["exercise", level, "--search", search, "--output", "e.json"];
        args.extend(["--sheet", "sheet.html", "--key", "key.html", "--json"]);
        if !stops.is_empty() {
            args.extend(["--stops", stops]);
        }
        let said = desk.run(&args).is(0).json();
        let (sheet, key) = (read("sheet.html"), read("key.html"));
        let (asked, told) = (questions(&sheet), questions(&key));
        let found: Vec<String> = told.iter().map(|shown| shown.stop.to_string()).collect();
        assert!(found.join(",") == stops || stops.is_empty() && found.len() == 6, "{found:?}");
        assert_eq!(
            (asked.len(), said["questions"].as_array().unwrap().len()),
            (found.len(), found.len())
        );
        let events = events(level, search);
        for (index, (asked, told)) in asked.iter().zip(&told).enumerate() {
            let place = format!("{level} {search} {}", told.stop);
            let (waiting, next) = before(&events, told.stop);
            assert_eq!(asked.stop, told.stop, "{place}");
            let by_f = told.rows.values().all(|row| row.contains_key("f"));
            let is_open = by_f && !search.contains("ties=");
            // Each row is a node that waits; the right ones are what is expanded, or all of its f.
            let right: Vec<&String> =
                told.rows.iter().filter(|(_, row)| row[""] == "right").map(|(it, _)| it).collect();
            let wanted = match is_open {
                true => waiting.values().filter(|event| event.f == next.f).count().min(24),
                false => 1,
            };
            assert_eq!(right.len(), wanted, "{place}");
            let is_next = |letter: &String| {
                let row = &told.rows[letter];
                // Values that are the same all the time have no column.
                let mut values = next.state.values.iter();
                let values = values.all(|(name, value)| {
                    row.get(*name).is_none_or(|shown| *shown == value.to_string())
                });
                let figures = !by_f
                    || [&row["g"], &row["h"], &row["f"]]
                        == [&next.g.to_string(), &next.h.to_string(), &next.f.to_string()];
                row["cell"] == next.state.cell.to_string() && values && figures
            };
            let question = &said["questions"][index];
            let taken = question["expanded"].as_str().unwrap().to_owned();
            assert!(right.contains(&&taken) && is_next(&taken), "{place}: {taken}");
            let nodes = question["nodes"].as_array().unwrap();
            let node = nodes.iter().find(|node| node["letter"] == *taken).unwrap();
            assert_eq!(node["event"]["id"], next.id, "{place}");
            let (all, why) = told.next.split_once(". ").unwrap();
            assert_eq!(letters(all), right.iter().copied().cloned().collect::<Vec<_>>(), "{place}");
            assert!(why.contains(&format!(" {taken}")), "{place}: {why}");
            if by_f {
                assert!(why.starts_with(&format!("The least f is {}", next.f)), "{place}: {why}");
                let least = waiting.values().map(|event| event.f).min().unwrap();
                assert_eq!(least, next.f, "{place}");
            }
            // Everything that waits is there, as far as there is room.
            assert_eq!(question["waiting"], waiting.len(), "{place}");
            assert_eq!(told.rows.len(), waiting.len().min(24), "{place}");
            for node in nodes {
                let event = waiting[&(node["event"]["id"].as_u64().unwrap() as u32)];
                let row = &told.rows[node["letter"].as_str().unwrap()];
                assert_eq!(row["cell"], event.state.cell.to_string(), "{place}");
                assert!(!by_f || row["f"] == event.f.to_string(), "{place}");
            }
            // The sheet is the same without f and answers.
            assert_eq!(asked.next, "________", "{place}");
            assert_eq!(asked.rows.len(), told.rows.len(), "{place}");
            for (letter, row) in &asked.rows {
                assert!(
                    row.get("f").is_none_or(String::is_empty) && !row.contains_key(""),
                    "{place}"
                );
                assert_eq!(row["cell"], told.rows[letter]["cell"], "{place}");
            }
            for told in ["least f is", "right", "Of the nodes"] {
                assert!(!asked.text.contains(told), "{place}: {told}");
            }
        }
        // The file alone makes the same pages.
        let again = ["exercise", "e.json", "--sheet", "again.html", "--key", "key-again.html"];
        desk.run(&again).is(0);
        assert!(read("again.html") == sheet && read("key-again.html") == key, "{level} {search}");
        let bytes = read("e.json");
        desk.run(&["exercise", "e.json", "--output", "e2.json"]).is(0);
        assert_eq!(read("e2.json"), bytes);
    }
}

#[test]
fn a_saved_exercise_can_be_changed() {
    let desk = Desk::new();
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_str(&std::fs::read_to_string(desk.path(name)).unwrap()).unwrap()
    };
    let search = ["--search", "greedy", "--stops", "3,7", "--output", "e.json"];
    desk.run(&[&["exercise", "pukoban/03-both-at-once"][..], &search].concat()).is(0);
    for (change, title, search, stops) in [
        (&["--stops", "4,9"][..], "What is expanded next?", "greedy", [4, 9]),
        (&["--title", "For Monday"], "For Monday", "greedy", [3, 7]),
        (&["--search", "uniform-cost"], "What is expanded next?", "uniform-cost", [3, 7]),
    ] {
        desk.run(&[&["exercise", "e.json", "--output", "changed.json"][..], change].concat()).is(0);
        let (before, after) = (read("e.json"), read("changed.json"));
        assert_eq!((&after["title"], &after["search"]), (&json!(title), &json!(search)));
        assert_eq!(after["level"], before["level"]);
        assert_eq!((&after["stops"], &before["stops"]), (&json!(stops), &json!([3, 7])));
    }
    for pages in [
        ["--sheet", "./e.json", "--key", "k.html"],
        ["--key", "e.json", "--sheet", "s.html"],
        ["--output", "./s.html", "--sheet", "s.html"],
    ] {
        let said = desk.run(&[&["exercise", "e.json"][..], &pages].concat()).is(2);
        assert!(said.err.contains("is named twice"), "{pages:?}: {said:?}");
        assert_eq!(read("e.json")["stops"], json!([3, 7]));
    }
}

#[test]
fn nothing_of_a_file_becomes_markup() {
    let desk = Desk::new();
    let evil = "<script>alert(1)</script>\"'&";
    desk.put("a.xsb", "#######\n#@ $ .#\n#  $ .#\n#######\n");
    desk.run(&["exercise", "a.xsb", "--search", "greedy", "--output", "e.json"]).is(0);
    let mut exercise: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(desk.path("e.json")).unwrap()).unwrap();
    let level = exercise["level"].as_str().unwrap();
    let (head, rest) = level.split_once("name: \"").unwrap();
    let (_, rest) = rest.split_once('"').unwrap();
    let name = evil.replace('"', "\\\"");
    exercise["level"] = format!("{head}name: \"{name}\"{rest}").into();
    exercise["title"] = evil.into();
    desk.put("e.json", exercise.to_string());
    desk.run(&["exercise", "e.json", "--sheet", "s.html", "--key", "k.html"]).is(0);
    for name in ["s.html", "k.html"] {
        let page = std::fs::read_to_string(desk.path(name)).unwrap();
        assert!(!page.contains("<script") && !page.contains("href"), "{page}");
        // As the title of the window and of the page, and as the name of the level.
        let shown = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;";
        assert_eq!(page.matches(shown).count(), 3, "{page}");
    }
}

#[test]
fn wrong_exercises_are_refused_with_advice() {
    let desk = Desk::new();
    let closet = ["exercise", "pukoban/11-closet", "--search"];
    for (more, why) in [
        (&["nosuch"][..], "unknown search 'nosuch'; choose from"),
        (&["astar-h1:weight=11"], "weight=1 to weight=10"),
        (&["best"], "choose another planner, such as uniform-cost"),
        (&["bidirectional"], "expands nodes neither by f nor in the order"),
        (
            &["greedy", "--stops", "1"],
            "--stops: 'stops' holds 1: give 1 to 50 numbers from 2 to 20000",
        ),
        (&["greedy", "--stops", "4,3"], "'stops' has 3 after 4"),
        (&["greedy", "--stops", "4,x"], "invalid value 'x'"),
        (&["greedy", "--stops", "20000"], "there is no expansion 20000: the search has"),
        (&["greedy", "--title", "two\nlines"], "--title: 'title' is 'two lines'"),
        (&["greedy", "--set", "nosuch=1"], "unknown rule 'nosuch'"),
    ] {
        let said = desk.run(&[&closet[..], more, &["--sheet", "s.html"]].concat()).is(2);
        assert!(said.err.contains(why), "{more:?}: {said:?}");
    }
    // Algorithm B takes what is cheapest to reach.
    let both = "pukoban/03-both-at-once";
    let args = ["exercise", both, "--search", "astar-h1", "--stops", "9", "--sheet", "s.html"];
    let said = desk.run(&args).is(2);
    assert!(said.err.contains("a rule of ties such as ties=fifo"), "{said:?}");
    for (args, why) in [
        (&["exercise", "pukoban/11-closet"][..], "name a search with --search"),
        (&["exercise", "mnk/3x3x3", "--search", "greedy"], "no searches"),
        (&["exercise", "e.json", "--stops", "9999"], "--stops: there is no expansion 9999"),
        (&["exercise", "e.json", "--search", "nosuch"], "unknown search 'nosuch'"),
        (&["exercise", "e.json", "--set", "moves=push"], "leave it out"),
        (&["check", "e.json"], "this is an exercise"),
    ] {
        desk.run(&[&closet[..], &["greedy", "--output", "e.json"]].concat()).is(0);
        let said = desk.run(args);
        assert!(
            said.code > 0 && (said.err.clone() + &said.out).contains(why),
            "{args:?}: {said:?}"
        );
    }
    let text = std::fs::read_to_string(desk.path("e.json")).unwrap();
    for (from, to, why) in [
        ("\"pukoban\"", "\"nosuch\"", "bad.json: unknown game 'nosuch'"),
        ("\"pukoban\"", "\"racetrack\"", "the format is 'pukoban 1'"),
        ("\"pukoban\"", "\"mnk\"", "this program reads 'mnk 1'"),
        ("\"greedy\"", "\"gready\"", "unknown search 'gready'"),
        ("+", "-", "bad.json: the level of the exercise cannot be played: "),
        ("exercise 1", "exercise 9", "of a newer version of Outwit"),
        ("\"stops\"", "\"stop\"", "unknown field `stop`"),
    ] {
        desk.put("bad.json", text.replace(from, to));
        let said = desk.run(&["exercise", "bad.json", "--sheet", "s.html"]).is(2);
        assert!(said.err.contains(why), "{to}: {said:?}");
    }
    assert!(!desk.path("s.html").exists());
}
