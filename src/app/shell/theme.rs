//! One palette for board and panels, dark and light; one spacing scale; one font family.

use crate::app::shell::fonts;
use crate::app::shell::fonts::Fonts;
use crate::app::shell::settings::{Motion, Settings, ThemeChoice};
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowTheme};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::epaint::FontColorTransferFunction;
use egui::{FontFamily, FontId, Stroke, TextStyle};
use outwit_core::play::Seat;
use outwit_kit::TileStyle;
use std::collections::HashMap;
use std::sync::Arc;

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

/// The outline of every piece, in both themes.
pub const INK: Rgb = Rgb(0x13, 0x17, 0x26);
/// Faces and labels on pieces, in both themes.
pub const PALE: Rgb = Rgb(0xf7, 0xea, 0xd3);

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
    /// The sides, from the Okabe-Ito set, which colour-blind eyes can distinguish: the same in both themes.
    pub sides: [Rgb; 6],
    /// Thin lines of the sides, deeper on light ground.
    pub lines: [Rgb; 6],
    /// What separates a line from any ground.
    pub casing: Rgb,
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
    lines: [
        Rgb(0xf2, 0xb2, 0x33),
        Rgb(0x6c, 0xc2, 0xf2),
        Rgb(0x2f, 0xbf, 0x95),
        Rgb(0xf0, 0xe4, 0x42),
        Rgb(0xf0, 0x8a, 0x4b),
        Rgb(0xde, 0x9c, 0xc2),
    ],
    casing: Rgb(0x0b, 0x11, 0x20),
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
    sides: DARK.sides,
    lines: [
        Rgb(0x8f, 0x5a, 0x00),
        Rgb(0x0a, 0x5f, 0x96),
        Rgb(0x00, 0x68, 0x4b),
        Rgb(0x6b, 0x61, 0x00),
        Rgb(0x9a, 0x3f, 0x00),
        Rgb(0x8a, 0x3b, 0x69),
    ],
    casing: Rgb(0xff, 0xfb, 0xf0),
};

/// Which of the lines of the sides serves as [`partner`](Palette::partner).
const PARTNER: usize = 5;

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

    /// The colour of thin lines that belong to a seat.
    pub fn line(&self, seat: Seat) -> Rgb {
        self.lines[seat.index() % self.lines.len()]
    }

    /// The colour of thin lines that come from a second source, such as the other parent of a child: that of no seat
    /// of a game for two.
    pub fn partner(&self) -> Rgb {
        self.lines[PARTNER]
    }

    /// The colour of a cell of a level.
    pub fn look(&self, look: TileStyle) -> Rgb {
        match look {
            TileStyle::Void => self.board,
            TileStyle::Ground => self.ground,
            TileStyle::Wall => self.edge,
            TileStyle::Start => self.start,
            TileStyle::Goal => self.goal,
            TileStyle::Mark => self.mark,
        }
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

/// Whether each game is light where each has its own theme, by id. Boards say so.
#[derive(Resource, Clone, Default)]
pub struct GameThemes(pub HashMap<&'static str, bool>);

/// The game that the screen is about, if it is about one.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameOnScreen(pub Option<&'static str>);

/// The palette in which a game is shown, also on a screen that is about all of them.
pub fn palette_of(ctx: &egui::Context, game: &str) -> &'static Palette {
    let own = ctx.data(|data| data.get_temp::<Option<Arc<GameThemes>>>(egui::Id::NULL));
    let light = own.flatten().and_then(|themes| themes.0.get(game).copied());
    of_theme(light.map_or(ctx.global_style().visuals.dark_mode, |light| !light))
}

fn of_theme(dark: bool) -> &'static Palette {
    if dark { &DARK } else { &LIGHT }
}

/// The palette of a panel's theme.
pub fn palette(ui: &egui::Ui) -> &'static Palette {
    of_theme(ui.visuals().dark_mode)
}

/// Seconds that a control takes to change, with full motion.
pub const ANIMATION: f32 = 0.1;

/// The least width and height of a control in points: for a pointer, and for a finger, after Apple's Human Interface
/// Guidelines.
const POINTED: egui::Vec2 = egui::vec2(36.0, 28.0);
const TOUCHED: egui::Vec2 = egui::vec2(44.0, 44.0);

