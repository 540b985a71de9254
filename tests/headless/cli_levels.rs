//! Level files on the command line: how they are found, and what is said of those that are none.

use super::cli::{Desk, LEVEL};

#[test]
fn own_levels_are_found_by_id() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("data/levels/racetrack")).unwrap();
    desk.put("data/levels/racetrack/mine.ron", LEVEL);
    desk.put("data/levels/racetrack/broken.ron", "(");
    assert!(desk.run(&["levels"]).is(0).out.contains("racetrack/mine"));
    desk.run(&["solve", "racetrack/mine"]).is(0);
    desk.run(&["match", "racetrack", "mine", "--games", "1"]).is(0);
    desk.run(&["solve", "racetrack/broken"]).is(1);
}

#[test]
fn long_texts_are_problems() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("data/levels/racetrack")).unwrap();
    let named = |name: &str| LEVEL.replace("Short", name);
    desk.put("data/levels/racetrack/long.ron", named(&"é".repeat(65_536)));
    desk.put("data/levels/racetrack/full.ron", named(&"é".repeat(100)));
    let said = desk.run(&["levels", "racetrack"]).is(0);
    let line = said.out.lines().find(|line| line.starts_with("racetrack/long")).unwrap();
    assert!(line.contains("'name' has 65536 characters; the maximum is 100: shorten it"), "{line}");
    assert!(said.out.contains(&"é".repeat(100)), "{said:?}");
    for (key, most) in [("author", 100), ("about", 2000)] {
        let with = |length: usize| {
            LEVEL.replace("map", &format!("{key}: \"{}\", map", "x".repeat(length)))
        };
        desk.put("most.ron", with(most));
        desk.put("more.ron", with(most + 1));
        desk.run(&["check", "most.ron"]).is(0);
        let said = desk.run(&["check", "more.ron"]).is(1);
        assert!(said.out.contains(&format!("the maximum is {most}")), "{said:?}");
    }
}

#[test]
fn a_file_may_hold_several_levels() {
    let desk = Desk::new();
    let board = "4#|#@$.#|4#";
    desk.put("set.xsb", format!("One\n{board}\n\nTwo\n{board}\nAuthor: Ann\n"));
    let said = desk.run(&["check", "set.xsb"]).is(0);
    assert!(said.out.contains("2 levels without problems"), "{said:?}");
    assert!(desk.run(&["check", "set.xsb#2"]).is(0).out.contains("1 level without"));
    let said = desk.run(&["solve", "set.xsb", "--moves", "R"]).is(1);
    assert!(said.err.contains("holds 2 levels") && said.err.contains("#2 Two"), "{said:?}");
    desk.run(&["solve", "set.xsb#2", "--moves", "R"]).is(0);
    assert!(desk.run(&["solve", "set.xsb#3"]).is(2).err.contains("has no level 3"));
    desk.run(&["convert", "set.xsb#2", "two.ron"]).is(0);
    assert!(std::fs::read_to_string(desk.path("two.ron")).unwrap().contains("\"Ann\""));
    std::fs::create_dir(desk.path("all")).unwrap();
    let said = desk.run(&["convert", "set.xsb", "all"]).is(0);
    assert!(said.out.contains("wrote 2 levels"), "{said:?}");
    desk.run(&["check", "all/one.ron", "all/two.ron"]).is(0);
    desk.run(&["convert", "all/two.ron", "again.sok"]).is(0);
    // A folder that is not there is made; so is one for a level that is not of a collection.
    let said = desk.run(&["convert", "set.xsb", "new/folder/"]).is(0);
    assert!(said.out.contains("to new/folder/"), "{said:?}");
    assert!(desk.path("new/folder/two.ron").is_file());
    desk.run(&["convert", "racetrack/tiny", "other/"]).is(0);
    assert_eq!(std::fs::read_dir(desk.path("other")).unwrap().count(), 1);
    desk.put("bad.xsb", format!("{board}\n\n###\n#@.#\n\n"));
    let said = desk.run(&["check", "bad.xsb"]).is(1);
    assert!(said.out.starts_with("bad.xsb#2: "), "{said:?}");
}

