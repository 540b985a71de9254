//! What programs are called and think, and what they are told: in the match and in its replay.

use super::super::driver::Driver;
use super::super::protocol::{ProgramThought, SavedThought};
use super::super::seat_slot::SeatSlot;
use super::super::{Game, ProgramLog, Replay, Seat};
use super::Referee;

impl<G: Game> Referee<G> {
    /// What the program that plays a seat and the planner that speaks for it said to each other; `None`
    /// for other players. It is filled while the match goes on.
    pub fn log(&self, seat: Seat) -> Option<ProgramLog> {
        match &self.slots[seat.index()].driver {
            Driver::Thread(thread) => thread.peek(|report| report.log.clone()),
            _ => None,
        }
    }

    /// What the program on a seat calls itself, once it is ready, or what whoever played in a record is called; `None`
    /// for other players.
    pub fn program_name(&self, seat: Seat) -> Option<String> {
        match &self.slots[seat.index()] {
            SeatSlot { driver: Driver::Recording, own_name, .. } => own_name.clone(),
            _ => self.log(seat)?.name(),
        }
    }

    /// What the program on a seat said about the turns of the present line; nothing for other players.
    pub fn thoughts(&self, seat: Seat) -> Vec<ProgramThought> {
        let mailbox = self.slots[seat.index()].mailbox.as_ref();
        mailbox.map(|mailbox| mailbox.thoughts()).unwrap_or_default()
    }

    /// Tells programs how the match has ended, if it has.
    pub(super) fn tell_end(&self) {
        let Some(outcome) = self.outcome() else { return };
        for mailbox in self.slots.iter().filter_map(|slot| slot.mailbox.as_ref()) {
            mailbox.end(Some(outcome.clone()));
        }
    }

    /// The match as a replay, with what programs thought.
    pub fn replay(&self) -> Replay<G> {
        let replay = Replay::of(&self.played, self.names().map(str::to_owned).collect());
        let thoughts: Vec<SavedThought> = (0..self.slots.len())
            .map(|seat| Seat(seat as u8))
            .flat_map(|seat| {
                let own = self.thoughts(seat);
                own.into_iter().map(move |thought| SavedThought::of(seat, &thought))
            })
            .collect();
        let names: Vec<Option<String>> =
            (0..self.slots.len()).map(|seat| self.program_name(Seat(seat as u8))).collect();
        match thoughts.is_empty() && names.iter().all(Option::is_none) {
            true => replay,
            false => replay.with_thoughts(thoughts).with_names(&names),
        }
    }
}
