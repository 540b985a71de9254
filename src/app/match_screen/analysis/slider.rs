//! The thinking slider: a second timeline, along the work that the planner has done.

use super::{AnalysisProgress, AnalysisRun, Scrub, grouped};
use crate::app::match_screen::Session;
use crate::app::match_screen::commands::MatchCommand;
use crate::app::shell::theme::{space, text};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;

/// Width of the words beside the slider, in points.
const WORDS: f32 = 150.0;

/// Shows the slider with its buttons in one row.
pub fn show(ui: &mut Ui, session: &mut Session, commands: &mut Vec<MatchCommand>) {
    let (at, count) = session.analysis.place();
    ui.horizontal(|ui| {
        ui.label(RichText::new(icon::BRAIN).size(17.0)).on_hover_text(
            "The thinking slider goes through what the planner had found, by the work it had done.",
        );
        ui.add_enabled_ui(count > 1, |ui| {
            let playing = session.analysis.is_playing();
            let (play, words) = if playing {
                (icon::PAUSE, "Stop playing its thinking")
            } else {
                (icon::PLAY, "Play its thinking")
            };
            let buttons = [
                (icon::SKIP_BACK, "First snapshot", "Shift+J", Scrub::First),
                (icon::CARET_LEFT, "Snapshot before", "J", Scrub::Back),
                (play, words, "K", Scrub::Play),
                (icon::CARET_RIGHT, "Next snapshot", "L", Scrub::Forward),
                (icon::SKIP_FORWARD, "Last snapshot", "Shift+L", Scrub::Last),
            ];
            ui.spacing_mut().item_spacing.x = space::SMALL;
            for (symbol, words, key, scrub) in buttons {
                let button = egui::Button::new(RichText::new(symbol).size(15.0));
                let response = ui
                    .add(button.min_size(egui::vec2(34.0, 0.0)))
                    .on_hover_ui(|ui| widgets::hint_with_key(ui, words, key));
                if response.clicked() {
                    commands.push(MatchCommand::Scrub(scrub));
                }
            }
            ui.add_space(space::SMALL);
            let mut shown = at;
            ui.spacing_mut().slider_width = (ui.available_width() - WORDS).max(60.0);
            let slider = egui::Slider::new(&mut shown, 0..=count.saturating_sub(1).max(1));
            let response = ui.add(slider.show_value(false));
            // The focus would keep keys from the match.
            response.surrender_focus();
            if response.changed() {
                session.analysis.show(shown);
            }
        });
        let work = session.analysis.step().map_or(0, |step| step.step.work);
        let words = RichText::new(format!("{} units", grouped(work))).text_style(text::strong());
        let running = session.analysis.run().map(AnalysisRun::progress);
        ui.label(words).on_hover_text("Work units spent at the shown snapshot");
        if matches!(running, Some(AnalysisProgress::Running(_))) {
            ui.spinner();
        }
    });
}
