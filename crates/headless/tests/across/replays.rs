//! Altered replays are not believed.

use outwit_cops::Cops;
use outwit_core::levels::{read_ron, rule_to_text};
use outwit_core::play::{Game, MAX_NOTE, Match, Replay, ReplayError, Seat, TurnNote};
use outwit_kit::read_level;
use outwit_levels::built_in;
use outwit_racetrack::Racetrack;
use std::sync::Arc;

fn recorded<G: outwit_kit::GameSpec>(level: &str, seats: usize) -> String {
    let level = read_level::<G>(&built_in(level).unwrap().bytes().unwrap(), "x").unwrap();
    let game = Arc::new(G::new(&level, seats).unwrap());
    let mut played = Match::new(game, 7).unwrap();
    for _ in 0..3 {
        let null = |seat: Seat| (seat, played.game().null_action(played.state(), seat));
        let actions = played.to_move().into_iter().map(null).collect();
        played.advance(actions).unwrap();
    }
    ron::to_string(&Replay::of(&played, vec!["human".into(); seats])).unwrap()
}

/// Whether the text is a replay that is believed.
fn is_faithful<G: Game>(text: &str) -> bool {
    read_ron::<Replay<G>>(text.as_bytes()).is_ok_and(|replay| replay.play().is_ok())
}

#[test]
fn notes_are_saved_with_the_replay_and_sealed() {
    let text = recorded::<Racetrack>("racetrack/tiny", 1);
    let replay: Replay<Racetrack> = read_ron(text.as_bytes()).unwrap();
    assert!(replay.notes.is_empty() && replay.format == "outwit-replay 3");
    let note = |turn, text: &str| TurnNote { turn, text: text.into() };
    let last = replay.turns.len();
    let long = "x".repeat(5000);
    let wanted =
        [note(last, &long), note(1, "Here\u{7} he\nbrakes."), note(last + 1, "gone"), note(0, " ")];
    let noted = replay.clone().with_notes(&wanted);
    assert_eq!(noted.format, "outwit-replay 5");
    assert_eq!(noted.notes[0], note(1, "Here he brakes."));
    assert_eq!((noted.notes.len(), noted.notes[1].text.chars().count()), (2, MAX_NOTE));
    let saved = rule_to_text(&noted);
    assert!(is_faithful::<Racetrack>(&saved));
    assert!(!is_faithful::<Racetrack>(&saved.replacen("he brakes", "she brakes", 1)));
    let read: Replay<Racetrack> = read_ron(saved.as_bytes()).unwrap();
    assert_eq!(read.notes, noted.notes);
    // Without notes it is written as ever.
    assert_eq!(rule_to_text(&noted.with_notes(&[])), rule_to_text(&replay));
}

#[test]
fn whatever_is_altered_is_noticed() {
    let text = recorded::<Racetrack>("racetrack/tiny", 1);
    assert!(is_faithful::<Racetrack>(&text));
    for (old, new) in [
        ("seed:7", "seed:8"),
        ("[\"human\"]", "[\"optimal\"]"),
        ("name:\"Tiny\"", "name:\"Huge\""),
        ("author:\"", "author:\"x"),
        ("laps:1", "laps:2"),
        ("outwit-replay 3", "outwit-replay 2"),
    ] {
        assert!(text.contains(old), "{old} {text}");
        assert!(!is_faithful::<Racetrack>(&text.replacen(old, new, 1)), "{old}");
    }
    // A cell that nobody drives over becomes road: the track can be raced on as before.
    let mut replay: Replay<Racetrack> = read_ron(text.as_bytes()).unwrap();
    let row = replay.level.map.last_mut().unwrap();
    *row = format!("{}.", row.strip_suffix('#').unwrap());
    assert_eq!(replay.play().err(), Some(ReplayError::Unfaithful));
    assert!(replay.sealed().play().is_ok(), "only the digest notices it");
    let text = recorded::<Cops>("cops/tiny", 2);
    assert!(is_faithful::<Cops>(&text));
    assert!(!is_faithful::<Cops>(&text.replacen("seed:7", "seed:8", 1)));
    let bare = text.rsplit_once(",seal:").unwrap().0.to_owned() + ")";
    assert!(!is_faithful::<Cops>(&bare), "the seal cannot be left out");
    let old = bare.replacen("outwit-replay 3", "outwit-replay 2", 1);
    assert!(is_faithful::<Cops>(&old), "older files have none");
}
