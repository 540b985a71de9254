//! Matches, undo, variations, replays, reviews.

use super::{Subject, game, play_on, random_match, seats};
use outwit_core::levels::{read_ron, write_ron};
use outwit_core::play::{Chance, Closing, Game, Match, Outcome, Replay, Seat, StopFlag};
use outwit_kit::{Erased, GameSpec, commentary, review, turning_points};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TURNS: usize = 60;

/// The states of a line and how it was stopped.
type Line<G> = (Vec<<G as Game>::State>, Option<(Seat, Closing)>);

/// Whether every seat has its place.
fn complete<G: GameSpec, S: Subject<Game = G>>(outcome: &Outcome, closing: Option<Closing>) {
    let places = &outcome.places;
    assert_eq!(places.len(), *G::SEATS.allowed.start());
    assert!(!outcome.headline.is_empty());
    assert_eq!(places.iter().map(|place| place.rank).min(), Some(1), "{outcome:?}");
    for (seat, place) in seats::<G>().zip(places) {
        assert!(place.rank as usize <= places.len() && place.score.is_none_or(f64::is_finite));
        let known = match closing {
            Some(closing) => [closing.word(), "won"].contains(&place.ending.as_str()),
            None => (G::TABLES.endings)(seat).contains(&place.ending.as_str()),
        };
        assert!(known, "'{}' is not an ending of {}", place.ending, G::SEATS.id(seat));
        // Whoever has the better score must not stand behind.
        for other in places.iter().filter(|_| S::BETTER_SCORE_RANKS_FIRST) {
            if let (Some(a), Some(b)) = (place.score, other.score)
                && G::TABLES.score.better.is_better(a, b)
            {
                assert!(place.rank < other.rank, "{outcome:?}");
            }
        }
    }
}

/// Null actions are legal, illegal actions are refused, and every seat has its place in an outcome.
pub fn null_actions_are_legal_and_outcomes_complete<G: GameSpec, S: Subject<Game = G>>() {
    for level in S::samples() {
        for seed in 0..6 {
            let played = random_match::<G, S>(&level, seed, TURNS);
            for (state, turn) in played.states().iter().zip(played.turns()) {
                for (seat, _) in &turn.actions {
                    let null = played.game().null_action(state, *seat);
                    assert_eq!(played.game().legal(state, *seat, &null), Ok(()));
                    if let Some(listed) = played.game().actions(state, *seat) {
                        let legal = |action| played.game().legal(state, *seat, action) == Ok(());
                        assert!(listed.iter().all(legal) && listed.first() == Some(&null));
                    }
                    let seen = played.game().observe(&[], state, *seat);
                    if let Some(illegal) = S::illegal_action(&seen) {
                        assert!(played.game().legal(state, *seat, &illegal).is_err());
                    }
                }
            }
            if let Some(outcome) = played.outcome() {
                complete::<G, S>(&outcome, None);
                assert_eq!(played.game().to_move(played.state()), [], "it is over");
            }
            for seat in seats::<G>() {
                let agreed = G::MATCH_RULES.draws_by_agreement.then_some(Closing::Agreed);
                let stopped = [Closing::Resigned, Closing::Unsolved, Closing::Failed];
                for closing in stopped.into_iter().chain(agreed) {
                    let outcome =
                        (G::MATCH_RULES.closed)(played.game(), played.state(), seat, closing);
                    complete::<G, S>(&outcome, Some(closing));
                    assert_eq!(outcome.places[seat.index()].ending, closing.word());
                    let mut ranks = outcome.places.iter().map(|place| place.rank);
                    assert!(closing != Closing::Agreed || ranks.all(|rank| rank == 1));
                }
            }
        }
    }
}

