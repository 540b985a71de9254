//! The planner behind hints and behind "Show the rest": it thinks about the shown position in the
//! background, with the rules and the level of the match.

use super::game_view::GameView;
use outwit_core::platform::task::Task;
use outwit_core::play::{
    Budget, Chance, Clock, Closing, Planner, PlannerContext, PlannerSpec, Progress, Seat, StopFlag,
};
use std::sync::Arc;

/// Longer lines are not shown.
const MOST_ACTIONS: usize = 100_000;

/// Actions to the end, each with the state in which it is chosen.
type SolvedLine<G> =
    Vec<(<G as outwit_core::play::Game>::State, <G as outwit_core::play::Game>::Action)>;

/// The solver's last answer, or what it thinks about.
pub struct SolverTask<G: GameView> {
    asked: Option<G::State>,
    task: Option<Task<Result<SolvedLine<G>, String>>>,
}

impl<G: GameView> Default for SolverTask<G> {
    fn default() -> Self {
        Self { asked: None, task: None }
    }
}

impl<G: GameView> SolverTask<G> {
    /// The actions from `state` to the end; begins to look for them if that was not asked yet.
    /// `None` while it thinks.
    pub fn line(
        &mut self,
        game: &Arc<G>,
        chance: &Chance,
        state: &G::State,
        seat: Seat,
        name: &str,
    ) -> Option<Result<Vec<G::Action>, String>> {
        let from = |line: &SolvedLine<G>| -> Option<Vec<G::Action>> {
            let at = line.iter().position(|(known, _)| known == state)?;
            Some(line[at..].iter().map(|(_, action)| action.clone()).collect())
        };
        if let Some(Ok(line)) = self.task.as_ref().and_then(Task::get)
            && let Some(rest) = from(line)
        {
            return Some(Ok(rest));
        }
        if self.asked.as_ref() != Some(state) {
            let Some(spec) = G::planners().iter().find(|spec| spec.name == name) else {
                return Some(Err(format!("there is no planner '{name}'")));
            };
            let (game, chance, from) = (Arc::clone(game), chance.clone(), state.clone());
            self.asked = Some(state.clone());
            self.task = Some(Task::begin(move |context| {
                solve(&game, &chance, from, seat, spec, context.stop())
            }));
        }
        let task = self.task.as_ref()?;
        if let Some(why) = task.failure() {
            return Some(Err(format!("the planner crashed: {why}")));
        }
        match task.get()? {
            // It may have ended since it was looked at above.
            Ok(line) => Some(from(line).ok_or_else(|| "the line does not begin here".into())),
            Err(why) => Some(Err(why.clone())),
        }
    }

    /// Stops the planner and forgets its line.
    pub fn cancel(&mut self) {
        *self = Self::default();
    }
}

/// Lets a planner think until it is done and plays its line, again and again where a line does not lead
/// to the end: in a game that hides something a planner goes as far as it can see.
fn solve<G: GameView>(
    game: &Arc<G>,
    chance: &Chance,
    mut state: G::State,
    seat: Seat,
    spec: &PlannerSpec<G>,
    stop: &StopFlag,
) -> Result<SolvedLine<G>, String> {
    let clock = Clock::new(Budget::Work(u64::MAX), stop.clone());
    let context = PlannerContext { game: Arc::clone(game), seat, seed: 0 };
    let mut planner: Box<dyn Planner<G>> = (spec.make)(context);
    while planner.prepare(&clock) == Progress::More && !clock.is_over() {}
    let mut solved = Vec::new();
    while game.to_move(&state) == [seat] {
        planner.observe(&game.observe(&[], &state, seat));
        while planner.think(&clock) == Progress::More && !clock.is_over() {}
        let line = planner.line().actions;
        if stop.is_raised() {
            return Err("cancelled".into());
        }
        if planner.closing() == Some(Closing::Unsolved) || line.is_empty() {
            let notes = planner.insight().notes;
            return Err(notes.first().cloned().unwrap_or_else(|| "there is no solution".into()));
        }
        if solved.len() + line.len() > MOST_ACTIONS {
            return Err(format!("it takes more than {MOST_ACTIONS} actions"));
        }
        for action in line {
            game.legal(&state, seat, &action)?;
            solved.push((state.clone(), action.clone()));
            game.advance(&mut state, &[(seat, action)], chance, &mut Vec::new());
        }
    }
    Ok(solved)
}
