//! Games of other programs as levels: a level keeps the position at the end of a game, a recording its moves.

use super::level::MnkFile;
use super::notation::line_of;
use super::opening_file::FoundOpening;
use super::piskvork::PiskvorkGame;
use super::renlib::{self, Library};
use super::rules::Mnk;
use super::{opening_file, piskvork, pos_file, sgf, sgf_match};
use outwit_core::levels::{Fault, decoded};
use outwit_core::play::MOST_VARIATIONS;
use outwit_kit::{ForeignFormats, Recorded, guessed_encoding, title_of};
use std::path::Path;

/// The extension of SGF files.
const SGF: &str = "sgf";

/// The extension of libraries of RenLib.
const LIB: &str = "lib";

/// The extension of games of renju in bytes.
const POS: &str = "pos";

/// What a recorded game is called.
const TITLE: &str = "Game";

/// The formats of Piskvork, SGF, and those of RenLib.
pub(super) const FORMATS: ForeignFormats<Mnk> = ForeignFormats {
    title: |_| None,
    endings: &["psq", "rec", SGF],
    imports: &[LIB, POS],
    content: "a game: of Piskvork, with a line such as 'Piskvorky 20x20, 0:0, 0' or the names of two players, then a \
              move x,y,milliseconds on each line, or in SGF, such as (;GM[4]SZ[15];B[hh];W[ii])",
    read,
    score,
    skipped,
    recorded,
    write: |level, ending| {
        Some(match ending {
            SGF => sgf::write(level),
            _ => piskvork::export(level, ending == "rec"),
        })
    },
    match_endings: &["psq", "rec", SGF],
    write_match: |record, ending| match ending {
        SGF => Ok(sgf_match::write(record)),
        _ => piskvork::write_match(record, ending == "rec"),
    },
};

/// The positions after the openings of a file, with the openings.
fn openings(text: &str, stem: &str) -> Result<Vec<(MnkFile, FoundOpening)>, Vec<Fault>> {
    let found = opening_file::parse(text).map_err(|fault| vec![fault])?;
    let count = found.len();
    found
        .into_iter()
        .zip(1..)
        .map(|(opening, number)| {
            let title = if count == 1 { stem.to_owned() } else { format!("{stem} {number}") };
            Ok((piskvork::level(&opening.game, &title)?, opening))
        })
        .collect()
}