/// Undo, redo and variations lose no line and change no state.
pub fn undo_redo_and_jumps_give_the_same_states<G: GameSpec, S: Subject<Game = G>>() {
    let level = S::samples().swap_remove(0);
    for seed in 0..4 {
        let first = random_match::<G, S>(&level, seed, TURNS);
        let mut dice = ChaCha8Rng::seed_from_u64(seed + 100);
        // Undo and the same again.
        for _ in 0..5 {
            let turn = dice.random_range(0..=first.len());
            let mut undone = first.clone();
            undone.rewind(turn);
            assert_eq!(undone.states(), &first.states()[..=turn]);
            for done in &first.turns()[turn..] {
                let events = undone.advance(done.actions.clone()).unwrap();
                assert_eq!(events, done.events);
            }
            assert_eq!(undone.states(), first.states());
        }
        // Other ways from earlier turns; each can be chosen again.
        let mut played = first.clone();
        let mut lines = vec![(first.states().to_vec(), None)];
        for number in 0..6 {
            let turn = dice.random_range(0..=played.len());
            played.branch(turn);
            play_on::<G, S>(&mut played, turn + 4, &mut dice);
            if number == 3 {
                played.close(Seat(0), Closing::Resigned);
            }
            lines.push((played.states().to_vec(), played.closing()));
        }
        let found = |played: &Match<G>| (played.states().to_vec(), played.closing());
        let holds = |kept: &Line<G>, line: &Line<G>| {
            kept == line || (line.1.is_none() && kept.0.starts_with(&line.0))
        };
        let mut seen = vec![found(&played)];
        for variation in 0..played.variations().len() {
            let mut other = played.clone();
            other.choose_variation(variation).unwrap();
            seen.push(found(&other));
            // And back: what was left is a variation of what was chosen, or a part of it.
            let back = (0..other.variations().len()).any(|left| {
                let mut again = other.clone();
                again.choose_variation(left).is_ok() && again.states() == played.states()
            });
            assert!(back || other.states().starts_with(played.states()));
        }
        for line in &lines {
            assert!(seen.iter().any(|kept| holds(kept, line)), "a line was lost");
        }
        assert!(played.choose_variation(played.variations().len()).is_err());
        assert!(first.state_at(first.len() + 1).is_none());
    }
}

/// A replay plays the same match, and none makes a seat stop that cannot or agree to a draw in a game without them.
pub fn replays_give_the_same_states<G: GameSpec, S: Subject<Game = G>>() {
    for level in S::samples() {
        for seed in 0..4 {
            let mut played = random_match::<G, S>(&level, seed, TURNS);
            let mut dice = ChaCha8Rng::seed_from_u64(seed);
            played.branch(played.len() / 2);
            play_on::<G, S>(&mut played, TURNS / 2, &mut dice);
            played.branch(played.len() / 3);
            play_on::<G, S>(&mut played, 5, &mut dice);
            match seed {
                1 => played.close(Seat(0), Closing::Unsolved),
                2 => played.close(Seat(0), Closing::Agreed),
                _ => {}
            }
            let text =
                ron::to_string(&Replay::of(&played, vec!["human".into(); played.game().seats()]));
            let text = text.unwrap();
            let replay: Replay<G> = read_ron(text.as_bytes()).unwrap();
            let again = replay.play().unwrap();
            assert_eq!(again.states(), played.states());
            assert!(again.variations() == played.variations());
            assert_eq!((again.outcome(), again.closing()), (played.outcome(), played.closing()));
            let summary = Erased::<G>::GAME.replay(text.as_bytes()).unwrap();
            assert!(summary.faithful && summary.outcome == played.outcome());
            // Nobody can be made to stop who does not play, nor when all is over.
            let changed = |change: &dyn Fn(&mut Replay<G>)| {
                let mut replay: Replay<G> = read_ron(text.as_bytes()).unwrap();
                change(&mut replay);
                replay.play().is_err()
            };
            let nobody = Some((Seat(200), Closing::Resigned));
            assert!(changed(&|replay| replay.closing = nobody));
            if !replay.variations.is_empty() {
                assert!(changed(&|replay| replay.variations[0].closing = nobody));
            }
            let agreed = Some((Seat(0), Closing::Agreed));
            if G::MATCH_RULES.draws_by_agreement {
                assert!(
                    seed != 2
                        || again.game().outcome(again.state()).is_some()
                        || again.closing() == agreed
                );
            } else {
                assert_eq!(again.closing().filter(|_| seed == 2), None);
                assert!(changed(&|replay| replay.closing = agreed));
            }
            if again.outcome().is_some() && again.closing().is_none() {
                assert!(changed(&|replay| replay.closing = Some((Seat(0), Closing::Resigned))));
            }
        }
    }
}

/// A review has a cost of at least nothing for every move, and no one beats perfect play.
pub fn reviews_add_up<G: GameSpec, S: Subject<Game = G>>() {
    let level = S::samples().swap_remove(0);
    for seed in 0..4 {
        let played = random_match::<G, S>(&level, seed, TURNS);
        let Some(review) = review::<G>(&played, &StopFlag::default()) else { continue };
        for seat in &review.seats {
            let moves = played
                .turns()
                .iter()
                .filter(|turn| turn.actions.iter().any(|(s, _)| *s == seat.seat));
            assert_eq!(moves.count(), seat.moves.len());
            assert!(
                seat.moves.iter().all(|m| m.cost.is_none_or(|cost| cost >= -1e-9)),
                "better than perfect"
            );
            if let (Some(perfect), Some(reached)) = (seat.perfect, seat.reached) {
                assert!(review.better.loss(reached, perfect) >= -1.0, "{reached} beats {perfect}");
            }
            assert!(seat.worst(3).len() <= 3);
        }
    }
    let file = write_ron(&level);
    let solved = Erased::<G>::GAME.solve(file.as_bytes(), "a.ron", &Default::default());
    if let Ok(solution) = solved {
        assert_eq!(solution.unit, (G::TABLES.score_on)(&level).unit);
        assert!(solution.value.is_none_or(f64::is_finite));
    }
    let _ = game::<G>(&level);
}

