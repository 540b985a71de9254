//! The steps of a lesson, and how one stands.

use crate::app::requests::MatchConfig;
use outwit_core::play::{Game, Match};

/// One step of a lesson: a small match, what to do in it, and how to tell that it was done.
pub struct LessonStep<G: Game> {
    /// What is learnt, in a word or two.
    pub title: &'static str,
    /// What to do and how, in one or two sentences.
    pub task: &'static str,
    /// What to say when it was done.
    pub praise: &'static str,
    /// The rules of its level, as in a file; `()` for the usual ones.
    pub rules: &'static str,
    /// The map of its level, row by row.
    pub map: &'static [&'static str],
    /// Who sits where: `human`, or a planner's name.
    pub players: &'static [&'static str],
    /// How the step stands after the turns that were played.
    pub status: fn(&Match<G>) -> LessonStatus,
}

/// How a step of a lesson stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LessonStatus {
    /// It can still be done.
    #[default]
    Open,
    /// It was done.
    Done,
    /// It cannot be done any more: why, in a sentence.
    Failed(&'static str),
}

impl LessonStatus {
    /// Done once `done` holds.
    pub fn done_if(done: bool) -> Self {
        if done { Self::Done } else { Self::Open }
    }
}

/// The step of a lesson that a match is.
#[derive(Clone, Debug)]
pub struct LessonState {
    /// Its index.
    pub step: usize,
    /// What is learnt in each step of the lesson.
    pub titles: Vec<&'static str>,
    /// How it stands.
    pub status: LessonStatus,
    /// What to do.
    pub task: &'static str,
    /// What to say when it was done.
    pub praise: &'static str,
    /// Sets up the match of a step.
    pub config: fn(usize) -> Option<MatchConfig>,
    /// The revision and the shown turn for which `status` was found.
    pub judged: Option<(u64, usize)>,
}

impl LessonState {
    /// Whether the lesson ends with this step.
    pub fn is_last(&self) -> bool {
        self.step + 1 >= self.titles.len()
    }
}
