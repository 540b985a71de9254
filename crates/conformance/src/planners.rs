//! Planners: what decides their answer, and what must not.

use super::{Subject, game, planners_of, random_match, seats};
use outwit_core::play::{
    Budget, Chance, Clock, Match, MatchSetup, Planner, PlannerContext, PlannerSpec, Player,
    Progress, Referee, Seat, Snapshot, StopFlag, Thinking, analyse,
};
use outwit_kit::GameSpec;
use std::sync::Arc;

fn make<G: GameSpec>(
    spec: &PlannerSpec<G>,
    game: &Arc<G>,
    seat: Seat,
    seed: u64,
) -> Box<dyn Planner<G>> {
    let mut planner = (spec.make)(PlannerContext { game: Arc::clone(game), seat, seed });
    while planner.prepare(&Clock::unlimited()) == Progress::More {}
    planner
}

/// Who sits on the other seats does not matter here: the plainest.
fn line_up<G: GameSpec>(spec: &PlannerSpec<G>, seat: Seat) -> Vec<Player> {
    let other = |other| if other == seat { spec.name } else { planners_of::<G>(other)[0].name };
    seats::<G>().map(|seat| other(seat).into()).collect()
}

/// Inline, on a thread and in slices a planner plays the same.
pub fn drivers_agree<G: GameSpec, S: Subject<Game = G>>() {
    let level = S::samples().swap_remove(0);
    for seat in seats::<G>() {
        for spec in planners_of::<G>(seat) {
            let play = |thinking| {
                let setup = MatchSetup::new(&line_up(spec, seat), Budget::Work(S::WORK), 4)
                    .thinking(thinking);
                let mut referee = Referee::new(game::<G>(&level), G::planners(), setup).unwrap();
                referee.run(8);
                let stats = referee.stats(seat);
                assert_eq!(
                    (&stats.panic, stats.illegal, stats.overruns),
                    (&None, 0, 0),
                    "{}",
                    spec.name
                );
                (
                    referee.played().states().to_vec(),
                    referee.played().closing(),
                    stats.work,
                    stats.asked,
                )
            };
            let inline = play(Thinking::Inline);
            assert!(inline.3 > 0);
            assert_eq!(inline, play(Thinking::Threads), "{} on a thread", spec.name);
            assert_eq!(inline, play(Thinking::Sliced), "{} in slices", spec.name);
        }
    }
}

/// Some positions in which the seat has to choose.
fn positions<G: GameSpec, S: Subject<Game = G>>(
    level: &G::Level,
    seat: Seat,
) -> (Match<G>, Vec<usize>) {
    let played = random_match::<G, S>(level, 11, 40);
    let asked = |turn: &usize| played.turns()[*turn].actions.iter().any(|(s, _)| *s == seat);
    let turns: Vec<usize> = (0..played.len()).filter(asked).collect();
    let step = turns.len().div_ceil(3).max(1);
    let turns = turns.into_iter().step_by(step).collect();
    (played, turns)
}

/// However its thinking is sliced, a planner has the same answer, and a legal one at any moment.
pub fn slicing_changes_nothing<G: GameSpec, S: Subject<Game = G>>() {
    for level in S::samples() {
        for seat in seats::<G>() {
            let (played, turns) = positions::<G, S>(&level, seat);
            for spec in planners_of::<G>(seat) {
                let answers = |slice: Option<u64>| -> Vec<_> {
                    let mut planner = make(spec, played.game(), seat, 6);
                    let answer = |&turn: &usize| {
                        planner.observe(&played.observation(turn, seat).unwrap());
                        let state = &played.states()[turn];
                        let legal = |action| played.game().legal(state, seat, &action).is_ok();
                        assert!(legal(planner.best()), "{} before it thinks", spec.name);
                        let clock = Clock::work(S::WORK);
                        let mut progress = Progress::More;
                        while progress == Progress::More && !clock.is_over() {
                            match slice {
                                Some(units) => clock.slice_of_work(units),
                                None => clock.slice_of_time(std::time::Duration::from_micros(50)),
                            }
                            progress = planner.think(&clock);
                            assert!(legal(planner.best()), "{} between slices", spec.name);
                        }
                        (
                            planner.best(),
                            planner.line(),
                            planner.closing(),
                            planner.insight(),
                            clock.used(),
                        )
                    };
                    turns.iter().map(answer).collect()
                };
                let whole = answers(Some(u64::MAX));
                for slice in [Some(1), Some(7), Some(100), None] {
                    let sliced = answers(slice);
                    for (a, b) in whole.iter().zip(&sliced) {
                        assert_eq!(
                            (&a.0, &a.1, a.2),
                            (&b.0, &b.1, b.2),
                            "{} in slices of {slice:?}",
                            spec.name
                        );
                        assert_eq!(a.4, b.4, "{}: work in slices of {slice:?}", spec.name);
                    }
                }
            }
        }
    }
}

