//! Patrols against a simulation of their own, and best paths against all simple paths in time.

use super::*;
use crate::dead_end::best_dead_end;
use crate::exact::{best_of_any_end, search_complete};
use crate::faults::faults;
use crate::noticing::{Skills, safest_path};
use crate::planners::{Evolution, GeneticOptions};
use crate::review::review_steps;
use crate::tests::{checked, game, level_of, level_of_rows, small_map, textbook_line, warnings};
use crate::{RouteEnd, Stealth};
use outwit_kit::GameSpec;
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

type Place = (i64, i64);

fn ahead(symbol: char) -> Option<Place> {
    match symbol {
        '^' | 'N' => Some((0, -1)),
        'v' | 'S' => Some((0, 1)),
        '<' | 'W' => Some((-1, 0)),
        '>' | 'E' => Some((1, 0)),
        _ => None,
    }
}

/// Where each guard is at each time, walked step by step.
fn walked(map: &[Vec<char>], times: usize) -> Vec<Vec<Place>> {
    let mut guards: Vec<(Place, Place)> = Vec::new();
    let mut still = Vec::new();
    for (y, row) in map.iter().enumerate() {
        for (x, symbol) in row.iter().enumerate() {
            let place = (x as i64, y as i64);
            match symbol {
                'Z' => still.push((place, (0, 0))),
                'N' | 'E' | 'S' | 'W' => guards.push((place, (0, 0))),
                _ => {}
            }
        }
    }
    still.append(&mut guards);
    let mut all = Vec::new();
    for _ in 0..times {
        all.push(still.iter().map(|guard| guard.0).collect());
        for (place, heading) in &mut still {
            let symbol = map[place.1 as usize][place.0 as usize];
            if symbol != 'Z' {
                *heading = ahead(symbol).unwrap_or(*heading);
                *place = (place.0 + heading.0, place.1 + heading.1);
            }
        }
    }
    all
}

pub(crate) const UNIT: i128 = 2 * 6561;

/// All paths of a small map by trying, with its own costs, moves and guards.
struct Trial {
    map: Vec<Vec<char>>,
    guards: Vec<Vec<Place>>,
    noticed: [f64; 5],
    start: Place,
    goal: Place,
    /// The least fitness of complete paths, of dead ends, and of all paths.
    best: [Option<i128>; 3],
    unseen: f64,
    front: Vec<Option<i128>>,
}

impl Trial {
    fn new(rows: &[String], skills: Skills) -> Self {
        let mut trial = Self::without_paths(rows, skills);
        let mut entered = vec![trial.start];
        trial.go(&mut entered, 0, 0, 1.0);
        trial
    }

    fn without_paths(rows: &[String], skills: Skills) -> Self {
        let map: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
        let find = |wanted: char| {
            let y = map.iter().position(|row| row.contains(&wanted)).unwrap();
            (map[y].iter().position(|&symbol| symbol == wanted).unwrap() as i64, y as i64)
        };
        let cells = map.len() * map[0].len();
        let noticed = [0, 1, 2, 3, 4].map(|away: i32| {
            let rolls =
                (1..=20_i32).flat_map(|guard| (1..=20_i32).map(move |thief| (guard, thief)));
            let wins = |&(guard, thief): &(i32, i32)| {
                guard + skills.perception > thief + skills.stealth + away / 2
            };
            rolls.filter(wins).count() as f64 / 400.0
        });
        Self {
            guards: walked(&map, cells + 1),
            noticed,
            start: find('O'),
            goal: find('Y'),
            best: [None; 3],
            unseen: -1.0,
            front: vec![None; cells + 1],
            map,
        }
    }

    fn at(&self, (x, y): Place) -> char {
        let row = usize::try_from(y).ok().and_then(|y| self.map.get(y));
        let symbol = row.and_then(|row| row.get(usize::try_from(x).ok()?));
        symbol.copied().unwrap_or('#')
    }

