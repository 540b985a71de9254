//! The window as the command line opens it.

use crate::app::match_screen::measure;
use crate::app::requests::{Launch, MatchConfig, Screen};
use crate::app::start::{run, without_window};
use outwit_bench::BenchRow;
use outwit_headless::cli::{Picture, Wanted, Window, eprint_line};
use std::process::ExitCode;

/// The window of this crate.
pub struct DesktopWindow;

impl Window for DesktopWindow {
    fn open(&self, wanted: Wanted, picture: Option<Picture>) -> ExitCode {
        let launch = match wanted {
            Wanted::Menu => Launch::default(),
            Wanted::Editor(level) => Launch { edit: Some(level), ..Launch::default() },
            Wanted::EditorBench => Launch { edit: Some(None), measure: true, ..Launch::default() },
            Wanted::Match(wanted) => {
                let play = MatchConfig {
                    game: wanted.game,
                    level: wanted.level,
                    rules: Vec::new(),
                    players: wanted.players,
                    programs: wanted.programs,
                    seed: wanted.seed,
                    budget: wanted.budget,
                    clock: None,
                    match_time: None,
                    replay: None,
                    back: Screen::Setup,
                };
                Launch { play: Some(play), ..Launch::default() }
            }
            Wanted::Replay { name, text } => {
                match MatchConfig::watching(&text, &name, Screen::Menu) {
                    Ok(play) => Launch { play: Some(play), ..Launch::default() },
                    Err(why) => {
                        eprint_line(format_args!("outwit: {why}"));
                        return ExitCode::FAILURE;
                    }
                }
            }
        };
        run(Launch { screenshot: picture, ..launch })
    }

    fn measure_match(&self, row: &mut dyn FnMut(BenchRow)) -> Result<(), String> {
        measure::run(without_window(1280, 800), row)
    }
}
