//! Creating a tournament, and checking one that was read.

use crate::exploit::{ExploitError, responder_seat, without_responder};
use crate::{DynGame, FaultyLevel};
use outwit_core::levels::{Fault, text_lines};
use outwit_core::play::{ProgramKind, SetupError, TimeControl, check_engine_budget};
use outwit_core::tournament::{
    Contest, ContestLevel, Entrants, MOST_ENTRANTS, MOST_GAMES, OpeningSource,
};

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
    /// The strength in the name of a planner is none.
    #[error(transparent)]
    Strength(SetupError),
    /// A planner is named more than once for a seat.
    #[error("{planner} is given twice for seat {seat}")]
    PlannerTwice {
        /// The planner with its budget.
        planner: String,
        /// The seat.
        seat: String,
    },
    /// More planners than [`MOST_ENTRANTS`] take a seat by turns.
    #[error("seat {seat} has {planners} planners; the maximum is {MOST_ENTRANTS}")]
    TooManyPlanners {
        /// The seat.
        seat: String,
        /// How many.
        planners: usize,
    },
    /// A program is to play a game that has no protocol for it.
    #[error("no engines can play {game}: {player}")]
    NoEngines {
        /// Id of the game.
        game: &'static str,
        /// The program.
        player: String,
    },
    /// A program cannot play with its budget.
    #[error("{0}")]
    BudgetOfEngine(&'static str),
    /// A budget cannot be measured on this system.
    #[error("{0}")]
    Unmeasured(String),
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
/// the smallest number of seats. The level is in the game's own format. The openings are the
/// [usual ones](usual_openings), the chance is not sealed, nobody loses on time, and no programs are
/// allowed yet.
///
/// # Errors
/// If a seat or planner is unknown or missing, a budget does not fit, or there are too many games.
pub fn contest(
    kind: &dyn DynGame,
    level: ContestLevel,
    named: &[Entrants],
    (first_seed, seeds): (u64, u32),
    budget: impl Into<TimeControl>,
) -> Result<Contest, ContestError> {
    let budget = budget.into();
    let openings = usual_openings(kind, &level);
    let rules = (kind.id(), kind.facts().rules_version);
    let seats = seats(kind, named, budget)?;
    let contest =
        Contest { openings, ..Contest::new(rules, level, seats, (first_seed, seeds), budget) };
    contest.budgets().try_for_each(TimeControl::check).map_err(ContestError::Unmeasured)?;
    match contest.too_many() {
        true => Err(ContestError::TooMany { cells: contest.cells(), seeds }),
        false => Ok(contest),
    }
}

/// Where the openings of a tournament come from unless somebody chooses others: found, if the game can
/// find any on this level.
pub fn usual_openings(kind: &dyn DynGame, level: &ContestLevel) -> Option<OpeningSource> {
    let level = kind.read(level.text.as_bytes(), "").ok()?;
    kind.finds_openings(&level).then_some(OpeningSource::Found)
}

/// The most openings of a contest. Each is checked before the first game begins.
const MOST_OPENINGS: usize = 10_000;
/// The most bytes of an opening: more than the moves on the largest board take.
const LONGEST_OPENING: usize = 30_000;

/// The openings of a text: one a line, in the game's notation of moves. Empty lines and those that begin
/// with `#` are skipped.
///
/// # Errors
/// If there are none or more than 10,000, the game knows no openings, or a line is longer than 30,000 bytes or
/// breaks the game's rules on this level.
pub fn given_openings(
    kind: &dyn DynGame,
    level: &ContestLevel,
    text: &str,
) -> Result<OpeningSource, String> {
    let level =
        kind.read(level.text.as_bytes(), "").map_err(|faults| FaultyLevel(faults).to_string())?;
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text_lines(text)) {
        let opening = line.trim();
        if opening.is_empty() || opening.starts_with('#') {
            continue;
        }
        if openings.len() == MOST_OPENINGS {
            return Err(format!("line {number}: there are more than {MOST_OPENINGS} openings"));
        }
        if opening.len() > LONGEST_OPENING {
            let length = opening.len();
            return Err(format!(
                "line {number} has {length} bytes, and {LONGEST_OPENING} are the maximum: write each \
                 opening on a line of its own"
            ));
        }
        kind.check_opening(&level, opening).map_err(|why| format!("line {number}: {why}"))?;
        openings.push(opening.to_owned());
    }
    match openings.is_empty() {
        true => Err("there are no openings in it: write the moves of one on each line".into()),
        false => Ok(OpeningSource::Given(openings)),
    }
}

