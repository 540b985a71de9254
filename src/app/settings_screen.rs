//! The settings. Every change takes effect at once.

use crate::app::requests::{Modal, Screen};
use crate::app::shell::controls::budget_control;
use crate::app::shell::everywhere::SOUND;
use crate::app::shell::modal;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::settings::{KindVolumes, Motion, Settings, ThemeChoice, UI_SCALES};
use crate::app::shell::theme::space;
use crate::app::shell::{Pass, widgets};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

/// Width of the names in front of the controls, in points.
const NAMES: f32 = 150.0;

/// The controls, on a page or in a window.
fn contents(ui: &mut egui::Ui, settings: &mut ResMut<Settings>) {
    // Each change is written to disk, so report only real ones.
    let mut edited = (**settings).clone();
    widgets::section(ui, "Appearance");
    widgets::row(ui, "Theme", "Games have their own, or all screens the same.", NAMES, |ui| {
        let choices = [
            (ThemeChoice::Game, "By game"),
            (ThemeChoice::System, "System"),
            (ThemeChoice::Dark, "Dark"),
            (ThemeChoice::Light, "Light"),
        ];
        widgets::choice(ui, &mut edited.theme, &choices);
    });
    widgets::row(
        ui,
        "Size",
        "Size of text and controls. The board has its own zoom.",
        NAMES,
        |ui| {
            size(ui, &mut edited.ui_scale);
        },
    );
    widgets::row(ui, "Motion", "Move animation", NAMES, |ui| {
        let choices =
            [(Motion::Full, "Full"), (Motion::Reduced, "Reduced"), (Motion::Off, "Instant")];
        widgets::choice(ui, &mut edited.motion, &choices);
    });
    widgets::row(ui, "Overlays", "", NAMES, |ui| {
        ui.checkbox(&mut edited.overlays, "On at the start of a match");
    });
    widgets::row(ui, "Grid", "", NAMES, |ui| {
        ui.checkbox(&mut edited.grid, "Lines between cells on every board");
    });
    ui.add_space(space::LARGE);

    widgets::section(ui, "Sound");
    widgets::row(ui, "Sound", "", NAMES, |ui| {
        ui.checkbox(&mut edited.sound, "On");
        SOUND.caps(ui);
    });
    let on = edited.sound;
    let KindVolumes { moves, events, controls } = &mut edited.volumes;
    for (name, about, volume) in [
        ("Volume", "", &mut edited.volume),
        ("Moves", "Steps, engines, stones", moves),
        ("Events", "Crashes, captures, results", events),
        ("Controls", "Keys, hints, refusals", controls),
    ] {
        widgets::row(ui, name, about, NAMES, |ui| {
            ui.add_enabled_ui(on, |ui| percent(ui, volume));
        });
    }
    ui.add_space(space::LARGE);

    widgets::section(ui, "Matches");
    widgets::row(
        ui,
        "Budget per turn",
        "How much a planner may think, in time or work units.",
        NAMES,
        |ui| {
            let mut budget = edited.budget();
            if budget_control(ui, &mut budget) {
                edited.budget = budget.to_string();
            }
        },
    );
    widgets::row(ui, "Your name", "Shown with your records", NAMES, |ui| {
        ui.add(
            egui::TextEdit::singleline(&mut edited.player)
                .id_salt("player name")
                .char_limit(40)
                .margin(egui::Margin::symmetric(8, 6))
                .desired_width(220.0)
                .hint_text("Anonymous"),
        );
    });
    ui.add_space(space::LARGE);
    if ui.button("Reset to defaults").clicked() {
        let defaults = Settings::default();
        edited = Settings {
            window: edited.window,
            setups: edited.setups,
            beaten: edited.beaten,
            finished: edited.finished,
            lessons: edited.lessons,
            player: edited.player,
            ..defaults
        };
    }
    #[cfg(target_arch = "wasm32")]
    {
        use outwit_core::platform::page;
        ui.add_space(space::MEDIUM);
        ui.horizontal(|ui| {
            if ui.button("Save all data").clicked() {
                page::save_all();
            }
            if ui.button("Restore…").clicked() {
                page::restore_all();
            }
        });
        widgets::hint(
            ui,
            "Levels, replays, records and settings are in this browser only. Saved as one file, they can be \
             restored here or in another one.",
        );
    }
    if let Some(folder) = outwit_levels::data_folder().filter(|_| !cfg!(target_arch = "wasm32")) {
        ui.add_space(space::MEDIUM);
        widgets::hint(ui, format!("Stored in {}", folder.display()));
    }
    settings.set_if_neq(edited);
}

/// A slider from 0 to 100 %.
fn percent(ui: &mut egui::Ui, share: &mut f32) {
    let slider = egui::Slider::new(share, 0.0..=1.0)
        .custom_formatter(|value, _| format!("{:.0} %", value * 100.0))
        .custom_parser(|text| {
            text.trim_end_matches('%').trim().parse::<f64>().ok().map(|v| v / 100.0)
        });
    ui.add(slider);
}

/// A list instead of a slider or buttons: they would move away from under the pointer as they change size, and the
/// next click would hit something else.
fn size(ui: &mut egui::Ui, scale: &mut f32) {
    const STEP: f32 = 0.25;
    let words = |scale: f32| format!("{:.0} %", scale * 100.0);
    egui::ComboBox::from_id_salt("size").selected_text(words(*scale)).show_ui(ui, |ui| {
        let (least, most) = UI_SCALES.into_inner();
        let steps = ((most - least) / STEP).round() as usize;
        for to in (0..=steps).map(|step| least + step as f32 * STEP) {
            ui.selectable_value(scale, to, words(to));
        }
    });
}

fn screen(
    mut contexts: EguiContexts,
    mut settings: ResMut<Settings>,
    mut back: MessageWriter<GoBack>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let pressed = widgets::page(ctx, |ui| {
        let pressed = widgets::title_bar(ui, "Settings", |_| {});
        widgets::column(ui, 640.0, |ui| {
            widgets::card(ui, |ui| {
                ui.set_width(ui.available_width());
                contents(ui, &mut settings);
            });
        });
        pressed
    });
    if pressed {
        back.write(GoBack);
    }
}

/// The settings in a window over another screen.
fn over(mut contexts: EguiContexts, mut modal: ResMut<Modal>, mut settings: ResMut<Settings>) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if modal::window(ctx, "Settings", |ui| contents(ui, &mut settings)) {
        *modal = Modal::None;
    }
}

/// Adds the settings screen, and the settings over other screens.
pub fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        (
            screen.run_if(in_state(Screen::Settings)).in_set(Pass::Screen),
            over.run_if(resource_equals(Modal::Settings)).in_set(Pass::Modal),
        ),
    );
}
