//! How a planner's answer came about: its picture at growing amounts of work.

use super::planner_thread::prepare;
use super::{Budget, Clock, Game, PlannerContext, PlannerSpec, Progress, Snapshot, StopFlag};
use crate::platform::task::panic_text;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Each snapshot comes after at least this share more work than the one before, so that a few
/// hundred of them cover any amount of work; the first ones are a unit of work apart.
const GROWTH: u64 = 24;

/// Into so many parts the work between two snapshots is divided, so that one can come soon after the
/// planner has completed a stage.
const PARTS: u64 = 8;

/// Lets a planner think about one position and calls `snapshot` at growing amounts of work, first
/// before any and last when it is done, out of `budget`, or `stop` is raised.
///
/// What the planner did in advance comes before: see [`preparation`](crate::play::Planner::preparation).
///
/// A snapshot comes after each [stage](crate::play::Planner::stage) as well, as soon as an eighth of the
/// way to the next snapshot is done.
///
/// Planners are deterministic in work, so the same position gives the same snapshots; with a budget
/// in time only their number differs.
///
/// # Errors
/// If the planner panics, with its message.
pub fn analyse<G: Game>(
    spec: &PlannerSpec<G>,
    context: PlannerContext<G>,
    seen: &G::Observation,
    budget: Budget,
    stop: &StopFlag,
    mut snapshot: impl FnMut(Snapshot<G::Action>),
) -> Result<(), String> {
    let work = || {
        let mut planner = (spec.make)(context);
        prepare(planner.as_mut(), &Clock::new(Budget::Work(u64::MAX), stop.clone()));
        planner.observe(seen);
        let prepared = planner.preparation();
        let in_advance = prepared.last().map(|stage| stage.work);
        prepared.into_iter().for_each(&mut snapshot);
        let clock = Clock::new(budget, stop.clone());
        let mut done = false;
        loop {
            // The last stage of the preparation says as much as no thought at all.
            if in_advance.is_none() || done || clock.used() > 0 {
                snapshot(Snapshot {
                    work: in_advance.unwrap_or(0) + clock.used(),
                    done,
                    best: planner.best(),
                    line: planner.line(),
                    insight: Arc::new(planner.insight()),
                });
            }
            if done || clock.is_over() {
                return;
            }
            let before = clock.used();
            let stage = planner.stage();
            let step = 1 + before / GROWTH;
            // A planner may need more than one slice for a piece of work, but not for ever.
            while clock.used() < before + step && !done && !clock.is_over() {
                let left = step - (clock.used() - before);
                clock.slice_of_work(left.min(1 + step / PARTS));
                done = planner.think(&clock) == Progress::Done;
                if planner.stage() != stage {
                    break;
                }
            }
        }
    };
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| panic_text(payload.as_ref()))
}
