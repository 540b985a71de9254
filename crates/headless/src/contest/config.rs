//! `contest.toml` and `player.toml`.

use outwit_core::platform::paths::is_link;
use outwit_core::platform::store::{self, read_file};
use outwit_core::play::{Budget, TimeControl};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Longer texts are refused, in letters.
const LONGEST: usize = 500;
/// The most levels of a contest.
const MOST_LEVELS: usize = 100;
/// The most games of a pairing on a level.
const MOST_GAMES: u32 = 100_000;
/// The longest time for a build.
const LONGEST_BUILD: Duration = Duration::from_secs(3600);

/// What a contest is played on, as `contest.toml` says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContestConfig {
    /// What the pages are called.
    #[serde(default)]
    pub title: String,
    /// Id of the game.
    pub game: String,
    /// Ids of levels, or files in the folder; the first level of the game if there are none.
    #[serde(default)]
    pub levels: Vec<String>,
    /// Number of games for each pairing on each level.
    #[serde(default = "usual_games")]
    pub games: u32,
    /// The first seed.
    #[serde(default = "first_seed")]
    pub seed: u64,
    /// Time per turn or per match.
    pub budget: String,
    /// What a program may take beyond that in a match.
    #[serde(default)]
    pub bank: Option<String>,
    /// Whether who exceeds its time loses.
    #[serde(default)]
    pub strict: bool,
    /// How many play in a game; if it is not said, two, or as many as the game needs.
    #[serde(default)]
    pub seats: Option<usize>,
    /// Planners of Outwit that play too.
    #[serde(default)]
    pub planners: Vec<String>,
    /// What a result counts in the table.
    #[serde(default)]
    pub points: Points,
    /// How long a build may take.
    #[serde(default)]
    pub build_time: Option<String>,
    /// Address of a page with Outwit, to which the games are linked.
    #[serde(default)]
    pub page: Option<String>,
}

fn usual_games() -> u32 {
    20
}

fn first_seed() -> u64 {
    1
}

/// What a result counts in the table.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Of a game won.
    pub win: f64,
    /// Of a game drawn.
    pub draw: f64,
    /// Of a game lost.
    pub loss: f64,
}

impl Default for Points {
    fn default() -> Self {
        Self { win: 1.0, draw: 0.5, loss: 0.0 }
    }
}

/// How a player is built and started, as its `player.toml` says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerConfig {
    /// What starts it, in its folder.
    pub command: String,
    /// What builds it before, in its folder.
    #[serde(default)]
    pub build: Option<String>,
    /// Its language.
    #[serde(default)]
    pub language: String,
    /// Who wrote it.
    #[serde(default)]
    pub authors: Vec<String>,
    /// The seats that it takes; all if it does not say.
    #[serde(default)]
    pub seats: Option<Vec<String>>,
}

/// Reads a file of a contest.
fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let fail = |why: String| format!("{name}: {why}");
    let bytes = read_file(path).map_err(|error| fail(error.what))?;
    let text = String::from_utf8(bytes).map_err(|_| fail("this is not text".into()))?;
    toml::from_str(&text).map_err(|error: toml::de::Error| {
        let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
        let place = line.map_or_else(String::new, |line| format!("line {line}: "));
        let message = error.message().trim_end();
        let written = line.and_then(|line| text.lines().nth(line - 1));
        let advice = written.and_then(|written| advice(written, message));
        fail(format!("{place}{}", advice.as_deref().unwrap_or(message)))
    })
}

/// What to write instead of a line whose value has the wrong type.
fn advice(line: &str, message: &str) -> Option<String> {
    let (key, value) = line.split_once('=')?;
    let key = key.trim();
    let value = value.trim();
    let expected = |what: &str| message.contains(&format!("expected {what}"));
    match key {
        "games" => Some(format!("games must be a whole number from 1 to {MOST_GAMES}")),
        _ if expected("a sequence") => Some(format!("write {key} = [{value}]")),
        "budget" | "bank" if expected("a string") => Some(format!("write {key} = \"{value}ms\"")),
        "build_time" if expected("a string") => Some(format!("write {key} = \"{value}s\"")),
        _ if expected("a string") => Some(format!("write {key} = \"{value}\"")),
        _ => None,
    }
}

