//! The sub-commands. Each prints for people, or one JSON document with `--json`.
//!
//! Exit codes: 0 success, 1 the answer is "no" (unsolvable, invalid, not faithful), 2 wrong use.

mod bench;
mod check;
mod convert;
mod lists;
mod names;
mod play;
mod replay;
mod solve;
mod source;
mod table;
mod tournament;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Grid games against planners: see how the machine thinks and how far your play was from perfect.
///
/// Without a sub-command the window opens.
#[derive(Parser)]
#[command(name = "outwit", version, arg_required_else_help = false)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Play(play::Arguments),
    Edit(play::EditArguments),
    Levels(lists::LevelArguments),
    Planners(lists::PlannerArguments),
    Check(check::Arguments),
    Convert(convert::Arguments),
    Solve(solve::Arguments),
    Match(tournament::Arguments),
    Replay(replay::Arguments),
    Bench(bench::Arguments),
}

/// How a sub-command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Exit code 0.
    Yes,
    /// Exit code 1.
    No,
}

/// Wrong use, for exit code 2: what, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UsageError(pub String);

impl<E: ToString> From<E> for UsageError {
    fn from(error: E) -> Self {
        UsageError(error.to_string())
    }
}

pub(crate) type ExitStatus = Result<Answer, UsageError>;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let outcome = match arguments.command {
        None => return play::open_window(None, None),
        Some(Command::Play(arguments)) => match play::prepare(&arguments) {
            Ok(Some((config, picture))) => return play::open_window(Some(config), picture),
            Ok(None) => Ok(Answer::No),
            Err(usage_error) => Err(usage_error),
        },
        Some(Command::Edit(arguments)) => match play::to_edit(&arguments) {
            Ok(level) => return play::open_editor(level),
            Err(usage_error) => Err(usage_error),
        },
        Some(Command::Levels(arguments)) => lists::levels(&arguments),
        Some(Command::Planners(arguments)) => lists::planners(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Convert(arguments)) => convert::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Match(arguments)) => tournament::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        Some(Command::Bench(arguments)) if arguments.is_editor() => return play::measure_editor(),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
    };
    match outcome {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(UsageError(why)) => {
            eprint_line(format_args!("outwit: {why}"));
            ExitCode::from(2)
        }
    }
}

/// Prints what the reader of the arguments says: help, or what is wrong with them.
fn refuse(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A reader that has gone away needs no help.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render().to_string();
    eprint_line(format_args!(
        "outwit: {}",
        text.strip_prefix("error: ").unwrap_or(&text).trim_end()
    ));
    ExitCode::from(2)
}

/// Prints a line to the standard error, which may be closed as well.
pub(crate) fn eprint_line(line: impl std::fmt::Display) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints a line; a reader that has gone away (as `head` does) ends the program quietly.
pub(crate) fn print_line(line: impl std::fmt::Display) {
    use std::io::Write;
    if writeln!(std::io::stdout().lock(), "{line}").is_err() {
        std::process::exit(0);
    }
}

/// Prints a value as one JSON document.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), UsageError> {
    print_line(serde_json::to_string_pretty(value)?);
    Ok(())
}
