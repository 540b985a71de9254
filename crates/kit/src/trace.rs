//! A match turn by turn as rows of a table, for those who measure, and what search traces show of a level.

use super::csv::columns;
use super::spec::GameSpec;
use super::tiles::{TileStyle, look_of, piece_and_ground};
use outwit_core::grid::Cell;
use outwit_core::play::{CheckedLevel, Match, Review};
use outwit_core::search::TraceMap;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// One row for each position of a match: `turn` 0 is the start, row n the position after n turns.
///
/// Beside the [`columns`](super::Tables::trace_columns) of the game a row has the `actions` that led to it
/// with their seats and the `events` of that turn. With a review, its seats have `value_before` and
/// `value_after` of each move of theirs with perfect play to come, and its `cost`, with the name of the
/// seat before them; where these are estimates also the `cost_margin`. The last row has the `score` and
/// `ending` of every seat, if the match is over.
///
/// All rows have the same keys in the same order.
pub fn trace_rows<G: GameSpec>(played: &Match<G>, review: Option<&Review>) -> Vec<Value> {
    let outcome = played.outcome();
    let mut rows: Vec<Map<String, Value>> = Vec::new();
    for (turn, state) in played.states().iter().enumerate() {
        let mut row = Map::new();
        row.insert("turn".into(), json!(turn));
        row.extend((G::TABLES.trace_columns)(played.game(), state));
        let last = turn.checked_sub(1).and_then(|before| played.turns().get(before));
        let (mut actions, mut events) = (Vec::new(), Vec::new());
        if let Some(last) = last {
            let action = |(seat, action): &(_, G::Action)| json!({ "seat": G::SEATS.id(*seat), "action": document(action) });
            actions.extend(last.actions.iter().map(action));
            events.extend(last.events.iter().map(|event| json!(format!("{event:?}"))));
        }
        row.insert("actions".into(), Value::Array(actions));
        row.insert("events".into(), Value::Array(events));
        for seat in review.iter().flat_map(|review| &review.seats) {
            let id = G::SEATS.id(seat.seat);
            let made = seat.moves.iter().find(|made| made.turn + 1 == turn);
            let mut put = |what: &str, value: Option<f64>| {
                row.insert(format!("{id}_{what}"), json!(value));
            };
            put("value_before", made.and_then(|made| made.before));
            put("value_after", made.and_then(|made| made.after));
            put("cost", made.and_then(|made| made.cost));
            if let Some(margin) = made.and_then(|made| made.margin) {
                put("cost_margin", Some(margin));
            }
        }
        let is_last = turn == played.len();
        for seat in 0..played.game().seats() {
            let place = outcome.as_ref().filter(|_| is_last);
            let place = place.and_then(|over| over.places.get(seat));
            let id = G::SEATS.id(outwit_core::play::Seat(seat as u8));
            row.insert(format!("{id}_score"), json!(place.and_then(|place| place.score)));
            row.insert(format!("{id}_ending"), json!(place.map(|place| &place.ending)));
        }
        rows.push(row);
    }
    with_same_keys(rows)
}

/// Rows with all keys of all rows, in the order in which they come first.
fn with_same_keys(rows: Vec<Map<String, Value>>) -> Vec<Value> {
    let rows: Vec<Value> = rows.into_iter().map(Value::Object).collect();
    let columns = columns(&rows);
    let whole = |row: &Value| {
        let value = |key: &&str| (String::from(*key), row.get(key).cloned().unwrap_or_default());
        Value::Object(columns.iter().map(value).collect())
    };
    rows.iter().map(whole).collect()
}

/// A state as flat columns: the fields of its serialised form, nested ones with a dot between, numbers
/// of entries counted from 0. Lists of plain values stay whole.
pub fn flat_columns(state: &impl Serialize) -> Map<String, Value> {
    let mut columns = Map::new();
    flatten("state", document(state), &mut columns);
    columns
}

/// The value as a document, or as RON text if documents cannot hold it.
fn document(value: &impl Serialize) -> Value {
    serde_json::to_value(value)
        .unwrap_or_else(|_| Value::String(ron::to_string(value).unwrap_or_default()))
}

fn flatten(name: &str, value: Value, columns: &mut Map<String, Value>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                flatten(&format!("{name}.{field}"), value, columns);
            }
        }
        Value::Array(list) if list.iter().any(Value::is_object) => {
            for (index, value) in list.into_iter().enumerate() {
                flatten(&format!("{name}.{index}"), value, columns);
            }
        }
        plain => {
            columns.insert(name.to_owned(), plain);
        }
    }
}

/// What a search trace shows of a level.
pub(super) fn search_map<G: GameSpec>(level: &CheckedLevel<G>) -> TraceMap {
    let looks = (G::MAPS.looks)(level, Some(level));
    let walls = looks.map(|style| matches!(style, TileStyle::Void | TileStyle::Wall));
    let palette = G::MAPS.palette;
    // Also under what stands on it.
    let is_goal = |&(_, &symbol): &(Cell, &char)| {
        let ground = piece_and_ground(palette, symbol).map_or(symbol, |(_, ground)| ground);
        look_of(palette, ground) == TileStyle::Goal
    };
    let goals = level.cells(' ').iter().filter(is_goal).map(|(cell, _)| cell).collect();
    TraceMap { walls, goals }
}

/// Why the search of a planner cannot be recorded, and whose can.
pub(super) fn no_recording<G: GameSpec>() -> String {
    let recorded = G::SEARCHES.map_or_else(Vec::new, |searches| (searches.recorded)());
    match recorded.first() {
        None => format!("no planner of {} tells which states it expands", G::INFO.name),
        Some(first) => format!(
            "it does not tell which states it expands; choose another planner, such as {first}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_fields_become_columns() {
        let state = json!({ "a": { "b": [1, 2], "c": [{ "x": 1 }, { "x": 2 }] }, "d": null });
        let columns = Value::Object(flat_columns(&state));
        let expected = json!({
            "state.a.b": [1, 2], "state.a.c.0.x": 1, "state.a.c.1.x": 2, "state.d": null,
        });
        assert_eq!(columns, expected);
    }
}
