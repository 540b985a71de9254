//! What goes out comes in again, and nothing that comes in panics.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::games::kind::{Cabinet, GameKind, KindOf, read_level};
use crate::games::racetrack::Racetrack;
use crate::games::racetrack::level::{Contact, Crash, Steering};
use crate::levels::{read_ron, write_ron};
use proptest::prelude::*;

const KIND: KindOf<Racetrack> = KindOf::NEW;

fn maps() -> impl Strategy<Value = Vec<String>> {
    (1_usize..12, 1_usize..9).prop_flat_map(|(width, height)| {
        let symbol = prop::sample::select("##....SF123456789".chars().collect::<Vec<_>>());
        let row = prop::collection::vec(symbol, width);
        prop::collection::vec(row, height)
            .prop_map(|rows| rows.into_iter().map(|row| row.into_iter().collect()).collect())
    })
}

prop_compose! {
    fn tracks()(
        map in maps(),
        name in "\\PC{1,20}", author in "\\PC{0,9}", about in "[^\\x00]{0,30}",
        nine: bool, max_speed in prop::option::of(1_u32..31), penalty in prop::option::of(0_u32..10),
        laps in 1_u32..10, block: bool,
    ) -> TrackFile {
        TrackFile {
            format: FORMAT.into(), name, author, about, map,
            rules: RaceRules {
                steering: if nine { Steering::Nine } else { Steering::Eight },
                max_speed,
                crash: penalty.map_or(Crash::Out, Crash::Penalty),
                laps,
                contact: if block { Contact::Block } else { Contact::Ghost },
            },
        }
    }
}

proptest! {
    #[test]
    fn our_own_format_keeps_everything(level in tracks()) {
        prop_assume!(!level.name.trim().is_empty());
        let text = write_ron(&level);
        prop_assert_eq!(read_ron::<TrackFile>(text.as_bytes()), Ok(level), "{}", text);
    }

    #[test]
    fn a_picture_keeps_everything(level in tracks()) {
        let bytes = export(&level, "png").unwrap().bytes;
        prop_assert_eq!(import(&bytes, "x.png").unwrap(), Ok(level));
    }

    #[test]
    fn a_text_keeps_the_map(level in tracks(), track: bool) {
        let written = export(&level, if track { "track" } else { "txt" }).unwrap();
        let read = import(&written.bytes, "x.track").unwrap().unwrap();
        prop_assert_eq!(read.map, level.map);
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0..4) {
        let name = ["x.txt", "x.track", "x.png", "x.ron"][kind as usize];
        let _ = KIND.check(&bytes, name);
        let _ = KIND.replay(&bytes);
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        png.extend(&bytes);
        let _ = KIND.check(&png, name);
    }

    #[test]
    fn damaged_files_are_survived(
        level in tracks(), at in any::<prop::sample::Index>(), byte: u8, cut: bool,
    ) {
        for ending in ["png", "txt", "ron"] {
            let mut bytes = match ending {
                "ron" => write_ron(&level).into_bytes(),
                _ => export(&level, ending).unwrap().bytes,
            };
            let at = at.index(bytes.len());
            if cut { bytes.truncate(at) } else { bytes[at] = byte }
            if let Ok(read) = read_level::<Racetrack>(&bytes, &format!("x.{ending}")) {
                prop_assert!(Racetrack::faults(&read).is_empty());
            }
        }
    }
}

#[test]
fn all_dialects_of_text_are_read() {
    let body = "xxxxx\nxs-gx\nxxxxx";
    for text in [
        body.to_owned(),
        format!("dim: 3 5\n{body}"),
        format!("3,5\n{body}\n\n"),
        format!("20\n5 3\n{body}"),
        format!("\u{feff}{}", body.replace('\n', "\r\n")),
        body.replace('x', "#").replace('g', "*").replace('s', "P").replace('-', " "),
    ] {
        let level = import(text.as_bytes(), "small.track").unwrap().unwrap();
        assert_eq!(level.map, ["#####", "#S.F#", "#####"], "{text}");
        assert_eq!(level.name, "small");
        assert!(looks(&text), "{text}");
    }
    fn looks(text: &str) -> bool {
        import(text.as_bytes(), "unknown").is_some()
    }
}

#[test]
fn faults_say_where() {
    let told = |text: &str| {
        let faults = import(text.as_bytes(), "x.txt").unwrap().unwrap_err();
        faults.iter().map(|fault| fault.in_file("x.txt")).collect::<Vec<_>>().join("\n")
    };
    assert!(told("dim: 3 5\n#####\n#S?F#\n#####").starts_with("x.txt:3:3: '?'"));
    assert!(told("dim: 4 5\n#####\n#S.F#\n#####").contains("promise 4 rows; there are 3"));
    assert!(told("dim: 3 4\n####\n#S.F#\n####").starts_with("x.txt:3:5: this row is longer"));
    assert!(told("dim: 999999999 5\n#####").contains("at most 512 by 512"));
    assert!(told("").contains("no cells"));
}

#[test]
fn a_huge_picture_is_refused_unread() {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 60_000, 60_000);
    encoder.set_color(png::ColorType::Grayscale);
    // Only the header is written: whoever tried to read pixels would fail otherwise.
    drop(encoder.write_header().unwrap());
    let faults = import(&bytes, "huge.png").unwrap().unwrap_err();
    assert!(faults[0].what.contains("60000 by 60000"), "{faults:?}");
}

#[test]
fn our_own_files_are_not_taken_for_text() {
    let level = plain("x", &Grid::filled(3, 3, '.'));
    assert!(import(write_ron(&level).as_bytes(), "x.ron").is_none());
    assert!(import(b"\x00\x01\x02", "x").is_none());
}
