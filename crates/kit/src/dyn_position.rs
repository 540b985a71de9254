//! A position of a match without the types of its game.

use super::planes::BoardPlanes;
use super::reading::AnyLevel;
use super::spec::GameSpec;
use outwit_core::levels::Fault;
use outwit_core::play::{
    Actions, Chance, CheckedLevel, Closing, Match, MatchError, Outcome, Replay, Seat, digest,
    next_state,
};
use serde::Serialize;
use serde_json::{Value, from_value, to_value};
use std::sync::Arc;

/// A position of a match without the types of its game: for programs that choose the actions themselves, and for
/// searches of their own. It never changes; a [step](DynPosition::step) leads to another one.
///
/// Seats are counted from 0. States, observations and actions are documents, as in the protocol for programs.
pub trait DynPosition: Send + Sync {
    /// The level of the match.
    ///
    /// # Errors
    /// As for any level that is read.
    fn level(&self) -> Result<AnyLevel, Vec<Fault>>;
    /// The start of a match with another seed, on the same level with as many seats. What the rules have worked out for
    /// the level is shared.
    ///
    /// # Errors
    /// If the seed draws no start.
    fn restart(&self, seed: u64) -> Result<Arc<dyn DynPosition>, String>;
    /// How many play.
    fn seats(&self) -> usize;
    /// How many turns were played.
    fn turn(&self) -> usize;
    /// The seats that choose now, all at the same time. Empty while the game moves by itself, and when it is over.
    fn to_move(&self) -> Vec<usize>;
    /// The whole state.
    fn state(&self) -> Value;
    /// What a seat knows; `null` for a seat that is not there.
    fn observation(&self, seat: usize) -> Value;
    /// All that a seat may choose now, the action that does least first; `None` where there are too many to list.
    /// Empty if the seat does not choose.
    fn actions(&self, seat: usize) -> Option<Vec<Value>>;
    /// A legal action that does as little as possible; `None` if the seat does not choose.
    fn null_action(&self, seat: usize) -> Option<Value>;
    /// Whether a seat may choose an action now.
    ///
    /// # Errors
    /// If it does not choose, or what is wrong with the action.
    fn legal(&self, seat: usize, action: Value) -> Result<(), String>;
    /// The position after one more turn, with an action of each seat that [chooses](DynPosition::to_move).
    ///
    /// # Errors
    /// If the match is over, a seat is missing, or what is wrong with an action.
    fn step(self: Arc<Self>, actions: Vec<(usize, Value)>) -> Result<Arc<dyn DynPosition>, String>;
    /// What was chosen in the turn that led here; `None` at the start.
    fn last_actions(&self) -> Option<Vec<(usize, Value)>>;
    /// The position before that turn; `None` at the start.
    fn before(&self) -> Option<Arc<dyn DynPosition>>;
    /// The board as planes; `None` where the game has not said what those are.
    fn board(&self) -> Option<BoardPlanes>;
    /// The result once the match is over.
    fn outcome(&self) -> Option<Outcome>;
    /// A number that equal states share; see [`digest`].
    fn digest(&self) -> u64;
    /// The match up to here as the text of a replay file; `players` names who sat where.
    ///
    /// # Errors
    /// If the number of players does not fit.
    fn replay_text(&self, players: Vec<String>) -> Result<String, String>;
}

/// A position with its type, and what led to it.
pub(super) struct Position<G: GameSpec> {
    game: Arc<G>,
    chance: Arc<Chance>,
    state: G::State,
    turn: usize,
    last: Option<LastTurn<G>>,
    closing: Option<(Seat, Closing)>,
}

struct LastTurn<G: GameSpec> {
    actions: Actions<G>,
    before: Arc<Position<G>>,
}

impl<G: GameSpec> Position<G> {
    /// All positions of a match, its start first.
    pub fn of(played: &Match<G>) -> Vec<Arc<dyn DynPosition>> {
        let chance = Arc::new(played.chance().clone());
        let mut positions: Vec<Arc<Self>> = Vec::with_capacity(played.len() + 1);
        for (turn, state) in played.states().iter().enumerate() {
            let last = positions.last().map(|before| LastTurn {
                actions: played.turns()[turn - 1].actions.clone(),
                before: Arc::clone(before),
            });
            positions.push(Arc::new(Self {
                game: Arc::clone(played.game()),
                chance: Arc::clone(&chance),
                state: state.clone(),
                turn,
                last,
                closing: played.closing().filter(|_| turn == played.len()),
            }));
        }
        positions.into_iter().map(|position| position as Arc<dyn DynPosition>).collect()
    }

    /// The start of a match.
    pub fn start(game: Arc<G>, seed: u64) -> Result<Arc<dyn DynPosition>, String> {
        let chance = Chance::new(seed);
        let state = game.start(&chance)?;
        Ok(Arc::new(Self {
            game,
            chance: Arc::new(chance),
            state,
            turn: 0,
            last: None,
            closing: None,
        }))
    }

    /// The states before this one, the oldest first.
    fn past(&self) -> Vec<G::State> {
        let mut past = Vec::with_capacity(self.turn);
        let mut last = self.last.as_ref();
        while let Some(turn) = last {
            past.push(turn.before.state.clone());
            last = turn.before.last.as_ref();
        }
        past.reverse();
        past
    }

