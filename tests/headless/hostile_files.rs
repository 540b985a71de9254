//! The whole window in a data folder full of files that nobody should trust.

use super::window::{Headless, in_child};
use bevy::prelude::Entity;
use bevy::window::FileDragAndDrop;
use outwit::app::shell::Screen;
use outwit_headless::GAMES;
use outwit_levels::data_folder;
use outwit_levels::{list, list_with};
use std::path::{Path, PathBuf};

/// Levels whose numbers must not be believed, for a game and with a map of this cell.
fn levels(game: &str, cell: char) -> Vec<Vec<u8>> {
    let with = |rules: &str, map: &str| {
        format!("(format: \"{game} 1\", name: \"x\", rules: ({rules}), map: [\"{map}\"])")
    };
    let numbers = [
        "size: 4294967295",
        "size: 30000",
        "walls: 4000000000, wall_length: 4000000000, cops: 4000000000",
        "wall_length: 1000000000",
        "max_speed: 4294967295, laps: 4294967295",
        "k: 0, ticks: 4294967295",
        "width: 4294967295, height: 4294967295",
        "population: 4294967295, generations: 4294967295",
        "m: 4294967295, n: 4294967295, k: 4294967295",
        "steps: 18446744073709551615",
    ];
    let row = |length: usize| cell.to_string().repeat(length);
    let mut levels: Vec<Vec<u8>> =
        numbers.iter().map(|rules| with(rules, &row(3)).into_bytes()).collect();
    let utf16: Vec<u8> = with("", "...").encode_utf16().flat_map(u16::to_le_bytes).collect();
    levels.extend([
        with("", &row(70_000)).into_bytes(),
        with("", "\u{2603}\u{1b}[31m").into_bytes(),
        with(&"(".repeat(50_000), &row(3)).into_bytes(),
        [&[0xff, 0xfe][..], &utf16].concat(),
        format!("(format: \"{game} 9\", new: true)").into_bytes(),
    ]);
    levels
}

/// What is no level at all.
fn others() -> Vec<Vec<u8>> {
    vec![
        Vec::new(),
        vec![0; 5_000],
        b"\xff\xd8\xff\xe0 a photograph".to_vec(),
        b"BM a bitmap".to_vec(),
        b"\x89PNG\r\n\x1a\n".to_vec(),
        b"(".repeat(100_000),
        b"dim: 4294967295 4294967295".to_vec(),
        b"(format:\"outwit-replay 9\",game:\"mnk\")".to_vec(),
        b"(format:\"outwit-replay 1\",game:\"cops\",level:(),seats:[]".to_vec(),
        b"{\"format\":\"outwit-tournament 2\"}".to_vec(),
        b"{\"format\":\"outwit-tournament 99\",\"games\":4294967295}".to_vec(),
    ]
}

/// Fills a data folder with them; returns how many there are.
fn fill(data: &Path) -> usize {
    let mut count = 0;
    let mut put = |file: PathBuf, bytes: &[u8]| {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
        count += 1;
    };
    for game in GAMES {
        let id = game.id();
        let folder = data.join("levels").join(id);
        let files = levels(id, '.').into_iter().chain(others());
        for (number, bytes) in files.enumerate() {
            put(folder.join(format!("{number}.ron")), &bytes);
            let ending = ["png", "txt", "xsb", "psq", "track"][number % 5];
            put(folder.join(format!("{number}.{ending}")), &bytes);
            let draft = format!(
                "(game: \"{id}\", file: None, known: None, level: {:?})",
                String::from_utf8_lossy(&bytes)
            );
            put(data.join("drafts").join(format!("{id}-{number}.ron")), draft.as_bytes());
        }
        let good = list_with(None, id).remove(0).bytes().unwrap();
        put(folder.join("good.ron"), &good);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("loop.ron", folder.join("loop.ron")).unwrap();
            std::os::unix::fs::symlink("nowhere", folder.join("dangling.ron")).unwrap();
            std::os::unix::fs::symlink("/dev/zero", folder.join("endless.ron")).unwrap();
        }
        #[cfg(target_os = "linux")]
        {
            let pipe = folder.join("pipe.ron");
            assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
        }
        std::fs::create_dir(folder.join("folder.ron")).unwrap();
    }
    for (number, bytes) in others().into_iter().enumerate() {
        for (folder, ending) in [
            ("tournaments", "jsonl"),
            ("replays", "ron"),
            ("replays/recent", "ron"),
            ("unfinished", "ron"),
        ] {
            put(data.join(folder).join(format!("{number}.{ending}")), &bytes);
        }
    }
    for file in ["settings.ron", "results.ron", "recent.ron"] {
        put(data.join(file), &b"(".repeat(10_000));
    }
    count
}

#[test]
fn a_folder_of_hostile_files_stops_nothing() {
    let prepare = |data: &Path| assert!(fill(data) >= 400);
    let test = concat!(module_path!(), "::a_folder_of_hostile_files_stops_nothing");
    in_child(test, prepare, || {
        let mut headless = Headless::new(1280, 800);
        for (game, registered) in GAMES.iter().enumerate() {
            for screen in [
                Screen::Levels,
                Screen::Replays,
                Screen::Setup,
                Screen::Tournament,
                Screen::Comparison,
                Screen::Editor,
                Screen::Settings,
            ] {
                let players = registered.players_to_watch();
                headless.go(screen, game, &players);
                (0..60).for_each(|_| headless.app.update());
                assert_eq!(headless.screen(), screen);
            }
            let is_good = |id: &str| id == format!("{}/good", registered.id());
            let own = list(registered.id());
            let good = own.iter().find(|level| is_good(&level.id)).unwrap();
            assert!(registered.read(&good.bytes().unwrap(), "good.ron").is_ok());
        }
        let window = Entity::PLACEHOLDER;
        for (game, registered) in GAMES.iter().enumerate() {
            let folder = data_folder().unwrap().join("levels").join(registered.id());
            let mut files: Vec<PathBuf> =
                std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
            files.sort();
            for (number, file) in files.into_iter().enumerate() {
                let screens =
                    [Screen::Menu, Screen::Setup, Screen::Levels, Screen::Editor, Screen::Replays];
                let screen = screens[number % screens.len()];
                let players = registered.players_to_watch();
                headless.go(screen, game, &players);
                let dropped = FileDragAndDrop::DroppedFile { window, path_buf: file };
                headless.app.world_mut().write_message(dropped);
                (0..4).for_each(|_| headless.app.update());
            }
        }
    });
}
