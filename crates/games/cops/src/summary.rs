//! The table of a tournament: how long the thief lasted.

use super::Cops;
use outwit_core::play::Seat;
use outwit_core::tournament::{FinishedGame, Scoreboard};
use outwit_kit::GameSpec;
use outwit_kit::tournament::rows;
use serde_json::{Map, Value, json};

/// One row per line-up. `mean_ticks` is the mean tick in which a game ended, counted from 0 as in the
/// payoffs: a thief that is caught in tick t earns t. A game whose time ran out counts all its ticks.
pub fn summary(board: &Scoreboard) -> Vec<Value> {
    let rows = rows(board, &|seat| (Cops::TABLES.endings)(Seat(seat as u8)));
    rows.into_iter()
        .enumerate()
        .map(|(cell, row)| {
            let Value::Object(row) = row else { return row };
            let entries = row.into_iter().map(|(key, value)| match key.as_str() {
                "mean_turns" => ("mean_ticks".to_owned(), json!(mean_ticks(board, cell))),
                _ => (key, value),
            });
            Value::Object(entries.collect::<Map<_, _>>())
        })
        .collect()
}

/// The mean tick in which the games of a line-up ended.
fn mean_ticks(board: &Scoreboard, cell: usize) -> Option<f64> {
    let ticks: Vec<usize> = board.games(cell).map(ticks).collect();
    (!ticks.is_empty()).then(|| ticks.iter().sum::<usize>() as f64 / ticks.len() as f64)
}

/// The tick in which a game ended.
fn ticks(game: &FinishedGame) -> usize {
    // A turn plays a tick. One that is caught or escapes does so in the last, whose number is one less
    // than the number of ticks played.
    let ended_within = game.closing.is_none() && !game.is_unfinished() && !is_survived(game);
    game.turns - usize::from(ended_within && game.turns > 0)
}

fn is_survived(game: &FinishedGame) -> bool {
    game.ending(0) == "survived"
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_core::play::{Closing, Outcome, Place};

    #[test]
    fn a_game_ends_in_the_tick_of_its_headline() {
        let game = |turns: usize, ending: &str, closing: Option<Closing>| {
            let place = Place { rank: 1, score: None, ending: ending.into() };
            let outcome = Outcome { headline: String::new(), places: vec![place] };
            let closing = closing.map(|closing| (Seat(0), closing));
            FinishedGame { turns, closing, ..FinishedGame::new(1, ["runner"], outcome) }
        };
        assert_eq!(ticks(&game(13, "caught", None)), 12);
        assert_eq!(ticks(&game(22, "escaped", None)), 21);
        assert_eq!(ticks(&game(100, "survived", None)), 100);
        assert_eq!(ticks(&game(7, "resigned", Some(Closing::Resigned))), 7);
        assert_eq!(ticks(&game(50, "unfinished", None)), 50);
    }
}
