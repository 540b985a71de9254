//! Which part of the board is seen: fit, zoom, pan, follow.

use super::focus::MatchSlot;
use crate::app::shell::Screen;
use crate::app::shell::theme::Palette;
use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CameraUpdateSystems, Viewport};
use bevy::prelude::*;
use bevy_egui::{EguiContext, PrimaryEguiContext, egui};

/// The part of the board that is seen. Board coordinates count cells: x to the right, y downwards,
/// the centre of cell (0, 0) at (0.5, 0.5).
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(opaque, Component, Debug)]
pub struct BoardView {
    /// What lies in the middle of the board's area, in cells.
    pub centre: Vec2,
    /// Points a cell.
    pub scale: f32,
    /// The board's area between the panels, in points.
    pub area: egui::Rect,
    /// Whether the whole board is kept in view.
    pub fitted: bool,
    /// Whether it is on its way to what it follows.
    pub is_framing: bool,
    /// Whether the board is on the screen at all.
    pub is_shown: bool,
}

impl Default for BoardView {
    fn default() -> Self {
        let area = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(800.0, 600.0));
        Self {
            centre: Vec2::ZERO,
            scale: 16.0,
            area,
            fitted: true,
            is_framing: false,
            is_shown: true,
        }
    }
}

/// Empty space around a fitted board, in points.
const MARGIN: f32 = 16.0;
/// Fewest and most points a cell.
const SCALES: (f32, f32) = (1.0, 120.0);

impl BoardView {
    /// The point of the screen that shows a place of the board.
    pub fn to_screen(&self, place: Vec2) -> egui::Pos2 {
        let offset = (place - self.centre) * self.scale;
        self.area.center() + egui::vec2(offset.x, offset.y)
    }

    /// The place of the board that a point of the screen shows.
    pub fn to_board(&self, point: egui::Pos2) -> Vec2 {
        let offset = (point - self.area.center()) / self.scale;
        self.centre + Vec2::new(offset.x, offset.y)
    }

    /// Shows the whole board and `margin` cells around it.
    pub fn fit(&mut self, (width, height): (usize, usize), margin: f32) {
        let board = Vec2::new(width as f32, height as f32);
        let whole = board + 2.0 * margin;
        let room = self.area.size() - egui::Vec2::splat(2.0 * MARGIN);
        self.scale = (room.x / whole.x).min(room.y / whole.y).clamp(SCALES.0, SCALES.1);
        self.centre = board / 2.0;
        self.fitted = true;
    }

    /// Zooms by a factor and keeps the place under `point` where it is.
    pub fn zoom(&mut self, factor: f32, point: egui::Pos2) {
        let kept = self.to_board(point);
        self.scale = (self.scale * factor).clamp(SCALES.0, SCALES.1);
        self.centre += kept - self.to_board(point);
        self.fitted = false;
    }

    /// Moves the view by so many points.
    pub fn pan(&mut self, by: egui::Vec2) {
        self.centre -= Vec2::new(by.x, by.y) / self.scale;
        self.fitted = false;
    }

    /// Whether it shows everything between two corners of the board.
    pub fn shows(&self, low: Vec2, high: Vec2) -> bool {
        let half = Vec2::new(self.area.width(), self.area.height()) / self.scale / 2.0;
        (low - self.centre + half).min_element() >= -1e-3
            && (self.centre + half - high).min_element() >= -1e-3
    }

    /// The points a cell at which what lies between two corners fills the area well.
    pub fn closest(&self, (low, high): (Vec2, Vec2)) -> f32 {
        /// The share of the area's sides that is filled.
        const AIM: f32 = 0.7;
        let size = Vec2::new(self.area.width(), self.area.height());
        (AIM * size / (high - low).max(Vec2::ONE)).min_element()
    }

