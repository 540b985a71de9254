//! Exercises on searches, as files: a level, a search, and the expansions at which learners say what is expanded next.

mod question;

pub use question::{
    MOST_LISTED, NodeOrder, Question, SEED, WaitingNode, WorkedExercise, found_numbers, is_right,
    pieces_moved,
};

use super::comparison::ComparisonError;
use super::dyn_game::DynGame;
use super::reading::{AnyLevel, FaultyLevel, newer_format};
use super::search_name::SearchName;
use outwit_core::escape::{is_visible, on_one_line};
use outwit_core::levels::cut;
use outwit_core::play::StopFlag;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// What an exercise file says that it is.
pub const EXERCISE_FORMAT: &str = "outwit-exercise 1";
/// The same without the version.
const NAME: &str = "outwit-exercise";
/// How the file of every version begins, spaces aside.
const HEAD: &[u8] = b"{\"format\":\"outwit-exercise";
/// The most questions of an exercise.
pub const MOST_STOPS: usize = 50;
/// The expansions that may be asked for. Before the first one only the start waits.
pub const STOPS: RangeInclusive<usize> = 2..=20_000;
/// The most characters of a title.
pub const MOST_TITLE: usize = 100;
/// Larger files are not read. The largest map takes about a quarter of this.
const MOST_BYTES: usize = 4 << 20;
/// What levels within exercises are called in messages.
const LEVEL: &str = "level.ron";

/// An exercise on a search. The file holds the level, so that it needs no other one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// [`EXERCISE_FORMAT`].
    pub format: String,
    /// What the sheet is called.
    pub title: String,
    /// Id of the game.
    pub game: String,
    /// The search, as a [`SearchName`].
    pub search: String,
    /// The expansions that are asked for, counted from 1, in ascending order.
    pub stops: Vec<usize>,
    /// The level file.
    pub level: String,
}

/// What the file of every version has.
#[derive(Deserialize)]
struct Head {
    format: String,
}

/// Whether a file says that it is an exercise, of whatever version, be it damaged or not.
pub fn is_exercise(bytes: &[u8]) -> bool {
    let bytes = without_mark(bytes);
    let head = || serde_json::from_slice::<Head>(bytes).ok();
    let is_said = || head().is_some_and(|head| head.format.starts_with(NAME));
    bytes.len() <= MOST_BYTES && (begins_as_one(bytes) || is_said())
}

/// A file that ends too early says at its beginning what it is.
fn begins_as_one(bytes: &[u8]) -> bool {
    let mut visible = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
    HEAD.iter().all(|byte| visible.next() == Some(byte))
}

/// The file without the byte order mark that some editors write.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// Why there is no exercise.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExerciseError {
    /// The file is too large.
    #[error("the file has {0} bytes; an exercise has at most {MOST_BYTES}")]
    TooLarge(usize),
    /// The file is something else.
    #[error(
        "this is not an exercise: {0}; 'outwit exercise LEVEL --search NAME --output FILE.json' makes one"
    )]
    Foreign(String),
    /// The file says that it is an exercise, and is damaged.
    #[error(
        "this exercise is damaged: {0}; 'outwit exercise LEVEL --search NAME --output FILE.json' makes a new one"
    )]
    Damaged(String),
    /// A later version wrote it.
    #[error("{0}")]
    Newer(String),
    /// A text is empty, too long, or has characters that cannot be seen.
    #[error(
        "'{what}' is '{}': write 1 to {MOST_TITLE} characters on one line, single spaces between words", cut(&on_one_line(.text), 60)
    )]
    Text {
        /// Which one.
        what: &'static str,
        /// What it says.
        text: String,
    },
    /// The stops are not as they must be.
    #[error(
        "'stops' {0}: give 1 to {MOST_STOPS} numbers from {least} to {most}, each larger than the one before",
        least = STOPS.start(), most = STOPS.end()
    )]
    Stops(String),
    /// The game has no such search.
    #[error("{}", search_words(.0))]
    Search(ComparisonError),
    /// The level is faulty, or of another game.
    #[error("the level of the exercise cannot be played: {0}")]
    Level(FaultyLevel),
    /// The search has no events.
    #[error("{0}")]
    NotRecorded(FaultyLevel),
    /// Nobody could say what this search expands next.
    #[error(
        "{0} expands nodes neither by f nor in the order in which they were found, so nobody can tell which is next: \
         choose another search, such as uniform-cost"
    )]
    NoOrder(String),
    /// A stop comes after the end of the search.
    #[error(
        "there is no expansion {stop}: {} {expansions} expansions; choose stops up to there",
        if *.is_cut { "the part of the search that is looked at has" } else { "the search has" }
    )]
    Beyond {
        /// The stop.
        stop: usize,
        /// How many expansions there are.
        expansions: usize,
        /// Whether the search goes on after them.
        is_cut: bool,
    },
    /// The search expands a node there that does not have the least f.
    #[error(
        "expansion {0} is not of a node with the least f, since this search does not always take such a node: choose \
         another stop, or a rule of ties such as ties=fifo"
    )]
    NotLeast(usize),
    /// No expansion of the search leaves a choice.
    #[error(
        "in this search only one node waits before each expansion: choose another level or search"
    )]
    NoChoice,
    /// It was stopped.
    #[error("interrupted")]
    Stopped,
}

