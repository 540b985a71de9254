//! The planners in matches.

use super::*;
