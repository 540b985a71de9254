//! The dice of a match.

use super::{Salt, Seat};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// All that is random in one match, drawn from its seed and, if it is sealed, from a [`Salt`].
///
/// A match owns its chance and hands it to the rules while a turn is played. The rules themselves
/// hold none, so a planner, which gets the rules, is not told what will be drawn. It can find out
/// all the same: there are few seeds that anybody uses, and it can try them against the seed that it
/// was given or against the position that it sees. Only a salt prevents that.
#[derive(Clone, Debug)]
pub struct Chance {
    seed: u64,
    salt: Option<Salt>,
    dice: ChaCha8Rng,
}

/// Streams from here on belong to planners; the rules use lower numbers.
const PLANNER_STREAMS: u64 = 1 << 63;

impl Chance {
    /// The chance of the match with this seed, which can be guessed.
    pub fn new(seed: u64) -> Self {
        Self::salted(seed, None)
    }

    /// The chance of the match with this seed, sealed by the salt if there is one.
    pub fn salted(seed: u64, salt: Option<Salt>) -> Self {
        let dice = match salt {
            None => ChaCha8Rng::seed_from_u64(seed),
            Some(salt) => ChaCha8Rng::from_seed(salt.key(seed)),
        };
        Self { seed, salt, dice }
    }

    /// The seed of the match.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The salt that seals the dice; `None` if anybody can guess them.
    pub fn salt(&self) -> Option<Salt> {
        self.salt
    }

    /// The beginning of one of the independent streams of dice; `number` is below 2^63.
    pub fn stream(&self, number: u64) -> ChaCha8Rng {
        let mut dice = self.dice.clone();
        dice.set_stream(number);
        dice
    }

    /// The seed of the planner on a seat. It comes out of a stream cipher, so nobody can work out the
    /// match's seed or another planner's from it; a guessed seed can be checked against it, though,
    /// unless there is a salt.
    pub fn planner_seed(&self, seat: Seat) -> u64 {
        self.stream(PLANNER_STREAMS + u64::from(seat.0)).next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_depend_on_the_seed_and_on_nothing_else() {
        let draw = |seed, stream| Chance::new(seed).stream(stream).next_u64();
        // Replays hold only the seed, so these must never change.
        assert_eq!(draw(1, 2), 16_166_618_085_559_792_950);
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(2, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        let chance = Chance::new(1);
        assert_ne!(chance.planner_seed(Seat(0)), chance.planner_seed(Seat(1)));
        assert_eq!(chance.planner_seed(Seat(1)), draw(1, (1 << 63) + 1));
    }

    #[test]
    fn a_salt_changes_all_that_is_drawn() {
        let salt = |digits: &str| digits.repeat(32).parse::<Salt>().ok();
        let draw = |seed, salt| {
            let chance = Chance::salted(seed, salt);
            assert_eq!((chance.seed(), chance.salt()), (seed, salt));
            (chance.stream(2).next_u64(), chance.planner_seed(Seat(0)))
        };
        assert_eq!(
            draw(1, None),
            (Chance::new(1).stream(2).next_u64(), Chance::new(1).planner_seed(Seat(0)))
        );
        let drawn = [(1, None), (1, salt("5a")), (1, salt("5b")), (2, salt("5a"))]
            .map(|(seed, salt)| draw(seed, salt));
        for (number, one) in drawn.iter().enumerate() {
            assert!(drawn[..number].iter().all(|other| one.0 != other.0 && one.1 != other.1));
        }
        // Replays hold only the seed and the salt, so this must never change.
        assert_eq!(drawn[1].0, 12_954_814_762_758_208_658);
    }
}
