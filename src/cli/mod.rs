//! The sub-commands. Each prints text for people, or one JSON document with `--json`.
//!
//! Exit codes: 0 success, 1 the answer is "no" (unsolvable, invalid, a replay that differs from its
//! recording), 2 usage error.

mod analyse;
mod bench;
mod brain;
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

/// Play grid games against AI planners, and see how they think.
///
/// Without a sub-command, Outwit opens its window.
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
    Analyse(analyse::Arguments),
    Bench(bench::Arguments),
    Brain(brain::Arguments),
}

/// How a sub-command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Exit code 0.
    Yes,
    /// Exit code 1.
    No,
}

/// A usage error, for exit code 2: what is wrong, and what to do about it.
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
    let code = run();
    // No program that played in a seat outlives this one.
    crate::platform::program::end_all();
    code
}

fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return print_clap(&error),
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
        Some(Command::Analyse(arguments)) => analyse::run(&arguments),
        Some(Command::Bench(arguments)) if arguments.is_editor() => return play::measure_editor(),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Brain(arguments)) => brain::run(&arguments),
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

/// Prints what clap has to say: the help, or what is wrong with the arguments.
fn print_clap(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Nobody is left to read it if the pipe is closed.
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

/// Prints a line to standard error. It does not matter if that is closed.
pub(crate) fn eprint_line(line: impl std::fmt::Display) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints a line. Ends the program quietly if the pipe is closed, as `head` does.
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
