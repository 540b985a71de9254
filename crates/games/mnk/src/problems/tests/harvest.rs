//! New problems from games of the planners, printed as level files as they are found; the same seeds give the same
//! problems.

use super::*;
use crate::level::{FORMAT, MnkRules, Stone};
use crate::planners::ALL;
use crate::review::{Effort, worth};
use outwit_core::levels::write_ron;
use outwit_core::play::{Planner, PlannerContext, Progress, StopFlag, find_planner};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Games that are played.
const GAMES: u64 = 1200;

/// Positions that a planner may search for a move.
const WORK: u64 = 600;

/// The boards: columns, rows and k.
const BOARDS: [(usize, usize, u32); 5] =
    [(10, 10, 5), (12, 12, 5), (15, 15, 5), (7, 7, 4), (8, 8, 5)];

/// The goal of a problem, its plies, and whether it is by fours.
type Kind = (Goal, u32, bool);

/// How many problems of a kind are wanted, those that are built in included.
fn wanted(kind: Kind) -> usize {
    match kind {
        (Goal::Win, 3, false) => 6,
        (Goal::Win, 5 | 7, false) => 10,
        (Goal::Win, 9, false) | (Goal::Win, 11.., true) => 2,
        (Goal::Hold, 3, false) => 6,
        (Goal::Hold, 5.., _) => 3,
        _ => 0,
    }
}

/// The stones of a level wherever they lie on the board, turned and mirrored to the least of eight ways; X is whoever
/// is to move.
fn shape(level: &MnkFile) -> Vec<(i32, i32, bool)> {
    let stones = crate::level::stones(level);
    let own = level.rules.to_move;
    let ways = (0..8).map(|way| {
        let mut cells: Vec<(i32, i32, bool)> = stones
            .iter()
            .filter_map(|(cell, stone)| {
                let (x, y) = (cell.x, cell.y);
                let (x, y) = if way & 1 == 0 { (x, y) } else { (-x, y) };
                let (x, y) = if way & 2 == 0 { (x, y) } else { (x, -y) };
                let (x, y) = if way & 4 == 0 { (x, y) } else { (y, x) };
                Some((x, y, (*stone)? == own))
            })
            .collect();
        let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let top = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        cells.iter_mut().for_each(|cell| (cell.0, cell.1) = (cell.0 - left, cell.1 - top));
        cells.sort_unstable();
        cells
    });
    ways.min().unwrap_or_default()
}

/// No two built-in problems are the same position moved, turned or mirrored.
#[test]
fn no_problem_is_another_one_moved_or_turned() {
    let mut shapes = BTreeMap::new();
    for (id, level, _) in built_in_problems() {
        if let Some(other) = shapes.insert(shape(&level), id) {
            panic!("{id} is {other}");
        }
    }
}

/// Moves that stop a win by fours, as a quick look tells; with more, hardly only one holds.
const MOST_DEFENCES: usize = 6;

fn defences(board: &mut SearchBoard) -> usize {
    let empty: Vec<usize> =
        (0..board.geometry().cells()).filter(|&at| board.is_empty(at)).collect();
    let mut holds = |at: usize| {
        board.play(at);
        let wins = FourSearch::default().wins(board, 14, 2_000);
        board.undo();
        !wins
    };
    empty.into_iter().filter(|&at| holds(at)).take(MOST_DEFENCES + 1).count()
}

