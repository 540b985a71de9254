//! The opening swap2: three stones, X, O and X, and then who plays which.
//!
//! All choices are the planner's own. It never places two more stones: that leaves the choice to the
//! opponent, while one of the sides is worth at least half to whoever takes it now.

use super::{Engine, message, think};
use crate::level::{OPENING_STONES, Stone};
use crate::planners::opening_stone;
use crate::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use outwit_core::grid::Cell;
use outwit_core::platform::time::Duration;
use outwit_core::play::{Budget, Clock, Value};
use std::sync::Arc;

/// Openings that are compared.
const OPENINGS: u32 = 16;

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
                let cells = self.even_opening(&game, limit)?;
                let words = cells.iter().map(|cell| format!("{},{}", cell.x, cell.y));
                say(words.collect::<Vec<_>>().join(" "));
            }
            3 | OPENING_STONES => {
                let clock = Clock::new(Budget::Time(limit), self.quit.clone());
                let planner = self.table()?.planner.as_mut();
                // After five stones the choice is between the same two sides.
                state.phase = MnkPhase::SecondChooses;
                think(planner, &state, &clock);
                say(message(&game, planner, Stone::O));
                say(match planner.best() {
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

    /// The one of some random openings that the planner values as the most even.
    fn even_opening(&mut self, game: &Mnk, limit: Duration) -> Result<Vec<Cell>, String> {
        let (first, quit) = (self.openings, self.quit.clone());
        self.openings += u64::from(OPENINGS);
        let whole = Clock::new(Budget::Time(limit), quit.clone());
        let planner = self.table()?.planner.as_mut();
        let mut best: Option<(f64, Vec<Cell>)> = None;
        for number in 0..OPENINGS {
            let seed = first + u64::from(number);
            let (mut state, mut cells) = (game.opening(), Vec::new());
            while cells.len() < 3 {
                let MnkAction::Place(cell) = opening_stone(game, &state, seed) else { break };
                place(game, &mut state, cell)?;
                cells.push(cell);
            }
            let share = limit.saturating_sub(whole.elapsed()) / (OPENINGS - number);
            think(planner, &state, &Clock::new(Budget::Time(share), quit.clone()));
            let distance = planner.line().value.map_or(1.0, |value| (expected(value) - 0.5).abs());
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, cells));
            }
            if whole.is_over() {
                break;
            }
        }
        best.map(|(_, cells)| cells).ok_or_else(|| "there is no opening".into())
    }
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
