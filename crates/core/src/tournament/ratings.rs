//! One figure for each planner and seat, from who beat whom.

use super::{Contest, FinishedGame, Scoreboard};
use serde::Serialize;
use std::cmp::Ordering;

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
    let mut results = Results::new(count);
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
                results.add(
                    first[seat] + entrant,
                    first[other] + opponent,
                    mine.rank.cmp(&theirs.rank),
                );
            }
        }
    }
    let strengths = results.strengths();
    let deviations = results.deviations(&strengths);
    let mean = strengths.iter().sum::<f64>() / count.max(1) as f64;
    let named = contest.seats.iter().flat_map(|seat| {
        seat.planners.iter().map(|planner| (seat.seat.clone(), planner.name().to_owned()))
    });
    named
        .enumerate()
        .map(|(entrant, (seat, planner))| Rating {
            seat,
            planner,
            rating: 1500.0 + POINTS * (strengths[entrant] - mean),
            ci95: 1.96 * POINTS * deviations[entrant],
            games: results.games[entrant],
        })
        .collect()
}

/// Which of its entrants plays each seat.
fn entrants(contest: &Contest, game: &FinishedGame) -> Option<Vec<usize>> {
    let index = |(seat, player): (&super::Entrants, &String)| {
        seat.planners.iter().position(|planner| planner.name() == player)
    };
    contest.seats.iter().zip(&game.players).map(index).collect()
}

/// Who met whom how often, and won how much.
struct Results {
    /// Games of each pair, in both orders.
    met: Vec<Vec<f64>>,
    /// Wins of each entrant, draws being halves.
    won: Vec<f64>,
    games: Vec<usize>,
}

/// The drawn games against an opponent of mean strength that every entrant has more.
const PRIOR_GAMES: f64 = 1.0;
/// Newton's method has long ended then.
const MOST_STEPS: usize = 100;

impl Results {
    fn new(count: usize) -> Self {
        Self { met: vec![vec![0.0; count]; count], won: vec![0.0; count], games: vec![0; count] }
    }

    /// Takes in a game; `ranks` compares the rank of `a` with that of `b`, a lower one being better.
    fn add(&mut self, a: usize, b: usize, ranks: Ordering) {
        self.met[a][b] += 1.0;
        self.met[b][a] += 1.0;
        let share = match ranks {
            Ordering::Less => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Greater => 0.0,
        };
        self.won[a] += share;
        self.won[b] += 1.0 - share;
        self.games[a] += 1;
        self.games[b] += 1;
    }

    /// The derivative of the logarithm of the likelihood by each strength.
    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let entrant = |(a, mine): (usize, &f64)| {
            let expected: f64 = strengths
                .iter()
                .zip(&self.met[a])
                .map(|(theirs, games)| games * chance(mine - theirs))
                .sum();
            self.won[a] - expected + PRIOR_GAMES * (0.5 - chance(*mine))
        };
        strengths.iter().enumerate().map(entrant).collect()
    }

    /// The Fisher information: the second derivatives of the logarithm of the likelihood, negated.
    fn information(&self, strengths: &[f64]) -> Vec<Vec<f64>> {
        let slope = |x: f64| chance(x) * chance(-x);
        let count = strengths.len();
        let mut matrix = vec![vec![0.0; count]; count];
        for a in 0..count {
            matrix[a][a] += PRIOR_GAMES * slope(strengths[a]);
            for b in (0..count).filter(|&b| b != a) {
                let known = self.met[a][b] * slope(strengths[a] - strengths[b]);
                matrix[a][a] += known;
                matrix[a][b] -= known;
            }
        }
        matrix
    }

    /// The logarithm of the likelihood.
    fn likelihood(&self, strengths: &[f64]) -> f64 {
        let entrant = |(a, mine): (usize, &f64)| {
            let pairs: f64 = strengths
                .iter()
                .zip(&self.met[a])
                // Half of it from either side.
                .map(|(theirs, games)| 0.5 * games * soft_sum(*mine, *theirs))
                .sum();
            self.won[a] * mine - pairs + PRIOR_GAMES * (0.5 * mine - soft_sum(*mine, 0.0))
        };
        strengths.iter().enumerate().map(entrant).sum()
    }

    /// The strengths of greatest likelihood.
    fn strengths(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.won.len()];
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

    /// The standard error of each strength's distance from the mean of all.
    fn deviations(&self, strengths: &[f64]) -> Vec<f64> {
        let count = strengths.len();
        let information = self.information(strengths);
        let deviation = |entrant: usize| {
            // The variance of the contrast c is c' I^-1 c.
            let contrast: Vec<f64> = (0..count)
                .map(|other| f64::from(u8::from(other == entrant)) - 1.0 / count as f64)
                .collect();
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

    #[test]
    fn two_players_have_the_ratio_of_their_wins() {
        let mut results = Results::new(2);
        for game in 0..4000 {
            results.add(0, 1, if game % 4 == 0 { Ordering::Greater } else { Ordering::Less });
        }
        let strengths = results.strengths();
        // Three wins to a loss; the prior pulls by less than a thousandth.
        assert!((strengths[0] - strengths[1] - 3_f64.ln()).abs() < 1e-3, "{strengths:?}");
        // Of n games with chances p and q: the difference has the variance 1 / npq, and half of the
        // difference, which is the distance from the mean, a quarter of that.
        let expected = (1.0 / (4000.0 * 0.75 * 0.25_f64)).sqrt() / 2.0;
        assert!((results.deviations(&strengths)[0] / expected - 1.0).abs() < 1e-2);
    }

    proptest! {
        /// Nobody does better by another strength, whatever the results: a search by single steps,
        /// which shares nothing with Newton's method but the definition of the likelihood.
        #[test]
        fn no_other_strengths_are_likelier(
            games in prop::collection::vec((0_usize..5, 0_usize..5, 0_u8..3), 0..60),
            moves in prop::collection::vec((0_usize..5, -1.0_f64..1.0), 20),
        ) {
            let mut results = Results::new(5);
            for (a, b, result) in games {
                if a != b {
                    results.add(a, b, [Ordering::Less, Ordering::Equal, Ordering::Greater][result as usize]);
                }
            }
            let plain = |strengths: &[f64]| -> f64 {
                let mut sum = 0.0;
                for a in 0..5 {
                    sum += 0.5 * (chance(strengths[a]).ln() + chance(-strengths[a]).ln());
                    sum += results.won[a] * strengths[a];
                    for b in 0..a {
                        sum -= results.met[a][b] * (strengths[a].exp() + strengths[b].exp()).ln();
                    }
                }
                sum
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
