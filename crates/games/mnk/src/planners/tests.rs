//! Planners: they keep what a position is worth, and the weaker ones are weaker.

use super::*;
use crate::search::tests::Exhaustive;
use crate::tests::{game, level_of, rules_of, shipped};
use crate::{CROSSES, MnkAction, MnkFile, MnkState, NOUGHTS, Stone};
use outwit_core::play::{
    Budget, Clock, MatchSetup, Planner, PlannerContext, Progress, Referee, Seat, Thinking, Value,
    find_planner,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

fn made(game: &Arc<Mnk>, name: &str, seat: Seat, seed: u64) -> Box<dyn Planner<Mnk>> {
    let spec = find_planner(ALL, name, seat).unwrap();
    (spec.make)(PlannerContext { game: Arc::clone(game), seat, seed })
}

/// What a planner plays on a level after these moves.
fn answer(level: &MnkFile, name: &str, moves: &str, work: u64) -> (MnkAction, Option<Value>) {
    let game = game(level);
    let mut state = game.opening();
    for action in crate::notation::read(&game, &state, moves).unwrap() {
        game.take(&mut state, action, &mut Vec::new());
    }
    let mut planner = made(&game, name, state.mover().unwrap(), 1);
    planner.observe(&state);
    let clock = Clock::work(work);
    while planner.think(&clock) == Progress::More && !clock.is_over() {}
    (planner.best(), planner.line().value)
}

fn score_of(level: &MnkFile, players: [&str; 2], work: u64, seed: u64) -> f64 {
    let setup = MatchSetup::new(&players.map(Into::into), Budget::Work(work), seed);
    let game = game(level);
    let mut referee = Referee::new(game, ALL, setup.thinking(Thinking::Inline)).unwrap();
    referee.run(10_000);
    referee.played().outcome().unwrap().places[0].score.unwrap()
}

#[test]
fn the_depth_of_the_original_depends_on_the_empty_cells() {
    for (name, plies) in
        [("4x4x4", 6.0), ("5x5x5", 5.0), ("6x6x6", 4.0), ("7x7x7", 3.0), ("10x10x5", 1.0)]
    {
        let game = game(&shipped(name));
        let mut planner = made(&game, "classic", CROSSES, 1);
        planner.observe(&game.opening());
        let depth = planner.insight().counters[0].value;
        assert_eq!(depth, plies, "{name}");
    }
}

#[test]
fn classic_wins_at_once_and_stops_a_win() {
    let level = shipped("3x3x3");
    let name = |action| crate::notation::action_name(action, 3);
    assert_eq!(name(answer(&level, "classic", "a1 b2 a2 c3", u64::MAX).0), "a3");
    assert_eq!(name(answer(&level, "classic", "a1 c3 a2", u64::MAX).0), "a3");
    assert_eq!(name(answer(&level, "best", "a1 b2 a2 c3", u64::MAX).0), "a3");
    assert_eq!(name(answer(&level, "best", "a1 c3 a2", u64::MAX).0), "a3");
}

/// Where the other side could win next, its cell is the only move listed, and the own win is another.
#[test]
fn a_win_at_once_comes_before_a_defence() {
    let game = game(&shipped("3x3x3"));
    let mut state = game.opening();
    for action in crate::notation::read(&game, &state, "a1 c1 a2 c2").unwrap() {
        game.take(&mut state, action, &mut Vec::new());
    }
    let wins = |name: &str| {
        let win = |&seed: &u64| {
            let mut planner = made(&game, name, CROSSES, seed);
            planner.observe(&state);
            while planner.think(&Clock::unlimited()) == Progress::More {}
            planner.best() == MnkAction::Place(outwit_core::grid::Cell::new(0, 0))
        };
        (0..100).filter(win).count()
    };
    assert_eq!((wins("expert"), wins("best")), (100, 100));
    assert!(wins("club") >= 90 && (wins("novice") >= 50) && wins("novice") < 90);
}

#[test]
fn planners_that_overlook_cells_say_so() {
    let strengths = [
        ("beginner", searcher::BEGINNER),
        ("novice", searcher::NOVICE),
        ("casual", searcher::CASUAL),
        ("club", searcher::CLUB),
        ("expert", searcher::EXPERT),
        ("best", BEST),
    ];
    for (name, strength) in strengths {
        let spec = find_planner(ALL, name, CROSSES).unwrap();
        assert_eq!(spec.method == OVERSIGHTS, strength.far_oversight > 0.0, "{name}");
    }
}

#[test]
fn best_draws_tic_tac_toe_and_wins_where_the_first_player_can() {
    let tic = shipped("3x3x3");
    assert_eq!(score_of(&tic, ["best", "best"], 5_000, 1), 0.5);
    for (name, work) in [("4x3x3", 5_000), ("4x4x3", 5_000), ("6x6x4", 30_000), ("7x7x4", 30_000)] {
        let level = shipped(name);
        assert_eq!(score_of(&level, ["best", "classic"], work, 1), 1.0, "{name}");
    }
}

#[test]
fn an_opening_with_swap_is_played_to_its_end() {
    let mut level = shipped("7x7x5");
    for opening in [crate::Opening::Swap, crate::Opening::Swap2] {
        level.rules.opening = opening;
        for spec in ALL {
            let score = score_of(&level, [spec.name, spec.name], 300, 3);
            assert!([0.0, 0.5, 1.0].contains(&score));
        }
    }
}

/// What `best` answers to this position within so much work, thought in slices of another size.
fn choice(game: &Arc<Mnk>, state: &MnkState, seed: u64, work: u64, slice: u64) -> MnkAction {
    let mut planner = made(game, "best", state.mover().unwrap(), seed);
    planner.observe(state);
    let clock = Clock::work(work);
    clock.slice_of_work(slice);
    while planner.think(&clock) == Progress::More && !clock.is_over() {
        clock.slice_of_work(slice);
    }
    let action = planner.best();
    assert!(game.check(state, action).is_ok(), "{action:?}");
    action
}

#[test]
fn swap2_openings_are_even_and_all_answers_are_used() {
    let game = game(&shipped("gomoku-swap2"));
    let (mut swaps, mut keeps, mut leaves) = (0, 0, 0);
    for seed in 0..32 {
        let mut state = game.opening();
        let mut planner = made(&game, "best", CROSSES, seed);
        planner.observe(&state);
        let clock = Clock::work(40_000);
        while planner.think(&clock) == Progress::More && !clock.is_over() {}
        let first = choice(&game, &state, seed, 40_000, 777);
        assert_eq!(planner.best(), first, "slices change nothing");
        for _ in 0..3 {
            planner.observe(&state);
            // The stones were chosen together.
            assert_eq!(planner.think(&Clock::work(0)) == Progress::Done, state.empty < 225);
            let stone = planner.best();
            game.check(&state, stone).unwrap();
            game.take(&mut state, stone, &mut Vec::new());
        }
        match choice(&game, &state, seed, 20_000, u64::MAX) {
            MnkAction::Swap => swaps += 1,
            MnkAction::TwoMore => {
                leaves += 1;
                game.take(&mut state, MnkAction::TwoMore, &mut Vec::new());
                for _ in 0..2 {
                    let stone = choice(&game, &state, seed, 3_000, u64::MAX);
                    game.take(&mut state, stone, &mut Vec::new());
                }
                let last = choice(&game, &state, seed, 3_000, u64::MAX);
                assert!(matches!(last, MnkAction::Keep | MnkAction::Swap), "{last:?}");
            }
            _ => keeps += 1,
        }
    }
    assert!(swaps > 0 && keeps > 0 && leaves > 0, "{swaps} {keeps} {leaves}");
}

/// The expected result for whoever moves, by depth, as a search shows it.
fn values_by_depth(level: &MnkFile, moves: &str, work: u64) -> Vec<f64> {
    let game = game(level);
    let mut state = game.opening();
    for action in crate::notation::read(&game, &state, moves).unwrap() {
        game.take(&mut state, action, &mut Vec::new());
    }
    let mut planner = made(&game, "best", state.mover().unwrap(), 1);
    planner.observe(&state);
    let clock = Clock::work(work);
    while planner.think(&clock) == Progress::More && !clock.is_over() {}
    planner.insight().series[0].points.iter().map(|point| point[1]).collect()
}

/// Odd depths gave 0.77 on the empty board, even ones 0.39.
#[test]
fn values_do_not_swing_between_odd_and_even_depths() {
    for (name, moves) in [
        ("gomoku", ""),
        ("gomoku", "h8"),
        ("gomoku", "h8 g7 i7 g9"),
        ("10x10x5", ""),
        ("7x7x5", "d4"),
    ] {
        let values = values_by_depth(&shipped(name), moves, 20_000);
        assert!(values.len() >= 4, "{name} {moves}: {values:?}");
        // The first two depths see next to nothing.
        for pair in values[2..].windows(2) {
            assert!((pair[0] - pair[1]).abs() < 0.1, "{name} {moves}: {values:?}");
        }
    }
}

#[test]
fn proved_values_are_what_they_are() {
    let (_, draw) = answer(&shipped("3x3x3"), "best", "b2 a1", 1_000_000);
    assert_eq!(draw, Some(Value::Draw));
    let (_, win) = answer(&shipped("3x3x3"), "best", "b2 b1", 1_000_000);
    assert!(matches!(win, Some(Value::Win(Some(_)))), "{win:?}");
}

#[test]
fn the_weakest_planners_are_listed_first() {
    let level = shipped("gomoku");
    let names: Vec<&str> = ALL.iter().map(|spec| spec.name).collect();
    let next = names.windows(2).take(4).map(|pair| (pair[0], pair[1]));
    for (weak, strong) in next.chain([("casual", "best")]) {
        let points: f64 = (0..3)
            .map(|seed| {
                score_of(&level, [strong, weak], 10_000, seed)
                    + (1.0 - score_of(&level, [weak, strong], 10_000, seed))
            })
            .sum();
        assert!(points >= 4.0, "{strong} has {points} of 6 against {weak}");
    }
}

#[test]
fn best_finds_the_long_wins_of_the_problems() {
    for name in ["problem-25", "problem-29", "problem-27", "problem-31", "problem-23"] {
        let (_, value) = answer(&shipped(name), "best", "", 200_000);
        assert!(matches!(value, Some(Value::Win(_))), "{name}: {value:?}");
    }
}

/// Small boards: columns, rows, k, and the stones that are placed at random first.
const SMALL: &[(usize, usize, u32, usize)] =
    &[(3, 3, 3, 0), (3, 4, 3, 2), (4, 4, 3, 6), (4, 4, 4, 6)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn best_never_gives_away_a_small_board(
        which in 0..SMALL.len(), mut seed: u64, more in 0..6_usize,
    ) {
        let (width, height, k, least) = SMALL[which];
        let row = ".".repeat(width);
        let game = game(&level_of(&vec![row.as_str(); height], rules_of(k)));
        let mut state = game.opening();
        let mut plain = Exhaustive::new(width, height, k as usize, false);
        for _ in 0..least + more {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mut next = state.clone();
            let at = (seed >> 33) as usize % state.stones.len();
            let action = MnkAction::Place(game.cell_at(at));
            if game.check(&state, action).is_ok() {
                game.take(&mut next, action, &mut Vec::new());
                if next.mover().is_some() {
                    state = next;
                }
            }
        }
        let cells = |state: &MnkState| -> Vec<u8> {
            state.stones.iter().map(|stone| stone.map_or(2, |stone| stone.index() as u8)).collect()
        };
        let own = state.to_move.index() as u8;
        let before = plain.value(&mut cells(&state), own).0;
        let mut planner = made(&game, "best", state.holder(state.to_move), seed);
        planner.observe(&state);
        let clock = Clock::work(100_000);
        while planner.think(&clock) == Progress::More && !clock.is_over() {}
        game.take(&mut state, planner.best(), &mut Vec::new());
        let after = match state.winner() {
            Some(_) => 1,
            None => -plain.value(&mut cells(&state), 1 - own).0,
        };
        prop_assert_eq!(after, before);
    }
}

#[test]
fn a_large_board_is_searched_near_its_stones() {
    let game = game(&shipped("70x70x10"));
    let mut state = game.opening();
    for text in ["ai35", "aj36", "ak34"] {
        let actions = crate::notation::read(&game, &state, text).unwrap();
        game.take(&mut state, actions[0], &mut Vec::new());
    }
    let mut planner = made(&game, "best", NOUGHTS, 1);
    planner.observe(&state);
    let clock = Clock::work(20_000);
    while planner.think(&clock) == Progress::More && !clock.is_over() {}
    let counter = |name: &str| {
        let insight = planner.insight();
        insight.counters.iter().find(|counter| counter.name == name).unwrap().value
    };
    assert!(counter("depth") >= 3.0, "{}", counter("depth"));
    let MnkAction::Place(cell) = planner.best() else { panic!("no stone") };
    assert!((28..42).contains(&cell.x) && (28..42).contains(&cell.y), "{cell}");
    assert_eq!(game.stone(&state, outwit_core::grid::Cell::new(34, 35)), Some(Stone::X));
    assert_eq!(state.holder(Stone::X), CROSSES);
}

/// The points of the first of two players from games on a gomoku board that begin with two random stones, one for each
/// seed and side. An empty name stands for random moves.
fn points(players: [&str; 2], seeds: u64) -> f64 {
    let level = shipped("gomoku");
    let game = game(&level);
    let play = |players: [&str; 2], seed: u64| -> f64 {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut seated = [(CROSSES, players[0]), (NOUGHTS, players[1])].map(|(seat, name)| {
            (!name.is_empty()).then(|| made(&game, name, seat, 2 * seed + seat.0 as u64))
        });
        let mut state = game.opening();
        while let Some(seat) = state.mover() {
            let action = match &mut seated[seat.index()] {
                Some(planner) if state.empty < 224 => {
                    planner.observe(&state);
                    let clock = Clock::work(5_000);
                    while planner.think(&clock) == Progress::More && !clock.is_over() {}
                    planner.best()
                }
                _ => {
                    let side = if state.empty < 224 { 0..15 } else { 4..11 };
                    let mut at = || dice.random_range(side.clone());
                    MnkAction::Place(outwit_core::grid::Cell::new(at(), at()))
                }
            };
            if game.check(&state, action).is_ok() {
                game.take(&mut state, action, &mut Vec::new());
            }
        }
        state.winner().map_or(0.5, |stone| f64::from(stone == Stone::X))
    };
    let [own, other] = players;
    (0..seeds).map(|seed| play([own, other], seed) + 1.0 - play([other, own], seed)).sum()
}

#[test]
fn a_beginner_loses_to_a_novice_and_beats_chance() {
    let against_novice = points(["beginner", "novice"], 100);
    assert!((2.0..=40.0).contains(&against_novice), "{against_novice} of 200");
    let against_classic = points(["beginner", "classic"], 20);
    assert!(against_classic >= 28.0, "{against_classic} of 40");
    let against_chance = points(["beginner", ""], 20);
    assert!(against_chance >= 38.0, "{against_chance} of 40");
}

#[test]
fn a_beginner_completes_its_row_mostly_and_stops_yours_where_it_must() {
    let game = game(&shipped("gomoku"));
    let plays = |moves: &str, wanted: &[&str]| {
        let mut state = game.opening();
        for action in crate::notation::read(&game, &state, moves).unwrap() {
            game.take(&mut state, action, &mut Vec::new());
        }
        let hits = |&seed: &u64| {
            let mut planner = made(&game, "beginner", state.mover().unwrap(), seed);
            planner.observe(&state);
            while planner.think(&Clock::unlimited()) == Progress::More {}
            wanted.contains(&&*crate::notation::action_name(planner.best(), 15))
        };
        (0..100).filter(hits).count()
    };
    let completed = plays("h8 a1 h9 c1 h10 e1 h11 g1", &["h7", "h12"]);
    assert!((75..100).contains(&completed), "{completed}");
    assert_eq!(plays("h8 h7 h9 c1 h10 e1 h11", &["h12"]), 100);
    let open_three = plays("h8 a1 h9 c1 h10", &["h7", "h11", "h6", "h12"]);
    assert!(open_three < 50, "{open_three}");
}

/// The plies within which the other side wins after a move, at most 98.
fn holds_out(game: &Mnk, state: &MnkState, action: MnkAction) -> u8 {
    use crate::search::proof::{Proof, ProofSearch};
    let mut after = state.clone();
    game.take(&mut after, action, &mut Vec::new());
    let board = crate::search::SearchBoard::of(game, &after);
    let attacker = board.to_move();
    let mut proof = ProofSearch::new(board, attacker, 13, 16).without_deeper();
    match proof.run(&Clock::work(200_000)) {
        Some(Proof::Win(plies)) => plies,
        _ => 98,
    }
}

/// All moves lose there, and the one that the search chooses loses sooner than it has found.
#[test]
fn a_lost_position_is_held_as_long_as_can_be() {
    for (k, seed, stones) in LOST {
        let level = level_of(&[".".repeat(15).as_str(); 15], rules_of(*k));
        let (game, state) = lost_position(&level, *seed, *stones);
        let mut search = crate::search::pvs::MnkSearch::new(
            crate::search::SearchBoard::of(&game, &state),
            BEST.options,
        );
        search.run(&Clock::work(20_000));
        assert!(search.is_done() && search.value() <= -crate::search::FORCED);
        let place = |cell: u16| MnkAction::Place(game.cell_at(usize::from(cell)));
        let most =
            search.root_moves().iter().map(|it| holds_out(&game, &state, place(it.cell))).max();
        let mut planner = made(&game, "best", state.mover().unwrap(), 1);
        planner.observe(&state);
        let clock = Clock::work(300_000);
        clock.slice_of_work(77);
        while planner.think(&clock) == Progress::More && !clock.is_over() {
            clock.slice_of_work(77);
        }
        assert_eq!(Some(holds_out(&game, &state, planner.best())), most, "{k} {seed} {stones}");
        assert_eq!(planner.line().actions[0], planner.best());
        assert_ne!(planner.best(), place(search.best()), "{k} {seed} {stones}");
    }
}

/// By k, seed and number of stones, positions in which [`best`](BEST) played a move that loses sooner than another.
const LOST: &[(u32, u64, usize)] = &[(4, 52, 7), (5, 20, 23), (5, 23, 11)];

/// A position of a game that the search plays against itself, after four random stones.
fn lost_position(level: &MnkFile, seed: u64, stones: usize) -> (Arc<Mnk>, MnkState) {
    let game = game(level);
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.opening();
    while state.stones.len() - (state.empty as usize) < stones {
        let action = if state.stones.len() - (state.empty as usize) < 4 {
            let mut at = || dice.random_range(5..10);
            MnkAction::Place(outwit_core::grid::Cell::new(at(), at()))
        } else {
            let board = crate::search::SearchBoard::of(&game, &state);
            let mut search = crate::search::pvs::MnkSearch::new(board, BEST.options);
            search.run(&Clock::work(20_000));
            MnkAction::Place(game.cell_at(usize::from(search.best())))
        };
        if game.check(&state, action).is_ok() {
            game.take(&mut state, action, &mut Vec::new());
        }
    }
    (game, state)
}
