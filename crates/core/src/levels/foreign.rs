//! Kinds of files that hold no level, named so that people know what they have.

/// What the bytes are and what to do about it, if they are a file of this program that holds no
/// level, or of a common kind that cannot be read.
pub fn no_level(bytes: &[u8]) -> Option<&'static str> {
    const OWN: [(&[u8], &str); 3] = [
        (
            b"{\"format\":\"outwit-tournament",
            "this is a tournament; 'outwit match --resume' reads it",
        ),
        (
            b"(format:\"outwit-replay",
            "this is a replay; drop it on the menu or use 'outwit replay'",
        ),
        (
            b"{\"format\":\"outwit-exercise",
            "this is an exercise; drop it on the menu, or use 'outwit exercise' for its sheet and its key",
        ),
    ];
    let visible = || bytes.iter().take(100).filter(|byte| !byte.is_ascii_whitespace());
    OWN.iter()
        .find(|(head, _)| visible().take(head.len()).eq(*head))
        .map(|(_, what)| *what)
        .or_else(|| foreign_file(bytes))
}

/// What the bytes are and what to do about it, if they are of a common kind that cannot be read.
pub fn foreign_file(bytes: &[u8]) -> Option<&'static str> {
    const JPEG: &str = "this is a JPEG picture, whose colours are not exact; save the map as PNG";
    const KINDS: [(&[u8], &str); 7] = [
        (b"\xff\xd8\xff", JPEG),
        (b"GIF8", "this is a GIF picture; save the map as PNG"),
        (b"\xff\xfe", "this is UTF-16 text; save it as UTF-8"),
        (b"\xfe\xff", "this is UTF-16 text; save it as UTF-8"),
        (b"\x1f\x8b", "this is a gzip archive; unpack it"),
        (b"PK\x03\x04", "this is a ZIP archive; unpack it"),
        (b"%PDF", "this is a PDF document"),
    ];
    if let Some((_, what)) = KINDS.iter().find(|(head, _)| bytes.starts_with(head)) {
        return Some(what);
    }
    // The fields of a BMP file's head: reserved bytes, and one of the known sizes of its second head.
    if bytes.starts_with(b"BM")
        && bytes.get(6..10) == Some(&[0; 4])
        && matches!(bytes.get(14..18), Some(&[12 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0]))
    {
        return Some("this is a BMP picture; save the map as PNG");
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some("this is a WebP picture; save the map as PNG");
    }
    // Without its mark, UTF-16 of plain text has a zero in every other byte.
    let pairs = || bytes.chunks_exact(2).take(32);
    let zeros = |at: usize| pairs().filter(|pair| pair[at] == 0 && pair[1 - at] != 0).count();
    (bytes.len() >= 8 && (zeros(0) == pairs().count() || zeros(1) == pairs().count()))
        .then_some("this is UTF-16 text; save it as UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_kinds_are_named() {
        let utf16 = |text: &str, mark: &[u8]| {
            let units = text.encode_utf16().flat_map(u16::to_le_bytes);
            mark.iter().copied().chain(units).collect::<Vec<u8>>()
        };
        let bmp = [&b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"[..], &[0; 40]].concat();
        for (bytes, name) in [
            (&b"\xff\xd8\xff\xe0\0\x10JFIF"[..], "JPEG"),
            (&bmp, "BMP"),
            (&utf16("(format: 1)", b"\xff\xfe"), "UTF-16"),
            (&utf16("(format: 1)", b""), "UTF-16"),
            (b"PK\x03\x04", "ZIP"),
        ] {
            assert!(foreign_file(bytes).is_some_and(|what| what.contains(name)), "{name}");
            assert_eq!(no_level(bytes), foreign_file(bytes));
        }
        for (bytes, name) in [
            (&b"{\"format\":\"outwit-tournament 2\",\"contest\":{"[..], "tournament"),
            (b"(\n    format: \"outwit-replay 3\",\n    game: \"mnk\"", "replay"),
            (b"{\n  \"format\": \"outwit-exercise 1\",", "exercise"),
        ] {
            assert!(no_level(bytes).is_some_and(|what| what.contains(name)), "{name}");
            assert_eq!(foreign_file(bytes), None);
        }
        for plain in [&b""[..], b"BMX", b"(format: \"cops 1\")", b"\0\0\0\0\0\0\0\0", b"####\n#SF#"]
        {
            assert_eq!(foreign_file(plain), None);
        }
    }
}
