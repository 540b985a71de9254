//! A level that is a problem: whether each move of the person who is to solve it keeps the win or meets the threat, and
//! the answer.

use crate::app::match_screen::{Hint, Shown, Trial, TrialKind};
use crate::app::shell::activity::POLL;
use bevy_egui::egui;
use outwit_core::platform::task::Task;
use outwit_core::play::{Budget, Clock, Seat};
use outwit_mnk::notation::{cell_name, line_in_words};
use outwit_mnk::problems::{Goal, Judgement, Problem};
use outwit_mnk::{Mnk, MnkAction, MnkState};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Positions that may be spent on finding out whether the level is a problem, and on each move.
const FIND: u64 = 4_000_000;
const JUDGE: u64 = 4_000_000;
/// Wrong moves after which the answer is offered.
const PATIENCE: usize = 2;

/// Moves from the start of the level, as row-major indices.
type Line = Vec<usize>;

/// What is known of the problem and of the moves that were tried.
#[derive(Default)]
pub struct ProblemState {
    found: Option<Task<Option<Problem>>>,
    judged: BTreeMap<Line, Judgement>,
    running: Option<(Line, Task<Judgement>)>,
    wrong: BTreeSet<Line>,
    /// The answer in a later position, once it is offered.
    answer: Option<(Line, Task<Option<Problem>>)>,
}

impl ProblemState {
    /// Begins to find out whether the level is a problem.
    pub fn of(game: &Arc<Mnk>) -> Self {
        let opening = game.opening();
        let is_set_up = opening.stones.iter().any(Option::is_some);
        let found = is_set_up.then(|| find(game, opening));
        Self { found, ..Self::default() }
    }

    /// The problem, if the level is one that a person at the screen is to solve.
    fn problem(&self, shown: &Shown<Mnk>) -> Option<&Problem> {
        let solver = shown.game().opening().mover()?;
        let plays = shown.session.humans.contains(&solver) && shown.session.lesson.is_none();
        self.found.as_ref().filter(|_| plays)?.get()?.as_ref()
    }

    /// Takes up what was found out, and has the next move judged.
    pub fn follow(&mut self, shown: &Shown<Mnk>, ctx: &egui::Context) {
        let is_looked_for = self.found.as_ref().is_some_and(|found| !found.is_done());
        if is_looked_for || self.running.is_some() || self.is_answer_looked_for() {
            ctx.request_repaint_after(POLL);
        }
        let Some(problem) = self.problem(shown).cloned() else { return };
        if let Some((line, task)) = &self.running
            && task.is_done()
        {
            let judgement = task.get().copied().unwrap_or(Judgement::Unknown);
            if judgement == Judgement::Fails {
                self.wrong.insert(line.clone());
            }
            self.judged.insert(line.clone(), judgement);
            self.running = None;
        }
        let line = line(shown, shown.session.playback.view + 1);
        if self.running.is_none()
            && let Some(turn) = self.next_open(&line)
            && let (Some(state), Some(&at)) = (shown.played.state_at(turn), line.get(turn))
        {
            let game = Arc::clone(shown.game());
            let state = state.clone();
            let task = Task::begin(move |context| {
                let clock = Clock::new(Budget::Work(JUDGE), context.stop().clone());
                problem.judge(&game, &state, (turn as u32, game.cell_at(at)), &clock)
            });
            self.running = Some((line[..=turn].to_vec(), task));
            ctx.request_repaint_after(POLL);
        }
        self.prepare_answer(shown);
    }

    /// The first of the solver's moves that is not judged, if all before it solve the problem.
    fn next_open(&self, line: &Line) -> Option<usize> {
        for turn in (0..line.len()).step_by(2) {
            match self.judged.get(&line[..=turn]) {
                None => return Some(turn),
                Some(Judgement::Solves) => {}
                Some(_) => return None,
            }
        }
        None
    }

    /// The solver's last move before what is shown and what is known of it, if all before it solve the problem.
    fn last(&self, line: &Line) -> Option<(usize, Judgement)> {
        let mut last = None;
        for turn in (0..line.len()).step_by(2) {
            if last.is_some_and(|(_, judged)| judged != Judgement::Solves) {
                return None;
            }
            last = Some((turn, *self.judged.get(&line[..=turn])?));
        }
        last
    }

    fn is_offered(&self) -> bool {
        self.wrong.len() >= PATIENCE
    }

    fn is_answer_looked_for(&self) -> bool {
        self.answer.as_ref().is_some_and(|(_, task)| !task.is_done())
    }

    /// Looks for the answer in the position before the wrong move, or in the shown one.
    fn prepare_answer(&mut self, shown: &Shown<Mnk>) {
        if !self.is_offered() {
            return;
        }
        let from = self.asked(&line(shown, shown.session.playback.view));
        if from.is_empty() || self.answer.as_ref().is_some_and(|(known, _)| *known == from) {
            return;
        }
        if let Some(state) = shown.played.state_at(from.len()) {
            let task = find(shown.game(), state.clone());
            self.answer = Some((from, task));
        }
    }

