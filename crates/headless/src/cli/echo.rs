//! The smallest program that plays, and what a turn of it costs.

use super::programs::ProgramArgs;
use super::{Answer, ExitStatus, Failure};
use crate::GAMES;
use outwit_bench::BenchRow;
use outwit_core::platform::program::ProgramCommand;
use outwit_core::play::{BANK, Player, ProgramKind, StopFlag};
use outwit_kit::TrialOptions;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Turns of each game that are measured; of a puzzle, whose answer is its whole solution, only a few.
const TURNS: usize = 4_000;
/// Starts of which the median is told.
const STARTS: usize = 15;

/// Answers each turn with its default action, until its input ends.
pub fn run() -> ExitStatus {
    let input = std::io::stdin().lock();
    let mut output = std::io::stdout().lock();
    for line in input.lines() {
        let line = line.map_err(|error| Failure::usage(format!("standard input: {error}")))?;
        let message: Value = serde_json::from_str(&line).unwrap_or_default();
        let answer = match message["type"].as_str() {
            Some("start") => json!({ "type": "ready", "name": "Echo", "keep_alive": true }),
            Some("turn") => {
                json!({ "type": "action", "turn": message["turn"], "action": message["default"] })
            }
            _ => continue,
        };
        let sent = writeln!(output, "{answer}").and_then(|()| output.flush());
        sent.map_err(|error| Failure::usage(format!("standard output: {error}")))?;
    }
    Ok(Answer::Yes)
}

/// Measures what a turn of a program costs beside its own time, and the start of one, in each game.
///
/// # Errors
/// If this program cannot be started again to play.
pub fn measure(row: &mut dyn FnMut(&'static str, BenchRow)) -> Result<(), Failure> {
    let own = std::env::current_exe()
        .map_err(|error| Failure::usage(format!("this program is not found: {error}")))?;
    let command = format!("{} echo", ProgramCommand::quoted(&own));
    let player = Player::of_program(ProgramKind::Program, &command);
    let program = ProgramArgs::default().allow([&player]).find(&command)?;
    let started =
        |_| start_alone(&own).map_err(|error| Failure::usage(format!("{command}: {error}")));
    let alone = median((0..STARTS).map(started).collect::<Result<_, _>>()?);
    for &kind in GAMES {
        let name = kind.first_level();
        let found = super::source::find_level(name.as_ref() as &std::ffi::OsStr, Some(kind))?;
        let level = kind
            .read(&found.bytes, &found.name())
            .map_err(|faults| Failure::faults(&found.name(), &faults))?;
        let seats = *kind.facts().seats.allowed.start();
        let options = TrialOptions {
            seat: 0,
            program: program.clone(),
            player: player.clone(),
            others: (1..seats).map(|seat| kind.opponent(seat)).collect(),
            limit: Duration::from_secs(10),
            bank: BANK,
            states: TURNS,
            matches: 0,
        };
        let trial =
            kind.try_program(&level, &options, &StopFlag::default()).map_err(Failure::usage)?;
        let only_start = TrialOptions { states: 0, ..options };
        let start = median(
            (0..STARTS)
                .map(|_| {
                    let trial = kind.try_program(&level, &only_start, &StopFlag::default());
                    trial.map(|trial| trial.start_ms).map_err(Failure::usage)
                })
                .collect::<Result<_, _>>()?,
        );
        let asking = trial.asking_ms;
        let mut times = trial.times_ms;
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times.get((share * (times.len() as f64 - 1.0)) as usize).copied();
        let turns = times.len();
        for (measure, value, unit) in [
            ("turns asked", Some(turns as f64), "turns"),
            ("a turn, with all that Outwit does for it", Some(asking / turns as f64), "ms"),
            ("an answer, median", at(0.5), "ms"),
            ("an answer, 95 % within", at(0.95), "ms"),
            ("start, that of the program included, median", Some(start), "ms"),
            ("start, without that of the program", Some(start - alone), "ms"),
        ] {
            if let Some(value) = value {
                row(kind.id(), BenchRow { measure: measure.into(), value, unit });
            }
        }
    }
    Ok(())
}

/// How long a program takes from its start to its first line when nothing else is done for it, in ms.
fn start_alone(file: &Path) -> std::io::Result<f64> {
    let began = Instant::now();
    let mut child = Command::new(file)
        .arg("echo")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(input) = &mut child.stdin {
        writeln!(input, "{}", json!({ "type": "start" }))?;
    }
    if let Some(output) = child.stdout.take() {
        BufReader::new(output).read_line(&mut String::new())?;
    }
    let took = began.elapsed();
    child.kill()?;
    child.wait()?;
    Ok(took.as_secs_f64() * 1e3)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
