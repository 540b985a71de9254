//! Files are recognised as levels of the right game.

use outwit_headless::{find, recognise};
use outwit_levels::built_in;

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
