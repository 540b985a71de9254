use super::*;
use crate::level::faults;
use outwit_core::levels::{RuleSet, write_ron};
use outwit_kit::{DynGame, Erased};
use proptest::prelude::*;

const KIND: &dyn DynGame = Erased::<crate::Pukoban>::GAME;

fn all(text: &str) -> Vec<PukobanFile> {
    read(text.as_bytes(), "set").unwrap().unwrap()
}

fn names(text: &str) -> Vec<String> {
    all(text).into_iter().map(|level| level.name).collect()
}

const BOARD: &str = "####\n#@$.#\n####\n";
const ROWS: [&str; 3] = ["####-", "#@$.#", "####-"];

#[test]
fn a_collection_is_called_what_its_file_says() {
    let title = |text: &str| title(text.as_bytes());
    let two = format!("{BOARD}Title: One\n\n{BOARD}Title: Two\n");
    assert_eq!(title(&two), None, "these are titles of boards");
    assert_eq!(title(&format!("Collection: My set\n\n{two}")).as_deref(), Some("My set"));
    assert_eq!(title(&format!("{two}\nSet: Later\n")).as_deref(), Some("Later"));
    assert_eq!(title(&format!("Title: All\nAuthor: Ann\n\n\n{two}")).as_deref(), Some("All"));
    assert_eq!(title("a letter"), None);
    assert_eq!(KIND.collection_title(format!("Collection:  \n{two}").as_bytes()), None);
}

#[test]
fn collections_need_not_be_utf_8() {
    let text =
        "Title: Entrep\u{f4}t n\u{b0} 5\nAuthor: Andr\u{e9} M\u{fc}ller\n\n####\n#@$.#\n####\n";
    let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    assert!(std::str::from_utf8(&bytes).is_err());
    for bytes in [bytes.as_slice(), text.as_bytes()] {
        let levels = read(bytes, "set").unwrap().unwrap();
        assert_eq!(levels.len(), 1);
        assert_eq!(levels[0].name, "Entrep\u{f4}t n\u{b0} 5");
        assert_eq!(levels[0].author, "Andr\u{e9} M\u{fc}ller");
        assert!(score(bytes, "xsb") > 0.9 && score(bytes, "txt") > 0.5);
        assert!(KIND.check(bytes, "set.xsb").is_empty());
    }
    // In our own format they are a problem.
    let own = write_ron(&all(text)[0]);
    let own: Vec<u8> = own.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    assert!(!KIND.check(&own, "set.ron").is_empty());
    assert!(read(b"####\n#@$.#\n####\n\xff\0", "set").is_none());
}

#[test]
fn all_dialects_give_the_same_board() {
    for text in [
        BOARD.to_owned(),
        BOARD.replace('\n', "\r\n"),
        format!("\u{feff}{BOARD}"),
        "4#|#@$.#|4#".into(),
        "4#|\n#@$.#|\n4#".into(),
        "2(2#)\n#@$.#\n4#-".into(),
        "####_\n#pbo#\n####-".into(),
    ] {
        let levels = all(&text);
        assert_eq!(levels.len(), 1, "{text}");
        assert_eq!(levels[0].map, ROWS, "{text}");
        assert_eq!(levels[0].name, "set");
        assert!(faults(&levels[0]).is_empty());
        assert!(KIND.format_score(text.as_bytes(), "x") > 0.5, "{text}");
    }
    assert_eq!(all("#####\n#PB-#\n#+*_#\n#####")[0].map[1..3], ["#+*-#", "#+*-#"]);
    // Without walls, as the edge is one.
    assert_eq!(all("@$.")[0].map, ["@$."]);
}

#[test]
fn walls_may_be_letters_and_lines_end_as_on_a_mac() {
    for text in [
        "WWWW_\nWpboW\nWWWW_".to_owned(),
        "WWWW\nWpboW\nWWWW".into(),
        BOARD.replace('\n', "\r"),
        BOARD.replace('\n', "\t\n"),
        BOARD.replace('\n', "\0\0\r\n") + "\0\0",
        format!("Hello,\n> {}", BOARD.trim_end().replace('\n', "\n> ")),
        BOARD.trim_end().replace('\n', "\n>").replace("####\n", "Look:\n\n>####\n"),
    ] {
        assert_eq!(all(&text).len(), 1, "{text:?}");
        assert_eq!(all(&text)[0].map, ROWS, "{text:?}");
        assert!(KIND.format_score(text.as_bytes(), "x") > 0.5, "{text:?}");
        assert!(KIND.skipped(text.as_bytes()).is_empty(), "{text:?}");
    }
    // Blank lines between boards of a Mac are some.
    assert_eq!(all(&format!("{BOARD}\nTitle: Two\n{BOARD}").replace('\n', "\r")).len(), 2);
}

