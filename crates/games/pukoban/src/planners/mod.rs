//! Planners, the plainest first.

mod random;
mod solver;
#[cfg(test)]
mod tests;

pub use solver::MEMORY_LIMIT;

use super::Pukoban;
use super::search::{Heuristic, Method};
use outwit_core::play::{Planner, PlannerContext, PlannerSpec};
use outwit_core::search::{Evaluation, Ties};
use outwit_kit::{SearchName, SearchNameError};

/// A planner that searches, and what its answers are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchPlanner {
    /// Its name among [`ALL`].
    pub name: &'static str,
    /// How it searches.
    pub method: Method,
    /// The factor of the least cost that no solution exceeds with which it ends: 1 if it is optimal, `None`
    /// if nothing is promised. The cost is what the level's objective counts, steps or box moves.
    pub bound: Option<u32>,
}

impl SearchPlanner {
    /// Whether what it finds has the least cost.
    pub fn is_optimal(&self) -> bool {
        self.bound == Some(1)
    }
}

const fn search(name: &'static str, method: Method, bound: Option<u32>) -> SearchPlanner {
    SearchPlanner { name, method, bound }
}

/// A search whose solutions are optimal.
const fn optimal(name: &'static str, method: Method) -> SearchPlanner {
    search(name, method, Some(1))
}

const UNIFORM_COST: Method = Method::BestFirst(Evaluation::UniformCost, Heuristic::None);
const ASTAR_H1: Method = Method::BestFirst(Evaluation::AStar, Heuristic::Nearest);
const ASTAR_H2: Method = Method::BestFirst(Evaluation::AStar, Heuristic::NearestAndTurns(1));
const ASTAR_H3: Method = Method::BestFirst(Evaluation::AStar, Heuristic::NearestAndTurns(2));
const GREEDY: Method = Method::BestFirst(Evaluation::Greedy, Heuristic::Nearest);
const ASTAR_MATCHING: Method = Method::BestFirst(Evaluation::AStar, Heuristic::Matching);
/// The weight of the estimate in weighted A*, and so the factor within which its solutions are.
const WEIGHT: u32 = 3;
const ASTAR_WEIGHTED: Method = Method::BestFirst(Evaluation::Weighted(WEIGHT), Heuristic::Matching);
/// No match has more steps than this.
const DEPTH_FIRST: Method = Method::Depth(100_000);

/// The planners that search, in the order of [`ALL`].
pub static SEARCHES: &[SearchPlanner] = &[
    search("depth-first", DEPTH_FIRST, None),
    optimal("breadth-first", Method::Breadth),
    optimal("uniform-cost", UNIFORM_COST),
    search("greedy", GREEDY, None),
    search("astar-weighted", ASTAR_WEIGHTED, Some(WEIGHT)),
    search("astar-h3", ASTAR_H3, None),
    search("astar-h2", ASTAR_H2, None),
    optimal("astar-h1", ASTAR_H1),
    optimal("astar-matching", ASTAR_MATCHING),
    optimal("bidirectional", Method::Bidirectional),
    optimal("best", Method::Meet),
];

/// The names of [`SEARCHES`], the yardstick for the others first.
pub fn compared() -> Vec<&'static str> {
    let others = SEARCHES.iter().map(|search| search.name);
    let yardstick = "uniform-cost";
    std::iter::once(yardstick).chain(others.filter(|&name| name != yardstick)).collect()
}

/// The search of this [name](SearchName): a planner among [`SEARCHES`], with other settings if the name says so.
///
/// Weighted A* never exceeds its weight times the least cost where the estimate is admissible. How ties are broken
/// changes no bound.
///
/// # Errors
/// If there is no such search, or it has no such settings.
pub fn search_of(name: &str) -> Result<SearchPlanner, SearchNameError> {
    let planner = SearchName::planner_of(name);
    let usual = SEARCHES.iter().find(|search| search.name == planner);
    let usual = usual.ok_or_else(|| SearchNameError::Unknown(planner.into()))?;
    let named = SearchName::read(name)?;
    if !named.has_settings() {
        return Ok(*usual);
    }
    let (evaluation, estimate) = match usual.method {
        Method::BestFirst(evaluation, estimate) => (Some(evaluation), estimate),
        _ => (None, Heuristic::None),
    };
    let Some(evaluation) = named.evaluation(evaluation)? else { return Ok(*usual) };
    let method = match (evaluation, named.ties) {
        (Evaluation::AStar, None) => Method::BestFirst(evaluation, estimate),
        // A weight may lead beyond what buckets tell apart. They take the latest first, and so does this.
        (_, ties) => Method::BreakingTies(evaluation, estimate, ties.unwrap_or(Ties::Lifo)),
    };
    let bound = match evaluation {
        Evaluation::Weighted(weight) => usual.bound.map(|_| weight),
        Evaluation::AStar => usual.bound.map(|_| 1),
        Evaluation::UniformCost | Evaluation::Greedy => usual.bound,
    };
    Ok(SearchPlanner { method, bound, ..*usual })
}

