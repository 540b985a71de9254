//! `outwit match`.

use super::input::read;
use super::names;
use super::programs::ProgramArgs;
use super::results::Outputs;
use super::rule_args::RuleArgs;
use super::saving::{Saving, Until, requested_games, requested_level};
use super::sealing::Sealing;
use super::values::seat;
use super::window::Window;
use super::{Answer, ExitStatus, Failure, eprint_line};
use clap::Args;
use outwit_core::platform::interrupt::hold;
use outwit_core::platform::program::{ProgramCommand, ProgramError};
use outwit_core::platform::store::is_file;
use outwit_core::platform::time::Duration;
use outwit_core::play::{Isolation, Player, ProgramKind, ProgramName, StopFlag, TimeControl};
use outwit_core::tournament::{Contest, ContestLevel, Entrant, Entrants, OpeningSource};
use outwit_kit::tournament::{ContestError, contest, given_openings, usual_openings};
use outwit_kit::{DynGame, responder_seat};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Play matches between planners without a window, on all cores, and print the results.
///
/// Every combination of the given planners plays on the same seeds. Without --seat, all planners of
/// the game take part.
///
/// Example: outwit match cops --seat thief=runner,evader --seat cops=chasers,pack --games 50
#[derive(Args)]
pub struct Arguments {
    /// The game.
    game: String,
    /// A level id or a file [default: the game's first level].
    level: Option<OsString>,
    /// Who takes a seat: planners separated by commas, program:COMMAND for a program that speaks Outwit's protocol
    /// (see 'outwit protocol'), as in "thief=program:python3 fox.py", or engine:COMMAND where the game has a protocol
    /// of its own for engines. A planner may have a budget of its own, as in
    /// thief=schemer@50ms,schemer@5s+100ms. Can be given once per seat.
    #[arg(long = "seat", value_name = "NAME=PLANNER[@BUDGET],...", value_parser = seat_list)]
    seats: Vec<Entrants>,
    /// Who plays, in a game with a single seat: planners separated by commas.
    #[arg(long, value_name = "PLANNER,...", value_parser = planner_list, conflicts_with = "seats")]
    planner: Vec<Planners>,
    /// Number of games per line-up, with consecutive seeds from --seed [default: 20].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// The first seed [default: 1].
    #[arg(long)]
    seed: Option<u64>,
    /// How much a planner may think per turn: time such as 500ms, processor time such as 500ms-cpu
    /// (on Linux), which other programs cannot take away, or work such as 20000w, which gives the
    /// same games on every machine [default: 20000w]. 5s+100ms is time for the match: 5 s, and 100 ms
    /// more for each turn. Planners look at the clock between pieces of work, so an answer up to 60 ms
    /// after its time still counts as in time; a later one is an overrun, and what the planner had
    /// found until then is played.
    #[arg(long, value_parser = TimeControl::limited)]
    budget: Option<TimeControl>,
    /// A planner that exceeds its budget loses the game on time. This needs a budget of time.
    #[arg(long)]
    strict: bool,
    /// How the games begin: 'search' for near-even openings that the game finds, 'none' for the level
    /// as it is, or a FILE with the moves of one opening per line, which are used in turn. Each opening
    /// is played from every seat: where the seats have different planners, consecutive seeds share it
    /// [default: search where the game finds openings for the level, else none].
    #[arg(long, value_name = "search|none|FILE")]
    openings: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    saving: Saving,
    #[command(flatten)]
    programs: ProgramArgs,
    #[command(flatten)]
    sealing: Sealing,
    #[command(flatten)]
    outputs: Outputs,
}

/// Reads `NAME=PLANNER,PLANNER`.
fn seat_list(text: &str) -> Result<Entrants, String> {
    let (name, list) = seat::<String>(text).map_err(|error| error.to_string())?;
    let planners = split(&list);
    if planners.iter().any(String::is_empty) {
        return Err(format!("'{text}': a planner is missing; write NAME=PLANNER,PLANNER"));
    }
    Ok(Entrants::new(&name, planners))
}

/// Planners separated by commas.
#[derive(Clone)]
struct Planners(Vec<String>);

/// Reads `PLANNER,PLANNER`.
fn planner_list(text: &str) -> Result<Planners, String> {
    let planners = split(text);
    match planners.iter().any(String::is_empty) {
        true => Err(format!("'{text}': a planner is missing; write PLANNER,PLANNER")),
        false => Ok(Planners(planners)),
    }
}

/// The players of a list with commas.
fn split(list: &str) -> Vec<String> {
    let mut planners: Vec<String> = Vec::new();
    for part in list.split(',') {
        match planners.last_mut() {
            // The command of a program may have commas in it.
            Some(last) if is_begun_command(last, part) => *last = format!("{last},{part}"),
            _ => planners.push(part.trim().to_owned()),
        }
    }
    planners
}

