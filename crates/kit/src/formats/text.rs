//! Text levels: one character per cell. Our own start with the head of the level file, each line after
//! a `;`. Those of other programs are read in their common dialects.

use super::{head, plain, refused_format, refused_size};
use crate::TileStyle;
use crate::reading::own_format;
use crate::{Converted, GameSpec};
use crate::{Placement, TileKind, blank};
use outwit_core::grid::Cell;
use outwit_core::levels::{
    Fault, LevelFile, MAX_SIDE, RuleSet, count_characters, foreign_file, read_ron, text_lines,
    write_ron,
};

/// The maximum number of different unknown characters in the list of faults.
const MOST_FAULTS: usize = 20;

/// The first character of lines of the head.
const MARK: char = ';';

/// Translates a character of another program's text into one of our maps.
fn symbol(palette: &[TileKind], found: char) -> Option<char> {
    let own = palette.iter().find(|tile| tile.symbol == found);
    own.or_else(|| palette.iter().find(|tile| tile.aliases.contains(found))).map(|tile| tile.symbol)
}

/// The size announced in a file, and the number of lines that announce it.
struct Header {
    lines: usize,
    columns: usize,
    rows: usize,
}

/// The two numbers that a text is made of.
fn pair(text: &str, separator: fn(char) -> bool) -> Option<(usize, usize)> {
    let mut numbers = text.split(separator).filter(|part| !part.is_empty());
    let a = numbers.next()?.trim().parse().ok()?;
    let b = numbers.next()?.trim().parse().ok()?;
    numbers.next().is_none().then_some((a, b))
}

/// Understands `dim: ROWS COLS`, `ROWS,COLS`, and the two lines `CAP` and `COLS ROWS`.
fn header(lines: &[&str]) -> Option<Header> {
    let first = lines.first()?.trim();
    if let Some(rest) = first.strip_prefix("dim:") {
        let (rows, columns) = pair(rest, char::is_whitespace)?;
        return Some(Header { lines: 1, columns, rows });
    }
    if first.contains(',') {
        let (rows, columns) = pair(first, |c| c == ',')?;
        return Some(Header { lines: 1, columns, rows });
    }
    let is_cap = !first.is_empty() && first.chars().all(|c| c.is_ascii_alphanumeric());
    let second = lines.get(1)?.trim();
    if is_cap && second.contains(char::is_whitespace) {
        let (columns, rows) = pair(second, char::is_whitespace)?;
        return Some(Header { lines: 2, columns, rows });
    }
    None
}

/// The lines without what editors add at line ends and file ends.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text_lines(text).collect();
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    lines
}

/// The number of lines of the head.
fn head_lines(lines: &[&str]) -> usize {
    lines.iter().take_while(|line| line.starts_with(MARK)).count()
}

/// The `format` field of a head.
fn format_in_head(lines: &[&str]) -> Option<String> {
    own_format(lines[..head_lines(lines)].join("\n").as_bytes())
}

/// Whether the bytes are text that starts with the head of a level file.
pub fn has_head(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| format_in_head(&lines(text)).is_some())
}

/// The lines of the map, after comments and size.
fn body<'a, 'b>(lines: &'a [&'b str]) -> &'a [&'b str] {
    let lines = &lines[head_lines(lines)..];
    &lines[header(lines).map_or(0, |header| header.lines)..]
}

/// Whether bytes of an unknown format are a map with these tiles: at least two lines of only their
/// characters, each where it may be placed, with a start and a goal among them unless the placement
/// alone distinguishes the map from others.
pub fn fits(bytes: &[u8], palette: &[TileKind]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let lines = lines(text);
    let body = body(&lines);
    if body.len() < 2 {
        return false;
    }
    let width = body.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut looks = Vec::new();
    let mut placed = false;
    for (y, line) in body.iter().enumerate() {
        for (x, found) in line.chars().enumerate() {
            let symbol = symbol(palette, found);
            let Some(tile) = palette.iter().find(|tile| Some(tile.symbol) == symbol) else {
                return false;
            };
            if !tile.place.holds(Cell::new(x as i32, y as i32), width, body.len()) {
                return false;
            }
            placed |= tile.place != Placement::Anywhere;
            if !looks.contains(&tile.look) {
                looks.push(tile.look);
            }
        }
    }
    placed || (looks.contains(&TileStyle::Start) && looks.contains(&TileStyle::Goal))
}

/// The share of known characters in a text's map, from 0 to 1.
pub fn share_known(bytes: &[u8], palette: &[TileKind]) -> f32 {
    let text = String::from_utf8_lossy(bytes);
    let lines = lines(&text);
    let all = body(&lines).iter().flat_map(|line| line.chars());
    let known = all.clone().filter(|&found| symbol(palette, found).is_some()).count();
    known as f32 / all.count().max(1) as f32
}

