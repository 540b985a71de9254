//! A planner thinking about one position in the background, and what it had found after growing
//! amounts of work. The typed part: everything above it knows no game.

use crate::app::match_screen::GameView;
use outwit_core::grid::Cell;
use outwit_core::levels::read_ron;
use outwit_core::platform::task::{StopFlag, Task};
use outwit_core::play::{
    Actions, AnalysisStep, Budget, Match, PlannerContext, Referee, Seat, Snapshot, analyse, digest,
    find_planner,
};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What to analyse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnalysisRequest {
    /// The position after this many turns.
    pub turn: usize,
    /// Tells this position from others after as many turns; see `position`.
    pub position: u64,
    /// Whose choice it is.
    pub seat: Seat,
    /// The name of the planner.
    pub planner: &'static str,
    /// How many work units it may spend.
    pub budget: u64,
}

/// What a planner had found after some work, ready to be shown.
pub struct ShownStep {
    /// What it had found. A planner that expects no line expects its best action.
    pub step: AnalysisStep,
    /// The actions of its line in words.
    pub words: Vec<String>,
    /// Where the line leads, one path for each piece of the seat.
    pub paths: Vec<Vec<Cell>>,
}

impl ShownStep {
    fn new<G: GameView>(
        game: &G,
        state: &G::State,
        seat: Seat,
        mut snapshot: Snapshot<G::Action>,
    ) -> Self {
        if snapshot.line.actions.is_empty() {
            snapshot.line.actions.push(snapshot.best.clone());
        }
        let line = &snapshot.line.actions;
        Self {
            words: line.iter().map(|action| G::action_words(game, action)).collect(),
            paths: G::line_paths(game, state, seat, line),
            step: snapshot.into(),
        }
    }

    /// The number of cells with heat.
    fn cells(&self) -> usize {
        self.step.insight.heats.iter().map(|heat| heat.cells.len()).sum()
    }
}

/// More cells with heat than this are not kept of one analysis: about 24 MB.
const MOST_CELLS: usize = 2_000_000;

/// Snapshots in the order in which they came.
#[derive(Default)]
struct Steps {
    list: Vec<Arc<ShownStep>>,
    cells: usize,
}

impl Steps {
    fn push(&mut self, mut step: ShownStep) {
        // Planners often draw the same picture for a while.
        match self.list.last() {
            Some(last) if last.step.insight == step.step.insight => {
                step.step.insight = Arc::clone(&last.step.insight);
            }
            _ => self.cells += step.cells(),
        }
        self.list.push(Arc::new(step));
        if self.cells > MOST_CELLS {
            self.thin_out();
        }
    }

    /// Drops every second snapshot but the last.
    fn thin_out(&mut self) {
        let last = self.list.len().saturating_sub(1);
        let mut index = 0;
        self.list.retain(|_| {
            index += 1;
            (index - 1) % 2 == 0 || index - 1 == last
        });
        self.cells = 0;
        for (index, step) in self.list.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| &self.list[before].step.insight);
            if before.is_none_or(|before| !Arc::ptr_eq(before, &step.step.insight)) {
                self.cells += step.cells();
            }
        }
    }
}

/// How far an analysis is.
#[derive(Clone, PartialEq, Debug)]
pub enum AnalysisProgress {
    /// It runs; this share of its budget is spent.
    Running(f32),
    /// It has ended by itself.
    Done,
    /// Somebody cancelled it.
    Cancelled,
    /// The planner crashed, with its message.
    Failed(String),
}

/// A planner that thinks about one position in the background. Dropping it ends the thinking.
pub struct AnalysisRun {
    /// What is analysed.
    pub request: AnalysisRequest,
    steps: Arc<Mutex<Steps>>,
    task: Task<Result<(), String>>,
    cancelled: bool,
}

impl AnalysisRun {
    /// Lets `think` work in the background and pass on its snapshots.
    fn begin(
        request: AnalysisRequest,
        think: impl FnOnce(&StopFlag, &mut dyn FnMut(ShownStep)) -> Result<(), String> + Send + 'static,
    ) -> Self {
        let steps = Arc::<Mutex<Steps>>::default();
        let shared = Arc::clone(&steps);
        let task = Task::begin(move |task| {
            think(task.stop(), &mut |step| {
                let done = step.step.work as f32 / request.budget.max(1) as f32;
                lock(&shared).push(step);
                task.progress(done);
            })
        });
        Self { request, steps, task, cancelled: false }
    }

    /// The snapshots so far.
    pub fn steps(&self) -> Vec<Arc<ShownStep>> {
        lock(&self.steps).list.clone()
    }

    /// How far it is.
    pub fn progress(&self) -> AnalysisProgress {
        if let Some(why) = self.task.failure() {
            return AnalysisProgress::Failed(why.to_owned());
        }
        match self.task.get() {
            _ if self.cancelled => AnalysisProgress::Cancelled,
            None => AnalysisProgress::Running(self.task.progress()),
            Some(Ok(())) => AnalysisProgress::Done,
            Some(Err(why)) => AnalysisProgress::Failed(why.clone()),
        }
    }

