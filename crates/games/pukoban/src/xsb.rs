//! Levels of Sokoban programs: XSB and SOK text, whole collections in one file.
//!
//! A board is a run of lines of board characters. Its title is the line before it, or a line right
//! below it, or a `Title:` line; `Author:` and `Comment:` are understood too. A comment of several
//! lines ends at `Comment-End:` or before the next board, since many files lack the former. Rows may be
//! written in the run-length form. See the Sokoban wiki's pages on the level format.

use super::Pukoban;
use super::level::{FORMAT, PukobanFile, PukobanRules, Tile};
use super::run_length::expand;
use outwit_core::levels::{
    Fault, MAX_ABOUT, MAX_AUTHOR, MAX_NAME, MAX_SIDE, RuleSet, count_characters, cut,
};
use outwit_kit::{Converted, ForeignFormats};

/// XSB and SOK files.
pub(super) const FORMATS: ForeignFormats<Pukoban> = ForeignFormats {
    endings: &["xsb", "sok"],
    read,
    score,
    skipped,
    write: |level, _| Some(write(level)),
};

/// The maximum number of levels in a file.
const MOST_LEVELS: usize = 10_000;

/// The maximum number of cells of all levels of a file.
const MOST_CELLS: usize = 4_000_000;

/// The maximum number of faults in the list.
const MOST_FAULTS: usize = 20;

/// The maximum number of skipped places in the list.
const MOST_SKIPPED: usize = 8;

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
    "comment-end",
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

/// The lines of a text.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim_start_matches('\u{feff}');
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// Rows right below one another.
struct Run {
    rows: Vec<Vec<Tile>>,
    /// Whether a letter stands for a piece.
    letters: bool,
    /// How many lines hold them.
    lines: usize,
}

