//! A match shown large, without panels: arrow keys lead from note to note, each with its sentence below the board.
//! And the notes themselves, as they are edited in the review.

use super::command_table::{MatchCommand, labelled, symbol_of};
use super::feature::Feature;
use super::layout::{AddSection, Given};
use super::matches::FocusedMatchMut;
use super::session::Session;
use super::state::Tab;
use crate::app::shell::screen_reader;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;
use outwit_core::levels::capitalised;
use outwit_core::play::MAX_NOTE;

/// Turns that are shown in motion before a position with a note.
const RUN_UP: usize = 3;
/// Size of the sentence, in points.
const SIZE: f32 = 24.0;

impl Session {
    /// Begins to show the match from note to note, at the first position with one, or ends it
    /// where it was begun.
    pub fn switch_lecture(&mut self) {
        self.notes.in_lecture = !self.notes.in_lecture;
        if let Some((turn, tab)) = self.notes.came_from.take() {
            self.jump(turn);
            self.tab = tab;
            return;
        }
        self.notes.came_from = Some((self.playback.view, self.tab));
        self.tab = Tab::Match;
        if self.notes.in_lecture {
            self.overlays.framed = false;
            self.jump(self.notes.all().first().map_or(0, |note| note.turn));
        }
    }

    /// The turn of the next position with a note, or of the one before; without notes, the turn beside this one.
    fn turn_of_note(&self, next: bool) -> Option<usize> {
        let view = self.playback.view;
        let at = if self.playback.moving > 0.0 { view + 1 } else { view };
        let marks: Vec<usize> = match self.notes.all() {
            [] => (0..=self.live.turns()).collect(),
            notes => notes.iter().map(|note| note.turn).collect(),
        };
        // Whoever is on the way to a note goes on from there.
        let from = self.reel.front().map_or(at, |stretch| *stretch.end());
        match next {
            true => marks.into_iter().find(|&turn| turn > from),
            false => marks.into_iter().rfind(|&turn| turn < view),
        }
    }

    /// Goes on to the next position with a note, with the last turns before it in motion, or back to the one
    /// before; without notes, by a turn. Returns whether there is one.
    pub fn go_to_note(&mut self, next: bool) -> bool {
        let Some(to) = self.turn_of_note(next) else { return false };
        let view = self.playback.view;
        self.jump(if next { to.saturating_sub(RUN_UP).max(view).min(to) } else { to });
        if next && self.playback.view < to {
            self.reel = [self.playback.view..=to].into();
            self.playback.playing = true;
        }
        true
    }
}

/// Shows matches as lectures.
pub(super) const FEATURE: Feature = Feature { plugin, commands: &[] };

fn plugin(app: &mut App) {
    app.add_cover(show);
}

/// Shows the sentence of the position below the board, large, with what leads to the next one.
fn show(InMut(root): InMut<Ui>, mut shown: FocusedMatchMut, mut given: ResMut<Given>) -> bool {
    if !shown.notes.in_lecture {
        return false;
    }
    let mut go_on = None;
    let session = &**shown;
    let commands = &mut given.commands;
    let frame = widgets::panel_frame(root).inner_margin(egui::Margin::symmetric(24, 12));
    egui::Panel::bottom("lecture").resizable(false).frame(frame).show(root, |ui| {
        let notes = session.notes.all();
        // On the way to a position its sentence stands there already.
        let turn = session.reel.front().map_or(session.playback.view, |stretch| *stretch.end());
        let palette = palette(ui);
        let words = match session.notes.at(turn) {
            "" => capitalised(&session.moment_of_all(turn)),
            words => words.to_owned(),
        };
        ui.label(RichText::new(words).size(SIZE).color(palette.text.egui()));
        ui.horizontal(|ui| {
            let number = notes.iter().position(|note| note.turn == turn);
            if let Some(number) = number {
                widgets::hint(ui, format!("{} of {}", number + 1, notes.len()));
            }
            let to = if notes.is_empty() { "turn" } else { "note" };
            let ways = [(false, icon::CARET_LEFT, "Previous"), (true, icon::CARET_RIGHT, "Next")];
            for (next, symbol, word) in ways {
                let button = egui::Button::new(symbol).min_size(egui::vec2(48.0, 0.0));
                let is_there = session.turn_of_note(next).is_some();
                let response = ui.add_enabled(is_there, button);
                let name = format!("{word} {to}");
                screen_reader::name(&response, &name);
                if response.on_hover_text(name).clicked() {
                    go_on = Some(next);
                }
            }
            widgets::key_cap(ui, "Arrows");
            widgets::hint(ui, format!("previous or next {to}"));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                MatchCommand::Lecture.button_saying(
                    ui,
                    session,
                    |_: &_| egui::Button::new("End the lecture"),
                    "Back to the panels",
                    commands,
                );
            });
        });
    });
    if let Some(next) = go_on {
        shown.go_to_note(next);
    }
    true
}

/// Shows the notes in the review, to be edited; returns a turn to look at.
pub fn edit(ui: &mut Ui, session: &mut Session, commands: &mut Vec<MatchCommand>) -> Option<usize> {
    ui.add_space(space::MEDIUM);
    widgets::section(ui, "Notes");
    let view = session.playback.view;
    // What is typed may end with a space before the next word; the note itself does not.
    let typed = session.notes.draft.take().filter(|(turn, _)| *turn == view);
    let mut text = typed.map_or_else(|| session.notes.at(view).to_owned(), |(_, text)| text);
    let edit = egui::TextEdit::singleline(&mut text)
        .id_salt("note of the turn")
        .char_limit(MAX_NOTE)
        .hint_text(format!("A sentence about {}", session.moment(view)))
        .margin(widgets::FIELD)
        .desired_width(f32::INFINITY);
    let response = ui.add(edit);
    if response.changed() {
        let turns = session.live.turns();
        session.notes.set(view, &text, turns);
    }
    if response.has_focus() {
        session.notes.draft = Some((view, text));
    }
    let mut jump = None;
    let mut removed = None;
    for note in session.notes.all() {
        ui.horizontal(|ui| {
            let remove = ui.add(symbol_of(icon::TRASH)).on_hover_text("Remove the note");
            removed = remove.clicked().then_some(note.turn).or(removed);
            let words = format!("{}: {}", session.moment(note.turn), note.text);
            let words = RichText::new(words);
            let words = if note.turn == view { words.text_style(text::strong()) } else { words };
            let button = egui::Button::new(words).truncate().frame(false);
            jump = ui.add(button).on_hover_text(&note.text).clicked().then_some(note.turn).or(jump);
        });
    }
    if let Some(turn) = removed {
        let turns = session.live.turns();
        session.notes.set(turn, "", turns);
        session.notes.draft = None;
    }
    MatchCommand::Lecture.button(ui, session, labelled, commands);
    if !session.notes.all().is_empty() {
        let save = MatchCommand::Save.first_key();
        widgets::hint(ui, format!("{save} saves them with the replay."));
    }
    jump
}
