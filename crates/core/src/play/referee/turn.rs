//! One seat's turn: asks its player, takes the answer in time, and rules on it.

use super::super::driver::{Answer, Asked, Driver};
use super::super::protocol::Question;
use super::super::{
    Budget, Clock, Closing, Game, Preparation, Progress, Seat, Spent, TimeControl, TurnStats,
};
use super::Referee;
use crate::platform::task::{AtWork, panic_text};
use crate::platform::time::{Duration, Instant};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;

/// A planner whose preparation is stopped has this long to return.
const PREPARATION_GRACE: Duration = Duration::from_millis(500);

impl<G: Game> Referee<G> {
    /// Ends the match if the preparation of a planner has failed.
    pub(super) fn find_fault(&mut self) -> bool {
        let fault = |driver: &Driver<G>| match driver {
            // Faults in a turn are found when its answer is collected.
            Driver::Thread(thread) => {
                thread.peek(|report| report.fault.clone().filter(|_| report.question == 0))
            }
            _ => None,
        };
        let found = self
            .slots
            .iter()
            .enumerate()
            .find_map(|(seat, slot)| fault(&slot.driver).map(|why| (Seat(seat as u8), why)));
        if let Some((seat, why)) = found {
            self.fail(seat, why);
        }
        self.is_over()
    }

    /// A seat loses since the program that plays for it failed.
    fn fail(&mut self, seat: Seat, why: String) {
        self.slots[seat.index()].fault = Some(why);
        self.close(seat, Closing::Failed);
    }

    /// Asks the player of a seat for the present turn, once.
    pub(super) fn ask(&mut self, seat: Seat) {
        let slot = &mut self.slots[seat.index()];
        if slot.asked.is_some() || slot.chosen.is_some() {
            return;
        }
        let turn = self.played.len();
        let Some(seen) = self.played.observation(turn, seat) else { return };
        let budget = slot.budget();
        let mut asked = Asked { question: 0, turn, at: Instant::now() };
        match &mut slot.driver {
            Driver::Thread(thread) => {
                if let Some(mailbox) = &slot.mailbox {
                    mailbox.ask(Question { turn, state: self.played.state().clone() });
                }
                asked.question = thread.begin(seen, budget);
            }
            Driver::Sliced(sliced) => sliced.begin(seen, budget),
            Driver::Inline(planner) => {
                let planner = planner.get_mut().unwrap_or_else(PoisonError::into_inner);
                let clock = Clock::new(budget, self.stop.clone());
                let at_work = AtWork::begin();
                let answer = catch_unwind(AssertUnwindSafe(|| {
                    planner.observe(&seen);
                    let mut progress = Progress::More;
                    while progress == Progress::More {
                        progress = planner.think(&clock);
                        if clock.is_over() {
                            break;
                        }
                    }
                    Answer::of(planner.as_ref(), progress)
                }));
                drop(at_work);
                slot.asked = Some(asked);
                slot.last = slot.asked;
                let spent = clock.spent();
                let is_lost = slot.loses_on_time(spent);
                slot.record(TurnStats::of(turn, spent, budget));
                if is_lost {
                    return self.close(seat, Closing::TimeOver);
                }
                self.accept(seat, answer);
                return;
            }
            Driver::Person | Driver::Recording | Driver::Gone => {}
        }
        slot.asked = Some(asked);
        slot.last = slot.asked;
    }

    /// Takes the answer of a planner on this thread, or its panic.
    fn accept(&mut self, seat: Seat, answer: Result<Answer<G::Action>, Box<dyn Any + Send>>) {
        match answer {
            Ok(Answer::Closes(closing)) => self.close(seat, closing),
            Ok(Answer::Fails(why)) => self.fail(seat, why),
            Ok(Answer::Plays(action)) => {
                self.slots[seat.index()].chosen = Some(action);
                self.rule_on_choice(seat);
            }
            Err(payload) => self.dismiss(seat, panic_text(payload.as_ref())),
        }
    }

    /// A planner cannot be asked any more: the null action from now on. One that speaks for a program
    /// loses by it.
    fn dismiss(&mut self, seat: Seat, why: String) {
        if self.slots[seat.index()].is_program() {
            return self.fail(seat, why);
        }
        let null = self.played.game().null_action(self.played.state(), seat);
        let slot = &mut self.slots[seat.index()];
        slot.panic = Some(why);
        slot.driver = Driver::Gone;
        slot.chosen = Some(null);
    }

