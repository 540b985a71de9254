//! Pictures as files: PNG, animated PNG, animated GIF, video.

pub use crate::app::shell::window_picture::png;
use bevy_egui::egui::{Color32, ColorImage};
use color_quant::NeuQuant;
use outwit_core::platform::video::{PICTURES, Video, VideoError, VideoKind};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write;
use std::rc::Rc;

/// The most colours of a GIF; one more stands for what stays as it was.
const COLOURS: usize = 255;
/// How many pixels the colours are chosen from: one of so many. 1 is the best, 30 the quickest.
const SAMPLES: i32 = 8;
/// Of larger pictures than this, in pixels, the colours are chosen from a part.
const MOST_SAMPLED: usize = 1 << 19;

/// An animated picture that is written frame by frame.
pub trait AnimationFile {
    /// Adds a frame that is shown for so many hundredths of a second.
    ///
    /// # Errors
    /// Why it cannot be written.
    fn add(&mut self, image: ColorImage, hundredths: u16) -> Result<(), String>;
    /// The file.
    ///
    /// # Errors
    /// Why it cannot be written.
    fn finish(self: Box<Self>) -> Result<Vec<u8>, String>;
}

/// The rectangle in which two pictures of a size differ: left, top, width, height; a single pixel if they do not.
fn changed(before: &ColorImage, after: &ColorImage) -> [usize; 4] {
    let [width, height] = after.size;
    let differs = |y: &usize| {
        let row = y * width..(y + 1) * width;
        before.pixels[row.clone()] != after.pixels[row]
    };
    let Some(top) = (0..height).find(differs) else { return [0, 0, 1, 1] };
    let bottom = (top..height).rev().find(differs).unwrap_or(top);
    let column = |x: &usize| {
        (top..=bottom).any(|y| before.pixels[y * width + x] != after.pixels[y * width + x])
    };
    let left = (0..width).find(column).unwrap_or(0);
    let right = (left..width).rev().find(column).unwrap_or(left);
    [left, top, right + 1 - left, bottom + 1 - top]
}

fn rgb<'a>(pixels: impl IntoIterator<Item = &'a Color32>) -> Vec<u8> {
    pixels.into_iter().flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect()
}

/// A file that is being written, whose bytes can be taken when its writer is gone.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// An animated PNG, all of whose colours are kept.
pub struct Apng {
    file: Shared,
    writer: png::Writer<Shared>,
    width: usize,
    last: Option<ColorImage>,
}

impl Apng {
    /// One of this size in pixels and this number of frames.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn new(size: [usize; 2], frames: usize) -> Result<Self, String> {
        let file = Shared::default();
        let mut encoder = png::Encoder::new(file.clone(), size[0] as u32, size[1] as u32);
        encoder.set_color(png::ColorType::Rgb);
        let frames = u32::try_from(frames).unwrap_or(u32::MAX);
        let begun = encoder.set_animated(frames, 0).and_then(|()| encoder.write_header());
        let writer = begun.map_err(|why| why.to_string())?;
        Ok(Self { file, writer, width: size[0], last: None })
    }
}