/// A time per turn of at least a millisecond.
fn time(text: &str, most: Duration) -> Result<Duration, String> {
    match text.parse() {
        Ok(Budget::Time(time)) if time <= most && !time.is_zero() => Ok(time),
        _ => Err(format!("'{text}' is not a time of at most {} s, such as 1500ms", most.as_secs())),
    }
}

impl ContestConfig {
    /// Reads and checks `contest.toml` in a folder.
    ///
    /// # Errors
    /// What is wrong, with the file and, where it is known, the line.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join("contest.toml");
        if !store::is_file(&path) {
            return Err(format!(
                "{}: there is no contest.toml in this folder; it names at least the game and the budget",
                folder.display()
            ));
        }
        let config: Self = read(&path)?;
        config.check().map_err(|why| format!("contest.toml: {why}"))?;
        Ok(config)
    }

    fn check(&self) -> Result<(), String> {
        self.budget()?;
        self.bank()?;
        self.build_time()?;
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(format!(
                "games = {}: it must be a whole number from 1 to {MOST_GAMES}",
                self.games
            ));
        }
        if self.seed.checked_add(u64::from(self.games - 1)).is_none() {
            return Err(format!(
                "seed = {}: the seeds of {} games would go beyond {}; write a smaller seed",
                self.seed,
                self.games,
                u64::MAX
            ));
        }
        if self.levels.len() > MOST_LEVELS {
            let count = self.levels.len();
            return Err(format!("{count} levels are more than {MOST_LEVELS}"));
        }
        let points = [self.points.win, self.points.draw, self.points.loss];
        if points.iter().any(|points| !points.is_finite() || points.abs() > 1e6) {
            return Err("points must be numbers from -1000000 to 1000000".into());
        }
        if self.title.chars().count() > LONGEST {
            return Err(format!("the title is longer than {LONGEST} letters"));
        }
        match &self.page {
            Some(page) if !is_page(page) => Err(format!(
                "page = '{page}' is not an address; write https://..., or the path of a page beside the site"
            )),
            _ => Ok(()),
        }
    }

    /// The time of each player.
    ///
    /// # Errors
    /// If it is none that programs can be held to.
    pub fn budget(&self) -> Result<TimeControl, String> {
        let budget = TimeControl::limited(&self.budget)?;
        match budget.is_work() {
            true => Err(format!(
                "budget = '{}': the work of programs cannot be counted; write a time per turn, such as 200ms",
                self.budget
            )),
            false => Ok(budget),
        }
    }

    /// What a program may take beyond its time in a match.
    ///
    /// # Errors
    /// If it is no time.
    pub fn bank(&self) -> Result<Option<Duration>, String> {
        match self.bank.as_deref() {
            Some("0ms" | "0s" | "0") => Ok(Some(Duration::ZERO)),
            bank => bank.map(|bank| time(bank, Duration::from_secs(86_400))).transpose(),
        }
    }

    /// How long a build may take.
    ///
    /// # Errors
    /// If it is no time.
    pub fn build_time(&self) -> Result<Duration, String> {
        let usual = Duration::from_secs(120);
        self.build_time.as_deref().map_or(Ok(usual), |text| time(text, LONGEST_BUILD))
    }
}

/// Whether this can be the address of a page in a link.
fn is_page(page: &str) -> bool {
    let is_plain =
        page.chars().all(|letter| letter.is_ascii_graphic() && !"\"'<>#".contains(letter));
    let has_scheme = page.split(['/', '?']).next().is_some_and(|head| head.contains(':'));
    is_plain
        && !page.is_empty()
        && (page.starts_with("https://") || page.starts_with("http://") || !has_scheme)
}

