//! The one place through which text and documents leave the program.
//!
//! Control characters are escaped here, so a name in a file can neither forge a line nor steer the
//! terminal. A write that fails is kept until the end of the sub-command, which then does not succeed.

use super::Failure;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{Error, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The first failure of a write to standard output.
static FAILED: Mutex<Option<Error>> = Mutex::new(None);

fn failed() -> MutexGuard<'static, Option<Error>> {
    FAILED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a character changes what a terminal does or how it orders text.
fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with its control characters escaped as in Rust: `\n`, `\u{7}`.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let letter = |letter: char| match is_control(letter) {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    };
    Cow::Owned(text.chars().map(letter).collect())
}

/// Prints one line, whatever it holds, to standard output.
pub(crate) fn print_line(line: impl Display) {
    write(&format!("{}\n", escaped(&line.to_string())));
}

/// Prints lines.
pub(crate) fn print_lines(lines: impl IntoIterator<Item = impl Display>) {
    lines.into_iter().for_each(print_line);
}

/// Prints one line to standard error. It does not matter if that is closed.
pub fn eprint_line(line: impl Display) {
    let line = line.to_string();
    let _ = writeln!(std::io::stderr().lock(), "{}", escaped(&line));
}

/// Prints text of a format of its own, such as CSV, as it is.
pub(crate) fn print_raw(text: &str) {
    write(text);
}

/// Prints a value as one JSON document. What a terminal could take for a command is escaped.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value)?;
    let mut document = String::with_capacity(text.len() + 1);
    for letter in text.chars() {
        // Such characters stand in texts only, where JSON knows this escape.
        if is_control(letter) && letter != '\n' {
            document += &format!("\\u{:04x}", u32::from(letter));
        } else {
            document.push(letter);
        }
    }
    document.push('\n');
    write(&document);
    Ok(())
}

fn write(text: &str) {
    let mut failed = failed();
    if failed.is_none()
        && let Err(error) = std::io::stdout().lock().write_all(text.as_bytes())
    {
        *failed = Some(error);
    }
}

/// Whether nobody can read what is printed any more, so that long work may end.
pub(crate) fn is_broken() -> bool {
    failed().is_some()
}

/// Hands on what is still buffered.
///
/// # Errors
/// The first write that failed.
pub(crate) fn finish() -> Result<(), Error> {
    match failed().take() {
        Some(error) => Err(error),
        None => std::io::stdout().lock().flush(),
    }
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escaped("plain \u{e4}\u{2713} text"), "plain \u{e4}\u{2713} text");
        assert_eq!(escaped("a\u{1b}[2Jb\u{7}\nc\u{9b}\u{202e}"), {
            "a\\u{1b}[2Jb\\u{7}\\nc\\u{9b}\\u{202e}"
        });
    }
}
