//! Tables as CSV (RFC 4180), the one place where its cells are written.
//!
//! Names and messages come from files and other programs, so their texts can neither steer a terminal
//! nor be taken for formulas by a spreadsheet. That reads semicolons instead of commas between cells where a comma
//! is part of numbers, and then knows nothing of quotes that begin after a comma: a cell may begin after each
//! semicolon of a text.

use outwit_core::escape::{escaped, escaped_json};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The columns of a table of flat objects: the keys of all rows, each where it comes first.
pub fn columns(rows: &[Value]) -> Vec<&str> {
    let mut known = HashSet::new();
    let keys = rows.iter().filter_map(Value::as_object).flat_map(Map::keys).map(String::as_str);
    keys.filter(|key| known.insert(*key)).collect()
}

/// A state as flat columns: the fields of its serialised form, nested ones with a dot between, numbers
/// of entries counted from 0. Lists of plain values stay whole.
pub fn flat_columns(state: &impl Serialize) -> Map<String, Value> {
    let mut columns = Map::new();
    flatten("state", document(state), &mut columns);
    columns
}

/// The value as a document, or as RON text if documents cannot hold it.
pub fn document(value: &impl Serialize) -> Value {
    serde_json::to_value(value)
        .unwrap_or_else(|_| Value::String(ron::to_string(value).unwrap_or_default()))
}

fn flatten(name: &str, value: Value, columns: &mut Map<String, Value>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                flatten(&format!("{name}.{field}"), value, columns);
            }
        }
        Value::Array(list) if list.iter().any(Value::is_object) => {
            for (index, value) in list.into_iter().enumerate() {
                flatten(&format!("{name}.{index}"), value, columns);
            }
        }
        plain => {
            columns.insert(name.to_owned(), plain);
        }
    }
}

/// Rows of flat objects as CSV, with their [`columns`] as header. Lists are written as JSON text.
pub fn csv(rows: &[Value]) -> String {
    let columns = columns(rows);
    if columns.is_empty() {
        return String::new();
    }
    let head = columns.iter().enumerate().map(|(at, key)| cell(key, at == 0));
    let mut lines = vec![head.collect::<Vec<_>>()];
    for row in rows {
        let cells = columns.iter().enumerate().map(|(at, key)| value_cell(row.get(key), at == 0));
        lines.push(cells.collect());
    }
    lines.into_iter().map(|cells| cells.join(",") + "\r\n").collect()
}

fn value_cell(value: Option<&Value>, begins_line: bool) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => cell(text, begins_line),
        Some(list @ (Value::Array(_) | Value::Object(_))) => {
            // In JSON, a semicolon stands in texts only, which know this escape.
            quoted(&escaped_json(&list.to_string()).replace(';', "\\u003b"))
        }
        Some(plain) => plain.to_string(),
    }
}

/// A text as a cell. Hidden characters are escaped, and what a spreadsheet would take for a formula begins with an
/// apostrophe. A number stays one, unless it begins a line: where semicolons divide cells, it would be the beginning
/// of the whole line's formula.
pub(crate) fn cell(text: &str, begins_line: bool) -> String {
    let text = escaped(text);
    let is_number = text.parse::<f64>().is_ok_and(f64::is_finite);
    quoted(&guarded(&text, begins_line || !is_number))
}

/// A text as a cell of a table that has no quotes, such as one with tabs between its cells.
pub fn plain_cell(text: &str) -> String {
    guarded(&escaped(text), true)
}

/// Whether a spreadsheet could take a text for a formula, be there quotes, blanks or our own apostrophes before it.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches(|letter: char| letter.is_whitespace() || "'\"".contains(letter))
        .starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'])
}

/// The text with an apostrophe before each formula that would begin after a semicolon and, if asked for, at the start.
fn guarded(text: &str, at_start: bool) -> String {
    let mut parts = text.split(';');
    let first = parts.next().unwrap_or_default();
    let mut guarded = String::with_capacity(text.len());
    if at_start && is_formula(first) {
        guarded.push('\'');
    }
    guarded.push_str(first);
    for part in parts {
        guarded.push_str(if is_formula(part) { ";'" } else { ";" });
        guarded.push_str(part);
    }
    guarded
}

