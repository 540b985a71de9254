//! The layout of the match screen: side panel, timeline, status line, board.

use super::analysis;
use super::beside::{self, Split};
use super::canvas::{Canvas, Visuals};
use super::command_table::MatchCommand;
use super::commands::CommandContext;
use super::commentary;
use super::draw::FloorSketch;
use super::film;
use super::focus::Focused;
use super::lecture;
use super::lesson;
use super::lifecycle::Failure;
use super::minimap;
use super::painting::{self, Painted};
use super::panel;
use super::pointer::{Pointer, move_both, move_view, pass_pointer};
use super::review;
use super::session::Session;
use super::state::Tab;
use super::status_line;
use super::strip;
use super::timeline;
use crate::app::drawing::Sketch;
use crate::app::shell::Screen;
use crate::app::shell::everywhere::BACK;
use crate::app::shell::input::BoardArea;
use crate::app::shell::keyboard::Printed;
use crate::app::shell::screen_reader;
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
    tab: Tab,
    number: u64,
}

impl ShownPanel {
    /// A number that no panel had that was shown before this one.
    fn number(&mut self, tab: Tab, is_new: bool) -> u64 {
        if is_new || self.tab != tab {
            *self = Self { tab, number: self.number + 1 };
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

/// Shows the match.
#[allow(clippy::too_many_arguments)]
pub(super) fn show(
    mut contexts: EguiContexts,
    shown: Single<(&mut Session, &mut FloorSketch), With<Focused>>,
    other_floor: Option<Single<&mut FloorSketch, Without<Focused>>>,
    look: Visuals,
    mut area: ResMut<BoardArea>,
    time: Res<Time>,
    mut pointer: Local<Pointer>,
    mut shown_panel: Local<ShownPanel>,
    mut context: CommandContext,
    film_assets: film::FilmAssets,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let ctx = ctx.clone();
    let (mut session, mut floor) = shown.into_inner();
    let panel_number = shown_panel.number(session.tab, session.is_added());
    let session = &mut *session;
    let mut other = context.other.take();
    let mut other = other.as_deref_mut();
    let mut commands: Vec<MatchCommand> = Vec::new();
    let mut root = widgets::root(&ctx);
    let frame = widgets::panel_frame(&root);
    let room = root.available_size();
    let side = match room.y > UPRIGHT * room.x {
        true => egui::Panel::bottom("side").exact_size(BELOW * room.y),
        false => egui::Panel::right("side").exact_size(SIDE),
    };
    let settings = (context.settings.grid, context.settings.commentary);
    let low = frame.inner_margin(egui::Margin::symmetric(12, 8));
    let mut chose = false;
    let line = if session.notes.in_lecture {
        lecture::show(&mut root, session, &mut commands);
        None
    } else if session.is_projected() {
        analysis::project(&mut root, session, &mut commands);
        None
    } else {
        let side = side.resizable(false).frame(frame);
        let shown = side.show(&mut root, |ui| {
            let other = other.as_deref().map(|(other, _)| &**other);
            side_panel(ui, (session, other), &look, (panel_number, settings), &mut commands)
        });
        chose = shown.inner;
        egui::Panel::bottom("timeline").resizable(false).frame(low).show(&mut root, |ui| {
            if session.tab == Tab::Analysis {
                analysis::show_slider(ui, session, &mut commands);
            }
            if other.is_some() {
                // A graph is of one match only.
            } else if session.commented {
                commentary::show_graph(ui, session, &look);
            } else {
                review::show_graph(ui, session, &look);
            }
            let other = other.as_deref_mut().map(|(other, _)| &mut **other);
            timeline::show(ui, session, other, &look, &mut commands);
        });
        // Laid out before the board and filled after it, when it is known what is pointed at.
        let status = egui::Panel::top("status")
            .exact_size(status_line::HEIGHTS[usize::from(root.available_width() < NARROW)])
            .resizable(false)
            .frame(frame.inner_margin(egui::Margin::symmetric(12, 0)));
        Some(status.show(&mut root, |ui| ui.max_rect()).inner)
    };

    lesson::show_task(&mut root, session, low, &mut commands);
    let mut free = root.available_rect_before_wrap();
    area.0 = Some(free);
    let two = other.is_some() && session.tab == Tab::Match && !session.notes.in_lecture;
    let split = two.then(|| Split::of(free, session.info.extent, session.board.margin));
    let sense = egui::Sense::click_and_drag();
    let strip = (!two && strip::is_shown(session)).then(|| strip::cut(&mut free));
    let board = split.map_or(free, |split| split.boards[0]);
    let response = root.allocate_rect(board, sense);
    tell_board(&mut root, &response, session);
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
            .filter(|_| !session.shows_tree())
            .map(|point| view.to_board(point)),
        tooltip: None,
        clickable: false,
        pieces: &look.pieces,
        floor: Sketch::default(),
        legend: None,
    };
    if let Some(strip) = strip {
        strip::show(root.painter(), strip, session, &look.palette);
    }
    let grid = context.settings.grid;
    let Painted { jump, map } = painting::paint(&mut canvas, session, grid);
    floor.next = std::mem::take(&mut canvas.floor);
    if response.hovered() && (canvas.clickable || jump.is_some()) {
        ctx.set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    let mut pointed = canvas.tooltip.take().unwrap_or_default();
    let shown_tree = session.analysis.tree.as_ref().filter(|_| session.shows_tree());
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
        split.show(&mut root, [session, other], &look);
        let view = **view;
        let mut canvas = Canvas {
            painter: root.painter().with_clip_rect(view.area),
            view,
            pointer: response.hover_pos().map(|point| view.to_board(point)),
            clickable: false,
            ..canvas
        };
        painting::paint(&mut canvas, other, grid);
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
        status_line::show(&mut root, line, (session, &state), [&prompt, &pointed]);
    }

    if chose {
        context.play_queued(session);
    }
    let on_map = response.interact_pointer_pos().zip(map).filter(|(at, map)| map.contains(*at));
    if let Some(turn) = jump.filter(|_| response.clicked()) {
        session.jump(turn);
    } else if let Some((at, map)) = on_map {
        context.view.centre = minimap::place(map, at, session.info.extent);
        context.view.fitted = false;
        session.overlays.follow = false;
    } else if session.shows_tree() {
        let node = node.filter(|_| response.clicked());
        if let Some((tree, node)) = session.analysis.tree.as_mut().zip(node) {
            tree.show_node(node.node);
        }
    } else if session.shows_event() && response.clicked() {
        session.click_cell();
    } else {
        pass_pointer(&mut pointer, &response, session, &mut context);
    }
    for command in commands {
        context.apply(session, command);
    }
    if let Some(text) = context.copied.0.take() {
        ctx.copy_text(text);
    }
    context.film.show(&ctx, session, &film_assets, grid);
    {
        let CommandContext { ask, programs, settings, .. } = &mut context;
        ask.show(&ctx, session, programs, settings);
    }
    if let Some(players) = context.line_up.show(&ctx, &look.pieces) {
        context.show_beside(session, players);
    }
}

/// The panel beside the board: the match and another one beside it, its review or the analysis. Returns whether a
/// person chose an action.
fn side_panel(
    ui: &mut egui::Ui,
    (session, other): (&mut Session, Option<&Session>),
    look: &Visuals,
    (number, settings): (u64, (bool, bool)),
    commands: &mut Vec<MatchCommand>,
) -> bool {
    // What is too wide, such as a table of long numbers, is cut off and moves nothing else.
    let room = ui.available_rect_before_wrap();
    let mut inner = ui.new_child(egui::UiBuilder::new().id_salt(number).max_rect(room));
    inner.shrink_clip_rect(room.expand2(egui::vec2(8.0, 0.0)));
    ui.allocate_rect(room, egui::Sense::hover());
    match session.tab {
        Tab::Match => panel::show(&mut inner, session, other, look, settings, commands),
        Tab::Review => {
            review::show(&mut inner, session, look, commands);
            false
        }
        Tab::Analysis => {
            analysis::show(&mut inner, session, commands);
            false
        }
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
        let first = shown.number(Tab::Match, true);
        assert_eq!(shown.number(Tab::Match, false), first);
        let review = shown.number(Tab::Review, false);
        assert_ne!(review, first);
        assert_ne!(shown.number(Tab::Match, false), first, "also when it is shown once more");
        let before = shown.number(Tab::Match, false);
        assert_ne!(shown.number(Tab::Match, true), before, "another match");
    }
}
