//! Games in SGF, the smart game format of FF[4], of the kind GM[4]: gomoku and renju.
//!
//! A file holds game trees in brackets, each a sequence of nodes with properties such as `B[hh]`, a black stone. Cells
//! are two letters, column and row counted from the top left, or a letter and a number counted from the bottom left as
//! in `h8`. The main line of each tree is the first of the variations wherever it branches. Black is X.

use super::level::{FORMAT, MAX_SIDE, MnkFile, MnkRules, Stone, stones};
use super::notation::{cell_name, cell_of};
use super::piskvork::{place, player_name};
use outwit_core::escape::{is_visible, on_one_line};
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::{Fault, MAX_NAME, RuleSet, cut};
use outwit_core::play::{MOST_VARIATIONS, TurnNote};
use outwit_kit::Converted;
use std::collections::BTreeSet;

/// The maximum number of games in a file.
const MOST_GAMES: usize = 1_000;

/// The number of letters that name columns and rows.
const LETTERS: usize = 52;

/// The rule that has a property of its own.
const TO_MOVE: &str = "to_move";

/// The side of a board whose size is not told.
const USUAL_SIDE: usize = 19;

/// A game as a file tells it.
pub(super) struct SgfGame {
    /// The position before the first move; it has the game's name, if it tells one.
    pub start: MnkFile,
    /// The moves in order, which may break the rules.
    pub moves: Vec<Cell>,
    /// The line where it begins, counted from 1.
    pub line: usize,
    /// What black and white are called, if the file says so.
    pub names: [Option<String>; 2],
    /// The moves of other lines than the main one, each from the start, in the order of the file: those that set up no
    /// stones and in which the sides take turns, at most [`MOST_VARIATIONS`].
    pub variations: Vec<Vec<Cell>>,
    /// The number of all other lines than the main one.
    pub branches: usize,
    /// The comments of the main line.
    pub notes: Vec<TurnNote>,
    /// The number of comments of other lines.
    pub other_comments: usize,
    /// The properties that are not kept.
    pub unkept: BTreeSet<String>,
}

/// Whether a text looks like such a file, whatever its game.
pub(super) fn is_sgf(text: &str) -> bool {
    let rest = text.trim_start_matches('\u{feff}').trim_start().strip_prefix('(');
    rest.is_some_and(|rest| rest.trim_start().starts_with(';'))
}

/// Reads the games of a file.
///
/// # Errors
/// The first problem, with its place.
pub(super) fn games(text: &str) -> Result<Vec<SgfGame>, Fault> {
    let mut scanner = Scanner { text, at: 0 };
    let mut games = Vec::new();
    while let Some(at) = scanner.text[scanner.at..].find('(') {
        scanner.at += at;
        if games.len() == MOST_GAMES {
            return Err(scanner.fault(&format!("the maximum is {MOST_GAMES} games in a file")));
        }
        let start = scanner.at;
        let line = text[..start].matches('\n').count() + 1;
        let tree = scanner.tree()?;
        let name = format!("game {}", games.len() + 1);
        games.push(
            tree.game(line).map_err(|what| scanner.fault_at(start, &format!("{name}: {what}")))?,
        );
    }
    Ok(games)
}

/// A property of a node: its name and its values.
type Property = (String, Vec<String>);

/// What stands among the properties where a node begins.
const NODE: &str = ";";

/// What changes the position on a line.
#[derive(Clone, PartialEq)]
enum Step {
    /// Stones or the side to move are set up at this place of the text.
    SetUp(usize),
    /// A move of black or white on a cell, as the file writes it.
    Move(Stone, String),
}

/// The longest line that is kept beside the main one, in moves: all cells of the largest board.
const LONGEST_LINE: usize = MAX_SIDE * MAX_SIDE;

/// The longest name of a cell, in bytes, as in `ab70`.
const LONGEST_CELL: usize = 8;

/// What a tree holds.
struct Tree {
    /// The properties on the main line, in order, with [`NODE`] before those of each node.
    properties: Vec<Property>,
    /// What sets up its position.
    set_up: Vec<Step>,
    /// The other lines, each from the start.
    variations: Vec<Vec<Step>>,
    /// The number of all other lines.
    branches: usize,
    /// The number of comments of other lines.
    other_comments: usize,
}

