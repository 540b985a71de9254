//! A race as columns of a trace.

use super::rules::{CarStatus, OutReason, Race};
use serde_json::{Map, Value, json};

/// The seat that moves next, counted from 1, and each car: its cell counted from 0 at the left and the
/// top, its velocity in cells per turn, its turns, the turns of a penalty still to come, and what it has
/// passed.
pub fn columns(race: &Race) -> Map<String, Value> {
    let mut columns = Map::new();
    let is_over = usize::from(race.mover) >= race.cars.len();
    columns.insert("mover".into(), json!((!is_over).then_some(race.mover + 1)));
    for (car, number) in race.cars.iter().zip(1..) {
        let mut put =
            |what: &str, value: Value| columns.insert(format!("car{number}_{what}"), value);
        put("x", json!(car.cell.x));
        put("y", json!(car.cell.y));
        put("vx", json!(car.velocity.x));
        put("vy", json!(car.velocity.y));
        put("turns", json!(car.turns));
        put("waiting", json!(car.waiting));
        put("passed", json!(car.progress));
        let status = match car.standing {
            CarStatus::Racing => "racing",
            CarStatus::Finished { .. } => "finished",
            CarStatus::Out(OutReason::Crashed) => "crashed",
            CarStatus::Out(OutReason::TimedOut) => "timed out",
        };
        put("status", json!(status));
    }
    columns
}
