//! The championship that waits for its next race, offered where its game is set up.

use super::commands::{COMMANDS, SetupCommand};
use crate::app::requests::OpenChampionship;
use crate::app::shell::commands::entry;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy_egui::egui;

/// What the command does while a championship waits.
pub const RESUME: &str = "Continue your championship";

/// Shows how the championship stands; returns what is wanted of it.
pub fn show(ui: &mut egui::Ui, begun: &OpenChampionship, ready: bool) -> Option<SetupCommand> {
    let resume = entry(COMMANDS, SetupCommand::Championship);
    let wanted = widgets::card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        widgets::section(ui, "Your championship");
        ui.label(&begun.standing);
        ui.label(format!("{} is next.", begun.next));
        ui.horizontal(|ui| {
            let words = format!("{}  Continue", resume.icon);
            let allowed = (resume.allowed)(&ready);
            let taken = resume.button_saying(ui, allowed, egui::Button::new(words), RESUME);
            let discard = ui.button("Discard").on_hover_text("Forget its races, to begin another");
            match (taken, discard.clicked()) {
                (true, _) => Some(SetupCommand::Championship),
                (_, true) => Some(SetupCommand::DiscardChampionship),
                _ => None,
            }
        })
        .inner
    });
    ui.add_space(space::LARGE);
    wanted
}
