//! Levels and replays from bytes.

use super::formats;
use super::maps::Recorded;
use super::spec::{AnalyseOptions, GameSpec, PlayedMoves, RecordedMatch};
use outwit_core::levels::{Fault, RuleSet, Spot, read_ron, to_ron};
use outwit_core::play::{
    CheckedLevel, Game, Match, PlannerSpec, Player, REPLAY_FORMAT, Replay, Seat, find_planner,
    newer_version,
};
use std::any::Any;
use std::sync::Arc;

/// A checked level of some game. Clones share it.
#[derive(Clone)]
pub struct AnyLevel(Arc<dyn Any + Send + Sync>);

impl AnyLevel {
    /// A level without its type.
    pub fn new<G: Game>(level: CheckedLevel<G>) -> Self {
        Self(Arc::new(level))
    }

    /// The level, if it is of this game.
    pub fn get<G: Game>(&self) -> Option<&CheckedLevel<G>> {
        self.0.downcast_ref()
    }
}

/// Problems of a level that something else was asked of, one a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct FaultyLevel(pub Vec<Fault>);

/// Reads the levels of a file in any format that the game knows; whether they can be played is not
/// looked at. Most formats hold one level.
///
/// # Errors
/// Why it cannot be read.
pub fn read_collection<G: GameSpec>(bytes: &[u8], name: &str) -> Result<Vec<G::Level>, Vec<Fault>> {
    match formats::read::<G>(bytes, name) {
        Some(levels) => levels,
        None => read_own::<G>(bytes, name).map(|level| vec![level]).map_err(|fault| vec![fault]),
    }
}

