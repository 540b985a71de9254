//! The results of a tournament: printed, and written to the files that were asked for.

use super::film::{FilmKind, FilmStyle, WantedFilm};
use super::table::{grid, table};
use super::window::{PictureTheme, Window};
use super::{Answer, ExitStatus, Failure, print_json, print_line, print_lines};
use crate::report::tournament_report;
use crate::shell_word::CommandLine;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use outwit_core::levels::write;
use outwit_core::platform::interrupt::hold;
use outwit_core::platform::paths::{try_file, try_folder};
use outwit_core::play::{Closing, ProgramKind};
use outwit_core::tournament::{Entrant, Estimate, FinishedGame, Scoreboard, WHAT_WINS, ratings};
use outwit_kit::tournament::{
    EngineFault, csv, difference_rows, differences, engine_faults, game_rows, line_up_rows,
    rating_rows, replay_name, report, without_times,
};
use outwit_kit::{DynGame, FaultyLevel};
use outwit_levels::built_in;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Where the results go.
#[derive(Args)]
pub struct Outputs {
    /// Write a replay of each game to FOLDER.
    #[arg(long, value_name = "FOLDER")]
    replays: Option<PathBuf>,
    /// Write the table as CSV, one row per line-up.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write all games as CSV, one row per game.
    #[arg(long, value_name = "FILE")]
    games_csv: Option<PathBuf>,
    /// Write the paired differences between planners as CSV.
    #[arg(long, value_name = "FILE")]
    differences_csv: Option<PathBuf>,
    /// Write the ratings as CSV.
    #[arg(long, value_name = "FILE")]
    ratings_csv: Option<PathBuf>,
    /// Write a page with all results, plots and some of the games to FILE, as HTML that needs no other file.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Leave out thinking times, so that equal runs give equal JSON, CSV and pages.
    #[arg(long)]
    no_times: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The rows of a file.
type Rows = fn(&dyn DynGame, &Scoreboard) -> Result<Vec<Value>, FaultyLevel>;

impl Outputs {
    fn tables(&self) -> impl Iterator<Item = (&Path, Rows)> {
        let all: [(&Option<PathBuf>, Rows); 4] = [
            (&self.csv, line_up_rows),
            (&self.games_csv, |kind, board| Ok(game_rows(kind, board))),
            (&self.differences_csv, |kind, board| Ok(difference_rows(kind, board))),
            (&self.ratings_csv, |kind, board| Ok(rating_rows(kind, board))),
        ];
        all.into_iter().filter_map(|(file, rows)| Some((file.as_deref()?, rows)))
    }

    /// Where the table goes.
    pub fn table(&self) -> Option<&Path> {
        self.csv.as_deref()
    }

    /// Whether a document is printed.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Checks that nothing is asked for which the games of a responder do not have.
    ///
    /// # Errors
    /// If it is.
    pub fn check_exploit(&self) -> Result<(), Failure> {
        let others = [
            &self.replays,
            &self.games_csv,
            &self.differences_csv,
            &self.ratings_csv,
            &self.report,
        ];
        match others.iter().any(|file| file.is_some()) {
            true => Err(Failure::usage(
                "these are files of 'outwit exploit': only --csv, --save and --json can be used"
                    .into(),
            )),
            false => Ok(()),
        }
    }

    /// Tries all files, so that hours of play are not lost for want of a folder.
    ///
    /// # Errors
    /// The first file that cannot be written.
    pub fn try_all(&self) -> Result<(), Failure> {
        for (file, _) in self.tables() {
            try_file(file)?;
        }
        if let Some(file) = &self.report {
            try_file(file)?;
        }
        if let Some(folder) = &self.replays {
            try_folder(folder)?;
        }
        Ok(())
    }

