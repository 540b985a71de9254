//! A planner's own picture of the board, in terms that are drawn once for all games.

use crate::grid::Cell;

/// What a planner searched, wanted and feared, to be drawn over the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Insight {
    /// Translucent heat over cells.
    pub heat: Option<Heat>,
    /// Ways through the board.
    pub paths: Vec<Path>,
    /// Single cells that matter.
    pub marks: Vec<Mark>,
    /// Directed lines.
    pub arrows: Vec<Arrow>,
    /// Short texts in cells.
    pub numbers: Vec<(Cell, String)>,
    /// Named counters, such as nodes expanded.
    pub counters: Vec<(&'static str, f64)>,
    /// Lines for plots.
    pub series: Vec<Series>,
    /// What people should know, such as that it has to make do without its table.
    pub notes: Vec<String>,
}

/// A value for some cells; colours run from the least to the greatest.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// What the values are.
    pub label: &'static str,
    /// Cells with their values.
    pub cells: Vec<(Cell, f32)>,
}

/// How the planner feels about what it draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tone {
    /// What it wants to do.
    #[default]
    Wanted,
    /// What it considered.
    Searched,
    /// What it fears, or expects of others.
    Feared,
}

/// A way through the board, by cell centres.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The cells in order.
    pub cells: Vec<Cell>,
    /// How to draw it.
    pub tone: Tone,
}

/// The shape of a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkKind {
    /// Where it wants to be.
    Target,
    /// Where it will not go.
    Cross,
    /// A cell worth a look.
    Ring,
}

/// A cell that matters.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub cell: Cell,
    /// The shape.
    pub kind: MarkKind,
    /// How to draw it.
    pub tone: Tone,
}

/// A directed line between two cell centres.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// Where it begins.
    pub from: Cell,
    /// Where it points.
    pub to: Cell,
    /// How to draw it.
    pub tone: Tone,
}

/// A named line of points for a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The legend's text.
    pub name: String,
    /// Points (x, y).
    pub points: Vec<[f64; 2]>,
}
