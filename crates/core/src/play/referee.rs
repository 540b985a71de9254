//! Time and law: asks the players, waits for nobody, plays the turn.

mod programs;
mod turn;

use super::driver::Driver;
use super::planner_thread::{line, picture};
use super::protocol::Mailbox;
use super::seat_slot::{SeatSlot, seat_engine, seat_planner, seat_program};
use super::{
    Actions, Budget, Chance, Closing, Game, Insight, Line, Match, MatchError, MatchSetup, Outcome,
    Planner, PlannerContext, PlannerMaker, PlannerSpec, Player, Preparation, ProgramKind, Replay,
    Seat, SeatStats, SetupError, Spent, StopFlag, Thinking, TimeControl,
};
use crate::platform::time::{Duration, Instant};
use std::sync::{Arc, Mutex, PoisonError};

/// What [`Referee::poll`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// Somebody still thinks or has not chosen.
    Waiting,
    /// A turn was played.
    Played,
    /// The match is over.
    Over,
}

/// Runs a match between people and planners.
pub struct Referee<G: Game> {
    played: Match<G>,
    slots: Vec<SeatSlot<G>>,
    started: Instant,
    stop: StopFlag,
    closed: bool,
}

impl<G: Game> Referee<G> {
    /// Seats everybody. Planners begin to prepare; [`Inline`](super::Thinking::Inline) ones do so here.
    ///
    /// # Errors
    /// If a planner is unknown, a program cannot play the level, the number of players or time controls does not fit the game, or the
    /// seed draws no start.
    pub fn new(
        game: Arc<G>,
        specs: &[PlannerSpec<G>],
        setup: MatchSetup,
    ) -> Result<Self, SetupError> {
        let seats = game.seats();
        for (what, found) in [
            ("players", setup.players.len()),
            ("time controls", setup.controls.len()),
            ("limits of preparation", setup.preparation.len()),
        ] {
            if found != seats {
                return Err(SetupError(format!("{found} {what} for {seats} seats")));
            }
        }
        for control in &setup.controls {
            if let TimeControl::Turn(budget) = control {
                budget.check().map_err(SetupError)?;
                if matches!((budget, setup.thinking), (Budget::Cpu(_), Thinking::Sliced)) {
                    let why = "planners that share a thread have no processor time of their own";
                    return Err(SetupError(why.into()));
                }
            }
        }
        let chance = Chance::salted(setup.seed, setup.salt);
        let played = Match::with_chance(Arc::clone(&game), chance)?;
        let mut slots = Vec::new();
        for (index, (player, control)) in setup.players.iter().zip(&setup.controls).enumerate() {
            let seat = Seat(index as u8);
            let mut slot = SeatSlot::new(player.clone(), Driver::Person, *control);
            slot.strict = setup.strict;
            slot.preparation_limit = setup.preparation[index];
            if let Player::Planner(name) = player {
                let seed = played.chance().planner_seed(seat);
                let context = PlannerContext { game: Arc::clone(&game), seat, seed };
                if let Some(named) = player.program() {
                    let program = setup.programs.find(named.command);
                    let program = program.map_err(|why| SetupError(why.into()))?;
                    match named.kind {
                        ProgramKind::Program => {
                            let terms = (setup.bank, setup.kept.clone());
                            seat_program(&mut slot, program, context, terms)?;
                        }
                        ProgramKind::Engine => {
                            let against_people = setup.players.contains(&Player::Human);
                            seat_engine(&mut slot, program, context, against_people)?;
                        }
                    }
                } else {
                    let maker = PlannerMaker::of(specs, name, seat)?;
                    seat_planner(&mut slot, maker, context, setup.thinking, &setup.stop)?;
                }
            }
            slots.push(slot);
        }
        Ok(Self { played, slots, started: Instant::now(), stop: setup.stop, closed: false })
    }