/// The position as a problem, if it is of a wanted kind and exactly one move solves it.
fn problem(
    game: &Arc<Mnk>,
    state: &MnkState,
    is_wanted: &impl Fn(Kind) -> bool,
) -> Option<(Kind, MnkFile)> {
    let mut board = SearchBoard::of(game, state);
    let own = board.to_move();
    let at_once = |side| board.winning_cells(side).0.is_some();
    if at_once(own) || at_once(1 - own) {
        return None;
    }
    let passed = MnkState { to_move: state.to_move.other(), ..state.clone() };
    let mut other = SearchBoard::of(game, &passed);
    let seems_won = |board: &mut SearchBoard, own: usize| {
        FourSearch::default().wins(board, 14, 4_000)
            || matches!(bounded(board, own, 7).run(&Clock::work(20_000)), Some(Proof::Win(_)))
    };
    if !seems_won(&mut board, own)
        && (!seems_won(&mut other, 1 - own) || defences(&mut board) > MOST_DEFENCES)
    {
        return None;
    }
    let found = Problem::find(game, state, &Clock::work(4_000_000))
        .filter(|found| is_wanted((found.goal, found.plies, found.by_fours)))?;
    let mut keys = 0;
    for at in (0..state.stones.len()).filter(|&at| state.stones[at].is_none()) {
        match found.judge(game, state, (0, game.cell_at(at)), &Clock::work(300_000)) {
            Judgement::Solves => keys += 1,
            Judgement::Fails => {}
            Judgement::Unknown => return None,
        }
        if keys > 1 {
            return None;
        }
    }
    let moves = found.plies.div_ceil(2);
    let by = if found.by_fours { " by fours" } else { "" };
    let [own, other] = [state.to_move, state.to_move.other()].map(Stone::to_char);
    let about = match found.goal {
        Goal::Win => format!("{own} to move and win{by} in {moves} moves."),
        Goal::Hold => format!("{own} to move. {other} threatens to win{by} in {moves} moves."),
    };
    let mut level = MnkFile {
        format: FORMAT.into(),
        name: "Problem".into(),
        author: "Outwit".into(),
        about,
        rules: MnkRules { k: game.k(), to_move: state.to_move, ..MnkRules::default() },
        map: Vec::new(),
    };
    let stones = outwit_core::grid::Grid::from_fn(game.width(), game.height(), |cell| {
        game.stone(state, cell).map_or('.', Stone::to_char)
    });
    level.set_cells(&stones);
    let is_right = match found.goal {
        Goal::Win => Check::of(&level).attacker_wins(found.plies),
        // A move that only puts off the end is no answer.
        Goal::Hold => {
            board.play(game.index_of(found.line[0])?);
            let effort = Effort { proof: 100_000, search: 300_000 };
            let after = worth(&board, effort, &StopFlag::default());
            !after.is_proved && (0.3..0.8).contains(&after.points())
        }
    };
    let kind = (found.goal, found.plies, found.by_fours);
    (keys == 1 && is_right).then_some((kind, level))
}

#[test]
#[ignore = "searches for minutes, and prints what it finds"]
fn problems_from_games_of_the_planners() {
    let mut known: BTreeSet<_> =
        built_in_problems().iter().map(|(_, level, _)| shape(level)).collect();
    let mut found: Vec<Kind> = built_in_problems()
        .iter()
        .map(|(_, level, plies)| {
            let goal = if level.about.contains("threat") { Goal::Hold } else { Goal::Win };
            (goal, *plies, level.about.contains("by fours"))
        })
        .collect();
    for seed in 0..GAMES {
        let is_wanted = |kind| found.iter().filter(|&&other| other == kind).count() < wanted(kind);
        let Some((kind, level)) = problem_in_game(seed, &known, is_wanted) else { continue };
        known.insert(shape(&level));
        found.push(kind);
        println!("=== game {seed}, {kind:?}\n{}", write_ron(&level));
    }
}

/// The first problem of a wanted kind in a game between two planners.
fn problem_in_game(
    seed: u64,
    known: &BTreeSet<Vec<(i32, i32, bool)>>,
    is_wanted: impl Fn(Kind) -> bool,
) -> Option<(Kind, MnkFile)> {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let (width, height, k) = BOARDS[(seed % 5) as usize];
    let game = game(&level_of(&vec![&*".".repeat(width); height], rules_of(k)));
    let pairs =
        [["novice", "casual"], ["casual", "club"], ["club", "expert"], ["expert", "expert"]];
    let names = pairs[dice.random_range(0..pairs.len())];
    let seats = [crate::CROSSES, crate::NOUGHTS];
    let mut planners: Vec<Box<dyn Planner<Mnk>>> = names
        .into_iter()
        .zip(seats)
        .map(|(name, seat)| {
            let context = PlannerContext { game: Arc::clone(&game), seat, seed };
            (find_planner(ALL, name, seat).unwrap().make)(context)
        })
        .collect();
    let near = |at: i32, side: usize| (at - side as i32 / 2).unsigned_abs() as usize <= side / 4;
    let mut state = game.opening();
    while let Some(seat) = state.mover() {
        let stones = state.stones.len() - state.empty as usize;
        if stones >= 7
            && let Some(found) = problem(&game, &state, &is_wanted)
            && !known.contains(&shape(&found.1))
        {
            return Some(found);
        }
        let action = if stones < 4 {
            let empty: Vec<Cell> = (0..state.stones.len())
                .filter(|&at| state.stones[at].is_none())
                .map(|at| game.cell_at(at))
                .filter(|cell| near(cell.x, width) && near(cell.y, height))
                .collect();
            MnkAction::Place(empty[dice.random_range(0..empty.len())])
        } else {
            let planner = &mut planners[seat.index()];
            planner.observe(&state);
            let clock = Clock::work(WORK);
            while planner.think(&clock) == Progress::More && !clock.is_over() {}
            planner.best()
        };
        game.advance(&mut state, &[(seat, action)], &Chance::new(0), &mut Vec::new());
    }
    None
}
