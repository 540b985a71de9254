//! Levels of Sokoban programs: XSB and SOK text, whole collections in one file.
//!
//! A board is a run of lines of board characters. Its title is the line before it, or a line right
//! below it, or a `Title:` line; `Author:` and `Comment:` are understood too. Rows may be written in
//! the run-length form. See the Sokoban wiki's pages on the level format.

use super::level::{FORMAT, PukobanFile, PukobanRules, Tile};
use super::run_length::expand;
use outwit_core::levels::{
    Fault, MAX_ABOUT, MAX_AUTHOR, MAX_NAME, MAX_SIDE, RuleSet, count_characters, cut,
};
use outwit_kit::Converted;

/// The maximum number of levels in a file.
const MOST_LEVELS: usize = 10_000;

/// The maximum number of cells of all levels of a file.
const MOST_CELLS: usize = 4_000_000;

/// The maximum number of faults in the list.
const MOST_FAULTS: usize = 20;

/// The tile of a character, in any of the common dialects.
fn tile(symbol: char) -> Option<Tile> {
    Some(match symbol {
        'p' => Tile::Player,
        'P' => Tile::PlayerOnGoal,
        'b' => Tile::Box,
        'B' => Tile::BoxOnGoal,
        'o' => Tile::Goal,
        other => return Tile::from_char(other),
    })
}

/// A line of a file, understood by itself.
enum Line {
    Blank,
    /// One or more rows of a board, and whether a letter stands for a piece.
    Rows(Vec<Vec<Tile>>, bool),
    /// `Key: value`, the key in lower case.
    Pair(String, String),
    Text(String),
}

/// The keys that are understood or known to be no titles.
const KEYS: &[&str] = &[
    "title",
    "author",
    "comment",
    "collection",
    "copyright",
    "email",
    "e-mail",
    "homepage",
    "url",
    "date",
    "date created",
    "date of last change",
    "id",
    "set",
    "difficulty",
    "solution",
    "source",
    "notes",
];

/// Understands a line, not knowing those around it.
fn line(text: &str) -> Result<Line, String> {
    if text.trim().is_empty() {
        return Ok(Line::Blank);
    }
    let row_or_break = |symbol: char| symbol == '|' || tile(symbol).is_some();
    let all = |fits: &dyn Fn(char) -> bool| text.chars().all(fits);
    if all(&|c| row_or_break(c) || c == '\t') && text.contains('\t') {
        return Err("a tab in a row: its width is unknown, so write spaces".into());
    }
    if all(&|c| row_or_break(c) || c.is_ascii_digit() || c == '(' || c == ')')
        && text.chars().any(row_or_break)
    {
        match expand(text, row_or_break, |_| false, MAX_SIDE * (MAX_SIDE + 1)) {
            Ok(symbols) => {
                let letter = symbols.iter().any(|(_, symbol)| symbol.is_alphabetic());
                let symbols: Vec<char> = symbols.into_iter().map(|(_, symbol)| symbol).collect();
                let rows = symbols.split(|&symbol| symbol == '|');
                let rows = rows.map(|row| row.iter().filter_map(|&c| tile(c)).collect());
                let rows: Vec<Vec<Tile>> = rows.collect();
                // A line that ends with the separator has no row after it.
                let ends = rows.len() - usize::from(rows.last().is_some_and(Vec::is_empty));
                return Ok(Line::Rows(rows.into_iter().take(ends).collect(), letter));
            }
            Err(error) if text.contains('#') && error.what.starts_with("this makes") => {
                return Err(format!("column {}: {}", error.at + 1, error.what));
            }
            Err(_) => {}
        }
    }
    if let Some((key, value)) = text.trim_start_matches([';', ' ']).split_once(':') {
        let key = key.trim().to_lowercase();
        if KEYS.contains(&key.as_str()) {
            return Ok(Line::Pair(key, value.trim().into()));
        }
    }
    Ok(Line::Text(text.trim_start_matches([';', ':', ' ']).trim().into()))
}

/// Whether a line of text looks like a row with a wrong character.
fn is_spoilt_row(text: &str) -> bool {
    let known = text.chars().filter(|&symbol| tile(symbol).is_some()).count();
    text.contains('#') && !text.starts_with(';') && 10 * known >= 6 * text.chars().count()
}

