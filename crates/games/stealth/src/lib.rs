//! Stealth: a thief's path past guards, evolved by a genetic algorithm and proved by exact search.
//!
//! The thief draws a whole path, which is rated once. Cells in a guard's sight cost more.
//! Costs, fitness and the genetic algorithm follow the original report, whose printed values are
//! reproduced exactly. Beyond the report, guards may walk in loops ([`patrol`]), opposed rolls decide
//! whether they notice the thief ([`noticing`]), and in the [fog] it knows only what it has seen.

pub mod dead_end;
mod drawing;
pub mod exact;
mod faults;
pub mod fog;
pub mod front;
mod generator;
pub mod ground;
mod import;
pub mod level;
pub mod noticing;
pub mod patrol;
mod planes;
pub mod planners;
pub mod review;
pub mod route;
pub mod rules;
pub mod sight;
mod simple_path;
mod solve;
pub mod statistics;
mod summary;
#[cfg(test)]
mod tests;

pub use ground::{ExactAmount, Ground, RatedRoute, RouteEnd};
pub use level::{GroundTile, StealthFile, StealthRules};
pub use route::{Route, RouteMove};
pub use rules::{Glimpse, Heist, Stealth, StealthEvent};

use outwit_core::play::{Better, Match, PlannerSpec, ScoreSpec, Seat, Unit};
use outwit_kit::{GameInfo, GameSpec, MapSpec, Notation, PlaneSpec, SolverSpec, Tables};

/// What fitness is counted in.
pub const POINTS: Unit = Unit { one: "point", many: "points" };

/// What people compare of complete paths. Their fitness ranks them alike, in numbers that are often below 0.
const COST: ScoreSpec = ScoreSpec { name: "cost", unit: POINTS, better: Better::Lower };

/// Only complete paths have records: a dead end may be rated better than any of them.
fn results(played: &Match<Stealth>, _seat: Seat) -> Vec<(ScoreSpec, f64)> {
    let heist = played.state();
    match (heist.taken(), played.game().end(heist)) {
        (Some(route), Some(RouteEnd::Goal)) => {
            let ground = played.game().ground();
            vec![(COST, ground.number(ground.route_cost(route)))]
        }
        _ => Vec::new(),
    }
}

impl GameSpec for Stealth {
    type Rules = StealthRules;
    const INFO: GameInfo = GameInfo {
        name: "Stealth",
        about: "Draw a thief's path past the guards to the chest.",
        format: level::FORMAT,
        first_level: "01-way-in",
    };
    const MAPS: MapSpec<Self> = drawing::MAPS;
    const PLANES: Option<PlaneSpec<Self>> = Some(planes::PLANES);
    const TABLES: Tables<Self> = Tables {
        results,
        endings: |_| &["reached the goal", "stuck", "gave up"],
        summary: summary::summary,
        ..Tables::new(ScoreSpec { name: "fitness", unit: POINTS, better: Better::Lower })
    };
    const SOLVER: Option<SolverSpec<Self>> =
        Some(SolverSpec { solve: solve::solve, review: review::review });
    const NOTATION: Option<Notation<Self>> = Some(Notation {
        write: |played| played.state().walked.to_string(),
        read: |game, heist, text| {
            let route: Route = text.parse()?;
            if heist.is_over {
                return Err("the thief has arrived already".into());
            }
            game.ground().check(&heist.walked.and(&route))?;
            Ok(match heist.seen {
                Some(_) => route.steps().collect(),
                None => vec![route],
            })
        },
    });

    fn action_words(&self, route: &Route) -> String {
        match route.0.is_empty() {
            true => "give up".into(),
            false => route.to_string(),
        }
    }

    fn planners() -> &'static [PlannerSpec<Self>] {
        planners::ALL
    }
}
