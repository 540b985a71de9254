//! A league of planners that plays on without an end: which match comes next, and the table of those
//! that were played.
//!
//! A league goes in rounds. In each, every line-up of its planners plays every level once, on the seed
//! of the round; the next round has the next seed. The order within a round is random but fixed, with
//! the matches of a favourite first. A [`League`] never looks at a clock and keeps no position: the
//! next match follows from its choices and its results, so planners and levels may change at any time.

mod best_of;
mod championship;
mod played;
mod saved;
mod table;

pub use best_of::{BestOf, Tally};
pub use championship::{Championship, ImpossibleResults, POINTS, Ranking};
pub use played::{UnplayedFixture, play};
pub use saved::LeagueFault;
pub use table::{FEW, Standing};

use super::DynGame;
use outwit_core::levels::capitalised;
use outwit_core::play::{Budget, Place, ProgramName, digest_of};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// First field of the file of a league.
const FORMAT: &str = "league 1";
/// Most results of a league: months of watching.
pub const MOST_RESULTS: usize = 10_000;
/// Most planners of a league.
pub const MOST_PLANNERS: usize = 32;
/// Most levels of a league.
pub const MOST_LEVELS: usize = 64;

/// Who can sit where in the matches of a league.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roster {
    /// For each seat its title and the planners that can take it, the plainest first.
    pub seats: Vec<(String, Vec<String>)>,
    /// The programs of other people that may be started; each can take every seat.
    pub programs: Vec<String>,
}

impl Roster {
    /// Two seats, or as many as the game needs.
    pub fn of(kind: &dyn DynGame) -> Self {
        let least = *kind.facts().seats.allowed.start();
        let most = *kind.facts().seats.allowed.end();
        let planners = kind.planners();
        let seats = (0..least.max(2.min(most))).map(|seat| {
            let spec = kind.seat(seat);
            let fitting = planners.iter().filter(|planner| planner.seats.contains(&spec.id));
            (spec.title, fitting.map(|planner| planner.name.to_owned()).collect())
        });
        Self { seats: seats.collect(), programs: Vec::new() }
    }

    /// Whether not everybody can take every seat.
    pub fn seats_differ(&self) -> bool {
        self.seats.windows(2).any(|pair| pair[0].1 != pair[1].1)
    }

    /// The planners that take part unless somebody chooses others: for each seat the stronger half, two at
    /// least.
    pub fn usual(&self) -> Vec<String> {
        let mut usual: Vec<String> = Vec::new();
        for (_, fitting) in &self.seats {
            let strong = fitting.len().div_ceil(2).max(2).min(fitting.len());
            for name in &fitting[fitting.len() - strong..] {
                if !usual.contains(name) {
                    usual.push(name.clone());
                }
            }
        }
        usual
    }

    /// Whether a player can take a seat: a planner of that seat, or any program, whether it may be started or not.
    pub fn fits(&self, seat: usize, player: &str) -> bool {
        ProgramName::of(player).is_some()
            || self
                .seats
                .get(seat)
                .is_some_and(|(_, fitting)| fitting.iter().any(|name| name == player))
    }

    /// Whether a player can take some seat.
    pub fn knows(&self, player: &str) -> bool {
        (0..self.seats.len()).any(|seat| self.fits(seat, player))
    }
}

/// A match of a league.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixture {
    /// Id of the level.
    pub level: String,
    /// The seed of the match.
    pub seed: u64,
    /// The planner of each seat.
    pub players: Vec<String>,
}

impl Fixture {
    /// Where it stands in its round: at random, but always at the same place.
    fn order(&self) -> u64 {
        let text = format!("{} {} {}", self.seed, self.level, self.players.join(" "));
        // The finaliser of SplitMix64, as the digest alone hardly mixes its last bytes.
        let mut hash = digest_of(text.as_bytes());
        hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ (hash >> 31)
    }
}

/// A match of a league with its result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueResult {
    /// The match.
    pub fixture: Fixture,
    /// How each seat ended; empty if the match could not be played.
    pub places: Vec<Place>,
}

/// Why a league has no next match.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoFixture {
    /// No level is chosen.
    #[error("Choose at least one level.")]
    NoLevel,
    /// No chosen planner can take this seat.
    #[error("Choose a planner for {0}.")]
    EmptySeat(String),
    /// The chosen planners cannot meet.
    #[error("Choose at least two planners.")]
    NoOpponent,
    /// It holds as many results as it can.
    #[error("This league has played all of its {MOST_RESULTS} matches. Begin a new one.")]
    Full,
}

/// A league of one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct League {
    format: String,
    /// Id of the game.
    pub game: String,
    /// The planners and programs that take part, by name.
    pub planners: Vec<String>,
    /// The levels that they play, by id.
    pub levels: Vec<String>,
    /// The seed of the first round.
    pub seed: u64,
    /// The planner whose matches come first in each round.
    pub favourite: Option<String>,
    /// What a planner may spend on a turn, in the form of [`Budget`].
    budget: String,
    /// Whether a match that somebody skips stays unplayed for now, instead of being played unseen.
    pub hide_results: bool,
    results: Vec<LeagueResult>,
}

impl League {
    /// A league without results.
    pub fn new(game: &str, planners: Vec<String>, levels: Vec<String>, seed: u64) -> Self {
        Self {
            format: FORMAT.into(),
            game: game.into(),
            planners,
            levels,
            seed,
            favourite: None,
            budget: Budget::default().to_string(),
            hide_results: true,
            results: Vec::new(),
        }
    }

