//! Means with intervals, and quantiles.

use serde::Serialize;
use std::cmp::Ordering;

/// A mean and how far it may be off.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Estimate {
    /// How many independent values it rests on: games, or openings of which each game is a part.
    pub games: usize,
    /// The mean; `None` without values.
    pub mean: Option<f64>,
    /// Half the width of the 95 % confidence interval by Student's t; `None` with fewer than two
    /// values, or if all games were equal.
    pub ci95: Option<f64>,
    /// Whether all games were equal, so that together they say no more than one game.
    pub all_equal: bool,
}

impl Estimate {
    /// Mean and confidence interval of independent values.
    pub fn of(values: &[f64]) -> Self {
        let games = values.len();
        let n = games as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self {
            games,
            mean: (games > 0).then_some(mean),
            ci95: (games > 1).then(|| student_t(games - 1) * (squares / (n - 1.0) / n).sqrt()),
            all_equal: false,
        }
    }

    /// How many more values like these narrow the interval to `margin` on either side, judged by their
    /// variance; `None` with fewer than two values, and if nobody could play so many games.
    pub fn more_games(&self, margin: f64) -> Option<u64> {
        const MOST: usize = i32::MAX as usize;
        let ci95 = self.ci95?;
        let half_width = |games: usize| student_t(games - 1) / (games as f64).sqrt();
        let is_wide = |games: usize| ci95 * half_width(games) / half_width(self.games) > margin;
        let mut few = self.games;
        let mut enough = MOST;
        if margin.is_nan() || is_wide(enough) {
            return None;
        }
        if !is_wide(few) {
            return Some(0);
        }
        while enough - few > 1 {
            let middle = few + (enough - few) / 2;
            let side = if is_wide(middle) { &mut few } else { &mut enough };
            *side = middle;
        }
        Some((enough - self.games) as u64)
    }

    /// The largest round number that is at most half of [`ci95`](Self::ci95): 1, 2 or 5 times a power
    /// of ten.
    pub fn next_margin(&self) -> Option<f64> {
        let half = self.ci95.filter(|ci95| *ci95 > 0.0)? / 2.0;
        // Written and read, so that it is 0.1 and not 0.1 and something.
        let power = half.log10().floor();
        [5, 2, 1]
            .into_iter()
            .find_map(|digit| format!("{digit}e{power}").parse().ok().filter(|it| *it <= half))
    }

    /// Mean of all values and its interval, where only values of different groups (clusters) are independent: the
    /// variance is that of the groups' sums.
    pub fn of_groups(groups: &[Vec<f64>]) -> Self {
        let games = groups.len();
        let values = groups.iter().map(Vec::len).sum::<usize>() as f64;
        let mean = groups.iter().flatten().sum::<f64>() / values;
        let sum = |group: &Vec<f64>| group.iter().map(|value| value - mean).sum::<f64>();
        let squares: f64 = groups.iter().map(|group| sum(group).powi(2)).sum();
        let n = games as f64;
        Self {
            games,
            mean: (values > 0.0).then_some(mean),
            ci95: (games > 1)
                .then(|| student_t(games - 1) * (squares * n / (n - 1.0)).sqrt() / values),
            all_equal: false,
        }
    }

    /// The same for games that were all equal: without an interval.
    #[must_use]
    pub fn of_equal_games(self) -> Self {
        Self { ci95: None, all_equal: true, ..self }
    }

    /// The mean in one digit, where a few games differ so much that more would be made up: `200` for 196 ± 2376.
    pub fn rough(&self) -> Option<f64> {
        /// More games give an interval that can be read.
        const FEW: usize = 5;
        let mean = self.mean?;
        let ci95 = self.ci95?;
        let is_vague = self.games < FEW && ci95 > mean.abs() && mean.is_finite();
        is_vague.then(|| format!("{mean:.0e}").parse().unwrap_or(mean))
    }

    /// Whether the interval lies wholly above (`Greater`) or below (`Less`) nought.
    pub fn sign(&self) -> Option<std::cmp::Ordering> {
        let mean = self.mean?;
        let ci95 = self.ci95?;
        (mean.abs() > ci95).then(|| mean.total_cmp(&0.0))
    }
}

/// The 97.5 % quantile of Student's t distribution.
///
/// Tabulated up to 10 degrees of freedom, from there by the expansion of Abramowitz and Stegun,
/// 26.7.5, which is right to four digits.
pub fn student_t(freedom: usize) -> f64 {
    const TABLE: [f64; 10] =
        [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281];
    const Z: f64 = 1.959_963_984_540_054;
    match freedom {
        0 => f64::INFINITY,
        1..=10 => TABLE[freedom - 1],
        _ => {
            let n = freedom as f64;
            let z3 = Z.powi(3);
            let z5 = Z.powi(5);
            let z7 = Z.powi(7);
            Z + (z3 + Z) / (4.0 * n)
                + (5.0 * z5 + 16.0 * z3 + 3.0 * Z) / (96.0 * n * n)
                + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * Z) / (384.0 * n * n * n)
        }
    }
}

/// The value below which `share` of the values lie, which are put into another order. None may be NaN.
pub fn quantile<T: Copy + PartialOrd>(values: &mut [T], share: f64) -> Option<T> {
    let last = values.len().checked_sub(1)?;
    let at = (share * last as f64).round() as usize;
    Some(
        *values
            .select_nth_unstable_by(at.min(last), |a: &T, b: &T| {
                a.partial_cmp(b).unwrap_or(Ordering::Equal)
            })
            .1,
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn so_many_more_games_give_the_margin() {
        let values: Vec<f64> = (0..40).map(|n| f64::from(n * 7 % 11)).collect();
        let now = Estimate::of(&values);
        let ci95 = now.ci95.unwrap();
        assert_eq!((now.more_games(ci95), now.more_games(2.0 * ci95)), (Some(0), Some(0)));
        // A quarter of the margin takes sixteen times the games, a few less by Student's t.
        let more = now.more_games(ci95 / 4.0).unwrap();
        assert!((560..600).contains(&more), "{more}");
        // The very number: one game less does not do.
        let width = |games: u64| {
            let of = |games: u64| student_t(games as usize - 1) / (games as f64).sqrt();
            ci95 * of(games) / of(40)
        };
        assert!(width(40 + more) <= ci95 / 4.0 && width(39 + more) > ci95 / 4.0);
        for margin in [0.0, -1.0, f64::NAN, 1e-300] {
            assert_eq!(now.more_games(margin), None, "{margin}");
        }
        assert_eq!(Estimate::of(&[1.0]).more_games(1.0), None);
        assert_eq!(Estimate::of(&[1.0, 1.0]).more_games(0.5), Some(0));
    }

    #[test]
    fn margins_are_round() {
        for (ci95, wanted) in [(3.4, 1.0), (4.0, 2.0), (0.21, 0.1), (100.0, 50.0), (19.9, 5.0)] {
            let estimate =
                Estimate { games: 2, mean: Some(0.0), ci95: Some(ci95), all_equal: false };
            assert_eq!(estimate.next_margin(), Some(wanted), "{ci95}");
        }
        assert_eq!(Estimate::of(&[1.0, 1.0]).next_margin(), None);
    }
}
