//! A drawn path against the proved optimum: what each step cost.

use super::POINTS;
use super::exact::{best_complete, costs_to_goal};
use super::ground::{Ground, RouteEnd};
use super::route::Route;
use super::rules::Stealth;
use outwit_core::grid::Cell;
use outwit_core::play::{Better, Match, MoveReview, Review, Seat, SeatReview, Series, StopFlag};

/// What one step of a path cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepReview {
    /// The cell that was entered.
    pub cell: Cell,
    /// The cost of entering it, in units of the [`Ground`].
    pub cost: i128,
    /// The part of it that guards add.
    pub exposure: i128,
    /// By how much the step raised the least cost of a complete path through here, cells entered
    /// before counted as free to enter again. Never negative, and over a complete path the losses
    /// add up to what it costs above the optimum. Among patrols they may add up to more: there
    /// walks that enter a cell twice can be better than the best path.
    pub loss: i128,
}

/// Each step of a legal path.
pub fn review_steps(ground: &Ground, route: &Route) -> Vec<StepReview> {
    let to_go = costs_to_goal(ground, |state| ground.state_cost(state));
    let state = |cell: Cell, time| Some(ground.state(ground.tiles().index_of(cell)?, time));
    let cells = route.cells(ground.start());
    cells
        .windows(2)
        .enumerate()
        .filter_map(|(time, pair)| {
            let entered = state(pair[1], time + 1)?;
            Some(StepReview {
                cell: pair[1],
                cost: ground.cost_at(pair[1], time + 1),
                exposure: ground.exposure_at(pair[1], time + 1),
                loss: ground.state_cost(entered) + to_go[entered]? - to_go[state(pair[0], time)?]?,
            })
        })
        .collect()
}

/// How many costly cells the note names.
const NAMED: usize = 3;

/// Reviews the path of a match; `None` if `stop` was raised.
pub fn review(played: &Match<Stealth>, stop: &StopFlag) -> Option<Review> {
    if stop.is_raised() {
        return None;
    }
    let ground = played.game().ground();
    let best = best_complete(ground)?;
    let perfect = ground.number(ground.route_cost(&best.route));
    let heist = played.state();
    let route = (!played.turns().is_empty()).then_some(&heist.walked);
    let end = played.game().end(heist);
    let cost = route.map(|route| ground.number(ground.route_cost(route)));
    let reached = cost.filter(|_| end == Some(RouteEnd::Goal));
    let moves = match route {
        None => Vec::new(),
        Some(route) if heist.seen.is_some() => step_by_step(ground, route, perfect),
        Some(route) => {
            let worst = worst_steps(&review_steps(ground, route));
            vec![MoveReview {
                turn: 0,
                cell: worst.first().map_or(ground.start(), |step| step.cell),
                before: Some(perfect),
                after: reached,
                cost: reached.map(|reached| (reached - perfect).max(0.0)),
                margin: None,
                note: note(ground, end, &worst),
                made: None,
                better: None,
            }]
        }
    };
    let profile = |name: &str, route: &Route| {
        let mut sum = 0;
        let points = route.cells(ground.start()).into_iter().enumerate().map(|(step, cell)| {
            sum += ground.cost_at(cell, step);
            [step as f64, ground.number(sum)]
        });
        Series { name: name.into(), points: points.collect() }
    };
    let mut series: Vec<Series> =
        route.map(|route| profile("cost, this path", route)).into_iter().collect();
    series.push(profile("cost, best path", &best.route));
    let seat =
        SeatReview { seat: Seat(0), moves, perfect: Some(perfect), reached, summary: None, series };
    Some(Review { unit: POINTS, better: Better::Lower, seats: vec![seat] })
}

/// Each move through the fog, against the best path of a thief who knows the whole house.
fn step_by_step(ground: &Ground, route: &Route, perfect: f64) -> Vec<MoveReview> {
    let mut lost = 0;
    let moves = review_steps(ground, route).into_iter().enumerate().map(|(turn, step)| {
        let before = perfect + ground.number(lost);
        lost += step.loss;
        let note = match step.loss {
            0 => String::new(),
            loss => format!(
                "{} lost: a thief who knew the house would not go here",
                ground.amount(loss)
            ),
        };
        MoveReview {
            turn,
            cell: step.cell,
            before: Some(before),
            after: Some(perfect + ground.number(lost)),
            cost: Some(ground.number(step.loss)),
            margin: None,
            note,
            made: None,
            better: None,
        }
    });
    moves.collect()
}

/// The steps that lost something, the worst first.
pub fn worst_steps(steps: &[StepReview]) -> Vec<StepReview> {
    let mut worst: Vec<StepReview> = steps.iter().copied().filter(|step| step.loss > 0).collect();
    worst.sort_by_key(|step| std::cmp::Reverse(step.loss));
    worst
}

fn note(ground: &Ground, end: Option<RouteEnd>, worst: &[StepReview]) -> String {
    let lost = worst
        .iter()
        .take(NAMED)
        .map(|step| format!("{} at {}", ground.amount(step.loss), step.cell));
    let lost = lost.collect::<Vec<_>>().join(", ");
    match end {
        Some(RouteEnd::Goal) if worst.is_empty() => "as good as any".into(),
        Some(RouteEnd::Goal) => format!("most was lost entering these cells: {lost}"),
        _ if worst.is_empty() => {
            "the goal was not reached, though the path was a cheapest one so far".into()
        }
        _ => format!("the goal was not reached; on the way most was lost: {lost}"),
    }
}
