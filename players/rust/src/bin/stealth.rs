//! Sneaks to the goal: Dijkstra's search for the cheapest path past the guards; in the fog again before every step.
use serde_json::{Value, from_str, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::{error::Error, io};

type Cell = (i64, i64);
type Tiles = BTreeMap<Cell, char>;

/// By how much a guard raises the cost of a cell: nothing from afar, nor through a wall.
fn factor(tiles: &Tiles, guard: Cell, cell: Cell) -> f64 {
    let dx = cell.0 - guard.0;
    let dy = cell.1 - guard.1;
    let far = dx.abs().max(dy.abs());
    let part = |i: i64, way: i64| ((i * way) as f64 / far as f64).round() as i64;
    let mut line = (1..far).map(|i| (guard.0 + part(i, dx), guard.1 + part(i, dy)));
    if far > 4 || line.any(|cell| tiles[&cell] == '#') { 1.0 } else { (8 - far) as f64 / 3.0 }
}

/// The letters of the cheapest path to the goal, and its cells, those that were walked included.
fn search(tiles: &Tiles, walked: &[Cell], patrols: &[Vec<Cell>]) -> (String, Vec<Cell>) {
    // Costs are counted in millionths, since only whole numbers can be compared by a heap.
    let mut queue = BinaryHeap::from([Reverse((0, String::new(), walked.to_vec()))]);
    let mut done = HashSet::new();
    while let Some(Reverse((cost, letters, path))) = queue.pop() {
        let (moves, (x, y)) = (path.len(), path[path.len() - 1]); // so many after the next one
        if tiles[&(x, y)] == 'Y' {
            return (letters, path);
        }
        let at = |time: usize| patrols.iter().map(move |round| round[time % round.len()]);
        let phase: Vec<usize> = patrols.iter().map(|round| moves % round.len()).collect();
        if !done.insert((x, y, phase)) {
            continue;
        }
        let nearby = [('u', (x, y - 1)), ('d', (x, y + 1)), ('l', (x - 1, y)), ('r', (x + 1, y))];
        for (letter, near) in nearby {
            let price = match tiles.get(&near) {
                None | Some('#') => continue,
                Some('X') => 3.0,
                Some('T') => 4.5,
                _ => 1.5,
            };
            // The thief must not meet a guard, nor change places with one.
            let meets = |(then, now)| now == near || (then, now) == (near, (x, y));
            if path.contains(&near) || at(moves - 1).zip(at(moves)).any(meets) {
                continue;
            }
            let price = at(moves).fold(price, |price, guard| price * factor(tiles, guard, near));
            let path = [&path[..], &[near]].concat();
            queue.push(Reverse((cost + (price * 1e6) as u64, format!("{letters}{letter}"), path)));
        }
    }
    (String::new(), walked.to_vec()) // no way leads to the goal, so it stops here
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn pair(cell: &Value) -> Cell {
    (cell["x"].as_i64().unwrap_or(0), cell["y"].as_i64().unwrap_or(0))
}

fn say(message: Value) {
    println!("{message}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut level = Value::Null;
    let mut dice = 0;
    for line in io::stdin().lines() {
        let message: Value = from_str(&line?)?;
        if message["type"] == "start" {
            level = message["level"].clone();
            dice = message["seed"].as_u64().ok_or("no seed")? as usize;
            say(json!({"type": "ready", "protocol": 1, "name": "Rust sneak", "keep_alive": true}));
        } else if message["type"] == "turn" {
            let turn = &message["turn"];
            let seen = &message["observation"];
            let house = if seen["known"].is_null() { &level } else { &seen["known"] };
            let mut tiles = Tiles::new();
            for (y, row) in (0..).zip(list(&house["map"])) {
                let row = (0..).zip(row.as_str().unwrap_or_default().chars());
                tiles.extend(row.map(|(x, tile)| ((x, y), tile)));
            }
            let rounds = list(&seen["patrols"]).map(|round| list(round).map(pair).collect());
            let still = tiles.iter().filter(|(_, tile)| **tile == 'Z').map(|(cell, _)| vec![*cell]);
            let patrols: Vec<Vec<Cell>> = rounds.chain(still).collect();
            let walked: Vec<Cell> = list(&seen["path"]).map(pair).collect();
            let (letters, path) = search(&tiles, &walked, &patrols);
            let cells: Vec<Value> =
                path[walked.len() - 1..].iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
            say(json!({"type": "insight", "turn": turn, "paths": [{"cells": cells}]}));
            let texts = ["Quietly now.", "Did you hear that?", "Keep to the wall."];
            dice += 1;
            say(json!({"type": "note", "turn": turn, "text": texts[dice % texts.len()]}));
            let fog = !seen["known"].is_null();
            let action = if fog { letters.get(..1).unwrap_or("") } else { &letters };
            say(json!({"type": "action", "turn": turn, "action": action}));
        }
    }
    Ok(())
}
