//! Tiles, and what the level editor does with the levels of a game.

use super::erased::Erased;
use super::formats::{self, ExportError};
use super::maps::TileStyle;
use super::reading::read_any;
use super::solving::{Solution, SolveOptions};
use super::spec::{Converted, GameSpec, solve};
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::{
    Fault, LevelFile, MAX_SIDE, Property, RuleSet, unknown_characters, write_ron,
};
use outwit_core::play::{CheckedLevel, SetupError, StopFlag};
use std::ops::RangeInclusive;

/// Where on a map a tile may be placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// On every cell.
    Anywhere,
    /// On the outermost cells only.
    Border,
    /// On all but the outermost cells.
    Inside,
}

impl Placement {
    /// Whether a cell of a map of this size belongs to it.
    pub fn holds(self, cell: Cell, width: usize, height: usize) -> bool {
        let border =
            cell.x == 0 || cell.y == 0 || cell.x + 1 == width as i32 || cell.y + 1 == height as i32;
        match self {
            Placement::Anywhere => true,
            Placement::Border => border,
            Placement::Inside => !border,
        }
    }
}

/// The cells that a piece covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Footprint {
    /// One cell.
    One,
    /// The number of cells given by this rule, in a row.
    Row(&'static str),
    /// The number of cells given by this rule, in a column.
    Column(&'static str),
    /// The number of cells given by this rule, clockwise along the border.
    Border(&'static str),
}

/// A kind of tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileKind {
    /// Its character in the map.
    pub symbol: char,
    /// Its title.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// Its style in pictures of levels.
    pub look: TileStyle,
    /// Where it may be placed.
    pub place: Placement,
    /// For a piece, which is placed and dragged instead of painted: the cells it covers.
    pub piece: Option<Footprint>,
    /// For a piece of one cell, the tiles that it may stand on without replacing them, each with the
    /// tile of both together.
    pub stands_on: &'static [(char, char)],
    /// The maximum number on a map, if no rule changes it.
    pub most: Option<usize>,
    /// The character of the same tile after a quarter turn.
    pub turned: char,
    /// The character of the same tile with left and right exchanged.
    pub mirrored: char,
    /// A character to draw on it where there is room.
    pub label: Option<char>,
    /// Its silhouette, by file name under `assets/pieces`.
    pub silhouette: Option<&'static str>,
    /// Its colour (red, green, blue) in levels that are pictures.
    pub colour: [u8; 3],
    /// Other characters for it in text levels of other programs.
    pub aliases: &'static str,
    /// The key that selects it in the editor; without one, a digit by its place in the table.
    pub key: Option<char>,
    /// Whether it is one of a series that maps use in the order of the table.
    pub in_series: bool,
}

impl TileKind {
    /// A kind of terrain.
    pub const fn terrain(
        symbol: char,
        name: &'static str,
        help: &'static str,
        look: TileStyle,
        place: Placement,
    ) -> Self {
        Self {
            symbol,
            name,
            help,
            look,
            place,
            piece: None,
            stands_on: &[],
            most: None,
            turned: symbol,
            mirrored: symbol,
            label: None,
            silhouette: None,
            colour: match look {
                TileStyle::Void => [0, 0, 0],
                TileStyle::Ground => [255, 255, 255],
                TileStyle::Wall => [64, 64, 64],
                TileStyle::Start => [0, 200, 0],
                TileStyle::Goal => [220, 0, 0],
                TileStyle::Mark => [0, 60, 255],
            },
            aliases: "",
            key: None,
            in_series: false,
        }
    }

    /// Sets its colour in levels that are pictures, instead of the one of its style.
    pub const fn coloured(self, colour: [u8; 3]) -> Self {
        Self { colour, ..self }
    }

    /// Adds characters for it in text levels of other programs.
    pub const fn or(self, aliases: &'static str) -> Self {
        Self { aliases, ..self }
    }

    /// Sets the character to draw on it.
    pub const fn labelled(self, label: char) -> Self {
        Self { label: Some(label), ..self }
    }

    /// Lets a piece stand on tiles, each with the tile of both together.
    pub const fn standing_on(self, stands_on: &'static [(char, char)]) -> Self {
        Self { stands_on, ..self }
    }

    /// Sets the key that selects it in the editor: a capital letter or a digit.
    pub const fn keyed(self, key: char) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Makes it one of a series.
    pub const fn in_series(self) -> Self {
        Self { in_series: true, ..self }
    }

    /// Makes it a piece.
    pub const fn piece(self, span: Footprint) -> Self {
        Self { piece: Some(span), ..self }
    }
}

/// A level that is being edited, which need not be playable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelDraft {
    /// Its title.
    pub name: String,
    /// Who made it.
    pub author: String,
    /// A sentence or two about it.
    pub about: String,
    /// The value of each rule as text, in the order of the game's properties.
    pub rules: Vec<String>,
    /// One character per cell.
    pub cells: Grid<char>,
}

