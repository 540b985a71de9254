//! Noughts and crosses: two seats in turn, stones that appear, win, draw and loss.

use super::tiny::*;

rule_set! {
    /// The rules of the game.
    pub struct NoughtRules {
        /// Stones in a row that win.
        win: u32 = 3, Whole { min: 2, max: 3, optional: false }, "In a row";
        /// Whoever has such a row loses.
        misere: bool = false, Flag, "Misere";
    }
}

/// The level.
pub struct Noughts(LevelFile<NoughtRules>);

/// The stones by cell, row by row: none, of the first seat, of the second.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Stones(pub [Option<Seat>; 9]);

impl Stones {
    fn empty(&self) -> impl Iterator<Item = u8> {
        (0..9).filter(|&cell| self.0[usize::from(cell)].is_none())
    }
    fn mover(&self) -> Seat {
        Seat((1 + self.empty().count() % 2) as u8 % 2)
    }
}

impl Noughts {
    fn after(&self, stones: &Stones, cell: u8) -> Stones {
        let mut next = *stones;
        next.0[usize::from(cell)] = Some(stones.mover());
        next
    }

    /// Who has a row.
    fn row(&self, stones: &Stones) -> Option<Seat> {
        let at = |x: i32, y: i32| {
            let inside = (0..3).contains(&x) && (0..3).contains(&y);
            inside.then(|| stones.0[(y * 3 + x) as usize]).flatten()
        };
        let row = |x, y, (dx, dy): (i32, i32)| {
            let seat = at(x, y)?;
            let all =
                (1..self.0.rules.win as i32).all(|n| at(x + n * dx, y + n * dy) == Some(seat));
            all.then_some(seat)
        };
        let ways = [(1, 0), (0, 1), (1, 1), (1, -1)];
        (0..9).find_map(|cell| ways.iter().find_map(|&way| row(cell % 3, cell / 3, way)))
    }

    fn winner(&self, stones: &Stones) -> Option<Seat> {
        let misere = self.0.rules.misere;
        self.row(stones).map(|seat| if misere { Seat(1 - seat.0) } else { seat })
    }

    /// The value for whoever moves, the best cell, and the positions searched.
    fn negamax(&self, stones: &Stones, nodes: &mut u64) -> (Value, Option<u8>) {
        *nodes += 1;
        if let Some(winner) = self.winner(stones) {
            let won = winner == stones.mover();
            return (if won { Value::Win(Some(0)) } else { Value::Loss(Some(0)) }, None);
        }
        let value = |cell| match self.negamax(&self.after(stones, cell), nodes).0 {
            Value::Win(plies) => Value::Loss(plies.map(|plies| plies + 1)),
            Value::Loss(plies) => Value::Win(plies.map(|plies| plies + 1)),
            other => other,
        };
        let values: Vec<_> = stones.empty().zip(stones.empty().map(value)).collect();
        let best = values.iter().min_by(|a, b| a.1.compare(b.1, Better::Higher));
        best.map_or((Value::Draw, None), |&(cell, value)| (value, Some(cell)))
    }
}

impl Game for Noughts {
    const ID: &'static str = "noughts";
    const RULES_VERSION: u32 = 1;
    type Level = LevelFile<NoughtRules>;
    type State = Stones;
    type Action = u8;
    type Observation = Stones;
    type Event = u8;
    fn new(level: &Self::Level, seats: usize) -> Result<Self, SetupError> {
        playable::<Self>(level, seats).map(|_| Self(level.clone()))
    }
    fn level(&self) -> &Self::Level {
        &self.0
    }
    fn seats(&self) -> usize {
        2
    }
    fn seats_allowed() -> RangeInclusive<usize> {
        2..=2
    }
    fn seat_spec(seat: Seat) -> SeatSpec {
        let (id, title) = if seat == Seat(0) { ("x", "Crosses") } else { ("o", "Noughts") };
        SeatSpec { id: id.into(), title: title.into(), piece: "stone" }
    }
    fn start(&self, _: &Chance) -> Result<Stones, SetupError> {
        let stone = |symbol: &char| "xo".find(*symbol).map(|seat| Seat(seat as u8));
        let mut stones = Stones([None; 9]);
        stones.0.iter_mut().zip(self.0.cells('.').as_slice()).for_each(|(to, c)| *to = stone(c));
        Ok(stones)
    }
    fn to_move(&self, stones: &Stones) -> Vec<Seat> {
        vec![stones.mover()]
    }
    fn observe(&self, _: &[Stones], stones: &Stones, _: Seat) -> Stones {
        *stones
    }
    fn legal(&self, stones: &Stones, _: Seat, cell: &u8) -> Result<(), String> {
        stones.empty().find(|empty| empty == cell).map(drop).ok_or_else(|| "not empty".into())
    }
    fn null_action(&self, stones: &Stones, _: Seat) -> u8 {
        stones.empty().next().unwrap_or_default()
    }
    fn advance(&self, stones: &mut Stones, turn: &[(Seat, u8)], _: &Chance, events: &mut Vec<u8>) {
        events.extend(turn.iter().map(|(_, cell)| cell));
        *stones = events.iter().fold(*stones, |stones, &cell| self.after(&stones, cell));
    }
    fn outcome(&self, stones: &Stones) -> Option<Outcome> {
        let winner = self.winner(stones);
        let place = |seat| match winner {
            Some(winner) if winner == seat => place(1, Some(1.0), "won"),
            Some(_) => place(2, Some(0.0), "lost"),
            None => place(1, Some(0.5), "drawn"),
        };
        let headline = winner.map_or("drawn".into(), |seat| Self::seat_spec(seat).title + " won");
        let over = winner.is_some() || stones.empty().next().is_none();
        over.then(|| Outcome { headline, places: vec![place(Seat(0)), place(Seat(1))] })
    }
}

