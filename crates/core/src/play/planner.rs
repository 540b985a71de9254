//! Who chooses actions by computation.

use super::{Clock, Closing, Game, GradedInfo, Insight, Line, Seat, Snapshot};
use crate::platform::program::ProgramLog;
use std::sync::Arc;

/// Whether a planner has more to think about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// More thinking may still change the answer.
    More,
    /// The answer is final.
    Done,
}

/// Chooses actions for one seat.
///
/// First [`prepare`](Planner::prepare) is called until it is done or its limit is over. Then, for
/// each turn, [`observe`](Planner::observe) once and [`think`](Planner::think) in slices until the
/// planner is done or the clock refuses more work. Between slices the referee reads
/// [`best`](Planner::best), so a planner that is cut off still plays the best action it has found.
///
/// Slicing must not change the answer: the same total work gives the same action. Positions arrive
/// in any order, because players undo and jump along the timeline.
///
/// ```
/// use outwit_racetrack::{Accelerate, RaceView, Racetrack};
/// use outwit_core::play::{Clock, Game, Planner, PlannerContext, Progress};
///
/// /// Does as little as the rules allow.
/// struct Idle(PlannerContext<Racetrack>, Accelerate);
///
/// impl Planner<Racetrack> for Idle {
///     fn observe(&mut self, seen: &RaceView) {
///         self.1 = self.0.game.null_action(&seen.race, seen.seat);
///     }
///     fn think(&mut self, clock: &Clock) -> Progress {
///         let _ = clock.take(1);
///         Progress::Done
///     }
///     fn best(&self) -> Accelerate {
///         self.1
///     }
/// }
/// ```
pub trait Planner<G: Game>: Send {
    /// Makes what every turn needs, such as tables, in slices like [`think`](Planner::think). A
    /// planner whose preparation was cut short must do without.
    fn prepare(&mut self, _clock: &Clock) -> Progress {
        Progress::Done
    }

    /// A new turn begins. What still holds of the last plan may be kept.
    fn observe(&mut self, seen: &G::Observation);

    /// Thinks until it is done or the clock says stop.
    fn think(&mut self, clock: &Clock) -> Progress;

    /// The best action found so far; legal from the first [`observe`](Planner::observe) on, and asked
    /// for only then.
    fn best(&self) -> G::Action;

    /// What it expects to come of [`best`](Planner::best).
    fn line(&self) -> Line<G::Action> {
        Line::default()
    }

    /// How many stages of its work are complete, such as generations or depths. An analysis takes a
    /// snapshot after each.
    fn stage(&self) -> u64 {
        0
    }

    /// How [`prepare`](Planner::prepare) came to what it knows, in order, as it bears on the position that was
    /// observed last. An analysis, which alone asks for it, shows it before any thought, and counts its work too,
    /// beside its budget.
    fn preparation(&self) -> Vec<Snapshot<G::Action>> {
        Vec::new()
    }

    /// Whether it gives up instead of playing [`best`](Planner::best), once it is done thinking.
    fn closing(&self) -> Option<Closing> {
        None
    }

    /// Why it cannot play any more, such as the end of the program that it speaks for. It loses the
    /// match by that. Asked for after [`prepare`](Planner::prepare) and when it is done thinking.
    fn fault(&self) -> Option<String> {
        None
    }

    /// What it says to the program that it speaks for, and hears from it.
    fn log(&self) -> Option<ProgramLog> {
        None
    }

    /// What it searched, wanted and feared. Built only when somebody looks.
    fn insight(&self) -> Insight {
        Insight::default()
    }
}

/// What a planner is made from. Neither the seed of the match nor its salt nor its dice are in it.
pub struct PlannerContext<G: Game> {
    /// The rules and the level.
    pub game: Arc<G>,
    /// The seat it plays.
    pub seat: Seat,
    /// Feeds its own random choices. See [`Chance::planner_seed`](super::Chance::planner_seed) for what
    /// it tells of the match.
    pub seed: u64,
}

impl<G: Game> Clone for PlannerContext<G> {
    fn clone(&self) -> Self {
        Self { game: Arc::clone(&self.game), seat: self.seat, seed: self.seed }
    }
}

/// A planner that can be chosen by name.
pub struct PlannerSpec<G: Game> {
    /// Short lower-case name.
    pub name: &'static str,
    /// The name of its algorithm in the literature.
    pub algorithm: &'static str,
    /// One sentence on how it thinks and how strong it is.
    pub about: &'static str,
    /// How it works, in about five lines.
    pub method: &'static str,
    /// Whether it can sit on this seat.
    pub seats: fn(Seat) -> bool,
    /// Makes one, at once: whatever takes long is for [`Planner::prepare`].
    pub make: MakePlanner<G>,
}

/// Makes a planner for a seat of a match.
pub type MakePlanner<G> = fn(PlannerContext<G>) -> Box<dyn Planner<G>>;

/// Makes a planner that loses so much per move on average; without a number, one of its own choice.
pub type MakeGraded<G> = fn(PlannerContext<G>, Option<f64>) -> Box<dyn Planner<G>>;

/// A planner whose strength is a number, for any seat.
pub struct GradedPlanner<G: Game> {
    /// What is said of it.
    pub info: GradedInfo,
    /// Makes one, at once.
    pub make: MakeGraded<G>,
}

/// The planner of this name among `specs`.
///
/// # Errors
/// Names those to choose from.
pub fn find_planner<'a, G: Game>(
    specs: &'a [PlannerSpec<G>],
    name: &str,
    seat: Seat,
) -> Result<&'a PlannerSpec<G>, String> {
    specs.iter().find(|spec| spec.name == name && (spec.seats)(seat)).ok_or_else(|| {
        let names: Vec<_> =
            specs.iter().filter(|spec| (spec.seats)(seat)).map(|spec| spec.name).collect();
        format!(
            "no planner '{name}' for seat {}; choose from {}",
            G::SEATS.id(seat),
            names.join(", ")
        )
    })
}
