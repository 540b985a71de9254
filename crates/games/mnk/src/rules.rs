//! The game: stones in turn, k in a row wins, a full board is a draw.

use super::level::{self, MnkFile, Opening, Stone};
use super::lines::winning_line;
use super::notation::cell_name;
use outwit_core::grid::{Cell, Grid};
use outwit_core::play::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The game on one level.
#[derive(Clone, Debug)]
pub struct Mnk {
    level: MnkFile,
    start: Grid<Option<Stone>>,
}

/// The seat that begins with X.
pub const CROSSES: Seat = Seat(0);
/// The seat that begins with O.
pub const NOUGHTS: Seat = Seat(1);

/// What a seat does in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
pub enum MnkAction {
    /// Places a stone.
    Place(Cell),
    /// Takes the other seat's stones, after a swap or swap2 opening.
    Swap,
    /// Stays with its own stones, after a swap2 opening in which the other seat placed two more.
    Keep,
    /// Goes on to place two more stones, O and X, in a swap2 opening; the other seat will choose.
    TwoMore,
}

/// The stones that actions place.
pub(super) fn cells<'a>(turns: impl Iterator<Item = &'a [(Seat, MnkAction)]>) -> Vec<Cell> {
    let placed = turns.flatten().filter_map(|(_, action)| match action {
        MnkAction::Place(cell) => Some(*cell),
        _ => None,
    });
    placed.collect()
}

/// What the opening asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
pub enum MnkPhase {
    /// The first seat places so many more stones, of both kinds in turn.
    Opening(u8),
    /// The second seat places O, swaps, or in a swap2 opening places two more stones.
    SecondChooses,
    /// The second seat places so many more stones, O first.
    TwoMore(u8),
    /// The first seat keeps X or swaps.
    FirstChooses,
    /// Stones in turn.
    Play,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MnkState {
    /// The stones, row by row.
    pub stones: Vec<Option<Stone>>,
    /// The kind of the next stone.
    pub to_move: Stone,
    /// What the opening asks for.
    pub phase: MnkPhase,
    /// Whether the seats have exchanged their stones.
    pub swapped: bool,
    /// Where the last stone was placed; `None` before the first.
    pub last: Option<Cell>,
    /// The cells that won; empty while nobody has.
    pub line: Vec<Cell>,
    /// Number of empty cells.
    pub empty: u32,
}

/// Something that happened in a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MnkEvent {
    /// A stone was placed.
    Placed {
        /// Where.
        cell: Cell,
        /// Its kind.
        stone: Stone,
        /// Who placed it.
        seat: Seat,
    },
    /// The seats exchanged their stones.
    Swapped {
        /// Who chose to.
        seat: Seat,
    },
    /// A seat stayed with its stones.
    Kept {
        /// Which.
        seat: Seat,
    },
    /// A seat goes on to place two more stones.
    TwoMore {
        /// Which.
        seat: Seat,
    },
    /// A row won.
    Won {
        /// Who.
        seat: Seat,
        /// All cells of the winning rows.
        line: Vec<Cell>,
    },
    /// The board is full.
    Drawn,
}

/// Why an action is illegal.
pub(super) enum Refusal {
    /// The first player must choose between swap and keep.
    Undecided,
    /// This cell is outside the board.
    Outside(Cell),
    /// This cell is not empty.
    Taken(Cell),
    /// The choice belongs to another moment of a swap opening.
    OtherMoment,
}

impl MnkState {
    /// The seat that holds these stones.
    pub fn holder(&self, stone: Stone) -> Seat {
        if (stone == Stone::X) != self.swapped { CROSSES } else { NOUGHTS }
    }

    /// The stones that a seat holds.
    pub fn held(&self, seat: Seat) -> Stone {
        if (seat == CROSSES) != self.swapped { Stone::X } else { Stone::O }
    }

    /// Who has won, if anybody.
    pub fn winner(&self) -> Option<Stone> {
        (!self.line.is_empty()).then(|| self.to_move.other())
    }

    /// The seat that chooses now, as long as the match is not over.
    pub fn mover(&self) -> Option<Seat> {
        if !self.line.is_empty() || self.empty == 0 {
            return None;
        }
        Some(match self.phase {
            MnkPhase::Opening(_) | MnkPhase::FirstChooses => CROSSES,
            MnkPhase::SecondChooses | MnkPhase::TwoMore(_) => NOUGHTS,
            MnkPhase::Play => self.holder(self.to_move),
        })
    }
}

impl Mnk {
    /// The game on a level that was checked.
    pub(super) fn on(level: MnkFile) -> Self {
        Self { start: level::stones(&level), level }
    }

    /// The level.
    pub(super) fn file(&self) -> &MnkFile {
        &self.level
    }

    /// Columns of the board.
    pub fn width(&self) -> usize {
        self.start.width()
    }

    /// Rows of the board.
    pub fn height(&self) -> usize {
        self.start.height()
    }

