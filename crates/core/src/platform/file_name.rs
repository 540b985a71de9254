//! Names of files that are made from other names, such as those of levels and planners.

/// Longer stems are cut, in bytes. File systems allow 255 for a whole name, of which numbers, endings
/// and backups need some.
const LONGEST: usize = 150;

/// A name without extension for a file, made from any text.
///
/// It consists of letters, digits, `_`, `@`, `+` and `-`, where `-` stands for everything else. So it is one
/// name in a folder and leads nowhere else, on any system. It is `otherwise` if nothing is left of the
/// text, and has that at its end where Windows has a device of this name.
///
/// ```
/// use outwit_core::platform::file_name::file_stem;
///
/// assert_eq!(file_stem("My Level! (2)", "level"), "My-Level-2");
/// assert_eq!(file_stem("/../../x", "level"), "x");
/// assert_eq!(file_stem("..", "level"), "level");
/// assert_eq!(file_stem("NUL", "level"), "NUL-level");
/// ```
pub fn file_stem(text: &str, otherwise: &'static str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '@' | '+');
    let mut stem = String::new();
    for part in text.split(|letter| !is_plain(letter)).filter(|part| !part.is_empty()) {
        if !stem.is_empty() {
            stem.push('-');
        }
        stem.push_str(part);
        if stem.len() > LONGEST {
            stem.truncate(stem.floor_char_boundary(LONGEST));
            stem.truncate(stem.trim_end_matches('-').len());
            break;
        }
    }
    if stem.is_empty() {
        stem.push_str(otherwise);
    } else if is_reserved(&stem) {
        stem = format!("{stem}-{otherwise}");
    }
    stem
}

/// Whether Windows has a device of this name, so that no file can have it, whatever its extension.
fn is_reserved(stem: &str) -> bool {
    let stem = stem.to_lowercase();
    let numbered = |name: &str| {
        stem.strip_prefix(name).is_some_and(|number| {
            let mut letters = number.chars();
            letters.next().is_some_and(|c| "0123456789\u{b9}\u{b2}\u{b3}".contains(c))
                && letters.next().is_none()
        })
    };
    ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::{Component, Path};

    #[test]
    fn plain_names_stay_as_they_are() {
        for name in [
            "cops-tiny-runner-pack",
            "My_Level",
            "runner@40w",
            "genetic+",
            "Äpfel",
            "com10",
            "3x3x3",
        ] {
            assert_eq!(file_stem(name, "level"), name);
        }
        for name in ["con", "Aux", "COM1", "lpt\u{b9}", "com0"] {
            assert_eq!(file_stem(name, "level"), format!("{name}-level"));
        }
        assert_eq!(file_stem("C:\\x\0y\n-\u{202e}z", "level"), "C-x-y-z");
        let long = file_stem(&"ä".repeat(200), "level");
        assert_eq!(long.len(), LONGEST);
    }

    proptest! {
        #[test]
        fn no_name_leaves_its_folder(
            text in prop_oneof![any::<String>(), "[./\\\\a-c:~ -]{0,12}", "(?i)(con|nul|com1)[. ]?"],
        ) {
            let stem = file_stem(&text, "level");
            let mut parts = Path::new(&stem).components();
            prop_assert!(matches!(parts.next(), Some(Component::Normal(name)) if *name == *stem));
            prop_assert_eq!(parts.next(), None);
            prop_assert!(stem.len() <= LONGEST + "-level".len());
            prop_assert!(!stem.starts_with('-') && !stem.ends_with(['.', ' ']) && !is_reserved(&stem));
            prop_assert!(!stem.contains(['/', '\\', ':', '.', '~']));
            prop_assert!(!stem.chars().any(char::is_control));
            // A second time changes nothing.
            prop_assert_eq!(file_stem(&stem, "level"), stem);
        }
    }
}
