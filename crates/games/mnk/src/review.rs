//! A match against perfect or at least deep play: what each move cost, and which wins were missed.

use super::GAME_POINTS;
use super::notation::cell_name;
use super::planners::value_of;
use super::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use super::search::SearchBoard;
use super::solve::{estimate, prove, side_to_move, win_by_fours};
use outwit_core::play::{
    Better, Budget, Clock, Match, MoveReview, Review, ReviewedChoice, Seat, SeatReview, Series,
    StopFlag, Value,
};
use outwit_kit::GameSpec;

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
        let note = if is_play { note(before, after, cost) } else { "opening".into() };
        let made = is_play.then(|| ReviewedChoice {
            words: game.action_words(action),
            leads_to: outlook(turned(after.value)),
            ways: vec![vec![cell]],
        });
        let best = before.line.first().map(|&at| game.cell_at(usize::from(at)));
        let better =
            best.filter(|&best| is_play && cost > 0.0 && best != cell).map(|best| ReviewedChoice {
                words: cell_name(best, game.height()),
                leads_to: outlook(before.value),
                ways: vec![vec![best]],
            });
        moves.push(MoveReview {
            turn,
            cell,
            before: Some(values[0]),
            after: Some(values[1]),
            cost: Some(cost),
            margin: None,
            note,
            made,
            better,
        });
    }
    let point = |(turn, (state, worth)): (usize, (&MnkState, &Worth))| {
        [turn as f64, for_seat(state, worth, seat)]
    };
    let points = states.iter().zip(worths).enumerate().map(point).collect();
    let reached = played.outcome().and_then(|over| over.places.get(seat.index())?.score);
    // An estimate is not the result of perfect play.
    let perfect = states
        .first()
        .zip(worths.first().filter(|worth| worth.is_proved))
        .map(|(state, worth)| for_seat(state, worth, seat));
    let best = moves.iter().filter_map(|made| made.before).fold(perfect.unwrap_or(0.0), f64::max);
    SeatReview {
        seat,
        moves,
        perfect,
        reached,
        summary: reached.map(|reached| summary(reached, perfect, best)),
        series: vec![Series { name: "expected result".into(), points }],
    }
}

/// The result of a seat in words: `best` is the best that a position of it was worth.
fn summary(reached: f64, perfect: Option<f64>, best: f64) -> String {
    let name = |points: f64| match points {
        1.0 => "win",
        0.0 => "loss",
        _ => "draw",
    };
    let result = match (name(reached), best >= 1.0) {
        ("win", _) => "Won",
        ("draw", true) => "Drew a won game",
        ("draw", false) => "Drawn",
        (_, true) => "Lost a won game",
        _ => "Lost",
    };
    match perfect {
        Some(perfect) => format!("{result}; perfect play by both gives a {}", name(perfect)),
        None => result.into(),
    }
}

/// What a value of one side is for the other.
fn turned(value: Value) -> Value {
    match value {
        Value::Win(plies) => Value::Loss(plies),
        Value::Loss(plies) => Value::Win(plies),
        Value::Draw => Value::Draw,
        Value::Score(score) => Value::Score(1.0 - score),
    }
}

/// Own moves to the end, if their number is known.
fn within(plies: Option<u32>) -> String {
    plies.filter(|&plies| plies > 0).map_or_else(String::new, |p| format!(" in {}", p.div_ceil(2)))
}

/// What a position is worth to a side, in words.
fn outlook(value: Value) -> String {
    match value {
        Value::Win(plies) => format!("win{}", within(plies)),
        Value::Loss(plies) => format!("loss{}", within(plies)),
        Value::Draw => "draw".into(),
        Value::Score(score) => format!("{} chances", percent(score)),
    }
}

fn percent(score: f64) -> String {
    format!("{:.0} %", 100.0 * score)
}

/// What a move between two positions lost, in the terms of the player.
fn note(before: &Worth, after: &Worth, cost: f64) -> String {
    match (before.value, turned(after.value)) {
        (Value::Win(_), Value::Win(_)) => "as good as any".into(),
        (Value::Win(plies), Value::Loss(_)) => {
            format!("lost a won game, missed win{}", within(plies))
        }
        (Value::Win(plies), _) => format!("missed win{}", within(plies)),
        (Value::Draw, Value::Loss(plies)) => format!("lost a drawn game, loss{}", within(plies)),
        (Value::Score(_), Value::Loss(plies)) if cost > 0.0 => {
            format!("allows the other side a forced win{}", within(plies))
        }
        (Value::Loss(_), _) => "the game was lost already".into(),
        _ if cost < NOISE => "as good as any".into(),
        _ => {
            let (from, to) = (percent(before.points()), percent(1.0 - after.points()));
            format!("chances down from {from} to {to}, by estimate")
        }
    }
}
