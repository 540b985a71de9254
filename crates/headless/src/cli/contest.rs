//! `outwit contest`.

use super::saving::Until;
use super::table::table;
use super::window::Window;
use super::{Answer, ExitStatus, Failure, eprint_line, names, print_json, print_line, print_lines};
use crate::contest::{
    ContestConfig, ContestField, Entry, Finished, Pick, Preparation, Standing, WorkFolder, Worker,
    candidate_result, levels_of, player_folders, seats_of, standings,
};
use crate::report::{ContestSite, SiteFilms};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use outwit_core::platform::interrupt::{Hold, hold};
use outwit_core::platform::paths::real_path;
use outwit_core::platform::program::Isolation;
use outwit_core::platform::task::{MOST_THREADS, limit_cores};
use outwit_core::platform::time::Duration;
use outwit_core::play::{BANK, Budget, StopFlag, TimeControl};
use outwit_core::tournament::SequentialTest;
use serde_json::json;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::path::{Component, Path, PathBuf};

/// The chance of a wrong verdict about a candidate.
const ERROR: f64 = 0.05;
/// What a contest of one says.
const NOBODY: &str =
    "there is nobody to play against: add another player, or planners to contest.toml";

/// Run a contest of programs: build them, try them, play what is missing and write a site with the standings.
///
/// FOLDER holds contest.toml, which names at least the game and the budget, and players/NAME/player.toml for each
/// player, which names at least the command that starts it. Finished games are kept in FOLDER/work; when a player's
/// files change, only its games are played again. Any number of runs, on any number of machines, may take games from
/// one folder at the same time. The exit code is 3 if games are missing in the end.
///
/// Example: outwit contest autumn --isolate bwrap
#[derive(Args)]
pub struct Arguments {
    /// The folder of the contest.
    folder: PathBuf,
    /// Keep players from the rest of this machine: 'bwrap' for a sandbox (Linux, needs bubblewrap), docker:IMAGE or
    /// podman:IMAGE for a container. This or --trust is needed.
    #[arg(long, value_name = "HOW")]
    isolate: Option<Isolation>,
    /// Start the players without isolation: they can read and change what you can.
    #[arg(long, conflicts_with = "isolate")]
    trust: bool,
    /// Play only games of this player, seed by seed, and stop as soon as it is known whether it is better than the
    /// others on average. The chance of a wrong verdict is at most 5 %.
    #[arg(long, value_name = "NAME")]
    candidate: Option<String>,
    /// Begin no game after this time: a time from now such as 90m or 2h, or @SECONDS since 1970, such as
    /// @$SLURM_JOB_END_TIME.
    #[arg(long, value_name = "TIME")]
    until: Option<Until>,
    /// The number of threads [default: RAYON_NUM_THREADS, else one per core]. Games take one thread per seat.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS as i64))]
    jobs: Option<u32>,
    /// Write the site to this folder [default: site in FOLDER].
    #[arg(long, value_name = "FOLDER")]
    site: Option<PathBuf>,
    /// Which games the site shows as films: all, lost for those that a player lost by a fault, or none.
    #[arg(long, value_name = "WHICH", default_value = "all")]
    films: SiteFilms,
    /// Do not write a site.
    #[arg(long, conflicts_with_all = ["site", "films"])]
    no_site: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, window: &dyn Window) -> ExitStatus {
    let isolation = match (&arguments.isolate, arguments.trust) {
        (Some(isolation), _) => isolation.clone(),
        (None, true) => Isolation::Limits,
        (None, false) => {
            return Err(Failure::usage(
                "the players of a contest are programs of other people: add --isolate bwrap (or docker:IMAGE, \
                 podman:IMAGE), or --trust to start them as they are"
                    .into(),
            ));
        }
    };
    isolation.check()?;
    let config = ContestConfig::read(&arguments.folder)?;
    let kind = names::game(&config.game)?;
    let seats = seats_of(kind, &config)?;
    let levels = levels_of(kind, &config, &arguments.folder)?;
    if let Some(jobs) = arguments.jobs {
        limit_cores(jobs as usize);
    }
    let site = site_folder(arguments)?;
    let players = players_of(arguments, &config)?;
    let work = WorkFolder::open(&arguments.folder)?;
    let worker = Worker::join(&work)?;
    let hold = hold();
    let first = levels.first().ok_or("there is no level")?;
    let level = kind
        .read(first.text.as_bytes(), "")
        .map_err(|faults| Failure::faults(&first.id, &faults).into_usage())?;
    let preparation = Preparation {
        kind,
        level: &level,
        seats,
        limit: trial_limit(config.budget()?),
        bank: config.bank()?.unwrap_or(BANK),
        build_time: config.build_time()?,
        isolation: &isolation,
        work: &work,
        stop: hold.stop(),
    };
    let (entries, refused) = worker.alive(|| prepare(arguments, players, &preparation))?;
    check_players(arguments, &config, &entries, &refused)?;
    if !worker.has_company() {
        let kept = entries.iter().map(|entry| entry.folder.as_path()).collect();
        work.remove_builds_but(&kept)?;
    }
    let field = ContestField::new(kind, &config, levels, &entries, &isolation, work.salt()?)?;
    let picks: Vec<(Pick, u64)> =
        field.picks().into_iter().map(|pick| (pick, field.key(pick))).collect();
    if !field.has_opponents() {
        if arguments.candidate.is_some() {
            return Err(Failure::usage(NOBODY.into()));
        }
        eprint_line(NOBODY);
    }
    warn_of_damage(&work, &picks)?;
    let candidate = match &arguments.candidate {
        Some(name) => {
            Some(play_candidate(arguments, &field, &work, &worker, &picks, name, hold.stop()))
        }
        None => {
            play_all(arguments, &field, &work, &worker, &picks, &hold)?;
            None
        }
    };
    if hold.stop().is_raised() {
        return Err(Failure::interrupted(vec![
            "interrupted; finished games are saved: the same command goes on".into(),
        ]));
    }
    let candidate = candidate.transpose()?;
    let boards = field.boards(&work, &picks)?;
    let (table, cross) = standings(&field, &boards, config.points);
    let missing = picks.len() - boards.iter().map(|board| board.finished()).sum::<usize>();
    if !arguments.no_site {
        let shown = ContestSite {
            config: &config,
            field: &field,
            entries: &entries,
            refused: &refused,
            boards: &boards,
            picks: &picks,
            table: &table,
            cross: &cross,
            missing,
            films: arguments.films,
        };
        let _alone = work.site_lock(hold.stop())?;
        shown.write(&site, window, hold.stop())?;
    }
    if arguments.json {
        print_json(&json!({
            "title": config.title,
            "game": config.game,
            "standings": table,
            "refused": refused.iter().map(|(name, why)| json!({ "player": name, "why": why })).collect::<Vec<_>>(),
            "games_missing": missing,
            "candidate": candidate.as_ref().map(Candidate::document),
        }))?;
    } else {
        print_table(&table);
        if let Some(candidate) = &candidate {
            print_line(candidate.words());
        }
    }
    match missing {
        0 => Ok(Answer::Yes),
        _ if candidate.is_some() => Ok(Answer::Yes),
        _ => {
            let why = match worker.has_company() {
                true => "other runs play them",
                false => "run the same command again",
            };
            eprint_line(format_args!("{missing} of {} games are missing: {why}", picks.len()));
            Ok(Answer::Unfinished)
        }
    }
}

