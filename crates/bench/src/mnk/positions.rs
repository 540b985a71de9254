//! What the search of `best` finds on fixed positions within a budget.
//!
//! The positions are from games of the program against itself that began with random near-even openings;
//! they are stored as moves, so that they stay the same when the program plays better.

use outwit_core::platform::task::AtWork;
use outwit_core::platform::time::thread_cpu;
use outwit_core::play::{Budget, Clock, Game, StopFlag};
use outwit_kit::read_level;
use outwit_mnk::planners::{BEST, expected};
use outwit_mnk::search::helper::Helper;
use outwit_mnk::search::pvs::MnkSearch;
use outwit_mnk::search::{FORCED, SearchBoard, WIN};
use outwit_mnk::{Mnk, notation};

/// Columns, rows, stones in a row and moves, one position a line.
const POSITIONS: &str = include_str!("positions.txt");

/// Depths that see next to nothing, whose values do not count for the swing.
const SHALLOW: usize = 2;

/// What was found in one position.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionRow {
    /// Columns, rows and stones in a row, as in `15x15x5`.
    pub board: String,
    /// The moves that lead to it.
    pub moves: String,
    /// The move that was chosen.
    pub best: String,
    /// Plies of the last finished iteration.
    pub depth: u32,
    /// Plies of the longest line that was looked at.
    pub deepest: usize,
    /// Positions searched.
    pub positions: u64,
    /// Processor time in seconds, where the system tells it.
    pub seconds: Option<f64>,
    /// Plies of the forced win that was found: of whoever is to move, or negative of the other side.
    pub win: Option<i32>,
    /// The mean change of the expected result from each depth to the next one, before any win is found.
    pub swing: Option<f64>,
}

/// Lets `best` search each position with the same budget, and calls back with each row as it comes, until
/// `stop` is raised.
pub fn search_positions(budget: Budget, stop: &StopFlag, row: &mut dyn FnMut(PositionRow)) {
    for line in POSITIONS.lines() {
        if stop.is_raised() {
            return;
        }
        if let Some(found) = search_position(line, budget, stop) {
            row(found);
        }
    }
}

fn search_position(line: &str, budget: Budget, stop: &StopFlag) -> Option<PositionRow> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [columns, rows, k, moves] = words[..] else { return None };
    let empty_row = ".".repeat(columns.parse().ok()?);
    let map = vec![format!("\"{empty_row}\""); rows.parse().ok()?].join(", ");
    let level = format!("(format: \"mnk 1\", name: \"position\", rules: (k: {k}), map: [{map}])");
    let level = read_level::<Mnk>(level.as_bytes(), "position").ok()?;
    let game = Mnk::new(&level, 2).ok()?;
    let mut state = game.opening();
    for action in notation::read(&game, &state, moves).ok()? {
        game.take(&mut state, action, &mut Vec::new());
    }
    let board = SearchBoard::of(&game, &state);
    let _at_work = AtWork::begin();
    let begun = thread_cpu();
    let mut search = MnkSearch::new(board, BEST.options);
    let clock = Clock::new(budget, stop.clone());
    let helper = Helper::begin(&search, &clock);
    search.run(&clock);
    let helped = helper.map_or(0, |helper| helper.nodes());
    let seconds = thread_cpu().zip(begun).map(|(end, begun)| (end - begun).as_secs_f64());
    let value = search.value();
    let plies = WIN - value.abs();
    let results: Vec<f64> = search
        .iterations()
        .iter()
        .skip(SHALLOW)
        .filter(|found| found.value.abs() < FORCED)
        .map(|found| expected(found.value))
        .collect();
    let changes = results.windows(2).map(|pair| (pair[0] - pair[1]).abs());
    let swing = changes.sum::<f64>() / results.len().saturating_sub(1) as f64;
    Some(PositionRow {
        board: format!("{columns}x{rows}x{k}"),
        moves: moves.into(),
        best: notation::cell_name(game.cell_at(usize::from(search.best())), game.height()),
        depth: search.iterations().last().map_or(0, |found| found.depth),
        deepest: search.deepest(),
        positions: search.nodes() + helped,
        seconds,
        win: (value.abs() >= FORCED).then_some(if value > 0 { plies } else { -plies }),
        swing: swing.is_finite().then_some(swing),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn all_fixed_positions_are_searched_and_a_work_budget_repeats_itself() {
        let found = |work: u64| {
            let mut rows = Vec::new();
            let stop = StopFlag::default();
            search_positions(Budget::Work(work), &stop, &mut |row| {
                rows.push(PositionRow { seconds: None, ..row });
            });
            rows
        };
        let rows = found(2_000);
        assert_eq!(rows.len(), 50);
        assert_eq!(rows, found(2_000));
        assert!(rows.iter().all(|row| row.positions > 0 && (row.depth > 0 || row.win.is_some())));
    }
}
