//! What is kept of a finished game.

use super::{Contest, GameRecord, UNFINISHED};
use crate::platform::time::Duration;
use crate::play::{Closing, Game, Outcome, Seat, SeatStats, TimeControl};

/// A finished game without the types of its rules.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedGame {
    /// Its seed.
    pub seed: u64,
    /// Who played, seat by seat.
    pub players: Vec<String>,
    /// What programs among them call themselves, seat by seat; empty if none does.
    pub names: Vec<Option<String>>,
    /// The moves of the opening that it began with, if the contest has openings.
    pub opening: Option<String>,
    /// The result.
    pub outcome: Outcome,
    /// How each seat behaved; times in whole microseconds.
    pub stats: Vec<SeatStats>,
    /// Number of turns.
    pub turns: usize,
    /// The seat that stopped before the rules ended the game, and why.
    pub closing: Option<(Seat, Closing)>,
    /// [`digest`](crate::play::digest) of the last state.
    pub digest: u64,
    /// The actions of each turn as RON, where playing again would not give the same ones.
    pub actions: Option<String>,
    /// What a responder counted, where one played: names with numbers.
    pub counters: Vec<(String, f64)>,
}

impl FinishedGame {
    /// A game on a seed of which only the players and the result are known; all else is as if nothing had
    /// been played.
    pub fn new<P: Into<String>>(
        seed: u64,
        players: impl IntoIterator<Item = P>,
        outcome: Outcome,
    ) -> Self {
        Self {
            seed,
            players: players.into_iter().map(Into::into).collect(),
            names: Vec::new(),
            opening: None,
            stats: vec![SeatStats::default(); outcome.places.len()],
            outcome,
            turns: 0,
            closing: None,
            digest: 0,
            actions: None,
            counters: Vec::new(),
        }
    }

    /// What the record of a game of this contest says. The actions are kept only if the budgets do not
    /// determine them.
    ///
    /// # Errors
    /// If the actions cannot be written.
    pub fn of<G: Game>(
        record: &GameRecord<G>,
        contest: &Contest,
        opening: Option<String>,
    ) -> Result<Self, ron::Error> {
        let mut budgets = record.lineup.players.iter().map(|player| contest.budget_of(player));
        let actions = if budgets.all(TimeControl::is_work) {
            None
        } else {
            Some(ron::to_string(&record.replay.turns)?)
        };
        let whole = |time: &mut Duration| *time = Duration::from_micros(time.as_micros() as u64);
        let mut stats = record.stats.clone();
        for seat in &mut stats {
            whole(&mut seat.preparation);
            seat.thought.iter_mut().for_each(whole);
        }
        Ok(Self {
            seed: record.lineup.seed,
            players: record.lineup.players.iter().map(|p| p.name().to_owned()).collect(),
            names: match record.replay.names.is_empty() {
                true => Vec::new(),
                false => record.replay.own_names(),
            },
            opening,
            outcome: record.outcome.clone(),
            stats,
            turns: record.replay.turns.len(),
            closing: record.replay.closing,
            digest: record.replay.digest,
            actions,
            counters: Vec::new(),
        })
    }

    /// Whether another game went the same way, whatever time it took: the same actions where they are
    /// kept, elsewhere the same end after as many turns and as much work.
    pub fn is_same(&self, other: &Self) -> bool {
        let work = |game: &Self| game.stats.iter().map(|seat| seat.work).collect::<Vec<_>>();
        let end = |game: &Self| (game.digest, game.turns, game.outcome.places.clone());
        let ends_alike = end(self) == end(other);
        ends_alike
            && self.counters == other.counters
            && self.actions == other.actions
            && (self.actions.is_some() || work(self) == work(other))
    }

    /// What a seat got, if it has a result.
    pub fn score(&self, seat: usize) -> Option<f64> {
        self.outcome.places.get(seat)?.score
    }

    /// Whether it was broken off because it went on for too long.
    pub fn is_unfinished(&self) -> bool {
        self.outcome.places.iter().all(|place| place.ending == UNFINISHED)
    }

    /// How a seat ended, in a word.
    pub fn ending(&self, seat: usize) -> &str {
        self.outcome.places.get(seat).map_or("", |place| &place.ending)
    }
}