/// Levels are read from among comments, and what is skipped is said with its lines.
#[test]
fn skipped_rows_of_a_collection_are_said() {
    let desk = Desk::new();
    let board = "####\n#@$.#\n####\n";
    // Neither a comment without its end nor a drawing in one is a level.
    let set = format!("A\n{board}Comment:\nHard:\n####\n#$$#\n\nB\n{board}\n###\n# #\n###\n");
    desk.put("set.xsb", &set);
    std::fs::create_dir(desk.path("all")).unwrap();
    let skipped = ["rows in a comment (lines 7 to 8)", "rows without any piece (lines 15 to 17)"];
    let said = desk.run(&["convert", "set.xsb", "all"]).is(0);
    assert!(said.out.contains("wrote 2 levels"), "{said:?}");
    for rows in skipped {
        assert!(said.out.contains(&format!("lost: {rows}")), "{said:?}");
        let said = desk.run(&["convert", "set.xsb", "all", "--json"]).is(0);
        assert!(said.out.contains(rows), "{said:?}");
        let said = desk.run(&["check", "set.xsb"]).is(0);
        assert!(said.err.contains(&format!("set.xsb: skipped {rows}")), "{said:?}");
        assert!(said.out.contains("2 levels without problems"), "{said:?}");
    }
    // A file of one level too.
    desk.put("one.xsb", set.split("\nB\n").next().unwrap());
    let said = desk.run(&["convert", "one.xsb", "one.ron"]).is(0);
    assert!(said.out.contains("lost: rows in a comment (lines 7 to 8)"), "{said:?}");
    assert!(desk.run(&["check", "one.xsb"]).is(0).err.contains(skipped[0]));
}

/// A wrong character costs its own level alone.
#[test]
fn a_board_that_cannot_be_read_is_named_with_its_lines() {
    let desk = Desk::new();
    let board = "####\n#@$.#\n####\n";
    let spoilt = board.replace("$.", "?$.");
    desk.put("set.xsb", format!("One\n{board}\nTwo\n{spoilt}\nThree\n{board}"));
    let lines = "a board (lines 7 to 9): line 8, column 3: unknown character '?'";
    let said = desk.run(&["check", "set.xsb"]).is(1);
    assert!(said.err.contains(&format!("set.xsb: skipped {lines}")), "{said:?}");
    assert!(said.out.starts_with("set.xsb#2: cell (2,1): unknown character '?'"), "{said:?}");
    assert_eq!(said.out.lines().count(), 1, "{said:?}");
    let said = desk.run(&["convert", "set.xsb", "all/"]).is(1);
    assert!(said.out.contains("wrote 2 levels") && said.out.contains(lines), "{said:?}");
    desk.run(&["solve", "set.xsb#3"]).is(0);
    assert!(desk.run(&["solve", "set.xsb#2"]).is(1).err.contains("'?'"));
    // Alone in its file it is named with its place.
    desk.put("one.xsb", &spoilt);
    let said = desk.run(&["check", "one.xsb"]).is(1);
    assert!(said.out.starts_with("one.xsb:2:3: unknown character '?'"), "{said:?}");
}

#[test]
fn files_that_are_no_levels_are_named() {
    let desk = Desk::new();
    desk.put("photo.png", b"\xff\xd8\xff\xe0\0\x10JFIF\0");
    let wide: Vec<u8> = LEVEL.encode_utf16().flat_map(u16::to_le_bytes).collect();
    desk.put("wide.ron", &wide);
    desk.put("wide.txt", [&b"\xff\xfe"[..], &wide].concat());
    let newer = LEVEL.replace("racetrack 1", "racetrack 2").replace("name", "laps: 3, name");
    desk.put("newer.ron", newer);
    desk.put("ending.ron", "a".repeat(3_000_000));
    desk.put("signs.ron", LEVEL.replace("#SF#", "?SF?"));
    for (file, wanted) in [
        ("photo.png", "JPEG"),
        ("wide.ron", "UTF-16"),
        ("wide.txt", "UTF-16"),
        ("newer.ron", "'racetrack 2', of a newer version"),
        ("signs.ron", "cell (0,1): unknown character '?' in 2 cells"),
    ] {
        let said = desk.run(&["check", file]).is(1);
        assert!(said.out.contains(wanted) && said.out.lines().count() == 1, "{said:?}");
    }
    let said = desk.run(&["convert", "ending.ron", "out.ron", "--game", "racetrack"]).is(1);
    assert!(
        said.err.contains("ending.ron: this is not a level file: a level file begins with"),
        "{said:?}"
    );
    assert!(said.err.len() < 1000, "{} bytes", said.err.len());
}

