//! The speed of the exact table against a plain search over hashed states, and how both grow, in
//! processor time, so that a busy machine does not count.

mod hashed;

use super::{BenchRow, outlooks};
use hashed::breadth_first;
use outwit_core::platform::time::{Instant, thread_cpu};
use outwit_kit::GameSpec;
use outwit_racetrack::exact::ExactTable;
use outwit_racetrack::{RaceRules, Racetrack, Track, TrackFile};

/// Runs of the table of which the median counts.
const RUNS: usize = 5;
/// States after which the plain search gives up, for memory's sake.
const MOST_HASHED: usize = 60_000_000;

/// Prints the measures row by row.
pub fn bench(row: &mut dyn FnMut(BenchRow)) {
    outlooks::bench::<Racetrack>(&["racetrack/first-lap", "racetrack/grand-tour"], row);
    for side in [32, 64, 128, 256, 512] {
        let track = Track::new(&serpentine(side));
        let mut put = |measure: &str, value: f64, unit: &'static str| {
            row(BenchRow { measure: format!("{side}x{side} {measure}"), value, unit });
        };
        let mut times = Vec::new();
        let mut table = None;
        for _ in 0..RUNS {
            let (built, spent) = timed(|| ExactTable::build(&track, &|| false));
            match built {
                Ok(built) => table = Some(built),
                Err(_) => break,
            }
            times.push(spent);
        }
        // No track of the bench comes near the limit of memory.
        let Some(table) = table else { continue };
        times.sort_by(f64::total_cmp);
        let exact = times[times.len() / 2];
        put("road cells", track.road_cells() as f64, "cells");
        put("exact table: states that can finish", table.states() as f64, "states");
        put("exact table: layers", f64::from(table.layers()), "turns");
        put("exact table: processor time, median of 5", exact, "ms");
        put("exact table: memory at the peak", mib(table.bytes_at_peak()), "MiB");
        put("exact table: memory kept", mib(table.bytes()), "MiB");
        drop(table);

        let (plain, hashed) = timed(|| breadth_first(&track, MOST_HASHED));
        let name = if plain.gave_up {
            "breadth-first over hashed states, given up: processor time"
        } else {
            "breadth-first over hashed states, one race: processor time"
        };
        put(name, hashed, "ms");
        put("breadth-first over hashed states: expanded", plain.expanded as f64, "states");
        put("exact table is faster by", hashed / exact, "times");
    }
}

/// What some work gave, and the milliseconds of processor time that it took; of time by the clock
/// where the system does not tell.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let clock = Instant::now();
    let cpu = thread_cpu();
    let result = work();
    let spent = match (cpu, thread_cpu()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => clock.elapsed(),
    };
    (result, spent.as_secs_f64() * 1000.0)
}

fn mib(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// A road that winds to and fro over a square, with the start at its upper end and the finish at
/// its lower one.
fn serpentine(side: usize) -> TrackFile {
    /// Cells across the road, and of grass between two of its lanes.
    const ROAD: usize = 9;
    const GRASS: usize = 4;
    let lanes = (side - 2 + GRASS) / (ROAD + GRASS);
    let mut map = vec![vec!['#'; side]; side];
    for lane in 0..lanes {
        let top = 1 + lane * (ROAD + GRASS);
        for row in &mut map[top..top + ROAD] {
            row[1..side - 1].fill('.');
        }
        if lane + 1 < lanes {
            let bend = if lane % 2 == 0 { side - 1 - ROAD..side - 1 } else { 1..1 + ROAD };
            for row in &mut map[top + ROAD..top + ROAD + GRASS] {
                row[bend.clone()].fill('.');
            }
        }
    }
    for row in &mut map[1..1 + ROAD] {
        row[1] = 'S';
    }
    let top = 1 + (lanes - 1) * (ROAD + GRASS);
    let end = if lanes % 2 == 1 { side - 2 } else { 1 };
    for row in &mut map[top..top + ROAD] {
        row[end] = 'F';
    }
    TrackFile {
        format: Racetrack::INFO.format.into(),
        name: format!("serpentine {side}"),
        author: String::new(),
        about: String::new(),
        rules: RaceRules::default(),
        map: map.into_iter().map(|row| row.into_iter().collect()).collect(),
    }
}
