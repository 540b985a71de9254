//! What is set up beside the level: seats, rules, time, and the buttons that start.

use super::commands::{COMMANDS, SetupCommand};
use super::{Setup, championship_offer, level_preview, rules_panel, seats};
use crate::app::requests::OpenChampionship;
use crate::app::shell::commands::entry;
use crate::app::shell::game_guide::GameGuides;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::records::Results;
use crate::app::shell::theme::{space, text};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Margin};
use outwit_core::play::Player;

/// Seats, rules and the start buttons; with `results`, the level preview above them. Returns which
/// button was pressed.
pub fn show(
    ui: &mut egui::Ui,
    setup: &mut Setup,
    pieces: Option<&Pieces>,
    guides: &GameGuides,
    (results, begun): (Option<&Results>, Option<&OpenChampionship>),
) -> Option<SetupCommand> {
    let ready = setup.config().is_some();
    let start = egui::Panel::bottom("start")
        .frame(egui::Frame::new().inner_margin(Margin { top: 12, ..Margin::ZERO }))
        .show_separator_line(false)
        .show(ui, |ui| {
            for what in &setup.faults {
                widgets::fault(ui, what);
            }
            ui.add_enabled_ui(ready, |ui| {
                ui.columns_const(|[left, right]| {
                    let entry = |id| entry(COMMANDS, id);
                    let people = setup.players.contains(&Player::Human);
                    // Without people playing is watching, so the other button has room for more.
                    let second = if people { SetupCommand::Watch } else { SetupCommand::Beside };
                    let play = left.vertical_centered_justified(|ui| {
                        let play = entry(SetupCommand::Play);
                        let (shown, tip) = match people {
                            true => (play, play.tip),
                            false => (entry(SetupCommand::Watch), "Watch these planners"),
                        };
                        let words = format!("{}  {}", shown.label, shown.icon);
                        play.explain(widgets::primary_button(ui, words), tip).clicked()
                    });
                    let other = right.vertical_centered_justified(|ui| {
                        let entry = entry(second);
                        let tip = match (setup.players.len(), people) {
                            (_, false) => entry.tip,
                            (1, true) => "Watch the strongest planner on this level",
                            (_, true) => {
                                "Watch a match: the strongest planners take the seats of people"
                            }
                        };
                        // As tall as the main button beside it.
                        let words = format!("{}  {}", entry.label, entry.icon);
                        let button = egui::Button::new(words).min_size(egui::vec2(120.0, 36.0));
                        entry.explain(ui.add(button), tip).clicked()
                    });
                    let play = play.inner.then_some(SetupCommand::Play);
                    play.or(other.inner.then_some(second))
                })
            })
            .inner
        })
        .inner;
    let offered = egui::CentralPanel::default().frame(egui::Frame::new()).show(ui, |ui| {
        let scroll = egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let learn = setup.lesson.show(ui, setup.kind.name()).then_some(SetupCommand::Learn);
            let offered = begun.and_then(|begun| championship_offer::show(ui, begun, ready));
            seats::show(ui, setup.kind, &mut setup.players, pieces, &mut setup.programs);
            ui.add_space(space::LARGE);
            // The list names the level already; without the seats one could not see who plays.
            if let Some(results) = results {
                level_preview::small(ui, setup, results);
                ui.add_space(space::LARGE);
            }
            let words = match setup.rules.len() {
                0 => "Rules and time".to_owned(),
                1 => "Rules and time (1 rule changed)".to_owned(),
                changed => format!("Rules and time ({changed} rules changed)"),
            };
            let title = egui::RichText::new(words).text_style(text::section());
            egui::CollapsingHeader::new(title)
                .id_salt("rules")
                .show_unindented(ui, |ui| rules_and_time(ui, setup, guides));
            learn.or(offered)
        });
        scroll.inner
    });
    start.or(offered.inner)
}

/// What a match can be changed in beside its level and its seats.
fn rules_and_time(ui: &mut egui::Ui, setup: &mut Setup, guides: &GameGuides) {
    let Setup { kind, levels, rules, .. } = setup;
    let own = levels.chosen().and_then(|level| level.info.as_ref()?.as_ref().ok());
    rules_panel::rules(ui, *kind, own.map(|info| info.rules.as_slice()), rules);
    ui.add_space(space::LARGE);
    // A solver thinks as long as it needs.
    let solves = guides.find(setup.kind.id()).is_some_and(|guide| guide.has_solver);
    if !solves {
        rules_panel::seed(ui, &mut setup.seed);
        rules_panel::match_time(ui, &mut setup.match_time);
        if setup.match_time.is_none() {
            rules_panel::budget(ui, &mut setup.budget);
        }
    }
    if setup.players.contains(&Player::Human) && setup.match_time.is_none() {
        rules_panel::clock(ui, &mut setup.clock);
    }
}
