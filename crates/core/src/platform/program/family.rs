//! The processes of a program, as Linux lists them: its own, those of its group, and their children wherever they
//! have gone.

use super::isolation::MARK;
use crate::platform::time::Duration;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;

/// A process as the system describes it.
struct Process {
    pid: i32,
    parent: i32,
    group: i32,
}

fn processes() -> impl Iterator<Item = Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name before it may hold blanks and brackets.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        if matches!(*fields.first()?, "Z" | "X") {
            return None;
        }
        let number = |at: usize| fields.get(at)?.parse().ok();
        Some(Process { pid, parent: number(1)?, group: number(2)? })
    })
}

/// The processes of the program that was started as this one and leads a group.
fn family(leader: Pid) -> Vec<Process> {
    let leader = leader.as_raw_nonzero().get();
    let mut others: Vec<Process> = processes().collect();
    let mut known = BTreeSet::from([leader]);
    let mut family = Vec::new();
    loop {
        let found: Vec<Process> = others
            .extract_if(.., |process: &mut Process| {
                process.pid == leader || process.group == leader || known.contains(&process.parent)
            })
            .collect();
        if found.is_empty() {
            return family;
        }
        known.extend(found.iter().map(|process| process.pid));
        family.extend(found);
    }
}

/// The processes of a program, and how many bytes of memory they use together.
pub(super) fn size(leader: Pid) -> (Vec<i32>, u64) {
    let family = family(leader);
    let bytes = |process: &Process| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", process.pid)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kib.saturating_mul(1024))
    };
    let bytes = family.iter().filter_map(bytes).sum();
    (family.iter().map(|process| process.pid).collect(), bytes)
}

/// How long the threads of these processes have waited for a processor so far.
pub(super) fn waited(pids: &[i32]) -> Duration {
    Duration::from_nanos(
        pids.iter()
            .flat_map(|pid| {
                let threads = std::fs::read_dir(format!("/proc/{pid}/task"));
                threads.into_iter().flatten().flatten().filter_map(|thread| {
                    let times = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
                    times.split_whitespace().nth(1)?.parse::<u64>().ok()
                })
            })
            .sum(),
    )
}

/// Kills all processes that a program has left: those of its family, and those that carry its mark in their
/// environment.
pub(super) fn kill_family(leader: Pid, mark: &str) {
    /// Rounds; whoever starts others meanwhile is met in the next one.
    const ROUNDS: usize = 20;
    let marked = format!("{MARK}={mark}");
    let has_mark = |pid: i32| {
        let variables = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        variables.split(|&byte| byte == 0).any(|variable| variable == marked.as_bytes())
    };
    for _ in 0..ROUNDS {
        let mut found: BTreeSet<i32> = family(leader).iter().map(|process| process.pid).collect();
        found.extend(processes().map(|process| process.pid).filter(|&pid| has_mark(pid)));
        found.remove(&leader.as_raw_nonzero().get());
        if found.is_empty() {
            return;
        }
        for pid in found.into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}
