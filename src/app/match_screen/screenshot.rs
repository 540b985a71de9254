//! A picture of a given turn into a file, for the command line.

use super::lifecycle::Failure;
use super::matches::FocusedMatch;
use crate::app::requests::Launch;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use outwit_core::escape::escaped;
use outwit_headless::cli::eprint_line;

/// Frames to wait until fonts, layout and camera have settled.
const SETTLE: u32 = 12;

/// Leaves where the match of which a picture is wanted cannot begin.
pub fn give_up(failure: Res<Failure>, launch: Res<Launch>, mut exit: MessageWriter<AppExit>) {
    if launch.screenshot.is_some() {
        format!("outwit: {}", failure.why).lines().for_each(eprint_line);
        exit.write(AppExit::error());
    }
}

/// Takes the picture once the wanted turn or the end is shown, then leaves.
pub fn take(
    mut commands: Commands,
    session: FocusedMatch,
    launch: Res<Launch>,
    mut waited: Local<u32>,
    mut taken: Local<bool>,
) {
    let Some((file, turn)) = &launch.screenshot else { return };
    let at_the_end = session.is_at_present() && session.live.is_over();
    if *taken || !(session.playback.view >= *turn || at_the_end) {
        return;
    }
    *waited += 1;
    if *waited < SETTLE {
        return;
    }
    *taken = true;
    let file = file.clone();
    commands.spawn(Screenshot::primary_window()).observe(
        move |captured: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
            let saved = captured
                .image
                .clone()
                .try_into_dynamic()
                .map_err(|error| error.to_string())
                .and_then(|image| image.to_rgb8().save(&file).map_err(|error| error.to_string()));
            exit.write(match saved {
                Ok(()) => AppExit::Success,
                Err(why) => {
                    let told = format!("the picture was not saved as {}: {why}", file.display());
                    error!("{}", escaped(&told));
                    AppExit::error()
                }
            });
        },
    );
}
