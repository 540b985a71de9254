//! Stealth against perception: which path is best for a thief of some skill.

use super::{PickedPath, StealthUi};
use crate::app::match_screen::Shown;
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Ui, vec2};
use outwit_core::levels::{PropertyKind, RuleSet};
use outwit_stealth::noticing::{SkilledRoute, Skills, best_expected_path, safest_path};
use outwit_stealth::{Ground, Route, Stealth, StealthRules};
use std::ops::RangeInclusive;

/// The skills that are tried, and the paths that suit them best.
pub struct SkillView {
    /// Both skills.
    pub skills: Skills,
    found: super::Cached<Skills, SuitedPaths>,
}

/// The best paths for some skills.
#[derive(Clone)]
pub struct SuitedPaths {
    /// The path that most probably stays unseen.
    pub safest: Option<SkilledRoute>,
    /// The path with the lowest fitness on average.
    pub expected: Option<SkilledRoute>,
}

impl SkillView {
    /// The skills of the level.
    pub fn new(rules: &StealthRules) -> Self {
        Self { skills: Skills::of(rules), found: super::Cached::default() }
    }

    /// The best paths for the skills that are tried.
    pub fn paths(&mut self, ground: &Ground) -> &SuitedPaths {
        let skills = self.skills;
        self.found.get(skills, || SuitedPaths {
            safest: safest_path(ground, skills),
            expected: best_expected_path(ground, skills),
        })
    }
}

/// The skills that the rules allow.
fn range(key: &str) -> RangeInclusive<i32> {
    let rule = StealthRules::properties().iter().find(|rule| rule.key == key);
    match rule.map(|rule| rule.kind) {
        Some(PropertyKind::Whole { min, max, .. }) => min as i32..=max as i32,
        _ => 0..=0,
    }
}

/// Shows the section of the panel.
pub fn show(panel: &mut Ui, shown: &Shown<Stealth>, taken: Option<&Route>, ui: &mut StealthUi) {
    let ground = shown.game().ground();
    widgets::section(panel, "Stealth against perception").on_hover_text(
        "On every cell, each guard that sees the thief rolls a twenty-sided die and adds its \
         perception; the thief rolls one and adds its stealth, and 1 for each two cells between \
         them. The higher roll wins; the thief wins ties.",
    );
    let mut skills = ui.skills.skills;
    egui::Grid::new("skills").num_columns(2).spacing(vec2(12.0, 4.0)).show(panel, |grid| {
        grid.spacing_mut().slider_width = 110.0;
        for (name, key, skill) in [
            ("Stealth", "stealth", &mut skills.stealth),
            ("Perception", "perception", &mut skills.perception),
        ] {
            widgets::hint(grid, name);
            let response = grid.add(egui::Slider::new(skill, range(key)));
            response.surrender_focus();
            grid.end_row();
        }
    });
    ui.skills.skills = skills;
    let paths = ui.skills.paths(ground).clone();
    let own = taken.map(|route| SkilledRoute::of(ground, route.clone(), skills));
    let rows = [
        ("This path", own.as_ref(), None, "Show only this path on the board"),
        (
            "Safest",
            paths.safest.as_ref(),
            Some(PickedPath::Safest),
            "The path on which the thief is most likely to pass unnoticed",
        ),
        (
            "On average",
            paths.expected.as_ref(),
            Some(PickedPath::Expected),
            "The path of the lowest fitness on average, if a guard adds to the cost of a cell only \
             when it notices the thief there",
        ),
    ];
    egui::Grid::new("suited").num_columns(4).spacing(vec2(8.0, 4.0)).show(panel, |grid| {
        for (name, help) in [
            ("Path", "A click shows the path on the board"),
            ("Unseen", "The probability that no guard notices the thief"),
            ("Average", "The fitness on average"),
            ("Moves", "Cells that the path enters"),
        ] {
            widgets::hint(grid, name).on_hover_text(help);
        }
        grid.end_row();
        for (name, path, pick, help) in rows {
            let Some(path) = path else { continue };
            let is_picked = ui.picked == pick;
            if grid.selectable_label(is_picked, name).on_hover_text(help).clicked() {
                ui.picked = pick.filter(|_| !is_picked);
            }
            grid.label(percent(path.unseen));
            grid.label(format!("{:.1}", path.expected));
            grid.label(path.rated.route.0.len().to_string());
            grid.end_row();
        }
    });
}

/// A probability in per cent, with decimals where it is small.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0 %".into(),
        tiny if tiny < 0.01 => "< 0.01 %".into(),
        small if small < 1.0 => format!("{small:.2} %"),
        some => format!("{some:.0} %"),
    }
}
