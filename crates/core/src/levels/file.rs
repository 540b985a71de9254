//! The level file: RON with a map of one character per cell.

use super::{Fault, RuleSet, rule_to_text};
use crate::digest::digest_of;
use crate::escape::is_visible;
use crate::grid::{Cell, Grid};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

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

/// Writes a level file, with only those rules that differ from the default.
pub fn write_ron<R: RuleSet>(level: &LevelFile<R>) -> String {
    let text = rule_to_text::<String>;
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