#[test]
fn newer_versions_are_named_in_every_format() {
    let desk = Desk::new();
    desk.put("old.ron", LEVEL);
    let newer = |text: &[u8]| {
        let at = text.windows(11).position(|part| part == b"racetrack 1").unwrap();
        [&text[..at], b"racetrack 2", &text[at + 11..]].concat()
    };
    for ending in ["ron", "txt", "png"] {
        desk.run(&["convert", "old.ron", &format!("old.{ending}")]).is(0);
        let text = std::fs::read(desk.path(&format!("old.{ending}"))).unwrap();
        // With the same fields, and with one that nobody knows yet.
        for (number, key) in ["name", "mood"].iter().enumerate() {
            let mut text = newer(&text);
            let at = text.windows(4).position(|part| part == b"name").unwrap();
            text[at..at + 4].copy_from_slice(key.as_bytes());
            if ending == "png" {
                sum_chunks(&mut text);
            }
            let file = format!("newer-{number}.{ending}");
            desk.put(&file, text);
            let said = desk.run(&["check", &file]).is(1);
            let wanted = format!("{file}: the format is 'racetrack 2', of a newer version");
            assert!(said.out.starts_with(&wanted) && said.out.lines().count() == 1, "{said:?}");
        }
    }
    // A replay of a later version too, also if it has no other fields.
    let race = super::tracks::race(&super::tracks::straight(), 1);
    let replay = outwit_core::play::Replay::of(&race, vec!["human".into()]);
    let later = ron::to_string(&replay).unwrap().replace("outwit-replay 3", "outwit-replay 9");
    desk.put("later.ron", &later);
    desk.put("strange.ron", later.replace("seats:", "weather:"));
    for file in ["later.ron", "strange.ron"] {
        let analyse = ["analyse", file, "--budget", "10w"];
        for (args, code) in
            [(&["replay", file][..], 1), (&["play", "--json", "--replay", file], 1), (&analyse, 2)]
        {
            let said = desk.run(args).is(code);
            assert!(said.err.contains("'outwit-replay 9', of a newer version"), "{said:?}");
        }
    }
}

/// Makes the check sums of a PNG's chunks right again.
fn sum_chunks(png: &mut [u8]) {
    let mut at = 8;
    while at + 12 <= png.len() {
        let length = u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
        let end = at + 8 + length;
        let sum = png[at + 4..end].iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))
        });
        png[end..end + 4].copy_from_slice(&(!sum).to_be_bytes());
        at = end + 4;
    }
}

#[test]
fn messages_name_no_types_of_the_program() {
    let desk = Desk::new();
    for (number, (text, wanted)) in [
        ("a wrong ending", "not a level file"),
        ("7", "not a level file"),
        ("Level(format: \"racetrack 1\")", "found `Level`"),
        (&LEVEL.replace("name:", "title:"), "field named `title`"),
        (&LEVEL.replace("name: \"Short\", ", ""), "missing field named `name`"),
        (&LEVEL.replace("name:", "name: \"a\", name:"), "duplicate field named `name`"),
        (&LEVEL.replace("map:", "rules: (wheels: 4), map:"), "field named `wheels`"),
        (&LEVEL.replace("map:", "rules: (contact: maybe), map:"), "`maybe`"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = format!("{number}.ron");
        desk.put(&file, text);
        let said = desk.run(&["convert", &file, "out.png", "--game", "racetrack"]).is(1);
        assert!(said.err.contains(wanted), "{text}: {said:?}");
        for name in ["LevelFile", "RaceRules", "Contact", "struct"] {
            assert!(!said.err.contains(name), "{text}: {said:?}");
        }
    }
}

#[test]
fn a_level_that_cannot_be_stops_no_list() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("data/levels/cops")).unwrap();
    let walls = "map: [\"=====\",\"=...=\",\"=...=\",\"=...=\",\"=====\"])";
    let bad = format!("(format: \"cops 1\", name: \"x\", rules: (size: 4294967295), {walls}");
    desk.put("data/levels/cops/bad.ron", bad);
    desk.run(&["convert", "cops/tiny", "data/levels/cops/good.ron"]).is(0);
    let said = desk.run(&["levels"]).is(0);
    let line = |id: &str| said.out.lines().find(|line| line.starts_with(id)).unwrap().to_owned();
    assert!(line("cops/bad").contains("(not playable)"), "{said:?}");
    assert!(line("cops/good").contains("Back yard"), "{said:?}");
    assert!(said.out.contains("racetrack/first-lap") && said.out.contains("mnk/3x3x3"));
    let listed = desk.run(&["levels", "cops", "--json"]).is(0).json();
    let entry = |id: &str| listed.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
    assert_eq!(entry("cops/bad")["name"], "(not playable)");
    assert!(entry("cops/bad")["about"].as_str().unwrap().contains("rules.size"), "{listed}");
    assert_eq!(entry("cops/good")["own"], true);
    assert!(desk.run(&["solve", "cops/bad"]).is(1).err.contains("rules.size"));
}

