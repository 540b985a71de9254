//! A championship: several races of the same field, with points for each place.

use outwit_core::play::Place;
use std::cmp::Reverse;

/// What the places of a race are worth, the first one first.
pub const POINTS: [u32; 6] = [10, 6, 4, 3, 2, 1];

/// A championship of so many races.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Championship {
    players: Vec<String>,
    races: usize,
    /// The ranks of the players in each race so far, in their order.
    results: Vec<Vec<u32>>,
}

/// A line of the table of a championship.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// Who it is, as an index of the players.
    pub player: usize,
    /// The points of each race so far.
    pub races: Vec<u32>,
    /// All of them together.
    pub points: u32,
}

/// Results that no championship of these players can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("its results are impossible")]
pub struct ImpossibleResults;

impl Championship {
    /// A championship of these players over so many races.
    pub fn new(players: Vec<String>, races: usize) -> Self {
        Self { players, races, results: Vec::new() }
    }

    /// A championship of which some races are over; `results` has the ranks of the players in each of them, from
    /// 1, in their order.
    ///
    /// # Errors
    /// If a race has not a rank for each player, or there are more of them than there can be.
    pub fn resumed(
        players: Vec<String>,
        races: usize,
        results: Vec<Vec<u32>>,
    ) -> Result<Self, ImpossibleResults> {
        let are_races = results.iter().all(|ranks| {
            ranks.len() == players.len()
                && ranks.iter().all(|&rank| (1..=players.len()).contains(&(rank as usize)))
        });
        if results.len() > races || !are_races {
            return Err(ImpossibleResults);
        }
        Ok(Self { players, races, results })
    }

    /// The ranks of the players in each race so far, in their order.
    pub fn results(&self) -> &[Vec<u32>] {
        &self.results
    }

    /// The players, in the order in which results name them.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Races that are over.
    pub fn raced(&self) -> usize {
        self.results.len()
    }

    /// Number of races from the first to the last.
    pub fn races(&self) -> usize {
        self.races
    }

    /// Whether all races are over.
    pub fn is_over(&self) -> bool {
        self.results.len() >= self.races
    }

    /// Enters how the next race ended, seat by seat in the order of the players. More races than there are, or with
    /// another number of seats, are not entered.
    pub fn enter(&mut self, places: &[Place]) {
        if self.is_over() || places.len() != self.players.len() {
            return;
        }
        self.results.push(places.iter().map(|place| place.rank).collect());
    }

    /// The points of a rank, counted from 1. Whoever shares a rank has its points too.
    fn points(rank: u32) -> u32 {
        let at = rank.checked_sub(1).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| POINTS.get(at)).copied().unwrap_or(0)
    }

    /// The table, the best first. Among equals the one with more of the better places is ahead, then the one who
    /// was better in the last race, then the earlier of the players.
    pub fn table(&self) -> Vec<Ranking> {
        let mut table: Vec<Ranking> = (0..self.players.len())
            .map(|player| {
                let races: Vec<u32> =
                    self.results.iter().map(|ranks| Self::points(ranks[player])).collect();
                Ranking { player, points: races.iter().sum(), races }
            })
            .collect();
        table.sort_by_cached_key(|line| {
            let mut best_first = line.races.clone();
            best_first.sort_unstable_by(|a, b| b.cmp(a));
            (Reverse((line.points, best_first, line.races.last().copied())), line.player)
        });
        table
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn places(ranks: &[u32]) -> Vec<Place> {
        let place = |&rank: &u32| Place { rank, score: None, ending: "finished".into() };
        ranks.iter().map(place).collect()
    }

    fn names(championship: &Championship) -> Vec<(&str, u32)> {
        let name = |player: usize| championship.players()[player].as_str();
        championship.table().iter().map(|line| (name(line.player), line.points)).collect()
    }

    #[test]
    fn points_follow_the_players_over_the_races() {
        let mut championship = Championship::new(["a", "b", "c"].map(String::from).to_vec(), 3);
        championship.enter(&places(&[1, 3, 2]));
        assert_eq!(names(&championship), [("a", 10), ("c", 6), ("b", 4)]);
        championship.enter(&places(&[3, 1, 2]));
        assert_eq!(names(&championship), [("b", 14), ("a", 14), ("c", 12)]);
        assert!(!championship.is_over());
        championship.enter(&places(&[1, 2, 3]));
        assert!(championship.is_over());
        let before = championship.clone();
        championship.enter(&places(&[1, 2, 3]));
        assert_eq!(championship, before, "there is no fourth race");
    }

    #[test]
    fn every_course_gives_each_race_its_points_once() {
        // All orders of three cars in two races.
        let orders = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
        for first in orders {
            for second in orders {
                let mut race = Championship::new(["a", "b", "c"].map(String::from).to_vec(), 2);
                race.enter(&places(&first));
                race.enter(&places(&second));
                let table = race.table();
                assert_eq!(table.iter().map(|line| line.points).sum::<u32>(), 2 * (10 + 6 + 4));
                assert!(table.is_sorted_by(|a, b| a.points >= b.points));
            }
        }
    }

    #[test]
    fn what_was_raced_can_be_resumed() {
        let players = ["a", "b", "c"].map(String::from).to_vec();
        let mut championship = Championship::new(players.clone(), 3);
        championship.enter(&places(&[1, 3, 2]));
        championship.enter(&places(&[2, 1, 1]));
        let results = championship.results().to_vec();
        let resumed = Championship::resumed(players.clone(), 3, results);
        assert_eq!(resumed.as_ref(), Ok(&championship));
        for impossible in [
            vec![vec![1, 2]],
            vec![vec![1, 2, 3, 4]],
            vec![vec![0, 1, 2]],
            vec![vec![1, 2, 4]],
            vec![vec![1, 2, 3]; 4],
        ] {
            let resumed = Championship::resumed(players.clone(), 3, impossible.clone());
            assert_eq!(resumed, Err(ImpossibleResults), "{impossible:?}");
        }
    }

    #[test]
    fn shared_and_late_places_have_points_of_their_own() {
        let players = (0..8).map(|at| at.to_string()).collect();
        let mut championship = Championship::new(players, 1);
        championship.enter(&places(&[1, 1, 3, 4, 5, 6, 7, 8]));
        let points: Vec<u32> = championship.table().iter().map(|line| line.points).collect();
        assert_eq!(points, [10, 10, 4, 3, 2, 1, 0, 0]);
        let mut championship = Championship::new(vec!["a".into()], 1);
        championship.enter(&places(&[1, 2]));
        assert_eq!(championship.raced(), 0, "places of another race");
    }
}
