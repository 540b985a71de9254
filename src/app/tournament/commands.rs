//! The commands of the tournament screen.

use super::results_view::ResultsTab;
use crate::app::shell::commands::{Chord, Command, KeyGroup, command, entry, key, rows};
use bevy::prelude::KeyCode;

/// What the user can ask for with a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TournamentCommand {
    /// Start, or resume a cancelled tournament.
    Start,
    /// Show this view of the results.
    Show(ResultsTab),
    /// Close the list of games, or go back.
    Close,
}

const fn show(
    tab: ResultsTab,
    digit: &'static [Chord],
    label: &'static str,
    tip: &'static str,
) -> Command<TournamentCommand> {
    command(TournamentCommand::Show(tab), digit, "Switch the table").label(label).tip(tip)
}

/// The commands of the tournament screen, in the order of the help.
pub const COMMANDS: &[Command<TournamentCommand>] = &[
    command(TournamentCommand::Start, &[key(KeyCode::Enter)], "Start or resume"),
    show(ResultsTab::Payoff, &[key(KeyCode::Digit1)], "Payoff", "Means with 95 % intervals"),
    show(ResultsTab::Outcomes, &[key(KeyCode::Digit2)], "Outcomes", "Outcomes by frequency"),
    show(
        ResultsTab::Overruns,
        &[key(KeyCode::Digit3)],
        "Overruns",
        "Turns in which the planner ran out of budget",
    ),
    show(ResultsTab::Time, &[key(KeyCode::Digit4)], "Planning time", "Planning time per turn"),
    show(
        ResultsTab::Differences,
        &[key(KeyCode::Digit5)],
        "Differences",
        "Payoff of one planner minus another on the same seeds",
    ),
    show(ResultsTab::Ratings, &[key(KeyCode::Digit6)], "Ratings", "Rating per planner"),
    show(
        ResultsTab::Chart,
        &[key(KeyCode::Digit7)],
        "Chart",
        "Means with 95 % intervals on one scale, for each line-up",
    ),
    show(
        ResultsTab::Highlights,
        &[key(KeyCode::Digit8)],
        "Highlights",
        "Where the games turned most, and which were over soonest",
    ),
    command(
        TournamentCommand::Close,
        &[key(KeyCode::Escape)],
        "Close the list of games, or go back",
    )
    .tip("Close list"),
];

/// The entry of a command.
pub fn entry_of(command: TournamentCommand) -> &'static Command<TournamentCommand> {
    entry(COMMANDS, command)
}

/// The keys of the tournament, for help and manual.
pub fn key_group() -> KeyGroup {
    KeyGroup { title: "Tournament", rows: rows(COMMANDS) }
}
