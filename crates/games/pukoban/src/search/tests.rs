//! The packed search against brute force over the plain rules.

use super::anytime::Anytime;
use super::*;
use crate::planners::search_of;
use crate::{Moves, Objective, Pukoban, PukobanFile, PukobanState, PukobanStep, level};
use outwit_core::platform::task::limit_cores;
use outwit_core::platform::time::{Duration, thread_cpu};
use outwit_core::play::{Budget, CheckedLevel, Clock, Game, StopFlag};
use outwit_core::search::{Counters, Evaluation, MemoryLimit, Status};
use proptest::prelude::*;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

const OPTIMAL: &[(&str, Method)] = &[
    ("uniform-cost", Method::BestFirst(Evaluation::UniformCost, Heuristic::None)),
    ("astar-h1", Method::BestFirst(Evaluation::AStar, Heuristic::Nearest)),
    ("astar-matching", Method::BestFirst(Evaluation::AStar, Heuristic::Matching)),
    ("breadth-first", Method::Breadth),
    ("bidirectional", Method::Bidirectional),
    ("best", Method::Meet),
];

const OTHERS: &[(&str, Method)] = &[
    ("astar-h2", Method::BestFirst(Evaluation::AStar, Heuristic::NearestAndTurns(1))),
    ("astar-h3", Method::BestFirst(Evaluation::AStar, Heuristic::NearestAndTurns(2))),
    ("greedy", Method::BestFirst(Evaluation::Greedy, Heuristic::Nearest)),
    ("depth-first", Method::Depth(100_000)),
];

/// What counts and what can be done with boxes, in all four ways.
const RULES: [(Objective, Moves); 4] = [
    (Objective::Steps, Moves::PushAndPull),
    (Objective::BoxMoves, Moves::PushAndPull),
    (Objective::Steps, Moves::Push),
    (Objective::BoxMoves, Moves::Push),
];

fn game(rows: &[String], (objective, moves): (Objective, Moves)) -> Option<Pukoban> {
    let mut file = PukobanFile {
        format: level::FORMAT.into(),
        name: "test".into(),
        author: String::new(),
        about: String::new(),
        rules: Default::default(),
        map: rows.to_vec(),
    };
    (file.rules.objective, file.rules.moves) = (objective, moves);
    Pukoban::new(&CheckedLevel::new(file).ok()?, 1).ok()
}

fn task(game: &Pukoban, position: &PukobanState, limit: usize) -> SearchTask {
    let puzzle = Arc::new(Puzzle::of(game));
    let (player, boxes) = puzzle.place(position).unwrap();
    let limit = MemoryLimit(limit);
    SearchTask { puzzle, player, boxes, objective: game.objective(), limit, below: u32::MAX }
}

/// The search over sets of states, if the level is small enough for one word.
fn meet(game: &Pukoban) -> Option<Meet<1>> {
    let SearchTask { puzzle, player, boxes, objective, limit, .. } =
        task(game, game.opening(), usize::MAX);
    Meet::new(puzzle, player, &boxes, objective, limit)
}

/// What steps cost that solve the level.
fn cost_of(game: &Pukoban, steps: &[PukobanStep]) -> u32 {
    let mut played = game.opening().clone();
    for &step in steps {
        game.take(&mut played, step).unwrap();
    }
    assert!(game.is_solved(&played));
    game.cost(&played)
}

/// The end of a search, checked by the rules: a solution solves and costs what it says.
fn solve(game: &Pukoban, method: Method, limit: usize) -> (Option<u32>, Counters) {
    let position = game.opening();
    let mut engine = method.begin(&task(game, position, limit));
    match engine.run(&Clock::unlimited()).unwrap() {
        End::Solved { steps, cost } => {
            assert_eq!(cost_of(game, &steps), cost);
            (Some(cost), engine.counters())
        }
        End::Unsolvable => (None, engine.counters()),
        End::GaveUp => panic!("gave up at {:?}", engine.counters()),
    }
}

