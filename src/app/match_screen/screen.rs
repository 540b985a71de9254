//! The layout of the match screen: side panel, timeline, status line, board.

use super::analysis;
use super::board::Input;
use super::canvas::{Canvas, Visuals, show_legend};
use super::command_table::MatchCommand;
use super::commands::CommandContext;
use super::commentary;
use super::draw::FloorSketch;
use super::lifecycle::Failure;
use super::minimap;
use super::opening;
use super::panel;
use super::review;
use super::session::Session;
use super::state::Tab;
use super::timeline;
use super::view::BoardView;
use crate::app::drawing::Sketch;
use crate::app::shell::everywhere::BACK;
use crate::app::shell::input::BoardArea;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy::math::Vec2;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

/// Points a cell below which a person can hardly choose a cell.
const LEAST_TO_PLAY: f32 = 12.0;
/// Points a cell below which the view follows what matters to those who watch.
const LEAST_TO_WATCH: f32 = 14.0;
/// Most points a cell when it does.
const CLOSEST: f32 = 40.0;
/// Points a cell when the view follows a piece.
const FOLLOWING: f32 = 22.0;
/// Width of the side panel, in points.
const SIDE: f32 = 316.0;
/// Height of the status line, in points: two lines of small text.
const STATUS: f32 = 34.0;

/// What the pointer did last, to tell the board only what is new.
#[derive(Default)]
pub(super) struct Pointer {
    hover: Option<Vec2>,
    /// Where a drag began that the board takes.
    dragged: Option<Vec2>,
}

