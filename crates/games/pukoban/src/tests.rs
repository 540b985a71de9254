//! The rules against their definition, and the built-in levels against a plain search that shares no
//! code with the planners.

use super::generator::{PuzzleOptions, hardest};
use super::level::{FORMAT, faults};
use super::*;
use outwit_core::grid::Cell;
use outwit_core::levels::{Fault, Spot};
use outwit_core::play::{CheckedLevel, Game, Match};
use outwit_kit::read_level;
use outwit_levels::{built_in, list_with};
use proptest::prelude::*;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

fn level(map: &[&str]) -> PukobanFile {
    PukobanFile {
        format: FORMAT.into(),
        name: "Test".into(),
        author: String::new(),
        about: String::new(),
        rules: PukobanRules::default(),
        map: map.iter().map(|&row| row.to_owned()).collect(),
    }
}

fn game(map: &[&str]) -> Pukoban {
    rules_on(level(map))
}

fn rules_on(level: PukobanFile) -> Pukoban {
    Pukoban::new(&CheckedLevel::new(level).unwrap(), 1).unwrap()
}

fn warnings(level: &PukobanFile) -> Vec<Fault> {
    (Pukoban::MAPS.warnings)(level, None)
}

/// The player and the boxes in any order.
type Arrangement = (Cell, Vec<Cell>);

fn arrangement(position: &PukobanState) -> Arrangement {
    let mut boxes = position.boxes.clone();
    boxes.sort();
    (position.player, boxes)
}

/// The least cost of solving a level by the objective, by search over all arrangements; `Ok(None)` if
/// it cannot be solved, an error if more than `most` arrangements are known.
fn fewest(game: &Pukoban, most: usize) -> Result<Option<u32>, usize> {
    let mut known: HashMap<Arrangement, u32> = HashMap::new();
    let mut open = VecDeque::from([game.opening().clone()]);
    while let Some(position) = open.pop_front() {
        // The first time an arrangement comes up its cost is the least.
        let cost = game.cost(&position);
        let entry = known.entry(arrangement(&position));
        if matches!(entry, std::collections::hash_map::Entry::Occupied(_)) {
            continue;
        }
        entry.or_insert(cost);
        if game.is_solved(&position) {
            return Ok(Some(cost));
        }
        if known.len() > most {
            return Err(known.len());
        }
        for step in game.steps(&position) {
            let mut next = position.clone();
            game.take(&mut next, step).unwrap();
            if known.contains_key(&arrangement(&next)) {
                continue;
            }
            // A walk costs no box move, so it goes before everything else.
            if game.cost(&next) == cost { open.push_front(next) } else { open.push_back(next) }
        }
    }
    Ok(None)
}

prop_compose! {
    /// A small map that need not be playable.
    fn any_map()(
        width in 2usize..6,
        cells in prop::collection::vec(0usize..10, 4..30),
    ) -> Vec<String> {
        const SYMBOLS: [char; 10] = ['-', '-', '-', '-', '#', '#', '$', '$', '.', '*'];
        let mut symbols: Vec<char> = cells.iter().map(|&cell| SYMBOLS[cell]).collect();
        symbols.extend(['@', '.', '$']);
        symbols.resize(symbols.len().div_ceil(width) * width, '-');
        symbols.chunks(width).map(|row| row.iter().collect()).collect()
    }
}

/// A match of random legal steps.
fn random_match(game: &Arc<Pukoban>, choices: &[usize]) -> Match<Pukoban> {
    let mut played = Match::new(Arc::clone(game), 1).unwrap();
    for &choice in choices {
        if played.to_move().is_empty() {
            break;
        }
        let steps = game.steps(played.state());
        played.advance(vec![(Seat(0), steps[choice % steps.len()])]).unwrap();
    }
    played
}