/// How much higher controls are than they would be without a touch screen, in points.
pub fn for_fingers(ui: &egui::Ui) -> f32 {
    (ui.spacing().interact_size.y - POINTED.y).max(0.0)
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
    spacing.interact_size = POINTED;
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
        Motion::Full => ANIMATION,
        Motion::Reduced | Motion::Off => 0.0,
    };
    style
}

/// Whether effects move, as the settings ask. Otherwise they are shown as they end.
pub fn moves(ctx: &egui::Context) -> bool {
    ctx.global_style().animation_time > 0.0
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
    // egui draws the focused control as active, so this line is the focus ring; the accent would be lost on
    // what is chosen.
    widgets.active = looks(palette.hover, Stroke::new(2.0, palette.text.egui()), palette.text);
    widgets.open = looks(palette.hover, Stroke::new(1.0, palette.accent.egui()), palette.text);
    visuals
}

/// The palette of the chosen theme; `system` is the theme of the desktop, `game` whether the game on the screen, if
/// there is one, is light.
fn chosen_palette(
    choice: ThemeChoice,
    system: Option<WindowTheme>,
    game: Option<bool>,
) -> &'static Palette {
    let of_system = system == Some(WindowTheme::Light);
    let light = match choice {
        ThemeChoice::Game => game.unwrap_or(of_system),
        ThemeChoice::System => of_system,
        ThemeChoice::Dark => false,
        ThemeChoice::Light => true,
    };
    of_theme(!light)
}

/// Chooses the palette of the screen that is shown.
pub fn choose_palette(
    settings: Res<Settings>,
    window: Query<&Window, With<PrimaryWindow>>,
    themes: Res<GameThemes>,
    game: Res<GameOnScreen>,
    mut palette: ResMut<Palette>,
    mut clear: ResMut<ClearColor>,
) {
    let system = window.single().ok().and_then(|window| window.window_theme);
    let is_light = game.0.and_then(|game| themes.0.get(game).copied());
    let wanted = chosen_palette(settings.theme, system, is_light);
    if palette.set_if_neq(*wanted) {
        clear.0 = wanted.board.bevy();
    }
}

/// The smallest area that screens need, in points at a scale of 1.
const LEAST_ROOM: egui::Vec2 = egui::vec2(560.0, 400.0);

/// Seconds from press to release that still make a click: some hands are slow, and so are machines without a graphics
/// card, whose frames take a good part of egui's 0.8.
const LONGEST_CLICK: f64 = 3.0;

/// The theme that was applied last.
#[derive(Default, PartialEq)]
struct AppliedTheme {
    palette: Option<Palette>,
    choice: Option<ThemeChoice>,
    motion: Option<Motion>,
    touch: bool,
    least: Option<egui::Vec2>,
    fonts: (bool, bool),
    begun: bool,
}

/// Whether the device is known for one that is used by fingers.
fn has_finger() -> bool {
    #[cfg(target_arch = "wasm32")]
    return outwit_core::platform::page::has_finger();
    #[cfg(not(target_arch = "wasm32"))]
    false
}

fn apply_theme(
    mut contexts: EguiContexts,
    palette: Res<Palette>,
    themes: Res<GameThemes>,
    settings: Res<Settings>,
    fonts: Option<Res<Fonts>>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut applied: Local<AppliedTheme>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    // In a page long touches stand for the second button.
    if !applied.begun && cfg!(not(target_arch = "wasm32")) {
        ctx.options_mut(|options| options.input_options.max_click_duration = LONGEST_CLICK);
    }
    if !applied.begun {
        applied.touch = has_finger();
    }
    let there = (fonts.is_some(), fonts::has_late());
    if !applied.begun || applied.fonts != there {
        ctx.set_fonts(fonts::definitions(fonts.as_deref()));
        (applied.begun, applied.fonts) = (true, there);
    }
    if applied.choice != Some(settings.theme) {
        applied.choice = Some(settings.theme);
        let own = (settings.theme == ThemeChoice::Game).then(|| Arc::new(themes.clone()));
        ctx.data_mut(|data| data.insert_temp(egui::Id::NULL, own));
    }
    let room =
        window.single().map_or(LEAST_ROOM, |window| egui::vec2(window.width(), window.height()));
    let most = (room.x / LEAST_ROOM.x).min(room.y / LEAST_ROOM.y).max(0.5);
    let zoom = settings.ui_scale.min(most);
    ctx.set_zoom_factor(zoom);
    // Nothing grows under a finger that is still down.
    let touched = ctx.input(|input| input.has_touch_screen() && !input.any_touches());
    applied.touch |= touched;
    let least = match applied.touch {
        // The smaller everything is drawn, the more points a finger covers.
        true => TOUCHED / zoom.min(1.0),
        false => POINTED,
    };
    let wanted = (Some(*palette), Some(settings.motion), Some(least));
    if (applied.palette, applied.motion, applied.least) != wanted {
        (applied.palette, applied.motion, applied.least) = wanted;
        let mut style = style(&palette, settings.motion);
        style.spacing.interact_size = least;
        if applied.touch {
            // So that a button with an icon alone is as wide.
            style.spacing.button_padding.x = 15.0;
        }
        let theme = if palette.dark { egui::Theme::Dark } else { egui::Theme::Light };
        ctx.set_theme(theme);
        ctx.set_style_of(theme, style);
    }
}

