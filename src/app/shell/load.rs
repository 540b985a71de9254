//! The loading screen, and the screen that lists missing files.

use crate::app::requests::{Launch, Screen};
use crate::app::shell::Frame;
use crate::app::shell::assets::AssetFolder;
use crate::app::shell::fonts::Fonts;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::sound::Sounds;
use crate::app::shell::theme::{palette, space};
use crate::app::shell::widgets;
use bevy::asset::AssetLoadFailedEvent;
use bevy::prelude::*;
use bevy_asset_loader::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use outwit_core::escape::escaped;

/// Files that could not be loaded, with the reason.
#[derive(Resource, Default)]
struct Missing(Vec<String>);

/// The lines of the failure screen.
#[cfg(test)]
pub fn missing(world: &World) -> &[String] {
    &world.resource::<Missing>().0
}

fn note_failures<A: Asset>(
    mut failures: MessageReader<AssetLoadFailedEvent<A>>,
    mut missing: ResMut<Missing>,
) {
    for failure in failures.read() {
        let line = match &failure.error {
            bevy::asset::AssetLoadError::AssetReaderError(error) => {
                format!("{}: {error}", failure.path)
            }
            bevy::asset::AssetLoadError::AssetLoaderError(error) => {
                format!("{}: {}", failure.path, error.error())
            }
            other => format!("{}: {other}", failure.path),
        };
        // The rest is a backtrace, which does not help to find a missing file.
        let line = line.lines().next().unwrap_or_default().to_owned();
        error!("{}", escaped(&line));
        missing.0.push(line);
    }
}

fn loading(mut contexts: EguiContexts) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    widgets::page(ctx, |ui| {
        ui.centered_and_justified(|ui| ui.add(egui::Spinner::new().size(32.0)));
    });
}

fn failed(
    mut contexts: EguiContexts,
    missing: Res<Missing>,
    folder: Res<AssetFolder>,
    mut exit: MessageWriter<AppExit>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    widgets::page(ctx, |ui| {
        let width = (ui.available_width() - 2.0 * space::PAGE).min(640.0);
        let side = (ui.available_width() - width) / 2.0;
        ui.add_space(ui.available_height() * 0.12);
        ui.horizontal(|ui| {
            ui.add_space(side);
            ui.vertical(|ui| {
                ui.set_width(width);
                widgets::card(ui, |ui| {
                    ui.heading("Outwit cannot start");
                    ui.label("Some of its files are missing or broken:");
                    let bad = palette(ui).bad.egui();
                    egui::ScrollArea::vertical().max_height(260.0).show(ui, |ui| {
                        for line in &missing.0 {
                            ui.label(egui::RichText::new(line).color(bad));
                        }
                        if missing.0.is_empty() {
                            ui.label("See the log.");
                        }
                    });
                    if let Some(folder) = &folder.0 {
                        let folder = folder.display();
                        widgets::hint(
                            ui,
                            format!(
                                "OUTWIT_ASSETS names the folder {folder}. Fix the files there, \
                                 or unset the variable to use those in the program."
                            ),
                        );
                    }
                    ui.add_space(space::MEDIUM);
                    if widgets::warning_button(ui, "Quit").clicked() {
                        exit.write(AppExit::error());
                    }
                });
            });
        });
    });
}

/// After loading, opens what the command line asked for, or the menu.
fn proceed(launch: Res<Launch>, mut commands: Commands, mut next: ResMut<NextState<Screen>>) {
    launch.clone().enter(&mut commands, &mut next);
}

/// Whether all assets are loaded.
fn loaded(
    sounds: Option<Res<Sounds>>,
    fonts: Option<Res<Fonts>>,
    pieces: Option<Res<Pieces>>,
) -> bool {
    sounds.is_some() && fonts.is_some() && pieces.is_some()
}

/// Loads all assets, then opens the first screen.
pub fn plugin(app: &mut App) {
    app.init_resource::<Missing>()
        .add_loading_state(
            LoadingState::new(Screen::Loading)
                .on_failure_continue_to_state(Screen::Failed)
                .load_collection::<Fonts>()
                .load_collection::<Sounds>()
                .load_collection::<Pieces>(),
        )
        .add_systems(
            Update,
            (
                note_failures::<crate::app::shell::fonts::FontFile>,
                note_failures::<crate::app::shell::pieces::Silhouette>,
                note_failures::<AudioSource>,
                proceed.run_if(in_state(Screen::Loading).and_then(loaded)),
            )
                .chain()
                .in_set(Frame::Loading),
        )
        .add_systems(
            EguiPrimaryContextPass,
            (loading.run_if(in_state(Screen::Loading)), failed.run_if(in_state(Screen::Failed)))
                .in_set(crate::app::shell::Pass::Screen),
        );
}