/// Whether the command of a program is no file, but would be one with the next part, or a quote in it is still open.
fn is_begun_command(player: &str, next: &str) -> bool {
    let Some(ProgramName { command, .. }) = ProgramName::of(player) else { return false };
    let longer = format!("{command},{next}");
    let is_open = || matches!(ProgramCommand::read(command), Err(ProgramError::OpenQuote(_)));
    !is_file(Path::new(command)) && (is_file(Path::new(&longer)) || is_open())
}

pub fn run(arguments: &Arguments, window: &dyn Window) -> ExitStatus {
    let (kind, seats) = requested_seats(arguments)?;
    let saved = arguments.saving.saved_contest()?;
    let begun = saved.as_ref().and_then(|saved| saved.isolation.as_deref());
    let isolated = arguments.programs.resumed(begun)?;
    check_players(kind, &seats, &isolated)?;
    if let Some(saved) = &saved {
        check_allowed(&seats, saved)?;
        if responder_seat(saved).is_some() {
            return Err(Failure::usage(
                "'outwit exploit' saved this file: resume it with that".into(),
            ));
        }
    }
    let entrants = seats.iter().flat_map(|seat| &seat.planners);
    let programs = isolated.allow(entrants.map(Entrant::player));
    let contest = requested_contest(kind, arguments, &seats, saved.as_ref())?;
    let salt = match &saved {
        Some(saved) => arguments.sealing.resume(saved)?,
        None => arguments.sealing.begin(&contest, arguments.saving.is_share())?,
    };
    let strict = arguments.strict || saved.as_ref().is_some_and(|saved| saved.strict);
    let given = arguments.programs.bank().and_then(|bank| u64::try_from(bank.as_millis()).ok());
    let bank_ms = given.or_else(|| saved.as_ref().and_then(|saved| saved.bank_ms));
    let isolation = Some(isolated.isolation()).filter(|how| *how != Isolation::Limits);
    // A resumed one keeps what it was begun with.
    let isolation = match &saved {
        Some(saved) => saved.isolation.clone(),
        None => isolation.map(|how| how.to_string()),
    };
    let contest = Contest { salt, programs, strict, bank_ms, isolation, ..contest };
    if strict && contest.is_repeatable() {
        let why = "--strict needs a budget of time, such as --budget 500ms";
        return Err(Failure::usage(why.into()));
    }
    let hold = hold();
    ask_programs(kind, &contest, hold.stop())?;
    arguments.outputs.try_all()?;
    let (board, lost) = arguments.saving.play(kind, contest, &hold)?;
    drop(hold);
    let answer = arguments.outputs.deliver(kind, &board, lost, window)?;
    // A share is never the whole.
    let missing = board.contest().games() - board.finished();
    let is_late = arguments.saving.until().is_some_and(Until::is_over);
    match is_late && missing > 0 && answer == Answer::Yes && !arguments.saving.is_share() {
        true => Ok(Answer::Unfinished),
        false => Ok(answer),
    }
}

/// The game and its seats with their planners; those of `--planner` take the only seat.
pub(super) fn requested_seats(
    arguments: &Arguments,
) -> Result<(&'static dyn DynGame, Vec<Entrants>), Failure> {
    let kind = names::game(&arguments.game)?;
    let planners: Vec<String> = arguments.planner.iter().flat_map(|list| list.0.clone()).collect();
    if planners.is_empty() {
        return Ok((kind, arguments.seats.clone()));
    }
    if *kind.facts().seats.allowed.start() > 1 {
        return Err(Failure::usage(format!(
            "{} has several seats: use --seat NAME=PLANNER instead of --planner",
            kind.name()
        )));
    }
    Ok((kind, vec![Entrants::new(&kind.seat(0).id, planners)]))
}

/// Checks what only the command line can: that no person is to play, and that programs can be run.
fn check_players(
    kind: &dyn DynGame,
    seats: &[Entrants],
    programs: &ProgramArgs,
) -> Result<(), Failure> {
    let mut entrants = seats.iter().flat_map(|seat| &seat.planners);
    if entrants.any(|entrant| *entrant.player() == Player::Human) {
        return Err(Failure::usage("a human needs the window: use 'outwit play'".into()));
    }
    let entrants = seats.iter().flat_map(|seat| &seat.planners);
    let mut named = entrants.filter_map(|entrant| entrant.player().program());
    // Of an engine where there is no protocol for it, the contest says so.
    let knows = |program: &ProgramName| {
        program.kind == ProgramKind::Program || kind.facts().engine_protocol.is_some()
    };
    named.try_for_each(|program| if knows(&program) { programs.check(program) } else { Ok(()) })
}

/// Programs are run only if the command line names them: a file that was saved may come from anywhere.
fn check_allowed(named: &[Entrants], saved: &Contest) -> Result<(), Failure> {
    let mut entrants = saved.seats.iter().flat_map(|seat| &seat.planners);
    match entrants.find(|entrant| entrant.player().program().is_some()) {
        Some(program) if named.is_empty() => Err(Failure::usage(format!(
            "the saved tournament runs the program {}; to allow it, add the --seat options that it was \
             begun with",
            program.name()
        ))),
        _ => Ok(()),
    }
}

