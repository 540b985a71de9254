//! Between the referee and whoever speaks for a program: what the referee alone knows of a turn, and what it must know
//! of the answer.

use crate::platform::time::Duration;
use crate::play::{Game, Insight, Outcome};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a program said about a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgramThought {
    /// The turn.
    pub turn: usize,
    /// What it thinks, to be drawn; `None` if it said nothing of that.
    pub insight: Option<Arc<Insight>>,
    /// Its sentences.
    pub notes: Vec<String>,
}

/// How a program behaved in a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnConduct {
    /// No answer that could be played came in time.
    pub late: bool,
    /// It said nothing at all.
    pub silent: bool,
    /// It said something that nobody can read as a message of the protocol, or its action as one of the game; the
    /// first of that.
    pub broken: Option<String>,
    /// The rule that its action breaks.
    pub illegal: Option<String>,
    /// It had to wait for a processor for more than half of the time.
    pub starved: bool,
    /// What it took from the bank.
    pub banked: Duration,
}

/// What a program is asked about.
pub(in crate::play) struct Question<G: Game> {
    pub turn: usize,
    pub state: G::State,
}

struct Letters<G: Game> {
    question: Option<Question<G>>,
    conduct: TurnConduct,
    thoughts: Vec<ProgramThought>,
    outcome: Option<Outcome>,
}

/// Shared by the referee and the player that speaks for a program.
pub(in crate::play) struct Mailbox<G: Game>(Mutex<Letters<G>>);

impl<G: Game> Default for Mailbox<G> {
    fn default() -> Self {
        Self(Mutex::new(Letters {
            question: None,
            conduct: TurnConduct::default(),
            thoughts: Vec::new(),
            outcome: None,
        }))
    }
}

impl<G: Game> Mailbox<G> {
    fn lock(&self) -> MutexGuard<'_, Letters<G>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The referee is about to ask this.
    pub fn ask(&self, question: Question<G>) {
        let mut letters = self.lock();
        letters.thoughts.retain(|thought| thought.turn < question.turn);
        letters.question = Some(question);
        letters.conduct = TurnConduct::default();
    }

    /// What the player is asked about.
    pub fn question(&self) -> Option<Question<G>> {
        self.lock().question.take()
    }

    /// How the program behaved in the turn that was answered last.
    pub fn conduct(&self) -> TurnConduct {
        self.lock().conduct.clone()
    }

    pub fn report(&self, conduct: TurnConduct) {
        self.lock().conduct = conduct;
    }

    /// What the program said about a turn.
    pub fn think(&self, thought: ProgramThought) {
        let mut letters = self.lock();
        letters.thoughts.retain(|earlier| earlier.turn != thought.turn);
        letters.thoughts.push(thought);
    }

    /// What it said about all turns.
    pub fn thoughts(&self) -> Vec<ProgramThought> {
        self.lock().thoughts.clone()
    }

    /// The match is over.
    pub fn end(&self, outcome: Option<Outcome>) {
        self.lock().outcome = outcome;
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.lock().outcome.clone()
    }
}