/// What a planner plays after seeing these positions one after another.
fn plays<G: GameSpec, S: Subject<Game = G>>(
    spec: &PlannerSpec<G>,
    game: &Arc<G>,
    seat: Seat,
    seen: impl IntoIterator<Item = G::Observation>,
) -> Vec<G::Action> {
    let mut planner = make(spec, game, seat, 6);
    let mut play = |seen| {
        planner.observe(&seen);
        let clock = Clock::work(S::WORK);
        while planner.think(&clock) == Progress::More && !clock.is_over() {}
        planner.best()
    };
    seen.into_iter().map(&mut play).collect()
}

/// Planners do not look for the dice: where they see the same in matches with other dice, they play
/// the same. What keeps them from looking is a salt.
pub fn chance_cannot_be_foreseen<G: GameSpec, S: Subject<Game = G>>() {
    let level = S::samples().swap_remove(0);
    for seat in seats::<G>() {
        let (played, turns) = positions::<G, S>(&level, seat);
        for spec in planners_of::<G>(seat) {
            let seen = || turns.iter().map(|&turn| played.observation(turn, seat).unwrap());
            let here = plays::<G, S>(spec, played.game(), seat, seen());
            // Elsewhere a match of another seed is under way with the same rules.
            let other = game::<G>(&level);
            let elsewhere = Match::new(Arc::clone(&other), 999).unwrap();
            assert_eq!(here, plays::<G, S>(spec, &other, seat, seen()), "{}", spec.name);
            drop(elsewhere);
        }
    }
    // The dice decide nothing that a seat sees before they are thrown.
    let game = game::<G>(&level);
    let played = random_match::<G, S>(&level, 11, 6);
    let state = &played.states()[played.len() - 1];
    let turn = &played.turns()[played.len() - 1];
    let after = |seed| {
        let mut next = state.clone();
        let mut events = Vec::new();
        game.advance(&mut next, &turn.actions, &Chance::new(seed), &mut events);
        next
    };
    assert_eq!(after(11), after(11));
    assert_eq!(&after(11), played.state());
}

/// What a seat does not see changes nothing of what its planners play.
pub fn hidden_things_stay_hidden<G: GameSpec, S: Subject<Game = G>>() {
    let level = S::samples().swap_remove(0);
    for seat in seats::<G>() {
        let (played, turns) = positions::<G, S>(&level, seat);
        let states: Vec<_> = played.states().iter().map(S::disguised).collect();
        for spec in planners_of::<G>(seat) {
            let open = turns.iter().map(|&turn| played.observation(turn, seat).unwrap());
            let veiled = turns
                .iter()
                .map(|&turn| played.game().observe(&states[..turn], &states[turn], seat));
            let open = plays::<G, S>(spec, played.game(), seat, open);
            assert_eq!(open, plays::<G, S>(spec, played.game(), seat, veiled), "{}", spec.name);
        }
    }
}

/// An analysis ends with what the planner played in the match.
pub fn analysis_agrees_with_the_referee<G: GameSpec, S: Subject<Game = G>>() {
    let level = S::samples().swap_remove(0);
    for seat in seats::<G>() {
        for spec in planners_of::<G>(seat) {
            let setup = MatchSetup::new(&line_up(spec, seat), Budget::Work(S::WORK), 4);
            let mut referee =
                Referee::new(game::<G>(&level), G::planners(), setup.thinking(Thinking::Inline))
                    .unwrap();
            referee.run(4);
            let played = referee.played();
            let Some((turn, choice)) =
                played.turns().iter().enumerate().find_map(|(turn, done)| {
                    Some((turn, &done.actions.iter().find(|(s, _)| *s == seat)?.1))
                })
            else {
                continue;
            };
            let snapshots = |budget| {
                let seed = planner_seed(played, seat);
                let context = PlannerContext { game: Arc::clone(played.game()), seat, seed };
                let seen = played.observation(turn, seat).unwrap();
                let mut all: Vec<Snapshot<G::Action>> = Vec::new();
                analyse(
                    spec,
                    context,
                    &seen,
                    Budget::Work(budget),
                    &StopFlag::default(),
                    |snapshot| all.push(snapshot),
                )
                .unwrap();
                all
            };
            let whole = snapshots(S::WORK);
            assert_eq!(&whole[whole.len() - 1].best, choice, "{}", spec.name);
            assert!(whole.windows(2).all(|pair| pair[0].work <= pair[1].work));
            assert_eq!(whole[0].work, 0);
            // Less work gives the beginning of the same.
            let part = snapshots(S::WORK / 4);
            for (a, b) in part.iter().zip(&whole).take_while(|(a, b)| a.work == b.work) {
                assert_eq!((&a.best, &a.line, a.done), (&b.best, &b.line, b.done), "{}", spec.name);
                assert!(
                    a.insight == b.insight
                        || format!("{:?}", a.insight) == format!("{:?}", b.insight)
                );
            }
        }
    }
}

/// The seed that the referee gives a planner.
fn planner_seed<G: GameSpec>(played: &Match<G>, seat: Seat) -> u64 {
    use rand::Rng;
    played.chance().stream((1 << 63) + u64::from(seat.0)).next_u64()
}