/// The least cost by a search over the rules alone: walks cost 0 or 1, box moves 1.
fn brute_force(game: &Pukoban) -> Option<u32> {
    let plain = |position: &PukobanState| {
        let mut boxes = position.boxes.clone();
        boxes.sort();
        (position.player, boxes)
    };
    let mut queue = VecDeque::from([game.opening().clone()]);
    let mut done = HashSet::new();
    while let Some(position) = queue.pop_front() {
        if !done.insert(plain(&position)) {
            continue;
        }
        if game.is_solved(&position) {
            return Some(game.cost(&position));
        }
        for step in game.steps(&position) {
            let mut next = position.clone();
            game.take(&mut next, step).unwrap();
            if game.cost(&next) == game.cost(&position) {
                queue.push_front(next);
            } else {
                queue.push_back(next);
            }
        }
    }
    None
}

/// Levels up to 5x5 with up to two boxes and as many goals or fewer, drawn cell by cell.
fn small_level() -> impl Strategy<Value = Vec<String>> {
    let walls = prop::collection::vec(prop::bool::weighted(0.2), 25);
    let places = prop::collection::vec(0_usize..25, 5);
    (2_usize..=5, 2_usize..=5, walls, places, 1_usize..=2, 1_usize..=2).prop_map(
        |(width, height, walls, places, boxes, goals)| {
            let mut tiles: Vec<char> =
                walls.iter().take(width * height).map(|&w| if w { '#' } else { '-' }).collect();
            let at = |i: usize| places[i] % tiles.len();
            let spots: Vec<usize> = (0..5).map(at).collect();
            for &goal in &spots[..goals] {
                tiles[goal] = '.';
            }
            for &at in &spots[2..2 + boxes] {
                tiles[at] = if tiles[at] == '.' { '*' } else { '$' };
            }
            let player = spots[4];
            tiles[player] = if tiles[player] == '.' { '+' } else { '@' };
            tiles.chunks(width).map(|row| row.iter().collect()).collect()
        },
    )
}

/// Levels up to 5x4 with three or four boxes and as many goals or fewer.
fn crowded_level() -> impl Strategy<Value = Vec<String>> {
    let walls = prop::collection::vec(prop::bool::weighted(0.12), 20);
    let places = Just((0_usize..20).collect::<Vec<_>>()).prop_shuffle();
    let goals = prop::collection::vec(prop::bool::weighted(0.9), 5);
    (4_usize..=5, 3_usize..=4, walls, places, 3_usize..=4, goals, any::<u64>()).prop_map(
        |(width, height, walls, mut places, boxes, is_goal, shift)| {
            let cells = width * height;
            places.retain(|&at| at < cells);
            let mut tiles: Vec<char> =
                walls.iter().take(cells).map(|&w| if w { '#' } else { '-' }).collect();
            for &at in &places[..boxes] {
                tiles[at] = '$';
            }
            // Goals may lie under boxes.
            let first = shift as usize % cells;
            for at in (0..boxes).filter(|&at| is_goal[at]).map(|at| places[(first + at) % cells]) {
                tiles[at] = if tiles[at] == '$' { '*' } else { '.' };
            }
            let player = places[boxes];
            tiles[player] = if tiles[player] == '.' { '+' } else { '@' };
            tiles.chunks(width).map(|row| row.iter().collect()).collect()
        },
    )
}

/// Runs a search piece by piece to its end, which must be the shortest solution; what is known on the way keeps its
/// word.
fn kept_word(
    game: &Pukoban,
    search: &mut Anytime,
    run: impl Fn(&mut Anytime) -> Option<End>,
) -> Result<End, TestCaseError> {
    let truth = brute_force(game);
    let end = loop {
        if let Some(end) = run(search) {
            break end;
        }
        if let Some(Incumbent { steps, cost, at_least }) = search.incumbent() {
            prop_assert_eq!(cost_of(game, &steps), cost);
            prop_assert!(Some(at_least) <= truth && truth <= Some(cost));
        }
    };
    let cost = match &end {
        End::Solved { steps, cost } => {
            prop_assert_eq!(cost_of(game, steps), *cost);
            Some(*cost)
        }
        _ => None,
    };
    prop_assert_eq!(cost, truth, "{:?}", game.opening());
    Ok(end)
}

