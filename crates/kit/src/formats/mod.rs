//! Other formats of levels: pictures and text, the same for every game. The game's tiles define what a
//! colour or a character means.

mod picture;
mod text;

pub use picture::{foreign_pixels, symbol as tile_of_colour};

use super::maps::{ForeignFormats, Recorded};
use super::reading::{newer_format, own_format};
use super::spec::{Converted, GameSpec};
use outwit_core::escape::is_visible;
use outwit_core::grid::Grid;
use outwit_core::levels::{
    Encoding, Fault, LevelFile, MAX_NAME, MAX_SIDE, RuleSet, cut, decoded, encoding_of,
};
use std::path::Path;

/// The maximum length of a title that is made from a file's name, in characters; it leaves room for the
/// number of a level in a collection.
const MAX_TITLE: usize = MAX_NAME - 10;

/// Reads the levels of a picture or a text; `None` if the bytes look like neither. Only the formats
/// that a game brings itself hold more than one.
///
/// `.txt` and `.track` files always count as text, so that their faults are reported.
pub fn read<G: GameSpec>(bytes: &[u8], name: &str) -> Option<Result<Vec<G::Level>, Vec<Fault>>> {
    let title = &title_of(name);
    if picture::is_png(bytes) {
        return Some(picture::read::<G>(bytes, title).map(|level| vec![level]));
    }
    if own_format(bytes).is_none()
        && let Some(levels) =
            G::MAPS.foreign_formats.and_then(|formats| (formats.read)(bytes, name))
    {
        return Some(levels);
    }
    (called_text(bytes, name) || text::has_head(bytes) || text::fits(bytes, G::MAPS.palette))
        .then(|| text::read::<G>(bytes, title).map(|level| vec![level]))
}

/// The title of a collection in these bytes, if they name one.
pub fn title<G: GameSpec>(bytes: &[u8]) -> Option<String> {
    let is_common = picture::is_png(bytes) || own_format(bytes).is_some();
    let formats = G::MAPS.foreign_formats.filter(|_| !is_common)?;
    (formats.title)(bytes).map(|title| title.trim().to_owned()).filter(|title| is_visible(title))
}

/// What reading the levels of these bytes does not keep, with its lines: what could be part of a level, what a level
/// cannot hold, and the encoding, where it had to be guessed.
pub fn skipped<G: GameSpec>(bytes: &[u8]) -> Vec<String> {
    let is_common = picture::is_png(bytes) || own_format(bytes).is_some();
    match G::MAPS.foreign_formats {
        Some(formats) if !is_common => (formats.skipped)(bytes),
        _ => Vec::new(),
    }
}

/// What is said of a text whose encoding had to be guessed.
pub fn guessed_encoding(text: &[u8]) -> Option<String> {
    let encoding = encoding_of(text).filter(|it| *it != Encoding::Utf8)?;
    Some(format!("its encoding, which is not UTF-8 and was guessed to be {encoding}"))
}

/// The matches that these bytes record in a format of the game's own.
pub fn recorded<G: GameSpec>(bytes: &[u8], name: &str) -> Vec<Recorded<G>> {
    let is_common = picture::is_png(bytes) || own_format(bytes).is_some();
    match G::MAPS.foreign_formats {
        Some(formats) if !is_common => (formats.recorded)(bytes, name),
        _ => Vec::new(),
    }
}

/// The title of levels that have none, from the name of their file.
pub fn title_of(name: &str) -> String {
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
    let stem: String = stem.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // The standard input has no name.
    cut(if is_visible(&stem) && name != "-" { &stem } else { "Imported level" }, MAX_TITLE)
}

/// Why bytes hold no level of the format that the file's extension names; `None` if it names none.
pub fn missing<G: GameSpec>(bytes: &[u8], name: &str) -> Option<Fault> {
    let ending = Path::new(name).extension()?.to_str()?.to_lowercase();
    if ending == "txt" {
        // Other texts are read as maps.
        return Some(Fault::whole(
            "this is no level file, but no map begins with a bracket either",
        ));
    }
    if ending == "png" {
        return Some(Fault::whole("this is not a PNG picture, though its name ends in png"));
    }
    let is_own = |formats: &ForeignFormats<G>| {
        formats.endings.contains(&&*ending) || formats.imports.contains(&&*ending)
    };
    let formats = G::MAPS.foreign_formats.filter(is_own)?;
    Some(match decoded(bytes) {
        None => Fault::whole("this is not text: there are control characters in it"),
        Some(_) => Fault::whole(format!(
            "there is no level in this {ending} file; it should hold {}",
            formats.content
        )),
    })
}

