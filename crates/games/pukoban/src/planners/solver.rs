//! A planner that searches the whole puzzle, whatever its method, and then follows what it found.

use crate::search::{End, Engine, Incumbent, Method, Puzzle, SearchTask};
use crate::{Effect, Objective, Pukoban, PukobanState, PukobanStep};
use outwit_core::grid::Cell;
use outwit_core::play::{
    Budget, Clock, Closing, Counter, Game, Heat, Insight, Line, Mark, MarkKind, Path, Planner,
    PlannerContext, Progress, Series, Tone, Value,
};
use outwit_core::search::{Counters, Evaluation, MemoryLimit};
use std::collections::HashMap;
use std::sync::Arc;

/// The memory that one search may take before it gives up: 4 GiB, or 1 GiB on machines of 32 bits.
pub const MEMORY_LIMIT: MemoryLimit = MemoryLimit(match 4_usize.checked_mul(1 << 30) {
    Some(bytes) => bytes,
    None => 1 << 30,
});

/// Who waits without a limit waits for a proof as long as no more states were expanded than this; then a known
/// solution is good enough.
const PATIENCE: u64 = 20_000_000;

/// Where player and boxes are, whichever box is which.
type Place = (Cell, Vec<Cell>);

/// Searches from the first position that it sees. Until it has a solution it moves towards the state
/// that looks best so far and keeps searching from where it began, as long as every step can be undone:
/// where boxes can only be pushed it pushes none before, but walks. With a solution it follows it, from
/// any position on it, and searches no more if that was the end of the search. A push for good begins
/// another search, unless it is proved that there is no solution.
pub struct Solver {
    context: PlannerContext<Pukoban>,
    method: Method,
    /// See [`PATIENCE`].
    patience: u64,
    puzzle: Arc<Puzzle>,
    seen: PukobanState,
    search: Option<Searching>,
    plan: Plan,
    best: PukobanStep,
}

/// A search and how play went since it began.
struct Searching {
    engine: Box<dyn Engine>,
    root: PukobanState,
    /// The steps from the root to where play is now, and the places after each of them.
    trail: Vec<(PukobanStep, Place)>,
    end: Option<End>,
    /// Which state looks best, and the steps to it.
    towards: (Option<u64>, Vec<PukobanStep>),
    /// What the solution costs that the plan was made of.
    planned: u32,
}

/// Steps to the goal by place.
#[derive(Default)]
struct Plan {
    steps: Vec<PukobanStep>,
    places: HashMap<Place, usize>,
    /// Box moves still to come after each number of steps.
    box_moves: Vec<u32>,
    /// Whether the search that found it goes on.
    is_open: bool,
}

fn place(position: &PukobanState) -> Place {
    let mut boxes = position.boxes.clone();
    boxes.sort_unstable();
    (position.player, boxes)
}

fn undo(step: PukobanStep, was_push: bool) -> PukobanStep {
    PukobanStep { direction: step.direction.opposite(), pull: was_push }
}

impl Solver {
    /// A planner of this method.
    pub fn new(context: PlannerContext<Pukoban>, method: Method) -> Self {
        let seen = context.game.opening().clone();
        Self {
            puzzle: Arc::new(Puzzle::of(&context.game)),
            best: context.game.null_action(&seen, context.seat),
            context,
            method,
            patience: PATIENCE,
            seen,
            search: None,
            plan: Plan::default(),
        }
    }

    /// The same planner with less patience.
    #[cfg(test)]
    pub fn impatient(self, patience: u64) -> Self {
        Self { patience, ..self }
    }

    fn game(&self) -> &Pukoban {
        &self.context.game
    }

    /// Takes the step that the plan holds for where play is, if it holds one.
    fn follow(&mut self) -> bool {
        let Some(step) = self.plan.step(&self.seen) else { return false };
        if self.game().effect(&self.seen, step).is_err() {
            return false;
        }
        self.best = step;
        true
    }