/// Runs a search to its end: the path and its cost, if there is one. `before` is called with the number of steps before
/// each.
fn run_to_end<const W: usize>(
    search: &mut Meet<W>,
    mut before: impl FnMut(&mut Meet<W>, usize) -> Result<(), TestCaseError>,
) -> Result<Option<(Vec<Move>, u32)>, TestCaseError> {
    for steps in 0.. {
        before(search, steps)?;
        match search.step() {
            Status::Running => {}
            Status::Found { path, cost } => return Ok(Some((path, cost))),
            Status::Exhausted => break,
            Status::LimitReached => panic!("gave up"),
        }
    }
    Ok(None)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn agrees_with_brute_force(rows in small_level()) {
        for rules in RULES {
            let Some(game) = game(&rows, rules) else { return Ok(()) };
            let truth = brute_force(&game);
            for &(name, method) in OPTIMAL {
                let (cost, counters) = solve(&game, method, usize::MAX);
                prop_assert_eq!(cost, truth, "{} {:?} {:?}", name, rules, rows);
                let is_consistent = name != "astar-h1";
                prop_assert!(counters.expanded_again == 0 || !is_consistent, "{} {:?}", name, rows);
            }
            for &(name, method) in OTHERS {
                let (cost, counters) = solve(&game, method, usize::MAX);
                prop_assert_eq!(cost.is_some(), truth.is_some(), "{} {:?}", name, rows);
                prop_assert!(cost >= truth, "{} {:?}", name, rows);
                let counts_cost = name.starts_with("astar");
                prop_assert!(counters.expanded_again == 0 || counts_cost, "{} {:?}", name, rows);
            }
            for weight in 1..=5 {
                let weighted =
                    Method::BestFirst(Evaluation::Weighted(weight), Heuristic::Matching);
                let (cost, _) = solve(&game, weighted, usize::MAX);
                prop_assert_eq!(cost.is_some(), truth.is_some(), "{} {:?}", weight, rows);
                let most = truth.map(|least| weight * least);
                prop_assert!((truth..=most).contains(&cost), "{} {:?} {:?}", weight, cost, rows);
            }
            // What a search with settings promises holds, and how it breaks ties changes no promise.
            for name in ["uniform-cost", "astar-h1", "astar-matching", "astar-weighted"] {
                for (ties, weight) in [("fifo", 1), ("lifo", 2), ("least-h", 10)] {
                    let weighted = format!("{name}:ties={ties},weight={weight}");
                    let search = search_of(&weighted).or_else(|_| {
                        search_of(&format!("{name}:ties={ties}"))
                    });
                    let Ok(search) = search else { panic!("{name} breaks ties") };
                    let (cost, _) = solve(&game, search.method, usize::MAX);
                    prop_assert_eq!(cost.is_some(), truth.is_some(), "{} {:?}", weighted, rows);
                    let most = truth.zip(search.bound).map(|(least, factor)| factor * least);
                    prop_assert!((truth..=most).contains(&cost), "{} {:?} {:?}", weighted, cost, rows);
                }
            }
        }
    }

    /// Small levels are solved before `best` makes its estimates, so here it makes them at once.
    #[test]
    fn sets_with_estimates_agree_with_brute_force(rows in small_level()) {
        for rules in RULES {
            let Some(game) = game(&rows, rules) else { return Ok(()) };
            let Some(mut search) = meet(&game) else { return Ok(()) };
            search.inform();
            let found = run_to_end(&mut search, |_, _| Ok(()))?;
            let cost = found.map(|(_, cost)| cost);
            prop_assert_eq!(cost, brute_force(&game), "{:?} {:?}", rules, rows);
        }
    }

    /// As before where boxes can only be pushed, in crowds that block each other.
    #[test]
    fn crowds_to_be_pushed_agree_with_brute_force(rows in crowded_level(), later in 0_usize..40) {
        for objective in [Objective::Steps, Objective::BoxMoves] {
            let Some(game) = game(&rows, (objective, Moves::Push)) else { return Ok(()) };
            let Some(mut search) = meet(&game) else { return Ok(()) };
            let found = run_to_end(&mut search, |search, steps| {
                if steps == later && !search.is_beginning() {
                    search.inform();
                }
                Ok(())
            })?;
            let cost = found.map(|(_, cost)| cost);
            prop_assert_eq!(cost, brute_force(&game), "{:?} {:?}", objective, rows);
        }
    }

    /// Whatever the potential and whenever it comes, the shortest solution is found, also if it need only
    /// be a little shorter than what is known.
    #[test]
    fn any_potential_agrees_with_brute_force(
        rows in small_level(), turns in prop::collection::vec(0_usize..25, 60),
        blind in 0_usize..30, informed in 0_usize..30, later in 0_usize..60, more in 1_u32..4,
        moves in prop::sample::select(vec![Moves::PushAndPull, Moves::Push]),
    ) {
        let Some(game) = game(&rows, (Objective::Steps, moves)) else { return Ok(()) };
        let SearchTask { puzzle, player, boxes, objective, limit, .. } =
            task(&game, game.opening(), usize::MAX);
        let mut heights = potential::distances_from(&puzzle, player);
        for spot in turns.iter().map(|spot| spot % puzzle.cells().len()) {
            heights[spot] = potential::turned(&puzzle, &heights, spot).unwrap_or(heights[spot]);
        }
        let truth = brute_force(&game);
        let search = Meet::<1>::new(puzzle.clone(), player, &boxes, objective, limit);
        let Some(mut search) = search else { return Ok(()) };
        let (mut is_informed, mut is_tilted) = (false, false);
        let found = run_to_end(&mut search, |search, steps| {
            if steps >= blind && !is_informed && !search.is_beginning() {
                search.inform();
                is_informed = true;
            }
            if steps >= blind + informed && is_informed && !is_tilted && !search.is_beginning() {
                search.tilt_by(heights.clone());
                is_tilted = true;
            }
            if steps == later {
                search.undercut(truth.map_or(u32::MAX, |truth| truth + more));
            }
            Ok(())
        })?;
        let (path, cost) = found.unzip();
        let path = path.unwrap_or_default();
        prop_assert_eq!(cost, truth, "{:?} {:?}", rows, heights);
        prop_assert_eq!(path.len() as u32, truth.unwrap_or(0), "{:?} {:?}", rows, heights);
    }

    /// Whenever the quick search begins: what is known on the way keeps its word, slices change
    /// nothing, and the end is the shortest solution.
    #[test]
    fn what_is_known_before_the_end_keeps_its_word(
        rows in small_level(), alone in 0_u64..40, turn in 1_u64..6, slice in 1_u64..30,
    ) {
        for rules in RULES {
            let Some(game) = game(&rows, rules) else { return Ok(()) };
            let task = task(&game, game.opening(), usize::MAX);
            let mut whole = Anytime::taking_turns(&task, alone, turn);
            let whole = (whole.run(&Clock::unlimited()).unwrap(), whole.counters());
            let mut search = Anytime::taking_turns(&task, alone, turn);
            let sliced = |search: &mut Anytime| search.run_to(&Clock::work(slice), u64::MAX);
            let end = kept_word(&game, &mut search, sliced)?;
            prop_assert_eq!((&end, search.counters()), (&whole.0, whole.1));
        }
    }

    /// What comes first when both searches work at the same time is up to the machine; the least cost is not.
    #[test]
    fn both_searches_may_work_at_the_same_time(
        rows in small_level(), alone in 0_u64..40, look in 1_u64..100,
    ) {
        limit_cores(8);
        for rules in RULES {
            let Some(game) = game(&rows, rules) else { return Ok(()) };
            let task = task(&game, game.opening(), usize::MAX);
            let clock = Clock::new(Budget::Time(Duration::MAX), StopFlag::default());
            let mut search = Anytime::taking_turns(&task, alone, 1);
            kept_word(&game, &mut search, |search| search.run_to(&clock, search.steps() + look))?;
        }
    }

    /// With less to be undercut than the least cost nothing is found, and else the shortest solution,
    /// whenever it is said.
    #[test]
    fn what_is_undercut_is_found_exactly_if_it_exists(
        rows in small_level(), most in 0_u32..40, blind in 0_usize..30, later in 0_usize..40,
    ) {
        for rules in RULES {
            let Some(game) = game(&rows, rules) else { return Ok(()) };
            let Some(mut search) = meet(&game) else { return Ok(()) };
            let truth = brute_force(&game);
            let mut is_said = false;
            let found = run_to_end(&mut search, |search, steps| {
                if steps == blind && !search.is_beginning() {
                    search.inform();
                }
                if steps == later {
                    search.undercut(most);
                    is_said = true;
                }
                prop_assert!(Some(search.at_least().min(most)) <= truth || truth.is_none());
                Ok(())
            })?;
            let cost = found.map(|(_, cost)| cost);
            let expected = truth.filter(|&truth| truth < most || !is_said);
            prop_assert_eq!(cost, expected, "{:?} {:?}", rules, rows);
        }
    }

    /// The claims at [`Heuristic`]: never more than the truth, falling by at most 1 per edge, with pulls rising by at
    /// most 1 as well, and where there is none there is none later on.
    #[test]
    fn estimates_keep_their_promises(rows in small_level(), walk in prop::collection::vec(0_usize..8, 12)) {
        for rules in RULES {
            let Some(game) = game(&rows, rules) else { return Ok(()) };
            let puzzle = Puzzle::of(&game);
            let nearest = Estimates::new(&puzzle, Heuristic::Nearest);
            let matching = Estimates::new(&puzzle, Heuristic::Matching);
            let mut matcher = matching::Matcher::default();
            let mut position = game.opening().clone();
            let mut before: Option<Option<u32>> = None;
            for &choice in &walk {
                let (player, boxes) = puzzle.place(&position).unwrap();
                let state = <Bits<1> as Packed>::pack(player, &boxes);
                let mut file = game.level().clone();
                file.map = rows_of(&game, &position);
                if let Ok(level) = CheckedLevel::new(file) {
                    let from_here = Pukoban::new(&level, 1).unwrap();
                    let truth = brute_force(&from_here).unwrap_or(u32::MAX);
                    prop_assert!(nearest.of(&state, &mut matcher).is_none_or(|h| h <= truth));
                    prop_assert!(matching.of(&state, &mut matcher).unwrap_or(u32::MAX) <= truth);
                }
                let now = matching.of(&state, &mut matcher);
                match (before, now) {
                    (Some(Some(a)), Some(b)) => {
                        prop_assert!(a <= b + 1, "{} {} {:?}", a, b, position);
                        prop_assert!(b <= a + 1 || !game.moves().has_pulls(), "{} {} {:?}", a, b, position);
                    }
                    (Some(None), Some(b)) => prop_assert!(false, "{} {:?}", b, position),
                    _ => {}
                }
                before = Some(now);
                let steps = game.steps(&position);
                game.take(&mut position, steps[choice % steps.len()]).unwrap();
            }
        }
    }
}

