//! Turns a match into one file: a picture of a turn, or an animation of several.

use super::Film;
use super::encode::{AnimationFile, Apng, Gif, VideoFile, png};
use super::svg::MovingSvg;
use outwit_core::play::StopFlag;
use outwit_headless::cli::{FilmKind, FilmStep};
use std::ops::RangeInclusive;

/// Frames per second while something moves.
const FRAMES: f32 = 12.5;
/// Seconds that the first and the last frame are shown.
const FIRST: f32 = 0.8;
const LAST: f32 = 2.5;
/// Seconds that a turn can take.
pub const TURN_SECONDS: RangeInclusive<f32> = 0.04..=10.0;
/// The colours of a GIF are those of so many turns, and of the first.
const SAMPLES: usize = 5;
/// What is said of what was stopped.
const STOPPED: &str = "stopped";
/// The most pixels that all frames may have together.
const MOST_PIXELS: usize = 1_500_000_000;

/// Which part of a match becomes a file, and of which kind.
#[derive(Clone, PartialEq, Debug)]
pub struct FilmPart {
    /// The kind of file.
    pub kind: FilmKind,
    /// The stretches that are shown, in this order, each from one turn to another; for a picture, the last turn of
    /// the last one.
    pub stretches: Vec<RangeInclusive<usize>>,
    /// Seconds for each turn; as on the screen if there are none.
    pub turn_seconds: Option<f32>,
}

/// A moment of a match, and for how many hundredths of a second it is shown.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Moment {
    turn: usize,
    time: f32,
    hundredths: u16,
}

impl FilmPart {
    /// Its moments in a match whose turns take so many seconds.
    fn moments(&self, seconds: impl Fn(usize) -> f32) -> Vec<Moment> {
        let hundredths = |seconds: f32| (seconds * 100.0).round() as u16;
        let mut moments = Vec::new();
        if self.kind.moves() {
            for stretch in &self.stretches {
                let begin = moments.len();
                for turn in *stretch.start()..*stretch.end() {
                    let seconds = self.turn_seconds.unwrap_or_else(|| seconds(turn));
                    let seconds = seconds.clamp(*TURN_SECONDS.start(), *TURN_SECONDS.end());
                    let frames = ((seconds * FRAMES).round() as usize).max(1);
                    let shown = hundredths(seconds / frames as f32);
                    moments.extend((0..frames).map(|n| Moment {
                        turn,
                        time: n as f32 / frames as f32,
                        hundredths: shown,
                    }));
                }
                moments.push(Moment {
                    turn: *stretch.end(),
                    time: 0.0,
                    hundredths: hundredths(FIRST),
                });
                moments[begin].hundredths = moments[begin].hundredths.max(hundredths(FIRST));
            }
        } else {
            moments.push(Moment { turn: self.last(), time: 0.0, hundredths: 0 });
        }
        if let Some(last) = moments.last_mut() {
            last.hundredths = hundredths(LAST);
        }
        moments
    }

    /// The last turn that is shown.
    fn last(&self) -> usize {
        self.stretches.last().map_or(0, |stretch| *stretch.end())
    }

    /// The number of frames, if it can be made of a match of so many turns that take so many seconds each, in
    /// pictures of this size.
    ///
    /// # Errors
    /// What to change.
    pub fn check(
        &self,
        turns: usize,
        size: [usize; 2],
        seconds: impl Fn(usize) -> f32,
    ) -> Result<usize, String> {
        Ok(self.plan(turns, size, seconds)?.len())
    }

    /// The moments to draw; see [`FilmPart::check`].
    fn plan(
        &self,
        turns: usize,
        size: [usize; 2],
        seconds: impl Fn(usize) -> f32,
    ) -> Result<Vec<Moment>, String> {
        let outside = |stretch: &&RangeInclusive<usize>| {
            stretch.start() > stretch.end() || *stretch.end() > turns
        };
        if let Some(stretch) = self.stretches.iter().find(outside) {
            let from = stretch.start();
            let to = stretch.end();
            return Err(format!(
                "turns {from} to {to} are not in the match; choose from 0 to {turns}"
            ));
        }
        if self.stretches.is_empty() {
            return Err("no turns are chosen".into());
        }
        if self.turn_seconds.is_some_and(|seconds| !TURN_SECONDS.contains(&seconds)) {
            let least = TURN_SECONDS.start();
            let most = TURN_SECONDS.end();
            return Err(format!("a turn takes from {least} to {most} seconds"));
        }
        let moments = self.moments(seconds);
        check_pixels(moments.len(), size)?;
        Ok(moments)
    }
}

