//! The engine, as managers and others speak to it.

use super::*;
use proptest::prelude::*;

/// What an engine says to some lines.
fn answers(lines: &str) -> Vec<String> {
    let mut output = Vec::new();
    serve(Box::new(std::io::Cursor::new(lines.to_owned())), &mut output).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

/// The same without messages.
fn spoken(lines: &str) -> Vec<String> {
    answers(lines).into_iter().filter(|line| !line.starts_with("MESSAGE")).collect()
}

/// An engine that hears lines without a thread, so that nothing stops its thinking.
fn hears(engine: &mut Engine, line: &str) -> Vec<String> {
    let mut said = Vec::new();
    engine.hear(line, &mut |words| said.push(words));
    said.retain(|line| !line.starts_with("MESSAGE"));
    said
}

fn engine(lines: &[&str]) -> Engine {
    let mut engine = Engine::new(StopFlag::default());
    for line in lines {
        hears(&mut engine, line);
    }
    engine
}

#[test]
fn every_command_is_answered() {
    let fast = ["INFO timeout_turn 100", "START 15"];
    let mut playing = engine(&fast);
    assert_eq!(hears(&mut playing, "BEGIN"), ["7,7"]);
    let reply = hears(&mut playing, "TURN 8,8");
    assert_eq!(reply.len(), 1);
    let (x, y) = pair(&reply[0]).unwrap();
    assert!(x < 15 && y < 15 && (x, y) != (8, 8) && (x, y) != (7, 7));
    assert_eq!(hears(&mut playing, &format!("TAKEBACK {},{}", x, y)), ["OK"]);
    assert_eq!(hears(&mut playing, "TURN 8,8"), ["ERROR 8,8 is not empty"]);
    assert_eq!(hears(&mut playing, "turn 99,0"), ["ERROR outside the board"]);
    assert_eq!(hears(&mut playing, "RESTART"), ["OK"]);
    assert_eq!(hears(&mut playing, "RECTSTART 20,10"), ["OK"]);
    assert_eq!(hears(&mut playing, "START 71").len(), 1);
    assert!(hears(&mut playing, "START 4294967296")[0].starts_with("ERROR"));
    assert!(hears(&mut playing, "ABOUT")[0].contains("name=\"Outwit\""));
    assert_eq!(hears(&mut playing, "SING"), ["UNKNOWN SING"]);
    assert!(hears(&mut playing, "INFO folder C:\\temp").is_empty());
    assert!(hears(&mut Engine::new(StopFlag::default()), "BEGIN")[0].starts_with("ERROR"));
}

#[test]
fn a_board_is_taken_over_and_won() {
    let mut playing = engine(&["INFO timeout_turn 1000", "START 15", "BOARD"]);
    for line in ["3,7,1", "4,7,1", "5,7,1", "6,7,1", "3,8,2", "4,8,2", "5,8,2", "2,7,2"] {
        assert!(hears(&mut playing, line).is_empty());
    }
    assert_eq!(hears(&mut playing, "nonsense").len(), 1);
    assert_eq!(hears(&mut playing, "DONE"), ["7,7"]);
}

#[test]
fn the_length_of_a_row_and_exactness_can_be_set() {
    let mut playing =
        engine(&["INFO timeout_turn 1000", "INFO win_length 3", "RECTSTART 5,1", "BOARD"]);
    for line in ["0,0,1", "1,0,1", "4,0,2", "3,0,2"] {
        hears(&mut playing, line);
    }
    assert_eq!(hears(&mut playing, "DONE"), ["2,0"]);
    // Six in a row would be one too many: 3,0 completes five, 6,0 does not.
    let mut playing = engine(&["INFO timeout_turn 1000", "INFO rule 1", "RECTSTART 12,1", "BOARD"]);
    for line in ["0,0,1", "1,0,1", "2,0,1", "4,0,1", "6,0,1", "7,0,1", "8,0,1", "9,0,1"] {
        hears(&mut playing, line);
    }
    assert_eq!(hears(&mut playing, "DONE"), ["3,0"]);
}

#[test]
fn the_table_fits_the_memory_that_is_given() {
    let bits = BEST.options.table_bits;
    assert_eq!((table_bits(0), table_bits(1 << 26), table_bits(350 << 20)), (bits, 21, 23));
    assert_eq!((table_bits(1), table_bits(1000), table_bits(u64::MAX)), (bits, 10, 24));
    // Stones stay when the table changes; what makes no sense changes nothing.
    let mut playing = engine(&["INFO timeout_turn 100", "START 15", "BEGIN"]);
    hears(&mut playing, "INFO max_memory 1000000");
    assert_eq!(playing.table_bits, 14);
    for line in ["INFO max_memory 0", "INFO max_memory -5", "INFO max_memory"] {
        hears(&mut playing, line);
        assert_eq!(playing.table_bits, bits, "{line}");
    }
    assert_eq!(hears(&mut playing, "TURN 7,7"), ["ERROR 7,7 is not empty"]);
}

#[test]
fn lines_may_end_in_either_way_and_the_input_at_any_moment() {
    assert_eq!(spoken("START 10\r\nABOUT\n")[0], "OK");
    assert_eq!(spoken("START 10\nEND\nABOUT\n"), ["OK"]);
    assert!(spoken("").is_empty());
    // The input ends while it thinks: an answer still comes, at once.
    let said = spoken("START 10\nBEGIN");
    assert_eq!((said.len(), said[0].as_str()), (2, "OK"));
    let long = format!("{}\nABOUT\n", "x".repeat(10_000));
    assert!(spoken(&long).iter().any(|line| line == "ERROR the line is too long"));
}

#[test]
fn no_move_takes_longer_than_its_time() {
    let budget = |turn, whole, left| Limits { turn, whole, left }.budget().as_millis();
    assert_eq!((budget(1000, 0, None), budget(100, 0, None), budget(0, 0, None)), (900, 40, 5));
    assert_eq!(budget(5000, 180_000, Some(800)), 40);
    assert_eq!(budget(u64::MAX / 16, 0, None), u128::from(u64::MAX / 16 * 9 / 10));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn garbage_is_survived(lines in proptest::collection::vec(
        prop_oneof![
            "[A-Za-z0-9, -]{0,30}",
            "(TURN|TAKEBACK|START|RECTSTART|INFO|BOARD|DONE|BEGIN) ?-?[0-9]{0,22},?-?[0-9]{0,4},?[0-9]?",
            Just("START 6".to_owned()),
        ],
        0..30,
    )) {
        let mut engine = engine(&["INFO timeout_turn 1"]);
        for line in &lines {
            let said = hears(&mut engine, line);
            prop_assert!(said.len() <= 1, "{line}: {said:?}");
            engine.limits.turn = 1;
        }
    }
}
