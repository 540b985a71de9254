//! `outwit match`.

use super::check::lines;
use super::names;
use super::source::find_level;
use super::table::{grid, table};
use super::{Answer, ExitStatus, UsageError, eprint_line, print_json, print_line};
use crate::games::DynGame;
use crate::games::tournament::{
    EngineFault, contest, csv, differences, engine_faults, game_rows, replay_name, report,
};
use crate::levels::write;
use crate::platform::store::is_file;
use crate::play::{Budget, Player, StopFlag, engine_path};
use crate::tournament::{Contest, Estimate, FinishedGame, Journal, Scoreboard, ratings};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::collections::BTreeSet;
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
    level: Option<String>,
    /// Who takes a seat: planners separated by commas, or engine:PATH for another program, where the
    /// game has a protocol for engines. Can be given once per seat.
    #[arg(long = "seat", value_name = "NAME=PLANNER,...", value_parser = seat_list)]
    seats: Vec<(String, Vec<String>)>,
    /// Who plays, in a game with a single seat: planners separated by commas.
    #[arg(long, value_name = "PLANNER,...", value_delimiter = ',', conflicts_with = "seats")]
    planner: Vec<String>,
    /// Number of games per line-up, with consecutive seeds from --seed [default: 20].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// The first seed [default: 1].
    #[arg(long)]
    seed: Option<u64>,
    /// How much a planner may think per turn: time such as 500ms, or work such as 20000w, which
    /// gives the same games on every machine [default: 20000w].
    #[arg(long)]
    budget: Option<Budget>,
    /// Save every finished game to a new FILE, so that an interrupted tournament can be resumed.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    save: Option<PathBuf>,
    /// Resume the tournament saved in FILE. Its finished games are not played again. Options that
    /// FILE contains can be left out; if given, they must agree with it.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Write a replay of each game to FOLDER.
    #[arg(long, value_name = "FOLDER")]
    replays: Option<PathBuf>,
    /// Write the table as CSV, one row per line-up.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write all games as CSV, one row per game.
    #[arg(long, value_name = "FILE")]
    games_csv: Option<PathBuf>,
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
        _ => Err(format!("'{text}': write NAME=PLANNER")),
    }
}

/// Reads `NAME=PLANNER,PLANNER`.
fn seat_list(text: &str) -> Result<(String, Vec<String>), String> {
    let (name, _) = seat(text)?;
    let mut planners: Vec<String> = Vec::new();
    for part in text[name.len() + 1..].split(',') {
        match planners.last_mut() {
            // The path of a program may have commas in it.
            Some(last) if is_begun_path(last, part) => *last = format!("{last},{part}"),
            _ => planners.push(part.trim().to_owned()),
        }
    }
    if planners.iter().any(String::is_empty) {
        return Err(format!("'{text}': a planner is missing; write NAME=PLANNER,PLANNER"));
    }
    Ok((name, planners))
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
    check_seats(kind, &seats)?;
    let saved = match &arguments.resume {
        Some(file) => Some(Journal::contest(file)?),
        None => None,
    };
    if let Some(saved) = &saved {
        check_allowed(&seats, saved)?;
    }
    let Some(contest) = requested_contest(kind, arguments, seats, saved.as_ref())? else {
        return Ok(Answer::No);
    };
    ask_engines(kind, &contest)?;
    let (journal, done) = match (&arguments.save, &arguments.resume) {
        (Some(file), _) => {
            let journal = Journal::begin(file, &contest).map_err(|error| {
                UsageError(format!("{error}; continue it with --resume, or choose another file"))
            })?;
            (Some(journal), Vec::new())
        }
        (None, Some(file)) => {
            let (journal, done) = Journal::resume(file, &contest)?;
            (Some(journal), done)
        }
        (None, None) => (None, Vec::new()),
    };
    let board = run_contest(kind, contest, journal.as_ref(), done)?;
    if let Some(folder) = &arguments.replays {
        write_replays(kind, &board, folder)?;
    }
    if let Some(file) = &arguments.csv {
        write(file, csv(&kind.summary(&board)?).as_bytes())?;
    }
    if let Some(file) = &arguments.games_csv {
        write(file, csv(&game_rows(&board)).as_bytes())?;
    }
    if arguments.json {
        print_json(&report(kind, &board)?)?;
    } else {
        for part in parts(kind, &board)? {
            print_line(part);
        }
    }
    Ok(Answer::Yes)
}

