//! Text from files and programs on its way out: to a terminal, into JSON, HTML and SVG. What it hides is shown
//! there, so that it can steer no terminal and pass for nothing else.
//!
//! Hidden are control characters, those that change the direction of text, letters without ink such as the
//! zero-width ones, characters whose look no standard tells (private use), and those that XML has no place for.
//! Cells of CSV and words of a shell build on the same.

use std::borrow::Cow;

/// Whether a character selects how the letter before it looks, as emoji do.
fn is_variation_selector(letter: char) -> bool {
    matches!(letter, '\u{fe00}'..='\u{fe0f}')
}

/// Whether nobody can see a character, or what it does to others.
fn is_hidden(letter: char) -> bool {
    let is_noncharacter =
        u32::from(letter) & 0xfffe == 0xfffe || matches!(letter, '\u{fdd0}'..='\u{fdef}');
    let is_private = matches!(letter, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..);
    letter.is_control()
        || is_noncharacter
        || is_private
        || is_variation_selector(letter)
        // Unicode's Default_Ignorable_Code_Point, line and paragraph separators, directions, the blank of Braille and
        // the marks of interlinear annotation.
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// The characters of a text, each with whether it is hidden. A variation selector is not, right after a letter that
/// can be seen.
pub fn letters(text: &str) -> impl Iterator<Item = (char, bool)> {
    let mut follows_ink = false;
    text.chars().map(move |letter| {
        let is_selector = is_variation_selector(letter);
        let hidden = is_hidden(letter) && !(is_selector && follows_ink);
        follows_ink = !hidden && !is_selector && !letter.is_whitespace();
        (letter, hidden)
    })
}

/// Whether a text has hidden characters.
pub fn hides(text: &str) -> bool {
    letters(text).any(|(_, hidden)| hidden)
}

/// Whether a text has a letter that can be seen, as names need.
pub fn is_visible(text: &str) -> bool {
    letters(text).any(|(letter, hidden)| !hidden && !letter.is_whitespace())
}

/// The text with its hidden characters escaped as in Rust: `\n`, `\u{7}`.
///
/// ```
/// use outwit_core::escape::escaped;
///
/// assert_eq!(escaped("plain \u{e4}\u{2713} text"), "plain \u{e4}\u{2713} text");
/// assert_eq!(escaped("a\u{1b}[2J\n\u{202e}"), r"a\u{1b}[2J\n\u{202e}");
/// ```
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !hides(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for (letter, hidden) in letters(text) {
        match hidden {
            true => shown.extend(letter.escape_default()),
            false => shown.push(letter),
        }
    }
    Cow::Owned(shown)
}

/// A JSON document with its hidden characters escaped as JSON does, except for its line ends.
pub fn escaped_json(document: &str) -> Cow<'_, str> {
    let steers = |(letter, hidden): (char, bool)| hidden && letter != '\n';
    if !letters(document).any(steers) {
        return Cow::Borrowed(document);
    }
    let mut text = String::with_capacity(document.len());
    for (letter, hidden) in letters(document) {
        // Such characters stand in texts only, where JSON knows this escape.
        match steers((letter, hidden)) {
            true => letter
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| text += &format!("\\u{unit:04x}")),
            false => text.push(letter),
        }
    }
    Cow::Owned(text)
}

/// The text as HTML and SVG write it, within elements and within quotes; its hidden characters are [`escaped`].
pub fn markup(text: &str) -> String {
    let mut markup = String::with_capacity(text.len());
    for (letter, hidden) in letters(text) {
        match letter {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            '\'' => markup.push_str("&#39;"),
            letter if hidden => markup.extend(letter.escape_default()),
            letter => markup.push(letter),
        }
    }
    markup
}

/// The words of a text on one line, one blank between them; hidden characters count as blanks.
pub fn on_one_line(text: &str) -> String {
    let shown: String =
        letters(text).map(|(letter, hidden)| if hidden { ' ' } else { letter }).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Of each kind of hidden characters some.
    const HIDDEN: &str = "\0\t\n\r\u{1b}\u{7f}\u{9b}\u{ad}\u{34f}\u{61c}\u{115f}\u{180e}\u{200b}\u{200d}\
        \u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{2800}\u{3164}\u{e000}\u{f8ff}\
        \u{feff}\u{fff9}\u{fffe}\u{ffff}\u{1d173}\u{e0001}\u{e0041}\u{e0100}\u{f0000}\u{10ffff}";

    /// Any text, rich in hidden characters and in those that markup, JSON and shells know.
    fn any_text() -> impl Strategy<Value = String> {
        let letter = prop_oneof![
            any::<char>(),
            proptest::sample::select(HIDDEN.chars().collect::<Vec<_>>()),
            proptest::sample::select("a \u{fe0f}&<>\"'\\;=-".chars().collect::<Vec<_>>()),
        ];
        proptest::collection::vec(letter, 0..24).prop_map(String::from_iter)
    }

    #[test]
    fn hidden_characters_are_seen() {
        assert_eq!(escaped("plain \u{e4}\u{2713} text"), "plain \u{e4}\u{2713} text");
        assert_eq!(escaped("a\u{1b}[2Jb\u{7}\nc\u{9b}\u{202e}"), {
            "a\\u{1b}[2Jb\\u{7}\\nc\\u{9b}\\u{202e}"
        });
        assert_eq!(escaped("\u{270f}\u{fe0f} \u{fe0f}\u{fe0f}"), {
            "\u{270f}\u{fe0f} \\u{fe0f}\\u{fe0f}"
        });
        assert_eq!(escaped_json("{\n\"a\": \"\u{9b}\u{202e}\u{e0041}\"}"), {
            "{\n\"a\": \"\\u009b\\u202e\\udb40\\udc41\"}"
        });
        assert_eq!(markup("<a b='\u{200b}\n&\"'>"), {
            "&lt;a b=&#39;\\u{200b}\\n&amp;&quot;&#39;&gt;"
        });
        assert_eq!(on_one_line(" a\u{202e}b\n\n c\u{ad} "), "a b c");
        for letter in HIDDEN.chars() {
            assert!(hides(&format!("a{letter}b")), "{letter:?}");
            assert!(!is_visible(&format!(" {letter}\u{a0}{letter}")), "{letter:?}");
        }
        for shown in ["迷路", "e\u{301}", "\u{5d0}\u{5d1}", "\u{1f600}\u{fe0f}", ".", "\u{3000}x"]
        {
            assert!(!hides(shown) && is_visible(shown), "{shown}");
        }
    }

    proptest! {
        #[test]
        fn no_escape_lets_anything_pass(text in any_text()) {
            let shown = escaped(&text);
            prop_assert!(!hides(&shown));
            prop_assert_eq!(escaped(&shown), &*shown);
            let markup = markup(&text);
            prop_assert!(!hides(&markup) && !markup.contains(['<', '>', '"', '\'']));
            let back = markup.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
            prop_assert_eq!(back.replace("&#39;", "'").replace("&amp;", "&"), shown);
            let document = serde_json::to_string(&text).unwrap_or_default();
            let json = escaped_json(&document);
            prop_assert!(!hides(&json));
            prop_assert_eq!(serde_json::from_str::<String>(&json).ok(), Some(text.clone()));
            let line = on_one_line(&text);
            prop_assert!(!hides(&line) && !line.contains("  "));
            prop_assert_eq!(is_visible(&text), !line.is_empty());
        }
    }
}
