//! Noughts and crosses: two seats in turn, stones that appear, win, draw and loss.

use super::*;
use schemars::JsonSchema;

rule_set! {
    /// The rules of the game.
    pub struct NoughtRules {
        /// Stones in a row that win.
        win: u32 = 3, Whole { min: 2, max: 3, optional: false }, "In a row";
        /// Whoever has such a row loses.
        misere: bool = false, Flag, "Misere";
    }
}

/// The game on one board.
pub type Noughts = OnMap<NoughtRules>;

/// The stones by cell, row by row: none, of the first seat, of the second.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Stones(pub [Option<Seat>; 9]);

impl Stones {
    fn empty(&self) -> impl Iterator<Item = u8> {
        (0..9).filter(|&cell| self.0[usize::from(cell)].is_none())
    }
    fn mover(&self) -> Seat {
        Seat((1 + self.empty().count() % 2) as u8 % 2)
    }
    fn after(mut self, cell: u8) -> Self {
        self.0[usize::from(cell)] = Some(self.mover());
        self
    }
}

impl Noughts {
    fn winner(&self, stones: &Stones) -> Option<Seat> {
        let at = |cell: Cell| stones.0[self.map.index_of(cell)?];
        let row = |from: Cell, step: Cell| {
            let cell = |n| Cell::new(from.x + n * step.x, from.y + n * step.y);
            let seat = at(from)?;
            (1..self.level.rules.win as i32).all(|n| at(cell(n)) == Some(seat)).then_some(seat)
        };
        let seat =
            self.map.cells().find_map(|cell| EIGHT.iter().find_map(|&way| row(cell, way)))?;
        Some(if self.level.rules.misere { Seat(1 - seat.0) } else { seat })
    }

    /// The value for whoever moves, and the best cell. Each position after this one is charged.
    fn negamax(&self, stones: &Stones, clock: &Clock) -> (Value, Option<u8>) {
        if let Some(winner) = self.winner(stones) {
            let won = winner == stones.mover();
            return (if won { Value::Win(Some(0)) } else { Value::Loss(Some(0)) }, None);
        }
        clock.charge(stones.empty().count() as u64);
        let valued = stones.empty().map(|cell| (self.value(stones, &cell, clock), Some(cell)));
        valued.min_by(|a, b| a.0.compare(b.0, Better::Higher)).unwrap_or((Value::Draw, None))
    }
}

impl Game for Noughts {
    on_map! {
        "noughts", rules: NoughtRules, seats: 2,
        |seat| {
            let (id, title) = if seat == Seat(0) { ("x", "Crosses") } else { ("o", "Noughts") };
            SeatSpec { id: id.into(), title: title.into(), piece: "stone" }
        }
    }
    perfect_information! {}
    type State = Stones;
    type Action = u8;
    type Event = u8;
    fn start(&self, _: &Chance) -> Result<Stones, SetupError> {
        let seat = |n: usize| "xo".find(self.map.as_slice()[n]).map(|seat| Seat(seat as u8));
        Ok(Stones(std::array::from_fn(seat)))
    }
    fn to_move(&self, stones: &Stones) -> Vec<Seat> {
        if self.outcome(stones).is_some() { Vec::new() } else { vec![stones.mover()] }
    }
    fn actions(&self, stones: &Stones, _: Seat) -> Option<Vec<u8>> {
        Some(stones.empty().collect())
    }
    fn advance(&self, stones: &mut Stones, turn: &[(Seat, u8)], _: &Chance, events: &mut Vec<u8>) {
        events.extend(turn.iter().map(|(_, cell)| cell));
        *stones = events.iter().fold(*stones, |stones, &cell| stones.after(cell));
    }
    fn outcome(&self, stones: &Stones) -> Option<Outcome> {
        let (headline, places) = match self.winner(stones) {
            Some(winner) => {
                let mut places = vec![place(1, Some(1.0), "won"), place(2, Some(0.0), "lost")];
                places.rotate_right(winner.index());
                (Self::SEATS.title(winner) + " won", places)
            }
            None if stones.empty().next().is_some() => return None,
            None => ("drawn".into(), vec![place(1, Some(0.5), "drawn"); 2]),
        };
        Some(Outcome { headline, places })
    }
}

impl Tiny for Noughts {
    fn choices(&self, stones: &Stones) -> Vec<u8> {
        stones.empty().collect()
    }
    fn worth(&self, stones: &Stones, seat: Seat) -> Option<f64> {
        let own = stones.mover() == seat;
        Some(match self.negamax(stones, &Clock::unlimited()).0 {
            Value::Win(_) => f64::from(u8::from(own)),
            Value::Loss(_) => f64::from(u8::from(!own)),
            _ => 0.5,
        })
    }
    fn cell(&self, _: &Stones, &cell: &u8) -> Cell {
        self.map.cell_at(usize::from(cell))
    }
    fn pieces_faults(cells: &Grid<char>) -> Vec<Fault> {
        let (x, o) = (count(cells, 'x'), count(cells, 'o'));
        fault_unless(cells.len() == 9 && (x == o || x == o + 1), "not a position of this game")
    }
}

impl Enumerable for Noughts {
    fn value(&self, stones: &Stones, &cell: &u8, clock: &Clock) -> Value {
        match self.negamax(&stones.after(cell), clock).0 {
            Value::Win(plies) => Value::Loss(plies.map(|plies| plies + 1)),
            Value::Loss(plies) => Value::Win(plies.map(|plies| plies + 1)),
            other => other,
        }
    }
    fn reply(&self, stones: &Stones, &cell: &u8) -> Option<(Stones, u8)> {
        let stones = stones.after(cell);
        Some((stones, self.negamax(&stones, &Clock::unlimited()).1?))
    }
    fn picture(&self, valued: &[(u8, Value)], _: &u8) -> Insight {
        let candidate = |&(cell, value): &(u8, Value)| {
            let cells = vec![self.map.cell_at(usize::from(cell))];
            let line = vec![action_text(&cell)];
            Candidate { name: cell.to_string(), value: Some(value), cells, line }
        };
        Insight { candidates: valued.iter().map(candidate).collect(), ..Insight::default() }
    }
}

tiny_game! {
    Noughts, rules: NoughtRules, format: "noughts 1", sides: 3..=3,
    tiles: &[
        tile('.', "Empty", TileStyle::Ground), tile('x', "Cross", TileStyle::Start),
        tile('o', "Nought", TileStyle::Goal),
    ],
    sample: &["...", ".x.", "..o"],
    score: ("points", "point", "points", Better::Higher), endings: &["won", "drawn", "lost"],
    planners: [one_ply_planner(), planner("negamax", enumeration)],
}
