//! Files of openings as Gomocup writes them: an opening a line, each stone as two numbers such as `-2,3`, the columns to
//! the right of the middle of the board and the rows below it. See <https://gomocup.org>. Empty lines and those that
//! begin with `#` are left out, as in the files for tournaments.

use super::notation::offsets;
use super::piskvork::PiskvorkGame;
use outwit_core::grid::Cell;
use outwit_core::levels::{Fault, text_lines};

/// Columns and rows of the board, which openings do not tell: those of Piskvork.
pub(super) const SIDE: usize = 20;

/// The maximum number of openings in a file.
const MOST_OPENINGS: usize = 10_000;

/// The smallest number of stones by which an opening is told from two plain numbers.
const LEAST_STONES: usize = 2;

/// An opening of a file.
pub(super) struct FoundOpening {
    /// Its line, counted from 1.
    pub line: usize,
    /// Its stones in turn, on the board of the middle size.
    pub game: PiskvorkGame,
}

/// Whether all lines of a text are openings.
pub(super) fn is_openings(text: &str) -> bool {
    let mut lines = lines(text).peekable();
    let is_opening =
        |line: &str| line.contains(',') && offsets(line).is_some_and(|it| it.len() >= LEAST_STONES);
    lines.peek().is_some() && lines.all(|(_, line)| is_opening(line))
}

/// The lines that are openings, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text_lines(text).map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Reads the openings of a text.
///
/// # Errors
/// The first stone that is not on an empty cell of the board, or that there are too many openings.
pub(super) fn parse(text: &str) -> Result<Vec<FoundOpening>, Fault> {
    let mut openings = Vec::new();
    for (line, opening) in lines(text) {
        let fault = |what: String| Fault::text(line, 1, what);
        if openings.len() == MOST_OPENINGS {
            return Err(fault(format!("there are more than {MOST_OPENINGS} openings")));
        }
        let found = offsets(opening);
        let stones = found.ok_or_else(|| fault("this is no opening such as 0,0, 1,-1".into()))?;
        let middle = SIDE as i32 / 2;
        let mut moves: Vec<Cell> = Vec::new();
        for stone in stones {
            let cell = stone + Cell::new(middle, middle);
            let wrong = |why: &str| {
                fault(format!("stone {} at {},{} {why}", moves.len() + 1, stone.x, stone.y))
            };
            let sides = 0..SIDE as i32;
            if !sides.contains(&cell.x) || !sides.contains(&cell.y) {
                return Err(wrong(&format!("is outside the board of {SIDE} by {SIDE} cells")));
            }
            if moves.contains(&cell) {
                return Err(wrong("is not on an empty cell"));
            }
            moves.push(cell);
        }
        let game = PiskvorkGame { width: SIDE, height: SIDE, moves, names: [None, None] };
        openings.push(FoundOpening { line, game });
    }
    Ok(openings)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use outwit_kit::{DynGame, Erased};
    use proptest::prelude::*;

    const KIND: &dyn DynGame = Erased::<crate::Mnk>::GAME;

    #[test]
    fn each_line_is_a_level_and_a_game() {
        let text = "# of a tournament\r\n-10,-10, 9,9\r\n\r\n0,0, 1,-1,\t0,2\r\n";
        let levels = KIND.read_collection(text.as_bytes(), "set.txt").unwrap();
        let names: Vec<&str> = levels.iter().map(|level| level.name.as_str()).collect();
        assert_eq!(names, ["set 1", "set 2"]);
        assert!(
            levels[1].text.contains("\"..........X.........\",\n        \"....................\"")
        );
        assert!(levels[1].text.contains("to_move: o"), "{}", levels[1].text);
        let moves = |number: usize| {
            let recorded = KIND.recorded(text.as_bytes(), "set.txt").swap_remove(number);
            let replay = recorded.replay.unwrap();
            (recorded.line, KIND.replay(replay.as_bytes()).unwrap().moves.unwrap())
        };
        assert_eq!((moves(0), moves(1)), ((2, "a20 t1".into()), (4, "k10 l11 k8".into())));
        let one = KIND.read_collection(b"-2,3, 0,1", "-").unwrap();
        assert_eq!((one.len(), one[0].name.as_str()), (1, "Imported level"));
        let said = KIND.skipped(text.as_bytes());
        assert_eq!(
            said,
            ["the size of the board, which openings do not tell: 20 by 20 cells were chosen"]
        );
        assert!(KIND.format_score(text.as_bytes(), "set.txt") >= 0.9);
        for other in ["3,4", "3,4,5", "3,4\n#..#", "", "#", "1,2,x,4", "5 6 6 5"] {
            assert!(KIND.format_score(other.as_bytes(), "a") < 0.5, "{other}");
        }
    }

    #[test]
    fn what_cannot_be_read_says_where() {
        let why = |text: &str| KIND.check(text.as_bytes(), "a.txt")[0].to_string();
        for (text, wanted) in [
            (
                "0,0, 1,1\n0,0, 10,0",
                "line 2, column 1: stone 2 at 10,0 is outside the board of 20 by 20 cells",
            ),
            ("0,0, 0,-11", "line 1, column 1: stone 2 at 0,-11 is outside"),
            ("0,0, 1,1, 0,0", "line 1, column 1: stone 3 at 0,0 is not on an empty cell"),
        ] {
            assert!(why(text).contains(wanted), "{text}: {}", why(text));
        }
        let many = "0,0, 1,1\n".repeat(10_001);
        assert!(why(&many).contains("line 10001, column 1: there are more than 10000 openings"));
    }

    proptest! {
        #[test]
        fn no_text_causes_a_panic(text in "[-0-9, \n#]{0,60}") {
            let _ = KIND.read_collection(text.as_bytes(), "x.txt");
            let _ = KIND.recorded(text.as_bytes(), "x.txt");
            let _ = KIND.skipped(text.as_bytes());
        }
    }
}
