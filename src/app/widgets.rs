//! The controls that all screens share.

/// Radius of corners, in points.
pub const CORNER: u8 = 6;