    /// Chooses a step towards the state that looks best so far.
    fn approach(&mut self) {
        let Some(search) = &mut self.search else { return };
        let mark = search.engine.best_mark();
        if mark != search.towards.0 {
            search.towards = (mark, search.engine.best_path());
        }
        let path = &search.towards.1;
        let common =
            search.trail.iter().zip(path).take_while(|((taken, _), step)| taken == *step).count();
        let step = if common == search.trail.len() {
            path.get(common).copied()
        } else {
            // Play left the way there: back along the trail.
            search.undo_last(&self.context.game)
        };
        let game = &self.context.game;
        let effect = |step: PukobanStep| game.effect(&self.seen, step).ok();
        // Where nothing but a push is possible, rather one that the search likes.
        let can_wait = effect(self.best) == Some(Effect::Walk);
        if let Some(step) = step
            && let Some(effect) = effect(step)
            && (game.moves().has_pulls() || effect == Effect::Walk || !can_wait)
        {
            self.best = step;
        }
    }

    /// Makes the plan from where play is: back to where the search began, then the solution. A solution
    /// that is not the last one counts too, but no plan is given up for one that costs as much.
    fn make_plan(&mut self) {
        let Some(search) = &mut self.search else { return };
        let (steps, cost) = match &search.end {
            Some(End::Solved { steps, cost }) => (steps.clone(), *cost),
            _ => match search.engine.incumbent() {
                Some(Incumbent { steps, cost, .. }) => (steps, cost),
                None => return,
            },
        };
        self.plan.is_open &= search.end.is_none();
        if cost >= search.planned && self.plan.index(&self.seen).is_some() {
            return;
        }
        search.planned = cost;
        // Nothing but what can be undone was played since, or the search would be another one.
        let mut all = search.way_back(&self.context.game);
        all.extend(steps);
        let plan = Plan::new(&self.context.game, &self.seen, all, search.end.is_none());
        let objective = self.context.game.objective();
        let old = self.plan.left(&self.seen, objective);
        if old.is_none_or(|old| plan.left(&self.seen, objective).is_some_and(|new| new < old)) {
            self.plan = plan;
        }
    }

    /// What the search has to say about its end, for people.
    fn note(&self) -> Option<String> {
        let search = self.search.as_ref()?;
        let known = search.engine.incumbent().map(|Incumbent { cost, at_least, .. }| {
            let many = self.game().unit(self.game().objective()).many;
            format!("a solution of {cost} {many} is known, and none takes fewer than {at_least}")
        });
        match (&search.end, known) {
            (Some(End::Solved { .. }), _) | (None, None) => None,
            (Some(End::Unsolvable), _) => Some("proved: there is no solution".into()),
            (None, Some(known)) => Some(format!("{known}; the search goes on")),
            (Some(End::GaveUp), Some(known)) => {
                Some(format!("{known}; the search went no further"))
            }
            (Some(End::GaveUp), None) => {
                let gib = search.engine.counters().bytes as f64 / f64::from(1 << 30);
                Some(format!(
                    "gave up with {gib:.2} GiB of at most {:.0} GiB in use; the best state so far is \
                     {} steps from the start of the search",
                    MEMORY_LIMIT.0 as f64 / f64::from(1 << 30),
                    search.engine.best_path().len()
                ))
            }
        }
    }
}

impl Searching {
    /// Searches until the end, until the clock refuses, or as long as patience lasts.
    fn run(&mut self, clock: &Clock, patience: u64) -> Option<End> {
        let has_limit = clock.budget() != Budget::Work(u64::MAX);
        let is_patient = |engine: &dyn Engine| {
            has_limit || engine.counters().expanded < patience || engine.incumbent().is_none()
        };
        let end = self.engine.run_while(clock, &mut |engine| is_patient(engine));
        if end.is_none() && !is_patient(self.engine.as_ref()) { Some(End::GaveUp) } else { end }
    }

    /// The steps back to the root.
    fn way_back(&self, game: &Pukoban) -> Vec<PukobanStep> {
        let mut position = self.root.clone();
        let mut back = Vec::with_capacity(self.trail.len());
        for &(step, _) in &self.trail {
            let before = position.box_moves;
            // The trail was played, so it is legal.
            let _ = game.take(&mut position, step);
            back.push(undo(step, position.box_moves > before && !step.pull));
        }
        back.reverse();
        back
    }

    fn undo_last(&self, game: &Pukoban) -> Option<PukobanStep> {
        self.way_back(game).first().copied()
    }

