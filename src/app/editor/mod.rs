//! The level editor's screen. It names no game; see [`crate::editor`] for what lies beneath.

pub mod actions;
mod bar;
mod canvas;
mod dialogs;
mod measure;
mod side;
mod studio;
mod tools;
mod welcome;
mod work;

pub use studio::Studio;
use studio::{Found, Go};

use super::input::BoardArea;
use super::keys::KeyList;
use super::notice::Notice;
use super::overlay::Overlay;
use super::pieces::Pieces;
use super::settings::Settings;
use super::store::{Kept, keep, recall};
use super::theme::palette;
use super::{MatchConfig, Screen, widgets};
use crate::editor::abandoned;
use crate::levels::data_folder;
use actions::Action;
use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use bevy_egui::{
    EguiClipboard, EguiContext, EguiContexts, EguiPrimaryContextPass, PrimaryEguiContext, egui,
};
use std::path::PathBuf;

/// Name of the file of recent levels in the data folder.
const RECENT: &str = "recent.ron";
/// So many recent levels are kept.
const MOST_RECENT: usize = 12;

/// A file that the editor shall open when it is entered.
#[derive(Resource, Clone, Debug, Default)]
pub struct OpenInEditor(pub Option<crate::levels::Entry>);

/// The editor with what it keeps in the data folder, and what to tell the user about it.
pub fn load() -> (Studio, Option<String>) {
    let folder = data_folder();
    let Kept { value, message } = recall::<Vec<PathBuf>>(RECENT, "The list of recent levels");
    let drafts = folder.as_ref().map(|folder| abandoned(&folder.join("drafts")));
    let found: Vec<Found> = drafts.unwrap_or_default().into_iter().map(Found::new).collect();
    let studio =
        Studio { folder, recent: value, offer: !found.is_empty(), found, ..Studio::default() };
    (studio, message)
}

/// Lays out the panels and the map. `corner` fills the upper right corner.
pub fn show(
    ctx: &egui::Context,
    studio: &mut Studio,
    pieces: Option<&Pieces>,
    covered: bool,
    corner: impl FnOnce(&mut egui::Ui),
) {
    let now = ctx.input(|input| input.time);
    studio.tick(now);
    if studio.work.as_ref().is_some_and(work::Work::is_busy) {
        ctx.request_repaint();
    }
    // What was open when the frame began has the keys.
    let muted = covered || studio.dialog.is_some() || egui::Popup::is_any_open(ctx);
    let mut asked = Vec::new();
    if !muted && !ctx.text_edit_focused() {
        asked = keys(ctx, studio);
    }
    let mut root = widgets::root(ctx);
    let room = root.max_rect().width();
    let line = egui::Margin::symmetric(12, 6);
    egui::Panel::top("editor bar")
        .frame(widgets::panel_frame(&root).inner_margin(line))
        .show(&mut root, |ui| asked.extend(bar::top(ui, studio, corner)));
    if studio.work.is_some() {
        egui::Panel::bottom("editor status")
            .frame(widgets::panel_frame(&root).inner_margin(egui::Margin::symmetric(12, 4)))
            .show(&mut root, |ui| bar::bottom(ui, studio));
        let side = egui::Margin::symmetric(10, 10);
        egui::Panel::left("editor tools")
            .frame(widgets::panel_frame(&root).inner_margin(side))
            .exact_size((room * 0.17).clamp(160.0, 208.0))
            .resizable(false)
            .show(&mut root, |ui| tools::show(ui, studio, pieces));
        egui::Panel::right("editor level")
            .frame(widgets::panel_frame(&root).inner_margin(side))
            .exact_size((room * 0.27).clamp(216.0, 320.0))
            .resizable(false)
            .show(&mut root, |ui| side::show(ui, studio));
    }
    let fill = palette(&root).board.egui();
    egui::CentralPanel::default().frame(egui::Frame::new().fill(fill)).show(&mut root, |ui| {
        match &mut studio.work {
            Some(work) => canvas::show(ui, work, pieces, muted),
            None => {
                widgets::squared_paper(ui);
                asked.extend(welcome::show(ui, studio));
            }
        }
    });
    for action in asked {
        studio.act(action, now);
    }
    dialogs::show(ctx, studio);
}

/// What the keys ask for; some act at once.
fn keys(ctx: &egui::Context, studio: &mut Studio) -> Vec<Action> {
    let (asked, pasted) = actions::pressed(ctx);
    if pasted.is_some() {
        studio.pasted = pasted;
    }
    let Some(work) = &mut studio.work else { return asked };
    const DIGITS: [egui::Key; 9] = {
        use egui::Key::{Num1, Num2, Num3, Num4, Num5, Num6, Num7, Num8, Num9};
        [Num1, Num2, Num3, Num4, Num5, Num6, Num7, Num8, Num9]
    };
    let plain = ctx.input(|input| !input.modifiers.any());
    let digit = DIGITS.iter().position(|key| plain && ctx.input(|input| input.key_pressed(*key)));
    if let Some(swatch) = digit.and_then(|digit| work.desk.palette().get(digit)) {
        work.desk.take_in_hand(swatch.symbol);
    }
    if ctx.memory(|memory| memory.focused().is_none()) {
        let step = 60.0 / work.view.zoom.unwrap_or(16.0);
        let way = ctx.input(|input| {
            let along = |less, more| {
                f32::from(input.key_pressed(more)) - f32::from(input.key_pressed(less))
            };
            use egui::Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp};
            egui::vec2(along(ArrowLeft, ArrowRight), along(ArrowUp, ArrowDown))
        });
        work.view.centre += way * step;
    }
    asked
}