#[test]
fn a_copy_of_a_built_in_level_has_a_name_of_its_own() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("data/levels/racetrack")).unwrap();
    desk.put("data/levels/racetrack/tiny.ron", LEVEL);
    let listed = desk.run(&["levels", "racetrack", "--json"]).is(0).json();
    let own = |id: &str| {
        let rows = listed.as_array().unwrap().iter().filter(|row| row["id"] == id);
        rows.map(|row| row["own"].as_bool().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((own("racetrack/tiny"), own("racetrack/tiny-own")), (vec![false], vec![true]));
    let value = |id: &str| desk.run(&["solve", id, "--json"]).is(0).json()["value"].as_f64();
    assert_eq!(value("racetrack/tiny-own"), Some(0.5));
    assert!(value("racetrack/tiny") > Some(5.0));
}

#[test]
fn replays_of_a_level_named_by_its_path_go_where_they_are_wanted() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("deep")).unwrap();
    desk.run(&["convert", "cops/tiny", "deep/own.ron"]).is(0);
    let seats = ["--seat", "thief=random", "--seat", "cops=chasers", "--games", "2"];
    let args = [&["match", "cops", "./deep/own.ron", "--replays", "r"][..], &seats].concat();
    desk.run(&args).is(0);
    let names = |folder: &str| {
        let files = std::fs::read_dir(desk.path(folder)).unwrap();
        let mut names: Vec<String> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names("r"), ["cops-own-random-chasers-1.ron", "cops-own-random-chasers-2.ron"]);
    assert_eq!(
        (names(""), names("deep")),
        (vec!["deep".into(), "r".into()], vec!["own.ron".into()])
    );
}

#[test]
fn a_level_is_found_by_its_name_alone() {
    let desk = Desk::new();
    let said = desk.run(&["solve", "tiny"]).is(2);
    assert!(said.err.contains("racetrack/tiny") && said.err.contains("cops/tiny"), "{said:?}");
    assert!(desk.run(&["solve", "first-lap"]).is(0).out.starts_with("racetrack/first-lap: "));
    // A file of this name comes first.
    desk.put("tiny", LEVEL);
    assert!(desk.run(&["solve", "tiny"]).is(0).out.starts_with("tiny: "));
}

#[test]
fn levels_get_names_that_every_system_allows() {
    let desk = Desk::new();
    let board = "####\n#@$.#\n####";
    desk.put("set.xsb", format!("CON\n{board}\n\nlpt1\n{board}\n"));
    std::fs::create_dir(desk.path("all")).unwrap();
    desk.run(&["convert", "set.xsb", "all"]).is(0);
    for name in ["con-level.ron", "lpt1-level.ron"] {
        assert!(desk.path("all").join(name).exists(), "{name}");
    }
}

/// Where a file is read, `-` is the standard input.
#[test]
fn the_standard_input_is_read_like_a_file() {
    let desk = Desk::new();
    let board = "####\n#@$.#\n####\n";
    let set = format!("One\n{board}\nTwo\n{board}\nSolution\nR\n");
    let set = desk.put("set", &set);
    let game = "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,9,0\nX\nO\n-1\n";
    let game = desk.put("game", game);
    let moves = desk.put("moves", "R");
    desk.put("set.xsb", board);
    let mut inputs = vec!["-"];
    inputs.extend(cfg!(target_os = "linux").then_some("/dev/stdin"));
    for input in inputs {
        let second = format!("{input}#2");
        for (file, args, wanted) in [
            (&set, &["check", input][..], "2 levels without problems"),
            (&set, &["check", &second], "1 level without problems"),
            (&set, &["convert", &second, "two.ron"], "wrote two.ron"),
            (
                &set,
                &["convert", &second, "two.ron"],
                "lost: Solution (line 12), which outwit replay",
            ),
            (&set, &["convert", input, "all/"], "wrote 2 levels"),
            (&set, &["solve", &second, "--moves", "R"], "Solved in 1 step"),
            (&moves, &["solve", "set.xsb", "--moves", input], "Solved in 1 step"),
            (&set, &["replay", &second, "--save", "two-replay.ron"], "moves: R"),
            (&game, &["replay", input], "moves: h8 i7"),
            (&game, &["analyse", input, "--budget", "10w"], "for x at turn 0"),
            (&set, &["bench", "pukoban", "--level", input, "--planner", "best"], "#2"),
        ] {
            if input == "-" && args.contains(&second.as_str()) {
                // Among options this would be one.
                continue;
            }
            let mut command = desk.command(args);
            let output = command.stdin(std::fs::File::open(file).unwrap()).output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success(), "{args:?}: {said}{errors}");
            assert!(said.contains(wanted), "{args:?}: {said}{errors}");
        }
    }
    if cfg!(target_os = "linux") {
        desk.run(&["replay", "two-replay.ron"]).is(0);
    }
}
