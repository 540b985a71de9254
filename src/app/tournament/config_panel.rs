//! The panel of the configuration, the saved tournaments, and the progress bar.

use super::ScreenRequests;
use super::commands::{TournamentCommand, entry_of};
use super::screen::TournamentScreen;
use crate::app::shell::controls::{budget_control, control_words};
use crate::app::shell::notice::Notice;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::programs;
use crate::app::shell::seats::{seat_badge, seat_title};
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Align, Layout, RichText, Ui};
use egui_phosphor::regular as icon;
use outwit_core::play::{Player, ProgramKind, TimeControl};
use std::time::Duration;

/// Width of the names in front of the controls, in points.
const NAMES: f32 = 72.0;

/// Shows the configuration and lets the user change it.
pub fn show(
    ui: &mut Ui,
    screen: &mut TournamentScreen,
    pieces: Option<&Pieces>,
    requests: &mut ScreenRequests,
) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.add_enabled_ui(screen.run.is_none(), |ui| {
            choose(ui, screen, pieces);
            ui.add_space(space::LARGE);
            saved(ui, screen, requests);
        });
    });
}

fn choose(ui: &mut Ui, screen: &mut TournamentScreen, pieces: Option<&Pieces>) {
    let kind = screen.kind;
    let plan = &mut screen.plan;
    widgets::section(ui, "Level");
    let name = ui.add(egui::Label::new(&plan.name).truncate());
    name.on_hover_ui(|ui| {
        ui.label(&plan.level.id);
        for (rule, value) in &plan.rules {
            widgets::hint(ui, format!("{rule}: {value}"));
        }
        ui.label("Choose another level or other rules in the set-up.");
    });
    ui.add_space(space::MEDIUM);
    let planners = kind.planners();
    let least = *kind.facts().seats.allowed.start();
    let mut removed = None;
    let mut wanted = None;
    let seats = plan.seats.len();
    for (index, (seat, choices)) in plan.seats.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            seat_badge(ui, pieces, kind.seat(index).piece, index);
            widgets::section(ui, &seat_title(seat));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if index + 1 == seats && seats > least {
                    let remove = egui::Button::new(icon::X).frame(false);
                    if widgets::tip(ui.add(remove), "Remove this seat").clicked() {
                        removed = Some(index);
                    }
                }
                let all = choices.iter().all(|(_, on)| *on);
                let words = if all { "None" } else { "All" };
                if ui.small_button(words).clicked() {
                    choices.iter_mut().for_each(|(_, on)| *on = !all);
                }
            });
        });
        ui.columns(2, |columns| {
            let half = choices.len().div_ceil(2);
            for (at, (name, on)) in choices.iter_mut().enumerate() {
                let column = &mut columns[at / half.max(1)];
                column.spacing_mut().item_spacing.y = space::SMALL;
                let player = Player::from(name.as_str());
                let (words, about) = match screen.programs.about(&player) {
                    Some(about) => (
                        screen.programs.name(&player).map_or_else(|| player.label(), str::to_owned),
                        about,
                    ),
                    None => {
                        let own = planners.iter().find(|planner| planner.name == name);
                        (seat_title(name), own.map_or("", |planner| planner.about).to_owned())
                    }
                };
                column.checkbox(on, words).on_hover_text(about);
            }
        });
        if programs::button(ui) {
            wanted = Some(index);
        }
        ui.add_space(space::MEDIUM);
    }
    screen.programs.show(ui);
    if let Some(seat) = wanted {
        screen.programs.open(seat, ProgramKind::Program);
    }
    if let Some(index) = removed {
        plan.seats.remove(index);
    }
    if seats < *kind.facts().seats.allowed.end() {
        let words = format!("{}  Add seat", icon::PLUS);
        if ui.add(egui::Button::new(words).small()).clicked() {
            plan.add_seat(kind);
        }
        ui.add_space(space::MEDIUM);
    }
    widgets::section(ui, "Games");
    let about = "Number of games per pairing. All pairings play on the same seeds.";
    widgets::row(ui, "Seeds", about, NAMES, |ui| {
        ui.add(egui::DragValue::new(&mut plan.seeds).range(1..=100_000).speed(0.5));
    });
    let about = "The first seed. The others are consecutive.";
    widgets::row(ui, "First seed", about, NAMES, |ui| {
        ui.add(egui::DragValue::new(&mut plan.first_seed).speed(0.5));
    });
    let about = "How much each planner may think per turn. With work units, games are the same on every \
                 machine and use all cores. With time, each planner needs a core of its own.";
    widgets::row(ui, "Budget", about, NAMES, |ui| {
        match &mut plan.budget {
            // Side by side they are too wide for the panel.
            TimeControl::Turn(budget) => {
                ui.vertical(|ui| budget_control(ui, budget));
            }
            // Only the command line gives time for the match.
            other => {
                ui.label(control_words(*other));
            }
        }
    });
    if plan.openings.is_some() {
        widgets::hint(
            ui,
            "The games of each seed begin with an even opening, which is played from every seat.",
        );
    }
}

