//! What was chosen for the analysis and what is shown of it.

use super::events::state::SearchEvents;
pub use super::playhead::Scrub;
use super::task::{AnalysisProgress, AnalysisRequest, AnalysisRun, ShownStep};
use super::tree::state::ShownTree;
use bevy::prelude::Component;
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use std::collections::VecDeque;
use std::sync::Arc;

/// The amounts of work to choose from, in units.
pub const BUDGETS: [u64; 4] = [200, 2_000, 20_000, 200_000];
/// Finished analyses that are kept, and how many cells with heat they may hold together: about 100 MB.
const MOST_KEPT: (usize, usize) = (200, 8_000_000);
/// Seconds to play through all snapshots, and the least number of snapshots per second.
const PLAYBACK: (f32, f32) = (6.0, 8.0);

/// A planner in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlannerSummary {
    /// Its name.
    pub name: &'static str,
    /// The name of its algorithm.
    pub algorithm: &'static str,
    /// One sentence on how it thinks and how strong it is.
    pub about: &'static str,
    /// How it works, in about five lines.
    pub method: &'static str,
}

/// Seconds that each step of a walkthrough is shown.
const WALKTHROUGH_STEP: f32 = 1.6;

/// Which walkthrough of the shown snapshot is shown, and how far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WalkthroughView {
    /// The number of the walkthrough.
    pub index: usize,
    /// The number of its step.
    pub step: usize,
    /// Whether it goes on by itself.
    pub playing: bool,
    shown_for: f32,
}

impl WalkthroughView {
    /// Plays a walkthrough from its first step.
    pub fn begin(index: usize) -> Self {
        Self { index, step: 0, playing: true, shown_for: 0.0 }
    }

    /// Goes on as time passes, round and round.
    pub(super) fn play(&mut self, seconds: f32, steps: usize) {
        if self.playing {
            self.shown_for += seconds;
        }
        while self.shown_for >= WALKTHROUGH_STEP {
            self.shown_for -= WALKTHROUGH_STEP;
            self.step += 1;
        }
        self.step %= steps.max(1);
    }
}

/// The position whose analysis is shown, and who may be analysed there.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysisSubject {
    /// The position after this many turns; earlier than the viewed one if nobody chooses there.
    pub turn: usize,
    /// The seats to choose from.
    pub seats: Vec<Seat>,
    /// The chosen one.
    pub seat: Seat,
    /// The planners that can take the seat, first the one that sits there.
    pub planners: Vec<PlannerSummary>,
    /// The chosen one.
    pub planner: PlannerSummary,
}

/// What the match did when the analysis was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenedAt {
    /// The turn that was shown.
    pub view: usize,
    /// The turn that the analysis began with.
    pub looked_at: usize,
    /// Whether the match ran.
    pub playing: bool,
}

/// What was chosen for the analysis of a match and what is shown of it.
#[derive(Component)]
pub struct Analysis {
    /// The chosen seat; another one where it has no choice.
    pub seat: Option<Seat>,
    /// The chosen planner; another one where it cannot take the seat.
    pub planner: Option<&'static str>,
    /// Work units to spend, one of `BUDGETS`.
    pub budget: u64,
    /// Which heat is drawn, if there are several.
    pub heat: usize,
    /// Whether all figures are explained in full.
    pub explained: bool,
    /// The candidate whose cells are drawn.
    pub candidate: Option<usize>,
    /// The candidate that stays drawn.
    pub picked: Option<usize>,
    /// The cell under the pointer.
    pub pointed: Option<Cell>,
    /// The operation that is shown step by step.
    pub walkthrough: Option<WalkthroughView>,
    /// The recorded search that is stepped through.
    pub events: Option<SearchEvents>,
    /// The game tree that is stepped through.
    pub tree: Option<ShownTree>,
    /// Whether it is shown large and without panels.
    pub projected: bool,
    /// Why there is nothing to show.
    pub problem: Option<String>,
    /// What the match did before; `None` while the analysis is closed.
    pub opened: Option<OpenedAt>,
    pub(super) playing: bool,
    /// The shown snapshot; the newest without a number.
    at: Option<usize>,
    /// Seconds since the shown snapshot changed by itself, and since the position changed.
    pub(super) shown_for: f32,
    pub(super) settled_for: f32,
    /// The revision of the match and the turn that `position` belongs to.
    pub(super) placed: Option<(u64, usize)>,
    pub(super) position: u64,
    pub(super) request: Option<AnalysisRequest>,
    pub(super) run: Option<AnalysisRun>,
    /// Finished analyses, the oldest first.
    kept: VecDeque<AnalysisRun>,
}

impl Default for Analysis {
    fn default() -> Self {
        Self {
            seat: None,
            planner: None,
            budget: 20_000,
            heat: 0,
            explained: false,
            candidate: None,
            picked: None,
            pointed: None,
            walkthrough: None,
            events: None,
            tree: None,
            projected: false,
            problem: None,
            opened: None,
            playing: false,
            at: None,
            shown_for: 0.0,
            settled_for: 0.0,
            placed: None,
            position: 0,
            request: None,
            run: None,
            kept: VecDeque::new(),
        }
    }
}