/// Shows the match, or why there is none.
#[allow(clippy::too_many_arguments)]
pub(super) fn show(
    mut contexts: EguiContexts,
    session: Option<ResMut<Session>>,
    failure: Option<Res<Failure>>,
    look: Visuals,
    mut area: ResMut<BoardArea>,
    mut floor: ResMut<FloorSketch>,
    time: Res<Time>,
    mut pointer: Local<Pointer>,
    mut context: CommandContext,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let ctx = ctx.clone();
    let Some(mut session) = session else {
        if let Some(failure) = failure
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
    let side = egui::Panel::right("side").exact_size(SIDE).resizable(false).frame(frame);
    let chose = side.show(&mut root, |ui| {
        // What is too wide, such as a table of long numbers, is cut off and moves nothing else.
        let room = ui.available_rect_before_wrap();
        let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(room));
        inner.shrink_clip_rect(room.expand2(egui::vec2(8.0, 0.0)));
        ui.allocate_rect(room, egui::Sense::hover());
        match session.tab {
            Tab::Match => {
                let settings = (context.settings.grid, context.settings.commentary);
                panel::show(&mut inner, session, &look, settings, &mut commands)
            }
            Tab::Review => {
                review::show(&mut inner, session, &look, &mut commands);
                false
            }
            Tab::Analysis => {
                analysis::show(&mut inner, session, &mut commands);
                false
            }
        }
    });
    let low = frame.inner_margin(egui::Margin::symmetric(12, 8));
    egui::Panel::bottom("timeline").resizable(false).frame(low).show(&mut root, |ui| {
        if session.tab == Tab::Analysis {
            analysis::show_slider(ui, session, &mut commands);
        }
        if session.commented {
            commentary::show_graph(ui, session, &look);
        }
        timeline::show(ui, session, &look, &mut commands);
    });
    // Laid out before the board and filled after it, when it is known what is pointed at.
    let line = egui::Panel::top("status")
        .exact_size(STATUS)
        .resizable(false)
        .frame(frame.inner_margin(egui::Margin::symmetric(12, 0)))
        .show(&mut root, |ui| ui.max_rect())
        .inner;

    let free = root.available_rect_before_wrap();
    let response = root.allocate_rect(free, egui::Sense::click_and_drag());
    area.0 = Some(free);
    move_view(&mut context.view, session, &response, free, time.delta_secs());
    let view = *context.view;
    let mut canvas = Canvas {
        painter: root.painter().with_clip_rect(free),
        view,
        palette: *look.palette,
        pointer: response.hover_pos().map(|point| view.to_board(point)),
        tooltip: None,
        clickable: false,
        pieces: &look.pieces,
        floor: Sketch::default(),
        legend: None,
    };
    if context.settings.grid && !session.board.has_lines {
        canvas.grid(session.live.inside());
    }
    analysis::paint(&mut canvas, session);
    session.live.paint(&mut canvas, &session.state);
    let jump = review::paint(&mut canvas, session);
    opening::paint(&canvas, session);
    if session.commented && session.tab == Tab::Match {
        commentary::paint_captions(&canvas, session);
    }
    let map = minimap::paint(&canvas, session);
    if let Some(legend) = canvas.legend.take() {
        show_legend(&canvas, &legend);
    }
    floor.next = std::mem::take(&mut canvas.floor);
    if response.hovered() && (canvas.clickable || jump.is_some()) {
        ctx.set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    let words = canvas.tooltip.take().unwrap_or_else(|| session.live.prompt(&session.state));
    status(&mut root, line, session, &words);

    if chose.inner {
        context.play_queued(session);
    }
    let on_map = response.interact_pointer_pos().zip(map).filter(|(at, map)| map.contains(*at));
    if let Some(turn) = jump.filter(|_| response.clicked()) {
        session.jump(turn);
    } else if let Some((at, map)) = on_map {
        context.view.centre = minimap::place(map, at, session.live.extent());
        context.view.fitted = false;
        session.overlays.follow = false;
    } else {
        pass_pointer(&mut pointer, &response, session, &mut context);
    }
    for command in commands {
        context.apply(session, command);
    }
    if let Some(text) = context.copied.0.take() {
        ctx.copy_text(text);
    }
}

/// Tells the board what the pointer does; what it does not want pans the view.
fn pass_pointer(
    pointer: &mut Pointer,
    response: &egui::Response,
    session: &mut Session,
    context: &mut CommandContext,
) {
    let view = *context.view;
    let place = |point| view.to_board(point);
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

/// Fit, zoom and follow.
fn move_view(
    view: &mut BoardView,
    session: &mut Session,
    response: &egui::Response,
    free: egui::Rect,
    seconds: f32,
) {
    view.area = free;
    let (extent, margin) = (session.live.extent(), session.board.margin);
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
    if !session.overlays.framed {
        session.overlays.framed = true;
        view.fit(extent, margin);
        // Nobody can hit dots that lie closer than this; the view follows the piece instead.
        let playing = !session.humans.is_empty() && session.outcome().is_none();
        let watched = session.humans.is_empty() && session.live.focus(0).is_some();
        let least = if watched { LEAST_TO_WATCH } else { LEAST_TO_PLAY };
        session.overlays.follow = (playing || watched) && view.scale < least;
    }
    if let Some(corners) = session.overlays.focus.filter(|_| session.overlays.follow) {
        if session.outcome().is_none() {
            view.frame(corners, CLOSEST, seconds);
        }
        return;
    }
    if let Some(place) = session.overlays.followed.filter(|_| session.overlays.follow) {
        if view.fitted {
            view.scale = view.scale.max(FOLLOWING);
            view.centre = place;
        }
        view.follow(place, 6.0 * seconds);
    } else if view.fitted {
        view.fit(extent, margin);
    }
}

/// What the match is doing, and what to do or what is pointed at, above the board.
fn status(root: &mut egui::Ui, line: egui::Rect, session: &Session, words: &str) {
    let mut ui = root.new_child(
        egui::UiBuilder::new()
            .max_rect(line)
            .layout(egui::Layout::left_to_right(egui::Align::Center)),
    );
    ui.set_clip_rect(line);
    let colour = palette(&ui).accent.egui();
    ui.label(egui::RichText::new(session.status()).text_style(text::strong()).color(colour));
    if let Some(left) = session.time_left() {
        ui.label(egui::RichText::new(widgets::clock_words(left)).text_style(text::strong()));
    }
    ui.add_space(space::SMALL);
    // Two lines fit; where the window is too narrow for the rest, a tooltip has it.
    let font = egui::TextStyle::Small.resolve(ui.style());
    let (ink, width) = (palette(&ui).text.egui(), ui.available_width());
    let mut job = egui::text::LayoutJob::simple(words.to_owned(), font, ink, width);
    job.wrap.max_rows = 2;
    let galley = ui.painter().layout_job(job);
    let elided = galley.elided;
    let label = ui.label(galley);
    if elided {
        label.on_hover_text(words);
    }
}

/// Says why there is no match; returns whether to go back.
fn show_failure(ctx: &egui::Context, failure: &Failure) -> bool {
    widgets::page(ctx, |ui| {
        let mut back = BACK.pressed(ui.ctx());
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
            let button = widgets::primary_button(ui, "Back");
            back |= BACK.explain(button, "Back").clicked();
        });
        back
    })
}