/// A text with a blank between all characters of each line.
fn spaced(text: &str) -> String {
    let line = |line: &str| line.chars().map(String::from).collect::<Vec<_>>().join(" ");
    text.lines().map(|found| line(found) + "\n").collect()
}

#[test]
fn blanks_between_all_cells_are_no_floor() {
    for text in [
        spaced(BOARD),
        spaced(BOARD).replace('#', " #").replace("  ", " "),
        format!("First\n{}\nSecond\n{}", spaced(BOARD), spaced(BOARD)),
        spaced(BOARD).lines().map(|line| format!("   {line}\n")).collect(),
    ] {
        let maps: Vec<Vec<String>> = all(&text).into_iter().map(|level| level.map).collect();
        for map in maps {
            let rows: Vec<&str> =
                map.iter().map(|row| row.trim_start_matches('-').trim_end_matches('-')).collect();
            assert_eq!(rows, ["####", "#@$.#", "####"], "{text}");
        }
    }
    // A room whose pieces stand so is none of these.
    let room = "#########\n#-------#\n#@-$-.--#\n#########";
    assert_eq!(all(room)[0].map, room.lines().collect::<Vec<_>>());
}

#[test]
fn shifted_rows_are_hexagons() {
    let hexagons = "-#-#-#-#-\n#-@-$-.-#\n-#-#-#-#-\n";
    let why = |text: &str| read(text.as_bytes(), "set").unwrap().unwrap_err()[0].to_string();
    assert!(why(hexagons).contains("as on the hexagons of Hexoban"), "{}", why(hexagons));
    let levels = all(&format!("{BOARD}\n{hexagons}"));
    assert_eq!((levels[0].map.len(), levels[1].map.len()), (3, 0));
    assert_eq!(all(&format!("Variant: Sokoban\n\n{hexagons}"))[0].map.len(), 3);
    // A closed diamond looks so too, and is a board of squares.
    let diamond = "----#----\n---#-#---\n--#-.-#--\n-#-$---#-\n#---@---#\n-#-----#-\n--#---#--\n---#-#---\n----#----";
    assert_eq!(all(diamond)[0].map, diamond.lines().collect::<Vec<_>>());
}

/// The title, first line and solution of each recording.
fn recordings(text: &str) -> Vec<(usize, String, usize, Result<bool, String>)> {
    let recorded = KIND.recorded(text.as_bytes(), "set.sok").into_iter();
    recorded.map(|it| (it.number, it.title, it.line, it.replay.map(|_| it.is_solved))).collect()
}

#[test]
fn solutions_and_snapshots_are_recorded() {
    let longer = BOARD.replace("@$.", "@$-.").replace("####", "#####");
    let text = format!(
        "{BOARD}Title: A\n\nSolution (moves 1)\nR\n\n{longer}\nSolution: 2R\n\nSnapshot\nR\n\n{BOARD}\n\
         Solution\nrrRRuuLL\nddRR\n\n{BOARD}\nllllRRRRuuuu\n"
    );
    assert_eq!(names(&text), ["A", "set 2", "set 3", "set 4"]);
    let found = recordings(&text);
    let told: Vec<_> =
        found.iter().map(|(n, t, l, solved)| (*n, t.as_str(), *l, solved.clone().ok())).collect();
    assert_eq!(
        told,
        [
            (1, "Solution (moves 1)", 7, Some(true)),
            (2, "Solution", 13, Some(true)),
            (2, "Snapshot", 16, Some(false)),
            (3, "Solution", 23, None),
            (4, "Moves", 30, None),
        ]
    );
    let why = found[3].3.clone().unwrap_err();
    assert!(why.starts_with("move 2 ('r' at line 1, column 2): "), "{why}");
    assert_eq!(KIND.skipped(text.as_bytes()), [""; 0]);
    // The replay of a solution is one of the program's own.
    let replay = KIND.recorded(text.as_bytes(), "set.sok").remove(0).replay.unwrap();
    let summary = KIND.replay(replay.as_bytes()).unwrap();
    assert!(summary.faithful && summary.turns == 1 && summary.moves.as_deref() == Some("R"));
    assert!(recordings(BOARD).is_empty());
}

#[test]
fn what_no_level_keeps_is_named() {
    let text = format!(
        "These levels are easy.\nEnjoy!\n\nTitle: All\nEmail: a@b.c\n\n{BOARD}Title: A\nDate: today\n\n\
         Not much.\n\n{BOARD}B\n"
    );
    assert_eq!(names(&text), ["A", "B"]);
    let said = KIND.skipped(text.as_bytes());
    let wanted =
        ["what it says behind Date, Email", "text that is no title (3 lines from line 1 to 13)"];
    assert_eq!(said, wanted);
    let guessed = KIND.skipped(b"Title: Ji\xf8\xed\n####\n#@$.#\n####\n");
    assert_eq!(guessed.len(), 1);
    assert!(guessed[0].contains("guessed to be Windows-1250"), "{guessed:?}");
}

