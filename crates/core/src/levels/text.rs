//! Text files of other programs: of unknown encoding, with the line ends of any system.

use std::borrow::Cow;
use std::fmt;

/// How the letters of a text are written as bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-8, which can be told from the others for certain.
    Utf8,
    /// Western Europe, with Latin-1 as a part of it.
    Windows1252,
    /// Central Europe.
    Windows1250,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Windows1252 => "Windows-1252 (Western European)",
            Encoding::Windows1250 => "Windows-1250 (Central European)",
        })
    }
}

/// The characters of the bytes 0x80 to 0x9F in Windows-1252; five of them stand for none. The others are those of
/// Latin-1.
const WINDOWS_1252: &str = "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ";

/// The characters of the bytes 0x80 to 0xFF in Windows-1250; five of them stand for none.
const WINDOWS_1250: &str = "€\u{fffd}‚\u{fffd}„…†‡\u{fffd}‰Š‹ŚŤŽŹ\u{fffd}‘’“”•–—\u{fffd}™š›śťžź\u{a0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{ad}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
    ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙";

/// The letters that the languages of Western Europe have beside those of English, one language a line, which decide
/// between the two encodings of Windows.
const WESTERN: &[&str] = &[
    "àâæçèéêëîïôœùûüÿ", // French
    "äöüß",             // German
    "áéíñóúü",          // Spanish
    "àáâãçéêíóôõúü",    // Portuguese
    "àèéìîòóù",         // Italian
    "æøåéü",            // Danish, Norwegian
    "åäöé",             // Swedish, Finnish
    "áéëïíóöüè",        // Dutch
    "áðéíóúýþæö",       // Icelandic
];

/// The same for the languages of Central Europe.
const CENTRAL: &[&str] = &[
    "áčďéěíňóřšťúůýž",   // Czech
    "áäčďéíĺľňóôŕšťúýž", // Slovak
    "ąćęłńóśźż",         // Polish
    "áéíóöőúüű",         // Hungarian
    "čćđšž",             // Croatian, Slovene
    "ăâîşţ",             // Romanian
    "äöüß",              // German
];

/// The text of bytes: UTF-8, or what old programs wrote, in the encoding that [`encoding_of`] finds. `None` if
/// they are no text: then there are control characters among them.
pub fn decoded(bytes: &[u8]) -> Option<Cow<'_, str>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(Cow::Borrowed(text)),
        Err(_) => decoded_as(bytes, encoding_of(bytes)?).map(Cow::Owned),
    }
}

/// The encoding of a text that is not UTF-8: the one of the two common on Windows in which more of its words are
/// spelled with the letters of one language, and otherwise Windows-1252. `None` if the bytes are no text.
pub fn encoding_of(bytes: &[u8]) -> Option<Encoding> {
    if std::str::from_utf8(bytes).is_ok() {
        return Some(Encoding::Utf8);
    }
    let western = decoded_as(bytes, Encoding::Windows1252)?;
    let central = decoded_as(bytes, Encoding::Windows1250)?;
    match words_of(&central, CENTRAL) > words_of(&western, WESTERN) {
        true => Some(Encoding::Windows1250),
        false => Some(Encoding::Windows1252),
    }
}

/// How many words with letters beyond ASCII are spelled with those of one language.
fn words_of(text: &str, languages: &[&str]) -> usize {
    let words = text.split(|symbol: char| !symbol.is_alphabetic());
    words
        .filter(|word| {
            let special = || word.chars().filter(|symbol| !symbol.is_ascii());
            special().next().is_some()
                && languages.iter().any(|language| {
                    special().flat_map(char::to_lowercase).all(|letter| language.contains(letter))
                })
        })
        .count()
}

/// The text of bytes in an encoding; `None` if there are control characters among them.
pub fn decoded_as(bytes: &[u8], encoding: Encoding) -> Option<String> {
    let upper: Vec<char> = match encoding {
        Encoding::Utf8 => return std::str::from_utf8(bytes).ok().map(str::to_owned),
        Encoding::Windows1252 => WINDOWS_1252.chars().collect(),
        Encoding::Windows1250 => WINDOWS_1250.chars().collect(),
    };
    let character = |&byte: &u8| match byte {
        // Some programs of MS-DOS end a file with 0x1A.
        b'\t' | b'\n' | b'\r' | 0x0c | 0x1a => Some(char::from(byte)),
        0..0x20 | 0x7f => None,
        0x80.. => Some(upper.get(usize::from(byte - 0x80)).copied().unwrap_or(char::from(byte))),
        _ => Some(char::from(byte)),
    };
    bytes.iter().map(character).collect()
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
    fn the_encoding_is_guessed_by_the_words() {
        for (text, encoding) in [
            ("Jiří Novák", Encoding::Windows1250),
            ("Žluťoučký kůň", Encoding::Windows1250),
            ("Łódź, Kraków", Encoding::Windows1250),
            ("Fűtőház", Encoding::Windows1250),
            ("Çedille à la crème", Encoding::Windows1252),
            ("Müller, André", Encoding::Windows1252),
            ("Søren Ærø", Encoding::Windows1252),
            ("Entrepôt n° 5", Encoding::Windows1252),
            ("“It’s”", Encoding::Windows1252),
        ] {
            let table: Vec<char> = match encoding {
                Encoding::Windows1250 => WINDOWS_1250.chars().collect(),
                _ => WINDOWS_1252.chars().chain('\u{a0}'..='\u{ff}').collect(),
            };
            let byte = |symbol: char| match table.iter().position(|&known| known == symbol) {
                Some(at) => 0x80 + at as u8,
                None => u8::try_from(symbol).unwrap(),
            };
            let bytes: Vec<u8> = text.chars().map(byte).collect();
            assert_eq!(encoding_of(&bytes), Some(encoding), "{text}");
            assert_eq!(decoded(&bytes).as_deref(), Some(text));
            assert_eq!(encoding_of(text.as_bytes()), Some(Encoding::Utf8));
        }
        assert_eq!((WINDOWS_1252.chars().count(), WINDOWS_1250.chars().count()), (32, 128));
        assert_eq!(encoding_of(b"\xe9\0"), None);
    }

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
