//! Plays k in a row: looks at every place for a row, and takes the cell that matters most to those still open.
use serde_json::{Value, from_str, json};
use std::{error::Error, io};

/// How much each cell matters to the player of the stones `mine`.
fn values(stones: &[Value], mine: &Value, width: i64, k: i64) -> Vec<f64> {
    let mut values = vec![0.0; stones.len()];
    let cells = stones.len() as i64;
    for (x, y) in (0..cells).map(|cell| (cell % width, cell / width)) {
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let end_x = x + (k - 1) * dx;
            let end_y = y + (k - 1) * dy;
            if end_x < 0 || end_x >= width || end_y * width >= cells {
                continue; // this row would leave the board
            }
            let row = (0..k).map(|i| (x + i * dx + (y + i * dy) * width) as usize);
            let own = row.clone().filter(|&cell| stones[cell] == *mine).count() as i64;
            let empty = row.clone().filter(|&cell| stones[cell].is_null()).count() as i64;
            let weight = match (own, empty) {
                (0, 1) => 1e100,
                (_, 1) if own == k - 1 => 1e200, // whoever comes first: winning is better than blocking
                (0, _) => 8_f64.powi((k - empty) as i32),
                _ if own + empty == k => 1.5 * 8_f64.powi(own as i32),
                _ => 0.0, // nobody can fill it
            };
            row.for_each(|cell| values[cell] += weight);
        }
    }
    values
}

/// A whole number from 0 to `sides` - 1.
fn roll(dice: &mut u64, sides: usize) -> usize {
    *dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*dice >> 33) as usize % sides
}

fn say(message: Value) {
    println!("{message}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut width = 0;
    let mut k = 0;
    let mut dice = 0;
    for line in io::stdin().lines() {
        let message: Value = from_str(&line?)?;
        let turn = &message["turn"];
        let seen = &message["observation"];
        if message["type"] == "start" {
            width = message["level"]["map"][0].as_str().ok_or("no map")?.len() as i64;
            k = message["level"]["rules"]["k"].as_i64().ok_or("no k")?;
            dice = message["seed"].as_u64().ok_or("no seed")?;
            say(json!({"type": "ready", "protocol": 1, "name": "Rust rows", "keep_alive": true}));
        } else if message["type"] == "turn" {
            let actions = message["actions"].as_array().ok_or("no actions")?;
            let mut action = actions[roll(&mut dice, actions.len())].clone();
            if seen["phase"] == "Play" {
                // Else it is a swap opening, where anything listed will do.
                let stones = seen["stones"].as_array().ok_or("no stones")?;
                let values = values(stones, &seen["to_move"], width, k);
                let cells = (0..stones.len()).filter(|&cell| stones[cell].is_null());
                let heat: Vec<(Value, f64)> = cells
                    .map(|cell| {
                        let place = json!({"x": cell as i64 % width, "y": cell as i64 / width});
                        (place, (1.0 + values[cell] + roll(&mut dice, 100) as f64 / 100.0).ln())
                    })
                    .collect();
                let best = heat.iter().max_by(|a, b| a.1.total_cmp(&b.1)).ok_or("no empty cell")?;
                action = json!({"Place": best.0});
                let heat = json!({"label": "What matters", "cells": heat});
                say(json!({"type": "insight", "turn": turn, "heat": heat}));
                if best.1 > 1e99_f64.ln() {
                    say(json!({"type": "note", "turn": turn, "text": "There I win, or you do."}));
                }
            }
            say(json!({"type": "action", "turn": turn, "action": action}));
        }
    }
    Ok(())
}
