//! `outwit try` and `outwit ask`: one's own program, outside of a match.

use super::analyse::find;
use super::names;
use super::programs::ProgramArgs;
use super::source::find_level;
use super::waiting::Waiting;
use super::{Answer, ExitStatus, Failure, eprint_line, print_json, print_line};
use crate::report::trial_report;
use crate::shell_word::CommandLine;
use clap::Args;
use outwit_core::levels::write;
use outwit_core::platform::interrupt::hold;
use outwit_core::platform::program::ProgramCommand;
use outwit_core::play::{BANK, Budget, Player, ProgramKind};
use outwit_kit::{AnalyseOptions, DynGame, Trial, TrialOptions};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Try a program that is to play a game: does it keep to the protocol, to the rules and to its time?
///
/// Asks it about positions of matches between planners, asks some of them twice, and lets it play. The exit code is 0
/// if nothing is wrong, and 1 if something is.
///
/// Example: outwit try "python3 fox.py" --game cops --report fox.html
#[derive(Args)]
pub struct TryArguments {
    /// How the program is started.
    command: String,
    /// The game.
    #[arg(long)]
    game: String,
    /// A level id or a file [default: the game's first level].
    #[arg(long)]
    level: Option<OsString>,
    /// The seat that it takes [default: the game's first].
    #[arg(long)]
    seat: Option<String>,
    /// Its time per turn.
    #[arg(long, default_value = "500ms", value_parser = limit)]
    budget: Duration,
    /// About how many positions it is asked.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    states: u16,
    /// How many matches it plays.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(0..=1_000))]
    matches: u16,
    /// Write a page with all that was found to FILE, as HTML that needs no other file.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    programs: ProgramArgs,
}

/// Ask a program what it would play in one position, as often as you like and without a clock.
///
/// Example: outwit ask my-race.ron --turn 12 --player "python3 fox.py"
#[derive(Args)]
pub struct AskArguments {
    /// A replay, a level id or a level file.
    file: OsString,
    /// The position after this many turns.
    #[arg(long, default_value_t = 0)]
    turn: usize,
    /// How the program is started, with or without 'program:' in front.
    #[arg(long, value_name = "COMMAND")]
    player: String,
    /// For which seat; the first that is to move if not given.
    #[arg(long)]
    seat: Option<String>,
    /// Its time; as long as it wants if not given.
    #[arg(long, value_parser = limit)]
    budget: Option<Duration>,
    /// The seed of the match, where a level is asked about.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON, with the whole picture that it drew.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    programs: ProgramArgs,
}

/// Reads a time.
fn limit(text: &str) -> Result<Duration, String> {
    match text.parse()? {
        Budget::Time(time) if !time.is_zero() => Ok(time),
        _ => Err(format!("'{text}': the time of a program is wall-clock time, such as 500ms")),
    }
}

/// The program of a command, which may be written as a player too.
fn player_of(command: &str) -> Player {
    let prefix = ProgramKind::Program.prefix();
    let command = command.strip_prefix(prefix).unwrap_or(command);
    Player::of_program(ProgramKind::Program, command)
}

pub fn try_program(arguments: &TryArguments) -> ExitStatus {
    let kind = names::game(&arguments.game)?;
    let first = kind.first_level();
    let found = find_level(arguments.level.as_deref().unwrap_or(first.as_ref()), Some(kind))?;
    let level = kind
        .read(&found.bytes, &found.name())
        .map_err(|faults| Failure::faults(&found.name(), &faults))?;
    let player = player_of(&arguments.command);
    let own = match &arguments.seat {
        Some(seat) => seat.clone(),
        None => kind.seat(0).id,
    };
    names::seats(kind, &[(own.clone(), "human".into())])?;
    let seats = kind.line_up(&[(own.clone(), Player::Human)], Some(&level)).len();
    let seat = (0..seats).find(|&seat| kind.seat(seat).id == own).unwrap_or(0);
    let program = player.program().ok_or_else(|| Failure::usage("no command was given".into()))?;
    arguments.programs.check(program)?;
    warn_of_shell(program.command);
    let options = TrialOptions {
        seat,
        program: arguments.programs.allow([&player]).find(program.command)?,
        player: player.clone(),
        others: (0..seats)
            .filter(|&other| other != seat)
            .map(|other| kind.opponent(other))
            .collect(),
        limit: arguments.budget,
        bank: arguments.programs.bank().unwrap_or(BANK),
        states: usize::from(arguments.states),
        matches: u32::from(arguments.matches),
    };
    let hold = hold();
    let waiting = Waiting::for_one(|| "the program is asked, then it plays".into());
    let trial = kind.try_program(&level, &options, hold.stop());
    let stopped = hold.stop().is_raised();
    drop((waiting, hold));
    if stopped {
        return Err(Failure::interrupted(vec!["interrupted".into()]));
    }
    let trial = trial.map_err(Failure::usage)?;
    if let Some(file) = &arguments.report {
        let mut command = CommandLine::new("outwit try");
        command
            .operand(&arguments.command)
            .option("--game", kind.id())
            .option("--seat", &own)
            .option("--budget", &format!("{}ms", arguments.budget.as_millis()));
        write(file, trial_report(kind, &trial, &command).as_bytes())?;
    }
    if arguments.json {
        print_json(&trial)?;
    } else {
        print_trial(kind, &trial);
    }
    Ok(if trial.passed() { Answer::Yes } else { Answer::No })
}

