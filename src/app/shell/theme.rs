//! One palette for board and panels, dark and light; one spacing scale; one font family.

use crate::app::shell::fonts;
use crate::app::shell::fonts::Fonts;
use crate::app::shell::settings::{Motion, Settings, ThemeChoice};
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowTheme};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::epaint::FontColorTransferFunction;
use egui::{Color32, FontFamily, FontId, Stroke, TextStyle};
use outwit_core::play::Seat;
use outwit_kit::TileStyle;

/// Radius of corners, in points.
pub const CORNER: u8 = 6;

/// A colour for board and panels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// The same colour for egui, opaque.
    pub const fn egui(self) -> egui::Color32 {
        egui::Color32::from_rgb(self.0, self.1, self.2)
    }

    /// For panels, translucent; see [`translucent`].
    pub fn egui_alpha(self, alpha: f32) -> egui::Color32 {
        translucent(self.egui(), alpha)
    }

    /// For panels, `part` of the way to another colour.
    pub fn mixed(self, other: Rgb, part: f32) -> egui::Color32 {
        self.egui().lerp_to_gamma(other.egui(), part)
    }

    /// The same colour for Bevy, opaque; its components are sRGB.
    pub fn bevy(self) -> Color {
        Color::srgb_u8(self.0, self.1, self.2)
    }

    /// For the board, translucent.
    pub fn bevy_alpha(self, alpha: f32) -> Color {
        self.bevy().with_alpha(alpha)
    }
}

/// An opaque colour that covers what is below it to the share `alpha`, from 0 to 1. Bevy blends in
/// linear light, where egui's own translucent colours come out too dark.
pub fn translucent(colour: egui::Color32, alpha: f32) -> egui::Color32 {
    let [red, green, blue, _] = egui::Rgba::from(colour).to_array();
    let byte = |light: f32| egui::ecolor::gamma_u8_from_linear_f32(light * alpha);
    let opacity = (alpha * 255.0).round() as u8;
    egui::Color32::from_rgba_premultiplied(byte(red), byte(green), byte(blue), opacity)
}

/// All colours of a theme.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Palette {
    /// Whether it is the dark theme.
    pub dark: bool,
    /// The drawing board behind everything; off-track, outside.
    pub board: Rgb,
    /// The fine grid.
    pub grid: Rgb,
    /// Cells that can be entered.
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
    /// The accent colour, for buttons and selected items.
    pub accent: Rgb,
    /// Text on `accent`.
    pub on_accent: Rgb,
    /// Good moves.
    pub good: Rgb,
    /// Doubtful moves.
    pub warn: Rgb,
    /// Bad moves, crashes, problems.
    pub bad: Rgb,
    /// The finish, the goal.
    pub goal: Rgb,
    /// Start cells.
    pub start: Rgb,
    /// Checkpoints and other marks of the terrain.
    pub mark: Rgb,
    /// The sides, from the Okabe-Ito set, which colour-blind eyes can distinguish.
    pub sides: [Rgb; 6],
}

/// The dark theme: deep ink blue.
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
    faint: Rgb(166, 181, 208),
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

/// The light theme: warm paper.
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
    /// Between controls of one group.
    pub const SMALL: f32 = 4.0;
    /// Between controls that form no group.
    pub const MEDIUM: f32 = 8.0;
    /// Between groups of controls.
    pub const LARGE: f32 = 16.0;
    /// Between a page and the window's edge.
    pub const PAGE: f32 = 32.0;
}

impl Palette {
    /// The colour of a seat; seats beyond the last colour begin again with the first.
    pub fn side(&self, seat: Seat) -> Rgb {
        self.sides[seat.index() % self.sides.len()]
    }

    /// The colour of a cell of a level.
    pub fn look(&self, look: TileStyle) -> egui::Color32 {
        match look {
            TileStyle::Void => self.board,
            TileStyle::Ground => self.ground,
            TileStyle::Wall => self.edge,
            TileStyle::Start => self.start,
            TileStyle::Goal => self.goal,
            TileStyle::Mark => self.mark,
        }
        .egui()
    }
}

/// Text styles beyond those that egui names.
pub mod text {
    use bevy_egui::egui::TextStyle;

    /// The title of the program in the menu.
    pub fn title() -> TextStyle {
        TextStyle::Name("title".into())
    }

    /// Section titles and names.
    pub fn section() -> TextStyle {
        TextStyle::Name("section".into())
    }

    /// Body text in the semi-bold font.
    pub fn strong() -> TextStyle {
        TextStyle::Name("strong".into())
    }
}

/// The palette of a panel's theme.
pub fn palette(ui: &egui::Ui) -> &'static Palette {
    if ui.visuals().dark_mode { &DARK } else { &LIGHT }
}

