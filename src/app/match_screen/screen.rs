//! The match screen: side panel, bottom panel, status line, board. What is in the panels is registered in
//! [`layout`].

use super::analysis;
use super::beside::{self, Split};
use super::canvas::{Canvas, Visuals};
use super::commands::CommandContext;
use super::draw::FloorSketch;
use super::focus::Focused;
use super::layout::{self, Given, Region};
use super::legend;
use super::lifecycle::Failure;
use super::matches::FocusedMatchMut;
use super::minimap;
use super::painting::{self, Painted};
use super::pointer::{Pointer, move_both, move_view, pass_pointer};
use super::session::Session;
use super::side;
use super::state::{AnalysisView, Tab};
use super::status_line;
use super::strip;
use crate::app::drawing::Sketch;
use crate::app::shell::Screen;
use crate::app::shell::everywhere::BACK;
use crate::app::shell::input::BoardArea;
use crate::app::shell::keyboard::Printed;
use crate::app::shell::screen_reader;
use crate::app::shell::settings::Settings;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

/// Most points a cell when the view follows what matters to those who watch.
const CLOSEST: f32 = 40.0;
/// Width of the side panel, in points.
const SIDE: f32 = 316.0;
/// How much higher than wide the window is where the side panel stands below the board.
const UPRIGHT: f32 = 1.2;
/// Its share of the height there.
const BELOW: f32 = 0.36;
/// Width of the board's part of the window below which the window is narrow, in points.
const NARROW: f32 = 560.0;

/// Which panel is shown beside the board: each begins at its top.
#[derive(Default)]
pub(super) struct ShownPanel {
    of: Option<(Entity, Tab)>,
    number: u64,
}

impl ShownPanel {
    /// A number that no panel had that was shown before this one.
    fn number(&mut self, of: (Entity, Tab)) -> u64 {
        if self.of != Some(of) {
            *self = Self { of: Some(of), number: self.number + 1 };
        }
        self.number
    }
}

/// Tells screen readers what is on the board.
fn tell_board(root: &mut egui::Ui, response: &egui::Response, session: &Session) {
    if !screen_reader::is_heard(response) {
        return;
    }
    let text = session.live.board_text(&session.state);
    let (columns, rows) = session.info.extent;
    screen_reader::describe(response, |node| {
        node.set_role(egui::accesskit::Role::Canvas);
        let level = &session.level_name;
        node.set_label(format!("Board: {level}, {columns} columns and {rows} rows"));
        node.set_live(egui::accesskit::Live::Polite);
        node.set_value(text.happened.clone());
    });
    screen_reader::lines(root, response.rect, &text.lines());
}

/// Says why there is no match.
pub(super) fn show_failure(
    mut contexts: EguiContexts,
    failure: Res<Failure>,
    mut next: ResMut<NextState<Screen>>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if failure_page(ctx, &failure) {
        next.set(failure.back);
    }
}

/// The context that the window is drawn into.
fn window(mut contexts: EguiContexts) -> Option<egui::Context> {
    contexts.ctx_mut().ok().cloned()
}

/// Shows the match: panels, the board, dialogs; and then does what was asked for in them.
pub(super) fn show(world: &mut World, mut shown: Local<ShownPanel>) {
    let Ok(Some(ctx)) = world.run_system_cached(window) else { return };
    let Some(focused) = layout::focused_tab(world) else { return };
    let mut root = widgets::root(&ctx);
    let line = match layout::cover(world, &mut root) {
        true => None,
        false => Some(panels(world, &mut root, focused, shown.number(focused))),
    };
    layout::fill(world, &mut root, |region| region == Region::Top);
    if let Err(why) = world.run_system_cached_with(board, (&mut root, line)) {
        warn_once!("the board is not drawn: {why}");
    }
    if let Err(why) = world.run_system_cached_with(carry_out, &mut root) {
        warn_once!("nothing is done that was asked for: {why}");
    }
    layout::fill(world, &mut root, |region| region == Region::Dialogs);
}

/// Draws the panels around the board. Returns the room of the status line, which is filled once it is known what is
/// pointed at.
fn panels(
    world: &mut World,
    root: &mut egui::Ui,
    (entity, tab): (Entity, Tab),
    number: u64,
) -> egui::Rect {
    let frame = widgets::panel_frame(root);
    let room = root.available_size();
    if has_panel(world, entity, room) {
        side_panel(world, root, (tab, number));
    }
    egui::Panel::bottom("timeline")
        .resizable(false)
        .frame(widgets::bar_frame(root))
        .show(root, |ui| layout::fill(world, ui, |region| matches!(region, Region::Bottom(_))));
    let status = egui::Panel::top("status")
        .exact_size(status_line::HEIGHTS[usize::from(root.available_width() < NARROW)])
        .resizable(false)
        .frame(frame.inner_margin(egui::Margin::symmetric(12, 0)));
    status.show(root, |ui| ui.max_rect()).inner
}