/// Whether so many frames of a size are not too many.
fn check_pixels(frames: usize, [width, height]: [usize; 2]) -> Result<(), String> {
    match frames.saturating_mul(width).saturating_mul(height) > MOST_PIXELS {
        true => Err(format!(
            "{frames} frames of {width} × {height} pixels are too many; choose fewer turns, a \
             smaller picture, or less time for each turn"
        )),
        false => Ok(()),
    }
}

/// An SVG document of moments of some matches. Nothing moves between turns.
fn moving_svg(
    scenes: &mut [(Film, FilmPart)],
    moments: &[(usize, Moment)],
    stop: &StopFlag,
    step: &mut dyn FnMut(FilmStep),
) -> Result<Vec<u8>, String> {
    let mut turns: Vec<(usize, usize, f32)> = Vec::new();
    for (scene, Moment { turn, time, hundredths }) in moments {
        let seconds = f32::from(*hundredths) / 100.0;
        match turns.last_mut().filter(|_| *time > 0.0) {
            Some((.., shown)) => *shown += seconds,
            None => turns.push((*scene, *turn, seconds)),
        }
    }
    let first = &scenes[0].0;
    let size = first.size();
    let mut page = MovingSvg::new(first.svg_page(), first.view.area);
    let frames = turns.len();
    for (frame, (scene, turn, seconds)) in turns.into_iter().enumerate() {
        if stop.is_raised() {
            return Err(STOPPED.into());
        }
        step(FilmStep { frame, frames, size });
        scenes[scene].0.svg_frame(&mut page, turn, seconds);
    }
    Ok(page.finish(size).into_bytes())
}

/// Makes one file of the parts of some matches, one after the other: an animation, or a picture of the first. The
/// pictures of all are of one size. Tells each frame before it is drawn.
///
/// # Errors
/// What to change, why it cannot be written, or that it was stopped.
pub fn export(
    scenes: &mut [(Film, FilmPart)],
    stop: &StopFlag,
    step: &mut dyn FnMut(FilmStep),
) -> Result<Vec<u8>, String> {
    let (size, kind) = match scenes {
        [] => return Err("no match is chosen".into()),
        [(film, part), ..] => (film.size(), part.kind),
    };
    let mut moments: Vec<(usize, Moment)> = Vec::new();
    for (scene, (film, part)) in scenes.iter().enumerate() {
        if film.size() != size {
            return Err("the boards of the matches are not of the same size".into());
        }
        let own = part.plan(film.turns(), size, |turn| film.seconds(turn))?;
        moments.extend(own.into_iter().map(|moment| (scene, moment)));
        check_pixels(moments.len(), size)?;
    }
    let frames = moments.len();
    let mut animation: Box<dyn AnimationFile> = match kind {
        FilmKind::Svg | FilmKind::Png => {
            step(FilmStep { frame: 0, frames, size });
            let (film, part) = &mut scenes[0];
            let file = match kind {
                FilmKind::Svg => film.svg(part.last()).into_bytes(),
                _ => png(&film.frame(part.last(), 0.0))?,
            };
            return if stop.is_raised() { Err(STOPPED.into()) } else { Ok(file) };
        }
        FilmKind::MovingSvg => return moving_svg(scenes, &moments, stop, step),
        FilmKind::Apng => Box::new(Apng::new(size, frames)?),
        FilmKind::Video(kind) => {
            Box::new(VideoFile::new(kind, size).map_err(|why| why.to_string())?)
        }
        FilmKind::Gif => {
            let last = moments.len().saturating_sub(1);
            let samples = (0..=SAMPLES).map(|n| moments[last * n / SAMPLES]);
            let samples = samples.map(|(scene, moment)| scenes[scene].0.frame(moment.turn, 0.0));
            Box::new(Gif::new(size, samples)?)
        }
    };
    for (frame, (scene, moment)) in moments.into_iter().enumerate() {
        if stop.is_raised() {
            return Err(STOPPED.into());
        }
        step(FilmStep { frame, frames, size });
        let image = scenes[scene].0.frame(moment.turn, moment.time);
        animation.add(image, moment.hundredths)?;
    }
    let file = animation.finish()?;
    if stop.is_raised() { Err(STOPPED.into()) } else { Ok(file) }
}
