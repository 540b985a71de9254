//! The analysis large and without panels, for a projector: the board or tree, what waits to be expanded, the event in
//! a sentence.

use super::state::Analysis;
use super::{events, panel, slider, tree};
use crate::app::match_screen::analysis::Analysed;
use crate::app::match_screen::command_table::MatchCommand;
use crate::app::match_screen::focus::Focused;
use crate::app::match_screen::layout::PanelContext;
use crate::app::match_screen::state::{AnalysisView, Tab};
use crate::app::shell::theme::{Rgb, palette};
use crate::app::shell::widgets;
use bevy::prelude::{InMut, Single, With};
use bevy_egui::egui::{self, FontId, RichText, Ui};

/// Size of the sentence and of the nodes that wait, in points.
const SIZE: (f32, f32) = (24.0, 19.0);
/// Width of the panel of nodes, in points.
const SIDE: f32 = 380.0;

impl Analysed<'_> {
    /// Whether the analysis is shown large and without panels.
    pub fn is_projected(&self) -> bool {
        self.tab == Tab::Analysis && self.analysis.projected
    }
}

/// Shows all but the board or tree itself.
pub fn show(
    InMut(root): InMut<Ui>,
    mut context: PanelContext,
    mut analysis: Single<&mut Analysis, With<Focused>>,
) -> bool {
    let PanelContext { session, given, .. } = &mut context;
    let session = &mut Analysed { session, analysis: &mut analysis };
    if !session.is_projected() {
        return false;
    }
    let commands = &mut given.commands;
    let frame = widgets::panel_frame(root).inner_margin(egui::Margin::symmetric(24, 12));
    egui::Panel::bottom("projector").resizable(false).frame(frame).show(root, |ui| {
        for (sentence, colour) in sentences(session, ui) {
            let words = RichText::new(sentence).size(SIZE.0).color(colour.egui());
            ui.add(egui::Label::new(words).wrap());
        }
        slider::show(ui, session, commands);
        ui.horizontal(|ui| {
            widgets::key_cap(ui, "Arrows");
            widgets::hint(ui, "step by step");
            if session.analysis.has_events() {
                widgets::key_cap(ui, &MatchCommand::Scrub(super::state::Scrub::Run).first_key());
                widgets::hint(ui, "to the next breakpoint");
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                MatchCommand::Lecture.button_saying(
                    ui,
                    session,
                    |_: &_| egui::Button::new("Back to the panels"),
                    "Show the panels again",
                    commands,
                );
            });
        });
    });
    if session.analysis_view() == AnalysisView::Event {
        let side = egui::Panel::right("waiting").exact_size(SIDE).resizable(false).frame(frame);
        side.show(root, |ui| {
            ui.style_mut().override_font_id = Some(FontId::proportional(SIZE.1));
            egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                events::show_large(ui, session);
            });
        });
    }
    true
}

/// What the shown event or snapshot is, for each of two searches if there are two.
fn sentences(session: &Analysed, ui: &Ui) -> Vec<(String, Rgb)> {
    let ink = palette(ui);
    if let Some(events) = &session.analysis.events {
        return events::sentences(session, events, ink);
    }
    let words = match &session.analysis.tree {
        Some(shown) => tree::sentence(session, shown),
        None => session.analysis.step().map(|step| panel::sentence(session, &step)),
    };
    vec![(words.unwrap_or_default(), ink.text)]
}