    /// Whether the planner still thinks.
    pub fn is_running(&self) -> bool {
        matches!(self.progress(), AnalysisProgress::Running(_))
    }

    /// Ends the thinking; the snapshots stay.
    pub fn cancel(&mut self) {
        if !self.task.is_done() {
            self.cancelled = true;
            self.task.cancel();
        }
    }

    /// The number of cells with heat, for a bound on memory.
    pub(super) fn cells(&self) -> usize {
        lock(&self.steps).cells
    }
}

fn lock(steps: &Mutex<Steps>) -> MutexGuard<'_, Steps> {
    steps.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to analyse a position of a match.
///
/// # Errors
/// If the position or the planner does not exist.
pub fn begin<G: GameView>(
    played: &Match<G>,
    request: AnalysisRequest,
) -> Result<AnalysisRun, String> {
    let AnalysisRequest { turn, seat, planner, budget, .. } = request;
    let spec = find_planner(G::planners(), planner, seat)?;
    let position = played.state_at(turn).cloned().zip(played.observation(turn, seat));
    let (state, seen) = position.ok_or("this turn was not played yet")?;
    let game = Arc::clone(played.game());
    let seed = played.chance().planner_seed(seat);
    let context = PlannerContext { game: Arc::clone(&game), seat, seed };
    Ok(AnalysisRun::begin(request, move |stop, push| {
        analyse(spec, context, &seen, Budget::Work(budget), stop, |snapshot| {
            push(ShownStep::new(game.as_ref(), &state, seat, snapshot));
        })
    }))
}

/// A number that positions reached by the same actions share.
pub fn position<G: GameView>(played: &Match<G>, turn: usize) -> u64 {
    let actions: Vec<_> = played.turns().iter().take(turn).map(|turn| &turn.actions).collect();
    digest(&actions)
}

/// No line is followed further than this.
const MOST_TURNS: usize = 10_000;

/// Plays a line of actions, written as in replays, for a seat, or for everybody where
/// [`JOINT_LINES`](outwit_core::play::Game::JOINT_LINES) holds, from the state after `turn` turns; what
/// came after it stays as a variation. The others choose what they chose before, or as little as
/// possible where that is not legal any more. Returns the number of turns that were played.
///
/// # Errors
/// If an action cannot be read or the first one is illegal; the match is as it was.
pub fn play_line<G: GameView>(
    referee: &mut Referee<G>,
    turn: usize,
    seat: Seat,
    line: &[String],
) -> Result<usize, String> {
    let read = |text: &String| read_ron::<G::Action>(text.as_bytes()).map_err(|e| e.to_string());
    let mut line = line.iter().map(read).collect::<Result<VecDeque<_>, _>>()?;
    let played = referee.played();
    let state = played.state_at(turn).ok_or("this turn was not played yet")?;
    let first = line.front().ok_or("the line is empty")?;
    if !played.game().to_move(state).contains(&seat) {
        return Err(format!("{} has no choice to make there", G::seat_id(seat)));
    }
    played.game().legal(state, seat, first)?;
    let later = played.turns().iter().skip(turn);
    let recorded: Vec<Actions<G>> = later.map(|turn| turn.actions.clone()).collect();
    referee.branch(turn);
    let mut waiting = 0;
    for _ in 0..MOST_TURNS {
        let played = referee.played();
        let to_move = played.to_move();
        let alone = to_move.is_empty();
        // After the last action the game goes on as long as it moves by itself.
        if played.outcome().is_some() || (line.is_empty() && !alone) {
            break;
        }
        waiting = if alone || to_move.contains(&seat) { 0 } else { waiting + 1 };
        let before = recorded.get(played.len() - turn);
        let Some(actions) = choices(played, seat, &to_move, &mut line, before) else { break };
        if waiting > played.game().seats() || referee.advance(actions).is_err() {
            break;
        }
    }
    Ok(referee.played().len() - turn)
}

/// What everybody chooses in the present turn; `None` if the line is illegal there.
fn choices<G: GameView>(
    played: &Match<G>,
    seat: Seat,
    to_move: &[Seat],
    line: &mut VecDeque<G::Action>,
    before: Option<&Actions<G>>,
) -> Option<Actions<G>> {
    let (game, state) = (played.game(), played.state());
    let choose = |&other: &Seat| {
        let legal = |action: &G::Action| game.legal(state, other, action).is_ok();
        if other == seat || G::JOINT_LINES {
            return Some((other, line.pop_front().filter(legal)?));
        }
        let known = before.and_then(|turn| turn.iter().find(|(own, _)| *own == other));
        let kept = known.map(|(_, action)| action.clone()).filter(legal);
        Some((other, kept.unwrap_or_else(|| game.null_action(state, other))))
    };
    to_move.iter().map(choose).collect()
}

#[cfg(test)]
mod tests;