/// The map with everything where it is in this position.
fn rows_of(game: &Pukoban, position: &PukobanState) -> Vec<String> {
    let walls = game.walls();
    let symbol = |x: usize, y: usize| {
        let cell = outwit_core::grid::Cell::new(x as i32, y as i32);
        let goal = game.goals().contains(&cell);
        match (walls[cell], position.boxes.contains(&cell), position.player == cell) {
            (true, ..) => '#',
            (_, true, _) => {
                if goal {
                    '*'
                } else {
                    '$'
                }
            }
            (.., true) => {
                if goal {
                    '+'
                } else {
                    '@'
                }
            }
            _ => {
                if goal {
                    '.'
                } else {
                    '-'
                }
            }
        }
    };
    (0..walls.height()).map(|y| (0..walls.width()).map(|x| symbol(x, y)).collect()).collect()
}

fn rows(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// A plane of 40x40 with 30 boxes: far too many states for any method.
fn plane() -> Pukoban {
    let symbol = |x: usize, y: usize| match (x, y) {
        (20, 20) => '@',
        _ if x % 7 == 3 && y % 8 == 3 && y < 38 => '$',
        _ if x % 7 == 6 && y % 8 == 7 && y < 39 && x < 39 => '.',
        _ => '-',
    };
    let map: Vec<String> = (0..40).map(|y| (0..40).map(|x| symbol(x, y)).collect()).collect();
    game(&map, (Objective::Steps, Moves::PushAndPull)).unwrap()
}

#[test]
fn a_large_level_ends_at_the_memory_limit() {
    let plane = plane();
    assert!(plane.opening().boxes.len() >= 30);
    let limit = 8 << 20;
    for &(name, method) in OPTIMAL {
        let mut engine = method.begin(&task(&plane, plane.opening(), limit));
        assert_eq!(engine.run(&Clock::unlimited()), Some(End::GaveUp), "{name}");
        let bytes = engine.counters().bytes;
        assert!(bytes <= limit && bytes > limit / 4, "{name}: {bytes}");
        let mut position = plane.opening().clone();
        let path = engine.best_path();
        assert!(!path.is_empty(), "{name} has no best state");
        for step in path {
            plane.take(&mut position, step).unwrap();
        }
    }
}

#[test]
fn sealed_boxes_and_goals() {
    // A box on its goal out of reach counts as done; a goal out of reach without a box never is.
    for (map, cost) in [("@$.#*#", Some(1)), ("@$.#.#$", None), ("@$.#$#", Some(1))] {
        for &(name, method) in OPTIMAL {
            let game = game(&rows(map), (Objective::Steps, Moves::PushAndPull)).unwrap();
            assert_eq!(solve(&game, method, usize::MAX).0, cost, "{name} on {map}");
        }
    }
}

/// Prints figures on the levels of the file that `PUKOBAN_LEVELS` names, in XSB with `; ` lines.
#[test]
#[ignore = "prints measures"]
fn measures() {
    let Ok(path) = std::env::var("PUKOBAN_LEVELS") else {
        println!("PUKOBAN_LEVELS names no file");
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let only = std::env::var("PUKOBAN_METHODS").unwrap_or_default();
    for rules in RULES {
        let mut totals = vec![(0.0, 0, 0.0_f64); OPTIMAL.len()];
        let mut ratios = vec![Vec::new(); OPTIMAL.len()];
        for level in text.split("; ").skip(1) {
            let (_, map) = level.split_once('\n').unwrap();
            let map: Vec<String> =
                map.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
            let game = game(&map, rules).unwrap();
            let mut truth = None;
            let mut uniform = 0.0;
            for (index, &(name, method)) in OPTIMAL.iter().enumerate() {
                if index > 0 && !only.is_empty() && !only.contains(name) {
                    continue;
                }
                let before = thread_cpu().unwrap();
                let (cost, counters) = solve(&game, method, usize::MAX);
                let seconds = (thread_cpu().unwrap() - before).as_secs_f64();
                assert_eq!(*truth.get_or_insert(cost), cost, "{name}");
                if index == 0 {
                    uniform = seconds;
                }
                ratios[index].push(seconds / uniform);
                let (total, expanded, worst) = &mut totals[index];
                *total += seconds;
                *expanded += counters.expanded;
                *worst = worst.max(seconds);
            }
        }
        for (index, (name, _)) in OPTIMAL.iter().enumerate() {
            let (seconds, expanded, worst) = totals[index];
            let mut sorted = ratios[index].clone();
            sorted.sort_by(f64::total_cmp);
            let Some(most) = sorted.last() else { continue };
            println!(
                "{rules:?} {name:>15}: {seconds:8.3} s, worst {worst:.3} s, {expanded:>10} \
                 expanded, {:6.2} M/s, ratio median {:.3} most {most:.3}",
                expanded as f64 / seconds / 1e6,
                sorted[sorted.len() / 2],
            );
        }
    }
}
