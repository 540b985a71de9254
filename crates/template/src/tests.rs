//! What holds of this game alone.

use super::{FIRST_LEVEL, Walker};
use outwit_core::grid::Cell;
use outwit_core::play::{Budget, Game, MatchSetup, Player, Referee, Seat, StopFlag, Thinking};
use outwit_kit::{GameSpec, read_level};
use std::sync::Arc;

#[test]
fn random_steps_arrive() {
    let level = read_level::<Walker>(FIRST_LEVEL.as_bytes(), "").unwrap();
    assert!(read_level::<Walker>(FIRST_LEVEL.replace('G', "?").as_bytes(), "").is_err());
    let game = Arc::new(Walker::new(&level, 1).unwrap());
    for seed in 0..20 {
        let setup = MatchSetup::new(&[Player::from("random")], Budget::Work(10), seed);
        let setup = setup.thinking(Thinking::Inline);
        let mut referee = Referee::new(Arc::clone(&game), Walker::planners(), setup).unwrap();
        referee.run(10_000);
        let place = referee.outcome().unwrap().places.remove(0);
        assert!(place.score >= Some(2.0) && place.ending == "arrived");
    }
}

/// By trying all ways of so many steps: what the worth of a state says, and who follows it does best.
#[test]
fn the_worth_of_a_state_is_the_shortest_way() {
    let map = r#"["S...", "....", "..G.", "G..."]"#;
    let text = FIRST_LEVEL.replace(r#"["S.", ".G"]"#, map);
    let level = read_level::<Walker>(text.as_bytes(), "").unwrap();
    let game = Arc::new(Walker::new(&level, 1).unwrap());
    let worth = Walker::WORTH.unwrap();
    for cell in game.cells.cells() {
        let mut reached = vec![(cell, 5)];
        while reached.iter().all(|state| game.outcome(state).is_none()) {
            let steps = |state: (Cell, u32)| {
                let steps = game.actions(&state, Seat(0)).unwrap().into_iter();
                steps.map(move |cell| (cell, state.1 + 1))
            };
            reached = reached.into_iter().flat_map(steps).collect();
        }
        assert_eq!((worth.value)(&game, &(cell, 5), Seat(0)), Some(f64::from(reached[0].1)));
    }
    let setup = MatchSetup::new(&[Player::from("one-ply")], Budget::Work(10), 1);
    let setup = setup.thinking(Thinking::Inline);
    let mut referee = Referee::new(Arc::clone(&game), Walker::planners(), setup).unwrap();
    referee.run(10_000);
    assert_eq!(referee.outcome().unwrap().places[0].score, Some(3.0));
    let review = outwit_kit::review(referee.played(), &StopFlag::default()).unwrap();
    assert!(review.seats[0].moves.iter().all(|made| !made.is_mistake()));
}
