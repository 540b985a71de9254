//! What is said of a lesson: the task above the board, the steps beside it.

use super::{LessonState, LessonStatus};
use crate::app::match_screen::command_table::MatchCommand;
use crate::app::match_screen::session::Session;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;

/// Shows the task above the board; once the step is over, what became of it and how it goes on.
pub fn show_task(
    root: &mut Ui,
    session: &Session,
    frame: egui::Frame,
    commands: &mut Vec<MatchCommand>,
) {
    let Some(lesson) = &session.lesson else { return };
    egui::Panel::top("lesson").resizable(false).frame(frame).show(root, |ui| {
        let palette = palette(ui);
        let (sign, ink, words) = match lesson.status {
            LessonStatus::Open => (icon::GRADUATION_CAP, palette.accent, lesson.task),
            LessonStatus::Done => (icon::CHECK_CIRCLE, palette.good, lesson.praise),
            LessonStatus::Failed(why) => (icon::WARNING_CIRCLE, palette.warn, why),
        };
        ui.horizontal(|ui| {
            // As tall as the button, which comes and goes.
            ui.set_min_height(widgets::FILLED_HEIGHT);
            let title = format!(
                "{sign}  Step {} of {}: {}",
                lesson.step + 1,
                lesson.titles.len(),
                lesson.titles.get(lesson.step).copied().unwrap_or_default()
            );
            ui.label(RichText::new(title).text_style(text::strong()).color(ink.egui()));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                go_on(ui, session, lesson, commands);
            });
        });
        let words_of = |words: &str| {
            let font = egui::TextStyle::Body.resolve(ui.style());
            ui.painter().layout(words.to_owned(), font, palette.text.egui(), ui.available_width())
        };
        // What is said later takes the place of the task; the board does not move for it.
        let room = words_of(lesson.task).size().y.max(words_of(lesson.praise).size().y);
        let words = words_of(words);
        let height = words.size().y.max(room);
        ui.allocate_ui(egui::vec2(ui.available_width(), height), |ui| {
            ui.set_min_height(height);
            ui.label(words);
        });
    });
}

/// How it goes on after a step that is over.
fn go_on(ui: &mut Ui, session: &Session, lesson: &LessonState, commands: &mut Vec<MatchCommand>) {
    let Some(entry) = MatchCommand::GoOn.entry() else { return };
    if MatchCommand::GoOn.allowed(session).is_err() {
        return;
    }
    let (words, tip) = match lesson.status {
        LessonStatus::Failed(_) => ("Try again", "The same step from its beginning"),
        _ if lesson.is_last() => ("Finish", "Back to the set-up, to play a match"),
        _ => ("Next step", "The next step of the lesson"),
    };
    if entry.explain(widgets::primary_button(ui, words), tip).clicked() {
        commands.push(MatchCommand::GoOn);
    }
    widgets::key_cap(ui, &MatchCommand::GoOn.first_key());
}

/// Lists the steps of the lesson beside the board, with what helps in one.
pub fn show_steps(ui: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    let Some(lesson) = &session.lesson else { return };
    let palette = palette(ui);
    for (step, title) in lesson.titles.iter().enumerate() {
        let done = step < lesson.step || step == lesson.step && lesson.status == LessonStatus::Done;
        let (sign, ink) = match (done, step == lesson.step) {
            (true, _) => (icon::CHECK_CIRCLE, palette.good),
            (false, true) => (icon::ARROW_CIRCLE_RIGHT, palette.accent),
            (false, false) => (icon::CIRCLE, palette.faint),
        };
        ui.horizontal(|ui| {
            ui.label(RichText::new(sign).color(ink.egui()));
            let title = RichText::new(*title);
            let is_here = step == lesson.step;
            ui.label(if is_here { title.text_style(text::strong()) } else { title });
        });
    }
    ui.add_space(space::SMALL);
    ui.horizontal_wrapped(|ui| {
        for command in [MatchCommand::Hint, MatchCommand::Undo, MatchCommand::Restart] {
            command.button(
                ui,
                session,
                crate::app::match_screen::command_table::labelled,
                commands,
            );
        }
    });
    ui.separator();
}
