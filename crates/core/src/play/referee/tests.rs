//! The referee over a made-up game: who is asked, what is ruled, and what is counted.

use super::*;
use crate::levels::{Fault, LevelData};
use crate::perfect_information;
use crate::play::{
    CheckedLevel, Clock, EngineInfo, EngineSpec, MakePlanner, MatchRules, Place, ProgramLog,
    Progress, SeatSpec, Seats, TurnStats, find_planner,
};
use rand::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Whoever adds up more in so many turns wins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
struct Numbers {
    turns: u32,
    /// Whether both choose at the same time, or by turns.
    together: bool,
}

impl LevelData for Numbers {
    fn text(&self) -> String {
        format!("{self:?}")
    }
}

/// With `LOSES`, a person whose time for the match is up loses.
struct Sums<const LOSES: bool>(Numbers);

#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
struct SumsState {
    drawn: u64,
    turn: u32,
    sums: [u32; 2],
}

impl<const LOSES: bool> Game for Sums<LOSES> {
    const ID: &'static str = "sums";
    const RULES_VERSION: u32 = 1;
    const SEATS: Seats = Seats {
        allowed: 2..=2,
        spec: |Seat(seat)| SeatSpec {
            id: ["a", "b"][usize::from(seat)].into(),
            title: ["A", "B"][usize::from(seat)].into(),
            piece: "thief",
        },
    };
    const MATCH_RULES: MatchRules<Self> = MatchRules { loses_on_time: LOSES, ..MatchRules::USUAL };
    const PROGRAMS: Option<EngineSpec<Self>> = Some(EngineSpec {
        protocol: "made up",
        fits: |_| Ok(()),
        ask: |_, _, _| {
            Ok(EngineInfo { name: String::new(), about: String::new(), start: Duration::ZERO })
        },
        // The name of its file says how it plays.
        make: |context, seat| {
            let name = seat.program.label();
            (find_planner(&specs(), &name, context.seat).unwrap().make)(context)
        },
    });

    type Level = Numbers;
    type State = SumsState;
    type Action = u32;
    type Event = ();
    perfect_information! {}

    fn faults(_: &Numbers) -> Vec<Fault> {
        Vec::new()
    }

    fn new(level: &CheckedLevel<Self>, _: usize) -> Result<Self, SetupError> {
        Ok(Self(level.clone().into_inner()))
    }

    fn level(&self) -> &Numbers {
        &self.0
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self, chance: &Chance) -> Result<SumsState, SetupError> {
        match chance.seed() {
            0 => Err(SetupError("no start".into())),
            _ => Ok(SumsState { drawn: chance.stream(0).next_u64(), turn: 0, sums: [0, 0] }),
        }
    }

    fn to_move(&self, state: &SumsState) -> Vec<Seat> {
        match self.0.together {
            true => vec![A, B],
            false => vec![Seat((state.turn % 2) as u8)],
        }
    }

    fn actions(&self, _: &SumsState, _: Seat) -> Option<Vec<u32>> {
        Some(vec![0, 1, 2, 3])
    }

    fn advance(&self, state: &mut SumsState, actions: &[(Seat, u32)], _: &Chance, _: &mut Vec<()>) {
        state.turn += 1;
        for (seat, number) in actions {
            state.sums[seat.index()] += number;
        }
    }

    fn outcome(&self, state: &SumsState) -> Option<Outcome> {
        let best = state.sums.iter().max()?;
        let place = |sum: &u32| Place {
            rank: if sum == best { 1 } else { 2 },
            score: Some(f64::from(*sum)),
            ending: "counted".into(),
        };
        let places = state.sums.iter().map(place).collect();
        (state.turn >= self.0.turns).then(|| Outcome { headline: "counted".into(), places })
    }
}

const A: Seat = Seat(0);
const B: Seat = Seat(1);
const ALL: [Thinking; 3] = [Thinking::Inline, Thinking::Sliced, Thinking::Threads];

