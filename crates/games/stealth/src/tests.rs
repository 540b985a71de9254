//! The original report's figures, properties of rules and costs, and independent optima.

use super::dead_end::best_dead_end;
use super::exact::{best_complete, best_of_any_end};
use super::faults::faults;
use super::front::length_exposure_front;
use super::level::{FORMAT, MAX_GUARDS};
use super::review::review_steps;
use super::*;
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::Fault;
use outwit_core::play::{CheckedLevel, Game, Match, StopFlag};
use outwit_kit::{GeneratorOptions, read_level};
use outwit_levels::{built_in, list_with};
use proptest::prelude::*;

pub(super) fn level_of(map: &[&str]) -> StealthFile {
    StealthFile {
        format: FORMAT.into(),
        name: "test".into(),
        author: String::new(),
        about: String::new(),
        rules: StealthRules::default(),
        map: map.iter().map(|&row| row.to_owned()).collect(),
    }
}

pub(super) fn shipped(id: &str) -> StealthFile {
    let bytes = built_in(&format!("stealth/{id}")).unwrap().bytes().unwrap();
    read_level::<Stealth>(&bytes, id).unwrap().into_inner()
}

pub(super) fn checked(level: &StealthFile) -> CheckedLevel<Stealth> {
    CheckedLevel::new(level.clone()).unwrap()
}

pub(super) fn game(level: &StealthFile) -> Stealth {
    Stealth::new(&checked(level), 1).unwrap()
}

pub(super) fn warnings(level: &StealthFile) -> Vec<Fault> {
    (Stealth::MAPS.warnings)(level, CheckedLevel::new(level.clone()).ok().as_ref())
}

/// The path that is left of moves when those that collide or enter a cell again are dropped.
fn sanitised(game: &Stealth, moves: &str) -> Route {
    let mut route = Route::default();
    for step in moves.parse::<Route>().unwrap().0 {
        route.0.push(step);
        if game.ground().check(&route).is_err() {
            route.0.pop();
        }
    }
    route
}

#[test]
fn the_six_printed_values_of_the_report_come_out_exactly() {
    for (map, moves, value, end) in [
        (1, "rrululldluldluuuuuruluurdrurdddrd", (42, 1), RouteEnd::Goal),
        (1, "lllluuuuuuuurrdrrddd", (21, 2), RouteEnd::Goal),
        (2, "uuurulur", (21, 2), RouteEnd::Stuck),
        (2, "rurruuuurruulllllu", (-28, 1), RouteEnd::Goal),
        (3, "rruruuld", (67, 1), RouteEnd::Stuck),
        (3, "rrrruuuuuuuullllllll", (-418, 9), RouteEnd::Goal),
    ] {
        let game = game(&shipped(&format!("report-{map}")));
        let route = sanitised(&game, moves);
        let fitness = game.ground().amount(game.ground().fitness(&route));
        assert_eq!((fitness.numerator, fitness.denominator), value, "{map} {moves}");
        assert_eq!(game.ground().check(&route), Ok(end), "{map} {moves}");
    }
}

#[test]
fn the_three_optima_of_the_report_are_proved() {
    for (map, value) in [(1, (13, 2)), (2, (-57, 2)), (3, (-418, 9))] {
        let game = game(&shipped(&format!("report-{map}")));
        let best = best_complete(game.ground()).unwrap();
        assert_eq!(game.ground().check(&best.route), Ok(RouteEnd::Goal));
        let fitness = game.ground().amount(best.fitness);
        assert_eq!((fitness.numerator, fitness.denominator), value, "{map}");
    }
}

#[test]
fn a_dead_end_beats_every_complete_path_of_map_1_unless_the_penalty_is_above_32() {
    let mut level = shipped("report-1");
    let beaten = |level: &StealthFile| {
        let game = game(level);
        let ground = game.ground();
        let complete = best_complete(ground).unwrap();
        let stuck = best_dead_end(ground, Some(complete.fitness), 50_000_000);
        assert!(stuck.is_proved);
        stuck.best.map(|best| {
            assert_eq!(ground.check(&best.route), Ok(RouteEnd::Stuck));
            ground.amount(best.fitness).to_f64()
        })
    };
    assert_eq!(beaten(&level), Some(4.5));
    level.rules.penalty = 31;
    assert_eq!(beaten(&level), Some(5.5));
    for penalty in [32, 33, 40] {
        level.rules.penalty = penalty;
        assert_eq!(beaten(&level), None, "{penalty}");
    }
}