impl Run {
    fn cells(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    fn has(&self, fits: fn(Tile) -> bool) -> bool {
        self.rows.iter().flatten().any(|&tile| fits(tile))
    }

    /// Whether rows are a board and not a line of stars or dashes: a wall and something else, or a
    /// player and a box; where letters stand for pieces there must be a wall, or `bo p` would be a
    /// board.
    fn is_board(&self) -> bool {
        let (player, a_box) = (self.has(Tile::is_player), self.has(Tile::is_box));
        (self.has(is_wall) && (player || a_box || self.has(Tile::is_goal)))
            || (player && a_box && !self.letters)
    }

    /// Whether it is a board even in a comment, where single rows and rows without a player and a box
    /// are examples.
    fn ends_comment(&self) -> bool {
        let complete = self.has(Tile::is_player) && self.has(Tile::is_box);
        self.rows.len() > 1 && complete && self.is_board()
    }
}

fn is_wall(tile: Tile) -> bool {
    tile == Tile::Wall
}

/// The rows at the beginning of these lines, hardly more than a board may have. A word such as `Bob`
/// is a row only beside others in which letters stand for pieces.
fn run_at(lines: &[&str]) -> Run {
    let mut run = Run { rows: Vec::new(), letters: false, lines: 0 };
    let is_word = |text: &str| text.chars().all(char::is_alphabetic);
    while let Some(text) = lines.get(run.lines)
        && let Ok(Line::Rows(rows, letters)) = line(text)
        && run.rows.len() <= MAX_SIDE
    {
        let below = lines.get(run.lines + 1).filter(|below| !is_word(below));
        let has_letters_below =
            || below.is_some_and(|l| matches!(line(l), Ok(Line::Rows(_, true))));
        if is_word(text) && !run.letters && !has_letters_below() {
            break;
        }
        run.rows.extend(rows);
        run.letters |= letters;
        run.lines += 1;
    }
    run
}

/// How many of the lines after `Comment:` belong to the comment, and whether `Comment-End:` follows.
/// If it does not, the comment ends before the next board and its title, or the next key.
fn comment_lines(lines: &[&str]) -> (usize, bool) {
    let (mut next, mut cells) = (0, 0);
    let mut key = None;
    let mut is_before_board = false;
    while let Some(text) = lines.get(next) {
        match line(text) {
            Ok(Line::Pair(name, _)) if name == "comment-end" => return (next, true),
            Ok(Line::Pair(name, _)) => {
                key.get_or_insert(next);
                if name == "comment" {
                    break;
                }
            }
            Ok(Line::Rows(..)) => {
                let run = run_at(&lines[next..]);
                is_before_board = run.ends_comment();
                cells += run.cells();
                // A file with more cells is refused.
                if is_before_board || cells > MOST_CELLS {
                    let spoilt = |text: &&&str| line(text).is_err() || is_spoilt_row(text);
                    next -= lines[..next].iter().rev().take_while(spoilt).count();
                    break;
                }
                next += run.lines.saturating_sub(1);
            }
            Ok(Line::Blank | Line::Text(_)) | Err(_) => {}
        }
        next += 1;
    }
    let is_blank = |text: &str| text.trim().is_empty();
    let trimmed =
        |end: usize| lines[..end].iter().rposition(|text| !is_blank(text)).map_or(0, |at| at + 1);
    let end = trimmed(key.unwrap_or(next));
    if key.is_some() || !is_before_board {
        return (end, false);
    }
    // The title of the board, if the last paragraph can be one.
    let last = lines[..end].iter().rposition(|text| is_blank(text)).map_or(0, |at| at + 1);
    let is_text = lines[last..end].iter().all(|text| matches!(line(text), Ok(Line::Text(_))));
    let is_title = last > 0 && is_text && (end == next || end - last == 1);
    (if is_title { trimmed(last) } else { end }, false)
}

/// Splits a text into boards and paragraphs.
fn blocks(text: &str) -> Result<Reader, Vec<Fault>> {
    let mut reader = Reader::default();
    let lines: Vec<&str> = lines(text).collect();
    let mut next = 0;
    while let Some(&found) = lines.get(next) {
        let at = next;
        next += 1;
        let rest = &lines[next..];
        match line(found) {
            Err(what) => reader.faults.push(Fault::text(at + 1, 1, what)),
            Ok(Line::Blank) => reader.blank = true,
            Ok(Line::Rows(..)) => {
                let run = run_at(&lines[at..]);
                if run.lines == 0 {
                    reader.put_line(Line::Text(found.into()));
                } else {
                    next = at + run.lines;
                    reader.put_rows(run, at + 1);
                }
            }
            Ok(Line::Pair(key, value)) if key == "comment" => {
                let (length, is_closed) = comment_lines(rest);
                let length = if value.is_empty() || is_closed { length } else { 0 };
                let comment = &rest[..length];
                reader.pass_rows(comment, next + 1);
                next += length;
                let comment = format!("{value} {}", comment.join(" "));
                reader.put_line(Line::Pair(key, comment.trim().into()));
            }
            Ok(read) => {
                let above = rest.first().is_some_and(|l| matches!(line(l), Ok(Line::Rows(..))));
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
    for found in count_characters(std::mem::take(&mut reader.unknown)).iter().take(MOST_FAULTS) {
        let (line, column) = found.place;
        reader.faults.push(Fault::text(line, column, found.to_string()));
    }
    if reader.faults.is_empty() { Ok(reader) } else { Err(reader.faults) }
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
    /// What looks like a board but is not read as one.
    skipped: Vec<Skipped>,
}

/// Lines that were not read, the first and the last counted from 1, and what they are.
struct Skipped {
    first: usize,
    last: usize,
    what: &'static str,
}

impl Reader {
    fn is_below_board(&self) -> bool {
        !self.blank && matches!(self.blocks.last(), Some(Block::Board(_)))
    }

    /// Takes rows of which the first stands in this line.
    fn put_rows(&mut self, run: Run, line: usize) {
        // Also of rows that are no board: run lengths make much of a few characters.
        self.cells += run.cells();
        if run.is_board() {
            self.put_board(Board { rows: run.rows, line });
        } else if run.lines > 1 && run.has(is_wall) {
            let (first, last) = (line, line + run.lines - 1);
            self.skipped.push(Skipped { first, last, what: "rows without any piece" });
        }
    }

    /// Passes over the rows among the lines of a comment, of which the first has this number.
    fn pass_rows(&mut self, comment: &[&str], mut first: usize) {
        for text in comment {
            if let Ok(Line::Rows(rows, _)) = line(text) {
                self.cells += rows.iter().map(Vec::len).sum::<usize>();
            }
        }
        let is_row =
            |text: &str| matches!(line(text), Ok(Line::Rows(..)) | Err(_)) || is_spoilt_row(text);
        for lines in comment.chunk_by(|a, b| is_row(a) == is_row(b)) {
            let last = first + lines.len() - 1;
            let is_drawn = lines.len() > 1 && lines.iter().any(|text| text.contains('#'));
            if is_row(lines[0]) && (is_drawn || run_at(lines).is_board()) {
                self.skipped.push(Skipped { first, last, what: "rows in a comment" });
            }
            first = last + 1;
        }
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
    let reader = match blocks(text) {
        Ok(reader) => reader,
        Err(faults) => return Some(Err(faults)),
    };
    let boards = annotated(reader.blocks);
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

/// What [`read`] skips though it looks like part of a board, with its lines.
pub fn skipped(bytes: &[u8]) -> Vec<String> {
    let reader = std::str::from_utf8(bytes).ok().and_then(|text| blocks(text).ok());
    let skipped = reader.map_or_else(Vec::new, |reader| reader.skipped);
    let mut said: Vec<String> = skipped
        .iter()
        .take(MOST_SKIPPED)
        .map(|&Skipped { first, last, what }| match first == last {
            true => format!("{what} (line {first})"),
            false => format!("{what} (lines {first} to {last})"),
        })
        .collect();
    if let more @ 1.. = skipped.len() - said.len() {
        said.push(format!("rows in {more} more places"));
    }
    said
}

/// How likely the bytes are such a text, from 0 to 1.
pub fn score(bytes: &[u8], ending: &str) -> f32 {
    let named = ["xsb", "sok"].iter().any(|known| ending.eq_ignore_ascii_case(known));
    let found = std::str::from_utf8(bytes).is_ok_and(|text| {
        blocks(text).is_ok_and(|reader| {
            reader.blocks.iter().any(|block| {
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