/// What is wrong with the name of a search.
fn search_words(error: &ComparisonError) -> String {
    match error {
        ComparisonError::NoSearches(game) => {
            format!("no search of {game} can be followed: choose another game, such as pukoban")
        }
        error => error.to_string(),
    }
}

impl Exercise {
    /// An exercise on a level, and what its sheet shows. Without stops it asks for some that leave a choice, spread
    /// over the search.
    ///
    /// # Errors
    /// If the game has no such search, the search does not come to these stops, or the title is not one.
    pub fn make(
        kind: &dyn DynGame,
        level: &AnyLevel,
        (title, search): (&str, &str),
        stops: Vec<usize>,
        stop: &StopFlag,
    ) -> Result<(Self, WorkedExercise), ExerciseError> {
        let bytes = kind
            .write(level, "ron")
            .map_err(|faults| ExerciseError::Level(FaultyLevel(faults)))?
            .bytes;
        let mut exercise = Self {
            format: EXERCISE_FORMAT.into(),
            title: title.into(),
            game: kind.id().into(),
            search: search.into(),
            stops,
            level: String::from_utf8_lossy(&bytes).into_owned(),
        };
        exercise.check_texts()?;
        if !exercise.stops.is_empty() {
            exercise.check_stops()?;
        }
        let worked = exercise.work_on(kind, level, stop)?;
        exercise.stops = worked.questions.iter().map(|question| question.stop).collect();
        Ok((exercise, worked))
    }

    /// Reads an exercise file. Whether its level can be played and its search comes to the stops is known once it is
    /// [worked](Self::work).
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn read(bytes: &[u8]) -> Result<Self, ExerciseError> {
        if bytes.len() > MOST_BYTES {
            return Err(ExerciseError::TooLarge(bytes.len()));
        }
        let bytes = without_mark(bytes);
        if bytes.is_empty() {
            return Err(ExerciseError::Foreign("the file is empty".into()));
        }
        let is_one = is_exercise(bytes);
        // Messages of the parser repeat what they did not expect.
        let damaged = |why: serde_json::Error| {
            let why = cut(&on_one_line(&why.to_string()), 200);
            if is_one { ExerciseError::Damaged(why) } else { ExerciseError::Foreign(why) }
        };
        let head: Head = serde_json::from_slice(bytes).map_err(damaged)?;
        if let Some(newer) = newer_format(&head.format, EXERCISE_FORMAT) {
            return Err(ExerciseError::Newer(newer.what));
        }
        if head.format != EXERCISE_FORMAT {
            let found = cut(&on_one_line(&head.format), 40);
            let why = format!("its format is '{found}', not '{EXERCISE_FORMAT}'");
            return Err(ExerciseError::Foreign(why));
        }
        let exercise: Self = serde_json::from_slice(bytes).map_err(damaged)?;
        exercise.check_texts()?;
        exercise.check_stops()?;
        Ok(exercise)
    }

    /// The file.
    pub fn text(&self) -> String {
        // Texts and numbers always serialise.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// What the sheet shows: the search is run as far as the last stop.
    ///
    /// # Errors
    /// If the level is faulty or of another game, or as [`make`](Self::make).
    pub fn work(
        &self,
        kind: &dyn DynGame,
        stop: &StopFlag,
    ) -> Result<WorkedExercise, ExerciseError> {
        self.work_on(kind, &self.level(kind)?, stop)
    }

    /// Its level.
    ///
    /// # Errors
    /// If the level is faulty or of another game.
    pub fn level(&self, kind: &dyn DynGame) -> Result<AnyLevel, ExerciseError> {
        kind.read(self.level.as_bytes(), LEVEL)
            .map_err(|faults| ExerciseError::Level(FaultyLevel(faults)))
    }

    fn check_texts(&self) -> Result<(), ExerciseError> {
        let texts = [("title", &self.title), ("game", &self.game), ("search", &self.search)];
        for (what, text) in texts {
            let is_short = text.chars().count() <= MOST_TITLE;
            if !is_short || !is_visible(text) || on_one_line(text) != *text {
                return Err(ExerciseError::Text { what, text: text.clone() });
            }
        }
        Ok(())
    }

    fn check_stops(&self) -> Result<(), ExerciseError> {
        let fail = |why: String| Err(ExerciseError::Stops(why));
        match self.stops.len() {
            0 => return fail("is empty".into()),
            count @ 1..=MOST_STOPS => count,
            count => return fail(format!("has {count} numbers")),
        };
        if let Some(wrong) = self.stops.iter().find(|stop| !STOPS.contains(stop)) {
            return fail(format!("holds {wrong}"));
        }
        match self.stops.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => fail(format!("has {} after {}", pair[1], pair[0])),
            None => Ok(()),
        }
    }

