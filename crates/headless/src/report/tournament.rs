//! The report of a tournament.

use super::page::Page;
use super::plot::{Bar, intervals, standalone};
use super::{counted, figure};
use crate::shell_word::CommandLine;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use outwit_core::escape::markup;
use outwit_core::play::Better;
use outwit_core::tournament::{Contest, Entrant, FinishedGame, Scoreboard, WHAT_WINS, ratings};
use outwit_kit::tournament::{differences, line_up_rows, usual_openings, without_times};
use outwit_kit::{DynGame, FaultyLevel};
use std::collections::BTreeSet;

/// Draws the end of a game, given its replay, as a PNG file; `None` where that cannot be done.
pub type PictureOfMatch<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// The most games that are shown.
const PICTURES: usize = 8;

/// A page with all results of a tournament. `picture` draws games, and `replay` gives their replays. Without times, equal
/// runs have equal pages.
///
/// # Errors
/// If the level has faults.
pub fn tournament_report(
    kind: &dyn DynGame,
    board: &Scoreboard,
    replay: &dyn Fn(&FinishedGame) -> Option<String>,
    picture: PictureOfMatch,
    no_times: bool,
) -> Result<String, FaultyLevel> {
    let contest = board.contest();
    let score = kind.facts().score;
    let mut page = Page::new(
        &format!("{}: tournament on {}", kind.name(), contest.level.id),
        &format!(
            "{}, Outwit {}",
            counted(board.finished(), "game", "games"),
            env!("CARGO_PKG_VERSION")
        ),
    );
    what_was_run(&mut page, kind, board);
    page.section(&format!("Mean {} of each line-up", score.name));
    page.faint(&format!(
        "Of the seat {}. Bars are 95 % intervals; {} is better.",
        contest.seats[0].seat,
        match score.better {
            Better::Lower => "less",
            Better::Higher => "more",
        }
    ));
    page.html(&intervals(&payoffs(board, 0), score.name));
    if contest.cells() > 1 && contest.seats.len() > 1 {
        show_ratings(&mut page, board);
    }
    show_differences(&mut page, board, score.name);
    page.section("All statistics");
    let mut rows = line_up_rows(kind, board)?;
    if no_times {
        rows.iter_mut().for_each(without_times);
    }
    page.objects(&rows);
    if (0..contest.cells()).any(|cell| board.all_equal(cell)) {
        page.faint("all equal: all games were equal, so together they say no more than one game.");
    }
    show_games(&mut page, board, replay, picture);
    Ok(page.finish())
}

/// What people call the players of a game, seat by seat.
fn labels(board: &Scoreboard, players: &[impl AsRef<str>]) -> String {
    let labels: Vec<String> = players.iter().map(|name| board.label(name.as_ref())).collect();
    labels.join(" – ")
}

/// The mean score of a seat for each line-up that has played.
fn payoffs(board: &Scoreboard, seat: usize) -> Vec<Bar> {
    let contest = board.contest();
    (0..contest.cells())
        .filter_map(|cell| {
            let figures = board.cell(cell, |_| &[]);
            let payoff = &figures.seats.get(seat)?.payoff;
            let name = labels(board, &contest.players(cell));
            Some(Bar { name, value: payoff.mean?, ci95: payoff.ci95 })
        })
        .collect()
}

/// The mean scores of a seat with their 95 % intervals, one for each line-up, as an SVG file; `None` before the first
/// game.
pub fn payoff_chart(kind: &dyn DynGame, board: &Scoreboard, seat: usize) -> Option<String> {
    let plot = intervals(&payoffs(board, seat), kind.facts().score.name);
    (!plot.is_empty()).then(|| standalone(&plot))
}

fn what_was_run(page: &mut Page, kind: &dyn DynGame, board: &Scoreboard) {
    let contest = board.contest();
    page.section("What was run");
    let seeds = match contest.seeds {
        1 => format!("seed {}", contest.first_seed),
        many => format!("seeds {} to {}", contest.first_seed, contest.seed(many as usize - 1)),
    };
    let strict = if contest.strict { ", strict" } else { "" };
    page.paragraph(&format!(
        "{}, {seeds} for each, {}{strict}.",
        counted(contest.cells(), "line-up", "line-ups"),
        contest.budget.words()
    ));
    let missing = contest.games() - board.finished();
    if missing > 0 {
        page.paragraph(&format!(
            "Not played: {missing} of {}.",
            counted(contest.games(), "game", "games")
        ));
    }
    if contest.openings.is_some() {
        page.paragraph("Games begin with openings, each played from every seat.");
    }
    if let Some(salt) = contest.salt {
        page.paragraph(&format!("Sealed with the salt {salt}."));
    }
    page.faint(&format!(
        "Level digest {}, rules version {}.",
        contest.level.hash, contest.rules_version
    ));
    page.command(&command(contest));
    if let Some(warning) = programs(contest) {
        page.paragraph(&warning);
    }
    page.faint(&again(kind, contest));
}

