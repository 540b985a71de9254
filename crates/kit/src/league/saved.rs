//! The file of a league, and what may be wrong with it.

use super::{FORMAT, League, LeagueResult, MOST_LEVELS, MOST_PLANNERS, MOST_RESULTS, Roster};
use outwit_core::levels::{Fault, read_ron};
use outwit_core::play::Budget;
use std::collections::HashSet;

/// Most bytes of a name in the file of a league.
const MOST_NAME: usize = 512;
/// The largest score that a match can have.
const MOST_SCORE: f64 = 1e12;

/// Why the file of a league cannot be used.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LeagueFault {
    /// It is no such file.
    #[error("{0}")]
    Text(Fault),
    /// Another version wrote it.
    #[error("its format is '{0}', not '{FORMAT}'")]
    Format(String),
    /// There is no such game.
    #[error("there is no game '{0}'")]
    Game(String),
    /// A planner is not of the game.
    #[error("{game} has no planner '{planner}'")]
    Planner {
        /// The game.
        game: String,
        /// The planner.
        planner: String,
    },
    /// Something is listed twice.
    #[error("'{0}' is listed twice")]
    Twice(String),
    /// There is more than a league can hold.
    #[error("it has {count} {what}, more than {most}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A result is impossible.
    #[error("result {number} {what}")]
    Result {
        /// Its number, counted from 1.
        number: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Its budget is none.
    #[error("{0}")]
    Budget(String),
    /// A name is longer than any can be.
    #[error("a name is longer than {MOST_NAME} bytes")]
    LongName,
}

impl League {
    /// Reads the file of a league; `roster_of` gives the roster of a game by its id.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(
        bytes: &[u8],
        roster_of: &dyn Fn(&str) -> Option<Roster>,
    ) -> Result<Self, LeagueFault> {
        let league: Self = read_ron(bytes).map_err(LeagueFault::Text)?;
        if league.format != FORMAT {
            return Err(LeagueFault::Format(league.format.chars().take(40).collect()));
        }
        let names = [&league.game, &league.budget]
            .into_iter()
            .chain(&league.planners)
            .chain(&league.levels);
        if names.into_iter().any(|name| name.len() > MOST_NAME) {
            return Err(LeagueFault::LongName);
        }
        let roster =
            roster_of(&league.game).ok_or_else(|| LeagueFault::Game(league.game.clone()))?;
        league.budget.parse::<Budget>().map_err(LeagueFault::Budget)?;
        few("planners", league.planners.len(), MOST_PLANNERS)?;
        few("levels", league.levels.len(), MOST_LEVELS)?;
        few("results", league.results.len(), MOST_RESULTS)?;
        once(&league.planners)?;
        once(&league.levels)?;
        for planner in league.planners.iter().chain(&league.favourite) {
            if !roster.knows(planner) {
                return Err(LeagueFault::Planner {
                    game: league.game.clone(),
                    planner: planner.chars().take(80).collect(),
                });
            }
        }
        for (number, result) in (1..).zip(&league.results) {
            check(result, &roster).map_err(|what| LeagueFault::Result { number, what })?;
        }
        Ok(league)
    }
}

/// Whether a match can have this score.
pub fn can_be_score(score: f64) -> bool {
    score.is_finite() && score.abs() <= MOST_SCORE
}

fn few(what: &'static str, count: usize, most: usize) -> Result<(), LeagueFault> {
    if count > most { Err(LeagueFault::TooMany { what, count, most }) } else { Ok(()) }
}

fn once(names: &[String]) -> Result<(), LeagueFault> {
    let mut seen = HashSet::new();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        Some(twice) => Err(LeagueFault::Twice(twice.clone())),
        None => Ok(()),
    }
}

fn check(result: &LeagueResult, roster: &Roster) -> Result<(), &'static str> {
    let players = &result.fixture.players;
    if players.len() != roster.seats.len() {
        return Err("has a wrong number of players");
    }
    if !players.iter().enumerate().all(|(seat, player)| roster.fits(seat, player)) {
        return Err("has a player that cannot take its seat");
    }
    let places = &result.places;
    if !places.is_empty() && places.len() != players.len() {
        return Err("has a wrong number of places");
    }
    if places.iter().any(|place| !(1..=players.len() as u32).contains(&place.rank)) {
        return Err("has a rank out of range");
    }
    if places.iter().filter_map(|place| place.score).any(|score| !can_be_score(score)) {
        return Err("has a score out of range");
    }
    let endings = places.iter().map(|place| &place.ending);
    if players
        .iter()
        .chain([&result.fixture.level])
        .chain(endings)
        .any(|name| name.len() > MOST_NAME)
    {
        return Err("has a name that is too long");
    }
    Ok(())
}
