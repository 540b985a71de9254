//! The commands of the comparison of searches.

use super::View;
use crate::app::shell::commands::{self, Chord, Command, KeyGroup, command, key, rows};
use bevy::prelude::KeyCode;
use bevy_egui::egui;

/// What the user can ask for with a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComparisonCommand {
    /// Let the chosen solvers search.
    Start,
    /// Show this view.
    Show(View),
}

const fn show(
    view: View,
    digit: &'static [Chord],
    label: &'static str,
) -> Command<ComparisonCommand> {
    command(ComparisonCommand::Show(view), digit, "Switch the view").label(label)
}

/// The commands of the comparison, in the order of the help.
const COMMANDS: &[Command<ComparisonCommand>] = &[
    command(ComparisonCommand::Start, &[key(KeyCode::Enter)], "Compare"),
    show(View::Table, &[key(KeyCode::Digit1)], "Table"),
    show(View::Chart, &[key(KeyCode::Digit2)], "Chart"),
    show(View::SideBySide, &[key(KeyCode::Digit3)], "Side by side"),
];

/// The keys of the comparison, for help and manual.
pub fn key_group() -> KeyGroup {
    KeyGroup { title: "Comparison of solvers", rows: rows(COMMANDS) }
}

/// The command whose key was pressed.
pub fn pressed(ctx: &egui::Context) -> Option<ComparisonCommand> {
    commands::pressed(ctx, COMMANDS)
}

/// The views with their names.
pub fn views() -> Vec<(View, &'static str)> {
    COMMANDS
        .iter()
        .filter_map(|entry| match entry.id {
            ComparisonCommand::Show(view) => Some((view, entry.label)),
            ComparisonCommand::Start => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Event, Key, Modifiers, RawInput};

    #[test]
    fn digits_switch_the_view_and_enter_compares() {
        let given = |key| {
            let ctx = egui::Context::default();
            let physical_key = Some(key);
            let event = Event::Key {
                key,
                physical_key,
                pressed: true,
                repeat: false,
                modifiers: Modifiers::NONE,
            };
            let mut command = None;
            let input = RawInput { events: vec![event], ..RawInput::default() };
            let _ = ctx.run_ui(input, |ui| command = pressed(ui.ctx()));
            command
        };
        let keys = [Key::Num1, Key::Num2, Key::Num3];
        let shown: Vec<_> = keys.into_iter().map(given).collect();
        let wanted: Vec<_> =
            views().into_iter().map(|(view, _)| Some(ComparisonCommand::Show(view))).collect();
        assert_eq!(shown, wanted);
        assert_eq!(given(Key::Enter), Some(ComparisonCommand::Start));
        assert_eq!(given(Key::Num4), None);
    }
}