/// Every legal path of a small map, with its fitness in halves of 1/3^8, by a search of its own: it
/// shares neither costs nor moves with the game.
struct BruteForce {
    tiles: Vec<Vec<char>>,
    goal: (i64, i64),
    start: (i64, i64),
    /// Of goal, stuck and any end, the least fitness.
    best: [Option<i128>; 3],
}

const UNIT: i128 = 2 * 6561;

impl BruteForce {
    fn new(map: &[String]) -> Self {
        let mut search = Self::without_paths(map);
        let mut entered = vec![search.start];
        search.go(&mut entered, 0);
        search
    }

    fn without_paths(map: &[String]) -> Self {
        let tiles: Vec<Vec<char>> = map.iter().map(|row| row.chars().collect()).collect();
        let find = |wanted| {
            let mut all = tiles.iter().enumerate().flat_map(|(y, row)| {
                row.iter().enumerate().map(move |(x, &c)| (c, (x as i64, y as i64)))
            });
            all.find(|&(c, _)| c == wanted).unwrap().1
        };
        let (start, goal) = (find('O'), find('Y'));
        Self { goal, start, best: [None; 3], tiles }
    }

    fn at(&self, (x, y): (i64, i64)) -> char {
        let inside = y >= 0 && x >= 0;
        if !inside {
            return '#';
        }
        self.tiles.get(y as usize).and_then(|row| row.get(x as usize)).copied().unwrap_or('#')
    }

    /// Cost in units.
    fn cost(&self, cell: (i64, i64)) -> i128 {
        let mut cost = match self.at(cell) {
            '.' | 'Y' => 3,
            'X' => 6,
            'T' => 9,
            _ => 0,
        } * UNIT
            / 2;
        for (y, row) in self.tiles.iter().enumerate() {
            for (x, _) in row.iter().enumerate().filter(|(_, c)| **c == 'Z') {
                let line = textbook_line((x as i64, y as i64), cell);
                let sees = line.iter().all(|&at| self.at(at) != '#');
                if sees {
                    cost = cost * (9 - 6.min(line.len() as i128)) / 3;
                }
            }
        }
        cost
    }

    fn go(&mut self, entered: &mut Vec<(i64, i64)>, cost: i128) {
        let at = entered[entered.len() - 1];
        let apart =
            |a: (i64, i64), b: (i64, i64)| i128::from((a.0 - b.0).abs() + (a.1 - b.1).abs());
        let end = UNIT / 2 * (2 * 3 * apart(self.goal, at) - 5 * 3 * apart(self.start, at));
        let mut put = |kind: usize, value: i128| {
            self.best[kind] = Some(self.best[kind].map_or(value, |best| best.min(value)));
        };
        if at == self.goal {
            let value = cost + end - 10 * UNIT;
            put(0, value);
            put(2, value);
            return;
        }
        let value = cost + end + 30 * UNIT;
        put(2, value);
        let mut is_stuck = true;
        for next in [(0, -1), (-1, 0), (1, 0), (0, 1)].map(|(x, y)| (at.0 + x, at.1 + y)) {
            if matches!(self.at(next), '#' | 'Z') || entered.contains(&next) {
                continue;
            }
            is_stuck = false;
            entered.push(next);
            self.go(entered, cost + self.cost(next));
            entered.pop();
        }
        if is_stuck {
            self.best[1] = Some(self.best[1].map_or(value, |best| best.min(value)));
        }
    }
}

/// Bresenham's line as in textbooks, one branch for each octant.
pub(super) fn textbook_line(from: (i64, i64), to: (i64, i64)) -> Vec<(i64, i64)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let steep = dy.abs() > dx.abs();
    let (major, minor) = if steep { (dy, dx) } else { (dx, dy) };
    let mut line = Vec::new();
    let (mut side, mut d) = (0, 2 * minor.abs() - major.abs());
    for step in 0..=major.abs() {
        let (along, across) = (step * major.signum(), side * minor.signum());
        let (x, y) = if steep { (across, along) } else { (along, across) };
        line.push((from.0 + x, from.1 + y));
        if d >= 0 {
            side += 1;
            d -= 2 * major.abs();
        }
        d += 2 * minor.abs();
    }
    line
}

