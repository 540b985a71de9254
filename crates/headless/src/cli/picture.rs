//! `outwit picture`: a level as the board shows it.

use super::failure::Failure;
use super::names::game;
use super::source::find_level;
use super::window::{PictureTheme, WantedPicture, Window};
use super::{Answer, ExitStatus, print_json, print_line};
use clap::Args;
use outwit_core::levels::write;
use serde_json::json;
use std::ffi::OsString;
use std::path::PathBuf;

/// Save a picture of a level as the board shows it when a match begins.
///
/// To print it, to compare levels, or for a worksheet. An existing file is kept under the same name with a ~.
///
/// Example: outwit picture racetrack/hairpins hairpins.png --theme light --cell 24
#[derive(Args)]
pub struct Arguments {
    /// A level id or a file in any format.
    level: OsString,
    /// The file to write.
    output: PathBuf,
    /// The game, for pictures and texts that do not name it themselves.
    #[arg(long)]
    game: Option<String>,
    /// The theme.
    #[arg(long, default_value = "light")]
    theme: PictureTheme,
    /// The width of a cell in pixels; smaller cells are drawn with less detail. A picture has at most 4096
    /// pixels each way.
    #[arg(long, value_name = "PIXELS", default_value_t = 48, value_parser = clap::value_parser!(u16).range(1..=128))]
    cell: u16,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, window: &dyn Window) -> ExitStatus {
    let kind = arguments.game.as_deref().map(game).transpose()?;
    let found = find_level(&arguments.level, kind)?;
    let name = found.name();
    // What cannot be read as a level cannot be drawn; one that cannot be played can.
    let wanted = WantedPicture {
        game: found.kind.id(),
        bytes: &found.bytes,
        name: &name,
        dark: arguments.theme == PictureTheme::Dark,
        cell: arguments.cell,
    };
    let png = window.draw_level(&wanted).map_err(|why| Failure::usage(format!("{name}: {why}")))?;
    write(&arguments.output, &png)?;
    if arguments.json {
        print_json(&json!({ "written": arguments.output }))?;
    } else {
        print_line(format_args!("{}", arguments.output.display()));
    }
    Ok(Answer::Yes)
}
