//! `outwit analyse`.

use super::input::{is_input, read};
use super::names::game;
use super::solve::shorten;
use super::source::find_level;
use super::values::budget;
use super::{Answer, ExitStatus, Failure, print_json, print_line};
use clap::Args;
use outwit_core::play::{AnalysisStep, Budget, ScoreSpec, StopFlag};
use outwit_kit::{AnalyseOptions, DynGame, replay_game};
use serde_json::json;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Let a planner think about one position and show how its answer came about.
///
/// Prints what it had found at growing amounts of work: the best action, the value of the position,
/// the line that it expects, and its counters. The same position gives the same steps on every
/// machine as long as the budget is an amount of work.
///
/// Example: outwit analyse my-race.ron --turn 12 --planner ace --budget 2000w --json
#[derive(Args)]
pub struct Arguments {
    /// A replay, a level id or a level file.
    file: OsString,
    /// The position after this many turns; the last one if not given.
    #[arg(long)]
    turn: Option<usize>,
    /// Which planner thinks; the strongest one if not given.
    #[arg(long)]
    planner: Option<String>,
    /// For which seat; the first that is to move if not given.
    #[arg(long)]
    seat: Option<String>,
    /// How much it may spend, such as 20000w or 500ms.
    #[arg(long, default_value = "20000w", value_parser = budget)]
    budget: Budget,
    /// The seed of the match, where a level is analysed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON, with the whole picture of each step.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let (kind, bytes, name) = find(&arguments.file)?;
    let options = AnalyseOptions {
        turn: arguments.turn,
        planner: arguments.planner.clone(),
        seat: arguments.seat.clone(),
        budget: arguments.budget,
        seed: arguments.seed,
    };
    let mut steps = Vec::new();
    let mut actions = Vec::new();
    let position = kind
        .analyse(&bytes, &name, &options, &StopFlag::default(), &mut |step, action| {
            steps.push(step);
            actions.push(action);
        })
        .map_err(|faults| Failure::faults(&name, &faults).into_usage())?;
    if arguments.json {
        print_json(&json!({ "position": position, "snapshots": steps }))?;
        return Ok(Answer::Yes);
    }
    print_line(format!(
        "{name}: {} ({}) for {} at turn {}",
        position.planner, position.algorithm, position.seat, position.turn
    ));
    for (step, action) in steps.iter().zip(&actions) {
        print_line(row(step, action, position.score));
    }
    Ok(Answer::Yes)
}

fn row(step: &AnalysisStep, action: &str, score: ScoreSpec) -> String {
    let value = step.value.map_or_else(|| "-".to_owned(), |value| value.text(score));
    let counters: Vec<String> = step
        .insight
        .counters
        .iter()
        .map(|counter| format!("{} {}", counter.name.to_lowercase(), shorten(counter.value)))
        .collect();
    let end = if step.done { ", done" } else { "" };
    format!("{:>9}w  {action}  value {value}; {}{end}", step.work, counters.join(", "))
}

/// The game and the bytes of a replay, a level id or a level file.
pub(super) fn find(text: &OsStr) -> Result<(&'static dyn DynGame, Vec<u8>, String), Failure> {
    let path = Path::new(text);
    if is_input(path) {
        let bytes = read(path)?;
        if let Some(id) = replay_game(&bytes) {
            return Ok((game(&id)?, bytes, text.to_string_lossy().into_owned()));
        }
    }
    let found = find_level(text, None)?;
    let name = found.name();
    Ok((found.kind, found.bytes, name))
}
