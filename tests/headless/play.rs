//! The contract of play, with planners that do what they should not.

use super::tracks::{car, circuit, push, race_of_seed, refused, straight};
use outwit_core::grid::Cell;
use outwit_core::levels::read_ron;
use outwit_core::play::{
    Budget, Clock, Game, Match, MatchSetup, Planner, PlannerContext, PlannerSpec, Player, Progress,
    Referee, Replay, ReplayError, Ruling, Seat, Thinking, TimeControl, digest,
};
use outwit_racetrack::{Accelerate, Crash, RaceRules, RaceView, Racetrack};
use proptest::prelude::*;
use std::sync::mpsc;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// More than any test has.
const HOUR: Duration = Duration::from_secs(3600);

/// What a planted planner does.
#[derive(Clone, Copy, PartialEq)]
enum Sin {
    /// Nothing: one cell to the right and stop, by turns.
    None,
    /// Thinks and never comes back.
    Overrun,
    /// Uses the processor until it is told to stop.
    Deaf,
    /// Prepares for a while.
    SlowStart,
    PanicInObserve,
    PanicInThink,
    PanicInBest,
    Illegal,
}

struct Planted {
    game: Arc<Racetrack>,
    sin: Sin,
    seen: Option<RaceView>,
    draws: u64,
}

/// When the planner that starts slowly was ready.
static READY: OnceLock<Instant> = OnceLock::new();

impl Planner<Racetrack> for Planted {
    fn prepare(&mut self, _clock: &Clock) -> Progress {
        if self.sin == Sin::SlowStart {
            std::thread::sleep(Duration::from_millis(30));
            READY.get_or_init(Instant::now);
        }
        Progress::Done
    }