/// The time per turn with which players are tried.
fn trial_limit(budget: TimeControl) -> Duration {
    match budget {
        TimeControl::Turn(Budget::Time(limit) | Budget::Cpu(limit)) => limit,
        _ => Duration::from_secs(1),
    }
}

/// Where the site is written.
///
/// # Errors
/// If that is among the files of players or of work.
fn site_folder(arguments: &Arguments) -> Result<PathBuf, Failure> {
    let Some(site) = &arguments.site else { return Ok(arguments.folder.join("site")) };
    for name in ["players", "work"] {
        if whole_path(site).starts_with(whole_path(&arguments.folder.join(name))) {
            return Err(Failure::usage(format!(
                "--site {}: this lies in the folder {name} of the contest; choose another one",
                site.display()
            )));
        }
    }
    Ok(site.clone())
}

/// A path without links and `..`, as far as it is there.
fn whole_path(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.components().fold(PathBuf::new(), |mut whole, part| {
        match part {
            Component::ParentDir => drop(whole.pop()),
            part => whole.push(part),
        }
        real_path(&whole).unwrap_or(whole)
    })
}

/// What the folder `players` holds, by name, and why some of it cannot be a player.
type Players = BTreeMap<String, Result<(), String>>;

/// The folders of players, of which none may have the name of a planner that plays.
fn players_of(arguments: &Arguments, config: &ContestConfig) -> Result<Players, Failure> {
    let mut players = player_folders(&arguments.folder)?;
    for (name, fits) in &mut players {
        if fits.is_ok() && config.planners.contains(name) {
            *fits = Err("a planner of this contest has this name; rename its folder".into());
        }
    }
    Ok(players)
}

