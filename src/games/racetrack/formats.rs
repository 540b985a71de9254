//! Tracks in foreign formats: pictures and text.
use super::level::TrackFile;
use crate::games::kind::Converted;
use crate::levels::Fault;
pub fn import(_bytes: &[u8], _name: &str) -> Option<Result<TrackFile, Vec<Fault>>> {
    None
}
pub fn export(_level: &TrackFile, ending: &str) -> Result<Converted, String> {
    Err(format!("unknown format '{ending}'"))
}
