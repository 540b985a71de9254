//! The opening swap2: three stones, X, O and X, and then who plays which.
//!
//! All choices are the planner's own. Where the sides stand so nearly equal that the choice between them is
//! worth nothing, it places two more stones, such that it is worth nothing to the opponent either.

use super::{Engine, message};
use crate::level::{OPENING_STONES, Stone};
use crate::planners::{BEST, NEARLY_EVEN, OpeningChoice, think};
use crate::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use crate::search::pvs::SearchOptions;
use outwit_core::grid::Cell;
use outwit_core::platform::time::Duration;
use outwit_core::play::{Budget, Clock, Value};
use std::sync::Arc;

impl Engine {
    /// Answers `SWAP2BOARD` with three stones, or after three or five with the choice of a side: `SWAP` for
    /// X, or a cell for the next O.
    pub(super) fn swap2(
        &mut self,
        stones: &[Cell],
        say: &mut dyn FnMut(String),
    ) -> Result<(), String> {
        self.check_terms(say)?;
        let limit = self.limits.budget();
        let table = self.table()?;
        let game = Arc::clone(&table.game);
        if game.k() < 4 || table.stones.len() <= OPENING_STONES {
            return Err("swap2 needs at least 4 in a row and 6 cells".into());
        }
        let mut state = game.opening();
        stones.iter().try_for_each(|&cell| place(&game, &mut state, cell))?;
        match stones.len() {
            0 => {
                let cells = self.even_stones(&game, &state, 3, limit);
                if cells.len() < 3 {
                    return Err("there is no opening".into());
                }
                say(cell_words(&cells));
            }
            3 | OPENING_STONES => {
                let may_place_two = stones.len() < OPENING_STONES;
                // What is kept back chooses two more stones.
                let share = if may_place_two { limit * 2 / 3 } else { limit };
                let clock = Clock::new(Budget::Time(share), self.quit.clone());
                let planner = self.table()?.planner.as_mut();
                // After five stones the choice is between the same two sides.
                state.phase = MnkPhase::SecondChooses;
                think(planner, &state, &clock);
                let value = planner.line().value;
                let choice = planner.best();
                say(message(&game, planner, Stone::O));
                let is_even =
                    |value: Value| (expected(value) - 0.5).abs() < NEARLY_EVEN && state.empty > 2;
                say(match choice {
                    _ if may_place_two && value.is_some_and(is_even) => {
                        let left = limit.saturating_sub(clock.elapsed());
                        cell_words(&self.even_stones(&game, &state, 2, left))
                    }
                    MnkAction::Place(cell) => format!("{},{}", cell.x, cell.y),
                    _ => "SWAP".into(),
                });
            }
            other => {
                return Err(format!(
                    "SWAP2BOARD takes no stones, 3 or {OPENING_STONES}, not {other}"
                ));
            }
        }
        Ok(())
    }

    /// The next stones of an opening after which both sides stand most nearly equal; others each time.
    fn even_stones(
        &mut self,
        game: &Mnk,
        state: &MnkState,
        stones: u8,
        limit: Duration,
    ) -> Vec<Cell> {
        self.openings += 1;
        let options = SearchOptions { table_bits: self.terms.table_bits, ..BEST.options };
        let mut choice = OpeningChoice::new(game, state, stones, self.openings, options);
        choice.run(&Clock::new(Budget::Time(limit), self.quit.clone()));
        choice.best().to_vec()
    }
}

/// Cells as the protocol writes them.
fn cell_words(cells: &[Cell]) -> String {
    let words = cells.iter().map(|cell| format!("{},{}", cell.x, cell.y));
    words.collect::<Vec<_>>().join(" ")
}

/// Places the next stone of an opening.
fn place(game: &Mnk, state: &mut MnkState, cell: Cell) -> Result<(), String> {
    let action = MnkAction::Place(cell);
    game.check(state, action).map_err(|why| format!("{},{}: {why}", cell.x, cell.y))?;
    game.take(state, action, &mut Vec::new());
    match state.line.is_empty() {
        true => Ok(()),
        false => Err("a row is complete".into()),
    }
}

/// The expected result, from 0 to 1.
fn expected(value: Value) -> f64 {
    match value {
        Value::Score(score) => score,
        Value::Win(_) => 1.0,
        Value::Draw => 0.5,
        Value::Loss(_) => 0.0,
    }
}
