//! The table of a tournament: how often each planner reaches the goal, and how near the optimum.

use super::exact::best_complete;
use super::ground::RouteEnd;
use super::rules::Stealth;
use super::statistics::{Distribution, PlannerRun, Runs};
use outwit_core::platform::parallel;
use outwit_core::play::{CheckedLevel, Game, Salt, StopFlag};
use outwit_core::tournament::{FinishedGame, Scoreboard};
use serde_json::{Value, json};
use std::sync::Arc;

/// One row for each planner. `complete` is the share of its paths that reach the goal, `optimum` the
/// share that are as good as the best complete path, `beats_goal` the share that are rated better
/// though they stop short of the goal; the fitness has its quartiles beside mean and median.
/// `generations_to_best` count until the best path of a run was first found. Times are per path, on
/// one core.
pub fn summary(level: &CheckedLevel<Stealth>, board: &Scoreboard) -> Vec<Value> {
    let game = Stealth::new(level, 1).ok().map(Arc::new);
    let optimum = game.as_ref().and_then(|game| {
        let ground = game.ground();
        best_complete(ground).map(|best| ground.number(best.fitness))
    });
    let contest = board.contest();
    let row = |cell: usize| {
        let games: Vec<_> = board.games(cell).collect();
        let count = games.len().max(1) as f64;
        let complete = RouteEnd::Goal.word();
        let share = |fits: &dyn Fn(&str, f64) -> bool| {
            games
                .iter()
                .filter(|game| game.score(0).is_some_and(|score| fits(game.ending(0), score)))
                .count() as f64
                / count
        };
        let fitness = Distribution::of(games.iter().filter_map(|game| game.score(0)).collect());
        let generations =
            game.as_ref().and_then(|game| generations_to_best(game, contest.salt, &games));
        let of = |values: Option<Distribution>, value: fn(&Distribution) -> f64| {
            values.as_ref().map(value)
        };
        let mean = |sum: f64| (!games.is_empty()).then(|| sum / count);
        let sum = |figure: &dyn Fn(&outwit_core::play::SeatStats) -> f64| {
            games.iter().filter_map(|game| game.stats.first()).map(figure).sum::<f64>()
        };
        let thought = |stats: &outwit_core::play::SeatStats| {
            stats.thought.iter().map(|time| time.as_secs_f64() * 1000.0).sum::<f64>()
        };
        let mut row = json!({
            "thief": contest.players(cell).first(),
            "games": games.len(),
            "complete": share(&|ending, _| ending == complete),
            "optimum": share(&|ending, score| ending == complete && Some(score) == optimum),
            "beats_goal": share(&|_, score| optimum.is_some_and(|optimum| score < optimum)),
            "best_complete": optimum,
            "mean_fitness": of(fitness, |it| it.mean),
            "lowest_fitness": of(fitness, |it| it.lowest),
            "lower_quartile": of(fitness, |it| it.lower_quartile),
            "median_fitness": of(fitness, |it| it.median),
            "upper_quartile": of(fitness, |it| it.upper_quartile),
            "highest_fitness": of(fitness, |it| it.highest),
            "mean_generations_to_best": of(generations, |it| it.mean),
            "median_generations_to_best": of(generations, |it| it.median),
            "evaluations": mean(sum(&|stats| stats.work as f64)),
            "ms": mean(sum(&thought)),
            "overruns": sum(&|stats| f64::from(stats.overruns)),
            "illegal": sum(&|stats| f64::from(stats.illegal)),
            "panics": sum(&|stats| f64::from(u8::from(stats.panic.is_some()))),
        });
        if !contest.is_repeatable() {
            row["starved"] = json!(sum(&|stats| f64::from(stats.starved)));
        }
        row
    };
    (0..contest.cells()).map(row).collect()
}

/// In which generation the best path of each game was first found. Games hold no such figure, so those
/// of planners with generations are run again, which seeds and salt allow; games that the budget cut short
/// are left out.
fn generations_to_best(
    game: &Arc<Stealth>,
    salt: Option<Salt>,
    games: &[&FinishedGame],
) -> Option<Distribution> {
    let again = |finished: &FinishedGame| -> Option<PlannerRun> {
        let planner = finished.players.first()?;
        let seeds = finished.seed..finished.seed.checked_add(1)?;
        Runs::new(game, planner, seeds, StopFlag::default()).ok()?.salted(salt).next()
    };
    again(games.first()?)?.generations_to_best?;
    let generations: Vec<Option<f64>> = parallel::map(games, |finished| {
        let run = again(finished)?;
        let is_whole = finished.stats.first()?.work == run.evaluations;
        run.generations_to_best.filter(|_| is_whole).map(f64::from)
    });
    Distribution::of(generations.into_iter().flatten().collect())
}
