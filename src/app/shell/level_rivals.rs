//! The planners that a person has beaten on each level, stored in a RON file, and their row of pips.

use crate::app::shell::seats::seat_title;
use crate::app::shell::store::{Loaded, UpdateError, load_file, update_file};
use crate::app::shell::theme::palette;
use bevy_egui::egui::{self, Rect, Sense, Stroke, Ui, pos2, vec2};
use outwit_kit::DynGame;
use std::collections::{BTreeMap, BTreeSet};

/// Name of the file in the data folder.
pub const FILE: &str = "rivals.ron";

/// The names of beaten planners by level; see [`level_key`](super::records::level_key).
type BeatenByLevel = BTreeMap<String, BTreeSet<String>>;

/// The planners that were beaten on each level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LevelRivals {
    beaten: BeatenByLevel,
    /// Those that are not saved yet.
    unsaved: BeatenByLevel,
}

impl LevelRivals {
    /// Loads them from the data folder, with a message for the user if that fails.
    pub fn load() -> (Self, Option<String>) {
        let Loaded { value, message } = load_file(FILE, "Your beaten rivals");
        (Self { beaten: value, unsaved: BeatenByLevel::new() }, message)
    }

    /// Notes planners that were beaten on a level.
    pub fn note(&mut self, key: &str, names: &[String]) {
        for name in names {
            let known = self.beaten.entry(key.to_owned()).or_default();
            if known.insert(name.clone()) {
                self.unsaved.entry(key.to_owned()).or_default().insert(name.clone());
            }
        }
    }

    /// Whether the file holds all that is known.
    pub fn is_saved(&self) -> bool {
        self.unsaved.is_empty()
    }

    /// Writes what is not saved yet; another copy of the program may have written others.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&mut self) -> Result<(), UpdateError> {
        let fresh = std::mem::take(&mut self.unsaved);
        update_file(FILE, |there: &mut BeatenByLevel| {
            for (key, names) in &fresh {
                there.entry(key.clone()).or_default().extend(names.iter().cloned());
            }
        })
    }

    /// Who can be met on a level of a game, from the weakest to the strongest, and whether each was beaten
    /// there. None where nobody can be met, as in puzzles for one.
    pub fn of(&self, kind: &dyn DynGame, key: &str) -> Vec<(&'static str, bool)> {
        if *kind.facts().seats.allowed.end() < 2 {
            return Vec::new();
        }
        let beaten = self.beaten.get(key);
        let is_beaten = |name: &str| beaten.is_some_and(|beaten| beaten.contains(name));
        kind.rivals().iter().map(|planner| (planner.name, is_beaten(planner.name))).collect()
    }
}

/// Most points from one pip to the next.
const STEP: f32 = 9.0;

/// Paints a pip for each rival, as large as there is room: full for those that are beaten.
fn paint(ui: &Ui, room: Rect, rivals: &[(&str, bool)]) {
    let palette = palette(ui);
    let step = room.width() / rivals.len().max(1) as f32;
    let radius = step / 3.0;
    for (at, (_, beaten)) in rivals.iter().enumerate() {
        let centre = pos2(room.left() + step * (at as f32 + 0.5), room.center().y);
        match beaten {
            true => ui.painter().circle_filled(centre, radius, palette.good.egui()),
            false => {
                let line = Stroke::new(1.0, palette.faint.egui());
                ui.painter().circle_stroke(centre, radius - 0.5, line)
            }
        };
    }
}

/// Shows the pips in a row of words, once one of the rivals was beaten. Those that are pointed at are named.
pub fn show(ui: &mut Ui, rivals: &[(&str, bool)]) {
    if !rivals.iter().any(|(_, beaten)| *beaten) {
        return;
    }
    let width = (STEP * rivals.len() as f32).min(ui.available_width().max(STEP));
    let (rect, response) = ui.allocate_exact_size(vec2(width, 14.0), Sense::hover());
    paint(ui, rect, rivals);
    let said = words(rivals);
    let kind = egui::WidgetType::Label;
    response.widget_info(|| egui::WidgetInfo::labeled(kind, true, &said));
    response.on_hover_text(said);
}

/// Who was beaten and who was not, in words.
pub fn words(rivals: &[(&str, bool)]) -> String {
    let named = |wanted: bool| {
        let names = rivals.iter().filter(|(_, beaten)| *beaten == wanted);
        names.map(|(name, _)| seat_title(name)).collect::<Vec<_>>().join(", ")
    };
    match (named(true), named(false)) {
        (none, _) if none.is_empty() => "No rival beaten here yet".into(),
        (beaten, none) if none.is_empty() => format!("All rivals beaten here: {beaten}"),
        (beaten, left) => format!("Beaten here: {beaten}. Left: {left}"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::levels::read_ron;
    use outwit_headless::find;

    #[test]
    fn rivals_are_kept_for_each_level() {
        let racetrack = find("racetrack").unwrap();
        let mut rivals = LevelRivals::default();
        let first = racetrack.planners()[0].name;
        rivals.note("a", &[first.to_owned()]);
        let beaten = |key| rivals.of(racetrack, key).iter().filter(|(_, beaten)| *beaten).count();
        assert_eq!((beaten("a"), beaten("b")), (1, 0));
        assert_eq!(rivals.of(racetrack, "a").len(), racetrack.rivals().len());
        assert_eq!(rivals.of(racetrack, "a")[0], (first, true));
        assert!(!rivals.is_saved());
        let before = rivals.clone();
        rivals.note("a", &[first.to_owned()]);
        assert_eq!(rivals, before);
        assert!(rivals.of(find("pukoban").unwrap(), "a").is_empty(), "nobody is met there");
    }

    #[test]
    fn words_name_the_beaten_and_the_others() {
        assert_eq!(words(&[("ace", false)]), "No rival beaten here yet");
        assert_eq!(words(&[("novice", true), ("ace", false)]), "Beaten here: Novice. Left: Ace");
        assert_eq!(
            words(&[("novice", true), ("ace", true)]),
            "All rivals beaten here: Novice, Ace"
        );
    }

    #[test]
    fn what_is_written_is_read() {
        let mut rivals = LevelRivals::default();
        rivals.note("cops/#00", &["runner".into(), "\"odd\" name".into()]);
        let text = crate::app::shell::store::to_text(&rivals.beaten).unwrap();
        assert_eq!(read_ron::<BeatenByLevel>(text.as_bytes()).unwrap(), rivals.beaten);
    }
}
