//! The bounds of matrix games against what the mixtures guarantee, in whole numbers.

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

/// Entries up to 2^50 in size, in which noise of a few units is rounding.
const UNIT: i64 = 1 << 43;

/// Matrices with rows and columns that repeat others or are means of others, each entry then moved by up to
/// 3 times `noise`.
fn near_ties() -> impl Strategy<Value = Vec<Vec<i64>>> {
    let entry = prop_oneof![0_i64..100, Just(0), Just(7), Just(8)];
    let line = || (0..4_u32, any::<prop::sample::Index>(), any::<prop::sample::Index>());
    (1_usize..6, 1_usize..26).prop_flat_map(move |(rows, columns)| {
        let entries = prop::collection::vec(entry.clone(), rows * columns);
        let lines = prop::collection::vec(line(), rows + columns);
        let noise = prop::collection::vec(-3_i64..=3, rows * columns);
        (Just(columns), entries, lines, noise, 0_u32..34).prop_map(
            |(columns, entries, lines, noise, size)| {
                let mut matrix: Vec<Vec<i64>> = entries
                    .chunks(columns)
                    .map(|row| row.iter().map(|v| v * UNIT).collect())
                    .collect();
                let count = matrix.len();
                for (i, (kind, one, other)) in lines.iter().enumerate() {
                    let mix = |a: i64, b: i64| if *kind == 0 { a } else { i64::midpoint(a, b) };
                    if *kind > 1 {
                        continue;
                    } else if i < count {
                        let (one, other) = (one.index(count), other.index(count));
                        matrix[i] =
                            (0..columns).map(|j| mix(matrix[one][j], matrix[other][j])).collect();
                    } else {
                        let (one, other) = (one.index(columns), other.index(columns));
                        for row in &mut matrix {
                            row[i - count] = mix(row[one], row[other]);
                        }
                    }
                }
                for (entry, noise) in matrix.iter_mut().flatten().zip(noise) {
                    *entry += noise << size;
                }
                matrix
            },
        )
    })
}

/// The shares in units of 2^-70, and their sum.
fn in_units(shares: &[f64]) -> (Vec<i128>, i128) {
    let units: Vec<i128> = shares.iter().map(|share| (share * 2_f64.powi(70)) as i128).collect();
    let sum = units.iter().sum();
    (units, sum)
}

/// Whether the bounds are no better than what the mixtures guarantee, but for one unit of the entries.
fn are_honest(stage: &Stage, matrix: &[Vec<i64>]) -> bool {
    let (rows, all_rows) = in_units(&stage.rows);
    let (columns, all_columns) = in_units(&stage.columns);
    let of_column = |j: usize| -> i128 {
        matrix.iter().zip(&rows).map(|(row, share)| i128::from(row[j]) * share).sum()
    };
    let of_row = |row: &Vec<i64>| -> i128 {
        row.iter().zip(&columns).map(|(&entry, share)| i128::from(entry) * share).sum()
    };
    (0..columns.len()).all(|j| of_column(j) >= stage.low.floor() as i128 * all_rows)
        && matrix.iter().all(|row| of_row(row) <= stage.high.ceil() as i128 * all_columns)
}

fn solved(matrix: &[Vec<i64>]) -> Stage {
    let matrix: Vec<Vec<f64>> =
        matrix.iter().map(|row| row.iter().map(|&entry| entry as f64).collect()).collect();
    solve_stage(&matrix)
}

/// The value of a game of two rows as a fraction: that of the pair of columns, or the column, which is
/// worst for the rows.
fn of_two_rows(matrix: &[Vec<i64>]) -> f64 {
    let column = |j: usize| (i128::from(matrix[0][j]), i128::from(matrix[1][j]));
    let count = matrix[0].len();
    let mut least = f64::MAX;
    for (a, c) in (0..count).map(column) {
        least = least.min(a.max(c) as f64);
        for (b, d) in (0..count).map(column) {
            // Mixed if each row is better in one of the two columns.
            if a > c && d > b && a > b && d > c {
                least = least.min((a * d - b * c) as f64 / (a + d - b - c) as f64);
            }
        }
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn bounds_are_close_and_honest_among_near_ties(matrix in near_ties()) {
        let stage = solved(&matrix);
        prop_assert!(stage.low <= stage.high);
        prop_assert!(stage.high - stage.low < 1e-10 * 100.0 * UNIT as f64, "{stage:?}");
        let sums = [&stage.rows, &stage.columns].map(|mix| mix.iter().sum::<f64>());
        prop_assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-12));
        prop_assert!(are_honest(&stage, &matrix), "{stage:?}");
    }

    #[test]
    fn games_of_two_rows_have_the_value_of_some_part(matrix in near_ties()) {
        prop_assume!(matrix.len() > 1);
        let value = of_two_rows(&matrix[..2]);
        let stage = solved(&matrix[..2]);
        let rounding = 1e-15 * value.abs();
        prop_assert!(stage.low <= value + rounding && value - rounding <= stage.high, "{stage:?}");
    }
}
