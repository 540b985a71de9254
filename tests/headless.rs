//! The program without its window: one binary, since each one links everything again.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "headless/cli.rs"]
mod cli;
#[path = "headless/cli_bench.rs"]
mod cli_bench;
#[path = "headless/cli_highlights.rs"]
mod cli_highlights;
#[path = "headless/cli_levels.rs"]
mod cli_levels;
#[path = "headless/cli_output.rs"]
mod cli_output;
#[path = "headless/cli_tournament.rs"]
mod cli_tournament;
#[cfg(target_os = "linux")]
#[path = "headless/contest.rs"]
mod contest;
#[path = "headless/crash.rs"]
mod crash;
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[path = "headless/engines.rs"]
mod engines;
#[path = "headless/examples.rs"]
mod examples;
#[path = "headless/exercises.rs"]
mod exercises;
#[path = "headless/formats.rs"]
mod formats;
#[cfg(target_os = "linux")]
#[path = "headless/interrupts.rs"]
mod interrupts;
#[path = "headless/measuring.rs"]
mod measuring;
#[path = "headless/old_files.rs"]
mod old_files;
#[path = "headless/play.rs"]
mod play;
#[cfg(target_os = "linux")]
#[path = "headless/players.rs"]
mod players;
#[path = "headless/programs.rs"]
mod programs;
#[path = "headless/referee.rs"]
mod referee;
#[path = "headless/rules.rs"]
mod rules;
#[path = "headless/tournament.rs"]
mod tournament;
#[path = "headless/tracks.rs"]
mod tracks;

#[cfg(feature = "app")]
#[path = "headless/films.rs"]
mod films;
#[cfg(feature = "app")]
#[path = "headless/hostile_files.rs"]
mod hostile_files;
#[cfg(feature = "app")]
#[path = "headless/keyboards.rs"]
mod keyboards;
#[cfg(feature = "app")]
#[path = "headless/kills.rs"]
mod kills;
#[cfg(feature = "app")]
#[path = "headless/league.rs"]
mod league;
#[cfg(feature = "app")]
#[path = "headless/matches.rs"]
mod matches;
#[cfg(feature = "app")]
#[path = "headless/monkey.rs"]
mod monkey;
#[cfg(feature = "app")]
#[path = "headless/saving.rs"]
mod saving;
#[cfg(feature = "app")]
#[path = "headless/screen_reader.rs"]
mod screen_reader;
#[cfg(feature = "app")]
#[path = "headless/screens.rs"]
mod screens;
#[cfg(feature = "app")]
#[path = "headless/tiny_games.rs"]
mod tiny_games;
#[cfg(feature = "app")]
#[path = "headless/window.rs"]
mod window;