/// What a game says that its states are worth is its score at the end, and before that what the best
/// action leads to.
pub fn worths_follow_from_the_rules<G: GameSpec, S: Subject<Game = G>>() {
    let Some(worth) = G::WORTH else { return };
    for (level, seed) in S::samples().iter().flat_map(|level| (0..3).map(move |seed| (level, seed)))
    {
        let played = random_match::<G, S>(level, seed, TURNS);
        let game = &**played.game();
        let better = (G::TABLES.score_on)(game.level()).better;
        for state in played.states() {
            for seat in seats::<G>() {
                let value = (worth.value)(game, state, seat);
                if let Some(outcome) = game.outcome(state) {
                    assert_eq!(value, outcome.places[seat.index()].score);
                    continue;
                }
                let (true, Some(actions)) =
                    (game.to_move(state) == [seat], game.actions(state, seat))
                else {
                    continue;
                };
                let values = actions.into_iter().filter_map(|action| {
                    let mut next = state.clone();
                    game.advance(&mut next, &[(seat, action)], &Chance::new(seed), &mut Vec::new());
                    (worth.value)(game, &next, seat)
                });
                assert_eq!(value, values.min_by(|&a, &b| better.compare(a, b)));
            }
        }
        // And it can be reached.
        let file = write_ron(level);
        let solution =
            Erased::<G>::GAME.solve(file.as_bytes(), "a.ron", &Default::default()).unwrap();
        let start = game.start(&Chance::new(0)).unwrap();
        assert_eq!((solution.value, solution.proved), ((worth.value)(game, &start, Seat(0)), true));
    }
}

/// What is said of a match repeats, follows from its turns so far, and adds up.
pub fn commentaries_add_up<G: GameSpec, S: Subject<Game = G>>() {
    let level = S::samples().swap_remove(0);
    for seed in 0..4 {
        let mut played = random_match::<G, S>(&level, seed, TURNS);
        let go = StopFlag::default();
        let stop = StopFlag::default();
        stop.raise();
        assert_eq!(commentary(&played, &stop), None, "stopped");
        let Some(spec) = G::COMMENTARY else { return assert_eq!(commentary(&played, &go), None) };
        let said = commentary(&played, &go).unwrap();
        assert_eq!(commentary(&played, &go).as_ref(), Some(&said), "not the same again");
        for (turn, outlook) in &said.outlooks {
            assert!(*turn <= played.len());
            let seats = &outlook.seats;
            let shares = &outlook.shares;
            assert_eq!([seats.len(), shares.len()], [played.game().seats(); 2]);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{turn}: {shares:?}");
            assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{turn}: {shares:?}");
            for seat in seats {
                assert!(seat.value.is_none_or(f64::is_finite) && seat.margin >= 0.0, "{seat:?}");
            }
        }
        assert!(said.remarks.is_sorted_by_key(|remark| remark.turn));
        for remark in &said.remarks {
            assert!(
                remark.turn < played.len() && (0.0..=1.0).contains(&remark.weight),
                "{remark:?}"
            );
            let length = remark.words.chars().count();
            assert!((1..=70).contains(&length) && !remark.words.ends_with('.'), "{remark:?}");
            assert!(
                remark.figures.iter().all(|(name, value)| !name.is_empty() && value.is_finite())
            );
        }
        assert_eq!(
            turning_points(&said.outlooks, usize::MAX).get(..said.swings.len()),
            Some(&said.swings[..])
        );
        // Nothing is known of turns to come, and nothing beyond the last one.
        for turn in played.len()..played.len() + 3 {
            assert!((spec.remarks)(&played, turn, &said.outlooks).is_empty());
            assert!(turn == played.len() || (spec.outlook)(&played, turn, &go).is_none());
        }
        let half = played.len() / 2;
        played.rewind(half);
        let early = commentary(&played, &go).unwrap();
        assert!(early.outlooks.iter().eq(said.outlooks.range(..=half)), "outlooks look ahead");
        assert!(said.remarks.starts_with(&early.remarks), "remarks look ahead");
    }
}