    fn observe(&mut self, seen: &RaceView) {
        assert!(self.sin != Sin::PanicInObserve, "planted in observe");
        self.seen = Some(seen.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        assert!(self.sin != Sin::PanicInThink, "planted in think");
        if self.sin == Sin::Overrun {
            // Nobody ever sends: it blocks until the test is over, deaf to the clock.
            let (keep, nothing) = mpsc::channel::<()>();
            let _ = nothing.recv();
            drop(keep);
        }
        while self.sin == Sin::Deaf && !clock.is_stopped() {}
        while clock.take(1) {
            self.draws = self.draws.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        }
        if clock.is_over() { Progress::Done } else { Progress::More }
    }

    fn best(&self) -> Accelerate {
        assert!(self.sin != Sin::PanicInBest, "planted in best");
        if self.sin == Sin::Illegal {
            return push(7, 7);
        }
        let view = self.seen.as_ref().unwrap();
        let choices = self.game.choices(&view.race, view.seat);
        if self.sin == Sin::None {
            return choices[(self.draws >> 33) as usize % choices.len()];
        }
        let x = if view.car().velocity == Cell::default() { 1 } else { -1 };
        push(x, 0)
    }
}

fn planted(context: PlannerContext<Racetrack>, sin: Sin) -> Box<dyn Planner<Racetrack>> {
    Box::new(Planted { game: context.game, sin, seen: None, draws: context.seed })
}

macro_rules! spec {
    ($name:literal, $sin:expr) => {
        PlannerSpec {
            name: $name,
            algorithm: "planted",
            about: "planted",
            method: "planted",
            seats: |_| true,
            make: |context| planted(context, $sin),
        }
    };
}

static PLANTED: &[PlannerSpec<Racetrack>] = &[
    spec!("good", Sin::None),
    spec!("late", Sin::Overrun),
    spec!("deaf", Sin::Deaf),
    spec!("starts-slowly", Sin::SlowStart),
    spec!("panics-observe", Sin::PanicInObserve),
    spec!("panics-think", Sin::PanicInThink),
    spec!("panics-best", Sin::PanicInBest),
    spec!("illegal", Sin::Illegal),
    PlannerSpec {
        name: "panics-make",
        algorithm: "planted",
        about: "planted",
        method: "planted",
        seats: |_| true,
        make: |_| panic!("planted in make"),
    },
];

fn players(names: &[&str]) -> Vec<Player> {
    names.iter().map(|&name| Player::from(name)).collect()
}

fn game(cars: usize) -> Arc<Racetrack> {
    super::tracks::game(&straight(), cars)
}

fn refereed(
    names: &[&str],
    control: impl Into<TimeControl>,
    thinking: Thinking,
) -> Referee<Racetrack> {
    let setup = MatchSetup::new(&players(names), control, 1).thinking(thinking);
    Referee::new(game(names.len()), PLANTED, setup).unwrap()
}

fn hosted(names: &[&str], control: impl Into<TimeControl>) -> Referee<Racetrack> {
    refereed(names, control, Thinking::Threads)
}

fn inline(names: &[&str], control: impl Into<TimeControl>) -> Referee<Racetrack> {
    refereed(names, control, Thinking::Inline)
}

#[test]
fn a_planner_that_is_hurried_answers_long_before_its_time_is_over() {
    for thinking in [Thinking::Threads, Thinking::Sliced] {
        let mut referee = refereed(&["good", "human"], Budget::Time(HOUR), thinking);
        assert!(!referee.can_hurry(), "nobody was asked");
        while !referee.can_hurry() {
            assert_eq!(referee.poll(), Ruling::Waiting);
        }
        referee.hurry();
        while referee.poll() == Ruling::Waiting && referee.played().is_empty() {
            std::thread::yield_now();
        }
        assert_eq!(referee.played().turns()[0].actions[0].0, car(1), "{thinking:?}");
        assert_eq!(referee.stats(car(1)).overruns, 0);
        assert!(!referee.can_hurry(), "a person takes as long as it takes");
    }
}

#[test]
fn an_overrunning_planner_is_not_waited_for() {
    let mut referee = hosted(&["late", "good"], Budget::Time(Duration::from_millis(20)));
    assert_eq!(referee.run(2), Ruling::Played);
    // It had published this much before it went quiet.
    assert_eq!(referee.played().turns()[0].actions, [(car(1), push(1, 0))]);
    assert_eq!(referee.stats(car(1)).overruns, 1);
    assert_eq!(referee.played().turns()[1].actions[0].0, car(2));
    assert_eq!(referee.stats(car(2)).panic, None);
    // It is still stuck in its first turn: what it said then counts again if legal, else the null
    // action; either way the match goes on.
    referee.run(6);
    assert!(referee.played().len() == 6 || referee.outcome().is_some());
    let stats = referee.stats(car(1));
    assert!(stats.overruns >= 2);
    // It only waits, so it had no processor.
    assert_eq!(stats.starved, if cfg!(target_os = "linux") { stats.overruns } else { 0 });
}

#[test]
#[cfg(target_os = "linux")]
fn processor_time_is_a_budget() {
    let budget = Budget::Cpu(Duration::from_millis(5));
    for mut referee in [hosted(&["good", "good"], budget), inline(&["good", "good"], budget)] {
        assert_eq!(referee.run(1), Ruling::Played);
        let stats = referee.stats(car(1));
        assert_eq!((stats.asked, stats.overruns, stats.starved, stats.panic), (1, 0, 0, None));
        assert!(stats.work > 0);
        assert!(referee.used(car(1)).is_some_and(|share| share >= 1.0));
    }
    let mut referee = hosted(&["deaf", "good"], budget);
    assert_eq!(referee.run(2), Ruling::Played);
    let stats = referee.stats(car(1));
    assert_eq!((stats.overruns, stats.starved), (1, 0));
    let setup = MatchSetup::new(&players(&["good"]), budget, 1).thinking(Thinking::Sliced);
    let refused = Referee::new(game(1), PLANTED, setup).err().unwrap().to_string();
    assert!(refused.contains("processor time"), "{refused}");
}

#[test]
fn preparation_takes_no_time_of_the_first_turn() {
    let limit = Duration::from_secs(3600);
    let mut referee = hosted(&["starts-slowly", "good"], Budget::Time(limit));
    // Nobody looks at the planner while it prepares.
    assert_eq!(referee.poll(), Ruling::Waiting);
    let ready = *READY.wait();
    while referee.stats(car(1)).preparation == Duration::ZERO {
        referee.poll();
    }
    let left = referee.time_left(car(1)).unwrap();
    assert!(left + ready.elapsed() >= limit);
}

#[test]
fn a_panicking_planner_is_named_and_replaced() {
    for sin in ["make", "observe", "think", "best"] {
        let name = format!("panics-{sin}");
        for mut referee in
            [hosted(&[&name, "good"], Budget::Work(10)), inline(&[&name, "good"], Budget::Work(10))]
        {
            referee.run(5);
            let panic = referee.stats(car(1)).panic.clone();
            assert!(panic.is_some_and(|text| text.contains(sin)), "{name}");
            assert_eq!(referee.stats(car(2)).panic, None);
            // The null action on every turn of its own.
            let played = referee.played();
            for (turn, before) in played.turns().iter().zip(played.states()) {
                let (seat, action) = &turn.actions[0];
                if *seat == car(1) {
                    assert_eq!(*action, played.game().null_action(before, *seat));
                }
            }
            assert!(played.len() >= 2);
        }
    }
}

#[test]
fn an_illegal_action_is_refused_and_replaced() {
    for mut referee in [
        hosted(&["illegal", "good"], Budget::Work(10)),
        inline(&["illegal", "good"], Budget::Work(10)),
    ] {
        referee.run(3);
        let played = referee.played();
        assert_eq!(referee.stats(car(1)).illegal as usize, referee.stats(car(1)).asked as usize);
        let null = played.game().null_action(&played.states()[0], car(1));
        assert_eq!(played.turns()[0].actions, [(car(1), null)]);
        assert_eq!(referee.stats(car(2)).illegal, 0);
    }
}

#[test]
fn hosted_and_inline_play_the_same_match() {
    let rules = RaceRules { crash: Crash::Penalty(1), ..RaceRules::default() };
    let game = super::tracks::game(&circuit(rules), 3);
    let setup = MatchSetup::new(&players(&["good", "good", "good"]), Budget::Work(500), 5);
    let mut on_threads = Referee::new(Arc::clone(&game), PLANTED, setup.clone()).unwrap();
    let mut here = Referee::new(game, PLANTED, setup.thinking(Thinking::Inline)).unwrap();
    on_threads.run(100);
    here.run(100);
    assert!(here.played().len() >= 50);
    assert_eq!(on_threads.played().states(), here.played().states());
    for (there, here) in on_threads.played().turns().iter().zip(here.played().turns()) {
        assert_eq!((&there.actions, &there.events), (&here.actions, &here.events));
    }
}

#[test]
fn the_share_of_the_budget_is_that_of_the_last_turn() {
    for mut referee in
        [hosted(&["good", "late"], Budget::Work(10)), inline(&["good", "human"], Budget::Work(10))]
    {
        assert_eq!((referee.used(car(1)), referee.used(car(2))), (None, None));
        referee.run(1);
        assert_eq!(referee.used(car(1)), Some(1.0));
        assert_eq!(referee.used(car(2)), None, "it has not chosen yet");
    }
    let mut timed = hosted(&["good"], Budget::Time(Duration::from_secs(3600)));
    timed.poll();
    assert!(timed.used(car(1)).is_some_and(|used| used < 0.5));
}

#[test]
fn a_record_is_only_looked_at() {
    let race = wander(&[4, 4, 2, 7, 1], 3, 2);
    let (turns, state) = (race.len(), race.state().clone());
    let replay = Replay::of(&race, vec!["human".into(), "gone".into()]);
    let mut referee = Referee::of_record(race, &replay);
    assert!(referee.is_over() && referee.humans_to_move().is_empty());
    assert_eq!(referee.poll(), Ruling::Over);
    assert!(referee.choose(car(1), push(1, 0)).is_err());
    assert_eq!((referee.played().len(), referee.played().state()), (turns, &state));
    assert_eq!(referee.replay().seats, ["human", "gone"]);
    assert_eq!((referee.player(car(1)), referee.used(car(2))), (&Player::Human, None));
}

#[test]
fn people_choose_only_in_their_turn_and_within_the_rules() {
    let mut referee = hosted(&["human", "human"], Budget::default());
    assert_eq!(referee.run(10), Ruling::Waiting);
    assert_eq!(referee.humans_to_move(), [car(1)]);
    assert!(referee.choose(car(2), push(1, 0)).is_err());
    assert!(referee.choose(car(1), push(0, 0)).is_err());
    referee.choose(car(1), push(1, 0)).unwrap();
    assert!(referee.choose(car(1), push(1, 0)).is_err(), "only once");
    assert_eq!(referee.poll(), Ruling::Played);
    assert_eq!(referee.humans_to_move(), [car(2)]);
    referee.rewind(0);
    assert_eq!(referee.humans_to_move(), [car(1)]);
    assert!(referee.played().is_empty());
}

#[test]
fn unknown_planners_and_wrong_numbers_are_refused() {
    let setup = |names: &[&str]| MatchSetup::new(&players(names), Budget::Work(1), 1);
    assert!(Referee::new(game(1), PLANTED, setup(&["nobody"])).is_err());
    assert!(Referee::new(game(2), PLANTED, setup(&["good"])).is_err());
}

/// Any legal match: `choices` picks among the legal actions of each turn.
fn wander(choices: &[usize], seed: u64, cars: usize) -> Match<Racetrack> {
    let rules = RaceRules { crash: Crash::Penalty((seed % 3) as u32), ..RaceRules::default() };
    let mut race = race_of_seed(&circuit(rules), cars, seed);
    for &choice in choices {
        let Some(&seat) = race.to_move().first() else { break };
        let legal = race.game().choices(race.state(), seat);
        race.advance(vec![(seat, legal[choice % legal.len()])]).unwrap();
    }
    race
}

fn kept(race: &Match<Racetrack>) -> Replay<Racetrack> {
    Replay::of(race, vec!["human".into(); race.game().seats()])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_match_replayed_gives_the_same_states(
        choices in prop::collection::vec(0..9_usize, 0..60), seed in 0..1000_u64, cars in 1..=6_usize,
    ) {
        let race = wander(&choices, seed, cars);
        let text = ron::to_string(&kept(&race)).unwrap();
        let replay: Replay<Racetrack> = read_ron(text.as_bytes()).unwrap();
        let again = replay.play().unwrap();
        prop_assert_eq!(again.states(), race.states());
        prop_assert_eq!(again.outcome(), race.outcome());
    }

    #[test]
    fn undo_gives_the_state_so_many_turns_ago(
        choices in prop::collection::vec(0..9_usize, 1..40), seed in 0..1000_u64, back in 0..40_usize,
    ) {
        let race = wander(&choices, seed, 2);
        let to = race.len().saturating_sub(back);
        let mut undone = race.clone();
        undone.rewind(to);
        prop_assert_eq!(undone.state(), race.state_at(to).unwrap());
        prop_assert_eq!(undone.len(), to);
        // What was played before plays again to the same end.
        for turn in &race.turns()[to..] {
            undone.advance(turn.actions.clone()).unwrap();
        }
        prop_assert_eq!(undone.states(), race.states());
    }

    #[test]
    fn digests_tell_states_apart(
        choices in prop::collection::vec(0..9_usize, 1..30), seed in 0..1000_u64,
    ) {
        let race = wander(&choices, seed, 2);
        let (before, after) = (&race.states()[race.len() - 1], race.state());
        prop_assert_eq!(before == after, digest(before) == digest(after));
    }
}

#[test]
fn a_tampered_replay_is_found_out() {
    let race = wander(&[1, 5, 7, 2, 6, 1, 0], 4, 2);
    let good = kept(&race);
    assert!(good.play().is_ok());
    let said = |change: fn(&mut Replay<Racetrack>)| {
        let mut replay = good.clone();
        change(&mut replay);
        replay.play().err()
    };
    assert_eq!(said(|r| r.digest ^= 1), Some(ReplayError::Unfaithful));
    assert!(matches!(said(|r| r.format = "other 1".into()), Some(ReplayError::Format { .. })));
    assert!(matches!(said(|r| r.game = "chess".into()), Some(ReplayError::WrongGame { .. })));
    assert!(matches!(said(|r| r.rules_version += 1), Some(ReplayError::Rules { .. })));
    // Of earlier rules a match that plays the same is kept; another one is not called altered.
    let earlier = |change: fn(&mut Replay<Racetrack>)| {
        let mut replay = Replay { rules_version: 0, ..good.clone() };
        change(&mut replay);
        replay.sealed().play().err()
    };
    assert_eq!(earlier(|_| {}), None);
    assert!(matches!(earlier(|r| r.digest ^= 1), Some(ReplayError::Rules { .. })));
    assert!(matches!(earlier(|r| r.turns[0].clear()), Some(ReplayError::Rules { .. })));
    assert!(matches!(said(|r| r.level.map.clear()), Some(ReplayError::Level(_))));
    assert!(matches!(said(|r| r.seats.clear()), Some(ReplayError::Level(_))));
    assert!(matches!(said(|r| r.turns[0][0].1 = push(9, 9)), Some(ReplayError::Action(_))));
    assert!(matches!(said(|r| r.turns[0][0].0 = Seat(5)), Some(ReplayError::Action(_))));
    assert!(matches!(said(|r| r.turns[0].clear()), Some(ReplayError::Action(_))));
    assert_eq!(said(|r| drop(r.turns.pop())), Some(ReplayError::Unfaithful));
}

#[test]
fn nothing_can_be_played_after_the_end() {
    let mut race = race_of_seed(&straight(), 1, 1);
    while race.outcome().is_none() {
        let (seat, state) = (race.to_move()[0], race.state());
        let x = if refused(&race, 1, 0).is_none() { 1 } else { -1 };
        let _ = state;
        race.advance(vec![(seat, push(x, 0))]).unwrap();
    }
    assert!(race.to_move().is_empty());
    assert!(race.advance(vec![(car(1), push(1, 0))]).is_err());
}
