//! What others make of the same level, to be shown beside a person's path: computed in the
//! background while that is drawn.

use outwit_core::platform::task::{StopFlag, Task};
use outwit_stealth::exact::best_complete;
use outwit_stealth::front::{Front, length_exposure_front};
use outwit_stealth::statistics::Runs;
use outwit_stealth::{RatedRoute, Stealth};
use std::sync::Arc;

/// The seed of the runs that a path is compared with.
pub const SEED: u64 = 1;

/// The planners whose paths are shown.
const COMPARED: [&str; 2] = ["genetic", "genetic+"];

/// Paths of one level.
pub struct Compared {
    /// The best complete path.
    pub best: Option<RatedRoute>,
    /// What planners found in one run, with their names.
    pub found: Vec<(&'static str, RatedRoute)>,
    /// The front of length against exposure, from the shortest path to the least exposed.
    pub front: Front,
}

/// Computes the paths of a level in the background; dropping the task stops it.
pub fn begin(game: &Arc<Stealth>) -> Task<Compared> {
    let game = Arc::clone(game);
    Task::begin(move |task| Compared {
        best: best_complete(game.ground()),
        found: COMPARED.iter().filter_map(|name| one_run(&game, name, task.stop())).collect(),
        front: length_exposure_front(game.ground()),
    })
}

/// What a planner finds in one run.
fn one_run(
    game: &Arc<Stealth>,
    name: &'static str,
    stop: &StopFlag,
) -> Option<(&'static str, RatedRoute)> {
    let run = Runs::new(game, name, SEED..SEED + 1, stop.clone()).ok()?.next()?;
    Some((name, RatedRoute { route: run.route, fitness: run.fitness }))
}
