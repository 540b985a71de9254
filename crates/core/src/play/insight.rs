//! A planner's own picture of the board, in terms that are drawn once for all games.

use super::Value;
use crate::grid::Cell;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a planner searched, wanted and feared, to be drawn over the board.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Insight {
    /// Translucent heat over cells, the most telling layer first.
    pub heats: Vec<Heat>,
    /// Paths across the board.
    pub paths: Vec<Path>,
    /// Single cells that matter.
    pub marks: Vec<Mark>,
    /// Directed lines.
    pub arrows: Vec<Arrow>,
    /// Short texts in cells.
    pub numbers: Vec<(Cell, String)>,
    /// Figures, each with a sentence that explains it.
    pub counters: Vec<Counter>,
    /// Lines for plots.
    pub series: Vec<Series>,
    /// What it weighs against each other, the best first.
    pub candidates: Vec<Candidate>,
    /// Operations that the planner did, for people to follow step by step.
    pub walkthroughs: Vec<Walkthrough>,
    /// What people should know, such as that it runs without its table.
    pub notes: Vec<String>,
}

/// An operation of a planner, such as a crossover, step by step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Walkthrough {
    /// What the operation is called.
    pub name: &'static str,
    /// Its steps in order.
    pub steps: Vec<WalkthroughStep>,
}

/// One step of a [`Walkthrough`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WalkthroughStep {
    /// What happens, in one sentence.
    pub words: String,
    /// Paths that show it.
    pub paths: Vec<Path>,
    /// Cells that matter.
    pub marks: Vec<Mark>,
}

/// Values of cells, drawn as a colour scale from the smallest to the largest value. Cells may come
/// in any order; a cell that is missing is left uncoloured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Heat {
    /// What the values are, in a few words.
    pub label: Cow<'static, str>,
    /// One sentence that explains them, with the unit.
    #[serde(default)]
    pub about: Cow<'static, str>,
    /// Cells with their values.
    pub cells: Vec<(Cell, f32)>,
}

impl Heat {
    /// The smallest and the largest value; `None` without cells.
    pub fn range(&self) -> Option<(f32, f32)> {
        let mut values = self.cells.iter().map(|&(_, value)| value);
        let first = values.next()?;
        Some(
            values.fold((first, first), |(least, most), value| (least.min(value), most.max(value))),
        )
    }

    /// The value of a cell.
    pub fn at(&self, cell: Cell) -> Option<f32> {
        self.cells.iter().find(|(at, _)| *at == cell).map(|&(_, value)| value)
    }
}

/// A figure of a planner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Counter {
    /// What it counts, in a few words.
    pub name: Cow<'static, str>,
    /// One sentence that explains it.
    #[serde(default)]
    pub about: Cow<'static, str>,
    /// The figure.
    pub value: f64,
}

impl Counter {
    /// A counter with a fixed name and explanation.
    pub fn new(name: &'static str, about: &'static str, value: f64) -> Self {
        Self { name: name.into(), about: about.into(), value }
    }
}

/// One of several choices that a planner weighs against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The choice in words.
    pub name: String,
    /// What it is worth to the planner's seat.
    pub value: Option<Value>,
    /// Where it leads.
    pub cells: Vec<Cell>,
    /// The actions of the line that begins with it, as [`action_text`](super::action_text) writes them;
    /// empty if it cannot be played.
    pub line: Vec<String>,
}

/// How the planner feels about what it draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// What it wants to do.
    #[default]
    Wanted,
    /// What it considered.
    Searched,
    /// What it fears, or expects of others.
    Feared,
    /// What it takes from a second source, such as the other parent of a child.
    Partner,
    /// What it leaves of that source.
    PartnerUnused,
}

/// A path across the board, by cell centres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Path {
    /// The cells in order.
    pub cells: Vec<Cell>,
    /// How to draw it.
    #[serde(default)]
    pub tone: Tone,
}

/// The shape of a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MarkKind {
    /// Where it wants to be.
    Target,
    /// Where it will not go.
    Cross,
    /// A cell worth a look.
    Ring,
}

/// A cell that matters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mark {
    /// Where.
    pub cell: Cell,
    /// The shape.
    pub kind: MarkKind,
    /// How to draw it.
    #[serde(default)]
    pub tone: Tone,
}

/// A directed line between two cell centres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Arrow {
    /// Where it begins.
    pub from: Cell,
    /// Where it points.
    pub to: Cell,
    /// How to draw it.
    #[serde(default)]
    pub tone: Tone,
}

/// A named line of points for a plot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// The legend's text.
    pub name: String,
    /// Points (x, y).
    pub points: Vec<[f64; 2]>,
}