    /// The moves before the position that the answer is for.
    fn asked(&self, line: &Line) -> Line {
        match self.last(line) {
            Some((turn, Judgement::Fails)) => line[..turn].to_vec(),
            _ => line.clone(),
        }
    }

    /// The answer after these moves, once it is offered and known.
    fn answer(&self, problem: &Problem, line: &Line) -> Option<Vec<outwit_core::grid::Cell>> {
        let from = self.asked(line);
        if !self.is_offered() {
            return None;
        }
        if from.is_empty() {
            return Some(problem.line.clone());
        }
        let (known, task) = self.answer.as_ref()?;
        let found = task.get()?.as_ref().filter(|_| *known == from)?;
        Some(found.line.clone())
    }

    /// What to say of the move that was made last.
    pub fn trial(&self, shown: &Shown<Mnk>) -> Option<Trial> {
        let problem = self.problem(shown)?;
        let game = shown.game();
        if shown.is_at_end() {
            return None;
        }
        let view = shown.session.playback.view;
        let line = line(shown, view);
        let name = |at: usize| cell_name(game.cell_at(at), game.height());
        let how = |turn: usize| match problem.by_fours {
            true => "by fours".to_owned(),
            // Moves of one's own, as chess players count.
            false => match problem.plies.saturating_sub(turn as u32).div_ceil(2) {
                1 => "at once".to_owned(),
                moves => format!("in {moves} moves"),
            },
        };
        let offers_answer = self.answer(problem, &line).is_some();
        let is_win = problem.goal == Goal::Win;
        let own = game.opening().to_move;
        let (own, other) = (own.to_char(), own.other().to_char());
        let (kind, words) = match self.last(&line) {
            Some((turn, Judgement::Fails)) => {
                let cell = name(line[turn]);
                let words = match is_win {
                    true => format!("Not this one: {cell} does not win {}.", how(turn)),
                    false => format!("Not this one: {other} still wins after {cell}."),
                };
                (TrialKind::Wrong, words)
            }
            _ => {
                let tried = self.tried(&line).map(name).collect::<Vec<_>>();
                let is_own_turn = line.len().is_multiple_of(2);
                match (tried.as_slice(), self.last(&line)) {
                    ([], Some((turn, Judgement::Solves))) => {
                        let cell = name(line[turn]);
                        let words = match is_win {
                            true => format!("Right: {cell} wins."),
                            false => format!("Right: {cell} meets the threat."),
                        };
                        (TrialKind::Right, words)
                    }
                    ([], None) if line.is_empty() => {
                        let words = match is_win {
                            true => format!("{own} wins {}. Find the move.", how(0)),
                            false => format!(
                                "{other} threatens to win {}. Find the move that meets it.",
                                how(0)
                            ),
                        };
                        (TrialKind::Task, words)
                    }
                    ([tried @ .., last], _) if is_own_turn => {
                        let (names, verb) = match tried {
                            [] => (last.clone(), "does"),
                            tried => (format!("{} and {last}", tried.join(", ")), "do"),
                        };
                        let words = match is_win {
                            true => {
                                format!("Try again: {names} {verb} not win {}.", how(line.len()))
                            }
                            false => format!("Try again: {other} still wins after {names}."),
                        };
                        (TrialKind::Task, words)
                    }
                    _ => return None,
                }
            }
        };
        Some(Trial { kind, words, offers_answer })
    }

    /// The wrong moves that were tried after these.
    fn tried<'a>(&'a self, line: &'a Line) -> impl Iterator<Item = usize> + 'a {
        self.wrong
            .iter()
            .filter(|wrong| wrong.len() == line.len() + 1 && wrong.starts_with(line))
            .filter_map(|wrong| wrong.last().copied())
    }

    /// The answer as a hint, once it is offered.
    pub fn hint(&self, shown: &Shown<Mnk>) -> Option<Hint<MnkAction>> {
        let problem = self.problem(shown)?;
        let game = shown.game();
        let line = line(shown, shown.session.playback.view);
        if self.asked(&line) != line {
            return None;
        }
        let answer = self.answer(problem, &line)?;
        let stones = line_in_words(&answer, shown.state().to_move, game.height());
        let action = MnkAction::Place(*answer.first()?);
        Some(Hint::at_once(action, format!("The answer: {stones}.")))
    }
}

fn find(game: &Arc<Mnk>, state: MnkState) -> Task<Option<Problem>> {
    let game = Arc::clone(game);
    Task::begin(move |context| {
        let clock = Clock::new(Budget::Work(FIND), context.stop().clone());
        Problem::find(&game, &state, &clock)
    })
}