impl Tiny for Noughts {
    fn choices(&self, stones: &Stones) -> Vec<u8> {
        stones.empty().collect()
    }
    fn worth(&self, stones: &Stones, seat: Seat) -> Option<f64> {
        let own = stones.mover() == seat;
        Some(match self.negamax(stones, &mut 0).0 {
            Value::Win(_) => f64::from(u8::from(own)),
            Value::Loss(_) => f64::from(u8::from(!own)),
            _ => 0.5,
        })
    }
    fn map_faults(cells: &Grid<char>) -> Vec<Fault> {
        let count = |wanted| cells.iter().filter(|(_, symbol)| **symbol == wanted).count();
        let (x, o) = (count('x'), count('o'));
        let fits = cells.len() == 9 && (x == o || x == o + 1);
        if fits { vec![] } else { vec![Fault::whole("not a position of this game")] }
    }
}

/// Searches the moves one by one, each to the end.
struct Negamax(Arc<Noughts>, Stones, Vec<(u8, Value)>);

impl Planner<Noughts> for Negamax {
    fn observe(&mut self, seen: &Stones) {
        (self.1, self.2) = (*seen, Vec::new());
    }
    fn think(&mut self, clock: &Clock) -> Progress {
        for cell in self.1.empty().skip(self.2.len()) {
            if !clock.take(1) {
                return Progress::More;
            }
            let mut nodes = 0;
            let value = match self.0.negamax(&self.0.after(&self.1, cell), &mut nodes).0 {
                Value::Win(plies) => Value::Loss(plies.map(|plies| plies + 1)),
                Value::Loss(plies) => Value::Win(plies.map(|plies| plies + 1)),
                other => other,
            };
            clock.charge(nodes - 1);
            self.2.push((cell, value));
        }
        Progress::Done
    }
    fn best(&self) -> u8 {
        let best = self.2.iter().min_by(|a, b| a.1.compare(b.1, Better::Higher));
        best.map_or_else(|| self.0.null_action(&self.1, self.1.mover()), |&(cell, _)| cell)
    }
    fn line(&self) -> Line<u8> {
        let value = self.2.iter().find(|(cell, _)| *cell == self.best()).map(|&(_, value)| value);
        let (mut stones, mut actions) =
            (self.1, value.map(|_| self.best()).into_iter().collect::<Vec<_>>());
        while let Some(&last) = actions.last() {
            stones = self.0.after(&stones, last);
            match self.0.negamax(&stones, &mut 0).1 {
                Some(reply) => actions.push(reply),
                None => break,
            }
        }
        Line { value, actions }
    }
    fn insight(&self) -> Insight {
        let candidate = |&(cell, value): &(u8, Value)| Candidate {
            name: cell.to_string(),
            value: Some(value),
            cells: vec![Cell::new(i32::from(cell % 3), i32::from(cell / 3))],
        };
        Insight { candidates: self.2.iter().map(candidate).collect(), ..Insight::default() }
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
    planners: &[
        planner("random", random),
        planner("negamax", |own| Box::new(Negamax(own.game, Stones([None; 9]), Vec::new()))),
    ],
}
