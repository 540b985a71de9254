//! Traces that were written, read back by code that shares nothing with the writer.

use outwit_core::play::StopFlag;
use outwit_core::search::TraceFormat;
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

/// Each parent was generated before, closed states were expanded, ids are positive, coordinates are
/// numbers, and the solution is a chain of parents from the start that costs what the end says, if one was
/// found.
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
        assert!(id > 0);
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
            "meeting" => assert!(generated.contains(&id)),
            "solution" => assert!(generated.contains(&id)),
            "destination" => goals.push(id),
            other => panic!("unknown type '{other}'"),
        }
        // Nodes of the backward half of a solution come once more, with their parents towards the start.
        if matches!(kind, "generating" | "updating" | "solution" | "destination") {
            parents.insert(id, parent);
            cost.insert(id, g);
        }
    }
    for &goal in &goals {
        let mut at = goal;
        while let Some(parent) = parents[&at] {
            // Where two sides met one state has two nodes.
            let is_meeting = parent % 2 == 1 && at % 2 == 0;
            assert!(cost[&parent] < cost[&at] || is_meeting && cost[&parent] == cost[&at]);
            at = parent;
        }
        assert_eq!((at, cost[&at]), (1, 0), "the start is the first node");
        let end = events.last().unwrap();
        assert_eq!((end["type"].as_str(), number(end, "cost")), ("end", cost[&goal]));
        assert_eq!(number(end, "id"), goal);
    }
    assert!(goals.len() <= 1);
    !goals.is_empty()
}

fn trace(id: &str, planner: &str, events: usize) -> Result<String, String> {
    trace_as(id, planner, events, TraceFormat::Yaml)
}

fn trace_as(id: &str, planner: &str, events: usize, format: TraceFormat) -> Result<String, String> {
    let kind = find(id.split_once('/').unwrap().0).unwrap();
    let bytes = built_in(id).unwrap().bytes().unwrap();
    let mut out = Vec::new();
    kind.search_trace(&bytes, id, planner, (events, format), &mut out, &StopFlag::default())
        .map_err(|faults| faults[0].to_string())?;
    Ok(String::from_utf8(out).unwrap())
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
        assert!(text.contains("result: solved"));
        // The end says what was done.
        let (_, events) = read(&text);
        let end = events.last().unwrap();
        let expanded = events.iter().filter(|event| event["type"] == "expanding").count();
        assert_eq!(end["expanded"], expanded.to_string(), "{planner}");
        assert!(end["expanded_again"].parse::<usize>().unwrap() < expanded);
        let cut = trace(id, planner, 20).unwrap();
        check(&cut, planner == "depth-first");
        assert!(cut.contains("# cut after 20 events") && cut.contains("result: cut"));
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

/// A level that needs so many states that the backward side joins in.
#[test]
fn both_halves_of_a_solution_are_one_chain() {
    let id = "pukoban/17-fork";
    let text = trace(id, "bidirectional", 1_000_000).unwrap();
    assert!(check(&text, false));
    let (_, events) = read(&text);
    let count = |kind: &str| events.iter().filter(|event| event["type"] == kind).count();
    assert_eq!((count("meeting"), count("destination")), (2, 1));
    assert!(count("solution") > 1);
    let destination = events.iter().find(|event| event["type"] == "destination").unwrap();
    assert_eq!(destination["h"], "0");
    let cut = trace(id, "bidirectional", 100).unwrap();
    assert!(!check(&cut, false));
}

#[test]
fn json_says_the_same_as_yaml() {
    for (id, planner) in
        [("pukoban/02-first-pull", "astar-h1"), ("pukoban/17-fork", "bidirectional")]
    {
        let (yaml, json) = (trace(id, planner, 3000).unwrap(), TraceFormat::Json);
        let json = trace_as(id, planner, 3000, json).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((&json["version"], &json["pivot"]["scale"]), (&"1.4.0".into(), &1.into()));
        let (_, events) = read(&yaml);
        let of_json: Vec<Fields> = json["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| {
                let fields = event.as_object().unwrap().iter();
                let text = |value: &serde_json::Value| {
                    value.as_str().map_or(value.to_string(), str::to_owned)
                };
                fields.map(|(key, value)| (key.clone(), text(value))).collect()
            })
            .collect();
        assert_eq!(of_json, events);
        let drawn = json["views"]["main"].as_array().unwrap();
        let views = yaml.split("pivot:").next().unwrap();
        assert_eq!(drawn.len(), views.matches("$: rect").count());
        let kind = find("pukoban").unwrap();
        let level = kind.read(&built_in(id).unwrap().bytes().unwrap(), id).unwrap();
        let map = kind.write(&level, "xsb").unwrap().bytes;
        let goals = map.iter().take_while(|&&symbol| symbol != b'T');
        let goals = goals.filter(|symbol| b".*+".contains(symbol)).count();
        assert_eq!(drawn.iter().filter(|view| view["fill"] == "#a6dba0").count(), goals);
    }
}

/// Takes so many bytes and then no more, like a disk that is full.
struct SmallDisk(usize);

impl std::io::Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match bytes.len() <= self.0 {
            true => {
                self.0 -= bytes.len();
                Ok(bytes.len())
            }
            false => Err(std::io::Error::other("the disk is full")),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// It is written while the search goes on, and a search whose trace cannot be written goes on no longer.
#[test]
fn a_trace_is_written_as_it_comes() {
    let kind = find("pukoban").unwrap();
    let id = "pukoban/17-fork";
    let bytes = built_in(id).unwrap().bytes().unwrap();
    let stop = StopFlag::default();
    let events = (1_000_000, TraceFormat::Json);
    let why = kind
        .search_trace(&bytes, id, "uniform-cost", events, &mut SmallDisk(10_000), &stop)
        .unwrap_err();
    assert!(why[0].to_string().contains("not written: the disk is full"), "{why:?}");
    // Where there are no events, nothing is written.
    let mut out = Vec::new();
    kind.search_trace(&bytes, id, "best", events, &mut out, &stop).unwrap_err();
    assert!(out.is_empty());
}

#[test]
fn a_search_without_events_says_why() {
    for (id, planner, reason) in [
        ("pukoban/01-first-push", "random", "choose another planner, such as uniform-cost"),
        ("stealth/tavern", "exact", "no planner of Stealth tells which states it expands"),
    ] {
        let why = trace(id, planner, 10).unwrap_err();
        assert!(why.contains(reason), "{why}");
    }
    for (name, format) in [
        ("a.trace.yaml", Some(TraceFormat::Yaml)),
        ("a.YML", Some(TraceFormat::Yaml)),
        ("a.trace.json", Some(TraceFormat::Json)),
        ("a.jsonl", None),
        ("yaml", None),
    ] {
        assert_eq!(TraceFormat::of(name.as_ref()), format, "{name}");
    }
}