impl Tree {
    /// Takes a line in, unless there are too many or it is too long to be one.
    fn keep(&mut self, line: &[Step]) {
        if self.variations.len() < MOST_VARIATIONS && line.len() <= LONGEST_LINE {
            self.variations.push(line.to_vec());
        }
    }
}

/// What a property at this place adds to a line, if anything.
fn step((name, values): &Property, at: usize) -> Option<Step> {
    let stone = match name.as_str() {
        "B" => Stone::X,
        "W" => Stone::O,
        "AB" | "AW" | "AE" | "PL" => return Some(Step::SetUp(at)),
        _ => return None,
    };
    let cell = values.first().map_or("", |value| value.trim());
    let is_cell = cell.len() <= LONGEST_CELL;
    Some(Step::Move(stone, if is_cell { cell } else { "" }.to_owned()))
}

/// The text of a property, if it is a comment.
fn comment((name, values): &Property) -> Option<&str> {
    let text = values.first().filter(|text| is_visible(text))?;
    (name == "C").then_some(text)
}

struct Scanner<'a> {
    text: &'a str,
    /// The place of the next character, in bytes.
    at: usize,
}

impl Scanner<'_> {
    fn fault(&self, what: &str) -> Fault {
        self.fault_at(self.at, what)
    }

    fn fault_at(&self, at: usize, what: &str) -> Fault {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&symbol| symbol != '\n').count() + 1;
        Fault::text(line, column, what)
    }

    fn next(&mut self) -> Option<char> {
        let symbol = self.text[self.at..].chars().next()?;
        self.at += symbol.len_utf8();
        Some(symbol)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Reads a whole tree, which begins here.
    fn tree(&mut self) -> Result<Tree, Fault> {
        let mut tree = Tree {
            properties: Vec::new(),
            set_up: Vec::new(),
            variations: Vec::new(),
            branches: 0,
            other_comments: 0,
        };
        // The main line ends where the first of the open trees closes.
        let mut is_over = false;
        // The line that is being read, and how long it was where each of the open trees began.
        let (mut line, mut open): (Vec<Step>, Vec<usize>) = (Vec::new(), Vec::new());
        loop {
            let begin = self.at;
            match self.next() {
                Some('(') => {
                    tree.branches += usize::from(is_over && self.is_behind_tree(begin));
                    open.push(line.len());
                }
                Some(')') => {
                    if !is_over {
                        tree.set_up = line
                            .iter()
                            .filter(|step| matches!(step, Step::SetUp(_)))
                            .cloned()
                            .collect();
                    } else if !self.is_behind_tree(begin) {
                        tree.keep(&line);
                    }
                    is_over = true;
                    line.truncate(open.pop().unwrap_or(0));
                    if open.is_empty() {
                        return Ok(tree);
                    }
                }
                Some(';') if !is_over => tree.properties.push((NODE.into(), Vec::new())),
                Some(';') => {}
                Some(symbol) if symbol.is_whitespace() => {}
                Some(symbol) if symbol.is_ascii_alphabetic() => {
                    self.at = begin;
                    let property = self.property()?;
                    line.extend(step(&property, begin));
                    match is_over {
                        true => tree.other_comments += usize::from(comment(&property).is_some()),
                        false => tree.properties.push(property),
                    }
                }
                Some(symbol) => {
                    let what =
                        format!("'{}' stands outside of a property", symbol.escape_default());
                    return Err(self.fault_at(begin, &what));
                }
                None => return Err(self.fault("the file ends within a game: a ')' is missing")),
            }
        }
    }

    /// Whether the bracket at this place stands right behind the end of a tree.
    fn is_behind_tree(&self, at: usize) -> bool {
        self.text[..at].trim_end().ends_with(')')
    }

    /// Reads a property that begins here; of its name only capitals count.
    fn property(&mut self) -> Result<Property, Fault> {
        let begin = self.at;
        let mut name = String::new();
        while let Some(symbol) = self.peek().filter(char::is_ascii_alphabetic) {
            name.extend(Some(symbol).filter(char::is_ascii_uppercase));
            self.at += 1;
        }
        let mut values = Vec::new();
        loop {
            match self.peek() {
                Some(symbol) if symbol.is_whitespace() => self.at += symbol.len_utf8(),
                Some('[') => values.push(self.value()?),
                _ if values.is_empty() => {
                    return Err(self.fault_at(begin, "this property has no value in brackets"));
                }
                _ => return Ok((name, values)),
            }
        }
    }

    /// Reads a value in brackets, in which a backslash makes the next character a plain one.
    fn value(&mut self) -> Result<String, Fault> {
        let begin = self.at;
        self.at += 1;
        let mut value = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(value),
                // A line end behind a backslash is none.
                Some('\\') => match (self.next(), self.peek()) {
                    (Some('\r'), Some('\n')) | (Some('\n'), Some('\r')) => self.at += 1,
                    (Some('\r' | '\n'), _) => {}
                    (symbol, _) => value.extend(symbol),
                },
                Some(symbol) => value.push(symbol),
                None => return Err(self.fault_at(begin, "this bracket is never closed")),
            }
        }
    }
}

