//! The championship that waits for its next race, offered where its game is set up.

use super::commands::{COMMANDS, SetupCommand};
use crate::app::requests::OpenChampionship;
use crate::app::shell::commands::entry;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy_egui::egui;

/// What the command does while a championship waits.
pub const RESUME: &str = "Continue your championship";

/// Shows how the championship stands; returns what is wanted of it.
pub fn show(ui: &mut egui::Ui, begun: &OpenChampionship, ready: bool) -> Option<SetupCommand> {
    let resume = entry(COMMANDS, SetupCommand::Championship);
    let wanted = widgets::card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        widgets::section(ui, "Your championship");
        ui.label(&begun.standing);
        ui.label(format!("{} is next.", begun.next));
        ui.horizontal(|ui| {
            let words = format!("{}  Continue", resume.icon);
            let allowed = (resume.allowed)(&ready);
            let taken = resume.button_saying(ui, allowed, egui::Button::new(words), RESUME);
            match (taken, discard(ui, begun)) {
                (true, _) => Some(SetupCommand::Championship),
                (_, true) => Some(SetupCommand::DiscardChampionship),
                _ => None,
            }
        })
        .inner
    });
    ui.add_space(space::LARGE);
    wanted
}

/// A button that asks before it throws the races away. Returns whether they are to be.
fn discard(ui: &mut egui::Ui, begun: &OpenChampionship) -> bool {
    let id = ui.id().with("discard");
    let asked = ui.data(|data| data.get_temp::<String>(id)).as_ref() == Some(&begun.standing);
    let words = if asked { "Discard its races?" } else { "Discard" };
    let button = ui.button(words).on_hover_text("Discard its races, to begin another championship");
    if button.clicked() && !asked {
        ui.data_mut(|data| data.insert_temp(id, begun.standing.clone()));
    } else if button.clicked() || button.clicked_elsewhere() {
        ui.data_mut(|data| data.remove_temp::<String>(id));
    }
    button.clicked() && asked
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_ui_test::Harness;
    use outwit_ui_test::kittest::Queryable;

    #[test]
    fn races_are_discarded_only_after_a_question() {
        let begun = |standing: &str| OpenChampionship {
            game: "racetrack",
            standing: standing.into(),
            next: "Race 2 of 4: Hairpins".into(),
        };
        let mut window = Harness::builder().with_size(egui::vec2(400.0, 200.0)).build_ui_state(
            move |ui, (standing, discarded): &mut (&str, usize)| {
                ui.label("elsewhere");
                *discarded += usize::from(discard(ui, &begun(standing)));
            },
            ("You are first.", 0),
        );
        window.run_steps(2);
        let click = |window: &mut Harness<'_, (&str, usize)>, label: &str| {
            window.get_by_label(label).click();
            window.run_steps(3);
            window.state().1
        };
        assert_eq!(click(&mut window, "Discard"), 0);
        assert_eq!(click(&mut window, "Discard its races?"), 1);
        // Another championship is asked about anew.
        assert_eq!(click(&mut window, "Discard"), 1);
        window.state_mut().0 = "You are last.";
        window.run_steps(2);
        assert_eq!(click(&mut window, "Discard"), 1);
        assert_eq!(click(&mut window, "Discard its races?"), 2);
    }
}