/// A random map of at most 4 by 5 cells with at most 3 guards.
pub(super) fn small_map() -> impl Strategy<Value = Vec<String>> {
    (2..=4_usize, 2..=5_usize)
        .prop_flat_map(|(width, height)| {
            let symbols = prop::collection::vec(
                prop_oneof![6 => Just('.'), 2 => Just('X'), 1 => Just('T'), 2 => Just('#'), 2 => Just('Z')],
                width * height,
            );
            (Just(width), symbols, 0..width * height, 1..width * height)
        })
        .prop_map(|(width, mut symbols, start, goal)| {
            let cells = symbols.len();
            symbols[start] = 'O';
            symbols[(start + goal) % cells] = 'Y';
            let mut guards = 0;
            for symbol in symbols.iter_mut().filter(|symbol| **symbol == 'Z') {
                guards += 1;
                if guards > 3 {
                    *symbol = '.';
                }
            }
            symbols.chunks(width).map(|row| row.iter().collect()).collect()
        })
}

pub(super) fn level_of_rows(map: &[String]) -> StealthFile {
    level_of(&map.iter().map(String::as_str).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn exact_agrees_with_brute_force_over_all_simple_paths(map in small_map()) {
        let level = level_of_rows(&map);
        let brute = BruteForce::new(&map);
        if !faults(&level).is_empty() {
            // The only possible fault of such a map.
            prop_assert_eq!(brute.best[0], None);
            return Ok(());
        }
        let game = game(&level);
        let ground = game.ground();
        let in_units = |fitness: i128| fitness * UNIT / ground.scale();
        let complete = best_complete(ground).unwrap();
        prop_assert_eq!(ground.check(&complete.route), Ok(RouteEnd::Goal));
        prop_assert_eq!(Some(in_units(complete.fitness)), brute.best[0]);
        let any = best_of_any_end(ground).unwrap();
        prop_assert!(ground.check(&any.route).is_ok());
        prop_assert_eq!(Some(in_units(any.fitness)), brute.best[2]);
        let stuck = best_dead_end(ground, None, u64::MAX);
        prop_assert!(stuck.is_proved);
        prop_assert_eq!(stuck.best.as_ref().map(|best| in_units(best.fitness)), brute.best[1]);
        if let Some(best) = &stuck.best {
            prop_assert_eq!(ground.check(&best.route), Ok(RouteEnd::Stuck));
            prop_assert_eq!(ground.fitness(&best.route), best.fitness);
        }
    }

    #[test]
    fn losses_add_up_to_what_a_complete_path_lacks(map in small_map(), seed: u64) {
        let level = level_of_rows(&map);
        prop_assume!(faults(&level).is_empty());
        let game = std::sync::Arc::new(game(&level));
        let options = planners::GeneticOptions { population: 20, generations: 0, ..Default::default() };
        let mut run = planners::Evolution::new(std::sync::Arc::clone(&game), options, seed);
        while run.step() {}
        let ground = game.ground();
        let best = best_complete(ground).unwrap();
        for individual in run.population() {
            let steps = review_steps(ground, &individual.route());
            prop_assert!(steps.iter().all(|step| step.loss >= 0));
            if individual.is_complete {
                let lost: i128 = steps.iter().map(|step| step.loss).sum();
                prop_assert_eq!(
                    lost * i128::from(level.rules.cost_weight),
                    individual.fitness - best.fitness
                );
            }
        }
    }
}

#[test]
fn the_most_guards_on_the_largest_map_stay_within_range() {
    let side = level::MAX_SIDE;
    let mut cells = Grid::filled(side, side, 'T');
    let mut guards = 0;
    // A crowd with a cell in its middle.
    for y in 0..7 {
        for x in 0..7 {
            if (x, y) != (3, 3) && (x + y) % 7 != 1 && guards < MAX_GUARDS {
                cells[Cell::new(20 + x, 20 + y)] = 'Z';
                guards += 1;
            }
        }
    }
    assert_eq!(guards, MAX_GUARDS);
    cells[Cell::new(0, 0)] = 'O';
    cells[Cell::new(63, 63)] = 'Y';
    let mut level = level_of(&["OY"]);
    level.set_cells(&cells);
    for (key, value) in [("cost_weight", "20"), ("penalty", "1000"), ("away_weight", "20")] {
        outwit_core::levels::RuleSet::set(&mut level.rules, key, value).unwrap();
    }
    assert_eq!(faults(&level), []);
    let game = game(&level);
    let ground = game.ground();
    // Through all cells, whether closed or not: more than any path can cost.
    let all: Option<i128> = ground.tiles().cells().try_fold(0_i128, |sum, cell| {
        let cost = ground.cost(cell).checked_mul(20)?;
        assert!(cost >= 0);
        sum.checked_add(cost)
    });
    assert!(all.is_some());
    let dearest = ground.tiles().cells().map(|cell| ground.cost(cell)).max().unwrap();
    assert!(dearest.checked_mul(20 * 64 * 64).is_some());
    assert!(best_complete(ground).is_some());
    assert!(!length_exposure_front(ground).points.is_empty());
    cells[Cell::new(40, 40)] = 'Z';
    level.set_cells(&cells);
    assert_eq!(faults(&level).len(), 1);
}

#[test]
fn faults_say_what_to_do() {
    for (map, what) in [
        (&["....", "...Y"][..], "there is no start (O): put one on the map"),
        (&["O..."], "there is no goal (Y): put one on the map"),
        (&["OO.Y"], "there is more than one start; keep one O"),
        (&["O.YYY"], "there is more than one goal; keep one Y (2 such places)"),
        (&["O#Y"], "the goal cannot be reached from the start"),
        (&["OZY"], "the goal cannot be reached from the start"),
        (&["O?Y"], "unknown character '?'; use . free"),
    ] {
        let faults = faults(&level_of(map));
        assert!(faults.iter().any(|fault| fault.what.starts_with(what)), "{map:?}: {faults:?}");
    }
}

#[test]
fn broken_paths_name_the_move_and_the_rule() {
    let game = game(&level_of(&["O.#", ".ZY", "..."]));
    for (moves, why) in [
        ("u", "move 1 ('u') leaves the map"),
        ("rr", "move 2 ('r') runs into a wall"),
        ("rd", "move 2 ('d') runs into a guard"),
        ("du", "move 2 ('u') enters a cell for the second time"),
        ("ddrrud", "move 6 ('d') goes on from the goal"),
    ] {
        assert_eq!(game.ground().check(&moves.parse().unwrap()), Err(why.into()), "{moves}");
    }
    assert_eq!(game.ground().check(&"r".parse().unwrap()), Ok(RouteEnd::Stuck));
    assert_eq!(game.ground().check(&"dd".parse().unwrap()), Ok(RouteEnd::GaveUp));
    assert!("ux".parse::<Route>().is_err());
}

#[test]
fn routes_are_written_as_their_letters() {
    let route: Route = "uu dlR".parse().unwrap();
    assert_eq!(route.to_string(), "uudlr");
    assert_eq!(ron::to_string(&route).unwrap(), "\"uudlr\"");
    assert_eq!(ron::from_str::<Route>("\"uudlr\""), Ok(route.clone()));
    let cells = route.cells(Cell::new(3, 3));
    assert_eq!(Route::along(&cells), Some(route));
}

/// The fitness of the best complete path of each built-in level, as a fraction.
const OPTIMA: &[(&str, i128, i128)] = &[
    ("01-way-in", -55, 1),
    ("02-pillars", -223, 2),
    ("03-mud", -61, 1),
    ("04-two-doors", -117, 1),
    ("05-crossfire", -82, 1),
    ("06-crates", -95, 1),
    ("07-blind-alleys", -217, 6),
    ("08-gallery", -130, 1),
    ("09-courtyard", -73, 1),
    ("10-vault", -89, 2),
    ("11-garden", -697, 6),
    ("12-docks", -129, 1),
    ("13-keep", -1349, 6),
    ("14-city-at-night", -289, 1),
    ("15-rounds", -97, 1),
    ("16-sentries", -515, 6),
    ("17-night-watch", -192, 1),
    ("18-first-fog", -109, 1),
    ("19-fogbound-manor", -189, 1),
    ("report-1", 13, 2),
    ("report-2", -57, 2),
    ("report-3", -418, 9),
    ("tavern", -410, 3),
];

/// The least fitness of a path to the goal by Bellman and Ford's method over the test's own costs.
fn by_relaxation(map: &[String]) -> Option<i128> {
    let (width, height) = (map[0].len() as i64, map.len() as i64);
    let search = BruteForce::without_paths(map);
    let mut least: Vec<Vec<Option<i128>>> = vec![vec![None; width as usize]; height as usize];
    let value = |least: &Vec<Vec<Option<i128>>>, (x, y): (i64, i64)| {
        *least.get(usize::try_from(y).ok()?)?.get(usize::try_from(x).ok()?)?
    };
    least[search.start.1 as usize][search.start.0 as usize] = Some(0);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            if matches!(search.at((x, y)), '#' | 'Z') {
                continue;
            }
            let near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
            let Some(before) = near.iter().filter_map(|&at| value(&least, at)).min() else {
                continue;
            };
            let here = before + search.cost((x, y));
            let known = &mut least[y as usize][x as usize];
            if known.is_none_or(|known| here < known) {
                *known = Some(here);
                changed = true;
            }
        }
    }
    let steps = (search.goal.0 - search.start.0).abs() + (search.goal.1 - search.start.1).abs();
    Some(value(&least, search.goal)? - UNIT / 2 * 15 * i128::from(steps) - 10 * UNIT)
}

