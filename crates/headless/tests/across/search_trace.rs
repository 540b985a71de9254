//! Traces that were written, read back by code that shares nothing with the writer.

use outwit_core::play::StopFlag;
use outwit_headless::{GAMES, find};
use outwit_levels::{built_in, list_with};
use std::collections::{BTreeMap, BTreeSet};

/// An event as its flow mapping says it.
type Fields = BTreeMap<String, String>;

/// Reads the parts of a trace: its top-level keys, and the events with their fields. Panics at
/// anything that the format does not allow.
fn read(text: &str) -> (Vec<String>, Vec<Fields>) {
    let mut keys = Vec::new();
    let mut events = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if !line.starts_with(' ') {
            let (key, value) = line.split_once(':').unwrap();
            keys.push(key.to_owned());
            assert!(key != "version" || value.trim() == "1.4.0", "{value}");
        } else if keys.last().unwrap() == "events" {
            let inside = line.strip_prefix("  - { ").unwrap().strip_suffix(" }").unwrap();
            let fields = inside.split(", ").map(|field| {
                let (key, value) = field.split_once(": ").unwrap();
                (key.to_owned(), value.trim_matches('"').to_owned())
            });
            let count = inside.split(", ").count();
            let event: Fields = fields.collect();
            assert_eq!(event.len(), count, "a key comes twice: {line}");
            events.push(event);
        }
    }
    (keys, events)
}

/// Each parent was generated before, closed states were expanded, ids and coordinates are numbers,
/// and the solution is a chain of parents from the start, if one was found.
fn check(text: &str, deepest_first: bool) -> bool {
    let (keys, events) = read(text);
    assert_eq!(keys, ["version", "views", "pivot", "events"]);
    let number = |event: &Fields, key: &str| event[key].parse::<i64>().unwrap();
    let (mut generated, mut expanded) = (BTreeSet::new(), BTreeSet::new());
    let mut parents: BTreeMap<i64, Option<i64>> = BTreeMap::new();
    let mut cost: BTreeMap<i64, i64> = BTreeMap::new();
    let mut goals = Vec::new();
    assert_eq!(events[0]["type"], "source");
    for event in &events[1..] {
        let id = number(event, "id");
        let _ = (number(event, "x"), number(event, "y"));
        let kind = event["type"].as_str();
        if kind == "end" {
            continue;
        }
        let parent = (event["pId"] != "null").then(|| number(event, "pId"));
        let (f, g, h) = (number(event, "f"), number(event, "g"), number(event, "h"));
        assert!(f >= 0 && g >= 0 && h >= 0);
        match kind {
            "generating" => {
                assert!(generated.insert(id), "{id} is generated twice");
                assert!(parent.is_none_or(|parent| generated.contains(&parent)), "{event:?}");
            }
            // Depth-first search moves a state that waits to where it was met last.
            "updating" => assert!(generated.contains(&id) && (g < cost[&id] || deepest_first)),
            "expanding" => {
                assert!(generated.contains(&id));
                expanded.insert(id);
            }
            "closing" => assert!(expanded.contains(&id), "{id} is closed and was not expanded"),
            "destination" => goals.push(id),
            other => panic!("unknown type '{other}'"),
        }
        if matches!(kind, "generating" | "updating") {
            parents.insert(id, parent);
            cost.insert(id, g);
        }
    }
    for &goal in &goals {
        let mut at = goal;
        while let Some(parent) = parents[&at] {
            assert!(expanded.contains(&parent) && cost[&parent] < cost[&at]);
            at = parent;
        }
        // The forward side begins with the start, the backward side at a goal.
        assert!(cost[&at] == 0 && (at == 0 || goal % 2 == 1));
    }
    !goals.is_empty()
}

fn trace(id: &str, planner: &str, events: usize) -> Result<String, String> {
    let kind = find(id.split_once('/').unwrap().0).unwrap();
    let bytes = built_in(id).unwrap().bytes().unwrap();
    kind.search_trace(&bytes, id, planner, events, &StopFlag::default())
        .map_err(|faults| faults[0].to_string())
}

#[test]
fn traces_of_a_level_hold_together() {
    let id = &list_with(None, "pukoban")[1].id;
    for planner in find("pukoban").unwrap().searches() {
        if planner == "best" {
            let why = trace(id, planner, 1000).unwrap_err();
            assert!(why.contains("choose another planner"), "{why}");
            continue;
        }
        let text = trace(id, planner, 1_000_000).unwrap();
        assert!(check(&text, planner == "depth-first"), "{planner} found no solution");
        assert!(text.contains("result: \"solved\""));
        let cut = trace(id, planner, 20).unwrap();
        check(&cut, planner == "depth-first");
        assert!(cut.contains("# cut after 20 events") && cut.contains("result: \"cut\""));
        assert_eq!(read(&cut).1.len(), 22, "{planner}: source, 20 events, end");
    }
}

#[test]
fn the_trace_of_a_track_holds_together() {
    let text = trace("racetrack/first-lap", "greedy", 1_000_000).unwrap();
    assert!(check(&text, false));
    let (_, events) = read(&text);
    assert!(events.iter().all(|event| event["type"] == "end" || event.contains_key("vx")));
    let why = trace("racetrack/first-lap", "optimal", 10).unwrap_err();
    assert!(why.contains("'optimal' cannot be recorded"), "{why}");
    assert!(GAMES.iter().any(|game| game.searches().is_empty()));
}
