//! Drives a car: tries all ways to steer for some turns, and takes the one that gets farthest and could brake then.
use serde_json::{Value, from_str, json};
use std::collections::{HashMap, VecDeque};
use std::{error::Error, io};

type Cell = (i64, i64);

#[derive(Default)]
struct Racer {
    road: HashMap<Cell, char>,
    gates: Vec<char>, // in the order in which the car must cross them
    to_gate: HashMap<(char, Cell), i64>,
    moves: Vec<Cell>,
    max_speed: i64,
}

impl Racer {
    fn new(level: &Value) -> Racer {
        let mut racer = Racer::default();
        let rules = &level["rules"];
        racer.max_speed = rules["max_speed"].as_i64().unwrap_or(99);
        for (y, row) in (0..).zip(level["map"].as_array().into_iter().flatten()) {
            let tiles = (0..).zip(row.as_str().unwrap_or_default().chars());
            racer
                .road
                .extend(tiles.filter(|&(_, tile)| tile != '#').map(|(x, tile)| ((x, y), tile)));
        }
        let can_coast = rules["steering"] == "nine";
        let all = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)));
        racer.moves = all.filter(|&way| can_coast || way != (0, 0)).collect();
        let lap = "123456789F".chars().filter(|gate| racer.road.values().any(|tile| tile == gate));
        racer.gates = lap.collect::<Vec<_>>().repeat(rules["laps"].as_u64().unwrap_or(1) as usize);
        let starts = racer.road.iter().filter(|(_, tile)| racer.gates.contains(tile));
        let mut queue: VecDeque<(char, Cell)> = starts.map(|(&cell, &gate)| (gate, cell)).collect();
        racer.to_gate = queue.iter().map(|&start| (start, 0)).collect();
        while let Some((gate, (x, y))) = queue.pop_front() {
            // Breadth-first search: how many cells it is to the gate.
            let far = racer.to_gate[&(gate, (x, y))];
            for near in racer.moves.iter().map(|(dx, dy)| (x + dx, y + dy)) {
                if racer.road.contains_key(&near) && !racer.to_gate.contains_key(&(gate, near)) {
                    racer.to_gate.insert((gate, near), far + 1);
                    queue.push_back((gate, near));
                }
            }
        }
        racer
    }

    /// Makes this move and the best ones after it: how far it is then, and the cells on the way.
    fn drive(&self, from: Cell, (vx, vy): Cell, mut passed: usize, turns: i64) -> (i64, Vec<Cell>) {
        let w = vx.abs();
        let h = vy.abs();
        let end = (from.0 + vx, from.1 + vy);
        let mut x = from.0;
        let mut y = from.1;
        let mut i = 1;
        let mut j = 1;
        while i < 2 * w || j < 2 * h {
            // Cell by cell along the line from centre to centre.
            let side = (i * h).cmp(&(j * w));
            if side.is_le() {
                (i, x) = (i + 2, x + vx.signum());
            }
            if side.is_ge() {
                (j, y) = (j + 2, y + vy.signum());
            }
            match self.road.get(&(x, y)) {
                // A crash, or too fast.
                None => return (i64::MAX, vec![]),
                _ if w * w + h * h > self.max_speed.pow(2) => return (i64::MAX, vec![]),
                Some(tile) => passed += usize::from(*tile == self.gates[passed]),
            }
            if passed == self.gates.len() {
                return (-turns, vec![end]); // the sooner, the better
            }
        }
        let gates_left = (self.gates.len() - passed) as i64;
        let left = 1000 * gates_left + self.to_gate[&(self.gates[passed], end)];
        let brake = [(-vx.signum(), -vy.signum())];
        let tries = match turns {
            1.. => &self.moves[..],
            _ if w + h > 0 => &brake, // in the end it brakes
            _ => &[],
        };
        let ways =
            tries.iter().map(|(ax, ay)| self.drive(end, (vx + ax, vy + ay), passed, turns - 1));
        let (far, mut way) = ways.min_by_key(|(far, _)| *far).unwrap_or((left, vec![]));
        way.insert(0, end);
        (if turns == 0 { far.max(left) } else { far }, way)
    }
}

fn pair(value: &Value) -> Cell {
    (value["x"].as_i64().unwrap_or(0), value["y"].as_i64().unwrap_or(0))
}

fn roll(dice: &mut u64) -> u64 {
    *dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *dice >> 33
}

fn say(message: Value) {
    println!("{message}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut racer = Racer::default();
    let mut dice = 0;
    for line in io::stdin().lines() {
        let message: Value = from_str(&line?)?;
        let turn = &message["turn"];
        let seen = &message["observation"];
        if message["type"] == "start" {
            racer = Racer::new(&message["level"]);
            dice = message["seed"].as_u64().ok_or("no seed")?;
            say(json!({"type": "ready", "protocol": 1, "name": "Rust racer", "keep_alive": true}));
        } else if message["type"] == "turn" {
            let car = &seen["race"]["cars"][seen["seat"].as_u64().ok_or("no seat")? as usize];
            let (cell, (vx, vy)) = (pair(&car["cell"]), pair(&car["velocity"]));
            let passed = car["progress"].as_u64().ok_or("no progress")? as usize;
            let actions = message["actions"].as_array().ok_or("no actions")?;
            let ways = actions.iter().map(|action| {
                let (ax, ay) = pair(action);
                (racer.drive(cell, (vx + ax, vy + ay), passed, 3), action)
            });
            let ((left, way), action) =
                ways.min_by_key(|((left, _), _)| (*left, roll(&mut dice))).ok_or("no action")?;
            let cells: Vec<Value> = way.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
            say(json!({"type": "insight", "turn": turn, "paths": [{"cells": cells}]}));
            if left <= 0 {
                say(json!({"type": "note", "turn": turn, "text": "I can see the finish!"}));
            }
            say(json!({"type": "action", "turn": turn, "action": action}));
        }
    }
    Ok(())
}