impl AnimationFile for Apng {
    fn add(&mut self, image: ColorImage, hundredths: u16) -> Result<(), String> {
        let all = [0, 0, image.size[0], image.size[1]];
        let [left, top, width, height] =
            self.last.as_ref().map_or(all, |last| changed(last, &image));
        let rows = (top..top + height).flat_map(|y| {
            let from = y * self.width + left;
            &image.pixels[from..from + width]
        });
        let bytes = rgb(rows);
        let writer = &mut self.writer;
        let mut write = || {
            writer.set_frame_delay(hundredths, 100)?;
            writer.reset_frame_position()?;
            writer.set_frame_dimension(width as u32, height as u32)?;
            writer.set_frame_position(left as u32, top as u32)?;
            writer.write_image_data(&bytes)
        };
        write().map_err(|why| why.to_string())?;
        self.last = Some(image);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, String> {
        self.writer.finish().map_err(|why| why.to_string())?;
        Ok(self.file.0.take())
    }
}

/// An animated GIF with one set of colours for all frames, so that nothing flickers.
pub struct Gif {
    encoder: gif::Encoder<Vec<u8>>,
    colours: NeuQuant,
    known: HashMap<Color32, u8>,
    last: Option<ColorImage>,
}

impl Gif {
    /// One of this size in pixels, with the colours of some of its frames.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn new(
        size: [usize; 2],
        samples: impl Iterator<Item = ColorImage>,
    ) -> Result<Self, String> {
        let step = (size[0] * size[1]).div_ceil(MOST_SAMPLED);
        let mut pixels: Vec<u8> = Vec::new();
        for image in samples {
            for (y, row) in image.pixels.chunks(size[0].max(1)).enumerate() {
                // Each row begins elsewhere, so that no upright line is left out.
                let taken = row.iter().skip(y % step).step_by(step);
                pixels.extend(taken.flat_map(Color32::to_array));
            }
        }
        let colours = NeuQuant::new(SAMPLES, COLOURS, &pixels);
        let width = u16::try_from(size[0]);
        let height = u16::try_from(size[1]);
        let (Ok(width), Ok(height)) = (width, height) else {
            return Err("a GIF has at most 65,535 pixels each way".into());
        };
        let mut palette = colours.color_map_rgb();
        palette.extend([0, 0, 0]);
        let mut encoder = gif::Encoder::new(Vec::new(), width, height, &palette)
            .map_err(|why| why.to_string())?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(|why| why.to_string())?;
        Ok(Self { encoder, colours, known: HashMap::new(), last: None })
    }
}

impl AnimationFile for Gif {
    fn add(&mut self, image: ColorImage, hundredths: u16) -> Result<(), String> {
        let width = image.size[0];
        let part = match &self.last {
            Some(last) => changed(last, &image),
            None => [0, 0, width, image.size[1]],
        };
        let [left, top, wide, high] = part;
        let mut buffer = Vec::with_capacity(wide * high);
        for at in (top..top + high).flat_map(|y| y * width + left..y * width + left + wide) {
            let pixel = image.pixels[at];
            let same = self.last.as_ref().is_some_and(|last| last.pixels[at] == pixel);
            let colours = &self.colours;
            buffer.push(if same {
                COLOURS as u8
            } else {
                *self
                    .known
                    .entry(pixel)
                    .or_insert_with(|| colours.index_of(&pixel.to_array()) as u8)
            });
        }
        let frame = gif::Frame {
            delay: hundredths,
            dispose: gif::DisposalMethod::Keep,
            transparent: self.last.is_some().then_some(COLOURS as u8),
            left: left as u16,
            top: top as u16,
            width: wide as u16,
            height: high as u16,
            buffer: Cow::Owned(buffer),
            ..gif::Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(|why| why.to_string())?;
        self.last = Some(image);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, String> {
        self.encoder.into_inner().map_err(|why| why.to_string())
    }
}

/// A video, whose pictures all last equally long.
pub struct VideoFile {
    video: Video,
    /// Hundredths of a second and pictures so far.
    time: usize,
    pictures: usize,
}

impl VideoFile {
    /// One of this size in pixels.
    ///
    /// # Errors
    /// If ffmpeg is not installed or cannot be started.
    pub fn new(kind: VideoKind, size: [usize; 2]) -> Result<Self, VideoError> {
        Ok(Self { video: Video::start(kind, size)?, time: 0, pictures: 0 })
    }
}

impl AnimationFile for VideoFile {
    fn add(&mut self, image: ColorImage, hundredths: u16) -> Result<(), String> {
        self.time += usize::from(hundredths);
        let times = (self.time * PICTURES).div_ceil(100) - self.pictures;
        self.pictures += times;
        self.video.add(&rgb(&image.pixels), times).map_err(|why| why.to_string())
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, String> {
        self.video.finish().map_err(|why| why.to_string())
    }
}
