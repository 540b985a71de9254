//! How a sub-command ends.

use super::Failure;

/// How a sub-command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Exit code 0.
    Yes,
    /// Exit code 1.
    No,
    /// Exit code 2: the answer was printed, but not everything could be written, as was said.
    Failed,
    /// Exit code 3: games are still to be played, by other runs or the next one.
    Unfinished,
}

/// What a sub-command comes to: its answer, or why there is none.
pub(crate) type ExitStatus = Result<Answer, Failure>;
