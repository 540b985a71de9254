//! How a match ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a match ends before the rules end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Closing {
    /// It gave up.
    Resigned,
    /// It searched and found no solution.
    Unsolved,
    /// The program that played for it failed.
    Failed,
    /// It has used more than its time.
    TimeOver,
    /// All agreed to a draw that it offered.
    Agreed,
}

impl Closing {
    /// In one word, as an ending.
    pub fn word(self) -> &'static str {
        match self {
            Closing::Resigned => "resigned",
            Closing::Unsolved => "unsolved",
            Closing::Failed => "failed",
            Closing::TimeOver => "out of time",
            Closing::Agreed => "drawn",
        }
    }

    /// What became of the seat with this title, in a sentence for people.
    pub fn headline(self, title: &str) -> String {
        match self {
            Closing::Resigned => format!("{title} resigned"),
            Closing::Unsolved => format!("{title} found no solution"),
            Closing::Failed => format!("{title} lost: its program failed"),
            Closing::TimeOver => format!("{title} lost on time"),
            Closing::Agreed => "Draw by agreement".into(),
        }
    }
}

/// How one seat ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// 1 for the best; equal results share a rank.
    pub rank: u32,
    /// The figure that ranks: turns in a race, the payoff of a pursuit; `None` without a result.
    pub score: Option<f64>,
    /// One word for what happened, such as `finished`, `crashed`, `caught`.
    pub ending: String,
}

/// How a match ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// One sentence for people.
    pub headline: String,
    /// One entry a seat.
    pub places: Vec<Place>,
}
