//! Files are recognised as levels of the right game.

use outwit_conformance::peak;
use outwit_headless::{GAMES, find, recognise};
use outwit_levels::{BUILT_IN, BuiltIn, built_in};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRng, TestRunner};

#[test]
fn collections_of_puzzles_are_recognised() {
    let board = "####\n#@$.#\n####\n";
    for text in [
        board.to_owned(),
        board.replace('\n', "\r\n"),
        format!("\u{feff}{board}"),
        "4#|#@$.#|4#".into(),
        "4#|\n#@$.#|\n4#".into(),
        "2(2#)\n#@$.#\n4#-".into(),
        "####_\n#pbo#\n####-".into(),
    ] {
        let found = recognise(text.as_bytes(), "x").map(|kind| kind.id());
        assert_eq!(found, Some("pukoban"), "{text}");
    }
    let other = find("racetrack").unwrap();
    let tiny = built_in("racetrack/tiny").unwrap().bytes().unwrap();
    assert_eq!(other.read_collection(&tiny, "tiny.ron").unwrap().len(), 1);
    let text = format!("One\n{board}\nTwo\n{board}");
    assert!(other.read_collection(text.as_bytes(), "set.xsb").is_err());
}

/// A level of each game in each of its formats.
fn level_files() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for game in GAMES {
        let of_game = |level: &&BuiltIn| level.id.split('/').next() == Some(game.id());
        let levels = BUILT_IN.iter().filter(of_game).map(|level| level.text.as_bytes());
        let level = levels.min_by_key(|text| text.len()).unwrap();
        let convert = |ending| game.convert(level, "a.ron", &[], ending).unwrap().bytes;
        files.extend(game.exports().into_iter().map(convert));
        files.push(level.to_vec());
    }
    files
}

/// All games look at what any file holds, so none may panic or take much memory.
#[test]
fn any_bytes_can_be_looked_at() {
    let files = level_files();
    let spoilt =
        (0..files.len(), 0.0..2.0_f64, prop::collection::vec((0.0..1.0_f64, any::<u8>()), 0..6))
            .prop_map(move |(which, cut, changes)| {
                let mut bytes = files[which].clone();
                let length = bytes.len() as f64;
                for (at, byte) in changes {
                    bytes[(at * length) as usize] = byte;
                }
                bytes.truncate((cut * length) as usize);
                bytes
            });
    let bytes = prop_oneof![prop::collection::vec(any::<u8>(), 0..400), spoilt];
    let look = |bytes: &[u8]| {
        let used = peak(|| {
            for name in ["a.ron", "a.png", "a.txt", "a"] {
                let _ = recognise(bytes, name);
            }
        });
        assert!(used < 64 << 20, "{used} bytes");
    };
    let config = Config { failure_persistence: None, ..Config::with_cases(512) };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(Default::default()))
        .run(&bytes, |bytes| {
            look(&bytes);
            Ok(())
        })
        .unwrap();
    for opening in ["(", "[", "{", "Some("] {
        look(opening.repeat(50_000).as_bytes());
    }
}
