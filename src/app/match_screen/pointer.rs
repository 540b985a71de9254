//! What the pointer and fingers do on the board: they choose cells, drag, move the view and zoom.

use super::board::Input;
use super::commands::CommandContext;
use super::session::Session;
use super::view::BoardView;
use bevy::math::Vec2;
use bevy_egui::egui;

/// Points a cell below which a person can hardly choose a cell.
const LEAST_TO_PLAY: f32 = 12.0;
/// The same on a touch screen.
const LEAST_TO_TOUCH: f32 = 40.0;
/// Points a cell below which the view follows what matters to those who watch.
const LEAST_TO_WATCH: f32 = 14.0;
/// Points a cell when the view follows a piece.
const FOLLOWING: f32 = 22.0;

/// What the pointer did last, to tell the board only what is new.
#[derive(Default)]
pub(super) struct Pointer {
    hover: Option<Vec2>,
    /// Whether there were two fingers on the board since the last one was lifted.
    fingers: bool,
    /// Where a drag began that the board takes.
    dragged: Option<Vec2>,
}

/// Tells the board what the pointer does; what it does not want pans the view.
pub(super) fn pass_pointer(
    pointer: &mut Pointer,
    response: &egui::Response,
    session: &mut Session,
    context: &mut CommandContext,
) {
    let view = **context.view;
    let place = |point| view.to_board(point);
    if fingers(response).is_some() {
        // They move the view; what one of them began is dropped.
        pointer.dragged = None;
        pointer.fingers = true;
    }
    if pointer.fingers {
        pointer.fingers = response.ctx.input(egui::InputState::any_touches);
        return;
    }
    let hover = response.hover_pos().map(place);
    if hover != pointer.hover {
        pointer.hover = hover;
        context.input(session, Input::Hover(hover));
    }
    let at = response.interact_pointer_pos().map(place);
    if response.clicked()
        && let Some(at) = at
    {
        context.input(session, Input::Click(at));
    }
    let main = egui::PointerButton::Primary;
    if response.drag_started_by(main) {
        let origin = response.ctx.input(|input| input.pointer.press_origin());
        pointer.dragged = origin.map(place);
    }
    if let (Some(from), Some(to), true) = (pointer.dragged, at, response.dragged_by(main))
        && !context.input(session, Input::Drag { from, to })
    {
        pointer.dragged = None;
    }
    if response.drag_stopped()
        && let Some(from) = pointer.dragged.take()
    {
        context.input(session, Input::DragEnd { from, to: at.unwrap_or(from) });
    }
    if response.dragged() && pointer.dragged.is_none() {
        context.view.pan(response.drag_delta());
        session.overlays.follow = false;
    }
}

/// Two fingers or more on the board.
fn fingers(response: &egui::Response) -> Option<egui::MultiTouchInfo> {
    let fingers = response.ctx.input(egui::InputState::multi_touch)?;
    response.rect.contains(fingers.center_pos).then_some(fingers)
}

/// Fit, zoom and follow.
pub(super) fn move_view(
    view: &mut BoardView,
    session: &mut Session,
    response: &egui::Response,
    free: egui::Rect,
    (seconds, most): (f32, f32),
) {
    view.area = free;
    let extent = session.info.extent;
    let margin = session.board.margin;
    let fingertips = response.ctx.input(egui::InputState::has_touch_screen);
    if response.double_clicked_by(egui::PointerButton::Secondary) || response.long_touched() {
        view.fitted = true;
    }
    if let Some(fingers) = fingers(response) {
        view.zoom(fingers.zoom_delta, fingers.center_pos);
        view.pan(fingers.translation_delta);
        session.overlays.follow = false;
    } else {
        turn_wheel(view, response, egui::Vec2::ZERO);
    }
    if !session.overlays.framed {
        session.overlays.framed = true;
        view.fit(extent, margin);
        // Nobody can hit dots that lie closer than this; the view follows the piece instead.
        let playing = !session.humans.is_empty() && session.outcome().is_none();
        let watched = session.humans.is_empty() && session.live.focus(0).is_some();
        let least = match (watched, fingertips) {
            (true, _) => LEAST_TO_WATCH,
            (false, true) => LEAST_TO_TOUCH,
            (false, false) => LEAST_TO_PLAY,
        };
        session.overlays.follow = (playing || watched) && view.scale < least;
    }
    if let Some(corners) = session.overlays.focus.filter(|_| session.overlays.follow) {
        if session.outcome().is_none() || session.goes_on_beside {
            view.frame(corners, most, seconds);
        }
        return;
    }
    if let Some(place) = session.overlays.followed.filter(|_| session.overlays.follow) {
        if view.fitted {
            view.scale = view.scale.max(if fingertips { LEAST_TO_TOUCH } else { FOLLOWING });
            view.centre = view.inside(place, extent, margin);
        }
        view.follow(view.inside(place, extent, margin), 6.0 * seconds);
    } else if view.fitted {
        view.fit(extent, margin);
    }
}

/// Zooms as the wheel turns over a board that lies by so much beside the one that is looked at.
fn turn_wheel(view: &mut BoardView, response: &egui::Response, by: egui::Vec2) {
    let Some(point) = response.hover_pos() else { return };
    let (scroll, pinch) =
        response.ctx.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
    if scroll != 0.0 || pinch != 1.0 {
        view.zoom(pinch * (scroll / 240.0).exp(), point - by);
    }
}

/// Moves the view of both boards by what the pointer does on the one beside the other.
pub(super) fn move_both(view: &mut BoardView, session: &mut Session, response: &egui::Response) {
    turn_wheel(view, response, response.rect.min - view.area.min);
    if response.dragged() {
        view.pan(response.drag_delta());
        session.overlays.follow = false;
    }
}
