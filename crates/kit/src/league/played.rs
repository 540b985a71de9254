//! Playing a match of a league without anybody watching.

use super::Fixture;
use crate::DynGame;
use crate::tournament::contest;
use outwit_core::levels::Fault;
use outwit_core::play::{AllowedPrograms, Budget, StopFlag};
use outwit_core::tournament::{Contest, ContestLevel, Entrants, FinishedGame};

/// Why a match of a league was not played.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum UnplayedFixture {
    /// The level has problems.
    #[error("{level}: {}", faults.first().map_or_else(String::new, ToString::to_string))]
    Level {
        /// Its id.
        level: String,
        /// Its problems.
        faults: Vec<Fault>,
    },
    /// It could not begin, or was stopped.
    #[error("{0}")]
    Match(String),
}

/// Plays a match of a league on this level, in any format that the game reads: without openings, as on the
/// screen. Programs play only if they are among `programs`.
///
/// # Errors
/// If the level is faulty, the match cannot begin, or `stop` is raised.
pub fn play(
    kind: &dyn DynGame,
    fixture: &Fixture,
    level: &[u8],
    budget: Budget,
    programs: &AllowedPrograms,
    stop: &StopFlag,
) -> Result<FinishedGame, UnplayedFixture> {
    let own = kind
        .read(level, &fixture.level)
        .and_then(|read| kind.write(&read, "ron"))
        .map_err(|faults| UnplayedFixture::Level { level: fixture.level.clone(), faults })?;
    let players = fixture.players.iter().enumerate();
    let seats: Vec<_> = players
        .map(|(seat, player)| Entrants::new(&kind.seat(seat).id, vec![player.clone()]))
        .collect();
    let text =
        String::from_utf8(own.bytes).map_err(|error| UnplayedFixture::Match(error.to_string()))?;
    let level = ContestLevel::new(fixture.level.clone(), text);
    let contest = contest(kind, level, &seats, (fixture.seed, 1), budget)
        .map_err(|error| UnplayedFixture::Match(error.to_string()))?;
    let contest = Contest { openings: None, programs: programs.clone(), ..contest };
    let games = kind
        .run_contest(&contest, Vec::new(), stop, &|_| Ok(()))
        .map_err(|error| UnplayedFixture::Match(error.to_string()))?;
    games.into_iter().next().ok_or_else(|| UnplayedFixture::Match("no match was played".into()))
}
