//! Planners.
