//! The level editor's screen. It names no game. Its model is in [`outwit_headless::editor`].

pub mod actions;
mod bar;
mod canvas;
mod dialogs;
mod files;
mod first_steps;
mod gallery;
mod imported;
mod measure;
mod open_document;
mod recent;
mod recovered;
mod screen;
mod side;
mod swatches;
mod tools;
mod welcome;

use recovered::Recovered;
pub use screen::EditorScreen;

use crate::app::requests::{BestKnown, Modal, OpenInEditor, Screen};
use crate::app::shell::activity::{Activity, POLL};
use crate::app::shell::input::BoardArea;
use crate::app::shell::keyboard::Presses;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview::{MapPainters, PictureMaker};
use crate::app::shell::settings::Settings;
use crate::app::shell::store::Loaded;
use crate::app::shell::theme::palette;
use crate::app::shell::widgets;
use actions::Action;
use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use bevy_egui::{EguiContext, EguiContexts, EguiPrimaryContextPass, PrimaryEguiContext, egui};
use gallery::Gallery;
use outwit_core::platform::time::Instant;
use outwit_headless::editor::abandoned;
use outwit_levels::data_folder;

/// Loads the editor's state from the data folder, with a message for the user if that fails.
pub fn load() -> (EditorScreen, Option<String>) {
    let folder = data_folder();
    let Loaded { value, message } = recent::load();
    let drafts = folder.as_ref().map(|folder| abandoned(&folder.join("drafts")));
    let found: Vec<Recovered> =
        drafts.unwrap_or_default().into_iter().map(Recovered::new).collect();
    let screen = EditorScreen {
        folder,
        recent: value,
        offer: !found.is_empty(),
        found,
        ..EditorScreen::default()
    };
    (screen, message)
}

/// Lays out the panels and the map. `corner` fills the upper right corner.
pub fn show(
    ctx: &egui::Context,
    screen: &mut EditorScreen,
    pieces: Option<&Pieces>,
    painters: Option<&MapPainters>,
    covered: bool,
    commands: &mut Commands,
    corner: impl FnOnce(&mut egui::Ui),
) {
    let now = ctx.input(|input| input.time);
    screen.tick(now, commands);
    if let Some(soon) = screen.work.as_ref().and_then(|work| work.due(now)) {
        ctx.request_repaint_after(soon);
    }
    // Keys go to what was open at the start of the frame.
    let muted = covered || screen.dialog.is_some() || egui::Popup::is_any_open(ctx);
    let mut requested = Vec::new();
    if !muted && ctx.text_edit_focused() {
        requested = actions::pressed(ctx).0;
        requested.retain(|action| actions::is_meant_while_typing(*action));
    } else if !muted {
        requested = keys(ctx, screen);
    }
    let mut root = widgets::root(ctx);
    let room = root.max_rect().width();
    let line = egui::Margin::symmetric(12, 6);
    egui::Panel::top("editor bar")
        .frame(widgets::panel_frame(&root).inner_margin(line))
        .show(&mut root, |ui| requested.extend(bar::top(ui, screen, commands, corner)));
    if screen.work.is_some() {
        egui::Panel::bottom("editor status")
            .frame(widgets::panel_frame(&root).inner_margin(egui::Margin::symmetric(12, 4)))
            .show(&mut root, |ui| bar::bottom(ui, screen));
        let side = egui::Margin::symmetric(10, 10);
        egui::Panel::left("editor tools")
            .frame(widgets::panel_frame(&root).inner_margin(side))
            .exact_size((room * 0.17).clamp(160.0, 208.0))
            .resizable(false)
            .show(&mut root, |ui| tools::show(ui, screen, pieces.zip(painters)));
        egui::Panel::right("editor level")
            .frame(widgets::panel_frame(&root).inner_margin(side))
            .exact_size((room * 0.27).clamp(216.0, 320.0))
            .resizable(false)
            .show(&mut root, |ui| side::show(ui, screen));
    }
    let fill = palette(&root).board.egui();
    egui::CentralPanel::default().frame(egui::Frame::new().fill(fill)).show(&mut root, |ui| {
        match &mut screen.work {
            Some(work) => {
                let map = canvas::show(ui, work, pieces, painters, muted);
                first_steps::show(ui, map, work);
            }
            None => {
                widgets::squared_paper(ui);
                requested.extend(welcome::show(ui, screen, commands));
            }
        }
    });
    for action in requested {
        screen.act(action, ctx, commands);
    }
    dialogs::show(ctx, screen, commands);
}

