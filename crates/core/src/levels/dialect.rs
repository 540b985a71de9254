//! The RON dialect of all Outwit files.

use super::{Fault, foreign_file};
use ron::extensions::Extensions;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The RON dialect of all Outwit files, where `Some(x)` is written as `x`.
pub(super) fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// Reads RON in Outwit's dialect.
///
/// # Errors
/// The first syntax error, with line and column, or what else the bytes are.
pub fn read_ron<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Fault> {
    if let Some(what) = foreign_file(bytes) {
        return Err(Fault::whole(what));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
        let line = good.matches('\n').count() + 1;
        let column = good.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Fault::text(line, column, "this is not UTF-8 text")
    })?;
    options().from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
        let line = error.span.start.line;
        let column = error.span.start.col;
        Fault::text(line, column, shortened(&without_types(error.code).to_string()))
    })
}

/// The same error without the names of types of this program, which mean nothing to people.
fn without_types(error: ron::Error) -> ron::Error {
    use ron::Error;
    match error {
        Error::ExpectedNamedStructLike(_) => Error::ExpectedStructLike,
        Error::ExpectedDifferentStructName { found, .. } => {
            Error::Message(format!("Expected opening `(` but found `{found}`"))
        }
        Error::NoSuchStructField { expected, found, .. } => {
            Error::NoSuchStructField { expected, found, outer: None }
        }
        Error::MissingStructField { field, .. } => Error::MissingStructField { field, outer: None },
        Error::DuplicateStructField { field, .. } => {
            Error::DuplicateStructField { field, outer: None }
        }
        Error::NoSuchEnumVariant { expected, found, .. } => {
            let expected = expected.join("`, `");
            Error::Message(format!("Unexpected `{found}`, expected one of `{expected}` instead"))
        }
        other => other,
    }
}

/// Messages of the reader quote what they found, be it megabytes.
const LONGEST_MESSAGE: usize = 240;

/// A message with its middle left out if it is too long.
fn shortened(message: &str) -> String {
    let count = message.chars().count();
    if count <= LONGEST_MESSAGE {
        return message.to_owned();
    }
    let half = LONGEST_MESSAGE / 2;
    let (start, end): (String, String) =
        (message.chars().take(half).collect(), message.chars().skip(count - half).collect());
    format!("{start} [...] {end}")
}

/// Writes any value as RON in Outwit's dialect.
///
/// # Errors
/// If RON cannot express the value.
pub fn to_ron<T: Serialize>(value: &T) -> Result<String, ron::Error> {
    let pretty = ron::ser::PrettyConfig::default();
    options().to_string_pretty(value, pretty)
}
