//! The run-length form that Sokoban programs use for boards and solutions: `3r` is `rrr`, `2(urR)` is
//! `urRurR`.

/// Where a text is not in this form, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunLengthError {
    /// Index of the character.
    pub at: usize,
    /// What is wrong there.
    pub what: String,
}

/// Writes out all repetitions. Returns each symbol with the index of the character that it came from.
///
/// A symbol is a character for which `is_symbol` holds; characters for which `is_blank` holds are
/// skipped.
///
/// # Errors
/// At the first character that does not fit, or where more than `most` symbols would come out.
pub fn expand(
    text: &str,
    is_symbol: impl Fn(char) -> bool,
    is_blank: impl Fn(char) -> bool,
    most: usize,
) -> Result<Vec<(usize, char)>, RunLengthError> {
    let error = |at: usize, what: String| Err(RunLengthError { at, what });
    let too_long = |at| error(at, format!("this makes more than {most} characters"));
    let mut out: Vec<(usize, char)> = Vec::new();
    // The open groups: where each began in the text and in the output, and its count.
    let mut groups: Vec<(usize, usize, usize)> = Vec::new();
    // The number that was read last, and where it began.
    let mut count: Option<(usize, usize)> = None;
    for (at, found) in text.chars().enumerate() {
        if let Some(digit) = found.to_digit(10) {
            let (begin, number) = count.unwrap_or((at, 0));
            // More than `most` is refused anyway, so the number need not grow further.
            count = Some((begin, (number * 10 + digit as usize).min(most + 1)));
        } else if is_symbol(found) {
            let times = count.take().map_or(1, |(_, number)| number);
            if times > most - out.len() {
                return too_long(at);
            }
            out.extend(std::iter::repeat_n((at, found), times));
        } else if is_blank(found) {
            continue;
        } else if found == '(' {
            groups.push((at, out.len(), count.take().map_or(1, |(_, number)| number)));
        } else if found == ')' && count.is_none() {
            let Some((_, begin, times)) = groups.pop() else {
                return error(at, "this closing bracket has no opening one".into());
            };
            let length = out.len() - begin;
            if length.saturating_mul(times) > most - begin {
                return too_long(at);
            }
            if times == 0 {
                out.truncate(begin);
            }
            // An empty group is not repeated, however often it is asked for.
            for _ in 1..times.min(length * times) {
                out.extend_from_within(begin..begin + length);
            }
        } else {
            return error(at, format!("unknown character '{}'", found.escape_default()));
        }
    }
    if let Some((at, _)) = count {
        return error(at, "nothing follows this number".into());
    }
    match groups.last() {
        Some(&(at, ..)) => error(at, "this opening bracket has no closing one".into()),
        None => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn letters(text: &str, most: usize) -> Result<String, RunLengthError> {
        let out = expand(text, |c| c.is_ascii_alphabetic(), char::is_whitespace, most)?;
        Ok(out.into_iter().map(|(_, symbol)| symbol).collect())
    }

    #[test]
    fn repetitions_are_written_out() {
        assert_eq!(letters("3r2(u2d)\n 1l0x(ab)", 99).unwrap(), "rrrudduddlab");
        assert_eq!(letters("2(a2(bc))", 99).unwrap(), "abcbcabcbc");
        let places = expand("a 2b", |c| c.is_alphabetic(), |c| c == ' ', 9).unwrap();
        assert_eq!(places, [(0, 'a'), (3, 'b'), (3, 'b')]);
    }

    #[test]
    fn errors_name_the_place() {
        for (text, at) in [("ab?", 2), ("a12", 1), ("a)", 1), ("a(b", 1), ("9999r", 4), ("2)", 1)] {
            assert_eq!(letters(text, 100).unwrap_err().at, at, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_takes_long_or_much(text in "[0-9()ab ]{0,60}") {
            if let Ok(out) = letters(&text, 1000) {
                prop_assert!(out.len() <= 1000);
            }
        }
    }

    #[test]
    fn deep_and_empty_groups_end_quickly() {
        let deep = format!("{}a{}", "(".repeat(50_000), ")".repeat(50_000));
        assert_eq!(letters(&deep, 10).unwrap(), "a");
        assert_eq!(letters("999999999999999999999999()", 10).unwrap(), "");
    }
}
