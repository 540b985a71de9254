//! The rules, one control each, the seed and the time limits.

use crate::app::requests::MatchTime;
use crate::app::shell::controls::{budget_control, rule_control};
use crate::app::shell::widgets;
use bevy_egui::egui;
use outwit_core::play::Budget;
use outwit_kit::DynGame;
use std::collections::BTreeMap;

/// Width of the names in front of the controls, in points.
const NAMES: f32 = 120.0;

/// Of rules from an earlier set-up, those that the game still has and allows.
pub fn remembered(
    kind: &dyn DynGame,
    rules: &[(String, String)],
) -> BTreeMap<&'static str, String> {
    rules
        .iter()
        .filter_map(|(key, value)| {
            let property = kind.properties().iter().find(|property| property.key == key)?;
            property.admits(value).ok()?;
            Some((property.key, value.clone()))
        })
        .collect()
}

/// Shows the rules and lets the user change them. `own` are the level's values in the order of the
/// game's properties, `changed` the values that differ from them.
pub fn rules(
    ui: &mut egui::Ui,
    kind: &dyn DynGame,
    own: Option<&[String]>,
    changed: &mut BTreeMap<&'static str, String>,
) {
    ui.horizontal(|ui| {
        let icon = egui_phosphor::regular::ARROW_COUNTER_CLOCKWISE;
        let reset = egui::Button::new(format!("{icon}  Reset to level defaults")).small();
        if ui.add_enabled(!changed.is_empty(), reset).clicked() {
            changed.clear();
        }
    });
    let Some(own) = own else { return };
    for (property, own) in kind.properties().iter().zip(own) {
        let mut value = changed.get(property.key).unwrap_or(own).clone();
        widgets::row(ui, property.title, property.help, NAMES, |ui| {
            rule_control(ui, property, &mut value);
            if changed.contains_key(property.key) {
                widgets::hint(ui, egui_phosphor::regular::PENCIL_SIMPLE)
                    .on_hover_text(format!("Level default: {}", property.value_title(own)));
            }
        });
        if value == *own {
            changed.remove(property.key);
        } else if changed.get(property.key) != Some(&value) {
            changed.insert(property.key, value);
        }
    }
}

/// Shows how long the user may think about a move and lets the user change it.
pub fn clock(ui: &mut egui::Ui, seconds: &mut u32) {
    let about = "How long you may think about a move. When time is up, the move you have planned so \
                 far is played.";
    widgets::row(ui, "Your time limit", about, NAMES, |ui| {
        ui.add(egui::DragValue::new(seconds).range(0..=600).speed(0.3).custom_formatter(
            |value: f64, _| match value {
                0.0 => "None".to_owned(),
                value => format!("{value:.0} s"),
            },
        ));
    });
}

/// Shows the seed and lets the user change it.
pub fn seed(ui: &mut egui::Ui, seed: &mut u64) {
    widgets::section(ui, "Seed and time limits");
    let about_seed =
        "Everything random in a match follows from this number: same seed, same start.";
    widgets::row(ui, "Seed", about_seed, NAMES, |ui| {
        ui.add(egui::DragValue::new(seed).speed(1.0));
        let dice = egui::Button::new(egui_phosphor::regular::DICE_FIVE);
        if widgets::tip(ui.add(dice), "New random seed").clicked() {
            *seed = super::random_seed();
        }
    });
}

/// The times that are proposed.
const MATCH_TIME: MatchTime = MatchTime { minutes: 10, increment: 5 };

/// Shows whether time is limited for each turn or for the match, and lets the user change it.
pub fn match_time(ui: &mut egui::Ui, time: &mut Option<MatchTime>) {
    let about = "Time for each turn, or for the whole match with an increment for each turn.";
    widgets::row(ui, "Clock", about, NAMES, |ui| {
        let title = |time: Option<MatchTime>| match time {
            None => "Per turn",
            Some(_) => "For the match",
        };
        egui::ComboBox::from_id_salt("clock")
            .selected_text(title(*time))
            .width(ui.available_width() - 40.0)
            .show_ui(ui, |ui| {
                for choice in [None, Some(time.unwrap_or(MATCH_TIME))] {
                    ui.selectable_value(time, choice, title(choice));
                }
            });
    });
    let Some(time) = time else { return };
    let drag = |ui: &mut egui::Ui, value: &mut u32, range, unit: &'static str| {
        ui.add(egui::DragValue::new(value).range(range).speed(0.1).suffix(unit));
    };
    let about = "What each player starts with. A player who runs out of time loses, or, where nobody can lose, plays as little as possible.";
    widgets::row(ui, "Time", about, NAMES, |ui| drag(ui, &mut time.minutes, 1..=600, " min"));
    let about = "What each turn adds to a player's time.";
    widgets::row(ui, "Increment", about, NAMES, |ui| drag(ui, &mut time.increment, 0..=600, " s"));
}

/// Shows the budget and lets the user change it.
pub fn budget(ui: &mut egui::Ui, budget: &mut Budget) {
    let about_budget = "How long each planner may think per turn, in time or in units of work.";
    widgets::row(ui, "Budget", about_budget, NAMES, |ui| {
        budget_control(ui, budget);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_core::levels::PropertyKind;
    use outwit_headless::GAMES;

    #[test]
    fn every_rule_and_value_has_a_title() {
        for property in GAMES.iter().flat_map(|game| game.properties()) {
            assert!(property.title.starts_with(char::is_uppercase), "{}", property.key);
            for (value, title) in property.value_titles {
                assert_eq!(property.admits(value), Ok(()), "{}", property.key);
                assert!(title.starts_with(char::is_uppercase), "{}: {title}", property.key);
            }
            if let PropertyKind::Choice(words) = property.kind {
                let titles: Vec<_> = words.iter().map(|word| property.value_title(word)).collect();
                assert!(titles.iter().all(|title| !title.contains('(')), "{titles:?}");
            }
        }
    }

    #[test]
    fn only_rules_that_still_fit_are_remembered() {
        for &game in GAMES {
            let rules = [("no_such_rule".to_owned(), "1".to_owned())];
            assert!(remembered(game, &rules).is_empty());
        }
    }
}