/// Whether there is a panel beside the board of a match in a window of this size.
fn has_panel(world: &mut World, entity: Entity, room: egui::Vec2) -> bool {
    world.resource_scope(|world, settings: Mut<Settings>| {
        world.get_mut::<Session>(entity).is_none_or(|mut session| {
            session.overlays.is_low = side::is_low(room);
            side::is_shown(&session, &settings)
        })
    })
}

/// Draws the panel beside the board, or below it.
fn side_panel(world: &mut World, root: &mut egui::Ui, (tab, number): (Tab, u64)) {
    let frame = widgets::panel_frame(root);
    let room = root.available_size();
    let side = match room.y > UPRIGHT * room.x {
        true => egui::Panel::bottom("side").exact_size(BELOW * room.y),
        false => egui::Panel::right("side").exact_size(SIDE),
    };
    side.resizable(false).frame(frame).show(root, |ui| {
        // What is too wide, such as a table of long numbers, is cut off and moves nothing else.
        let room = ui.available_rect_before_wrap();
        let mut inner = ui.new_child(egui::UiBuilder::new().id_salt(number).max_rect(room));
        inner.shrink_clip_rect(room.expand2(egui::vec2(8.0, 0.0)));
        ui.allocate_rect(room, egui::Sense::hover());
        layout::fill(world, &mut inner, |region| region == Region::Side(tab));
    });
}