/// Extensions of the formats that levels of the game are written in, without the dot.
pub fn endings<G: GameSpec>() -> Vec<&'static str> {
    let own = G::MAPS.foreign_formats.map_or(&[][..], |formats| formats.endings);
    ["png", "txt"].iter().chain(own).copied().collect()
}

/// Extensions of the formats that levels of the game can only be read from, without the dot.
pub fn imports<G: GameSpec>() -> &'static [&'static str] {
    G::MAPS.foreign_formats.map_or(&[], |formats| formats.imports)
}

/// Why a level cannot be written in a format.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The game has no format with this extension.
    #[error("a level of {game} cannot be written as '{ending}'; choose from ron, {}", known.join(", "))]
    UnknownFormat {
        /// The name of the game.
        game: &'static str,
        /// What was asked for.
        ending: String,
        /// All extensions but that of level files.
        known: Vec<&'static str>,
    },
    /// The level cannot be a picture, since it has no cells.
    #[error("could not write the picture: {0}")]
    Picture(#[from] png::EncodingError),
}

/// Writes the format with this file extension: `png` and `txt` hold the whole level, one that the game
/// brings itself what it can, any other only the map.
///
/// # Errors
/// If the game does not have this format, or the level has no cells.
pub fn write<G: GameSpec>(level: &G::Level, ending: &str) -> Result<Converted, ExportError> {
    let known = endings::<G>();
    if !known.contains(&ending) {
        let game = G::INFO.name;
        let ending = ending.to_owned();
        return Err(ExportError::UnknownFormat { game, ending, known });
    }
    match ending {
        "png" => Ok(picture::write(level, G::MAPS.palette)?),
        "txt" => Ok(text::write(level)),
        _ => {
            let written =
                G::MAPS.foreign_formats.and_then(|formats| (formats.write)(level, ending));
            Ok(written.unwrap_or_else(|| text::write_map(level)))
        }
    }
}

/// How likely the bytes are a level of this game, in any format: from 0, not at all, to 1, if they
/// name the game.
pub fn format_score<G: GameSpec>(bytes: &[u8], name: &str) -> f32 {
    // Our own pictures and texts contain the head of the level file, so this finds it there too.
    if let Some(format) = own_format(bytes)
        && let Some(id) = format.split(' ').next()
    {
        return if id == G::ID { 1.0 } else { 0.0 };
    }
    let common = if picture::is_png(bytes) {
        0.5
    } else if text::fits(bytes, G::MAPS.palette) {
        0.9
    } else if called_text(bytes, name) {
        0.01 + 0.4 * text::share_known(bytes, G::MAPS.palette)
    } else {
        0.0
    };
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or("");
    G::MAPS.foreign_formats.map_or(0.0, |formats| (formats.score)(bytes, ending)).max(common)
}

/// Whether the file extension says that these bytes are text. Our own format is recognised under any
/// name.
fn called_text(bytes: &[u8], name: &str) -> bool {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or("");
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    (ending.eq_ignore_ascii_case("txt") || ending.eq_ignore_ascii_case("track"))
        && !bytes.trim_ascii_start().starts_with(b"(")
}

/// A level with default rules.
pub fn plain<G: GameSpec>(title: &str, cells: &Grid<char>) -> G::Level {
    let mut level = LevelFile {
        format: G::INFO.format.into(),
        name: title.into(),
        author: String::new(),
        about: String::new(),
        rules: G::Rules::default(),
        map: Vec::new(),
    };
    level.set_cells(cells);
    level
}

/// The level without its map.
fn head<R: RuleSet>(level: &LevelFile<R>) -> LevelFile<R> {
    LevelFile { map: Vec::new(), ..level.clone() }
}

/// The fault of a file that holds a level of another game or of a newer version, given its `format`.
fn refused_format<G: GameSpec>(format: &str) -> Option<Fault> {
    let id = format.split(' ').next()?;
    if id == G::ID {
        return newer_format(format, G::INFO.format);
    }
    Some(Fault::whole(format!("this is a level of the game '{id}', not of {}", G::INFO.name)))
}

/// The fault of a level of this size, if the size is not allowed.
fn refused_size(columns: usize, rows: usize) -> Option<Fault> {
    if columns == 0 || rows == 0 {
        return Some(Fault::whole("there are no cells"));
    }
    (columns > MAX_SIDE || rows > MAX_SIDE).then(|| {
        Fault::whole(format!(
            "it is {columns} by {rows} cells; the maximum is {MAX_SIDE} by {MAX_SIDE}: scale it \
             down"
        ))
    })
}
