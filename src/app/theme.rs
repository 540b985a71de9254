//! One palette for board and panels, dark and light; one spacing scale; one font family.

use bevy::prelude::*;
use bevy_egui::egui;

/// A colour that board and panels share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// For panels.
    pub const fn egui(self) -> egui::Color32 {
        egui::Color32::from_rgb(self.0, self.1, self.2)
    }

    /// For panels, translucent.
    pub fn egui_alpha(self, alpha: f32) -> egui::Color32 {
        self.egui().gamma_multiply(alpha)
    }

    /// For the board.
    pub fn bevy(self) -> Color {
        Color::srgb_u8(self.0, self.1, self.2)
    }

    /// For the board, translucent.
    pub fn bevy_alpha(self, alpha: f32) -> Color {
        self.bevy().with_alpha(alpha)
    }
}

/// All colours of a theme.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Palette {
    /// Whether it is the dark one.
    pub dark: bool,
    /// The drawing board behind everything; off-track, outside.
    pub board: Rgb,
    /// The fine grid.
    pub grid: Rgb,
    /// Where one can go.
    pub ground: Rgb,
    /// The soft edge between ground and outside.
    pub edge: Rgb,
    /// Side panels.
    pub panel: Rgb,
    /// Cards, inputs and buttons on a panel.
    pub raised: Rgb,
    /// Hovered buttons.
    pub hover: Rgb,
    /// Thin lines between things.
    pub line: Rgb,
    /// Text.
    pub text: Rgb,
    /// Secondary text; still at least 4.5 to 1 on `panel`.
    pub faint: Rgb,
    /// The one colour for what can be pressed and what is chosen.
    pub accent: Rgb,
    /// Text on `accent`.
    pub on_accent: Rgb,
    /// Good moves.
    pub good: Rgb,
    /// Doubtful moves.
    pub warn: Rgb,
    /// Bad moves, crashes, faults.
    pub bad: Rgb,
    /// The finish, the goal.
    pub goal: Rgb,
    /// Start cells.
    pub start: Rgb,
    /// Checkpoints and other marks of the terrain.
    pub mark: Rgb,
    /// The sides, from the Okabe-Ito set, told apart by colour-blind eyes.
    pub sides: [Rgb; 6],
}

/// Deep ink blue.
pub const DARK: Palette = Palette {
    dark: true,
    board: Rgb(16, 26, 46),
    grid: Rgb(34, 48, 76),
    ground: Rgb(44, 61, 94),
    edge: Rgb(82, 104, 146),
    panel: Rgb(22, 33, 56),
    raised: Rgb(35, 49, 79),
    hover: Rgb(48, 65, 101),
    line: Rgb(54, 71, 108),
    text: Rgb(232, 237, 246),
    faint: Rgb(158, 173, 201),
    accent: Rgb(86, 180, 233),
    on_accent: Rgb(10, 20, 36),
    good: Rgb(64, 196, 150),
    warn: Rgb(240, 190, 70),
    bad: Rgb(240, 110, 80),
    goal: Rgb(240, 228, 66),
    start: Rgb(110, 200, 160),
    mark: Rgb(122, 146, 194),
    sides: [
        Rgb(230, 159, 0),
        Rgb(86, 180, 233),
        Rgb(0, 158, 115),
        Rgb(240, 228, 66),
        Rgb(213, 94, 0),
        Rgb(204, 121, 167),
    ],
};

/// Warm paper.
pub const LIGHT: Palette = Palette {
    dark: false,
    board: Rgb(236, 227, 206),
    grid: Rgb(222, 211, 186),
    ground: Rgb(252, 248, 238),
    edge: Rgb(176, 160, 128),
    panel: Rgb(247, 241, 227),
    raised: Rgb(255, 252, 244),
    hover: Rgb(238, 229, 208),
    line: Rgb(214, 202, 176),
    text: Rgb(38, 42, 54),
    faint: Rgb(98, 94, 86),
    accent: Rgb(0, 104, 166),
    on_accent: Rgb(255, 255, 255),
    good: Rgb(0, 128, 92),
    warn: Rgb(176, 112, 0),
    bad: Rgb(196, 62, 28),
    goal: Rgb(190, 150, 0),
    start: Rgb(0, 140, 100),
    mark: Rgb(120, 124, 150),
    sides: [
        Rgb(214, 140, 0),
        Rgb(36, 134, 196),
        Rgb(0, 138, 100),
        Rgb(184, 164, 0),
        Rgb(204, 84, 0),
        Rgb(184, 92, 144),
    ],
};

/// Distances between things, in points.
pub mod space {
    /// Between things that belong together.
    pub const SMALL: f32 = 4.0;
    /// Between neighbours.
    pub const MEDIUM: f32 = 8.0;
    /// Between groups.
    pub const LARGE: f32 = 16.0;
    /// Around a page.
    pub const PAGE: f32 = 32.0;
}
