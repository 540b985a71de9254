//! What is wrong with a level, and where.

use crate::grid::{Cell, Grid};
use std::collections::BTreeMap;
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
    /// The other cells of the map that have it.
    pub also: Vec<Cell>,
}

impl Fault {
    /// A fault of the whole file.
    pub fn whole(what: impl Into<String>) -> Self {
        Self { spot: Spot::Whole, what: what.into(), also: Vec::new() }
    }

    /// A fault at a cell of the map.
    pub fn at(cell: Cell, what: impl Into<String>) -> Self {
        Self { spot: Spot::Cell(cell), what: what.into(), also: Vec::new() }
    }

    /// One fault of all these cells, which names the first of them and their number; `None` of none.
    pub fn at_all(cells: impl IntoIterator<Item = Cell>, what: impl Into<String>) -> Option<Self> {
        let mut cells = cells.into_iter();
        let first = cells.next()?;
        let fault = Self::at(first, what).and_at(cells);
        let places = fault.cells().count();
        Some(fault.counted(places))
    }

    /// Adds the other cells that have this fault.
    #[must_use]
    pub fn and_at(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.also.extend(cells);
        self
    }

    /// All cells of the map that have this fault.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        let first = match self.spot {
            Spot::Cell(cell) => Some(cell),
            Spot::Whole | Spot::Text { .. } => None,
        };
        first.into_iter().chain(self.also.iter().copied())
    }

    /// A fault at a line and column of the text, counted from 1.
    pub fn text(line: usize, column: usize, what: impl Into<String>) -> Self {
        Self { spot: Spot::Text { line, column }, what: what.into(), also: Vec::new() }
    }

    /// Says how many places have this fault, which itself names the first of them.
    #[must_use]
    pub fn counted(mut self, places: usize) -> Self {
        if places > 1 {
            self.what += &format!(" ({places} such places)");
        }
        self
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

/// Different unknown characters are listed up to this number.
const MOST_LISTED: usize = 20;

/// A fault for each character of a map that is not known, at its first cell and with the number of its
/// cells; `known` lists those that are, for people.
pub fn unknown_characters(
    symbols: &Grid<char>,
    is_known: impl Fn(char) -> bool,
    known: &str,
) -> Vec<Fault> {
    let unknown = symbols.iter().filter(|&(_, &symbol)| !is_known(symbol));
    let counts = count_characters(unknown.map(|(cell, &symbol)| (symbol, cell)));
    let mut faults: Vec<Fault> = counts
        .iter()
        .take(MOST_LISTED)
        .map(|found| Fault::at(found.place, format!("{found}; use {known}")))
        .collect();
    if counts.len() > MOST_LISTED {
        let more = counts.len() - MOST_LISTED;
        faults.push(Fault::whole(format!("{more} more unknown characters are not listed")));
    }
    faults
}

/// An unknown character of a map.
pub struct UnknownCharacter<P> {
    /// The character.
    pub symbol: char,
    /// Where it is found first.
    pub place: P,
    /// How often it is found.
    pub count: usize,
}

impl<P> fmt::Display for UnknownCharacter<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown character '{}'", self.symbol.escape_default())?;
        if self.count > 1 { write!(f, " in {} cells", self.count) } else { Ok(()) }
    }
}

/// Each character once, ordered by its first place.
pub fn count_characters<P>(found: impl IntoIterator<Item = (char, P)>) -> Vec<UnknownCharacter<P>> {
    let mut index: BTreeMap<char, usize> = BTreeMap::new();
    let mut counts: Vec<UnknownCharacter<P>> = Vec::new();
    for (symbol, place) in found {
        let at = *index.entry(symbol).or_insert(counts.len());
        match counts.get_mut(at) {
            Some(known) => known.count += 1,
            None => counts.push(UnknownCharacter { symbol, place, count: 1 }),
        }
    }
    counts
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_character_is_told_once_with_its_number() {
        let symbols = Grid::from_fn(300, 300, |cell| match (cell.x, cell.y) {
            (5, 1) => '?',
            (x, _) if x % 2 == 1 => '\u{7}',
            _ => '.',
        });
        let faults = unknown_characters(&symbols, |symbol| symbol == '.', ". floor");
        let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "cell (1,0): unknown character '\\u{7}' in 44999 cells; use . floor",
                "cell (5,1): unknown character '?'; use . floor",
            ]
        );
    }
}
