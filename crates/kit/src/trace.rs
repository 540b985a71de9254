//! A match turn by turn as rows of a table, for those who measure, and what search traces show of a level.

use super::csv::{columns, document};
use super::spec::GameSpec;
use super::tiles::{TileStyle, look_of, piece_and_ground};
use outwit_core::play::{CheckedLevel, Match, Review};
use outwit_core::search::TraceMap;
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
        let mut actions = Vec::new();
        let mut events = Vec::new();
        if let Some(last) = last {
            actions.extend(last.actions.iter().map(
                |(seat, action)| json!({ "seat": G::SEATS.id(*seat), "action": document(action) }),
            ));
            events.extend(last.events.iter().map(|event| json!(format!("{event:?}"))));
        }
        row.insert("actions".into(), Value::Array(actions));
        row.insert("events".into(), Value::Array(events));
        for seat in review.iter().flat_map(|review| &review.seats) {
            let id = G::SEATS.id(seat.seat);
            let made = seat.moves.iter().find(|made| made.turn + 1 == turn);
            row.insert(format!("{id}_value_before"), json!(made.and_then(|made| made.before)));
            row.insert(format!("{id}_value_after"), json!(made.and_then(|made| made.after)));
            row.insert(format!("{id}_cost"), json!(made.and_then(|made| made.cost)));
            if let Some(margin) = made.and_then(|made| made.margin) {
                row.insert(format!("{id}_cost_margin"), json!(margin));
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
    rows.iter()
        .map(|row| {
            let values = columns.iter().map(|key| row.get(key).cloned().unwrap_or_default());
            let keys = columns.iter().map(|key| String::from(*key));
            Value::Object(keys.zip(values).collect())
        })
        .collect()
}

/// What a search trace shows of a level.
pub(super) fn search_map<G: GameSpec>(level: &CheckedLevel<G>) -> TraceMap {
    let looks = (G::MAPS.looks)(level, Some(level));
    let walls = looks.map(|style| matches!(style, TileStyle::Void | TileStyle::Wall));
    let palette = G::MAPS.palette;
    // Also under what stands on it.
    let cells = level.cells(' ');
    let goals = cells.iter().filter(|&(_, &symbol)| {
        let ground = piece_and_ground(palette, symbol).map_or(symbol, |(_, ground)| ground);
        look_of(palette, ground) == TileStyle::Goal
    });
    TraceMap { walls, goals: goals.map(|(cell, _)| cell).collect() }
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