/// A collection in XML with these levels.
fn slc(levels: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE SokobanLevels SYSTEM \"SokobanLev.dtd\">\n\
         <SokobanLevels>\n<Title>Two &amp; more</Title><Description>Short</Description><Email>a@b.c</Email>\n\
         <LevelCollection Copyright=\"Ann\" MaxWidth=\"5\">\n{levels}</LevelCollection></SokobanLevels>\n"
    )
}

/// A level of such a collection.
fn slc_level(id: &str, rows: &str) -> String {
    let rows: String =
        rows.lines().map(|row| format!("<L>{}</L>\n", row.replace('-', " "))).collect();
    format!("<Level Id=\"{id}\" Width=\"5\">\n{rows}</Level>\n")
}

#[test]
fn collections_in_xml_are_read() {
    let two = slc(&(slc_level("One &lt;", BOARD) + &slc_level("", BOARD)));
    let levels = all(&two);
    assert_eq!(
        levels.iter().map(|level| level.name.as_str()).collect::<Vec<_>>(),
        ["One <", "set 2"]
    );
    assert!(levels.iter().all(|level| level.map == ROWS && level.author == "Ann"));
    assert_eq!(KIND.collection_title(two.as_bytes()).as_deref(), Some("Two & more"));
    assert_eq!(KIND.skipped(two.as_bytes()), ["what it says behind Description, Email"]);
    assert!(
        KIND.format_score(two.as_bytes(), "x") > 0.5
            && KIND.check(two.as_bytes(), "a.slc").len() == 1
    );
    let one = slc(&slc_level("A", BOARD));
    assert_eq!(all(&one)[0].about, "Short");
    assert_eq!(KIND.check(one.as_bytes(), "a.slc"), []);
    // A board that cannot be read leaves the others alone, with its place.
    let spoilt = slc(&(slc_level("A", "####\n#?$.#\n####") + &slc_level("B", BOARD)));
    assert_eq!(names(&spoilt), ["A", "B"]);
    assert!(KIND.skipped(spoilt.as_bytes())[0].contains("line 8, column 5: unknown character '?'"));
}

#[test]
fn broken_xml_is_refused_with_its_place() {
    let why = |text: &str| read(text.as_bytes(), "set").unwrap().unwrap_err()[0].to_string();
    let whole = slc(&slc_level("A", BOARD));
    let cut = &whole[..whole.find("</Level>").unwrap()];
    assert!(
        why(cut).contains("line 10, column 1: broken XML: the file ends inside of <Level>"),
        "{}",
        why(cut)
    );
    let crossed = whole.replace("</Level>", "</Other>");
    assert!(why(&crossed).contains("broken XML: "), "{}", why(&crossed));
    let bomb = "<!DOCTYPE SokobanLevels [<!ENTITY a \"##########\"><!ENTITY b \"&a;&a;&a;&a;&a;\">]>\n\
                <SokobanLevels><Level><L>&b;</L></Level></SokobanLevels>";
    assert!(why(bomb).contains("the entity &b; is unknown"), "{}", why(bomb));
    let many = slc(&slc_level("A", BOARD).repeat(10_001));
    assert!(why(&many).contains("the maximum is 10000 levels"), "{}", why(&many));
}

#[test]
fn a_line_of_dashes_separates_two_boards() {
    let bare = BOARD.trim_end();
    for text in [
        format!("{bare}\n-----\n{bare}"),
        format!("-----\n{bare}\n***\n{bare}\n---\n"),
        format!("{bare}\n-----\nTwo\n{bare}"),
    ] {
        let maps: Vec<_> = all(&text).into_iter().map(|level| level.map).collect();
        assert_eq!(maps, [ROWS, ROWS], "{text}");
    }
    // Inside a board it is floor.
    assert_eq!(all("-----\n#@$.#\n-----\n####-")[0].map[2], "-----");
}