/// Who plays on which seat.
fn seats(
    kind: &dyn DynGame,
    named: &[Entrants],
    budget: TimeControl,
) -> Result<Vec<Entrants>, ContestError> {
    let most = *kind.facts().seats.allowed.end();
    let known: Vec<String> = (0..most).map(|seat| kind.seat(seat).id).collect();
    for (at, wanted) in named.iter().enumerate() {
        let seat = wanted.seat.clone();
        if !known.contains(&wanted.seat) {
            return Err(ContestError::UnknownSeat { seat, known });
        }
        if named[..at].iter().any(|earlier| earlier.seat == wanted.seat) {
            return Err(ContestError::SeatTwice(seat));
        }
        check_entrants(kind, wanted, budget)?;
    }
    let highest = known.iter().rposition(|name| named.iter().any(|wanted| wanted.seat == *name));
    let taken = (*kind.facts().seats.allowed.start()).max(highest.map_or(0, |seat| seat + 1));
    let seats = known.into_iter().take(taken).map(|seat| {
        let wanted = named.iter().find(|wanted| wanted.seat == seat);
        match wanted.filter(|wanted| !wanted.planners.is_empty()) {
            Some(wanted) => Ok(wanted.clone()),
            None if named.is_empty() => Ok(Entrants::new(&seat, planners(kind, &seat))),
            None => Err(ContestError::NoPlanner(seat)),
        }
    });
    seats.collect()
}

/// Checks that the planners of a seat can take it.
fn check_entrants(
    kind: &dyn DynGame,
    Entrants { seat, planners: entrants }: &Entrants,
    budget: TimeControl,
) -> Result<(), ContestError> {
    if entrants.len() > MOST_ENTRANTS {
        let seat = seat.clone();
        let planners = entrants.len();
        return Err(ContestError::TooManyPlanners { seat, planners });
    }
    let known = planners(kind, seat);
    for (at, entrant) in entrants.iter().enumerate() {
        let player = entrant.player();
        if let Some(program) = player.program() {
            if program.kind == ProgramKind::Engine && kind.facts().engine_protocol.is_none() {
                let player = player.name().to_owned();
                return Err(ContestError::NoEngines { game: kind.id(), player });
            }
            let own = entrant.budget().unwrap_or(budget);
            check_engine_budget(own).map_err(ContestError::BudgetOfEngine)?;
        } else if let Some(graded) = kind.facts().graded
            && let Some(_) = graded.loss_of(player.name()).map_err(ContestError::Strength)?
        {
            // It can take any seat.
        } else if !known.contains(&player.name()) {
            let player = player.name().to_owned();
            let seat = seat.clone();
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
    let planners = kind.planners();
    let fitting = planners.iter().filter(|planner| planner.seats.iter().any(|own| own == seat));
    fitting.map(|planner| planner.name).collect()
}

/// Why a contest that was read from a file cannot be played now.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SavedContestError {
    /// The game has other seats.
    #[error("line 1: the seats are {}, but {game} has {}", found.join(", "), seats.join(", "))]
    Seats {
        /// The seats of the contest.
        found: Vec<String>,
        /// The name of the game.
        game: &'static str,
        /// The seats of the game.
        seats: Vec<String>,
    },
    /// The responder cannot take part so.
    #[error("line 1: {why}{}", written_by(program))]
    Responder {
        /// Why not.
        why: ExploitError,
        /// The version of Outwit that wrote the file.
        program: String,
    },
    /// The level has problems.
    #[error("line 1: the level {level}: {fault}{}", written_by(program))]
    Level {
        /// Its id.
        level: String,
        /// The first of them.
        fault: Fault,
        /// The version of Outwit that wrote the file.
        program: String,
    },
    /// A planner cannot take part.
    #[error("line 1: {why}{}", written_by(program))]
    Planner {
        /// Why not.
        why: ContestError,
        /// The version of Outwit that wrote the file.
        program: String,
    },
}

/// A note on the version that wrote a file, if it is not this one.
fn written_by(program: &str) -> String {
    match program == env!("CARGO_PKG_VERSION") {
        true => String::new(),
        false => format!(" (Outwit {program} wrote this file)"),
    }
}

/// Checks that a contest that was read has the seats of its game.
///
/// # Errors
/// Which it has and which it should have.
pub fn check_seats(kind: &dyn DynGame, contest: &Contest) -> Result<(), SavedContestError> {
    let allowed = &kind.facts().seats.allowed;
    let found: Vec<String> = contest.seats.iter().map(|entrants| entrants.seat.clone()).collect();
    let seats: Vec<String> = (0..*allowed.end()).map(|seat| kind.seat(seat).id).collect();
    if allowed.contains(&found.len()) && seats.iter().zip(&found).all(|(own, found)| own == found) {
        return Ok(());
    }
    Err(SavedContestError::Seats { found, game: kind.name(), seats })
}

/// Checks that a contest that was read is one that could be played now.
///
/// # Errors
/// What is wrong with its seats, its planners or its level.
pub fn check_contest(kind: &dyn DynGame, contest: &Contest) -> Result<(), SavedContestError> {
    check_seats(kind, contest)?;
    let program = &contest.program;
    let known = match responder_seat(contest) {
        Some(seat) => without_responder(contest, seat)
            .map_err(|why| SavedContestError::Responder { why, program: program.clone() })?,
        None => contest.clone(),
    };
    let faults = kind.check(contest.level.text.as_bytes(), "");
    if let Some(fault) = faults.into_iter().next() {
        let level = contest.level.id.clone();
        return Err(SavedContestError::Level { level, fault, program: program.clone() });
    }
    known
        .seats
        .iter()
        .try_for_each(|entrants| check_entrants(kind, entrants, contest.budget))
        .map_err(|why| SavedContestError::Planner { why, program: program.clone() })
}
