//! Recordings as search traces, version 1.4.0, as the Posthoc visualiser reads them
//! (<https://posthoc.pathfinding.ai>; its definition is `protocol/Trace-v140.ts` of posthoc-app).

use super::EventKind;
use super::recording::{Recording, RecordingEnd, SearchEvent, StateView};
use crate::grid::{Cell, Grid};
use std::fmt::Write;

/// The events that a trace holds if nobody says otherwise. Posthoc reads about this many at ease.
pub const TRACE_EVENTS: usize = 20_000;

/// The text of a trace: YAML with `version`, `views`, `pivot` and `events`.
///
/// The map is drawn with the first event: one rectangle for each run of walls in a row. Then each
/// event draws its state: the cell `x`, `y`, coloured by the type of the event, and the other cells
/// `x0`, `y0` and so on. Nodes of the backward side have odd ids, those of the forward side even
/// ones. A trace that was cut says so in a comment at its beginning and in its last event.
pub fn write_trace(recording: &Recording, walls: &Grid<bool>) -> String {
    let mut text = String::from("version: 1.4.0\n");
    if recording.end == RecordingEnd::Cut {
        let _ = writeln!(text, "# cut after {} events", recording.events.len());
    }
    let others = recording.events.first().map_or(0, |event| event.state.others.len());
    views(&mut text, walls, others);
    text.push_str("pivot:\n  x: \"${{ $.x + 0.5 }}\"\n  y: \"${{ $.y + 0.5 }}\"\n  scale: 1\n");
    text.push_str("events:\n");
    if let Some(first) = recording.events.first() {
        entry(&mut text, "source", first, &first.state);
    }
    for event in &recording.events {
        let kind = match event.kind {
            EventKind::Generate => "generating",
            EventKind::Expand => "expanding",
            EventKind::Update => "updating",
            EventKind::Close => "closing",
            EventKind::Goal => "destination",
        };
        entry(&mut text, kind, event, &event.state);
    }
    let end = match recording.end {
        RecordingEnd::Cut => "cut",
        RecordingEnd::Found(_) => "solved",
        RecordingEnd::Exhausted => "no solution",
        RecordingEnd::LimitReached => "limit reached",
        RecordingEnd::Stopped => "stopped",
    };
    if let Some(last) = recording.events.last() {
        let _ = write!(text, "  - {{ type: end, id: {}, result: \"{end}\"", id(last.id, last));
        if let RecordingEnd::Found(cost) = recording.end {
            let _ = write!(text, ", cost: {cost}");
        }
        let Cell { x, y } = last.state.cell;
        let _ = writeln!(text, ", x: {x}, y: {y} }}");
    }
    text
}

fn id(node: u32, event: &SearchEvent) -> u64 {
    u64::from(node) * 2 + u64::from(event.backward)
}

fn entry(text: &mut String, kind: &str, event: &SearchEvent, state: &StateView) {
    // Writing to a string cannot fail.
    let _ = write!(text, "  - {{ type: {kind}, id: {}, pId: ", id(event.id, event));
    let _ = match event.parent {
        Some(parent) => write!(text, "{}", id(parent, event)),
        None => write!(text, "null"),
    };
    let _ = write!(text, ", f: {}, g: {}, h: {}", event.f, event.g, event.h);
    let _ = write!(text, ", x: {}, y: {}", state.cell.x, state.cell.y);
    for (index, cell) in state.others.iter().enumerate() {
        let _ = write!(text, ", x{index}: {}, y{index}: {}", cell.x, cell.y);
    }
    for (name, value) in &state.values {
        let _ = write!(text, ", {name}: {value}");
    }
    text.push_str(" }\n");
}

fn views(text: &mut String, walls: &Grid<bool>, others: usize) {
    text.push_str("views:\n  main:\n");
    for (from, length) in runs(walls) {
        let _ = writeln!(
            text,
            "    - {{ $: rect, x: {}, y: {}, width: {length}, height: 1, fill: \"#555555\", \
             $if: \"${{{{ $.type == 'source' }}}}\" }}",
            from.x, from.y
        );
    }
    // What an event draws stays until the next one, so that the state of the step stands alone.
    text.push_str(
        "    - { $: rect, x: \"${{ $.x }}\", y: \"${{ $.y }}\", width: 1, height: 1, \
         fill: \"${{ color[$.type] }}\", clear: true }\n",
    );
    for other in 0..others {
        let _ = writeln!(
            text,
            "    - {{ $: rect, x: \"${{{{ $.x{other} + 0.1 }}}}\", \
             y: \"${{{{ $.y{other} + 0.1 }}}}\", width: 0.8, height: 0.8, fill: \"#e69f00\", \
             clear: true, $if: \"${{{{ $.type != 'end' }}}}\" }}"
        );
    }
}

/// Walls side by side, as their first cell and their number.
fn runs(walls: &Grid<bool>) -> Vec<(Cell, u32)> {
    let mut runs: Vec<(Cell, u32)> = Vec::new();
    for cell in walls.iter().filter(|&(_, &wall)| wall).map(|(cell, _)| cell) {
        match runs.last_mut() {
            Some((from, length)) if from.y == cell.y && from.x + *length as i32 == cell.x => {
                *length += 1;
            }
            _ => runs.push((cell, 1)),
        }
    }
    runs
}
