//! Recordings as search traces, version 1.4.0, as the Posthoc visualiser reads them
//! (<https://posthoc.pathfinding.ai>; its definition is `protocol/Trace-v140.ts` of posthoc-app).

use super::EventKind;
use super::recording::{Recording, RecordingEnd, SearchEvent, StateView};
use crate::grid::{Cell, Grid};
use std::fmt::{Display, Write};
use std::path::Path;

/// The events that a trace holds if nobody says otherwise. Posthoc reads about this many at ease.
pub const TRACE_EVENTS: usize = 20_000;

/// How a trace is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceFormat {
    /// YAML, an event a line.
    Yaml,
    /// JSON, an event a line.
    Json,
}

impl TraceFormat {
    /// The format that the ending of a file's name asks for.
    pub fn of(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// What a trace shows of the map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceMap {
    /// Where nothing can be.
    pub walls: Grid<bool>,
    /// Where the search wants to end.
    pub goals: Vec<Cell>,
}

/// The text of a trace with `version`, `views`, `pivot` and `events`.
///
/// The map is drawn with the first event: one rectangle for each run of walls in a row, and one for each
/// goal. Then each event draws its state: the cell `x`, `y`, coloured by the type of the event, and the
/// other cells `x0`, `y0` and so on. Nodes of the backward side have even ids, those of the forward side
/// odd ones, from 1. Where two sides have met, the nodes of the backward half follow once more with their
/// parents towards the start, so that the parents of the last node are the whole solution. A trace that was
/// cut says so in its last event, and in YAML in a comment at its beginning.
pub fn write_trace(recording: &Recording, map: &TraceMap, format: TraceFormat) -> String {
    let others = recording.events.first().map_or(0, |event| event.state.others.len());
    let mut page = Page { text: String::new(), format, is_first: true };
    page.head(recording);
    page.views(map, others);
    page.between();
    if let Some(first) = recording.events.first() {
        page.event("source", first);
    }
    let rest = backward_half(recording);
    for event in &recording.events {
        let kind = match event.kind {
            EventKind::Generate => "generating",
            EventKind::Expand => "expanding",
            EventKind::Update => "updating",
            EventKind::Close => "closing",
            EventKind::Goal if rest.is_empty() => "destination",
            EventKind::Goal => "meeting",
        };
        page.event(kind, event);
    }
    for (at, node) in rest.iter().enumerate() {
        page.node(if at + 1 == rest.len() { "destination" } else { "solution" }, node);
    }
    let end = match recording.end {
        RecordingEnd::Cut => "cut",
        RecordingEnd::Found(_) => "solved",
        RecordingEnd::Exhausted => "no solution",
        RecordingEnd::LimitReached => "limit reached",
        RecordingEnd::Stopped => "stopped",
    };
    let last = recording.events.last().map(|last| (id(last.id, last.backward), last.state.cell));
    let last = rest.last().map(|node| (node.id, node.state.cell)).or(last);
    if let Some((id, Cell { x, y })) = last {
        page.begin();
        page.string("type", "end");
        page.field("id", id);
        page.string("result", end);
        if let RecordingEnd::Found(cost) = recording.end {
            page.field("cost", cost);
        }
        page.field("x", x);
        page.field("y", y);
        page.end();
    }
    page.close();
    page.text
}

/// The id of a node in a trace. Never 0, which some readers take for none.
fn id(node: u32, backward: bool) -> u64 {
    u64::from(node) * 2 + 1 + u64::from(backward)
}

/// A node as an event shows it.
struct Node<'a> {
    id: u64,
    parent: Option<u64>,
    f: u64,
    g: u32,
    h: u32,
    state: &'a StateView,
}

/// The nodes from where two sides met on to the goal, as they would be had they been found from the start;
/// empty if one side found the goal, or none.
fn backward_half(recording: &Recording) -> Vec<Node<'_>> {
    let RecordingEnd::Found(cost) = recording.end else { return Vec::new() };
    let path = recording.solution();
    let Some(met) = path.iter().position(|&(_, backward)| backward) else { return Vec::new() };
    let node = |at: usize| {
        let of = |event: &&SearchEvent| (event.id, event.backward) == path[at];
        let event = recording.events.iter().rev().find(of)?;
        // The first is the state of the forward side's last.
        let parent = at.checked_sub(1).map(|before| id(path[before].0, path[before].1));
        let g = cost.saturating_sub(event.g);
        Some(Node {
            id: id(event.id, true),
            parent,
            f: cost.into(),
            g,
            h: event.g,
            state: &event.state,
        })
    };
    (met..path.len()).filter_map(node).collect()
}

/// A trace that is being written. Writing to a string cannot fail.
struct Page {
    text: String,
    format: TraceFormat,
    /// Whether nothing has been written at this place of a list or a mapping.
    is_first: bool,
}