impl PlayerConfig {
    /// Reads and checks `player.toml` in a player's folder.
    ///
    /// # Errors
    /// What is wrong, with the file and, where it is known, the line.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join("player.toml");
        // Its messages are published: they must not tell what another file holds.
        if is_link(&path) {
            return Err("player.toml is a link; put a copy of the file there".into());
        }
        if !store::is_file(&path) {
            return Err(
                "there is no player.toml; it names at least the command that starts the player"
                    .into(),
            );
        }
        let config: Self = read(&path)?;
        let texts = config.authors.iter().chain([&config.language, &config.command]);
        let long = texts.chain(&config.build).any(|text| text.chars().count() > LONGEST);
        let why = match config.command.trim() {
            "" => "the command is empty".to_owned(),
            _ if config.seats.as_ref().is_some_and(Vec::is_empty) => {
                "seats = [] takes no seat; name some, or leave it out to take all".to_owned()
            }
            _ if long || config.authors.len() > 20 => {
                format!(
                    "a text is longer than {LONGEST} letters, or there are more than 20 authors"
                )
            }
            _ => return Ok(config),
        };
        Err(format!("player.toml: {why}"))
    }
}

/// Whether a folder's name can be that of a player: it is a part of file names and of pages.
pub fn is_player_name(name: &str) -> bool {
    (1..=40).contains(&name.len())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
        && name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
}

