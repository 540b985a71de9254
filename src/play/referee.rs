//! Time and law: asks the players, waits for nobody, plays the turn.

use super::host::panic_text;
use super::{
    Budget, Clock, Game, Host, Insight, Match, Outcome, Planner, PlannerSpec, Progress, Replay,
    Seat, SetupError, StopFlag, find_planner,
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
pub struct Conduct {
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

enum Mind<G: Game> {
    Human,
    /// On a thread of its own.
    Hosted(Host<G>),
    /// On the caller's thread: for work budgets, where only the amount of work counts. The lock
    /// only lets a referee be shared between threads.
    Inline(Mutex<Box<dyn Planner<G>>>),
    /// It panicked: the null action from then on.
    Gone,
}

struct Chair<G: Game> {
    player: Player,
    mind: Mind<G>,
    conduct: Conduct,
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
    chairs: Vec<Chair<G>>,
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
        let chair = |name: &String| Chair {
            player: name.as_str().into(),
            mind: Mind::Gone,
            conduct: Conduct::default(),
            chosen: None,
            asked: None,
            spent: 0,
        };
        let chairs = seats.iter().map(chair).collect();
        let stop = StopFlag::default();
        Self { played, chairs, budget: Budget::Work(0), stop, closed: true }
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
        let mut chairs = Vec::new();
        for (index, player) in players.iter().enumerate() {
            let seat = Seat(index as u8);
            let mut conduct = Conduct::default();
            let mind = match player {
                Player::Human => Mind::Human,
                Player::Planner(name) => {
                    let make = find_planner(specs, name, seat).map_err(SetupError)?.make;
                    let (game, seed) = (Arc::clone(&game), planner_seed(game.seed(), seat));
                    if inline {
                        let started = Instant::now();
                        let made = catch_unwind(AssertUnwindSafe(|| make(&game, seat, seed)));
                        conduct.preparation = started.elapsed();
                        match made {
                            Ok(planner) => Mind::Inline(Mutex::new(planner)),
                            Err(payload) => {
                                conduct.panic = Some(panic_text(payload.as_ref()));
                                Mind::Gone
                            }
                        }
                    } else {
                        Mind::Hosted(
                            Host::new(move || make(&game, seat, seed))
                                .map_err(|error| SetupError(format!("no thread: {error}")))?,
                        )
                    }
                }
            };
            chairs.push(Chair {
                player: player.clone(),
                mind,
                conduct,
                chosen: None,
                asked: None,
                spent: 0,
            });
        }
        let stop = StopFlag::default();
        Ok(Self { played: Match::new(game), chairs, budget, stop, closed: false })
    }

    /// From now on [`run`](Referee::run) ends soon after `stop` is raised; inline planners are cut
    /// short by it too, so what they choose then is worth nothing.
    pub fn heed(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// The match so far.
    pub fn played(&self) -> &Match<G> {
        &self.played
    }

    /// Who plays a seat.
    pub fn player(&self, seat: Seat) -> &Player {
        &self.chairs[seat.index()].player
    }

    /// How a seat behaved so far.
    pub fn conduct(&self, seat: Seat) -> &Conduct {
        &self.chairs[seat.index()].conduct
    }

    /// The budget of a turn.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// How much of its budget a planner has used of the turn that it thinks about, or used of its
    /// last one: from 0 to 1, `None` before the first.
    pub fn used(&self, seat: Seat) -> Option<f32> {
        let chair = &self.chairs[seat.index()];
        let (time, work) = match (chair.asked, &chair.mind) {
            (Some(asked), Mind::Hosted(host)) if chair.chosen.is_none() => {
                (asked.at.elapsed(), host.peek(|report| report.work))
            }
            _ => (*chair.conduct.thought.last()?, chair.spent),
        };
        let share = match self.budget {
            Budget::Time(limit) => time.as_secs_f32() / limit.as_secs_f32().max(1e-6),
            Budget::Work(limit) => work as f32 / limit.max(1) as f32,
        };
        Some(share.min(1.0))
    }

    /// Whether the planner of a seat is still preparing for the match.
    pub fn is_preparing(&self, seat: Seat) -> bool {
        match &self.chairs[seat.index()].mind {
            Mind::Hosted(host) => {
                host.peek(|report| report.preparation.is_none() && report.panic.is_none())
            }
            _ => false,
        }
    }

    /// The picture that the planner of a seat has of its present or last turn.
    pub fn insight(&self, seat: Seat) -> Insight {
        match &self.chairs[seat.index()].mind {
            Mind::Hosted(host) => host.peek(|report| report.insight.clone()),
            Mind::Inline(planner) => {
                let planner = planner.lock().unwrap_or_else(PoisonError::into_inner);
                catch_unwind(AssertUnwindSafe(|| planner.insight())).unwrap_or_default()
            }
            Mind::Human | Mind::Gone => Insight::default(),
        }
    }

    /// The seats that a person must choose for now.
    pub fn humans_to_move(&self) -> Vec<Seat> {
        let mut seats = self.played.to_move();
        seats.retain(|seat| {
            let chair = &self.chairs[seat.index()];
            matches!(chair.mind, Mind::Human) && chair.chosen.is_none()
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
        self.chairs[seat.index()].chosen = Some(action);
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
            match &self.chairs[seat.index()].chosen {
                Some(action) => actions.push((seat, action.clone())),
                None => return Ruling::Waiting,
            }
        }
        for chair in &mut self.chairs {
            chair.chosen = None;
            chair.asked = None;
        }
        match self.played.advance(actions) {
            Ok(_) => Ruling::Played,
            Err(_) => Ruling::Over,
        }
    }

    /// Plays on until a person must choose, the match is over, `most_turns` were played or
    /// [stopping](Referee::heed) was asked for, waiting for planners no longer than their budget.
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
        for chair in &self.chairs {
            if let (Mind::Hosted(host), Some(asked), None) =
                (&chair.mind, chair.asked, &chair.chosen)
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
        for chair in &mut self.chairs {
            chair.chosen = None;
            chair.asked = None;
            if let Mind::Hosted(host) = &chair.mind {
                host.stop();
            }
        }
    }

    /// The match as a replay.
    pub fn replay(&self) -> Replay<G> {
        let seats = self.chairs.iter().map(|chair| chair.player.name().to_owned()).collect();
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
        let chair = &mut self.chairs[seat.index()];
        if chair.asked.is_some() || chair.chosen.is_some() || matches!(chair.mind, Mind::Human) {
            return;
        }
        let turn = self.played.len();
        let (past, state) = (&self.played.states()[..turn], self.played.state());
        let seen = self.played.game().observe(past, state, seat);
        let at = Instant::now();
        chair.conduct.asked += 1;
        let question = match &mut chair.mind {
            Mind::Hosted(host) => host.begin(seen, self.budget),
            Mind::Inline(planner) => {
                let planner = planner.get_mut().unwrap_or_else(PoisonError::into_inner);
                let clock = Clock::new(self.budget, self.stop.clone());
                let answer = catch_unwind(AssertUnwindSafe(|| {
                    planner.observe(&seen);
                    while planner.think(&clock) == Progress::More && !clock.is_over() {}
                    planner.best()
                }));
                match answer {
                    Ok(action) => chair.chosen = Some(action),
                    Err(payload) => {
                        chair.conduct.panic = Some(panic_text(payload.as_ref()));
                        chair.mind = Mind::Gone;
                    }
                }
                chair.conduct.thought.push(at.elapsed());
                chair.conduct.work += clock.used();
                chair.spent = clock.used();
                0
            }
            Mind::Human | Mind::Gone => 0,
        };
        chair.asked = Some(Asked { question, at });
        if chair.chosen.is_some() {
            self.rule_on_choice(seat);
        }
    }

    /// Takes the answer of a planner that has finished, overrun or panicked.
    fn collect(&mut self, seat: Seat) {
        let chair = &mut self.chairs[seat.index()];
        let Some(asked) = chair.asked else { return };
        if chair.chosen.is_some() {
            return;
        }
        let null = || self.played.game().null_action(self.played.state(), seat);
        match &chair.mind {
            Mind::Gone => chair.chosen = Some(null()),
            Mind::Human | Mind::Inline(_) => return,
            Mind::Hosted(host) => {
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
                chair.conduct.preparation = preparation.unwrap_or_default();
                if let Some(text) = panic {
                    chair.conduct.panic = Some(text);
                    chair.conduct.thought.push(asked.at.elapsed());
                    chair.mind = Mind::Gone;
                    chair.chosen = Some(null());
                } else if preparation.is_none() {
                    // Preparation is not counted: the clock of the first turn starts after it.
                    chair.asked = Some(Asked { at: Instant::now(), ..asked });
                    return;
                } else if answered && done {
                    chair.conduct.thought.push(thought);
                    chair.conduct.work += work;
                    chair.spent = work;
                    chair.chosen = best;
                } else if matches!(self.budget, Budget::Time(limit) if asked.at.elapsed() > limit + GRACE)
                {
                    chair.conduct.overruns += 1;
                    chair.conduct.thought.push(asked.at.elapsed());
                    host.stop();
                    // An answer to an earlier question may not fit this one.
                    let fits = |action: &G::Action| {
                        answered
                            || self.played.game().legal(self.played.state(), seat, action).is_ok()
                    };
                    chair.chosen = Some(best.filter(fits).unwrap_or_else(null));
                } else {
                    return;
                }
            }
        }
        self.rule_on_choice(seat);
    }

    fn rule_on_choice(&mut self, seat: Seat) {
        let chair = &mut self.chairs[seat.index()];
        let (game, state) = (self.played.game(), self.played.state());
        if let Some(action) = &chair.chosen
            && game.legal(state, seat, action).is_err()
        {
            chair.conduct.illegal += 1;
            chair.chosen = Some(game.null_action(state, seat));
        }
    }
}

/// Each planner draws from a stream of its own, so that no choice of one shifts another's.
fn planner_seed(seed: u64, seat: Seat) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (u64::from(seat.0) + 1).wrapping_mul(0xd1b5_4a32_d192_ed03)
}
