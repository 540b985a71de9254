//! What a planner had found after some work, with the types of its game and without them.

use super::{Insight, Line, Value};
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// What a planner had found after some work.
#[derive(Clone, Debug)]
pub struct Snapshot<A> {
    /// Work units spent so far.
    pub work: u64,
    /// Whether its answer was final.
    pub done: bool,
    /// The best action so far.
    pub best: A,
    /// The value of the position and what it expects.
    pub line: Line<A>,
    /// What it searched, wanted and feared.
    pub insight: Arc<Insight>,
}

/// A [`Snapshot`] without the types of its game.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisStep {
    /// Work units spent so far.
    pub work: u64,
    /// Whether the answer was final.
    pub done: bool,
    /// The best action so far, as in replay files.
    pub best: String,
    /// What the position is worth to the seat, as far as the planner knows.
    pub value: Option<Value>,
    /// The actions that it expects to choose, as in replay files.
    pub line: Vec<String>,
    /// What it searched, wanted and feared.
    #[serde(serialize_with = "shared")]
    pub insight: Arc<Insight>,
}

fn shared<S: Serializer>(insight: &Arc<Insight>, to: S) -> Result<S::Ok, S::Error> {
    insight.as_ref().serialize(to)
}

/// An action as replay files write it.
pub fn action_text<A: Serialize>(action: &A) -> String {
    // Actions are plain data, which always serialises.
    ron::to_string(action).unwrap_or_default()
}

impl<A: Serialize> From<Snapshot<A>> for AnalysisStep {
    fn from(snapshot: Snapshot<A>) -> Self {
        Self {
            work: snapshot.work,
            done: snapshot.done,
            best: action_text(&snapshot.best),
            value: snapshot.line.value,
            line: snapshot.line.actions.iter().map(action_text).collect(),
            insight: snapshot.insight,
        }
    }
}
