//! The characters of a file of unknown encoding.

use std::borrow::Cow;

/// The characters of the bytes 0x80 to 0x9F in Windows-1252; five of them stand for none.
const UPPER: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
    '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}',
    'ž', 'Ÿ',
];

/// The text of bytes: UTF-8, or what old programs wrote, Windows-1252 and with it Latin-1. `None` if they
/// are no text: then there are control characters among them.
pub(super) fn decoded(bytes: &[u8]) -> Option<Cow<'_, str>> {
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
}
