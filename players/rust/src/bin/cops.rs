//! Cops and robber: the thief runs to a gate, or away from all cops; cops wait at the gates, or go where it would hide.
use serde_json::{Value, from_str, json};
use std::collections::{BTreeMap, VecDeque};
use std::{error::Error, io};

type Cell = (i64, i64);
type Routes = BTreeMap<Cell, String>;

/// Breadth-first search: the letters of a shortest way to each cell. It may end in the border.
fn routes(ground: &BTreeMap<Cell, char>, starts: &[Cell]) -> Routes {
    let mut found: Routes = starts.iter().map(|cell| (*cell, String::new())).collect();
    let mut queue = VecDeque::from(starts.to_vec());
    while let Some((x, y)) = queue.pop_front() {
        let way = found[&(x, y)].clone();
        let nearby = [('R', (x + 1, y)), ('D', (x, y + 1)), ('L', (x - 1, y)), ('U', (x, y - 1))];
        for (letter, near) in nearby.into_iter().filter(|(_, near)| ground[near] != '#') {
            if found.contains_key(&near) {
                continue;
            }
            found.insert(near, format!("{way}{letter}"));
            if !"=G".contains(ground[&near]) {
                queue.push_back(near);
            }
        }
    }
    found
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or(0)
}

fn pair(cell: &Value) -> Cell {
    (number(&cell["x"]), number(&cell["y"]))
}

fn roll(dice: &mut u64) -> u64 {
    *dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *dice >> 33
}

fn say(message: Value) {
    println!("{message}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut board = BTreeMap::new();
    let mut border = vec![];
    let mut rules = Value::Null;
    let mut dice = 0;
    for line in io::stdin().lines() {
        let message: Value = from_str(&line?)?;
        if message["type"] == "start" {
            rules = message["level"]["rules"].clone();
            dice = message["seed"].as_u64().ok_or("no seed")?;
            board.clear();
            for (y, row) in (0..).zip(list(&message["level"]["map"])) {
                let tiles = (0..).zip(row.as_str().unwrap_or_default().chars());
                board.extend(tiles.map(|(x, tile)| ((x, y), tile)));
            }
            let (right, bottom) = *board.keys().max().ok_or("no map")?;
            let top = (0..right).map(|x| (x, 0));
            let down = (0..bottom).map(|y| (right, y));
            let back = (0..right).map(|x| (right - x, bottom));
            let up = (0..bottom).map(|y| (0, bottom - y));
            border = top.chain(down).chain(back).chain(up).collect();
            say(
                json!({"type": "ready", "protocol": 1, "name": "Rust pursuit", "keep_alive": true}),
            );
        } else if message["type"] == "turn" {
            let turn = &message["turn"];
            let now = &message["observation"]["now"];
            let is_thief = message["observation"]["seat"] == 0;
            let mut ground = board.clone();
            for wall in list(&now["walls"]) {
                let (x, y) = pair(&wall["cell"]);
                for i in 0..number(&rules["wall_length"]) {
                    let cell = if wall["standing"] == true { (x, y + i) } else { (x + i, y) };
                    ground.insert(cell, '#');
                }
            }
            let cops: Vec<Cell> = list(&now["cops"]).map(pair).collect();
            let thief = routes(&ground, &[pair(&now["thief"])]);
            let nearest = routes(&ground, &cops);
            let far = |cell: &Cell| nearest.get(cell).map_or(999, String::len);
            let inside = || thief.keys().filter(|cell| !"=G".contains(board[cell]));
            let hideout = inside()
                .max_by_key(|cell| (thief[cell].len() < far(cell), far(cell), roll(&mut dice)))
                .ok_or("no cell")?;
            let mut exits = vec![]; // when and where the thief can meet a gate that keeps its pace
            for gate in list(&now["gates"]) {
                let pace = rules["p_gate_move"].as_f64().unwrap_or(0.0);
                let pace = if gate["clockwise"] == true { pace } else { -pace };
                for (place, cell) in (0..).zip(&border) {
                    let Some(way) = thief.get(cell) else { continue };
                    let moved = number(&gate["place"]) + (pace * way.len() as f64) as i64;
                    let offset = (place - moved).rem_euclid(border.len() as i64);
                    if offset < number(&rules["gate_width"]) {
                        exits.push((way.len(), cell));
                    }
                }
            }
            exits.sort();
            let plan = |ways: &Routes| -> String {
                let suits = |(time, cell): &&(usize, &Cell)| match ways.get(cell) {
                    None => false,
                    Some(_) if is_thief => *time < far(cell),
                    Some(way) => way.len() == far(cell), // it is the nearest cop
                };
                let goal = exits.iter().find(suits).map_or(hideout, |(_, cell)| cell);
                let letters: Vec<char> = ways.get(goal).map_or(vec![], |way| way.chars().collect());
                // If the gate comes late, it waits at the wall.
                let wait = if "=G".contains(board[goal]) { letters.last() } else { None };
                let letters = letters.iter().chain(wait.into_iter().cycle());
                letters.take(number(&rules["k"]) as usize).collect()
            };
            let plans: Vec<String> = match is_thief {
                true => vec![plan(&thief)],
                false => cops.iter().map(|cop| plan(&routes(&ground, &[*cop]))).collect(),
            };
            let heat: Vec<_> =
                inside().map(|cell| (json!({"x": cell.0, "y": cell.1}), far(cell))).collect();
            let heat = json!({"label": "Cops in", "cells": heat});
            say(json!({"type": "insight", "turn": turn, "heat": heat}));
            if let Some((time, _)) = exits.first() {
                let text = format!("The thief could be out in {time} ticks.");
                say(json!({"type": "note", "turn": turn, "text": text}));
            }
            say(json!({"type": "action", "turn": turn, "action": plans}));
        }
    }
    Ok(())
}
