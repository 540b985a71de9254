//! Command lines that people copy into a shell, made of words from anywhere.

use outwit_core::escape::{hides, letters};
use std::fmt;

/// Which shell reads a command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shell {
    /// A shell after POSIX of 2024, such as bash, zsh or ksh.
    Posix,
    /// `cmd` or PowerShell.
    Windows,
}

/// The shells of this system.
const SHELL: Shell = if cfg!(windows) { Shell::Windows } else { Shell::Posix };

/// An argument as a shell of this system reads it.
///
/// No character of it is hidden. On Windows, where no quotes keep `cmd` and PowerShell alike from reading more into
/// a word, `?` stands for what they would, so that such a word names no file.
pub fn quoted(argument: &str) -> String {
    quoted_for(SHELL, argument)
}

fn quoted_for(shell: Shell, argument: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_=+,./:@%".contains(letter);
    // A shell may take a word after `=` for the name of a program.
    let is_word = !argument.is_empty() && !argument.starts_with('=');
    match shell {
        Shell::Windows => {
            let unsafe_there =
                |letter: char| "\"%$`!^&|<>\u{201c}\u{201d}\u{201e}".contains(letter);
            let word: String = letters(argument)
                .map(|(letter, hidden)| match hidden || unsafe_there(letter) {
                    true => '?',
                    false => letter,
                })
                .collect();
            let is_word = is_word && word.chars().all(|c| is_plain(c) && c != ',' && c != '@');
            // Before a quote, a backslash would take it into the word.
            let ends = word.len() - word.trim_end_matches('\\').len();
            if is_word { word } else { format!("\"{word}{}\"", "\\".repeat(ends)) }
        }
        Shell::Posix if hides(argument) => {
            let mut word = String::from("$'");
            for (letter, hidden) in letters(argument) {
                match letter {
                    '\\' | '\'' => word.extend(['\\', letter]),
                    letter if hidden => {
                        for byte in letter.to_string().bytes() {
                            word += &format!("\\{byte:03o}");
                        }
                    }
                    letter => word.push(letter),
                }
            }
            word + "'"
        }
        Shell::Posix if is_word && argument.chars().all(is_plain) => argument.to_owned(),
        Shell::Posix => format!("'{}'", argument.replace('\'', "'\\''")),
    }
}

/// A command line whose values are no options, whatever they begin with.
pub struct CommandLine {
    text: String,
    /// Those that begin like options; they come last.
    operands: Vec<String>,
}

impl CommandLine {
    /// A command line that begins with these words of our own.
    pub fn new(words: &str) -> Self {
        Self { text: words.into(), operands: Vec::new() }
    }

    /// Adds an option without a value.
    pub fn flag(&mut self, name: &str) -> &mut Self {
        self.text += &format!(" {name}");
        self
    }

    /// Adds an option with its value.
    pub fn option(&mut self, name: &str, value: &str) -> &mut Self {
        self.text += &match value.starts_with('-') {
            true => format!(" {}", quoted(&format!("{name}={value}"))),
            false => format!(" {name} {}", quoted(value)),
        };
        self
    }

