//! Every rule on a hand-made position, and what must hold in any game.

use super::board::{Gate, Heading, Position, Wall};
use super::level::{CopsFile, CopsRules, FORMAT, faults};
use super::rules::{
    COPS, Cops, CopsEvent, Orders, Piece, Pursuit, PursuitStatus, STEPS, Step, THIEF,
};
use outwit_core::grid::Cell;
use outwit_core::levels::write_ron;
use outwit_core::play::{Chance, CheckedLevel, Game, Match, digest};
use proptest::prelude::*;
use std::sync::Arc;

fn c(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

/// An open board of `side` where nothing moves by itself.
pub(super) fn still(side: u32, cops: u32) -> CopsRules {
    CopsRules {
        size: Some(side),
        cops,
        gates: 0,
        walls: 0,
        p_gate_turn: 0.0,
        p_gate_move: 0.0,
        p_wall_turn: 0.0,
        p_wall_move: 0.0,
        k: 1,
        ticks: 50,
        ..CopsRules::default()
    }
}

pub(super) fn file(rules: CopsRules, map: &[&str]) -> CopsFile {
    CopsFile {
        format: FORMAT.into(),
        name: "test".into(),
        author: String::new(),
        about: String::new(),
        rules,
        map: map.iter().map(|&row| row.to_owned()).collect(),
    }
}

pub(super) fn checked(level: CopsFile) -> CheckedLevel<Cops> {
    CheckedLevel::new(level).unwrap()
}

pub(super) fn game(rules: CopsRules) -> Cops {
    Cops::new(&checked(file(rules, &["....."])), 2).unwrap()
}

pub(super) fn chance() -> Chance {
    Chance::new(7)
}

fn position(thief: Cell, cops: &[Cell]) -> Position {
    Position { tick: 0, thief, cops: cops.to_vec(), walls: vec![], gates: vec![] }
}

/// Plays one tick from a position that stands as it is.
fn tick(rules: CopsRules, at: Position, thief: Step, cops: &[Step]) -> (Pursuit, Vec<CopsEvent>) {
    let game = game(rules);
    let mut pursuit = Pursuit { position: at, plans: vec![], standing: PursuitStatus::Running };
    let orders = [
        (THIEF, Orders(vec![vec![thief]])),
        (COPS, Orders(cops.iter().map(|&step| vec![step]).collect())),
    ];
    let mut events = Vec::new();
    game.tick(&mut pursuit, &orders, &chance(), &mut |event| events.push(event));
    (pursuit, events)
}

/// Lets walls and gates move once with draws that make everything that can happen happen.
fn drift(rules: CopsRules, mut at: Position) -> Position {
    game(rules).board().drift(&mut at, || 0, || 0, |_| {});
    at
}

fn moving() -> CopsRules {
    CopsRules { p_wall_move: 1.0, p_gate_move: 1.0, wall_length: 4, ..still(6, 1) }
}

fn lying(x: i32, y: i32, heading: Heading) -> Wall {
    Wall { cell: c(x, y), standing: false, heading }
}

#[test]
fn a_gate_goes_round_a_corner() {
    let rules = CopsRules { gates: 1, walls: 0, ..moving() };
    let mut at = position(c(3, 3), &[c(5, 5)]);
    at.gates = vec![Gate { place: 5, clockwise: true }];
    let game = game(rules.clone());
    let cells = |p: &Position| game.board().gate_cells(p.gates[0]).collect::<Vec<_>>();
    assert_eq!(cells(&at), [c(5, 0), c(6, 0)]);
    let at = drift(rules.clone(), at);
    assert_eq!(cells(&at), [c(6, 0), c(7, 0)]);
    let at = drift(rules.clone(), at);
    assert_eq!(cells(&at), [c(7, 0), c(7, 1)]);
    // At the corner only one cell of it can be used.
    let front = |cell: Cell| game.board().ring().front(game.board().ring().place(cell).unwrap());
    assert_eq!((front(c(7, 0)), front(c(7, 1))), (None, Some(c(6, 1))));
    let mut back = position(c(3, 3), &[c(5, 5)]);
    back.gates = vec![Gate { place: 0, clockwise: false }];
    assert_eq!(cells(&drift(rules, back)), [c(0, 1), c(0, 0)]);
}

#[test]
fn a_gate_turns_before_it_moves_and_gates_may_overlap() {
    let rules = CopsRules { gates: 2, p_gate_turn: 1.0, ..moving() };
    let mut at = position(c(3, 3), &[c(5, 5)]);
    at.gates = vec![Gate { place: 5, clockwise: true }, Gate { place: 3, clockwise: false }];
    let at = drift(rules, at);
    assert_eq!(at.gates[0], Gate { place: 4, clockwise: false });
    assert_eq!(at.gates[1], Gate { place: 4, clockwise: true });
}

#[test]
fn a_wall_reverses_at_the_edge_and_stays_this_tick() {
    let rules = CopsRules { walls: 1, ..moving() };
    let mut at = position(c(3, 3), &[c(5, 5)]);
    at.walls = vec![lying(3, 1, Heading::Right)];
    let at = drift(rules.clone(), at);
    assert_eq!(at.walls, [lying(3, 1, Heading::Left)]);
    assert_eq!(drift(rules, at).walls, [lying(2, 1, Heading::Left)]);
}

#[test]
fn a_wall_turns_to_one_of_the_other_directions() {
    let rules = CopsRules { walls: 1, p_wall_turn: 1.0, p_wall_move: 0.0, ..moving() };
    let game = game(rules);
    let turned = |draw: u32| {
        let mut at = position(c(3, 3), &[c(5, 5)]);
        at.walls = vec![lying(1, 1, Heading::Right)];
        game.board().drift(&mut at, || 0, || draw, |_| {});
        at.walls[0].heading
    };
    assert_eq!(turned(0), Heading::Down);
    assert_eq!(turned(1 << 31), Heading::Left);
    assert_eq!(turned(u32::MAX), Heading::Up);
}

#[test]
fn a_wall_does_not_move_onto_a_player() {
    let rules = CopsRules { walls: 1, ..moving() };
    for (thief, cop) in [(c(5, 2), c(6, 6)), (c(6, 6), c(5, 2))] {
        let mut at = position(thief, &[cop]);
        at.walls = vec![lying(1, 2, Heading::Right)];
        let at = drift(rules.clone(), at);
        assert_eq!(at.walls, [lying(1, 2, Heading::Right)], "dropped, its direction kept");
    }
}

#[test]
fn walls_pass_through_each_other() {
    let rules = CopsRules { walls: 2, ..moving() };
    let mut at = position(c(6, 6), &[c(5, 6)]);
    let upright = Wall { cell: c(3, 1), standing: true, heading: Heading::Left };
    at.walls = vec![lying(1, 2, Heading::Down), upright];
    let at = drift(rules, at);
    assert_eq!(at.walls[0], lying(1, 3, Heading::Down));
    assert_eq!(at.walls[1].cell, c(2, 1));
}

#[test]
fn walls_stop_players_and_so_do_edge_and_blocks() {
    let rules = CopsRules { walls: 1, wall_length: 4, ..still(6, 1) };
    let mut at = position(c(2, 3), &[c(1, 1)]);
    at.walls = vec![lying(1, 2, Heading::Right)];
    let (after, events) = tick(rules, at, Step::Up, &[Step::Left]);
    assert_eq!((after.position.thief, after.position.cops[0]), (c(2, 3), c(1, 1)));
    let bumps = events.iter().filter(|event| matches!(event, CopsEvent::Bumped { .. })).count();
    assert_eq!(bumps, 2);

    let map = ["=====", "=T#.=", "=...=", "=..C=", "====="];
    let rules = CopsRules { size: None, ..still(3, 1) };
    let level = file(rules, &map);
    assert_eq!(faults(&level), []);
    let mut played = Match::new(Arc::new(Cops::new(&checked(level), 2).unwrap()), 1).unwrap();
    let orders = |step| Orders(vec![vec![step]]);
    played.advance(vec![(THIEF, orders(Step::Right)), (COPS, orders(Step::Stay))]).unwrap();
    assert_eq!(played.state().position.thief, c(1, 1));
}

fn gated(thief: Cell, cop: Cell) -> (CopsRules, Position) {
    let mut at = position(thief, &[cop]);
    at.gates = vec![Gate { place: 3, clockwise: true }];
    (CopsRules { gates: 1, ..still(6, 1) }, at)
}

#[test]
fn only_the_thief_goes_through_a_gate() {
    let (rules, at) = gated(c(3, 1), c(4, 1));
    let (after, events) = tick(rules, at, Step::Up, &[Step::Up]);
    assert_eq!(after.position.cops[0], c(4, 1), "a cop never stands in a gate");
    assert_eq!(after.position.thief, c(3, 0));
    assert_eq!(after.standing, PursuitStatus::Escaped(0));
    assert!(events.contains(&CopsEvent::Escaped { at: c(3, 0) }));
    let (rules, at) = gated(c(2, 1), c(6, 6));
    let (after, _) = tick(rules, at, Step::Up, &[Step::Stay]);
    assert_eq!(after.position.thief, c(2, 1), "the border beside a gate is closed");
}

#[test]
fn capture_comes_before_escape() {
    let (rules, at) = gated(c(3, 1), c(4, 1));
    let rules = CopsRules { capture_adjacent: true, ..rules };
    let (after, _) = tick(rules, at, Step::Up, &[Step::Left]);
    assert_eq!(after.standing, PursuitStatus::Caught(0), "the cop stands before the gate cell");
}

#[test]
fn capture_needs_the_same_cell_unless_neighbours_count() {
    let at = || position(c(2, 2), &[c(4, 2)]);
    let (after, _) = tick(still(6, 1), at(), Step::Right, &[Step::Left]);
    assert_eq!(after.standing, PursuitStatus::Caught(0));
    let (after, events) = tick(still(6, 1), at(), Step::Stay, &[Step::Left]);
    assert_eq!(after.standing, PursuitStatus::Running);
    assert!(events.contains(&CopsEvent::NearMiss { cop: 0, at: c(2, 2) }));
    let adjacent = CopsRules { capture_adjacent: true, ..still(6, 1) };
    let (after, _) = tick(adjacent, at(), Step::Stay, &[Step::Left]);
    assert_eq!(after.standing, PursuitStatus::Caught(0));
}

#[test]
fn swapping_cells_captures_only_by_rule() {
    let at = || position(c(2, 2), &[c(3, 2)]);
    let (after, _) = tick(still(6, 1), at(), Step::Right, &[Step::Left]);
    assert_eq!(after.standing, PursuitStatus::Running);
    let swap = CopsRules { capture_swap: true, ..still(6, 1) };
    let (after, _) = tick(swap, at(), Step::Right, &[Step::Left]);
    assert_eq!(after.standing, PursuitStatus::Caught(0));
}

#[test]
fn cops_may_share_a_cell() {
    let at = position(c(6, 6), &[c(1, 2), c(3, 2)]);
    let (after, _) = tick(still(6, 2), at, Step::Stay, &[Step::Right, Step::Left]);
    assert_eq!(after.position.cops, [c(2, 2), c(2, 2)]);
}

#[test]
fn every_end_pays_as_the_rules_say() {
    assert_eq!(PursuitStatus::Running.payoff(200), None);
    assert_eq!(PursuitStatus::Caught(0).payoff(200), Some(0.0));
    assert_eq!(PursuitStatus::Caught(17).payoff(200), Some(17.0));
    assert_eq!(PursuitStatus::Survived.payoff(200), Some(200.0));
    assert_eq!(PursuitStatus::Escaped(0).payoff(200), Some(399.0));
    assert_eq!(PursuitStatus::Escaped(199).payoff(200), Some(200.0));
    let mut at = position(c(1, 1), &[c(6, 6)]);
    at.tick = 49;
    let (after, _) = tick(still(6, 1), at, Step::Stay, &[Step::Stay]);
    let outcome = game(still(6, 1)).outcome(&after).unwrap();
    assert_eq!((outcome.places[0].score, outcome.places[1].score), (Some(50.0), Some(-50.0)));
    assert_eq!((outcome.places[0].rank, outcome.places[1].rank), (1, 2));
}

#[test]
fn plans_are_due_every_k_ticks_and_run_by_themselves() {
    let rules = CopsRules { k: 3, ticks: 7, ..still(6, 1) };
    let mut played = Match::new(Arc::new(game(rules)), 7).unwrap();
    let mut due = Vec::new();
    while played.outcome().is_none() {
        let state = played.state().clone();
        let asked = played.to_move();
        let orders = |seat| played.game().null_action(&state, seat);
        if !asked.is_empty() {
            due.push(state.position.tick);
        }
        let actions = asked.iter().map(|&seat| (seat, orders(seat))).collect();
        played.advance(actions).unwrap();
    }
    assert_eq!(due, [0, 3, 6]);
    assert_eq!(played.len(), 7);
    assert_eq!(played.state().standing, PursuitStatus::Survived);
}

#[test]
fn whoever_plans_sees_walls_that_have_moved_but_no_plans() {
    let game = Arc::new(game(CopsRules { size: Some(20), ..CopsRules::default() }));
    let mut played = Match::new(Arc::clone(&game), 7).unwrap();
    let opening = game.opening(&chance()).unwrap();
    assert_ne!(played.state().position.walls, opening.walls, "walls move in tick 0 too");
    for _ in 0..5 {
        let state = played.state().clone();
        let asked = played.to_move();
        let actions = asked.iter().map(|&s| (s, game.null_action(&state, s))).collect();
        if played.advance(actions).is_err() || played.outcome().is_some() {
            return;
        }
    }
    let view = game.observe(&played.states()[..5], played.state(), THIEF);
    assert_eq!(view.now, played.state().position);
    assert_eq!(view.past.len(), 5);
    assert_eq!(view.past[4].tick, 4);
}

#[test]
fn orders_must_fit_players_and_k() {
    let game = game(CopsRules { k: 2, ..still(6, 2) });
    let start = game.start(&chance()).unwrap();
    let good = Orders(vec![vec![Step::Up; 2]; 2]);
    assert!(game.legal(&start, COPS, &good).is_ok());
    assert!(game.legal(&start, THIEF, &good).is_err());
    assert!(game.legal(&start, COPS, &Orders(vec![vec![Step::Up; 3]; 2])).is_err());
    let text = ron::to_string(&good).unwrap();
    assert_eq!(text, r#"["UU","UU"]"#);
    assert_eq!(ron::from_str::<Orders>(&text).unwrap(), good);
    assert!(ron::from_str::<Orders>(r#"["UX"]"#).is_err());
}

#[test]
fn faults_name_the_cell() {
    let map = ["=====", "=T?.=", "=.-T=", "=..==", "=GG=="];
    let level = file(CopsRules { size: None, ..still(3, 1) }, &map);
    let found: Vec<String> = faults(&level).iter().map(ToString::to_string).collect();
    assert!(found.iter().any(|fault| fault.contains("(2,1)")), "{found:?}");
    assert!(found.iter().any(|fault| fault.contains("(3,3)")), "{found:?}");
    let map = ["=====", "=T..=", "=.-T=", "=...=", "=G==="];
    let level = file(CopsRules { size: None, ..still(3, 1) }, &map);
    let found: Vec<String> = faults(&level).iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn a_fault_of_many_cells_is_told_once() {
    let told = |map: &[&str]| {
        let level = file(CopsRules { size: None, ..still(3, 1) }, map);
        faults(&level).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let odd = ["=====", "=TT-=", "=TT.=", "=-|-=", "====="];
    assert_eq!(
        told(&odd),
        [
            "cell (2,1): there is more than one thief; keep one T (3 such places)",
            "cell (3,1): a run of 1 wall pieces is not a multiple of the wall length 4 (3 such places)",
            "cell (2,3): a run of 1 wall pieces is not a multiple of the wall length 4",
        ]
    );
    let misplaced = ["=.=.=", "==..=", "=G..=", "=...=", "====T"];
    assert_eq!(
        told(&misplaced),
        [
            "cell (1,0): the border around the board is made of = and G (a gate) (3 such places)",
            "cell (1,1): a border cell within the board; = and G belong around it (2 such places)",
        ]
    );
}

#[test]
fn a_map_may_fix_any_of_the_start() {
    let map = ["=======", "=T---.=", "=..|..=", "G..|.C=", "G..|..=", "=...#.=", "======="];
    let rules = CopsRules { cops: 2, walls: 3, gates: 2, wall_length: 3, ..CopsRules::default() };
    let level = file(rules, &map);
    assert_eq!(faults(&level), []);
    let game = Cops::new(&checked(level.clone()), 2).unwrap();
    let opening = game.opening(&Chance::new(3)).unwrap();
    assert_eq!((opening.thief, opening.cops[0]), (c(1, 1), c(5, 3)));
    assert_eq!((opening.walls[0].cell, opening.walls[1].cell), (c(2, 1), c(3, 2)));
    assert_eq!(game.board().gate_cells(opening.gates[0]).next(), Some(c(0, 4)));
    assert_eq!((opening.walls.len(), opening.gates.len(), opening.cops.len()), (3, 2, 2));
    assert!(
        outwit_core::levels::read_ron::<super::level::CopsFile>(write_ron(&level).as_bytes())
            .is_ok()
    );
}

/// Random orders drawn from proptest's own numbers.
fn orders(numbers: &mut impl Iterator<Item = u8>, players: usize, k: usize) -> Orders {
    let mut step = || STEPS[usize::from(numbers.next().unwrap_or(0)) % 5];
    Orders((0..players).map(|_| (0..k).map(|_| step()).collect()).collect())
}

fn play(rules: &CopsRules, seed: u64, numbers: &[u8]) -> Match<Cops> {
    let mut played = Match::new(Arc::new(game(rules.clone())), seed).unwrap();
    let mut numbers = numbers.iter().copied().cycle();
    while played.outcome().is_none() {
        let asked = played.to_move();
        let cops = rules.cops as usize;
        let actions = asked
            .iter()
            .map(|&s| {
                (s, orders(&mut numbers, if s == THIEF { 1 } else { cops }, rules.k as usize))
            })
            .collect();
        played.advance(actions).unwrap();
    }
    played
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nothing_ever_stands_in_a_wall_and_seeds_repeat(
        seed: u64,
        side in 6_u32..24,
        cops in 1_u32..7,
        walls in 0_u32..6,
        k in 1_u32..7,
        swap: bool,
        adjacent: bool,
        numbers in proptest::collection::vec(any::<u8>(), 64..200),
    ) {
        let rules = CopsRules {
            size: Some(side), cops, walls, k,
            capture_swap: swap, capture_adjacent: adjacent, ..CopsRules::default()
        };
        prop_assume!(faults(&file(rules.clone(), &["....."])).is_empty());
        let played = play(&rules, seed, &numbers);
        let board = played.game().board();
        for state in played.states() {
            let at = &state.position;
            let escaped = matches!(state.standing, PursuitStatus::Escaped(_));
            for &cell in at.cops.iter().chain((!escaped).then_some(&at.thief)) {
                prop_assert!(board.is_floor(cell) && !board.is_walled(&at.walls, cell));
            }
            prop_assert_eq!(escaped, board.is_gate(&at.gates, at.thief));
            for wall in &at.walls {
                prop_assert!(wall.cells(rules.wall_length).all(|cell| board.is_inside(cell)));
            }
        }
        for (state, turn) in played.states().iter().zip(0..) {
            prop_assert_eq!(state.ticks_played(), turn);
        }
        let turns = played.len();
        let words = played.outcome().map(|outcome| outcome.headline);
        let told = ["caught", "escaped"].map(|ending| format!("{ending} in tick {turns}"));
        prop_assert!(words.is_none_or(|words| words == "never caught" || told.contains(&words)));
        for (states, turn) in played.states().windows(2).zip(played.turns()) {
            let (before, after) = (&states[0].position, &states[1].position);
            for (old, new) in before.walls.iter().zip(&after.walls) {
                prop_assert!(old.standing == new.standing && old.cell.manhattan(new.cell) <= 1);
            }
            for event in &turn.events {
                if let CopsEvent::Moved { piece, from, to } = event {
                    prop_assert_eq!(from.manhattan(*to), 1);
                    prop_assert!(*piece == Piece::Thief || board.is_floor(*to));
                }
            }
        }
        let again = play(&rules, seed, &numbers);
        prop_assert_eq!(digest(again.state()), digest(played.state()));
        // Walls do not depend on what players choose, but for being blocked by them.
        let other = play(&CopsRules { p_wall_move: 0.0, ..rules.clone() }, seed, &numbers[1..]);
        let still = play(&CopsRules { p_wall_move: 0.0, ..rules }, seed, &numbers);
        for (a, b) in other.states().iter().zip(still.states()) {
            prop_assert!(a.standing != PursuitStatus::Running || b.standing != PursuitStatus::Running
                || (a.position.walls == b.position.walls && a.position.gates == b.position.gates));
        }
    }
}

#[test]
fn pictures_show_a_start_where_the_map_leaves_it_open() {
    use outwit_kit::{GameSpec, TileStyle};
    let rules = CopsRules { size: Some(12), cops: 3, walls: 2, gates: 1, ..CopsRules::default() };
    let looks_of = |rules, map: &[&str]| {
        let level = checked(file(rules, map));
        (Cops::MAPS.looks)(&level, Some(&level))
    };
    let looks = looks_of(rules.clone(), &["....."]);
    let count = |looks: &outwit_core::grid::Grid<TileStyle>, wanted: TileStyle| {
        looks.iter().filter(|&(_, &look)| look == wanted).count()
    };
    assert_eq!((count(&looks, TileStyle::Start), count(&looks, TileStyle::Mark)), (1, 3));
    assert_eq!(count(&looks, TileStyle::Goal), rules.gate_width as usize);
    assert!(count(&looks, TileStyle::Wall) > 0);
    assert_eq!(looks, looks_of(rules, &["....."]), "the same each time");
    // What the map says stays where it is.
    let rules = CopsRules { cops: 2, walls: 0, gates: 0, ..CopsRules::default() };
    let map = ["=======", "=.....=", "=..T..=", "=.....=", "=C....=", "=.....=", "======="];
    let looks = looks_of(rules, &map);
    assert_eq!((looks[c(3, 2)], looks[c(1, 4)]), (TileStyle::Start, TileStyle::Mark));
    assert_eq!((count(&looks, TileStyle::Start), count(&looks, TileStyle::Mark)), (1, 2));
}
