//! The engine, as managers and others speak to it.

use super::*;
use proptest::prelude::*;

/// What an engine says to some lines.
fn answers(lines: impl AsRef<[u8]>) -> Vec<String> {
    let mut output = Vec::new();
    serve(Box::new(std::io::Cursor::new(lines.as_ref().to_vec())), &mut output).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

/// The same without messages.
fn spoken(lines: &str) -> Vec<String> {
    answers(lines).into_iter().filter(|line| !line.starts_with("MESSAGE")).collect()
}

/// An engine that hears lines without a thread, so that nothing stops its thinking.
fn hears(engine: &mut Engine, line: &str) -> Vec<String> {
    let mut said = all_of(engine, line);
    said.retain(|line| !line.starts_with("MESSAGE"));
    said
}

/// The same with messages.
fn all_of(engine: &mut Engine, line: &str) -> Vec<String> {
    let mut said = Vec::new();
    let line = ReadLine { text: line.into(), is_cut: false };
    engine.hear(&line, &mut |words| said.push(words));
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
    assert_eq!(hears(&mut playing, "DONE"), ["7,7"]);
}

#[test]
fn a_bad_board_gets_one_answer_and_changes_nothing() {
    let mut playing = engine(&["INFO timeout_turn 100", "START 15", "BEGIN"]);
    for (lines, why) in [
        (&["nonsense", "1,2,1", "99,99,9"][..], "'nonsense' is not a stone; write x,y,field"),
        (&["1,2,1", "TURN 3,3", "START 5"], "'TURN 3,3' is not a stone; write x,y,field"),
        (&["1,2,1", "1,2,2", "3,3,2"], "1,2 is not empty"),
        (&["15,0,1", "0,15,2"], "outside the board"),
        (&["1,2,4"], "'1,2,4' is not a stone; write x,y,field"),
        (&["-1,2,1"], "'-1,2,1' is not a stone; write x,y,field"),
    ] {
        assert!(hears(&mut playing, "BOARD").is_empty());
        for line in lines {
            assert!(hears(&mut playing, line).is_empty(), "{line}");
        }
        assert_eq!(hears(&mut playing, "DONE"), [format!("ERROR {why}")]);
        assert_eq!(hears(&mut playing, "TURN 7,7"), ["ERROR 7,7 is not empty"], "{lines:?}");
    }
    // A line that is too long is one of its lines, and no board is needed to swallow them.
    let long = format!("BOARD\n{},1\n1,1,2\nDONE\nABOUT\n", "1".repeat(5000));
    let said = spoken(&long);
    assert_eq!((said.len(), said[0].as_str()), (2, "ERROR the line is too long"));
    assert_eq!(spoken("BOARD\n1,1,1\nDONE\n"), ["ERROR no board yet; send START first"]);
    let many = format!("START 5\nBOARD\n{}DONE\n", "0,0,1\n".repeat(5000));
    assert_eq!(spoken(&many), ["OK", "ERROR there are more stones than cells"]);
}

#[test]
fn rules_that_are_not_known_are_refused_at_the_next_question() {
    for (info, why) in [
        ("INFO rule 4", "ERROR rule 4: renju is not supported; rules 0 and 1 are"),
        ("INFO rule 8", "ERROR rule 8: caro is not supported; rules 0 and 1 are"),
        ("INFO rule 6", "ERROR rule 6: it is not supported; rules 0 and 1 are"),
        ("INFO rule -1", "ERROR rule -1: it is not supported; rules 0 and 1 are"),
        ("INFO win_length 0", "ERROR win_length 0 is not from 1 to 70"),
        ("INFO win_length 71", "ERROR win_length 71 is not from 1 to 70"),
    ] {
        // Nobody listens while settings are sent.
        let mut playing = engine(&["INFO timeout_turn 100"]);
        assert!(all_of(&mut playing, info).is_empty(), "{info}");
        assert_eq!(all_of(&mut playing, "START 15"), ["OK"]);
        assert_eq!(all_of(&mut playing, "BEGIN"), [why]);
        assert_eq!(all_of(&mut playing, "TURN 7,7"), [why]);
        for question in ["BOARD", "SWAP2BOARD"] {
            assert!(all_of(&mut playing, question).is_empty());
            assert_eq!(all_of(&mut playing, "DONE"), [why]);
        }
        // Nothing was placed, and with other rules it plays on.
        for info in ["INFO rule 0", "INFO win_length 5"] {
            assert!(all_of(&mut playing, info).is_empty());
        }
        let said = hears(&mut playing, "TURN 7,7");
        assert!(said.len() == 1 && pair(&said[0]).is_ok(), "{said:?}");
    }
    // A continuous game is played, and it is said how.
    let mut playing = engine(&["INFO timeout_turn 100", "START 15", "INFO rule 3"]);
    let said = all_of(&mut playing, "BEGIN");
    assert!(said[0].starts_with("MESSAGE a continuous game"), "{said:?}");
    assert_eq!(said.last().map(String::as_str), Some("7,7"));
    assert!(!all_of(&mut playing, "TURN 8,8")[0].contains("continuous"));
}

/// The answer to `SWAP2BOARD` with these stones.
fn swap2(playing: &mut Engine, stones: &[&str]) -> String {
    for line in std::iter::once(&"SWAP2BOARD").chain(stones) {
        assert!(all_of(playing, line).is_empty(), "{line}");
    }
    let mut said = hears(playing, "DONE");
    assert_eq!(said.len(), 1, "{said:?}");
    said.swap_remove(0)
}

#[test]
fn the_side_of_a_swap2_opening_is_the_one_that_is_worth_more() {
    let mut playing = engine(&["INFO timeout_turn 2000", "INFO rule 1", "START 15"]);
    // Two X side by side in the middle, and an O in the corner.
    assert_eq!(swap2(&mut playing, &["7,7", "0,14", "7,8"]), "SWAP");
    // Two X in corners, and an O in the middle, which is to move.
    let reply = swap2(&mut playing, &["0,0", "7,7", "14,14"]);
    let (x, y) = pair(&reply).unwrap();
    assert!(x < 15 && y < 15 && ![(0, 0), (7, 7), (14, 14)].contains(&(x, y)), "{reply}");
    // So after five: an open three of X, or two O side by side in the middle.
    assert_eq!(swap2(&mut playing, &["7,7", "0,14", "7,8", "14,0", "7,9"]), "SWAP");
    assert!(pair(&swap2(&mut playing, &["0,0", "7,7", "14,14", "8,8", "0,14"])).is_ok());
    // The stones are not on the board of the game: the manager sends it next.
    let said = hears(&mut playing, "TURN 7,7");
    assert!(said.len() == 1 && pair(&said[0]).is_ok(), "{said:?}");
}

#[test]
fn an_opening_is_three_cells_that_are_about_even() {
    let mut playing = engine(&["INFO timeout_turn 800", "START 15"]);
    let opening = |playing: &mut Engine| {
        let reply = swap2(playing, &[]);
        let mut cells: Vec<(usize, usize)> =
            reply.split(' ').map(|cell| pair(cell).unwrap()).collect();
        assert!(cells.iter().all(|&(x, y)| x < 15 && y < 15), "{reply}");
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 3, "{reply}");
        reply
    };
    let (first, second) = (opening(&mut playing), opening(&mut playing));
    assert_ne!(first, second, "each game begins in another way");
    // The smallest board on which there is the opening, and no time at all.
    let mut small = engine(&["INFO timeout_turn 0", "INFO win_length 4", "RECTSTART 6,1"]);
    assert_eq!(swap2(&mut small, &[]).split(' ').count(), 3);
}

