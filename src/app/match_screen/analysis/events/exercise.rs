//! A match that was opened for an exercise begins at its search.

use super::quiz::Quiz;
use super::record;
use super::state::SearchEvents;
use crate::app::match_screen::analysis::Analysed;
use outwit_kit::SearchName;

impl Analysed<'_> {
    /// Opens the analysis at the search of an exercise, if the match was opened for one.
    pub fn begin_exercise(&mut self) {
        let Some(exercise) = self.config.exercise.clone() else { return };
        let Ok(name) = SearchName::read(&exercise.search) else { return };
        let mut recorded = self.info.recorded.iter().map(|recorded| recorded.planner);
        let Some(planner) = recorded.find(|planner| *planner == name.planner) else { return };
        let search = SearchName { planner, ties: name.ties, weight: name.weight };
        self.open_analysis();
        self.analysis.planner = Some(planner);
        let mut events = SearchEvents::new(record(self, 0, search, exercise.events()));
        events.quiz = Some(Quiz::of(exercise));
        self.analysis.events = Some(events);
    }
}
