//! Levels in which boxes can only be pushed, against a search that shares no code with the program.
#![allow(clippy::unwrap_used)]

use outwit_core::play::{
    Budget, CheckedLevel, Clock, Closing, Game, Match, PlannerContext, Progress, Seat, StopFlag,
};
use outwit_core::search::MemoryLimit;
use outwit_kit::{GameSpec, SolveOptions};
use outwit_pukoban::planners::{ALL, SEARCHES};
use outwit_pukoban::search::{End, Puzzle, SearchTask};
use outwit_pukoban::{Moves, Objective, Pukoban, PukobanFile, PukobanRules, PukobanStep};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::sync::Arc;

/// Where the player and the boxes are: characters of the map, row after row.
type Place = (usize, BTreeSet<usize>);

/// A map of Sokoban.
struct Board {
    rows: Vec<String>,
    width: usize,
    tiles: Vec<char>,
}

impl Board {
    fn new(rows: Vec<String>) -> Self {
        let width = rows[0].len();
        let tiles = rows.concat().chars().collect();
        Self { rows, width, tiles }
    }

    /// A room with walls around it, where pieces may lie anywhere, one on another; mostly boxes are not at the edge.
    fn random(dice: &mut ChaCha8Rng) -> Self {
        let (width, height) = (dice.random_range(4..=8), dice.random_range(4..=7));
        let edge = |at: usize| {
            at.is_multiple_of(width)
                || at % width == width - 1
                || at / width == 0
                || at / width == height - 1
        };
        let share = dice.random_range(0.0..0.2);
        let mut tiles: Vec<char> = (0..width * height)
            .map(|at| if edge(at) || dice.random_bool(share) { '#' } else { '-' })
            .collect();
        let boxes = dice.random_range(1..=3);
        let goals = if dice.random_bool(0.8) { boxes } else { dice.random_range(1..=boxes) };
        let pieces = std::iter::repeat_n('.', goals).chain(std::iter::repeat_n('$', boxes));
        for piece in pieces.chain(['@']) {
            let edge = 1 + usize::from(piece == '$' && dice.random_bool(0.95));
            let y = dice.random_range(edge.min((height - 1) / 2)..height - edge);
            let x = dice.random_range(edge.min((width - 1) / 2)..width - edge);
            let inside = y * width + x;
            tiles[inside] = match (tiles[inside], piece) {
                ('.', '$') => '*',
                ('.', '@') => '+',
                _ => piece,
            };
        }
        Self::new(tiles.chunks(width).map(|row| row.iter().collect()).collect())
    }

    fn start(&self) -> Place {
        let of = |symbols: &'static str| {
            self.tiles.iter().enumerate().filter(|(_, c)| symbols.contains(**c)).map(|(at, _)| at)
        };
        (of("@+").next().unwrap(), of("$*").collect())
    }

    fn is_solved(&self, place: &Place) -> bool {
        let goals = self.tiles.iter().enumerate().filter(|(_, c)| ".*+".contains(**c));
        goals.map(|(at, _)| at).all(|at| place.1.contains(&at))
    }

    /// The cell beside another one, if there is no wall.
    fn beside(&self, at: usize, letter: char) -> Option<usize> {
        let (x, y) = (at % self.width, at / self.width);
        let (x, y) = match letter {
            'l' => (x.checked_sub(1)?, y),
            'r' => (x + 1, y),
            'u' => (x, y.checked_sub(1)?),
            _ => (x, y + 1),
        };
        let to = y * self.width + x;
        (x < self.width && *self.tiles.get(to)? != '#').then_some(to)
    }

    /// Where a step leads, if it can be taken, and whether it pushes.
    fn after(&self, (player, boxes): &Place, letter: char) -> Option<(Place, bool)> {
        let to = self.beside(*player, letter)?;
        let mut boxes = boxes.clone();
        let pushes = boxes.remove(&to);
        if pushes && !boxes.insert(self.beside(to, letter)?) {
            return None;
        }
        // A second box ahead would have swallowed the pushed one.
        Some(((to, boxes), pushes))
    }

    /// The least steps or pushes from a place to a solution, by Dijkstra's algorithm.
    fn least(&self, from: &Place, objective: Objective) -> Option<u32> {
        let mut least = HashMap::from([(from.clone(), 0)]);
        let mut open = BinaryHeap::from([Reverse((0, from.clone()))]);
        while let Some(Reverse((cost, place))) = open.pop() {
            if least[&place] < cost {
                continue;
            }
            if self.is_solved(&place) {
                return Some(cost);
            }
            for letter in "lrud".chars() {
                let Some((next, pushes)) = self.after(&place, letter) else { continue };
                let cost = match objective {
                    Objective::Steps => cost + 1,
                    Objective::BoxMoves => cost + u32::from(pushes),
                };
                if least.get(&next).is_none_or(|&known| cost < known) {
                    least.insert(next.clone(), cost);
                    open.push(Reverse((cost, next)));
                }
            }
        }
        None
    }

    /// What steps cost, which must be legal and lead to a solution.
    fn cost(&self, steps: &[PukobanStep], objective: Objective) -> u32 {
        let mut place = self.start();
        let mut cost = 0;
        for &step in steps {
            let (next, pushes) = self.after(&place, char::from(step)).unwrap();
            cost += u32::from(pushes || objective == Objective::Steps);
            place = next;
        }
        assert!(self.is_solved(&place), "{:?}", self.rows);
        cost
    }

    fn level(&self, objective: Objective) -> Option<CheckedLevel<Pukoban>> {
        let rules = PukobanRules { objective, moves: Moves::Push, ..PukobanRules::default() };
        let level = PukobanFile {
            format: Pukoban::INFO.format.into(),
            name: "Pushing".into(),
            author: String::new(),
            about: String::new(),
            rules,
            map: self.rows.clone(),
        };
        CheckedLevel::new(level).ok()
    }

    fn game(&self, objective: Objective) -> Option<Arc<Pukoban>> {
        Some(Arc::new(Pukoban::new(&self.level(objective)?, 1).unwrap()))
    }
}