    /// Cost without guards, cost, and the probability of not being noticed.
    fn entering(&self, place: Place, time: usize) -> (i128, i128, f64) {
        let base = match self.at(place) {
            'X' => 6,
            'T' => 9,
            'O' => 0,
            _ => 3,
        } * UNIT
            / 2;
        let (mut cost, mut unseen) = (base, 1.0);
        for &guard in &self.guards[time] {
            let line = textbook_line(guard, place);
            if line.len() < 6 && line.iter().all(|&at| self.at(at) != '#') {
                cost = cost * (9 - line.len() as i128) / 3;
                unseen *= 1.0 - self.noticed[line.len() - 1];
            }
        }
        (base, cost, unseen)
    }

    /// Whether walls or guards forbid the move that is over at this time.
    fn is_closed(&self, at: Place, next: Place, time: usize) -> bool {
        let (now, then) = (&self.guards[time - 1], &self.guards[time]);
        let swaps = now.iter().zip(then).any(|(&now, &then)| now == next && then == at);
        matches!(self.at(next), '#' | 'Z') || then.contains(&next) || swaps
    }

    fn go(&mut self, entered: &mut Vec<Place>, cost: i128, exposure: i128, unseen: f64) {
        let time = entered.len();
        let at = entered[time - 1];
        let apart = |a: Place, b: Place| i128::from((a.0 - b.0).abs() + (a.1 - b.1).abs());
        let end = UNIT / 2 * (2 * 3 * apart(self.goal, at) - 5 * 3 * apart(self.start, at));
        let put = |best: &mut Option<i128>, value: i128| {
            *best = Some(best.map_or(value, |best| best.min(value)));
        };
        if at == self.goal {
            put(&mut self.best[0], cost + end - 10 * UNIT);
            put(&mut self.best[2], cost + end - 10 * UNIT);
            put(&mut self.front[time - 1], exposure);
            self.unseen = self.unseen.max(unseen);
            return;
        }
        put(&mut self.best[2], cost + end + 30 * UNIT);
        let mut is_stuck = true;
        for (x, y) in STEPS {
            let next = (at.0 + x, at.1 + y);
            if self.is_closed(at, next, time) || entered.contains(&next) {
                continue;
            }
            is_stuck = false;
            let (base, full, pass) = self.entering(next, time);
            entered.push(next);
            self.go(entered, cost + full, exposure + full - base, unseen * pass);
            entered.pop();
        }
        if is_stuck {
            put(&mut self.best[1], cost + end + 30 * UNIT);
        }
    }
}

/// The least exposure of the paths to the goal of a small map by their number of moves, in [`UNIT`]s; by
/// trying all of them.
pub(crate) fn least_exposures(rows: &[String]) -> Vec<Option<i128>> {
    Trial::new(rows, Skills::default()).front
}

const STEPS: [Place; 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];

