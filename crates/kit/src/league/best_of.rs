//! The best of so many matches between the same players.

use outwit_core::play::Place;

/// The best of so many matches between the same players, who swap seats from match to match where the game
/// allows it.
#[derive(Clone, PartialEq, Debug)]
pub struct BestOf {
    players: Vec<String>,
    most: u32,
    first_seed: u64,
    swaps: bool,
    results: Vec<Option<usize>>,
}

/// What the matches so far add up to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Matches won, by players in the order of their first seats.
    pub wins: Vec<u32>,
    /// Matches without a winner.
    pub drawn: u32,
    /// Matches that are left at most; 0 once nobody can be caught any more.
    pub left: u32,
}

impl Tally {
    /// Who won the whole; `None` if nobody did, or it is not over.
    pub fn winner(&self) -> Option<usize> {
        let best = *self.wins.iter().max()?;
        let mut leaders = (0..self.wins.len()).filter(|&player| self.wins[player] == best);
        leaders.next().filter(|_| self.left == 0 && leaders.next().is_none())
    }
}

impl BestOf {
    /// The players by their seats in the first match; `swaps` says whether everybody can take every seat.
    pub fn new(players: Vec<String>, most: u32, first_seed: u64, swaps: bool) -> Self {
        Self { players, most, first_seed, swaps, results: Vec::new() }
    }

    /// The players by their seats in the first match.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Who of the players sits on each seat of a match, counted from 0.
    fn seating(&self, number: usize) -> impl Iterator<Item = usize> + use<> {
        let count = self.players.len();
        let shift = if self.swaps { number } else { 0 };
        (0..count).map(move |seat| (seat + shift) % count)
    }

    /// The players and the seed of the next match; `None` once it is decided.
    pub fn next(&self) -> Option<(Vec<String>, u64)> {
        let number = self.results.len();
        (self.tally().left > 0).then(|| {
            let players = self.seating(number).map(|player| self.players[player].clone());
            (players.collect(), self.first_seed.wrapping_add(number as u64))
        })
    }

    /// Enters how the next match ended, seat by seat.
    pub fn enter(&mut self, places: &[Place]) {
        let best = places.iter().map(|place| place.rank).min();
        let mut winners = self
            .seating(self.results.len())
            .zip(places)
            .filter(|(_, place)| Some(place.rank) == best)
            .map(|(player, _)| player);
        let winner = winners.next();
        let shared = winners.next().is_some();
        self.results.push(winner.filter(|_| !shared));
    }

    /// What the matches so far add up to.
    pub fn tally(&self) -> Tally {
        let mut wins = vec![0; self.players.len()];
        for &winner in self.results.iter().flatten() {
            wins[winner] += 1;
        }
        let drawn = self.results.iter().filter(|winner| winner.is_none()).count() as u32;
        let left = self.most.saturating_sub(self.results.len() as u32);
        let mut sorted = wins.clone();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        let lead = sorted.first().copied().unwrap_or(0) - sorted.get(1).copied().unwrap_or(0);
        Tally { wins, drawn, left: if lead > left { 0 } else { left } }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn places(ranks: &[u32]) -> Vec<Place> {
        let place = |&rank: &u32| Place { rank, score: None, ending: "ended".into() };
        ranks.iter().map(place).collect()
    }

    fn series(swaps: bool) -> BestOf {
        BestOf::new(vec!["a".into(), "b".into()], 5, 9, swaps)
    }

    #[test]
    fn seats_are_swapped_and_wins_follow_the_players() {
        let mut series = series(true);
        for (number, seats) in [["a", "b"], ["b", "a"], ["a", "b"]].iter().enumerate() {
            let (players, seed) = series.next().unwrap();
            assert_eq!((players, seed), (seats.map(String::from).to_vec(), 9 + number as u64));
            let ranks = if seats[0] == "a" { [1, 2] } else { [2, 1] };
            series.enter(&places(&ranks));
        }
        assert_eq!(series.tally(), Tally { wins: vec![3, 0], drawn: 0, left: 0 });
        assert_eq!((series.next(), series.tally().winner()), (None, Some(0)));
    }

    #[test]
    fn it_ends_as_soon_as_nobody_can_be_caught() {
        // Every course of five matches: won by the first seat, by the second, or drawn.
        for course in 0..3_u32.pow(5) {
            let mut series = series(false);
            let mut wins = [0_i64; 2];
            for number in 0..5 {
                let left = 5 - i64::from(number);
                let decided = (wins[0] - wins[1]).abs() > left;
                assert_eq!(series.next().is_none(), decided);
                if decided {
                    break;
                }
                let result = course / 3_u32.pow(number) % 3;
                series.enter(&places([[1, 2], [2, 1], [1, 1]][result as usize].as_slice()));
                if result < 2 {
                    wins[result as usize] += 1;
                }
            }
            let tally = series.tally();
            assert_eq!((series.next(), tally.left), (None, 0));
            let winner = (wins[0] != wins[1]).then(|| usize::from(wins[1] > wins[0]));
            assert_eq!(tally.winner(), winner);
        }
    }
}
