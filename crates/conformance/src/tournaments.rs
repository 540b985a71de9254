//! Contests of every game.

use super::faulty::specs;
use super::files::contest;
use super::{Subject, checked, seats};
use outwit_core::play::{Budget, CheckedLevel, Closing, StopFlag, TimeControl};
use outwit_core::tournament::{Contest, FinishedGame, Scoreboard, ratings, replay_of, run_contest};
use outwit_kit::tournament::{csv, game_rows, report};
use outwit_kit::{Erased, GameSpec};
use std::time::Duration;

fn timeless(mut games: Vec<FinishedGame>) -> Vec<FinishedGame> {
    for stats in games.iter_mut().flat_map(|game| &mut game.stats) {
        stats.preparation = Duration::ZERO;
        stats.thought.fill(Duration::ZERO);
    }
    games
}

/// The same contest gives the same games, sealed or not, also when it is resumed.
pub fn contests_repeat_and_resume<G: GameSpec, S: Subject<Game = G>>() {
    let level = checked::<G>(&S::samples()[0]);
    let stop = StopFlag::default();
    let salt = "5a".repeat(32).parse().ok();
    let work = Budget::Work(300);
    for (budget, salt) in
        [(work, None), (work, salt), (Budget::Time(Duration::from_millis(2)), salt)]
    {
        let contest = Contest { salt, ..contest::<G>(&level, 2, budget) };
        let play = |done| {
            run_contest::<G>(&level, G::planners(), &contest, done, &stop, &|_| Ok(())).unwrap()
        };
        let games = play(Vec::new());
        assert_eq!(games.len(), contest.games());
        if matches!(budget, Budget::Work(_)) {
            let again = play(games[..1].to_vec());
            assert_eq!(timeless(again), timeless(games.clone()));
        }
        for game in &games {
            let replay = replay_of::<G>(&level, G::planners(), &contest, game, &stop).unwrap();
            let again = replay.play().unwrap();
            assert_eq!(again.outcome().as_ref(), Some(&game.outcome));
            assert_eq!(again.closing(), game.closing);
        }
        let board = Scoreboard::new(contest, games);
        let kind = Erased::<G>::GAME;
        let document = report(kind, &board).unwrap();
        assert_eq!(document["rows"].as_array().unwrap().len(), board.contest().cells());
        assert_eq!(csv(&game_rows(kind, &board)).lines().count(), board.contest().games() + 1);
        let _ = ratings(&board);
        let _ = kind.summary(&board).unwrap();
    }
}

/// A contest of one seed in which the first seat has each of these planners in turn.
fn trial<G: GameSpec>(level: &CheckedLevel<G>, planners: &[&str], budget: Budget) -> Contest {
    let mut contest = contest::<G>(level, 1, budget);
    contest.seeds = 1;
    for (seat, entrants) in contest.seats.iter_mut().enumerate() {
        let planners = if seat == 0 { planners } else { &["honest"] };
        entrants.planners = planners.iter().map(|&name| name.into()).collect();
    }
    contest
}

/// A planner that gives up or solves nothing has a result, which is recorded.
pub fn giving_up_is_recorded<G: GameSpec, S: Subject<Game = G>>() {
    let level = checked::<G>(&S::samples()[0]);
    let stop = StopFlag::default();
    let contest = trial::<G>(&level, &["15", "16"], Budget::Work(1_000_000));
    let specs = specs::<G, S>();
    let games = run_contest::<G>(&level, &specs, &contest, vec![], &stop, &|_| Ok(())).unwrap();
    for (game, closing) in games.iter().zip([Closing::Resigned, Closing::Unsolved]) {
        let Some((seat, found)) = game.closing else { continue };
        assert_eq!((seat, found), (seats::<G>().next().unwrap(), closing));
        assert_eq!(game.ending(0), closing.word());
        let replay = replay_of::<G>(&level, &specs, &contest, game, &stop).unwrap();
        assert_eq!(replay.closing, game.closing);
    }
}

/// A planner that hangs while it prepares is named, and the tournament goes on. It waits for as long as planners
/// may prepare, the same for every game: once is enough.
pub fn a_hanging_planner_ends_no_tournament<G: GameSpec, S: Subject<Game = G>>() {
    let level = checked::<G>(&S::samples()[0]);
    let stop = StopFlag::default();
    let contest = trial::<G>(&level, &["8", "honest"], Budget::Time(Duration::from_millis(2)));
    let specs = specs::<G, S>();
    let games = run_contest::<G>(&level, &specs, &contest, vec![], &stop, &|_| Ok(())).unwrap();
    assert!(games[0].stats[0].panic.as_ref().is_some_and(|why| why.contains("preparation")));
    assert!(games[1].stats.iter().all(|stats| stats.panic.is_none()));
}

/// In a strict contest a planner that exceeds its time loses: that of a turn, and that of the match. The game
/// can be seen again.
pub fn late_planners_lose_strict_games<G: GameSpec, S: Subject<Game = G>>() {
    let level = checked::<G>(&S::samples()[0]);
    let stop = StopFlag::default();
    let own = seats::<G>().next().unwrap();
    for time in ["5ms", "20ms+1ms"] {
        let mut contest = contest::<G>(&level, 1, TimeControl::limited(time).unwrap());
        (contest.seeds, contest.strict) = (1, true);
        for (seat, entrants) in contest.seats.iter_mut().enumerate() {
            // The others have no time that they could exceed.
            let player = if seat == own.index() { "10" } else { "honest@100w" };
            entrants.planners = vec![player.into()];
        }
        let games =
            run_contest::<G>(&level, &specs::<G, S>(), &contest, vec![], &stop, &|_| Ok(()))
                .unwrap();
        assert_eq!(games[0].closing, Some((own, Closing::TimeOver)), "{time}");
        assert_eq!(games[0].ending(own.index()), "out of time");
        assert_eq!(games[0].stats[own.index()].overruns, 1);
        let replay = replay_of::<G>(&level, &specs::<G, S>(), &contest, &games[0], &stop).unwrap();
        let again = replay.play().unwrap();
        assert_eq!(again.closing(), games[0].closing);
        assert_eq!(again.outcome().as_ref(), Some(&games[0].outcome));
    }
}
