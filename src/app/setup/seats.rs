//! The seats: how many, and a human or a planner on each.

use crate::app::shell::pieces::Pieces;
use crate::app::shell::programs::{ProgramChoice, is_program};
use crate::app::shell::rivals::fitting;
use crate::app::shell::seats::{seat_badge, seat_title};
use crate::app::shell::theme::{palette, space};
use crate::app::shell::widgets;
use bevy_egui::egui::{self, RichText};
use outwit_core::play::{AllowedPrograms, Player, ProgramKind, ProgramName, SeatSpec};
use outwit_kit::{DynGame, PlannerInfo};

/// The players with these names, if the game still has all of them. Another program counts only if it
/// is allowed: the settings are a file, and a file starts no program.
pub fn remembered(
    kind: &dyn DynGame,
    names: &[String],
    programs: &AllowedPrograms,
) -> Option<Vec<Player>> {
    let planners = kind.planners();
    (kind.facts().seats.allowed.contains(&names.len())
        && names.iter().enumerate().all(|(seat, name)| {
            name == "human"
                || (is_program(kind, name)
                    && ProgramName::of(name)
                        .is_some_and(|program| programs.find(program.command).is_ok()))
                || kind.is_graded(name)
                || fitting(kind, &planners, seat).any(|planner| planner.name == name)
        }))
    .then(|| names.iter().map(|name| Player::from(name.as_str())).collect())
}

/// Gives the only person this seat, and whoever sat there the person's, or another planner that can sit there.
pub fn seat_person(kind: &dyn DynGame, seat: usize, players: &mut [Player]) {
    let mut people = players.iter().enumerate().filter(|(_, player)| **player == Player::Human);
    let (Some((from, _)), None) = (people.next(), people.next()) else { return };
    if from == seat || seat >= players.len() {
        return;
    }
    players.swap(from, seat);
    let planners = kind.planners();
    let name = players[from].name();
    let fits = players[from].program().is_some()
        || kind.is_graded(name)
        || fitting(kind, &planners, from).any(|planner| planner.name == name);
    if !fits {
        players[from] = kind.opponent(from);
    }
}

/// Shows the seats and lets the user change them.
pub fn show(
    ui: &mut egui::Ui,
    kind: &dyn DynGame,
    players: &mut Vec<Player>,
    pieces: Option<&Pieces>,
    programs: &mut ProgramChoice,
) {
    let planners = kind.planners();
    let least = *kind.facts().seats.allowed.start();
    let most = *kind.facts().seats.allowed.end();
    ui.horizontal(|ui| {
        widgets::section(ui, "Seats");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let add = egui::Button::new(format!("{}  Add", egui_phosphor::regular::PLUS)).small();
            let full = format!("Maximum number of players: {most}");
            if ui
                .add_enabled(players.len() < most, add)
                .on_hover_text("Add a seat")
                .on_disabled_hover_text(full)
                .clicked()
            {
                players.push(kind.opponent(players.len()));
            }
        });
    });
    let mut removed = None;
    let mut described = Vec::new();
    let removable = players.len() > least;
    for (seat, player) in players.iter_mut().enumerate() {
        let SeatSpec { id: name, piece, .. } = kind.seat(seat);
        ui.horizontal(|ui| {
            seat_badge(ui, pieces, piece, seat);
            ui.scope(|ui| {
                ui.set_width(54.0);
                ui.add(egui::Label::new(seat_title(&name)).truncate());
            });
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let remove = egui::Button::new(egui_phosphor::regular::X).frame(false);
                if widgets::tip(ui.add_enabled(removable, remove), "Remove this seat")
                    .on_disabled_hover_text(format!("Minimum number of players: {least}"))
                    .clicked()
                {
                    removed = Some(seat);
                }
                choose(ui, kind, &planners, seat, player, programs);
            });
        });
        // Several seats may have the same planner.
        let planner = planners.iter().find(|planner| planner.name == player.name());
        if let Some(planner) = planner.filter(|planner| !described.contains(&planner.name)) {
            described.push(planner.name);
            ui.add(egui::Label::new(RichText::new(planner.about).small()).wrap());
        }
        if let Some(graded) = kind.facts().graded.filter(|graded| !described.contains(&graded.name))
            && kind.is_graded(player.name())
        {
            described.push(graded.name);
            ui.add(egui::Label::new(RichText::new(graded.about).small()).wrap());
        }
    }
    programs.show(ui);
    if let Some(seat) = removed {
        players.remove(seat);
        // The seats after it moved up, and not every planner can take every seat.
        for (seat, player) in players.iter_mut().enumerate() {
            let fits = is_program(kind, player.name())
                || kind.is_graded(player.name())
                || fitting(kind, &planners, seat).any(|p| p.name == player.name());
            if *player != Player::Human && !fits {
                *player = kind.opponent(seat);
            }
        }
    }
}

