//! A puzzle for one: pressing a lamp switches it and its neighbours, until all are out.

use super::*;
use outwit_core::search::{Evaluation, GraphSearch, Space, Status};
use schemars::JsonSchema;

rule_set! {
    /// The rules of the puzzle.
    pub struct LightRules {
        /// Lamps that the seed presses before the first turn.
        scramble: u32 = 0, Whole { min: 0, max: 50, optional: false }, "Scramble";
        /// The puzzle is lost after so many turns.
        most: Option<u32> = Some(20), Whole { min: 1, max: 1000, optional: true }, "Most turns";
    }
}

/// The puzzle on one map.
pub type Lights = OnMap<LightRules>;

/// Bit by bit the lamps that are on, and the turns so far.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Lamps(pub u32, pub u32);

impl Lights {
    fn pressed(&self, lamps: u32, cell: Cell) -> u32 {
        let bit = |cell| self.map.index_of(cell).map_or(0, |index| 1 << index);
        FOUR.iter().fold(lamps ^ bit(cell), |lamps, &step| lamps ^ bit(cell + step))
    }
}

impl Space for Lights {
    type State = u32;
    type Action = Cell;
    fn successors(&self, &lamps: &u32, out: &mut Vec<(Cell, u32, u32)>) {
        out.extend(self.map.cells().map(|cell| (cell, self.pressed(lamps, cell), 1)));
    }
    fn is_goal(&self, &lamps: &u32) -> bool {
        lamps == 0
    }
}

impl Game for Lights {
    on_map! {
        "lights", rules: LightRules, seats: 1,
        |_| SeatSpec { id: "player".into(), title: "Player".into(), piece: "lamp" }
    }
    perfect_information! {}
    type State = Lamps;
    type Action = Option<Cell>;
    type Event = Cell;
    fn start(&self, chance: &Chance) -> Result<Lamps, SetupError> {
        let lit = |on, symbol: &char| on << 1 | u32::from(*symbol == 'o');
        let mut dice = chance.stream(0);
        let mut press =
            |on, _| self.pressed(on, self.map.cell_at(dice.random_range(0..self.map.len())));
        let drawn = self.map.as_slice().iter().rev().fold(0, lit);
        Ok(Lamps((0..self.level.rules.scramble).fold(drawn, &mut press), 0))
    }
    fn to_move(&self, state: &Lamps) -> Vec<Seat> {
        if self.outcome(state).is_some() { Vec::new() } else { vec![Seat(0)] }
    }
    fn actions(&self, _: &Lamps, _: Seat) -> Option<Vec<Option<Cell>>> {
        Some(std::iter::once(None).chain(self.map.cells().map(Some)).collect())
    }
    fn advance(
        &self,
        state: &mut Lamps,
        turn: &[(Seat, Option<Cell>)],
        _: &Chance,
        events: &mut Vec<Cell>,
    ) {
        events.extend(turn.iter().filter_map(|(_, action)| *action));
        *state =
            Lamps(events.iter().fold(state.0, |on, &cell| self.pressed(on, cell)), state.1 + 1);
    }
    fn outcome(&self, &Lamps(on, turns): &Lamps) -> Option<Outcome> {
        let late = self.level.rules.most.is_some_and(|most| turns >= most);
        let place = match on {
            0 => place(1, Some(f64::from(turns)), "solved"),
            _ => late.then(|| place(1, None, "out of turns"))?,
        };
        Some(Outcome { headline: place.ending.clone(), places: vec![place] })
    }
}

impl Tiny for Lights {
    fn choices(&self, _: &Lamps) -> Vec<Option<Cell>> {
        self.map.cells().map(Some).collect()
    }
    fn worth(&self, &Lamps(on, turns): &Lamps, _: Seat) -> Option<f64> {
        match GraphSearch::new(self, on, Evaluation::UniformCost).run(self) {
            Status::Found { cost, .. } => {
                let most = self.level.rules.most.unwrap_or(u32::MAX);
                (turns + cost <= most).then_some(f64::from(turns + cost))
            }
            _ => None,
        }
    }
    fn cell(&self, _: &Lamps, pressed: &Option<Cell>) -> Cell {
        pressed.unwrap_or_default()
    }
}

/// Uniform-cost search, and how it stands.
struct Search(Arc<Lights>, Option<GraphSearch<Lights>>, Status<Cell>);

impl Planner<Lights> for Search {
    fn observe(&mut self, seen: &Lamps) {
        self.1 = Some(GraphSearch::new(&*self.0, seen.0, Evaluation::UniformCost));
        self.2 = Status::Running;
    }
    fn think(&mut self, clock: &Clock) -> Progress {
        while let (Status::Running, Some(search)) = (&self.2, &mut self.1) {
            if !clock.take(1) {
                return Progress::More;
            }
            self.2 = search.step(&self.0);
        }
        Progress::Done
    }
    fn best(&self) -> Option<Cell> {
        self.line().actions.first().copied().flatten()
    }
    fn line(&self) -> Line<Option<Cell>> {
        let Status::Found { path, cost } = &self.2 else { return Line::default() };
        let actions = path.iter().copied().map(Some).collect();
        Line { value: Some(Value::Score(f64::from(*cost))), actions }
    }
    fn closing(&self) -> Option<Closing> {
        (self.2 == Status::Exhausted).then_some(Closing::Unsolved)
    }
    fn insight(&self) -> Insight {
        let value = self.1.as_ref().map_or(0.0, |search| search.counters().expanded as f64);
        let counters =
            vec![Counter { name: "Expanded".into(), about: "Positions looked at.".into(), value }];
        Insight { counters, ..Insight::default() }
    }
}

tiny_game! {
    Lights, rules: LightRules, format: "lights 1", sides: 2..=4,
    tiles: &[tile('.', "Dark", TileStyle::Ground), tile('o', "Lit", TileStyle::Mark)],
    sample: &["o.o", ".o.", "o.o"],
    score: ("presses", "press", "presses", Better::Lower), endings: &["solved", "out of turns"],
    planners: [
        one_ply_planner(), planner("search", |own| Box::new(Search(own.game, None, Status::Running)))
    ],
}
