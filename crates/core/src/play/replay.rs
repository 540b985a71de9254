//! Matches kept as the actions that were applied.

use super::{
    Actions, Chance, CheckedLevel, Closing, Game, Match, MatchError, Outcome, Player, Salt, Seat,
    SetupError, TurnNote, Variation, plain_notes,
};
use crate::digest::digest;
use crate::levels::LevelData;
use crate::play::protocol::{SavedThought, plain_name, saved_thoughts};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The newest version of the file format, of replays that hold what players are called or programs thought.
pub const REPLAY_FORMAT: &str = "outwit-replay 6";
/// The version of replays that hold notes.
const NOTED: &str = "outwit-replay 5";
/// The version of replays that hold a salt and no notes.
const SALTED: &str = "outwit-replay 4";
/// The version with neither.
const UNSALTED: &str = "outwit-replay 3";
/// Versions without a seal; the first knew no variations either.
const UNSEALED: [&str; 2] = ["outwit-replay 1", "outwit-replay 2"];

/// The name of a format if it is a later version of `known`, as `cops 2` is of `cops 1`.
pub fn newer_version(found: &str, known: &str) -> Option<String> {
    let (name, version) = known.rsplit_once(' ')?;
    let later = found.strip_prefix(name)?.strip_prefix(' ')?.trim().parse::<u32>().ok()?;
    (later > version.parse().ok()?).then(|| format!("{name} {later}"))
}

/// A match as a file: playing it again calls no planner.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
#[serde(deny_unknown_fields)]
pub struct Replay<G: Game> {
    /// What [`replay_format`] says.
    pub format: String,
    /// [`Game::ID`].
    pub game: String,
    /// [`Game::RULES_VERSION`] when it was recorded.
    pub rules_version: u32,
    /// The level itself, so that the replay needs no other file.
    pub level: G::Level,
    /// The seed of the match.
    pub seed: u64,
    /// What the chance of the match was sealed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<Salt>,
    /// Who sat on each seat: `human` or a planner's name.
    pub seats: Vec<String>,
    /// The actions of each turn.
    pub turns: Vec<Actions<G>>,
    /// The seat that stopped before the rules ended the match, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closing: Option<(Seat, Closing)>,
    /// The actions of other lines, each from the start of the match.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<SavedLine<G>>,
    /// Sentences about positions of the match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<TurnNote>,
    /// What programs of other people call themselves and what people are called, by seat; empty where nobody said so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// What programs of other people thought.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<SavedThought>,
    /// [`digest`] of the last state, to tell whether playing it again was faithful.
    pub digest: u64,
    /// The result, if the match was over.
    pub outcome: Option<Outcome>,
    /// A digest of all other fields, to tell whether one was altered; older files have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<u64>,
}

/// A variation as a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedLine<G: Game> {
    /// The actions of each turn.
    pub turns: Vec<Actions<G>>,
    /// The seat that stopped before the rules ended the match, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closing: Option<(Seat, Closing)>,
}

/// Why a replay cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// It is another kind of file.
    #[error("this is a '{found}' file; expected '{REPLAY_FORMAT}'")]
    Format {
        /// What it says it is.
        found: String,
    },
    /// It belongs to another game.
    #[error("this is a replay of '{found}', not of '{expected}'")]
    WrongGame {
        /// What it says.
        found: String,
        /// What was asked for.
        expected: &'static str,
    },
    /// The rules have changed since, and the match would be another one now.
    #[error("recorded under rules version {found}; this program plays version {expected}")]
    Rules {
        /// What it says.
        found: u32,
        /// What this program has.
        expected: u32,
    },
    /// The level cannot be played.
    #[error("its level cannot be played: {0}")]
    Level(String),
    /// An action does not fit.
    #[error("it breaks the rules at {0}")]
    Action(String),
    /// The final state differs from the recorded one, or the file was altered.
    #[error("not faithful: the final state or the file itself differs from the recording")]
    Unfaithful,
}

impl<G: Game> Replay<G> {
    /// The replay of a match; `seats` names who sat where.
    pub fn of(played: &Match<G>, seats: Vec<String>) -> Self {
        Self {
            format: replay_format(played.chance().salt()).into(),
            game: G::ID.into(),
            rules_version: G::RULES_VERSION,
            level: played.game().level().clone(),
            seed: played.seed(),
            salt: played.chance().salt(),
            seats,
            turns: played.turns().iter().map(|turn| turn.actions.clone()).collect(),
            closing: played.closing(),
            variations: played
                .variations()
                .iter()
                .map(|line| SavedLine { turns: line.turns.clone(), closing: line.closing })
                .collect(),
            notes: Vec::new(),
            names: Vec::new(),
            thoughts: Vec::new(),
            digest: digest(played.state()),
            outcome: played.outcome(),
            seal: None,
        }
        .sealed()
    }

    /// The same with these [notes](plain_notes).
    #[must_use]
    pub fn with_notes(mut self, notes: &[TurnNote]) -> Self {
        self.notes = plain_notes(notes, self.turns.len());
        self.in_its_version()
    }

    /// The same with these [thoughts](saved_thoughts).
    #[must_use]
    pub fn with_thoughts(mut self, thoughts: Vec<SavedThought>) -> Self {
        self.thoughts = saved_thoughts(thoughts, self.turns.len());
        self.in_its_version()
    }

    /// The same with what programs and people are called, by seat.
    #[must_use]
    pub fn with_names(mut self, names: &[Option<String>]) -> Self {
        self.names = match names.iter().any(Option::is_some) {
            true => names.iter().map(|name| plain_name(name.as_deref().unwrap_or(""))).collect(),
            false => Vec::new(),
        };
        self.in_its_version()
    }

