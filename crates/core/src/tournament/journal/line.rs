//! A finished game as a line of a tournament's file.

use super::super::FinishedGame;
use crate::platform::time::Duration;
use crate::play::{Closing, Outcome, Place, Seat, SeatStats, digest_of};
use serde::{Deserialize, Serialize};

/// A game as a line. Scores and the digest are texts, since JSON readers round numbers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    seed: u64,
    players: Vec<String>,
    turns: usize,
    headline: String,
    places: Vec<PlaceLine>,
    #[serde(rename = "conduct")]
    stats: Vec<ConductLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closing: Option<(Seat, Closing)>,
    digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actions: Option<String>,
    /// A digest of the other fields and the contest, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seal: Option<String>,
}

impl Line {
    /// What the seal must be in a file of the contest with this digest.
    pub(super) fn seal_of_fields(&self, contest: u64) -> Result<String, String> {
        let mut fields = serde_json::to_value(self).map_err(|error| error.to_string())?;
        if let Some(fields) = fields.as_object_mut() {
            fields.shift_remove("seal");
        }
        Ok(format!("{:016x}", digest_of(format!("{contest:016x}{fields}").as_bytes())))
    }

    /// Whether the seal belongs to the fields; it may be missing only if the file says so.
    pub(super) fn is_genuine(&self, contest: u64, is_sealed: bool) -> Result<bool, String> {
        match &self.seal {
            Some(seal) => Ok(*seal == self.seal_of_fields(contest)?),
            None => Ok(!is_sealed),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceLine {
    rank: u32,
    score: Option<String>,
    ending: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConductLine {
    asked: u32,
    overruns: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    starved: Option<u32>,
    illegal: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    panic: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    preparation_us: u64,
    work: u64,
    thought_us: Vec<u64>,
}

impl From<&FinishedGame> for Line {
    fn from(game: &FinishedGame) -> Self {
        let place = |place: &Place| PlaceLine {
            rank: place.rank,
            score: place.score.map(|score| score.to_string()),
            ending: place.ending.clone(),
        };
        let stats = |stats: &SeatStats| ConductLine {
            asked: stats.asked,
            overruns: stats.overruns,
            starved: (stats.starved > 0).then_some(stats.starved),
            illegal: stats.illegal,
            panic: stats.panic.clone(),
            fault: stats.fault.clone(),
            preparation_us: stats.preparation.as_micros() as u64,
            work: stats.work,
            thought_us: stats.thought.iter().map(|time| time.as_micros() as u64).collect(),
        };
        Self {
            seed: game.seed,
            players: game.players.clone(),
            turns: game.turns,
            headline: game.outcome.headline.clone(),
            places: game.outcome.places.iter().map(place).collect(),
            stats: game.stats.iter().map(stats).collect(),
            closing: game.closing,
            digest: format!("{:016x}", game.digest),
            actions: game.actions.clone(),
            seal: None,
        }
    }
}

impl TryFrom<Line> for FinishedGame {
    type Error = String;

    fn try_from(line: Line) -> Result<Self, String> {
        let seats = line.players.len();
        if line.places.len() != seats || line.stats.len() != seats {
            return Err(format!("{seats} players need as many places and statistics"));
        }
        let place = |place: PlaceLine| {
            let score = match place.score {
                Some(text) => Some(text.parse().map_err(|_| format!("'{text}' is not a score"))?),
                None => None,
            };
            Ok(Place { rank: place.rank, score, ending: place.ending })
        };
        let stats = |line: ConductLine| SeatStats {
            asked: line.asked,
            overruns: line.overruns,
            starved: line.starved.unwrap_or_default(),
            illegal: line.illegal,
            panic: line.panic,
            fault: line.fault,
            preparation: Duration::from_micros(line.preparation_us),
            thought: line.thought_us.into_iter().map(Duration::from_micros).collect(),
            work: line.work,
        };
        Ok(Self {
            seed: line.seed,
            players: line.players,
            turns: line.turns,
            outcome: Outcome {
                headline: line.headline,
                places: line.places.into_iter().map(place).collect::<Result<_, String>>()?,
            },
            stats: line.stats.into_iter().map(stats).collect(),
            closing: line.closing,
            digest: u64::from_str_radix(&line.digest, 16)
                .map_err(|_| format!("'{}' is not a digest", line.digest))?,
            actions: line.actions,
        })
    }
}
