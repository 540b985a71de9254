//! Every exported level can be imported again, and no input panics.

use outwit_cops::Cops;
use outwit_core::grid::Cell;
use outwit_core::grid::Grid;
use outwit_core::levels::Fault;
use outwit_core::levels::{Property, PropertyKind, write_ron};
use outwit_headless::GAMES;
use outwit_kit::{DynGame, Erased, read_level};
use outwit_kit::{GameSpec, read_foreign};
use outwit_kit::{LevelDraft, Placement, TileKind};
use outwit_levels::built_in;
use outwit_racetrack::{RaceRules, Racetrack, TrackFile};
use proptest::prelude::*;
use proptest::sample::Index;

const TRACKS: &dyn DynGame = Erased::<Racetrack>::GAME;

/// The only level of a file.
fn read<G: GameSpec>(bytes: &[u8], name: &str) -> Option<Result<G::Level, Vec<Fault>>> {
    let only = |mut levels: Vec<G::Level>| {
        assert_eq!(levels.len(), 1);
        levels.remove(0)
    };
    read_foreign::<G>(bytes, name).map(|read| read.map(only))
}

/// A possible value of a rule.
fn value(property: &Property, pick: &Index) -> String {
    match property.kind {
        PropertyKind::Whole { min, max, optional } => {
            let count = (max - min + 1) as usize;
            match pick.index(count + usize::from(optional)) {
                at if at == count => "none".into(),
                at => (min + at as i64).to_string(),
            }
        }
        PropertyKind::Real { min, max } => {
            (min + (max - min) * pick.index(1001) as f64 / 1000.0).to_string()
        }
        PropertyKind::Choice(words) => words[pick.index(words.len())].into(),
        PropertyKind::Flag => (pick.index(2) == 1).to_string(),
    }
}

prop_compose! {
    /// Any draft of any game.
    fn any_draft()(
        game in 0..GAMES.len(),
        (width, height) in (0_usize..14, 0_usize..14),
        cells in prop::collection::vec(any::<Index>(), 30 * 30),
        rules in prop::collection::vec(any::<Index>(), 40),
        name: String, author: String, about: String,
    ) -> (usize, LevelDraft) {
        let kind = GAMES[game];
        let (width, height) = (kind.facts().sides.start() + width, kind.facts().sides.start() + height);
        let mut cells = cells.iter();
        let cells = Grid::from_fn(width, height, |cell| {
            let may: Vec<&TileKind> =
                kind.facts().palette.iter().filter(|s| s.place.holds(cell, width, height)).collect();
            cells.next().map_or(may[0], |index| may[index.index(may.len())]).symbol
        });
        let rules = kind
            .properties()
            .iter()
            .zip(kind.default_rules())
            .zip(&rules)
            .map(|((property, usual), pick)| {
                let value = value(property, pick);
                kind.rule(property.key, &value).unwrap_or(usual)
            })
            .collect();
        (game, LevelDraft { name, author, about, rules, cells })
    }
}