/// Applies colours, fonts and sizes of the settings.
pub fn plugin(app: &mut App) {
    app.insert_resource(DARK)
        .insert_resource(ClearColor(DARK.board.bevy()))
        .init_resource::<GameThemes>()
        .init_resource::<GameOnScreen>()
        .add_systems(EguiPrimaryContextPass, apply_theme.in_set(crate::app::shell::Pass::Dress));
}

/// The colour of a value among others: brighter is more, in both themes. Where values have two signs, cold
/// colours are below zero and warm ones above, darkest at zero.
pub fn heat_colour((least, most): (f32, f32), value: f32) -> Rgb {
    if least < 0.0 && most > 0.0 {
        let reach = most.max(-least);
        return stop(&TWO_SIGNS, 0.5 + value / reach / 2.0);
    }
    stop(&HEAT, if most > least { (value - least) / (most - least) } else { 1.0 })
}

/// What dims the floor below heat, and how much.
pub fn heat_veil(dark: bool) -> (Rgb, f32) {
    if dark { (Rgb(0x07, 0x0b, 0x16), 0.55) } else { (Rgb(0x1b, 0x20, 0x36), 0.74) }
}

/// From the least to the greatest value. Lightness rises evenly, so it reads the same for colour-blind eyes.
const HEAT: [Rgb; 5] = [
    Rgb(0x33, 0x26, 0x5c),
    Rgb(0x65, 0x39, 0x8c),
    Rgb(0xa8, 0x54, 0xa0),
    Rgb(0xea, 0x93, 0xa4),
    Rgb(0xff, 0xf2, 0xcf),
];

/// From far below zero to far above it.
const TWO_SIGNS: [Rgb; 5] = [
    Rgb(0xbf, 0xe4, 0xff),
    Rgb(0x5f, 0xa5, 0xd6),
    Rgb(0x3a, 0x46, 0x68),
    Rgb(0xd0, 0x8a, 0x3c),
    Rgb(0xff, 0xdc, 0x9a),
];

/// The colour at a share of the way through these.
fn stop(stops: &[Rgb; 5], share: f32) -> Rgb {
    let place = share.clamp(0.0, 1.0) * 4.0;
    let low = (place as usize).min(3);
    let part = place - low as f32;
    let (Rgb(r, g, b), Rgb(red, green, blue)) = (stops[low], stops[low + 1]);
    let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * part).round() as u8;
    Rgb(mix(r, red), mix(g, green), mix(b, blue))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Contrast of two colours as WCAG 2 defines it.
    pub(crate) fn contrast(a: Rgb, b: Rgb) -> f32 {
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
        let light = Some(WindowTheme::Light);
        for game in [None, Some(false), Some(true)] {
            assert!(chosen_palette(ThemeChoice::System, None, game).dark);
            assert!(!chosen_palette(ThemeChoice::System, light, game).dark);
            assert!(chosen_palette(ThemeChoice::Dark, light, game).dark);
            assert!(!chosen_palette(ThemeChoice::Light, None, game).dark);
        }
    }

    #[test]
    fn a_game_has_its_own_theme_and_other_screens_the_systems() {
        for system in [None, Some(WindowTheme::Dark), Some(WindowTheme::Light)] {
            let dark = |game| chosen_palette(ThemeChoice::Game, system, game).dark;
            assert!(dark(Some(false)));
            assert!(!dark(Some(true)));
            assert_eq!(dark(None), system != Some(WindowTheme::Light));
        }
    }
}
