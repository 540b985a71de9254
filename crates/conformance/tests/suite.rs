//! The suite on every game; `cargo test --locked -p outwit-conformance pukoban` runs it on one.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../../games/cops/conformance.rs"]
mod cops;
#[path = "../../games/mnk/conformance.rs"]
mod mnk;
#[path = "../../games/pukoban/conformance.rs"]
mod pukoban;
#[path = "../../games/racetrack/conformance.rs"]
mod racetrack;
#[path = "../../games/stealth/conformance.rs"]
mod stealth;
#[path = "../../template/conformance.rs"]
mod template;
mod tiny_games;

/// A tiny game in the suite.
macro_rules! subject {
    ($suite:ident: $game:ty, $illegal:expr, $levels:expr $(, $any_action:item)?) => {
        mod $suite {
            use crate::tiny_games::*;
            use outwit_conformance::{Subject, suite};

            type Level = <$game as Game>::Level;
            type Action = <$game as Game>::Action;

            pub struct Samples;

            impl Subject for Samples {
                type Game = $game;

                fn samples() -> Vec<Level> {
                    let map = |map: &&[&str]| level::<$game>(Default::default(), map);
                    $levels.iter().map(map).collect()
                }

                fn illegal_action(_: &<$game as Game>::Observation) -> Option<Action> {
                    Some($illegal)
                }
                $($any_action)?
            }

            suite!(Samples);
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
        game: &path::Walk,
        _: &<path::Walk as Game>::State,
        _: Seat,
        dice: &mut rand_chacha::ChaCha8Rng,
    ) -> Action {
        let mut choices = game.choices(&());
        choices.swap_remove(dice.random_range(0..choices.len()))
    }
}

mod any_tournament {
    outwit_conformance::suite! {
        super::lights_out::Samples;
        tournaments::a_hanging_planner_ends_no_tournament
    }
}
