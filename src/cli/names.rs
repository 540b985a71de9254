//! Finds what a name means, and what was meant by one that means nothing.

use super::UsageError;
use crate::games::{DynGame, GAMES};
use crate::play::Player;

/// The game of this id.
pub fn game(id: &str) -> Result<&'static dyn DynGame, UsageError> {
    let kinds = || GAMES.iter().map(|game| game.kind);
    kinds().find(|kind| kind.id() == id).ok_or_else(|| {
        let ids: Vec<_> = kinds().map(DynGame::id).collect();
        UsageError(format!("there is no game '{id}'; {}", instead(id, &ids)))
    })
}

/// The game of this id, or all without one.
pub fn games(id: Option<&str>) -> Result<Vec<&'static dyn DynGame>, UsageError> {
    match id {
        Some(id) => Ok(vec![game(id)?]),
        None => Ok(GAMES.iter().map(|game| game.kind).collect()),
    }
}

/// Makes sure that the game has this planner, for the seat if one is named.
pub fn planner(kind: &dyn DynGame, name: &str, seat: Option<&str>) -> Result<(), UsageError> {
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
    Err(UsageError(format!("there is no planner '{name}'{place}; {}", instead(name, &names))))
}

/// Makes sure that every named seat is one of the game, is named once, and can have its player.
pub fn seats(kind: &dyn DynGame, named: &[(String, Player)]) -> Result<(), UsageError> {
    let names: Vec<_> = (0..*kind.seats_allowed().end()).map(|s| kind.seat(s).id).collect();
    for (index, (seat, player)) in named.iter().enumerate() {
        if !names.contains(seat) {
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            return Err(UsageError(format!(
                "there is no seat '{seat}'; {}",
                instead(seat, &names)
            )));
        }
        if named[..index].iter().any(|(other, _)| other == seat) {
            return Err(UsageError(format!("seat '{seat}' is given twice; name it once")));
        }
        if let Player::Planner(name) = player {
            planner(kind, name, Some(seat))?;
        }
    }
    Ok(())
}

/// `did you mean` the nearest name, or all there are.
pub fn instead(typed: &str, names: &[&str]) -> String {
    match nearest(typed, names) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("there are {}", names.join(", ")),
    }
}

/// The name that differs least from what was typed, if it differs little.
pub fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let slips = 1 + typed.chars().count() / 4;
    names
        .iter()
        .map(|name| (strsim::damerau_levenshtein(typed, name), *name))
        .filter(|(distance, _)| *distance <= slips)
        .min()
        .map(|(_, name)| name)
}
