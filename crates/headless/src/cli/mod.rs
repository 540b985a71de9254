//! The sub-commands. Each prints text for people, or one JSON document with `--json`.
//!
//! Exit codes: 0 success, 1 the answer is "no" (unsolvable, invalid, a replay that differs from its
//! recording, merged files in which games are missing), 2 usage error, or something could not be written, 3 games are
//! still to be played, 128 and the number of the signal that asked the program to end.

mod analyse;
mod answer;
mod ask;
mod bench;
mod brain;
mod check;
mod commentary;
mod compare;
mod contest;
mod convert;
mod echo;
mod exercise;
mod exploit;
mod failure;
mod film;
mod highlights;
mod input;
mod league;
mod limits;
mod lists;
mod merge;
mod names;
mod open;
mod output;
mod picture;
mod play;
mod programs;
mod protocol;
mod replay;
mod results;
mod rule_args;
mod saving;
mod sealing;
mod shell_files;
mod solve;
mod source;
mod table;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
mod tournament;
mod values;
mod waiting;
mod window;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use outwit_core::platform::interrupt;
use outwit_core::play::Player;
use outwit_kit::DynGame;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::ExitCode;

pub(crate) use answer::{Answer, ExitStatus};
pub(crate) use failure::Failure;
pub use film::{FilmKind, FilmStep, FilmStyle, WantedFilm};
pub use open::exercise as open_exercise;
pub use output::eprint_line;
pub(crate) use output::{print_json, print_line, print_lines};
pub use play::BUDGET as PLAY_BUDGET;
use play::Prepared;
pub use source::FoundLevel;
pub(crate) use source::find_level;
pub use window::{MatchArgs, NoWindow, Picture, PictureTheme, Wanted, WantedPicture, Window};

/// Checks who is to sit where, each seat by its id.
///
/// # Errors
/// Which seat or planner is not there, or named twice.
pub fn check_seats(kind: &dyn DynGame, seats: &[(String, Player)]) -> Result<(), String> {
    names::seats(kind, seats).map_err(|failure| failure.lines.join(" "))
}

/// The level that a text names: an id such as `racetrack/first-lap`, or a path. `PATH#3` is the third level of a file
/// that holds several.
///
/// # Errors
/// If there is none, or it cannot be read.
pub fn open_level(named: impl AsRef<OsStr>) -> Result<FoundLevel, String> {
    find_level(named, None).map_err(|failure| failure.lines.join("\n"))
}

/// What the environment decides, for the help and the manual page.
const ENVIRONMENT: &str = "\
Environment:
  OUTWIT_DATA    folder of your levels, results, settings and replays
  OUTWIT_ASSETS  folder of fonts, pieces and sounds that take the place of those in the program";

/// Play grid games against AI planners, and see how they think.
///
/// Without a command, Outwit opens its window.
#[derive(Parser)]
#[command(name = "outwit", version, args_conflicts_with_subcommands = true)]
#[command(after_long_help = ENVIRONMENT)]
struct Arguments {
    /// Open the window at this level or replay.
    file: Option<PathBuf>,
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
    Picture(picture::Arguments),
    Solve(solve::Arguments),
    Match(tournament::Arguments),
    League(league::Arguments),
    Contest(contest::Arguments),
    Merge(merge::Arguments),
    Highlights(highlights::Arguments),
    Exploit(exploit::Arguments),
    Replay(replay::Arguments),
    Analyse(analyse::Arguments),
    Compare(compare::Arguments),
    Exercise(exercise::Arguments),
    Bench(bench::Arguments),
    Brain(brain::Arguments),
    Protocol(protocol::Arguments),
    Try(ask::TryArguments),
    Ask(ask::AskArguments),
    /// Play as the smallest program, for `outwit bench programs`.
    #[command(hide = true)]
    Echo,
    Completions(shell_files::CompletionArguments),
    Man(shell_files::ManArguments),
}

/// Runs the program with the arguments of the process.
pub fn main(window: &dyn Window) -> ExitCode {
    if let Err(error) = interrupt::watch() {
        eprint_line(format_args!("outwit: signals are not handled: {error}"));
    }
    let code = run(window, &std::env::args_os().collect::<Vec<_>>());
    // No program that played in a seat outlives this one.
    outwit_core::platform::program::end_all();
    interrupt::clean_up();
    interrupt::exit_code().map_or(code, ExitCode::from)
}