    /// Moves slowly to where everything between two corners is seen, and no closer than `most` points a cell. It
    /// stays as it is while they lie well inside, so that it is seldom in motion.
    pub fn frame(&mut self, (low, high): (Vec2, Vec2), most: f32, seconds: f32) {
        /// How fast it moves, as a share a second.
        const PACE: f32 = 1.6;
        /// The share of the area's sides that the corners may fill before it moves.
        const CALM: f32 = 0.85;
        /// It comes closer only if it would by this factor.
        const CLOSER: f32 = 1.35;
        let fit = self.closest((low, high)).min(most);
        let inner = BoardView {
            area: egui::Rect::from_center_size(self.area.center(), self.area.size() * CALM),
            ..*self
        };
        if inner.shows(low, high) && fit < self.scale * CLOSER && !self.is_framing {
            return;
        }
        let share = (PACE * seconds).clamp(0.0, 1.0);
        let wanted = (low + high) / 2.0;
        self.centre += (wanted - self.centre) * share;
        // By factors: it looks even.
        self.scale *= (fit / self.scale).powf(share);
        self.fitted = false;
        let near = (wanted - self.centre).length() * self.scale < 6.0;
        self.is_framing = !(near && (fit / self.scale).ln().abs() < 0.03);
    }

    /// The middle that is nearest to a place and shows nothing beyond the board and `margin` cells around it, or the
    /// middle of the board where that is smaller than what is seen.
    pub fn inside(&self, place: Vec2, (width, height): (usize, usize), margin: f32) -> Vec2 {
        let board = Vec2::new(width as f32, height as f32);
        let half = Vec2::new(self.area.width(), self.area.height()) / self.scale / 2.0;
        let most = (board / 2.0 + margin + MARGIN / self.scale - half).max(Vec2::ZERO);
        board / 2.0 + (place - board / 2.0).clamp(-most, most)
    }

    /// Moves the middle towards a place.
    pub fn follow(&mut self, place: Vec2, share: f32) {
        self.centre += (place - self.centre) * share.clamp(0.0, 1.0);
        self.fitted = false;
    }
}

/// The camera of a match's board, a child of the match.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug, Default, Reflect)]
pub struct BoardCamera;

/// Gives a match a camera. It draws after those of the matches before it.
fn spawn_camera(added: On<Add, MatchSlot>, slots: Query<&MatchSlot>, mut commands: Commands) {
    let Ok(slot) = slots.get(added.entity) else { return };
    commands.spawn((
        Name::new("board"),
        ChildOf(added.entity),
        BoardCamera,
        Camera2d,
        RenderLayers::layer(slot.layer()),
        Camera { order: slot.layer() as isize, is_active: slot.0 == 0, ..default() },
        Msaa::Sample4,
    ));
}

type Cameras<'w, 's> = Query<
    'w,
    's,
    (&'static ChildOf, &'static mut Camera, &'static mut Transform, &'static mut Projection),
    With<BoardCamera>,
>;

/// The part of a window of this size that shows an area, all in physical pixels.
fn viewport(area: egui::Rect, window: UVec2) -> Viewport {
    let place = |at: egui::Pos2| Vec2::new(at.x, at.y).round().max(Vec2::ZERO).as_uvec2();
    let low = place(area.min).min(window.saturating_sub(UVec2::ONE));
    let high = place(area.max).min(window).max(low + UVec2::ONE);
    Viewport { physical_position: low, physical_size: high - low, ..default() }
}

/// Board cells as world units, y upwards: each camera looks at where the view looks. A camera has the whole window
/// unless there are two boards.
fn place_cameras(
    matches: Query<(&BoardView, &MatchSlot)>,
    mut panels: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    window: Query<&Window>,
    palette: Res<Palette>,
    mut cameras: Cameras,
) {
    let Ok(window) = window.single() else { return };
    // A point of the panels is so many logical pixels of the window. Only egui knows: it may be
    // less than the settings ask for.
    let zoom = panels.single_mut().map_or(1.0, |mut context| context.get_mut().zoom_factor());
    let factor = window.scale_factor();
    let several = matches.iter().filter(|(view, _)| view.is_shown).count() > 1;
    for (parent, mut camera, mut transform, mut projection) in &mut cameras {
        let Ok((view, slot)) = matches.get(parent.parent()) else { continue };
        camera.is_active = view.is_shown;
        if !view.is_shown {
            continue;
        }
        camera.clear_color = match slot.0 {
            0 => ClearColorConfig::Custom(palette.board.bevy()),
            // The first camera has cleared the whole window.
            _ => ClearColorConfig::None,
        };
        camera.viewport =
            several.then(|| viewport(view.area * (zoom * factor), window.physical_size()));
        let middle = match &camera.viewport {
            Some(part) => {
                (part.physical_position.as_vec2() + part.physical_size.as_vec2() / 2.0) / factor
            }
            None => Vec2::new(window.width(), window.height()) / 2.0,
        };
        let pixels = view.scale * zoom;
        let area = Vec2::new(view.area.center().x, view.area.center().y) * zoom;
        let at = view.centre + (middle - area) / pixels;
        transform.translation = Vec3::new(at.x, -at.y, transform.translation.z);
        if let Projection::Orthographic(orthographic) = &mut *projection {
            orthographic.scale = 1.0 / pixels;
        }
    }
}

