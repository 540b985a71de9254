//! The best path of a level, or what a planner makes of it.

use super::exact::{MOST_WALKS, best_complete, best_of_any_end_within, search_complete_within};
use super::front::{Front, FrontPoint, length_exposure_front_within};
use super::ground::{Ground, RouteEnd};
use super::noticing::{Skills, safest_path, safest_path_within, unseen_chance};
use super::rules::Stealth;
use super::{POINTS, planners};
use outwit_core::play::{CheckedLevel, Game, Seat, StopFlag, find_planner};
use outwit_kit::tournament::play_alone;
use outwit_kit::{ParetoFront, ParetoPoint, Solution, SolveOptions};

/// The planner that solves if none is named.
const EXACT: &str = "exact";

/// The counter of the probability that no guard notices the thief on the path.
const UNSEEN: &str = "probability of passing unseen";

/// The counter of that probability on the safest path.
const UNSEEN_SAFEST: &str = "probability of passing unseen on the safest path";

/// Solves a level exactly, where the budget is first that of the search for the best path and what is left
/// of it that of the other figures, or lets the named planner play it.
///
/// # Errors
/// If a start is given, memory is limited, the planner is unknown, or `stop` is raised.
pub fn solve(
    level: &CheckedLevel<Stealth>,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    if options.start.is_some() {
        return Err("a level of Stealth starts where its thief stands".into());
    }
    options.without_memory("a solver of Stealth")?;
    let name = options.planner.as_deref().unwrap_or(EXACT);
    find_planner(planners::ALL, name, Seat(0))?;
    let game = Stealth::new(level, 1).map_err(|error| error.to_string())?;
    // In the fog the planner knows less than the solver.
    if name == EXACT && !(game.is_foggy() && options.planner.is_some()) {
        exactly(&game, options, stop)
    } else {
        by_playing((&game, level), name, options, stop)
    }
}

fn exactly(game: &Stealth, options: &SolveOptions, stop: &StopFlag) -> Result<Solution, String> {
    let ground = game.ground();
    let clock = options.clock(stop);
    let found = search_complete_within(ground, MOST_WALKS, &clock);
    if found.best.is_none() && !found.is_proved && clock.is_over() {
        let counters = vec![("states", clock.used() as f64)];
        return options.not_solved(EXACT, POINTS, counters, stop);
    }
    let best = found.best.ok_or(match found.is_proved {
        true => "no path that enters no cell twice leads to the goal",
        false => "too many ways lead round the patrols to find the best one",
    })?;
    let knowing = if game.is_foggy() { " of a thief who knows the whole house" } else { "" };
    let mut message = format!(
        "best complete path{knowing}: {} moves at a cost of {}, fitness {}, proved",
        best.route.0.len(),
        ground.amount(ground.route_cost(&best.route)),
        ground.amount(best.fitness)
    );
    if let Some(any) =
        best_of_any_end_within(ground, &clock).filter(|any| any.fitness < best.fitness)
    {
        message += &format!(
            "; a path that stops short of the goal would be rated {}, so the penalty is too low",
            ground.amount(any.fitness)
        );
    }
    let front = length_exposure_front_within(ground, &clock);
    let skills = Skills::of(&game.level().rules);
    let safest = safest_path_within(ground, skills, &clock);
    if clock.is_over() {
        message += "; not all of the other figures are known within the limit";
    } else if !front.is_complete {
        message += "; too many ways lead round the patrols to find all paths that are less exposed \
                    than shorter ones";
    }
    let exposure = |point: Option<&FrontPoint>| point.map(|point| ground.number(point.exposure));
    let counters = [
        ("length", Some(best.route.0.len() as f64)),
        (
            "paths on the front of length against exposure",
            (front.is_complete || !front.points.is_empty()).then_some(front.points.len() as f64),
        ),
        ("exposure of the shortest", exposure(front.points.first())),
        (
            "exposure of the least exposed",
            exposure(front.points.last().filter(|_| front.is_complete)),
        ),
        (UNSEEN, Some(unseen_chance(ground, &best.route, skills))),
        (UNSEEN_SAFEST, safest.as_ref().map(|safest| safest.unseen)),
        ("fitness of the safest path", safest.map(|safest| ground.number(safest.rated.fitness))),
    ];
    Ok(Solution {
        value: Some(ground.number(best.fitness)),
        unit: POINTS,
        proved: true,
        line: best.route.cells(ground.start()),
        moves: Some(best.route.to_string()),
        message,
        front: Some(listed(ground, &front)),
        counters: known(counters),
    })
}

/// The counters that have a value.
fn known<const N: usize>(counters: [(&'static str, Option<f64>); N]) -> Vec<(&'static str, f64)> {
    counters.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The front as numbers and moves.
fn listed(ground: &Ground, front: &Front) -> ParetoFront {
    ParetoFront {
        measures: ["moves", "exposure"],
        points: front
            .points
            .iter()
            .map(|point| ParetoPoint {
                values: [point.route.0.len() as f64, ground.number(point.exposure)],
                moves: point.route.to_string(),
            })
            .collect(),
        complete: front.is_complete,
    }
}

fn by_playing(
    (game, level): (&Stealth, &CheckedLevel<Stealth>),
    name: &str,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    let (record, played) = play_alone(level, name, options, stop)?;
    let route = played.state().walked.clone();
    let ground = game.ground();
    let is_complete = ground.check(&route) == Ok(RouteEnd::Goal);
    let fitness = ground.number(ground.fitness(&route));
    let optimum = best_complete(ground).map(|best| ground.number(best.fitness));
    let skills = Skills::of(&game.level().rules);
    let milliseconds = |stats: &outwit_core::play::SeatStats| {
        stats.thought.iter().map(|time| time.as_secs_f64() * 1000.0).sum::<f64>()
    };
    let stats = record.stats.first();
    Ok(Solution {
        value: is_complete.then_some(fitness),
        unit: POINTS,
        proved: false,
        line: route.cells(ground.start()),
        moves: Some(route.to_string()),
        message: format!("{name}: {}", record.outcome.headline),
        front: None,
        counters: known([
            ("fitness", Some(fitness)),
            ("fitness of the best complete path", optimum),
            (UNSEEN, Some(unseen_chance(ground, &route, skills))),
            (UNSEEN_SAFEST, safest_path(ground, skills).map(|safest| safest.unseen)),
            ("evaluations", stats.map(|stats| stats.work as f64)),
            ("ms", stats.map(milliseconds)),
        ]),
    })
}