fn solver(context: PlannerContext<Pukoban>, method: Method) -> Box<dyn Planner<Pukoban>> {
    Box::new(solver::Solver::new(context, method))
}

/// All planners.
pub static ALL: &[PlannerSpec<Pukoban>] = &[
    PlannerSpec {
        name: "random",
        algorithm: "Uniform random walk",
        about: "Takes random legal steps: the baseline for all other planners.",
        method: "Every step is chosen at random from the legal ones: walks, pushes and pulls alike. \
                 It remembers nothing and searches nothing, so it solves only the smallest levels.",
        seats: |_| true,
        make: |context| Box::new(random::Random::new(context)),
    },
    PlannerSpec {
        name: "depth-first",
        algorithm: "Depth-first search with a set of visited states",
        about: "Always continues from the state that it found last. Its solutions are very long, \
                often longer than the step limit allows.",
        method: "It always expands the state that was found last and turns back only where \
                 everything around is known. No state is expanded twice, so it never runs in \
                 circles and in the end finds a solution if there is one, but hardly ever a short \
                 one. Nothing deeper than 100,000 moves is expanded.",
        seats: |_| true,
        make: |context| solver(context, DEPTH_FIRST),
    },
    PlannerSpec {
        name: "breadth-first",
        algorithm: "Breadth-first search",
        about: "Finds a shortest solution by going through all states, layer by layer.",
        method: "All states one move away from the start are expanded, then all that are two away, \
                 and so on. A move is a step, or with fewest box moves a push or pull with the walk \
                 before it, so every move costs the same and the first solution is a shortest one. \
                 The states wait in the order in which they were found: no priority queue is needed.",
        seats: |_| true,
        make: |context| solver(context, Method::Breadth),
    },
    PlannerSpec {
        name: "uniform-cost",
        algorithm: "Uniform-cost search (Dijkstra)",
        about: "Finds a shortest solution by always expanding the state that is cheapest to reach: \
                the yardstick for all others.",
        method: "The frontier is ordered by the cost from the start; here it is an array of buckets, \
                 so the next state is found at once. States are packed into a few bytes and found \
                 again by Zobrist keys, which each move changes by a few operations. What it finds is \
                 proved: nothing cheaper is left when a solution comes up.",
        seats: |_| true,
        make: |context| solver(context, UNIFORM_COST),
    },
    PlannerSpec {
        name: "greedy",
        algorithm: "Greedy best-first search",
        about: "Always expands the state that looks nearest to a solution by h1: quick, and its \
                solutions are longer than necessary.",
        method: "It looks only at h1, the sum over all goals of the distance to the nearest box, and \
                 not at what it cost to get there. So it runs straight towards what looks good and \
                 takes the first solution that it meets, however long. A cheaper way to a known state \
                 does not change h1, so no state is expanded twice.",
        seats: |_| true,
        make: |context| solver(context, GREEDY),
    },
    PlannerSpec {
        name: "astar-weighted",
        algorithm: "Weighted A* with minimum-cost matching",
        about: "A* that counts its estimate three times. Quick, and its solutions are never longer than \
                three times the shortest; mostly they are close to it.",
        method: "It expands the state with the least sum of the cost so far and three times the estimate \
                 of astar-matching, which draws it towards the goal. Some state on a shortest way is \
                 always in the frontier, and its sum is at most three times that way's cost, since the \
                 estimate never exceeds the truth. So what it finds costs at most three times the \
                 optimum in what the level counts, steps or box moves. A state that is reached again at \
                 less cost is expanded again.",
        seats: |_| true,
        make: |context| solver(context, ASTAR_WEIGHTED),
    },
    PlannerSpec {
        name: "astar-h3",
        algorithm: "A* with an inadmissible estimate",
        about: "Estimates by h1 and 2 for each turn of a box. The turns are not admissible, so what it \
                finds need not be the shortest.",
        method: "h3 takes h1 and adds 2 for each turn on the nearest box's shortest way to the goal, \
                 since the player has to walk around a box to move it another way. But one walk may \
                 serve two boxes, and a longer way may need fewer turns, so h3 can exceed the truth \
                 and A* may miss the shortest solution. All of it is looked up in tables.",
        seats: |_| true,
        make: |context| solver(context, ASTAR_H3),
    },
    PlannerSpec {
        name: "astar-h2",
        algorithm: "A* with an inadmissible estimate",
        about: "Estimates by h1 and 1 for each turn of a box. The turns are not admissible, so what it \
                finds need not be the shortest.",
        method: "h2 takes h1 and adds 1 for each turn on the nearest box's shortest way to the goal. \
                 This brings it nearer to the truth than h1, and sometimes beyond it: then A* may \
                 miss the shortest solution. All of it is looked up in tables.",
        seats: |_| true,
        make: |context| solver(context, ASTAR_H2),
    },
    PlannerSpec {
        name: "astar-h1",
        algorithm: "A* with an admissible estimate (Martelli's algorithm B)",
        about: "Estimates by h1: the sum over all goals of the distance to the nearest box. Admissible, \
                so it finds a shortest solution.",
        method: "A* expands the state with the least sum of the cost so far and the estimate of what \
                 is to come. Each goal must be filled by a box of its own, which is at least as far \
                 away as the nearest one, so h1 never exceeds the truth. But it can fall by more than \
                 a move costs. So of the states whose sum is not above the largest so far, the one \
                 that is cheapest to reach comes first, and few are expanded twice (Martelli's \
                 algorithm B). The distances around walls are looked up in a \
                 table that is made once.",
        seats: |_| true,
        make: |context| solver(context, ASTAR_H1),
    },
    PlannerSpec {
        name: "astar-matching",
        algorithm: "A* with minimum-cost matching",
        about: "Estimates by the cheapest way to give each goal a box of its own. Finds a shortest \
                solution and expands fewer states than with h1.",
        method: "For each box and goal a table holds the pushes and pulls that the box would need if \
                 it were alone, or the pushes where it can only be pushed; a state from which the goals \
                 cannot all be filled is left out then. The estimate is the least sum over all ways to give each goal a box \
                 of its own; the player's walks are left out. It never exceeds the truth and never \
                 falls by more than a move costs, so no state is expanded twice.",
        seats: |_| true,
        make: |context| solver(context, ASTAR_MATCHING),
    },
    PlannerSpec {
        name: "bidirectional",
        algorithm: "Bidirectional breadth-first search",
        about: "Searches from the start and back from the solved states until both meet. Finds a \
                shortest solution.",
        method: "The search can also go back from the states in which all goals are filled: by moves \
                 that undo others, or with pulls where boxes can only be pushed. It does so once it has found as many states as there are of \
                 these, and from then on continues with the side whose layer is the smaller one. Two \
                 searches of half the depth together see far fewer states than one of full depth, and \
                 where their layers first meet the solution is a shortest one.",
        seats: |_| true,
        make: |context| solver(context, Method::Bidirectional),
    },
    PlannerSpec {
        name: "best",
        algorithm: "Bidirectional heuristic search (BAE*) over sets of states",
        about: "Searches from both ends with estimates, and handles all states with the same \
                boxes at once. Finds a shortest solution and proves it, faster than the others \
                on all but some of the smallest levels.",
        method: "All states with the same boxes that are reached at the same cost are one bit mask of \
                 player's cells: four shifts walk them all, and a few more operations tell which \
                 boxes can be pushed and pulled. Both sides expand what has the least 2g + h - h', \
                 where h is the minimum-cost matching ahead and h' the one back to where the side \
                 began. It ends when nothing that is left can be cheaper than the best path found. \
                 Where boxes can only be pushed, the side that goes back from the solved states pulls \
                 them; the estimate knows on which side of a door the player is, boxes that block each \
                 other for ever end a line, and with fewest pushes an area that the player can only \
                 push into comes first. \
                 The first states are searched without estimates, since easy levels need none, and \
                 the largest maps by A* with the same estimate. After some hundred thousand states \
                 weighted A* joins in, begun anew with smaller and smaller weights: a solution is then mostly \
                 known long before the shortest one is proved. With a budget of time, it does so on \
                 a second thread where a core is free.",
        seats: |_| true,
        make: |context| solver(context, Method::Meet),
    },
];
