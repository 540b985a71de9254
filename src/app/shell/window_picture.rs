//! A picture of a part of the window, onto the clipboard or into a file.

use crate::app::shell::notice::Notice;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy_egui::egui::{self, Color32, ColorImage};
use bevy_egui::{EguiClipboard, EguiContexts};
use outwit_core::levels::write;
use std::path::PathBuf;

/// Frames to wait until menus and dialogs are gone.
const SETTLE: u32 = 4;

/// Where a picture goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PictureGoal {
    /// The clipboard.
    Clipboard,
    /// A PNG file.
    File(PathBuf),
}

/// Asks for a picture of a part of the window, in points.
#[derive(Message, Clone, PartialEq, Debug)]
pub struct TakePicture {
    /// Which part.
    pub part: egui::Rect,
    /// Where it goes.
    pub goal: PictureGoal,
}

/// A picture that is about to be taken.
#[derive(Default)]
struct Coming(Option<(TakePicture, u32)>);

fn take(
    mut asked: MessageReader<TakePicture>,
    mut coming: Local<Coming>,
    mut contexts: EguiContexts,
    mut commands: Commands,
) {
    if let Some(asked) = asked.read().last() {
        coming.0 = Some((asked.clone(), SETTLE));
    }
    let Some((picture, left)) = coming.0.take() else { return };
    let Ok(ctx) = contexts.ctx_mut() else { return };
    ctx.request_repaint();
    if left > 0 {
        coming.0 = Some((picture, left - 1));
        return;
    }
    let scale = ctx.pixels_per_point();
    let TakePicture { part, goal } = picture;
    commands.spawn(Screenshot::primary_window()).observe(
        move |captured: On<ScreenshotCaptured>,
              mut clipboard: Option<ResMut<EguiClipboard>>,
              mut notices: MessageWriter<Notice>| {
            let image = captured.image.clone().try_into_dynamic();
            let told = image.map_err(|error| error.to_string()).and_then(|image| {
                let image = image.to_rgb8();
                let size = [image.width() as usize, image.height() as usize];
                let image = cropped(image.as_raw(), size, part, scale);
                put(&image, &goal, clipboard.as_deref_mut())
            });
            notices.write(match told {
                Ok(words) => Notice::info(words),
                Err(why) => Notice::error(format!("The picture could not be taken. {why}")),
            });
        },
    );
}

/// A part of an image of red, green and blue bytes, given in points.
fn cropped(rgb: &[u8], [width, height]: [usize; 2], part: egui::Rect, scale: f32) -> ColorImage {
    let within = |at: f32, most: usize| ((at * scale).round().max(0.0) as usize).min(most);
    let left = within(part.left(), width);
    let right = within(part.right(), width);
    let top = within(part.top(), height);
    let bottom = within(part.bottom(), height);
    let size = [right.saturating_sub(left), bottom.saturating_sub(top)];
    let mut image = ColorImage::filled(size, Color32::BLACK);
    let places = (top..bottom).flat_map(|y| (left..right).map(move |x| y * width + x));
    for (pixel, place) in image.pixels.iter_mut().zip(places) {
        if let Some([r, g, b]) = rgb.get(3 * place..3 * place + 3) {
            *pixel = Color32::from_rgb(*r, *g, *b);
        }
    }
    image
}

/// Puts a picture where it goes; returns what to tell the user.
fn put(
    image: &ColorImage,
    goal: &PictureGoal,
    clipboard: Option<&mut EguiClipboard>,
) -> Result<String, String> {
    if image.size.contains(&0) {
        return Err("There is nothing to see.".into());
    }
    match (goal, clipboard) {
        (PictureGoal::Clipboard, Some(clipboard)) => {
            clipboard.set_image(image);
            Ok("Picture copied.".into())
        }
        (PictureGoal::Clipboard, None) => Err("There is no clipboard.".into()),
        (PictureGoal::File(path), _) => {
            let bytes = png(image)?;
            write(path, &bytes).map_err(|error| error.to_string())?;
            Ok(format!("Saved as {}", path.display()))
        }
    }
}

/// The PNG file of a picture.
///
/// # Errors
/// Why it cannot be written.
pub fn png(image: &ColorImage) -> Result<Vec<u8>, String> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, image.size[0] as u32, image.size[1] as u32);
    encoder.set_color(png::ColorType::Rgb);
    let rgb: Vec<u8> =
        image.pixels.iter().flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect();
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&rgb)?;
        writer.finish()
    });
    written.map_err(|why| why.to_string())?;
    Ok(file)
}

/// Takes pictures that are asked for.
pub fn plugin(app: &mut App) {
    app.add_message::<TakePicture>().add_systems(
        bevy_egui::EguiPrimaryContextPass,
        take.after(crate::app::shell::Pass::Notices),
    );
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use egui::{Rect, pos2};

    #[test]
    fn a_part_of_the_window_is_cut_out_in_its_pixels() {
        // Each pixel has its place as its colour.
        let rgb: Vec<u8> = (0..4_u8).flat_map(|y| (0..6_u8).flat_map(move |x| [x, y, 0])).collect();
        let part = Rect::from_min_max(pos2(1.0, 0.5), pos2(2.0, 9.0));
        let image = cropped(&rgb, [6, 4], part, 2.0);
        assert_eq!(image.size, [2, 3]);
        assert_eq!(image.pixels[0], Color32::from_rgb(2, 1, 0));
        assert_eq!(image.pixels[5], Color32::from_rgb(3, 3, 0));
        let nothing =
            cropped(&rgb, [6, 4], Rect::from_min_max(pos2(9.0, 9.0), pos2(1.0, 1.0)), 1.0);
        assert!(put(&nothing, &PictureGoal::Clipboard, None).is_err());
        let file = png(&image).unwrap();
        let mut read = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; read.output_buffer_size().unwrap()];
        read.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels[..3], [2, 1, 0]);
    }
}