/// The text in quotes if separators or quotes need them.
fn quoted(text: &str) -> String {
    match text.contains(['"', ',', ';']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// A text as it comes back from the first cell of a line.
pub(crate) fn as_read(text: &str) -> String {
    let line = cell(text, true) + "\n";
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
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn nested_fields_become_columns() {
        let state = json!({ "a": { "b": [1, 2], "c": [{ "x": 1 }, { "x": 2 }] }, "d": null });
        let columns = Value::Object(flat_columns(&state));
        let expected = json!({
            "state.a.b": [1, 2], "state.a.c.0.x": 1, "state.a.c.1.x": 2, "state.d": null,
        });
        assert_eq!(columns, expected);
    }

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
            (" =1", "' =1"),
            ("'=1", "''=1"),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("a;=1+1;b", "\"a;'=1+1;b\""),
            ("a; \"@b\";c", "\"a;' \"\"@b\"\";c\""),
        ] {
            assert_eq!(cell(text, false), wanted);
        }
        assert_eq!(cell("-1.5", true), "'-1.5");
        assert_eq!(plain_cell("=1\ta;=2"), "'=1\\ta;'=2");
    }

    #[test]
    fn what_is_written_can_be_read() {
        for texts in [vec!["a", "b"], vec!["", "", ""], vec!["a,b", "\"", "\"\"", "\u{e9},\"x\""]] {
            let line = texts.iter().map(|text| cell(text, false)).collect::<Vec<_>>().join(",");
            let cells = texts.iter().map(|&text| text.to_owned()).collect();
            let text = format!("{line}\nrest");
            assert_eq!(first_line(&text), Some((cells, "rest")));
            assert_eq!(first_line(&line), None);
        }
        assert_eq!(first_line("a\r\n"), Some((vec!["a".into()], "")));
        assert_eq!(as_read("=1, or\n"), "'=1, or\\n");
    }

    /// The lines of a text with their cells as a spreadsheet reads them, which takes quotes for such only at the
    /// start of a cell.
    fn lines(text: &str, separator: char) -> Vec<Vec<String>> {
        let mut lines = vec![vec![String::new()]];
        let (mut is_quoted, mut at_start) = (false, true);
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let Some(line) = lines.last_mut() else { break };
            let Some(cell) = line.last_mut() else { break };
            let begins = std::mem::replace(&mut at_start, false);
            match letter {
                '"' if begins => is_quoted = true,
                '"' if is_quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
                '"' if is_quoted => is_quoted = false,
                '\n' if !is_quoted => {
                    lines.push(vec![String::new()]);
                    at_start = true;
                }
                other if other == separator && !is_quoted => {
                    line.push(String::new());
                    at_start = true;
                }
                other => cell.push(other),
            }
        }
        lines
    }

    /// The text without the apostrophes that [`guarded`] put in.
    fn unguarded(text: &str) -> String {
        let plain = |part: &str| match part.strip_prefix('\'').filter(|rest| is_formula(rest)) {
            Some(rest) => rest.to_owned(),
            None => part.to_owned(),
        };
        text.split(';').map(plain).collect::<Vec<_>>().join(";")
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof![any::<String>(), "[-=+@;,'\"a1 \u{ff1d}\r\n\t\u{202e}]{0,10}", "-?[0-9]{1,3}"]
    }

    proptest! {
        #[test]
        fn no_reader_sees_a_formula(rows in proptest::collection::vec(proptest::array::uniform3(any_text()), 1..4)) {
            let rows: Vec<Value> =
                rows.iter().map(|[a, b, c]| json!({"a": a, "b": b, "n": -4.5, "list": [c, -1]})).collect();
            let text = csv(&rows);
            for (separator, is_own) in [(',', true), (';', false)] {
                for cell in lines(&text, separator).iter().flatten() {
                    let is_number = is_own && cell.parse::<f64>().is_ok();
                    prop_assert!(is_number || !is_formula(cell) || cell.starts_with('\''), "{:?}: {}", cell, text);
                }
            }
            for (line, row) in lines(&text, ',').iter().skip(1).zip(&rows) {
                prop_assert_eq!(line.len(), 4);
                for (cell, key) in line.iter().zip(["a", "b"]) {
                    let wanted = row[key].as_str().unwrap_or_default();
                    prop_assert_eq!(unguarded(cell), escaped(wanted), "{}", text);
                }
                let list = serde_json::from_str::<Value>(line[3].trim_end()).ok();
                prop_assert_eq!(list.as_ref(), row.get("list"), "{}", text);
            }
        }
    }
}