/// What stands in a file, block by block.
enum Block {
    Board(Board),
    Paragraph(Paragraph),
}

/// The rows of a board and the number of the line where it begins, counted from 1.
struct Board {
    rows: Vec<Vec<Tile>>,
    line: usize,
}

/// Lines without a blank line between them.
struct Paragraph {
    lines: Vec<Line>,
    /// Whether it stands right below a board, without a blank line.
    below: bool,
    /// Whether it stands right above a board.
    above: bool,
}

/// Whether rows are a board and not a line of stars or dashes: a wall and something else, or a player
/// and a box; where letters stand for pieces there must be a wall, or `Bob` would be a board.
fn is_board(rows: &[Vec<Tile>], letters: bool) -> bool {
    let has = |fits: fn(Tile) -> bool| rows.iter().flatten().any(|&tile| fits(tile));
    let wall = has(|tile| tile == Tile::Wall);
    let (player, a_box) = (has(Tile::is_player), has(Tile::is_box));
    (wall && (player || a_box || has(Tile::is_goal))) || (player && a_box && !letters)
}

/// The lines of a text.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim_start_matches('\u{feff}');
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// Splits a text into boards and paragraphs.
fn blocks(text: &str) -> Result<Vec<Block>, Vec<Fault>> {
    let mut reader = Reader::default();
    let mut lines = lines(text).enumerate().peekable();
    while let Some((at, found)) = lines.next() {
        match line(found) {
            Err(what) => reader.faults.push(Fault::text(at + 1, 1, what)),
            Ok(Line::Blank) => reader.blank = true,
            Ok(Line::Rows(mut rows, mut letters)) => {
                while rows.len() <= MAX_SIDE
                    && let Some(Ok(Line::Rows(more, letter))) = lines.peek().map(|(_, l)| line(l))
                {
                    rows.extend(more);
                    letters |= letter;
                    lines.next();
                }
                // Also of rows that are no board: run lengths make much of a few characters.
                reader.cells += rows.iter().map(Vec::len).sum::<usize>();
                if is_board(&rows, letters) {
                    reader.put_board(Board { rows, line: at + 1 });
                }
            }
            Ok(Line::Pair(key, value)) if key == "comment" && value.is_empty() => {
                let is_inside = |text: &str| !text.trim().eq_ignore_ascii_case("comment-end:");
                let comment: Vec<&str> = lines
                    .by_ref()
                    .map(|(_, text)| text)
                    .take_while(|text| is_inside(text))
                    .collect();
                reader.put_line(Line::Pair(key, comment.join(" ").trim().into()));
            }
            Ok(read) => {
                let above =
                    lines.peek().is_some_and(|(_, l)| matches!(line(l), Ok(Line::Rows(..))));
                if (above || reader.is_below_board()) && is_spoilt_row(found) {
                    let wrong =
                        found.chars().zip(1..).filter(|&(symbol, _)| tile(symbol).is_none());
                    reader.unknown.extend(wrong.map(|(symbol, column)| (symbol, (at + 1, column))));
                } else {
                    reader.put_line(read);
                }
            }
        }
        if reader.faults.len() > MOST_FAULTS {
            reader.faults.truncate(MOST_FAULTS);
            reader.faults.push(Fault::whole("there are more problems"));
            break;
        }
        if reader.boards > MOST_LEVELS || reader.cells > MOST_CELLS {
            return Err(vec![Fault::whole(format!(
                "this file is too large: the maximum is {MOST_LEVELS} levels and {MOST_CELLS} cells \
                 in all"
            ))]);
        }
    }
    for found in count_characters(reader.unknown).iter().take(MOST_FAULTS) {
        let (line, column) = found.place;
        reader.faults.push(Fault::text(line, column, found.to_string()));
    }
    if reader.faults.is_empty() { Ok(reader.blocks) } else { Err(reader.faults) }
}

/// The blocks of a file as far as it was read.
#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    faults: Vec<Fault>,
    /// Unknown characters in rows, with their lines and columns.
    unknown: Vec<(char, (usize, usize))>,
    /// Whether the last line was blank.
    blank: bool,
    boards: usize,
    cells: usize,
}

