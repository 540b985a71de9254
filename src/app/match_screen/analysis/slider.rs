//! The thinking slider: a second timeline, along the work that the planner has done.

use super::state::Scrub;
use crate::app::match_screen::command_table::MatchCommand;
use crate::app::match_screen::figures::grouped;
use crate::app::match_screen::session::Session;
use crate::app::shell::theme::{space, text};
use bevy_egui::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;

/// Width of the words beside the slider, in points, and of the number alone.
const WORDS: [f32; 2] = [104.0, 58.0];
/// Width below which there is room for the number alone, in points.
const ROOMY: f32 = 420.0;

/// Shows the slider with its buttons in one row.
pub fn show(ui: &mut Ui, session: &mut Session, commands: &mut Vec<MatchCommand>) {
    let roomy = ui.available_width() >= ROOMY;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::SMALL;
        if roomy {
            ui.label(RichText::new(icon::BRAIN).size(17.0)).on_hover_text(
                "The thinking slider goes through what the planner had found, by the work that it \
                 had done.",
            );
        } else {
            ui.spacing_mut().button_padding.x = 6.0;
        }
        let (at, count) = session.analysis.place();
        ui.add_enabled_ui(count > 1, |ui| {
            let (icon, playing) = if session.analysis.is_playing() {
                (icon::PAUSE, "Stop playing its thinking")
            } else {
                (icon::PLAY, "Play its thinking")
            };
            let face = |icon| egui::Button::new(RichText::new(icon).size(15.0));
            for scrub in [Scrub::First, Scrub::Back, Scrub::Play, Scrub::Forward, Scrub::Last] {
                let command = MatchCommand::Scrub(scrub);
                match scrub {
                    Scrub::Play => {
                        command.button_saying(ui, session, |_| face(icon), playing, commands);
                    }
                    _ => command.button(ui, session, |entry| face(entry.icon), commands),
                }
            }
            let words = WORDS[usize::from(!roomy)];
            ui.spacing_mut().slider_width = (ui.available_width() - words).max(40.0);
            let mut shown = at;
            let slider = egui::Slider::new(&mut shown, 0..=count.saturating_sub(1).max(1));
            let response = ui.add(slider.show_value(false));
            // The focus would keep keys from the match.
            response.surrender_focus();
            if response.changed() {
                session.analysis.show(shown);
            }
        });
        let work = grouped(session.analysis.step().map_or(0, |step| step.step.work));
        let words = match roomy {
            true => RichText::new(format!("{work} units")).text_style(text::strong()),
            false => RichText::new(work).small(),
        };
        ui.add(egui::Label::new(words).extend())
            .on_hover_text("Work units spent at the shown snapshot");
    });
}
