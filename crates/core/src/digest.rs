//! Numbers that tell states and texts apart.

use serde::Serialize;

/// A number that equal states share on every machine and different ones hardly ever do:
/// [`digest_of`] the state written as RON.
pub fn digest<S: Serialize>(state: &S) -> u64 {
    // Plain data always serialises; an error would only make two digests differ.
    let text = ron::to_string(state).unwrap_or_else(|error| error.to_string());
    digest_of(text.as_bytes())
}

/// A number that tells texts apart: FNV-1a, 64 bits.
pub fn digest_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}