impl Reader {
    fn is_below_board(&self) -> bool {
        !self.blank && matches!(self.blocks.last(), Some(Block::Board(_)))
    }

    fn put_board(&mut self, board: Board) {
        if let (false, Some(Block::Paragraph(last))) = (self.blank, self.blocks.last_mut()) {
            last.above = true;
        }
        self.boards += 1;
        self.blocks.push(Block::Board(board));
        self.blank = false;
    }

    /// Adds a line to the last paragraph, or begins one.
    fn put_line(&mut self, line: Line) {
        let below = self.is_below_board();
        match self.blocks.last_mut() {
            Some(Block::Paragraph(last)) if !self.blank => last.lines.push(line),
            _ => {
                let lines = vec![line];
                self.blocks.push(Block::Paragraph(Paragraph { lines, below, above: false }));
            }
        }
        self.blank = false;
    }
}

/// What a file says of a level, or of all.
#[derive(Clone, Default)]
struct Notes {
    /// From a `Title:` line.
    title: Option<String>,
    /// From a line above or below the board.
    caption: Option<String>,
    author: Option<String>,
    comment: Option<String>,
}

impl Notes {
    fn take(&mut self, line: &Line) {
        let Line::Pair(key, value) = line else { return };
        let slot = match key.as_str() {
            "title" => &mut self.title,
            "author" => &mut self.author,
            "comment" => &mut self.comment,
            _ => return,
        };
        if slot.is_none() && !value.is_empty() {
            *slot = Some(value.clone());
        }
    }
}

/// Whether a line of text is a solution and so no title.
fn is_solution(text: &str) -> bool {
    text.len() >= 8 && text.chars().all(|c| "udlrUDLR0123456789() ".contains(c))
}

/// The last line of a paragraph, if it can be a title.
fn caption_in(paragraph: &[Line]) -> Option<&str> {
    match paragraph.last() {
        Some(Line::Text(text)) if !text.is_empty() && !is_solution(text) => Some(text),
        _ => None,
    }
}

/// The boards with what is said of each.
///
/// Pairs belong to the board before them, unless they stand right above another. A caption belongs to
/// the board that it stands right below, and otherwise to the next one.
fn annotated(blocks: Vec<Block>) -> Vec<(Board, Notes)> {
    let mut levels: Vec<(Board, Notes)> = Vec::new();
    let mut collection = Notes::default();
    let mut coming = Notes::default();
    let mut blocks = blocks.into_iter().peekable();
    while let Some(block) = blocks.next() {
        let Paragraph { lines, below, above } = match block {
            Block::Paragraph(paragraph) => paragraph,
            Block::Board(board) => {
                levels.push((board, std::mem::take(&mut coming)));
                continue;
            }
        };
        let owner = match levels.last_mut() {
            Some((_, notes)) if below || !above => notes,
            _ if above => &mut coming,
            _ => &mut collection,
        };
        lines.iter().for_each(|line| owner.take(line));
        let Some(caption) = caption_in(&lines) else { continue };
        match levels.last_mut() {
            Some((_, notes)) if below && !above => notes.caption = Some(caption.into()),
            _ if matches!(blocks.peek(), Some(Block::Board(_))) => {
                coming.caption = Some(caption.into());
            }
            _ => {}
        }
    }
    for (_, notes) in &mut levels {
        notes.author = notes.author.take().or_else(|| collection.author.clone());
    }
    if let [(_, only)] = levels.as_mut_slice() {
        only.title = only.title.take().or(collection.title);
    }
    levels
}

/// Reads all levels of a text; `None` if there is no board in it. Levels without a title are called
/// after `stem`, the name of the file.
pub fn read(bytes: &[u8], stem: &str) -> Option<Result<Vec<PukobanFile>, Vec<Fault>>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let blocks = match blocks(text) {
        Ok(blocks) => blocks,
        Err(faults) => return Some(Err(faults)),
    };
    let boards = annotated(blocks);
    (!boards.is_empty()).then(|| levels(boards, stem))
}

