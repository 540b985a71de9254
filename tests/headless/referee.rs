//! What the referee counts, keeps and shows.

use super::tracks::{car, game, push, straight};
use outwit_core::platform::time::thread_cpu;
use outwit_core::play::{
    Budget, CheckedLevel, Clock, Closing, Game, Insight, MatchSetup, Planner, PlannerContext,
    PlannerSpec, Player, Preparation, Progress, Referee, Ruling, Seat, Thinking, TimeControl,
};
use outwit_mnk::{Mnk, MnkFile};
use outwit_racetrack::{Accelerate, RaceView, Racetrack};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How often somebody asked [`Drawn`] for its picture.
static PICTURES: AtomicUsize = AtomicUsize::new(0);

/// Needs three slices to prepare, drives to the right, and draws.
struct Drawn(PlannerContext<Racetrack>, Accelerate, u32);

impl Planner<Racetrack> for Drawn {
    fn prepare(&mut self, clock: &Clock) -> Progress {
        let _ = clock.take(1);
        self.2 += 1;
        if self.2 < 3 { Progress::More } else { Progress::Done }
    }

    fn observe(&mut self, seen: &RaceView) {
        assert!(self.2 == 3, "not prepared");
        self.1 = self.0.game.null_action(&seen.race, seen.seat);
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        let _ = clock.take(1);
        Progress::Done
    }

    fn best(&self) -> Accelerate {
        self.1
    }

    fn insight(&self) -> Insight {
        PICTURES.fetch_add(1, Ordering::Relaxed);
        Insight { notes: vec!["seen".into()], ..Insight::default() }
    }
}

/// Drives to the right, and never looks at the clock while it thinks for one second.
struct Dawdler(Accelerate);

impl Planner<Racetrack> for Dawdler {
    fn observe(&mut self, _seen: &RaceView) {}

    fn think(&mut self, _clock: &Clock) -> Progress {
        std::thread::sleep(Duration::from_secs(1));
        self.0 = push(1, 0);
        Progress::Done
    }

    fn best(&self) -> Accelerate {
        self.0
    }
}

/// Never looks at the clock while it uses a fifth of a second of the processor.
struct Spinner(Accelerate);

impl Planner<Racetrack> for Spinner {
    fn observe(&mut self, _seen: &RaceView) {}

    fn think(&mut self, _clock: &Clock) -> Progress {
        let began = thread_cpu();
        let used = || thread_cpu().zip(began).map(|(now, began)| now.saturating_sub(began));
        while used().is_some_and(|used| used < Duration::from_millis(200)) {}
        Progress::Done
    }

    fn best(&self) -> Accelerate {
        self.0
    }
}

static DRAWN: &[PlannerSpec<Racetrack>] = &[
    PlannerSpec {
        name: "drawn",
        algorithm: "",
        about: "",
        method: "",
        seats: |_| true,
        make: |context| Box::new(Drawn(context, push(1, 0), 0)),
    },
    PlannerSpec {
        name: "dawdler",
        algorithm: "",
        about: "",
        method: "",
        seats: |_| true,
        make: |_| Box::new(Dawdler(push(0, -1))),
    },
    PlannerSpec {
        name: "spinner",
        algorithm: "",
        about: "",
        method: "",
        seats: |_| true,
        make: |_| Box::new(Spinner(push(1, 0))),
    },
];

fn referee(
    names: &[&str],
    control: impl Into<TimeControl>,
    thinking: Thinking,
) -> Referee<Racetrack> {
    let players: Vec<Player> = names.iter().map(|&name| name.into()).collect();
    let game = game(&straight(), names.len());
    let setup = MatchSetup::new(&players, control, 1).thinking(thinking);
    Referee::new(game, DRAWN, setup).unwrap()
}

fn people(control: impl Into<TimeControl>) -> Referee<Racetrack> {
    referee(&["human", "human"], control, Thinking::Inline)
}

#[test]
fn a_choice_is_timed_when_it_is_made() {
    let mut race = people(Budget::default());
    // Nobody has polled yet: the turn counts all the same.
    race.choose(car(1), push(1, 0)).unwrap();
    let stats = race.stats(car(1));
    assert_eq!((stats.asked, stats.overruns, stats.thought.len()), (1, 0, 1));
    assert_eq!(race.poll(), Ruling::Played);
    assert_eq!(race.stats(car(1)), stats);
    race.rewind(0);
    assert_eq!(race.stats(car(1)).asked, 0);
}

