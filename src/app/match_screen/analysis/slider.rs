//! The slider of the analysis: along the work that the planner has done, or along the events of its search.

use super::state::{Analysis, Scrub};
use crate::app::match_screen::analysis::Analysed;
use crate::app::match_screen::command_table::MatchCommand;
use crate::app::match_screen::figures::{grouped, work_units};
use crate::app::match_screen::focus::Focused;
use crate::app::match_screen::layout::PanelContext;
use crate::app::match_screen::state::Tab;
use crate::app::shell::theme::{space, text};
use bevy::prelude::{InMut, Single, With};
use bevy_egui::egui::{self, RichText, Ui};
use egui_phosphor::regular as icon;

/// The least width of the words beside the slider, and the width of the number alone, in points.
const WORDS: f32 = 128.0;
const NUMBER: f32 = 58.0;
/// Width below which there is room for the number alone, in points.
const ROOMY: f32 = 420.0;

/// Where the slider stands.
struct Place {
    at: usize,
    last: usize,
    /// What stands beside it, and where there is little room.
    words: String,
    number: String,
    about: &'static str,
}

impl Place {
    fn of(session: &Analysed) -> Self {
        if let Some(events) = &session.analysis.events {
            let (at, last) = events.place();
            let about = match events.difference() {
                Some(_) => "Number of the expansion, in both searches",
                None => "Number of the event",
            };
            return Self::of_event(at, last, about);
        }
        if let Some(tree) = &session.analysis.tree {
            let (at, last) = tree.place();
            return Self::of_event(at, last, "Number of the event");
        }
        let (at, count) = session.analysis.place();
        let work = session.analysis.step().map_or(0, |step| step.step.work);
        Self {
            at,
            last: count.saturating_sub(1),
            words: work_units(work),
            number: grouped(work),
            about: "Work units spent at the shown snapshot",
        }
    }
}

impl Place {
    fn of_event(at: usize, last: usize, about: &'static str) -> Self {
        let number = grouped(at as u64 + 1);
        let words = format!("{number} / {}", grouped(last as u64 + 1));
        Self { at, last, words, number, about }
    }
}

/// The slider above the timeline, while the analysis is shown.
pub fn section(
    InMut(ui): InMut<Ui>,
    mut context: PanelContext,
    mut analysis: Single<&mut Analysis, With<Focused>>,
) {
    let PanelContext { session, given, .. } = &mut context;
    if session.tab == Tab::Analysis {
        let mut session = Analysed { session, analysis: &mut analysis };
        show(ui, &mut session, &mut given.commands);
    }
}

/// Shows the slider with its buttons in one row.
pub fn show(ui: &mut Ui, session: &mut Analysed, commands: &mut Vec<MatchCommand>) {
    let roomy = ui.available_width() >= ROOMY;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::SMALL;
        if roomy {
            let about = match session.analysis.has_events() {
                true => "Through the events of the search.",
                false => "Through what the planner had found, by the work that it had done.",
            };
            ui.label(RichText::new(icon::BRAIN).size(17.0)).on_hover_text(about);
        } else {
            ui.spacing_mut().button_padding.x = 6.0;
        }
        let place = Place::of(session);
        let at = place.at;
        let last = place.last;
        ui.add_enabled_ui(last > 0, |ui| {
            let (icon, playing) = if session.analysis.is_playing() {
                (icon::PAUSE, "Stop playing its thinking")
            } else {
                (icon::PLAY, "Play its thinking")
            };
            let face = |icon| egui::Button::new(RichText::new(icon).size(15.0));
            for scrub in [Scrub::First, Scrub::Back, Scrub::Play, Scrub::Forward, Scrub::Last] {
                let command = MatchCommand::Scrub(scrub);
                match scrub {
                    Scrub::Play => {
                        command.button_saying(ui, session, |_| face(icon), playing, commands);
                    }
                    _ => command.button(ui, session, |entry| face(entry.icon), commands),
                }
            }
            let font = text::strong().resolve(ui.style());
            let ink = ui.visuals().text_color();
            let written = ui.painter().layout_no_wrap(place.words.clone(), font, ink).size().x;
            let words = if roomy { (written + 2.0 * space::MEDIUM).max(WORDS) } else { NUMBER };
            ui.spacing_mut().slider_width = (ui.available_width() - words).max(40.0);
            let mut shown = at;
            let slider = egui::Slider::new(&mut shown, 0..=last.max(1));
            let response = ui.add(slider.show_value(false));
            // The focus would keep keys from the match.
            response.surrender_focus();
            if response.changed() {
                let analysis = &mut session.analysis;
                match (&mut analysis.events, &mut analysis.tree) {
                    (Some(events), _) => {
                        events.head.playing = false;
                        events.show(shown);
                    }
                    (None, Some(tree)) => tree.show(shown),
                    (None, None) => analysis.show(shown),
                }
            }
        });
        let words = match roomy {
            true => RichText::new(place.words).text_style(text::strong()),
            false => RichText::new(place.number).small(),
        };
        ui.add(egui::Label::new(words).extend()).on_hover_text(place.about);
    });
}
