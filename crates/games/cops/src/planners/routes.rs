//! Where the thief may go: routes drawn at random, so that no thief can tell what the cops expect.

use super::context::{BoardContext, any_step, below};
use crate::board::Position;
use crate::distance_table::{CellIndex, FAR};
use crate::forecast::Forecast;
use crate::rules::CopsView;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Number of routes that are drawn for a plan.
const ROUTES: usize = 64;
/// Share of the routes that lead to gates; the others lead to cells that the thief reaches first.
const TO_GATES: f32 = 0.65;
/// Share of the routes that lead to gates when the thief dawdles; the others wander.
const DAWDLING_TO_GATES: f32 = 0.2;
/// Most ticks that a route waits for a gate.
const MOST_WAITING: u8 = 6;
/// What a tick of waiting leaves of the probability of a route.
const PATIENCE: f32 = 0.8;
/// A place where a gate is less likely than this is no gate to run to.
pub const LEAST_CHANCE: f32 = 0.05;
/// The probability of a route to a gate grows evenly from where the nearest cop is so many steps
/// nearer to the gate than the thief to where it is so many steps farther.
const RACE: (i32, i32) = (-7, 5);

/// Ticks after which walls, and gates, count as being where they were likely to be then.
const WALL_TICKS: usize = 6;
const GATE_TICKS: usize = 40;

/// Walls and gates as far ahead as routes and cops look.
pub fn forecast(ground: &BoardContext, now: &Position) -> Forecast {
    let board = ground.board();
    let side = board.width().max(board.height());
    let walls = (ground.k + 1).min(WALL_TICKS);
    let gates = (ground.k + side).min(GATE_TICKS);
    Forecast::new(board, &ground.distances, now, walls, gates)
}

/// A way that the thief may go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EscapeRoute {
    /// Where the thief is now and after each step of the plan; shorter if it leaves the board
    /// before.
    pub track: Vec<CellIndex>,
    /// The last board cell of the route.
    pub end: CellIndex,
    /// Ticks from now until the thief leaves the board from `end`; `None` if it stays.
    pub leaves: Option<u8>,
}

/// A board cell before a gate, and after how many ticks the thief steps from it through the gate.
#[derive(Clone, Copy)]
struct Exit {
    front: CellIndex,
    after: u8,
}

/// Draws routes of equal weight: shortest ways, with pauses, to where gates are likely to be when
/// the thief gets there and where cops are not there long before it; and shortest ways to cells
/// that it reaches before any cop. A thief that dawdles is thought to wander.
pub fn draw_routes(
    ground: &BoardContext,
    seen: &CopsView,
    forecast: &Forecast,
    dice: &mut ChaCha8Rng,
) -> Vec<EscapeRoute> {
    let distances = &ground.distances;
    let from = ground.cell_index(seen.now.thief);
    let cops = ground.cops(&seen.now);
    let race = ground.race(&cops);
    let exits = exits(ground, forecast, from, &race);
    let steps = distances.from(from);
    let floor = distances.floor().iter().copied();
    let own: Vec<CellIndex> =
        floor.filter(|&cell| steps[usize::from(cell)] < race[usize::from(cell)]).collect();
    let wanders = dawdles(ground, seen);
    let share = if wanders { DAWDLING_TO_GATES } else { TO_GATES };
    let to_gates = if exits.is_empty() { 0 } else { (ROUTES as f32 * share) as usize };
    (0..ROUTES)
        .map(|index| {
            let (end, leaves) = if index < to_gates {
                let exit = pick(&exits, dice);
                (exit.front, Some(exit.after))
            } else if wanders || own.is_empty() {
                return wander(ground, from, dice);
            } else {
                (own[below(dice, own.len())], None)
            };
            let pauses = leaves.unwrap_or(0).saturating_sub(distances.between(from, end));
            let mut track = walk(ground, from, end, pauses, dice);
            track.truncate(leaves.map_or(track.len(), |after| usize::from(after) + 1));
            EscapeRoute { track, end, leaves }
        })
        .collect()
}

/// Where and when the thief may leave the board, each with a weight. `race` has the least number of
/// steps of any cop to each cell.
fn exits(
    ground: &BoardContext,
    forecast: &Forecast,
    from: CellIndex,
    race: &[u8],
) -> Vec<(Exit, f32)> {
    let ring = ground.board().ring();
    let mut exits = Vec::new();
    for place in 0..ring.len() {
        let Some(front) = ring.front(place).map(|cell| ground.cell_index(cell)) else { continue };
        let steps = ground.distances.between(from, front);
        if steps == FAR {
            continue;
        }
        let lead = i32::from(race[usize::from(front)]) - i32::from(steps);
        let mut weight = (lead - RACE.0).clamp(1, RACE.1 - RACE.0) as f32;
        for after in steps..steps.saturating_add(MOST_WAITING) {
            let p = forecast.gated(usize::from(after), place);
            if p > LEAST_CHANCE {
                exits.push((Exit { front, after }, p * weight));
            }
            weight *= PATIENCE;
        }
    }
    exits
}