    /// What the program or the person on a seat is called, if the file says so. Planners are called what they are.
    pub fn own_name(&self, seat: Seat) -> Option<String> {
        let name = plain_name(self.names.get(seat.index())?);
        let player = Player::from(self.seats.get(seat.index())?.as_str());
        let has_own = player == Player::Human || player.program().is_some();
        (has_own && !name.is_empty()).then_some(name)
    }

    /// What the program or the person on each seat is called, if the file says so.
    pub fn own_names(&self) -> Vec<Option<String>> {
        (0..self.seats.len()).map(|seat| self.own_name(Seat(seat as u8))).collect()
    }

    /// The same in the earliest version that has all that it holds, so that earlier programs can read it.
    fn in_its_version(mut self) -> Self {
        self.format = match (self.has_programs(), self.notes.is_empty()) {
            (true, _) => REPLAY_FORMAT.into(),
            (false, false) => NOTED.into(),
            (false, true) => replay_format(self.salt).into(),
        };
        self.sealed()
    }

    /// Whether it holds names, or what programs of other people thought.
    fn has_programs(&self) -> bool {
        !self.names.is_empty() || !self.thoughts.is_empty()
    }

    /// The same with the seal that belongs to its fields.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.seal = Some(self.seal_of_fields());
        self
    }

    fn seal_of_fields(&self) -> u64 {
        // As text, since programs that know more rules write more fields of the same level.
        let level = self.level.text();
        let head = (&self.format, &self.game, self.rules_version, level, self.seed, &self.seats);
        let fields =
            (head, &self.turns, &self.closing, &self.variations, self.digest, &self.outcome);
        match self.salt {
            _ if self.has_programs() => {
                digest(&(fields, self.salt, &self.notes, &self.names, &self.thoughts))
            }
            _ if !self.notes.is_empty() => digest(&(fields, self.salt, &self.notes)),
            None => digest(&fields),
            Some(salt) => digest(&(fields, salt)),
        }
    }

    /// Whether the seal belongs to the fields.
    fn is_genuine(&self) -> bool {
        match self.seal {
            Some(seal) => seal == self.seal_of_fields(),
            None => UNSEALED.contains(&self.format.as_str()),
        }
    }

    /// Plays it again from the start.
    ///
    /// # Errors
    /// If it belongs to another game, breaks a rule, ends in another state than the recorded one, or
    /// was altered since. Of an earlier version of the rules, such a fault is one of the version.
    pub fn play(&self) -> Result<Match<G>, ReplayError> {
        self.play_on(None)
    }

    /// [`play`](Self::play) with rules that were made before. If they are for another level or another
    /// number of seats they are not used.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn play_with(&self, game: &Arc<G>) -> Result<Match<G>, ReplayError> {
        let fits = game.level() == &self.level && game.seats() == self.seats.len();
        self.play_on(fits.then(|| Arc::clone(game)))
    }

    fn play_on(&self, game: Option<Arc<G>>) -> Result<Match<G>, ReplayError> {
        let format = self.format.as_str();
        let is_sealed = [UNSALTED, SALTED, NOTED, REPLAY_FORMAT].contains(&format);
        if !is_sealed && !UNSEALED.contains(&format) {
            return Err(ReplayError::Format { found: self.format.clone() });
        }
        if self.game != G::ID {
            return Err(ReplayError::WrongGame { found: self.game.clone(), expected: G::ID });
        }
        let found = self.rules_version;
        let expected = G::RULES_VERSION;
        if found > expected {
            return Err(ReplayError::Rules { found, expected });
        }
        // Most matches are the same under rules that have changed in some corner.
        self.play_by_todays_rules(game).map_err(|error| match found < expected {
            true => ReplayError::Rules { found, expected },
            false => error,
        })
    }

    /// The rules that the replay was played by.
    fn rules(&self) -> Result<Arc<G>, SetupError> {
        let level = CheckedLevel::<G>::new(self.level.clone())?;
        G::new(&level, self.seats.len()).map(Arc::new)
    }

    fn play_by_todays_rules(&self, game: Option<Arc<G>>) -> Result<Match<G>, ReplayError> {
        let unplayable = |why: SetupError| ReplayError::Level(why.to_string());
        let game = game.map_or_else(|| self.rules(), Ok).map_err(unplayable)?;
        let chance = Chance::salted(self.seed, self.salt);
        let mut played = Match::with_chance(game, chance).map_err(unplayable)?;
        for actions in &self.turns {
            played.advance(actions.clone()).map_err(|why| ReplayError::Action(why.into()))?;
        }
        if let Some((seat, closing)) = self.closing {
            played.close(seat, closing);
            if played.closing() != self.closing {
                let why = MatchError::CannotStop { turn: played.len(), seat: seat.0 };
                return Err(ReplayError::Action(why.into()));
            }
        }
        // The headline is for people: another version may word it differently.
        let places = |outcome: Option<Outcome>| outcome.map(|outcome| outcome.places);
        let ends_alike = digest(played.state()) == self.digest
            && places(played.outcome()) == places(self.outcome.clone());
        if !ends_alike || !self.is_genuine() {
            return Err(ReplayError::Unfaithful);
        }
        for (number, line) in self.variations.iter().enumerate() {
            let line = Variation { turns: line.turns.clone(), closing: line.closing };
            played
                .add_variation(line)
                .map_err(|why| ReplayError::Action(format!("variation {}, {why}", number + 1)))?;
        }
        Ok(played)
    }
}

/// The version in which a replay without notes is written, with a salt or without: earlier versions of the
/// program read what they know.
pub fn replay_format(salt: Option<Salt>) -> &'static str {
    if salt.is_some() { SALTED } else { UNSALTED }
}
