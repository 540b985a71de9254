//! A match against perfect or at least deep play: what each move cost, and which wins were missed.

use super::GAME_POINTS;
use super::notation::cell_name;
use super::planners::value_of;
use super::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use super::search::SearchBoard;
use super::solve::{estimate, prove, side_to_move, win_by_fours};
use outwit_core::grid::Cell;
use outwit_core::play::{
    Better, Budget, Clock, Match, MoveReview, Review, Seat, SeatReview, Series, StopFlag, Value,
};

/// What may be spent on each position of the match.
const EFFORT: Effort = Effort { proof: 30_000, search: 10_000 };

/// Entries of the tables, as a power of two.
const TABLE_BITS: u32 = 14;

/// What may be spent on a position.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Positions that a proof may take.
    pub proof: u64,
    /// Positions that a deep search may take where that is not enough.
    pub search: u64,
}

/// Losses below this are within the error of a search that proves nothing.
const NOISE: f64 = 0.02;

/// What a position is worth to the side that is to move.
pub(super) struct Worth {
    value: Value,
    /// Whether the value is certain.
    pub is_proved: bool,
    /// The winning or expected moves of both sides.
    line: Vec<u16>,
}

impl Worth {
    /// From 0 for a loss to 1 for a win.
    pub fn points(&self) -> f64 {
        match self.value {
            Value::Win(_) => 1.0,
            Value::Loss(_) => 0.0,
            Value::Draw => 0.5,
            Value::Score(score) => score,
        }
    }
}

/// What a position that is not over is worth.
pub(super) fn worth(board: &SearchBoard, effort: Effort, stop: &StopFlag) -> Worth {
    let clock = Clock::new(Budget::Work(effort.proof), stop.clone());
    let found = win_by_fours(board, &clock).or_else(|| prove(board, TABLE_BITS, &clock));
    if let Some(verdict) = found {
        return Worth { value: verdict.value, is_proved: true, line: verdict.line };
    }
    let search = estimate(board, effort.search, stop);
    Worth {
        value: value_of(search.steady_value(), search.is_exact()),
        is_proved: search.is_exact(),
        line: search.line().to_vec(),
    }
}

/// Reviews a match; `None` if `stop` was raised.
///
/// Values are what a position is worth to the seat, from 0 for a loss to 1 for a win. Where neither a
/// proof nor a forced win was found, they are estimates of a search.
pub fn review(played: &Match<Mnk>, stop: &StopFlag) -> Option<Review> {
    let game = &**played.game();
    let mut board = SearchBoard::of(game, played.states().first()?);
    let mut worths: Vec<Worth> = Vec::with_capacity(played.states().len());
    for state in played.states() {
        if stop.is_raised() {
            return None;
        }
        worths.push(match state.winner() {
            // The side that is to move has lost.
            Some(_) => Worth { value: Value::Loss(Some(0)), is_proved: true, line: Vec::new() },
            None if state.empty == 0 => {
                Worth { value: Value::Draw, is_proved: true, line: Vec::new() }
            }
            None => {
                board.set_up(state);
                worth(&board, EFFORT, stop)
            }
        });
    }
    let seats = [Seat(0), Seat(1)].map(|seat| seat_review(played, seat, &worths));
    Some(Review { unit: GAME_POINTS, better: Better::Higher, seats: seats.into() })
}

/// What a position is worth to a seat.
fn for_seat(state: &MnkState, worth: &Worth, seat: Seat) -> f64 {
    if side_to_move(state) == seat { worth.points() } else { 1.0 - worth.points() }
}

fn seat_review(played: &Match<Mnk>, seat: Seat, worths: &[Worth]) -> SeatReview {
    let game = &**played.game();
    let states = played.states();
    let mut moves = Vec::new();
    for (turn, done) in played.turns().iter().enumerate() {
        let Some((_, action)) = done.actions.iter().find(|(actor, _)| *actor == seat) else {
            continue;
        };
        let (state, before, after) = (&states[turn], &worths[turn], &worths[turn + 1]);
        let values = [for_seat(state, before, seat), for_seat(&states[turn + 1], after, seat)];
        // A move cannot gain: where it seems to, the search saw too little before.
        let cost = (values[0] - values[1]).max(0.0);
        // In an opening the stones are placed for either side, so a move costs nothing.
        let is_play = matches!(state.phase, MnkPhase::Play);
        let cost = if is_play { cost } else { 0.0 };
        let cell = match action {
            MnkAction::Place(cell) => *cell,
            _ => state.last.unwrap_or_default(),
        };
        let note = if is_play { note(game, before, after, cost) } else { "opening".into() };
        moves.push(MoveReview {
            turn,
            cell,
            before: Some(values[0]),
            after: Some(values[1]),
            cost: Some(cost),
            margin: None,
            note,
        });
    }
    let point = |(turn, (state, worth)): (usize, (&MnkState, &Worth))| {
        [turn as f64, for_seat(state, worth, seat)]
    };
    let points = states.iter().zip(worths).enumerate().map(point).collect();
    let reached = played.outcome().and_then(|over| over.places.get(seat.index())?.score);
    SeatReview {
        seat,
        moves,
        // An estimate is not the result of perfect play.
        perfect: states
            .first()
            .zip(worths.first().filter(|worth| worth.is_proved))
            .map(|(state, worth)| for_seat(state, worth, seat)),
        reached,
        series: vec![Series { name: "expected result".into(), points }],
    }
}

fn length(plies: Option<u32>) -> String {
    match plies {
        Some(1) => " in 1 ply".into(),
        Some(plies) => format!(" in {plies} plies"),
        None => String::new(),
    }
}

/// A word on a move between two positions.
fn note(game: &Mnk, before: &Worth, after: &Worth, cost: f64) -> String {
    let words = |line: &[u16]| -> String {
        let name = |&at: &u16| -> String {
            let cell: Cell = game.cell_at(usize::from(at));
            cell_name(cell, game.height())
        };
        line.iter().map(name).collect::<Vec<_>>().join(" ")
    };
    let certain = if before.is_proved && after.is_proved { "" } else { ", by a search" };
    match (before.value, after.value) {
        (Value::Win(_), Value::Loss(_)) => "as good as any".into(),
        (Value::Win(plies), _) => {
            let length = length(plies);
            format!("missed a forced win{length}: {}", words(&before.line))
        }
        (_, Value::Win(plies)) if cost > 0.0 => {
            let length = length(plies);
            format!("allows a forced win{length}: {}", words(&after.line))
        }
        (Value::Loss(_), _) => "the position was lost".into(),
        _ if cost < NOISE => "as good as any".into(),
        _ => format!("costs {cost:.2} points{certain}"),
    }
}