proptest! {
    /// A walk is undone by the walk back, a push by a pull, a pull by a push.
    #[test]
    fn every_step_can_be_undone(map in any_map(), choices in prop::collection::vec(0usize..8, 1..40)) {
        let map: Vec<&str> = map.iter().map(String::as_str).collect();
        prop_assume!(faults(&level(&map)).is_empty());
        let game = game(&map);
        let mut position = game.opening().clone();
        for choice in choices {
            let before = position.clone();
            let legal = game.steps(&before);
            let step = legal[choice % legal.len()];
            let done = game.effect(&before, step).unwrap();
            game.take(&mut position, step).unwrap();
            let back = step.direction.opposite();
            let (undo, undone) = match done {
                Effect::Walk => (PukobanStep::to(back), Effect::Walk),
                Effect::Push(index) => (PukobanStep::pull(back), Effect::Pull(index)),
                Effect::Pull(index) => (PukobanStep::to(back), Effect::Push(index)),
            };
            prop_assert_eq!(game.effect(&position, undo), Ok(undone));
            let mut again = position.clone();
            game.take(&mut again, undo).unwrap();
            prop_assert_eq!((again.player, &again.boxes), (before.player, &before.boxes));
        }
    }

    /// What holds in every position, and how each follows from the one before.
    #[test]
    fn positions_stay_sound(map in any_map(), choices in prop::collection::vec(0usize..8, 1..60)) {
        let map: Vec<&str> = map.iter().map(String::as_str).collect();
        prop_assume!(faults(&level(&map)).is_empty());
        let game = Arc::new(game(&map));
        let played = random_match(&game, &choices);
        for (position, turn) in played.states()[1..].iter().zip(played.turns()) {
            prop_assert_eq!(position.boxes.len(), game.opening().boxes.len());
            let mut cells = position.boxes.clone();
            cells.push(position.player);
            prop_assert!(cells.iter().all(|&cell| !game.is_wall(cell)));
            cells.sort();
            cells.dedup();
            prop_assert_eq!(cells.len(), position.boxes.len() + 1, "two things on one cell");
            if let PukobanEvent::Pushed { index, to, .. } | PukobanEvent::Pulled { index, to, .. } =
                turn.events[0]
            {
                prop_assert_eq!(position.boxes[index], to);
            }
        }
        for (turn, pair) in played.states().windows(2).enumerate() {
            prop_assert_eq!(pair[1].steps as usize, turn + 1);
            let moved = pair[0].boxes.iter().zip(&pair[1].boxes).filter(|(a, b)| a != b).count();
            prop_assert_eq!(pair[1].box_moves as usize, pair[0].box_moves as usize + moved);
            prop_assert!(moved <= 1, "one box at a time");
            prop_assert_eq!(pair[0].player.manhattan(pair[1].player), 1);
        }
        let again = random_match(&game, &choices);
        prop_assert_eq!(again.states(), played.states());
    }

    /// Files may spell floor in three ways.
    #[test]
    fn floor_may_be_spelt_in_three_ways(map in any_map()) {
        let plain = level(&map.iter().map(String::as_str).collect::<Vec<_>>());
        for floor in ["_", " "] {
            let mut other = plain.clone();
            other.map.iter_mut().for_each(|row| *row = row.replace('-', floor));
            prop_assert_eq!(faults(&other), faults(&plain));
            prop_assert_eq!(&super::drawing::unfold(other), &plain);
        }
    }

    #[test]
    fn random_puzzles_need_the_steps_that_they_say(
        seed in 0u64..1000,
        width in 4u32..8,
        height in 4u32..8,
        boxes in 1u32..3,
        walls in 0.0..0.5,
        moves in prop::sample::select(vec![Moves::PushAndPull, Moves::Push]),
    ) {
        let options = PuzzleOptions { width, height, boxes, walls, moves };
        if let Ok((level, steps)) = hardest(&options, seed) {
            prop_assert_eq!(faults(&level), []);
            let game = rules_on(level.clone());
            prop_assert_eq!(fewest(&game, 200_000), Ok(Some(steps)), "{:?}", level.map);
            prop_assert_eq!(warnings(&level), []);
        }
    }

    /// Where boxes can only be pushed, what is legal is what else would be legal but for pulls, and the way back is
    /// legal after a walk.
    #[test]
    fn pushing_alone_leaves_out_pulls_and_nothing_else(
        map in any_map(), choices in prop::collection::vec(0usize..8, 1..40),
    ) {
        let map: Vec<&str> = map.iter().map(String::as_str).collect();
        prop_assume!(faults(&level(&map)).is_empty());
        let both = game(&map);
        let mut file = level(&map);
        file.rules.moves = Moves::Push;
        let push = rules_on(file);
        let mut position = push.opening().clone();
        for choice in choices {
            let legal = push.steps(&position);
            let mut others = both.steps(&position);
            others.retain(|step| !step.pull);
            prop_assert_eq!(&legal, &others);
            prop_assert!(!legal.is_empty());
            let step = legal[choice % legal.len()];
            push.take(&mut position, step).unwrap();
            let back = PukobanStep::to(step.direction.opposite());
            prop_assert_eq!(push.effect(&position, back), Ok(Effect::Walk));
            let pull = PukobanStep::pull(step.direction.opposite());
            let why = push.effect(&position, pull).unwrap_err().to_string();
            prop_assert_eq!(why, "boxes can only be pushed in this level");
        }
    }
}

