//! Programs of other people in the seats: those that behave, and those that do not.

use super::cli::Desk;
use super::engines::script;
use serde_json::Value;
use std::time::{Duration, Instant};

/// A program that answers each turn by what `turn` does. There `$t` is the turn and `$d` the default action, which
/// `answer` sends.
fn program(turn: &str) -> String {
    player("echo '{\"type\":\"ready\",\"protocol\":1,\"name\":\"Script\"}'", turn)
}

fn player(start: &str, turn: &str) -> String {
    format!(
        "answer() {{ echo '{{\"type\":\"action\",\"turn\":'$1',\"action\":'\"$2\"'}}'; }}\n\
         while read -r l; do case $l in\n\
         *'\"type\":\"start\"'*) {start};;\n\
         *'\"type\":\"end\"'*) exit 0;;\n\
         *'\"type\":\"turn\"'*) t=${{l#*'\"turn\":'}}; t=${{t%%,*}}\n\
         d=${{l#*'\"default\":'}}; d=\"${{d%%\\}}\\}}*}}}}}}\"\n{turn};;\nesac; done"
    )
}

/// Each with what its row in the table of games must say: how it ended (`failed` if it lost for a fault), and the
/// counts of late, silent, illegal and broken turns, `None` where any will do.
struct Case {
    name: &'static str,
    script: String,
    fault: Option<&'static str>,
    late: bool,
    silent: bool,
    illegal: bool,
    broken: bool,
}

fn case(name: &'static str, script: String) -> Case {
    Case { name, script, fault: None, late: false, silent: false, illegal: false, broken: false }
}

fn misbehaving(mark: &str) -> Vec<Case> {
    let good = "answer $t \"$d\"";
    let late = |case: Case| Case { late: true, ..case };
    let broken = |case: Case| Case { broken: true, ..case };
    let dead = |case: Case, fault| Case { fault: Some(fault), ..case };
    vec![
        late(case("late-once", program(&format!("[ -z \"$s\" ] && {{ s=1; sleep 1; }}; {good}")))),
        late(case("late-always", program(&format!("sleep 0.7; {good}")))),
        Case { silent: true, ..late(case("silent", program(":"))) },
        broken(late(case(
            "half-a-line",
            program("printf '{\"type\":\"action\",\"turn\":'; sleep 0.7; echo"),
        ))),
        broken(late(case("garbage", program("echo 'Segmentation fault? No, art.'")))),
        broken(late(case("long-line", program("head -c 100000000 /dev/zero | tr '\\0' x; echo")))),
        Case {
            illegal: true,
            ..case("illegal", program("answer $t '{\"Place\":{\"x\":99,\"y\":-5}}'"))
        },
        broken(case("wrong-type", program("answer $t '{\"Place\":\"everywhere\"}'"))),
        dead(case("dies-at-start", player("exit 3", ":")), "exit code 3"),
        dead(
            case(
                "dies-later",
                program(&format!("[ $t -ge 3 ] && {{ echo no idea >&2; exit 4; }}; {good}")),
            ),
            "exit code 4; its last error: no idea",
        ),
        case(
            "forks",
            program(&format!("(exec -a {mark} sleep 900 2>/dev/null || sleep 900) & {good}")),
        ),
        case("own-session", program(&format!("setsid sleep 901 >/dev/null 2>&1 & {good}"))),
        case("ignores-term", format!("trap '' TERM HUP INT\n{}", program(good))),
        case(
            "endless-errors",
            program(&format!("[ -z \"$s\" ] && {{ s=1; yes oops >&2 & }}; {good}")),
        ),
        dead(case("closes-its-pipes", program("exec >&- 2>&-; sleep 30")), "it closed its output"),
        case("speaks-first", format!("echo hello; answer 0 1\n{}", program(good))),
        case("answers-twice", program(&format!("{good}; {good}"))),
        late(case("answers-an-old-turn", program("answer 0 \"$d\""))),
        dead(
            case(
                "wants-8-GB",
                program("dd if=/dev/zero of=/dev/null bs=8G count=1 2>/dev/null || exit 9"),
            ),
            "exit code 9",
        ),
        case(
            "bomb",
            program(&format!(
                "[ -z \"$s\" ] && {{ s=1; for i in 1 2 3 4 5; do sleep 902 & done; }}; {good}"
            )),
        ),
    ]
}

/// How many processes still run a command that holds this.
fn left(what: &str) -> usize {
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter(|entry| {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            line.contains(what)
        })
        .count()
}

