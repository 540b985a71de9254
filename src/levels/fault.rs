//! What is wrong with a level, and where.

use crate::grid::{Cell, Grid};
use std::fmt;

/// The place of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Spot {
    /// The file as a whole.
    Whole,
    /// A line and column of the text, counted from 1.
    Text {
        /// Line.
        line: usize,
        /// Column.
        column: usize,
    },
    /// A cell of the map.
    Cell(Cell),
}

/// One problem of a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Where.
    pub spot: Spot,
    /// What, and what to do about it.
    pub what: String,
}

impl Fault {
    /// A fault of the whole file.
    pub fn whole(what: impl Into<String>) -> Self {
        Self { spot: Spot::Whole, what: what.into() }
    }

    /// A fault at a cell of the map.
    pub fn at(cell: Cell, what: impl Into<String>) -> Self {
        Self { spot: Spot::Cell(cell), what: what.into() }
    }

    /// A fault at a line and column of the text, counted from 1.
    pub fn text(line: usize, column: usize, what: impl Into<String>) -> Self {
        Self { spot: Spot::Text { line, column }, what: what.into() }
    }

    /// The fault as a line that begins with the file's name.
    pub fn in_file(&self, file: &str) -> String {
        match self.spot {
            Spot::Whole => format!("{file}: {}", self.what),
            Spot::Text { line, column } => format!("{file}:{line}:{column}: {}", self.what),
            Spot::Cell(cell) => format!("{file}: cell {cell}: {}", self.what),
        }
    }
}

/// Unknown characters are listed up to this number.
const MOST_LISTED: usize = 20;

/// A fault for each character of a map that is not known; `known` lists those that are, for people.
pub fn unknown_characters(
    symbols: &Grid<char>,
    is_known: impl Fn(char) -> bool,
    known: &str,
) -> Vec<Fault> {
    let mut faults: Vec<Fault> = symbols
        .iter()
        .filter(|&(_, &symbol)| !is_known(symbol))
        .take(MOST_LISTED + 1)
        .map(|(cell, symbol)| {
            let symbol = symbol.escape_default();
            Fault::at(cell, format!("unknown character '{symbol}'; use {known}"))
        })
        .collect();
    if faults.len() > MOST_LISTED {
        faults.truncate(MOST_LISTED);
        faults.push(Fault::whole("more unknown characters are not listed"));
    }
    faults
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.spot {
            Spot::Whole => f.write_str(&self.what),
            Spot::Text { line, column } => write!(f, "line {line}, column {column}: {}", self.what),
            Spot::Cell(cell) => write!(f, "cell {cell}: {}", self.what),
        }
    }
}
