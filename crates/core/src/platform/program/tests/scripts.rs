//! Programs that behave badly, as shell scripts.

use super::{allowed, ended, line, wait_until};
use crate::platform::program::{
    LogSource, Program, ProgramLimits, ProgramLog, Received, check_file,
};
use crate::platform::time::Duration;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

fn with_memory(bytes: u64) -> ProgramLimits {
    ProgramLimits { memory: Some(bytes), ..ProgramLimits::default() }
}

struct Scripts(tempfile::TempDir);

impl Scripts {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn start(&self, text: &str) -> (Program, ProgramLog) {
        let log = ProgramLog::default();
        let program = allowed(&self.script("a program", text));
        (Program::start(&program, with_memory(1 << 30), log.clone()).unwrap(), log)
    }
}

/// Whether a process runs; one that waits to be reaped by init does not.
fn runs(pid: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = state.rsplit(')').next().unwrap_or_default().trim_start();
    !state.is_empty() && !state.starts_with('Z') && !state.starts_with('X')
}

#[test]
fn a_program_is_spoken_to_by_lines() {
    let scripts = Scripts::new();
    let (mut program, log) =
        scripts.start("pwd; echo oops >&2; while read l; do echo \"<$l>\"; done");
    let folder = line(&mut program);
    assert_eq!(
        std::fs::canonicalize(folder).unwrap(),
        std::fs::canonicalize(scripts.0.path()).unwrap()
    );
    program.send("one\ntwo words\n").unwrap();
    assert_eq!((line(&mut program), line(&mut program)), ("<one>".into(), "<two words>".into()));
    assert_eq!(program.receive(Duration::ZERO), Received::Nothing);
    wait_until(|| log.lines().iter().any(|line| line.source == LogSource::Error));
    let has = |source, text: &str| {
        log.lines().iter().any(|line| line.source == source && line.text == text)
    };
    assert!(has(LogSource::Sent, "two words") && has(LogSource::Output, "<one>"));
    assert!(has(LogSource::Error, "oops"));
    if cfg!(target_os = "linux") {
        assert!(has(LogSource::Note, "each of its processes may use 1024 MiB of memory"));
    }
    assert!(program.folder().is_dir());
}

#[test]
fn how_a_program_ends_is_said() {
    let scripts = Scripts::new();
    let how = |text: &str| ended(&mut scripts.start(text).0);
    assert_eq!(how("exit 3"), "it ended by itself with exit code 3");
    assert_eq!(how("kill -9 $$"), "it crashed or was killed (signal 9)");
    assert_eq!(how("exec >&-; sleep 1000"), "it closed its output");
    // What it said before still comes.
    let (mut program, _) = scripts.start("printf 'last words'; exit 0");
    assert_eq!(line(&mut program), "last words");
    assert!(ended(&mut program).contains("exit code 0"));
    program.send("anybody there?\n").unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn its_children_go_with_it() {
    let scripts = Scripts::new();
    // The child keeps the pipe open and does not mind the usual signals.
    let child = "trap '' HUP TERM INT; (trap '' HUP TERM INT; while :; do sleep 1; done) & echo $!";
    let (mut program, _) = scripts.start(&format!("{child}; while :; do sleep 1; done"));
    let pid = line(&mut program);
    assert!(runs(&pid));
    drop(program);
    wait_until(|| !runs(&pid));
    // Without its parent too.
    let (mut program, _) = scripts.start(&format!("{child}; exit 5"));
    let pid = line(&mut program);
    assert_eq!(ended(&mut program), "it ended by itself with exit code 5");
    wait_until(|| !runs(&pid));
}

#[test]
fn nobody_waits_for_a_program() {
    let scripts = Scripts::new();
    // It neither speaks nor listens: its pipe is soon full, and so is what waits before it.
    let (mut program, _) = scripts.start("while :; do sleep 1; done");
    assert_eq!(program.receive(Duration::from_millis(1)), Received::Nothing);
    let text = "x".repeat(1 << 20) + "\n";
    let refused = (0..100).find_map(|_| program.send(&text).err()).map(String::from);
    assert_eq!(refused.as_deref(), Some("it does not read its input"));
    // It writes without end to both: what is read and kept is bounded.
    let (mut program, log) =
        scripts.start("(while :; do echo noise >&2; done) & while :; do echo flood; done");
    for _ in 0..5000 {
        assert_eq!(line(&mut program), "flood");
    }
    wait_until(|| log.written() > 5000);
    assert!(log.lines().len() <= 500);
    drop(program);
    // It reads what it was sent last, and ends by itself.
    let file = scripts.0.path().join("done");
    let (mut program, _) = scripts.start("read l; read e || echo \"$l\" > done; exit 0");
    program.send("END\n").unwrap();
    drop(program);
    wait_until(|| std::fs::read_to_string(&file).is_ok_and(|text| text == "END\n"));
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_limited() {
    let scripts = Scripts::new();
    let path = scripts.script(
        "large",
        "read l; dd if=/dev/zero of=/dev/null bs=$l count=1 2>/dev/null && echo plenty || echo refused",
    );
    for (bytes, answer) in [(1 << 20, "plenty"), (1 << 28, "refused")] {
        let mut program =
            Program::start(&allowed(&path), with_memory(1 << 26), ProgramLog::default()).unwrap();
        program.send(&format!("{bytes}\n")).unwrap();
        assert_eq!(line(&mut program), answer);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_size_of_a_file_is_limited() {
    let scripts = Scripts::new();
    let text = "dd if=/dev/zero of=file bs=1024 count=9 2>/dev/null && echo plenty || echo refused";
    let path = scripts.script("large", text);
    for (bytes, answer) in [(1 << 20, "plenty"), (1 << 12, "refused")] {
        let limits = ProgramLimits { file: Some(bytes), ..ProgramLimits::default() };
        let mut program = Program::start(&allowed(&path), limits, ProgramLog::default()).unwrap();
        assert_eq!(line(&mut program), answer);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_killed_program_is_gone_with_its_children() {
    let scripts = Scripts::new();
    let (mut program, _) = scripts.start("setsid sleep 1000 & echo $!; while :; do sleep 1; done");
    let pid = line(&mut program);
    program.kill();
    assert!(!runs(&pid));
}

#[test]
fn what_cannot_be_run_is_said() {
    let scripts = Scripts::new();
    let missing = check_file(&scripts.0.path().join("nothing")).unwrap_err().to_string();
    assert!(missing.starts_with("there is no file "), "{missing}");
    assert!(check_file(scripts.0.path()).unwrap_err().to_string().contains("is a folder"));
    let plain = scripts.0.path().join("plain");
    std::fs::write(&plain, "text").unwrap();
    assert!(check_file(&plain).unwrap_err().to_string().contains("not executable"));
    let odd = scripts.script("odd", "");
    std::fs::write(&odd, "#!/no/such/interpreter\n").unwrap();
    let error = Program::start(&allowed(&odd), ProgramLimits::default(), ProgramLog::default())
        .err()
        .unwrap();
    let error = error.to_string();
    assert!(error.contains("cannot be started"), "{error}");
}
