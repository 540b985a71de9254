//! Text from files and programs, so that no character of it steers a terminal.

use std::borrow::Cow;

/// Whether a character changes what a terminal does or how it orders text.
fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with its control characters escaped as in Rust: `\n`, `\u{7}`.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let letter = |letter: char| match is_control(letter) {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    };
    Cow::Owned(text.chars().map(letter).collect())
}

/// A JSON document with its control characters escaped as JSON does, except for its line ends.
pub fn escaped_json(document: &str) -> Cow<'_, str> {
    let steers = |letter: char| is_control(letter) && letter != '\n';
    if !document.contains(steers) {
        return Cow::Borrowed(document);
    }
    let mut text = String::with_capacity(document.len());
    for letter in document.chars() {
        // Such characters stand in texts only, where JSON knows this escape.
        match steers(letter) {
            true => text += &format!("\\u{:04x}", u32::from(letter)),
            false => text.push(letter),
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escaped("plain \u{e4}\u{2713} text"), "plain \u{e4}\u{2713} text");
        assert_eq!(escaped("a\u{1b}[2Jb\u{7}\nc\u{9b}\u{202e}"), {
            "a\\u{1b}[2Jb\\u{7}\\nc\\u{9b}\\u{202e}"
        });
        assert_eq!(escaped_json("{\n\"a\": \"\u{9b}\u{202e}\"}"), "{\n\"a\": \"\\u009b\\u202e\"}");
    }
}
