//! Maps of the path-finding benchmarks of MovingAI, <https://movingai.com/benchmarks/formats.html>: lines with type,
//! height and width, a line `map`, then a character for each cell. Their scenarios (`.scen`) are not read.

use super::{ForeignMap, ForeignTile, quoted, refused_side};
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::{Fault, count_characters, text_lines};

/// The types whose cells are squares.
const TYPES: [&str; 2] = ["octile", "tile"];

/// Whether a text is such a map.
pub(super) fn is_map(text: &str) -> bool {
    let mut lines = text_lines(text).map(str::trim).filter(|line| !line.is_empty());
    let mut begins = |words: &[&str]| {
        lines.next().is_some_and(|line| words.iter().any(|word| value(line, word).is_some()))
    };
    begins(&["type"]) && begins(&["height", "width"])
}

/// The value behind a word.
fn value<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (key, value) = line.split_once(char::is_whitespace)?;
    (key == word).then(|| value.trim())
}

fn tile(symbol: char) -> Option<ForeignTile> {
    match symbol {
        '.' | 'G' => Some(ForeignTile::Free),
        '@' | 'O' | 'T' | 'W' => Some(ForeignTile::Wall),
        'S' => Some(ForeignTile::Swamp),
        _ => None,
    }
}

/// Reads a map of at most so many rows and columns.
///
/// # Errors
/// The first problem, with its place.
pub(super) fn read(text: &str, most: usize) -> Result<ForeignMap, Fault> {
    let mut lines = (1..).zip(text_lines(text));
    let mut width = None;
    let mut height = None;
    let mut last = 0;
    loop {
        let Some((number, line)) = lines.next() else {
            return Err(Fault::text(
                last,
                1,
                "the map is missing: a line 'map' should come before its rows",
            ));
        };
        last = number;
        let line = line.trim();
        let fault = |what: String| Fault::text(number, 1, what);
        if let Some(kind) = value(line, "type") {
            if !TYPES.contains(&kind) {
                return Err(fault(format!(
                    "the type of the map is {}; only {} can be read",
                    quoted(kind),
                    TYPES.join(" and ")
                )));
            }
            continue;
        }
        let (what, side) = match (value(line, "height"), value(line, "width")) {
            (Some(value), _) => ("height", value),
            (_, Some(value)) => ("width", value),
            _ if line == "map" => break,
            _ if line.is_empty() => continue,
            _ => {
                return Err(fault(format!(
                    "{} is none of the lines before a map, which are type, height, width and map",
                    quoted(line)
                )));
            }
        };
        let Ok(cells) = side.parse::<u64>() else {
            return Err(fault(format!("the {what} {} is not a whole number", quoted(side))));
        };
        if let Some(why) = refused_side(what, cells, most) {
            return Err(fault(why));
        }
        *(if what == "height" { &mut height } else { &mut width }) = usize::try_from(cells).ok();
    }
    let (Some(width), Some(height)) = (width, height) else {
        let what = if height.is_none() { "height" } else { "width" };
        return Err(Fault::text(
            last,
            1,
            format!("the {what} is missing: a line such as '{what} 32' before this one"),
        ));
    };
    let rows: Vec<(usize, &str)> = lines.collect();
    let is_row = |(_, row): &&(usize, &str)| !row.trim().is_empty();
    let count = rows.iter().rposition(|row| is_row(&row)).map_or(0, |at| at + 1);
    if count != height {
        return Err(Fault::text(
            last,
            1,
            format!("the height is {height}, but the number of rows is {count}"),
        ));
    }
    let mut unknown = Vec::new();
    let mut cells = Grid::filled(width, height, ForeignTile::Free);
    let mut water = 0;
    for ((number, row), y) in rows.into_iter().take(height).zip(0..) {
        let length = row.chars().count();
        if length != width {
            return Err(Fault::text(
                number,
                length.min(width) + 1,
                format!("the width is {width}, but this row has {length} cells"),
            ));
        }
        for (symbol, x) in row.chars().zip(0..) {
            water += usize::from(symbol == 'W');
            match (tile(symbol), cells.get_mut(Cell::new(x, y))) {
                (Some(tile), Some(cell)) => *cell = tile,
                _ => unknown.push((symbol, (number, x as usize + 1))),
            }
        }
    }
    if let Some(found) = count_characters(unknown).first() {
        let (line, column) = found.place;
        let what = format!(
            "{found}; choose from . and G for floor, S for swamp, and @, O, T and W for walls"
        );
        return Err(Fault::text(line, column, what));
    }
    let unkept = match water {
        0 => Vec::new(),
        1 => vec!["1 cell of water, which is a wall here".into()],
        _ => vec![format!("{water} cells of water, which are walls here")],
    };
    Ok(ForeignMap { cells, unkept })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::foreign_maps::{map_score, read_map};

    const MAP: &str = "type octile\r\nheight 2\r\nwidth 4\r\nmap\r\n.GS@\r\nOTW.\r\n\r\n";

    #[test]
    fn each_character_has_its_tile() {
        let map = read_map(MAP.as_bytes(), 4).unwrap().unwrap();
        use ForeignTile::{Free, Swamp, Wall};
        assert_eq!(map.cells.as_slice(), [Free, Free, Swamp, Wall, Wall, Wall, Wall, Free]);
        assert_eq!(
            (map.cells.width(), map.unkept),
            (4, vec!["1 cell of water, which is a wall here".to_owned()])
        );
        let other = "type tile\nwidth 1\nheight 1\nmap\n.";
        assert_eq!(read_map(other.as_bytes(), 1).unwrap().unwrap().cells.len(), 1);
        assert!(map_score(MAP.as_bytes(), "txt") > 0.8);
        assert!(map_score(b"x", "MAP") == 0.5 && map_score(b"x", "txt") == 0.0);
        assert!(read_map(b"type of paper\nheight", 9).is_none());
    }

    #[test]
    fn what_cannot_be_read_says_where() {
        for (from, to, wanted) in [
            (
                "octile",
                "hex",
                "line 1, column 1: the type of the map is 'hex'; only octile and tile",
            ),
            (
                "height 2",
                "height 5",
                "line 2, column 1: the height of the map is 5; it can be 1 to 4",
            ),
            ("height 2", "height 0", "the height of the map is 0"),
            (
                "width 4",
                "width 99999999999",
                "line 3, column 1: the width of the map is 99999999999; it can be",
            ),
            ("width 4", "width -4", "line 3, column 1: the width '-4' is not a whole number"),
            (
                "width 4",
                "colour 4",
                "line 3, column 1: 'colour 4' is none of the lines before a map",
            ),
            ("\r\nwidth 4", "", "line 3, column 1: the width is missing"),
            ("\r\nmap", "", "'.GS@' is none of the lines"),
            ("map\r\n.GS@\r\nOTW.", "", "the map is missing: a line 'map'"),
            (
                "height 2",
                "height 3",
                "line 4, column 1: the height is 3, but the number of rows is 2",
            ),
            ("OTW.", "OTW", "line 6, column 4: the width is 4, but this row has 3 cells"),
            ("OTW.", "OTW..", "line 6, column 5: the width is 4, but this row has 5 cells"),
            ("OTW.", "OT?.", "line 6, column 3: unknown character '?'"),
        ] {
            let text = MAP.replacen(from, to, 1);
            let why = read_map(text.as_bytes(), 4).unwrap().unwrap_err().to_string();
            assert!(why.contains(wanted), "{text}: {why}");
        }
    }
}