    /// A referee over a recorded match, with what programs thought in it: nobody is asked any more.
    pub fn of_record(played: Match<G>, replay: &Replay<G>) -> Self {
        let slot = |(seat, name): (usize, &String)| {
            let mut slot =
                SeatSlot::new(name.as_str().into(), Driver::Recording, TimeControl::Unlimited);
            slot.own_name = replay.own_name(Seat(seat as u8));
            let mut own =
                replay.thoughts.iter().filter(|thought| thought.seat.index() == seat).peekable();
            if own.peek().is_some() {
                let mailbox = Mailbox::<G>::default();
                own.for_each(|thought| mailbox.think(thought.thought()));
                slot.mailbox = Some(Arc::new(mailbox));
            }
            slot
        };
        Self {
            played,
            slots: replay.seats.iter().enumerate().map(slot).collect(),
            started: Instant::now(),
            stop: StopFlag::default(),
            closed: true,
        }
    }

    /// Calls `wake` whenever a planner on a thread has news.
    pub fn on_news(&self, wake: impl Fn() + Send + Clone + 'static) {
        for slot in &self.slots {
            if let Driver::Thread(thread) = &slot.driver {
                thread.on_news(wake.clone());
            }
        }
    }

    /// The match so far.
    pub fn played(&self) -> &Match<G> {
        &self.played
    }

    /// Who plays a seat.
    pub fn player(&self, seat: Seat) -> &Player {
        &self.slots[seat.index()].player
    }

