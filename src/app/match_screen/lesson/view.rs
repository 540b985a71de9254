//! What is said of a lesson: the task above the board, the steps beside it.

use super::follow::follow;
use super::{LessonState, LessonStatus};
use crate::app::match_screen::command_table::{MatchCommand, labelled};
use crate::app::match_screen::feature::Feature;
use crate::app::match_screen::layout::{AddSection, Given, Place, Region};
use crate::app::match_screen::matches::FocusedMatch;
use crate::app::match_screen::session::Session;
use crate::app::match_screen::sets::MatchSet;
use crate::app::shell::keyboard::Printed;
use crate::app::shell::theme::{Rgb, palette, space, text};
use crate::app::shell::widgets;
use bevy::prelude::{App, InMut, IntoScheduleConfigs, ResMut, Update};
use bevy_egui::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;

/// Width below which there is room for the title and the button only, in points.
const NARROW: f32 = 480.0;

/// Leads through the steps of lessons.
pub const FEATURE: Feature = Feature { plugin, commands: &[] };

fn plugin(app: &mut App) {
    app.add_systems(Update, follow.in_set(MatchSet::Follow))
        .add_section(Region::Top, task)
        .add_section(Region::Match(Place::Result), steps);
}

/// The task above the board.
fn task(InMut(root): InMut<Ui>, session: FocusedMatch, mut given: ResMut<Given>) {
    show_task(root, &session, &mut given.commands);
}

/// The steps in the panel of the match.
fn steps(InMut(ui): InMut<Ui>, session: FocusedMatch, mut given: ResMut<Given>) {
    show_steps(ui, &session, &mut given.commands);
}

/// Shows the task above the board; once the step is over, what became of it and how it goes on.
pub fn show_task(root: &mut Ui, session: &Session, commands: &mut Vec<MatchCommand>) {
    let Some(lesson) = &session.lesson else { return };
    let frame = widgets::bar_frame(root);
    egui::Panel::top("lesson").resizable(false).frame(frame).show(root, |ui| {
        let palette = palette(ui);
        let task = Printed::of(ui.ctx()).fill(lesson.task);
        let (sign, ink, words) = match lesson.status {
            LessonStatus::Open => (icon::GRADUATION_CAP, palette.accent, task.as_str()),
            LessonStatus::Done => (icon::CHECK_CIRCLE, palette.good, lesson.praise),
            LessonStatus::Failed(why) => (icon::WARNING_CIRCLE, palette.warn, why),
        };
        head(ui, session, lesson, (sign, ink), commands);
        let galley = |words: &str| {
            let font = egui::TextStyle::Body.resolve(ui.style());
            ui.painter().layout(words.to_owned(), font, palette.text.egui(), ui.available_width())
        };
        // What is said later takes the place of the task; the board does not move for it.
        let height = |words| galley(words).size().y;
        let room = [&task, lesson.praise, words].map(height).into_iter().fold(0.0, f32::max);
        let words = galley(words);
        ui.allocate_ui(egui::vec2(ui.available_width(), room), |ui| {
            ui.set_min_height(room);
            ui.label(words);
        });
    });
}

/// Which step it is, and the button with which it goes on once the step is over.
fn head(
    ui: &mut Ui,
    session: &Session,
    lesson: &LessonState,
    (sign, ink): (&str, Rgb),
    commands: &mut Vec<MatchCommand>,
) {
    // As tall as the button, which comes and goes.
    let size = egui::vec2(ui.available_width(), widgets::FILLED_HEIGHT);
    let from_the_right = egui::Layout::right_to_left(egui::Align::Center);
    ui.allocate_ui_with_layout(size, from_the_right, |ui| {
        let is_narrow = ui.available_width() < NARROW;
        go_on(ui, session, lesson, is_narrow, commands);
        let title = lesson.titles.get(lesson.step).copied().unwrap_or_default();
        let step = lesson.step + 1;
        let steps = lesson.titles.len();
        let before = if is_narrow { "" } else { "Step " };
        let title = RichText::new(format!("{sign}  {before}{step} of {steps}: {title}"));
        let title = title.text_style(text::strong()).color(ink.egui());
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.add(egui::Label::new(title).truncate());
        });
    });
}

/// How it goes on after a step that is over.
fn go_on(
    ui: &mut Ui,
    session: &Session,
    lesson: &LessonState,
    is_narrow: bool,
    commands: &mut Vec<MatchCommand>,
) {
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
    if !is_narrow {
        widgets::key_cap(ui, &MatchCommand::GoOn.first_key());
    }
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
        for command in [MatchCommand::Undo, MatchCommand::Restart] {
            command.button(ui, session, labelled, commands);
        }
    });
    ui.separator();
}
