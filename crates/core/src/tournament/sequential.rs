//! An anytime-valid sequential test: it may be looked at after every result.

use std::cmp::Ordering;

/// Whether the mean of results between 0 and 1 is above or below one half, decided as early as the results allow.
///
/// One gambler bets that the mean is above one half, another that it is below. If the mean is one half, neither can
/// expect to gain, whatever they bet on the next result, so by Ville's inequality the chance that one of them ever has
/// `1 / a` times its first capital is at most `a`. This holds for results of any distribution on any number of looks,
/// as long as the mean of each, given those before, is the same. The bets follow the mean and the variance so far:
/// I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting, 2023.
///
/// ```
/// use outwit_core::tournament::SequentialTest;
/// use std::cmp::Ordering;
///
/// let mut test = SequentialTest::default();
/// assert_eq!(test.verdict(0.05), None);
/// for _ in 0..20 {
///     test.add(0.9);
/// }
/// assert_eq!(test.verdict(0.05), Some(Ordering::Greater));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct SequentialTest {
    count: u32,
    sum: f64,
    squares: f64,
    /// The logarithms of what those have who bet on a mean above and below one half, of 1 in the beginning.
    above: f64,
    below: f64,
}

impl Default for SequentialTest {
    fn default() -> Self {
        Self { count: 0, sum: 0.0, squares: 0.0, above: 0.0, below: 0.0 }
    }
}

/// The largest bet: at 2 a single result could take all capital.
const LARGEST_BET: f64 = 1.9;

impl SequentialTest {
    /// Takes in a result. What is outside of 0 to 1 counts as the nearest end.
    pub fn add(&mut self, result: f64) {
        let result = result.clamp(0.0, 1.0);
        let bet = self.bet();
        let gain = result - 0.5;
        self.above += (bet.max(0.0) * gain).ln_1p();
        self.below += (bet.min(0.0) * gain).ln_1p();
        self.count += 1;
        self.sum += gain;
        self.squares += gain * gain;
    }

    /// The share of the capital for the next result, negative for a bet that it is below one half: what would have
    /// been best against the results so far, and as many as one that say nothing.
    fn bet(&self) -> f64 {
        let count = f64::from(self.count) + 1.0;
        let squares = (self.squares + 0.25) / count;
        (self.sum / count / squares).clamp(-LARGEST_BET, LARGEST_BET)
    }

    /// Results so far.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The mean of the results; one half without any.
    pub fn mean(&self) -> f64 {
        0.5 + self.sum / f64::from(self.count.max(1))
    }

    /// On which side of one half the mean is, as soon as that is known with this chance of an error; it is at most half
    /// of that on either side.
    pub fn verdict(&self, error: f64) -> Option<Ordering> {
        let enough = -(error / 2.0).ln();
        match (self.above >= enough, self.below >= enough) {
            (true, _) => Some(Ordering::Greater),
            (_, true) => Some(Ordering::Less),
            _ => None,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// How often each verdict is reached within so many results, and after how many on average.
    fn verdicts(mut draw: impl FnMut() -> f64, results: u32) -> (f64, f64, f64) {
        const RUNS: u32 = 2000;
        let (mut above, mut below, mut looks) = (0, 0, 0);
        for _ in 0..RUNS {
            let mut test = SequentialTest::default();
            while test.verdict(0.05).is_none() && test.count() < results {
                test.add(draw());
            }
            looks += test.count();
            match test.verdict(0.05) {
                Some(Ordering::Greater) => above += 1,
                Some(_) => below += 1,
                None => {}
            }
        }
        let share = |count: u32| f64::from(count) / f64::from(RUNS);
        (share(above), share(below), share(looks))
    }

    #[test]
    fn an_equal_player_is_seldom_called_better_or_worse() {
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        for games in [1, 22] {
            let block = || {
                let wins: u32 = (0..games).map(|_| u32::from(dice.random_bool(0.5))).sum();
                f64::from(wins) / f64::from(games)
            };
            let (above, below, _) = verdicts(block, 200);
            assert!(above <= 0.03 && below <= 0.03, "{games} games: {above} and {below}");
        }
        // A skewed one: seldom a great win, mostly a small loss.
        let skewed = || if dice.random_bool(0.1) { 1.0 } else { 0.5 - 0.05 / 0.9 };
        let (above, below, _) = verdicts(skewed, 200);
        assert!(above <= 0.03 && below <= 0.03, "{above} and {below}");
    }

    #[test]
    fn a_better_player_is_found_soon() {
        let mut dice = ChaCha8Rng::seed_from_u64(2);
        let mut block = |chance: f64| {
            let wins: u32 = (0..22).map(|_| u32::from(dice.random_bool(chance))).sum();
            f64::from(wins) / 22.0
        };
        let (above, below, looks) = verdicts(|| block(0.7), 100);
        assert!(above > 0.99 && below < 0.01 && looks < 20.0, "{above} {below} {looks}");
        let (above, below, looks) = verdicts(|| block(0.4), 100);
        assert!(below > 0.9 && above < 0.01 && looks < 50.0, "{above} {below} {looks}");
    }

    #[test]
    fn its_mean_is_that_of_the_results() {
        let mut test = SequentialTest::default();
        assert_eq!((test.count(), test.mean()), (0, 0.5));
        for result in [0.0, 1.0, 1.0, 7.0] {
            test.add(result);
        }
        assert_eq!((test.count(), test.mean()), (4, 0.75));
    }
}