impl Tree {
    /// The first value of a property.
    fn value(&self, name: &str) -> Option<&str> {
        let (_, values) = self.properties.iter().find(|(known, _)| known == name)?;
        values.first().map(String::as_str)
    }

    /// The game of the tree, which begins in this line.
    fn game(&self, line: usize) -> Result<SgfGame, String> {
        match self.value("GM").map(str::trim) {
            Some("4") => {}
            None | Some("1") => {
                return Err("this is a game of Go; only gomoku (GM[4]) can be read".into());
            }
            Some(other) => {
                let other = on_one_line(other);
                return Err(format!(
                    "this is a game of another kind (GM[{other}]); only gomoku (GM[4]) can be read"
                ));
            }
        }
        let (width, height) = self.size()?;
        let mut cells = Grid::filled(width, height, '.');
        let mut moves = Vec::new();
        let mut unkept = BTreeSet::new();
        let mut to_move: Option<Stone> = None;
        let mut next: Option<Stone> = None;
        let mut notes = Vec::new();
        // In a node the comment may stand before the move.
        let mut said = String::new();
        for property @ (name, values) in &self.properties {
            if name == NODE && !said.is_empty() {
                notes.push(TurnNote { turn: moves.len(), text: std::mem::take(&mut said) });
            }
            if let Some(text) = comment(property) {
                said.push_str(if said.is_empty() { "" } else { "\n" });
                said.push_str(text);
                continue;
            }
            let stone = match name.as_str() {
                "AB" | "B" => Some(Stone::X),
                "AW" | "W" => Some(Stone::O),
                _ => None,
            };
            match (name.as_str(), stone) {
                ("AB" | "AW" | "AE", _) if !moves.is_empty() => {
                    return Err(format!("stones are set up ({name}) after the first move"));
                }
                ("AB" | "AW" | "AE", _) => {
                    let symbol = stone.map_or('.', Stone::to_char);
                    for value in values {
                        for cell in points(value, height)? {
                            *cells.get_mut(cell).ok_or_else(|| outside(value))? = symbol;
                        }
                    }
                }
                ("B" | "W", Some(stone)) => {
                    let number = moves.len() + 1;
                    if next.is_some_and(|next| next != stone) {
                        return Err(format!("move {number} is of the side that moved before"));
                    }
                    let value = values.first().map_or("", String::as_str);
                    let cell = point(value, height).ok_or_else(|| {
                        format!("move {number}, '{}', is no cell", on_one_line(value))
                    })?;
                    moves.push(cell);
                    to_move = to_move.or(Some(stone));
                    next = Some(stone.other());
                }
                ("PL", _) if moves.is_empty() => {
                    let is_black =
                        values.first().is_some_and(|value| value.starts_with(['B', 'b', '1']));
                    to_move = Some(if is_black { Stone::X } else { Stone::O });
                    next = to_move;
                }
                ("RU", _) if rules_of(values).is_some() => {}
                ("GM" | "FF" | "SZ" | "GN" | "CA" | "AP" | "ST" | "PB" | "PW", _) => {}
                _ if values.iter().any(|value| is_visible(value)) => {
                    unkept.insert(name.clone());
                }
                _ => {}
            }
        }
        if !said.is_empty() {
            notes.push(TurnNote { turn: moves.len(), text: said });
        }
        let count = |symbol| cells.as_slice().iter().filter(|&&cell| cell == symbol).count();
        let usual = if count('X') > count('O') { Stone::O } else { Stone::X };
        let to_move = to_move.unwrap_or(usual);
        let name = self.value("GN").map(on_one_line).unwrap_or_default();
        let names = ["PB", "PW"].map(|property| player_name(self.value(property)?));
        let variations = self
            .variations
            .iter()
            .filter_map(|steps| line_of(steps.strip_prefix(&self.set_up[..])?, to_move, height))
            .collect();
        let mut start = MnkFile {
            format: FORMAT.into(),
            name: cut(name.trim(), MAX_NAME),
            author: String::new(),
            about: String::new(),
            rules: MnkRules {
                to_move,
                ..self.value("RU").and_then(|told| rules_of(&[told])).unwrap_or_default()
            },
            map: Vec::new(),
        };
        start.set_cells(&cells);
        Ok(SgfGame {
            start,
            moves,
            line,
            names,
            variations,
            branches: self.branches,
            notes,
            other_comments: self.other_comments,
            unkept,
        })
    }