/// Checks that anybody takes part, and the candidate above all.
fn check_players(
    arguments: &Arguments,
    config: &ContestConfig,
    entries: &[Entry],
    refused: &Refused,
) -> Result<(), Failure> {
    if let Some(name) = &arguments.candidate {
        if let Some((_, why)) = refused.iter().find(|(known, _)| known == name) {
            return Err(Failure::usage(format!("{name} does not take part: {why}")));
        }
        let programs = entries.iter().map(|entry| entry.name.as_str());
        let known: Vec<&str> = programs.chain(config.planners.iter().map(String::as_str)).collect();
        if !known.is_empty() && !known.contains(&name.as_str()) {
            let why = names::suggest(name, &known);
            return Err(Failure::usage(format!("there is no player '{name}'; {why}")));
        }
    }
    match entries.is_empty() {
        true => Err(Failure::usage(format!(
            "{} holds no player that takes part; each needs a folder of its own there, with player.toml",
            arguments.folder.join("players").display()
        ))),
        false => Ok(()),
    }
}

/// Says how many lines of finished games are damaged, if games are missing.
fn warn_of_damage(work: &WorkFolder, picks: &[(Pick, u64)]) -> Result<(), Failure> {
    let wanted: HashSet<u64> = picks.iter().map(|(_, key)| *key).collect();
    let Finished { games, damaged } = work.finished(&wanted)?;
    if damaged > 0 && games.len() < wanted.len() {
        let lines = if damaged == 1 { "line is" } else { "lines are" };
        eprint_line(format_args!(
            "{damaged} {lines} damaged in work/games and not believed; these games are played again"
        ));
    }
    Ok(())
}

/// Players that cannot take part, with the reason.
type Refused = Vec<(String, String)>;

/// Builds and tries all players.
fn prepare(
    arguments: &Arguments,
    players: Players,
    preparation: &Preparation<'_>,
) -> Result<(Vec<Entry>, Refused), Failure> {
    let mut entries = Vec::new();
    let mut refused = Vec::new();
    for (name, fits) in players {
        let entry = fits.and_then(|()| Entry::prepare(&arguments.folder, &name, preparation));
        if preparation.stop.is_raised() {
            return Err(Failure::interrupted(vec!["interrupted before the first game".into()]));
        }
        match entry {
            Ok(entry) => {
                let problems = entry.record.checks.iter().filter(|check| !check.passed).count();
                if problems > 0 {
                    let words = if problems == 1 { "problem" } else { "problems" };
                    eprint_line(format_args!("{name}: {problems} {words}, see its page"));
                }
                entries.push(entry);
            }
            Err(why) => {
                let first = why.lines().next().unwrap_or_default();
                eprint_line(format_args!("{name} does not take part: {first}"));
                refused.push((name, why));
            }
        }
    }
    Ok((entries, refused))
}

/// Whether another game may begin.
fn is_time(until: Option<Until>) -> bool {
    until.is_none_or(|until| !until.is_over())
}

fn bar_of(games: usize, done: usize) -> ProgressBar {
    // Drawn only on a terminal, so piped output stays clean.
    let bar = ProgressBar::new(games as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left") {
        bar.set_style(style);
    }
    bar.set_position(done as u64);
    bar.reset_eta();
    bar
}

