//! Lessons: a few short steps in which a newcomer learns a game on the normal match screen.
//!
//! A game lists its steps in [`Guidance::lesson`]. Each is a small match of its own, set up by
//! [`lesson_match`]; what was reached is judged by the rules' own record of the match. A game without steps
//! has no lesson, and nothing else has to know.

mod follow;
mod step;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod tests;
mod view;

pub use step::{LessonState, LessonStatus, LessonStep};
pub(super) use view::FEATURE;

use super::command_table::MatchCommand;
use super::game_view::GameView;
use super::state::SessionState;
use crate::app::requests::MatchConfig;
use outwit_core::play::Budget;
use outwit_levels::{Entry, Source};

/// What a planner may spend on a turn of a lesson: the same on every machine, and done at once.
const BUDGET: Budget = Budget::Work(2_000);

/// The step of a game's lesson, if there is one.
pub fn lesson_step<G: GameView>(step: usize) -> Option<LessonState> {
    let LessonStep { task, praise, .. } = G::GUIDANCE.lesson.get(step)?;
    Some(LessonState {
        step,
        titles: G::GUIDANCE.lesson.iter().map(|step| step.title).collect(),
        status: LessonStatus::Open,
        task,
        praise,
        config: lesson_match::<G>,
        judged: None,
    })
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
