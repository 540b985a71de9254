//! A position as columns of a trace.

use super::{Cops, Pursuit, PursuitStatus};
use outwit_core::grid::Cell;
use serde_json::{Map, Value, json};

/// The `tick` whose moves come next, cells counted from 0 at the left and the top: of the thief, each
/// cop, the left or top cell of each wall with its heading, and the cells of each gate.
pub fn columns(game: &Cops, pursuit: &Pursuit) -> Map<String, Value> {
    let mut columns = Map::new();
    let mut put = |key: String, value: Value| columns.insert(key, value);
    let position = &pursuit.position;
    put("tick".into(), json!(position.tick));
    let status = match pursuit.standing {
        PursuitStatus::Running => "running",
        PursuitStatus::Caught(_) => "caught",
        PursuitStatus::Escaped(_) => "escaped",
        PursuitStatus::Survived => "survived",
    };
    put("status".into(), json!(status));
    let mut cell = |name: String, cell: Cell| {
        put(format!("{name}_x"), json!(cell.x));
        put(format!("{name}_y"), json!(cell.y));
    };
    cell("thief".into(), position.thief);
    for (cop, number) in position.cops.iter().zip(1..) {
        cell(format!("cop{number}"), *cop);
    }
    for (wall, number) in position.walls.iter().zip(1..) {
        cell(format!("wall{number}"), wall.cell);
    }
    for (wall, number) in position.walls.iter().zip(1..) {
        let direction = if wall.standing { "vertical" } else { "horizontal" };
        put(format!("wall{number}_direction"), json!(direction));
        put(format!("wall{number}_heading"), json!(format!("{:?}", wall.heading).to_lowercase()));
    }
    for (gate, number) in position.gates.iter().zip(1..) {
        let cells: Vec<[i32; 2]> =
            game.board().gate_cells(*gate).map(|cell| [cell.x, cell.y]).collect();
        put(format!("gate{number}_cells"), json!(cells));
        put(format!("gate{number}_clockwise"), json!(gate.clockwise));
    }
    columns
}
