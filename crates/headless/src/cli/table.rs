//! Rows of JSON objects as an aligned table.

use outwit_core::escape::escaped;
use outwit_kit::columns;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

/// A table with one column per key of any row, line by line. Numbers are right-aligned, with
/// [two decimals or more](decimal).
pub fn table(rows: &[Value]) -> Vec<String> {
    let keys = columns(rows);
    if keys.is_empty() {
        return Vec::new();
    }
    let mut cells: Vec<Vec<String>> =
        vec![keys.iter().map(|key| escaped(key).into_owned()).collect()];
    for row in rows {
        cells.push(keys.iter().map(|key| show(row.get(key))).collect());
    }
    let widths: Vec<usize> = (0..keys.len())
        .map(|i| cells.iter().map(|row| row[i].width()).max().unwrap_or(0))
        .collect();
    let numeric: Vec<bool> = keys
        .iter()
        .map(|key| rows.iter().all(|row| row.get(key).is_none_or(|v| !v.is_string())))
        .collect();
    cells
        .iter()
        .map(|row| {
            let padded = row
                .iter()
                .zip(&widths)
                .zip(&numeric)
                .map(|((cell, &width), &right)| aligned(cell, width, right));
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}

/// Lines as aligned columns. A column is right-aligned if its last line holds a number.
pub fn grid(lines: &[Vec<String>]) -> Vec<String> {
    let lines: Vec<Vec<String>> = lines
        .iter()
        .map(|line| line.iter().map(|text| escaped(text).into_owned()).collect())
        .collect();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|text| text.width()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| wide(column).unwrap_or(0)).collect();
    let right: Vec<bool> = (0..columns)
        .map(|column| {
            lines.last().and_then(|line| line.get(column)).is_some_and(|text| {
                text.contains('±')
                    || text.starts_with("about ")
                    || text.ends_with(" =")
                    || text == "-"
                    || text.is_empty()
            })
        })
        .collect();
    lines
        .iter()
        .map(|line| {
            let cells = line
                .iter()
                .zip(&widths)
                .zip(&right)
                .map(|((text, &width), &right)| aligned(text, width, right));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}

/// A number with two decimals, or below 0.1 with two significant digits.
pub fn decimal(value: f64) -> String {
    match value.abs() {
        size if (1e-5..0.1).contains(&size) => {
            let decimals = 1 + (-size.log10()).ceil() as usize;
            format!("{value:.decimals$}")
        }
        size if size > 0.0 && size < 1e-5 => format!("{value:.1e}"),
        _ => format!("{value:.2}"),
    }
}

/// A cell of a column that takes `width` columns of the terminal. `format!` panics with widths over
/// 65,535.
fn aligned(cell: &str, width: usize, right: bool) -> String {
    let blanks = " ".repeat(width.saturating_sub(cell.width()));
    if right { blanks + cell } else { cell.to_owned() + &blanks }
}

fn show(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "-".into(),
        // Escaped before widths are measured, so that no cell can move another.
        Some(Value::String(text)) => escaped(text).into_owned(),
        Some(Value::Number(number)) if number.is_f64() => {
            decimal(number.as_f64().unwrap_or(f64::NAN))
        }
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_of_any_width_are_aligned() {
        let long = "x".repeat(70_000);
        let rows = [
            json!({"name": long, "size": 1, "about": "a"}),
            json!({"name": "\u{1b}[2J\n\u{202e}", "size": 22, "about": "b"}),
            json!({"name": "迷路e\u{301}", "size": 333, "about": "c"}),
        ];
        let lines = table(&rows);
        let begins = |line: &String| line[..line.len() - 1].width();
        assert_eq!(lines.len(), 4);
        assert!(
            lines[1..].iter().all(|line| begins(line) == 70_000 + 2 + 4 + 2),
            "{:?}",
            &lines[2..]
        );
        assert!(lines[2].starts_with("\\u{1b}[2J\\n\\u{202e} "));
        let grid = grid(&[vec!["".into(), long.clone()], vec!["é".into(), "1±0".into()]]);
        assert_eq!(grid[1].width(), 1 + 2 + 70_000);
    }

    #[test]
    fn columns_that_the_first_row_lacks_are_shown() {
        let lines = table(&[json!({"a": 1}), json!({"a": 2, "b": "x"})]);
        assert_eq!(lines, ["a  b", "1  -", "2  x"]);
    }
}
