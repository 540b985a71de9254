//! What keeps a level of Stealth from being played.

use super::Stealth;
use super::ground::Ground;
use super::level::{GroundTile, MAX_GUARDS, StealthFile, cells_of, tiles};
use super::patrol::{is_start, patrols};
use outwit_core::grid::{Cell, FOUR, UNREACHED, distances};
use outwit_core::levels::Fault;
use outwit_kit::map_faults;

/// The maximum number of faults of one kind in the list.
const MOST_FAULTS: usize = 20;

/// Everything that keeps a well-formed level from being played.
pub(super) fn faults(level: &StealthFile) -> Vec<Fault> {
    let mut faults = map_faults::<Stealth>(level);
    if !faults.is_empty() {
        return faults;
    }
    let symbols = level.cells('.');
    let tiles = tiles(level);
    let starts = cells_of(&tiles, GroundTile::Start);
    let goals = cells_of(&tiles, GroundTile::Goal);
    for (found, symbol, what) in [(&starts, 'O', "start"), (&goals, 'Y', "goal")] {
        if found.is_empty() {
            faults.push(Fault::whole(format!("there is no {what} ({symbol}): put one on the map")));
        }
        let what = format!("there is more than one {what}; keep one {symbol}");
        faults.extend(Fault::at_all(found.iter().copied().skip(1), what));
    }
    let is_guard = |symbol: char| symbol == 'Z' || is_start(symbol);
    let guards: Vec<Cell> =
        symbols.iter().filter(|(_, symbol)| is_guard(**symbol)).map(|(cell, _)| cell).collect();
    if let Some(&extra) = guards.get(MAX_GUARDS) {
        faults.push(Fault::at(
            extra,
            format!("there are {} guards; the maximum is {MAX_GUARDS}", guards.len()),
        ));
    }
    if let ([start], [goal]) = (starts.as_slice(), goals.as_slice()) {
        let reach = distances(&tiles, [*start], &FOUR, |_, &tile| !tile.is_closed());
        if reach[*goal] == UNREACHED {
            faults.push(Fault::at(*goal, "the goal cannot be reached from the start"));
        }
    }
    match patrols(level) {
        Err(wrong) => faults.extend(wrong.into_iter().take(MOST_FAULTS)),
        Ok(patrols) if faults.is_empty() && !patrols.is_empty() => {
            let ground = Ground::new(tiles, patrols, &level.rules);
            if !leads_to_goal(&ground) {
                let what = "the guards on patrol leave no way from the start to the goal";
                faults.push(Fault::at(ground.goal(), what));
            }
        }
        Ok(_) => {}
    }
    faults
}

/// Whether any walk gets past the patrols to the goal, even if it enters cells twice.
fn leads_to_goal(ground: &Ground) -> bool {
    let mut known = vec![false; ground.states()];
    let mut ahead = vec![ground.start_index()];
    while let Some(state) = ahead.pop() {
        if ground.cell_of(state) == ground.goal_index() {
            return true;
        }
        for (_, next) in ground.ways_from(state) {
            if !std::mem::replace(&mut known[next], true) {
                ahead.push(next);
            }
        }
    }
    false
}
