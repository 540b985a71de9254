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
    /// Whether all games were equal, so that they say no more than one of them.
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

    /// Mean of all values and its interval, where only values of different groups are independent: the
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

    /// Whether the interval lies wholly above (`Greater`) or below (`Less`) nought.
    pub fn sign(&self) -> Option<std::cmp::Ordering> {
        let (mean, ci95) = (self.mean?, self.ci95?);
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
            let (z3, z5, z7) = (Z.powi(3), Z.powi(5), Z.powi(7));
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
    let order = |a: &T, b: &T| a.partial_cmp(b).unwrap_or(Ordering::Equal);
    Some(*values.select_nth_unstable_by(at.min(last), order).1)
}
