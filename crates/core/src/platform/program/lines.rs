//! Lines out of bytes that come in any pieces.

use crate::platform::time::{Duration, sleep};
use std::io::{ErrorKind, Read};

/// The longest line where nothing else is said, in bytes.
pub const LONGEST: usize = 4096;
/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// A line that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadLine {
    /// Its text, without its end; what is not UTF-8 is replaced.
    pub text: String,
    /// Whether it was too long and its rest was thrown away.
    pub is_cut: bool,
}

/// Splits what comes into lines, which end with LF, CR LF or CR, until it ends or `take` wants no more.
/// Empty lines are left out, longer ones than 4096 bytes are cut.
pub fn read_lines(source: impl Read, take: impl FnMut(ReadLine) -> bool) {
    read_long_lines(source, LONGEST, take);
}

/// [`read_lines`] that cuts lines after so many bytes, as soon as they are longer.
pub fn read_long_lines(
    mut source: impl Read,
    longest: usize,
    mut take: impl FnMut(ReadLine) -> bool,
) {
    let mut chunk = vec![0; CHUNK];
    let mut bytes = Vec::new();
    // Whether the rest of a line is left out whose beginning was too long.
    let mut is_skipped = false;
    let line = |bytes: &[u8], is_cut| ReadLine {
        text: String::from_utf8_lossy(bytes).into_owned(),
        is_cut,
    };
    loop {
        let length = match source.read(&mut chunk) {
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        for &byte in &chunk[..length] {
            let is_end = matches!(byte, b'\n' | b'\r');
            let is_too_long = !is_end && !is_skipped && bytes.len() == longest;
            if is_too_long || is_end && !bytes.is_empty() {
                if !take(line(&bytes, is_too_long)) {
                    return;
                }
                bytes.clear();
            }
            is_skipped = !is_end && (is_skipped || is_too_long);
            if !is_end && !is_skipped {
                bytes.push(byte);
            }
        }
        if length == 0 {
            if !bytes.is_empty() {
                take(line(&bytes, false));
            }
            return;
        }
        if length == CHUNK {
            // Whoever writes without end shall not keep a processor busy here too.
            sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(source: impl Read) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(source, |line| {
            lines.push(line.text);
            true
        });
        lines
    }

    #[test]
    fn lines_end_in_three_ways() {
        assert_eq!(texts(&b"a\r\nb\rc\n\n\nd"[..]), ["a", "b", "c", "d"]);
        assert_eq!(texts(&b"\xff\xfe\n\0"[..]), ["\u{fffd}\u{fffd}", "\0"]);
        let mut taken = 0;
        read_lines(&b"1\n2\n3\n4\n"[..], |_| {
            taken += 1;
            taken < 2
        });
        assert_eq!(taken, 2);
    }

    #[test]
    fn long_lines_are_cut() {
        let mut lines = Vec::new();
        let bytes = [&[b'x'; 100_000][..], b"\nnext\n", &[b'y'; LONGEST], b"\n"].concat();
        read_lines(&bytes[..], |line| {
            lines.push((line.text.len(), line.is_cut));
            true
        });
        assert_eq!(lines, [(LONGEST, true), (4, false), (LONGEST, false)]);
    }

    /// Gives its bytes in pieces of these lengths.
    struct Pieces<'a>(&'a [u8], std::vec::IntoIter<usize>);

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let length = self.1.next().unwrap_or(usize::MAX).min(self.0.len()).min(into.len());
            let (now, later) = self.0.split_at(length);
            into[..length].copy_from_slice(now);
            self.0 = later;
            Ok(length)
        }
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..200),
            pieces in proptest::collection::vec(1..9_usize, 200),
        ) {
            prop_assert_eq!(texts(&bytes[..]), texts(Pieces(&bytes, pieces.into_iter())));
        }
    }
}