    /// Prints the results, then writes the files. `lost` are failures until now.
    ///
    /// # Errors
    /// All that could not be written.
    pub fn deliver(
        &self,
        kind: &dyn DynGame,
        board: &Scoreboard,
        lost: Vec<String>,
        window: &dyn Window,
    ) -> ExitStatus {
        let mut failure = Failure { lines: lost, ..Failure::usage(String::new()) };
        if self.json {
            let mut report = report(kind, board)?;
            if self.no_times {
                without_times(&mut report);
            }
            print_json(&report)?;
        } else {
            print_text(kind, board, self.no_times)?;
        }
        for (file, rows) in self.tables() {
            let rows = rows(kind, board).map_err(|error| error.to_string());
            let written = rows.and_then(|mut rows| {
                if self.no_times {
                    rows.iter_mut().for_each(without_times);
                }
                write(file, csv(&rows).as_bytes()).map_err(|error| error.to_string())
            });
            failure.lines.extend(written.err());
        }
        if let Some(file) = &self.report {
            let page = page(kind, board, window, self.no_times).map_err(|error| error.to_string());
            let written = page
                .and_then(|page| write(file, page.as_bytes()).map_err(|error| error.to_string()));
            failure.lines.extend(written.err());
        }
        if let Some(folder) = &self.replays {
            failure.lines.extend(write_replays(kind, board, folder).err());
        }
        if failure.lines.is_empty() {
            return Ok(Answer::Yes);
        }
        // The document was printed already; standard output holds no second one.
        failure.print(false);
        Ok(Answer::Failed)
    }
}

/// The report of a tournament, with pictures where the program can draw.
fn page(
    kind: &dyn DynGame,
    board: &Scoreboard,
    window: &dyn Window,
    no_times: bool,
) -> Result<String, FaultyLevel> {
    /// Width of the pictures, in pixels.
    const WIDTH: u16 = 600;
    let hold = hold();
    let style = FilmStyle::new(WIDTH, PictureTheme::Light);
    let picture = |text: &str| {
        let wanted = WantedFilm {
            text,
            name: "match",
            kind: FilmKind::Png,
            from: None,
            to: None,
            stretches: &[],
            caption: None,
            style: &style,
        };
        window.film(&[wanted], &mut |_| {}).ok()
    };
    tournament_report(
        kind,
        board,
        &|game: &FinishedGame| kind.replay_text(board.contest(), game, hold.stop()).ok(),
        &picture,
        no_times,
    )
}

fn write_replays(kind: &dyn DynGame, board: &Scoreboard, folder: &Path) -> Result<(), String> {
    let contest = board.contest();
    let bar = ProgressBar::new(board.finished() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} replays, {eta} left") {
        bar.set_style(style);
    }
    let hold = hold();
    let written: Result<(), String> =
        board.all().take_while(|_| !hold.stop().is_raised()).try_for_each(|game| {
            let text = kind.replay_text(contest, game, hold.stop())?;
            write(&folder.join(replay_name(contest, game)), text.as_bytes())
                .map_err(|error| error.to_string())?;
            bar.inc(1);
            Ok(())
        });
    let count = bar.position();
    bar.finish_and_clear();
    if hold.stop().is_raised() {
        return Err(format!("interrupted; {count} of {} replays are written", board.finished()));
    }
    written
}

/// Prints what was played, the payoff matrix, ratings and differences, and a row of statistics per
/// line-up.
fn print_text(kind: &dyn DynGame, board: &Scoreboard, no_times: bool) -> Result<(), Failure> {
    let contest = board.contest();
    let mut rows: Vec<Value> = kind.summary(board)?;
    if no_times {
        rows.iter_mut().for_each(without_times);
    }
    print_line(format!(
        "{}, {} games per line-up, {}{}",
        contest.level.id,
        contest.seeds,
        contest.budget.words(),
        if contest.strict { ", strict" } else { "" }
    ));
    if contest.openings.is_some() {
        print_line(match contest.is_symmetric() {
            true => "every seed has its own opening, the same for all line-ups".into(),
            false => format!(
                "{} seeds share an opening, which is played from every seat and counts once in intervals",
                contest.seats.len()
            ),
        });
    }
    if let Some(salt) = contest.salt {
        print_line(format!("sealed with the salt {salt}"));
    }
    let missing = contest.games() - board.finished();
    if missing > 0 {
        print_line(format!("{missing} of {} games are not played here", contest.games()));
    }
    let title = |text: String| {
        print_line("");
        print_line(text);
    };
    let mut is_divided = false;
    if contest.cells() > 1 && contest.seats.len() > 1 {
        title(format!("Mean {} of {}:", kind.facts().score.name, contest.seats[0].seat));
        print_lines(matrix(board));
        title(
            "Ratings (Bradley-Terry on the Elo scale, 95 % intervals, one scale for all seats;"
                .into(),
        );
        print_line(format!("{WHAT_WINS}):"));
        print_lines(grid(&rating_lines(board)));
        is_divided = true;
    }
    let gaps = difference_lines(board);
    if gaps.len() > 1 {
        let all = if contest.seats.len() > 1 { " against all" } else { "" };
        title(format!(
            "Paired differences of {}, on the same seeds{all}:",
            kind.facts().score.name
        ));
        print_lines(grid(&gaps));
        is_divided = true;
    }
    if is_divided {
        title("All statistics:".into());
    }
    for row in &mut rows {
        name_players(row, board);
    }
    print_lines(table(&rows));
    if (0..contest.cells()).any(|cell| board.all_equal(cell)) {
        let mark = if is_divided { "= and all_equal" } else { "all_equal" };
        title(format!("{mark}: all games were equal, so together they say no more than one game"));
    }
    if let Some(told) = starved(board) {
        print_line("");
        print_line(told);
    }
    let faults = engine_faults(board);
    if !faults.is_empty() {
        title("Lost because a program failed:".into());
        print_lines(faults.iter().map(|fault| {
            let player = board.label(&fault.player);
            let EngineFault { seed, seat, turn, fault, .. } = fault;
            format!("seed {seed}, {seat}={player}, in turn {turn}: {fault}")
        }));
    }
    let late: Vec<String> = board.all().filter_map(|game| lost_on_time(board, game)).collect();
    if !late.is_empty() {
        title("Lost on time:".into());
        print_lines(late);
    }
    let trials = trials(kind, board);
    if !trials.is_empty() {
        title("To see what is wrong with a program's answers, and how to mend it:".into());
        print_lines(trials);
    }
    Ok(())
}