impl LevelDraft {
    /// Whether it differs at most in its texts.
    pub fn plays_like(&self, other: &Self) -> bool {
        self.rules == other.rules && self.cells == other.cells
    }
}

/// What the level editor asks of a game, without its types.
pub trait Editing: Sync {
    /// The tiles.
    fn palette(&self) -> &'static [TileKind];
    /// The allowed width and height of a map, in cells.
    fn sides(&self) -> RangeInclusive<usize>;
    /// Columns and rows of a new map.
    fn default_size(&self) -> (usize, usize);
    /// The default value of each rule as text.
    fn default_rules(&self) -> Vec<String>;
    /// Rules whose value follows from the map; they cannot be set.
    fn derived_rules(&self) -> &'static [&'static str];
    /// Checks a rule's value and returns it as files spell it.
    ///
    /// # Errors
    /// If the rule is unknown, follows from the map, or cannot have this value.
    fn rule(&self, key: &str, value: &str) -> Result<String, String>;
    /// Whether it has random levels.
    fn has_generator(&self) -> bool;
    /// The options of the generator, with their default values; empty without one.
    fn generator_options(&self) -> Vec<(&'static Property, String)>;
    /// Generates a random, playable level. The same options and seed give the same level.
    ///
    /// # Errors
    /// If an option is invalid or there is no such level; the message says what to change.
    fn generate(
        &self,
        generator_options: &[(String, String)],
        seed: u64,
    ) -> Result<LevelDraft, String>;
    /// The level file of a draft; [`Editing::open`] gives back the same draft.
    fn text(&self, draft: &LevelDraft) -> String;
    /// A draft in another format, chosen by file extension; `ron` is the level file.
    ///
    /// # Errors
    /// If the format is unknown or cannot hold the level.
    fn export_draft(&self, draft: &LevelDraft, ending: &str) -> Result<Converted, ExportError>;
    /// Reads a level in any format that the game knows, playable or not.
    ///
    /// # Errors
    /// If it cannot be read at all.
    fn open(&self, bytes: &[u8], name: &str) -> Result<LevelDraft, Vec<Fault>>;
    /// The level file of the same level under another name.
    ///
    /// # Errors
    /// If the level cannot be read at all.
    fn renamed(&self, bytes: &[u8], file: &str, name: &str) -> Result<String, Vec<Fault>> {
        Ok(self.text(&LevelDraft { name: name.into(), ..self.open(bytes, file)? }))
    }
    /// The faults and warnings of a draft.
    fn check_draft(&self, draft: &LevelDraft) -> Verdict;
    /// Solves a draft.
    ///
    /// # Errors
    /// If it cannot be solved or `stop` was raised.
    fn solve_draft(&self, draft: &LevelDraft, stop: &StopFlag) -> Result<Solution, String>;
}

/// The result of checking a draft.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// Problems that make it unplayable.
    pub faults: Vec<Fault>,
    /// Probable mistakes.
    pub warnings: Vec<Fault>,
    /// What is good to know of it and is no mistake.
    pub remarks: Vec<Fault>,
}

/// The piece and the tile under it, if a tile is a piece that stands on another tile.
pub fn piece_and_ground(palette: &[TileKind], symbol: char) -> Option<(&TileKind, char)> {
    palette.iter().find_map(|tile| {
        let (ground, _) = tile.stands_on.iter().find(|&&(_, both)| both == symbol)?;
        Some((tile, *ground))
    })
}

/// What a tile becomes after a change that tiles with a direction go through, such as
/// [`TileKind::turned`]; unknown characters stay.
pub fn changed(palette: &[TileKind], symbol: char, to: fn(&TileKind) -> char) -> char {
    palette.iter().find(|tile| tile.symbol == symbol).map_or(symbol, to)
}