fn levels(boards: Vec<(Board, Notes)>, stem: &str) -> Result<Vec<PukobanFile>, Vec<Fault>> {
    let count = boards.len();
    // Wide enough that the names sort in the order of the file.
    let digits = count.to_string().len();
    let mut faults = Vec::new();
    let mut levels = Vec::new();
    for (number, (board, notes)) in boards.into_iter().enumerate() {
        let width = board.rows.iter().map(Vec::len).max().unwrap_or(0);
        if width > MAX_SIDE || board.rows.len() > MAX_SIDE {
            let what = format!(
                "this board is {width} by {} cells; the maximum is {MAX_SIDE} by {MAX_SIDE}",
                board.rows.len()
            );
            faults.push(Fault::text(board.line, 1, what));
            continue;
        }
        let row = |row: &Vec<Tile>| {
            let floor = std::iter::repeat(Tile::Floor);
            row.iter().copied().chain(floor).take(width).map(Tile::to_char).collect()
        };
        let name = match (notes.title, notes.caption) {
            (Some(title), _) => title,
            // A number alone says nothing among the levels of other files.
            (None, Some(caption)) if caption.chars().all(|c| c.is_ascii_digit()) => {
                format!("{stem} {caption:0>digits$}")
            }
            (None, Some(caption)) => caption,
            (None, None) if count > 1 => format!("{stem} {:0digits$}", number + 1),
            (None, None) => stem.to_owned(),
        };
        let short_name = cut(&name, MAX_NAME);
        let mut about = notes.comment.unwrap_or_default();
        if short_name != name {
            // Often this is no title, but a sentence about the level.
            about = format!("{name}\n{about}");
        }
        levels.push(PukobanFile {
            format: FORMAT.into(),
            name: short_name,
            author: cut(&notes.author.unwrap_or_default(), MAX_AUTHOR),
            about: cut(about.trim_end(), MAX_ABOUT),
            rules: PukobanRules::default(),
            map: board.rows.iter().map(row).collect(),
        });
    }
    if faults.is_empty() { Ok(levels) } else { Err(faults) }
}

/// How likely the bytes are such a text, from 0 to 1.
pub fn score(bytes: &[u8], ending: &str) -> f32 {
    let named = ["xsb", "sok"].iter().any(|known| ending.eq_ignore_ascii_case(known));
    let found = std::str::from_utf8(bytes).is_ok_and(|text| {
        blocks(text).is_ok_and(|blocks| {
            blocks.iter().any(|block| {
                let Block::Board(board) = block else { return false };
                let has = |fits: fn(Tile) -> bool| board.rows.iter().flatten().any(|&t| fits(t));
                has(Tile::is_player) && has(Tile::is_box)
            })
        })
    });
    match (named, found) {
        (true, true) => 0.99,
        (true, false) => 0.6,
        // Below a plain map of another game that fits to the last character.
        (false, true) => 0.89,
        (false, false) => 0.0,
    }
}

/// A value that a line can hold, and whether something of it was lost.
fn one_line(value: &str) -> (String, bool) {
    let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    let lost = line != value;
    (line, lost)
}

/// Writes a level as XSB text, with floor as `-`.
pub fn write(level: &PukobanFile) -> Converted {
    let mut text = String::new();
    for row in &level.map {
        text.extend(row.chars().map(|c| Tile::from_char(c).map_or(c, Tile::to_char)));
        text.push('\n');
    }
    text.push('\n');
    let mut lost = Vec::new();
    for (key, what, value) in [
        ("Title", "the exact name", &level.name),
        ("Author", "the exact author", &level.author),
        ("Comment", "the line breaks and spaces of the description", &level.about),
    ] {
        let (line, changed) = one_line(value);
        if !line.is_empty() {
            text += &format!("{key}: {line}\n");
        }
        if changed {
            lost.push(what.to_owned());
        }
    }
    let rules: Vec<_> = level.rules.changes().into_iter().map(|(key, _)| key).collect();
    if !rules.is_empty() {
        lost.push(format!("the rules {}", rules.join(", ")));
    }
    Converted { bytes: text.into_bytes(), lost }
}

#[cfg(test)]
mod tests;
