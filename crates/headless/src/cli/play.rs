//! `outwit play` and `outwit edit`: what the window is to open with.

use super::input::{FoundReplay, find_replay};
use super::programs::ProgramArgs;
use super::source::find_level;
use super::values::{budget, seat};
use super::window::{MatchArgs, Picture, Wanted};
use super::{Answer, Failure, names};
use clap::Args;
use outwit_core::play::{BANK, Budget, Player};
use outwit_kit::DynGame;
use outwit_levels::Entry;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How much a planner may think per turn unless the command line says otherwise.
pub const BUDGET: Budget = Budget::Time(Duration::from_millis(500));

/// Open the window at a match or at a replay.
///
/// Example: outwit play racetrack hairpins --seat car1=human --seat car2=ace
///
/// Example: outwit play cops --seat thief=evader --seat cops=pack --beside cops=marshal
#[derive(Args)]
pub struct Arguments {
    /// The game.
    #[arg(required_unless_present = "replay")]
    game: Option<String>,
    /// A level id or a file [default: the game's first level].
    level: Option<OsString>,
    /// Watch this replay. It contains the game, the level and the players.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "level", "seats", "beside", "seed", "budget"])]
    replay: Option<PathBuf>,
    /// Who takes a seat: human, a planner, program:COMMAND for a program that speaks Outwit's protocol (see 'outwit
    /// protocol'), as in "thief=program:python3 fox.py", or engine:COMMAND where the game has a protocol of its own for
    /// engines. Can be given once per seat. You and planners take the seats that are not named.
    #[arg(long = "seat", value_name = "NAME=human|PLANNER", value_parser = seat::<Player>)]
    seats: Vec<(String, Player)>,
    /// Show a second match beside a match of planners, on the same level with the same seed: who takes a seat
    /// there. Seats that are not named have the same planners in both. Can be given once per seat.
    #[arg(long, value_name = "NAME=PLANNER", value_parser = seat::<Player>)]
    beside: Vec<(String, Player)>,
    /// The seed of the match.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How much a planner may think per turn: time such as 500ms, or work such as 20000w.
    #[arg(long, default_value_t = BUDGET, value_parser = budget)]
    budget: Budget,
    /// Give programs all the time they want, for whoever looks into one with a debugger.
    #[arg(long)]
    no_clock: bool,
    #[command(flatten)]
    programs: ProgramArgs,
    /// Save a picture of the board to this file, then quit.
    #[arg(long, value_name = "FILE.png")]
    screenshot: Option<PathBuf>,
    /// The turn at which to take the picture.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "screenshot")]
    at_turn: usize,
    /// Print as JSON what would be opened, and do not open it.
    #[arg(long)]
    json: bool,
}

/// Open the window at the level editor.
///
/// Example: outwit edit racetrack/hairpins
#[derive(Args)]
pub struct EditArguments {
    /// A level id or a file. A built-in level opens as a copy.
    level: Option<OsString>,
}

/// The level to edit.
pub fn to_edit(arguments: &EditArguments) -> Result<Option<Entry>, Failure> {
    arguments.level.as_deref().map(|level| Ok(find_level(level, None)?.entry)).transpose()
}

/// What came of the arguments.
pub enum Prepared {
    /// The window opens with this.
    Open(Box<Wanted>, Option<Picture>),
    /// What would be opened was printed instead.
    Printed(Answer),
}

/// Checks the arguments.
///
/// # Errors
/// What is wrong with them, or with the level or replay.
pub fn prepare(arguments: &Arguments) -> Result<Prepared, Failure> {
    let wanted = match (&arguments.replay, &arguments.game) {
        (Some(file), _) => to_watch(file, arguments.json)?,
        (None, Some(game)) => to_play(game, arguments)?,
        (None, None) => {
            return Err(Failure::usage("name a game, or a replay with --replay".into()));
        }
    };
    let picture = arguments.screenshot.clone().map(|file| (file, arguments.at_turn));
    Ok(match wanted {
        Ok(wanted) => Prepared::Open(Box::new(wanted), picture),
        Err(answer) => Prepared::Printed(answer),
    })
}

/// The replay in a file, or the answer once it was printed as JSON. Whether its actions are legal is
/// checked when it is played.
fn to_watch(file: &Path, json: bool) -> Result<Result<Wanted, Answer>, Failure> {
    let FoundReplay { kind, bytes, name: shown, .. } = find_replay(file)?;
    if json {
        let summary = kind.replay(&bytes).map_err(|fault| Failure::faults(&shown, &[fault]))?;
        super::print_json(&summary)?;
        return Ok(Err(if summary.faithful { Answer::Yes } else { Answer::No }));
    }
    Ok(Ok(watched(file, &bytes)))
}

/// The replay in a file with this content.
pub fn watched(file: &Path, bytes: &[u8]) -> Wanted {
    let name = file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    Wanted::Replay { name, text: String::from_utf8_lossy(bytes).into_owned() }
}

/// The players of a match beside that of these, in which some seats are named; none if no seat is.
///
/// # Errors
/// If there is no such seat or planner, or a person sits in one of the two.
fn to_show_beside(
    kind: &dyn DynGame,
    players: &[Player],
    named: &[(String, Player)],
) -> Result<Option<Vec<Player>>, Failure> {
    if named.is_empty() {
        return Ok(None);
    }
    names::seats(kind, named)?;
    let mut beside = players.to_vec();
    for (name, player) in named {
        let seat = (0..players.len()).find(|&seat| kind.seat(seat).id == *name);
        let Some(place) = seat.and_then(|seat| beside.get_mut(seat)) else {
            return Err(Failure::usage(format!("the match has no seat '{name}'")));
        };
        *place = player.clone();
    }
    if players.iter().chain(&beside).any(|player| *player == Player::Human) {
        let why = "--beside is for matches of planners: name a planner for every seat with --seat";
        return Err(Failure::usage(why.into()));
    }
    Ok(Some(beside))
}

/// The match to play, or the answer once it was printed as JSON.
fn to_play(game: &str, arguments: &Arguments) -> Result<Result<Wanted, Answer>, Failure> {
    let kind = names::game(game)?;
    let first = kind.first_level();
    let found = find_level(arguments.level.as_deref().unwrap_or(first.as_ref()), Some(kind))?;
    let level = kind
        .read(&found.bytes, &found.name())
        .map_err(|faults| Failure::faults(&found.name(), &faults))?;
    names::seats(kind, &arguments.seats)?;
    let players = kind.line_up(&arguments.seats, Some(&level));
    let beside = to_show_beside(kind, &players, &arguments.beside)?;
    let named = arguments.seats.iter().chain(&arguments.beside);
    let wanted = MatchArgs {
        game: kind.id(),
        level: found.entry,
        players,
        beside,
        programs: arguments.programs.allow(named.map(|(_, player)| player)),
        seed: arguments.seed,
        budget: arguments.budget,
        bank: (!arguments.no_clock).then(|| arguments.programs.bank().unwrap_or(BANK)),
    };
    if arguments.json {
        let names = |players: &[Player]| -> Vec<String> {
            players.iter().map(|player| player.name().to_owned()).collect()
        };
        super::print_json(&serde_json::json!({
            "game": wanted.game,
            "level": wanted.level.id,
            "seats": names(&wanted.players),
            "beside": wanted.beside.as_deref().map(names),
            "seed": wanted.seed,
            "budget": wanted.budget.to_string(),
        }))?;
        return Ok(Err(Answer::Yes));
    }
    Ok(Ok(Wanted::Match(wanted)))
}
