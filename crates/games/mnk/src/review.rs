//! A match against perfect or at least deep play: what each move cost, and which wins were missed.

use super::GAME_POINTS;
use super::notation::cell_name;
use super::planners::{BEST, value_of};
use super::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use super::search::SearchBoard;
use super::search::pvs::MnkSearch;
use super::solve::{estimate, prove, side_to_move, win_by_fours};
use outwit_core::play::{
    Better, Budget, Clock, Match, MoveReview, Review, ReviewedChoice, Seat, SeatReview, Series,
    StopFlag, Value,
};
use outwit_kit::GameSpec;
use std::collections::VecDeque;

/// What may be spent on each position of the match.
const EFFORT: Effort = Effort { proof: 30_000, search: 30_000 };

/// Positions that a search may take of one before which the value turns, and how many of these are searched again.
const NODES_AGAIN: u64 = 300_000;
const MOST_AGAIN: usize = 20;

/// The value turns where it changes by so much within so many moves.
const TURN: f64 = 0.12;
const TURN_MOVES: usize = 4;

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

/// Losses below this are within the error of a search that proves nothing. In ten games beside searches of 500,000
/// positions (the ignored test, seeds 200 to 209), 22 of 26 losses from here on cost at least half as much by those
/// too, but of 58 smaller ones only every second.
const NOISE: f64 = 0.1;

/// What a position is worth to the side that is to move.
pub(super) struct Worth {
    value: Value,
    /// Whether the value is certain.
    pub is_proved: bool,
    /// The winning or expected moves of both sides.
    line: Vec<u16>,
    /// The move besides which all lose.
    only: Option<u16>,
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
    proved(board, effort, stop).unwrap_or_else(|| of_search(&estimate(board, effort.search, stop)))
}

/// What a position is worth, if it can be proved.
fn proved(board: &SearchBoard, effort: Effort, stop: &StopFlag) -> Option<Worth> {
    let clock = Clock::new(Budget::Work(effort.proof), stop.clone());
    let found = win_by_fours(board, &clock).or_else(|| prove(board, TABLE_BITS, &clock))?;
    Some(Worth { value: found.value, is_proved: true, line: found.line, only: None })
}

/// What a search says of its position.
fn of_search(search: &MnkSearch) -> Worth {
    Worth {
        value: value_of(search.steady_value(), search.is_exact()),
        is_proved: search.is_exact(),
        line: search.line().to_vec(),
        only: search.only_move(),
    }
}

/// The positions of a match while they are valued, back from the last one: what a search finds of the later ones it
/// still knows when it comes to the earlier ones.
struct Look<'a> {
    played: &'a Match<Mnk>,
    board: SearchBoard,
    search: MnkSearch,
    stop: &'a StopFlag,
}

impl Look<'_> {
    /// What the position of a turn is worth.
    fn worth(&mut self, turn: usize) -> Option<Worth> {
        let state = self.played.state_at(turn)?;
        let over = |value| Worth { value, is_proved: true, line: Vec::new(), only: None };
        Some(match state.winner() {
            // The side that is to move has lost.
            Some(_) => over(Value::Loss(Some(0))),
            None if state.empty == 0 => over(Value::Draw),
            None => {
                self.board.set_up(state);
                match proved(&self.board, EFFORT, self.stop) {
                    Some(proved) => proved,
                    None => self.searched(turn, EFFORT.search)?,
                }
            }
        })
    }

    /// What a search of so many positions says of the position of a turn.
    fn searched(&mut self, turn: usize, nodes: u64) -> Option<Worth> {
        self.search.set_up(self.played.state_at(turn)?);
        self.search.run(&Clock::new(Budget::Work(nodes), self.stop.clone()));
        Some(of_search(&self.search))
    }

    /// The cell that was taken in a turn of play, after which the other side is to move.
    fn taken(&self, turn: usize) -> Option<u16> {
        let before = self.played.state_at(turn)?;
        let after = self.played.state_at(turn + 1)?;
        let is_play = matches!(before.phase, MnkPhase::Play);
        let MnkAction::Place(cell) = self.played.turns().get(turn)?.actions.first()?.1 else {
            return None;
        };
        let is_turned = is_play && side_to_move(before) != side_to_move(after);
        is_turned.then(|| self.played.game().index_of(cell)).flatten()?.try_into().ok()
    }

    /// Takes over what the position after a turn is worth, where that decides what the one before it is: a move that is
    /// proved to win makes it a win, and an only move makes it as good as what it leads to.
    fn carry_back(&self, turn: usize, before: &mut Worth, after: &Worth) {
        let Some(cell) = self.taken(turn) else { return };
        let wins = after.is_proved && matches!(after.value, Value::Loss(_));
        if !before.is_proved && (wins || before.only == Some(cell)) {
            before.value = later(turned(after.value));
            before.is_proved = after.is_proved;
            before.line = [&[cell][..], &after.line].concat();
        }
    }

    /// Whether the value of the position of a turn is an estimate from which that of the one before it, or of those soon
    /// after it, differs clearly.
    fn is_doubtful(&self, turn: usize, worths: &[Worth]) -> bool {
        let of_first = |turn: usize| {
            let state = self.played.state_at(turn);
            state.map_or(0.5, |state| for_seat(state, &worths[turn], Seat(0)))
        };
        // From the one before it on: what a move cost hangs on both positions.
        let first = turn.saturating_sub(1);
        let last = (turn + TURN_MOVES).min(worths.len() - 1);
        let is_open = !worths[turn].is_proved && worths[turn].only.is_none();
        is_open && (first..=last).any(|at| (of_first(at) - of_first(turn)).abs() > TURN)
    }
}