    /// Takes the answer of a seat that has finished, overrun or failed.
    pub(super) fn collect(&mut self, seat: Seat) {
        let slot = &mut self.slots[seat.index()];
        let Some(asked) = slot.asked else { return };
        if slot.chosen.is_some() {
            return;
        }
        let limit = slot.limit();
        match &mut slot.driver {
            Driver::Recording | Driver::Inline(_) => {}
            Driver::Gone => {
                slot.chosen = Some(self.played.game().null_action(self.played.state(), seat));
            }
            Driver::Person => {
                if limit.is_some_and(|limit| asked.at.elapsed() >= limit) {
                    if G::MATCH_RULES.loses_on_time
                        && matches!(slot.control, TimeControl::Match { .. })
                    {
                        return self.close(seat, Closing::TimeOver);
                    }
                    let game = self.played.game();
                    let state = self.played.state();
                    let proposal = slot.proposal.take();
                    let fits = |action: &G::Action| game.legal(state, seat, action).is_ok();
                    let action =
                        proposal.filter(fits).unwrap_or_else(|| game.null_action(state, seat));
                    slot.decide(action, true);
                }
            }
            Driver::Sliced(sliced) => {
                let answer = catch_unwind(AssertUnwindSafe(|| sliced.slice()));
                let answer = match answer {
                    Ok(None) => return,
                    Ok(Some(answer)) => Ok(answer),
                    Err(payload) => Err(payload),
                };
                let spent = sliced.spent();
                let overrun = sliced.overrun();
                slot.preparation = sliced.preparation().time();
                let is_lost = overrun && slot.loses_on_time(spent);
                let turn = TurnStats { turn: asked.turn, spent, ..TurnStats::default() };
                slot.record(TurnStats { overrun, ..turn });
                if is_lost {
                    return self.close(seat, Closing::TimeOver);
                }
                self.accept(seat, answer);
            }
            Driver::Thread(_) => self.collect_from_thread(seat, asked),
        }
    }

    fn collect_from_thread(&mut self, seat: Seat, asked: Asked) {
        let slot = &mut self.slots[seat.index()];
        let Driver::Thread(thread) = &slot.driver else { return };
        let report = thread.report();
        let answered = report.question == asked.question;
        if let Some(why) = report.panic {
            let spent = Spent { thought: asked.at.elapsed(), ..Spent::default() };
            slot.record(TurnStats { turn: asked.turn, spent, ..TurnStats::default() });
            return self.dismiss(seat, why);
        }
        match report.preparation {
            Preparation::Ready(time) | Preparation::Cut(time) => slot.preparation = time,
            Preparation::Running => {
                if self.started.elapsed() > slot.preparation_limit + PREPARATION_GRACE {
                    let limit = slot.preparation_limit.as_secs_f32();
                    let why = format!("its preparation did not end within {limit} s");
                    return self.dismiss(seat, why);
                }
                slot.asked = Some(Asked { at: Instant::now(), ..asked });
                return;
            }
        }
        // Preparation is not counted: the clock of the first turn starts when it ends.
        let at = report.prepared.map_or(asked.at, |prepared| prepared.max(asked.at));
        let asked = Asked { at, ..asked };
        slot.asked = Some(asked);
        let budget = slot.budget();
        if answered && report.done {
            // While a program thinks, the thread that speaks for it waits.
            let cpu = report.spent.cpu.filter(|_| !slot.is_program());
            let spent = Spent { cpu, ..report.spent };
            let conduct = slot.mailbox.as_ref().map(|mailbox| mailbox.conduct());
            let turn = TurnStats::of(asked.turn, spent, budget);
            let is_lost = match &conduct {
                Some(conduct) => slot.strict && conduct.late,
                None => slot.loses_on_time(spent),
            };
            slot.record(conduct.map_or(turn, |conduct| turn.of_program(&conduct)));
            if is_lost {
                return self.close(seat, Closing::TimeOver);
            }
            if let Some(why) = report.fault {
                return self.fail(seat, why);
            }
            if let Some(closing) = report.closing {
                return self.close(seat, closing);
            }
            slot.chosen = report.best;
            return self.rule_on_choice(seat);
        }
        let cpu = match budget {
            Budget::Cpu(_) => thread.cpu(),
            Budget::Time(_) | Budget::Work(_) => None,
        };
        let work = if answered { report.spent.work } else { 0 };
        let spent = Spent { thought: asked.at.elapsed(), cpu, work };
        if slot.is_too_late(spent) {
            let cpu = thread.cpu().filter(|_| !slot.is_program());
            let turn = TurnStats {
                turn: asked.turn,
                spent: Spent { cpu, ..spent },
                ..TurnStats::default()
            };
            thread.stop();
            slot.record(turn.judged(true, budget));
            if slot.is_program() {
                return self.fail(seat, "it does not answer".into());
            }
            if slot.strict {
                return self.close(seat, Closing::TimeOver);
            }
            // An answer to an earlier question may not fit this one.
            let game = self.played.game();
            let state = self.played.state();
            slot.chosen = Some(
                report
                    .best
                    .filter(|action| answered || game.legal(state, seat, action).is_ok())
                    .unwrap_or_else(|| game.null_action(state, seat)),
            );
            self.rule_on_choice(seat);
        }
    }

    /// Replaces an illegal choice by the null action.
    fn rule_on_choice(&mut self, seat: Seat) {
        let slot = &mut self.slots[seat.index()];
        let game = self.played.game();
        let state = self.played.state();
        if let Some(action) = &slot.chosen
            && game.legal(state, seat, action).is_err()
        {
            if let Some(turn) = slot.turns.last_mut() {
                turn.illegal = true;
            }
            slot.chosen = Some(game.null_action(state, seat));
        }
    }
}