#[test]
fn a_bad_opening_gets_one_answer() {
    let mut playing = engine(&["INFO timeout_turn 50", "START 9"]);
    let bad = |stones: &[&str], why: &str, playing: &mut Engine| {
        let said = swap2(playing, stones);
        assert!(said.starts_with("ERROR") && said.contains(why), "{said}");
    };
    for (stones, why) in [
        (&["1,1"][..], "takes no stones, 3 or 5, not 1"),
        (&["1,1", "2,2", "3,3", "4,4"], "not 4"),
        (&["1,1", "2,2", "3,3", "4,4", "5,5", "6,6"], "not 6"),
        (&["1,1", "1,1", "3,3"], "1,1: b8 is not empty"),
        (&["1,1", "9,0", "3,3"], "9,0: (9,0) is outside the board"),
        (&["1,1", "2,2,1", "junk"], "'2,2,1' is not a pair of numbers"),
    ] {
        bad(stones, why, &mut playing);
    }
    bad(&[], "at least 4 in a row", &mut engine(&["INFO win_length 3", "START 9"]));
    bad(&[], "and 6 cells", &mut engine(&["RECTSTART 5,1"]));
    bad(&[], "no board yet", &mut engine(&[]));
    assert_eq!(hears(&mut playing, "SING"), ["UNKNOWN SING"]);
}

