//! Matrix games of one stage, solved as linear programmes.

use super::double_double::DoubleDouble;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Sub};

/// The value of a matrix game between two bounds, and the mixtures (mixed strategies) that prove them.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// What the mixture of the rows guarantees.
    pub low: f64,
    /// What the mixture of the columns concedes at most.
    pub high: f64,
    /// The share of each row, which maximise.
    pub rows: Vec<f64>,
    /// The share of each column, which minimise.
    pub columns: Vec<f64>,
}

/// Pivots after which the programme is given up; the bounds hold all the same.
const MOST_PIVOTS: usize = 2000;

/// By how much the bounds may differ, as a share of the range of the entries, before the programme is
/// solved once more in more digits.
const CLOSE: f64 = 1e-11;

/// The programme's entries are multiples of 1 over this, so that entries that differ only by rounding
/// are equal.
const GRID: f64 = (1_u64 << 40) as f64;

/// Solves a matrix game.
///
/// The simplex method (Dantzig 1951) maximises the sum of y under M y <= 1 and y >= 0, where M are the
/// entries mapped to 1..=2, so that the value is positive. The columns' mixture is y and the rows' is the
/// dual solution, both scaled to a sum of 1.
///
/// Where rows or columns are nearly equal or nearly depend on others, the pivots are tiny and rounding
/// may spoil the mixtures. Then the programme is solved again in about 32 digits. The bounds hold in any
/// case: they are what the mixtures guarantee in the given matrix, rounding included.
pub fn solve_stage(matrix: &[Vec<f64>]) -> Stage {
    let columns = matrix.first().map_or(0, Vec::len);
    let low = matrix.iter().map(|row| row.iter().copied().fold(f64::MAX, f64::min));
    let high = (0..columns).map(|j| matrix.iter().map(|row| row[j]).fold(f64::MIN, f64::max));
    let alone = |size: usize, at: usize| (0..size).map(|i| f64::from(i == at)).collect::<Vec<_>>();
    // A saddle point needs no mixing.
    let (row, floor) = low.enumerate().fold((0, f64::MIN), |b, c| if c.1 > b.1 { c } else { b });
    let (column, ceiling) =
        high.enumerate().fold((0, f64::MAX), |b, c| if c.1 < b.1 { c } else { b });
    if ceiling <= floor {
        let (rows, columns) = (alone(matrix.len(), row), alone(columns, column));
        return Stage { low: floor, high: floor, rows, columns };
    }
    let entries = matrix.iter().flatten().copied();
    let (least, most) = entries.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
    let range = most - least;
    let scaled = |entry: &f64| 1.0 + ((entry - least) / range * GRID).round() / GRID;
    let scaled: Vec<Vec<f64>> = matrix.iter().map(|row| row.iter().map(scaled).collect()).collect();
    let (rows, columns) = programme::<f64>(&scaled);
    let stage = bounded(matrix, rows, columns);
    if stage.high - stage.low <= CLOSE * range {
        return stage;
    }
    let (rows, columns) = programme::<DoubleDouble>(&scaled);
    let again = bounded(matrix, rows, columns);
    let (low, rows) =
        if again.low > stage.low { (again.low, again.rows) } else { (stage.low, stage.rows) };
    let (high, columns) = if again.high < stage.high {
        (again.high, again.columns)
    } else {
        (stage.high, stage.columns)
    };
    Stage { low, high, rows, columns }
}

/// What these mixtures prove of the value, rounding included.
fn bounded(matrix: &[Vec<f64>], rows: Vec<f64>, columns: Vec<f64>) -> Stage {
    let most = matrix.iter().flatten().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    // Every product, every sum and the shares themselves are rounded; shares of 0 add no error.
    let slack = |shares: &[f64]| {
        let terms = shares.iter().filter(|share| **share > 0.0).count() + 4;
        terms as f64 * f64::EPSILON * most
    };
    let of_column =
        |j: usize| matrix.iter().zip(&rows).map(|(row, share)| row[j] * share).sum::<f64>();
    let of_row = |row: &Vec<f64>| row.iter().zip(&columns).map(|(v, share)| v * share).sum::<f64>();
    let low = (0..columns.len()).map(of_column).fold(f64::MAX, f64::min) - slack(&rows);
    let high = matrix.iter().map(of_row).fold(f64::MIN, f64::max) + slack(&columns);
    Stage { low, high, rows, columns }
}

/// A number that the programme can be solved in.
trait Number:
    Copy
    + PartialOrd
    + From<f64>
    + Into<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// Coefficients below this count as zero.
    const TINY: f64;
}

impl Number for f64 {
    const TINY: f64 = 1e-11;
}

impl Number for DoubleDouble {
    const TINY: f64 = 1e-16;
}

/// Mixtures of rows and columns that are best but for rounding.
fn programme<N: Number>(matrix: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let (count, columns) = (matrix.len(), matrix.first().map_or(0, Vec::len));
    let width = columns + count + 1;
    let (zero, tiny) = (N::from(0.0), N::from(N::TINY));
    let order = |a: N, b: N| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    // A row for each row of the matrix: its entries, its slack, and the right side.
    let mut table: Vec<Vec<N>> = matrix
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let slack = (0..count).map(|other| f64::from(other == i));
            row.iter().copied().chain(slack).chain([1.0]).map(N::from).collect()
        })
        .collect();
    // What one more of each variable is worth.
    let mut worth: Vec<N> = (0..width).map(|j| N::from(f64::from(j < columns))).collect();
    let mut basis: Vec<usize> = (columns..columns + count).collect();
    for pivot in 0..MOST_PIVOTS {
        // The first one that helps never cycles (Bland 1977); at first the one that helps most is faster.
        let helps = (0..width - 1).filter(|&j| worth[j] > tiny);
        let enters = if pivot < MOST_PIVOTS / 2 {
            helps.max_by(|&a, &b| order(worth[a], worth[b]))
        } else {
            helps.min()
        };
        let Some(enters) = enters else { break };
        let ratio = |i: usize| table[i][width - 1] / table[i][enters];
        let leaves = (0..count)
            .filter(|&i| table[i][enters] > tiny)
            .min_by(|&a, &b| order(ratio(a), ratio(b)).then(basis[a].cmp(&basis[b])));
        let Some(leaves) = leaves else { break };
        let factor = table[leaves][enters];
        table[leaves].iter_mut().for_each(|entry| *entry = *entry / factor);
        let line = table[leaves].clone();
        let reduce = |row: &mut Vec<N>| {
            let factor = row[enters];
            if factor != zero {
                row.iter_mut().zip(&line).for_each(|(entry, &by)| *entry = *entry - factor * by);
            }
        };
        table.iter_mut().enumerate().filter(|(i, _)| *i != leaves).for_each(|(_, row)| reduce(row));
        reduce(&mut worth);
        basis[leaves] = enters;
    }
    let mut y = vec![0.0; columns];
    for (&variable, row) in basis.iter().zip(&table) {
        if variable < columns {
            y[variable] = row[width - 1].into();
        }
    }
    let x = (0..count).map(|i| -Into::<f64>::into(worth[columns + i])).collect();
    (normalised(x), normalised(y))
}

/// Shares with a sum of 1; negative ones, which only rounding can bring, count as 0.
fn normalised(mut weights: Vec<f64>) -> Vec<f64> {
    weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
    let sum: f64 = weights.iter().sum();
    let size = weights.len().max(1) as f64;
    weights.iter_mut().for_each(|w| *w = if sum > 0.0 { *w / sum } else { 1.0 / size });
    weights
}

#[cfg(test)]
mod tests;