#[test]
fn boards_of_other_games_are_refused_by_name() {
    let hexoban = "#-#-#\n-@-$-\n#-.-#\n";
    for head in ["Variant: Hexoban", "Game: Hexoban", "game=Hexoban", "Variant: Hexoban\nTitle: A"]
    {
        for text in [format!("{head}\n\n{hexoban}"), format!("{head}\n{hexoban}\n{hexoban}")] {
            let faults = read(text.as_bytes(), "set").unwrap().unwrap_err();
            let what = faults[0].to_string();
            assert!(
                what.contains("this is a board of Hexoban") && what.contains("Sokoban"),
                "{what}"
            );
            assert_eq!(KIND.check(text.as_bytes(), "set.sok")[0].to_string(), what);
        }
    }
    // Beside others, such a board keeps its number, and cannot be played.
    let mixed =
        format!("Title: All\n\n{BOARD}\n{hexoban}Variant: Hexoban\n\n{BOARD}Variant: Sokoban\n");
    let levels = all(&mixed);
    assert_eq!(levels.iter().map(|level| level.map.len()).collect::<Vec<_>>(), [3, 0, 3]);
    assert!(!faults(&levels[1]).is_empty() && faults(&levels[2]).is_empty());
    let skipped = KIND.skipped(mixed.as_bytes());
    assert!(skipped[0].starts_with("a board (lines 7 to 9): line 7, column 1: this is a board of"));
    for same in ["Sokoban", "sokoban 2", "Pukoban", ""] {
        assert_eq!(all(&format!("Game: {same}\n\n{BOARD}"))[0].map, ROWS);
    }
}

#[test]
fn boxes_are_only_pushed_unless_a_file_names_pukoban() {
    for (head, moves) in [
        ("", Moves::Push),
        ("Variant: Sokoban", Moves::Push),
        ("Game: pukoban", Moves::PushAndPull),
    ] {
        let two = all(&format!("{head}\n\n{BOARD}\n{BOARD}"));
        assert_eq!(two.len(), 2);
        for level in two {
            assert_eq!(level.rules, PukobanRules { moves, ..PukobanRules::default() }, "{head}");
            let written = write(&level);
            assert_eq!(written.lost, [""; 0]);
            let again = all(&String::from_utf8(written.bytes).unwrap());
            assert_eq!(again, std::slice::from_ref(&level));
            let in_xml = slc::write(&level);
            assert_eq!(in_xml.lost.len(), usize::from(moves.has_pulls()), "{:?}", in_xml.lost);
            assert_eq!(all(&String::from_utf8(in_xml.bytes).unwrap())[0].rules.moves, Moves::Push);
        }
    }
    let mixed = all(&format!("{BOARD}Variant: Pukoban\n\n{BOARD}"));
    let moves = mixed.iter().map(|level| level.rules.moves);
    assert_eq!(moves.collect::<Vec<_>>(), [Moves::PushAndPull, Moves::Push]);
}

#[test]
fn a_file_without_a_level_is_refused_with_the_reason() {
    let why = |bytes: &[u8], name: &str| KIND.check(bytes, name)[0].to_string();
    for (bytes, wanted) in [
        (&b"a letter"[..], "no level in this xsb file; it should hold boards of Sokoban"),
        (b"#####\n#@$.#\n#####\n\xff\0x", "this is not text"),
        (b"\xff\xfe#\0#\0", "UTF-16"),
        (b"\x1f\x8b\x08", "gzip"),
    ] {
        for name in ["a.xsb", "A.XSB"] {
            assert!(why(bytes, name).contains(wanted), "{}", why(bytes, name));
        }
    }
    assert!(why(b"a letter", "a.png").contains("not a PNG picture"));
    assert!(why(b"a letter", "a.doc").contains("its name must end in png, txt, xsb, sok"));
    assert!(why(b"(a letter", "a.txt").contains("this is no level file"));
}

#[test]
fn titles_stand_above_below_or_in_a_pair() {
    assert_eq!(names(&format!("First\n\n{BOARD}\nSecond\n{BOARD}")), ["First", "Second"]);
    assert_eq!(names(&format!("{BOARD}; First\n\n{BOARD}; Second\n")), ["First", "Second"]);
    assert_eq!(names(&format!("; 0\n{BOARD}\n; 1\n{BOARD}")), ["set 0", "set 1"]);
    assert_eq!(
        names(&format!("; 0\n{BOARD}; 1\n{BOARD}; 2\n{BOARD}")),
        ["set 0", "set 1", "set 2"]
    );
    assert_eq!(names(&format!("{BOARD}\n{BOARD}")), ["set 1", "set 2"]);
    assert_eq!(names(&format!("{BOARD}Title: A\nAuthor: X\n\n{BOARD}\nTitle: 2\n")), ["A", "2"]);
    assert_eq!(names(&format!("Title: A\n{BOARD}\nTitle: B\n{BOARD}")), ["A", "B"]);
    assert_eq!(names(&format!("1\n{BOARD}Title: Known\n")), ["Known"]);
    // Decoration and solutions are no titles and no boards.
    let text = format!("*****\nA set\n*****\n\n{BOARD}\nSolution\nrRUULLddR\n\n{BOARD}");
    assert_eq!(names(&text), ["A set", "set 2"]);
}

