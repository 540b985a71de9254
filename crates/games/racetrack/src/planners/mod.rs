//! Drivers, the plainest first. From `novice` on each is faster on average than the one before; `greedy` is
//! somewhere among them, depending on the track. The other searches are there to be studied.

mod ahead;
mod optimal;
mod rival;
mod roadcraft;
mod searcher;
mod sight;
mod space;
mod states;
mod traffic;

pub use rival::RIVAL;
pub use searcher::{CarSearch, FoundRace, MEMORY, find_race, measure, stream};
pub use space::{State, StateSpace};
pub use states::Method;

use super::Racetrack;
use outwit_core::play::PlannerSpec;
use outwit_kit::{SearchName, SearchNameError};

/// The drivers that search a graph of states one by one, the yardstick for the others first.
const SEARCHES: [(&str, Method); 5] = [
    ("uniform-cost", Method::UniformCost),
    ("breadth-first", Method::Breadth),
    ("astar-cells", Method::AStarCells),
    ("astar-turns", Method::AStarTurns),
    ("greedy", Method::Sight),
];

/// Those of them that are there to be studied.
pub const STUDIES: &[&str] = &["breadth-first", "uniform-cost", "astar-cells", "astar-turns"];

/// The names of the drivers that search.
pub fn searches() -> impl Iterator<Item = &'static str> {
    SEARCHES.iter().map(|&(name, _)| name)
}

/// The search of this [name](SearchName): that of a driver, with other settings if the name says so.
///
/// # Errors
/// If no driver of this name searches, or its search has no such settings.
pub fn search_of(name: &str) -> Result<CarSearch, SearchNameError> {
    let planner = SearchName::planner_of(name);
    let known = SEARCHES.iter().find(|(known, _)| *known == planner);
    let &(_, method) = known.ok_or_else(|| SearchNameError::Unknown(planner.into()))?;
    let named = SearchName::read(name)?;
    let evaluation = named.evaluation(method.evaluation())?;
    Ok(CarSearch { method, evaluation, ties: named.ties })
}