/// What the folder `players` holds, by name: players, and what cannot be one, with the reason. Names that begin with a
/// dot are left out.
///
/// # Errors
/// If there is no folder `players`, or it cannot be read.
pub fn player_folders(folder: &Path) -> Result<BTreeMap<String, Result<(), String>>, String> {
    let players = folder.join("players");
    if !store::is_folder(&players) {
        let here = players.display();
        return Err(format!("{here}: create this folder, and in it a folder for each player"));
    }
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut listed = store::list(&players)?;
    listed.retain(|path| !name(path).starts_with('.'));
    let names: Vec<String> = listed.iter().map(|path| name(path)).collect();
    let fits = |path: &Path, own: &String| {
        let same = |other: &&String| *other != own && other.eq_ignore_ascii_case(own);
        if is_link(path) {
            Err("this is a link; put a copy of its folder there".into())
        } else if !store::is_folder(path) {
            Err("this is not a folder; each player has a folder of its own".into())
        } else if !is_player_name(own) {
            Err("the name of its folder must be 1 to 40 letters (a to z, A to Z), digits, - or _, and begin with a \
                 letter or a digit"
                .into())
        } else if let Some(other) = names.iter().find(same) {
            Err(format!(
                "the name of its folder differs from {other} only in case; rename one of them"
            ))
        } else {
            Ok(())
        }
    };
    Ok(listed.iter().zip(&names).map(|(path, own)| (own.clone(), fits(path, own))).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn contest(text: &str) -> Result<ContestConfig, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("contest.toml"), text).unwrap();
        ContestConfig::read(folder.path())
    }

    #[test]
    fn a_contest_needs_a_game_and_a_time() {
        let read = contest("game = \"cops\"\nbudget = \"200ms\"\n").unwrap();
        assert_eq!((read.games, read.seed, read.points), (20, 1, Points::default()));
        for (text, why) in [
            ("game = \"cops\"", "budget"),
            ("budget = \"1s\"", "game"),
            ("game = \"cops\"\nbudget = \"20w\"", "work of programs"),
            ("game = \"cops\"\nbudget = \"soon\"", "soon"),
            ("game = \"cops\"\nbudget = \"1s\"\ngames = 0", "games = 0"),
            ("game = \"cops\"\nbudget = \"1s\"\ngams = 5", "gams"),
            ("game = \"cops\"\nbudget = \"1s\"\nbank = \"x\"", "'x'"),
            ("game = \"cops\"\nbudget = \"1s\"\npage = \"javascript:alert(1)\"", "not an address"),
            ("game = \"cops\"\nbudget = \"1s\"\npage = \"https://a/\\\"b\"", "not an address"),
            (
                "game = \"cops\"\nbudget = \"1s\"\npoints = { win = inf, draw = 0, loss = 0 }",
                "points",
            ),
            ("game = ", "line 1"),
            ("game = \"cops\"\nbudget = 20", "line 2: write budget = \"20ms\""),
            ("game = \"cops\"\nbudget = \"1s\"\nbank = 500", "write bank = \"500ms\""),
            ("game = \"cops\"\nbudget = \"1s\"\nbuild_time = 60", "write build_time = \"60s\""),
            ("game = \"cops\"\nbudget = \"1s\"\ntitle = 5", "write title = \"5\""),
            ("game = \"cops\"\nbudget = \"1s\"\nlevels = \"a\"", "write levels = [\"a\"]"),
            ("game = \"cops\"\nbudget = \"1s\"\ngames = 1e18", "whole number from 1 to 100000"),
            ("game = \"cops\"\nbudget = \"1s\"\ngames = -1", "whole number from 1 to 100000"),
            (
                "game = \"cops\"\nbudget = \"1s\"\ngames = 3\nseed = 18446744073709551615",
                "smaller seed",
            ),
        ] {
            let error = contest(text).unwrap_err();
            assert!(error.contains(why) && error.contains("contest.toml"), "{text}: {error}");
        }
        let nothing = ContestConfig::read(tempfile::tempdir().unwrap().path()).unwrap_err();
        assert!(nothing.contains("there is no contest.toml"), "{nothing}");
        assert!(is_page("https://example.org/outwit/") && is_page("outwit/index.html"));
    }

    #[test]
    fn wrong_files_of_players_are_refused() {
        for (text, why) in [
            ("command = \"x\"\nauthors = \"Ada\"", "line 2: write authors = [\"Ada\"]"),
            ("command = \"x\"\nseats = []", "takes no seat"),
            ("command = \" \"", "empty"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("player.toml"), text).unwrap();
            let error = PlayerConfig::read(folder.path()).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn links_are_refused_before_anything_is_read() {
        let contest = tempfile::tempdir().unwrap();
        let (other, players) = (contest.path().join("other"), contest.path().join("players"));
        let link = |from: &Path, to: &Path| std::os::unix::fs::symlink(from, to).unwrap();
        for folder in [&other, &players, &players.join("ada"), &players.join(".git")] {
            std::fs::create_dir(folder).unwrap();
        }
        std::fs::write(other.join("player.toml"), "secret").unwrap();
        std::fs::write(players.join("notes.txt"), "").unwrap();
        link(&other.join("player.toml"), &players.join("ada/player.toml"));
        link(&other, &players.join("ben"));
        link(&contest.path().join("nowhere"), &players.join("cem"));
        let error = PlayerConfig::read(&players.join("ada")).unwrap_err();
        assert!(error.contains("is a link") && !error.contains("secret"), "{error}");
        let found = player_folders(contest.path()).unwrap();
        let found: Vec<_> = found.iter().map(|(name, fits)| (name.as_str(), fits)).collect();
        let is_link = |fits: &Result<(), String>| {
            fits.as_ref().is_err_and(|why| why.starts_with("this is a link"))
        };
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(found[0], ("ada", &Ok(())));
        assert!(is_link(found[1].1) && is_link(found[2].1), "{found:?}");
        assert!(found[3].1.as_ref().is_err_and(|why| why.contains("not a folder")), "{found:?}");
    }

    #[test]
    fn names_that_differ_only_in_case_are_refused() {
        let contest = tempfile::tempdir().unwrap();
        let error = player_folders(contest.path()).unwrap_err();
        assert!(error.contains("create this folder"), "{error}");
        for name in ["Zoe", "zoe", "yan"] {
            std::fs::create_dir_all(contest.path().join("players").join(name)).unwrap();
        }
        let found = player_folders(contest.path()).unwrap();
        // A file system may take them for one.
        if found.len() == 3 {
            assert!(found["Zoe"].as_ref().is_err_and(|why| why.contains("from zoe only in case")));
            assert!(found["zoe"].is_err() && found["yan"].is_ok());
        }
    }

    #[test]
    fn folders_name_the_players() {
        for name in ["ada", "Ben-2", "c_d"] {
            assert!(is_player_name(name), "{name}");
        }
        for name in ["", "-ada", "a b", "a/b", "..", "ä", "a.b", &"x".repeat(41)] {
            assert!(!is_player_name(name), "{name}");
        }
    }
}