    /// Stones in a row that win.
    pub fn k(&self) -> u32 {
        self.level.rules.k
    }

    /// The row-major index of a cell of the board.
    pub fn index_of(&self, cell: Cell) -> Option<usize> {
        self.start.index_of(cell)
    }

    /// The cell with this row-major index.
    pub fn cell_at(&self, index: usize) -> Cell {
        self.start.cell_at(index)
    }

    /// The stone at a cell; `None` if it is empty or outside.
    pub fn stone(&self, state: &MnkState, cell: Cell) -> Option<Stone> {
        state.stones.get(self.index_of(cell)?).copied().flatten()
    }

    /// The position before the first turn.
    pub fn opening(&self) -> MnkState {
        let stones = self.start.as_slice().to_vec();
        let phase = match self.level.rules.opening {
            Opening::Free => MnkPhase::Play,
            Opening::Swap | Opening::Swap2 => MnkPhase::Opening(3),
        };
        let empty = stones.iter().filter(|stone| stone.is_none()).count() as u32;
        MnkState {
            stones,
            to_move: self.level.rules.to_move,
            phase,
            swapped: false,
            last: None,
            line: Vec::new(),
            empty,
        }
    }

    /// Whether an action is legal in a position that is not over.
    ///
    /// # Errors
    /// Says which rule forbids it.
    pub fn check(&self, state: &MnkState, action: MnkAction) -> Result<(), String> {
        match self.refusal(state, action) {
            None => Ok(()),
            Some(Refusal::Undecided) => {
                Err("the first player must choose between swap and keep".into())
            }
            Some(Refusal::Outside(cell)) => Err(format!("{cell} is outside the board")),
            Some(Refusal::Taken(cell)) => {
                Err(format!("{} is not empty", cell_name(cell, self.height())))
            }
            Some(Refusal::OtherMoment) => {
                Err("this choice belongs to a swap opening at another moment".into())
            }
        }
    }

    /// Which rule forbids an action in a position that is not over, if one does.
    pub(super) fn refusal(&self, state: &MnkState, action: MnkAction) -> Option<Refusal> {
        match (action, state.phase) {
            (MnkAction::Place(_), MnkPhase::FirstChooses) => Some(Refusal::Undecided),
            (MnkAction::Place(cell), _) => match self.index_of(cell) {
                None => Some(Refusal::Outside(cell)),
                Some(index) if state.stones.get(index) != Some(&None) => Some(Refusal::Taken(cell)),
                Some(_) => None,
            },
            (MnkAction::Swap, MnkPhase::SecondChooses | MnkPhase::FirstChooses)
            | (MnkAction::Keep, MnkPhase::FirstChooses) => None,
            (MnkAction::TwoMore, MnkPhase::SecondChooses)
                if self.level.rules.opening == Opening::Swap2 =>
            {
                None
            }
            _ => Some(Refusal::OtherMoment),
        }
    }

    /// Plays a legal action of the seat that is to move.
    pub fn take(&self, state: &mut MnkState, action: MnkAction, events: &mut Vec<MnkEvent>) {
        let Some(seat) = state.mover() else { return };
        match action {
            MnkAction::Place(cell) => self.place(state, cell, seat, events),
            MnkAction::Swap => {
                state.swapped = !state.swapped;
                state.phase = MnkPhase::Play;
                events.push(MnkEvent::Swapped { seat });
            }
            MnkAction::Keep => {
                state.phase = MnkPhase::Play;
                events.push(MnkEvent::Kept { seat });
            }
            MnkAction::TwoMore => {
                state.phase = MnkPhase::TwoMore(2);
                events.push(MnkEvent::TwoMore { seat });
            }
        }
    }

    fn place(&self, state: &mut MnkState, cell: Cell, seat: Seat, events: &mut Vec<MnkEvent>) {
        let stone = state.to_move;
        let Some(at) = self.index_of(cell).and_then(|index| state.stones.get_mut(index)) else {
            return;
        };
        *at = Some(stone);
        state.empty = state.empty.saturating_sub(1);
        state.last = Some(cell);
        state.to_move = stone.other();
        state.phase = match state.phase {
            MnkPhase::Opening(left) if left > 1 => MnkPhase::Opening(left - 1),
            MnkPhase::Opening(_) => MnkPhase::SecondChooses,
            MnkPhase::TwoMore(left) if left > 1 => MnkPhase::TwoMore(left - 1),
            MnkPhase::TwoMore(_) => MnkPhase::FirstChooses,
            MnkPhase::SecondChooses | MnkPhase::FirstChooses | MnkPhase::Play => MnkPhase::Play,
        };
        events.push(MnkEvent::Placed { cell, stone, seat });
        state.line = winning_line(|at| self.stone(state, at), cell, &self.level.rules);
        if !state.line.is_empty() {
            events.push(MnkEvent::Won { seat: state.holder(stone), line: state.line.clone() });
        } else if state.empty == 0 {
            events.push(MnkEvent::Drawn);
        }
    }
}
