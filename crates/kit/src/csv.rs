//! Tables as CSV (RFC 4180), the one place where its cells are written.
//!
//! Names and messages come from files and other programs, so their texts can neither steer a terminal
//! nor be taken for formulas by a spreadsheet.

use super::escape::{escaped, escaped_json};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The columns of a table of flat objects: the keys of all rows, each where it comes first.
pub fn columns(rows: &[Value]) -> Vec<&str> {
    let mut known = HashSet::new();
    let keys = rows.iter().filter_map(Value::as_object).flat_map(Map::keys).map(String::as_str);
    keys.filter(|key| known.insert(*key)).collect()
}

/// Rows of flat objects as CSV, with their [`columns`] as header. Lists are written as JSON text.
pub fn csv(rows: &[Value]) -> String {
    let columns = columns(rows);
    if columns.is_empty() {
        return String::new();
    }
    let line = |cells: Vec<String>| cells.join(",") + "\r\n";
    let mut text = line(columns.iter().map(|key| cell(key)).collect());
    for row in rows {
        text += &line(columns.iter().map(|key| value_cell(row.get(key))).collect());
    }
    text
}

fn value_cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => cell(text),
        Some(list @ (Value::Array(_) | Value::Object(_))) => {
            quoted(&escaped_json(&list.to_string()))
        }
        Some(plain) => plain.to_string(),
    }
}

/// A text as a cell. Control characters are escaped, and what a spreadsheet would take for a formula
/// begins with an apostrophe.
pub(crate) fn cell(text: &str) -> String {
    let text = escaped(text);
    let is_number = || text.parse::<f64>().is_ok_and(f64::is_finite);
    match text.starts_with(['=', '+', '-', '@']) && !is_number() {
        true => quoted(&format!("'{text}")),
        false => quoted(&text),
    }
}

/// The text in quotes if commas or quotes need them.
fn quoted(text: &str) -> String {
    match text.contains(['"', ',']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// A text as it comes back from a cell.
pub(crate) fn as_read(text: &str) -> String {
    let line = cell(text) + "\n";
    first_line(&line).and_then(|(cells, _)| cells.into_iter().next()).unwrap_or_default()
}

/// The cells of the first line of a text and what follows it; `None` if the line does not end.
pub(crate) fn first_line(text: &str) -> Option<(Vec<String>, &str)> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|&(_, next)| next);
        match letter {
            '"' if is_quoted && next == Some('"') => {
                letters.next();
                cells.last_mut()?.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            '\r' if !is_quoted && next == Some('\n') => {}
            '\n' if !is_quoted => return Some((cells, &text[at + 1..])),
            other => cells.last_mut()?.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_are_those_of_all_rows() {
        let rows = [json!({"a": 1, "b": 2}), json!({"b": 3, "c": -4.5, "a": null})];
        assert_eq!(columns(&rows), ["a", "b", "c"]);
        assert_eq!(csv(&rows), "a,b,c\r\n1,2,\r\n,3,-4.5\r\n");
        assert_eq!(csv(&[]), "");
    }

    #[test]
    fn lists_are_cells() {
        let rows = [json!({"actions": [{"seat": "x"}, 2], "n": 1})];
        assert_eq!(csv(&rows), "actions,n\r\n\"[{\"\"seat\"\":\"\"x\"\"},2]\",1\r\n");
    }

    #[test]
    fn no_text_is_a_formula_or_steers_a_terminal() {
        for (text, wanted) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
            ("+a,b", "\"'+a,b\""),
            ("-1.5", "-1.5"),
            ("+2", "+2"),
            ("-inf", "'-inf"),
            ("a-b", "a-b"),
            ("\u{1b}[2J\r\n=1", "\\u{1b}[2J\\r\\n=1"),
            ("\t=1", "\\t=1"),
        ] {
            assert_eq!(cell(text), wanted);
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        for texts in [vec!["a", "b"], vec!["", "", ""], vec!["a,b", "\"", "\"\"", "\u{e9},\"x\""]] {
            let line = texts.iter().map(|text| cell(text)).collect::<Vec<_>>().join(",");
            let cells = texts.iter().map(|&text| text.to_owned()).collect();
            let text = format!("{line}\nrest");
            assert_eq!(first_line(&text), Some((cells, "rest")));
            assert_eq!(first_line(&line), None);
        }
        assert_eq!(first_line("a\r\n"), Some((vec!["a".into()], "")));
        assert_eq!(as_read("=1, or\n"), "'=1, or\\n");
    }
}
