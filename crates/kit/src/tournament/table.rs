//! The table of a tournament: a row for each combination of planners.

use outwit_core::tournament::{Contest, MatrixCell, Scoreboard};
use serde_json::{Map, Value, json};

/// Whether other programs take part.
pub fn has_engines(contest: &Contest) -> bool {
    contest.programs().next().is_some()
}

/// One flat object per combination of planners, all with the same keys.
///
/// `mean_payoff` is the payoff of the first seat, `ci95` the half width of its 95 % interval, which is
/// missing where all games were equal. The shares of its endings have their names as keys: those that the
/// game names, then whatever else occurred in any row. Planning times are over all seats.
pub fn rows(board: &Scoreboard, endings: &dyn Fn(usize) -> &'static [&'static str]) -> Vec<Value> {
    let contest = board.contest();
    let cells: Vec<MatrixCell> =
        (0..contest.cells()).map(|cell| board.cell(cell, endings)).collect();
    let mut columns: Vec<&str> = endings(0).to_vec();
    for (ending, _) in cells.iter().flat_map(|cell| &cell.seats[0].endings) {
        if !columns.contains(&ending.as_str()) {
            columns.push(ending);
        }
    }
    let rows = cells.iter().map(|cell| {
        let mut row = Map::new();
        for (entrants, player) in contest.seats.iter().zip(&cell.players) {
            row.insert(entrants.seat.clone(), json!(player));
        }
        row.insert("games".into(), json!(cell.games));
        let first = &cell.seats[0];
        for &column in &columns {
            let ended = first.endings.iter().find(|(ending, _)| ending == column);
            let share = ended.map_or(0, |(_, count)| *count) as f64 / cell.games.max(1) as f64;
            row.insert(column.replace(' ', "_"), json!(share));
        }
        row.insert("mean_payoff".into(), json!(first.payoff.mean));
        row.insert("ci95".into(), json!(first.payoff.ci95));
        row.insert("all_equal".into(), json!(first.payoff.all_equal));
        row.insert("mean_turns".into(), json!(cell.mean_turns));
        row.insert("overruns".into(), json!(cell.sum(|seat| seat.overruns)));
        if !contest.is_repeatable() {
            row.insert("starved".into(), json!(cell.sum(|seat| seat.starved)));
        }
        row.insert("illegal".into(), json!(cell.sum(|seat| seat.illegal)));
        if has_engines(contest) {
            row.insert("broken".into(), json!(cell.sum(|seat| seat.broken)));
        }
        row.insert("panics".into(), json!(cell.sum(|seat| seat.panics)));
        if has_engines(contest) {
            row.insert("faults".into(), json!(cell.sum(|seat| seat.faults)));
        }
        row.insert("plan_ms_p50".into(), json!(cell.plan_ms_p50));
        row.insert("plan_ms_p99".into(), json!(cell.plan_ms_p99));
        Value::Object(row)
    });
    rows.collect()
}
