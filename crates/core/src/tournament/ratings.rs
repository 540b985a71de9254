//! One figure for each planner and seat, from who beat whom.

use super::{Contest, FinishedGame, Scoreboard};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How strong a planner is on a seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// The name of the seat.
    pub seat: String,
    /// The planner.
    pub planner: String,
    /// Its rating on the scale of Elo, where 400 points more mean ten wins to a loss; 1500 is the
    /// mean of all. One scale for all seats.
    pub rating: f64,
    /// Half the width of the 95 % interval of the rating, from the Fisher information.
    pub ci95: f64,
    /// Games that it rests on, one per opponent in it.
    pub games: usize,
}

/// What counts as a win in [`ratings`], for people.
pub const WHAT_WINS: &str = "a better rank than an opponent in the same game is a win, an equal rank \
                             is half a win; by how much does not count";

/// Points of a rating for a unit of strength.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// Ratings of planners whose strength does not change, by the model of Bradley and Terry (Biometrika
/// 39, 1952): the odds of a win are `exp(a - b)` for the strengths `a` and `b`.
///
/// The strengths of greatest likelihood are found by Newton's method (Hunter 2004 on when they
/// exist). So that they exist even for a planner that won or lost every game, each planner has one
/// drawn game more, against an opponent of mean strength. The intervals come from the inverse of the
/// Fisher information, for the distance from the mean of all planners. A draw counts as half a win,
/// see [`WHAT_WINS`]. Where all games of a combination were equal, one of them counts. With more than two seats, the pairs of a game are taken as independent, which
/// makes the intervals a little too narrow.
///
/// The result does not depend on the order of the games. Empty for games of a single seat.
pub fn ratings(board: &Scoreboard) -> Vec<Rating> {
    let contest = board.contest();
    if contest.seats.len() < 2 {
        return Vec::new();
    }
    let first: Vec<usize> = contest
        .seats
        .iter()
        .scan(0, |next, seat| {
            let first = *next;
            *next += seat.planners.len();
            Some(first)
        })
        .collect();
    let count = contest.seats.iter().map(|seat| seat.planners.len()).sum();
    let mut meetings = Vec::new();
    let rated = (0..contest.cells()).flat_map(|cell| {
        let most = if board.all_equal(cell) { 1 } else { usize::MAX };
        board.games(cell).take(most)
    });
    for game in rated {
        let Some(entrants) = entrants(contest, game) else { continue };
        for (seat, entrant) in entrants.iter().enumerate() {
            for (other, opponent) in entrants.iter().enumerate().skip(seat + 1) {
                let places = &game.outcome.places;
                let (Some(mine), Some(theirs)) = (places.get(seat), places.get(other)) else {
                    continue;
                };
                meetings.push(Meeting {
                    first: first[seat] + entrant,
                    second: first[other] + opponent,
                    advantage: None,
                    share: share_of(mine.rank.cmp(&theirs.rank)),
                });
            }
        }
    }
    let named = contest.seats.iter().flat_map(|seat| {
        seat.planners.iter().map(|planner| (seat.seat.clone(), planner.name().to_owned()))
    });
    let rated = player_ratings(count, &meetings);
    named
        .zip(rated)
        .map(|((seat, planner), PlayerRating { rating, ci95, games })| Rating {
            seat,
            planner,
            rating,
            ci95,
            games,
        })
        .collect()
}

/// What is won by a rank that compares like this with the opponent's, a lower one being better.
fn share_of(ranks: Ordering) -> f64 {
    match ranks {
        Ordering::Less => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 0.0,
    }
}

/// Which of its entrants plays each seat.
fn entrants(contest: &Contest, game: &FinishedGame) -> Option<Vec<usize>> {
    contest
        .seats
        .iter()
        .zip(&game.players)
        .map(|(seat, player)| seat.planners.iter().position(|planner| planner.name() == player))
        .collect()
}

/// A game between two players, of which one has an advantage, if one has.
#[derive(Clone, PartialEq, Debug)]
pub struct Meeting {
    /// The index of the one that has the advantage.
    pub first: usize,
    /// The index of the other.
    pub second: usize,
    /// The index of the advantage, such as that of a seat on a level.
    pub advantage: Option<usize>,
    /// What the first one won: 1 for a win, 0.5 for a draw.
    pub share: f64,
}

/// How strong a player is, whatever seats it took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PlayerRating {
    /// As [`Rating::rating`].
    pub rating: f64,
    /// As [`Rating::ci95`].
    pub ci95: f64,
    /// Games that it rests on, one per opponent in it.
    pub games: usize,
}

