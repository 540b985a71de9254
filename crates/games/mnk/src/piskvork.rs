//! Games in the formats of Piskvork, the manager of Gomocup.
//!
//! - `.psq`: a line `Piskvorky COLUMNSxROWS, a:b, c`, then a move a line as `x,y,milliseconds`, counted
//!   from 1 at the top left, then the names of both players if they are known, then a result code.
//! - `.rec`: the names of both players, then the moves, counted from 0. Its board is 20 by 20 cells.

use super::level::{FORMAT, MAX_SIDE, MnkFile, MnkRules, Stone};
use super::rules::{Mnk, cells};
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::{Fault, RuleSet, text_lines};
use outwit_core::play::Player;
use outwit_core::play::protocol::plain_name;
use outwit_kit::{Converted, MatchRecord};
use std::iter::Peekable;

/// Columns and rows of a game in a `.rec` file.
const REC_SIDE: usize = 20;

/// A game as a file tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PiskvorkGame {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The moves in order, from the top left cell (0, 0) on; they may lie outside the board.
    pub moves: Vec<Cell>,
    /// What the first and the second player are called, if the text says so.
    pub names: [Option<String>; 2],
}

/// The name of a player in a file; `None` if nothing of it can be seen, or it is the word for people in replays.
pub(super) fn player_name(text: &str) -> Option<String> {
    let name = plain_name(text);
    (!name.is_empty() && name != Player::Human.name()).then_some(name)
}

/// Reads a game; `None` if the text is in neither format.
pub fn parse(text: &str) -> Option<PiskvorkGame> {
    let mut lines = text_lines(text).map(str::trim);
    let first = lines.next()?;
    if let Some(rest) = first.strip_prefix("Piskvorky ") {
        let (width, rest) = rest.split_once('x')?;
        let height = rest.split(',').next()?;
        let mut lines = lines.peekable();
        let moves = moves(&mut lines, 1);
        // The result code may stand there alone.
        let mut name = || lines.next_if(|line| !is_code(line)).and_then(player_name);
        return Some(PiskvorkGame {
            width: width.trim().parse().ok()?,
            height: height.trim().parse().ok()?,
            moves,
            names: [name(), name()],
        });
    }
    // Two names, then a move or, in a game without moves, the result code.
    let is_name = |line: &str| !line.is_empty() && one_move(line).is_none();
    let second = lines.next().filter(|second| is_name(first) && is_name(second))?;
    let mut lines = lines.peekable();
    let is_over = lines.peek().is_some_and(|line| is_code(line));
    let moves = moves(&mut lines, 0);
    let is_game = is_over || !moves.is_empty();
    let names = [first, second].map(player_name);
    is_game.then_some(PiskvorkGame { width: REC_SIDE, height: REC_SIDE, moves, names })
}

/// Whether a line is a result code.
fn is_code(line: &str) -> bool {
    line.parse::<i32>().is_ok()
}

/// Takes the moves up to the first line that is none.
fn moves<'a>(lines: &mut Peekable<impl Iterator<Item = &'a str>>, origin: i32) -> Vec<Cell> {
    let mut moves = Vec::new();
    while let Some(cell) = lines.peek().and_then(|line| one_move(line)) {
        moves.push(cell - Cell::new(origin, origin));
        lines.next();
    }
    moves
}

/// A line `x,y` or `x,y,milliseconds`.
fn one_move(line: &str) -> Option<Cell> {
    let mut numbers = line.split(',').map(|number| number.trim().parse::<i32>());
    let x = numbers.next()?.ok()?;
    let y = numbers.next()?.ok()?;
    let small = |number: i32| (-1000..=1000).contains(&number);
    let is_rest_fine = match numbers.next() {
        None => true,
        Some(time) => time.is_ok() && numbers.next().is_none(),
    };
    (small(x) && small(y) && is_rest_fine).then(|| Cell::new(x, y))
}

/// The position at the end of a game as a level.
///
/// # Errors
/// If the board is too large or the moves do not fit it.
pub(super) fn level(game: &PiskvorkGame, title: &str) -> Result<MnkFile, Vec<Fault>> {
    let sides = 1..=MAX_SIDE;
    if !sides.contains(&game.width) || !sides.contains(&game.height) {
        return Err(vec![Fault::whole(format!(
            "the board is {} by {} cells; the maximum is {MAX_SIDE} by {MAX_SIDE}",
            game.width, game.height
        ))]);
    }
    let mut cells = Grid::filled(game.width, game.height, '.');
    let stone = place(&mut cells, Stone::X, &game.moves)?;
    let mut level = MnkFile {
        format: FORMAT.into(),
        name: title.into(),
        author: String::new(),
        about: String::new(),
        rules: MnkRules { to_move: stone, ..MnkRules::default() },
        map: Vec::new(),
    };
    level.set_cells(&cells);
    Ok(level)
}

