//! The panel of a race: where the car stands, and what the signs on the track mean.

use super::{paint::glyph, speed, table};
use crate::app::match_screen::Session;
use crate::app::shell::theme::{palette, space};
use crate::app::shell::widgets;
use crate::games::racetrack::exact::Outlook;
use crate::games::racetrack::rules::Racetrack;
use crate::play::Seat;
use bevy_egui::egui::{self, Sense, Ui, vec2};

/// Shows the panel.
pub fn show(ui: &mut Ui, session: &Session<Racetrack>) {
    let seat =
        session.human_to_move().or(session.humans.first().copied()).unwrap_or(session.reviewed);
    car(ui, session, seat);
    if !session.humans.is_empty() {
        ui.add_space(space::MEDIUM);
        legend(ui);
    }
    if let Some(label) = &session.best_label {
        ui.add_space(space::MEDIUM);
        widgets::hint(ui, format!("Your best on this level: {label}"));
    }
}

fn car(ui: &mut Ui, session: &Session<Racetrack>, seat: Seat) {
    let (track, car) = (session.game().track(), session.state().cars[seat.index()]);
    let rules = track.rules();
    egui::Grid::new("car").num_columns(2).spacing(vec2(16.0, 4.0)).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            widgets::hint(ui, name);
            ui.label(value);
            ui.end_row();
        };
        let limit = rules.max_speed.map_or_else(String::new, |limit| format!(" of {limit}"));
        row("Speed", format!("{:.1}{limit}", speed(car.velocity)));
        row("Velocity", format!("{} across, {} down", car.velocity.x, car.velocity.y));
        if rules.laps > 1 {
            let lap = u32::from(car.progress / track.gates_per_lap()) + 1;
            row("Lap", format!("{} of {}", lap.min(rules.laps), rules.laps));
        }
        if track.checkpoints() > 0 {
            let next = match track.next_gate(car.progress) {
                Some(crate::games::racetrack::Surface::Checkpoint(n)) => format!("checkpoint {n}"),
                Some(_) => "the finish".into(),
                None => "nothing".into(),
            };
            row("Next", next);
        }
        match session.cache.table.get() {
            None => row("To go", "computing".into()),
            Some(Ok(_)) => {
                let turns = table(session)
                    .and_then(|table| table.turns(car.cell, car.velocity, car.progress));
                let racing = car.standing == crate::games::racetrack::CarStatus::Racing;
                row(
                    "To go",
                    match turns {
                        _ if !racing => "-".into(),
                        Some(turns) => format!("{} at best", widgets::counted(turns, "turn")),
                        None => "no way avoids a crash".into(),
                    },
                );
            }
            Some(Err(_)) => {}
        }
    });
    if let Some(Err(error)) = session.cache.table.get() {
        widgets::fault(ui, error.to_string());
    }
}

fn legend(ui: &mut Ui) {
    let palette = palette(ui);
    widgets::section(ui, "Where you can land");
    let signs = [
        (Outlook::Leads(0), palette.good, "fine"),
        (Outlook::Doomed, palette.warn, "no way to avoid a crash from there"),
        (Outlook::Crashes(None), palette.bad, "off the track"),
        (Outlook::Finishes, palette.goal, "over the finish"),
    ];
    for (outlook, colour, words) in signs {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(20.0, 18.0), Sense::hover());
            let ground = palette.panel.egui();
            glyph(ui.painter(), rect.center(), 6.5, Some(outlook), colour.egui(), ground);
            widgets::hint(ui, words);
        });
    }
}
