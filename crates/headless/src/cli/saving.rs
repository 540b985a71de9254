//! How tournaments are saved, resumed and shared among machines: 'outwit match' and 'outwit exploit'.

use super::rule_args::RuleArgs;
use super::source::find_level;
use super::{Failure, eprint_line};
use crate::shell_word::quoted;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use outwit_core::platform::interrupt::Hold;
use outwit_core::platform::store::size;
use outwit_core::platform::task::{MOST_THREADS, limit_cores};
use outwit_core::platform::time::unix_seconds;
use outwit_core::play::{Budget, TimeControl};
use outwit_core::tournament::{
    Contest, ContestLevel, FinishedGame, GameChoice, Journal, Scoreboard, Share,
};
use outwit_kit::DynGame;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

/// The version that plays.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A time after which no game begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Until {
    /// In seconds since 1970.
    at: u64,
}

impl Until {
    /// Whether it has passed.
    pub fn is_over(self) -> bool {
        unix_seconds() >= self.at
    }
}

impl FromStr for Until {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "'{text}' is not a time: write 90m, 2h or 1h30m from now, or @ and seconds since 1970"
            )
        };
        if let Some(seconds) = text.strip_prefix('@') {
            return seconds.parse().map(|at| Self { at }).map_err(|_| wrong());
        }
        let mut seconds = 0_u64;
        let mut digits = String::new();
        for letter in text.chars() {
            if letter.is_ascii_digit() {
                digits.push(letter);
                continue;
            }
            let unit = match letter {
                'd' => 86_400,
                'h' => 3600,
                'm' => 60,
                's' => 1,
                _ => return Err(wrong()),
            };
            let part = digits.parse::<u64>().ok().and_then(|count| count.checked_mul(unit));
            seconds = part.and_then(|part| seconds.checked_add(part)).ok_or_else(wrong)?;
            digits.clear();
        }
        match digits.is_empty() && !text.is_empty() {
            true => Ok(Self { at: unix_seconds().saturating_add(seconds) }),
            false => Err(wrong()),
        }
    }
}

/// Where finished games go and which are played.
#[derive(Args)]
pub struct Saving {
    /// Save every finished game to a new FILE, so that an interrupted run can be resumed.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    save: Option<PathBuf>,
    /// Save to FILE, or resume the run that it holds: the same command begins a run and goes on with it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["save", "resume"])]
    save_or_resume: Option<PathBuf>,
    /// Begin no game after this time: a time from now such as 90m or 2h, or @SECONDS since 1970, such as
    /// @$SLURM_JOB_END_TIME. The exit code is 3 if games are missing then.
    #[arg(long, value_name = "TIME")]
    until: Option<Until>,
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
        Ok(self.resumed().map(Journal::contest).transpose()?)
    }

    /// The file to resume, if there is one.
    fn resumed(&self) -> Option<&Path> {
        let begun =
            self.save_or_resume.as_deref().filter(|file| size(file).is_some_and(|it| it > 0));
        self.resume.as_deref().or(begun)
    }

    /// The time after which no game begins.
    pub fn until(&self) -> Option<Until> {
        self.until
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
        let finished = |game: &FinishedGame| {
            bar.inc(1);
            if let Some(Err(error)) = journal.map(|journal| journal.add(game))
                && !has_warned.swap(true, Ordering::Relaxed)
            {
                bar.suspend(|| eprint_line(format_args!("{error}; trying again with later games")));
            }
            Ok(())
        };
        let games = match self.until {
            None => kind.run_share(&contest, share, done, hold.stop(), &finished),
            Some(until) => {
                let choice = GameChoice {
                    wanted: &|round, _| share.holds(round),
                    take: &|_, _| !until.is_over(),
                };
                kind.run_chosen(&contest, choice, done, hold.stop(), &finished)
            }
        };
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
        let resumed = self.resumed();
        if resumed.is_none()
            && let Some(file) = self.save.as_ref().or(self.save_or_resume.as_ref())
        {
            let journal = Journal::begin(file, contest).map_err(|error| {
                let is_begun = size(file).is_some_and(|bytes| bytes > 0);
                let resume = if is_begun { "continue it with --resume, or " } else { "" };
                Failure::usage(format!("{error}; {resume}choose another file"))
            })?;
            return Ok((Some(journal), Vec::new()));
        }
        let Some(file) = resumed else { return Ok((None, Vec::new())) };
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
    rules: &RuleArgs,
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
        let kept = &saved.level;
        return match rules.is_empty() {
            true => Ok(kept.clone()),
            false => with_rules(kind, (kept.text.as_bytes(), ""), &kept.id, rules),
        };
    }
    let first = kind.first_level();
    let found = find_level(level.unwrap_or(first.as_ref()), Some(kind))?;
    with_rules(kind, (&found.bytes, &found.name()), &found.entry.id, rules)
}

/// The level in a file, given with its name, with rules changed.
fn with_rules(
    kind: &dyn DynGame,
    (bytes, name): (&[u8], &str),
    id: &str,
    rules: &RuleArgs,
) -> Result<ContestLevel, Failure> {
    let level = kind
        .convert(bytes, name, &rules.of(kind)?, "ron")
        .map_err(|faults| Failure::faults(if name.is_empty() { id } else { name }, &faults))?;
    Ok(ContestLevel::new(id.to_owned(), String::from_utf8(level.bytes)?))
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
        match argument.strip_prefix("--save").filter(|rest| !rest.starts_with('-')) {
            Some(rest) if rest.is_empty() || rest.starts_with('=') => {
                quoted(&format!("--resume{rest}"))
            }
            _ => quoted(&argument),
        }
    });
    let words: Vec<String> = std::iter::once("outwit".into()).chain(arguments).collect();
    words.join(" ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn times_are_from_now_or_since_1970() {
        let at = |text: &str| text.parse::<Until>().map(|until| until.at);
        assert_eq!(at("@1700000000"), Ok(1_700_000_000));
        let now = unix_seconds();
        for (text, seconds) in
            [("90m", 5400), ("1h30m", 5400), ("2h", 7200), ("1d", 86_400), ("0s", 0)]
        {
            let from_now = at(text).unwrap() - now;
            assert!((seconds..seconds + 5).contains(&from_now), "{text}: {from_now}");
        }
        for wrong in [
            "",
            "5",
            "m",
            "@",
            "@x",
            "-5m",
            "1h30",
            "1 h",
            "99999999999999999999d",
            "9999999999999999999d",
        ] {
            assert!(at(wrong).is_err(), "{wrong}");
        }
        assert!(
            "@1".parse::<Until>().unwrap().is_over() && !"1h".parse::<Until>().unwrap().is_over()
        );
    }
}