const OBJECTIVES: [Objective; 2] = [Objective::Steps, Objective::BoxMoves];

/// So many levels that can be played, always the same.
fn boards(count: usize) -> impl Iterator<Item = Board> {
    let random = |seed| Board::random(&mut ChaCha8Rng::seed_from_u64(seed));
    let is_playable = |board: &Board| board.level(Objective::Steps).is_some();
    (0..).map(random).filter(is_playable).take(count)
}

/// Every search, and `solve`, on random levels by both objectives: the optimal ones find the least cost, the others
/// keep their bounds, and all of them tell levels without a solution.
#[test]
fn searches_agree_with_brute_force() {
    let (mut solvable, mut unsolvable) = (0, 0);
    for board in boards(300) {
        for objective in OBJECTIVES {
            let truth = board.least(&board.start(), objective);
            *if truth.is_some() { &mut solvable } else { &mut unsolvable } += 1;
            let game = board.game(objective).unwrap();
            let puzzle = Arc::new(Puzzle::of(&game));
            for search in SEARCHES {
                let limit = MemoryLimit::default();
                let task = SearchTask::of(&game, &puzzle, game.opening(), limit).unwrap();
                let found = match search.method.begin(&task).run(&Clock::unlimited()).unwrap() {
                    End::Solved { steps, cost } => {
                        assert_eq!(board.cost(&steps, objective), cost, "{}", search.name);
                        Some(cost)
                    }
                    End::Unsolvable => None,
                    End::GaveUp => panic!("{} gave up on {:?}", search.name, board.rows),
                };
                let what = format!("{} {objective:?} {:#?}", search.name, board.rows);
                assert_eq!(found.is_some(), truth.is_some(), "{what}");
                let most = search.bound.and_then(|bound| Some(bound * truth?));
                assert!(found >= truth && most.is_none_or(|most| found <= Some(most)), "{what}");
            }
            let level = board.level(objective).unwrap();
            let solver = Pukoban::SOLVER.unwrap();
            let solved =
                (solver.solve)(&level, &SolveOptions::default(), &StopFlag::default()).unwrap();
            assert!(solved.proved);
            assert_eq!(solved.value, truth.map(f64::from), "{:#?}", board.rows);
            assert!(solved.moves.is_none_or(|moves| !moves.contains(['<', '>', '^', 'v'])));
        }
    }
    assert!(solvable >= 200 && unsolvable >= 100, "{solvable} and {unsolvable}");
}

