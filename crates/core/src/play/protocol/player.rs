//! Speaks for a program in a seat.

use super::conversation::{Conversation, Heard, Trouble};
use super::{
    ActionMessage, BudgetMessage, InsightMessage, KeptPrograms, LastAnswer, Mailbox, PROTOCOL,
    ProgramMessage, ProgramThought, Question, ReadyMessage, RefereeMessage, StartMessage,
    TurnConduct, TurnMessage,
};
use crate::escape::on_one_line;
use crate::levels::cut;
use crate::platform::program::{AllowedProgram, LogSource, ProgramLog};
use crate::platform::time::{Duration, Instant};
use crate::play::{
    Budget, Clock, Closing, GRACE, Game, Insight, Line, MAX_NOTE, Planner, PlannerContext,
    Progress, Seat, TimeControl,
};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;

/// Sentences of a turn that are kept.
const MOST_NOTES: usize = 5;

/// Which program takes a seat, and on what terms.
#[derive(Clone, Debug)]
pub struct ProgramSeat {
    /// The program.
    pub program: AllowedProgram,
    /// How much time the seat has.
    pub control: TimeControl,
    /// What it may take beyond its time per turn, in the whole match.
    pub bank: Duration,
    /// How long it may prepare.
    pub preparation: Duration,
    /// Programs that wait for their next match.
    pub kept: KeptPrograms,
}

pub(super) fn slow(limit: Duration) -> String {
    let seconds = limit.as_secs_f32();
    format!("it did not say that it is ready within {seconds} s")
}

/// Speaks for a program in a seat. After a fault it starts the program again if it is asked once more, as when a
/// person takes a move back.
pub struct ProgramPlayer<G: Game> {
    context: PlannerContext<G>,
    seat: ProgramSeat,
    mailbox: Arc<Mailbox<G>>,
    log: ProgramLog,
    conversation: Option<Conversation>,
    bank: Duration,
    last: Option<LastAnswer>,
    /// How long the last answer took.
    took: Duration,
    question: Option<(Question<G>, G::Observation)>,
    /// What is played in the present turn if no answer comes.
    default: Option<G::Action>,
    /// Actions that were given at once and are still to be played, and the turn of the first one.
    plan: Option<(usize, VecDeque<G::Action>)>,
    choice: Option<G::Action>,
    closing: Option<Closing>,
    fault: Option<String>,
    insight: Insight,
    line: Vec<G::Action>,
}

impl<G: Game> ProgramPlayer<G> {
    /// The program is started by [`prepare`](Planner::prepare).
    pub(in crate::play) fn new(
        context: PlannerContext<G>,
        seat: ProgramSeat,
        mailbox: Arc<Mailbox<G>>,
    ) -> Self {
        Self {
            bank: seat.bank,
            context,
            seat,
            mailbox,
            log: ProgramLog::default(),
            conversation: None,
            last: None,
            took: Duration::ZERO,
            question: None,
            default: None,
            plan: None,
            choice: None,
            closing: None,
            fault: None,
            insight: Insight::default(),
            line: Vec::new(),
        }
    }

    fn start_text(&self) -> String {
        let game = &self.context.game;
        let control = self.seat.control;
        let (total, increment) = match control {
            TimeControl::Match { total, increment } => {
                (Some(milliseconds(total)), Some(milliseconds(increment)))
            }
            _ => (None, None),
        };
        let budget = BudgetMessage {
            ms: limit_of(control).map(milliseconds),
            bank_ms: milliseconds(self.bank),
            match_ms: total,
            increment_ms: increment,
        };
        message(&RefereeMessage::<_, (), (), ()>::Start(StartMessage {
            protocol: PROTOCOL,
            game: G::ID,
            rules_version: G::RULES_VERSION,
            seat: G::SEATS.id(self.context.seat),
            seats: (0..game.seats()).map(|seat| G::SEATS.id(Seat(seat as u8))).collect(),
            level: game.public_level(),
            budget,
            prepare_ms: milliseconds(self.seat.preparation),
            // JSON numbers are exact to 2^53 in most languages.
            seed: self.context.seed >> 11,
        }))
    }

    pub(super) fn seat(&self) -> Seat {
        self.context.seat
    }

    /// What the program said of itself.
    pub(super) fn ready(&self) -> ReadyMessage {
        self.conversation.as_ref().map(|talk| talk.ready.clone()).unwrap_or_default()
    }

