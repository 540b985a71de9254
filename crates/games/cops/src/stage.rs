//! Matrix games of one stage, solved as linear programmes.

/// The value of a matrix game between two bounds, and the mixtures that prove them.
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

/// Coefficients below this count as zero.
const TINY: f64 = 1e-12;

/// Solves a matrix game whose entries are not negative.
///
/// The simplex method (Dantzig 1951) maximises the sum of y under M y <= 1 and y >= 0, where M are the
/// entries raised by 1, so that the value is positive. The columns' mixture is y and the rows' is the dual
/// solution, both scaled to a sum of 1.
pub fn solve_stage(matrix: &[Vec<f64>]) -> Stage {
    let columns = matrix.first().map_or(0, Vec::len);
    let low = matrix.iter().map(|row| row.iter().copied().fold(f64::MAX, f64::min));
    let high = (0..columns).map(|j| matrix.iter().map(|row| row[j]).fold(0.0, f64::max));
    let alone = |size: usize, at: usize| (0..size).map(|i| f64::from(i == at)).collect::<Vec<_>>();
    // A saddle point needs no mixing.
    let (row, floor) = low.enumerate().fold((0, f64::MIN), |b, c| if c.1 > b.1 { c } else { b });
    let (column, ceiling) =
        high.enumerate().fold((0, f64::MAX), |b, c| if c.1 < b.1 { c } else { b });
    if ceiling <= floor {
        let (rows, columns) = (alone(matrix.len(), row), alone(columns, column));
        return Stage { low: floor, high: floor, rows, columns };
    }
    let (rows, columns) = programme(matrix, columns);
    bounded(matrix, rows, columns)
}

/// What these mixtures prove of the value, rounding included.
fn bounded(matrix: &[Vec<f64>], rows: Vec<f64>, columns: Vec<f64>) -> Stage {
    let most = matrix.iter().flatten().copied().fold(0.0, f64::max);
    let terms = (rows.len().max(columns.len()) + 4) as f64;
    let slack = terms * f64::EPSILON * most;
    let of_column =
        |j: usize| matrix.iter().zip(&rows).map(|(row, share)| row[j] * share).sum::<f64>();
    let of_row = |row: &Vec<f64>| row.iter().zip(&columns).map(|(v, share)| v * share).sum::<f64>();
    let low = (0..columns.len()).map(of_column).fold(f64::MAX, f64::min) - slack;
    let high = matrix.iter().map(of_row).fold(f64::MIN, f64::max) + slack;
    Stage { low, high, rows, columns }
}

/// Mixtures of rows and columns that are best but for rounding.
fn programme(matrix: &[Vec<f64>], columns: usize) -> (Vec<f64>, Vec<f64>) {
    let count = matrix.len();
    let width = columns + count + 1;
    // A row for each row of the matrix: its entries, its slack, and the right side.
    let mut table: Vec<Vec<f64>> = matrix
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let slack = (0..count).map(|other| f64::from(other == i));
            row.iter().map(|entry| entry + 1.0).chain(slack).chain([1.0]).collect()
        })
        .collect();
    // What one more of each variable is worth.
    let mut worth: Vec<f64> = (0..width).map(|j| f64::from(j < columns)).collect();
    worth[width - 1] = 0.0;
    let mut basis: Vec<usize> = (columns..columns + count).collect();
    for pivot in 0..MOST_PIVOTS {
        // The first one that helps never cycles (Bland 1977); at first the one that helps most is faster.
        let helps = (0..width - 1).filter(|&j| worth[j] > TINY);
        let enters = if pivot < MOST_PIVOTS / 2 {
            helps.max_by(|&a, &b| worth[a].total_cmp(&worth[b]))
        } else {
            helps.min()
        };
        let Some(enters) = enters else { break };
        let ratio = |i: usize| table[i][width - 1] / table[i][enters];
        let leaves = (0..count)
            .filter(|&i| table[i][enters] > TINY)
            .min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(basis[a].cmp(&basis[b])));
        let Some(leaves) = leaves else { break };
        let factor = table[leaves][enters];
        table[leaves].iter_mut().for_each(|entry| *entry /= factor);
        let line = table[leaves].clone();
        let reduce = |row: &mut Vec<f64>| {
            let factor = row[enters];
            if factor != 0.0 {
                row.iter_mut().zip(&line).for_each(|(entry, by)| *entry -= factor * by);
            }
        };
        table.iter_mut().enumerate().filter(|(i, _)| *i != leaves).for_each(|(_, row)| reduce(row));
        reduce(&mut worth);
        basis[leaves] = enters;
    }
    let mut y = vec![0.0; columns];
    for (&variable, row) in basis.iter().zip(&table) {
        if variable < columns {
            y[variable] = row[width - 1];
        }
    }
    let x = (0..count).map(|i| -worth[columns + i]).collect();
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn mixtures_of_known_games() {
        let stage = solve_stage(&[vec![0.0, 2.0], vec![2.0, 0.0]]);
        assert!(stage.low <= 1.0 && 1.0 <= stage.high && stage.high - stage.low < 1e-12);
        assert!((stage.rows[0] - 0.5).abs() < 1e-12);
        let stage = solve_stage(&[vec![3.0, 4.0], vec![1.0, 2.0]]);
        assert_eq!((stage.low, stage.high, stage.rows[0], stage.columns[0]), (3.0, 3.0, 1.0, 1.0));
    }

    proptest! {
        #[test]
        fn bounds_are_close_and_hold_for_both_sides(
            entries in prop::collection::vec(prop_oneof![0.0..100.0, Just(0.0), Just(7.0)], 5 * 25),
        ) {
            let matrix: Vec<Vec<f64>> = entries.chunks(25).map(<[f64]>::to_vec).collect();
            let stage = solve_stage(&matrix);
            prop_assert!(stage.low <= stage.high && stage.high - stage.low < 1e-9, "{stage:?}");
            let sums = [&stage.rows, &stage.columns].map(|mix| mix.iter().sum::<f64>());
            prop_assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-12));
        }
    }
}
