//! A path that is drawn in one action and scored once: coins on the way to the exit.

use super::tiny::*;

rule_set! {
    /// The rules of the walk.
    pub struct WalkRules {
        /// Steps that a path may have.
        longest: u32 = 12, Whole { min: 1, max: 40, optional: false }, "Longest path";
    }
}

/// The level and its map.
pub struct Walk(LevelFile<WalkRules>, Grid<char>);

impl Walk {
    fn start_cell(&self) -> Cell {
        self.1
            .iter()
            .find(|(_, symbol)| **symbol == 'S')
            .map_or_else(Cell::default, |(cell, _)| cell)
    }

    fn steps(&self, path: &[Cell]) -> impl Iterator<Item = Cell> {
        let steps = FOUR.map(|step| path.last().map(|&cell| cell + step));
        let fits =
            |cell: &Cell| self.1.get(*cell).is_some_and(|c| *c != '#') && !path.contains(cell);
        steps.into_iter().flatten().filter(fits)
    }

    fn coins(&self, path: &[Cell]) -> f64 {
        let arrived = path.last().is_some_and(|cell| self.1[*cell] == 'F');
        if arrived { path.iter().filter(|cell| self.1[**cell] == 'o').count() as f64 } else { 0.0 }
    }
}

impl Game for Walk {
    const ID: &'static str = "walk";
    const RULES_VERSION: u32 = 1;
    type Level = LevelFile<WalkRules>;
    /// What was drawn.
    type State = Vec<Cell>;
    type Action = Vec<Cell>;
    type Observation = ();
    type Event = Cell;
    fn new(level: &Self::Level, seats: usize) -> Result<Self, SetupError> {
        Ok(Self(level.clone(), playable::<Self>(level, seats)?))
    }
    fn level(&self) -> &Self::Level {
        &self.0
    }
    fn seats(&self) -> usize {
        1
    }
    fn seats_allowed() -> RangeInclusive<usize> {
        1..=1
    }
    fn seat_spec(_: Seat) -> SeatSpec {
        SeatSpec { id: "walker".into(), title: "Walker".into(), piece: "walker" }
    }
    fn start(&self, _: &Chance) -> Result<Vec<Cell>, SetupError> {
        Ok(Vec::new())
    }
    fn to_move(&self, _: &Vec<Cell>) -> Vec<Seat> {
        vec![Seat(0)]
    }
    fn observe(&self, _: &[Vec<Cell>], _: &Vec<Cell>, _: Seat) {}
    fn legal(&self, _: &Vec<Cell>, _: Seat, path: &Vec<Cell>) -> Result<(), String> {
        let steps = (1..path.len()).all(|n| self.steps(&path[..n]).any(|cell| cell == path[n]));
        let length = 1..=self.0.rules.longest as usize + 1;
        let fits = path.first() == Some(&self.start_cell()) && length.contains(&path.len());
        (fits && steps).then_some(()).ok_or_else(|| "no such path can be walked".into())
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
        let end = self.1[*drawn.last()?];
        let ending = if end == 'F' { "arrived" } else { "lost" };
        let places = vec![place(1, Some(self.coins(drawn)), ending)];
        Some(Outcome { headline: ending.into(), places })
    }
}

impl Tiny for Walk {
    fn choices(&self, _: &()) -> Vec<Vec<Cell>> {
        let mut paths = vec![vec![self.start_cell()]];
        let mut next = 0;
        while next < paths.len().min(500) {
            let path = paths[next].clone();
            if path.len() <= self.0.rules.longest as usize {
                paths.extend(self.steps(&path).map(|cell| [path.as_slice(), &[cell]].concat()));
            }
            next += 1;
        }
        paths
    }
    fn worth(&self, drawn: &Vec<Cell>, _: Seat) -> Option<f64> {
        let mut search = Draw::new(self);
        while drawn.is_empty() && search.step(self) {}
        Some(if drawn.is_empty() { search.most(self) } else { self.coins(drawn) })
    }
    fn map_faults(cells: &Grid<char>) -> Vec<Fault> {
        let count = |wanted| cells.iter().filter(|(_, symbol)| **symbol == wanted).count();
        if count('S') == 1 { vec![] } else { vec![Fault::whole("one start is needed")] }
    }
}

/// Depth-first search over all paths.
struct Draw {
    open: Vec<Vec<Cell>>,
    best: Vec<Cell>,
}

impl Draw {
    fn new(game: &Walk) -> Self {
        let start = vec![game.start_cell()];
        Self { open: vec![start.clone()], best: start }
    }
    fn most(&self, game: &Walk) -> f64 {
        game.coins(&self.best)
    }
    /// Extends one path; `false` when there is none left.
    fn step(&mut self, game: &Walk) -> bool {
        let Some(path) = self.open.pop() else { return false };
        if path.len() <= game.0.rules.longest as usize {
            self.open.extend(game.steps(&path).map(|cell| [path.as_slice(), &[cell]].concat()));
        }
        if game.coins(&path) > self.most(game) {
            self.best = path;
        }
        true
    }
}

struct DepthFirst(Arc<Walk>, Draw);

impl Planner<Walk> for DepthFirst {
    fn observe(&mut self, (): &()) {
        self.1 = Draw::new(&self.0);
    }
    fn think(&mut self, clock: &Clock) -> Progress {
        while !self.1.open.is_empty() {
            if !clock.take(1) {
                return Progress::More;
            }
            self.1.step(&self.0);
        }
        Progress::Done
    }
    fn best(&self) -> Vec<Cell> {
        self.1.best.clone()
    }
    fn line(&self) -> Line<Vec<Cell>> {
        Line { value: Some(Value::Score(self.1.most(&self.0))), actions: vec![self.best()] }
    }
    fn insight(&self) -> Insight {
        let paths = vec![Path { cells: self.best(), tone: Tone::Wanted }];
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
    planners: &[
        planner("random", random),
        planner("depth-first", |own| Box::new(DepthFirst(Arc::clone(&own.game), Draw::new(&own.game)))),
    ],
}
