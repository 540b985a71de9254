//! What can be chosen for a league: the game, planners, levels, and how it is watched.

use super::commands::{LeagueCommand, entry_of};
use super::state::LeagueState;
use crate::app::shell::controls::budget_control;
use crate::app::shell::programs;
use crate::app::shell::seats::seat_title;
use crate::app::shell::theme::{palette, space};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Align, Layout, RichText, Ui};
use egui_phosphor::regular as icon;
use outwit_core::play::{Player, ProgramKind};
use outwit_headless::GAMES;
use outwit_kit::league::{League, MOST_LEVELS, MOST_PLANNERS};

/// Width of the names in front of the controls, in points.
const NAMES: f32 = 72.0;

/// Shows the choices; returns the id of another game that was chosen.
pub fn show(ui: &mut Ui, state: &mut LeagueState) -> Option<&'static str> {
    let mut asked = None;
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::SMALL;
        let mut game = state.kind.id();
        widgets::row(ui, "Game", "", NAMES, |ui| {
            let combo = egui::ComboBox::from_id_salt("game").selected_text(state.kind.name());
            let combo = combo.width(ui.available_width() - space::MEDIUM).show_ui(ui, |ui| {
                for kind in GAMES {
                    ui.selectable_value(&mut game, kind.id(), kind.name());
                }
            });
            entry_of(LeagueCommand::Game(1))
                .explain(combo.response, "Each game has its own league");
        });
        asked = (game != state.kind.id()).then_some(game);
        ui.add_space(space::MEDIUM);
        planners(ui, state);
        other_programs(ui, state);
        ui.add_space(space::MEDIUM);
        levels(ui, state);
        ui.add_space(space::MEDIUM);
        watching(ui, state);
    });
    asked
}

fn planners(ui: &mut Ui, state: &mut LeagueState) {
    let kind = state.kind;
    let about = kind.planners();
    let differ = state.roster.seats_differ();
    let parts: Vec<(String, Vec<String>)> = match differ {
        true => state.roster.seats.clone(),
        false => state
            .roster
            .seats
            .first()
            .map(|(_, all)| ("Planners".into(), all.clone()))
            .into_iter()
            .collect(),
    };
    let league = &mut state.league;
    for (title, names) in parts {
        head(ui, &seat_title(&title), &names, &mut league.planners, MOST_PLANNERS);
        for name in names {
            let words = about.iter().find(|planner| planner.name == name).map_or("", |it| it.about);
            member(ui, league, &name, (&seat_title(&name), words), true);
        }
        ui.add_space(space::MEDIUM);
    }
}

/// A planner or program with its box and its star; the box of one that may not be started is off.
fn member(
    ui: &mut Ui,
    league: &mut League,
    name: &String,
    (title, about): (&str, &str),
    is_allowed: bool,
) {
    let mut on = is_allowed && league.planners.contains(name);
    ui.horizontal(|ui| {
        let box_ = ui.add_enabled(is_allowed, egui::Checkbox::new(&mut on, title));
        let box_ = box_.on_hover_text(about).on_disabled_hover_text(
            "To let it play again, choose it once more: no program is started because a file names it",
        );
        if box_.changed() {
            switch(&mut league.planners, name, on, MOST_PLANNERS);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mine = league.favourite.as_ref() == Some(name);
            if star(ui, mine, title) {
                league.favourite = (!mine).then(|| name.clone());
            }
        });
    });
}

/// The programs of other people, and the button that lets one more play.
fn other_programs(ui: &mut Ui, state: &mut LeagueState) {
    // None can be started on a page.
    if cfg!(target_arch = "wasm32") {
        return;
    }
    if !state.known_programs.is_empty() {
        widgets::section(ui, "Programs");
    }
    for name in state.known_programs.clone() {
        let about = state.programs.about(&Player::from(name.as_str())).unwrap_or_default();
        let is_allowed = state.roster.programs.contains(&name);
        let title = state.title(&name);
        member(ui, &mut state.league, &name, (&title, &about), is_allowed);
    }
    state.programs.show(ui);
    if programs::button(ui) {
        state.programs.open(0, ProgramKind::Program);
    }
}

/// The star that makes a planner the favourite; returns whether it was pressed.
fn star(ui: &mut Ui, on: bool, name: &str) -> bool {
    let palette = palette(ui);
    let face = match on {
        true => RichText::new(icon::STAR)
            .family(egui::FontFamily::Proportional)
            .color(palette.warn.egui()),
        false => RichText::new(icon::STAR).color(palette.faint.egui()),
    };
    let tip = match on {
        true => "Your favourite. Click to have none",
        false => "Make it your favourite: its matches come first in each round",
    };
    let response = ui.add(egui::Button::new(face.size(16.0)).frame(false)).on_hover_text(tip);
    response.widget_info(|| {
        let kind = egui::WidgetType::Button;
        egui::WidgetInfo::selected(kind, true, on, format!("Favourite {name}"))
    });
    response.clicked()
}

fn levels(ui: &mut Ui, state: &mut LeagueState) {
    let all: Vec<(String, String)> =
        state.levels.iter().map(|entry| (entry.id.clone(), state.level_name(&entry.id))).collect();
    let ids: Vec<String> = all.iter().map(|(id, _)| id.clone()).collect();
    let chosen = &mut state.league.levels;
    head(ui, "Levels", &ids, chosen, MOST_LEVELS);
    const HEIGHT: f32 = 190.0;
    egui::ScrollArea::vertical()
        .id_salt("levels")
        .max_height(HEIGHT)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for (id, name) in &all {
                let mut on = chosen.contains(id);
                let box_ = egui::Checkbox::new(&mut on, egui::WidgetText::from(name.as_str()));
                if ui.add(box_).changed() {
                    switch(chosen, id, on, MOST_LEVELS);
                }
            }
        });
}

/// The title of a list of boxes, with a button for all or none of them.
fn head(ui: &mut Ui, title: &str, names: &[String], chosen: &mut Vec<String>, most: usize) {
    ui.horizontal(|ui| {
        widgets::section(ui, title);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let all = names.iter().all(|name| chosen.contains(name));
            let words = if all { "None" } else { "All" };
            if ui.small_button(words).clicked() {
                names.iter().for_each(|name| switch(chosen, name, !all, most));
            }
        });
    });
}

/// Adds a name to a choice or takes it out; there is room for so many.
fn switch(chosen: &mut Vec<String>, name: &String, on: bool, most: usize) {
    chosen.retain(|other| other != name);
    if on && chosen.len() < most {
        chosen.push(name.clone());
    }
}

fn watching(ui: &mut Ui, state: &mut LeagueState) {
    widgets::section(ui, "Matches");
    let mut budget = state.league.budget();
    let about = "How much a planner may think per turn";
    widgets::row(ui, "Budget", about, NAMES, |ui| {
        if budget_control(ui, &mut budget) {
            state.league.set_budget(budget);
        }
    });
    let tip = "On: a match that you skip is played later, so the table knows only what you have seen. \
               Off: it is played in the background and counts at once.";
    ui.checkbox(&mut state.league.hide_results, "Hide results until I have watched")
        .on_hover_text(tip);
}
