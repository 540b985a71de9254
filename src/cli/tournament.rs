//! `outwit match`.

use super::check::lines;
use super::names;
use super::source::find_level;
use super::table::table;
use super::{Answer, Misuse, Outcome, complain, say, say_json};
use crate::play::{Budget, Player, StopFlag};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

/// Play matches between planners without a window, on all cores, and print a table.
///
/// Without --seat all planners of the game are compared on the same seeds.
///
/// Example: outwit match racetrack first-lap --seat car1=ace --seat car2=optimal --games 50
#[derive(Args)]
pub struct Arguments {
    /// The game.
    game: String,
    /// A level id or a file; the game's first level without it.
    level: Option<String>,
    /// Who sits where; may be given once a seat.
    #[arg(long = "seat", value_name = "NAME=PLANNER", value_parser = seat)]
    seats: Vec<(String, Player)>,
    /// Number of games for each line-up, with seeds from --seed on.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What a planner may spend on a turn, such as 500ms; work such as 20000w gives the same games
    /// on every machine.
    #[arg(long, default_value = "20000w")]
    budget: Budget,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Reads `NAME=PLAYER`.
pub fn seat(text: &str) -> Result<(String, Player), String> {
    match text.split_once('=') {
        Some((name, player)) if !name.is_empty() && !player.is_empty() => {
            Ok((name.into(), player.into()))
        }
        _ => Err(format!("'{text}' names no seat: write NAME=PLANNER")),
    }
}

pub fn run(arguments: &Arguments) -> Outcome {
    let kind = names::game(&arguments.game)?;
    let first = kind.first_level();
    let found = find_level(arguments.level.as_deref().unwrap_or(&first), Some(kind))?;
    if arguments.seats.iter().any(|(_, player)| *player == Player::Human) {
        return Err(Misuse("a person cannot play without a window: use 'outwit play'".into()));
    }
    names::seats(kind, &arguments.seats)?;
    // Whatever format the level has, the games are played on it in our own.
    let level = match kind.convert(&found.bytes, &found.name(), &[], "ron") {
        Ok(level) => level.bytes,
        Err(faults) => {
            complain(lines(&found.name(), &faults));
            return Ok(Answer::No);
        }
    };
    let seeds: Vec<u64> =
        (0..u64::from(arguments.games)).map(|i| arguments.seed.wrapping_add(i)).collect();
    // Drawn to a terminal only; piped output stays clean.
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left") {
        bar.set_style(style);
    }
    let rows = kind.tournament(
        &level,
        &arguments.seats,
        &seeds,
        arguments.budget,
        &StopFlag::default(),
        &|done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        },
    );
    bar.finish_and_clear();
    let rows = rows?;
    if arguments.json {
        say_json(&json!({
            "game": kind.id(),
            "level": found.entry.id,
            "games": arguments.games,
            "seed": arguments.seed,
            "budget": arguments.budget.to_string(),
            "rows": rows,
        }))?;
    } else {
        say(format!(
            "{}, {} games a line-up, {} a turn",
            found.entry.id,
            seeds.len(),
            arguments.budget
        ));
        say(table(&rows));
    }
    Ok(Answer::Yes)
}
