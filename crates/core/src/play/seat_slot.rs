//! A seat of a running match: who answers for it, and what it has said and spent.

use super::driver::{Asked, Driver, Sliced};
use super::planner_thread::prepare;
use super::protocol::{Mailbox, ProgramPlayer, ProgramSeat};
use super::{
    AllowedProgram, Budget, Clock, ENGINE_START, EngineSeat, EngineSpec, GRACE, Game, KeptPrograms,
    Planner, PlannerContext, PlannerMaker, PlannerThread, Player, Preparation, SetupError, Spent,
    StopFlag, Thinking, TimeControl, TurnStats, check_engine_budget,
};
use crate::platform::task::panic_text;
use crate::platform::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

/// How much longer a planner may take that speaks for a program: time to clear the program's board, and to
/// start it again if it does not know how.
const ENGINE_GRACE: Duration =
    ENGINE_START.saturating_mul(2).saturating_add(Duration::from_secs(10));

pub(super) struct SeatSlot<G: Game> {
    pub player: Player,
    pub driver: Driver<G>,
    pub control: TimeControl,
    /// Whether whoever exceeds its time loses the match.
    pub strict: bool,
    /// What is left of the match's time before the turn it is asked about.
    pub left: Duration,
    pub preparation: Duration,
    pub panic: Option<String>,
    pub fault: Option<String>,
    pub turns: Vec<TurnStats>,
    pub chosen: Option<G::Action>,
    /// What a person would play if time were up.
    pub proposal: Option<G::Action>,
    pub asked: Option<Asked>,
    /// The question that its picture and its line are about.
    pub last: Option<Asked>,
    pub preparation_limit: Duration,
    /// What the program or the person of a recorded match was called.
    pub own_name: Option<String>,
    /// Of a program that speaks the common protocol.
    pub mailbox: Option<Arc<Mailbox<G>>>,
}

impl<G: Game> SeatSlot<G> {
    pub fn new(player: Player, driver: Driver<G>, control: TimeControl) -> Self {
        Self {
            player,
            driver,
            control,
            strict: false,
            left: control.total().unwrap_or_default(),
            preparation: Duration::ZERO,
            panic: None,
            fault: None,
            turns: Vec::new(),
            chosen: None,
            proposal: None,
            asked: None,
            last: None,
            preparation_limit: Duration::ZERO,
            own_name: None,
            mailbox: None,
        }
    }

    /// Takes down what a turn took.
    pub fn record(&mut self, turn: TurnStats) {
        self.turns.push(turn);
        self.count_time();
    }

    /// What the turns so far leave of the match's time.
    pub fn count_time(&mut self) {
        if let TimeControl::Match { total, increment } = self.control {
            self.left = self.turns.iter().fold(total, |left, turn| {
                left.saturating_sub(turn.spent.thought).saturating_add(increment)
            });
        }
    }

    /// Takes a person's choice.
    pub fn decide(&mut self, action: G::Action, late: bool) {
        if let Some(asked) = self.asked {
            let spent = Spent { thought: asked.at.elapsed(), ..Spent::default() };
            let turn = TurnStats { turn: asked.turn, spent, ..TurnStats::default() };
            self.record(TurnStats { overrun: late, ..turn });
        }
        self.chosen = Some(action);
    }

    /// What the seat may spend on the turn it is asked about. A program divides the time of a match
    /// itself.
    pub fn budget(&self) -> Budget {
        match self.control {
            TimeControl::Match { .. } if self.is_program() => Budget::Time(self.left),
            control => control.budget(self.left),
        }
    }

    /// Whether another program plays.
    pub fn is_program(&self) -> bool {
        self.player.program().is_some()
    }

    /// How far its planner is with its preparation; `None` for others.
    pub fn planner_preparation(&self) -> Option<Preparation> {
        match &self.driver {
            Driver::Thread(thread) => Some(thread.peek(|report| report.preparation)),
            Driver::Sliced(sliced) => Some(sliced.preparation()),
            Driver::Inline(_) => Some(Preparation::Ready(self.preparation)),
            Driver::Person | Driver::Recording | Driver::Gone => None,
        }
    }

    /// Whether a planner of this program is thinking about the present turn.
    pub fn can_hurry(&self) -> bool {
        self.asked.is_some()
            && self.chosen.is_none()
            && !self.is_program()
            && self.planner_preparation().is_some_and(|ready| ready != Preparation::Running)
    }

    /// How long after its time a planner is still waited for. Those that speak for programs say
    /// themselves when these are too late, and may have had to start them again first.
    pub fn grace(&self) -> Duration {
        if self.is_program() { GRACE + ENGINE_GRACE } else { GRACE }
    }

