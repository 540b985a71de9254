//! The level file: RON with a map of one character per cell.

use super::{Fault, Property, RuleError};
use crate::digest::digest_of;
use crate::escape::is_visible;
use crate::grid::{Cell, Grid};
use ron::extensions::Extensions;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The RON dialect of all Outwit files, where `Some(x)` is written as `x`.
pub(super) fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// The rules of a game that a level may change; made by [`rule_set!`](crate::rule_set).
pub trait RuleSet:
    Clone
    + PartialEq
    + Default
    + std::fmt::Debug
    + Send
    + Sync
    + Serialize
    + DeserializeOwned
    + JsonSchema
    + 'static
{
    /// All rules with their help and their ranges.
    fn properties() -> &'static [Property];

    /// The value of a rule as text.
    fn value(&self, key: &str) -> Option<String>;

    /// Sets a rule from text without checking its range.
    ///
    /// # Errors
    /// If the rule is unknown or cannot have this value.
    fn set_unchecked(&mut self, key: &str, value: &str) -> Result<(), RuleError>;

    /// Sets a rule from text.
    ///
    /// # Errors
    /// If the rule is unknown or the value is out of range.
    fn set(&mut self, key: &str, value: &str) -> Result<(), RuleError> {
        let property = Self::properties().iter().find(|p| p.key == key);
        property.ok_or_else(|| RuleError::unknown::<Self>(key))?.admits(value)?;
        self.set_unchecked(key, value)
    }

    /// The rules whose value is out of range. Only where there are none may values be used.
    fn faults(&self) -> Vec<Fault> {
        Self::properties().iter().filter_map(|rule| self.range_fault(rule)).collect()
    }

    /// What is wrong with the value of this rule, if it is out of range.
    fn range_fault(&self, rule: &Property) -> Option<Fault> {
        rule.admits(&self.value(rule.key)?).err().map(Fault::whole)
    }

    /// The rules that differ from the default, with their values.
    fn changes(&self) -> Vec<(&'static str, String)> {
        let usual = Self::default();
        Self::properties()
            .iter()
            .filter_map(|p| {
                let value = self.value(p.key)?;
                (usual.value(p.key).as_ref() != Some(&value)).then_some((p.key, value))
            })
            .collect()
    }
}

/// The content of a level file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(bound = "R: RuleSet", deny_unknown_fields)]
#[schemars(bound = "R: RuleSet")]
pub struct LevelFile<R: RuleSet> {
    /// Game and version of the format, such as `racetrack 1`.
    pub format: String,
    /// Its title.
    pub name: String,
    /// Who made it.
    #[serde(default)]
    pub author: String,
    /// A sentence or two about it.
    #[serde(default)]
    pub about: String,
    /// The rules; the file holds only those that differ from the default.
    #[serde(default)]
    pub rules: R,
    /// One string per row, one character per cell.
    pub map: Vec<String>,
}

/// What a match is played on, as replays hold it.
pub trait LevelData:
    Clone
    + PartialEq
    + std::fmt::Debug
    + Send
    + Sync
    + Serialize
    + DeserializeOwned
    + JsonSchema
    + 'static
{
    /// The level as text that stays the same while its content does, whatever is added to the rules:
    /// replays are sealed with it.
    fn text(&self) -> String;
}

impl<R: RuleSet> LevelData for LevelFile<R> {
    /// The level file, which names only the rules that differ from the default.
    fn text(&self) -> String {
        write_ron(self)
    }
}

/// The largest width and height of a map, in cells; larger maps are refused.
pub const MAX_SIDE: usize = 512;

/// The maximum length of a level's name, in characters; longer names are refused.
pub const MAX_NAME: usize = 100;

/// The maximum length of an author, in characters; longer ones are refused.
pub const MAX_AUTHOR: usize = 100;

/// The maximum length of a description, in characters; longer ones are refused.
pub const MAX_ABOUT: usize = 2000;

/// A text of at most `most` characters. If it has to be cut, it ends with an ellipsis.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

impl<R: RuleSet> LevelFile<R> {
    /// The map as characters. Rows that are too short are filled up with `blank`.
    pub fn cells(&self, blank: char) -> Grid<char> {
        let width = self.map.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        let mut rows: Vec<_> = self.map.iter().map(|row| row.chars()).collect();
        Grid::from_fn(width, self.map.len(), |cell| rows[cell.y as usize].next().unwrap_or(blank))
    }

    /// Replaces the map by these cells, one row per string.
    pub fn set_cells(&mut self, cells: &Grid<char>) {
        self.map =
            cells.as_slice().chunks(cells.width().max(1)).map(|row| row.iter().collect()).collect();
    }

    /// A digest (FNV-1a, 64 bits) of map and rules. Levels that differ only in name, author or
    /// description have the same one.
    pub fn digest(&self) -> u64 {
        let none = String::new;
        let bare = Self { name: none(), author: none(), about: none(), ..self.clone() };
        digest_of(write_ron(&bare).as_bytes())
    }

    /// The faults of format, texts, rules and shape, which any game can check.
    pub fn general_faults(&self, format: &str) -> Vec<Fault> {
        let mut faults = self.head_faults(format);
        faults.extend(self.shape_faults());
        faults
    }

