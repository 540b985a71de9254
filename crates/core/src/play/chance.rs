//! The dice of a match.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// All that is random in one match, drawn from its seed.
///
/// A match owns its chance and hands it to the rules while a turn is played. The rules themselves
/// hold none, so a planner, which gets the rules, cannot foresee what will be drawn.
#[derive(Clone, Debug)]
pub struct Chance {
    seed: u64,
    dice: ChaCha8Rng,
}

/// Streams from here on belong to planners; the rules use lower numbers.
const PLANNER_STREAMS: u64 = 1 << 63;

impl Chance {
    /// The chance of the match with this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, dice: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// The seed of the match.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The beginning of one of the independent streams of dice; `number` is below 2^63.
    pub fn stream(&self, number: u64) -> ChaCha8Rng {
        let mut dice = self.dice.clone();
        dice.set_stream(number);
        dice
    }

    /// The seed of the planner on a seat. It comes out of a stream cipher, so it tells nothing of the
    /// match's seed or of another planner's.
    pub fn planner_seed(&self, seat: super::Seat) -> u64 {
        self.stream(PLANNER_STREAMS + u64::from(seat.0)).next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Seat;

    #[test]
    fn streams_depend_on_the_seed_and_on_nothing_else() {
        let draw = |seed, stream| Chance::new(seed).stream(stream).next_u64();
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(2, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        let chance = Chance::new(1);
        assert_ne!(chance.planner_seed(Seat(0)), chance.planner_seed(Seat(1)));
    }
}
