//! Stealth in the conformance suite.

use outwit_conformance::{Subject, shipped, suite};
use outwit_core::play::{Game, Seat};
use outwit_stealth::{Glimpse, Heist, Route, RouteEnd, RouteMove, Stealth, StealthFile};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

struct Samples;

impl Subject for Samples {
    type Game = Stealth;

    fn samples() -> Vec<StealthFile> {
        shipped::<Stealth>(&["stealth/01-way-in", "stealth/report-2", "stealth/18-first-fog"])
    }

    /// A random walk that may give up on its way; in the fog a step of it.
    fn any_action(game: &Stealth, heist: &Heist, seat: Seat, dice: &mut ChaCha8Rng) -> Route {
        let mut route = Route::default();
        for _ in 0..dice.random_range(0..200) {
            let step = RouteMove::ALL[dice.random_range(0..4)];
            route.0.push(step);
            if game.legal(heist, seat, &route).is_err() {
                route.0.pop();
            }
            if game.ground().check(&route) == Ok(RouteEnd::Goal) {
                break;
            }
        }
        route
    }

    /// No path may go back at once.
    fn illegal_action(_: &Glimpse) -> Option<Route> {
        Some(Route(vec![RouteMove::Up, RouteMove::Down, RouteMove::Up]))
    }
}

suite!(Samples);
