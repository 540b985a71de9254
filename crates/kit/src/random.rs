//! A planner for every game that lists its actions and hides nothing.

use outwit_core::play::{Clock, Game, Planner, PlannerContext, PlannerSpec, Progress, digest};

/// Chooses at random: the same action in the same state.
struct Random<G: Game> {
    context: PlannerContext<G>,
    chosen: Option<G::Action>,
}

impl<G: Game<Observation = <G as Game>::State>> Planner<G> for Random<G> {
    fn observe(&mut self, seen: &G::Observation) {
        let PlannerContext { game, seat, seed } = &self.context;
        let mut actions = game.actions(seen, *seat).unwrap_or_default();
        // The upper half of the digest is the better mixed one.
        let dice = (digest(&(seed, seen)) >> 32) as usize;
        self.chosen = Some(match actions.len() {
            0 => game.null_action(seen, *seat),
            count => actions.swap_remove(dice % count),
        });
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        let _ = clock.take(1);
        Progress::Done
    }

    fn best(&self) -> G::Action {
        match &self.chosen {
            Some(action) => action.clone(),
            // The contract of planners: nobody asks before a turn is observed.
            None => unreachable!("no turn was observed"),
        }
    }
}

/// The planner `random` of a game that lists its [`actions`](Game::actions); elsewhere it does as
/// little as possible.
pub const fn random_planner<G: Game<Observation = <G as Game>::State>>() -> PlannerSpec<G> {
    PlannerSpec {
        name: "random",
        algorithm: "Uniform random choice",
        about: "Chooses any legal action: the baseline for all other planners.",
        method: "Takes one of the legal actions at random, each as likely as the others.",
        seats: |_| true,
        make: |context| Box::new(Random { context, chosen: None }),
    }
}
