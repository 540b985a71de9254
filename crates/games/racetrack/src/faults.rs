//! What keeps a track from being raced on.

use super::Racetrack;
use super::level::{Surface, TrackFile, single_steps, surfaces};
use outwit_core::grid::{Cell, Grid, UNREACHED, distances};
use outwit_core::levels::Fault;
use outwit_kit::{GameSpec, unknown_tiles};

/// Everything that keeps a well-formed track from being raced on.
pub(super) fn faults(level: &TrackFile) -> Vec<Fault> {
    let mut faults = unknown_tiles(Racetrack::MAPS.palette, &level.cells('#'), |symbol| {
        Surface::from_char(symbol).is_some()
    });
    let track = surfaces(level);
    let count = |wanted: Surface| track.as_slice().iter().filter(|&&s| s == wanted).count();
    if count(Surface::Start) == 0 {
        faults.push(Fault::whole("there is no start (S): put at least one on the map"));
    }
    if count(Surface::Finish) == 0 {
        faults.push(Fault::whole("there is no finish (F): put at least one on the map"));
    }
    let last = (1..=9).rev().find(|&n| count(Surface::Checkpoint(n)) > 0).unwrap_or(0);
    for missing in (1..last).filter(|&n| count(Surface::Checkpoint(n)) == 0) {
        faults.push(Fault::whole(format!(
            "checkpoint {missing} is missing though there is a checkpoint {last}"
        )));
    }
    if level.rules.laps > 1 && last == 0 {
        faults.push(Fault::whole(format!(
            "{} laps need at least one checkpoint, or crossing the finish line back and forth \
             would count",
            level.rules.laps
        )));
    }
    if faults.is_empty() {
        faults.extend(unreachable(&track, single_steps(&level.rules), last));
    }
    faults
}

/// Starts from which no way leads over the checkpoints to the finish.
///
/// A car can always step to a neighbouring cell and stop, so a way by single steps is all it takes,
/// and it stays within [`Track::turn_limit`](super::Track::turn_limit). Each stage may be walked on
/// from wherever the one before can have ended.
fn unreachable(track: &Grid<Surface>, steps: &[Cell], checkpoints: u8) -> Vec<Fault> {
    let on_track = |_, surface: &Surface| *surface != Surface::Off;
    let all_of = |wanted: Surface| {
        track.iter().filter(move |&(_, &s)| s == wanted).map(|(cell, _)| cell).collect::<Vec<_>>()
    };
    let mut stages: Vec<(String, Surface)> =
        (1..=checkpoints).map(|n| (format!("checkpoint {n}"), Surface::Checkpoint(n))).collect();
    stages.push(("the finish".into(), Surface::Finish));
    let starts = all_of(Surface::Start);
    // Roads work both ways, so reaching a stage is being connected with one of its cells.
    let mut faults = Vec::new();
    for (name, surface) in stages {
        let reach = distances(track, all_of(surface), steps, on_track);
        let cut_off = starts.iter().copied().filter(|&start| reach[start] == UNREACHED);
        faults.extend(Fault::at_all(cut_off, format!("{name} cannot be reached from this start")));
    }
    faults
}
