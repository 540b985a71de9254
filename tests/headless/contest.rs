//! Contests: players in folders are built, tried, played and shown.

use super::cli::Desk;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::{Child, Stdio};

fn put(desk: &Desk, name: &str, text: impl AsRef<[u8]>) {
    std::fs::create_dir_all(desk.path(name).parent().unwrap()).unwrap();
    desk.put(name, text);
}

/// A player of k in a row in `sh`: it plays the default, after some seconds, and says a name.
fn player(desk: &Desk, name: &str, says: &str, seconds: &str) {
    let bot = format!(
        "while read -r l; do case $l in\n\
         *'\"type\":\"start\"'*) echo '{{\"type\":\"ready\",\"protocol\":1,\"name\":\"{says}\"}}';;\n\
         *'\"type\":\"end\"'*) exit 0;;\n\
         *'\"type\":\"turn\"'*) t=${{l#*'\"turn\":'}}; t=${{t%%,*}}; sleep {seconds}\n\
         d=${{l#*'\"default\":'}}; d=\"${{d%%\\}}\\}}*}}}}}}\"\n\
         echo '{{\"type\":\"action\",\"turn\":'$t',\"action\":'\"$d\"'}}';;\nesac; done\n"
    );
    put(desk, &format!("c/players/{name}/bot.sh.in"), bot);
    put(
        desk,
        &format!("c/players/{name}/player.toml"),
        "command = \"sh bot.sh\"\nbuild = \"cp bot.sh.in bot.sh\"\nlanguage = \"sh <i>\"\nauthors = [\"Ada & Ben\"]\n",
    );
}

fn contest(desk: &Desk, games: u32) {
    put(
        desk,
        "c/contest.toml",
        format!(
            "title = \"Tic <b>\"\ngame = \"mnk\"\nlevels = [\"mnk/3x3x3\"]\ngames = {games}\nbudget = \"2s\"\n\
             planners = [\"novice\"]\n"
        ),
    );
}

/// The keys of all saved games, with how often each was saved.
fn saved(desk: &Desk) -> BTreeMap<String, usize> {
    let mut keys = BTreeMap::new();
    for file in std::fs::read_dir(desk.path("c/work/games")).into_iter().flatten() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines() {
            // The last line of a run that was killed may be torn.
            if let Ok(line) = serde_json::from_str::<Value>(line) {
                *keys.entry(line["key"].as_str().unwrap().to_owned()).or_default() += 1;
            }
        }
    }
    keys
}

const RUN: &[&str] = &["contest", "c", "--trust", "--jobs", "4"];

#[test]
fn players_of_a_contest_are_started_only_as_the_command_line_says() {
    let desk = Desk::new();
    contest(&desk, 1);
    player(&desk, "ada", "Fox", "0");
    put(
        &desk,
        "c/players/ada/player.toml",
        "command = \"sh -c 'touch started'\"\nbuild = \"touch built\"\n",
    );
    let said = desk.run(&["contest", "c"]).is(2);
    assert!(format!("{said:?}").contains("--trust"), "{said:?}");
    assert!(!desk.path("c/work").exists());
}

