//! Guards on patrol: the loops along which signposts of the map lead them, one step a turn.
//!
//! A guard that starts on `N`, `E`, `S` or `W` walks straight on in that direction, one cell a turn. On a
//! signpost (`^`, `>`, `v`, `<`) it turns to the direction of the signpost first; the letters are signposts
//! too, for every guard that comes to one. So a guard between `E` and `<` walks to and fro, and four signposts make a ring.
//! Patrols pass over any terrain, over the start and over the goal, but not through walls or guards.

use super::level::{GroundTile, StealthFile, tiles};
use super::route::RouteMove;
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::Fault;

/// The maximum number of turns after which all patrols are where they started, all at once.
pub const MAX_PERIOD: usize = 120;

/// The direction that a signpost or a patrol's start points to.
pub(super) fn signpost(symbol: char) -> Option<RouteMove> {
    Some(match symbol {
        '^' | 'N' => RouteMove::Up,
        'v' | 'S' => RouteMove::Down,
        '<' | 'W' => RouteMove::Left,
        '>' | 'E' => RouteMove::Right,
        _ => return None,
    })
}

/// Whether a guard on patrol starts here.
pub(super) fn is_start(symbol: char) -> bool {
    matches!(symbol, 'N' | 'E' | 'S' | 'W')
}

/// The loop of each guard on patrol, in the order of their starts row by row: its cell after 0, 1, 2, …
/// turns, until it is back where it started.
///
/// # Errors
/// Every loop that does not close or is blocked, guards that meet, and loops that come together too
/// rarely.
pub fn patrols(level: &StealthFile) -> Result<Vec<Vec<Cell>>, Vec<Fault>> {
    let symbols = level.cells('.');
    let tiles = tiles(level);
    let starts = symbols.iter().filter(|(_, symbol)| is_start(**symbol)).map(|(cell, _)| cell);
    let mut loops = Vec::new();
    let mut faults = Vec::new();
    for start in starts {
        match walk(&symbols, &tiles, start) {
            Ok(cells) => loops.push(cells),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() {
        match period(&loops) {
            None => faults.push(Fault::whole(format!(
                "the patrols are back where they started only after more than {MAX_PERIOD} turns: \
                 use loops whose lengths have a small common multiple"
            ))),
            Some(period) => faults.extend(meeting(&loops, period)),
        }
    }
    if faults.is_empty() { Ok(loops) } else { Err(faults) }
}

/// After how many turns all patrols are where they started; `None` if that is more than [`MAX_PERIOD`].
pub(super) fn period(loops: &[Vec<Cell>]) -> Option<usize> {
    loops.iter().try_fold(1, |period: usize, cells| {
        let common = (1..=MAX_PERIOD / period).map(|times| times * period);
        common.into_iter().find(|turns| turns.is_multiple_of(cells.len()))
    })
}

fn walk(symbols: &Grid<char>, tiles: &Grid<GroundTile>, start: Cell) -> Result<Vec<Cell>, Fault> {
    let mut heading = RouteMove::Up;
    let mut at = start;
    let mut cells = Vec::new();
    while cells.len() < MAX_PERIOD {
        heading = signpost(symbols[at]).unwrap_or(heading);
        cells.push(at);
        let next = at + heading.offset();
        if next == start {
            return Ok(cells);
        }
        let obstacle = match tiles.get(next) {
            None => "the edge of the map",
            Some(GroundTile::Wall) => "a wall",
            Some(GroundTile::Guard) => "another guard",
            Some(_) => {
                at = next;
                continue;
            }
        };
        return Err(Fault::at(
            at,
            format!("the guard from {start} comes to {obstacle} here: turn it with ^ > v or <"),
        ));
    }
    Err(Fault::at(
        start,
        format!("the guard that starts here is not back within {MAX_PERIOD} turns"),
    ))
}

/// Where two guards are in the same cell, if they ever are.
fn meeting(loops: &[Vec<Cell>], period: usize) -> Option<Fault> {
    (0..period).find_map(|turn| {
        let mut cells: Vec<Cell> = loops.iter().map(|cells| cells[turn % cells.len()]).collect();
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        let pair = cells.windows(2).find(|pair| pair[0] == pair[1])?;
        Some(Fault::at(pair[0], format!("two guards on patrol meet here in turn {turn}")))
    })
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::{UNIT, by_enumeration, least_exposures, patrolled_map};
