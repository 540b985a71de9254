//! A running match: the states so far, the actions that led to them, and the lines left aside.

use super::{Chance, Closing, Game, MatchError, Outcome, Seat, SetupError};
use std::sync::Arc;

/// What the seats of one turn chose.
pub type Actions<G> = Vec<(Seat, <G as Game>::Action)>;

/// One turn of a match.
#[derive(Debug)]
pub struct Turn<G: Game> {
    /// What was played, seat by seat.
    pub actions: Actions<G>,
    /// What happened.
    pub events: Vec<G::Event>,
}

/// Another way the match went, kept when somebody played on from an earlier turn.
#[derive(Debug)]
pub struct Variation<G: Game> {
    /// The actions of all its turns, from the start of the match.
    pub turns: Vec<Actions<G>>,
    /// The seat that stopped before the rules ended it, and why.
    pub closing: Option<(Seat, Closing)>,
}

/// A match from its start to its present turn. Every state is kept, so going back costs nothing.
///
/// ```
/// use outwit_racetrack::Racetrack;
/// use outwit_kit::read_level;
/// use outwit_levels::built_in;
/// use outwit_core::play::{Game, Match};
/// use std::sync::Arc;
///
/// let bytes = built_in("racetrack/tiny").unwrap().bytes().unwrap();
/// let level = read_level::<Racetrack>(&bytes, "tiny").unwrap();
/// let mut race = Match::new(Arc::new(Racetrack::new(&level, 1).unwrap()), 7).unwrap();
/// while let [seat] = race.to_move()[..] {
///     let action = race.game().null_action(race.state(), seat);
///     race.advance(vec![(seat, action)]).unwrap();
///     if race.len() == 3 { break; }
/// }
/// race.branch(1);
/// assert_eq!((race.len(), race.variations().len()), (1, 1));
/// ```
pub struct Match<G: Game> {
    game: Arc<G>,
    chance: Chance,
    states: Vec<G::State>,
    turns: Vec<Turn<G>>,
    closing: Option<(Seat, Closing)>,
    variations: Vec<Variation<G>>,
}

// Derived, all would ask the rules themselves to be cloned.
impl<G: Game> Clone for Turn<G> {
    fn clone(&self) -> Self {
        Self { actions: self.actions.clone(), events: self.events.clone() }
    }
}

impl<G: Game> Clone for Variation<G> {
    fn clone(&self) -> Self {
        Self { turns: self.turns.clone(), closing: self.closing }
    }
}

impl<G: Game> Variation<G> {
    /// Whether it holds all of `other`: its turns, and how it was stopped if it was.
    fn continues(&self, other: &Self) -> bool {
        self.turns.starts_with(&other.turns) && (other.closing.is_none() || self == other)
    }
}

impl<G: Game> PartialEq for Variation<G> {
    fn eq(&self, other: &Self) -> bool {
        self.turns == other.turns && self.closing == other.closing
    }
}

impl<G: Game> Clone for Match<G> {
    fn clone(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            chance: self.chance.clone(),
            states: self.states.clone(),
            turns: self.turns.clone(),
            closing: self.closing,
            variations: self.variations.clone(),
        }
    }
}

/// The state after one more turn; `turn` were played before. `events` receives what happened.
///
/// # Errors
/// If the rules have ended the match, a seat is missing or an action is illegal.
pub fn next_state<G: Game>(
    game: &G,
    chance: &Chance,
    state: &G::State,
    turn: usize,
    actions: &[(Seat, G::Action)],
    events: &mut Vec<G::Event>,
) -> Result<G::State, MatchError> {
    if game.outcome(state).is_some() {
        return Err(MatchError::Over);
    }
    let expected = game.to_move(state);
    if !actions.iter().map(|(seat, _)| *seat).eq(expected.iter().copied()) {
        let seats = expected.iter().map(|&seat| G::SEATS.id(seat)).collect();
        return Err(MatchError::OtherSeats { turn, seats });
    }
    for (seat, action) in actions {
        game.legal(state, *seat, action).map_err(|why| MatchError::Illegal {
            turn,
            seat: G::SEATS.id(*seat),
            why,
        })?;
    }
    let mut next = state.clone();
    game.advance(&mut next, actions, chance, events);
    Ok(next)
}

/// More variations than this are not kept: the oldest goes.
pub const MOST_VARIATIONS: usize = 100;

impl<G: Game> Match<G> {
    /// A match before its first turn, with the chance of this seed.
    ///
    /// # Errors
    /// As [`with_chance`](Self::with_chance).
    pub fn new(game: Arc<G>, seed: u64) -> Result<Self, SetupError> {
        Self::with_chance(game, Chance::new(seed))
    }

    /// A match before its first turn.
    ///
    /// # Errors
    /// If the chance draws no start.
    pub fn with_chance(game: Arc<G>, chance: Chance) -> Result<Self, SetupError> {
        let start = game.start(&chance)?;
        Ok(Self {
            game,
            chance,
            states: vec![start],
            turns: Vec::new(),
            closing: None,
            variations: Vec::new(),
        })
    }

    /// The same match with these rules, which must be equal: what they have worked out is shared.
    pub(super) fn with_game(self, game: Arc<G>) -> Self {
        Self { game, ..self }
    }

    /// The rules and the level.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// All that is random in it.
    pub fn chance(&self) -> &Chance {
        &self.chance
    }

    /// The seed of its chance.
    pub fn seed(&self) -> u64 {
        self.chance.seed()
    }

