//! Levels, rules and formats: whatever a file says.

use super::{Subject, checked, game, peak, planners_of, random_match, seats};
use outwit_core::levels::{
    LevelFile, MAX_ABOUT, Property, PropertyKind, RuleSet, read_ron, write_ron,
};
use outwit_core::play::{
    Budget, Chance, CheckedLevel, Replay, ReplayError, SetupError, StopFlag, TimeControl,
};
use outwit_core::tournament::{
    Contest, ContestLevel, Entrants, Journal, OpeningSource, run_contest,
};
use outwit_kit::{Erased, GameSpec};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// No single reading may take more.
const MOST_MEMORY: usize = 64 << 20;
const NAMES: [&str; 4] = ["a.ron", "a.png", "a.txt", "a"];

/// Texts for a rule: its limits, one beyond them, and what no rule takes.
fn values(property: &Property) -> Vec<String> {
    let mut values: Vec<String> = match property.kind {
        PropertyKind::Whole { min, max, .. } => {
            [min - 1, min, max, max + 1].map(|value| value.to_string()).into()
        }
        PropertyKind::Real { min, max } => {
            [min - 1e-9, min, max, max + 1e-9].map(|value| value.to_string()).into()
        }
        PropertyKind::Choice(words) => words.iter().map(|&word| word.to_owned()).collect(),
        PropertyKind::Flag => vec!["true".into(), "false".into()],
    };
    let limits = ["0", "-1", "4294967295", "4294967296", "-2147483648", "9223372036854775807"];
    let odd = [
        "18446744073709551615",
        "1e308",
        "-1e308",
        "inf",
        "-inf",
        "NaN",
        "none",
        "",
        "\"x\"",
        "()",
        "true",
    ];
    values.extend(limits.iter().chain(&odd).map(|&value| value.to_owned()));
    values
}

/// The level file with this rule and no other changed.
fn with_rule(file: &str, key: &str, value: &str) -> String {
    let value = if value == "none" { "None" } else { value };
    file.replacen("    map:", &format!("    rules: ({key}: {value}),\n    map:"), 1)
}

/// Every rule takes the values in its range and no others, and none costs much memory.
pub fn rules_at_their_limits<G: GameSpec, S: Subject<Game = G>>() {
    let kind = Erased::<G>::GAME;
    let mut level = S::samples().swap_remove(0);
    level.rules = G::Rules::default();
    let file = write_ron(&level);
    for property in G::Rules::properties() {
        for value in values(property) {
            let what = format!("{}: {value}", property.key);
            let allowed = property.admits(&value).is_ok();
            let set = level.clone().rules.set(property.key, &value);
            assert!(set.is_ok() || !allowed, "{what} is allowed, but: {set:?}");
            if let Err(why) = set {
                assert!(
                    why.to_string().contains(&format!("rules.{}", property.key)),
                    "{what}: {why}"
                );
            }
            let text = with_rule(&file, property.key, &value);
            let mut faults = Vec::new();
            let used = peak(|| faults = kind.check(text.as_bytes(), "a.ron"));
            assert!(used < MOST_MEMORY, "{what}: checking takes {used} bytes");
            let parsed = read_ron::<G::Level>(text.as_bytes());
            if !allowed {
                assert!(!faults.is_empty(), "{what} is out of range and passes");
                if parsed.is_ok() {
                    let named = faults.iter().any(|fault| fault.what.contains(property.key));
                    assert!(named, "{what}: no problem names it: {faults:?}");
                }
            }
            // Replays hold levels that nobody has checked.
            let Ok(parsed) = parsed else { continue };
            let used = peak(|| match CheckedLevel::<G>::new(parsed) {
                Ok(level) => {
                    assert!(faults.is_empty(), "{what}: a file with it is refused: {faults:?}");
                    if let Ok(game) = G::new(&level, *G::SEATS.allowed.end()) {
                        let _ = game.start(&Chance::new(1));
                    }
                }
                Err(found) => assert_eq!(found, faults, "{what}: otherwise than in a file"),
            });
            assert!(used < MOST_MEMORY, "{what}: the start takes {used} bytes");
            let used = peak(|| {
                let _ = kind.describe(text.as_bytes(), "a.ron");
                let _ = kind.convert(text.as_bytes(), "a.ron", &[], "png");
                let stop = StopFlag::default();
                stop.raise();
                if let Ok(draft) = kind.open(text.as_bytes(), "a.ron") {
                    let verdict = kind.check_draft(&draft);
                    assert!(
                        allowed || !verdict.faults.is_empty(),
                        "{what}: the editor lets it pass"
                    );
                    let _ = kind.solve_draft(&draft, &stop);
                }
            });
            assert!(used < MOST_MEMORY, "{what}: lists and editor take {used} bytes");
        }
    }
}

