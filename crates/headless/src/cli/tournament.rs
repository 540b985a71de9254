//! `outwit match`.

use super::names;
use super::results::Outputs;
use super::source::find_level;
use super::{ExitStatus, Failure, eprint_line};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use outwit_core::platform::interrupt::{Hold, hold};
use outwit_core::platform::program::check_file;
use outwit_core::platform::store::{is_file, size};
use outwit_core::platform::task::limit_cores;
use outwit_core::platform::time::Duration;
use outwit_core::play::AllowedPrograms;
use outwit_core::play::{Budget, Player, StopFlag, TimeControl, engine_path};
use outwit_core::tournament::{
    Contest, ContestLevel, Entrant, Entrants, FinishedGame, Journal, Scoreboard, Share,
};
use outwit_kit::DynGame;
use outwit_kit::tournament::{ContestError, contest};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

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
    level: Option<String>,
    /// Who takes a seat: planners separated by commas, or engine:PATH for another program, where the
    /// game has a protocol for engines. A planner may have a budget of its own, as in
    /// thief=schemer@50ms,schemer@5s+100ms. Can be given once per seat.
    #[arg(long = "seat", value_name = "NAME=PLANNER[@BUDGET],...", value_parser = seat_list)]
    seats: Vec<Entrants>,
    /// Who plays, in a game with a single seat: planners separated by commas.
    #[arg(long, value_name = "PLANNER,...", value_delimiter = ',', conflicts_with = "seats")]
    planner: Vec<Entrant>,
    /// Number of games per line-up, with consecutive seeds from --seed [default: 20].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// The first seed [default: 1].
    #[arg(long)]
    seed: Option<u64>,
    /// How much a planner may think per turn: time such as 500ms, or work such as 20000w, which
    /// gives the same games on every machine [default: 20000w]. 5s+100ms is time for the match: 5 s,
    /// and 100 ms more for each turn. Planners look at the clock between pieces of work, so an answer
    /// up to 60 ms after its time still counts as in time; a later one is an overrun, and what the
    /// planner had found until then is played.
    #[arg(long, value_parser = TimeControl::limited)]
    budget: Option<TimeControl>,
    /// Whoever answers later than that loses the game on time. This needs a budget of time.
    #[arg(long)]
    strict: bool,
    /// Save every finished game to a new FILE, so that an interrupted tournament can be resumed.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    save: Option<PathBuf>,
    /// Resume the tournament saved in FILE. Its finished games are not played again. Options that
    /// FILE contains can be left out; if given, they must agree with it.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Play only every N-th seed, beginning with the I-th: a share of the tournament for one of N
    /// machines. 'outwit merge' puts the saved shares together.
    #[arg(long, value_name = "I/N")]
    shard: Option<Share>,
    /// The number of threads [default: RAYON_NUM_THREADS, else one per core]. Games with budgets of
    /// time take one thread per seat.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    jobs: Option<u32>,
    #[command(flatten)]
    outputs: Outputs,
}

/// A value of `--seat` without a name or without a player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}': write NAME=PLANNER")]
pub struct SeatSyntax(String);

/// Reads the value of `--seat`, which is `NAME=PLAYER`.
pub fn seat<P: for<'a> From<&'a str>>(text: &str) -> Result<(String, P), SeatSyntax> {
    match text.split_once('=') {
        Some((name, player)) if !name.is_empty() && !player.is_empty() => {
            Ok((name.into(), player.into()))
        }
        _ => Err(SeatSyntax(text.into())),
    }
}

/// Reads `NAME=PLANNER,PLANNER`.
fn seat_list(text: &str) -> Result<Entrants, String> {
    let (name, list) = seat::<String>(text).map_err(|error| error.to_string())?;
    let mut planners: Vec<String> = Vec::new();
    for part in list.split(',') {
        match planners.last_mut() {
            // The path of a program may have commas in it.
            Some(last) if is_begun_path(last, part) => *last = format!("{last},{part}"),
            _ => planners.push(part.trim().to_owned()),
        }
    }
    if planners.iter().any(String::is_empty) {
        return Err(format!("'{text}': a planner is missing; write NAME=PLANNER,PLANNER"));
    }
    Ok(Entrants::new(&name, planners))
}

