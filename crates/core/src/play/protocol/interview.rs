//! Asks a program about positions outside of a match.

use super::conversation::Trouble;
use super::player::slow;
use super::{
    KeptPrograms, Mailbox, ProgramPlayer, ProgramSeat, ProgramThought, Question, TurnConduct,
};
use crate::platform::program::{AllowedProgram, ProgramLog};
use crate::platform::time::{Duration, Instant};
use crate::play::{
    Budget, Clock, EngineInfo, Game, Match, PREPARATION, Planner, PlannerContext, Seat, StopFlag,
    TimeControl,
};
use std::sync::Arc;

/// What a program answered about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionAnswer<A> {
    /// How many turns were played before.
    pub turn: usize,
    /// How long it took.
    pub took: Duration,
    /// What was wrong with it.
    pub conduct: TurnConduct,
    /// What it would play: where a program answers with all its actions, all of them. Empty if it gave no answer that
    /// can be played.
    pub actions: Vec<A>,
    /// What it thinks.
    pub thought: ProgramThought,
}

/// A program that did not say that it is ready.
#[derive(Clone, Debug)]
pub struct NotReady {
    /// Why.
    pub why: String,
    /// What it and Outwit said to each other.
    pub log: ProgramLog,
}

impl From<NotReady> for String {
    fn from(failed: NotReady) -> Self {
        failed.why
    }
}

/// A program that is asked about one position after another, in any order, of matches on one level. It gets no bank
/// and is not told of an end between them.
pub struct Interview<G: Game> {
    player: ProgramPlayer<G>,
    mailbox: Arc<Mailbox<G>>,
    info: EngineInfo,
    limit: Option<Duration>,
    stop: StopFlag,
}

impl<G: Game> Interview<G> {
    /// Starts a program for a seat, with this seed for its own dice, and waits until it is ready. Without a limit it
    /// has all the time it wants for its answers.
    ///
    /// # Errors
    /// What is wrong with the program, or that `stop` was raised.
    pub fn begin(
        game: &Arc<G>,
        seat: Seat,
        program: &AllowedProgram,
        seed: u64,
        limit: Option<Duration>,
        stop: &StopFlag,
    ) -> Result<Self, NotReady> {
        let began = Instant::now();
        let mailbox = Arc::<Mailbox<G>>::default();
        let terms = ProgramSeat {
            program: program.clone(),
            control: limit.map_or(TimeControl::Unlimited, |limit| Budget::Time(limit).into()),
            bank: Duration::ZERO,
            preparation: PREPARATION,
            kept: KeptPrograms::default(),
        };
        let context = PlannerContext { game: Arc::clone(game), seat, seed };
        let mut player = ProgramPlayer::new(context, terms, Arc::clone(&mailbox));
        let is_over = || stop.is_raised() || began.elapsed() >= PREPARATION;
        if let Err(trouble) = player.start(&is_over) {
            let why = match trouble {
                Trouble::Fault(why) => why,
                Trouble::Stopped if stop.is_raised() => "cancelled".into(),
                Trouble::Stopped => slow(PREPARATION),
            };
            return Err(NotReady { why, log: player.log().unwrap_or_default() });
        }
        let ready = player.ready();
        let about = match ready.author.as_str() {
            "" => String::new(),
            author => format!("by {author}"),
        };
        let name = player.log().and_then(|log| log.name()).unwrap_or_else(|| program.label());
        let info = EngineInfo { name, about, start: began.elapsed() };
        Ok(Self { player, mailbox, info, limit, stop: stop.clone() })
    }

    /// What the program says of itself.
    pub fn info(&self) -> &EngineInfo {
        &self.info
    }

    /// What the program and Outwit said to each other.
    pub fn log(&self) -> ProgramLog {
        self.player.log().unwrap_or_default()
    }

    /// Lets the program end; returns what the two said to each other, with all that it printed.
    pub fn end(mut self) -> ProgramLog {
        self.player.finish();
        self.log()
    }

    /// Asks what the seat would play after so many turns of a match.
    ///
    /// # Errors
    /// If there is no such position, the program fails, or `stop` was raised.
    pub fn ask(
        &mut self,
        played: &Match<G>,
        turn: usize,
    ) -> Result<PositionAnswer<G::Action>, String> {
        let none = || format!("there is no turn {turn}");
        let state = played.states().get(turn).ok_or_else(none)?.clone();
        let seen = played.observation(turn, self.player.seat()).ok_or_else(none)?;
        self.mailbox.ask(Question { turn, state });
        self.mailbox.report(TurnConduct::default());
        self.player.forget_plan();
        self.player.observe(&seen);
        let budget = self.limit.map_or(Budget::Work(u64::MAX), Budget::Time);
        let clock = Clock::new(budget, self.stop.clone());
        self.player.think(&clock);
        if let Some(why) = self.player.fault() {
            return Err(why);
        }
        if self.stop.is_raised() {
            return Err("cancelled".into());
        }
        let thought = self.mailbox.thoughts().into_iter().find(|thought| thought.turn == turn);
        Ok(PositionAnswer {
            turn,
            took: self.player.took(),
            conduct: self.mailbox.conduct(),
            actions: self.player.answer(),
            thought: thought.unwrap_or_default(),
        })
    }
}

/// Starts a program for a seat, lets it say what it is, and ends it.
///
/// # Errors
/// What is wrong with the program.
pub fn ask_program<G: Game>(
    game: &Arc<G>,
    seat: Seat,
    program: &AllowedProgram,
    stop: &StopFlag,
) -> Result<EngineInfo, String> {
    let talk = Interview::begin(game, seat, program, 1, None, stop)?;
    Ok(talk.info().clone())
}