/// Says that the command is none of a shell, if it looks like one.
fn warn_of_shell(command: &str) {
    let words = ProgramCommand::read(command).map(|command| command.arguments).unwrap_or_default();
    let is_sign = |word: &&String| {
        let sign = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        ["|", "||", "&", "&&", ";"].contains(&sign) || sign.starts_with(['<', '>'])
    };
    if let Some(word) = words.iter().find(is_sign) {
        eprint_line(format_args!(
            "'{word}' goes to the program as it is, for no shell reads the command; put such things into a script"
        ));
    }
}

fn print_trial(kind: &dyn DynGame, trial: &Trial) {
    let by = if trial.about.is_empty() { String::new() } else { format!(" {}", trial.about) };
    print_line(format!("{}{by} in {}", trial.name, kind.name()));
    for check in &trial.checks {
        let sign = if check.passed { "fine" } else { "PROBLEM" };
        print_line(format!("{:<11} {sign}: {}", check.name, check.found));
        if !check.advice.is_empty() {
            print_line(format!("            {}", check.advice));
        }
    }
    if !trial.log.is_empty() {
        print_line("the end of its standard error:");
        trial.log.iter().for_each(|line| print_line(format!("            {line}")));
    }
    for played in &trial.matches {
        let end = played.fault.as_ref().unwrap_or(&played.headline);
        print_line(format!(
            "match {:<5} {end}; {} turns, {} late, {} illegal, {} not readable",
            played.seed, played.turns, played.late, played.illegal, played.broken
        ));
    }
    print_line(match trial.passed() {
        true => "It is ready to play.",
        false => "It is not ready to play: mend the problems above.",
    });
}

pub fn ask(arguments: &AskArguments) -> ExitStatus {
    let (kind, bytes, name) = find(&arguments.file)?;
    let player = player_of(&arguments.player);
    let program = player.program().ok_or_else(|| Failure::usage("no command was given".into()))?;
    arguments.programs.check(program)?;
    let allowed = arguments.programs.allow([&player]).find(program.command)?;
    let options = AnalyseOptions {
        turn: Some(arguments.turn),
        planner: None,
        seat: arguments.seat.clone(),
        budget: Budget::default(),
        seed: arguments.seed,
    };
    let hold = hold();
    let waiting = Waiting::for_one(|| "the program has not answered yet".into());
    let asked = kind.ask_about(&bytes, &name, &options, &allowed, arguments.budget, hold.stop());
    drop((waiting, hold));
    let asked = asked.map_err(|faults| Failure::faults(&name, &faults).into_usage())?;
    let good = asked.problems.is_empty();
    if arguments.json {
        print_json(&asked)?;
        return Ok(if good { Answer::Yes } else { Answer::No });
    }
    print_line(format!("{name}: {} for {} at turn {}", asked.name, asked.seat, asked.turn));
    let action = match (asked.actions.len(), asked.action.as_deref()) {
        (_, None) => "nothing that can be played".to_owned(),
        (1, Some(action)) => format!("{action} ({})", asked.actions.join(" ")),
        (count, Some(_)) => format!("{count} actions, {}", asked.actions.join(" ")),
    };
    print_line(format!("answer  {action} after {:.1} ms", asked.ms));
    if let Some(played) = &asked.played {
        print_line(format!("played  {played}"));
    }
    asked.notes.iter().for_each(|note| print_line(format!("note    {note}")));
    for counter in &asked.insight.counters {
        print_line(format!("figure  {}: {}", counter.name, counter.value));
    }
    asked.problems.iter().for_each(|problem| print_line(format!("problem {problem}")));
    asked.advice.iter().for_each(|advice| print_line(format!("advice  {advice}")));
    asked.log.iter().for_each(|line| print_line(format!("stderr  {line}")));
    Ok(if good { Answer::Yes } else { Answer::No })
}
