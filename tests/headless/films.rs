//! Matches as pictures on the command line.

use super::cli::Desk;

/// A desk with the replay of a short race.
fn desk() -> (Desk, String) {
    let desk = Desk::new();
    let played =
        ["match", "racetrack", "tiny", "--seat", "car1=ace", "--games", "1", "--replays", "."];
    desk.run(&played).is(0);
    let replay = std::fs::read_dir(desk.path("."))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .find(|name| name.ends_with(".ron"))
        .unwrap();
    (desk, replay)
}

#[test]
fn a_replay_becomes_pictures_of_all_kinds() {
    let (desk, replay) = desk();
    let kinds = [
        ("--gif", "a.gif", &b"GIF89a"[..]),
        ("--apng", "b.png", b"\x89PNG"),
        ("--png", "c.png", b"\x89PNG"),
        ("--svg", "d.svg", b"<svg"),
    ];
    let files = kinds.iter().flat_map(|(option, file, _)| [*option, *file]);
    let args: Vec<&str> = ["replay", &replay, "--to", "2", "--size", "200", "--json"]
        .into_iter()
        .chain(files)
        .collect();
    let said = desk.run(&args).is(0);
    assert_eq!(said.json()["faithful"], true, "one document on standard output");
    assert!(said.err.contains("200 ×") && said.err.contains("a.gif"), "{said:?}");
    for (_, file, magic) in kinds {
        assert!(std::fs::read(desk.path(file)).unwrap().starts_with(magic), "{file}");
    }
    let svg = std::fs::read_to_string(desk.path("d.svg")).unwrap();
    assert!(svg.contains("width=\"200\""), "in pixels");
}

#[test]
fn what_cannot_be_drawn_is_said_and_leaves_no_file() {
    let (desk, replay) = desk();
    for (options, says) in [
        (&["--gif", "a.gif", "--from", "9", "--to", "2"][..], "turns 9 to 2"),
        (&["--png", "a.gif", "--to", "100000"], "choose from 0 to"),
        (&["--gif", "a.gif", "--turn-time", "nan"], "a turn takes"),
        (&["--gif", "a.gif", "--size", "0"], "--size"),
        (&["--gif", "a.gif", "--size", "100000"], "--size"),
        (&["--from", "1"], "such as --gif"),
        (&["--highlights"], "such as --gif"),
        (&["--gif", "a.gif", "--highlights", "--from", "1"], "--from"),
        (&["--gif", "a.gif", "--highlights"], "no turning points"),
    ] {
        let args: Vec<&str> =
            ["replay", replay.as_str()].into_iter().chain(options.iter().copied()).collect();
        let said = desk.run(&args).is(2);
        assert!(said.err.contains(says), "{said:?}");
        assert!(!desk.path("a.gif").exists());
    }
}

#[cfg(unix)]
#[test]
fn a_video_needs_ffmpeg_among_the_commands() {
    use std::os::unix::fs::PermissionsExt;
    let (desk, replay) = desk();
    let video = |path: &std::path::Path| {
        let mut command = desk.command(&["replay", &replay, "--mp4", "a.mp4", "--size", "200"]);
        command.env("PATH", path).output().unwrap()
    };
    let output = video(&desk.path("data"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("ffmpeg"), "{said}");
    assert!(said.contains("not installed") && !desk.path("a.mp4").exists(), "{said}");
    // What a folder of received files holds is not started.
    desk.put("ffmpeg", "#!/bin/sh\ntouch started\n");
    let mode = PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(desk.path("ffmpeg"), mode).unwrap();
    assert_eq!(video(std::path::Path::new(".")).status.code(), Some(2));
    assert!(!desk.path("started").exists());
}

#[test]
fn the_highlights_of_a_tournament_become_one_film() {
    let desk = Desk::new();
    let args = ["match", "cops", "tiny", "--seat", "thief=runner,evader", "--seat", "cops=chasers"];
    let more = ["--games", "2", "--budget", "2000w", "--save", "all.jsonl"];
    desk.run(&[&args[..], &more].concat()).is(0);
    let args = ["highlights", "all.jsonl", "--most", "2", "--size", "200", "--json"];
    let films = ["--gif", "a.gif", "--apng", "b.png"];
    let said = desk.run(&[&args[..], &films].concat()).is(0);
    let moments = said.json();
    let count = |list: &str| moments[list].as_array().unwrap().len();
    assert!(count("turning_points") + count("quickest") > 1, "{moments}");
    assert!(said.err.contains("200 ×") && said.err.contains("a.gif"), "{said:?}");
    for (file, magic) in [("a.gif", &b"GIF89a"[..]), ("b.png", b"\x89PNG")] {
        assert!(std::fs::read(desk.path(file)).unwrap().starts_with(magic), "{file}");
    }
}