/// How a planner behaves; those that do not say otherwise play 3.
const PLAYS: u8 = 0;
const CHEATS: u8 = 1;
const PANICS: u8 = 2;
const RESIGNS: u8 = 3;
const FAILS: u8 = 4;
/// It fails before the first turn.
const BREAKS: u8 = 5;
/// It has always more to think about, but obeys the clock.
const PONDERS: u8 = 6;
/// It heeds nothing until [`RELEASED`] says so.
const HANGS: u8 = 7;
/// Its preparation does.
const NEVER_READY: u8 = 8;
/// It answers when its time is long up.
const LATE: u8 = 9;
/// It cheats and hangs.
const CHEATS_AND_HANGS: u8 = 10;
/// It plays the number of the turn that it has seen.
const COUNTS: u8 = 11;
/// Its preparation heeds nothing until [`READY`] says so.
const WARMS_UP: u8 = 12;

static RELEASED: AtomicBool = AtomicBool::new(false);
static READY: AtomicBool = AtomicBool::new(false);

struct Scripted<const HOW: u8> {
    seen: Option<SumsState>,
    log: ProgramLog,
}

fn hang_until(is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

impl<const HOW: u8, const LOSES: bool> Planner<Sums<LOSES>> for Scripted<HOW> {
    fn prepare(&mut self, _: &Clock) -> Progress {
        match HOW {
            NEVER_READY => hang_until(&RELEASED),
            WARMS_UP => hang_until(&READY),
            _ => {}
        }
        Progress::Done
    }

    fn observe(&mut self, seen: &SumsState) {
        self.seen = Some(seen.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        match HOW {
            PANICS => panic!("planted"),
            PONDERS => {
                while clock.take(1) {}
                return Progress::More;
            }
            HANGS | CHEATS_AND_HANGS => hang_until(&RELEASED),
            LATE => std::thread::sleep(crate::play::GRACE * 2),
            _ => drop(clock.take(1)),
        }
        Progress::Done
    }

    fn best(&self) -> u32 {
        match HOW {
            CHEATS | CHEATS_AND_HANGS => 9,
            COUNTS => self.seen.as_ref().map_or(0, |seen| seen.turn),
            _ => 3,
        }
    }

    fn line(&self) -> Line<u32> {
        Line { value: None, actions: vec![3, self.seen.as_ref().map_or(99, |seen| seen.turn)] }
    }

    fn closing(&self) -> Option<Closing> {
        (HOW == RESIGNS).then_some(Closing::Resigned)
    }

    fn fault(&self) -> Option<String> {
        (HOW == BREAKS || HOW == FAILS && self.seen.is_some()).then(|| "planted".into())
    }

    fn log(&self) -> Option<ProgramLog> {
        (HOW == PLAYS).then(|| self.log.clone())
    }

    fn insight(&self) -> Insight {
        let turn = self.seen.as_ref().map_or(99, |seen| seen.turn);
        Insight { notes: vec![format!("turn {turn}")], ..Insight::default() }
    }
}

fn make<const HOW: u8, const LOSES: bool>(
    _: PlannerContext<Sums<LOSES>>,
) -> Box<dyn Planner<Sums<LOSES>>> {
    Box::new(Scripted::<HOW> { seen: None, log: ProgramLog::default() })
}

fn specs<const LOSES: bool>() -> Vec<PlannerSpec<Sums<LOSES>>> {
    let spec = |(name, make)| PlannerSpec {
        name,
        algorithm: "",
        about: "",
        method: "",
        seats: |_| true,
        make,
    };
    let all: [(&str, MakePlanner<Sums<LOSES>>); 13] = [
        ("plays", make::<PLAYS, LOSES>),
        ("cheats", make::<CHEATS, LOSES>),
        ("panics", make::<PANICS, LOSES>),
        ("resigns", make::<RESIGNS, LOSES>),
        ("fails", make::<FAILS, LOSES>),
        ("breaks", make::<BREAKS, LOSES>),
        ("ponders", make::<PONDERS, LOSES>),
        ("hangs", make::<HANGS, LOSES>),
        ("never-ready", make::<NEVER_READY, LOSES>),
        ("late", make::<LATE, LOSES>),
        ("cheats-and-hangs", make::<CHEATS_AND_HANGS, LOSES>),
        ("counts", make::<COUNTS, LOSES>),
        ("warms-up", make::<WARMS_UP, LOSES>),
    ];
    all.map(spec).into()
}

fn setup(players: [&str; 2], control: impl Into<TimeControl>, thinking: Thinking) -> MatchSetup {
    MatchSetup::new(&players.map(Player::from), control, 1).thinking(thinking)
}

fn begin<const LOSES: bool>(
    level: &Numbers,
    setup: MatchSetup,
) -> Result<Referee<Sums<LOSES>>, SetupError> {
    Referee::new(Arc::new(Sums(level.clone())), &specs(), setup)
}

const TOGETHER: Numbers = Numbers { turns: 4, together: true };
const BY_TURNS: Numbers = Numbers { turns: 4, together: false };

fn referee(level: &Numbers, setup: MatchSetup) -> Referee<Sums<false>> {
    begin(level, setup).unwrap()
}

fn people(level: &Numbers) -> Referee<Sums<false>> {
    referee(level, setup(["human", "human"], TimeControl::Unlimited, Thinking::Inline))
}

fn planners(players: [&str; 2], thinking: Thinking) -> Referee<Sums<false>> {
    referee(&TOGETHER, setup(players, Budget::Work(8), thinking))
}

fn sums(referee: &Referee<Sums<false>>) -> [u32; 2] {
    referee.played().state().sums
}

/// Polls until something holds, however long that takes.
fn poll_until(referee: &mut Referee<Sums<false>>, holds: impl Fn(&Referee<Sums<false>>) -> bool) {
    while !holds(referee) {
        referee.poll();
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_set_up_that_does_not_fit_is_refused() {
    let plain = || setup(["plays", "plays"], Budget::Work(8), Thinking::Inline);
    let refused = |setup| begin::<false>(&TOGETHER, setup).err().map(|why| why.0);
    assert_eq!(refused(plain()), None);
    let short = MatchSetup { players: vec!["plays".into()], ..plain() };
    assert_eq!(refused(short).as_deref(), Some("1 players for 2 seats"));
    let short = MatchSetup { controls: Vec::new(), ..plain() };
    assert_eq!(refused(short).as_deref(), Some("0 time controls for 2 seats"));
    let long = MatchSetup { preparation: vec![Duration::ZERO; 3], ..plain() };
    assert_eq!(refused(long).as_deref(), Some("3 limits of preparation for 2 seats"));
    assert_eq!(refused(MatchSetup { seed: 0, ..plain() }).as_deref(), Some("no start"));
    let unknown = setup(["plays", "sings"], Budget::Work(8), Thinking::Inline);
    assert!(refused(unknown).unwrap().starts_with("no planner 'sings' for seat b"));
    let cpu = Budget::Cpu(Duration::from_secs(1));
    let why = refused(setup(["plays", "plays"], cpu, Thinking::Sliced)).unwrap();
    assert!(why.contains("processor time"), "{why}");
}

#[test]
fn planners_play_to_the_end_and_are_counted() {
    for thinking in ALL {
        let mut referee = planners(["plays", "plays"], thinking);
        assert_eq!(referee.names().collect::<Vec<_>>(), ["plays", "plays"]);
        assert_eq!(referee.player(B), &Player::from("plays"));
        assert_eq!(referee.control(A), Budget::Work(8).into());
        assert_eq!((referee.used(A), referee.time_left(A)), (None, None));
        assert_eq!((referee.run(2), referee.played().len()), (Ruling::Played, 2), "{thinking:?}");
        assert!(!referee.is_over() && referee.outcome().is_none());
        referee.rewind(1);
        assert_eq!((referee.stats(A).asked, referee.stats(B).asked), (1, 1), "{thinking:?}");
        assert_eq!(referee.run(9), Ruling::Over);
        assert_eq!((referee.poll(), sums(&referee)), (Ruling::Over, [12, 12]));
        assert!(referee.is_over());
        assert_eq!(referee.outcome().unwrap().places[1].score, Some(12.0));
        let stats = referee.stats(B);
        assert_eq!((stats.asked, stats.work, stats.thought.len()), (4, 4, 4), "{thinking:?}");
        assert_eq!((stats.illegal, stats.panic, stats.fault), (0, None, None));
        assert_eq!(referee.used(B), Some(1.0 / 8.0), "{thinking:?}");
        assert!(matches!(referee.preparation(A), Some(Preparation::Ready(_))));
        let again = referee.replay().play().unwrap();
        assert_eq!(again.states(), referee.played().states());
        let mut record = Referee::of_record(
            again,
            &Replay { seats: vec!["x".into(), "y".into()], ..referee.replay() },
        );
        assert_eq!(record.names().collect::<Vec<_>>(), ["x", "y"]);
        assert!(record.is_over() && record.insight(A).is_none());
        assert_eq!((record.line(A), record.preparation(A)), (Line::default(), None));
        assert_eq!((record.poll(), record.stats(A).asked), (Ruling::Over, 0));
    }
}

#[test]
fn a_raised_flag_ends_the_run() {
    let setup = setup(["plays", "plays"], Budget::Work(8), Thinking::Inline);
    let stop = setup.stop.clone();
    let mut referee = referee(&TOGETHER, setup);
    stop.raise();
    assert_eq!((referee.run(9), referee.played().len()), (Ruling::Waiting, 0));
}

#[test]
fn people_choose_once_each_in_their_turn() {
    let mut referee = people(&TOGETHER);
    assert_eq!(referee.humans_to_move(), [A, B]);
    assert_eq!(referee.run(9), Ruling::Waiting);
    assert_eq!(
        referee.choose(A, 4).unwrap_err().to_string(),
        "this is not among the actions to choose from"
    );
    referee.choose(A, 1).unwrap();
    assert_eq!(referee.humans_to_move(), [B]);
    assert_eq!(referee.choose(A, 1).unwrap_err(), MatchError::NotToMove("a".into()));
    assert_eq!(referee.poll(), Ruling::Waiting);
    assert_eq!(referee.stats(A).asked, 1);
    referee.choose(B, 2).unwrap();
    assert_eq!((referee.poll(), sums(&referee)), (Ruling::Played, [1, 2]));
    assert_eq!(referee.humans_to_move(), [A, B]);
    assert_eq!((referee.preparation(A), referee.is_preparing(A)), (None, false));
    assert!(!referee.can_hurry() && referee.insight(A).is_none() && referee.log(A).is_none());
    let mut referee = people(&BY_TURNS);
    assert_eq!(referee.humans_to_move(), [A]);
    assert_eq!(referee.choose(B, 1).unwrap_err(), MatchError::NotToMove("b".into()));
    referee.close(A, Closing::Resigned);
    assert_eq!((referee.poll(), referee.humans_to_move()), (Ruling::Over, Vec::new()));
    assert_eq!(referee.outcome().unwrap().places[0].ending, "resigned");
}

#[test]
fn people_and_planners_wait_for_each_other() {
    for thinking in ALL {
        let players = ["plays", "human"];
        let mut referee = referee(&TOGETHER, setup(players, Budget::Work(8), thinking));
        assert_eq!(referee.run(9), Ruling::Waiting);
        assert_eq!(referee.humans_to_move(), [B]);
        poll_until(&mut referee, |referee| referee.stats(A).asked == 1);
        assert_eq!(referee.choose(A, 1).unwrap_err(), MatchError::NotToMove("a".into()));
        referee.choose(B, 1).unwrap();
        assert_eq!((referee.run(1), sums(&referee)), (Ruling::Played, [3, 1]), "{thinking:?}");
    }
}

#[test]
fn what_came_later_is_forgotten_or_kept_aside() {
    let mut referee = people(&BY_TURNS);
    let play = |referee: &mut Referee<Sums<false>>, numbers: &[u32]| {
        for number in numbers {
            let seat = referee.humans_to_move()[0];
            referee.choose(seat, *number).unwrap();
            assert_eq!(referee.poll(), Ruling::Played);
        }
    };
    play(&mut referee, &[1, 2, 3]);
    assert_eq!((referee.stats(A).asked, referee.stats(B).asked), (2, 1));
    // A choice that was made for the turn is taken back too.
    referee.choose(B, 1).unwrap();
    referee.rewind(2);
    assert_eq!((sums(&referee), referee.stats(A).asked), ([1, 2], 1));
    assert_eq!((referee.stats(B).asked, referee.humans_to_move()), (1, vec![A]));
    assert!(referee.played().variations().is_empty());
    play(&mut referee, &[3]);
    referee.branch(1);
    assert_eq!((sums(&referee), referee.stats(A).asked), ([1, 0], 1));
    assert_eq!((referee.stats(B).asked, referee.played().variations().len()), (0, 1));
    play(&mut referee, &[1]);
    referee.choose_variation(0).unwrap();
    assert_eq!((sums(&referee), referee.stats(B).asked), ([4, 2], 0));
    assert!(referee.choose_variation(7).is_err());
    // Whoever sits there, a turn can be played; what was chosen for it is gone.
    referee.choose(B, 1).unwrap();
    referee.advance(vec![(B, 3)]).unwrap();
    assert_eq!((sums(&referee), referee.is_over()), ([4, 5], true));
    assert_eq!(referee.advance(vec![(A, 3)]).unwrap_err(), MatchError::Over);
}

#[test]
fn only_the_same_match_is_taken_over() {
    let mut earlier = people(&BY_TURNS);
    earlier.advance(vec![(A, 2)]).unwrap();
    let mut referee = people(&BY_TURNS);
    let before = Arc::clone(referee.played().game());
    referee.resume(earlier.played().clone()).unwrap();
    assert_eq!((sums(&referee), referee.humans_to_move()), ([2, 0], vec![B]));
    assert!(Arc::ptr_eq(&before, referee.played().game()), "its rules stay");
    let other_level = people(&Numbers { turns: 5, ..BY_TURNS });
    let other_seed = MatchSetup {
        seed: 2,
        ..setup(["human", "human"], TimeControl::Unlimited, Thinking::Inline)
    };
    for other in [other_level, self::referee(&BY_TURNS, other_seed)] {
        let why = referee.resume(other.played().clone()).unwrap_err();
        assert_eq!((why, sums(&referee)), (MatchError::OtherLevel, [2, 0]));
    }
}

#[test]
fn who_breaks_the_rules_or_panics_plays_as_little_as_possible() {
    for thinking in ALL {
        let mut referee = planners(["plays", "cheats"], thinking);
        assert_eq!((referee.run(9), sums(&referee)), (Ruling::Over, [12, 0]), "{thinking:?}");
        assert_eq!((referee.stats(A).illegal, referee.stats(B).illegal), (0, 4));
        let mut referee = planners(["panics", "plays"], thinking);
        assert_eq!((referee.run(9), sums(&referee)), (Ruling::Over, [0, 12]), "{thinking:?}");
        assert_eq!(referee.stats(A).panic.as_deref(), Some("planted"));
        assert_eq!((referee.stats(B).panic, referee.preparation(A)), (None, None));
        assert!(referee.insight(A).is_none() && referee.line(A) == Line::default());
        if thinking == Thinking::Threads {
            // Only the turn in which it panicked counts.
            let stats = referee.stats(A);
            assert!(stats.asked == 1 && stats.thought[0] > Duration::ZERO);
        }
        let panics_second = setup(["plays", "panics"], Budget::Work(8), thinking);
        let mut second = self::referee(&BY_TURNS, panics_second);
        assert_eq!((second.run(9), second.stats(B).panic.is_some()), (Ruling::Over, true));
        second.rewind(1);
        assert_eq!(second.stats(B).asked, 0, "it panicked in turn 1, {thinking:?}");
    }
}

#[test]
fn an_answer_is_of_the_turn_that_was_asked_about() {
    for thinking in ALL {
        let mut referee = planners(["counts", "plays"], thinking);
        assert_eq!((referee.run(9), sums(&referee)), (Ruling::Over, [1 + 2 + 3, 12]));
    }
}

#[test]
fn who_gives_up_or_fails_ends_the_match() {
    for thinking in ALL {
        for (player, closing) in [("resigns", Closing::Resigned), ("fails", Closing::Failed)] {
            let mut referee = planners(["plays", player], thinking);
            assert_eq!(referee.run(9), Ruling::Over, "{player} {thinking:?}");
            assert_eq!(referee.played().closing(), Some((B, closing)));
            assert_eq!((referee.played().len(), referee.poll()), (0, Ruling::Over));
            assert_eq!(referee.stats(B).asked, 1, "{player} {thinking:?}");
            let fault = referee.stats(B).fault;
            assert_eq!(fault.as_deref(), (player == "fails").then_some("planted"));
            assert_eq!(referee.stats(A).fault, None);
            // Back in the match, nothing is wrong any more.
            referee.branch(0);
            assert_eq!((referee.is_over(), referee.stats(B).fault), (false, None));
        }
    }
    let mut referee = planners(["plays", "breaks"], Thinking::Threads);
    while referee.is_preparing(B) {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!((referee.run(9), referee.played().len()), (Ruling::Over, 0));
    assert_eq!(referee.played().closing(), Some((B, Closing::Failed)));
    assert_eq!((referee.stats(B).fault.as_deref(), referee.stats(B).asked), (Some("planted"), 0));
}

#[test]
fn a_picture_and_a_line_are_of_the_turn_that_was_asked_about() {
    for thinking in ALL {
        let players = ["plays", "human"];
        let mut referee = referee(&TOGETHER, setup(players, Budget::Work(8), thinking));
        assert!(referee.insight(A).is_none() && referee.line(A) == Line::default());
        let shown = |referee: &Referee<Sums<false>>, turn: usize| {
            let notes = referee.insight(A).map(|(turn, insight)| (turn, insight.notes.clone()));
            notes == Some((turn, vec![format!("turn {turn}")]))
                && referee.line(A).actions == [3, turn as u32]
        };
        for turn in 0..2 {
            poll_until(&mut referee, |referee| shown(referee, turn));
            referee.choose(B, 1).unwrap();
            assert_eq!(referee.run(turn + 1), Ruling::Played);
        }
        assert_eq!((referee.insight(B), referee.line(B)), (None, Line::default()));
        referee.rewind(2);
        assert!(shown(&referee, 1), "{thinking:?}");
        referee.rewind(1);
        assert_eq!((referee.insight(A), referee.line(A)), (None, Line::default()));
        referee.rewind(0);
        assert_eq!((referee.insight(A), referee.line(A)), (None, Line::default()));
    }
}

#[test]
fn planners_can_be_hurried() {
    for thinking in [Thinking::Sliced, Thinking::Threads] {
        let long = Budget::Time(Duration::from_secs(3600));
        let mut referee = referee(&TOGETHER, setup(["ponders", "human"], long, thinking));
        assert!(!referee.can_hurry());
        poll_until(&mut referee, Referee::can_hurry);
        assert_eq!((referee.poll(), referee.humans_to_move()), (Ruling::Waiting, vec![B]));
        assert!(referee.time_left(A) > Some(Duration::from_secs(3000)));
        referee.hurry();
        poll_until(&mut referee, |referee| referee.stats(A).asked == 1);
        assert!(!referee.can_hurry(), "{thinking:?}");
        assert_eq!(referee.stats(A).overruns, 0);
        referee.choose(B, 0).unwrap();
        assert_eq!((referee.run(1), sums(&referee)), (Ruling::Played, [3, 0]));
        referee.close(A, Closing::Resigned);
        assert!(!referee.can_hurry());
    }
}

#[test]
fn what_a_planner_has_used_grows_while_it_thinks() {
    for thinking in [Thinking::Sliced, Thinking::Threads] {
        let budget = Budget::Work(u64::MAX);
        let mut referee = referee(&TOGETHER, setup(["ponders", "human"], budget, thinking));
        poll_until(&mut referee, |referee| referee.used(A).is_some_and(|used| used > 0.0));
        assert!(referee.used(A) < Some(0.5));
        let hour = Budget::Time(Duration::from_secs(3600));
        let mut referee = self::referee(&TOGETHER, setup(["ponders", "human"], hour, thinking));
        poll_until(&mut referee, |referee| referee.used(A).is_some_and(|used| used > 0.0));
        assert!(referee.used(A) < Some(0.5), "{thinking:?}");
    }
    let hour = Budget::Time(Duration::from_secs(3600));
    // One that has said nothing yet uses time as well.
    let mut silent = referee(&TOGETHER, setup(["late", "human"], hour, Thinking::Threads));
    silent.poll();
    std::thread::sleep(Duration::from_millis(1));
    assert!(silent.used(A) > Some(0.0));
    // Of a turn that is over, what it took in the end.
    for thinking in ALL {
        let mut referee = referee(&TOGETHER, setup(["plays", "human"], hour, thinking));
        poll_until(&mut referee, |referee| referee.stats(A).asked == 1);
        let thought = referee.stats(A).thought[0];
        assert_eq!(referee.used(A), Some(thought.as_secs_f32() / 3600.0), "{thinking:?}");
    }
    // All of its work, and no more than all.
    let mut referee = planners(["ponders", "plays"], Thinking::Threads);
    assert_eq!(referee.run(1), Ruling::Played);
    assert_eq!((referee.used(A), referee.used(B)), (Some(1.0), Some(0.125)));
}

fn judges_what_a_hanging_cheat_has_said() {
    let hour = Budget::Time(Duration::from_secs(3600));
    let players = ["cheats-and-hangs", "plays"];
    let mut referee = referee(&TOGETHER, setup(players, hour, Thinking::Threads));
    poll_until(&mut referee, |referee| {
        let Driver::Thread(thread) = &referee.slots[0].driver else { return false };
        thread.peek(|report| report.question == 1)
    });
    // Now its time is up, in this turn and in the next, which it does not see.
    referee.slots[0].control = Budget::Time(Duration::ZERO).into();
    assert_eq!((referee.run(2), sums(&referee)), (Ruling::Played, [0, 6]));
    // It has broken the rules in the one, and said nothing in the other.
    assert_eq!((referee.stats(A).overruns, referee.stats(A).illegal), (2, 1));
    let is_known = crate::platform::time::thread_cpu().is_some();
    assert_eq!(referee.slots[0].turns[0].spent.cpu.is_some(), is_known);
}

#[test]
fn nobody_waits_for_a_planner_that_hangs() {
    let soon = Budget::Time(Duration::from_millis(1));
    let setup = |players: [&str; 2]| setup(players, soon, Thinking::Threads);
    let mut slow = referee(&TOGETHER, setup(["hangs", "plays"]));
    assert_eq!((slow.run(1), sums(&slow)), (Ruling::Played, [3, 3]), "its best until then");
    let stats = slow.stats(A);
    assert_eq!((stats.asked, stats.overruns, stats.illegal), (1, 1, 0));
    assert!(stats.thought[0] > Duration::from_millis(1));
    // It has not seen the next question: what it said of the last one fits that too.
    assert_eq!((slow.run(2), sums(&slow)), (Ruling::Played, [6, 6]));
    assert_eq!(slow.stats(A).overruns, 2);
    slow.rewind(1);
    assert_eq!(slow.stats(A).overruns, 1);
    let strict = MatchSetup { strict: true, ..setup(["hangs", "plays"]) };
    let mut strict = referee(&TOGETHER, strict);
    assert_eq!((strict.run(1), strict.played().len()), (Ruling::Over, 0));
    assert_eq!(strict.played().closing(), Some((A, Closing::TimeOver)));
    assert_eq!((strict.stats(A).asked, strict.stats(A).overruns), (1, 1));
    judges_what_a_hanging_cheat_has_said();
    let limit = vec![Duration::from_millis(1); 2];
    let unready = MatchSetup { preparation: limit, ..setup(["never-ready", "plays"]) };
    let mut unready = referee(&TOGETHER, unready);
    unready.poll();
    assert!(unready.is_preparing(A) && !unready.is_over() && !unready.slots[0].can_hurry());
    assert_eq!((unready.run(1), sums(&unready)), (Ruling::Played, [0, 3]));
    let why = unready.stats(A).panic.unwrap();
    assert_eq!(why, "its preparation did not end within 0.001 s");
    RELEASED.store(true, Ordering::Relaxed);
}

#[test]
fn the_time_of_a_turn_begins_when_its_planner_is_ready() {
    let hour = Duration::from_secs(3600);
    let setup = setup(["warms-up", "human"], Budget::Time(hour), Thinking::Threads);
    let mut referee = referee(&TOGETHER, MatchSetup { preparation: vec![hour; 2], ..setup });
    let began = |referee: &Referee<Sums<false>>| referee.slots[0].asked.unwrap().at;
    referee.poll();
    let first = began(&referee);
    std::thread::sleep(Duration::from_millis(1));
    referee.poll();
    assert!(began(&referee) > first, "it starts anew while the planner is not ready");
    READY.store(true, Ordering::Relaxed);
    while referee.is_preparing(A) {
        std::thread::sleep(Duration::from_millis(1));
    }
    referee.poll();
    let Driver::Thread(thread) = &referee.slots[0].driver else { panic!("not on a thread") };
    assert_eq!(thread.peek(|report| report.prepared), Some(began(&referee)));
}

#[test]
fn a_late_answer_counts_as_such_and_loses_where_time_is_strict() {
    for thinking in ALL {
        let soon = Budget::Time(Duration::from_millis(1));
        let mut mild = referee(&TOGETHER, setup(["late", "plays"], soon, thinking));
        assert_eq!((mild.run(1), sums(&mild)), (Ruling::Played, [3, 3]), "{thinking:?}");
        assert_eq!(mild.stats(A).overruns, 1, "{thinking:?}");
        let strict = setup(["late", "plays"], soon, thinking);
        let mut strict = referee(&TOGETHER, MatchSetup { strict: true, ..strict });
        assert_eq!((strict.run(1), strict.played().len()), (Ruling::Over, 0), "{thinking:?}");
        assert_eq!(strict.played().closing(), Some((A, Closing::TimeOver)));
    }
}

#[test]
fn whose_time_is_up_plays_the_proposal_if_it_fits() {
    let none = Budget::Time(Duration::ZERO);
    let mut referee = referee(&TOGETHER, setup(["human", "human"], none, Thinking::Inline));
    assert_eq!(referee.time_left(A), Some(Duration::ZERO));
    referee.propose(A, Some(2));
    referee.propose(B, Some(7));
    assert_eq!((referee.poll(), sums(&referee)), (Ruling::Played, [2, 0]));
    assert_eq!((referee.stats(A).overruns, referee.stats(B).overruns), (1, 1));
    // A proposal is for one turn.
    assert_eq!((referee.poll(), sums(&referee)), (Ruling::Played, [2, 0]));
}

#[test]
fn whose_time_for_the_match_is_up_loses_where_that_is_the_rule() {
    let none = TimeControl::Match { total: Duration::ZERO, increment: Duration::ZERO };
    let hours = TimeControl::Match { total: Duration::from_secs(7200), increment: Duration::ZERO };
    let people = |control: TimeControl| setup(["human", "human"], control, Thinking::Inline);
    let mut mild = begin::<false>(&TOGETHER, people(none)).unwrap();
    assert_eq!((mild.poll(), mild.played().closing()), (Ruling::Played, None));
    let mut hard = begin::<true>(&TOGETHER, people(none)).unwrap();
    assert_eq!(hard.poll(), Ruling::Over);
    assert_eq!(hard.played().closing(), Some((A, Closing::TimeOver)));
    let mut patient = begin::<true>(&TOGETHER, people(hours)).unwrap();
    assert_eq!(patient.poll(), Ruling::Waiting);
    assert!(patient.time_left(A) < Some(Duration::from_secs(7200)));
    let turn = people(Budget::Time(Duration::ZERO).into());
    let mut by_turn = begin::<true>(&TOGETHER, turn).unwrap();
    assert_eq!(by_turn.poll(), Ruling::Played, "that rule is about the time of a match");
}

#[test]
fn news_of_planners_on_threads_wake_who_waits() {
    let mut referee = planners(["ponders", "plays"], Thinking::Threads);
    let woken = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&woken);
    referee.on_news(move || {
        counter.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(referee.run(1), Ruling::Played);
    assert!(woken.load(Ordering::Relaxed) > 0);
}

#[test]
fn a_program_plays_where_a_person_has_allowed_it() {
    let time = Budget::Time(Duration::from_secs(3600));
    let with = |player: &str, allowed: &[&str]| {
        let programs = crate::play::AllowedPrograms::chosen_by_person(
            allowed.iter().copied(),
            &crate::play::Isolation::Limits,
        );
        let setup = setup([player, "plays"], time, Thinking::Threads);
        begin::<false>(&TOGETHER, MatchSetup { programs, ..setup })
    };
    let refused = with("engine:/a/plays", &["/b/plays"]).err().unwrap();
    assert!(refused.0.contains("/a/plays"), "{refused}");
    let mut referee = with("engine:/a/plays", &["/a/plays"]).unwrap();
    assert_eq!((referee.run(9), sums(&referee)), (Ruling::Over, [12, 12]));
    assert!(referee.log(A).is_some());
    assert_eq!(referee.player(A).program().map(|program| program.command), Some("/a/plays"));
    // The thread that speaks for it has nothing to do meanwhile, so its processor time tells nothing.
    let is_known = |turn: &TurnStats| turn.spent.cpu.is_some();
    assert!(!referee.slots[0].turns.iter().any(is_known));
    let planner_time = crate::platform::time::thread_cpu().is_some();
    assert_eq!(referee.slots[1].turns.iter().all(is_known), planner_time);
    // A panic of what speaks for it is a failure of the program.
    let mut referee = with("engine:/a/panics", &["/a/panics"]).unwrap();
    assert_eq!(referee.run(9), Ruling::Over);
    assert_eq!(referee.played().closing(), Some((A, Closing::Failed)));
    assert_eq!(referee.stats(A).fault.as_deref(), Some("planted"));
}