    /// The state after the last turn played.
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

    /// The turns played so far, the first one first.
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

    /// What a seat knows after `turn` turns, if so many were played.
    pub fn observation(&self, turn: usize, seat: Seat) -> Option<G::Observation> {
        let state = self.states.get(turn)?;
        Some(self.game.observe(&self.states[..turn], state, seat))
    }

    /// The result once the match is over.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.closing {
            Some((seat, closing)) => {
                Some((G::MATCH_RULES.closed)(&self.game, self.state(), seat, closing))
            }
            None => self.game.outcome(self.state()),
        }
    }

    /// Which seat stopped before the rules ended the match, and why.
    pub fn closing(&self) -> Option<(Seat, Closing)> {
        self.closing
    }

    /// Ends the match because of a seat. Nothing changes if it is over already, has no such seat, or cannot end so.
    pub fn close(&mut self, seat: Seat, closing: Closing) {
        let can = closing != Closing::Agreed || G::MATCH_RULES.draws_by_agreement;
        if can && self.outcome().is_none() && seat.index() < self.game.seats() {
            self.closing = Some((seat, closing));
        }
    }

    /// The seats that choose now.
    pub fn to_move(&self) -> Vec<Seat> {
        if self.outcome().is_some() { Vec::new() } else { self.game.to_move(self.state()) }
    }

    /// Plays one turn and returns what happened.
    ///
    /// # Errors
    /// If the match is over, a seat is missing or an action is illegal; nothing is changed then.
    pub fn advance(&mut self, actions: Actions<G>) -> Result<&[G::Event], MatchError> {
        if self.closing.is_some() {
            return Err(MatchError::Over);
        }
        let mut events = Vec::new();
        let game = &*self.game;
        let state =
            next_state(game, &self.chance, self.state(), self.len(), &actions, &mut events)?;
        self.states.push(state);
        self.turns.push(Turn { actions, events });
        // A variation that was played once more, move by move, is the present line now.
        let turns = &self.turns;
        self.variations.retain(|kept| {
            let repeated = || kept.turns.iter().zip(turns).all(|(then, now)| *then == now.actions);
            kept.closing.is_some() || kept.turns.len() != turns.len() || !repeated()
        });
        Ok(&self.turns[self.turns.len() - 1].events)
    }

    /// Goes back to the state after `turn` turns and forgets what came later.
    pub fn rewind(&mut self, turn: usize) {
        if turn <= self.len() {
            self.closing = None;
        }
        self.turns.truncate(turn);
        self.states.truncate(self.turns.len() + 1);
    }

    /// Goes back to the state after `turn` turns; the present line stays as a variation.
    pub fn branch(&mut self, turn: usize) {
        if turn < self.len() || (turn == self.len() && self.closing.is_some()) {
            self.keep_line();
            self.rewind(turn);
        }
    }

    /// The present line, as a variation.
    fn line(&self) -> Variation<G> {
        let turns = self.turns.iter().map(|turn| turn.actions.clone()).collect();
        Variation { turns, closing: self.closing }
    }

    fn keep_line(&mut self) {
        let line = self.line();
        // A line that a longer one continues needs no place of its own.
        self.variations.retain(|kept| !line.continues(kept));
        if !self.variations.iter().any(|kept| kept.continues(&line)) {
            self.variations.push(line);
        }
        if self.variations.len() > MOST_VARIATIONS {
            self.variations.remove(0);
        }
    }

    /// The other lines, the oldest first. None is a beginning of another.
    pub fn variations(&self) -> &[Variation<G>] {
        &self.variations
    }

    /// The number of turns that a variation shares with the present line.
    pub fn shared_turns(&self, variation: usize) -> usize {
        self.variations.get(variation).map_or(0, |kept| {
            let pairs = kept.turns.iter().zip(&self.turns);
            pairs.take_while(|(theirs, own)| **theirs == own.actions).count()
        })
    }

    /// Makes a variation the present line; the present line takes its place among the variations.
    ///
    /// # Errors
    /// If there is no such variation or it breaks the rules; nothing is changed then.
    pub fn choose_variation(&mut self, variation: usize) -> Result<(), MatchError> {
        let Some(chosen) = self.variations.get(variation).cloned() else {
            return Err(MatchError::NoVariation(variation));
        };
        let shared = self.shared_turns(variation);
        let mut line = self.clone();
        line.variations.remove(variation);
        line.rewind(shared);
        for actions in &chosen.turns[shared..] {
            line.advance(actions.clone())?;
        }
        if let Some((seat, closing)) = chosen.closing {
            line.close(seat, closing);
            if line.closing != chosen.closing {
                return Err(MatchError::CannotStop { turn: line.len(), seat: seat.0 });
            }
        }
        let left = self.line();
        if !chosen.continues(&left) {
            line.variations.push(left);
        }
        *self = line;
        Ok(())
    }

    /// Takes in a variation from a file, after checking that the rules allow it.
    ///
    /// # Errors
    /// Which rule it breaks.
    pub(super) fn add_variation(&mut self, variation: Variation<G>) -> Result<(), MatchError> {
        if self.variations.len() >= MOST_VARIATIONS {
            return Err(MatchError::TooManyVariations);
        }
        self.variations.push(variation);
        let mut probe = self.clone();
        let checked = probe.choose_variation(self.variations.len() - 1);
        if checked.is_err() {
            self.variations.pop();
        }
        checked
    }
}