#[test]
fn the_time_of_a_match_grows_by_the_increment_and_comes_back_with_undo() {
    let (total, increment) = (Duration::from_secs(3600), Duration::from_secs(5));
    let mut race = people(TimeControl::Match { total, increment });
    for (number, x) in [(1, 1), (2, 1), (1, -1)] {
        race.poll();
        race.choose(car(number), push(x, 0)).unwrap();
        assert_eq!(race.poll(), Ruling::Played);
    }
    let left = |race: &Referee<Racetrack>, number| race.time_left(car(number)).unwrap();
    let thought = race.stats(car(1)).thought;
    assert_eq!(left(&race, 1), total - thought[0] + increment - thought[1] + increment);
    race.rewind(1);
    assert_eq!(left(&race, 1), total - thought[0] + increment);
    assert_eq!(left(&race, 2), total);
    race.rewind(0);
    assert_eq!(left(&race, 1), total);
}

#[test]
fn whose_time_is_up_plays_the_proposal_or_as_little_as_possible() {
    let mut race = people(Budget::Time(Duration::ZERO));
    race.propose(car(1), Some(push(1, 0)));
    assert_eq!(race.poll(), Ruling::Played);
    race.propose(car(2), Some(push(7, 7)));
    assert_eq!(race.poll(), Ruling::Played);
    let played = race.played();
    assert_eq!(played.turns()[0].actions, [(car(1), push(1, 0))]);
    let null = played.game().null_action(&played.states()[1], car(2));
    assert_eq!(played.turns()[1].actions, [(car(2), null)]);
    assert_eq!((race.stats(car(1)).overruns, race.stats(car(2)).overruns), (1, 1));
    let mut none_left =
        people(TimeControl::Match { total: Duration::ZERO, increment: Duration::ZERO });
    assert_eq!(none_left.poll(), Ruling::Played);
    // Without a limit nobody is hurried.
    for control in [TimeControl::Unlimited, Budget::Work(1).into()] {
        let mut patient = people(control);
        assert_eq!(patient.poll(), Ruling::Waiting);
        assert_eq!(patient.time_left(car(1)), None);
    }
}

