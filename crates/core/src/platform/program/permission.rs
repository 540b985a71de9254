//! Which programs may be started: those that a person has named, and no others.

use super::ProgramError;
use std::path::{Path, PathBuf};

/// A program that a person has allowed to be started. [`Program::start`](super::Program::start) takes
/// nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllowedProgram(PathBuf);

impl AllowedProgram {
    /// Its file, as the person named it.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// The programs that a person has allowed to be started; at first none.
///
/// It cannot be read from a file. So a saved tournament, a replay or the settings may name a program
/// as a player, and yet nothing starts it.
///
/// ```
/// use outwit_core::platform::program::AllowedPrograms;
/// use std::path::Path;
///
/// let engine = Path::new("/games/brain");
/// assert!(AllowedPrograms::default().find(engine).is_err());
/// assert!(AllowedPrograms::chosen_by_person([engine]).find(engine).is_ok());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AllowedPrograms(Vec<AllowedProgram>);

impl AllowedPrograms {
    /// Allows these programs, which a person has just named on the command line or chosen in the
    /// set-up.
    ///
    /// Never pass it a path that was read from a file. A test lists who may call it.
    pub fn chosen_by_person(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self(paths.into_iter().map(|path| AllowedProgram(path.into())).collect())
    }

    /// Allows what the other allows, too.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The program in this file, if it is allowed.
    ///
    /// # Errors
    /// That it is not, and how a person allows it.
    pub fn find(&self, path: &Path) -> Result<AllowedProgram, ProgramError> {
        let found = self.0.iter().find(|allowed| allowed.path() == path);
        found.cloned().ok_or_else(|| ProgramError::NotAllowed(path.into()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_allowed_by_its_whole_path() {
        let mut allowed = AllowedPrograms::chosen_by_person(["/games/brain"]);
        let found = |allowed: &AllowedPrograms, path: &str| allowed.find(Path::new(path)).is_ok();
        // The same name elsewhere is another program.
        for other in ["/tmp/brain", "brain", "./brain", "games/brain", "/games/brain/x", "/games"] {
            assert!(!found(&allowed, other), "{other}");
        }
        let why = allowed.find(Path::new("/tmp/brain")).unwrap_err().to_string();
        assert!(why.contains("/tmp/brain"), "{why}");
        allowed.extend(AllowedPrograms::chosen_by_person(["/tmp/other"]));
        assert!(found(&allowed, "/games/brain") && found(&allowed, "/tmp/other"));
        assert!(!found(&allowed, "/tmp/brain") && !found(&allowed, "/games/other"));
        let program = allowed.find(Path::new("/games/brain")).unwrap();
        assert_eq!(program.path(), Path::new("/games/brain"));
    }
}
