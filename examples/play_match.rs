//! Two planners race on a built-in track, without a window.
//!
//! `cargo run --locked --no-default-features --example play_match`

use outwit_core::levels::read_ron;
use outwit_core::play::{
    Budget, CheckedLevel, Game, MatchSetup, Player, Referee, SetupError, Thinking,
};
use outwit_kit::GameSpec;
use outwit_racetrack::{Racetrack, TrackFile};
use std::error::Error;
use std::sync::Arc;

/// Plays the match and says how it ended.
pub fn report() -> Result<String, Box<dyn Error>> {
    let entry = outwit_levels::built_in("racetrack/hairpins").ok_or("there is no such level")?;
    let level: TrackFile = read_ron(&entry.bytes()?).map_err(|fault| fault.to_string())?;
    // Rules are made only of a level without faults, so they never have to check it again.
    let level = CheckedLevel::<Racetrack>::new(level).map_err(SetupError::from)?;

    let players = ["ace", "optimal"].map(Player::from);
    let game = Arc::new(Racetrack::new(&level, players.len())?);
    // A budget of work gives the same match on every machine. `Budget::Time` gives planners a time per turn; they then
    // need `Thinking::Threads`, so that nobody has to wait for a planner that is late.
    let setup = MatchSetup::new(&players, Budget::Work(20_000), 1).thinking(Thinking::Inline);
    let mut referee = Referee::new(game, Racetrack::planners(), setup)?;
    referee.run(usize::MAX);

    let outcome = referee.outcome().ok_or("the race has not ended")?;
    let mut report = format!("{}\n", outcome.headline);
    for (name, place) in referee.names().zip(&outcome.places) {
        let turns = place.score.map_or("-".into(), |score| format!("{score:.2} turns"));
        report += &format!("{}. {name}: {}, {turns}\n", place.rank, place.ending);
    }
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", report()?);
    Ok(())
}
