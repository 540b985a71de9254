//! The suite checks three tiny games, too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod tiny_games;

/// A tiny game in the suite.
macro_rules! subject {
    ($suite:ident: $game:ty, $illegal:expr, $levels:expr $(, $any_action:item)?) => {
        mod $suite {
            use crate::tiny_games::*;
            use outwit_conformance::{Subject, suite};

            impl Subject for $game {
                fn samples() -> Vec<Self::Level> {
                    let map = |map: &&[&str]| level::<Self>(Default::default(), map);
                    $levels.iter().map(map).collect()
                }

                fn illegal_action(_: &Self::Observation) -> Option<Self::Action> {
                    Some($illegal)
                }
                $($any_action)?
            }

            suite!($game);
        }
    };
}

subject! {
    lights_out: lights::Lights,
    Some(Cell::new(-1, 0)),
    [&["oo.", "o..", "..."][..], &["o.o", ".o.", "o.o"]]
}
subject! {
    noughts_and_crosses: noughts::Noughts,
    9,
    [&["xo.", ".x.", "o.."][..], &["...", ".x.", "..o"]]
}
subject! {
    a_walk: path::Walk,
    vec![],
    [&["S.o", ".oF"][..], &["S.o.", ".#o.", "oo.F"]],
    /// There are too many paths to list.
    fn any_action(
        game: &Self,
        _: &Self::State,
        _: Seat,
        dice: &mut rand_chacha::ChaCha8Rng,
    ) -> Self::Action {
        let mut choices = game.choices(&());
        choices.swap_remove(dice.random_range(0..choices.len()))
    }
}