#[test]
fn authors_and_comments_are_kept() {
    let text = format!(
        "Title: The set\nAuthor: Ann\n\n{BOARD}\n{BOARD}Author: Bob\nComment:\nTwo\n####\n#$$#\nlines\n\
         Comment-End:\n\n{BOARD}\nComment: One line\n"
    );
    let levels = all(&text);
    let said: Vec<_> = levels.iter().map(|l| (l.author.as_str(), l.about.as_str())).collect();
    assert_eq!(said[0], ("Ann", ""));
    assert_eq!(said[1].0, "Bob");
    assert!(said[1].1.starts_with("Two ####"), "{}", said[1].1);
    assert_eq!(said[2], ("Ann", "One line"));
}

#[test]
fn long_texts_are_cut() {
    let long = "word ".repeat(1_000);
    let text = format!("{long}\n{BOARD}Author: {long}\nComment: {long}\n");
    let level = &all(&text)[0];
    for (cut, most) in [(&level.name, 100), (&level.author, 100), (&level.about, 2000)] {
        let length = cut.chars().count();
        assert!(cut.ends_with('…') && (most - 5..=most).contains(&length), "{length}: {cut}");
    }
    assert_eq!(KIND.check(text.as_bytes(), "set.xsb"), []);
    // A sentence instead of a title is kept in the description.
    let sentence = "x".repeat(150);
    let level = &all(&format!("{sentence}\n{BOARD}"))[0];
    assert_eq!((level.name.chars().count(), &level.about), (100, &sentence));
    assert_eq!(all(&format!("{}\n{BOARD}", "x".repeat(100)))[0].about, "");
    let name = KIND.read_collection(BOARD.as_bytes(), &format!("{sentence}.xsb"));
    assert!(name.unwrap()[0].name.ends_with("x…"));
}

#[test]
fn a_comment_without_its_end_takes_no_level() {
    let text = format!(
        "{BOARD}Title: A\nComment:\nHard to\n\nsolve,\nreally\n\n{BOARD}Title: B\nComment:\nEasy\n\nC\n\n\
         {BOARD}Comment: of three lines\nor\n#####\nComment-End:\nD\n{BOARD}\nComment:\n\nE\n\
         Author: Ann\n\n{BOARD}Comment:\nand\nComment:\nthe last\n"
    );
    for text in [text.clone(), text.replace('\n', "\r\n")] {
        let levels = all(&text);
        assert_eq!(
            levels.iter().map(|l| l.name.as_str()).collect::<Vec<_>>(),
            ["A", "B", "C", "D", "set 5"]
        );
        let said: Vec<_> = levels.iter().map(|level| level.about.as_str()).collect();
        assert_eq!(said, ["Hard to  solve, really", "Easy", "of three lines or #####", "E", "and"]);
        assert_eq!(levels[3].author, "Ann");
        assert!(levels.iter().all(|level| level.map == ROWS));
    }
}

#[test]
fn skipped_rows_are_listed() {
    let skipped = |text: String| KIND.skipped(text.as_bytes());
    let drawn = "Comment:\n@$.\nsaid\n####\n#$?#\n\n####\nComment-End:\n";
    assert_eq!(
        skipped(format!("{drawn}\n##\n##\n\n-----\n{BOARD}")),
        [
            "rows in a comment (line 2)",
            "rows in a comment (lines 4 to 5)",
            "rows without any piece (lines 10 to 11)"
        ]
    );
    let many = skipped(format!("{}{BOARD}", "##\n##\n\n".repeat(50)));
    assert_eq!((many.len(), many[8].as_str()), (9, "rows in 42 more places"));
    assert!(skipped(format!("A\n{BOARD}Comment:\nof\n-----\nlines\n\n{BOARD}")).is_empty());
    // Our own files have nothing of the kind, whatever they say.
    let level = PukobanFile { about: drawn.into(), ..all(BOARD).remove(0) };
    assert!(skipped(write_ron(&level)).is_empty());
}

#[test]
fn a_name_of_letters_that_stand_for_pieces_is_no_row() {
    assert_eq!(names(&format!("Bob\n{BOARD}Pop\n{BOARD}")), ["Bob", "Pop"]);
    assert_eq!(names(&format!("Bob\n\n{BOARD}\n{BOARD}Boo\n")), ["Bob", "Boo"]);
    assert!(all(&format!("Bob\n{BOARD}Pop\n{BOARD}")).iter().all(|level| level.map == ROWS));
    // Among letters it is one.
    assert_eq!(all("bob\n#o#\n#p#")[0].map, ["$.$", "#.#", "#@#"]);
}

