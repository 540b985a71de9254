//! A running match: the states so far and the actions that led to them.

use super::{Game, Outcome, Seat};
use std::sync::Arc;

/// One turn of a match.
#[derive(Debug)]
pub struct Turn<G: Game> {
    /// What was played, seat by seat.
    pub actions: Vec<(Seat, G::Action)>,
    /// What happened.
    pub events: Vec<G::Event>,
}

/// A match from its start to its present turn. Every state is kept, so going back costs nothing.
pub struct Match<G: Game> {
    game: Arc<G>,
    states: Vec<G::State>,
    turns: Vec<Turn<G>>,
}

// Derived, both would ask the rules themselves to be cloned.
impl<G: Game> Clone for Turn<G> {
    fn clone(&self) -> Self {
        Self { actions: self.actions.clone(), events: self.events.clone() }
    }
}

impl<G: Game> Clone for Match<G> {
    fn clone(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            states: self.states.clone(),
            turns: self.turns.clone(),
        }
    }
}

impl<G: Game> Match<G> {
    /// A match before its first turn.
    pub fn new(game: Arc<G>) -> Self {
        let start = game.start();
        Self { game, states: vec![start], turns: Vec::new() }
    }

    /// The rules, level and seed.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// The present state.
    pub fn state(&self) -> &G::State {
        &self.states[self.turns.len()]
    }

    /// Number of turns played.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether no turn was played yet.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// The turns played.
    pub fn turns(&self) -> &[Turn<G>] {
        &self.turns
    }

    /// The states from the start to the present one: one more than there are turns.
    pub fn states(&self) -> &[G::State] {
        &self.states
    }

    /// The state after `turn` turns, if it was reached.
    pub fn state_at(&self, turn: usize) -> Option<&G::State> {
        self.states.get(turn)
    }

    /// The result once the match is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(self.state())
    }

    /// The seats that choose now.
    pub fn to_move(&self) -> Vec<Seat> {
        if self.outcome().is_some() { Vec::new() } else { self.game.to_move(self.state()) }
    }

    /// Plays one turn and returns what happened.
    ///
    /// # Errors
    /// If the match is over, a seat is missing or an action is illegal; nothing is changed then.
    pub fn advance(&mut self, actions: Vec<(Seat, G::Action)>) -> Result<&[G::Event], String> {
        if self.outcome().is_some() {
            return Err("the match is over".into());
        }
        let expected = self.game.to_move(self.state());
        if !actions.iter().map(|(seat, _)| *seat).eq(expected.iter().copied()) {
            let names: Vec<_> = expected.iter().map(|&s| G::seat_name(s)).collect();
            return Err(format!("turn {} wants an action of: {}", self.len(), names.join(", ")));
        }
        for (seat, action) in &actions {
            self.game
                .legal(self.state(), *seat, action)
                .map_err(|why| format!("turn {}, {}: {why}", self.len(), G::seat_name(*seat)))?;
        }
        let mut state = self.state().clone();
        let mut events = Vec::new();
        self.game.advance(&mut state, &actions, &mut events);
        self.states.push(state);
        self.turns.push(Turn { actions, events });
        Ok(&self.turns[self.turns.len() - 1].events)
    }

    /// Goes back to the state after `turn` turns and forgets what came later.
    pub fn rewind(&mut self, turn: usize) {
        self.turns.truncate(turn);
        self.states.truncate(self.turns.len() + 1);
    }
}
