//! A level is read and written, a match is played to its end and replayed.
#![allow(clippy::unwrap_used)]

use super::{FIRST_LEVEL, Walker};
use outwit_core::levels::write_ron;
use outwit_core::play::{Budget, Game, MatchSetup, Player, Referee, Seat, Thinking};
use outwit_kit::{GameSpec, read_level};
use std::sync::Arc;

#[test]
fn a_level_is_read_played_and_replayed() {
    let level = read_level::<Walker>(FIRST_LEVEL.as_bytes(), "").unwrap();
    assert_eq!(read_level::<Walker>(write_ron(&level).as_bytes(), ""), Ok(level.clone()));
    assert!(read_level::<Walker>(FIRST_LEVEL.replace('G', "?").as_bytes(), "").is_err());
    let game = Arc::new(Walker::new(&level, 1).unwrap());
    for seed in 0..20 {
        let setup = MatchSetup::new(&[Player::from("random")], Budget::Work(10), seed);
        let setup = setup.thinking(Thinking::Inline);
        let mut referee = Referee::new(Arc::clone(&game), Walker::planners(), setup).unwrap();
        referee.run(10_000);
        let place = referee.outcome().unwrap().places.remove(0);
        assert!(place.score >= Some(2.0));
        assert!(Walker::endings(Seat(0)).contains(&place.ending.as_str()));
        let again = referee.replay().play().unwrap();
        assert_eq!(again.states(), referee.played().states());
    }
}
