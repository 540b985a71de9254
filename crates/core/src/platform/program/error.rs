//! Why a program is not started, or does not listen.

use std::path::PathBuf;

/// Why a program is not started, or does not listen.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProgramError {
    /// No person has named it.
    #[error(
        "{0} is not started: only a file names it; to allow it, name it with --seat on this command line, or \
         choose it in the set-up"
    )]
    NotAllowed(String),
    /// A quote of a command is not closed.
    #[error("{0}: a quote is not closed")]
    OpenQuote(String),
    /// A command without words.
    #[error("'{0}' is not a command")]
    NoCommand(String),
    /// No folder of the search path has it.
    #[error(
        "there is no program '{0}'; is it installed? Give its path if it is not on the PATH, and put a path with blanks in quotes"
    )]
    NotFound(String),
    /// No image of a container has this name.
    #[error("'{0}' is not the name of an image")]
    NoImage(String),
    /// The way to isolate is not known.
    #[error(
        "'{0}' is not a way to isolate programs; write bwrap, docker:IMAGE, podman:IMAGE or none"
    )]
    NoIsolation(String),
    /// What isolates programs is not installed.
    #[error("programs cannot be isolated: {0} is not installed")]
    NoIsolator(&'static str),
    /// This system has nothing that isolates programs.
    #[error("programs cannot be isolated on Windows; on Linux they can, in WSL too")]
    NoIsolationHere,
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
        "other programs cannot be run here: only Linux, macOS and Windows let them be ended together with \
         all that they start"
    )]
    Unsupported,
}

impl From<ProgramError> for String {
    fn from(error: ProgramError) -> Self {
        error.to_string()
    }
}
