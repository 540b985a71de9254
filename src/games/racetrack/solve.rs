//! Solves a track.
use super::level::TrackFile;
use crate::games::kind::{Solution, SolveOptions};
use crate::play::StopFlag;
pub fn solve(_level: &TrackFile, _o: &SolveOptions, _stop: &StopFlag) -> Result<Solution, String> {
    Err("".into())
}
