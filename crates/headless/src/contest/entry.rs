//! A player of a contest: its files, built and tried.

use super::config::PlayerConfig;
use super::work::WorkFolder;
use outwit_core::levels::write;
use outwit_core::platform::folders::{
    FolderLimits, check_size, copy_files, digest_files, files_below,
};
use outwit_core::platform::paths::real_path;
use outwit_core::platform::program::{
    AllowedPrograms, Isolation, LogSource, Program, ProgramLimits, ProgramLog, Received,
};
use outwit_core::platform::store::{self, Lock, StoreError, read_file};
use outwit_core::platform::time::{Duration, Instant, sleep};
use outwit_core::play::{AllowedProgram, Player, ProgramKind, StopFlag};
use outwit_kit::{AnyLevel, DynGame, TrialOptions};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What the files of a player may be.
const LIMITS: FolderLimits = FolderLimits { files: 10_000, bytes: 256 << 20, depth: 20 };
/// How many lines of a log are kept.
const LINES: usize = 60;
/// How often a run looks whether another one has built a player.
const LOOK: Duration = Duration::from_millis(300);
/// What a build may leave in its folder.
const BUILT: FolderLimits = FolderLimits { files: 100_000, bytes: 1 << 30, depth: 50 };
/// How often a build and its folder are looked at.
const MEASURE: Duration = Duration::from_millis(200);
/// Memory of a build.
const BUILD_MEMORY: u64 = 4 << 30;

/// A player that takes part.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name of its folder.
    pub name: String,
    /// What its `player.toml` says.
    pub config: PlayerConfig,
    /// A digest of its files.
    pub digest: u64,
    /// Where it was built.
    pub folder: PathBuf,
    /// What came of building and trying it.
    pub record: EntryRecord,
}

/// What came of building and trying a player.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EntryRecord {
    /// What the program calls itself.
    pub program: String,
    /// What else it says of itself.
    pub about: String,
    /// What was found when it was tried.
    pub checks: Vec<EntryCheck>,
    /// The end of what its build printed.
    pub build_log: Vec<String>,
    /// The end of what it printed to its standard error when it was tried.
    pub log: Vec<String>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EntryCheck {
    /// The seat that it took.
    pub seat: String,
    /// What was looked at.
    pub name: String,
    /// Whether it is as it should be.
    pub passed: bool,
    /// What was found.
    pub found: String,
    /// What to do about it.
    pub advice: String,
}

/// How players are built and tried.
pub struct Preparation<'a> {
    /// The game.
    pub kind: &'static dyn DynGame,
    /// What they are tried on.
    pub level: &'a AnyLevel,
    /// How many play.
    pub seats: usize,
    /// Their time per turn when they are tried.
    pub limit: Duration,
    /// What they may take beyond that.
    pub bank: Duration,
    /// How long a build may take.
    pub build_time: Duration,
    /// What they are kept from.
    pub isolation: &'a Isolation,
    /// Where they are built.
    pub work: &'a WorkFolder,
    /// Ends it.
    pub stop: &'a StopFlag,
}

impl Entry {
    /// Reads the files of a player, builds it and tries it, unless that was done before.
    ///
    /// # Errors
    /// Why it cannot take part, or that `stop` was raised.
    pub fn prepare(
        contest: &Path,
        name: &str,
        preparation: &Preparation<'_>,
    ) -> Result<Self, String> {
        let source = contest.join("players").join(name);
        let config = PlayerConfig::read(&source)?;
        let known: Vec<String> =
            (0..preparation.seats).map(|seat| preparation.kind.seat(seat).id).collect();
        if let Some(seat) = config.seats.iter().flatten().find(|seat| !known.contains(seat)) {
            return Err(format!(
                "player.toml: there is no seat '{seat}'; choose from {}",
                known.join(", ")
            ));
        }
        let plain = |error: StoreError| without_folder(&error.to_string(), &source);
        let listed = files_below(&source, LIMITS).map_err(plain)?;
        let digest = digest_files(&source, &listed).map_err(plain)?;
        let work = preparation.work;
        let stem = format!("{name}-{digest:016x}");
        let folder = work.builds().join(&stem);
        let notes = work.builds().join(format!("{stem}.json"));
        let _lock = loop {
            if preparation.stop.is_raised() {
                return Err("interrupted".into());
            }
            let lock = Lock::take(&work.builds().join(format!("{stem}.lock")));
            match lock.map_err(|error| error.to_string())? {
                Some(lock) => break lock,
                None => sleep(LOOK),
            }
        };
        let entry = |record| Self {
            name: name.into(),
            config: config.clone(),
            digest,
            folder: folder.clone(),
            record,
        };
        let known = read_file(&notes).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(record) = known.filter(|_| store::is_folder(&folder)) {
            return Ok(entry(record));
        }
        copy_files(&source, &listed, &folder).map_err(plain)?;
        let mut made = entry(EntryRecord::default());
        if let Err(why) = made.build(preparation).and_then(|()| made.try_out(preparation)) {
            let why = without_folder(&why, &folder);
            let _ = store::remove_folder(&folder);
            return Err(why);
        }
        let EntryRecord { build_log, log, .. } = &mut made.record;
        build_log.iter_mut().chain(log).for_each(|line| *line = without_folder(line, &folder));
        let text = serde_json::to_vec_pretty(&made.record).map_err(|error| error.to_string())?;
        write(&notes, &text).map_err(|error| error.to_string())?;
        Ok(made)
    }

