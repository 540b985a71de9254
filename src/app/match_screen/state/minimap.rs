//! The picture of the whole board, once it was needed.

use bevy_egui::egui::{self, ColorImage, TextureHandle};
use outwit_core::platform::task::Task;
use outwit_core::platform::time::Duration;

/// How often one looks whether the picture is drawn.
const LOOK: Duration = Duration::from_millis(80);

/// The picture of the board without pieces, in one theme.
pub struct MiniMap {
    /// Whether in the dark theme.
    pub dark: bool,
    task: Option<Task<ColorImage>>,
    texture: Option<TextureHandle>,
}

impl MiniMap {
    /// The map that a task draws.
    pub fn new(dark: bool, task: Task<ColorImage>) -> Self {
        Self { dark, task: Some(task), texture: None }
    }

    /// The picture, once it is drawn.
    pub fn texture(&mut self, ctx: &egui::Context) -> Option<TextureHandle> {
        match self.task.take_if(|task| task.is_done()) {
            Some(done) => {
                self.texture = done.get().map(|image| {
                    ctx.load_texture("minimap", image.clone(), egui::TextureOptions::LINEAR)
                });
            }
            None if self.task.is_some() => ctx.request_repaint_after(LOOK),
            None => {}
        }
        self.texture.clone()
    }
}