    /// Columns and rows.
    fn size(&self) -> Result<(usize, usize), String> {
        let Some(value) = self.value("SZ") else { return Ok((USUAL_SIDE, USUAL_SIDE)) };
        let (columns, rows) = value.split_once(':').unwrap_or((value, value));
        let side = |text: &str| {
            text.trim().parse::<usize>().ok().filter(|side| (1..=MAX_SIDE).contains(side))
        };
        let size = side(columns).zip(side(rows));
        size.ok_or_else(|| {
            let value = on_one_line(value);
            format!("the size SZ[{value}] is none; the maximum is {MAX_SIDE} by {MAX_SIDE}")
        })
    }
}

/// The rules that Outwit writes behind `RU`, such as `k=4 exact=true`; `None` if they are in words of another program.
fn rules_of(values: &[impl AsRef<str>]) -> Option<MnkRules> {
    let mut rules = MnkRules::default();
    for word in values.first()?.as_ref().split_whitespace() {
        let (key, value) = word.split_once('=').filter(|(key, _)| *key != TO_MOVE)?;
        rules.set(key, value).ok()?;
    }
    Some(rules)
}

/// The cells of a line in which black and white take turns, `first` first; `None` if it is another one.
fn line_of(steps: &[Step], first: Stone, rows: usize) -> Option<Vec<Cell>> {
    let mut next = first;
    let mut cells = Vec::with_capacity(steps.len());
    for step in steps {
        match step {
            Step::Move(stone, value) if *stone == next => cells.push(point(value, rows)?),
            _ => return None,
        }
        next = next.other();
    }
    Some(cells)
}

fn outside(value: &str) -> String {
    format!("'{}' is outside the board", on_one_line(value))
}

/// The cell of a value, which may lie outside the board; `None` if it names none.
fn point(value: &str, rows: usize) -> Option<Cell> {
    let letter = |symbol: char| match symbol {
        'a'..='z' => Some(symbol as i32 - 'a' as i32),
        'A'..='Z' => Some(symbol as i32 - 'A' as i32 + 26),
        _ => None,
    };
    let value = value.trim();
    if let Some(digits) = value.find(|symbol: char| symbol.is_ascii_digit()) {
        let (column, row) = value.split_at(digits);
        let is_column =
            !column.is_empty() && column.chars().all(|symbol| symbol.is_ascii_alphabetic());
        return if is_column { cell_of(column, row, rows) } else { None };
    }
    let mut symbols = value.chars();
    match (symbols.next(), symbols.next(), symbols.next()) {
        (Some(x), Some(y), None) => Some(Cell::new(letter(x)?, letter(y)?)),
        _ => None,
    }
}