/// All drivers.
pub static ALL: &[PlannerSpec<Racetrack>] = &[
    PlannerSpec {
        name: "greedy",
        algorithm: "Greedy best-first search",
        about: "Heads for what it sees of a shortest route and never compares times. Good where \
                the shortest way is also the fastest, as on roads one cell wide or under low \
                speed limits; slow where it pays to brake in time.",
        method: "A shortest route over the track is found first, without regard to speed. A cell \
                 is as good as the nearest point of that route in plain sight, plus the rest of \
                 the route. Greedy best-first search always expands the state whose cell is best \
                 and stops at the first way to the finish. It never compares times, so how fast \
                 it is depends on the track: about as fast as the planner novice where the \
                 shortest way can be driven fast, as on Spiral and Switchback, and much slower \
                 where it pays to slow down in time, as on Chicane and Drag strip. On a road one \
                 cell wide, or where no car may go faster than 2 cells per turn, hardly any way \
                 is faster than the shortest one: there it beats novice, and often clubman, \
                 because those two lose time when they react late.",
        seats: |_| true,
        make: |context| Box::new(searcher::Searcher::new(context, Method::Sight)),
    },
    PlannerSpec {
        name: "breadth-first",
        algorithm: "Breadth-first search",
        about: "Goes through all states of cell and velocity, turn by turn, and drives the first way to the finish \
                that it finds.",
        method: "A state is a cell, a velocity and the gates passed; a move is one of the accelerations. All states \
                 one move away are expanded, then all that are two away, and so on, so the way that it finds has the \
                 fewest moves. Where a crash costs turns these need not be the fewest turns. Of the ways with equally \
                 many it takes the one found first, not the one that crosses the line earliest. Until the search is \
                 done the car stays where it is.",
        seats: |_| true,
        make: |context| Box::new(searcher::Searcher::new(context, Method::Breadth)),
    },
    PlannerSpec {
        name: "uniform-cost",
        algorithm: "Uniform-cost search (Dijkstra)",
        about: "Always expands the state that takes the fewest turns to reach, and so finds a race of the fewest \
                whole turns.",
        method: "As breadth-first, but ordered by turns and not by moves: where a crash costs turns, the moves after \
                 it come later. Nothing cheaper is left when it comes to the finish, so no race has fewer whole turns. \
                 What part of the last turn is driven it does not compare: the planner optimal does.",
        seats: |_| true,
        make: |context| Box::new(searcher::Searcher::new(context, Method::UniformCost)),
    },
    PlannerSpec {
        name: "astar-cells",
        algorithm: "A* with an inadmissible estimate",
        about: "A* with the length of the way left as its estimate: quick, and mostly slow on the road.",
        method: "It adds to the turns so far the cells of the shortest way left. But a turn may cover many cells, so the \
                 sum exceeds the truth, and what looks short is taken for fast: A* is no guarantee of anything then. \
                 This is why a distance does not guide a race, as the authors of the original program found.",
        seats: |_| true,
        make: |context| Box::new(searcher::Searcher::new(context, Method::AStarCells)),
    },
    PlannerSpec {
        name: "astar-turns",
        algorithm: "A* with an admissible and consistent estimate",
        about: "A* with the fewest turns in which the way left could be driven: as few turns as uniform-cost, after \
                fewer states.",
        method: "The estimate is the number of turns that the shortest way left takes a car that is faster by one cell \
                 with each turn, up to the limit, and never has to brake. A turn covers at most as many cells as the \
                 larger part of the velocity, which rises by at most 1, so the estimate never exceeds the truth and no \
                 state is expanded twice.",
        seats: |_| true,
        make: |context| Box::new(searcher::Searcher::new(context, Method::AStarTurns)),
    },
    PlannerSpec {
        name: "novice",
        algorithm: "Beam search, 5 turns ahead",
        about: "Looks five turns ahead, never drives faster than 8 cells per turn and often reacts late.",
        method: LOOK_AHEAD,
        seats: |_| true,
        make: |context| Box::new(ahead::Ahead::new(context, ahead::NOVICE)),
    },
    PlannerSpec {
        name: "clubman",
        algorithm: "Beam search, 7 turns ahead",
        about: "Looks seven turns ahead and drives flat out, but reacts late now and then.",
        method: LOOK_AHEAD,
        seats: |_| true,
        make: |context| Box::new(ahead::Ahead::new(context, ahead::CLUBMAN)),
    },
    PlannerSpec {
        name: "ace",
        algorithm: "Beam search, 8 turns ahead",
        about: "Looks eight turns ahead, is never late and sets up most bends well.",
        method: LOOK_AHEAD,
        seats: |_| true,
        make: |context| Box::new(ahead::Ahead::new(context, ahead::ACE)),
    },
    PlannerSpec {
        name: "optimal",
        algorithm: "Retrograde analysis (backward breadth-first search)",
        about: "Knows the least time to the finish from every state, to the fraction of a turn, where the \
                table fits in memory.",
        method: "Before the race it goes back from the finish, layer by layer, over all states \
                 of position, velocity and gates passed, with one bit for each state. The table \
                 then holds the exact number of turns from everywhere. Among the races with the \
                 fewest turns it finds the one that crosses the line earliest in its last move, \
                 by a depth-first search over the moves that lose no turn. Among cars that \
                 block each other it only makes moves after which all can still brake. If the \
                 table is too large or not ready in time, it drives like the planner ace.",
        seats: |_| true,
        make: |context| Box::new(optimal::Optimal::new(context)),
    },
];

/// The method that the human-like drivers share.
const LOOK_AHEAD: &str = "It tries all moves for some turns ahead, layer by layer, and keeps the \
                          most promising states of each layer: those with the shortest way left, \
                          speed counted in. It enters no state from which it could not brake to \
                          a stop on the track, unless it can finish in the next turn. Under a \
                          low speed limit it looks more turns ahead, so that it sees as many \
                          cells ahead as elsewhere. Weaker drivers look less far, and in random \
                          turns they react late: they do once more what they did in the turn \
                          before, or what comes nearest to it where that would be a crash or too \
                          fast. The novice also dares less speed. When a driver comes to a state \
                          that it has seen before, it looks a turn further. Among cars that \
                          block each other it only makes moves after which all can still brake.";

#[cfg(test)]
mod tests;
