//! The panel: what to do in an opening, what the planners expect, and the rules of the level.

use super::keys::{COMMANDS, MnkCommand};
use crate::app::match_screen::Shown;
use crate::app::shell::seats::with_verb;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use crate::app::shell::widgets::counted;
use bevy_egui::egui::{self, Ui, vec2};
use outwit_core::play::{Game, Seat, Value};
use outwit_mnk::{Mnk, MnkAction, MnkPhase, Opening, Stone};

/// Shows the panel; returns what a person chose.
pub fn show(panel: &mut Ui, shown: &Shown<Mnk>) -> Option<MnkAction> {
    let game = shown.game();
    let state = shown.state();
    let mut chosen = None;
    if shown.person.is_some() && shown.animation().is_none() {
        let choices: Vec<_> = COMMANDS
            .iter()
            .filter_map(|entry| match entry.id {
                MnkCommand::Choose(action) => Some((entry, action)),
                MnkCommand::Cursor(_) | MnkCommand::Place => None,
            })
            .filter(|(_, action)| game.check(state, *action).is_ok())
            .collect();
        if !choices.is_empty() {
            panel.horizontal_wrapped(|panel| {
                for (entry, action) in choices {
                    if entry.button(panel, Ok(()), egui::Button::new(entry.label)) {
                        chosen = Some(action);
                    }
                }
            });
            panel.add_space(space::SMALL);
        }
    }
    outlook(panel, shown);
    let rules = &game.level().rules;
    egui::Grid::new("rules").num_columns(2).spacing(vec2(16.0, 4.0)).show(panel, |grid| {
        let mut row = |name: &str, value: String| {
            widgets::hint(grid, name);
            grid.label(value);
            grid.end_row();
        };
        row("Board", format!("{} by {}", game.width(), game.height()));
        let exactly = if rules.exact { "exactly " } else { "" };
        row("To win", format!("{exactly}{} in a row", rules.k));
        match rules.opening {
            Opening::Free => {}
            Opening::Swap => row("Opening", "swap".into()),
            Opening::Swap2 => row("Opening", "swap2".into()),
        }
        let placed = state.stones.len() - state.empty as usize;
        row("On the board", counted(placed as u64, "stone"));
        if state.phase == MnkPhase::Play && state.swapped {
            row("After the swap", with_verb(&shown.session.name(Seat(0)), ["play O", "plays O"]));
        }
    });
    let about = &game.level().about;
    if !about.is_empty() {
        panel.add_space(space::MEDIUM);
        widgets::section(panel, "About this level");
        panel.label(about);
    }
    chosen
}

/// What the planner that moved last, or moves now, expects: from a win of O to a win of X.
fn outlook(panel: &mut Ui, shown: &Shown<Mnk>) {
    let state = shown.state();
    for seat in [Seat(0), Seat(1)] {
        if shown.session.humans.contains(&seat) {
            continue;
        }
        let Some(best) = shown.last_insight(seat).and_then(|insight| insight.candidates.first())
        else {
            continue;
        };
        let Some(value) = best.value else { continue };
        let name = shown.session.name(seat);
        let moves = |plies| counted(u64::from(plies), "move");
        let (share, words) = match value {
            Value::Win(Some(plies)) => (1.0, format!("{name} expects a win in {}", moves(plies))),
            Value::Win(None) => (1.0, format!("{name} expects a win")),
            Value::Draw => (0.5, format!("{name} expects a draw")),
            Value::Loss(Some(plies)) => (0.0, format!("{name} expects a loss in {}", moves(plies))),
            Value::Loss(None) => (0.0, format!("{name} expects a loss")),
            Value::Score(score) => {
                let share = 100.0 * score;
                (
                    score as f32,
                    format!("{name} expects {share:.0} % of the points (a draw is 50 %)"),
                )
            }
        };
        let own = crate::app::shell::theme::palette(panel);
        let (rect, response) =
            panel.allocate_exact_size(vec2(panel.available_width(), 14.0), egui::Sense::hover());
        let crosses = if state.held(seat) == Stone::X { share } else { 1.0 - share };
        panel.painter().rect_filled(rect, 3.0, own.side(super::pieces::colour(Stone::O)).egui());
        let mut part = rect;
        part.set_width(rect.width() * crosses.clamp(0.0, 1.0));
        panel.painter().rect_filled(part, 3.0, own.side(super::pieces::colour(Stone::X)).egui());
        response
            .on_hover_text("What the planner expects: the more of a colour, the better for it.");
        widgets::hint(panel, words);
        panel.add_space(space::SMALL);
    }
}