fn tournament(desk: &Desk, cases: &[Case], more: &[&str]) -> Vec<Value> {
    let names: Vec<String> = cases
        .iter()
        .map(|case| {
            let path = script(desk, case.name, &case.script);
            format!("program:{}", path.display())
        })
        .collect();
    let seat = format!("o={}", names.join(","));
    let args = [
        &["match", "mnk", "mnk/3x3x3", "--seat", "x=novice", "--seat", &seat][..],
        &["--games", "1", "--budget", "300ms", "--bank", "200ms", "--openings", "none"],
        &["--games-csv", "games.csv", "--save", "kept.jsonl"],
        more,
    ];
    desk.run(&args.concat()).is(0);
    let kept = std::fs::read_to_string(desk.path("kept.jsonl")).unwrap();
    kept.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn check(cases: &[Case], games: &[Value]) {
    assert_eq!(games.len(), cases.len());
    for case in cases {
        let is_of = |game: &&Value| {
            game["players"][1].as_str().is_some_and(|name| name.ends_with(case.name))
        };
        let game = games.iter().find(is_of).unwrap_or_else(|| panic!("{}", case.name));
        let stats = &game["conduct"][1];
        let count = |what: &str| stats[what].as_u64().unwrap_or_default();
        let fault = stats["fault"].as_str();
        match case.fault {
            Some(wanted) => assert!(
                fault.is_some_and(|fault| fault.contains(wanted)),
                "{}: {fault:?}",
                case.name
            ),
            None => assert_eq!(fault, None, "{}", case.name),
        }
        if case.fault.is_none() {
            let named = [("illegal", case.illegal), ("broken", case.broken)];
            for (what, wanted) in named {
                assert_eq!(count(what) > 0, wanted, "{}: {what} of {stats}", case.name);
            }
            // On a busy machine others may be late too.
            for (what, wanted) in [("overruns", case.late), ("silent", case.silent)] {
                assert!(!wanted || count(what) > 0, "{}: {what} of {stats}", case.name);
            }
        }
    }
}

#[test]
fn programs_that_misbehave_are_ruled_on_and_leave_nothing_running() {
    let desk = Desk::new();
    let cases = misbehaving("outwit-test-child");
    let games = tournament(&desk, &cases, &[]);
    check(&cases, &games);
    for what in ["sleep 900", "sleep 901", "sleep 902", "yes oops", desk.path("").to_str().unwrap()]
    {
        assert_eq!(left(what), 0, "{what}");
    }
}

#[test]
fn what_is_wrong_with_a_program_is_said_with_what_to_do() {
    let desk = Desk::new();
    let illegal = script(&desk, "illegal", &program("answer $t '{\"Place\":{\"x\":99,\"y\":-5}}'"));
    let unread = script(&desk, "unread", &program("answer $t '{\"Place\":\"everywhere\"}'"));
    let crashing = script(&desk, "crashing", "echo first >&2; echo 'Error: no art' >&2; exit 1");
    let ask = |path: &std::path::Path, more: &[&str]| {
        desk.run(&[&["ask", "mnk/3x3x3", "--player", path.to_str().unwrap()][..], more].concat())
    };
    let said = ask(&illegal, &[]).is(1);
    assert!(
        said.out.contains("advice  Choose from the field actions of the turn."),
        "{}",
        said.out
    );
    let said = ask(&unread, &["--json"]).is(1).json();
    assert!(said["advice"][0].as_str().unwrap().contains("field default"), "{said}");
    let said = ask(&crashing, &[]).is(2);
    assert!(said.err.contains("crashing: it ended by itself"), "{}", said.err);
    assert!(said.err.contains("it printed: first\n"), "{}", said.err);
    let try_it = |path: &std::path::Path| {
        let args = ["try", path.to_str().unwrap(), "--game", "mnk", "--level", "mnk/3x3x3"];
        desk.run(&args).is(1).out
    };
    let said = try_it(&crashing);
    assert!(said.contains("mend that first") && !said.contains("\"ready\""), "{said}");
    assert!(try_it(&script(&desk, "mute", "exit 0")).contains("print {\"type\":\"ready\""));
    let said = try_it(&script(&desk, "talking", &program("echo 'I take the corner'")));
    for part in ["no action came that could be checked", "not played: no answer came in time"] {
        assert!(said.contains(part), "{said}");
    }
    assert!(try_it(&unread).contains("no action came that could be checked"));
    let seat = format!("o=program:{},program:{}", illegal.display(), crashing.display());
    let args = ["match", "mnk", "mnk/3x3x3", "--seat", "x=novice", "--seat", &seat, "--games", "1"];
    let said = desk.run(&[&args[..], &["--budget", "300ms"]].concat()).is(0).out;
    for path in [&illegal, &crashing] {
        let path = path.display();
        let command = format!("\n  outwit try {path} --game mnk --level mnk/3x3x3 --seat o\n");
        assert!(said.contains(&command), "{said}");
    }
    assert!(said.contains(", in turn 1: it ended by itself with exit code 1"), "{said}");
    let talking = script(&desk, "shy", &program("echo 'aside' >&2; answer $t \"$d\""));
    let said = desk.run(&["ask", "mnk/3x3x3", "--player", talking.to_str().unwrap()]).is(0).out;
    assert!(said.contains("stderr  aside\n"), "{said}");
}

fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A program that says in a note what it can do: read a file, write into its folder, how many network interfaces there
/// are beside the loopback, how much it can write to `/tmp`, and whether it sees this process.
fn snoop(secret: &str) -> String {
    let look = format!(
        "r=no; [ -r '{secret}' ] && r=yes; w=no; (: > here) 2>/dev/null && w=yes\n\
         n=$(grep -v lo: /proc/net/dev | grep -c :)\n\
         head -c 300000000 /dev/zero > /tmp/outwit-filled 2>/dev/null\n\
         f=no; [ $(wc -c < /tmp/outwit-filled) -gt 200000000 ] && f=yes; rm -f /tmp/outwit-filled\n\
         p=no; [ -e /proc/{} ] && p=yes\n\
         echo '{{\"type\":\"note\",\"turn\":'$t',\"text\":\"read '$r', write '$w', net '$n', fill '$f', see '$p'\"}}'",
        std::process::id()
    );
    program(&format!("{look}\nanswer $t \"$d\""))
}

#[test]
fn a_sandbox_keeps_programs_from_the_rest_of_the_machine() {
    if !has("bwrap") {
        println!("skipped: bwrap is not installed");
        return;
    }
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("outside")).unwrap();
    let secret = desk.put("outside/secret", "x");
    std::fs::create_dir_all(desk.path("bots")).unwrap();
    let path = script(&desk, "bots/snoop", &snoop(secret.to_str().unwrap()));
    let ask = |more: &[&str]| {
        let args = [&["ask", "mnk/3x3x3", "--json", "--player", path.to_str().unwrap()][..], more];
        let said = desk.run(&args.concat()).is(0).json();
        said["notes"][0].as_str().unwrap().to_owned()
    };
    let open = ask(&[]);
    assert!(open.starts_with("read yes, write yes") && open.ends_with("see yes"), "{open}");
    assert_eq!(ask(&["--isolate", "bwrap"]), "read no, write no, net 0, fill no, see no");
    let cases = misbehaving("outwit-test-child");
    // What a sandbox must not change, in a few of them.
    let few: Vec<Case> = cases
        .into_iter()
        .filter(|case| {
            ["silent", "dies-later", "own-session", "ignores-term", "illegal"].contains(&case.name)
        })
        .collect();
    let games = tournament(&desk, &few, &["--isolate", "bwrap"]);
    check(&few, &games);
    assert_eq!(left("sleep 901"), 0);
}