#[test]
fn every_built_in_level_has_its_optimum() {
    let levels = list_with(None, "stealth");
    assert_eq!(levels.len(), OPTIMA.len());
    for &(id, numerator, denominator) in OPTIMA {
        let level = shipped(id);
        let game = game(&level);
        let best = best_complete(game.ground()).unwrap();
        let fitness = game.ground().amount(best.fitness);
        assert_eq!((fitness.numerator, fitness.denominator), (numerator, denominator), "{id}");
        let independent = match game.ground().period() {
            1 => by_relaxation(&level.map),
            period => patrol::by_enumeration(&level.map, period),
        };
        assert_eq!(independent, Some(numerator * UNIT / denominator), "{id}");
    }
}

#[test]
fn generated_levels_are_playable_and_repeat() {
    use super::generator::HouseOptions as Options;
    for seed in 0..20 {
        let level = Options::default().generate(seed).unwrap();
        assert_eq!(faults(&level), []);
        assert_eq!(Options::default().generate(seed), Ok(level.clone()));
        let guards = level.map.iter().flat_map(|row| row.chars()).filter(|&c| c == 'Z').count();
        assert_eq!(guards, 4);
    }
    let mut on_patrol = 0;
    for seed in 0..20 {
        let options = Options { patrols: 3, width: 20, height: 16, ..Options::default() };
        let level = options.generate(seed).unwrap();
        let count = |letters: &str| {
            level.map.iter().flat_map(|row| row.chars()).filter(|&c| letters.contains(c)).count()
        };
        assert_eq!(count("ZES"), 4);
        on_patrol += count("ES");
    }
    assert!(on_patrol > 40, "{on_patrol}");
    let large = Options { width: 60, height: 60, guards: 30, ..Options::default() };
    assert!(large.generate(1).is_ok());
    let crowded = Options { width: 4, height: 4, guards: 40, ..Options::default() };
    assert!(crowded.generate(1).unwrap_err().contains("fewer guards"));
}