    /// The seats that it takes.
    pub fn takes(&self, seat: &str) -> bool {
        self.config.seats.as_ref().is_none_or(|seats| seats.iter().any(|own| own == seat))
    }

    /// What it is called as a player.
    pub fn player(&self) -> Player {
        Player::of_program(ProgramKind::Program, &self.name)
    }

    /// The program that may be started for it.
    pub fn allowed(&self, isolation: &Isolation) -> AllowedPrograms {
        AllowedPrograms::of_contest(&self.name, &self.config.command, &self.folder, isolation)
    }

    /// Runs its build command.
    fn build(&mut self, preparation: &Preparation<'_>) -> Result<(), String> {
        let Some(command) = &self.config.build else { return Ok(()) };
        let allowed =
            AllowedPrograms::build_of_contest(command, &self.folder, preparation.isolation);
        let log = ProgramLog::default();
        let limits = ProgramLimits {
            memory: Some(BUILD_MEMORY),
            file: Some(BUILT.bytes),
            ..ProgramLimits::default()
        };
        let running = Program::start(&allowed, limits, log.clone())
            .map_err(|error| format!("its build cannot be started: {error}"))?;
        let ended = wait_for_build(running, &self.folder, preparation);
        let said = |source| matches!(source, LogSource::Output | LogSource::Error);
        let lines = log.lines().into_iter().filter(|line| said(line.source));
        self.record.build_log = lines.map(|line| line.text).collect();
        last_lines(&mut self.record.build_log);
        ended.map_err(|why| with_lines(&why, &self.record.build_log))
    }

    /// Tries it in each of its seats.
    fn try_out(&mut self, preparation: &Preparation<'_>) -> Result<(), String> {
        let Preparation { kind, seats, .. } = *preparation;
        let allowed = self.allowed(preparation.isolation);
        let program: AllowedProgram = allowed.find(&self.name)?;
        let taken: Vec<usize> =
            (0..seats).filter(|&seat| self.takes(&kind.seat(seat).id)).collect();
        for seat in taken {
            let options = TrialOptions {
                seat,
                program: program.clone(),
                player: self.player(),
                others: (0..seats)
                    .filter(|&other| other != seat)
                    .map(|other| kind.opponent(other))
                    .collect(),
                limit: preparation.limit,
                bank: preparation.bank,
                states: 10,
                matches: 1,
            };
            let trial = kind.try_program(preparation.level, &options, preparation.stop)?;
            let id = kind.seat(seat).id;
            let begun = trial.checks.iter().any(|check| check.name == "start" && check.passed);
            if !begun {
                let why = trial.checks.first().map(|check| check.found.clone());
                return Err(with_lines(&why.unwrap_or_default(), &trial.log));
            }
            self.record.checks.extend(trial.checks.into_iter().map(|check| EntryCheck {
                seat: id.clone(),
                name: check.name.to_owned(),
                passed: check.passed,
                found: check.found,
                advice: check.advice,
            }));
            self.record.program = trial.name;
            self.record.about = trial.about;
            self.record.log.extend(trial.log);
        }
        last_lines(&mut self.record.log);
        Ok(())
    }
}

/// Waits until a build has ended, or ends it when it takes too much time or space.
fn wait_for_build(
    mut running: Program,
    folder: &Path,
    preparation: &Preparation<'_>,
) -> Result<(), String> {
    let began = Instant::now();
    let mut measured = Instant::now();
    let mut is_small = Ok(());
    let ended = loop {
        match running.receive(MEASURE) {
            Received::Ended(how) if running.succeeded() => break Ok(how),
            Received::Ended(how) => break Err(format!("its build failed: {how}")),
            _ if preparation.stop.is_raised() => break Err("interrupted".into()),
            _ if began.elapsed() > preparation.build_time => {
                let seconds = preparation.build_time.as_secs();
                break Err(format!("its build took more than {seconds} s"));
            }
            _ if measured.elapsed() >= MEASURE => {
                is_small = check_size(folder, BUILT);
                measured = Instant::now();
            }
            _ => {}
        }
        if is_small.is_err() {
            break Ok(String::new());
        }
    };
    running.kill();
    // One that was killed by its limit left a folder that is full.
    let measured = is_small.and_then(|()| check_size(folder, BUILT));
    measured
        .map_err(|error| {
            format!("its build was stopped, since its folder is too large: {}", error.what)
        })
        .and(ended)
        .map(drop)
}

/// A reason, and what was printed below it.
fn with_lines(why: &str, lines: &[String]) -> String {
    match lines {
        [] => why.to_owned(),
        lines => format!("{why}\n{}", lines.join("\n")),
    }
}

/// Keeps the last lines of a log.
fn last_lines(lines: &mut Vec<String>) {
    let most = lines.len().saturating_sub(LINES);
    lines.drain(..most);
}

/// A text without the path of a folder, however it is written: people read the names of files in it, and nobody shall
/// learn where it lies.
fn without_folder(text: &str, folder: &Path) -> String {
    let given = Some(folder.to_owned());
    let written = [real_path(folder), std::path::absolute(folder).ok(), given];
    written.into_iter().flatten().fold(text.to_owned(), |text, path| {
        let path = path.display().to_string();
        text.replace(&format!("{path}/"), "").replace(&path, ".")
    })
}
