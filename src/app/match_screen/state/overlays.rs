//! What is drawn over the board, and where the camera looks.

use bevy::math::Vec2;

/// What is drawn over the board, and where the camera looks.
#[derive(Clone, PartialEq, Debug)]
pub struct Overlays {
    /// Which overlays are on.
    pub on: Vec<bool>,
    /// Whether the camera follows the piece that moves.
    pub follow: bool,
    /// Where the piece is that the camera may follow, in board coordinates.
    pub followed: Option<Vec2>,
    /// Upper left and lower right corner of what matters, where the board names it: the camera follows that instead.
    pub focus: Option<(Vec2, Vec2)>,
    /// Whether the view was set to suit the board, at the beginning and again at the end.
    pub framed: bool,
    /// Whether the view was widened for the ends of two matches side by side.
    pub widened: bool,
    /// Whether a heat was drawn in the last frame, whose legend needs room.
    pub has_heat: bool,
    /// Whether the window is low and wide.
    pub is_low: bool,
    /// Whether the panel beside the board was called or hidden in a low window.
    pub panel: Option<bool>,
}

impl Overlays {
    /// With these overlays on or off.
    pub fn new(on: Vec<bool>) -> Self {
        Self {
            on,
            follow: false,
            followed: None,
            focus: None,
            framed: false,
            widened: false,
            has_heat: false,
            is_low: false,
            panel: None,
        }
    }

    /// Switches an overlay on or off, if there is one of this index.
    pub fn switch(&mut self, overlay: usize) {
        if let Some(on) = self.on.get_mut(overlay) {
            *on = !*on;
        }
    }

    /// Switches all off, or all on if none is.
    pub fn switch_all(&mut self) {
        let all_off = self.on.iter().all(|on| !on);
        self.on.fill(all_off);
    }
}