impl Page {
    fn head(&mut self, recording: &Recording) {
        self.text.push_str(match self.format {
            TraceFormat::Yaml => "version: 1.4.0\n",
            TraceFormat::Json => "{\"version\": \"1.4.0\",\n\"views\": {\"main\": [\n",
        });
        if self.format == TraceFormat::Yaml {
            if recording.end == RecordingEnd::Cut {
                let _ = writeln!(self.text, "# cut after {} events", recording.events.len());
            }
            self.text.push_str("views:\n  main:\n");
        }
    }

    /// Ends the views and begins the events.
    fn between(&mut self) {
        let (x, y) = ("\"${{ $.x + 0.5 }}\"", "\"${{ $.y + 0.5 }}\"");
        let _ = match self.format {
            TraceFormat::Yaml => {
                writeln!(self.text, "pivot:\n  x: {x}\n  y: {y}\n  scale: 1\nevents:")
            }
            TraceFormat::Json => writeln!(
                self.text,
                "\n]}},\n\"pivot\": {{\"x\": {x}, \"y\": {y}, \"scale\": 1}},\n\"events\": ["
            ),
        };
        self.is_first = true;
    }

    fn close(&mut self) {
        if self.format == TraceFormat::Json {
            self.text.push_str("\n]}\n");
        }
    }

    /// Begins a mapping in a list.
    fn begin(&mut self) {
        self.text.push_str(match (self.format, self.is_first) {
            (TraceFormat::Yaml, _) => "  - { ",
            (TraceFormat::Json, true) => "{",
            (TraceFormat::Json, false) => ",\n{",
        });
        self.is_first = true;
    }

    fn end(&mut self) {
        self.text.push_str(match self.format {
            TraceFormat::Yaml => " }\n",
            TraceFormat::Json => "}",
        });
        self.is_first = false;
    }

    /// A field of a mapping: a number or `null`.
    fn field(&mut self, key: impl Display, value: impl Display) {
        let comma = if std::mem::replace(&mut self.is_first, false) { "" } else { ", " };
        let _ = match self.format {
            TraceFormat::Yaml => write!(self.text, "{comma}{key}: {value}"),
            TraceFormat::Json => write!(self.text, "{comma}\"{key}\": {value}"),
        };
    }

    /// A field of a mapping: a text without quotation marks.
    fn string(&mut self, key: impl Display, value: &str) {
        let is_word = value.chars().all(char::is_alphabetic);
        match self.format {
            TraceFormat::Yaml if is_word => self.field(key, value),
            _ => self.field(key, format_args!("\"{value}\"")),
        }
    }

    fn event(&mut self, kind: &str, event: &SearchEvent) {
        let node = Node {
            id: id(event.id, event.backward),
            parent: event.parent.map(|parent| id(parent, event.backward)),
            f: event.f,
            g: event.g,
            h: event.h,
            state: &event.state,
        };
        self.node(kind, &node);
    }

    fn node(&mut self, kind: &str, node: &Node<'_>) {
        self.begin();
        self.string("type", kind);
        self.field("id", node.id);
        match node.parent {
            Some(parent) => self.field("pId", parent),
            None => self.field("pId", "null"),
        }
        self.field("f", node.f);
        self.field("g", node.g);
        self.field("h", node.h);
        self.field("x", node.state.cell.x);
        self.field("y", node.state.cell.y);
        for (index, cell) in node.state.others.iter().enumerate() {
            self.field(format_args!("x{index}"), cell.x);
            self.field(format_args!("y{index}"), cell.y);
        }
        for (name, value) in &node.state.values {
            self.field(name, value);
        }
        self.end();
    }

    /// What is drawn.
    fn views(&mut self, map: &TraceMap, others: usize) {
        for (from, length) in runs(&map.walls) {
            self.still(from, length, "#555555");
        }
        for &goal in &map.goals {
            self.still(goal, 1, "#a6dba0");
        }
        // What an event draws stays until the next one, so that the state of the step stands alone.
        self.rect("${{ $.x }}", "${{ $.y }}", 1.0, "${{ color[$.type] }}");
        self.field("clear", true);
        self.end();
        for other in 0..others {
            let (x, y) =
                (format!("${{{{ $.x{other} + 0.1 }}}}"), format!("${{{{ $.y{other} + 0.1 }}}}"));
            self.rect(&x, &y, 0.8, "#e69f00");
            self.field("clear", true);
            self.string("$if", "${{ $.type != 'end' }}");
            self.end();
        }
    }

    /// Begins a square of a state.
    fn rect(&mut self, x: &str, y: &str, side: f64, fill: &str) {
        self.begin();
        self.string("$", "rect");
        self.string("x", x);
        self.string("y", y);
        self.field("width", side);
        self.field("height", side);
        self.string("fill", fill);
    }

    /// Draws a part of the map.
    fn still(&mut self, from: Cell, length: u32, fill: &str) {
        self.begin();
        self.string("$", "rect");
        self.field("x", from.x);
        self.field("y", from.y);
        self.field("width", length);
        self.field("height", 1);
        self.string("fill", fill);
        self.string("$if", "${{ $.type == 'source' }}");
        self.end();
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
