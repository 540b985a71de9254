//! The lesson of a game, offered to somebody who sets it up for the first time.

use super::commands::{COMMANDS, SetupCommand};
use crate::app::requests::MatchConfig;
use crate::app::shell::commands::entry;
use crate::app::shell::game_guide::GameGuides;
use crate::app::shell::settings::Settings;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy_egui::egui;
use outwit_kit::DynGame;

/// What to say of a lesson that the player knows.
const FINISHED: &str =
    "How the game is played, in short steps on the board. You have finished them.";

/// The lesson of the game that is set up.
#[derive(Default)]
pub struct LessonOffer {
    /// Its first step; `None` where the game has no lesson.
    pub first: Option<MatchConfig>,
    /// What to say of it, beside its button.
    pub tip: &'static str,
    /// Number of its steps.
    steps: u64,
    /// Whether it is offered beside the seats.
    is_open: bool,
}

impl LessonOffer {
    /// The lesson of a game; offered if the player neither finished it nor set up the game before.
    pub fn new(kind: &dyn DynGame, guides: &GameGuides, settings: &Settings) -> Self {
        let Some(guide) = guides.find(kind.id()) else { return Self::default() };
        let steps = (0..).map_while(guide.lesson).count() as u64;
        let is_finished = settings.lessons.contains(kind.id());
        let known = is_finished || settings.setups.contains_key(kind.id());
        let tip = if is_finished { FINISHED } else { entry(COMMANDS, SetupCommand::Learn).tip };
        Self { first: (guide.lesson)(0), tip, steps, is_open: steps > 0 && !known }
    }

    /// Offers the lesson, unless it was declined; returns whether it was taken.
    pub fn show(&mut self, ui: &mut egui::Ui, game: &str) -> bool {
        if !self.is_open {
            return false;
        }
        let entry = entry(COMMANDS, SetupCommand::Learn);
        let taken = widgets::card(ui, |ui| {
            ui.set_min_width(ui.available_width());
            widgets::section(ui, &format!("New to {game}?"));
            ui.label(format!(
                "Learn it on the board, in {}.",
                widgets::counted(self.steps, "short step")
            ));
            ui.horizontal(|ui| {
                let words = format!("{}  {}", entry.icon, entry.label);
                let taken = entry.button(ui, Ok(()), egui::Button::new(words));
                self.is_open &= !ui.button("Not now").clicked();
                taken
            })
            .inner
        });
        ui.add_space(space::LARGE);
        taken
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::app::shell::game_guide::GameGuide;
    use crate::app::shell::settings::{LastSetup, Motion};
    use crate::app::shell::{fonts, theme};
    use crate::boards::BOARDS;
    use outwit_headless::find;
    use outwit_ui_test::Harness;
    use outwit_ui_test::kittest::Queryable;

    fn guides(lesson: fn(usize) -> Option<MatchConfig>) -> GameGuides {
        let board = BOARDS.iter().find(|board| board.id == "racetrack").unwrap();
        let (id, name, how_to_play) = (board.id, board.name, &board.spec.how_to_play);
        GameGuides(vec![GameGuide { id, name, how_to_play, has_solver: false, lesson }])
    }

    fn racetrack() -> GameGuides {
        guides(BOARDS.iter().find(|board| board.id == "racetrack").unwrap().lesson)
    }

    fn offer(guides: &GameGuides, settings: &Settings) -> LessonOffer {
        LessonOffer::new(find("racetrack").unwrap(), guides, settings)
    }

    #[test]
    fn the_lesson_is_offered_at_the_first_visit_only() {
        let mut settings = Settings::default();
        let first = offer(&racetrack(), &settings);
        assert!(first.is_open && first.steps == 4);
        assert_eq!(first.first.unwrap().lesson, Some(0));
        settings.lessons.insert("racetrack".into());
        assert!(!offer(&racetrack(), &settings).is_open, "it is finished");
        settings.lessons.clear();
        settings.setups.insert("racetrack".into(), LastSetup::default());
        let later = offer(&racetrack(), &settings);
        assert!(!later.is_open && later.first.is_some(), "a later visit");
    }

    #[test]
    fn a_game_without_a_lesson_offers_none() {
        for guides in [guides(|_| None), GameGuides::default()] {
            let none = offer(&guides, &Settings::default());
            assert!(!none.is_open && none.first.is_none());
        }
    }

    #[test]
    fn the_offer_can_be_taken_or_declined() {
        let state = (offer(&racetrack(), &Settings::default()), false);
        let mut dressed = false;
        let show = |ui: &mut egui::Ui, (offer, taken): &mut (LessonOffer, bool)| {
            if !std::mem::replace(&mut dressed, true) {
                ui.ctx().set_fonts(fonts::definitions(None));
                ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
                return;
            }
            *taken |= offer.show(ui, "Racetrack");
        };
        let mut window = Harness::builder().build_ui_state(show, state);
        window.run();
        window.get_by_label("Learn it on the board, in 4 short steps.");
        let learn = format!("{}  Learn", entry(COMMANDS, SetupCommand::Learn).icon);
        window.get_by_label(&learn).click();
        window.run();
        assert!(window.state().1);
        window.get_by_label("Not now").click();
        window.run();
        assert!(!window.state().0.is_open && window.query_by_label("Not now").is_none());
    }
}