#[test]
fn whose_time_for_the_match_is_up_loses_where_that_is_the_rule() {
    let level: MnkFile = ron::from_str(
        "(format: \"mnk 1\", name: \"Board\", rules: (k: 3), map: [\"...\", \"...\", \"...\"])",
    )
    .unwrap();
    let level = CheckedLevel::new(level).unwrap();
    let game = Arc::new(Mnk::new(&level, 2).unwrap());
    let (total, increment) = (Duration::ZERO, Duration::ZERO);
    let mut setup = MatchSetup::new(&[Player::Human, Player::Human], Budget::Work(1), 1);
    setup.controls = vec![TimeControl::Match { total, increment }; 2];
    let mut referee = Referee::new(game, &[], setup).unwrap();
    while referee.poll() != Ruling::Over {}
    assert_eq!(referee.played().closing(), Some((Seat(0), Closing::TimeOver)));
    let outcome = referee.outcome().unwrap();
    assert_eq!(outcome.headline, "X lost on time");
    assert_eq!(outcome.places.iter().map(|place| place.rank).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn a_strict_match_leaves_planners_alone_with_the_time_of_the_match() {
    let clock = TimeControl::limited("20s+0ms").unwrap();
    let first = |strict: bool| {
        let players = ["dawdler".into()];
        let setup = MatchSetup { strict, ..MatchSetup::new(&players, clock, 1) };
        let game = game(&straight(), 1);
        let mut race = Referee::new(game, DRAWN, setup).unwrap();
        assert_eq!(race.run(1), Ruling::Played);
        (race.played().turns()[0].actions.clone(), race.stats(car(1)).overruns)
    };
    // What was meant for this turn is less than the second that it takes.
    assert_eq!(first(false), (vec![(car(1), push(0, -1))], 1));
    assert_eq!(first(true), (vec![(car(1), push(1, 0))], 1));
    // Less than the match has is too little.
    let clock = TimeControl::limited("100ms+10ms").unwrap();
    let setup = MatchSetup { strict: true, ..MatchSetup::new(&["dawdler".into()], clock, 1) };
    let game = game(&straight(), 1);
    let mut race = Referee::new(game, DRAWN, setup).unwrap();
    assert_eq!(race.run(1), Ruling::Over);
    assert_eq!(race.played().closing(), Some((car(1), Closing::TimeOver)));
    assert_eq!(race.outcome().unwrap().headline, "Car 1 lost on time");
}

#[test]
#[cfg(target_os = "linux")]
fn a_strict_match_on_processor_time_is_lost_by_using_the_processor() {
    let (over, played) = (Some((car(1), Closing::TimeOver)), None);
    for thinking in [Thinking::Threads, Thinking::Inline] {
        for (player, budget, wanted) in [
            // It only sleeps, for as long as fifty such turns.
            ("dawdler", "20ms-cpu", played),
            ("spinner", "2s-cpu", played),
            ("spinner", "20ms-cpu", over),
        ] {
            let control = TimeControl::limited(budget).unwrap();
            let setup = MatchSetup::new(&[player.into()], control, 1).thinking(thinking);
            let game = game(&straight(), 1);
            let setup = MatchSetup { strict: true, ..setup };
            let mut race = Referee::new(game, DRAWN, setup).unwrap();
            let ruling = if wanted.is_some() { Ruling::Over } else { Ruling::Played };
            assert_eq!(race.run(1), ruling, "{player} {budget} {thinking:?}");
            assert_eq!(race.played().closing(), wanted);
            assert_eq!(race.stats(car(1)).overruns, u32::from(wanted.is_some()));
        }
    }
}

#[test]
fn a_sliced_planner_prepares_before_its_time_begins() {
    let mut race = referee(&["drawn"], Budget::Work(5), Thinking::Sliced);
    assert!(race.is_preparing(car(1)));
    assert_eq!((race.poll(), race.poll()), (Ruling::Waiting, Ruling::Waiting));
    assert!(race.insight(car(1)).is_none(), "it has not seen the turn");
    assert_eq!(race.poll(), Ruling::Played);
    assert!(matches!(race.preparation(car(1)), Some(Preparation::Ready(_))));
    let stats = race.stats(car(1));
    assert_eq!((stats.asked, stats.work, stats.panic), (1, 1, None));
}

#[test]
fn pictures_are_built_for_who_looks_and_say_of_which_turn_they_are() {
    let mut race = referee(&["drawn", "human"], Budget::Work(5), Thinking::Inline);
    let mut threads = referee(&["drawn", "human"], Budget::Work(5), Thinking::Threads);
    assert_eq!((race.run(9), threads.run(9)), (Ruling::Waiting, Ruling::Waiting));
    assert_eq!(PICTURES.load(Ordering::Relaxed), 0, "nobody looked");
    let (turn, insight) = race.insight(car(1)).unwrap();
    assert_eq!((turn, insight.notes.as_slice()), (0, &["seen".to_owned()][..]));
    assert!(race.insight(car(2)).is_none(), "a person has none");
    race.choose(car(2), push(1, 0)).unwrap();
    race.run(9);
    assert_eq!(race.insight(car(1)).map(|(turn, _)| turn), Some(2));
    // After going back there is none of the turns that are gone.
    race.branch(1);
    assert!(race.insight(car(1)).is_none());
    race.poll();
    assert!(race.insight(car(1)).is_none(), "it is the other's turn");
    race.branch(0);
    race.poll();
    assert_eq!(race.insight(car(1)).map(|(turn, _)| turn), Some(0));
    // On a thread the picture comes a little later, and a look at one turn is none at the next.
    while threads.insight(car(1)).is_none() {
        std::thread::yield_now();
    }
    let built = PICTURES.load(Ordering::Relaxed);
    threads.choose(car(2), push(1, 0)).unwrap();
    assert_eq!(threads.run(9), Ruling::Waiting);
    assert_eq!(PICTURES.load(Ordering::Relaxed), built);
}

#[test]
fn who_resigned_may_go_on_in_another_line() {
    let mut race = people(TimeControl::Unlimited);
    race.choose(car(1), push(1, 0)).unwrap();
    race.poll();
    race.close(car(2), Closing::Resigned);
    assert_eq!(race.poll(), Ruling::Over);
    assert!(race.choose(car(2), push(1, 0)).is_err());
    race.branch(1);
    race.choose(car(2), push(1, 0)).unwrap();
    assert_eq!(race.poll(), Ruling::Played);
    assert_eq!(race.played().variations().len(), 1, "the resigned game is not forgotten");
    race.branch(0);
    assert_eq!(race.played().variations().len(), 2);
    let resigned = |v: &outwit_core::play::Variation<Racetrack>| v.closing.is_some();
    let at = race.played().variations().iter().position(resigned).unwrap();
    race.choose_variation(at).unwrap();
    assert!(race.is_over());
    assert_eq!(race.outcome().unwrap().places[1].ending, "resigned");
}
