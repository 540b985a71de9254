//! A planner for k in a row that is not part of Outwit plays ten games against one that is.
//!
//! `cargo run --locked --no-default-features --example own_planner`

use outwit_core::levels::read_ron;
use outwit_core::play::{
    Budget, CheckedLevel, Clock, Game, Planner, PlannerContext, PlannerSpec, Progress, SetupError,
    StopFlag, find_planner,
};
use outwit_core::tournament::{Lineup, play_games};
use outwit_mnk::{CROSSES, Mnk, MnkAction, MnkState, planners};
use std::error::Error;

/// Wins if it can, else stops the opponent from winning, else plays near the middle.
struct Careful {
    context: PlannerContext<Mnk>,
    seen: MnkState,
    /// Moves that it has not looked at yet, and the best of the others with its worth.
    left: Vec<MnkAction>,
    best: (i32, MnkAction),
}

impl Planner<Mnk> for Careful {
    fn observe(&mut self, seen: &MnkState) {
        self.seen.clone_from(seen);
        self.left = self.context.game.actions(seen, self.context.seat).unwrap_or_default();
        // The referee may ask for a move before the first thought.
        self.best = (i32::MIN, self.left[0]);
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        while let Some(&action) = self.left.last() {
            // Work is asked for before it is done. After a refusal, the next call goes on here.
            if !clock.take(1) {
                return Progress::More;
            }
            self.left.pop();
            let game = &self.context.game;
            let wins = |mut state: MnkState| {
                game.take(&mut state, action, &mut Vec::new());
                i32::from(state.winner().is_some())
            };
            let theirs = MnkState { to_move: self.seen.to_move.other(), ..self.seen.clone() };
            let middle = game.cell_at(self.seen.stones.len() / 2);
            let far = if let MnkAction::Place(cell) = action { cell.manhattan(middle) } else { 0 };
            let worth = 2000 * wins(self.seen.clone()) + 1000 * wins(theirs) - far;
            self.best = std::cmp::max_by_key(self.best, (worth, action), |(worth, _)| *worth);
        }
        Progress::Done
    }

    fn best(&self) -> MnkAction {
        self.best.1
    }
}

/// Plays the games, each with another seed, and says how many points the planner won.
pub fn report() -> Result<String, Box<dyn Error>> {
    let level = outwit_levels::built_in("mnk/7x7x4").ok_or("there is no such level")?.bytes()?;
    let level = read_ron(&level).map_err(|fault| fault.to_string())?;
    let level = CheckedLevel::<Mnk>::new(level).map_err(SetupError::from)?;
    let novice = find_planner(planners::ALL, "novice", CROSSES)?;
    let make = |context: PlannerContext<Mnk>| -> Box<dyn Planner<Mnk>> {
        let seen = context.game.opening();
        let best = (0, MnkAction::Keep);
        Box::new(Careful { context, seen, left: Vec::new(), best })
    };
    let specs = [PlannerSpec { name: "careful", make, ..*novice }, PlannerSpec { ..*novice }];
    let players = || vec!["careful".into(), "novice".into()];
    let games: Vec<_> = (1..=10).map(|seed| Lineup { players: players(), seed }).collect();
    let budget = Budget::Work(1000);
    let played = play_games(&level, &specs, &games, budget, &StopFlag::default(), |_| ())?;
    let points: f64 = played.iter().filter_map(|game| game.outcome.places[0].score).sum();
    Ok(format!("careful won {points} points in {} games", played.len()))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
