//! Looks up names of games, planners and seats, and suggests the nearest for an unknown one.

use super::Failure;
use crate::GAMES;
use outwit_core::platform::program::ProgramCommand;
use outwit_core::play::{Player, ProgramKind, ProgramName};
use outwit_kit::{ComparisonError, DynGame, SearchName};

/// The game with this id.
pub fn game(id: &str) -> Result<&'static dyn DynGame, Failure> {
    let kinds = || GAMES.iter().copied();
    kinds().find(|kind| kind.id() == id).ok_or_else(|| {
        let ids: Vec<_> = kinds().map(|game| game.id()).collect();
        let hint = match id.split_once('/') {
            Some((game, level)) if ids.contains(&game) => {
                format!("write the level after the game: {game} {level}")
            }
            _ => suggest(id, &ids),
        };
        Failure::usage(format!("unknown game '{id}'; {hint}"))
    })
}

/// The game with this id; without an id, all games.
pub fn games(id: Option<&str>) -> Result<Vec<&'static dyn DynGame>, Failure> {
    match id {
        Some(id) => Ok(vec![game(id)?]),
        None => Ok(GAMES.to_vec()),
    }
}

/// Checks that the game has this planner, and that it can take the seat if one is given; for another
/// program, that the game has a protocol for it and its command can be run.
pub fn planner(kind: &dyn DynGame, name: &str, seat: Option<&str>) -> Result<(), Failure> {
    if let Some(program) = ProgramName::of(name) {
        return match kind.facts().engine_protocol {
            None if program.kind == ProgramKind::Engine => Err(Failure::usage(format!(
                "no engines can play {}: {name}; a program that speaks Outwit's protocol is program:COMMAND",
                kind.id()
            ))),
            _ => Ok(ProgramCommand::read(program.command)?.check()?),
        };
    }
    let planners = kind.planners();
    let names: Vec<_> = planners
        .iter()
        .filter(|planner| seat.is_none_or(|seat| planner.seats.iter().any(|own| own == seat)))
        .map(|planner| planner.name)
        .collect();
    if names.contains(&name) {
        return Ok(());
    }
    let place = seat.map(|seat| format!(" for {seat}")).unwrap_or_default();
    Err(Failure::usage(format!("unknown planner '{name}'{place}; {}", suggest(name, &names))))
}

/// Checks that the game has this search with its settings; returns the factor of the least cost that it promises.
pub fn search(kind: &dyn DynGame, name: &str) -> Result<Option<u32>, Failure> {
    kind.search_bound(name).map_err(|error| match error {
        ComparisonError::UnknownSearch { search, known } => {
            Failure::usage(format!("unknown search '{search}'; {}", suggest(&search, &known)))
        }
        error => error.into(),
    })
}

/// Checks what is to solve a level: a planner, or a search with settings.
pub fn solver(kind: &dyn DynGame, name: &str) -> Result<(), Failure> {
    let planner = SearchName::planner_of(name);
    match planner != name && kind.searches().contains(&planner) {
        true => search(kind, name).map(|_| ()),
        false => self::planner(kind, name, None),
    }
}

/// Checks a player of a match: a planner as [`planner`] does, or one whose strength is a number.
pub fn player(kind: &dyn DynGame, name: &str, seat: Option<&str>) -> Result<(), Failure> {
    match kind.facts().graded.map(|graded| graded.loss_of(name)) {
        Some(Ok(Some(_))) => Ok(()),
        Some(Err(why)) => Err(Failure::usage(why.0)),
        Some(Ok(None)) | None => planner(kind, name, seat),
    }
}

/// Checks that the game has each of these seats, that none is given twice, and that the players can
/// take them.
pub fn seats(kind: &dyn DynGame, named: &[(String, Player)]) -> Result<(), Failure> {
    let names: Vec<_> = (0..*kind.facts().seats.allowed.end()).map(|s| kind.seat(s).id).collect();
    for (index, (seat, player)) in named.iter().enumerate() {
        if !names.contains(seat) {
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            return Err(Failure::usage(format!(
                "unknown seat '{seat}'; {}",
                suggest(seat, &names)
            )));
        }
        if named[..index].iter().any(|(other, _)| other == seat) {
            return Err(Failure::usage(format!("seat '{seat}' is given twice")));
        }
        if let Player::Planner(name) = player {
            self::player(kind, name, Some(seat))?;
        }
    }
    Ok(())
}

/// Suggests the nearest name, or lists all names.
pub fn suggest(typed: &str, names: &[&str]) -> String {
    match nearest(typed, names) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("choose from {}", names.join(", ")),
    }
}

/// The name nearest to what was typed, if it is near enough to be a typo.
pub fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let typos = 1 + typed.chars().count() / 4;
    names
        .iter()
        .map(|name| (strsim::damerau_levenshtein(typed, name), *name))
        .filter(|(distance, _)| *distance <= typos)
        .min()
        .map(|(_, name)| name)
}
