//! The report of trying a program.

use super::page::Page;
use super::plot::{Bar, logarithmic};
use super::{counted, figure};
use crate::shell_word::CommandLine;
use outwit_kit::{DynGame, Trial};

/// Upper ends of the classes of times, in milliseconds.
const CLASSES: [f64; 9] = [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10_000.0];

/// A page with what was found, the times of all answers and the matches.
pub fn trial_report(kind: &dyn DynGame, trial: &Trial, command: &CommandLine) -> String {
    let verdict = if trial.passed() { "ready to play" } else { "not ready to play" };
    let by = match trial.about.as_str() {
        "" => String::new(),
        about => format!(" {about}"),
    };
    let mut page = Page::new(
        &format!("{}: {verdict}", trial.name),
        &format!("{}{by} in {}, Outwit {}", trial.name, kind.name(), env!("CARGO_PKG_VERSION")),
    );
    page.section("What was looked at");
    let head = ["check", "", "found", "what to do"].map(str::to_owned);
    let rows: Vec<Vec<String>> = trial
        .checks
        .iter()
        .map(|check| {
            let sign = if check.passed { "fine" } else { "problem" };
            vec![check.name.into(), sign.into(), check.found.clone(), check.advice.clone()]
        })
        .collect();
    page.table(&head, &rows, 4);
    if !trial.log.is_empty() {
        page.faint("The end of its standard error:");
        page.log(&trial.log);
    }
    page.section("Time for an answer");
    let asked = counted(trial.times_ms.len(), "answer", "answers");
    page.faint(&format!(
        "{asked} to positions of matches between planners, with {} ms for each; on a logarithmic scale.",
        figure(trial.limit_ms as f64)
    ));
    page.html(&logarithmic(&classes(&trial.times_ms), "answers"));
    if !trial.matches.is_empty() {
        page.section("Matches");
        let head = [
            "seed",
            "against",
            "result",
            "rank",
            "score",
            "turns",
            "late",
            "silent",
            "illegal",
            "not readable",
        ]
        .map(str::to_owned);
        let rows: Vec<Vec<String>> = trial
            .matches
            .iter()
            .map(|played| {
                let score = played.score.map_or_else(|| "–".to_owned(), figure);
                let count = |number: u32| number.to_string();
                vec![
                    played.seed.to_string(),
                    played.others.join(", "),
                    played.fault.clone().unwrap_or_else(|| played.headline.clone()),
                    count(played.rank),
                    score,
                    count(played.turns),
                    count(played.late),
                    count(played.silent),
                    count(played.illegal),
                    count(played.broken),
                ]
            })
            .collect();
        page.table(&head, &rows, 3);
    }
    page.section("How to run it again");
    page.command(command);
    page.finish()
}

/// How many times fall into each class.
pub(super) fn classes(times: &[f64]) -> Vec<Bar> {
    let mut from = 0.0;
    let mut bars: Vec<Bar> = CLASSES
        .iter()
        .map(|&to| {
            let count = times.iter().filter(|time| (from..to).contains(*time)).count();
            let name = format!("{} to {} ms", figure(from), figure(to));
            from = to;
            Bar { name, value: count as f64, ci95: None }
        })
        .collect();
    let longer = times.iter().filter(|time| **time >= from).count();
    bars.push(Bar {
        name: format!("{} ms and more", figure(from)),
        value: longer as f64,
        ci95: None,
    });
    bars.retain(|bar| bar.value > 0.0);
    bars
}
