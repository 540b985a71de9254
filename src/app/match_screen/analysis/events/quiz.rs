//! "What is expanded next?": the frontier is shown in the order of the nodes' numbers, a click picks one, and the next
//! expansion shows whether it was right.

use super::state::SearchEvents;
use crate::app::match_screen::canvas::Canvas;
use crate::app::shell::theme::palette;
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Ui};
use outwit_core::grid::Cell;
use outwit_core::search::{EventKind, SearchEvent, Ties};
use outwit_kit::exercise::{Exercise, is_right};
use std::sync::Arc;

/// The answers that were given so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Quiz {
    asked: usize,
    right: usize,
    /// The last answer, until the next question.
    answer: Option<Answer>,
    /// Whether a cell was clicked in which several nodes wait.
    ambiguous: bool,
    /// The exercise that says which expansions are asked for; all that follow without one.
    exercise: Option<Arc<Exercise>>,
}

#[derive(Clone, PartialEq, Debug)]
struct Answer {
    picked: SearchEvent,
    next: SearchEvent,
    /// What both are called.
    names: [String; 2],
    is_right: bool,
    /// The number of the event that shows what is expanded.
    at: usize,
    /// Whether it was brought into view.
    is_seen: bool,
}

impl Quiz {
    /// The questions of an exercise.
    pub fn of(exercise: Arc<Exercise>) -> Self {
        Self { exercise: Some(exercise), ..Self::default() }
    }

    /// The expansion that is asked for, counted from 1, or that was; `None` after the last one of an exercise.
    fn stop(&self) -> Option<usize> {
        let number = self.asked - usize::from(self.answer.is_some());
        self.exercise.as_ref()?.stops.get(number).copied()
    }

    /// Whether nothing is asked after the shown answer.
    fn is_last(&self) -> bool {
        self.exercise.as_ref().is_some_and(|exercise| self.asked >= exercise.stops.len())
    }

    /// How many answers were right, and how many there were.
    pub fn score(&self) -> (usize, usize) {
        (self.right, self.asked)
    }
}

impl Answer {
    fn words(&self, ties: Option<Ties>) -> String {
        let Self { picked, next, names: [picked_name, node], is_right, .. } = self;
        let is_same = (picked.id, picked.backward) == (next.id, next.backward);
        match (is_right, is_same) {
            (true, true) => format!("Right: node {node} is expanded next."),
            (true, false) => {
                format!("Right: {} is the least f. Of these nodes, node {node} is taken.", next.f)
            }
            (false, _) if picked.f == next.f => {
                let why = match ties {
                    Some(Ties::Fifo) => "was found earlier",
                    Some(Ties::Lifo) => "was found later",
                    Some(Ties::LeastEstimate) if next.h < picked.h => "has the smaller h",
                    Some(Ties::LeastEstimate) => "has the same h and was found earlier",
                    None => "comes first",
                };
                format!(
                    "No: node {node} is expanded next. Node {picked_name} has the same f, {}, but node {node} {why}.",
                    next.f
                )
            }
            (false, _) => format!(
                "No: node {node} is expanded next, with f = {}. Node {picked_name} has f = {}.",
                next.f, picked.f
            )
            .replace(" = ", "\u{a0}=\u{a0}"),
        }
    }
}

impl SearchEvents {
    /// Whether it belongs to an exercise, so that nothing can be chosen.
    pub fn is_exercise(&self) -> bool {
        self.quiz.as_ref().is_some_and(|quiz| quiz.exercise.is_some())
    }

    /// Whether a question waits for its answer.
    pub fn is_asking(&self) -> bool {
        self.quiz.as_ref().is_some_and(|quiz| quiz.answer.is_none())
    }

    /// The number of the expansion that is asked for: that of the exercise, or the next one after the shown event.
    fn next_expansion(&self) -> Option<usize> {
        let (recording, at) = self.recording(0).zip(self.event_of(0))?;
        if let Some(quiz) = self.quiz.as_ref().filter(|quiz| quiz.exercise.is_some()) {
            let mut expansions = recording
                .events
                .iter()
                .enumerate()
                .filter(|(_, event)| event.kind == EventKind::Expand);
            return Some(expansions.nth(quiz.stop()?.checked_sub(1)?)?.0);
        }
        let mut later = recording.events.iter().enumerate().skip(at + 1);
        later.find(|(_, event)| event.kind == EventKind::Expand).map(|(number, _)| number)
    }

    /// Shows the event before the next expansion, where all nodes that may be picked wait. Between two questions of an
    /// exercise, nothing is shown that comes after the answer.
    pub(super) fn ask(&mut self) {
        let Some(quiz) = &self.quiz else { return };
        let is_asking = quiz.answer.is_none();
        if !is_asking && (quiz.exercise.is_none() || quiz.is_last()) {
            return;
        }
        let Some(next) = self.next_expansion() else { return };
        let at = self.event_of(0);
        if is_asking && at != Some(next - 1) {
            self.show_event(next - 1);
        } else if !is_asking && at > Some(next) {
            self.show_event(next);
        }
    }