/// Places the stones of moves on a board, in turn from `stone` on, and returns whose turn it is then.
///
/// # Errors
/// The first move that is not on an empty cell.
pub(super) fn place(
    cells: &mut Grid<char>,
    mut stone: Stone,
    moves: &[Cell],
) -> Result<Stone, Vec<Fault>> {
    for (&at, number) in moves.iter().zip(1..) {
        match cells.get_mut(at) {
            Some(cell) if *cell == '.' => *cell = stone.to_char(),
            Some(_) => {
                return Err(vec![Fault::at(at, format!("move {number} is not on an empty cell"))]);
            }
            None => return Err(vec![Fault::whole(format!("move {number} is outside the board"))]),
        }
        stone = stone.other();
    }
    Ok(stone)
}

/// A match as a `.psq` file, or as `.rec`. Both know only stones in turn from an empty board.
///
/// # Errors
/// If the match did not begin on an empty board, or its review should be written.
pub(super) fn write_match(record: &MatchRecord<Mnk>, is_rec: bool) -> Result<Converted, String> {
    let played = record.played;
    let level = played.game().file();
    if super::level::stones(level).as_slice().iter().any(Option::is_some) {
        return Err("such files hold only games from an empty board, and this one began with \
                    stones: write .sgf"
            .into());
    }
    if record.review.is_some() {
        return Err(
            "such files have no place for a review: write .sgf, or leave out --review".into()
        );
    }
    let first = level.rules.to_move;
    let state = played.state();
    let names =
        [first, first.other()].map(|stone| record.names.get(state.holder(stone).index())?.clone());
    let moves = cells(played.turns().iter().map(|turn| &turn.actions[..]));
    let size = (played.game().width(), played.game().height());
    let mut lost = vec!["the result".to_owned()];
    if first != Stone::X {
        lost.push("which stones are X and which are O".into());
    }
    if moves.len() != played.len() {
        lost.push("the choices of the swap opening".into());
    }
    match played.variations().len() {
        0 => {}
        1 => lost.push("1 variation".into()),
        several => lost.push(format!("{several} variations")),
    }
    if !record.notes.is_empty() {
        lost.push("the notes".into());
    }
    lost.extend(lost_of(level, is_rec));
    let text = write(size, moves.into_iter(), &names, is_rec);
    Ok(Converted { bytes: text.into_bytes(), lost })
}

/// What such files do not keep of any level.
fn lost_of(level: &MnkFile, is_rec: bool) -> Vec<String> {
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
    let size = level.cells('.');
    if is_rec && (size.width(), size.height()) != (REC_SIDE, REC_SIDE) {
        lost.push("the size of the board".to_owned());
    }
    let rules: Vec<_> = level.rules.changes().into_iter().map(|(key, _)| key).collect();
    if !rules.is_empty() {
        lost.push(format!("the rules {}", rules.join(", ")));
    }
    lost
}

/// A name on a line of its own, which no reader takes for a move or a result.
fn name_line(name: Option<&str>) -> String {
    let name = name.unwrap_or(Player::Human.name());
    match one_move(name).is_some() || is_code(name) {
        true => format!("player {}\n", name.replace(',', " ")),
        false => format!("{name}\n"),
    }
}

/// A game with the names of the first and the second player. How long the moves took is not known.
fn write(
    (width, height): (usize, usize),
    moves: impl Iterator<Item = Cell>,
    names: &[Option<String>; 2],
    is_rec: bool,
) -> String {
    let origin = i32::from(!is_rec);
    let moves: String =
        moves.map(|cell| format!("{},{},0\n", cell.x + origin, cell.y + origin)).collect();
    let is_named = names.iter().any(Option::is_some);
    let names: String = names.iter().map(|name| name_line(name.as_deref())).collect();
    match (is_rec, is_named) {
        (true, _) => format!("{names}{moves}-1\n"),
        (false, true) => format!("Piskvorky {width}x{height}, 0:0, 0\n{moves}{names}-1\n"),
        (false, false) => format!("Piskvorky {width}x{height}, 0:0, 0\n{moves}-1\n"),
    }
}

/// The stones of a level as a game that leads there, X and O in turn.
pub(super) fn export(level: &MnkFile, is_rec: bool) -> Converted {
    let stones = super::level::stones(level);
    let of = |kind: Stone| {
        stones.iter().filter(move |&(_, &stone)| stone == Some(kind)).map(|(cell, _)| cell)
    };
    // Whoever is to move has as many stones as the other or one fewer, so they alternate.
    let is_x_first = of(Stone::X).count() > of(Stone::O).count()
        || (of(Stone::X).count() == of(Stone::O).count() && level.rules.to_move == Stone::X);
    let (mut first, mut second): (Vec<Cell>, Vec<Cell>) = match is_x_first {
        true => (of(Stone::X).collect(), of(Stone::O).collect()),
        false => (of(Stone::O).collect(), of(Stone::X).collect()),
    };
    first.reverse();
    second.reverse();
    let mut moves = Vec::new();
    while let Some(cell) = first.pop() {
        moves.push(cell);
        moves.extend(second.pop());
    }
    let mut lost = vec!["the order in which the stones were placed".to_owned()];
    if !is_x_first {
        lost.push("which stones are X and which are O".to_owned());
    }
    lost.extend(lost_of(level, is_rec));
    let text = write((stones.width(), stones.height()), moves.into_iter(), &[None, None], is_rec);
    Converted { bytes: text.into_bytes(), lost }
}