/// Whether `engine:PATH` is no file, but would be one with the next part.
fn is_begun_path(player: &str, next: &str) -> bool {
    let Some(path) = engine_path(player) else { return false };
    let longer = format!("{},{next}", path.display());
    !is_file(path) && is_file(Path::new(&longer))
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let kind = names::game(&arguments.game)?;
    let seats = requested_seats(kind, arguments)?;
    check_players(kind, &seats)?;
    let saved = match &arguments.resume {
        Some(file) => Some(Journal::contest(file)?),
        None => None,
    };
    if let Some(saved) = &saved {
        check_allowed(&seats, saved)?;
    }
    let programs = AllowedPrograms::chosen_by_person(engines(&seats));
    let contest = requested_contest(kind, arguments, &seats, saved.as_ref())?;
    let strict = arguments.strict || saved.as_ref().is_some_and(|saved| saved.strict);
    let contest = Contest { programs, strict, ..contest };
    if strict && contest.is_repeatable() {
        let why = "--strict needs a budget of time, such as --budget 500ms";
        return Err(Failure::usage(why.into()));
    }
    let hold = hold();
    ask_engines(kind, &contest, hold.stop())?;
    arguments.outputs.try_all()?;
    if let Some(jobs) = arguments.jobs {
        limit_cores(jobs as usize);
    }
    let (journal, done) = match (&arguments.save, &arguments.resume) {
        (Some(file), _) => {
            let journal = Journal::begin(file, &contest).map_err(|error| {
                let is_begun = size(file).is_some_and(|bytes| bytes > 0);
                let resume = if is_begun { "continue it with --resume, or " } else { "" };
                Failure::usage(format!("{error}; {resume}choose another file"))
            })?;
            (Some(journal), Vec::new())
        }
        (None, Some(file)) => {
            warn_of_unsealed(file)?;
            let (journal, done) = Journal::resume(file, &contest)?;
            (Some(journal), done)
        }
        (None, None) => (None, Vec::new()),
    };
    let (board, lost) = run_share(kind, contest, arguments.shard, journal.as_ref(), done, &hold)?;
    drop(hold);
    arguments.outputs.deliver(kind, &board, lost)
}

/// The seats with their planners; those of `--planner` take the only seat.
fn requested_seats(kind: &dyn DynGame, arguments: &Arguments) -> Result<Vec<Entrants>, Failure> {
    if arguments.planner.is_empty() {
        return Ok(arguments.seats.clone());
    }
    if *kind.seats_allowed().start() > 1 {
        return Err(Failure::usage(format!(
            "{} has several seats: use --seat NAME=PLANNER instead of --planner",
            kind.name()
        )));
    }
    Ok(vec![Entrants::new(&kind.seat(0).id, arguments.planner.clone())])
}

/// Checks what only the command line can: that no person is to play, and that the files of programs can
/// be run.
fn check_players(kind: &dyn DynGame, seats: &[Entrants]) -> Result<(), Failure> {
    let mut entrants = seats.iter().flat_map(|seat| &seat.planners);
    if entrants.any(|entrant| *entrant.player() == Player::Human) {
        return Err(Failure::usage("a human needs the window: use 'outwit play'".into()));
    }
    match kind.engine_protocol() {
        Some(_) => engines(seats).try_for_each(|path| Ok(check_file(path)?)),
        None => Ok(()),
    }
}

/// The files of the entrants that are other programs.
fn engines(seats: &[Entrants]) -> impl Iterator<Item = &Path> {
    seats.iter().flat_map(|seat| &seat.planners).filter_map(|entrant| entrant.player().engine())
}

