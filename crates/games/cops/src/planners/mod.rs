//! The planners, the plainest of each side first. `novice`, `casual` and `expert` play either side.

mod assignment;
mod chasers;
pub(super) mod context;
mod cover;
mod evader;
mod guards;
mod interception;
mod matrix_game;
mod optimal;
mod oversights;
mod pack;
mod random;
mod reactive;
pub(super) mod response;
mod routes;
mod runner;
#[cfg(test)]
mod tests;
mod ways;

use super::rules::{COPS, Cops, CopsView, Orders, THIEF};
use outwit_core::play::{PlannerContext, PlannerSpec};
use std::sync::Arc;

pub(super) use response::SPEC as RESPONDER;

/// The method that the planners with oversights share.
const OVERSIGHTS: &str = "The novice thief runs as runner does and the novice cops chase as chasers do; the \
    casual ones are evader and guards. But they know only of the cops that they notice: of those far from \
    the thief novice overlooks 60 % and casual 30 %, of those next to it 10 % and 3 %. A cop that its own \
    side overlooks waits. Novice plans the first 60 % of its steps and casual the first 80 %; then they \
    wait. In the same position the same seed overlooks the same cops.";

/// All planners of both seats. The last ones are those that are strongest on any board.
pub const ALL: &[PlannerSpec<Cops>] = &[
    PlannerSpec {
        name: "random",
        algorithm: "Uniform random walk",
        about: "Chooses every step at random: the baseline for all other planners.",
        method: "Every step is chosen at random from the five: stay, right, down, left, up. \
                 Plans do not depend on the position. The others are measured against it.",
        seats: |_| true,
        make: random::make,
    },
    PlannerSpec {
        name: "novice",
        algorithm: "A*, with oversights",
        about: "Overlooks most cops that are far away and plans only part of its steps: for a first game.",
        method: OVERSIGHTS,
        seats: |_| true,
        make: oversights::make_novice,
    },
    PlannerSpec {
        name: "runner",
        algorithm: "A* with a cost field",
        about: "A* to the gate that is cheapest to reach; cells near cops cost more.",
        method: "Each cell costs more the nearer cops are: the square of 6 minus the \
                 distance, summed over the cops. Walls cost extra where they stand now. A* \
                 finds the cheapest path to a cell in front of any gate and follows \
                 it for one plan. At the gate it pushes outwards until the gate is there.",
        seats: |seat| seat == THIEF,
        make: runner::make,
    },
    PlannerSpec {
        name: "chasers",
        algorithm: "A* per cop",
        about: "A* of each cop to the thief.",
        method: "Each cop follows a shortest path to the thief's present cell by A*, with \
                 extra cost where walls stand now. Cops do not coordinate and do not \
                 predict.",
        seats: |seat| seat == COPS,
        make: chasers::make,
    },
    PlannerSpec {
        name: "casual",
        algorithm: "TrailMax or assignment, with oversights",
        about: "Overlooks some cops that are far away and dawdles at the end of a plan.",
        method: OVERSIGHTS,
        seats: |_| true,
        make: oversights::make_casual,
    },
    PlannerSpec {
        name: "evader",
        algorithm: "TrailMax (Moldenhauer and Sturtevant 2009)",
        about: "Runs to the cell that the cops reach last, or through a gate that it reaches \
                before them.",
        method: "It floods the cells that it reaches before any cop, step by step, on \
                 predicted walls. Among them it heads for the one that cops reach last. A \
                 gate that it reaches first is better than any cell if the chance that it is \
                 there in time is over 25 %.",
        seats: |seat| seat == THIEF,
        make: evader::make,
    },
    PlannerSpec {
        name: "guards",
        algorithm: "Assignment of cops to gates",
        about: "Some hold the gates, the rest hunt the thief.",
        method: "Each gate gets a guard where it is likely to be when the plan is over, those \
                 nearest to the thief first; a gate that the thief is near gets two if there \
                 are enough cops. At least one cop hunts. The \
                 Hungarian method assigns cops to posts with the least sum of squared \
                 distances. 64 routes of the thief are drawn at random: to gates and to cells \
                 that it reaches first. On the way to their posts guards meet as many as \
                 they can; the other cops meet those that are left.",
        seats: |seat| seat == COPS,
        make: guards::make,
    },
    PlannerSpec {
        name: "pack",
        algorithm: "Interception of sampled routes",
        about: "Draws routes that the thief may take and cuts off as many as it can.",
        method: "64 routes of the thief are drawn at random: shortest paths, with pauses, to \
                 where gates are likely to be, fewer to gates that cops reach long before \
                 it, and to cells that it reaches first. A thief that dawdles is expected \
                 to wander. One cop after another takes the plan that meets most of the \
                 routes that are left, or from which it can be at a gate before the thief; \
                 dynamic programming over cells and ticks finds it.",
        seats: |seat| seat == COPS,
        make: pack::make,
    },
    PlannerSpec {
        name: "cover",
        algorithm: "Greedy coverage",
        about: "Each cop in turn takes from the thief as many cells as it can reach first.",
        method: "A cell is the thief's if it reaches it before any cop. Like the planner pack, \
                 it draws routes of the thief at random, and so where the thief will be after \
                 the plan. Each cop in turn chooses the plan that takes most cells from it, \
                 above all cells before gates, given the plans chosen so far, and that meets \
                 most of the thief's routes on the way.",
        seats: |seat| seat == COPS,
        make: cover::make,
    },
    PlannerSpec {
        name: "expert",
        algorithm: "Double oracle on a simultaneous matrix game, cut short",
        about: "Weighs plans against plans as the strongest planners do, but only briefly. It \
                overlooks nothing.",
        method: "It solves the same game of plans against plans as the strongest planners, \
                 schemer and marshal, but stops after 2,000 units of work for each plan, or 4 \
                 for each cell of a large board, however much time it has. So it knows fewer \
                 replies of the other side and mixes its own plans less well.",
        seats: |_| true,
        make: matrix_game::make_expert,
    },
    PlannerSpec {
        name: "optimal",
        algorithm: "Retrograde analysis with mixed strategies (Shapley 1953)",
        about: "Nobody earns more against it than the exact value, on small boards where nothing moves by itself.",
        method: "Back from the last tick, each position is a matrix game of the thief's steps and the \
                 joint steps of the cops, solved as a linear programme. It draws its steps from \
                 the shares of that solution. This needs walls and gates that stand still, plans of \
                 one step (k = 1) and a small board; elsewhere, and where its preparation was cut \
                 short, it plays like schemer or marshal and says so.",
        seats: |_| true,
        make: optimal::make,
    },
    PlannerSpec {
        name: "schemer",
        algorithm: "Double oracle on a simultaneous matrix game",
        about: "Solves the game of plans against plans on predicted walls and gates; the strongest thief.",
        method: "Both sides choose their steps blindly, so a plan is a move in a matrix \
                 game. Entries are expected payoffs over 12 predicted futures of walls and \
                 gates. The matrix starts with the plans of the plain planners and grows by \
                 the best of all replies of the thief and of each cop. Regret matching \
                 solves it. Plain planners that fit the opponent's past moves get a share \
                 of its mixture, which is small until they show. On small boards where nothing moves \
                 by itself and k is 1, exact values take the place of the guess at what a position \
                 is worth when a plan is over.",
        seats: |seat| seat == THIEF,
        make: matrix_game::make_schemer,
    },
    PlannerSpec {
        name: "marshal",
        algorithm: "Double oracle on a simultaneous matrix game",
        about: "Solves the game of joint plans against several guessed thieves; the strongest cops.",
        method: "Like the planner schemer, but for the cops: plans of the thief against joint \
                 plans of all cops, in predicted futures. Best replies change the plans of the \
                 cops one after the other. Several guessed thieves share the thief's mixture by \
                 how well they fit its moves. Against a thief that wanders at random the cops \
                 sweep the cells where it may be.",
        seats: |seat| seat == COPS,
        make: matrix_game::make_marshal,
    },
];

/// The names of the planners of a seat, the plainest first.
pub fn names(seat: outwit_core::play::Seat) -> impl Iterator<Item = &'static str> {
    ALL.iter().filter(move |spec| (spec.seats)(seat)).map(|spec| spec.name)
}

/// What each plain planner of the seat that sees this would do, the plainest first.
pub(super) fn plain_plans(ground: &context::BoardContext, seen: &CopsView) -> Vec<Orders> {
    let suspects = matrix_game::suspects(seen.seat).iter();
    suspects.map(|suspect| (suspect.policy)(ground, seen).orders).collect()
}

/// What a good but quick planner would do, and its name: a hint for people. Where the exact values are known it is the
/// likeliest steps of perfect play.
pub fn advice(game: &Arc<Cops>, seen: &CopsView) -> (Orders, &'static str) {
    if let Some(orders) = optimal::likeliest(game, seen) {
        return (orders, "optimal");
    }
    let own = PlannerContext { game: Arc::clone(game), seat: seen.seat, seed: 0 };
    let ground = context::BoardContext::new(&own);
    if seen.seat == THIEF {
        (evader::plan(&ground, seen).orders, "evader")
    } else {
        (pack::plan(&ground, seen).orders, "pack")
    }
}
