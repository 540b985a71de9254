//! Searches as search traces, version 1.4.0, as the Posthoc visualiser reads them
//! (<https://posthoc.pathfinding.ai>; its definition is `protocol/Trace-v140.ts` of posthoc-app).

use super::EventKind;
use super::recording::{EventSink, RecordingEnd, RecordingSummary, SearchEvent, StateView};
use crate::grid::{Cell, Grid};
use std::fmt::{Arguments, Display};
use std::io::{Error, Write};
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

/// Writes a trace with `version`, `views`, `pivot` and `events` while the search goes on, so that no more than a
/// few events are ever held in memory.
///
/// The map is drawn with the first event: one rectangle for each run of walls in a row, and one for each
/// goal. Then each event draws its state: the cell `x`, `y`, coloured by the type of the event, and the
/// other cells `x0`, `y0` and so on. Nodes of the backward side have even ids, those of the forward side
/// odd ones, from 1. Where two sides have met, the nodes of the backward half follow once more with their
/// parents towards the start, so that the parents of the last node are the whole solution. The last event says how
/// the search ended and what it had done by then. A trace that was cut says so there, and in YAML in a comment at its
/// end.
pub struct TraceWriter<W> {
    page: Page<W>,
    map: TraceMap,
    is_begun: bool,
    written: usize,
    /// The goals, whose type depends on what follows.
    goals: Vec<SearchEvent>,
    /// The latest node of the backward half, whose type depends on whether another one follows.
    latest: Option<Node>,
    last: Option<(u64, Cell)>,
}

impl<W: Write> EventSink for TraceWriter<W> {
    fn event(&mut self, event: SearchEvent) -> bool {
        self.begin(Some(&event));
        self.written += 1;
        self.last = Some((id(event.id, event.backward), event.state.cell));
        let kind = match event.kind {
            EventKind::Generate => "generating",
            EventKind::Expand => "expanding",
            EventKind::Update => "updating",
            EventKind::Close => "closing",
            EventKind::Goal => {
                self.goals.push(event);
                return self.page.failed.is_none();
            }
        };
        self.page.node(kind, &Node::of(event));
        self.page.failed.is_none()
    }

    /// The nodes are written as they would be had they been found from the start.
    fn rest(&mut self, node: SearchEvent) {
        let own = id(node.id, true);
        let mut parent = self.last.replace((own, node.state.cell)).map(|(parent, _)| parent);
        for goal in std::mem::take(&mut self.goals) {
            // The first node is the state of the forward side's last.
            if !goal.backward {
                parent = Some(id(goal.id, false));
            }
            self.page.node("meeting", &Node::of(goal));
        }
        if let Some(before) = self.latest.take() {
            self.page.node("solution", &before);
        }
        let f = node.f;
        let h = node.g;
        let g = f.saturating_sub(h.into());
        self.latest = Some(Node { id: own, parent, f, g, h, state: node.state });
    }
}

impl<W: Write> TraceWriter<W> {
    /// A trace of a search on this map.
    pub fn new(out: W, map: TraceMap, format: TraceFormat) -> Self {
        Self {
            page: Page { out, failed: None, format, is_first: true },
            map,
            is_begun: false,
            written: 0,
            goals: Vec::new(),
            latest: None,
            last: None,
        }
    }

    /// Writes all that stands before the events, unless it is written.
    fn begin(&mut self, first: Option<&SearchEvent>) {
        if std::mem::replace(&mut self.is_begun, true) {
            return;
        }
        self.page.head();
        self.page.views(&self.map, first.map_or(0, |event| event.state.others.len()));
        self.page.between();
        if let Some(first) = first {
            self.page.node("source", &Node::of(first.clone()));
        }
    }

    /// Writes how the search ended.
    ///
    /// # Errors
    /// The first write that failed; nothing was written after it.
    pub fn finish(mut self, summary: &RecordingSummary) -> Result<(), Error> {
        self.begin(None);
        for goal in std::mem::take(&mut self.goals) {
            self.page.node("destination", &Node::of(goal));
        }
        if let Some(node) = self.latest.take() {
            self.page.node("destination", &node);
        }
        let page = &mut self.page;
        let end = match summary.end {
            RecordingEnd::Cut => "cut",
            RecordingEnd::Found(_) => "solved",
            RecordingEnd::Exhausted => "no solution",
            RecordingEnd::LimitReached => "limit reached",
            RecordingEnd::Stopped => "stopped",
        };
        if let Some((id, Cell { x, y })) = self.last {
            page.begin();
            page.string("type", "end");
            page.field("id", id);
            page.string("result", end);
            if let RecordingEnd::Found(cost) = summary.end {
                page.field("cost", cost);
            }
            page.field("expanded", summary.counters.expanded);
            page.field("expanded_again", summary.counters.expanded_again);
            page.field("generated", summary.counters.generated);
            page.field("x", x);
            page.field("y", y);
            page.end();
        }
        page.close();
        if page.format == TraceFormat::Yaml && summary.end == RecordingEnd::Cut {
            page.put(format_args!("# cut after {} events\n", self.written));
        }
        page.failed.take().map_or(Ok(()), Err)
    }
}