/// One of the exits, which must not be empty, by weight.
fn pick(exits: &[(Exit, f32)], dice: &mut ChaCha8Rng) -> Exit {
    let sum: f32 = exits.iter().map(|(_, weight)| weight).sum();
    let mut lot = (dice.next_u32() >> 8) as f32 / (1 << 24) as f32 * sum;
    for &(exit, weight) in exits {
        lot -= weight;
        if lot < 0.0 {
            return exit;
        }
    }
    exits[exits.len() - 1].0
}

/// The first k steps of a shortest way with `pauses` pauses, both drawn at random; then it stays.
fn walk(
    ground: &BoardContext,
    from: CellIndex,
    to: CellIndex,
    mut pauses: u8,
    dice: &mut ChaCha8Rng,
) -> Vec<CellIndex> {
    let distances = &ground.distances;
    let mut at = from;
    let mut track = vec![from];
    for _ in 0..ground.k {
        let left = distances.between(at, to);
        let pausing = usize::from(pauses);
        if pausing > 0 && below(dice, usize::from(left) + pausing) < pausing {
            pauses -= 1;
        } else if left > 0 {
            let next = distances.steps(at).iter().copied();
            let nearer: Vec<CellIndex> =
                next.filter(|&next| distances.between(next, to) < left).collect();
            if !nearer.is_empty() {
                at = nearer[below(dice, nearer.len())];
            }
        }
        track.push(at);
    }
    track
}

/// k random steps.
fn wander(ground: &BoardContext, from: CellIndex, dice: &mut ChaCha8Rng) -> EscapeRoute {
    let mut track = vec![from];
    let mut end = from;
    for _ in 0..ground.k {
        end = ground.distances.step(end, any_step(dice));
        track.push(end);
    }
    EscapeRoute { track, end, leaves: None }
}

/// Whether the thief does not seem to run: during the last plan it came no farther than half of its
/// steps, or turned back.
fn dawdles(ground: &BoardContext, seen: &CopsView) -> bool {
    let Some(then) = seen.past.first() else { return false };
    let start = ground.distances.from(ground.cell_index(then.thief));
    let far: Vec<u8> = seen
        .past
        .iter()
        .chain([&seen.now])
        .map(|at| start[usize::from(ground.cell_index(at.thief))])
        .collect();
    // One step says nothing.
    let steps = seen.past.len();
    let came = far.last().map_or(0, |&steps| usize::from(steps));
    steps > 1 && (2 * came <= steps || far.windows(2).any(|pair| pair[1] < pair[0]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::CopsRules;
    use crate::rules::{COPS, Cops, CopsView, STEPS};
    use crate::tests::{chance, game, still};
    use outwit_core::grid::Cell;
    use outwit_core::play::{Chance, Game, PlannerContext};
    use proptest::prelude::*;
    use std::sync::Arc;

    fn context(game: &Arc<Cops>) -> BoardContext {
        BoardContext::new(&PlannerContext { game: Arc::clone(game), seat: COPS, seed: 1 })
    }

    #[test]
    fn who_turns_back_or_hardly_moves_dawdles() {
        let rules = crate::level::CopsRules { k: 4, ..still(9, 2) };
        let game = Arc::new(game(rules));
        let ground = context(&game);
        let view = |xs: &[i32]| -> CopsView {
            let mut seen = game.observe(&[], &game.start(&chance()).unwrap(), COPS);
            let at = |&x: &i32| {
                let thief = Cell::new(x, 3);
                crate::Position { thief, ..seen.now.clone() }
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

    proptest! {
        #[test]
        fn routes_are_ways_of_the_thief(seed in any::<u64>(), k in 1_u32..9, gates in 0_u32..3) {
            let rules = CopsRules { size: Some(9), k, gates, ..CopsRules::default() };
            let game = Arc::new(game(rules));
            let ground = context(&game);
            let seen = game.observe(&[], &game.start(&Chance::new(seed)).unwrap(), COPS);
            let forecast = forecast(&ground, &seen.now);
            let draw = |stream| draw_routes(&ground, &seen, &forecast, &mut ground.dice(stream));
            let routes = draw(3);
            prop_assert_eq!(&routes, &draw(3));
            let ring = game.board().ring();
            for route in &routes {
                prop_assert_eq!(route.track[0], ground.cell_index(seen.now.thief));
                let one_step = |pair: &[CellIndex]| {
                    STEPS.iter().any(|&step| ground.distances.step(pair[0], step) == pair[1])
                };
                prop_assert!(route.track.windows(2).all(one_step));
                let Some(after) = route.leaves else {
                    prop_assert_eq!(route.track.len(), ground.k + 1);
                    continue;
                };
                let is_exit = |place: usize| {
                    ring.front(place).map(|cell| ground.cell_index(cell)) == Some(route.end)
                        && forecast.gated(usize::from(after), place) > LEAST_CHANCE
                };
                prop_assert!((0..ring.len()).any(is_exit));
                prop_assert_eq!(route.track.len(), ground.k.min(usize::from(after)) + 1);
                // What is left of the way fits the time that is left.
                let (last, gone) = (route.track[route.track.len() - 1], route.track.len() - 1);
                let left = usize::from(ground.distances.between(last, route.end));
                prop_assert!(gone + left <= usize::from(after));
            }
            prop_assert_eq!(gates == 0, routes.iter().all(|route| route.leaves.is_none()));
        }
    }
}
