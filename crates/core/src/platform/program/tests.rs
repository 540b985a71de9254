//! Programs that behave badly.
#![allow(clippy::unwrap_used)]

#[cfg(windows)]
mod batches;
#[cfg(unix)]
mod scripts;

use super::{AllowedProgram, AllowedPrograms, Isolation, Program, Received};
use crate::platform::time::{Duration, Instant, sleep};
use std::path::Path;

/// Longer than any program needs, however busy the machine.
const LONG: Duration = Duration::from_secs(60);

fn allowed(path: &Path) -> AllowedProgram {
    let command = path.to_str().unwrap();
    AllowedPrograms::chosen_by_person([command], &Isolation::Limits).find(command).unwrap()
}

fn line(program: &mut Program) -> String {
    match program.receive(LONG) {
        Received::Line(line) => line.text,
        other => panic!("{other:?}"),
    }
}

fn ended(program: &mut Program) -> String {
    match program.receive(LONG) {
        Received::Ended(how) => how,
        other => panic!("{other:?}"),
    }
}

fn wait_until(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(began.elapsed() < LONG, "it never happened");
        sleep(Duration::from_millis(10));
    }
}