/// The seats with their planners; those of `--planner` take the only seat.
fn requested_seats(
    kind: &dyn DynGame,
    arguments: &Arguments,
) -> Result<Vec<(String, Vec<String>)>, UsageError> {
    if arguments.planner.is_empty() {
        return Ok(arguments.seats.clone());
    }
    if *kind.seats_allowed().start() > 1 {
        return Err(UsageError(format!(
            "{} has several seats: use --seat NAME=PLANNER instead of --planner",
            kind.name()
        )));
    }
    Ok(vec![(kind.seat(0).id, arguments.planner.clone())])
}

fn check_seats(kind: &dyn DynGame, seats: &[(String, Vec<String>)]) -> Result<(), UsageError> {
    let planners = seats.iter().flat_map(|(_, planners)| planners);
    if planners.into_iter().any(|planner| *planner == *Player::Human.name()) {
        return Err(UsageError("a human needs the window: use 'outwit play'".into()));
    }
    let first = |(seat, planners): &(String, Vec<String>)| {
        (seat.clone(), Player::from(planners.first().map_or("", String::as_str)))
    };
    names::seats(kind, &seats.iter().map(first).collect::<Vec<_>>())?;
    for (seat, planners) in seats {
        for planner in planners {
            names::planner(kind, planner, Some(seat))?;
        }
    }
    Ok(())
}

/// Programs are run only if the command line names them: a file that was saved may come from anywhere.
fn check_allowed(named: &[(String, Vec<String>)], saved: &Contest) -> Result<(), UsageError> {
    let mut players = saved.seats.iter().flat_map(|seat| &seat.planners);
    match players.find(|name| engine_path(name).is_some()) {
        Some(engine) if named.is_empty() => Err(UsageError(format!(
            "the saved tournament runs the program {engine}; to allow it, add the --seat options that \
             it was begun with"
        ))),
        _ => Ok(()),
    }
}

/// Starts each program once to see that it can play.
fn ask_engines(kind: &dyn DynGame, contest: &Contest) -> Result<(), UsageError> {
    let players = contest.seats.iter().flat_map(|seat| &seat.planners);
    let engines: BTreeSet<&Path> = players.filter_map(|name| engine_path(name)).collect();
    if engines.is_empty() {
        return Ok(());
    }
    let level = kind
        .read(contest.level.text.as_bytes(), "")
        .map_err(|faults| UsageError(lines(&contest.level.id, &faults)))?;
    for path in engines {
        kind.ask_engine(&level, path, &StopFlag::default())
            .map_err(|why| UsageError(format!("engine {}: {why}", path.display())))?;
    }
    Ok(())
}

/// The contest that the arguments ask for; what they leave out comes from the file to resume.
/// Prints the problems of a faulty level and returns `None`.
fn requested_contest(
    kind: &'static dyn DynGame,
    arguments: &Arguments,
    named: Vec<(String, Vec<String>)>,
    saved: Option<&Contest>,
) -> Result<Option<Contest>, UsageError> {
    if let Some(saved) = saved
        && saved.game != kind.id()
    {
        return Err(UsageError(format!(
            "the saved tournament is of {}, not of {}",
            saved.game,
            kind.id()
        )));
    }
    let (id, text) = match (&arguments.level, saved) {
        (None, Some(saved)) => (saved.level.id.clone(), saved.level.text.clone()),
        (level, _) => {
            let first = kind.first_level();
            let found = find_level(level.as_deref().unwrap_or(&first), Some(kind))?;
            // A contest stores its level in our own format.
            match kind.convert(&found.bytes, &found.name(), &[], "ron") {
                Ok(level) => (found.entry.id, String::from_utf8(level.bytes)?),
                Err(faults) => {
                    eprint_line(lines(&found.name(), &faults));
                    return Ok(None);
                }
            }
        }
    };
    let of_file = |saved: &Contest| {
        saved.seats.iter().map(|seat| (seat.seat.clone(), seat.planners.clone())).collect()
    };
    let seats = match saved {
        Some(saved) if named.is_empty() => of_file(saved),
        _ => named,
    };
    let seeds = (
        arguments.seed.or(saved.map(|saved| saved.first_seed)).unwrap_or(1),
        arguments.games.or(saved.map(|saved| saved.seeds)).unwrap_or(20),
    );
    let budget =
        arguments.budget.or(saved.map(|saved| saved.budget)).unwrap_or(Budget::Work(20_000));
    Ok(Some(contest(kind, &id, text, &seats, seeds, budget)?))
}

