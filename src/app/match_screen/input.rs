//! Keys: first the arrows that turn pages, then the board's own, then those of every match, then panning.

use super::analysis::state::Scrub;
use super::board::Input;
use super::command_table::{MatchCommand, entry_of};
use super::commands::CommandContext;
use super::matches::FocusedMatchMut;
use super::session::Session;
use super::state::Tab;
use crate::app::shell::input::BoardInput;
use crate::app::shell::keyboard::Presses;
use bevy::prelude::*;
use bevy_egui::egui;

/// Points a second that the arrow keys move the view.
const GLIDE: f32 = 600.0;
/// The keys that pan, and where the board goes in the view.
const PANNING: [(KeyCode, egui::Vec2); 4] = [
    (KeyCode::ArrowLeft, egui::vec2(1.0, 0.0)),
    (KeyCode::ArrowRight, egui::vec2(-1.0, 0.0)),
    (KeyCode::ArrowUp, egui::vec2(0.0, 1.0)),
    (KeyCode::ArrowDown, egui::vec2(0.0, -1.0)),
];

/// Passes every key that was pressed on, in the order in which they were typed.
pub(super) fn keys(
    presses: Res<Presses>,
    down: Res<ButtonInput<KeyCode>>,
    heard: Res<BoardInput>,
    mut session: FocusedMatchMut,
    time: Res<Time>,
    mut panning: Local<Vec<KeyCode>>,
    mut context: CommandContext,
) {
    let session = &mut **session;
    for press in presses.0.iter().filter(|_| heard.keys) {
        let key = press.key;
        let command = entry_of(press, &context.features.0);
        if !press.ctrl && turns_pages(session, key) {
            turn_page(session, &mut context, key);
            continue;
        }
        if !press.ctrl && context.input(session, Input::Key(*press)) {
            continue;
        }
        if let Some(command) = command {
            if !press.repeat || command.repeats {
                context.apply(session, command.id);
            }
        } else if press.ctrl || press.repeat {
            continue;
        } else if PANNING.iter().any(|(pans, _)| *pans == key) {
            panning.push(key);
        }
    }
    // Only arrow keys that the board did not want pan.
    panning.retain(|key| heard.keys && down.pressed(*key));
    let by = PANNING
        .iter()
        .filter(|(key, _)| panning.contains(key))
        .fold(egui::Vec2::ZERO, |sum, (_, way)| sum + *way);
    if by != egui::Vec2::ZERO {
        context.view.pan(by * GLIDE * time.delta_secs());
        session.overlays.follow = false;
    }
}

/// Whether a key is an arrow that turns pages, and does nothing on the board.
fn turns_pages(session: &Session, key: KeyCode) -> bool {
    let is_sideways = matches!(key, KeyCode::ArrowLeft | KeyCode::ArrowRight);
    let is_arrow = PANNING.iter().any(|(arrow, _)| *arrow == key);
    match session.tab {
        Tab::Review if !session.notes.in_lecture => is_sideways,
        tab => is_arrow && (session.notes.in_lecture || tab == Tab::Analysis),
    }
}

/// Goes to the note before or the next one in a lecture, to such a turn in the review, or to such a snapshot or event in
/// the analysis.
fn turn_page(session: &mut Session, context: &mut CommandContext, arrow: KeyCode) {
    let (next, scrub) = match arrow {
        KeyCode::ArrowLeft => (false, Scrub::Back),
        KeyCode::ArrowRight => (true, Scrub::Forward),
        _ => return,
    };
    if session.notes.in_lecture {
        session.go_to_note(next);
    } else if session.tab == Tab::Review {
        let step = if next { MatchCommand::Step } else { MatchCommand::StepBack };
        context.apply(session, step);
    } else {
        context.apply(session, MatchCommand::Scrub(scrub));
    }
}
