//! Levels and replays from bytes.

use super::formats;
use super::spec::{AnalyseOptions, GameSpec, PlayedMoves};
use outwit_core::levels::{Fault, RuleSet, Spot, read_ron};
use outwit_core::play::{
    Match, PlannerSpec, REPLAY_FORMAT, Replay, Seat, find_planner, newer_version,
};
use std::any::Any;
use std::sync::Arc;

/// A level of some game that was read and can be played. Clones share it.
#[derive(Clone)]
pub struct AnyLevel(Arc<dyn Any + Send + Sync>);

impl AnyLevel {
    /// A level without its type.
    pub fn new<L: Send + Sync + 'static>(level: L) -> Self {
        Self(Arc::new(level))
    }

    /// The level, if it is of this type.
    pub fn get<L: 'static>(&self) -> Option<&L> {
        self.0.downcast_ref()
    }
}

/// Reads the levels of a file in any format that the game knows; whether they can be played is not
/// looked at. Most formats hold one level.
///
/// # Errors
/// Why it cannot be read.
pub fn read_collection<G: GameSpec>(bytes: &[u8], name: &str) -> Result<Vec<G::Level>, Vec<Fault>> {
    match formats::read::<G>(bytes, name) {
        Some(levels) => levels,
        None => read_own::<G>(bytes).map(|level| vec![level]).map_err(|fault| vec![fault]),
    }
}

/// Reads a level file in the game's own format.
fn read_own<G: GameSpec>(bytes: &[u8]) -> Result<G::Level, Fault> {
    let format = own_format(bytes);
    if let Some(newer) = format.as_deref().and_then(|found| newer_format(found, G::INFO.format)) {
        return Err(newer);
    }
    read_ron(bytes).map_err(|fault| match (format, fault.spot) {
        (None, Spot::Text { .. }) => Fault::whole(format!(
            "this is not a level file: a level file begins with (format: \"{}\", ...; in another \
             format its name must end in {}",
            G::INFO.format,
            formats::endings::<G>().join(", ")
        )),
        _ => fault,
    })
}

/// Reads a replay, which [`Replay::play`] then judges.
///
/// # Errors
/// Why it cannot be read; a later version of the format is named before its unknown fields.
pub fn read_replay<G: GameSpec>(bytes: &[u8]) -> Result<Replay<G>, Fault> {
    match own_format(bytes).and_then(|found| newer_format(&found, REPLAY_FORMAT)) {
        Some(newer) => Err(newer),
        None => read_ron(bytes),
    }
}

/// The fault of a file in a later version of the format `known`, as `cops 2` is of `cops 1`. This
/// program need not know its fields.
pub(super) fn newer_format(found: &str, known: &str) -> Option<Fault> {
    let newer = newer_version(found, known)?;
    Some(Fault::whole(format!(
        "the format is '{newer}', of a newer version of Outwit; this program reads '{known}'"
    )))
}

/// How many titles the message about a file with several levels lists.
const LISTED: usize = 12;

/// Reads a level in any format that the game knows; whether it can be played is not looked at.
///
/// # Errors
/// Why it cannot be read, or that the file holds more than one level.
pub fn read_any<G: GameSpec>(bytes: &[u8], name: &str) -> Result<G::Level, Vec<Fault>> {
    let mut levels = read_collection::<G>(bytes, name)?;
    if levels.len() == 1 {
        return Ok(levels.remove(0));
    }
    let titles = levels.iter().zip(1..).take(LISTED);
    let mut titles: Vec<_> = titles.map(|(l, number)| format!("#{number} {}", l.name)).collect();
    if levels.len() > LISTED {
        titles.push("...".into());
    }
    let what = format!(
        "this file holds {} levels: choose one by adding its number to the file's name, such as \
         {name}#1, or import them all; {}",
        levels.len(),
        titles.join(", ")
    );
    Err(vec![Fault::whole(what)])
}

/// Reads a level in any format that the game knows, and checks it.
///
/// # Errors
/// Every fault.
pub fn read_level<G: GameSpec>(bytes: &[u8], name: &str) -> Result<G::Level, Vec<Fault>> {
    let level = read_any::<G>(bytes, name)?;
    let faults = level_faults::<G>(&level);
    if faults.is_empty() { Ok(level) } else { Err(faults) }
}

/// Every fault of a level. A game may rely on it that its rules are in their ranges and its map is
/// a rectangle: it is not asked about any other level.
pub(super) fn level_faults<G: GameSpec>(level: &G::Level) -> Vec<Fault> {
    let mut faults = level.general_faults(G::INFO.format);
    if level.rules.faults().is_empty() && level.shape_faults().is_empty() {
        faults.extend((G::MAPS.faults)(level));
    }
    faults
}

