//! The table of a tournament: one row a pair of planners.

use super::rules::Cops;
use crate::play::GameRecord;
use serde_json::{Value, json};
use std::time::Duration;

/// One row for each pair of thief and cops, in the order in which they first played.
///
/// `mean_payoff` is what the thief earns in ticks, `ci95` the half width of its 95 % interval,
/// `plan_ms_p50` and `plan_ms_p99` are over the plans of both sides.
pub fn summary(records: &[GameRecord<Cops>]) -> Vec<Value> {
    let mut pairs: Vec<(&str, &str, Vec<&GameRecord<Cops>>)> = Vec::new();
    for record in records {
        let [thief, cops] = record.lineup.players.as_slice() else { continue };
        let (thief, cops) = (thief.name(), cops.name());
        match pairs.iter_mut().find(|pair| (pair.0, pair.1) == (thief, cops)) {
            Some((_, _, games)) => games.push(record),
            None => pairs.push((thief, cops, vec![record])),
        }
    }
    pairs.iter().map(|(thief, cops, games)| row(thief, cops, games)).collect()
}

fn row(thief: &str, cops: &str, games: &[&GameRecord<Cops>]) -> Value {
    let count = games.len() as f64;
    let payoffs: Vec<f64> =
        games.iter().filter_map(|game| game.outcome.places.first()?.score).collect();
    let (mean, ci95) = mean_and_interval(&payoffs);
    let share = |ending: &str| {
        let ended = |game: &&&GameRecord<Cops>| {
            game.outcome.places.first().is_some_and(|place| place.ending == ending)
        };
        games.iter().filter(ended).count() as f64 / count
    };
    let ticks: usize = games.iter().map(|game| game.replay.turns.len()).sum();
    let mut plans: Vec<Duration> =
        games.iter().flat_map(|g| &g.conduct).flat_map(|c| c.thought.iter().copied()).collect();
    plans.sort_unstable();
    let quantile = |q: f64| {
        let index = (plans.len().saturating_sub(1)) as f64 * q;
        plans.get(index.round() as usize).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    let sum = |count: fn(&crate::play::Conduct) -> u32| -> u32 {
        games.iter().flat_map(|game| &game.conduct).map(count).sum()
    };
    json!({
        "thief": thief,
        "cops": cops,
        "games": games.len(),
        "caught": share("caught"),
        "escaped": share("escaped"),
        "survived": share("survived"),
        "mean_payoff": mean,
        "ci95": ci95,
        "mean_ticks": ticks as f64 / count,
        "overruns": sum(|conduct| conduct.overruns),
        "illegal": sum(|conduct| conduct.illegal),
        "panics": sum(|conduct| u32::from(conduct.panic.is_some())),
        "plan_ms_p50": quantile(0.5),
        "plan_ms_p99": quantile(0.99),
    })
}

/// Mean and half width of its 95 % interval (normal approximation).
pub fn mean_and_interval(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let mean = values.iter().sum::<f64>() / n;
    if values.len() == 1 {
        return (mean, 0.0);
    }
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, 1.96 * (variance / n).sqrt())
}