/// The style of panels and controls in the colours of `palette`.
pub fn style(palette: &Palette, motion: Motion) -> egui::Style {
    let mut style = egui::Style { visuals: visuals(palette), ..egui::Style::default() };
    let semi_bold = FontFamily::Name(fonts::SEMI_BOLD.into());
    style.text_styles = [
        (TextStyle::Small, FontId::new(12.0, FontFamily::Proportional)),
        (TextStyle::Body, FontId::new(14.0, FontFamily::Proportional)),
        (TextStyle::Button, FontId::new(14.0, FontFamily::Proportional)),
        (TextStyle::Monospace, FontId::new(13.0, FontFamily::Monospace)),
        (TextStyle::Heading, FontId::new(22.0, semi_bold.clone())),
        (text::section(), FontId::new(15.0, semi_bold.clone())),
        (text::strong(), FontId::new(14.0, semi_bold.clone())),
        (text::title(), FontId::new(44.0, semi_bold)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = egui::vec2(space::MEDIUM, space::MEDIUM);
    spacing.button_padding = egui::vec2(12.0, 6.0);
    spacing.interact_size = egui::vec2(36.0, 28.0);
    spacing.window_margin = egui::Margin::same(space::LARGE as i8);
    spacing.menu_margin = egui::Margin::same(6);
    spacing.slider_width = 140.0;
    spacing.combo_width = 120.0;
    spacing.tooltip_width = 320.0;
    spacing.icon_width = 18.0;
    spacing.icon_width_inner = 10.0;
    spacing.scroll = egui::style::ScrollStyle::thin();
    spacing.scroll.fade.strength = 0.0;
    style.interaction.selectable_labels = false;
    style.interaction.tooltip_delay = 0.35;
    style.animation_time = match motion {
        Motion::Full => 0.1,
        Motion::Reduced | Motion::Off => 0.0,
    };
    style
}

fn visuals(palette: &Palette) -> egui::Visuals {
    let mut visuals = if palette.dark { egui::Visuals::dark() } else { egui::Visuals::light() };
    let corner = egui::CornerRadius::same(CORNER);
    if !palette.dark {
        // Dark text on light ground looks thin when blended in linear light.
        visuals.text_options.color_transfer_function = FontColorTransferFunction::Gamma(0.6);
    }
    visuals.panel_fill = palette.panel.egui();
    visuals.window_fill = palette.panel.egui();
    visuals.window_stroke = Stroke::new(1.0, palette.line.egui());
    visuals.window_corner_radius = corner;
    visuals.menu_corner_radius = corner;
    visuals.extreme_bg_color = palette.board.egui();
    visuals.text_edit_bg_color = Some(palette.raised.egui());
    visuals.faint_bg_color = palette.raised.egui();
    visuals.code_bg_color = palette.raised.egui();
    visuals.weak_text_color = Some(palette.faint.egui());
    visuals.hyperlink_color = palette.accent.egui();
    visuals.warn_fg_color = palette.warn.egui();
    visuals.error_fg_color = palette.bad.egui();
    visuals.selection.bg_fill = palette.raised.mixed(palette.accent, 0.45);
    visuals.selection.stroke = Stroke::new(1.5, palette.text.egui());
    visuals.slider_trailing_fill = true;
    visuals.button_frame = true;
    visuals.striped = false;
    visuals.disabled_alpha = 0.45;
    let shadow = egui::Shadow {
        offset: [0, 4],
        blur: 16,
        spread: 0,
        color: egui::Color32::from_black_alpha(if palette.dark { 110 } else { 40 }),
    };
    visuals.window_shadow = shadow;
    visuals.popup_shadow = shadow;

    let widgets = &mut visuals.widgets;
    let looks = |fill: Rgb, line: Stroke, ink: Rgb| egui::style::WidgetVisuals {
        bg_fill: fill.egui(),
        weak_bg_fill: fill.egui(),
        bg_stroke: line,
        corner_radius: corner,
        fg_stroke: Stroke::new(1.25, ink.egui()),
        expansion: 0.0,
    };
    let thin = Stroke::new(1.0, palette.line.egui());
    widgets.noninteractive = looks(palette.panel, thin, palette.text);
    widgets.inactive = looks(palette.raised, thin, palette.text);
    // The rails of sliders.
    widgets.inactive.bg_fill = palette.line.egui();
    widgets.hovered = looks(palette.hover, Stroke::new(1.0, palette.edge.egui()), palette.text);
    // egui draws the focused control as active, so this line is the focus ring.
    widgets.active = looks(palette.hover, Stroke::new(2.0, palette.accent.egui()), palette.text);
    widgets.open = looks(palette.hover, Stroke::new(1.0, palette.accent.egui()), palette.text);
    visuals
}

/// The palette of the chosen theme; `system` is the theme of the desktop.
fn chosen_palette(choice: ThemeChoice, system: Option<WindowTheme>) -> &'static Palette {
    match (choice, system) {
        (ThemeChoice::Light, _) | (ThemeChoice::System, Some(WindowTheme::Light)) => &LIGHT,
        _ => &DARK,
    }
}

fn choose_palette(
    settings: Res<Settings>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut palette: ResMut<Palette>,
    mut clear: ResMut<ClearColor>,
) {
    let system = window.single().ok().and_then(|window| window.window_theme);
    let wanted = chosen_palette(settings.theme, system);
    if palette.set_if_neq(*wanted) {
        clear.0 = wanted.board.bevy();
    }
}

/// The smallest area that screens need, in points at a scale of 1.
const LEAST_ROOM: egui::Vec2 = egui::vec2(640.0, 400.0);

/// The theme that was applied last.
#[derive(Default, PartialEq)]
struct AppliedTheme {
    palette: Option<Palette>,
    motion: Option<Motion>,
    fonts: bool,
    begun: bool,
}

fn apply_theme(
    mut contexts: EguiContexts,
    palette: Res<Palette>,
    settings: Res<Settings>,
    fonts: Option<Res<Fonts>>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut applied: Local<AppliedTheme>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if !applied.begun || applied.fonts != fonts.is_some() {
        ctx.set_fonts(fonts::definitions(fonts.as_deref()));
        (applied.begun, applied.fonts) = (true, fonts.is_some());
    }
    if applied.palette != Some(*palette) || applied.motion != Some(settings.motion) {
        (applied.palette, applied.motion) = (Some(*palette), Some(settings.motion));
        let style = style(&palette, settings.motion);
        let theme = if palette.dark { egui::Theme::Dark } else { egui::Theme::Light };
        ctx.set_theme(theme);
        ctx.set_style_of(theme, style);
    }
    if let Ok(window) = window.single() {
        let most = (window.width() / LEAST_ROOM.x).min(window.height() / LEAST_ROOM.y).max(0.5);
        ctx.set_zoom_factor(settings.ui_scale.min(most));
    }
}

/// Applies colours, fonts and sizes of the settings.
pub fn plugin(app: &mut App) {
    app.insert_resource(DARK)
        .insert_resource(ClearColor(DARK.board.bevy()))
        .add_systems(PreUpdate, choose_palette)
        .add_systems(EguiPrimaryContextPass, apply_theme.in_set(crate::app::shell::Pass::Dress));
}

/// The colour of heat over the ground, from the least (0) to the greatest value (1): translucent, so
/// that pieces stay easy to see below it.
pub fn heat_colour(palette: &Palette, share: f32) -> Color32 {
    translucent(ramp(share), if palette.dark { 0.35 } else { 0.5 })
}

/// A colour ramp from near (0) to far (1): light yellow over orange to deep purple. Its lightness
/// falls evenly, so it reads the same for colour-blind eyes.
pub fn ramp(share: f32) -> Color32 {
    const STOPS: [[f32; 3]; 5] = [
        [252.0, 240.0, 160.0],
        [250.0, 176.0, 80.0],
        [214.0, 96.0, 96.0],
        [132.0, 50.0, 126.0],
        [48.0, 20.0, 92.0],
    ];
    let place = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let low = (place as usize).min(STOPS.len() - 2);
    let t = place - low as f32;
    let mix = |i: usize| (STOPS[low][i] * (1.0 - t) + STOPS[low + 1][i] * t) as u8;
    Color32::from_rgb(mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast of two colours as WCAG 2 defines it.
    fn contrast(a: Rgb, b: Rgb) -> f32 {
        let light = |c: Rgb| {
            let part = |v: u8| {
                let v = f32::from(v) / 255.0;
                if v <= 0.03928 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(c.0) + 0.7152 * part(c.1) + 0.0722 * part(c.2) + 0.05
        };
        let (a, b) = (light(a), light(b));
        if a > b { a / b } else { b / a }
    }

    #[test]
    fn text_has_enough_contrast() {
        for palette in [DARK, LIGHT] {
            for back in [palette.panel, palette.raised, palette.hover] {
                assert!(contrast(palette.text, back) >= 7.0);
                assert!(contrast(palette.faint, back) >= 4.5, "{back:?}");
            }
            assert!(contrast(palette.on_accent, palette.accent) >= 4.5);
            for colour in [palette.accent, palette.bad] {
                assert!(contrast(colour, palette.panel) >= 4.5, "{colour:?}");
            }
        }
    }

    #[test]
    fn the_system_theme_applies_only_if_chosen() {
        assert!(chosen_palette(ThemeChoice::System, None).dark);
        assert!(!chosen_palette(ThemeChoice::System, Some(WindowTheme::Light)).dark);
        assert!(chosen_palette(ThemeChoice::Dark, Some(WindowTheme::Light)).dark);
    }
}