#[test]
fn faults_name_the_line() {
    let message = |text: &str| {
        let faults = read(text.as_bytes(), "set").unwrap().unwrap_err();
        faults.iter().map(|fault| fault.in_file("x")).collect::<Vec<_>>().join("\n")
    };
    assert!(message("####\n#@?$.#\n####").starts_with("x:2:3: unknown character '?'"));
    let spoilt = "####\n#@?$.#\n####\n#-??-##\n####";
    assert_eq!(message(spoilt), "x:2:3: unknown character '?' in 3 cells");
    assert!(message("####\n#\t@$.#\n####").starts_with("x:2:1: a tab in a row"));
    assert!(message("999999#\n#@$.#").starts_with("x:1:1: column 7: this makes more than"));
    assert!(message(&"#@$.#\n".repeat(513)).contains("the maximum is 512 by 512"));
    assert!(message(&format!("{BOARD}\n").repeat(10_001)).contains("the maximum is 10000 levels"));
    assert!(message(&"511(512#|)#@$.#\n\n".repeat(100)).contains("the maximum is"));
    // Rows that are no board count too, so that a few characters cannot take hours.
    assert!(message(&"511(512#|)\n\n".repeat(1_000_000)).contains("cells in all"));
    assert!(message(&"511(512#|)\n".repeat(1_000_000)).contains("cells in all"));
    let comment = format!("Comment:\n{}", "511(512#|)\n\n".repeat(15));
    assert!(message(&comment.repeat(60_000)).contains("cells in all"));
    // A spoilt row is part of the board below a comment.
    assert!(message("Comment:\nHard\n#?##\n#@$.#\n####").starts_with("x:3:2: unknown"));
}

#[test]
fn a_board_that_cannot_be_read_leaves_the_others_alone() {
    let tall = "#@$.#\n".repeat(513);
    let wide = format!("####\n#@$.{}", "#".repeat(509));
    let largest = "this board is";
    for (spoilt, lines, place, why) in [
        ("####\n#@?$.#\n#??--#\n####", "7 to 10", "line 8, column 3", "unknown character '?'"),
        ("####\n#?--#\n#-?-#\n#@$.#", "7 to 10", "line 8, column 2", "unknown character '?'"),
        ("#### Two ####\n#@$.--------#", "7 to 8", "line 7, column 6", "unknown character 'T'"),
        ("####\n#\t@$.#\n####", "7 to 9", "line 8, column 1", "a tab in a row"),
        ("999999#\n#@$.#", "7 to 8", "line 7, column 1", "column 7: this makes more than"),
        (tall.trim_end(), "7 to 519", "line 7, column 1", largest),
        (&wide, "7 to 8", "line 7, column 1", largest),
    ] {
        let text = format!("One\n{BOARD}\nTwo\n{spoilt}\nAuthor: Ann\n\n{BOARD}");
        let levels = all(&text);
        assert_eq!(names(&text), ["One", "Two", "set 3"], "{spoilt}");
        assert!(levels[0].map == ROWS && levels[2].map == ROWS, "{spoilt}");
        assert!(levels[0].author.is_empty() && levels[1].author == "Ann");
        let skipped = KIND.skipped(text.as_bytes());
        assert_eq!(skipped.len(), 1, "{skipped:?}");
        assert!(skipped[0].starts_with(&format!("a board (lines {lines}): {place}: {why}")));
        // It keeps its number, and its own problems.
        let entries = KIND.read_collection(text.as_bytes(), "set.xsb").unwrap();
        let faults = entries.iter().map(|entry| KIND.check(entry.text.as_bytes(), "").len());
        let fine: Vec<bool> = faults.map(|count| count == 0).collect();
        assert_eq!(fine, [true, false, true], "{spoilt}");
        assert!(score(text.as_bytes(), "txt") > 0.5);
    }
    // What is no board is none for a wrong character.
    let text = format!("############\n### Set ####\n############\n\n{BOARD}\n{BOARD}");
    assert_eq!(names(&text), ["set 1", "set 2"]);
    assert!(KIND.skipped(text.as_bytes())[0].starts_with("rows without any piece (lines 1 to 3)"));
    // Of many such boards the first are listed.
    let many = format!("{BOARD}\n{}", "####\n#@?$.#\n\n".repeat(5_000));
    assert_eq!((all(&many).len(), KIND.skipped(many.as_bytes()).len()), (5_001, 9));
}

#[test]
fn a_file_with_several_levels_says_how_to_choose() {
    let text = format!("One\n{BOARD}\nTwo\n{BOARD}");
    let what = KIND.check(text.as_bytes(), "set.xsb")[0].to_string();
    assert!(what.contains("holds 2 levels") && what.contains("set.xsb#1"), "{what}");
    assert!(what.contains("#1 One, #2 Two"), "{what}");
    let levels = KIND.read_collection(text.as_bytes(), "set.xsb").unwrap();
    assert_eq!(levels.len(), 2);
    for level in levels {
        assert_eq!(KIND.check(level.text.as_bytes(), ""), []);
        assert_eq!(KIND.describe(level.text.as_bytes(), "").unwrap().name, level.name);
    }
}

