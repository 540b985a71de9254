//! A position as columns of a trace.

use super::{Cops, Pursuit, PursuitStatus};
use outwit_core::grid::Cell;
use serde_json::{Map, Value, json};

/// The `tick` whose moves come next, cells counted from 0 at the left and the top: of the thief, each
/// cop, the left or top cell of each wall with its heading, and the cells of each gate.
pub fn columns(game: &Cops, pursuit: &Pursuit) -> Map<String, Value> {
    let mut columns = Map::new();
    let position = &pursuit.position;
    columns.insert("tick".into(), json!(position.tick));
    let status = match pursuit.standing {
        PursuitStatus::Running => "running",
        PursuitStatus::Caught(_) => "caught",
        PursuitStatus::Escaped(_) => "escaped",
        PursuitStatus::Survived => "survived",
    };
    columns.insert("status".into(), json!(status));
    insert_cell(&mut columns, "thief", position.thief);
    for (cop, number) in position.cops.iter().zip(1..) {
        insert_cell(&mut columns, &format!("cop{number}"), *cop);
    }
    for (wall, number) in position.walls.iter().zip(1..) {
        insert_cell(&mut columns, &format!("wall{number}"), wall.cell);
    }
    for (wall, number) in position.walls.iter().zip(1..) {
        let direction = if wall.standing { "vertical" } else { "horizontal" };
        columns.insert(format!("wall{number}_direction"), json!(direction));
        columns.insert(
            format!("wall{number}_heading"),
            json!(format!("{:?}", wall.heading).to_lowercase()),
        );
    }
    for (gate, number) in position.gates.iter().zip(1..) {
        let cells: Vec<[i32; 2]> =
            game.board().gate_cells(*gate).map(|cell| [cell.x, cell.y]).collect();
        columns.insert(format!("gate{number}_cells"), json!(cells));
        columns.insert(format!("gate{number}_clockwise"), json!(gate.clockwise));
    }
    columns
}

fn insert_cell(columns: &mut Map<String, Value>, name: &str, cell: Cell) {
    columns.insert(format!("{name}_x"), json!(cell.x));
    columns.insert(format!("{name}_y"), json!(cell.y));
}