/// The first moves of the match, at most so many; none from where it was no stone that was placed.
fn line(shown: &Shown<Mnk>, most: usize) -> Line {
    let game = shown.game();
    let place = |actions: &[(Seat, MnkAction)]| match actions {
        [(_, MnkAction::Place(cell))] => game.index_of(*cell),
        _ => None,
    };
    shown.played.turns().iter().take(most).map_while(|turn| place(&turn.actions)).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::match_screen::{Live, Session};
    use crate::app::requests::MatchConfig;
    use outwit_core::grid::Cell;

    /// A match on a problem, and what is known of it.
    struct Tried {
        session: Session,
        problem: ProblemState,
    }

    impl Tried {
        fn new(players: &[&str]) -> Self {
            Self::on("mnk/problem-05", players)
        }

        fn on(level: &str, players: &[&str]) -> Self {
            let config = MatchConfig::on_level(level, players);
            let session = Session::new::<Mnk>(config, true).unwrap();
            let live: &Live<Mnk> = session.live().unwrap();
            let problem = ProblemState::of(live.referee().played().game());
            Self { session, problem }
        }

        /// What is said of the shown turn, once all is found out.
        fn said(&mut self) -> Option<Trial> {
            let ctx = egui::Context::default();
            loop {
                let live: &Live<Mnk> = self.session.live().unwrap();
                self.problem.follow(&live.shown(&self.session.state), &ctx);
                let state = &self.problem;
                let found = state.found.as_ref().is_none_or(Task::is_done);
                if found && state.running.is_none() && !state.is_answer_looked_for() {
                    break;
                }
                std::thread::yield_now();
            }
            let live: &Live<Mnk> = self.session.live().unwrap();
            self.problem.trial(&live.shown(&self.session.state))
        }

        /// A person's stone, and the answer of the other side.
        fn place(&mut self, cell: (i32, i32), answer: (i32, i32)) {
            for cell in [cell, answer] {
                let action = MnkAction::Place(Cell::new(cell.0, cell.1));
                self.session.live_mut::<Mnk>().unwrap().queue.push_back(action);
                self.session.play_queued();
                let turns = self.session.live.turns();
                self.session.playback.show(turns);
                self.session.playback.stop();
            }
        }
    }

    #[test]
    fn wrong_moves_are_named_and_the_answer_is_offered_after_the_second() {
        let mut tried = Tried::new(&["human", "human"]);
        let first = tried.said().unwrap();
        assert_eq!(first.kind, TrialKind::Task);
        assert_eq!(first.words, "O wins in 3 moves. Find the move.");
        tried.place((1, 1), (4, 2));
        let wrong = tried.said().unwrap();
        assert_eq!((wrong.kind, wrong.offers_answer), (TrialKind::Wrong, false));
        assert_eq!(wrong.words, "Not this one: b9 does not win in 3 moves.");
        tried.session.look_back(0);
        let again = tried.said().unwrap();
        assert_eq!(again.words, "Try again: b9 does not win in 3 moves.");
        tried.place((1, 2), (4, 2));
        assert!(tried.said().unwrap().offers_answer);
        tried.session.look_back(0);
        let again = tried.said().unwrap();
        assert_eq!(again.words, "Try again: b9 and b8 do not win in 3 moves.");
        assert!(again.offers_answer);
        let live: &Live<Mnk> = tried.session.live().unwrap();
        let hint = tried.problem.hint(&live.shown(&tried.session.state)).unwrap();
        let MnkAction::Place(cell) = hint.action else { unreachable!() };
        // The answer is right.
        tried.place((cell.x, cell.y), (7, 5));
        let right = tried.said().unwrap();
        assert_eq!((right.kind, right.words.as_str()), (TrialKind::Right, "Right: e8 wins."));
    }

    #[test]
    fn a_threat_is_met_by_one_move() {
        let mut tried = Tried::on("mnk/problem-62", &["human", "human"]);
        let task = "X threatens to win in 2 moves. Find the move that meets it.";
        assert_eq!(tried.said().unwrap().words, task);
        tried.place((0, 0), (9, 9));
        assert_eq!(tried.said().unwrap().words, "Not this one: X still wins after a10.");
        tried.session.look_back(0);
        assert_eq!(tried.said().unwrap().words, "Try again: X still wins after a10.");
        tried.place((1, 0), (9, 9));
        assert!(tried.said().unwrap().offers_answer);
        tried.session.look_back(0);
        tried.said();
        let live: &Live<Mnk> = tried.session.live().unwrap();
        let hint = tried.problem.hint(&live.shown(&tried.session.state)).unwrap();
        let MnkAction::Place(cell) = hint.action else { unreachable!() };
        tried.place((cell.x, cell.y), (9, 9));
        let right = tried.said().unwrap();
        assert_eq!(right.kind, TrialKind::Right);
        assert!(right.words.ends_with(" meets the threat."), "{}", right.words);
    }

    #[test]
    fn nothing_is_said_to_whoever_is_not_to_win() {
        assert_eq!(Tried::new(&["human", "best"]).said(), None);
        let config = MatchConfig::on_level("mnk/3x3x3", &["human", "human"]);
        let session = Session::new::<Mnk>(config, true).unwrap();
        let live: &Live<Mnk> = session.live().unwrap();
        assert!(ProblemState::of(live.referee().played().game()).found.is_none());
    }
}