    /// The search with its settings.
    ///
    /// # Errors
    /// If the game has no such search.
    fn search_name(&self, kind: &dyn DynGame) -> Result<SearchName<'_>, ExerciseError> {
        kind.search_bound(&self.search).map_err(ExerciseError::Search)?;
        SearchName::read(&self.search).map_err(|why| ExerciseError::Search(why.into()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn plain() -> Value {
        json!({
            "format": EXERCISE_FORMAT, "title": "A first look", "game": "pukoban",
            "search": "astar-h1:ties=fifo", "stops": [3, 7, 12], "level": "(map: [])",
        })
    }

    fn with(key: &str, value: Value) -> Result<Exercise, ExerciseError> {
        let mut exercise = plain();
        exercise[key] = value;
        Exercise::read(exercise.to_string().as_bytes())
    }

    #[test]
    fn what_is_written_is_read() {
        let exercise = Exercise::read(plain().to_string().as_bytes()).unwrap();
        assert_eq!(exercise.stops, [3, 7, 12]);
        assert_eq!(Exercise::read(exercise.text().as_bytes()), Ok(exercise));
    }

    #[test]
    fn a_mark_before_the_file_is_passed_over_and_what_is_cut_off_is_damaged() {
        let text = plain().to_string();
        let marked = format!("\u{feff}{text}");
        assert!(is_exercise(marked.as_bytes()));
        assert_eq!(Exercise::read(marked.as_bytes()), Exercise::read(text.as_bytes()));
        let whole = Exercise::read(text.as_bytes()).unwrap().text();
        let cut = &whole.as_bytes()[..whole.len() / 2];
        assert!(is_exercise(cut));
        let said = Exercise::read(cut).unwrap_err().to_string();
        assert!(said.starts_with("this exercise is damaged: EOF"), "{said}");
        let said = |bytes: &[u8]| Exercise::read(bytes).unwrap_err().to_string();
        assert!(said(b"").starts_with("this is not an exercise: the file is empty"));
        assert!(said(b"{}").starts_with("this is not an exercise: missing field"));
        assert!(!is_exercise(b"{}") && !is_exercise(b"{ \"format\": \"outwit-tournament"));
    }

    #[test]
    fn every_fault_of_a_file_is_told() {
        let many: Vec<usize> = (2..60).collect();
        let long = "x".repeat(MOST_TITLE + 1);
        for (key, value, why) in [
            ("format", json!("outwit-exercise 2"), "of a newer version of Outwit"),
            ("format", json!("outwit-replay 6"), "its format is 'outwit-replay 6'"),
            ("format", json!(7), "line 1 column"),
            ("title", json!(long), "'title' is 'xxx"),
            ("title", json!(""), "1 to 100 characters on one line"),
            ("title", json!("two\nlines"), "'title' is 'two lines'"),
            ("title", json!("\u{202e}"), "'title'"),
            ("game", json!(long), "'game'"),
            ("search", json!(long), "'search'"),
            ("stops", json!([]), "'stops' is empty"),
            ("stops", json!(many), "'stops' has 58 numbers"),
            ("stops", json!([1, 2]), "'stops' holds 1: give 1 to 50 numbers from 2 to 20000"),
            ("stops", json!([20_001]), "'stops' holds 20001"),
            ("stops", json!([3, 3]), "'stops' has 3 after 3"),
            ("stops", json!([7, 3]), "'stops' has 3 after 7"),
            ("stops", json!([-3]), "line 1 column"),
            ("stops", json!([3.5]), "line 1 column"),
            ("level", json!(["a"]), "line 1 column"),
            ("more", json!(1), "unknown field `more`"),
        ] {
            let said = with(key, value).unwrap_err().to_string();
            assert!(said.contains(why), "{key}: {said}");
            assert!(!said.contains(['\n', '\u{202e}']) && said.len() < 400, "{said}");
        }
        let read = |bytes: &[u8]| Exercise::read(bytes).unwrap_err().to_string();
        assert!(read(b"(format: \"pukoban 1\")").contains("'outwit exercise LEVEL --search NAME"));
        assert!(read(b"{}").contains("missing field `format`"));
        assert!(read(&vec![b' '; MOST_BYTES + 1]).contains("at most 4194304"));
    }

    proptest! {
        #[test]
        fn no_bytes_cause_a_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..100),
            key in prop::sample::select(vec!["format", "title", "game", "search", "stops", "level"]),
            text in any::<String>(),
            stops in prop::collection::vec(any::<u64>(), 0..60),
        ) {
            let _ = Exercise::read(&bytes);
            for value in [json!(text), json!(stops)] {
                if let Ok(exercise) = with(key, value) {
                    prop_assert!(exercise.stops.len() <= MOST_STOPS);
                    prop_assert_eq!(Exercise::read(exercise.text().as_bytes()), Ok(exercise));
                }
            }
        }
    }
}
