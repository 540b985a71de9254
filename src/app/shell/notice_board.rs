//! Shows notices at the bottom left, where they do not block and disappear by themselves.

use crate::app::requests::Screen;
use crate::app::shell::activity::{Activity, LastRequests};
use crate::app::shell::input::BoardArea;
use crate::app::shell::notice::{Notice, NoticeKind};
use crate::app::shell::theme::{Palette, space};
use crate::app::shell::widgets;
use crate::app::shell::{Frame, Pass};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use outwit_core::escape::escaped;
use std::time::Duration;

/// The maximum number shown at once; the oldest disappears first.
const MAX_SHOWN: usize = 4;

struct Shown {
    notice: Notice,
    left: f32,
    /// Seconds that it has been on screen.
    shown_for: f32,
    times: usize,
}

/// Seconds for which a notice is news: only then does it outlive the screen that it came with, as the last thing
/// that was done there.
const NEWS: f32 = 1.5;

/// Height of the row of buttons at the bottom of screens without a board, in points.
const CONTROLS: f32 = 44.0;

/// Takes the notices of a screen away when it is left.
fn leave(mut board: ResMut<NoticeBoard>, mut left: MessageReader<StateTransitionEvent<Screen>>) {
    if left.read().count() > 0 {
        board.0.retain(|shown| shown.shown_for < NEWS);
    }
}

/// The notices on screen.
#[derive(Resource, Default)]
struct NoticeBoard(Vec<Shown>);

fn display_time(notice: &Notice) -> f32 {
    match notice.kind {
        NoticeKind::Info => 4.0 + notice.text.len() as f32 / 40.0,
        NoticeKind::Error => 30.0,
    }
}

/// Takes notices over, each with the time of the frame before, which [`show`] takes off: it may
/// have been a long rest.
fn collect(
    mut board: ResMut<NoticeBoard>,
    mut notices: MessageReader<Notice>,
    time: Res<Time<Real>>,
) {
    for notice in notices.read() {
        if notice.kind == NoticeKind::Error {
            warn!("{}", escaped(&notice.text));
        }
        if let Some(same) = board.0.iter_mut().find(|shown| shown.notice == *notice) {
            same.left = display_time(notice) + time.delta_secs();
            same.times += 1;
            continue;
        }
        if board.0.len() == MAX_SHOWN {
            board.0.remove(0);
        }
        let left = display_time(notice) + time.delta_secs();
        board.0.push(Shown { notice: notice.clone(), left, shown_for: 0.0, times: 1 });
    }
}

fn show(
    mut contexts: EguiContexts,
    mut board: ResMut<NoticeBoard>,
    palette: Res<Palette>,
    time: Res<Time<Real>>,
    board_area: Res<BoardArea>,
) {
    if board.0.is_empty() {
        return;
    }
    let Ok(ctx) = contexts.ctx_mut() else { return };
    // Over the board or the page, but not over the controls below it.
    let below =
        board_area.0.map_or(CONTROLS, |board| ctx.viewport_rect().bottom() - board.bottom());
    let mut dismissed = None;
    let area = egui::Area::new("notices".into())
        .order(egui::Order::Tooltip)
        .anchor(egui::Align2::LEFT_BOTTOM, [space::LARGE, -space::LARGE - below])
        .show(ctx, |ui| {
            for (index, shown) in board.0.iter().enumerate() {
                if card(ui, &palette, shown) {
                    dismissed = Some(index);
                }
                ui.add_space(space::SMALL);
            }
        });
    if let Some(index) = dismissed {
        board.0.remove(index);
    }
    for shown in &mut board.0 {
        shown.shown_for += time.delta_secs();
    }
    // A notice stays while the pointer is on it.
    if !area.response.contains_pointer() {
        for shown in &mut board.0 {
            shown.left -= time.delta_secs();
        }
        board.0.retain(|shown| shown.left > 0.0);
        if let Some(first) = board.0.iter().map(|shown| shown.left).min_by(f32::total_cmp) {
            ctx.request_repaint_after(Duration::from_secs_f32(first));
        }
    }
}