/// Keeps the cameras where the view looks.
pub(super) fn plugin(app: &mut App) {
    app.register_required_components::<MatchSlot, BoardView>()
        .add_observer(spawn_camera)
        .add_systems(
            PostUpdate,
            place_cameras
                .after(crate::app::shell::input::update_board_input)
                .before(CameraUpdateSystems)
                .before(bevy::transform::TransformSystems::Propagate)
                .run_if(in_state(Screen::Match)),
        );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_reached_and_then_left_alone() {
        let mut view = BoardView::default();
        view.fit((200, 200), 0.0);
        let corners = (Vec2::new(20.0, 30.0), Vec2::new(40.0, 42.0));
        assert!(view.shows(corners.0, corners.1) && !view.shows(Vec2::splat(-30.0), Vec2::ONE));
        for _ in 0..400 {
            view.frame(corners, 40.0, 0.02);
        }
        assert!(view.shows(corners.0, corners.1) && view.scale > 20.0 && !view.is_framing);
        let still = view;
        // A step aside is no reason to move.
        view.frame((corners.0 + 1.0, corners.1 + 1.0), 40.0, 0.02);
        assert_eq!(view, still);
    }

    #[test]
    fn what_is_followed_is_seen_with_as_little_beside_the_board_as_possible() {
        let view = BoardView { scale: 20.0, ..BoardView::default() };
        for (extent, place, middle) in [
            ((200, 100), (90.0, 50.0), (90.0, 50.0)),
            ((200, 100), (0.5, 99.5), (18.7, 86.3)),
            ((200, 10), (199.5, 0.5), (181.3, 5.0)),
            ((10, 10), (0.5, 9.5), (5.0, 5.0)),
        ] {
            let found = view.inside(place.into(), extent, 0.5);
            assert!((found - Vec2::from(middle)).length() < 1e-3, "{extent:?} {place:?}: {found}");
            let seen = BoardView { centre: found, ..view };
            assert!(seen.shows(place.into(), place.into()));
        }
    }

    #[test]
    fn a_viewport_lies_within_the_window() {
        let area = egui::Rect::from_min_max(egui::pos2(10.4, 20.0), egui::pos2(300.6, 200.0));
        let part = viewport(area, UVec2::new(640, 480));
        assert_eq!(
            (part.physical_position, part.physical_size),
            ((10, 20).into(), (291, 180).into())
        );
        // The window may be smaller by now than what was laid out in it.
        for window in [UVec2::new(1, 1), UVec2::new(100, 30), UVec2::new(300, 10)] {
            let part = viewport(area, window);
            assert!(part.physical_size.min_element() > 0, "{part:?}");
            assert!((part.physical_position + part.physical_size).cmple(window).all(), "{part:?}");
        }
    }

    #[test]
    fn screen_and_board_agree() {
        let mut view = BoardView::default();
        view.fit((40, 30), 0.0);
        let point = egui::pos2(123.0, 456.0);
        let back = view.to_screen(view.to_board(point));
        assert!((back - point).length() < 1e-2);
        let kept = view.to_board(point);
        view.zoom(1.7, point);
        assert!((view.to_board(point) - kept).length() < 1e-3);
        assert!(!view.fitted);
    }
}
