//! Which programs may be started: those that a person has named, and no others.

use super::{Isolation, ProgramCommand, ProgramError};
use std::path::{Path, PathBuf};

/// A program that a person has allowed to be started. [`Program::start`](super::Program::start) takes
/// nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllowedProgram {
    /// What players call it: its command, unless it has a name of its own.
    name: String,
    command: String,
    /// The folder that its command is read in and that it works in; `None` for a command that is read in the current
    /// folder.
    folder: Option<PathBuf>,
    isolation: Isolation,
    /// Whether it may change its folder.
    is_build: bool,
}

impl AllowedProgram {
    /// Its command, as the person wrote it.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// What is started.
    ///
    /// # Errors
    /// As [`ProgramCommand::read`].
    pub fn read(&self) -> Result<ProgramCommand, ProgramError> {
        match &self.folder {
            Some(folder) => ProgramCommand::read_in(&self.command, folder),
            None => ProgramCommand::read(&self.command),
        }
    }

    /// Whether it may change its folder although it is isolated.
    #[cfg_attr(
        not(any(target_os = "linux", target_os = "macos")),
        allow(dead_code, reason = "no program is started there")
    )]
    pub(super) fn is_build(&self) -> bool {
        self.is_build
    }

    /// Whether there is a file to start, as far as that can be seen from here: what a container holds is not known.
    pub fn can_start(&self) -> bool {
        match self.isolation {
            Isolation::Docker(_) | Isolation::Podman(_) => true,
            Isolation::Limits | Isolation::Bwrap => {
                self.read().and_then(|command| command.check()).is_ok()
            }
        }
    }

    /// What it is kept from.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// What it is called before it has said so itself.
    pub fn label(&self) -> String {
        ProgramCommand::label(&self.name)
    }
}

impl From<AllowedProgram> for AllowedPrograms {
    fn from(program: AllowedProgram) -> Self {
        Self(vec![program])
    }
}

/// The programs that a person has allowed to be started; at first none.
///
/// It cannot be read from a file. So a saved tournament, a replay or the settings may name a program
/// as a player, and yet nothing starts it.
///
/// ```
/// use outwit_core::platform::program::{AllowedPrograms, Isolation};
///
/// let command = "python3 fox.py";
/// assert!(AllowedPrograms::default().find(command).is_err());
/// let allowed = AllowedPrograms::chosen_by_person([command], &Isolation::Limits);
/// assert!(allowed.find(command).is_ok());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AllowedPrograms(Vec<AllowedProgram>);

impl AllowedPrograms {
    /// Allows these commands, which a person has just written on the command line or chosen in the
    /// set-up, kept from the rest of the machine like this.
    ///
    /// Never pass it a command that was read from a file. A test lists who may call it.
    pub fn chosen_by_person(
        commands: impl IntoIterator<Item = impl Into<String>>,
        isolation: &Isolation,
    ) -> Self {
        let allow = |command: String| AllowedProgram {
            name: command.clone(),
            command,
            folder: None,
            isolation: isolation.clone(),
            is_build: false,
        };
        Self(commands.into_iter().map(|command| allow(command.into())).collect())
    }

    /// Allows the command of a contest's player, which works in a folder of its own, as the player of this name. A
    /// person has said on the command line that the players of this contest may be started, kept from the rest of the
    /// machine like this.
    pub fn of_contest(name: &str, command: &str, folder: &Path, isolation: &Isolation) -> Self {
        Self(vec![AllowedProgram {
            name: name.into(),
            command: command.into(),
            folder: Some(folder.into()),
            isolation: isolation.clone(),
            is_build: false,
        }])
    }

    /// As [`of_contest`](Self::of_contest), but for what builds the player: it may change its folder.
    pub fn build_of_contest(command: &str, folder: &Path, isolation: &Isolation) -> AllowedProgram {
        AllowedProgram {
            name: command.into(),
            command: command.into(),
            folder: Some(folder.into()),
            isolation: isolation.clone(),
            is_build: true,
        }
    }

    /// Allows what the other allows, too.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The program of this command or name, if it is allowed.
    ///
    /// # Errors
    /// That it is not, and how a person allows it.
    pub fn find(&self, command: &str) -> Result<AllowedProgram, ProgramError> {
        let found = self.0.iter().find(|allowed| allowed.name == command);
        found.cloned().ok_or_else(|| ProgramError::NotAllowed(command.into()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_allowed_by_its_whole_command() {
        let allow = |command| AllowedPrograms::chosen_by_person([command], &Isolation::Limits);
        let mut allowed = allow("/games/brain");
        let found = |allowed: &AllowedPrograms, command: &str| allowed.find(command).is_ok();
        // The same name elsewhere, or with other arguments, is another program.
        for other in ["/tmp/brain", "brain", "./brain", "/games/brain x", "/games/brain ", "/games"]
        {
            assert!(!found(&allowed, other), "{other}");
        }
        let why = allowed.find("/tmp/brain").unwrap_err().to_string();
        assert!(why.contains("/tmp/brain"), "{why}");
        allowed.extend(allow("python3 fox.py"));
        assert!(found(&allowed, "/games/brain") && found(&allowed, "python3 fox.py"));
        assert!(!found(&allowed, "python3 other.py") && !found(&allowed, "python3"));
        let program = allowed.find("python3 fox.py").unwrap();
        assert_eq!((program.command(), program.label().as_str()), ("python3 fox.py", "fox"));
    }
}