/// Why there is no such contest, with the nearest name for an unknown one.
pub(super) fn refused(error: &ContestError) -> Failure {
    Failure::usage(match error {
        ContestError::UnknownSeat { seat, known } => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            format!("unknown seat '{seat}'; {}", names::suggest(seat, &known))
        }
        ContestError::UnknownPlanner { player, seat, known } => {
            format!("unknown planner '{player}' for {seat}; {}", names::suggest(player, known))
        }
        error => error.to_string(),
    })
}

/// From this time on the start of a program is worth a word.
const SLOW_START: Duration = Duration::from_secs(1);

/// Starts each program once for its seat to see that it can play. Engines that cannot play are refused.
fn ask_programs(kind: &dyn DynGame, contest: &Contest, stop: &StopFlag) -> Result<(), Failure> {
    let mut programs: Vec<(ProgramName, usize)> = Vec::new();
    for (seat, entrants) in contest.seats.iter().enumerate() {
        let named = entrants.planners.iter().filter_map(|entrant| entrant.player().program());
        for program in named {
            if !programs.iter().any(|(known, _)| *known == program) {
                programs.push((program, seat));
            }
        }
    }
    if programs.is_empty() {
        return Ok(());
    }
    let level = kind
        .read(contest.level.text.as_bytes(), "")
        .map_err(|faults| Failure::faults(&contest.level.id, &faults).into_usage())?;
    for (named, seat) in programs {
        let command = named.command;
        let program = contest.programs.find(command)?;
        let answer = kind.ask_program(&level, named.kind, seat, &program, stop);
        if stop.is_raised() {
            return Err(Failure::interrupted(vec!["interrupted before the first game".into()]));
        }
        let info = match answer {
            Ok(info) => info,
            // In a tournament of many, one that does not start loses its games.
            Err(why) if named.kind == ProgramKind::Program => {
                eprint_line(format_args!("program {command}: {why}; it will lose its games"));
                continue;
            }
            Err(why) => return Err(Failure::usage(format!("engine {command}: {why}"))),
        };
        if info.start >= SLOW_START {
            eprint_line(format_args!(
                "{}{command}: ready after {:.1} s; the start is not counted as time to think",
                named.kind.prefix(),
                info.start.as_secs_f32()
            ));
        }
    }
    Ok(())
}

/// The contest that the arguments ask for; what they leave out comes from the file to resume.
///
/// # Errors
/// The problems of a faulty level, or what is wrong with the arguments.
fn requested_contest(
    kind: &'static dyn DynGame,
    arguments: &Arguments,
    named: &[Entrants],
    saved: Option<&Contest>,
) -> Result<Contest, Failure> {
    let level = requested_level(kind, arguments.level.as_deref(), &arguments.rules, saved)?;
    let seats = match saved {
        Some(saved) if named.is_empty() => &saved.seats,
        _ => named,
    };
    let (seeds, budget) = requested_games(arguments.seed, arguments.games, arguments.budget, saved);
    let openings = requested_openings(kind, &level, arguments, saved)?;
    let contest = contest(kind, level, seats, seeds, budget).map_err(|error| refused(&error))?;
    Ok(Contest { openings, ..contest })
}

/// The openings that the arguments ask for, else those of the file to resume, else the usual ones.
fn requested_openings(
    kind: &dyn DynGame,
    level: &ContestLevel,
    arguments: &Arguments,
    saved: Option<&Contest>,
) -> Result<Option<OpeningSource>, Failure> {
    let usual = || usual_openings(kind, level);
    let Some(file) = &arguments.openings else {
        return Ok(saved.map_or_else(usual, |saved| saved.openings.clone()));
    };
    match file.to_str() {
        Some("none") => Ok(None),
        Some("search") => usual().map(Some).ok_or_else(|| {
            Failure::usage(format!("{} finds no openings for the level {}", kind.name(), level.id))
        }),
        _ => {
            let text = String::from_utf8(read(file)?).map_err(|error| {
                Failure::usage(format!("{}: this is not text: {error}", file.display()))
            })?;
            let given = given_openings(kind, level, &text)
                .map_err(|why| Failure::usage(format!("{}: {why}", file.display())))?;
            Ok(Some(given))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_core::play::GRACE;

    #[test]
    fn the_grace_is_named_as_it_is() {
        let mut command = Arguments::augment_args(clap::Command::new("match"));
        let help = command.render_long_help().to_string();
        let grace = GRACE.as_millis();
        let answer = format!("answer up to {grace} ms after its time");
        for (text, wanted) in [
            (help.as_str(), &answer),
            (include_str!("../../../../docs/manual/src/measuring.md"), &answer),
            (
                include_str!("../../../../docs/manual/src/fields.md"),
                &format!("took more than {grace} ms longer than the budget"),
            ),
        ] {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
    }
}
