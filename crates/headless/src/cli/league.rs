//! `outwit league`.

use super::source::find_level;
use super::table::table;
use super::values::budget;
use super::{Answer, ExitStatus, Failure, names, print_json, print_line, print_lines};
use clap::Args;
use outwit_core::platform::interrupt::hold;
use outwit_core::play::{AllowedPrograms, Budget, StopFlag};
use outwit_core::tournament::FinishedGame;
use outwit_kit::DynGame;
use outwit_kit::league::{
    FEW, Fixture, League, MOST_LEVELS, MOST_PLANNERS, MOST_RESULTS, Roster, Standing, play,
};
use serde_json::{Value, json};
use std::ffi::OsString;

/// Play the matches of a league without a window, one after the other, and print the table.
///
/// In each round every line-up of the planners plays every level once, with seats swapped where everybody
/// can take them; the next round has the next seed. The window plays the same league in the same order.
///
/// Example: outwit league cops --planner runner --planner schemer --planner marshal --matches 12
#[derive(Args)]
pub struct Arguments {
    /// The game.
    game: String,
    /// A planner that takes part; may be repeated [default: the stronger half of each seat's].
    #[arg(long, value_name = "NAME")]
    planner: Vec<String>,
    /// A level id or a file; may be repeated [default: the game's first level].
    #[arg(long, value_name = "LEVEL")]
    level: Vec<OsString>,
    /// Number of matches [default: one round].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_RESULTS as i64))]
    matches: Option<u32>,
    /// The seed of the first round.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How much a planner may think per turn: time such as 500ms, or work such as 20000w.
    #[arg(long, default_value = "20000w", value_parser = budget)]
    budget: Budget,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let kind = names::game(&arguments.game)?;
    let roster = Roster::of(kind);
    let planners = planners(kind, &roster, &arguments.planner)?;
    let levels = levels(kind, &arguments.level)?;
    let ids = levels.iter().map(|(id, _)| id.clone()).collect();
    let mut league = League::new(kind.id(), planners, ids, arguments.seed);
    league.set_budget(arguments.budget);
    let (_, round) = league.remaining(&roster)?;
    let matches = arguments.matches.map_or(round.len(), |matches| matches as usize);
    let hold = hold();
    let mut rows = Vec::new();
    for number in 1..=matches.min(MOST_RESULTS) {
        let fixture = league.next(&roster)?;
        let game = play_next(kind, &league, &fixture, &levels, hold.stop())?;
        if !arguments.json {
            print_line(line(number, &fixture, &game));
        }
        rows.push(match_row(&fixture, &game));
        league.enter(fixture, game.outcome.places);
    }
    drop(hold);
    let table = league.table(&roster, kind.facts().score.better);
    let lines: Vec<Value> = table.iter().map(|line| standing(line, kind)).collect();
    if arguments.json {
        print_json(&json!({
            "game": kind.id(),
            "seed": arguments.seed,
            "budget": arguments.budget.to_string(),
            "matches": rows,
            "table": lines,
        }))?;
    } else {
        print_table(&table, &lines);
    }
    Ok(Answer::Yes)
}

fn planners(kind: &dyn DynGame, roster: &Roster, named: &[String]) -> Result<Vec<String>, Failure> {
    if named.is_empty() {
        return Ok(roster.usual());
    }
    let mut planners: Vec<String> = Vec::new();
    for name in named {
        names::planner(kind, name, None)?;
        if !roster.knows(name) {
            return Err(Failure::usage(format!("'{name}' cannot play in a league")));
        }
        if planners.contains(name) {
            return Err(Failure::usage(format!("planner '{name}' is given twice")));
        }
        planners.push(name.clone());
    }
    match planners.len() > MOST_PLANNERS {
        true => Err(Failure::usage(format!("a league has at most {MOST_PLANNERS} planners"))),
        false => Ok(planners),
    }
}

/// The levels with their content.
fn levels(
    kind: &'static dyn DynGame,
    named: &[OsString],
) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let first = [kind.first_level().into()];
    let named = if named.is_empty() { &first[..] } else { named };
    if named.len() > MOST_LEVELS {
        return Err(Failure::usage(format!("a league has at most {MOST_LEVELS} levels")));
    }
    let mut levels: Vec<(String, Vec<u8>)> = Vec::new();
    for name in named {
        let found = find_level(name, Some(kind))?;
        let faults = kind.check(&found.bytes, &found.name());
        if !faults.is_empty() {
            return Err(Failure::faults(&found.name(), &faults).into_usage());
        }
        if levels.iter().any(|(id, _)| *id == found.entry.id) {
            return Err(Failure::usage(format!("level '{}' is given twice", found.entry.id)));
        }
        levels.push((found.entry.id, found.bytes));
    }
    Ok(levels)
}

fn play_next(
    kind: &dyn DynGame,
    league: &League,
    fixture: &Fixture,
    levels: &[(String, Vec<u8>)],
    stop: &StopFlag,
) -> Result<FinishedGame, Failure> {
    let level = levels.iter().find(|(id, _)| *id == fixture.level);
    let bytes = level.map_or(&[][..], |(_, bytes)| bytes);
    play(kind, fixture, bytes, league.budget(), &AllowedPrograms::default(), stop).map_err(
        |error| match stop.is_raised() {
            true => Failure::interrupted(vec!["interrupted".into()]),
            false => Failure::usage(error.to_string()),
        },
    )
}

fn line(number: usize, fixture: &Fixture, game: &FinishedGame) -> String {
    format!(
        "{number}. {}, {}, seed {}: {}",
        fixture.players.join(" - "),
        fixture.level,
        fixture.seed,
        game.outcome.headline
    )
}

fn match_row(fixture: &Fixture, game: &FinishedGame) -> Value {
    json!({
        "level": fixture.level,
        "seed": fixture.seed,
        "players": fixture.players,
        "headline": game.outcome.headline,
        "turns": game.turns,
        "places": game.outcome.places,
    })
}

fn standing(line: &Standing, kind: &dyn DynGame) -> Value {
    let mut row = json!({ "planner": line.planner });
    if let Some(seat) = line.seat {
        row["seat"] = json!(kind.seat(seat).id);
    }
    row["played"] = json!(line.played);
    row["won"] = json!(line.won);
    row["drawn"] = json!(line.drawn);
    row["lost"] = json!(line.lost);
    row["points"] = json!(line.points());
    row["mean_score"] = json!(line.score.mean);
    row["ci95"] = json!(line.score.ci95);
    row
}

fn print_table(table_lines: &[Standing], rows: &[Value]) {
    print_line("");
    print_lines(table(rows));
    if table_lines.iter().any(Standing::too_few) {
        print_line(format!("Planners with fewer than {FEW} matches have too few to tell."));
    }
}
