//! The panel of a race: where the car stands, and what the signs on the track mean.

use super::{RaceUi, paint::glyph, ready, speed};
use crate::app::match_screen::Shown;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Sense, Ui, vec2};
use outwit_core::play::Seat;
use outwit_racetrack::exact::MoveOutlook;
use outwit_racetrack::rules::Racetrack;
use outwit_racetrack::vector_words;

/// Draws the figures of the viewed car, the legend of its moves and the best result on the level.
pub fn show(panel: &mut Ui, shown: &Shown<Racetrack>, ui: &RaceUi) {
    car(panel, shown, ui, shown.subject());
    if !shown.session.humans.is_empty() {
        panel.add_space(space::MEDIUM);
        legend(panel, shown.game().track().has_sand());
    }
    if let Some(label) = &shown.session.result.best_label {
        panel.add_space(space::MEDIUM);
        widgets::hint(panel, format!("Your best on this level: {label}"));
    }
}

fn car(panel: &mut Ui, shown: &Shown<Racetrack>, ui: &RaceUi, seat: Seat) {
    let track = shown.game().track();
    let car = shown.state().cars[seat.index()];
    let rules = track.rules();
    egui::Grid::new("car").num_columns(2).spacing(vec2(16.0, 4.0)).show(panel, |grid| {
        let mut row = |name: &str, value: String| {
            widgets::hint(grid, name);
            grid.label(value);
            grid.end_row();
        };
        let limit = rules.max_speed.map_or_else(String::new, |limit| format!(" of {limit}"));
        row("Speed", format!("{:.1}{limit}", speed(car.velocity)));
        if track.has_sand() {
            row("On sand", format!("at most {}", rules.sand_speed));
        }
        row("Velocity", vector_words(car.velocity).unwrap_or_else(|| "none".into()));
        if rules.laps > 1 {
            let lap = u32::from(car.progress / track.gates_per_lap()) + 1;
            row("Lap", format!("{} of {}", lap.min(rules.laps), rules.laps));
        }
        if track.checkpoints() > 0 {
            let next = match track.next_gate(car.progress) {
                Some(outwit_racetrack::Surface::Checkpoint(n)) => format!("checkpoint {n}"),
                Some(_) => "the finish".into(),
                None => "nothing".into(),
            };
            row("Next", next);
        }
        match ui.table.get() {
            None => row("To go", "computing".into()),
            Some(Ok(_)) => {
                let turns = ready(&ui.table)
                    .and_then(|table| table.turns(car.cell, car.velocity, car.progress));
                let racing = car.standing == outwit_racetrack::CarStatus::Racing;
                row(
                    "To go",
                    match turns {
                        _ if !racing => "-".into(),
                        Some(turns) => format!("{} at best", widgets::counted(turns, "turn")),
                        None => "crash unavoidable".into(),
                    },
                );
            }
            Some(Err(_)) => {}
        }
    });
    if let Some(Err(error)) = ui.table.get() {
        widgets::fault(panel, error.to_string());
    }
}

fn legend(ui: &mut Ui, has_sand: bool) {
    widgets::section(ui, "Where you can land");
    let crashes = if has_sand { "off the track, or too fast for sand" } else { "off the track" };
    let signs = [
        (MoveOutlook::Leads(0), "fine"),
        (MoveOutlook::Doomed, "crash unavoidable"),
        (MoveOutlook::Crashes(None), crashes),
        (MoveOutlook::Finishes, "over the finish"),
    ];
    for (outlook, words) in signs {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(20.0, 18.0), Sense::hover());
            glyph(ui.painter(), rect.center(), 6.5, Some(outlook));
            widgets::hint(ui, words);
        });
    }
}