fn choose(
    ui: &mut egui::Ui,
    kind: &dyn DynGame,
    planners: &[PlannerInfo],
    seat: usize,
    player: &mut Player,
    programs: &mut ProgramChoice,
) {
    use egui_phosphor::regular::{CPU, TERMINAL, USER};
    const ABOUT_HUMAN: &str = "You, or someone else at this computer.";
    let title = |player: &Player| match player {
        Player::Human => format!("{USER}  Human"),
        Player::Planner(name) => {
            let own = programs.name(player).map_or_else(|| seat_title(name), str::to_owned);
            format!("{CPU}  {own}")
        }
    };
    let known = planners.iter().find(|planner| planner.name == player.name());
    let about = match known {
        Some(planner) => planner.about.to_owned(),
        None => programs.about(player).unwrap_or_else(|| ABOUT_HUMAN.to_owned()),
    };
    let selected = title(player);
    let human = title(&Player::Human);
    let mut wanted = None;
    egui::ComboBox::from_id_salt(("player", seat))
        .selected_text(selected)
        .width(ui.available_width() - space::MEDIUM)
        .height(400.0)
        .show_ui(ui, |ui| {
            ui.selectable_value(player, Player::Human, human).on_hover_text(ABOUT_HUMAN);
            let rivals: Vec<_> = fitting(kind, planners, seat).collect();
            for (rank, planner) in rivals.iter().enumerate() {
                let choice = Player::Planner(planner.name.into());
                let words = title(&choice);
                let row = ui.selectable_value(player, choice, words);
                strength(ui, row.rect, (rank + 1, rivals.len()));
                let about = planner.about;
                let rank = rank + 1;
                let count = rivals.len();
                row.on_hover_text(format!("{about}\nStrength here: {rank} of {count}"));
            }
            // Its strength is the person's own, so it has no place among the others.
            if let Some(graded) = kind.facts().graded {
                let choice = Player::Planner(graded.name.into());
                let words = title(&choice);
                ui.selectable_value(player, choice, words).on_hover_text(graded.about);
            }
            // A page cannot start programs.
            if cfg!(target_arch = "wasm32") {
                return;
            }
            let mut other = |words: &str, help: String, how| {
                let row = egui::Button::selectable(false, format!("{TERMINAL}  {words}"));
                if ui.add(row).on_hover_text(help).clicked() {
                    wanted = Some(how);
                }
            };
            let help = "Let a program of yours play, in any language: it speaks Outwit's protocol";
            other("Program…", help.into(), ProgramKind::Program);
            if let Some(protocol) = kind.facts().engine_protocol {
                let help = format!("Let an engine play that speaks the {protocol} protocol");
                other("Engine…", help, ProgramKind::Engine);
            }
        })
        .response
        .on_hover_text(about);
    if let Some(how) = wanted {
        programs.open(seat, how);
    }
}

/// Width of the bar that shows how strong a planner is, in points.
const STRENGTH: f32 = 44.0;

/// Draws at the right of a row how strong its planner is among those that can take the seat.
fn strength(ui: &egui::Ui, row: egui::Rect, (rank, count): (usize, usize)) {
    let palette = palette(ui);
    let end = row.right() - space::MEDIUM;
    let bar = egui::Rect::from_center_size(
        egui::pos2(end - STRENGTH / 2.0, row.center().y),
        egui::vec2(STRENGTH, 6.0),
    );
    let share = rank as f32 / count.max(1) as f32;
    let filled = bar.with_max_x(bar.left() + STRENGTH * share);
    ui.painter().rect_filled(bar, 3.0, palette.line.egui());
    ui.painter().rect_filled(filled, 3.0, palette.text.egui_alpha(0.8));
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_core::play::Isolation;
    use outwit_headless::GAMES;

    #[test]
    fn the_default_players_fit_and_are_remembered() {
        for &game in GAMES {
            let players = game.line_up(&[], None);
            assert!(game.facts().seats.allowed.contains(&players.len()));
            let names: Vec<_> = players.iter().map(|p| p.name().to_owned()).collect();
            let none = AllowedPrograms::default();
            assert_eq!(remembered(game, &names, &none), Some(players));
            assert_eq!(remembered(game, &["nobody".into()], &none), None);
        }
    }

    #[test]
    fn a_program_is_remembered_only_while_it_is_allowed() {
        let kind = outwit_headless::find("mnk").unwrap();
        let names = ["human".to_owned(), "engine:/a/brain".to_owned()];
        assert_eq!(remembered(kind, &names, &AllowedPrograms::default()), None);
        let chosen = AllowedPrograms::chosen_by_person(["/a/brain"], &Isolation::Limits);
        assert!(remembered(kind, &names, &chosen).is_some());
    }
}
