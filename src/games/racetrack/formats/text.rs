//! Text tracks: one character a cell, in the dialects that are about.

use super::{plain, refused_size};
use crate::games::kind::Converted;
use crate::games::racetrack::level::TrackFile;
use crate::grid::Grid;
use crate::levels::{Fault, MAX_SIDE, RuleSet};

/// Faults after this many are not listed.
const MOST_FAULTS: usize = 20;

/// What a character of a text track means, in the characters of our own maps.
fn symbol(found: char) -> Option<char> {
    match found {
        '#' | 'x' | 'X' => Some('#'),
        '.' | '-' | ' ' => Some('.'),
        's' | 'S' | 'P' => Some('S'),
        'g' | 'G' | 'F' | 'f' | '*' => Some('F'),
        '1'..='9' => Some(found),
        _ => None,
    }
}

/// Size that a file says it has, and the number of lines that say so.
struct Header {
    lines: usize,
    columns: usize,
    rows: usize,
}

/// Understands `dim: ROWS COLS`, `ROWS,COLS`, and the two lines `CAP` and `COLS ROWS`.
fn header(lines: &[&str]) -> Option<Header> {
    let pair = |text: &str, separator: fn(char) -> bool| {
        let mut numbers = text.split(separator).filter(|part| !part.is_empty());
        let (a, b) = (numbers.next()?.trim().parse().ok()?, numbers.next()?.trim().parse().ok()?);
        numbers.next().is_none().then_some((a, b))
    };
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

/// The lines without the ends that editors leave behind.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text
        .trim_start_matches('\u{feff}')
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    lines
}

/// Whether bytes of unknown kind are a text track: at least two lines of nothing but its
/// characters, a start and a finish among them.
pub fn looks_like_map(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let lines = lines(text);
    let body = &lines[header(&lines).map_or(0, |header| header.lines)..];
    let symbols = || body.iter().flat_map(|line| line.chars()).map(symbol);
    body.len() >= 2
        && symbols().all(|symbol| symbol.is_some())
        && symbols().any(|symbol| symbol == Some('S'))
        && symbols().any(|symbol| symbol == Some('F'))
}

/// Reads a text track.
pub fn read(bytes: &[u8], title: &str) -> Result<TrackFile, Vec<Fault>> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let line = good.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = good.rsplit(|&byte| byte == b'\n').next().map_or(0, <[u8]>::len) + 1;
        vec![Fault::text(line, column, "this is not text")]
    })?;
    let lines = lines(text);
    let header = header(&lines);
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
            1,
            1,
            format!("the first lines promise {} rows; there are {}", size.1, body.len()),
        ));
    }
    let mut cells = Grid::filled(size.0, size.1.min(MAX_SIDE), '#');
    for (y, line) in body.iter().enumerate() {
        for (x, found) in line.chars().enumerate() {
            let (row, column) = (skipped + y + 1, x + 1);
            let Some(symbol) = symbol(found) else {
                faults.push(Fault::text(
                    row,
                    column,
                    format!(
                        "'{}' stands for nothing in a text track; use # or x off track, . or - road, \
                         S start, F or g finish, 1 to 9 checkpoints",
                        found.escape_default()
                    ),
                ));
                continue;
            };
            match cells.get_mut(crate::grid::Cell::new(x as i32, y as i32)) {
                Some(cell) => *cell = symbol,
                None if y < size.1 && x == size.0 => faults.push(Fault::text(
                    row,
                    column,
                    format!("this row is longer than the {} columns promised", size.0),
                )),
                None => {}
            }
        }
        if faults.len() > MOST_FAULTS {
            faults.truncate(MOST_FAULTS);
            faults.push(Fault::whole("more faults are not listed"));
            break;
        }
    }
    if faults.is_empty() { Ok(plain(title, &cells)) } else { Err(faults) }
}

/// Writes a text track with its size in the first line.
pub fn write(level: &TrackFile) -> Converted {
    let cells = level.cells('#');
    let mut text = format!("dim: {} {}\n", cells.height(), cells.width());
    for row in &level.map {
        text += row;
        text.push('\n');
    }
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
