//! Rows of JSON objects as an aligned table.

use super::output::escaped;
use serde_json::Value;

/// A table with one column per key of the first row, line by line. Numbers are right-aligned, with two decimals.
pub fn table(rows: &[Value]) -> Vec<String> {
    let Some(Value::Object(first)) = rows.first() else { return Vec::new() };
    let keys: Vec<&String> = first.keys().collect();
    let mut cells: Vec<Vec<String>> =
        vec![keys.iter().map(|key| escaped(key).into_owned()).collect()];
    for row in rows {
        cells.push(keys.iter().map(|key| show(row.get(key.as_str()))).collect());
    }
    let widths: Vec<usize> = (0..keys.len())
        .map(|i| cells.iter().map(|row| row[i].chars().count()).max().unwrap_or(0))
        .collect();
    let numeric: Vec<bool> = keys
        .iter()
        .map(|key| rows.iter().all(|row| row.get(key.as_str()).is_none_or(|v| !v.is_string())))
        .collect();
    let line = |row: &Vec<String>| {
        let padded = row.iter().zip(&widths).zip(&numeric).map(|((cell, &width), &right)| {
            if right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    cells.iter().map(line).collect()
}

/// Lines as aligned columns. A column is right-aligned if its last line holds a number.
pub fn grid(lines: &[Vec<String>]) -> Vec<String> {
    let lines: Vec<Vec<String>> = lines
        .iter()
        .map(|line| line.iter().map(|text| escaped(text).into_owned()).collect())
        .collect();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|text| text.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| wide(column).unwrap_or(0)).collect();
    let figures = |text: &String| text.contains('±') || text == "-" || text.is_empty();
    let right: Vec<bool> = (0..columns)
        .map(|column| lines.last().and_then(|line| line.get(column)).is_some_and(figures))
        .collect();
    let line = |line: &Vec<String>| {
        let cells = line.iter().zip(&widths).zip(&right).map(|((text, &width), &right)| {
            if right { format!("{text:>width$}") } else { format!("{text:<width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect()
}

fn show(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "-".into(),
        // Escaped before widths are measured, so that no cell can move another.
        Some(Value::String(text)) => escaped(text).into_owned(),
        Some(Value::Number(number)) if number.is_f64() => {
            format!("{:.2}", number.as_f64().unwrap_or(f64::NAN))
        }
        Some(other) => other.to_string(),
    }
}