    /// How long the last answer took.
    pub(super) fn took(&self) -> Duration {
        self.took
    }

    /// The actions of the last answer that are still to be played, and the one that was chosen.
    pub(super) fn answer(&self) -> Vec<G::Action> {
        let rest = self.plan.iter().flat_map(|(_, plan)| plan);
        self.choice.iter().chain(rest).cloned().collect()
    }

    /// The next question is a new one, whatever was answered before.
    pub(super) fn forget_plan(&mut self) {
        self.plan = None;
    }

    /// Starts the program and waits until it is ready.
    pub(super) fn start(&mut self, stopped: &dyn Fn() -> bool) -> Result<(), Trouble> {
        self.conversation = None;
        let began = Instant::now();
        let text = self.start_text();
        let begin =
            |kept| Conversation::begin(&self.seat.program, kept, &text, self.log.clone(), stopped);
        let talk = match self.seat.kept.take(&self.seat.program).map(|kept| begin(Some(kept))) {
            Some(Ok(talk)) => talk,
            // One that has died since its last match does not lose this one by that.
            Some(Err(Trouble::Fault(_))) | None => begin(None)?,
            Some(Err(Trouble::Stopped)) => return Err(Trouble::Stopped),
        };
        let seconds = began.elapsed().as_secs_f32();
        talk.note(&format!("it was ready after {seconds:.3} s"));
        let name = match talk.ready.name.as_str() {
            "" => self.seat.program.label(),
            name => name.to_owned(),
        };
        self.log.introduce(name);
        self.conversation = Some(talk);
        Ok(())
    }

    /// Plays on by the actions that were given at once, or asks for the action of a turn.
    fn play(&mut self, clock: &Clock) -> Result<(), Trouble> {
        let Some((question, seen)) = self.question.take() else { return Ok(()) };
        let whole = G::MATCH_RULES.whole_answers;
        if let Some((turn, mut plan)) = self.plan.take().filter(|(turn, _)| *turn == question.turn)
        {
            return self.play_on(&question, plan.pop_front(), (turn + 1, plan));
        }
        let actions = self.ask(&question, &seen, clock)?;
        let mut actions = actions.into_iter();
        self.choice = actions.next();
        match (&self.choice, whole) {
            (Some(_), true) => self.plan = Some((question.turn + 1, actions.collect())),
            (None, true) => self.closing = Some(Closing::Unsolved),
            (_, false) => {}
        }
        Ok(())
    }

    /// Plays the next one of actions that were given at once. After the last one, and after one that breaks a rule,
    /// the program has not solved its problem.
    fn play_on(
        &mut self,
        question: &Question<G>,
        next: Option<G::Action>,
        rest: (usize, VecDeque<G::Action>),
    ) -> Result<(), Trouble> {
        let mut conduct = TurnConduct::default();
        let seat = self.context.seat;
        match next.map(|next| (self.context.game.legal(&question.state, seat, &next), next)) {
            Some((Ok(()), next)) => {
                self.choice = Some(next);
                self.plan = Some(rest);
            }
            Some((Err(why), _)) => {
                self.log.add(LogSource::Note, &why);
                conduct.illegal = Some(why);
                self.closing = Some(Closing::Unsolved);
            }
            None => self.closing = Some(Closing::Unsolved),
        }
        self.mailbox.report(conduct);
        Ok(())
    }

