//! What stands in a text of levels: lines, and the boards and paragraphs that they make.

use super::lines::{blank_separators, unquote, with_common_walls};
use crate::level::Tile;
use crate::run_length::expand;
use outwit_core::grid::{Cell, FOUR, Grid};
use outwit_core::levels::{Fault, MAX_SIDE, count_characters, text_lines};

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

/// The characters of the tiles of a row. In a row that cannot be read, those that are no tiles are as in
/// the file, so that the level cannot be played and its problems name them.
type Row = Vec<char>;

/// A line of a file, understood by itself.
pub(super) enum Line {
    Blank,
    /// One or more rows of a board, and whether a letter stands for a piece.
    Rows(Vec<Row>, bool),
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
    "snapshot",
    "source",
    "notes",
    "variant",
    "game",
];

/// The keys whose value may stand behind a `=` too.
const KEYS_OF_VARIANTS: &[&str] = &["variant", "game"];

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
                let rows = rows.map(|row| row.iter().filter_map(|&c| tile(c)));
                let rows: Vec<Row> = rows.map(|row| row.map(Tile::to_char).collect()).collect();
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
    for (mark, keys) in [(':', KEYS), ('=', KEYS_OF_VARIANTS)] {
        if let Some((key, value)) = text.trim_start_matches([';', ' ']).split_once(mark) {
            let key = key.trim().to_lowercase();
            if keys.contains(&key.as_str()) {
                return Ok(Line::Pair(key, value.trim().into()));
            }
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

/// A board of a file.
pub(super) struct Board {
    pub rows: Vec<Row>,
    /// Its lines, the first and the last counted from 1.
    pub lines: (usize, usize),
    /// Whether every other row is shifted by half a cell, as boards of hexagons are written.
    pub is_hexagonal: bool,
    /// Why it cannot be read.
    pub fault: Option<Fault>,
}

impl Board {
    pub fn has(&self, fits: fn(Tile) -> bool) -> bool {
        has(&self.rows, fits)
    }
}

fn has(rows: &[Row], fits: fn(Tile) -> bool) -> bool {
    rows.iter().flatten().any(|&symbol| Tile::from_char(symbol).is_some_and(fits))
}

/// Lines without a blank line between them.
pub(super) struct Paragraph {
    /// Each line with its number, counted from 1.
    pub lines: Vec<(usize, Line)>,
    /// Whether it stands right below a board, without a blank line.
    pub below: bool,
    /// Whether it stands right above a board.
    pub above: bool,
}

/// Rows right below one another.
#[derive(Default)]
struct Run {
    rows: Vec<Row>,
    /// The length of the longest row.
    width: usize,
    /// Whether a letter stands for a piece.
    letters: bool,
    has_wall: bool,
    /// How many lines hold them.
    lines: usize,
}

impl Run {
    /// Adds the rows of so many more lines, unless it is taller than a board may be already.
    fn add(&mut self, rows: Vec<Row>, letters: bool, lines: usize) {
        self.letters |= letters;
        self.lines += lines;
        if self.rows.len() <= MAX_SIDE {
            self.width = rows.iter().map(Vec::len).fold(self.width, usize::max);
            self.has_wall = self.has_wall || has(&rows, is_wall);
            self.rows.extend(rows);
        }
    }

    /// Takes out the blanks between the cells, of which the first stand in this column.
    fn remove_blanks(&mut self, first: usize) {
        for row in &mut self.rows {
            *row = row.iter().copied().skip(first).step_by(2).collect();
        }
        self.width = self.rows.iter().map(Vec::len).max().unwrap_or(0);
    }

    /// The cells of the rectangle that the rows are filled up to.
    fn cells(&self) -> usize {
        self.width * self.rows.len()
    }

    fn has(&self, fits: fn(Tile) -> bool) -> bool {
        has(&self.rows, fits)
    }

    /// Whether rows are a board and not a line of stars or dashes: a wall and something else, or a
    /// player and a box; where letters stand for pieces there must be a wall, or `bo p` would be a
    /// board.
    fn is_board(&self) -> bool {
        let player = self.has(Tile::is_player);
        let a_box = self.has(Tile::is_box);
        (self.has_wall && (player || a_box || self.has(Tile::is_goal)))
            || (player && a_box && !self.letters)
    }

    /// Whether it is a board even in a comment, where single rows and rows without a player and a box
    /// are examples.
    fn ends_comment(&self) -> bool {
        let complete = self.has(Tile::is_player) && self.has(Tile::is_box);
        self.rows.len() > 1 && complete && self.is_board()
    }
}

/// What stands between the cells of rows.
enum Spacing {
    None,
    /// A blank between all cells of a row, of which the first stand in this column, counted from 0.
    Blanks {
        first: usize,
    },
    /// The same, but every other row is shifted by half a cell, as boards of hexagons are written.
    Hexagons,
}

/// The spacing of the rows of a board. Walls in a row touch each other, so blanks in every other column are none of
/// its cells.
fn spacing(run: &Run) -> Spacing {
    let is_large = run.width.max(run.rows.len()) > MAX_SIDE;
    if !run.has_wall || run.width < 5 || is_large {
        return Spacing::None;
    }
    let floor = Tile::Floor.to_char();
    let mut columns: Vec<(usize, usize)> = Vec::new();
    for (y, row) in run.rows.iter().enumerate() {
        let mut filled = (0..row.len()).filter(|&x| row[x] != floor);
        let Some(first) = filled.next() else { continue };
        if filled.any(|x| x % 2 != first % 2) {
            return Spacing::None;
        }
        columns.push((y, first));
    }
    let [(top, first), _, _, ..] = columns[..] else { return Spacing::None };
    // A diamond of walls touches at its corners alone, but it is closed.
    if !leaves_board(run) {
        return Spacing::None;
    }
    if columns.iter().all(|(_, column)| column % 2 == first % 2) {
        Spacing::Blanks { first: first % 2 }
    } else if columns.iter().all(|(y, column)| (y + column) % 2 == (top + first) % 2) {
        Spacing::Hexagons
    } else {
        Spacing::None
    }
}

/// Whether the player could walk off the board between its walls if there were no boxes.
fn leaves_board(run: &Run) -> bool {
    let cells = Grid::from_fn(run.width, run.rows.len(), |cell| {
        let symbol = run.rows[cell.y as usize].get(cell.x as usize);
        symbol.and_then(|&symbol| Tile::from_char(symbol)).unwrap_or(Tile::Floor)
    });
    let players = cells.iter().filter(|(_, tile)| tile.is_player()).map(|(cell, _)| cell);
    let mut open: Vec<Cell> = players.collect();
    let mut seen = cells.map(|tile| *tile == Tile::Wall);
    while let Some(cell) = open.pop() {
        for next in FOUR.map(|step| cell + step) {
            match seen.get_mut(next) {
                None => return true,
                Some(seen) if !*seen => {
                    *seen = true;
                    open.push(next);
                }
                Some(_) => {}
            }
        }
    }
    false
}

fn is_wall(tile: Tile) -> bool {
    tile == Tile::Wall
}

/// The rows at the beginning of these lines, hardly more than a board may have. A word such as `Bob`
/// is a row only beside others in which letters stand for pieces.
fn run_at(lines: &[&str]) -> Run {
    let mut run = Run::default();
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
        run.add(rows, letters, 1);
    }
    run
}

/// How many of the lines after `Comment:` belong to the comment, and whether `Comment-End:` follows.
/// If it does not, the comment ends before the next board and its title, or the next key.
fn comment_lines(lines: &[&str]) -> (usize, bool) {
    let mut next = 0;
    let mut cells = 0;
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
                    next -= lines[..next]
                        .iter()
                        .rev()
                        .take_while(|text| line(text).is_err() || is_spoilt_row(text))
                        .count();
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

/// Splits a text into boards and paragraphs. A board that cannot be read is one of them if others can.
///
/// # Errors
/// If no board can be read, or the file is too large.
pub(super) fn blocks(text: &str) -> Result<Reader, Vec<Fault>> {
    let mut reader = Reader::default();
    let text = with_common_walls(text);
    let mut lines: Vec<&str> = text_lines(&text).collect();
    unquote(&mut lines);
    blank_separators(&mut lines);
    let mut next = 0;
    while let Some(&found) = lines.get(next) {
        let at = next;
        next += 1;
        let rest = &lines[next..];
        match line(found) {
            Err(what) => {
                let fault = Fault::text(at + 1, 1, what);
                reader.put_fault(fault.clone());
                reader.put_spoilt_row(found, at + 1, fault);
            }
            Ok(Line::Blank) => {
                reader.end_rows();
                reader.blank = true;
            }
            Ok(Line::Rows(..)) => {
                let run = run_at(&lines[at..]);
                if run.lines == 0 {
                    reader.put_line(at + 1, Line::Text(found.into()));
                } else {
                    next = at + run.lines;
                    reader.put_rows(run, at + 1, None);
                }
            }
            Ok(Line::Pair(key, value)) if key == "comment" => {
                let (length, is_closed) = comment_lines(rest);
                let length = if value.is_empty() || is_closed { length } else { 0 };
                let comment = &rest[..length];
                reader.end_rows();
                reader.pass_rows(comment, next + 1);
                next += length;
                let comment = format!("{value} {}", comment.join(" "));
                reader.put_line(at + 1, Line::Pair(key, comment.trim().into()));
            }
            Ok(read) => {
                let above = rest.first().is_some_and(|l| matches!(line(l), Ok(Line::Rows(..))));
                if is_spoilt_row(found) && (above || reader.is_below_rows()) {
                    reader.put_unknown(found, (at + 1, 1));
                } else {
                    reader.put_line(at + 1, read);
                }
            }
        }
        if reader.is_too_large() {
            break;
        }
    }
    reader.finish()
}

/// The blocks of a file as far as it was read.
#[derive(Default)]
pub(super) struct Reader {
    pub blocks: Vec<Block>,
    /// The rows right above the line to be read, and the number of the line where they begin.
    rows: Option<(Run, usize)>,
    /// Why the board of these rows cannot be read.
    spoilt: Option<Fault>,
    faults: Vec<Fault>,
    /// Unknown characters in rows, with their lines and columns.
    unknown: Vec<(char, (usize, usize))>,
    /// Whether the last line was blank.
    blank: bool,
    boards: usize,
    cells: usize,
    /// What looks like a board but is not read as one, up to a maximum.
    pub skipped: Vec<Skipped>,
    /// The number of such places that are not listed.
    pub more_skipped: usize,
}

/// Lines that were not read, the first and the last counted from 1, and what they are.
pub(super) struct Skipped {
    pub first: usize,
    pub last: usize,
    pub what: &'static str,
    /// Why, where that is not said by what they are.
    pub why: Option<Fault>,
}

impl Reader {
    /// Everything that was read.
    ///
    /// # Errors
    /// If no board can be read, or the file is too large.
    pub fn finish(mut self) -> Result<Self, Vec<Fault>> {
        self.end_rows();
        if self.is_too_large() {
            return Err(vec![Fault::whole(format!(
                "this file is too large: the maximum is {MOST_LEVELS} levels and {MOST_CELLS} cells \
                 in all"
            ))]);
        }
        for found in count_characters(std::mem::take(&mut self.unknown)).iter().take(MOST_FAULTS) {
            let (line, column) = found.place;
            self.faults.push(Fault::text(line, column, found.to_string()));
        }
        let is_read = |block: &Block| matches!(block, Block::Board(board) if board.fault.is_none());
        if self.faults.is_empty() || self.blocks.iter().any(is_read) {
            Ok(self)
        } else {
            Err(self.faults)
        }
    }

    /// Takes a row without run lengths that begins in this line and column.
    pub fn put_row(&mut self, text: &str, place: (usize, usize)) {
        let row: Option<Row> = text.chars().map(|c| Some(tile(c)?.to_char())).collect();
        match row {
            Some(row) => {
                let mut run = Run::default();
                run.add(vec![row], false, 1);
                self.put_rows(run, place.0, None);
            }
            None => self.put_unknown(text, place),
        }
    }

    /// Takes a row with unknown characters that begins in this line and column.
    fn put_unknown(&mut self, text: &str, (line, first): (usize, usize)) {
        let unknown = |&(_, symbol): &(usize, char)| tile(symbol).is_none();
        let wrong = (first..).zip(text.chars()).filter(unknown);
        let wrong: Vec<_> = wrong.map(|(column, symbol)| (symbol, (line, column))).collect();
        if let Some(first) = count_characters(wrong.clone()).first() {
            let fault = Fault::text(line, first.place.1, first.to_string());
            self.put_spoilt_row(text, line, fault);
        }
        self.unknown.extend(wrong);
    }

    pub fn is_too_large(&self) -> bool {
        self.boards > MOST_LEVELS || self.cells > MOST_CELLS
    }

    fn is_below_board(&self) -> bool {
        !self.blank && matches!(self.blocks.last(), Some(Block::Board(_)))
    }

    /// Whether rows stand right above that are part of a board or may be.
    fn is_below_rows(&self) -> bool {
        self.rows.as_ref().is_some_and(|(run, _)| run.has_wall || run.is_board())
    }

    fn put_fault(&mut self, fault: Fault) {
        match self.faults.len() {
            MOST_FAULTS => self.faults.push(Fault::whole("there are more problems")),
            count if count < MOST_FAULTS => self.faults.push(fault),
            _ => {}
        }
    }

    pub fn skip(&mut self, skipped: Skipped) {
        if self.skipped.len() < MOST_SKIPPED {
            self.skipped.push(skipped);
        } else {
            self.more_skipped += 1;
        }
    }

    /// Takes rows of which the first stands in this line, and why they cannot be read.
    fn put_rows(&mut self, run: Run, line: usize, fault: Option<Fault>) {
        let (whole, _) = self.rows.get_or_insert_with(|| (Run::default(), line));
        // Also of rows that are no board: run lengths make much of a few characters.
        let own = run.cells();
        let before = whole.cells();
        whole.add(run.rows, run.letters, run.lines);
        self.cells += own.max(whole.cells() - before);
        self.spoilt = self.spoilt.take().or(fault);
    }

    /// Takes a row that cannot be read.
    fn put_spoilt_row(&mut self, text: &str, line: usize, fault: Fault) {
        let row = text.chars().map(|symbol| tile(symbol).map_or(symbol, Tile::to_char)).collect();
        let mut run = Run::default();
        run.add(vec![row], false, 1);
        self.put_rows(run, line, Some(fault));
    }

    /// Makes a board of the rows that end here, if they are one.
    pub fn end_rows(&mut self) {
        let (Some((run, first)), spoilt) = (self.rows.take(), self.spoilt.take()) else { return };
        let last = first + run.lines - 1;
        if !run.is_board() {
            if spoilt.is_some() || run.lines > 1 && run.has_wall {
                self.skip(Skipped { first, last, what: "rows without any piece", why: spoilt });
            }
            return;
        }
        let mut run = run;
        let spacing = spacing(&run);
        if let Spacing::Blanks { first } = spacing {
            run.remove_blanks(first);
        }
        let is_hexagonal = matches!(spacing, Spacing::Hexagons);
        let width = run.width;
        let height = run.rows.len();
        let fault = spoilt.or_else(|| {
            let what = format!(
                "this board is {width} by {height} cells; the maximum is {MAX_SIDE} by {MAX_SIDE}"
            );
            let fault = (width.max(height) > MAX_SIDE).then(|| Fault::text(first, 1, what))?;
            self.put_fault(fault.clone());
            Some(fault)
        });
        if let Some(fault) = &fault {
            self.skip(Skipped { first, last, what: "a board", why: Some(fault.clone()) });
        }
        self.put_board(Board { rows: run.rows, lines: (first, last), is_hexagonal, fault });
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
                self.skip(Skipped { first, last, what: "rows in a comment", why: None });
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
    fn put_line(&mut self, number: usize, line: Line) {
        self.end_rows();
        let below = self.is_below_board();
        match self.blocks.last_mut() {
            Some(Block::Paragraph(last)) if !self.blank => last.lines.push((number, line)),
            _ => {
                let lines = vec![(number, line)];
                self.blocks.push(Block::Paragraph(Paragraph { lines, below, above: false }));
            }
        }
        self.blank = false;
    }
}