/// Plays all games that are missing and that no other run plays.
fn play_all(
    arguments: &Arguments,
    field: &ContestField,
    work: &WorkFolder,
    worker: &Worker,
    picks: &[(Pick, u64)],
    hold: &Hold,
) -> Result<(), Failure> {
    loop {
        let open = open_games(work, picks)?;
        let bar = bar_of(picks.len(), picks.len() - open.len());
        let played =
            field.play(worker, &open, hold.stop(), &|| is_time(arguments.until), &|| bar.inc(1));
        bar.finish_and_clear();
        if hold.stop().is_raised() {
            return Ok(());
        }
        // What a run that has died meanwhile left is taken over in the next round.
        if played? == 0 || !is_time(arguments.until) {
            return Ok(());
        }
    }
}

/// Those of some games that are not finished.
fn open_games(work: &WorkFolder, picks: &[(Pick, u64)]) -> Result<Vec<(Pick, u64)>, Failure> {
    let wanted = picks.iter().map(|(_, key)| *key).collect();
    let done = work.finished(&wanted)?.games;
    Ok(picks.iter().filter(|(_, key)| !done.contains_key(key)).copied().collect())
}

/// What became of a candidate.
struct Candidate {
    name: String,
    test: SequentialTest,
    games: usize,
    seeds: usize,
}

impl Candidate {
    fn words(&self) -> String {
        let share = 100.0 * self.test.mean();
        let so_far = format!(
            "{}: {share:.1} % of the points against the others, after {} of {} seeds ({} games)",
            self.name,
            self.test.count(),
            self.seeds,
            self.games
        );
        match self.test.verdict(ERROR) {
            Some(Ordering::Greater) => {
                format!("{so_far}. It is better than the others on average.")
            }
            Some(_) => format!("{so_far}. It is worse than the others on average."),
            None => format!(
                "{so_far}. That does not show whether it is better or worse than the others."
            ),
        }
    }

    fn document(&self) -> serde_json::Value {
        json!({
            "player": self.name,
            "share": self.test.mean(),
            "seeds": self.test.count(),
            "games": self.games,
            "verdict": match self.test.verdict(ERROR) {
                Some(Ordering::Greater) => "better",
                Some(_) => "worse",
                None => "undecided",
            },
        })
    }
}

/// Plays the games of a candidate, seed by seed, until it is known whether it is better than the others.
fn play_candidate(
    arguments: &Arguments,
    field: &ContestField,
    work: &WorkFolder,
    worker: &Worker,
    picks: &[(Pick, u64)],
    name: &str,
    stop: &StopFlag,
) -> Result<Candidate, Failure> {
    let at = field.contestants.iter().position(|known| known.name == name);
    let at = at.ok_or_else(|| Failure::usage(format!("there is no player '{name}'")))?;
    let own: Vec<(Pick, u64)> = picks
        .iter()
        .filter(|((arena, _, cell), _)| field.plays(*arena, *cell, name))
        .copied()
        .collect();
    let seeds = own.iter().map(|((_, round, _), _)| round + 1).max().unwrap_or(0);
    let mut candidate =
        Candidate { name: name.into(), test: SequentialTest::default(), games: 0, seeds };
    // Where players play alone, their opponents' games on the seed are needed too.
    let alone = field.arenas.iter().all(|arena| arena.contest.seats.len() == 1);
    for round in 0..seeds {
        let games = if alone { picks } else { &own };
        let games: Vec<(Pick, u64)> =
            games.iter().filter(|((_, of, _), _)| *of == round).copied().collect();
        let open = open_games(work, &games)?;
        field.play(worker, &open, stop, &|| is_time(arguments.until), &|| {})?;
        if !open_games(work, &games)?.is_empty() {
            return Ok(candidate);
        }
        let boards = field.boards(work, &games)?;
        candidate.games += boards.iter().map(|board| board.finished()).sum::<usize>();
        if let Some(result) = candidate_result(field, &boards, at, round) {
            candidate.test.add(result);
        }
        if candidate.test.verdict(ERROR).is_some() {
            break;
        }
    }
    Ok(candidate)
}

fn print_table(standings: &[Standing]) {
    let rows: Vec<serde_json::Value> = standings
        .iter()
        .map(|standing| standing.row("±", |value| json!(value.round() as i64)))
        .collect();
    print_lines(table(&rows));
}