    /// Asks for the actions of a turn; none if no answer came that can be played.
    fn ask(
        &mut self,
        question: &Question<G>,
        seen: &G::Observation,
        clock: &Clock,
    ) -> Result<Vec<G::Action>, Trouble> {
        let stopped = || clock.is_stopped();
        if self.conversation.is_none() {
            self.start(&stopped)?;
        }
        let game = Arc::clone(&self.context.game);
        let seat = self.context.seat;
        let limit = match clock.budget() {
            Budget::Time(limit) | Budget::Cpu(limit) => Some(limit),
            Budget::Work(_) => None,
        };
        let actions = match G::MATCH_RULES.whole_answers {
            true => None,
            false => game.actions(&question.state, seat),
        };
        let turn = question.turn;
        let text = message(&RefereeMessage::<(), _, _, _>::Turn(TurnMessage {
            turn,
            observation: seen,
            actions,
            default: Answer::of::<G>(game.null_action(&question.state, seat)),
            ms: limit.map(milliseconds),
            bank_ms: milliseconds(self.bank),
            last: self.last,
        }));
        let Some(talk) = &mut self.conversation else { return Err(Trouble::Stopped) };
        let waited = talk.waited();
        talk.send(&text)?;
        clock.restart();
        let asked = Instant::now();
        let mut conduct = TurnConduct { silent: true, ..TurnConduct::default() };
        let mut thought = ProgramThought { turn, ..ProgramThought::default() };
        let mut best: Option<(Vec<G::Action>, Instant)> = None;
        let (answer, at) = loop {
            // An answer that may be followed by better ones ends with the time; without any, the bank is used.
            let end = match (limit, &best) {
                (None, _) => None,
                (Some(limit), Some(_)) => Some(limit),
                (Some(limit), None) => Some(limit + self.bank + GRACE),
            };
            let left = end.map(|end| end.saturating_sub(asked.elapsed()));
            let heard = talk.hear(left.unwrap_or(Duration::MAX), &stopped)?;
            conduct.silent &= matches!(heard, Heard::Nothing);
            let (said, at) = match heard {
                Heard::Nothing => break best.take().unzip(),
                Heard::Broken(why) => {
                    conduct.broken.get_or_insert(why);
                    continue;
                }
                Heard::Message(said, at) => (said, at),
            };
            match *said {
                ProgramMessage::Action(ActionMessage { turn: of, .. }) if of != turn => {
                    talk.note(&format!("an answer to turn {of} is dropped: this is turn {turn}"));
                    if of > turn {
                        let why = format!("it answered turn {of} in turn {turn}");
                        conduct.broken.get_or_insert(why);
                    }
                }
                ProgramMessage::Action(ActionMessage { action, more, .. }) => {
                    let read = read_answer::<G>(&game, &question.state, seat, action);
                    let legal = read.and_then(|actions| {
                        match game.legal(&question.state, seat, &actions[0]) {
                            Ok(()) => Ok(actions),
                            Err(why) => Err((true, why)),
                        }
                    });
                    match legal {
                        Ok(actions) if more => best = Some((actions, at)),
                        Ok(actions) => break (Some(actions), Some(at)),
                        Err((is_illegal, why)) => {
                            talk.note(&why);
                            let kind =
                                if is_illegal { &mut conduct.illegal } else { &mut conduct.broken };
                            kind.get_or_insert(why);
                            if !more {
                                // The turn is over, with what could be played before.
                                let known = best.take().map(|(actions, _)| actions);
                                break (known, Some(at));
                            }
                        }
                    }
                }
                ProgramMessage::Insight(InsightMessage { turn: of, .. })
                | ProgramMessage::Note { turn: of, .. }
                    if of != turn => {}
                ProgramMessage::Insight(insight) => {
                    let actions = insight.line.iter().cloned().map(serde_json::from_value);
                    self.line = actions.map_while(Result::ok).collect();
                    self.insight = insight.into_insight();
                    thought.insight = Some(Arc::new(self.insight.clone()));
                }
                ProgramMessage::Note { text, .. } => {
                    let text = cut(&on_one_line(&text), MAX_NOTE);
                    if thought.notes.len() < MOST_NOTES && !text.is_empty() {
                        thought.notes.push(text);
                    }
                }
                ProgramMessage::Ready(_) => talk.note("it is ready again"),
            }
        };
        let took = at.map_or_else(|| asked.elapsed(), |at| at.saturating_duration_since(asked));
        conduct.late = at.is_none();
        if let Some(limit) = limit {
            conduct.banked = took.saturating_sub(limit).min(self.bank);
            self.bank -= conduct.banked;
        }
        if conduct.late
            && let (Some(before), Some(now)) = (waited, talk.waited())
        {
            conduct.starved = now.saturating_sub(before) > took / 2;
        }
        self.took = took;
        self.last = Some(LastAnswer { ms: milliseconds(took), late: conduct.late });
        self.insight.notes.clone_from(&thought.notes);
        self.mailbox.think(thought);
        self.mailbox.report(conduct);
        Ok(answer.unwrap_or_default())
    }

    /// Takes down what went wrong. A program whose question was given up is started again for the next one: its
    /// answer could pass for one to that.
    fn note(&mut self, trouble: Trouble) {
        // Ends the program, whatever it does.
        self.conversation = None;
        if let Trouble::Fault(why) = trouble {
            self.log.add(LogSource::Note, &why);
            self.fault = Some(why);
        }
    }
}