/// A playable level with cells from these numbers.
fn level(width: usize, cells: &[usize], head: [String; 3]) -> PukobanFile {
    const SYMBOLS: [char; 7] = ['-', '#', '.', '$', '*', '-', '-'];
    let mut symbols: Vec<char> = cells.iter().map(|&cell| SYMBOLS[cell]).collect();
    symbols.truncate(symbols.len() / width * width);
    symbols.extend("@-$.".chars().chain("-".repeat(width).chars()).take(4.max(width)));
    symbols.resize(symbols.len().div_ceil(width) * width, '-');
    let [name, author, about] = head;
    PukobanFile {
        format: FORMAT.into(),
        name,
        author,
        about,
        rules: PukobanRules::default(),
        map: symbols.chunks(width).map(|row| row.iter().collect()).collect(),
    }
}

/// What a generated collection consists of.
#[derive(Clone, Debug)]
enum Item {
    /// The width and cells of a board inside its walls, and whether it is written in letters.
    Board(usize, Vec<usize>, bool),
    /// Other lines.
    Said(String),
}

fn item() -> impl Strategy<Value = Item> {
    let cells = prop::collection::vec(0usize..7, 0..20);
    let boards = (2usize..6, cells, any::<bool>())
        .prop_map(|(width, cells, letters)| Item::Board(width, cells, letters));
    let line = "[A-Za-z ,.;:!-]{0,12}|-+|#+|#1|Bob|Title: [a-z]{0,5}|Author:|Level [0-9]";
    let lines = prop::collection::vec(line, 0..4);
    let said = (lines, 0usize..6).prop_map(|(lines, kind)| {
        // Two rows on top of each other would be a board.
        let lines: String = lines.iter().map(|line| format!("{line}\nsaid\n")).collect();
        Item::Said(match kind {
            0 => format!("Comment:\n{lines}"),
            1 => format!("Comment:\n{lines}Comment-End:\n"),
            2 => format!("Comment: {lines}said\n"),
            3 => format!("said\n{lines}Comment-End:\n"),
            4 => "Comment:\nThis row:\n@$.\nsaid\n".into(),
            _ => format!("said\n{lines}"),
        })
    });
    prop_oneof![boards, said]
}

/// A board inside walls with a player, a box and a goal.
fn walled(width: usize, cells: &[usize]) -> Vec<String> {
    const SYMBOLS: [char; 7] = ['-', '#', '.', '$', '*', '-', '-'];
    let mut symbols: Vec<char> =
        "@$.".chars().chain(cells.iter().map(|&cell| SYMBOLS[cell])).collect();
    symbols.resize(symbols.len().div_ceil(width) * width, '-');
    let edge = "#".repeat(width + 2);
    let rows = symbols.chunks(width).map(|row| format!("#{}#", row.iter().collect::<String>()));
    std::iter::once(edge.clone()).chain(rows).chain([edge]).collect()
}

