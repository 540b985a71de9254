//! A path that is drawn in one action and scored once: coins on the way to the exit.

use super::*;
use std::ops::Deref;

rule_set! {
    /// The rules of the walk.
    pub struct WalkRules {
        /// Steps that a path may have.
        longest: u32 = 12, Whole { min: 1, max: 40, optional: false }, "Longest path";
    }
}

/// The walk on one map.
pub type Walk = OnMap<WalkRules>;

impl Walk {
    fn start_cell(&self) -> Cell {
        self.map
            .iter()
            .find(|(_, symbol)| **symbol == 'S')
            .map_or_else(Cell::default, |(cell, _)| cell)
    }

    fn steps(&self, path: &[Cell]) -> impl Iterator<Item = Cell> {
        let steps = FOUR.map(|step| path.last().map(|&cell| cell + step));
        let fits =
            |cell: &Cell| self.map.get(*cell).is_some_and(|c| *c != '#') && !path.contains(cell);
        steps.into_iter().flatten().filter(fits)
    }

    fn coins(&self, path: &[Cell]) -> f64 {
        let arrived = path.last().is_some_and(|cell| self.map[*cell] == 'F');
        if arrived {
            path.iter().filter(|cell| self.map[**cell] == 'o').count() as f64
        } else {
            0.0
        }
    }
}

/// All paths from the start, depth first.
fn paths<W: Deref<Target = Walk>>(walk: W) -> impl Iterator<Item = Vec<Cell>> {
    let mut open = vec![vec![walk.start_cell()]];
    std::iter::from_fn(move || {
        let path = open.pop()?;
        if path.len() <= walk.level.rules.longest as usize {
            open.extend(walk.steps(&path).map(|cell| [path.as_slice(), &[cell]].concat()));
        }
        Some(path)
    })
}

impl Game for Walk {
    on_map! {
        "walk", rules: WalkRules, seats: 1,
        |_| SeatSpec { id: "walker".into(), title: "Walker".into(), piece: "walker" }
    }
    /// What was drawn.
    type State = Vec<Cell>;
    type Action = Vec<Cell>;
    type Observation = ();
    type Event = Cell;
    fn start(&self, _: &Chance) -> Result<Vec<Cell>, SetupError> {
        Ok(Vec::new())
    }
    fn to_move(&self, walked: &Vec<Cell>) -> Vec<Seat> {
        if self.outcome(walked).is_some() { Vec::new() } else { vec![Seat(0)] }
    }
    fn observe(&self, _: &[Vec<Cell>], _: &Vec<Cell>, _: Seat) {}
    fn legal(&self, _: &Vec<Cell>, _: Seat, path: &Vec<Cell>) -> Result<(), String> {
        let steps = (1..path.len()).all(|n| self.steps(&path[..n]).any(|cell| cell == path[n]));
        let length = 1..=self.level.rules.longest as usize + 1;
        let fits = path.first() == Some(&self.start_cell()) && length.contains(&path.len());
        lawful(fits && steps, "no such path can be walked")
    }
    fn null_action(&self, _: &Vec<Cell>, _: Seat) -> Vec<Cell> {
        vec![self.start_cell()]
    }
    fn advance(
        &self,
        drawn: &mut Vec<Cell>,
        turn: &[(Seat, Vec<Cell>)],
        _: &Chance,
        events: &mut Vec<Cell>,
    ) {
        events.extend(turn.iter().flat_map(|(_, path)| path));
        drawn.clone_from(events);
    }
    fn outcome(&self, drawn: &Vec<Cell>) -> Option<Outcome> {
        let end = self.map[*drawn.last()?];
        let ending = if end == 'F' { "arrived" } else { "lost" };
        let places = vec![place(1, Some(self.coins(drawn)), ending)];
        Some(Outcome { headline: ending.into(), places })
    }
}

impl Tiny for Walk {
    fn choices(&self, (): &()) -> Vec<Vec<Cell>> {
        paths(self).take(500).collect()
    }
    fn worth(&self, drawn: &Vec<Cell>, _: Seat) -> Option<f64> {
        let most = || paths(self).map(|path| self.coins(&path)).fold(0.0, f64::max);
        Some(if drawn.is_empty() { most() } else { self.coins(drawn) })
    }
    fn cell(&self, _: &Vec<Cell>, path: &Vec<Cell>) -> Cell {
        path.last().copied().unwrap_or_default()
    }
    fn pieces_faults(cells: &Grid<char>) -> Vec<Fault> {
        fault_unless(count(cells, 'S') == 1, "one start is needed")
    }
}

impl Enumerable for Walk {
    fn all_choices(game: &Arc<Self>, (): &()) -> Choices<Self> {
        Box::new(paths(Arc::clone(game)))
    }
    fn value(&self, (): &(), path: &Vec<Cell>, _: &Clock) -> Value {
        Value::Score(self.coins(path))
    }
    fn picture(&self, _: &[(Vec<Cell>, Value)], best: &Vec<Cell>) -> Insight {
        let paths = vec![Path { cells: best.clone(), tone: Tone::Wanted }];
        Insight { paths, ..Insight::default() }
    }
}

tiny_game! {
    Walk, rules: WalkRules, format: "walk 1", sides: 2..=6,
    tiles: &[
        tile('.', "Floor", TileStyle::Ground), tile('#', "Wall", TileStyle::Wall),
        tile('o', "Coin", TileStyle::Mark), tile('S', "Start", TileStyle::Start),
        tile('F', "Exit", TileStyle::Goal),
    ],
    sample: &["S.o.", ".#o.", "oo.F"],
    score: ("coins", "coin", "coins", Better::Higher), endings: &["arrived", "lost"],
    planners: [planner("depth-first", enumeration)],
}
