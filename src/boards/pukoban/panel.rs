//! The panel of a puzzle: what was spent, what is left, and how the next step is meant.

use super::PuzzleUi;
use super::keys::{COMMANDS, PukobanCommand};
use crate::app::match_screen::Shown;
use crate::app::shell::commands::entry;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Ui, vec2};
use outwit_core::play::Game;
use outwit_pukoban::Pukoban;

/// Draws the counts of the position, the switch for pull mode and what the level says of itself.
pub fn show(panel: &mut Ui, shown: &Shown<Pukoban>, ui: &mut PuzzleUi) {
    let game = shown.game();
    let position = shown.state();
    let home = game.goals().iter().filter(|&&goal| position.box_at(goal).is_some()).count();
    egui::Grid::new("puzzle").num_columns(2).spacing(vec2(16.0, 4.0)).show(panel, |grid| {
        let mut row = |name: &str, value: String| {
            widgets::hint(grid, name);
            grid.label(value);
            grid.end_row();
        };
        let has_pulls = game.moves().has_pulls();
        row("Steps", position.steps.to_string());
        row(if has_pulls { "Box moves" } else { "Pushes" }, position.box_moves.to_string());
        row("Goals filled", format!("{home} of {}", game.goals().len()));
        row("What counts", game.unit(game.objective()).many.into());
        row("Boxes are", if has_pulls { "pushed and pulled" } else { "only pushed" }.into());
    });
    if !shown.session.humans.is_empty() && game.moves().has_pulls() {
        panel.add_space(space::SMALL);
        let entry = entry(COMMANDS, PukobanCommand::PullMode);
        let response = panel.checkbox(&mut ui.pull_mode, entry.label);
        entry.explain(response, entry.tip);
    }
    if let Some(label) = &shown.session.result.best_label {
        panel.add_space(space::SMALL);
        widgets::hint(panel, format!("Your best on this level: {label}"));
    }
    let about = &game.level().about;
    if !about.is_empty() {
        panel.add_space(space::MEDIUM);
        widgets::section(panel, "About this level");
        panel.label(about);
    }
}
