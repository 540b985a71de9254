//! What a planner expects to happen.

use super::Value;

/// What a planner expects to happen.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<A> {
    /// What the position is worth to its seat, as far as it knows.
    pub value: Option<Value>,
    /// Its next actions, in the order in which it would choose them: the principal variation. With
    /// [`joint_lines`](super::MatchRules::joint_lines) those of everybody in turn.
    pub actions: Vec<A>,
}

impl<A> Default for Line<A> {
    fn default() -> Self {
        Self { value: None, actions: Vec::new() }
    }
}