    /// What a planner may spend on a turn.
    pub fn budget(&self) -> Budget {
        self.budget.parse().unwrap_or_default()
    }

    /// Changes what a planner may spend on a turn.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget.to_string();
    }

    /// All results, the oldest first.
    pub fn results(&self) -> &[LeagueResult] {
        &self.results
    }

    /// Every line-up of the chosen planners: for games of two, each planner of the first seat against
    /// each other one of the second, so that where all planners fit all seats they swap them.
    ///
    /// # Errors
    /// If there is none.
    pub fn line_ups(&self, roster: &Roster) -> Result<Vec<Vec<String>>, NoFixture> {
        let mut line_ups: Vec<Vec<String>> = vec![Vec::new()];
        for (title, fitting) in &roster.seats {
            let can_play = fitting.iter().chain(&roster.programs);
            let chosen: Vec<_> = can_play.filter(|name| self.planners.contains(name)).collect();
            if chosen.is_empty() {
                return Err(NoFixture::EmptySeat(capitalised(title)));
            }
            let mut longer = Vec::new();
            for line_up in &line_ups {
                for &name in chosen.iter().filter(|name| !line_up.contains(name)) {
                    longer.push([&line_up[..], std::slice::from_ref(name)].concat());
                }
            }
            line_ups = longer;
        }
        if line_ups.is_empty() { Err(NoFixture::NoOpponent) } else { Ok(line_ups) }
    }

    /// All matches of a round, counted from 0, in order.
    ///
    /// # Errors
    /// If there is none.
    pub fn round(&self, round: u64, roster: &Roster) -> Result<Vec<Fixture>, NoFixture> {
        let line_ups = self.line_ups(roster)?;
        if self.levels.is_empty() {
            return Err(NoFixture::NoLevel);
        }
        let seed = self.seed.wrapping_add(round);
        let mut fixtures = Vec::with_capacity(self.levels.len() * line_ups.len());
        for level in &self.levels {
            for players in &line_ups {
                fixtures.push(Fixture { level: level.clone(), seed, players: players.clone() });
            }
        }
        fixtures.sort_by_cached_key(|fixture| {
            let favourite = self.favourite.as_ref();
            let waits = favourite.is_some_and(|name| !fixture.players.contains(name));
            (waits, fixture.order())
        });
        Ok(fixtures)
    }

    /// The number of the round that is being played, counted from 0, and its matches that are left; at
    /// least one.
    ///
    /// # Errors
    /// If there is none.
    pub fn remaining(&self, roster: &Roster) -> Result<(u64, Vec<Fixture>), NoFixture> {
        if self.results.len() >= MOST_RESULTS {
            return Err(NoFixture::Full);
        }
        let played: HashSet<_> = self.results.iter().map(|result| &result.fixture).collect();
        let last = self.results.last();
        let mut round = last.map_or(0, |result| result.fixture.seed.wrapping_sub(self.seed));
        // A round that is full has at least one result, so this ends.
        loop {
            let mut fixtures = self.round(round, roster)?;
            fixtures.retain(|fixture| !played.contains(fixture));
            if !fixtures.is_empty() {
                return Ok((round, fixtures));
            }
            round = round.wrapping_add(1);
        }
    }

    /// The next match.
    ///
    /// # Errors
    /// If there is none.
    pub fn next(&self, roster: &Roster) -> Result<Fixture, NoFixture> {
        self.next_but(roster, &[])
    }

    /// The next match that is not one of these, or of the next round if these are all that are left.
    ///
    /// # Errors
    /// If there is none.
    pub fn next_but(&self, roster: &Roster, not: &[Fixture]) -> Result<Fixture, NoFixture> {
        let (round, left) = self.remaining(roster)?;
        let mut left = left.into_iter().filter(|fixture| !not.contains(fixture));
        match left.next() {
            Some(fixture) => Ok(fixture),
            None => {
                let mut later = self.round(round.wrapping_add(1), roster)?.into_iter();
                let fresh = later.find(|fixture| !not.contains(fixture));
                fresh.ok_or(NoFixture::NoOpponent)
            }
        }
    }

    /// Takes over the results of another copy of this league that are not known here; returns whether there
    /// were any.
    pub fn absorb(&mut self, other: &Self) -> bool {
        if (&other.game, other.seed) != (&self.game, self.seed) {
            return false;
        }
        let known: HashSet<_> = self.results.iter().map(|result| &result.fixture).collect();
        let unknown = other.results.iter().filter(|result| !known.contains(&result.fixture));
        let unknown: Vec<_> = unknown.cloned().collect();
        let room = MOST_RESULTS.saturating_sub(self.results.len());
        let found = !unknown.is_empty();
        self.results.splice(0..0, unknown.into_iter().take(room));
        found
    }

    /// Enters how a match ended.
    pub fn enter(&mut self, fixture: Fixture, mut places: Vec<Place>) {
        // What the file could not be read with.
        for place in &mut places {
            place.score = place.score.filter(|&score| saved::can_be_score(score));
        }
        self.results.push(LeagueResult { fixture, places });
    }

    /// Notes that a match cannot be played, so that the next one has its turn.
    pub fn skip(&mut self, fixture: Fixture) {
        self.enter(fixture, Vec::new());
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