/// The id of a node in a trace. Never 0, which some readers take for none.
fn id(node: u32, backward: bool) -> u64 {
    u64::from(node) * 2 + 1 + u64::from(backward)
}

/// A node as an event shows it.
struct Node {
    id: u64,
    parent: Option<u64>,
    f: u64,
    g: u64,
    h: u32,
    state: StateView,
}

impl Node {
    fn of(event: SearchEvent) -> Self {
        Self {
            id: id(event.id, event.backward),
            parent: event.parent.map(|parent| id(parent, event.backward)),
            f: event.f,
            g: event.g.into(),
            h: event.h,
            state: event.state,
        }
    }
}

/// A trace that is being written. Once a write has failed, nothing more is written.
struct Page<W> {
    out: W,
    failed: Option<Error>,
    format: TraceFormat,
    /// Whether nothing has been written at this place of a list or a mapping.
    is_first: bool,
}

impl<W: Write> Page<W> {
    fn put(&mut self, text: Arguments<'_>) {
        if self.failed.is_none() {
            self.failed = self.out.write_fmt(text).err();
        }
    }

    fn head(&mut self) {
        self.put(match self.format {
            TraceFormat::Yaml => format_args!("version: 1.4.0\nviews:\n  main:\n"),
            TraceFormat::Json => {
                format_args!("{{\"version\": \"1.4.0\",\n\"views\": {{\"main\": [\n")
            }
        });
    }

    /// Ends the views and begins the events.
    fn between(&mut self) {
        let x = "\"${{ $.x + 0.5 }}\"";
        let y = "\"${{ $.y + 0.5 }}\"";
        match self.format {
            TraceFormat::Yaml => {
                self.put(format_args!("pivot:\n  x: {x}\n  y: {y}\n  scale: 1\nevents:\n"));
            }
            TraceFormat::Json => self.put(format_args!(
                "\n]}},\n\"pivot\": {{\"x\": {x}, \"y\": {y}, \"scale\": 1}},\n\"events\": [\n"
            )),
        }
        self.is_first = true;
    }

    fn close(&mut self) {
        if self.format == TraceFormat::Json {
            self.put(format_args!("\n]}}\n"));
        }
    }

    /// Begins a mapping in a list.
    fn begin(&mut self) {
        let begin = match (self.format, self.is_first) {
            (TraceFormat::Yaml, _) => "  - { ",
            (TraceFormat::Json, true) => "{",
            (TraceFormat::Json, false) => ",\n{",
        };
        self.put(format_args!("{begin}"));
        self.is_first = true;
    }

    fn end(&mut self) {
        let end = match self.format {
            TraceFormat::Yaml => " }\n",
            TraceFormat::Json => "}",
        };
        self.put(format_args!("{end}"));
        self.is_first = false;
    }

    /// A field of a mapping: a number or `null`.
    fn field(&mut self, key: impl Display, value: impl Display) {
        let comma = if std::mem::replace(&mut self.is_first, false) { "" } else { ", " };
        match self.format {
            TraceFormat::Yaml => self.put(format_args!("{comma}{key}: {value}")),
            TraceFormat::Json => self.put(format_args!("{comma}\"{key}\": {value}")),
        }
    }

    /// A field of a mapping: a text without quotation marks.
    fn string(&mut self, key: impl Display, value: &str) {
        let is_word = value.chars().all(char::is_alphabetic);
        match self.format {
            TraceFormat::Yaml if is_word => self.field(key, value),
            _ => self.field(key, format_args!("\"{value}\"")),
        }
    }

    fn node(&mut self, kind: &str, node: &Node) {
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
            let x = format!("${{{{ $.x{other} + 0.1 }}}}");
            let y = format!("${{{{ $.y{other} + 0.1 }}}}");
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
