//! Stealth: a thief's path past guards, evolved by a genetic algorithm and proved by exact search.
//!
//! The thief draws a whole path, which is rated once. Cells in a guard's sight cost more.
//! Costs, fitness and the genetic algorithm follow the original report, whose printed values are
//! reproduced exactly. Beyond the report, guards may walk in loops ([`patrol`]), opposed rolls decide
//! whether they notice the thief ([`noticing`]), and in the [fog] it knows only what it has seen.

mod bench;
#[cfg(test)]
mod conformance;
pub mod dead_end;
mod drawing;
pub mod exact;
pub mod fog;
pub mod front;
mod generator;
pub mod ground;
pub mod level;
pub mod noticing;
pub mod patrol;
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

use outwit_core::levels::Fault;
use outwit_core::play::{Better, Match, PlannerSpec, Review, ScoreSpec, Seat, StopFlag, Unit};
use outwit_kit::TileKind;
use outwit_kit::{
    BenchRow, GameSpec, Generator, MapSpec, Notation, Solution, SolveOptions, Tables,
};

/// What fitness is counted in.
pub const POINTS: Unit = Unit { one: "point", many: "points" };

impl GameSpec for Stealth {
    type Rules = StealthRules;
    const NAME: &'static str = "Stealth";
    const ABOUT: &'static str =
        "Draw a thief's path past the guards, and watch evolution look for a better one.";
    const FORMAT: &'static str = level::FORMAT;
    const FIRST_LEVEL: &'static str = "01-way-in";
    const PALETTE: &'static [TileKind] = drawing::PALETTE;
    const MAPS: MapSpec<Self> = drawing::MAPS;
    const TABLES: Tables<Self> = Tables { summary: summary::summary, ..Tables::USUAL };
    const GENERATOR: Option<Generator<Self>> = Some(Generator::of::<generator::HouseOptions>());

    fn faults(level: &StealthFile) -> Vec<Fault> {
        level::faults(level)
    }

    fn warnings(level: &StealthFile) -> Vec<Fault> {
        drawing::warnings(level)
    }

    fn planners() -> &'static [PlannerSpec<Self>] {
        planners::ALL
    }

    fn solve(
        level: &StealthFile,
        options: &SolveOptions,
        stop: &StopFlag,
    ) -> Result<Solution, String> {
        solve::solve(level, options, stop)
    }

    fn review(played: &Match<Self>, stop: &StopFlag) -> Option<Review> {
        review::review(played, stop)
    }

    const SCORE: ScoreSpec = ScoreSpec { name: "fitness", unit: POINTS, better: Better::Lower };

    /// Only complete paths have records: a dead end may be rated better than any of them.
    fn results(played: &Match<Self>, _seat: Seat) -> Vec<(ScoreSpec, f64)> {
        let heist = played.state();
        match (heist.taken(), played.game().end(heist)) {
            (Some(route), Some(RouteEnd::Goal)) => {
                let ground = played.game().ground();
                vec![(Self::SCORE, ground.number(ground.fitness(route)))]
            }
            _ => Vec::new(),
        }
    }

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

    fn endings(_seat: Seat) -> &'static [&'static str] {
        &["reached the goal", "stuck", "gave up"]
    }

    fn bench(row: &mut dyn FnMut(BenchRow)) {
        bench::bench(row);
    }
}
