//! Table.
use super::{Racetrack, TrackFile};
use crate::play::GameRecord;
use serde_json::Value;
pub fn summary(_level: &TrackFile, _records: &[GameRecord<Racetrack>]) -> Vec<Value> {
    vec![]
}