    /// What the players are called, by seat, as in replays.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.slots.iter().map(|slot| slot.player.name())
    }

    /// How a seat behaved in the turns of the present line.
    pub fn stats(&self, seat: Seat) -> SeatStats {
        let slot = &self.slots[seat.index()];
        SeatStats {
            panic: slot.panic.clone(),
            fault: slot.fault.clone(),
            ..SeatStats::of(&slot.turns, slot.preparation)
        }
    }

    /// How much time a seat has.
    pub fn control(&self, seat: Seat) -> TimeControl {
        self.slots[seat.index()].control
    }

    /// What is left of a seat's time, for this turn or for the match, if its time is limited.
    pub fn time_left(&self, seat: Seat) -> Option<Duration> {
        let slot = &self.slots[seat.index()];
        let spent = match (slot.asked, &slot.chosen) {
            (Some(asked), None) => asked.at.elapsed(),
            _ => Duration::ZERO,
        };
        Some(slot.limit()?.saturating_sub(spent))
    }

    /// How much of its budget a planner has used of the turn that it thinks about, or used of its
    /// last one: from 0 to 1, `None` before the first.
    pub fn used(&self, seat: Seat) -> Option<f32> {
        let slot = &self.slots[seat.index()];
        let spent = match (slot.asked, &slot.driver) {
            (Some(asked), Driver::Thread(thread)) if slot.chosen.is_none() => {
                let spent = thread.peek(|report| match report.question == asked.question {
                    true => report.spent,
                    false => Spent::default(),
                });
                Spent { thought: asked.at.elapsed(), ..spent }
            }
            // It says the same of a turn that is over, until the next one.
            (Some(_), Driver::Sliced(sliced)) => sliced.spent(),
            _ => slot.turns.last()?.spent,
        };
        let share_of =
            |time: Duration, limit: Duration| time.as_secs_f32() / limit.as_secs_f32().max(1e-6);
        let share = match slot.budget() {
            Budget::Time(limit) => share_of(spent.thought, limit),
            Budget::Cpu(limit) => share_of(spent.cpu.unwrap_or_default(), limit),
            Budget::Work(limit) => spent.work as f32 / limit.max(1) as f32,
        };
        Some(share.min(1.0))
    }

    /// How far the planner of a seat is with its preparation; `None` for others.
    pub fn preparation(&self, seat: Seat) -> Option<Preparation> {
        self.slots[seat.index()].planner_preparation()
    }

    /// Whether the planner of a seat is still preparing for the match.
    pub fn is_preparing(&self, seat: Seat) -> bool {
        self.preparation(seat) == Some(Preparation::Running)
    }

    /// The picture that the planner of a seat has of the last turn it was asked about, and the index
    /// of that turn. On a thread it is built only if somebody looks in that turn, so it may come a
    /// little later.
    pub fn insight(&self, seat: Seat) -> Option<(usize, Arc<Insight>)> {
        let slot = &self.slots[seat.index()];
        if let Driver::Thread(thread) = &slot.driver {
            thread.look();
        }
        let last = slot.last?;
        let insight = match &slot.driver {
            Driver::Thread(thread) => thread.peek(|report| {
                let answers = report.question == last.question;
                report.insight.clone().filter(|_| answers)
            })?,
            Driver::Sliced(sliced) => Arc::new(sliced.read(picture)?),
            Driver::Inline(planner) => Arc::new(read(planner, picture)),
            Driver::Person | Driver::Recording | Driver::Gone => return None,
        };
        Some((last.turn, insight))
    }

    /// What the planner of a seat expects of the last turn it was asked about; on a thread it may come
    /// a little later, as its [picture](Referee::insight).
    pub fn line(&self, seat: Seat) -> Line<G::Action> {
        let slot = &self.slots[seat.index()];
        if let Driver::Thread(thread) = &slot.driver {
            thread.look();
        }
        let Some(last) = slot.last else { return Line::default() };
        match &slot.driver {
            Driver::Thread(thread) => thread.peek(|report| {
                let answers = report.question == last.question;
                if answers { report.line.clone() } else { Line::default() }
            }),
            Driver::Sliced(sliced) => sliced.read(line).unwrap_or_default(),
            Driver::Inline(planner) => read(planner, line),
            Driver::Person | Driver::Recording | Driver::Gone => Line::default(),
        }
    }

    /// The seats that a person must choose for now.
    pub fn humans_to_move(&self) -> Vec<Seat> {
        let mut seats = self.played.to_move();
        seats.retain(|seat| {
            let slot = &self.slots[seat.index()];
            matches!(slot.driver, Driver::Person) && slot.chosen.is_none()
        });
        seats
    }

    /// A person's choice.
    ///
    /// # Errors
    /// If it is not that seat's turn, a planner plays it, or the action is illegal.
    pub fn choose(&mut self, seat: Seat, action: G::Action) -> Result<(), MatchError> {
        if !self.humans_to_move().contains(&seat) {
            return Err(MatchError::NotToMove(G::SEATS.id(seat)));
        }
        let legal = self.played.game().legal(self.played.state(), seat, &action);
        legal.map_err(MatchError::IllegalChoice)?;
        // A choice before the first poll of the turn counts as a turn too.
        self.ask(seat);
        self.slots[seat.index()].decide(action, false);
        Ok(())
    }

    /// What a person would play if time were up now; without a proposal it is the null action.
    pub fn propose(&mut self, seat: Seat, action: Option<G::Action>) {
        self.slots[seat.index()].proposal = action;
    }

    /// Whether a planner is thinking that can be told to choose at once. Other programs cannot: most of them hear
    /// nothing until they have answered.
    pub fn can_hurry(&self) -> bool {
        !self.is_over() && self.slots.iter().any(SeatSlot::can_hurry)
    }

    /// Lets the planners that are thinking about this turn choose what is best by what they have found so far.
    pub fn hurry(&mut self) {
        for slot in self.slots.iter_mut().filter(|slot| slot.can_hurry()) {
            match &mut slot.driver {
                Driver::Thread(thread) => thread.stop(),
                Driver::Sliced(sliced) => sliced.hurry(),
                _ => {}
            }
        }
    }

    /// A seat gives up; the match is over.
    pub fn close(&mut self, seat: Seat, closing: Closing) {
        self.played.close(seat, closing);
        self.tell_end();
        for slot in &self.slots {
            if let Driver::Thread(thread) = &slot.driver {
                thread.stop();
            }
        }
    }

    /// Moves the match on if everybody has chosen, or time is up for those who have not.
    ///
    /// Returns at once with planners on threads, after a few milliseconds with sliced ones; inline
    /// ones do all their thinking here.
    pub fn poll(&mut self) -> Ruling {
        if self.is_over() {
            return Ruling::Over;
        }
        if self.find_fault() {
            return Ruling::Over;
        }
        let seats = self.played.to_move();
        for &seat in &seats {
            self.ask(seat);
        }
        for &seat in &seats {
            self.collect(seat);
            if self.is_over() {
                return Ruling::Over;
            }
        }
        let mut actions = Vec::with_capacity(seats.len());
        for &seat in &seats {
            match &self.slots[seat.index()].chosen {
                Some(action) => actions.push((seat, action.clone())),
                None => return Ruling::Waiting,
            }
        }
        for slot in &mut self.slots {
            slot.chosen = None;
            slot.asked = None;
            slot.proposal = None;
        }
        match self.played.advance(actions) {
            Ok(_) => {
                self.tell_end();
                Ruling::Played
            }
            Err(_) => Ruling::Over,
        }
    }

    /// Plays turns until a person has to choose, the match ends, `max_turns` turns have been played
    /// or the stop flag is raised. Waits for each planner at most as long as its budget allows.
    pub fn run(&mut self, max_turns: usize) -> Ruling {
        loop {
            if self.stop.is_raised() {
                return Ruling::Waiting;
            }
            match self.poll() {
                Ruling::Played if self.played.len() >= max_turns => return Ruling::Played,
                Ruling::Played => {}
                Ruling::Over => return Ruling::Over,
                Ruling::Waiting if !self.humans_to_move().is_empty() => return Ruling::Waiting,
                Ruling::Waiting => self.wait(),
            }
        }
    }

    fn wait(&self) {
        // A raised flag wakes nobody, so it is looked at now and then.
        const LOOK: Duration = Duration::from_millis(100);
        for slot in &self.slots {
            if let (Driver::Thread(thread), Some(asked), None) =
                (&slot.driver, slot.asked, &slot.chosen)
            {
                let allowance = slot
                    .patience()
                    .map_or(LOOK, |patience| patience.saturating_sub(asked.at.elapsed()));
                thread.wait(asked.question, allowance.clamp(Duration::from_millis(1), LOOK));
            }
        }
    }

    /// Plays a turn with these actions, whoever sits there and whether or not the match is a recording.
    ///
    /// # Errors
    /// As [`Match::advance`].
    pub fn advance(&mut self, actions: Actions<G>) -> Result<(), MatchError> {
        self.played.advance(actions)?;
        self.forget_after(self.played.len());
        Ok(())
    }

    /// Takes over a match of the same level that was begun earlier, with its seed and its variations.
    /// Planners continue from its last turn.
    ///
    /// # Errors
    /// If it is another match; nothing is changed then.
    pub fn resume(&mut self, played: Match<G>) -> Result<(), MatchError> {
        let same_level = played.game().level() == self.played.game().level();
        if !same_level || played.states()[0] != self.played.states()[0] {
            return Err(MatchError::OtherLevel);
        }
        self.played = played.with_game(Arc::clone(self.played.game()));
        self.forget_after(0);
        Ok(())
    }

    /// Goes back to the state after `turn` turns and forgets what came later.
    pub fn rewind(&mut self, turn: usize) {
        self.played.rewind(turn);
        self.forget_after(turn);
    }

    /// Goes back to the state after `turn` turns; what came later stays as a variation.
    pub fn branch(&mut self, turn: usize) {
        self.played.branch(turn);
        self.forget_after(turn);
    }

    /// Makes a variation the present line.
    ///
    /// # Errors
    /// As [`Match::choose_variation`].
    pub fn choose_variation(&mut self, variation: usize) -> Result<(), MatchError> {
        let shared = self.played.shared_turns(variation);
        self.played.choose_variation(variation)?;
        self.forget_after(shared);
        Ok(())
    }

    /// Planners are asked again, and their statistics of later turns go.
    fn forget_after(&mut self, turn: usize) {
        for slot in &mut self.slots {
            slot.chosen = None;
            slot.asked = None;
            slot.proposal = None;
            slot.last = slot.last.filter(|last| last.turn < turn);
            slot.turns.retain(|stats| stats.turn < turn);
            slot.fault = None;
            slot.count_time();
            if let Driver::Thread(thread) = &slot.driver {
                thread.stop();
            }
        }
    }

    /// Whether no turn will be played any more.
    pub fn is_over(&self) -> bool {
        self.closed || self.played.outcome().is_some()
    }

    /// The result once the match is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.played.outcome()
    }
}

/// Reads something off a planner.
fn read<G: Game, T>(
    planner: &Mutex<Box<dyn Planner<G>>>,
    read: impl FnOnce(&dyn Planner<G>) -> T,
) -> T {
    read(planner.lock().unwrap_or_else(PoisonError::into_inner).as_ref())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
