//! What levels a game has: their tiles and sizes, what may be wrong with them, other formats, random ones.

use super::spec::{Converted, GameSpec};
use super::tiles::{TileKind, TileStyle, look_of, unknown_tiles};
use outwit_core::grid::Grid;
use outwit_core::levels::{Fault, Property, RuleSet};
use outwit_core::play::{CheckedLevel, Game, Match, Review, Seat, TurnNote};
use std::ops::RangeInclusive;

/// What maps a game has.
pub struct MapSpec<G: GameSpec> {
    /// What can be laid on a map. The first that may lie on a cell is what an empty cell holds.
    pub palette: &'static [TileKind],
    /// The allowed width and height of a map, in cells.
    pub sides: RangeInclusive<usize>,
    /// Columns and rows of a new map.
    pub new_size: (usize, usize),
    /// Rules whose value follows from the map, such as its size.
    pub derived_rules: &'static [&'static str],
    /// Moves what rules say about the map of a level into the map.
    pub unfold: fn(G::Level) -> G::Level,
    /// Probable mistakes in a level whose rules are in their ranges. If it can be played, it comes once
    /// more as a checked one.
    pub warnings: fn(&G::Level, Option<&CheckedLevel<G>>) -> Vec<Fault>,
    /// What is good to know of a level whose rules are in their ranges, and is no mistake: who is to
    /// move, or what comes at random.
    pub remarks: fn(&G::Level) -> Vec<Fault>,
    /// How the cells look in small pictures. Given the checked level too, it may show what the map
    /// leaves to chance as it could come.
    pub looks: fn(&G::Level, Option<&CheckedLevel<G>>) -> Grid<TileStyle>,
    /// The level formats of other programs; `None` if there are only pictures and texts.
    pub foreign_formats: Option<ForeignFormats<G>>,
    /// The seat that a level is a problem for, where one is set up for whoever is to move; `None` if it is not.
    pub problem_for: fn(&G::Level) -> Option<Seat>,
    /// How random levels are made; `None` if they cannot be.
    pub generator: Option<Generator<G>>,
}

impl<G: GameSpec> MapSpec<G> {
    /// Maps of these tiles that say everything themselves, given the allowed width and height and the
    /// columns and rows of a new one.
    pub const fn new(
        palette: &'static [TileKind],
        sides: RangeInclusive<usize>,
        new_size: (usize, usize),
    ) -> Self {
        Self {
            palette,
            sides,
            new_size,
            derived_rules: &[],
            unfold: |level| level,
            warnings: |_, _| Vec::new(),
            remarks: |_| Vec::new(),
            looks: |level, _| tile_looks::<G>(level),
            foreign_formats: None,
            problem_for: |_| None,
            generator: None,
        }
    }
}

/// How the cells look as their tiles say.
fn tile_looks<G: GameSpec>(level: &G::Level) -> Grid<TileStyle> {
    level.cells('\0').map(|&symbol| look_of(G::MAPS.palette, symbol))
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
    let width = cells.width();
    let height = cells.height();
    let sides = G::MAPS.sides;
    let least = *sides.start();
    let most = *sides.end();
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

/// The level formats of other programs for a game. All games have pictures (`png`) and texts (`txt`).
pub struct ForeignFormats<G: GameSpec> {
    /// Extensions of the formats that it writes, without the dot.
    pub endings: &'static [&'static str],
    /// Extensions of the formats that it only reads, without the dot.
    pub imports: &'static [&'static str],
    /// What a file in one of them holds, for people whose file holds no level.
    pub content: &'static str,
    /// Reads the levels of a file in such a format, given its bytes and its name, from which
    /// [`title_of`](crate::title_of) makes a title. `None` if the bytes are in no such format.
    pub read: ReadFormat<G>,
    /// How likely the bytes are in such a format, from 0 to 1, given also the file's extension.
    pub score: fn(&[u8], &str) -> f32,
    /// The title of the whole collection, if the bytes are one that names it.
    pub title: fn(&[u8]) -> Option<String>,
    /// What reading skips of these bytes though it could be part of a level, with its lines. A guess at the encoding
    /// of a text is among it: see [`guessed_encoding`](crate::guessed_encoding).
    pub skipped: fn(&[u8]) -> Vec<String>,
    /// The moves that a file records for its levels, given its bytes and its name.
    pub recorded: fn(&[u8], &str) -> Vec<Recorded<G>>,
    /// Writes a level in the format with this extension; `None` writes only its map as text.
    pub write: fn(&G::Level, &str) -> Option<Converted>,
    /// Extensions of the formats that hold whole matches, without the dot.
    pub match_endings: &'static [&'static str],
    /// Writes a match in the format with this extension, one of [`match_endings`](Self::match_endings). Fails with what
    /// the format has no place for.
    pub write_match: fn(&MatchRecord<G>, &str) -> Result<Converted, String>,
}