#[test]
fn only_what_is_missing_is_played() {
    let desk = Desk::new();
    contest(&desk, 2);
    player(&desk, "ada", "Fox </td>", "0");
    player(&desk, "ben", "Owl", "0");
    put(&desk, "c/players/cem/player.toml", "command = \"sh bot.sh\"\nbuild = \"false\"\n");
    put(&desk, "c/players/dot/player.toml", "comand = \"x\"\n");
    put(&desk, "c/players/a b/player.toml", "command = \"sh bot.sh\"\n");
    let run = || -> Value {
        let said = desk.run(&[RUN, &["--json"]].concat()).is(0);
        said.json()
    };
    let first = run();
    // Two programs and a planner, each against each from both sides, twice.
    let names = |table: &Value| -> Vec<String> {
        let list = table.as_array().unwrap();
        list.iter().map(|row| row["player"].as_str().unwrap().to_owned()).collect()
    };
    let mut players = names(&first["standings"]);
    players.sort();
    assert_eq!(players, ["ada", "ben", "novice"]);
    assert_eq!(names(&first["refused"]), ["a b", "cem", "dot"]);
    assert!(
        first["refused"][2]["why"].as_str().unwrap().contains("line 1: unknown field"),
        "{first}"
    );
    let games = saved(&desk);
    assert_eq!(games.len(), 12);
    for row in first["standings"].as_array().unwrap() {
        assert_eq!((&row["games"], &row["faults"]), (&8.into(), &0.into()), "{row}");
    }
    // Again: nothing is played. After a change: only the games of the changed player.
    assert_eq!(run()["standings"], first["standings"]);
    assert_eq!(saved(&desk), games);
    player(&desk, "ben", "Owl 2", "0");
    run();
    let more = saved(&desk);
    assert_eq!(more.len() - games.len(), 8);
    assert!(more.values().all(|&count| count == 1), "{more:?}");
    // Nothing of a player or of the contest is markup on the site.
    let read = |name: &str| std::fs::read_to_string(desk.path(&format!("c/site/{name}"))).unwrap();
    let (index, ada) = (read("index.html"), read("player-ada.html"));
    assert!(index.contains("Tic &lt;b&gt;") && index.contains("Fox &lt;/td&gt;"), "{index}");
    assert!(ada.contains("Ada &amp; Ben") && ada.contains("sh &lt;i&gt;"), "{ada}");
    for raw in ["<b>", "Fox </td>", "sh <i>"] {
        assert!(!index.contains(raw) && !ada.contains(raw), "{raw}");
    }
    for page in [&index, &ada, &read("player-cem.html")] {
        assert!(!page.contains(desk.path("c").to_str().unwrap()), "a path of this machine: {page}");
    }
    // The site shows the games of today's players and no others, each to be watched.
    let site: Vec<String> = std::fs::read_dir(desk.path("c/site/games"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".ron"))
        .collect();
    assert_eq!(site.len(), 12);
    desk.run(&["replay", &format!("c/site/games/{}", site[0])]).is(0);
}