proptest! {
    #[test]
    fn what_is_written_can_be_read(
        width in 1usize..9,
        cells in prop::collection::vec(0usize..7, 0..60),
        head: [String; 3],
        plain in prop::array::uniform3("[A-Za-z0-9:;#$. ]{1,12}"),
        odd: bool,
    ) {
        let head = if odd { head } else { plain };
        let level = level(width, &cells, head);
        prop_assume!(faults(&level).is_empty());
        let written = write(&level);
        let read = read(&written.bytes, "file").unwrap().unwrap();
        prop_assert_eq!(read.len(), 1);
        prop_assert_eq!(&read[0].map, &level.map);
        if written.lost.is_empty() && !level.name.is_empty() {
            prop_assert_eq!(&read[0], &level);
        }
        prop_assert!(KIND.format_score(&written.bytes, "x") > 0.5);
        // Several in one file.
        let twice = [written.bytes.as_slice(), b"\n", &written.bytes].concat();
        let both = super::read(&twice, "file").unwrap().unwrap();
        prop_assert_eq!(both.len(), 2);
        prop_assert!(both.iter().all(|one| one.map == level.map));
    }

    #[test]
    fn no_board_is_lost_among_comments(
        items in prop::collection::vec((item(), 0usize..3), 1..12),
        windows: bool,
    ) {
        let mut text = String::new();
        let mut boards = Vec::new();
        for (item, blanks) in items {
            text += &"\n".repeat(blanks);
            match item {
                Item::Board(width, cells, letters) => {
                    let board = walled(width, &cells);
                    let mut rows = board.join("\n");
                    if letters {
                        for (symbol, letter) in [("@", "p"), ("$", "b"), ("*", "B"), (".", "o")] {
                            rows = rows.replace(symbol, letter);
                        }
                    }
                    // Two boards need something between them.
                    let below_board = text.ends_with("#\n");
                    text += if below_board { "\n" } else { "" };
                    text += &rows;
                    text.push('\n');
                    boards.push(board);
                }
                Item::Said(said) => text += &said,
            }
        }
        let text = if windows { text.replace('\n', "\r\n") } else { text };
        let read = super::read(text.as_bytes(), "file").map_or_else(Vec::new, Result::unwrap);
        let maps: Vec<_> = read.into_iter().map(|level| level.map).collect();
        prop_assert_eq!(maps, boards, "{}", text);
    }

    #[test]
    fn what_is_written_in_xml_can_be_read(
        width in 1usize..9,
        cells in prop::collection::vec(0usize..7, 0..60),
        head: [String; 3],
    ) {
        let level = level(width, &cells, head);
        prop_assume!(faults(&level).is_empty());
        let written = slc::write(&level);
        let read = read(&written.bytes, "file").unwrap().unwrap();
        prop_assert_eq!(read.len(), 1);
        prop_assert_eq!(&read[0].map, &level.map);
        let is_plain = |value: &String| !value.contains(char::is_control);
        let values = [&level.name, &level.author, &level.about];
        if written.lost.is_empty() && is_visible(&level.name) && values.into_iter().all(is_plain) {
            prop_assert_eq!(&read[0], &level);
        }
    }

    #[test]
    fn cells_may_be_spaced(width in 2usize..7, cells in prop::collection::vec(0usize..7, 0..20)) {
        let board = walled(width, &cells);
        let read = all(&spaced(&board.join("\n")));
        prop_assert_eq!(&read[0].map, &board);
    }

    #[test]
    fn moves_of_any_text_are_no_panic(text in "[#@$.*+ \nudlrUDLR0-9()Solutinapsh:]{0,200}") {
        let _ = KIND.recorded(format!("{BOARD}{text}").as_bytes(), "x");
        let _ = KIND.skipped(format!("{BOARD}{text}").as_bytes());
    }

    #[test]
    fn no_xml_causes_a_panic(
        parts in prop::collection::vec(
            "<SokobanLevels>|<Level Id=\"a|\">|<L>|</L>|</Level>|<LevelCollection|&[a-z#0-9]{0,4};|[#@$. \n?]{0,9}|<!\\[CDATA\\[|\\]\\]>|\\PC{0,5}",
            0..30,
        ),
    ) {
        let text = format!("<SokobanLevels>{}", parts.concat());
        let _ = KIND.read_collection(text.as_bytes(), "x.slc");
        let _ = KIND.skipped(text.as_bytes());
        let _ = KIND.collection_title(text.as_bytes());
    }

    #[test]
    fn no_bytes_cause_a_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        text in "[#@$.*+ _\\-pbPBoW0-9|()\n\r\t\0;:>=TtiAuCcommentVarGe]{0,200}",
    ) {
        for bytes in [bytes.as_slice(), text.as_bytes()] {
            for name in ["x.xsb", "x.sok", "x.txt", "x"] {
                let _ = KIND.format_score(bytes, name);
                let _ = KIND.read_collection(bytes, name);
                let _ = KIND.check(bytes, name);
            }
            let _ = KIND.skipped(bytes);
        }
    }
}

#[test]
fn what_a_text_cannot_hold_is_named() {
    let mut level = all(BOARD).remove(0);
    level.rules.set("objective", "box_moves").unwrap();
    level.about = "Two\nlines".into();
    level.author = "Ann\0".into();
    let lost = write(&level).lost;
    assert_eq!(lost.len(), 3, "{lost:?}");
    assert!(lost[2].contains("objective"));
    let ron = write_ron(&level);
    let converted = KIND.convert(ron.as_bytes(), "x.ron", &[], "xsb").unwrap();
    assert_eq!(converted.lost, lost);
}

#[test]
fn ragged_rows_count_as_the_rectangle_that_they_become() {
    // 1,500 characters that fill 512 by 512 cells.
    let board = format!("{}@$.#\n{}\n", "#".repeat(508), "#\n".repeat(511));
    assert_eq!(read(board.repeat(2).as_bytes(), "a").unwrap().unwrap().len(), 2);
    let faults = read(board.repeat(20).as_bytes(), "a").unwrap().unwrap_err();
    assert!(faults[0].to_string().contains("too large"), "{faults:?}");
}
