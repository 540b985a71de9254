//! Why a match cannot begin.

use crate::levels::Fault;

/// Why a match cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

impl From<Vec<Fault>> for SetupError {
    /// The first fault, where there is room for one.
    fn from(faults: Vec<Fault>) -> Self {
        Self(faults.first().map_or_else(String::new, ToString::to_string))
    }
}

impl From<SetupError> for String {
    fn from(error: SetupError) -> Self {
        error.0
    }
}