/// What to say of overruns in which the processor was not there; `None` without such.
fn starved(board: &Scoreboard) -> Option<String> {
    let stats = || board.all().flat_map(|game| &game.stats);
    let overruns: u64 = stats().map(|stats| u64::from(stats.overruns)).sum();
    let starved: u64 = stats().map(|stats| u64::from(stats.starved)).sum();
    (starved > 0).then(|| {
        format!(
            "In {starved} of {overruns} overruns the planner had a processor for less than half of the \
             time, as on a busy machine. Play fewer games at once (--jobs), or give a budget of \
             processor time such as 2s-cpu, or of work."
        )
    })
}

/// How to try the programs that failed, or whose actions could not be played. Only those that were named on this
/// command line: people copy what is printed here.
fn trials(kind: &dyn DynGame, board: &Scoreboard) -> Vec<String> {
    let contest = board.contest();
    let mut commands: Vec<String> = Vec::new();
    for game in board.all() {
        let seats = contest.seats.iter().zip(&game.players).zip(&game.stats);
        for ((entrants, name), stats) in seats {
            let entrant = entrants.planners.iter().find(|entrant| entrant.name() == name);
            let program = entrant.and_then(|entrant| entrant.player().program());
            let is_faulty = stats.fault.is_some() || stats.illegal + stats.broken > 0;
            let Some(program) = program.filter(|program| {
                let named = contest.programs.find(program.command).is_ok();
                is_faulty && named && program.kind == ProgramKind::Program
            }) else {
                continue;
            };
            let mut command = CommandLine::new("outwit try");
            command.operand(program.command).option("--game", kind.id());
            if built_in(&contest.level.id).is_some() {
                command.option("--level", &contest.level.id);
            }
            command.option("--seat", &entrants.seat);
            let command = format!("  {command}");
            if !commands.contains(&command) {
                commands.push(command);
            }
        }
    }
    commands
}

/// The game and who lost it on time, if anybody did.
fn lost_on_time(board: &Scoreboard, game: &FinishedGame) -> Option<String> {
    let (seat, _) = game.closing.filter(|(_, closing)| *closing == Closing::TimeOver)?;
    let entrants = board.contest().seats.get(seat.index())?;
    let player = board.label(game.players.get(seat.index())?);
    Some(format!("seed {}, {}={player}", game.seed, entrants.seat))
}

/// Puts what people call the players of a row in the place of their commands.
fn name_players(row: &mut Value, board: &Scoreboard) {
    let entrants: Vec<&Entrant> =
        board.contest().seats.iter().flat_map(|seat| &seat.planners).collect();
    for cell in row.as_object_mut().into_iter().flat_map(|row| row.values_mut()) {
        if let Some(player) = entrants.iter().find(|entrant| *cell == entrant.name()) {
            *cell = board.label(player.name()).into();
        }
    }
}

fn plus_minus(estimate: &Estimate) -> String {
    if let Some(rough) = estimate.rough() {
        return format!("about {rough}");
    }
    match (estimate.mean, estimate.ci95) {
        (Some(mean), Some(ci95)) => format!("{mean:.1} ±{ci95:.1}"),
        (Some(mean), None) if estimate.all_equal => format!("{mean:.1} ="),
        (Some(mean), None) => format!("{mean:.1}"),
        (None, _) => "-".into(),
    }
}

fn matrix(board: &Scoreboard) -> Vec<String> {
    let contest = board.contest();
    let columns = board.opponents(0);
    let head = std::iter::once(String::new()).chain(columns.iter().map(|players| {
        let labels: Vec<String> = players.iter().map(|player| board.label(player)).collect();
        labels.join(" + ")
    }));
    let mut lines: Vec<Vec<String>> = vec![head.collect()];
    for planner in &contest.seats[0].planners {
        let cells = columns.iter().map(|column| {
            let players = std::iter::once(planner.name()).chain(column.iter().copied());
            let cell = contest.cell_of(players).map(|cell| board.cell(cell, |_| &[]));
            cell.map_or_else(String::new, |cell| plus_minus(&cell.seats[0].payoff))
        });
        lines.push(std::iter::once(board.label(planner.name())).chain(cells).collect());
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
            vec![rated.seat, board.label(&rated.planner), figure]
        })
        .collect()
}

fn difference_lines(board: &Scoreboard) -> Vec<Vec<String>> {
    differences(board)
        .into_iter()
        .filter(|difference| difference.against.is_none())
        .map(|difference| {
            let figure = plus_minus(&difference.estimate);
            let planner = board.label(&difference.planner);
            vec![difference.seat, format!("{planner} - {}", board.label(&difference.minus)), figure]
        })
        .collect()
}
