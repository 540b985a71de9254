//! Solves Pukoban by breadth-first search: all positions that one step leads to, then those of two steps, and so on.
use serde_json::{Value, from_str, json};
use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};
use std::{error::Error, io};

type Cell = (i8, i8);
type Position = Vec<Cell>; // the cell of the player, then those of the boxes in order

struct Found {
    position: Position,
    before: usize, // from which position it was found, and by which step
    letter: char,
    steps: usize,
}

#[derive(Default)]
struct Solver {
    floor: HashSet<Cell>,
    goals: HashSet<Cell>,
    steps: Vec<(char, Cell)>,
}

impl Solver {
    fn solved(&self, position: &Position) -> usize {
        position[1..].iter().filter(|cell| self.goals.contains(cell)).count()
    }

    /// The position after a step, if it is legal.
    fn step(&self, position: &Position, letter: char, (dx, dy): Cell) -> Option<Position> {
        let ((x, y), pulls) = (position[0], "<>^v".contains(letter));
        let ahead = (x + dx, y + dy);
        let place = if pulls { (x - dx, y - dy) } else { ahead }; // of the box that would move
        let mut after = position.clone();
        after[0] = ahead;
        match position[1..].iter().position(|cell| *cell == place) {
            Some(i) => after[i + 1] = (place.0 + dx, place.1 + dy),
            None if pulls => return None,
            None => {}
        }
        after[1..].sort();
        let is_free = after.iter().all(|cell| self.floor.contains(cell));
        let is_apart = !after[1..].contains(&ahead) && after.windows(2).all(|two| two[0] != two[1]);
        (is_free && is_apart).then_some(after)
    }

    /// Looks for positions until the time is over, and returns the number of the best one.
    fn search(&self, found: &mut Vec<Found>, known: &mut HashSet<Position>, end: Instant) -> usize {
        let most = 30_000_000 / found[0].position.len(); // so that they fit into the memory
        let mut best = 0;
        let mut i = 0;
        while i < found.len() && found.len() < most && Instant::now() < end {
            let position = found[i].position.clone();
            let steps = found[i].steps + 1;
            if self.solved(&position) > self.solved(&found[best].position) {
                best = i;
            }
            if self.solved(&position) == self.goals.len() {
                break;
            }
            for &(letter, way) in &self.steps {
                let Some(after) = self.step(&position, letter, way) else { continue };
                if known.insert(after.clone()) {
                    found.push(Found { position: after, before: i, letter, steps });
                }
            }
            i += 1;
        }
        best
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn pair(cell: &Value) -> Cell {
    (cell["x"].as_i64().unwrap_or(0) as i8, cell["y"].as_i64().unwrap_or(0) as i8)
}

fn say(message: Value) {
    println!("{message}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut solver = Solver::default();
    for line in io::stdin().lines() {
        let message: Value = from_str(&line?)?;
        if message["type"] == "start" {
            solver = Solver::default();
            for (y, row) in (0..).zip(list(&message["level"]["map"])) {
                for (x, tile) in (0..).zip(row.as_str().unwrap_or_default().chars()) {
                    let _ = tile != '#' && solver.floor.insert((x, y));
                    let _ = ".*+".contains(tile) && solver.goals.insert((x, y));
                }
            }
            let ways = [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().cycle();
            let is_push = message["level"]["rules"]["moves"] == "push"; // nothing can be pulled
            solver.steps = if is_push { "lrud" } else { "lrud<>^v" }.chars().zip(ways).collect();
            // So that the seed chooses among equal solutions.
            let seed = message["seed"].as_u64().ok_or("no seed")? as usize;
            let count = solver.steps.len();
            solver.steps.rotate_left(seed % count);
            say(json!({"type": "ready", "protocol": 1, "name": "Rust mover", "keep_alive": true}));
        } else if message["type"] == "turn" {
            let turn = &message["turn"];
            let seen = &message["observation"];
            let ms = message["ms"].as_u64().unwrap_or(10_000);
            let ms = (ms + message["bank_ms"].as_u64().unwrap_or(0)) * 2 / 3; // some time for the rest
            let end = Instant::now() + Duration::from_millis(ms);
            let mut boxes: Vec<Cell> = list(&seen["boxes"]).map(pair).collect();
            boxes.sort();
            let start = [vec![pair(&seen["player"])], boxes].concat();
            let mut known = HashSet::from([start.clone()]);
            let mut found = vec![Found { position: start, before: 0, letter: ' ', steps: 0 }];
            let mut at = solver.search(&mut found, &mut known, end);
            let mut action = vec![];
            while at > 0 {
                action.push(found[at].letter);
                at = found[at].before;
            }
            action.reverse();
            let mut first = BTreeMap::new(); // when the player can first be in a cell
            for Found { position, steps, .. } in &found {
                first.entry(position[0]).or_insert(*steps);
            }
            let heat: Vec<_> =
                first.iter().map(|((x, y), steps)| (json!({"x": x, "y": y}), steps)).collect();
            let heat = json!({"label": "Steps to get there", "cells": heat});
            say(json!({"type": "insight", "turn": turn, "heat": heat}));
            let text = format!("I saw {} positions.", found.len());
            say(json!({"type": "note", "turn": turn, "text": text}));
            let action = if action.is_empty() { message["default"].clone() } else { json!(action) };
            say(json!({"type": "action", "turn": turn, "action": action}));
        }
    }
    Ok(())
}