/// The character of an empty cell on a map of this size.
pub fn background(palette: &[TileKind], cell: Cell, width: usize, height: usize) -> char {
    palette
        .iter()
        .find(|tile| tile.piece.is_none() && tile.place.holds(cell, width, height))
        .map_or('.', |tile| tile.symbol)
}

/// A map of this size in which each cell holds what an empty cell there holds.
pub fn blank(palette: &[TileKind], width: usize, height: usize) -> Grid<char> {
    Grid::from_fn(width, height, |cell| background(palette, cell, width, height))
}

/// Empties cells whose tile may not be placed there. Unknown characters stay, because the checks
/// report them.
pub fn clear_misplaced(palette: &[TileKind], cells: &mut Grid<char>) {
    let (width, height) = (cells.width(), cells.height());
    for cell in cells.cells() {
        let known = palette.iter().find(|tile| tile.symbol == cells[cell]);
        if known.is_some_and(|tile| !tile.place.holds(cell, width, height)) {
            cells[cell] = background(palette, cell, width, height);
        }
    }
}

/// Every fault of a level, for [`Game::faults`](outwit_core::play::Game::faults). Only if its rules are in
/// their ranges and its map is a rectangle, `own` is asked for those that a game knows; it may begin with
/// [`map_faults`].
pub fn level_faults<G: GameSpec>(
    level: &G::Level,
    own: impl FnOnce(&G::Level) -> Vec<Fault>,
) -> Vec<Fault> {
    let mut faults = level.general_faults(G::INFO.format);
    if level.rules.faults().is_empty() && level.shape_faults().is_empty() {
        faults.extend(own(level));
    }
    faults
}

/// What is wrong with a map as far as maps and tiles of the game tell: its size, or characters that
/// no tile has.
pub fn map_faults<G: GameSpec>(level: &G::Level) -> Vec<Fault> {
    map_faults_with::<G>(level, |symbol| G::MAPS.palette.iter().any(|tile| tile.symbol == symbol))
}

/// [`map_faults`] of a game whose level files know other characters than those of its tiles.
pub fn map_faults_with<G: GameSpec>(
    level: &G::Level,
    is_known: impl Fn(char) -> bool,
) -> Vec<Fault> {
    let filling = G::MAPS.palette.first().map_or('.', |tile| tile.symbol);
    let cells = level.cells(filling);
    let (width, height, sides) = (cells.width(), cells.height(), G::MAPS.sides);
    let (least, most) = (*sides.start(), *sides.end());
    let limit = match (width.min(height), width.max(height)) {
        (_, larger) if larger > most => Some(("maximum", most)),
        (smaller, _) if smaller < least => Some(("minimum", least)),
        _ => None,
    };
    if let Some((what, side)) = limit {
        return vec![Fault::whole(format!(
            "the map is {width} by {height} cells; the {what} is {side} by {side}"
        ))];
    }
    unknown_tiles(G::MAPS.palette, &cells, is_known)
}

/// A fault for each character of a map that is not known, with the characters of the tiles.
pub fn unknown_tiles(
    palette: &[TileKind],
    cells: &Grid<char>,
    is_known: impl Fn(char) -> bool,
) -> Vec<Fault> {
    let words = palette.iter().map(|tile| match tile.name.chars().eq([tile.symbol]) {
        true => tile.name.to_owned(),
        false => format!("{} {}", tile.symbol, tile.name.to_lowercase()),
    });
    unknown_characters(cells, is_known, &words.collect::<Vec<_>>().join(", "))
}

/// The level that a draft stands for, checked or not.
pub fn level_of<G: GameSpec>(draft: &LevelDraft) -> LevelFile<G::Rules> {
    let mut rules = G::Rules::default();
    for (property, value) in G::Rules::properties().iter().zip(&draft.rules) {
        // An invalid value leaves the default; the editor does not allow any.
        let _ = rules.set_unchecked(property.key, value);
    }
    let mut level = LevelFile {
        format: G::INFO.format.into(),
        name: draft.name.clone(),
        author: draft.author.clone(),
        about: draft.about.clone(),
        rules,
        map: Vec::new(),
    };
    level.set_cells(&draft.cells);
    level
}

fn values<R: RuleSet>(rules: &R) -> Vec<String> {
    R::properties().iter().map(|property| rules.value(property.key).unwrap_or_default()).collect()
}

