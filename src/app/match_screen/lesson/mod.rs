//! Lessons: a few short steps in which a newcomer learns a game on the normal match screen.
//!
//! A game lists its steps in [`Guidance::lesson`]. Each is a small match of its own, set up by
//! [`lesson_match`]; what was reached is judged by the rules' own record of the match. A game without steps
//! has no lesson, and nothing else has to know.

mod follow;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod tests;
mod view;

pub(super) use follow::follow;
pub(super) use view::{show_steps, show_task};

use super::command_table::MatchCommand;
use super::game_view::GameView;
use super::state::SessionState;
use crate::app::requests::MatchConfig;
use outwit_core::play::{Budget, Match};
use outwit_levels::{Entry, Source};

/// What a planner may spend on a turn of a lesson: the same on every machine, and done at once.
const BUDGET: Budget = Budget::Work(2_000);

/// One step of a lesson: a small match, what to do in it, and how to tell that it was done.
pub struct LessonStep<G: GameView> {
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
    judged: Option<(u64, usize)>,
}

impl LessonState {
    /// The step of a game's lesson, if there is one.
    pub fn of<G: GameView>(step: usize) -> Option<Self> {
        let LessonStep { task, praise, .. } = G::GUIDANCE.lesson.get(step)?;
        Some(Self {
            step,
            titles: G::GUIDANCE.lesson.iter().map(|step| step.title).collect(),
            status: LessonStatus::Open,
            task,
            praise,
            config: lesson_match::<G>,
            judged: None,
        })
    }

    /// Whether the lesson ends with this step.
    pub fn is_last(&self) -> bool {
        self.step + 1 >= self.titles.len()
    }
}

/// The match of a step of a game's lesson, if there is such a step.
pub fn lesson_match<G: GameView>(step: usize) -> Option<MatchConfig> {
    let LessonStep { title, rules, map, players, .. } = G::GUIDANCE.lesson.get(step)?;
    let level =
        format!("(format: {:?}, name: {title:?}, rules: {rules}, map: {map:?})", G::INFO.format);
    // A draft has no record and is never resumed.
    let level = Entry { id: format!("{}/{title}", G::ID), source: Source::Draft(level.into()) };
    Some(MatchConfig {
        players: players.iter().map(|&name| name.into()).collect(),
        budget: BUDGET,
        lesson: Some(step),
        ..MatchConfig::new(G::ID, level)
    })
}

/// Whether a command makes sense in a step of a lesson, which the person is to do alone.
pub(super) fn allows(command: MatchCommand) -> bool {
    !matches!(
        command,
        MatchCommand::NextMatch
            | MatchCommand::NextRival
            | MatchCommand::OtherLevel(_)
            | MatchCommand::BestOfFive
            // What is best for the result is often not what the step asks for.
            | MatchCommand::Hint
            | MatchCommand::ShowRest
            | MatchCommand::PasteMoves
            | MatchCommand::PlayLine
            | MatchCommand::PlayChoice(_)
            | MatchCommand::Show(_)
    )
}

impl SessionState {
    /// Whether this is a step of a lesson that was done, or can no longer be done: nothing more is
    /// played in it.
    pub fn is_step_over(&self) -> bool {
        self.lesson.as_ref().is_some_and(|lesson| lesson.status != LessonStatus::Open)
    }
}
