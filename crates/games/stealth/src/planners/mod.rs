//! Planners, the plainest first.

mod evolution;
mod exact;
mod improved;
mod in_fog;
mod individual;
mod random_walks;

pub use evolution::{Crossover, Evolution, GeneticOptions, Mutation};
pub use individual::Individual;
pub(super) use individual::{EVALUATIONS_TO_BEST, GENERATIONS_TO_BEST};

use super::Stealth;
use outwit_core::play::PlannerSpec;

/// All planners. Each counts one unit of work for each path that it rates, and `exact` for each cell
/// that it settles and each walk that it extends. In the fog each makes a new plan before every move, on the
/// house as far as the thief knows it.
pub static ALL: &[PlannerSpec<Stealth>] = &[
    PlannerSpec {
        name: "random-walks",
        algorithm: "Random self-avoiding walks",
        about: "Tries as many random paths as the genetic algorithm and keeps the best: the \
                baseline for all other planners.",
        method: "Every path goes to a random neighbouring cell that it has not entered, until it is at \
                 the goal or stuck. The path with the best fitness is kept. Nothing is learned from \
                 one path for the next.",
        seats: |_| true,
        make: |context| {
            in_fog::planner(context, |context| Box::new(random_walks::RandomWalks::new(context)))
        },
    },
    PlannerSpec {
        name: "genetic",
        algorithm: "Genetic algorithm with repair",
        about: "Breeds 50 paths over 100 generations and keeps no elite, unless the level says otherwise. On maps with tempting dead ends it often ends in one.",
        method: "Parents win tournaments of 5. Each is cut at a point of its own and the tails are \
                 swapped. Then moves that collide or enter a cell again are dropped, what follows the \
                 goal is cut off, and random moves are added until the path is stuck or at the goal. \
                 Some individuals get one random move changed; the probability falls from 15 % to \
                 nothing. The best of the last generation is played. The rules of the level hold all \
                 parameters.",
        seats: |_| true,
        make: |context| {
            in_fog::planner(context, |context| Box::new(evolution::Genetic::new(context)))
        },
    },
    PlannerSpec {
        name: "genetic+",
        algorithm: "Steady-state genetic algorithm with crowding",
        about: "A genetic algorithm of paths to the goal, with the same number of evaluations.",
        method: "The first paths are loop-erased random walks to the goal. A mutation leaves a path at a \
                 random cell and walks at random until it meets the path again; a crossover joins two \
                 paths in a cell that both enter. Loops are cut, and where a path comes back next to \
                 itself it is cut across. A child takes the place of its parent if it is no worse, \
                 which keeps different paths alive. Among patrols a path that runs into a guard is cut off \
                 there and goes on at random.",
        seats: |_| true,
        make: |context| {
            in_fog::planner(context, |context| Box::new(improved::Improved::new(context)))
        },
    },
    PlannerSpec {
        name: "exact",
        algorithm: "Uniform-cost search (Dijkstra)",
        about: "Finds the best complete path and proves it.",
        method: "Every cell costs something to enter, so a cheapest way never enters a cell twice and is \
                 a legal path. All complete paths end at the goal, so only their cost decides. The \
                 cells are settled in the order of their least cost from the start; when the goal is \
                 settled, no complete path is better. Dead ends are not looked at. Among patrols it searches over \
                 cell and turn, and where the cheapest walk enters a cell twice, it searches again and \
                 remembers that cell; past 300,000 walks it gives up and proves nothing.",
        seats: |_| true,
        make: |context| in_fog::planner(context, |context| Box::new(exact::Exact::new(context))),
    },
];

#[cfg(test)]
mod tests;