    /// Answers with a waiting node, and shows what is expanded.
    fn pick(&mut self, picked: &SearchEvent) {
        let Some((next, recording)) = self.next_expansion().zip(self.recording(0)) else { return };
        let Some(next_event) = recording.events.get(next).cloned() else { return };
        let ties_are_open = self.search.has_ties && self.search.of.1.ties.is_none();
        let is_right = is_right(picked, &next_event, ties_are_open);
        let names = [self.name(picked), self.name(&next_event)];
        let Some(quiz) = self.quiz.as_mut().filter(|quiz| quiz.answer.is_none()) else { return };
        quiz.ambiguous = false;
        quiz.asked += 1;
        quiz.right += usize::from(is_right);
        let picked = picked.clone();
        quiz.answer =
            Some(Answer { picked, next: next_event, names, is_right, at: next, is_seen: false });
        self.show_event(next);
    }

    /// Answers with the node that waits in a cell. Of several somebody has to choose one in the list.
    pub fn pick_cell(&mut self, cell: Cell) {
        let waiting = self.view().into_iter().flat_map(|view| &view.frontier.0);
        let there: Vec<_> = waiting.filter(|event| event.state.cell == cell).cloned().collect();
        if let [picked] = there.as_slice() {
            self.pick(picked);
        } else if let Some(quiz) = &mut self.quiz {
            quiz.ambiguous = there.len() > 1;
        }
    }

    /// Answers with the node of this number and side.
    pub fn pick_node(&mut self, node: (u32, bool)) {
        let mut waiting = self.view().into_iter().flat_map(|view| &view.frontier.0);
        if let Some(picked) = waiting.find(|event| (event.id, event.backward) == node).cloned() {
            self.pick(&picked);
        }
    }
}

/// The title of an exercise and the number of its question, or the switch for questions.
fn head(ui: &mut Ui, events: &mut SearchEvents) {
    if let Some((exercise, quiz)) =
        events.quiz.as_ref().and_then(|quiz| Some((quiz.exercise.as_ref()?, quiz)))
    {
        widgets::section(ui, &exercise.title);
        let number = (quiz.asked + usize::from(quiz.answer.is_none())).min(exercise.stops.len());
        widgets::hint(ui, format!("Question {number} of {}", exercise.stops.len()));
        return;
    }
    let mut on = events.quiz.is_some();
    ui.checkbox(&mut on, "Ask me what is expanded next");
    events.quiz = on.then(|| events.quiz.take().unwrap_or_default());
}

/// The question or what came of the last answer, if somebody wants questions.
pub fn show(ui: &mut Ui, events: &mut SearchEvents) {
    head(ui, events);
    let is_over = events.next_expansion().is_none();
    let shown = events.event_of(0);
    let ties = events.search.of.1.ties;
    let Some(quiz) = &mut events.quiz else { return };
    let is_over = is_over || quiz.answer.is_some() && quiz.is_last();
    let ink = palette(ui);
    let mut goes_on = false;
    let mut again = None;
    match &mut quiz.answer {
        Some(answer) => {
            // Whoever steps back sees what was before it.
            if shown == Some(answer.at) {
                let colour = if answer.is_right { ink.good } else { ink.bad };
                let words = egui::RichText::new(answer.words(ties)).color(colour.egui());
                let said = ui.add(egui::Label::new(words).wrap());
                if !std::mem::replace(&mut answer.is_seen, true) {
                    said.scroll_to_me(Some(egui::Align::Center));
                }
            }
            ui.horizontal(|ui| {
                match quiz.exercise.clone().filter(|_| is_over) {
                    Some(exercise) => {
                        if ui.button("Start again").clicked() {
                            again = Some(exercise);
                        }
                    }
                    None => {
                        let next = egui::Button::new("Next question");
                        goes_on = ui.add_enabled(!is_over, next).clicked();
                    }
                }
                let (right, asked) = quiz.score();
                widgets::hint(ui, format!("{right} of {asked} right"));
            });
        }
        None if is_over => {
            let words = match quiz.stop() {
                Some(stop) => format!("This search has no expansion {stop}."),
                None => "Nothing more is expanded.".into(),
            };
            widgets::hint(ui, words);
        }
        None => {
            let words = match quiz.ambiguous {
                true => "Several nodes wait in this cell: click one in the frontier.",
                false => "Which node is expanded next? Click it in the frontier, or its cell.",
            };
            ui.add(egui::Label::new(words).wrap());
        }
    }
    if goes_on {
        quiz.answer = None;
    }
    if let Some(exercise) = again {
        *quiz = Quiz::of(exercise);
    }
}

/// Rings around the cells of the nodes that may be picked.
pub fn paint(canvas: &Canvas, events: &SearchEvents) {
    if !events.is_asking() {
        return;
    }
    for event in events.view().into_iter().flat_map(|view| &view.frontier.0) {
        let radius = canvas.scale() * 0.36;
        canvas.ring(event.state.cell, radius, 2.0, canvas.palette.good.egui());
    }
}
