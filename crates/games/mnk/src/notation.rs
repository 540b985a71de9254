//! Moves as text, as gomoku and renju programs write them: a letter for the column and a number for
//! the row, counted from the bottom left corner, such as `h8`.

use super::level::{self, Stone};
use super::piskvork;
use super::rules::{Mnk, MnkAction, MnkState};
use outwit_core::grid::Cell;
use outwit_core::play::Match;

/// The name of a cell on a board of so many rows: columns are `a` to `z`, then `aa`, `ab` and so on.
pub fn cell_name(cell: Cell, rows: usize) -> String {
    let mut column = Vec::new();
    let mut rest = cell.x.max(0) as usize;
    loop {
        column.push(char::from(b'a' + (rest % 26) as u8));
        match (rest / 26).checked_sub(1) {
            Some(next) => rest = next,
            None => break,
        }
    }
    let column: String = column.into_iter().rev().collect();
    format!("{column}{}", rows as i32 - cell.y)
}

/// The names of cells on a board of so many rows, separated by spaces.
pub(super) fn line_of(cells: &[Cell], rows: usize) -> String {
    let names: Vec<String> = cells.iter().map(|&cell| cell_name(cell, rows)).collect();
    names.join(" ")
}

/// The cell of a name; it may lie outside the board.
pub(super) fn cell_of(column: &str, row: &str, rows: usize) -> Option<Cell> {
    let x =
        column.chars().map(|c| c.to_ascii_lowercase()).try_fold(0, |sum: i32, letter: char| {
            let value = letter as i32 - 'a' as i32 + 1;
            sum.checked_mul(26)?.checked_add(value)
        })? - 1;
    let y = (rows as i32).checked_sub(row.parse().ok()?)?;
    Some(Cell::new(x, y))
}

/// An action in words.
pub fn action_name(action: MnkAction, rows: usize) -> String {
    match action {
        MnkAction::Place(cell) => cell_name(cell, rows),
        MnkAction::Swap => "swap".into(),
        MnkAction::Keep => "keep".into(),
        MnkAction::TwoMore => "more".into(),
    }
}

/// The moves of a match, separated by spaces.
pub fn write(played: &Match<Mnk>) -> String {
    let rows = played.game().height();
    let actions = played.turns().iter().flat_map(|turn| &turn.actions);
    let names: Vec<String> = actions.map(|(_, action)| action_name(*action, rows)).collect();
    names.join(" ")
}

/// The actions that a text of moves stands for, played from `state` on. Moves may be separated by
/// white space or commas or follow each other directly, as in `h8i9`; numbers such as `3.` before a
/// move are ignored. The text may also be a whole file of Piskvork, see [`piskvork`], or an opening as Gomocup writes
/// them: pairs of numbers such as `-2,3, 0,1`, columns to the right and rows below the middle of the board. The address
/// of a page counts as the moves at its end, as in `https://example.org/#/h8i9`; it is never opened.
///
/// # Errors
/// The first move that cannot be read or breaks a rule.
pub fn read(game: &Mnk, state: &MnkState, text: &str) -> Result<Vec<MnkAction>, String> {
    match end_of_address(text) {
        None => read_moves(game, state, text),
        Some("") => Err("this address does not end with moves such as h8i9g7".into()),
        Some(moves) => read_moves(game, state, moves)
            .map_err(|why| format!("the moves at the end of this address: {why}")),
    }
}

/// What stands at the end of a text that is the address of a page; `None` if it is none.
fn end_of_address(text: &str) -> Option<&str> {
    let text = text.trim();
    let (scheme, rest) = text.split_once("://")?;
    let is_address = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
        && !rest.contains(char::is_whitespace);
    let rest = rest.trim_end_matches(['/', '#', '?', '&']);
    // What stands alone is the name of a machine.
    let (_, end) = rest.rsplit_once(['/', '#', '?', '&', '=']).unwrap_or((rest, ""));
    is_address.then_some(end)
}

fn read_moves(game: &Mnk, state: &MnkState, text: &str) -> Result<Vec<MnkAction>, String> {
    let mut state = state.clone();
    let mut actions = Vec::new();
    let found: Vec<(String, MnkAction)> = match piskvork::parse(text) {
        Some(record) => record.moves.into_iter().map(|cell| placed(cell, game)).collect(),
        None => match offsets(text) {
            Some(offsets) => {
                let middle = Cell::new(game.width() as i32 / 2, game.height() as i32 / 2);
                offsets.into_iter().map(|offset| placed(middle + offset, game)).collect()
            }
            None => words(text)?
                .into_iter()
                .map(|word| action_of(word, game.height()))
                .collect::<Result<_, _>>()?,
        },
    };
    for (word, action) in found {
        let number = actions.len() + 1;
        let wrong = |why: String| format!("move {number}, '{word}': {why}");
        if state.mover().is_none() {
            return Err(wrong("the match is over".into()));
        }
        game.check(&state, action).map_err(wrong)?;
        game.take(&mut state, action, &mut Vec::new());
        actions.push(action);
    }
    Ok(actions)
}

/// The cells of an opening of Gomocup, each as columns and rows from the middle; `None` if the text is none.
pub(super) fn offsets(text: &str) -> Option<Vec<Cell>> {
    let parts = text
        .split(|symbol: char| symbol.is_whitespace() || symbol == ',')
        .filter(|part| !part.is_empty());
    let side = |part: &str| {
        let number: i32 = part.parse().ok()?;
        (number.unsigned_abs() as usize <= level::MAX_SIDE).then_some(number)
    };
    let numbers: Vec<i32> = parts.map(side).collect::<Option<_>>()?;
    let pairs = numbers.chunks_exact(2);
    let is_whole = pairs.remainder().is_empty() && !numbers.is_empty();
    is_whole.then(|| pairs.map(|pair| Cell::new(pair[0], pair[1])).collect())
}

fn placed(cell: Cell, game: &Mnk) -> (String, MnkAction) {
    let name = match game.index_of(cell) {
        Some(_) => cell_name(cell, game.height()),
        None => cell.to_string(),
    };
    (name, MnkAction::Place(cell))
}

/// Splits a text into letters with the digits after them.
fn words(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut words = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',' || c == ';');
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if number.len() < rest.len() && number.starts_with('.') {
            rest = &number[1..];
            continue;
        }
        if rest.is_empty() {
            return Ok(words);
        }
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let after = &rest[letters..];
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        if letters == 0 {
            let shown: String = rest.chars().take(10).collect();
            return Err(format!(
                "'{}' is not a move: write one such as h8",
                shown.escape_default()
            ));
        }
        words.push((&rest[..letters], &after[..digits]));
        rest = &after[digits..];
    }
}

fn action_of((letters, digits): (&str, &str), rows: usize) -> Result<(String, MnkAction), String> {
    let word = format!("{letters}{digits}");
    let action = match word.to_ascii_lowercase().as_str() {
        "swap" => MnkAction::Swap,
        "keep" => MnkAction::Keep,
        "more" => MnkAction::TwoMore,
        _ => match cell_of(letters, digits, rows) {
            Some(cell) => MnkAction::Place(cell),
            None => return Err(format!("'{word}' is not a move: write one such as h8")),
        },
    };
    Ok((word, action))
}

/// A line of stones that are placed in turn, `first` first, as people read it: `X h8, O i9`.
pub fn line_in_words(cells: &[Cell], first: Stone, rows: usize) -> String {
    let mut stone = first;
    let mut words = Vec::with_capacity(cells.len());
    for &cell in cells {
        words.push(format!("{} {}", stone.to_char(), cell_name(cell, rows)));
        stone = stone.other();
    }
    words.join(", ")
}