/// What the command plays, and what has to be added to it for the same games.
fn again(kind: &dyn DynGame, contest: &Contest) -> String {
    if !contest.is_repeatable() {
        return "With budgets of time, games differ from machine to machine.".into();
    }
    let mut missing = Vec::new();
    if contest.salt.is_some() {
        missing.push("the salt above, in a file, with --salt");
    }
    if contest.openings != usual_openings(kind, &contest.level) {
        missing.push("the same openings, with --openings");
    }
    match missing.as_slice() {
        [] => "On a level with this digest, this command plays the same games on every machine."
            .into(),
        missing => format!("For the same games on every machine, add {}.", missing.join(" and ")),
    }
}

/// The command that plays the contest again.
fn command(contest: &Contest) -> CommandLine {
    let name = contest.level.id.rsplit('/').next().unwrap_or_default();
    let level = if contest.level.id == format!("{}/{name}", contest.game) {
        name.to_owned()
    } else {
        contest.level.id.clone()
    };
    let mut command = CommandLine::new("outwit match");
    command.operand(&contest.game).operand(&level);
    for seat in &contest.seats {
        let planners: Vec<&str> = seat.planners.iter().map(Entrant::name).collect();
        command.option("--seat", &format!("{}={}", seat.seat, planners.join(",")));
    }
    command
        .option("--games", &contest.seeds.to_string())
        .option("--seed", &contest.first_seed.to_string())
        .option("--budget", &contest.budget.to_string());
    if contest.strict {
        command.flag("--strict");
    }
    command
}

/// A warning of the programs that the command starts, if there are some.
fn programs(contest: &Contest) -> Option<String> {
    let names: BTreeSet<&str> = contest.programs().map(|program| program.command).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let count = names.len();
    let they = match count {
        0 => return None,
        1 => "this program",
        _ => "these programs",
    };
    let names = names.join(", ");
    Some(format!(
        "The command starts {they}: {names}. Run it only if you trust {}.",
        match count {
            1 => "it",
            _ => "them",
        }
    ))
}

fn show_ratings(page: &mut Page, board: &Scoreboard) {
    page.section("Ratings");
    page.faint(&format!(
        "Bradley-Terry on the Elo scale, 95 % intervals, one scale for all seats; {WHAT_WINS}."
    ));
    let mut rated = ratings(board);
    rated.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    let bars: Vec<Bar> = rated
        .into_iter()
        .map(|rated| Bar {
            name: format!("{} ({})", board.label(&rated.planner), rated.seat),
            value: rated.rating,
            ci95: Some(rated.ci95),
        })
        .collect();
    page.html(&intervals(&bars, "Elo"));
}

fn show_differences(page: &mut Page, board: &Scoreboard, score: &str) {
    let all: Vec<Bar> = differences(board)
        .into_iter()
        .filter(|difference| difference.against.is_none())
        .filter_map(|difference| {
            Some(Bar {
                name: labels(board, &[&difference.planner, &difference.minus]),
                value: difference.estimate.mean?,
                ci95: difference.estimate.ci95,
            })
        })
        .collect();
    if all.is_empty() {
        return;
    }
    page.section(&format!("Paired differences of {score}"));
    page.faint("On the same seeds. An interval that contains 0 shows no difference.");
    page.html(&intervals(&all, score));
}

fn show_games(
    page: &mut Page,
    board: &Scoreboard,
    replay: &dyn Fn(&FinishedGame) -> Option<String>,
    picture: PictureOfMatch,
) {
    let contest = board.contest();
    // One of each line-up, then the next of each.
    let order = (0..contest.seeds as usize)
        .flat_map(|round| (0..contest.cells()).map(move |cell| (round, cell)));
    let games = order.filter_map(|(round, cell)| board.game(round, cell));
    let mut shown = String::new();
    for game in games.take(PICTURES) {
        let Some(png) = replay(game).and_then(|text| picture(&text)) else { continue };
        let players = labels(board, &game.players);
        let scores: Vec<String> = (0..game.players.len())
            .map(|seat| game.score(seat).map_or_else(|| "–".into(), figure))
            .collect();
        shown += &format!(
            "<figure><img alt=\"{players}, seed {seed}\" width=\"300\" src=\"data:image/png;base64,{data}\">\
             <figcaption>{players}, seed {seed}: {ending} ({scores})</figcaption></figure>\n",
            players = markup(&players),
            seed = game.seed,
            data = BASE64_STANDARD.encode(png),
            ending = markup(game.ending(0)),
            scores = scores.join(", "),
        );
    }
    if shown.is_empty() {
        return;
    }
    page.section("Games");
    page.faint(
        "The first games of each line-up at their end. The option --replays writes all of them.",
    );
    page.html(&shown);
}
