//! Programs that go on from one match to the next.

use crate::platform::program::{AllowedProgram, Program};
use std::sync::{Arc, Mutex, PoisonError};

/// More than this are not kept.
const MOST_KEPT: usize = 16;

/// Programs that wait for their next match; clones share them. They end with the last clone.
#[derive(Clone, Default)]
pub struct KeptPrograms(Arc<Mutex<Vec<(AllowedProgram, Program)>>>);

impl std::fmt::Debug for KeptPrograms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeptPrograms")
    }
}

impl KeptPrograms {
    /// Takes a running program of this command out.
    pub(super) fn take(&self, wanted: &AllowedProgram) -> Option<Program> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(program, _)| program == wanted)?;
        Some(kept.swap_remove(at).1)
    }

    /// Keeps a program for its next match.
    pub(super) fn put(&self, program: AllowedProgram, running: Program) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST_KEPT {
            kept.push((program, running));
        }
    }
}