impl Analysis {
    /// The analysis of the viewed position, once it was begun.
    pub fn run(&self) -> Option<&AnalysisRun> {
        self.run.as_ref()
    }

    /// Whether it plays through the snapshots or the events.
    pub fn is_playing(&self) -> bool {
        let events = self.events.as_ref().map(|events| &events.head);
        let head = events.or(self.tree.as_ref().map(|tree| &tree.head));
        head.map_or(self.playing, |head| head.playing)
    }

    /// Whether the events are those of an exercise, so that nothing can be chosen.
    pub fn is_exercise(&self) -> bool {
        self.events.as_ref().is_some_and(SearchEvents::is_exercise)
    }

    /// Whether single events are stepped through, of a search or of a tree.
    pub fn has_events(&self) -> bool {
        self.events.is_some() || self.tree.is_some()
    }

    /// Whether the picture changes without anybody's doing.
    pub fn is_busy(&self) -> bool {
        self.playing
            || self.walkthrough.is_some_and(|view| view.playing)
            || self.events.as_ref().is_some_and(SearchEvents::is_busy)
            || self.tree.as_ref().is_some_and(ShownTree::is_busy)
            || self.request.is_some() && self.run.as_ref().is_none_or(AnalysisRun::is_running)
    }

    /// The number of the shown snapshot and the number of snapshots.
    pub fn place(&self) -> (usize, usize) {
        let count = self.run.as_ref().map_or(0, |run| run.steps().len());
        let last = count.saturating_sub(1);
        (self.at.map_or(last, |at| at.min(last)), count)
    }

    /// The snapshot at [`Self::place`]; `None` before the first.
    pub fn step(&self) -> Option<Arc<ShownStep>> {
        let steps = self.run.as_ref()?.steps();
        steps.get(self.place().0).cloned()
    }

    /// Stays at the snapshot of this index, also when later ones come in.
    pub fn show(&mut self, at: usize) {
        self.at = Some(at);
        self.playing = false;
    }

    /// Steps through the snapshots, or through the events.
    pub fn scrub(&mut self, scrub: Scrub) {
        if let Some(events) = &mut self.events {
            events.scrub(scrub);
            return;
        }
        if let Some(tree) = &mut self.tree {
            tree.scrub(scrub);
            return;
        }
        let (at, count) = self.place();
        match scrub {
            Scrub::First => self.show(0),
            Scrub::Back => self.show(at.saturating_sub(1)),
            Scrub::Forward => self.show((at + 1).min(count.saturating_sub(1))),
            Scrub::Run => {}
            Scrub::Last => {
                self.at = None;
                self.playing = false;
            }
            Scrub::Play => {
                self.playing = !self.playing;
                self.shown_for = 0.0;
                // Playing from the end begins at the start.
                if self.playing {
                    self.at = Some(if at + 1 >= count { 0 } else { at });
                }
            }
        }
    }

    /// Answers what is expanded next by the cell under the pointer; if nothing is asked, lets a run through the events
    /// stop there, or no more.
    pub fn click_cell(&mut self) {
        let pointed = self.pointed;
        if let Some(events) = &mut self.events {
            if events.quiz.is_some() {
                if let Some(cell) = pointed {
                    events.pick_cell(cell);
                }
                return;
            }
            let cell = &mut events.breakpoints.cell;
            *cell = pointed.filter(|pointed| *cell != Some(*pointed));
        }
    }

    /// Stops the planner; the snapshots so far stay.
    pub fn cancel(&mut self) {
        if let Some(run) = &mut self.run {
            run.cancel();
        }
    }

    /// Begins the analysis of the viewed position again.
    pub fn restart(&mut self) {
        self.run = None;
        self.request = None;
    }

    /// Forgets the present analysis, or keeps it if it is finished.
    fn put_aside(&mut self) {
        let finished = self.run.take().filter(|run| run.progress() == AnalysisProgress::Done);
        self.kept.extend(finished);
        let (most, most_cells) = MOST_KEPT;
        let cells =
            |kept: &VecDeque<AnalysisRun>| kept.iter().map(AnalysisRun::cells).sum::<usize>();
        while self.kept.len() > most || cells(&self.kept) > most_cells {
            self.kept.pop_front();
        }
    }

    /// Shows another analysis, if it is known already.
    pub(super) fn turn_to(&mut self, request: Option<AnalysisRequest>) {
        self.put_aside();
        self.request = request;
        self.at = None;
        self.playing = false;
        self.candidate = None;
        self.picked = None;
        self.settled_for = 0.0;
        let known = self.kept.iter().position(|run| Some(run.request) == request);
        self.run = known.and_then(|known| self.kept.remove(known));
    }

    pub(super) fn play(&mut self, seconds: f32) {
        let (at, count) = self.place();
        let per_second = (count as f32 / PLAYBACK.0).max(PLAYBACK.1);
        self.shown_for += seconds;
        let steps = (self.shown_for * per_second) as usize;
        self.shown_for -= steps as f32 / per_second;
        self.at = Some((at + steps).min(count.saturating_sub(1)));
        let running = self.run.as_ref().is_some_and(AnalysisRun::is_running);
        if at + steps + 1 >= count && !running {
            self.scrub(Scrub::Last);
        }
    }
}
