//! Games as `.pos` files, which RenLib and other programs of renju read and write: a byte with the number of moves, then
//! a byte for each, the cells of a board of 15 by 15 counted by rows from 0 at the top left.
//!
//! The layout is that of RenLib's own source by Frank Arkbo, <https://github.com/gomoku/RenLib> (`Pos.cpp`). Nothing in
//! such a file says what it is, so its name has to.

use super::piskvork::PiskvorkGame;
use outwit_core::grid::Cell;
use outwit_core::levels::Fault;

/// Columns and rows of the board.
const SIDE: u8 = 15;

/// What RenLib writes for a pass: the cell before that at the top left, in the row above it.
const PASS: u8 = 240;

/// Reads a game.
///
/// # Errors
/// The first problem, with its place.
pub(super) fn parse(bytes: &[u8]) -> Result<PiskvorkGame, Fault> {
    let moves = match bytes {
        [] => {
            return Err(Fault::whole(
                "the file is empty; its first byte should be a number of moves",
            ));
        }
        [0, ..] => return Err(Fault::whole("there are no moves in it")),
        [count, moves @ ..] if usize::from(*count) == moves.len() => moves,
        [count, moves @ ..] => {
            return Err(Fault::whole(format!(
                "this is no .pos file of renju, or it is damaged: its first byte tells {count} moves, but the number \
                 of bytes after it is {}",
                moves.len()
            )));
        }
    };
    let cell = |(&byte, number): (&u8, usize)| match byte {
        PASS => Err(Fault::whole(format!(
            "byte {number}: move {number} is a pass, which k in a row does not have; cut the game before it"
        ))),
        _ if byte < SIDE * SIDE => Ok(Cell::new((byte % SIDE).into(), (byte / SIDE).into())),
        _ => Err(Fault::whole(format!(
            "byte {number}: move {number}, {byte}, is outside the board of {SIDE} by {SIDE} cells, which are 0 to {}",
            SIDE * SIDE - 1
        ))),
    };
    let moves = moves.iter().zip(1..).map(cell).collect::<Result<_, _>>()?;
    let side = usize::from(SIDE);
    Ok(PiskvorkGame { width: side, height: side, moves, names: [None, None] })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::line_of;
    use outwit_kit::{DynGame, Erased};
    use proptest::prelude::*;

    const KIND: &dyn DynGame = Erased::<crate::Mnk>::GAME;

    #[test]
    fn cells_are_counted_from_the_top_left() {
        let moves = |bytes: &[u8]| line_of(&parse(bytes).unwrap().moves, 15);
        assert_eq!(moves(&[5, 0, 14, 15, 224, 112]), "a15 o15 a14 o1 h8");
        // It looks like a text, and is a game where its name says so.
        let bytes = b"\x03pq_";
        let level = KIND.read_collection(bytes, "x/My game.POS").unwrap().remove(0);
        assert_eq!(level.name, "My game");
        assert!(level.text.contains("\".......XO......\"") && level.text.contains("to_move: o"));
        let replay = KIND.recorded(bytes, "a.pos").remove(0).replay.unwrap();
        assert_eq!(KIND.replay(replay.as_bytes()).unwrap().moves.as_deref(), Some("h8 i8 f9"));
        assert!(KIND.format_score(bytes, "a.pos") > 0.9 && KIND.format_score(bytes, "a.txt") < 0.9);
        assert!(KIND.skipped(bytes).is_empty());
        assert!(!KIND.exports().contains(&"pos"));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let why = |bytes: &[u8]| KIND.check(bytes, "a.pos")[0].to_string();
        for (bytes, wanted) in [
            (&b""[..], "the file is empty"),
            (&[0], "there are no moves"),
            (
                b"..........\n",
                "its first byte tells 46 moves, but the number of bytes after it is 10",
            ),
            (&[2, 112], "its first byte tells 2 moves, but the number of bytes after it is 1"),
            (&[2, 112, 240], "byte 2: move 2 is a pass"),
            (&[2, 112, 225], "byte 2: move 2, 225, is outside the board of 15 by 15 cells"),
            (&[2, 112, 112], "move 2 is not on an empty cell"),
        ] {
            assert!(why(bytes).contains(wanted), "{bytes:?}: {}", why(bytes));
        }
    }

    proptest! {
        #[test]
        fn no_bytes_cause_a_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..230), is_whole: bool) {
            if is_whole && !bytes.is_empty() {
                bytes[0] = (bytes.len() - 1) as u8;
            }
            let _ = KIND.read_collection(&bytes, "x.pos");
            let _ = KIND.recorded(&bytes, "x.pos");
            let _ = KIND.skipped(&bytes);
        }
    }
}