fn begin(desk: &Desk) -> Child {
    let mut command = desk.command(RUN);
    command.arg("--no-site").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn runs_share_the_games_of_a_folder_and_a_killed_one_loses_none() {
    let desk = Desk::new();
    contest(&desk, 6);
    player(&desk, "ada", "Fox", "0.05");
    player(&desk, "ben", "Owl", "0.05");
    let mut killed = begin(&desk);
    while saved(&desk).len() < 5 {
        assert!(killed.try_wait().unwrap().is_none(), "it ended before it was killed");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let (mut one, mut two) = (begin(&desk), begin(&desk));
    // Whoever ends first may leave the last games to the other.
    assert!([Some(0), Some(3)].contains(&one.wait().unwrap().code()));
    assert!([Some(0), Some(3)].contains(&two.wait().unwrap().code()));
    let games = saved(&desk);
    assert_eq!(games.len(), 36);
    assert!(games.values().all(|&count| count == 1), "{games:?}");
    desk.run(RUN).is(0);
    assert_eq!(saved(&desk), games);
}

#[test]
fn no_game_begins_after_the_time() {
    let desk = Desk::new();
    contest(&desk, 1);
    player(&desk, "ada", "Fox", "0");
    let said = desk.run(&[RUN, &["--until", "0s"]].concat()).is(3);
    assert!(said.err.contains("2 of 2 games are missing"), "{said:?}");
    assert!(std::fs::read_to_string(desk.path("c/site/index.html")).unwrap().contains("not final"));
}

#[test]
fn a_candidate_plays_until_it_is_known_how_good_it_is() {
    let desk = Desk::new();
    contest(&desk, 40);
    player(&desk, "ada", "Fox", "0");
    put(&desk, "c/players/bad/player.toml", "command = \"sh bot.sh\"\n");
    // It fails in every game.
    put(
        &desk,
        "c/players/bad/bot.sh",
        "read -r l; echo '{\"type\":\"ready\",\"protocol\":1,\"name\":\"Bad\"}'; read -r l; exit 1\n",
    );
    let said = desk.run(&[RUN, &["--candidate", "bad", "--json"]].concat()).is(0);
    let found = said.json();
    let candidate = &found["candidate"];
    assert_eq!(
        (&candidate["verdict"], &candidate["share"]),
        (&"worse".into(), &0.0.into()),
        "{found}"
    );
    let seeds = candidate["seeds"].as_u64().unwrap();
    assert!((5..15).contains(&seeds), "{candidate}");
    // Against a program and a planner, from both sides.
    assert_eq!(saved(&desk).len() as u64, 4 * seeds);
    let said = desk.run(&[RUN, &["--candidate", "nobody"]].concat()).is(2);
    assert!(said.err.contains("there is no player 'nobody'"), "{said:?}");
}

/// A contest of one game for each pairing, with these further lines.
fn short_contest(desk: &Desk, more: &str) {
    let text =
        format!("game = \"mnk\"\nlevels = [\"mnk/3x3x3\"]\ngames = 1\nbudget = \"2s\"\n{more}");
    put(desk, "c/contest.toml", text);
}

/// The page of a player.
fn page(desk: &Desk, name: &str) -> String {
    std::fs::read_to_string(desk.path(&format!("c/site/player-{name}.html"))).unwrap()
}

#[test]
fn a_contest_that_cannot_be_held_says_what_to_do() {
    let desk = Desk::new();
    let said = |more: &[&str]| desk.run(&[RUN, more].concat()).is(2).err;
    short_contest(&desk, "");
    assert!(said(&[]).contains("c/players: create this folder"), "{}", said(&[]));
    put(&desk, "c/players/ada/player.toml", "command = \"\"\n");
    let why = said(&[]);
    assert!(why.contains("ada does not take part: player.toml: the command is empty"), "{why}");
    assert!(why.contains("c/players holds no player that takes part"), "{why}");
    for site in ["c/players/site", "c/work", "c/site/../work/x"] {
        let why = said(&["--site", site]);
        assert!(why.contains("lies in the folder") && why.contains(site), "{why}");
    }
    put(
        &desk,
        "c/contest.toml",
        "game = \"mnk\"\nbudget = \"2s\"\nlevels = [\"mnk/3x3x3\", \"mnk/4x4x3\", \"3x3x3\"]\n",
    );
    let why = said(&[]);
    assert!(why.contains("levels: 3x3x3 is the same level as mnk/3x3x3"), "{why}");
    let copy =
        "(format: \"mnk 1\", name: \"Mine\", rules: (k: 3), map: [\"...\", \"...\", \"...\"])";
    put(&desk, "c/mine.ron", copy);
    put(
        &desk,
        "c/contest.toml",
        "game = \"mnk\"\nbudget = \"2s\"\nlevels = [\"3x3x3\", \"mine.ron\"]\n",
    );
    let why = said(&[]);
    assert!(why.contains("levels: mine.ron is the same level as 3x3x3"), "{why}");
}

#[test]
fn whoever_is_alone_is_told_so() {
    let desk = Desk::new();
    short_contest(&desk, "");
    player(&desk, "ada", "Fox", "0");
    let said = desk.run(RUN).is(0);
    assert!(said.err.contains("there is nobody to play against"), "{said:?}");
    assert!(!said.out.contains("1500"), "a rating of nothing: {said:?}");
    let index = std::fs::read_to_string(desk.path("c/site/index.html")).unwrap();
    assert!(index.contains("nobody to play against"), "{index}");
    let said = desk.run(&[RUN, &["--candidate", "ada"]].concat()).is(2);
    assert!(said.err.contains("there is nobody to play against"), "{said:?}");
}

#[test]
fn a_refused_candidate_is_told_why() {
    let desk = Desk::new();
    short_contest(&desk, "planners = [\"novice\"]\n");
    put(&desk, "c/players/novice/player.toml", "command = \"sh bot.sh\"\n");
    put(&desk, "c/players/ada/player.toml", "comand = \"x\"\n");
    for (name, why) in [("ada", "line 1: unknown field"), ("novice", "has this name")] {
        let said = desk.run(&[RUN, &["--candidate", name, "--json"]].concat()).is(2);
        let message = said.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(&format!("{name} does not take part")), "{message}");
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn the_page_of_a_refused_player_says_why_and_shows_what_was_printed() {
    let desk = Desk::new();
    short_contest(&desk, "planners = [\"novice\"]\nbuild_time = \"1s\"\n");
    player(&desk, "ada", "Fox", "0");
    let add = |name: &str, text: &str, script: &str| {
        put(&desk, &format!("c/players/{name}/player.toml"), text);
        put(&desk, &format!("c/players/{name}/run.sh"), script);
    };
    let build = "command = \"sh bot.sh\"\nbuild = \"sh run.sh\"\n";
    let crash =
        "echo first >&2\necho 'Error: no map' >&2\necho \"Run 'docker run --help'\" >&2\nexit 3\n";
    add("crash", "command = \"sh run.sh\"\n", crash);
    add("slow", build, "echo compiling\nexec sleep 60\n");
    add("gone", "command = \"sh bot.sh\"\nbuild = \"./nothing.sh\"\n", "");
    // Files with holes: it takes no room on this disk.
    let holes = "for f in a b; do dd if=/dev/zero of=$f bs=1 count=0 seek=629145600; done\n";
    add("large", build, &format!("{holes}exec sleep 60\n"));
    let began = std::time::Instant::now();
    let found = desk.run(&[RUN, &["--json"]].concat()).is(0).json();
    let why: BTreeMap<&str, &str> = found["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["player"].as_str().unwrap(), row["why"].as_str().unwrap()))
        .collect();
    assert_eq!(why.len(), 4, "{why:?}");
    assert!(why["crash"].contains("exit code 3; its last error: Error: no map"), "{why:?}");
    assert!(why["slow"].contains("more than 1 s"), "{why:?}");
    assert!(why["large"].contains("holds more than 100000 files or 1024 MiB"), "{why:?}");
    assert!(why["gone"].contains("there is no file nothing.sh"), "{why:?}");
    assert!(began.elapsed().as_secs() < 50, "a build was waited for");
    assert!(page(&desk, "crash").contains("first\n") && page(&desk, "slow").contains("compiling"));
    // What failed takes no room, and neither does what nobody plays any more.
    let built = || -> Vec<String> {
        let listed = std::fs::read_dir(desk.path("c/work/builds")).unwrap();
        let folders = listed.map(Result::unwrap).filter(|it| it.path().is_dir());
        folders.map(|it| it.file_name().into_string().unwrap()).collect()
    };
    let first = built();
    assert!(matches!(&first[..], [ada] if ada.starts_with("ada-")), "{first:?}");
    player(&desk, "ada", "Fox 2", "0");
    desk.run(RUN).is(0);
    let second = built();
    assert!(second.len() == 1 && second != first, "{second:?}");
}

#[test]
fn damaged_games_are_named_and_played_again() {
    let desk = Desk::new();
    short_contest(&desk, "planners = [\"novice\"]\n");
    player(&desk, "ada", "Fox", "0");
    let run = || desk.run(RUN).is(0).err;
    assert!(!run().contains("damaged"));
    let file =
        std::fs::read_dir(desk.path("c/work/games")).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&file).unwrap();
    let line = text.lines().next().unwrap();
    std::fs::write(&file, text.replacen(line, &line[..line.len() / 2], 1)).unwrap();
    let said = run();
    assert!(said.contains("1 line is damaged in work/games") && said.contains("again"), "{said}");
    assert_eq!(saved(&desk).len(), 2);
    assert!(!run().contains("damaged"), "all are there again");
}

#[test]
fn equal_players_share_a_place_and_the_fields_are_documented() {
    const FIELDS: &str = include_str!("../../docs/manual/src/fields.md");
    let desk = Desk::new();
    short_contest(&desk, "");
    // They are the same: what one wins in a seat, the other wins there too.
    for name in ["ada", "ben", "cem"] {
        player(&desk, name, "Fox", "0");
    }
    put(&desk, "c/players/dot/player.toml", "");
    let said = desk.run(&[RUN, &["--json"]].concat()).is(0).json();
    let rows = said["standings"].as_array().unwrap();
    let is_same = |key: &str| rows.iter().all(|row| row[key] == rows[0][key]);
    assert!(is_same("points") && is_same("place"), "{said}");
    assert_eq!(rows[0]["place"], 1);
    let candidate = desk.run(&[RUN, &["--candidate", "ada", "--json"]].concat()).is(0).json();
    let documents =
        [&said, &rows[0], &rows[0]["rating"], &said["refused"][0], &candidate["candidate"]];
    for key in documents.iter().flat_map(|document| document.as_object().unwrap().keys()) {
        assert!(FIELDS.contains(&format!("`{key}`")), "fields.md does not tell what {key} is");
    }
}

#[test]
fn trying_a_command_of_a_shell_gives_a_warning() {
    let desk = Desk::new();
    desk.put("bot.sh", "echo trouble >&2; exit 1\n");
    for (command, warns) in
        [("sh bot.sh | cat", true), ("sh bot.sh 2>log", true), ("sh bot.sh a", false)]
    {
        let said = desk.run(&["try", command, "--game", "mnk"]).is(1);
        assert_eq!(said.err.contains("no shell reads the command"), warns, "{said:?}");
        assert!(said.out.contains("its last error: trouble"), "{said:?}");
        assert!(said.out.contains("the end of its standard error"), "{said:?}");
    }
}