    /// Whether the search is still of use at `seen`, where play may be now; notes the way there. It is of no use
    /// after what cannot be undone, unless nothing can be found there either.
    fn goes_on_at(&mut self, game: &Pukoban, seen: &PukobanState) -> bool {
        let here = place(seen);
        if here == place(&self.root) {
            self.trail.clear();
            return true;
        }
        if let Some(at) = self.trail.iter().position(|(_, place)| *place == here) {
            self.trail.truncate(at + 1);
            return true;
        }
        let mut now = self.root.clone();
        if let Some((_, (player, boxes))) = self.trail.last() {
            (now.player, now.boxes) = (*player, boxes.clone());
        }
        let may_push = game.moves().has_pulls() || self.end == Some(End::Unsolvable);
        let next = game.steps(&now).into_iter().find(|&step| {
            let mut after = now.clone();
            game.take(&mut after, step).is_ok()
                && place(&after) == here
                && (may_push || after.box_moves == now.box_moves)
        });
        if let Some(step) = next {
            self.trail.push((step, here));
        }
        next.is_some()
    }
}

impl Plan {
    fn new(game: &Pukoban, from: &PukobanState, steps: Vec<PukobanStep>, is_open: bool) -> Self {
        let mut places = HashMap::with_capacity(steps.len());
        let mut position = from.clone();
        let mut spent = vec![0];
        for (index, &step) in steps.iter().enumerate() {
            // A place that comes twice is left by its last step, which cuts the loop off.
            places.insert(place(&position), index);
            let _ = game.take(&mut position, step);
            spent.push(position.box_moves.saturating_sub(from.box_moves));
        }
        let total = spent.last().copied().unwrap_or(0);
        let box_moves = spent.into_iter().map(|done| total - done).collect();
        Self { steps, places, box_moves, is_open }
    }

    fn index(&self, position: &PukobanState) -> Option<usize> {
        if self.steps.is_empty() { None } else { self.places.get(&place(position)).copied() }
    }

    fn step(&self, position: &PukobanState) -> Option<PukobanStep> {
        self.steps.get(self.index(position)?).copied()
    }

    fn rest(&self, position: &PukobanState) -> &[PukobanStep] {
        self.index(position).and_then(|index| self.steps.get(index..)).unwrap_or_default()
    }

    /// What the rest of the plan costs.
    fn left(&self, position: &PukobanState, objective: Objective) -> Option<u32> {
        let index = self.index(position)?;
        match objective {
            Objective::Steps => Some((self.steps.len() - index) as u32),
            Objective::BoxMoves => self.box_moves.get(index).copied(),
        }
    }
}

impl Planner<Pukoban> for Solver {
    fn observe(&mut self, seen: &PukobanState) {
        self.seen = seen.clone();
        self.best = self.game().null_action(seen, self.context.seat);
        if self.follow() && !self.plan.is_open {
            return;
        }
        let game = Arc::clone(&self.context.game);
        let goes_on = |search: &mut Searching| search.goes_on_at(&game, seen);
        if !self.search.as_mut().is_some_and(goes_on) {
            self.search = None;
            // A plan that a push was made of may be bettered by a search from there.
            self.plan.is_open &= !self.game().moves().has_pulls();
            return;
        }
        self.make_plan();
        if !self.follow() {
            self.approach();
        }
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        if self.follow() && !self.plan.is_open {
            return Progress::Done;
        }
        if self.search.is_none() {
            let task = SearchTask::of(self.game(), &self.puzzle, &self.seen, MEMORY_LIMIT);
            let Some(task) = task else { return Progress::Done };
            self.search = Some(Searching {
                engine: self.method.begin(&task),
                root: self.seen.clone(),
                trail: Vec::new(),
                end: None,
                towards: (None, Vec::new()),
                planned: u32::MAX,
            });
        }
        let Some(search) = &mut self.search else { return Progress::Done };
        if search.end.is_none() {
            search.end = search.run(clock, self.patience);
        }
        let progress = if search.end.is_some() { Progress::Done } else { Progress::More };
        self.make_plan();
        if !self.follow() {
            self.approach();
        }
        progress
    }

    fn best(&self) -> PukobanStep {
        self.best
    }

    fn line(&self) -> Line<PukobanStep> {
        let rest = self.plan.rest(&self.seen);
        if rest.is_empty() {
            return Line { value: None, actions: vec![self.best] };
        }
        let left = self.plan.left(&self.seen, self.game().objective());
        Line { value: left.map(|left| Value::Score(f64::from(left))), actions: rest.to_vec() }
    }

