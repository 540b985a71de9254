//! Time and law: asks the players, waits for nobody, plays the turn.

use super::planner_thread::panic_text;
use super::{
    Budget, Clock, Game, Insight, Match, Outcome, Planner, PlannerSpec, PlannerThread, Progress,
    Replay, Seat, SetupError, StopFlag, find_planner,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Who plays a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Player {
    /// A person, who chooses through [`Referee::choose`].
    Human,
    /// A planner by name.
    Planner(String),
}

impl Player {
    /// `human` or the planner's name.
    pub fn name(&self) -> &str {
        match self {
            Player::Human => "human",
            Player::Planner(name) => name,
        }
    }
}

impl From<&str> for Player {
    fn from(name: &str) -> Self {
        if name == "human" { Player::Human } else { Player::Planner(name.into()) }
    }
}

/// How a seat behaved so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeatStats {
    /// Turns in which it was asked.
    pub asked: u32,
    /// Turns in which it was not done when its time was up.
    pub overruns: u32,
    /// Actions that were refused.
    pub illegal: u32,
    /// The message of its panic.
    pub panic: Option<String>,
    /// Time spent before the first turn.
    pub preparation: Duration,
    /// Thinking time of each turn, oldest first.
    pub thought: Vec<Duration>,
    /// Work units spent in all turns.
    pub work: u64,
}

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

/// A planner that finishes its last slice late is not to blame for the scheduler's delay.
const GRACE: Duration = Duration::from_millis(60);

enum Driver<G: Game> {
    Human,
    /// On a thread of its own.
    Hosted(PlannerThread<G>),
    /// On the caller's thread: for work budgets, where only the amount of work counts. The lock
    /// only lets a referee be shared between threads.
    Inline(Mutex<Box<dyn Planner<G>>>),
    /// It panicked: the null action from then on.
    Gone,
}

struct SeatSlot<G: Game> {
    player: Player,
    mind: Driver<G>,
    stats: SeatStats,
    chosen: Option<G::Action>,
    asked: Option<Asked>,
    /// Work units of its last whole turn.
    spent: u64,
}

#[derive(Clone, Copy)]
struct Asked {
    question: u64,
    at: Instant,
}

/// Runs a match between people and planners.
pub struct Referee<G: Game> {
    played: Match<G>,
    slots: Vec<SeatSlot<G>>,
    budget: Budget,
    stop: StopFlag,
    closed: bool,
}

impl<G: Game> Referee<G> {
    /// A referee whose planners think on threads of their own; [`poll`](Referee::poll) never blocks.
    ///
    /// # Errors
    /// If a planner is unknown or the number of players does not fit the game.
    pub fn new(
        game: Arc<G>,
        specs: &[PlannerSpec<G>],
        players: &[Player],
        budget: Budget,
    ) -> Result<Self, SetupError> {
        Self::seat_all(game, specs, players, budget, false)
    }

    /// A referee whose planners think on the caller's thread, for work budgets.
    ///
    /// # Errors
    /// As [`Referee::new`].
    pub fn inline(
        game: Arc<G>,
        specs: &[PlannerSpec<G>],
        players: &[Player],
        budget: Budget,
    ) -> Result<Self, SetupError> {
        Self::seat_all(game, specs, players, budget, true)
    }

    /// A referee over a match that was played before: nobody is asked any more.
    pub fn of_record(played: Match<G>, seats: &[String]) -> Self {
        let slot = |name: &String| SeatSlot {
            player: name.as_str().into(),
            mind: Driver::Gone,
            stats: SeatStats::default(),
            chosen: None,
            asked: None,
            spent: 0,
        };
        let slots = seats.iter().map(slot).collect();
        let stop = StopFlag::default();
        Self { played, slots, budget: Budget::Work(0), stop, closed: true }
    }

    fn seat_all(
        game: Arc<G>,
        specs: &[PlannerSpec<G>],
        players: &[Player],
        budget: Budget,
        inline: bool,
    ) -> Result<Self, SetupError> {
        if players.len() != game.seats() {
            return Err(SetupError(format!(
                "{} players for {} seats",
                players.len(),
                game.seats()
            )));
        }
        let mut slots = Vec::new();
        for (index, player) in players.iter().enumerate() {
            let seat = Seat(index as u8);
            let mut stats = SeatStats::default();
            let mind = match player {
                Player::Human => Driver::Human,
                Player::Planner(name) => {
                    let make = find_planner(specs, name, seat).map_err(SetupError)?.make;
                    let (game, seed) = (Arc::clone(&game), planner_seed(game.seed(), seat));
                    if inline {
                        let started = Instant::now();
                        let made = catch_unwind(AssertUnwindSafe(|| make(&game, seat, seed)));
                        stats.preparation = started.elapsed();
                        match made {
                            Ok(planner) => Driver::Inline(Mutex::new(planner)),
                            Err(payload) => {
                                stats.panic = Some(panic_text(payload.as_ref()));
                                Driver::Gone
                            }
                        }
                    } else {
                        Driver::Hosted(
                            PlannerThread::new(move || make(&game, seat, seed))
                                .map_err(|error| SetupError(format!("no thread: {error}")))?,
                        )
                    }
                }
            };
            slots.push(SeatSlot {
                player: player.clone(),
                mind,
                stats,
                chosen: None,
                asked: None,
                spent: 0,
            });
        }
        let stop = StopFlag::default();
        Ok(Self { played: Match::new(game), slots, budget, stop, closed: false })
    }