#[test]
fn illegal_steps_say_why() {
    let game = game(&["@$$.", "$-#.", "----"]);
    let why = |step| game.effect(game.opening(), step).unwrap_err().to_string();
    use Direction::{Down, Left, Right, Up};
    assert_eq!(why(PukobanStep::to(Left)), "the board ends here: the player cannot go left");
    assert_eq!(
        why(PukobanStep::to(Right)),
        "the box cannot be pushed right: a box stands behind it"
    );
    assert!(why(PukobanStep::pull(Down)).starts_with("a box stands in the way down"));
    assert_eq!(game.effect(game.opening(), PukobanStep::to(Down)), Ok(Effect::Push(2)));
    let mut position = game.opening().clone();
    game.take(&mut position, PukobanStep::to(Down)).unwrap();
    assert_eq!(game.effect(&position, PukobanStep::pull(Up)), Ok(Effect::Pull(2)));
    assert_eq!(
        game.effect(&position, PukobanStep::to(Down)).unwrap_err().to_string(),
        "the box cannot be pushed down: the board ends behind it"
    );
    assert_eq!(
        game.effect(&position, PukobanStep::pull(Right)).unwrap_err().to_string(),
        "there is no box behind the player to pull right"
    );
    game.take(&mut position, PukobanStep::to(Right)).unwrap();
    assert_eq!(
        game.effect(&position, PukobanStep::to(Right)).unwrap_err().to_string(),
        "there is a wall to go right"
    );
}

#[test]
fn matches_end_solved_or_at_the_limit() {
    let mut file = level(&["@$-."]);
    let solved = |file: &PukobanFile| {
        let mut played = Match::new(Arc::new(rules_on(file.clone())), 1).unwrap();
        for letter in "rr".chars() {
            played.advance(vec![(Seat(0), PukobanStep::try_from(letter).unwrap())]).unwrap();
        }
        played
    };
    let played = solved(&file);
    let over = played.outcome().unwrap();
    assert_eq!(over.headline, "Solved in 2 steps and 2 box moves");
    assert_eq!(over.places[0].score, Some(2.0));
    assert!(played.to_move().is_empty());
    assert_eq!((Pukoban::TABLES.results)(&played, Seat(0)), [(STEPS, 2.0), (BOX_MOVES, 2.0)]);
    file.rules.objective = Objective::BoxMoves;
    assert_eq!((Pukoban::TABLES.results)(&solved(&file), Seat(0))[0], (BOX_MOVES, 2.0));
    file.rules.moves = Moves::Push;
    let pushed = solved(&file);
    assert_eq!((Pukoban::TABLES.results)(&pushed, Seat(0)), [(PUSHES, 2.0), (STEPS, 2.0)]);
    assert_eq!(pushed.outcome().unwrap().headline, "Solved in 2 steps and 2 pushes");
    file.rules.max_steps = 1;
    let mut played = Match::new(Arc::new(rules_on(file)), 1).unwrap();
    played.advance(vec![(Seat(0), PukobanStep::to(Direction::Right))]).unwrap();
    let over = played.outcome().unwrap();
    assert_eq!((over.headline.as_str(), over.places[0].score), ("Not solved within 1 step", None));
    assert!((Pukoban::TABLES.results)(&played, Seat(0)).is_empty());
}