    /// Adds an argument that belongs to no option.
    pub fn operand(&mut self, value: &str) -> &mut Self {
        match value.starts_with('-') || !self.operands.is_empty() {
            true => self.operands.push(quoted(value)),
            false => self.text += &format!(" {}", quoted(value)),
        }
        self
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match self.operands.is_empty() {
            true => Ok(()),
            false => write!(f, " -- {}", self.operands.join(" ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The words of a command line as a POSIX shell splits it, which expands nothing; `None` if it would expand,
    /// redirect, or wait for more.
    fn words(line: &str) -> Option<Vec<String>> {
        let (mut words, mut word, mut letters): (Vec<Vec<u8>>, Option<Vec<u8>>, _) =
            (Vec::new(), None, line.chars().peekable());
        while let Some(letter) = letters.next() {
            let begun = word.is_some();
            match letter {
                ' ' => words.extend(word.take()),
                '\\' => {
                    let next = letters.next()?;
                    word.get_or_insert_default().extend(next.to_string().bytes());
                }
                '\'' => {
                    let word = word.get_or_insert_default();
                    loop {
                        match letters.next()? {
                            '\'' => break,
                            other => word.extend(other.to_string().bytes()),
                        }
                    }
                }
                '$' if letters.next_if_eq(&'\'').is_some() => {
                    let word = word.get_or_insert_default();
                    loop {
                        match letters.next()? {
                            '\'' => break,
                            '\\' => match letters.next()? {
                                plain @ ('\\' | '\'') => word.push(plain as u8),
                                first => {
                                    let digits = [first, letters.next()?, letters.next()?];
                                    let byte = u8::from_str_radix(&String::from_iter(digits), 8);
                                    word.push(byte.ok()?);
                                }
                            },
                            other => word.extend(other.to_string().bytes()),
                        }
                    }
                }
                '=' if !begun => return None,
                letter if letter.is_whitespace() || "\"$`;&|<>()*?[]{}#~!^".contains(letter) => {
                    return None;
                }
                letter => word.get_or_insert_default().extend(letter.to_string().bytes()),
            }
        }
        words.extend(word);
        words.into_iter().map(|word| String::from_utf8(word).ok()).collect()
    }

    fn any_word() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "[-= a'\"\\\\$`;&|<>*?~#!%\n\t]{0,8}",
            "-{0,2}(csv|seat)=[a-z]{0,3}",
            "[a\u{0}\u{202e}\u{200b}\u{fe0f}\u{e0041}'\\\\-]{0,6}",
        ]
    }

    #[test]
    fn words_are_quoted_where_they_need_it() {
        for (word, wanted) in [
            ("cops/tiny", "cops/tiny"),
            ("engine:/a/b,c@5s", "engine:/a/b,c@5s"),
            ("", "''"),
            ("it's", "'it'\\''s'"),
            ("=ls", "'=ls'"),
            ("a\u{202e}\n'", "$'a\\342\\200\\256\\012\\''"),
        ] {
            assert_eq!(quoted_for(Shell::Posix, word), wanted);
        }
        for (word, wanted) in [
            ("cops/tiny", "cops/tiny"),
            ("C:\\my levels\\", "\"C:\\my levels\\\\\""),
            ("a\" & del *.* %PATH% $(x)", "\"a? ? del *.* ?PATH? ?(x)\""),
            ("a\nb", "\"a?b\""),
        ] {
            assert_eq!(quoted_for(Shell::Windows, word), wanted);
        }
    }

    proptest! {
        #[test]
        fn a_shell_reads_the_words_as_they_are(word in any_word()) {
            let text = quoted_for(Shell::Posix, &word);
            prop_assert!(!hides(&text));
            prop_assert_eq!(words(&text), Some(vec![word.clone()]), "{}", text);
            let text = quoted_for(Shell::Windows, &word);
            prop_assert!(!hides(&text));
            let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&text);
            prop_assert!(!inner.contains(['"', '%', '$', '`', '!', '&', '|', '<', '>', '^']), "{}", text);
        }

        #[test]
        fn no_value_becomes_an_option(values in proptest::collection::vec(any_word(), 3)) {
            let mut line = CommandLine::new("outwit match");
            line.operand(&values[0]).option("--seat", &values[1]).operand(&values[2]).flag("--strict");
            if SHELL == Shell::Posix {
                let words = words(&line.to_string()).unwrap_or_default();
                let options = words.iter().take_while(|word| *word != "--").filter(|word| word.starts_with('-'));
                let joined = format!("--seat={}", values[1]);
                for option in options {
                    prop_assert!(["--seat", "--strict", &joined].contains(&option.as_str()), "{}", line);
                }
                for value in &values {
                    prop_assert!(words.contains(value) || words.contains(&joined), "{}", line);
                }
            }
        }
    }
}