/// Reads a text level.
pub fn read<G: GameSpec>(bytes: &[u8], title: &str) -> Result<G::Level, Vec<Fault>> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        if let Some(what) = foreign_file(bytes) {
            return vec![Fault::whole(what)];
        }
        let good = &bytes[..error.valid_up_to()];
        let line = good.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = good.rsplit(|&byte| byte == b'\n').next().map_or(0, <[u8]>::len) + 1;
        vec![Fault::text(line, column, "this is not text")]
    })?;
    let lines = lines(text);
    match format_in_head(&lines) {
        Some(format) => match refused_format::<G>(&format) {
            Some(fault) => Err(vec![fault]),
            None => read_own::<G>(&lines).map_err(|fault| vec![fault]),
        },
        None => read_plain::<G>(&lines, title),
    }
}

/// Reads our own text format: the head and the map.
fn read_own<G: GameSpec>(lines: &[&str]) -> Result<G::Level, Fault> {
    let (head, map) = lines.split_at(head_lines(lines));
    // Every character stays in its column, so that faults have the right position.
    let spaced: Vec<String> = head.iter().map(|line| line.replacen(MARK, " ", 1)).collect();
    let spaced = spaced.join("\n");
    let comma = if spaced.trim_end().ends_with(',') { "" } else { "," };
    let ron = format!("({}{comma}\nmap: [])", spaced.strip_prefix(' ').unwrap_or(&spaced));
    let mut level: G::Level = read_ron(ron.as_bytes())?;
    level.map = map.iter().map(|row| (*row).to_owned()).collect();
    Ok(level)
}

/// Reads a map without a head.
fn read_plain<G: GameSpec>(lines: &[&str], title: &str) -> Result<G::Level, Vec<Fault>> {
    let comments = head_lines(lines);
    let lines = &lines[comments..];
    let header = header(lines);
    let skipped = header.as_ref().map_or(0, |header| header.lines);
    let body = &lines[skipped..];
    let columns = body.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let size = header.as_ref().map_or((columns, body.len()), |h| (h.columns, h.rows));
    if let Some(fault) = refused_size(size.0, size.1).or_else(|| refused_size(columns, body.len()))
    {
        return Err(vec![fault]);
    }
    let mut faults = Vec::new();
    if body.len() != size.1 {
        faults.push(Fault::text(
            comments + 1,
            1,
            format!("the first lines announce {} rows, but there are {}", size.1, body.len()),
        ));
    }
    let mut unknown: Vec<(char, (usize, usize))> = Vec::new();
    let mut long_rows = Vec::new();
    let mut cells = blank(G::MAPS.palette, size.0, size.1.min(MAX_SIDE));
    for (y, line) in body.iter().enumerate() {
        for (x, found) in line.chars().enumerate() {
            let row = comments + skipped + y + 1;
            let column = x + 1;
            let Some(symbol) = symbol(G::MAPS.palette, found) else {
                unknown.push((found, (row, column)));
                continue;
            };
            match cells.get_mut(Cell::new(x as i32, y as i32)) {
                Some(cell) => *cell = symbol,
                None if y < size.1 && x == size.0 => long_rows.push((row, column)),
                None => {}
            }
        }
    }
    if let Some(&(row, column)) = long_rows.first() {
        let what = format!("this row is longer than the announced {} columns", size.0);
        faults.push(Fault::text(row, column, what).counted(long_rows.len()));
    }
    for found in count_characters(unknown).iter().take(MOST_FAULTS) {
        let (row, column) = found.place;
        let what = format!("{found}; choose from {}", vocabulary(G::MAPS.palette));
        faults.push(Fault::text(row, column, what));
    }
    if faults.is_empty() { Ok(plain::<G>(title, &cells)) } else { Err(faults) }
}

/// All characters with the names of their tiles.
fn vocabulary(palette: &[TileKind]) -> String {
    let words = palette.iter().map(|tile| {
        let name = tile.name.to_lowercase();
        let aliases = tile.aliases.replace(' ', "");
        if aliases.is_empty() {
            format!("{} {name}", tile.symbol)
        } else {
            format!("{} (or {aliases}) {name}", tile.symbol)
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Writes a text that contains the whole level.
pub fn write<R: RuleSet>(level: &LevelFile<R>) -> Converted {
    let ron = write_ron(&head(level));
    let fields = ron.lines().skip(1).map(str::trim).take_while(|line| !line.starts_with("map:"));
    let mut text: String =
        fields.flat_map(|line| [&MARK.to_string(), " ", line, "\n"].map(str::to_owned)).collect();
    text.extend(level.map.iter().flat_map(|row| [row.as_str(), "\n"]));
    Converted { bytes: text.into_bytes(), lost: Vec::new() }
}

/// Writes only the map, with its size in the first line, for other programs.
pub fn write_map<R: RuleSet>(level: &LevelFile<R>) -> Converted {
    let columns = level.map.first().map_or(0, |row| row.chars().count());
    let mut text = format!("dim: {} {columns}\n", level.map.len());
    text.extend(level.map.iter().flat_map(|row| [row.as_str(), "\n"]));
    let mut lost = Vec::new();
    for (what, kept) in [
        ("the name", &level.name),
        ("the author", &level.author),
        ("the description", &level.about),
    ] {
        if !kept.is_empty() {
            lost.push(what.to_owned());
        }
    }
    let rules: Vec<_> = level.rules.changes().into_iter().map(|(key, _)| key).collect();
    if !rules.is_empty() {
        lost.push(format!("the rules {}", rules.join(", ")));
    }
    Converted { bytes: text.into_bytes(), lost }
}
