//! Tracks in foreign formats: pictures and text.

mod picture;
#[cfg(test)]
mod tests;
mod text;

use super::level::{FORMAT, RaceRules, TrackFile};
use crate::games::kind::Converted;
use crate::grid::Grid;
use crate::levels::{Fault, MAX_SIDE};
use std::path::Path;

/// Reads a picture or a text track; `None` if the bytes look like neither.
///
/// Files called `.txt` or `.track` are always taken for text tracks, so that their faults are told.
pub fn import(bytes: &[u8], name: &str) -> Option<Result<TrackFile, Vec<Fault>>> {
    let path = Path::new(name);
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
    let title = if stem.trim().is_empty() { "Imported track" } else { stem };
    if picture::is_png(bytes) {
        return Some(picture::read(bytes, title));
    }
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
    // Our own format under another name is still our own.
    let named = (ending.eq_ignore_ascii_case("txt") || ending.eq_ignore_ascii_case("track"))
        && !bytes.trim_ascii_start().starts_with(b"(");
    (named || text::looks_like_map(bytes)).then(|| text::read(bytes, title))
}

/// Writes a picture (`png`) or a text track (`track`, `txt`).
///
/// # Errors
/// If the ending is another one.
pub fn export(level: &TrackFile, ending: &str) -> Result<Converted, String> {
    match ending {
        "png" => picture::write(level),
        "track" | "txt" => Ok(text::write(level)),
        _ => Err(format!("a track cannot be written as '{ending}'; use ron, png, track or txt")),
    }
}

/// A track with default rules.
fn plain(title: &str, cells: &Grid<char>) -> TrackFile {
    let mut level = TrackFile {
        format: FORMAT.into(),
        name: title.into(),
        author: String::new(),
        about: String::new(),
        rules: RaceRules::default(),
        map: Vec::new(),
    };
    level.set_cells(cells);
    level
}

/// The reason why a track of this size is refused, if it is.
fn refused_size(columns: usize, rows: usize) -> Option<Fault> {
    if columns == 0 || rows == 0 {
        return Some(Fault::whole("it holds no cells"));
    }
    (columns > MAX_SIDE || rows > MAX_SIDE).then(|| {
        Fault::whole(format!(
            "it is {columns} by {rows} cells; at most {MAX_SIDE} by {MAX_SIDE} can be raced on, so \
             scale it down"
        ))
    })
}
