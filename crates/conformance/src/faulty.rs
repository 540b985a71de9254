//! Planners that do what they should not, on every seat of every game.

use super::{Subject, game, planners_of, seats};
use outwit_core::play::{
    Budget, Clock, Closing, Insight, Line, Match, MatchSetup, Planner, PlannerContext, PlannerSpec,
    Player, Progress, Referee, Replay, Ruling, Seat, Thinking,
};
use outwit_kit::GameSpec;
use std::sync::mpsc;
use std::time::Duration;

/// Where something goes wrong.
const PHASES: [&str; 7] = ["make", "prepare", "observe", "think", "best", "line", "insight"];
const CHEATS: u8 = 14;
const RESIGNS: u8 = 15;
const FAILS: u8 = 16;
const NEVER_READY: u8 = 17;
const HONEST: u8 = 18;
const BREAKS: u8 = 19;

/// The plainest planner with a fault: below 7 it panics in that phase, below 14 it hangs there.
struct Faulty<G: GameSpec> {
    planner: Box<dyn Planner<G>>,
    fault: u8,
    seen: Option<G::Observation>,
    illegal: fn(&G::Observation) -> Option<G::Action>,
}

fn go_wrong(fault: u8, phase: usize) {
    let fault = usize::from(fault);
    if fault == phase {
        panic!("planted in {}", PHASES[phase]);
    }
    if fault == phase + 7 {
        // Nobody ever sends: it blocks until the tests are over.
        let (keep, nothing) = mpsc::channel::<()>();
        let _ = nothing.recv();
        drop(keep);
    }
}

impl<G: GameSpec> Planner<G> for Faulty<G> {
    fn prepare(&mut self, clock: &Clock) -> Progress {
        go_wrong(self.fault, 1);
        if self.fault == NEVER_READY { Progress::More } else { self.planner.prepare(clock) }
    }
    fn observe(&mut self, seen: &G::Observation) {
        go_wrong(self.fault, 2);
        self.seen = Some(seen.clone());
        self.planner.observe(seen);
    }
    fn think(&mut self, clock: &Clock) -> Progress {
        go_wrong(self.fault, 3);
        self.planner.think(clock)
    }
    fn best(&self) -> G::Action {
        go_wrong(self.fault, 4);
        let seen = self.seen.as_ref().filter(|_| self.fault == CHEATS);
        seen.and_then(self.illegal).unwrap_or_else(|| self.planner.best())
    }
    fn line(&self) -> Line<G::Action> {
        go_wrong(self.fault, 5);
        self.planner.line()
    }
    fn closing(&self) -> Option<Closing> {
        match self.fault {
            RESIGNS => Some(Closing::Resigned),
            FAILS => Some(Closing::Unsolved),
            _ => None,
        }
    }
    fn fault(&self) -> Option<String> {
        (self.fault == BREAKS).then(|| "planted".into())
    }
    fn insight(&self) -> Insight {
        go_wrong(self.fault, 6);
        self.planner.insight()
    }
}

fn make<G: GameSpec, S: Subject<Game = G>, const FAULT: u8>(
    context: PlannerContext<G>,
) -> Box<dyn Planner<G>> {
    faulty::<G, S>(FAULT, context)
}

fn faulty<G: GameSpec, S: Subject<Game = G>>(
    fault: u8,
    context: PlannerContext<G>,
) -> Box<dyn Planner<G>> {
    go_wrong(fault, 0);
    let planner = (planners_of::<G>(context.seat)[0].make)(context);
    Box::new(Faulty { planner, fault, seen: None, illegal: S::illegal_action })
}

/// All faulty planners by the number of their fault.
pub fn specs<G: GameSpec, S: Subject<Game = G>>() -> Vec<PlannerSpec<G>> {
    macro_rules! specs {
        ($($number:literal)*) => { [$((stringify!($number), make::<G, S, $number> as fn(_) -> _)),*] };
    }
    let list = specs!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 19);
    let spec = |(name, make)| PlannerSpec {
        name,
        algorithm: "",
        about: "",
        method: "",
        seats: |_| true,
        make,
    };
    let honest = PlannerSpec { name: "honest", ..spec(("", make::<G, S, HONEST> as fn(_) -> _)) };
    list.map(spec).into_iter().chain([honest]).collect()
}

/// A match with one such planner among honest ones.
fn refereed<G: GameSpec, S: Subject<Game = G>>(
    fault: u8,
    seat: Seat,
    budget: Budget,
    thinking: Thinking,
) -> Referee<G> {
    let fault = if fault == HONEST { "honest".into() } else { fault.to_string() };
    let players: Vec<Player> = seats::<G>()
        .map(|s| Player::from(if s == seat { fault.as_str() } else { "honest" }))
        .collect();
    let setup = MatchSetup::new(&players, budget, 2).thinking(thinking);
    let setup = MatchSetup { preparation: vec![Duration::from_millis(50); players.len()], ..setup };
    Referee::new(game::<G>(&S::samples()[0]), &specs::<G, S>(), setup).unwrap()
}

const ALL: [Thinking; 3] = [Thinking::Inline, Thinking::Threads, Thinking::Sliced];
const QUICK: Budget = Budget::Time(Duration::from_millis(5));

/// Plays until that seat was asked, and a little on.
fn run<G: GameSpec>(referee: &mut Referee<G>) {
    let ruling = referee.run(6);
    assert!(referee.played().len() >= 6 || ruling == Ruling::Over);
}