/// Shows the saved tournaments.
fn saved(ui: &mut Ui, screen: &mut TournamentScreen, requests: &mut ScreenRequests) {
    widgets::section(ui, "Saved");
    let Some(list) = screen.saved.get() else {
        ui.spinner();
        return;
    };
    if list.is_empty() {
        widgets::hint(ui, "Tournaments are saved as they are played, and can be resumed.");
        return;
    }
    let ready = screen.shown.as_ref().map(|shown| shown.board.contest());
    let mut open = None;
    let mut forget = None;
    for saved in list {
        let contest = &saved.contest;
        let sizes: Vec<String> =
            contest.seats.iter().map(|seat| seat.planners.len().to_string()).collect();
        let all = contest.games();
        let is_shown = ready == Some(contest);
        ui.horizontal(|ui| {
            let size = egui::vec2(ui.available_width() - 36.0, 44.0);
            let pressed = widgets::pressable(ui, size, is_shown, &saved.level_name, |ui, rect| {
                widgets::inside(ui, rect.shrink2(egui::vec2(8.0, 4.0)), |ui| {
                    ui.spacing_mut().item_spacing.y = 1.0;
                    let seeds = widgets::counted(contest.seeds, "seed");
                    let head = format!("{}, {}, {seeds}", saved.level_name, sizes.join(" × "));
                    let head = RichText::new(head).text_style(text::strong());
                    ui.add(egui::Label::new(head).truncate());
                    let done = if saved.done >= all {
                        format!("{all} games")
                    } else {
                        format!("{} of {all} games", saved.done)
                    };
                    let below = format!("{done}, {}", control_words(contest.budget));
                    let below = RichText::new(below).small().color(palette(ui).faint.egui());
                    ui.add(egui::Label::new(below).truncate());
                });
            });
            if pressed.on_hover_text("Show results; resume if unfinished").clicked() {
                open = Some(saved.path.clone());
            }
            let bin = egui::Button::new(icon::TRASH).frame(false);
            if widgets::tip(ui.add(bin), "Remove from this list").clicked() {
                forget = Some(saved.path.clone());
            }
        });
    }
    if let Some(path) = open {
        screen.open(&path);
    }
    if let Some(path) = forget {
        requests.notices.push(match screen.forget(&path) {
            Ok(aside) => {
                Notice::info(format!("Removed from the list. The file is now {}", aside.display()))
            }
            Err(why) => Notice::error(why),
        });
    }
}

