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
    if let Some((row, column)) = saddle_point(matrix) {
        let value = matrix[row][column];
        let rows = pure(matrix.len(), row);
        let columns = pure(columns, column);
        return Stage { low: value, high: value, rows, columns };
    }
    let entries = matrix.iter().flatten().copied();
    let (least, most) = entries.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
    let range = most - least;
    let scaled: Vec<Vec<f64>> = matrix
        .iter()
        .map(|row| {
            let shares = row.iter().map(|entry| (entry - least) / range);
            shares.map(|share| 1.0 + (share * GRID).round() / GRID).collect()
        })
        .collect();
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

/// The bounds alone.
pub fn stage_bounds(matrix: &[Vec<f64>]) -> (f64, f64) {
    match saddle_point(matrix) {
        Some((row, column)) => (matrix[row][column], matrix[row][column]),
        None => {
            let Stage { low, high, .. } = solve_stage(matrix);
            (low, high)
        }
    }
}

/// A row and a column of which neither side gains by leaving it, so that nobody needs to mix.
fn saddle_point(matrix: &[Vec<f64>]) -> Option<(usize, usize)> {
    let least = |row: &Vec<f64>| row.iter().copied().fold(f64::MAX, f64::min);
    let (row, floor) = best(matrix.iter().map(least), |a, b| a > b)?;
    let columns = matrix.first().map_or(0, Vec::len);
    let most = |column| matrix.iter().map(|row| row[column]).fold(f64::MIN, f64::max);
    let (column, ceiling) = best((0..columns).map(most), |a, b| a < b)?;
    (ceiling <= floor).then_some((row, column))
}

/// The first of the values that no other is better than, and its place.
fn best(
    values: impl Iterator<Item = f64>,
    is_better: fn(f64, f64) -> bool,
) -> Option<(usize, f64)> {
    values.enumerate().reduce(|best, next| if is_better(next.1, best.1) { next } else { best })
}

/// The mixture of so many plans that always plays one.
fn pure(size: usize, at: usize) -> Vec<f64> {
    (0..size).map(|i| f64::from(i == at)).collect()
}

/// What these mixtures prove of the value, rounding included.
fn bounded(matrix: &[Vec<f64>], rows: Vec<f64>, columns: Vec<f64>) -> Stage {
    let most = matrix.iter().flatten().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    let of_columns = (0..columns.len())
        .map(|j| matrix.iter().zip(&rows).map(|(row, share)| row[j] * share).sum::<f64>());
    let low = of_columns.fold(f64::MAX, f64::min) - rounding(&rows) * most;
    let of_rows =
        matrix.iter().map(|row| row.iter().zip(&columns).map(|(v, share)| v * share).sum::<f64>());
    let high = of_rows.fold(f64::MIN, f64::max) + rounding(&columns) * most;
    Stage { low, high, rows, columns }
}

/// By how much rounding can spoil a mean with these shares, over the greatest entry.
fn rounding(shares: &[f64]) -> f64 {
    // Every product, every sum and the shares themselves are rounded; shares of 0 add no error.
    let terms = shares.iter().filter(|share| **share > 0.0).count() + 4;
    terms as f64 * f64::EPSILON
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
    let count = matrix.len();
    let columns = matrix.first().map_or(0, Vec::len);
    let width = columns + count + 1;
    let tiny = N::from(N::TINY);
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
        let leaves = (0..count)
            .filter(|&i| table[i][enters] > tiny)
            .map(|i| (i, table[i][width - 1] / table[i][enters]))
            .min_by(|&(a, first), &(b, second)| order(first, second).then(basis[a].cmp(&basis[b])));
        let Some((leaves, _)) = leaves else { break };
        let factor = table[leaves][enters];
        table[leaves].iter_mut().for_each(|entry| *entry = *entry / factor);
        let line = table[leaves].clone();
        for (i, row) in table.iter_mut().enumerate() {
            if i != leaves {
                reduce(row, &line, enters);
            }
        }
        reduce(&mut worth, &line, enters);
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

fn order<N: Number>(a: N, b: N) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Takes the pivot's row so often from another one that nothing of the entering variable is left there.
fn reduce<N: Number>(row: &mut [N], pivot: &[N], enters: usize) {
    let factor = row[enters];
    if factor != N::from(0.0) {
        row.iter_mut().zip(pivot).for_each(|(entry, &by)| *entry = *entry - factor * by);
    }
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
