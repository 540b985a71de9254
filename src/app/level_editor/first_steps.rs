//! What to do first on an empty map.

use super::actions::{Action, info};
use super::open_document::OpenDocument;
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Rect, Ui, vec2};

/// Says it over the middle of the map.
pub fn show(ui: &mut Ui, map: Rect, work: &OpenDocument) {
    if !work.is_empty || work.model.is_drawing() {
        return;
    }
    let kind = work.model.kind();
    let key = |action| info(action).first_key();
    let mut steps = vec!["Choose a tile on the left, then drag on the map.".to_owned()];
    if kind.facts().has_generator {
        steps.push(format!("{} generates a random level.", key(Action::Generate)));
    }
    steps.push(format!("{} opens a level to start from.", key(Action::Open)));
    steps.push(format!("{} plays the level, as soon as it is playable.", key(Action::Play)));
    let width = (map.width() - 48.0).clamp(120.0, 380.0);
    let place = Rect::from_center_size(map.center(), vec2(width, map.height()));
    ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
        ui.add_space((map.height() / 2.0 - 80.0).max(0.0));
        widgets::panel_frame(ui).corner_radius(8).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(egui::RichText::new("An empty map").strong());
            for step in steps {
                ui.add(egui::Label::new(step).wrap());
            }
        });
    });
}