/// What a review says of each position of a match of random steps.
#[test]
fn reviews_agree_with_brute_force() {
    let (mut lost, mut detours) = (0, 0);
    for (board, seed) in boards(60).zip(0..) {
        for objective in OBJECTIVES {
            let game = board.game(objective).unwrap();
            let mut dice = ChaCha8Rng::seed_from_u64(seed);
            let mut played = Match::new(Arc::clone(&game), 1).unwrap();
            let mut places = vec![board.start()];
            while played.outcome().is_none() && places.len() < 25 {
                let steps = game.steps(played.state());
                let step = steps[dice.random_range(0..steps.len())];
                places.push(board.after(&places[places.len() - 1], char::from(step)).unwrap().0);
                played.advance(vec![(Seat(0), step)]).unwrap();
            }
            let truth: Vec<_> = places.iter().map(|place| board.least(place, objective)).collect();
            let review = outwit_kit::review(&played, &StopFlag::default()).unwrap();
            assert_eq!(review.seats[0].perfect, truth[0].map(f64::from));
            for (turn, reviewed) in review.seats[0].moves.iter().enumerate() {
                let what = format!("turn {turn} of {:#?}", board.rows);
                assert_eq!(reviewed.before, truth[turn].map(f64::from), "{what}");
                assert_eq!(reviewed.after, truth[turn + 1].map(f64::from), "{what}");
                let is_lost = reviewed.before.is_some() && reviewed.after.is_none();
                assert_eq!(reviewed.cost.is_none(), is_lost, "{what}");
                assert_eq!(reviewed.is_mistake(), reviewed.better.is_some(), "{what}");
                lost += usize::from(is_lost);
                detours += usize::from(reviewed.cost > Some(0.0));
            }
        }
    }
    assert!(lost >= 10 && detours >= 10, "{lost} and {detours}");
}

/// In play with very little work for a turn every search waits with its pushes until it has a solution, and so solves
/// what can be solved; what cannot be is closed as such.
#[test]
fn planners_push_nothing_before_they_have_a_solution() {
    let (mut solved, mut unsolved) = (0, 0);
    for board in boards(40) {
        for objective in OBJECTIVES {
            let game = board.game(objective).unwrap();
            let truth = board.least(&board.start(), objective);
            for search in SEARCHES.iter().filter(|search| search.bound == Some(1)) {
                let spec = ALL.iter().find(|spec| spec.name == search.name).unwrap();
                let context = PlannerContext { game: Arc::clone(&game), seat: Seat(0), seed: 1 };
                let mut planner = (spec.make)(context);
                let mut played = Match::new(Arc::clone(&game), 1).unwrap();
                let closing = loop {
                    planner.observe(played.state());
                    let progress = planner.think(&Clock::work(40));
                    if progress == Progress::Done && planner.closing().is_some() {
                        break planner.closing();
                    }
                    assert_eq!(game.legal(played.state(), Seat(0), &planner.best()), Ok(()));
                    played.advance(vec![(Seat(0), planner.best())]).unwrap();
                    if played.outcome().is_some() {
                        break None;
                    }
                };
                let what = format!("{} on {:#?}", search.name, board.rows);
                assert_eq!(closing, truth.is_none().then_some(Closing::Unsolved), "{what}");
                assert_eq!(game.is_solved(played.state()), truth.is_some(), "{what}");
                *if truth.is_some() { &mut solved } else { &mut unsolved } += 1;
            }
        }
    }
    assert!(solved >= 100 && unsolved >= 50, "{solved} and {unsolved}");
}

/// A box that somebody else pushed to the edge: it is proved that nothing is left, and steps stay legal.
#[test]
fn a_dead_position_is_told_and_played_on() {
    let rows = ["######", "#----#", "#-$--#", "#--@.#", "######"].map(str::to_owned).to_vec();
    let game = Board::new(rows).game(Objective::Steps).unwrap();
    let letters = |text: &str| -> Vec<PukobanStep> {
        text.chars().map(|letter| PukobanStep::try_from(letter).unwrap()).collect()
    };
    for search in SEARCHES {
        let spec = ALL.iter().find(|spec| spec.name == search.name).unwrap();
        let context = PlannerContext { game: Arc::clone(&game), seat: Seat(0), seed: 1 };
        let mut planner = (spec.make)(context);
        let mut position = game.opening().clone();
        planner.observe(&position);
        let budget = Budget::Work(u64::MAX);
        planner.think(&Clock::new(budget, StopFlag::default()));
        assert_eq!(planner.closing(), None, "{}", search.name);
        for step in letters("lu") {
            game.take(&mut position, step).unwrap();
            planner.observe(&position);
            planner.think(&Clock::work(0));
            assert_eq!(game.legal(&position, Seat(0), &planner.best()), Ok(()), "{}", search.name);
        }
        assert_eq!(planner.think(&Clock::unlimited()), Progress::Done);
        assert_eq!(planner.closing(), Some(Closing::Unsolved), "{}", search.name);
        let notes = planner.insight().notes;
        assert!(notes.iter().any(|note| note.starts_with("proved")), "{notes:?}");
        for _ in 0..5 {
            let step = planner.best();
            game.take(&mut position, step).unwrap();
            planner.observe(&position);
            assert_eq!(planner.think(&Clock::unlimited()), Progress::Done);
        }
    }
}