/// Shows the progress, and the buttons to start and cancel.
pub fn progress(ui: &mut Ui, screen: &mut TournamentScreen, requests: &mut ScreenRequests) {
    ui.horizontal(|ui| {
        ui.set_min_height(36.0);
        if let Some(run) = &screen.run {
            let (finished, all) = run.progress();
            let words = if run.is_cancelled() {
                "Cancelling…".to_owned()
            } else {
                let left = run.remaining().map(|left| format!(", {} left", duration_words(left)));
                format!("{finished} of {all} games{}", left.unwrap_or_default())
            };
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                requests.cancel = ui
                    .add_enabled_ui(!run.is_cancelled(), |ui| {
                        widgets::warning_button(ui, "Cancel")
                            .on_hover_text("Finished games stay saved")
                            .clicked()
                    })
                    .inner;
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let palette = palette(ui);
                    let width = (ui.available_width() - 280.0).max(80.0);
                    let (rect, _) =
                        ui.allocate_exact_size(egui::vec2(width, 10.0), egui::Sense::hover());
                    ui.painter().rect_filled(rect, 5.0, palette.line.egui());
                    let mut done = rect;
                    done.set_width(rect.width() * finished as f32 / all.max(1) as f32);
                    ui.painter().rect_filled(done, 5.0, palette.accent.egui());
                    ui.label(words);
                });
            });
            return;
        }
        let ready = screen.ready();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| match &ready {
            Err(why) => {
                ui.add_enabled_ui(false, |ui| widgets::primary_button(ui, "Start"));
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    widgets::fault(ui, why.to_string());
                });
                requests.start = false;
            }
            Ok(ready) => {
                let all = ready.contest.games();
                let shown = screen.shown.as_ref().map(|shown| shown.board.contest());
                let (words, about) = if ready.done == 0 {
                    (format!("Start  {}", icon::PLAY), "Play all games")
                } else if ready.done < all {
                    (format!("Resume  {}", icon::PLAY), "Play the remaining games")
                } else {
                    (format!("Show  {}", icon::RANKING), "All games are finished")
                };
                let has_them = ready.done >= all && shown == Some(&ready.contest);
                if !has_them {
                    let start = widgets::primary_button(ui, words);
                    let start = entry_of(TournamentCommand::Start).explain(start, about);
                    requests.start |= start.clicked();
                }
                if ready.done > 0 {
                    // Ask first: it may be the work of a whole evening.
                    let words =
                        if screen.restart_confirmed { "Replay all games?" } else { "Run again" };
                    let pressed = ui
                        .button(words)
                        .on_hover_text("Replay all games; the old results are kept as a file")
                        .clicked();
                    requests.restart = pressed && screen.restart_confirmed;
                    screen.restart_confirmed |= pressed;
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let contest = &ready.contest;
                    let word = if contest.seats.len() == 1 { "planner" } else { "pairing" };
                    let cells = widgets::counted(contest.cells() as u64, word);
                    let seeds = widgets::counted(contest.seeds, "seed");
                    ui.label(format!("{cells} × {seeds} = {all} games"));
                    if has_them {
                        widgets::hint(ui, format!("{}  Finished", icon::CHECK));
                    } else if ready.done > 0 && ready.done < all {
                        widgets::hint(ui, format!("{} finished", ready.done));
                    }
                });
                // Enter does only what the button offers.
                requests.start &= !has_them;
            }
        });
    });
}

/// A duration in words.
fn duration_words(time: Duration) -> String {
    match time.as_secs() {
        0..=1 => "a moment".into(),
        seconds @ 2..=99 => format!("{seconds} s"),
        seconds @ 100..=5999 => format!("{} min", (seconds + 30) / 60),
        seconds @ 6000..=172_799 => format!("{} h", (seconds + 1800) / 3600),
        seconds => format!("{} days", (seconds + 43_200) / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        let say = |seconds| duration_words(Duration::from_secs(seconds));
        assert_eq!(say(1), "a moment");
        assert_eq!(say(99), "99 s");
        assert_eq!(say(100), "2 min");
        assert_eq!(say(7200), "2 h");
        assert_eq!(say(200_000), "2 days");
    }
}
