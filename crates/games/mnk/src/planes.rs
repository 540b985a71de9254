//! Positions as planes, and play by numbers.

use super::level::Stone;
use super::rules::{CROSSES, Mnk, MnkAction, MnkPhase, MnkState};
use outwit_core::play::Seat;
use outwit_kit::{NumberedPlay, Plane, PlaneSpec, make_batch};

const OWN: Plane = Plane::new("Own stones", 'X', [0, 114, 178]).drawn_as("stone-x");
const OTHERS: Plane = Plane::new("Stones of the other", 'O', [213, 94, 0]).drawn_as("stone-o");

pub(super) const PLANES: PlaneSpec<Mnk> = PlaneSpec {
    fixed: |_| Vec::new(),
    mark_fixed: |_, _| {},
    moving: |_| vec![OWN, OTHERS],
    mark_moving: |_, state, seat, canvas| {
        let own = state.held(seat);
        for (index, stone) in state.stones.iter().enumerate() {
            if let Some(stone) = *stone {
                canvas.mark_index(usize::from(stone != own), index);
            }
        }
    },
    shown_to: |_, state| state.holder(Stone::X),
};

/// What can be chosen in the swap openings, after the cells.
const CHOICES: [MnkAction; 3] = [MnkAction::Keep, MnkAction::Swap, MnkAction::TwoMore];

/// The cells, row by row, and then the choices of the swap openings. An illegal action counts as the first legal one.
pub(super) const NUMBERED_PLAY: NumberedPlay<Mnk> = NumberedPlay {
    numbers: |_| Vec::new(),
    write_numbers: |_, _, _, _| {},
    choices: |game| vec![vec![game.width() * game.height() + CHOICES.len()]],
    mark_legal: |game, state, mask| {
        let (cells, choices) = mask.split_at_mut(state.stones.len());
        if state.phase != MnkPhase::FirstChooses {
            for (legal, stone) in cells.iter_mut().zip(&state.stones) {
                *legal = u8::from(stone.is_none());
            }
        }
        for (legal, choice) in choices.iter_mut().zip(CHOICES) {
            *legal = u8::from(game.refusal(state, choice).is_none());
        }
    },
    is_over: |_, state| state.mover().is_none(),
    mover: |_, state| mover(state),
    step: |game, state, numbers, _, events, rewards| {
        let number = numbers[0] as usize;
        let choice = match number.checked_sub(state.stones.len()) {
            None => MnkAction::Place(game.cell_at(number)),
            Some(choice) => CHOICES[choice],
        };
        let is_legal = game.refusal(state, choice).is_none();
        let choice = if is_legal { choice } else { first_legal(game, state) };
        game.take(state, choice, events);
        if let Some(winner) = state.winner() {
            let winner = state.holder(winner).index();
            rewards[winner] = 1.0;
            rewards[1 - winner] = -1.0;
        }
    },
    cost_to_go: None,
    distance: None,
    make_batch: make_batch!(Mnk),
};

fn first_legal(game: &Mnk, state: &MnkState) -> MnkAction {
    let cells = (0..state.stones.len()).map(|index| MnkAction::Place(game.cell_at(index)));
    let mut all = cells.chain(CHOICES);
    all.find(|&action| game.refusal(state, action).is_none()).unwrap_or(MnkAction::Keep)
}

/// Who chooses; once the match is over, who would be next.
fn mover(state: &MnkState) -> Seat {
    state.mover().unwrap_or(if state.to_move.index() == 0 { CROSSES } else { Seat(1) })
}