#[test]
fn settings_out_of_range_are_bounded() {
    let mut playing = engine(&["START 15"]);
    let huge = "99999999999999999999999999";
    for (info, limit) in [
        (format!("INFO timeout_turn {huge}"), 86_400_000 - 30),
        ("INFO timeout_turn -5".into(), 5),
        (format!("INFO timeout_turn -{huge}"), 5),
        ("INFO timeout_turn 1000".into(), 970),
        ("INFO timeout_turn soon".into(), 970),
        ("INFO timeout_match 4000".into(), 470),
        (format!("INFO timeout_match {huge}"), 970),
        ("INFO time_left 800".into(), 70),
        ("INFO time_left -1".into(), 5),
        (format!("INFO time_left {huge}"), 970),
        ("INFO time_left 2147483647".into(), 970),
        (format!("INFO {huge} {huge}"), 970),
    ] {
        assert!(all_of(&mut playing, &info).is_empty());
        assert_eq!(playing.limits.budget().as_millis(), limit, "{info}");
    }
    hears(&mut playing, &format!("INFO max_memory {huge}"));
    assert_eq!(playing.terms.table_bits, 24);
    hears(&mut playing, &format!("INFO win_length {huge}"));
    assert!(hears(&mut playing, "BEGIN")[0].starts_with("ERROR win_length"));
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
    assert_eq!(playing.terms.table_bits, 14);
    for line in ["INFO max_memory 0", "INFO max_memory -5", "INFO max_memory"] {
        hears(&mut playing, line);
        assert_eq!(playing.terms.table_bits, bits, "{line}");
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
fn a_margin_of_some_milliseconds_is_kept_of_each_moves_time() {
    let budget = |turn, whole, left| Limits { turn, whole, left }.budget().as_millis();
    assert_eq!((budget(30_000, 0, None), budget(1000, 0, None)), (29_970, 970));
    assert_eq!((budget(100, 0, None), budget(0, 0, None)), (70, 5));
    assert_eq!(budget(5000, 180_000, Some(800)), 70);
    assert_eq!(budget(u64::MAX, 0, None), 86_400_000 - 30);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn garbage_is_survived(lines in proptest::collection::vec(
        prop_oneof![
            "[A-Za-z0-9, -]{0,30}",
            "(TURN|TAKEBACK|START|RECTSTART|INFO|BOARD|SWAP2BOARD|DONE|BEGIN) ?-?[0-9]{0,22},?-?[0-9]{0,4},?[0-9]?",
            "INFO (timeout_turn|timeout_match|time_left|rule|max_memory|win_length) -?[0-9]{0,22}",
            "[0-9],[0-9](,[0-9])?",
            Just("START 6".to_owned()),
            Just("SWAP2BOARD".to_owned()),
            Just("DONE".to_owned()),
        ],
        0..30,
    )) {
        let mut engine = engine(&["INFO timeout_turn 1"]);
        for line in &lines {
            let is_in_block = engine.block.is_some();
            let said = hears(&mut engine, line);
            prop_assert!(said.len() <= 1, "{line}: {said:?}");
            // Whoever waits for an answer gets one: only settings and what ends nothing have none.
            let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
            let is_mute = ["", "INFO", "BOARD", "SWAP2BOARD", "END"].contains(&word.as_str());
            let is_asked = if is_in_block { line.trim() == "DONE" } else { !is_mute };
            prop_assert_eq!(said.len(), usize::from(is_asked), "{}", line);
            engine.limits.turn = 1;
        }
    }

    /// Whatever comes in, it ends in peace, and says no more than it was asked.
    #[test]
    fn any_bytes_are_survived(pieces in proptest::collection::vec(
        prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..40),
            (any::<u8>(), 4000..9000_usize).prop_map(|(byte, length)| vec![byte; length]),
            prop_oneof![
                Just("START 6"), Just("BEGIN"), Just("TURN 1,1"), Just("BOARD"), Just("1,2,1"),
                Just("SWAP2BOARD"), Just("1,2"), Just("DONE"), Just("INFO rule 4"), Just("END"),
            ].prop_map(|line| line.as_bytes().to_vec()),
        ],
        0..20,
    )) {
        let mut bytes = b"INFO timeout_turn 1\nINFO max_memory 1000\n".to_vec();
        for piece in pieces {
            bytes.extend(piece);
            bytes.push(b'\n');
        }
        let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_empty());
        let most = lines.count();
        let said = answers(&bytes);
        let spoken = said.iter().filter(|line| !line.starts_with("MESSAGE")).count();
        prop_assert!(spoken <= most, "{said:?}");
        prop_assert!(said.iter().all(|line| line.len() < 4000), "{said:?}");
    }
}
