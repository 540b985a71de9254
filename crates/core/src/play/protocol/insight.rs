//! What a program thinks, made safe to be drawn.

use super::ProgramThought;
use crate::escape::on_one_line;
use crate::grid::Cell;
use crate::levels::{MAX_SIDE, cut};
use crate::play::{Arrow, Counter, Heat, Insight, MAX_NOTE, Mark, Path, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Letters of a label, a name or a number.
const MOST_LETTERS: usize = 60;
/// Letters of an explanation.
const MOST_WORDS: usize = 200;
/// Cells of all heats and paths together, and entries of all other lists.
const MOST_CELLS: usize = 20_000;

/// What a program thinks about a turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct InsightMessage {
    /// The turn that it is about.
    pub turn: usize,
    /// Values of cells, drawn as colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heat: Option<Heat>,
    /// Paths across the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<Path>,
    /// Single cells that matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Directed lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<Arrow>,
    /// Short texts in cells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<(Cell, String)>,
    /// Figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<Counter>,
    /// The actions that it expects to choose, the next one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<Value>,
}

impl InsightMessage {
    /// What of a picture a program can have drawn.
    pub fn of(turn: usize, insight: &Insight) -> Self {
        Self {
            turn,
            heat: insight.heats.first().cloned(),
            paths: insight.paths.clone(),
            marks: insight.marks.clone(),
            arrows: insight.arrows.clone(),
            numbers: insight.numbers.clone(),
            counters: insight.counters.clone(),
            line: Vec::new(),
        }
    }

    /// How many cells and entries it has.
    fn size(&self) -> usize {
        let heat = self.heat.as_ref().map_or(0, |heat| heat.cells.len());
        let paths: usize = self.paths.iter().map(|path| path.cells.len()).sum();
        let others = self.marks.len() + self.arrows.len() + self.numbers.len();
        heat + paths + others + self.counters.len()
    }

    /// As a picture of its own: numbers that are none, cells beyond the largest board and what is too much are left
    /// out, and words are short and hide nothing.
    pub fn into_insight(self) -> Insight {
        let fits = |cell: &Cell| {
            let side = 0..MAX_SIDE as i32;
            side.contains(&cell.x) && side.contains(&cell.y)
        };
        let words = |text: &str, most| cut(&on_one_line(text), most);
        let mut left = MOST_CELLS;
        let mut room = |wanted: usize| {
            let given = wanted.min(left);
            left -= given;
            given
        };
        let heats = self.heat.map(|heat| {
            let mut cells = heat.cells;
            cells.retain(|(cell, value)| fits(cell) && value.is_finite());
            cells.truncate(room(cells.len()));
            let label = match words(&heat.label, MOST_LETTERS) {
                none if none.is_empty() => "Heat".into(),
                label => label.into(),
            };
            Heat { label, about: words(&heat.about, MOST_WORDS).into(), cells }
        });
        let mut paths = self.paths;
        for path in &mut paths {
            path.cells.retain(fits);
            path.cells.truncate(room(path.cells.len()));
        }
        paths.retain(|path| !path.cells.is_empty());
        let mut marks = self.marks;
        marks.retain(|mark| fits(&mark.cell));
        marks.truncate(room(marks.len()));
        let mut arrows = self.arrows;
        arrows.retain(|arrow| fits(&arrow.from) && fits(&arrow.to));
        arrows.truncate(room(arrows.len()));
        let mut numbers = self.numbers;
        numbers.retain(|(cell, _)| fits(cell));
        numbers.truncate(room(numbers.len()));
        for (_, text) in &mut numbers {
            *text = words(text, MOST_LETTERS);
        }
        let mut counters = self.counters;
        counters.retain(|counter| counter.value.is_finite());
        counters.truncate(room(counters.len()).min(100));
        for counter in &mut counters {
            counter.name = words(&counter.name, MOST_LETTERS).into();
            counter.about = words(&counter.about, MOST_WORDS).into();
        }
        Insight {
            heats: heats.into_iter().filter(|heat| !heat.cells.is_empty()).collect(),
            paths,
            marks,
            arrows,
            numbers,
            counters,
            ..Insight::default()
        }
    }
}

/// Cells and entries of all pictures of a replay; those of later turns are left out.
const MOST_SAVED: usize = 200_000;
/// Sentences of a turn that are saved.
const MOST_NOTES: usize = 5;

/// What a program said about a turn, as a replay keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedThought {
    /// The seat of the program.
    pub seat: Seat,
    /// The turn.
    pub turn: usize,
    /// Its sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What it drew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insight: Option<InsightMessage>,
}

impl SavedThought {
    /// What a program said, to be kept.
    pub fn of(seat: Seat, thought: &ProgramThought) -> Self {
        let insight = thought.insight.as_deref();
        Self {
            seat,
            turn: thought.turn,
            notes: thought.notes.clone(),
            insight: insight.map(|insight| InsightMessage::of(thought.turn, insight)),
        }
    }

    /// The same, made safe to be shown: it may come from anywhere.
    pub fn thought(&self) -> ProgramThought {
        let notes =
            self.notes.iter().take(MOST_NOTES).map(|note| cut(&on_one_line(note), MAX_NOTE));
        ProgramThought {
            turn: self.turn,
            insight: self.insight.clone().map(|insight| Arc::new(insight.into_insight())),
            notes: notes.filter(|note| !note.is_empty()).collect(),
        }
    }
}

/// Thoughts as replays keep them: in the order of their turns, none after the last turn, and not too many.
pub fn saved_thoughts(mut thoughts: Vec<SavedThought>, turns: usize) -> Vec<SavedThought> {
    thoughts.retain(|thought| {
        thought.turn <= turns && (!thought.notes.is_empty() || thought.insight.is_some())
    });
    thoughts.sort_by_key(|thought| (thought.turn, thought.seat));
    let mut size = 0;
    thoughts.retain(|thought| {
        size += 1 + thought.insight.as_ref().map_or(0, InsightMessage::size);
        size <= MOST_SAVED
    });
    thoughts
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_shows_only_what_can_be_shown() {
        let text = r#"{"turn": 1,
            "heat": {"label": "a\u202eb\n", "cells": [[{"x": 1, "y": 2}, 3.5], [{"x": -1, "y": 0}, 1.0],
                [{"x": 0, "y": 0}, 1e300]]},
            "paths": [{"cells": [{"x": 9, "y": 999999999}]}, {"cells": [{"x": 0, "y": 0}], "tone": "feared"}],
            "marks": [{"cell": {"x": 3, "y": 3}, "kind": "ring"}],
            "numbers": [[{"x": 0, "y": 1}, "12"]],
            "counters": [{"name": "nodes", "value": 7}], "unknown": {}}"#;
        let insight = serde_json::from_str::<InsightMessage>(text).unwrap().into_insight();
        assert_eq!(insight.heats[0].cells, [(Cell::new(1, 2), 3.5)]);
        assert_eq!(insight.heats[0].label, "a b");
        assert_eq!((insight.paths.len(), insight.marks.len(), insight.numbers.len()), (1, 1, 1));
        assert_eq!((insight.counters[0].name.as_ref(), insight.counters[0].value), ("nodes", 7.0));
    }

    #[test]
    fn a_picture_has_an_end() {
        let path = || Path { cells: vec![Cell::new(1, 1); 900], tone: crate::play::Tone::Wanted };
        let message =
            InsightMessage { paths: (0..100).map(|_| path()).collect(), ..Default::default() };
        let insight = message.into_insight();
        let cells: usize = insight.paths.iter().map(|path| path.cells.len()).sum();
        assert_eq!(cells, MOST_CELLS);
    }
}