/// Whether a file's extension is this one.
fn is_called(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

/// Gives the games of an SGF file that name themselves no other way a name after the file.
fn sgf_games(text: &str, stem: &str) -> Result<Vec<sgf::SgfGame>, Vec<Fault>> {
    let mut games = sgf::games(text).map_err(|fault| vec![fault])?;
    let count = games.len();
    for (game, number) in games.iter_mut().zip(1..) {
        if game.start.name.is_empty() {
            game.start.name = if count == 1 { stem.into() } else { format!("{stem} {number}") };
        }
    }
    Ok(games)
}

fn read(bytes: &[u8], name: &str) -> Option<Result<Vec<MnkFile>, Vec<Fault>>> {
    let stem = &title_of(name);
    let one = |game: &PiskvorkGame| piskvork::level(game, stem).map(|level| vec![level]);
    if renlib::is_library(bytes) || is_called(name, LIB) {
        let library = renlib::parse(bytes).map_err(|fault| vec![fault]);
        return Some(library.and_then(|library| one(&library.game())));
    }
    if is_called(name, POS) {
        let game = pos_file::parse(bytes).map_err(|fault| vec![fault]);
        return Some(game.and_then(|game| one(&game)));
    }
    let text = decoded(bytes)?;
    if sgf::is_sgf(&text) {
        let games = sgf_games(&text, stem);
        return Some(games.and_then(|games| games.iter().map(sgf::SgfGame::level).collect()));
    }
    if opening_file::is_openings(&text) {
        return Some(
            openings(&text, stem).map(|found| found.into_iter().map(|(level, _)| level).collect()),
        );
    }
    piskvork::parse(&text).map(|game| one(&game))
}

fn score(bytes: &[u8], ending: &str) -> f32 {
    let mut known = FORMATS.endings.iter().chain(FORMATS.imports);
    let is_named = known.any(|known| ending.eq_ignore_ascii_case(known));
    let holds_game = |text: &str| sgf::is_sgf(text) || is_named && piskvork::parse(text).is_some();
    let is_sure = bytes.starts_with(b"Piskvorky ")
        || renlib::is_library(bytes)
        || ending.eq_ignore_ascii_case(POS) && pos_file::parse(bytes).is_ok();
    let text = decoded(bytes);
    match is_sure || text.as_ref().is_some_and(|text| holds_game(text)) {
        true => 1.0,
        false if text.is_some_and(|text| opening_file::is_openings(&text)) => 0.9,
        // As of a level of Sokoban without any board: who names it so wants to know why.
        false if is_named => 0.6,
        false => 0.0,
    }
}

/// What a level does not keep of a game.
fn skipped(bytes: &[u8]) -> Vec<String> {
    if renlib::is_library(bytes) {
        let Ok(library) = renlib::parse(bytes) else { return Vec::new() };
        let mut said = comments(library.notes.len(), library.other_comments());
        said.extend(library.skipped());
        said.extend(variations(library.branches, 1));
        return said;
    }
    let Some(text) = decoded(bytes) else { return Vec::new() };
    if opening_file::is_openings(&text) {
        let side = opening_file::SIDE;
        return vec![format!(
            "the size of the board, which openings do not tell: {side} by {side} cells were chosen"
        )];
    }
    let games = if sgf::is_sgf(&text) { sgf::games(&text).unwrap_or_default() } else { Vec::new() };
    let mut said = comments(
        games.iter().map(|game| game.notes.len()).sum(),
        games.iter().map(|game| game.other_comments).sum(),
    );
    let unkept: std::collections::BTreeSet<&str> =
        games.iter().flat_map(|game| &game.unkept).map(String::as_str).collect();
    if !unkept.is_empty() {
        let names: Vec<&str> = unkept.into_iter().collect();
        said.push(format!("what it says behind {}", names.join(", ")));
    }
    said.extend(variations(games.iter().map(|game| game.branches).sum(), games.len()));
    let record = if games.is_empty() { piskvork::parse(&text) } else { None };
    let mut names =
        games.iter().flat_map(|game| &game.names).chain(record.iter().flat_map(|it| &it.names));
    if names.any(Option::is_some) {
        said.push("the names of its players, which outwit replay shows".into());
    }
    if record.is_some() {
        said.push("the times of its moves".into());
    }
    said.extend(guessed_encoding(bytes));
    said
}

/// What is said of so many comments on main lines and on others.
fn comments(main: usize, other: usize) -> Vec<String> {
    let mut said = Vec::new();
    match main {
        0 => {}
        1 => said.push("1 comment on the main line, which outwit replay shows".into()),
        _ => said.push(format!("{main} comments on the main line, which outwit replay shows")),
    }
    match other {
        0 => {}
        1 => said.push("1 comment on a variation".into()),
        _ => said.push(format!("{other} comments on variations")),
    }
    said
}

/// What is said of so many variations of so many games.
fn variations(count: usize, games: usize) -> Option<String> {
    let beside = if games == 1 { "beside the main line" } else { "beside the main lines" };
    match count {
        0 => None,
        1 => Some(format!("1 variation {beside}")),
        _ if games == 1 && count > MOST_VARIATIONS => Some(format!(
            "{count} variations {beside}, of which outwit replay shows {MOST_VARIATIONS}"
        )),
        _ => Some(format!("{count} variations {beside}")),
    }
}

/// The games of a file, each on the board where it began.
fn recorded(bytes: &[u8], name: &str) -> Vec<Recorded<Mnk>> {
    let stem = &title_of(name);
    if renlib::is_library(bytes) {
        return renlib::parse(bytes)
            .ok()
            .and_then(|library| of_library(library, stem))
            .into_iter()
            .collect();
    }
    if is_called(name, POS) {
        let game = pos_file::parse(bytes).ok().and_then(|game| of_game(game, stem));
        return game.into_iter().collect();
    }
    let Some(text) = decoded(bytes) else { return Vec::new() };
    if sgf::is_sgf(&text) {
        let games = sgf_games(&text, stem).unwrap_or_default().into_iter().zip(1..);
        let with_moves =
            games.filter(|(game, _)| !game.moves.is_empty() || !game.variations.is_empty());
        return with_moves
            .map(|(game, number)| Recorded {
                number,
                title: TITLE.into(),
                line: game.line,
                moves: game.notation(&game.moves),
                variations: game.variations.iter().map(|line| game.notation(line)).collect(),
                level: game.start,
                names: game.names.into(),
                notes: game.notes,
            })
            .collect();
    }
    if opening_file::is_openings(&text) {
        let found = openings(&text, stem).unwrap_or_default().into_iter().zip(1..);
        return found
            .filter_map(|((level, opening), number)| {
                let game = of_game(opening.game, &level.name)?;
                Some(Recorded { number, line: opening.line, title: "Opening".into(), ..game })
            })
            .collect();
    }
    let Some(game) = piskvork::parse(&text).filter(|game| !game.moves.is_empty()) else {
        return Vec::new();
    };
    let start = PiskvorkGame { moves: Vec::new(), ..game };
    let Ok(level) = piskvork::level(&start, stem) else { return Vec::new() };
    vec![Recorded {
        number: 1,
        title: TITLE.into(),
        line: 1,
        level,
        moves: text.into_owned(),
        variations: Vec::new(),
        names: start.names.into(),
        notes: Vec::new(),
    }]
}

/// The moves of a game, unless there are none.
fn of_game(game: PiskvorkGame, stem: &str) -> Option<Recorded<Mnk>> {
    if game.moves.is_empty() {
        return None;
    }
    let moves = line_of(&game.moves, game.height);
    Some(Recorded {
        number: 1,
        title: TITLE.into(),
        line: 1,
        level: piskvork::level(&PiskvorkGame { moves: Vec::new(), ..game }, stem).ok()?,
        moves,
        variations: Vec::new(),
        names: Vec::new(),
        notes: Vec::new(),
    })
}

/// The main line of a library with its variations, unless there are no moves.
fn of_library(library: Library, stem: &str) -> Option<Recorded<Mnk>> {
    let variations = library.variations.iter().map(|line| line_of(line, renlib::SIDE)).collect();
    let main = of_game(library.game(), stem)?;
    Some(Recorded { variations, notes: library.notes, ..main })
}
