//! What stands in a text of levels: lines, and the boards and paragraphs that they make.

use crate::level::Tile;
use crate::run_length::expand;
use outwit_core::levels::{Fault, MAX_SIDE, count_characters};

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
pub(super) enum Line {
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
pub(super) enum Block {
    Board(Board),
    Paragraph(Paragraph),
}

/// The rows of a board and the number of the line where it begins, counted from 1.
pub(super) struct Board {
    pub rows: Vec<Vec<Tile>>,
    pub line: usize,
}

/// Lines without a blank line between them.
pub(super) struct Paragraph {
    pub lines: Vec<Line>,
    /// Whether it stands right below a board, without a blank line.
    pub below: bool,
    /// Whether it stands right above a board.
    pub above: bool,
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
    /// The cells of the rectangle that the rows are filled up to.
    fn cells(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0) * self.rows.len()
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
pub(super) fn blocks(text: &str) -> Result<Reader, Vec<Fault>> {
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
pub(super) struct Reader {
    pub blocks: Vec<Block>,
    faults: Vec<Fault>,
    /// Unknown characters in rows, with their lines and columns.
    unknown: Vec<(char, (usize, usize))>,
    /// Whether the last line was blank.
    blank: bool,
    boards: usize,
    cells: usize,
    /// What looks like a board but is not read as one.
    pub skipped: Vec<Skipped>,
}

/// Lines that were not read, the first and the last counted from 1, and what they are.
pub(super) struct Skipped {
    pub first: usize,
    pub last: usize,
    pub what: &'static str,
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
