//! The table of a tournament: how often each planner reaches the goal, and how near the optimum.

use super::exact::best_complete;
use super::ground::RouteEnd;
use super::level::StealthFile;
use super::rules::Stealth;
use crate::play::Game;
use crate::tournament::Scoreboard;
use serde_json::{Value, json};

/// One row for each planner. `complete` is the share of its paths that reach the goal, `optimum` the
/// share that are as good as the best complete path, `beats_goal` the share that are rated better
/// though they stop short of the goal. Times are per path, on one core.
pub fn summary(level: &StealthFile, board: &Scoreboard) -> Vec<Value> {
    let optimum = Stealth::new(level, 1).ok().and_then(|game| {
        let ground = game.ground();
        best_complete(ground).map(|best| ground.number(best.fitness))
    });
    let contest = board.contest();
    let row = |cell: usize| {
        let games: Vec<_> = board.games(cell).collect();
        let count = games.len().max(1) as f64;
        let complete = RouteEnd::Goal.word();
        let share = |fits: &dyn Fn(&str, f64) -> bool| {
            let fits = |game: &&&crate::tournament::FinishedGame| {
                game.score(0).is_some_and(|score| fits(game.ending(0), score))
            };
            games.iter().filter(fits).count() as f64 / count
        };
        let mut fitness: Vec<f64> = games.iter().filter_map(|game| game.score(0)).collect();
        fitness.sort_by(f64::total_cmp);
        let mean = |sum: f64| (!games.is_empty()).then(|| sum / count);
        let sum = |figure: &dyn Fn(&crate::play::SeatStats) -> f64| {
            games.iter().filter_map(|game| game.stats.first()).map(figure).sum::<f64>()
        };
        let thought = |stats: &crate::play::SeatStats| {
            stats.thought.iter().map(|time| time.as_secs_f64() * 1000.0).sum::<f64>()
        };
        json!({
            "thief": contest.players(cell).first(),
            "games": games.len(),
            "complete": share(&|ending, _| ending == complete),
            "optimum": share(&|ending, score| ending == complete && Some(score) == optimum),
            "beats_goal": share(&|_, score| optimum.is_some_and(|optimum| score < optimum)),
            "best_complete": optimum,
            "mean_fitness": (!fitness.is_empty()).then(|| fitness.iter().sum::<f64>() / fitness.len() as f64),
            "median_fitness": median(&fitness),
            "evaluations": mean(sum(&|stats| stats.work as f64)),
            "ms": mean(sum(&thought)),
            "overruns": sum(&|stats| f64::from(stats.overruns)),
            "illegal": sum(&|stats| f64::from(stats.illegal)),
            "panics": sum(&|stats| f64::from(u8::from(stats.panic.is_some()))),
        })
    };
    (0..contest.cells()).map(row).collect()
}

/// The median of sorted values.
fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    match sorted.len() % 2 {
        1 => Some(upper),
        _ => sorted.get(middle.wrapping_sub(1)).map(|lower| (lower + upper) / 2.0),
    }
}