fn draft_of<G: GameSpec>(level: LevelFile<G::Rules>) -> LevelDraft {
    let level = (G::MAPS.unfold)(level);
    let mut cells = level.cells('\0');
    let (width, height) = (cells.width(), cells.height());
    for cell in cells.cells() {
        if cells[cell] == '\0' {
            cells[cell] = background(G::MAPS.palette, cell, width, height);
        }
    }
    LevelDraft {
        rules: values(&level.rules),
        name: level.name,
        author: level.author,
        about: level.about,
        cells,
    }
}

impl<G: GameSpec> Editing for Erased<G> {
    fn palette(&self) -> &'static [TileKind] {
        G::MAPS.palette
    }

    fn sides(&self) -> RangeInclusive<usize> {
        G::MAPS.sides
    }

    fn default_size(&self) -> (usize, usize) {
        G::MAPS.new_size
    }

    fn default_rules(&self) -> Vec<String> {
        values(&G::Rules::default())
    }

    fn derived_rules(&self) -> &'static [&'static str] {
        G::MAPS.derived_rules
    }

    fn rule(&self, key: &str, value: &str) -> Result<String, String> {
        if G::MAPS.derived_rules.contains(&key) {
            return Err(format!("rules.{key} follows from the map"));
        }
        let mut rules = G::Rules::default();
        rules.set(key, value)?;
        Ok(rules.value(key).unwrap_or_default())
    }

    fn has_generator(&self) -> bool {
        G::MAPS.generator.is_some()
    }

    fn generator_options(&self) -> Vec<(&'static Property, String)> {
        G::MAPS.generator.map_or_else(Vec::new, |generator| (generator.options)())
    }

    fn generate(
        &self,
        generator_options: &[(String, String)],
        seed: u64,
    ) -> Result<LevelDraft, String> {
        let generator = G::MAPS
            .generator
            .ok_or_else(|| format!("there are no random levels of {}", G::INFO.name))?;
        let level = (generator.generate)(generator_options, seed)?;
        match CheckedLevel::<G>::new(level) {
            Ok(level) => Ok(draft_of::<G>(level.into_inner())),
            Err(faults) => Err(format!("these options conflict: {}", SetupError::from(faults))),
        }
    }

    fn text(&self, draft: &LevelDraft) -> String {
        write_ron(&level_of::<G>(draft))
    }

    fn export_draft(&self, draft: &LevelDraft, ending: &str) -> Result<Converted, ExportError> {
        if ending == "ron" {
            return Ok(Converted { bytes: self.text(draft).into_bytes(), lost: Vec::new() });
        }
        formats::write::<G>(&level_of::<G>(draft), ending)
    }

    fn open(&self, bytes: &[u8], name: &str) -> Result<LevelDraft, Vec<Fault>> {
        let level = read_any::<G>(bytes, name)?;
        if level.format != G::INFO.format {
            return Err(vec![Fault::whole(format!(
                "the format is '{}'; this program reads '{}'",
                level.format,
                G::INFO.format
            ))]);
        }
        let width = level.map.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        if width == 0 {
            return Err(vec![Fault::whole("the map is empty")]);
        }
        if width > MAX_SIDE || level.map.len() > MAX_SIDE {
            return Err(vec![Fault::whole(format!(
                "the map is {width} by {} cells; the maximum is {MAX_SIDE} by {MAX_SIDE}",
                level.map.len()
            ))]);
        }
        // A rule that the map answers cannot be mended in the editor.
        let faults: Vec<Fault> = G::Rules::properties()
            .iter()
            .filter(|rule| G::MAPS.derived_rules.contains(&rule.key))
            .filter_map(|rule| level.rules.range_fault(rule))
            .collect();
        if faults.is_empty() { Ok(draft_of::<G>(level)) } else { Err(faults) }
    }

    fn check_draft(&self, draft: &LevelDraft) -> Verdict {
        let level = level_of::<G>(draft);
        let checked = CheckedLevel::new(level.clone());
        let (warnings, remarks) = match level.rules.faults().is_empty() {
            true => ((G::MAPS.warnings)(&level, checked.as_ref().ok()), (G::MAPS.remarks)(&level)),
            false => (Vec::new(), Vec::new()),
        };
        Verdict { faults: checked.err().unwrap_or_default(), warnings, remarks }
    }

    fn solve_draft(&self, draft: &LevelDraft, stop: &StopFlag) -> Result<Solution, String> {
        let level = CheckedLevel::new(level_of::<G>(draft)).map_err(SetupError::from)?;
        solve::<G>(&level, &SolveOptions::default(), stop)
    }
}
