//! What version 0.1 wrote still opens and says what it said then.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/version-0.1");

/// The files of a folder, an absolute one or one of the test data, by name.
pub(super) fn files(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let folder = Path::new(DATA).join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{}", folder.display());
    files
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// Runs outwit, which must succeed, and returns what it prints.
#[track_caller]
fn outwit(args: &[&str], paths: &[&Path]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_outwit"))
        .args(args)
        .args(paths)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?} {paths:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn levels_in_every_format_are_the_same_level() {
    let folder = tempfile::tempdir().unwrap();
    let levels = files("levels");
    outwit(&["check"], &levels.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    for level in levels {
        let original = std::fs::read_to_string(level.with_extension("ron")).unwrap();
        let again = folder.path().join("again.ron");
        outwit(&["convert"], &[&level, &again]);
        let again = std::fs::read_to_string(again).unwrap();
        if level.extension().is_some_and(|ending| ending == "track") {
            // This format holds the map alone.
            let map = |text: &str| text.split_once("map:").unwrap().1.to_owned();
            assert_eq!(map(&again), map(&original), "{}", level.display());
        } else {
            assert_eq!(again, original, "{}", level.display());
        }
    }
}

#[test]
fn replays_are_faithful() {
    let mut seen = BTreeSet::new();
    for file in files("replays").into_iter().chain(files("data/replays")) {
        let said = outwit(&["replay", "--json"], &[&file]);
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["faithful"], true, "{}", file.display());
        let headline = said["outcome"]["headline"].as_str().unwrap_or("not over");
        seen.insert(format!("{}: {} turns, {headline}", name(&file), said["turns"]));
    }
    let expected = [
        "cops-pursuit-evader-cover-15.ron: 22 turns, escaped in tick 22",
        "cops-pursuit-evader-marshal-12.ron: 13 turns, caught in tick 13",
        "cops-tiny-1.ron: 3 turns, not over",
        "racetrack-tiny-1.ron: 10 turns, not over",
        "racetrack-tiny-2.ron: 21 turns, car2 won in 9.62 turns",
        "racetrack-track-ace-clubman-11.ron: 49 turns, car2 won in 23.25 turns",
    ];
    assert_eq!(seen, expected.into_iter().map(String::from).collect());
}

/// Resumes a copy of a tournament; returns its report and the text of the file afterwards.
fn resume(game: &str, text: &str, replays: Option<&Path>) -> (serde_json::Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tournament.jsonl");
    std::fs::write(&file, text).unwrap();
    let mut args = vec!["match", game, "--json"];
    let mut paths = vec![];
    if let Some(replays) = replays {
        args.extend(["--replays", replays.to_str().unwrap()]);
    }
    args.push("--resume");
    paths.push(file.as_path());
    let report = serde_json::from_str(&outwit(&args, &paths)).unwrap();
    (report, std::fs::read_to_string(&file).unwrap())
}

#[test]
fn tournaments_hold_all_their_games() {
    for file in files("tournaments").into_iter().chain(files("data/tournaments")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let game = if name(&file).starts_with("race") { "racetrack" } else { "cops" };
        let timed = text.contains("\"budget\":\"200ms\"") || text.contains("\"budget\":\"500ms\"");
        let replays = tempfile::tempdir().unwrap();
        // With a time budget the file holds the actions, and every game can be watched.
        let (report, after) = resume(game, &text, timed.then(|| replays.path()));
        assert_eq!(after, text, "{}: no game is played again", file.display());
        let rows = report["rows"].as_array().unwrap();
        let games: u64 = rows.iter().map(|row| row["games"].as_u64().unwrap_or(0)).sum();
        let races: u64 = rows.iter().map(|row| row["races"].as_u64().unwrap_or(0)).sum();
        assert_eq!((games, races), if game == "cops" { (12, 0) } else { (0, 24) });
        if timed {
            let replays = files(replays.path());
            assert_eq!(replays.len(), 12);
            for replay in replays {
                outwit(&["replay"], &[&replay]);
            }
        }
    }
}

#[test]
fn an_interrupted_tournament_is_resumed() {
    let text =
        std::fs::read_to_string(Path::new(DATA).join("tournaments/race-work.jsonl")).unwrap();
    let whole = text.trim_end().rfind('\n').unwrap() + 1;
    let torn = &text[..whole + 40];
    let (_, after) = resume("racetrack", torn, None);
    assert!(after.starts_with(&text[..whole]), "finished games stay");
    assert_eq!(after.lines().count(), text.lines().count());
}

#[test]
fn it_is_said_that_two_versions_play_one_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("race.jsonl");
    let text =
        std::fs::read_to_string(Path::new(DATA).join("tournaments/race-work.jsonl")).unwrap();
    let said = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let mut outwit = Command::new(env!("CARGO_BIN_EXE_outwit"));
        let output = outwit.args(["match", "racetrack", "--resume"]).arg(&file).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let note = "Outwit 0.1.0 began this tournament";
    assert!(!said(&text).contains(note), "nothing was left to play");
    let whole = text.trim_end().rfind('\n').unwrap() + 1;
    let missing = said(&text[..whole]);
    assert!(missing.contains(note) && missing.contains(env!("CARGO_PKG_VERSION")), "{missing}");
}

/// Runs in a process of its own, whose data folder is a copy of one that version 0.1 left behind.
#[cfg(feature = "app")]
#[test]
fn the_window_finds_everything_in_its_data_folder() {
    super::window::in_child(
        concat!(module_path!(), "::the_window_finds_everything_in_its_data_folder"),
        |folder| window::copy(&Path::new(DATA).join("data"), folder),
        window::finds_everything,
    );
}

/// The same after this version has saved to it.
#[cfg(feature = "app")]
#[test]
fn an_update_keeps_everything_in_the_data_folder() {
    super::window::in_child(
        concat!(module_path!(), "::an_update_keeps_everything_in_the_data_folder"),
        |folder| window::copy(&Path::new(DATA).join("data"), folder),
        window::keeps_everything,
    );
}

#[cfg(feature = "app")]
mod window {
    use super::files;
    use outwit::app::level_editor;
    use outwit::app::shell::settings::{Motion, ThemeChoice};
    use outwit::app::shell::{records, settings};
    use outwit::app::tournament::saved_runs;
    use outwit_core::play::{Better, Budget, digest_of};
    use outwit_headless::editor::abandoned;
    use outwit_headless::find;
    use outwit_levels::list;
    use outwit_levels::{Entry, Source, data_folder};
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    /// Copies a folder of the test data.
    pub fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
            if from.is_dir() {
                copy(&from, &to);
            } else {
                std::fs::copy(from, to).unwrap();
            }
        }
    }

    pub fn finds_everything() {
        let settings = settings();
        let own = own_level();
        results(&own, &settings.setups["racetrack"].rules);
        draft(&own);
        tournaments();
    }

    /// What the user made, file by file: all but settings and records.
    fn works() -> BTreeMap<PathBuf, Vec<u8>> {
        let data = data_folder().unwrap();
        let folders = ["levels/racetrack", "levels/cops", "drafts", "replays", "tournaments"];
        let all = folders.iter().flat_map(|folder| files(data.join(folder)));
        let is_lock = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "lock");
        all.filter(|file| !is_lock(file))
            .map(|file| (file.clone(), std::fs::read(file).unwrap()))
            .collect()
    }

    pub fn keeps_everything() {
        let before = works();
        let (mut settings, _) = settings::load();
        let loaded = settings.clone();
        settings.sound = !settings.sound;
        settings.save(&loaded).unwrap();
        let (mut results, _) = records::load();
        let new = records::BestResult::now(1.0, "new".into(), "Bob".into(), String::new());
        assert!(results.submit("another level", new, Better::Higher));
        results.save().unwrap();
        assert_eq!(settings::load().0.sound, settings.sound);
        assert_eq!(records::load().0.best("another level").unwrap().player, "Bob");
        finds_everything();
        assert_eq!(works(), before);
    }

    fn settings() -> settings::Settings {
        let (settings, message) = settings::load();
        assert_eq!(message, None);
        assert_eq!((settings.theme, settings.motion), (ThemeChoice::Light, Motion::Reduced));
        assert_eq!((settings.ui_scale, settings.overlays), (1.25, false));
        assert_eq!((settings.player.as_str(), settings.budget()), ("Ada", Budget::Work(20_000)));
        let setup = &settings.setups["racetrack"];
        assert_eq!((setup.level.as_str(), setup.players.len()), ("racetrack/tinyayard", 1));
        assert_eq!(setup.rules, [("steering".to_owned(), "nine".to_owned())]);
        assert_eq!(settings.setups["cops"].players, ["human", "cover"]);
        settings
    }

    /// The level that the user drew.
    fn own_level() -> Entry {
        let own = |entry: &Entry| matches!(entry.source, Source::File(_));
        assert_eq!(list("cops").into_iter().filter(own).count(), 1);
        let mut levels: Vec<Entry> = list("racetrack").into_iter().filter(own).collect();
        assert_eq!(levels.len(), 1);
        levels.remove(0)
    }

    /// One result on a built-in level, one on the user's own with another rule.
    fn results(own: &Entry, rules: &[(String, String)]) {
        let (results, message) = records::load();
        assert_eq!(message, None);
        let racetrack = find("racetrack").unwrap();
        let tiny =
            list("racetrack").into_iter().find(|level| level.id == "racetrack/tiny").unwrap();
        for (level, rules) in [(&tiny, &[][..]), (own, rules)] {
            let digest = racetrack.describe(&level.bytes().unwrap(), "a.ron").unwrap().digest;
            let key = records::key(racetrack, level, digest, rules).unwrap();
            let best = results.best(&key).unwrap();
            assert_eq!((best.score, best.player.as_str()), (10.625, "Ada"));
            assert!(racetrack.replay(records::ghost(&key, best).as_bytes()).unwrap().faithful);
        }
    }

    fn draft(own: &Entry) {
        let drafts = abandoned(&data_folder().unwrap().join("drafts"));
        assert_eq!(drafts.len(), 1);
        let draft = drafts[0].draft.as_ref().unwrap();
        let kind = find(&draft.game).unwrap();
        assert_eq!(kind.check(draft.level.as_bytes(), "a.ron"), []);
        assert_ne!(draft.level.as_bytes(), own.bytes().unwrap());
        // The editor can still tell that nobody else changed the file.
        assert_eq!(draft.origin().unwrap().known, digest_of(&own.bytes().unwrap()));
        drop(drafts);
        assert_eq!(level_editor::load().1, None);
    }

    fn tournaments() {
        let runs = saved_runs::list(outwit_headless::find("cops").unwrap());
        assert_eq!(runs.iter().map(|run| run.done).collect::<Vec<_>>(), [12, 12]);
        for run in runs {
            // The same choices lead to the same file.
            assert_eq!(saved_runs::file_of(&run.contest).unwrap(), run.path);
        }
    }
}
