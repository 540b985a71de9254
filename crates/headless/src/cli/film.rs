//! `outwit replay --gif` and its siblings: a match as pictures.

use super::eprint_line;
use super::failure::Failure;
use super::window::{PictureTheme, Window};
use clap::Args;
use outwit_core::levels::write;
use outwit_core::platform::paths::try_file;
use outwit_core::platform::video::VideoKind;
use std::io::{IsTerminal, Write, stderr};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// A kind of file that shows a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilmKind {
    /// An animated GIF.
    Gif,
    /// An animated PNG.
    Apng,
    /// A video, by ffmpeg.
    Video(VideoKind),
    /// A picture of one turn.
    Png,
    /// A drawing of one turn.
    Svg,
    /// A drawing of all turns, one after the other, for pages.
    MovingSvg,
}

impl FilmKind {
    /// Whether it shows more than one turn.
    pub fn moves(self) -> bool {
        !matches!(self, Self::Png | Self::Svg)
    }
}

/// What is to be made of a recorded match.
pub struct WantedFilm<'a> {
    /// The text of the replay.
    pub text: &'a str,
    /// The name of its file.
    pub name: &'a str,
    /// The kind of file.
    pub kind: FilmKind,
    /// The first turn; the beginning if none is given.
    pub from: Option<usize>,
    /// The last turn, or that of a picture; the end if none is given.
    pub to: Option<usize>,
    /// The stretches to show instead, if there are any.
    pub stretches: &'a [RangeInclusive<usize>],
    /// What to say of it on the board, if anything.
    pub caption: Option<&'a str>,
    /// What its pictures look like.
    pub style: &'a FilmStyle,
}

/// What the pictures of a match look like.
#[derive(Args, Clone, Debug)]
pub struct FilmStyle {
    /// The width in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = 720, value_parser = clap::value_parser!(u16).range(160..=4096))]
    size: u16,
    /// The seconds for each turn [default: as on the screen].
    #[arg(long, value_name = "SECONDS")]
    turn_time: Option<f32>,
    /// The theme.
    #[arg(long, default_value = "dark")]
    theme: PictureTheme,
}

impl FilmStyle {
    /// That of this width in pixels, dark or light.
    pub fn new(size: u16, theme: PictureTheme) -> Self {
        Self { size, turn_time: None, theme }
    }

    /// The width in pixels.
    pub fn width(&self) -> u16 {
        self.size
    }

    /// Whether in the dark theme.
    pub fn is_dark(&self) -> bool {
        self.theme == PictureTheme::Dark
    }

    /// The seconds for each turn; as on the screen if none are given.
    pub fn turn_seconds(&self) -> Option<f32> {
        self.turn_time
    }
}

/// A frame that is about to be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilmStep {
    /// Its index.
    pub frame: usize,
    /// The number of frames.
    pub frames: usize,
    /// Width and height in pixels.
    pub size: [usize; 2],
}

/// The animations to write.
#[derive(Args)]
pub struct AnimationFiles {
    /// Write to FILE an animated GIF.
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Write to FILE an animated PNG, which has all colours.
    #[arg(long, value_name = "FILE")]
    apng: Option<PathBuf>,
    /// Write to FILE an animated SVG drawing, which jumps from turn to turn.
    #[arg(long, value_name = "FILE")]
    svg_film: Option<PathBuf>,
    /// Write to FILE an MP4 video, if ffmpeg is installed.
    #[arg(long, value_name = "FILE")]
    mp4: Option<PathBuf>,
    /// Write to FILE a WebM video, if ffmpeg is installed.
    #[arg(long, value_name = "FILE")]
    webm: Option<PathBuf>,
}