    fn closing(&self) -> Option<Closing> {
        let search = self.search.as_ref()?;
        let is_proved = matches!(search.end.as_ref()?, End::Solved { .. });
        let is_planned = self.plan.index(&self.seen).is_some();
        let is_solved = is_proved || is_planned || search.engine.incumbent().is_some();
        (!is_solved).then_some(Closing::Unsolved)
    }

    fn insight(&self) -> Insight {
        let Some(search) = &self.search else { return Insight::default() };
        let mut insight = Insight {
            heats: vec![Heat {
                label: "Box cells visited".into(),
                about: "How many new states the search found by moving a box to the cell.".into(),
                cells: search
                    .engine
                    .heat()
                    .iter()
                    .zip(self.puzzle.cells())
                    .filter(|&(&count, _)| count > 0)
                    .map(|(&count, &cell)| (cell, count as f32))
                    .collect(),
            }],
            counters: counters(search.engine.as_ref(), self.method.on(&self.puzzle)),
            series: vec![Series {
                name: "frontier by states expanded".into(),
                points: search.engine.curve().points().to_vec(),
            }],
            notes: self.note().into_iter().collect(),
            ..Insight::default()
        };
        if self.method.on(&self.puzzle) != self.method {
            insight.notes.push(
                "the map is too large to search sets of states; it runs as A* with matching".into(),
            );
        }
        let rest = self.plan.rest(&self.seen);
        let (from, steps, tone) = if rest.is_empty() {
            (&search.root, search.engine.best_path(), Tone::Searched)
        } else {
            (&self.seen, rest.to_vec(), Tone::Wanted)
        };
        let (path, boxes) = self.picture(from, &steps);
        insight.paths.push(Path { cells: path, tone });
        insight.marks =
            boxes.into_iter().map(|cell| Mark { cell, kind: MarkKind::Ring, tone }).collect();
        insight
    }
}

impl Solver {
    /// The player's cells along steps, and where the boxes are in the end that move.
    fn picture(&self, from: &PukobanState, steps: &[PukobanStep]) -> (Vec<Cell>, Vec<Cell>) {
        let mut position = from.clone();
        let mut cells = vec![position.player];
        for &step in steps {
            if self.game().take(&mut position, step).is_err() {
                break;
            }
            cells.push(position.player);
        }
        (cells, from.moved_boxes(&position).map(|(_, now)| now).collect())
    }
}

/// The estimate of the state that was expanded last, where the evaluation tells it.
fn estimate(counters: &Counters, method: Method) -> Option<u64> {
    let Method::BestFirst(evaluation, _) = method else { return None };
    let beyond = counters.f.checked_sub(u64::from(counters.depth));
    match evaluation {
        Evaluation::UniformCost => None,
        Evaluation::Greedy => Some(counters.f),
        Evaluation::AStar => beyond,
        Evaluation::Weighted(weight) => beyond?.checked_div(u64::from(weight)),
    }
}

fn counters(engine: &dyn Engine, method: Method) -> Vec<Counter> {
    let counters = engine.counters();
    let counter = |name: &'static str, about: &'static str, value| Counter {
        name: name.into(),
        about: about.into(),
        value,
    };
    let mut figures = vec![
        counter(
            "States expanded",
            "States whose successors were all generated; one unit of work each.",
            counters.expanded as f64,
        ),
        counter(
            "Expanded again",
            "How many of these had been expanded before and were reached again at less cost.",
            counters.expanded_again as f64,
        ),
        counter(
            "States generated",
            "Successors generated, known ones too.",
            counters.generated as f64,
        ),
        counter(
            "Frontier",
            "States that were found and still wait to be expanded.",
            counters.frontier as f64,
        ),
        counter("Closed", "States that were expanded and wait no more.", counters.closed as f64),
        counter(
            "Depth",
            "Cost so far of the state that was expanded last.",
            f64::from(counters.depth),
        ),
        counter("Best f", "Evaluation of the state that was expanded last.", counters.f as f64),
        counter(
            "Memory, MiB",
            "Memory taken by states, table and frontier.",
            counters.bytes as f64 / f64::from(1 << 20),
        ),
    ];
    if let Some(estimate) = estimate(&counters, method) {
        let about = "What the state that was expanded last still needs at least, or about, by the estimate.";
        figures.push(counter("Estimate h", about, estimate as f64));
    }
    figures
}
