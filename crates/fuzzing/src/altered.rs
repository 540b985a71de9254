//! Bytes that are nearly a file.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Texts that are put between others.
const WORDS: &[&str] = &[
    "4294967295",
    "18446744073709551615",
    "-1",
    "-9223372036854775808",
    "1e308",
    "NaN",
    "inf",
    "0",
    "0.0",
    "30000",
    "None",
    "Some(",
    "\"",
    "\\u{0}",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "\n",
    "\r\n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    ";",
    "#",
    "dim: 512 512\n",
    "dim: 999999999 5\n",
    "size: 62",
    "size: 4294967295",
    "wall_length: 1000000000",
    "walls: 4000000000",
    "seed:",
    "-#@$*+.",
    "/*",
    "*/",
    "//",
    "r#\"",
    "\"#",
    "=G=",
    "x99999",
    "99999a",
];

/// Alters bytes in one to four places.
pub fn altered(bytes: &[u8], other: &[u8], dice: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..dice.random_range(1..5) {
        let at = dice.random_range(0..=bytes.len());
        let end = (at + dice.random_range(0..40)).min(bytes.len());
        match dice.random_range(0..9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.random_range(0..8),
            1 if at < bytes.len() => bytes[at] = dice.random(),
            2 => drop(bytes.drain(at..end)),
            3 => bytes.truncate(at),
            4 => {
                let copied = bytes[at..end].repeat(dice.random_range(1..8));
                bytes.splice(at..at, copied);
            }
            5 | 6 => {
                let word = WORDS[dice.random_range(0..WORDS.len())];
                bytes.splice(at..at, word.bytes());
            }
            7 => {
                // A number in the place of another.
                if let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
                    let from = at + digit;
                    let digits = bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
                    let word = WORDS[dice.random_range(0..10)];
                    bytes.splice(from..from + digits, word.bytes());
                }
            }
            _ if !other.is_empty() => {
                let from = dice.random_range(0..other.len());
                let to = (from + dice.random_range(0..200)).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            _ => {}
        }
    }
    bytes
}

/// Arbitrary bytes, most of them characters that files of ours have.
pub fn arbitrary(dice: &mut ChaCha8Rng) -> Vec<u8> {
    const COMMON: &[u8] = b"(){}[]:,\"#.=-SFTCGo$@*+_0123456789 abcdefmnop\n";
    let length = dice.random_range(0..300);
    let is_common = dice.random_bool(0.8);
    let one = |dice: &mut ChaCha8Rng| match is_common {
        true => COMMON[dice.random_range(0..COMMON.len())],
        false => dice.random(),
    };
    (0..length).map(|_| one(dice)).collect()
}

/// Gives a reader of another sort of file 500 alterations of a sample, or as many as
/// `OUTWIT_FUZZ_INPUTS` says: it must accept some of them and refuse some.
///
/// # Panics
/// If it accepts all or none.
pub fn read_altered(sample: &[u8], read: impl Fn(&[u8]) -> bool) {
    let inputs = number("OUTWIT_FUZZ_INPUTS").unwrap_or(500);
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let accepted = (0..inputs).filter(|_| read(&altered(sample, sample, &mut dice))).count();
    println!("{accepted} of {inputs} accepted");
    assert!(accepted > 0 && (accepted as u64) < inputs, "{accepted} of {inputs} accepted");
}

/// A number that the environment names.
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}
