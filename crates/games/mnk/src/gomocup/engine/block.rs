//! The lines between `BOARD` or `SWAP2BOARD` and `DONE`.

use super::super::{pair, short};
use crate::level::{MAX_SIDE, Stone};
use outwit_core::grid::Cell;

/// Which command a block belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    /// `BOARD`: stones with whose they are.
    Board,
    /// `SWAP2BOARD`: stones of both kinds in turn.
    Swap2,
}

/// A block that has not ended. All of it gets one answer, so what is wrong with it waits until then.
pub(super) struct Block {
    pub kind: BlockKind,
    stones: Vec<(Cell, Stone)>,
    problem: Option<String>,
}

impl Block {
    pub fn new(kind: BlockKind) -> Self {
        Self { kind, stones: Vec::new(), problem: None }
    }

    /// Notes what is wrong; the first problem is told.
    pub fn spoil(&mut self, why: String) {
        self.problem.get_or_insert(why);
    }

    /// Takes a line with a stone; the first one that is wrong spoils the block.
    pub fn read(&mut self, line: &str) {
        if self.problem.is_some() {
            return;
        }
        let read = match self.kind {
            BlockKind::Board => own_or_other(line),
            BlockKind::Swap2 => in_turn(line, self.stones.len()),
        };
        match read {
            Ok(_) if self.stones.len() >= MAX_SIDE * MAX_SIDE => {
                self.spoil("there are more stones than cells".into());
            }
            Ok(stone) => self.stones.push(stone),
            Err(why) => self.spoil(why),
        }
    }

    /// The stones, ours as X in a `BOARD`.
    ///
    /// # Errors
    /// The first problem of its lines.
    pub fn end(self) -> Result<Vec<(Cell, Stone)>, String> {
        match self.problem {
            Some(why) => Err(why),
            None => Ok(self.stones),
        }
    }
}

fn own_or_other(line: &str) -> Result<(Cell, Stone), String> {
    let stone = || {
        let (at, field) = line.rsplit_once(',')?;
        let (x, y) = pair(at).ok()?;
        // 3 marks stones of a winning row in some managers: they are the opponent's.
        let stone = match field.trim() {
            "1" => Stone::X,
            "2" | "3" => Stone::O,
            _ => return None,
        };
        Some((Cell::new(x as i32, y as i32), stone))
    };
    stone().ok_or_else(|| format!("'{}' is not a stone; write x,y,field", short(line)))
}

fn in_turn(line: &str, before: usize) -> Result<(Cell, Stone), String> {
    let (x, y) = pair(line)?;
    let stone = if before.is_multiple_of(2) { Stone::X } else { Stone::O };
    Ok((Cell::new(x as i32, y as i32), stone))
}
