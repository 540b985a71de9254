//! The window as the command line opens it.

use crate::app::match_screen::film::{self, Film, FilmLook, FilmPart};
use crate::app::match_screen::{BoardEntry, measure};
use crate::app::requests::{Launch, MatchConfig, Screen};
use crate::app::shell::assets::AssetFolder;
use crate::app::shell::fonts::Fonts;
use crate::app::shell::preview::PictureSpec;
use crate::app::start::{run, without_window};
use crate::boards::BOARDS;
use bevy_egui::egui;
use outwit_bench::BenchRow;
use outwit_core::play::StopFlag;
use outwit_headless::cli::{
    FilmStep, Picture, Wanted, WantedFilm, WantedPicture, Window, eprint_line,
};
use outwit_levels::keep_nothing;
use std::process::ExitCode;

/// The longest side of a level's picture, in pixels.
const LARGEST: f32 = 4096.0;

/// The board of a game.
fn board(game: &str) -> Result<&'static BoardEntry, String> {
    let board = BOARDS.iter().find(|board| board.id == game);
    board.ok_or_else(|| format!("{game} has no board"))
}

/// The window of this crate.
pub struct DesktopWindow;

/// A recorded match that is to be drawn, and which part of it.
fn scene(wanted: &WantedFilm<'_>, assets: &AssetFolder) -> Result<(Film, FilmPart), String> {
    let watched = MatchConfig::watching(wanted.text, wanted.name, Screen::Menu);
    let config = watched.map_err(|why| why.to_string())?;
    let board = board(config.game)?;
    let session = (board.begin)(config, true)?;
    let look = FilmLook {
        pieces: board.pieces(assets)?,
        fonts: Fonts::read(assets)?,
        width: wanted.style.width(),
        dark: wanted.style.is_dark(),
        grid: false,
        caption: wanted.caption.map(str::to_owned),
    };
    let film = Film::new(session, look);
    let to = wanted.to.unwrap_or(film.turns());
    let from = if wanted.kind.moves() { wanted.from.unwrap_or(0) } else { to };
    let stretches = match wanted.stretches {
        [] => vec![from..=to],
        stretches => stretches.to_vec(),
    };
    let turn_seconds = wanted.style.turn_seconds();
    Ok((film, FilmPart { kind: wanted.kind, stretches, turn_seconds }))
}

impl Window for DesktopWindow {
    fn open(&self, wanted: Wanted, picture: Option<Picture>) -> ExitCode {
        if matches!(wanted, Wanted::EditorBench) {
            keep_nothing();
        }
        let launch = match Launch::of(wanted) {
            Ok(launch) => launch,
            Err(why) => {
                eprint_line(format_args!("outwit: {why}"));
                return ExitCode::FAILURE;
            }
        };
        run(Launch { screenshot: picture, ..launch })
    }

    fn draw_level(&self, wanted: &WantedPicture<'_>) -> Result<Vec<u8>, String> {
        let board = board(wanted.game)?;
        let cell = f32::from(wanted.cell);
        let spec = PictureSpec {
            dark: wanted.dark,
            room: egui::Vec2::splat(LARGEST),
            most: cell,
            pieces: board.pieces(&AssetFolder::from_environment())?,
        };
        film::png(&(board.picture)(wanted.bytes, wanted.name, &spec)?)
    }

    fn film(
        &self,
        wanted: &[WantedFilm<'_>],
        step: &mut dyn FnMut(FilmStep),
    ) -> Result<Vec<u8>, String> {
        let assets = AssetFolder::from_environment();
        let mut scenes =
            wanted.iter().map(|wanted| scene(wanted, &assets)).collect::<Result<Vec<_>, _>>()?;
        film::export(&mut scenes, &StopFlag::default(), step)
    }

    fn measure_match(&self, row: &mut dyn FnMut(BenchRow)) -> Result<(), String> {
        keep_nothing();
        measure::run(without_window(1280, 800), row)
    }
}
