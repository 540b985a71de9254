//! Who chooses actions by computation.

use super::{Clock, Game, Insight, Seat};
use std::sync::Arc;

/// Whether a planner has more to think about this turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Calling [`Planner::think`] again may improve the answer.
    More,
    /// The answer is final.
    Done,
}

/// Something that plays a seat. It thinks in slices: see [`Clock::take`].
///
/// It may be asked about any state in any order: people undo and jump.
pub trait Planner<G: Game>: Send {
    /// A new turn begins: forget the last one.
    fn observe(&mut self, seen: &G::Observation);

    /// Thinks until it is done or the clock says stop. Slicing must not change the result: the
    /// same total work gives the same answer.
    fn think(&mut self, clock: &Clock) -> Progress;

    /// The best action found so far; legal from the moment of `observe` on.
    fn best(&self) -> G::Action;

    /// What to draw over the board.
    fn insight(&self) -> Insight {
        Insight::default()
    }
}

/// A planner that can be chosen by name.
pub struct PlannerSpec<G: Game> {
    /// Short lower-case name.
    pub name: &'static str,
    /// One sentence on how it thinks and how strong it is.
    pub about: &'static str,
    /// Whether it can sit on this seat.
    pub seats: fn(Seat) -> bool,
    /// Makes one; takes as long as its preparation needs. The seed feeds its random choices.
    pub make: MakePlanner<G>,
}

/// Makes a planner for a seat of a match, with a seed for its random choices.
pub type MakePlanner<G> = fn(&Arc<G>, Seat, u64) -> Box<dyn Planner<G>>;

/// The planner of this name among `specs`.
///
/// # Errors
/// Names the ones there are.
pub fn find_planner<'a, G: Game>(
    specs: &'a [PlannerSpec<G>],
    name: &str,
    seat: Seat,
) -> Result<&'a PlannerSpec<G>, String> {
    specs.iter().find(|spec| spec.name == name && (spec.seats)(seat)).ok_or_else(|| {
        let names: Vec<_> =
            specs.iter().filter(|spec| (spec.seats)(seat)).map(|spec| spec.name).collect();
        format!(
            "no planner '{name}' for seat {}; there are {}",
            G::seat_name(seat),
            names.join(", ")
        )
    })
}