/// Programs are run only if the command line names them: a file that was saved may come from anywhere.
fn check_allowed(named: &[Entrants], saved: &Contest) -> Result<(), Failure> {
    let mut entrants = saved.seats.iter().flat_map(|seat| &seat.planners);
    match entrants.find(|entrant| entrant.player().engine().is_some()) {
        Some(engine) if named.is_empty() => Err(Failure::usage(format!(
            "the saved tournament runs the program {}; to allow it, add the --seat options that it was \
             begun with",
            engine.name()
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

/// Starts each program once to see that it can play.
fn ask_engines(kind: &dyn DynGame, contest: &Contest, stop: &StopFlag) -> Result<(), Failure> {
    let engines: BTreeSet<&Path> = contest.engines().collect();
    if engines.is_empty() {
        return Ok(());
    }
    let level = kind
        .read(contest.level.text.as_bytes(), "")
        .map_err(|faults| Failure::faults(&contest.level.id, &faults).into_usage())?;
    for path in engines {
        let program = contest.programs.find(path)?;
        let answer = kind.ask_engine(&level, &program, stop);
        if stop.is_raised() {
            return Err(Failure::interrupted(vec!["interrupted before the first game".into()]));
        }
        let info =
            answer.map_err(|why| Failure::usage(format!("engine {}: {why}", path.display())))?;
        if info.start >= SLOW_START {
            eprint_line(format_args!(
                "engine {}: ready after {:.1} s; the start is not counted as time to think",
                path.display(),
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
    if let Some(saved) = saved
        && saved.game != kind.id()
    {
        return Err(Failure::usage(format!(
            "the saved tournament is of {}, not of {}",
            saved.game,
            kind.id()
        )));
    }
    let level = match (&arguments.level, saved) {
        (None, Some(saved)) => saved.level.clone(),
        (level, _) => {
            let first = kind.first_level();
            let found = find_level(level.as_deref().unwrap_or(&first), Some(kind))?;
            // A contest stores its level in our own format.
            let level = kind
                .convert(&found.bytes, &found.name(), &[], "ron")
                .map_err(|faults| Failure::faults(&found.name(), &faults))?;
            ContestLevel::new(found.entry.id, String::from_utf8(level.bytes)?)
        }
    };
    let seats = match saved {
        Some(saved) if named.is_empty() => &saved.seats,
        _ => named,
    };
    let seeds = (
        arguments.seed.or(saved.map(|saved| saved.first_seed)).unwrap_or(1),
        arguments.games.or(saved.map(|saved| saved.seeds)).unwrap_or(20),
    );
    let budget =
        arguments.budget.or(saved.map(|saved| saved.budget)).unwrap_or(Budget::Work(20_000).into());
    contest(kind, level, seats, seeds, budget).map_err(|error| refused(&error))
}

/// Says of a file whose games have no digests that it may have been altered.
pub(super) fn warn_of_unsealed(file: &Path) -> Result<(), Failure> {
    if !Journal::is_sealed(file)? {
        eprint_line(format_args!(
            "{}: an earlier version wrote this file, without digests: if somebody altered its \
             results, that cannot be noticed",
            file.display()
        ));
    }
    Ok(())
}

/// Writes what the file of a tournament could not take before; returns what to say if it still
/// cannot.
pub(super) fn finish(journal: &Journal) -> Option<String> {
    let error = journal.finish().err()?;
    Some(format!("{error}; this file is incomplete: some of the games are missing"))
}

/// Plays the unfinished games, with a progress bar on a terminal. Also returns what was lost: a game
/// that cannot be saved is tried again with each later one and in the end.
fn run_share(
    kind: &dyn DynGame,
    contest: Contest,
    share: Option<Share>,
    journal: Option<&Journal>,
    done: Vec<FinishedGame>,
    hold: &Hold,
) -> Result<(Scoreboard, Vec<String>), Failure> {
    let share = share.unwrap_or(Share::ALL);
    let rounds = (0..contest.seeds as usize).filter(|&round| share.holds(round)).count();
    // Drawn only on a terminal, so piped output stays clean.
    let bar = ProgressBar::new((rounds * contest.cells()) as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left") {
        bar.set_style(style);
    }
    bar.set_position(done.len() as u64);
    bar.reset_eta();
    let has_warned = AtomicBool::new(false);
    let games = kind.run_share(&contest, share, done, hold.stop(), &|game| {
        bar.inc(1);
        if let Some(Err(error)) = journal.map(|journal| journal.add(game))
            && !has_warned.swap(true, Ordering::Relaxed)
        {
            bar.suspend(|| eprint_line(format_args!("{error}; trying again with later games")));
        }
        Ok(())
    });
    let finished = format!("{} of {} games are", bar.position(), rounds * contest.cells());
    bar.finish_and_clear();
    let lost: Vec<String> = journal.and_then(finish).into_iter().collect();
    match games {
        Ok(games) => Ok((Scoreboard::new(contest, games), lost)),
        Err(_) if hold.stop().is_raised() => {
            let told = match journal {
                None => format!(
                    "interrupted; {finished} finished, but not saved: --save FILE would keep them"
                ),
                Some(_) if lost.is_empty() => format!("interrupted; {finished} saved"),
                Some(_) => "interrupted; not all finished games are saved".into(),
            };
            let resume = journal.map(|_| format!("resume with: {}", resume_command()));
            let lines = std::iter::once(told).chain(lost).chain(resume).collect();
            Err(Failure::interrupted(lines))
        }
        Err(error) => {
            let lines = std::iter::once(error.to_string()).chain(lost).collect();
            Err(Failure { lines, ..Failure::usage(String::new()) })
        }
    }
}

/// The command line of this process, with `--resume` for `--save`.
fn resume_command() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| {
        let argument = argument.to_string_lossy();
        match argument.strip_prefix("--save") {
            Some(rest) if rest.is_empty() || rest.starts_with('=') => {
                quoted(&format!("--resume{rest}"))
            }
            _ => quoted(&argument),
        }
    });
    let words: Vec<String> = std::iter::once("outwit".into()).chain(arguments).collect();
    words.join(" ")
}

/// An argument as a shell reads it.
fn quoted(argument: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_=+,./:@%".contains(letter);
    match argument {
        plain if !plain.is_empty() && plain.chars().all(is_plain) => plain.to_owned(),
        text if cfg!(windows) => format!("\"{text}\""),
        text => format!("'{}'", text.replace('\'', "'\\''")),
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
            (include_str!("../../../../docs/MEASURING.md"), &answer),
            (
                include_str!("../../../../docs/FIELDS.md"),
                &format!("took more than {grace} ms longer than the budget"),
            ),
        ] {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
    }
}
