//! Signals end the program, and all that it started, in an orderly way.

use super::cli::Desk;
use super::engines::script;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than anything here needs, however busy the machine.
const LONG: Duration = Duration::from_secs(120);

/// Plays two games, each lost at once, and gets stuck in the third, with a child, unless there is a file
/// named `free`.
const STUCK: &str = "while read -r c a; do case $c in ABOUT) echo 'name=\"Stuck\"';;
    START) echo OK;; TURN|BEGIN|BOARD)
    echo x >> games
    [ -f free ] || [ $(wc -l < games) -lt 3 ] && exit 7
    (trap '' HUP INT TERM; exec sleep 100000) &
    trap '' HUP INT TERM
    echo $$ $! > new; mv new pids
    while :; do sleep 1; done;;
esac; done";

const SIGNALS: [(&str, i32); 3] = [("INT", 2), ("TERM", 15), ("HUP", 1)];

/// Whether this process, and so what it starts, ignores a signal, as under `nohup`.
fn is_ignored(number: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
    u64::from_str_radix(mask, 16).unwrap() >> (number - 1) & 1 == 1
}

/// Whether a process runs; one that waits to be reaped by init does not.
fn runs(pid: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = state.rsplit(')').next().unwrap_or_default().trim_start();
    !state.is_empty() && !state.starts_with(['Z', 'X'])
}

#[track_caller]
fn wait_until(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(began.elapsed() < LONG, "it never happened");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn send(signal: &str, pid: &str) {
    let kill = format!("kill -s {signal} {pid}");
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

/// A tournament of five games against an engine that gets stuck.
struct Tournament {
    desk: Desk,
    seat: String,
    temporary: PathBuf,
}

impl Tournament {
    fn new() -> Self {
        let desk = Desk::new();
        let seat = format!("o=engine:{}", script(&desk, "it's stuck", STUCK).display());
        let temporary = desk.path("temporary");
        std::fs::create_dir(&temporary).unwrap();
        Self { desk, seat, temporary }
    }

    fn command(&self, more: &[&str]) -> Command {
        let args = ["match", "mnk", "mnk/5x5x5", "--seat", "x=novice", "--seat", &self.seat];
        let args =
            [&args[..], &["--games", "5", "--budget", "1000s", "--jobs", "1"], more].concat();
        let mut command = self.desk.command(&args);
        command.env("TMPDIR", &self.temporary).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The engine and its child, once it is stuck.
    fn pids(&self) -> Vec<String> {
        let text = || std::fs::read_to_string(self.desk.path("pids")).unwrap_or_default();
        wait_until(|| !text().is_empty());
        text().split_whitespace().map(str::to_owned).collect()
    }

    fn leftovers(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.temporary).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

#[test]
fn a_signal_ends_a_tournament_so_that_it_can_be_resumed() {
    let whole = Tournament::new();
    whole.desk.put("free", "");
    let salt = |tournament: &Tournament| tournament.desk.put("salt.txt", "5a".repeat(32));
    salt(&whole);
    let sealed = ["--no-times", "--salt", "salt.txt"];
    let expected = whole.command(&[&sealed[..], &["--json"]].concat()).output().unwrap();
    assert!(expected.status.success(), "{expected:?}");
    for (signal, number) in SIGNALS.into_iter().filter(|(_, number)| !is_ignored(*number)) {
        let cut = Tournament::new();
        salt(&cut);
        let save = [&["--save", "the games"], &sealed[..]].concat();
        let begun = cut.command(&save).spawn().unwrap();
        let pids = cut.pids();
        assert!(pids.len() == 2 && pids.iter().all(|pid| runs(pid)), "{pids:?}");
        assert!(!cut.leftovers().is_empty());
        send(signal, &begun.id().to_string());
        let ended = begun.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(128 + number), "{ended:?}");
        assert!(ended.stdout.is_empty(), "{ended:?}");
        wait_until(|| !pids.iter().any(|pid| runs(pid)));
        assert_eq!(cut.leftovers(), [] as [PathBuf; 0]);
        let told = String::from_utf8(ended.stderr).unwrap();
        assert!(told.contains("interrupted; 2 of 5 games are saved"), "{told}");
        let saved = std::fs::read_to_string(cut.desk.path("the games")).unwrap();
        assert_eq!(saved.lines().count(), 3, "{saved}");

        // The command that was told plays the rest.
        let (_, resume) = told.split_once("resume with: ").unwrap();
        assert!(resume.contains(" --resume 'the games'"), "{resume}");
        cut.desk.put("free", "");
        let program = Path::new(env!("CARGO_BIN_EXE_outwit")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut shell = cut.desk.command_of("sh");
        shell.args(["-c", &format!("{} --json", resume.trim())]);
        shell.env("PATH", format!("{}:{path}", program.display()));
        let resumed = shell.output().unwrap();
        assert!(resumed.status.success(), "{resumed:?}");
        let text = |bytes: &[u8], of: &Tournament| {
            String::from_utf8_lossy(bytes).replace(of.seat.strip_prefix("o=").unwrap(), "engine")
        };
        assert_eq!(text(&resumed.stdout, &cut), text(&expected.stdout, &whole));
    }
}

#[test]
fn games_that_nobody_saves_are_lost_in_so_many_words() {
    let cut = Tournament::new();
    let begun = cut.command(&["--json"]).spawn().unwrap();
    cut.pids();
    send("TERM", &begun.id().to_string());
    let ended = begun.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(143), "{ended:?}");
    let document: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    let told = "interrupted; 2 of 5 games are finished, but not saved: --save FILE would keep them";
    assert_eq!(document["error"]["message"], told);
    assert_eq!(document["error"]["exit_code"], 143);
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), format!("outwit: {told}\n"));
}

#[test]
fn an_engine_does_not_survive_the_death_of_this_program() {
    let cut = Tournament::new();
    let mut begun = cut.command(&[]).spawn().unwrap();
    let pids = cut.pids();
    begun.kill().unwrap();
    begun.wait().unwrap();
    wait_until(|| !runs(&pids[0]));
    // Its children are nobody's.
    send("KILL", &pids[1]);
}

#[test]
fn what_has_nothing_to_save_ends_directly() {
    let desk = Desk::new();
    let mut command = desk.command(&["brain"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut begun = command.spawn().unwrap();
    // Without its input it would end by itself.
    let _input = begun.stdin.take();
    // It heeds signals before it has a second thread.
    wait_until(|| {
        let threads = std::fs::read_dir(format!("/proc/{}/task", begun.id()));
        threads.is_ok_and(|threads| threads.count() > 1)
    });
    send("TERM", &begun.id().to_string());
    let ended = begun.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(143), "{ended:?}");
    assert!(ended.stderr.is_empty(), "{ended:?}");
}