proptest! {
    #[test]
    fn written_levels_can_be_read((game, draft) in any_draft()) {
        let kind = GAMES[game];
        for ending in ["ron", "png", "txt"] {
            let written = kind.export_draft(&draft, ending).unwrap();
            prop_assert!(written.lost.is_empty());
            // With any file name.
            for name in [format!("x.{ending}"), "x".into(), String::new()] {
                let found = outwit_headless::recognise(&written.bytes, &name).map(|kind| kind.id());
                prop_assert_eq!(found, Some(kind.id()));
                let read = kind.open(&written.bytes, &name);
                prop_assert_eq!(read.as_ref(), Ok(&draft), "{}", ending);
            }
            for other in GAMES.iter().copied().filter(|kin| kin.id() != kind.id()) {
                let faults = other.open(&written.bytes, "x").unwrap_err();
                if ending != "ron" {
                    let message = &faults[0].what;
                    prop_assert!(message.contains(kind.id()) && message.contains(other.name()), "{}", message);
                }
            }
        }
    }

    #[test]
    fn a_map_alone_keeps_its_cells((game, draft) in any_draft()) {
        let kind = GAMES[game];
        let map = |draft: &LevelDraft| draft.cells.as_slice().to_vec();
        let text = kind.export_draft(&draft, "txt").unwrap().bytes;
        let text = String::from_utf8(text).unwrap();
        let bare: String = text.lines().filter(|l| !l.starts_with(';')).flat_map(|l| [l, "\r\n"]).collect();
        let read = kind.open(bare.as_bytes(), "level.txt").unwrap();
        prop_assert_eq!(map(&read), map(&draft));
        prop_assert_eq!(read.name, "level");
        if kind.exports().contains(&"track") {
            let text = kind.export_draft(&draft, "track").unwrap();
            prop_assert_eq!(map(&kind.open(&text.bytes, "x.track").unwrap()), map(&draft));
        }
    }

    #[test]
    fn pixels_alone_keep_their_cells((game, draft) in any_draft()) {
        let kind = GAMES[game];
        let bytes = kind.export_draft(&draft, "png").unwrap().bytes;
        let bare = repaint(&bytes, false, |_, pixel| pixel);
        let read = kind.open(&bare, "level.png").unwrap();
        prop_assert_eq!(read.cells, draft.cells);
        prop_assert_eq!(read.name, "level");
    }

    #[test]
    fn no_bytes_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), ending in 0..4_usize) {
        let name = ["x.txt", "x.track", "x.png", "x.ron"][ending];
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        png.extend(&bytes);
        let mut head = b"; format: \"cops 1\",\n;".to_vec();
        head.extend(&bytes);
        for &kind in GAMES {
            for bytes in [&bytes, &png, &head] {
                let _ = kind.check(bytes, name);
                let _ = kind.open(bytes, name);
                let _ = outwit_headless::recognise(bytes, name);
                let _ = kind.replay(bytes);
            }
        }
    }

    #[test]
    fn damage_is_reported_without_a_panic(
        (game, draft) in any_draft(), at: Index, byte: u8, cut: bool,
    ) {
        let kind = GAMES[game];
        for ending in ["png", "txt", "ron"] {
            let mut bytes = kind.export_draft(&draft, ending).unwrap().bytes;
            let at = at.index(bytes.len());
            let whole = bytes[at] == byte && !cut;
            if cut { bytes.truncate(at) } else { bytes[at] = byte }
            let read = kind.open(&bytes, &format!("x.{ending}"));
            // Every byte of a picture counts: it is the same level or an error.
            if ending == "png" && !cut && !whole && at < bytes.len() - 12 {
                prop_assert!(read.is_err() || read == Ok(draft.clone()));
            }
        }
    }
}

/// The picture with its pixels changed, with or without its text.
fn repaint(bytes: &[u8], text: bool, paint: impl Fn(Cell, [u8; 3]) -> [u8; 3]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    reader.finish().unwrap();
    let info = reader.info();
    for (at, pixel) in pixels.chunks_mut(3).enumerate() {
        let cell = Cell::new(at as i32 % info.width as i32, at as i32 / info.width as i32);
        let painted = paint(cell, [pixel[0], pixel[1], pixel[2]]);
        pixel.copy_from_slice(&painted);
    }
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, info.width, info.height);
    encoder.set_color(png::ColorType::Rgb);
    for chunk in info.utf8_text.iter().filter(|_| text) {
        encoder.add_itxt_chunk(chunk.keyword.clone(), chunk.get_text().unwrap()).unwrap();
    }
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    out
}

fn cops_draft() -> LevelDraft {
    let kind = outwit_headless::find("cops").unwrap();
    kind.open(&built_in("cops/duel").unwrap().bytes().unwrap(), "duel").unwrap()
}

#[test]
fn repainted_pixels_count() {
    let kind = outwit_headless::find("cops").unwrap();
    let draft = cops_draft();
    let bytes = kind.export_draft(&draft, "png").unwrap().bytes;
    let spot = Cell::new(2, 2);
    let painted = repaint(&bytes, true, |cell, pixel| if cell == spot { [9, 9, 9] } else { pixel });
    let read = kind.open(&painted, "x.png").unwrap();
    let mut wanted = draft;
    wanted.cells[spot] = '#';
    assert_eq!(read, wanted, "the rest of the level stays, its rules and name too");
}

#[test]
fn a_damaged_text_in_a_picture_is_reported() {
    let kind = outwit_headless::find("cops").unwrap();
    let bytes = kind.export_draft(&cops_draft(), "png").unwrap().bytes;
    let at = bytes.windows(6).position(|window| window == b"outwit").unwrap() + 30;
    let mut damaged_bytes = bytes.clone();
    damaged_bytes[at] ^= 1;
    let faults = kind.open(&damaged_bytes, "x.png").unwrap_err();
    assert!(faults[0].what.contains("damaged"), "{faults:?}");
    // A chunk that is whole but says nonsense.
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 5, 5);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.add_itxt_chunk("outwit".into(), "(format: \"cops 1\", name: 7".into()).unwrap();
    encoder.write_header().unwrap().write_image_data(&[255; 25]).unwrap();
    let faults = kind.open(&out, "x.png").unwrap_err();
    assert!(faults[0].what.contains("picture's text is damaged (line 1"), "{faults:?}");
}

