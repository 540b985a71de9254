//! The planner behind hints and behind "Solve from here": it thinks about the shown position in the
//! background, with the rules and the level of the match.

use crate::app::match_screen::game_view::GameView;
use outwit_core::platform::task::Task;
use outwit_core::platform::time::Duration;
use outwit_core::play::{
    Budget, Chance, Clock, Closing, Planner, PlannerContext, PlannerSpec, Progress, Seat, StopFlag,
};
use std::sync::Arc;

/// How long it thinks before it looks whether it has thought enough.
const SLICE: Duration = Duration::from_millis(20);

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
    /// The actions from `state` to the end; begins to look for them if that was not asked yet. Once `enough` is
    /// raised, the best line that is known will do. `None` while it thinks.
    pub fn line(
        &mut self,
        (game, chance): (&Arc<G>, &Chance),
        state: &G::State,
        (seat, name): (Seat, &str),
        enough: &StopFlag,
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
            let game = Arc::clone(game);
            let chance = chance.clone();
            let from = state.clone();
            self.asked = Some(state.clone());
            let enough = enough.clone();
            self.task = Some(Task::begin(move |context| {
                solve(&game, &chance, from, (seat, spec), context.stop(), &enough)
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

/// The actions of a line, each with the state in which it is chosen, and the state after them.
fn play<G: GameView>(
    game: &Arc<G>,
    chance: &Chance,
    mut state: G::State,
    seat: Seat,
    line: Vec<G::Action>,
) -> Result<(SolvedLine<G>, G::State), String> {
    let mut played = Vec::with_capacity(line.len());
    for action in line {
        game.legal(&state, seat, &action)?;
        played.push((state.clone(), action.clone()));
        game.advance(&mut state, &[(seat, action)], chance, &mut Vec::new());
    }
    Ok((played, state))
}

/// Lets a planner think until it is done and plays its line, again and again where a line does not lead
/// to the end: in a game that hides something a planner goes as far as it can see. Once `enough` is raised, a line to
/// the end is taken even if the planner would look for a better one.
fn solve<G: GameView>(
    game: &Arc<G>,
    chance: &Chance,
    mut state: G::State,
    (seat, spec): (Seat, &PlannerSpec<G>),
    stop: &StopFlag,
    enough: &StopFlag,
) -> Result<SolvedLine<G>, String> {
    let clock = Clock::new(Budget::Work(u64::MAX), stop.clone());
    let context = PlannerContext { game: Arc::clone(game), seat, seed: 0 };
    let mut planner: Box<dyn Planner<G>> = (spec.make)(context);
    while planner.prepare(&clock) == Progress::More && !clock.is_over() {}
    let mut solved = Vec::new();
    while game.to_move(&state) == [seat] {
        planner.observe(&game.observe(&[], &state, seat));
        loop {
            clock.slice_of_time(SLICE);
            if planner.think(&clock) == Progress::Done || clock.is_over() {
                break;
            }
            if enough.is_raised() {
                let known = play(game, chance, state.clone(), seat, planner.line().actions);
                if known.is_ok_and(|(_, end)| game.to_move(&end) != [seat]) {
                    break;
                }
            }
        }
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
        let (played, after) = play(game, chance, state, seat, line)?;
        solved.extend(played);
        state = after;
    }
    Ok(solved)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::play::Game;
    use outwit_kit::{GameSpec, read_level};
    use outwit_pukoban::{Pukoban, PukobanState, PukobanStep};

    /// Knows a shortest line and looks for a better one for ever.
    struct Restless(Box<dyn Planner<Pukoban>>);

    impl Planner<Pukoban> for Restless {
        fn observe(&mut self, seen: &PukobanState) {
            self.0.observe(seen);
        }

        fn think(&mut self, clock: &Clock) -> Progress {
            let _ = self.0.think(clock);
            Progress::More
        }

        fn best(&self) -> PukobanStep {
            self.0.best()
        }

        fn line(&self) -> outwit_core::play::Line<PukobanStep> {
            self.0.line()
        }
    }

    fn breadth_first() -> &'static PlannerSpec<Pukoban> {
        Pukoban::planners().iter().find(|spec| spec.name == "breadth-first").unwrap()
    }

    #[test]
    fn a_solver_that_is_hurried_answers_with_what_it_knows() {
        let level = outwit_levels::built_in("pukoban/03-both-at-once").unwrap().bytes().unwrap();
        let level = read_level::<Pukoban>(&level, "level").unwrap();
        let game = Arc::new(Pukoban::new(&level, 1).unwrap());
        let (chance, start) = (Chance::new(1), game.opening().clone());
        let restless = PlannerSpec {
            make: |context| Box::new(Restless((breadth_first().make)(context))),
            ..*breadth_first()
        };
        let (stop, enough) = (StopFlag::default(), StopFlag::default());
        let line = |spec, enough| {
            solve(&game, &chance, start.clone(), (Seat(0), spec), &stop, enough).unwrap().len()
        };
        let shortest = line(breadth_first(), &enough);
        enough.raise();
        assert_eq!(line(&restless, &enough), shortest);
    }
}
