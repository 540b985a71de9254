//! Three tiny games, shaped unlike the registered ones: a puzzle, a drawn path, a board game. First what
//! they share.

pub use outwit_core::grid::{Cell, EIGHT, FOUR, Grid};
pub use outwit_core::levels::{Fault, LevelFile, RuleSet};
pub use outwit_core::play::*;
pub use outwit_core::{perfect_information, rule_set};
pub use outwit_kit::*;
pub use rand::RngExt;
pub use serde::Serialize;
use std::iter::{Peekable, successors};
pub use std::sync::Arc;

/// A game so small that every position can be searched to the end.
pub trait Tiny: GameSpec {
    /// The actions to choose from at random.
    fn choices(&self, seen: &Self::Observation) -> Vec<Self::Action>;

    /// The score of a seat after perfect play from here on.
    fn worth(&self, state: &Self::State, seat: Seat) -> Option<f64>;

    /// Where an action happens.
    fn cell(&self, state: &Self::State, action: &Self::Action) -> Cell;

    /// What is wrong with the map beyond its size and its characters.
    fn pieces_faults(_cells: &Grid<char>) -> Vec<Fault> {
        Vec::new()
    }
}

/// A level and its map; each tiny game is one of these with rules of its own.
pub struct OnMap<R: RuleSet> {
    pub level: LevelFile<R>,
    pub map: Grid<char>,
}

/// What [`Game`] wants of every tiny game alike.
macro_rules! on_map {
    ($id:literal, rules: $rules:ty, seats: $seats:literal, $spec:expr) => {
        const ID: &'static str = $id;
        const RULES_VERSION: u32 = 1;
        const SEATS: Seats = Seats { allowed: $seats..=$seats, spec: $spec };
        type Level = LevelFile<$rules>;

        fn faults(level: &Self::Level) -> Vec<Fault> {
            level_faults::<Self>(level, faults::<Self>)
        }

        fn new(level: &CheckedLevel<Self>, seats: usize) -> Result<Self, SetupError> {
            if seats != $seats {
                return Err(SetupError(format!("not for {seats} seats")));
            }
            Ok(Self { map: level.cells('.'), level: level.clone().into_inner() })
        }

        fn level(&self) -> &Self::Level {
            &self.level
        }

        fn seats(&self) -> usize {
            $seats
        }
    };
}

/// Terrain that may lie anywhere.
pub const fn tile(symbol: char, name: &'static str, style: TileStyle) -> TileKind {
    TileKind::terrain(symbol, name, name, style, Placement::Anywhere)
}

/// A planner of every seat.
pub const fn planner<G: Game>(name: &'static str, make: MakePlanner<G>) -> PlannerSpec<G> {
    PlannerSpec { name, algorithm: name, about: name, method: name, seats: |_| true, make }
}

/// Chooses at random.
struct Random<G: Tiny>(PlannerContext<G>, Option<G::Action>);

/// A planner that chooses at random.
pub fn random<G: Tiny>(context: PlannerContext<G>) -> Box<dyn Planner<G>> {
    Box::new(Random(context, None))
}

impl<G: Tiny> Planner<G> for Random<G> {
    fn observe(&mut self, seen: &G::Observation) {
        let mut choices = self.0.game.choices(seen);
        let mut dice = Chance::new(self.0.seed).stream(choices.len() as u64);
        self.1 = Some(choices.swap_remove(dice.random_range(0..choices.len())));
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        let _ = clock.take(1);
        Progress::Done
    }

    fn best(&self) -> G::Action {
        self.1.clone().expect("observed before")
    }
}

/// A tiny game whose actions can be valued one after another.
pub trait Enumerable: Tiny {
    /// Every action to choose from; [`choices`](Tiny::choices) unless those are only some.
    fn all_choices(game: &Arc<Self>, seen: &Self::Observation) -> Choices<Self> {
        Box::new(game.choices(seen).into_iter())
    }

    /// What an action is worth to whoever takes it. One unit of work is taken already; more is
    /// charged here.
    fn value(&self, seen: &Self::Observation, action: &Self::Action, clock: &Clock) -> Value;

    /// What is seen after an action, and the best answer to it.
    fn reply(
        &self,
        _: &Self::Observation,
        _: &Self::Action,
    ) -> Option<(Self::Observation, Self::Action)> {
        None
    }

    /// The picture of the values found so far and of the best action.
    fn picture(&self, valued: &[(Self::Action, Value)], best: &Self::Action) -> Insight;
}

/// Actions in the order in which they are tried.
pub type Choices<G> = Box<dyn Iterator<Item = <G as Game>::Action> + Send>;

/// Values all actions one after another and takes the best, of equal ones the first.
struct Enumeration<G: Enumerable> {
    game: Arc<G>,
    seen: Option<G::Observation>,
    untried: Peekable<Choices<G>>,
    valued: Vec<(G::Action, Value)>,
}