/// The level with one thing wrong with it, and what that is.
fn spoilt<R: RuleSet>(level: &LevelFile<R>) -> Vec<(String, LevelFile<R>)> {
    let with = |what: &str, spoil: &dyn Fn(&mut LevelFile<R>)| {
        let mut level = level.clone();
        spoil(&mut level);
        (what.to_owned(), level)
    };
    let mut all = vec![
        with("another format", &|level| level.format += "0"),
        with("no name", &|level| level.name = " ".into()),
        with("an invisible name", &|level| level.name = "\u{200b}\u{202e} \u{3164}".into()),
        with("a long text", &|level| level.about = "x".repeat(MAX_ABOUT + 1)),
        with("no map", &|level| level.map.clear()),
        with("an empty row", &|level| level.map[0].clear()),
        with("a long row", &|level| level.map[0].push('.')),
        with("an unknown character", &|level| {
            level.map[0] = level.map[0].chars().map(|_| '\u{7}').collect();
        }),
    ];
    for property in R::properties() {
        for value in values(property) {
            let mut level = level.clone();
            let is_outside = property.admits(&value).is_err();
            if is_outside && level.rules.set_unchecked(property.key, &value).is_ok() {
                all.push((format!("{}: {value}", property.key), level));
            }
        }
    }
    all
}

/// A faulty level cannot become a checked one, and so no match; nor can a replay of it be played.
pub fn faulty_levels_are_refused<G: GameSpec, S: Subject<Game = G>>() {
    for sample in S::samples() {
        assert_eq!(G::faults(&sample), []);
        let level = checked::<G>(&sample);
        assert_eq!(level.clone().into_inner(), sample);
        let played = random_match::<G, S>(&sample, 1, 1);
        let replay = || Replay::of(&played, vec!["human".into(); played.game().seats()]);
        assert!(replay().play_with(played.game()).is_ok());
        for (what, level) in spoilt(&sample) {
            let faults = CheckedLevel::<G>::new(level.clone()).err().unwrap_or_default();
            assert!(!faults.is_empty(), "{what} passes");
            let replay = Replay { level, ..replay() }.sealed();
            let why = ReplayError::Level(SetupError::from(faults).to_string());
            assert_eq!(replay.play().err(), Some(why.clone()), "{what}");
            // The rules of the sound level do not let it pass.
            assert_eq!(replay.play_with(played.game()).err(), Some(why), "{what}");
        }
    }
}

fn read_every_way<G: GameSpec>(bytes: &[u8]) {
    let kind = Erased::<G>::GAME;
    let used = peak(|| {
        for name in NAMES {
            let faults = kind.check(bytes, name);
            assert!(faults.iter().all(|fault| !fault.to_string().is_empty()));
            assert!((0.0..=1.0).contains(&kind.format_score(bytes, name)));
            let _ = kind.describe(bytes, name);
            if let Ok(draft) = kind.open(bytes, name) {
                let _ = kind.check_draft(&draft);
                assert_eq!(kind.open(kind.text(&draft).as_bytes(), "a.ron"), Ok(draft));
            }
            for ending in ["ron", "png", "txt", "nonsense"] {
                let _ = kind.convert(bytes, name, &[], ending);
            }
        }
        let _ = kind.replay(bytes);
    });
    assert!(used < MOST_MEMORY, "{used} bytes");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal");
    std::fs::write(&file, bytes).unwrap();
    let _ = Journal::read(&file);
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new_with_rng(
        Config { failure_persistence: None, ..Config::with_cases(cases) },
        proptest::test_runner::TestRng::deterministic_rng(Default::default()),
    )
}

/// Arbitrary bytes are refused without a panic and at little cost.
pub fn any_bytes<G: GameSpec, S: Subject<Game = G>>() {
    let text = "[(){}\\[\\]:,\"#.=-SFTCGo1-9 a-z\n]{0,300}".prop_map(String::into_bytes);
    let bytes = prop_oneof![prop::collection::vec(any::<u8>(), 0..400), text];
    runner(48)
        .run(&bytes, |bytes| {
            read_every_way::<G>(&bytes);
            Ok(())
        })
        .unwrap();
    for opening in ["(", "[", "{", "Some("] {
        read_every_way::<G>(opening.repeat(50_000).as_bytes());
    }
}

/// A contest between the plainest planners of all seats, with openings where the game finds any.
pub fn contest<G: GameSpec>(
    level: &G::Level,
    planners: usize,
    budget: impl Into<TimeControl>,
) -> Contest {
    let entrants = |seat| {
        let planners = planners_of::<G>(seat).into_iter().take(planners);
        Entrants {
            seat: G::SEATS.id(seat),
            planners: planners.map(|spec| spec.name.into()).collect(),
        }
    };
    let suits = G::MATCH_RULES.openings.is_some_and(|spec| (spec.suits)(level));
    let openings = suits.then_some(OpeningSource::Found);
    let level = ContestLevel::new(format!("{}/sample", G::ID), write_ron(level));
    let seats = seats::<G>().map(entrants).collect();
    let plain = Contest::new((G::ID, G::RULES_VERSION), level, seats, (3, 2), budget);
    Contest { openings, ..plain }
}