/// Reviews a match; `None` if `stop` was raised.
///
/// Values are what a position is worth to the seat, from 0 for a loss to 1 for a win. Where neither a
/// proof nor a forced win was found, they are estimates of a search, which looks longer where the value is about to turn.
pub fn review(played: &Match<Mnk>, stop: &StopFlag) -> Option<Review> {
    let game = &**played.game();
    let board = SearchBoard::of(game, played.states().first()?);
    let search = MnkSearch::new(board.clone(), BEST.options);
    let mut look = Look { played, board, search, stop };
    let positions = played.states().len();
    let mut worths: VecDeque<Worth> = VecDeque::with_capacity(positions);
    for turn in (0..positions).rev() {
        if stop.is_raised() {
            return None;
        }
        let mut before = look.worth(turn)?;
        if let Some(after) = worths.front() {
            look.carry_back(turn, &mut before, after);
        }
        worths.push_front(before);
    }
    let mut worths = Vec::from(worths);
    let mut again = MOST_AGAIN;
    for turn in (0..positions).rev() {
        if stop.is_raised() {
            return None;
        }
        let (before, after) = worths.split_at_mut(turn + 1);
        if let (Some(before), Some(after)) = (before.last_mut(), after.first()) {
            look.carry_back(turn, before, after);
        }
        if again > 0 && look.is_doubtful(turn, &worths) {
            again -= 1;
            worths[turn] = look.searched(turn, NODES_AGAIN)?;
        }
    }
    let seats = [Seat(0), Seat(1)].map(|seat| seat_review(played, seat, &worths));
    Some(Review { unit: GAME_POINTS, better: Better::Higher, seats: seats.into() })
}

/// A value one ply earlier.
fn later(value: Value) -> Value {
    match value {
        Value::Win(plies) => Value::Win(plies.map(|plies| plies + 1)),
        Value::Loss(plies) => Value::Loss(plies.map(|plies| plies + 1)),
        other => other,
    }
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
        let state = &states[turn];
        let before = &worths[turn];
        let after = &worths[turn + 1];
        let values = [for_seat(state, before, seat), for_seat(&states[turn + 1], after, seat)];
        // A move cannot gain: where it seems to, the search saw too little before.
        let cost = (values[0] - values[1]).max(0.0);
        // In an opening the stones are placed for either side, so a move costs nothing.
        let is_play = matches!(state.phase, MnkPhase::Play);
        let cost = if is_play && cost >= NOISE { cost } else { 0.0 };
        let cell = match action {
            MnkAction::Place(cell) => *cell,
            _ => state.last.unwrap_or_default(),
        };
        let is_only = before.only.is_some_and(|only| game.cell_at(usize::from(only)) == cell);
        let note = match is_play {
            true if is_only => "the only move".into(),
            true => note(before, after, cost),
            false => "opening".into(),
        };
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
    let points = states
        .iter()
        .zip(worths)
        .enumerate()
        .map(|(turn, (state, worth))| [turn as f64, for_seat(state, worth, seat)])
        .collect();
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
        _ if cost == 0.0 => "as good as any".into(),
        _ => {
            let from = percent(before.points());
            let to = percent(1.0 - after.points());
            format!("chances down from {from} to {to}, by estimate")
        }
    }
}

#[cfg(test)]
mod tests;