/// Reads a level file in the game's own format.
fn read_own<G: GameSpec>(bytes: &[u8], name: &str) -> Result<G::Level, Fault> {
    let format = own_format(bytes);
    if let Some(newer) = format.as_deref().and_then(|found| newer_format(found, G::INFO.format)) {
        return Err(newer);
    }
    read_ron(bytes).map_err(|fault| match (format, fault.spot) {
        (None, Spot::Text { .. }) if let Some(why) = formats::missing::<G>(bytes, name) => why,
        (None, Spot::Text { .. }) => Fault::whole(format!(
            "this is not a level file: a level file begins with (format: \"{}\", ...; in another \
             format its name must end in {}",
            G::INFO.format,
            [&formats::endings::<G>(), formats::imports::<G>()].concat().join(", ")
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
pub fn read_level<G: GameSpec>(bytes: &[u8], name: &str) -> Result<CheckedLevel<G>, Vec<Fault>> {
    CheckedLevel::new(read_any::<G>(bytes, name)?)
}

/// A level with rules changed, each given as its key and the text of its value.
///
/// # Errors
/// Every fault of the changed level.
pub fn with_rules<G: GameSpec>(
    level: CheckedLevel<G>,
    sets: &[(String, String)],
) -> Result<CheckedLevel<G>, Vec<Fault>> {
    if sets.is_empty() {
        return Ok(level);
    }
    let mut changed = level.into_inner();
    for (key, value) in sets {
        changed.rules.set(key, value).map_err(|why| vec![Fault::whole(why)])?;
    }
    CheckedLevel::new(changed)
}

/// The match of a replay file, or a match on a level before its first turn.
pub(super) fn match_of<G: GameSpec>(
    bytes: &[u8],
    name: &str,
    seed: u64,
) -> Result<Match<G>, Vec<Fault>> {
    if replay_game(bytes).is_some() {
        let replay = read_replay::<G>(bytes).map_err(|fault| vec![fault])?;
        return replay.play().map_err(|error| whole(error.to_string()));
    }
    match_on(&read_level::<G>(bytes, name)?, seed).map_err(whole)
}

/// A fault that is not of one place.
pub(super) fn whole(why: String) -> Vec<Fault> {
    vec![Fault::whole(why)]
}

/// A match on a level before its first turn, with as few seats as the game takes.
pub(super) fn match_on<G: GameSpec>(
    level: &CheckedLevel<G>,
    seed: u64,
) -> Result<Match<G>, String> {
    G::new(level, *G::SEATS.allowed.start())
        .and_then(|game| Match::new(Arc::new(game), seed))
        .map_err(|error| error.to_string())
}

/// What moves in the game's notation make of a level.
pub(super) fn play_moves<G: GameSpec>(
    level: &CheckedLevel<G>,
    moves: &str,
) -> Result<PlayedMoves, String> {
    let played = match_of_moves(level, moves)?;
    let is_solved = is_solved(&played);
    Ok(PlayedMoves { turns: played.len(), outcome: played.outcome(), is_solved })
}

/// The maximum number of turns in all matches that a file records.
const MOST_RECORDED: usize = 1_000_000;

/// The matches that a file of another program records.
pub(super) fn recorded_matches<G: GameSpec>(bytes: &[u8], name: &str) -> Vec<RecordedMatch> {
    let mut turns = 0;
    let mut replayed = |found: Recorded<G>| {
        let Recorded { level, moves, variations, names, notes, .. } = found;
        let level = CheckedLevel::new(level).map_err(|faults| FaultyLevel(faults).to_string())?;
        let mut played: Match<G> = match_on(&level, 0)?;
        // The main line comes last, since what is left for another line stays as a variation.
        for line in variations {
            if turns > MOST_RECORDED {
                break;
            }
            if play_on(&mut played, &line).is_err() {
                played.rewind(0);
            }
            turns += played.len();
            played.branch(0);
        }
        if turns > MOST_RECORDED {
            return Err(format!("not read: the file has more than {MOST_RECORDED} moves"));
        }
        play_on(&mut played, &moves)?;
        turns += played.len();
        let seats = vec![Player::Human.name().to_owned(); played.game().seats()];
        let names: Vec<Option<String>> =
            (0..seats.len()).map(|seat| names.get(seat).cloned().flatten()).collect();
        let replay = Replay::of(&played, seats).with_names(&names).with_notes(&notes);
        let text = to_ron(&replay).map_err(|error| error.to_string())?;
        Ok((text, is_solved(&played)))
    };
    let recorded = formats::recorded::<G>(bytes, name).into_iter();
    recorded
        .map(|found| {
            let Recorded { number, title, line, level, .. } = &found;
            let number = *number;
            let title = title.clone();
            let line = *line;
            let level = level.name.clone();
            let played: Result<_, String> = replayed(found);
            let is_solved = played.as_ref().is_ok_and(|(_, is_solved)| *is_solved);
            let replay = played.map(|(text, _)| text);
            RecordedMatch { number, level, title, line, replay, is_solved }
        })
        .collect()
}

/// Whether a match reached what has a record.
fn is_solved<G: GameSpec>(played: &Match<G>) -> bool {
    let mut seats = (0..played.game().seats()).map(|seat| Seat(seat as u8));
    played.outcome().is_some() && seats.any(|seat| !(G::TABLES.results)(played, seat).is_empty())
}

/// The seeds that are tried where the start of a match depends on chance.
const STARTS: u64 = 32;

/// The match that moves in the game's notation make of a level, whichever seat is to move. Where chance decides the
/// start, it is one from which the moves solve the level, if there is such a start.
fn match_of_moves<G: GameSpec>(level: &CheckedLevel<G>, moves: &str) -> Result<Match<G>, String> {
    let first = match_on(level, 0)?;
    let mut tried = vec![first.state().clone()];
    let usual = with_moves(first, moves);
    if usual.as_ref().is_ok_and(is_solved) {
        return usual;
    }
    for seed in 1..STARTS {
        let begun = match_on(level, seed)?;
        if tried.contains(begun.state()) {
            continue;
        }
        tried.push(begun.state().clone());
        if let Ok(played) = with_moves(begun, moves)
            && is_solved(&played)
        {
            return Ok(played);
        }
    }
    usual
}

/// The match after moves in the game's notation.
fn with_moves<G: GameSpec>(mut played: Match<G>, moves: &str) -> Result<Match<G>, String> {
    play_on(&mut played, moves)?;
    Ok(played)
}

/// Plays moves in the game's notation, whichever seat is to move.
fn play_on<G: GameSpec>(played: &mut Match<G>, moves: &str) -> Result<(), String> {
    let notation =
        G::NOTATION.ok_or_else(|| format!("{} has no notation of moves", G::INFO.name))?;
    for action in (notation.read)(played.game(), played.state(), moves)? {
        let seats = played.to_move();
        let [seat] = seats[..] else { return Err("a turn needs one action of one seat".into()) };
        played.advance(vec![(seat, action)])?;
    }
    Ok(())
}

/// The seat and the planner that the options mean, among the seats that are to move.
pub(super) fn thinker<G: GameSpec>(
    to_move: &[Seat],
    turn: usize,
    options: &AnalyseOptions,
) -> Result<(Seat, &'static PlannerSpec<G>), String> {
    let ids = to_move.iter().map(|&seat| G::SEATS.id(seat)).collect::<Vec<_>>().join(", ");
    let seats: Vec<Seat> = match &options.seat {
        None => to_move.to_vec(),
        Some(id) => to_move.iter().copied().filter(|&seat| G::SEATS.id(seat) == *id).collect(),
    };
    if to_move.is_empty() {
        return Err(format!("nobody chooses at turn {turn}; take another turn"));
    }
    if let (true, Some(id)) = (seats.is_empty(), &options.seat) {
        return Err(format!("{id} does not choose at turn {turn}; choose from {ids}"));
    }
    match &options.planner {
        Some(name) => seat_for::<G>(&seats, name).ok_or_else(|| {
            let names: Vec<_> = G::planners()
                .iter()
                .filter(|spec| seats.iter().any(|&seat| (spec.seats)(seat)))
                .map(|spec| spec.name)
                .collect();
            format!("no planner '{name}' for {ids}; choose from {}", names.join(", "))
        }),
        None => G::planners()
            .iter()
            .rev()
            .find_map(|spec| seat_for(&seats, spec.name))
            .ok_or_else(|| format!("no planner plays {ids}")),
    }
}

/// The first of the seats that a planner can take, and the planner.
fn seat_for<G: GameSpec>(seats: &[Seat], name: &str) -> Option<(Seat, &'static PlannerSpec<G>)> {
    seats.iter().find_map(|&seat| Some((seat, find_planner(G::planners(), name, seat).ok()?)))
}

/// The id of the game that a replay says it is of, however faulty the rest of it is.
pub fn replay_game(bytes: &[u8]) -> Option<String> {
    text_field(bytes, "game")
}

/// Whether the bytes say that they are a replay, of whichever version and however faulty.
pub fn is_replay(bytes: &[u8]) -> bool {
    let kind = REPLAY_FORMAT.split(' ').next();
    own_format(bytes).is_some_and(|found| found.split(' ').next() == kind)
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
