//! Best replies against brute force, plans against the rules, and what the responder may know.

use super::super::context::BoardContext;
use super::plan_game::{Ending, PlanGame};
use super::responder::SPEC;
use super::search::ALL_OF_SIX;
use crate::board::{Gate, Position};
use crate::level::CopsRules;
use crate::rules::{COPS, Cops, CopsView, Orders, Pursuit, PursuitStatus, STEPS, Step, THIEF};
use crate::tests::{game, still};
use outwit_core::grid::Cell;
use outwit_core::play::{
    Budget, Chance, Clock, Game, Match, Planner, PlannerContext, Progress, Seat,
};
use outwit_kit::Opponent;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

fn c(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

fn ground(game: &Arc<Cops>) -> BoardContext {
    BoardContext::new(&PlannerContext { game: Arc::clone(game), seat: THIEF, seed: 3 })
}

fn dice() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(5)
}

/// All plans of `k` steps.
fn all_plans(k: usize) -> Vec<Vec<Step>> {
    (0..k).fold(vec![Vec::new()], |plans, _| {
        let longer = |plan: &Vec<Step>| STEPS.map(|step| [&plan[..], &[step]].concat());
        plans.iter().flat_map(longer).collect()
    })
}

/// A board with everything on it that can matter in a plan.
fn busy(k: u32, swap: bool, adjacent: bool) -> CopsRules {
    CopsRules {
        size: Some(6),
        cops: 2,
        gates: 2,
        walls: 2,
        wall_length: 2,
        k,
        ticks: 30,
        capture_swap: swap,
        capture_adjacent: adjacent,
        ..CopsRules::default()
    }
}

