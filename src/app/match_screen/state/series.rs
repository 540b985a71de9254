//! What the screen knows of the series that a match is part of.

use crate::app::requests::Series;

/// Seconds between the end of a match and the next one.
const PAUSE: f32 = 5.0;

/// What the screen knows of the series of its match.
#[derive(Clone, PartialEq, Debug)]
pub struct SeriesState {
    /// The series, if the match is part of one.
    pub series: Option<Series>,
    /// Seconds until the next match.
    pub left: f32,
    /// Whether the end of the match was told.
    pub told: bool,
    /// Whether the next match was asked for.
    pub asked: bool,
    /// The speed to go back to when the last plan was shown once more.
    pub speed: Option<usize>,
}

impl Default for SeriesState {
    fn default() -> Self {
        Self { series: None, left: PAUSE, told: false, asked: false, speed: None }
    }
}
