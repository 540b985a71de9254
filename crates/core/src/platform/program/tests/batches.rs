//! Programs that behave badly, as batch files.

use super::{allowed, ended, line, wait_until};
use crate::platform::program::{
    Isolation, LogSource, Program, ProgramLimits, ProgramLog, Received, check_file,
};
use crate::platform::time::Duration;
use std::fs::OpenOptions;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

struct Batches(tempfile::TempDir);

impl Batches {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn batch(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        let text = format!("@echo off\n{text}\n").replace('\n', "\r\n");
        std::fs::write(&path, text).unwrap();
        path
    }

    fn start(&self, text: &str) -> (Program, ProgramLog) {
        let log = ProgramLog::default();
        let program = allowed(&self.batch("a program.bat", text));
        (Program::start(&program, ProgramLimits::default(), log.clone()).unwrap(), log)
    }
}

/// A command that runs until it is killed, in a process of its own, and keeps a file open that long.
const CHILD: &str = "start /b cmd /c \"for /l %%i in (0,0,1) do @echo x\" >held.txt";

/// Whether somebody keeps the file open.
fn is_held(folder: &Path) -> bool {
    let mut alone = OpenOptions::new();
    alone.write(true).share_mode(0).open(folder.join("held.txt")).is_err()
}

#[test]
fn a_program_is_spoken_to_by_lines() {
    let batches = Batches::new();
    let (mut program, log) = batches.start(
        "cd\necho oops 1>&2\n:next\nset line=\nset /p line=\nif \"%line%\"==\"\" exit\necho [%line%]\ngoto next",
    );
    let folder = line(&mut program);
    assert_eq!(
        std::fs::canonicalize(folder.trim()).unwrap(),
        std::fs::canonicalize(batches.0.path()).unwrap()
    );
    program.send("one\n").unwrap();
    assert_eq!(line(&mut program), "[one]");
    program.send("two words\n").unwrap();
    assert_eq!(line(&mut program), "[two words]");
    assert_eq!(program.receive(Duration::ZERO), Received::Nothing);
    wait_until(|| log.lines().iter().any(|line| line.source == LogSource::Error));
    assert!(program.folder().is_dir());
}

#[test]
fn how_a_program_ends_is_said() {
    let batches = Batches::new();
    assert_eq!(ended(&mut batches.start("exit 3").0), "it ended by itself with exit code 3");
    let crash = ended(&mut batches.start("exit -1073741819").0);
    assert_eq!(crash, "it crashed or was killed (0xC0000005)");
    let (mut program, _) = batches.start("echo last words\nexit 0");
    assert_eq!(line(&mut program), "last words");
    assert!(ended(&mut program).contains("exit code 0"));
    program.send("anybody there?\n").unwrap();
}

#[test]
fn its_children_go_with_it() {
    let batches = Batches::new();
    let (mut program, _) = batches.start(&format!("{CHILD}\necho started\n:loop\ngoto loop"));
    assert_eq!(line(&mut program), "started");
    wait_until(|| batches.0.path().join("held.txt").exists());
    assert!(is_held(batches.0.path()));
    program.kill();
    wait_until(|| !is_held(batches.0.path()));
    // Without its parent too.
    let (mut program, _) = batches.start(&format!("{CHILD}\necho started\nexit 5"));
    assert_eq!(line(&mut program), "started");
    assert_eq!(ended(&mut program), "it ended by itself with exit code 5");
    wait_until(|| !is_held(batches.0.path()));
}

#[test]
fn what_cannot_be_run_is_said() {
    let batches = Batches::new();
    let missing = check_file(&batches.0.path().join("nothing")).unwrap_err().to_string();
    assert!(missing.starts_with("there is no file "), "{missing}");
    assert!(check_file(batches.0.path()).unwrap_err().to_string().contains("is a folder"));
    let odd = batches.0.path().join("odd.exe");
    std::fs::write(&odd, "no program").unwrap();
    let error = Program::start(&allowed(&odd), ProgramLimits::default(), ProgramLog::default())
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("cannot be started"), "{error}");
    assert!(Isolation::Bwrap.check().is_err());
}
