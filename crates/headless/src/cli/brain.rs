//! `outwit brain`.

use super::names::game;
use super::{Answer, ExitStatus, Failure};
use crate::GAMES;
use clap::Args;

/// Act as an engine for another program, on standard input and output.
///
/// For five in a row and its kin this is the protocol of Gomocup, as Piskvork and other managers speak
/// it. The strongest planner plays.
///
/// Example: outwit brain
#[derive(Args)]
pub struct Arguments {
    /// The game; the first that has engines if not given.
    game: Option<String>,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let protocol = match &arguments.game {
        Some(name) => game(name)?.facts().brain,
        None => GAMES.iter().find_map(|game| game.facts().brain),
    };
    let Some(protocol) = protocol else {
        let name = arguments.game.as_deref().unwrap_or_default();
        return Err(Failure::usage(format!("there is no protocol for engines of '{name}'")));
    };
    (protocol.serve)(Box::new(std::io::stdin()), &mut std::io::stdout())
        .map_err(|error| Failure::usage(format!("{} engine: {error}", protocol.name)))?;
    Ok(Answer::Yes)
}