/// Draws the board, or both boards, into the room that is left, and the status line above them; passes the pointer on.
fn board(
    (InMut(root), In(line)): (InMut<egui::Ui>, In<Option<egui::Rect>>),
    shown: Single<(&mut Session, &mut FloorSketch), With<Focused>>,
    other_floor: Option<Single<&mut FloorSketch, Without<Focused>>>,
    look: Visuals,
    (mut area, time): (ResMut<BoardArea>, Res<Time>),
    mut pointer: Local<Pointer>,
    mut context: CommandContext,
) {
    let (mut session, mut floor) = shown.into_inner();
    let session = &mut *session;
    let mut beside = context.other.take();
    let mut other = beside.as_deref_mut();
    let mut free = root.available_rect_before_wrap();
    area.0 = Some(free);
    let two = other.is_some() && session.tab == Tab::Match && !session.notes.in_lecture;
    let mut split = two.then(|| Split::of(free, session.info.extent, session.board.margin));
    let sense = egui::Sense::click_and_drag();
    let strip = (!two && strip::is_shown(session)).then(|| strip::cut(&mut free));
    let mut legends = [None, None];
    match &mut split {
        Some(split) => {
            legends[0] = legend::cut(&mut split.boards[0], session);
            let other = other.as_deref().map(|(other, _)| &**other);
            legends[1] = other.and_then(|other| legend::cut(&mut split.boards[1], other));
        }
        None => legends[0] = legend::cut(&mut free, session),
    }
    let board = split.map_or(free, |split| split.boards[0]);
    let response = root.allocate_rect(board, sense);
    tell_board(root, &response, session);
    let seconds = time.delta_secs();
    let most = match (&other, split) {
        (Some((other, _)), Some(split)) => beside::closest(other, split.boards[1]).min(CLOSEST),
        _ => CLOSEST,
    };
    move_view(&mut context.view, session, &response, board, (seconds, most));
    let beside_response = split.map(|split| {
        let response = root.allocate_rect(split.boards[1], sense);
        move_both(&mut context.view, session, &response);
        response
    });
    let view = **context.view;
    if let Some((other, other_view)) = &mut other {
        let area = split.map(|split| split.boards[1]);
        let goes_on = session.outcome().is_none() || session.goes_on_beside;
        let follows = session.overlays.follow && goes_on;
        beside::look((other, other_view), area, view, follows, seconds);
    }
    let mut canvas = Canvas {
        painter: root.painter().with_clip_rect(board),
        view,
        palette: *look.palette,
        pointer: response
            .hover_pos()
            .filter(|_| !session.notes.in_lecture && session.analysis_view() != AnalysisView::Tree)
            .map(|point| view.to_board(point)),
        tooltip: None,
        clickable: false,
        pieces: &look.pieces,
        floor: Sketch::default(),
        legend: None,
    };
    let grid = context.settings.grid;
    let Painted { jump, map, heat } =
        painting::paint(&mut canvas, session, Some(&mut context.analysis), grid);
    legend::show(root.painter(), legends[0], session, heat.as_ref(), &look.palette);
    floor.next = std::mem::take(&mut canvas.floor);
    // Over the board, since a medal comes down to it from there.
    if let Some(strip) = strip {
        strip::show(root.painter(), strip, session, &look.palette);
    }
    if response.hovered() && (canvas.clickable || jump.is_some()) {
        root.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    let mut pointed = canvas.tooltip.take().unwrap_or_default();
    let shown_tree =
        context.analysis.tree.as_ref().filter(|_| session.analysis_view() == AnalysisView::Tree);
    let node = shown_tree.zip(session.info.game_tree).and_then(|(tree, info)| {
        let painter = root.painter().with_clip_rect(free);
        analysis::paint_tree(&painter, free, tree, (info, &*look.palette), response.hover_pos())
    });
    if let Some(node) = &node {
        pointed.clone_from(&node.words);
    }
    if let (Some((other, view)), Some(split), Some(response)) =
        (&mut other, split, &beside_response)
    {
        split.show(root, [session, other], &look);
        let view = **view;
        let mut canvas = Canvas {
            painter: root.painter().with_clip_rect(view.area),
            view,
            pointer: response.hover_pos().map(|point| view.to_board(point)),
            clickable: false,
            ..canvas
        };
        let heat = painting::paint(&mut canvas, other, None, grid).heat;
        legend::show(root.painter(), legends[1], other, heat.as_ref(), &look.palette);
        if let Some(mut floor) = other_floor {
            floor.next = std::mem::take(&mut canvas.floor);
        }
        pointed = canvas.tooltip.take().unwrap_or(pointed);
    }
    // A lesson says itself how to begin.
    let begins = session.lesson.is_some() && session.playback.view == 0;
    let prompt = if begins { String::new() } else { session.live.prompt(&session.state) };
    let prompt = Printed::of(root.ctx()).fill(&prompt);
    if let Some(line) = line {
        let state = match other.as_deref() {
            Some((other, _)) => beside::status(session, other),
            None => session.status(),
        };
        status_line::show(root, line, (session, &state), [&prompt, &pointed]);
    }

    let on_map = response.interact_pointer_pos().zip(map).filter(|(at, map)| map.contains(*at));
    if let Some(turn) = jump.filter(|_| response.clicked()) {
        session.jump(turn);
    } else if let Some((at, map)) = on_map {
        context.view.centre = minimap::place(map, at, session.info.extent);
        context.view.fitted = false;
        session.overlays.follow = false;
    } else if session.analysis_view() == AnalysisView::Tree {
        let node = node.filter(|_| response.clicked());
        if let Some((tree, node)) = context.analysis.tree.as_mut().zip(node) {
            tree.show_node(node.node);
        }
    } else if session.analysis_view() == AnalysisView::Event && response.clicked() {
        context.analysis.click_cell();
    } else {
        pass_pointer(&mut pointer, &response, session, &mut context);
    }
}

/// Carries out what was asked for in the panels.
fn carry_out(
    InMut(root): InMut<egui::Ui>,
    mut session: FocusedMatchMut,
    mut given: ResMut<Given>,
    mut context: CommandContext,
) {
    let Given { commands, chose } = std::mem::take(&mut *given);
    if chose {
        context.play_queued(&mut session);
    }
    for command in commands {
        context.apply(&mut session, command);
    }
    if let Some(text) = context.copied.0.take() {
        root.copy_text(text);
    }
}

/// Says why there is no match; returns whether to go back.
fn failure_page(ctx: &egui::Context, failure: &Failure) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_panel_begins_at_its_top() {
        let mut shown = ShownPanel::default();
        let [here, there] = [1, 2].map(|at| Entity::from_raw_u32(at).unwrap());
        let first = shown.number((here, Tab::Match));
        assert_eq!(shown.number((here, Tab::Match)), first);
        let review = shown.number((here, Tab::Review));
        assert_ne!(review, first);
        let again = shown.number((here, Tab::Match));
        assert_ne!(again, first, "also when it is shown once more");
        assert_ne!(shown.number((there, Tab::Match)), again, "another match");
    }
}
