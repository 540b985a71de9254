//! The window as the command line opens it.

use crate::app::match_screen::measure;
use crate::app::requests::{Launch, MatchConfig, Screen};
use crate::app::shell::assets::AssetFolder;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview::PictureSpec;
use crate::app::start::{run, without_window};
use crate::boards::BOARDS;
use bevy_egui::egui;
use outwit_bench::BenchRow;
use outwit_headless::GAMES;
use outwit_headless::cli::{Picture, Wanted, WantedPicture, Window, eprint_line};
use outwit_levels::keep_nothing;
use std::collections::BTreeSet;
use std::process::ExitCode;

/// The longest side of a level's picture, in pixels.
const LARGEST: f32 = 4096.0;

/// The window of this crate.
pub struct DesktopWindow;

impl Window for DesktopWindow {
    fn open(&self, wanted: Wanted, picture: Option<Picture>) -> ExitCode {
        let launch = match wanted {
            Wanted::Menu => Launch::default(),
            Wanted::Message(problem) => Launch { problem: Some(problem), ..Launch::default() },
            Wanted::Editor(level) => Launch { edit: Some(level), ..Launch::default() },
            Wanted::EditorBench => {
                keep_nothing();
                Launch { edit: Some(None), measure: true, ..Launch::default() }
            }
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
                    lesson: None,
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

    fn draw_level(&self, wanted: &WantedPicture<'_>) -> Result<Vec<u8>, String> {
        let board = BOARDS.iter().find(|board| board.id == wanted.game);
        let board = board.ok_or_else(|| format!("{} has no board", wanted.game))?;
        let tiles = GAMES.iter().flat_map(|game| game.palette());
        let names = tiles.filter_map(|tile| tile.silhouette);
        let names = names.chain(board.spec.silhouettes.iter().copied());
        let seats = GAMES.iter().filter(|game| game.id() == wanted.game);
        let seats = seats.flat_map(|game| (0..*game.seats_allowed().end()).map(|n| game.seat(n)));
        let names: BTreeSet<&str> = names.chain(seats.map(|seat| seat.piece)).collect();
        let cell = f32::from(wanted.cell);
        let spec = PictureSpec {
            dark: wanted.dark,
            room: egui::Vec2::splat(LARGEST),
            most: cell,
            fill: false,
            pieces: Pieces::read(&AssetFolder::from_environment(), names)?,
        };
        let image = (board.picture)(wanted.bytes, wanted.name, &spec)?;
        let rgb: Vec<u8> = image.pixels.iter().flat_map(|p| [p.r(), p.g(), p.b()]).collect();
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, image.size[0] as u32, image.size[1] as u32);
        encoder.set_color(png::ColorType::Rgb);
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&rgb));
        written.map_err(|why| why.to_string())?;
        Ok(png)
    }

    fn measure_match(&self, row: &mut dyn FnMut(BenchRow)) -> Result<(), String> {
        keep_nothing();
        measure::run(without_window(1280, 800), row)
    }
}