#[test]
fn all_text_dialects_are_read() {
    let body = "xxxxx\nxs-gx\nxxxxx";
    for text in [
        body.to_owned(),
        format!("dim: 3 5\n{body}"),
        format!("3,5\n{body}\n\n"),
        format!("20\n5 3\n{body}"),
        format!("; a comment\n;another\n{body}"),
        format!("\u{feff}{}", body.replace('\n', "\r\n")),
        body.replace('x', "#").replace('g', "*").replace('s', "P").replace('-', " "),
    ] {
        let level = read::<Racetrack>(text.as_bytes(), "small.track").unwrap().unwrap();
        assert_eq!(level.map, ["#####", "#S.F#", "#####"], "{text}");
        assert_eq!(level.name, "small");
        let found = outwit_headless::recognise(text.as_bytes(), "unknown").unwrap();
        assert_eq!(found.id(), "racetrack", "{text}");
    }
    let board = "=====\n=T..=\n=.#.G\n=..CG\n=====";
    assert_eq!(outwit_headless::recognise(board.as_bytes(), "x").unwrap().id(), "cops");
    let faulty = board.replace('#', "?");
    assert_eq!(outwit_headless::recognise(faulty.as_bytes(), "x.txt").unwrap().id(), "cops");
    assert!(outwit_headless::recognise(faulty.as_bytes(), "x").is_none());
    assert!(read::<Cops>(faulty.as_bytes(), "x").is_none());
}

#[test]
fn faults_say_where() {
    let message = |text: &str| {
        let faults = read::<Racetrack>(text.as_bytes(), "x.txt").unwrap().unwrap_err();
        faults.iter().map(|fault| fault.in_file("x.txt")).collect::<Vec<_>>().join("\n")
    };
    assert!(
        message("dim: 3 5\n#####\n#S?F#\n#####").starts_with("x.txt:3:3: unknown character '?'")
    );
    assert!(
        message("; by me\ndim: 3 5\n#####\n#S?F#\n#####")
            .starts_with("x.txt:4:3: unknown character '?'")
    );
    assert!(message("dim: 4 5\n#####\n#S.F#\n#####").contains("announce 4 rows, but there are 3"));
    assert!(message("dim: 3 4\n####\n#S.F#\n####").starts_with("x.txt:3:5: this row is longer"));
    assert!(message("dim: 999999999 5\n#####").contains("the maximum is 512 by 512"));
    assert!(message("").contains("no cells"));
    let head = "; format: \"racetrack 1\",\n; name: 7,\n#SF#";
    assert!(message(head).starts_with("x.txt:2:"), "{}", message(head));
    let other = "; format: \"chess 3\",\n; name: \"x\",\n#SF#";
    assert!(message(other).contains("of the game 'chess', not of"));
}

#[test]
fn a_huge_picture_is_refused_unread() {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 60_000, 60_000);
    encoder.set_color(png::ColorType::Grayscale);
    // Only the header is written, so reading pixels would fail with another error.
    drop(encoder.write_header().unwrap());
    let faults = read::<Racetrack>(&bytes, "huge.png").unwrap().unwrap_err();
    assert!(faults[0].what.contains("60000 by 60000"), "{faults:?}");
}

#[test]
fn our_own_files_are_not_taken_for_text() {
    let level: TrackFile =
        read::<Racetrack>(b"dim: 3 3\n...\n...\n...", "x.track").unwrap().unwrap();
    let ron = write_ron(&level);
    for name in ["x.ron", "x.txt"] {
        assert!(read::<Racetrack>(ron.as_bytes(), name).is_none());
    }
    assert!(read::<Racetrack>(b"\x00\x01\x02", "x").is_none());
    assert_eq!(TRACKS.convert(b"", "x", &[], "gif").err().map(|faults| faults.len()), Some(1));
    let draft = TRACKS.open(ron.as_bytes(), "x.ron").unwrap();
    let why = TRACKS.export_draft(&draft, "gif").err().unwrap().to_string();
    assert!(why.contains("'gif'") && why.contains("png, txt, track"), "{why}");
    assert!(read_level::<Racetrack>(ron.as_bytes(), "x").is_err(), "no start");
    assert_eq!(RaceRules::default(), level.rules);
}

/// What text and pictures need from the tiles of every game.
#[test]
fn tiles_can_be_distinguished() {
    for &kind in GAMES {
        let palette = kind.facts().palette;
        for (at, tile) in palette.iter().enumerate() {
            assert_ne!(tile.symbol, ';', "comments begin with it");
            for other in &palette[at + 1..] {
                let meet = tile.place == other.place
                    || [tile.place, other.place].contains(&Placement::Anywhere);
                assert!(!meet || tile.colour != other.colour, "{} {}", tile.name, other.name);
                assert!(!tile.aliases.chars().any(|alias| other.aliases.contains(alias)));
            }
        }
    }
}