fn enter(
    mut studio: ResMut<Studio>,
    mut wanted: ResMut<OpenInEditor>,
    settings: Res<Settings>,
    mut board: ResMut<BoardArea>,
) {
    board.0 = None;
    studio.budget = settings.budget();
    studio.offer = false;
    if let Some(entry) = wanted.0.take() {
        studio.ask_then(studio::Next::Entry(entry));
    }
}

fn leave(mut studio: ResMut<Studio>) {
    if let Some(work) = &mut studio.work {
        work.desk.release();
        work.pressing = false;
    }
    studio.dialog = None;
}

fn screen(
    mut contexts: EguiContexts,
    mut studio: ResMut<Studio>,
    pieces: Option<Res<Pieces>>,
    mut overlay: ResMut<Overlay>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let covered = *overlay != Overlay::None;
    let mut asked = None;
    let began = std::time::Instant::now();
    show(ctx, &mut studio, pieces.as_deref(), covered, |ui| asked = widgets::corner_buttons(ui));
    studio.took = began.elapsed();
    if let Some(asked) = asked {
        *overlay = asked;
    }
    if let Some(text) = studio.outbox.copied.take() {
        ctx.copy_text(text);
    }
}

/// Does for the editor what needs the world around it.
fn deliver(
    mut studio: ResMut<Studio>,
    mut notices: MessageWriter<Notice>,
    mut clipboard: Option<ResMut<EguiClipboard>>,
    mut commands: Commands,
    mut next: ResMut<NextState<Screen>>,
) {
    for notice in std::mem::take(&mut studio.outbox.notices) {
        notices.write(notice);
    }
    if std::mem::take(&mut studio.outbox.paste) {
        studio.pasted = clipboard.as_mut().and_then(|clipboard| clipboard.get_text());
        if studio.pasted.is_none() {
            notices.write(Notice::error("There is no text in the clipboard."));
        }
    }
    if let Some(path) = studio.outbox.recent.take() {
        studio.recent.retain(|known| *known != path);
        studio.recent.insert(0, path);
        studio.recent.truncate(MOST_RECENT);
        if studio.folder.is_some()
            && let Err(why) = keep(RECENT, &studio.recent)
        {
            notices.write(Notice::error(format!("The list of recent levels was not kept. {why}")));
        }
    }
    match studio.outbox.go.take() {
        Some(Go::Back) => next.set(Screen::Menu),
        Some(Go::Browse) => next.set(Screen::Levels),
        Some(Go::Play(config)) => {
            commands.insert_resource::<MatchConfig>(*config);
            next.set(Screen::Match);
        }
        None => {}
    }
}

/// Esc gives up what is under way, then goes back; a dialog, a menu or a text field hears it first.
fn escape(
    keys: Res<ButtonInput<KeyCode>>,
    overlay: Res<Overlay>,
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut studio: ResMut<Studio>,
) {
    let Ok(mut context) = context.single_mut() else { return };
    let ctx = context.get_mut();
    if !keys.just_pressed(KeyCode::Escape)
        || *overlay != Overlay::None
        || studio.dialog.is_some()
        || egui::Popup::is_any_open(ctx)
        || ctx.text_edit_focused()
    {
        return;
    }
    let given_up = studio.work.as_mut().is_some_and(|work| {
        work.pressing = false;
        work.desk.cancel()
    });
    if !given_up {
        studio.outbox.go = Some(Go::Back);
    }
}

fn take_drops(mut drops: MessageReader<FileDragAndDrop>, mut studio: ResMut<Studio>) {
    for dropped in drops.read() {
        if let FileDragAndDrop::DroppedFile { path_buf, .. } = dropped {
            studio.ask_then(studio::Next::File(path_buf.clone()));
        }
    }
}

/// Offers what was left behind, over the menu, once after the start.
fn offer(
    mut contexts: EguiContexts,
    mut studio: ResMut<Studio>,
    mut next: ResMut<NextState<Screen>>,
) {
    if !studio.offer {
        return;
    }
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if welcome::offer(ctx, &mut studio) {
        next.set(Screen::Editor);
    }
}

/// The editor's screen, and the offer of recovered work over the menu.
pub fn plugin(app: &mut App) {
    app.init_resource::<Studio>().init_resource::<OpenInEditor>().add_plugins(measure::plugin);
    app.world_mut().get_resource_or_init::<KeyList>().0.extend(actions::keys());
    app.add_systems(OnEnter(Screen::Editor), enter)
        .add_systems(OnExit(Screen::Editor), leave)
        .add_systems(Update, (escape, take_drops).run_if(in_state(Screen::Editor)))
        .add_systems(PostUpdate, deliver)
        .add_systems(
            EguiPrimaryContextPass,
            (
                screen.run_if(in_state(Screen::Editor)).in_set(super::Pass::Screen),
                offer.run_if(in_state(Screen::Menu)).in_set(super::Pass::Over),
            ),
        );
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