#[test]
fn warnings_find_what_is_out_of_reach_and_misleading_dead_ends() {
    let warnings = |level: &StealthFile| -> Vec<String> {
        self::warnings(level).iter().map(ToString::to_string).collect()
    };
    let found = warnings(&level_of(&["O.Y#T", "...##", "...#Z", "...##"]));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("cannot get to this terrain"), "{found:?}");
    assert!(found[1].contains("sees no cell"), "{found:?}");
    let mut level = shipped("report-1");
    assert!(
        warnings(&level)[0].contains("raise the penalty by more than 2"),
        "{:?}",
        warnings(&level)
    );
    level.rules.penalty = 40;
    assert_eq!(warnings(&level), [""; 0]);
}

#[test]
fn a_review_names_the_costly_cells_and_a_dead_end_reaches_nothing() {
    let game = std::sync::Arc::new(game(&shipped("report-2")));
    let reviewed = |moves: &str| {
        let mut played = Match::new(std::sync::Arc::clone(&game), 1).unwrap();
        played.advance(vec![(Seat(0), moves.parse().unwrap())]).unwrap();
        outwit_kit::review(&played, &StopFlag::default()).unwrap().seats.swap_remove(0)
    };
    let best = best_complete(game.ground()).unwrap().route.to_string();
    let seat = reviewed(&best);
    assert_eq!((seat.perfect, seat.reached), (Some(41.5), Some(41.5)));
    assert_eq!((seat.moves[0].cost, seat.moves[0].note.as_str()), (Some(0.0), "as good as any"));
    let seat = reviewed("rurruuuurruulllllu");
    assert_eq!((seat.moves[0].cost, seat.reached), (Some(0.5), Some(42.0)));
    assert!(seat.moves[0].note.contains("0.5 at ("), "{}", seat.moves[0].note);
    let seat = reviewed("uuurulur");
    assert_eq!((seat.moves[0].cost, seat.reached), (None, None));
}