/// A match with what a file of another program may say of it.
pub struct MatchRecord<'a, G: GameSpec> {
    /// The match.
    pub played: &'a Match<G>,
    /// What the players are called, by seat; `None` for a person whose name is not known.
    pub names: Vec<Option<String>>,
    /// Sentences about its positions.
    pub notes: &'a [TurnNote],
    /// What its moves cost, where that is asked for.
    pub review: Option<&'a Review>,
}

/// Moves that a file of another program records: a solution, or a game.
pub struct Recorded<G: GameSpec> {
    /// The number of the level in the file, counted from 1.
    pub number: usize,
    /// What the file calls the moves.
    pub title: String,
    /// The line where they begin, counted from 1.
    pub line: usize,
    /// The level that they are played on.
    pub level: G::Level,
    /// The moves in the notation of the game.
    pub moves: String,
    /// Other lines beside them, each from the start of the level. Those that break the rules are left out.
    pub variations: Vec<String>,
    /// What whoever played is called, by seat; shorter or empty where the file does not say so.
    pub names: Vec<Option<String>>,
    /// What the file says of the positions of the moves.
    pub notes: Vec<TurnNote>,
}

/// Reads the levels of a file that may be in a format of a game.
pub type ReadFormat<G> = fn(&[u8], &str) -> Option<Result<Vec<<G as Game>::Level>, Vec<Fault>>>;

impl<G: GameSpec> ForeignFormats<G> {
    /// Formats with these extensions that hold only the map as text.
    pub const fn maps(endings: &'static [&'static str]) -> Self {
        Self {
            endings,
            imports: &[],
            content: "a map, one character for each cell",
            read: |_, _| None,
            score: |_, _| 0.0,
            title: |_| None,
            skipped: |_| Vec::new(),
            recorded: |_, _| Vec::new(),
            write: |_, _| None,
            match_endings: &[],
            write_match: |_, _| Err("no format holds matches".into()),
        }
    }
}

/// The options of a generator of random levels, and the generator itself.
pub trait GeneratorOptions<G: GameSpec>: RuleSet {
    /// Generates a random level. The same options and seed give the same level.
    ///
    /// # Errors
    /// If there is no such level; the message says what to change.
    fn generate(&self, seed: u64) -> Result<G::Level, String>;
}

/// A generator of random levels without the type of its options.
pub struct Generator<G: GameSpec> {
    /// The options with their default values.
    pub options: fn() -> Vec<(&'static Property, String)>,
    /// Generates a random level, given the options that differ from the default and a seed. Fails if
    /// an option is invalid, or as [`GeneratorOptions::generate`].
    pub generate: GenerateLevel<G>,
}

impl<G: GameSpec> Generator<G> {
    /// The generator with these options.
    pub const fn of<O: GeneratorOptions<G>>() -> Self {
        Self {
            options: || {
                let usual = O::default();
                O::properties()
                    .iter()
                    .map(|property| (property, usual.value(property.key).unwrap_or_default()))
                    .collect()
            },
            generate: |options, seed| {
                let mut asked = O::default();
                for (key, value) in options {
                    asked.set(key, value)?;
                }
                asked.generate(seed)
            },
        }
    }
}

/// Generates a level from options, as keys with the text of their values, and a seed.
pub type GenerateLevel<G> = fn(&[(String, String)], u64) -> Result<<G as Game>::Level, String>;
