//! The planners that a person has beaten, and whom to meet next.

use outwit_core::play::{Place, Player};
use outwit_kit::{DynGame, PlannerInfo};
use std::collections::{BTreeMap, BTreeSet};

/// The names of the planners that were beaten, for each game by its id.
pub type BeatenRivals = BTreeMap<String, BTreeSet<String>>;

/// Rivals of a person in a championship.
pub const CHAMPIONSHIP_RIVALS: usize = 3;

/// Whether a game has what a championship needs: races of more than two.
pub fn has_championship(kind: &dyn DynGame) -> bool {
    *kind.facts().seats.allowed.end() > CHAMPIONSHIP_RIVALS
}

/// The planners that can take a seat.
pub fn fitting<'a>(
    kind: &dyn DynGame,
    planners: &'a [PlannerInfo],
    seat: usize,
) -> impl Iterator<Item = &'a PlannerInfo> {
    let name = kind.seat(seat).id;
    planners.iter().filter(move |planner| planner.seats.contains(&name))
}

/// The weakest planner for a seat that was not beaten yet; the strongest if all were. A person where no
/// planner can take the seat.
pub fn next_rival(kind: &dyn DynGame, seat: usize, beaten: &BeatenRivals) -> Player {
    let planners = kind.rivals();
    let rivals: Vec<&str> = fitting(kind, &planners, seat).map(|planner| planner.name).collect();
    let beaten = beaten.get(kind.id());
    let next = rivals
        .iter()
        .find(|name| !beaten.is_some_and(|beaten| beaten.contains(**name)))
        .or(rivals.last());
    next.map_or(Player::Human, |&name| name.into())
}

/// The players with whom somebody meets a game who has not chosen any yet.
pub fn first_players(kind: &dyn DynGame, beaten: &BeatenRivals) -> Vec<Player> {
    let players = kind.line_up(&[], None).into_iter().enumerate();
    players
        .map(|(seat, player)| match player {
            Player::Human => player,
            Player::Planner(_) => next_rival(kind, seat, beaten),
        })
        .collect()
}

/// Notes whom the only person of a match has beaten. Returns the names of those who were not beaten before,
/// and if there was one rival and it was beaten, its seat and who is to take it next.
pub fn note_result(
    kind: &dyn DynGame,
    players: &[Player],
    places: &[Place],
    beaten: &mut BeatenRivals,
) -> (Vec<String>, Option<(usize, Player)>) {
    let mut names = beaten_planners(kind, players, places);
    if names.is_empty() {
        return (names, None);
    }
    let known = beaten.entry(kind.id().to_owned()).or_default();
    names.retain(|name| known.insert(name.clone()));
    let mut rivals = (0..).zip(players).filter(|(_, player)| **player != Player::Human);
    let next = match (rivals.next(), rivals.next()) {
        (Some((seat, last)), None) => {
            let next = next_rival(kind, seat, beaten);
            (next != *last).then_some((seat, next))
        }
        _ => None,
    };
    (names, next)
}

/// The game's planners that come after the only person of a match in its result.
pub fn beaten_planners(kind: &dyn DynGame, players: &[Player], places: &[Place]) -> Vec<String> {
    let planners = kind.rivals();
    let mut names = beaten_in(players, places);
    // Another program may be anything.
    names.retain(|name| planners.iter().any(|planner| planner.name == name));
    names
}

/// The players that come after the only person of a match in its result.
fn beaten_in(players: &[Player], places: &[Place]) -> Vec<String> {
    let ranks = || players.iter().zip(places.iter().map(|place| place.rank));
    let mut people = ranks().filter(|(player, _)| **player == Player::Human);
    let (Some((_, own)), None) = (people.next(), people.next()) else { return Vec::new() };
    let behind = ranks().filter(|(player, rank)| **player != Player::Human && *rank > own);
    behind.map(|(player, _)| player.name().to_owned()).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_headless::{GAMES, find};

    #[test]
    fn the_first_rival_is_the_weakest_and_the_next_one_is_not_beaten_yet() {
        let kind = find("racetrack").unwrap();
        let planners = kind.rivals();
        let mut beaten = BeatenRivals::new();
        for planner in &planners {
            assert_eq!(next_rival(kind, 1, &beaten), planner.name.into());
            assert_eq!(first_players(kind, &beaten), [Player::Human, planner.name.into()]);
            beaten.entry("racetrack".into()).or_default().insert(planner.name.into());
        }
        assert_eq!(next_rival(kind, 1, &beaten), planners.last().unwrap().name.into());
        // What was beaten in one game says nothing of others.
        for &game in GAMES.iter().filter(|game| game.id() != "racetrack") {
            assert_eq!(first_players(game, &beaten), first_players(game, &BeatenRivals::new()));
        }
    }

    #[test]
    fn a_beaten_rival_is_noted_once_and_the_next_one_is_named() {
        let kind = find("racetrack").unwrap();
        let place = |rank| Place { rank, score: None, ending: String::new() };
        let mut beaten = BeatenRivals::new();
        let mut meet = |rival: &str, ranks: [u32; 2]| {
            let players = [Player::Human, rival.into()];
            note_result(kind, &players, &ranks.map(place), &mut beaten)
        };
        let names: Vec<_> = kind.rivals().iter().map(|planner| planner.name).collect();
        assert_eq!(meet(names[0], [2, 1]), (vec![], None), "a lost match");
        let next = |index: usize| Some((1, Player::from(names[index])));
        assert_eq!(meet(names[0], [1, 2]), (vec![names[0].into()], next(1)));
        assert_eq!(meet(names[0], [1, 2]), (vec![], next(1)), "beaten again");
        assert_eq!(meet(names[2], [1, 2]), (vec![names[2].into()], next(1)));
        assert_eq!(meet(names[1], [1, 2]), (vec![names[1].into()], next(3)));
        assert_eq!(meet("engine:/a/driver", [1, 2]), (vec![], None));
    }

    #[test]
    fn only_games_for_several_have_a_championship() {
        let with: Vec<_> = GAMES.iter().filter(|kind| has_championship(**kind)).collect();
        assert_eq!(with.iter().map(|kind| kind.id()).collect::<Vec<_>>(), ["racetrack"]);
    }

    #[test]
    fn only_who_comes_after_the_only_person_is_beaten() {
        let place = |&rank: &u32| Place { rank, score: None, ending: String::new() };
        let beaten = |names: &[&str], ranks: &[u32]| {
            let players: Vec<Player> = names.iter().map(|&name| name.into()).collect();
            beaten_in(&players, &ranks.iter().map(place).collect::<Vec<_>>())
        };
        assert_eq!(beaten(&["human", "novice", "ace"], &[2, 3, 1]), ["novice"]);
        assert_eq!(beaten(&["novice", "human"], &[1, 1]), [""; 0], "a draw");
        assert_eq!(beaten(&["human", "human", "novice"], &[1, 2, 3]), [""; 0], "two people");
        assert_eq!(beaten(&["human"], &[1]), [""; 0]);
    }
}
