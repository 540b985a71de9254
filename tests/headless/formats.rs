//! Whatever a file holds, reading it says something and never panics.

use super::tracks::{circuit, race};
use outwit_core::levels::write_ron;
use outwit_core::play::Replay;
use outwit_kit::{DynGame, Erased};
use outwit_racetrack::{RaceRules, Racetrack};
use proptest::prelude::*;

static KIND: &dyn DynGame = Erased::<Racetrack>::GAME;
const NAMES: [&str; 5] = ["a.ron", "a.png", "a.track", "a.txt", "a"];

fn replay() -> Vec<u8> {
    let mut race = race(&circuit(RaceRules::default()), 1);
    for _ in 0..4 {
        let seat = race.to_move()[0];
        let action = race.game().choices(race.state(), seat)[0];
        race.advance(vec![(seat, action)]).unwrap();
        if race.outcome().is_some() {
            break;
        }
    }
    ron::to_string(&Replay::of(&race, vec!["human".into()])).unwrap().into_bytes()
}

/// One valid file of every kind.
fn files() -> Vec<Vec<u8>> {
    let ron = write_ron(&circuit(RaceRules::default())).into_bytes();
    let picture = KIND.convert(&ron, "a.ron", &[], "png").unwrap().bytes;
    let text = KIND.convert(&ron, "a.ron", &[], "track").unwrap().bytes;
    vec![ron, picture, text, replay()]
}

fn read_every_way(bytes: &[u8]) {
    for name in NAMES {
        let faults = KIND.check(bytes, name);
        assert!(faults.iter().all(|fault| !fault.what.is_empty() && !fault.to_string().is_empty()));
        let _ = outwit_headless::recognise(bytes, name);
        let _ = KIND.describe(bytes, name);
        for ending in ["ron", "png", "txt", "track", "nonsense", ""] {
            let _ = KIND.convert(bytes, name, &[], ending);
        }
    }
    let _ = KIND.replay(bytes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_every_way(&bytes);
    }

    #[test]
    fn any_text(text in "[(){}\\[\\]:,\"#.SF1-9 a-z\n]{0,300}") {
        read_every_way(text.as_bytes());
    }

    #[test]
    fn spoilt_files(
        which in 0..4_usize, cut in 0.0..1.0_f64,
        changes in prop::collection::vec((0.0..1.0_f64, any::<u8>()), 0..6),
    ) {
        let mut bytes = files().swap_remove(which);
        for (at, byte) in changes {
            let at = (at * bytes.len() as f64) as usize;
            bytes[at] = byte;
        }
        if cut < 0.5 {
            bytes.truncate((cut * 2.0 * bytes.len() as f64) as usize);
        }
        read_every_way(&bytes);
    }
}

#[test]
fn deep_nesting_is_no_stack_overflow() {
    for opening in ["(", "[", "{", "Some("] {
        read_every_way(opening.repeat(100_000).as_bytes());
    }
}

#[test]
fn a_level_survives_every_way_round() {
    let ron = write_ron(&circuit(RaceRules { laps: 3, ..RaceRules::default() })).into_bytes();
    let picture = KIND.convert(&ron, "a.ron", &[], "png").unwrap();
    assert!(picture.lost.is_empty());
    assert_eq!(KIND.convert(&picture.bytes, "b.png", &[], "ron").unwrap().bytes, ron);
    let text = KIND.convert(&ron, "a.ron", &[], "txt").unwrap();
    assert!(text.lost.is_empty());
    assert_eq!(KIND.convert(&text.bytes, "b.txt", &[], "ron").unwrap().bytes, ron);
    let text = KIND.convert(&ron, "a.ron", &[], "track").unwrap();
    assert!(text.lost.iter().any(|lost| lost.contains("laps")), "{:?}", text.lost);
    let sets = [("laps".to_owned(), "3".to_owned())];
    let again = KIND.convert(&text.bytes, "Test.track", &sets, "ron").unwrap();
    assert_eq!(again.bytes, ron);
}

#[test]
fn the_levels_in_the_manual_can_be_played() {
    let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/manual/src");
    let levels = |page: &str| -> Vec<String> {
        let text = std::fs::read_to_string(pages.join(page)).unwrap();
        let blocks = text.split("```ron\n").skip(1);
        blocks.map(|rest| rest.split_once("```").unwrap().0.to_owned()).collect()
    };
    for game in outwit_headless::GAMES {
        let page = format!("games/{}.md", game.id());
        let [level] = &levels(&page)[..] else { panic!("{page}: one level") };
        assert_eq!(outwit_headless::recognise(level.as_bytes(), &page).unwrap().id(), game.id());
        assert_eq!(game.check(level.as_bytes(), &page), []);
    }
    let [level] = &levels("level-files.md")[..] else { panic!("one level") };
    let game = outwit_headless::recognise(level.as_bytes(), "level.ron").unwrap();
    assert_eq!(game.check(level.as_bytes(), "level.ron"), []);
}