    /// The faults of format, texts and rules.
    pub fn head_faults(&self, format: &str) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.format != format {
            faults.push(Fault::whole(format!(
                "the format is '{}'; this program reads '{format}'",
                self.format
            )));
        }
        if self.name.trim().is_empty() {
            faults.push(Fault::whole("the level has no name"));
        } else if !is_visible(&self.name) {
            faults.push(Fault::whole(
                "the level's name has no letter that can be seen: give it another one",
            ));
        }
        for (what, text, most) in [
            ("name", &self.name, MAX_NAME),
            ("author", &self.author, MAX_AUTHOR),
            ("about", &self.about, MAX_ABOUT),
        ] {
            let length = text.chars().count();
            if length > most {
                faults.push(Fault::whole(format!(
                    "'{what}' has {length} characters; the maximum is {most}: shorten it"
                )));
            }
        }
        faults.extend(self.rules.faults());
        faults
    }

    /// The faults that keep the map from being a rectangle of an allowed size.
    pub fn shape_faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let width = self.map.first().map_or(0, |row| row.chars().count());
        if width == 0 {
            faults.push(Fault::whole("the map is empty"));
        }
        if width > MAX_SIDE || self.map.len() > MAX_SIDE {
            faults.push(Fault::whole(format!(
                "the map is {width} by {} cells; the maximum is {MAX_SIDE} by {MAX_SIDE}",
                self.map.len()
            )));
        }
        let lengths = self.map.iter().map(|row| row.chars().count()).enumerate();
        let mut uneven = lengths.filter(|&(_, found)| found != width);
        if let Some((y, found)) = uneven.next() {
            let cell = Cell::new(found.min(width) as i32, y as i32);
            let what = format!("row {y} has {found} cells, but the first row has {width}");
            faults.push(Fault::at(cell, what).counted(1 + uneven.count()));
        }
        faults
    }
}

/// Reads RON in Outwit's dialect.
///
/// # Errors
/// The first syntax error, with line and column, or what else the bytes are.
pub fn read_ron<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Fault> {
    if let Some(what) = super::foreign_file(bytes) {
        return Err(Fault::whole(what));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
        let line = good.matches('\n').count() + 1;
        let column = good.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Fault::text(line, column, "this is not UTF-8 text")
    })?;
    options().from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
        let (line, column) = (error.span.start.line, error.span.start.col);
        Fault::text(line, column, shortened(&without_types(error.code).to_string()))
    })
}

/// The same error without the names of types of this program, which mean nothing to people.
fn without_types(error: ron::Error) -> ron::Error {
    use ron::Error;
    match error {
        Error::ExpectedNamedStructLike(_) => Error::ExpectedStructLike,
        Error::ExpectedDifferentStructName { found, .. } => {
            Error::Message(format!("Expected opening `(` but found `{found}`"))
        }
        Error::NoSuchStructField { expected, found, .. } => {
            Error::NoSuchStructField { expected, found, outer: None }
        }
        Error::MissingStructField { field, .. } => Error::MissingStructField { field, outer: None },
        Error::DuplicateStructField { field, .. } => {
            Error::DuplicateStructField { field, outer: None }
        }
        Error::NoSuchEnumVariant { expected, found, .. } => {
            let expected = expected.join("`, `");
            Error::Message(format!("Unexpected `{found}`, expected one of `{expected}` instead"))
        }
        other => other,
    }
}

/// Messages of the reader quote what they found, be it megabytes.
const LONGEST_MESSAGE: usize = 240;

/// A message with its middle left out if it is too long.
fn shortened(message: &str) -> String {
    let count = message.chars().count();
    if count <= LONGEST_MESSAGE {
        return message.to_owned();
    }
    let half = LONGEST_MESSAGE / 2;
    let (start, end): (String, String) =
        (message.chars().take(half).collect(), message.chars().skip(count - half).collect());
    format!("{start} [...] {end}")
}

/// Writes any value as RON in Outwit's dialect.
///
/// # Errors
/// If RON cannot express the value.
pub fn to_ron<T: Serialize>(value: &T) -> Result<String, ron::Error> {
    let pretty = ron::ser::PrettyConfig::default();
    options().to_string_pretty(value, pretty)
}

/// Writes a level file, with only those rules that differ from the default.
pub fn write_ron<R: RuleSet>(level: &LevelFile<R>) -> String {
    let text = super::rule_to_text::<String>;
    let mut out = String::from("(\n");
    for (key, value) in [
        ("format", &level.format),
        ("name", &level.name),
        ("author", &level.author),
        ("about", &level.about),
    ] {
        out += &format!("    {key}: {},\n", text(value));
    }
    let changes = level.rules.changes();
    if !changes.is_empty() {
        let changes: Vec<_> = changes
            .iter()
            .map(|(key, value)| format!("{key}: {}", if value == "none" { "None" } else { value }))
            .collect();
        out += &format!("    rules: ({}),\n", changes.join(", "));
    }
    out += "    map: [\n";
    for row in &level.map {
        out += &format!("        {},\n", text(row));
    }
    out + "    ],\n)\n"
}
