//! A recorded search and the event that is shown.

use outwit_core::platform::task::Task;
use outwit_core::search::{EventKind, Recording, SearchEvent};

/// What the steps run to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// An expansion.
    Expanded,
    /// An expansion of a greater f.
    HigherF,
    /// A piece was moved.
    Moved,
    /// A cheaper path was found.
    Updated,
    /// The goal was reached.
    Goal,
}

impl Condition {
    /// Every condition, in the order in which people choose from them.
    pub const ALL: [Self; 5] =
        [Self::Expanded, Self::HigherF, Self::Moved, Self::Updated, Self::Goal];

    /// What people call it, after "until".
    pub fn words(self) -> &'static str {
        match self {
            Self::Expanded => "the next expansion",
            Self::HigherF => "f grows",
            Self::Moved => "a piece is moved",
            Self::Updated => "a cheaper path is found",
            Self::Goal => "the goal",
        }
    }

    /// Whether it holds at an event, `before` being the one from which the run began.
    fn holds(self, event: &SearchEvent, before: &SearchEvent) -> bool {
        match self {
            Self::Expanded => event.kind == EventKind::Expand,
            Self::HigherF => event.kind == EventKind::Expand && event.f > before.f,
            Self::Moved => event.state.moved.is_some(),
            Self::Updated => event.kind == EventKind::Update,
            Self::Goal => event.kind == EventKind::Goal,
        }
    }
}

/// A recorded search and the event that is shown.
pub struct SearchEvents {
    /// The position and the planner that were recorded.
    pub of: (u64, &'static str),
    /// The recording.
    pub task: Task<Result<Recording, String>>,
    /// The number of the shown event.
    pub at: usize,
    /// What the steps run to.
    pub condition: Condition,
}

impl SearchEvents {
    /// The recording, once it is there and has events.
    pub fn recording(&self) -> Option<&Recording> {
        self.task.get()?.as_ref().ok().filter(|recording| !recording.events.is_empty())
    }

    /// Whether it is still being recorded.
    pub fn is_busy(&self) -> bool {
        !self.task.is_done()
    }

    /// Runs on to the next event at which the condition holds, or to the last one.
    pub fn run(&mut self) {
        let (at, condition) = (self.at, self.condition);
        let Some(recording) = self.recording() else { return };
        let Some(before) = recording.events.get(at) else { return };
        let later = recording.events.iter().enumerate().skip(at + 1);
        let found = later.into_iter().find(|(_, event)| condition.holds(event, before));
        self.at = found.map_or(recording.events.len() - 1, |(index, _)| index);
    }
}