/// Plays the unfinished games, with a progress bar on a terminal.
fn run_contest(
    kind: &dyn DynGame,
    contest: Contest,
    journal: Option<&Journal>,
    done: Vec<FinishedGame>,
) -> Result<Scoreboard, UsageError> {
    // Drawn only on a terminal, so piped output stays clean.
    let bar = ProgressBar::new(contest.games() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left") {
        bar.set_style(style);
    }
    bar.set_position(done.len() as u64);
    bar.reset_eta();
    let games = kind.run_contest(&contest, done, &StopFlag::default(), &|game| {
        bar.inc(1);
        journal.map_or(Ok(()), |journal| journal.add(game).map_err(|error| error.to_string()))
    });
    bar.finish_and_clear();
    Ok(Scoreboard::new(contest, games?))
}

fn write_replays(kind: &dyn DynGame, board: &Scoreboard, folder: &Path) -> Result<(), UsageError> {
    let contest = board.contest();
    let bar = ProgressBar::new(board.finished() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} replays, {eta} left") {
        bar.set_style(style);
    }
    for game in board.all() {
        let text = kind.replay_text(contest, game, &StopFlag::default())?;
        write(&folder.join(replay_name(contest, game)), text.as_bytes())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// The results as text: what was played, the payoff matrix, ratings and differences, and a row of
/// statistics per line-up.
fn parts(kind: &dyn DynGame, board: &Scoreboard) -> Result<Vec<String>, UsageError> {
    let contest = board.contest();
    let head = format!(
        "{}, {} games per line-up, {} per turn",
        contest.level.id, contest.seeds, contest.budget
    );
    let mut parts = vec![head];
    if contest.cells() > 1 && contest.seats.len() > 1 {
        parts.push(format!("\nMean {} of {}:", kind.score().name, contest.seats[0].seat));
        parts.push(matrix(board));
        parts.push("\nRatings (Glicko-2, one scale for all seats):".into());
        parts.push(grid(&rating_lines(board)));
    }
    let gaps = difference_lines(board);
    if gaps.len() > 1 {
        let all = if contest.seats.len() > 1 { " against all" } else { "" };
        parts.push(format!(
            "\nPaired differences of {}, on the same seeds{all}:",
            kind.score().name
        ));
        parts.push(grid(&gaps));
    }
    let rows: Vec<Value> = kind.summary(board)?;
    if parts.len() > 1 {
        parts.push("\nAll statistics:".into());
    }
    parts.push(table(&rows));
    let faults = engine_faults(board);
    if !faults.is_empty() {
        parts.push("\nLost by faults of engines:".into());
        let line = |fault: &EngineFault| {
            format!("seed {}, {}={}: {}", fault.seed, fault.seat, fault.player, fault.fault)
        };
        parts.extend(faults.iter().map(line));
    }
    Ok(parts)
}

fn plus_minus(estimate: &Estimate) -> String {
    match (estimate.mean, estimate.ci95) {
        (Some(mean), Some(ci95)) => format!("{mean:.1} ±{ci95:.1}"),
        (Some(mean), None) => format!("{mean:.1}"),
        (None, _) => "-".into(),
    }
}

fn matrix(board: &Scoreboard) -> String {
    let contest = board.contest();
    let columns = board.opponents(0);
    let head = std::iter::once(String::new()).chain(columns.iter().map(|c| c.join(" + ")));
    let mut lines: Vec<Vec<String>> = vec![head.collect()];
    for planner in &contest.seats[0].planners {
        let cell = |column: &Vec<&str>| {
            let players = std::iter::once(planner.as_str()).chain(column.iter().copied());
            let cell = contest.cell_of(players).map(|cell| board.cell(cell, |_| &[]));
            cell.map_or_else(String::new, |cell| plus_minus(&cell.seats[0].payoff))
        };
        let cells = columns.iter().map(cell);
        lines.push(std::iter::once(planner.clone()).chain(cells).collect());
    }
    grid(&lines)
}

fn rating_lines(board: &Scoreboard) -> Vec<Vec<String>> {
    let mut rated = ratings(board);
    let order = |name: &str| board.contest().seats.iter().position(|seat| seat.seat == name);
    rated.sort_by(|a, b| order(&a.seat).cmp(&order(&b.seat)).then(b.rating.total_cmp(&a.rating)));
    rated
        .into_iter()
        .map(|rated| {
            let figure = format!("{:.0} ±{:.0}", rated.rating, rated.ci95);
            vec![rated.seat, rated.planner, figure]
        })
        .collect()
}

fn difference_lines(board: &Scoreboard) -> Vec<Vec<String>> {
    differences(board)
        .into_iter()
        .filter(|difference| difference.against.is_none())
        .map(|difference| {
            let figure = plus_minus(&difference.estimate);
            vec![difference.seat, format!("{} - {}", difference.planner, difference.minus), figure]
        })
        .collect()
}
