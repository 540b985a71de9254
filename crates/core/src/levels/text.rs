//! Text files of other programs: of unknown encoding, with the line ends of any system.

use std::borrow::Cow;

/// The characters of the bytes 0x80 to 0x9F in Windows-1252; five of them stand for none.
const UPPER: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
    '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}',
    'ž', 'Ÿ',
];

/// The text of bytes: UTF-8, or what old programs wrote, Windows-1252 and with it Latin-1. `None` if they
/// are no text: then there are control characters among them.
pub fn decoded(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(Cow::Borrowed(text));
    }
    let character = |&byte: &u8| match byte {
        // Some programs of MS-DOS end a file with 0x1A.
        b'\t' | b'\n' | b'\r' | 0x0c | 0x1a => Some(char::from(byte)),
        0..0x20 | 0x7f => None,
        0x80..0xa0 => Some(UPPER[usize::from(byte - 0x80)]),
        _ => Some(char::from(byte)),
    };
    bytes.iter().map(character).collect::<Option<String>>().map(Cow::Owned)
}

/// The lines of a text, which end with LF, CR LF or, as on old Macs, CR. What follows the last visible
/// character of a line is left out from the first tab or NUL on.
pub fn text_lines(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim_start_matches('\u{feff}');
    // Before LF there may be several CR, if a file was converted twice.
    let lines = text.split('\n').map(|line| line.trim_end_matches('\r'));
    lines.flat_map(|line| line.split('\r')).map(without_tail)
}

fn without_tail(line: &str) -> &str {
    let visible = line.trim_end_matches([' ', '\t', '\0']).len();
    let tail = line[visible..].find(['\t', '\0']);
    tail.map_or(line, |tail| &line[..visible + tail])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_utf_8_or_windows_1252() {
        let read = |bytes: &'static [u8]| decoded(bytes).map(Cow::into_owned);
        assert_eq!(read("é€".as_bytes()).as_deref(), Some("é€"));
        assert_eq!(read(b"\xe9\xc4\xa0\xff").as_deref(), Some("éÄ\u{a0}ÿ"));
        assert_eq!(read(b"\x80\x81\x93x\x94\x9f").as_deref(), Some("€\u{fffd}“x”Ÿ"));
        assert_eq!(read(b"\xe9\0"), None);
        assert_eq!(read(b"\xff\xfea\0"), None, "UTF-16");
        assert_eq!(read(b"\x89PNG\r\n\x1a\n\0"), None);
    }

    #[test]
    fn lines_end_as_on_any_system() {
        let lines = |text: &'static str| text_lines(text).collect::<Vec<_>>();
        assert_eq!(lines("\u{feff}a\n\nb\n"), ["a", "", "b", ""]);
        assert_eq!(lines("a\r\n\r\nb"), ["a", "", "b"]);
        assert_eq!(lines("a\r\rb\r"), ["a", "", "b"]);
        assert_eq!(lines("a\r\r\nb\rc\n"), ["a", "b", "c", ""]);
    }

    #[test]
    fn tabs_and_nulls_at_the_end_of_a_line_are_no_part_of_it() {
        let lines = |text: &'static str| text_lines(text).collect::<Vec<_>>();
        assert_eq!(lines("# #\t\n# # \t \0\r\n#\t#  \n\0\0"), ["# #", "# # ", "#\t#  ", ""]);
    }
}
