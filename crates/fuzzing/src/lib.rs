//! Everything that reads files, to be given arbitrary and altered bytes: nothing may panic or hang, and
//! a draft must be what its own file says.
//!
//! The tests alter files blindly; `OUTWIT_FUZZ_SECONDS=300 cargo test --locked -p outwit-fuzzing -- --ignored
//! --nocapture` runs for that long, and `OUTWIT_FUZZ_INPUTS=1000000 cargo test --locked --lib do_no_harm`
//! alters settings and records that often. The crate in the folder `fuzz` searches guided by coverage.

#![allow(clippy::unwrap_used)]

use outwit_core::levels::{read_ron, to_ron};
use outwit_core::play::{Budget, StopFlag};
use outwit_core::tournament::{ContestLevel, Entrants, Journal};
use outwit_headless::editor::{EditorModel, RecoveredDraft};
use outwit_headless::{GAMES, find, recognise};
use outwit_kit::DynGame;
use outwit_kit::exercise::Exercise;
use outwit_kit::tournament::contest;
use outwit_levels::BUILT_IN;
use std::path::Path;

mod altered;
#[cfg(test)]
mod tests;

pub use altered::{altered, arbitrary, number, read_altered};

/// Longer levels than this are not altered: most time would go into reading them.
const MOST_TEXT: usize = 3_000;

/// What reads a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Target {
    /// A level in the program's own format.
    Level,
    /// A level as a picture.
    Picture,
    /// A level as text.
    Text,
    /// A replay.
    Replay,
    /// What an editor that did not end well left behind.
    Draft,
    /// The file of a tournament.
    Journal,
    /// An exercise on a search.
    Exercise,
}

impl Target {
    /// All sorts.
    pub const ALL: &[Self] = &[
        Self::Level,
        Self::Picture,
        Self::Text,
        Self::Replay,
        Self::Draft,
        Self::Journal,
        Self::Exercise,
    ];
}

/// A file to alter.
pub struct Sample {
    /// Its game.
    pub kind: &'static dyn DynGame,
    /// What reads it.
    pub target: Target,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A short work tournament of a game as a journal, and its first game as a replay.
fn played(kind: &'static dyn DynGame, text: &str, folder: &Path) -> Vec<Sample> {
    let seats: Vec<Entrants> = (0..*kind.facts().seats.allowed.start())
        .filter_map(|seat| {
            let id = kind.seat(seat).id;
            let planner = kind.planners().into_iter().find(|p| p.seats.contains(&id))?;
            Some(Entrants::new(&id, [planner.name]))
        })
        .collect();
    let level = ContestLevel::new("x".into(), text.into());
    let contest = contest(kind, level, &seats, (1, 1), Budget::Work(50)).unwrap();
    let stop = StopFlag::default();
    let games = kind.run_contest(&contest, Vec::new(), &stop, &|_| Ok(())).unwrap();
    let file = folder.join(format!("{}.jsonl", kind.id()));
    let journal = Journal::begin(&file, &contest).unwrap();
    journal.add(&games[0]).unwrap();
    let replay = kind.replay_text(&contest, &games[0], &stop).unwrap();
    let bytes = std::fs::read(file).unwrap();
    vec![
        Sample { kind, target: Target::Journal, bytes },
        Sample { kind, target: Target::Replay, bytes: replay.into_bytes() },
    ]
}

/// An exercise on each search of a game that can be followed.
fn exercises(kind: &'static dyn DynGame, text: &str) -> Vec<Sample> {
    let Ok(level) = kind.read(text.as_bytes(), "a.ron") else { return Vec::new() };
    let stop = StopFlag::default();
    let exercise = |search: &str| {
        let about = (kind.name(), search);
        Exercise::make(kind, &level, about, Vec::new(), &stop).ok()
    };
    kind.searches()
        .into_iter()
        .filter_map(exercise)
        .map(|(exercise, _)| {
            let bytes = exercise.text().into_bytes();
            Sample { kind, target: Target::Exercise, bytes }
        })
        .collect()
}

/// Files of all sorts; `folder` is used for a moment to write some.
pub fn samples(folder: &Path) -> Vec<Sample> {
    let mut samples = Vec::new();
    for &kind in GAMES {
        let mut levels: Vec<&str> = BUILT_IN
            .iter()
            .filter(|level| level.id.split('/').next() == Some(kind.id()))
            .map(|level| level.text)
            .collect();
        levels.sort_by_key(|text| text.len());
        samples.extend(played(kind, levels[0], folder));
        samples.extend(exercises(kind, levels[0]));
        for text in levels.iter().filter(|text| text.len() <= MOST_TEXT).take(4) {
            let mut add = |target, bytes: Vec<u8>| samples.push(Sample { kind, target, bytes });
            add(Target::Level, text.as_bytes().to_vec());
            for ending in kind.exports() {
                let target = if ending == "png" { Target::Picture } else { Target::Text };
                if let Ok(converted) = kind.convert(text.as_bytes(), "a.ron", &[], ending) {
                    add(target, converted.bytes);
                }
            }
            let draft = RecoveredDraft {
                game: kind.id().into(),
                file: Some("a.ron".into()),
                file_bytes: Some(vec![0xff]),
                known: Some(1),
                level: (*text).to_owned(),
                steps: Vec::new(),
            };
            add(Target::Draft, to_ron(&draft).unwrap().into_bytes());
        }
    }
    samples
}

/// Reads bytes in every way that a file of this sort is read; `file` may be overwritten. Returns
/// whether they were accepted.
///
/// # Panics
/// If a reader panics, or a draft is not what its own file says.
pub fn read(kind: &'static dyn DynGame, target: Target, bytes: &[u8], file: &Path) -> bool {
    let open = |kind: &'static dyn DynGame, bytes: &[u8], name: &str| {
        if let Ok(draft) = kind.open(bytes, name) {
            let _ = kind.check_draft(&draft);
            let again = kind.open(kind.text(&draft).as_bytes(), "a.ron");
            assert_eq!(again, Ok(draft), "a draft is not what its own file says");
        }
        kind.describe(bytes, name).is_ok()
    };
    match target {
        Target::Level | Target::Picture | Target::Text => {
            let name = match target {
                Target::Level => "a.ron",
                Target::Picture => "a.png",
                _ => "a.txt",
            };
            let _ = kind.read_collection(bytes, name);
            let _ = (kind.recorded(bytes, name), kind.skipped(bytes));
            let guessed = recognise(bytes, name).is_some_and(|found| open(found, bytes, name));
            open(kind, bytes, name) || guessed
        }
        Target::Replay => kind.replay(bytes).is_ok_and(|summary| summary.faithful),
        Target::Draft => read_ron::<RecoveredDraft>(bytes).is_ok_and(|draft| {
            let _ = draft.origin();
            let bytes = draft.level.as_bytes();
            recognise(bytes, "draft.ron").is_some_and(|kind| {
                if let Ok(level) = kind.open(bytes, "draft.ron") {
                    let mut model = EditorModel::recovered(kind, level, &draft.steps);
                    while model.undo() {}
                    let _ = kind.check_draft(model.draft());
                }
                open(kind, bytes, "draft.ron")
            })
        }),
        Target::Exercise => Exercise::read(bytes).is_ok_and(|exercise| {
            find(&exercise.game).is_ok_and(|kind| exercise.work(kind, &StopFlag::default()).is_ok())
        }),
        Target::Journal => {
            std::fs::write(file, bytes).unwrap();
            Journal::read(file).is_ok_and(|saved| !saved.games.is_empty())
        }
    }
}
