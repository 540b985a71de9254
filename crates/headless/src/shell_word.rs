//! Words of a command line.

/// An argument as a shell reads it.
pub fn quoted(argument: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_=+,./:@%".contains(letter);
    match argument {
        plain if !plain.is_empty() && plain.chars().all(is_plain) => plain.to_owned(),
        text if cfg!(windows) => format!("\"{text}\""),
        text => format!("'{}'", text.replace('\'', "'\\''")),
    }
}
