//! The one place through which text and documents leave the program.
//!
//! Control characters are escaped here, so a name in a file can neither forge a line nor steer the
//! terminal. A write that fails is kept until the end of the sub-command, which then does not succeed.

use super::Failure;
use outwit_core::escape::{escaped, escaped_json};
use serde::Serialize;
use std::fmt::Display;
use std::io::{Error, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The first failure of a write to standard output.
static FAILED: Mutex<Option<Error>> = Mutex::new(None);

fn failed() -> MutexGuard<'static, Option<Error>> {
    FAILED.lock().unwrap_or_else(PoisonError::into_inner)
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
    let line = format!("{}\n", escaped(&line.to_string()));
    let _ = put(std::io::stderr(), &line);
}

/// Prints text of a format of its own, such as CSV, as it is.
pub(crate) fn print_raw(text: &str) {
    write(text);
}

/// Prints a value as one JSON document. What a terminal could take for a command is escaped.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let document = serde_json::to_string_pretty(value)? + "\n";
    write(&escaped_json(&document));
    Ok(())
}

fn write(text: &str) {
    let mut failed = failed();
    if failed.is_none()
        && let Err(error) = put(std::io::stdout(), text)
    {
        *failed = Some(error);
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn put(mut stream: impl Write, text: &str) -> Result<(), Error> {
    stream.write_all(text.as_bytes())
}

/// A browser has neither stream; the page shows both.
#[cfg(target_arch = "wasm32")]
fn put(_stream: impl Write, text: &str) -> Result<(), Error> {
    outwit_core::platform::page::print(text);
    Ok(())
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
