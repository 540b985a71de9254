//! What keeps the chance of a match from being guessed.

use rand::TryRng;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A secret of 256 bits that is mixed into the seeds of matches, so that nobody finds their dice by
/// trying seeds. It is published with the results, which lets everybody play the matches again.
///
/// Written as 64 hexadecimal digits, in files too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Salt([u8; 32]);

/// Text that is no salt.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a salt is {DIGITS} hexadecimal digits and nothing else")]
pub struct SaltSyntax;

/// Length of a salt as text.
const DIGITS: usize = 64;

impl Salt {
    /// A new salt from the randomness of the operating system.
    ///
    /// # Errors
    /// If the system has none to give.
    pub fn draw() -> Result<Self, std::io::Error> {
        let mut bytes = [0; 32];
        SysRng.try_fill_bytes(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(bytes))
    }

    /// The key of the dice of a match: a keyed hash (BLAKE3) of its seed.
    pub(super) fn key(self, seed: u64) -> [u8; 32] {
        *blake3::keyed_hash(&self.0, &seed.to_le_bytes()).as_bytes()
    }
}

impl fmt::Display for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl From<Salt> for String {
    fn from(salt: Salt) -> Self {
        salt.to_string()
    }
}

impl TryFrom<String> for Salt {
    type Error = SaltSyntax;

    fn try_from(text: String) -> Result<Self, SaltSyntax> {
        text.parse()
    }
}

impl FromStr for Salt {
    type Err = SaltSyntax;

    fn from_str(text: &str) -> Result<Self, SaltSyntax> {
        // A sign would pass as a digit otherwise.
        if text.len() != DIGITS || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(SaltSyntax);
        }
        let mut bytes = [0; DIGITS / 2];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map_err(|_| SaltSyntax)?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salts_are_read_as_they_are_written() {
        let text = "00ff".repeat(16);
        assert_eq!(text.parse::<Salt>().map(|salt| salt.to_string()), Ok(text.clone()));
        assert_eq!(text.to_uppercase().parse::<Salt>(), text.parse());
        let signed = format!("+1{}", &text[2..]);
        let wide = format!("é{}", &text[2..]);
        for wrong in ["", &text[1..], &format!("{text}0"), &format!("{text} "), &signed, &wide] {
            assert_eq!(wrong.parse::<Salt>(), Err(SaltSyntax), "{wrong}");
        }
    }

    #[test]
    fn salts_are_drawn_anew() {
        let (Ok(one), Ok(two)) = (Salt::draw(), Salt::draw()) else { panic!("no randomness") };
        assert_ne!(one, two);
    }

    #[test]
    fn keys_depend_on_salt_and_seed() {
        let [one, two] = [Salt([1; 32]), Salt([2; 32])];
        assert_eq!(one.key(7), one.key(7));
        assert_ne!(one.key(7), two.key(7));
        assert_ne!(one.key(7), one.key(8));
    }
}
