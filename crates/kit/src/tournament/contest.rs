//! Creating a tournament, and checking one that was read.

use crate::{DynGame, PlannerInfo};
use outwit_core::play::{AllowedPrograms, NO_WORK, TimeControl};
use outwit_core::tournament::{Contest, ContestLevel, Entrants, MOST_GAMES};

/// Why a tournament cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ContestError {
    /// The game has no such seat.
    #[error("unknown seat '{seat}'; choose from {}", known.join(", "))]
    UnknownSeat {
        /// What was asked for.
        seat: String,
        /// All seats.
        known: Vec<String>,
    },
    /// A seat is named more than once.
    #[error("seat '{0}' is given twice")]
    SeatTwice(String),
    /// Nobody takes a seat that must be taken.
    #[error("no planner for seat {0}: add --seat {0}=PLANNER")]
    NoPlanner(String),
    /// No such planner can take the seat.
    #[error("unknown planner '{player}' for seat {seat}; choose from {}", known.join(", "))]
    UnknownPlanner {
        /// What was asked for.
        player: String,
        /// The seat.
        seat: String,
        /// All that can take it.
        known: Vec<&'static str>,
    },
    /// A planner is named more than once for a seat.
    #[error("{planner} is given twice for seat {seat}")]
    PlannerTwice {
        /// The planner with its budget.
        planner: String,
        /// The seat.
        seat: String,
    },
    /// A program is to play a game that has no protocol for it.
    #[error("no engines can play {game}: {player}")]
    NoEngines {
        /// Id of the game.
        game: &'static str,
        /// The program.
        player: String,
    },
    /// A program is to count its work.
    #[error("{NO_WORK}")]
    WorkOfEngine,
    /// There would be more games than [`MOST_GAMES`].
    #[error("{cells} pairings of {seeds} games are more than {MOST_GAMES} games; choose fewer")]
    TooMany {
        /// Combinations of planners.
        cells: usize,
        /// Games of each.
        seeds: u32,
    },
}

/// A tournament of `seeds` games for each combination of planners. It is checked here and nowhere else.
///
/// `named` are the seats with their planners. If it is empty, all planners of the game take part on
/// the smallest number of seats. The level is in the game's own format. No programs are allowed yet, and
/// nobody loses on time.
///
/// # Errors
/// If a seat or planner is unknown or missing, or there are too many games.
pub fn contest(
    kind: &dyn DynGame,
    level: ContestLevel,
    named: &[Entrants],
    (first_seed, seeds): (u64, u32),
    budget: impl Into<TimeControl>,
) -> Result<Contest, ContestError> {
    let budget = budget.into();
    let contest = Contest {
        game: kind.id().into(),
        rules_version: kind.rules_version(),
        program: env!("CARGO_PKG_VERSION").into(),
        level,
        seats: seats(kind, named, budget)?,
        first_seed,
        seeds,
        budget,
        strict: false,
        programs: AllowedPrograms::default(),
    };
    match contest.too_many() {
        true => Err(ContestError::TooMany { cells: contest.cells(), seeds }),
        false => Ok(contest),
    }
}

/// Who plays on which seat.
fn seats(
    kind: &dyn DynGame,
    named: &[Entrants],
    budget: TimeControl,
) -> Result<Vec<Entrants>, ContestError> {
    let most = *kind.seats_allowed().end();
    let known: Vec<String> = (0..most).map(|seat| kind.seat(seat).id).collect();
    for (at, wanted) in named.iter().enumerate() {
        let seat = || wanted.seat.clone();
        if !known.contains(&wanted.seat) {
            return Err(ContestError::UnknownSeat { seat: seat(), known });
        }
        if named[..at].iter().any(|earlier| earlier.seat == wanted.seat) {
            return Err(ContestError::SeatTwice(seat()));
        }
        check_entrants(kind, wanted, budget)?;
    }
    let highest = known.iter().rposition(|name| named.iter().any(|wanted| wanted.seat == *name));
    let taken = (*kind.seats_allowed().start()).max(highest.map_or(0, |seat| seat + 1));
    let entrants = |seat: String| {
        let wanted = named.iter().find(|wanted| wanted.seat == seat);
        match wanted.filter(|wanted| !wanted.planners.is_empty()) {
            Some(wanted) => Ok(wanted.clone()),
            None if named.is_empty() => Ok(Entrants::new(&seat, planners(kind, &seat))),
            None => Err(ContestError::NoPlanner(seat)),
        }
    };
    known.into_iter().take(taken).map(entrants).collect()
}

/// Checks that the planners of a seat can take it.
fn check_entrants(
    kind: &dyn DynGame,
    Entrants { seat, planners: entrants }: &Entrants,
    budget: TimeControl,
) -> Result<(), ContestError> {
    let known = planners(kind, seat);
    for (at, entrant) in entrants.iter().enumerate() {
        let player = entrant.player();
        if player.engine().is_some() {
            if kind.engine_protocol().is_none() {
                let player = player.name().to_owned();
                return Err(ContestError::NoEngines { game: kind.id(), player });
            }
            if entrant.budget().unwrap_or(budget).is_work() {
                return Err(ContestError::WorkOfEngine);
            }
        } else if !known.contains(&player.name()) {
            let (player, seat) = (player.name().to_owned(), seat.clone());
            return Err(ContestError::UnknownPlanner { player, seat, known });
        }
        if entrants[..at].contains(entrant) {
            let planner = entrant.name().to_owned();
            return Err(ContestError::PlannerTwice { planner, seat: seat.clone() });
        }
    }
    Ok(())
}

/// The names of the planners that can take a seat, simplest first.
pub fn planners(kind: &dyn DynGame, seat: &str) -> Vec<&'static str> {
    let fits = |planner: &PlannerInfo| planner.seats.iter().any(|own| own == seat);
    kind.planners().iter().filter(|planner| fits(planner)).map(|planner| planner.name).collect()
}

/// Checks that a contest that was read has the seats of its game.
///
/// # Errors
/// Which it has and which it should have.
pub fn check_seats(kind: &dyn DynGame, contest: &Contest) -> Result<(), String> {
    let allowed = kind.seats_allowed();
    let found: Vec<&str> = contest.seats.iter().map(|entrants| entrants.seat.as_str()).collect();
    let seats: Vec<String> = (0..*allowed.end()).map(|seat| kind.seat(seat).id).collect();
    if allowed.contains(&found.len()) && seats.iter().zip(&found).all(|(own, found)| own == found) {
        return Ok(());
    }
    Err(format!(
        "line 1: the seats are {}, but {} has {}",
        found.join(", "),
        kind.name(),
        seats.join(", ")
    ))
}