/// The fitness of the best path to the goal of a level with patrols: simple paths in the order of the
/// least that any walk makes of them, without any dominance. It shares no code with the game.
pub(crate) fn by_enumeration(rows: &[String], period: usize) -> Option<i128> {
    let trial = Trial::without_paths(rows, Skills::default());
    let guards = walked(&trial.map, period + 1);
    let trial = &Trial { guards, ..trial };
    let (width, height) = (trial.map[0].len() as i64, trial.map.len() as i64);
    let places = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let state = |(x, y): Place, time: usize| {
        (time % period * height as usize + y as usize) * width as usize + x as usize
    };
    let costs: Vec<i128> = (0..period)
        .flat_map(|time| places().map(move |place| (place, time)))
        .map(|(place, time)| trial.entering(place, time).1)
        .collect();
    let moves = |at: Place, time: usize| {
        let near = STEPS.map(|(x, y)| (at.0 + x, at.1 + y));
        near.into_iter().filter(move |&next| !trial.is_closed(at, next, time % period + 1))
    };
    let mut to_go: Vec<Option<i128>> = vec![None; costs.len()];
    for time in 0..period {
        to_go[state(trial.goal, time)] = Some(0);
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (at, time) in places().flat_map(|place| (0..period).map(move |time| (place, time))) {
            if at == trial.goal || matches!(trial.at(at), '#' | 'Z') {
                continue;
            }
            let ahead = moves(at, time).map(|next| state(next, time + 1));
            let best = ahead.filter_map(|next| Some(costs[next] + to_go[next]?)).min();
            if best.is_some_and(|best| to_go[state(at, time)].is_none_or(|known| best < known)) {
                to_go[state(at, time)] = best;
                changed = true;
            }
        }
    }
    let mut open = BinaryHeap::new();
    open.push((Reverse(to_go[state(trial.start, 0)]?), 0, vec![trial.start]));
    while let Some((_, cost, path)) = open.pop() {
        let (at, time) = (path[path.len() - 1], path.len() - 1);
        if at == trial.goal {
            let steps = (trial.goal.0 - trial.start.0).abs() + (trial.goal.1 - trial.start.1).abs();
            return Some(cost - UNIT / 2 * 15 * i128::from(steps) - 10 * UNIT);
        }
        for next in moves(at, time).filter(|next| !path.contains(next)) {
            let cost = cost + costs[state(next, time + 1)];
            if let Some(least) = to_go[state(next, time + 1)] {
                let path = path.iter().copied().chain([next]).collect();
                open.push((Reverse(cost + least), cost, path));
            }
        }
    }
    None
}

