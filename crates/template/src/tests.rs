//! What holds of this game alone.

use super::{FIRST_LEVEL, Walker};
use outwit_core::play::{Budget, Game, MatchSetup, Player, Referee, Thinking};
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
