//! The report of a comparison of searches.

use super::page::Page;
use super::plot::{Bar, logarithmic};
use super::{counted, figure};
use crate::shell_word::CommandLine;
use outwit_kit::comparison::ComparisonRow;
use outwit_kit::{DynGame, SearchEnd};
use std::collections::BTreeMap;

/// A page with all rows of a comparison of a game's searches.
pub fn comparison_report(kind: &dyn DynGame, rows: &[ComparisonRow]) -> String {
    let mut planners: Vec<&str> = Vec::new();
    let mut levels: Vec<&str> = Vec::new();
    for row in rows {
        if !planners.contains(&row.planner.as_str()) {
            planners.push(&row.planner);
        }
        if !levels.contains(&row.level.as_str()) {
            levels.push(&row.level);
        }
    }
    let mut page = Page::new(
        &format!("{}: comparison of searches", kind.name()),
        &format!(
            "{} on {}, Outwit {}",
            counted(planners.len(), "search", "searches"),
            counted(levels.len(), "level", "levels"),
            env!("CARGO_PKG_VERSION")
        ),
    );
    page.section("What was run");
    if let Some(row) = rows.first() {
        page.paragraph(&format!(
            "Each search had at most {} s of processor time and {} MiB on each level.",
            figure(row.limit_seconds),
            figure((row.limit_bytes / (1 << 20)) as f64)
        ));
    }
    page.command(&command(kind, &planners, &levels, rows));
    page.faint("Lengths and expanded states are the same on every machine, times are not.");
    let solved = |row: &&ComparisonRow| row.length.is_some();
    let sums = |value: fn(&ComparisonRow) -> f64| -> Vec<Bar> {
        // Of levels that all have solved, so that nobody gains by giving up.
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for row in rows.iter().filter(solved) {
            *count.entry(&row.level).or_default() += 1;
        }
        let bar = |planner: &&str| Bar {
            name: (*planner).to_owned(),
            value: rows
                .iter()
                .filter(|row| count.get(row.level.as_str()) == Some(&planners.len()))
                .filter(|row| row.planner == *planner)
                .map(value)
                .sum(),
            ci95: None,
        };
        planners.iter().map(bar).collect()
    };
    page.section("States expanded");
    page.faint(
        "On all levels together that each of these searches solved, on a logarithmic scale.",
    );
    page.html(&logarithmic(&sums(|row| row.expanded as f64), "states"));
    page.section("Processor time");
    page.faint("On the same levels, on a logarithmic scale.");
    page.html(&logarithmic(&sums(|row| row.seconds * 1000.0), "ms"));
    page.section("Solved");
    let head = ["search", "solved", "proved shortest", "of"].map(str::to_owned);
    let lines: Vec<Vec<String>> = planners
        .iter()
        .map(|planner| {
            let own = || rows.iter().filter(|row| row.planner == *planner);
            vec![
                (*planner).to_owned(),
                own().filter(solved).count().to_string(),
                own().filter(|row| row.proved).count().to_string(),
                own().count().to_string(),
            ]
        })
        .collect();
    page.table(&head, &lines, 1);
    page.section("All searches");
    let head = [
        "level",
        "search",
        "end",
        "length",
        "proved",
        "ms",
        "expanded",
        "again",
        "generated",
        "MiB",
        "ratio",
    ];
    let lines: Vec<Vec<String>> = rows.iter().map(line).collect();
    page.table(&head.map(str::to_owned), &lines, 3);
    page.faint("again: how many of the expanded states had been expanded before.");
    if let Some(yardstick) = rows.iter().find_map(|row| row.yardstick) {
        page.faint(&format!("ratio: processor time by that of {yardstick} on the same level."));
    }
    page.finish()
}

fn line(row: &ComparisonRow) -> Vec<String> {
    let or_dash = |value: Option<f64>| value.map_or_else(|| "–".into(), figure);
    vec![
        row.level.clone(),
        row.planner.clone(),
        end(row.end).into(),
        or_dash(row.length),
        if row.proved { "yes" } else { "no" }.into(),
        figure(row.seconds * 1000.0),
        figure(row.expanded as f64),
        figure(row.expanded_again as f64),
        figure(row.generated as f64),
        figure(row.bytes as f64 / f64::from(1 << 20)),
        or_dash(row.ratio),
    ]
}

fn end(end: SearchEnd) -> &'static str {
    match end {
        SearchEnd::Solved => "solved",
        SearchEnd::Unsolvable => "no solution",
        SearchEnd::GaveUp => "gave up",
        SearchEnd::TimedOut => "out of time",
    }
}

fn command(
    kind: &dyn DynGame,
    planners: &[&str],
    levels: &[&str],
    rows: &[ComparisonRow],
) -> CommandLine {
    let mut command = CommandLine::new("outwit bench");
    command.operand(kind.id());
    for level in levels {
        command.option("--level", level);
    }
    if planners != kind.searches() {
        for planner in planners {
            command.option("--planner", planner);
        }
    }
    if let Some(row) = rows.first() {
        command.option("--seconds", &row.limit_seconds.to_string());
        command.option("--memory", &format!("{}MiB", row.limit_bytes / (1 << 20)));
    }
    command
}
