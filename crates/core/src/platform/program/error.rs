//! Why a program is not started, or does not listen.

use std::path::PathBuf;

/// Why a program is not started, or does not listen.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProgramError {
    /// No person has named it.
    #[error(
        "{path} is not started: only a file names it; to allow it, name it with --seat \
         SEAT=engine:{path} on this command line, or choose it in the set-up",
        path = .0.display()
    )]
    NotAllowed(PathBuf),
    /// There is no such file.
    #[error("there is no file {}", .0.display())]
    Missing(PathBuf),
    /// The system says nothing of the file.
    #[error("{}: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system answered.
        why: String,
    },
    /// It is a folder.
    #[error("{} is a folder, not a program", .0.display())]
    Folder(PathBuf),
    /// Nobody may run the file.
    #[error("{} is not executable; if it is a program, allow it with chmod +x", .0.display())]
    NotExecutable(PathBuf),
    /// The system does not start it.
    #[error("{} cannot be started: {why}", path.display())]
    NotStarted {
        /// The file.
        path: PathBuf,
        /// What the system answered.
        why: String,
    },
    /// It runs, but nothing can be sent to it or read from it.
    #[error("{} has no pipes", .0.display())]
    NoPipes(PathBuf),
    /// It has not read what it was sent long before.
    #[error("it does not read its input")]
    NotReading,
    /// This system cannot run other programs safely.
    #[error(
        "other programs cannot be run here: only Linux and macOS let them be ended together with all \
         that they start"
    )]
    Unsupported,
}

impl From<ProgramError> for String {
    fn from(error: ProgramError) -> Self {
        error.to_string()
    }
}
