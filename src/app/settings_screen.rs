//! The settings. Every change takes effect at once.

use crate::app::shell::Screen;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::settings::{Motion, Settings, ThemeChoice, UI_SCALES};
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use outwit_core::play::Budget;
use std::time::Duration;

/// Width of the names in front of the controls, in points.
const NAMES: f32 = 150.0;

/// The controls, on a page or in a window.
pub fn contents(ui: &mut egui::Ui, settings: &mut ResMut<Settings>) {
    // Each change is written to disk, so report only real ones.
    let mut edited = (**settings).clone();
    widgets::section(ui, "Appearance");
    widgets::row(ui, "Theme", "", NAMES, |ui| {
        let choices = [
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
    ui.add_space(space::LARGE);

    widgets::section(ui, "Sound");
    widgets::row(ui, "Sound", "", NAMES, |ui| {
        ui.checkbox(&mut edited.sound, "On");
        widgets::key_cap(ui, "M");
    });
    widgets::row(ui, "Volume", "", NAMES, |ui| {
        ui.add_enabled_ui(edited.sound, |ui| {
            let percent = egui::Slider::new(&mut edited.volume, 0.0..=1.0)
                .custom_formatter(|value, _| format!("{:.0} %", value * 100.0))
                .custom_parser(|text| {
                    text.trim_end_matches('%').trim().parse::<f64>().ok().map(|v| v / 100.0)
                });
            ui.add(percent);
        });
    });
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
            player: edited.player,
            ..defaults
        };
    }
    if let Some(folder) = outwit_levels::data_folder() {
        ui.add_space(space::MEDIUM);
        widgets::hint(ui, format!("Stored in {}", folder.display()));
    }
    settings.set_if_neq(edited);
}

/// Buttons instead of a slider: a slider would change its own size under the pointer.
fn size(ui: &mut egui::Ui, scale: &mut f32) {
    const STEP: f32 = 0.25;
    let mut step = |ui: &mut egui::Ui, icon: &str, by: f32, name: &str| {
        let to = ((*scale + by) / STEP).round() * STEP;
        let fits = UI_SCALES.contains(&to);
        if ui.add_enabled(fits, egui::Button::new(icon)).on_hover_text(name).clicked() {
            *scale = to;
        }
    };
    step(ui, egui_phosphor::regular::MINUS, -STEP, "Smaller");
    step(ui, egui_phosphor::regular::PLUS, STEP, "Larger");
    ui.label(format!("{:.0} %", *scale * 100.0));
}

/// A control for a budget, in time or work units. Returns whether it changed.
pub fn budget_control(ui: &mut egui::Ui, budget: &mut Budget) -> bool {
    let before = *budget;
    let mut timed = matches!(budget, Budget::Time(_));
    match budget {
        Budget::Time(time) => {
            let mut seconds = time.as_secs_f64();
            let drag = egui::DragValue::new(&mut seconds)
                .range(0.01..=60.0)
                .speed(0.02)
                .fixed_decimals(2)
                .suffix(" s");
            ui.add(drag);
            if (seconds - time.as_secs_f64()).abs() > 1e-9 {
                *time = Duration::from_millis((seconds * 1000.0).round() as u64);
            }
        }
        Budget::Work(units) => {
            ui.add(egui::DragValue::new(units).range(1..=1_000_000_000u64).speed(200));
        }
    }
    if widgets::choice(ui, &mut timed, &[(true, "Time"), (false, "Work")]) {
        *budget = if timed { Budget::default() } else { Budget::Work(20_000) };
    }
    *budget != before
}

/// A budget as people read it: `500 ms`, `20,000 work units`.
pub fn budget_words(budget: Budget) -> String {
    match budget {
        Budget::Time(time) if time.as_secs() > 0 => format!("{} s", time.as_secs_f64()),
        Budget::Time(time) => format!("{} ms", time.as_millis()),
        Budget::Work(units) => {
            let digits = units.to_string();
            let groups: Vec<&str> = digits
                .as_bytes()
                .rchunks(3)
                .rev()
                .filter_map(|group| std::str::from_utf8(group).ok())
                .collect();
            format!("{} work units", groups.join(","))
        }
    }
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

/// Adds the settings screen.
pub fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        screen.run_if(in_state(Screen::Settings)).in_set(crate::app::shell::Pass::Screen),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_read_well() {
        assert_eq!(budget_words(Budget::Work(20_000)), "20,000 work units");
        assert_eq!(budget_words(Budget::Work(999)), "999 work units");
        assert_eq!(budget_words(Budget::Work(1_234_567)), "1,234,567 work units");
        assert_eq!(budget_words(Budget::Time(Duration::from_millis(500))), "500 ms");
        assert_eq!(budget_words(Budget::Time(Duration::from_millis(2500))), "2.5 s");
    }
}
