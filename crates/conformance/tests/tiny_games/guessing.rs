//! A planner that looks for the dice of its match by trying seeds.

use super::lights::{Lamps, LightRules, Lights};
use super::*;
use outwit_core::levels::write_ron;
use outwit_core::tournament::{Contest, ContestLevel, Entrants, replay_of, run_contest};

/// It tries the seeds below this.
const TRIED: u64 = 300;

/// Whether the dice of a seed fit what the planner was given and sees.
type Clue = fn(&PlannerContext<Lights>, &Lamps, &Chance) -> bool;

/// Gives up the match if it has found the dice, which tells us so.
struct Guesser {
    context: PlannerContext<Lights>,
    clue: Clue,
    knows: bool,
}

impl Guesser {
    fn by(context: PlannerContext<Lights>, clue: Clue) -> Box<dyn Planner<Lights>> {
        Box::new(Self { context, clue, knows: false })
    }
}

impl Planner<Lights> for Guesser {
    fn observe(&mut self, seen: &Lamps) {
        let fits = |seed| (self.clue)(&self.context, seen, &Chance::new(seed));
        self.knows = (0..TRIED).any(fits);
    }
    fn think(&mut self, clock: &Clock) -> Progress {
        let _ = clock.take(1);
        Progress::Done
    }
    fn best(&self) -> Option<Cell> {
        None
    }
    fn closing(&self) -> Option<Closing> {
        self.knows.then_some(Closing::Resigned)
    }
}

const GUESSERS: &[PlannerSpec<Lights>] = &[
    planner("by-seed", |own| {
        Guesser::by(own, |own, _, dice| dice.planner_seed(own.seat) == own.seed)
    }),
    planner("by-sight", |own| {
        Guesser::by(own, |own, seen, dice| own.game.start(dice) == Ok(*seen))
    }),
];

#[test]
fn dice_are_found_unless_they_are_sealed() {
    let rules = LightRules { scramble: 50, most: Some(1) };
    let level = CheckedLevel::new(level::<Lights>(rules, &["...."; 4])).unwrap();
    let text = ContestLevel::new("lights/dark".into(), write_ron(&level));
    let seats = vec![Entrants::new("player", GUESSERS.iter().map(|spec| spec.name))];
    let rules = (Lights::ID, Lights::RULES_VERSION);
    let open = Contest::new(rules, text, seats, (11, 6), Budget::Work(1));
    let sealed = Contest { salt: "c3".repeat(32).parse().ok(), ..open.clone() };
    let stop = StopFlag::default();
    for contest in [&open, &sealed] {
        let play = || run_contest(&level, GUESSERS, contest, vec![], &stop, &|_| Ok(())).unwrap();
        let games = play();
        assert_eq!(games.len(), 12);
        for (game, again) in games.iter().zip(play()) {
            let found = game.closing == Some((Seat(0), Closing::Resigned));
            assert_eq!(found, contest.salt.is_none(), "{:?}", game.players);
            assert_eq!(game.digest, again.digest);
            let replay = replay_of(&level, GUESSERS, contest, game, &stop).unwrap();
            assert_eq!(replay.salt, contest.salt);
            assert!(replay.play().is_ok());
            let altered = Replay { salt: "c4".repeat(32).parse().ok(), ..replay }.sealed();
            assert_eq!(altered.play().err(), Some(ReplayError::Unfaithful));
        }
    }
}