/// Reads a level and sets rules, each as `KEY` and the text of its value.
///
/// # Errors
/// Every fault of the level, before or after.
pub fn read_level_with<G: GameSpec>(
    bytes: &[u8],
    name: &str,
    sets: &[(String, String)],
) -> Result<G::Level, Vec<Fault>> {
    set_rules::<G>(read_level::<G>(bytes, name)?, sets)
}

/// The level with rules set.
pub(super) fn set_rules<G: GameSpec>(
    mut level: G::Level,
    sets: &[(String, String)],
) -> Result<G::Level, Vec<Fault>> {
    for (key, value) in sets {
        level.rules.set(key, value).map_err(|why| vec![Fault::whole(why)])?;
    }
    let faults = level_faults::<G>(&level);
    if faults.is_empty() { Ok(level) } else { Err(faults) }
}

/// The match of a replay file, or a match on a level before its first turn.
pub(super) fn match_of<G: GameSpec>(
    bytes: &[u8],
    name: &str,
    seed: u64,
) -> Result<Match<G>, Vec<Fault>> {
    let whole = |why: String| vec![Fault::whole(why)];
    if replay_game(bytes).is_some() {
        let replay = read_replay::<G>(bytes).map_err(|fault| vec![fault])?;
        return replay.play().map_err(|error| whole(error.to_string()));
    }
    let level = read_level::<G>(bytes, name)?;
    let seats = *G::SEATS.allowed.start();
    G::new(&level, seats)
        .and_then(|game| Match::new(Arc::new(game), seed))
        .map_err(|error| whole(error.to_string()))
}

/// The match that moves in the game's notation make of a level. They are those of one seat.
pub(super) fn play_moves<G: GameSpec>(
    level: &G::Level,
    moves: &str,
) -> Result<PlayedMoves, String> {
    let game = G::new(level, *G::SEATS.allowed.start()).map_err(|why| why.to_string())?;
    let mut played = Match::new(Arc::new(game), 0).map_err(|why| why.to_string())?;
    let notation =
        G::NOTATION.ok_or_else(|| format!("{} has no notation of moves", G::INFO.name))?;
    for action in (notation.read)(played.game(), played.state(), moves)? {
        let seats = played.to_move();
        let [seat] = seats[..] else { return Err("a turn needs one action of one seat".into()) };
        played.advance(vec![(seat, action)])?;
    }
    let outcome = played.outcome();
    let is_solved = outcome.is_some()
        && (0..played.game().seats())
            .any(|seat| !(G::TABLES.results)(&played, Seat(seat as u8)).is_empty());
    Ok(PlayedMoves { turns: played.len(), outcome, is_solved })
}

/// The seat and the planner that the options mean, among the seats that are to move.
pub(super) fn thinker<G: GameSpec>(
    to_move: &[Seat],
    turn: usize,
    options: &AnalyseOptions,
) -> Result<(Seat, &'static PlannerSpec<G>), String> {
    let ids = || to_move.iter().map(|&seat| G::SEATS.id(seat)).collect::<Vec<_>>().join(", ");
    let seats: Vec<Seat> = match &options.seat {
        None => to_move.to_vec(),
        Some(id) => to_move.iter().copied().filter(|&seat| G::SEATS.id(seat) == *id).collect(),
    };
    if to_move.is_empty() {
        return Err(format!("nobody chooses at turn {turn}; take another turn"));
    }
    if let (true, Some(id)) = (seats.is_empty(), &options.seat) {
        return Err(format!("{id} does not choose at turn {turn}; choose from {}", ids()));
    }
    let fits = |name: &str| {
        seats.iter().find_map(|&s| Some((s, find_planner(G::planners(), name, s).ok()?)))
    };
    match &options.planner {
        Some(name) => fits(name).ok_or_else(|| {
            let names: Vec<_> = G::planners()
                .iter()
                .filter(|spec| seats.iter().any(|&seat| (spec.seats)(seat)))
                .map(|spec| spec.name)
                .collect();
            format!("no planner '{name}' for {}; choose from {}", ids(), names.join(", "))
        }),
        None => G::planners()
            .iter()
            .rev()
            .find_map(|spec| fits(spec.name))
            .ok_or_else(|| format!("no planner plays {}", ids())),
    }
}

/// The id of the game that a replay says it is of, however faulty the rest of it is.
pub fn replay_game(bytes: &[u8]) -> Option<String> {
    text_field(bytes, "game")
}

/// The `format` field of one of our own level files, if the bytes are one, however faulty.
pub(super) fn own_format(bytes: &[u8]) -> Option<String> {
    text_field(bytes, "format")
}

/// The first text that stands behind `name:`.
fn text_field(bytes: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    text.match_indices(name).find_map(|(at, _)| {
        let after = text[at + name.len()..].trim_start().strip_prefix(':')?;
        let quoted = after.trim_start().strip_prefix('"')?;
        Some(quoted.split_once('"')?.0.to_owned())
    })
}