/// The actions of the pressed keys. Keys for panning take effect at once.
fn keys(ctx: &egui::Context, screen: &mut EditorScreen) -> Vec<Action> {
    let (requested, pasted) = actions::pressed(ctx);
    if pasted.is_some() {
        screen.pasted = pasted;
    }
    let Some(work) = &mut screen.work else { return requested };
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
    requested
}

fn enter(
    mut screen: ResMut<EditorScreen>,
    mut wanted: ResMut<OpenInEditor>,
    settings: Res<Settings>,
    mut board: ResMut<BoardArea>,
    pictures: PictureMaker,
    mut commands: Commands,
) {
    board.0 = None;
    screen.gallery = Gallery::new(pictures.make());
    screen.budget = settings.budget();
    screen.offer = false;
    if let Some(entry) = wanted.0.take() {
        screen.ask_then(screen::NextStep::Entry(entry), &mut commands);
    }
}

fn leave(mut screen: ResMut<EditorScreen>) {
    if let Some(work) = &mut screen.work {
        work.model.release();
        work.let_go();
    }
    screen.dialog = None;
}

fn screen(
    mut contexts: EguiContexts,
    mut screen: ResMut<EditorScreen>,
    pieces: Option<Res<Pieces>>,
    painters: Option<Res<MapPainters>>,
    mut modal: ResMut<Modal>,
    mut commands: Commands,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let covered = *modal != Modal::None;
    let mut requested = None;
    let began = Instant::now();
    show(ctx, &mut screen, pieces.as_deref(), painters.as_deref(), covered, &mut commands, |ui| {
        requested = widgets::corner_buttons(ui)
    });
    screen.took = began.elapsed();
    if let Some(requested) = requested {
        *modal = requested;
    }
}

/// Esc cancels what is in progress, then goes back. Dialogs, menus and text fields handle it first.
fn escape(
    presses: Res<Presses>,
    modal: Res<Modal>,
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut screen: ResMut<EditorScreen>,
    mut back: MessageWriter<GoBack>,
) {
    let Ok(mut context) = context.single_mut() else { return };
    let ctx = context.get_mut();
    if !actions::CANCEL.just_pressed(&presses)
        || *modal != Modal::None
        || screen.dialog.is_some()
        || egui::Popup::is_any_open(ctx)
        || ctx.text_edit_focused()
    {
        return;
    }
    let given_up = screen.work.as_mut().is_some_and(|work| {
        work.let_go();
        work.model.cancel()
    });
    if !given_up {
        back.write(GoBack);
    }
}

fn take_drops(
    mut drops: MessageReader<FileDragAndDrop>,
    mut screen: ResMut<EditorScreen>,
    mut commands: Commands,
) {
    for dropped in drops.read() {
        if let FileDragAndDrop::DroppedFile { path_buf, .. } = dropped {
            screen.ask_then(screen::NextStep::File(path_buf.clone()), &mut commands);
        }
    }
}

/// Tells the match screen what the solver has proved of the level, while it is play-tested.
fn tell_best(
    mut screen: ResMut<EditorScreen>,
    mut best: ResMut<BestKnown>,
    activity: Res<Activity>,
) {
    let Some(work) = &mut screen.work else { return };
    work.check();
    best.set_if_neq(BestKnown(work.best_known()));
    if best.0.is_none() && work.is_busy() {
        activity.wake_in(POLL);
    }
}

/// Offers unsaved work from an earlier session, once after the start, over the menu.
fn offer(mut contexts: EguiContexts, mut screen: ResMut<EditorScreen>, mut commands: Commands) {
    if !screen.offer {
        return;
    }
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if welcome::offer(ctx, &mut screen, &mut commands) {
        commands.set_state(Screen::Editor);
    }
}

/// Adds the editor's screen and the offer of unsaved work over the menu.
pub fn plugin(app: &mut App) {
    app.init_resource::<EditorScreen>()
        .init_resource::<OpenInEditor>()
        .init_resource::<BestKnown>()
        .add_plugins(measure::plugin);
    app.add_systems(OnEnter(Screen::Editor), enter)
        .add_systems(OnExit(Screen::Editor), leave)
        .add_systems(
            Update,
            (
                (escape, take_drops).chain().run_if(in_state(Screen::Editor)),
                tell_best.run_if(in_state(Screen::Match)),
            )
                .chain()
                .in_set(crate::app::shell::Frame::Editor),
        )
        .add_systems(
            EguiPrimaryContextPass,
            (
                screen.run_if(in_state(Screen::Editor)).in_set(crate::app::shell::Pass::Screen),
                offer.run_if(in_state(Screen::Menu)).in_set(crate::app::shell::Pass::Over),
            ),
        );
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
