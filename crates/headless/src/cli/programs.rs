//! The options for programs of other people that take a seat.

use super::Failure;
use clap::Args;
use outwit_core::platform::program::ProgramCommand;
use outwit_core::play::{AllowedPrograms, Budget, Isolation, Player, ProgramName};
use std::time::Duration;

/// How programs of other people play.
#[derive(Args, Clone, Debug, Default)]
pub struct ProgramArgs {
    /// Keep programs from the rest of this machine: 'bwrap' for a sandbox (Linux, needs bubblewrap), docker:IMAGE or
    /// podman:IMAGE for a container. They have no network, read only their own folder, write only to a small /tmp, and
    /// all their processes end with them. With 'none', or without this option, only memory and processes are limited; a
    /// tournament that is resumed keeps its programs from what it was begun with.
    #[arg(long, value_name = "HOW")]
    isolate: Option<Isolation>,
    /// The time that a program may take beyond its time per turn, in a whole match: for the pauses of its runtime
    /// [default: 1500ms].
    #[arg(long, value_name = "TIME", value_parser = bank)]
    bank: Option<Duration>,
}

/// Reads a time of at most a day.
fn bank(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(Budget::Time(time)) if time <= Duration::from_secs(86_400) => Ok(time),
        _ => Err(format!("'{text}' is not a time of at most a day: write 1500ms or 2s")),
    }
}

impl ProgramArgs {
    /// Allows the programs among these players, which the command line names, to be started.
    pub fn allow<'a>(&self, players: impl IntoIterator<Item = &'a Player>) -> AllowedPrograms {
        let named = players.into_iter().filter_map(Player::program);
        AllowedPrograms::chosen_by_person(named.map(|program| program.command), &self.isolation())
    }

    /// The same options in a run that was begun with this isolation.
    ///
    /// # Errors
    /// If it is none.
    pub fn resumed(&self, begun: Option<&str>) -> Result<Self, Failure> {
        let begun = begun.map(str::parse).transpose()?;
        Ok(Self { isolate: self.isolate.clone().or(begun), ..self.clone() })
    }

    /// What programs are kept from.
    pub fn isolation(&self) -> Isolation {
        self.isolate.clone().unwrap_or_default()
    }

    /// What a program may take beyond its time per turn, if it was given.
    pub fn bank(&self) -> Option<Duration> {
        self.bank
    }

    /// Checks that a program can be started; what a container holds is not known.
    pub fn check(&self, program: ProgramName) -> Result<(), Failure> {
        let command = ProgramCommand::read(program.command)?;
        self.isolation().check()?;
        match self.isolation() {
            Isolation::Docker(_) | Isolation::Podman(_) => Ok(()),
            Isolation::Limits | Isolation::Bwrap => Ok(command.check()?),
        }
    }
}