fn steps(numbers: &mut impl Iterator<Item = u8>, k: usize) -> Vec<Step> {
    (0..k).map(|_| STEPS[usize::from(numbers.next().unwrap_or(0)) % STEPS.len()]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn replies_are_the_best_of_all_plans(
        seed: u64,
        k in 1_u32..4,
        swap: bool,
        adjacent: bool,
        numbers in proptest::collection::vec(any::<u8>(), 40),
    ) {
        let game = Arc::new(game(busy(k, swap, adjacent)));
        let Ok(start) = game.start(&Chance::new(seed)) else { return Ok(()) };
        let (ground, k) = (ground(&game), k as usize);
        let plans = PlanGame::new(&ground, &start.position, (3, ALL_OF_SIX), &mut dice());
        let mut numbers = numbers.into_iter();
        let thieves = [(steps(&mut numbers, k), 0.25), (steps(&mut numbers, k), 0.75)];
        let mut joint = || vec![steps(&mut numbers, k), steps(&mut numbers, k)];
        let cops = [(joint(), 0.4), (joint(), 0.6)];
        let payoff = |thief: &[Step], cops: &[Vec<Step>]| -> f32 {
            let played = plans.play(&plans.thief_tracks(thief), &plans.joint_tracks(cops));
            played.iter().map(|(_, pays)| pays).sum::<f32>() / played.len() as f32
        };
        let against_cops = |thief: &[Step]| -> f32 {
            cops.iter().map(|(cops, share)| share * payoff(thief, cops)).sum()
        };
        let reply = plans.thief_reply(&cops);
        let most = all_plans(k).iter().map(|plan| against_cops(plan)).fold(f32::MIN, f32::max);
        prop_assert!(!reply.is_cut);
        prop_assert!((reply.payoff - most).abs() < 1e-3, "{} of {most}", reply.payoff);
        prop_assert!((against_cops(&reply.steps) - most).abs() < 1e-3);
        let against_thieves = |cops: &[Vec<Step>]| -> f32 {
            thieves.iter().map(|(thief, share)| share * payoff(thief, cops)).sum()
        };
        let reply = plans.joint_reply(&cops[0].0, &thieves);
        prop_assert!((against_thieves(&reply.plans) - reply.payoff).abs() < 1e-3);
        prop_assert!(reply.payoff <= against_thieves(&cops[0].0) + 1e-3);
        // No cop can do better on its own.
        for cop in 0..2 {
            for plan in all_plans(k) {
                let mut changed = reply.plans.clone();
                changed[cop] = plan;
                prop_assert!(against_thieves(&changed) > reply.payoff - 0.01);
            }
        }
    }

    #[test]
    fn plans_go_as_by_the_rules(
        seed: u64,
        swap: bool,
        adjacent: bool,
        numbers in proptest::collection::vec(any::<u8>(), 12),
    ) {
        // Where nothing moves by itself there is one future, which both must agree on.
        let rules = busy(4, swap, adjacent);
        let rules = CopsRules { p_gate_move: 0.0, p_gate_turn: 0.0, ..rules };
        let game = Arc::new(game(CopsRules { p_wall_move: 0.0, p_wall_turn: 0.0, ..rules }));
        let Ok(start) = game.start(&Chance::new(seed)) else { return Ok(()) };
        let ground = ground(&game);
        let plans = PlanGame::new(&ground, &start.position, (1, ALL_OF_SIX), &mut dice());
        let mut numbers = numbers.into_iter();
        let thief = steps(&mut numbers, 4);
        let cops = vec![steps(&mut numbers, 4), steps(&mut numbers, 4)];
        let (ending, pays) =
            plans.play(&plans.thief_tracks(&thief), &plans.joint_tracks(&cops))[0];
        let orders = [(THIEF, Orders(vec![thief])), (COPS, Orders(cops))];
        let mut pursuit = start;
        for tick in 0..4 {
            let orders = if tick == 0 { &orders[..] } else { &[] };
            if pursuit.standing == PursuitStatus::Running {
                game.tick(&mut pursuit, orders, &Chance::new(seed), &mut |_| {});
            }
        }
        let expected = match pursuit.standing {
            PursuitStatus::Caught(_) => Ending::Caught,
            PursuitStatus::Escaped(_) => Ending::Escaped,
            _ => Ending::Open,
        };
        prop_assert_eq!(ending, expected);
        if let Some(payoff) = pursuit.standing.payoff(30) {
            prop_assert_eq!(f64::from(pays), payoff);
        }
    }
}

#[test]
fn plans_that_are_left_out_are_told() {
    let game = Arc::new(game(busy(4, false, false)));
    let start = game.start(&Chance::new(1)).unwrap();
    let ground = ground(&game);
    let cops = [(vec![vec![Step::Left; 4], vec![Step::Up; 4]], 1.0)];
    let reply = |width| {
        let plans = PlanGame::new(&ground, &start.position, (4, width), &mut dice());
        plans.thief_reply(&cops)
    };
    let (all, few) = (reply(ALL_OF_SIX), reply(2));
    assert!(few.is_cut && !all.is_cut);
    assert!(few.payoff <= all.payoff && few.steps.len() == 4);
}

/// A planner that always says the same.
struct Stubborn(Orders);

impl Planner<Cops> for Stubborn {
    fn observe(&mut self, _seen: &CopsView) {}

    fn think(&mut self, _clock: &Clock) -> Progress {
        Progress::Done
    }

    fn best(&self) -> Orders {
        self.0.clone()
    }
}

/// A thief that goes right, then down.
fn make_turning(_: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    Box::new(Stubborn(Orders(vec![vec![Step::Right, Step::Right, Step::Down, Step::Down]])))
}

/// A cop that leaves the gate that it guards to its right, and only comes back later.
fn make_careless(_: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    Box::new(Stubborn(Orders(vec![vec![Step::Right, Step::Right, Step::Left, Step::Left]])))
}

/// The plan of a responder in a seat against a planner of the other one.
fn response(
    game: &Arc<Cops>,
    (seat, seed): (Seat, u64),
    make: outwit_core::play::MakePlanner<Cops>,
    seen: &CopsView,
) -> Orders {
    let other = if seat == THIEF { COPS } else { THIEF };
    let opponent = Opponent { make, seat: other, budget: Budget::Work(500) };
    let mut responder =
        (SPEC.make)(PlannerContext { game: Arc::clone(game), seat, seed }, opponent);
    assert_eq!(responder.prepare(&Clock::unlimited()), Progress::Done);
    responder.observe(seen);
    assert_eq!(responder.think(&Clock::unlimited()), Progress::Done);
    responder.best()
}

fn played(game: &Arc<Cops>, position: Position, orders: [Orders; 2]) -> PursuitStatus {
    let [thief, cops] = orders;
    let mut pursuit = Pursuit { position, plans: vec![], standing: PursuitStatus::Running };
    for tick in 0..4 {
        let orders = [(THIEF, thief.clone()), (COPS, cops.clone())];
        let orders = if tick == 0 { &orders[..] } else { &[] };
        if pursuit.standing == PursuitStatus::Running {
            game.tick(&mut pursuit, orders, &Chance::new(1), &mut |_| {});
        }
    }
    pursuit.standing
}

fn view(seat: Seat, now: &Position) -> CopsView {
    CopsView { seat, now: now.clone(), past: Vec::new() }
}

#[test]
fn cops_meet_a_predictable_thief_where_it_will_be() {
    let game = Arc::new(game(CopsRules { k: 4, ..still(8, 1) }));
    let now =
        Position { tick: 0, thief: c(2, 3), cops: vec![c(5, 5)], walls: vec![], gates: vec![] };
    let cops = response(&game, (COPS, 1), make_turning, &view(COPS, &now));
    // It needs three steps to (4,3), where the thief is after tick 1, and two to (4,4), where it is
    // after tick 2: that is the earliest.
    let thief = Orders(vec![vec![Step::Right, Step::Right, Step::Down, Step::Down]]);
    assert_eq!(played(&game, now, [thief, cops]), PursuitStatus::Caught(2));
}

#[test]
fn a_thief_slips_past_a_predictable_guard() {
    let game = Arc::new(game(CopsRules { k: 4, gates: 1, ..still(8, 1) }));
    // The gate takes (4,0) and (5,0). The cop stands right before it and goes two to the right.
    let now = Position {
        tick: 0,
        thief: c(4, 3),
        cops: vec![c(4, 1)],
        walls: vec![],
        gates: vec![Gate { place: 4, clockwise: true }],
    };
    assert!(game.board().is_gate(&now.gates, c(4, 0)));
    let thief = response(&game, (THIEF, 1), make_careless, &view(THIEF, &now));
    let cops = Orders(vec![vec![Step::Right, Step::Right, Step::Left, Step::Left]]);
    // Two steps to the front of the gate and one through it: no thief can be faster.
    assert_eq!(played(&game, now, [thief, cops]), PursuitStatus::Escaped(2));
}

/// Two matches that begin alike and go on differently.
fn twins() -> (Arc<Cops>, Match<Cops>, Match<Cops>) {
    let rules = busy(3, false, false);
    let now = Position {
        tick: 0,
        thief: c(2, 2),
        cops: vec![c(5, 5), c(6, 1)],
        walls: vec![],
        gates: vec![Gate { place: 4, clockwise: true }],
    };
    let rules = CopsRules { walls: 0, gates: 1, ..rules };
    let game = Arc::new(game(rules).opened_with(now));
    let begun = |seed| Match::new(Arc::clone(&game), seed).unwrap();
    let first = begun(1);
    let ends = |played: &Match<Cops>| {
        let mut played = played.clone();
        for _ in 0..6 {
            let seats = played.to_move();
            let stay = |&seat: &Seat| (seat, game.null_action(played.state(), seat));
            let actions = seats.iter().map(stay).collect();
            played.advance(actions).unwrap();
        }
        played.state().position.gates.clone()
    };
    let second = (2..)
        .map(begun)
        .find(|other| other.state() == first.state() && ends(other) != ends(&first))
        .unwrap();
    (game, first, second)
}

#[test]
fn what_is_hidden_has_no_influence() {
    let (game, first, second) = twins();
    for (seat, opponent) in [(THIEF, "marshal"), (COPS, "schemer")] {
        let other = if seat == THIEF { COPS } else { THIEF };
        let spec = outwit_core::play::find_planner(super::super::ALL, opponent, other).unwrap();
        let plan = |played: &Match<Cops>| {
            response(&game, (seat, 8), spec.make, &played.observation(0, seat).unwrap())
        };
        assert_eq!(plan(&first), plan(&second), "{opponent}");
    }
}
