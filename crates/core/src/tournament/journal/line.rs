//! The line of a finished game.

use crate::platform::time::Duration;
use crate::play::protocol::plain_name;
use crate::play::{Closing, Outcome, Place, Seat, SeatStats, digest_of};
use crate::tournament::FinishedGame;
use serde::{Deserialize, Serialize};

/// More turns than this no game has. Sums over all games stay within their types.
const MOST_TURNS: usize = u32::MAX as usize;
/// Longer words for an ending or a counter are not believed, in bytes.
const LONGEST_WORD: usize = 64;
/// More counters of a game are not believed.
const MOST_COUNTERS: usize = 64;

/// A game as a line. Scores, counters and the digest are texts, since JSON readers round numbers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    seed: u64,
    players: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    counters: Vec<(String, String)>,
    /// A digest of the other fields and the contest, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<String>,
}

impl Line {
    /// What the seal must be in a file of the contest with this digest.
    pub fn seal_of_fields(&self, contest: u64) -> Result<String, String> {
        let mut fields = serde_json::to_value(self).map_err(|error| error.to_string())?;
        if let Some(fields) = fields.as_object_mut() {
            fields.shift_remove("seal");
        }
        Ok(format!("{:016x}", digest_of(format!("{contest:016x}{fields}").as_bytes())))
    }

    /// Whether the seal belongs to the fields; it may be missing only if the file says so.
    pub fn is_genuine(&self, contest: u64, is_sealed: bool) -> Result<bool, String> {
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
    silent: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    broken: Option<u32>,
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
        let stats = |stats: &SeatStats| ConductLine {
            asked: stats.asked,
            overruns: stats.overruns,
            starved: (stats.starved > 0).then_some(stats.starved),
            illegal: stats.illegal,
            silent: (stats.silent > 0).then_some(stats.silent),
            broken: (stats.broken > 0).then_some(stats.broken),
            panic: stats.panic.clone(),
            fault: stats.fault.clone(),
            preparation_us: stats.preparation.as_micros() as u64,
            work: stats.work,
            thought_us: stats.thought.iter().map(|time| time.as_micros() as u64).collect(),
        };
        Self {
            seed: game.seed,
            players: game.players.clone(),
            names: game.names.clone(),
            opening: game.opening.clone(),
            turns: game.turns,
            headline: game.outcome.headline.clone(),
            places: game
                .outcome
                .places
                .iter()
                .map(|place| PlaceLine {
                    rank: place.rank,
                    score: place.score.map(|score| score.to_string()),
                    ending: place.ending.clone(),
                })
                .collect(),
            stats: game.stats.iter().map(stats).collect(),
            closing: game.closing,
            digest: format!("{:016x}", game.digest),
            actions: game.actions.clone(),
            counters: game
                .counters
                .iter()
                .map(|(name, value)| (name.clone(), value.to_string()))
                .collect(),
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
        if !line.names.is_empty() && line.names.len() != seats {
            return Err(format!("{seats} players need as many names"));
        }
        if line.turns > MOST_TURNS {
            return Err(format!("{} turns; the maximum is {MOST_TURNS}", line.turns));
        }
        if let Some((seat, _)) = line.closing.filter(|(seat, _)| seat.index() >= seats) {
            return Err(format!("seat {} of {seats} stopped the game", seat.index()));
        }
        if line.counters.len() > MOST_COUNTERS {
            let count = line.counters.len();
            return Err(format!("{count} counters; the maximum is {MOST_COUNTERS}"));
        }
        let stats = |line: ConductLine| SeatStats {
            asked: line.asked,
            overruns: line.overruns,
            starved: line.starved.unwrap_or_default(),
            illegal: line.illegal,
            silent: line.silent.unwrap_or_default(),
            broken: line.broken.unwrap_or_default(),
            panic: line.panic,
            fault: line.fault,
            preparation: Duration::from_micros(line.preparation_us),
            thought: line.thought_us.into_iter().map(Duration::from_micros).collect(),
            work: line.work,
        };
        let counter =
            |(name, value): (String, String)| Ok((word(name)?, number(&value, "counter")?));
        Ok(Self {
            seed: line.seed,
            names: line.names.into_iter().map(|name| Some(plain_name(&name?))).collect(),
            players: line.players,
            opening: line.opening,
            turns: line.turns,
            outcome: Outcome {
                headline: line.headline,
                places: line
                    .places
                    .into_iter()
                    .map(|place| {
                        let score = place.score.map(|text| number(&text, "score")).transpose()?;
                        Ok(Place { rank: place.rank, score, ending: word(place.ending)? })
                    })
                    .collect::<Result<_, String>>()?,
            },
            stats: line.stats.into_iter().map(stats).collect(),
            closing: line.closing,
            digest: u64::from_str_radix(&line.digest, 16)
                .map_err(|_| format!("'{}' is not a digest", line.digest))?,
            actions: line.actions,
            counters: line.counters.into_iter().map(counter).collect::<Result<_, String>>()?,
        })
    }
}

/// A word that becomes part of a table.
fn word(text: String) -> Result<String, String> {
    match text.len() <= LONGEST_WORD {
        true => Ok(text),
        false => Err(format!("a word is longer than {LONGEST_WORD} bytes")),
    }
}

/// A number that can be added up.
fn number(text: &str, what: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("'{text}' is not a {what}"))
}