/// A notice written late in a frame is shown in the next one, not at the next input.
fn expect(mut notices: MessageReader<Notice>, activity: Res<Activity>) {
    if notices.read().count() > 0 {
        activity.animate();
    }
}

/// Size of the icon in points.
const ICON: f32 = 18.0;

/// Shows one notice; returns whether it was dismissed.
fn card(ui: &mut egui::Ui, palette: &Palette, shown: &Shown) -> bool {
    let (icon, colour) = match shown.notice.kind {
        NoticeKind::Info => (egui_phosphor::regular::INFO, palette.accent),
        NoticeKind::Error => (egui_phosphor::regular::WARNING, palette.bad),
    };
    let mut dismissed = false;
    egui::Frame::new()
        .fill(palette.raised.egui())
        .stroke(egui::Stroke::new(1.0, colour.egui()))
        .corner_radius(widgets::CORNER)
        .inner_margin(egui::Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.horizontal_top(|ui| {
                // One line stands in the middle of the least height of a row.
                let text = ui.text_style_height(&egui::TextStyle::Body);
                let above = (ui.spacing().interact_size.y - text) / 2.0;
                ui.vertical(|ui| {
                    ui.add_space(above + (text - ICON * 1.2) / 2.0);
                    ui.label(egui::RichText::new(icon).color(colour.egui()).size(ICON));
                });
                ui.vertical(|ui| {
                    ui.add_space(above);
                    ui.set_max_width((ui.ctx().viewport_rect().width() * 0.4).min(420.0));
                    let mut text = shown.notice.text.clone();
                    if shown.times > 1 {
                        text += &format!(" ({} times)", shown.times);
                    }
                    ui.label(text);
                });
                ui.vertical(|ui| {
                    let cross = egui::Button::new(egui_phosphor::regular::X).frame(false);
                    dismissed = widgets::tip(ui.add(cross), "Dismiss").clicked();
                });
            });
        });
    dismissed
}

/// Shows each [`Notice`] over all else until its time is up or it is dismissed.
pub fn plugin(app: &mut App) {
    app.add_message::<Notice>()
        .init_resource::<NoticeBoard>()
        .add_systems(Update, (leave, collect).chain().in_set(Frame::Report))
        .add_systems(Last, expect.in_set(LastRequests))
        .add_systems(EguiPrimaryContextPass, show.in_set(Pass::Notices));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use bevy::state::app::StatesPlugin;

    fn texts(app: &App) -> Vec<&str> {
        let shown = &app.world().resource::<NoticeBoard>().0;
        shown.iter().map(|shown| shown.notice.text.as_str()).collect()
    }

    #[test]
    fn notices_leave_with_their_screen_unless_they_are_news() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, StatesPlugin))
            .insert_state(Screen::Match)
            .add_message::<Notice>()
            .init_resource::<NoticeBoard>()
            .add_systems(Update, (leave, collect).chain());
        app.update();
        app.world_mut().write_message(Notice::info("old"));
        app.update();
        app.world_mut().resource_mut::<NoticeBoard>().0[0].shown_for = 2.0 * NEWS;
        app.world_mut().write_message(Notice::error("a file could not be saved"));
        app.update();
        assert_eq!(texts(&app), ["old", "a file could not be saved"]);
        app.world_mut().resource_mut::<NextState<Screen>>().set(Screen::Menu);
        app.update();
        assert_eq!(texts(&app), ["a file could not be saved"], "it was just done");
        app.world_mut().resource_mut::<NoticeBoard>().0[0].shown_for = 2.0 * NEWS;
        app.update();
        assert_eq!(texts(&app).len(), 1, "it stays on its screen");
        app.world_mut().resource_mut::<NextState<Screen>>().set(Screen::Setup);
        app.update();
        assert!(texts(&app).is_empty());
    }
}
