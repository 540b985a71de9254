//! A running match without the types of its game.

use super::dyn_position::{document, read_action};
use super::spec::GameSpec;
use outwit_core::play::{Closing, Referee, Ruling, Seat, SeatStats};
use serde_json::{Map, Value, json};

/// A running match without the types of its game. Seats are counted from 0.
pub trait DynReferee: Send {
    /// Plays until a person has to choose, the match is over or its stop flag is raised. A match that goes on for longer
    /// than in a tournament is broken off: nobody is asked any more.
    fn run(&mut self) -> Ruling;
    /// The seats that a person must choose for now.
    fn people_to_move(&self) -> Vec<usize>;
    /// What a seat is told before the first turn, as a program is in the protocol: `game`, `rules_version`, `seat`,
    /// `seats`, `level`, and a `seed` for its own dice.
    fn start(&self, seat: usize) -> Option<Value>;
    /// What a seat is asked now, as a program is in the protocol: `turn`, `observation`, `actions` where they can be
    /// listed, and the `default`, an action that does as little as possible; and whether a program gives a
    /// `whole_answer`, all its actions at once. `None` if it is not asked.
    fn question(&self, seat: usize) -> Option<Value>;
    /// A person's choice.
    ///
    /// # Errors
    /// If the action cannot be read or is illegal, or it is not that seat's turn.
    fn choose(&mut self, seat: usize, action: Value) -> Result<(), String>;
    /// A seat stops before the rules end the match.
    fn close(&mut self, seat: usize, closing: Closing);
    /// How a seat behaved so far.
    fn stats(&self, seat: usize) -> Option<SeatStats>;
    /// The match so far as the text of a replay file.
    ///
    /// # Errors
    /// If it cannot be written.
    fn replay_text(&self) -> Result<String, String>;
}

/// The seat of this number, if a match has it.
fn seat_of<G: GameSpec>(referee: &Referee<G>, seat: usize) -> Option<Seat> {
    (seat < referee.played().game().seats()).then_some(Seat(seat as u8))
}

/// After how many turns a match is broken off.
fn most_turns<G: GameSpec>(referee: &Referee<G>) -> usize {
    (G::MATCH_RULES.most_turns)(referee.played().game())
}

impl<G: GameSpec> DynReferee for Referee<G> {
    fn run(&mut self) -> Ruling {
        match most_turns(self) {
            most if self.played().len() >= most => Ruling::Over,
            most => Referee::run(self, most),
        }
    }

    fn people_to_move(&self) -> Vec<usize> {
        match self.played().len() >= most_turns(self) {
            true => Vec::new(),
            false => self.humans_to_move().into_iter().map(Seat::index).collect(),
        }
    }

    fn start(&self, seat: usize) -> Option<Value> {
        let played = self.played();
        let seat = seat_of(self, seat)?;
        let game = played.game();
        let seats: Vec<String> =
            (0..game.seats()).map(|seat| G::SEATS.id(Seat(seat as u8))).collect();
        Some(json!({
            "game": G::ID,
            "rules_version": G::RULES_VERSION,
            "seat": G::SEATS.id(seat),
            "seats": seats,
            "level": document(&game.public_level()),
            // JSON numbers are exact to 2^53 in most languages.
            "seed": played.chance().planner_seed(seat) >> 11,
        }))
    }

    fn question(&self, seat: usize) -> Option<Value> {
        let played = self.played();
        let seat = seat_of(self, seat)?;
        let game = played.game();
        let state = played.state();
        if !played.to_move().contains(&seat) {
            return None;
        }
        let mut question = Map::new();
        question.insert("turn".into(), played.len().into());
        question.insert("observation".into(), document(&played.observation(played.len(), seat)?));
        if let Some(actions) = game.actions(state, seat) {
            question.insert("actions".into(), document(&actions));
        }
        question.insert("default".into(), document(&game.null_action(state, seat)));
        question.insert("whole_answer".into(), G::MATCH_RULES.whole_answers.into());
        Some(Value::Object(question))
    }

    fn choose(&mut self, seat: usize, action: Value) -> Result<(), String> {
        let seat = seat_of(self, seat).ok_or("there is no such seat")?;
        let played = self.played();
        let action = read_action(&**played.game(), played.state(), seat, action)?;
        Ok(Referee::choose(self, seat, action)?)
    }

    fn close(&mut self, seat: usize, closing: Closing) {
        if let Some(seat) = seat_of(self, seat) {
            Referee::close(self, seat, closing);
        }
    }

    fn stats(&self, seat: usize) -> Option<SeatStats> {
        Some(Referee::stats(self, seat_of(self, seat)?))
    }

    fn replay_text(&self) -> Result<String, String> {
        ron::to_string(&self.replay()).map_err(|error| error.to_string())
    }
}