    /// From now on [`run`](Referee::run) ends soon after `stop` is raised; inline planners are cut
    /// short by it too, so what they choose then is worth nothing.
    pub fn set_stop_flag(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// The match so far.
    pub fn played(&self) -> &Match<G> {
        &self.played
    }

    /// Who plays a seat.
    pub fn player(&self, seat: Seat) -> &Player {
        &self.slots[seat.index()].player
    }

    /// How a seat behaved so far.
    pub fn stats(&self, seat: Seat) -> &SeatStats {
        &self.slots[seat.index()].stats
    }

    /// The budget of a turn.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// How much of its budget a planner has used of the turn that it thinks about, or used of its
    /// last one: from 0 to 1, `None` before the first.
    pub fn used(&self, seat: Seat) -> Option<f32> {
        let slot = &self.slots[seat.index()];
        let (time, work) = match (slot.asked, &slot.mind) {
            (Some(asked), Driver::Hosted(host)) if slot.chosen.is_none() => {
                (asked.at.elapsed(), host.peek(|report| report.work))
            }
            _ => (*slot.stats.thought.last()?, slot.spent),
        };
        let share = match self.budget {
            Budget::Time(limit) => time.as_secs_f32() / limit.as_secs_f32().max(1e-6),
            Budget::Work(limit) => work as f32 / limit.max(1) as f32,
        };
        Some(share.min(1.0))
    }

    /// Whether the planner of a seat is still preparing for the match.
    pub fn is_preparing(&self, seat: Seat) -> bool {
        match &self.slots[seat.index()].mind {
            Driver::Hosted(host) => {
                host.peek(|report| report.preparation.is_none() && report.panic.is_none())
            }
            _ => false,
        }
    }

    /// The picture that the planner of a seat has of its present or last turn.
    pub fn insight(&self, seat: Seat) -> Insight {
        match &self.slots[seat.index()].mind {
            Driver::Hosted(host) => host.peek(|report| report.insight.clone()),
            Driver::Inline(planner) => {
                let planner = planner.lock().unwrap_or_else(PoisonError::into_inner);
                catch_unwind(AssertUnwindSafe(|| planner.insight())).unwrap_or_default()
            }
            Driver::Human | Driver::Gone => Insight::default(),
        }
    }

    /// The seats that a person must choose for now.
    pub fn humans_to_move(&self) -> Vec<Seat> {
        let mut seats = self.played.to_move();
        seats.retain(|seat| {
            let slot = &self.slots[seat.index()];
            matches!(slot.mind, Driver::Human) && slot.chosen.is_none()
        });
        seats
    }

    /// A person's choice.
    ///
    /// # Errors
    /// If it is not that seat's turn, a planner plays it, or the action is illegal.
    pub fn choose(&mut self, seat: Seat, action: G::Action) -> Result<(), String> {
        if !self.humans_to_move().contains(&seat) {
            return Err(format!("{} has no choice to make now", G::seat_name(seat)));
        }
        self.played.game().legal(self.played.state(), seat, &action)?;
        self.slots[seat.index()].chosen = Some(action);
        Ok(())
    }

    /// Moves the match on if everybody has chosen, or time is up for those who have not.
    ///
    /// Returns at once with hosted planners; inline ones do their thinking here.
    pub fn poll(&mut self) -> Ruling {
        if self.is_over() {
            return Ruling::Over;
        }
        let seats = self.played.to_move();
        for &seat in &seats {
            self.ask(seat);
        }
        for &seat in &seats {
            self.collect(seat);
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
        }
        match self.played.advance(actions) {
            Ok(_) => Ruling::Played,
            Err(_) => Ruling::Over,
        }
    }

    /// Plays on until a person must choose, the match is over, `most_turns` were played or
    /// [stopping](Referee::set_stop_flag) was asked for, waiting for planners no longer than their budget.
    pub fn run(&mut self, most_turns: usize) -> Ruling {
        loop {
            if self.stop.is_raised() {
                return Ruling::Waiting;
            }
            match self.poll() {
                Ruling::Played if self.played.len() >= most_turns => return Ruling::Played,
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
            if let (Driver::Hosted(host), Some(asked), None) =
                (&slot.mind, slot.asked, &slot.chosen)
            {
                let allowance = match self.budget {
                    Budget::Time(limit) => (limit + GRACE).saturating_sub(asked.at.elapsed()),
                    Budget::Work(_) => Duration::from_secs(3600),
                };
                host.wait(asked.question, allowance.min(LOOK));
            }
        }
    }

    /// Goes back to the state after `turn` turns; planners are asked anew.
    pub fn rewind(&mut self, turn: usize) {
        self.played.rewind(turn);
        for slot in &mut self.slots {
            slot.chosen = None;
            slot.asked = None;
            if let Driver::Hosted(host) = &slot.mind {
                host.stop();
            }
        }
    }

    /// The match as a replay.
    pub fn replay(&self) -> Replay<G> {
        let seats = self.slots.iter().map(|slot| slot.player.name().to_owned()).collect();
        Replay::of(&self.played, seats)
    }

    /// Whether no turn will be played any more.
    pub fn is_over(&self) -> bool {
        self.closed || self.played.outcome().is_some()
    }

    /// The result once the match is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.played.outcome()
    }

    fn ask(&mut self, seat: Seat) {
        let slot = &mut self.slots[seat.index()];
        if slot.asked.is_some() || slot.chosen.is_some() || matches!(slot.mind, Driver::Human) {
            return;
        }
        let turn = self.played.len();
        let (past, state) = (&self.played.states()[..turn], self.played.state());
        let seen = self.played.game().observe(past, state, seat);
        let at = Instant::now();
        slot.stats.asked += 1;
        let question = match &mut slot.mind {
            Driver::Hosted(host) => host.begin(seen, self.budget),
            Driver::Inline(planner) => {
                let planner = planner.get_mut().unwrap_or_else(PoisonError::into_inner);
                let clock = Clock::new(self.budget, self.stop.clone());
                let answer = catch_unwind(AssertUnwindSafe(|| {
                    planner.observe(&seen);
                    while planner.think(&clock) == Progress::More && !clock.is_over() {}
                    planner.best()
                }));
                match answer {
                    Ok(action) => slot.chosen = Some(action),
                    Err(payload) => {
                        slot.stats.panic = Some(panic_text(payload.as_ref()));
                        slot.mind = Driver::Gone;
                    }
                }
                slot.stats.thought.push(at.elapsed());
                slot.stats.work += clock.used();
                slot.spent = clock.used();
                0
            }
            Driver::Human | Driver::Gone => 0,
        };
        slot.asked = Some(Asked { question, at });
        if slot.chosen.is_some() {
            self.rule_on_choice(seat);
        }
    }

    /// Takes the answer of a planner that has finished, overrun or panicked.
    fn collect(&mut self, seat: Seat) {
        let slot = &mut self.slots[seat.index()];
        let Some(asked) = slot.asked else { return };
        if slot.chosen.is_some() {
            return;
        }
        let null = || self.played.game().null_action(self.played.state(), seat);
        match &slot.mind {
            Driver::Gone => slot.chosen = Some(null()),
            Driver::Human | Driver::Inline(_) => return,
            Driver::Hosted(host) => {
                let (panic, preparation, answered, done, best, thought, work) =
                    host.peek(|report| {
                        (
                            report.panic.clone(),
                            report.preparation,
                            report.question == asked.question,
                            report.done,
                            report.best.clone(),
                            report.thought,
                            report.work,
                        )
                    });
                slot.stats.preparation = preparation.unwrap_or_default();
                if let Some(text) = panic {
                    slot.stats.panic = Some(text);
                    slot.stats.thought.push(asked.at.elapsed());
                    slot.mind = Driver::Gone;
                    slot.chosen = Some(null());
                } else if preparation.is_none() {
                    // Preparation is not counted: the clock of the first turn starts after it.
                    slot.asked = Some(Asked { at: Instant::now(), ..asked });
                    return;
                } else if answered && done {
                    slot.stats.thought.push(thought);
                    slot.stats.work += work;
                    slot.spent = work;
                    slot.chosen = best;
                } else if matches!(self.budget, Budget::Time(limit) if asked.at.elapsed() > limit + GRACE)
                {
                    slot.stats.overruns += 1;
                    slot.stats.thought.push(asked.at.elapsed());
                    host.stop();
                    // An answer to an earlier question may not fit this one.
                    let fits = |action: &G::Action| {
                        answered
                            || self.played.game().legal(self.played.state(), seat, action).is_ok()
                    };
                    slot.chosen = Some(best.filter(fits).unwrap_or_else(null));
                } else {
                    return;
                }
            }
        }
        self.rule_on_choice(seat);
    }

    fn rule_on_choice(&mut self, seat: Seat) {
        let slot = &mut self.slots[seat.index()];
        let (game, state) = (self.played.game(), self.played.state());
        if let Some(action) = &slot.chosen
            && game.legal(state, seat, action).is_err()
        {
            slot.stats.illegal += 1;
            slot.chosen = Some(game.null_action(state, seat));
        }
    }
}

/// Each planner draws from a stream of its own, so that no choice of one shifts another's.
fn planner_seed(seed: u64, seat: Seat) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (u64::from(seat.0) + 1).wrapping_mul(0xd1b5_4a32_d192_ed03)
}
