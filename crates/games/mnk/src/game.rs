//! The game as a match plays it, with its openings and the programs that can take a seat.

use super::gomocup;
use super::level::{self, MnkFile};
use super::openings;
use super::rules::{CROSSES, Mnk, MnkAction, MnkEvent, MnkState};
use outwit_core::levels::Fault;
use outwit_core::perfect_information;
use outwit_core::play::{
    Chance, CheckedLevel, Closing, EngineSpec, Game, MatchRules, Outcome, Place, Seat, SeatSpec,
    Seats, SetupError,
};
use outwit_kit::level_faults;

impl Game for Mnk {
    const ID: &'static str = "mnk";
    const RULES_VERSION: u32 = 1;
    const SEATS: Seats = Seats {
        allowed: 2..=2,
        spec: |seat| {
            let (id, title, piece) =
                if seat == CROSSES { ("x", "X", "stone-x") } else { ("o", "O", "stone-o") };
            SeatSpec { id: id.into(), title: title.into(), piece }
        },
    };
    const MATCH_RULES: MatchRules<Self> = MatchRules {
        joint_lines: true,
        loses_on_time: true,
        draws_by_agreement: true,
        openings: Some(openings::OPENINGS),
        closed,
        ..MatchRules::USUAL
    };
    const PROGRAMS: Option<EngineSpec<Self>> = Some(EngineSpec {
        protocol: gomocup::NAME,
        fits: gomocup::fits,
        ask: gomocup::ask,
        make: |context, seat| Box::new(gomocup::EnginePlayer::new(context, seat)),
    });

    type Level = MnkFile;
    type State = MnkState;
    type Action = MnkAction;
    type Event = MnkEvent;
    perfect_information! {}

    fn faults(level: &MnkFile) -> Vec<Fault> {
        level_faults::<Self>(level, level::faults)
    }

    fn new(level: &CheckedLevel<Self>, seats: usize) -> Result<Self, SetupError> {
        if seats != 2 {
            return Err(SetupError(format!("the (m,n,k)-game is for two, not {seats}")));
        }
        Ok(Self::on(level.clone().into_inner()))
    }

    fn level(&self) -> &MnkFile {
        self.file()
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self, _chance: &Chance) -> Result<MnkState, SetupError> {
        Ok(self.opening())
    }

    fn to_move(&self, state: &MnkState) -> Vec<Seat> {
        state.mover().into_iter().collect()
    }

    /// The empty cells, then the choices of a swap opening.
    fn actions(&self, state: &MnkState, _seat: Seat) -> Option<Vec<MnkAction>> {
        let cells = (0..state.stones.len()).map(|at| MnkAction::Place(self.cell_at(at)));
        let choices = [MnkAction::Keep, MnkAction::Swap, MnkAction::TwoMore];
        Some(cells.chain(choices).filter(|action| self.check(state, *action).is_ok()).collect())
    }

    /// Without making the list, and with the reason.
    fn legal(&self, state: &MnkState, _seat: Seat, action: &MnkAction) -> Result<(), String> {
        self.check(state, *action)
    }

    fn advance(
        &self,
        state: &mut MnkState,
        actions: &[(Seat, MnkAction)],
        _chance: &Chance,
        events: &mut Vec<MnkEvent>,
    ) {
        for (_, action) in actions {
            self.take(state, *action, events);
        }
    }

    fn outcome(&self, state: &MnkState) -> Option<Outcome> {
        let place = |rank, score, ending: &str| Place {
            rank,
            score: Some(score),
            ending: ending.to_owned(),
        };
        if let Some(winner) = state.winner() {
            let seat = state.holder(winner);
            let mut places = vec![place(1, 1.0, "won"), place(2, 0.0, "lost")];
            places.rotate_right(seat.index());
            let with = if state.swapped {
                format!(" (playing {} after the swap)", winner.to_char())
            } else {
                String::new()
            };
            let headline = format!("{} won{with}: {} in a row", Self::SEATS.title(seat), self.k());
            return Some(Outcome { headline, places });
        }
        (state.empty == 0).then(|| Outcome {
            headline: "Draw: the board is full".into(),
            places: vec![place(1, 0.5, "drawn"); 2],
        })
    }
}

/// Whoever stops has lost, unless a draw was agreed.
fn closed(_: &Mnk, _state: &MnkState, seat: Seat, closing: Closing) -> Outcome {
    let title = Mnk::SEATS.title(seat);
    let headline = match closing {
        Closing::Unsolved => format!("{title} found no move"),
        _ => closing.headline(&title),
    };
    let place =
        |rank, score, ending: &str| Place { rank, score: Some(score), ending: ending.into() };
    let mut places = match closing {
        Closing::Agreed => vec![place(1, 0.5, closing.word()); 2],
        _ => vec![place(2, 0.0, closing.word()), place(1, 1.0, "won")],
    };
    places.rotate_right(seat.index() % 2);
    Outcome { headline, places }
}
