//! The typed match behind the screen: the one place where a game's types end.

mod answers;

use super::board::Cue;
use super::commentary::Commentator;
use super::game_view::GameView;
use super::hint::GivenHint;
use super::live_match::TimelineMark;
use super::session::Session;
use super::shown::{Picture, Pictures, Shown};
use super::solver::think::SolverTask;
use super::state::{SessionState, Tab};
use outwit_core::play::{Match, Referee, Seat, StopFlag};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;

/// A match of a game on the screen.
pub struct Live<G: GameView> {
    /// The board's own state.
    pub ui: G::Ui,
    /// What a person has chosen and is not played yet, the oldest first.
    pub queue: VecDeque<G::Action>,
    record: Record<G>,
    solver: SolverTask<G>,
    commentator: Commentator,
    marks: Vec<TimelineMark>,
    /// Number of turns that `marks` covers.
    marked: usize,
}

/// Most actions that wait to be played.
const MOST_QUEUED: usize = 10_000;

/// All of a live match but the board's own state, so that a board can see the one and change the
/// other.
struct Record<G: GameView> {
    referee: Referee<G>,
    ghost: Option<Match<G>>,
    hint: Option<GivenHint<G::Action>>,
    pictures: Vec<Pictures>,
    /// The picture of a program that was asked about a turn.
    answer: Option<(Seat, Picture)>,
    /// The turn for which each seat was asked last.
    asked: Vec<Option<usize>>,
    revision: u64,
}

impl Session {
    /// The live match of a game, if this is one.
    pub fn live<G: GameView>(&self) -> Option<&Live<G>> {
        (self.live.as_ref() as &dyn Any).downcast_ref()
    }

    /// The live match of a game, if this is one.
    pub fn live_mut<G: GameView>(&mut self) -> Option<&mut Live<G>> {
        (self.live.as_mut() as &mut dyn Any).downcast_mut()
    }
}

impl<G: GameView> Record<G> {
    fn person(&self, session: &SessionState) -> Option<Seat> {
        let played = self.referee.played();
        let present = session.playback.view == played.len();
        let looking_back = session.playback.rests();
        let state = played.state_at(session.playback.view)?;
        if session.is_step_over()
            || !(present || looking_back)
            || played.game().outcome(state).is_some()
        {
            return None;
        }
        // At the present those who have chosen already wait for the others.
        let seats =
            if present { self.referee.humans_to_move() } else { played.game().to_move(state) };
        seats.into_iter().find(|seat| session.humans.contains(seat))
    }

    fn shown<'a>(
        &'a self,
        queue: &'a VecDeque<G::Action>,
        session: &'a SessionState,
    ) -> Shown<'a, G> {
        Shown {
            queue,
            played: self.referee.played(),
            session,
            // Review and analysis are for looking only.
            person: self.person(session).filter(|_| session.tab == Tab::Match),
            ghost: self.ghost.as_ref(),
            revision: self.revision,
            hint: self.hint.as_ref(),
            pictures: &self.pictures,
            answer: self.answer.as_ref(),
            over: self.referee.is_over(),
        }
    }
}

impl<G: GameView> Live<G> {
    /// Shows the match that a referee runs.
    pub fn new(referee: Referee<G>) -> Self {
        let game = Arc::clone(referee.played().game());
        let seats = game.seats();
        let record = Record {
            referee,
            ghost: None,
            hint: None,
            pictures: vec![Pictures::new(); seats],
            answer: None,
            asked: vec![None; seats],
            revision: 0,
        };
        let marks = Vec::new();
        let queue = VecDeque::new();
        let solver = SolverTask::default();
        let commentator = Commentator::default();
        Self { ui: G::ui(&game), queue, record, solver, commentator, marks, marked: 0 }
    }

    /// The referee that runs the match, with all turns played so far.
    pub fn referee(&self) -> &Referee<G> {
        &self.record.referee
    }

    /// The match at the turn that is shown.
    pub fn shown<'a>(&'a self, session: &'a SessionState) -> Shown<'a, G> {
        self.record.shown(&self.queue, session)
    }

    /// Shows one step more of the hint for the shown turn, given the solver's line if there is one; `false` if
    /// there is no hint.
    fn show_hint(&mut self, session: &SessionState, line: &[G::Action]) -> bool {
        let turn = session.playback.view;
        if let Some(given) = self.record.hint.as_mut().filter(|given| given.turn == turn) {
            given.go_on();
            return true;
        }
        let found = (G::GUIDANCE.hint)(&self.record.shown(&self.queue, session), &self.ui, line);
        self.record.hint = found.map(|hint| GivenHint::new(turn, hint));
        self.record.hint.is_some()
    }

    /// The hint for the shown turn.
    fn given_hint(&self, session: &SessionState) -> Option<&GivenHint<G::Action>> {
        self.record.hint.as_ref().filter(|given| given.turn == session.playback.view)
    }

    /// The solver's actions from the shown turn to the end; `None` while it thinks.
    fn solved_line(
        &mut self,
        session: &SessionState,
        enough: &StopFlag,
    ) -> Option<Result<Vec<G::Action>, String>> {
        let played = self.record.referee.played();
        let (Some(name), Some(state)) = (G::BOARD.solver, played.state_at(session.playback.view))
        else {
            return Some(Err("there is no solver for this game".into()));
        };
        let Some(&seat) = played.game().to_move(state).first() else {
            return Some(Err("nothing is left to solve".into()));
        };
        self.solver.line((played.game(), played.chance()), state, (seat, name), enough)
    }

    /// What was known of later turns no longer holds.
    fn forget_after(&mut self, turn: usize) {
        self.record.revision += 1;
        self.record.hint = None;
        self.record.asked.fill(None);
        self.record.pictures.fill_with(Pictures::new);
        self.marks.retain(|mark| mark.turn < turn);
        self.marked = self.marked.min(turn);
        self.commentator.forget_after(turn);
    }

    fn queue(&mut self, action: G::Action) {
        if self.queue.len() < MOST_QUEUED {
            self.queue.push_back(action);
        }
    }

    fn played(&self) -> &Match<G> {
        self.record.referee.played()
    }

    /// What is seen and heard of the events of a turn.
    fn turn_cues<'a>(
        &'a self,
        session: &'a SessionState,
        turn: usize,
    ) -> impl Iterator<Item = Cue> + 'a {
        let played = self.played();
        let events = played.turns().get(turn).map_or(&[][..], |turn| &turn.events);
        events.iter().map(|event| (G::EVENTS.cue)(played.game(), event, &|seat| session.name(seat)))
    }
}