/// The actions of an answer, at least one; or whether it is illegal rather than broken, and why.
fn read_answer<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    action: Value,
) -> Result<Vec<G::Action>, (bool, String)> {
    let unreadable = |why: serde_json::Error| (false, format!("its action cannot be read: {why}"));
    if G::MATCH_RULES.whole_answers {
        let actions: Vec<G::Action> = serde_json::from_value(action).map_err(unreadable)?;
        return match actions.is_empty() {
            true => Err((false, "its answer has no actions".into())),
            false => Ok(actions),
        };
    }
    let action: G::Action = serde_json::from_value(action).map_err(unreadable)?;
    Ok(vec![game.completed(state, seat, action)])
}

/// An action in the form of an answer.
#[derive(serde::Serialize)]
#[serde(untagged)]
pub(super) enum Answer<A> {
    One(A),
    Whole([A; 1]),
}

impl<A> Answer<A> {
    pub fn of<G: Game>(action: A) -> Self {
        match G::MATCH_RULES.whole_answers {
            true => Self::Whole([action]),
            false => Self::One(action),
        }
    }
}

fn message<M: serde::Serialize>(message: &M) -> String {
    // Messages are plain data, which always serialises.
    serde_json::to_string(message).unwrap_or_default()
}

fn limit_of(control: TimeControl) -> Option<Duration> {
    match control {
        TimeControl::Turn(Budget::Time(limit) | Budget::Cpu(limit)) => Some(limit),
        _ => None,
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl<G: Game> Planner<G> for ProgramPlayer<G> {
    fn prepare(&mut self, clock: &Clock) -> Progress {
        if let Err(trouble) = self.start(&|| clock.is_over()) {
            let is_late = trouble == Trouble::Stopped && !clock.is_stopped();
            let late = Trouble::Fault(slow(self.seat.preparation));
            self.note(if is_late { late } else { trouble });
        }
        Progress::Done
    }

    fn observe(&mut self, seen: &G::Observation) {
        // The first question only meets what the preparation left.
        if self.default.is_some() {
            self.fault = None;
        }
        let question = self.mailbox.question();
        let game = &self.context.game;
        let seat = self.context.seat;
        self.default = question.as_ref().map(|asked| game.null_action(&asked.state, seat));
        self.question = question.map(|question| (question, seen.clone()));
        self.choice = None;
        self.closing = None;
        self.insight = Insight::default();
        self.line = Vec::new();
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        if self.fault.is_none()
            && let Err(trouble) = self.play(clock)
        {
            self.note(trouble);
        }
        Progress::Done
    }

    /// # Panics
    /// If nobody has asked.
    fn best(&self) -> G::Action {
        match self.choice.as_ref().or(self.default.as_ref()) {
            Some(action) => action.clone(),
            None => panic!("there is no best action before a turn"),
        }
    }

    fn line(&self) -> Line<G::Action> {
        Line { value: None, actions: self.line.clone() }
    }

    fn closing(&self) -> Option<Closing> {
        self.closing
    }

    fn fault(&self) -> Option<String> {
        self.fault.clone()
    }

    fn log(&self) -> Option<ProgramLog> {
        Some(self.log.clone())
    }

    fn insight(&self) -> Insight {
        self.insight.clone()
    }
}

impl<G: Game> ProgramPlayer<G> {
    /// Lets the program end, and waits until all that it printed is in the log.
    pub(super) fn finish(&mut self) {
        if let Some((talk, _)) = self.take_leave() {
            talk.into_program().finish();
        }
    }

    /// Tells the program how the match has ended, for the last time. Returns whether that could be sent.
    fn take_leave(&mut self) -> Option<(Conversation, bool)> {
        let mut talk = self.conversation.take()?;
        let end = RefereeMessage::<(), (), (), ()>::End { outcome: self.mailbox.outcome() };
        let heard = talk.send(&message(&end)).is_ok();
        Some((talk, heard))
    }
}

impl<G: Game> Drop for ProgramPlayer<G> {
    fn drop(&mut self) {
        let Some((talk, heard)) = self.take_leave() else { return };
        // The answer to a question that it was too late for would come in the next match.
        let owes = self.last.is_some_and(|last| last.late);
        if heard && talk.ready.keep_alive && !owes {
            self.seat.kept.put(self.seat.program.clone(), talk.into_program());
        }
    }
}