/// The cells of a value: one, or those of a rectangle such as `aa:cc`.
fn points(value: &str, rows: usize) -> Result<Vec<Cell>, String> {
    let (from, to) = value.split_once(':').unwrap_or((value, value));
    let both = point(from, rows).zip(point(to, rows));
    let (from, to) = both.ok_or_else(|| format!("'{}' is no cell", on_one_line(value)))?;
    let is_on_board = |cell: Cell| {
        let sides = 0..MAX_SIDE as i32;
        sides.contains(&cell.x) && sides.contains(&cell.y)
    };
    if !is_on_board(from) || !is_on_board(to) {
        return Err(outside(value));
    }
    Ok((from.y..=to.y).flat_map(|y| (from.x..=to.x).map(move |x| Cell::new(x, y))).collect())
}

impl SgfGame {
    /// The position at the end of the game as a level.
    ///
    /// # Errors
    /// If a move is not on an empty cell of the board.
    pub fn level(&self) -> Result<MnkFile, Vec<Fault>> {
        let mut level = self.start.clone();
        let mut cells = level.cells('.');
        level.rules.to_move = place(&mut cells, level.rules.to_move, &self.moves)?;
        level.set_cells(&cells);
        Ok(level)
    }

    /// The moves of a line in the notation of other programs.
    pub fn notation(&self, line: &[Cell]) -> String {
        super::notation::line_of(line, self.start.map.len())
    }
}

/// Writes a level as a game that is set up and has no moves.
pub(super) fn write(level: &MnkFile) -> Converted {
    let board = Board::of(level);
    let text = format!("(;{})\n", board.root(level, "", &level.rules));
    Converted { bytes: text.into_bytes(), lost: board.lost(level) }
}

/// A value with what would end it escaped.
pub(super) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// How cells are named: two letters for those of 52 rows and columns; on a larger board all have a letter and a number.
pub(super) struct Board {
    width: usize,
    height: usize,
}

impl Board {
    pub(super) fn of(level: &MnkFile) -> Self {
        let stones = stones(level);
        Self { width: stones.width(), height: stones.height() }
    }

    fn is_large(&self) -> bool {
        self.width.max(self.height) > LETTERS
    }

    /// A cell in brackets.
    pub(super) fn point(&self, cell: Cell) -> String {
        let letter = |at: i32| match u8::try_from(at).ok()? {
            at @ 0..26 => Some(char::from(b'a' + at)),
            at @ 26..52 => Some(char::from(b'A' + at - 26)),
            _ => None,
        };
        match letter(cell.x).zip(letter(cell.y)).filter(|_| !self.is_large()) {
            Some((x, y)) => format!("[{x}{y}]"),
            None => format!("[{}]", cell_name(cell, self.height)),
        }
    }

    /// The properties of the first node: the position, its rules, and `more`.
    pub(super) fn root(&self, level: &MnkFile, more: &str, rules: &MnkRules) -> String {
        let stones = stones(level);
        let set_up = |name: &str, kind: Stone| {
            let cells = stones.iter().filter(|&(_, &stone)| stone == Some(kind));
            let points: String = cells.map(|(cell, _)| self.point(cell)).collect();
            if points.is_empty() { points } else { format!("{name}{points}") }
        };
        let width = self.width;
        let height = self.height;
        let size = if width == height { width.to_string() } else { format!("{width}:{height}") };
        let told = rules.changes().into_iter().filter(|(key, _)| *key != TO_MOVE);
        let rules: Vec<String> = told.map(|(key, value)| format!("{key}={value}")).collect();
        let rules = match rules.is_empty() {
            true => String::new(),
            false => format!("RU[{}]", escape(&rules.join(" "))),
        };
        let mover = if level.rules.to_move == Stone::X { "B" } else { "W" };
        format!(
            "FF[4]GM[4]CA[UTF-8]SZ[{size}]GN[{}]{rules}{more}{}{}PL[{mover}]",
            escape(&level.name),
            set_up("AB", Stone::X),
            set_up("AW", Stone::O)
        )
    }