#[test]
fn a_container_is_started_without_network_and_ended_by_its_name() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("bin")).unwrap();
    let said = desk.path("said");
    // Stands in for docker: records its words, and runs what stands behind the image.
    script(
        &desk,
        "bin/docker",
        &format!(
            "echo \"$@\" >> '{}'\n[ \"$1\" = run ] || exit 0\n\
             while [ \"$1\" != image:1 ]; do shift; done; shift; exec \"$@\"",
            said.display()
        ),
    );
    let path = script(&desk, "player", &program("answer $t \"$d\""));
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(desk.path("bin")).chain(std::env::split_paths(&folders));
    let ended = desk
        .command(&[
            "ask",
            "mnk/3x3x3",
            "--player",
            path.to_str().unwrap(),
            "--isolate",
            "docker:image:1",
        ])
        .env("PATH", std::env::join_paths(folders).unwrap())
        .output()
        .unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    // What ends the container is started last, and not waited for.
    let began = Instant::now();
    let said = loop {
        let said = std::fs::read_to_string(&said).unwrap();
        if said.lines().count() > 1 || began.elapsed() > Duration::from_secs(60) {
            break said;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut lines = said.lines();
    let run = lines.next().unwrap();
    let folder = desk.path("");
    let folder = folder.to_str().unwrap().trim_end_matches('/');
    for part in [
        "run --rm --interactive --init --network none --read-only --cap-drop ALL",
        "--security-opt no-new-privileges --user 65534:65534 --name outwit-",
        "--tmpfs /tmp:size=64m --pids-limit 256 --memory 2048m --memory-swap 2048m",
        &format!("--mount type=bind,readonly,source={folder},target={folder} --workdir {folder}"),
        &format!("image:1 {}", path.display()),
    ] {
        assert!(run.contains(part), "{part}: {run}");
    }
    let name = run.split("--name ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert_eq!(lines.next(), Some(format!("rm --force {name}").as_str()));
}