    /// The match up to here.
    fn played(&self) -> Result<Match<G>, String> {
        let mut turns = Vec::with_capacity(self.turn);
        let mut last = self.last.as_ref();
        while let Some(turn) = last {
            turns.push(turn.actions.clone());
            last = turn.before.last.as_ref();
        }
        let chance = Chance::clone(&self.chance);
        let mut played = Match::with_chance(Arc::clone(&self.game), chance)?;
        for actions in turns.into_iter().rev() {
            played.advance(actions)?;
        }
        if let Some((seat, closing)) = self.closing {
            played.close(seat, closing);
        }
        Ok(played)
    }

    fn chooses(&self, seat: usize) -> Option<Seat> {
        let seats = DynPosition::to_move(self);
        seats.contains(&seat).then_some(Seat(seat as u8))
    }

    /// Why a seat may not choose, whether or not it is there.
    fn does_not_choose(&self, seat: usize) -> String {
        match seat < self.game.seats() {
            true => MatchError::NotToMove(G::SEATS.id(Seat(seat as u8))).into(),
            false => "there is no such seat".into(),
        }
    }
}

/// An action from a document, made whole where it holds only the beginning of one.
pub(super) fn read_action<G: GameSpec>(
    game: &G,
    state: &G::State,
    seat: Seat,
    action: Value,
) -> Result<G::Action, String> {
    let action = from_value(action)
        .map_err(|why| format!("the action of {} cannot be read: {why}", G::SEATS.id(seat)))?;
    Ok(game.completed(state, seat, action))
}

/// States, observations and actions are plain data, which always serialises.
pub(super) fn document(value: &impl Serialize) -> Value {
    to_value(value).unwrap_or_default()
}

impl<G: GameSpec> DynPosition for Position<G> {
    fn level(&self) -> Result<AnyLevel, Vec<Fault>> {
        CheckedLevel::<G>::new(self.game.level().clone()).map(AnyLevel::new)
    }

    fn restart(&self, seed: u64) -> Result<Arc<dyn DynPosition>, String> {
        Self::start(Arc::clone(&self.game), seed)
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn turn(&self) -> usize {
        self.turn
    }

    fn to_move(&self) -> Vec<usize> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.game.to_move(&self.state).into_iter().map(Seat::index).collect()
    }

    fn state(&self) -> Value {
        document(&self.state)
    }

    fn observation(&self, seat: usize) -> Value {
        if seat >= self.game.seats() {
            return Value::Null;
        }
        document(&self.game.observe(&self.past(), &self.state, Seat(seat as u8)))
    }

    fn actions(&self, seat: usize) -> Option<Vec<Value>> {
        let Some(seat) = self.chooses(seat) else { return Some(Vec::new()) };
        Some(self.game.actions(&self.state, seat)?.iter().map(document).collect())
    }

    fn null_action(&self, seat: usize) -> Option<Value> {
        Some(document(&self.game.null_action(&self.state, self.chooses(seat)?)))
    }

    fn legal(&self, seat: usize, action: Value) -> Result<(), String> {
        let Some(seat) = self.chooses(seat) else {
            return Err(self.does_not_choose(seat));
        };
        let action = read_action(&*self.game, &self.state, seat, action)?;
        self.game.legal(&self.state, seat, &action)
    }

    fn step(self: Arc<Self>, actions: Vec<(usize, Value)>) -> Result<Arc<dyn DynPosition>, String> {
        if self.closing.is_some() {
            return Err(MatchError::Over.into());
        }
        let mut actions = actions
            .into_iter()
            .map(|(seat, action)| {
                let Some(seat) = self.chooses(seat) else {
                    return Err(self.does_not_choose(seat));
                };
                Ok((seat, read_action(&*self.game, &self.state, seat, action)?))
            })
            .collect::<Result<Actions<G>, _>>()?;
        actions.sort_by_key(|(seat, _)| *seat);
        let game = &*self.game;
        let chance = &*self.chance;
        let state = next_state(game, chance, &self.state, self.turn, &actions, &mut Vec::new())?;
        Ok(Arc::new(Self {
            game: Arc::clone(&self.game),
            chance: Arc::clone(&self.chance),
            state,
            turn: self.turn + 1,
            last: Some(LastTurn { actions, before: self }),
            closing: None,
        }))
    }

    fn last_actions(&self) -> Option<Vec<(usize, Value)>> {
        let actions = self.last.as_ref()?.actions.iter();
        Some(actions.map(|(seat, action)| (seat.index(), document(action))).collect())
    }

    fn before(&self) -> Option<Arc<dyn DynPosition>> {
        Some(Arc::clone(&self.last.as_ref()?.before) as Arc<dyn DynPosition>)
    }

    fn board(&self) -> Option<BoardPlanes> {
        Some(G::PLANES?.board(&self.game, &self.state))
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.closing {
            Some((seat, closing)) => {
                Some((G::MATCH_RULES.closed)(&self.game, &self.state, seat, closing))
            }
            None => self.game.outcome(&self.state),
        }
    }

    fn digest(&self) -> u64 {
        digest(&self.state)
    }

    fn replay_text(&self, players: Vec<String>) -> Result<String, String> {
        let seats = self.game.seats();
        let named = players.len();
        if named != seats {
            return Err(format!("{named} players for {seats} seats"));
        }
        let replay = Replay::of(&self.played()?, players);
        ron::to_string(&replay).map_err(|error| error.to_string())
    }
}

/// One position after the other: dropped as usual, each would drop the one before from within itself, and a long
/// match would exhaust the stack.
impl<G: GameSpec> Drop for Position<G> {
    fn drop(&mut self) {
        let mut last = self.last.take();
        while let Some(turn) = last {
            last = Arc::into_inner(turn.before).and_then(|mut before| before.last.take());
        }
    }
}