/// One rating for each of so many players, by the model of [`ratings`] with advantages: the odds of a win are
/// `exp(a + s - b)`, where `s` is the strength of the advantage that the first player has. Advantages are estimated
/// too, so a player that took the better seat more often gains nothing by that. Each is pulled to 0 by one drawn game.
pub fn player_ratings(players: usize, meetings: &[Meeting]) -> Vec<PlayerRating> {
    let advantages = meetings.iter().filter_map(|game| game.advantage).max().map_or(0, |at| at + 1);
    let mut results = Results::new(players, advantages);
    for game in meetings {
        results.add(game);
    }
    let strengths = results.strengths();
    let deviations = results.deviations(&strengths);
    let mean = strengths.iter().take(players).sum::<f64>() / players.max(1) as f64;
    let rated = strengths.iter().zip(deviations).zip(&results.games);
    rated
        .map(|((strength, deviation), games)| PlayerRating {
            rating: 1500.0 + POINTS * (strength - mean),
            ci95: 1.96 * POINTS * deviation,
            games: *games,
        })
        .collect()
}

/// Who met whom with which advantage, as indices of strengths.
type Pairing = (usize, usize, Option<usize>);

/// Who met whom how often, and won how much.
struct Results {
    /// The players come first among the strengths, then the advantages.
    players: usize,
    advantages: usize,
    /// Games of each pairing, and what its first player won of them.
    met: BTreeMap<Pairing, (f64, f64)>,
    games: Vec<usize>,
}

/// The drawn games against an opponent of mean strength that every player has more, and those without an effect of
/// every advantage.
const PRIOR_GAMES: f64 = 1.0;
/// Newton's method has long ended then.
const MOST_STEPS: usize = 100;

impl Results {
    fn new(players: usize, advantages: usize) -> Self {
        Self { players, advantages, met: BTreeMap::new(), games: vec![0; players] }
    }

    fn add(&mut self, game: &Meeting) {
        let advantage = game.advantage.map(|at| self.players + at);
        let met = self.met.entry((game.first, game.second, advantage)).or_default();
        *met = (met.0 + 1.0, met.1 + game.share);
        self.games[game.first] += 1;
        self.games[game.second] += 1;
    }

    /// Each pairing with its games, what was won of them, and by how much its first player is stronger.
    fn margins<'a>(
        &'a self,
        strengths: &'a [f64],
    ) -> impl Iterator<Item = (Pairing, f64, f64, f64)> + 'a {
        self.met.iter().map(|(&pairing, &(games, won))| {
            let (first, second, advantage) = pairing;
            let by = advantage.map_or(0.0, |at| strengths[at]);
            (pairing, games, won, strengths[first] + by - strengths[second])
        })
    }

    /// The derivative of the logarithm of the likelihood by each strength.
    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let prior = |strength: &f64| PRIOR_GAMES * (0.5 - chance(*strength));
        let mut gradient: Vec<f64> = strengths.iter().map(prior).collect();
        for ((first, second, advantage), games, won, margin) in self.margins(strengths) {
            let more = won - games * chance(margin);
            gradient[first] += more;
            gradient[second] -= more;
            advantage.into_iter().for_each(|at| gradient[at] += more);
        }
        gradient
    }

    /// The Fisher information: the second derivatives of the logarithm of the likelihood, negated.
    fn information(&self, strengths: &[f64]) -> Vec<Vec<f64>> {
        let slope = |x: f64| chance(x) * chance(-x);
        let count = strengths.len();
        let mut matrix = vec![vec![0.0; count]; count];
        for (at, strength) in strengths.iter().enumerate() {
            matrix[at][at] = PRIOR_GAMES * slope(*strength);
        }
        for ((first, second, advantage), games, _, margin) in self.margins(strengths) {
            let known = games * slope(margin);
            let signs = [(first, 1.0), (second, -1.0)].into_iter();
            let signs: Vec<(usize, f64)> = signs.chain(advantage.map(|at| (at, 1.0))).collect();
            for &(a, one) in &signs {
                for &(b, other) in &signs {
                    matrix[a][b] += one * other * known;
                }
            }
        }
        matrix
    }

    /// The logarithm of the likelihood.
    fn likelihood(&self, strengths: &[f64]) -> f64 {
        let met = self.margins(strengths);
        let met = met.map(|(_, games, won, margin)| won * margin - games * soft_sum(margin, 0.0));
        strengths
            .iter()
            .map(|strength| PRIOR_GAMES * (0.5 * strength - soft_sum(*strength, 0.0)))
            .sum::<f64>()
            + met.sum::<f64>()
    }

    /// The strengths of greatest likelihood.
    fn strengths(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.players + self.advantages];
        let mut best = self.likelihood(&strengths);
        for _ in 0..MOST_STEPS {
            let Some(step) = solve(self.information(&strengths), self.gradient(&strengths)) else {
                break;
            };
            // The likelihood is concave: a step that goes too far is shortened until it gains.
            let mut scale = 1.0;
            let next = loop {
                let moved: Vec<f64> =
                    strengths.iter().zip(&step).map(|(s, step)| s + scale * step).collect();
                if self.likelihood(&moved) >= best {
                    break Some(moved);
                }
                scale /= 2.0;
                if scale < 1e-9 {
                    break None;
                }
            };
            let Some(next) = next else { break };
            strengths = next;
            best = self.likelihood(&strengths);
            if step.iter().all(|step| step.abs() < 1e-10) {
                break;
            }
        }
        strengths
    }

    /// The standard error of each player's distance from the mean of all players.
    fn deviations(&self, strengths: &[f64]) -> Vec<f64> {
        let all = strengths.len();
        let count = self.players;
        let information = self.information(strengths);
        let deviation = |entrant: usize| {
            // The variance of the contrast c is c' I^-1 c.
            let mut contrast = vec![0.0; all];
            contrast[..count].fill(-1.0 / count as f64);
            contrast[entrant] += 1.0;
            let solved = solve(information.clone(), contrast.clone())?;
            let variance: f64 = solved.iter().zip(&contrast).map(|(x, c)| x * c).sum();
            Some(variance.max(0.0).sqrt())
        };
        (0..count).map(|entrant| deviation(entrant).unwrap_or(f64::INFINITY)).collect()
    }
}