/// A small map with a patrol to and fro or around a ring, and perhaps a second one.
pub(crate) fn patrolled_map() -> impl Strategy<Value = Vec<String>> {
    let patrol = (0..3_usize, 0..5_usize, 0..5_usize, 1..4_usize, 1..4_usize);
    (small_map(), patrol.clone(), prop::option::weighted(0.3, patrol)).prop_map(
        |(map, first, second)| {
            let mut map: Vec<Vec<char>> = map.iter().map(|row| row.chars().collect()).collect();
            let (width, height) = (map[0].len(), map.len());
            for (kind, x, y, across, down) in std::iter::once(first).chain(second) {
                let (x, y) = (x % width, y % height);
                let (right, below) = ((x + across).min(width - 1), (y + down).min(height - 1));
                let mut put = |x: usize, y: usize, symbol: char| {
                    if !matches!(map[y][x], 'O' | 'Y') {
                        map[y][x] = symbol;
                    }
                };
                let corners: &[(usize, usize, char)] = match kind {
                    0 => &[(x, y, 'E'), (right, y, '<')],
                    1 => &[(x, y, 'S'), (x, below, '^')],
                    _ => &[(x, y, 'E'), (right, y, 'v'), (right, below, '<'), (x, below, '^')],
                };
                for x in x..=right {
                    put(x, y, '.');
                    if kind == 2 {
                        put(x, below, '.');
                    }
                }
                for y in y..=below {
                    if kind > 0 {
                        put(x, y, '.');
                    }
                    if kind == 2 {
                        put(right, y, '.');
                    }
                }
                for &(x, y, symbol) in corners {
                    put(x, y, symbol);
                }
            }
            map.into_iter().map(|row| row.into_iter().collect()).collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn best_paths_among_patrols_agree_with_all_simple_paths(
        map in patrolled_map(),
        stealth in -10..=10,
        seed: u64,
    ) {
        let level = level_of_rows(&map);
        prop_assume!(faults(&level).is_empty());
        let game = Arc::new(game(&level));
        let ground = game.ground();
        prop_assume!(ground.period() > 1);
        let skills = Skills { stealth, perception: 3 };
        let trial = Trial::new(&map, skills);
        for (time, guards) in trial.guards.iter().enumerate() {
            let found: Vec<Place> =
                ground.guards_at(time).iter().map(|at| (i64::from(at.x), i64::from(at.y))).collect();
            prop_assert_eq!(&found, guards);
        }
        let in_units = |fitness: i128| fitness * UNIT / ground.scale();
        let complete = search_complete(ground, u64::MAX);
        prop_assert!(complete.is_proved);
        prop_assert_eq!(complete.best.as_ref().map(|best| in_units(best.fitness)), trial.best[0]);
        if let Some(best) = &complete.best {
            prop_assert_eq!(ground.check(&best.route), Ok(RouteEnd::Goal));
        }
        let any = best_of_any_end(ground).unwrap();
        prop_assert!(ground.check(&any.route).is_ok());
        prop_assert_eq!(Some(in_units(any.fitness)), trial.best[2]);
        let stuck = best_dead_end(ground, None, u64::MAX);
        prop_assert!(stuck.is_proved);
        prop_assert_eq!(stuck.best.as_ref().map(|best| in_units(best.fitness)), trial.best[1]);
        if let Some(best) = &stuck.best {
            prop_assert_eq!(ground.check(&best.route), Ok(RouteEnd::Stuck));
        }
        let safest = safest_path(ground, skills);
        prop_assert_eq!(safest.is_some(), trial.best[0].is_some());
        if let Some(safest) = safest {
            prop_assert_eq!(ground.check(&safest.rated.route), Ok(RouteEnd::Goal));
            prop_assert!((safest.unseen - trial.unseen).abs() <= 1e-9 * trial.unseen);
        }
        let options = GeneticOptions { population: 10, generations: 2, ..Default::default() };
        let mut run = Evolution::new(Arc::clone(&game), options, seed);
        while run.step() {}
        for individual in run.population() {
            let route = individual.route();
            let end = ground.check(&route);
            prop_assert!(matches!(end, Ok(RouteEnd::Goal | RouteEnd::Stuck)), "{end:?}");
            prop_assert_eq!(ground.fitness(&route), individual.fitness);
            let steps = review_steps(ground, &route);
            prop_assert!(steps.iter().all(|step| step.loss >= 0));
        }
    }
}

fn problems(map: &[&str]) -> Vec<String> {
    faults(&level_of(map)).iter().map(ToString::to_string).collect()
}

#[test]
fn signposts_lead_guards_in_loops() {
    let loops = |map: &[&str]| patrols(&level_of(map)).unwrap();
    let cells =
        |cells: &[(i32, i32)]| cells.iter().map(|&(x, y)| Cell::new(x, y)).collect::<Vec<_>>();
    assert_eq!(loops(&["E.<", "O.Y"]), [cells(&[(0, 0), (1, 0), (2, 0), (1, 0)])]);
    let ring = cells(&[(0, 0), (1, 0), (1, 1), (1, 2), (0, 2), (0, 1)]);
    assert_eq!(loops(&["Ev", "X.", "^<", "OY"]), [ring]);
    // Terrain, start and goal lie on the way of a guard, and a second guard follows in the ring.
    assert_eq!(loops(&["EXO.TY<"])[0].len(), 12);
    assert_eq!(loops(&["E.S", ".#.", "^.<", "O.Y"]).len(), 2);
    assert_eq!(loops(&["O.Y"]).len(), 0);
}

#[test]
fn patrols_that_do_not_work_are_named() {
    for (map, what) in [
        (
            &["E..", "O.Y"][..],
            "cell (2,0): the guard from (0,0) comes to the edge of the map here: turn it",
        ),
        (&["E.#", "O.Y"], "cell (1,0): the guard from (0,0) comes to a wall here"),
        (&["E.Z", "O.Y"], "cell (1,0): the guard from (0,0) comes to another guard here"),
        (
            &["Ev.", ">v.", "^<.", "O.Y"],
            "cell (0,0): the guard that starts here is not back within 120 turns",
        ),
        // The letter of another guard turns whoever comes to it: nothing leads back from there.
        (
            &["..v.Y", ".....", "E.N.<", "O...."],
            "cell (0,2): the guard that starts here is not back within 120 turns",
        ),
        (&["O.Y", "E.W"], "two guards on patrol meet here in turn 1"),
        (&["O.Y", "E<."], ""),
        (&["O#Y", "E<."], "the guards on patrol leave no way"),
    ] {
        let found = problems(map);
        assert_eq!(found.is_empty(), what.is_empty(), "{map:?}: {found:?}");
        assert!(found.iter().all(|fault| fault.contains(what)), "{map:?}: {found:?}");
    }
    // Loops of 10, 14 and 22 steps come together after 770.
    let found = problems(&["E....<......", "E......<....", "E..........<", "O..........Y"]);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("more than 120 turns"), "{found:?}");
}

#[test]
fn the_thief_follows_a_guard_but_never_meets_or_passes_one() {
    let game = game(&level_of(&["OE.<.Y", "......"]));
    let check = |moves: &str| game.ground().check(&moves.parse().unwrap());
    // The guard is one step ahead, turns, and comes back.
    assert_eq!(check("rr"), Ok(RouteEnd::GaveUp));
    let met = Err("move 3 ('r') runs into a guard on patrol".to_owned());
    assert_eq!(check("rrr"), met);
    assert_eq!(check("drrrrru"), Ok(RouteEnd::Goal));
    assert_eq!(game.ground().guards_at(3), [Cell::new(2, 0)]);
    let other = self::game(&level_of(&["O.E.<.Y", "......."]));
    assert_eq!(other.ground().check(&"rrr".parse().unwrap()), met);
    // What a cell costs depends on when it is entered.
    let cost = |time| game.ground().cost_at(Cell::new(1, 1), time);
    assert!(cost(0) > cost(2), "{} {}", cost(0), cost(2));
    assert_eq!(game.ground().cost(Cell::new(1, 1)), cost(4));
}

#[test]
fn a_walk_that_turns_back_is_no_path() {
    // The guard is in the corridor after 1 and 5 moves: only who steps back and forth gets past.
    let level = level_of(&["##S###", ".O...Y", "##.###", "##^###"]);
    assert_eq!(faults(&level), []);
    let found = search_complete(game(&level).ground(), 1000);
    assert!(found.is_proved && found.best.is_none());
    let warnings = warnings(&level);
    let what = "the patrols can only be passed by entering a cell twice";
    assert!(warnings.iter().any(|warning| warning.to_string().contains(what)), "{warnings:?}");
    let level = checked(&level);
    assert!(crate::solve::solve(&level, &Default::default(), &Default::default()).is_err());
}

#[test]
fn warnings_name_idle_signposts_and_guards() {
    let warnings = |map: &[&str]| -> Vec<String> {
        self::warnings(&level_of(map)).iter().map(ToString::to_string).collect()
    };
    let found = warnings(&["O.Y#....", "..^#....", "...#.E.<"]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("this guard sees no cell"), "{found:?}");
    assert!(found[1].contains("no guard on patrol passes this signpost"), "{found:?}");
    assert_eq!(
        (Stealth::MAPS.looks)(&level_of(&["E<", "OY"]), None)[Cell::new(0, 0)],
        outwit_kit::TileStyle::Mark
    );
}

#[test]
fn the_largest_map_with_the_longest_patrols_can_be_played() {
    let mut cells = Grid::filled(64, 64, '.');
    for row in 1..=20 {
        let y = 3 * row;
        (cells[Cell::new(1, y)], cells[Cell::new(61, y)]) = ('E', '<');
        (cells[Cell::new(62, y)], cells[Cell::new(62, y - 2)]) = ('Z', '#');
    }
    (cells[Cell::new(0, 0)], cells[Cell::new(63, 63)]) = ('O', 'Y');
    let mut level = level_of(&["OY"]);
    level.set_cells(&cells);
    assert_eq!(faults(&level), []);
    let game = game(&level);
    assert_eq!((game.ground().period(), game.ground().guards().len()), (120, 40));
    let found = search_complete(game.ground(), 300_000);
    assert!(found.is_proved);
    assert_eq!(game.ground().check(&found.best.unwrap().route), Ok(RouteEnd::Goal));
}