    /// How long a planner is waited for in the present turn, if that is wall-clock time. A planner divides
    /// the time of a match into budgets; only in a strict match it is left alone with more than that.
    pub fn patience(&self) -> Option<Duration> {
        let limit = match self.budget() {
            Budget::Time(limit) => limit,
            Budget::Cpu(_) | Budget::Work(_) => return None,
        };
        let limit = self.limit().filter(|_| self.strict).unwrap_or(limit);
        Some(limit.saturating_add(self.grace()))
    }

    /// Whether a planner that has spent so much on the present turn is not waited for any longer.
    pub fn is_too_late(&self, spent: Spent) -> bool {
        match self.patience() {
            Some(patience) => spent.thought > patience,
            None => spent.exceeds(self.budget(), self.grace()),
        }
    }

    /// Whether it loses the match since it has spent so much on the present turn.
    pub fn loses_on_time(&self, spent: Spent) -> bool {
        self.strict
            && match self.limit() {
                Some(limit) => spent.thought > limit.saturating_add(GRACE),
                None => spent.exceeds(self.budget(), GRACE),
            }
    }

    /// The time that it has for the present turn: of a match, all that is left.
    pub fn limit(&self) -> Option<Duration> {
        match self.control {
            TimeControl::Turn(Budget::Time(limit)) => Some(limit),
            TimeControl::Match { .. } => Some(self.left),
            TimeControl::Turn(Budget::Cpu(_) | Budget::Work(_)) | TimeControl::Unlimited => None,
        }
    }
}

/// Puts another program on a seat. Its planner always has a thread of its own, since it may have to
/// wait.
pub(super) fn seat_engine<G: Game>(
    slot: &mut SeatSlot<G>,
    program: AllowedProgram,
    context: PlannerContext<G>,
    against_people: bool,
) -> Result<(), SetupError> {
    let spec = EngineSpec::<G>::of(&context.game, slot.control)?;
    let seat = EngineSeat { program, control: slot.control, against_people };
    slot.driver =
        Driver::Thread(thread(move || (spec.make)(context, seat), slot.preparation_limit)?);
    Ok(())
}

/// Puts a program that speaks the common protocol on a seat.
pub(super) fn seat_program<G: Game>(
    slot: &mut SeatSlot<G>,
    program: AllowedProgram,
    context: PlannerContext<G>,
    (bank, kept): (Duration, KeptPrograms),
) -> Result<(), SetupError> {
    check_engine_budget(slot.control).map_err(|why| SetupError(why.into()))?;
    let mailbox = Arc::<Mailbox<G>>::default();
    let preparation = slot.preparation_limit;
    let bank = match slot.control {
        TimeControl::Turn(_) => bank,
        TimeControl::Match { .. } | TimeControl::Unlimited => Duration::ZERO,
    };
    let seat = ProgramSeat { program, control: slot.control, bank, preparation, kept };
    slot.mailbox = Some(Arc::clone(&mailbox));
    slot.driver = Driver::Thread(thread(
        move || -> Box<dyn Planner<G>> { Box::new(ProgramPlayer::new(context, seat, mailbox)) },
        preparation,
    )?);
    Ok(())
}

fn thread<G: Game>(
    make: impl FnOnce() -> Box<dyn Planner<G>> + Send + 'static,
    limit: Duration,
) -> Result<PlannerThread<G>, SetupError> {
    PlannerThread::new(make, limit)
        .map_err(|error| SetupError(format!("could not start a worker thread: {error}")))
}

/// Puts a planner on a seat.
pub(super) fn seat_planner<G: Game>(
    slot: &mut SeatSlot<G>,
    maker: PlannerMaker<G>,
    context: PlannerContext<G>,
    thinking: Thinking,
    stop: &StopFlag,
) -> Result<(), SetupError> {
    let make = move |context| maker.make(context);
    let limit = slot.preparation_limit;
    slot.driver = match thinking {
        Thinking::Threads => Driver::Thread(thread(move || make(context), limit)?),
        Thinking::Sliced => match catch_unwind(AssertUnwindSafe(|| make(context))) {
            Ok(planner) => Driver::Sliced(Box::new(Sliced::new(planner, limit, stop.clone()))),
            Err(payload) => {
                slot.panic = Some(panic_text(payload.as_ref()));
                Driver::Gone
            }
        },
        Thinking::Inline => {
            let clock = Clock::new(Budget::Time(limit), stop.clone());
            let made = catch_unwind(AssertUnwindSafe(|| {
                let mut planner = make(context);
                prepare(planner.as_mut(), &clock);
                planner
            }));
            slot.preparation = clock.elapsed();
            match made {
                Ok(planner) => Driver::Inline(Mutex::new(planner)),
                Err(payload) => {
                    slot.panic = Some(panic_text(payload.as_ref()));
                    Driver::Gone
                }
            }
        }
    };
    Ok(())
}