/// The chance of a win for one that is stronger by `x`.
fn chance(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `ln(exp(a) + exp(b))` without overflow.
fn soft_sum(a: f64, b: f64) -> f64 {
    a.max(b) + (-(a - b).abs()).exp().ln_1p()
}

/// Solves a system of linear equations with a positive definite matrix, by Gauss's elimination; `None`
/// if it is singular.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let count = right.len();
    for column in 0..count {
        let pivot = matrix[column][column];
        if pivot.is_nan() || pivot <= 1e-300 {
            return None;
        }
        for row in column + 1..count {
            let factor = matrix[row][column] / pivot;
            if factor == 0.0 {
                continue;
            }
            let (above, below) = matrix.split_at_mut(row);
            for (value, upper) in below[0][column..].iter_mut().zip(&above[column][column..]) {
                *value -= factor * upper;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn meeting(first: usize, second: usize, advantage: Option<usize>, share: f64) -> Meeting {
        Meeting { first, second, advantage, share }
    }

    #[test]
    fn two_players_have_the_ratio_of_their_wins() {
        let mut results = Results::new(2, 0);
        for game in 0..4000 {
            results.add(&meeting(0, 1, None, if game % 4 == 0 { 0.0 } else { 1.0 }));
        }
        let strengths = results.strengths();
        // Three wins to a loss; the prior pulls by less than a thousandth.
        assert!((strengths[0] - strengths[1] - 3_f64.ln()).abs() < 1e-3, "{strengths:?}");
        // Of n games with chances p and q: the difference has the variance 1 / npq, and half of the
        // difference, which is the distance from the mean, a quarter of that.
        let expected = (1.0 / (4000.0 * 0.75 * 0.25_f64)).sqrt() / 2.0;
        assert!((results.deviations(&strengths)[0] / expected - 1.0).abs() < 1e-2);
    }

    #[test]
    fn who_took_the_better_seat_more_often_gains_nothing_by_that() {
        // Two equal players on a seat that wins three of four games, which one of them took nine times as often.
        let games = (0..4000).map(|game| {
            let (first, second) = if game % 10 == 0 { (1, 0) } else { (0, 1) };
            meeting(first, second, Some(0), if game / 10 % 4 == 0 { 0.0 } else { 1.0 })
        });
        let games: Vec<Meeting> = games.collect();
        let rated = player_ratings(2, &games);
        assert!((rated[0].rating - rated[1].rating).abs() < 5.0, "{rated:?}");
        let blind: Vec<Meeting> =
            games.into_iter().map(|game| Meeting { advantage: None, ..game }).collect();
        assert!(player_ratings(2, &blind)[0].rating > 1550.0);
        assert_eq!(rated[0].games, 4000);
    }

    proptest! {
        /// Nobody does better by another strength, whatever the results: a search by single steps,
        /// which shares nothing with Newton's method but the definition of the likelihood.
        #[test]
        fn no_other_strengths_are_likelier(
            games in prop::collection::vec((0_usize..5, 0_usize..5, 0_usize..3, 0_u8..3), 0..60),
            moves in prop::collection::vec((0_usize..7, -1.0_f64..1.0), 20),
        ) {
            let mut results = Results::new(5, 2);
            let games: Vec<Meeting> = games
                .into_iter()
                .filter(|(a, b, ..)| a != b)
                .map(|(a, b, at, result)| meeting(a, b, at.checked_sub(1), f64::from(result) / 2.0))
                .collect();
            games.iter().for_each(|game| results.add(game));
            let plain = |strengths: &[f64]| -> f64 {
                let drawn = |x: &f64| 0.5 * (chance(*x).ln() + chance(-x).ln());
                let prior: f64 = strengths.iter().map(drawn).sum();
                let likely = |game: &Meeting| {
                    let by = game.advantage.map_or(0.0, |at| strengths[5 + at]);
                    let p = chance(strengths[game.first] + by - strengths[game.second]);
                    game.share * p.ln() + (1.0 - game.share) * (1.0 - p).ln()
                };
                prior + games.iter().map(likely).sum::<f64>()
            };
            let strengths = results.strengths();
            let best = plain(&strengths);
            prop_assert!(best.is_finite());
            for (entrant, by) in moves {
                let mut other = strengths.clone();
                other[entrant] += by;
                prop_assert!(plain(&other) <= best + 1e-9);
            }
            prop_assert!(results.deviations(&strengths).iter().all(|d| d.is_finite()));
        }
    }
}