impl AnimationFiles {
    /// Each kind that is wanted, with its file.
    pub(super) fn files(&self) -> impl Iterator<Item = (FilmKind, &Path)> {
        [
            (FilmKind::Gif, &self.gif),
            (FilmKind::Apng, &self.apng),
            (FilmKind::MovingSvg, &self.svg_film),
            (FilmKind::Video(VideoKind::Mp4), &self.mp4),
            (FilmKind::Video(VideoKind::WebM), &self.webm),
        ]
        .into_iter()
        .filter_map(|(kind, file)| Some((kind, file.as_deref()?)))
    }
}

/// What to make of a replay.
#[derive(Args)]
pub struct FilmArguments {
    #[command(flatten)]
    animations: AnimationFiles,
    /// Write a picture of the turn --to to FILE, as PNG.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Write a drawing of the turn --to to FILE, as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The first turn to show.
    #[arg(long, value_name = "TURN")]
    from: Option<usize>,
    /// The last turn to show [default: the last one of the match].
    #[arg(long, value_name = "TURN")]
    to: Option<usize>,
    /// Show only what is around the turning points, in an animation.
    #[arg(long, conflicts_with_all = ["from", "to", "png", "svg"])]
    pub(super) highlights: bool,
    #[command(flatten)]
    style: FilmStyle,
}

impl FilmArguments {
    fn files(&self) -> impl Iterator<Item = (FilmKind, &Path)> {
        let pictures = [(FilmKind::Png, &self.png), (FilmKind::Svg, &self.svg)];
        let pictures =
            pictures.into_iter().filter_map(|(kind, file)| Some((kind, file.as_deref()?)));
        self.animations.files().chain(pictures)
    }

    /// Writes what is asked for of a replay. `highlights` gives the stretches around its turning points.
    pub(super) fn run(
        &self,
        text: &str,
        name: &str,
        window: &dyn Window,
        highlights: impl FnOnce() -> Result<Vec<RangeInclusive<usize>>, Failure>,
    ) -> Result<(), Failure> {
        let part = [self.from, self.to].iter().any(Option::is_some)
            || self.style.turn_time.is_some()
            || self.highlights;
        if self.files().next().is_none() {
            let why = "--from, --to, --turn-time and --highlights need a file to write, such as --gif \
                       FILE";
            return if part { Err(Failure::usage(why.into())) } else { Ok(()) };
        }
        let stretches = if self.highlights { highlights()? } else { Vec::new() };
        if self.highlights && stretches.is_empty() {
            return Err(Failure::usage(format!("{name}: the match has no turning points")));
        }
        for (kind, file) in self.files() {
            try_file(file)?;
            let wanted = WantedFilm {
                text,
                name,
                kind,
                from: self.from,
                to: self.to,
                stretches: &stretches,
                caption: None,
                style: &self.style,
            };
            write_film(window, &[wanted], file, name)?;
        }
        Ok(())
    }
}

/// Writes a film of some matches of a level, one after the other, that were read from the file of this name.
pub(super) fn write_film(
    window: &dyn Window,
    wanted: &[WantedFilm<'_>],
    file: &Path,
    name: &str,
) -> Result<(), Failure> {
    let drawn = window.film(wanted, &mut tell);
    let bytes = drawn.map_err(|why| Failure::usage(format!("{name}: {why}")))?;
    write(file, &bytes)?;
    // Standard output holds the command's own answer, which may be JSON.
    eprint_line(format_args!("{}: {} kB", file.display(), bytes.len().div_ceil(1000)));
    Ok(())
}

/// Says the size first, and on a terminal how far it is.
fn tell(step: FilmStep) {
    let FilmStep { frame, frames, size: [width, height] } = step;
    if frame == 0 {
        let frames = if frames == 1 { "1 frame".into() } else { format!("{frames} frames") };
        eprint_line(format_args!("{frames} of {width} × {height} pixels"));
    } else if frames > 1 && stderr().is_terminal() {
        let end = if frame + 1 == frames { "\n" } else { "" };
        let _ = write!(stderr(), "\rframe {} of {frames}{end}", frame + 1);
    }
}
