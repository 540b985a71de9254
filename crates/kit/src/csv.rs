//! Cells of CSV (RFC 4180).

/// The text as a cell, in quotes where commas, quotes or line ends need them.
pub(crate) fn cell(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