/// A planner that values all actions one after another.
pub fn enumeration<G: Enumerable>(context: PlannerContext<G>) -> Box<dyn Planner<G>> {
    let untried: Choices<G> = Box::new(std::iter::empty());
    let (game, untried) = (context.game, untried.peekable());
    Box::new(Enumeration { game, seen: None, untried, valued: Vec::new() })
}

impl<G: Enumerable> Enumeration<G> {
    fn seen(&self) -> &G::Observation {
        self.seen.as_ref().expect("observed before")
    }

    fn best_valued(&self) -> Option<&(G::Action, Value)> {
        self.valued.iter().min_by(|a, b| a.1.compare(b.1, G::TABLES.score.better))
    }
}

impl<G: Enumerable> Planner<G> for Enumeration<G> {
    fn observe(&mut self, seen: &G::Observation) {
        self.seen = Some(seen.clone());
        self.untried = G::all_choices(&self.game, seen).peekable();
        self.valued.clear();
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        while self.untried.peek().is_some() {
            if !clock.take(1) {
                return Progress::More;
            }
            let action = self.untried.next().expect("just peeked at");
            let value = self.game.value(self.seen(), &action, clock);
            self.valued.push((action, value));
        }
        Progress::Done
    }

    fn best(&self) -> G::Action {
        let first = || self.game.choices(self.seen()).swap_remove(0);
        self.best_valued().map_or_else(first, |(action, _)| action.clone())
    }

    fn line(&self) -> Line<G::Action> {
        let Some((action, value)) = self.best_valued() else { return Line::default() };
        let start = Some((self.seen().clone(), action.clone()));
        let line = successors(start, |(seen, action)| self.game.reply(seen, action));
        Line { value: Some(*value), actions: line.map(|(_, action)| action).collect() }
    }

    fn insight(&self) -> Insight {
        self.game.picture(&self.valued, &self.best())
    }
}

/// A level of this map.
pub fn level<G: GameSpec>(rules: G::Rules, map: &[&str]) -> G::Level {
    let map = map.iter().map(|&row| row.to_owned()).collect();
    let (name, author, about) = (format!("Tiny {}", G::ID), String::new(), "A test.".into());
    LevelFile { format: G::INFO.format.into(), name, author, about, rules, map }
}

fn faults<G: Tiny>(level: &G::Level) -> Vec<Fault> {
    let faults = map_faults::<G>(level);
    if faults.is_empty() { G::pieces_faults(&level.cells('.')) } else { faults }
}

/// How many cells of a map have this character.
pub fn count(cells: &Grid<char>, wanted: char) -> usize {
    cells.as_slice().iter().filter(|&&symbol| symbol == wanted).count()
}

/// What [`Game::legal`] answers.
pub fn lawful(legal: bool, otherwise: &str) -> Result<(), String> {
    if legal { Ok(()) } else { Err(otherwise.into()) }
}

/// What [`Tiny::pieces_faults`] answers.
pub fn fault_unless(fits: bool, what: &str) -> Vec<Fault> {
    if fits { vec![] } else { vec![Fault::whole(what)] }
}

pub fn place(rank: u32, score: Option<f64>, ending: &str) -> Place {
    Place { rank, score, ending: ending.into() }
}

rule_set! {
    /// A generator without options.
    pub struct NoOptions {}
}

/// What menus, tournaments and the editor ask of a game, as plain as it can be.
macro_rules! tiny_game {
    (
        $game:ty, rules: $rules:ty, format: $format:literal, sides: $sides:expr,
        tiles: $tiles:expr, sample: $sample:expr,
        score: ($score:literal, $one:literal, $many:literal, $better:expr),
        endings: $endings:expr, planners: [$($planner:expr),+],
    ) => {
        impl GameSpec for $game {
            type Rules = $rules;
            const INFO: GameInfo = GameInfo {
                name: stringify!($game),
                about: "A tiny game.",
                format: $format,
                first_level: "tiny",
            };
            const MAPS: MapSpec<Self> = MapSpec {
                generator: Some(Generator::of::<NoOptions>()),
                ..MapSpec::new($tiles, $sides, (*$sides.end(), *$sides.end()))
            };
            const TABLES: Tables<Self> = Tables {
                endings: |_| $endings,
                ..Tables::new(ScoreSpec {
                    name: $score,
                    unit: Unit { one: $one, many: $many },
                    better: $better,
                })
            };
            const WORTH: Option<WorthSpec<Self>> =
                Some(WorthSpec { value: <Self as Tiny>::worth, cell: <Self as Tiny>::cell });

            fn planners() -> &'static [PlannerSpec<Self>] {
                const ALL: &[PlannerSpec<$game>] = &[planner("random", random), $($planner),+];
                ALL
            }
        }

        impl GeneratorOptions<$game> for NoOptions {
            fn generate(&self, _: u64) -> Result<LevelFile<$rules>, String> {
                Ok(level::<$game>(<$rules>::default(), $sample))
            }
        }
    };
}

mod guessing;
pub mod lights;
pub mod noughts;
pub mod path;