    /// What a file does not keep of a level.
    pub(super) fn lost(&self, level: &MnkFile) -> Vec<String> {
        let mut lost = Vec::new();
        for (what, kept) in [("the author", &level.author), ("the description", &level.about)] {
            if !kept.is_empty() {
                lost.push(what.to_owned());
            }
        }
        if self.is_large() {
            lost.push(format!(
                "the usual names of cells, of which there are none beyond {LETTERS} columns or rows"
            ));
        }
        lost
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_kit::{DynGame, Erased};
    use proptest::prelude::*;

    const KIND: &dyn DynGame = Erased::<crate::Mnk>::GAME;

    fn moves(text: &str) -> String {
        {
            let game = games(text).unwrap().remove(0);
            game.notation(&game.moves)
        }
    }

    fn why(text: &str) -> String {
        KIND.check(text.as_bytes(), "a.sgf")[0].to_string()
    }

    #[test]
    fn the_main_line_of_a_game_is_read() {
        assert_eq!(moves("(;FF[4]GM[4]SZ[15]\n;B[hh];W[ii]\n;B[ab])"), "h8 i7 a14");
        assert_eq!(moves("(;GM[4]SZ[15];B[h8];W[i10])"), "h8 i10");
        let tree = "(;GM[4]SZ[9]C[a \\] (;B[aa\\])]BL[9](;C[b]B[ee];W[ff](;B[aa])(;C[c]B[bb];W[cc]))(;B[dd]))";
        assert_eq!(moves(tree), "e5 f4 a9");
        let game = &games(tree).unwrap()[0];
        assert_eq!((game.branches, game.unkept.len()), (2, 1));
        let level = &KIND.read_collection(tree.as_bytes(), "my game.sgf").unwrap()[0];
        assert_eq!(level.name, "my game");
        assert!(
            level.text.contains("\"....X....\"") && level.text.contains("to_move: o"),
            "{}",
            level.text
        );
        let said = KIND.skipped(tree.as_bytes());
        assert_eq!(
            said,
            [
                "2 comments on the main line, which outwit replay shows",
                "1 comment on a variation",
                "what it says behind BL",
                "2 variations beside the main line"
            ]
        );
        let replay = KIND.recorded(tree.as_bytes(), "a.sgf").remove(0).replay.unwrap();
        let replay: outwit_core::play::Replay<crate::Mnk> =
            outwit_kit::read_replay(replay.as_bytes()).unwrap();
        let notes: Vec<(usize, &str)> =
            replay.notes.iter().map(|note| (note.turn, note.text.as_str())).collect();
        assert_eq!(notes, [(0, "a ] (;B[aa])"), (1, "b")]);
        let replay = KIND.recorded(tree.as_bytes(), "a.sgf").remove(0).replay.unwrap();
        assert_eq!(KIND.replay(replay.as_bytes()).unwrap().moves.as_deref(), Some("e5 f4 a9"));
    }

    #[test]
    fn names_and_other_lines_are_in_the_replay() {
        let text = "(;GM[4]SZ[15]PB[A \\[B\\]:\\\\\u{202e}\n C]PW[human]AB[aa]AW[bb](;B[hh](;W[ii];B[jj])(;W[gg]))\
                    (;B[cc](;W[ii];B[dd]))(;AB[ee];W[ff])(;W[ff])(;B[cc];B[dd])(;B[aa];W[cc]))";
        let game = games(text).unwrap().remove(0);
        assert_eq!(game.names, [Some("A [B]:\\ C".into()), None]);
        assert_eq!((game.branches, game.variations.len()), (6, 3));
        let replay = KIND.recorded(text.as_bytes(), "a.sgf").remove(0).replay.unwrap();
        let replay: outwit_core::play::Replay<crate::Mnk> =
            outwit_kit::read_replay(replay.as_bytes()).unwrap();
        assert_eq!((&*replay.names[0], &*replay.names[1]), ("A [B]:\\ C", ""));
        // The last one begins on a cell that is taken.
        let played = replay.play().unwrap();
        let lengths: Vec<usize> = played.variations().iter().map(|line| line.turns.len()).collect();
        assert_eq!((played.len(), lengths), (3, vec![2, 3]));
        assert_eq!(crate::notation::write(&played), "h8 i7 j6");
        let said = KIND.skipped(text.as_bytes()).join("; ");
        assert!(said.contains("the names of its players"), "{said}");
    }

    #[test]
    fn several_games_are_several_levels() {
        let two = "(;GM[4]SZ[9]GN[One];B[ee])\n(;GM[4]SZ[9:7]AB[aa:ab][cc]AW[dd][ed]PL[W];W[ff])";
        let levels = KIND.read_collection(two.as_bytes(), "set.sgf").unwrap();
        let names: Vec<_> = levels.iter().map(|level| level.name.as_str()).collect();
        assert_eq!(names, ["One", "set 2"]);
        assert!(
            levels[1]
                .text
                .contains("\"X........\",\n        \"X........\",\n        \"..X......\"")
        );
        let recorded = KIND.recorded(two.as_bytes(), "set.sgf");
        assert_eq!(
            recorded.iter().map(|it| (it.number, it.line)).collect::<Vec<_>>(),
            [(1, 1), (2, 2)]
        );
        assert!(recorded.iter().all(|it| it.replay.is_ok()));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for (text, wanted) in [
            ("(;GM[1]SZ[19];B[aa])", "line 1, column 1: game 1: this is a game of Go"),
            ("(;SZ[19];B[aa])", "this is a game of Go"),
            ("(;GM[4]SZ[99];B[aa])", "SZ[99]"),
            ("(;GM[4]SZ[9];B[aa];B[bb])", "move 2 is of the side that moved before"),
            ("(;GM[4]SZ[9];B[])", "move 1, '', is no cell"),
            ("(;GM[4]SZ[9];B[aa];W[aa])", "move 2 is not on an empty cell"),
            ("(;GM[4]SZ[9];B[zz])", "move 1 is outside the board"),
            ("(;GM[4]SZ[9];B[aa]", "line 1, column 19: the file ends within a game"),
            ("(;GM[4]\n;B[aa", "line 2, column 3: this bracket is never closed"),
            ("(;GM[4];B)", "line 1, column 9: this property has no value"),
            ("(;GM[4]9)", "'9' stands outside of a property"),
        ] {
            assert!(why(text).contains(wanted), "{text}: {}", why(text));
        }
    }

    proptest! {
        #[test]
        fn no_text_causes_a_panic(
            text in "[\\[\\]();\\\\A-Fa-f0-9: é\n]{0,80}",
            parts in prop::collection::vec("[(];?|\\)|;|GM\\[4\\]|SZ\\[[0-9]{1,2}\\]|[BW]\\[[a-zA-Z][a-z0-9]\\]|A[BWE]\\[[a-z]{2}(:[a-z]{2})?\\]|C\\[\\PC{0,3}", 0..30),
        ) {
            for text in [text, format!("(;GM[4]{}", parts.concat())] {
                let _ = KIND.read_collection(text.as_bytes(), "x.sgf");
                let _ = KIND.recorded(text.as_bytes(), "x.sgf");
                let _ = KIND.skipped(text.as_bytes());
            }
        }

        #[test]
        fn what_is_written_can_be_read(width in 1_usize..15, cells in prop::collection::vec(0_usize..3, 1..70), name: String) {
            let height = cells.len().div_ceil(width);
            let grid = Grid::from_fn(width, height, |at| {
                let index = at.y as usize * width + at.x as usize;
                cells.get(index).map_or('.', |&kind| ['.', 'X', 'O'][kind])
            });
            let mut level = crate::tests::level_of(&["."], MnkRules::default());
            level.name = on_one_line(name.trim()).trim().to_owned();
            level.set_cells(&grid);
            let written = write(&level);
            let text = String::from_utf8(written.bytes).unwrap();
            let read = games(&text).unwrap();
            prop_assert_eq!(&read[0].start.map, &level.map);
            prop_assert_eq!(&read[0].start.rules, &level.rules);
        }
    }
}
