//! Nothing is lost when the program is killed while one draws.

use outwit_core::grid::Cell;
use outwit_headless::GAMES;
use outwit_headless::editor::{
    Autosave, EditorModel, Field, LevelPath, RecoveredDraft, abandoned, save,
};
use outwit_kit::DynGame;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Names the folder in which a child draws until it is killed.
const FOLDER: &str = "OUTWIT_TEST_DRAWS_IN";
const KILLS: u64 = 50;

fn kind() -> &'static dyn DynGame {
    GAMES[0]
}

/// The level after so many strokes, which say their number.
fn draw(model: &mut EditorModel, step: i32) {
    model.active_tile = if step % 2 == 0 { '.' } else { 'S' };
    let _ = model.press(Cell::new(step * 7 % 96, step * 5 % 96), Default::default());
    model.drag(Cell::new(step * 3 % 96, step * 11 % 96), Default::default());
    model.release();
    model.set_text(Field::Name, &step.to_string());
}

fn blank() -> EditorModel {
    EditorModel::blank(kind(), 96, 96)
}

/// Draws, saves and autosaves for ever, and says after each what is safe.
#[test]
#[ignore = "the child of the test below; it ends only by being killed"]
fn draws_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let autosave = Autosave::begin(&folder.join("drafts")).unwrap();
    let mut model = blank();
    let mut origin: Option<LevelPath> = None;
    for step in 1.. {
        draw(&mut model, step);
        autosave.note(&model, origin.as_ref());
        if step % 3 == 0 {
            let known = origin.as_ref().map(|origin| origin.known);
            let path = folder.join("level.ron");
            origin = Some(save(&path, &model.text(), known, false).unwrap());
            model.mark_saved();
            println!("saved {step}");
        } else {
            autosave.flush();
            println!("draft {step}");
        }
    }
}

/// Which step a level file shows, after seeing that it is that level to the last byte.
fn step_of(text: &str) -> i32 {
    let draft = kind().open(text.as_bytes(), "level.ron").expect("a whole level");
    let step = draft.name.parse().expect("the number of a step");
    let mut model = blank();
    (1..=step).for_each(|step| draw(&mut model, step));
    assert_eq!(model.text(), text);
    step
}

#[test]
fn a_kill_loses_no_saved_file_and_next_to_nothing_of_the_draft() {
    let mut dice = ChaCha8Rng::seed_from_u64(50);
    for _ in 0..KILLS {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "crash::draws_until_it_is_killed", "--ignored", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut safe = [0, 0];
        let mut hear = |line: &str| {
            for (known, what) in safe.iter_mut().zip(["saved ", "draft "]) {
                if let Some(step) = line.split(what).nth(1).and_then(|step| step.parse().ok()) {
                    *known = step;
                }
            }
        };
        for _ in 0..dice.random_range(4..24) {
            hear(&lines.next().expect("the child draws on"));
        }
        std::thread::sleep(Duration::from_micros(dice.random_range(0..9000)));
        child.kill().unwrap();
        child.wait().unwrap();
        // What it said before it died.
        lines.for_each(|line| hear(&line));

        let file = folder.path().join("level.ron");
        if safe[0] > 0 || file.exists() {
            let saved = step_of(&std::fs::read_to_string(&file).unwrap());
            assert!((safe[0]..=safe[0] + 3).contains(&saved), "{saved} is not {}", safe[0]);
        }
        let mut found = abandoned(&folder.path().join("drafts"));
        assert_eq!(found.len(), 1);
        let draft: RecoveredDraft = found.remove(0).draft.unwrap();
        let step = step_of(&draft.level);
        assert!(step >= safe[1], "the draft is of step {step}, safe was {}", safe[1]);
        assert!(draft.file.is_none() || draft.file.as_deref() == Some(file.as_path()));
    }
}