#[test]
fn faults_say_what_and_where() {
    let all = |map: &[&str]| {
        let found = faults(&level(map));
        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert!(all(&["-$."]).contains("no player"));
    assert!(all(&["@$.", "-+-"]).contains("cell (1,1): there is more than one player"));
    assert_eq!(
        all(&["@$.@@"]),
        "cell (3,0): there is more than one player; keep one @ or + (2 such places)"
    );
    assert!(all(&["@$-"]).contains("there is no goal"));
    assert!(all(&["@$..", "--.-"]).contains("cell (3,0): there are more goals (3) than boxes (1)"));
    assert!(all(&["@*-"]).contains("solved from the start"));
    assert!(all(&["@$x"]).contains("cell (2,0): unknown character 'x'"));
    assert!(all(&["@#$.", "##--"]).contains("cell (0,0): the player cannot move"));
    assert!(all(&[&"-".repeat(65), "@$."]).contains("the maximum is 64 by 64"));
    assert!(all(&["@-.", &"$".repeat(64), &"$".repeat(64), "$$$"]).contains("131 boxes"));
    assert_eq!(all(&["@$-."]), "");
}

#[test]
fn what_cannot_be_reached_is_warned_of() {
    let file = level(&["@$-.#.", "---##$", "--.#--"]);
    assert_eq!(faults(&file).len(), 1, "two boxes, three goals");
    let file = level(&["@$-.#-", "---##$", "--.#--"]);
    let spots: Vec<Spot> = warnings(&file).iter().map(|fault| fault.spot).collect();
    assert_eq!(spots, [Spot::Cell(Cell::new(5, 1)), Spot::Whole]);
    let file = level(&["@$-.#-", "-$-##.", "--.#--", "--$#--"]);
    let spots: Vec<Spot> = warnings(&file).iter().map(|fault| fault.spot).collect();
    assert_eq!(spots, [Spot::Cell(Cell::new(5, 1))]);
    assert_eq!(warnings(&level(&["@$-."])), []);
}

/// Arrangements that the search below may know: about a second's work.
const MOST: usize = 120_000;

/// The fewest steps and the fewest box moves of every built-in level, each on its own. Those that the
/// search below does not get to were found by a bidirectional search outside this program.
const OPTIMA: &[(&str, u32, u32)] = &[
    ("pukoban/01-first-push", 4, 2),
    ("pukoban/02-first-pull", 14, 5),
    ("pukoban/03-both-at-once", 17, 7),
    ("pukoban/04-dead-end", 9, 5),
    ("pukoban/05-last-in-first-out", 28, 12),
    ("pukoban/06-round-the-block", 26, 5),
    ("pukoban/07-cupboard", 17, 4),
    ("pukoban/08-one-too-many", 26, 13),
    ("pukoban/09-spare-your-back", 31, 10),
    ("pukoban/10-no-walls", 18, 6),
    ("pukoban/11-closet", 23, 6),
    ("pukoban/12-next-door", 39, 14),
    ("pukoban/13-tight-corner", 37, 15),
    ("pukoban/14-zigzag", 41, 15),
    ("pukoban/15-two-pockets", 49, 12),
    ("pukoban/16-mine-shaft", 52, 16),
    ("pukoban/17-fork", 56, 15),
    ("pukoban/18-backyard", 51, 16),
    ("pukoban/19-postern", 71, 22),
    ("pukoban/20-cellar-stairs", 67, 24),
    ("pukoban/21-comb", 89, 18),
    ("pukoban/22-three-in-a-row", 72, 28),
    ("pukoban/23-loading-bay", 86, 29),
    ("pukoban/24-across-the-house", 83, 32),
    ("pukoban/25-sorting-office", 98, 38),
    ("pukoban/26-attic", 105, 28),
    ("pukoban/27-long-haul", 112, 37),
    ("pukoban/28-interlocked", 112, 44),
    ("pukoban/29-canal", 119, 33),
    ("pukoban/30-ring-road", 130, 25),
    ("pukoban/31-four-abreast", 122, 33),
    ("pukoban/32-deep-storage", 142, 51),
    ("pukoban/33-stacks", 187, 33),
    ("pukoban/34-switchyard", 217, 58),
    ("pukoban/35-the-long-way-round", 217, 29),
    ("pukoban/36-clockwork", 345, 67),
    ("pukoban/37-the-estate", 53, 16),
    ("pukoban/38-parade-ground", 24, 14),
    ("pukoban/39-storehouse", 72, 24),
    ("pukoban/40-winter-stock", 82, 38),
    ("pukoban/41-storehouse-with-five", 71, 27),
    ("pukoban/42-great-hall", 63, 35),
];

#[test]
fn every_built_in_level_has_its_optimum() {
    let known: Vec<&str> = OPTIMA.iter().map(|(id, ..)| *id).collect();
    let mut found: Vec<String> =
        list_with(None, Pukoban::ID).into_iter().map(|entry| entry.id).collect();
    found.sort_unstable();
    assert_eq!(found, known);
    let mut searched = 0;
    for &(id, steps, box_moves) in OPTIMA {
        let bytes = built_in(id).unwrap().bytes().unwrap();
        let mut level = read_level::<Pukoban>(&bytes, id).unwrap().into_inner();
        assert_eq!(warnings(&level), [], "{id}");
        for (objective, least) in [(Objective::Steps, steps), (Objective::BoxMoves, box_moves)] {
            level.rules.objective = objective;
            let game = rules_on(level.clone());
            if let Ok(found) = fewest(&game, MOST) {
                assert_eq!(found, Some(least), "{id} by {objective:?}");
                searched += 1;
            }
        }
    }
    assert!(searched >= 60, "{searched}");
}
