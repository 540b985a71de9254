//! The layout of the match screen: side panel, timeline, board.

use super::canvas::{Canvas, middle};
use super::commands::{CommandContext, MatchCommand};
use super::lifecycle::Failure;
use super::session::Tab;
use super::{BoardView, GameView, Session, Visuals, panel, review, timeline};
use crate::app::shell::input::BoardArea;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

/// Points a cell below which a person can hardly choose a cell.
const LEAST_TO_PLAY: f32 = 12.0;
/// Points a cell when the view follows a piece.
const FOLLOWING: f32 = 22.0;

/// Width of the side panel, in points.
const SIDE: f32 = 316.0;

/// Shows the match, or why there is none.
pub fn show<G: GameView>(
    mut contexts: EguiContexts,
    session: Option<ResMut<Session<G>>>,
    failure: Option<Res<Failure>>,
    look: Visuals,
    mut area: ResMut<BoardArea>,
    time: Res<Time>,
    mut context: CommandContext,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let ctx = ctx.clone();
    let Some(mut session) = session else {
        if let Some(failure) = failure
            && failure.game == G::ID
            && show_failure(&ctx, &failure)
        {
            context.next.set(failure.back);
        }
        return;
    };
    let session = &mut *session;
    let mut commands: Vec<MatchCommand> = Vec::new();
    let mut root = widgets::root(&ctx);
    let frame = widgets::panel_frame(&root);
    egui::Panel::right("side").exact_size(SIDE).resizable(false).frame(frame).show(
        &mut root,
        |ui| match session.tab {
            Tab::Match => panel::show(ui, session, &look, &mut commands),
            Tab::Review => review::show(ui, session, &look, &mut commands),
        },
    );
    egui::Panel::bottom("timeline")
        .resizable(false)
        .frame(frame.inner_margin(egui::Margin::symmetric(12, 8)))
        .show(&mut root, |ui| timeline::show(ui, session, &look, &mut commands));

    let free = root.available_rect_before_wrap();
    let response = root.allocate_rect(free, egui::Sense::click_and_drag());
    area.0 = Some(free);
    let (chosen, jump) = {
        let view = &mut *context.view;
        move_view::<G>(view, session, &response, free, time.delta_secs());
        let pointer = response.hover_pos().map(|point| view.to_board(point));
        let mut canvas = Canvas {
            painter: root.painter().with_clip_rect(free),
            view: *view,
            palette: *look.palette,
            pointer,
            tooltip: None,
            jump: None,
        };
        let chosen = G::paint(&mut canvas, session);
        // At the top of the board: a tooltip would cover the very cells that it speaks of.
        let words = canvas.tooltip.take().unwrap_or_else(|| G::prompt(session));
        let words = match session.time_left() {
            Some(left) => format!("{:.0} s   {words}", left.ceil()),
            None => words,
        };
        prompt(&canvas, &words);
        (chosen, canvas.jump)
    };
    if let Some(turn) = jump {
        ctx.set_cursor_icon(egui::CursorIcon::PointingHand);
        if response.clicked() {
            session.jump(turn);
        }
    } else if let Some(action) = chosen {
        if response.hovered() {
            ctx.set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        if response.clicked() {
            context.choose(session, action);
        }
    }
    for command in commands {
        context.apply(session, command);
    }
}

/// Fit, zoom, drag and follow.
fn move_view<G: GameView>(
    view: &mut BoardView,
    session: &mut Session<G>,
    response: &egui::Response,
    free: egui::Rect,
    seconds: f32,
) {
    view.area = free;
    let extent = G::extent(session.game());
    if response.dragged() {
        view.pan(response.drag_delta());
        session.follow = false;
    }
    if response.double_clicked_by(egui::PointerButton::Secondary) {
        view.fitted = true;
    }
    if let Some(point) = response.hover_pos() {
        let (scroll, pinch) =
            response.ctx.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        if scroll != 0.0 || pinch != 1.0 {
            view.zoom(pinch * (scroll / 240.0).exp(), point);
        }
    }
    if !session.framed {
        session.framed = true;
        view.fit(extent, G::head_room(session));
        // Nobody can hit dots that lie closer than this; the view follows the car instead.
        let playing = !session.humans.is_empty() && session.outcome().is_none();
        session.follow = playing && view.scale < LEAST_TO_PLAY;
    }
    if session.follow {
        let seat = session
            .human_to_move()
            .or_else(|| session.humans.first().copied())
            .unwrap_or(crate::play::Seat(0));
        let place = middle(G::focus(session.state(), seat));
        if view.fitted {
            view.scale = view.scale.max(FOLLOWING);
            view.centre = place;
        }
        view.follow(place, 6.0 * seconds);
    } else if view.fitted {
        view.fit(extent, G::head_room(session));
    }
}

/// One line on what to do or what is pointed at, at the top of the board.
fn prompt(canvas: &Canvas, words: &str) {
    if words.is_empty() {
        return;
    }
    let palette = canvas.palette;
    let font = egui::FontId::proportional(14.0);
    let area = canvas.view.area;
    let galley = canvas.painter.layout(
        words.to_owned(),
        font,
        palette.text.egui(),
        (area.width() - 4.0 * space::LARGE).max(80.0),
    );
    let at = egui::pos2(area.center().x - galley.size().x / 2.0, area.top() + space::MEDIUM);
    let rect = egui::Rect::from_min_size(at, galley.size()).expand2(egui::vec2(12.0, 5.0));
    canvas.painter.rect(
        rect,
        widgets::CORNER,
        palette.panel.egui_alpha(0.92),
        egui::Stroke::new(1.0, palette.line.egui()),
        egui::StrokeKind::Inside,
    );
    canvas.painter.galley(at, galley, palette.text.egui());
}

/// Says why there is no match; returns whether to go back.
fn show_failure(ctx: &egui::Context, failure: &Failure) -> bool {
    widgets::page(ctx, |ui| {
        let mut back = ui.input(|input| input.key_pressed(egui::Key::Escape));
        let width = (ui.available_width() - 2.0 * space::PAGE).min(640.0);
        ui.add_space(ui.available_height() * 0.3);
        widgets::column(ui, width, |ui| {
            ui.heading(if failure.replay {
                "This replay cannot be played"
            } else {
                "This match cannot begin"
            });
            ui.add_space(space::MEDIUM);
            widgets::fault(ui, failure.why.as_str());
            ui.add_space(space::LARGE);
            back |= widgets::primary_button(ui, "Back")
                .on_hover_ui(|ui| widgets::hint_with_key(ui, "Back", "Esc"))
                .clicked();
        });
        back
    })
}
