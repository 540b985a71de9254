//! Cells of CSV (RFC 4180).

/// The text as a cell, in quotes where commas, quotes or line ends need them.
pub(crate) fn cell(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
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

    #[test]
    fn what_is_written_can_be_read() {
        for texts in [
            vec!["a", "b"],
            vec!["", "", ""],
            vec!["a,b", "\"", "\"\"", "a\nb", "\r\n", "\u{e9},\"x\""],
        ] {
            let line = texts.iter().map(|text| cell(text)).collect::<Vec<_>>().join(",");
            let cells = texts.iter().map(|&text| text.to_owned()).collect();
            let text = format!("{line}\nrest");
            assert_eq!(first_line(&text), Some((cells, "rest")));
            assert_eq!(first_line(&line), None);
        }
        assert_eq!(first_line("a\r\n"), Some((vec!["a".into()], "")));
    }
}