/// A panic is named, and the null action is played from then on.
pub fn panics_are_named<G: GameSpec, S: Subject<Game = G>>() {
    for seat in seats::<G>() {
        for thinking in ALL {
            for phase in 0..5 {
                let mut referee = refereed::<G, S>(phase, seat, Budget::Work(60), thinking);
                run(&mut referee);
                let why = referee.stats(seat).panic.unwrap_or_default();
                let wanted = PHASES[usize::from(phase)];
                assert!(why.contains(wanted), "{thinking:?}: '{why}' does not name {wanted}");
                for other in seats::<G>().filter(|&other| other != seat) {
                    assert_eq!(referee.stats(other).panic, None);
                }
                // What it can do no more, the null action does.
                let played = referee.played();
                for (state, turn) in played.states().iter().zip(played.turns()) {
                    for (_, action) in turn.actions.iter().filter(|(s, _)| *s == seat) {
                        assert_eq!(*action, played.game().null_action(state, seat));
                    }
                }
            }
        }
    }
}

/// The null action is played instead of an illegal one, if the game has any.
pub fn illegal_actions_are_replaced<G: GameSpec, S: Subject<Game = G>>() {
    let start = Match::new(game::<G>(&S::samples()[0]), 2).unwrap();
    let seen = start.game().observe(&[], start.state(), Seat(0));
    if S::illegal_action(&seen).is_none() {
        return;
    }
    for seat in seats::<G>() {
        for thinking in ALL {
            let mut referee = refereed::<G, S>(CHEATS, seat, Budget::Work(60), thinking);
            run(&mut referee);
            let stats = referee.stats(seat);
            assert!(stats.illegal >= 1 && stats.illegal == stats.asked, "{thinking:?}: {stats:?}");
            assert!(seats::<G>().all(|other| other == seat || referee.stats(other).illegal == 0));
        }
    }
}

/// A planner that hangs or is never ready is cut short.
pub fn hangs_are_not_waited_for<G: GameSpec, S: Subject<Game = G>>() {
    for seat in seats::<G>() {
        for phase in 0..5 {
            let mut referee = refereed::<G, S>(7 + phase, seat, QUICK, Thinking::Threads);
            run(&mut referee);
            let stats = referee.stats(seat);
            let named = stats.panic.as_ref().is_some_and(|why| why.contains("preparation"));
            assert!(
                if phase < 2 { named } else { stats.overruns >= 1 },
                "{}: {stats:?}",
                PHASES[usize::from(phase)]
            );
        }
        for thinking in ALL {
            // It obeys the clock, but is never ready: cut short, it plays without.
            let mut referee = refereed::<G, S>(NEVER_READY, seat, Budget::Work(60), thinking);
            run(&mut referee);
            assert_eq!(referee.stats(seat).panic, None, "{thinking:?}");
            assert!(referee.stats(seat).preparation >= Duration::from_millis(50), "{thinking:?}");
        }
    }
}

/// Looking at a planner must not change the match.
pub fn a_failing_picture_changes_nothing<G: GameSpec, S: Subject<Game = G>>() {
    for seat in seats::<G>() {
        for thinking in ALL {
            for phase in [5, 6] {
                let mut referee = refereed::<G, S>(phase, seat, Budget::Work(60), thinking);
                let mut honest = refereed::<G, S>(HONEST, seat, Budget::Work(60), thinking);
                let mut noted = false;
                while referee.played().len() < 6 && referee.poll() != Ruling::Over {
                    for seat in seats::<G>() {
                        noted |= referee.insight(seat).is_some_and(|(_, insight)| {
                            insight.notes.iter().any(|text| text.contains("planted in insight"))
                        });
                        let _ = referee.line(seat);
                    }
                }
                honest.run(6);
                assert_eq!(
                    referee.stats(seat).panic,
                    None,
                    "{thinking:?}, {}",
                    PHASES[usize::from(phase)]
                );
                assert_eq!(referee.played().states(), honest.played().states(), "{thinking:?}");
                assert!(noted || phase == 5 || thinking == Thinking::Threads);
            }
        }
        // A picture that is never finished makes it late, but only it.
        for phase in [5, 6] {
            let mut referee = refereed::<G, S>(7 + phase, seat, QUICK, Thinking::Threads);
            while referee.played().len() < 6 && referee.poll() != Ruling::Over {
                let _ = referee.insight(seat);
                referee.run(referee.played().len() + 1);
            }
            assert!(referee.played().len() >= 6 || referee.is_over());
        }
    }
}

/// To resign, to find no solution and to fail end the match with a result, which a replay keeps.
pub fn giving_up_is_a_result<G: GameSpec, S: Subject<Game = G>>() {
    for seat in seats::<G>() {
        for (fault, closing) in
            [(RESIGNS, Closing::Resigned), (FAILS, Closing::Unsolved), (BREAKS, Closing::Failed)]
        {
            for thinking in ALL {
                let mut referee = refereed::<G, S>(fault, seat, Budget::Work(1_000_000), thinking);
                assert_eq!(referee.run(usize::MAX), Ruling::Over);
                // Another may have ended the match before.
                let Some(found) = referee.played().closing() else { continue };
                assert_eq!(found, (seat, closing));
                let why = referee.stats(seat).fault;
                assert_eq!(why.as_deref(), (fault == BREAKS).then_some("planted"));
                let outcome = referee.outcome().unwrap();
                assert_eq!(outcome.places[seat.index()].ending, closing.word());
                let replay = referee.replay();
                let text = ron::to_string(&replay).unwrap();
                let replay: Replay<G> = outwit_core::levels::read_ron(text.as_bytes()).unwrap();
                assert_eq!(replay.play().unwrap().outcome(), Some(outcome));
                // It can be taken back.
                referee.branch(referee.played().len());
                assert!(!referee.is_over() && referee.played().variations().len() == 1);
            }
        }
    }
}