/// A level in each of its formats, a replay, a journal.
fn files<G: GameSpec, S: Subject<Game = G>>() -> Vec<Vec<u8>> {
    let level = S::samples().swap_remove(0);
    let ron = write_ron(&level).into_bytes();
    let mut files: Vec<_> = Erased::<G>::GAME
        .exports()
        .into_iter()
        .map(|ending| Erased::<G>::GAME.convert(&ron, "a.ron", &[], ending).unwrap().bytes)
        .collect();
    let played = random_match::<G, S>(&level, 5, 8);
    let replay = Replay::of(&played, vec!["human".into(); played.game().seats()]);
    files.push(ron::to_string(&replay).unwrap().into_bytes());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal");
    let contest = contest::<G>(&level, 1, Budget::Work(50));
    let journal = Journal::begin(&file, &contest).unwrap();
    let level = checked(&level);
    run_contest::<G>(&level, G::planners(), &contest, vec![], &StopFlag::default(), &|game| {
        journal.add(game).map_err(|error| error.to_string())
    })
    .unwrap();
    files.push(std::fs::read(&file).unwrap());
    files.push(ron);
    files
}

/// So are files in all formats that were altered in places or cut.
pub fn spoilt_files<G: GameSpec, S: Subject<Game = G>>() {
    let files = files::<G, S>();
    let change = (0.0..1.0_f64, any::<u8>());
    let spoilt = (0..files.len(), 0.0..2.0_f64, prop::collection::vec(change, 0..6));
    runner(64)
        .run(&spoilt, |(which, cut, changes)| {
            let mut bytes = files[which].clone();
            let length = bytes.len() as f64;
            for (at, byte) in changes {
                bytes[(at * length) as usize] = byte;
            }
            bytes.truncate((cut * length) as usize);
            read_every_way::<G>(&bytes);
            Ok(())
        })
        .unwrap();
}

/// What is written is read as the same, or the format says what it loses.
pub fn formats_are_identities<G: GameSpec, S: Subject<Game = G>>() {
    let kind = Erased::<G>::GAME;
    for sample in S::samples() {
        let mut levels = vec![sample.clone()];
        for property in G::Rules::properties() {
            for value in values(property) {
                let mut level = sample.clone();
                if level.rules.set(property.key, &value).is_ok() && G::faults(&level).is_empty() {
                    levels.push(level);
                }
            }
        }
        for level in levels {
            let ron = write_ron(&level);
            assert_eq!(read_ron::<G::Level>(ron.as_bytes()).as_ref(), Ok(&level));
            let again =
                read_ron::<G::Level>(outwit_core::levels::to_ron(&level).unwrap().as_bytes());
            assert_eq!(again.as_ref(), Ok(&level), "as in replays");
            for ending in kind.exports() {
                let file = kind.convert(ron.as_bytes(), "a.ron", &[], ending).unwrap();
                let back = kind.convert(&file.bytes, &format!("b.{ending}"), &[], "ron").unwrap();
                let same = String::from_utf8(back.bytes).unwrap() == ron;
                assert!(same || !file.lost.is_empty(), "{ending} loses without a word: {ron}");
            }
            let draft = kind.open(ron.as_bytes(), "a.ron").unwrap();
            let text = kind.text(&draft);
            assert_eq!(kind.open(text.as_bytes(), "a.ron"), Ok(draft));
            assert!(game::<G>(&level).seats() > 0);
        }
    }
}

/// The journal of a tournament holds all of it.
pub fn journals_are_identities<G: GameSpec, S: Subject<Game = G>>() {
    let level = checked::<G>(&S::samples()[0]);
    for budget in [Budget::Work(100), Budget::Time(std::time::Duration::from_millis(1))] {
        let contest = contest::<G>(&level, 2, budget);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal");
        let journal = Journal::begin(&file, &contest).unwrap();
        let stop = StopFlag::default();
        let mut games = run_contest::<G>(&level, G::planners(), &contest, vec![], &stop, &|game| {
            journal.add(game).map_err(|error| error.to_string())
        })
        .unwrap();
        let saved = Journal::read(&file).unwrap();
        assert_eq!(saved.contest, contest);
        let mut kept = saved.games;
        let order = |game: &outwit_core::tournament::FinishedGame| contest.place_of(game);
        games.sort_by_key(order);
        kept.sort_by_key(order);
        assert_eq!(kept, games);
    }
}
