//! The best dead end: the path that gets stuck with the lowest fitness.

use super::exact::spread;
use super::ground::{Ground, RatedRoute};
use super::route::{Route, RouteMove};

/// What is known of the best path that gets stuck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestDeadEnd {
    /// The best one found, if any was.
    pub best: Option<RatedRoute>,
    /// Whether the search ended: then no dead end is better, or there is none below the limit.
    pub is_proved: bool,
}

/// Searches for the path that gets stuck with the lowest fitness, below `limit` if one is given, by
/// depth-first branch and bound over legal paths; gives up after `nodes` moves.
///
/// Whether a path is stuck depends on every cell it entered, so no cheapest path helps, and the search
/// may take exponential time. The bound of a path is the least fitness with which any cheapest way
/// on could end, dead end or not.
pub fn best_dead_end(ground: &Ground, limit: Option<i128>, nodes: u64) -> BestDeadEnd {
    let goal = ground.goal_index();
    let mut bound: Vec<Option<i128>> = (0..ground.states())
        .map(|state| {
            let at = ground.cell_of(state);
            // Next to the goal a path can go on, unless a guard is in the way.
            let can_end = at != goal
                && !ground.tiles().as_slice()[at].is_closed()
                && ground.ways_from(state).all(|(_, next)| ground.cell_of(next) != goal);
            can_end.then(|| ground.end_value(at))
        })
        .collect();
    spread(ground, &mut bound);
    let mut search = Search {
        ground,
        bound,
        entered: vec![false; ground.tiles().len()],
        moves: Vec::new(),
        best: None,
        limit,
        nodes,
    };
    let is_proved = search.run();
    BestDeadEnd { best: search.best, is_proved }
}

struct Search<'a> {
    ground: &'a Ground,
    /// The least that a path from each state can still add, whatever was entered before.
    bound: Vec<Option<i128>>,
    entered: Vec<bool>,
    moves: Vec<RouteMove>,
    best: Option<RatedRoute>,
    limit: Option<i128>,
    nodes: u64,
}

/// A cell of the path with the ways that are still to be tried, the best last.
struct Visit {
    /// The state.
    at: usize,
    cost: i128,
    ways: Vec<(i128, RouteMove, usize)>,
}

impl Search<'_> {
    /// Whether it came to its end. Keeps its own stack: a path may be thousands of moves long.
    fn run(&mut self) -> bool {
        let mut path = vec![self.visit(self.ground.start_index(), 0)];
        while let Some(visit) = path.last_mut() {
            let Some((bound, step, next)) = visit.ways.pop() else {
                self.entered[self.ground.cell_of(visit.at)] = false;
                self.moves.pop();
                path.pop();
                continue;
            };
            if self.limit.is_some_and(|limit| bound >= limit) {
                continue;
            }
            if self.nodes == 0 {
                return false;
            }
            self.nodes -= 1;
            let cost = visit.cost + self.ground.weighted_cost(next);
            self.moves.push(step);
            let visit = self.visit(next, cost);
            path.push(visit);
        }
        true
    }

    /// Enters a state; notes the path if it is stuck there.
    fn visit(&mut self, at: usize, cost: i128) -> Visit {
        self.entered[self.ground.cell_of(at)] = true;
        let goal = self.ground.goal_index();
        let mut is_stuck = true;
        let mut ways = Vec::new();
        for (step, next) in self.ground.ways_from(at) {
            if self.entered[self.ground.cell_of(next)] {
                continue;
            }
            is_stuck = false;
            if self.ground.cell_of(next) != goal
                && let Some(bound) = self.bound[next]
            {
                ways.push((cost + self.ground.weighted_cost(next) + bound, step, next));
            }
        }
        ways.sort_unstable_by(|a, b| b.cmp(a));
        let fitness = cost + self.ground.end_value(self.ground.cell_of(at));
        if is_stuck && self.limit.is_none_or(|limit| fitness < limit) {
            self.limit = Some(fitness);
            self.best = Some(RatedRoute { route: Route(self.moves.clone()), fitness });
        }
        Visit { at, cost, ways }
    }
}