/// Runs what these arguments say, of which the first is the name of the program.
pub fn run(window: &dyn Window, given: &[OsString]) -> ExitCode {
    let wants_json = wants_json(given);
    let arguments = match Arguments::try_parse_from(given) {
        Ok(arguments) => arguments,
        Err(error) => return end(print_clap(&error, wants_json)),
    };
    let outcome = match arguments.command {
        None => match arguments.file.as_deref().map_or(Ok(Wanted::Menu), open::wanted) {
            Ok(wanted) => return window.open(wanted, None),
            Err(failure) => Err(failure),
        },
        Some(Command::Play(arguments)) => match play::prepare(&arguments) {
            Ok(Prepared::Open(wanted, picture)) => return window.open(*wanted, picture),
            Ok(Prepared::Printed(answer)) => Ok(answer),
            Err(failure) => Err(failure),
        },
        Some(Command::Edit(arguments)) => match play::to_edit(&arguments) {
            Ok(level) => return window.open(Wanted::Editor(level), None),
            Err(failure) => Err(failure),
        },
        Some(Command::Levels(arguments)) => lists::levels(&arguments),
        Some(Command::Planners(arguments)) => lists::planners(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Convert(arguments)) => convert::run(&arguments),
        Some(Command::Picture(arguments)) => picture::run(&arguments, window),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Match(arguments)) => tournament::run(&arguments, window),
        Some(Command::League(arguments)) => league::run(&arguments),
        Some(Command::Contest(arguments)) => contest::run(&arguments, window),
        Some(Command::Merge(arguments)) => merge::run(&arguments, window),
        Some(Command::Highlights(arguments)) => highlights::run(&arguments, window),
        Some(Command::Exploit(arguments)) => exploit::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments, window),
        Some(Command::Analyse(arguments)) => analyse::run(&arguments),
        Some(Command::Compare(arguments)) => compare::run(&arguments),
        Some(Command::Exercise(arguments)) => exercise::run(&arguments),
        Some(Command::Bench(arguments)) if arguments.is_editor() => {
            return window.open(Wanted::EditorBench, None);
        }
        Some(Command::Bench(arguments)) => bench::run(&arguments, window),
        Some(Command::Brain(arguments)) => brain::run(&arguments),
        Some(Command::Protocol(arguments)) => protocol::run(&arguments),
        Some(Command::Try(arguments)) => ask::try_program(&arguments),
        Some(Command::Ask(arguments)) => ask::ask(&arguments),
        Some(Command::Echo) => echo::run(),
        Some(Command::Completions(arguments)) => shell_files::completions(&arguments),
        Some(Command::Man(arguments)) => shell_files::man(&arguments),
    };
    end(match outcome {
        Ok(Answer::Yes) => 0,
        Ok(Answer::No) => 1,
        Ok(Answer::Failed) => 2,
        Ok(Answer::Unfinished) => 3,
        Err(failure) => {
            failure.print(wants_json);
            failure.code
        }
    })
}

/// The exit code of a sub-command that ended with this one: 0 only if everything was written.
fn end(code: u8) -> ExitCode {
    match output::finish() {
        Ok(()) => ExitCode::from(code),
        Err(error) => {
            // Who closes a pipe knows that.
            if error.kind() != std::io::ErrorKind::BrokenPipe {
                eprint_line(format_args!("outwit: standard output: {error}"));
            }
            ExitCode::from(2)
        }
    }
}

/// Whether errors are printed as documents too. Asked of the arguments as they are: that they cannot be parsed
/// is such an error.
fn wants_json(given: &[OsString]) -> bool {
    given.iter().skip(1).take_while(|argument| *argument != "--").any(|a| a == "--json")
}

/// Prints what clap has to say, the help or what is wrong with the arguments, and returns the exit
/// code.
fn print_clap(error: &clap::Error, wants_json: bool) -> u8 {
    let text = error.render().to_string();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        output::print_raw(&text);
        return 0;
    }
    let lines = text.strip_prefix("error: ").unwrap_or(&text).trim_end().lines();
    let failure =
        Failure { lines: lines.map(str::to_owned).collect(), ..Failure::usage(String::new()) };
    failure.print(wants_json);
    failure.code
}
