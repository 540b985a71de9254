//! Closing in on a thief that does not run: each cop makes for a cell of its own about the thief
//! and walks to and fro through where the thief was, which meets it sooner than waiting there.

use super::super::distance_table::CellIndex;
use super::super::rules::{CopsView, Orders, STEPS};
use super::context::BoardContext;
use super::ways::{cheapest, wall_costs};

/// Whether the thief does not seem to run: during the last plan it came no farther than half of its
/// steps, or turned back.
pub fn dawdles(ground: &BoardContext, seen: &CopsView) -> bool {
    let Some(then) = seen.past.first() else { return false };
    let start = ground.atlas.from(ground.spot(then.thief));
    let far: Vec<u8> = seen
        .past
        .iter()
        .chain([&seen.now])
        .map(|at| start[usize::from(ground.spot(at.thief))])
        .collect();
    // One step says nothing.
    let steps = seen.past.len();
    let came = far.last().map_or(0, |&steps| usize::from(steps));
    steps > 1 && (2 * came <= steps || far.windows(2).any(|pair| pair[1] < pair[0]))
}

/// The plans of all cops that close in.
pub fn close_in(ground: &BoardContext, seen: &CopsView) -> Orders {
    let atlas = &ground.atlas;
    let costs = wall_costs(ground, &seen.now);
    let (cops, thief) = (ground.cops(&seen.now), ground.spot(seen.now.thief));
    let mut cells: Vec<CellIndex> = STEPS.iter().map(|&step| atlas.step(thief, step)).collect();
    cells.dedup();
    let mut ways = vec![Vec::new(); cops.len()];
    let mut idle: Vec<usize> = (0..cops.len()).collect();
    for cell in cells.into_iter().cycle() {
        let Some(place) = (0..idle.len()).min_by_key(|&i| atlas.distance(cops[idle[i]], cell))
        else {
            break;
        };
        let cop = idle.swap_remove(place);
        let mut way = cheapest(ground, &costs, cops[cop], &[cell]);
        // From the thief's own cell it looks aside, from others at the thief's.
        let other = if cell == thief { atlas.steps(cell)[1 + cop % 4] } else { thief };
        while way.len() <= ground.k {
            way.push(if way.last() == Some(&cell) { other } else { cell });
        }
        ways[cop] = ground.steps_along(&way);
    }
    Orders(ways)
}

#[cfg(test)]
mod tests {
    use super::super::super::rules::{COPS, Cops, CopsView};
    use super::super::super::tests::{chance, game, still};
    use super::*;
    use crate::grid::Cell;
    use crate::play::{Game, PlannerContext};
    use std::sync::Arc;

    fn context(game: &Arc<Cops>) -> BoardContext {
        BoardContext::new(&PlannerContext { game: Arc::clone(game), seat: COPS, seed: 1 })
    }

    #[test]
    fn who_turns_back_or_hardly_moves_dawdles() {
        let rules = super::super::super::level::CopsRules { k: 4, ..still(9, 2) };
        let game = Arc::new(game(rules));
        let ground = context(&game);
        let view = |xs: &[i32]| -> CopsView {
            let mut seen = game.observe(&[], &game.start(&chance()).unwrap(), COPS);
            let at = |&x: &i32| {
                let thief = Cell::new(x, 3);
                crate::games::cops::Position { thief, ..seen.now.clone() }
            };
            let mut positions: Vec<_> = xs.iter().map(at).collect();
            seen.now = positions.pop().unwrap();
            CopsView { past: positions, ..seen }
        };
        assert!(!dawdles(&ground, &view(&[2])), "nothing was seen");
        assert!(!dawdles(&ground, &view(&[2, 3, 4, 4, 5])), "it runs and once was stopped");
        assert!(dawdles(&ground, &view(&[2, 3, 3, 4, 4])), "it came two cells in four steps");
        assert!(dawdles(&ground, &view(&[2, 3, 4, 5, 4])), "it turned back");
    }

    #[test]
    fn cops_that_close_in_make_for_cells_of_their_own() {
        let rules = super::super::super::level::CopsRules { k: 16, ..still(9, 5) };
        let game = Arc::new(game(rules));
        let ground = context(&game);
        let seen = game.observe(&[], &game.start(&chance()).unwrap(), COPS);
        let Orders(ways) = close_in(&ground, &seen);
        // All have arrived by then and walk to and fro through the thief's cell.
        let thief = ground.spot(seen.now.thief);
        for (cop, way) in seen.now.cops.iter().zip(&ways) {
            assert_eq!(way.len(), 16);
            let mut at = ground.spot(*cop);
            let track: Vec<CellIndex> = way
                .iter()
                .map(|&step| {
                    at = ground.atlas.step(at, step);
                    at
                })
                .collect();
            assert!(track.ends_with(&[thief]) || track[..15].ends_with(&[thief]), "{cop}");
        }
    }
}
