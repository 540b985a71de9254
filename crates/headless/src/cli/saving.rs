//! How tournaments are saved, resumed and shared among machines: 'outwit match' and 'outwit exploit'.

use super::source::find_level;
use super::{Failure, eprint_line};
use crate::shell_word::quoted;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use outwit_core::platform::interrupt::Hold;
use outwit_core::platform::store::size;
use outwit_core::platform::task::{MOST_THREADS, limit_cores};
use outwit_core::play::{Budget, TimeControl};
use outwit_core::tournament::{Contest, ContestLevel, FinishedGame, Journal, Scoreboard, Share};
use outwit_kit::DynGame;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The version that plays.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where finished games go and which are played.
#[derive(Args)]
pub struct Saving {
    /// Save every finished game to a new FILE, so that an interrupted run can be resumed.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    save: Option<PathBuf>,
    /// Resume the run saved in FILE. Its finished games are not played again. Options that FILE
    /// contains can be left out; if given, they must agree with it.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Play only every N-th seed, beginning with the I-th: a share of the run for one of N machines.
    /// 'outwit merge' puts the saved shares together.
    #[arg(long, value_name = "I/N")]
    shard: Option<Share>,
    /// The number of threads [default: RAYON_NUM_THREADS, else one per core]. Games with budgets of
    /// time take one thread per seat.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS as i64))]
    jobs: Option<u32>,
}

impl Saving {
    /// The contest of the file to resume, if there is one.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn saved_contest(&self) -> Result<Option<Contest>, Failure> {
        Ok(self.resume.as_deref().map(Journal::contest).transpose()?)
    }

    /// Whether other machines play the rest.
    pub fn is_share(&self) -> bool {
        self.shard.is_some()
    }

    /// Plays the games of the share that are not finished, with a progress bar on a terminal. Also
    /// returns what was lost: a game that cannot be saved is tried again with each later one and in
    /// the end.
    ///
    /// # Errors
    /// If the file cannot be used, a game cannot be played, or a signal ended it.
    pub fn play(
        &self,
        kind: &dyn DynGame,
        contest: Contest,
        hold: &Hold,
    ) -> Result<(Scoreboard, Vec<String>), Failure> {
        if let Some(jobs) = self.jobs {
            limit_cores(jobs as usize);
        }
        // A resumed contest stays that of the version that began it.
        let contest = match self.saved_contest()? {
            Some(Contest { program, .. }) => Contest { program, ..contest },
            None => contest,
        };
        let (journal, done) = self.journal(&contest)?;
        let journal = journal.as_ref();
        let share = self.shard.unwrap_or(Share::ALL);
        let rounds = (0..contest.seeds as usize).filter(|&round| share.holds(round)).count();
        if contest.program != VERSION && done.len() < rounds * contest.cells() {
            eprint_line(format_args!(
                "Outwit {} began this tournament. Outwit {VERSION} plays the games that are \
                 missing; its planners may play differently.",
                contest.program
            ));
        }
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

    /// The file for finished games, and those that it holds.
    fn journal(&self, contest: &Contest) -> Result<(Option<Journal>, Vec<FinishedGame>), Failure> {
        if let Some(file) = &self.save {
            let journal = Journal::begin(file, contest).map_err(|error| {
                let is_begun = size(file).is_some_and(|bytes| bytes > 0);
                let resume = if is_begun { "continue it with --resume, or " } else { "" };
                Failure::usage(format!("{error}; {resume}choose another file"))
            })?;
            return Ok((Some(journal), Vec::new()));
        }
        let Some(file) = &self.resume else { return Ok((None, Vec::new())) };
        let (journal, saved) = Journal::resume(file, contest)?;
        for doubt in saved.doubts("its game is played again") {
            eprint_line(format_args!("{}: {doubt}", file.display()));
        }
        Ok((Some(journal), saved.games))
    }
}

/// The level that is asked for, in Outwit's own format; without one that of the file to resume, else
/// the game's first one.
pub fn requested_level(
    kind: &'static dyn DynGame,
    level: Option<&OsStr>,
    saved: Option<&Contest>,
) -> Result<ContestLevel, Failure> {
    if let Some(saved) = saved
        && saved.game != kind.id()
    {
        return Err(Failure::usage(format!(
            "the saved tournament is of {}, not of {}",
            saved.game,
            kind.id()
        )));
    }
    if let (None, Some(saved)) = (level, saved) {
        return Ok(saved.level.clone());
    }
    let first = kind.first_level();
    let found = find_level(level.unwrap_or(first.as_ref()), Some(kind))?;
    let level = kind
        .convert(&found.bytes, &found.name(), &[], "ron")
        .map_err(|faults| Failure::faults(&found.name(), &faults))?;
    Ok(ContestLevel::new(found.entry.id, String::from_utf8(level.bytes)?))
}

/// The first seed, the number of seeds and the budget: what is asked for, else those of the file to
/// resume, else 1, 20 and 20000w.
pub fn requested_games(
    seed: Option<u64>,
    games: Option<u32>,
    budget: Option<TimeControl>,
    saved: Option<&Contest>,
) -> ((u64, u32), TimeControl) {
    let first_seed = seed.or(saved.map(|saved| saved.first_seed)).unwrap_or(1);
    let seeds = games.or(saved.map(|saved| saved.seeds)).unwrap_or(20);
    let budget = budget.or(saved.map(|saved| saved.budget)).unwrap_or(Budget::Work(20_000).into());
    ((first_seed, seeds), budget)
}

/// Writes what the file of a tournament could not take before; returns what to say if it still
/// cannot.
pub(super) fn finish(journal: &Journal) -> Option<String> {
    let error = journal.finish().err()?;
    Some(format!("{error}; this file is incomplete: some of the games are missing"))
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
